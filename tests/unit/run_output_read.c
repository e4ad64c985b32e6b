/* Reading ids and numbers back. */
#include "tests/unit/outputs.h"

/* The folder is made by writing a file into it. */
static void make_folder(struct studied *test)
{
    struct output output = {0};

    output_add(&output, "out/sets/f.csv");
    numbers_add_plain(output_add_numbers(&output, "sets", STR("s")), "count", 2);
    CHECK(output_write(&output, test->folder, &test->err));
    output_free(&output);
}

static const struct {
    const char *name, *csv, *error; /* error NULL: two ids, 5 and -1 */
} files[] = {
    {"ids alone", "id\n5\n-1\n", NULL},
    {"with further columns", "id,stratum\n5,a\n-1,b\n", NULL},
    {"no line end at the end", "id\n5\n-1", NULL},
    {"what is no id", "id\n5\nx\n", ":3: found 'x', expected an id"},
};

static void check_reading(struct studied *test)
{
    for (size_t i = 0; i < ROWS(files); i++) {
        int64_t *ids = NULL;
        size_t count = 0;
        tap_case("read: %s", files[i].name);
        studied_write(test, "out/sets/f.csv", files[i].csv);
        bool ok = output_read_ids(test->folder, "sets", STR("f"), &test->arena, &ids,
                                  &count, &test->err);
        CHECK(ok == (files[i].error == NULL));
        CHECK(ok ? count == 2 && ids[0] == 5 && ids[1] == -1
                 : strstr(test->err.text, files[i].error) != NULL);
    }
}

static void check_numbers(struct studied *test)
{
    struct numbers numbers;

    tap_case("numbers of a step");
    CHECK(output_read_numbers(test->folder, STR("sets.s"), &test->arena, &numbers,
                              &test->err));
    CHECK(numbers.count == 1 && numbers.at[0].value == 2);
    tap_case("of a step that was not made");
    CHECK(!output_read_numbers(test->folder, STR("sets.none"), &test->arena, &numbers,
                               &test->err));
}

int main(void)
{
    struct studied test;

    if (studied_begin(&test)) {
        make_folder(&test);
        check_reading(&test);
        check_numbers(&test);
        studied_end(&test);
    }
    return tap_done();
}
