/* A table's numbers as a grid: its rows with their levels, its columns, their units. */
#include <math.h>

#include "report/internal.h"

static bool is_wanted(const struct study_figure *figure, struct str column)
{
    for (size_t i = 0; i < figure->column_count; i++)
        if (result_numbers_column_is(column, figure->columns[i]))
            return true;
    return figure->column_count == 0;
}

static size_t place_of(struct str *list, size_t count, struct str name)
{
    size_t i = 0;

    while (i < count && !str_eq(list[i], name))
        i++;
    return i;
}

static int level_of(struct str row)
{
    int level = 0;

    for (size_t i = 0; i < row.len; i++)
        level += row.ptr[i] == '/';
    return level;
}

/* "2018: count" is shown as "2018" where all columns measure the same. */
static void shorten_headings(struct report_figure_grid *grid)
{
    for (size_t c = 0; c < grid->column_count; c++) {
        struct str rest = grid->headings[c], head;
        if (grid->column_count > 1 && !str_cut(&rest, ':', &head))
            return;
    }
    for (size_t c = 0; c < grid->column_count && grid->column_count > 1; c++) {
        struct str rest = grid->headings[c];
        struct str head;
        str_cut(&rest, ':', &head);
        for (size_t other = 0; other < c; other++)
            if (str_eq(grid->headings[other], head))
                return;
        grid->headings[c] = head;
    }
}

/* A column of totals is shown when it is asked for by name. */
static bool is_total(const struct report_figure_maker *maker,
                     const struct result_number *number)
{
    return number->total_row ||
           (number->total_column && maker->figure->column_count == 0);
}

bool report_figure_make_grid(struct report_figure_maker *maker)
{
    const struct result_numbers *numbers = maker->inputs->numbers;
    struct report_figure_grid *grid = &maker->grid;
    size_t room = numbers->count + 1;

    grid->rows = arena_array(maker->arena, struct str, room);
    grid->labels = arena_array(maker->arena, struct str, room);
    grid->columns = arena_array(maker->arena, struct str, room);
    grid->headings = arena_array(maker->arena, struct str, room);
    grid->units = arena_array(maker->arena, struct str, room);
    grid->levels = arena_array(maker->arena, int, room);
    grid->leaf = arena_array(maker->arena, bool, room);
    for (size_t i = 0; i < numbers->count; i++) {
        const struct result_number *number = &numbers->at[i];
        if (is_total(maker, number) || !is_wanted(maker->figure, number->column))
            continue;
        size_t r = place_of(grid->rows, grid->row_count, number->row);
        size_t c = place_of(grid->columns, grid->column_count, number->column);
        if (r == grid->row_count) {
            grid->rows[r] = number->row;
            grid->labels[r] = number->label.len > 0 ? number->label : number->row;
            grid->levels[r] = level_of(number->row);
            grid->leaf[r] = true;
            grid->row_count++;
        }
        if (c == grid->column_count) {
            grid->columns[c] = number->column;
            grid->units[c] = number->unit;
            grid->headings[c] =
                number->heading.len > 0 ? number->heading : number->column;
            grid->column_count++;
        }
    }
    for (size_t r = 0; r + 1 < grid->row_count; r++)
        grid->leaf[r] = grid->levels[r + 1] <= grid->levels[r];
    grid->cells = arena_array(maker->arena, const struct result_number *,
                              grid->row_count * grid->column_count + 1);
    for (size_t i = 0; i < numbers->count; i++) {
        const struct result_number *number = &numbers->at[i];
        size_t r = place_of(grid->rows, grid->row_count, number->row);
        size_t c = place_of(grid->columns, grid->column_count, number->column);
        if (!is_total(maker, number) && r < grid->row_count && c < grid->column_count)
            grid->cells[r * grid->column_count + c] = number;
    }
    shorten_headings(grid);
    /* A table without rows has no columns either: the figure says that there is no data.
     */
    return grid->column_count > 0 || numbers->count == 0 ||
           err_set(maker->err, ERR_INPUT, "figure %.*s: the table has no such column",
                   STR_ARG(maker->figure->name));
}

/* The table's column that one of the grid is of; NULL: nobody knows, others made it. */
static const struct study_column *column_of(const struct report_figure_maker *maker,
                                            size_t c)
{
    const struct study_table *table = maker->inputs->table;
    struct str path = maker->grid.columns[c];

    for (size_t i = 0; table != NULL && i < table->column_count; i++) {
        struct str slug = table->columns[i].slug;
        bool ends = str_ends(path, slug) &&
                    (path.len == slug.len || path.ptr[path.len - slug.len - 1] == '.');
        if (ends)
            return &table->columns[i];
    }
    return NULL;
}

struct str report_figure_measured(const struct report_figure_maker *maker)
{
    const struct report_figure_grid *grid = &maker->grid;
    const struct study_column *first =
        grid->column_count > 0 ? column_of(maker, 0) : NULL;

    for (size_t c = 1; c < grid->column_count; c++)
        if (column_of(maker, c) != first)
            return (struct str){0};
    return first != NULL             ? first->name
           : grid->column_count == 1 ? grid->headings[0]
                                     : (struct str){0};
}

/* Shares are parts of 1, shown as percentages. */
enum chart_number report_figure_number(const struct report_figure_maker *maker, size_t c)
{
    return c < maker->grid.column_count && str_eq(maker->grid.units[c], STR("%"))
               ? CHART_PERCENT
               : CHART_PLAIN;
}

/* Columns that share an axis must be of one unit. */
bool report_figure_check_units(const struct report_figure_maker *maker)
{
    const struct report_figure_grid *grid = &maker->grid;

    for (size_t c = 1; c < grid->column_count; c++) {
        struct str first = grid->units[0], other = grid->units[c];
        if (!str_eq(first, other))
            return err_set(maker->err, ERR_INPUT,
                           "figure %.*s: the columns '%.*s' and '%.*s' have different "
                           "units and cannot share an axis; choose with `columns:`",
                           STR_ARG(maker->figure->name), STR_ARG(grid->columns[0]),
                           STR_ARG(grid->columns[c]));
    }
    return true;
}
