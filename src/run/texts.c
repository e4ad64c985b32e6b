/* Posts are fetched by id, a block of them at a time; what is not wanted of them is left
 * empty. */
#include "run/texts.h"

#include <string.h>

#include "base/stop.h"

enum { BLOCK = 4096, WINDOW = 8 * BLOCK };

struct texts {
    const int64_t *ids;
    size_t count, at;
    unsigned parts;
    struct arena *arena;
    struct learn_parts_splitter splitter;
    struct learn_parts *out;
};

unsigned run_texts_parts(const struct str *names, size_t count, unsigned fallback)
{
    unsigned parts = 0;

    for (size_t i = 0; i < count; i++)
        for (unsigned p = 0; p < LEARN_PARTS_COUNT; p++)
            if (str_eq(names[i], str_from(learn_parts_names[p])))
                parts |= 1U << p;
    return parts != 0 ? parts : fallback;
}

/* A commit's message begins with its title, which counts by itself. */
static struct str body_of(const struct item *post)
{
    struct str body = post->body, line;

    while (post->kind == ITEM_COMMIT && body.len > 0) {
        str_cut(&body, '\n', &line);
        if (str_trim(line).len == 0)
            break;
    }
    return body;
}

static bool take_post(void *context, const struct item *post, struct err *err)
{
    struct texts *texts = context;
    struct learn_parts parts = {0};

    (void)err;
    while (texts->at < texts->count && texts->ids[texts->at] != post->id)
        texts->at++; /* those that are not there */
    if (texts->at == texts->count)
        return true;
    learn_parts_split_form(post->form, body_of(post), &texts->splitter, &parts);
    parts.at[LEARN_PARTS_TITLE] = post->title;
    parts.at[LEARN_PARTS_TAGS] = post->tags;
    struct learn_parts *out = &texts->out[texts->at++];
    for (unsigned p = 0; p < LEARN_PARTS_COUNT; p++)
        if (texts->parts >> p & 1)
            out->at[p] = arena_copy(texts->arena, parts.at[p]);
    return true;
}

bool run_texts_read(struct store *corpus, const int64_t *ids, size_t count,
                    unsigned parts, struct arena *arena, struct learn_parts *out,
                    struct err *err)
{
    struct texts texts = {
        .ids = ids, .count = count, .parts = parts, .arena = arena, .out = out};

    for (size_t i = 0; i < count; i++)
        out[i] = (struct learn_parts){0};
    bool ok = store_fetch(corpus, ids, count, take_post, &texts, err);
    learn_parts_splitter_free(&texts.splitter);
    return ok;
}

bool run_texts_each(const struct measure_frame *frame, struct measure_bits items,
                    unsigned parts, run_texts_take *take, void *context, struct err *err)
{
    size_t places[BLOCK], next = measure_bits_next(items, 0);
    int64_t ids[BLOCK];
    struct arena arena = {0};
    bool ok = true;

    while (ok && next < items.count) {
        struct run_texts_block block = {.items = places, .arena = &arena};
        for (; block.count < BLOCK && next < items.count;
             next = measure_bits_next(items, next + 1)) {
            ids[block.count] = measure_column_at(frame->ids, next);
            places[block.count++] = next;
        }
        block.posts = arena_array(&arena, struct learn_parts, block.count);
        ok = stop_check(err) &&
             run_texts_read(frame->corpus, ids, block.count, parts, &arena, block.posts,
                            err) &&
             take(context, &block, err);
        arena_free(&arena);
    }
    return ok;
}

/* Posts for word vectors: of a large corpus most are not kept, so that only some are
 * read. */
struct vector_posts {
    struct learn_vectors_reader reader;
    struct measure_bits items, window; /* all; of those ahead the ones to be read */
    size_t next, number;               /* the item that is next, and how many before it */
};

static bool add_words(void *context, const struct run_texts_block *block, struct err *err)
{
    struct vector_posts *posts = context;

    (void)err;
    for (size_t i = 0; i < block->count; i++) {
        for (; posts->next != block->items[i]; posts->number++)
            posts->next = measure_bits_next(posts->items, posts->next + 1);
        learn_vectors_go_to(&posts->reader, posts->number);
        learn_vectors_add(&posts->reader, block->posts + i);
    }
    return true;
}

/* Those among the next WINDOW items that are wanted; from `at` on, which goes behind
 * them, as does `number`. */
static void open_window(struct vector_posts *posts, size_t *at, size_t *number)
{
    memset(posts->window.words, 0, (posts->items.count + 63) / 64 * sizeof(uint64_t));
    for (size_t i = 0; i < WINDOW && *at < posts->items.count; i++) {
        if (learn_vectors_wants(&posts->reader, *number))
            measure_bits_set(posts->window, *at);
        *at = measure_bits_next(posts->items, *at + 1);
        ++*number;
    }
}

bool run_texts_vectors(const struct measure_frame *frame, struct measure_bits items,
                       unsigned parts, uint64_t seed, struct learn_vectors *out,
                       struct err *err)
{
    struct arena arena = {0};
    size_t at = measure_bits_next(items, 0), number = 0;
    struct vector_posts posts = {.items = items,
                                 .window = measure_bits_make(items.count, &arena),
                                 .next = at};
    bool ok = true;

    while (ok && at < items.count) {
        open_window(&posts, &at, &number);
        ok = run_texts_each(frame, posts.window,
                            parts & (1u << LEARN_PARTS_TITLE | 1u << LEARN_PARTS_PROSE),
                            add_words, &posts, err);
    }
    if (ok)
        learn_vectors_learn(&posts.reader, seed, out);
    learn_vectors_reader_free(&posts.reader);
    arena_free(&arena);
    return ok;
}
