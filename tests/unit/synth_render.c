/* A block of the plan as rows of each table. */
#include <math.h>
#include <stdio.h>

#include "base/date.h"
#include "synth/internal.h"
#include "tests/tap.h"
#include "tests/unit/rendered.h"

/* Rows of posts, comments and votes in each layout. */

/* As many as the dump has, within 4 standard errors. */
static void check_share(const char *posts, const char *sign, double all, double share)
{
    CHECK_NEAR(rendered_count(posts, sign) / all, share,
               4 * sqrt(share * (1 - share) / all) + 1 / all);
}

static void check_attributes(struct synth_render *rows)
{
    const char *posts = rendered_some(900, SYNTH_CLASSIC, SYNTH_WHOLE, rows);
    double all = (double)rows->counts_of[SYNTH_POSTS];
    int edits = rendered_count(posts, " LastEditDate=\"");

    tap_case("a third of the posts is edited, by somebody");
    check_share(posts, " LastEditDate=\"", all, 0.30);
    CHECK(rendered_count(posts, " LastEditorUserId=\"") +
              rendered_count(posts, " LastEditorDisplayName=\"") ==
          edits);
    CHECK(rendered_count(posts, " LastEditorDisplayName=\"") > 0);
    CHECK(rendered_count(posts, " CommunityOwnedDate=\"") > 0);
    tap_case("every comment has a user or the name of a deleted one");
    const char *comments = rows->tables[SYNTH_COMMENTS].ptr;
    CHECK(rendered_count(comments, " UserId=\"") +
              rendered_count(comments, " UserDisplayName=\"") ==
          rows->counts_of[SYNTH_COMMENTS]);
    CHECK(rendered_count(comments, " UserDisplayName=\"") > 0);
    tap_case("favorites and bounties say whose they are");
    const char *votes = rows->tables[SYNTH_VOTES].ptr;
    int favorites = rendered_count(votes, " VoteTypeId=\"5\" UserId=\"");
    int offered = rendered_count(votes, " VoteTypeId=\"8\" UserId=\"");
    CHECK(favorites > 0 && offered > 0);
    CHECK(rendered_count(votes, " UserId=\"") == favorites + offered);
    CHECK(rendered_count(votes, " VoteTypeId=\"9\" CreationDate=\"") == offered);
    CHECK(rendered_count(votes, " BountyAmount=\"") == 2 * offered);
    tap_case("favorites are counted on the question in the classic layout alone");
    CHECK(rendered_count(posts, " FavoriteCount=\"") > 0);
    CHECK(rendered_count(rendered_posts(SYNTH_2024_PIPE, SYNTH_WHOLE, rows),
                         "FavoriteCount") == 0);
}

static void check_layouts(struct synth_render *rows)
{
    const char *posts = rendered_posts(SYNTH_CLASSIC, SYNTH_WHOLE, rows);

    tap_case("classic: tags in angle brackets, no licence, ids ascend");
    CHECK(rendered_count(posts, "<row ") == rows->counts_of[SYNTH_POSTS]);
    CHECK(rendered_count(posts, " Tags=\"&lt;") == 400 &&
          rendered_count(posts, "ContentLicense") == 0);
    CHECK(strstr(posts, "  <row Id=\"1\" PostTypeId=\"1\"") == posts);
    CHECK(rendered_count(posts, " />\r\n") == rows->counts_of[SYNTH_POSTS]);
    CHECK(rows->counts_of[SYNTH_TRUTH] == 400 && rows->counts.questions == 400);

    tap_case("2024-pipe: tags between bars, a licence on every row");
    posts = rendered_posts(SYNTH_2024_PIPE, SYNTH_WHOLE, rows);
    CHECK(rendered_count(posts, " Tags=\"|") == 400);
    CHECK(rendered_count(posts, "ContentLicense=\"CC BY-SA ") ==
          rows->counts_of[SYNTH_POSTS]);

    tap_case("2025-comment: the same rows in another order");
    posts = rendered_posts(SYNTH_2025_COMMENT, SYNTH_WHOLE, rows);
    CHECK(rendered_count(posts, "<row ") == rows->counts_of[SYNTH_POSTS]);
    CHECK(rendered_count(posts, " Tags=\"&lt;") == 400);
    CHECK(strstr(posts, "  <row Id=\"1\" ") != posts);
    CHECK(strchr(posts, '\r') == NULL);
}

static void test_render(void)
{
    struct synth_render rows = {0};

    rendered_begin();
    check_layouts(&rows);
    check_attributes(&rows);
    rendered_end(&rows);
}

/* Attributes of rows. */

static void check(struct buf *out, const char *want)
{
    buf_add_char(out, '\0');
    CHECK_TEXT(out->ptr, want);
    buf_clear(out);
}

static const struct {
    const char *name;
    enum synth_layout layout;
    struct date date;
    const char *license;
} licenses[] = {
    {"none in the classic layout", SYNTH_CLASSIC, {2019, 1, 1}, ""},
    {"2.5", SYNTH_2024_PIPE, {2011, 4, 7}, " ContentLicense=\"CC BY-SA 2.5\""},
    {"3.0 from 2011-04-08 on",
     SYNTH_2024_PIPE,
     {2011, 4, 8},
     " ContentLicense=\"CC BY-SA 3.0\""},
    {"4.0 from 2018-05-02 on",
     SYNTH_2024_PIPE,
     {2018, 5, 2},
     " ContentLicense=\"CC BY-SA 4.0\""},
};

static void test_render_row(void)
{
    struct synth_tags tags = {.at = {SYNTH_MODEL_TENSORFLOW}, .count = 1};
    struct synth_options options = {.layout = SYNTH_CLASSIC};
    struct synth_render_context context = {.options = &options};
    struct synth_render rows = {0};
    struct buf out = {0};

    for (size_t i = 0; i < ROWS(licenses); i++) {
        struct synth_options of = {.layout = licenses[i].layout};
        tap_case("licence: %s", licenses[i].name);
        synth_render_row_license(&out, &of, date_from_civil(licenses[i].date));
        check(&out, licenses[i].license);
    }
    tap_case("a number, a user and one who is gone");
    synth_render_row_number(&out, " Score=\"", -3);
    check(&out, " Score=\"-3\"");
    synth_render_row_user(&out, " UserId=\"", " Name=\"", 7, 5);
    check(&out, " UserId=\"7\"");
    synth_render_row_user(&out, " UserId=\"", " Name=\"", 0, 5);
    check(&out, " Name=\"user1000005\"");
    tap_case("tags");
    synth_render_row_tags(&out, &options, &tags);
    check(&out, " Tags=\"&lt;tensorflow&gt;\"");
    options.layout = SYNTH_2024_PIPE;
    synth_render_row_tags(&out, &options, &tags);
    check(&out, " Tags=\"|tensorflow|\"");
    tap_case("the end of a row, and beginning anew");
    synth_render_row_clear(&context, &rows);
    synth_render_row_end(&rows, SYNTH_TAGS);
    CHECK(rows.counts_of[SYNTH_TAGS] == 1);
    CHECK(str_eq(buf_str(&rows.tables[SYNTH_TAGS]), STR(" />\r\n")));
    synth_render_row_clear(&context, &rows);
    CHECK(rows.counts_of[SYNTH_TAGS] == 0 && rows.tables[SYNTH_TAGS].len == 0);
    synth_render_free(&rows);
    buf_free(&out);
}

/* Every kind of damage: there when it is asked for, and told of. */

static void check_damage(struct synth_render *rows)
{
    static const struct {
        const char *name;
        enum synth_damage damage;
        const char *sign;
    } kinds[] = {
        {"bad entity", SYNTH_BAD_ENTITY, "&bogus;"},
        {"control characters", SYNTH_CONTROL_CHARACTERS, "\x01"},
        {"orphan answers", SYNTH_ORPHAN_ANSWERS, "ParentId=\"6871947"},
        {"missing accepted answers", SYNTH_MISSING_ACCEPTED,
         "AcceptedAnswerId=\"6871947"},
        {"huge body", SYNTH_HUGE_BODY, "All of my log"},
    };

    for (size_t i = 0; i < ROWS(kinds); i++) {
        const char *posts = rendered_posts(SYNTH_CLASSIC, SYNTH_WHOLE, rows);
        int64_t rows_before = rows->counts_of[SYNTH_POSTS];
        tap_case("damage: %s", kinds[i].name);
        CHECK(strstr(posts, kinds[i].sign) == NULL && rows->counts.damaged == 0);
        posts = rendered_posts(SYNTH_CLASSIC, kinds[i].damage, rows);
        CHECK(strstr(posts, kinds[i].sign) != NULL && rows->counts.damaged > 0);
        CHECK(rows->counts_of[SYNTH_POSTS] == rows_before);
    }
    tap_case("damage: a body of 16 MB");
    CHECK(rows->tables[SYNTH_POSTS].len > 16 * 1024 * 1024);

    tap_case("damage: missing attributes");
    const char *posts = rendered_posts(SYNTH_CLASSIC, SYNTH_MISSING_ATTRIBUTES, rows);
    CHECK(rendered_count(posts, " CreationDate=\"") + rows->counts.damaged ==
          rows->counts_of[SYNTH_POSTS]);

    tap_case("damage: duplicate ids");
    posts = rendered_posts(SYNTH_CLASSIC, SYNTH_DUPLICATE_IDS, rows);
    CHECK(rows->counts.damaged > 0 &&
          rendered_count(posts, "<row ") == rows->counts_of[SYNTH_POSTS]);
    CHECK(rows->counts_of[SYNTH_POSTS] ==
          rows->counts.questions + rows->counts.answers + rows->counts.damaged);
}

/* Even ten questions are damaged in every way that needs no answer, and the truth says
 * so. */
static void check_small(struct synth_render *rows)
{
    for (int d = SYNTH_BAD_ENTITY; d <= SYNTH_HUGE_BODY; d++) {
        struct str name = synth_damage_name((enum synth_damage)d);
        char cell[40];
        rendered_some(10, SYNTH_CLASSIC, (enum synth_damage)d, rows);
        tap_case("damage of ten questions: %.*s", STR_ARG(name));
        CHECK(rows->counts.damaged > 0);
        snprintf(cell, sizeof cell, ",%.*s\n", STR_ARG(name));
        bool answers = d == SYNTH_ORPHAN_ANSWERS || d == SYNTH_NEGATIVE_WAIT;
        int told = rendered_count(rows->tables[SYNTH_TRUTH].ptr, cell);
        CHECK(answers ? told <= rows->counts.damaged : told > 0);
    }
    tap_case("the truth tells of a negative wait for an accepted answer");
    rendered_some(900, SYNTH_CLASSIC, SYNTH_NEGATIVE_WAIT, rows);
    CHECK(rendered_count(rows->tables[SYNTH_TRUTH].ptr, ",negative-wait\n") > 0);
    CHECK(rendered_count(rows->tables[SYNTH_TRUTH].ptr, ",negative-wait\n") <
          rows->counts.damaged);
}

static void check_bodies(struct synth_render *rows)
{
    struct buf out = {0};

    (void)rows;
    tap_case("what damage puts into a body");
    synth_render_damage_body(&out, SYNTH_WHOLE);
    CHECK(out.len == 0);
    synth_render_damage_body(&out, SYNTH_BAD_ENTITY);
    CHECK(str_eq(buf_str(&out), STR(" &bogus; ")));
    buf_free(&out);
}

static void test_render_damage(void)
{
    struct synth_render rows = {0};

    rendered_begin();
    check_damage(&rows);
    check_small(&rows);
    check_bodies(&rows);
    rendered_end(&rows);
}

/* What is told of a question: a row with a cell for each head, and its labels counted. */

static void test_render_truth(void)
{
    struct synth_render rows = {0};
    struct synth_plan_question question = {
        .id = 7,
        .year = 2018,
        .truth = {.framework = SYNTH_MODEL_KERAS,
                  .kind = SYNTH_MODEL_CRASH,
                  .second_kind = -1,
                  .object = -1,
                  .platform = -1,
                  .bug_type = -1,
                  .bug_cause = -1,
                  .bug_effect = -1,
                  .bug_stage = -1,
                  .howto = true,
                  .views = 12,
                  .score = -1},
        .first_wait_ms = -1,
        .tags = {.at = {SYNTH_MODEL_KERAS}, .count = 1}};

    rendered_begin();
    tap_case("a row: labels by name, empty where there is none");
    synth_render_truth_add(&rows, &question, STR("load"), STR("bad-entity"));
    buf_add_char(&rows.tables[SYNTH_TRUTH], '\0');
    const char *row = rows.tables[SYNTH_TRUTH].ptr;
    CHECK(strncmp(row, "7,", 2) == 0 && strstr(row, ",2018,keras,crash,,") != NULL);
    CHECK(strstr(row, ",yes,,,load,,,") != NULL);
    CHECK(strstr(row, ",12,-1,,bad-entity\n") != NULL);
    CHECK(rows.counts_of[SYNTH_TRUTH] == 1);
    tap_case("counted");
    synth_render_truth_count(&rows.counts, &rendered_model, &question);
    CHECK(rows.counts.questions == 1 && rows.counts.how_to == 1);
    CHECK(rows.counts.labels[SYNTH_MODEL_KINDS][SYNTH_MODEL_CRASH] == 1);
    CHECK(rows.counts.tags[SYNTH_MODEL_KERAS] == 1);
    tap_case("of other questions only that there are some");
    question.background = true;
    synth_render_truth_count(&rows.counts, &rendered_model, &question);
    CHECK(rows.counts.questions == 1 && rows.counts.background_questions == 1);
    CHECK(rows.counts.tags[SYNTH_MODEL_KERAS] == 2);
    rendered_end(&rows);
}

/* Users, tags and wikis in the layouts of their time; a file that ends too early. */

static void check_people(struct synth_render *rows)
{
    static const struct {
        enum synth_layout layout;
        const char *has, *lacks, *tag_end;
    } kinds[] = {
        {SYNTH_CLASSIC, " Age=\"", " ProfileImageUrl=\"", " />\r\n"},
        {SYNTH_2024_PIPE, " ProfileImageUrl=\"https://i.stack.imgur.com/", " Age=\"",
         " IsModeratorOnly=\"False\" IsRequired=\"False\" />\r\n"},
    };
    struct synth_plan plan = synth_plan_make(&rendered_model, 5, 4000, 0);

    for (size_t i = 0; i < ROWS(kinds); i++) {
        struct synth_options options = {.layout = kinds[i].layout, .seed = 5};
        struct synth_render_context context = {
            .options = &options, .plan = &plan, .text = rendered_text};
        struct synth_counts counts = {.tags = {3, 4}};
        int64_t next = 1;
        tap_case("layout %zu: users and tags have the attributes of their time", i);
        synth_render_make_users(&context, 1, 1000, rows);
        buf_add_char(&rows->tables[SYNTH_USERS], '\0');
        const char *users = rows->tables[SYNTH_USERS].ptr;
        CHECK(rendered_count(users, "<row ") == 999 &&
              rendered_count(users, " />\r\n") == 999);
        CHECK(rendered_count(users, kinds[i].has) > 50 &&
              rendered_count(users, kinds[i].lacks) == 0);
        CHECK(rendered_count(users, " WebsiteUrl=\"") > 50 &&
              rendered_count(users, " AboutMe=\"&lt;p&gt;") > 50);
        synth_render_make_tags(&context, &counts, &next, rows);
        buf_add_char(&rows->tables[SYNTH_TAGS], '\0');
        CHECK(rendered_count(rows->tables[SYNTH_TAGS].ptr, kinds[i].tag_end) == 2);
    }
    tap_case("a cut takes half of the last row");
    int64_t before = rows->counts_of[SYNTH_POSTS];
    CHECK(before == 4 && rows->counts.wikis == 4);
    synth_render_cut(rows);
    buf_add_char(&rows->tables[SYNTH_POSTS], '\0');
    const char *posts = rows->tables[SYNTH_POSTS].ptr;
    CHECK(rendered_count(posts, "<row ") == 4 && rendered_count(posts, " />\r\n") == 3);
    CHECK(rows->counts_of[SYNTH_POSTS] == 3 && rows->counts.wikis == 3 &&
          rows->counts.damaged == 1);
}

static void check_planted(struct synth_render *rows)
{
    struct synth_plan plan = synth_plan_make(&rendered_model, 5, 10, 0);
    struct synth_options options = {.layout = SYNTH_2025_COMMENT, .seed = 5};
    struct synth_render_context context = {
        .options = &options, .plan = &plan, .text = rendered_text};

    tap_case("the two posts that are planted");
    synth_render_make_planted(&context, rows);
    buf_add_char(&rows->tables[SYNTH_POSTS], '\0');
    const char *posts = rows->tables[SYNTH_POSTS].ptr;
    CHECK(rendered_count(posts, "<row ") == 2 && rows->counts.planted == 2);
    CHECK(rendered_count(posts, "Id=\"1000000001\"") == 2); /* and as a parent */
    CHECK(rendered_count(posts, " Tags=\"&lt;tensorflow&gt;\"") == 1);
}

static void test_render_others(void)
{
    struct synth_render rows = {0};

    rendered_begin();
    check_people(&rows);
    check_planted(&rows);
    rendered_end(&rows);
}

int main(void)
{
    test_render();
    test_render_row();
    test_render_damage();
    test_render_truth();
    test_render_others();
    return tap_done();
}
