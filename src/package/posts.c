/* What the licence of the posts asks for: where each is found and under which terms. */
#include <stdlib.h>

#include "base/date.h"
#include "package/internal.h"
#include "store/corpus.h"
#include "text/markup.h"

struct attributing {
    const struct study *study;
    const struct package_items *items;
    struct str *sites; /* of each item */
    struct buf *out;
};

static int compare_ids(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

    return x < y ? -1 : x > y;
}

static size_t find_item(const struct package_items *items, int64_t id)
{
    const int64_t *found =
        items->count > 0 ? bsearch(&id, items->ids, items->count, sizeof id, compare_ids)
                         : NULL;

    return found != NULL ? (size_t)(found - items->ids) : items->count;
}

/* The first source that has the item says where its link leads. */
static bool take_origin(void *context, int64_t id, struct str name, struct err *err)
{
    struct attributing *attributing = context;
    size_t item = find_item(attributing->items, id);

    (void)err;
    for (size_t i = 0; i < attributing->study->source_count; i++)
        if (item < attributing->items->count && attributing->sites[item].len == 0 &&
            str_eq(attributing->study->sources[i].name, name))
            attributing->sites[item] = attributing->study->sources[i].site;
    return true;
}

static bool add_attribution(void *context, const struct item *post,
                            struct err *err)
{
    struct attributing *attributing = context;
    struct str site = attributing->sites[find_item(attributing->items, post->id)];

    (void)err;
    if (site.len == 0)
        site = attributing->study->sources[0].site;
    buf_add_format(attributing->out, "%lld,", (long long)post->id);
    if (post->kind != ITEM_ROW)
        buf_add_format(attributing->out, "https://%.*s/q/%lld", STR_ARG(site),
                       (long long)post->id);
    buf_add_char(attributing->out, ',');
    buf_add_csv(attributing->out, post->license);
    buf_add_char(attributing->out, '\n');
    return true;
}

bool package_add_attribution(const struct study *study, struct corpus *corpus,
                             const struct package_items *items, struct buf *out,
                             struct err *err)
{
    struct arena arena = {0};
    struct attributing attributing = {
        study, items, arena_array(&arena, struct str, items->count + 1), out};

    buf_add(out, STR("id,link,licence\n"));
    bool ok =
        corpus_origins(corpus, take_origin, &attributing, err) &&
        corpus_fetch(corpus, items->ids, items->count, add_attribution, &attributing, err);
    arena_free(&arena);
    return ok;
}

static void add_text(struct buf *out, const char *name, struct str text)
{
    buf_add_format(out, ",\"%s\":\"", name);
    buf_add_json(out, text);
    buf_add_char(out, '"');
}

static void add_tags(struct buf *out, struct str tags)
{
    struct str tag;

    buf_add(out, STR(",\"tags\":["));
    for (bool first = true; taglist_next(&tags, &tag); first = false) {
        buf_add(out, first ? STR("\"") : STR(",\""));
        buf_add_json(out, tag);
        buf_add_char(out, '"');
    }
    buf_add_char(out, ']');
}

static bool add_post(void *context, const struct item *post, struct err *err)
{
    struct buf *out = context;

    (void)err;
    if (post->kind == ITEM_ROW)
        return true;
    buf_add_format(out, "{\"id\":%lld", (long long)post->id);
    add_text(out, "title", post->title);
    add_text(out, "body", post->body);
    add_tags(out, post->tags);
    if (post->created_ms != ITEM_NONE) {
        buf_add(out, STR(",\"created\":\""));
        date_add(out, post->created_ms);
        buf_add_char(out, '"');
    }
    if (post->score != ITEM_NONE)
        buf_add_format(out, ",\"score\":%lld", (long long)post->score);
    add_text(out, "licence", post->license);
    buf_add(out, STR("}\n"));
    return true;
}

bool package_add_posts(struct corpus *corpus, const struct package_items *items,
                       struct buf *out, struct err *err)
{
    return corpus_fetch(corpus, items->ids, items->count, add_post, out, err);
}
