/* One pass over the texts for the features, one for the sketches. */
#include "learn/examples.h"

/* Title and body together: two posts with the same title are two posts. */
static struct duplicates_sketch sketch_of(const struct parts *post, struct buf *text,
                                          struct buf *lower)
{
    buf_clear(text);
    for (size_t i = 0; i < PARTS_COUNT; i++) {
        if (i == PARTS_INLINE || i == PARTS_TAGS) /* repeats the prose; says little */
            continue;
        buf_add(text, post->at[i]);
        buf_add_char(text, '\n');
    }
    return duplicates_sketch(buf_str(text), lower);
}

static const size_t *groups_of(const struct parts *posts, size_t count,
                               struct arena *arena)
{
    struct duplicates_sketch *sketches =
        arena_array(arena, struct duplicates_sketch, count + 1);
    struct buf text = {0}, lower = {0};

    for (size_t i = 0; i < count; i++)
        sketches[i] = sketch_of(posts + i, &text, &lower);
    buf_free(&text);
    buf_free(&lower);
    return duplicates_groups(sketches, count, arena);
}

void examples_make(const struct parts *posts, struct membership truth,
                   struct features_options options, const struct vectors *vectors,
                   struct arena *arena, struct examples *out)
{
    struct features_reader reader;

    *out = (struct examples){.truth = truth};
    if (vectors != NULL && vectors->dimensions == 0)
        vectors = NULL;
    if (vectors != NULL)
        vectors_enter(vectors, &out->table);
    features_open(&reader, options, &out->table, NULL);
    for (size_t i = 0; i < truth.items; i++) {
        struct rows_row row = features_read(&reader, posts + i);
        for (size_t c = 0; c < row.count; c++)
            rows_add_cell(&out->builder, row.cells[c].column, row.cells[c].value);
        rows_end_row(&out->builder);
    }
    features_close(&reader);
    out->counts = rows_of(&out->builder, out->table.count);
    if (vectors != NULL)
        out->vectors = vectors_use(vectors, &out->table, arena);
    out->groups = groups_of(posts, truth.items, arena);
}

void examples_free(struct examples *examples)
{
    features_table_free(&examples->table);
    rows_builder_free(&examples->builder);
}
