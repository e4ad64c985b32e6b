/* Lines of an engine's answer: never a crash, and a row has all its fields within the
 * text, of which a post is made. */
#include "engine/internal.h"

#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct engine_posts posts = {.until_ms = INT64_MAX};
    struct str line = {(const char *)data, size}, fields[ENGINE_COLUMNS];
    struct buf text = {0};
    struct item post;

    posts.columns[ENGINE_CREATED].dated = size % 2 == 0;
    if (engine_read_row(line, ENGINE_COLUMNS, &text, fields)) {
        for (size_t i = 0; i < ENGINE_COLUMNS; i++)
            if (fields[i].len > 0 &&
                (fields[i].ptr < text.ptr ||
                 fields[i].ptr + fields[i].len > text.ptr + text.len))
                abort();
        engine_posts_read(&posts, fields, &post);
    }
    buf_free(&text);
    return 0;
}
