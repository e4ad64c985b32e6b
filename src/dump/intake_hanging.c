/* The tables of a dump that hang on posts or on who wrote them. Threads pick the rows
 * that are wanted by an id in them; the calling thread reads these once more and stores
 * them. */
#include <string.h>

#include "base/stop.h"
#include "dump/intake.h"
#include "dump/value.h"
#include "item/key.h"

struct hanging {
    struct intake *intake;
    struct rows walk; /* over a row that is wanted */
    struct buf padded, decoded;
    const char *posts_path; /* the file that holds the posts */
    struct arena arena;
    struct map tags;            /* questions by tag, as the census has them */
    struct judge_doubts doubts; /* about the rows of the table that were stored */
};

/* One table: which rows are wanted, and what is done with them. */
struct table_job {
    bool nameless; /* rows need no Id */
    bool (*keep)(const struct intake *intake, const struct rows_row *row);
    bool (*store)(struct hanging *hanging, const struct rows_row *row, struct err *err);
    struct hanging *hanging;
};

static int64_t number_of(const struct rows_row *row, enum rows_attribute attribute)
{
    int64_t value = ITEM_NONE;

    if (rows_has(row, attribute))
        (void)!value_int(row->raw[attribute], &value);
    return value;
}

/* The same for what is stored: a value that is no number is counted. */
static int64_t stored_number(struct hanging *hanging, const struct rows_row *row,
                             enum rows_attribute attribute)
{
    int64_t value = number_of(row, attribute);

    if (value == ITEM_NONE && rows_has(row, attribute))
        judge_doubt(&hanging->doubts, row, attribute, "row");
    return value;
}

/* A number that names something of the source: an item, a user, the row itself. */
static int64_t id_of(struct hanging *hanging, const struct rows_row *row,
                     enum rows_attribute attribute)
{
    int64_t number = stored_number(hanging, row, attribute);

    if (number != ITEM_NONE &&
        (number <= -ITEM_NUMBER_MAX || number >= ITEM_NUMBER_MAX)) {
        judge_doubt(&hanging->doubts, row, attribute, "row");
        number = ITEM_NONE;
    }
    return item_id(hanging->intake->source->space, number);
}

static int64_t moment_of(struct hanging *hanging, const struct rows_row *row,
                         enum rows_attribute attribute)
{
    int64_t value = ITEM_NONE;

    if (rows_has(row, attribute) && !value_date(row->raw[attribute], &value))
        judge_doubt(&hanging->doubts, row, attribute, "row");
    return value;
}

/* Decoded, until the next call. */
static struct str text_of(struct hanging *hanging, const struct rows_row *row,
                          enum rows_attribute attribute)
{
    struct str raw = rows_raw(row, attribute);

    buf_clear(&hanging->decoded);
    hanging->doubts.replaced += value_decode(raw, &hanging->decoded, NULL);
    return buf_str(&hanging->decoded);
}

static bool is_late(const struct hanging *hanging, int64_t ms)
{
    return ms != ITEM_NONE && ms >= hanging->intake->source->until_ms;
}

/* --- what is kept of each table --- */

static bool keep_of_post(const struct intake *intake, const struct rows_row *row)
{
    return idset_has(&intake->posts, number_of(row, ROWS_POST_ID));
}

static bool keep_of_user(const struct intake *intake, const struct rows_row *row)
{
    return idset_has(&intake->users, number_of(row, ROWS_USER_ID));
}

static bool keep_user(const struct intake *intake, const struct rows_row *row)
{
    return idset_has(&intake->users, number_of(row, ROWS_ID));
}

static bool keep_link(const struct intake *intake, const struct rows_row *row)
{
    return keep_of_post(intake, row) ||
           idset_has(&intake->posts, number_of(row, ROWS_RELATED_POST_ID));
}

static bool keep_tag(const struct intake *intake, const struct rows_row *row)
{
    (void)intake;
    return rows_has(row, ROWS_TAG_NAME);
}

static bool store_comment(struct hanging *hanging, const struct rows_row *row,
                          struct err *err)
{
    struct corpus_comment comment = {.id = id_of(hanging, row, ROWS_ID),
                                     .item = id_of(hanging, row, ROWS_POST_ID),
                                     .created_ms =
                                         moment_of(hanging, row, ROWS_CREATION_DATE),
                                     .score = stored_number(hanging, row, ROWS_SCORE),
                                     .user = id_of(hanging, row, ROWS_USER_ID)};

    if (is_late(hanging, comment.created_ms))
        return true;
    comment.text = text_of(hanging, row, ROWS_TEXT);
    idset_add(&hanging->intake->users, item_number(comment.user));
    return corpus_add_comment(hanging->intake->corpus, &comment, err);
}

static bool store_history(struct hanging *hanging, const struct rows_row *row,
                          struct err *err)
{
    struct corpus_history history = {
        .id = id_of(hanging, row, ROWS_ID),
        .item = id_of(hanging, row, ROWS_POST_ID),
        .type = stored_number(hanging, row, ROWS_POST_HISTORY_TYPE_ID),
        .created_ms = moment_of(hanging, row, ROWS_CREATION_DATE),
        .user = id_of(hanging, row, ROWS_USER_ID)};

    if (is_late(hanging, history.created_ms))
        return true;
    idset_add(&hanging->intake->users, item_number(history.user));
    return corpus_add_history(hanging->intake->corpus, &history, err);
}

static bool store_user(struct hanging *hanging, const struct rows_row *row,
                       struct err *err)
{
    struct corpus_user user = {.id = id_of(hanging, row, ROWS_ID),
                               .created_ms = moment_of(hanging, row, ROWS_CREATION_DATE),
                               .reputation = stored_number(hanging, row, ROWS_REPUTATION),
                               .name = text_of(hanging, row, ROWS_DISPLAY_NAME)};

    return corpus_add_user(hanging->intake->corpus, &user, err);
}

static bool store_link(struct hanging *hanging, const struct rows_row *row,
                       struct err *err)
{
    struct corpus_link link = {.id = id_of(hanging, row, ROWS_ID),
                               .item = id_of(hanging, row, ROWS_POST_ID),
                               .related = id_of(hanging, row, ROWS_RELATED_POST_ID),
                               .type = stored_number(hanging, row, ROWS_LINK_TYPE_ID),
                               .created_ms = moment_of(hanging, row, ROWS_CREATION_DATE)};

    return corpus_add_link(hanging->intake->corpus, &link, err);
}

static bool store_vote(struct hanging *hanging, const struct rows_row *row,
                       struct err *err)
{
    struct corpus_vote vote = {.id = id_of(hanging, row, ROWS_ID),
                               .item = id_of(hanging, row, ROWS_POST_ID),
                               .type = stored_number(hanging, row, ROWS_VOTE_TYPE_ID),
                               .created_ms = moment_of(hanging, row, ROWS_CREATION_DATE)};

    return is_late(hanging, vote.created_ms) ||
           corpus_add_vote(hanging->intake->corpus, &vote, err);
}

static bool store_badge(struct hanging *hanging, const struct rows_row *row,
                        struct err *err)
{
    struct corpus_badge badge = {.id = id_of(hanging, row, ROWS_ID),
                                 .user = id_of(hanging, row, ROWS_USER_ID),
                                 .created_ms = moment_of(hanging, row, ROWS_DATE),
                                 .name = text_of(hanging, row, ROWS_NAME)};

    return is_late(hanging, badge.created_ms) ||
           corpus_add_badge(hanging->intake->corpus, &badge, err);
}

/* The count of Tags.xml against our own. */
static bool count_tag(struct hanging *hanging, const struct rows_row *row,
                      struct err *err)
{
    const int64_t *ours = map_get(&hanging->tags, text_of(hanging, row, ROWS_TAG_NAME));
    struct ingest_result *result = hanging->intake->result;

    (void)err;
    result->tags_checked++;
    result->tags_differ += (ours != NULL ? *ours : 0) != number_of(row, ROWS_COUNT);
    return true;
}

static bool add_tag(void *context, const struct corpus_census *census, struct err *err)
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

static void work(void *context, void *slot, struct rows *rows)
{
    const struct table_job *job = context;
    struct rows_row row;

    while (rows_next(rows, &row)) {
        struct str raw = rows_raw(&row, ROWS_ID);
        int64_t id;
        if (!job->keep(job->hanging->intake, &row))
            continue;
        if (!job->nameless && !judge_read_id(&row, &id)) {
            rows_reject(rows, &row, raw.ptr != NULL ? raw : row.bytes,
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
    struct rows_row row;

    buf_clear(&hanging->padded);
    buf_add(&hanging->padded, bytes);
    memset(buf_reserve(&hanging->padded, ROWS_PADDING), 0, ROWS_PADDING);
    hanging->walk.where = ROWS_CONTENT;
    rows_block(&hanging->walk, buf_str(&hanging->padded), 0, false);
    return !rows_next(&hanging->walk, &row) || job->store(hanging, &row, err);
}

static enum scan_next merge(void *context, void *slot, const struct scan_part *part,
                            struct err *err)
{
    struct str bytes = buf_str(slot);
    uint64_t len;

    (void)part;
    if (!stop_check(err))
        return SCAN_FAIL;
    while (bytes.len > sizeof len) {
        memcpy(&len, bytes.ptr, sizeof len);
        if (!store_row(context, str_slice(bytes, sizeof len, sizeof len + len), err))
            return SCAN_FAIL;
        bytes = str_slice(bytes, sizeof len + len, bytes.len);
    }
    return SCAN_GO_ON;
}

/* What had to be put up with in a table, if anything. */
static bool note_findings(struct hanging *hanging, enum scan_table table, int64_t broken,
                          struct err *err)
{
    const struct judge_doubts *doubts = &hanging->doubts;
    const struct {
        const char *finding;
        int64_t value;
    } numbers[] = {
        {"broken rows skipped", broken},
        {"characters that XML forbids, replaced", doubts->replaced},
        {"values that are not what their attribute says", doubts->unreadable},
    };
    struct buf name = {0};
    bool ok = true;

    for (size_t i = 0; i < ROWS_OF(numbers) && ok; i++) {
        if (numbers[i].value == 0)
            continue;
        buf_clear(&name);
        buf_add_format(&name, "%s: %s", scan_table_name(table), numbers[i].finding);
        buf_add_char(&name, '\0');
        ok = intake_number(hanging->intake, name.ptr, numbers[i].value, err);
    }
    if (ok && doubts->unreadable > 0) {
        buf_clear(&name);
        buf_add_format(&name, "%s: first value that is not what its attribute says",
                       scan_table_name(table));
        buf_add_char(&name, '\0');
        ok = intake_text(hanging->intake, name.ptr, str_from(doubts->first), err);
    }
    buf_free(&name);
    return ok;
}

static bool read_member(struct hanging *hanging, struct input *input, size_t member,
                        enum scan_table table, struct table_job *job, struct err *err)
{
    const struct ingest_options *options = hanging->intake->options;
    size_t count = scan_slots(options->threads);
    struct arena arena = {0};
    struct buf *slots = arena_array(&arena, struct buf, count);
    void **pointers = arena_array(&arena, void *, count);
    struct progress progress =
        progress_begin(scan_table_name(table), 0, options->descriptor, options->quiet);
    const char *path = input_member(input, member)->path;
    bool hash = table != SCAN_TAGS && strcmp(path, hanging->posts_path) != 0;
    struct scan_job scan = {.threads = options->threads,
                            .skip_broken = options->skip_broken,
                            .hash = hash,
                            .progress = &progress,
                            .context = job,
                            .slots = pointers,
                            .clear = clear_slot,
                            .work = work,
                            .merge = merge};
    struct scan_result result;

    for (size_t i = 0; i < count; i++)
        pointers[i] = &slots[i];
    hanging->doubts = (struct judge_doubts){0};
    bool ok = scan_table(input, member, &scan, &result, err) &&
              note_findings(hanging, table, result.broken, err) &&
              (!hash || intake_file(hanging->intake, path, table, result.hash, err));
    progress_end(&progress);
    for (size_t i = 0; i < count; i++)
        buf_free(&slots[i]);
    arena_free(&arena);
    return ok;
}

/* A table that was asked for must be there. */
static bool read_table(struct hanging *hanging, struct input *input, bool wanted,
                       enum scan_table table, struct table_job job, struct err *err)
{
    struct corpus *corpus = hanging->intake->corpus;
    size_t member;

    job.hanging = hanging;
    return !wanted ||
           (scan_find(input, table, &member, err) && corpus_begin(corpus, err) &&
            read_member(hanging, input, member, table, &job, err) &&
            corpus_commit(corpus, err));
}

/* Users come after those who tell which of them are wanted. */
static bool read_tables(struct hanging *hanging, struct input *input, struct err *err)
{
    unsigned also = hanging->intake->source->also;
    size_t member;
    const struct {
        bool wanted;
        enum scan_table table;
        struct table_job job;
    } tables[] = {
        {also >> ITEM_ALSO_COMMENTS & 1,
         SCAN_COMMENTS,
         {.keep = keep_of_post, .store = store_comment}},
        {also >> ITEM_ALSO_HISTORY & 1,
         SCAN_POST_HISTORY,
         {.keep = keep_of_post, .store = store_history}},
        {also >> ITEM_ALSO_USERS & 1,
         SCAN_USERS,
         {.keep = keep_user, .store = store_user}},
        {also >> ITEM_ALSO_LINKS & 1,
         SCAN_POST_LINKS,
         {.keep = keep_link, .store = store_link}},
        {also >> ITEM_ALSO_VOTES & 1,
         SCAN_VOTES,
         {.keep = keep_of_post, .store = store_vote}},
        {also >> ITEM_ALSO_BADGES & 1,
         SCAN_BADGES,
         {.keep = keep_of_user, .store = store_badge}},
        {scan_has(input, SCAN_TAGS, &member),
         SCAN_TAGS,
         {.keep = keep_tag, .store = count_tag, .nameless = true}},
    };

    if (!scan_find(input, SCAN_POSTS, &member, err))
        return false;
    hanging->posts_path = input_member(input, member)->path;
    for (size_t i = 0; i < ROWS_OF(tables); i++)
        if (!read_table(hanging, input, tables[i].wanted, tables[i].table, tables[i].job,
                        err))
            return false;
    return true;
}

bool intake_hanging(struct intake *intake, struct err *err)
{
    struct hanging hanging = {.intake = intake};
    struct input *input;

    if (!input_open(intake->source->paths[intake->path_number], &input, err))
        return false;
    hanging.tags.arena = &hanging.arena;
    bool ok = corpus_census(intake->corpus, (int64_t)intake->source_number, add_tag,
                            &hanging.tags, err) &&
              read_tables(&hanging, input, err);
    input_close(input);
    rows_free(&hanging.walk);
    buf_free(&hanging.padded);
    buf_free(&hanging.decoded);
    arena_free(&hanging.arena);
    return ok;
}
