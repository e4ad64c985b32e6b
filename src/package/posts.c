/* What the licence of the posts asks for: where each is found and under which terms. */
#include <stdlib.h>
#include <string.h>

#include "base/date.h"
#include "base/order.h"
#include "item/license.h"
#include "package/internal.h"
#include "run/output.h"
#include "store/corpus.h"
#include "text/markup.h"

/* Which items a package speaks of. */
static bool add_ids(const struct study *study, const char *kind, struct str name,
                    struct arena *arena, struct buf *all, struct err *err)
{
    int64_t *ids;
    size_t count;

    if (!run_output_there(study->home,
                          arena_format(arena, "%s.%.*s", kind, STR_ARG(name)), arena))
        return true; /* it waits for labels */
    if (!run_output_read_ids(study->home, kind, name, arena, &ids, &count, err))
        return false;
    buf_add(all, (struct str){(const char *)ids, count * sizeof *ids});
    return true;
}

bool package_find_items(const struct study *study, struct arena *arena,
                        struct package_items *out, struct err *err)
{
    struct buf all = {0};
    bool ok = true;

    for (size_t i = 0; i < study->sample_count && ok; i++)
        ok = add_ids(study, "samples", study->samples[i].name, arena, &all, err);
    for (size_t i = 0; i < study->label_count && ok; i++)
        ok = add_ids(study, "labels", study->labels[i].name, arena, &all, err);
    size_t count = all.len / sizeof *out->ids;
    int64_t *ids = arena_array(arena, int64_t, count + 1);
    if (count > 0)
        memcpy(ids, all.ptr, all.len);
    order_ints(ids, count);
    *out = (struct package_items){ids, 0};
    for (size_t i = 0; i < count; i++)
        if (i == 0 || ids[i] != ids[i - 1])
            ids[out->count++] = ids[i];
    buf_free(&all);
    return ok;
}

struct attributing {
    const struct study *study;
    struct buf *out;
};

/* Rows of a table name none. */
static struct str licence_of(const struct item *post)
{
    return post->license.len > 0 ? item_license_name(post->license)
                                 : STR("as its source says");
}

static bool add_attribution(void *context, const struct item *post, struct err *err)
{
    struct attributing *attributing = context;
    const struct item_spaces *spaces = &attributing->study->spaces;

    struct buf link = {0};

    (void)err;
    item_link_add(&link, spaces, post->id);
    item_key_add_csv(attributing->out, spaces, post->id);
    buf_add_char(attributing->out, ',');
    buf_add_csv(attributing->out, buf_str(&link));
    buf_add_char(attributing->out, ',');
    buf_add_csv(attributing->out, licence_of(post));
    buf_add_char(attributing->out, ',');
    buf_add_csv(attributing->out, item_license_from(post->license));
    buf_add_char(attributing->out, '\n');
    buf_free(&link);
    return true;
}

bool package_add_attribution(const struct study *study, struct store *corpus,
                             const struct package_items *items, struct buf *out,
                             struct err *err)
{
    struct attributing attributing = {study, out};

    buf_add(out, STR("id,link,licence,licence from\n"));
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
    add_text(out, "licence", licence_of(post));
    if (post->license.len > 0)
        add_text(out, "licence_from", item_license_from(post->license));
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
