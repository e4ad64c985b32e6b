/* Each way to group makes a list of values with their items; a last value takes the items
 * that belong to none, where the study wants it. */
#include "measure/groups.h"

#include <stdlib.h>

#include "base/date.h"
#include "base/list.h"
#include "base/map.h"
#include "base/order.h"

static void reserve(struct measure_groups *groups, size_t count, struct arena *arena)
{
    /* One more for the items of no value. */
    groups->values = arena_array(arena, struct measure_groups_value, count + 1);
}

static struct measure_bits add_value(struct measure_groups *groups, struct str name,
                                     const struct measure_frame *frame)
{
    struct measure_groups_value *value = &groups->values[groups->count++];

    *value = (struct measure_groups_value){
        .name = name,
        .year = ITEM_NONE,
        .source = STUDY_NONE,
        .bits = measure_bits_make(frame->count, frame->arena)};
    return value->bits;
}

static bool check_count(const struct study_group *group, size_t count, struct err *err)
{
    return count <= MEASURE_GROUPS_MAX ||
           err_set(err, ERR_INPUT, "group %.*s: found %zu values, expected at most %d",
                   STR_ARG(group->name), count, MEASURE_GROUPS_MAX);
}

/* Years, quarters, months: from the first that occurs to the last, the empty ones too. */

static int64_t period_number(enum study_grouping grouping, int64_t ms)
{
    struct date date = date_to_civil(ms);

    return grouping == STUDY_GROUPING_YEAR ? date.year
           : grouping == STUDY_GROUPING_QUARTER
               ? (int64_t)date.year * 4 + (date.month - 1) / 3
               : (int64_t)date.year * 12 + date.month - 1;
}

static int64_t period_begin(enum study_grouping grouping, int64_t number)
{
    int parts = grouping == STUDY_GROUPING_YEAR      ? 1
                : grouping == STUDY_GROUPING_QUARTER ? 4
                                                     : 12;
    struct date date = {(int)(number / parts), (int)(number % parts) * (12 / parts) + 1,
                        1};

    return date_from_civil(date);
}

static bool group_by_period(const struct study_group *group,
                            const struct measure_frame *frame, struct measure_groups *out,
                            struct err *err)
{
    enum study_grouping grouping = group->grouping;
    int64_t first = INT64_MAX, last = INT64_MIN;
    struct buf name = {0};

    for (size_t i = 0; i < frame->count; i++) {
        if (measure_column_at(frame->created_ms, i) == ITEM_NONE)
            continue;
        int64_t number = period_number(grouping, measure_column_at(frame->created_ms, i));
        first = number < first ? number : first;
        last = number > last ? number : last;
    }
    size_t count = first <= last ? (size_t)(last - first + 1) : 0;
    if (!check_count(group, count, err))
        return false;
    reserve(out, count, frame->arena);
    for (int64_t number = first; number <= last; number++) {
        int64_t ms = period_begin(grouping, number);
        study_grouping_period(grouping, ms, &name);
        add_value(out, buf_keep(&name, frame->arena), frame);
        out->values[out->count - 1].period = true;
        out->values[out->count - 1].year =
            grouping == STUDY_GROUPING_YEAR ? date_year(ms) : ITEM_NONE;
    }
    for (size_t i = 0; i < frame->count; i++)
        if (measure_column_at(frame->created_ms, i) != ITEM_NONE) {
            int64_t number =
                period_number(grouping, measure_column_at(frame->created_ms, i));
            measure_bits_set(out->values[number - first].bits, i);
        }
    return true;
}

static void group_by_queries(const struct study_group *group,
                             const struct measure_groups_inputs *inputs,
                             struct measure_groups *out)
{
    const struct measure_frame *frame = inputs->frame;
    struct measure_bits taken = measure_bits_make(frame->count, frame->arena);
    bool first_of = group->grouping == STUDY_GROUPING_FIRST_OF;

    reserve(out, group->count, frame->arena);
    for (size_t v = 0; v < group->count; v++) {
        struct measure_bits found = inputs->slots[v].bits;
        struct measure_bits bits = add_value(out, group->names[v], frame);
        MEASURE_BITS_EACH (i, found)
            if (!first_of || !measure_bits_has(taken, i))
                measure_bits_set(bits, i);
        measure_bits_add(taken, found);
    }
}

static bool group_by_sets(const struct study_group *group,
                          const struct measure_groups_inputs *inputs,
                          struct measure_groups *out, struct err *err)
{
    reserve(out, group->count, inputs->frame->arena);
    for (size_t v = 0; v < group->count; v++) {
        struct measure_bits found;
        if (!inputs->find_set(inputs->context, group->names[v], &found, err))
            return err_at(err, "group %.*s: ", STR_ARG(group->name));
        measure_bits_add(add_value(out, group->names[v], inputs->frame), found);
    }
    return true;
}

/* The value's number among the groups; names of the study's come first, in its order. */
static size_t value_of(const struct study_group *group, struct measure_groups *out,
                       const struct measure_frame *frame, struct str text)
{
    for (size_t s = 0; s < group->shown_count; s++)
        if (str_eq(group->shown[s].key, text)) {
            text = group->shown[s].value;
            break;
        }
    for (size_t v = 0; v < out->count; v++)
        if (str_eq(out->values[v].name, text))
            return v;
    add_value(out, text, frame);
    return out->count - 1;
}

/* The next of the values that a text gives: its lines, or all of it. */
static bool next_value(const struct study_group *group, struct str *rest,
                       struct str *value)
{
    if (rest->len == 0)
        return false;
    *value = *rest;
    if (group->list)
        str_cut(rest, '\n', value);
    else
        *rest = (struct str){0};
    return true;
}

static bool group_by_field(const struct study_group *group,
                           const struct measure_groups_inputs *inputs,
                           struct measure_groups *out, struct err *err)
{
    const struct measure_frame *frame = inputs->frame;
    struct map distinct = {.arena = frame->arena};
    struct measure_frame_texts texts;
    struct str rest, value;

    if (!measure_frame_field(frame, group->field, &texts, err))
        return false;
    if (texts.name_count == 0)
        return err_set(
            err, ERR_INPUT,
            "group %.*s: no item has a field '%.*s'; see `fields` of the source",
            STR_ARG(group->name), STR_ARG(group->field));
    for (size_t t = 0; t < texts.name_count; t++)
        for (rest = texts.names[t]; next_value(group, &rest, &value);)
            (void)map_number(&distinct, value);
    if (!check_count(group, distinct.count, err))
        return false;
    reserve(out, distinct.count + group->shown_count, frame->arena);
    for (size_t s = 0; s < group->shown_count; s++)
        value_of(group, out, frame, group->shown[s].key);
    const struct map_entry *sorted = map_sorted(&distinct, frame->arena);
    size_t *values = arena_array(frame->arena, size_t, distinct.count + 1);
    for (size_t d = 0; d < distinct.count; d++)
        values[sorted[d].value] = value_of(group, out, frame, sorted[d].key);
    for (size_t i = 0; i < frame->count; i++)
        for (rest = texts.of[i] > 0 ? texts.names[texts.of[i] - 1] : (struct str){0};
             next_value(group, &rest, &value);)
            measure_bits_set(out->values[values[*map_get(&distinct, value)]].bits, i);
    return true;
}

/* Tags of items, one behind the other. */
struct tagged {
    size_t item, tag;
};

struct tags_reader {
    const struct measure_frame *frame;
    struct map tags; /* to numbers, in order of appearance */
    LIST(struct tagged) all;
};

static bool take_tags(void *context, const struct store_row *row, struct err *err)
{
    struct tags_reader *reader = context;
    struct str rest = row->item.tags, tag;
    struct tagged one = {measure_frame_find(reader->frame, row->item.id), 0};

    (void)err;
    while (one.item < reader->frame->count && query_tag_next(&rest, &tag)) {
        one.tag = map_number(&reader->tags, tag);
        list_add(&reader->all, one);
    }
    return true;
}

struct tag_count {
    struct str name;
    size_t tag;
    int64_t count;
};

static int compare_tags(const void *a, const void *b)
{
    const struct tag_count *one = a, *two = b;

    return order_then(ORDER_BY(two->count, one->count),
                      str_compare(one->name, two->name));
}

/* The tags by how many items of a set have them, the most frequent first. */
static struct tag_count *count_tags(const struct tags_reader *reader,
                                    struct measure_bits of)
{
    struct arena *arena = reader->frame->arena;
    size_t count = reader->tags.count;
    const struct map_entry *entries = map_sorted(&reader->tags, arena);
    struct tag_count *counts = arena_array(arena, struct tag_count, count + 1);

    for (size_t t = 0; t < count; t++)
        counts[entries[t].value] =
            (struct tag_count){entries[t].key, (size_t)entries[t].value, 0};
    for (size_t i = 0; i < reader->all.count; i++)
        counts[reader->all.at[i].tag].count +=
            measure_bits_has(of, reader->all.at[i].item);
    if (count > 0)
        qsort(counts, count, sizeof *counts, compare_tags);
    return counts;
}

/* Tags that no item of the set has are no values. */
static bool choose_tags(const struct study_group *group, const struct tags_reader *reader,
                        struct measure_bits of, struct measure_groups *out,
                        struct err *err)
{
    struct arena *arena = reader->frame->arena;
    struct tag_count *counts = count_tags(reader, of);
    size_t *value = arena_array(arena, size_t, reader->tags.count + 1);
    size_t count = 0;

    for (size_t t = 0; t < reader->tags.count; t++)
        value[t] = STUDY_NONE;
    while (count < reader->tags.count && counts[count].count > 0 &&
           (group->top == 0 || count < (size_t)group->top))
        count++;
    if (count > MEASURE_GROUPS_MAX)
        return err_set(err, ERR_INPUT,
                       "group %.*s: found %zu tags, expected at most %d; {tags: 100} "
                       "takes the most frequent",
                       STR_ARG(group->name), count, MEASURE_GROUPS_MAX);
    reserve(out, count, arena);
    for (size_t t = 0; t < count; t++) {
        value[counts[t].tag] = t;
        add_value(out, counts[t].name, reader->frame);
        out->values[t].if_any = true;
    }
    for (size_t i = 0; i < reader->all.count; i++)
        if (value[reader->all.at[i].tag] != STUDY_NONE)
            measure_bits_set(out->values[value[reader->all.at[i].tag]].bits,
                             reader->all.at[i].item);
    return true;
}

static bool group_by_tags(const struct study_group *group,
                          const struct measure_groups_inputs *inputs,
                          struct measure_groups *out, struct err *err)
{
    const struct measure_frame *frame = inputs->frame;
    struct tags_reader reader = {.frame = frame, .tags = {.arena = frame->arena}};
    struct measure_bits of = measure_bits_all(frame->count, frame->arena);

    if (group->of.len > 0 && !inputs->find_set(inputs->context, group->of, &of, err))
        return err_at(err, "group %.*s: ", STR_ARG(group->name));
    bool ok = store_scan(frame->corpus, item_studied_kinds(), take_tags, &reader, err) &&
              choose_tags(group, &reader, of, out, err);
    list_free(&reader.all);
    return ok;
}

static bool group_by_source(const struct measure_groups_inputs *inputs,
                            struct measure_groups *out, struct err *err)
{
    const struct study *study = inputs->study;
    struct measure_frame_source *sources;
    size_t count;

    if (!measure_frame_sources(inputs->frame, &sources, &count, err))
        return false;
    reserve(out, study->source_count, inputs->frame->arena);
    for (size_t i = 0; i < study->source_count; i++) {
        struct measure_bits bits = add_value(out, study->sources[i].name, inputs->frame);
        out->values[i].source = i;
        out->values[i].if_any = study->source_count > 1;
        for (size_t s = 0; s < count; s++)
            if (str_eq(sources[s].name, study->sources[i].name))
                measure_bits_add(bits, sources[s].bits);
    }
    return true;
}

/* What stands over others and was not given itself is no value of its own, nor is a
 * special code that nobody used. */
static bool is_value(const struct measure_labels_code *code, int level)
{
    if (code->used)
        return true;
    return !code->special && (code->leaf || code->level == level);
}

static bool group_by_labels(const struct study_group *group,
                            const struct measure_groups_inputs *inputs,
                            struct measure_groups *out, struct err *err)
{
    const struct measure_labels *labels = inputs->labels;
    size_t *values = arena_array(inputs->frame->arena, size_t, labels->code_count + 1);

    if (!check_count(group, labels->code_count, err))
        return false;
    reserve(out, labels->code_count, inputs->frame->arena);
    for (size_t c = 0; c < labels->code_count; c++)
        values[c] = STUDY_NONE;
    for (size_t c = 0; c < labels->code_count; c++) {
        size_t shown = measure_labels_at_level(labels, c, group->level);
        if (values[shown] == STUDY_NONE &&
            is_value(&labels->codes[shown], group->level)) {
            values[shown] = out->count;
            add_value(out, labels->codes[shown].name, inputs->frame);
            out->values[values[shown]].labels = labels;
            out->values[values[shown]].code = shown;
        }
    }
    for (size_t e = 0; e < labels->count; e++) {
        size_t shown =
            measure_labels_at_level(labels, labels->entries[e].code, group->level);
        measure_bits_set(out->values[values[shown]].bits, labels->entries[e].item);
    }
    return true;
}

static void add_others(const struct study_group *group, const struct measure_frame *frame,
                       struct measure_groups *out)
{
    struct measure_bits taken = measure_bits_make(frame->count, frame->arena);

    for (size_t v = 0; v < out->count; v++)
        measure_bits_add(taken, out->values[v].bits);
    struct measure_bits others = add_value(out, group->others, frame);
    out->values[out->count - 1].others = true;
    for (size_t i = 0; i < frame->count; i++)
        if (!measure_bits_has(taken, i))
            measure_bits_set(others, i);
}

bool measure_groups_make(const struct study_group *group,
                         const struct measure_groups_inputs *inputs,
                         struct measure_groups *out, struct err *err)
{
    bool ok = true;

    *out = (struct measure_groups){0};
    switch (group->grouping) {
    case STUDY_GROUPING_YEAR:
    case STUDY_GROUPING_QUARTER:
    case STUDY_GROUPING_MONTH:
        ok = group_by_period(group, inputs->frame, out, err);
        break;
    case STUDY_GROUPING_SOURCE:
        ok = group_by_source(inputs, out, err);
        break;
    case STUDY_GROUPING_TAGS:
        ok = group_by_tags(group, inputs, out, err);
        break;
    case STUDY_GROUPING_FIRST_OF:
    case STUDY_GROUPING_ALL_OF:
        group_by_queries(group, inputs, out);
        break;
    case STUDY_GROUPING_SETS:
        ok = group_by_sets(group, inputs, out, err);
        break;
    case STUDY_GROUPING_FIELD:
        ok = group_by_field(group, inputs, out, err);
        break;
    case STUDY_GROUPING_LABELS:
        ok = group_by_labels(group, inputs, out, err);
        break;
    }
    if (ok && group->others.len > 0)
        add_others(group, inputs->frame, out);
    return ok;
}
