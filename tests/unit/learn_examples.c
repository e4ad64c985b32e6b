/* Labelled posts, their classes, and near duplicates among them. */
#include "learn/examples.h"

#include <math.h>

#include "learn/internal.h"
#include "tests/tap.h"
#include "tests/unit/learn_toy.h"

/* Posts become counts, classes and groups. */

static void test_examples(void)
{
    struct arena arena = {0};
    struct learn_examples examples;
    const char *const texts[] = {"a b a", "how to train a model on many cards", "",
                                 "How to train a model on many cards!"};
    struct learn_parts posts[4] = {0};
    const size_t classes[4] = {0, 1, 0, 1};

    for (size_t i = 0; i < 4; i++)
        posts[i].at[LEARN_PARTS_PROSE] = str_from(texts[i]);
    learn_examples_make(
        &(struct learn_posts){.parts = posts,
                              .truth = toy_membership(classes, 4, 2, &arena)},
        (struct learn_features_options){.kinds = 1u << LEARN_FEATURES_WORD}, &arena,
        &examples);
    tap_case("a row a post, a column a feature");
    CHECK(examples.counts.count == 4 && examples.counts.columns == examples.table.count);
    CHECK(learn_rows_at(&examples.counts, 0).count == 2 &&
          learn_rows_at(&examples.counts, 0).cells[0].value == 2);
    tap_case("a post without text has an empty row");
    CHECK(learn_rows_at(&examples.counts, 2).count == 0);
    tap_case("near duplicates share a group");
    CHECK(examples.groups[3] == 1 && examples.groups[1] == 1 && examples.groups[2] == 2);
    learn_examples_free(&examples);
    arena_free(&arena);
}

/* Which classes items have. */

static void test_membership(void)
{
    struct arena arena = {0};
    struct learn_membership truth = toy_truth(&arena);
    const size_t some[] = {5, 0, 2};

    tap_case("the class of each item");
    for (size_t i = 0; i < TOY_ROWS; i++)
        CHECK(learn_membership_class(&truth, i) == toy_classes[i]);

    tap_case("items of a list, in its order");
    struct learn_membership part = learn_membership_of(&truth, some, ROWS(some), &arena);
    CHECK(part.items == 3 && learn_membership_class(&part, 0) == 2 &&
          learn_membership_class(&part, 1) == 0 && learn_membership_class(&part, 2) == 1);

    tap_case("an item without a class");
    struct learn_membership none = learn_membership_new(1, 3, true, &arena);
    CHECK(learn_membership_class(&none, 0) == 3);
    arena_free(&arena);
}

/* Near duplicates are found, others are not. */

#define LONG \
    "when i train the model with keras on two cards the loss is not a number after the " \
    "first epoch and the program ends with an error about memory although there is " \
    "enough of it on both cards and the same code runs well on one of them"

static const struct {
    const char *name, *first, *second;
    bool alike;
} rows[] = {
    {"the same", LONG, LONG, true},
    {"case and punctuation", "How to save a model?", "how to SAVE a model", true},
    {"one word more at the end", LONG, LONG " thanks", true},
    {"something else", LONG, "how can i read a csv file with pandas and drop a column",
     false},
    {"half of it", LONG,
     "when i train the model with keras on two cards the loss is fine", false},
    {"short and different", "save model", "load model", false},
    {"short and the same", "save model", "save model", true},
    {"no words resemble nothing", "", "", false},
};

static void test_duplicates(void)
{
    struct arena arena = {0};
    struct buf lower = {0};

    for (size_t i = 0; i < ROWS(rows); i++) {
        struct learn_duplicates_sketch sketches[3] = {
            learn_duplicates_sketch(str_from(rows[i].first), &lower),
            learn_duplicates_sketch(STR("quite another text about the weather"), &lower),
            learn_duplicates_sketch(str_from(rows[i].second), &lower)};
        const size_t *groups = learn_duplicates_groups(sketches, 3, &arena);
        tap_case("%s", rows[i].name);
        CHECK((groups[2] == 0) == rows[i].alike);
        CHECK(groups[0] == 0 && groups[1] == 1);
    }
    /* 20 of 30 runs are the same: (32 - 2 - 10) over 30 + 10. */
    struct buf a = {0}, b = {0};
    for (int i = 0; i < 32; i++) {
        buf_add_format(&a, "w%d ", i);
        buf_add_format(&b, "w%d ", i + 10);
    }
    struct learn_duplicates_sketch first = learn_duplicates_sketch(buf_str(&a), &lower);
    struct learn_duplicates_sketch second = learn_duplicates_sketch(buf_str(&b), &lower);
    tap_case("resemblance of 0.5 is estimated within three standard errors");
    CHECK(fabs(learn_duplicates_resemblance(&first, &second) - 0.5) <
          3 * sqrt(0.25 / 64));
    buf_free(&a);
    buf_free(&b);
    buf_free(&lower);
    arena_free(&arena);
}

int main(void)
{
    test_examples();
    test_membership();
    test_duplicates();
    return tap_done();
}
