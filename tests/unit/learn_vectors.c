/* Word vectors, and the factors they rest on. */
#include "learn/vectors.h"

#include <math.h>
#include <string.h>

#include "learn/internal.h"
#include "tests/tap.h"

/* Angles between words against the same formulas in numpy 1.24, whose linalg.svd is
 * exact. */

enum { POSTS = 24 };

/* About animals and about machines: "cat" and "dog" stand in the same place. */
static void add_posts(struct learn_vectors_reader *reader, struct arena *arena)
{
    for (int i = 0; i < POSTS / 2; i++) {
        struct buf title = {0}, prose = {0};
        struct learn_parts post = {0};
        buf_add_format(&title, "The %s sat on the mat near food", i % 2 ? "cat" : "dog");
        buf_add_format(&prose, "the %s ran out of memory while training",
                       i % 3 ? "gpu" : "tpu");
        post.at[LEARN_PARTS_TITLE] = arena_copy(arena, buf_str(&title));
        post.at[LEARN_PARTS_PROSE] = arena_copy(arena, buf_str(&prose));
        post.at[LEARN_PARTS_CODE] = STR("code is not read");
        learn_vectors_add(reader, &post);
        buf_free(&title);
        buf_free(&prose);
    }
}

static const float *row_of(const struct learn_vectors *vectors, const char *word)
{
    size_t at = learn_features_look_up(&vectors->words, LEARN_PARTS_TITLE,
                                       LEARN_FEATURES_WORD, str_from(word));

    return at < vectors->words.count ? vectors->at + at * vectors->dimensions : NULL;
}

static double product(const struct learn_vectors *vectors, const float *a, const float *b)
{
    double sum = 0;

    for (size_t k = 0; k < vectors->dimensions; k++)
        sum += (double)a[k] * (double)b[k];
    return sum;
}

static const struct {
    const char *a, *b;
    double cosine;
} angles[] = {{"cat", "dog", 1},
              {"cat", "gpu", 0.09547207},
              {"sat", "mat", 0.15442431},
              {"memory", "training", 0.30686480},
              {"the", "cat", 0.26303703}};

static void check_use(const struct learn_vectors *vectors, struct arena *arena)
{
    struct learn_features_table table = {0};

    tap_case("words are entered for title and prose");
    learn_features_put(&table, LEARN_PARTS_CODE, LEARN_FEATURES_WORD, STR("cat"), NULL);
    learn_vectors_enter(vectors, &table);
    CHECK(table.count == 1 + 2 * vectors->words.count);
    struct learn_vectors_use use = learn_vectors_use(vectors, &table, arena);
    size_t feature = learn_features_look_up(&table, LEARN_PARTS_PROSE,
                                            LEARN_FEATURES_WORD, STR("cat"));
    tap_case("a word of the prose has its row, one of the code none");
    CHECK(use.row[0] == LEARN_VECTORS_NONE && use.part[feature] == LEARN_PARTS_PROSE);
    CHECK(str_eq(learn_features_name(&vectors->words, use.row[feature]), STR("cat")));
    learn_features_table_free(&table);
}

static void check_thinning(struct arena *arena)
{
    enum { LONG = 1 << 20 };
    struct learn_vectors_reader reader = {0};
    struct learn_vectors vectors;
    struct buf text = {0};

    tap_case("of much text every second post is kept, and then every second of them");
    for (int i = 0; i < LONG; i++)
        buf_add(&text, STR("a b "));
    struct learn_parts post = {.at[LEARN_PARTS_PROSE] =
                                   arena_copy(arena, buf_str(&text))};
    for (int i = 0; i < 12; i++)
        learn_vectors_add(&reader, &post);
    CHECK(reader.every == 4 && reader.posts.count <= 4);
    learn_vectors_learn(&reader, 1, &vectors);
    CHECK(vectors.words.count == 2);
    learn_vectors_free(&vectors);
    buf_free(&text);
}

static void test_vectors(void)
{
    struct arena arena = {0};
    struct learn_vectors_reader reader = {0};
    struct learn_vectors vectors, again;

    add_posts(&reader, &arena);
    learn_vectors_learn(&reader, 1, &vectors);
    for (size_t i = 0; i < ROWS(angles); i++) {
        const float *a = row_of(&vectors, angles[i].a),
                    *b = row_of(&vectors, angles[i].b);
        tap_case("the angle between %s and %s", angles[i].a, angles[i].b);
        CHECK_NEAR(product(&vectors, a, b) / sqrt(product(&vectors, a, a)) /
                       sqrt(product(&vectors, b, b)),
                   angles[i].cosine, 1e-6);
    }
    tap_case("a word that is rarer than others has a longer row");
    const float *cat = row_of(&vectors, "cat");
    CHECK_NEAR(sqrt(product(&vectors, cat, cat)), 0.0310077519, 1e-7);
    tap_case("rare words and code have none");
    CHECK(row_of(&vectors, "tpu") == NULL && row_of(&vectors, "code") == NULL);
    tap_case("the same text gives the same bits");
    add_posts(&reader, &arena);
    learn_vectors_learn(&reader, 1, &again);
    CHECK(memcmp(vectors.at, again.at,
                 vectors.words.count * vectors.dimensions * sizeof *vectors.at) == 0);
    check_use(&vectors, &arena);
    check_thinning(&arena);
    learn_vectors_free(&vectors);
    learn_vectors_free(&again);
    tap_case("no text at all");
    learn_vectors_learn(&reader, 1, &vectors);
    CHECK(vectors.dimensions == 0 && vectors.words.count == 0);
    learn_vectors_free(&vectors);
    arena_free(&arena);
}

/* Against numpy 1.24's linalg.svd of the same matrix. */

enum { ROW_COUNT = 7, COLUMN_COUNT = 5 };

static const float matrix[ROW_COUNT][COLUMN_COUNT] = {
    {0, 3, 1, 0, 2}, {2, 1, 0, 4, 3}, {4, 0, 4, 4, 0}, {0, 2, 3, 0, 0},
    {3, 0, 0, 4, 1}, {0, 0, 1, 4, 0}, {0, 1, 0, 0, 3}};
static const double values[COLUMN_COUNT] = {10.0605922328, 5.1756457954, 4.7112791274,
                                            2.4940404422, 1.2572930378};
/* Row 0 of U U' for the first two directions: signs cancel out. */
static const double projected[ROW_COUNT] = {0.4402044242, 0.2510918565,  -0.1133253991,
                                            0.1878249769, -0.0338256657, -0.0667001653,
                                            0.3600880628};

static struct learn_rows fill(struct learn_rows_builder *builder, size_t columns)
{
    for (size_t i = 0; i < ROW_COUNT; i++) {
        for (uint32_t c = 0; c < columns; c++)
            if (matrix[i][c] > 0)
                learn_rows_add_cell(builder, c, matrix[i][c]);
        learn_rows_end_row(builder);
    }
    return learn_rows_of(builder, columns);
}

static void test_factor(void)
{
    struct arena arena = {0};
    struct learn_rows_builder builder = {0}, none = {0};
    struct learn_rows rows = fill(&builder, COLUMN_COUNT);
    struct rng rng = rng_seeded(1), same = rng_seeded(1);

    tap_case("as many as there are");
    struct learn_factor all = learn_factor_make(&rows, 64, &rng, &arena);
    CHECK(all.rank == COLUMN_COUNT);
    for (size_t k = 0; k < COLUMN_COUNT; k++)
        CHECK_NEAR(all.values[k], values[k], 1e-9);

    tap_case("the two strongest");
    struct learn_factor two = learn_factor_make(&rows, 2, &rng, &arena);
    CHECK(two.rank == 2);
    for (size_t i = 0; i < ROW_COUNT; i++)
        CHECK_NEAR(two.left[0] * two.left[2 * i] + two.left[1] * two.left[2 * i + 1],
                   projected[i], 1e-9);

    tap_case("the same seed gives the same bits");
    struct learn_factor again = learn_factor_make(&rows, 64, &same, &arena);
    CHECK(memcmp(all.left, again.left, ROW_COUNT * all.rank * sizeof *all.left) == 0);

    tap_case("columns that say the same have one direction");
    for (int i = 0; i < 4; i++) {
        learn_rows_add_cell(&none, 0, 1);
        learn_rows_add_cell(&none, 1, 2);
        learn_rows_end_row(&none);
    }
    rows = learn_rows_of(&none, 2);
    struct learn_factor one = learn_factor_make(&rows, 2, &rng, &arena);
    CHECK_NEAR(one.values[0], sqrt(20), 1e-9);
    CHECK_NEAR(one.values[1], 0, 1e-6);

    tap_case("nothing");
    rows = (struct learn_rows){0};
    CHECK(learn_factor_make(&rows, 3, &rng, &arena).rank == 0);
    learn_rows_builder_free(&builder);
    learn_rows_builder_free(&none);
    arena_free(&arena);
}

int main(void)
{
    test_vectors();
    test_factor();
    return tap_done();
}
