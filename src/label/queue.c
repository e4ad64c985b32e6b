/* A queue: items that were picked, most uncertain first, from a csv that a classifier or
 * a person has written. */
#include <math.h>

#include "base/file.h"
#include "input/csv.h"
#include "label/internal.h"

enum { QUEUE_BYTES_MAX = 1 << 30 };

struct queue_columns {
    size_t item, score; /* LABEL_NONE: there is none */
};

struct queue_items {
    LIST(struct label_picked) list;
};

static bool find_columns(const struct input_csv_row *row, struct queue_columns *out,
                         struct err *err)
{
    size_t score = input_csv_rows_find(row, STR("score"));

    out->score = score < row->count ? score : LABEL_NONE;
    return input_csv_rows_need(row, STR("item"), &out->item, err);
}

static bool read_item(const struct study *study, const struct input_csv_row *row,
                      const struct queue_columns *columns, struct label_picked *out,
                      struct err *err)
{
    struct str item = str_trim(row->fields[columns->item]), score = STR("");

    if (columns->score != LABEL_NONE)
        score = str_trim(row->fields[columns->score]);
    *out = (struct label_picked){.score = NAN};
    if (!item_key_read(&study->spaces, item, &out->item, err))
        return false;
    if (score.len > 0 && !str_to_real(score, &out->score))
        return err_set(err, ERR_INPUT, "found '%.*s', expected a score",
                       STR_ARG(str_slice(score, 0, 100)));
    return true;
}

static bool read_rows(const struct study *study, struct input_csv *csv, struct map *known,
                      struct queue_items *out, struct err *err)
{
    struct queue_columns columns;
    struct input_csv_row row;
    bool head = true;

    for (; input_csv_next(csv, &row, err); head = false) {
        struct label_picked one = {0};
        bool ok = head ? find_columns(&row, &columns, err)
                       : read_item(study, &row, &columns, &one, err);
        if (!ok)
            return err_at(err, "%s:%lld: ", csv->path, (long long)row.line);
        struct str key = {(const char *)&one.item, sizeof one.item};
        if (!head && ++*map_put(known, key) == 1)
            list_add(&out->list, one);
    }
    if (!csv->failed && out->list.count == 0)
        return err_set(err, ERR_INPUT, "%s: there are no items in it", csv->path);
    return !csv->failed;
}

bool label_read_queue(const struct study *study, const char *path, struct arena *arena,
                      struct label_picked **out, size_t *count, struct err *err)
{
    struct arena scratch = {0};
    struct map known = {.arena = &scratch};
    struct input_csv csv = {.path = path};
    struct queue_items items = {0};
    struct str text;
    bool ok = file_read_max(path, QUEUE_BYTES_MAX, &scratch, &text, err);

    if (ok) {
        input_csv_push(&csv, text, true);
        ok = read_rows(study, &csv, &known, &items, err);
    }
    if (ok) {
        *count = items.list.count;
        *out = list_copy(&items.list, arena);
    }
    input_csv_free(&csv);
    list_free(&items.list);
    arena_free(&scratch);
    return ok;
}
