/* What is read is entered in transactions that also say how far the reading has come, so
 * that a killed ingest goes on where the last of them ended. */
#include "dump/ingest.h"

#include <string.h>

#include "base/date.h"
#include "base/file.h"
#include "base/stop.h"
#include "dump/select.h"
#include "dump/value.h"

enum { ENGINE = 1 }; /* changes when the same dump would give another corpus */

static const int64_t REST_MS =
    5000; /* between two resting places, however slow it goes */

struct ingest {
    const struct ingest_options *options;
    struct ingest_result *result;
    struct corpus *corpus;
    struct query_compiled *query;
    struct select_state state;
    size_t source; /* number of the source that is being read */
    struct judge judge;
    struct rows walk;
    struct buf padded;
    int64_t rested_bytes, rested_ms;
    struct buf packed;
    struct idset posts, users; /* that are in the corpus */
};

/* The key: what the corpus rests on. */

/* Of the tables, for other files may come and go beside them. */
static void add_fingerprint(struct buf *key, const char *path, const struct input *input)
{
    size_t at;

    buf_add_format(key, "source %s\n", path);
    for (int table = 0; table < SCAN_TABLES; table++) {
        if (!scan_has(input, (enum scan_table)table, &at))
            continue;
        const struct input_member *member = input_member(input, at);
        buf_add_format(key, "  %.*s %s %lld %lld\n", STR_ARG(member->name),
                       member->format, (long long)member->file_size,
                       (long long)member->modified_ms);
    }
}

static bool make_key(const struct ingest_options *options, struct buf *key,
                     struct err *err)
{
    buf_add_format(key, "engine %d\nuntil %lld\nalso%s%s%s\nbroken %s\nquestions ",
                   ENGINE, (long long)options->until_ms,
                   options->comments ? " comments" : "", options->users ? " users" : "",
                   options->links ? " links" : "",
                   options->skip_broken ? "skipped" : "refused");
    query_print(options->query, key);
    buf_add_char(key, '\n');
    for (size_t i = 0; i < options->source_count; i++) {
        struct input *input;
        if (!input_open(options->sources[i], &input, err))
            return false;
        add_fingerprint(key, options->sources[i], input);
        input_close(input);
    }
    return true;
}

static bool is_up_to_date(const struct ingest_options *options, struct str key)
{
    struct corpus *corpus;
    struct err ignored = {0};
    struct arena arena = {0};
    struct str found;

    if (!file_exists(options->corpus) || !corpus_open(options->corpus, &corpus, &ignored))
        return false;
    bool same = corpus_get_state(corpus, STR("key"), &arena, &found, &ignored) &&
                str_eq(found, key);
    corpus_close(corpus);
    arena_free(&arena);
    return same;
}

/* Posts. */

/* Rows travel to the calling thread as they are, a line each. */
static bool make_row(void *context, struct judge *judge, const struct rows_row *row,
                     struct buf *out, struct str *wrong)
{
    struct post post;

    (void)context;
    if (!judge_read_all(judge, row, &post, wrong)) /* a broken one is found here */
        return false;
    uint64_t len = row->bytes.len;
    buf_add(out, (struct str){(const char *)&len, sizeof len});
    buf_add(out, row->bytes);
    return true;
}

static bool store_post(struct ingest *ingest, const struct rows_row *row, struct err *err)
{
    struct judge *judge = &ingest->judge;
    struct post post;
    struct str wrong;
    bool added;

    if (!judge_read_all(judge, row, &post, &wrong))
        return true; /* cannot be: make_row() has read it */
    judge_post(judge, &post);
    struct corpus_post stored = {.id = post.id,
                                 .type = post.type,
                                 .parent = post.parent,
                                 .accepted = post.accepted,
                                 .created_ms = post.created_ms,
                                 .closed_ms = post.closed_ms,
                                 .score = post.score,
                                 .views = post.views,
                                 .answers = post.answers,
                                 .comments = post.comments,
                                 .favorites = post.favorites,
                                 .owner = post.owner,
                                 .tags = post.tags,
                                 .title = post.title,
                                 .body = post.body};
    stored.code = judge_text(judge, QUERY_CODE);
    stored.prose = judge_text(judge, QUERY_PROSE);
    stored.code_blocks = (int64_t)judge_code_blocks(judge);
    return corpus_add_post(ingest->corpus, &stored, &added, err);
}

static enum scan_next take_rows(void *context, struct str bytes, struct err *err)
{
    struct ingest *ingest = context;
    struct rows_row row;
    uint64_t len;

    while (bytes.len > sizeof len) {
        memcpy(&len, bytes.ptr, sizeof len);
        struct str one = str_slice(bytes, sizeof len, sizeof len + len);
        bytes = str_slice(bytes, sizeof len + len, bytes.len);
        buf_clear(&ingest->padded);
        buf_add(&ingest->padded, one);
        memset(buf_reserve(&ingest->padded, ROWS_PADDING), 0, ROWS_PADDING);
        ingest->walk.where = ROWS_CONTENT;
        rows_block(&ingest->walk, buf_str(&ingest->padded), 0, false);
        if (rows_next(&ingest->walk, &row) && !store_post(ingest, &row, err))
            return SCAN_FAIL;
    }
    return SCAN_GO_ON;
}

static bool save_place(struct ingest *ingest, struct err *err)
{
    uint64_t source = ingest->source;

    buf_clear(&ingest->packed);
    buf_add(&ingest->packed, (struct str){(const char *)&source, sizeof source});
    select_save(&ingest->state, &ingest->packed);
    return corpus_set_state(ingest->corpus, STR("place"), buf_str(&ingest->packed), err);
}

/* Ends the transaction with the place that has been reached, and begins the next. */
static bool rest(void *context, const struct scan_part *place, struct err *err)
{
    struct ingest *ingest = context;
    int64_t now = progress_clock_ms();

    if (!stop_check(err))
        return false;
    if (place->bytes - ingest->rested_bytes < ingest->options->rest_bytes &&
        now - ingest->rested_ms < REST_MS)
        return true;
    ingest->rested_bytes = place->bytes;
    ingest->rested_ms = now;
    ingest->state.start = place->bytes;
    ingest->state.start_line = place->line;
    return save_place(ingest, err) && corpus_commit(ingest->corpus, err) &&
           corpus_begin(ingest->corpus, err);
}

static bool store_census(struct ingest *ingest, struct err *err)
{
    struct tally *tally = &ingest->state.tally;

    tally_sort(tally);
    for (size_t i = 0; i < tally->count; i++) {
        const struct tally_cell *cell = &tally->cells[i];
        struct corpus_census census = {cell->year,     cell->tag,      cell->questions,
                                       cell->accepted, cell->answered, cell->closed,
                                       cell->views,    cell->score};
        if (!corpus_add_census(ingest->corpus, &census, err))
            return false;
    }
    return true;
}

static bool set_number(struct ingest *ingest, const char *prefix, const char *finding,
                       int64_t value, struct err *err)
{
    struct buf name = {0}, text = {0};

    buf_add_format(&name, "%s%s", prefix, finding);
    buf_add_int(&text, value);
    bool ok = corpus_set_health(ingest->corpus, buf_str(&name), buf_str(&text), err);
    buf_free(&name);
    buf_free(&text);
    return ok;
}

static bool set_day(struct ingest *ingest, const char *prefix, const char *finding,
                    int64_t ms, struct err *err)
{
    struct buf name = {0}, text = {0};

    buf_add_format(&name, "%s%s", prefix, finding);
    if (ms == POST_NONE)
        buf_add(&text, STR("none"));
    else
        date_add(&text, ms);
    bool ok = corpus_set_health(ingest->corpus, buf_str(&name), buf_str(&text), err);
    buf_free(&name);
    buf_free(&text);
    return ok;
}

static bool set_text(struct ingest *ingest, const char *prefix, const char *finding,
                     struct str value, struct err *err)
{
    struct buf name = {0};

    buf_add_format(&name, "%s%s", prefix, finding);
    bool ok = corpus_set_health(ingest->corpus, buf_str(&name), value, err);
    buf_free(&name);
    return ok;
}

static const char *tag_spelling(const struct select_health *health)
{
    if (health->tags_in_angles > 0 && health->tags_in_bars > 0)
        return "both <a><b> and |a|b|";
    return health->tags_in_bars > 0     ? "|a|b|"
           : health->tags_in_angles > 0 ? "<a><b>"
                                        : "none";
}

static bool store_health(struct ingest *ingest, const char *prefix,
                         const struct input_member *member, struct err *err)
{
    const struct select_health *health = &ingest->state.health;
    const struct scan_result *scan = &ingest->state.scan;
    const struct {
        const char *finding;
        int64_t value;
    } numbers[] = {
        {"questions", health->questions},
        {"answers", health->answers},
        {"other posts", health->others},
        {"broken rows skipped", scan->broken},
        {"planted posts dropped", health->planted},
        {"repeated ids", health->duplicates},
        {"posts after the end of the study", health->late},
        {"posts without a date", health->no_date},
        {"answers without question", health->orphans},
        {"questions with an accepted answer", health->accepted},
        {"accepted answers missing", health->accepted_missing},
        {"questions without tags", health->tags_missing},
    };
    char hash[40];
    struct buf text = {0};

    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (!set_number(ingest, prefix, numbers[i].finding, numbers[i].value, err))
            return false;
    buf_add_format(&text, "%016llx%016llx", (unsigned long long)scan->hash[0],
                   (unsigned long long)scan->hash[1]);
    memcpy(hash, text.ptr, 32);
    buf_free(&text);
    return set_day(ingest, prefix, "first post", health->first_ms, err) &&
           set_day(ingest, prefix, "last post", health->last_ms, err) &&
           set_text(ingest, prefix, "tags are written", str_from(tag_spelling(health)),
                    err) &&
           set_text(ingest, prefix, "file", str_from(member->place), err) &&
           set_text(ingest, prefix, "format", str_from(member->format), err) &&
           set_text(ingest, prefix, "file's hash (XXH3, 128 bits)",
                    (struct str){hash, 32}, err);
}

static const char *prefix_of(struct ingest *ingest, struct arena *arena)
{
    struct buf text = {0};

    if (ingest->options->source_count > 1)
        buf_add_format(&text, "%s: ", ingest->options->sources[ingest->source]);
    const char *prefix = arena_c_string(arena, buf_str(&text));
    buf_free(&text);
    return prefix;
}

static bool read_posts(struct ingest *ingest, struct input *input, struct err *err)
{
    const struct ingest_options *options = ingest->options;
    struct progress progress =
        progress_begin("reading posts", 0, options->descriptor, options->quiet);
    struct select_job job = {.query = ingest->query,
                             .node = options->query,
                             .answers = true,
                             .census = true,
                             .until_ms = options->until_ms,
                             .threads = options->threads,
                             .skip_broken = options->skip_broken,
                             .hash = true,
                             .progress = &progress,
                             .context = ingest,
                             .make = make_row,
                             .take = take_rows,
                             .rest = rest};
    struct arena arena = {0};
    size_t member;

    if (!scan_find(input, SCAN_POSTS, &member, err) || !corpus_begin(ingest->corpus, err))
        return false;
    ingest->rested_ms = progress_clock_ms();
    ingest->rested_bytes = ingest->state.start;
    bool ok =
        select_posts(input, member, &job, &ingest->state, err) &&
        store_census(ingest, err) &&
        store_health(ingest, prefix_of(ingest, &arena), input_member(input, member), err);
    progress_end(&progress);
    select_state_free(&ingest->state);
    ingest->source++;
    ok = ok && save_place(ingest, err) && corpus_commit(ingest->corpus, err);
    arena_free(&arena);
    return ok;
}

/* The tables that hang on posts. Their rows are few or cheap, so that these go through
 * one worker and are begun anew after an interruption. */

struct table_slot {
    struct buf rows; /* those that are kept, a length and the row */
};

struct table_job {
    struct ingest *ingest;
    bool (*keep)(const struct ingest *ingest, const struct rows_row *row);
    bool (*store)(struct ingest *ingest, const struct rows_row *row, struct err *err);
    int64_t kept;
};

static void clear_table(void *context, void *slot)
{
    (void)context;
    buf_clear(&((struct table_slot *)slot)->rows);
}

static void work_table(void *context, void *memory, struct rows *rows)
{
    const struct table_job *job = context;
    struct table_slot *slot = memory;
    struct rows_row row;

    while (rows_next(rows, &row)) {
        if (!job->keep(job->ingest, &row))
            continue;
        uint64_t len = row.bytes.len;
        buf_add(&slot->rows, (struct str){(const char *)&len, sizeof len});
        buf_add(&slot->rows, row.bytes);
    }
}

static enum scan_next merge_table(void *context, void *memory,
                                  const struct scan_part *part, struct err *err)
{
    struct table_job *job = context;
    struct ingest *ingest = job->ingest;
    struct str bytes = buf_str(&((struct table_slot *)memory)->rows);
    struct rows_row row;
    uint64_t len;

    (void)part;
    if (!stop_check(err))
        return SCAN_FAIL;
    while (bytes.len > sizeof len) {
        memcpy(&len, bytes.ptr, sizeof len);
        buf_clear(&ingest->padded);
        buf_add(&ingest->padded, str_slice(bytes, sizeof len, sizeof len + len));
        memset(buf_reserve(&ingest->padded, ROWS_PADDING), 0, ROWS_PADDING);
        bytes = str_slice(bytes, sizeof len + len, bytes.len);
        ingest->walk.where = ROWS_CONTENT;
        rows_block(&ingest->walk, buf_str(&ingest->padded), 0, false);
        if (rows_next(&ingest->walk, &row) && !job->store(ingest, &row, err))
            return SCAN_FAIL;
        job->kept++;
    }
    return SCAN_GO_ON;
}

static int64_t number_of(const struct rows_row *row, enum rows_attribute attribute)
{
    int64_t value = CORPUS_NONE;

    if (rows_has(row, attribute))
        (void)!value_int(row->raw[attribute], &value);
    return value;
}

static int64_t moment_of(const struct rows_row *row, enum rows_attribute attribute)
{
    int64_t value = CORPUS_NONE;

    if (rows_has(row, attribute))
        (void)!value_date(row->raw[attribute], &value);
    return value;
}

/* Decoded into the ingest's memory, until the next call. */
static struct str text_of(struct ingest *ingest, const struct rows_row *row,
                          enum rows_attribute attribute)
{
    struct str raw = rows_raw(row, attribute);

    buf_clear(&ingest->packed);
    if (!value_decode(raw, &ingest->packed, NULL))
        buf_add(&ingest->packed, raw);
    return buf_str(&ingest->packed);
}

static bool keep_comment(const struct ingest *ingest, const struct rows_row *row)
{
    return idset_has(&ingest->posts, number_of(row, ROWS_POST_ID));
}

static bool store_comment(struct ingest *ingest, const struct rows_row *row,
                          struct err *err)
{
    struct corpus_comment comment = {.id = number_of(row, ROWS_ID),
                                     .post = number_of(row, ROWS_POST_ID),
                                     .created_ms = moment_of(row, ROWS_CREATION_DATE),
                                     .score = number_of(row, ROWS_SCORE),
                                     .user = number_of(row, ROWS_USER_ID)};

    if (comment.created_ms != CORPUS_NONE &&
        comment.created_ms >= ingest->options->until_ms)
        return true;
    comment.text = text_of(ingest, row, ROWS_TEXT);
    idset_add(&ingest->users, comment.user);
    return corpus_add_comment(ingest->corpus, &comment, err);
}

static bool keep_user(const struct ingest *ingest, const struct rows_row *row)
{
    return idset_has(&ingest->users, number_of(row, ROWS_ID));
}

static bool store_user(struct ingest *ingest, const struct rows_row *row, struct err *err)
{
    struct corpus_user user = {.id = number_of(row, ROWS_ID),
                               .created_ms = moment_of(row, ROWS_CREATION_DATE),
                               .reputation = number_of(row, ROWS_REPUTATION),
                               .name = text_of(ingest, row, ROWS_DISPLAY_NAME)};

    return corpus_add_user(ingest->corpus, &user, err);
}

static bool keep_link(const struct ingest *ingest, const struct rows_row *row)
{
    return idset_has(&ingest->posts, number_of(row, ROWS_POST_ID)) ||
           idset_has(&ingest->posts, number_of(row, ROWS_RELATED_POST_ID));
}

static bool store_link(struct ingest *ingest, const struct rows_row *row, struct err *err)
{
    struct corpus_link link = {.id = number_of(row, ROWS_ID),
                               .post = number_of(row, ROWS_POST_ID),
                               .related = number_of(row, ROWS_RELATED_POST_ID),
                               .type = number_of(row, ROWS_LINK_TYPE_ID),
                               .created_ms = moment_of(row, ROWS_CREATION_DATE)};

    return corpus_add_link(ingest->corpus, &link, err);
}

/* One table of one source; its absence is an error, for it was asked for. */
static bool read_table(struct ingest *ingest, struct input *input, enum scan_table table,
                       struct table_job *job, struct err *err)
{
    const struct ingest_options *options = ingest->options;
    struct arena arena = {0};
    size_t count = scan_slots(options->threads), member;
    struct table_slot *slots = arena_array(&arena, struct table_slot, count);
    void **pointers = arena_array(&arena, void *, count);
    struct progress progress =
        progress_begin(scan_table_name(table), 0, options->descriptor, options->quiet);
    struct scan_job scan = {.threads = options->threads,
                            .skip_broken = options->skip_broken,
                            .progress = &progress,
                            .context = job,
                            .slots = pointers,
                            .clear = clear_table,
                            .work = work_table,
                            .merge = merge_table};
    struct scan_result result;

    for (size_t i = 0; i < count; i++)
        pointers[i] = &slots[i];
    bool ok = scan_find(input, table, &member, err) &&
              corpus_begin(ingest->corpus, err) &&
              scan_table(input, member, &scan, &result, err) &&
              corpus_commit(ingest->corpus, err);
    progress_end(&progress);
    for (size_t i = 0; i < count; i++)
        buf_free(&slots[i].rows);
    arena_free(&arena);
    return ok;
}

/* The tag counts of Tags.xml against our own. */
static bool keep_tag(const struct ingest *ingest, const struct rows_row *row)
{
    (void)ingest;
    return rows_has(row, ROWS_TAG_NAME);
}

static bool count_tag(struct ingest *ingest, const struct rows_row *row, struct err *err)
{
    int64_t ours, theirs = number_of(row, ROWS_COUNT);
    struct buf sql = {0};
    struct str name = text_of(ingest, row, ROWS_TAG_NAME);

    buf_add(&sql, STR("SELECT ifnull(sum(questions), 0) FROM census WHERE tag = '"));
    for (size_t i = 0; i < name.len; i++) {
        if (name.ptr[i] == '\'')
            buf_add_char(&sql, '\'');
        buf_add_char(&sql, name.ptr[i]);
    }
    buf_add(&sql, STR("'"));
    buf_add_char(&sql, '\0');
    bool ok = corpus_count(ingest->corpus, sql.ptr, &ours, err);
    buf_free(&sql);
    ingest->result->tags_checked++;
    ingest->result->tags_differ += ok && ours != theirs;
    return ok;
}

static bool fill_ids(struct ingest *ingest, struct err *err)
{
    return corpus_ids(ingest->corpus, "SELECT id FROM post", &ingest->posts, err) &&
           corpus_ids(ingest->corpus, "SELECT owner FROM post WHERE owner NOT NULL",
                      &ingest->users, err);
}

static bool read_tables(struct ingest *ingest, struct input *input, struct err *err)
{
    const struct ingest_options *options = ingest->options;
    struct table_job comments = {ingest, keep_comment, store_comment, 0};
    struct table_job users = {ingest, keep_user, store_user, 0};
    struct table_job links = {ingest, keep_link, store_link, 0};
    struct table_job tags = {ingest, keep_tag, count_tag, 0};
    size_t member;

    return (!options->comments ||
            read_table(ingest, input, SCAN_COMMENTS, &comments, err)) &&
           (!options->users || read_table(ingest, input, SCAN_USERS, &users, err)) &&
           (!options->links || read_table(ingest, input, SCAN_POST_LINKS, &links, err)) &&
           (!scan_has(input, SCAN_TAGS, &member) ||
            read_table(ingest, input, SCAN_TAGS, &tags, err));
}

/* What only the stored posts tell, and the numbers for the user. */
static bool finish(struct ingest *ingest, struct err *err)
{
    struct ingest_result *result = ingest->result;
    int64_t negative, unpaired;
    const struct {
        const char *sql;
        int64_t *value;
    } counts[] = {
        {"SELECT count(*) FROM post WHERE type = 1", &result->questions},
        {"SELECT count(*) FROM post WHERE type = 2", &result->answers},
        {"SELECT count(*) FROM comment", &result->comments},
        {"SELECT count(*) FROM user", &result->users},
        {"SELECT count(*) FROM link", &result->links},
        {"SELECT ifnull(sum(questions), 0) FROM census WHERE tag = ''",
         &result->census_questions},
        {"SELECT ifnull(sum(accepted), 0) FROM census WHERE tag = ''",
         &result->census_accepted},
        {"SELECT count(*) FROM post q JOIN post a ON a.id = q.accepted WHERE "
         "a.created_ms < "
         "q.created_ms",
         &negative},
        {"SELECT count(*) FROM post q WHERE q.accepted NOT NULL AND NOT EXISTS (SELECT 1 "
         "FROM "
         "post a WHERE a.id = q.accepted)",
         &unpaired},
    };

    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        if (!corpus_count(ingest->corpus, counts[i].sql, counts[i].value, err))
            return false;
    return corpus_begin(ingest->corpus, err) &&
           set_number(ingest, "", "stored: questions", result->questions, err) &&
           set_number(ingest, "", "stored: answers", result->answers, err) &&
           set_number(ingest, "", "stored: negative waits", negative, err) &&
           set_number(ingest, "", "stored: accepted answers missing", unpaired, err) &&
           set_number(ingest, "", "tags in Tags.xml", result->tags_checked, err) &&
           set_number(ingest, "", "tags whose number of questions differs from Tags.xml",
                      result->tags_differ, err) &&
           corpus_commit(ingest->corpus, err) &&
           corpus_health(ingest->corpus, &result->health, err);
}

/* Where an interrupted ingest had come to. */
static bool load_place(struct ingest *ingest, struct err *err)
{
    struct arena arena = {0};
    struct str packed;
    uint64_t source = 0;
    bool ok = corpus_get_state(ingest->corpus, STR("place"), &arena, &packed, err);

    if (ok && packed.len > sizeof source) {
        memcpy(&source, packed.ptr, sizeof source);
        ok = select_load(&ingest->state, str_slice(packed, sizeof source, packed.len)) ||
             err_set(err, ERR_INPUT, "%s.part: cannot be gone on with; remove it",
                     ingest->options->corpus);
        ingest->source = source;
    }
    arena_free(&arena);
    return ok;
}

static bool read_sources(struct ingest *ingest, struct err *err)
{
    const struct ingest_options *options = ingest->options;
    bool ok = true;

    while (ok && ingest->source < options->source_count) {
        struct input *input;
        ok = input_open(options->sources[ingest->source], &input, err);
        if (ok) {
            ok = read_posts(ingest, input, err);
            input_close(input);
        }
    }
    ok = ok && fill_ids(ingest, err);
    for (size_t i = 0; i < options->source_count && ok; i++) {
        struct input *input;
        ok = input_open(options->sources[i], &input, err);
        if (ok) {
            ok = read_tables(ingest, input, err);
            input_close(input);
        }
    }
    return ok;
}

static void release(struct ingest *ingest)
{
    select_state_free(&ingest->state);
    judge_close(&ingest->judge);
    rows_free(&ingest->walk);
    buf_free(&ingest->padded);
    buf_free(&ingest->packed);
    idset_free(&ingest->posts);
    idset_free(&ingest->users);
    query_free(ingest->query);
}

bool ingest_run(const struct ingest_options *options, struct ingest_result *result,
                struct err *err)
{
    struct ingest ingest = {.options = options, .result = result};
    struct buf key = {0};
    bool ok = false;

    *result = (struct ingest_result){0};
    if (!make_key(options, &key, err))
        goto done;
    if (is_up_to_date(options, buf_str(&key))) {
        result->up_to_date = true;
        ok = true;
        goto done;
    }
    if (!query_compile(options->query, (struct query_options){0}, &ingest.query, err))
        goto done;
    struct query_needs needs = query_needs(options->query);
    judge_open(&ingest.judge, ingest.query, &needs);
    if (!corpus_build(options->corpus, buf_str(&key), &ingest.corpus, &result->resumed,
                      err))
        goto done;
    ok = load_place(&ingest, err) && read_sources(&ingest, err) && finish(&ingest, err);
    if (ok)
        ok = corpus_finish(ingest.corpus, err);
    else
        corpus_close(ingest.corpus);
done:
    release(&ingest);
    buf_free(&key);
    return ok;
}
