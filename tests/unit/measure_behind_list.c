/* Lists behind numbers: which are one, which have a file. */
#include "measure/internal.h"

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

static const struct result_list *list(struct measure_behind_maker *maker,
                                      const int64_t *ids, size_t count, const char *what)
{
    struct result_list given = {.ids = ids, .shown = count};
    struct measure_behind_wanted wanted = {.given = &given,
                                           .list = {.what = str_from(what)}};

    return measure_behind_list_of(maker, &wanted);
}

int main(void)
{
    struct arena arena = {0};
    struct files files = {0};
    struct result_table table = {.name = STR("t")};
    struct measure_behind_files to = {
        .folder = "funnels", .lines = 4, .file = add_file, .context = &files};
    struct measure_behind_maker maker = {.table = &table,
                                         .to = &to,
                                         .arena = &arena,
                                         .lists = {.arena = &arena},
                                         .files = {.arena = &arena}};

    tap_case("a list is in the order of ids, and its file as well");
    const struct result_list *first = list(&maker, three, 3, "x"), *other;
    CHECK(first == table.lists[0] && files.count == 1);
    CHECK(first->ids[0] == 10 && first->ids[2] == 30 && first->values == NULL);
    CHECK(str_eq(buf_str(&files.at[0]), STR("id\n10\n20\n30\n")));
    CHECK(str_eq(first->csv, STR("funnels/t/0.csv")));
    tap_case("the same list is not made twice; in other words it shares the file");
    CHECK(list(&maker, three, 3, "x") == first && table.list_count == 1);
    other = list(&maker, three, 3, "y");
    CHECK(other != first && files.count == 1 && str_eq(other->csv, first->csv));
    tap_case("beyond the lines there is no file, and the list is there");
    other = list(&maker, two, 2, "x");
    CHECK(other->number == 2 && files.count == 1 && other->csv.len == 0 &&
          other->shown == 2);
    tap_case("nobody is no list");
    CHECK(list(&maker, two, 0, "x") == NULL && !table.cut);
    tap_case("beyond so many lists there are none, which is noted");
    table.list_count = RESULT_LISTS_MAX;
    CHECK(list(&maker, two, 1, "x") == NULL && table.cut);
    for (size_t i = 0; i < ROWS(files.at); i++)
        buf_free(&files.at[i]);
    arena_free(&arena);
    return tap_done();
}
