/* For tests of parts of a table: a file, its stream, and a user who counts rows. */
#ifndef TESTS_UNIT_PARTED_H
#define TESTS_UNIT_PARTED_H

#include "dump/internal.h"
#include "tests/unit/studied.h"

struct parted {
    struct studied in;
    int64_t counts[2]; /* of a part and of the seams: the user's slots */
    void *slots[2];
    struct dump_scan_job job;
    struct dump_scan_reading reading;
    struct input *input;
    struct input_reader *reader;
    struct dump_scan_slot slot;
    struct dump_rows rows;
};

static inline void parted_clear(void *context, void *slot)
{
    (void)context;
    *(int64_t *)slot = 0;
}

static inline void parted_work(void *context, void *slot, struct dump_rows *rows)
{
    struct dump_rows_row row;

    (void)context;
    while (dump_rows_next(rows, &row))
        ++*(int64_t *)slot;
}

static inline enum dump_scan_next parted_merge(void *context, void *slot,
                                               const struct dump_scan_part *part,
                                               struct err *err)
{
    (void)context, (void)slot, (void)part, (void)err;
    return DUMP_SCAN_GO_ON;
}

static inline bool parted_begin(struct parted *test, const char *text)
{
    struct input_stream_options options = {0};

    *test = (struct parted){0};
    if (!studied_begin(&test->in))
        return false;
    studied_write(&test->in, "t.xml", text);
    test->slots[0] = &test->counts[0];
    test->slots[1] = &test->counts[1];
    test->job = (struct dump_scan_job){.threads = 1,
                                       .slots = test->slots,
                                       .clear = parted_clear,
                                       .work = parted_work,
                                       .merge = parted_merge};
    test->reading.job = &test->job;
    test->slot.user = test->slots[0];
    if (!CHECK(
            input_open(studied_path(&test->in, "t.xml"), &test->input, &test->in.err)) ||
        !CHECK(input_stream_open(test->input, 0, &options, &test->reading.stream,
                                 &test->in.err)))
        return false;
    test->reader = input_reader_open(test->reading.stream);
    return true;
}

/* The next part into the slot; false: there is none. */
static inline bool parted_next(struct parted *test)
{
    bool more = false;

    if (!CHECK(input_part_next(test->reader, &test->slot.part, &more, &test->in.err)) ||
        !more)
        return false;
    dump_scan_slot_work(&test->reading, &test->rows, test->reader, &test->slot);
    return true;
}

static inline void parted_end(struct parted *test)
{
    buf_free(&test->slot.bytes);
    buf_free(&test->slot.head);
    buf_free(&test->slot.tail);
    dump_rows_free(&test->rows);
    input_reader_close(test->reader);
    input_stream_close(test->reading.stream);
    input_close(test->input);
    studied_end(&test->in);
}

#endif
