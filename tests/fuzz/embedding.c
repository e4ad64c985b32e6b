/* Replies of a server of vectors: never a crash, and an answer has nothing but finite
 * numbers, as many for each text; what is none says why. */
#include "model/embedding.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str body = {(const char *)data, size};

    for (size_t texts = 1; texts < 4; texts++)
        for (size_t dimensions = 0; dimensions < 3; dimensions++) {
            struct arena arena = {0};
            struct model_embedding read;
            bool ok = model_embedding_read(body, texts, dimensions, &arena, &read);
            if (read.tokens < 0 || ok == (read.says.len > 0))
                abort();
            if (ok && (read.dimensions == 0 ||
                       (dimensions > 0 && read.dimensions != dimensions)))
                abort();
            for (size_t i = 0; ok && i < texts * read.dimensions; i++)
                if (!isfinite(read.at[i]))
                    abort();
            arena_free(&arena);
        }
    return 0;
}
