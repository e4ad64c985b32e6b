/* Any bytes are a size or an error; a size can be written, reading that gives the same
 * text and numbers again, and it takes from any frame what the frame has. */
#include "sample/size.h"

#include <assert.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_frames(const struct sample_size_spec *spec,
                         const struct sample_size_spec *again)
{
    static const int64_t frames[] = {0, 1, 2, 15, 1325, INT64_C(1) << 40, INT64_MAX};

    for (size_t i = 0; i < ROWS_OF(frames); i++) {
        int64_t taken = sample_size_of(spec, frames[i]);
        assert(taken <= frames[i] && (taken > 0) == (frames[i] > 0));
        assert(sample_size_of(again, frames[i]) == taken);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct sample_size_spec spec = {.count = 77}, again = {0};
    struct buf buf = {0}, twice = {0};
    struct err err = {0};

    if (!sample_size_parse((struct str){(const char *)data, size}, &spec, &err)) {
        assert(err.kind == ERR_INPUT && spec.count == 77);
        return 0;
    }
    sample_size_add(&buf, &spec);
    assert(sample_size_parse(buf_str(&buf), &again, &err));
    assert(again.kind == spec.kind && again.count == spec.count && again.key == spec.key);
    assert(!(again.share < spec.share) && !(again.share > spec.share));
    sample_size_add(&twice, &again);
    assert(str_eq(buf_str(&buf), buf_str(&twice)));
    check_frames(&spec, &again);
    buf_free(&buf);
    buf_free(&twice);
    return 0;
}
