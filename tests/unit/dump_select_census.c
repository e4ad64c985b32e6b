/* What is counted of all posts. Whole dumps are counted in dump_select. */
#include "dump/internal.h"

#include "tests/tap.h"

static struct item question(int64_t created_ms, const char *tags)
{
    struct item post = item_empty();

    post.kind = ITEM_QUESTION;
    post.created_ms = created_ms;
    post.accepted = 7;
    post.tags = str_from(tags);
    return post;
}

int main(void)
{
    struct dump_select_health health = {.first_ms = ITEM_NONE, .last_ms = ITEM_NONE};
    struct dump_select_health all = {.first_ms = ITEM_NONE, .last_ms = ITEM_NONE};
    struct dump_select_state state = {0};
    struct buf census = {0};
    struct item posts[] = {question(20, "<a>"), question(10, "|a|"), question(99, "<b>"),
                           question(ITEM_NONE, "")};

    tap_case("posts of after the end are left out");
    for (size_t i = 0; i < ROWS(posts); i++)
        dump_select_census_note(posts[i].created_ms >= 50, &posts[i], &health, &census);
    CHECK(health.late == 1 && health.questions == 3 && health.no_date == 1);
    tap_case("spellings of tags, accepted answers, first and last moment");
    CHECK(health.tags_in_angles == 1 && health.tags_in_bars == 1);
    CHECK(health.tags_missing == 1 && health.accepted == 3);
    CHECK(health.first_ms == 10 && health.last_ms == 20);
    tap_case("parts are added up");
    dump_select_census_merge(&all, &health);
    dump_select_census_merge(&all, &health);
    CHECK(all.questions == 6 && all.first_ms == 10 && all.last_ms == 20);
    tap_case("an answer before its question is an orphan if that never comes");
    int64_t parents[] = {1, 2};
    buf_add(&state.early_answers, (struct str){(const char *)parents, sizeof parents});
    idset_add(&state.seen, 2);
    idset_add(&state.ids, 2);
    idset_add(&state.accepted, 5);
    dump_select_census_finish(&state);
    CHECK(state.health.orphans == 1 && state.health.accepted_missing == 1);
    tap_case("questions are counted as they were written down");
    dump_select_census_count(&state.tally, buf_str(&census));
    struct buf packed = {0}, none = {0};
    struct dump_tally empty = {0};
    dump_tally_save(&state.tally, &packed);
    dump_tally_save(&empty, &none);
    CHECK(packed.len > none.len);
    buf_free(&packed);
    buf_free(&none);
    dump_select_state_free(&state);
    buf_free(&census);
    return tap_done();
}
