/* Numbers as they are printed in a figure. */
#include <math.h>

#include "chart/internal.h"

static const char minus[] = "\xE2\x88\x92";

struct str number_fixed(double value, int decimals, struct arena *arena)
{
    struct str all = text_format(arena, "%.*f", decimals, fabs(value)), result;
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
    result = arena_copy(arena, buf_str(&out));
    buf_free(&out);
    return result;
}

static struct str with_unit(struct str number, const char *unit, struct arena *arena)
{
    return text_format(arena, "%.*s%s", STR_ARG(number), unit);
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
    struct str text = number_fixed(value, decimals_of(value), arena);

    if (decimals_of(value) > 0)
        while (text.ptr[text.len - 1] == '0')
            text.len--;
    if (text.ptr[text.len - 1] == '.')
        text.len--;
    return text;
}

struct str number_short(double value, enum chart_number number, struct arena *arena)
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
        return with_unit(fabs(value) < 1e4 ? number_fixed(100 * value, 1, arena)
                                           : text_format(arena, "%.3g", 100 * value),
                         "%", arena);
    if (value != 0 && (fabs(value) < 1e-6 || fabs(value) >= 1e15))
        return text_format(arena, "%.3g", value);
    for (size_t i = 0; i < ROWS_OF(units); i++)
        if (fabs(value) >= units[i].unit)
            return with_unit(trimmed(value / units[i].unit, arena), units[i].name, arena);
    return value == floor(value) ? number_fixed(value, 0, arena) : trimmed(value, arena);
}

struct str number_percent(double share, struct arena *arena)
{
    double percent = 100 * share;
    bool near_end = (percent > 0 && percent < 0.95) || (percent > 99.05 && percent < 100);

    if (fabs(share) >= 1e4)
        return number_short(share, CHART_PERCENT, arena);
    if (percent > 0 && percent < 0.05)
        return STR("<0.1%");
    if (percent > 99.95 && percent < 100)
        return STR(">99.9%");
    return with_unit(number_fixed(percent, near_end ? 1 : 0, arena), "%", arena);
}
