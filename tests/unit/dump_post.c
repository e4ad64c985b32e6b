/* An empty post has nothing: no number is 0, no text is there. */
#include "dump/post.h"

#include "tests/tap.h"

int main(void)
{
    const struct post post = post_empty();
    const struct {
        const char *name;
        int64_t value;
    } numbers[] = {
        {"id", post.id},
        {"type", post.type},
        {"parent", post.parent},
        {"accepted", post.accepted},
        {"accepted-at", post.accepted_ms},
        {"owner", post.owner},
        {"created", post.created_ms},
        {"closed", post.closed_ms},
        {"score", post.score},
        {"views", post.views},
        {"answers", post.answers},
        {"comments", post.comments},
        {"favorites", post.favorites},
    };
    const struct {
        const char *name;
        struct str text;
    } texts[] = {
        {"tags", post.tags},
        {"title", post.title},
        {"body", post.body},
        {"license", post.license},
    };

    for (size_t i = 0; i < ROWS(numbers); i++) {
        tap_case("empty post: %s", numbers[i].name);
        CHECK(numbers[i].value == POST_NONE);
    }
    for (size_t i = 0; i < ROWS(texts); i++) {
        tap_case("empty post: %s", texts[i].name);
        CHECK(texts[i].text.len == 0);
    }
    tap_case("empty post: escaped");
    CHECK(!post.escaped);
    tap_case("empty post: extra columns");
    CHECK(post.extra == NULL);
    tap_case("no number of a real post means nothing");
    CHECK(POST_NONE < -1); /* -1 is the owner "Community" */
    return tap_done();
}
