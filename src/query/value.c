/* Numbers and dates as a query writes them: single, as a range, or compared. */
#include "query/internal.h"

#include <math.h>
#include <stdio.h>

#include "base/date.h"

#include <string.h>

#define NUMBER_MAX INT64_C(1000000000000000000)

/* One end of a range: what it covers. A number covers itself, 2015 a whole year. */
typedef bool read_point(struct str s, int64_t *first, int64_t *last, const char **wrong);

static bool read_number(struct str s, int64_t *first, int64_t *last, const char **wrong)
{
    int64_t value;

    *wrong = NULL;
    for (size_t i = s.len > 0 && s.ptr[0] == '-'; i < s.len; i++)
        if (s.ptr[i] < '0' || s.ptr[i] > '9')
            return false;
    if (s.len == 0 || (s.len == 1 && s.ptr[0] == '-'))
        return false;
    if (!str_to_int(s, &value) || value > NUMBER_MAX || value < -NUMBER_MAX) {
        *wrong = "the number is too large";
        return false;
    }
    *first = *last = value;
    return true;
}

static bool digits(struct str s, size_t from, size_t count)
{
    for (size_t i = from; i < from + count; i++)
        if (s.ptr[i] < '0' || s.ptr[i] > '9')
            return false;
    return true;
}

/* Whether s is written as 2015, 2015-03 or 2015-03-09. */
static bool looks_like_date(struct str s)
{
    return (s.len == 4 || s.len == 7 || s.len == 10) && digits(s, 0, 4) &&
           (s.len < 7 || (s.ptr[4] == '-' && digits(s, 5, 2))) &&
           (s.len < 10 || (s.ptr[7] == '-' && digits(s, 8, 2)));
}

static bool read_date(struct str s, int64_t *first, int64_t *last, const char **wrong)
{
    char text[] = "0000-01-01";

    *wrong = NULL;
    if (!looks_like_date(s))
        return false;
    memcpy(text, s.ptr, s.len);
    if (!date_parse(str_from(text), first)) {
        *wrong = "there is no such date";
        return false;
    }
    struct date next = date_to_civil(*first);
    if (s.len == 4)
        next.year++;
    else if (s.len == 7 && next.month == 12)
        next = (struct date){next.year + 1, 1, 1};
    else if (s.len == 7)
        next.month++;
    *last = s.len == 10 ? *first + DATE_DAY_MS - 1 : date_from_civil(next) - 1;
    return true;
}

/* Takes >=, <=, >, < or = off the front; '>' or '<' with *equal, or '=', or 0. */
static char take_comparison(struct str *s, bool *equal)
{
    char c = s->len > 0 ? s->ptr[0] : '\0';

    *equal = s->len > 1 && s->ptr[1] == '=' && c != '=';
    if (c != '>' && c != '<' && c != '=')
        return 0;
    *s = str_trim(str_slice(*s, *equal ? 2 : 1, s->len));
    return c;
}

static bool read_comparison(struct str s, read_point *read, int64_t *min, int64_t *max,
                            const char **wrong)
{
    int64_t first, last;
    bool equal;
    char comparison = take_comparison(&s, &equal);

    if (!read(s, &first, &last, wrong))
        return false;
    *min = comparison == '<' ? INT64_MIN : comparison == '>' && !equal ? last + 1 : first;
    *max = comparison == '>' ? INT64_MAX : comparison == '<' && !equal ? first - 1 : last;
    return true;
}

/* Where the ".." of a range stands; s.len: there is none. */
static size_t find_dots(struct str s)
{
    size_t dots = 0;

    while (dots + 1 < s.len && (s.ptr[dots] != '.' || s.ptr[dots + 1] != '.'))
        dots++;
    return dots + 1 < s.len ? dots : s.len;
}

static bool read_range(struct str s, read_point *read, int64_t *min, int64_t *max,
                       const char **wrong)
{
    size_t dots = find_dots(s);
    struct str from = str_slice(s, 0, dots), to = str_slice(s, dots + 2, s.len);
    int64_t ignored;

    if (dots == s.len)
        return read_comparison(s, read, min, max, wrong);
    *wrong = NULL;
    if (from.len == 0 && to.len == 0)
        return false;
    *min = INT64_MIN;
    *max = INT64_MAX;
    if ((from.len > 0 && !read(from, min, &ignored, wrong)) ||
        (to.len > 0 && !read(to, &ignored, max, wrong)))
        return false;
    if (*min > *max) {
        *wrong = "the range runs backwards";
        return false;
    }
    return true;
}

bool query_read_number(struct str s, int64_t *min, int64_t *max, const char **wrong)
{
    if (!read_range(s, read_number, min, max, wrong))
        return false;
    if (*max < -NUMBER_MAX || *min > NUMBER_MAX) { /* >N and <N of the very last N */
        *wrong = "the number is too large";
        return false;
    }
    return true;
}

/* --- numbers with decimals --- */

/* So many digits behind the point come back when they are printed. */
enum { DECIMALS_MAX = 15 };

static bool read_real(struct str s, double *out, const char **wrong)
{
    size_t i = s.len > 0 && s.ptr[0] == '-', whole = i, decimals = 0;

    *wrong = NULL;
    while (i < s.len && s.ptr[i] >= '0' && s.ptr[i] <= '9')
        i++;
    if (i == whole)
        return false;
    if (i < s.len && s.ptr[i] == '.') {
        for (i++; i < s.len && s.ptr[i] >= '0' && s.ptr[i] <= '9'; i++)
            decimals++;
        if (decimals == 0)
            return false;
    }
    if (i < s.len)
        return false;
    if (!str_to_real(s, out) || fabs(*out) > (double)NUMBER_MAX) {
        *wrong = "the number is too large";
        return false;
    }
    *out = *out == 0 ? 0 : *out; /* -0 is 0 */
    if (decimals > DECIMALS_MAX)
        *wrong = "the number has more than 15 digits behind its point";
    return decimals <= DECIMALS_MAX;
}

bool query_read_real(struct str s, struct query_node *node, const char **wrong)
{
    size_t dots = find_dots(s);
    struct str from = str_slice(s, 0, dots), to = str_slice(s, dots + 2, s.len);
    bool equal;

    node->low = -INFINITY;
    node->high = INFINITY;
    *wrong = NULL;
    if (dots == s.len) {
        double value;
        char comparison = take_comparison(&s, &equal);
        if (!read_real(s, &value, wrong))
            return false;
        node->low = comparison == '<' ? node->low : value;
        node->high = comparison == '>' ? node->high : value;
        node->above = comparison == '>' && !equal;
        node->below = comparison == '<' && !equal;
        return true;
    }
    if ((from.len == 0 && to.len == 0) ||
        (from.len > 0 && !read_real(from, &node->low, wrong)) ||
        (to.len > 0 && !read_real(to, &node->high, wrong)))
        return false;
    if (node->low > node->high)
        *wrong = "the range runs backwards";
    return node->low <= node->high;
}

bool query_looks_like_number(struct str word)
{
    const char *wrong;
    double value;

    return find_dots(word) < word.len || read_real(word, &value, &wrong) || wrong != NULL;
}

static void add_real(struct buf *out, double value)
{
    char text[64];
    double again = NAN;

    for (int digits = 0; digits <= DECIMALS_MAX && again != value; digits++) {
        snprintf(text, sizeof text, "%.*f", digits, value);
        (void)!str_to_real(str_from(text), &again);
    }
    buf_add(out, str_from(text));
}

void query_add_reals(struct buf *out, const struct query_node *node)
{
    if (node->above || node->below)
        buf_add_char(out, node->above ? '>' : '<');
    if (!isinf(node->low))
        add_real(out, node->low);
    if (node->low == node->high)
        return;
    if (!node->above && !node->below)
        buf_add(out, STR(".."));
    if (!isinf(node->high))
        add_real(out, node->high);
}

/* --- dates that count back from the newest post --- */

enum { AGO_DIGITS_MAX = 5 };

/* 30d, 2w, 6m, 1y. */
static bool read_ago(struct str s, struct query_ago *out)
{
    int64_t count;
    char unit = s.len > 0 ? query_lower(s.ptr[s.len - 1]) : '\0';
    struct str number = str_slice(s, 0, s.len - (s.len > 0));

    if (number.len == 0 || number.len > AGO_DIGITS_MAX ||
        !digits(number, 0, number.len) ||
        (unit != 'd' && unit != 'w' && unit != 'm' && unit != 'y') ||
        !str_to_int(number, &count))
        return false;
    *out = (struct query_ago){(int)count, unit};
    return true;
}

static int days_in(int year, int month)
{
    struct date next =
        month == 12 ? (struct date){year + 1, 1, 1} : (struct date){year, month + 1, 1};

    return date_to_civil(date_from_civil(next) - 1).day;
}

int64_t query_ago_ms(struct query_ago ago, int64_t newest_ms, bool last)
{
    struct date day = date_to_civil(newest_ms);
    int64_t days = ago.unit == 'd' ? ago.count : ago.unit == 'w' ? 7 * ago.count : 0;

    if (days == 0) {
        int months = day.year * 12 + day.month - 1 -
                     (ago.unit == 'y'   ? 12 * ago.count
                      : ago.unit == 'm' ? ago.count
                                        : 0);
        if (months < 0)
            return INT64_MIN + 1; /* before all dates there are */
        day.year = months / 12;
        day.month = months % 12 + 1;
        if (day.day > days_in(day.year, day.month))
            day.day = days_in(day.year, day.month);
    }
    return date_from_civil(day) - days * DATE_DAY_MS + (last ? DATE_DAY_MS - 1 : 0);
}

/* A range of which at least one end counts back. */
static bool read_back(struct str from, struct str to, struct query_node *node,
                      const char **wrong)
{
    const struct date some = {2023, 6, 15};
    int64_t ignored;

    node->min = INT64_MIN;
    node->max = INT64_MAX;
    *wrong = NULL;
    if ((from.len > 0 && !read_ago(from, &node->from) &&
         !read_date(from, &node->min, &ignored, wrong)) ||
        (to.len > 0 && !read_ago(to, &node->to) &&
         !read_date(to, &ignored, &node->max, wrong)))
        return false;
    if (node->from.unit != 0 && node->to.unit != 0 &&
        query_ago_ms(node->from, date_from_civil(some), false) >
            query_ago_ms(node->to, date_from_civil(some), true))
        *wrong = "the range runs backwards";
    return *wrong == NULL;
}

bool query_read_date(struct str s, struct query_node *node, const char **wrong)
{
    const struct date before = {0, 1, 1}, after = {10000, 1, 1};
    size_t dots = find_dots(s);
    struct str from = str_slice(s, 0, dots), to = str_slice(s, dots + 2, s.len);
    struct query_ago ago;
    bool equal;

    node->from = node->to = (struct query_ago){0};
    if (dots < s.len && (read_ago(from, &ago) || read_ago(to, &ago)))
        return read_back(from, to, node, wrong);
    (void)take_comparison(&from, &equal);
    if (dots == s.len && read_ago(from, &ago)) {
        *wrong = "what counts back needs a range, such as 30d.. or 2y..1y";
        return false;
    }
    if (!read_range(s, read_date, &node->min, &node->max, wrong))
        return false;
    if (node->max < date_from_civil(before) ||
        (node->min != INT64_MIN && node->min >= date_from_civil(after))) {
        *wrong = "years go from 0000 to 9999";
        return false;
    }
    return true;
}

/* Years and months where the date begins one: 2015-03-01 is 2015-03. */
static void add_date(struct buf *out, struct date date, bool year, bool month)
{
    buf_add_format(out, "%04d", date.year);
    if (!year)
        buf_add_format(out, "-%02d", date.month);
    if (!year && !month)
        buf_add_format(out, "-%02d", date.day);
}

static void add_first(struct buf *out, int64_t min)
{
    struct date date = date_to_civil(min);

    add_date(out, date, date.month == 1 && date.day == 1, date.day == 1);
}

static void add_last(struct buf *out, int64_t max)
{
    struct date date = date_to_civil(max), next = date_to_civil(max + 1);

    add_date(out, date, next.month == 1 && next.day == 1, next.day == 1);
}

/* The date that is both ends, where there is one: 2017..2017 is 2017, 2017-02..2017-02 is
 * 2017-02. */
static bool add_single(struct buf *out, int64_t min, int64_t max)
{
    struct buf single = {0};
    int64_t first, last;
    const char *wrong;

    add_first(&single, min);
    if (!read_date(buf_str(&single), &first, &last, &wrong) || last != max) {
        buf_clear(&single);
        add_last(&single, max);
    }
    bool is =
        read_date(buf_str(&single), &first, &last, &wrong) && first == min && last == max;
    if (is)
        buf_add(out, buf_str(&single));
    buf_free(&single);
    return is;
}

void query_add_dates(struct buf *out, const struct query_node *node)
{
    if (node->min != INT64_MIN && node->max != INT64_MAX &&
        add_single(out, node->min, node->max))
        return;
    if (node->from.unit != 0)
        buf_add_format(out, "%d%c", node->from.count, node->from.unit);
    else if (node->min != INT64_MIN)
        add_first(out, node->min);
    buf_add(out, STR(".."));
    if (node->to.unit != 0)
        buf_add_format(out, "%d%c", node->to.count, node->to.unit);
    else if (node->max != INT64_MAX)
        add_last(out, node->max);
}
