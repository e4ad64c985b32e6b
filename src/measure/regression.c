/* Items with all that a regression asks of them become its cases; who lacks something is
 * left out and counted. */
#include "measure/regression.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/near.h"
#include "measure/internal.h"

/* A column of the model: a quantity, or 1 for the items of a set or value. */
struct regression_column {
    struct str name;
    const struct study_term *term; /* a quantity */
    struct measure_quantity quantity;
    struct measure_bits bits; /* else */
    bool is_bits;
    size_t group; /* its term, in the order of the study */
};

struct regression {
    const struct study_regression *study;
    const struct measure_regression_inputs *inputs;
    struct arena *arena;
    struct regression_column *columns;
    size_t count;
    struct measure_bits
        items; /* that stand in a value of each group and have an outcome */
    struct measure_bits cases; /* of these, those that lack nothing; first, all */
    struct measure_cell_column outcome;
    struct measure_bits hits; /* LOGISTIC */
    size_t *cases_at;         /* of each case, its place in the frame */
    struct str *references;   /* of each term: the value that others are against */
    int64_t unlogged;         /* items of which a logarithm is asked that they have not */
    struct str unlogged_name; /* the first column of these */
    struct str *notes;
    size_t note_count;
    struct stats_regression_data data;
    struct err *err;
};

static void add_note(struct regression *it, struct str note)
{
    it->notes[it->note_count++] = note;
}

static struct regression_column *
add_column(struct regression *it, const struct study_term *term, struct str name)
{
    it->columns[it->count] = (struct regression_column){
        .name = name, .group = (size_t)(term - it->study->terms)};
    return &it->columns[it->count++];
}

/* Whether no item of the regression stands in two values. */
static bool is_exclusive(struct regression *it, const struct measure_groups *groups)
{
    struct measure_bits seen = measure_bits_make(it->items.count, it->arena);

    for (size_t v = 0; v < groups->count; v++) {
        struct measure_bits here =
            measure_bits_and(groups->values[v].bits, it->inputs->items, it->arena);
        if (measure_bits_count(measure_bits_and(seen, here, it->arena)) > 0)
            return false;
        measure_bits_add(seen, here);
    }
    return true;
}

static size_t find_reference(const struct regression *it,
                             const struct measure_groups *groups)
{
    for (size_t a = 0; a < it->study->against_count; a++)
        for (size_t v = 0; v < groups->count; v++)
            if (str_eq(groups->values[v].name, it->study->against[a]))
                return v;
    return 0;
}

/* Values that no case has are no columns. */
static void add_group(struct regression *it, const struct study_term *term)
{
    const struct measure_groups *groups = &it->inputs->groups[term->group];
    bool exclusive = is_exclusive(it, groups);
    struct measure_groups shown = {
        arena_array(it->arena, struct measure_groups_value, groups->count + 1), 0};
    struct measure_bits any = measure_bits_make(it->items.count, it->arena);

    for (size_t v = 0; v < groups->count; v++) {
        struct measure_bits both =
            measure_bits_and(groups->values[v].bits, it->inputs->items, it->arena);
        struct measure_bits left = measure_bits_and(both, it->cases, it->arena);
        if (measure_bits_count(left) > 0)
            shown.values[shown.count++] = groups->values[v];
        else if (measure_bits_count(both) > 0)
            add_note(it,
                     arena_format(it->arena,
                                  "%.*s: %.*s has no term: all of its items, %lld, "
                                  "are left out.",
                                  STR_ARG(term->text), STR_ARG(groups->values[v].name),
                                  (long long)measure_bits_count(both)));
        measure_bits_add(any, groups->values[v].bits);
    }
    size_t reference = exclusive ? find_reference(it, &shown) : shown.count;
    for (size_t v = 0; v < shown.count; v++)
        if (v != reference) {
            struct regression_column *column =
                add_column(it, term,
                           arena_format(it->arena, "%.*s: %.*s", STR_ARG(term->text),
                                        STR_ARG(shown.values[v].name)));
            column->bits = shown.values[v].bits;
            column->is_bits = true;
        }
    if (!exclusive)
        return;
    it->items = measure_bits_and(it->items, any, it->arena);
    if (reference < shown.count) {
        it->references[term - it->study->terms] = shown.values[reference].name;
        add_note(
            it, arena_format(it->arena,
                             shown.count > 1 ? "%.*s: against %.*s."
                                             : "%.*s has no term: all items are in %.*s.",
                             STR_ARG(term->text), STR_ARG(shown.values[reference].name)));
    }
}

static bool add_term(struct regression *it, const struct study_term *term)
{
    struct regression_column *column;

    if (term->group != STUDY_NONE) {
        add_group(it, term);
        return true;
    }
    column = add_column(
        it, term,
        term->log ? arena_format(it->arena, "log (1 + %.*s)",
                                 STR_ARG(str_slice(term->text, 4, term->text.len)))
                  : term->text);
    if (term->set.len > 0) {
        column->is_bits = true;
        return it->inputs->find_set(it->inputs->context, term->set, &column->bits,
                                    it->err);
    }
    column->term = term;
    return measure_quantity_open(it->inputs->frame, &term->measure, -1, &column->quantity,
                                 it->err);
}

static bool has_value(const struct measure_groups *groups, struct str name)
{
    for (size_t v = 0; v < groups->count; v++)
        if (str_eq(groups->values[v].name, name))
            return true;
    return false;
}

/* The value that each group with this one is compared with already; empty: one has none.
 */
static struct str taken_by(const struct regression *it, size_t against)
{
    const struct study_regression *study = it->study;
    struct str taken = {0};

    for (size_t t = 0; t < study->term_count; t++) {
        size_t group = study->terms[t].group, a = 0;
        if (group == STUDY_NONE ||
            !has_value(&it->inputs->groups[group], study->against[against]))
            continue;
        while (!has_value(&it->inputs->groups[group], study->against[a]))
            a++;
        if (a == against)
            return (struct str){0};
        taken = study->against[a];
    }
    return taken;
}

static bool check_against(struct regression *it)
{
    struct str names[100];
    size_t count = 0;

    for (size_t a = 0; a < it->study->against_count; a++) {
        bool found = false;
        for (size_t t = 0; t < it->study->term_count; t++) {
            size_t group = it->study->terms[t].group;
            for (size_t v = 0; group != STUDY_NONE && v < it->inputs->groups[group].count;
                 v++) {
                struct str name = it->inputs->groups[group].values[v].name;
                found = found || str_eq(name, it->study->against[a]);
                if (count < ROWS_OF(names))
                    names[count++] = name;
            }
        }
        struct str taken = taken_by(it, a);
        if (taken.len > 0)
            return err_set(it->err, ERR_INPUT,
                           "`against` names '%.*s' and '%.*s' of the same group, "
                           "expected one: the others are compared with it",
                           STR_ARG(taken), STR_ARG(it->study->against[a]));
        if (found)
            continue;
        size_t near = near_find(it->study->against[a], names, count);
        return err_set(
            it->err, ERR_INPUT,
            "`against` names '%.*s', which is no value of a group that it is "
            "`with`%s%.*s%s",
            STR_ARG(it->study->against[a]), near < count ? "; did you mean '" : "",
            STR_ARG(near < count ? names[near] : STR("")), near < count ? "'?" : "");
    }
    return true;
}

/* The outcome's column; items of which it is not known are no cases. */
static bool open_outcome(struct regression *it)
{
    struct study_column *column = arena_array(it->arena, struct study_column, 1);

    *column = (struct study_column){.measure = it->study->on, .round_first = -1};
    if (!measure_cell_open(column, it->inputs->frame, 1 - it->study->level,
                           it->inputs->find_set, it->inputs->context, &it->outcome,
                           it->err))
        return false;
    if (it->study->model == STUDY_LOGISTIC) {
        it->items = measure_bits_and(it->items, it->outcome.known, it->arena);
        it->hits = measure_cell_behind(&it->outcome, it->items, it->arena);
    }
    return true;
}

/* False: it has none. */
static bool outcome_of(struct regression *it, size_t item, double *y, bool *happened)
{
    struct stats_survival_case wait;
    int64_t negative = 0;

    switch (it->study->model) {
    case STUDY_LOGISTIC:
        *y = measure_bits_has(it->hits, item);
        return true;
    case STUDY_COX:
        if (!measure_quantity_wait(&it->outcome.quantity, item, &wait))
            return false;
        *y = wait.time;
        *happened = wait.happened;
        return true;
    case STUDY_NEGATIVE_BINOMIAL:
        break;
    }
    *y = measure_quantity_value(&it->outcome.quantity, item, &negative);
    return !isnan(*y);
}

/* NAN, or nothing finite: the item lacks it. */
static double value_of(struct regression *it, const struct regression_column *column,
                       size_t item)
{
    int64_t negative = 0;

    if (column->is_bits)
        return measure_bits_has(column->bits, item);
    double value = measure_quantity_value(&column->quantity, item, &negative);
    if (!column->term->log)
        return value;
    if (value <= -1) {
        if (it->unlogged++ == 0)
            it->unlogged_name = column->name;
        return NAN;
    }
    return log1p(value);
}

/* ITEM_NONE: it is a cluster of its own, such as of an asker who is gone. */
static bool cluster_keys(struct regression *it, enum study_cluster by, size_t group,
                         const size_t *items, int64_t *keys)
{
    const struct measure_frame *frame = it->inputs->frame;
    struct measure_frame_source *sources = NULL;
    size_t source_count = 0;

    if (by == STUDY_BY_SOURCE &&
        !measure_frame_sources(frame, &sources, &source_count, it->err))
        return false;
    for (size_t i = 0; i < it->data.count; i++) {
        size_t item = items[i];
        keys[i] = ITEM_NONE;
        if (by == STUDY_BY_ASKER && measure_column_at(frame->owner, item) != ITEM_NONE)
            keys[i] = measure_column_at(frame->owner, item);
        for (size_t s = 0; s < source_count; s++)
            if (measure_bits_has(sources[s].bits, item))
                keys[i] = (int64_t)s;
        for (size_t v = 0; by == STUDY_BY_GROUP && v < it->inputs->groups[group].count;
             v++)
            if (measure_bits_has(it->inputs->groups[group].values[v].bits, item)) {
                keys[i] = (int64_t)v;
                break;
            }
    }
    return true;
}

struct regression_key {
    int64_t key;
    size_t index;
};

static int by_key(const void *left, const void *right)
{
    const struct regression_key *a = left, *b = right;

    return a->key != b->key ? (a->key > b->key) - (a->key < b->key)
                            : (a->index > b->index) - (a->index < b->index);
}

/* An item that stands in several values is in the cluster of the first. */
static void add_clusters_shared(struct regression *it,
                                const struct measure_groups *groups, const size_t *items)
{
    int64_t shared = 0;

    for (size_t i = 0; i < it->data.count; i++) {
        size_t values = 0;
        for (size_t v = 0; v < groups->count && values < 2; v++)
            values += measure_bits_has(groups->values[v].bits, items[i]);
        shared += values > 1;
    }
    if (shared > 0)
        add_note(it, arena_format(it->arena,
                                  "%lld item%s in several clusters %s in the first.",
                                  (long long)shared, shared == 1 ? "" : "s",
                                  shared == 1 ? "is" : "are"));
}

static bool set_clusters(struct regression *it, enum study_cluster by, size_t group,
                         const size_t *items)
{
    size_t n = it->data.count;
    int64_t *keys = arena_array(it->arena, int64_t, n + 1);
    struct regression_key *sorted = arena_array(it->arena, struct regression_key, n + 1);
    size_t *clusters = arena_array(it->arena, size_t, n + 1);
    int64_t alone = 0;

    if (!cluster_keys(it, by, group, items, keys))
        return false;
    for (size_t i = 0; i < n; i++)
        sorted[i] = (struct regression_key){keys[i], i};
    qsort(sorted, n, sizeof *sorted, by_key);
    for (size_t i = 0; i < n; i++) {
        it->data.cluster_count +=
            i == 0 || sorted[i].key != sorted[i - 1].key || sorted[i].key == ITEM_NONE;
        clusters[sorted[i].index] = it->data.cluster_count - 1;
        alone += sorted[i].key == ITEM_NONE;
    }
    if (alone > 0)
        add_note(it, arena_format(it->arena, "%lld item%s %s %s own.", (long long)alone,
                                  alone == 1 ? "" : "s",
                                  by == STUDY_BY_ASKER ? "whose asker is not known"
                                                       : "in none of the clusters",
                                  alone == 1 ? "is a cluster of its"
                                             : "are clusters of their"));
    it->data.cluster = clusters;
    if (by == STUDY_BY_GROUP)
        add_clusters_shared(it, &it->inputs->groups[group], items);
    return true;
}

/* Items that lack nothing. Columns of values that none of these has are taken away, for
 * nothing could be said of them, nor of the others beside them. */
static bool drop_empty_values(struct regression *it)
{
    struct measure_bits items = it->items;

    it->cases = measure_bits_make(items.count, it->arena);
    MEASURE_BITS_EACH (item, items) {
        double y;
        bool happened, whole = outcome_of(it, item, &y, &happened);
        for (size_t c = 0; c < it->count && whole; c++)
            whole = isfinite(value_of(it, &it->columns[c], item));
        if (whole)
            measure_bits_set(it->cases, item);
    }
    it->count = it->note_count = 0;
    it->unlogged = 0;
    for (size_t t = 0; t < it->study->term_count; t++)
        if (!add_term(it, &it->study->terms[t]))
            return false;
    it->items = items;
    return true;
}

/* The cases, and those left out. */
static bool collect(struct regression *it, int64_t *left_out)
{
    size_t room = (size_t)measure_bits_count(it->inputs->items) + 1;
    double *x = arena_array(it->arena, double, room * it->count + 1);
    double *y = arena_array(it->arena, double, room);
    bool *happened = arena_array(it->arena, bool, room);
    size_t *items = arena_array(it->arena, size_t, room), n = 0;
    size_t *groups = arena_array(it->arena, size_t, it->count + 1);
    enum study_cluster random = it->study->random, errors = it->study->errors;

    MEASURE_BITS_EACH (item, it->items) {
        bool whole = outcome_of(it, item, &y[n], &happened[n]);
        for (size_t c = 0; c < it->count && whole; c++) {
            x[n * it->count + c] = value_of(it, &it->columns[c], item);
            whole = isfinite(x[n * it->count + c]);
        }
        items[n] = item;
        n += whole;
    }
    *left_out = (int64_t)(room - 1 - n);
    it->data.kind = it->study->model == STUDY_LOGISTIC ? STATS_LOGISTIC
                    : it->study->model == STUDY_COX    ? STATS_COX
                                                       : STATS_COUNTS;
    it->data.count = n;
    it->data.width = it->count;
    for (size_t c = 0; c < it->count; c++)
        groups[c] = it->columns[c].group;
    it->data.group = groups;
    it->cases_at = items;
    it->data.x = x;
    it->data.y = y;
    it->data.happened = happened;
    it->data.level = 1 - it->study->level;
    it->data.random = random != STUDY_UNCLUSTERED;
    it->data.errors = errors == STUDY_UNCLUSTERED ? STATS_ERRORS_PLAIN
                      : errors == STUDY_ROBUST    ? STATS_ERRORS_ROBUST
                                                  : STATS_ERRORS_CLUSTERED;
    if (it->data.random)
        return set_clusters(it, random, it->study->random_group, items);
    return it->data.errors != STATS_ERRORS_CLUSTERED ||
           set_clusters(it, errors, it->study->errors_group, items);
}

/* Tables. */

/* On the scale of a standard error, whatever the number of columns. */
static double comparable_vif(const struct stats_regression_term *term)
{
    return pow(term->vif, 1 / (2 * (double)term->vif_df));
}

/* Decimals with which the narrowest of these has two digits, within bounds: they are
 * those of all rows. */
static int digits_for(double narrowest, int least, int most)
{
    int digits =
        narrowest > 0 && isfinite(narrowest) ? 1 - (int)floor(log10(narrowest)) : least;

    return digits < least ? least : digits > most ? most : digits;
}

static void add_terms(const struct regression *it, const struct stats_regression *found,
                      const char *undefined, struct result_table *out)
{
    static const char *const ratios[] = {[STATS_LOGISTIC] = "odds ratio",
                                         [STATS_COUNTS] = "rate ratio",
                                         [STATS_COX] = "hazard ratio"};
    bool cox = it->data.kind == STATS_COX;
    enum { BASIC = 6 };
    double narrowest = INFINITY, least_error = INFINITY;
    for (size_t c = 0; c < it->count; c++) {
        const struct stats_regression_term *term = &found->terms[c];
        narrowest = fmin(narrowest, exp(term->high) - exp(term->low));
        least_error = fmin(least_error, term->std_error);
    }
    struct result_column columns[BASIC + 2] = {
        {.type = RESULT_REAL,
         .digits = digits_for(narrowest, 2, 3),
         .name = str_from(ratios[it->data.kind]),
         .interval = true},
        {.type = RESULT_REAL,
         .digits = digits_for(least_error, 3, 5),
         .name = STR("coefficient")},
        {.type = RESULT_REAL,
         .digits = digits_for(least_error, 3, 5),
         .name = STR("standard error")},
        {.type = RESULT_REAL, .digits = 2, .name = STR("z")},
        {.type = RESULT_P, .digits = 4, .name = STR("p")},
        {.type = RESULT_REAL, .digits = 1, .name = STR("VIF")}};
    size_t count = BASIC, generalised = 0, proportional = 0;

    for (size_t c = 0; c < it->count && generalised == 0; c++)
        generalised = found->terms[c].vif_df > 1 ? count : 0;
    if (generalised > 0)
        columns[count++] = (struct result_column){
            .type = RESULT_REAL, .digits = 2, .name = STR("VIF^(1/2df)")};
    if (cox && !(found->frailty > 0)) {
        proportional = count;
        columns[count++] = (struct result_column){
            .type = RESULT_P, .digits = 4, .name = STR("proportional p")};
    }
    *out = result_from("terms", "term", columns, count, it->arena);
    for (size_t c = 0; c < it->count; c++) {
        const struct stats_regression_term *term = &found->terms[c];
        struct result_cell *cells =
            result_add_row(out, it->columns[c].name, RESULT_NONE, it->arena);
        cells[0] = result_estimate(exp(term->estimate), exp(term->low), exp(term->high));
        cells[1] = result_number(term->estimate);
        cells[2] = result_number(term->std_error);
        cells[3] = result_number(term->z);
        cells[4] = result_number(term->p);
        cells[5] = result_number(term->vif);
        if (generalised > 0)
            cells[generalised] = result_number(comparable_vif(term));
        if (proportional > 0)
            cells[proportional] = result_number(term->ph_p);
        for (size_t i = 0; i < count && undefined != NULL; i++) {
            cells[i] = result_number(NAN);
            cells[i].undefined = undefined;
        }
        cells[0].n = (int64_t)it->data.count;
    }
    result_set_confidence(out, it->data.level, it->arena);
}

static void add_value(struct result_table *table, const char *name, double value,
                      struct arena *arena)
{
    if (!isnan(value))
        result_add_row(table, str_from(name), RESULT_NONE, arena)[0] =
            result_number(value);
}

/* Six digits, and four decimals of what is large: a small p is not 0. */
static void add_number(struct result_table *table, const char *name, double value,
                       struct arena *arena)
{
    char text[64];

    snprintf(text, sizeof text,
             fabs(value) >= 100 && fabs(value) < 1e15 ? "%.4f" : "%.6g", value);
    (void)!str_to_real(str_from(text), &value);
    add_value(table, name, value, arena);
}

/* "accepted" of "share accepted". */
static struct str condition_of(const struct regression *it)
{
    struct str on = it->study->on_text;
    struct str share = STR("share ");

    return str_starts(on, share) ? str_trim(str_slice(on, share.len, on.len)) : on;
}

static int64_t count_met(const struct regression *it)
{
    int64_t met = 0;

    for (size_t i = 0; i < it->data.count; i++)
        met += it->data.y[i] > 0;
    return met;
}

/* Whether all values of a group matter together; the likelihood ratio of all terms is
 * right for the model's own errors alone. */
static void add_tests(const struct regression *it, const struct stats_regression *found,
                      struct result_table *out)
{
    struct arena *arena = it->arena;
    bool plain = it->data.errors == STATS_ERRORS_PLAIN && !it->data.random;

    if (plain) {
        add_number(out, "likelihood ratio chi-square", found->chi_square, arena);
        add_number(out, "likelihood ratio p", found->p, arena);
    } else {
        add_number(out, "Wald chi-square", found->wald, arena);
        add_number(out, "Wald p", found->wald_p, arena);
    }
    add_value(out, "degrees of freedom", isnan(found->wald) ? NAN : found->df, arena);
    for (size_t c = 0; c < it->count; c++) {
        size_t group = it->columns[c].group;
        struct str name = it->study->terms[group].text;
        if (found->terms[c].vif_df < 2 || (c > 0 && it->columns[c - 1].group == group))
            continue;
        add_number(out, arena_format(arena, "Wald chi-square of %.*s", STR_ARG(name)).ptr,
                   found->terms[c].group_chi_square, arena);
        add_number(out, arena_format(arena, "Wald p of %.*s", STR_ARG(name)).ptr,
                   found->terms[c].group_p, arena);
    }
}

static void add_fit(const struct regression *it, const struct stats_regression *found,
                    int64_t left_out, struct result_table *out)
{
    static const struct result_column columns[] = {
        {.type = RESULT_REAL, .digits = -1, .name = STR_INIT("value")}};
    struct arena *arena = it->arena;
    size_t width = it->count > 0 ? it->count : 1;

    *out = result_from("fit", "", columns, 1, arena);
    add_value(out, "items", (double)it->data.count, arena);
    add_value(out, "left out", (double)left_out, arena);
    if (it->data.kind == STATS_LOGISTIC)
        add_value(out, arena_format(arena, "items %.*s", STR_ARG(condition_of(it))).ptr,
                  (double)count_met(it), arena);
    add_value(out,
              it->data.kind == STATS_LOGISTIC ? "rarer outcome"
              : it->data.kind == STATS_COX    ? "events"
                                              : "items above 0",
              (double)found->events, arena);
    add_value(out, "events per variable",
              measure_quantity_round((double)found->events / (double)width, 1), arena);
    if (it->data.cluster != NULL)
        add_value(out, "clusters", (double)it->data.cluster_count, arena);
    if (it->data.kind != STATS_COX && found->undefined == NULL) {
        add_number(out, "intercept", found->terms[it->count].estimate, arena);
        add_number(out, "intercept's standard error", found->terms[it->count].std_error,
                   arena);
    }
    add_number(out, "log likelihood", found->log_likelihood, arena);
    add_number(out, "AIC", found->aic, arena);
    if (found->undefined == NULL)
        add_tests(it, found, out);
    add_number(out, "McFadden's pseudo R2",
               it->data.random ? NAN
                               : 1 - found->log_likelihood / found->null_log_likelihood,
               arena);
    add_number(out, "area under ROC", found->concordance, arena);
    add_number(out, "dispersion", found->dispersion, arena);
    if (isfinite(found->theta))
        add_number(out, "theta", found->theta, arena);
    add_number(out, "deviation of intercepts", found->deviation, arena);
    add_number(out, "variance of frailties", found->frailty, arena);
    add_number(out,
               it->data.kind == STATS_COX ? "frailties chi-square"
                                          : "intercepts chi-square",
               found->random_chi_square, arena);
    add_number(out, it->data.kind == STATS_COX ? "frailties p" : "intercepts p",
               found->random_p, arena);
    add_number(out, "proportional hazards p", found->ph_p, arena);
}

/* "Logistic regression of share accepted: 400 items, 120 of them accepted; standard
 * errors clustered by asker (97 clusters)." */
static struct str describe(const struct regression *it)
{
    static const char *const models[] = {[STATS_LOGISTIC] = "Logistic",
                                         [STATS_COUNTS] = "Negative binomial",
                                         [STATS_COX] = "Cox"};
    static const char *const errors[] = {
        [STATS_ERRORS_PLAIN] = "standard errors by the model",
        [STATS_ERRORS_ROBUST] = "robust standard errors",
        [STATS_ERRORS_CLUSTERED] = "standard errors clustered"};
    const struct study_regression *study = it->study;
    struct buf out = {0};
    int64_t happened = 0;

    for (size_t i = 0; i < it->data.count && it->data.kind == STATS_COX; i++)
        happened += it->data.happened[i];
    buf_add_format(&out, "%s regression of %.*s: %zu item%s", models[it->data.kind],
                   STR_ARG(study->on_text), it->data.count,
                   str_plural((int64_t)it->data.count));
    if (it->data.kind == STATS_LOGISTIC)
        buf_add_format(&out, ", %lld of them %.*s", (long long)count_met(it),
                       STR_ARG(condition_of(it)));
    else if (it->data.kind == STATS_COX)
        buf_add_format(&out, ", %lld of which no longer wait", (long long)happened);
    buf_add_format(&out, "; %s",
                   !it->data.random             ? errors[it->data.errors]
                   : it->data.kind == STATS_COX ? "gamma frailties"
                                                : "random intercepts");
    if (it->data.cluster != NULL)
        buf_add_format(&out, " by %.*s (%zu cluster%s)",
                       STR_ARG(it->data.random ? study->random_text : study->errors_text),
                       it->data.cluster_count,
                       str_plural((int64_t)it->data.cluster_count));
    buf_add_char(&out, '.');
    return buf_keep(&out, it->arena);
}

/* Of a quantity of which one more says next to nothing, such as a view; not of one whose
 * interval is narrow although it says much. */
static void add_many(struct regression *it, struct str name,
                     const struct stats_regression_term *term)
{
    double many = 1;

    while (exp(many * term->high) - exp(many * term->low) < 0.01 &&
           fabs(many * term->estimate) < 0.1 && many < 1e12)
        many *= 10;
    if (many > 1)
        add_note(it, arena_format(it->arena,
                                  "%.*s: the ratio for %.0f more is %.3f [%.3f, %.3f].",
                                  STR_ARG(name), many, exp(many * term->estimate),
                                  exp(many * term->low), exp(many * term->high)));
}

/* Cases that are in a column or, of a term's columns, in none of them. */
struct regression_part {
    struct str name;
    size_t column, first, last; /* from first to before last, where column is last */
};

/* Where all cases of a part have the same outcome nothing can be estimated; of a
 * reference that shows in all other values of its group. */
static void add_uniform(struct regression *it, struct regression_part part)
{
    int64_t cases = 0, met = 0;

    for (size_t i = 0; i < it->data.count; i++) {
        const double *row = it->data.x + i * it->count;
        bool in = part.column < part.last ? row[part.column] != 0 : true;
        for (size_t c = part.first; c < part.last && part.column == part.last; c++)
            in = in && row[c] == 0;
        cases += in;
        met +=
            in && (it->data.kind == STATS_COX ? it->data.happened[i] : it->data.y[i] > 0);
    }
    if (cases > 0 && (met == 0 || (met == cases && it->data.kind == STATS_LOGISTIC)))
        add_note(it, arena_format(it->arena,
                                  "%.*s: %lld item%s, %s; join it with others or leave "
                                  "it out.",
                                  STR_ARG(part.name), (long long)cases, str_plural(cases),
                                  it->data.kind == STATS_COX      ? "which all still wait"
                                  : it->data.kind == STATS_COUNTS ? "all of 0"
                                                                  : "with one outcome"));
}

static void add_uniform_parts(struct regression *it)
{
    for (size_t first = 0, last; first < it->count; first = last) {
        const struct regression_column *column = &it->columns[first];
        for (last = first + 1;
             last < it->count && it->columns[last].group == column->group;)
            last++;
        if (!column->is_bits)
            continue;
        for (size_t c = first; c < last; c++)
            add_uniform(it,
                        (struct regression_part){it->columns[c].name, c, first, last});
        struct str text = it->study->terms[column->group].text;
        struct str reference = it->references[column->group];
        add_uniform(it, (struct regression_part){
                            reference.len > 0
                                ? arena_format(it->arena, "%.*s: %.*s", STR_ARG(text),
                                               STR_ARG(reference))
                                : arena_format(it->arena, "not %.*s", STR_ARG(text)),
                            last, first, last});
    }
}

/* What a reader must know to trust it. */
static void add_doubts(struct regression *it, const struct stats_regression *found,
                       int64_t left_out)
{
    double per = (double)found->events / (double)(it->count > 0 ? it->count : 1);
    bool plain = it->data.errors == STATS_ERRORS_PLAIN;

    if (it->unlogged > 0)
        add_note(it, arena_format(it->arena,
                                  "%lld item%s left out for %.*s: -1 and what is below "
                                  "has no such logarithm.",
                                  (long long)it->unlogged,
                                  it->unlogged == 1 ? " is" : "s are",
                                  STR_ARG(it->unlogged_name)));
    left_out -= it->unlogged;
    if (left_out > 0)
        add_note(it,
                 arena_format(it->arena,
                              "%lld item%s left out that lack%s an outcome, a value or "
                              "a group.",
                              (long long)left_out, left_out == 1 ? " is" : "s are",
                              left_out == 1 ? "s" : ""));
    if (found->undefined != NULL) {
        add_uniform_parts(it);
        return;
    }
    if (per < 10)
        add_note(it, arena_format(it->arena,
                                  "Only %.1f events for each variable: below 10, "
                                  "coefficients are unsteady (Peduzzi et al. 1996).",
                                  per));
    for (size_t c = 0; c < it->count; c++)
        if (!it->columns[c].is_bits)
            add_many(it, it->columns[c].name, &found->terms[c]);
    for (size_t c = 0; c < it->count; c++) {
        const struct regression_column *column = &it->columns[c];
        bool whole = found->terms[c].vif_df > 1;
        if (whole && c > 0 && it->columns[c - 1].group == column->group)
            continue; /* told of the whole group */
        if (comparable_vif(&found->terms[c]) > sqrt(5))
            add_note(it, arena_format(it->arena,
                                      "%.*s is much like other columns (%sVIF %.1f): its "
                                      "effect can hardly be told from theirs.",
                                      STR_ARG(whole ? it->study->terms[column->group].text
                                                    : column->name),
                                      whole ? "generalised " : "", found->terms[c].vif));
    }
    if (found->dispersion < 0.5 && it->data.kind == STATS_COUNTS)
        add_note(it, arena_format(it->arena,
                                  "Residuals are less spread out than the model says "
                                  "(dispersion %.1f)%s.",
                                  found->dispersion,
                                  plain ? ", so that its standard errors are too large; "
                                          "`errors: robust` allows for it"
                                        : ""));
    if (found->dispersion > 1.5 && it->data.kind == STATS_COUNTS)
        add_note(it, arena_format(it->arena,
                                  "Residuals are more spread out than the model says "
                                  "(dispersion %.1f)%s.",
                                  found->dispersion,
                                  plain ? "; `errors: robust` allows for it" : ""));
    if (it->data.kind == STATS_COUNTS && isinf(found->theta))
        add_note(it, found->deviation > 0
                         ? STR("Within clusters counts are not more spread out than "
                               "Poisson's: this is Poisson's regression.")
                         : STR("Counts are not more spread out than Poisson's: this is "
                               "Poisson's regression."));
    if (found->frailty > 0)
        add_note(it, STR("Hazard ratios are those within clusters, of equal frailty "
                         "(gamma distributed); standard errors take the variance of "
                         "frailties for known."));
    if (found->deviation == 0 || found->frailty == 0)
        add_note(it, STR("Clusters do not differ more than by chance: this is the model "
                         "without random intercepts."));
    if (found->ph_p < 0.05)
        add_note(it, STR("Hazards are not in proportion over time (score test, p < .05): "
                         "a ratio is an average over it."));
    if (it->data.cluster != NULL && it->data.cluster_count < 30 && !it->data.random)
        add_note(it,
                 arena_format(it->arena,
                              "Only %zu clusters: clustered errors are too small with "
                              "few of them.",
                              it->data.cluster_count));
    if (it->data.random && it->data.cluster_count < 5)
        add_note(it, arena_format(it->arena,
                                  "Only %zu clusters: how far they are apart is hardly "
                                  "known.",
                                  it->data.cluster_count));
}

static struct str *names_of(const struct regression *it)
{
    struct str *names = arena_array(it->arena, struct str, it->count + 1);

    for (size_t c = 0; c < it->count; c++)
        names[c] = it->columns[c].name;
    return names;
}

bool measure_regression(const struct study_regression *study,
                        const struct measure_regression_inputs *inputs,
                        struct arena *arena, struct measure_regression *out,
                        struct err *err)
{
    struct regression it = {.study = study,
                            .inputs = inputs,
                            .arena = arena,
                            .items = inputs->items,
                            .cases = inputs->items,
                            .err = err};
    int64_t left_out = 0;
    size_t room = 1;

    *out = (struct measure_regression){.wrong = "against"};
    for (size_t t = 0; t < study->term_count; t++)
        room += study->terms[t].group != STUDY_NONE
                    ? inputs->groups[study->terms[t].group].count
                    : 1;
    it.columns = arena_array(arena, struct regression_column, room);
    it.notes = arena_array(arena, struct str, 4 * room + 15);
    it.references = arena_array(arena, struct str, study->term_count + 1);
    if (!check_against(&it))
        return false;
    out->wrong = "with";
    for (size_t t = 0; t < study->term_count; t++)
        if (!add_term(&it, &study->terms[t]))
            return false;
    out->wrong = "on";
    if (!open_outcome(&it))
        return false;
    out->wrong = "with";
    if (!drop_empty_values(&it))
        return false;
    out->wrong = it.study->random != STUDY_UNCLUSTERED ? "random" : "errors";
    if (!collect(&it, &left_out))
        return false;
    struct stats_regression found = stats_regression(&it.data, arena);
    if (found.undefined != NULL)
        out->undefined =
            found.column < it.count
                ? arena_format(arena, "%.*s: %s", STR_ARG(it.columns[found.column].name),
                               found.undefined)
                : str_from(found.undefined);
    add_doubts(&it, &found, left_out);
    add_terms(&it, &found, out->undefined.len > 0 ? out->undefined.ptr : NULL,
              &out->terms);
    add_fit(&it, &found, left_out, &out->fit);
    result_add_note(&out->terms, describe(&it), arena);
    if (out->undefined.len > 0)
        result_add_note(&out->terms,
                        arena_format(arena, "Undefined: %.*s.", STR_ARG(out->undefined)),
                        arena);
    for (size_t i = 0; i < it.note_count; i++)
        result_add_note(&out->terms, it.notes[i], arena);
    out->count = (int64_t)it.data.count;
    out->data = it.data;
    out->items = it.cases_at;
    out->names = names_of(&it);
    return true;
}
