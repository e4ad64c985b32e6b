/* Sets and labels: what the study says of items. A set has its items and the funnel that
 * led to them, which is a table with a row a condition and items as the evidence. */
#include "run/sets.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "result/table_text.h"
#include "run/needs.h"

enum { LEFT, TAKEN_OUT, HEADS, LINES_MAX = 1000000 };

/* What each condition left, from all items down. */
struct sets_funnel {
    const struct measure_frame *frame;
    const uint8_t *passed; /* so many own conditions each item has met */
    struct arena *arena;
    struct str *conditions;
    double *left;
    size_t count;
    size_t before; /* of them those of the set that this one begins with */
    size_t begun;  /* own conditions that are among them or one row */
};

static void add_condition(struct sets_funnel *funnel, struct str condition, double left)
{
    funnel->conditions[funnel->count] = arena_copy(funnel->arena, condition);
    funnel->left[funnel->count++] = left;
}

/* The first conditions as one. */
static void add_joined(struct sets_funnel *funnel, const struct query_funnel *own,
                       size_t count)
{
    struct buf text = {0};

    for (size_t i = 0; i < count; i++) {
        struct str condition = own->rows[i].condition;
        bool brackets = count > 1 && memchr(condition.ptr, ' ', condition.len) != NULL;
        buf_add_format(&text, "%s%s%.*s%s", i > 0 ? " and " : "", brackets ? "(" : "",
                       STR_ARG(condition), brackets ? ")" : "");
    }
    add_condition(funnel, buf_str(&text), (double)own->rows[count - 1].together);
    buf_free(&text);
}

/* A set that begins with another one goes on with that one's funnel. */
static struct sets_funnel funnel_of(const struct measure_frame_slot *slot,
                                    const struct measure_frame *frame,
                                    struct run_sets_funnel from, struct arena *arena)
{
    const struct query_funnel *own = &slot->funnel;
    size_t room = own->count + 1 + (from.before != NULL ? from.before->count : 0);
    struct sets_funnel funnel = {.frame = frame,
                                 .passed = slot->passed,
                                 .arena = arena,
                                 .conditions = arena_array(arena, struct str, room),
                                 .left = arena_array(arena, double, room)};

    for (size_t i = 0; from.before != NULL && i < from.before->count; i++)
        if (str_starts(from.before->at[i].column, STR("funnel.")))
            add_condition(&funnel, from.before->at[i].heading, from.before->at[i].value);
    funnel.before = funnel.count;
    funnel.begun = from.before != NULL || own->count == 0 ? 1 : from.together;
    if (from.before == NULL && own->count > 0)
        add_joined(&funnel, own, funnel.begun);
    for (size_t i = funnel.begun; i < own->count; i++)
        add_condition(&funnel, own->rows[i].condition, (double)own->rows[i].together);
    return funnel;
}

/* The number of items with all of them, and what each condition left. */
static void add_numbers(const struct sets_funnel *funnel, struct measure_bits bits,
                        struct run_output *output)
{
    struct arena *arena = &output->arena;
    struct result_table numbers = {.name = STR("numbers")};
    size_t count = (size_t)measure_bits_count(bits), found = 0;
    int64_t *ids = arena_array(arena, int64_t, count + 1);

    for (size_t i = measure_bits_next(bits, 0); i < bits.count;
         i = measure_bits_next(bits, i + 1))
        ids[found++] = measure_column_at(funnel->frame->ids, i);
    result_add_number(&numbers, RESULT_COUNT, STR("count"), STR(""),
                      result_count((int64_t)count), arena);
    result_add_evidence(
        &numbers, &(struct result_evidence){0, 0, STR("items of the set"), ids, count},
        arena);
    for (size_t i = 0; i < funnel->count; i++) {
        char column[40];
        snprintf(column, sizeof column, "funnel.%zu", i + 1);
        result_add_number(&numbers, RESULT_COUNT, str_from(column), funnel->conditions[i],
                          result_number(funnel->left[i]), arena);
    }
    run_output_result(output, &numbers);
}

/* For LaTeX: what each condition leaves. */
static struct result_table funnel_table(struct str name, struct run_sets_funnel from,
                                        struct arena *arena)
{
    struct result_column *left = arena_array(arena, struct result_column, 1);

    *left = (struct result_column){.type = RESULT_COUNT,
                                   .name = from.mixed ? STR("items left")
                                                      : STR("questions left")};
    struct result_table table = result_new(name, left, 1, arena);
    table.title = arena_format(arena, "Funnel of %.*s", STR_ARG(name));
    table.corner = STR("condition");
    return table;
}

static void add_funnel_texts(struct run_output *output, struct str name,
                             const struct sets_funnel *funnel,
                             struct run_sets_funnel from)
{
    struct buf *csv = run_output_add_named(output, "funnels", name, ".csv");
    struct buf *markdown = run_output_add_named(output, "funnels", name, ".md");
    struct result_table table = funnel_table(name, from, &output->arena);

    const char *what = from.mixed ? "items" : "questions";
    buf_add_format(csv, "condition,%s\n", what);
    buf_add_format(markdown, "# Funnel of %.*s\n\n| condition | %s left |\n|---|---:|\n",
                   STR_ARG(name), what);
    char all[80];
    snprintf(all, sizeof all, "all %s of the sources%s", what,
             from.overlap ? ", for each that holds it" : "");
    if (from.all > 0) {
        buf_add_csv(csv, str_from(all));
        buf_add_format(csv, ",%lld\n", (long long)from.all);
        buf_add_format(markdown, "| %s | %lld |\n", all, (long long)from.all);
        *result_add_row(&table, str_from(all), RESULT_NONE, &output->arena) =
            result_count(from.all);
    }
    for (size_t i = 0; i < funnel->count; i++) {
        buf_add_csv(csv, funnel->conditions[i]);
        buf_add_format(csv, ",%.0f\n", funnel->left[i]);
        buf_add(markdown, STR("| `"));
        buf_add_markdown(markdown, funnel->conditions[i]);
        buf_add_format(markdown, "` | %.0f |\n", funnel->left[i]);
        *result_add_row(&table, funnel->conditions[i], RESULT_NONE, &output->arena) =
            result_number(funnel->left[i]);
    }
    if (funnel->before == 0 && funnel->begun > 1)
        buf_add_format(markdown,
                       "\nThe first %zu conditions are counted together: what meets only "
                       "some of them is not in the corpus. They are counted one by one "
                       "where the first is a tag or a word, or `take` brings all.\n",
                       funnel->begun);
    result_table_text_latex(&table,
                            run_output_add_named(output, "funnels", name, ".tex"));
}

/* Items of the funnel. */

static void add_items(const struct sets_funnel *funnel, size_t row, size_t column,
                      size_t condition, struct result_table *out)
{
    const struct measure_frame *frame = funnel->frame;
    const uint8_t *passed = funnel->passed;
    size_t room = 1;

    for (size_t i = 0; i < frame->count; i++)
        room += column == LEFT ? passed[i] > condition : passed[i] == condition;
    int64_t *ids = arena_array(funnel->arena, int64_t, room);
    struct result_evidence evidence = {
        row, column,
        column == LEFT ? STR("items that meet this condition and all before it")
                       : STR("items that meet all conditions before this one but not it"),
        ids, 0};
    for (size_t i = 0; i < frame->count; i++)
        if (column == LEFT ? passed[i] > condition : passed[i] == condition)
            ids[evidence.count++] = measure_column_at(frame->ids, i);
    out->cells[row * HEADS + column] = result_count((int64_t)evidence.count);
    result_add_evidence(out, &evidence, funnel->arena);
}

static void add_row(const struct sets_funnel *funnel, size_t r, struct result_table *out)
{
    struct result_cell *cells =
        result_add_row(out, funnel->conditions[r], RESULT_NONE, funnel->arena);
    /* The first row with a condition of its own, and the last condition that all items
     * of this row have met, of the set's own from 0. */
    size_t first = funnel->before > 0 ? funnel->before : 1;
    size_t condition = funnel->begun + r - first;

    for (size_t c = 0; c < HEADS; c++)
        cells[c].undefined = "its items are another set's";
    if (r < funnel->before || condition + 1 >= MEASURE_FRAME_PASSED_MAX)
        return;
    if (r + 1 < funnel->count)
        add_items(funnel, r, LEFT, condition, out);
    /* What the first took out may not be in the corpus. */
    if (r >= first)
        add_items(funnel, r, TAKEN_OUT, condition, out);
}

static void add_funnel(const struct sets_funnel *funnel, struct str set,
                       struct run_output *output)
{
    struct result_column columns[HEADS] = {
        [LEFT] = {.type = RESULT_COUNT, .name = STR("left")},
        [TAKEN_OUT] = {.type = RESULT_COUNT, .name = STR("taken out")}};
    struct result_table table = result_new(set, columns, HEADS, funnel->arena);

    for (size_t r = 0; r < funnel->count; r++)
        add_row(funnel, r, &table);
    table.apart = true;
    run_output_shorten(output, "funnels", &table, LINES_MAX);
    table.name = STR("funnel");
    run_output_result(output, &table);
}

void run_sets_write(struct run_output *output, const struct study_set *set,
                    const struct measure_frame_slot *slot,
                    const struct measure_frame *frame, struct run_sets_funnel from)
{
    struct buf *csv = run_output_add_named(output, "sets", set->name, ".csv");
    struct measure_bits bits = slot->bits;

    buf_add(csv, STR("id\n"));
    for (size_t i = measure_bits_next(bits, 0); i < bits.count;
         i = measure_bits_next(bits, i + 1)) {
        item_key_add_csv(csv, frame->spaces, measure_column_at(frame->ids, i));
        buf_add_char(csv, '\n');
    }
    struct sets_funnel funnel = funnel_of(slot, frame, from, &output->arena);
    add_numbers(&funnel, bits, output);
    add_funnel_texts(output, set->name, &funnel, from);
    add_funnel(&funnel, set->name, output);
    int64_t count = measure_bits_count(bits);
    buf_add_format(&output->says, "%lld item%s", (long long)count, count == 1 ? "" : "s");
}
static void list_set(struct run_listing *listing, struct run_step *step)
{
    const struct study_set *set = &listing->study->sets[step->index];
    struct buf section = {0};
    size_t count;
    struct str *names = query_sets(set->query, listing->arena, &count);

    step->corpus = true;
    for (size_t i = 0; i < count; i++)
        run_steps_need_source(listing, step, names[i]);
    run_steps_need_conditions(listing, step, set->query);
    query_print(set->query, &section);
    /* What of the funnel the corpus can tell depends on `take` too. */
    buf_add_format(&section, " together %zu", study_together(listing->study, set));
    run_steps_name_text(listing, step, set->name, buf_str(&section));
    buf_free(&section);
}

static bool make_set(struct run_needs *needs, const struct run_step *step,
                     struct run_output *output, struct err *err)
{
    const struct study_set *set = &needs->study->sets[step->index];
    size_t before = study_first_set(needs->study, set);
    struct arena arena = {0};
    struct run_sets_funnel from = {.overlap = study_sources_overlap(needs->study),
                                   .together = study_together(needs->study, set)};
    struct result_numbers numbers;
    const struct measure_frame_slot *slot;
    bool ok =
        run_needs_frame(needs, err) && run_needs_all(needs, &from.all, &from.mixed, err);

    if (ok && !run_needs_set_slot(needs, step->index, &slot, err))
        ok = run_needs_at(needs, set->node, "", err);

    if (ok && before != STUDY_NONE) {
        ok = run_needs_numbers(needs, &run_kind_set, before, &arena, &numbers, err);
        from.before = &numbers;
    }
    if (ok)
        run_sets_write(output, set, slot, &needs->frame, from);
    arena_free(&arena);
    return ok;
}

const struct run_kind run_kind_set = {
    .name = "sets",
    .counted = offsetof(struct study, set_count),
    .engine = 8,
    .funnels = true,
    .list = list_set,
    .make = make_set,
};

/* Labels. */

static void add_codes(struct buf *csv, const struct measure_labels *labels)
{
    buf_add(csv, STR("code,level,special,name\n"));
    for (size_t c = 0; c < labels->code_count; c++) {
        buf_add_csv(csv, labels->codes[c].id);
        buf_add_format(csv, ",%d,%s,", labels->codes[c].level,
                       labels->codes[c].special ? "yes" : "");
        buf_add_csv(csv, labels->codes[c].name);
        buf_add_char(csv, '\n');
    }
}

/* The number of labels with their items, and each label as a row. */
static void add_labels(struct run_output *output, struct str name,
                       const struct measure_labels *labels,
                       const struct measure_frame *frame)
{
    static const struct result_column columns[] = {
        {.type = RESULT_ITEM, .name = STR_INIT("id")},
        {.type = RESULT_TEXT, .name = STR_INIT("code")},
        {.type = RESULT_TEXT, .name = STR_INIT("name")}};
    struct arena *arena = &output->arena;
    struct result_table numbers = {.name = STR("numbers")};
    struct run_output_list given =
        run_output_list(output, STR("labels"), columns, ROWS_OF(columns),
                        run_output_add_named(output, "labels", name, ".csv"));
    int64_t *ids = arena_array(arena, int64_t, labels->count + 1);

    for (size_t e = 0; e < labels->count; e++) {
        const struct measure_labels_code *code = &labels->codes[labels->entries[e].code];
        ids[e] = measure_column_at(frame->ids, labels->entries[e].item);
        run_output_list_add(&given, (struct result_cell[]){result_item(ids[e]),
                                                           result_text(code->id),
                                                           result_text(code->name)});
    }
    result_add_number(&numbers, RESULT_COUNT, STR("count"), STR(""),
                      result_count((int64_t)labels->count), arena);
    result_add_evidence(
        &numbers,
        &(struct result_evidence){0, 0, STR("items with labels"), ids, labels->count},
        arena);
    run_output_result(output, &numbers);
    run_output_list_end(&given);
}

void run_sets_write_labels(struct run_output *output, const struct study_labels *from,
                           const struct measure_labels *labels,
                           const struct measure_frame *frame)
{
    add_labels(output, from->name, labels, frame);
    add_codes(run_output_add_named(output, "codes", from->name, ".csv"), labels);
    buf_add_format(&output->says, "%lld label%s given, %zu code%s of items",
                   (long long)labels->given, str_plural(labels->given), labels->count,
                   str_plural((int64_t)labels->count));
    if (labels->unknown > 0)
        buf_add_format(&output->says, ", %lld of unknown items skipped",
                       (long long)labels->unknown);
    if (labels->undecided > 0)
        buf_add_format(&output->says, ", %lld item%s without majority",
                       (long long)labels->undecided, labels->undecided == 1 ? "" : "s");
}

static void list_labels(struct run_listing *listing, struct run_step *step)
{
    const struct study_labels *labels = &listing->study->labels[step->index];

    step->corpus = step->whole = true;
    if (labels->from != NULL)
        run_steps_add_file(listing, step, labels->from);
    if (labels->codebook != NULL)
        run_steps_add_file(listing, step, labels->codebook);
    run_steps_name(listing, step, labels->name, labels->node);
}

static bool make_labels(struct run_needs *needs, const struct run_step *step,
                        struct run_output *output, struct err *err)
{
    if (!run_needs_frame(needs, err) || !run_needs_labels(needs, step->index, err))
        return false;
    run_sets_write_labels(output, &needs->study->labels[step->index],
                          &needs->labels[step->index], &needs->frame);
    return true;
}

const struct run_kind run_kind_labels = {
    .name = "labels",
    .counted = offsetof(struct study, label_count),
    .engine = 2,
    .list = list_labels,
    .make = make_labels,
};
