/* A table's rows are categories, its columns series; nested rows show where a figure has
 * levels (trees), else only the lowest ones. Totals are left out; a column of them is
 * shown when it is asked for as such, but never as a part of what it is the sum of. */
#include "report/figure.h"

#include <math.h>

#include "base/near.h"
#include "measure/quantity.h"
#include "report/internal.h"
#include "stats/survival.h"
#include "stats/values.h"

/* A table's numbers as a grid: its rows with their levels, its columns, their units. */
static bool is_wanted(const struct study_figure *figure, struct str column)
{
    for (size_t i = 0; i < figure->column_count; i++)
        if (result_numbers_column_is(column, figure->columns[i]))
            return true;
    return figure->column_count == 0;
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

/* "total" and "total.count" ask for a column of totals, "count" only for the groups. */
static bool names_total(const struct study_figure *figure, struct str column)
{
    for (size_t i = 0; i < figure->column_count; i++)
        if (str_starts(column, figure->columns[i]) &&
            result_numbers_column_is(column, figure->columns[i]))
            return true;
    return false;
}

/* The columns of a forest: an estimate belongs beside its like, not beside its error. */
static void find_estimates(struct report_figure_maker *maker)
{
    const struct result_numbers *numbers = maker->inputs->numbers;

    maker->estimates = arena_array(maker->arena, struct str, numbers->count + 1);
    for (size_t i = 0; i < numbers->count && maker->figure->kind == STUDY_FOREST; i++) {
        struct str column = numbers->at[i].column;
        size_t found = str_find(column, maker->estimates, maker->estimate_count);
        if (numbers->at[i].interval && found == maker->estimate_count)
            maker->estimates[maker->estimate_count++] = column;
    }
}

static bool is_estimate(const struct report_figure_maker *maker, struct str column)
{
    return maker->estimate_count == 0 ||
           str_find(column, maker->estimates, maker->estimate_count) <
               maker->estimate_count;
}

/* A forest shows what has intervals unless it names its columns. */
static bool is_shown(const struct report_figure_maker *maker,
                     const struct result_number *number)
{
    return (maker->figure->column_count > 0 || is_estimate(maker, number->column)) &&
           !number->total_row && is_wanted(maker->figure, number->column) &&
           (!number->total_column || names_total(maker->figure, number->column));
}

/* Whether a key of the figure means what has this name and path. */
static bool goes_by(struct str key, struct str name, struct str path)
{
    struct buf slug = {0};

    result_slug(key, &slug);
    bool same = str_eq(key, name) || str_eq(key, path) || str_eq(buf_str(&slug), path);
    buf_free(&slug);
    return same;
}

/* What the figure is to call something that goes by this name and path. */
static struct str label_for(struct report_figure_maker *maker, struct str name,
                            struct str path)
{
    const struct study_figure *figure = maker->figure;
    struct str label = name;

    for (size_t i = 0; i < figure->label_count; i++)
        if (goes_by(figure->labels[i].key, name, path)) {
            maker->labelled[i] = true;
            label = figure->labels[i].value;
        }
    return label;
}

/* Its place in the list of `order`; behind all of it: it is not there. */
static size_t place_in_order(const struct study_figure *figure, struct str name,
                             struct str path)
{
    size_t place = 0;

    while (place < figure->first_count && !goes_by(figure->first[place], name, path))
        place++;
    return place;
}

/* What order looks at, of a row, a column or a set. */
struct report_figure_ordered {
    struct str name, path;
    double value;
    size_t first, end; /* rows: with all below it */
};

static bool comes_before(const struct study_figure *figure,
                         const struct report_figure_ordered *a,
                         const struct report_figure_ordered *b)
{
    bool last = str_eq(a->name, STR("others"));

    switch (figure->order) {
    case STUDY_ORDER_LIST:
        return place_in_order(figure, a->name, a->path) <
               place_in_order(figure, b->name, b->path);
    case STUDY_ORDER_NAME:
        return last != str_eq(b->name, STR("others")) ? !last
                                                      : str_compare(a->name, b->name) < 0;
    case STUDY_ORDER_LARGEST:
    case STUDY_ORDER_SMALLEST:
        if (last != str_eq(b->name, STR("others")))
            return !last;
        if (isnan(a->value) || isnan(b->value))
            return isnan(b->value) && !isnan(a->value);
        return figure->order == STUDY_ORDER_LARGEST ? a->value > b->value
                                                    : a->value < b->value;
    case STUDY_ORDER_GIVEN:
        break;
    }
    return false;
}

/* What is equal stays as it was. */
static void put_in_order(const struct study_figure *figure,
                         struct report_figure_ordered *list, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        struct report_figure_ordered one = list[i];
        size_t at = i;
        for (; at > 0 && comes_before(figure, &one, &list[at - 1]); at--)
            list[at] = list[at - 1];
        list[at] = one;
    }
}

/* Rows begin .. end, which are of one level or below it, into `out`: brothers in order,
 * each followed by its own. */
static void order_rows(const struct report_figure_maker *maker, size_t begin, size_t end,
                       size_t **out)
{
    const struct report_figure_grid *grid = &maker->grid;
    struct report_figure_ordered *brothers =
        arena_array(maker->arena, struct report_figure_ordered, end - begin + 1);
    size_t count = 0;

    for (size_t r = begin, next; r < end; r = next) {
        const struct result_number *number = grid->cells[r * grid->column_count];
        for (next = r + 1; next < end && grid->levels[next] > grid->levels[r];)
            next++;
        brothers[count++] =
            (struct report_figure_ordered){.name = grid->names[r],
                                           .path = grid->rows[r],
                                           .value = number != NULL ? number->value : NAN,
                                           .first = r,
                                           .end = next};
    }
    put_in_order(maker->figure, brothers, count);
    for (size_t i = 0; i < count; i++) {
        *(*out)++ = brothers[i].first;
        order_rows(maker, brothers[i].first + 1, brothers[i].end, out);
    }
}

/* The columns; only a list tells of them. */
static void order_columns(const struct report_figure_maker *maker, size_t *out)
{
    const struct report_figure_grid *grid = &maker->grid;
    struct report_figure_ordered *columns =
        arena_array(maker->arena, struct report_figure_ordered, grid->column_count + 1);

    for (size_t c = 0; c < grid->column_count; c++)
        columns[c] = (struct report_figure_ordered){
            .name = grid->headings[c], .path = grid->columns[c], .first = c};
    if (maker->figure->order == STUDY_ORDER_LIST)
        put_in_order(maker->figure, columns, grid->column_count);
    for (size_t c = 0; c < grid->column_count; c++)
        out[c] = columns[c].first;
}

static void move_rows_and_columns(struct report_figure_maker *maker)
{
    struct report_figure_grid *grid = &maker->grid, old = *grid;
    size_t rows = grid->row_count, width = grid->column_count;
    size_t *row_order = arena_array(maker->arena, size_t, rows + 1), *next = row_order;
    size_t *column_order = arena_array(maker->arena, size_t, width + 1);

    if (maker->figure->order == STUDY_ORDER_GIVEN || width == 0)
        return;
    order_rows(maker, 0, rows, &next);
    order_columns(maker, column_order);
    grid->rows = arena_array(maker->arena, struct str, rows + 1);
    grid->names = arena_array(maker->arena, struct str, rows + 1);
    grid->levels = arena_array(maker->arena, int, rows + 1);
    grid->columns = arena_array(maker->arena, struct str, width + 1);
    grid->headings = arena_array(maker->arena, struct str, width + 1);
    grid->units = arena_array(maker->arena, struct str, width + 1);
    grid->cells =
        arena_array(maker->arena, const struct result_number *, rows *width + 1);
    for (size_t r = 0; r < rows; r++) {
        grid->rows[r] = old.rows[row_order[r]];
        grid->names[r] = old.names[row_order[r]];
        grid->levels[r] = old.levels[row_order[r]];
        for (size_t c = 0; c < width; c++)
            grid->cells[r * width + c] =
                old.cells[row_order[r] * width + column_order[c]];
    }
    for (size_t c = 0; c < width; c++) {
        grid->columns[c] = old.columns[column_order[c]];
        grid->headings[c] = old.headings[column_order[c]];
        grid->units[c] = old.units[column_order[c]];
    }
}

static void find_leaves(struct report_figure_maker *maker)
{
    struct report_figure_grid *grid = &maker->grid;

    for (size_t r = 0; r < grid->row_count; r++) {
        grid->labels[r] = label_for(maker, grid->names[r], grid->rows[r]);
        if (r + 1 == grid->row_count || grid->levels[r + 1] <= grid->levels[r]) {
            grid->leaf_labels[grid->leaf_count] = grid->labels[r];
            grid->leaves[grid->leaf_count++] = r;
        }
    }
}

/* All that a figure of this study shows under a name. */
static struct str *names_of(const struct report_figure_maker *maker, size_t *count)
{
    const struct report_figure_grid *grid = &maker->grid;
    struct str *names =
        arena_array(maker->arena, struct str,
                    grid->row_count + grid->column_count + maker->inputs->side_count + 1);

    *count = 0;
    for (size_t i = 0; i < maker->inputs->side_count; i++)
        names[(*count)++] = maker->given[i].name;
    for (size_t r = 0; r < grid->row_count; r++)
        names[(*count)++] = grid->names[r];
    for (size_t c = 0; c < grid->column_count; c++)
        names[(*count)++] = grid->columns[c];
    return names;
}

static bool unknown_name(const struct report_figure_maker *maker, const char *key,
                         struct str name)
{
    size_t count, near;
    struct str *names = names_of(maker, &count);

    *maker->inputs->key = key;
    near = near_find(name, names, count);
    if (near < count)
        return err_set(maker->err, ERR_INPUT,
                       "figure %.*s: `%s` names '%.*s', which it does not show; did you "
                       "mean '%.*s'?",
                       STR_ARG(maker->figure->name), key, STR_ARG(name),
                       STR_ARG(names[near]));
    return err_set(
        maker->err, ERR_INPUT,
        "figure %.*s: `%s` names '%.*s', which it does not show; it has %.*s%s",
        STR_ARG(maker->figure->name), key, STR_ARG(name),
        STR_ARG(count > 0 ? names[0] : STR("nothing")), count > 1 ? " and others" : "");
}

/* A list that names what is not there orders less than its author thinks. */
static bool check_order(const struct report_figure_maker *maker)
{
    const struct study_figure *figure = maker->figure;
    const struct report_figure_grid *grid = &maker->grid;

    for (size_t i = 0; i < figure->first_count; i++) {
        bool found = false;
        for (size_t r = 0; r < grid->row_count; r++)
            found = found || place_in_order(figure, grid->names[r], grid->rows[r]) == i;
        for (size_t c = 0; c < grid->column_count; c++)
            found =
                found || place_in_order(figure, grid->headings[c], grid->columns[c]) == i;
        for (size_t s = 0; s < maker->inputs->side_count; s++)
            found = found || place_in_order(figure, maker->given[s].name,
                                            maker->given[s].name) == i;
        if (!found)
            return unknown_name(maker, "order", figure->first[i]);
    }
    return true;
}

bool report_figure_make_grid(struct report_figure_maker *maker)
{
    const struct result_numbers *numbers = maker->inputs->numbers;
    struct report_figure_grid *grid = &maker->grid;
    size_t room = numbers->count + 1;

    find_estimates(maker);
    grid->rows = arena_array(maker->arena, struct str, room);
    grid->names = arena_array(maker->arena, struct str, room);
    grid->labels = arena_array(maker->arena, struct str, room);
    grid->columns = arena_array(maker->arena, struct str, room);
    grid->headings = arena_array(maker->arena, struct str, room);
    grid->units = arena_array(maker->arena, struct str, room);
    grid->levels = arena_array(maker->arena, int, room);
    grid->leaves = arena_array(maker->arena, size_t, room);
    grid->leaf_labels = arena_array(maker->arena, struct str, room);
    for (size_t i = 0; i < numbers->count; i++) {
        const struct result_number *number = &numbers->at[i];
        if (!is_shown(maker, number))
            continue;
        size_t r = str_find(number->row, grid->rows, grid->row_count);
        size_t c = str_find(number->column, grid->columns, grid->column_count);
        if (r == grid->row_count) {
            grid->rows[r] = number->row;
            grid->names[r] = number->label.len > 0 ? number->label : number->row;
            grid->levels[r] = level_of(number->row);
            grid->row_count++;
        }
        if (c == grid->column_count) {
            grid->columns[c] = number->column;
            grid->units[c] = number->unit;
            grid->total = number->total_column ? number->column : grid->total;
            grid->headings[c] =
                number->heading.len > 0 ? number->heading : number->column;
            grid->column_count++;
        }
    }
    grid->cells = arena_array(maker->arena, const struct result_number *,
                              grid->row_count * grid->column_count + 1);
    for (size_t i = 0; i < numbers->count; i++) {
        const struct result_number *number = &numbers->at[i];
        size_t r = str_find(number->row, grid->rows, grid->row_count);
        size_t c = str_find(number->column, grid->columns, grid->column_count);
        if (is_shown(maker, number))
            grid->cells[r * grid->column_count + c] = number;
    }
    shorten_headings(grid);
    if (!check_order(maker))
        return false;
    move_rows_and_columns(maker);
    find_leaves(maker);
    for (size_t c = 0; c < grid->column_count; c++)
        grid->headings[c] = label_for(maker, grid->headings[c], grid->columns[c]);
    return result_numbers_need_columns(numbers, maker->figure->columns,
                                       maker->figure->column_count, maker->err) ||
           err_at(maker->err, "figure %.*s: ", STR_ARG(maker->figure->name));
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

/* What all columns measure; empty: not the same. */
static struct str figure_measured(const struct report_figure_maker *maker)
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

/* Columns that share an axis must be of one unit; where there is none, an estimate has
 * nothing to do with a column that is not one, such as its p. */
bool report_figure_check_units(const struct report_figure_maker *maker)
{
    const struct report_figure_grid *grid = &maker->grid;

    for (size_t c = 1; c < grid->column_count; c++) {
        struct str first = grid->units[0], other = grid->units[c];
        size_t without = is_estimate(maker, grid->columns[0]) ? c : 0;
        if (first.len + other.len == 0 &&
            is_estimate(maker, grid->columns[0]) != is_estimate(maker, grid->columns[c]))
            return err_set(maker->err, ERR_INPUT,
                           "figure %.*s: the column '%.*s' has intervals, '%.*s' has "
                           "none and cannot share its axis; choose with `columns:`",
                           STR_ARG(maker->figure->name),
                           STR_ARG(grid->columns[without == 0 ? c : 0]),
                           STR_ARG(grid->columns[without]));
        if (!str_eq(first, other))
            return err_set(maker->err, ERR_INPUT,
                           "figure %.*s: the columns '%.*s' and '%.*s' have different "
                           "units and cannot share an axis; choose with `columns:`",
                           STR_ARG(maker->figure->name), STR_ARG(grid->columns[0]),
                           STR_ARG(grid->columns[c]));
    }
    return true;
}

/* What is put together must be parts: a total would be counted beside them. */
static bool check_parts(const struct report_figure_maker *maker)
{
    const struct report_figure_grid *grid = &maker->grid;

    return grid->total.len == 0 || grid->column_count == 1 ||
           err_set(maker->err, ERR_INPUT,
                   "figure %.*s: the column '%.*s' is the total of others and cannot be "
                   "put together with them; choose with `columns:`",
                   STR_ARG(maker->figure->name), STR_ARG(grid->total));
}

/* Figures that show the values of items: boxes, distributions, waiting times. */
enum { OUTLIERS_MAX = 200 };

static bool open_quantity(struct report_figure_maker *maker, struct measure_quantity *out)
{
    return measure_quantity_open(maker->inputs->frame, &maker->figure->on, -1, out,
                                 maker->err);
}

/* The quantity, and a series for each side. */
static bool open_series(struct report_figure_maker *maker,
                        struct measure_quantity *quantity, struct chart_series **out)
{
    size_t count = maker->inputs->side_count;

    *out = arena_array(maker->arena, struct chart_series, count + 1);
    maker->out->series = *out;
    maker->out->series_count = count;
    maker->out->x_title = maker->figure->on_text;
    maker->out->x_scale = maker->figure->log_scale ? CHART_LOG : CHART_LINEAR;
    return open_quantity(maker, quantity);
}

static struct stats_values side_values(struct report_figure_maker *maker,
                                       const struct measure_quantity *quantity,
                                       size_t side)
{
    int64_t negative = 0;

    return measure_quantity_values(quantity, maker->inputs->sides[side].bits,
                                   maker->arena, &negative);
}

/* The interval of the median that two notches can be compared by: McGill, Tukey and
 * Larsen, The American Statistician 32, 1978. On a log scale of the logarithms. Of few
 * values it is wider than the box, and left out. */
static void set_notch(struct chart_box *box, bool log_scale)
{
    double width = 1.57 / sqrt((double)box->n);
    double reach = width * (box->third - box->first);
    double low = box->median - reach, high = box->median + reach;

    if (log_scale && box->first > 0) {
        double factor = exp(width * log(box->third / box->first));
        low = box->median / factor;
        high = box->median * factor;
    }
    if (low < box->first || high > box->third)
        return;
    box->notch_low = low;
    box->notch_high = high;
}

static struct chart_box box_of(struct report_figure_maker *maker, struct str name,
                               struct stats_values values)
{
    struct stats_values sorted = stats_values_sorted(values, maker->arena);
    struct stats_describe all = stats_describe(values, maker->arena);
    struct chart_box box = {.name = name,
                            .n = (int64_t)values.count,
                            .low = NAN,
                            .first = NAN,
                            .median = NAN,
                            .third = NAN,
                            .high = NAN};
    double reach = 1.5 * (all.q3 - all.q1);
    double *outliers = arena_array(maker->arena, double, OUTLIERS_MAX + 1);

    if (all.undefined != NULL)
        return box;
    box.first = all.q1;
    box.median = all.median;
    box.third = all.q3;
    box.low = all.q1;
    box.high = all.q3;
    for (size_t i = 0; i < sorted.count; i++) {
        double value = sorted.at[i];
        bool inside = value >= all.q1 - reach && value <= all.q3 + reach;
        if (maker->figure->log_scale && value <= 0) {
            box.hidden++;
            continue;
        }
        if (inside && value < box.low)
            box.low = value;
        if (inside && value > box.high)
            box.high = value;
        /* Of very many the outermost are shown. */
        size_t from_end = sorted.count - 1 - i;
        if (!inside && box.outlier_count < OUTLIERS_MAX &&
            (i < OUTLIERS_MAX / 2 || from_end < OUTLIERS_MAX / 2))
            outliers[box.outlier_count++] = value;
    }
    set_notch(&box, maker->figure->log_scale);
    box.outliers = outliers;
    return box;
}

static void order_boxes(const struct report_figure_maker *maker, struct chart_box *boxes,
                        size_t count)
{
    struct report_figure_ordered *list =
        arena_array(maker->arena, struct report_figure_ordered, count + 1);
    struct chart_box *old = arena_array(maker->arena, struct chart_box, count + 1);

    for (size_t i = 0; i < count; i++) {
        old[i] = boxes[i];
        list[i] = (struct report_figure_ordered){
            .name = boxes[i].name, .value = boxes[i].median, .first = i};
    }
    put_in_order(maker->figure, list, count);
    for (size_t i = 0; i < count; i++)
        boxes[i] = old[list[i].first];
}

/* The kinds that show items. */
static bool figure_boxes(struct report_figure_maker *maker)
{
    struct measure_quantity quantity;
    size_t count = maker->inputs->side_count;
    struct chart_box *boxes = arena_array(maker->arena, struct chart_box, count + 1);

    if (!open_quantity(maker, &quantity))
        return false;
    for (size_t i = 0; i < count; i++)
        boxes[i] =
            box_of(maker, maker->inputs->sides[i].name, side_values(maker, &quantity, i));
    if (maker->figure->order == STUDY_ORDER_LARGEST ||
        maker->figure->order == STUDY_ORDER_SMALLEST)
        order_boxes(maker, boxes, count);
    maker->out->boxes = boxes;
    maker->out->box_count = count;
    maker->out->y_title = maker->figure->on_text;
    maker->out->y_scale = maker->figure->log_scale ? CHART_LOG : CHART_LINEAR;
    return true;
}

static bool figure_distribution(struct report_figure_maker *maker)
{
    bool histogram = maker->figure->kind == STUDY_HISTOGRAM;
    size_t count = maker->inputs->side_count;
    struct chart_series *series;
    struct measure_quantity quantity;

    if (!open_series(maker, &quantity, &series))
        return false;
    for (size_t i = 0; i < count; i++) {
        struct stats_values values = side_values(maker, &quantity, i);
        series[i] = (struct chart_series){.name = count > 1 ? maker->inputs->sides[i].name
                                                            : (struct str){0},
                                          .x = values.at,
                                          .count = values.count};
    }
    maker->out->series_count = histogram && count > 0 ? 1 : count;
    maker->out->y_title = histogram ? STR("items") : STR("share of items");
    return true;
}

static struct chart_series curve_of(struct report_figure_maker *maker,
                                    const struct report_figure_side *side,
                                    const struct measure_quantity *quantity)
{
    struct arena work = {0}; /* of a million items it is large */
    struct stats_survival_case *cases = arena_array(
        &work, struct stats_survival_case, (size_t)measure_bits_count(side->bits) + 1);
    struct stats_survival_walk walk = stats_survival_begin(
        cases, measure_quantity_waits(quantity, side->bits, cases), 0.95);
    struct stats_survival_step step;
    double *numbers[5];
    size_t count = 0;

    for (size_t i = 0; i < walk.count; i++)
        count += i == 0 || cases[i].time != cases[i - 1].time;
    for (size_t n = 0; n < ROWS_OF(numbers); n++)
        numbers[n] = arena_array(maker->arena, double, count + 1);
    for (size_t i = 0; stats_survival_next(&walk, &step); i++) {
        numbers[0][i] = step.time;
        numbers[1][i] = step.left;
        numbers[2][i] = step.low;
        numbers[3][i] = step.high;
        numbers[4][i] = (double)step.at_risk;
    }
    arena_free(&work);
    return (struct chart_series){.name = side->name,
                                 .x = numbers[0],
                                 .y = numbers[1],
                                 .low = numbers[2],
                                 .high = numbers[3],
                                 .at_risk = numbers[4],
                                 .count = count};
}

/* When a curve has done three quarters of its fall; 0: it has none. */
static double mostly_fallen(const struct chart_series *series)
{
    double end = series->count > 0 ? series->y[series->count - 1] : 1;

    for (size_t i = 0; i < series->count && end < 1; i++)
        if (1 - series->y[i] >= 0.75 * (1 - end))
            return series->x[i];
    return 0;
}

/* Waits of hours beside some of years: on a linear axis all curves would be a stroke at
 * its beginning. */
static bool is_crowded(const struct chart_series *series, size_t count)
{
    double longest = 0, fallen = 0;

    for (size_t i = 0; i < count; i++) {
        if (series[i].count > 0)
            longest = fmax(longest, series[i].x[series[i].count - 1]);
        fallen = fmax(fallen, mostly_fallen(&series[i]));
    }
    return fallen > 0 && fallen < 0.05 * longest;
}

static bool figure_survival(struct report_figure_maker *maker)
{
    struct chart_series *series;
    struct measure_quantity quantity;

    if (!open_series(maker, &quantity, &series))
        return false;
    for (size_t i = 0; i < maker->inputs->side_count; i++)
        series[i] = curve_of(maker, &maker->inputs->sides[i], &quantity);
    if (yaml_get(maker->figure->node, STR("log")) == NULL && !maker->figure->limited &&
        is_crowded(series, maker->inputs->side_count))
        maker->out->x_scale = CHART_LOG;
    maker->out->y_title = STR("still waiting");
    maker->out->y_number = CHART_PERCENT;
    return true;
}

static enum measure_ends_state state_at(const struct report_figure_maker *maker, size_t r,
                                        size_t c)
{
    const struct result_number *number =
        maker->grid.cells[r * maker->grid.column_count + c];

    return number == NULL
               ? MEASURE_ENDS_WHOLE
               : measure_ends_state(&maker->inputs->unfinished,
                                    (size_t)(number - maker->inputs->numbers->at));
}

/* Where all sources had ended there are no data, whatever the table has. */
static double value_at(const struct report_figure_maker *maker, size_t r, size_t c)
{
    const struct result_number *number =
        maker->grid.cells[r * maker->grid.column_count + c];

    return number != NULL && state_at(maker, r, c) != MEASURE_ENDS_NONE ? number->value
                                                                         : NAN;
}

/* Whether it is of a period that was not over, which the figure is to tell. */
static bool find_partial(struct report_figure_maker *maker, size_t r, size_t c)
{
    enum measure_ends_state state = state_at(maker, r, c);

    if (state == MEASURE_ENDS_WHOLE)
        return false;
    maker->partial = true;
    measure_ends_gather(&maker->inputs->unfinished,
                        (size_t)(maker->grid.cells[r * maker->grid.column_count + c] -
                                 maker->inputs->numbers->at),
                        &maker->ends);
    return state != MEASURE_ENDS_NONE;
}

/* Of kinds that do not show what is partial: that a source is missing is told. */
static double value_told(struct report_figure_maker *maker, size_t r, size_t c)
{
    if (state_at(maker, r, c) > MEASURE_ENDS_CUT)
        (void)find_partial(maker, r, c);
    return value_at(maker, r, c);
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
        bool *partial = arena_array(maker->arena, bool, count + 1);
        bool intervals = false;
        for (size_t i = 0; i < count; i++) {
            const struct result_number *number =
                grid->cells[rows[i] * grid->column_count + c];
            y[i] = value_at(maker, rows[i], c);
            low[i] = isnan(y[i]) ? NAN : number->low;
            high[i] = isnan(y[i]) ? NAN : number->high;
            intervals = intervals || !isnan(low[i]);
            partial[i] = find_partial(maker, rows[i], c);
        }
        series[c] = (struct chart_series){
            .name = grid->column_count > 1 ? grid->headings[c] : (struct str){0},
            .y = y,
            .partial = partial,
            .low = intervals ? low : NULL,
            .high = intervals ? high : NULL,
            .count = count};
    }
    maker->out->series = maker->series = series;
    maker->out->series_count = grid->column_count;
}

static void set_value_axis(struct report_figure_maker *maker)
{
    maker->out->y_scale = maker->figure->log_scale ? CHART_LOG : CHART_LINEAR;
    maker->out->y_number = report_figure_number(maker, 0);
    maker->out->y_title = figure_measured(maker);
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
    return buf_keep(&text, maker->arena);
}

static bool has_same_names(const struct report_figure_grid *grid)
{
    for (size_t i = 0; i < grid->leaf_count; i++)
        for (size_t k = 0; k < i; k++)
            if (str_eq(grid->leaf_labels[i], grid->leaf_labels[k]))
                return true;
    return false;
}

/* Rows of several blocks need the names above them to be told apart. */
static void name_in_full(struct report_figure_maker *maker)
{
    struct report_figure_grid *grid = &maker->grid;

    if (!has_same_names(grid))
        return;
    for (size_t i = 0; i < grid->leaf_count; i++)
        grid->leaf_labels[i] = full_label(maker, grid->leaves[i]);
}

/* What a share rests on is told where it is less than this. */
enum { FEW = 30 };

static struct str with_n(const struct report_figure_maker *maker, struct str name,
                         int64_t n)
{
    return arena_format(maker->arena, "%.*s (n = %lld)", STR_ARG(name), (long long)n);
}

/* What all shares of a row, or of a column, rest on; -1: not all on the same. */
static int64_t common_n(const struct report_figure_grid *grid, const size_t *rows,
                        size_t row_count, size_t column, size_t column_count)
{
    int64_t n = -1;

    for (size_t i = 0; i < row_count; i++)
        for (size_t c = column; c < column + column_count; c++) {
            const struct result_number *cell =
                grid->cells[rows[i] * grid->column_count + c];
            if (cell == NULL || cell->n < 0 || (n >= 0 && cell->n != n))
                return -1;
            n = cell->n;
        }
    return n;
}

/* Shares of few: beside the names of rows, or else of columns. */
static void name_few(struct report_figure_maker *maker)
{
    struct report_figure_grid *grid = &maker->grid;

    for (size_t i = 0; i < grid->leaf_count; i++) {
        int64_t n = common_n(grid, &grid->leaves[i], 1, 0, grid->column_count);
        if (n >= 0 && n < FEW)
            grid->leaf_labels[i] = with_n(maker, grid->leaf_labels[i], n);
    }
    for (size_t c = 0; grid->column_count > 1 && c < grid->column_count; c++) {
        int64_t n = common_n(grid, grid->leaves, grid->leaf_count, c, 1);
        if (n >= 0 && n < FEW)
            grid->headings[c] = with_n(maker, grid->headings[c], n);
    }
}

/* Parts of 100%: how many there are in all, where these are few. */
static void tell_few(struct report_figure_maker *maker)
{
    const struct report_figure_grid *grid = &maker->grid;
    bool shares = report_figure_number(maker, 0) == CHART_PERCENT;
    double *few = arena_array(maker->arena, double, grid->leaf_count + 1);

    for (size_t i = 0; i < grid->leaf_count; i++) {
        double n = 0;
        if (shares)
            n = (double)common_n(grid, &grid->leaves[i], 1, 0, grid->column_count);
        for (size_t c = 0; c < grid->column_count && !shares; c++)
            n += fmax(0, value_at(maker, grid->leaves[i], c));
        few[i] = n > 0 && n < FEW ? n : NAN;
    }
    maker->out->few = few;
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

/* Rows that have the same names below others stand in panels. */
static void add_panels(struct report_figure_maker *maker)
{
    struct report_figure_grid *grid = &maker->grid;
    struct chart_panel *panels =
        arena_array(maker->arena, struct chart_panel, grid->leaf_count + 1);
    size_t count = 0;

    if (!has_same_names(grid))
        return;
    for (size_t begin = 0, end; begin < grid->leaf_count; begin = end) {
        size_t row = grid->leaves[begin];
        end = block_end(maker, grid->leaves, begin, grid->leaf_count);
        size_t above = row; /* blocks of a tree may stand at several levels */
        while (above > 0 && grid->levels[above] >= grid->levels[row])
            above--;
        panels[count++] = (struct chart_panel){grid->levels[row] > grid->levels[above]
                                                   ? full_label(maker, above)
                                                   : (struct str){0},
                                               begin, end - begin};
    }
    maker->out->panels = panels;
    maker->out->panel_count = count;
}

/* Ratios of a regression: at 1 nothing differs. */
static bool shows_ratios(const struct report_figure_maker *maker)
{
    static const struct str ratios[] = {STR_INIT("odds-ratio"), STR_INIT("rate-ratio"),
                                        STR_INIT("hazard-ratio")};

    for (size_t i = 0; i < maker->estimate_count; i++)
        if (str_find(maker->estimates[i], ratios, ROWS_OF(ratios)) < ROWS_OF(ratios))
            return true;
    return false;
}

static bool all_above_0(const struct chart_series *series, size_t count, size_t rows)
{
    for (size_t s = 0; s < count; s++)
        for (size_t i = 0; i < rows; i++)
            if (series[s].y[i] <= 0 || (series[s].low != NULL && series[s].low[i] <= 0))
                return false;
    return true;
}

/* Half as much is as far from 1 as twice as much. */
static void set_ratios(struct report_figure_maker *maker)
{
    const struct study_figure *figure = maker->figure;

    maker->out->neutral = 1;
    if (yaml_get(figure->node, STR("log")) == NULL &&
        (!figure->limited || figure->low > 0) &&
        all_above_0(maker->series, maker->out->series_count, maker->grid.leaf_count))
        maker->out->y_scale = CHART_LOG;
}

static bool show_bars(struct report_figure_maker *maker)
{
    bool full = maker->out->kind == CHART_BARS_FULL;
    bool stacked = full || maker->out->kind == CHART_BARS_STACKED;

    if (maker->out->kind == CHART_FOREST)
        name_in_full(maker);
    else
        add_panels(maker);
    if (full)
        tell_few(maker);
    else if (maker->out->kind == CHART_BARS &&
             report_figure_number(maker, 0) == CHART_PERCENT)
        name_few(maker);
    maker->out->categories = maker->grid.leaf_labels;
    maker->out->category_count = maker->grid.leaf_count;
    add_series(maker, maker->grid.leaves, maker->grid.leaf_count);
    /* Intervals belong to single bars, not to parts of a stack. */
    for (size_t c = 0; c < maker->out->series_count && stacked; c++)
        maker->series[c].low = maker->series[c].high = NULL;
    set_value_axis(maker);
    if (shows_ratios(maker))
        set_ratios(maker);
    if (full) {
        maker->out->y_number = CHART_PLAIN;
        maker->out->y_title = STR("share");
    }
    return true;
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

/* A year, or where a quarter or a month begins among years: 2018-Q3 at 2018.5. *parts is
 * into how many years go. */
static bool is_time(struct str label, double *x, int *parts)
{
    struct str rest = label, year;
    int64_t part = 1;
    bool whole = !str_cut(&rest, '-', &year);

    if (year.len != 4 || !str_to_real(year, x) || *x < 1000 || *x > 9999)
        return false;
    *parts = whole ? 1 : str_starts(rest, STR("Q")) ? 4 : 12;
    if (!whole && (!str_to_int(str_slice(rest, *parts == 4, rest.len), &part) ||
                   part < 1 || part > *parts))
        return false;
    *x += (double)(part - 1) / *parts;
    return true;
}

/* Whether all are times, with their places. */
static bool are_times(const struct str *names, size_t count, double *x, int *parts)
{
    bool all = count > 0;

    *parts = 1;
    for (size_t i = 0; i < count && all; i++) {
        int own = 1;
        all = is_time(names[i], &x[i], &own);
        *parts = own > *parts ? own : *parts;
    }
    return all;
}

/* Columns that are years, quarters or months go along the axis, and each row is a line.
 */
static bool show_lines_across(struct report_figure_maker *maker, const double *x)
{
    const struct report_figure_grid *grid = &maker->grid;
    struct chart_series *lines =
        arena_array(maker->arena, struct chart_series, grid->leaf_count + 1);

    name_in_full(maker);
    for (size_t i = 0; i < grid->leaf_count; i++) {
        double *y = arena_array(maker->arena, double, grid->column_count + 1);
        bool *partial = arena_array(maker->arena, bool, grid->column_count + 1);
        for (size_t c = 0; c < grid->column_count; c++) {
            y[c] = value_at(maker, grid->leaves[i], c);
            partial[c] = find_partial(maker, grid->leaves[i], c);
        }
        lines[i] = (struct chart_series){.name = grid->leaf_labels[i],
                                         .x = x,
                                         .y = y,
                                         .partial = partial,
                                         .count = grid->column_count};
    }
    maker->out->series = lines;
    maker->out->series_count = grid->leaf_count;
    maker->out->x_scale = CHART_YEARS;
    set_value_axis(maker);
    return true;
}

/* Rows that are all years or parts of years, or all numbers, are places on the axis;
 * others follow each other. Each block of rows is a line of its own. */
static bool show_lines(struct report_figure_maker *maker)
{
    const struct report_figure_grid *grid = &maker->grid;
    const size_t *rows = grid->leaves;
    size_t count = grid->leaf_count, lines = 0;
    double *x = arena_array(maker->arena, double, count + grid->column_count + 1);
    struct str *names = arena_array(maker->arena, struct str, count + 1);
    struct chart_series *all = arena_array(maker->arena, struct chart_series,
                                           (count + 1) * (grid->column_count + 1));
    for (size_t i = 0; i < count; i++)
        names[i] = grid->names[rows[i]];
    bool years = are_times(names, count, x, &maker->out->x_parts), numbers = count > 0;
    if (!years && grid->column_count > 1 &&
        are_times(grid->headings, grid->column_count, x, &maker->out->x_parts))
        return show_lines_across(maker, x);
    for (size_t i = 0; i < count && !years; i++)
        numbers = numbers && is_place(names[i], &x[i]);
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
                                : arena_format(maker->arena, "%.*s: %.*s", STR_ARG(block),
                                               STR_ARG(grid->headings[c]));
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
    size_t count = grid->leaf_count;
    struct chart_series *series =
        arena_array(maker->arena, struct chart_series, count + 1);

    name_in_full(maker);
    for (size_t i = 0; i < count; i++) {
        double *y = arena_array(maker->arena, double, grid->column_count + 1);
        for (size_t c = 0; c < grid->column_count; c++)
            y[c] = value_told(maker, grid->leaves[i], c);
        series[i] = (struct chart_series){
            .name = grid->leaf_labels[i], .y = y, .count = grid->column_count};
    }
    maker->out->series = series;
    maker->out->series_count = count;
    maker->out->categories = grid->headings;
    maker->out->category_count = grid->column_count;
    maker->out->y_number = report_figure_number(maker, 0);
    return true;
}

/* A code that has none below it is a group by its level and by its leaf: all that is
 * below such a row is the row itself once more. */
static bool is_its_parent(const struct report_figure_grid *grid, size_t r)
{
    return r > 0 && grid->levels[r] == grid->levels[r - 1] + 1 &&
           str_eq(grid->names[r], grid->names[r - 1]) &&
           (r + 1 == grid->row_count || grid->levels[r + 1] < grid->levels[r]);
}

static bool show_tree(struct report_figure_maker *maker)
{
    const struct report_figure_grid *grid = &maker->grid;
    struct chart_node *nodes =
        arena_array(maker->arena, struct chart_node, grid->row_count + 1);
    bool shares = report_figure_number(maker, 0) == CHART_PERCENT;
    double all = 0;
    int deepest = 0;

    for (size_t r = 0; r < grid->row_count; r++)
        deepest = grid->levels[r] > deepest ? grid->levels[r] : deepest;
    for (size_t r = 0; r < grid->row_count; r++)
        all += grid->levels[r] == 0 && !isnan(value_at(maker, r, 0))
                   ? value_at(maker, r, 0)
                   : 0;
    if (deepest == 0 && all > 0) /* levels come with labels */
        return err_set(maker->err, ERR_INPUT,
                       "figure %.*s: a tree needs a table by several groups, such as "
                       "labels with `level: 1` and with `level: 2`; found one level, "
                       "which bars show",
                       STR_ARG(maker->figure->name));
    for (size_t r = 0; r < grid->row_count; r++)
        if (!is_its_parent(grid, r))
            nodes[maker->out->node_count++] =
                (struct chart_node){grid->labels[r], grid->levels[r],
                                    shares    ? value_at(maker, r, 0)
                                    : all > 0 ? value_at(maker, r, 0) / all
                                              : NAN};
    maker->out->nodes = nodes;
    return true;
}

/* How often a classifier is right where it is so sure: a reliability diagram. */
static bool is_reliability(const struct report_figure_maker *maker, struct str x,
                           struct str y)
{
    const struct study_table *table = maker->inputs->table;

    return table != NULL && str_eq(table->show, STR("calibration")) &&
           str_eq(x, STR("mean-probability")) && str_eq(y, STR("share-right"));
}

static bool show_scatter(struct report_figure_maker *maker)
{
    const struct report_figure_grid *grid = &maker->grid;
    size_t count = grid->leaf_count;
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
        x[i] = value_told(maker, grid->leaves[i], first);
        y[i] = value_told(maker, grid->leaves[i], 1 - first);
    }
    *series = (struct chart_series){
        .x = x, .y = y, .labels = grid->leaf_labels, .count = count};
    maker->out->series = series;
    maker->out->series_count = 1;
    maker->out->x_title = grid->headings[first];
    maker->out->y_title = grid->headings[1 - first];
    maker->out->x_number = report_figure_number(maker, first);
    maker->out->y_number = report_figure_number(maker, 1 - first);
    maker->out->equal =
        is_reliability(maker, grid->columns[first], grid->columns[1 - first]);
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
        names[count] = maker->inputs->mixed ? STR("all items") : STR("all questions");
        left[count++] = (double)maker->inputs->all;
    }
    for (size_t i = 0; i < numbers->count; i++)
        if (str_starts(numbers->at[i].column, STR("funnel."))) {
            names[count] =
                label_for(maker, numbers->at[i].heading, numbers->at[i].column);
            left[count++] = numbers->at[i].value;
        }
    *series = (struct chart_series){.y = left, .count = count};
    maker->out->categories = names;
    maker->out->category_count = count;
    maker->out->series = series;
    maker->out->series_count = 1;
    return true;
}

/* The sets and groups of a figure of items, by the figure's names and in its order. */
static void name_sides(struct report_figure_maker *maker,
                       struct report_figure_inputs *inputs)
{
    size_t count = inputs->side_count;
    struct report_figure_ordered *list =
        arena_array(maker->arena, struct report_figure_ordered, count + 1);
    struct report_figure_side *sides =
        arena_array(maker->arena, struct report_figure_side, count + 1);
    enum study_order order = maker->figure->order;

    for (size_t i = 0; i < count; i++)
        list[i] = (struct report_figure_ordered){
            .name = inputs->sides[i].name, .path = inputs->sides[i].name, .first = i};
    if (order == STUDY_ORDER_LIST || order == STUDY_ORDER_NAME)
        put_in_order(maker->figure, list, count);
    for (size_t i = 0; i < count; i++) {
        sides[i] = inputs->sides[list[i].first];
        sides[i].name = label_for(maker, sides[i].name, sides[i].name);
    }
    maker->given = inputs->sides;
    inputs->sides = sides;
}

/* Labels are of something, or titles of the axes. */
static bool check_labels(struct report_figure_maker *maker)
{
    const struct study_figure *figure = maker->figure;

    for (size_t i = 0; i < figure->label_count; i++) {
        if (maker->labelled[i])
            continue;
        if (str_eq(figure->labels[i].key, STR("x")))
            maker->out->x_title = figure->labels[i].value;
        else if (str_eq(figure->labels[i].key, STR("y")))
            maker->out->y_title = figure->labels[i].value;
        else
            return unknown_name(maker, "labels", figure->labels[i].key);
    }
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
        bool parts;    /* which make a whole */
    } kinds[] = {
        [STUDY_BARS] = {.kind = CHART_BARS, .show = show_bars, .one_axis = true},
        [STUDY_STACKED] = {.kind = CHART_BARS_STACKED,
                           .show = show_bars,
                           .one_axis = true,
                           .parts = true},
        [STUDY_SHARES] = {.kind = CHART_BARS_FULL,
                          .show = show_bars,
                          .one_axis = true,
                          .parts = true},
        [STUDY_LINES] = {.kind = CHART_LINES, .show = show_lines, .one_axis = true},
        [STUDY_BOX] = {.kind = CHART_BOXES, .show = figure_boxes},
        [STUDY_HISTOGRAM] = {.kind = CHART_HISTOGRAM, .show = figure_distribution},
        [STUDY_ECDF] = {.kind = CHART_ECDF, .show = figure_distribution},
        [STUDY_SURVIVAL] = {.kind = CHART_SURVIVAL, .show = figure_survival},
        [STUDY_HEAT] = {.kind = CHART_HEAT, .show = show_matrix, .one_axis = true},
        [STUDY_FUNNEL] = {.kind = CHART_FUNNEL, .show = show_funnel},
        [STUDY_TREE] = {.kind = CHART_TREE, .show = show_tree},
        [STUDY_ALLUVIAL] = {.kind = CHART_ALLUVIAL,
                            .show = show_matrix,
                            .one_axis = true,
                            .parts = true},
        [STUDY_SCATTER] = {.kind = CHART_SCATTER, .show = show_scatter},
        [STUDY_FOREST] = {.kind = CHART_FOREST, .show = show_bars, .one_axis = true},
    };
    struct report_figure_inputs own = *inputs;
    const char *key;
    struct report_figure_maker maker = {
        .figure = figure, .inputs = &own, .arena = arena, .out = out, .err = err};

    *out = (struct chart){.kind = kinds[figure->kind].kind,
                          .width_cm = figure->two_columns ? CHART_TWO_COLUMNS_CM
                                                          : CHART_ONE_COLUMN_CM,
                          .height_cm = figure->height_cm,
                          .limited = figure->limited,
                          .limit_low = figure->low,
                          .limit_high = figure->high,
                          .bins = figure->bins,
                          .palette = figure->palette,
                          .palette_count = figure->palette_count,
                          .patterns = figure->patterns};
    maker.labelled = arena_array(arena, bool, figure->label_count + 1);
    if (own.key == NULL)
        own.key = &key;
    *own.key = "columns";
    name_sides(&maker, &own);
    if (figure->table != STUDY_NONE &&
        (!report_figure_make_grid(&maker) ||
         (kinds[figure->kind].one_axis && !report_figure_check_units(&maker)) ||
         (kinds[figure->kind].parts && !check_parts(&maker))))
        return false;
    if ((figure->table == STUDY_NONE && !check_order(&maker)) ||
        !kinds[figure->kind].show(&maker) || !check_labels(&maker)) {
        buf_free(&maker.ends);
        return false;
    }
    *own.key = "limits";
    if (maker.partial && inputs->unfinished.last.len > 0)
        out->note = arena_format(arena, "%.*s is not complete: the sources end on %.*s.",
                                 STR_ARG(inputs->unfinished.last),
                                 STR_ARG(inputs->unfinished.ended));
    else if (maker.partial)
        out->note = arena_format(arena, "Not complete: %.*s.",
                                 STR_ARG(measure_ends_show(buf_str(&maker.ends), arena)));
    buf_free(&maker.ends);
    return true;
}
