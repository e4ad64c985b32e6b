/* Paths of this machine stay here; the reader is told what the study needs. */
#include "package/internal.h"
#include "tests/unit/packaged.h"

static const struct {
    const char *name, *text, *want; /* PATH stands for the path of the source */
} paths[] = {
    {"alone", "PATH", "p.csv"},
    {"in a table", "| file | PATH |\n", "| file | p.csv |\n"},
    {"with more behind it", "`PATH/Posts.xml`", "`p.csv/Posts.xml`"},
    {"a longer name", "PATH2", "PATH2"},
    {"inside a word", "xPATH", "xPATH"},
    {"not there", "p.csv and nothing", "p.csv and nothing"},
};

/* PATH by what it stands for. */
static const char *filled(struct packaged *test, const char *text)
{
    struct buf out = {0};
    const char *at = strstr(text, "PATH");

    if (at == NULL)
        return text;
    buf_add(&out, (struct str){text, (size_t)(at - text)});
    buf_add_format(&out, "%s%s", packaged_path(test, "p.csv"), at + 4);
    const char *result = arena_c_string(&test->arena, buf_str(&out));
    buf_free(&out);
    return result;
}

static void check_paths(struct packaged *test)
{
    for (size_t i = 0; i < ROWS(paths); i++) {
        struct buf out = {0};
        tap_case("path: %s", paths[i].name);
        package_hide_paths(&test->study, str_from(filled(test, paths[i].text)), &out);
        buf_add_char(&out, '\0');
        CHECK_TEXT(out.ptr, filled(test, paths[i].want));
        buf_free(&out);
    }
}

static void check_readme(struct packaged *test)
{
    static const char *const parts[] = {
        "# Replication package of s\n\nA small study\n\nMade with assay 1.2.\n",
        "    rm -rf rerun/mine/out rerun/mine/assay.lock   # everything is made anew\n",
        "    assay verify rerun/study.yaml --data DIR --against PACKAGE\n",
        "| `study.yaml` | the study",
        "- `p.csv`: posts (ai.example.com)\n",
        "| `p.csv` | `",
        "| first post | 2010-01-01T00:00:00.000 |\n",
        "| last post | 2020-01-01T00:00:00.000 |\n",
        "- `$data/elsewhere.csv`\n",
        "\n`mine/out/health.md` tells more about them",
    };
    struct str outside[] = {STR("$data/elsewhere.csv")};
    struct package package = {0};
    struct package_readme inputs = {.study = &test->study,
                                    .version = "1.2",
                                    .home = "mine",
                                    .package = &package,
                                    .outside = outside,
                                    .outside_count = 1};
    struct buf out = {0};

    tap_case("README.md says how to rerun, what is needed and what is here");
    if (!CHECK(store_open(packaged_path(test, "corpus.db"), (struct str){0},
                          &inputs.corpus, &test->err)))
        return;
    CHECK(store_findings(inputs.corpus, &test->arena, &inputs.health, &test->err));
    CHECK(package_add_readme(&inputs, &out, &test->err));
    buf_add_char(&out, '\0');
    for (size_t i = 0; i < ROWS(parts); i++)
        if (!CHECK(strstr(out.ptr, parts[i]) != NULL))
            printf("# %s\n", parts[i]);
    CHECK(strstr(out.ptr, test->folder) == NULL);
    CHECK(strstr(out.ptr, "posts.jsonl") == NULL);
    store_close(inputs.corpus);
    buf_free(&out);
}

static void check_note(void)
{
    struct buf with = {0}, without = {0};

    tap_case("the note says whether posts are in it");
    package_add_license_note(true, &with);
    package_add_license_note(false, &without);
    buf_add_char(&with, '\0');
    buf_add_char(&without, '\0');
    CHECK(strstr(with.ptr, "posts.jsonl") != NULL);
    CHECK(strstr(without.ptr, "posts.jsonl") == NULL);
    CHECK(strstr(without.ptr, "No post is part of this package") != NULL);
    buf_free(&with);
    buf_free(&without);
}

int main(void)
{
    struct packaged test;

    tap_case("a study");
    if (packaged_open(&test, packaged_study)) {
        check_paths(&test);
        check_readme(&test);
    }
    packaged_close(&test);
    check_note();
    return tap_done();
}
