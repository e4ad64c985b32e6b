/* A compiled query is shared by threads, each with a scratch of its own: the answers are
 * the same for any number of them. */
#include "query/query.h"

#include "base/parallel.h"
#include "base/rng.h"
#include "tests/tap.h"
#include "tests/unit/query_post.h"

enum { PIECES = 64, POSTS = 50 };

static const char *const words[] = {"deploy ", "redeployed ", "cloud ",        "server\n",
                                    "to ",     "how ",        "na\xC3\xAFve ", "x1 ",
                                    "zz ",     ", "};

struct job {
    const struct query_compiled *compiled;
    bool answers[PIECES][POSTS];
};

struct slot {
    struct query_scratch *scratch;
    bool answers[POSTS];
};

static void make(void *context, size_t piece, void *memory)
{
    const struct job *job = context;
    struct slot *slot = memory;

    for (size_t i = 0; i < POSTS; i++) {
        struct rng rng = rng_stream(7, piece, i);
        struct post post = post_empty();
        struct buf text = {0};
        for (int k = 0; k < 40; k++)
            buf_add(&text, str_from(words[rng_below(&rng, ROWS(words))]));
        post.item.tags = rng_below(&rng, 2) == 0 ? STR("<keras><a>") : STR("|theano|");
        post.texts[QUERY_PROSE] = buf_str(&text);
        post_ready(&post);
        struct err err = {0};
        if (!query_test(job->compiled, slot->scratch, &post.asked, &slot->answers[i],
                        &err))
            slot->answers[i] = piece % 2 == 0; /* seen as a difference */
        buf_free(&text);
    }
}

static bool take(void *context, size_t piece, void *memory, struct err *err)
{
    struct job *job = context;
    const struct slot *slot = memory;

    (void)err;
    memcpy(job->answers[piece], slot->answers, sizeof slot->answers);
    return true;
}

static void run(struct job *job, int threads)
{
    struct arena arena = {0};
    struct err err = {0};
    size_t count = parallel_slots(threads);
    void **slots = arena_array(&arena, void *, count);

    for (size_t i = 0; i < count; i++) {
        struct slot *slot = arena_array(&arena, struct slot, 1);
        slot->scratch = query_scratch_open(job->compiled);
        slots[i] = slot;
    }
    CHECK(parallel_run(&(struct parallel_job){.pieces = PIECES,
                                              .threads = threads,
                                              .context = job,
                                              .slots = slots,
                                              .make = make,
                                              .take = take},
                       &err));
    for (size_t i = 0; i < count; i++)
        query_scratch_close(((struct slot *)slots[i])->scratch);
    arena_free(&arena);
}

int main(void)
{
    static const char query[] =
        "([keras] or [the*]) (\"how to\" or deploy* -~redeploy or na\xC3\xAFve "
        "/clo.d\\s+(server|to)/) -(\"zz zz\")";
    static struct job one, many;
    struct arena arena = {0};
    struct err err = {0};
    struct query_node *node;
    struct query_compiled *compiled = NULL;
    size_t selected = 0;

    for (int portable = 0; portable < 2; portable++) {
        tap_case("1 and 4 threads, %s", portable ? "our own engine" : "default engine");
        if (!CHECK(
                query_parse(str_from(query), &arena, &node, &err) &&
                query_compile(node, (struct query_options){.portable = portable}, &compiled, &err)))
            break;
        one.compiled = many.compiled = compiled;
        run(&one, 1);
        run(&many, 4);
        for (size_t i = 0; i < PIECES; i++)
            for (size_t k = 0; k < POSTS; k++)
                selected += one.answers[i][k];
        CHECK(memcmp(one.answers, many.answers, sizeof one.answers) == 0);
        CHECK(selected > 0);
        query_free(compiled);
    }
    CHECK(selected < 2 * PIECES * POSTS);
    arena_free(&arena);
    return tap_done();
}
