/* Codebooks that change: what may be listed, where codes are afterwards, what differs. */
#include "study/history.h"

#include <string.h>

#include "tests/tap.h"

static struct arena arena;

#define CODES \
    "codebook: b\ncodes:\n  hardware: Hardware\n  model: {codes: {parsing: Parsing}}\n" \
    "  start: Start\n  end: End\nspecial: {unclear: Unclear}\n"
#define CHANGES \
    "changes:\n" \
    "  - {merge: [gpu, cpu], into: hardware, reason: few}\n" \
    "  - {move: data/parsing, into: model, reason: fits}\n" \
    "  - {split: crash, into: [start, end], reason: two kinds}\n" \
    "  - {retire: other, reason: empty}\n" \
    "  - {retire: junk, into: unclear, reason: same}\n" \
    "  - {rename: hardware, into: Machine, reason: clearer}\n" \
    "  - {merge: [slow], into: hardware, review: yes, reason: judge}\n"

static bool parsed(const char *text, struct codebook *out, struct buf *problems)
{
    struct err err = {0};

    return codebook_parse(str_from(text), "k", &arena, out, problems, &err);
}

static const struct {
    const char *name;
    size_t known;
    const char *path, *now, *review;
} carried[] = {
    {"a code that stays", 0, "model", "model", ""},
    {"merged", 0, "gpu", "hardware", ""},
    {"moved", 0, "data/parsing", "model/parsing", ""},
    {"a split needs a human", 0, "crash", "crash",
     "split crash into start, end: two kinds"},
    {"so does a retired code", 0, "other", "other", "retire other: empty"},
    {"but for one with a successor", 0, "junk", "unclear", ""},
    {"a new name changes nothing", 0, "hardware", "hardware", ""},
    {"a merge by judgement", 0, "slow", "slow", "merge slow into hardware: judge"},
    {"a change that was known has no effect", 1, "gpu", "gpu",
     "the code is no longer in the codebook"},
    {"a later one has", 1, "data/parsing", "model/parsing", ""},
    {"a name that only begins alike", 0, "gpus", "gpus",
     "the code is no longer in the codebook"},
    {"below a merged code, what has no place", 0, "gpu/fan", "hardware/fan",
     "the code is no longer in the codebook"},
};

static void test_carry(void)
{
    struct codebook codebook;
    struct buf problems = {0};

    tap_case("a codebook with all kinds of changes");
    CHECK(parsed(CODES CHANGES, &codebook, &problems));
    CHECK(codebook.change_count == 7 && problems.len == 0);
    for (size_t i = 0; i < ROWS(carried); i++) {
        tap_case("carried: %s", carried[i].name);
        struct history_place place =
            history_carry(&codebook, codebook.dimensions, carried[i].known,
                          str_from(carried[i].path), &arena);
        CHECK_TEXT(arena_c_string(&arena, place.path), carried[i].now);
        CHECK_TEXT(arena_c_string(&arena, place.review), carried[i].review);
    }
    buf_free(&problems);
}

static const struct {
    const char *name, *changes, *problem;
} wrong[] = {
    {"not a list", "changes: {merge: a}", "expected a list of changes"},
    {"not a change", "changes: [text]", "expected a change such as"},
    {"two things at once", "changes: [{merge: a, split: b, into: model, reason: r}]",
     "expected one of rename, move, merge, split, retire; found 2"},
    {"an unknown key", "changes: [{merge: a, into: model, reason: r, why: x}]",
     "unknown key 'why'"},
    {"no reason", "changes: [{merge: a, into: model}]", "expected a `reason`"},
    {"a split into one", "changes: [{split: a, into: model, reason: r}]",
     "expected {split: CODE, into: [CODE, CODE]}"},
    {"a merge into two", "changes: [{merge: a, into: [start, end], reason: r}]",
     "expected {merge: [CODE, CODE], into: CODE}"},
    {"into a code that is not there", "changes: [{merge: a, into: absent, reason: r}]",
     "there is no code 'absent'"},
    {"still there", "changes: [{merge: model, into: start, reason: r}]",
     "the code 'model' is still there"},
    {"renamed, but not there", "changes: [{rename: a, into: A, reason: r}]",
     "there is no code 'a'"},
    {"review is neither", "changes: [{merge: a, into: model, reason: r, review: 2}]",
     "expected yes or no"},
    {"an unknown dimension",
     "changes: [{merge: a, into: model, reason: r, dimension: x}]", "x"},
};

static void test_wrong(void)
{
    for (size_t i = 0; i < ROWS(wrong); i++) {
        struct codebook codebook;
        struct buf problems = {0}, text = {0};
        tap_case("wrong: %s", wrong[i].name);
        buf_add_format(&text, "%s%s\n", CODES, wrong[i].changes);
        buf_add_char(&text, '\0');
        CHECK(!parsed(text.ptr, &codebook, &problems));
        buf_add_char(&problems, '\0');
        if (!CHECK(strstr(problems.ptr, wrong[i].problem) != NULL))
            CHECK_TEXT(problems.ptr, wrong[i].problem);
        buf_free(&problems);
        buf_free(&text);
    }
}

static const struct {
    const char *name, *older, *newer, *difference;
} versions[] = {
    {"the same", "codebook: b\ncodes: {a: A}\n", "codebook: b\ncodes: {a: A}\n", ""},
    {"a new code", "codebook: b\ncodes: {a: A}\n", "codebook: b\ncodes: {a: A, c: C}\n",
     "+ c: C\n"},
    {"a code lost without a word", "codebook: b\ncodes: {a: A, c: C}\n",
     "codebook: b\ncodes: {a: A}\n",
     "- c: needs review (the code is no longer in the codebook)\n"},
    {"another name", "codebook: b\ncodes: {a: A}\n", "codebook: b\ncodes: {a: B}\n",
     "~ a: called 'B', was 'A'\n"},
    {"other words", "codebook: b\ncodes: {a: {definition: x}}\n",
     "codebook: b\ncodes: {a: {definition: y}}\n", "~ a: defined in other words\n"},
    {"a merge", "codebook: b\ncodes: {a: A, c: C}\n",
     "codebook: b\ncodes: {a: A}\nchanges: [{merge: c, into: a, reason: r}]\n",
     "- c: now a\n"},
    {"dimensions", "codebook: b\ndimensions: {d: {codes: {a: A}}}\n",
     "codebook: b\ndimensions: {e: {codes: {a: A}}}\n", "+ dimension e\n- dimension d\n"},
};

static void test_versions(void)
{
    for (size_t i = 0; i < ROWS(versions); i++) {
        struct codebook older, newer;
        struct buf problems = {0}, out = {0};
        struct err err = {0};
        tap_case("difference: %s", versions[i].name);
        CHECK(parsed(versions[i].older, &older, &problems));
        CHECK(parsed(versions[i].newer, &newer, &problems));
        CHECK(history_continues(&older, &newer, &err));
        history_difference(&older, &newer, &arena, &out);
        buf_add_char(&out, '\0');
        CHECK_TEXT(out.ptr, versions[i].difference);
        buf_free(&problems);
        buf_free(&out);
    }
}

static void test_continues(void)
{
    struct codebook older, newer;
    struct buf problems = {0};
    struct err err = {0};

    tap_case("a change that was dropped is named");
    CHECK(parsed(CODES CHANGES, &older, &problems) && parsed(CODES, &newer, &problems));
    CHECK(!history_continues(&older, &newer, &err) && err.kind == ERR_INPUT);
    CHECK(strstr(err.text, "change 1 was 'merge gpu, cpu into hardware: few'") != NULL);
    CHECK(history_continues(&newer, &older, &err));
    buf_free(&problems);
}

int main(void)
{
    test_carry();
    test_wrong();
    test_versions();
    test_continues();
    tap_case("a version is a hash of the file");
    CHECK_TEXT(arena_c_string(&arena, history_version(STR(""), &arena)),
               "2d06800538d394c2"); /* XXH3 of nothing, as its authors give it */
    arena_free(&arena);
    return tap_done();
}
