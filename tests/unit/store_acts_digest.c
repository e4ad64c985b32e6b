/* The digest of a labelling: what changes it and what does not. */
#include "store/acts.h"

#include "tests/unit/labelled.h"

static uint64_t digest(struct labelled *test, const char *task)
{
    uint64_t out = 1;

    test->in.err = (struct err){0};
    CHECK(store_acts_digest(studied_path(&test->in, "labels.db"), str_from(task), &out,
                            &test->in.err));
    CHECK_TEXT(test->in.err.text, "");
    return out;
}

int main(void)
{
    struct labelled test;
    struct str token;
    struct err err = {0};
    uint64_t out;

    if (!labelled_begin(&test, LABELLED_STUDY, LABELLED_CODEBOOK))
        return tap_done();
    tap_case("an act counts, a link does not, nor does another task");
    int64_t round = labelled_fill(&test);
    uint64_t filled = digest(&test, "bugs"), other = digest(&test, "other");
    CHECK(label_token(test.label, STR("ann"), &test.in.arena, &token, &test.in.err));
    CHECK(digest(&test, "bugs") == filled);
    CHECK(labelled_give(&test, "bob", 11, "model", ""));
    uint64_t corrected = digest(&test, "bugs");
    CHECK(corrected != filled);
    CHECK(digest(&test, "other") == other);
    tap_case("so does the end of a round, and a decision");
    CHECK(labelled_end_round(&test, round));
    uint64_t closed = digest(&test, "bugs");
    CHECK(closed != corrected);
    struct str path = STR("model");
    struct label_decision decision = {.item = 11,
                                      .dimension = STR("bugs"),
                                      .by = STR("eve"),
                                      .codes = &path,
                                      .code_count = 1,
                                      .reason = LABEL_SLIP};
    CHECK(label_decide(test.label, &decision, &test.in.err));
    CHECK(digest(&test, "bugs") != closed);
    tap_case("opened again it is the same");
    uint64_t last = digest(&test, "bugs");
    CHECK(labelled_open(&test));
    CHECK(digest(&test, "bugs") == last);
    tap_case("no file is 0; another file is told");
    CHECK(store_acts_digest(studied_path(&test.in, "none.db"), STR("bugs"), &out, &err));
    CHECK(out == 0);
    CHECK(!store_acts_digest(studied_path(&test.in, "study.yaml"), STR("bugs"), &out,
                             &err));
    CHECK(strstr(err.text, "study.yaml: file is not a database") != NULL);
    labelled_end(&test);
    return tap_done();
}
