/* A part of the table begins and ends anywhere, so its worker looks for the first "<row"
 * and takes the rows from there on, as far as they are whole. */
#include "dump/scan_slot.h"

enum { PAGE_BYTES = 4096 };

int64_t dump_scan_slot_lines(struct str bytes)
{
    const char *p = bytes.ptr, *end = bytes.ptr + bytes.len;
    int64_t lines = 0;

    while (p < end && (p = memchr(p, '\n', (size_t)(end - p))) != NULL) {
        lines++;
        p++;
    }
    return lines;
}

void dump_scan_slot_clear(const struct dump_scan_reading *reading, void *user)
{
    if (reading->job->clear != NULL)
        reading->job->clear(reading->job->context, user);
}

void dump_scan_slot_rows(const struct dump_scan_reading *reading, void *user,
                         struct dump_rows *rows, struct str block, int64_t offset,
                         bool last)
{
    struct dump_rows_row row;

    dump_rows_block(rows, block, offset, last);
    reading->job->work(reading->job->context, user, rows);
    while (dump_rows_next(rows, &row)) /* what the worker did not look at */
        ;
}

static struct str at_hand(const struct dump_scan_slot *slot)
{
    return str_slice(buf_str(&slot->bytes), slot->begin, slot->bytes.len);
}

/* Moves the bytes at hand to where they end with a page, not far from the beginning: what
 * is read behind them comes several times as fast as to an odd address. */
static void move_down(struct dump_scan_slot *slot)
{
    struct str left = at_hand(slot);
    size_t end = (left.len + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;

    if (slot->bytes.len <= end)
        return;
    memmove(slot->bytes.ptr + end - left.len, left.ptr, left.len);
    slot->begin = end - left.len;
    slot->bytes.len = end;
}

/* Some more of the part, behind what is in slot->bytes. */
static bool read_some(const struct dump_scan_reading *reading,
                      struct input_reader *reader, struct dump_scan_slot *slot,
                      size_t room, size_t *got)
{
    char *to = buf_reserve(&slot->bytes, room + DUMP_ROWS_PADDING);

    if (!input_part_read(reader, to, room, got, &slot->err))
        return false;
    if (reading->job->hash && reading->job->threads <= 1 &&
        !input_stream_hash_bytes(reading->stream, &slot->part, slot->len,
                                 (struct str){to, *got}, &slot->err))
        return false;
    slot->bytes.len += *got;
    slot->len += (int64_t)*got;
    if (reading->count_lines)
        slot->lines += dump_scan_slot_lines((struct str){to, *got});
    return true;
}

/* How many of the slot's bytes come before the part's first row; they go to the head. */
static size_t find_first(struct dump_scan_slot *slot, bool last)
{
    struct str bytes = at_hand(slot);
    size_t before = bytes.len;

    if (slot->found)
        return 0;
    const char *row = dump_rows_find(bytes);
    if (row != NULL)
        before = (size_t)(row - bytes.ptr);
    else if (!last) /* the last bytes may begin one */
        before = bytes.len < 4 ? 0 : bytes.len - 4;
    slot->found = row != NULL;
    buf_add(&slot->head, str_slice(bytes, 0, before));
    return before;
}

/* The rows in slot->bytes from `from` on; returns how many bytes are dealt with. */
static size_t work_bytes(const struct dump_scan_reading *reading, struct dump_rows *rows,
                         struct dump_scan_slot *slot, size_t from)
{
    struct str bytes = at_hand(slot);
    int64_t offset = slot->len - (int64_t)bytes.len;

    dump_scan_slot_rows(reading, slot->user, rows, str_slice(bytes, from, bytes.len),
                        offset + (int64_t)from, false);
    if (reading->count_lines && rows->problem.offset >= 0 && slot->problem_line < 0) {
        struct str before = str_slice(bytes, 0, (size_t)(rows->problem.offset - offset));
        slot->problem_line =
            slot->lines - dump_scan_slot_lines(bytes) + dump_scan_slot_lines(before);
    }
    return from + (size_t)(rows->at - rows->begin);
}

/* A part that is read at once; its bytes stay in the slot. */
static bool work_short_part(const struct dump_scan_reading *reading,
                            struct dump_rows *rows, struct input_reader *reader,
                            struct dump_scan_slot *slot)
{
    size_t got;

    do {
        if (!read_some(reading, reader, slot, INPUT_PART_BYTES, &got))
            return false;
    } while (got > 0);
    size_t used = find_first(slot, true);
    if (slot->found)
        used = work_bytes(reading, rows, slot, used);
    buf_add(&slot->tail, str_slice(buf_str(&slot->bytes), used, slot->bytes.len));
    return true;
}

/* A part that may be long: its bytes only pass through the slot. */
static bool work_long_part(const struct dump_scan_reading *reading,
                           struct dump_rows *rows, struct input_reader *reader,
                           struct dump_scan_slot *slot)
{
    size_t step = DUMP_SCAN_SLOT_STEP_BYTES, got;

    do {
        move_down(slot);
        if (!read_some(reading, reader, slot, step, &got))
            return false;
        slot->begin += find_first(slot, got == 0);
        if (slot->found && got > 0) {
            size_t used = work_bytes(reading, rows, slot, 0);
            slot->begin += used;
            /* A row longer than a step is begun again with each, so they grow. */
            step = used > 0 ? DUMP_SCAN_SLOT_STEP_BYTES : at_hand(slot).len;
        }
    } while (got > 0 && !rows->failed && at_hand(slot).len <= DUMP_SCAN_SLOT_ROW_MAX &&
             !atomic_load(&reading->stop));
    buf_add(&slot->tail, at_hand(slot));
    return true;
}

void dump_scan_slot_work(const struct dump_scan_reading *reading, struct dump_rows *rows,
                         struct input_reader *reader, struct dump_scan_slot *slot)
{
    bool first = slot->part.number == 0;

    dump_rows_restart(rows, first && reading->job->start == 0 ? DUMP_ROWS_PROLOG
                                                              : DUMP_ROWS_CONTENT);
    buf_clear(&slot->bytes);
    slot->begin = 0;
    buf_clear(&slot->head);
    buf_clear(&slot->tail);
    slot->len = slot->lines = 0;
    slot->problem_line = -1;
    slot->found = first; /* it begins where it has to */
    dump_scan_slot_clear(reading, slot->user);
    slot->read = slot->part.again ? work_long_part(reading, rows, reader, slot)
                                  : work_short_part(reading, rows, reader, slot);
    slot->count = rows->count;
    slot->broken = rows->broken;
    slot->problem = rows->problem;
    slot->failed = rows->failed;
    slot->skipping = rows->skipping;
    slot->where = rows->where;
    slot->root_end = rows->root_end;
    slot->root_len = rows->root_len;
    memcpy(slot->root, rows->root, rows->root_len);
}
