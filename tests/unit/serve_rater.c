/* A rater's calls: items in turn, saving once, undoing, proposing, reviewing;
 * refusals say why. */
#include "tests/unit/served.h"

#define LABEL(item, codes, key) \
    "{\"item\": " item ", \"again\": false, \"dimension\": \"bugs\", \"codes\": " codes \
    ", \"memo\": \"m\", \"unsure\": true, \"seconds\": 2.5, \"key\": \"" key "\"}"

static int64_t item_of(const char *answer)
{
    const char *at = strstr(answer, "\"item\":{\"id\":");

    return at == NULL ? -1 : strtoll(at + strlen("\"item\":{\"id\":"), NULL, 10);
}

static void test_closed(struct labelled *test)
{
    tap_case("without a round there is nothing to do");
    const char *said = served_ask(test, serve_next, "ann", "", NULL);
    CHECK(served_has(said, "\"open\":false,\"found\":false"));
    CHECK(!served_has(said, "\"item\""));
}

static void test_items(struct labelled *test)
{
    tap_case("the next item, with its post made harmless");
    const char *next = served_ask(test, serve_next, "ann", "", NULL);
    CHECK(served_has(next, "\"open\":true,\"found\":true"));
    CHECK(served_has(next, "\"position\":0,\"count\":12"));
    CHECK(served_has(next, "\"html\":\"<p>Body "));
    CHECK(!served_has(next, "alert"));
    CHECK(served_has(next, "\"tags\":[\"x\",\"y\"]"));

    tap_case("an item by its place");
    CHECK(item_of(served_ask(test, serve_at, "ann", "0", NULL)) == item_of(next));
    CHECK(item_of(served_ask(test, serve_at, "ann", "11", NULL)) > 0);
    CHECK(served_has(served_ask(test, serve_at, "ann", "12", NULL), "\"found\":false"));

    tap_case("places that are none");
    static const char *const wrong[] = {"", "x", "-1", "1.5", "99999999999999999999"};
    for (size_t i = 0; i < ROWS(wrong); i++)
        CHECK(served_has(served_ask(test, serve_at, "ann", wrong[i], NULL), "error: "));
}

static void test_label(struct labelled *test)
{
    tap_case("a label is saved, counted and shown again");
    const char *saved =
        served_ask(test, serve_label, "ann", "", LABEL("11", "[\"data/parse\"]", "k"));
    CHECK(served_has(saved, "\"item\":11,\"repeated\":false"));
    CHECK(served_has(saved, "\"done\":1,\"unsure\":1"));
    tap_case("the same message again is the same act");
    const char *again =
        served_ask(test, serve_label, "ann", "", LABEL("11", "[\"data/parse\"]", "k"));
    CHECK(served_has(again, "\"repeated\":true"));
    CHECK(served_has(again, "\"done\":1"));
    tap_case("nobody else sees it");
    CHECK(served_has(served_ask(test, serve_next, "bob", "", NULL), "\"done\":0"));
    for (char place[] = "0"; place[0] <= '9'; place[0]++)
        CHECK(served_has(served_ask(test, serve_at, "bob", place, NULL), "\"said\":[]"));
    tap_case("undo takes it back");
    CHECK(served_has(served_ask(test, serve_undo, "ann", "", "{\"key\": \"u\"}"),
                     "\"done\":0"));
    CHECK(served_has(served_ask(test, serve_undo, "ann", "", "{\"key\": \"v\"}"),
                     "error: "));
}

static void test_refused(struct labelled *test)
{
    static const struct {
        const char *name, *body, *want;
    } rows[] = {
        {"an unknown code", LABEL("11", "[\"nosuch\"]", "a"), "nosuch"},
        {"no code", LABEL("11", "[]", "b"), "error: "},
        {"two codes where one is allowed", LABEL("11", "[\"model\", \"unclear\"]", "c"),
         "error: "},
        {"an item of another study", LABEL("999", "[\"model\"]", "d"), "error: "},
        {"codes that are no list", LABEL("11", "\"model\"", "e"), "'codes'"},
        {"a request without anything", "{}", "lacks 'item'"},
        {"another dimension",
         "{\"item\": 11, \"dimension\": \"x\", \"codes\": [\"model\"], \"key\": \"f\"}",
         "error: "},
        {"no key", "{\"item\": 11, \"dimension\": \"bugs\", \"codes\": [\"model\"]}",
         "lacks 'key'"},
    };

    for (size_t i = 0; i < ROWS(rows); i++) {
        tap_case("refused: %s", rows[i].name);
        const char *said = served_ask(test, serve_label, "ann", "", rows[i].body);
        CHECK(served_has(said, "error: "));
        CHECK(served_has(said, rows[i].want));
    }
    tap_case("and nothing of it was saved");
    CHECK(served_has(served_ask(test, serve_next, "ann", "", NULL), "\"done\":0"));
}

static void test_propose(struct labelled *test)
{
    tap_case("a code is proposed");
    CHECK(
        served_has(served_ask(test, serve_propose, "ann", "",
                              "{\"dimension\": \"bugs\", \"parent\": \"data\", \"code\": "
                              "\"clean\", \"name\": \"Cleaning\", \"item\": 11}"),
                   "\"id\":"));
    tap_case("not one that is there, and not below one that is not");
    CHECK(
        served_has(served_ask(test, serve_propose, "ann", "",
                              "{\"dimension\": \"bugs\", \"parent\": \"data\", \"code\": "
                              "\"parse\", \"name\": \"Parsing\"}"),
                   "error: "));
    CHECK(served_has(served_ask(test, serve_propose, "ann", "",
                                "{\"dimension\": \"bugs\", \"parent\": \"nosuch\", "
                                "\"code\": \"a\", \"name\": \"A\"}"),
                     "error: "));
}

/* After a code was split, its raters see their labels again and give them a new word. */
#define SPLIT_CODEBOOK \
    "codebook: bugs\ncodes:\n  data: {codes: {parse: Parsing, load: Loading}}\n" \
    "  net: Network\n  loss: Loss\nspecial: {unclear: Unclear}\n" \
    "changes:\n  - {split: model, into: [net, loss], reason: too wide}\n"

static int64_t act_of(const char *answer)
{
    const char *at = strstr(answer, "\"act\":");

    return at == NULL ? -1 : strtoll(at + strlen("\"act\":"), NULL, 10);
}

static void test_reviews(void)
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
}

/* The dump is ingested again: the post 11 has another text, 5 is gone. */
static void ingest_again(struct labelled *test)
{
    static const int ids[] = {11, 9, 25, 3, 20, 21, 32, 34, 38, 2, 7};
    struct buf posts = {0};

    buf_add(&posts, STR("Id,PostTypeId,CreationDate,Score,Title,Tags,Body\n"));
    for (size_t i = 0; i < ROWS(ids); i++)
        buf_add_format(&posts, "%d,1,2018-05-01 10:00:00,1,Title %d,<x><y>,Body %d%s\n",
                       ids[i], ids[i], ids[i], ids[i] == 11 ? " anew" : "");
    buf_add_char(&posts, '\0');
    studied_write(&test->in, "p.csv", posts.ptr);
    buf_free(&posts);
    CHECK(studied_run(&test->in));
    labelled_items(test, "samples.all", LABELLED_ITEMS);
}

static void test_lost(void)
{
    struct labelled test;
    struct label_lost lost;
    struct buf told = {0};
    char body[200];

    if (served_begin(&test)) {
        tap_case("a label names the text that the rater saw");
        CHECK(labelled_round(&test) > 0);
        const char *shown = NULL, *seen = NULL;
        char rest[20];
        for (int i = 0; i < 12; i++) {
            snprintf(rest, sizeof rest, "%d", i);
            shown = served_ask(&test, serve_at, "ann", rest, NULL);
            if (served_has(shown, "\"item\":{\"id\":11,"))
                seen = strstr(shown, "\"seen\":\"");
        }
        if (!CHECK(seen != NULL))
            return;
        snprintf(body, sizeof body,
                 "{\"item\": 11, \"dimension\": \"bugs\", \"codes\": [\"model\"], "
                 "\"key\": \"s1\", \"seen\": \"%.16s\"}",
                 seen + strlen("\"seen\":\""));
        CHECK(served_has(served_ask(&test, serve_label, "ann", "", body), "\"act\":"));
        CHECK(label_lost(test.label, &test.in.arena, &lost, &test.in.err) &&
              lost.gone_count == 0 && lost.changed_count == 0);

        tap_case("after another ingest an act on the older text is refused");
        ingest_again(&test);
        body[strlen("{\"item\": 11, \"dimension\": \"bugs\", \"codes\": [\"model\"], "
                    "\"key\": \"s")] = '2';
        CHECK(served_has(served_ask(&test, serve_label, "ann", "", body),
                         "error: item 11 has another text than the one that was shown"));

        tap_case("an item that is gone is said to be, and is passed over");
        for (int i = 0; i < 12; i++) {
            snprintf(rest, sizeof rest, "%d", i);
            shown = served_ask(&test, serve_at, "bob", rest, NULL);
            CHECK(!served_has(shown, "error: "));
            if (served_has(shown, "\"id\":5,"))
                CHECK(served_has(shown, "\"gone\":\"the corpus has no item 5\""));
        }
        static const int others[] = {11, 9, 25, 3, 20, 21, 32, 34, 38, 2, 7};
        for (size_t i = 0; i < ROWS(others); i++)
            CHECK(labelled_give(&test, "bob", others[i], "model", ""));
        CHECK(served_has(served_ask(&test, serve_next, "bob", "", NULL),
                         "\"open\":true,\"found\":false"));

        tap_case("which they are is told");
        CHECK(label_lost(test.label, &test.in.arena, &lost, &test.in.err));
        label_tell_lost(test.label, &lost, &told);
        buf_add_char(&told, '\0');
        CHECK_TEXT(told.ptr, ", 1 labelled item no longer in the corpus (5), 1 labelled "
                             "item with another text than raters saw (11)");
        buf_free(&told);
    }
    labelled_end(&test);
}

int main(void)
{
    struct labelled test;

    if (served_begin(&test)) {
        test_closed(&test);
        CHECK(labelled_round(&test) > 0);
        test_items(&test);
        test_label(&test);
        test_refused(&test);
        test_propose(&test);
    }
    labelled_end(&test);
    test_reviews();
    test_lost();
    return tap_done();
}
