/* Changes of a codebook that are not as they must be. */
#include "tests/unit/changed.h"

static struct arena arena;

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
        struct study_codebook codebook;
        struct buf problems = {0}, text = {0};
        tap_case("wrong: %s", wrong[i].name);
        buf_add_format(&text, "%s%s\n", CHANGED_CODES, wrong[i].changes);
        buf_add_char(&text, '\0');
        CHECK(!changed_parse(text.ptr, &arena, &codebook, &problems));
        buf_add_char(&problems, '\0');
        if (!CHECK(strstr(problems.ptr, wrong[i].problem) != NULL))
            CHECK_TEXT(problems.ptr, wrong[i].problem);
        buf_free(&problems);
        buf_free(&text);
    }
}

int main(void)
{
    test_wrong();
    arena_free(&arena);
    return tap_done();
}
