/* Lists behind numbers: which are one, which have a file. */
#include "measure/behind_list.h"

#include "tests/tap.h"

struct files {
    struct buf at[4];
    size_t count;
};

static struct buf *add_file(void *context, size_t number)
{
    struct files *files = context;

    CHECK(number < ROWS(files->at));
    files->count++;
    return &files->at[number % ROWS(files->at)];
}

static const int64_t three[] = {30, 10, 20}, two[] = {10, 20};

static size_t list(struct behind_maker *maker, const int64_t *ids, size_t count,
                   const char *what)
{
    struct table_evidence given = {.ids = ids, .count = count};
    struct behind_wanted wanted = {.given = &given, .list = {.what = str_from(what)}};

    return behind_list_of(maker, &wanted);
}

int main(void)
{
    struct arena arena = {0};
    struct files files = {0};
    struct table_row rows[] = {{.name = STR("a"), .parent = STUDY_NONE},
                               {.name = STR("b"), .parent = 0},
                               {.name = STR("total"), .total = true}};
    struct table table = {.name = STR("t"), .rows = rows, .row_count = 3};
    struct behind_files to = {"funnels", 4, add_file, &files};
    struct behind_maker maker = {.table = &table,
                                 .to = &to,
                                 .arena = &arena,
                                 .lists = {.arena = &arena},
                                 .files = {.arena = &arena},
                                 .all = arena_array(&arena, struct behind_list, 10)};

    tap_case("a list is in the order of ids, and its file as well");
    CHECK(list(&maker, three, 3, "x") == 0 && files.count == 1);
    CHECK(maker.all[0].items[0].id == 10 && maker.all[0].items[2].id == 30);
    CHECK(str_eq(buf_str(&files.at[0]), STR("id\n10\n20\n30\n")));
    CHECK(str_eq(maker.all[0].csv, STR("funnels/t/0.csv")));
    tap_case("the same list is not made twice; in other words it shares the file");
    CHECK(list(&maker, three, 3, "x") == 0 && maker.count == 1);
    CHECK(list(&maker, three, 3, "y") == 1 && files.count == 1);
    CHECK(str_eq(maker.all[1].csv, STR("funnels/t/0.csv")));
    tap_case("beyond the lines there is no file, and the list is there");
    CHECK(list(&maker, two, 2, "x") == 2 && files.count == 1);
    CHECK(maker.all[2].csv.len == 0 && maker.all[2].shown == 2);
    tap_case("nobody is no list");
    CHECK(list(&maker, two, 0, "x") == BEHIND_NONE && !maker.cut);
    tap_case("beyond so many lists there are none, which is noted");
    maker.count = BEHIND_LISTS;
    CHECK(list(&maker, two, 1, "x") == BEHIND_NONE && maker.cut);
    tap_case("a row by its names from the top");
    CHECK(str_eq(behind_list_row(&maker, 1), STR("a\nb")));
    CHECK(behind_list_row(&maker, 2).len == 0);
    for (size_t i = 0; i < ROWS(files.at); i++)
        buf_free(&files.at[i]);
    arena_free(&arena);
    return tap_done();
}
