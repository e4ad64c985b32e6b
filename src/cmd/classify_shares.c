/* Shares of classes in the posts of --in, as a whole and by group: who is labelled, who
 * predicts whom, and how it is shown. */
#include "cmd/classify.h"

#include <string.h>

#include "base/map.h"
#include "run/shares.h"

/* Labelled posts come first, then the posts of --in that are none of them. */
struct gathered {
    size_t count, labelled;
    struct learn_quantify_items items;
    uint8_t *in;            /* whether a post is one of the set */
    const size_t *of_other; /* the place in --in of each post; SIZE_MAX: not in it */
};

/* Labelled posts that are not of the set are a stratum of their own, and stand for
 * themselves. */
static void find_strata(struct cmd_classify_work *work, const struct cmd_labelled *others,
                        struct gathered *gathered)
{
    size_t *stratum = arena_array(work->arena, size_t, gathered->count + 1);

    for (size_t i = 0; i < gathered->count; i++) {
        size_t other = gathered->of_other[i];
        stratum[i] = other != SIZE_MAX ? others->stratum[other] : others->strata;
    }
    gathered->items.stratum = stratum;
    gathered->items.strata = others->strata + 1;
}

/* With --id the set is --in, and labelled posts are known there by their id. Without it
 * they are taken for further posts of the set. */
static struct gathered gather(struct cmd_classify_work *work,
                              const struct cmd_labelled *others)
{
    size_t labelled = work->learned.count, all = labelled + others->count;
    struct gathered out = {.count = labelled,
                           .labelled = labelled,
                           .in = arena_array(work->arena, uint8_t, all + 1)};
    size_t *of_other = arena_array(work->arena, size_t, all + 1);
    struct map known = {.arena = work->arena};

    for (size_t i = 0; i < labelled; i++) {
        out.in[i] = work->args->id == NULL;
        of_other[i] = SIZE_MAX;
        if (work->args->id != NULL)
            *map_put(&known, work->learned.ids[i]) = (int64_t)i + 1;
    }
    for (size_t i = 0; i < others->count; i++) {
        const int64_t *place = map_get(&known, others->ids[i]);
        size_t at = place != NULL ? (size_t)*place - 1 : out.count++;
        out.in[at] = 1;
        of_other[at] = i;
    }
    out.of_other = of_other;
    return out;
}

/* Labelled posts as the fold predicted them that they were not in, others by the mean of
 * the folds' models. */
static bool predict(struct cmd_classify_work *work, const struct cmd_labelled *others,
                    struct gathered *gathered, struct err *err)
{
    const struct cmd_classify_trial *trial = work->trials;
    size_t classes = work->learned.classes.count, labelled = gathered->labelled;
    size_t rest = gathered->count - labelled;
    uint8_t *said = arena_array(work->arena, uint8_t, gathered->count * classes + 1);
    uint8_t *truth = arena_array(work->arena, uint8_t, gathered->count * classes + 1);
    uint8_t *role = arena_array(work->arena, uint8_t, gathered->count + 1);
    double *probabilities =
        arena_array(work->arena, double, gathered->count *classes + 1);
    struct learn_parts *posts = arena_array(work->arena, struct learn_parts, rest + 1);
    struct learn_model mean =
        learn_model_mean(trial->judged.models, trial->judged.model_count, work->arena);
    struct learn_apply apply = {&mean, trial->settings.features, &trial->examples.table,
                                cmd_threads(work->args->threads)};

    memcpy(truth, trial->judged.truth.is, labelled * classes);
    memcpy(said, trial->judged.predicted.is, labelled * classes);
    memcpy(probabilities, trial->judged.probabilities,
           labelled * classes * sizeof *probabilities);
    for (size_t i = 0; i < labelled; i++)
        role[i] = work->learned.chosen[i] ? LEARN_QUANTIFY_CHOSEN : LEARN_QUANTIFY_DRAWN;
    for (size_t i = 0; i < rest; i++)
        posts[i] = others->posts[gathered->of_other[labelled + i]];
    uint8_t *silent = arena_array(work->arena, uint8_t, gathered->count + 1);
    gathered->items = (struct learn_quantify_items){.count = gathered->count,
                                                    .classes = classes,
                                                    .several = mean.several,
                                                    .role = role,
                                                    .truth = truth,
                                                    .said = said,
                                                    .probabilities = probabilities,
                                                    .silent = silent};
    struct learn_given given = {0};
    if (work->given.count > 0 && rest > 0) {
        struct str *ids = arena_array(work->arena, struct str, rest);
        for (size_t i = 0; i < rest; i++)
            ids[i] = others->ids[gathered->of_other[labelled + i]];
        given = cmd_given_of(&work->given, ids, rest, work->arena);
        struct cmd_given_missing missing = {0};
        cmd_given_miss(&missing, &given, ids, rest);
        cmd_given_tell_missing(&missing, work->args->vectors, work->args->in);
    }
    bool ok = learn_apply_model(
        &apply, (struct learn_apply_posts){rest, posts, NULL, given}, work->arena,
        said + labelled * classes, probabilities + labelled * classes, err);
    for (size_t i = 0; i < gathered->count; i++)
        silent[i] = memchr(said + i * classes, 1, classes) == NULL;
    return ok;
}

/* A row for each class in the marked posts, below one for them all if there are groups.
 */
static struct learn_quantify add_set(struct run_shares *table, struct str name,
                                     const uint8_t *in, bool groups)
{
    size_t above = RESULT_NONE, count = 0;

    for (size_t i = 0; i < table->items->count; i++)
        count += in[i];
    if (groups)
        above =
            run_shares_above(table,
                             arena_format(table->arena, "%.*s (%zu post%s)",
                                          STR_ARG(name), count, count == 1 ? "" : "s"),
                             RESULT_NONE, (int64_t)count);
    return run_shares_add(table, name, in, above);
}

static void fill_table(struct cmd_classify_work *work, const struct cmd_labelled *others,
                       const struct gathered *gathered)
{
    size_t groups = others->classes.count;
    struct run_shares table = {.items = &gathered->items,
                               .names = work->learned.classes.names,
                               .confidence = 0.95,
                               .arena = work->arena};
    struct cmd_classify_set *sets =
        arena_array(work->arena, struct cmd_classify_set, groups + 1);
    uint8_t *one = arena_array(work->arena, uint8_t, gathered->count + 1);

    run_shares_begin(&table, STR("shares"), false);
    table.out.corner = groups > 0 ? STR("group, class") : STR("class");
    sets[0].shares = add_set(&table, STR("all"), gathered->in, groups > 0);
    for (size_t g = 0; g < groups; g++) {
        sets[g + 1].name = others->classes.names[g];
        for (size_t i = 0; i < gathered->count; i++)
            one[i] = gathered->of_other[i] != SIZE_MAX &&
                     learn_membership_has(&others->truth, gathered->of_other[i], g);
        sets[g + 1].shares = add_set(&table, sets[g + 1].name, one, true);
    }
    run_shares_end(&table);
    work->shares = table.out;
    work->sets = sets;
    work->set_count = groups + 1;
}

static struct str text_of(const struct learn_parts *parts, struct arena *arena)
{
    struct buf text = {0};

    for (size_t i = 0; i < LEARN_PARTS_COUNT; i++) {
        buf_add(&text, parts->at[i]);
        buf_add_char(&text, '\n');
    }
    struct str copy = arena_copy(arena, buf_str(&text));
    buf_free(&text);
    return copy;
}

/* Posts of --in with the very text of a labelled one: without ids they count twice. */
static size_t count_same(struct cmd_classify_work *work,
                         const struct cmd_labelled *others)
{
    struct arena arena = {0};
    struct map texts = {.arena = &arena};
    size_t same = 0;

    for (size_t i = 0; i < work->learned.count; i++)
        if (!learn_parts_empty(work->learned.posts + i))
            map_number(&texts, text_of(work->learned.posts + i, &arena));
    for (size_t i = 0; i < others->count; i++) {
        struct arena_mark mark = arena_mark(&arena);
        same += map_get(&texts, text_of(others->posts + i, &arena)) != NULL;
        arena_rewind(&arena, mark);
    }
    arena_free(&arena);
    return same;
}

bool cmd_classify_shares(struct cmd_classify_work *work, struct err *err)
{
    const struct cmd_classify_args *args = work->args;
    struct cmd_labelled_options in = {.path = args->in,
                                      .text = args->text,
                                      .columns = {[CMD_POSTS_ID] = args->id,
                                                  [CMD_POSTS_LABEL] = args->by,
                                                  [CMD_POSTS_STRATUM] = args->strata}};
    struct cmd_labelled others;

    if (!cmd_labelled_read(&in, 1, work->arena, &others, err))
        return false;
    if (args->id == NULL)
        work->same = count_same(work, &others);
    struct gathered gathered = gather(work, &others);
    for (size_t i = 0; i < gathered.labelled; i++)
        work->outside += !gathered.in[i];
    work->repeated = (size_t)(others.rows - others.without_label) - others.count;
    if (!predict(work, &others, &gathered, err))
        return false;
    if (args->strata != NULL)
        find_strata(work, &others, &gathered);
    fill_table(work, &others, &gathered);
    return true;
}

static void add_left_out(struct cmd_classify_work *work)
{
    if (work->same > 0)
        buf_add_format(
            &work->out,
            "%zu post%s of %s %s the text of a labelled post: if %s the same "
            "post%s, give --id, or %s twice\n",
            work->same, work->same == 1 ? "" : "s", work->args->in,
            work->same == 1 ? "has" : "have", work->same == 1 ? "it is" : "these are",
            work->same == 1 ? "" : "s", work->same == 1 ? "it counts" : "they count");
    if (work->outside > 0)
        buf_add_format(&work->out,
                       "%zu labelled post%s not in %s and tell%s nothing about it\n",
                       work->outside, work->outside == 1 ? " is" : "s are",
                       work->args->in, work->outside == 1 ? "s" : "");
    if (work->repeated > 0)
        buf_add_format(&work->out,
                       "%zu row%s of %s repeat%s the id of an earlier one and count%s as "
                       "the same post\n",
                       work->repeated, work->repeated == 1 ? "" : "s", work->args->in,
                       work->repeated == 1 ? "s" : "", work->repeated == 1 ? "s" : "");
}

void cmd_classify_add_shares(struct cmd_classify_work *work)
{
    const struct learn_quantify *all = &work->sets[0].shares;
    struct buf *out = &work->out;

    buf_add_format(out, "\nshares in %zu post%s, %zu of them labelled; 95%% intervals\n",
                   all->items, all->items == 1 ? "" : "s", all->labelled);
    if (all->labelled == 0)
        buf_add(out, STR("no labelled post is among them; does the column of --id hold "
                         "the same ids in both files?\n"));
    add_left_out(work);
    if (all->labelled > 0 && all->labelled < all->items && all->strata == 1)
        buf_add_format(
            out,
            "a class that none of the labelled posts has may still be %.2f%% of "
            "all at most\n",
            100 * stats_interval_wilson_finite(0, (int64_t)all->labelled,
                                               (int64_t)all->items, 0.95)
                      .high);
    cmd_classify_add_table(&work->shares, (struct str){0}, work->arena, out);
}
