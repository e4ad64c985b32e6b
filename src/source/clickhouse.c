/* Posts that a ClickHouse server holds. What the study needs is asked for by a condition
 * that the engine understands, in blocks of numbers of posts; each question that comes is
 * judged once more by the one evaluator of queries. Then the answers of those that were
 * taken, and the census and the findings, which the engine counts itself. A block is a
 * transaction: an ingest that was killed goes on with the block that it was in. */
#include <inttypes.h>

#include "base/stop.h"
#include "source/beside.h"

enum {
    BLOCK_POSTS = 200000, /* asked for at once */
    CHUNK_IDS = 20000,    /* questions whose answers are asked for at once */
};

struct engine_reading {
    struct source_intake *intake;
    struct engine *engine;
    struct engine_posts posts;
    struct engine_counts counts;
    struct arena arena;
    struct progress progress;
};

static bool open_reading(struct engine_reading *reading, const char *address,
                         int64_t until_ms, struct err *err)
{
    if (engine_open(address, &reading->engine, err) &&
        engine_posts_open(reading->engine, until_ms, &reading->arena, &reading->posts,
                          err))
        return true;
    return err->kind == ERR_INPUT ? err_at(err, "%s: ", address) : false;
}

static void close_reading(struct engine_reading *reading)
{
    engine_close(reading->engine);
    arena_free(&reading->arena);
}

/* --- questions and answers --- */

static bool store_post(struct engine_reading *reading, const struct item *post,
                       struct err *err)
{
    struct source_intake *intake = reading->intake;

    return source_intake_store(intake, post,
                               source_intake_code_blocks(&intake->judge, post), err);
}

static bool take_question(void *context, const struct item *post, struct err *err)
{
    struct engine_reading *reading = context;
    struct source_intake *intake = reading->intake;
    bool meets;

    progress_add(&reading->progress, 0, 1);
    if (post->id == ITEM_NONE || post->id < 0 ||
        post->created_ms >= intake->source->until_ms)
        return true;
    if (!dump_judge_post(&intake->judge, post, &meets, err))
        return err_at(err, "%s: ", intake->source->paths[intake->path_number]);
    if (!meets)
        return true;
    idset_add(&intake->state.matched, post->id);
    return store_post(reading, post, err);
}

static bool take_answer(void *context, const struct item *post, struct err *err)
{
    struct engine_reading *reading = context;
    struct source_intake *intake = reading->intake;

    progress_add(&reading->progress, 0, 1);
    if (post->id == ITEM_NONE || !idset_has(&intake->state.matched, post->parent))
        return true;
    if (post->created_ms < intake->source->until_ms)
        return store_post(reading, post, err);
    struct dump_select_late late = {post->id, post->parent};
    buf_add(&intake->state.late_answers, (struct str){(const char *)&late, sizeof late});
    return true;
}

/* Where the reading has come to: numbers of questions, then of answers. */
static bool rest_here(struct engine_reading *reading, int64_t done, struct err *err)
{
    struct source_intake *intake = reading->intake;

    intake->state.start = done;
    intake->state.health.doubts.unreadable += reading->posts.unreadable;
    intake->state.health.doubts.replaced += reading->posts.replaced;
    reading->posts.unreadable = reading->posts.replaced = 0;
    return stop_check(err) && source_intake_save_place(intake, err) &&
           store_commit(intake->corpus, err) && store_begin(intake->corpus, err);
}

/* Those that are behind `before` and what was read already. */
static bool read_blocks(struct engine_reading *reading, enum item_kind kind,
                        const struct query_node *query, int64_t before,
                        engine_take_post *take, struct err *err)
{
    struct engine_blocks blocks = {0};
    int64_t begun = reading->intake->state.start - before,
            highest = reading->counts.highest;
    bool ok = engine_posts_blocks(&reading->posts, kind, query, begun, BLOCK_POSTS,
                                  &blocks, err);

    for (size_t i = 0; i < blocks.at.count && ok; i++) {
        struct engine_block block = blocks.at.at[i];
        if (block.to > highest)
            block.to = highest + 1;
        ok = engine_posts_block(&reading->posts, kind, query, block, take, reading,
                                err) &&
             rest_here(reading, before + block.to, err);
    }
    engine_blocks_free(&blocks);
    return ok;
}

/* Of few questions they are asked for by name, of many all are gone through. */
static bool read_answers(struct engine_reading *reading, int64_t before, struct err *err)
{
    const struct idset *taken = &reading->intake->state.matched;
    int64_t highest = idset_highest(taken);
    bool ok = true;

    if (taken->ids > (reading->counts.answers / BLOCK_POSTS + 1) * CHUNK_IDS)
        return read_blocks(reading, ITEM_ANSWER, NULL, before, take_answer, err);
    for (int64_t from = reading->intake->state.start - before, end; from <= highest && ok;
         from = end)
        ok = engine_posts_answers(&reading->posts, taken, from, highest, CHUNK_IDS, &end,
                                  take_answer, reading, err) &&
             rest_here(reading, before + end, err);
    return ok;
}

static bool read_posts(struct engine_reading *reading, struct err *err)
{
    struct source_intake *intake = reading->intake;
    int64_t numbers = reading->counts.highest + 1;

    if (intake->state.start < numbers &&
        !read_blocks(reading, ITEM_QUESTION, intake->options->query, 0, take_question,
                     err))
        return false;
    if (intake->state.start < numbers)
        intake->state.start = numbers;
    return read_answers(reading, numbers, err);
}

/* --- census and findings --- */

static bool take_census(void *context, const struct engine_census *cell, struct err *err)
{
    struct source_intake *intake = context;
    struct store_census census = {.source = (int64_t)intake->source_number,
                                  .year = cell->year,
                                  .tag = cell->tag,
                                  .questions = cell->questions,
                                  .accepted = cell->accepted,
                                  .answered = cell->answered,
                                  .closed = cell->closed,
                                  .views = cell->views,
                                  .score = cell->score};

    return store_add(intake->corpus, STORE_CENSUS, &census, err);
}

static bool keep_lacking(const struct engine_reading *reading, struct err *err)
{
    struct buf names = {0};

    engine_posts_lacks(&reading->posts, ~0u, &names);
    bool ok = names.len == 0 ||
              source_intake_text(reading->intake, "columns that are not there",
                                 buf_str(&names), err);
    buf_free(&names);
    return ok;
}

static bool keep_findings(struct engine_reading *reading, struct err *err)
{
    struct source_intake *intake = reading->intake;
    const struct engine_counts *counts = &reading->counts;
    struct dump_select_health health = {.questions = counts->questions,
                                        .answers = counts->answers,
                                        .others = counts->others,
                                        .planted = counts->planted,
                                        .late = counts->late,
                                        .no_date = counts->no_date,
                                        .orphans = counts->orphans,
                                        .accepted = counts->accepted,
                                        .accepted_missing = counts->accepted_missing,
                                        .tags_missing = counts->tags_missing,
                                        .tags_in_angles = counts->tags_in_angles,
                                        .tags_in_bars = counts->tags_in_bars,
                                        .first_ms = counts->first_ms,
                                        .last_ms = counts->last_ms,
                                        .doubts = intake->state.health.doubts};
    char digits[SOURCE_INTAKE_HASH_DIGITS + 1];
    uint64_t hash[2];

    return engine_posts_census(&reading->posts, take_census, intake, err) &&
           source_intake_health(intake, &health, err) &&
           source_intake_broken(intake, 0, (struct str){0}, err) &&
           engine_posts_hash(&reading->posts, hash, err) &&
           source_intake_text(intake, "table", reading->posts.table, err) &&
           keep_lacking(reading, err) &&
           source_intake_text(intake, "table's hash",
                              source_intake_hash_text(hash, digits), err) &&
           source_intake_file(intake, intake->source->paths[intake->path_number],
                              DUMP_SCAN_POSTS, hash, err);
}

/* --- all of it --- */

/* What cannot be asked is refused before anything is read. */
static bool check(struct engine_reading *reading, struct err *err)
{
    return engine_posts_counts(&reading->posts, &reading->counts, err) &&
           engine_posts_check(&reading->posts, &reading->counts, err);
}

static bool take_engine(struct source_intake *intake, struct err *err)
{
    const struct source_ingest_options *options = intake->options;
    struct engine_reading reading = {
        .intake = intake,
        .progress =
            progress_begin("asking for posts", 0, options->descriptor, options->quiet)};
    const char *address = intake->source->paths[intake->path_number];
    bool ok = open_reading(&reading, address, intake->source->until_ms, err);

    if (ok &&
        !(check(&reading, err) &&
          source_beside_related(intake, reading.engine, reading.counts.last_ms, err)))
        ok = err->kind == ERR_INPUT ? err_at(err, "%s: ", address) : false;
    intake->judge.newest_ms = reading.counts.last_ms;
    ok = ok && store_begin(intake->corpus, err) &&
         read_posts(&reading, err) &&
         source_intake_late(intake, buf_str(&intake->state.late_answers),
                            &intake->state.matched, err) &&
         keep_findings(&reading, err) && source_intake_step_done(intake, err);
    progress_end(&reading.progress);
    close_reading(&reading);
    return ok;
}

static bool take_beside(struct source_intake *intake, struct err *err)
{
    const char *address = intake->source->paths[intake->path_number];
    struct engine *engine;

    if (intake->source->also == 0)
        return true;
    if (!engine_open(address, &engine, err))
        return false;
    bool ok = source_beside_store(intake, engine, err);
    engine_close(engine);
    return ok || err->kind != ERR_INPUT ? ok : err_at(err, "%s: ", address);
}

/* --- what the corpus rests on --- */

static bool add_state(const char *path, struct buf *key, struct err *err)
{
    struct engine_reading reading = {0};
    int64_t state[ENGINE_STATE];
    bool ok = open_reading(&reading, path, INT64_MAX, err) &&
              engine_posts_state(&reading.posts, state, err);

    if (ok) {
        buf_add(key, STR("  posts"));
        for (size_t i = 0; i < ENGINE_STATE; i++)
            buf_add_format(key, " %" PRId64, state[i]);
        buf_add_char(key, '\n');
        ok = source_beside_state(reading.engine, key, err);
    }
    close_reading(&reading);
    return ok;
}

static bool is_there(const char *path)
{
    struct engine *engine;
    struct err ignored = {0};

    if (!engine_open(path, &engine, &ignored))
        return true; /* so that it is told what is wrong with it */
    bool there = engine_answers(engine);
    engine_close(engine);
    return there;
}

const char source_clickhouse_help[] =
    "A table of posts that a ClickHouse server holds, by its address: "
    "http://localhost:8123/stackoverflow/posts, or the address of the database and the "
    "table under `table`. It has the columns of a dump (Id, PostTypeId, ParentId, "
    "AcceptedAnswerId, CreationDate, Score, ViewCount, Title, Body, Tags ...), of any "
    "types; "
    "without NULL a 0, an empty text or the first moment of 1970 count as missing. The "
    "server finds what the study needs and takes the census; a table over several "
    "machines (Distributed) is asked as one. What `also` names is taken from the tables "
    "beside it: comments, users, votes, badges, postlinks, posthistory, or dl_comments "
    "beside dl_posts. CLICKHOUSE_USER and CLICKHOUSE_PASSWORD say "
    "who asks. An answer is whole or an error: a shard that is down, a limit of the "
    "server that is met (max_execution_time), or nothing for ASSAY_CLICKHOUSE_SECONDS "
    "(600 if they are not set); the next ingest goes on from there.";

const struct source_kind source_clickhouse = {
    .key = "clickhouse",
    .stored = "engine",
    .called = "table of a ClickHouse server",
    .in_prose = "the posts in",
    .packaged = "a table of a ClickHouse server",
    .path_is = "server",
    .expected = "a table of posts",
    .site = true,
    .host = "stackoverflow.com",
    .way = "/q/",
    .census = true,
    .each = true,
    .add_state = add_state,
    .is_there = is_there,
    .take = take_engine,
    .take_more = take_beside,
};
