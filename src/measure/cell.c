/* What each kind of measure means. Undefined is shown as undefined, with the reason. */
#include "measure/cell.h"

#include <math.h>
#include <string.h>

#include "base/date.h"
#include "stats/interval.h"
#include "stats/survival.h"
#include "stats/values.h"

static struct bits old_enough(const struct frame *frame, double days)
{
    struct bits old = bits_make(frame->count, frame->arena);
    int64_t age_ms = (int64_t)(days * (double)DATE_DAY_MS);

    for (size_t i = 0; i < frame->count; i++)
        if (frame->created_ms[i] != ITEM_NONE &&
            frame->created_ms[i] <= frame->end_ms[i] - age_ms)
            bits_set(old, i);
    return old;
}

bool cell_open(const struct study_column *column, const struct frame *frame,
               double confidence,
               bool (*find_set)(void *context, struct str name, struct bits *out),
               void *context, struct cell_column *out, struct err *err)
{
    const struct measure *measure =
        column->measure.ranked != NULL ? column->measure.ranked : &column->measure;

    *out = (struct cell_column){.column = column,
                                .frame = frame,
                                .known = frame->posts,
                                .confidence = confidence,
                                .old = column->minimum_age_days > 0
                                           ? old_enough(frame, column->minimum_age_days)
                                           : bits_all(frame->count, frame->arena)};
    switch (measure->condition) {
    case MEASURE_ALL:
        break;
    case MEASURE_ACCEPTED:
        out->condition = frame->accepted;
        break;
    case MEASURE_ANSWERED:
        out->condition = frame->answered;
        break;
    case MEASURE_CLOSED:
        out->condition = frame->closed;
        break;
    case MEASURE_IN_SET:
        out->known = bits_all(frame->count, frame->arena);
        if (!find_set(context, measure->name, &out->condition))
            return err_set(err, ERR_INPUT, "there is no set '%.*s'",
                           STR_ARG(measure->name));
        break;
    }
    return quantity_open(frame, measure, column->round_first, &out->quantity, err);
}

/* The items that are old enough and of which the condition is known. */
static struct cell_items narrowed(const struct cell_column *column,
                                  struct cell_items items, bool known,
                                  struct arena *arena)
{
    struct bits *parts = arena_array(arena, struct bits, items.count + 1);

    for (size_t p = 0; p < items.count; p++) {
        parts[p] = bits_and(items.parts[p], column->old, arena);
        if (known)
            parts[p] = bits_and(parts[p], column->known, arena);
    }
    return (struct cell_items){parts, items.count};
}

static int64_t count_all(struct cell_items items)
{
    int64_t count = 0;

    for (size_t p = 0; p < items.count; p++)
        count += bits_count(items.parts[p]);
    return count;
}

static int64_t count_meeting(const struct cell_column *column, struct cell_items items)
{
    bool negated = column->quantity.measure->negated;
    int64_t count = 0;

    for (size_t p = 0; p < items.count; p++) {
        struct bits part = items.parts[p];
        for (size_t i = bits_next(part, 0); i < part.count; i = bits_next(part, i + 1))
            count += bits_has(column->condition, i) != negated;
    }
    return count;
}

int64_t cell_count(const struct cell_column *column, struct cell_items items,
                   struct arena *arena)
{
    bool all = column->quantity.measure->condition == MEASURE_ALL;

    items = narrowed(column, items, !all, arena);
    return all ? count_all(items) : count_meeting(column, items);
}

static struct result_cell known(double value, int64_t n)
{
    return (struct result_cell){.value = value, .low = NAN, .high = NAN, .n = n};
}

static struct result_cell estimated(double value, double low, double high, int64_t n)
{
    return (struct result_cell){.value = value, .low = low, .high = high, .n = n};
}

static struct result_cell undefined(const char *why, int64_t n)
{
    return (struct result_cell){
        .value = NAN, .undefined = why, .low = NAN, .high = NAN, .n = n};
}

static struct result_cell share(int64_t x, struct cell_whole whole, double confidence)
{
    if (whole.undefined != NULL)
        return undefined(whole.undefined, x);
    struct interval interval = interval_wilson(x, whole.count, confidence);
    if (interval.undefined != NULL)
        return undefined(interval.undefined, whole.count);
    struct result_cell cell =
        estimated(interval.estimate, interval.low, interval.high, whole.count);
    cell.count = x;
    cell.counted = true;
    return cell;
}

/* Labels may be more than items, so that their part of a whole can exceed it: no interval
 * then. */
static struct result_cell share_of(int64_t x, struct cell_whole whole, double confidence)
{
    if (whole.undefined != NULL || (whole.count > 0 && x <= whole.count))
        return share(x, whole, confidence);
    if (whole.count <= 0)
        return undefined("the whole is empty", 0);
    struct result_cell cell = known((double)x / (double)whole.count, whole.count);
    cell.no_interval = "items count several times, so that the part exceeds the whole";
    cell.count = x;
    cell.counted = true;
    return cell;
}

static struct result_cell describe(const struct measure *measure, struct values values,
                                   struct arena *arena)
{
    struct describe all = describe_values(values, arena);
    double value = measure->kind == MEASURE_SUM      ? all.sum
                   : measure->kind == MEASURE_MEAN   ? all.mean
                   : measure->kind == MEASURE_MEDIAN ? all.median
                   : measure->kind == MEASURE_MIN    ? all.min
                   : measure->kind == MEASURE_MAX    ? all.max
                                                     : all.sd;
    const char *why = measure->kind == MEASURE_SD ? all.sd_undefined : all.undefined;

    if (all.undefined != NULL || (measure->kind == MEASURE_SD && why != NULL))
        return undefined(why != NULL ? why : all.undefined, all.count);
    if (measure->kind == MEASURE_QUANTILE)
        value = describe_quantile(values, measure->level, arena);
    return known(value, all.count);
}

/* The parts' values one behind the other. */
static struct values values_of(const struct cell_column *column, struct cell_items items,
                               struct arena *arena)
{
    struct values *parts = arena_array(arena, struct values, items.count + 1);
    int64_t negative = 0; /* see cell_negative() */

    for (size_t p = 0; p < items.count; p++)
        parts[p] = quantity_values(&column->quantity, items.parts[p], arena, &negative);
    return items.count == 1 ? parts[0] : values_joined(parts, items.count, arena);
}

int64_t cell_negative(const struct cell_column *column, struct bits items,
                      struct arena *arena)
{
    struct cell_items old =
        narrowed(column, (struct cell_items){&items, 1}, false, arena);
    int64_t negative = 0;

    if (measure_is_time(column->quantity.measure))
        quantity_values(&column->quantity, old.parts[0], arena, &negative);
    return negative;
}

struct bits cell_known(const struct cell_column *column, struct bits items,
                       struct arena *arena)
{
    return narrowed(column, (struct cell_items){&items, 1}, true, arena).parts[0];
}

static bool is_behind(const struct cell_column *column, size_t item)
{
    const struct measure *measure = column->quantity.measure;
    struct survival_case wait;
    int64_t negative = 0;

    switch (measure->kind) {
    case MEASURE_COUNT:
    case MEASURE_PART:
        return measure->condition == MEASURE_ALL ||
               bits_has(column->condition, item) != measure->negated;
    case MEASURE_SHARE:
    case MEASURE_DISTINCT:
        return true;
    case MEASURE_SURVIVAL:
        return quantity_wait(&column->quantity, item, &wait);
    default:
        return !isnan(quantity_value(&column->quantity, item, &negative));
    }
}

struct bits cell_behind(const struct cell_column *column, struct bits items,
                        struct arena *arena)
{
    bool known = column->quantity.measure->condition != MEASURE_ALL;
    struct bits within =
        narrowed(column, (struct cell_items){&items, 1}, known, arena).parts[0];
    struct bits behind = bits_make(items.count, arena);

    for (size_t i = bits_next(within, 0); i < within.count; i = bits_next(within, i + 1))
        if (is_behind(column, i))
            bits_set(behind, i);
    return behind;
}

static struct result_cell survival(const struct cell_column *column,
                                   struct cell_items items, struct arena *arena)
{
    struct survival_case *cases =
        arena_array(arena, struct survival_case, (size_t)count_all(items) + 1);
    size_t count = 0;

    for (size_t p = 0; p < items.count; p++) {
        size_t more;
        struct survival_case *part =
            quantity_waits(&column->quantity, items.parts[p], arena, &more);
        memcpy(cases + count, part, more * sizeof *part);
        count += more;
    }
    struct survival curve = survival_curve(cases, count, column->confidence, arena);
    if (curve.undefined != NULL)
        return undefined(curve.undefined, (int64_t)count);
    struct survival_median median = survival_median(&curve);
    if (median.undefined != NULL)
        return undefined(median.undefined, (int64_t)count);
    struct result_cell cell =
        estimated(median.median, median.low, median.high, (int64_t)count);
    cell.no_interval =
        median.low_undefined != NULL ? median.low_undefined : median.high_undefined;
    return cell;
}

static int64_t distinct(const struct cell_column *column, struct cell_items items,
                        struct arena *arena)
{
    struct bits all = bits_make(column->frame->count, arena);

    for (size_t p = 0; p < items.count; p++)
        bits_add(all, items.parts[p]);
    return quantity_distinct(&column->quantity, all);
}

struct result_cell cell_compute(const struct cell_column *column, struct cell_items items,
                                struct cell_whole whole, struct arena *arena)
{
    const struct measure *measure = column->quantity.measure;
    int64_t n;

    items = narrowed(column, items, measure->kind == MEASURE_PART, arena);
    switch (measure->kind) {
    case MEASURE_COUNT:
        n = cell_count(column, items, arena);
        return known((double)n, n);
    case MEASURE_SHARE:
        return share_of(count_all(items), whole, column->confidence);
    case MEASURE_PART:
        return share(count_meeting(column, items),
                     (struct cell_whole){count_all(items), NULL}, column->confidence);
    case MEASURE_DISTINCT:
        n = distinct(column, items, arena);
        return known((double)n, count_all(items));
    case MEASURE_SURVIVAL:
        return survival(column, items, arena);
    default:
        break;
    }
    struct values values = values_of(column, items, arena);
    if (values.count == 0 && count_all(items) > 0)
        return undefined("no item has such a value", 0);
    return describe(measure, values, arena);
}
