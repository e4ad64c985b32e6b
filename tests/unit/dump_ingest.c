/* From a simulated dump into a corpus: what is stored is what was planted. The script
 * test `ingest` kills it at random moments. */
#include "source/ingest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "synth/internal.h"
#include "tests/tap.h"
#include "tests/unit/ingested.h"
#include "tests/unit/simulated.h"

static char folder[] = "/tmp/assay-test-XXXXXX";
static struct arena arena;

static int64_t count_in(const char *path, const char *sql)
{
    struct store *corpus;
    struct err err = {0};
    int64_t count = -1;

    if (CHECK(store_open(path, (struct str){0}, &corpus, &err))) {
        CHECK(store_count(corpus, sql, &count, &err));
        store_close(corpus);
    }
    return count;
}

static struct synth_summary summary;

static bool simulate(enum synth_layout layout, enum synth_damage damage)
{
    struct synth_options options = {.folder = folder,
                                    .questions = 1500,
                                    .background = 1500,
                                    .seed = 8,
                                    .layout = layout,
                                    .damage = damage,
                                    .confusion = -1,
                                    .threads = 1};
    struct progress progress = {.style = PROGRESS_QUIET};
    struct err err = {0};

    return CHECK(synth_write(&options, &progress, &arena, &summary, &err));
}

static bool ingest(const char *corpus, bool skip_broken,
                   struct source_ingest_result *result, struct err *err)
{
    const char *path = folder;
    struct source_ingest_source source = {
        .kind = &source_stackexchange,
        .paths = &path,
        .path_count = 1,
        .until_ms = INT64_MAX,
        .also = 1u << ITEM_ALSO_COMMENTS | 1u << ITEM_ALSO_USERS | 1u << ITEM_ALSO_LINKS};
    struct query_node *query;
    struct source_ingest_options options = {.corpus = corpus,
                                            .sources = &source,
                                            .source_count = 1,
                                            .skip_broken = skip_broken,
                                            .rest_bytes = 1000000,
                                            .threads = 2,
                                            .quiet = true,
                                            .descriptor = -1};

    if (!CHECK(query_parse(STR("[keras] or [pytorch]"), &arena, &query, err)))
        return false;
    options.query = query;
    return source_ingest_run(&options, result, err);
}

static int64_t tag_count(const char *name)
{
    for (int i = 0; i < synth_tags_count(); i++)
        if (str_eq(synth_tags_name(i), str_from(name)))
            return summary.counts.tags[i];
    return -1;
}

static void check_content(const char *path, enum synth_layout layout)
{
    struct source_ingest_result result;
    struct err err = {0};

    tap_case("layout %d: what is stored is what was planted", (int)layout);
    if (!simulate(layout, SYNTH_WHOLE) || !CHECK(ingest(path, false, &result, &err)))
        return;
    CHECK(!result.up_to_date && !result.resumed);
    CHECK(count_in(path, "SELECT count(*) FROM item WHERE tags LIKE '%<keras>%'") ==
          tag_count("keras"));
    CHECK(count_in(path, "SELECT count(*) FROM item WHERE tags LIKE '%<pytorch>%'") ==
          tag_count("pytorch"));
    CHECK(result.stored.census_questions ==
          summary.counts.questions + summary.counts.background_questions);
    CHECK(count_in(path, "SELECT sum(questions) FROM census WHERE tag = 'python'") ==
          tag_count("python"));
    CHECK(result.tags_checked > 50 && result.tags_differ == 0);
    CHECK(count_in(path,
                   "SELECT count(*) FROM item WHERE kind = 1 AND answers != (SELECT "
                   "count(*) FROM item a WHERE a.parent = item.id)") == 0);
    CHECK(count_in(path,
                   "SELECT count(*) FROM item WHERE comments != (SELECT count(*) FROM "
                   "comment WHERE comment.item = item.id)") == 0);
    CHECK(count_in(path, "SELECT count(*) FROM item WHERE owner NOT NULL AND NOT EXISTS "
                         "(SELECT 1 FROM user WHERE user.id = owner)") == 0);
    CHECK(count_in(path, "SELECT count(*) FROM text WHERE pack IS NULL") == 0);
    buf_free(&result.health);

    tap_case("layout %d: once more: up to date", (int)layout);
    CHECK(ingest(path, false, &result, &err) && result.up_to_date);
    buf_free(&result.health);
}

static void check_damage(const char *path)
{
    struct source_ingest_result result;
    struct err err = {0};
    int64_t before = count_in(path, "SELECT count(*) FROM item");

    tap_case("a dump that is cut off: refused with its place, the old corpus stands");
    simulate(SYNTH_CLASSIC, SYNTH_CUT_FILE);
    CHECK(!ingest(path, false, &result, &err) && err.kind == ERR_INPUT);
    CHECK(strstr(err.text, "Posts.xml:") != NULL && strstr(err.text, "byte ") != NULL);
    CHECK(count_in(path, "SELECT count(*) FROM item") == before);
    buf_free(&result.health);

    tap_case("bad entities are replaced and counted");
    simulate(SYNTH_CLASSIC, SYNTH_BAD_ENTITY);
    CHECK(ingest(path, false, &result, &err));
    CHECK(strstr(arena_c_string(&arena, buf_str(&result.health)),
                 "| characters that XML forbids, replaced | 0 |") == NULL);
    CHECK(strstr(arena_c_string(&arena, buf_str(&result.health)),
                 "| broken rows skipped | 0 |") != NULL);
    buf_free(&result.health);

    tap_case("answers older than their question are counted");
    simulate(SYNTH_CLASSIC, SYNTH_NEGATIVE_WAIT);
    CHECK(ingest(path, false, &result, &err));
    CHECK(strstr(arena_c_string(&arena, buf_str(&result.health)),
                 "| stored: negative waits | 0 |") == NULL);
    buf_free(&result.health);
}

static void check_reason(struct ingested *test, const char *want)
{
    struct str reason = {0};

    CHECK(source_ingest_reason(&test->options, &reason, &test->err));
    CHECK_TEXT(arena_c_string(&arena, reason), want);
}

static void check_reasons(void)
{
    struct ingested test = ingested_begin();
    const char *path = ingested_file(&test, "a.csv", "Id,Title\n1,x\n");
    struct source_ingest_source source = {
        .kind = &source_posts, .paths = &path, .path_count = 1, .until_ms = INT64_MAX};
    struct query_node *other;

    tap_case("reason: up to date");
    CHECK(ingested_run(&test, &source, 1, "*"));
    check_reason(&test, "");
    tap_case("reason: another end");
    source.until_ms = 5;
    check_reason(&test, "the sources have changed");
    source.until_ms = INT64_MAX;
    tap_case("reason: none, where the source is gone and nothing has to be read");
    CHECK(source_ingest_absent(&test.options) == NULL);
    const char *away = arena_c_string(&test.arena, str_from(path));
    path = file_join(test.folder.path, "gone.csv", &test.arena);
    CHECK(file_rename(away, path, &test.err));
    const char *const gone[] = {away};
    source.paths = gone;
    check_reason(&test, "");
    CHECK_TEXT(source_ingest_absent(&test.options), away);
    buf_free(&test.result.health);
    CHECK(source_ingest_run(&test.options, &test.result, &test.err) &&
          test.result.up_to_date);
    tap_case("reason: a source that is gone but has to be read is asked for");
    source.until_ms = 5;
    struct str reason;
    CHECK(!source_ingest_reason(&test.options, &reason, &test.err));
    CHECK(test.err.kind == ERR_SYSTEM && strstr(test.err.text, "a.csv: ") != NULL);
    test.err = (struct err){0};
    source.until_ms = INT64_MAX;
    CHECK(file_rename(path, away, &test.err));
    tap_case("reason: another file");
    ingested_file(&test, "a.csv", "Id,Title\n1,x\n2,y\n");
    check_reason(&test, "the sources have changed");
    tap_case("reason: another query");
    CHECK(query_parse(STR("title:x"), &arena, &other, &test.err));
    const struct query_node *same = test.options.query;
    test.options.query = other;
    check_reason(&test, "other questions are needed");
    test.options.query = same;
    tap_case("reason: other tables");
    source.also = 1u << ITEM_ALSO_VOTES;
    check_reason(&test, "other tables are to be taken");
    tap_case("reason: broken rows");
    test.options.skip_broken = true;
    check_reason(&test, "broken rows are treated in another way");
    tap_case("reason: no corpus of ours");
    ingested_file(&test, "corpus.db", "something else, long enough to be looked at");
    check_reason(&test, "it cannot be read");
    tap_case("reason: no corpus");
    file_remove(test.options.corpus);
    check_reason(&test, "there is none yet");
    ingested_end(&test);
}

/* What the corpus is called. */
static const char *identity(struct ingested *test,
                            const struct source_ingest_source *sources, size_t count,
                            const char *query)
{
    struct store *corpus;
    struct str value = {0};
    struct err err = {0};

    CHECK(ingested_run(test, sources, count, query));
    CHECK_TEXT(test->err.text, "");
    if (!CHECK(store_open(test->options.corpus, (struct str){0}, &corpus, &err)))
        return "";
    CHECK(store_get_state(corpus, STR("dump-id"), &arena, &value, &err));
    CHECK(value.len == 16);
    store_close(corpus);
    return arena_c_string(&arena, value);
}

#define POSTS "<posts><row Id=\"1\" PostTypeId=\"1\" Title=\"how\"/></posts>"

/* It depends on what the sources hold and how they are read, and on nothing else. */
static void check_identity(void)
{
    struct ingested test = ingested_begin();
    const char *dump = ingested_file(&test, "a.xml", POSTS);
    const char *copy = ingested_file(&test, "b.xml", POSTS);
    const char *other = ingested_file(&test, "c.xml", POSTS "\n");
    const char *table = ingested_file(&test, "t.csv", "Id,Title,Kind\n1,x,y\n");
    const struct source_ingest_field field = {STR("kind"), STR("Kind")};
    const struct source_ingest_source first[] = {
        {.kind = &source_stackexchange,
         .paths = &dump,
         .path_count = 1,
         .until_ms = INT64_MAX},
        {.kind = &source_posts, .paths = &table, .path_count = 1, .until_ms = INT64_MAX}};
    struct source_ingest_source changed[2];
    const char *want = identity(&test, first, 2, "*");

    tap_case("identity: not the query");
    CHECK_TEXT(identity(&test, first, 2, "title:never"), want);
    tap_case("identity: not the path");
    memcpy(changed, first, sizeof first);
    changed[0].paths = &copy;
    CHECK_TEXT(identity(&test, changed, 2, "*"), want);
    tap_case("identity: not the number of threads");
    test.options.threads = 1;
    file_remove(test.options.corpus);
    CHECK_TEXT(identity(&test, changed, 2, "*"), want);

    tap_case("identity: the content");
    changed[0].paths = &other;
    CHECK(strcmp(identity(&test, changed, 2, "*"), want) != 0);
    tap_case("identity: the number of sources");
    CHECK(strcmp(identity(&test, first, 1, "*"), want) != 0);
    tap_case("identity: their order");
    memcpy(changed, first, sizeof first);
    changed[0] = first[1];
    changed[1] = first[0];
    CHECK(strcmp(identity(&test, changed, 2, "*"), want) != 0);
    tap_case("identity: a name");
    memcpy(changed, first, sizeof first);
    changed[1].name = STR("n");
    CHECK(strcmp(identity(&test, changed, 2, "*"), want) != 0);
    tap_case("identity: the end");
    memcpy(changed, first, sizeof first);
    changed[1].until_ms = 5;
    CHECK(strcmp(identity(&test, changed, 2, "*"), want) != 0);
    tap_case("identity: the mapping");
    memcpy(changed, first, sizeof first);
    changed[1].mapping = "id=Id";
    CHECK(strcmp(identity(&test, changed, 2, "*"), want) != 0);
    tap_case("identity: the kind");
    changed[1].kind = &source_rows;
    const char *rows = identity(&test, changed, 2, "*");
    CHECK(strcmp(rows, want) != 0);
    tap_case("identity: the fields");
    changed[1].fields = &field;
    changed[1].field_count = 1;
    CHECK(strcmp(identity(&test, changed, 2, "*"), rows) != 0);
    tap_case("identity: whether broken rows are skipped");
    test.options.skip_broken = true;
    CHECK(strcmp(identity(&test, first, 2, "*"), want) != 0);

    tap_case("up to date until something changes");
    CHECK(ingested_run(&test, first, 2, "*") && test.result.up_to_date);
    CHECK(ingested_run(&test, first, 2, "title:x") && !test.result.up_to_date);
    ingested_file(&test, "t.csv", "Id,Title,Kind\n1,x,y\n2,x,\n");
    CHECK(ingested_run(&test, first, 2, "title:x") && !test.result.up_to_date);

    tap_case("standard input is no source");
    const char *input = "-";
    changed[0].paths = &input;
    CHECK(!ingested_run(&test, changed, 1, "*") && test.err.kind == ERR_INPUT);
    CHECK_TEXT(test.err.text,
               "standard input cannot be a source: it can be read but once");
    ingested_end(&test);
}

int main(void)
{
    if (mkdtemp(folder) == NULL)
        return puts("Bail out! no temporary folder"), 1;
    const char *path = file_join(folder, "corpus.db", &arena);
    for (int layout = 0; layout <= SYNTH_2025_COMMENT; layout++)
        check_content(path, (enum synth_layout)layout);
    check_damage(path);
    check_reasons();
    check_identity();
    simulated_remove(folder, &arena);
    static const char *const left[] = {"corpus.db",          "corpus.db-wal",
                                       "corpus.db-shm",      "corpus.db.part",
                                       "corpus.db.part-wal", "corpus.db.part-shm"};
    for (size_t i = 0; i < ROWS(left); i++)
        file_remove(file_join(folder, left[i], &arena));
    tap_case("nothing else is left behind");
    CHECK(rmdir(folder) == 0);
    arena_free(&arena);
    return tap_done();
}
