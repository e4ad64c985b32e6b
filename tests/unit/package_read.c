/* Numbers of a package: the same from a folder, a zip, and a zip of the folder. */
#include "package/package.h"
#include "tests/unit/packaged.h"

static const char sets[] = "row,column,value,low,high,n,undefined,total,label,heading\n"
                           ",count,3,,,,,,,\n";
static const char tables[] = "row,column,value,low,high,n,undefined,total,label,heading\n"
                             "a,count,1,,,,,,,\nb,count,2,,,,,,,\n";

static bool write_as(struct packaged *test, const char *name, const char *prefix,
                     const char *numbers)
{
    const struct {
        const char *name, *text;
    } files[] = {{"out/numbers/notes.txt", "no csv"},
                 {"out/numbers/tables.t.csv", tables},
                 {"out/numbers/sets.B.csv", numbers},
                 {"out/sets/B.csv", "id\n1\n"},
                 {"other/xout/numbers/sets.C.csv", "id\n1\n"}};
    struct package_file at[ROWS(files)];
    struct package package = {at, ROWS(files)};

    for (size_t i = 0; i < ROWS(files); i++)
        at[i] = (struct package_file){
            str_from(file_join(prefix, files[i].name, &test->arena)),
            str_from(files[i].text)};
    return package_write(&package, packaged_path(test, name), &test->err);
}

static void check_reading(struct packaged *test)
{
    static const struct {
        const char *name, *prefix, *home;
    } rows[] = {{"folder", "", ""},
                {"plain.zip", "", ""},
                {"nested.zip", "study/package", ""},
                {"own-name", "rows", "rows"},
                {"own-name.zip", "rows", "rows"}};

    for (size_t i = 0; i < ROWS(rows); i++) {
        struct result_numbers *got;
        size_t count = 0;
        tap_case("read: %s", rows[i].name);
        CHECK(write_as(test, rows[i].name, rows[i].prefix, sets));
        CHECK(package_read_numbers(packaged_path(test, rows[i].name), rows[i].home,
                                   &test->arena, &got, &count, &test->err));
        CHECK_TEXT(test->err.text, "");
        if (!CHECK(count == 2))
            continue;
        CHECK(str_eq(got[0].step, STR("sets.B")) && str_eq(got[1].step, STR("tables.t")));
        CHECK(got[0].count == 1 && got[1].count == 2 && got[1].at[1].value == 2);
    }
}

static void check_error(struct packaged *test, const char *name, enum err_kind kind,
                        const char *behind)
{
    const char *path = packaged_path(test, name);
    struct result_numbers *got;
    size_t count;
    char want[300];

    test->err = (struct err){0};
    CHECK(!package_read_numbers(path, "", &test->arena, &got, &count, &test->err));
    snprintf(want, sizeof want, "%s%s", path, behind);
    CHECK(test->err.kind == kind);
    CHECK(strstr(test->err.text, want) != NULL);
}

static void check_errors(struct packaged *test)
{
    tap_case("nothing there");
    check_error(test, "nowhere", ERR_SYSTEM, ": No such file");
    tap_case("a folder that is no package");
    packaged_write(test, "bare/x", "x");
    check_error(test, "bare", ERR_INPUT, " is no package: it has no out/numbers/");
    tap_case("a file that is no package");
    check_error(test, "bare/x", ERR_INPUT, " is no package: it has no out/numbers/");
    tap_case("numbers that are none, in a folder");
    CHECK(write_as(test, "broken", "", "row\nx\n"));
    check_error(test, "broken", ERR_INPUT,
                "/out/numbers/sets.B.csv:1: there is no column 'column'");
    tap_case("numbers that are none, in a zip");
    CHECK(write_as(test, "broken.zip", "", "row\nx\n"));
    check_error(test, "broken.zip", ERR_INPUT,
                "/out/numbers/sets.B.csv:1: there is no column 'column'");
}

int main(void)
{
    struct packaged test = {.folder = "/tmp/assay-test-XXXXXX"};

    tap_case("a place to write");
    if (CHECK(mkdtemp(test.folder) != NULL)) {
        check_reading(&test);
        check_errors(&test);
    }
    packaged_close(&test);
    return tap_done();
}
