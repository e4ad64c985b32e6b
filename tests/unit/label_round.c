/* Rounds: which items, who gets them, in an own order each; what cannot be opened. */
#include "tests/unit/labelled.h"

/* A rater's list, re-tests with a star. */
static const char *list(struct labelled *test, const char *rater)
{
    struct label_place place;
    struct buf text = {0};
    bool found = true;

    for (size_t i = 0; found; i++) {
        if (!CHECK(
                label_at(test->label, str_from(rater), i, &place, &found, &test->in.err)))
            break;
        if (found)
            buf_add_format(&text, "%lld%s ", (long long)place.item,
                           place.again ? "*" : "");
    }
    const char *copy =
        text.len > 0 ? arena_c_string(&test->in.arena, buf_str(&text)) : "";
    buf_free(&text);
    return copy;
}

static size_t count_of(const char *list_text, const char *what)
{
    size_t count = 0;

    for (const char *at = list_text; (at = strstr(at, what)) != NULL; at++)
        count++;
    return count;
}

static bool open_round(struct labelled *test, struct label_round_plan plan,
                       int64_t *round)
{
    test->in.err = (struct err){0};
    return label_round_open(test->label, &plan, STR("eve"), round, &test->in.err);
}

static void test_orders(void)
{
    struct labelled test;
    struct label_round *rounds;
    size_t count;

    tap_case("everyone gets all, each in an own order that is not the drawn one");
    if (!labelled_begin(&test, LABELLED_STUDY, LABELLED_CODEBOOK))
        return;
    int64_t round = labelled_round(&test);
    CHECK(round == 1 && count_of(list(&test, "ann"), " ") == 12 &&
          count_of(list(&test, "bob"), " ") == 12);
    CHECK(strcmp(list(&test, "ann"), list(&test, "bob")) != 0);
    CHECK_TEXT(list(&test, "eve"), "");
    CHECK(label_rounds(test.label, &test.in.arena, &rounds, &count, &test.in.err));
    CHECK(count == 1 && rounds[0].kind == LABEL_MAIN && rounds[0].items == 12 &&
          rounds[0].assigned == 24 && rounds[0].done == 0 && rounds[0].closed_ms == 0);

    tap_case("one round at a time, closed once, and no items are left");
    struct label_round_plan plan = {.kind = LABEL_MAIN, .items = 3, .overlap = 1};
    CHECK(!open_round(&test, plan, &round));
    CHECK_TEXT(test.in.err.text, "round 1 is open; close it first");
    CHECK(labelled_end_round(&test, 1));
    CHECK(!labelled_end_round(&test, 1));
    CHECK_TEXT(test.in.err.text, "round 1 has been closed already");
    CHECK(!labelled_end_round(&test, 9));
    CHECK_TEXT(test.in.err.text, "there is no round 9");
    CHECK(!open_round(&test, plan, &round));
    CHECK_TEXT(test.in.err.text, "every item of the task has been in a round");
    CHECK_TEXT(list(&test, "ann"), "");

    tap_case("training takes items that were labelled");
    plan.kind = LABEL_TRAINING;
    CHECK(open_round(&test, plan, &round) && round == 2);
    CHECK(count_of(list(&test, "ann"), " ") == 3);
    labelled_end(&test);
}

static void test_pilot(void)
{
    struct labelled test;
    struct label_round_plan plan;

    tap_case("a pilot of 30%% comes first, then the rest");
    if (!labelled_begin(&test,
                        LABELLED_HEAD "labelling: {bugs: {sample: all, raters: [ann, "
                                      "bob], pilot: 30%}}\n",
                        LABELLED_CODEBOOK))
        return;
    CHECK(label_round_settings(test.label, &plan, &test.in.err));
    CHECK(plan.kind == LABEL_PILOT && plan.items == 4);
    int64_t round = labelled_round(&test);
    static const char *const first[] = {"11 ", "5 ", "9 ", "25 "};
    for (size_t i = 0; i < ROWS(first); i++)
        CHECK(strstr(list(&test, "ann"), first[i]) != NULL);
    CHECK(labelled_end_round(&test, round));
    CHECK(label_round_settings(test.label, &plan, &test.in.err));
    CHECK(plan.kind == LABEL_MAIN && plan.items == 8);
    CHECK(labelled_round(&test) == 2 && strstr(list(&test, "ann"), "25 ") == NULL);
    labelled_end(&test);
}

static void test_pilot_number(void)
{
    static const struct {
        const char *study;
        size_t items;
    } rows[] = {
        {LABELLED_HEAD "labelling: {bugs: {sample: all, raters: [ann, bob], pilot: 5}}\n",
         5},
        {LABELLED_HEAD
         "labelling: {bugs: {sample: all, raters: [ann, bob], pilot: 100}}\n",
         12},
    };

    for (size_t i = 0; i < ROWS(rows); i++) {
        struct labelled test;
        struct label_round_plan plan;
        tap_case("a pilot of a number of items: %zu", rows[i].items);
        if (!labelled_begin(&test, rows[i].study, LABELLED_CODEBOOK))
            return;
        CHECK(label_round_settings(test.label, &plan, &test.in.err));
        CHECK(plan.kind == LABEL_PILOT && plan.items == rows[i].items);
        labelled_end(&test);
    }
}

static void test_shares(void)
{
    static const struct {
        const char *name;
        size_t raters_per_item;
        double overlap, retest;
        size_t places, most; /* of all raters; of the busiest */
    } rows[] = {
        {"two of three", 2, 1, 0, 24, 8},
        {"a quarter by all, the rest by one", 0, 0.25, 0, 18, 6},
        {"a quarter by two", 2, 0.25, 0, 15, 5},
        {"a quarter again", 1, 1, 0.25, 15, 5},
    };

    for (size_t i = 0; i < ROWS(rows); i++) {
        struct labelled test;
        struct label_round_plan plan = {.kind = LABEL_MAIN,
                                        .items = 12,
                                        .raters_per_item = rows[i].raters_per_item,
                                        .overlap = rows[i].overlap,
                                        .retest = rows[i].retest,
                                        .seed = 3};
        size_t places = 0;
        int64_t round;
        tap_case("shares: %s", rows[i].name);
        if (!labelled_begin(&test,
                            LABELLED_HEAD "labelling: {bugs: {sample: all, raters: [ann, "
                                          "bob, cid]}}\n",
                            LABELLED_CODEBOOK))
            continue;
        CHECK(open_round(&test, plan, &round));
        static const char *const names[] = {"ann", "bob", "cid"};
        for (size_t r = 0; r < 3; r++) {
            const char *own = list(&test, names[r]);
            places += count_of(own, " ");
            CHECK(count_of(own, " ") <= rows[i].most);
            CHECK(count_of(own, "*") == (rows[i].retest > 0 ? 1 : 0));
        }
        CHECK(places == rows[i].places);
        labelled_end(&test);
    }
}

/* The corpus is not asked about items of the task. */
static void test_chosen(void)
{
    static const struct label_picked picked[] = {{34, 0.5}, {5, 0.45}, {11, 0.4}};
    struct label_round_plan plan = {.kind = LABEL_CHOSEN,
                                    .items = 2,
                                    .overlap = 1,
                                    .picked = picked,
                                    .picked_count = ROWS(picked)};
    struct labelled test;
    struct label_round *rounds;
    size_t count;
    int64_t round;

    tap_case("a chosen round: as picked, in the same order for everybody");
    if (!labelled_begin(&test, LABELLED_STUDY, LABELLED_CODEBOOK))
        return;
    CHECK(open_round(&test, plan, &round));
    CHECK_TEXT(list(&test, "ann"), "34 5 ");
    CHECK_TEXT(list(&test, "bob"), "34 5 ");
    CHECK(label_rounds(test.label, &test.in.arena, &rounds, &count, &test.in.err));
    CHECK(count == 1 && rounds[0].kind == LABEL_CHOSEN);
    CHECK(labelled_end_round(&test, round));
    tap_case("the next one goes on in the list, and then it is used up");
    CHECK(open_round(&test, plan, &round));
    CHECK_TEXT(list(&test, "ann"), "11 ");
    CHECK(labelled_end_round(&test, round));
    CHECK(!open_round(&test, plan, &round));
    CHECK_TEXT(test.in.err.text, "every item of the queue has been in a round");
    plan.picked_count = 0;
    CHECK(!open_round(&test, plan, &round));
    CHECK(strstr(test.in.err.text, "--queue") != NULL);
    tap_case("a sample has its items all the same");
    CHECK(labelled_round(&test) > 0);
    CHECK(count_of(list(&test, "ann"), " ") == 12);
    labelled_end(&test);
}

static void test_seed(void)
{
    struct labelled one, two;

    tap_case("the same study gives the same lists");
    if (!labelled_begin(&one, LABELLED_STUDY, LABELLED_CODEBOOK) ||
        !labelled_begin(&two, LABELLED_STUDY, LABELLED_CODEBOOK))
        return;
    CHECK(labelled_round(&one) == 1 && labelled_round(&two) == 1);
    CHECK_TEXT(list(&one, "ann"), list(&two, "ann"));
    CHECK_TEXT(list(&one, "bob"), list(&two, "bob"));
    labelled_end(&one);
    labelled_end(&two);
}

int main(void)
{
    test_orders();
    test_pilot();
    test_pilot_number();
    test_shares();
    test_chosen();
    test_seed();
    return tap_done();
}
