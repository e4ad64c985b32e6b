/* Pieces of some hundred posts; each thread writes only to its own posts' places. */
#include "learn/apply.h"

#include "base/parallel.h"
#include "base/stop.h"

enum { PIECE = 256 };

/* What a piece in work needs; used again for the next. */
struct slot {
    bool open;
    struct features_reader reader;
    struct parts_splitter splitter;
    struct model_scratch scratch;
    struct buf scores;
};

struct job {
    const struct apply *apply;
    struct apply_posts posts;
    uint8_t *said;
    double *probabilities;
};

static void make_piece(void *context, size_t piece, void *slot_of)
{
    const struct job *job = context;
    const struct apply *apply = job->apply;
    size_t classes = apply->model->classes, end = (piece + 1) * PIECE;
    struct slot *slot = slot_of;

    if (!slot->open)
        features_open(&slot->reader, apply->features, NULL, apply->table);
    slot->open = true;
    double *scores =
        (double *)(void *)buf_reserve(&slot->scores, classes * sizeof(double));
    for (size_t i = piece * PIECE; i < end && i < job->posts.count; i++) {
        struct parts post = job->posts.parts[i];
        if (job->posts.bodies != NULL)
            parts_complete(job->posts.bodies[i], &slot->splitter, &post);
        model_predict(apply->model, features_read(&slot->reader, &post), &slot->scratch,
                      scores, job->probabilities + i * classes);
        model_decide(apply->model, scores, job->said + i * classes);
    }
}

static bool take_piece(void *context, size_t piece, void *slot, struct err *err)
{
    (void)context, (void)piece, (void)slot;
    return stop_check(err);
}

bool apply_model(const struct apply *apply, struct apply_posts posts, struct arena *arena,
                 uint8_t *said, double *probabilities, struct err *err)
{
    size_t slots = parallel_slots(apply->threads);
    struct slot *own = arena_array(arena, struct slot, slots);
    void **at = arena_array(arena, void *, slots);
    struct job job = {apply, posts, said, probabilities};

    for (size_t i = 0; i < slots; i++)
        at[i] = own + i;
    bool ok =
        parallel_run(&(struct parallel_job){.pieces = (posts.count + PIECE - 1) / PIECE,
                                            .threads = apply->threads,
                                            .context = &job,
                                            .slots = at,
                                            .make = make_piece,
                                            .take = take_piece},
                     err);
    for (size_t i = 0; i < slots; i++) {
        if (own[i].open)
            features_close(&own[i].reader);
        parts_splitter_free(&own[i].splitter);
        model_scratch_free(&own[i].scratch);
        buf_free(&own[i].scores);
    }
    return ok;
}
