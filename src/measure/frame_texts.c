/* What items are called, not counted: a field's texts, and their sources. They are read
 * when somebody asks. */
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "measure/frame.h"

struct text_loader {
    const struct measure_frame *frame;
    struct map map; /* text to number, in order of appearance */
    uint32_t *of;
};

static bool take_text(void *context, int64_t id, struct str text, struct err *err)
{
    struct text_loader *loader = context;
    size_t i = measure_frame_find(loader->frame, id);

    (void)err;
    if (i == loader->frame->count)
        return true;
    loader->of[i] = (uint32_t)map_number(&loader->map, text) + 1;
    return true;
}

static int compare_entries(const void *a, const void *b)
{
    return str_compare(((const struct map_entry *)a)->key,
                       ((const struct map_entry *)b)->key);
}

bool measure_frame_field(const struct measure_frame *frame, struct str name,
                         struct measure_frame_texts *out, struct err *err)
{
    struct text_loader loader = {frame,
                                 {.arena = frame->arena},
                                 arena_array(frame->arena, uint32_t, frame->count + 1)};

    *out = (struct measure_frame_texts){.of = loader.of};
    if (!store_field(frame->corpus, name, take_text, &loader, err))
        return false;
    size_t count = 0;
    struct map_entry *entries =
        arena_array(frame->arena, struct map_entry, loader.map.count + 1);
    uint32_t *place = arena_array(frame->arena, uint32_t, loader.map.count + 2);
    for (size_t i = 0; i < loader.map.capacity; i++)
        if (loader.map.entries[i].key.ptr != NULL)
            entries[count++] = loader.map.entries[i];
    qsort(entries, count, sizeof *entries, compare_entries);
    out->names = arena_array(frame->arena, struct str, count + 1);
    out->name_count = count;
    for (size_t i = 0; i < count; i++) {
        out->names[i] = entries[i].key;
        place[entries[i].value + 1] = (uint32_t)i + 1;
    }
    for (size_t i = 0; i < frame->count; i++)
        out->of[i] = place[out->of[i]];
    return true;
}

struct source_loader {
    const struct measure_frame *frame;
    struct measure_frame_source *sources;
    size_t count, room;
};

static bool take_origin(void *context, int64_t id, struct str name, struct err *err)
{
    struct source_loader *loader = context;
    struct arena *arena = loader->frame->arena;
    size_t s = 0, i = measure_frame_find(loader->frame, id);

    (void)err;
    while (s < loader->count && !str_eq(loader->sources[s].name, name))
        s++;
    if (s == loader->count) {
        if (loader->count == loader->room) {
            struct measure_frame_source *more =
                arena_array(arena, struct measure_frame_source, loader->room * 2 + 4);
            if (loader->count > 0)
                memcpy(more, loader->sources, loader->count * sizeof *more);
            loader->sources = more;
            loader->room = loader->room * 2 + 4;
        }
        loader->sources[loader->count++] = (struct measure_frame_source){
            arena_copy(arena, name), measure_bits_make(loader->frame->count, arena)};
    }
    if (i < loader->frame->count)
        measure_bits_set(loader->sources[s].bits, i);
    return true;
}

bool measure_frame_sources(const struct measure_frame *frame,
                           struct measure_frame_source **out, size_t *count,
                           struct err *err)
{
    struct source_loader loader = {.frame = frame};
    bool ok = store_origins(frame->corpus, take_origin, &loader, err);

    *out = loader.sources;
    *count = loader.count;
    return ok;
}
