/* What a study asks of an ingest. */
#include "tests/unit/studied.h"

static const struct {
    const char *name, *study, *mapping;
    const struct source_kind *kind;
    size_t fields;
} rows[] = {
    {"a dump", "study: s\nsource: {stackexchange: d}\n", NULL, &source_stackexchange, 0},
    {"posts with columns",
     "study: s\nsource: {posts: p, columns: {views: V, title: 'a, \"b\"'}}\n",
     "views=\"V\", title=\"a, \"\"b\"\"\"", &source_posts, 0},
    {"rows with fields", "study: s\nsource: {rows: r, fields: {k: K, l: L}}\n", NULL,
     &source_rows, 2},
};

static void check_row(struct studied *test, size_t i)
{
    struct run_options options = studied_options(test);
    struct study study;

    studied_write(test, "study.yaml", rows[i].study);
    if (!CHECK(studied_load(test, &study)))
        return;
    struct source_ingest_options wanted =
        run_ingest_options(&study, &options, &test->arena);
    CHECK_TEXT(wanted.corpus, studied_path(test, "corpus.db"));
    CHECK(wanted.source_count == 1 && wanted.sources[0].kind == rows[i].kind);
    CHECK(wanted.sources[0].field_count == rows[i].fields);
    CHECK((wanted.sources[0].mapping == NULL) == (rows[i].mapping == NULL));
    if (rows[i].mapping != NULL)
        CHECK_TEXT(wanted.sources[0].mapping, rows[i].mapping);
    CHECK(wanted.sources[0].until_ms == INT64_MAX && wanted.query->kind == QUERY_ALL);
}

int main(void)
{
    struct studied test;

    if (studied_begin(&test)) {
        for (size_t i = 0; i < ROWS(rows); i++) {
            tap_case("ingest: %s", rows[i].name);
            check_row(&test, i);
        }
        tap_case("names of columns that need quotes are read back");
        studied_write(&test, "p.csv", "\"a, \"\"b\"\"\",Id,V\nT,1,5\n");
        studied_write(&test, "study.yaml",
                      "study: s\nsource: {posts: p.csv, columns: {views: V, title: 'a, "
                      "\"b\"'}}\ntables: {t: {columns: [count, sum views]}}\n");
        CHECK(studied_run(&test));
        CHECK_TEXT(test.err.text, "");
        CHECK_TEXT(studied_read(&test, "out/tables/t.csv"),
                   "group1,count,sum views\nall,1,5\n");
        CHECK(studied_read(&test, "out/health.md")[0] != '\0');
        studied_end(&test);
    }
    return tap_done();
}
