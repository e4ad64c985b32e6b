/* Texts of a corpus: the parts that are wanted; word vectors from the items asked for. */
#include "run/texts.h"

#include "tests/unit/studied.h"

enum { ITEMS = 12 };

static bool has(const struct learn_vectors *vectors, const char *word)
{
    return learn_features_look_up(&vectors->words, LEARN_PARTS_TITLE, LEARN_FEATURES_WORD,
                                  str_from(word)) < vectors->words.count;
}

static void check_vectors(void)
{
    struct studied test;
    struct store *corpus;
    struct buf posts = {0};
    int64_t ids[ITEMS];
    struct learn_vectors vectors;

    if (!studied_begin(&test))
        return;
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
    CHECK(store_open(studied_path(&test, "corpus.db"), (struct str){0}, &corpus,
                     &test.err));
    struct measure_frame frame = {.corpus = corpus,
                                  .count = ITEMS,
                                  .ids = measure_column_of(ids, ITEMS, &test.arena)};
    struct measure_bits items = measure_bits_make(ITEMS, &test.arena);
    for (size_t i = 0; i < ITEMS / 2; i++)
        measure_bits_set(items, i);

    tap_case("the words of those items");
    CHECK(run_texts_vectors(&frame, items, 31, 1, &vectors, &test.err));
    CHECK(vectors.dimensions > 0 && has(&vectors, "early") && has(&vectors, "memory"));
    CHECK(!has(&vectors, "late"));
    learn_vectors_free(&vectors);

    tap_case("of the title alone");
    CHECK(run_texts_vectors(&frame, items, 1u << LEARN_PARTS_TITLE, 1, &vectors,
                            &test.err));
    CHECK(has(&vectors, "model") && !has(&vectors, "memory"));
    learn_vectors_free(&vectors);
    store_close(corpus);
    buf_free(&posts);
    studied_end(&test);
}

static void check_parts(void)
{
    struct studied test;
    struct store *corpus;
    struct learn_parts got[3];
    const int64_t ids[] = {2, 9, 1};
    struct str names[] = {STR("title"), STR("inline-code")};

    if (!studied_begin(&test))
        return;
    studied_write(&test, "p.csv",
                  "Id,PostTypeId,Tags,CreationDate,Title,Body\n"
                  "1,1,<x>,2019-01-01,One,<p>Why <code>f(x)</code>?</p>"
                  "<pre><code>run()</code></pre>\n"
                  "2,1,<x><y>,2019-01-02,Two,<p>Plain</p>\n");
    studied_write(&test, "study.yaml",
                  "study: s\nsource: {posts: p.csv}\nsets: {x: '[x]'}\n");
    CHECK(studied_run(&test));
    CHECK(store_open(studied_path(&test, "corpus.db"), (struct str){0}, &corpus,
                     &test.err));

    tap_case("all parts, in the order of the ids; a missing item has none");
    CHECK(run_texts_read(corpus, ids, 3, run_texts_parts(NULL, 0, 31), &test.arena, got,
                         &test.err));
    CHECK(str_eq(got[0].at[LEARN_PARTS_TITLE], STR("Two")));
    CHECK(str_eq(got[0].at[LEARN_PARTS_TAGS], STR("<x><y>")));
    for (size_t p = 0; p < LEARN_PARTS_COUNT; p++)
        CHECK(got[1].at[p].len == 0);
    CHECK(str_eq(got[2].at[LEARN_PARTS_TITLE], STR("One")));
    CHECK(str_eq(str_trim(got[2].at[LEARN_PARTS_CODE]), STR("run()")));
    CHECK(str_eq(str_trim(got[2].at[LEARN_PARTS_INLINE]), STR("f(x)")));

    tap_case("only what is wanted");
    CHECK(run_texts_parts(names, 2, 31) ==
          (1u << LEARN_PARTS_TITLE | 1u << LEARN_PARTS_INLINE));
    CHECK(run_texts_read(corpus, ids, 3, run_texts_parts(names, 2, 31), &test.arena, got,
                         &test.err));
    CHECK(str_eq(got[2].at[LEARN_PARTS_TITLE], STR("One")) &&
          got[2].at[LEARN_PARTS_CODE].len == 0);
    CHECK(got[2].at[LEARN_PARTS_PROSE].len == 0 && got[2].at[LEARN_PARTS_INLINE].len > 0);
    store_close(corpus);
    studied_end(&test);
}

/* The title stands in the message too, and must not count twice. */
static void check_commits(void)
{
    static const struct {
        int64_t id;
        struct str title, body, prose;
    } rows[] = {
        {1, STR_INIT("Fix it"), STR_INIT("Fix it\n\nIt was\nbroken.\n"),
         STR_INIT("It was\nbroken.")},
        {2, STR_INIT("Fix it all"), STR_INIT("Fix it\nall\n \nNow.\n"), STR_INIT("Now.")},
        {3, STR_INIT("Fix it"), STR_INIT("Fix it\n"), STR_INIT("")},
    };
    struct studied test;
    struct store *corpus;
    struct learn_parts got[ROWS(rows)];
    int64_t ids[ROWS(rows)], known_ms;
    bool resumed, added;

    if (!studied_begin(&test))
        return;
    tap_case("the message of a commit without its title");
    const char *path = studied_path(&test, "corpus.db");
    CHECK(store_build(path, STR("key"), &corpus, &resumed, &test.err) &&
          store_begin(corpus, &test.err));
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct item item = item_empty();
        item.id = ids[i] = rows[i].id;
        item.kind = ITEM_COMMIT;
        item.title = rows[i].title;
        item.body = rows[i].body;
        item.form = ITEM_PLAIN;
        CHECK(store_append(corpus, &item, 0, &added, &known_ms, &test.err));
    }
    CHECK(store_commit(corpus, &test.err) && store_finish(corpus, &test.err) &&
          store_open(path, (struct str){0}, &corpus, &test.err));
    CHECK(run_texts_read(corpus, ids, ROWS(rows), 31, &test.arena, got, &test.err));
    for (size_t i = 0; i < ROWS(rows); i++) {
        CHECK(str_eq(got[i].at[LEARN_PARTS_TITLE], rows[i].title));
        CHECK(str_eq(str_trim(got[i].at[LEARN_PARTS_PROSE]), rows[i].prose));
    }
    store_close(corpus);
    studied_end(&test);
}

int main(void)
{
    check_parts();
    check_commits();
    check_vectors();
    return tap_done();
}
