/* How conditions are joined: what is read, printed back, and said about what is wrong. */
#include "query/query.h"

#include <string.h>

#include "tests/tap.h"

static const struct {
    const char *name, *query, *canonical;
} good[] = {
    {"nothing is everything", "", "*"},
    {"blanks are nothing", " \t\r\n ", "*"},
    {"a star is everything", "*", "*"},
    {"everything but", "* -[a]", "* and not [a]"},
    {"side by side is and", "a b", "prose:a and prose:b"},
    {"and, or, not in capitals", "a AND b Or NOT c",
     "prose:a and prose:b or not prose:c"},
    {"and binds tighter than or", "a b or c d",
     "prose:a and prose:b or prose:c and prose:d"},
    {"brackets", "a (b or c)", "prose:a and (prose:b or prose:c)"},
    {"brackets that change nothing", "((a)) and ((b) and c)",
     "prose:a and prose:b and prose:c"},
    {"or in or", "a or (b or c)", "prose:a or prose:b or prose:c"},
    {"not binds tightest", "not a b", "not prose:a and prose:b"},
    {"not of a group", "not (a b)", "not (prose:a and prose:b)"},
    {"minus", "-a -(b or c)", "not prose:a and not (prose:b or prose:c)"},
    {"minus within a word is part of it", "scikit-learn", "prose:scikit-learn"},
    {"twice not", "not not --a", "not not not not prose:a"},
    {"keyword touches a bracket", "not(a)or(b)", "not prose:a or prose:b"},
    {"words that begin like keywords", "android order nothing",
     "prose:android and prose:order and prose:nothing"},
    {"a quoted keyword is a word", "\"and\" or \"not\"",
     "prose:\"and\" or prose:\"not\""},
    {"no blanks between conditions", "[a][b]\"c\"(d)",
     "[a] and [b] and prose:c and prose:d"},
    {"line breaks", "a\nor\r\n\tb", "prose:a or prose:b"},
    {"a field for a group", "title:(a or b c)", "title:a or title:b and title:c"},
    {"blank after the colon", "title: (a or b) score: 5",
     "(title:a or title:b) and score:5"},
    {"another field within a group", "title:(a code:b [c] score>5)",
     "title:a and code:b and [c] and score:6.."},
    {"group in group keeps the field", "title:(a or (b not c)) d",
     "(title:a or title:b and not title:c) and prose:d"},
    {"inner group of another field", "title:(a code:(b or c) d) e",
     "title:a and (code:b or code:c) and title:d and prose:e"},
    {"groups of every kind of field",
     "tag:(a or b* or ~c) score:(1 or 5.. or -3) created:(2015 or 2017..) is:(question "
     "or "
     "answer) in:(A or B) hascode:(yes or no)",
     "([a] or [b*] or tag:~\"c\") and (score:1 or score:5.. or score:-3) and "
     "(created:2015 or "
     "created:2017..) and (is:question or is:answer) and (in:A or in:B) and (hascode:yes "
     "or "
     "hascode:no)"},
    {"minus before a number in a group negates nothing", "score:(-5)", "score:-5"},
    {"minus before a field", "-score:5", "not score:5"},
    {"labels", "label:kinds/crash -predicted:kinds hasunit:bugs/type/api",
     "label:kinds/crash and not predicted:kinds and hasunit:bugs/type/api"},
    {"a group of labels", "label:(kinds/a or \"kinds/Low accuracy\" or \"kinds/\")",
     "label:kinds/a or label:\"kinds/Low accuracy\" or label:\"kinds/\""},
    {"fields in any case", "Title:a IS:QUESTION", "title:a and is:question"},
    {"stranger letters", "\xD0\xBF\xD1\x80\xD0\xB8 [\xD1\x82]",
     "prose:\xD0\xBF\xD1\x80\xD0\xB8 and [\xD1\x82]"},
};

static const struct {
    const char *name, *query, *message;
} bad[] = {
    {"labels of nothing", "label: and a",
     "column 8: expected a labelling or LABELLING/CODE after 'label:', found 'and'\n"
     "  label: and a\n"
     "         ^"},
    {"nothing after and", "a and",
     "column 6: expected a condition after 'and', found the end of the query\n"
     "  a and\n"
     "       ^"},
    {"or at the beginning", "or a",
     "column 1: expected a condition, found 'or'\n"
     "  or a\n"
     "  ^"},
    {"or twice", "a or OR b",
     "column 6: expected a condition after 'or', found 'OR'\n"
     "  a or OR b\n"
     "       ^"},
    {"and after or", "a or and b",
     "column 6: expected a condition after 'or', found 'and'\n"
     "  a or and b\n"
     "       ^"},
    {"nothing after not", "a not ",
     "column 7: expected a condition after 'not', found the end of the query\n"
     "  a not \n"
     "        ^"},
    {"minus with a blank", "a - b",
     "column 3: expected a condition right after '-', found a blank\n"
     "  a - b\n"
     "    ^"},
    {"minus alone", "-",
     "column 2: expected a condition after '-', found the end of the query\n"
     "  -\n"
     "   ^"},
    {"bracket not closed", "a (b or (c)",
     "column 3: expected ')' for this '(', found the end of the query\n"
     "  a (b or (c)\n"
     "    ^"},
    {"bracket not opened", "a or b) c",
     "column 7: found ')' without '('\n"
     "  a or b) c\n"
     "        ^"},
    {"brackets with nothing in them", "a ()",
     "column 4: expected a condition after '(', found ')'\n"
     "  a ()\n"
     "     ^"},
    {"square bracket not opened", "a]",
     "column 2: found ']' without '['\n"
     "  a]\n"
     "   ^"},
    {"misspelt field", "a scroe:5",
     "column 3: unknown field 'scroe'; did you mean 'score'?\n"
     "  a scroe:5\n"
     "    ^"},
    {"misspelt field in a group", "title:(a boddy:b)",
     "column 10: unknown field 'boddy'; did you mean 'body'?\n"
     "  title:(a boddy:b)\n"
     "           ^"},
    {"misspelt field compared", "wiews>5",
     "column 1: unknown field 'wiews'; did you mean 'views'?\n"
     "  wiews>5\n"
     "  ^"},
    {"unlike any field", "std::vector",
     "column 1: unknown field 'std'; fields are title, prose, code, body, tag, score, "
     "views, "
     "answers, comments, favorites, created, closed, hascode, hasaccepted, is, id, user, "
     "parent, in, source, wiki, lastactive, reputation, duplicate, hasendorsed, comment, "
     "answer, label, predicted and hasunit; "
     "put text with ':', '<', '>' or '=' in it in double quotes\n"
     "  std::vector\n"
     "  ^"},
    {"text that is compared", "title>5",
     "column 6: 'title' cannot be compared; write title: and a word, word*, \"a "
     "phrase\", "
     "~\"a part\" or /a regex/\n"
     "  title>5\n"
     "       ^"},
    {"comparison of nothing", "a > 5",
     "column 3: expected a condition (put text that begins with ':', '<', '>' or '=' in "
     "double "
     "quotes), found '>'\n"
     "  a > 5\n"
     "    ^"},
    {"keyword as a value", "title:or b",
     "column 7: expected a word, word*, \"a phrase\", ~\"a part\" or /a regex/ after "
     "'title:', found 'or'\n"
     "  title:or b\n"
     "        ^"},
    {"control character",
     "a\x01"
     "b",
     "column 2: found the control character 0x01\n"
     "  a b\n"
     "   ^"},
    {"delete", "a\x7F",
     "column 2: found the control character 0x7F\n"
     "  a \n"
     "   ^"},
    {"not UTF-8", "\xC3\xA9\xFF",
     "column 2: expected UTF-8, found the byte 0xFF\n"
     "  \xC3\xA9?\n"
     "   ^"},
    {"columns are characters", "\xC3\xA9\xC3\xA9 )",
     "column 4: found ')' without '('\n"
     "  \xC3\xA9\xC3\xA9 )\n"
     "     ^"},
    {"the message has one line for a query of several", "a\nor\n",
     "column 6: expected a condition after 'or', found the end of the query\n"
     "  a or \n"
     "       ^"},
    {"a long word is cut", "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx >",
     "column 42: expected a condition (put text that begins with ':', '<', '>' or '=' in "
     "double quotes), found '>'\n"
     "  xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx >\n"
     "                                           ^"},
};

static void check_canonical(struct str query, const char *canonical)
{
    struct arena arena = {0};
    struct buf out = {0};
    struct err err = {0};
    struct query_node *node, *again;

    if (CHECK(query_parse(query, &arena, &node, &err))) {
        query_print(node, &out);
        buf_add_char(&out, '\0');
        CHECK_TEXT(out.ptr, canonical);
        if (CHECK(query_parse(str_from(out.ptr), &arena, &again, &err)))
            CHECK(query_same(node, again));
    } else {
        CHECK_TEXT(err.text, "");
    }
    buf_free(&out);
    arena_free(&arena);
}

/* depth brackets around a word, or nots before it */
static bool parses_nested(const char *open, const char *close, int depth, struct err *err)
{
    struct arena arena = {0};
    struct buf text = {0};
    struct query_node *node;

    for (int i = 0; i < depth; i++)
        buf_add(&text, str_from(open));
    buf_add_char(&text, 'a');
    for (int i = 0; i < depth; i++)
        buf_add(&text, str_from(close));
    bool ok = query_parse(buf_str(&text), &arena, &node, err);
    buf_free(&text);
    arena_free(&arena);
    return ok;
}

static void check_limits(void)
{
    struct err err = {0};
    static const char *const openers[][2] = {
        {"(", ")"}, {"not ", ""}, {"-", ""}, {"title:(", ")"}, {"-(b or ", ")"}};

    for (size_t i = 0; i < ROWS(openers); i++) {
        int each = i == 4 ? 2 : 1; /* levels that the opener adds */
        tap_case("limit: depth of %s", openers[i][0]);
        CHECK(parses_nested(openers[i][0], openers[i][1], QUERY_DEPTH_MAX / each, &err));
        CHECK(!parses_nested(openers[i][0], openers[i][1], QUERY_DEPTH_MAX / each + 1,
                             &err));
        CHECK(err.kind == ERR_INPUT);
        CHECK(strstr(err.text, ": the query is nested more than 200 levels deep\n") !=
              NULL);
    }
}

/* Depth is what is open at once, not what has been opened. */
static void check_width(void)
{
    static const char *const repeated[] = {"(a)", "-a ", "not b ", "title:(a)",
                                           "-(a or b)"};

    for (size_t i = 0; i < ROWS(repeated); i++) {
        struct arena arena = {0};
        struct err err = {0};
        struct buf text = {0};
        struct query_node *node;
        tap_case("limit: %s many times side by side", repeated[i]);
        for (int k = 0; k < 3 * QUERY_DEPTH_MAX; k++)
            buf_add(&text, str_from(repeated[i]));
        CHECK(query_parse(buf_str(&text), &arena, &node, &err));
        buf_free(&text);
        arena_free(&arena);
    }
}

static void check_size(void)
{
    struct arena arena = {0};
    struct err err = {0};
    struct query_node *node;
    struct buf text = {0};

    while (text.len < QUERY_SIZE_MAX)
        buf_add(&text, STR("a "));
    tap_case("limit: size");
    CHECK(query_parse(buf_str(&text), &arena, &node, &err));
    buf_add_char(&text, ' ');
    CHECK(!query_parse(buf_str(&text), &arena, &node, &err));
    CHECK_TEXT(err.text,
               "column 1: the query has 65537 bytes; at most 65536 are read\n"
               "  a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a "
               "a a a ...\n  ^");
    buf_free(&text);
    arena_free(&arena);
}

static void check_places(void)
{
    struct arena arena = {0};
    struct err err = {0};
    struct query_node *node;

    tap_case("places: every node knows where it was written");
    if (CHECK(query_parse(STR(" a title:(b or  c) -[d]"), &arena, &node, &err))) {
        CHECK(node->kind == QUERY_AND && node->at == 1);
        const struct query_node *child = node->first;
        CHECK(child->kind == QUERY_TEXT && child->at == 1);
        child = child->next;
        CHECK(child->kind == QUERY_OR && child->first->at == 10 &&
              child->first->next->at == 16);
        child = child->next;
        CHECK(child->kind == QUERY_NOT && child->at == 19 && child->first->at == 20);
    }
    arena_free(&arena);
}

int main(void)
{
    for (size_t i = 0; i < ROWS(good); i++) {
        tap_case("good: %s", good[i].name);
        check_canonical(str_from(good[i].query), good[i].canonical);
    }
    for (size_t i = 0; i < ROWS(bad); i++) {
        struct arena arena = {0};
        struct err err = {0};
        struct query_node *node;
        tap_case("bad: %s", bad[i].name);
        CHECK(!query_parse(str_from(bad[i].query), &arena, &node, &err));
        CHECK(err.kind == ERR_INPUT);
        CHECK_TEXT(err.text, bad[i].message);
        arena_free(&arena);
    }
    check_limits();
    check_width();
    check_size();
    check_places();
    return tap_done();
}
