/* Piece p uses slot p mod slots. A worker may begin p when the piece that had its slot
 * before has been taken; the caller takes p when it is made. */
#define _GNU_SOURCE /* sched_getaffinity() */
#include "base/parallel.h"

#include <pthread.h>
#include <sched.h>
#include <string.h>

#include "base/arena.h"

enum { SLOTS_PER_THREAD = 2 };

struct pool {
    const struct parallel_job *job;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    size_t begun, taken; /* pieces */
    bool *made;          /* by slot */
    bool ended;
};

size_t parallel_slots(int threads)
{
    return threads <= 1 ? 1 : (size_t)threads * SLOTS_PER_THREAD;
}

int parallel_cores(void)
{
    cpu_set_t set;

    if (sched_getaffinity(0, sizeof set, &set) != 0)
        return 1;
    int count = CPU_COUNT(&set);
    return count > 0 ? count : 1;
}

static bool run_alone(const struct parallel_job *job, struct err *err)
{
    for (size_t piece = 0; piece < job->pieces; piece++) {
        job->make(job->context, piece, job->slots[0]);
        if (!job->take(job->context, piece, job->slots[0], err))
            return false;
    }
    return true;
}

static void *work(void *argument)
{
    struct pool *pool = argument;
    const struct parallel_job *job = pool->job;
    size_t slots = parallel_slots(job->threads);

    pthread_mutex_lock(&pool->mutex);
    for (;;) {
        while (!pool->ended && pool->begun < job->pieces &&
               pool->begun >= pool->taken + slots)
            pthread_cond_wait(&pool->changed, &pool->mutex);
        if (pool->ended || pool->begun == job->pieces)
            break;
        size_t piece = pool->begun++;
        pthread_mutex_unlock(&pool->mutex);
        job->make(job->context, piece, job->slots[piece % slots]);
        pthread_mutex_lock(&pool->mutex);
        pool->made[piece % slots] = true;
        pthread_cond_broadcast(&pool->changed);
    }
    pthread_mutex_unlock(&pool->mutex);
    return NULL;
}

static bool take_all(struct pool *pool, struct err *err)
{
    const struct parallel_job *job = pool->job;
    size_t slots = parallel_slots(job->threads);

    for (size_t piece = 0; piece < job->pieces; piece++) {
        pthread_mutex_lock(&pool->mutex);
        while (!pool->made[piece % slots])
            pthread_cond_wait(&pool->changed, &pool->mutex);
        pthread_mutex_unlock(&pool->mutex);
        if (!job->take(job->context, piece, job->slots[piece % slots], err))
            return false;
        pthread_mutex_lock(&pool->mutex);
        pool->made[piece % slots] = false;
        pool->taken++;
        pthread_cond_broadcast(&pool->changed);
        pthread_mutex_unlock(&pool->mutex);
    }
    return true;
}

bool parallel_run(const struct parallel_job *job, struct err *err)
{
    struct arena arena = {0};
    struct pool pool = {.job = job};
    int started = 0;
    bool ok = false;

    if (job->threads <= 1)
        return run_alone(job, err);
    pool.made = arena_array(&arena, bool, parallel_slots(job->threads));
    pthread_mutex_init(&pool.mutex, NULL);
    pthread_cond_init(&pool.changed, NULL);
    pthread_t *threads = arena_array(&arena, pthread_t, (size_t)job->threads);
    for (; started < job->threads; started++) {
        int failure = pthread_create(&threads[started], NULL, work, &pool);
        if (failure != 0 && started == 0) {
            err_set(err, ERR_SYSTEM, "cannot start a thread: %s", strerror(failure));
            goto done;
        }
        if (failure != 0)
            break; /* fewer than asked for do the same work */
    }
    ok = take_all(&pool, err);
done:
    pthread_mutex_lock(&pool.mutex);
    pool.ended = true;
    pthread_cond_broadcast(&pool.changed);
    pthread_mutex_unlock(&pool.mutex);
    for (int i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    pthread_cond_destroy(&pool.changed);
    pthread_mutex_destroy(&pool.mutex);
    arena_free(&arena);
    return ok;
}
