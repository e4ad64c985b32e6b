/* What each kind of measure means. Undefined is shown as undefined, with the reason. */
#include "measure/internal.h"

#include <math.h>
#include <string.h>

#include "base/date.h"
#include "stats/interval.h"
#include "stats/survival.h"
#include "stats/values.h"

static struct measure_bits old_enough(const struct measure_frame *frame, double days)
{
    struct measure_bits old = measure_bits_make(frame->count, frame->arena);
    int64_t age_ms = (int64_t)(days * (double)DATE_DAY_MS);

    for (size_t i = 0; i < frame->count; i++)
        if (measure_column_at(frame->created_ms, i) != ITEM_NONE &&
            measure_column_at(frame->created_ms, i) <=
                measure_column_at(frame->end_ms, i) - age_ms)
            measure_bits_set(old, i);
    return old;
}

/* Whom the event came to in time. It is known of those who could have waited so long
 * before their source ended, be it that they did or not: of the others only those would
 * be known to whom it came early. */
static void find_within(struct measure_cell_column *column)
{
    const struct measure_frame *frame = column->frame;
    const struct study_measure *measure = column->quantity.measure;
    double within_ms = measure->within * (double)measure->unit_ms;
    struct measure_quantity exact = column->quantity; /* 600.4 is not within 600 */
    struct stats_survival_case wait;

    exact.round_first = -1;

    column->condition = measure_bits_make(frame->count, frame->arena);
    column->known = measure_bits_make(frame->count, frame->arena);
    column->young = measure_bits_make(frame->count, frame->arena);
    for (size_t i = 0; i < frame->count; i++) {
        if (!measure_quantity_wait(&exact, i, &wait))
            continue;
        bool young = (double)(measure_column_at(frame->end_ms, i) -
                              measure_column_at(frame->created_ms, i)) < within_ms;
        measure_bits_set(young ? column->young : column->known, i);
        if (wait.happened && wait.time <= measure->within)
            measure_bits_set(column->condition, i);
    }
}

static bool endorsed_bits(const struct measure_frame *frame, struct measure_bits *out,
                          struct err *err)
{
    struct measure_endorsed endorsed;

    if (!measure_frame_endorsed(frame, &endorsed, err))
        return false;
    *out = measure_bits_make(frame->count, frame->arena);
    for (size_t i = 0; i < frame->count; i++)
        if (measure_column_at(endorsed.ms, i) != ITEM_NONE)
            measure_bits_set(*out, i);
    return true;
}

bool measure_cell_open(const struct study_column *column,
                       const struct measure_frame *frame, double confidence,
                       bool (*find_set)(void *context, struct str name,
                                        struct measure_bits *out, struct err *err),
                       void *context, struct measure_cell_column *out, struct err *err)
{
    const struct study_measure *measure =
        column->measure.ranked != NULL ? column->measure.ranked : &column->measure;

    *out = (struct measure_cell_column){
        .column = column,
        .frame = frame,
        .known = measure_bits_all(frame->count, frame->arena),
        .confidence = confidence,
        .old = column->minimum_age_days > 0
                   ? old_enough(frame, column->minimum_age_days)
                   : measure_bits_all(frame->count, frame->arena)};
    switch (measure->condition) {
    case STUDY_MEASURE_ALL:
        break;
    case STUDY_MEASURE_ACCEPTED:
        out->condition = frame->accepted;
        out->known = frame->accepted_known;
        break;
    case STUDY_MEASURE_ANSWERED:
        out->condition = frame->answered;
        out->known = frame->answered_known;
        break;
    case STUDY_MEASURE_ENDORSED:
        if (!endorsed_bits(frame, &out->condition, err))
            return false;
        out->known = frame->endorsed_known;
        break;
    case STUDY_MEASURE_CLOSED:
        out->condition = frame->closed;
        out->known = frame->closed_known;
        break;
    case STUDY_MEASURE_IN_SET:
        if (!find_set(context, measure->name, &out->condition, err))
            return false;
        break;
    }
    if (!measure_quantity_open(frame, measure, column->round_first, &out->quantity, err))
        return false;
    if (measure->within > 0)
        find_within(out);
    return true;
}

/* The items that are old enough and of which the condition is known. */
static struct measure_cell_items narrowed(const struct measure_cell_column *column,
                                          struct measure_cell_items items, bool known,
                                          struct arena *arena)
{
    struct measure_bits *parts = arena_array(arena, struct measure_bits, items.count + 1);

    for (size_t p = 0; p < items.count; p++) {
        parts[p] = measure_bits_and(items.parts[p], column->old, arena);
        if (known)
            parts[p] = measure_bits_and(parts[p], column->known, arena);
    }
    return (struct measure_cell_items){parts, items.count};
}

static int64_t count_all(struct measure_cell_items items)
{
    int64_t count = 0;

    for (size_t p = 0; p < items.count; p++)
        count += measure_bits_count(items.parts[p]);
    return count;
}

static int64_t count_meeting(const struct measure_cell_column *column,
                             struct measure_cell_items items)
{
    bool negated = column->quantity.measure->negated;
    int64_t count = 0;

    for (size_t p = 0; p < items.count; p++) {
        struct measure_bits part = items.parts[p];
        MEASURE_BITS_EACH (i, part)
            count += measure_bits_has(column->condition, i) != negated;
    }
    return count;
}

int64_t measure_cell_count(const struct measure_cell_column *column,
                           struct measure_cell_items items, struct arena *arena)
{
    bool all = column->quantity.measure->condition == STUDY_MEASURE_ALL;

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

static struct result_cell share(int64_t x, struct measure_cell_whole whole,
                                double confidence)
{
    if (whole.undefined != NULL)
        return undefined(whole.undefined, x);
    struct stats_interval interval = stats_interval_wilson(x, whole.count, confidence);
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
static struct result_cell share_of(int64_t x, struct measure_cell_whole whole,
                                   double confidence)
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

static struct result_cell describe(const struct study_measure *measure,
                                   struct stats_values values, struct arena *arena)
{
    struct stats_describe all = stats_describe(values, arena);
    double value = measure->kind == STUDY_MEASURE_SUM      ? all.sum
                   : measure->kind == STUDY_MEASURE_MEAN   ? all.mean
                   : measure->kind == STUDY_MEASURE_MEDIAN ? all.median
                   : measure->kind == STUDY_MEASURE_MIN    ? all.min
                   : measure->kind == STUDY_MEASURE_MAX    ? all.max
                                                           : all.sd;
    const char *why =
        measure->kind == STUDY_MEASURE_SD ? all.sd_undefined : all.undefined;

    if (all.undefined != NULL || (measure->kind == STUDY_MEASURE_SD && why != NULL))
        return undefined(why != NULL ? why : all.undefined, all.count);
    if (measure->kind == STUDY_MEASURE_QUANTILE)
        value = stats_quantile(values, measure->level, arena);
    return known(value, all.count);
}

/* The parts' values one behind the other. */
static struct stats_values values_of(const struct measure_cell_column *column,
                                     struct measure_cell_items items, struct arena *arena)
{
    struct stats_values *parts = arena_array(arena, struct stats_values, items.count + 1);
    int64_t negative = 0; /* see measure_cell_negative() */

    for (size_t p = 0; p < items.count; p++)
        parts[p] =
            measure_quantity_values(&column->quantity, items.parts[p], arena, &negative);
    return items.count == 1 ? parts[0] : stats_values_joined(parts, items.count, arena);
}

int64_t measure_cell_negative(const struct measure_cell_column *column,
                              struct measure_bits items, struct arena *arena)
{
    struct arena_mark mark = arena_mark(arena);
    struct measure_bits old =
        narrowed(column, (struct measure_cell_items){&items, 1}, false, arena).parts[0];
    int64_t negative = 0;

    if (study_measure_is_time(column->quantity.measure))
        MEASURE_BITS_EACH (i, old)
            (void)measure_quantity_value(&column->quantity, i, &negative);
    arena_rewind(arena, mark);
    return negative;
}

int64_t measure_cell_unknown(const struct measure_cell_column *column,
                             struct measure_bits items, struct arena *arena)
{
    const struct study_measure *measure = column->quantity.measure;
    bool time = study_measure_is_time(measure);
    int64_t unknown = 0;

    if (!time && !study_measure_asks_endorsed(measure))
        return 0;
    if (column->old.words != NULL)
        items = measure_bits_and(items, column->old, arena);
    MEASURE_BITS_EACH (i, items)
        unknown += time ? measure_quantity_unknown(&column->quantity, i)
                        : !measure_bits_has(column->frame->endorsed_known, i);
    return unknown;
}

int64_t measure_cell_young(const struct measure_cell_column *column,
                           struct measure_bits items, struct arena *arena)
{
    if (column->young.words == NULL)
        return 0;
    if (column->old.words != NULL)
        items = measure_bits_and(items, column->old, arena);
    return measure_bits_count(measure_bits_and(items, column->young, arena));
}

struct measure_bits measure_cell_known(const struct measure_cell_column *column,
                                       struct measure_bits items, struct arena *arena)
{
    return narrowed(column, (struct measure_cell_items){&items, 1}, true, arena).parts[0];
}

static bool is_behind(const struct measure_cell_column *column, size_t item)
{
    const struct study_measure *measure = column->quantity.measure;
    struct stats_survival_case wait;
    int64_t negative = 0;

    switch (measure->kind) {
    case STUDY_MEASURE_COUNT:
    case STUDY_MEASURE_PART:
        return measure->condition == STUDY_MEASURE_ALL ||
               measure_bits_has(column->condition, item) != measure->negated;
    case STUDY_MEASURE_SHARE:
    case STUDY_MEASURE_DISTINCT:
        return true;
    case STUDY_MEASURE_SURVIVAL:
        return measure_quantity_wait(&column->quantity, item, &wait);
    default:
        return !isnan(measure_quantity_value(&column->quantity, item, &negative));
    }
}

struct measure_bits measure_cell_behind(const struct measure_cell_column *column,
                                        struct measure_bits items, struct arena *arena)
{
    bool known = column->quantity.measure->condition != STUDY_MEASURE_ALL;
    struct measure_bits within =
        narrowed(column, (struct measure_cell_items){&items, 1}, known, arena).parts[0];
    struct measure_bits behind = measure_bits_make(items.count, arena);

    MEASURE_BITS_EACH (i, within)
        if (is_behind(column, i))
            measure_bits_set(behind, i);
    return behind;
}

static struct result_cell survival(const struct measure_cell_column *column,
                                   struct measure_cell_items items, struct arena *arena)
{
    struct stats_survival_case *cases =
        arena_array(arena, struct stats_survival_case, (size_t)count_all(items) + 1);
    size_t count = 0;

    for (size_t p = 0; p < items.count; p++)
        count += measure_quantity_waits(&column->quantity, items.parts[p], cases + count);
    struct stats_survival_walk walk =
        stats_survival_begin(cases, count, column->confidence);
    if (walk.undefined != NULL)
        return undefined(walk.undefined, (int64_t)count);
    struct stats_survival_median median = stats_survival_walk_median(&walk);
    /* A bound is known before the median is; what comes after the last wait is open. */
    double high =
        !isnan(median.low) && isnan(median.high) ? (double)INFINITY : median.high;
    struct result_cell cell = estimated(median.median, median.low, high, (int64_t)count);
    cell.undefined = median.undefined;
    if (median.undefined == NULL)
        cell.no_interval = median.low_undefined;
    return cell;
}

static int64_t distinct(const struct measure_cell_column *column,
                        struct measure_cell_items items, struct arena *arena)
{
    struct measure_bits all = measure_bits_make(column->frame->count, arena);

    for (size_t p = 0; p < items.count; p++)
        measure_bits_add(all, items.parts[p]);
    return measure_quantity_distinct(&column->quantity, all);
}

struct result_cell measure_cell_compute(const struct measure_cell_column *column,
                                        struct measure_cell_items items,
                                        struct measure_cell_whole whole,
                                        struct arena *arena)
{
    const struct study_measure *measure = column->quantity.measure;
    bool any = count_all(items) > 0, part = measure->kind == STUDY_MEASURE_PART,
         condition = part || (measure->kind == STUDY_MEASURE_COUNT &&
                              measure->condition != STUDY_MEASURE_ALL);
    int64_t n;

    if (any && condition && column->column->minimum_age_days == 0 &&
        count_all(narrowed(column, items, true, arena)) == 0)
        return undefined("it is known of no item", 0);
    items = narrowed(column, items, part, arena);
    switch (measure->kind) {
    case STUDY_MEASURE_COUNT:
        n = measure_cell_count(column, items, arena);
        return known((double)n, n);
    case STUDY_MEASURE_SHARE:
        return share_of(count_all(items), whole, column->confidence);
    case STUDY_MEASURE_PART:
        return share(count_meeting(column, items),
                     (struct measure_cell_whole){count_all(items), NULL},
                     column->confidence);
    case STUDY_MEASURE_DISTINCT:
        n = distinct(column, items, arena);
        return n == ITEM_NONE ? undefined("it is known of no item", 0)
                              : known((double)n, count_all(items));
    case STUDY_MEASURE_SURVIVAL:
        return survival(column, items, arena);
    default:
        break;
    }
    struct stats_values values = values_of(column, items, arena);
    if (values.count == 0 && count_all(items) > 0)
        return undefined("no item has such a value", 0);
    return describe(measure, values, arena);
}
