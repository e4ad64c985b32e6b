/* A table's rows are categories, its columns series; nested rows show where a figure has
 * levels (trees), else only the lowest ones. Totals are left out. */
#include "report/figure.h"

#include <math.h>

#include "report/internal.h"

static double value_at(const struct report_figure_grid *grid, size_t r, size_t c)
{
    const struct result_number *number = grid->cells[r * grid->column_count + c];

    return number != NULL ? number->value : NAN;
}

static struct str joined_name(const struct report_figure_maker *maker, struct str a,
                              struct str b)
{
    struct buf text = {0};

    buf_add_format(&text, "%.*s: %.*s", STR_ARG(a), STR_ARG(b));
    struct str copy = arena_copy(maker->arena, buf_str(&text));
    buf_free(&text);
    return copy;
}

static size_t leaf_rows(const struct report_figure_maker *maker, struct str *labels,
                        size_t *rows)
{
    size_t count = 0;

    for (size_t r = 0; r < maker->grid.row_count; r++)
        if (maker->grid.leaf[r]) {
            labels[count] = maker->grid.labels[r];
            rows[count++] = r;
        }
    return count;
}

/* One series a column, one value for each of the rows. */
static void add_series(struct report_figure_maker *maker, const size_t *rows,
                       size_t count)
{
    const struct report_figure_grid *grid = &maker->grid;
    struct chart_series *series =
        arena_array(maker->arena, struct chart_series, grid->column_count + 1);

    for (size_t c = 0; c < grid->column_count; c++) {
        double *y = arena_array(maker->arena, double, count + 1);
        double *low = arena_array(maker->arena, double, count + 1);
        double *high = arena_array(maker->arena, double, count + 1);
        bool intervals = false;
        for (size_t i = 0; i < count; i++) {
            const struct result_number *number =
                grid->cells[rows[i] * grid->column_count + c];
            y[i] = value_at(grid, rows[i], c);
            low[i] = number != NULL ? number->low : NAN;
            high[i] = number != NULL ? number->high : NAN;
            intervals = intervals || !isnan(low[i]);
        }
        series[c] = (struct chart_series){
            .name = grid->column_count > 1 ? grid->headings[c] : (struct str){0},
            .y = y,
            .low = intervals ? low : NULL,
            .high = intervals ? high : NULL,
            .count = count};
    }
    maker->out->series = maker->series = series;
    maker->out->series_count = grid->column_count;
}

static void set_value_axis(struct report_figure_maker *maker)
{
    maker->out->y_number = report_figure_number(maker, 0);
    maker->out->y_title = report_figure_measured(maker);
}

/* "server: 2018": a row of a nested table by all its names. */
static struct str full_label(const struct report_figure_maker *maker, size_t r)
{
    const struct report_figure_grid *grid = &maker->grid;
    struct buf text = {0};

    for (size_t above = 0; above < r; above++) {
        struct str row = grid->rows[above];
        if (grid->rows[r].len > row.len && str_starts(grid->rows[r], row) &&
            grid->rows[r].ptr[row.len] == '/')
            buf_add_format(&text, "%.*s: ", STR_ARG(grid->labels[above]));
    }
    buf_add(&text, grid->labels[r]);
    struct str label = arena_copy(maker->arena, buf_str(&text));
    buf_free(&text);
    return label;
}

/* Rows of several blocks need the names above them to be told apart. */
static void name_in_full(const struct report_figure_maker *maker, struct str *labels,
                         const size_t *rows, size_t count)
{
    bool several = false;

    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < i && !several; k++)
            several = str_eq(maker->grid.labels[rows[i]], maker->grid.labels[rows[k]]);
    for (size_t i = 0; i < count && several; i++)
        labels[i] = full_label(maker, rows[i]);
}

static bool show_bars(struct report_figure_maker *maker)
{
    size_t *rows = arena_array(maker->arena, size_t, maker->grid.row_count + 1);
    struct str *labels = arena_array(maker->arena, struct str, maker->grid.row_count + 1);

    maker->out->category_count = leaf_rows(maker, labels, rows);
    name_in_full(maker, labels, rows, maker->out->category_count);
    maker->out->categories = labels;
    add_series(maker, rows, maker->out->category_count);
    /* Intervals belong to single bars, not to parts of a stack. */
    bool stacked =
        maker->out->kind == CHART_BARS_STACKED || maker->out->kind == CHART_BARS_FULL;
    for (size_t c = 0; c < maker->out->series_count && stacked; c++)
        maker->series[c].low = maker->series[c].high = NULL;
    set_value_axis(maker);
    if (maker->out->kind == CHART_BARS_FULL) {
        maker->out->y_number = CHART_PLAIN;
        maker->out->y_title = (struct str){0}; /* it is parts of 100% */
    }
    return true;
}

/* Where the block of a row ends: rows of one block have the same parent. */
static size_t block_end(const struct report_figure_maker *maker, const size_t *rows,
                        size_t begin, size_t count)
{
    size_t end = begin + 1;

    /* Leaves that follow each other in the grid without a row of another level between.
     */
    while (end < count && rows[end] == rows[end - 1] + 1 &&
           maker->grid.levels[rows[end]] == maker->grid.levels[rows[begin]])
        end++;
    return end;
}

/* "20" or "20%": a place on the axis. */
static bool is_place(struct str label, double *x)
{
    size_t percent = str_ends(label, STR("%"));

    return str_to_real(str_slice(label, 0, label.len - percent), x);
}

/* What the rows of a table that shows a step's results stand for. */
static struct str rows_title(const struct report_figure_maker *maker)
{
    static const struct {
        const char *show, *title;
    } titles[] = {{"checkpoints", "items labelled so far, %"},
                  {"saturation", "items labelled"},
                  {"learning", "items learned from"},
                  {"sweep", "topics"}};
    const struct study_table *table = maker->inputs->table;

    for (size_t i = 0; i < ROWS_OF(titles) && table != NULL; i++)
        if (str_eq(table->show, str_from(titles[i].show)))
            return str_from(titles[i].title);
    return (struct str){0};
}

/* Rows that are all years, or all numbers, are places on the axis; others follow each
 * other. Each block of rows is a line of its own. */
static bool show_lines(struct report_figure_maker *maker)
{
    const struct report_figure_grid *grid = &maker->grid;
    size_t *rows = arena_array(maker->arena, size_t, grid->row_count + 1);
    struct str *labels = arena_array(maker->arena, struct str, grid->row_count + 1);
    size_t count = leaf_rows(maker, labels, rows), lines = 0;
    double *x = arena_array(maker->arena, double, count + 1);
    struct chart_series *all = arena_array(maker->arena, struct chart_series,
                                           (count + 1) * (grid->column_count + 1));
    bool numbers = count > 0, years = count > 0;

    for (size_t i = 0; i < count; i++) {
        numbers = numbers && is_place(labels[i], &x[i]);
        years = years && numbers && x[i] >= 1000 && x[i] <= 9999;
    }
    for (size_t begin = 0, end; begin < count; begin = end) {
        end = block_end(maker, rows, begin, count);
        for (size_t i = begin; i < end && !numbers; i++)
            x[i] = (double)(i - begin + 1);
        add_series(maker, rows + begin, end - begin);
        for (size_t c = 0; c < grid->column_count; c++) {
            struct chart_series line = maker->series[c];
            line.x = x + begin;
            if (grid->levels[rows[begin]] > 0 && rows[begin] > 0) {
                struct str block = grid->labels[rows[begin] - 1];
                line.name = grid->column_count == 1
                                ? block
                                : joined_name(maker, block, grid->headings[c]);
            }
            all[lines++] = line;
        }
    }
    maker->out->series = maker->series = all;
    maker->out->series_count = lines;
    maker->out->x_scale = years ? CHART_YEARS : CHART_LINEAR;
    maker->out->x_title = rows_title(maker);
    set_value_axis(maker);
    return true;
}

/* Rows are series here, columns categories. */
static bool show_matrix(struct report_figure_maker *maker)
{
    const struct report_figure_grid *grid = &maker->grid;
    size_t *rows = arena_array(maker->arena, size_t, grid->row_count + 1);
    struct str *labels = arena_array(maker->arena, struct str, grid->row_count + 1);
    size_t count = leaf_rows(maker, labels, rows);

    name_in_full(maker, labels, rows, count);
    struct chart_series *series =
        arena_array(maker->arena, struct chart_series, count + 1);

    for (size_t i = 0; i < count; i++) {
        double *y = arena_array(maker->arena, double, grid->column_count + 1);
        for (size_t c = 0; c < grid->column_count; c++)
            y[c] = value_at(grid, rows[i], c);
        series[i] =
            (struct chart_series){.name = labels[i], .y = y, .count = grid->column_count};
    }
    maker->out->series = series;
    maker->out->series_count = count;
    maker->out->categories = grid->headings;
    maker->out->category_count = grid->column_count;
    maker->out->y_number = report_figure_number(maker, 0);
    return true;
}

static bool show_tree(struct report_figure_maker *maker)
{
    const struct report_figure_grid *grid = &maker->grid;
    struct chart_node *nodes =
        arena_array(maker->arena, struct chart_node, grid->row_count + 1);
    bool shares = report_figure_number(maker, 0) == CHART_PERCENT;
    double all = 0;

    for (size_t r = 0; r < grid->row_count; r++)
        all += grid->levels[r] == 0 && !isnan(value_at(grid, r, 0)) ? value_at(grid, r, 0)
                                                                    : 0;
    for (size_t r = 0; r < grid->row_count; r++)
        nodes[r] = (struct chart_node){grid->labels[r], grid->levels[r],
                                       shares    ? value_at(grid, r, 0)
                                       : all > 0 ? value_at(grid, r, 0) / all
                                                 : NAN};
    maker->out->nodes = nodes;
    maker->out->node_count = grid->row_count;
    return true;
}

static bool show_scatter(struct report_figure_maker *maker)
{
    const struct report_figure_grid *grid = &maker->grid;
    size_t *rows = arena_array(maker->arena, size_t, grid->row_count + 1);
    struct str *labels = arena_array(maker->arena, struct str, grid->row_count + 1);
    size_t count = leaf_rows(maker, labels, rows);
    double *x = arena_array(maker->arena, double, count + 1);
    double *y = arena_array(maker->arena, double, count + 1);
    struct chart_series *series = arena_array(maker->arena, struct chart_series, 1);

    if (grid->column_count != 2)
        return err_set(maker->err, ERR_INPUT,
                       "figure %.*s: a scatter needs two columns, found %zu",
                       STR_ARG(maker->figure->name), grid->column_count);
    /* In the order in which the figure names them: the first is the horizontal one. */
    size_t first =
        result_numbers_column_is(grid->columns[0], maker->figure->columns[0]) ? 0 : 1;
    for (size_t i = 0; i < count; i++) {
        x[i] = value_at(grid, rows[i], first);
        y[i] = value_at(grid, rows[i], 1 - first);
    }
    *series = (struct chart_series){.x = x, .y = y, .labels = labels, .count = count};
    maker->out->series = series;
    maker->out->series_count = 1;
    maker->out->x_title = grid->headings[first];
    maker->out->y_title = grid->headings[1 - first];
    maker->out->x_number = report_figure_number(maker, first);
    maker->out->y_number = report_figure_number(maker, 1 - first);
    return true;
}

static bool show_funnel(struct report_figure_maker *maker)
{
    const struct result_numbers *numbers = maker->inputs->numbers;
    struct str *names = arena_array(maker->arena, struct str, numbers->count + 2);
    double *left = arena_array(maker->arena, double, numbers->count + 2);
    struct chart_series *series = arena_array(maker->arena, struct chart_series, 1);
    size_t count = 0;

    if (maker->inputs->all > 0) {
        names[count] = STR("all questions");
        left[count++] = (double)maker->inputs->all;
    }
    for (size_t i = 0; i < numbers->count; i++)
        if (str_starts(numbers->at[i].column, STR("funnel."))) {
            names[count] = numbers->at[i].heading;
            left[count++] = numbers->at[i].value;
        }
    *series = (struct chart_series){.y = left, .count = count};
    maker->out->categories = names;
    maker->out->category_count = count;
    maker->out->series = series;
    maker->out->series_count = 1;
    return true;
}

bool report_figure_chart(const struct study_figure *figure,
                         const struct report_figure_inputs *inputs, struct arena *arena,
                         struct chart *out, struct err *err)
{
    static const struct {
        enum chart_kind kind;
        bool (*show)(struct report_figure_maker *maker);
        bool one_axis; /* for all columns */
    } kinds[] = {
        [STUDY_BARS] = {CHART_BARS, show_bars, true},
        [STUDY_STACKED] = {CHART_BARS_STACKED, show_bars, true},
        [STUDY_SHARES] = {CHART_BARS_FULL, show_bars, true},
        [STUDY_LINES] = {CHART_LINES, show_lines, true},
        [STUDY_BOX] = {CHART_BOXES, report_figure_boxes, false},
        [STUDY_HISTOGRAM] = {CHART_HISTOGRAM, report_figure_distribution, false},
        [STUDY_ECDF] = {CHART_ECDF, report_figure_distribution, false},
        [STUDY_SURVIVAL] = {CHART_SURVIVAL, report_figure_survival, false},
        [STUDY_HEAT] = {CHART_HEAT, show_matrix, true},
        [STUDY_FUNNEL] = {CHART_FUNNEL, show_funnel, false},
        [STUDY_TREE] = {CHART_TREE, show_tree, false},
        [STUDY_ALLUVIAL] = {CHART_ALLUVIAL, show_matrix, true},
        [STUDY_SCATTER] = {CHART_SCATTER, show_scatter, false},
        [STUDY_FOREST] = {CHART_FOREST, show_bars, true},
    };
    struct report_figure_maker maker = {
        .figure = figure, .inputs = inputs, .arena = arena, .out = out, .err = err};

    *out = (struct chart){.kind = kinds[figure->kind].kind,
                          .width_cm = figure->two_columns ? CHART_TWO_COLUMNS_CM
                                                          : CHART_ONE_COLUMN_CM,
                          .patterns = figure->patterns};
    if (figure->table != STUDY_NONE &&
        (!report_figure_make_grid(&maker) ||
         (kinds[figure->kind].one_axis && !report_figure_check_units(&maker))))
        return false;
    return kinds[figure->kind].show(&maker);
}
