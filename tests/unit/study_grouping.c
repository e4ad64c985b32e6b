/* Groupings without keys of their own, and the names of periods. */
#include "study/internal.h"

#include "base/date.h"
#include "tests/tap.h"

static const struct {
    const char *name;
    enum study_grouping grouping;
    struct date date;
    const char *period;
} periods[] = {
    {"year", STUDY_GROUPING_YEAR, {2018, 9, 30}, "2018"},
    {"a year below 1000", STUDY_GROUPING_YEAR, {987, 1, 1}, "0987"},
    {"first quarter", STUDY_GROUPING_QUARTER, {2018, 3, 31}, "2018-Q1"},
    {"second quarter", STUDY_GROUPING_QUARTER, {2018, 4, 1}, "2018-Q2"},
    {"last quarter", STUDY_GROUPING_QUARTER, {2018, 12, 31}, "2018-Q4"},
    {"month", STUDY_GROUPING_MONTH, {2020, 2, 29}, "2020-02"},
    {"before 1970", STUDY_GROUPING_MONTH, {1969, 12, 31}, "1969-12"},
};

static const struct {
    const char *text;
    bool ok;
    enum study_grouping grouping;
} sentences[] = {
    {"created by year", true, STUDY_GROUPING_YEAR},
    {"created by quarter", true, STUDY_GROUPING_QUARTER},
    {"created by month", true, STUDY_GROUPING_MONTH},
    {"source", true, STUDY_GROUPING_SOURCE},
    {"tags", true, STUDY_GROUPING_TAGS},
    {"created by week", false, 0},
    {"year", false, 0},
    {"", false, 0},
};

int main(void)
{
    struct buf out = {0};

    for (size_t i = 0; i < ROWS(periods); i++) {
        tap_case("period: %s", periods[i].name);
        study_grouping_period(periods[i].grouping, date_from_civil(periods[i].date),
                              &out);
        buf_add_char(&out, '\0');
        CHECK_TEXT(out.ptr, periods[i].period);
        buf_clear(&out);
    }
    for (size_t i = 0; i < ROWS(sentences); i++) {
        struct err err = {0};
        enum study_grouping grouping;
        bool ok = study_grouping_parse(str_from(sentences[i].text), &grouping, &err);
        tap_case("grouping: '%s'", sentences[i].text);
        CHECK(ok == sentences[i].ok);
        CHECK(ok ? grouping == sentences[i].grouping : err.kind == ERR_INPUT);
    }
    buf_free(&out);
    return tap_done();
}
