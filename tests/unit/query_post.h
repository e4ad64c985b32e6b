/* An item for tests of query/: plain values behind the callbacks, which count their
 * calls.
 */
#ifndef TESTS_UNIT_QUERY_POST_H
#define TESTS_UNIT_QUERY_POST_H

#include <string.h>

#include "query/query.h"
#include "tests/tap.h"

struct post {
    struct item item;
    struct query_item asked; /* the item as a query sees it */
    struct str texts[QUERY_TEXTS];
    bool has_code;
    const char *sets; /* those it belongs to: " B server " */
    int fetched[QUERY_TEXTS];
    int code_asked, sets_asked;
};

static inline struct str post_text(void *context, enum query_text which)
{
    struct post *post = context;

    post->fetched[which]++;
    return post->texts[which];
}

static inline bool post_has_code(void *context)
{
    struct post *post = context;

    post->code_asked++;
    return post->has_code;
}

static inline bool post_in_set(void *context, struct str set)
{
    struct post *post = context;
    char name[64];

    post->sets_asked++;
    if (post->sets == NULL || set.len + 3 > sizeof name)
        return false;
    name[0] = ' ';
    memcpy(name + 1, set.ptr, set.len);
    memcpy(name + 1 + set.len, " ", 2);
    return strstr(post->sets, name) != NULL;
}

/* Sets the callbacks; the post must not move afterwards. */
static inline void post_ready(struct post *post)
{
    post->asked = (struct query_item){.item = &post->item,
                                      .context = post,
                                      .text = post_text,
                                      .has_code = post_has_code,
                                      .in_set = post_in_set};
}

/* Tests a post on which no regex gives up. */
static inline bool post_holds(const struct query_compiled *compiled,
                              struct query_scratch *scratch,
                              const struct query_item *item)
{
    struct err err = {0};
    bool holds = false;

    CHECK(query_test(compiled, scratch, item, &holds, &err));
    return holds;
}

/* The same with a funnel. */
static inline bool post_passes(struct query_funnel *funnel,
                               const struct query_compiled *compiled,
                               struct query_scratch *scratch,
                               const struct query_item *item)
{
    struct err err = {0};
    bool passes = false;

    CHECK(query_funnel_add(funnel, compiled, scratch, item, &passes, &err));
    return passes;
}

static inline struct post post_empty(void)
{
    return (struct post){.item = item_empty()};
}

#endif
