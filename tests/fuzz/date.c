/* Any bytes are a moment or none; a moment can be written, and reading that gives it
 * again. */
#include "base/date.h"

#include <assert.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct buf buf = {0};
    int64_t ms = 77, again = 0, day = 0;

    if (!date_parse((struct str){(const char *)data, size}, &ms)) {
        assert(ms == 77);
        return 0;
    }
    date_add(&buf, ms);
    assert(buf.len == sizeof "2014-01-21T20:58:43.500" - 1);
    assert(date_parse(buf_str(&buf), &again) && again == ms);
    buf_clear(&buf);
    date_add_day(&buf, ms);
    assert(date_parse(buf_str(&buf), &day) && day <= ms && ms - day < DATE_DAY_MS);
    assert(date_from_civil(date_to_civil(ms)) == day);
    buf_free(&buf);
    return 0;
}
