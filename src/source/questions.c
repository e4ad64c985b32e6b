/* Dumps go through the pass that an ingest makes, tables of posts through their reader.
 * A server counts itself: how many questions have each tag, and then, of the tags that
 * matter, which stand together. What it cannot say, a query on words, letters outside
 * ASCII, a site that other sources hold too, is counted here from what it has. */
#include "source/questions.h"

#include <string.h>

#include "base/file.h"
#include "base/stop.h"
#include "dump/select.h"
#include "dump/table.h"
#include "engine/engine.h"

enum { BLOCK_POSTS = 500000 }; /* asked for at once */

struct questions_reading {
    const struct source_ingest_options *options;
    const struct source_ingest_source *source;
    const struct query_compiled *query;
    struct query_needs needs;
    struct dump_judge judge; /* of tables */
    struct idset *seen;      /* of each space */
    struct dump_tagset *tagset;
    bool *counted; /* of each source: its server has */
    struct arena *arena;
};

bool source_questions_has(const struct source_kind *kind)
{
    return kind == &source_stackexchange || kind == &source_posts ||
           kind == &source_clickhouse;
}

static void take_question(struct questions_reading *reading, int64_t id, struct str tags)
{
    if (idset_add(&reading->seen[reading->source->space], id))
        dump_tagset_add(reading->tagset, tags);
}

/* A question on its way from one thread to another; its tags follow. */
struct question {
    int64_t id;
    size_t tags_len;
};

static void make(void *context, struct dump_judge *judge, const struct dump_rows_row *row,
                 struct buf *out)
{
    struct item post;

    (void)context;
    dump_judge_read(judge, row, &post);
    struct question question = {post.id, post.tags.len};
    buf_add(out, (struct str){(const char *)&question, sizeof question});
    buf_add(out, post.tags);
}

static enum dump_scan_next take_made(void *context, struct str bytes, struct err *err)
{
    struct question question;

    (void)err;
    while (bytes.len >= sizeof question) {
        memcpy(&question, bytes.ptr, sizeof question);
        bytes = str_slice(bytes, sizeof question, bytes.len);
        take_question(context, question.id, str_slice(bytes, 0, question.tags_len));
        bytes = str_slice(bytes, question.tags_len, bytes.len);
    }
    return DUMP_SCAN_GO_ON;
}

static bool read_dump(struct questions_reading *reading, const char *path,
                      struct err *err)
{
    const struct source_ingest_options *options = reading->options;
    struct progress progress =
        progress_begin("counting tags", 0, options->descriptor, options->quiet);
    struct dump_select_job job = {.query = reading->query,
                                  .node = options->query,
                                  .origin = {.source = reading->source->name},
                                  .newest_ms = ITEM_NONE,
                                  .census = true,
                                  .until_ms = reading->source->until_ms,
                                  .threads = options->threads,
                                  .skip_broken = options->skip_broken,
                                  .progress = &progress,
                                  .context = reading,
                                  .make = make,
                                  .take = take_made};
    struct dump_select_state state = {0};
    struct input *input = NULL;
    size_t member;
    bool ok = input_open(path, &input, err) &&
              dump_scan_find(input, DUMP_SCAN_POSTS, &member, err) &&
              dump_select_posts(input, member, &job, &state, err);

    progress_end(&progress);
    dump_select_state_free(&state);
    input_close(input);
    return ok;
}

static bool take_row(void *context, const struct item *given, struct err *err)
{
    struct questions_reading *reading = context;
    struct item post = *given;
    bool meets;

    if (post.kind == ITEM_NONE) /* all that the table says is that there is a post */
        post.kind = ITEM_QUESTION;
    if (post.kind != ITEM_QUESTION ||
        (post.created_ms != ITEM_NONE && post.created_ms >= reading->source->until_ms))
        return true;
    if (!dump_judge_post(&reading->judge, &post, &meets, err))
        return false;
    if (meets)
        take_question(reading, post.id, post.tags);
    return true;
}

static void open_judge(struct questions_reading *reading)
{
    dump_judge_open(&reading->judge, reading->query, &reading->needs);
    reading->judge.origin = (struct dump_judge_origin){.source = reading->source->name};
    reading->judge.newest_ms = ITEM_NONE;
}

static bool read_table(struct questions_reading *reading, const char *path,
                       struct err *err)
{
    struct dump_field_broken broken = {0}; /* the ingest has told of them */
    struct dump_table_options how = {.mapping = reading->source->mapping,
                                     .broken =
                                         reading->options->skip_broken ? &broken : NULL};

    open_judge(reading);
    bool ok = dump_table_read_path(path, &how, take_row, reading, err);
    dump_judge_close(&reading->judge);
    return ok;
}

/* --- servers --- */

struct server_tag {
    struct str name;
    int64_t questions, seeded;
};

struct server_counting {
    struct questions_reading *reading;
    struct engine *engine;
    struct engine_posts posts;
    struct engine_tagging tagging;
    LIST(struct server_tag) tags;
    bool ascii;
};

static bool open_counting(struct server_counting *counting, const char *path,
                          struct err *err)
{
    const struct questions_reading *reading = counting->reading;
    const struct dump_tagset *tagset = reading->tagset;

    counting->ascii = true;
    counting->tagging = (struct engine_tagging){.query = reading->options->query,
                                                .seeds = tagset->seeds,
                                                .seed_count = tagset->seed_count,
                                                .synonyms = tagset->synonyms};
    return engine_open(path, &counting->engine, err) &&
           engine_posts_open(counting->engine, reading->source->until_ms, reading->arena,
                             &counting->posts, err);
}

static void close_counting(struct server_counting *counting)
{
    list_free(&counting->tags);
    engine_close(counting->engine);
}

static bool keep_tag(void *context, struct str tag, int64_t questions, int64_t seeded,
                     struct err *err)
{
    struct server_counting *counting = context;
    struct server_tag one = {arena_copy(counting->reading->arena, tag), questions,
                             seeded};

    (void)err;
    for (size_t i = 0; i < tag.len; i++)
        counting->ascii = counting->ascii && (unsigned char)tag.ptr[i] < 128;
    list_add(&counting->tags, one);
    return true;
}

/* Whether no other source may hold the same questions. */
static bool is_alone(const struct questions_reading *reading)
{
    size_t paths = 0;

    for (size_t i = 0; i < reading->options->source_count; i++)
        if (reading->options->sources[i].space == reading->source->space)
            paths += reading->options->sources[i].path_count;
    return paths == 1;
}

static bool count_there(struct server_counting *counting, bool *said, struct err *err)
{
    struct dump_tagset *tagset = counting->reading->tagset;

    *said = is_alone(counting->reading);
    if (!*said)
        return true;
    if (!engine_posts_tagged(&counting->posts, &counting->tagging, said, keep_tag,
                             counting, err))
        return false;
    *said = *said && counting->ascii;
    for (size_t i = 0; i < counting->tags.count && *said; i++) {
        const struct server_tag *tag = &counting->tags.at[i];
        if (tag->name.len == 0)
            dump_tagset_add_questions(tagset, tag->questions, tag->seeded);
        else
            dump_tagset_add_tag(tagset, tag->name, tag->questions, tag->seeded);
    }
    return true;
}

static bool take_post(void *context, const struct item *post, struct err *err)
{
    const struct server_counting *counting = context;

    return post->id == ITEM_NONE || post->id < 0 ||
           take_row(counting->reading, post, err);
}

static bool read_there(struct server_counting *counting, struct err *err)
{
    struct questions_reading *reading = counting->reading;
    const struct query_node *query = reading->options->query;
    struct engine_blocks blocks = {0};
    bool ok = engine_posts_blocks(&counting->posts, ITEM_QUESTION, query, 0, BLOCK_POSTS,
                                  &blocks, err);

    counting->posts.brief = !reading->needs.any_text && !reading->needs.has_code;
    open_judge(reading);
    for (size_t i = 0; ok && i < blocks.at.count; i++)
        ok = stop_check(err) &&
             engine_posts_block(&counting->posts, ITEM_QUESTION, query, blocks.at.at[i],
                                take_post, counting, err);
    dump_judge_close(&reading->judge);
    engine_blocks_free(&blocks);
    return ok;
}

static bool read_server(struct questions_reading *reading, const char *path,
                        struct err *err)
{
    struct server_counting counting = {.reading = reading};
    bool said, ok = open_counting(&counting, path, err) &&
                    count_there(&counting, &said, err) &&
                    (said || read_there(&counting, err));

    if (ok)
        reading->counted[reading->source - reading->options->sources] = said;
    close_counting(&counting);
    return ok;
}

static bool take_together(void *context, struct str tags, int64_t questions,
                          struct err *err)
{
    const struct questions_reading *reading = context;

    (void)err;
    dump_tagset_add_together(reading->tagset, tags, questions);
    return true;
}

/* Behind all else, when it is known which tags matter. */
static bool read_together(struct questions_reading *reading,
                          struct dump_tagset_limits limits, struct err *err)
{
    const struct source_ingest_options *options = reading->options;
    bool ok = true;
    size_t count = 0;
    const struct str *tags =
        reading->tagset->seeded > 0
            ? dump_tagset_within(reading->tagset, limits, reading->arena, &count)
            : NULL;

    for (size_t i = 0; i < options->source_count && ok; i++) {
        struct server_counting counting = {.reading = reading};
        reading->source = &options->sources[i];
        if (!reading->counted[i])
            continue;
        ok = open_counting(&counting, reading->source->paths[0], err) &&
             engine_posts_together(&counting.posts, &counting.tagging, tags, count,
                                   take_together, reading, err);
        close_counting(&counting);
    }
    return ok;
}

/* --- all of it --- */

static bool read_path(struct questions_reading *reading, const char *path,
                      struct err *err)
{
    const struct source_ingest_options *options = reading->options;

    if (reading->source->kind == &source_clickhouse)
        return read_server(reading, path, err);
    if (!file_exists(path) && options->tell_absent != NULL)
        return options->tell_absent(options->context, path, err);
    return reading->source->kind == &source_posts ? read_table(reading, path, err)
                                                  : read_dump(reading, path, err);
}

bool source_questions_count(const struct source_ingest_options *options,
                            struct dump_tagset_limits limits, struct dump_tagset *tagset,
                            struct err *err)
{
    struct arena arena = {0};
    struct query_compiled *query = NULL;
    struct questions_reading reading = {.options = options,
                                        .needs = query_needs(options->query),
                                        .tagset = tagset,
                                        .arena = &arena};
    size_t spaces = 0;
    bool ok = query_compile(options->query, (struct query_options){0}, &query, err);

    for (size_t i = 0; i < options->source_count; i++)
        if (options->sources[i].space >= spaces)
            spaces = options->sources[i].space + 1;
    reading.query = query;
    reading.seen = arena_array(&arena, struct idset, spaces + 1);
    reading.counted = arena_array(&arena, bool, options->source_count + 1);
    for (size_t i = 0; i < options->source_count && ok; i++) {
        reading.source = &options->sources[i];
        for (size_t p = 0; p < reading.source->path_count && ok; p++)
            if (source_questions_has(reading.source->kind))
                ok = read_path(&reading, reading.source->paths[p], err);
    }
    ok = ok && read_together(&reading, limits, err);
    for (size_t i = 0; i < spaces; i++)
        idset_free(&reading.seen[i]);
    query_free(query);
    arena_free(&arena);
    return ok;
}
