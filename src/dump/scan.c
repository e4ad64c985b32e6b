/* A part of the table begins and ends anywhere, so its worker looks for the first "<row"
 * and takes the rows from there on, as far as they are whole. What is before that, and
 * what is left, is put together with the neighbours' at merging: the seam. There it also
 * shows whether the worker was right to begin where it did; if not (the "<row" stood in a
 * comment), the part is read once more, from where the one before it ended. */
#include "dump/scan.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

#include "base/stop.h"

enum {
    STEP_BYTES = 128 * 1024, /* read at once of a long part: stays in the cache */
    PAGE_BYTES = 4096,
    ROW_BYTES_MAX = 64 * 1024 * 1024,
    SLOTS_PER_THREAD = 2,
};

/* A part on its way. Offsets and lines count from the part's beginning. */
struct slot {
    void *user;
    struct input_part part;
    struct buf bytes; /* from `begin` on: all, or, of a long part, those at hand */
    size_t begin;
    struct buf head; /* before the first row */
    struct buf tail; /* behind the last whole row */
    int64_t len, lines;
    int64_t problem_line;
    bool found; /* a row's beginning */
    /* What the walk over it came to: */
    int64_t count, broken, root_end;
    struct rows_problem problem;
    bool failed, skipping;
    enum rows_where where;
    char root[ROWS_ROOT_MAX];
    size_t root_len;

    bool done; /* ready to be merged; under the mutex */
    bool read; /* its bytes could be read, else: */
    struct err err;
};

struct scan {
    const struct scan_job *job;
    struct scan_result *result;
    struct input *input;
    size_t member;
    struct input_stream *stream;
    const char *place;
    bool count_lines; /* else they are counted when somebody asks */
    struct slot *slots;
    size_t window; /* slots for parts */
    void *seam;    /* the user's slot for what lies between them */

    pthread_mutex_t mutex;
    pthread_cond_t changed;
    /* Under the mutex: */
    int64_t begun, merged; /* parts */
    int running;           /* workers */
    atomic_bool stop;      /* also read without it */
    bool end_failed;       /* no further part could be had, because of: */
    struct err end_err;

    /* The calling thread's: */
    struct rows rows; /* the true walk */
    struct buf carry; /* what it has not yet dealt with */
    int64_t carry_at, carry_line;
    int64_t problem_line; /* of the walk's first problem; -1: there is none */
    int64_t at, line;     /* where the next part begins */
    struct input_reader *reader;
};

size_t scan_slots(int threads)
{
    return threads <= 1 ? 2 : (size_t)threads * SLOTS_PER_THREAD + 1;
}

static int64_t count_lines(struct str bytes)
{
    const char *p = bytes.ptr, *end = bytes.ptr + bytes.len;
    int64_t lines = 0;

    while (p < end && (p = memchr(p, '\n', (size_t)(end - p))) != NULL) {
        lines++;
        p++;
    }
    return lines;
}

static void clear_user(const struct scan *scan, void *user)
{
    if (scan->job->clear != NULL)
        scan->job->clear(scan->job->context, user);
}

static void work(const struct scan *scan, void *user, struct rows *rows, struct str block,
                 int64_t offset, bool last)
{
    struct rows_row row;

    rows_block(rows, block, offset, last);
    scan->job->work(scan->job->context, user, rows);
    while (rows_next(rows, &row)) /* what the worker did not look at */
        ;
}

/* Moves what is left of the bytes to their beginning. */
static void drop(struct buf *bytes, size_t used)
{
    bytes->len -= used;
    if (bytes->len > 0)
        memmove(bytes->ptr, bytes->ptr + used, bytes->len);
}

static struct str at_hand(const struct slot *slot)
{
    return str_slice(buf_str(&slot->bytes), slot->begin, slot->bytes.len);
}

/* Moves the bytes at hand to where they end with a page, not far from the beginning: what
 * is read behind them comes several times as fast as to an odd address. */
static void move_down(struct slot *slot)
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
static bool read_some(const struct scan *scan, struct input_reader *reader,
                      struct slot *slot, size_t room, size_t *got)
{
    char *to = buf_reserve(&slot->bytes, room + ROWS_PADDING);

    if (!input_part_read(reader, to, room, got, &slot->err))
        return false;
    if (scan->job->hash && scan->job->threads <= 1 &&
        !input_stream_hash_bytes(scan->stream, &slot->part, slot->len,
                                 (struct str){to, *got}, &slot->err))
        return false;
    slot->bytes.len += *got;
    slot->len += (int64_t)*got;
    if (scan->count_lines)
        slot->lines += count_lines((struct str){to, *got});
    return true;
}

/* How many of the slot's bytes come before the part's first row; they go to the head. */
static size_t find_first(struct slot *slot, bool last)
{
    struct str bytes = at_hand(slot);
    size_t before = bytes.len;

    if (slot->found)
        return 0;
    const char *row = rows_find(bytes);
    if (row != NULL)
        before = (size_t)(row - bytes.ptr);
    else if (!last) /* the last bytes may begin one */
        before = bytes.len < 4 ? 0 : bytes.len - 4;
    slot->found = row != NULL;
    buf_add(&slot->head, str_slice(bytes, 0, before));
    return before;
}

/* The rows in slot->bytes from `from` on; returns how many bytes are dealt with. */
static size_t work_bytes(const struct scan *scan, struct rows *rows, struct slot *slot,
                         size_t from)
{
    struct str bytes = at_hand(slot);
    int64_t offset = slot->len - (int64_t)bytes.len;

    work(scan, slot->user, rows, str_slice(bytes, from, bytes.len),
         offset + (int64_t)from, false);
    if (scan->count_lines && rows->problem.offset >= 0 && slot->problem_line < 0) {
        struct str before = str_slice(bytes, 0, (size_t)(rows->problem.offset - offset));
        slot->problem_line = slot->lines - count_lines(bytes) + count_lines(before);
    }
    return from + (size_t)(rows->at - rows->begin);
}

/* A part that is read at once; its bytes stay in the slot. */
static bool work_short_part(const struct scan *scan, struct rows *rows,
                            struct input_reader *reader, struct slot *slot)
{
    size_t got;

    do {
        if (!read_some(scan, reader, slot, INPUT_PART_BYTES, &got))
            return false;
    } while (got > 0);
    size_t used = find_first(slot, true);
    if (slot->found)
        used = work_bytes(scan, rows, slot, used);
    buf_add(&slot->tail, str_slice(buf_str(&slot->bytes), used, slot->bytes.len));
    return true;
}

/* A part that may be long: its bytes only pass through the slot. */
static bool work_long_part(const struct scan *scan, struct rows *rows,
                           struct input_reader *reader, struct slot *slot)
{
    size_t step = STEP_BYTES, got;

    do {
        move_down(slot);
        if (!read_some(scan, reader, slot, step, &got))
            return false;
        slot->begin += find_first(slot, got == 0);
        if (slot->found && got > 0) {
            size_t used = work_bytes(scan, rows, slot, 0);
            slot->begin += used;
            /* A row longer than a step is begun again with each, so they grow. */
            step = used > 0 ? STEP_BYTES : at_hand(slot).len;
        }
    } while (got > 0 && !rows->failed && at_hand(slot).len <= ROW_BYTES_MAX &&
             !atomic_load(&scan->stop));
    buf_add(&slot->tail, at_hand(slot));
    return true;
}

/* Everything that can be done with a part before those before it are merged. */
static void work_part(const struct scan *scan, struct rows *rows,
                      struct input_reader *reader, struct slot *slot)
{
    bool first = slot->part.number == 0;

    rows_restart(rows, first && scan->job->start == 0 ? ROWS_PROLOG : ROWS_CONTENT);
    buf_clear(&slot->bytes);
    slot->begin = 0;
    buf_clear(&slot->head);
    buf_clear(&slot->tail);
    slot->len = slot->lines = 0;
    slot->problem_line = -1;
    slot->found = first; /* it begins where it has to */
    clear_user(scan, slot->user);
    slot->read = slot->part.again ? work_long_part(scan, rows, reader, slot)
                                  : work_short_part(scan, rows, reader, slot);
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

/* Counts the lines of a plain file up to a place: nobody did while it was read. */
static int64_t find_line(const struct scan *scan, int64_t offset)
{
    struct input_stream_options options = {0};
    struct input_stream *stream;
    struct buf bytes = {0};
    struct err ignored;
    int64_t line = 1;
    size_t got = 1;

    if (!input_stream_open(scan->input, scan->member, &options, &stream, &ignored))
        return 0;
    while (offset > 0 && got > 0) {
        size_t room = offset < STEP_BYTES ? (size_t)offset : STEP_BYTES;
        if (!input_stream_read(stream, buf_reserve(&bytes, STEP_BYTES), room, &got,
                               &ignored))
            break;
        line += count_lines((struct str){bytes.ptr, got});
        offset -= (int64_t)got;
    }
    buf_free(&bytes);
    input_stream_close(stream);
    return offset == 0 ? line : 0;
}

static bool refuse(const struct scan *scan, const struct rows_problem *problem,
                   int64_t line, const char *before, struct err *err)
{
    char place[32] = "";

    if (!scan->count_lines)
        line = find_line(scan, problem->offset);
    else if (scan->job->start > 0 && scan->job->start_line == 0)
        line = 0; /* nobody knows */
    if (line > 0)
        snprintf(place, sizeof place, ":%lld", (long long)line);
    return err_set(err, ERR_INPUT, "%s%s: %sbyte %lld: found %s; expected %s",
                   scan->place, place, before, (long long)problem->offset, problem->found,
                   problem->expected);
}

/* A slot's or a seam's outcome is in order: count it and tell the user. `broken` rows
 * were skipped, the first of them at the problem. */
static bool hand_over(struct scan *scan, void *user, int64_t rows, int64_t broken,
                      const struct rows_problem *problem, int64_t line, struct err *err)
{
    const struct scan_job *job = scan->job;
    struct scan_result *result = scan->result;
    struct scan_part part = {rows, broken, scan->carry_at, scan->carry_line};

    /* Whoever goes on from here believes to be among rows, so the table's end is left. */
    if (scan->rows.where == ROWS_AFTER && scan->rows.root_end >= 0)
        part.bytes = scan->rows.root_end;
    result->rows += rows;
    result->broken += broken;
    if (broken > 0 && result->first_broken.offset < 0) {
        result->first_broken = *problem;
        result->first_broken_line = line;
    }
    enum scan_next next = job->merge(job->context, user, &part, err);
    result->enough = next == SCAN_ENOUGH;
    return next != SCAN_FAIL;
}

/* What is carried must end some time. */
static bool check_length(struct scan *scan, struct err *err)
{
    struct rows_problem problem = {.offset = scan->carry_at};

    if (scan->carry.len <= ROW_BYTES_MAX)
        return true;
    rows_show(buf_str(&scan->carry), problem.found, sizeof problem.found);
    snprintf(problem.expected, sizeof problem.expected, "its end within %d MB",
             ROW_BYTES_MAX >> 20);
    return refuse(scan, &problem, scan->carry_line, "", err);
}

/* The true walk over what is carried, with the seam's slot. */
static bool work_carry(struct scan *scan, bool last, struct err *err)
{
    struct rows *rows = &scan->rows;
    struct str carry;

    buf_reserve(&scan->carry, ROWS_PADDING);
    carry = buf_str(&scan->carry);
    work(scan, scan->seam, rows, carry, scan->carry_at, last);
    if (rows->problem.offset >= 0 && scan->problem_line < 0) {
        size_t before = (size_t)(rows->problem.offset - scan->carry_at);
        scan->problem_line = scan->carry_line + count_lines(str_slice(carry, 0, before));
    }
    if (rows->failed)
        return refuse(scan, &rows->problem, scan->problem_line, "", err);
    size_t used = (size_t)(rows->at - rows->begin);
    scan->carry_line += count_lines(str_slice(carry, 0, used));
    scan->carry_at += (int64_t)used;
    drop(&scan->carry, used);
    return check_length(scan, err);
}

/* Counts of the true walk before something was done, to tell what it did. */
struct before {
    int64_t count, broken;
};

static struct before begin_seam(struct scan *scan)
{
    clear_user(scan, scan->seam);
    return (struct before){scan->rows.count, scan->rows.broken};
}

static bool end_seam(struct scan *scan, struct before before, struct err *err)
{
    int64_t rows = scan->rows.count - before.count;
    int64_t broken = scan->rows.broken - before.broken;

    /* The walk keeps its first problem only; it is the table's first if none is known. */
    return (rows == 0 && broken == 0) ||
           hand_over(scan, scan->seam, rows, broken, &scan->rows.problem,
                     scan->problem_line, err);
}

/* The worker began at the wrong place: the part again, as the true walk continues. */
static bool redo_part(struct scan *scan, struct slot *slot, struct err *err)
{
    struct str rest = str_slice(buf_str(&slot->bytes), slot->head.len, slot->bytes.len);
    size_t skip = slot->head.len, step = STEP_BYTES, got;

    if (!slot->part.again) {
        buf_add(&scan->carry, rest);
        return work_carry(scan, false, err);
    }
    if (scan->reader == NULL)
        scan->reader = input_reader_open(scan->stream);
    if (!input_part_again(scan->reader, &slot->part, err))
        return false;
    slot->len = slot->lines = 0; /* the worker may have given up before the part's end */
    for (;;) {
        struct buf *carry = &scan->carry;
        char *to = buf_reserve(carry, step);
        if (!input_part_read(scan->reader, to, skip > 0 && skip < step ? skip : step,
                             &got, err))
            return false;
        if (got == 0)
            return true;
        slot->len += (int64_t)got;
        if (scan->count_lines)
            slot->lines += count_lines((struct str){to, got});
        if (skip > 0) {
            skip -= got; /* the head is in the carry already */
            continue;
        }
        carry->len += got;
        int64_t at = scan->carry_at;
        if (!work_carry(scan, false, err))
            return false;
        step = scan->carry_at > at ? STEP_BYTES : carry->len;
    }
}

static bool is_blank(struct str bytes)
{
    return str_trim(bytes).len == 0;
}

/* Takes over where the worker's walk ended. */
static bool adopt(struct scan *scan, const struct slot *slot, struct err *err)
{
    struct rows *rows = &scan->rows;
    struct str root = {rows->root, rows->root_len}, end = {slot->root, slot->root_len};

    scan->carry_at = scan->at + slot->len - (int64_t)slot->tail.len;
    scan->carry_line = scan->line + slot->lines;
    if (scan->count_lines)
        scan->carry_line -= count_lines(buf_str(&slot->tail));
    buf_clear(&scan->carry);
    buf_add(&scan->carry, buf_str(&slot->tail));
    rows->where = slot->where;
    rows->skipping = slot->skipping;
    rows->root_end = slot->root_end < 0 ? -1 : scan->at + slot->root_end;
    if (root.len == 0 && end.len > 0) {
        memcpy(rows->root, slot->root, slot->root_len);
        rows->root_len = slot->root_len;
    }
    if (slot->where != ROWS_AFTER || root.len == 0 || str_eq(root, end))
        return check_length(scan, err);
    struct rows_problem problem = {.offset = scan->at + slot->root_end};
    snprintf(problem.found, sizeof problem.found, "'</%.*s>'", (int)(end.len % 60),
             end.ptr);
    snprintf(problem.expected, sizeof problem.expected, "<row or '</%.*s>'",
             (int)(root.len % 60), root.ptr);
    return refuse(scan, &problem, 0, "", err);
}

/* The seam before the part, then the part. */
static bool merge_rows(struct scan *scan, struct slot *slot, struct err *err)
{
    struct rows *rows = &scan->rows;
    struct rows_problem problem = slot->problem;
    bool right = true;

    problem.offset += scan->at;
    if (slot->part.number > 0) {
        buf_add(&scan->carry, buf_str(&slot->head));
        right = rows->where == ROWS_CONTENT && !rows->skipping &&
                is_blank(buf_str(&scan->carry));
        if (!right) {
            struct before before = begin_seam(scan);
            if (!work_carry(scan, false, err))
                return false;
            right = slot->found && rows->where == ROWS_CONTENT &&
                    (scan->carry.len == 0 || rows->skipping);
            if (!right && slot->found && !redo_part(scan, slot, err))
                return false;
            if (!end_seam(scan, before, err))
                return false;
        }
    }
    if (!right || scan->result->enough)
        return true;
    if (slot->failed)
        return refuse(scan, &problem, scan->line + slot->problem_line, "", err);
    return adopt(scan, slot, err) &&
           hand_over(scan, slot->user, slot->count, slot->broken, &problem,
                     scan->line + slot->problem_line, err);
}

static bool merge(struct scan *scan, struct slot *slot, struct err *err)
{
    const struct scan_job *job = scan->job;
    int64_t rows = scan->result->rows;

    if (!slot->read) {
        *err = slot->err;
        return false;
    }
    if (job->hash && !input_stream_hash_part(scan->stream, &slot->part, err))
        return false;
    if (!merge_rows(scan, slot, err))
        return false;
    scan->at += slot->len;
    scan->line += slot->lines;
    if (job->progress != NULL) {
        job->progress->bytes_all = input_stream_size(scan->stream);
        progress_add(job->progress, slot->len, scan->result->rows - rows);
    }
    return stop_check(err);
}

/* One thread of several. */
static void *run_worker(void *argument)
{
    struct scan *scan = argument;
    struct input_reader *reader = input_reader_open(scan->stream);
    struct rows rows = {.skip_broken = scan->job->skip_broken};

    pthread_mutex_lock(&scan->mutex);
    for (;;) {
        struct input_part part;
        struct err err = {0};
        bool more;
        while (!atomic_load(&scan->stop) &&
               scan->begun >= scan->merged + (int64_t)scan->window)
            pthread_cond_wait(&scan->changed, &scan->mutex);
        if (atomic_load(&scan->stop))
            break;
        scan->begun++; /* so that a slot is free, whichever part it will be */
        pthread_mutex_unlock(&scan->mutex);
        bool ok = input_part_next(reader, &part, &more, &err);
        if (ok && more) {
            struct slot *slot = &scan->slots[(size_t)part.number % scan->window];
            slot->part = part;
            work_part(scan, &rows, reader, slot);
        }
        pthread_mutex_lock(&scan->mutex);
        if (part.number >= 0) {
            struct slot *slot = &scan->slots[(size_t)part.number % scan->window];
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
    rows_free(&rows);
    input_reader_close(reader);
    return NULL;
}

/* Merges parts in their order as the workers make them. */
static bool merge_all(struct scan *scan, struct err *err)
{
    bool ok = true;

    while (ok && !scan->result->enough) {
        struct slot *slot = &scan->slots[(size_t)scan->merged % scan->window];
        pthread_mutex_lock(&scan->mutex);
        while (!slot->done && scan->running > 0)
            pthread_cond_wait(&scan->changed, &scan->mutex);
        bool done = slot->done;
        pthread_mutex_unlock(&scan->mutex);
        if (!done)
            break;
        ok = merge(scan, slot, err);
        pthread_mutex_lock(&scan->mutex);
        slot->done = false;
        scan->merged++;
        pthread_cond_broadcast(&scan->changed);
        pthread_mutex_unlock(&scan->mutex);
    }
    return ok;
}

static bool run_threads(struct scan *scan, struct arena *arena, struct err *err)
{
    pthread_t *threads = arena_array(arena, pthread_t, (size_t)scan->job->threads);
    int started = 0, failure = 0;

    for (; started < scan->job->threads && failure == 0; started += failure == 0) {
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
    atomic_store(&scan->stop, true);
    pthread_cond_broadcast(&scan->changed);
    pthread_mutex_unlock(&scan->mutex);
    for (int i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    return ok;
}

static bool run_alone(struct scan *scan, struct err *err)
{
    struct input_reader *reader = input_reader_open(scan->stream);
    struct rows rows = {.skip_broken = scan->job->skip_broken};
    struct slot *slot = &scan->slots[0];
    bool ok = true, more;

    while (ok && !scan->result->enough) {
        ok = input_part_next(reader, &slot->part, &more, err);
        if (!ok || !more)
            break;
        work_part(scan, &rows, reader, slot);
        ok = merge(scan, slot, err);
    }
    rows_free(&rows);
    input_reader_close(reader);
    return ok;
}

/* All parts are merged: the table must end here. */
static bool finish(struct scan *scan, struct err *err)
{
    struct scan_result *result = scan->result;

    if (scan->end_failed) {
        *err = scan->end_err;
        return false;
    }
    struct before before = begin_seam(scan);
    if (!input_stream_finish(scan->stream, err) || !work_carry(scan, true, err) ||
        !end_seam(scan, before, err))
        return false;
    if (result->broken > 0 && !scan->count_lines)
        result->first_broken_line = find_line(scan, result->first_broken.offset);
    if (result->rows == 0 && result->broken > 0)
        return refuse(scan, &result->first_broken, result->first_broken_line,
                      "no row can be read: ", err);
    return !scan->job->hash || input_stream_hash(scan->stream, result->hash, err);
}

bool scan_table(struct input *input, size_t member, const struct scan_job *job,
                struct scan_result *result, struct err *err)
{
    struct arena arena = {0};
    struct input_stream_options options = {.start = job->start, .hash = job->hash};
    struct scan scan = {.job = job, .result = result, .input = input, .member = member};
    bool ok = false;

    *result = (struct scan_result){.first_broken = {.offset = -1}};
    scan.place = input_member(input, member)->place;
    scan.window = scan_slots(job->threads) - 1;
    scan.slots = arena_array(&arena, struct slot, scan.window);
    for (size_t i = 0; i < scan.window; i++)
        scan.slots[i].user = job->slots[i];
    scan.seam = job->slots[scan.window];
    scan.rows.skip_broken = job->skip_broken;
    rows_restart(&scan.rows, job->start == 0 ? ROWS_PROLOG : ROWS_CONTENT);
    scan.at = scan.carry_at = job->start;
    scan.line = scan.carry_line = job->start == 0 ? 1 : job->start_line;
    scan.problem_line = -1;
    pthread_mutex_init(&scan.mutex, NULL);
    pthread_cond_init(&scan.changed, NULL);
    if (!input_stream_open(input, member, &options, &scan.stream, err))
        goto done;
    scan.count_lines = !input_stream_plain(scan.stream);
    ok = (job->threads <= 1 ? run_alone(&scan, err) : run_threads(&scan, &arena, err)) &&
         (result->enough || finish(&scan, err));
    result->bytes = scan.at - job->start;
done:
    input_reader_close(scan.reader);
    input_stream_close(scan.stream);
    rows_free(&scan.rows);
    buf_free(&scan.carry);
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
