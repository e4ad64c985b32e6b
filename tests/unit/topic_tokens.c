/* From texts to tokens, and the table of words. */
#include "topic/topic.h"

#include <stdio.h>

#include "tests/tap.h"
#include "topic/internal.h"

/* From texts to numbers: what counts as a word, stems, pairs, frequencies. */

static const struct {
    const char *name;
    const char *documents; /* by | */
    struct topic_tokens_options options;
    const char *tokens; /* by blanks and | */
} rows[] = {
    {"words in lower case",
     "Loss diverges|Crash",
     {.share_max = 1},
     "loss diverges|crash"},
    {"stop words and words of asking are left out",
     "How can I train the model",
     {.share_max = 1},
     "train model"},
    {"all words stay when asked for",
     "How can I train it",
     {.share_max = 1, .all_words = true},
     "how can train it"},
    {"further stop words",
     "keras model loss",
     {.share_max = 1, .stop = "Model\nloss"},
     "keras"},
    {"further stop words hold also with all words",
     "how train",
     {.share_max = 1, .stop = "train", .all_words = true},
     "how"},
    {"numbers, versions and single characters are left out",
     "x 12 2.1.0 \xC3\xA9 3d python3",
     {.share_max = 1},
     "3d python3"},
    {"names of code stay whole",
     "tf.nn.conv2d batch_size c++",
     {.share_max = 1},
     "tf.nn.conv2d batch_size c++"},
    {"underscores at the ends go",
     "_No_ __init__ _ response_",
     {.share_max = 1},
     "init response"},
    {"stems",
     "deploys deployed|deploying model deployed",
     {.share_max = 1, .stems = true},
     "deployed deployed|deployed model deployed"},
    {"the first of forms that are equally frequent",
     "deploys deployed|models",
     {.share_max = 1, .stems = true},
     "deploys deploys|models"},
    {"too rare", "loss rare|loss", {.share_max = 1, .documents_min = 2}, "loss|loss"},
    {"twice in one document is one document",
     "loss rare rare|loss",
     {.share_max = 1, .documents_min = 2},
     "loss|loss"},
    {"too frequent", "loss a1|loss b1|c1", {.share_max = 0.5}, "a1|b1|c1"},
    {"a document without words stays", "loss||crash", {.share_max = 1}, "loss||crash"},
    {"no documents", "", {.share_max = 1}, ""},
};

static void add_documents(struct topic_tokens_reader *reader, struct str text)
{
    struct str document;

    for (bool more = text.len > 0; more;) {
        more = str_cut(&text, '|', &document);
        topic_tokens_add(reader,
                         &(struct learn_parts){.at = {[LEARN_PARTS_PROSE] = document}},
                         LEARN_PARTS_PROSE);
        topic_tokens_end_document(reader);
    }
}

static const char *shown(const struct topic_tokens *tokens, struct buf *out)
{
    buf_clear(out);
    for (size_t d = 0; d < tokens->documents; d++) {
        if (d > 0)
            buf_add_char(out, '|');
        for (size_t i = tokens->begin[d]; i < tokens->begin[d + 1]; i++) {
            if (i > tokens->begin[d])
                buf_add_char(out, ' ');
            buf_add(out, tokens->names[tokens->at[i]]);
        }
    }
    buf_add_char(out, '\0');
    return out->ptr;
}

static void check_pairs(void)
{
    struct arena arena = {0};
    struct topic_tokens_reader reader = {0};
    struct topic_tokens tokens;
    struct buf text = {0};

    for (int i = 0; i < 20; i++)
        add_documents(&reader, STR("neural network train|train layer|layer network train"
                                   "|neural network layer|train loss|loss layer train"
                                   "|layer loss train|train train|loss network"));
    topic_tokens_finish(&reader,
                        &(struct topic_tokens_options){
                            .bigrams = true, .documents_min = 5, .share_max = 1},
                        &arena, &tokens);
    tokens.documents = 4;
    tap_case("two words that stand together are one");
    CHECK_TEXT(shown(&tokens, &text), "neural_network train|train layer|"
                                      "layer network train|neural_network layer");
    topic_tokens_reader_free(&reader);
    buf_free(&text);
    arena_free(&arena);
}

static void check_some(void)
{
    struct arena arena = {0};
    struct topic_tokens_reader reader = {0};
    struct topic_tokens tokens, some;
    struct buf text = {0};
    bool keep[] = {true, false, true, false};

    add_documents(&reader, STR("loss crash|gpu||crash"));
    topic_tokens_finish(&reader, &(struct topic_tokens_options){.share_max = 1}, &arena,
                        &tokens);
    tap_case("documents without words are counted");
    CHECK(tokens.empty == 1);
    tap_case("frequencies are of documents");
    CHECK(tokens.frequency[0] == 1 && tokens.frequency[1] == 2);
    some = topic_tokens_some(&tokens, keep, true, &arena);
    tap_case("some documents");
    CHECK_TEXT(shown(&some, &text), "loss crash|");
    CHECK(some.empty == 1);
    some = topic_tokens_some(&tokens, keep, false, &arena);
    tap_case("the other documents");
    CHECK_TEXT(shown(&some, &text), "gpu|crash");
    CHECK(some.empty == 0 && some.words == tokens.words);
    topic_tokens_reader_free(&reader);
    buf_free(&text);
    arena_free(&arena);
}

static void test_tokens(void)
{
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct arena arena = {0};
        struct topic_tokens_reader reader = {0};
        struct topic_tokens tokens;
        struct buf text = {0};
        add_documents(&reader, str_from(rows[i].documents));
        topic_tokens_finish(&reader, &rows[i].options, &arena, &tokens);
        tap_case("%s", rows[i].name);
        CHECK_TEXT(shown(&tokens, &text), rows[i].tokens);
        topic_tokens_reader_free(&reader);
        buf_free(&text);
        arena_free(&arena);
    }
    check_pairs();
    check_some();
}

/* Numbers of words while the table grows, and words that are nearly the same. */

static void check_many(void)
{
    enum { MANY = 20000 };
    struct topic_tokens_table table = {0};
    bool right = true;
    char name[32];

    tap_case("numbers follow the order of appearance while the table grows");
    for (int round = 0; round < 2; round++)
        for (uint32_t i = 0; i < MANY; i++) {
            int len = snprintf(name, sizeof name, i % 2 == 0 ? "%u" : "longer-than-8-%u",
                               (unsigned)i);
            struct str word = {name, (size_t)len};
            right &= topic_tokens_table_number(&table, word) == i;
            right &= str_eq(topic_tokens_table_name(&table, i), word);
        }
    CHECK(right && table.count == MANY);
    topic_tokens_table_free(&table);
    CHECK(table.count == 0);
}

/* Of some the first eight or sixteen bytes are a word of their own. */
static void check_alike(void)
{
    static const struct str words[] = {STR_INIT(""),
                                       STR_INIT("a"),
                                       STR_INIT("a\0"),
                                       STR_INIT("aa"),
                                       STR_INIT("rendere"),
                                       STR_INIT("rendered"),
                                       STR_INIT("renderer"),
                                       STR_INIT("renderer2"),
                                       STR_INIT("rendererS"),
                                       STR_INIT("sixteen-bytes-xx"),
                                       STR_INIT("sixteen-bytes-xy"),
                                       STR_INIT("seventeen-bytes-x"),
                                       STR_INIT("seventeen-bytes-y")};
    struct topic_tokens_table table = {0};

    tap_case("words that begin alike are words of their own");
    for (int round = 0; round < 2; round++)
        for (uint32_t i = 0; i < ROWS(words); i++)
            CHECK(topic_tokens_table_number(&table, words[i]) == i);
    topic_tokens_table_free(&table);
}

/* What a hurried caller does, with bytes of other words behind a word. */
static void check_keys(void)
{
    static const char text[] = "crash crashes, and more of it";
    struct str word = {text, 5}, longer = {text + 6, 7};
    struct topic_tokens_table table = {0};

    tap_case("a word by its key is the same as by its name");
    topic_tokens_table_fetch(&table, topic_tokens_table_key(word),
                             word.len); /* no slots yet */
    CHECK(topic_tokens_table_put(&table, word, topic_tokens_table_key(word)) == 0);
    CHECK(topic_tokens_table_put(&table, longer, topic_tokens_table_key(longer)) == 1);
    topic_tokens_table_fetch(&table, topic_tokens_table_key(word), word.len);
    CHECK(topic_tokens_table_number(&table, STR("crash")) == 0);
    CHECK(topic_tokens_table_number(&table, STR("crashes")) == 1);
    CHECK(table.count == 2);
    topic_tokens_table_free(&table);
}

static void test_tokens_table(void)
{
    check_many();
    check_alike();
    check_keys();
}

int main(void)
{
    test_tokens();
    test_tokens_table();
    return tap_done();
}
