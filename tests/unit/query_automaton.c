/* The automaton: every place where a literal stands, and no other, is told. */
#include "query/internal.h"

#include <string.h>

#include "base/rng.h"
#include "tests/tap.h"

static const struct {
    const char *name;
    const char *literals[6];
    const char *text;
    const char *found; /* their numbers */
} rows[] = {
    {"Aho and Corasick's own", {"he", "she", "his", "hers"}, "ushers", "013"},
    {"one within another", {"abcd", "bc", "c"}, "xabcx", "12"},
    {"suffix of a suffix", {"aaaa", "aaa", "aa", "a"}, "aa", "23"},
    {"falls back in the middle", {"abab", "bac"}, "ababac", "01"},
    {"falls back from a half", {"aab"}, "aaab", "0"},
    {"capitals", {"he"}, "THE", "0"},
    {"bytes beyond ASCII", {"\xC3\xA9", "\xA9"}, "a\xC3\xA9", "01"},
    {"nothing there", {"x"}, "abc", ""},
    {"empty text", {"x"}, "", ""},
};

/* Whether a substring is in the text, the plain way; ASCII letters in any case. */
static bool is_in(struct str part, struct str text)
{
    for (size_t i = 0; i + part.len <= text.len; i++) {
        size_t k = 0;
        while (k < part.len && query_lower(text.ptr[i + k]) == part.ptr[k])
            k++;
        if (k == part.len)
            return true;
    }
    return false;
}

static void run(const struct query_finder *finder, struct str text, uint64_t *met)
{
    struct query_found found = {.text = text, .met = met, .serial = 1};

    query_finder_run(finder, &found, NULL);
}

static void check_random(void)
{
    struct rng rng = rng_seeded(75);
    size_t wrong = 0, hits = 0;

    tap_case("random literals against plain search");
    for (int round = 0; round < 2000; round++) {
        struct arena arena = {0};
        struct query_finder finder = {0};
        char text[200], literal[8];
        uint64_t met[40] = {0};
        size_t len = rng_below(&rng, sizeof text), count = 1 + rng_below(&rng, ROWS(met));
        for (size_t i = 0; i < len; i++)
            text[i] = "abAB \xC3"[rng_below(&rng, 6)];
        for (size_t i = 0; i < count; i++) {
            size_t size = 1 + rng_below(&rng, sizeof literal);
            for (size_t k = 0; k < size; k++)
                literal[k] = "ab \xC3"[rng_below(&rng, 4)];
            query_finder_add(&finder, QUERY_SUBSTRING, (struct str){literal, size},
                             QUERY_NEW_TARGET, &arena);
        }
        query_finder_build(&finder, true, &arena);
        run(&finder, (struct str){text, len}, met);
        for (size_t i = 0; i < finder.term_count; i++) {
            bool want = is_in(finder.terms[i].text, (struct str){text, len});
            wrong += want != (met[finder.terms[i].target] == 1);
            hits += want;
        }
        arena_free(&arena);
    }
    CHECK(wrong == 0);
    CHECK(hits > 10000);
}

int main(void)
{
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct arena arena = {0};
        struct query_finder finder = {0};
        uint64_t met[6] = {0};
        char found[7];
        size_t count = 0;
        tap_case("automaton: %s", rows[i].name);
        for (size_t k = 0; k < 6 && rows[i].literals[k] != NULL; k++)
            query_finder_add(&finder, QUERY_SUBSTRING, str_from(rows[i].literals[k]),
                             QUERY_NEW_TARGET, &arena);
        query_finder_build(&finder, true, &arena);
        CHECK(finder.automaton != NULL && finder.hyperscan == NULL);
        run(&finder, str_from(rows[i].text), met);
        for (size_t k = 0; k < 6; k++)
            if (met[k] == 1)
                found[count++] = (char)('0' + k);
        found[count] = '\0';
        CHECK_TEXT(found, rows[i].found);
        arena_free(&arena);
    }
    check_random();
    return tap_done();
}
