/* After a code was split, its raters see their labels again and give them a new word. */
#include "tests/unit/served.h"

#define SPLIT_CODEBOOK \
    "codebook: bugs\ncodes:\n  data: {codes: {parse: Parsing, load: Loading}}\n" \
    "  net: Network\n  loss: Loss\nspecial: {unclear: Unclear}\n" \
    "changes:\n  - {split: model, into: [net, loss], reason: too wide}\n"

static int64_t act_of(const char *answer)
{
    const char *at = strstr(answer, "\"act\":");

    return at == NULL ? -1 : strtoll(at + strlen("\"act\":"), NULL, 10);
}

int main(void)
{
    struct labelled test;
    char body[200];

    if (served_begin(&test)) {
        tap_case("without changes there is nothing to look at");
        CHECK(labelled_round(&test) > 0);
        CHECK(labelled_give(&test, "ann", 11, "model", "a"));
        CHECK(labelled_give(&test, "bob", 11, "data/parse", "b"));
        CHECK_TEXT(served_ask(&test, serve_reviews, "ann", "", NULL), "{\"count\":0}");

        tap_case("a split code comes back to those who gave it, and to nobody else");
        studied_write(&test.in, "k.yaml", SPLIT_CODEBOOK);
        CHECK(labelled_open(&test));
        const char *reviews = served_ask(&test, serve_reviews, "ann", "", NULL);
        CHECK(served_has(reviews, "{\"count\":1,"));
        CHECK(served_has(reviews, "\"codes\":[\"model\"]"));
        CHECK(served_has(reviews, "<p>Body 11</p>"));
        CHECK_TEXT(served_ask(&test, serve_reviews, "bob", "", NULL), "{\"count\":0}");

        tap_case("a new word settles it");
        snprintf(body, sizeof body,
                 "{\"act\": %lld, \"item\": 11, \"dimension\": \"bugs\", "
                 "\"codes\": [\"loss\"], \"key\": \"c\"}",
                 (long long)act_of(reviews));
        CHECK(served_has(served_ask(&test, serve_review, "ann", "", body), "\"act\":"));
        CHECK_TEXT(served_ask(&test, serve_reviews, "ann", "", NULL), "{\"count\":0}");

        tap_case("an act that needs none is refused");
        CHECK(served_has(served_ask(&test, serve_review, "ann", "",
                                    "{\"act\": 999, \"item\": 11, \"dimension\": "
                                    "\"bugs\", \"codes\": [\"loss\"], \"key\": \"d\"}"),
                         "error: "));
    }
    labelled_end(&test);
    return tap_done();
}
