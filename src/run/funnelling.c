/* A funnel is a table with a row a condition, and its items are the evidence. */
#include "run/funnelling.h"

#include <math.h>

enum { LEFT, TAKEN_OUT, HEADS, LINES_MAX = 1000000 };

struct maker {
    const struct funnelling *from;
    struct arena arena;
    struct table table;
    struct table_evidence *evidence;
};

/* The first row with a condition of its own. */
static size_t first_row(const struct funnelling *from)
{
    return from->before > 0 ? from->before : 1;
}

/* The last condition that all items of the row have met, of the set's own from 0. */
static size_t condition_of(const struct funnelling *from, size_t row)
{
    return from->begun + row - first_row(from);
}

static void add_evidence(struct maker *maker, size_t row, size_t head, size_t condition)
{
    const struct frame *frame = maker->from->frame;
    const uint8_t *passed = maker->from->slot->passed;
    size_t room = 1, count = 0;

    for (size_t i = 0; i < frame->count; i++)
        room += head == LEFT ? passed[i] > condition : passed[i] == condition;
    int64_t *ids = arena_array(&maker->arena, int64_t, room);
    for (size_t i = 0; i < frame->count; i++)
        if (head == LEFT ? passed[i] > condition : passed[i] == condition)
            ids[count++] = frame->ids[i];
    maker->evidence[maker->table.evidence_count++] = (struct table_evidence){
        row, head,
        head == LEFT ? STR("items that meet this condition and all before it")
                     : STR("items that meet all conditions before this one but not it"),
        ids, count};
    maker->table.cells[row * HEADS + head] =
        (struct cell){.value = (double)count, .low = NAN, .high = NAN, .n = -1};
}

static void set_heads(struct maker *maker)
{
    static const struct study_column counted = {.measure = {.kind = MEASURE_COUNT},
                                                .digits = -1};
    struct table_head *heads = arena_array(&maker->arena, struct table_head, HEADS);

    heads[LEFT] = (struct table_head){.name = STR("left"), .column = &counted};
    heads[TAKEN_OUT] = (struct table_head){.name = STR("taken out"), .column = &counted};
    maker->table.heads = heads;
    maker->table.head_count = HEADS;
}

static void set_rows(struct maker *maker)
{
    const struct funnelling *from = maker->from;
    size_t count = from->count;

    maker->table.rows = arena_array(&maker->arena, struct table_row, count + 1);
    maker->table.cells = arena_array(&maker->arena, struct cell, count * HEADS + 1);
    maker->table.evidence = maker->evidence =
        arena_array(&maker->arena, struct table_evidence, count * HEADS + 1);
    maker->table.row_count = count;
    for (size_t i = 0; i < count * HEADS; i++)
        maker->table.cells[i].undefined = "its items are another set's";
    for (size_t r = from->before; r < count; r++) {
        size_t condition = condition_of(from, r);
        maker->table.rows[r] =
            (struct table_row){.name = from->conditions[r], .parent = STUDY_NONE};
        if (condition + 1 >= FRAME_PASSED_MAX)
            continue;
        if (r + 1 < count)
            add_evidence(maker, r, LEFT, condition);
        /* What the first took out may not be in the corpus. */
        if (r >= first_row(from))
            add_evidence(maker, r, TAKEN_OUT, condition);
    }
}

void funnelling_make(const struct funnelling *funnelling, struct output *output)
{
    struct maker maker = {.from = funnelling, .table = {.name = funnelling->set}};
    struct behind behind;

    set_heads(&maker);
    set_rows(&maker);
    output_behind(output, "funnels", &maker.table, LINES_MAX, &behind);
    arena_free(&maker.arena);
}
