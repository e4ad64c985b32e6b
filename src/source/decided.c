/* One row is one person's word on one tag. */
#include "source/decided.h"

#include <string.h>

#include "base/file.h"
#include "base/list.h"
#include "base/map.h"
#include "input/csv.h"
#include "query/query.h"

enum { FILE_BYTES_MAX = 16 << 20 };

/* What no tag has: it would ask for others, or end the query that it stands in. */
static const char NO_TAG[] = "*?[]<>|,: ";

struct decided_reading {
    struct arena *arena;
    LIST(struct source_decided) rows;
    struct map known; /* tag and person */
    size_t tag, accepted, who, why, columns;
};

static bool read_head(void *context, const struct input_csv_row *head, struct err *err)
{
    struct decided_reading *reading = context;

    reading->columns = head->count;
    reading->who = input_csv_rows_find(head, STR("who"));
    reading->why = input_csv_rows_find(head, STR("why"));
    return input_csv_rows_need(head, STR("tag"), &reading->tag, err) &&
           input_csv_rows_need(head, STR("accepted"), &reading->accepted, err);
}

static struct str field(const struct decided_reading *reading,
                        const struct input_csv_row *row, size_t column)
{
    return column < reading->columns
               ? arena_copy(reading->arena, str_trim(row->fields[column]))
               : (struct str){0};
}

static bool read_row(void *context, const struct input_csv_row *row, struct err *err)
{
    struct decided_reading *reading = context;
    struct str written = field(reading, row, reading->tag),
               said = field(reading, row, reading->accepted);
    struct source_decided one = {.who = field(reading, row, reading->who),
                                 .why = field(reading, row, reading->why)};
    char *folded = arena_array(reading->arena, char, written.len + 1);

    query_fold(written, folded);
    one.tag = (struct str){folded, written.len};
    if (one.tag.len == 0)
        return err_set(err, ERR_INPUT, "tag is empty, expected a tag");
    for (size_t i = 0; i < one.tag.len; i++)
        if (memchr(NO_TAG, one.tag.ptr[i], sizeof NO_TAG - 1) != NULL)
            return err_set(err, ERR_INPUT,
                           "tag is '%.*s', expected a whole tag, such as tensorflow",
                           STR_ARG(written));
    if (str_eq(said, STR("yes")))
        one.verdict = SOURCE_ACCEPTED;
    else if (str_eq(said, STR("no")))
        one.verdict = SOURCE_REFUSED;
    else if (said.len > 0)
        return err_set(err, ERR_INPUT,
                       "accepted is '%.*s', expected yes, no, or nothing as long as it "
                       "is not decided",
                       STR_ARG(said));
    size_t before = reading->known.count;
    map_put(&reading->known, arena_format(reading->arena, "%.*s\n%.*s", STR_ARG(one.tag),
                                          STR_ARG(one.who)));
    if (reading->known.count == before)
        return err_set(err, ERR_INPUT,
                       "'%.*s' stands here a second time%s%.*s; expected one row of each "
                       "person",
                       STR_ARG(one.tag), one.who.len > 0 ? " for " : "",
                       STR_ARG(one.who));
    list_add(&reading->rows, one);
    return true;
}

bool source_decided_parse(struct str text, const char *path, struct arena *arena,
                          struct source_decided **out, size_t *count, struct err *err)
{
    struct decided_reading reading = {.arena = arena, .known = {.arena = arena}};
    struct input_csv_rows rows = {read_head, read_row, &reading};
    bool ok = input_csv_rows_read(text, path, &rows, err);

    *count = reading.rows.count;
    *out = list_copy(&reading.rows, arena);
    list_free(&reading.rows);
    return ok;
}

bool source_decided_read(const char *path, struct arena *arena,
                         struct source_decided **out, size_t *count, struct err *err)
{
    struct str text;

    return file_read_max(path, FILE_BYTES_MAX, arena, &text, err) &&
           source_decided_parse(text, path, arena, out, count, err);
}
