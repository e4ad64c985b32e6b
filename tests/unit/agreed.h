/* For tests of how agreement is told: two raters, two items, one of them disputed. */
#ifndef TESTS_UNIT_AGREED_H
#define TESTS_UNIT_AGREED_H

#include <string.h>

#include "label/agree.h"
#include "tests/tap.h"

static const struct str agreed_items[] = {STR_INIT("1"), STR_INIT("2")};
static const struct str agreed_raters[] = {STR_INIT("an \"a\""), STR_INIT("b")};
static const struct label_agree_code agreed_codes[] = {
    {STR_INIT("x"), STR_INIT("X"), LABEL_AGREE_NONE, 1},
    {STR_INIT("y"), STR_INIT("Y"), LABEL_AGREE_NONE, 1}};
static const size_t agreed_numbers[] = {0, 1};
static const struct label_agree_label agreed_labels[] = {{0, 0, agreed_numbers, 1, 3},
                                                         {0, 1, agreed_numbers, 1, 5},
                                                         {1, 0, agreed_numbers + 1, 1, 1},
                                                         {1, 1, agreed_numbers, 1, 1}};

static inline struct label_agree_data agreed_data(void)
{
    return (struct label_agree_data){.items = agreed_items,
                                     .raters = agreed_raters,
                                     .item_count = 2,
                                     .rater_count = 2,
                                     .codes = agreed_codes,
                                     .code_count = 2,
                                     .labels = agreed_labels,
                                     .label_count = 4};
}

/* What `tell` writes of the data; it lives in the arena. */
static inline const char *
agreed_told(const struct label_agree_data *data, const struct label_agree_options *how,
            void (*tell)(const struct label_agree_report *report, struct buf *out),
            struct arena *arena)
{
    struct label_agree_report report = label_agree_report(data, how, arena);
    struct buf out = {0};

    tell(&report, &out);
    const char *copy = arena_c_string(arena, buf_str(&out));
    buf_free(&out);
    return copy;
}

#endif
