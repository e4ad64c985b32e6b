/* The words that mark a class: what a person picks keywords from. Log-odds with an
 * informative Dirichlet prior, the words of all posts: Monroe, Colaresi and Quinn,
 * "Fightin' words", Political Analysis 16, 2008. */
#ifndef LEARN_KEYWORDS_H
#define LEARN_KEYWORDS_H

#include "learn/examples.h"

struct learn_keywords_word {
    uint32_t feature;
    double count;    /* in the posts of the class */
    double posts;    /* of the class that have it */
    double log_odds; /* in the class against the others; above 0: more frequent in it */
    double z;        /* the same over its standard error */
};

enum learn_keywords_order { LEARN_KEYWORDS_BY_COUNT, LEARN_KEYWORDS_BY_Z };

/* At most `room` words of a class into out, how many is returned. By count is the list
 * that Zhang et al. read; by z puts words first that others do not use. */
size_t learn_keywords_of(const struct learn_examples *examples, size_t class,
                         enum learn_keywords_order order, size_t room,
                         struct learn_keywords_word *out, struct arena *arena);

#endif
