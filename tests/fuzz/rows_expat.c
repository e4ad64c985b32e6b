/* Any bytes as a table: a document of a dump's shape gives the same rows as expat, any
 * other one is refused, and neither the size of the blocks nor the processor matters. */
#include <assert.h>
#include <stdint.h>

#include "tests/property/expat_rows.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void same(const struct expat_rows_result *a, const struct dump_rows *a_end,
                 const struct expat_rows_result *b, const struct dump_rows *b_end)
{
    assert(a->accepted == b->accepted && a->rows == b->rows);
    assert(str_eq(buf_str(&a->text), buf_str(&b->text)));
    assert(a_end->count == b_end->count && a_end->broken == b_end->broken);
    assert(a_end->problem.offset == b_end->problem.offset);
    if (a_end->problem.offset >= 0)
        assert(strcmp(a_end->problem.expected, b_end->problem.expected) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str document = {(const char *)data, size};
    static const size_t steps[] = {1, 7, 64, 333};

    if (size > 100000)
        return 0;
    struct expat_rows_result theirs = expat_rows_theirs(document);
    for (int skip = 0; skip < 2; skip++) {
        struct dump_rows whole_end, end;
        struct expat_rows_result whole =
            expat_rows_ours(document, 0, DUMP_ROWS_BEST, skip, &whole_end);
        if (theirs.accepted && theirs.is_table)
            assert(whole.accepted && whole_end.broken == 0);
        if (whole.accepted && whole_end.broken == 0) {
            assert(theirs.accepted);
            assert(whole.rows == theirs.rows);
            assert(str_eq(buf_str(&whole.text), buf_str(&theirs.text)));
        }
        for (size_t i = 0; i <= ROWS_OF(steps); i++) {
            size_t step = i < ROWS_OF(steps) ? steps[i] : 0;
            if (step == 1 && size > 2000)
                continue; /* every row is begun again for each of its bytes */
            struct expat_rows_result other = expat_rows_ours(
                document, step, (int)((i + 1) % DUMP_ROWS_WAYS), skip, &end);
            same(&whole, &whole_end, &other, &end);
            buf_free(&other.text);
            dump_rows_free(&end);
        }
        buf_free(&whole.text);
        dump_rows_free(&whole_end);
    }
    buf_free(&theirs.text);
    return 0;
}
