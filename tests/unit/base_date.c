/* Moments against known ones, and the calendar against counting day by day. */
#include "base/date.h"

#include "base/rng.h"
#include "tests/tap.h"

/* -62167219200000 is 0000-01-01 and 253402300799999 the last millisecond of 9999. */
#define FIRST_MS INT64_C(-62167219200000)
#define LAST_MS  INT64_C(253402300799999)

static const struct {
    const char *text;
    int64_t ms;
} good[] = {
    {"1970-01-01", 0},
    {"1970-01-01T00:00", 0},
    {"1970-01-01T00:00:00", 0},
    {"1970-01-01 00:00:00", 0},
    {"1970-01-01T00:00:00.001", 1},
    {"1969-12-31T23:59:59.999", -1},
    {"1969-12-31", -86400000},
    {"2014-01-21", 1390262400000},
    {"2014-01-21T20:58", 1390337880000},
    {"2014-01-21T20:58:43", 1390337923000},
    {"2014-01-21T20:58:43Z", 1390337923000},
    {"2014-01-21T20:58Z", 1390337880000},
    {"2014-01-21T20:58+00:00", 1390337880000},
    {"2000-02-29T12:00", 951825600000},
    {"1600-02-29 23:59", -11670912060000},
    {"1900-03-01", -2203891200000},
    {"2038-01-19T03:14:08", 2147483648000},
    {"0001-01-01", -62135596800000},
    {"0000-01-01", FIRST_MS},
    {"0000-02-29", FIRST_MS + 59 * DATE_DAY_MS},
    {"0000-12-31T23:59:59.999", -62135596800001},
    {"9999-12-31T23:59:59.999", LAST_MS},
    /* fractions: what is below a millisecond is cut off, never rounded */
    {"2014-01-21T20:58:43.5", 1390337923500},
    {"2014-01-21T20:58:43.50", 1390337923500},
    {"2014-01-21T20:58:43.500", 1390337923500},
    {"2014-01-21T20:58:43.0001", 1390337923000},
    {"2014-01-21T20:58:43.12345", 1390337923123},
    {"2014-01-21T20:58:43.999999", 1390337923999},
    {"2014-01-21T20:58:43.9999999", 1390337923999},
    {"2014-01-21T20:58:43.12345678", 1390337923123},
    {"2014-01-21T20:58:43.123456789", 1390337923123},
    {"2014-01-21T20:58:43.00000000000000000000000000001", 1390337923000},
    {"1969-12-31T23:59:59.0019", -999}, /* before 1970 as well */
    /* offsets: the moment is earlier east of Greenwich */
    {"1970-01-01T00:00+01:00", -3600000},
    {"1970-01-01T00:00-01:00", 3600000},
    {"1970-01-01T00:00:00+05:30", -19800000},
    {"1970-01-01T00:00:00.250-09:45", 35100250},
    {"1970-01-01T00:00+23:59", -86340000},
    {"2016-03-01T00:30+01:00", 1456788600000}, /* 29 February in UTC */
    {"9999-12-31T23:59+14:00", LAST_MS - 59999 - 14 * DATE_HOUR_MS},
};

static const char *const bad[] = {
    "",
    "2014",
    "2014-01",
    "2014-1-21",
    "14-01-21",
    "2014/01/21",
    "20140121",
    "-014-01-21",
    "+2014-01-21",
    "2014-00-10",
    "2014-13-01",
    "2014-01-00",
    "2014-01-32",
    "2014-04-31",
    "2014-06-31",
    "2014-09-31",
    "2014-11-31",
    "2015-02-29",
    "1900-02-29",
    "2100-02-29",
    "2016-02-30",
    "2014-01-99",
    "2014-01-21T",
    "2014-01-21 ",
    "2014-01-21Z",
    "2014-01-21+01:00",
    "2014-01-21t20:58",
    "2014-01-21  20:58",
    "2014-01-21T20",
    "2014-01-21T20:",
    "2014-01-21T20:5",
    "2014-01-21T2058",
    "2014-01-21T24:00",
    "2014-01-21T24:00:00",
    "2014-01-21T20:60",
    "2014-01-21T20:58:60",
    "2014-01-21T23:59:60Z",
    "2014-01-21T20:58:",
    "2014-01-21T20:58:4",
    "2014-01-21T20:58:43.",
    "2014-01-21T20:58:43.Z",
    "2014-01-21T20:58:43,5",
    "2014-01-21T20:58.5",
    "2014-01-21T20:58:43.5x",
    "2014-01-21T20:58:43z",
    "2014-01-21T20:58:43ZZ",
    "2014-01-21T20:58:43 Z",
    "2014-01-21T20:58:43+",
    "2014-01-21T20:58:43+1",
    "2014-01-21T20:58:43+01",
    "2014-01-21T20:58:43+0100",
    "2014-01-21T20:58:43+01:0",
    "2014-01-21T20:58:43+24:00",
    "2014-01-21T20:58:43+01:60",
    "2014-01-21T20:58:43+01:00Z",
    "2014-01-21T20:58:43Z+01:00",
    " 2014-01-21",
    "2014-01-21\n",
    "yesterday",
    "0000-01-01T00:00+00:01",        /* the year before 0000 in UTC */
    "9999-12-31T23:59:59.999-00:01", /* the year 10000 in UTC */
};

static void check_tables(void)
{
    for (size_t i = 0; i < ROWS(good); i++) {
        int64_t ms = 77;
        tap_case("parse '%s'", good[i].text);
        CHECK(date_parse(str_from(good[i].text), &ms));
        CHECK_NEAR((double)ms, (double)good[i].ms, 0);
    }
    for (size_t i = 0; i < ROWS(bad); i++) {
        int64_t ms = 77;
        tap_case("refuse '%s'", bad[i]);
        CHECK(!date_parse(str_from(bad[i]), &ms));
        CHECK(ms == 77);
    }
    int64_t ms = 77;
    tap_case("refuse a NUL byte inside");
    CHECK(!date_parse(STR("2014-01-21\0"), &ms));
    CHECK(!date_parse(STR("2014-\0001-21"), &ms));
    tap_case("a slice is read to its end and not further");
    CHECK(date_parse((struct str){"2014-01-2199", 10}, &ms) && ms == 1390262400000);
}

static bool is_leap(int year)
{
    return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

static int month_days(int year, int month)
{
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};

    return days[month - 1] + (month == 2 && is_leap(year));
}

/* Days from 1 January 1600 to 1 January 1970, counted in years. */
static int64_t days_before_1970(void)
{
    int64_t days = 0;

    for (int year = 1600; year < 1970; year++)
        days += 365 + is_leap(year);
    return days;
}

static void check_every_day(void)
{
    int64_t day = -days_before_1970();
    bool from = true, to = true, years = true;

    for (int year = 1600; year <= 2400; year++)
        for (int month = 1; month <= 12; month++)
            for (int d = 1; d <= month_days(year, month); d++, day++) {
                int64_t ms = day * DATE_DAY_MS;
                struct date first = date_to_civil(ms);
                struct date last = date_to_civil(ms + DATE_DAY_MS - 1);
                from = from && date_from_civil((struct date){year, month, d}) == ms;
                to = to && first.year == year && first.month == month && first.day == d;
                to = to && last.year == year && last.month == month && last.day == d;
                years = years && date_year(ms) == year;
            }
    tap_case("civil dates to milliseconds, every day of 1600-2400");
    CHECK(from);
    tap_case("milliseconds to civil dates, every day of 1600-2400");
    CHECK(to);
    CHECK(years);
    tap_case("every day was counted");
    CHECK(day + days_before_1970() == 2 * 146097 + 366);
}

static void check_text_is(int64_t ms, const char *want, const char *want_day)
{
    struct buf buf = {0};

    date_add(&buf, ms);
    buf_add_char(&buf, '\0');
    CHECK_TEXT(buf.ptr, want);
    buf_clear(&buf);
    date_add_day(&buf, ms);
    buf_add_char(&buf, '\0');
    CHECK_TEXT(buf.ptr, want_day);
    buf_free(&buf);
}

static void check_round_trip(void)
{
    struct rng rng = rng_seeded(41);
    struct buf buf = {0};
    bool same = true, day_same = true;

    for (int i = 0; i < 200000; i++) {
        int64_t ms =
            FIRST_MS + (int64_t)rng_below(&rng, (uint64_t)(LAST_MS - FIRST_MS) + 1);
        int64_t back = 1;
        buf_clear(&buf);
        date_add(&buf, ms);
        same = same && buf.len == 23 && date_parse(buf_str(&buf), &back) && back == ms;
        buf_clear(&buf);
        date_add_day(&buf, ms);
        day_same = day_same && buf.len == 10 && date_parse(buf_str(&buf), &back) &&
                   back <= ms && back > ms - DATE_DAY_MS && back % DATE_DAY_MS == 0;
    }
    tap_case("what is written is read back, 200000 moments of 0000-9999");
    CHECK(same);
    tap_case("a day is written as the midnight before");
    CHECK(day_same);
    buf_free(&buf);
}

static void check_durations(void)
{
    static const struct {
        double minutes;
        const char *text;
    } rows[] = {{0, "0 minutes"},
                {0.04, "0 minutes"},
                {0.5, "0.5 minutes"},
                {0.96, "1 minute"},
                {1, "1 minute"},
                {9.94, "9.9 minutes"},
                {9.96, "10 minutes"},
                {35.4, "35 minutes"},
                {119, "119 minutes"},
                {120, "2 hours"},
                {210, "3.5 hours"},
                {24 * 60, "24 hours"},
                {48 * 60, "2 days"},
                {4.26 * 24 * 60, "4.3 days"},
                {365 * 24 * 60, "365 days"},
                {2.5 * 365 * 24 * 60, "2.5 years"},
                {1234.0 * 365 * 24 * 60, "1,234 years"}};
    struct buf buf = {0};

    for (size_t i = 0; i < ROWS(rows); i++) {
        tap_case("a duration: %s", rows[i].text);
        buf_clear(&buf);
        date_add_duration(&buf, rows[i].minutes);
        CHECK(str_eq(buf_str(&buf), str_from(rows[i].text)));
    }
    buf_free(&buf);
}

int main(void)
{
    check_durations();
    check_tables();
    check_every_day();
    tap_case("text of moments");
    check_text_is(0, "1970-01-01T00:00:00.000", "1970-01-01");
    check_text_is(-1, "1969-12-31T23:59:59.999", "1969-12-31");
    check_text_is(1390337923500, "2014-01-21T20:58:43.500", "2014-01-21");
    check_text_is(FIRST_MS, "0000-01-01T00:00:00.000", "0000-01-01");
    check_text_is(LAST_MS, "9999-12-31T23:59:59.999", "9999-12-31");
    tap_case("text is appended");
    struct buf buf = {0};
    buf_add(&buf, STR("on "));
    date_add_day(&buf, 0);
    buf_add(&buf, STR(" at "));
    date_add(&buf, 0);
    CHECK(str_eq(buf_str(&buf), STR("on 1970-01-01 at 1970-01-01T00:00:00.000")));
    buf_free(&buf);
    check_round_trip();
    return tap_done();
}
