/* Any bytes are the title, prose and code of a question and the code of its answer;
 * whatever is found is not empty and told once. What was put between fences is left as it
 * is the second time. */
#include <assert.h>

#include "base/map.h"
#include "extract/errors.h"
#include "extract/extract.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct seen {
    struct arena arena;
    struct map names;
};

static void take(void *context, struct str name, bool asked)
{
    struct seen *seen = context;
    struct str key = arena_format(&seen->arena, "%d%.*s", asked, (int)name.len, name.ptr);
    int64_t *count = map_put(&seen->names, key);

    assert(name.len > 0 && *count == 0);
    *count = 1;
}

static void fence(struct str text)
{
    struct buf once = {0}, twice = {0};

    extract_fence(text, &once);
    extract_fence(buf_str(&once), &twice);
    assert(once.len >= text.len && str_eq(buf_str(&once), buf_str(&twice)));
    buf_free(&once);
    buf_free(&twice);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct extract_reader *reader;
    struct str text = {(const char *)data, size}, half = str_slice(text, 0, size / 2);
    struct extract_text question = {text, text, half, text},
                        answer = {half, half, str_slice(text, size / 2, size), half};

    fence(text);
    if (reader == NULL)
        reader = extract_open();
    for (int what = 0; what < EXTRACT_WHATS; what++) {
        struct seen seen = {0};
        seen.names.arena = &seen.arena;
        extract_find(reader, (enum extract_what)what, &question, &answer, take, &seen);
        arena_free(&seen.arena);
    }
    return 0;
}
