/* Agreement from labels.db: of what raters said before they talked, by round, for the
 * raters of the study or all; raters against themselves. */
#include <math.h>

#include "tests/unit/labelled.h"

static struct label_agree_report report_of(struct labelled *test, int64_t round, bool all)
{
    struct label_agreement_options options = {.round = round, .all_raters = all};
    struct label_agree_report report = {0};

    CHECK(
        label_agreement(test->label, &options, &test->in.arena, &report, &test->in.err));
    return report;
}

static void test_rounds(void)
{
    struct labelled test;
    struct label_imported imported;

    tap_case("nothing said: undefined, with the reason");
    if (!labelled_begin(&test, LABELLED_STUDY, LABELLED_CODEBOOK))
        return;
    struct label_agree_report report = report_of(&test, 0, false);
    CHECK(report.all.items == 0 && isnan(report.all.observed));
    CHECK(report.all.cohen.undefined != NULL);

    tap_case("nine of twelve, kappa by hand");
    int64_t round = labelled_fill(&test);
    report = report_of(&test, 0, false);
    CHECK(report.all.items == 12 && report.data->planned == 12);
    CHECK_NEAR(report.all.observed, 9.0 / 12, 1e-12);
    /* ann: 6 parse, 6 model; bob: 6 parse, 3 model, 3 unclear: pe = 36/144 + 18/144. */
    CHECK_NEAR(report.all.cohen.value, (0.75 - 0.375) / (1 - 0.375), 1e-12);
    CHECK(report.disputed_count == 3 && report.saturation_count == 4);
    CHECK_NEAR(report.slowest[0].seconds, 2, 1e-12);

    tap_case("a correction before the end counts");
    CHECK(labelled_give(&test, "bob", 25, "model", ""));
    CHECK_NEAR(report_of(&test, 0, false).all.observed, 10.0 / 12, 1e-12);
    CHECK(labelled_undo(&test, "bob"));
    CHECK_NEAR(report_of(&test, 0, false).all.observed, 9.0 / 12, 1e-12);

    tap_case("decisions and reviews change nothing");
    struct str codes[] = {STR("model")};
    struct label_decision decision = {
        .item = 25, .by = STR("eve"), .codes = codes, .code_count = 1};
    CHECK(labelled_end_round(&test, round));
    CHECK(label_decide(test.label, &decision, &test.in.err));
    struct label_place place = {.round = round, .item = 25};
    struct label_said *said;
    size_t count;
    CHECK(label_said(test.label, STR("bob"), &place, &test.in.arena, &said, &count,
                     &test.in.err) &&
          count == 1);
    struct label_given given = {
        .rater = STR("bob"), .codes = codes, .code_count = 1, .seconds = 1};
    CHECK(label_review(test.label, said[0].act, &given, &test.saved, &test.in.err));
    CHECK_TEXT(labelled_says(&test, "bob", round, 25), "model");
    CHECK_NEAR(report_of(&test, 0, false).all.observed, 9.0 / 12, 1e-12);
    CHECK(labelled_open(&test));
    CHECK_NEAR(report_of(&test, 0, false).all.observed, 9.0 / 12, 1e-12);

    tap_case("raters whom the study does not name count when asked for");
    studied_write(&test.in, "l.csv", "item,code\n11,model\n5,model\n");
    struct label_import_options how = {.rater = STR("gpt")};
    CHECK(label_import(test.label, studied_path(&test.in, "l.csv"), &how, STR("x"),
                       &imported, &test.in.err));
    CHECK(report_of(&test, 0, false).data->rater_count == 2);
    report = report_of(&test, 0, true);
    CHECK(report.data->rater_count == 3 && report.pair_count == 3);
    CHECK_NEAR(report.pairs[1].measures.observed, 0.5, 1e-12);

    tap_case("one round alone; one that is not there");
    CHECK(report_of(&test, round, false).all.items == 12);
    CHECK(report_of(&test, round + 1, true).all.items == 0);
    struct label_agreement_options none = {.round = 99};
    CHECK(!label_agreement(test.label, &none, &test.in.arena, &report, &test.in.err));
    CHECK_TEXT(test.in.err.text, "there is no round 99");
    labelled_end(&test);
}

static void test_retest(void)
{
    struct labelled test;
    struct label_place place;
    struct label_agree_measures measures;
    bool found;

    tap_case("a rater against himself");
    if (!labelled_begin(&test,
                        LABELLED_HEAD "labelling: {bugs: {sample: all, raters: [ann], "
                                      "retest: 50%}}\n",
                        LABELLED_CODEBOOK))
        return;
    CHECK(labelled_round(&test) != 0);
    size_t again = 0;
    for (size_t i = 0; i < 18; i++) {
        CHECK(label_at(test.label, STR("ann"), i, &place, &found, &test.in.err) && found);
        struct str codes[] = {place.again && again == 0 ? STR("unclear")
                              : place.item % 2 == 0     ? STR("model")
                                                        : STR("data/load")};
        struct label_given given = {.rater = STR("ann"),
                                    .item = place.item,
                                    .again = place.again,
                                    .codes = codes,
                                    .code_count = 1,
                                    .seconds = 1};
        CHECK(label_give(test.label, &given, &test.saved, &test.in.err));
        again += place.again;
    }
    CHECK(label_retest(test.label, STR(""), STR("ann"), &test.in.arena, &measures,
                       &test.in.err));
    CHECK(again == 6 && measures.items == 6 && measures.raters == 2);
    CHECK_NEAR(measures.observed, 5.0 / 6, 1e-12);

    tap_case("re-tests are not agreement between raters");
    CHECK(report_of(&test, 0, false).all.items == 0);
    labelled_end(&test);
}

int main(void)
{
    test_rounds();
    test_retest();
    return tap_done();
}
