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
    {"escaped slash", "a\\/b", false, "a/b", true},
    {"broken UTF-8 before a match", "ab", false, "\xFF\xC3 ab", true},
    {"broken UTF-8 is no character", "a.b", false,
     "a\xFF"
     "b",
     false},
    {"look behind", "(?<!re)deploy", false, "redeploy", false},
    {"look behind, elsewhere", "(?<!re)deploy", false, "redeploy deploy", true},
};

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
        CHECK(query_regex_test(regex, room, buf_str(&text)) != QUERY_REGEX_YES);
        CHECK((double)(clock() - begun) / CLOCKS_PER_SEC < 20);
        /* The room is fit for use afterwards. */
        CHECK(query_regex_test(regex, room, STR("x")) == QUERY_REGEX_NO);
        query_regex_free(regex);
    }
    buf_free(&text);
    query_regex_room_close(room);
    arena_free(&arena);
}

static void check_overrun(void)
{
    struct arena arena = {0};
    struct query_regex_room *room = query_regex_room_open();
    struct query_regex_error error;
    struct query_regex *slow, *plain;
    struct buf text = {0};

    tap_case("overrun: exponential time is given up and said so");
    CHECK(query_regex_compile(STR("(a+)+\\d"), false, &slow, &arena, &error));
    CHECK(query_regex_test(slow, room,
                           STR("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!")) ==
          QUERY_REGEX_OVERRUN);
    CHECK(query_regex_test(slow, room, STR("aaaa1")) == QUERY_REGEX_YES);
    query_regex_free(slow);

    tap_case("overrun: longest text");
    CHECK(query_regex_compile(STR("zz"), false, &plain, &arena, &error));
    for (int i = 0; i < 128 * 1024 - 2; i++)
        buf_add_char(&text, 'a');
    buf_add(&text, STR("zz"));
    CHECK(query_regex_test(plain, room, buf_str(&text)) == QUERY_REGEX_YES);
    buf_add_char(&text, '.');
    CHECK(query_regex_test(plain, room, buf_str(&text)) == QUERY_REGEX_OVERRUN);
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
            CHECK(query_regex_test(regex, room, str_from(rows[i].text)) ==
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
    check_overrun();
    query_regex_room_close(room);
    arena_free(&arena);
    return tap_done();
}
