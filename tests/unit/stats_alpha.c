/* Krippendorff's alpha against NLTK and published values, and where it is undefined. */
#include "stats/agreement.h"

#include "tests/vectors/read.h"

static const char *const scales[] = {"nominal", "ordinal", "interval", "jaccard", "masi"};

static void check_distances(struct vectors *vectors)
{
    struct values labels = vectors_values(vectors, "labels");
    size_t categories = (size_t)vectors_number(vectors, "categories");
    int32_t *at = arena_array(&vectors->arena, int32_t, labels.count);
    double *numbers = arena_array(&vectors->arena, double, categories);
    uint64_t *bits = arena_array(&vectors->arena, uint64_t, categories);
    struct agreement_sets sets = {bits, categories, 1};
    struct agreement_ratings ratings =
        agreement_dense(at, 0, (size_t)vectors_number(vectors, "raters"), categories);
    struct arena *arena = &vectors->arena;
    const double *distances[ROWS(scales)];

    ratings.items = labels.count / ratings.raters;
    for (size_t i = 0; i < labels.count; i++)
        at[i] = (int32_t)labels.at[i];
    for (size_t c = 0; c < categories; c++) {
        numbers[c] = (double)c;
        bits[c] = c + 1; /* as in make_stats.py */
    }
    distances[0] = agreement_nominal(categories, arena);
    distances[1] = agreement_ordinal(ratings, arena);
    distances[2] = agreement_interval((struct values){numbers, categories}, arena);
    distances[3] = agreement_jaccard(sets, arena);
    distances[4] = agreement_masi(sets, arena);
    for (size_t s = 0; s < ROWS(scales); s++) {
        struct agreement got = agreement_alpha(ratings, distances[s], arena);
        CHECK(got.undefined == NULL && got.interval_undefined != NULL);
        CHECK_NEAR(got.value, vectors_number(vectors, scales[s]), 1e-13);
        CHECK_NEAR(got.value, 1 - (1 - got.observed) / (1 - got.expected), 1e-12);
    }
}

/* Sets of two words, to cross the border between them. */
static const struct {
    const char *name;
    uint64_t a[2], b[2];
    double jaccard, masi;
} sets[] = {
    {"equal", {5, 1}, {5, 1}, 0, 0},
    {"both empty", {0, 0}, {0, 0}, 0, 0},
    {"one is empty", {0, 0}, {1, 0}, 1, 1},
    {"nothing shared", {1, 0}, {0, 1}, 1, 1},
    {"part of the other", {1, 0}, {1, 1}, 0.5, 1 - 0.5 * 2 / 3},
    {"each has its own", {3, 0}, {1, 1}, 1 - 1.0 / 3, 1 - 1.0 / 9},
};

/* "Computing Krippendorff's alpha-reliability", section C: four observers, twelve units.
 * Without a distance: ordinal. */
static struct agreement published(struct arena *arena, const double *distance)
{
    static const int32_t labels[] = {
        0, 0, -1, 0, 1, 1, 2, 1, 2, 2, 2, 2, 2,  2, 2, 2, 1,  1,  1, 1, 0,  1, 2,  3,
        3, 3, 3,  3, 0, 0, 1, 0, 1, 1, 1, 1, -1, 4, 4, 4, -1, -1, 0, 0, -1, 2, -1, -1};
    struct agreement_ratings ratings = agreement_dense(labels, 12, 4, 5);

    return agreement_alpha(
        ratings, distance != NULL ? distance : agreement_ordinal(ratings, arena), arena);
}

int main(void)
{
    struct vectors vectors = vectors_open("agreement");
    struct arena *arena = &vectors.arena;
    const int32_t same[] = {1, 1, 1, 1}, single[] = {0, -1, -1, 1};
    const double numbers[] = {1, 2, 3, 4, 5}, *nominal = agreement_nominal(2, arena);
    struct agreement got;

    while (vectors_next(&vectors, "ratings"))
        check_distances(&vectors);
    for (size_t i = 0; i < ROWS(sets); i++) {
        const uint64_t bits[] = {sets[i].a[0], sets[i].a[1], sets[i].b[0], sets[i].b[1]};
        struct agreement_sets pair = {bits, 2, 2};
        tap_case("sets: %s", sets[i].name);
        CHECK_NEAR(agreement_jaccard(pair, arena)[1], sets[i].jaccard, 1e-15);
        CHECK_NEAR(agreement_jaccard(pair, arena)[2], sets[i].jaccard, 1e-15);
        CHECK_NEAR(agreement_masi(pair, arena)[1], sets[i].masi, 1e-15);
        CHECK(agreement_masi(pair, arena)[0] == 0 && agreement_masi(pair, arena)[3] == 0);
    }
    tap_case("published: Krippendorff 2011, nominal .743, ordinal .815, interval .849");
    got = published(arena, agreement_nominal(5, arena));
    CHECK_NEAR(got.value, 0.743, 0.0005);
    got = published(arena, NULL);
    CHECK_NEAR(got.value, 0.815, 0.0005);
    got = published(arena, agreement_interval((struct values){numbers, 5}, arena));
    CHECK_NEAR(got.value, 0.849, 0.0005);
    CHECK(got.items == 11);
    tap_case("undefined: one category throughout");
    got = agreement_alpha(agreement_dense(same, 2, 2, 2), nominal, arena);
    CHECK_TEXT(got.undefined, "only one category was used");
    CHECK(isnan(got.value) && got.observed == 1);
    tap_case("undefined: no item has two labels");
    got = agreement_alpha(agreement_dense(single, 2, 2, 2), nominal, arena);
    CHECK_TEXT(got.undefined, "no item has two labels");
    CHECK(isnan(got.value) && isnan(got.observed) && got.items == 0);
    vectors_close(&vectors);
    return tap_done();
}
