/* Real tables: exports of the Data Explorer, json lines, a csv with its own column names.
 * The numbers were computed from the same files with Python's csv and json modules: rows
 * with PostTypeId 1 (or without such a column) and 2, fields that are not empty, sums of
 * int(), of UTF-8 lengths, and of whole seconds of CreationDate since 1970; where a name
 * stands twice in a header, of its first column. Chen's answers are the items of
 * "answers". */
#include <stdio.h>
#include <stdlib.h>

#include "base/file.h"
#include "dump/table.h"
#include "tests/tap.h"

struct sums {
    int64_t questions, answers;
    int64_t accepted, parents, owners, closed, licenses;     /* how many have one */
    int64_t score, views, answer_count, comments, favorites; /* sums */
    int64_t tags, tag_bytes, title_bytes, body_bytes, created_s, id; /* tags as <a><b> */
};

static const struct {
    const char *file;
    const char *mapping;
    struct sums sums;
} rows[] = {
    {"sede/QueryResults-Answers.csv",
     "id=Id#1, created=CreationDate#1",
     {0, 274, 0, 274, 274, 0, 0, 4044, 0, 0, 842, 0, 0, 0, 0, 567473, 428207849479,
      15603476885}},
    {"sede/QueryResults-Questions.csv",
     "id=Id#1, created=CreationDate#1",
     {100, 0, 68, 0, 100, 2, 0, 3329, 437295, 274, 545, 639, 354, 3754, 6359, 230387,
      155972485667, 5640906716}},
    {"sede/QueryResults.csv",
     NULL,
     {460, 0, 359, 0, 435, 53, 0, 80646, 51727870, 4392, 848, 39535, 1625, 15720, 23553,
      394275, 568234213914, 603679926}},
    {"sede/posts_rxjs5_withAnswers.csv",
     NULL,
     {1500, 965, 965, 965, 2434, 14, 2465, 11913, 4564498, 2190, 4194, 1321, 5248, 49038,
      81144, 3303733, 3695608774143, 110149575198}},
    {"liu2023/posts.csv",
     "id=post_id, title=title, tags=tags, views=view_count, score=score, created=created",
     {2401, 0, 0, 0, 0, 0, 0, 8480, 8517514, 0, 0, 0, 7870, 89840, 152242, 0,
      3732420055110, 132643901325}},
    {"liu2023/posts.csv",
     NULL,
     {2401, 0, 0, 0, 0, 0, 0, 8480, 8517514, 0, 0, 0, 7870, 89840, 152242, 0,
      3732420055110, 132643901325}},
    {"dumps/stackoverflow-larrycoder123/Posts_Cleaned_2024.csv",
     NULL,
     {999, 0, 0, 0, 0, 54, 0, 272, 233179, 802, 1957, 0, 3050, 32392, 44434, 1348447,
      1702414490232, 77664529274}},
    {"chen2020/dl_server_post.txt",
     NULL,
     {1325, 1232, 400, 1232, 2555, 9, 0, 3559, 815186, 1232, 2463, 683, 4368, 62497,
      85608, 4036148, 3914021786626, 130188704262}},
    {"chen2020/dl_mobile_post.txt",
     NULL,
     {1533, 1298, 435, 1298, 2814, 23, 0, 3110, 746366, 1298, 3121, 517, 5405, 60940,
      96335, 4110159, 4348696861946, 147102810376}},
    {"chen2020/dl_browser_post.txt",
     NULL,
     {165, 149, 51, 149, 313, 1, 0, 239, 44821, 149, 518, 36, 539, 7426, 10863, 443946,
      487733567236, 17350086495}},
};

/* Without a mapping these two cannot be read: the post's Id and CreationDate stand beside
 * its owner's. */
static const char *const ambiguous[] = {"sede/QueryResults-Answers.csv",
                                        "sede/QueryResults-Questions.csv"};

static int64_t or_zero(int64_t number)
{
    return number != ITEM_NONE ? number : 0;
}

static bool add(void *context, const struct item *post, struct err *err)
{
    struct sums *sums = context;

    (void)err;
    sums->questions += post->kind == ITEM_QUESTION;
    sums->answers += post->kind == ITEM_ANSWER;
    sums->accepted += post->accepted != ITEM_NONE;
    sums->parents += post->parent != ITEM_NONE;
    sums->owners += post->owner != ITEM_NONE;
    sums->closed += post->closed_ms != ITEM_NONE;
    sums->licenses += post->license.len > 0;
    sums->score += or_zero(post->score);
    sums->views += or_zero(post->views);
    sums->answer_count += or_zero(post->answers);
    sums->comments += or_zero(post->comments);
    sums->favorites += or_zero(post->favorites);
    for (size_t i = 0; i < post->tags.len; i++)
        sums->tags += post->tags.ptr[i] == '<';
    sums->tag_bytes += (int64_t)post->tags.len;
    sums->title_bytes += (int64_t)post->title.len;
    sums->body_bytes += (int64_t)post->body.len;
    sums->created_s += post->created_ms / 1000;
    sums->id += post->id;
    return !post->escaped;
}

static void check_sums(const struct sums *got, const struct sums *want)
{
    CHECK(got->questions == want->questions && got->answers == want->answers);
    CHECK(got->accepted == want->accepted);
    CHECK(got->parents == want->parents);
    CHECK(got->owners == want->owners);
    CHECK(got->closed == want->closed);
    CHECK(got->licenses == want->licenses);
    CHECK(got->score == want->score);
    CHECK(got->views == want->views);
    CHECK(got->answer_count == want->answer_count);
    CHECK(got->comments == want->comments);
    CHECK(got->favorites == want->favorites);
    CHECK(got->tags == want->tags && got->tag_bytes == want->tag_bytes);
    CHECK(got->title_bytes == want->title_bytes);
    CHECK(got->body_bytes == want->body_bytes);
    CHECK(got->created_s == want->created_s);
    CHECK(got->id == want->id);
}

/* NULL, with the case skipped, when there is no real data here. */
static const char *real_file(const char *name, struct arena *arena, struct str *text)
{
    const char *data = getenv("ASSAY_DATA");
    struct err err = {0};

    if (data == NULL || *data == '\0') {
        tap_skip("ASSAY_DATA is not set");
        return NULL;
    }
    const char *path = file_join(data, name, arena);
    if (!file_read(path, arena, text, &err)) {
        CHECK_TEXT(err.text, "");
        return NULL;
    }
    return path;
}

int main(void)
{
    struct arena arena = {0};

    for (size_t i = 0; i < ROWS(rows); i++) {
        struct dump_table_options options = {.mapping = rows[i].mapping};
        struct sums sums = {0};
        struct err err = {0};
        struct str text;
        tap_case("real: %s%s", rows[i].file, rows[i].mapping != NULL ? ", mapped" : "");
        const char *path = real_file(rows[i].file, &arena, &text);
        if (path == NULL)
            continue;
        CHECK(dump_table_read(text, path, &options, add, &sums, &err));
        CHECK_TEXT(err.text, "");
        check_sums(&sums, &rows[i].sums);
    }
    for (size_t i = 0; i < ROWS(ambiguous); i++) {
        struct sums sums = {0};
        struct err err = {0};
        struct str text;
        tap_case("real: %s needs a mapping", ambiguous[i]);
        if (real_file(ambiguous[i], &arena, &text) == NULL)
            continue;
        CHECK(!dump_table_read(text, "x.csv", NULL, add, &sums, &err));
        CHECK_TEXT(
            err.text,
            "x.csv:1: more than one column is named 'Id', 'CreationDate'; say which "
            "one is meant, as 'id=Id#1, created=CreationDate#1'");
        CHECK(sums.questions == 0 && sums.answers == 0);
    }
    arena_free(&arena);
    return tap_done();
}
