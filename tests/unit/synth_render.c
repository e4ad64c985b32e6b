/* Rows of each layout and of each kind of damage. */
#include "synth/render.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/tap.h"

static struct arena arena;
static struct model model;
static struct text *text;

static int count_of(const char *text_in, const char *what)
{
    int count = 0;

    for (const char *at = text_in; (at = strstr(at, what)) != NULL; at++)
        count++;
    return count;
}

/* Block 0 of a small dump; all tables end with a NUL. */
static const char *some_posts(int64_t questions, enum synth_layout layout,
                              enum synth_damage damage, struct render *rows)
{
    struct plan plan = plan_make(&model, 5, questions, 0);
    struct synth_options options = {
        .layout = layout, .damage = damage, .seed = 5, .confusion = -1};
    struct plan_ids first = {1, 1, 1, 1};
    struct render_context context = {
        .options = &options, .plan = &plan, .text = text, .first = &first};

    render_make(&context, 0, rows);
    for (int i = 0; i < SYNTH_FILES; i++)
        buf_add_char(&rows->tables[i], '\0');
    return rows->tables[SYNTH_POSTS].ptr;
}

static const char *posts_of(enum synth_layout layout, enum synth_damage damage,
                            struct render *rows)
{
    return some_posts(400, layout, damage, rows);
}

/* As many as the dump has, within 4 standard errors. */
static void check_share(const char *posts, const char *sign, double all, double share)
{
    CHECK_NEAR(count_of(posts, sign) / all, share,
               4 * sqrt(share * (1 - share) / all) + 1 / all);
}

static void check_attributes(struct render *rows)
{
    const char *posts = some_posts(900, SYNTH_CLASSIC, SYNTH_WHOLE, rows);
    double all = (double)rows->counts_of[SYNTH_POSTS];
    int edits = count_of(posts, " LastEditDate=\"");

    tap_case("a third of the posts is edited, by somebody");
    check_share(posts, " LastEditDate=\"", all, 0.30);
    CHECK(count_of(posts, " LastEditorUserId=\"") +
              count_of(posts, " LastEditorDisplayName=\"") ==
          edits);
    CHECK(count_of(posts, " LastEditorDisplayName=\"") > 0);
    CHECK(count_of(posts, " CommunityOwnedDate=\"") > 0);
    tap_case("every comment has a user or the name of a deleted one");
    const char *comments = rows->tables[SYNTH_COMMENTS].ptr;
    CHECK(count_of(comments, " UserId=\"") + count_of(comments, " UserDisplayName=\"") ==
          rows->counts_of[SYNTH_COMMENTS]);
    CHECK(count_of(comments, " UserDisplayName=\"") > 0);
    tap_case("favorites and bounties say whose they are");
    const char *votes = rows->tables[SYNTH_VOTES].ptr;
    int favorites = count_of(votes, " VoteTypeId=\"5\" UserId=\"");
    int offered = count_of(votes, " VoteTypeId=\"8\" UserId=\"");
    CHECK(favorites > 0 && offered > 0);
    CHECK(count_of(votes, " UserId=\"") == favorites + offered);
    CHECK(count_of(votes, " VoteTypeId=\"9\" CreationDate=\"") == offered);
    CHECK(count_of(votes, " BountyAmount=\"") == 2 * offered);
    tap_case("favorites are counted on the question in the classic layout alone");
    CHECK(count_of(posts, " FavoriteCount=\"") > 0);
    CHECK(count_of(posts_of(SYNTH_2024_PIPE, SYNTH_WHOLE, rows), "FavoriteCount") == 0);
}

static void check_people(struct render *rows)
{
    static const struct {
        enum synth_layout layout;
        const char *has, *lacks, *tag_end;
    } kinds[] = {
        {SYNTH_CLASSIC, " Age=\"", " ProfileImageUrl=\"", " />\r\n"},
        {SYNTH_2024_PIPE, " ProfileImageUrl=\"https://i.stack.imgur.com/", " Age=\"",
         " IsModeratorOnly=\"False\" IsRequired=\"False\" />\r\n"},
    };
    struct plan plan = plan_make(&model, 5, 4000, 0);

    for (size_t i = 0; i < ROWS(kinds); i++) {
        struct synth_options options = {.layout = kinds[i].layout, .seed = 5};
        struct render_context context = {
            .options = &options, .plan = &plan, .text = text};
        struct synth_counts counts = {.tags = {3, 4}};
        int64_t next = 1;
        tap_case("layout %zu: users and tags have the attributes of their time", i);
        render_make_users(&context, 1, 1000, rows);
        buf_add_char(&rows->tables[SYNTH_USERS], '\0');
        const char *users = rows->tables[SYNTH_USERS].ptr;
        CHECK(count_of(users, "<row ") == 999 && count_of(users, " />\r\n") == 999);
        CHECK(count_of(users, kinds[i].has) > 50 && count_of(users, kinds[i].lacks) == 0);
        CHECK(count_of(users, " WebsiteUrl=\"") > 50 &&
              count_of(users, " AboutMe=\"&lt;p&gt;") > 50);
        render_make_tags(&context, &counts, &next, rows);
        buf_add_char(&rows->tables[SYNTH_TAGS], '\0');
        CHECK(count_of(rows->tables[SYNTH_TAGS].ptr, kinds[i].tag_end) == 2);
    }
    tap_case("a cut takes half of the last row");
    int64_t before = rows->counts_of[SYNTH_POSTS];
    CHECK(before == 4 && rows->counts.wikis == 4);
    render_cut(rows);
    buf_add_char(&rows->tables[SYNTH_POSTS], '\0');
    const char *posts = rows->tables[SYNTH_POSTS].ptr;
    CHECK(count_of(posts, "<row ") == 4 && count_of(posts, " />\r\n") == 3);
    CHECK(rows->counts_of[SYNTH_POSTS] == 3 && rows->counts.wikis == 3 &&
          rows->counts.damaged == 1);
}

/* Even ten questions are damaged in every way that needs no answer, and the truth says
 * so. */
static void check_small(struct render *rows)
{
    for (int d = SYNTH_BAD_ENTITY; d <= SYNTH_HUGE_BODY; d++) {
        struct str name = synth_damage_name((enum synth_damage)d);
        char cell[40];
        some_posts(10, SYNTH_CLASSIC, (enum synth_damage)d, rows);
        tap_case("damage of ten questions: %.*s", STR_ARG(name));
        CHECK(rows->counts.damaged > 0);
        snprintf(cell, sizeof cell, ",%.*s\n", STR_ARG(name));
        bool answers = d == SYNTH_ORPHAN_ANSWERS || d == SYNTH_NEGATIVE_WAIT;
        int told = count_of(rows->tables[SYNTH_TRUTH].ptr, cell);
        CHECK(answers ? told <= rows->counts.damaged : told > 0);
    }
    tap_case("the truth tells of a negative wait for an accepted answer");
    some_posts(900, SYNTH_CLASSIC, SYNTH_NEGATIVE_WAIT, rows);
    CHECK(count_of(rows->tables[SYNTH_TRUTH].ptr, ",negative-wait\n") > 0);
    CHECK(count_of(rows->tables[SYNTH_TRUTH].ptr, ",negative-wait\n") <
          rows->counts.damaged);
}

static void check_layouts(struct render *rows)
{
    const char *posts = posts_of(SYNTH_CLASSIC, SYNTH_WHOLE, rows);

    tap_case("classic: tags in angle brackets, no licence, ids ascend");
    CHECK(count_of(posts, "<row ") == rows->counts_of[SYNTH_POSTS]);
    CHECK(count_of(posts, " Tags=\"&lt;") == 400 &&
          count_of(posts, "ContentLicense") == 0);
    CHECK(strstr(posts, "  <row Id=\"1\" PostTypeId=\"1\"") == posts);
    CHECK(count_of(posts, " />\r\n") == rows->counts_of[SYNTH_POSTS]);
    CHECK(rows->counts_of[SYNTH_TRUTH] == 400 && rows->counts.questions == 400);

    tap_case("2024-pipe: tags between bars, a licence on every row");
    posts = posts_of(SYNTH_2024_PIPE, SYNTH_WHOLE, rows);
    CHECK(count_of(posts, " Tags=\"|") == 400);
    CHECK(count_of(posts, "ContentLicense=\"CC BY-SA ") == rows->counts_of[SYNTH_POSTS]);

    tap_case("2025-comment: the same rows in another order");
    posts = posts_of(SYNTH_2025_COMMENT, SYNTH_WHOLE, rows);
    CHECK(count_of(posts, "<row ") == rows->counts_of[SYNTH_POSTS]);
    CHECK(count_of(posts, " Tags=\"&lt;") == 400);
    CHECK(strstr(posts, "  <row Id=\"1\" ") != posts);
    CHECK(strchr(posts, '\r') == NULL);
}

static void check_damage(struct render *rows)
{
    static const struct {
        const char *name;
        enum synth_damage damage;
        const char *sign;
    } kinds[] = {
        {"bad entity", SYNTH_BAD_ENTITY, "&bogus;"},
        {"control characters", SYNTH_CONTROL_CHARACTERS, "\x01"},
        {"orphan answers", SYNTH_ORPHAN_ANSWERS, "ParentId=\"10995116"},
        {"missing accepted answers", SYNTH_MISSING_ACCEPTED,
         "AcceptedAnswerId=\"10995116"},
        {"huge body", SYNTH_HUGE_BODY, "All of my log"},
    };

    for (size_t i = 0; i < ROWS(kinds); i++) {
        const char *posts = posts_of(SYNTH_CLASSIC, SYNTH_WHOLE, rows);
        int64_t rows_before = rows->counts_of[SYNTH_POSTS];
        tap_case("damage: %s", kinds[i].name);
        CHECK(strstr(posts, kinds[i].sign) == NULL && rows->counts.damaged == 0);
        posts = posts_of(SYNTH_CLASSIC, kinds[i].damage, rows);
        CHECK(strstr(posts, kinds[i].sign) != NULL && rows->counts.damaged > 0);
        CHECK(rows->counts_of[SYNTH_POSTS] == rows_before);
    }
    tap_case("damage: a body of 16 MB");
    CHECK(rows->tables[SYNTH_POSTS].len > 16 * 1024 * 1024);

    tap_case("damage: missing attributes");
    const char *posts = posts_of(SYNTH_CLASSIC, SYNTH_MISSING_ATTRIBUTES, rows);
    CHECK(count_of(posts, " CreationDate=\"") + rows->counts.damaged ==
          rows->counts_of[SYNTH_POSTS]);

    tap_case("damage: duplicate ids");
    posts = posts_of(SYNTH_CLASSIC, SYNTH_DUPLICATE_IDS, rows);
    CHECK(rows->counts.damaged > 0 &&
          count_of(posts, "<row ") == rows->counts_of[SYNTH_POSTS]);
    CHECK(rows->counts_of[SYNTH_POSTS] ==
          rows->counts.questions + rows->counts.answers + rows->counts.damaged);
}

int main(void)
{
    struct err err = {0};
    struct render rows = {0};

    CHECK(model_load(NULL, &arena, &model, &err) && text_load(&arena, &text, &err));
    check_layouts(&rows);
    check_damage(&rows);
    check_attributes(&rows);
    check_people(&rows);
    check_small(&rows);
    render_free(&rows);
    arena_free(&arena);
    return tap_done();
}
