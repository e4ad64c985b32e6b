/* Results in files: everything comes back as it was, and what is damaged is refused with
 * its place. */
#include "result/result_file.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "tests/tap.h"

static const double doubles[] = {0,
                                 -0.0,
                                 1,
                                 -1,
                                 0.1,
                                 1.0 / 3,
                                 0.1 + 0.2,
                                 DBL_MAX,
                                 -DBL_MAX,
                                 DBL_MIN,
                                 DBL_TRUE_MIN,
                                 DBL_EPSILON,
                                 9007199254740993.0,
                                 1e22,
                                 123456789012345.6,
                                 INFINITY,
                                 -INFINITY};

static bool same_bits(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

/* Every type, a tree of rows, texts that need care, lists with and without values. */
static struct result_table example(struct arena *arena)
{
    static struct result_column columns[RESULT_TYPES];
    static const int64_t ids[] = {7, -3, INT64_MAX};
    static const double values[] = {0.1, NAN, 1e-300};
    struct result_list *waits = arena_array(arena, struct result_list, 1);

    for (size_t t = 0; t < RESULT_TYPES; t++)
        columns[t] = (struct result_column){.type = (enum result_type)t,
                                            .digits = (int)t - 1,
                                            .name = str_from(result_types[t]),
                                            .across = STR("a\tb"),
                                            .measures = STR("as \\n is"),
                                            .unit = STR("minutes"),
                                            .rests = STR("on\nthese"),
                                            .interval = t % 2 == 0,
                                            .total = t % 3 == 0};
    struct result_table table = result_new(STR("t"), columns, RESULT_TYPES, arena);
    table.title = STR("A \"table\"\r\n");
    table.corner = STR("class");
    table.numbers = table.cut = true;
    result_add_note(&table, STR("a note\n\\- of two lines"), arena);
    *waits = (struct result_list){.row = STR("x\ny"),
                                  .across = STR("g"),
                                  .what = STR("items that wait"),
                                  .value = STR("minutes"),
                                  .csv = STR("items/t/0.csv"),
                                  .count = 10,
                                  .from = 5,
                                  .shown = 3,
                                  .ids = ids,
                                  .values = values};
    result_keep_list(&table, waits, arena);
    for (size_t r = 0; r < ROWS(doubles); r++) {
        struct result_cell *cells =
            result_add_row(&table, r % 3 == 0 ? STR("top, \"row\"") : STR(" below\t"),
                           r % 3 == 0 ? RESULT_NONE : r - r % 3, arena);
        for (size_t t = 0; t < RESULT_TYPES; t++)
            cells[t] = result_number(doubles[r]);
        cells[RESULT_TEXT] = r == 0 ? result_text((struct str){0})
                                    : result_text(r == 1   ? STR("")
                                                  : r == 2 ? STR("\\-")
                                                           : STR("a\tb\\\n"));
        cells[RESULT_ITEM] = result_item((int64_t)r - 5);
    }
    table.rows[1].n = 12;
    table.rows[2].total = true;
    struct result_cell *full = &table.cells[RESULT_TYPES + RESULT_SHARE];
    *full = result_estimate(0.25, 0.1, 1.0 / 3);
    full->n = 12;
    full->count = 3;
    full->counted = full->small = true;
    full->mark = 'c';
    full->no_interval = "too few\tlabels";
    full->list = full->whole = waits;
    full->words = "of these";
    table.cells[RESULT_REAL] = result_number(NAN);
    table.cells[RESULT_COUNT] = result_number(NAN);
    table.cells[RESULT_COUNT].undefined = "nobody";
    return table;
}

static void check_cell(const struct result_cell *a, const struct result_cell *b)
{
    CHECK(same_bits(a->value, b->value) || (isnan(a->value) && isnan(b->value)));
    CHECK(a->item == b->item && str_eq(a->text, b->text) &&
          (a->text.ptr == NULL) == (b->text.ptr == NULL));
    CHECK((isnan(a->low) && isnan(b->low)) || same_bits(a->low, b->low));
    CHECK((isnan(a->high) && isnan(b->high)) || same_bits(a->high, b->high));
    CHECK(a->n == b->n && a->count == b->count && a->counted == b->counted &&
          a->small == b->small && a->mark == b->mark);
    CHECK((a->undefined == NULL) == (b->undefined == NULL));
    if (a->undefined != NULL && b->undefined != NULL)
        CHECK_TEXT(b->undefined, a->undefined);
    if (a->no_interval != NULL)
        CHECK_TEXT(b->no_interval, a->no_interval);
    if (a->words != NULL)
        CHECK_TEXT(b->words, a->words);
    CHECK((a->list == NULL) == (b->list == NULL) &&
          (a->whole == NULL) == (b->whole == NULL));
}

static void check_list(const struct result_list *a, const struct result_list *b)
{
    CHECK(a->number == b->number && str_eq(a->row, b->row) &&
          str_eq(a->across, b->across) && str_eq(a->what, b->what) &&
          str_eq(a->value, b->value) && str_eq(a->csv, b->csv) && a->count == b->count &&
          a->from == b->from);
    if (!CHECK(a->shown == b->shown))
        return;
    for (size_t i = 0; i < a->shown; i++)
        CHECK(a->ids[i] == b->ids[i] && (a->values[i] == b->values[i] ||
                                         (isnan(a->values[i]) && isnan(b->values[i]))));
}

/* The same bytes as of a table whose lists have no more items. */
static void check_brief(struct arena *arena)
{
    static const struct str units[] = {STR_INIT("a b"), STR_INIT("c"), STR_INIT("d")};
    struct result_table table = example(arena);
    struct result_list parts = *table.lists[0];
    struct buf text = {0}, fewer = {0};

    parts.value = (struct str){0};
    parts.values = NULL;
    parts.units = units;
    struct result_list *both[] = {(struct result_list *)table.lists[0], &parts};
    result_keep_list(&table, &parts, arena);
    result_file_table(&table, &text);
    CHECK(str_eq(result_file_brief(buf_str(&text), 3, arena), buf_str(&text)));
    for (size_t shown = 1; shown < 3; shown++) {
        buf_clear(&fewer);
        for (size_t i = 0; i < ROWS(both); i++)
            both[i]->shown = shown;
        result_file_table(&table, &fewer);
        CHECK(str_eq(result_file_brief(buf_str(&text), shown, arena), buf_str(&fewer)));
    }
    tap_case("what is damaged stays so");
    struct str damaged = STR("list\t\t\t\n\nlist\n\nlist\ta\tb\tc\td\te\t1\t0\t1 2");
    CHECK(str_eq(result_file_brief(damaged, 2, arena), damaged));
    buf_free(&text);
    buf_free(&fewer);
}

static void check_round_trip(struct arena *arena)
{
    struct result_table table = example(arena), empty = {.name = STR("none")};
    struct buf text = {0}, again = {0};
    struct result got;
    struct err err = {0};

    result_file_begin(STR("tables.t"), &text);
    result_file_table(&table, &text);
    result_file_table(&empty, &text);
    result_file_end(&text);
    tap_case("everything comes back as it was");
    if (!CHECK(result_file_read(buf_str(&text), "r", arena, &got, &err)))
        CHECK_TEXT(err.text, "");
    CHECK(str_eq(got.step, STR("tables.t")) && got.count == 2);
    const struct result_table *t = result_find(&got, STR("t"));
    if (!CHECK(t != NULL && result_find(&got, STR("none")) != NULL &&
               result_find(&got, STR("other")) == NULL))
        return;
    CHECK(str_eq(t->title, table.title) && str_eq(t->corner, table.corner) &&
          t->numbers && t->cut && !t->apart);
    CHECK(t->note_count == 1 && str_eq(t->notes[0], table.notes[0]));
    CHECK(t->column_count == table.column_count && t->row_count == table.row_count);
    for (size_t c = 0; c < t->column_count; c++) {
        const struct result_column *a = &table.columns[c], *b = &t->columns[c];
        CHECK(a->type == b->type && a->digits == b->digits && a->total == b->total &&
              a->interval == b->interval && str_eq(a->name, b->name) &&
              str_eq(a->across, b->across) && str_eq(a->path, b->path) &&
              str_eq(a->measures, b->measures) && str_eq(a->unit, b->unit) &&
              str_eq(a->rests, b->rests));
    }
    for (size_t r = 0; r < t->row_count; r++) {
        const struct result_row *a = &table.rows[r], *b = &t->rows[r];
        CHECK(str_eq(a->name, b->name) && str_eq(a->slug, b->slug) &&
              str_eq(a->path, b->path) && a->level == b->level &&
              a->parent == b->parent && a->n == b->n && a->total == b->total);
        for (size_t c = 0; c < t->column_count; c++)
            check_cell(&table.cells[r * t->column_count + c],
                       &t->cells[r * t->column_count + c]);
    }
    if (CHECK(t->list_count == 1))
        check_list(table.lists[0], t->lists[0]);
    tap_case("and is written as the same bytes again");
    result_file_begin(got.step, &again);
    for (size_t i = 0; i < got.count; i++)
        result_file_table(&got.tables[i], &again);
    result_file_end(&again);
    CHECK(str_eq(buf_str(&text), buf_str(&again)));
    buf_free(&text);
    buf_free(&again);
}

/* Row by row. */

struct taken {
    size_t columns, rows;
    double sum;
    struct buf texts;
};

static bool take_head(void *context, const struct result_table *table, struct err *err)
{
    struct taken *taken = context;

    taken->columns = table->column_count;
    return table->column_count > 0 || err_set(err, ERR_INPUT, "no columns");
}

static bool take_row(void *context, const struct result_row *row,
                     const struct result_cell *cells, struct err *err)
{
    struct taken *taken = context;

    (void)row;
    taken->rows++;
    taken->sum += cells[1].value;
    buf_add(&taken->texts, cells[0].text);
    return taken->rows < 5 || err_set(err, ERR_INPUT, "enough");
}

static void check_each(struct arena *arena)
{
    struct result_column columns[] = {{.type = RESULT_TEXT, .name = STR("text")},
                                      {.type = RESULT_COUNT, .name = STR("count")}};
    struct result_table rows = result_new(STR("rows"), columns, 2, arena), other = rows;
    struct taken taken = {0};
    struct result_file_rows to = {STR("rows"), take_head, take_row, &taken};
    struct err err = {0};
    struct buf text = {0};

    other.name = STR("other");
    result_file_begin(STR("s"), &text);
    for (size_t t = 0; t < 2; t++) {
        result_file_head(t == 0 ? &other : &rows, &text);
        for (int64_t i = 0; i < 4; i++) {
            const struct result_cell cells[] = {result_text(STR("a\t")), result_count(i)};
            result_file_row(&rows, &(struct result_row){.n = -1}, cells, &text);
        }
    }
    result_file_end(&text);
    tap_case("the rows of one table, one at a time");
    CHECK(result_file_each(buf_str(&text), "r", &to, &err));
    CHECK(taken.columns == 2 && taken.rows == 4 && taken.sum == 6);
    CHECK(str_eq(buf_str(&taken.texts), STR("a\ta\ta\ta\t")));
    tap_case("what is wrong with a row is told with its place");
    CHECK(!result_file_each(buf_str(&text), "r", &to, &err));
    CHECK_TEXT(err.text, "r:13: enough");
    tap_case("a table that is not there");
    to.table = STR("none");
    CHECK(!result_file_each(buf_str(&text), "r", &to, &err));
    CHECK_TEXT(err.text, "r: there is no table 'none'");
    buf_free(&text);
    buf_free(&taken.texts);
}

#define HEAD  "assay result 1\nstep\ts\n"
#define TABLE HEAD "table\tt\t\t\t\ncolumn\tcount\t0\tn\t\tn\t\t\t\t\n"

static const struct {
    const char *name, *text, *error;
} damaged[] = {
    {"nothing", "", "r:1: found '', expected assay result 1"},
    {"another file", "id,code\n1,2\n", "r:1: found 'id,code', expected assay result 1"},
    {"a later version", "assay result 2\nstep\ts\nend\n",
     "r:1: found 'assay result 2', expected assay result 1"},
    {"no end", HEAD, "r:3: found '', expected the end, and nothing behind it"},
    {"cut in a line", TABLE "row\t0\ta\ta\t",
     "r:5: found 'row\t0\ta\ta\t', expected the end, and nothing behind it"},
    {"something behind the end", HEAD "end\nend\n",
     "r:3: found 'end', expected the end, and nothing behind it"},
    {"a line of no kind", HEAD "rows\t1\nend\n",
     "r:3: found 'rows', expected table, column, note, list, row, cell or end"},
    {"a row without a table", HEAD "row\t0\ta\ta\t\t\nend\n",
     "r:3: found 'row', expected a table"},
    {"a type that is none",
     HEAD "table\tt\t\t\t\ncolumn\tmoney\t0\tn\t\tn\t\t\t\t\nend\n",
     "r:4: found 'money', expected the type of a column"},
    {"a row without its cells", TABLE "row\t0\ta\ta\t\t\nend\n",
     "r:5: found '', expected a number"},
    {"a row with more cells", TABLE "row\t0\ta\ta\t\t\t1\t2\nend\n",
     "r:5: found '2', expected the end of the line"},
    {"a word for a number", TABLE "row\t0\ta\ta\t\t\tmany\nend\n",
     "r:5: found 'many', expected a number"},
    {"a row too deep", TABLE "row\t1\ta\ta\t\t\t1\nend\n",
     "r:5: found '1', expected a level, one below the row before at the most"},
    {"a cell without a row", TABLE "cell\t0\t\t\t\t\t\t\t\t\t\t\nend\n",
     "r:5: found 'cell', expected a row before it"},
    {"a list that is not there",
     TABLE "row\t0\ta\ta\t\t\t1\ncell\t0\t\t\t\t\t7\t\t\t\t\t\nend\n",
     "r:6: found '7', expected a place in a list"},
    {"a reason for a number that is there",
     TABLE "row\t0\ta\ta\t\t\t1\ncell\t0\t\t\t\t\t\t\t\tnobody\t\t\nend\n",
     "r:6: found 'nobody', expected no reason for a number that is there"},
    {"more items than the list has", TABLE "list\t\t\tw\t\t\t1\t0\t5 6\t\nend\n",
     "r:5: found 'w', expected no more items than the list has"},
    {"an item that is none", TABLE "list\t\t\tw\t\t\t1\t0\tx\t\nend\n",
     "r:5: found 'x', expected an item"},
    {"values of other items", TABLE "list\t\t\tw\tviews\t\t2\t0\t5 6\t1\nend\n",
     "r:5: found '1', expected a value of each item"},
    {"an escape that is none", HEAD "table\ta\\q\t\t\t\nend\n",
     "r:3: found 'a\\q', expected a text in which \\ stands before t, n, r, s or \\"},
};

static void check_damaged(struct arena *arena)
{
    for (size_t i = 0; i < ROWS(damaged); i++) {
        struct result got;
        struct err err = {0};
        tap_case("refused: %s", damaged[i].name);
        CHECK(!result_file_read(str_from(damaged[i].text), "r", arena, &got, &err));
        CHECK_TEXT(err.text, damaged[i].error);
        CHECK(err.kind == ERR_INPUT);
    }
}

int main(void)
{
    struct arena arena = {0};

    check_round_trip(&arena);
    tap_case("lists with the first of their items");
    check_brief(&arena);
    check_each(&arena);
    check_damaged(&arena);
    arena_free(&arena);
    return tap_done();
}
