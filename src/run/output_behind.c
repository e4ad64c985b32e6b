/* The items behind numbers, as files. */
#include <math.h>
#include <stdio.h>

#include "run/output.h"

struct lists {
    struct output *output;
    const char *folder;
    struct str name;
};

static struct buf *add_items(void *context, size_t number)
{
    const struct lists *lists = context;
    char file[40];

    snprintf(file, sizeof file, "%zu.csv", number);
    return output_add_below(lists->output, lists->folder, lists->name, file);
}

void output_behind(struct output *output, const char *folder, const struct table *table,
                   int64_t lines, struct behind *out)
{
    struct lists lists = {output, folder, table->name};

    behind_make(table, &(struct behind_files){folder, lines, add_items, &lists},
                &output->arena, out);
    behind_lists_csv(out, output_add_below(output, folder, table->name, "lists.csv"));
    behind_cells_csv(out, output_add_below(output, folder, table->name, "cells.csv"));
}

static struct table_evidence ids_of(struct bits bits, const int64_t *ids,
                                    struct arena *arena)
{
    int64_t *found = arena_array(arena, int64_t, (size_t)bits_count(bits) + 1);
    struct table_evidence out = {.what = STR("items that count on this side"),
                                 .ids = found};

    for (size_t i = bits_next(bits, 0); i < bits.count; i = bits_next(bits, i + 1))
        found[out.count++] = ids[i];
    return out;
}

/* Sides are cells of a table of one column. */
void output_test_behind(struct output *output, const struct testing *testing,
                        struct behind *out)
{
    static const struct study_column counted = {.measure = {.kind = MEASURE_COUNT},
                                                .digits = -1};
    struct table_head head = {.name = STR("items"), .column = &counted};
    size_t count = testing->side_count;
    struct arena *arena = &output->arena;
    struct table_row *rows = arena_array(arena, struct table_row, count + 1);
    struct cell *cells = arena_array(arena, struct cell, count + 1);
    struct table_evidence *evidence =
        arena_array(arena, struct table_evidence, count + 1);

    for (size_t i = 0; i < count; i++) {
        rows[i] =
            (struct table_row){.name = testing->sides[i].name, .parent = STUDY_NONE};
        evidence[i] = ids_of(testing->sides[i].items, testing->ids, arena);
        evidence[i].row = i;
        evidence[i].head = STUDY_NONE;
        cells[i] = (struct cell){
            .value = (double)evidence[i].count, .low = NAN, .high = NAN, .n = -1};
    }
    output_behind(output, "tests",
                  &(struct table){.name = testing->test->name,
                                  .rows = rows,
                                  .row_count = count,
                                  .heads = &head,
                                  .head_count = 1,
                                  .cells = cells,
                                  .evidence = evidence,
                                  .evidence_count = count},
                  BEHIND_LINES, out);
}
