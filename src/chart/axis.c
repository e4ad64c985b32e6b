/* Axes and the numbers on them: scales, marks at round values, and how values are
 * printed in a figure. */
#include "chart/internal.h"

#include <assert.h>
#include <math.h>

static const char minus[] = "\xE2\x88\x92";

struct str chart_number_fixed(double value, int decimals, struct arena *arena)
{
    struct str all = arena_format(arena, "%.*f", decimals, fabs(value));
    struct str whole =
        str_slice(all, 0, all.len - (decimals > 0 ? (size_t)decimals + 1 : 0));
    struct buf out = {0};

    /* What is rounded to 0 has no sign. */
    if (value < 0 && strspn(all.ptr, "0.") < all.len)
        buf_add(&out, str_from(minus));
    for (size_t i = 0; i < whole.len; i++) {
        if (i > 0 && (whole.len - i) % 3 == 0)
            buf_add_char(&out, ',');
        buf_add_char(&out, whole.ptr[i]);
    }
    buf_add(&out, str_slice(all, whole.len, all.len));
    return buf_keep(&out, arena);
}

static struct str with_unit(struct str number, const char *unit, struct arena *arena)
{
    return arena_format(arena, "%.*s%s", STR_ARG(number), unit);
}

/* Decimals that leave three digits, none for numbers of three digits and more. */
static int decimals_of(double value)
{
    double size = fabs(value);

    if (size == 0 || size >= 100)
        return 0;
    return 2 - (int)floor(log10(size));
}

/* 2.50 says no more than 2.5 beside a mark. */
static struct str trimmed(double value, struct arena *arena)
{
    struct str text = chart_number_fixed(value, decimals_of(value), arena);

    if (decimals_of(value) > 0)
        while (text.ptr[text.len - 1] == '0')
            text.len--;
    if (text.ptr[text.len - 1] == '.')
        text.len--;
    return text;
}

struct str chart_number_short(double value, enum chart_number number, struct arena *arena)
{
    static const struct {
        double unit;
        const char *name;
    } units[] = {{1e12, " T"}, {1e9, " G"}, {1e6, " M"}};

    if (!isfinite(value))
        return STR("\xE2\x80\x93"); /* an en dash */
    if (number == CHART_PERCENT && value > 0 && value < 0.0005)
        return STR("<0.1%"); /* only nothing is 0.0% */
    if (number == CHART_PERCENT)
        return with_unit(fabs(value) < 1e4 ? chart_number_fixed(100 * value, 1, arena)
                                           : arena_format(arena, "%.3g", 100 * value),
                         "%", arena);
    if (value != 0 && (fabs(value) < 1e-6 || fabs(value) >= 1e15))
        return arena_format(arena, "%.3g", value);
    for (size_t i = 0; i < ROWS_OF(units); i++)
        if (fabs(value) >= units[i].unit)
            return with_unit(trimmed(value / units[i].unit, arena), units[i].name, arena);
    return value == floor(value) ? chart_number_fixed(value, 0, arena)
                                 : trimmed(value, arena);
}

struct str chart_number_percent(double share, struct arena *arena)
{
    double percent = 100 * share;
    bool near_end = (percent > 0 && percent < 0.95) || (percent > 99.05 && percent < 100);

    if (fabs(share) >= 1e4)
        return chart_number_short(share, CHART_PERCENT, arena);
    if (percent > 0 && percent < 0.05)
        return STR("<0.1%");
    if (percent > 99.95 && percent < 100)
        return STR(">99.9%");
    return with_unit(chart_number_fixed(percent, near_end ? 1 : 0, arena), "%", arena);
}

/* An axis of numbers: where its ticks are, what they are called, where a value stands. */

/* A step of 1, 2 or 5 times a power of ten. */
struct step {
    int mantissa, power;
};

/* Multiples are computed so that they are the doubles nearest to the decimal number:
 * 3 * 0.1 is not 0.3, but 3 / 10 is. */
static double multiple(struct step step, double times)
{
    double number = times * step.mantissa;

    return step.power < 0 ? number / pow(10, -step.power) : number * pow(10, step.power);
}

static struct step next_step(struct step step)
{
    switch (step.mantissa) {
    case 1:
        return (struct step){2, step.power};
    case 2:
        return (struct step){5, step.power};
    default:
        return (struct step){1, step.power + 1};
    }
}

/* Which multiples of the step make up the axis. A rest of rounding adds no tick. */
static void bounds(struct step step, double low, double high, bool tight, double *first,
                   double *last)
{
    double size = multiple(step, 1), rest = 1e-9;

    *first = tight ? ceil(low / size - rest) : floor(low / size + rest);
    *last = tight ? floor(high / size + rest) : ceil(high / size - rest);
}

static void choose_linear(struct chart_axis *axis, size_t ticks_max, struct arena *arena)
{
    double span = axis->high - axis->low, first, last;
    struct step step = {1, (int)floor(log10(span / (double)ticks_max))};

    if (axis->whole && step.power < 0)
        step = (struct step){1, 0};
    bounds(step, axis->low, axis->high, axis->tight, &first, &last);
    while (last - first + 1 > (double)ticks_max) {
        step = next_step(step);
        bounds(step, axis->low, axis->high, axis->tight, &first, &last);
    }
    axis->tick_count = last < first ? 0 : (size_t)(last - first) + 1;
    axis->ticks = arena_array(arena, double, axis->tick_count + 1);
    for (size_t i = 0; i < axis->tick_count; i++)
        axis->ticks[i] = multiple(step, first + (double)i);
    if (!axis->tight) {
        axis->low = multiple(step, first);
        axis->high = multiple(step, last);
    }
    axis->decimals = step.power < 0 ? -step.power : 0;
    axis->unit = 1;
    for (double unit = 1e6; unit <= 1e12; unit *= 1e3)
        if (fmax(fabs(axis->low), fabs(axis->high)) >= unit) {
            int power = step.power - (int)lround(log10(unit));
            axis->unit = unit;
            axis->decimals = power < 0 ? -power : 0;
        }
}

/* The ticks of a log scale by rank: 1, 2, 5, 10, 20, 50, ... have rank 0, 1, 2, 3, ... */
static double log_tick(int rank)
{
    static const double mantissa[] = {1, 2, 5};
    int power = (int)floor(rank / 3.0);

    return power < 0 ? mantissa[rank - 3 * power] / pow(10, -power)
                     : mantissa[rank - 3 * power] * pow(10, power);
}

/* How many of these ranks are multiples. */
static int count_ranks(int first, int last, int of)
{
    int count = 0;

    for (int rank = first; rank <= last; rank++)
        count += rank % of == 0;
    return count;
}

static void choose_log(struct chart_axis *axis, size_t ticks_max, struct arena *arena)
{
    int first = 3 * (int)floor(log10(axis->low)) - 3, last, every;

    while (log_tick(first + 1) <= axis->low)
        first++;
    last = first + 1;
    while (log_tick(last) < axis->high)
        last++;
    if (axis->tight) {
        first += log_tick(first) < axis->low;
        last -= log_tick(last) > axis->high && last > first;
    } else {
        axis->low = log_tick(first);
        axis->high = log_tick(last);
    }
    /* All of them; else powers of ten, but 0.2, 1, 5, 20 where there are hardly any of
     * these; else every second, third ... power. */
    every = last - first + 1 <= (int)ticks_max ? 1 : 3;
    if (every == 3 && count_ranks(first, last, 3) < 3 &&
        count_ranks(first, last, 2) <= (int)ticks_max)
        every = 2;
    while (every > 2 && (last - first) / every + 1 > (int)ticks_max)
        every += 3;
    axis->ticks = arena_array(arena, double, (size_t)(last - first) + 1);
    axis->tick_count = 0;
    for (int rank = first; rank <= last; rank++)
        if (rank % every == 0)
            axis->ticks[axis->tick_count++] = log_tick(rank);
}

/* Months or quarters, each, every third, every sixth, while no whole year is between two
 * ticks; false: there would be too many. */
static bool choose_parts(struct chart_axis *axis, size_t ticks_max, struct arena *arena)
{
    const double rest = 1e-6;

    for (int step = 1; step < axis->parts;
         step *= step == 1 && axis->parts == 12 ? 3 : 2) {
        double each = (double)axis->parts / step;
        double first = ceil(axis->low * each - rest),
               last = floor(axis->high * each + rest);
        if (last - first + 1 > (double)ticks_max || last < first)
            continue;
        axis->tick_count = (size_t)(last - first) + 1;
        axis->ticks = arena_array(arena, double, axis->tick_count);
        for (size_t i = 0; i < axis->tick_count; i++)
            axis->ticks[i] = (first + (double)i) / each;
        return true;
    }
    return false;
}

/* An axis needs two different ends: room around a single value. */
static void part(double *low, double *high)
{
    double room = *low == 0 ? 1 : fabs(*low) / 2;

    if (*high - *low > 1e-12 * fmax(fabs(*low), fabs(*high)))
        return;
    *low -= *low == 0 ? 0 : room;
    *high += room;
}

void chart_axis_choose(struct chart_axis *axis, double low, double high, size_t ticks_max,
                       struct arena *arena)
{
    assert(low <= high && ticks_max >= 3);
    axis->low = low;
    axis->high = high;
    if (axis->scale == CHART_LOG) {
        assert(low > 0);
        choose_log(axis, ticks_max, arena);
        return;
    }
    if (axis->scale == CHART_YEARS) {
        axis->whole = true;
        axis->tight = low < high;
    }
    if (axis->scale == CHART_YEARS && low == high) {
        double part = axis->parts > 1 ? 1.0 / axis->parts : 1;
        axis->low = low - part;
        axis->high = high + part;
        axis->tight = axis->parts > 1;
    }
    axis->in_parts = axis->scale == CHART_YEARS && choose_parts(axis, ticks_max, arena);
    if (axis->in_parts)
        return;
    part(&axis->low, &axis->high);
    choose_linear(axis, ticks_max, arena);
}

bool chart_axis_reaches(const struct chart_axis *axis, double value)
{
    double rest = 1e-12 * (fabs(axis->low) + fabs(axis->high));

    return !axis->limited || (value >= axis->low - rest && value <= axis->high + rest);
}

double chart_axis_at(const struct chart_axis *axis, double value)
{
    double low = axis->low, high = axis->high, share;

    if (axis->scale == CHART_LOG) {
        value = value > 0 ? log(value) : log(low);
        low = log(low);
        high = log(high);
    }
    share = fmax(0, fmin(1, (value - low) / (high - low)));
    return axis->from + share * (axis->to - axis->from);
}

/* Percents need two decimals less than shares; a log scale has its own for each tick. */
static struct str percent_name(const struct chart_axis *axis, double tick,
                               struct arena *arena)
{
    int decimals = axis->decimals - 2;
    struct str number;

    if (100 * fabs(tick) >= 1e6)
        return chart_number_short(tick, CHART_PERCENT, arena);
    if (axis->scale == CHART_LOG)
        decimals = (int)-floor(log10(tick) + 1e-9) - 2;
    number = chart_number_fixed(100 * tick, decimals > 0 ? decimals : 0, arena);
    return arena_format(arena, "%.*s%%", STR_ARG(number));
}

static struct str plain_name(const struct chart_axis *axis, double tick,
                             struct arena *arena)
{
    const char *unit = axis->unit == 1e12  ? " T"
                       : axis->unit == 1e9 ? " G"
                       : axis->unit == 1e6 ? " M"
                                           : "";
    struct str number;

    if (axis->decimals > 6 || fabs(tick) >= 1e15)
        return arena_format(arena, "%.3g", tick);
    if (tick == 0 && axis->unit > 1)
        return STR("0");
    number = chart_number_fixed(tick / axis->unit, axis->decimals, arena);
    return arena_format(arena, "%.*s%s", STR_ARG(number), unit);
}

struct str chart_year_name(double year, int parts, struct arena *arena)
{
    long part = parts > 1 ? lround((year - floor(year + 1e-6)) * parts) : 0;

    year = floor(year + 1e-6);
    if (parts == 4)
        return arena_format(arena, "%.0f-Q%ld", year, part + 1);
    return parts > 1 ? arena_format(arena, "%.0f-%02ld", year, part + 1)
                     : arena_format(arena, "%.0f", year);
}

struct str chart_axis_name(const struct chart_axis *axis, double tick,
                           struct arena *arena)
{
    if (axis->scale == CHART_YEARS)
        return chart_year_name(tick, axis->in_parts ? axis->parts : 0, arena);
    if (axis->number == CHART_PERCENT)
        return percent_name(axis, tick, arena);
    if (axis->scale == CHART_LOG)
        return chart_number_short(tick, CHART_PLAIN, arena);
    return plain_name(axis, tick, arena);
}
