/* What moved between two runs, in a few lines. */
#include "run/moved.h"

#include <math.h>
#include <stdlib.h>

#include "base/order.h"
#include "result/numbers.h"
#include "result/table_text.h"
#include "stats/adjust.h"

enum { SETS_TOLD = 4, WORDS_TOLD = 8 };

static struct result_table *table_of(struct result_table *tables, size_t count,
                                     const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (str_eq(tables[i].name, str_from(name)))
            return &tables[i];
    return NULL;
}

/* The cell of a column that is there. */
static struct result_cell *cell_of(const struct result_table *table, size_t row,
                                   const char *column)
{
    size_t c = 0;

    while (!str_eq(table->columns[c].name, str_from(column)))
        c++;
    return &table->cells[row * table->column_count + c];
}

static void add_count(struct buf *out, int64_t count)
{
    buf_add_thousands(out, (double)count, 0);
}

/* One family: Holm's correction over all tests, also of what looks the same in both. */
static double *adjusted(const struct run_moved *moved, struct result_table *tables,
                        size_t count, struct arena *arena, size_t *tested)
{
    size_t all = moved->tests.count, at = 0;
    double *p = arena_array(arena, double, all + 1),
           *out = arena_array(arena, double, all + 1);
    size_t *places = arena_array(arena, size_t, all + 1);

    for (size_t i = 0; i < all; i++)
        if (!isnan(moved->tests.at[i].p)) {
            places[at] = i;
            p[at++] = moved->tests.at[i].p;
        }
    const double *holm = stats_adjust_holm((struct stats_values){p, at}, arena);
    for (size_t i = 0; i < all; i++)
        out[i] = NAN;
    for (size_t i = 0; i < at; i++) {
        const struct run_moved_test *test = &moved->tests.at[places[i]];
        struct result_table *table = table_of(tables, count, test->table);
        out[places[i]] = holm[i];
        if (test->row != RESULT_NONE && table != NULL)
            *cell_of(table, test->row, "p (Holm)") = result_number(holm[i]);
    }
    *tested = at;
    return out;
}

struct moved_order {
    double p, adjusted;
    size_t place;
};

/* What was tested first, by what speaks for it. */
static int by_evidence(const void *a, const void *b)
{
    const struct moved_order *left = a, *right = b;

    if (isnan(left->p) != isnan(right->p))
        return isnan(left->p) ? 1 : -1;
    if (!isnan(left->p) && left->p != right->p)
        return ORDER_BY(left->p, right->p);
    return ORDER_BY(left->place, right->place);
}

static void list_moved(const struct run_moved *moved, const double *holm,
                       struct result_table *table, struct arena *arena)
{
    struct moved_order *order =
        arena_array(arena, struct moved_order, moved->tests.count + 1);
    size_t count = 0;

    for (size_t i = 0; i < moved->tests.count; i++)
        if (isnan(holm[i]) || holm[i] < RUN_MOVED_LEVEL)
            order[count++] = (struct moved_order){moved->tests.at[i].p, holm[i], i};
    qsort(order, count, sizeof *order, by_evidence);
    for (size_t i = 0; i < count; i++) {
        const struct run_moved_test *test = &moved->tests.at[order[i].place];
        struct result_cell *cells = result_add_row(table, test->what, RESULT_NONE, arena);
        cells[0] = result_text(test->then);
        cells[1] = result_text(test->now);
        cells[2] = result_number(order[i].adjusted);
    }
}

static void tell(struct result_table *summary, const char *of, struct buf *text,
                 struct arena *arena)
{
    struct str told = buf_keep(text, arena);

    if (told.len > 0)
        result_add_row(summary, str_from(of), RESULT_NONE, arena)[0] = result_text(told);
}

static void tell_sets(const struct result_table *table, struct buf *out)
{
    for (size_t i = 0; i < table->row_count && i < SETS_TOLD; i++) {
        buf_add_format(out, "%s%.*s: ", i > 0 ? "; " : "", STR_ARG(table->rows[i].name));
        add_count(out, (int64_t)cell_of(table, i, "items then")->value);
        buf_add(out, STR(" then, "));
        add_count(out, (int64_t)cell_of(table, i, "now")->value);
        buf_add(out, STR(" now"));
    }
    if (table->row_count > SETS_TOLD)
        buf_add_format(out, "; and %zu more", table->row_count - SETS_TOLD);
}

static void tell_tests(size_t tested, size_t of_tests, size_t apart, struct buf *out)
{
    if (tested == 0)
        buf_add(out, STR("no share varies that could be tested"));
    if (tested > 0) {
        add_count(out, (int64_t)of_tests);
        buf_add(out, STR(" of "));
        add_count(out, (int64_t)tested);
        buf_add_format(out,
                       " shares that were tested moved (p below %.2f after Holm's "
                       "correction for that many)",
                       RUN_MOVED_LEVEL);
    }
    if (apart > 0) {
        buf_add(out, STR("; "));
        add_count(out, (int64_t)apart);
        buf_add(out, apart == 1 ? STR(" number that was not tested has intervals that do "
                                      "not meet")
                                : STR(" numbers that were not tested have intervals that "
                                      "do not meet"));
    }
}

static void tell_numbers(const struct result_table *table, struct buf *out)
{
    int64_t gone = 0, come = 0;

    for (size_t i = 0; i < table->row_count; i++) {
        gone += str_eq(cell_of(table, i, "now")->text, STR("-"));
        come += str_eq(cell_of(table, i, "then")->text, STR("-"));
    }
    add_count(out, (int64_t)table->row_count - gone - come);
    buf_add(out, STR(" of tables are others than they were"));
    if (come > 0) {
        buf_add(out, STR(", "));
        add_count(out, come);
        buf_add(out, STR(" are new"));
    }
    if (gone > 0) {
        buf_add(out, STR(", "));
        add_count(out, gone);
        buf_add(out, STR(" are gone"));
    }
}

static void tell_findings(const struct result_table *table, struct buf *out)
{
    static const struct {
        struct str verdict;
        const char *before, *behind;
    } kinds[] = {{STR_INIT("was wrong then"), "; ", " not as written even then"},
                 {STR_INIT("its numbers changed"), "; of ", " the numbers changed"},
                 {STR_INIT("cannot be told"), "; of ", " it cannot be told"},
                 {STR_INIT("says no value"), "; ", " without a value to compare"}};
    size_t counts[ROWS_OF(kinds)] = {0}, holds = table->row_count;

    for (size_t k = 0; k < ROWS_OF(kinds); k++) {
        for (size_t i = 0; i < table->row_count; i++)
            counts[k] += str_eq(cell_of(table, i, "now")->text, kinds[k].verdict);
        holds -= counts[k];
    }
    if (counts[ROWS_OF(kinds) - 1] == table->row_count) {
        buf_add(out, STR("none says a value that could be compared"));
        return;
    }
    buf_add_format(out, "%zu of %zu %s", holds, table->row_count,
                   holds == 1 ? "holds" : "hold");
    for (size_t k = 0; k < ROWS_OF(kinds); k++)
        if (counts[k] > 0)
            buf_add_format(out, "%s%zu%s", kinds[k].before, counts[k], kinds[k].behind);
}

static void tell_topics(const struct result_table *table, struct buf *out)
{
    size_t gone = 0, come = 0;

    for (size_t i = 0; i < table->row_count; i++) {
        gone += str_eq(cell_of(table, i, "now")->text, STR("gone"));
        come += str_eq(table->rows[i].name, STR("new"));
    }
    buf_add_format(out, "%zu are in both, %zu gone, %zu new",
                   table->row_count - gone - come, gone, come);
}

/* table NULL: none is beyond chance. */
static void tell_words(const struct run_moved *moved, const struct result_table *table,
                       struct buf *out)
{
    if (moved->no_words)
        buf_add(out, STR("not compared: no source has items then and new ones"));
    if (moved->words <= 0 || moved->no_words)
        return;
    for (int way = 0; way < 2 && table != NULL; way++) {
        size_t told = 0;
        for (size_t i = 0; i < table->row_count && told < WORDS_TOLD; i++) {
            if ((cell_of(table, i, "z")->value > 0) != (way == 0))
                continue;
            buf_add(out, told > 0       ? STR(", ")
                         : way == 0     ? STR("became typical: ")
                         : out->len > 0 ? STR("; were typical: ")
                                        : STR("were typical: "));
            buf_add(out, table->rows[i].name);
            told++;
        }
    }
    buf_add(out, table == NULL ? STR("none beyond chance, of ") : STR("; of "));
    add_count(out, moved->words);
    buf_add_format(out,
                   " that were compared (p below %.2f after Holm's correction for that "
                   "many)",
                   RUN_MOVED_LEVEL);
}

static void tell_labels(const struct result_table *table, struct buf *out)
{
    int64_t then = 0, there = 0, same = 0;
    bool known = true;

    for (size_t i = 0; i < table->row_count; i++) {
        const struct result_cell *still = cell_of(table, i, "still there"),
                                 *text = cell_of(table, i, "with the same text");
        then += (int64_t)cell_of(table, i, "items labelled then")->value;
        known = known && !isnan(still->value) && !isnan(text->value);
        there += known ? (int64_t)still->value : 0;
        same += known ? (int64_t)text->value : 0;
    }
    if (!known) {
        buf_add(out, STR("which are still usable is not known"));
        return;
    }
    add_count(out, same);
    buf_add(out, STR(" of "));
    add_count(out, then);
    buf_add(out, STR(" labelled items are there with the same text, so that their labels "
                     "are usable; edited since: "));
    add_count(out, there - same);
    buf_add(out, STR("; gone: "));
    add_count(out, then - there);
}

static void tell_classifiers(const struct result_table *table, struct buf *out)
{
    for (size_t i = 0; i < table->row_count; i++) {
        const struct result_cell *now = cell_of(table, i, "right on those labelled"),
                                 *then = cell_of(table, i, "right then");
        buf_add_format(out, "%s%.*s: ", i > 0 ? "; " : "", STR_ARG(table->rows[i].name));
        if (isnan(now->value)) {
            int64_t size = (int64_t)cell_of(table, i, "to label")->value;
            if (size == 0) {
                buf_add(out, STR("there are no new items"));
                continue;
            }
            buf_add(out, STR("whether it still fits is not known"));
            if (now->undefined != NULL && now->undefined[0] != '\0') {
                buf_add_format(out, ": %s", now->undefined);
                continue;
            }
            buf_add(out, STR(" before "));
            add_count(out, size);
            buf_add_format(out, " new item%s labelled", size == 1 ? " is" : "s are");
            continue;
        }
        buf_add_format(out, "right on %.1f%%", 100 * now->value);
        if (!isnan(then->value))
            buf_add_format(out, ", then on %.1f%%", 100 * then->value);
        buf_add(out, STR(" (p "));
        result_numbers_add_p(cell_of(table, i, "p (Holm)")->value, out);
        buf_add_char(out, ')');
    }
}

void run_moved_tables(struct run_moved *moved, struct result_table *tables, size_t count,
                      struct arena *arena, struct result_table *summary,
                      struct result_table *out)
{
    static const struct result_column told[] = {
        {.type = RESULT_TEXT, .name = STR_INIT("what came of it")}};
    static const struct result_column columns[] = {
        {.type = RESULT_TEXT, .name = STR_INIT("then")},
        {.type = RESULT_TEXT, .name = STR_INIT("now")},
        {.type = RESULT_P, .digits = 4, .name = STR_INIT("p (Holm)")}};
    static const struct {
        const char *table, *of;
        void (*tell)(const struct result_table *table, struct buf *out);
    } parts[] = {{"sets", "sets", tell_sets},
                 {"numbers", "numbers", tell_numbers},
                 {"findings", "findings", tell_findings},
                 {"topics", "topics", tell_topics},
                 {"words", "words", NULL},
                 {"labels", "labels", tell_labels},
                 {"classifiers", "classifiers", tell_classifiers}};
    size_t tested, of_tests = 0;
    const double *holm = adjusted(moved, tables, count, arena, &tested);
    struct buf text = {0};

    *summary = result_from("summary", "part", told, ROWS_OF(told), arena);
    *out = result_from("moved", "number", columns, ROWS_OF(columns), arena);
    buf_add(&text, moved->order);
    tell(summary, "order", &text, arena);
    buf_add(&text, moved->others);
    tell(summary, "study", &text, arena);
    list_moved(moved, holm, out, arena);
    for (size_t i = 0; i < out->row_count; i++)
        of_tests += isnan(cell_of(out, i, "p (Holm)")->value) ? 0 : 1;
    for (size_t i = 0; i < ROWS_OF(parts); i++) {
        const struct result_table *table = table_of(tables, count, parts[i].table);
        if (i == 1) {
            tell_tests(tested, of_tests, out->row_count - of_tests, &text);
            tell(summary, "tests", &text, arena);
        }
        if (parts[i].tell == NULL)
            tell_words(moved, table, &text);
        else if (table != NULL)
            parts[i].tell(table, &text);
        tell(summary, parts[i].of, &text, arena);
    }
    if (of_tests > 0)
        result_add_note(
            out,
            STR("Shares are tested by Pearson's chi-squared test without Yates' "
                "correction, which knows what is in both runs (Derrick et al., 2015), "
                "by McNemar's exact test where both have the same items, and by "
                "Fisher's exact test where few items are expected. The test "
                "proportion of a study has that correction unless it says otherwise, "
                "so that its p is somewhat larger."),
            arena);
    if (out->row_count > of_tests)
        result_add_note(out,
                        STR("Without p: not tested, but the intervals of the two do not "
                            "meet."),
                        arena);
}
