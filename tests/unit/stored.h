/* For tests of the store: a question to be stored. */
#ifndef TESTS_UNIT_STORED_H
#define TESTS_UNIT_STORED_H

#include "store/corpus.h"

static inline struct item stored_post(int64_t id)
{
    return (struct item){.id = id,
                                .type = 1,
                                .parent = ITEM_NONE,
                                .accepted = ITEM_NONE,
                                .accepted_ms = ITEM_NONE,
                                .created_ms = 1500000000000 + id,
                                .closed_ms = ITEM_NONE,
                                .score = id % 7,
                                .views = ITEM_NONE,
                                .answers = 0,
                                .comments = 0,
                                .favorites = ITEM_NONE,
                                .owner = id % 3,
                                .tags = STR("|Python|tensorflow|"),
                                .title = STR("a title"),
                                .body = STR("<p>body</p>"),
                                .prose = STR("a title\nbody"),
                                .code = STR("")};
}

#endif
