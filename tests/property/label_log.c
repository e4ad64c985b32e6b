/* Whatever raters do, in whatever order: what counts is what a plain list of their acts
 * says, to those who followed the log and to those who read it anew; progress counts the
 * same; nothing is ever lost from the log. */
#include "base/rng.h"
#include "tests/unit/labelled.h"

enum { TRIALS = 30, STEPS = 120, ITEMS = 12, RATERS = 2, STACK = STEPS };

static const char *const raters[RATERS] = {"ann", "bob"};
static const char *const codes[] = {"data/parse", "data/load", "model", "unclear"};

/* The plain list: of each rater what was given, in order, less what was taken back. */
struct model {
    struct {
        int64_t item;
        const char *code;
    } acts[RATERS][STACK];
    size_t count[RATERS];
};

static const char *model_says(const struct model *model, size_t rater, int64_t item)
{
    for (size_t i = model->count[rater]; i > 0; i--)
        if (model->acts[rater][i - 1].item == item)
            return model->acts[rater][i - 1].code;
    return "-";
}

static void step(struct labelled *test, struct model *model, struct rng *rng)
{
    const struct label_task *task = label_task(test->label);
    size_t rater = rng_below(rng, RATERS);

    if (rng_below(rng, 4) == 0) {
        bool any = model->count[rater] > 0;
        CHECK(labelled_undo(test, raters[rater]) == any);
        model->count[rater] -= any;
        return;
    }
    int64_t item = task->items[rng_below(rng, task->item_count)];
    const char *code = codes[rng_below(rng, ROWS(codes))];
    CHECK(labelled_give(test, raters[rater], item, code, ""));
    model->acts[rater][model->count[rater]].item = item;
    model->acts[rater][model->count[rater]++].code = code;
}

static void compare(struct labelled *test, const struct model *model, int64_t round)
{
    const struct label_task *task = label_task(test->label);
    struct label_progress progress;

    for (size_t r = 0; r < RATERS; r++) {
        size_t done = 0;
        for (size_t i = 0; i < task->item_count; i++) {
            const char *want = model_says(model, r, task->items[i]);
            CHECK_TEXT(labelled_says(test, raters[r], round, task->items[i]), want);
            done += want[0] != '-';
        }
        CHECK(
            label_progress(test->label, str_from(raters[r]), &progress, &test->in.err) &&
            progress.done == done);
        struct label_place place;
        bool found;
        CHECK(
            label_next(test->label, str_from(raters[r]), &place, &found, &test->in.err) &&
            found == (done < task->item_count) && (!found || !place.done));
    }
}

static size_t lines(const char *text)
{
    size_t count = 0;

    for (; (text = strchr(text, '\n')) != NULL; text++)
        count++;
    return count;
}

int main(void)
{
    struct rng rng = rng_seeded(20261116);

    for (int trial = 0; trial < TRIALS; trial++) {
        struct labelled test;
        struct model model = {0};
        size_t steps = rng_below(&rng, STEPS);
        tap_case("trial %d: %zu acts", trial, steps);
        if (!labelled_begin(&test, LABELLED_STUDY, LABELLED_CODEBOOK))
            continue;
        int64_t round = labelled_round(&test);
        size_t stored = 1;
        for (size_t i = 0; i < steps; i++) {
            step(&test, &model, &rng);
            stored += test.in.err.kind == ERR_NONE;
        }
        compare(&test, &model, round);
        CHECK(lines(labelled_export(&test, LABEL_ACTS, false)) == stored);
        CHECK(labelled_open(&test));
        compare(&test, &model, round);
        labelled_end(&test);
    }
    return tap_done();
}
