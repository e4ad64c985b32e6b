/* Near duplicates are found, others are not. */
#include "learn/duplicates.h"

#include <math.h>

#include "tests/tap.h"

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

int main(void)
{
    struct arena arena = {0};
    struct buf lower = {0};

    for (size_t i = 0; i < ROWS(rows); i++) {
        struct duplicates_sketch sketches[3] = {
            duplicates_sketch(str_from(rows[i].first), &lower),
            duplicates_sketch(STR("quite another text about the weather"), &lower),
            duplicates_sketch(str_from(rows[i].second), &lower)};
        const size_t *groups = duplicates_groups(sketches, 3, &arena);
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
    struct duplicates_sketch first = duplicates_sketch(buf_str(&a), &lower);
    struct duplicates_sketch second = duplicates_sketch(buf_str(&b), &lower);
    tap_case("resemblance of 0.5 is estimated within three standard errors");
    CHECK(fabs(duplicates_resemblance(&first, &second) - 0.5) < 3 * sqrt(0.25 / 64));
    buf_free(&a);
    buf_free(&b);
    buf_free(&lower);
    arena_free(&arena);
    return tap_done();
}
