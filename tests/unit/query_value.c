/* Numbers and dates as ranges. */
#include "query/internal.h"

#include "base/date.h"
#include "tests/tap.h"

#define LOW  INT64_MIN
#define HIGH INT64_MAX

static const struct {
    const char *text;
    int64_t min, max;  /* 1, 0: not read */
    const char *wrong; /* why not, if more is known than that */
} numbers[] = {
    {"5", 5, 5, NULL},
    {"-5", -5, -5, NULL},
    {"5..", 5, HIGH, NULL},
    {"..5", LOW, 5, NULL},
    {"3..8", 3, 8, NULL},
    {"3..3", 3, 3, NULL},
    {"-8..-3", -8, -3, NULL},
    {">5", 6, HIGH, NULL},
    {">=5", 5, HIGH, NULL},
    {"> 5", 6, HIGH, NULL},
    {"<5", LOW, 4, NULL},
    {"<=5", LOW, 5, NULL},
    {"=5", 5, 5, NULL},
    {"007", 7, 7, NULL},
    {"1000000000000000000", 1000000000000000000, 1000000000000000000, NULL},
    {"", 1, 0, NULL},
    {"-", 1, 0, NULL},
    {"--5", 1, 0, NULL},
    {"+5", 1, 0, NULL},
    {"5k", 1, 0, NULL},
    {"1.5", 1, 0, NULL},
    {"..", 1, 0, NULL},
    {"...5", 1, 0, NULL},
    {"3..x", 1, 0, NULL},
    {"x..3", 1, 0, NULL},
    {">", 1, 0, NULL},
    {">>5", 1, 0, NULL},
    {"==5", 1, 0, NULL},
    {">3..5", 1, 0, NULL},
    {"8..3", 1, 0, "the range runs backwards"},
    {"1000000000000000001", 1, 0, "the number is too large"},
    {"-99999999999999999999..3", 1, 0, "the number is too large"},
    {">1000000000000000000", 1, 0, "the number is too large"},
    {"<-1000000000000000000", 1, 0, "the number is too large"},
};

static const struct {
    const char *text;
    const char *first, *last; /* days, "" open; NULL: not read */
    const char *printed;
    const char *wrong;
} dates[] = {
    {"2017", "2017-01-01", "2017-12-31", "2017", NULL},
    {"2017-02", "2017-02-01", "2017-02-28", "2017-02", NULL},
    {"2016-02", "2016-02-01", "2016-02-29", "2016-02", NULL},
    {"2017-12", "2017-12-01", "2017-12-31", "2017-12", NULL},
    {"2017-12-31", "2017-12-31", "2017-12-31", "2017-12-31", NULL},
    {"2015..2018", "2015-01-01", "2018-12-31", "2015..2018", NULL},
    {"2015-03..2016-07-15", "2015-03-01", "2016-07-15", "2015-03..2016-07-15", NULL},
    {"2015..", "2015-01-01", "", "2015..", NULL},
    {"..2015-06", "", "2015-06-30", "..2015-06", NULL},
    {"2015-01-01..2015-12-31", "2015-01-01", "2015-12-31", "2015", NULL},
    {"2015-04..2015-04-30", "2015-04-01", "2015-04-30", "2015-04", NULL},
    {"2015..2015-01", "2015-01-01", "2015-01-31", "2015-01", NULL},
    {"2015..2015-01-01", "2015-01-01", "2015-01-01", "2015-01-01", NULL},
    {"2015-12-31..2015", "2015-12-31", "2015-12-31", "2015-12-31", NULL},
    {"2015-12..2015", "2015-12-01", "2015-12-31", "2015-12", NULL},
    {"2015-12-30..2015", "2015-12-30", "2015-12-31", "2015-12-30..2015", NULL},
    {">2016", "2017-01-01", "", "2017..", NULL},
    {">=2016", "2016-01-01", "", "2016..", NULL},
    {"<2016-03", "", "2016-02-29", "..2016-02", NULL},
    {"<=2016-03", "", "2016-03-31", "..2016-03", NULL},
    {"=2016", "2016-01-01", "2016-12-31", "2016", NULL},
    {"0000", "0000-01-01", "0000-12-31", "0000", NULL},
    {"9999", "9999-01-01", "9999-12-31", "9999", NULL},
    {"15", NULL, NULL, NULL, NULL},
    {"2015-3", NULL, NULL, NULL, NULL},
    {"2015/03", NULL, NULL, NULL, NULL},
    {"2015-03-01T12:00", NULL, NULL, NULL, NULL},
    {"", NULL, NULL, NULL, NULL},
    {"2015-00", NULL, NULL, NULL, "there is no such date"},
    {"2015-13", NULL, NULL, NULL, "there is no such date"},
    {"2015-02-29", NULL, NULL, NULL, "there is no such date"},
    {"2018..2015", NULL, NULL, NULL, "the range runs backwards"},
    {">9999", NULL, NULL, NULL, "years go from 0000 to 9999"},
    {"<0000", NULL, NULL, NULL, "years go from 0000 to 9999"},
};

static int64_t day(const char *text, int64_t open)
{
    int64_t ms = open;

    if (text[0] != '\0')
        CHECK(date_parse(str_from(text), &ms));
    return ms;
}

static void check_wrong(const char *got, const char *want)
{
    CHECK_TEXT(got != NULL ? got : "", want != NULL ? want : "");
}

/* Dates that count back from 31 March 2020, 10:30. */
static const struct {
    const char *text, *from, *to, *printed; /* from: first day, to: last day */
    const char *wrong;
} backs[] = {
    {"30d..", "2020-03-01", "", "30d..", NULL},
    {"0d..", "2020-03-31", "", "0d..", NULL},
    {"..2w", "", "2020-03-17", "..2w", NULL},
    {"1m..", "2020-02-29", "", "1m..", NULL}, /* February ends before the 31st */
    {"2Y..1y", "2018-03-31", "2019-03-31", "2y..1y", NULL},
    {"49m..2019-06", "2016-02-29", "2019-06-30", "49m..2019-06", NULL},
    {"2015..6m", "2015-01-01", "2019-09-30", "2015..6m", NULL},
    {"1y..1y", "2019-03-31", "2019-03-31", "1y..1y", NULL},
    {"012m..", "2019-03-31", "", "12m..", NULL},
    {"1y..2y", NULL, NULL, NULL, "the range runs backwards"},
    {"30d", NULL, NULL, NULL, "what counts back needs a range, such as 30d.. or 2y..1y"},
    {">=30d", NULL, NULL, NULL,
     "what counts back needs a range, such as 30d.. or 2y..1y"},
    {"30x..", NULL, NULL, NULL, NULL},
    {"d..", NULL, NULL, NULL, NULL},
    {"-1d..", NULL, NULL, NULL, NULL},
    {"123456d..", NULL, NULL, NULL, NULL},
    {"2015-02-30..1y", NULL, NULL, NULL, "there is no such date"},
    {"1y..soon", NULL, NULL, NULL, NULL},
};

static void check_back(size_t i)
{
    struct query_node node = {0};
    const char *wrong;
    struct buf out = {0};
    int64_t newest = 0;

    tap_case("back: '%s'", backs[i].text);
    CHECK(date_parse(STR("2020-03-31T10:30"), &newest));
    CHECK(query_read_date(str_from(backs[i].text), &node, &wrong) ==
          (backs[i].printed != NULL));
    if (backs[i].printed == NULL) {
        check_wrong(wrong, backs[i].wrong);
        return;
    }
    if (node.from.unit != 0)
        node.min = query_ago_ms(node.from, newest, false);
    if (node.to.unit != 0)
        node.max = query_ago_ms(node.to, newest, true);
    CHECK(node.min == day(backs[i].from, INT64_MIN));
    CHECK(node.max ==
          (backs[i].to[0] == '\0' ? INT64_MAX : day(backs[i].to, 0) + DATE_DAY_MS - 1));
    CHECK(query_read_date(str_from(backs[i].text), &node, &wrong));
    query_add_dates(&out, &node);
    buf_add_char(&out, '\0');
    CHECK_TEXT(out.ptr, backs[i].printed);
    buf_free(&out);
}

int main(void)
{
    const char *wrong;
    int64_t min, max;

    for (size_t i = 0; i < ROWS(numbers); i++) {
        bool good = numbers[i].min <= numbers[i].max;
        tap_case("number: '%s'", numbers[i].text);
        CHECK(query_read_number(str_from(numbers[i].text), &min, &max, &wrong) == good);
        if (good)
            CHECK(min == numbers[i].min && max == numbers[i].max);
        else
            check_wrong(wrong, numbers[i].wrong);
    }
    for (size_t i = 0; i < ROWS(dates); i++) {
        bool good = dates[i].first != NULL;
        tap_case("date: '%s'", dates[i].text);
        struct query_node node = {0};
        CHECK(query_read_date(str_from(dates[i].text), &node, &wrong) == good);
        if (!good) {
            check_wrong(wrong, dates[i].wrong);
            continue;
        }
        struct buf out = {0};
        CHECK(node.min == day(dates[i].first, INT64_MIN));
        CHECK(node.max == (dates[i].last[0] == '\0'
                               ? INT64_MAX
                               : day(dates[i].last, 0) + DATE_DAY_MS - 1));
        query_add_dates(&out, &node);
        buf_add_char(&out, '\0');
        CHECK_TEXT(out.ptr, dates[i].printed);
        buf_free(&out);
    }
    for (size_t i = 0; i < ROWS(backs); i++)
        check_back(i);
    tap_case("back: before all dates");
    CHECK(query_ago_ms((struct query_ago){99999, 'y'}, 0, false) == INT64_MIN + 1);
    return tap_done();
}
