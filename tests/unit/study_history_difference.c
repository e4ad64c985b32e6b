/* What differs between two versions of a codebook, and whether labels can be carried
 * over. */
#include "tests/unit/changed.h"

static struct arena arena;

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
        struct study_codebook older, newer;
        struct buf problems = {0}, out = {0};
        struct err err = {0};
        tap_case("difference: %s", versions[i].name);
        CHECK(changed_parse(versions[i].older, &arena, &older, &problems));
        CHECK(changed_parse(versions[i].newer, &arena, &newer, &problems));
        CHECK(study_history_continues(&older, &newer, &err));
        study_history_difference(&older, &newer, &arena, &out);
        buf_add_char(&out, '\0');
        CHECK_TEXT(out.ptr, versions[i].difference);
        buf_free(&problems);
        buf_free(&out);
    }
}

static void test_continues(void)
{
    struct study_codebook older, newer;
    struct buf problems = {0};
    struct err err = {0};

    tap_case("a change that was dropped is named");
    CHECK(changed_parse(CHANGED_CODES CHANGED_CHANGES, &arena, &older, &problems) &&
          changed_parse(CHANGED_CODES, &arena, &newer, &problems));
    CHECK(!study_history_continues(&older, &newer, &err) && err.kind == ERR_INPUT);
    CHECK(strstr(err.text, "change 1 was 'merge gpu, cpu into hardware: few'") != NULL);
    CHECK(study_history_continues(&newer, &older, &err));
    buf_free(&problems);
}

int main(void)
{
    test_versions();
    test_continues();
    arena_free(&arena);
    return tap_done();
}
