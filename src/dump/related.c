/* Threads test rows and write down whom a condition holds for; the calling thread enters
 * that into the sets. */
#include "dump/related.h"

#include "dump/internal.h"
#include "dump/judge.h"
#include "dump/value.h"
#include "query/endorsed.h"
#include "text/thanks.h"

struct dump_related_pass {
    struct query_relations *relations;
    const struct dump_related_job *job;
    enum query_field field; /* relations of this one; QUERY_FIELD_CREATED: the newest */
    enum dump_scan_table table;
    struct query_endorsed endorsed;
    const char *place;
    int64_t newest_ms;
    struct related_slot *shown; /* of rows that are shown one by one */
};

/* The condition of that number holds for the id. Of endorsed answers: a comment that
 * gives thanks, or a post of the kind that matters after those. */
struct related_found {
    size_t number;
    int64_t id;
    enum item_kind kind;
    struct query_endorsed_note note;
};

struct related_slot {
    struct dump_judge *judges; /* of each relation that asks for comments or answers */
    struct buf found;          /* struct related_found */
    struct buf text, work;     /* of a comment */
    int64_t newest_ms;
    struct err err;
};

static void clear_slot(void *context, void *memory)
{
    struct related_slot *slot = memory;

    (void)context;
    buf_clear(&slot->found);
    slot->newest_ms = ITEM_NONE;
    slot->err.kind = ERR_NONE;
}

static void note(struct related_slot *slot, size_t number, int64_t id)
{
    struct related_found found = {.number = number, .id = id};

    buf_add(&slot->found, (struct str){(const char *)&found, sizeof found});
}

static void note_endorsed(struct related_slot *slot, enum item_kind kind,
                          struct query_endorsed_note post)
{
    struct related_found found = {.kind = kind, .note = post};

    buf_add(&slot->found, (struct str){(const char *)&found, sizeof found});
}

static int64_t number_in(const struct dump_rows_row *row,
                         enum dump_rows_attribute attribute)
{
    int64_t value = ITEM_NONE;

    if (dump_rows_has(row, attribute))
        (void)!dump_value_int(row->raw[attribute], &value);
    return value;
}

static int64_t moment_in(const struct dump_rows_row *row)
{
    int64_t ms = ITEM_NONE;

    if (dump_rows_has(row, DUMP_ROWS_CREATION_DATE))
        (void)!dump_value_date(row->raw[DUMP_ROWS_CREATION_DATE], &ms);
    return ms;
}

/* What hangs on `above` is tested by every condition on such. */
static void judge_all(const struct dump_related_pass *pass, struct related_slot *slot,
                      const struct dump_rows_row *row, struct item *item, int64_t above)
{
    const struct query_relations *relations = pass->relations;
    bool meets;

    for (size_t i = 0; i < relations->count && slot->err.kind == ERR_NONE; i++) {
        if (relations->at[i].field != pass->field)
            continue;
        if (pass->field == QUERY_FIELD_ANSWER)
            dump_judge_read(&slot->judges[i], row, item);
        if (dump_judge_post(&slot->judges[i], item, &meets, &slot->err) && meets)
            note(slot, i, above);
    }
}

static void work_post(const struct dump_related_pass *pass, struct related_slot *slot,
                      const struct dump_rows_row *row)
{
    int64_t created_ms = moment_in(row);
    struct item item;

    if (dump_select_is_planted(row) || created_ms >= pass->job->until_ms)
        return;
    if (pass->field == QUERY_FIELD_CREATED) {
        slot->newest_ms = created_ms > slot->newest_ms ? created_ms : slot->newest_ms;
        return;
    }
    int64_t question = number_in(row, DUMP_ROWS_PARENT_ID);
    if (pass->field == QUERY_FIELD_HASENDORSED) {
        struct query_endorsed_note post = {number_in(row, DUMP_ROWS_ID), question,
                                           number_in(row, DUMP_ROWS_OWNER_USER_ID)};
        enum item_kind kind = (enum item_kind)dump_value_post_type(row);
        if (query_endorsed_wants(&pass->endorsed, kind, post.post, post.owner))
            note_endorsed(slot, kind, post);
        return;
    }
    if (dump_value_post_type(row) == ITEM_ANSWER && question != ITEM_NONE)
        judge_all(pass, slot, row, &item, question);
}

static void work_comment(const struct dump_related_pass *pass, struct related_slot *slot,
                         const struct dump_rows_row *row)
{
    struct item item = item_empty();

    item.created_ms = moment_in(row);
    if (item.created_ms >= pass->job->until_ms)
        return;
    item.id = number_in(row, DUMP_ROWS_ID);
    item.kind = ITEM_COMMENT;
    item.parent = number_in(row, DUMP_ROWS_POST_ID);
    item.score = number_in(row, DUMP_ROWS_SCORE);
    item.owner = number_in(row, DUMP_ROWS_USER_ID);
    buf_clear(&slot->text);
    dump_value_decode(dump_rows_raw(row, DUMP_ROWS_TEXT), &slot->text, NULL);
    item.body = buf_str(&slot->text);
    item.form = ITEM_PLAIN;
    if (pass->field == QUERY_FIELD_HASENDORSED) {
        struct query_endorsed_note thanks = {.post = item.parent, .owner = item.owner};
        if (item.owner != ITEM_NONE && text_thanks(item.body, &slot->work))
            note_endorsed(slot, ITEM_COMMENT, thanks);
        return;
    }
    judge_all(pass, slot, row, &item, item.parent);
}

static void work_other(const struct dump_related_pass *pass, struct related_slot *slot,
                       const struct dump_rows_row *row)
{
    const struct query_relations *relations = pass->relations;
    bool user = pass->field == QUERY_FIELD_REPUTATION;
    int64_t value = number_in(row, user ? DUMP_ROWS_REPUTATION : DUMP_ROWS_LINK_TYPE_ID);

    for (size_t i = 0; i < relations->count; i++) {
        const struct query_relation *relation = &relations->at[i];
        if (relation->field == pass->field && value != ITEM_NONE &&
            (user ? value >= relation->min && value <= relation->max
                  : value == DUMP_RELATED_DUPLICATE))
            note(slot, i, number_in(row, user ? DUMP_ROWS_ID : DUMP_ROWS_POST_ID));
    }
}

static void work_row(const struct dump_related_pass *pass, struct related_slot *slot,
                     const struct dump_rows_row *row)
{
    if (pass->table == DUMP_SCAN_POSTS)
        work_post(pass, slot, row);
    else if (pass->table == DUMP_SCAN_COMMENTS)
        work_comment(pass, slot, row);
    else
        work_other(pass, slot, row);
}

static void work(void *context, void *memory, struct dump_rows *rows)
{
    struct related_slot *slot = memory;
    struct dump_rows_row row;

    while (slot->err.kind == ERR_NONE && dump_rows_next(rows, &row))
        work_row(context, slot, &row);
}

static void enter(struct dump_related_pass *pass, const struct related_found *found)
{
    if (pass->field != QUERY_FIELD_HASENDORSED)
        query_relation_add(&pass->relations->at[found->number], found->id);
    else if (found->kind == ITEM_COMMENT)
        query_endorsed_thank(&pass->endorsed, found->note.post, found->note.owner);
    else
        query_endorsed_post(&pass->endorsed, found->kind, found->note);
}

static enum dump_scan_next merge(void *context, void *memory,
                                 const struct dump_scan_part *part, struct err *err)
{
    struct dump_related_pass *pass = context;
    const struct related_slot *slot = memory;
    const struct related_found *found = (const void *)slot->found.ptr;

    (void)part;
    if (slot->err.kind != ERR_NONE) {
        *err = slot->err;
        err_locate(err, "%s: ", pass->place);
        return DUMP_SCAN_FAIL;
    }
    for (size_t i = 0; i < slot->found.len / sizeof *found; i++)
        enter(pass, &found[i]);
    if (slot->newest_ms > pass->newest_ms)
        pass->newest_ms = slot->newest_ms;
    return DUMP_SCAN_GO_ON;
}

static struct dump_judge *open_judges(const struct dump_related_pass *pass,
                                      struct arena *arena)
{
    const struct query_relations *relations = pass->relations;
    struct dump_judge *judges = arena_array(arena, struct dump_judge, relations->count);

    for (size_t i = 0; i < relations->count; i++)
        if (relations->at[i].asked != NULL) {
            dump_judge_open(&judges[i], relations->at[i].asked, &relations->at[i].needs);
            judges[i].newest_ms = pass->newest_ms;
        }
    return judges;
}

static void close_slot(struct related_slot *slot, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (slot->judges[i].query != NULL)
            dump_judge_close(&slot->judges[i]);
    buf_free(&slot->found);
    buf_free(&slot->text);
    buf_free(&slot->work);
}

static bool read_table(struct dump_related_pass *pass, struct input *input, size_t member,
                       struct err *err)
{
    const struct dump_related_job *job = pass->job;
    struct arena arena = {0};
    size_t count = dump_scan_slots(job->threads);
    struct related_slot *slots = arena_array(&arena, struct related_slot, count);
    void **pointers = arena_array(&arena, void *, count);
    struct dump_scan_job scan = {.threads = job->threads,
                                 .skip_broken = job->skip_broken,
                                 .progress = job->progress,
                                 .context = pass,
                                 .slots = pointers,
                                 .clear = clear_slot,
                                 .work = work,
                                 .merge = merge};
    struct dump_scan_result result = {0};

    pass->place = input_member(input, member)->place;
    for (size_t i = 0; i < count; i++) {
        slots[i].judges = open_judges(pass, &arena);
        pointers[i] = &slots[i];
    }
    bool ok = dump_scan_table(input, member, &scan, &result, err);
    for (size_t i = 0; i < count; i++)
        close_slot(&slots[i], pass->relations->count);
    arena_free(&arena);
    return ok;
}

/* Of a single file there is nothing to choose from: it can only be the posts. */
static bool find_table(struct input *input, enum dump_scan_table table, struct str field,
                       size_t *member, struct err *err)
{
    if (table != DUMP_SCAN_POSTS && input_count(input) == 1 &&
        !dump_scan_has(input, table, member))
        return err_set(err, ERR_INPUT,
                       "%s: %.*s: asks for %s.xml, which is not in this file; give the "
                       "folder or the archive that holds both",
                       input_member(input, 0)->place, STR_ARG(field),
                       dump_scan_table_name(table));
    return dump_scan_find(input, table, member, err) ||
           err_at(err, "%.*s: asks for %s.xml: ", STR_ARG(field),
                  dump_scan_table_name(table));
}

/* Has each table read that a relation asks for. */
static bool find_all(struct dump_related_pass *pass, dump_related_read *read,
                     void *context, struct err *err)
{
    static const struct {
        enum query_field field;
        enum dump_scan_table table;
        enum item_also also; /* ITEM_ALSO: needs none */
    } tables[] = {
        {QUERY_FIELD_CREATED, DUMP_SCAN_POSTS, ITEM_ALSO},
        {QUERY_FIELD_REPUTATION, DUMP_SCAN_USERS, ITEM_ALSO_USERS},
        {QUERY_FIELD_DUPLICATE, DUMP_SCAN_POST_LINKS, ITEM_ALSO_LINKS},
        {QUERY_FIELD_HASENDORSED, DUMP_SCAN_COMMENTS, ITEM_ALSO_COMMENTS},
        {QUERY_FIELD_HASENDORSED, DUMP_SCAN_POSTS, ITEM_ALSO_COMMENTS},
        {QUERY_FIELD_COMMENT, DUMP_SCAN_COMMENTS, ITEM_ALSO_COMMENTS},
        {QUERY_FIELD_ANSWER, DUMP_SCAN_POSTS, ITEM_ALSO},
    };

    for (size_t i = 0; i < ROWS_OF(tables); i++) {
        pass->field = tables[i].field;
        pass->table = tables[i].table;
        bool asked = pass->field == QUERY_FIELD_CREATED
                         ? pass->job->newest
                         : query_relations_ask(pass->relations, pass->field);
        if (asked &&
            (tables[i].also == ITEM_ALSO || pass->job->also >> tables[i].also & 1) &&
            !read(context, pass, pass->table, pass->field, err))
            return false;
    }
    return true;
}

static bool find(struct dump_related_pass *pass, dump_related_read *read, void *context,
                 struct err *err)
{
    bool ok = find_all(pass, read, context, err);

    if (ok) {
        query_endorsed_sort(&pass->endorsed);
        query_endorsed_tell(&pass->endorsed, pass->relations);
    }
    query_endorsed_free(&pass->endorsed);
    return ok;
}

/* --- in a dump --- */

static bool read_member(void *context, struct dump_related_pass *pass,
                        enum dump_scan_table table, enum query_field field,
                        struct err *err)
{
    size_t member;

    return find_table(context, table, query_field_name(field), &member, err) &&
           read_table(pass, context, member, err);
}

bool dump_related_find(struct input *input, struct query_relations *relations,
                       const struct dump_related_job *job, int64_t *newest_ms,
                       struct err *err)
{
    struct dump_related_pass pass = {
        .relations = relations, .job = job, .newest_ms = ITEM_NONE};

    if (!find(&pass, read_member, input, err))
        return false;
    *newest_ms = pass.newest_ms;
    return true;
}

/* --- in rows that are shown --- */

struct related_showing {
    dump_related_read *read;
    void *context;
};

static bool show_rows(void *context, struct dump_related_pass *pass,
                      enum dump_scan_table table, enum query_field field, struct err *err)
{
    const struct related_showing *showing = context;
    struct arena arena = {0};
    struct related_slot slot = {.judges = open_judges(pass, &arena)};

    pass->shown = &slot;
    bool ok = showing->read(showing->context, pass, table, field, err);
    close_slot(&slot, pass->relations->count);
    arena_free(&arena);
    return ok;
}

bool dump_related_show(struct dump_related_pass *pass, const struct dump_rows_row *row,
                       struct err *err)
{
    clear_slot(NULL, pass->shown);
    work_row(pass, pass->shown, row);
    return merge(pass, pass->shown, NULL, err) == DUMP_SCAN_GO_ON;
}

bool dump_related_ask(struct query_relations *relations,
                      const struct dump_related_job *job, const char *place,
                      int64_t newest_ms, dump_related_read *read, void *context,
                      struct err *err)
{
    struct dump_related_pass pass = {
        .relations = relations, .job = job, .place = place, .newest_ms = newest_ms};
    struct related_showing showing = {read, context};

    return find(&pass, show_rows, &showing, err);
}
