/* Threads only write down what there is to count of a question. */
#include "dump/select_census.h"

#include <string.h>

/* A question as the census counts it; its tags follow. Cells are looked up only when the
 * part is merged: to do it for each part and then again for all would be twice the work.
 */
struct select_census_counted {
    int64_t created_ms, accepted, answers, closed_ms, views, score;
    size_t tags_len;
};

static void note_date(struct dump_select_health *health, int64_t ms)
{
    if (ms == ITEM_NONE)
        return;
    if (health->first_ms == ITEM_NONE || ms < health->first_ms)
        health->first_ms = ms;
    if (health->last_ms == ITEM_NONE || ms > health->last_ms)
        health->last_ms = ms;
}

static void log_question(struct buf *census, const struct item *post)
{
    struct select_census_counted counted = {
        post->created_ms, post->accepted, post->answers, post->closed_ms,
        post->views,      post->score,    post->tags.len};

    buf_add(census, (struct str){(const char *)&counted, sizeof counted});
    buf_add(census, post->tags);
}

void dump_select_census_count(struct dump_tally *tally, struct str census)
{
    struct select_census_counted counted;

    while (census.len > 0) {
        memcpy(&counted, census.ptr, sizeof counted);
        census = str_slice(census, sizeof counted, census.len);
        struct item post = {.created_ms = counted.created_ms,
                            .accepted = counted.accepted,
                            .answers = counted.answers,
                            .closed_ms = counted.closed_ms,
                            .views = counted.views,
                            .score = counted.score,
                            .tags = str_slice(census, 0, counted.tags_len)};
        dump_tally_add(tally, &post);
        census = str_slice(census, counted.tags_len, census.len);
    }
}

bool dump_select_census_note(int64_t until_ms, const struct item *post,
                             struct dump_select_health *health, struct buf *census)
{
    if (post->created_ms != ITEM_NONE && post->created_ms >= until_ms) {
        health->late++;
        return false;
    }
    note_date(health, post->created_ms);
    health->no_date += post->created_ms == ITEM_NONE;
    health->questions += post->kind == ITEM_QUESTION;
    health->answers += post->kind == ITEM_ANSWER;
    health->others += post->kind != ITEM_QUESTION && post->kind != ITEM_ANSWER;
    if (post->kind == ITEM_QUESTION) {
        health->accepted += post->accepted != ITEM_NONE;
        health->tags_missing += post->tags.len == 0;
        health->tags_in_angles += post->tags.len > 0 && post->tags.ptr[0] == '<';
        health->tags_in_bars += post->tags.len > 0 && post->tags.ptr[0] == '|';
        log_question(census, post);
    }
    return true;
}

void dump_select_census_merge(struct dump_select_health *into,
                              const struct dump_select_health *from)
{
    into->questions += from->questions;
    into->answers += from->answers;
    into->others += from->others;
    into->typed += from->typed;
    into->planted += from->planted;
    into->late += from->late;
    into->no_date += from->no_date;
    into->accepted += from->accepted;
    into->tags_in_angles += from->tags_in_angles;
    into->tags_in_bars += from->tags_in_bars;
    into->tags_missing += from->tags_missing;
    if (into->doubts.unreadable == 0)
        memcpy(into->doubts.first, from->doubts.first, sizeof into->doubts.first);
    into->doubts.replaced += from->doubts.replaced;
    into->doubts.unreadable += from->doubts.unreadable;
    note_date(into, from->first_ms);
    note_date(into, from->last_ms);
}

void dump_select_census_finish(struct dump_select_state *state)
{
    const int64_t *parents = (const void *)state->early_answers.ptr;
    size_t count = state->early_answers.len / sizeof *parents;

    for (size_t i = 0; i < count; i++)
        state->health.orphans += !idset_has(&state->seen, parents[i]);
    state->health.accepted_missing = idset_missing(&state->accepted, &state->ids);
}
