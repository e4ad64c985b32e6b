/* Units in items: places, which units of raters are the same, and what becomes of them
 * from the mark to the final label. */
#include "label/unit.h"

#include <string.h>

#include "tests/unit/labelled.h"

static const struct {
    const char *text, *part;
    char side;
    int64_t first, last;
    const char *told; /* NULL: it is a place */
} places[] = {
    {"", "", 0, 0, 0, NULL},
    {"src/a.py:R12", "src/a.py", 'R', 12, 12, NULL},
    {"src/a.py:R12-R15", "src/a.py", 'R', 12, 15, NULL},
    {"src/a.py:L3-5", "src/a.py", 'L', 3, 5, NULL},
    {"body:2-4", "body", 0, 2, 4, NULL},
    {"src/a.py", "src/a.py", 0, 0, 0, NULL},
    {"c:\\a:b", "c:\\a:b", 0, 0, 0, NULL},
    {"a:Rx", "a:Rx", 0, 0, 0, NULL},
    {"a:b:R7", "a:b", 'R', 7, 7, NULL},
    {":R7", ":R7", 0, 0, 0, NULL},
    {"a:R0", "", 0, 0, 0, "expected lines from 1 that ascend"},
    {"a:R5-R4", "", 0, 0, 0, "expected lines from 1 that ascend"},
    {"a:R5-L6", "", 0, 0, 0, "on one side of the diff"},
    {"a:R99999999999", "", 0, 0, 0, "expected lines"},
};

static void check_places(void)
{
    for (size_t i = 0; i < ROWS(places); i++) {
        struct label_unit_place place;
        struct err err = {0};
        tap_case("place '%s'", places[i].text);
        bool ok = label_unit_place_read(str_from(places[i].text), &place, &err);
        CHECK(ok == (places[i].told == NULL));
        if (!ok) {
            CHECK(strstr(err.text, places[i].told) != NULL);
            continue;
        }
        CHECK(str_eq(place.part, str_from(places[i].part)));
        CHECK(place.side == places[i].side && place.first == places[i].first &&
              place.last == places[i].last);
    }
}

static const struct {
    const char *name;
    const char *units; /* rater, name, place, words, by commas; one a line */
    const char *match;
} matches[] = {
    {"none", "", ""},
    {"the same place", "0,1,a:R3,\n1,7,a:R3,", "00"},
    {"lines that overlap", "0,1,a:R3-R9,\n1,1,a:R9-R12,", "00"},
    {"lines beside each other", "0,1,a:R3-R8,\n1,1,a:R9-R12,", "01"},
    {"the other side", "0,1,a:R3,\n1,1,a:L3,", "01"},
    {"another file", "0,1,a:R3,\n1,1,b:R3,", "01"},
    {"all of a file", "0,1,a,\n1,1,a:L3,", "00"},
    {"of one rater", "0,1,a:R3,\n0,2,a:R3,", "01"},
    {"without places by name", "0,1,,\n0,2,,\n1,2,,\n1,3,,", "0112"},
    {"one without a place by name", "0,1,a:R3,\n1,1,,", "00"},
    {"words before names", "0,1,,second bug\n1,2,,second bug\n1,1,,", "001"},
    {"words against none", "0,1,,second bug\n1,1,,", "01"},
    {"the larger part goes first", "0,1,a:R1-R10,\n1,1,a:R1-R2,\n1,2,a:R2-R10,", "010"},
    {"places go before names", "0,1,a:R3,\n1,1,,\n1,2,a:R3,", "010"},
    {"of equals not by who marked it", "0,2,a:R3,\n0,1,a:R3,\n1,1,a:R3,", "011"},
    {"likewise, as the other rater", "1,2,a:R3,\n1,1,a:R3,\n0,1,a:R3,", "011"},
    {"the first of equals", "0,1,a:R3,\n1,1,a:R3,\n1,2,a:R3,", "001"},
    {"three raters", "0,1,a:R3,\n1,1,a:R3-R4,\n2,1,a:R4,\n2,2,b:R1,", "0001"},
    {"no rater twice in one", "0,1,a:R1-R9,\n1,1,a:R1-R5,\n1,2,a:R6-R9,\n2,1,a:R1-R9,",
     "0010"},
};

static void check_matches(void)
{
    for (size_t i = 0; i < ROWS(matches); i++) {
        struct label_unit units[8] = {0};
        struct str rest = str_from(matches[i].units), line, part;
        size_t count = 0, match[8];
        char found[9] = "";
        struct err err = {0};
        while (rest.len > 0) {
            struct label_unit *unit = &units[count++];
            str_cut(&rest, '\n', &line);
            str_cut(&line, ',', &part);
            unit->rater = (size_t)(part.ptr[0] - '0');
            str_cut(&line, ',', &unit->name);
            str_cut(&line, ',', &part);
            CHECK(label_unit_place_read(part, &unit->place, &err));
            unit->called = line;
        }
        (void)label_unit_match(units, count, match);
        for (size_t u = 0; u < count; u++)
            found[u] = (char)('0' + match[u]);
        tap_case("same units: %s", matches[i].name);
        CHECK_TEXT(found, matches[i].match);
    }
}

/* In labels.db. */

#define UNITS_STUDY \
    LABELLED_HEAD \
    "labelling: {bugs: {sample: all, raters: [ann, bob], arbiter: eve, seed: 5, " \
    "units: yes}}\n"

static bool mark(struct labelled *test, const char *rater, int64_t item, const char *unit,
                 const char *place, bool remove)
{
    struct label_mark mark = {.rater = str_from(rater),
                              .item = item,
                              .unit = str_from(unit),
                              .place = str_from(place),
                              .remove = remove};

    test->in.err = (struct err){0};
    return label_mark(test->label, &mark, &test->saved, &test->in.err);
}

static bool give(struct labelled *test, const char *rater, int64_t item, const char *unit,
                 const char *code)
{
    struct str codes[] = {str_from(code)};
    struct label_given given = {.rater = str_from(rater),
                                .item = item,
                                .unit = str_from(unit),
                                .codes = codes,
                                .code_count = 1,
                                .seconds = 2};

    test->in.err = (struct err){0};
    return label_give(test->label, &given, &test->saved, &test->in.err);
}

static bool is_done(struct labelled *test, const char *rater, int64_t item)
{
    struct label_place place;
    bool found = true;

    for (size_t at = 0; found; at++)
        if (CHECK(label_at(test->label, str_from(rater), at, &place, &found,
                           &test->in.err)) &&
            found && place.item == item)
            return place.done;
    return false;
}

static void check_marking(struct labelled *test, int64_t round)
{
    tap_case("an item is done when each of its units is labelled");
    CHECK(!is_done(test, "ann", 11));
    CHECK(give(test, "ann", 11, "", "model") && is_done(test, "ann", 11));
    CHECK(mark(test, "ann", 11, "2", "net.py:R4", false) && !is_done(test, "ann", 11));
    CHECK(give(test, "ann", 11, "2", "data/load") && is_done(test, "ann", 11));
    CHECK_TEXT(labelled_says(test, "ann", round, 11), "model data/load");

    tap_case("a unit that is taken away counts no longer, and comes back by an undo");
    CHECK(mark(test, "ann", 11, "2", "", true));
    CHECK_TEXT(labelled_says(test, "ann", round, 11), "model");
    CHECK(labelled_undo(test, "ann"));
    CHECK_TEXT(labelled_says(test, "ann", round, 11), "model data/load");

    tap_case("a mark is undone like a label");
    CHECK(mark(test, "ann", 11, "3", "", false) && !is_done(test, "ann", 11));
    CHECK(labelled_undo(test, "ann") && is_done(test, "ann", 11));

    tap_case("what is wrong is told");
    CHECK(!mark(test, "ann", 11, "9", "", true));
    CHECK_TEXT(test->in.err.text, "there is no unit '9' to take away");
    CHECK(!mark(test, "ann", 11, "", "a:R1", false));
    CHECK_TEXT(test->in.err.text, "no unit is named");
    CHECK(!mark(test, "ann", 11, "2", "a:R4-R3", false));
    CHECK(strstr(test->in.err.text, "expected lines from 1 that ascend") != NULL);
    CHECK(!mark(test, "ann", 99, "2", "", false));
    CHECK(strstr(test->in.err.text, "is not among the items of 'ann'") != NULL);
    CHECK(!mark(test, "ann", 11, "a\tb", "", false));
    CHECK(strstr(test->in.err.text, "control character") != NULL);

    tap_case("the log is the same when it is read anew");
    const char *before = labelled_export(test, LABEL_SAID, false);
    CHECK(labelled_open(test));
    CHECK_TEXT(labelled_export(test, LABEL_SAID, false), before);
}

/* Item 11: ann has model and, at net.py:R4, load; bob the second one at R4-R5, said
 * otherwise, and one at L9 of his own. */
static void check_outcome(struct labelled *test, int64_t round)
{
    struct label_dispute *disputes;
    struct label_decision decision = {.item = 11, .by = STR("eve")};
    size_t count;

    CHECK(mark(test, "bob", 11, "1", "net.py:R4-R5", false));
    CHECK(give(test, "bob", 11, "1", "data/parse"));
    CHECK(mark(test, "bob", 11, "2", "net.py:L9", false));
    CHECK(give(test, "bob", 11, "2", "unclear"));
    CHECK(give(test, "ann", 5, "", "model") && give(test, "bob", 5, "", "model"));
    CHECK(labelled_end_round(test, round));

    tap_case("what raters share, what they do not, and what they agree on");
    CHECK(label_disputes(test->label, &test->in.arena, &disputes, &count, &test->in.err));
    CHECK(count == 3);
    struct label_export_options first = {.layer = LABEL_FINAL, .dimension = STR("bugs")};
    const char *finals = labelled_write(test, first);
    CHECK(strstr(finals, "11,1,,,bugs,,unresolved,1,") != NULL);
    CHECK(strstr(finals, "11,2,net.py:R4,,bugs,,unresolved,2,") != NULL);
    CHECK(strstr(finals, "11,3,net.py:L9,,bugs,,unresolved,1,") != NULL);
    CHECK(strstr(finals, "5,1,,,bugs,model,unanimous,2,") != NULL);

    tap_case("the arbiter decides on a unit, or that it is none");
    decision.unit = STR("2");
    decision.dimension = STR("bugs");
    decision.codes = (struct str[]){STR("data/parse")};
    decision.code_count = 1;
    CHECK(label_decide(test->label, &decision, &test->in.err));
    decision = (struct label_decision){
        .item = 11, .by = STR("eve"), .unit = STR("3"), .no_unit = true};
    CHECK(label_decide(test->label, &decision, &test->in.err));
    finals = labelled_write(test, first);
    CHECK(strstr(finals, "11,2,net.py:R4,,bugs,data/parse,adjudicated,2,") != NULL);
    CHECK(strstr(finals, "net.py:L9") == NULL);

    tap_case("a unit that is none can become one by a later decision");
    decision = (struct label_decision){.item = 11,
                                       .by = STR("eve"),
                                       .unit = STR("3"),
                                       .dimension = STR("bugs"),
                                       .codes = (struct str[]){STR("model")},
                                       .code_count = 1};
    CHECK(label_decide(test->label, &decision, &test->in.err));
    CHECK(strstr(labelled_write(test, first),
                 "11,3,net.py:L9,,bugs,model,adjudicated,1,") != NULL);

    tap_case("a decision on nothing is refused");
    decision.unit = STR("7");
    CHECK(!label_decide(test->label, &decision, &test->in.err));
    CHECK(strstr(test->in.err.text, "has no unit '7'") != NULL);
}

static void check_agreement(struct labelled *test)
{
    struct label_agreement_options options = {.dimension = STR("bugs")};
    struct label_agree_report report;

    tap_case("agreement on units, and on labels of those that both have");
    if (!CHECK(label_agreement(test->label, &options, &test->in.arena, &report,
                               &test->in.err)))
        return;
    CHECK(report.unit_count == 2);
    CHECK(report.units[0].items == 2 && report.units[0].first_units == 3 &&
          report.units[0].second_units == 3 && report.units[0].matched == 2);
    CHECK_NEAR(report.units[0].f1, 2.0 / 3, 1e-12);
    CHECK(report.all.items == 2);
    CHECK_NEAR(report.all.observed, 0.5, 1e-12);
}

/* What is exported comes back the same, in all formats that know units. */
static void check_round_trip(struct labelled *test)
{
    static const enum label_format formats[] = {LABEL_FORMAT_CSV, LABEL_FORMAT_WIDE,
                                                LABEL_FORMAT_JSONL, LABEL_FORMAT_STUDIO};
    struct label_export_options finals = {.layer = LABEL_FINAL};
    const char *before = labelled_write(test, finals);

    for (size_t i = 0; i < ROWS(formats); i++) {
        struct label_export_options how = {.layer = LABEL_SAID, .format = formats[i]};
        struct label_import_options options = {.format = formats[i]};
        struct labelled other;
        int64_t count;
        const char *said = labelled_write(test, how);
        const char *decisions = labelled_export(test, LABEL_DECISIONS, false);
        tap_case("format %d there and back", (int)formats[i]);
        if (!labelled_begin(&other, UNITS_STUDY, LABELLED_CODEBOOK))
            return;
        CHECK(labelled_import(&other, said, options, &count));
        CHECK_TEXT(other.in.err.text, "");
        options.format = LABEL_FORMAT_CSV;
        CHECK(labelled_import(&other, decisions, options, &count));
        CHECK_TEXT(other.in.err.text, "");
        CHECK_TEXT(labelled_write(&other, finals), before);
        labelled_end(&other);
    }
    tap_case("other formats have no place for units");
    struct label_export_options doccano = {.layer = LABEL_SAID,
                                           .format = LABEL_FORMAT_DOCCANO};
    CHECK_TEXT(labelled_write(test, doccano), "failed");
    CHECK(strstr(test->in.err.text, "expected csv, wide, jsonl or label-studio") != NULL);
}

static void check_without(void)
{
    struct labelled test;
    int64_t count;

    if (!labelled_begin(&test, LABELLED_STUDY, LABELLED_CODEBOOK))
        return;
    tap_case("without `units: yes` units are refused");
    (void)labelled_round(&test);
    CHECK(!mark(&test, "ann", 11, "2", "", false));
    CHECK(strstr(test.in.err.text, "has no `units: yes`") != NULL);
    CHECK(!give(&test, "ann", 11, "2", "model"));
    CHECK(strstr(test.in.err.text, "has no `units: yes`") != NULL);
    struct label_import_options options = {.unit_column = STR("u")};
    CHECK(
        !labelled_import(&test, "item,rater,u,code\n11,ann,1,model\n", options, &count));
    CHECK(strstr(test.in.err.text, "has no `units: yes`") != NULL);

    tap_case("labels that were given before are those of the first unit");
    CHECK(give(&test, "ann", 11, "", "model"));
    studied_write(&test.in, "study.yaml", UNITS_STUDY);
    CHECK(labelled_open(&test) && is_done(&test, "ann", 11));
    CHECK(give(&test, "ann", 11, "2", "unclear"));
    studied_write(&test.in, "study.yaml", LABELLED_STUDY);
    tap_case("labels of units need the setting");
    CHECK(!labelled_open(&test));
    CHECK(strstr(test.in.err.text, "expected `units: yes`") != NULL);
    labelled_end(&test);
}

/* Rows of a csv that are units, with a column for each dimension. */
static void check_rows(void)
{
    struct labelled test;
    struct label_import_options options = {
        .format = LABEL_FORMAT_WIDE, .rater = STR("ann"), .unit_column = STR("row")};
    int64_t count;

    if (!labelled_begin(&test, UNITS_STUDY, LABELLED_CODEBOOK))
        return;
    tap_case("each row is a unit; other columns are passed over");
    CHECK(labelled_import(&test,
                          "item,bugs,more\n11,model,x\n5,unclear,y\n11,data/load,z\n",
                          options, &count));
    CHECK_TEXT(test.in.err.text, "");
    const char *said = labelled_export(&test, LABEL_SAID, false);
    CHECK(strstr(said, "\n11,1,,,ann,bugs,model,") != NULL);
    CHECK(strstr(said, "\n11,2,,,ann,bugs,data/load,") != NULL);
    CHECK(strstr(said, "\n5,1,,,ann,bugs,unclear,") != NULL);
    labelled_end(&test);
}

/* Of two items with three units each; raters differ on the last two units. */
static void check_checkpoints(void)
{
    struct labelled test;
    struct label_agreement_options options = {.dimension = STR("bugs")};
    struct label_agree_report report;
    int64_t count;

    if (!labelled_begin(&test, UNITS_STUDY, LABELLED_CODEBOOK))
        return;
    tap_case("checkpoints are shares of the units, not of the items they are in");
    CHECK(labelled_import(&test,
                          "item,unit,rater,code\n"
                          "11,1,ann,model\n11,1,bob,model\n"
                          "11,2,ann,unclear\n11,2,bob,unclear\n"
                          "11,3,ann,model\n11,3,bob,model\n"
                          "5,1,ann,unclear\n5,1,bob,unclear\n"
                          "5,2,ann,model\n5,2,bob,unclear\n"
                          "5,3,ann,unclear\n5,3,bob,model\n",
                          (struct label_import_options){0}, &count));
    if (CHECK(label_agreement(test.label, &options, &test.in.arena, &report,
                              &test.in.err)) &&
        CHECK(report.checkpoint_count == 6)) {
        const struct label_agree_part *half = &report.checkpoints[2],
                                      *last = &report.checkpoints[5];
        CHECK_NEAR(half->share, 0.4, 1e-12);
        CHECK(half->measures.items == 3);
        CHECK_NEAR(half->measures.cohen.value, 1, 1e-12);
        CHECK_NEAR(last->share, 0.9, 1e-12);
        CHECK(last->measures.items == 6 && report.all.items == 6);
        CHECK_NEAR(last->measures.cohen.value, report.all.cohen.value, 1e-12);
    }
    labelled_end(&test);
}

int main(void)
{
    struct labelled test;

    check_places();
    check_matches();
    if (labelled_begin(&test, UNITS_STUDY, LABELLED_CODEBOOK)) {
        int64_t round = labelled_round(&test);
        CHECK(round != 0);
        check_marking(&test, round);
        check_outcome(&test, round);
        check_agreement(&test);
        check_round_trip(&test);
    }
    labelled_end(&test);
    check_without();
    check_rows();
    check_checkpoints();
    return tap_done();
}
