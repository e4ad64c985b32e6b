/* See aside.h. A digest is handed over whole, and then belongs to whoever took it. */
#include "serve/internal.h"

#include <pthread.h>
#include <string.h>
#include <time.h>

enum {
    LOOK_MS = 200,       /* how often labels.db is asked for news */
    REST = 3,            /* after so much work, that many times as much rest ... */
    REST_MAX_MS = 60000, /* ... but not more than this */
};

struct serve_aside {
    struct arena arena; /* holds the struct itself */
    const struct label_task *task;
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t ending;
    bool ended;                  /* by serve_aside_close() */
    struct serve_digest *made;   /* not yet taken; NULL: none */
    struct serve_digest *latest; /* taken; of the thread that asks */
};

static void hand_over(struct serve_aside *aside, struct serve_digest *digest)
{
    pthread_mutex_lock(&aside->mutex);
    struct serve_digest *older = aside->made;
    aside->made = digest;
    pthread_mutex_unlock(&aside->mutex);
    serve_digest_free(older);
}

/* False when it is time to end. */
static bool rest(struct serve_aside *aside, int64_t wait_ms)
{
    struct timespec until;

    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += wait_ms / 1000;
    until.tv_nsec += wait_ms % 1000 * 1000000;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_mutex_lock(&aside->mutex);
    while (!aside->ended &&
           pthread_cond_timedwait(&aside->ending, &aside->mutex, &until) == 0)
        ;
    bool ended = aside->ended;
    pthread_mutex_unlock(&aside->mutex);
    return !ended;
}

/* Processor time of this thread: others' work on the machine is no reason to rest. */
static int64_t worked_ms(void)
{
    struct timespec used;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
    return (int64_t)used.tv_sec * 1000 + used.tv_nsec / 1000000;
}

static void follow(struct serve_aside *aside, struct label *label)
{
    int64_t seen = -1, changes, wait_ms = 0;
    struct err err = {0};

    while (rest(aside, wait_ms)) {
        int64_t before_ms = worked_ms();
        /* What goes wrong here goes wrong in the digest as well, which says so. */
        bool known = label_changes(label, &changes, &err);
        if (!known || changes != seen)
            hand_over(aside, serve_digest_make(label));
        seen = known ? changes : -1;
        wait_ms = REST * (worked_ms() - before_ms);
        wait_ms = wait_ms < LOOK_MS       ? LOOK_MS
                  : wait_ms > REST_MAX_MS ? REST_MAX_MS
                                          : wait_ms;
    }
}

static void fail(struct serve_aside *aside, const struct err *err)
{
    struct arena arena = {0};
    struct serve_digest *digest = arena_array(&arena, struct serve_digest, 1);

    digest->failure = arena_copy(&arena, str_from(err->text));
    digest->arena = arena;
    hand_over(aside, digest);
}

static void *work(void *argument)
{
    struct serve_aside *aside = argument;
    struct label *label = NULL;
    struct buf problems = {0};
    struct err err = {0};

    if (label_open(aside->task->study, aside->task->name, &label, &problems, &err))
        follow(aside, label);
    else
        fail(aside, &err);
    label_close(label);
    buf_free(&problems);
    return NULL;
}

bool serve_aside_open(const struct label *label, struct serve_aside **out,
                      struct err *err)
{
    struct arena arena = {0};
    struct serve_aside *aside = arena_array(&arena, struct serve_aside, 1);

    aside->arena = arena;
    aside->task = label_task(label);
    pthread_mutex_init(&aside->mutex, NULL);
    pthread_cond_init(&aside->ending, NULL);
    int reason = pthread_create(&aside->thread, NULL, work, aside);
    if (reason != 0) {
        arena_free(&arena);
        return err_set(err, ERR_SYSTEM, "cannot start a thread: %s", strerror(reason));
    }
    *out = aside;
    return true;
}

const struct serve_digest *serve_aside_latest(struct serve_aside *aside)
{
    pthread_mutex_lock(&aside->mutex);
    struct serve_digest *made = aside->made;
    aside->made = NULL;
    pthread_mutex_unlock(&aside->mutex);
    if (made != NULL) {
        serve_digest_free(aside->latest);
        aside->latest = made;
    }
    return aside->latest;
}

void serve_aside_close(struct serve_aside *aside)
{
    if (aside == NULL)
        return;
    pthread_mutex_lock(&aside->mutex);
    aside->ended = true;
    pthread_cond_signal(&aside->ending);
    pthread_mutex_unlock(&aside->mutex);
    pthread_join(aside->thread, NULL);
    serve_digest_free(aside->made);
    serve_digest_free(aside->latest);
    pthread_cond_destroy(&aside->ending);
    pthread_mutex_destroy(&aside->mutex);
    struct arena arena = aside->arena; /* it holds *aside itself */
    arena_free(&arena);
}
