/* The same outcome for any number of threads; pieces are taken in order, on this thread.
 */
#include "base/parallel.h"

#include <pthread.h>
#include <sched.h>
#include <string.h>

#include "base/buf.h"
#include "base/rng.h"
#include "tests/tap.h"

enum { THREADS_MAX = 8, SLOTS_MAX = 2 * THREADS_MAX, PIECES_MAX = 1000 };

struct slot {
    size_t piece;
    bool busy; /* made and not yet taken */
    struct buf text;
};

struct work {
    uint64_t seed;
    size_t fail_at;   /* the piece whose taking fails */
    size_t next;      /* the piece to be taken next */
    pthread_t caller; /* the thread that takes */
    bool in_order, at_home, slots_kept;
    bool made_twice;
    bool made[PIECES_MAX]; /* each piece is made by one thread alone */
    struct buf all;
};

static void make(void *context, size_t piece, void *argument)
{
    struct work *work = context;
    struct slot *slot = argument;
    struct rng rng = rng_stream(work->seed, 1, piece);
    uint64_t lines = rng_below(&rng, 40);

    if (slot->busy || work->made[piece])
        work->made_twice = true;
    work->made[piece] = true;
    slot->piece = piece;
    slot->busy = true;
    buf_clear(&slot->text);
    for (uint64_t i = 0; i < lines; i++) {
        buf_add_format(&slot->text, "%zu %llu\n", piece,
                       (unsigned long long)rng_next(&rng));
        if (i % 16 == 5)
            sched_yield(); /* let others overtake */
    }
}

static bool take(void *context, size_t piece, void *argument, struct err *err)
{
    struct work *work = context;
    struct slot *slot = argument;

    work->in_order = work->in_order && piece == work->next;
    work->at_home = work->at_home && pthread_equal(pthread_self(), work->caller);
    work->slots_kept = work->slots_kept && slot->busy && slot->piece == piece;
    work->next = piece + 1;
    slot->busy = false;
    if (piece == work->fail_at)
        return err_set(err, ERR_INPUT, "piece %zu is bad", piece);
    buf_add(&work->all, buf_str(&slot->text));
    return true;
}

static bool run(struct work *work, size_t pieces, int threads, struct err *err)
{
    struct slot slots[SLOTS_MAX];
    void *places[SLOTS_MAX];

    memset(slots, 0, sizeof slots);
    for (size_t i = 0; i < SLOTS_MAX; i++)
        places[i] = &slots[i];
    work->next = 0;
    work->caller = pthread_self();
    work->in_order = work->at_home = work->slots_kept = true;
    memset(work->made, 0, sizeof work->made);
    buf_clear(&work->all);
    struct parallel_job job = {pieces, threads, work, places, make, take};
    bool ok = parallel_run(&job, err);
    for (size_t i = 0; i < SLOTS_MAX; i++)
        buf_free(&slots[i].text);
    return ok;
}

static void check_same(struct work *work)
{
    static const size_t pieces[] = {0, 1, 2, 3, 7, 16, 17, 200, PIECES_MAX};

    for (size_t p = 0; p < ROWS(pieces); p++) {
        struct buf alone = {0};
        struct err err = {0};
        for (int threads = 1; threads <= THREADS_MAX; threads++) {
            tap_case("%zu pieces on %d threads", pieces[p], threads);
            CHECK(run(work, pieces[p], threads, &err));
            CHECK(err.kind == ERR_NONE);
            CHECK(work->next == pieces[p]);
            CHECK(work->in_order);
            CHECK(work->at_home);
            CHECK(work->slots_kept);
            if (threads == 1)
                buf_add(&alone, buf_str(&work->all));
            CHECK(str_eq(buf_str(&work->all), buf_str(&alone)));
        }
        CHECK(pieces[p] < 2 || alone.len > 0);
        buf_free(&alone);
    }
}

static const struct {
    size_t pieces, fail_at;
} failures[] = {{1, 0}, {100, 0}, {100, 1}, {100, 50}, {100, 99}, {3, 2}};

static void check_failures(struct work *work)
{
    for (size_t f = 0; f < ROWS(failures); f++)
        for (int threads = 1; threads <= THREADS_MAX; threads++) {
            struct err err = {0};
            char want[50];
            struct buf text = {0};
            tap_case("piece %zu of %zu fails on %d threads", failures[f].fail_at,
                     failures[f].pieces, threads);
            work->fail_at = failures[f].fail_at;
            CHECK(!run(work, failures[f].pieces, threads, &err));
            CHECK(err.kind == ERR_INPUT);
            buf_add_format(&text, "piece %zu is bad", failures[f].fail_at);
            memcpy(want, text.ptr, text.len);
            want[text.len] = '\0';
            CHECK_TEXT(err.text, want);
            CHECK(work->next == failures[f].fail_at + 1); /* nothing taken after it */
            CHECK(work->in_order);
            size_t made = 0;
            for (size_t i = 0; i < PIECES_MAX; i++)
                made += work->made[i];
            /* None is begun before the one that had its slot is taken. */
            CHECK(made <= failures[f].fail_at + parallel_slots(threads));
            buf_free(&text);
        }
    work->fail_at = SIZE_MAX;
}

int main(void)
{
    static struct work work = {.seed = 1, .fail_at = SIZE_MAX};

    check_same(&work);
    check_failures(&work);
    tap_case("no threads, or fewer: the calling thread works alone");
    CHECK(run(&work, 10, 0, &(struct err){0}) && work.next == 10 && work.in_order);
    CHECK(run(&work, 10, -3, &(struct err){0}) && work.next == 10);
    tap_case("no slot is made or taken twice at a time");
    CHECK(!work.made_twice);
    tap_case("slots: one alone, else two for each thread");
    CHECK(parallel_slots(-1) == 1 && parallel_slots(0) == 1 && parallel_slots(1) == 1);
    CHECK(parallel_slots(2) == 4 && parallel_slots(8) == SLOTS_MAX);
    tap_case("this machine has a core");
    CHECK(parallel_cores() >= 1);
    buf_free(&work.all);
    return tap_done();
}
