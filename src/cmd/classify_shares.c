/* Shares of classes in the posts of --in, as a whole and by group: who is labelled, who
 * predicts whom, and how it is shown. */
#include "cmd/classify.h"

#include <math.h>

#include "cmd/fields.h"
#include "learn/model.h"

enum { RESAMPLES = 200 };

/* Labelled posts come first, then the posts of --in that are none of them. */
struct gathered {
    size_t count, labelled;
    struct learn_quantify_items items;
    uint8_t *in;            /* whether a post is one of the set */
    const size_t *of_other; /* the place in --in of each post; SIZE_MAX: not in it */
};

/* "no", "0" and "false" say that a post was drawn at random, as nothing does. */
static bool is_no(struct str value)
{
    return str_eq(value, STR("0")) || str_eq(value, STR("no")) ||
           str_eq(value, STR("false"));
}

/* The column --chosen while it is read. */
struct choosing {
    bool by_id; /* else a post is known by the number of its row */
    int64_t rows;
    struct map chosen;
};

static bool take_chosen(void *context, const struct str *values, struct err *err)
{
    struct choosing *choosing = context;
    struct str value = str_trim(values[0]);
    struct buf row = {0};

    (void)err;
    buf_add_int(&row, ++choosing->rows);
    struct str id = choosing->by_id ? str_trim(values[1]) : buf_str(&row);
    if (value.len > 0 && !is_no(value))
        *map_put(&choosing->chosen, arena_copy(choosing->chosen.arena, id)) = 1;
    buf_free(&row);
    return true;
}

/* Marks the labelled posts that were not drawn at random. */
static bool find_chosen(struct cmd_classify_work *work, uint8_t *role, struct err *err)
{
    const struct cmd_classify_args *args = work->args;
    struct choosing choosing = {args->id != NULL, 0, {.arena = work->arena}};
    struct str names[2] = {str_from(args->chosen != NULL ? args->chosen : ""),
                           str_from(args->id != NULL ? args->id : "")};
    struct cmd_fields fields = {.path = args->from,
                                .names = names,
                                .count = args->id != NULL ? 2 : 1,
                                .take = take_chosen,
                                .context = &choosing,
                                .again = true};

    if (args->chosen != NULL && !cmd_fields_read(&fields, err))
        return false;
    if (args->chosen != NULL && choosing.rows != work->learned.rows)
        return err_set(err, ERR_INPUT,
                       "%s: found %lld rows when reading it for --chosen, expected %lld "
                       "as before; it has changed, or can be read only once",
                       args->from, (long long)choosing.rows,
                       (long long)work->learned.rows);
    for (size_t i = 0; i < work->learned.count; i++)
        role[i] = map_get(&choosing.chosen, work->learned.ids[i]) != NULL
                      ? LEARN_QUANTIFY_CHOSEN
                      : LEARN_QUANTIFY_DRAWN;
    return true;
}

/* The column --strata while it is read. */
struct stratifying {
    const char *path;
    struct arena *arena;
    struct map names, of; /* numbers of strata; of each id its stratum */
};

static struct str stratum_name(const struct map *names, int64_t number)
{
    size_t e = 0;

    while (names->entries[e].key.ptr == NULL || names->entries[e].value != number)
        e++;
    return names->entries[e].key;
}

static bool take_stratum(void *context, const struct str *values, struct err *err)
{
    struct stratifying *it = context;
    struct str name = arena_copy(it->arena, str_trim(values[0]));
    struct str id = arena_copy(it->arena, str_trim(values[1]));

    int64_t number = (int64_t)map_number(&it->names, name);
    const int64_t *known = map_get(&it->of, id);

    if (known != NULL && *known != number)
        return err_set(err, ERR_INPUT,
                       "%s: '%.*s' is of stratum '%.*s' and of '%.*s', expected one "
                       "stratum for each post",
                       it->path, STR_ARG(id), STR_ARG(stratum_name(&it->names, *known)),
                       STR_ARG(name));
    *map_put(&it->of, id) = number;
    return true;
}

/* The file is read a second time for its strata: what comes from a pipe is gone then. */
static bool check_strata(const struct cmd_labelled *others, const struct stratifying *it,
                         struct err *err)
{
    for (size_t i = 0; i < others->count; i++)
        if (map_get(&it->of, others->ids[i]) == NULL)
            return err_set(err, ERR_INPUT,
                           "%s: '%.*s' is not there when reading it for --strata; it has "
                           "changed, or can be read only once",
                           it->path, STR_ARG(others->ids[i]));
    return true;
}

/* Labelled posts that are not of the set are a stratum of their own, and stand for
 * themselves. */
static bool find_strata(struct cmd_classify_work *work, const struct cmd_labelled *others,
                        struct gathered *gathered, struct err *err)
{
    struct stratifying it = {
        work->args->in, work->arena, {.arena = work->arena}, {.arena = work->arena}};
    struct str names[2] = {str_from(work->args->strata), str_from(work->args->id)};
    struct cmd_fields fields = {.path = work->args->in,
                                .names = names,
                                .count = 2,
                                .take = take_stratum,
                                .context = &it,
                                .again = true};
    size_t *stratum = arena_array(work->arena, size_t, gathered->count + 1);

    if (!cmd_fields_read(&fields, err) || !check_strata(others, &it, err))
        return false;
    for (size_t i = 0; i < gathered->count; i++) {
        size_t other = gathered->of_other[i];
        stratum[i] = other != SIZE_MAX ? (size_t)*map_get(&it.of, others->ids[other])
                                       : it.names.count;
    }
    gathered->items.stratum = stratum;
    gathered->items.strata = it.names.count + 1;
    return true;
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
                                cmd_classify_threads(work->args)};

    memcpy(truth, trial->judged.truth.is, labelled * classes);
    memcpy(said, trial->judged.predicted.is, labelled * classes);
    memcpy(probabilities, trial->judged.probabilities,
           labelled * classes * sizeof *probabilities);
    for (size_t i = 0; i < rest; i++)
        posts[i] = others->posts[gathered->of_other[labelled + i]];
    gathered->items = (struct learn_quantify_items){gathered->count,
                                                    classes,
                                                    mean.several,
                                                    role,
                                                    truth,
                                                    said,
                                                    probabilities,
                                                    NULL,
                                                    0};
    return find_chosen(work, role, err) &&
           learn_apply_model(&apply, (struct learn_apply_posts){rest, posts, NULL},
                             work->arena, said + labelled * classes,
                             probabilities + labelled * classes, err);
}

static struct learn_quantify shares_of(struct cmd_classify_work *work,
                                       const struct gathered *gathered, const uint8_t *in)
{
    return learn_quantify_shares(
        &gathered->items, in,
        (struct learn_quantify_options){0.95, RESAMPLES, (uint64_t)work->args->seed},
        work->arena);
}

bool cmd_classify_shares(struct cmd_classify_work *work, struct err *err)
{
    const struct cmd_classify_args *args = work->args;
    struct cmd_labelled_options in = {args->in, args->text, args->by, args->id, NULL};
    struct cmd_labelled others;

    if (!cmd_labelled_read(&in, 1, work->arena, &others, err))
        return false;
    struct gathered gathered = gather(work, &others);
    for (size_t i = 0; i < gathered.labelled; i++)
        work->outside += !gathered.in[i];
    work->repeated = (size_t)(others.rows - others.without_label) - others.count;
    if (!predict(work, &others, &gathered, err) ||
        (args->strata != NULL && !find_strata(work, &others, &gathered, err)))
        return false;
    size_t groups = others.classes.count;
    struct cmd_classify_set *sets =
        arena_array(work->arena, struct cmd_classify_set, groups + 1);
    uint8_t *one = arena_array(work->arena, uint8_t, gathered.count + 1);
    sets[0].shares = shares_of(work, &gathered, gathered.in);
    for (size_t g = 0; g < groups; g++) {
        for (size_t i = 0; i < gathered.count; i++)
            one[i] = gathered.of_other[i] != SIZE_MAX &&
                     learn_membership_has(&others.truth, gathered.of_other[i], g);
        sets[g + 1] = (struct cmd_classify_set){others.classes.names[g],
                                                shares_of(work, &gathered, one)};
    }
    work->sets = sets;
    work->set_count = groups + 1;
    return true;
}

/* A column is as wide as its name, and has room for a share. */
static size_t column_width(enum learn_quantify_method method)
{
    size_t width = strlen(learn_quantify_names[method]), share = 23;

    return width > share ? width : share;
}

static void add_share(struct buf *out, const struct learn_quantify_share *share,
                      size_t width)
{
    size_t from = out->len;

    if (isnan(share->estimate))
        buf_add(out, STR("  -"));
    else
        buf_add_format(out, "  %5.1f%%", 100 * share->estimate);
    if (!isnan(share->low))
        buf_add_format(out, " [%5.1f%%, %5.1f%%]", 100 * share->low, 100 * share->high);
    while (out->len - from < width + 2)
        buf_add_char(out, ' ');
}

static void add_table(struct cmd_classify_work *work, const struct learn_quantify *shares,
                      const enum learn_quantify_method *methods, size_t count)
{
    const struct cmd_labelled_classes *classes = &work->learned.classes;
    struct buf *out = &work->out;
    int width = cmd_classify_name_width(classes);

    buf_add_format(out, "%-*s", width, "class");
    for (size_t m = 0; m < count; m++)
        buf_add_format(out, "  %-*s", (int)column_width(methods[m]),
                       learn_quantify_names[methods[m]]);
    cmd_classify_end_line(out);
    for (size_t k = 0; k < classes->count; k++) {
        cmd_classify_add_name(out, classes->names[k], width);
        for (size_t m = 0; m < count; m++)
            add_share(out, shares->of[methods[m]] + k, column_width(methods[m]));
        cmd_classify_end_line(out);
    }
}

static void add_assumptions(struct buf *out, const enum learn_quantify_method *methods,
                            size_t count)
{
    for (size_t m = 0; m < count; m++)
        buf_add_format(out, "%s assumes: %s\n", learn_quantify_names[methods[m]],
                       learn_quantify_assumptions[methods[m]]);
}

static void add_strata(struct buf *out, const struct learn_quantify *shares)
{
    if (shares->strata > 1)
        buf_add_format(out, "%zu strata that were drawn at different rates\n",
                       shares->strata);
    if (shares->unknown > 0)
        buf_add_format(out,
                       "labels do not tell the share of the whole: %zu of its posts are "
                       "of strata with fewer than two labelled posts\n",
                       shares->unknown);
    if (shares->joined > 0)
        buf_add_format(out,
                       "%zu posts of small strata with fewer than two labelled posts are "
                       "counted with those of other strata\n",
                       shares->joined);
}

static void add_few(struct buf *out, const struct learn_quantify *shares)
{
    if (shares->few)
        buf_add_format(out,
                       "too few to rely on: fewer than %d labelled posts drawn at "
                       "random\n",
                       LEARN_QUANTIFY_FEW);
}

static void add_left_out(struct cmd_classify_work *work)
{
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
    static const enum learn_quantify_method sampled[] = {LEARN_QUANTIFY_POWERED,
                                                         LEARN_QUANTIFY_LABELLED,
                                                         LEARN_QUANTIFY_PLAIN},
                                            shifted[] = {LEARN_QUANTIFY_ADJUSTED,
                                                         LEARN_QUANTIFY_PROBABLE,
                                                         LEARN_QUANTIFY_EM};
    struct buf *out = &work->out;
    const struct learn_quantify *all = &work->sets[0].shares;

    buf_add_format(out, "\nshares in %zu post%s, %zu of them labelled; 95%% intervals\n",
                   all->items, all->items == 1 ? "" : "s", all->labelled);
    if (all->labelled == 0)
        buf_add(out,
                STR("no labelled post is among them; does the column of --id hold the "
                    "same ids in both files?\n"));
    add_left_out(work);
    add_few(out, all);
    add_strata(out, all);
    add_table(work, all, sampled, ROWS_OF(sampled));
    add_assumptions(out, sampled, ROWS_OF(sampled));
    buf_add_char(out, '\n');
    add_table(work, all, shifted, ROWS_OF(shifted));
    add_assumptions(out, shifted, ROWS_OF(shifted));
    for (size_t s = 1; s < work->set_count; s++) {
        const struct cmd_classify_set *set = work->sets + s;
        buf_add_format(out, "\n%s %.*s: %zu post%s, %zu of them labelled\n",
                       work->args->by, STR_ARG(set->name), set->shares.items,
                       set->shares.items == 1 ? "" : "s", set->shares.labelled);
        add_few(out, &set->shares);
        add_strata(out, &set->shares);
        add_table(work, &set->shares, sampled, ROWS_OF(sampled));
    }
}
