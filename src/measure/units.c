/* Units are the pairs of item and name that labels tell, each once. */
#include "measure/units.h"

#include <stdlib.h>
#include <string.h>

#include "base/order.h"

/* Where a unit of some labels stands: by item, then in the order of the labels. */
struct unit_at {
    size_t item, order;
    struct str name, place;
};

static int compare_units(const void *a, const void *b)
{
    const struct unit_at *one = a, *two = b;

    return order_then(
        order_then(ORDER_BY(one->item, two->item), str_compare(one->name, two->name)),
        ORDER_BY(one->order, two->order));
}

static int compare_order(const void *a, const void *b)
{
    const struct unit_at *one = a, *two = b;

    return order_then(ORDER_BY(one->item, two->item), ORDER_BY(one->order, two->order));
}

static struct unit_at *list_units(const struct measure_labels *const *labels,
                                  size_t count, struct arena *arena, size_t *found)
{
    size_t room = 0, all = 0;

    for (size_t l = 0; l < count; l++)
        room += labels[l]->unit_count;
    struct unit_at *units = arena_array(arena, struct unit_at, room + 1);
    for (size_t l = 0; l < count; l++)
        for (size_t u = 0; u < labels[l]->unit_count; u++) {
            const struct measure_labels_unit *unit = &labels[l]->units[u];
            units[all] = (struct unit_at){unit->item, all, unit->name, unit->place};
            all++;
        }
    if (all > 0)
        qsort(units, all, sizeof *units, compare_units);
    *found = 0;
    for (size_t i = 0; i < all; i++)
        if (i == 0 || units[i].item != units[*found - 1].item ||
            !str_eq(units[i].name, units[*found - 1].name))
            units[(*found)++] = units[i];
    if (*found > 0)
        qsort(units, *found, sizeof *units, compare_order);
    return units;
}

static struct measure_column gathered(const struct measure_units *units,
                                      struct measure_column column, struct arena *arena)
{
    struct measure_column_maker out = {0};

    for (size_t i = 0; i < units->frame.count; i++)
        measure_column_add(&out, measure_column_at(column, units->item_of[i]), arena);
    return measure_column_end(&out, arena);
}

struct measure_bits measure_units_lift(const struct measure_units *units,
                                       struct measure_bits items, struct arena *arena)
{
    struct measure_bits out = measure_bits_make(units->frame.count, arena);

    for (size_t i = 0; i < units->frame.count; i++)
        if (measure_bits_has(items, units->item_of[i]))
            measure_bits_set(out, i);
    return out;
}

static void gather_answerers(struct measure_units *units,
                             const struct measure_frame *items, struct arena *arena)
{
    struct measure_column_maker begin = {0}, answerers = {0};

    for (size_t i = 0; i < units->frame.count; i++) {
        size_t item = units->item_of[i],
               to = (size_t)measure_column_at(items->answers_begin, item + 1);
        measure_column_add(&begin, (int64_t)answerers.count, arena);
        for (size_t k = (size_t)measure_column_at(items->answers_begin, item); k < to;
             k++)
            measure_column_add(&answerers, measure_column_at(items->answerers, k), arena);
    }
    measure_column_add(&begin, (int64_t)answerers.count, arena);
    units->frame.answers_begin = measure_column_end(&begin, arena);
    units->frame.answerers = measure_column_end(&answerers, arena);
}

void measure_units_make(const struct measure_frame *items,
                        const struct measure_labels *const *labels, size_t count,
                        struct arena *arena, struct measure_units *out)
{
    size_t found;
    struct unit_at *all = list_units(labels, count, arena, &found);
    size_t *item_of = arena_array(arena, size_t, found + 1);
    struct measure_frame_unit *names =
        arena_array(arena, struct measure_frame_unit, found + 1);
    struct measure_frame *frame = &out->frame;

    for (size_t i = 0; i < found; i++) {
        item_of[i] = all[i].item;
        names[i] = (struct measure_frame_unit){all[i].name, all[i].place};
    }
    *frame = *items;
    frame->arena = arena;
    frame->count = found;
    frame->of_items = items;
    frame->item_of = out->item_of = item_of;
    frame->units = names;
    for (size_t n = 0; n < ITEM_NUMBERS; n++)
        frame->numbers[n] = gathered(out, items->numbers[n], arena);
    frame->first_ms = gathered(out, items->first_ms, arena);
    frame->last_ms = gathered(out, items->last_ms, arena);
    frame->end_ms = gathered(out, items->end_ms, arena);
    struct measure_bits *bits[] = {
        &frame->first_late,     &frame->accepted_late, &frame->accepted,
        &frame->answered,       &frame->closed,        &frame->accepted_known,
        &frame->answered_known, &frame->closed_known,  &frame->endorsed_known};
    for (size_t b = 0; b < ROWS_OF(bits); b++)
        *bits[b] = measure_units_lift(out, *bits[b], arena);
    gather_answerers(out, items, arena);
}

/* The unit of labels in the frame. Units of an item stand together. */
static size_t find_unit(const struct measure_units *units,
                        const struct measure_labels_unit *unit)
{
    size_t low = 0, high = units->frame.count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (units->item_of[middle] < unit->item)
            low = middle + 1;
        else
            high = middle;
    }
    while (low < units->frame.count && units->item_of[low] == unit->item &&
           !str_eq(units->frame.units[low].name, unit->name))
        low++;
    return low;
}

static void set_labels(const struct measure_units *units, const struct study_group *group,
                       const struct measure_labels *labels, struct measure_groups *out)
{
    for (size_t e = 0; e < labels->unit_entry_count; e++) {
        const struct measure_labels_unit_entry *entry = &labels->unit_entries[e];
        size_t shown = measure_labels_at_level(labels, entry->code, group->level);
        for (size_t v = 0; v < out->count; v++)
            if (out->values[v].labels != NULL && out->values[v].code == shown)
                measure_bits_set(out->values[v].bits,
                                 find_unit(units, &labels->units[entry->unit]));
    }
}

struct measure_groups measure_units_group(const struct measure_units *units,
                                          const struct study_group *group,
                                          const struct measure_groups *items,
                                          const struct measure_labels *labels,
                                          struct arena *arena)
{
    size_t count = units->frame.count;
    struct measure_groups out = {
        arena_array(arena, struct measure_groups_value, items->count + 1), items->count};
    struct measure_bits taken = measure_bits_make(count, arena);

    for (size_t v = 0; v < items->count; v++) {
        out.values[v] = items->values[v];
        out.values[v].bits =
            labels != NULL ? measure_bits_make(count, arena)
                           : measure_units_lift(units, items->values[v].bits, arena);
    }
    if (labels == NULL)
        return out;
    set_labels(units, group, labels, &out);
    for (size_t v = 0; v < out.count; v++)
        measure_bits_add(taken, out.values[v].bits);
    for (size_t i = 0; group->others.len > 0 && i < count; i++)
        if (!measure_bits_has(taken, i))
            measure_bits_set(out.values[out.count - 1].bits, i);
    return out;
}
