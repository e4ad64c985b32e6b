/* For tests of queries: one that is read, printed and read again, and one that is refused
 * with a caret under the place. */
#ifndef TESTS_UNIT_QUERY_PARSED_H
#define TESTS_UNIT_QUERY_PARSED_H

#include "base/arena.h"
#include "query/query.h"
#include "tests/tap.h"

static inline void parsed_bad(const char *query, const char *message, int caret)
{
    struct arena arena = {0};
    struct err err = {0};
    struct query_node *node;
    struct buf want = {0};

    CHECK(!query_parse(str_from(query), &arena, &node, &err));
    CHECK(err.kind == ERR_INPUT);
    buf_add_format(&want, "column %d: %s\n  %s\n  %*s^", caret, message, query, caret - 1,
                   "");
    buf_add_char(&want, '\0');
    CHECK_TEXT(err.text, want.ptr);
    buf_free(&want);
    arena_free(&arena);
}

static inline void parsed_good(const char *query, const char *canonical)
{
    struct arena arena = {0};
    struct err err = {0};
    struct query_node *node, *again;
    struct buf out = {0};

    if (CHECK(query_parse(str_from(query), &arena, &node, &err))) {
        query_print(node, &out);
        buf_add_char(&out, '\0');
        CHECK_TEXT(out.ptr, canonical);
        CHECK(query_parse(str_from(out.ptr), &arena, &again, &err) &&
              query_same(node, again));
    } else {
        CHECK_TEXT(err.text, "");
    }
    buf_free(&out);
    arena_free(&arena);
}

#endif
