/* Rows of posts, comments and votes in each layout. */
#include <math.h>

#include "tests/unit/rendered.h"

/* As many as the dump has, within 4 standard errors. */
static void check_share(const char *posts, const char *sign, double all, double share)
{
    CHECK_NEAR(rendered_count(posts, sign) / all, share,
               4 * sqrt(share * (1 - share) / all) + 1 / all);
}

static void check_attributes(struct render *rows)
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

static void check_layouts(struct render *rows)
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

int main(void)
{
    struct render rows = {0};

    rendered_begin();
    check_layouts(&rows);
    check_attributes(&rows);
    rendered_end(&rows);
    return tap_done();
}
