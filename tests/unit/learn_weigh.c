/* TF-IDF and chi-square against scikit-learn 1.2.1 (TfidfTransformer with sublinear_tf,
 * chi2), and what the training part alone decides. */
#include "learn/weigh.h"

#include <math.h>

#include "tests/unit/learn_toy.h"

static const double tfidf[TOY_ROWS][TOY_COLUMNS] = {
    {0.8610369959, 0.5085423204, 0, 0}, {0.7071067812, 0, 0.7071067812, 0},
    {0, 0.902750148, 0, 0.4301652825},  {0, 0.5085423204, 0.8610369959, 0},
    {0.5085423204, 0, 0, 0.8610369959}, {0, 0, 0.4301652825, 0.902750148}};
static const double chi_squares[TOY_COLUMNS] = {3.5, 5.2, 0.5, 7};

static void fill_table(struct learn_features_table *table)
{
    static const char *const names[TOY_COLUMNS] = {"a", "b", "c", "d"};

    for (size_t i = 0; i < TOY_COLUMNS; i++)
        learn_features_put(table, LEARN_PARTS_PROSE, LEARN_FEATURES_WORD,
                           str_from(names[i]), NULL);
}

static double value_at(const struct learn_rows *rows, size_t row, size_t column)
{
    struct learn_rows_row cells = learn_rows_at(rows, row);

    for (size_t i = 0; i < cells.count; i++)
        if (cells.cells[i].column == column)
            return (double)cells.cells[i].value;
    return 0;
}

static const struct {
    const char *name;
    struct learn_weigh_options options;
    size_t items; /* the first so many are learned from */
    unsigned kept;
} selections[] = {
    {"all", {.parts = {1, 1, 1, 1, 1}}, 6, 15},
    {"a part that does not count", {.parts = {1, 0, 1, 1, 1}}, 6, 0},
    {"features of the training part alone", {.parts = {1, 1, 1, 1, 1}}, 2, 7},
    {"in at least two items", {.parts = {1, 1, 1, 1, 1}, .df_min = 2}, 2, 1},
    {"in at most half of them", {.parts = {1, 1, 1, 1, 1}, .df_max = 0.5}, 2, 6},
    {"the two best", {.parts = {1, 1, 1, 1, 1}, .select = 2}, 6, 2 | 8},
};

/* Columns 0 and 2 have vectors, of which 2 has no column of its own. Row 3 counts column
 * 2 twice, once damped: (1 + ln 2) * (3, 4) has the direction (0.6, 0.8). */
static void check_vectors(const struct learn_rows *counts,
                          const struct learn_features_table *table,
                          const struct learn_membership *truth, struct arena *arena)
{
    static float numbers[] = {1, 0, 3, 4};
    static const uint32_t row[TOY_COLUMNS] = {0, LEARN_VECTORS_NONE, 1,
                                              LEARN_VECTORS_NONE};
    static const uint8_t part[TOY_COLUMNS] = {LEARN_PARTS_PROSE, LEARN_PARTS_PROSE,
                                              LEARN_PARTS_PROSE, LEARN_PARTS_PROSE};
    const struct learn_vectors vectors = {.dimensions = 2, .at = numbers};
    struct learn_weigh_source source = {counts, table, {&vectors, row, part}, 0};
    struct learn_weigh_options options = {.parts = {1, 1, 1, 1, 1},
                                          .vectors = 2,
                                          .df_min = 3,
                                          .sublinear = true,
                                          .l2 = true};
    const size_t items[TOY_ROWS] = {0, 1, 2, 3, 4, 5};
    struct learn_rows_builder out = {0};

    tap_case("the sum of vectors has columns of its own, and its weight");
    struct learn_weigh weigh =
        learn_weigh_learn(&source, truth, items, 4, &options, arena);
    learn_weigh_rows(&weigh, counts, items, TOY_ROWS, &out);
    struct learn_rows rows = learn_rows_of(&out, weigh.columns);
    CHECK(weigh.own_columns + 2 == weigh.columns);
    CHECK(weigh.column[2] == LEARN_WEIGH_NONE);
    /* Row 3 has column 1 as well: lengths 1 and 2 in a row of length 1. */
    CHECK_NEAR(value_at(&rows, 3, weigh.own_columns), 0.6 * 2 / sqrt(5), 1e-6);
    CHECK_NEAR(value_at(&rows, 3, weigh.own_columns + 1), 0.8 * 2 / sqrt(5), 1e-6);
    tap_case("a row of words without vectors has none");
    CHECK_NEAR(value_at(&rows, 2, weigh.own_columns), 0, 0);
    CHECK_NEAR(learn_weigh_vector_times(&weigh, (struct learn_rows_cell){2, 2}),
               1 + log(2), 1e-9);
    CHECK(learn_weigh_vector_times(&weigh, (struct learn_rows_cell){1, 2}) == 0);
    learn_rows_builder_free(&out);
}

/* A post's own vector (3, 4) beside one word: lengths 1 and 2 in a row of length 1. */
static void check_given(const struct learn_features_table *table,
                        const struct learn_membership *truth, struct arena *arena)
{
    static const float vector[] = {3, 4};
    struct learn_rows_builder builder = {0}, out = {0};
    const size_t items[] = {0, 1};

    for (size_t i = 0; i < 2; i++) {
        learn_rows_add_cell(&builder, 1, 1);
        learn_rows_add_given(&builder, i == 0 ? vector : NULL, 2);
        learn_rows_end_row(&builder);
    }
    struct learn_rows counts = learn_rows_of(&builder, TOY_COLUMNS);
    struct learn_weigh_source source = {.counts = &counts, .table = table, .given = 2};
    struct learn_weigh_options options = {
        .parts = {1, 1, 1, 1, 1}, .given = 2, .l2 = true};
    tap_case("a post's own vector has columns of its own, and its weight");
    struct learn_weigh weigh =
        learn_weigh_learn(&source, truth, items, 2, &options, arena);
    learn_weigh_rows(&weigh, &counts, items, 2, &out);
    struct learn_rows rows = learn_rows_of(&out, weigh.columns);
    CHECK(weigh.own_columns == 1 && weigh.columns == 3);
    CHECK_NEAR(value_at(&rows, 0, 0), 1 / sqrt(5), 1e-6);
    CHECK_NEAR(value_at(&rows, 0, 1), 0.6 * 2 / sqrt(5), 1e-6);
    CHECK_NEAR(value_at(&rows, 0, 2), 0.8 * 2 / sqrt(5), 1e-6);
    tap_case("a post without one has its words");
    CHECK(learn_rows_at(&rows, 1).count == 1);
    CHECK_NEAR(value_at(&rows, 1, 0), 1, 1e-6);
    learn_rows_builder_free(&builder);
    learn_rows_builder_free(&out);
}

int main(void)
{
    struct arena arena = {0};
    struct learn_rows_builder builder = {0}, out = {0};
    struct learn_features_table table = {0};
    struct learn_rows counts = toy_rows(&builder);
    struct learn_membership truth = toy_truth(&arena);
    const size_t items[TOY_ROWS] = {0, 1, 2, 3, 4, 5};
    struct learn_weigh_options options = {
        .parts = {1, 1, 1, 1, 1}, .letters = 1, .sublinear = true, .l2 = true};
    double found[TOY_COLUMNS];

    struct learn_weigh_source source = {.counts = &counts, .table = &table};

    fill_table(&table);
    struct learn_weigh weigh =
        learn_weigh_learn(&source, &truth, items, TOY_ROWS, &options, &arena);
    learn_weigh_rows(&weigh, &counts, items, TOY_ROWS, &out);
    struct learn_rows weighted = learn_rows_of(&out, weigh.columns);
    for (size_t i = 0; i < TOY_ROWS; i++) {
        tap_case("tf-idf of row %zu as in scikit-learn", i);
        for (size_t c = 0; c < TOY_COLUMNS; c++)
            CHECK_NEAR(value_at(&weighted, i, c), tfidf[i][c], 1e-6);
    }
    learn_weigh_chi_square(&counts, &truth, found, &arena);
    for (size_t c = 0; c < TOY_COLUMNS; c++) {
        tap_case("chi-square of column %zu as in scikit-learn", c);
        CHECK_NEAR(found[c], chi_squares[c], 1e-9);
    }
    for (size_t i = 0; i < ROWS(selections); i++) {
        unsigned kept = 0;
        weigh = learn_weigh_learn(&source, &truth, items, selections[i].items,
                                  &selections[i].options, &arena);
        for (unsigned c = 0; c < TOY_COLUMNS; c++)
            kept |= weigh.column[c] != LEARN_WEIGH_NONE ? 1u << c : 0;
        tap_case("selection: %s", selections[i].name);
        CHECK(kept == selections[i].kept);
    }
    check_vectors(&counts, &table, &truth, &arena);
    check_given(&table, &truth, &arena);
    learn_rows_builder_free(&builder);
    learn_rows_builder_free(&out);
    learn_features_table_free(&table);
    arena_free(&arena);
    return tap_done();
}
