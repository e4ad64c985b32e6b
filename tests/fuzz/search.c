/* Any bytes are an index or none; what passes for one is asked, and gives hits in order
 * or says that it is damaged. The sum of the head is put right, or nothing would get past
 * it. */
#include <assert.h>
#include <string.h>
#include <xxhash.h>

#include "item/item.h"
#include "search/internal.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void ask(const struct search_index *index, struct arena *arena)
{
    struct search_reader reader = {.arena = arena};
    struct search_found *found = arena_array(arena, struct search_found, 1);
    struct learn_parts parts = {
        {[LEARN_PARTS_TITLE] = STR("cats and dogs"),
         [LEARN_PARTS_PROSE] = STR("my cat purrs"),
         [LEARN_PARTS_CODE] = STR("ValueError: bad magic number 3"),
         [LEARN_PARTS_TAGS] = STR("<animals>")}};
    struct err err = {0};

    if (search_find(index, &reader, &parts, ITEM_NONE, found, &err)) {
        for (size_t i = 1; i < found->all.count; i++)
            assert(!(found->all.at[i - 1].score < found->all.at[i].score));
        assert(found->resolved.count <= found->all.count ||
               found->all.count == SEARCH_HITS_MAX);
    } else {
        assert(err.kind == ERR_INPUT);
    }
    search_reader_free(&reader);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena = {0};
    uint64_t *bytes = arena_array(&arena, uint64_t, size / 8 + 1);
    struct search_header *head = (struct search_header *)(void *)bytes;
    struct search_index index;
    struct err err = {0};

    memcpy(bytes, data, size);
    if (size >= sizeof *head) {
        head->size = size;
        head->sum = XXH3_64bits(head, offsetof(struct search_header, sum));
    }
    if (search_open_bytes((struct str){(const char *)bytes, size}, &index, &err))
        ask(&index, &arena);
    arena_free(&arena);
    return 0;
}
