/* Lists and cells as csv: what is read is what was written, and nothing else is taken. */
#include <math.h>
#include <string.h>

#include "measure/behind.h"
#include "tests/tap.h"

static const struct behind_item plain[] = {{7, NAN}, {9, NAN}};
static const struct behind_item valued[] = {{9, 0.5}, {7, 12}, {8, NAN}};
static const struct behind_list lists[] = {
    {.row = STR_INIT("a, \"b\"\nc"),
     .across = STR_INIT("x"),
     .what = STR_INIT("items"),
     .csv = STR_INIT("sets/B.csv"),
     .count = 200,
     .items = plain,
     .shown = 2},
    {.row = STR_INIT("d"),
     .what = STR_INIT("items with a value of views"),
     .value = STR_INIT("views"),
     .count = 3,
     .from = 4,
     .items = valued,
     .shown = 3},
};
static const struct behind_cell cells[] = {
    {.number = 0, .list = BEHIND_NONE, .whole = BEHIND_NONE},
    {.number = 1,
     .list = 1,
     .whole = 0,
     .heading = STR_INIT("share, of row"),
     .text = STR_INIT("1.50%"),
     .words = STR_INIT("items of the group"),
     .count = 3,
     .whole_count = 200},
};

#define LISTS_HEAD "row,across,what,value,csv,items,from,ids,values\n"
#define CELLS_HEAD "cell,list,whole,heading,number,words,count,of\n"

static const struct {
    const char *name, *lists, *cells;
} wrong[] = {
    {"a column is missing",
     "row,across,what,value,csv,items,from,ids\na,,items,,,3,0,7\n", CELLS_HEAD},
    {"an id that is none", LISTS_HEAD "a,,items,,,3,0,7 x,\n", CELLS_HEAD},
    {"a value that is none", LISTS_HEAD "a,,items,v,,3,0,7,x\n", CELLS_HEAD},
    {"a list that is not there", LISTS_HEAD "a,,items,,,3,0,7,\n",
     CELLS_HEAD "0,1,,h,t,w,-1,-1\n"},
    {"a cell without a list", LISTS_HEAD "a,,items,,,3,0,7,\n",
     CELLS_HEAD "0,,,h,t,w,-1,-1\n"},
    {"a count that is none", LISTS_HEAD "a,,items,,,3,0,7,\n",
     CELLS_HEAD "0,0,,h,t,w,x,-1\n"},
};

static void check_wrong(struct arena *arena)
{
    for (size_t i = 0; i < ROWS(wrong); i++) {
        struct behind read;
        struct err err = {0};
        tap_case("refused: %s", wrong[i].name);
        CHECK(!behind_read(str_from(wrong[i].lists), str_from(wrong[i].cells), "p", arena,
                           &read, &err));
        CHECK_TEXT(err.text, "p:2: not as assay writes it");
    }
}

int main(void)
{
    struct arena arena = {0};
    struct buf first = {0}, second = {0}, again = {0};
    struct behind written = {lists, 2, cells, 2, false}, read = {0};
    struct err err = {0};

    behind_lists_csv(&written, &first);
    behind_cells_csv(&written, &second);
    tap_case("lists and cells come back");
    CHECK(behind_read(buf_str(&first), buf_str(&second), "p", &arena, &read, &err));
    CHECK(read.list_count == 2 && read.cell_count == 1);
    CHECK(str_eq(read.lists[0].row, lists[0].row) && read.lists[0].count == 200 &&
          read.lists[0].items[1].id == 9 && read.lists[0].csv.len == 10);
    CHECK(read.lists[1].from == 4 && read.lists[1].items[0].value == 0.5 &&
          isnan(read.lists[1].items[2].value) && read.lists[1].shown == 3);
    CHECK(read.cells[0].number == 1 && read.cells[0].list == 1 &&
          read.cells[0].whole == 0 && read.cells[0].whole_count == 200 &&
          str_eq(read.cells[0].heading, cells[1].heading));
    tap_case("and are written the same again");
    behind_lists_csv(&read, &again);
    CHECK(str_eq(buf_str(&again), buf_str(&first)));
    check_wrong(&arena);
    buf_free(&first);
    buf_free(&second);
    buf_free(&again);
    arena_free(&arena);
    return tap_done();
}
