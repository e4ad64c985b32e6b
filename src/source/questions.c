/* Dumps go through the pass that an ingest makes, tables of posts through their reader.
 */
#include "source/questions.h"

#include <string.h>

#include "base/file.h"
#include "dump/select.h"
#include "dump/table.h"

struct questions_reading {
    const struct source_ingest_options *options;
    const struct source_ingest_source *source;
    const struct query_compiled *query;
    struct query_needs needs;
    struct dump_judge judge; /* of tables */
    struct idset *seen;      /* of each space */
    source_questions_take *take;
    void *context;
};

bool source_questions_has(const struct source_kind *kind)
{
    return kind == &source_stackexchange || kind == &source_posts;
}

static void take_question(struct questions_reading *reading, int64_t id, struct str tags)
{
    if (idset_add(&reading->seen[reading->source->space], id))
        reading->take(reading->context, tags);
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

static bool read_table(struct questions_reading *reading, const char *path,
                       struct err *err)
{
    struct dump_field_broken broken = {0}; /* the ingest has told of them */
    struct dump_table_options how = {.mapping = reading->source->mapping,
                                     .broken =
                                         reading->options->skip_broken ? &broken : NULL};

    dump_judge_open(&reading->judge, reading->query, &reading->needs);
    reading->judge.origin = (struct dump_judge_origin){.source = reading->source->name};
    reading->judge.newest_ms = ITEM_NONE;
    bool ok = dump_table_read_path(path, &how, take_row, reading, err);
    dump_judge_close(&reading->judge);
    return ok;
}

static bool read_path(struct questions_reading *reading, const char *path,
                      struct err *err)
{
    const struct source_ingest_options *options = reading->options;

    if (!file_exists(path) && options->tell_absent != NULL)
        return options->tell_absent(options->context, path, err);
    return reading->source->kind == &source_posts ? read_table(reading, path, err)
                                                  : read_dump(reading, path, err);
}

bool source_questions_read(const struct source_ingest_options *options,
                           source_questions_take *take, void *context, struct err *err)
{
    struct arena arena = {0};
    struct query_compiled *query = NULL;
    struct questions_reading reading = {.options = options,
                                        .needs = query_needs(options->query),
                                        .take = take,
                                        .context = context};
    size_t spaces = 0;
    bool ok = query_compile(options->query, (struct query_options){0}, &query, err);

    for (size_t i = 0; i < options->source_count; i++)
        if (options->sources[i].space >= spaces)
            spaces = options->sources[i].space + 1;
    reading.query = query;
    reading.seen = arena_array(&arena, struct idset, spaces + 1);
    for (size_t i = 0; i < options->source_count && ok; i++) {
        reading.source = &options->sources[i];
        for (size_t p = 0; p < reading.source->path_count && ok; p++)
            if (source_questions_has(reading.source->kind))
                ok = read_path(&reading, reading.source->paths[p], err);
    }
    for (size_t i = 0; i < spaces; i++)
        idset_free(&reading.seen[i]);
    query_free(query);
    arena_free(&arena);
    return ok;
}
