/* Threads take parts of the table as they come; the calling thread merges what they made
 * of them, in the order of the file. */
#include "dump/scan.h"

#include <pthread.h>
#include <stdio.h>
#include <time.h>

#include "base/stop.h"
#include "dump/internal.h"

/* A part of the table begins and ends anywhere, so its worker looks for the first "<row"
 * and takes the rows from there on, as far as they are whole. */
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

/* The user's slot is to forget what it held; and some rows for it. */
static void scan_slot_clear(const struct dump_scan_reading *reading, void *user)
{
    if (reading->job->clear != NULL)
        reading->job->clear(reading->job->context, user);
}

static void scan_slot_rows(const struct dump_scan_reading *reading, void *user,
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

/* How many of the bytes come before the part's first row; they go to the slot's head. */
static size_t find_first(struct dump_scan_slot *slot, struct str bytes, bool last)
{
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

/* The rows in bytes from `from` on; returns how many bytes are dealt with. The bytes are
 * the last of those that were read of the part. */
static size_t work_bytes(const struct dump_scan_reading *reading, struct dump_rows *rows,
                         struct dump_scan_slot *slot, struct str bytes, size_t from)
{
    int64_t offset = slot->len - (int64_t)bytes.len;

    scan_slot_rows(reading, slot->user, rows, str_slice(bytes, from, bytes.len),
                   offset + (int64_t)from, false);
    if (reading->count_lines && rows->problem.offset >= 0 && slot->problem_line < 0) {
        struct str before = str_slice(bytes, 0, (size_t)(rows->problem.offset - offset));
        slot->problem_line =
            slot->lines - dump_scan_slot_lines(bytes) + dump_scan_slot_lines(before);
    }
    return from + (size_t)(rows->at - rows->begin);
}

/* A part that is at hand as a whole. */
static void work_whole_part(const struct dump_scan_reading *reading,
                            struct dump_rows *rows, struct dump_scan_slot *slot,
                            struct str bytes)
{
    size_t used = find_first(slot, bytes, true);

    if (slot->found)
        used = work_bytes(reading, rows, slot, bytes, used);
    buf_add(&slot->tail, str_slice(bytes, used, bytes.len));
}

/* A part that is not even copied, of a plain file or unpacked in place. Its lines are not
 * counted: see reading->count_lines. Where the file is hashed as well, that goes behind
 * the walk step by step: the walk waits for memory while it computes, a hash could only
 * wait, and so finds the bytes in the cache. */
static bool work_mapped_part(const struct dump_scan_reading *reading,
                             struct dump_rows *rows, struct input_reader *reader,
                             struct dump_scan_slot *slot, struct str bytes)
{
    bool hash = reading->job->hash && reading->job->threads <= 1;
    size_t step = hash ? DUMP_SCAN_SLOT_STEP_BYTES : bytes.len, used = 0, end = 0;

    while (end < bytes.len && !rows->failed) {
        struct str some = str_slice(bytes, end, end + step);
        end += some.len;
        slot->len = (int64_t)end;
        struct str seen = str_slice(bytes, 0, end);
        used += find_first(slot, str_slice(seen, used, end), end == bytes.len);
        if (slot->found)
            used = work_bytes(reading, rows, slot, seen, used);
        if (hash && !input_stream_hash_bytes(reading->stream, &slot->part,
                                             (int64_t)(end - some.len), some, &slot->err))
            return false;
    }
    buf_add(&slot->tail, str_slice(bytes, used, bytes.len));
    return input_part_unmap(reader, &slot->err);
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
    work_whole_part(reading, rows, slot, buf_str(&slot->bytes));
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
        slot->begin += find_first(slot, at_hand(slot), got == 0);
        if (slot->found && got > 0) {
            size_t used = work_bytes(reading, rows, slot, at_hand(slot), 0);
            slot->begin += used;
            /* A row longer than a step is begun again with each, so they grow. */
            step = used > 0 ? DUMP_SCAN_SLOT_STEP_BYTES : at_hand(slot).len;
        }
    } while (got > 0 && !rows->failed && at_hand(slot).len <= DUMP_SCAN_SLOT_ROW_MAX &&
             !atomic_load(&reading->stop));
    buf_add(&slot->tail, at_hand(slot));
    return true;
}

/* Whether to look at a part of a plain file where the system keeps it costs less than to
 * read it depends on the processor, on the system and on how it keeps the file: each has
 * been seen to save a fifth. So the first parts are taken both ways, in turns, and those
 * behind them in the way of the cheapest. */
enum { TRIALS = 8 };

static bool is_mapped(struct dump_scan_reading *reading, const struct input_part *part)
{
    int64_t read = atomic_load(&reading->least_ns[false]),
            mapped = atomic_load(&reading->least_ns[true]);

    if (part->number < TRIALS || read == 0 || mapped == 0)
        return part->number % 2 == 0;
    return mapped < read;
}

static int64_t used_ns(void)
{
    struct timespec used;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
    return (int64_t)used.tv_sec * 1000000000 + used.tv_nsec;
}

/* All parts but the last have the same length. */
static void note_cost(struct dump_scan_reading *reading, bool mapped, int64_t ns)
{
    int64_t least = atomic_load(&reading->least_ns[mapped]);

    if (least == 0 || ns < least)
        atomic_store(&reading->least_ns[mapped], ns);
}

static void work_part(struct dump_scan_reading *reading, struct dump_rows *rows,
                      struct input_reader *reader, struct dump_scan_slot *slot)
{
    bool choose = reading->job->map && input_stream_plain(reading->stream);
    bool map =
        choose ? is_mapped(reading, &slot->part) : input_stream_wholes(reading->stream);
    int64_t begin = choose ? used_ns() : 0;
    struct str mapped;

    if (map && input_part_map(reader, DUMP_ROWS_PADDING, &mapped))
        slot->read = work_mapped_part(reading, rows, reader, slot, mapped);
    else if (slot->part.again)
        slot->read = work_long_part(reading, rows, reader, slot);
    else
        slot->read = work_short_part(reading, rows, reader, slot);
    if (choose)
        note_cost(reading, map, used_ns() - begin);
}

void dump_scan_slot_work(struct dump_scan_reading *reading, struct dump_rows *rows,
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
    scan_slot_clear(reading, slot->user);
    work_part(reading, rows, reader, slot);
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

/* What is before a part's first row, and what is left behind its last, is put together
 * with the neighbours' at merging: the seam. There it also shows whether the worker was
 * right to begin where it did; if not (the "<row" stood in a comment), the part is read
 * once more, from where the one before it ended. */
/* Moves what is left of the bytes to their beginning. */
static void drop(struct buf *bytes, size_t used)
{
    bytes->len -= used;
    if (bytes->len > 0)
        memmove(bytes->ptr, bytes->ptr + used, bytes->len);
}

/* Counts the lines up to a place: nobody did while the file was read. */
static int64_t find_line(const struct dump_scan_seam *seam, int64_t offset)
{
    struct input_stream_options options = {0};
    struct input_stream *stream;
    struct buf bytes = {0};
    struct err ignored;
    int64_t line = 1;
    size_t got = 1;

    if (!input_stream_open(seam->input, seam->member, &options, &stream, &ignored))
        return 0;
    while (offset > 0 && got > 0) {
        size_t room = offset < DUMP_SCAN_SLOT_STEP_BYTES ? (size_t)offset
                                                         : DUMP_SCAN_SLOT_STEP_BYTES;
        if (!input_stream_read(stream, buf_reserve(&bytes, DUMP_SCAN_SLOT_STEP_BYTES),
                               room, &got, &ignored))
            break;
        line += dump_scan_slot_lines((struct str){bytes.ptr, got});
        offset -= (int64_t)got;
    }
    buf_free(&bytes);
    input_stream_close(stream);
    return offset == 0 ? line : 0;
}

static bool refuse(const struct dump_scan_seam *seam,
                   const struct dump_rows_problem *problem, int64_t line,
                   const char *before, struct err *err)
{
    char place[32] = "";

    if (!seam->reading->count_lines)
        line = find_line(seam, problem->offset);
    else if (seam->reading->job->start > 0 && seam->reading->job->start_line == 0)
        line = 0; /* nobody knows */
    if (line > 0)
        snprintf(place, sizeof place, ":%lld", (long long)line);
    return err_set(err, ERR_INPUT, "%s%s: %sbyte %lld: found %s; expected %s",
                   seam->place, place, before, (long long)problem->offset, problem->found,
                   problem->expected);
}

/* A slot's or a seam's outcome is in order: count it and tell the user. `broken` rows
 * were skipped, the first of them at the problem. */
static bool hand_over(struct dump_scan_seam *seam, void *user, int64_t rows,
                      int64_t broken, const struct dump_rows_problem *problem,
                      int64_t line, struct err *err)
{
    const struct dump_scan_job *job = seam->reading->job;
    struct dump_scan_result *result = seam->result;
    struct dump_scan_part part = {rows, broken, seam->carry_at, seam->carry_line};

    /* Whoever goes on from here believes to be among rows, so the table's end is left. */
    if (seam->rows.where == DUMP_ROWS_AFTER && seam->rows.root_end >= 0)
        part.bytes = seam->rows.root_end;
    result->rows += rows;
    result->broken += broken;
    if (broken > 0 && result->first_broken.offset < 0) {
        result->first_broken = *problem;
        result->first_broken_line = line;
    }
    enum dump_scan_next next = job->merge(job->context, user, &part, err);
    result->enough = next == DUMP_SCAN_ENOUGH;
    return next != DUMP_SCAN_FAIL;
}

/* What is carried must end some time. */
static bool check_length(struct dump_scan_seam *seam, struct err *err)
{
    struct dump_rows_problem problem = {.offset = seam->carry_at};

    if (seam->carry.len <= DUMP_SCAN_SLOT_ROW_MAX)
        return true;
    dump_rows_show(buf_str(&seam->carry), problem.found, sizeof problem.found);
    snprintf(problem.expected, sizeof problem.expected, "its end within %d MB",
             DUMP_SCAN_SLOT_ROW_MAX >> 20);
    return refuse(seam, &problem, seam->carry_line, "", err);
}

/* The true walk over what is carried, with the seam's slot. */
static bool work_carry(struct dump_scan_seam *seam, bool last, struct err *err)
{
    struct dump_rows *rows = &seam->rows;
    struct str carry;

    buf_reserve(&seam->carry, DUMP_ROWS_PADDING);
    carry = buf_str(&seam->carry);
    scan_slot_rows(seam->reading, seam->user, rows, carry, seam->carry_at, last);
    if (rows->problem.offset >= 0 && seam->problem_line < 0) {
        size_t before = (size_t)(rows->problem.offset - seam->carry_at);
        seam->problem_line =
            seam->carry_line + dump_scan_slot_lines(str_slice(carry, 0, before));
    }
    if (rows->failed)
        return refuse(seam, &rows->problem, seam->problem_line, "", err);
    size_t used = (size_t)(rows->at - rows->begin);
    seam->carry_line += dump_scan_slot_lines(str_slice(carry, 0, used));
    seam->carry_at += (int64_t)used;
    drop(&seam->carry, used);
    return check_length(seam, err);
}

/* Counts of the true walk before something was done, to tell what it did. */
struct before {
    int64_t count, broken;
};

static struct before begin_seam(struct dump_scan_seam *seam)
{
    scan_slot_clear(seam->reading, seam->user);
    return (struct before){seam->rows.count, seam->rows.broken};
}

static bool end_seam(struct dump_scan_seam *seam, struct before before, struct err *err)
{
    int64_t rows = seam->rows.count - before.count;
    int64_t broken = seam->rows.broken - before.broken;

    /* The walk keeps its first problem only; it is the table's first if none is known. */
    return (rows == 0 && broken == 0) ||
           hand_over(seam, seam->user, rows, broken, &seam->rows.problem,
                     seam->problem_line, err);
}

/* The worker began at the wrong place: the part again, as the true walk continues. */
static bool redo_part(struct dump_scan_seam *seam, struct dump_scan_slot *slot,
                      struct err *err)
{
    struct str rest = str_slice(buf_str(&slot->bytes), slot->head.len, slot->bytes.len);
    size_t skip = slot->head.len, step = DUMP_SCAN_SLOT_STEP_BYTES, got;

    if (!slot->part.again) {
        buf_add(&seam->carry, rest);
        return work_carry(seam, false, err);
    }
    if (seam->reader == NULL)
        seam->reader = input_reader_open(seam->reading->stream);
    if (!input_part_again(seam->reader, &slot->part, err))
        return false;
    slot->len = slot->lines = 0; /* the worker may have given up before the part's end */
    for (;;) {
        struct buf *carry = &seam->carry;
        char *to = buf_reserve(carry, step);
        if (!input_part_read(seam->reader, to, skip > 0 && skip < step ? skip : step,
                             &got, err))
            return false;
        if (got == 0)
            return true;
        slot->len += (int64_t)got;
        if (seam->reading->count_lines)
            slot->lines += dump_scan_slot_lines((struct str){to, got});
        if (skip > 0) {
            skip -= got; /* the head is in the carry already */
            continue;
        }
        carry->len += got;
        int64_t at = seam->carry_at;
        if (!work_carry(seam, false, err))
            return false;
        step = seam->carry_at > at ? DUMP_SCAN_SLOT_STEP_BYTES : carry->len;
    }
}

static bool is_blank(struct str bytes)
{
    return str_trim(bytes).len == 0;
}

/* Takes over where the worker's walk ended. */
static bool adopt(struct dump_scan_seam *seam, const struct dump_scan_slot *slot,
                  struct err *err)
{
    struct dump_rows *rows = &seam->rows;
    struct str root = {rows->root, rows->root_len}, end = {slot->root, slot->root_len};

    seam->carry_at = seam->at + slot->len - (int64_t)slot->tail.len;
    seam->carry_line = seam->line + slot->lines;
    if (seam->reading->count_lines)
        seam->carry_line -= dump_scan_slot_lines(buf_str(&slot->tail));
    buf_clear(&seam->carry);
    buf_add(&seam->carry, buf_str(&slot->tail));
    rows->where = slot->where;
    rows->skipping = slot->skipping;
    rows->root_end = slot->root_end < 0 ? -1 : seam->at + slot->root_end;
    if (root.len == 0 && end.len > 0) {
        memcpy(rows->root, slot->root, slot->root_len);
        rows->root_len = slot->root_len;
    }
    if (slot->where != DUMP_ROWS_AFTER || root.len == 0 || str_eq(root, end))
        return check_length(seam, err);
    struct dump_rows_problem problem = {.offset = seam->at + slot->root_end};
    snprintf(problem.found, sizeof problem.found, "'</%.*s>'", (int)(end.len % 60),
             end.ptr);
    snprintf(problem.expected, sizeof problem.expected, "<row or '</%.*s>'",
             (int)(root.len % 60), root.ptr);
    return refuse(seam, &problem, 0, "", err);
}

/* The seam before the part, then the part. */
static bool merge_rows(struct dump_scan_seam *seam, struct dump_scan_slot *slot,
                       struct err *err)
{
    struct dump_rows *rows = &seam->rows;
    struct dump_rows_problem problem = slot->problem;
    bool right = true;

    problem.offset += seam->at;
    if (slot->part.number > 0) {
        buf_add(&seam->carry, buf_str(&slot->head));
        right = rows->where == DUMP_ROWS_CONTENT && !rows->skipping &&
                is_blank(buf_str(&seam->carry));
        if (!right) {
            struct before before = begin_seam(seam);
            if (!work_carry(seam, false, err))
                return false;
            right = slot->found && rows->where == DUMP_ROWS_CONTENT &&
                    (seam->carry.len == 0 || rows->skipping);
            if (!right && slot->found && !redo_part(seam, slot, err))
                return false;
            if (!end_seam(seam, before, err))
                return false;
        }
    }
    if (!right || seam->result->enough)
        return true;
    if (slot->failed)
        return refuse(seam, &problem, seam->line + slot->problem_line, "", err);
    return adopt(seam, slot, err) &&
           hand_over(seam, slot->user, slot->count, slot->broken, &problem,
                     seam->line + slot->problem_line, err);
}

bool dump_scan_seam_merge(struct dump_scan_seam *seam, struct dump_scan_slot *slot,
                          struct err *err)
{
    const struct dump_scan_job *job = seam->reading->job;
    int64_t rows = seam->result->rows;

    if (!slot->read) {
        *err = slot->err;
        return false;
    }
    if (job->hash && !input_stream_hash_part(seam->reading->stream, &slot->part, err))
        return false;
    if (job->hash)
        input_stream_hashed(seam->reading->stream, &seam->result->hashed);
    if (!merge_rows(seam, slot, err))
        return false;
    seam->at += slot->len;
    seam->line += slot->lines;
    if (job->progress != NULL) {
        job->progress->bytes_all = input_stream_size(seam->reading->stream);
        progress_add(job->progress, slot->len, seam->result->rows - rows);
    }
    return stop_check(err);
}

bool dump_scan_seam_finish(struct dump_scan_seam *seam, struct err *err)
{
    struct dump_scan_result *result = seam->result;

    struct before before = begin_seam(seam);
    if (!input_stream_finish(seam->reading->stream, err) ||
        !work_carry(seam, true, err) || !end_seam(seam, before, err))
        return false;
    if (result->broken > 0 && !seam->reading->count_lines)
        result->first_broken_line = find_line(seam, result->first_broken.offset);
    if (result->rows == 0 && result->broken > 0)
        return refuse(seam, &result->first_broken, result->first_broken_line,
                      "no row can be read: ", err);
    return !seam->reading->job->hash ||
           input_stream_hash(seam->reading->stream, result->hash, err);
}

enum { SLOTS_PER_THREAD = 2 };

struct scan_scan {
    struct dump_scan_reading reading;
    struct dump_scan_seam seam; /* the calling thread's */
    struct dump_scan_slot *slots;
    size_t window; /* slots for parts */

    pthread_mutex_t mutex;
    pthread_cond_t changed;
    /* Under the mutex, as is reading.stop, which is also read without it: */
    int64_t begun, merged; /* parts */
    int running;           /* workers */
    bool end_failed;       /* no further part could be had, because of: */
    struct err end_err;
};

size_t dump_scan_slots(int threads)
{
    return threads <= 1 ? 2 : (size_t)threads * SLOTS_PER_THREAD + 1;
}

/* One thread of several. */
static void *run_worker(void *argument)
{
    struct scan_scan *scan = argument;
    struct input_reader *reader = input_reader_open(scan->reading.stream);
    struct dump_rows rows = {.skip_broken = scan->reading.job->skip_broken};

    pthread_mutex_lock(&scan->mutex);
    for (;;) {
        struct input_part part;
        struct err err = {0};
        bool more;
        while (!atomic_load(&scan->reading.stop) &&
               scan->begun >= scan->merged + (int64_t)scan->window)
            pthread_cond_wait(&scan->changed, &scan->mutex);
        if (atomic_load(&scan->reading.stop))
            break;
        scan->begun++; /* so that a slot is free, whichever part it will be */
        pthread_mutex_unlock(&scan->mutex);
        bool ok = input_part_next(reader, &part, &more, &err);
        if (ok && more) {
            struct dump_scan_slot *slot =
                &scan->slots[(size_t)part.number % scan->window];
            slot->part = part;
            dump_scan_slot_work(&scan->reading, &rows, reader, slot);
        }
        pthread_mutex_lock(&scan->mutex);
        if (part.number >= 0) {
            struct dump_scan_slot *slot =
                &scan->slots[(size_t)part.number % scan->window];
            if (!ok) {
                slot->read = false;
                slot->err = err;
            }
            slot->done = true;
            pthread_cond_broadcast(&scan->changed);
        } else if (!ok) {
            scan->end_failed = true;
            scan->end_err = err;
        }
        if (!ok || !more)
            break;
    }
    scan->running--;
    pthread_cond_broadcast(&scan->changed);
    pthread_mutex_unlock(&scan->mutex);
    dump_rows_free(&rows);
    input_reader_close(reader);
    return NULL;
}

/* Merges parts in their order as the workers make them. */
static bool merge_all(struct scan_scan *scan, struct err *err)
{
    bool ok = true;

    while (ok && !scan->seam.result->enough) {
        struct dump_scan_slot *slot = &scan->slots[(size_t)scan->merged % scan->window];
        pthread_mutex_lock(&scan->mutex);
        while (!slot->done && scan->running > 0)
            pthread_cond_wait(&scan->changed, &scan->mutex);
        bool done = slot->done;
        pthread_mutex_unlock(&scan->mutex);
        if (!done)
            break;
        ok = dump_scan_seam_merge(&scan->seam, slot, err);
        pthread_mutex_lock(&scan->mutex);
        slot->done = false;
        scan->merged++;
        pthread_cond_broadcast(&scan->changed);
        pthread_mutex_unlock(&scan->mutex);
    }
    return ok;
}

static bool run_threads(struct scan_scan *scan, struct arena *arena, struct err *err)
{
    pthread_t *threads =
        arena_array(arena, pthread_t, (size_t)scan->reading.job->threads);
    int started = 0, failure = 0;

    for (; started < scan->reading.job->threads && failure == 0;
         started += failure == 0) {
        pthread_mutex_lock(&scan->mutex);
        scan->running++;
        failure = pthread_create(&threads[started], NULL, run_worker, scan);
        scan->running -= failure != 0; /* fewer than asked for do the same work */
        pthread_mutex_unlock(&scan->mutex);
    }
    bool ok = started > 0 ? merge_all(scan, err)
                          : err_set(err, ERR_SYSTEM, "cannot start a thread: %s",
                                    strerror(failure));
    pthread_mutex_lock(&scan->mutex);
    atomic_store(&scan->reading.stop, true);
    pthread_cond_broadcast(&scan->changed);
    pthread_mutex_unlock(&scan->mutex);
    for (int i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    return ok;
}

static bool run_alone(struct scan_scan *scan, struct err *err)
{
    struct input_reader *reader = input_reader_open(scan->reading.stream);
    struct dump_rows rows = {.skip_broken = scan->reading.job->skip_broken};
    struct dump_scan_slot *slot = &scan->slots[0];
    bool ok = true, more;

    while (ok && !scan->seam.result->enough) {
        ok = input_part_next(reader, &slot->part, &more, err);
        if (!ok || !more)
            break;
        dump_scan_slot_work(&scan->reading, &rows, reader, slot);
        ok = dump_scan_seam_merge(&scan->seam, slot, err);
    }
    dump_rows_free(&rows);
    input_reader_close(reader);
    return ok;
}

static bool finish(struct scan_scan *scan, struct err *err)
{
    if (!scan->end_failed)
        return dump_scan_seam_finish(&scan->seam, err);
    *err = scan->end_err;
    return false;
}

/* The scan stays where it is from then on: its seam points at what is read. */
static void begin(struct scan_scan *scan, struct input *input, size_t member,
                  struct dump_scan_result *result, struct arena *arena)
{
    const struct dump_scan_job *job = scan->reading.job;
    struct dump_scan_seam *seam = &scan->seam;

    if (job->start == 0)
        *result = (struct dump_scan_result){0};
    result->enough = false;
    if (result->broken == 0)
        result->first_broken.offset = -1;
    scan->window = dump_scan_slots(job->threads) - 1;
    scan->slots = arena_array(arena, struct dump_scan_slot, scan->window);
    for (size_t i = 0; i < scan->window; i++)
        scan->slots[i].user = job->slots[i];
    *seam = (struct dump_scan_seam){.reading = &scan->reading,
                                    .result = result,
                                    .input = input,
                                    .member = member,
                                    .place = input_member(input, member)->place,
                                    .user = job->slots[scan->window],
                                    .rows = {.skip_broken = job->skip_broken},
                                    .carry_at = job->start,
                                    .problem_line = -1,
                                    .at = job->start};
    dump_rows_restart(&seam->rows,
                      job->start == 0 ? DUMP_ROWS_PROLOG : DUMP_ROWS_CONTENT);
    seam->line = seam->carry_line = job->start == 0 ? 1 : job->start_line;
    pthread_mutex_init(&scan->mutex, NULL);
    pthread_cond_init(&scan->changed, NULL);
}

bool dump_scan_table(struct input *input, size_t member, const struct dump_scan_job *job,
                     struct dump_scan_result *result, struct err *err)
{
    struct arena arena = {0};
    struct input_stream_options options = {.start = job->start,
                                           .hash = job->hash,
                                           .hashed =
                                               job->start > 0 ? &result->hashed : NULL};
    struct scan_scan scan = {.reading = {.job = job}};
    struct dump_scan_seam *seam = &scan.seam;
    bool ok = false;

    begin(&scan, input, member, result, &arena);
    if (!input_stream_open(input, member, &options, &scan.reading.stream, err))
        goto done;
    scan.reading.count_lines = !input_stream_plain(scan.reading.stream) &&
                               !input_stream_wholes(scan.reading.stream);
    ok = (job->threads <= 1 ? run_alone(&scan, err) : run_threads(&scan, &arena, err)) &&
         (result->enough || finish(&scan, err));
    result->bytes = seam->at - job->start;
done:
    input_reader_close(seam->reader);
    input_stream_close(scan.reading.stream);
    dump_rows_free(&seam->rows);
    buf_free(&seam->carry);
    for (size_t i = 0; i < scan.window; i++) {
        buf_free(&scan.slots[i].bytes);
        buf_free(&scan.slots[i].head);
        buf_free(&scan.slots[i].tail);
    }
    pthread_cond_destroy(&scan.changed);
    pthread_mutex_destroy(&scan.mutex);
    arena_free(&arena);
    return ok;
}
