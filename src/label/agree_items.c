/* Items one by one: when the codes were all known, which took long, which are disputed.
 */
#include "label/agree_items.h"

#include <math.h>
#include <stdlib.h>

static void add_saturation(const struct agree_data *data, struct arena *arena,
                           struct agree_report *report)
{
    bool *codes = arena_array(arena, bool, data->code_count + 1);
    bool *items = arena_array(arena, bool, data->item_count + 1);
    struct agree_step now = {0, 0};

    report->saturation = arena_array(arena, struct agree_step, data->code_count + 2);
    for (size_t i = 0; i < data->label_count; i++) {
        const struct agree_label *label = &data->labels[i];
        size_t before = now.codes;
        now.items += !items[label->item];
        items[label->item] = true;
        for (size_t c = 0; c < label->code_count; c++) {
            now.codes += !codes[label->codes[c]];
            codes[label->codes[c]] = true;
        }
        if (now.codes > before)
            report->saturation[report->saturation_count++] = now;
    }
    size_t count = report->saturation_count;
    if (count > 0 && report->saturation[count - 1].items < now.items)
        report->saturation[report->saturation_count++] = now;
}

static int by_seconds(const void *a, const void *b)
{
    const struct agree_item *one = a, *two = b;

    if (one->seconds != two->seconds)
        return one->seconds > two->seconds ? -1 : 1;
    return one->item < two->item ? -1 : one->item > two->item;
}

static int by_disagreement(const void *a, const void *b)
{
    const struct agree_item *one = a, *two = b;

    if (one->disagreement != two->disagreement)
        return one->disagreement > two->disagreement ? -1 : 1;
    return one->item < two->item ? -1 : one->item > two->item;
}

/* Of every item that has labels. */
static struct agree_item *single_items(const struct agree_table_view *whole,
                                       struct arena *arena, size_t *count)
{
    const struct agree_data *data = whole->data;
    struct agree_table table = agree_table_of(whole, arena);
    struct agree_item *items =
        arena_array(arena, struct agree_item, table.ratings.items + 1);
    double *timed = arena_array(arena, double, data->item_count + 1);
    double *seconds = arena_array(arena, double, data->item_count + 1);

    for (size_t i = 0; i < data->label_count; i++) {
        const struct agree_label *label = &data->labels[i];
        if (isnan(label->seconds))
            continue;
        timed[label->item]++;
        seconds[label->item] += label->seconds;
    }
    *count = table.ratings.items;
    for (size_t i = 0; i < *count; i++) {
        size_t item = table.items[i];
        items[i] =
            (struct agree_item){item, timed[item] > 0 ? seconds[item] / timed[item] : NAN,
                                1 - agree_table_equal_pairs(&table.ratings, i)};
    }
    return items;
}

static struct agree_item *chosen(const struct agree_item *items, size_t count,
                                 bool seconds, size_t top, struct arena *arena,
                                 size_t *chosen_count)
{
    struct agree_item *list = arena_array(arena, struct agree_item, count + 1);

    *chosen_count = 0;
    for (size_t i = 0; i < count; i++)
        if (seconds ? !isnan(items[i].seconds) : items[i].disagreement > 0)
            list[(*chosen_count)++] = items[i];
    qsort(list, *chosen_count, sizeof *list, seconds ? by_seconds : by_disagreement);
    if (*chosen_count > top)
        *chosen_count = top;
    return list;
}

void agree_items_add(const struct agree_table_view *whole, size_t top,
                     struct arena *arena, struct agree_report *report)
{
    size_t count;

    add_saturation(whole->data, arena, report);
    struct agree_item *items = single_items(whole, arena, &count);
    report->slowest = chosen(items, count, true, top, arena, &report->slowest_count);
    report->disputed = chosen(items, count, false, top, arena, &report->disputed_count);
}
