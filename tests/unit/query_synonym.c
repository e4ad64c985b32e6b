/* Tags that mean the same: what a query becomes, and which tables are refused. */
#include "query/query.h"

#include "tests/tap.h"

/* A table is written a>b: a is a synonym of b. */
static const struct {
    const char *name;
    struct query_synonym pairs[4];
    const char *query, *becomes;
} rows[] = {
    {"none", {{{0}, {0}}}, "[js] or [a]", "[js] or [a]"},
    {"the synonym",
     {{STR_INIT("js"), STR_INIT("javascript")}},
     "[js]",
     "[javascript] or [js]"},
    {"what it is one of",
     {{STR_INIT("js"), STR_INIT("javascript")}},
     "[javascript] score:5..",
     "([javascript] or [js]) and score:5.."},
    {"chains, and all of a class in order",
     {{STR_INIT("z"), STR_INIT("b")},
      {STR_INIT("b"), STR_INIT("c")},
      {STR_INIT("a"), STR_INIT("c")}},
     "not [z]",
     "not ([c] or [a] or [b] or [z])"},
    {"an or stays one",
     {{STR_INIT("js"), STR_INIT("javascript")}},
     "[a] or [js] or b",
     "[a] or [javascript] or [js] or prose:b"},
    {"in any case",
     {{STR_INIT("JS"), STR_INIT("JavaScript")}},
     "tag:Javascript",
     "[javascript] or [js]"},
    {"patterns and parts are left alone",
     {{STR_INIT("js"), STR_INIT("javascript")}},
     "[j?] or tag:~js",
     "[j?] or tag:~\"js\""},
    {"a row that stands twice",
     {{STR_INIT("js"), STR_INIT("javascript")},
      {STR_INIT("Js"), STR_INIT("javascript")}},
     "[js]",
     "[javascript] or [js]"},
};

static const struct {
    const char *name;
    struct query_synonym pairs[4];
    size_t wrong;
    const char *message;
} bad[] = {
    {"itself",
     {{STR_INIT("a"), STR_INIT("b")}, {STR_INIT("c"), STR_INIT("C")}},
     1,
     "'c' leads back to itself as a synonym"},
    {"a circle",
     {{STR_INIT("x"), STR_INIT("y")},
      {STR_INIT("a"), STR_INIT("b")},
      {STR_INIT("b"), STR_INIT("c")},
      {STR_INIT("c"), STR_INIT("a")}},
     1,
     "'a' leads back to itself as a synonym"},
    {"two tags",
     {{STR_INIT("a"), STR_INIT("b")}, {STR_INIT("a"), STR_INIT("c")}},
     1,
     "'a' is a synonym of 'b' and of 'c'; expected one tag"},
};

static size_t count_of(const struct query_synonym *pairs)
{
    size_t count = 0;

    while (count < 4 && pairs[count].tag.len > 0)
        count++;
    return count;
}

int main(void)
{
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct arena arena = {0};
        struct err err = {0};
        struct query_node *node, *again;
        struct query_synonyms *synonyms;
        struct buf out = {0};
        size_t wrong;
        tap_case("%s", rows[i].name);
        CHECK(query_parse(str_from(rows[i].query), &arena, &node, &err));
        if (CHECK(query_synonyms_make(rows[i].pairs, count_of(rows[i].pairs), &arena,
                                      &synonyms, &wrong, &err))) {
            node = query_with_synonyms(node, synonyms, &arena);
            query_print(node, &out);
            buf_add_char(&out, '\0');
            CHECK_TEXT(out.ptr, rows[i].becomes);
            CHECK(query_parse(str_from(out.ptr), &arena, &again, &err) &&
                  query_same(node, again));
        }
        buf_free(&out);
        arena_free(&arena);
    }
    for (size_t i = 0; i < ROWS(bad); i++) {
        struct arena arena = {0};
        struct err err = {0};
        struct query_synonyms *synonyms;
        size_t wrong = 99;
        tap_case("refused: %s", bad[i].name);
        CHECK(!query_synonyms_make(bad[i].pairs, count_of(bad[i].pairs), &arena,
                                   &synonyms, &wrong, &err));
        CHECK(wrong == bad[i].wrong);
        CHECK_TEXT(err.text, bad[i].message);
        arena_free(&arena);
    }
    return tap_done();
}
