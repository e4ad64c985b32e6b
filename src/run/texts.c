/* Posts are fetched by id; what is not wanted of them is left empty. */
#include "run/texts.h"

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

static bool take_post(void *context, const struct item *post, struct err *err)
{
    struct texts *texts = context;
    struct learn_parts parts = {0};

    (void)err;
    while (texts->at < texts->count && texts->ids[texts->at] != post->id)
        texts->at++; /* those that are not there */
    if (texts->at == texts->count)
        return true;
    learn_parts_split_form(post->form, post->body, &texts->splitter, &parts);
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
