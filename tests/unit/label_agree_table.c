/* Labels as categories: parts, ancestors, codes given or not, places in an order. */
#include "label/agree_table.h"

#include "tests/tap.h"

static const struct label_agree_code codes[] = {
    {STR_INIT("a"), STR_INIT("a"), LABEL_AGREE_NONE, 1},
    {STR_INIT("a/b"), STR_INIT("b"), 0, 2},
    {STR_INIT("a/c"), STR_INIT("c"), 0, 2},
    {STR_INIT("d"), STR_INIT("d"), LABEL_AGREE_NONE, 1}};
static const struct str names[3];
static const size_t b[] = {1}, c[] = {2}, d[] = {3}, bd[] = {1, 3};
/* Item 0: b, c, d; item 1: d, d; item 2: b alone; item 3: b and d, b and d. */
static const struct label_agree_label labels[] = {
    {0, 2, d, 1, 0}, {0, 1, c, 1, 0}, {0, 0, b, 1, 0},  {1, 0, d, 1, 0},
    {1, 2, d, 1, 0}, {2, 0, b, 1, 0}, {3, 0, bd, 2, 0}, {3, 1, bd, 2, 0}};
static const bool first_item[] = {true, false, false, false};
static const size_t places[] = {LABEL_AGREE_NONE, 2, 0, 1};
static const struct label_agree_data data = {.items = names,
                                             .raters = names,
                                             .item_count = 4,
                                             .rater_count = 3,
                                             .codes = codes,
                                             .code_count = 4,
                                             .labels = labels,
                                             .label_count = 8,
                                             .order = {places, NULL, names, 3}};

static const struct {
    const char *name;
    const bool *items;
    bool pair; /* of the first two raters */
    size_t code;
    int level;
    const char *want; /* what each rater said of each item with labels, by category in
                         the order in which they come */
    size_t categories, raters;
    bool several;
    double observed;
} rows[] = {
    {"all", NULL, false, LABEL_AGREE_NONE, 0, "0 1 2|2 - 2|0 - -|3 3 -|", 4, 3, true,
     2.0 / 3},
    {"one item", first_item, false, LABEL_AGREE_NONE, 0, "0 1 2|", 3, 3, false, 0},
    {"two raters", NULL, true, LABEL_AGREE_NONE, 0, "0 1 -|2 - -|0 - -|3 3 -|", 4, 2,
     true, 0.5},
    {"the top of the tree", NULL, false, LABEL_AGREE_NONE, 1, "0 0 1|1 - 1|0 - -|2 2 -|",
     3, 3, true, (1.0 / 3 + 2) / 3},
    {"a code and what is below it", NULL, false, 0, 0, "0 0 1|1 - 1|0 - -|0 0 -|", 2, 3,
     false, (1.0 / 3 + 2) / 3},
};

static void check_ratings(struct stats_agree_ratings ratings, const char *want,
                          struct arena *arena)
{
    struct buf text = {0};

    for (size_t i = 0; i < ratings.items; i++) {
        struct stats_agree_span span = ratings.spans[i];
        for (size_t r = 0, l = span.begin; r < ratings.raters; r++) {
            if (l < span.begin + span.count && ratings.who[l] == r)
                buf_add_int(&text, ratings.at[l++]);
            else
                buf_add_char(&text, '-');
            buf_add_char(&text, r + 1 == ratings.raters ? '|' : ' ');
        }
    }
    CHECK_TEXT(arena_c_string(arena, buf_str(&text)), want);
    buf_free(&text);
}

static void check_items(const struct label_agree_table *table)
{
    tap_case("which items they are, also where one has no label that counts");
    CHECK(table->ratings.items == 3);
    CHECK(table->items[0] == 0 && table->items[1] == 1 && table->items[2] == 2);
}

int main(void)
{
    struct arena arena = {0};
    struct label_agree_table_view whole = label_agree_table_whole(&data, &arena);
    const struct label_agree_table_view *by_rater =
        label_agree_table_by_rater(&whole, &arena);

    tap_case("labels by item and rater, in whatever order they were given");
    CHECK(whole.label_count == 8 && whole.labels[0] == 2 && whole.labels[1] == 1);
    CHECK(by_rater[1].label_count == 2 && by_rater[2].labels[0] == 0);
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct label_agree_table_view view =
            rows[i].pair ? label_agree_table_pair(&by_rater[0], &by_rater[1], &arena)
                         : whole;
        view.items = rows[i].items;
        view.code = rows[i].code;
        view.level = rows[i].level;
        struct label_agree_table table = label_agree_table_of(&view, &arena);
        tap_case("table: %s", rows[i].name);
        check_ratings(table.ratings, rows[i].want, &arena);
        CHECK(table.ratings.categories == rows[i].categories);
        CHECK(table.raters == rows[i].raters && table.several == rows[i].several);
        CHECK_NEAR(label_agree_table_observed(&table.ratings), rows[i].observed, 1e-15);
    }
    tap_case("in an order: several codes at once do not count");
    whole.ordered = true;
    struct label_agree_table table = label_agree_table_of(&whole, &arena);
    check_ratings(table.ratings, "2 0 1|1 - 1|2 - -|", &arena);
    CHECK(table.ratings.categories == 3 && table.labels == 5);
    check_items(&table);
    tap_case("Cohen's kappa is for two raters");
    CHECK_TEXT(
        label_agree_table_cohen(&table, STATS_AGREE_LINEAR, 0.95, &arena).undefined,
        "it is for two raters");
    arena_free(&arena);
    return tap_done();
}
