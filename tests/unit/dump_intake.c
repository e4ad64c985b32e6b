/* What the parts of an ingest share: steps, posts that travel, where an item comes from.
 */
#include "source/intake.h"

#include <fcntl.h>
#include <sys/stat.h>

#include "tests/unit/ingested.h"

static void check_steps(struct arena *arena)
{
    const char *const paths[] = {"a", "b"};
    const struct source_ingest_source sources[] = {
        {.kind = &source_stackexchange, .paths = paths, .path_count = 2},
        {.name = STR_INIT("t"), .kind = &source_posts, .paths = paths, .path_count = 2},
        {.name = STR_INIT("d"),
         .kind = &source_stackexchange,
         .paths = paths,
         .path_count = 2},
    };
    static const struct {
        size_t source, path;
        const char *prefix;
    } steps[] = {
        {0, 0, "a: "}, {0, 1, "b: "}, {1, 0, "t: "}, {2, 0, "d: a: "}, {2, 1, "d: b: "}};
    struct source_ingest_options options = {.sources = sources, .source_count = 3};
    struct source_intake intake = {.options = &options};

    tap_case("steps: a dump's path is one, a table's all are one");
    CHECK(source_intake_steps(&options) == ROWS(steps));
    for (size_t i = 0; i < ROWS(steps); i++) {
        tap_case("step %zu", i);
        source_intake_turn_to(&intake, i, arena);
        CHECK(intake.source == &sources[steps[i].source]);
        CHECK(intake.source_number == steps[i].source);
        CHECK(intake.path_number == steps[i].path);
        CHECK_TEXT(intake.prefix, steps[i].prefix);
    }
    tap_case("steps: one alone has no prefix");
    options.sources = &sources[1];
    options.source_count = 1;
    source_intake_turn_to(&intake, 0, arena);
    CHECK_TEXT(intake.prefix, "");
}

static void check_packing(void)
{
    struct item first = {.id = 1,
                         .score = -3,
                         .tags = STR("<a>"),
                         .title = STR("t"),
                         .body = STR("body"),
                         .form = ITEM_MARKDOWN,
                         .license = STR("l")};
    struct item second = {.id = 2}, got;
    struct buf bytes = {0};
    int64_t blocks;

    tap_case("posts that were packed come out as they were");
    source_intake_pack(&first, 5, &bytes);
    source_intake_pack(&second, 0, &bytes);
    struct str rest = buf_str(&bytes);
    CHECK(source_intake_unpack(&rest, &got, &blocks) && got.id == 1 && got.score == -3);
    CHECK(str_eq(got.tags, first.tags) && str_eq(got.title, first.title));
    CHECK(str_eq(got.body, first.body) && str_eq(got.license, first.license));
    CHECK(blocks == 5 && got.form == ITEM_MARKDOWN);
    CHECK(source_intake_unpack(&rest, &got, &blocks) && got.id == 2 && got.body.len == 0);
    CHECK(blocks == 0);
    CHECK(!source_intake_unpack(&rest, &got, &blocks));
    buf_free(&bytes);
}

static void check_origins(void)
{
    struct ingested test = ingested_begin();
    const char *first = ingested_file(&test, "a.csv", "Id,Title,Kind\n1,x,p\n2,y,\n");
    const char *second = ingested_file(&test, "b.csv", "Id,Title,Kind\n2,z,q\n3,w,r\n");
    const struct source_ingest_field field = {STR("kind"), STR("Kind")};
    struct source_ingest_source sources[] = {
        {.kind = &source_posts,
         .paths = &first,
         .path_count = 1,
         .until_ms = INT64_MAX,
         .fields = &field,
         .field_count = 1},
        {.kind = &source_posts,
         .paths = &second,
         .path_count = 1,
         .until_ms = INT64_MAX,
         .fields = &field,
         .field_count = 1},
    };

    tap_case("one source without a name: no origins");
    CHECK(ingested_run(&test, sources, 1, "*"));
    CHECK(ingested_count(&test, "SELECT count(*) FROM origin") == 0);
    CHECK(ingested_count(&test, "SELECT count(*) FROM source") == 1);

    tap_case("two sources: the first has the post, both are its origin");
    CHECK(ingested_run(&test, sources, 2, "*"));
    CHECK(ingested_count(&test, "SELECT count(*) FROM origin") == 4);
    CHECK(ingested_count(&test, "SELECT count(*) FROM item") == 3);
    CHECK(ingested_count(&test,
                         "SELECT count(*) FROM item WHERE id = 2 AND title = 'y'") == 1);
    CHECK(ingested_count(&test,
                         "SELECT group_concat(source, '') FROM origin WHERE item = 2 "
                         "ORDER BY source") == 1); /* '01' */

    tap_case("an empty value leaves the field to the next source");
    CHECK(ingested_count(&test, "SELECT count(*) FROM field WHERE (item, value) IN ((1, "
                                "'p'), (2, 'q'), (3, 'r'))") == 3);

    tap_case("one source with a name: origins");
    sources[0].name = STR("s");
    CHECK(ingested_run(&test, sources, 1, "*"));
    CHECK(ingested_count(&test,
                         "SELECT count(*) FROM origin JOIN source ON number = source "
                         "WHERE name = 's'") == 2);
    ingested_end(&test);
}

/* Another text of the same length, with nothing to tell from outside. */
static void change_unseen(struct ingested *test, const char *name, const char *text)
{
    const char *path = file_join(test->folder.path, name, &test->arena);
    struct stat before;

    CHECK(stat(path, &before) == 0);
    ingested_file(test, name, text);
    CHECK(utimensat(AT_FDCWD, path, (struct timespec[]){before.st_atim, before.st_mtim},
                    0) == 0);
}

/* The third source fails, and then does not: what was done before it is not done again,
 * and all comes out as without the failure. */
static void check_resuming(void)
{
    struct ingested test = ingested_begin();
    const char *paths[] = {
        ingested_file(&test, "a.csv", "Id,Title,Tags\n1,x,t\n2,y,t\n"),
        ingested_file(&test, "b.csv", "Id,ParentId,Title\n5,4,\n4,,x\n6,1,\n"),
        ingested_file(&test, "c.csv", "n,s\n9,x\n"),
        ingested_file(&test, "d.csv", "k\nz\n")};
    struct source_ingest_source sources[4];

    for (size_t i = 0; i < ROWS(sources); i++)
        sources[i] =
            (struct source_ingest_source){.kind = i < 2 ? &source_posts : &source_rows,
                                          .paths = &paths[i],
                                          .path_count = 1,
                                          .mapping = i == 2 ? "id=n, score=s" : NULL,
                                          .until_ms = INT64_MAX,
                                          .space = i < 2 ? 0 : i};
    tap_case("a source that fails: the next ingest goes on with it");
    file_remove(test.options.corpus);
    CHECK(!ingested_run(&test, sources, 4, "*") && !test.result.resumed);
    CHECK(!file_exists(test.options.corpus));
    change_unseen(&test, "c.csv", "n,s\n9,1\n");
    CHECK(ingested_run(&test, sources, 4, "*") && test.result.resumed);
    CHECK(test.result.stored.questions == 3 && test.result.stored.answers == 2 &&
          test.result.stored.rows == 2);
    CHECK(test.result.stored.census_questions == 3);
    uint64_t resumed = ingested_hash(&test);

    tap_case("a source that fails: as if it had not");
    file_remove(test.options.corpus);
    CHECK(ingested_run(&test, sources, 4, "*") && !test.result.resumed);
    CHECK(ingested_hash(&test) == resumed);
    ingested_end(&test);
}

int main(void)
{
    struct arena arena = {0};

    check_steps(&arena);
    check_packing();
    check_origins();
    check_resuming();
    arena_free(&arena);
    return tap_done();
}
