/* What is counted of all posts. Whole dumps are counted in dump_select. */
#include "dump/internal.h"

#include "tests/tap.h"

static struct item question(int64_t created_ms)
{
    struct item post = item_empty();

    post.kind = ITEM_QUESTION;
    post.created_ms = created_ms;
    post.accepted = 7;
    return post;
}

int main(void)
{
    struct dump_select_health health = {.first_ms = ITEM_NONE, .last_ms = ITEM_NONE};
    struct dump_select_health all = {.first_ms = ITEM_NONE, .last_ms = ITEM_NONE};
    struct dump_select_state state = {0};
    struct buf census = {0};
    static const struct {
        int64_t created_ms;
        char tags[48]; /* bytes behind them can be read */
        int64_t replaced;
    } posts[] = {{20, "&lt;a&gt;", 0},
                 {10, "|a|", 0},
                 {99, "&lt;b&nbsp;&gt;", 0},
                 {ITEM_NONE, "", 0},
                 {15, "&lt;c&nbsp;&gt;", 1}};

    tap_case("posts of after the end are left out");
    for (size_t i = 0; i < ROWS(posts); i++) {
        struct item post = question(posts[i].created_ms);
        CHECK(dump_select_census_note(post.created_ms >= 50, &post,
                                      str_from(posts[i].tags), &health,
                                      &census) == posts[i].replaced);
    }
    CHECK(health.late == 1 && health.questions == 4 && health.no_date == 1);
    tap_case("spellings of tags, accepted answers, first and last moment");
    CHECK(health.tags_in_angles == 2 && health.tags_in_bars == 1);
    CHECK(health.tags_missing == 1 && health.accepted == 4);
    CHECK(health.first_ms == 10 && health.last_ms == 20);
    tap_case("parts are added up");
    dump_select_census_merge(&all, &health);
    dump_select_census_merge(&all, &health);
    CHECK(all.questions == 8 && all.first_ms == 10 && all.last_ms == 20);
    tap_case("an answer before its question is an orphan if that never comes");
    int64_t parents[] = {1, 2};
    buf_add(&state.early_answers, (struct str){(const char *)parents, sizeof parents});
    idset_add(&state.seen, 2);
    idset_add(&state.ids, 2);
    idset_add(&state.accepted, 5);
    dump_select_census_finish(&state);
    CHECK(state.health.orphans == 1 && state.health.accepted_missing == 1);
    tap_case("questions are counted as they were written down");
    dump_tally_take(&state.tally, buf_str(&census));
    CHECK(state.tally.count == 4); /* two years without a tag, <a>, <c?> */
    dump_select_state_free(&state);
    buf_free(&census);
    return tap_done();
}
