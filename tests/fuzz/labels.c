/* Any bytes are a csv of labels or an error with its place. Entries ascend, each once,
 * and name items and codes that there are; nothing is counted that was not given. The
 * first byte says whether there are raters, a separator, and items that may be unknown.
 */
#include "measure/labels.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_labels(const struct measure_labels *labels,
                         const struct measure_frame *frame)
{
    for (size_t e = 0; e < labels->count; e++) {
        const struct measure_labels_entry *entry = &labels->entries[e];
        assert(entry->item < frame->count && entry->code < labels->code_count);
        assert(labels->codes[entry->code].used);
        if (e > 0)
            assert(entry[-1].item < entry->item ||
                   (entry[-1].item == entry->item && entry[-1].code < entry->code));
    }
    for (size_t c = 1; c < labels->code_count; c++)
        assert(str_compare(labels->codes[c - 1].name, labels->codes[c].name) < 0);
    assert((int64_t)labels->count <= labels->given);
    assert(labels->undecided <= (int64_t)frame->count && labels->unknown >= 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[] = "/tmp/assay-fuzz-XXXXXX";
    int64_t ids[] = {1, 2, 3, 30};
    struct arena arena = {0};
    struct measure_frame frame = {.arena = &arena, .count = 4};
    struct measure_labels labels;
    struct err err = {0};

    if (size == 0)
        return 0;
    frame.ids = measure_column_of(ids, frame.count, &arena);
    int descriptor = mkstemp(path);
    assert(descriptor >= 0);
    ssize_t written = write(descriptor, data + 1, size - 1);
    assert(written == (ssize_t)size - 1);
    close(descriptor);
    struct study_labels from = {.name = STR("l"),
                                .from = path,
                                .item = STR("item"),
                                .code = STR("code"),
                                .rater = data[0] & 1 ? STR("rater") : (struct str){0},
                                .separator = data[0] & 2 ? ';' : '\0',
                                .skip_unknown = data[0] & 4};
    if (measure_labels_load(&from, NULL, &frame, &labels, &err))
        check_labels(&labels, &frame);
    else
        assert(err.kind == ERR_INPUT && strncmp(err.text, path, strlen(path)) == 0);
    unlink(path);
    arena_free(&arena);
    return 0;
}
