/* Saved json of any bytes: read twice as an ingest does, every item has a number and a
 * kind, nothing hangs on what was not given, and the first value that is known by sight
 * is read. The first byte says which kind of source it is taken for. */
#include <assert.h>
#include <stdint.h>

#include "item/key.h"
#include "source/saved.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct seen {
    const struct source_kind *kind;
    struct source_saved *saved;
    struct str bytes;
    struct idset items, all;
};

static bool take(void *context, const struct item *item, struct err *err)
{
    struct seen *seen = context;

    (void)err;
    assert(item->id > 0 && item->id < ITEM_NUMBER_LIMIT);
    assert(idset_add(&seen->all, item->id));
    if (item_kind_is_studied(item->kind))
        idset_add(&seen->items, item->id);
    else
        assert(idset_has(&seen->items, item->parent));
    for (size_t i = 0; item->extra != NULL && i < seen->kind->field_count; i++)
        if (seen->kind->fields[i].type == ITEM_YES_NO && item->extra[i].len > 0)
            assert(str_eq(item->extra[i], STR("yes")) ||
                   str_eq(item->extra[i], STR("no")));
    return true;
}

static bool read_once(void *context, struct err *err)
{
    struct seen *seen = context;

    source_saved_begin(seen->saved, "fuzz");
    return source_saved_push(seen->saved, seen->bytes, true, err);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct source_kind *const kinds[] = {&source_github, &source_discourse};
    struct source_saved saved;
    struct dump_field_broken broken = {0};
    struct seen seen = {0};
    struct err err = {0};

    if (size == 0)
        return 0;
    struct str bytes = {(const char *)data + 1, size - 1};
    seen.kind = kinds[data[0] % 2];
    source_saved_open(&saved, seen.kind, take, &seen);
    saved.broken = &broken;
    seen.saved = &saved;
    seen.bytes = bytes;
    if (!source_saved_readings(&saved, read_once, &seen, &err))
        assert(saved.reading == 0); /* what could be read once can be read again */
    source_saved_close(&saved);
    idset_free(&seen.items);
    idset_free(&seen.all);
    return 0;
}
