/* Compressed sparse rows in two growing arrays. */
#include "learn/rows.h"

void rows_builder_free(struct rows_builder *builder)
{
    buf_free(&builder->begins);
    buf_free(&builder->cells);
}

void rows_add_cell(struct rows_builder *builder, uint32_t column, float value)
{
    struct rows_cell cell = {column, value};

    buf_add(&builder->cells, (struct str){(const char *)&cell, sizeof cell});
}

static void add_begin(struct rows_builder *builder, size_t begin)
{
    buf_add(&builder->begins, (struct str){(const char *)&begin, sizeof begin});
}

void rows_end_row(struct rows_builder *builder)
{
    if (builder->begins.len == 0)
        add_begin(builder, 0);
    add_begin(builder, builder->cells.len / sizeof(struct rows_cell));
}

struct rows rows_of(struct rows_builder *builder, size_t columns)
{
    if (builder->begins.len == 0)
        add_begin(builder, 0);
    return (struct rows){builder->begins.len / sizeof(size_t) - 1, columns,
                         (const size_t *)(const void *)builder->begins.ptr,
                         (const struct rows_cell *)(const void *)builder->cells.ptr};
}

double rows_dot(struct rows_row row, const double *weights)
{
    const struct rows_cell *cells = row.cells;
    double sums[4] = {0}; /* four at once: an addition need not wait for the last one */
    size_t i = 0;

    for (; i + 4 <= row.count; i += 4)
        for (size_t s = 0; s < 4; s++)
            sums[s] += (double)cells[i + s].value * weights[cells[i + s].column];
    for (; i < row.count; i++)
        sums[0] += (double)cells[i].value * weights[cells[i].column];
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}
