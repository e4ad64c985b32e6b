/* The checklists are whole: all attributes are there, and each verdict has its words. */
#include "tests/unit/drafted.h"

static size_t count_of(const char *text, const char *part)
{
    size_t count = 0;

    for (const char *at = strstr(text, part); at != NULL; at = strstr(at + 1, part))
        count++;
    return count;
}

int main(void)
{
    struct drafted test;

    drafted_begin(&test, "samples: {p: {of: x, size: 10, seed: 7}}\n");
    drafted_write(&test, "checklist");
    tap_case("every attribute is a point of a list");
    CHECK(count_of(test.markdown.ptr, "\n- [") == 29 + 12); /* of mining, of sampling */
    tap_case("each says which version of the standard it follows");
    CHECK(drafted_says(&test,
                       "### Sampling\n\nAs of docs/supplements/Sampling.md, commit "));
    tap_case("a cross is for what was recorded");
    CHECK(drafted_says(&test, "- [x] **unit of analysis** — recorded: "));
    CHECK(drafted_says(&test, "- [ ] **goal of sampling** — write it yourself: "));
    CHECK(drafted_says(&test, "- [ ] **selection criteria validated** — not recorded: "));
    CHECK(
        drafted_says(&test, "**reliability of annotation** — does not apply: nothing "));
    tap_case("levels have their headings");
    CHECK(count_of(test.markdown.ptr, "\nEssential:\n\n- ") == 2 &&
          count_of(test.markdown.ptr, "\nDesirable:\n\n- ") == 2 &&
          count_of(test.markdown.ptr, "\nExtraordinary:\n\n- ") == 1);
    tap_case("what does not apply at all is one sentence");
    CHECK(drafted_says(&test, "commit 1286d54. Nothing can be filled in: nothing was "
                              "labelled.\n\n"));
    drafted_end(&test);
    drafted_begin(&test, "");
    drafted_write(&test, "checklist");
    CHECK(drafted_says(&test, "Does not apply: no sample was drawn"));
    CHECK(drafted_says(&test, "Does not apply: no rater of the study is a model"));
    drafted_end(&test);
    tap_case("the guidelines on language models, where a rater is one");
    drafted_begin(
        &test, "codebooks: {k: k.yaml}\nlabelling: {k: {sample: x, codebook: k, raters: "
               "[a, {model: m, url: 'http://h:1', runs: 5, open: yes}]}}\n");
    drafted_write(&test, "checklist");
    CHECK(drafted_says(&test, "- [x] **use and role of models** — recorded: `m` rates "
                              "items of `k`"));
    CHECK(drafted_says(&test, "- [ ] **model, version, date** — not recorded: no model "
                              "has been asked yet"));
    CHECK(drafted_says(&test,
                       "- [x] **configuration** — recorded: `m` at temperature 0, 5 "
                       "runs;"));
    CHECK(drafted_says(&test, "- [x] **an open model as a baseline** — recorded: 1 of 1 "
                              "model has open weights"));
    CHECK(drafted_says(&test, "- [ ] **agreement between models** — not recorded: there "
                              "is one model"));
    CHECK(drafted_says(&test, "- [x] **repeated runs** — recorded"));
    drafted_end(&test);
    return tap_done();
}
