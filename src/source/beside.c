/* Conditions that the engine can test are put to it; whatever comes is tested once more
 * as a row of a dump would be. */
#include "source/beside.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "base/stop.h"
#include "dump/related.h"
#include "source/hanging.h"

enum {
    BLOCK_ROWS = 4000000, /* asked for at once */
    CHUNK_IDS = 20000,    /* posts or people whose rows are asked for at once */
    ATTRIBUTES_MAX = 12,
};

/* A table of the engine, whose rows become those of a dump. */
struct beside {
    struct engine_rows rows;
    struct engine_wanted wanted[ATTRIBUTES_MAX];
    enum dump_rows_attribute attributes[ATTRIBUTES_MAX]; /* the first is the Id */
    size_t count;
    struct arena arena;
    struct buf text; /* of the row at hand, as XML has it */
};

static void want(struct beside *beside, enum dump_rows_attribute attribute)
{
    static const enum dump_rows_attribute texts[] = {
        DUMP_ROWS_TEXT, DUMP_ROWS_BODY, DUMP_ROWS_NAME, DUMP_ROWS_DISPLAY_NAME};
    static const enum dump_rows_attribute zeros[] = {
        DUMP_ROWS_ID, DUMP_ROWS_SCORE, DUMP_ROWS_REPUTATION, DUMP_ROWS_COMMENT_COUNT};
    struct str name = dump_rows_attribute_name(attribute);
    char *small = arena_c_string(&beside->arena, name);
    struct engine_wanted *wanted = &beside->wanted[beside->count];

    for (char *c = small; *c != '\0'; c++)
        *c = (char)tolower((unsigned char)*c);
    wanted->name = str_from(small);
    wanted->is = str_ends(name, STR("Date")) ? ENGINE_IS_MOMENT
                 : str_ends(name, STR("Id")) && !str_ends(name, STR("UserId"))
                     ? ENGINE_IS_KEY
                     : ENGINE_IS_WHOLE;
    for (size_t i = 0; i < ROWS_OF(texts); i++)
        if (texts[i] == attribute)
            wanted->is = ENGINE_IS_TEXT;
    for (size_t i = 0; i < ROWS_OF(zeros); i++)
        wanted->zero |= zeros[i] == attribute;
    beside->attributes[beside->count++] = attribute;
}

static size_t place_of(const struct beside *beside, enum dump_rows_attribute attribute)
{
    size_t i = 0;

    while (beside->attributes[i] != attribute)
        i++;
    return i;
}

static bool open_beside(struct beside *beside, struct engine *engine,
                        enum dump_scan_table table, struct err *err)
{
    char *name = arena_c_string(&beside->arena, str_from(dump_scan_table_name(table)));

    for (char *c = name; *c != '\0'; c++)
        *c = (char)tolower((unsigned char)*c);
    return engine_rows_open(engine, name, beside->wanted, beside->count, &beside->arena,
                            &beside->rows, err);
}

static bool check_there(const struct beside *beside, struct err *err)
{
    return beside->rows.there ||
           err_set(err, ERR_INPUT, "there is no table %.*s, which `also` asks for",
                   STR_ARG(beside->rows.posts.table));
}

static void close_beside(struct beside *beside)
{
    buf_free(&beside->text);
    arena_free(&beside->arena);
}

/* The row as a dump would have it; it lasts until the next. */
static void read_row(struct beside *beside, const struct str *values,
                     struct dump_rows_row *row)
{
    size_t ends[ATTRIBUTES_MAX], begin = 0;

    *row = (struct dump_rows_row){0};
    buf_clear(&beside->text);
    for (size_t i = 0; i < beside->count; i++) {
        buf_add_xml(&beside->text, values[i]);
        ends[i] = beside->text.len;
    }
    memset(buf_reserve(&beside->text, DUMP_ROWS_PADDING), 0, DUMP_ROWS_PADDING);
    row->bytes = buf_str(&beside->text);
    for (size_t i = 0; i < beside->count; begin = ends[i++])
        if (values[i].ptr != NULL) {
            row->present |= UINT64_C(1) << beside->attributes[i];
            row->raw[beside->attributes[i]] = str_slice(row->bytes, begin, ends[i]);
        }
}

/* Goes through all rows that the filter lets through. */
static bool read_blocks(struct beside *beside, const struct engine_filter *filter,
                        engine_take_row *take, void *context, struct err *err)
{
    struct engine_blocks blocks = {0};
    bool ok = engine_rows_blocks(&beside->rows, filter, BLOCK_ROWS, &blocks, err);

    for (size_t i = 0; ok && i < blocks.at.count; i++)
        ok = stop_check(err) && engine_rows_block(&beside->rows, blocks.at.at[i], filter,
                                                  take, context, err);
    engine_blocks_free(&blocks);
    return ok;
}

/* --- what is around a post --- */

struct relating {
    struct source_intake *intake;
    struct engine *engine;
};

struct related_rows {
    struct beside beside;
    struct dump_related_pass *pass;
};

static bool show_row(void *context, const struct str *values, struct err *err)
{
    struct related_rows *rows = context;
    struct dump_rows_row row;

    read_row(&rows->beside, values, &row);
    return dump_related_show(rows->pass, &row, err);
}

static void want_related(struct beside *beside, enum dump_scan_table table,
                         enum query_field field)
{
    static const enum dump_rows_attribute posts[] = {
        DUMP_ROWS_ID, DUMP_ROWS_POST_TYPE_ID, DUMP_ROWS_PARENT_ID,
        DUMP_ROWS_OWNER_USER_ID, DUMP_ROWS_CREATION_DATE,
        /* for conditions on answers: */
        DUMP_ROWS_SCORE, DUMP_ROWS_COMMENT_COUNT, DUMP_ROWS_LAST_ACTIVITY_DATE,
        DUMP_ROWS_COMMUNITY_OWNED_DATE, DUMP_ROWS_BODY};
    size_t count = field == QUERY_FIELD_ANSWER ? ROWS_OF(posts) : 5;

    for (size_t i = 0; table == DUMP_SCAN_POSTS && i < count; i++)
        want(beside, posts[i]);
    for (size_t i = 0; i < SOURCE_HANGING_TABLES; i++)
        for (size_t c = 0; source_hanging_tables[i].table == table &&
                           source_hanging_tables[i].columns[c].is != SOURCE_HANGING_END;
             c++)
            want(beside, source_hanging_tables[i].columns[c].attribute);
}

/* What of the table the relations can hold for, as far as the engine can say it. */
static void fill_filter(const struct beside *beside, enum query_field field,
                        const struct query_relations *relations, struct arena *arena,
                        struct engine_filter *out)
{
    const struct query_node **queries =
        arena_array(arena, const struct query_node *, relations->count);

    *out = (struct engine_filter){.min = INT64_MAX, .max = INT64_MIN, .queries = queries};
    for (size_t i = 0; i < relations->count; i++) {
        const struct query_relation *relation = &relations->at[i];
        if (relation->field != field)
            continue;
        if (relation->node != NULL)
            queries[out->query_count++] = relation->node;
        if (relation->min < out->min)
            out->min = relation->min;
        if (relation->max > out->max)
            out->max = relation->max;
    }
    switch (field) {
    case QUERY_FIELD_REPUTATION:
        out->column = place_of(beside, DUMP_ROWS_REPUTATION);
        break;
    case QUERY_FIELD_DUPLICATE:
        out->column = place_of(beside, DUMP_ROWS_LINK_TYPE_ID);
        out->min = out->max = DUMP_RELATED_DUPLICATE;
        break;
    case QUERY_FIELD_ANSWER:
        out->column = place_of(beside, DUMP_ROWS_POST_TYPE_ID);
        out->min = out->max = ITEM_ANSWER;
        break;
    default:
        break;
    }
}

static bool read_related(void *context, struct dump_related_pass *pass,
                         enum dump_scan_table table, enum query_field field,
                         struct err *err)
{
    const struct relating *relating = context;
    struct related_rows rows = {.pass = pass};
    struct engine_filter filter;

    want_related(&rows.beside, table, field);
    bool ok = open_beside(&rows.beside, relating->engine, table, err) &&
              check_there(&rows.beside, err);
    if (ok) {
        fill_filter(&rows.beside, field, relating->intake->relations, &rows.beside.arena,
                    &filter);
        ok = read_blocks(&rows.beside, &filter, show_row, &rows, err);
    }
    close_beside(&rows.beside);
    return ok;
}

bool source_beside_related(struct source_intake *intake, struct engine *engine,
                           int64_t newest_ms, struct err *err)
{
    struct dump_related_job job = {.also = intake->source->also,
                                   .until_ms = intake->source->until_ms};
    struct relating relating = {intake, engine};

    return dump_related_ask(intake->relations, &job,
                            intake->source->paths[intake->path_number], newest_ms,
                            read_related, &relating, err);
}

/* --- what hangs on posts --- */

struct hanging_rows {
    struct beside beside;
    struct source_hanging hanging;
    const struct source_hanging_table *table;
};

static bool store_row(void *context, const struct str *values, struct err *err)
{
    struct hanging_rows *rows = context;
    struct dump_rows_row row;
    int64_t id;

    read_row(&rows->beside, values, &row);
    return !dump_judge_read_id(&row, &id) ||
           !source_hanging_keeps(rows->table, rows->hanging.intake, &row) ||
           source_hanging_store(&rows->hanging, rows->table, &row, err);
}

/* Of few posts or people their rows are asked for by name. */
static bool read_named(struct hanging_rows *rows, const struct idset *ids,
                       enum dump_rows_attribute by, struct err *err)
{
    int64_t highest = idset_highest(ids);
    bool ok = true;

    for (int64_t from = 0, end; ok && from <= highest; from = end)
        ok = stop_check(err) &&
             engine_rows_of(&rows->beside.rows, place_of(&rows->beside, by), ids, from,
                            highest, CHUNK_IDS, &end, store_row, rows, err);
    return ok;
}

static bool read_hanging(struct hanging_rows *rows, int64_t rows_there, struct err *err)
{
    const struct source_intake *intake = rows->hanging.intake;
    const struct idset *ids = rows->table->of_users ? &intake->users : &intake->posts;
    struct engine_filter all = {0};

    if (ids->ids > (rows_there / BLOCK_ROWS + 1) * CHUNK_IDS)
        return read_blocks(&rows->beside, &all, store_row, rows, err);
    return read_named(rows, ids, rows->table->by, err) &&
           (rows->table->becomes != STORE_LINK ||
            read_named(rows, ids, DUMP_ROWS_RELATED_POST_ID, err));
}

static bool store_table(struct source_intake *intake, struct engine *engine,
                        const struct source_hanging_table *table, struct err *err)
{
    struct hanging_rows rows = {.hanging.intake = intake, .table = table};
    int64_t state[ENGINE_ROWS_STATE];
    uint64_t hash[2] = {0};

    want_related(&rows.beside, table->table, QUERY_FIELD_CREATED);
    bool ok = open_beside(&rows.beside, engine, table->table, err) &&
              check_there(&rows.beside, err) &&
              engine_rows_state(&rows.beside.rows, state, err) &&
              store_begin(intake->corpus, err) &&
              read_hanging(&rows, state[ENGINE_ROWS_COUNT], err) &&
              engine_rows_hash(&rows.beside.rows, &hash[0], err);
    hash[1] = ok ? (uint64_t)state[ENGINE_ROWS_COUNT] : 0;
    ok = ok && source_hanging_findings(&rows.hanging, table->table, 0, err) &&
         source_intake_file(intake, intake->source->paths[intake->path_number],
                            table->table, hash, err) &&
         store_commit(intake->corpus, err);
    buf_free(&rows.hanging.decoded);
    close_beside(&rows.beside);
    return ok;
}

bool source_beside_store(struct source_intake *intake, struct engine *engine,
                         struct err *err)
{
    for (size_t i = 0; i < SOURCE_HANGING_TABLES; i++)
        if (source_hanging_tables[i].also < ITEM_ALSO &&
            intake->source->also >> source_hanging_tables[i].also & 1 &&
            !store_table(intake, engine, &source_hanging_tables[i], err))
            return false;
    return true;
}

bool source_beside_state(struct engine *engine, struct buf *key, struct err *err)
{
    bool ok = true;

    for (size_t i = 0; i < SOURCE_HANGING_TABLES && ok; i++) {
        const struct source_hanging_table *table = &source_hanging_tables[i];
        struct beside beside = {0};
        int64_t state[ENGINE_ROWS_STATE];
        if (table->also == ITEM_ALSO)
            continue;
        want_related(&beside, table->table, QUERY_FIELD_CREATED);
        ok = open_beside(&beside, engine, table->table, err) &&
             (!beside.rows.there || engine_rows_state(&beside.rows, state, err));
        if (ok && beside.rows.there) {
            buf_add_format(key, "  %s", dump_scan_table_name(table->table));
            for (size_t s = 0; s < ENGINE_ROWS_STATE; s++)
                buf_add_format(key, " %" PRId64, state[s]);
            buf_add_char(key, '\n');
        }
        close_beside(&beside);
    }
    return ok;
}
