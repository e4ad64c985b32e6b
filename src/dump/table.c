/* Finds out what kind of table it is and leaves the reading to others. */
#include "dump/table.h"

#include <string.h>

#include "base/map.h"
#include "dump/columns.h"
#include "dump/jsonl.h"
#include "input/csv.h"

/* A csv and where its posts go. */
struct reader {
    struct csv csv;
    struct columns columns;
    const struct columns_mapping *mapping;
    struct arena keep; /* names, and ids of questions */
    struct arena row;
    struct map given; /* of joined rows: the questions that were given */
    bool (*take)(void *context, const struct post *post, struct err *err);
    void *context;
};

enum table_kind table_kind(struct str bytes)
{
    struct str text =
        str_starts(bytes, STR("\xEF\xBB\xBF")) ? str_slice(bytes, 3, bytes.len) : bytes;

    text = str_trim(text);
    if (text.len > 0 && (text.ptr[0] == '{' || text.ptr[0] == '['))
        return TABLE_JSON;
    return text.len > 0 && text.ptr[0] == '<' ? TABLE_XML : TABLE_CSV;
}

/* In joined rows a question counts only the first time. */
static bool is_new(struct reader *reader, int64_t id)
{
    char bytes[sizeof id];

    if (!reader->columns.joined)
        return true;
    memcpy(bytes, &id, sizeof id);
    int64_t *times = map_put(&reader->given, (struct str){bytes, sizeof bytes});
    return (*times)++ == 0;
}

static bool read_row(struct reader *reader, const struct csv_row *row, struct err *err)
{
    struct post post, answer;
    long long line = row->line;

    if (!columns_post(&reader->columns, row->fields, &reader->row, &post, err))
        return err_at(err, "%s:%lld: ", reader->csv.path, line);
    if (is_new(reader, post.id) && !reader->take(reader->context, &post, err))
        return false;
    if (!reader->columns.joined)
        return true;
    if (!columns_answer(&reader->columns, row->fields, &post, &reader->row, &answer, err))
        return err_at(err, "%s:%lld: ", reader->csv.path, line);
    return answer.id == POST_NONE || reader->take(reader->context, &answer, err);
}

static bool read_header(struct reader *reader, struct err *err)
{
    struct csv_row row;

    if (!csv_next(&reader->csv, &row, err)) {
        if (reader->csv.failed)
            return false;
        return err_set(
            err, ERR_INPUT,
            "%s:1: found nothing, expected a line with the names of the columns",
            reader->csv.path);
    }
    if (!columns_find(reader->mapping, row.fields, row.count, &reader->keep,
                      &reader->columns, err))
        return err_at(err, "%s:%lld: ", reader->csv.path, (long long)row.line);
    return true;
}

static bool read_csv(struct str bytes, struct reader *reader, struct err *err)
{
    struct csv_row row;

    arena_array(&reader->row, char, 1); /* a chunk that rewinding does not give back */
    csv_push(&reader->csv, bytes, true);
    if (!read_header(reader, err))
        return false;
    while (csv_next(&reader->csv, &row, err)) {
        struct arena_mark mark = arena_mark(&reader->row);
        if (!read_row(reader, &row, err))
            return false;
        arena_rewind(&reader->row, mark);
    }
    return !reader->csv.failed;
}

bool table_read(struct str bytes, const char *path, const struct table_options *options,
                bool (*take)(void *context, const struct post *post, struct err *err),
                void *context, struct err *err)
{
    const char *text = options != NULL ? options->mapping : NULL;
    struct columns_mapping mapping;
    struct reader reader = {
        .csv = {.path = path}, .mapping = &mapping, .take = take, .context = context};
    struct jsonl_options json = {path, text != NULL ? &mapping : NULL, take, context};
    bool ok = false;

    reader.given.arena = &reader.keep;
    if (!columns_parse(str_from(text != NULL ? text : ""), &reader.keep, &mapping, err)) {
        err_locate(err, "mapping: ");
        goto done;
    }
    switch (table_kind(bytes)) {
    case TABLE_CSV:
        ok = read_csv(bytes, &reader, err);
        break;
    case TABLE_JSON:
        ok = jsonl_read(bytes, &json, err);
        break;
    case TABLE_XML:
        err_record(err, ERR_INPUT, "%s:1: found XML, expected csv or json", path);
        break;
    }
done:
    csv_free(&reader.csv);
    arena_free(&reader.row);
    arena_free(&reader.keep);
    return ok;
}
