/* Days and civil dates by counting from 1 March: Howard Hinnant, "chrono-compatible
 * low-level date algorithms". */
#include "base/date.h"

#include <assert.h>
#include <math.h>

static int64_t floor_div(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

int64_t date_from_civil(struct date date)
{
    int64_t year = date.year - (date.month <= 2);
    int64_t era = floor_div(year, 400), of_era = year - era * 400;
    int64_t of_year =
        (153 * (date.month + (date.month > 2 ? -3 : 9)) + 2) / 5 + date.day - 1;

    return (era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468) *
           DATE_DAY_MS;
}

struct date date_to_civil(int64_t ms)
{
    int64_t days = floor_div(ms, DATE_DAY_MS) + 719468;
    int64_t era = floor_div(days, 146097), of_era = days - era * 146097;
    int64_t year = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    int64_t of_year = of_era - (365 * year + year / 4 - year / 100);
    int64_t shifted = (5 * of_year + 2) / 153; /* March is 0 */
    int month = (int)(shifted < 10 ? shifted + 3 : shifted - 9);

    return (struct date){.year = (int)(year + era * 400 + (month <= 2)),
                         .month = month,
                         .day = (int)(of_year - (153 * shifted + 2) / 5 + 1)};
}

int date_year(int64_t ms)
{
    return date_to_civil(ms).year;
}

/* Takes exactly `digits` digits off the front. */
static bool take_number(struct str *rest, size_t digits, int *out)
{
    int value = 0;

    if (rest->len < digits)
        return false;
    for (size_t i = 0; i < digits; i++) {
        int digit = rest->ptr[i] - '0';
        if (digit < 0 || digit > 9)
            return false;
        value = value * 10 + digit;
    }
    *rest = str_slice(*rest, digits, rest->len);
    *out = value;
    return true;
}

static bool take_char(struct str *rest, char c)
{
    if (rest->len == 0 || rest->ptr[0] != c)
        return false;
    *rest = str_slice(*rest, 1, rest->len);
    return true;
}

static bool take_day(struct str *rest, int64_t *ms)
{
    struct date date;

    if (!take_number(rest, 4, &date.year) || !take_char(rest, '-') ||
        !take_number(rest, 2, &date.month) || !take_char(rest, '-') ||
        !take_number(rest, 2, &date.day))
        return false;
    if (date.month < 1 || date.month > 12 || date.day < 1)
        return false;
    *ms = date_from_civil(date);
    /* 30 February comes back as 1 March. */
    return date.day <= 28 || date_to_civil(*ms).day == date.day;
}

/* Digits after the point; only the first three count. */
static bool take_fraction(struct str *rest, int *ms)
{
    int place = 100;
    size_t digits = 0;

    for (*ms = 0; digits < rest->len; digits++, place /= 10) {
        int digit = rest->ptr[digits] - '0';
        if (digit < 0 || digit > 9)
            break;
        *ms += digit * place;
    }
    *rest = str_slice(*rest, digits, rest->len);
    return digits > 0;
}

static bool take_time(struct str *rest, int64_t *ms)
{
    int hour, minute, second = 0, fraction = 0;

    if (!take_number(rest, 2, &hour) || !take_char(rest, ':') ||
        !take_number(rest, 2, &minute))
        return false;
    if (take_char(rest, ':')) {
        if (!take_number(rest, 2, &second))
            return false;
        if (take_char(rest, '.') && !take_fraction(rest, &fraction))
            return false;
    }
    *ms += hour * DATE_HOUR_MS + minute * DATE_MINUTE_MS + second * DATE_SECOND_MS +
           fraction;
    return hour < 24 && minute < 60 && second < 60;
}

static bool take_zone(struct str *rest, int64_t *ms)
{
    int hour, minute;

    if (take_char(rest, 'Z'))
        return true;
    bool east = rest->len > 0 && rest->ptr[0] == '+';
    if (!take_char(rest, '+') && !take_char(rest, '-'))
        return rest->len == 0;
    if (!take_number(rest, 2, &hour) || !take_char(rest, ':') ||
        !take_number(rest, 2, &minute) || hour > 23 || minute > 59)
        return false;
    int64_t offset = hour * DATE_HOUR_MS + minute * DATE_MINUTE_MS;
    *ms += east ? -offset : offset;
    return true;
}

/* Two digits as a number; negative when one of them is no digit. */
static int two_digits(const char *at)
{
    unsigned tens = (unsigned)(at[0] - '0'), ones = (unsigned)(at[1] - '0');

    return tens > 9 || ones > 9 ? -1000000 : (int)(10 * tens + ones);
}

/* The form that nearly all of them have: 2014-01-01T01:09:04Z. */
static bool parse_usual(struct str text, int64_t *ms)
{
    const char *at = text.ptr;

    if (text.len != 20 || at[4] != '-' || at[7] != '-' || at[10] != 'T' ||
        at[13] != ':' || at[16] != ':' || at[19] != 'Z')
        return false;
    struct date date = {.year = 100 * two_digits(at) + two_digits(at + 2),
                        .month = two_digits(at + 5),
                        .day = two_digits(at + 8)};
    int hour = two_digits(at + 11), minute = two_digits(at + 14),
        second = two_digits(at + 17);
    if (date.year < 0 || date.month < 1 || date.month > 12 || date.day < 1 ||
        date.day > 28 || hour < 0 || hour > 23 || minute < 0 || minute > 59 ||
        second < 0 || second > 59)
        return false; /* also where the end of the month is to be looked at */
    *ms = date_from_civil(date) + hour * DATE_HOUR_MS + minute * DATE_MINUTE_MS +
          second * DATE_SECOND_MS;
    return true;
}

bool date_parse(struct str text, int64_t *ms)
{
    int64_t value;

    if (parse_usual(text, ms))
        return true;

    if (!take_day(&text, &value))
        return false;
    if (text.len > 0) {
        if (!take_char(&text, 'T') && !take_char(&text, ' '))
            return false;
        if (!take_time(&text, &value) || !take_zone(&text, &value))
            return false;
    }
    if (text.len > 0 || date_year(value) < 0 || date_year(value) > 9999)
        return false; /* an offset may lead out of the years that have a text */
    *ms = value;
    return true;
}

static char *put_number(char *at, int64_t value, int digits)
{
    for (int i = digits - 1; i >= 0; i--) {
        at[i] = (char)('0' + value % 10);
        value /= 10;
    }
    return at + digits;
}

static char *put_day(char *at, int64_t ms)
{
    struct date date = date_to_civil(ms);

    assert(date.year >= 0 && date.year <= 9999);
    at = put_number(at, date.year, 4);
    *at++ = '-';
    at = put_number(at, date.month, 2);
    *at++ = '-';
    return put_number(at, date.day, 2);
}

void date_add(struct buf *buf, int64_t ms)
{
    int64_t of_day = ms - floor_div(ms, DATE_DAY_MS) * DATE_DAY_MS;
    char *at = put_day(buf_reserve(buf, sizeof "2014-01-21T20:58:43.500"), ms);

    *at++ = 'T';
    at = put_number(at, of_day / DATE_HOUR_MS, 2);
    *at++ = ':';
    at = put_number(at, of_day / DATE_MINUTE_MS % 60, 2);
    *at++ = ':';
    at = put_number(at, of_day / DATE_SECOND_MS % 60, 2);
    *at++ = '.';
    at = put_number(at, of_day % DATE_SECOND_MS, 3);
    buf->len = (size_t)(at - buf->ptr);
}

void date_add_day(struct buf *buf, int64_t ms)
{
    buf->len = (size_t)(put_day(buf_reserve(buf, sizeof "2014-01-21"), ms) - buf->ptr);
}

void date_add_duration(struct buf *buf, double minutes)
{
    static const struct {
        double minutes;
        const char *name;
    } units[] = {
        {60.0 * 24 * 365, "year"}, {60 * 24, "day"}, {60, "hour"}, {1, "minute"}};
    size_t unit = 0;

    while (unit + 1 < ROWS_OF(units) && minutes < 2 * units[unit].minutes)
        unit++;
    double count = minutes / units[unit].minutes, tenths = round(10 * count);
    bool whole = tenths >= 100 || fmod(tenths, 10) == 0;
    buf_add_thousands(buf, whole ? round(count) : tenths / 10, whole ? 0 : 1);
    buf_add_format(buf, " %s%s", units[unit].name, tenths == 10 ? "" : "s");
}
