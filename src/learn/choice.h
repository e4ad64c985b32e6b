/* What a user may choose about features and the keyword-weight method. Zeroed is what
 * suits the method. */
#ifndef LEARN_CHOICE_H
#define LEARN_CHOICE_H

#include "learn/model.h"

struct choice {
    int64_t run_max;           /* words in a row that count together, 1 to 3 */
    int64_t df_min;            /* posts that must have a feature */
    double df_max;             /* share of posts that may have it */
    int64_t select;            /* so many features, by chi-square */
    struct str idf;            /* "smooth", "plain" or "none" */
    struct str stops;          /* stop words: "keep" or "drop" */
    bool words_alone;          /* see model_take_words() */
    double parts[PARTS_COUNT]; /* how much each part counts, where `chosen` */
    bool chosen[PARTS_COUNT];

    /* Of keyword-weight; see fit_keyword and features_options. */
    bool length, only_top, body_wins;
    int64_t top;
};

void choice_apply(const struct choice *choice, struct model_settings *settings);

/* "title=0.7,code=0": ERR_USAGE for a part that there is not, a weight that is no number
 * of 0 or more, or a part twice. */
bool choice_read_weights(struct str text, struct choice *choice,
                         struct err *err) MUST_USE;

#endif
