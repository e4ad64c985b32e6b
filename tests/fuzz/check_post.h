/* What must hold for a post that comes out of a table, whatever went in. */
#ifndef TESTS_FUZZ_CHECK_POST_H
#define TESTS_FUZZ_CHECK_POST_H

#include <assert.h>
#include <string.h>

#include "base/date.h"
#include "base/err.h"
#include "item/item.h"
#include "text/utf8.h"

static inline void check_moment(int64_t ms)
{
    assert(ms == ITEM_NONE || (date_year(ms) >= 0 && date_year(ms) <= 9999));
}

/* Nothing, or <a><b>. */
static inline void check_tags(struct str tags)
{
    bool open = false;

    for (size_t i = 0; i < tags.len; i++) {
        char c = tags.ptr[i];
        assert(open ? c != '<' : c == '<');
        assert(c != '>' || tags.ptr[i - 1] != '<');
        assert(strchr("|,; \n\r\t\"'&", c) == NULL);
        open = c != '>';
    }
    assert(!open);
}

static inline bool check_post(void *context, const struct item *post, struct err *err)
{
    int64_t *count = context;

    (void)err;
    assert(post->id != ITEM_NONE && !post->escaped);
    assert(post->kind == ITEM_NONE || post->kind > 0);
    assert(post->kind != ITEM_NONE || post->parent == ITEM_NONE);
    assert(post->kind != ITEM_NONE || (post->title.len == 0 && post->tags.len == 0));
    check_moment(post->created_ms);
    check_moment(post->closed_ms);
    check_tags(post->tags);
    assert(text_utf8_valid(post->tags) && text_utf8_valid(post->title));
    assert(text_utf8_valid(post->body) && text_utf8_valid(post->license));
    ++*count;
    return true;
}

/* The error names the file and a line, or it is about the mapping. */
static inline void check_error(const struct err *err)
{
    assert(err->kind == ERR_INPUT);
    if (strncmp(err->text, "mapping: ", 9) == 0)
        return;
    assert(strncmp(err->text, "f:", 2) == 0 && err->text[2] >= '1' &&
           err->text[2] <= '9');
}

#endif
