/* Texts of items: which parts, in the order asked for, and what is not there. */
#include "run/texts.h"

#include "tests/unit/studied.h"

int main(void)
{
    struct studied test;
    struct store *corpus;
    struct learn_parts got[3];
    const int64_t ids[] = {2, 9, 1};
    struct str names[] = {STR("title"), STR("inline-code")};

    if (!studied_begin(&test))
        return tap_done();
    studied_write(&test, "p.csv",
                  "Id,PostTypeId,Tags,CreationDate,Title,Body\n"
                  "1,1,<x>,2019-01-01,One,<p>Why <code>f(x)</code>?</p>"
                  "<pre><code>run()</code></pre>\n"
                  "2,1,<x><y>,2019-01-02,Two,<p>Plain</p>\n");
    studied_write(&test, "study.yaml",
                  "study: s\nsource: {posts: p.csv}\nsets: {x: '[x]'}\n");
    CHECK(studied_run(&test));
    CHECK(store_open(studied_path(&test, "corpus.db"), &corpus, &test.err));

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
    return tap_done();
}
