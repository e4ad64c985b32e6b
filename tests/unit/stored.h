/* For tests of the store: a question to be stored. */
#ifndef TESTS_UNIT_STORED_H
#define TESTS_UNIT_STORED_H

#include "store/corpus.h"

static inline struct corpus_post stored_post(int64_t id)
{
    return (struct corpus_post){.id = id,
                                .type = 1,
                                .parent = CORPUS_NONE,
                                .accepted = CORPUS_NONE,
                                .accepted_ms = CORPUS_NONE,
                                .created_ms = 1500000000000 + id,
                                .closed_ms = CORPUS_NONE,
                                .score = id % 7,
                                .views = CORPUS_NONE,
                                .answers = 0,
                                .comments = 0,
                                .favorites = CORPUS_NONE,
                                .owner = id % 3,
                                .tags = STR("|Python|tensorflow|"),
                                .title = STR("a title"),
                                .body = STR("<p>body</p>"),
                                .prose = STR("a title\nbody"),
                                .code = STR("")};
}

#endif
