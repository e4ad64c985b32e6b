/* What is found in a part, in its order: numbers of features depend on that. */
#include "learn/features_find.h"

#include "tests/tap.h"

#define WORDS  (1u << FEATURES_WORD)
#define RUNS   (1u << FEATURES_RUN)
#define STEMS  (1u << FEATURES_STEM)
#define ERRORS (1u << FEATURES_ERROR)

static const struct {
    const char *name;
    unsigned kinds;
    const char *text;
    const char *found; /* by | */
} rows[] = {
    {"nothing", WORDS, "", ""},
    {"words in lower case", WORDS, "One TWO one", "one|two|one"},
    {"pieces behind their word", WORDS, "a.b_c d", "a.b_c|a|b|c|d"},
    {"numbers are no pieces", WORDS, "18.3.0.canary", "18.3.0.canary|canary"},
    {"a dot that begins a word is no piece", WORDS, ".net", ".net|net"},
    {"underscores at the ends", WORDS, "__init__", "__init__|init"},
    {"placeholders", WORDS, "7 v7 7.1 7.1.2 v v7a", "<n>|<v>|<n>|<v>|v|v7a"},
    {"an error behind its word", WORDS | ERRORS, "KeyError a", "keyerror|keyerror|a"},
    {"runs behind the word that they begin with", WORDS | RUNS, "a.b c d",
     "a.b|a|b|a.b c|a.b c d|c|c d|d"},
    {"runs alone", RUNS, "a b", "a b"},
    {"stems behind all words", WORDS | STEMS, "crashes it", "crashes|it|crash|it"},
    {"words of 16 bytes and around", WORDS,
     "aaaaaaaaaaaaaaa bbbbbbbbbbbbbbbb ccccccccccccccccc",
     "aaaaaaaaaaaaaaa|bbbbbbbbbbbbbbbb|ccccccccccccccccc"},
};

static void check_row(size_t i)
{
    struct features_options options = {.kinds = rows[i].kinds, .run_max = 3};
    struct features_table table = {0};
    struct features_reader reader;
    struct buf got = {0};

    features_open(&reader, options, &table, NULL);
    features_find(&reader, str_from(rows[i].text), PARTS_TITLE);
    const struct features_found *found =
        (const struct features_found *)(const void *)reader.found.ptr;
    for (size_t f = 0; f < reader.found.len / sizeof *found; f++) {
        if (f > 0)
            buf_add_char(&got, '|');
        buf_add(&got, (struct str){reader.text.ptr + found[f].at, found[f].len});
    }
    tap_case("%s", rows[i].name);
    CHECK(str_eq(buf_str(&got), str_from(rows[i].found)));
    buf_free(&got);
    features_close(&reader);
    features_table_free(&table);
}

int main(void)
{
    for (size_t i = 0; i < ROWS(rows); i++)
        check_row(i);
    return tap_done();
}
