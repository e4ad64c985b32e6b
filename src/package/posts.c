/* What the licence of the posts asks for: where each is found and under which terms. */
#include "base/date.h"
#include "package/internal.h"
#include "store/corpus.h"
#include "text/markup.h"

struct attributing {
    const struct study *study;
    struct buf *out;
};

static bool add_attribution(void *context, const struct item *post, struct err *err)
{
    struct attributing *attributing = context;
    const struct item_spaces *spaces = &attributing->study->spaces;

    (void)err;
    item_key_add_csv(attributing->out, spaces, post->id);
    buf_add_char(attributing->out, ',');
    item_link_add(attributing->out, spaces, post->id);
    buf_add_char(attributing->out, ',');
    buf_add_csv(attributing->out, post->license);
    buf_add_char(attributing->out, '\n');
    return true;
}

bool package_add_attribution(const struct study *study, struct store *corpus,
                             const struct package_items *items, struct buf *out,
                             struct err *err)
{
    struct attributing attributing = {study, out};

    buf_add(out, STR("id,link,licence\n"));
    return store_fetch(corpus, items->ids, items->count, add_attribution, &attributing,
                       err);
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
    for (bool first = true; text_taglist_next(&tags, &tag); first = false) {
        buf_add(out, first ? STR("\"") : STR(",\""));
        buf_add_json(out, tag);
        buf_add_char(out, '"');
    }
    buf_add_char(out, ']');
}

static bool add_post(void *context, const struct item *post, struct err *err)
{
    const struct attributing *attributing = context;
    struct buf *out = attributing->out;

    (void)err;
    if (post->kind == ITEM_ROW)
        return true;
    buf_add(out, STR("{\"id\":"));
    item_key_add_json(out, &attributing->study->spaces, post->id);
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

bool package_add_posts(const struct study *study, struct store *corpus,
                       const struct package_items *items, struct buf *out,
                       struct err *err)
{
    struct attributing attributing = {study, out};

    return store_fetch(corpus, items->ids, items->count, add_post, &attributing, err);
}
