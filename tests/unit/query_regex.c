/* Regexes: what they match, what is wrong with them, and that none runs away. */
#include "query/internal.h"

#include <string.h>
#include <time.h>

#include "tests/tap.h"

static const struct {
    const char *name, *pattern;
    bool any_case;
    const char *text;
    bool matches;
} rows[] = {
    {"plain", "a+b", false, "xaab", true},
    {"case counts", "abc", false, "ABC", false},
    {"in any case", "abc", true, "xABCx", true},
    {"in any case beyond ASCII", "\xC3\xA9", true, "\xC3\x89", true},
    {"empty text", "^$", false, "", true},
    {"empty text, no match", ".", false, "", false},
    {"words beyond ASCII", "\\bna\\w+ve\\b", false, "a na\xC3\xAFve try", true},
    {"a dot is a character", "^.$", false, "\xE4\xB8\xAD", true},
    {"a dot takes no line break", "a.b", false, "a\nb", false},
    {"unless it is told to", "(?s)a.b", false, "a\nb", true},
    {"the beginning is the text's", "^b", false, "a\nb", false},
    {"or a line's, when told", "(?m)^b", false, "a\nb", true},
    {"the end is the text's", "a$", false, "a\nb", false},
    {"or a line's, when told so", "(?m)a$", false, "a\nb", true},
    {"the end is also before the last break", "b$", false, "a\nb\n", true},
    {"the very end is not", "b\\z", false, "a\nb\n", false},
    {"a blank may be a line break", "a\\sb", false, "a\nb", true},
    {"a line break ends a word", "a\\b.?\\n\\bb", false, "a\nb", true},
    {"digits of all scripts", "^\\d$", false, "\xD9\xA3", true},
    {"broken UTF-8, and nothing else", ".|^$", false, "\xFF", false},
    {"no beginning behind broken UTF-8", "^a", false,
     "\xFF"
     "a",
     false},
    {"escaped slash", "a\\/b", false, "a/b", true},
    {"broken UTF-8 before a match", "ab", false, "\xFF\xC3 ab", true},
    {"broken UTF-8 is no character", "a.b", false,
     "a\xFF"
     "b",
     false},
    {"look behind", "(?<!re)deploy", false, "redeploy", false},
    {"look behind, elsewhere", "(?<!re)deploy", false, "redeploy deploy", true},
};

static enum query_regex_result test(const struct query_regex *regex,
                                    struct query_regex_room *room, struct str text)
{
    char limit[160];

    return query_regex_test(regex, room, text, limit, sizeof limit);
}

/* Patterns that need exponential or at least quadratic time on a text of one letter. */
static const char *const greedy[] = {
    "(a*)*[bc]\\d",         "a*a*a*a*[bc]",     "(a|aa)+[bc]",         "(a+)+\\d",
    "((a)|(aa))*[cd]",      "(.*)(.*)(.*)[bc]", "(?:x|a)(?:x|a)*[bc]", "(?R)?a\\d",
    "^(?:(?:a|b|a)*?c?)*d",
};

static void check_greedy(void)
{
    struct arena arena = {0};
    struct query_regex_room *room = query_regex_room_open();
    struct query_regex_error error;
    struct buf text = {0};

    for (int i = 0; i < 30 * 1000; i++)
        buf_add_char(&text, 'a');
    for (size_t i = 0; i < ROWS(greedy); i++) {
        struct query_regex *regex = NULL;
        tap_case("no pattern runs away: %s", greedy[i]);
        if (!CHECK(
                query_regex_compile(str_from(greedy[i]), false, &regex, &arena, &error)))
            continue;
        clock_t begun = clock();
        CHECK(test(regex, room, buf_str(&text)) != QUERY_REGEX_YES);
        CHECK((double)(clock() - begun) / CLOCKS_PER_SEC < 20);
        /* The room is fit for use afterwards. */
        CHECK(test(regex, room, STR("x")) == QUERY_REGEX_NO);
        query_regex_free(regex);
    }
    buf_free(&text);
    query_regex_room_close(room);
    arena_free(&arena);
}

/* What going back and forth cannot do in time, but what has an answer all the same. The
 * texts have no end that fits, or one at the very end. */
static const struct {
    const char *pattern, *unit, *tail;
    bool matches;
} slow[] = {
    {"import(.|\\s)*model", "some words here\n", "", false},
    {"import(.|\\s)*model", "some words here\n", "model", true},
    {"import(.|\\n)+?model", "some words here\n", "model", true},
    {"^(\\s*\\w+\\s*)+$", "some words here\n", "!", false},
    {"^(\\s*\\w+\\s*)+$", "some words here\n", "end", true},
    {"(?:[a-z]+ ?)+[0-9]", "some words here ", "", false},
    {"([a-z]+ ?)*[0-9]\\b(?!x)", "some words here ", "7", true},
    {"(\\w|\\d|_)*(?<=z)!", "abc_12", "!", false},
    {"(\\w|\\d|_)*(?<=z)!", "abc_12", "z!", true},
    {"^(\xC3\xA4|\\w)*\\.$", "\xC3\xA4", "..", false},
    {"^(\xC3\xA4|\\w)*\\.$", "\xC3\xA4", ".", true},
    {"(a|b|[ab])*(?x: c )", "abba", "", false},
    {"(?m)^(\\w|\\d|_)*!$", "abc_12", "\n!\nx", true},
};

static void check_slow(void)
{
    struct arena arena = {0};
    struct query_regex_room *room = query_regex_room_open();
    struct query_regex_error error;

    for (size_t i = 0; i < ROWS(slow); i++) {
        struct query_regex *regex = NULL;
        struct buf text = {0};
        tap_case("slow: %s, %s", slow[i].pattern,
                 slow[i].matches ? "found" : "not found");
        buf_add(&text, STR("import "));
        if (slow[i].pattern[0] == '^')
            buf_clear(&text);
        while (text.len < 20 * 1000)
            buf_add(&text, str_from(slow[i].unit));
        buf_add(&text, str_from(slow[i].tail));
        if (CHECK(query_regex_compile(str_from(slow[i].pattern), false, &regex, &arena,
                                      &error)))
            CHECK(test(regex, room, buf_str(&text)) ==
                  (slow[i].matches ? QUERY_REGEX_YES : QUERY_REGEX_NO));
        query_regex_free(regex);
        buf_free(&text);
    }
    query_regex_room_close(room);
    arena_free(&arena);
}

static void check_given_up(void)
{
    struct arena arena = {0};
    struct query_regex_room *room = query_regex_room_open();
    struct query_regex_error error;
    struct query_regex *hopeless, *plain;
    struct buf text = {0};
    char limit[160] = "";

    tap_case("given up: exponential time that nothing helps against, and the limit");
    CHECK(query_regex_compile(STR("((a+)+)\\1\\d"), false, &hopeless, &arena, &error));
    CHECK(query_regex_test(hopeless, room,
                           STR("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!"),
                           limit, sizeof limit) == QUERY_REGEX_GAVE_UP);
    CHECK_TEXT(limit, "more than 50000000 steps from one place");
    CHECK(test(hopeless, room, STR("aaaa1")) == QUERY_REGEX_YES);
    query_regex_free(hopeless);

    tap_case("given up: a pattern that calls itself without end");
    CHECK(query_regex_compile(STR("(?:(?=x)|(?R))y"), false, &hopeless, &arena, &error));
    CHECK(query_regex_test(hopeless, room, STR("zzy"), limit, sizeof limit) ==
          QUERY_REGEX_GAVE_UP);
    query_regex_free(hopeless);

    tap_case("no text is too long");
    CHECK(query_regex_compile(STR("zz"), false, &plain, &arena, &error));
    for (int i = 0; i < 3 * 1000 * 1000; i++)
        buf_add_char(&text, 'a');
    CHECK(test(plain, room, buf_str(&text)) == QUERY_REGEX_NO);
    buf_add(&text, STR("zz"));
    CHECK(test(plain, room, buf_str(&text)) == QUERY_REGEX_YES);
    query_regex_free(plain);
    buf_free(&text);
    query_regex_room_close(room);
    arena_free(&arena);
}

int main(void)
{
    struct arena arena = {0};
    struct query_regex_room *room = query_regex_room_open();
    struct query_regex_error error;

    for (size_t i = 0; i < ROWS(rows); i++) {
        struct query_regex *regex = NULL;
        tap_case("match: %s", rows[i].name);
        if (CHECK(query_regex_compile(str_from(rows[i].pattern), rows[i].any_case, &regex,
                                      &arena, &error)))
            CHECK(test(regex, room, str_from(rows[i].text)) ==
                  (rows[i].matches ? QUERY_REGEX_YES : QUERY_REGEX_NO));
        query_regex_free(regex);
    }
    tap_case("wrong: the place and why");
    CHECK(!query_regex_compile(STR("ab[z-a]"), false, NULL, NULL, &error));
    CHECK(error.at == 5 || error.at == 6);
    CHECK_TEXT(error.text, "range out of order in character class");
    tap_case("wrong: checking alone keeps nothing");
    CHECK(query_regex_compile(STR("a"), false, NULL, NULL, &error));
    check_greedy();
    check_slow();
    check_given_up();
    query_regex_room_close(room);
    arena_free(&arena);
    return tap_done();
}
