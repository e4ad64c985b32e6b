/* Which elements part words. */
#include "text/tag.h"

#include <string.h>

#include "tests/tap.h"

static const struct {
    const char *name;
    enum tag tag;
} rows[] = {
    {"p", TAG_BLOCK},
    {"li", TAG_BLOCK},
    {"br", TAG_BLOCK},
    {"blockquote", TAG_BLOCK},
    {"td", TAG_BLOCK},
    {"th", TAG_BLOCK},
    {"tr", TAG_BLOCK},
    {"table", TAG_BLOCK},
    {"thead", TAG_BLOCK},
    {"tbody", TAG_BLOCK},
    {"tfoot", TAG_BLOCK},
    {"h1", TAG_BLOCK},
    {"h2", TAG_BLOCK},
    {"h3", TAG_BLOCK},
    {"h4", TAG_BLOCK},
    {"h5", TAG_BLOCK},
    {"h6", TAG_BLOCK},
    {"div", TAG_BLOCK},
    {"hr", TAG_BLOCK},
    {"ul", TAG_BLOCK},
    {"ol", TAG_BLOCK},
    {"dl", TAG_BLOCK},
    {"dt", TAG_BLOCK},
    {"dd", TAG_BLOCK},
    {"section", TAG_BLOCK},
    {"figcaption", TAG_BLOCK},
    {"fieldset", TAG_BLOCK},
    {"summary", TAG_BLOCK},
    {"details", TAG_BLOCK},
    {"iframe", TAG_BLOCK},
    {"em", TAG_INLINE},
    {"strong", TAG_INLINE},
    {"b", TAG_INLINE},
    {"i", TAG_INLINE},
    {"sub", TAG_INLINE},
    {"sup", TAG_INLINE},
    {"kbd", TAG_INLINE},
    {"del", TAG_INLINE},
    {"s", TAG_INLINE},
    {"strike", TAG_INLINE},
    {"img", TAG_INLINE},
    {"span", TAG_INLINE},
    {"pre", TAG_PRE},
    {"code", TAG_CODE},
    {"a", TAG_A},
    {"cite", TAG_UNKNOWN},
    {"cxxe", TAG_UNKNOWN},
    {"pr", TAG_UNKNOWN},
    {"pree", TAG_UNKNOWN},
    {"P", TAG_UNKNOWN},
    {"x", TAG_UNKNOWN},
    {"blockquoxe", TAG_UNKNOWN},
};

int main(void)
{
    for (size_t i = 0; i < ROWS(rows); i++) {
        size_t len = strlen(rows[i].name);
        char name[TAG_READABLE] = {0};
        memcpy(name, rows[i].name, len);
        tap_case("%s", rows[i].name);
        CHECK(tag_find(name, len) == rows[i].tag);
        memset(name + len, '&', sizeof name - len);
        CHECK(tag_find(name, len) == rows[i].tag);
    }
    return tap_done();
}
