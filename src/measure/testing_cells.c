/* Tests on the cells of a table: columns against columns, over all of its rows, a block
 * of them or each. */
#include <math.h>

#include "measure/internal.h"
#include "stats/adjust.h"

static bool is_one_of(struct str column, const struct str *names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (result_numbers_column_is(column, names[i]))
            return true;
    return false;
}

static struct str parent_of(struct str row)
{
    for (size_t i = row.len; i-- > 0;)
        if (row.ptr[i] == '/')
            return str_slice(row, 0, i);
    return (struct str){0};
}

/* Which numbers belong to a row that has none below it: rows below one follow it. */
static bool *find_leaves(const struct result_numbers *table, struct arena *arena)
{
    bool *leaf = arena_array(arena, bool, table->count + 1);

    for (size_t i = 0, next; i < table->count; i = next) {
        struct str row = table->at[i].row, other = {0};
        for (next = i + 1; next < table->count && str_eq(table->at[next].row, row);)
            next++;
        if (next < table->count)
            other = table->at[next].row;
        bool below =
            other.len > row.len && str_starts(other, row) && other.ptr[row.len] == '/';
        for (size_t k = i; k < next; k++)
            leaf[k] = !below;
    }
    return leaf;
}

struct cell_test {
    const struct study_test *test;
    const struct result_numbers *table;
    const bool *leaf; /* of each number */
    double sums[2];   /* of all leaves, on both sides */
    struct arena *arena;
    struct str row;   /* EACH_ROW: of this row */
    struct str block; /* EACH_BLOCK: of the rows directly below this one */
    size_t *empty;    /* rows of counts that were left out */
};

/* Whether each row is an observation; then what is left over does not count. */
static bool correlates(const struct study_test *test)
{
    return test->kind == STUDY_PEARSON || test->kind == STUDY_SPEARMAN ||
           test->kind == STUDY_KENDALL;
}

static bool belongs(const struct cell_test *cells, const struct result_number *number)
{
    if (number->total_row || (number->rest_row && correlates(cells->test)))
        return false;
    switch (cells->test->each) {
    case STUDY_EACH_ROW:
        return str_eq(number->row, cells->row);
    case STUDY_EACH_BLOCK:
        return str_eq(parent_of(number->row), cells->block);
    default:
        return cells->leaf[number - cells->table->at];
    }
}

/* The cells of these columns; where one is undefined the result is. */
static struct stats_values cells_of(const struct cell_test *cells,
                                    const struct str *columns, size_t count)
{
    double *values = arena_array(cells->arena, double, cells->table->count + 1);
    size_t found = 0;

    for (size_t i = 0; i < cells->table->count; i++) {
        const struct result_number *number = &cells->table->at[i];
        if (belongs(cells, number) && is_one_of(number->column, columns, count))
            values[found++] =
                measure_quantity_round(number->value, cells->test->round_first);
    }
    return (struct stats_values){values, found};
}

/* Whole, not negative, and exact in a double. */
static bool is_count(double value)
{
    return value >= 0 && value <= 9e15 && value == floor(value);
}

/* Of one row: its counts against those of all other rows, on both sides. */
static bool count_row(const struct cell_test *cells, struct stats_contingency *out)
{
    const struct study_test *test = cells->test;
    int64_t *counts = arena_array(cells->arena, int64_t, 4);
    const double *there = cells->sums;
    double here[2] = {
        stats_values_sum(cells_of(cells, test->first, test->first_count)),
        stats_values_sum(cells_of(cells, test->second, test->second_count))};
    for (size_t side = 0; side < 2; side++) {
        if (!is_count(here[side]) || !is_count(there[side]) || there[side] < here[side])
            return false;
        counts[side * 2] = (int64_t)here[side];
        counts[side * 2 + 1] = (int64_t)(there[side] - here[side]);
    }
    *out = (struct stats_contingency){counts, 2, 2};
    return true;
}

/* The one count of a row, which begins at `at` and ends before `end`, in a column. */
static bool find_count(const struct cell_test *cells, size_t at, size_t end,
                       struct str column, int64_t *out)
{
    size_t found = 0;

    for (size_t i = at; i < end; i++) {
        const struct result_number *number = &cells->table->at[i];
        if (!belongs(cells, number) || !result_numbers_column_is(number->column, column))
            continue;
        if (!is_count(number->value))
            return false;
        *out = (int64_t)number->value;
        found++;
    }
    return found == 1;
}

/* Where the row that begins at `at` ends; two rows may have the same name. */
static size_t end_of_row(const struct result_numbers *table, size_t at)
{
    size_t end = at + 1;

    while (end < table->count && str_eq(table->at[end].row, table->at[at].row) &&
           !str_eq(table->at[end].column, table->at[at].column))
        end++;
    return end;
}

static bool has_cell_in(const struct cell_test *cells, size_t at, size_t end)
{
    for (size_t i = at; i < end; i++)
        if (belongs(cells, &cells->table->at[i]))
            return true;
    return false;
}

/* Of a table: its rows by the columns that are named. A row where nothing was counted,
 * such as a code that nobody used, says nothing and is left out. */
static bool count_table(const struct cell_test *cells, struct stats_contingency *out)
{
    const struct study_test *test = cells->test;
    size_t columns = test->first_count + test->second_count, rows = 0;
    int64_t *counts =
        arena_array(cells->arena, int64_t, cells->table->count * columns + 1);

    for (size_t at = 0, end; at < cells->table->count; at = end) {
        end = end_of_row(cells->table, at);
        if (!has_cell_in(cells, at, end))
            continue;
        for (size_t c = 0; c < columns; c++) {
            struct str name = c < test->first_count ? test->first[c]
                                                    : test->second[c - test->first_count];
            if (!find_count(cells, at, end, name, &counts[rows * columns + c]))
                return false;
        }
        bool any = false;
        for (size_t c = 0; c < columns; c++)
            any = any || counts[rows * columns + c] > 0;
        rows += any;
        *cells->empty += !any;
    }
    *out = (struct stats_contingency){counts, rows, columns};
    return columns > 0;
}

/* Times of a trend: the rows' last names where all are numbers, else their places. */
static struct stats_values times_of(const struct cell_test *cells, size_t count)
{
    double *times = arena_array(cells->arena, double, count + 1);
    size_t found = 0;
    bool named = true;

    for (size_t i = 0; i < cells->table->count && found < count; i++) {
        const struct result_number *number = &cells->table->at[i];
        if (!belongs(cells, number) ||
            !is_one_of(number->column, cells->test->first, cells->test->first_count))
            continue;
        size_t parent = parent_of(number->row).len;
        struct str name =
            str_slice(number->row, parent > 0 ? parent + 1 : 0, number->row.len);
        named = str_to_real(name, &times[found++]) && named;
    }
    for (size_t i = 0; i < found && !named; i++)
        times[i] = (double)(i + 1);
    return (struct stats_values){times, found};
}

/* Whether each column is a group; else there are two sides. */
static bool compares_columns(const struct study_test *test)
{
    return test->kind == STUDY_KRUSKAL_WALLIS || test->kind == STUDY_FRIEDMAN;
}

/* Why the columns of several groups cannot be compared; NULL: they can. */
static const char *problem_of_groups(const struct stats_values *groups, size_t count,
                                     bool same_length)
{
    for (size_t g = 0; g < count; g++) {
        if (groups[g].count == 0)
            return "the table has no such columns";
        if (same_length && groups[g].count != groups[0].count)
            return "the columns are not of the same length";
    }
    return NULL;
}

/* Two sides, of several columns each; a trend is one of them over time. */
static const char *fill_sides(const struct cell_test *cells, struct stats_values *sides)
{
    const struct study_test *test = cells->test;
    bool pairs = test->kind >= STUDY_PEARSON || test->kind == STUDY_PAIRED ||
                 test->kind == STUDY_WILCOXON;

    sides[0] = cells_of(cells, test->first, test->first_count);
    sides[1] = test->kind == STUDY_MANN_KENDALL
                   ? times_of(cells, sides[0].count)
                   : cells_of(cells, test->second, test->second_count);
    if (sides[0].count == 0 || sides[1].count == 0)
        return "the table has no such columns";
    if (pairs && sides[0].count != sides[1].count)
        return "the two sides are not of the same length";
    return NULL;
}

/* What goes into the test; why it cannot be carried out, or NULL. */
static const char *fill_task(const struct cell_test *cells, struct stats_values *values,
                             struct measure_test_kinds_task *task)
{
    const struct study_test *test = cells->test;

    if (measure_test_kinds_find(test->kind)->counts)
        return (test->each == STUDY_EACH_ROW ? count_row : count_table)(cells,
                                                                        &task->counts)
                   ? NULL
                   : "its cells are not counts, or are not one a column";
    if (!compares_columns(test))
        return fill_sides(cells, values);
    for (size_t g = 0; g < task->group_count; g++)
        values[g] = cells_of(cells, &test->first[g], 1);
    return problem_of_groups(values, task->group_count, test->kind == STUDY_FRIEDMAN);
}

static void carry_out_cells(struct cell_test *cells,
                            struct measure_testing_result *result)
{
    const struct study_test *test = cells->test;
    size_t groups = compares_columns(test) ? test->first_count : 2;
    struct stats_values *values =
        arena_array(cells->arena, struct stats_values, groups + 1);
    struct measure_test_kinds_task task = {test,   cells->arena, result,
                                           values, groups,       {0}};

    result->undefined = fill_task(cells, values, &task);
    if (result->undefined == NULL)
        measure_test_kinds_find(test->kind)->carry_out(&task);
}

/* The rows or blocks to test, each once, in the table's order. */
static size_t units_of(const struct cell_test *cells, struct str *units)
{
    size_t count = 0;

    for (size_t i = 0; i < cells->table->count; i++) {
        const struct result_number *number = &cells->table->at[i];
        struct str unit =
            cells->test->each == STUDY_EACH_ROW ? number->row : parent_of(number->row);
        bool known = number->total_row ||
                     (cells->test->each == STUDY_EACH_BLOCK && unit.len == 0) ||
                     (cells->test->each == STUDY_EACH_ROW && !cells->leaf[i]);
        for (size_t u = 0; u < count && !known; u++)
            known = str_eq(units[u], unit);
        if (!known)
            units[count++] = unit;
    }
    return count;
}

static bool takes_shares(const struct study_test *test,
                         const struct result_numbers *table)
{
    for (size_t i = 0; i < table->count; i++)
        if (str_eq(table->at[i].unit, STR("%")) &&
            (is_one_of(table->at[i].column, test->first, test->first_count) ||
             is_one_of(table->at[i].column, test->second, test->second_count)))
            return true;
    return false;
}

/* A table of labels that nobody has given yet holds zeros at the most. */
static bool holds_any(const struct result_numbers *table)
{
    for (size_t i = 0; i < table->count; i++)
        if (table->at[i].value != 0 && !isnan(table->at[i].value))
            return true;
    return false;
}

bool measure_testing_cells(const struct study_test *test,
                           const struct result_numbers *table, struct arena *arena,
                           struct measure_testing *out, struct err *err)
{
    struct study_test whole = *test;
    struct cell_test cells = {.test = &whole,
                              .table = table,
                              .leaf = find_leaves(table, arena),
                              .arena = arena};
    struct str *units = arena_array(arena, struct str, table->count + 1);
    size_t empty = 0;

    whole.each = STUDY_EACH_TABLE;
    cells.sums[0] = stats_values_sum(cells_of(&cells, test->first, test->first_count));
    cells.sums[1] = stats_values_sum(cells_of(&cells, test->second, test->second_count));
    cells.test = test;
    size_t count = test->each == STUDY_EACH_TABLE ? 1 : units_of(&cells, units);

    cells.empty = &empty;
    measure_test_results_begin(test, count, arena, out);
    if (count == 0 && holds_any(table))
        return err_set(err, ERR_INPUT, "the table has no %s",
                       test->each == STUDY_EACH_ROW ? "rows" : "blocks of rows");
    for (size_t i = 0; i < count; i++) {
        struct measure_testing_result *result = measure_test_results_add(
            out, result_numbers_names(table, units[i], arena));
        struct arena_mark mark = arena_mark(arena);
        result->slug = units[i];
        cells.row = cells.block = units[i];
        carry_out_cells(&cells, result);
        arena_rewind(arena, mark);
    }
    if (takes_shares(test, table) && !measure_test_kinds_find(test->kind)->counts &&
        test->kind < STUDY_PEARSON)
        out->warning =
            STR("It compares percentages, of which there are few, and forgets how "
                "many items stand behind each. The counts are there: `test: "
                "chi-square` or `test: fisher` on a table of counts uses them.");
    else if (empty > 0)
        out->warning =
            arena_format(arena, "%zu row%s without a count %s left out.", empty,
                         empty == 1 ? "" : "s", empty == 1 ? "is" : "are");
    measure_test_results_correct(out, arena);
    return true;
}

/* Several results at once make false alarms likelier: their p values are adjusted. The
 * test of all groups that stands before those of their pairs is none of them. */
static struct measure_testing_result blank(void)
{
    return (struct measure_testing_result){.statistic = NAN,
                                           .df = NAN,
                                           .p = NAN,
                                           .adjusted = NAN,
                                           .effect = NAN,
                                           .low = NAN,
                                           .high = NAN};
}

void measure_test_results_begin(const struct study_test *test, size_t room,
                                struct arena *arena, struct measure_testing *out)
{
    *out = (struct measure_testing){
        .test = test, .statistic_name = measure_test_kinds_find(test->kind)->statistic};
    out->results = arena_array(arena, struct measure_testing_result, room + 1);
}

struct measure_testing_result *measure_test_results_add(struct measure_testing *out,
                                                        struct str name)
{
    struct measure_testing_result *result = &out->results[out->count++];

    *result = blank();
    result->name = name;
    return result;
}

const double *measure_test_results_adjust(enum study_correct correct,
                                          struct stats_values p, struct arena *arena)
{
    switch (correct) {
    case STUDY_NO_CORRECTION:
        break;
    case STUDY_BONFERRONI:
        return stats_adjust_bonferroni(p, arena);
    case STUDY_HOLM:
        return stats_adjust_holm(p, arena);
    case STUDY_BENJAMINI:
        return stats_adjust_benjamini_hochberg(p, arena);
    }
    return p.at;
}

size_t measure_test_results_before(const struct measure_testing *testing)
{
    return testing->count > 1 && testing->test->table == STUDY_NONE &&
           (testing->test->kind == STUDY_KRUSKAL_WALLIS ||
            testing->test->kind == STUDY_LOG_RANK);
}

void measure_test_results_correct(struct measure_testing *testing, struct arena *arena)
{
    size_t from = measure_test_results_before(testing);
    size_t count = testing->count - from;
    double *p = arena_array(arena, double, testing->count + 1);

    for (size_t i = 0; i < testing->count; i++)
        p[i] = testing->results[i].adjusted = testing->results[i].p;
    const double *adjusted = measure_test_results_adjust(
        count > 1 ? testing->test->correct : STUDY_NO_CORRECTION,
        (struct stats_values){p + from, count}, arena);
    for (size_t i = 0; i < count; i++)
        testing->results[from + i].adjusted = adjusted[i];
}
