/* Threads take parts of the table as they come; the calling thread merges what they made
 * of them, in the order of the file. */
#include "dump/scan.h"

#include <pthread.h>

#include "dump/scan_seam.h"

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
    struct input_stream_options options = {.start = job->start, .hash = job->hash};
    struct scan_scan scan = {.reading = {.job = job}};
    struct dump_scan_seam *seam = &scan.seam;
    bool ok = false;

    begin(&scan, input, member, result, &arena);
    if (!input_stream_open(input, member, &options, &scan.reading.stream, err))
        goto done;
    scan.reading.count_lines = !input_stream_plain(scan.reading.stream);
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
