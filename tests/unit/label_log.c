/* Following the log: two that have the same labels.db open know the same, whoever did it;
 * rows of another task are not ours; what is out of order is told; what is known is found
 * by all that names it. */
#include "label/internal.h"
#include "store/acts.h"
#include "tests/unit/labelled.h"

#define TWO_TASKS \
    LABELLED_HEAD \
    "labelling:\n" \
    "  bugs: {sample: all, raters: [ann, bob], arbiter: eve}\n" \
    "  more: {sample: all, raters: [ann, bob], arbiter: eve, codebook: bugs}\n"

static void test_two_readers(void)
{
    struct labelled test, other = {0};

    tap_case("a second reader sees what the first did, in its middle");
    if (!labelled_begin(&test, LABELLED_STUDY, LABELLED_CODEBOOK))
        return;
    other.in = test.in;
    other.in.told = (struct buf){0};
    other.in.arena = (struct arena){0};
    CHECK(labelled_open(&other));
    int64_t round = labelled_round(&test);
    CHECK(labelled_give(&test, "ann", 11, "model", "k"));
    CHECK_TEXT(labelled_says(&other, "ann", round, 11), "model");
    CHECK(labelled_give(&other, "ann", 11, "unclear", ""));
    CHECK_TEXT(labelled_says(&test, "ann", round, 11), "unclear");
    CHECK(labelled_undo(&test, "ann"));
    CHECK_TEXT(labelled_says(&other, "ann", round, 11), "model");

    tap_case("a message that the other stored is known");
    CHECK(labelled_give(&other, "ann", 11, "model", "k") && other.saved.repeated);

    tap_case("what the other closed is closed");
    CHECK(labelled_end_round(&other, round));
    CHECK(!labelled_give(&test, "ann", 11, "model", "") && test.in.err.kind == ERR_INPUT);
    labelled_close(&other);
    arena_free(&other.in.arena);
    buf_free(&other.in.told);
    labelled_end(&test);
}

static void test_tasks(void)
{
    struct labelled test;
    struct label *more = NULL;
    struct label_round *rounds;
    size_t count;

    tap_case("tasks of one study do not see each other's rounds");
    if (!labelled_begin(&test, LABELLED_STUDY, LABELLED_CODEBOOK))
        return;
    studied_write(&test.in, "study.yaml", TWO_TASKS);
    labelled_close(&test);
    CHECK(studied_load(&test.in, &test.study));
    CHECK(
        label_open(&test.study, STR("bugs"), &test.label, &test.in.told, &test.in.err) &&
        label_open(&test.study, STR("more"), &more, &test.in.told, &test.in.err));
    CHECK(labelled_round(&test) == 1);
    CHECK(labelled_give(&test, "ann", 11, "model", ""));
    CHECK(label_rounds(more, &test.in.arena, &rounds, &count, &test.in.err) &&
          count == 0);
    label_close(test.label);
    test.label = more;
    CHECK(labelled_round(&test) == 2);
    CHECK_TEXT(labelled_says(&test, "ann", 1, 11), "-");
    labelled_end(&test);
}

static void test_damage(void)
{
    struct labelled test;
    struct store_acts *acts;
    struct store_acts_round round = {
        .task = STR("bugs"), .kind = STR("main"), .by = STR("x"), .source = STR("")};
    struct store_acts_assignment place = {
        .round = 1, .rater = STR("ann"), .position = 3, .item = 11};

    tap_case("lists that are out of order are told");
    if (!labelled_begin(&test, LABELLED_STUDY, LABELLED_CODEBOOK))
        return;
    labelled_close(&test);
    CHECK(store_acts_open(studied_path(&test.in, "labels.db"), STR("s"), &acts,
                          &test.in.err) &&
          store_acts_add(acts, STORE_ACTS_ROUND, &round, &test.in.err) &&
          store_acts_add(acts, STORE_ACTS_ASSIGNMENT, &place, &test.in.err));
    store_acts_close(acts);
    CHECK(!labelled_open(&test) && test.in.err.kind == ERR_INPUT);
    CHECK(strstr(test.in.err.text, "labels.db is damaged") != NULL);
    labelled_end(&test);
}

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
        label_slot_find(label, round, STR("ann"), 11, false, STR(""), STR("bugs"));

    tap_case("a slot and the entry that counts in it");
    if (CHECK(slot != NULL && slot->top != LABEL_NONE)) {
        int64_t act = label->log.entries.at[slot->top].act.id;
        const struct label_entry *entry = label_entry_find(label, act);
        CHECK(entry != NULL && entry->act.item == 11);
        CHECK(entry != NULL && str_eq(entry->act.codes.at[0], STR("data/parse")));
    }
    CHECK(label_entry_find(label, 999999) == NULL);
    tap_case("a place in a rater's list, and the rater");
    CHECK(label_assigned_find(label, round, STR("bob"), 11, false) != NULL);
    CHECK(label_assigned_find(label, round, STR("bob"), 12345, false) == NULL);
    CHECK(label_tally_find(label, round, STR("bob"))->done == 12);
    CHECK(label_tally_find(label, round, STR("eve")) == NULL);
    tap_case("no decision yet");
    CHECK(label_decision_find(label, 11, STR(""), STR(""), STR("bugs")) == NULL);
}

static const struct {
    const char *name;
    int64_t rounds, item; /* so many rounds later */
    const char *rater, *dimension;
    bool again;
} others[] = {
    {"another round", 1, 11, "ann", "bugs", false},
    {"another item", 0, 12345, "ann", "bugs", false},
    {"another rater", 0, 11, "eve", "bugs", false},
    {"another dimension", 0, 11, "ann", "more", false},
    {"the second time", 0, 11, "ann", "bugs", true},
    {"texts that only join to the same", 0, 11, "annbugs", "", false},
    {"texts that part elsewhere", 0, 11, "annb", "ugs", false},
};

static void check_others(struct labelled *test, int64_t round)
{
    for (size_t i = 0; i < ROWS(others); i++) {
        tap_case("what differs in anything is not found: %s", others[i].name);
        CHECK(label_slot_find(test->label, round + others[i].rounds,
                              str_from(others[i].rater), others[i].item, others[i].again,
                              STR(""), str_from(others[i].dimension)) == NULL);
    }
}

static void test_finding(void)
{
    struct labelled test;

    if (!labelled_begin(&test, LABELLED_STUDY, LABELLED_CODEBOOK))
        return;
    int64_t round = labelled_fill(&test);
    CHECK(label_follow(test.label, &test.in.err));
    check_said(&test, round);
    check_others(&test, round);
    check_rounds(&test, round);
    labelled_end(&test);
}

int main(void)
{
    test_two_readers();
    test_tasks();
    test_damage();
    test_finding();
    return tap_done();
}
