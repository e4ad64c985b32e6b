/* Four sentences, and the names of years, quarters and months. */
#include "study/grouping.h"

#include "base/date.h"

bool study_grouping_parse(struct str text, enum study_grouping *out, struct err *err)
{
    static const struct {
        struct str text;
        enum study_grouping grouping;
    } known[] = {
        {STR_INIT("created by year"), STUDY_GROUPING_YEAR},
        {STR_INIT("created by quarter"), STUDY_GROUPING_QUARTER},
        {STR_INIT("created by month"), STUDY_GROUPING_MONTH},
        {STR_INIT("source"), STUDY_GROUPING_SOURCE},
    };

    for (size_t i = 0; i < ROWS_OF(known); i++)
        if (str_eq(text, known[i].text)) {
            *out = known[i].grouping;
            return true;
        }
    return err_set(
        err, ERR_INPUT,
        "found '%.*s', expected 'created by year', 'created by quarter', 'created "
        "by month', 'source', or a section with first-of, all-of, sets, field or "
        "labels",
        STR_ARG(text));
}

void study_grouping_period(enum study_grouping grouping, int64_t ms, struct buf *out)
{
    struct date date = date_to_civil(ms);

    buf_add_format(out, "%04d", date.year);
    if (grouping == STUDY_GROUPING_QUARTER)
        buf_add_format(out, "-Q%d", (date.month - 1) / 3 + 1);
    if (grouping == STUDY_GROUPING_MONTH)
        buf_add_format(out, "-%02d", date.month);
}
