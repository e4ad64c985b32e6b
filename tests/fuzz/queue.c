/* Any bytes are a queue of items or an error with its place. Items are each there once,
 * and there is at least one. */
#include "label/label.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int compare(const void *a, const void *b)
{
    const struct label_picked *one = a, *two = b;

    return one->item < two->item ? -1 : one->item > two->item;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[] = "/tmp/assay-fuzz-XXXXXX";
    struct arena arena = {0};
    struct study study = {0};
    struct label_picked *picked;
    struct err err = {0};
    size_t count;
    int descriptor = mkstemp(path);

    assert(descriptor >= 0);
    ssize_t written = write(descriptor, data, size);
    assert(written == (ssize_t)size);
    close(descriptor);
    if (label_read_queue(&study, path, &arena, &picked, &count, &err)) {
        assert(count > 0);
        qsort(picked, count, sizeof *picked, compare);
        for (size_t i = 1; i < count; i++)
            assert(picked[i - 1].item < picked[i].item);
    } else {
        assert(err.kind == ERR_INPUT && strncmp(err.text, path, strlen(path)) == 0);
    }
    unlink(path);
    arena_free(&arena);
    return 0;
}
