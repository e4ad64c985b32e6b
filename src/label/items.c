/* Which items a task has, in which order: those of samples in the order in which they
 * were drawn, those of sets in a random one; of several sources any front part holds each
 * in its proportion. */
#include <stdlib.h>

#include "base/file.h"
#include "base/rng.h"
#include "label/internal.h"
#include "result/result_file.h"

enum { FILE_BYTES_MAX = 1 << 30, SHUFFLE_STREAM = 0x6c61626c /* "labl" */ };

struct drawn {
    int64_t id;
    double place; /* 0 .. 1 in its source */
    size_t source;
};

struct drawn_items {
    LIST(struct drawn) list;
};

static int compare_drawn(const void *a, const void *b)
{
    const struct drawn *one = a, *two = b;

    if (one->place != two->place)
        return one->place < two->place ? -1 : 1;
    return one->source < two->source ? -1 : one->source > two->source;
}

/* A set's items come as their random numbers tell, so that a set that grows keeps its
 * order. */
static int compare_shuffled(const void *a, const void *b)
{
    const struct drawn *one = a, *two = b;

    if (one->place != two->place)
        return one->place < two->place ? -1 : 1;
    return one->id < two->id ? -1 : one->id > two->id;
}

static void place_items(struct label *label, bool shuffle, struct drawn *items,
                        size_t count)
{
    for (size_t i = 0; shuffle && i < count; i++) {
        struct rng rng =
            rng_stream(label->settings->seed, SHUFFLE_STREAM, (uint64_t)items[i].id);
        items[i].place = rng_unit(&rng);
    }
    if (shuffle && count > 0)
        qsort(items, count, sizeof *items, compare_shuffled);
    for (size_t i = 0; i < count; i++)
        items[i].place = ((double)i + 0.5) / (double)count;
}

static bool read_source(struct label *label, struct str name, size_t source,
                        struct drawn_items *out, struct err *err)
{
    struct str text;
    bool set = study_find_set(label->study, name) != STUDY_NONE;
    size_t before = out->list.count, count;
    struct arena arena = {0};
    struct str result = arena_format(&arena, "out/results/%s.%.*s.result",
                                     set ? "sets" : "samples", STR_ARG(name));
    const char *from = file_join(label->study->home, result.ptr, &arena);
    int64_t *ids;
    bool ok = (file_exists(from) ||
               err_set(err, ERR_INPUT,
                       "%s: the items to be labelled are not there yet; make them with "
                       "'assay run'",
                       from)) &&
              file_read_max(from, FILE_BYTES_MAX, &arena, &text, err) &&
              result_file_items(text, from, &arena, &ids, &count, err);
    for (size_t i = 0; ok && i < count; i++) {
        struct drawn item = {.id = ids[i], .source = source};
        list_add(&out->list, item);
    }
    if (ok)
        place_items(label, set, out->list.at + before, count);
    arena_free(&arena);
    return ok;
}

/* Each once, with its place in *order, from 1. */
static bool load_items(struct label *label, const struct str *of, size_t of_count,
                       struct map *order, struct arena *arena, int64_t **out,
                       size_t *out_count, struct err *err)
{
    struct drawn_items drawn = {0};
    bool ok = true;

    for (size_t i = 0; ok && i < of_count; i++)
        ok = read_source(label, of[i], i, &drawn, err);
    size_t count = drawn.list.count;
    struct drawn *items = drawn.list.at;
    *out = arena_array(arena, int64_t, count + 1);
    *out_count = 0;
    if (ok && count > 0)
        qsort(items, count, sizeof *items, compare_drawn);
    for (size_t i = 0; ok && i < count; i++) {
        struct str key = {(const char *)&items[i].id, sizeof items[i].id};
        int64_t *place = map_put(order, key);
        if (*place > 0)
            continue; /* of two sources */
        (*out)[(*out_count)++] = items[i].id;
        *place = (int64_t)*out_count;
    }
    list_free(&drawn.list);
    return ok;
}

bool label_load_items(struct label *label, struct err *err)
{
    int64_t *ids;
    bool ok =
        load_items(label, label->settings->of, label->settings->of_count,
                   &label->item_order, &label->arena, &ids, &label->task.item_count, err);

    label->task.items = ids;
    return ok;
}

bool label_items_of(struct label *label, const struct str *of, size_t count,
                    struct arena *arena, int64_t **items, size_t *item_count,
                    struct err *err)
{
    struct map order = {.arena = arena};

    return load_items(label, of, count, &order, arena, items, item_count, err);
}

bool label_no_item(const struct label *label, int64_t item, struct err *err)
{
    char shown[ITEM_KEY_SHOWN_MAX];

    return err_set(err, ERR_INPUT, "item %s is not among the task's items",
                   item_key_show(&label->study->spaces, item, shown));
}

size_t label_order(const struct label *label, int64_t item)
{
    const int64_t *place =
        map_get(&label->item_order, (struct str){(const char *)&item, sizeof item});

    return place != NULL ? (size_t)*place - 1 : LABEL_NONE;
}
