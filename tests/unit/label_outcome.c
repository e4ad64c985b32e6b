/* Disputes, decisions and final labels: a layer of their own that changes nothing that
 * raters said. */
#include "tests/unit/labelled.h"

static bool decide(struct labelled *test, const char *by, int64_t item, const char *code)
{
    struct str codes[] = {str_from(code)};
    struct label_decision decision = {.item = item,
                                      .by = str_from(by),
                                      .codes = codes,
                                      .code_count = 1,
                                      .reason = LABEL_AMBIGUOUS,
                                      .text = STR("could be both")};

    test->in.err = (struct err){0};
    return label_decide(test->label, &decision, &test->in.err) && decision.id > 0;
}

static const struct {
    const char *name, *by;
    int64_t item;
    const char *code, *message;
} refused[] = {
    {"by a rater", "ann", 25, "model", "'ann' is neither arbiter nor lead"},
    {"on an item of nobody", "eve", 99, "model", "item 99 is not among the task's items"},
    {"an unknown code", "eve", 25, "mdl", "the codebook has no code 'mdl'"},
};

static size_t disputes(struct labelled *test, struct label_dispute **out)
{
    size_t count = 0;

    CHECK(label_disputes(test->label, &test->in.arena, out, &count, &test->in.err));
    return count;
}

static const char * final(struct labelled *test, int64_t item)
{
    struct label_final *finals;
    struct buf text = {0};
    size_t count;

    CHECK(label_finals(test->label, &test->in.arena, &finals, &count, &test->in.err));
    for (size_t i = 0; i < count; i++)
        if (finals[i].item == item) {
            buf_add_format(&text, "%s %zu", label_state_word(finals[i].state),
                           finals[i].raters);
            for (size_t c = 0; c < finals[i].code_count; c++)
                buf_add_format(&text, " %.*s", STR_ARG(finals[i].codes[c]));
            if (finals[i].chosen)
                buf_add(&text, STR(" (chosen)"));
            if (finals[i].outside)
                buf_add(&text, STR(" (outside)"));
        }
    const char *copy =
        text.len > 0 ? arena_c_string(&test->in.arena, buf_str(&text)) : "-";
    buf_free(&text);
    return copy;
}

static void test_states(struct labelled *test)
{
    struct label_dispute *list;
    int64_t round = labelled_round(test);

    tap_case("while a round is open, items wait for all raters, and nothing is decided");
    CHECK(labelled_give(test, "ann", 11, "model", ""));
    CHECK_TEXT(final(test, 11), "pending 1");
    CHECK_TEXT(final(test, 5), "pending 0");
    CHECK(labelled_give(test, "bob", 11, "model", ""));
    CHECK_TEXT(final(test, 11), "unanimous 2 model");
    CHECK(labelled_give(test, "ann", 5, "model", "") &&
          labelled_give(test, "bob", 5, "unclear", ""));
    CHECK(labelled_give(test, "ann", 9, "model", ""));
    CHECK(disputes(test, &list) == 0);
    CHECK(!decide(test, "eve", 5, "model"));
    CHECK(strstr(test->in.err.text, "close it before anything is decided") != NULL);

    tap_case("when it is closed, there are disputes");
    CHECK(labelled_end_round(test, round));
    CHECK_TEXT(final(test, 5), "unresolved 2");
    CHECK_TEXT(final(test, 9), "single 1 model");
    if (CHECK(disputes(test, &list) == 1)) {
        CHECK(list[0].item == 5 && list[0].said_count == 2 && list[0].decision.id == 0);
        CHECK(str_eq(list[0].said[0].rater, STR("ann")) &&
              str_eq(list[0].said[1].codes[0], STR("unclear")));
    }
    for (size_t i = 0; i < ROWS(refused); i++) {
        tap_case("not decided: %s", refused[i].name);
        CHECK(!decide(test, refused[i].by, refused[i].item, refused[i].code));
        CHECK_TEXT(test->in.err.text, refused[i].message);
    }

    tap_case("a decision is the final label; the raters' words stay");
    CHECK(decide(test, "eve", 5, "data/load"));
    CHECK_TEXT(final(test, 5), "adjudicated 2 data/load");
    CHECK_TEXT(labelled_says(test, "ann", round, 5), "model");
    CHECK_TEXT(labelled_says(test, "bob", round, 5), "unclear");
    if (CHECK(disputes(test, &list) == 1)) {
        CHECK(list[0].decision.reason == LABEL_AMBIGUOUS);
        CHECK(str_eq(list[0].decision.text, STR("could be both")));
    }

    tap_case("the last decision holds");
    CHECK(decide(test, "eve", 5, "model"));
    CHECK(labelled_open(test));
    CHECK_TEXT(final(test, 5), "adjudicated 2 model");
}

static void test_order(void)
{
    struct labelled test;
    struct label_dispute *list;

    tap_case("what differs most comes first, then draw order");
    if (!labelled_begin(&test,
                        LABELLED_HEAD "labelling: {bugs: {sample: all, raters: [ann, "
                                      "bob, cid], arbiter: eve}}\n",
                        LABELLED_CODEBOOK))
        return;
    int64_t round = labelled_round(&test);
    static const struct {
        int64_t item;
        const char *said[3];
    } said[] = {{11, {"model", "model", "unclear"}},
                {5, {"model", "data/load", "unclear"}},
                {9, {"model", "unclear", "unclear"}}};
    static const char *const raters[] = {"ann", "bob", "cid"};
    for (size_t i = 0; i < ROWS(said); i++)
        for (size_t r = 0; r < 3; r++)
            CHECK(labelled_give(&test, raters[r], said[i].item, said[i].said[r], ""));
    CHECK(labelled_end_round(&test, round));
    if (CHECK(disputes(&test, &list) == 3))
        CHECK(list[0].item == 5 && list[1].item == 11 && list[2].item == 9);
    labelled_end(&test);
}

static void test_training(void)
{
    struct labelled test;
    struct label_round_plan plan = {
        .kind = LABEL_TRAINING, .items = 2, .overlap = 1, .seed = 1};
    int64_t training;

    tap_case("training does not count");
    if (!labelled_begin(&test, LABELLED_STUDY, LABELLED_CODEBOOK))
        return;
    CHECK(labelled_end_round(&test, labelled_fill(&test)));
    CHECK(label_round_open(test.label, &plan, STR("eve"), &training, &test.in.err));
    CHECK(labelled_give(&test, "ann", 11, "unclear", ""));
    CHECK_TEXT(labelled_says(&test, "ann", training, 11), "unclear");
    CHECK(labelled_end_round(&test, training));
    CHECK_TEXT(final(&test, 11), "unanimous 2 data/parse");
    labelled_end(&test);
}

static void test_chosen(void)
{
    static const struct label_picked picked[] = {{11, 0.5}, {5, 0.4}};
    struct label_round_plan plan = {.kind = LABEL_CHOSEN,
                                    .items = 2,
                                    .overlap = 1,
                                    .picked = picked,
                                    .picked_count = ROWS(picked)};
    struct label_agreement_options all = {0}, one = {0};
    struct label_dispute *list;
    struct label_agree_report report;
    struct labelled test;

    tap_case("labels of a chosen round are final, and say where they are from");
    if (!labelled_begin(&test, LABELLED_STUDY, LABELLED_CODEBOOK))
        return;
    CHECK(label_round_open(test.label, &plan, STR("eve"), &one.round, &test.in.err));
    CHECK(labelled_give(&test, "ann", 11, "model", ""));
    CHECK_TEXT(final(&test, 11), "pending 1 (chosen)");
    CHECK(labelled_give(&test, "bob", 11, "model", ""));
    CHECK(labelled_give(&test, "ann", 5, "model", ""));
    CHECK(labelled_give(&test, "bob", 5, "unclear", ""));
    CHECK(labelled_end_round(&test, one.round));
    CHECK_TEXT(final(&test, 11), "unanimous 2 model (chosen)");
    tap_case("disputes of it are settled like others");
    CHECK(disputes(&test, &list) == 1 && list[0].item == 5);
    struct str code = STR("unclear");
    struct label_decision decision = {
        .item = 5, .by = STR("eve"), .codes = &code, .code_count = 1};
    CHECK(label_decide(test.label, &decision, &test.in.err));
    CHECK_TEXT(final(&test, 5), "adjudicated 2 unclear (chosen)");
    CHECK(label_decided(test.label, 5, STR(""), STR("bugs"), &test.in.arena, &decision,
                        &test.in.err) &&
          str_eq(decision.by, STR("eve")));
    CHECK(label_decided(test.label, 11, STR(""), STR("bugs"), &test.in.arena, &decision,
                        &test.in.err) &&
          decision.id == 0);
    tap_case("agreement leaves it out, unless it is asked for");
    CHECK(label_agreement(test.label, &all, &test.in.arena, &report, &test.in.err) &&
          report.all.items == 0);
    CHECK(label_agreement(test.label, &one, &test.in.arena, &report, &test.in.err) &&
          report.all.items == 2);
    tap_case("what a sample says of the same item counts instead");
    CHECK(labelled_end_round(&test, labelled_fill(&test)));
    CHECK_TEXT(final(&test, 11), "unanimous 2 data/parse");
    labelled_end(&test);
}

/* Another seed: of twelve items six stay, one of them unlabelled, and four are new. */
static void test_redrawn(void)
{
    struct labelled test;
    struct label_dispute *listed;
    struct label_final *finals;
    struct label_agreement_options how = {0};
    struct label_agree_report report;
    size_t count = 0;

    if (!labelled_begin(&test, LABELLED_STUDY, LABELLED_CODEBOOK))
        return;
    int64_t round = labelled_round(&test);
    static const int64_t items[] = {11, 5, 9, 25, 3, 20, 21, 32, 34, 38, 2};
    for (size_t i = 0; i < ROWS(items); i++)
        CHECK(
            labelled_give(&test, "ann", items[i], "model", "") &&
            labelled_give(&test, "bob", items[i], i % 2 == 0 ? "model" : "unclear", ""));
    CHECK(labelled_end_round(&test, round));
    CHECK(disputes(&test, &listed) == 5);
    labelled_items(&test, "samples.all", "101 11 5 102 9 25 3 7 103 104");
    CHECK(labelled_open(&test));
    tap_case("redrawn: what is still in the sample keeps its state");
    CHECK_TEXT(final(&test, 11), "unanimous 2 model");
    CHECK_TEXT(final(&test, 25), "unresolved 2");
    tap_case("redrawn: new items and such as nobody has labelled are pending");
    CHECK_TEXT(final(&test, 101), "pending 0");
    CHECK_TEXT(final(&test, 7), "pending 0");
    tap_case("redrawn: what was labelled and is outside is there and told apart");
    CHECK_TEXT(final(&test, 21), "unanimous 2 model (outside)");
    CHECK_TEXT(final(&test, 38), "unresolved 2 (outside)");
    tap_case("redrawn: states are about the items of the task");
    CHECK(label_finals(test.label, &test.in.arena, &finals, &count, &test.in.err));
    struct label_states states = label_count_states(finals, count, STR(""));
    CHECK(count == 16 && states.items == 10 && states.outside == 6 && states.chosen == 0);
    CHECK(states.of[LABEL_UNANIMOUS] == 3 && states.of[LABEL_UNRESOLVED] == 2 &&
          states.of[LABEL_PENDING] == 5);
    tap_case("redrawn: so are agreement, what it is planned for, and disputes");
    CHECK(label_agreement(test.label, &how, &test.in.arena, &report, &test.in.err));
    CHECK(report.all.items == 5 && report.data->item_count == 5 &&
          report.data->planned == 6);
    CHECK(disputes(&test, &listed) == 2);
    tap_case("redrawn: a round is what it was");
    how.round = round;
    CHECK(label_agreement(test.label, &how, &test.in.arena, &report, &test.in.err));
    CHECK(report.all.items == 11);
    labelled_end(&test);
}

int main(void)
{
    struct labelled test;
    enum label_reason reason;

    if (labelled_begin(&test, LABELLED_STUDY, LABELLED_CODEBOOK)) {
        test_states(&test);
        labelled_end(&test);
    }
    test_order();
    test_training();
    test_chosen();
    test_redrawn();
    tap_case("reasons have words");
    CHECK(label_reason_find(STR("gap"), &reason) && reason == LABEL_GAP);
    CHECK(!label_reason_find(STR("mood"), &reason));
    CHECK_TEXT(label_reason_word(LABEL_SLIP), "slip");
    return tap_done();
}
