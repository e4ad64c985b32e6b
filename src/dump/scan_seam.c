/* What is before a part's first row, and what is left behind its last, is put together
 * with the neighbours' at merging: the seam. There it also shows whether the worker was
 * right to begin where it did; if not (the "<row" stood in a comment), the part is read
 * once more, from where the one before it ended. */
#include "dump/scan_seam.h"

#include <stdio.h>

#include "base/stop.h"

/* Moves what is left of the bytes to their beginning. */
static void drop(struct buf *bytes, size_t used)
{
    bytes->len -= used;
    if (bytes->len > 0)
        memmove(bytes->ptr, bytes->ptr + used, bytes->len);
}

/* Counts the lines of a plain file up to a place: nobody did while it was read. */
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
    dump_scan_slot_rows(seam->reading, seam->user, rows, carry, seam->carry_at, last);
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
    dump_scan_slot_clear(seam->reading, seam->user);
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
