/* The numbers of the other table as columns of values. */
#include "run/correlating.h"

#include <math.h>

#include "stats/correlation.h"

struct grid {
    struct str *rows, *columns, *names;
    size_t row_count, column_count;
    double *values; /* column after column */
};

static size_t place_of(struct str *list, size_t *count, struct str name)
{
    size_t i = 0;

    while (i < *count && !str_eq(list[i], name))
        i++;
    if (i == *count)
        list[(*count)++] = name;
    return i;
}

/* "Caffe: count" is called Caffe. */
static struct str short_name(struct str heading)
{
    struct str head;

    str_cut(&heading, ':', &head);
    return head;
}

static bool is_no_group(const struct result_number *number)
{
    return number->total_row || number->total_column || number->rest_row;
}

static struct grid grid_of(const struct result_numbers *numbers, struct arena *arena)
{
    size_t room = numbers->count + 1;
    struct grid grid = {arena_array(arena, struct str, room),
                        arena_array(arena, struct str, room),
                        arena_array(arena, struct str, room),
                        0,
                        0,
                        NULL};

    for (size_t i = 0; i < numbers->count; i++) {
        const struct result_number *number = &numbers->at[i];
        if (is_no_group(number))
            continue;
        place_of(grid.rows, &grid.row_count, number->row);
        size_t c = place_of(grid.columns, &grid.column_count, number->column);
        grid.names[c] =
            short_name(number->heading.len > 0 ? number->heading : number->column);
    }
    size_t cells = grid.row_count * grid.column_count;
    grid.values = arena_array(arena, double, cells + 1);
    for (size_t i = 0; i < cells; i++)
        grid.values[i] = NAN;
    for (size_t i = 0; i < numbers->count; i++) {
        const struct result_number *number = &numbers->at[i];
        if (is_no_group(number))
            continue;
        size_t r = place_of(grid.rows, &grid.row_count, number->row);
        size_t c = place_of(grid.columns, &grid.column_count, number->column);
        grid.values[c * grid.row_count + r] = number->value;
    }
    return grid;
}

static struct result_cell correlate(const struct grid *grid, size_t a, size_t b,
                                    double level, struct arena *arena)
{
    double *x = arena_array(arena, double, grid->row_count + 1);
    double *y = arena_array(arena, double, grid->row_count + 1);
    size_t count = 0;

    for (size_t r = 0; r < grid->row_count; r++) {
        x[count] = grid->values[a * grid->row_count + r];
        y[count] = grid->values[b * grid->row_count + r];
        count += !isnan(x[count]) && !isnan(y[count]);
    }
    struct stats_correlation found = stats_correlation_pearson(
        (struct stats_values){x, count}, (struct stats_values){y, count}, level);
    bool interval = found.interval_undefined == NULL && a != b;
    double r = a == b ? 1 : found.r; /* a column with itself, whatever rounding makes */
    return (struct result_cell){.value = found.undefined != NULL ? NAN : r,
                                .undefined = found.undefined,
                                .low = interval ? found.low : NAN,
                                .high = interval ? found.high : NAN,
                                .n = (int64_t)count};
}

void run_correlating_table(const struct study_table *table,
                           const struct result_numbers *numbers, struct arena *arena,
                           struct result_table *out)
{
    struct grid grid = grid_of(numbers, arena);
    size_t count = grid.column_count;
    struct result_column *columns = arena_array(arena, struct result_column, count + 1);

    for (size_t a = 0; a < count; a++)
        columns[a] = (struct result_column){.type = RESULT_REAL,
                                            .digits = 2,
                                            .name = grid.names[a],
                                            .measures = grid.names[a],
                                            .interval = true};
    *out = result_new(table->name, columns, count, arena);
    out->title = table->title;
    out->numbers = true;
    for (size_t a = 0; a < count; a++) {
        struct result_cell *cells =
            result_add_row(out, grid.names[a], RESULT_NONE, arena);
        out->rows[a].n = (int64_t)grid.row_count;
        for (size_t b = 0; b < count; b++)
            cells[b] = correlate(&grid, a, b, table->confidence, arena);
    }
}
