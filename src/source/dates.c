/* Interpolation between the two nearest dated posts, by number. */
#include "source/dates.h"

#include <stdlib.h>
#include <string.h>

#include "base/order.h"
#include "dump/table.h"

static bool take_dated(void *context, const struct item *post, struct err *err)
{
    struct source_dates *dates = context;
    struct source_dates_post dated = {post->id, post->created_ms};

    (void)err;
    if (post->id != ITEM_NONE && post->created_ms != ITEM_NONE && post->key.len == 0)
        list_add(&dates->posts, dated);
    return true;
}

static bool read_table(struct source_intake *intake, size_t number,
                       struct source_dates *out, struct err *err)
{
    const struct source_ingest_source *source = intake->source;
    const char *path = source->dates[number];
    struct dump_table_options how = {0};
    struct dump_table *table = NULL;
    struct input *input = NULL;
    uint64_t hash[2];
    size_t before = out->posts.count;
    bool ok =
        input_open(path, &input, err) &&
        (input_count(input) == 1 ||
         err_set(err, ERR_INPUT, "%s: has %zu files, expected one table", path,
                 input_count(input))) &&
        dump_table_open(path, &how, take_dated, out, &table, err) &&
        dump_table_read_member(table, input, 0, intake->options->threads, hash, err) &&
        (out->posts.count > before ||
         err_set(err, ERR_INPUT, "%s: no post has a number and a date", path)) &&
        source_intake_file_numbered(
            intake, source->dates_names[number],
            (int64_t)((source->path_count + number) * DUMP_SCAN_TABLES), hash, err);

    dump_table_close(table);
    input_close(input);
    return ok;
}

static int compare(const void *a, const void *b)
{
    const struct source_dates_post *x = a, *y = b;

    return order_then(ORDER_BY(x->id, y->id), ORDER_BY(x->ms, y->ms));
}

static void keep_ascending(struct source_dates *dates)
{
    struct source_dates_post *at = dates->posts.at;
    size_t kept = 0;

    for (size_t i = 0; i < dates->posts.count; i++) {
        if (kept > 0 && at[i].id == at[kept - 1].id)
            continue;
        if (kept > 0 && at[i].ms < at[kept - 1].ms)
            dates->older++;
        else
            at[kept++] = at[i];
    }
    dates->posts.count = kept;
}

bool source_dates_read(struct source_intake *intake, struct source_dates *out,
                       struct err *err)
{
    const struct source_ingest_source *source = intake->source;
    bool ok = true;

    for (size_t i = 0; i < source->dates_count && ok; i++)
        ok = read_table(intake, i, out, err);
    if (out->posts.count > 1)
        qsort(out->posts.at, out->posts.count, sizeof *out->posts.at, compare);
    keep_ascending(out);
    return ok;
}

void source_dates_free(struct source_dates *dates)
{
    list_free(&dates->posts);
}

bool source_dates_find(const struct source_dates *dates, int64_t id,
                       struct source_dates_found *out)
{
    const struct source_dates_post *at = dates->posts.at;
    size_t low;

    ORDER_SEEK(low, dates->posts.count, at[low].id < id);
    if (low == dates->posts.count || (low == 0 && at[low].id != id))
        return false;
    *out = (struct source_dates_found){at[low].ms, at[low].ms, at[low].ms};
    if (at[low].id == id)
        return true;
    double part = (double)(id - at[low - 1].id) / (double)(at[low].id - at[low - 1].id);
    out->earliest_ms = at[low - 1].ms;
    out->ms = at[low - 1].ms + (int64_t)(part * (double)(at[low].ms - at[low - 1].ms));
    return true;
}

int64_t source_dates_number(struct str text)
{
    static const struct str ways[] = {STR_INIT("q"), STR_INIT("questions"),
                                      STR_INIT("a")};
    struct str rest = str_trim(text), part;
    bool next = rest.len > 0 && memchr(rest.ptr, '/', rest.len) == NULL;
    int64_t number;

    for (bool more = rest.len > 0; more;) {
        more = str_cut(&rest, '/', &part);
        if (next && str_to_int(part, &number) && number > 0)
            return number;
        next = str_find(part, ways, ROWS_OF(ways)) < ROWS_OF(ways);
    }
    return ITEM_NONE;
}
