/* Word vectors of a corpus: from the items asked for, and the parts. */
#include "run/word_vectors.h"

#include "tests/unit/studied.h"

enum { ITEMS = 12 };

static bool has(const struct learn_vectors *vectors, const char *word)
{
    return learn_features_look_up(&vectors->words, LEARN_PARTS_TITLE, LEARN_FEATURES_WORD,
                                  str_from(word)) < vectors->words.count;
}

int main(void)
{
    struct studied test;
    struct store *corpus;
    struct buf posts = {0};
    int64_t ids[ITEMS];
    struct learn_vectors vectors;

    if (!studied_begin(&test))
        return tap_done();
    buf_add(&posts, STR("Id,PostTypeId,Tags,CreationDate,Title,Body\n"));
    for (int i = 0; i < ITEMS; i++) {
        ids[i] = i + 1;
        buf_add_format(&posts, "%d,1,<x>,2019-01-01,%s model,<p>out of memory</p>\n",
                       i + 1, i < ITEMS / 2 ? "early" : "late");
    }
    buf_add_char(&posts, '\0');
    studied_write(&test, "p.csv", posts.ptr);
    studied_write(&test, "study.yaml",
                  "study: s\nsource: {posts: p.csv}\nsets: {x: '[x]'}\n");
    CHECK(studied_run(&test));
    CHECK(store_open(studied_path(&test, "corpus.db"), &corpus, &test.err));
    struct measure_frame frame = {.corpus = corpus, .count = ITEMS, .ids = ids};
    struct measure_bits items = measure_bits_make(ITEMS, &test.arena);
    for (size_t i = 0; i < ITEMS / 2; i++)
        measure_bits_set(items, i);

    tap_case("the words of those items");
    CHECK(run_word_vectors_learn(&frame, items, 31, 1, &vectors, &test.err));
    CHECK(vectors.dimensions > 0 && has(&vectors, "early") && has(&vectors, "memory"));
    CHECK(!has(&vectors, "late"));
    learn_vectors_free(&vectors);

    tap_case("of the title alone");
    CHECK(run_word_vectors_learn(&frame, items, 1u << LEARN_PARTS_TITLE, 1, &vectors,
                                 &test.err));
    CHECK(has(&vectors, "model") && !has(&vectors, "memory"));
    learn_vectors_free(&vectors);
    store_close(corpus);
    buf_free(&posts);
    studied_end(&test);
    return tap_done();
}
