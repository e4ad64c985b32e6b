/* The checklists are whole: all attributes are there, and each verdict has its words. */
#include <stdio.h>

#include "base/date.h"
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
    static const char *const open[] = {
        "configuration", "hosting and architecture", "prompts",      "raw outputs",
        "an open model", "agreement between models", "repeated runs"};
    for (size_t i = 0; i < ROWS(open); i++) {
        char line[80];
        snprintf(line, sizeof line, "- [ ] **%s", open[i]);
        CHECK(drafted_says(&test, line));
    }
    tap_case("what its records say");
    static const struct report_methods_model model = {.requests = 1200,
                                                      .answered = 1190,
                                                      .refused = 3,
                                                      .first_ms = 20 * DATE_DAY_MS,
                                                      .last_ms = 22 * DATE_DAY_MS,
                                                      .answered_as = STR_INIT("m-1.5"),
                                                      .digests = STR_INIT("sha256:feed"),
                                                      .servers = STR_INIT("abcd"),
                                                      .temperatures = STR_INIT("0.7"),
                                                      .seeds = STR_INIT("0, 1, 2, 3, 4"),
                                                      .settings =
                                                          STR_INIT("max_tokens 200"),
                                                      .constrained = true};
    test.labellings[0].models = &model;
    drafted_write(&test, "checklist");
    CHECK(drafted_says(
        &test, "- [x] **model, version, date** — recorded: `m`, asked for as `m`, "
               "answered as `m-1.5`, weights `sha256:feed`, from 21 January 1970 "
               "to 23 January 1970, 1,200 requests, 1,190 answers. More"));
    CHECK(drafted_says(&test,
                       "- [x] **configuration** — recorded: `m` at temperature 0.7, "
                       "seeds 0, 1, 2, 3, 4 (max\\_tokens 200), 5 runs, held to the "
                       "codes by a schema."));
    CHECK(drafted_says(&test,
                       "at `http://h:1`, whose words about itself are in labels.db"));
    CHECK(drafted_says(&test, "including refusals (3 of `m`)"));
    CHECK(drafted_says(&test, "- [x] **an open model as a baseline** — recorded: 1 of 1 "
                              "model has open weights"));
    CHECK(drafted_says(&test, "- [ ] **agreement between models** — not recorded: "
                              "answers of two models are not there"));
    CHECK(drafted_says(&test, "- [x] **repeated runs** — recorded"));
    drafted_end(&test);
    return tap_done();
}
