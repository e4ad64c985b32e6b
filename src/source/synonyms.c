/* Both forms become the same list of pairs. */
#include "source/synonyms.h"

#include <string.h>

#include "base/file.h"
#include "base/list.h"
#include "input/csv.h"
#include "input/document.h"

enum { FILE_BYTES_MAX = 64 << 20 };

struct synonyms_reading {
    struct arena *arena;
    LIST(struct query_synonym) pairs;
    LIST(int64_t) lines;      /* of each: where it stands; of json which it is */
    size_t tag, of, approved; /* columns */
    size_t columns;
    int64_t left_out;
};

static bool add(struct synonyms_reading *reading, struct str tag, struct str of,
                int64_t line, struct err *err)
{
    struct query_synonym pair = {arena_copy(reading->arena, str_trim(tag)),
                                 arena_copy(reading->arena, str_trim(of))};

    if (pair.tag.len == 0 || pair.of.len == 0)
        return err_set(err, ERR_INPUT,
                       "found an empty tag, expected a synonym and its "
                       "tag");
    list_add(&reading->pairs, pair);
    list_add(&reading->lines, line);
    return true;
}

/* Either spelling of the two columns. */
static bool read_head(void *context, const struct input_csv_row *head, struct err *err)
{
    struct synonyms_reading *reading = context;
    size_t source = input_csv_rows_find(head, STR("SourceTagName"));
    bool explorer = source < head->count;

    reading->columns = head->count;
    reading->approved = input_csv_rows_find(head, STR("ApprovalDate"));
    return input_csv_rows_need(head, explorer ? STR("SourceTagName") : STR("synonym"),
                               &reading->tag, err) &&
           input_csv_rows_need(head, explorer ? STR("TargetTagName") : STR("tag"),
                               &reading->of, err);
}

static bool read_row(void *context, const struct input_csv_row *row, struct err *err)
{
    struct synonyms_reading *reading = context;

    if (reading->approved < reading->columns &&
        str_trim(row->fields[reading->approved]).len == 0) {
        reading->left_out++;
        return true;
    }
    return add(reading, row->fields[reading->tag], row->fields[reading->of], row->line,
               err);
}

static bool read_json(struct synonyms_reading *reading, struct str text, const char *path,
                      struct err *err)
{
    struct input_document document = {.path = path};
    enum input_document_part part;
    struct str value;
    int64_t number = 0;
    bool ok = true;

    input_document_push(&document, text, true);
    while (ok && input_document_next(&document, &value, &part, err)) {
        const struct input_json *one = input_document_decode(&document, err);
        if (part == INPUT_DOCUMENT_REST && one != NULL)
            continue;
        const struct input_json *from = input_json_get(one, "from_tag"),
                                *to = input_json_get(one, "to_tag");
        number++;
        if (one == NULL)
            ok = false;
        else if (input_json_is(from, INPUT_JSON_STRING) &&
                 input_json_is(to, INPUT_JSON_STRING))
            ok = add(reading, input_json_text(from), input_json_text(to), number, err) ||
                 input_document_fail(&document, one->at, err);
        else {
            err_record(err, ERR_INPUT, "expected a synonym with from_tag and to_tag");
            ok = input_document_fail(&document, one->at, err);
        }
    }
    ok = ok && !document.failed;
    input_document_free(&document);
    return ok;
}

bool source_synonyms_read(const char *path, struct arena *arena,
                          struct query_synonyms **out, int64_t *left_out, struct err *err)
{
    struct synonyms_reading reading = {.arena = arena};
    struct input_csv_rows rows = {read_head, read_row, &reading};
    struct str text;
    size_t wrong;

    if (!file_read_max(path, FILE_BYTES_MAX, arena, &text, err))
        return false;
    struct str mark = STR("\xEF\xBB\xBF");
    struct str begin =
        str_trim(str_slice(text, str_starts(text, mark) ? mark.len : 0, text.len));
    bool json = begin.len > 0 && memchr("[{", begin.ptr[0], 2) != NULL;
    bool ok = json ? read_json(&reading, text, path, err)
                   : input_csv_rows_read(text, path, &rows, err);
    if (ok && !query_synonyms_make(reading.pairs.at, reading.pairs.count, arena, out,
                                   &wrong, err))
        ok = err_at(err, "%s%s%lld: ", path, json ? ": synonym " : ":",
                    (long long)reading.lines.at[wrong]);
    *left_out = reading.left_out;
    list_free(&reading.pairs);
    list_free(&reading.lines);
    return ok;
}
