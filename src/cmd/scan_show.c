/* Posts are made into records by many threads; what is counted is sorted at the end. */
#include "cmd/scan_show.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/date.h"
#include "cmd/cmd.h"
#include "dump/format.h"
#include "text/markup.h"

/* A title as it is shown in a list: on one line. */
static void add_line(struct buf *out, const struct item *post, struct str title)
{
    if (post->key.len > 0)
        buf_add_format(out, "%-10.*s ", STR_ARG(post->key));
    else
        buf_add_format(out, "%-10lld ", (long long)post->id);
    if (post->created_ms != ITEM_NONE)
        date_add_day(out, post->created_ms);
    else
        buf_add(out, STR("          "));
    if (post->score != ITEM_NONE)
        buf_add_format(out, " %5lld  ", (long long)post->score);
    else
        buf_add(out, STR("     -  "));
    if (post->kind == ITEM_ANSWER && post->parent != ITEM_NONE && post->key.len == 0)
        buf_add_format(out, "answer to %lld", (long long)post->parent);
    for (size_t i = 0; i < title.len; i++)
        buf_add_char(out, title.ptr[i] >= 0 && title.ptr[i] < ' ' ? ' ' : title.ptr[i]);
    buf_add_char(out, '\n');
}

static void add_moment_key(struct buf *out, int64_t ms, const char *by)
{
    struct date date = date_to_civil(ms);

    buf_add_format(out, "%04d", date.year);
    if (strcmp(by, "quarter") == 0)
        buf_add_format(out, "-Q%d", (date.month + 2) / 3);
    if (strcmp(by, "month") == 0)
        buf_add_format(out, "-%02d", date.month);
}

static void add_kind_key(struct buf *out, int64_t kind)
{
    buf_add(out, kind > 0 && kind < ITEM_KINDS ? item_kind_name((enum item_kind)kind)
                                               : STR("-"));
}

void cmd_scan_show_key(const char *by, struct str told, struct buf *out)
{
    bool type = strcmp(by, "type") == 0, moment = strcmp(by, "year") == 0 ||
                                                  strcmp(by, "quarter") == 0 ||
                                                  strcmp(by, "month") == 0;
    int64_t number = 0;

    if (str_eq(told, STR("\\N")))
        buf_add_char(out, '-');
    else if ((!type && !moment) || !str_to_int(told, &number))
        buf_add(out, told);
    else if (type)
        add_kind_key(out, number);
    else
        add_moment_key(out, number * DATE_DAY_MS, by);
}

/* Of a field that the source brings: the year of a moment, each member of a list. */
static void add_own_keys(struct buf *out, enum item_type type, struct str value)
{
    struct str line;

    if (type == ITEM_MOMENT)
        value = str_slice(value, 0, strlen("2015"));
    do {
        line = value;
        if (type == ITEM_LIST)
            str_cut(&value, '\n', &line);
        else
            value = (struct str){0};
        buf_add(out, line.len > 0 ? line : STR("-"));
        buf_add_char(out, '\0');
    } while (value.len > 0);
}

/* The keys that the post counts under, each ended by a NUL. */
static void add_keys(struct buf *out, const struct item *post, struct dump_format_own own,
                     const char *by)
{
    static const struct {
        const char *name;
        size_t offset;
    } numbers[] = {
        {"user", offsetof(struct item, owner)},
        {"score", offsetof(struct item, score)},
        {"views", offsetof(struct item, views)},
        {"answers", offsetof(struct item, answers)},
        {"comments", offsetof(struct item, comments)},
        {"favorites", offsetof(struct item, favorites)},
    };
    struct str rest = post->tags, tag;

    if (strcmp(by, "tag") == 0) {
        while (text_taglist_next(&rest, &tag)) {
            buf_add(out, tag);
            buf_add_char(out, '\0');
        }
        return;
    }
    for (size_t i = 0; i < own.count; i++)
        if (str_eq(own.at[i].name, str_from(by))) {
            add_own_keys(out, own.at[i].type,
                         post->extra != NULL ? post->extra[i] : (struct str){0});
            return;
        }
    if (strcmp(by, "type") == 0) {
        add_kind_key(out, post->kind);
        buf_add_char(out, '\0');
        return;
    }
    for (size_t i = 0; i < ROWS_OF(numbers); i++)
        if (strcmp(by, numbers[i].name) == 0) {
            int64_t value =
                *(const int64_t *)(const void *)((const char *)post + numbers[i].offset);
            if (value == ITEM_NONE)
                buf_add_char(out, '-');
            else
                buf_add_int(out, value);
            buf_add_char(out, '\0');
            return;
        }
    if (post->created_ms == ITEM_NONE)
        buf_add_char(out, '-');
    else
        add_moment_key(out, post->created_ms, by);
    buf_add_char(out, '\0');
}

void cmd_scan_show_post(const struct cmd_scan_args *args, struct dump_format_own own,
                        const struct item *post, struct buf *out)
{
    if (args->count)
        return;
    if (args->by != NULL) {
        add_keys(out, post, own, args->by);
        return;
    }
    if (args->seeds != NULL) {
        buf_add(out, post->tags);
        buf_add_char(out, '\0');
        return;
    }
    if (args->ids && post->key.len > 0)
        buf_add_format(out, "%.*s\n", STR_ARG(post->key));
    else if (args->ids)
        buf_add_format(out, "%lld\n", (long long)post->id);
    else if (args->json)
        dump_format_json(post, own, out);
    else if (args->csv)
        dump_format_csv(post, own, out);
    else
        add_line(out, post, post->title);
    buf_add_char(out, '\0');
}

static int by_count(const void *a, const void *b)
{
    const struct map_entry *x = a, *y = b;

    if (x->value != y->value)
        return x->value > y->value ? -1 : 1;
    return str_compare(x->key, y->key);
}

static int by_key(const void *a, const void *b)
{
    const struct map_entry *x = a, *y = b;
    int64_t m, n;

    if (str_to_int(x->key, &m) && str_to_int(y->key, &n))
        return (m > n) - (m < n);
    return str_compare(x->key, y->key);
}

void cmd_scan_show_head(const struct cmd_scan_args *args, struct dump_format_own own)
{
    struct buf head = {0};

    if (args->csv)
        dump_format_csv_head(own, &head);
    cmd_print(&head);
}

static void show_counts(const struct map *counts, const char *by, struct arena *arena)
{
    struct map_entry *entries = arena_array(arena, struct map_entry, counts->count + 1);
    bool popular = strcmp(by, "tag") == 0 || strcmp(by, "user") == 0 ||
                   strcmp(by, "author") == 0 || strcmp(by, "committer") == 0 ||
                   strcmp(by, "path") == 0;
    size_t count = 0;

    for (size_t i = 0; i < counts->capacity; i++)
        if (counts->entries[i].key.ptr != NULL)
            entries[count++] = counts->entries[i];
    qsort(entries, count, sizeof *entries, popular ? by_count : by_key);
    for (size_t i = 0; i < count; i++)
        printf("%.*s\t%lld\n", STR_ARG(entries[i].key), (long long)entries[i].value);
}

void cmd_scan_show_end(const struct cmd_scan_args *args, int64_t count,
                       const struct map *counts, struct arena *arena)
{
    if (args->count)
        printf("%lld\n", (long long)count);
    if (args->by != NULL)
        show_counts(counts, args->by, arena);
}
