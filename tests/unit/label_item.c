/* An item as raters see it: the accepted answer first, comments, what a study hides. */
#include "store/corpus.h"
#include "tests/unit/labelled.h"
#include "tests/unit/stored.h"

/* Of a table, which is a space of its own. */
#define ROW ((INT64_C(1) << ITEM_SPACE_BITS) + 5)

static bool fill(struct store *corpus, struct err *err)
{
    static const struct item posts[] = {
        {.id = 11,
         .kind = ITEM_QUESTION,
         .accepted = 3,
         .score = 4,
         .created_ms = 99,
         .tags = STR_INIT("<c++><x>"),
         .title = STR_INIT("A & B"),
         .body = STR_INIT("<p>q</p>")},
        {.id = 1,
         .kind = ITEM_ANSWER,
         .parent = 11,
         .score = 9,
         .body = STR_INIT("<p>best</p>")},
        {.id = 2,
         .kind = ITEM_ANSWER,
         .parent = 11,
         .score = 1,
         .body = STR_INIT("<p>low</p>")},
        {.id = 3,
         .kind = ITEM_ANSWER,
         .parent = 11,
         .score = 1,
         .body = STR_INIT("<p>acc</p>")},
        {.id = ROW, .kind = ITEM_ROW, .title = STR_INIT("row"), .body = STR_INIT("text")},
    };
    static const struct store_comment comments[] = {{8, 11, 20, 1, 1, STR_INIT("later")},
                                                    {7, 11, 10, 1, 1, STR_INIT("first")},
                                                    {9, 3, 30, 1, 1, STR_INIT("thanks")}};
    bool ok = store_begin(corpus, err);

    for (size_t i = 0; ok && i < ROWS(posts); i++) {
        struct item post = posts[i];
        if (post.parent == 0)
            post.parent = ITEM_NONE;
        ok = stored_append(corpus, &post, err);
    }
    for (size_t i = 0; ok && i < ROWS(comments); i++)
        ok = store_add(corpus, STORE_COMMENT, &comments[i], err);
    return ok && store_add_field(corpus, ROW, STR("kind"), STR("bug"), err) &&
           store_commit(corpus, err);
}

static struct label_item item_of(struct labelled *test, int64_t id)
{
    struct label_item item = {0};

    CHECK(label_item(test->label, id, &test->in.arena, &item, &test->in.err));
    return item;
}

int main(void)
{
    struct labelled test;
    struct store *corpus;
    struct label_item item;
    bool resumed;

    if (!labelled_begin(&test, LABELLED_STUDY, LABELLED_CODEBOOK))
        return tap_done();
    tap_case("without a corpus");
    CHECK(!label_item(test.label, 11, &test.in.arena, &item, &test.in.err) &&
          test.in.err.kind == ERR_SYSTEM);
    CHECK(store_build(studied_path(&test.in, "corpus.db"), STR("k"), &corpus, &resumed,
                      &test.in.err) &&
          fill(corpus, &test.in.err) && store_finish(corpus, &test.in.err));

    tap_case("a question with its answers and comments");
    item = item_of(&test, 11);
    CHECK(str_eq(item.title, STR("A & B")) && item.question.score == 4 && !item.row);
    CHECK(item.tag_count == 2 && str_eq(item.tags[0], STR("c++")));
    CHECK(str_eq(item.link, STR("https://stackoverflow.com/q/11")));
    if (CHECK(item.answer_count == 3)) {
        CHECK(item.answers[0].id == 3 && item.answers[0].accepted);
        CHECK(item.answers[1].id == 1 && !item.answers[1].accepted);
        CHECK(item.answers[2].id == 2 && item.answers[0].comment_count == 1);
    }
    if (CHECK(item.question.comment_count == 2))
        CHECK(str_eq(item.question.comments[0].text, STR("first")));

    tap_case("a row of a table has fields and no link");
    item = item_of(&test, ROW);
    CHECK(item.row && item.link.len == 0 && item.field_count == 1 &&
          str_eq(item.fields[0].value, STR("bug")));

    tap_case("an answer is no item, nor is what is not there");
    CHECK(!label_item(test.label, 1, &test.in.arena, &item, &test.in.err) &&
          test.in.err.kind == ERR_INPUT);
    CHECK(!label_item(test.label, 999, &test.in.arena, &item, &test.in.err));
    CHECK_TEXT(test.in.err.text, "the corpus has no item 999");

    tap_case("what the study hides");
    studied_write(&test.in, "study.yaml",
                  LABELLED_HEAD "labelling: {bugs: {sample: all, raters: [ann], hide: "
                                "[answers, comments, tags, score]}}\n");
    CHECK(labelled_open(&test));
    item = item_of(&test, 11);
    CHECK(item.answer_count == 0 && item.question.comment_count == 0 &&
          item.tag_count == 0 && item.question.score == ITEM_NONE);
    studied_write(&test.in, "study.yaml",
                  LABELLED_HEAD "labelling: {bugs: {sample: all, raters: [ann], hide: "
                                "[score]}}\n");
    CHECK(labelled_open(&test));
    item = item_of(&test, 11);
    CHECK(item.answer_count == 3 && item.answers[0].score == ITEM_NONE);
    labelled_end(&test);
    return tap_done();
}
