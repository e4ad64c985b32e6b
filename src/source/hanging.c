/* Which rows of which table are wanted, and what is stored of them. */
#include "source/hanging.h"

#include <string.h>

#include "dump/value.h"

int64_t source_hanging_number(const struct dump_rows_row *row,
                              enum dump_rows_attribute attribute)
{
    int64_t value = ITEM_NONE;

    if (dump_rows_has(row, attribute))
        (void)!dump_value_int(row->raw[attribute], &value);
    return value;
}

/* The same for what is stored: a value that is no number is counted. */
static int64_t stored_number(struct source_hanging *hanging,
                             const struct dump_rows_row *row,
                             enum dump_rows_attribute attribute)
{
    int64_t value = source_hanging_number(row, attribute);

    if (value == ITEM_NONE && dump_rows_has(row, attribute))
        dump_judge_doubt(&hanging->doubts, row, attribute, "row");
    return value;
}

/* A number that names something of the source: an item, a user, the row itself. */
static int64_t id_of(struct source_hanging *hanging, const struct dump_rows_row *row,
                     enum dump_rows_attribute attribute)
{
    int64_t number = stored_number(hanging, row, attribute);

    if (number != ITEM_NONE &&
        (number <= -ITEM_NUMBER_MAX || number >= ITEM_NUMBER_MAX)) {
        dump_judge_doubt(&hanging->doubts, row, attribute, "row");
        number = ITEM_NONE;
    }
    return item_id(hanging->intake->source->space, number);
}

static int64_t moment_of(struct source_hanging *hanging, const struct dump_rows_row *row,
                         enum dump_rows_attribute attribute)
{
    int64_t value = ITEM_NONE;

    if (dump_rows_has(row, attribute) && !dump_value_date(row->raw[attribute], &value))
        dump_judge_doubt(&hanging->doubts, row, attribute, "row");
    return value;
}

struct str source_hanging_text(struct source_hanging *hanging,
                               const struct dump_rows_row *row,
                               enum dump_rows_attribute attribute)
{
    struct str raw = dump_rows_raw(row, attribute);

    buf_clear(&hanging->decoded);
    hanging->doubts.replaced += dump_value_decode(raw, &hanging->decoded, NULL);
    return buf_str(&hanging->decoded);
}

static bool is_late(const struct source_hanging *hanging, int64_t ms)
{
    return ms != ITEM_NONE && ms >= hanging->intake->source->until_ms;
}

/* --- what is kept of each table --- */

/* Users come after those who tell which of them are wanted. */
const struct source_hanging_table source_hanging_tables[SOURCE_HANGING_TABLES] = {
    {DUMP_SCAN_COMMENTS, ITEM_ALSO_COMMENTS, STORE_COMMENT, .by = DUMP_ROWS_POST_ID,
     .ends = true, .users = true,
     .columns = {{SOURCE_HANGING_ID, DUMP_ROWS_ID},
                 {SOURCE_HANGING_ID, DUMP_ROWS_POST_ID},
                 {SOURCE_HANGING_MOMENT, DUMP_ROWS_CREATION_DATE},
                 {SOURCE_HANGING_NUMBER, DUMP_ROWS_SCORE},
                 {SOURCE_HANGING_ID, DUMP_ROWS_USER_ID},
                 {SOURCE_HANGING_TEXT, DUMP_ROWS_TEXT}}},
    {DUMP_SCAN_POST_HISTORY, ITEM_ALSO_HISTORY, STORE_HISTORY, .by = DUMP_ROWS_POST_ID,
     .ends = true, .users = true,
     .columns = {{SOURCE_HANGING_ID, DUMP_ROWS_ID},
                 {SOURCE_HANGING_ID, DUMP_ROWS_POST_ID},
                 {SOURCE_HANGING_NUMBER, DUMP_ROWS_POST_HISTORY_TYPE_ID},
                 {SOURCE_HANGING_MOMENT, DUMP_ROWS_CREATION_DATE},
                 {SOURCE_HANGING_ID, DUMP_ROWS_USER_ID}}},
    {DUMP_SCAN_USERS, ITEM_ALSO_USERS, STORE_USER, .of_users = true, .by = DUMP_ROWS_ID,
     .columns = {{SOURCE_HANGING_ID, DUMP_ROWS_ID},
                 {SOURCE_HANGING_MOMENT, DUMP_ROWS_CREATION_DATE},
                 {SOURCE_HANGING_NUMBER, DUMP_ROWS_REPUTATION},
                 {SOURCE_HANGING_TEXT, DUMP_ROWS_DISPLAY_NAME}}},
    {DUMP_SCAN_POST_LINKS, ITEM_ALSO_LINKS, STORE_LINK, .by = DUMP_ROWS_POST_ID,
     .columns = {{SOURCE_HANGING_ID, DUMP_ROWS_ID},
                 {SOURCE_HANGING_ID, DUMP_ROWS_POST_ID},
                 {SOURCE_HANGING_ID, DUMP_ROWS_RELATED_POST_ID},
                 {SOURCE_HANGING_NUMBER, DUMP_ROWS_LINK_TYPE_ID},
                 {SOURCE_HANGING_MOMENT, DUMP_ROWS_CREATION_DATE}}},
    {DUMP_SCAN_VOTES, ITEM_ALSO_VOTES, STORE_VOTE, .by = DUMP_ROWS_POST_ID, .ends = true,
     .columns = {{SOURCE_HANGING_ID, DUMP_ROWS_ID},
                 {SOURCE_HANGING_ID, DUMP_ROWS_POST_ID},
                 {SOURCE_HANGING_NUMBER, DUMP_ROWS_VOTE_TYPE_ID},
                 {SOURCE_HANGING_MOMENT, DUMP_ROWS_CREATION_DATE}}},
    {DUMP_SCAN_BADGES, ITEM_ALSO_BADGES, STORE_BADGE, .of_users = true,
     .by = DUMP_ROWS_USER_ID, .ends = true,
     .columns = {{SOURCE_HANGING_ID, DUMP_ROWS_ID},
                 {SOURCE_HANGING_ID, DUMP_ROWS_USER_ID},
                 {SOURCE_HANGING_MOMENT, DUMP_ROWS_DATE},
                 {SOURCE_HANGING_TEXT, DUMP_ROWS_NAME}}},
    {DUMP_SCAN_TAGS, ITEM_ALSO, STORE_BESIDES, .by = DUMP_ROWS_TAG_NAME},
};

bool source_hanging_keeps(const struct source_hanging_table *table,
                          const struct source_intake *intake,
                          const struct dump_rows_row *row)
{
    if (table->becomes == STORE_BESIDES)
        return dump_rows_has(row, table->by);
    return idset_has(table->of_users ? &intake->users : &intake->posts,
                     source_hanging_number(row, table->by)) ||
           (table->becomes == STORE_LINK &&
            idset_has(&intake->posts,
                      source_hanging_number(row, DUMP_ROWS_RELATED_POST_ID)));
}

bool source_hanging_store(struct source_hanging *hanging,
                          const struct source_hanging_table *table,
                          const struct dump_rows_row *row, struct err *err)
{
    int64_t stored[ROWS_OF(table->columns) + sizeof(struct str) / sizeof(int64_t)];
    int64_t *next = stored, ms = ITEM_NONE, user = ITEM_NONE;
    size_t i = 0;

    for (; table->columns[i].is != SOURCE_HANGING_TEXT &&
           table->columns[i].is != SOURCE_HANGING_END;
         i++) {
        enum dump_rows_attribute attribute = table->columns[i].attribute;
        *next = table->columns[i].is == SOURCE_HANGING_ID ? id_of(hanging, row, attribute)
                : table->columns[i].is == SOURCE_HANGING_MOMENT
                    ? moment_of(hanging, row, attribute)
                    : stored_number(hanging, row, attribute);
        if (table->columns[i].is == SOURCE_HANGING_MOMENT)
            ms = *next;
        if (attribute == DUMP_ROWS_USER_ID)
            user = *next;
        next++;
    }
    if (table->ends && is_late(hanging, ms))
        return true;
    if (table->columns[i].is == SOURCE_HANGING_TEXT) {
        struct str text = source_hanging_text(hanging, row, table->columns[i].attribute);
        memcpy(next, &text, sizeof text);
    }
    if (table->users)
        idset_add(&hanging->intake->users, item_number(user));
    return store_add(hanging->intake->corpus, table->becomes, stored, err);
}

bool source_hanging_findings(struct source_hanging *hanging, enum dump_scan_table table,
                             int64_t broken, struct err *err)
{
    const struct dump_judge_doubts *doubts = &hanging->doubts;
    const struct {
        const char *finding;
        int64_t value;
    } numbers[] = {
        {"broken rows skipped", broken},
        {"characters that XML forbids, replaced", doubts->replaced},
        {"values that are not what their attribute says", doubts->unreadable},
    };
    const char *name = dump_scan_table_name(table);
    struct arena arena = {0};
    bool ok = true;

    for (size_t i = 0; i < ROWS_OF(numbers) && ok; i++)
        ok = numbers[i].value == 0 ||
             source_intake_number(
                 hanging->intake,
                 arena_format(&arena, "%s: %s", name, numbers[i].finding).ptr,
                 numbers[i].value, err);
    if (ok && doubts->unreadable > 0)
        ok = source_intake_text(
            hanging->intake,
            arena_format(&arena, "%s: first value that is not what its attribute says",
                         name)
                .ptr,
            str_from(doubts->first), err);
    arena_free(&arena);
    return ok;
}
