/* Random regexes on random texts. A regex that takes too many steps is answered by
 * another matcher: here it has to agree with the first one, also about references and
 * atomic groups, which are not its own. */
#include "query/query.h"

#include <stdio.h>

#include "base/rng.h"
#include "tests/tap.h"
#include "tests/unit/query_post.h"

enum { REGEXES = 800, TEXTS = 4, LETTERS = 18, DEPTH = 3 };

static const char *const atoms[] = {
    "a",     "b",      "c",       ".",        "\\s",      "\\w",     "[ab]",
    "[^a]",  "\\b",    "^",       "$",        "a",        "b",       "\\n",
    "(?=a)", "(?!b)",  "(?<=a)",  "(?<!b|c)", "\xC3\xA4", "\\p{Lu}", "(?i:A)",
    "\\R",   "(?m:^)", "(?m:$)",  "(?s:.)",   "(?>a|ab)", "(?>b*)",  "\\1",
    "\\X",   "c",      "(?:a|b)", "\\B",      "\\A",      "\\z"};
static const char *const repeats[] = {"",   "",    "",      "*",    "+",  "?",  "*?",
                                      "+?", "{2}", "{0,2}", "{1,}", "*+", "++", "??"};

static void write_regex(struct rng *rng, int depth, struct buf *out)
{
    size_t parts = 1 + rng_below(rng, 3);

    for (size_t i = 0; i < parts; i++) {
        if (i > 0 && rng_below(rng, 3) == 0)
            buf_add_char(out, '|');
        if (depth > 0 && rng_below(rng, 3) == 0) {
            buf_add(out, rng_below(rng, 2) == 0 ? STR("(") : STR("(?:"));
            write_regex(rng, depth - 1, out);
            buf_add_char(out, ')');
        } else {
            buf_add(out, str_from(atoms[rng_below(rng, ROWS(atoms))]));
        }
        buf_add(out, str_from(repeats[rng_below(rng, ROWS(repeats))]));
    }
}

static void write_text(struct rng *rng, struct buf *out)
{
    static const char *const letters[] = {"a", "b", "c", "A", " ", "\n", "\xC3\xA4"};

    for (int i = 0; i < LETTERS; i++)
        buf_add(out, str_from(letters[rng_below(rng, ROWS(letters))]));
    if (rng_below(rng, 10) == 0)
        buf_add_char(out, '\xFF');
}

/* NULL when the regex is wrong, such as a reference to a group that is not there. */
static struct query_compiled *compile(const char *form, struct str regex,
                                      struct arena *arena)
{
    struct buf text = {0};
    struct err err = {0};
    struct query_node *node;
    struct query_compiled *compiled = NULL;

    buf_add_format(&text, form, (int)regex.len, regex.ptr);
    if (query_parse(buf_str(&text), arena, &node, &err))
        CHECK(query_compile(node, (struct query_options){0}, &compiled, &err));
    buf_free(&text);
    return compiled;
}

struct tally {
    size_t regexes, yes, no, unknown, wrong;
};

static void compare(struct rng *rng, struct str regex, struct tally *tally)
{
    struct arena arena = {0};
    struct query_compiled *plain = compile("/%.*s/", regex, &arena);
    /* Tries two ways for every letter before it comes to the regex. A group of its own
     * would shift the references. */
    struct query_compiled *slow =
        compile("/(?:(?s:.)|(?:a|[^\\n]|\\n))*#|%.*s/", regex, &arena);

    CHECK((plain == NULL) == (slow == NULL));
    for (int i = 0; i < TEXTS && plain != NULL && slow != NULL; i++) {
        struct query_scratch *scratches[] = {query_scratch_open(plain),
                                             query_scratch_open(slow)};
        struct post post = post_empty();
        struct buf text = {0};
        struct err err = {0};
        bool want = false, got = false;
        write_text(rng, &text);
        post.texts[QUERY_PROSE] = buf_str(&text);
        post_ready(&post);
        bool known = query_test(plain, scratches[0], &post.asked, &want, &err) &&
                     query_test(slow, scratches[1], &post.asked, &got, &err);
        tally->unknown += !known;
        tally->yes += known && got;
        tally->no += known && !got;
        if (known && got != want) {
            printf("# /%.*s/ on '%.*s': %d, expected %d\n", STR_ARG(regex), (int)text.len,
                   text.ptr, got, want);
            tally->wrong++;
        }
        query_scratch_close(scratches[0]);
        query_scratch_close(scratches[1]);
        buf_free(&text);
    }
    tally->regexes += plain != NULL;
    query_free(plain);
    query_free(slow);
    arena_free(&arena);
}

int main(void)
{
    struct rng rng = rng_stream(20, 7, 0);
    struct tally tally = {0};
    struct buf regex = {0};

    tap_case("two matchers say the same");
    for (int i = 0; i < REGEXES; i++) {
        buf_clear(&regex);
        write_regex(&rng, DEPTH, &regex);
        buf_add(&regex, rng_below(&rng, 2) == 0 ? STR("cA") : STR("A.?c")); /* rare */
        compare(&rng, buf_str(&regex), &tally);
    }
    buf_free(&regex);
    CHECK(tally.wrong == 0);
    printf("# %zu regexes: %zu yes, %zu no, %zu given up\n", tally.regexes, tally.yes,
           tally.no, tally.unknown);
    tap_case("nearly all are answered, and not all alike");
    CHECK(tally.yes > tally.regexes && tally.no > tally.regexes &&
          tally.unknown * 100 < tally.yes + tally.no);
    return tap_done();
}
