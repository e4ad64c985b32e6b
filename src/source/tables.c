/* Posts or rows from tables: csv and json. A source of them is read in one transaction;
 * its files are gone over once more when an answer came before its question. */
#include "base/date.h"
#include "base/stop.h"
#include "dump/table.h"
#include "source/dates.h"

enum { STOP_POSTS = 1000 }; /* between two looks at whether to end */

struct tables_reading {
    struct source_intake *intake;
    struct idset questions; /* that are in the corpus */
    struct idset ids;       /* of the posts of this source */
    struct arena arena;
    struct map keys;        /* the same of those whose key is text */
    struct idset accepted;  /* answers that its questions have accepted */
    struct buf late;        /* struct dump_select_late */
    struct buf early;       /* questions of answers that came before them, if at all */
    struct idset early_ids; /* the same as a set */
    bool second;            /* only those answers are looked for */
    struct dump_select_health health;
    struct dump_tally tally;
    struct progress progress;
    int64_t posts; /* seen so far */
    struct buf places, hashes;
    struct dump_field_broken broken;
    int64_t latin; /* rows that are not UTF-8 */
    struct source_dates dates;
    struct str *fields;     /* of a row that is dated */
    struct buf bounds;      /* texts of its last two */
    int64_t dated, outside; /* rows */
    size_t broken_path; /* of the source's paths: the one that the first of them is in */
};

static void free_reading(struct tables_reading *reading)
{
    idset_free(&reading->questions);
    idset_free(&reading->ids);
    idset_free(&reading->accepted);
    idset_free(&reading->early_ids);
    buf_free(&reading->early);
    buf_free(&reading->late);
    buf_free(&reading->places);
    buf_free(&reading->hashes);
    buf_free(&reading->bounds);
    source_dates_free(&reading->dates);
    dump_tally_free(&reading->tally);
    arena_free(&reading->arena);
}

static bool is_late(const struct tables_reading *reading, const struct item *post)
{
    return post->created_ms != ITEM_NONE &&
           post->created_ms >= reading->intake->source->until_ms;
}

static void note_late(struct tables_reading *reading, const struct item *answer)
{
    struct dump_select_late late = {answer->id, answer->parent};

    buf_add(&reading->late, (struct str){(const char *)&late, sizeof late});
}

static void note_post(struct tables_reading *reading, const struct item *post)
{
    struct dump_select_health *health = &reading->health;

    health->questions += post->kind == ITEM_QUESTION;
    health->answers += post->kind == ITEM_ANSWER;
    health->others += post->kind != ITEM_QUESTION && post->kind != ITEM_ANSWER;
    health->no_date += post->created_ms == ITEM_NONE;
    if (post->created_ms != ITEM_NONE) {
        if (health->first_ms == ITEM_NONE || post->created_ms < health->first_ms)
            health->first_ms = post->created_ms;
        if (health->last_ms == ITEM_NONE || post->created_ms > health->last_ms)
            health->last_ms = post->created_ms;
    }
    if (post->kind != ITEM_QUESTION)
        return;
    health->accepted += post->accepted != ITEM_NONE;
    health->tags_missing += post->tags.len == 0;
    if (post->accepted > 0)
        idset_add(&reading->accepted, post->accepted);
    if (reading->intake->count_tables)
        dump_tally_add(&reading->tally, post);
}

static bool store(struct tables_reading *reading, const struct item *post,
                  struct err *err)
{
    struct source_intake *intake = reading->intake;
    struct item stored = *post;

    if (post->kind != ITEM_ANSWER)
        stored.parent = ITEM_NONE;
    return source_intake_store(intake, &stored,
                               source_intake_code_blocks(&intake->judge, post), err);
}

/* An answer comes along with its question, if that is stored by now. */
static bool take_answer(struct tables_reading *reading, const struct item *post,
                        struct err *err)
{
    int64_t question = post->parent;

    if (idset_has(&reading->questions, question))
        return store(reading, post, err);
    if (question == ITEM_NONE) {
        reading->health.orphans++;
        return true;
    }
    idset_add(&reading->early_ids, question);
    buf_add(&reading->early, (struct str){(const char *)&question, sizeof question});
    return true;
}

static bool take_item(struct tables_reading *reading, const struct item *post,
                      struct err *err)
{
    struct source_intake *intake = reading->intake;
    bool meets = true;

    if (post->kind != ITEM_ROW && !dump_judge_post(&intake->judge, post, &meets, err))
        return err_at(err, "%s: ", intake->source->paths[intake->path_number]);
    if (!meets)
        return true;
    if (post->kind == ITEM_QUESTION)
        idset_add(&reading->questions, post->id);
    return store(reading, post, err);
}

static bool is_new(struct tables_reading *reading, const struct item *post)
{
    return post->key.len > 0 ? (*map_put(&reading->keys, post->key))++ == 0
                             : idset_add(&reading->ids, post->id);
}

/* The row with its date and, behind its other fields, the bounds of it. */
static void date_row(struct tables_reading *reading, struct item *row)
{
    const struct source_ingest_source *source = reading->intake->source;
    size_t count = source->field_count - 2, of = 0;
    struct source_dates_found found;

    for (size_t i = 0; i < count; i++) {
        reading->fields[i] = row->extra[i];
        of = str_eq(source->fields[i].name, source->dates_of) ? i : of;
    }
    row->extra = reading->fields;
    reading->fields[count] = reading->fields[count + 1] = (struct str){0};
    if (row->created_ms != ITEM_NONE)
        return;
    int64_t number = source_dates_number(reading->fields[of]);
    if (number == ITEM_NONE)
        return;
    if (!source_dates_find(&reading->dates, number, &found)) {
        reading->outside++;
        return;
    }
    reading->dated++;
    row->created_ms = found.ms;
    buf_clear(&reading->bounds);
    date_add(&reading->bounds, found.earliest_ms);
    size_t half = reading->bounds.len;
    date_add(&reading->bounds, found.latest_ms);
    reading->fields[count] = str_slice(buf_str(&reading->bounds), 0, half);
    reading->fields[count + 1] =
        str_slice(buf_str(&reading->bounds), half, reading->bounds.len);
}

static bool take(void *context, const struct item *given, struct err *err)
{
    struct tables_reading *reading = context;
    struct item post = *given;

    if (++reading->posts % STOP_POSTS == 0 && !stop_check(err))
        return false;
    progress_add(&reading->progress, 0, 1);
    if (reading->fields != NULL)
        date_row(reading, &post);
    if (post.kind == ITEM_NONE) /* all that the table says is that there is a post */
        post.kind = ITEM_QUESTION;
    if (reading->second)
        return post.kind != ITEM_ANSWER || is_late(reading, &post) ||
               !idset_has(&reading->early_ids, post.parent) ||
               !idset_has(&reading->questions, post.parent) || store(reading, &post, err);
    if (is_late(reading, &post)) {
        reading->health.late++;
        if (post.kind == ITEM_ANSWER)
            note_late(reading, &post);
        return true;
    }
    if (!is_new(reading, &post)) {
        reading->health.duplicates++;
        return true;
    }
    note_post(reading, &post);
    if (post.kind == ITEM_ANSWER)
        return take_answer(reading, &post, err);
    return (post.kind != ITEM_QUESTION && post.kind != ITEM_ROW) ||
           take_item(reading, &post, err);
}

static bool read_member(struct tables_reading *reading, struct input *input,
                        const struct dump_table_options *how, struct err *err)
{
    struct source_intake *intake = reading->intake;
    const struct input_member *member = input_member(input, 0);
    char digits[SOURCE_INTAKE_HASH_DIGITS + 1];
    uint64_t hash[2];
    struct dump_table *table;

    if (!dump_table_open(member->place, how, take, reading, &table, err))
        return false;
    bool ok = dump_table_read_member(table, input, 0, intake->options->threads,
                                     reading->second ? NULL : hash, err);
    dump_table_close(table);
    if (!ok || reading->second)
        return ok;
    struct arena arena = {0};
    struct str place =
        source_intake_shown(intake->source, intake->path_number, member->place, &arena);
    buf_add_format(&reading->places, "%s%.*s", reading->places.len > 0 ? ", " : "",
                   STR_ARG(place));
    arena_free(&arena);
    buf_add_format(&reading->hashes, "%s%s", reading->hashes.len > 0 ? ", " : "",
                   source_intake_hash_text(hash, digits).ptr);
    return source_intake_file(intake, member->path, DUMP_SCAN_POSTS, hash, err);
}

/* Goes over the files of the source. */
static bool read_paths(struct tables_reading *reading, struct err *err)
{
    struct source_intake *intake = reading->intake;
    const struct source_ingest_source *source = intake->source;
    struct arena arena = {0};
    struct str *extra = arena_array(&arena, struct str, source->field_count);
    struct dump_field_broken again = {0}; /* those that are counted already */
    struct dump_table_options how = {.mapping = source->mapping,
                                     .extra = extra,
                                     .extra_count = source->field_count -
                                                    (source->dates_count > 0 ? 2 : 0),
                                     .rows = source->kind == &source_rows};
    bool ok = true;

    for (size_t i = 0; i < source->field_count; i++)
        extra[i] = source->fields[i].column;
    if (!reading->second)
        how.latin = &reading->latin;
    if (intake->options->skip_broken)
        how.broken = reading->second ? &again : &reading->broken;
    for (size_t i = 0; i < source->path_count && ok; i++) {
        struct input *input = NULL;
        intake->path_number = i;
        how.first_id = reading->posts + 1;
        ok = input_open(source->paths[i], &input, err) &&
             (input_count(input) == 1 ||
              err_set(err, ERR_INPUT, "%s: has %zu files, expected one table",
                      source->paths[i], input_count(input))) &&
             read_member(reading, input, &how, err);
        input_close(input);
        if (reading->broken.count == 0)
            reading->broken_path = i + 1;
    }
    arena_free(&arena);
    return ok;
}

/* Of the answers whose question was not there: is it by now? */
static bool any_came_later(struct tables_reading *reading)
{
    const int64_t *early = (const void *)reading->early.ptr;
    bool later = false;

    for (size_t i = 0; i < reading->early.len / sizeof *early; i++) {
        later = later || idset_has(&reading->questions, early[i]);
        reading->health.orphans += !idset_has(&reading->ids, early[i]);
    }
    return later;
}

static bool store_broken(struct tables_reading *reading, struct err *err)
{
    const struct source_ingest_source *source = reading->intake->source;
    struct arena arena = {0};
    struct str first = {0};

    if (reading->broken.count > 0)
        first = source_intake_shown(source, reading->broken_path,
                                    reading->broken.first.text, &arena);
    bool ok = source_intake_broken(reading->intake, reading->broken.count, first, err);
    arena_free(&arena);
    return ok;
}

static bool keep_findings(struct tables_reading *reading, struct err *err)
{
    struct source_intake *intake = reading->intake;
    struct dump_select_health *health = &reading->health;

    intake->path_number = 0;
    if (!store_broken(reading, err) ||
        (reading->latin > 0 &&
         !source_intake_number(intake, "rows that are not UTF-8, taken for Windows-1252",
                               reading->latin, err)))
        return false;
    const struct dump_select_late *late = (const void *)reading->late.ptr;
    for (size_t i = 0; i < reading->late.len / sizeof *late; i++)
        idset_add(&reading->ids, late[i].answer); /* left out, but there */
    health->accepted_missing = idset_missing(&reading->accepted, &reading->ids);
    if (intake->source->dates_count > 0 &&
        !(source_intake_number(intake, "rows dated by the numbers of their posts",
                               reading->dated, err) &&
          source_intake_number(intake, "rows outside of the dated posts",
                               reading->outside, err) &&
          source_intake_number(
              intake, "dated posts passed over, older than one with a lower number",
              reading->dates.older, err)))
        return false;
    if (intake->source->kind == &source_rows)
        return store_note_span(intake->corpus, intake->source_number,
                               (struct store_span){health->first_ms, health->last_ms},
                               err) &&
               source_intake_number(intake, "rows", health->others, err) &&
               source_intake_number(intake, "repeated ids", health->duplicates, err) &&
               source_intake_number(intake, "rows after the end of the study",
                                    health->late, err);
    return source_intake_census(intake, &reading->tally, err) &&
           source_intake_health(intake, health, err);
}

/* Most likely the wrong file, and never a study. */
static bool no_rows(const struct source_intake *intake, struct err *err)
{
    return err_set(err, ERR_INPUT, "%s: has no rows", intake->source->paths[0]);
}

static bool read_dates(struct tables_reading *reading, struct err *err)
{
    const struct source_ingest_source *source = reading->intake->source;

    if (source->dates_count == 0)
        return true;
    reading->fields = arena_array(&reading->arena, struct str, source->field_count);
    return source_dates_read(reading->intake, &reading->dates, err);
}

static bool take_tables(struct source_intake *intake, struct err *err)
{
    const struct source_ingest_options *options = intake->options;
    struct tables_reading reading = {
        .intake = intake,
        .health = {.first_ms = ITEM_NONE, .last_ms = ITEM_NONE},
        .progress =
            progress_begin("reading tables", 0, options->descriptor, options->quiet)};

    reading.keys.arena = &reading.arena;
    bool ok = store_question_ids(intake->corpus, intake->source->space,
                                 &reading.questions, err) &&
              store_begin(intake->corpus, err) && read_dates(&reading, err) &&
              read_paths(&reading, err);

    if (ok && any_came_later(&reading)) {
        reading.second = true;
        ok = read_paths(&reading, err);
    }
    progress_end(&reading.progress);
    ok = ok && (reading.posts > 0 || no_rows(intake, err)) &&
         source_intake_late(intake, buf_str(&reading.late), &reading.questions, err) &&
         keep_findings(&reading, err) &&
         source_intake_text(intake, "file", buf_str(&reading.places), err) &&
         source_intake_text(intake, "file's hash (XXH3, 128 bits)",
                            buf_str(&reading.hashes), err) &&
         source_intake_step_done(intake, err);
    free_reading(&reading);
    return ok;
}

const char source_posts_help[] =
    "Posts in a csv (as the Data Explorer exports it, or any other with `columns`), "
    "in json lines, or as the Stack Exchange api answers.";

const struct source_kind source_posts = {
    .key = "posts",
    .stored = "posts",
    .called = "posts",
    .in_prose = "the posts of",
    .packaged = "posts",
    .path_is = "file",
    .expected = "posts as csv or json",
    .site = true,
    .host = "stackoverflow.com",
    .way = "/q/",
    .columns = true,
    .all = true,
    .add_members = source_intake_add_members,
    .take = take_tables,
};

const char source_rows_help[] =
    "A csv whose every row is an item of its own, such as the labelled bugs of a "
    "study; all its rows are taken, but of those with the same id only the first: the "
    "others are counted on standard error and in out/health.md. It has no title, "
    "body or number of a post unless `columns` says which columns they are.";

const struct source_kind source_rows = {
    .key = "rows",
    .stored = "rows",
    .called = "rows",
    .text_keys = true,
    .in_prose = "the rows of",
    .packaged = "rows of a table",
    .path_is = "file",
    .expected = "a csv whose rows are items",
    .columns = true,
    .only_columns = true,
    .all = true,
    .add_members = source_intake_add_members,
    .take = take_tables,
};
