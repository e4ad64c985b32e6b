/* A package on the disk: folder and zip, whole or not at all, and what is read of them.
 */
#include <unistd.h>

#include "package/package.h"
#include "tests/unit/packaged.h"

static struct package_file files[] = {
    {STR_INIT("README.md"), STR_INIT("read me\n")},
    {STR_INIT("empty"), STR_INIT("")},
    {STR_INIT("out/numbers/sets.B.csv"), STR_INIT("")}, /* filled below */
    {STR_INIT("\xc3\xbc/\xc3\xa4.csv"), STR_INIT("umlauts\n")},
};
static const struct package package = {files, ROWS(files)};

static bool write_package(struct packaged *test, const char *name)
{
    test->err = (struct err){0};
    return package_write(&package, packaged_path(test, name), &test->err);
}

static void check_folder(struct packaged *test)
{
    tap_case("a folder holds the files");
    CHECK(write_package(test, "p"));
    CHECK_TEXT(test->err.text, "");
    CHECK_TEXT(packaged_read(test, "p/README.md"), "read me\n");
    CHECK_TEXT(packaged_read(test, "p/\xc3\xbc/\xc3\xa4.csv"), "umlauts\n");
    CHECK(file_size(packaged_path(test, "p/empty")) == 0);
    CHECK(!file_exists(packaged_path(test, "p.part")));
    tap_case("a slash at the end and folders that are not there");
    CHECK(write_package(test, "new/deep/p/"));
    CHECK_TEXT(packaged_read(test, "new/deep/p/README.md"), "read me\n");
}

static void check_refusals(struct packaged *test)
{
    static const char *const names[] = {"p", "p/", "p.zip"};
    char want[200];

    for (size_t i = 0; i < ROWS(names); i++) {
        tap_case("refused: %s is there", names[i]);
        CHECK(!write_package(test, names[i]) && test->err.kind == ERR_INPUT);
        snprintf(want, sizeof want, "%s is there already: remove it or give another name",
                 packaged_path(test, names[i]));
        CHECK_TEXT(test->err.text, want);
    }
    tap_case("refused: something is left over");
    packaged_write(test, "q.part/x", "");
    CHECK(!write_package(test, "q") && test->err.kind == ERR_INPUT);
    CHECK(!file_exists(packaged_path(test, "q")));
    tap_case("refused by the machine: nothing is left");
    CHECK(!write_package(test, "p/README.md/p") && test->err.kind == ERR_SYSTEM);
    CHECK(!write_package(test, "p/README.md/p.zip") && test->err.kind == ERR_SYSTEM);
}

static void check_zip(struct packaged *test)
{
    struct str first, second;

    tap_case("a zip's bytes depend on the files alone, not on where it is made");
    CHECK(write_package(test, "p.zip"));
    CHECK(setenv("TZ", "UTC-9", 1) == 0);
    CHECK(write_package(test, "again.zip"));
    CHECK(file_read(packaged_path(test, "p.zip"), &test->arena, &first, &test->err) &&
          file_read(packaged_path(test, "again.zip"), &test->arena, &second, &test->err));
    CHECK(first.len > 0 && str_eq(first, second));
    CHECK(!file_exists(packaged_path(test, "p.zip.part")));
}

int main(void)
{
    struct packaged test = {.folder = "/tmp/assay-test-XXXXXX"};

    tap_case("a place to write");
    if (CHECK(mkdtemp(test.folder) != NULL)) {
        check_folder(&test);
        check_zip(&test);
        check_refusals(&test);
    }
    packaged_close(&test);
    return tap_done();
}
