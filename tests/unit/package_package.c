/* What is in a package, and that its lock fits what is in it. */
#include "package/package.h"

#include "run/steps.h"
#include "tests/unit/packaged.h"

static const struct package_file *find(const struct package *package, const char *name)
{
    for (size_t i = 0; i < package->count; i++)
        if (str_eq(package->files[i].name, str_from(name)))
            return &package->files[i];
    return NULL;
}

static bool make(struct packaged *test, bool with_posts, struct package *out)
{
    struct package_options options = {.with_posts = with_posts, .run = &packaged_options};
    struct buf warnings = {0};
    bool ok =
        package_make(&test->study, &options, &test->arena, out, &warnings, &test->err);

    CHECK(warnings.len == 0);
    buf_free(&warnings);
    return ok;
}

static void check_files(struct packaged *test, bool with_posts)
{
    static const char *const inside[] = {".zenodo.json",
                                         "CITATION.cff",
                                         "LICENSE-NOTE.md",
                                         "README.md",
                                         "assay.lock",
                                         "attribution.csv",
                                         "f.csv",
                                         "labels/l.csv",
                                         "out/health.md",
                                         "out/labels/l.csv",
                                         "out/numbers/sets.B.csv",
                                         "out/sets/B.csv",
                                         "out/samples/two.csv",
                                         "study.yaml"};
    static const char *const outside[] = {"p.csv", "corpus.db", ".assay-lock",
                                          "out/report/index.html"};
    struct package package;

    if (!CHECK(make(test, with_posts, &package)))
        return;
    for (size_t i = 0; i < ROWS(inside); i++)
        if (!CHECK(find(&package, inside[i]) != NULL))
            printf("# %s\n", inside[i]);
    for (size_t i = 0; i < ROWS(outside); i++)
        CHECK(find(&package, outside[i]) == NULL);
    CHECK((find(&package, "posts.jsonl") != NULL) == with_posts);
    for (size_t i = 1; i < package.count; i++)
        CHECK(str_compare(package.files[i - 1].name, package.files[i].name) < 0);
}

static void check_lock(struct packaged *test)
{
    struct package package;
    char hash[40];

    tap_case("the lock knows the labels with raters by number, and the study does not");
    CHECK(make(test, false, &package));
    struct str labels = find(&package, "labels/l.csv")->text;
    CHECK(str_eq(labels, STR("id,code,who\n4,x,rater-1\n4,x,rater-2\n7,y,rater-1\n"
                             "7,y,rater-2\n")));
    snprintf(hash, sizeof hash, "'file 1': '%016llx'",
             (unsigned long long)run_steps_hash(labels));
    CHECK(strstr(arena_c_string(&test->arena, find(&package, "assay.lock")->text),
                 hash) != NULL);
    CHECK(strstr(packaged_read(test, "assay.lock"), hash) == NULL);
}

static void check_clash(struct packaged *test)
{
    struct package package;
    char want[200];

    tap_case("a file of the study with a name that the package needs");
    CHECK(!make(test, false, &package));
    snprintf(want, sizeof want,
             "%s: two files of the package would be called 'attribution.csv'",
             packaged_path(test, "study.yaml"));
    CHECK_TEXT(test->err.text, want);
}

static void check_outside(struct packaged *test)
{
    struct package package;

    tap_case("a file that lies elsewhere is taken, and the study finds it");
    CHECK(make(test, false, &package));
    CHECK(str_eq(find(&package, "inputs/f.csv")->text, STR("kind,found\ncrash,12\n")));
    CHECK(str_eq(find(&package, "study.yaml")->text,
                 STR("study: s\nsource: {posts: $data/p.csv}\nsets: {B: '[a]'}\n"
                     "tables: {f: {from: inputs/f.csv}} # as printed\n")));
}

static void check_home(struct packaged *test)
{
    struct package package;

    CHECK_TEXT(package_home(&test->study, &test->arena), "mine");
    CHECK(make(test, false, &package));
    CHECK(find(&package, "mine.yaml") != NULL && find(&package, "README.md") != NULL);
    CHECK(find(&package, "mine/out/sets/B.csv") != NULL);
    CHECK(find(&package, "mine/assay.lock") != NULL);
    CHECK(find(&package, "mine/out/health.md") != NULL);
    CHECK(find(&package, "out/sets/B.csv") == NULL);
}

int main(void)
{
    struct packaged test;

    tap_case("a package");
    if (packaged_open(&test, packaged_study)) {
        check_files(&test, false);
        tap_case("a package with posts");
        check_files(&test, true);
        check_lock(&test);
    }
    packaged_close(&test);
    tap_case("a study that clashes");
    if (packaged_open(&test, packaged_study)) {
        packaged_write(&test, "attribution.csv", "kind,found\ncrash,12\n");
        packaged_write(&test, "study.yaml",
                       "study: s\nsource: {posts: p.csv}\nsets: {B: '[a]'}\n"
                       "tables: {f: {from: attribution.csv}}\n");
        if (CHECK(packaged_run(&test)))
            check_clash(&test);
    }
    packaged_close(&test);
    tap_case(
        "a study file with a name of its own keeps its results where it looks for them");
    if (packaged_open(&test, packaged_study)) {
        packaged_write(&test, test.file = "mine.yaml", packaged_study);
        packaged_write(&test, "mine/notes", ""); /* so that the folder is there */
        if (CHECK(packaged_run(&test)))
            check_home(&test);
    }
    packaged_close(&test);
    tap_case("a study that reaches out of its folder");
    if (packaged_open(&test, "study: s\nsource: {posts: labels/../p.csv}\n"
                             "sets: {B: '[a]'}\n"
                             "tables: {f: {from: 'labels/../f.csv'}} # as printed\n"))
        check_outside(&test);
    packaged_close(&test);
    return tap_done();
}
