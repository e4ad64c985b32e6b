/* Agreement of small tables, worked out by hand or published; parts of the work. */
#include "label/agree.h"

#include <math.h>

#include "base/rng.h"
#include "tests/unit/agreed.h"

static struct arena arena;

static const struct str items[] = {STR_INIT("1"), STR_INIT("2"), STR_INIT("3"),
                                   STR_INIT("4"), STR_INIT("5"), STR_INIT("6")};
static const struct str raters[] = {STR_INIT("a"), STR_INIT("b"), STR_INIT("c")};
/* x with x1 and x2 below it; y. */
static const struct label_agree_code codes[] = {
    {STR_INIT("x"), STR_INIT("X"), LABEL_AGREE_NONE, 1},
    {STR_INIT("x/1"), STR_INIT("X1"), 0, 2},
    {STR_INIT("x/2"), STR_INIT("X2"), 0, 2},
    {STR_INIT("y"), STR_INIT("Y"), LABEL_AGREE_NONE, 1}};
static const size_t number[] = {0, 1, 2, 3};

/* What raters say of each item, as digits of codes; '-' for nothing, and "12" for two
 * codes would need a table of its own: see sets(). Labels come item by item. */
static struct label_agree_data data_of(const char *const *said, size_t count)
{
    struct label_agree_label *labels = arena_array(&arena, struct label_agree_label, 40);
    struct label_agree_data data = {.items = items,
                                    .raters = raters,
                                    .item_count = count,
                                    .codes = codes,
                                    .code_count = ROWS(codes),
                                    .labels = labels};

    for (size_t i = 0; i < count; i++)
        for (size_t r = 0; said[i][r] != '\0'; r++) {
            if (r + 1 > data.rater_count)
                data.rater_count = r + 1;
            if (said[i][r] != '-')
                labels[data.label_count++] = (struct label_agree_label){
                    i, r, &number[said[i][r] - '0'], 1, (double)(i + 1)};
        }
    return data;
}

static const struct {
    const char *name;
    const char *said[6];
    size_t count;
    double observed, cohen, fleiss, alpha;
} rows[] = {
    /* po 5/6, pe 3/6 4/6 + 3/6 2/6 = 1/2. */
    {"two raters", {"11", "11", "11", "33", "31", "33"}, 6, 5.0 / 6, 2.0 / 3, NAN, NAN},
    {"perfect", {"11", "33"}, 2, 1, 1, 1, 1},
    {"opposite", {"13", "31"}, 2, 0, -1, -1, -0.5},
    {"one label of an item does not count", {"11", "3-", "33"}, 3, 1, 1, 1, 1},
    {"one category: undefined", {"11", "11"}, 2, 1, NAN, NAN, NAN},
    {"nothing shared", {"1-", "-3"}, 2, NAN, NAN, NAN, NAN},
    /* Three raters: items agree in 3, 1 of 3 pairs. */
    {"three raters have no Cohen", {"111", "113"}, 2, 2.0 / 3, NAN, NAN, NAN},
};

static void test_wholes(void)
{
    struct label_agree_options how = {.level = 0.95};

    for (size_t i = 0; i < ROWS(rows); i++) {
        tap_case("whole: %s", rows[i].name);
        struct label_agree_data data = data_of(rows[i].said, rows[i].count);
        struct label_agree_measures all = label_agree_measure(&data, &how, &arena);
        CHECK_NEAR(all.observed, rows[i].observed, 1e-12);
        CHECK_NEAR(all.cohen.value, rows[i].cohen, 1e-12);
        CHECK(isnan(all.cohen.value) == (all.cohen.undefined != NULL));
        if (!isnan(rows[i].fleiss))
            CHECK_NEAR(all.fleiss.value, rows[i].fleiss, 1e-12);
        if (!isnan(rows[i].alpha))
            CHECK_NEAR(all.alpha.value, rows[i].alpha, 1e-12);
    }
    tap_case("Brennan and Prediger: chance is one of two");
    const char *const said[] = {"11", "11", "33", "13"};
    struct label_agree_data data = data_of(said, 4);
    CHECK_NEAR(label_agree_measure(&data, &how, &arena).brennan_prediger.value, 0.5,
               1e-12);
}

static void test_sets(void)
{
    static const size_t both[] = {1, 3};
    const struct label_agree_label labels[] = {{0, 0, both, 2, NAN},
                                               {0, 1, both, 1, NAN},
                                               {1, 0, both + 1, 1, NAN},
                                               {1, 1, both + 1, 1, NAN}};
    struct label_agree_data data = {.items = items,
                                    .raters = raters,
                                    .item_count = 2,
                                    .rater_count = 2,
                                    .codes = codes,
                                    .code_count = ROWS(codes),
                                    .labels = labels,
                                    .label_count = ROWS(labels)};
    struct label_agree_options how = {.level = 0.95};
    struct label_agree_measures all = label_agree_measure(&data, &how, &arena);

    tap_case("several codes: {1,3} and {1} differ, but not wholly for MASI");
    CHECK(all.sets && all.items == 2);
    CHECK_NEAR(all.observed, 0.5, 1e-12);
    /* MASI: {1,3},{1}: Jaccard 1/2, subset 2/3: distance 2/3. {1,3},{3}: the same.
     * {1},{3}: 1. Do = (2/3)/2 over 4 labels: 1 - ... ; De over the pairs of the four
     * labels {1,3},{1},{3},{3}: 2/3, 2/3, 2/3, 1, 1, 0 of six: mean 2/3. */
    CHECK_NEAR(all.alpha.value, 1 - (1.0 / 3) / (2.0 / 3), 1e-12);
}

static void test_parts(void)
{
    const char *const said[] = {"12", "11", "33", "13", "22", "33"};
    struct label_agree_data data = data_of(said, 6);
    struct label_agree_options how = {.level = 0.95, .top = 2};
    const double half[] = {0.5, 1};

    tap_case("levels: 1 and 2 are the same one level up");
    struct label_agree_report report = label_agree_report(&data, &how, &arena);
    if (CHECK(report.level_count == 2)) {
        CHECK_NEAR(report.levels[0].measures.observed, 5.0 / 6, 1e-12);
        CHECK_NEAR(report.levels[1].measures.observed, 4.0 / 6, 1e-12);
    }

    tap_case("codes: those that were given, with what is below them");
    if (CHECK(report.code_count == 4)) {
        CHECK(report.codes[0].code == 0 && report.codes[0].given == 7);
        CHECK(report.codes[1].given == 4 && report.codes[2].given == 3);
        CHECK_NEAR(report.codes[0].measures.observed, 5.0 / 6, 1e-12);
    }

    tap_case("items with one label count at the last checkpoint as in the whole");
    const char *const single[] = {"1-", "13", "33", "11", "-2"};
    struct label_agree_data partly = data_of(single, 5);
    report = label_agree_report(&partly, &how, &arena);
    CHECK(report.all.items == 3 && report.all.labels == 6);
    CHECK(report.checkpoint_count > 0);
    struct label_agree_measures *last =
        &report.checkpoints[report.checkpoint_count - 1].measures;
    CHECK(last->items == 3 && last->ac1.value == report.all.ac1.value);
    /* The shares of 1, 2 and 3 are 0.5, 0.2 and 0.3: chance is 0.62 / 2. */
    CHECK_NEAR(report.all.ac1.value, (2.0 / 3 - 0.31) / 0.69, 1e-12);

    tap_case("checkpoints: in the order of labelling");
    how.checkpoints = half;
    how.checkpoint_count = 2;
    report = label_agree_report(&data, &how, &arena);
    if (CHECK(report.checkpoint_count == 2)) {
        CHECK(report.checkpoints[0].measures.items == 3);
        CHECK_NEAR(report.checkpoints[0].measures.observed, 2.0 / 3, 1e-12);
        CHECK_NEAR(report.checkpoints[1].measures.observed, 4.0 / 6, 1e-12);
    }

    tap_case("a checkpoint that has not been reached is left out");
    data.planned = 12;
    report = label_agree_report(&data, &how, &arena);
    CHECK(report.checkpoint_count == 1 && report.checkpoints[0].measures.items == 6);

    tap_case("confusion of a pair");
    if (CHECK(report.pair_count == 1)) {
        const int64_t *table = report.pairs[0].table;
        CHECK(table[1 * 4 + 2] == 1 && table[1 * 4 + 3] == 1 && table[3 * 4 + 3] == 2);
        CHECK(table[2 * 4 + 1] == 0);
    }

    tap_case("saturation: new codes over items");
    if (CHECK(report.saturation_count == 4)) {
        CHECK(report.saturation[0].items == 1 && report.saturation[0].codes == 1);
        CHECK(report.saturation[1].items == 1 && report.saturation[1].codes == 2);
        CHECK(report.saturation[2].items == 3 && report.saturation[2].codes == 3);
        CHECK(report.saturation[3].items == 6 && report.saturation[3].codes == 3);
    }

    tap_case("slowest and most disputed items");
    CHECK(report.slowest_count == 2 && report.slowest[0].item == 5 &&
          report.slowest[1].item == 4);
    CHECK(report.disputed_count == 2 && report.disputed[0].item == 0 &&
          report.disputed[1].item == 3);
}

static void test_notes(void)
{
    struct label_agree_label labels[200];
    struct str names[100];
    struct label_agree_options how = {.level = 0.95, .resamples = 500, .seed = 1};

    tap_case("the prevalence paradox is told");
    for (size_t i = 0; i < 100; i++) {
        names[i] = STR("i");
        for (size_t r = 0; r < 2; r++)
            labels[2 * i + r] = (struct label_agree_label){
                i, r, &number[i == 10 + r || i == 20 + r ? 3 : 1], 1, NAN};
    }
    struct label_agree_data data = {.items = names,
                                    .raters = raters,
                                    .item_count = 100,
                                    .rater_count = 2,
                                    .codes = codes,
                                    .code_count = ROWS(codes),
                                    .labels = labels,
                                    .label_count = 200};
    struct label_agree_measures all = label_agree_measure(&data, &how, &arena);
    CHECK_NEAR(all.observed, 0.96, 1e-12);
    CHECK(all.cohen.value < 0 && all.ac1.value > 0.9 && all.warning != NULL);

    tap_case("alpha's interval holds alpha, and depends on the seed alone");
    for (size_t i = 0; i < 200; i++)
        labels[i].codes = &number[i % 4 < 2 || i % 30 == 3 ? 3 : 1];
    all = label_agree_measure(&data, &how, &arena);
    struct label_agree_measures again = label_agree_measure(&data, &how, &arena);
    CHECK(all.alpha.interval_undefined == NULL);
    CHECK(all.alpha.low <= all.alpha.value && all.alpha.value <= all.alpha.high);
    CHECK(all.alpha.low == again.alpha.low && all.alpha.high == again.alpha.high);

    tap_case("without resamples there is none");
    how.resamples = 0;
    CHECK(label_agree_measure(&data, &how, &arena).alpha.interval_undefined != NULL);
}

/* Labels of random items by random raters: who meets whom, also asked pair by pair. */
static void test_pairs(void)
{
    enum { RATERS = 40, ITEMS = 60, LABELS = 150 };
    struct label_agree_label labels[LABELS];
    struct str posts[ITEMS], names[RATERS];
    bool given[ITEMS][RATERS] = {{false}};
    struct rng rng = rng_seeded(3);
    struct label_agree_options how = {.level = 0.95};
    struct label_agree_data data = {.items = posts,
                                    .raters = names,
                                    .item_count = ITEMS,
                                    .rater_count = RATERS,
                                    .codes = codes,
                                    .code_count = ROWS(codes),
                                    .labels = labels};

    for (size_t i = 0; i < ITEMS; i++)
        posts[i] = STR("i");
    for (size_t r = 0; r < RATERS; r++)
        names[r] = STR("r");
    while (data.label_count < LABELS) {
        size_t item = rng_below(&rng, ITEMS), rater = rng_below(&rng, RATERS);
        if (!given[item][rater])
            labels[data.label_count++] = (struct label_agree_label){
                item, rater, &number[1 + rng_below(&rng, 3)], 1, NAN};
        given[item][rater] = true;
    }
    struct label_agree_report report = label_agree_report(&data, &how, &arena);
    size_t pair = 0;
    tap_case("pairs of raters that share items, in order, with their items");
    for (size_t a = 0; a < RATERS; a++)
        for (size_t b = a + 1; b < RATERS; b++) {
            size_t shared = 0;
            for (size_t i = 0; i < ITEMS; i++)
                shared += given[i][a] && given[i][b];
            if (shared == 0 || !CHECK(pair < report.pair_count))
                continue;
            const struct label_agree_pair *it = &report.pairs[pair++];
            CHECK(it->first == a && it->second == b && it->measures.items == shared);
            CHECK(it->measures.raters == 2 && it->measures.labels == 2 * shared);
        }
    CHECK(pair == report.pair_count && pair > 100);
}

static void test_items(void)
{
    struct label_agree_data data = agreed_data();
    struct label_agree_options options = {.level = LABEL_AGREE_LEVEL, .top = 5};
    struct label_agree_report report = label_agree_report(&data, &options, &arena);

    tap_case("saturation: each code when it came, and the last item");
    CHECK(report.saturation_count == 2);
    CHECK(report.saturation[0].items == 1 && report.saturation[0].codes == 1);
    CHECK(report.saturation[1].items == 2 && report.saturation[1].codes == 2);
    tap_case("the slowest first, by the mean over raters");
    CHECK(report.slowest_count == 2);
    CHECK(report.slowest[0].item == 0 && report.slowest[0].seconds == 4);
    tap_case("only items on which raters differ");
    CHECK(report.disputed_count == 1 && report.disputed[0].item == 1);
    CHECK(report.disputed[0].disagreement == 1);
    tap_case("no more than are asked for");
    options.top = 1;
    report = label_agree_report(&data, &options, &arena);
    CHECK(report.slowest_count == 1);
    tap_case("no labels");
    data.label_count = 0;
    report = label_agree_report(&data, &options, &arena);
    CHECK(report.saturation_count == 0 && report.slowest_count == 0);
}

int main(void)
{
    test_pairs();
    test_wholes();
    test_sets();
    test_parts();
    test_notes();
    test_items();
    arena_free(&arena);
    return tap_done();
}
