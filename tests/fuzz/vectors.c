/* Any bytes are vectors of one length, all finite and with keys that are there once, or
 * an error. A line of '=' parts the bytes from those of a second file with keys. */
#include "input/vectors.h"

#include <assert.h>
#include <math.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str bytes = {(const char *)data, size}, listed = {0};
    struct arena arena = {0};
    struct input_vectors vectors;
    struct err err = {0};
    const char *keys = NULL;

    for (size_t i = 0; i < size && keys == NULL; i++) {
        struct str rest = str_slice((struct str){(const char *)data, size}, i, size);
        if (!str_starts(rest, STR("\n=\n")))
            continue;
        keys = "k";
        bytes = str_slice(bytes, 0, i);
        listed = str_slice(rest, 3, rest.len);
    }
    if (input_vectors_parse(bytes, "f", listed, keys, &arena, &vectors, &err)) {
        assert(vectors.count > 0 && vectors.dimensions > 0 && vectors.hash.len == 64);
        for (size_t i = 0; i < vectors.count * vectors.dimensions; i++)
            assert(isfinite(vectors.at[i]));
        for (size_t i = 0; i < vectors.count; i++)
            assert(input_vectors_find(&vectors, vectors.keys[i]) ==
                   vectors.at + i * vectors.dimensions);
    } else {
        assert(err.kind == ERR_INPUT && err.text[0] != '\0');
    }
    arena_free(&arena);
    return 0;
}
