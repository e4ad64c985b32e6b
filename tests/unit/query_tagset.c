/* [tagset:NAME] as the tags that it stands for. */
#include "query/query.h"

#include "tests/tap.h"

static const struct {
    const char *query, *becomes;
} rows[] = {
    {"[tagset:dl]", "[keras*] or [torch]"},
    {"[TagSet:dl] and score:3..", "([keras*] or [torch]) and score:3.."},
    {"[ios] or [tagset:dl]", "[ios] or [keras*] or [torch]"},
    {"not tag:\"tagset:dl\"", "not ([keras*] or [torch])"},
    {"[tagset:one]", "[ios]"},
    {"[tagset:two]", "[tagset:two]"}, /* not known: somebody else complains */
    {"[tagset:*]", "[tagset:*]"},     /* a pattern of tags */
};

int main(void)
{
    static const struct str dl[] = {STR_INIT("keras*"), STR_INIT("torch")},
                            one[] = {STR_INIT("ios")};
    static const struct query_tagset sets[] = {{STR_INIT("dl"), dl, 2},
                                               {STR_INIT("one"), one, 1}};
    struct arena arena = {0};

    for (size_t i = 0; i < ROWS(rows); i++) {
        struct query_node *query;
        struct err err = {0};
        struct buf text = {0};
        tap_case("%s", rows[i].query);
        CHECK(query_parse(str_from(rows[i].query), &arena, &query, &err));
        query_print(query_with_tagsets(query, sets, ROWS(sets), &arena), &text);
        CHECK(str_eq(buf_str(&text), str_from(rows[i].becomes)));
        buf_free(&text);
    }
    tap_case("the name that is asked for");
    struct query_node *query;
    struct err err = {0};
    CHECK(query_parse(STR("score:1 and ([a] or [tagset:x])"), &arena, &query, &err));
    CHECK(str_eq(query_tagset(query), STR("x")));
    CHECK(query_parse(STR("[a] and title:tagset"), &arena, &query, &err));
    CHECK(query_tagset(query).len == 0);
    arena_free(&arena);
    return tap_done();
}
