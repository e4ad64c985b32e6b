/* Threads take parts and queue their bytes in chunks; the caller empties the queues in
 * the order of the parts. There are only so many chunks: whose part is not the caller's
 * next waits for a free one, whose part it is never has to. */
#include <pthread.h>
#include <string.h>

#include "input/internal.h"

enum {
    CHUNK_BYTES = INPUT_PART_BYTES,
    CHUNKS_MAX = 96,
    PARTS_PER_THREAD = 4,
};

struct ahead_chunk {
    struct ahead_chunk *next;
    size_t len;
    struct buf bytes;
};

/* A part whose bytes are on their way. */
struct queue {
    struct ahead_chunk *first, *last;
    bool done, failed;
    struct err err;
};

struct input_ahead {
    struct arena arena;
    struct input_stream *stream;
    pthread_t *threads;
    int started;
    struct ahead_chunk *given; /* to the caller */

    pthread_mutex_t mutex;
    pthread_cond_t changed;
    /* Under the mutex: */
    struct queue *queues;
    size_t window;
    int64_t begun, taken; /* parts */
    int running;          /* threads */
    bool stop;
    bool end_failed; /* there is no further part because of: */
    struct err end_err;
    struct ahead_chunk *free;
    size_t chunks; /* made so far */
};

/* A chunk to fill for the part; NULL when all is to end. The mutex is held. */
static struct ahead_chunk *get_chunk(struct input_ahead *ahead, int64_t part)
{
    while (!ahead->stop && ahead->free == NULL && ahead->chunks >= CHUNKS_MAX &&
           part > ahead->taken)
        pthread_cond_wait(&ahead->changed, &ahead->mutex);
    if (ahead->stop)
        return NULL;
    struct ahead_chunk *chunk = ahead->free;
    if (chunk != NULL) {
        ahead->free = chunk->next;
    } else {
        chunk = arena_array(&ahead->arena, struct ahead_chunk, 1);
        ahead->chunks++;
    }
    chunk->next = NULL;
    return chunk;
}

static void put_back(struct input_ahead *ahead, struct ahead_chunk *chunk)
{
    chunk->next = ahead->free;
    ahead->free = chunk;
}

static void enqueue(struct queue *queue, struct ahead_chunk *chunk)
{
    if (queue->last != NULL)
        queue->last->next = chunk;
    else
        queue->first = chunk;
    queue->last = chunk;
}

/* Queues the bytes of a part. The mutex is held, but not while it reads. */
static void read_part(struct input_ahead *ahead, struct input_reader *reader,
                      const struct input_part *part)
{
    struct queue *queue = &ahead->queues[(size_t)part->number % ahead->window];
    struct err err = {0};
    size_t got = 1;
    bool ok = true;

    while (ok && got > 0) {
        struct ahead_chunk *chunk = get_chunk(ahead, part->number);
        if (chunk == NULL)
            break;
        pthread_mutex_unlock(&ahead->mutex);
        ok = input_part_read(reader, buf_reserve(&chunk->bytes, CHUNK_BYTES), CHUNK_BYTES,
                             &got, &err);
        pthread_mutex_lock(&ahead->mutex);
        chunk->len = got;
        if (ok && got > 0)
            enqueue(queue, chunk);
        else
            put_back(ahead, chunk);
        pthread_cond_broadcast(&ahead->changed);
    }
    queue->failed = !ok;
    queue->err = err;
    queue->done = true;
    pthread_cond_broadcast(&ahead->changed);
}

static void *run(void *argument)
{
    struct input_ahead *ahead = argument;
    struct input_reader *reader = input_reader_open(ahead->stream);
    struct input_part part;
    struct err err = {0};
    bool ok = true, more = true;

    pthread_mutex_lock(&ahead->mutex);
    while (ok && more) {
        while (!ahead->stop && ahead->begun >= ahead->taken + (int64_t)ahead->window)
            pthread_cond_wait(&ahead->changed, &ahead->mutex);
        if (ahead->stop)
            break;
        ahead->begun++;
        pthread_mutex_unlock(&ahead->mutex);
        ok = input_part_next(reader, &part, &more, &err);
        pthread_mutex_lock(&ahead->mutex);
        if (ok && more) {
            read_part(ahead, reader, &part);
        } else if (!ok && part.number >= 0) {
            struct queue *queue = &ahead->queues[(size_t)part.number % ahead->window];
            queue->failed = queue->done = true;
            queue->err = err;
        } else if (!ok) {
            ahead->end_failed = true;
            ahead->end_err = err;
        }
    }
    ahead->running--;
    pthread_cond_broadcast(&ahead->changed);
    pthread_mutex_unlock(&ahead->mutex);
    input_reader_close(reader);
    return NULL;
}

bool input_ahead_open(struct input_stream *stream, int threads, struct input_ahead **out,
                      struct err *err)
{
    struct arena arena = {0};
    struct input_ahead *ahead = arena_array(&arena, struct input_ahead, 1);
    int failure = 0;

    if (threads < 1)
        threads = 1;
    ahead->arena = arena;
    ahead->stream = stream;
    ahead->window = (size_t)threads * PARTS_PER_THREAD;
    ahead->queues = arena_array(&ahead->arena, struct queue, ahead->window);
    ahead->threads = arena_array(&ahead->arena, pthread_t, (size_t)threads);
    pthread_mutex_init(&ahead->mutex, NULL);
    pthread_cond_init(&ahead->changed, NULL);
    pthread_mutex_lock(&ahead->mutex);
    while (ahead->started < threads && failure == 0) {
        failure = pthread_create(&ahead->threads[ahead->started], NULL, run, ahead);
        ahead->started += failure == 0;
    }
    ahead->running = ahead->started;
    pthread_mutex_unlock(&ahead->mutex);
    if (ahead->started == 0) {
        input_ahead_close(ahead);
        return err_set(err, ERR_SYSTEM, "cannot start a thread: %s", strerror(failure));
    }
    *out = ahead;
    return true;
}

bool input_ahead_read(struct input_ahead *ahead, struct str *bytes, struct err *err)
{
    bool ok = true;

    *bytes = (struct str){0};
    pthread_mutex_lock(&ahead->mutex);
    if (ahead->given != NULL)
        put_back(ahead, ahead->given);
    ahead->given = NULL;
    for (;;) {
        struct queue *queue = &ahead->queues[(size_t)ahead->taken % ahead->window];
        while (queue->first == NULL && !queue->done && ahead->running > 0)
            pthread_cond_wait(&ahead->changed, &ahead->mutex);
        if (queue->first != NULL) {
            ahead->given = queue->first;
            queue->first = ahead->given->next;
            if (queue->first == NULL)
                queue->last = NULL;
            *bytes = (struct str){ahead->given->bytes.ptr, ahead->given->len};
            break;
        }
        if (queue->failed || (!queue->done && ahead->end_failed)) {
            *err = queue->failed ? queue->err : ahead->end_err;
            ok = false;
            break;
        }
        if (!queue->done)
            break; /* the end */
        *queue = (struct queue){0};
        ahead->taken++;
        pthread_cond_broadcast(&ahead->changed);
    }
    pthread_cond_broadcast(&ahead->changed);
    pthread_mutex_unlock(&ahead->mutex);
    return ok;
}

static void free_chunks(struct ahead_chunk *chunk)
{
    for (; chunk != NULL; chunk = chunk->next)
        buf_free(&chunk->bytes);
}

void input_ahead_close(struct input_ahead *ahead)
{
    if (ahead == NULL)
        return;
    pthread_mutex_lock(&ahead->mutex);
    ahead->stop = true;
    pthread_cond_broadcast(&ahead->changed);
    pthread_mutex_unlock(&ahead->mutex);
    for (int i = 0; i < ahead->started; i++)
        pthread_join(ahead->threads[i], NULL);
    for (size_t i = 0; i < ahead->window; i++)
        free_chunks(ahead->queues[i].first);
    free_chunks(ahead->free);
    free_chunks(ahead->given);
    pthread_cond_destroy(&ahead->changed);
    pthread_mutex_destroy(&ahead->mutex);
    struct arena arena = ahead->arena; /* it holds *ahead itself */
    arena_free(&arena);
}
