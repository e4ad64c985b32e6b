/* From a simulated dump into a corpus: what is stored is what was planted. The script
 * test `ingest` kills it at random moments. */
#include "dump/ingest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "synth/synth.h"
#include "tests/tap.h"

static char folder[] = "/tmp/assay-test-XXXXXX";
static struct arena arena;

static int64_t count_in(const char *path, const char *sql)
{
    struct corpus *corpus;
    struct err err = {0};
    int64_t count = -1;

    if (CHECK(corpus_open(path, &corpus, &err))) {
        CHECK(corpus_count(corpus, sql, &count, &err));
        corpus_close(corpus);
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

static bool ingest(const char *corpus, bool skip_broken, struct ingest_result *result,
                   struct err *err)
{
    const char *source = folder;
    struct query_node *query;
    struct ingest_options options = {.corpus = corpus,
                                     .sources = &source,
                                     .source_count = 1,
                                     .until_ms = INT64_MAX,
                                     .comments = true,
                                     .users = true,
                                     .links = true,
                                     .skip_broken = skip_broken,
                                     .rest_bytes = 1000000,
                                     .threads = 2,
                                     .quiet = true,
                                     .descriptor = -1};

    if (!CHECK(query_parse(STR("[keras] or [pytorch]"), &arena, &query, err)))
        return false;
    options.query = query;
    return ingest_run(&options, result, err);
}

static int64_t tag_count(const char *name)
{
    for (int i = 0; i < tags_count(); i++)
        if (str_eq(tags_name(i), str_from(name)))
            return summary.counts.tags[i];
    return -1;
}

static void check_content(const char *path, enum synth_layout layout)
{
    struct ingest_result result;
    struct err err = {0};

    tap_case("layout %d: what is stored is what was planted", (int)layout);
    if (!simulate(layout, SYNTH_WHOLE) || !CHECK(ingest(path, false, &result, &err)))
        return;
    CHECK(!result.up_to_date && !result.resumed);
    CHECK(count_in(path, "SELECT count(*) FROM tag WHERE name = 'keras'") ==
          tag_count("keras"));
    CHECK(count_in(path, "SELECT count(*) FROM tag WHERE name = 'pytorch'") ==
          tag_count("pytorch"));
    CHECK(result.census_questions ==
          summary.counts.questions + summary.counts.background_questions);
    CHECK(count_in(path, "SELECT sum(questions) FROM census WHERE tag = 'python'") ==
          tag_count("python"));
    CHECK(result.tags_checked > 50 && result.tags_differ == 0);
    CHECK(count_in(path,
                   "SELECT count(*) FROM post WHERE type = 1 AND answers != (SELECT "
                   "count(*) FROM post a WHERE a.parent = post.id)") == 0);
    CHECK(count_in(path,
                   "SELECT count(*) FROM post WHERE comments != (SELECT count(*) FROM "
                   "comment WHERE comment.post = post.id)") == 0);
    CHECK(count_in(path, "SELECT count(*) FROM post WHERE owner NOT NULL AND NOT EXISTS "
                         "(SELECT 1 FROM user WHERE user.id = owner)") == 0);
    CHECK(count_in(path, "SELECT count(*) FROM post WHERE (prose || code) = ''") == 0);
    buf_free(&result.health);

    tap_case("layout %d: once more: up to date", (int)layout);
    CHECK(ingest(path, false, &result, &err) && result.up_to_date);
    buf_free(&result.health);
}

static void check_damage(const char *path)
{
    struct ingest_result result;
    struct err err = {0};
    int64_t before = count_in(path, "SELECT count(*) FROM post");

    tap_case("a dump that is cut off: refused with its place, the old corpus stands");
    simulate(SYNTH_CLASSIC, SYNTH_CUT_FILE);
    CHECK(!ingest(path, false, &result, &err) && err.kind == ERR_INPUT);
    CHECK(strstr(err.text, "Posts.xml:") != NULL && strstr(err.text, "byte ") != NULL);
    CHECK(count_in(path, "SELECT count(*) FROM post") == before);
    buf_free(&result.health);

    tap_case("bad entities: refused, or skipped and counted");
    simulate(SYNTH_CLASSIC, SYNTH_BAD_ENTITY);
    CHECK(!ingest(path, false, &result, &err) && err.kind == ERR_INPUT);
    buf_free(&result.health);
    CHECK(ingest(path, true, &result, &err));
    CHECK(strstr(arena_c_string(&arena, buf_str(&result.health)),
                 "| broken rows skipped | 0 |") == NULL);
    buf_free(&result.health);

    tap_case("answers older than their question are counted");
    simulate(SYNTH_CLASSIC, SYNTH_NEGATIVE_WAIT);
    CHECK(ingest(path, false, &result, &err));
    CHECK(strstr(arena_c_string(&arena, buf_str(&result.health)),
                 "| stored: negative waits | 0 |") == NULL);
    buf_free(&result.health);
}

int main(void)
{
    if (mkdtemp(folder) == NULL)
        return puts("Bail out! no temporary folder"), 1;
    const char *path = file_join(folder, "corpus.db", &arena);
    for (int layout = 0; layout <= SYNTH_2025_COMMENT; layout++)
        check_content(path, (enum synth_layout)layout);
    check_damage(path);
    for (int i = 0; i < SYNTH_FILES; i++)
        file_remove(file_join(folder, synth_file_name((enum synth_file)i), &arena));
    static const char *const left[] = {
        "truth.json",     "corpus.db",          "corpus.db-wal",     "corpus.db-shm",
        "corpus.db.part", "corpus.db.part-wal", "corpus.db.part-shm"};
    for (size_t i = 0; i < ROWS(left); i++)
        file_remove(file_join(folder, left[i], &arena));
    tap_case("nothing else is left behind");
    CHECK(rmdir(folder) == 0);
    arena_free(&arena);
    return tap_done();
}
