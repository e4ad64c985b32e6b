/* A dump of a Stack Exchange site. Threads make of each post that is taken what will be
 * stored; the calling thread only stores, in transactions that also say how far the
 * reading has come, so that a killed ingest goes on where the last of them ended. Then
 * the tables that hang on posts or on who wrote them: threads pick the rows that are
 * wanted by an id in them; the calling thread reads these once more and stores them. */
#include <string.h>

#include "base/stop.h"
#include "dump/related.h"
#include "source/hanging.h"

/* --- posts --- */

static const int64_t REST_MS =
    5000; /* between two resting places, however slow it goes */

static void make_post(void *context, struct dump_judge *judge,
                      const struct dump_rows_row *row, struct buf *out)
{
    struct item post;

    (void)context;
    dump_judge_read_all(judge, row, &post);
    source_intake_pack(&post, source_intake_code_blocks(judge, &post), out);
}

static enum dump_scan_next take_posts(void *context, struct str bytes, struct err *err)
{
    struct source_intake *intake = context;
    struct item post;
    int64_t code_blocks;

    while (source_intake_unpack(&bytes, &post, &code_blocks))
        if (!source_intake_store(intake, &post, code_blocks, err))
            return DUMP_SCAN_FAIL;
    return DUMP_SCAN_GO_ON;
}

/* Ends the transaction with the place that has been reached, and begins the next. */
static bool rest(void *context, const struct dump_scan_part *place, struct err *err)
{
    struct source_intake *intake = context;
    int64_t now = progress_clock_ms();

    if (!stop_check(err))
        return false;
    if (place->bytes - intake->rested_bytes < intake->options->rest_bytes &&
        now - intake->rested_ms < REST_MS)
        return true;
    intake->rested_bytes = place->bytes;
    intake->rested_ms = now;
    intake->state.start = place->bytes;
    intake->state.start_line = place->line;
    return source_intake_save_place(intake, err) && store_commit(intake->corpus, err) &&
           store_begin(intake->corpus, err);
}

static bool note_file(struct source_intake *intake, const struct input_member *member,
                      struct err *err)
{
    const uint64_t *hash = intake->state.scan.hash;
    char digits[SOURCE_INTAKE_HASH_DIGITS + 1];
    struct arena arena = {0};
    struct str place =
        source_intake_shown(intake->source, intake->path_number, member->place, &arena);
    bool ok = source_intake_text(intake, "file", place, err) &&
              source_intake_text(intake, "format", str_from(member->format), err) &&
              source_intake_text(intake, "file's hash (XXH3, 128 bits)",
                                 source_intake_hash_text(hash, digits), err) &&
              source_intake_file(intake, member->path, DUMP_SCAN_POSTS, hash, err);

    arena_free(&arena);
    return ok;
}

/* Rows that were skipped, and where the first of them stands. */
static bool note_broken(struct source_intake *intake, const struct input_member *member,
                        struct err *err)
{
    const struct dump_scan_result *scan = &intake->state.scan;
    struct arena arena = {0};
    struct buf first = {0};

    if (scan->broken > 0) {
        struct str place = source_intake_shown(intake->source, intake->path_number,
                                               member->place, &arena);
        buf_add_format(&first, "%.*s:", STR_ARG(place));
        if (scan->first_broken_line > 0)
            buf_add_format(&first, "%lld:", (long long)scan->first_broken_line);
        buf_add_format(&first, " byte %lld: found %s; expected %s",
                       (long long)scan->first_broken.offset, scan->first_broken.found,
                       scan->first_broken.expected);
    }
    bool ok = source_intake_broken(intake, scan->broken, buf_str(&first), err);
    buf_free(&first);
    arena_free(&arena);
    return ok;
}

static bool note_left_aside(struct source_intake *intake, const struct input *input,
                            size_t member, struct err *err)
{
    struct arena arena = {0};
    struct buf aside = {0};
    bool ok = true;

    dump_scan_left_aside(input, DUMP_SCAN_POSTS, member, &aside);
    buf_add_char(&aside, '\0');
    if (aside.len > 1)
        ok = source_intake_text(
            intake, "left aside beside the file",
            source_intake_shown(intake->source, intake->path_number, aside.ptr, &arena),
            err);
    buf_free(&aside);
    arena_free(&arena);
    return ok;
}

/* What the query asks of other posts, as far as what is asked will be in the corpus. */
static bool find_related(struct source_intake *intake, struct input *input,
                         struct progress *progress, int64_t *newest_ms, struct err *err)
{
    const struct source_ingest_options *options = intake->options;
    struct dump_related_job job = {.also = intake->source->also,
                                   .newest = query_needs(options->query).newest,
                                   .until_ms = intake->source->until_ms,
                                   .threads = options->threads,
                                   .skip_broken = options->skip_broken,
                                   .progress = progress};

    return dump_related_find(input, intake->relations, &job, newest_ms, err);
}

static bool read_posts(struct source_intake *intake, struct input *input, struct err *err)
{
    const struct source_ingest_options *options = intake->options;
    struct progress progress =
        progress_begin("reading posts", 0, options->descriptor, options->quiet);
    struct dump_select_job job = {.query = intake->query,
                                  .node = options->query,
                                  .origin = {.source = intake->source->name},
                                  .answers = true,
                                  .census = true,
                                  .until_ms = intake->source->until_ms,
                                  .threads = options->threads,
                                  .skip_broken = options->skip_broken,
                                  .hash = true,
                                  .progress = &progress,
                                  .context = intake,
                                  .make = make_post,
                                  .take = take_posts,
                                  .rest = rest};
    struct dump_select_state *state = &intake->state;
    size_t member;

    if (!dump_scan_find(input, DUMP_SCAN_POSTS, &member, err) ||
        !find_related(intake, input, &progress, &job.newest_ms, err) ||
        !store_begin(intake->corpus, err))
        return false;
    intake->rested_ms = progress_clock_ms();
    intake->rested_bytes = state->start;
    bool ok = dump_select_posts(input, member, &job, state, err);
    progress_end(&progress);
    if (ok && state->scan.rows == 0)
        return err_set(err, ERR_INPUT, "%s: has no posts",
                       input_member(input, member)->place);
    return ok &&
           source_intake_late(intake, buf_str(&state->late_answers), &state->matched,
                              err) &&
           source_intake_census(intake, &state->tally, err) &&
           source_intake_health(intake, &state->health, err) &&
           note_broken(intake, input_member(input, member), err) &&
           note_left_aside(intake, input, member, err) &&
           note_file(intake, input_member(input, member), err) &&
           source_intake_step_done(intake, err);
}

static bool take_dump(struct source_intake *intake, struct err *err)
{
    struct input *input;

    if (!input_open(intake->source->paths[intake->path_number], &input, err))
        return false;
    bool ok = read_posts(intake, input, err);
    input_close(input);
    return ok;
}

/* --- what hangs on them --- */

struct hanging {
    struct source_hanging base;
    struct dump_rows walk; /* over a row that is wanted */
    struct buf padded;
    const char *posts_path; /* the file that holds the posts */
    struct arena arena;
    struct map tags; /* questions by tag, as the census has them */
};

struct table_job {
    const struct source_hanging_table *table;
    struct hanging *hanging;
};

/* The count of Tags.xml against our own. */
static void count_tag(struct hanging *hanging, const struct dump_rows_row *row)
{
    const int64_t *ours = map_get(
        &hanging->tags, source_hanging_text(&hanging->base, row, DUMP_ROWS_TAG_NAME));
    struct source_ingest_result *result = hanging->base.intake->result;

    result->tags_checked++;
    result->tags_differ +=
        (ours != NULL ? *ours : 0) != source_hanging_number(row, DUMP_ROWS_COUNT);
}

static bool add_tag(void *context, const struct store_census *census, struct err *err)
{
    (void)err;
    *map_put(context, census->tag) += census->questions;
    return true;
}

/* --- reading a table --- */

static void clear_slot(void *context, void *slot)
{
    (void)context;
    buf_clear(slot);
}

static void work(void *context, void *slot, struct dump_rows *rows)
{
    const struct table_job *job = context;
    struct dump_rows_row row;

    while (dump_rows_next(rows, &row)) {
        struct str raw = dump_rows_raw(&row, DUMP_ROWS_ID);
        int64_t id;
        if (!source_hanging_keeps(job->table, job->hanging->base.intake, &row))
            continue;
        if (job->table->becomes != STORE_BESIDES && !dump_judge_read_id(&row, &id)) {
            dump_rows_reject(rows, &row, raw.ptr != NULL ? raw : row.bytes,
                             "a whole number as Id");
            continue;
        }
        uint64_t len = row.bytes.len;
        buf_add(slot, (struct str){(const char *)&len, sizeof len});
        buf_add(slot, row.bytes);
    }
}

static bool store_row(const struct table_job *job, struct str bytes, struct err *err)
{
    struct hanging *hanging = job->hanging;
    struct dump_rows_row row;

    buf_clear(&hanging->padded);
    buf_add(&hanging->padded, bytes);
    memset(buf_reserve(&hanging->padded, DUMP_ROWS_PADDING), 0, DUMP_ROWS_PADDING);
    hanging->walk.where = DUMP_ROWS_CONTENT;
    dump_rows_block(&hanging->walk, buf_str(&hanging->padded), 0, false);
    if (!dump_rows_next(&hanging->walk, &row))
        return true;
    if (job->table->becomes != STORE_BESIDES)
        return source_hanging_store(&hanging->base, job->table, &row, err);
    count_tag(hanging, &row);
    return true;
}

static enum dump_scan_next merge(void *context, void *slot,
                                 const struct dump_scan_part *part, struct err *err)
{
    struct str bytes = buf_str(slot);
    uint64_t len;

    (void)part;
    if (!stop_check(err))
        return DUMP_SCAN_FAIL;
    while (bytes.len > sizeof len) {
        memcpy(&len, bytes.ptr, sizeof len);
        if (!store_row(context, str_slice(bytes, sizeof len, sizeof len + len), err))
            return DUMP_SCAN_FAIL;
        bytes = str_slice(bytes, sizeof len + len, bytes.len);
    }
    return DUMP_SCAN_GO_ON;
}

static bool read_hanging(struct hanging *hanging, struct input *input, size_t member,
                         const struct source_hanging_table *read, struct err *err)
{
    const struct source_ingest_options *options = hanging->base.intake->options;
    size_t count = dump_scan_slots(options->threads);
    struct arena arena = {0};
    struct buf *slots = arena_array(&arena, struct buf, count);
    void **pointers = arena_array(&arena, void *, count);
    struct progress progress = progress_begin(dump_scan_table_name(read->table), 0,
                                              options->descriptor, options->quiet);
    const char *path = input_member(input, member)->path;
    bool hash = read->table != DUMP_SCAN_TAGS && strcmp(path, hanging->posts_path) != 0;
    struct table_job job = {read, hanging};
    struct dump_scan_job scan = {.threads = options->threads,
                                 .skip_broken = options->skip_broken,
                                 .hash = hash,
                                 .progress = &progress,
                                 .context = &job,
                                 .slots = pointers,
                                 .clear = clear_slot,
                                 .work = work,
                                 .merge = merge};
    struct dump_scan_result result;

    for (size_t i = 0; i < count; i++)
        pointers[i] = &slots[i];
    hanging->base.doubts = (struct dump_judge_doubts){0};
    bool ok = dump_scan_table(input, member, &scan, &result, err) &&
              source_hanging_findings(&hanging->base, read->table, result.broken, err) &&
              (!hash || source_intake_file(hanging->base.intake, path, read->table,
                                           result.hash, err));
    progress_end(&progress);
    for (size_t i = 0; i < count; i++)
        buf_free(&slots[i]);
    arena_free(&arena);
    return ok;
}

/* A table that was asked for must be there; tags are counted where they are. */
static bool read_tables(struct hanging *hanging, struct input *input, struct err *err)
{
    struct source_intake *intake = hanging->base.intake;
    size_t member;

    if (!dump_scan_find(input, DUMP_SCAN_POSTS, &member, err))
        return false;
    hanging->posts_path = input_member(input, member)->path;
    for (size_t i = 0; i < SOURCE_HANGING_TABLES; i++) {
        const struct source_hanging_table *table = &source_hanging_tables[i];
        bool wanted = table->also < ITEM_ALSO
                          ? intake->source->also >> table->also & 1
                          : dump_scan_has(input, table->table, &member);
        if (wanted && !(dump_scan_find(input, table->table, &member, err) &&
                        store_begin(intake->corpus, err) &&
                        read_hanging(hanging, input, member, table, err) &&
                        store_commit(intake->corpus, err)))
            return false;
    }
    return true;
}

static bool take_hanging(struct source_intake *intake, struct err *err)
{
    struct hanging hanging = {.base.intake = intake};
    struct input *input;

    if (!input_open(intake->source->paths[intake->path_number], &input, err))
        return false;
    hanging.tags.arena = &hanging.arena;
    bool ok = store_census(intake->corpus, (int64_t)intake->source_number, add_tag,
                           &hanging.tags, err) &&
              read_tables(&hanging, input, err);
    input_close(input);
    dump_rows_free(&hanging.walk);
    buf_free(&hanging.padded);
    buf_free(&hanging.base.decoded);
    arena_free(&hanging.arena);
    return ok;
}

/* Only the tables count, for other files may come and go beside them. */
static void add_members(const struct input *input, struct buf *key)
{
    size_t at;

    for (int table = 0; table < DUMP_SCAN_TABLES; table++)
        if (dump_scan_has(input, (enum dump_scan_table)table, &at))
            source_intake_add_member(key, input_member(input, at));
}

const char source_stackexchange_help[] =
    "A dump of a Stack Exchange site in any form that assay-scan(1) reads: a folder, "
    "the site's .7z, Posts.xml plain or packed; or a list of them. Paths are taken "
    "from the study file's folder; $data/ at the beginning stands for the folder "
    "given by --data or by the environment variable ASSAY_DATA.";

const struct source_kind source_stackexchange = {
    .key = "stackexchange",
    .stored = "dump",
    .called = "dump of Stack Exchange",
    .in_prose = "the Stack Exchange data dump",
    .packaged = "a dump of a Stack Exchange site",
    .path_is = "file or folder",
    .expected = "a dump, as in assay-scan(1)",
    .site = true,
    .host = "stackoverflow.com",
    .way = "/q/",
    .census = true,
    .each = true,
    .add_members = add_members,
    .take = take_dump,
    .take_more = take_hanging,
};
