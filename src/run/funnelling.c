/* A funnel is a table with a row a condition, and its items are the evidence. */
#include "run/funnelling.h"

enum { LEFT, TAKEN_OUT, HEADS, LINES_MAX = 1000000 };

struct funnelling_maker {
    const struct run_funnelling *from;
    struct arena *arena;
    struct result_table table;
};

/* The first row with a condition of its own. */
static size_t first_row(const struct run_funnelling *from)
{
    return from->before > 0 ? from->before : 1;
}

/* The last condition that all items of the row have met, of the set's own from 0. */
static size_t condition_of(const struct run_funnelling *from, size_t row)
{
    return from->begun + row - first_row(from);
}

static void add_items(struct funnelling_maker *maker, size_t row, size_t column,
                      size_t condition)
{
    const struct measure_frame *frame = maker->from->frame;
    const uint8_t *passed = maker->from->slot->passed;
    size_t room = 1;

    for (size_t i = 0; i < frame->count; i++)
        room += column == LEFT ? passed[i] > condition : passed[i] == condition;
    int64_t *ids = arena_array(maker->arena, int64_t, room);
    struct result_evidence evidence = {
        row, column,
        column == LEFT ? STR("items that meet this condition and all before it")
                       : STR("items that meet all conditions before this one but not it"),
        ids, 0};
    for (size_t i = 0; i < frame->count; i++)
        if (column == LEFT ? passed[i] > condition : passed[i] == condition)
            ids[evidence.count++] = frame->ids[i];
    maker->table.cells[row * HEADS + column] = result_count((int64_t)evidence.count);
    result_add_evidence(&maker->table, &evidence, maker->arena);
}

static void add_row(struct funnelling_maker *maker, size_t r)
{
    const struct run_funnelling *from = maker->from;
    struct result_cell *cells =
        result_add_row(&maker->table, from->conditions[r], RESULT_NONE, maker->arena);

    for (size_t c = 0; c < HEADS; c++)
        cells[c].undefined = "its items are another set's";
    if (r < from->before)
        return;
    size_t condition = condition_of(from, r);
    if (condition + 1 >= MEASURE_FRAME_PASSED_MAX)
        return;
    if (r + 1 < from->count)
        add_items(maker, r, LEFT, condition);
    /* What the first took out may not be in the corpus. */
    if (r >= first_row(from))
        add_items(maker, r, TAKEN_OUT, condition);
}

void run_funnelling_make(const struct run_funnelling *funnelling,
                         struct run_output *output)
{
    struct result_column columns[HEADS] = {
        [LEFT] = {.type = RESULT_COUNT, .name = STR("left")},
        [TAKEN_OUT] = {.type = RESULT_COUNT, .name = STR("taken out")}};
    struct funnelling_maker maker = {
        .from = funnelling,
        .arena = &output->arena,
        .table = result_new(funnelling->set, columns, HEADS, &output->arena)};

    for (size_t r = 0; r < funnelling->count; r++)
        add_row(&maker, r);
    maker.table.apart = true;
    run_output_shorten(output, "funnels", &maker.table, LINES_MAX);
    maker.table.name = STR("funnel");
    run_output_result(output, &maker.table);
}
