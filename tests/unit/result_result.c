/* Tables that grow: rows below rows, numbers one by one, items behind them, notes. */
#include "result/result.h"

#include <math.h>

#include "tests/tap.h"

static const int64_t all[] = {3, 1, 2}, one[] = {2};

static void check_slugs(void)
{
    static const struct {
        const char *text, *slug;
    } slugs[] = {
        {"count", "count"},
        {"share without accepted", "share-without-accepted"},
        {"a/b: c", "a-b-c"},
        {"quantile 90% views", "quantile-90-views"},
        {"Größe", "Größe"},
        {"  C++ / C#  ", "C-plus-plus-C-sharp"},
        {"***", ""},
        {"  x  ", "x"},
        {"C++", "C-plus-plus"},
        {"C#", "C-sharp"},
        {"v1.2_beta", "v1.2_beta"},
        {"", ""},
    };

    for (size_t i = 0; i < ROWS(slugs); i++) {
        struct buf out = {0};
        tap_case("address: '%s'", slugs[i].text);
        result_slug(str_from(slugs[i].text), &out);
        buf_add_char(&out, '\0');
        CHECK_TEXT(out.ptr, slugs[i].slug);
        buf_free(&out);
    }
}

static void check_rows(struct arena *arena)
{
    struct result_column columns[] = {{.type = RESULT_COUNT, .name = STR("all items")}};
    struct result_table table = result_new(STR("t"), columns, 1, arena);

    tap_case("a column without an address gets one");
    CHECK(str_eq(table.columns[0].path, STR("all-items")));
    tap_case("a row's cells are missing until they are filled");
    for (size_t i = 0; i < 100; i++) {
        struct result_cell *cells = result_add_row(&table, i == 0 ? STR("a b") : STR("c"),
                                                   i == 0 ? RESULT_NONE : 0, arena);
        CHECK(isnan(cells[0].value) && cells[0].undefined != NULL && cells[0].n == -1);
        cells[0] = result_count((int64_t)i);
    }
    CHECK(table.cells[99].value == 99 && table.cells[99].undefined == NULL);
    tap_case("a row below another has its address and its names from the top");
    CHECK(str_eq(table.rows[1].path, STR("a-b.c")) && table.rows[1].level == 1);
    CHECK(str_eq(result_names(&table, 1, arena), STR("a b\nc")));
    table.rows[1].total = true;
    CHECK(result_names(&table, 1, arena).len == 0);
}

static void check_numbers(struct arena *arena)
{
    struct result_table table = {.name = STR("numbers")};

    tap_case("single numbers are columns of one row");
    result_add_number(&table, RESULT_COUNT, STR("count"), STR(""), result_count(3),
                      arena);
    result_add_number(&table, RESULT_REAL, STR("c-v"), STR("coherence"),
                      result_number(NAN), arena);
    CHECK(table.numbers && table.row_count == 1 && table.column_count == 2);
    CHECK(table.cells[0].value == 3 && table.cells[1].undefined != NULL);
    CHECK(str_eq(table.columns[1].name, STR("coherence")));
}

static void check_evidence(struct arena *arena)
{
    struct result_column columns[] = {
        {.type = RESULT_COUNT, .name = STR("items")},
        {.type = RESULT_REAL, .name = STR("kappa")},
        {.type = RESULT_REAL, .name = STR("rest"), .rests = STR("rests on these")}};
    struct result_table table = result_new(STR("t"), columns, 3, arena);

    for (size_t r = 0; r < 2; r++) {
        struct result_cell *cells =
            result_add_row(&table, r == 0 ? STR("r") : STR("s"), RESULT_NONE, arena);
        cells[0] = result_count(3);
        cells[1] = result_number(r == 0 ? 0.5 : 3);
        cells[2] = r == 0 ? result_number(3) : result_number(NAN);
    }
    result_add_evidence(
        &table,
        &(struct result_evidence){RESULT_NONE, RESULT_NONE, STR("items of all"), all, 3},
        arena);
    result_add_evidence(
        &table, &(struct result_evidence){1, 0, STR("items of one"), one, 1}, arena);
    result_add_evidence(
        &table, &(struct result_evidence){0, 1, STR("items of none"), one, 0}, arena);
    tap_case("what is said last of a number holds; none leads nowhere");
    CHECK(table.list_count == 2 && table.cells[0].list == table.lists[0] &&
          table.cells[3].list == table.lists[1] && table.cells[1].list == NULL);
    CHECK(table.lists[1]->number == 1 && table.lists[1]->ids[0] == 2);
    tap_case("a missing number leads nowhere");
    CHECK(table.cells[5].list == NULL);
    tap_case("a list is called by the row and the column that it is of");
    CHECK(str_eq(table.lists[1]->row, STR("s")) &&
          str_eq(table.lists[1]->across, STR("items")));
    CHECK(table.lists[0]->row.len == 0 && table.lists[0]->across.len == 0);
    tap_case("a count is told from what is computed, and from what the column says");
    CHECK_TEXT(table.cells[0].words, "so many items are listed here");
    CHECK_TEXT(table.cells[3].words, "computed from these items");
    CHECK_TEXT(table.cells[4].words, "computed from these items");
    CHECK_TEXT(table.cells[2].words, "rests on these");
}

static void check_marks(struct arena *arena)
{
    struct result_column columns[] = {{.type = RESULT_REAL, .name = STR("kappa")}};
    struct result_table table = result_new(STR("t"), columns, 1, arena);
    static const char *const reasons[] = {"too few", NULL, "too few", "no variation"};

    for (size_t r = 0; r < ROWS(reasons); r++) {
        struct result_cell *cell = result_add_row(&table, STR("r"), RESULT_NONE, arena);
        *cell = result_number(1);
        cell->no_interval = reasons[r];
    }
    result_mark(&table, arena);
    tap_case("numbers without an interval are marked, each reason once below the table");
    CHECK(table.cells[0].mark == 'a' && table.cells[1].mark == 0 &&
          table.cells[2].mark == 'a' && table.cells[3].mark == 'b');
    CHECK(table.note_count == 2 &&
          str_eq(table.notes[0], STR("(a) No interval: too few.")) &&
          str_eq(table.notes[1], STR("(b) No interval: no variation.")));
}

int main(void)
{
    struct arena arena = {0};

    check_slugs();
    check_rows(&arena);
    check_numbers(&arena);
    check_evidence(&arena);
    check_marks(&arena);
    arena_free(&arena);
    return tap_done();
}
