/* The three lines of an error. */
#include "query/query.h"

#include <string.h>

#include "tests/tap.h"

#define TEN   "abcdefghi "
#define SPACE "          "

static const struct {
    const char *name, *query;
    size_t at;
    const char *message;
} rows[] = {
    {"beginning", "abc", 0, "column 1: wrong 7\n  abc\n  ^"},
    {"end", "abc", 3, "column 4: wrong 7\n  abc\n     ^"},
    {"beyond the end", "abc", 9, "column 4: wrong 7\n  abc\n     ^"},
    {"nothing", "", 0, "column 1: wrong 7\n  \n  ^"},
    {"line breaks and tabs", "a\n\tb", 3, "column 4: wrong 7\n  a  b\n     ^"},
    {"characters of several bytes", "\xC3\xA9\xE4\xB8\xAD x", 6,
     "column 4: wrong 7\n  \xC3\xA9\xE4\xB8\xAD x\n     ^"},
    {"broken bytes", "\xC3\xFFx", 2, "column 3: wrong 7\n  ??x\n    ^"},
    {"as long as is shown whole", TEN TEN TEN TEN TEN TEN TEN "72", 71,
     "column 72: wrong 7\n  " TEN TEN TEN TEN TEN TEN TEN
     "72\n  " SPACE SPACE SPACE SPACE SPACE SPACE SPACE " ^"},
    {"longer, place at the beginning", TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN, 4,
     "column 5: wrong 7\n  " TEN TEN TEN TEN TEN TEN TEN "ab...\n      ^"},
    {"longer, place in the middle", TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN,
     60,
     "column 61: wrong 7\n  ...cdefghi " TEN TEN TEN TEN TEN TEN
     "abcd...\n     " SPACE SPACE SPACE SPACE "        ^"},
    {"longer, place at the end", TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN, 100,
     "column 101: wrong 7\n  ...i " TEN TEN TEN TEN TEN TEN TEN
     "\n     " SPACE SPACE SPACE SPACE SPACE SPACE SPACE "  ^"},
};

int main(void)
{
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct err err = {0};
        tap_case("fail: %s", rows[i].name);
        CHECK(!query_fail(str_from(rows[i].query), rows[i].at, &err, "wrong %d", 7));
        CHECK(err.kind == ERR_INPUT);
        CHECK_TEXT(err.text, rows[i].message);
    }
    tap_case("fail: the longest message leaves room for a place");
    struct err err = {0};
    struct buf query = {0};
    for (int i = 0; i < 200; i++)
        buf_add(&query, STR("\xF0\x9F\x98\x80"));
    CHECK(!query_fail(buf_str(&query), 400, &err, "%*s", 2000, ""));
    CHECK(err.text[strlen(err.text) - 1] == '^');
    CHECK(strlen(err.text) < sizeof err.text - 100);
    buf_free(&query);
    return tap_done();
}
