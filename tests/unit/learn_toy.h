/* Six rows of four columns in three classes, whose results in scikit-learn 1.2.1 the
 * tests of learn/ compare with; and small sets of posts. */
#ifndef TESTS_UNIT_LEARN_TOY_H
#define TESTS_UNIT_LEARN_TOY_H

#include "learn/examples.h"
#include "tests/tap.h"

enum { TOY_ROWS = 6, TOY_COLUMNS = 4, TOY_CLASSES = 3 };

static const float toy_counts[TOY_ROWS][TOY_COLUMNS] = {
    {2, 1, 0, 0}, {1, 0, 1, 0}, {0, 3, 0, 1}, {0, 1, 2, 0}, {1, 0, 0, 2}, {0, 0, 1, 3}};
static const size_t toy_classes[TOY_ROWS] = {0, 0, 1, 1, 2, 2};

static inline struct learn_rows toy_rows(struct learn_rows_builder *builder)
{
    for (size_t i = 0; i < TOY_ROWS; i++) {
        for (uint32_t c = 0; c < TOY_COLUMNS; c++)
            if (toy_counts[i][c] > 0)
                learn_rows_add_cell(builder, c, toy_counts[i][c]);
        learn_rows_end_row(builder);
    }
    return learn_rows_of(builder, TOY_COLUMNS);
}

/* One class each. */
static inline struct learn_membership toy_membership(const size_t *classes_of,
                                                     size_t items, size_t classes,
                                                     struct arena *arena)
{
    struct learn_membership truth = learn_membership_new(items, classes, false, arena);

    for (size_t i = 0; i < items; i++)
        truth.is[i * classes + classes_of[i]] = 1;
    return truth;
}

static inline struct learn_membership toy_truth(struct arena *arena)
{
    return toy_membership(toy_classes, TOY_ROWS, TOY_CLASSES, arena);
}

/* `count` posts of two classes, told apart by one word of many; no near duplicates. */
static inline void toy_examples(size_t count, struct learn_features_options options,
                                struct arena *arena, struct learn_examples *out)
{
    static const char *const words[] = {"crash", "install"};
    struct learn_parts *posts = arena_array(arena, struct learn_parts, count);
    struct learn_membership truth = learn_membership_new(count, 2, false, arena);

    for (size_t i = 0; i < count; i++) {
        struct buf text = {0};
        buf_add_format(&text, "%s", words[i % 2]);
        for (size_t w = 0; w < 6; w++)
            buf_add_format(&text, " w%zu", (i * 37 + w * w * 11 + w) % 41);
        posts[i].at[LEARN_PARTS_PROSE] = arena_copy(arena, buf_str(&text));
        truth.is[i * 2 + i % 2] = 1;
        buf_free(&text);
    }
    learn_examples_make(&(struct learn_posts){.parts = posts, .truth = truth}, options,
                        arena, out);
}

/* The same with vectors for some of their words, which a model may use. */
static inline void toy_examples_with_vectors(size_t count,
                                             struct learn_features_options options,
                                             struct arena *arena,
                                             struct learn_vectors *vectors,
                                             struct learn_examples *out)
{
    struct learn_vectors_reader reader = {0};

    for (size_t i = 0; i < 9; i++) {
        struct learn_parts post = {.at[LEARN_PARTS_PROSE] =
                                       STR("crash of w1 w2 and w3 w4 again")};
        learn_vectors_add(&reader, &post);
    }
    learn_vectors_learn(&reader, 1, vectors);
    toy_examples(count, options, arena, out);
    learn_vectors_enter(vectors, &out->table);
    out->counts.columns = out->table.count;
    out->vectors = learn_vectors_use(vectors, &out->table, arena);
}

#endif
