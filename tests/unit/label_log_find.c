/* What a log knows, found by what names it. */
#include "label/internal.h"
#include "tests/unit/labelled.h"

static void check_rounds(struct labelled *test, int64_t round)
{
    const struct label_known_round *found = label_round_find(test->label, round);

    tap_case("a round, open and closed");
    CHECK(found != NULL && found->row.id == round && label_counts(found));
    CHECK(!label_is_chosen(found) && label_round_find(test->label, round + 1) == NULL);
    CHECK(label_open_round(test->label) == round);
    CHECK(labelled_end_round(test, round) && label_follow(test->label, &test->in.err));
    CHECK(label_open_round(test->label) == 0);
}

static void check_said(struct labelled *test, int64_t round)
{
    struct label *label = test->label;
    const struct label_slot *slot =
        label_slot_find(label, round, STR("ann"), 11, false, STR("bugs"));

    tap_case("a slot and the entry that counts in it");
    if (CHECK(slot != NULL && slot->top != LABEL_NONE)) {
        int64_t act =
            LABEL_LIST(label->log.entries, struct label_entry)[slot->top].act.id;
        const struct label_entry *entry = label_entry_find(label, act);
        CHECK(entry != NULL && entry->act.item == 11);
        CHECK(entry != NULL && str_eq(entry->act.codes.at[0], STR("data/parse")));
    }
    CHECK(label_slot_find(label, round, STR("ann"), 11, true, STR("bugs")) == NULL);
    CHECK(label_slot_find(label, round, STR("eve"), 11, false, STR("bugs")) == NULL);
    CHECK(label_entry_find(label, 999999) == NULL);
    tap_case("a place in a rater's list, and the rater");
    CHECK(label_assigned_find(label, round, STR("bob"), 11, false) != NULL);
    CHECK(label_assigned_find(label, round, STR("bob"), 12345, false) == NULL);
    CHECK(label_tally_find(label, round, STR("bob"))->done == 12);
    CHECK(label_tally_find(label, round, STR("eve")) == NULL);
    tap_case("no decision yet");
    CHECK(label_decision_find(label, 11, STR("bugs")) == NULL);
}

int main(void)
{
    struct labelled test;

    if (!labelled_begin(&test, LABELLED_STUDY, LABELLED_CODEBOOK))
        return tap_done();
    int64_t round = labelled_fill(&test);
    CHECK(label_follow(test.label, &test.in.err));
    check_said(&test, round);
    check_rounds(&test, round);
    labelled_end(&test);
    return tap_done();
}
