/* Users, tags and wikis in the layouts of their time; a file that ends too early. */
#include "tests/unit/rendered.h"

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
    struct plan plan = plan_make(&rendered_model, 5, 4000, 0);

    for (size_t i = 0; i < ROWS(kinds); i++) {
        struct synth_options options = {.layout = kinds[i].layout, .seed = 5};
        struct render_context context = {
            .options = &options, .plan = &plan, .text = rendered_text};
        struct synth_counts counts = {.tags = {3, 4}};
        int64_t next = 1;
        tap_case("layout %zu: users and tags have the attributes of their time", i);
        render_make_users(&context, 1, 1000, rows);
        buf_add_char(&rows->tables[SYNTH_USERS], '\0');
        const char *users = rows->tables[SYNTH_USERS].ptr;
        CHECK(rendered_count(users, "<row ") == 999 &&
              rendered_count(users, " />\r\n") == 999);
        CHECK(rendered_count(users, kinds[i].has) > 50 &&
              rendered_count(users, kinds[i].lacks) == 0);
        CHECK(rendered_count(users, " WebsiteUrl=\"") > 50 &&
              rendered_count(users, " AboutMe=\"&lt;p&gt;") > 50);
        render_make_tags(&context, &counts, &next, rows);
        buf_add_char(&rows->tables[SYNTH_TAGS], '\0');
        CHECK(rendered_count(rows->tables[SYNTH_TAGS].ptr, kinds[i].tag_end) == 2);
    }
    tap_case("a cut takes half of the last row");
    int64_t before = rows->counts_of[SYNTH_POSTS];
    CHECK(before == 4 && rows->counts.wikis == 4);
    render_cut(rows);
    buf_add_char(&rows->tables[SYNTH_POSTS], '\0');
    const char *posts = rows->tables[SYNTH_POSTS].ptr;
    CHECK(rendered_count(posts, "<row ") == 4 && rendered_count(posts, " />\r\n") == 3);
    CHECK(rows->counts_of[SYNTH_POSTS] == 3 && rows->counts.wikis == 3 &&
          rows->counts.damaged == 1);
}

static void check_planted(struct render *rows)
{
    struct plan plan = plan_make(&rendered_model, 5, 10, 0);
    struct synth_options options = {.layout = SYNTH_2025_COMMENT, .seed = 5};
    struct render_context context = {
        .options = &options, .plan = &plan, .text = rendered_text};

    tap_case("the two posts that are planted");
    render_make_planted(&context, rows);
    buf_add_char(&rows->tables[SYNTH_POSTS], '\0');
    const char *posts = rows->tables[SYNTH_POSTS].ptr;
    CHECK(rendered_count(posts, "<row ") == 2 && rows->counts.planted == 2);
    CHECK(rendered_count(posts, "Id=\"1000000001\"") == 2); /* and as a parent */
    CHECK(rendered_count(posts, " Tags=\"&lt;tensorflow&gt;\"") == 1);
}

int main(void)
{
    struct render rows = {0};

    rendered_begin();
    check_people(&rows);
    check_planted(&rows);
    rendered_end(&rows);
    return tap_done();
}
