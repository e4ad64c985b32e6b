/* Decisions on tags: rows with a tag and a verdict, or an error with its line. */
#include "source/decided.h"

#include <assert.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena = {0};
    struct source_decided *rows;
    struct err err = {0};
    size_t count;

    if (source_decided_parse((struct str){(const char *)data, size}, "f", &arena, &rows,
                             &count, &err)) {
        assert(err.kind == ERR_NONE);
        for (size_t i = 0; i < count; i++) {
            assert(rows[i].tag.len > 0 && rows[i].verdict <= SOURCE_REFUSED);
            for (size_t k = 0; k < i && k < 100; k++)
                assert(!str_eq(rows[i].tag, rows[k].tag) ||
                       !str_eq(rows[i].who, rows[k].who));
        }
    } else {
        assert(err.kind == ERR_INPUT && strncmp(err.text, "f:", 2) == 0);
    }
    arena_free(&arena);
    return 0;
}
