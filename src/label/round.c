/* Rounds: which items, who gets which of them, in which order. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "label/internal.h"

/* Streams of random numbers, so that one draw does not depend on the others. */
enum { OVERLAP_STREAM = 1, CHOICE_STREAM, ORDER_STREAM, RETEST_STREAM, STREAMS };

static const char *const kind_words[] = {"pilot", "training", "main", "chosen"};

const char *label_round_word(enum label_round_kind kind)
{
    return kind_words[kind];
}

static enum label_round_kind kind_of(struct str word)
{
    for (size_t i = 0; i < ROWS_OF(kind_words); i++)
        if (str_eq(word, str_from(kind_words[i])))
            return (enum label_round_kind)i;
    return LABEL_MAIN;
}

bool label_rounds(struct label *label, struct arena *arena, struct label_round **out,
                  size_t *count, struct err *err)
{
    if (!label_follow(label, err))
        return false;
    size_t known = label->log.rounds.count;
    const struct label_known_round *rounds = label->log.rounds.at;
    const struct label_tally *tallies = label->log.tallies.at;
    *out = arena_array(arena, struct label_round, known + 1);
    *count = 0;
    for (size_t i = 0; i < known; i++) {
        if (!rounds[i].ours)
            continue;
        struct label_round *round = &(*out)[(*count)++];
        *round = (struct label_round){.id = rounds[i].row.id,
                                      .kind = kind_of(rounds[i].row.kind),
                                      .opened_ms = rounds[i].row.at_ms,
                                      .closed_ms = rounds[i].closed_ms,
                                      .opened_by = arena_copy(arena, rounds[i].row.by),
                                      .closed_by = arena_copy(arena, rounds[i].closed_by),
                                      .source = arena_copy(arena, rounds[i].row.source),
                                      .items = rounds[i].items};
        for (size_t t = 0; t < label->log.tallies.count; t++)
            if (tallies[t].round == round->id) {
                round->assigned += tallies[t].assigned;
                round->done += tallies[t].done;
            }
    }
    return true;
}

/* Whether so many of the study labelled the item in rounds that fit and were imported. */
static bool enough_imported(struct label *label, int64_t item, size_t enough,
                            bool (*fits)(const struct label_known_round *round))
{
    size_t raters = 0;

    for (size_t r = 0; raters < enough && r < label->settings->rater_count; r++) {
        bool has = false;
        for (size_t i = 0; !has && i < label->log.rounds.count; i++) {
            const struct label_known_round *round = &label->log.rounds.at[i];
            has = fits(round) && round->row.source.len > 0 &&
                  label_assigned_find(label, round->row.id, label->settings->raters[r],
                                      item, false) != NULL;
        }
        raters += has;
    }
    return raters >= enough;
}

/* What one rater alone had labelled elsewhere is still there for the others. */
bool label_had(struct label *label, int64_t item,
               bool (*fits)(const struct label_known_round *round))
{
    const struct label_known_round *rounds = label->log.rounds.at;
    const struct study_labelling *settings = label->settings;
    bool imported = false;

    for (size_t i = 0; i < label->log.rounds.count; i++) {
        int64_t key[2] = {rounds[i].row.id, item};
        if (!fits(&rounds[i]) ||
            map_get(&label->log.item_of, (struct str){(const char *)key, sizeof key}) ==
                NULL)
            continue;
        if (rounds[i].row.source.len == 0)
            return true;
        imported = true;
    }
    size_t wanted = settings->raters_per_item > 0 ? (size_t)settings->raters_per_item
                                                  : settings->rater_count;
    return imported && enough_imported(label, item, wanted < 2 ? wanted : 2, fits);
}

static bool is_fresh(struct label *label, int64_t item)
{
    return !label_had(label, item, label_counts);
}

static bool is_known(struct label *label, int64_t item)
{
    return label_had(label, item, label_is_ours);
}

/* One that teaches need not be labelled twice; a sample takes it all the same, or it
 * would lack just the uncertain ones. */
static bool is_unseen(struct label *label, int64_t item)
{
    return is_fresh(label, item) && !label_had(label, item, label_is_chosen);
}

/* The items that a round may have: in draw order, or as they were picked. */
static struct label_picked *candidates(struct label *label,
                                       const struct label_round_plan *plan,
                                       struct arena *arena, size_t *count)
{
    bool (*fits)(struct label * label, int64_t item) =
        plan->kind == LABEL_TRAINING ? is_known
        : plan->kind == LABEL_CHOSEN ? is_unseen
                                     : is_fresh;
    bool chosen = plan->kind == LABEL_CHOSEN;
    size_t all = chosen ? plan->picked_count : label->task.item_count;
    struct label_picked *out = arena_array(arena, struct label_picked, all + 1);

    *count = 0;
    for (size_t i = 0; i < all; i++) {
        struct label_picked one = {.score = NAN};
        if (chosen)
            one = plan->picked[i];
        else
            one.item = label->task.items[i];
        if (fits(label, one.item))
            out[(*count)++] = one;
    }
    return out;
}

bool label_round_settings(struct label *label, struct label_round_plan *out,
                          struct err *err)
{
    const struct study_labelling *settings = label->settings;

    if (!label_follow(label, err))
        return false;
    /* Both only ever grow. */
    int64_t as_of =
        label->log.seen[STORE_ACTS_ASSIGNMENT] + label->log.seen[STORE_ACTS_ROUND];
    if (label->left_as_of != as_of) {
        const struct label_round_plan rest = {.kind = LABEL_MAIN};
        struct arena arena = {0};
        (void)candidates(label, &rest, &arena, &label->left);
        arena_free(&arena);
        label->left_as_of = as_of;
    }
    size_t left = label->left;
    bool pilot = settings->pilot > 0 && left == label->task.item_count;
    double first = settings->pilot > 1 ? fmin(settings->pilot, (double)left)
                                       : settings->pilot * (double)left;
    *out = (struct label_round_plan){.kind = pilot ? LABEL_PILOT : LABEL_MAIN,
                                     .items = pilot ? (size_t)llround(first) : left,
                                     .raters_per_item = (size_t)settings->raters_per_item,
                                     .overlap = settings->overlap,
                                     .retest = settings->retest,
                                     .seed = settings->seed};
    return true;
}

/* Who gets what. */

struct dealing {
    const struct label_round_plan *plan;
    uint64_t round;
    size_t raters;
    struct str *names;
    struct label_picked **lists; /* of each rater */
    size_t *counts;
};

static struct rng stream(const struct dealing *dealing, unsigned which, uint64_t index)
{
    return rng_stream(dealing->plan->seed, dealing->round * STREAMS + which, index);
}

/* Of raters who have equally few items, a random one. */
static size_t least_busy(const struct dealing *dealing, const bool *taken,
                         struct rng *rng)
{
    size_t best = dealing->raters, ties = 0;

    for (size_t r = 0; r < dealing->raters; r++) {
        if (taken[r])
            continue;
        if (best == dealing->raters || dealing->counts[r] < dealing->counts[best]) {
            best = r;
            ties = 1;
        } else if (dealing->counts[r] == dealing->counts[best] &&
                   rng_below(rng, ++ties) == 0) {
            best = r;
        }
    }
    return best;
}

static void deal_item(struct dealing *dealing, struct label_picked item, size_t wanted,
                      bool *taken)
{
    struct rng rng = stream(dealing, CHOICE_STREAM, (uint64_t)item.item);

    memset(taken, 0, dealing->raters * sizeof *taken);
    for (size_t i = 0; i < wanted; i++) {
        size_t rater = least_busy(dealing, taken, &rng);
        taken[rater] = true;
        dealing->lists[rater][dealing->counts[rater]++] = item;
    }
}

static void deal(struct dealing *dealing, const struct label_picked *items, size_t count,
                 struct arena *arena)
{
    const struct label_round_plan *plan = dealing->plan;
    size_t several = plan->raters_per_item > 0 && plan->raters_per_item < dealing->raters
                         ? plan->raters_per_item
                         : dealing->raters;
    size_t shared = (size_t)llround(plan->overlap * (double)count);
    uint64_t *which = arena_array(arena, uint64_t, shared + 1);
    bool *taken = arena_array(arena, bool, dealing->raters + 1);
    struct rng rng = stream(dealing, OVERLAP_STREAM, 0);

    rng_draw(&rng, count, shared, which);
    for (size_t i = 0, s = 0; i < count; i++) {
        bool is_shared = s < shared && which[s] == i;
        s += is_shared;
        deal_item(dealing, items[i], is_shared ? several : 1, taken);
    }
}

static bool add_place(struct label *label, const struct dealing *dealing, size_t rater,
                      size_t position, struct label_picked item, bool again,
                      struct err *err)
{
    struct store_acts_assignment row = {.round = (int64_t)dealing->round,
                                        .rater = dealing->names[rater],
                                        .position = (int64_t)position,
                                        .item = item.item,
                                        .again = again,
                                        .score = item.score};

    return store_acts_add(label->acts, STORE_ACTS_ASSIGNMENT, &row, err);
}

/* The rater's own order, or the one in which they were picked, then the items that come
 * again: from the first half of the list, so that some time has gone by. */
static bool store_list(struct label *label, const struct dealing *dealing, size_t rater,
                       struct arena *arena, struct err *err)
{
    size_t count = dealing->counts[rater];
    struct label_picked *list = dealing->lists[rater];
    size_t again = (size_t)llround(dealing->plan->retest * (double)count);
    size_t half = again > (count + 1) / 2 ? again : (count + 1) / 2;
    uint64_t *which = arena_array(arena, uint64_t, again + 1);
    struct rng order = stream(dealing, ORDER_STREAM, rater);
    struct rng retest = stream(dealing, RETEST_STREAM, rater);
    bool ok = true;

    if (dealing->plan->kind != LABEL_CHOSEN)
        rng_shuffle(&order, list, count, sizeof *list);
    rng_draw(&retest, half, again, which);
    rng_shuffle(&retest, which, again, sizeof *which);
    for (size_t i = 0; ok && i < count; i++)
        ok = add_place(label, dealing, rater, i, list[i], false, err);
    for (size_t i = 0; ok && i < again; i++)
        ok = add_place(label, dealing, rater, count + i, list[which[i]], true, err);
    return ok;
}

static bool store_round(struct label *label, const struct label_round_plan *plan,
                        struct str by, const struct label_picked *items, int64_t *round,
                        struct arena *arena, struct err *err)
{
    size_t raters = label->settings->rater_count;
    struct store_acts_round row = {.task = label->settings->name,
                                   .kind = str_from(kind_words[plan->kind]),
                                   .by = by,
                                   .source = STR("")};

    if (!store_acts_add(label->acts, STORE_ACTS_ROUND, &row, err))
        return false;
    struct dealing dealing = {.plan = plan,
                              .round = (uint64_t)row.id,
                              .raters = raters,
                              .names = label->settings->raters,
                              .lists =
                                  arena_array(arena, struct label_picked *, raters + 1),
                              .counts = arena_array(arena, size_t, raters + 1)};
    for (size_t r = 0; r < raters; r++)
        dealing.lists[r] = arena_array(arena, struct label_picked, plan->items + 1);
    deal(&dealing, items, plan->items, arena);
    bool ok = true;
    for (size_t r = 0; ok && r < raters; r++)
        ok = store_list(label, &dealing, r, arena, err);
    *round = row.id;
    return ok;
}

static bool check_plan(const struct label *label, const struct label_round_plan *plan,
                       size_t left, struct err *err)
{
    if (label_open_round(label) != 0)
        return err_set(err, ERR_INPUT, "round %lld is open; close it first",
                       (long long)label_open_round(label));
    if (plan->kind == LABEL_CHOSEN && plan->picked_count == 0)
        return err_set(err, ERR_INPUT,
                       "a chosen round needs items to choose from; give assay label a "
                       "file with --queue");
    if (left == 0)
        return err_set(err, ERR_INPUT,
                       plan->kind == LABEL_TRAINING
                           ? "no item has been labelled yet that could be trained on"
                       : plan->kind == LABEL_CHOSEN
                           ? "every item of the queue has been in a round"
                           : "every item of the task has been in a round");
    if (plan->items == 0)
        return err_set(err, ERR_INPUT, "a round needs at least one item");
    if (!(plan->overlap >= 0 && plan->overlap <= 1 && plan->retest >= 0 &&
          plan->retest <= 1))
        return err_set(err, ERR_INPUT, "overlap and retest must be from 0%% to 100%%");
    return true;
}

/* Items of the task were taken from the corpus; picked ones may be anything. */
static bool check_picked(struct label *label, const struct label_round_plan *plan,
                         const struct label_picked *items, struct err *err)
{
    struct arena arena = {0};
    struct label_item item;
    bool ok = true;

    for (size_t i = 0; ok && plan->kind == LABEL_CHOSEN && i < plan->items; i++)
        if (label_order(label, items[i].item) == LABEL_NONE) {
            ok = label_item(label, items[i].item, &arena, &item, err);
            arena_free(&arena);
        }
    return ok;
}

bool label_round_open(struct label *label, const struct label_round_plan *plan,
                      struct str by, int64_t *round, struct err *err)
{
    struct arena arena = {0};
    struct label_round_plan own_plan = *plan;
    bool own;

    if (!label_change_begin(label, &own, err))
        return false;
    size_t left;
    struct label_picked *items = candidates(label, plan, &arena, &left);
    if (own_plan.items > left)
        own_plan.items = left;
    bool ok = check_plan(label, plan, left, err) &&
              check_picked(label, &own_plan, items, err) &&
              store_round(label, &own_plan, by, items, round, &arena, err);
    arena_free(&arena);
    return label_change_end(label, own, ok, err);
}

bool label_round_close(struct label *label, int64_t round, struct str by, struct err *err)
{
    struct store_acts_round_end row = {.round = round, .by = by};
    bool own;

    if (!label_change_begin(label, &own, err))
        return false;
    const struct label_known_round *known = label_round_find(label, round);
    bool ok = true;
    if (known == NULL || !known->ours)
        ok = err_set(err, ERR_INPUT, "there is no round %lld", (long long)round);
    else if (known->closed_ms != 0)
        ok = err_set(err, ERR_INPUT, "round %lld has been closed already",
                     (long long)round);
    else
        ok = store_acts_add(label->acts, STORE_ACTS_ROUND_END, &row, err);
    return label_change_end(label, own, ok, err);
}
