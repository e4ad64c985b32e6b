/* Trees: comparing, what they need, which sets they name. Printing is tested with reading
 * (query_parse.c, query_condition.c). */
#include "query/query.h"

#include <string.h>

#include "tests/tap.h"

static struct query_node *parse(const char *query, struct arena *arena)
{
    struct query_node *node = NULL;
    struct err err = {0};

    CHECK(query_parse(str_from(query), arena, &node, &err));
    return node;
}

static const struct {
    const char *a, *b;
    bool same;
} pairs[] = {
    {"a b", "  a   and (b)", true},
    {"title:(a or b)", "title:a or title:b", true},
    {"score>5", "score:6..", true},
    {"\"a\"", "a", true},
    {"a", "A", false}, /* as written */
    {"a", "a*", false},
    {"a", "~a", false},
    {"a", "/a/", false},
    {"/a/", "/a/i", false},
    {"a", "title:a", false},
    {"[a]", "[a*]", false},
    {"[a]", "tag:~a", false},
    {"a b", "b a", false},
    {"a b", "a or b", false},
    {"a b", "a b c", false},
    {"a b c", "a b", false},
    {"not a", "a", false},
    {"score:5", "score:5..", false},
    {"score:5", "views:5", false},
    {"closed:yes", "closed:no", false},
    {"closed:yes", "closed:2015", false},
    {"is:wiki", "is:excerpt", false},
    {"in:a", "in:b", false},
    {"*", "a", false},
};

static const struct {
    const char *query;
    const char *texts; /* letters: t p c b */
    bool has_code, sets;
    unsigned fields;
} needs[] = {
    {"*", "", false, false, 0},
    {"[a] or score:5", "", false, false, 1u << QUERY_FIELD_TAG | 1u << QUERY_FIELD_SCORE},
    {"-a", "p", false, false, 1u << QUERY_FIELD_PROSE},
    {"title:a or (b -/c/)", "tp", false, false,
     1u << QUERY_FIELD_TITLE | 1u << QUERY_FIELD_PROSE},
    {"code:~a body:b*", "cb", false, false,
     1u << QUERY_FIELD_CODE | 1u << QUERY_FIELD_BODY},
    {"hascode:no in:A", "", true, true, 1u << QUERY_FIELD_HASCODE | 1u << QUERY_FIELD_IN},
    {"closed:yes closed:2015 hasaccepted:no", "", false, false,
     1u << QUERY_FIELD_CLOSED | 1u << QUERY_FIELD_HASACCEPTED},
};

static const struct {
    const char *query, *joined;
} sets[] = {
    {"a", ""},
    {"in:A", "A,"},
    {"in:B or -(in:A x in:(B or C))", "B,A,C,"},
    {"in:b in:B", "b,B,"},
};

int main(void)
{
    struct arena arena = {0};

    for (size_t i = 0; i < ROWS(pairs); i++) {
        tap_case("same: '%s' and '%s'", pairs[i].a, pairs[i].b);
        CHECK(query_same(parse(pairs[i].a, &arena), parse(pairs[i].b, &arena)) ==
              pairs[i].same);
    }
    for (size_t i = 0; i < ROWS(needs); i++) {
        tap_case("needs: %s", needs[i].query);
        struct query_needs got = query_needs(parse(needs[i].query, &arena));
        for (int text = 0; text < QUERY_TEXTS; text++)
            CHECK(got.text[text] == (strchr(needs[i].texts, "tpcb"[text]) != NULL));
        CHECK(got.any_text == (needs[i].texts[0] != '\0'));
        CHECK(got.has_code == needs[i].has_code);
        CHECK(got.sets == needs[i].sets);
        CHECK(got.fields == needs[i].fields);
    }
    tap_case("labels");
    size_t found;
    const struct query_node **labels =
        query_labels(parse("[a] or -(label:k/a hasunit:k/b)", &arena), &arena, &found);
    CHECK(found == 2 && labels[0]->field == QUERY_FIELD_LABEL &&
          str_eq(labels[1]->text, STR("k/b")));
    CHECK(query_needs(parse("[a] or -label:k", &arena)).labels);
    CHECK(!query_needs(parse("[a] or in:b", &arena)).labels);
    for (size_t i = 0; i < ROWS(sets); i++) {
        struct buf out = {0};
        size_t count;
        tap_case("sets: %s", sets[i].query);
        struct str *names = query_sets(parse(sets[i].query, &arena), &arena, &count);
        for (size_t k = 0; k < count; k++)
            buf_add_format(&out, "%.*s,", STR_ARG(names[k]));
        buf_add_char(&out, '\0');
        CHECK_TEXT(out.ptr, sets[i].joined);
        buf_free(&out);
    }
    arena_free(&arena);
    return tap_done();
}
