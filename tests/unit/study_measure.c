/* Measures: every sentence that there is, and what is said of those that are none. */
#include "study/measure.h"

#include <string.h>

#include "tests/tap.h"

static const struct {
    const char *text;
    struct study_measure measure;
    const char *unit;
} rows[] = {
    {"count", {.kind = STUDY_MEASURE_COUNT}, ""},
    {"  count  ", {.kind = STUDY_MEASURE_COUNT}, ""},
    {"count with accepted",
     {.kind = STUDY_MEASURE_COUNT, .condition = STUDY_MEASURE_ACCEPTED},
     ""},
    {"count closed",
     {.kind = STUDY_MEASURE_COUNT, .condition = STUDY_MEASURE_CLOSED},
     ""},
    {"count in server",
     {.kind = STUDY_MEASURE_COUNT,
      .condition = STUDY_MEASURE_IN_SET,
      .name = STR_INIT("server")},
     ""},
    {"share", {.kind = STUDY_MEASURE_SHARE}, "%"},
    {"share of set", {.kind = STUDY_MEASURE_SHARE}, "%"},
    {"share of group",
     {.kind = STUDY_MEASURE_SHARE, .whole = STUDY_MEASURE_OF_PARENT},
     "%"},
    {"share of root", {.kind = STUDY_MEASURE_SHARE, .whole = STUDY_MEASURE_OF_ROOT}, "%"},
    {"share of row", {.kind = STUDY_MEASURE_SHARE, .whole = STUDY_MEASURE_OF_ROW}, "%"},
    {"share of column",
     {.kind = STUDY_MEASURE_SHARE, .whole = STUDY_MEASURE_OF_COLUMN},
     "%"},
    {"share of census",
     {.kind = STUDY_MEASURE_SHARE, .whole = STUDY_MEASURE_OF_CENSUS},
     "%"},
    {"share without accepted answer",
     {.kind = STUDY_MEASURE_PART, .condition = STUDY_MEASURE_ACCEPTED, .negated = true},
     "%"},
    {"share with endorsed",
     {.kind = STUDY_MEASURE_PART, .condition = STUDY_MEASURE_ENDORSED},
     "%"},
    {"share with answer",
     {.kind = STUDY_MEASURE_PART, .condition = STUDY_MEASURE_ANSWERED},
     "%"},
    {"share not closed",
     {.kind = STUDY_MEASURE_PART, .condition = STUDY_MEASURE_CLOSED, .negated = true},
     "%"},
    {"share accepted within 600 minutes",
     {.kind = STUDY_MEASURE_PART,
      .condition = STUDY_MEASURE_ACCEPTED,
      .quantity = STUDY_MEASURE_TO_ACCEPTED,
      .unit_ms = 60000,
      .within = 600},
     "%"},
    {"share without first answer within 1 day",
     {.kind = STUDY_MEASURE_PART,
      .condition = STUDY_MEASURE_ANSWERED,
      .negated = true,
      .quantity = STUDY_MEASURE_TO_FIRST,
      .unit_ms = 86400000,
      .within = 1},
     "%"},
    {"count answered within 1.5 hours",
     {.kind = STUDY_MEASURE_COUNT,
      .condition = STUDY_MEASURE_ANSWERED,
      .quantity = STUDY_MEASURE_TO_FIRST,
      .unit_ms = 3600000,
      .within = 1.5},
     ""},
    {"distinct asker",
     {.kind = STUDY_MEASURE_DISTINCT, .quantity = STUDY_MEASURE_ASKER},
     ""},
    {"distinct answerers",
     {.kind = STUDY_MEASURE_DISTINCT, .quantity = STUDY_MEASURE_ANSWERER},
     ""},
    {"distinct field os",
     {.kind = STUDY_MEASURE_DISTINCT,
      .quantity = STUDY_MEASURE_FIELD,
      .name = STR_INIT("os")},
     ""},
    {"sum views", {.kind = STUDY_MEASURE_SUM, .field = ITEM_FIELD_VIEWS}, ""},
    {"mean score", {.kind = STUDY_MEASURE_MEAN, .field = ITEM_FIELD_SCORE}, ""},
    {"median favourites",
     {.kind = STUDY_MEASURE_MEDIAN, .field = ITEM_FIELD_FAVORITES},
     ""},
    {"min comments", {.kind = STUDY_MEASURE_MIN, .field = ITEM_FIELD_COMMENTS}, ""},
    {"max answers", {.kind = STUDY_MEASURE_MAX, .field = ITEM_FIELD_ANSWERS}, ""},
    {"sd field n",
     {.kind = STUDY_MEASURE_SD, .quantity = STUDY_MEASURE_FIELD, .name = STR_INIT("n")},
     ""},
    {"first quartile views",
     {.kind = STUDY_MEASURE_QUANTILE, .field = ITEM_FIELD_VIEWS, .level = 0.25},
     ""},
    {"third quartile views",
     {.kind = STUDY_MEASURE_QUANTILE, .field = ITEM_FIELD_VIEWS, .level = 0.75},
     ""},
    {"quantile 90% views",
     {.kind = STUDY_MEASURE_QUANTILE, .field = ITEM_FIELD_VIEWS, .level = 0.9},
     ""},
    {"median minutes to accepted",
     {.kind = STUDY_MEASURE_MEDIAN,
      .quantity = STUDY_MEASURE_TO_ACCEPTED,
      .unit_ms = 60000},
     "minutes"},
    {"mean days to first answer",
     {.kind = STUDY_MEASURE_MEAN,
      .quantity = STUDY_MEASURE_TO_FIRST,
      .unit_ms = 86400000},
     "days"},
    {"kaplan-meier median hours to accepted answer",
     {.kind = STUDY_MEASURE_SURVIVAL,
      .quantity = STUDY_MEASURE_TO_ACCEPTED,
      .unit_ms = 3600000,
      .level = 0.5},
     "hours"},
    {"median hours to endorsed answer",
     {.kind = STUDY_MEASURE_MEDIAN,
      .quantity = STUDY_MEASURE_TO_ENDORSED,
      .unit_ms = 3600000},
     "hours"},
    {"seconds to accepted",
     {.kind = STUDY_MEASURE_EACH, .quantity = STUDY_MEASURE_TO_ACCEPTED, .unit_ms = 1000},
     "seconds"},
};

static const struct {
    const char *text, *error;
} wrong[] = {
    {"", "measure '': expected count, share"},
    {"cuont", "measure 'cuont': unknown word 'cuont'; did you mean 'count'?"},
    {"count everything",
     "measure 'count everything': found 'everything', expected its end"},
    {"share of whom", "measure 'share of whom': found 'of whom', expected 'of set'"},
    {"share without", "measure 'share without': found 'without', expected"},
    {"share accepted within minutes",
     "measure 'share accepted within minutes': found 'minutes', expected a time such as "
     "'600 minutes'"},
    {"share accepted within 600 views",
     "measure 'share accepted within 600 views': found '600 views', expected a time"},
    {"share closed within 3 days",
     "measure 'share closed within 3 days': found 'within 3 days', expected its end: "
     "'within' goes with accepted and answered"},
    {"median", "measure 'median': expected views, score"},
    {"median minutes", "measure 'median minutes': expected 'to accepted', 'to endorsed' "
                       "or 'to first answer' at"},
    {"minutes to nowhere", "measure 'minutes to nowhere': found 'nowhere', expected "
                           "'accepted', 'endorsed' or 'first answer'"},
    {"quantile 90 views",
     "measure 'quantile 90 views': found '90 views', expected a share"},
    {"quantile", "measure 'quantile': expected a share such as 90% at its end"},
    {"distinct views", "measure 'distinct views': found 'views', expected askers"},
    {"kaplan-meier median views", "measure 'kaplan-meier median views': expected a time "
                                  "such as 'minutes to accepted'"},
    {"rank of rank of count", "measure 'rank of rank of count': a rank of a rank"},
    {"medianviews", "measure 'medianviews': "},
};

static bool same(const struct study_measure *a, const struct study_measure *b)
{
    return a->kind == b->kind && a->whole == b->whole && a->condition == b->condition &&
           a->negated == b->negated && a->quantity == b->quantity &&
           a->field == b->field && a->unit_ms == b->unit_ms && a->within == b->within &&
           a->level == b->level && str_eq(a->name, b->name) &&
           a->ascending == b->ascending;
}

/* Fields that sources bring; one bears the name of a unit, another that of a measure. */
static const struct str fields[] = {STR_INIT("stars"), STR_INIT("minutes"),
                                    STR_INIT("count"), STR_INIT("two words")};

static const struct {
    const char *text, *field; /* field: NULL when it is something else */
} named[] = {
    {"median stars", "stars"},
    {"mean stars", "stars"},
    {"quantile 90% stars", "stars"},
    {"sum field stars", "stars"},
    {"distinct stars", "stars"},
    {"distinct field stars", "stars"},
    {"stars", "stars"},
    {"median minutes", "minutes"},
    {"median minutes to accepted", NULL},
    {"median two words", "two words"},
    {"sum count", "count"},
    {"count", NULL},
};

static const struct {
    const char *text, *error;
} unnamed[] = {
    {"median star", "measure 'median star': unknown word 'star'; did you mean 'stars'?"},
    {"median wiews",
     "measure 'median wiews': unknown word 'wiews'; did you mean 'views'?"},
    {"star", "measure 'star': unknown word 'star'; did you mean 'stars'?"},
    {"distinct strs",
     "measure 'distinct strs': unknown word 'strs'; did you mean 'stars'?"},
    {"median field star",
     "measure 'median field star': unknown field 'star'; did you mean 'stars'?"},
    {"median field other", "measure 'median field other': unknown field 'other'; the "
                           "sources' `fields` name stars, minutes, count, two words"},
    {"median stars to accepted", "measure 'median stars to accepted': "},
};

static void check_own(struct arena *arena)
{
    const struct query_own own = {.fields = fields, .field_count = ROWS(fields)};
    struct study_measure measure;
    struct err err = {0};

    for (size_t i = 0; i < ROWS(named); i++) {
        tap_case("own: %s", named[i].text);
        CHECK(study_measure_parse(str_from(named[i].text), &own, arena, &measure, &err));
        CHECK((measure.quantity == STUDY_MEASURE_FIELD) == (named[i].field != NULL));
        if (named[i].field != NULL)
            CHECK(str_eq(measure.name, str_from(named[i].field)));
    }
    for (size_t i = 0; i < ROWS(unnamed); i++) {
        tap_case("not own: %s", unnamed[i].text);
        CHECK(
            !study_measure_parse(str_from(unnamed[i].text), &own, arena, &measure, &err));
        if (!CHECK(strstr(err.text, unnamed[i].error) == err.text))
            CHECK_TEXT(err.text, unnamed[i].error);
    }
}

int main(void)
{
    struct arena arena = {0};
    struct buf out = {0};
    struct study_measure measure;

    for (size_t i = 0; i < ROWS(rows); i++) {
        struct err err = {0};
        tap_case("read: %s", rows[i].text);
        CHECK(study_measure_parse(str_from(rows[i].text), NULL, &arena, &measure, &err));
        CHECK_TEXT(err.text, "");
        CHECK(same(&measure, &rows[i].measure));
        CHECK(str_eq(study_measure_unit(&measure), str_from(rows[i].unit)));
    }
    for (size_t i = 0; i < ROWS(wrong); i++) {
        struct err err = {0};
        tap_case("refused: %s", wrong[i].text);
        CHECK(
            !study_measure_parse(str_from(wrong[i].text), NULL, &arena, &measure, &err));
        CHECK(err.kind == ERR_INPUT);
        if (!CHECK(strncmp(err.text, wrong[i].error, strlen(wrong[i].error)) == 0))
            CHECK_TEXT(err.text, wrong[i].error);
    }
    struct err err = {0};
    tap_case("a rank has the measure inside it");
    CHECK(study_measure_parse(STR("rank of median views ascending"), NULL, &arena,
                              &measure, &err));
    CHECK(measure.kind == STUDY_MEASURE_RANK && measure.ascending &&
          measure.ranked->kind == STUDY_MEASURE_MEDIAN);
    CHECK(study_measure_parse(STR("rank of share without accepted"), NULL, &arena,
                              &measure, &err));
    CHECK(!measure.ascending && measure.ranked->negated);
    buf_free(&out);
    check_own(&arena);
    arena_free(&arena);
    return tap_done();
}
