/* For tests of the store: a question to be stored. */
#ifndef TESTS_UNIT_STORED_H
#define TESTS_UNIT_STORED_H

#include "store/corpus.h"

static inline struct item stored_post(int64_t id)
{
    struct item item = item_empty();

    item.id = id;
    item.kind = ITEM_QUESTION;
    item.created_ms = 1500000000000 + id;
    item.score = id % 7;
    item.answers = item.comments = 0;
    item.owner = id % 3;
    item.tags = STR("|Python|tensorflow|");
    item.title = STR("a title");
    item.body = STR("<p>body</p>");
    return item;
}

/* Appends an item that is not there yet. */
static inline bool stored_append(struct store *corpus, const struct item *item,
                                 struct err *err)
{
    int64_t known_ms;
    bool added;

    return store_append(corpus, item, 0, &added, &known_ms, err) && added;
}

#endif
