/* Everything is a projection off an orthonormal basis of the line, the season and steps:
 * what a further step at any place takes from the sum of squares is then known from sums
 * that run from the end of the series. */
#include "stats/changes.h"

#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "stats/distribution.h"

enum { STEPS_MAX = 30, ROUNDS_MAX = 8, SIMULATIONS = 40 };
static const double relations[] = {0, .2, .4, .6, .8};

struct steps {
    size_t at[STEPS_MAX + 2];
    size_t count;
};

/* Columns of length 1, each at right angles to the others; value after value. */
struct basis {
    double *at;
    size_t count, room;
};

struct change_search {
    const struct stats_changes_search *how;
    const double *series;
    size_t count;
    struct basis line; /* constant, line and season */
    struct basis all;  /* the same, and steps */
    double *left, *column, *sums;
    uint64_t streams; /* of random numbers that are used */
};

/* Sums of a column times those of the basis. */
static void multiply(const struct change_search *it, const struct basis *basis,
                     const double *column, double *sums)
{
    memset(sums, 0, basis->count * sizeof *sums);
    for (size_t i = 0; i < it->count; i++)
        for (size_t j = 0; j < basis->count; j++)
            sums[j] += basis->at[i * basis->room + j] * column[i];
}

/* What the basis leaves of a column. */
static void take_off(struct change_search *it, const struct basis *basis, double *column)
{
    multiply(it, basis, column, it->sums);
    for (size_t i = 0; i < it->count; i++)
        for (size_t j = 0; j < basis->count; j++)
            column[i] -= it->sums[j] * basis->at[i * basis->room + j];
}

static double squares(const double *values, size_t count)
{
    double sum = 0;

    for (size_t i = 0; i < count; i++)
        sum += values[i] * values[i];
    return sum;
}

/* Of a series whose largest value is 1: whether what is left is but rounding. */
static bool is_rounding(const struct change_search *it, double left)
{
    return left <= (double)it->count * 1e-20;
}

/* A column that the others tell is left out. */
static void add_column(struct change_search *it, struct basis *basis, double *column)
{
    double all = squares(column, it->count);

    take_off(it, basis, column);
    take_off(it, basis, column); /* what rounding left of it the first time */
    double left = squares(column, it->count);
    if (!(left > 1e-10 * all))
        return;
    for (size_t i = 0; i < it->count; i++)
        basis->at[i * basis->room + basis->count] = column[i] / sqrt(left);
    basis->count++;
}

static void add_step(struct change_search *it, size_t at)
{
    for (size_t i = 0; i < it->count; i++)
        it->column[i] = i >= at;
    add_column(it, &it->all, it->column);
}

/* The basis of the line, the season and all steps but one. */
static void span(struct change_search *it, const struct steps *steps, size_t without)
{
    it->all.count = it->line.count;
    memcpy(it->all.at, it->line.at, it->count * it->line.room * sizeof *it->all.at);
    for (size_t s = 0; s < steps->count; s++)
        if (s != without)
            add_step(it, steps->at[s]);
}

static const size_t none = SIZE_MAX;

/* What the basis leaves of values, and its squares. */
static double leave(struct change_search *it, const double *values)
{
    memcpy(it->left, values, it->count * sizeof *values);
    take_off(it, &it->all, it->left);
    return squares(it->left, it->count);
}

static bool is_free(const struct change_search *it, const struct steps *steps,
                    size_t without, size_t at)
{
    for (size_t s = 0; s < steps->count; s++)
        if (s != without && at + it->how->least > steps->at[s] &&
            at < steps->at[s] + it->how->least)
            return false;
    return true;
}

/* How much a further step takes from the squares that are left, for each place; of the
 * best, which is given back (none: there is no room). */
static size_t scan(struct change_search *it, const struct steps *steps, size_t without,
                   double *best, double *gains)
{
    const struct basis *basis = &it->all;
    size_t least = it->how->least, where = none;
    double after = 0;

    *best = 0;
    memset(it->sums, 0, basis->count * sizeof *it->sums);
    for (size_t i = it->count; i-- > least;) {
        double own = (double)(it->count - i);
        after += it->left[i];
        for (size_t j = 0; j < basis->count; j++) {
            it->sums[j] += basis->at[i * basis->room + j];
            own -= it->sums[j] * it->sums[j];
        }
        if (gains != NULL)
            gains[i] = NAN;
        if (it->count - i < least || own < 1e-6 || !is_free(it, steps, without, i))
            continue;
        double gain = after * after / own;
        if (gains != NULL)
            gains[i] = gain;
        if (where == none || gain > *best) {
            *best = gain;
            where = i;
        }
    }
    return where;
}

/* Each step, from one on, goes where it is best given the others, until none moves. */
static void settle(struct change_search *it, const double *values, struct steps *steps,
                   size_t from)
{
    bool moved = true;
    double gain;

    for (int round = 0; moved && round < ROUNDS_MAX; round++) {
        moved = false;
        for (size_t s = from; s < steps->count; s++) {
            span(it, steps, s);
            leave(it, values);
            size_t at = scan(it, steps, s, &gain, NULL);
            moved |= at != none && at != steps->at[s];
            if (at != none)
                steps->at[s] = at;
        }
    }
}

/* What further steps would do. */
struct further {
    struct steps one, two; /* with the best step, and with the best two if that is
                              better; the same as before: there is no room */
    double single;         /* what one takes over what it leaves */
    double height;         /* the better of both, less a penalty for each step */
};

static double ratio(double gain, double all)
{
    return gain / fmax(all - gain, 1e-12 * all + 1e-300);
}

static struct further go_further(struct change_search *it, const double *values,
                                 const struct steps *steps, bool pairs)
{
    struct further out = {*steps, *steps, 0, 0};
    double n = (double)it->count, penalty = 2 * log(n), gain;

    span(it, steps, none);
    double all = leave(it, values);
    size_t at = scan(it, steps, none, &gain, NULL);
    if (at == none || all <= 0 || steps->count == STEPS_MAX)
        return out;
    out.one.at[out.one.count++] = at;
    out.two = out.one;
    out.single = ratio(gain, all);
    out.height = n * log1p(out.single) - penalty;
    if (!pairs)
        return out;
    add_step(it, at);
    leave(it, values);
    at = scan(it, &out.two, none, &gain, NULL);
    if (at == none)
        return out;
    out.two.at[out.two.count++] = at;
    settle(it, values, &out.two, steps->count);
    span(it, &out.two, none);
    double height = n * log1p(ratio(all - leave(it, values), all)) - 2 * penalty;
    if (height > out.height)
        out.height = height;
    else
        out.two = out.one;
    return out;
}

/* The correlation of neighbours in what steps leave. */
static double relation_left(struct change_search *it, const double *values,
                            const struct steps *steps)
{
    double both = 0;

    span(it, steps, none);
    double all = leave(it, values);
    for (size_t i = 1; i < it->count; i++)
        both += it->left[i] * it->left[i - 1];
    return is_rounding(it, all) ? 0 : both / all;
}

/* Noise of which each value is so much of the one before it. */
static void simulate(struct rng *rng, double relation, double *out, size_t count)
{
    for (size_t i = 0; i < count; i++)
        out[i] = i == 0 ? rng_normal(rng) / sqrt(1 - relation * relation)
                        : relation * out[i - 1] + rng_normal(rng);
}

/* With which coefficient noise is related as much as what is left, when it is fitted in
 * the same way. */
static double find_relation(struct change_search *it, const struct steps *steps,
                            bool pairs, double seen, struct arena *arena)
{
    double *noise = arena_array(arena, double, it->count), of[ROWS_OF(relations)];
    double more = 0.62 / sqrt((double)it->count), found = 0;
    size_t last = ROWS_OF(relations) - 1;

    for (size_t r = 0; r <= last; r++) {
        of[r] = 0;
        for (uint64_t s = 0; s < SIMULATIONS; s++) {
            struct rng rng = rng_stream(it->how->seed, 10, s);
            simulate(&rng, relations[r], noise, it->count);
            struct further next = go_further(it, noise, steps, pairs);
            of[r] += relation_left(it, noise, &next.two) / SIMULATIONS;
        }
    }
    for (size_t r = 0; r < last; r++)
        if (seen > of[r] && of[r + 1] > of[r]) /* beyond the last as between the last */
            found = relations[r] + (seen - of[r]) / (of[r + 1] - of[r]) *
                                       (relations[r + 1] - relations[r]);
    return fmin(found + more, 0.95);
}

/* A series to compare with: what the steps give, and innovations in another order. */
static void resample(struct rng *rng, const double *fitted, const double *innovations,
                     double relation, size_t count, double *out)
{
    memcpy(out, innovations, count * sizeof *out);
    rng_shuffle(rng, out, count, sizeof *out);
    out[0] /= sqrt(1 - relation * relation);
    for (size_t i = 1; i < count; i++)
        out[i] += relation * out[i - 1];
    for (size_t i = 0; i < count; i++)
        out[i] += fitted[i];
}

/* What steps give, and the innovations of what they leave. */
static void part(struct change_search *it, const struct steps *steps, double relation,
                 double *fitted, double *innovations)
{
    span(it, steps, none);
    leave(it, it->series);
    for (size_t i = 0; i < it->count; i++) {
        fitted[i] = it->series[i] - it->left[i];
        innovations[i] = i == 0 ? it->left[0] * sqrt(1 - relation * relation)
                                : it->left[i] - relation * it->left[i - 1];
    }
}

struct verdict {
    struct further further;
    double p, single_p; /* of one or two further steps, and of one */
    double related;
};

static struct verdict test_further(struct change_search *it, const struct steps *steps,
                                   bool pairs, struct arena *arena)
{
    struct arena_mark mark = arena_mark(arena);
    size_t n = it->count, resamples = it->how->resamples;
    double *fitted = arena_array(arena, double, n),
           *drawn = arena_array(arena, double, n);
    double *innovations = arena_array(arena, double, n), reached = 1, single = 1;
    struct verdict out = {.further = go_further(it, it->series, steps, pairs)};
    uint64_t stream = 11 + it->streams++;

    out.related = find_relation(it, steps, pairs,
                                relation_left(it, it->series, &out.further.two), arena);
    part(it, steps, out.related, fitted, innovations);
    for (size_t r = 0; r < resamples; r++) {
        struct rng rng = rng_stream(it->how->seed, stream, r);
        struct steps moved = *steps;
        resample(&rng, fitted, innovations, out.related, n, drawn);
        settle(it, drawn, &moved, 0);
        struct further other = go_further(it, drawn, &moved, pairs);
        reached += other.height >= out.further.height - 1e-9;
        single += other.single >= out.further.single * (1 - 1e-12);
    }
    out.p = reached / ((double)resamples + 1);
    out.single_p = single / ((double)resamples + 1);
    arena_rewind(arena, mark);
    return out;
}

static void remove_step(struct steps *steps, size_t which)
{
    steps->count--;
    memmove(steps->at + which, steps->at + which + 1,
            (steps->count - which) * sizeof *steps->at);
}

static void sort_steps(struct steps *steps)
{
    for (size_t i = 1; i < steps->count; i++)
        for (size_t k = i; k > 0 && steps->at[k] < steps->at[k - 1]; k--) {
            size_t kept = steps->at[k];
            steps->at[k] = steps->at[k - 1];
            steps->at[k - 1] = kept;
        }
}

/* Each given the others; the weakest goes while one does not hold. Gives the p of each,
 * and the largest of what went. */
static double hold_back(struct change_search *it, struct steps *steps, double *p,
                        struct arena *arena)
{
    double gone = 0;

    for (;;) {
        size_t worst = 0;
        for (size_t s = 0; s < steps->count; s++) {
            struct steps others = *steps;
            remove_step(&others, s);
            p[s] = test_further(it, &others, false, arena).single_p;
            worst = p[s] > p[worst] ? s : worst;
        }
        if (steps->count == 0 || p[worst] <= it->how->error)
            return gone;
        gone = fmax(gone, p[worst]);
        remove_step(steps, worst);
        settle(it, it->series, steps, 0);
        sort_steps(steps);
    }
}

/* What a column of the model is worth when the others are there. */
static double coefficient(struct change_search *it, double *column)
{
    double both = 0;

    take_off(it, &it->all, column);
    take_off(it, &it->all, column);
    for (size_t i = 0; i < it->count; i++)
        both += column[i] * it->series[i];
    return both / squares(column, it->count);
}

static void add_phases(struct change_search *it, struct basis *basis)
{
    const struct stats_season *season = &it->how->season;

    for (size_t phase = 1; phase < season->count; phase++) {
        for (size_t i = 0; i < it->count; i++)
            it->column[i] = season->phase[i] == phase;
        add_column(it, basis, it->column);
    }
}

static void add_constant(struct change_search *it, struct basis *basis)
{
    for (size_t i = 0; i < it->count; i++)
        it->column[i] = 1;
    add_column(it, basis, it->column);
}

static double find_slope(struct change_search *it, const struct steps *steps)
{
    it->all.count = 0;
    add_constant(it, &it->all);
    add_phases(it, &it->all);
    for (size_t s = 0; s < steps->count; s++)
        add_step(it, steps->at[s]);
    for (size_t i = 0; i < it->count; i++)
        it->column[i] = (double)i - ((double)it->count - 1) / 2;
    return coefficient(it, it->column);
}

/* How much worse a place of a step is than the best one, which is 0. */
static void compare_places(struct change_search *it, const double *values,
                           const struct steps *steps, size_t which, double *worse)
{
    double best;

    span(it, steps, which);
    double all = leave(it, values);
    scan(it, steps, which, &best, worse);
    for (size_t i = it->how->least; i < it->count; i++)
        worse[i] = log1p(ratio(best, all)) - log1p(ratio(worse[i], all));
}

/* The places that are not worse than the true one is in 95 of 100 resampled series. */
static void find_places(struct change_search *it, const struct steps *steps,
                        double related, struct stats_change *out, struct arena *arena)
{
    size_t n = it->count, resamples = it->how->resamples;
    double *fitted = arena_array(arena, double, n),
           *drawn = arena_array(arena, double, n);
    double *innovations = arena_array(arena, double, n);
    double *worse = arena_array(arena, double, n);
    double *of = arena_array(arena, double, steps->count *resamples + 1);

    part(it, steps, related, fitted, innovations);
    for (size_t r = 0; r < resamples; r++) {
        struct rng rng = rng_stream(it->how->seed, 9, r);
        resample(&rng, fitted, innovations, related, n, drawn);
        for (size_t s = 0; s < steps->count; s++) {
            compare_places(it, drawn, steps, s, worse);
            of[s * resamples + r] = worse[steps->at[s]];
        }
    }
    for (size_t s = 0; s < steps->count; s++) {
        struct stats_values one = {of + s * resamples, resamples};
        double most = stats_quantile(one, 0.95, arena);
        compare_places(it, it->series, steps, s, worse);
        out[s].first = out[s].last = steps->at[s];
        for (size_t i = it->how->least; i < n; i++)
            if (worse[i] <= most) {
                out[s].first = i < out[s].first ? i : out[s].first;
                out[s].last = i > out[s].last ? i : out[s].last;
            }
    }
}

/* Gives the largest value, by which all are divided. */
static double open_search(struct change_search *it, struct stats_values series,
                          struct arena *arena)
{
    size_t room = 2 + it->how->season.count + STEPS_MAX + 2;
    double *values = arena_array(arena, double, it->count), largest = 0;

    for (size_t i = 0; i < it->count; i++)
        largest = fmax(largest, fabs(series.at[i]));
    for (size_t i = 0; i < it->count && largest > 0; i++)
        values[i] = series.at[i] / largest;
    it->series = values;
    it->line.room = it->all.room = room;
    it->line.at = arena_array(arena, double, it->count *room);
    it->all.at = arena_array(arena, double, it->count *room);
    it->left = arena_array(arena, double, it->count);
    it->column = arena_array(arena, double, it->count);
    it->sums = arena_array(arena, double, room);
    add_constant(it, &it->line);
    for (size_t i = 0; i < it->count; i++)
        it->column[i] = (double)i - ((double)it->count - 1) / 2;
    add_column(it, &it->line, it->column);
    add_phases(it, &it->line);
    return largest;
}

/* Steps one after the other; those found are given back with what the first test said. */
static struct steps find_steps(struct change_search *it, struct stats_changes *out,
                               struct arena *arena)
{
    struct steps steps = {{0}, 0};

    out->p = 1;
    for (;;) {
        struct verdict verdict = test_further(it, &steps, true, arena);
        if (steps.count == 0)
            out->p = verdict.p;
        out->related = verdict.related;
        if (verdict.p > it->how->error || verdict.further.one.count == steps.count)
            return steps;
        steps = verdict.single_p <= it->how->error ? verdict.further.one
                                                   : verdict.further.two;
        settle(it, it->series, &steps, 0);
        sort_steps(&steps);
        span(it, &steps, none);
        if (steps.count >= STEPS_MAX - 1 || is_rounding(it, leave(it, it->series)))
            return steps;
    }
}

static const struct stats_changes_search usual = {
    .least = 3, .resamples = 1999, .error = 0.05};

struct stats_changes stats_changes(struct stats_values series,
                                   const struct stats_changes_search *wanted,
                                   struct arena *arena)
{
    struct stats_changes_search filled = *wanted, *how = &filled;
    how->least = how->least > 0 ? how->least : usual.least;
    how->resamples = how->resamples > 0 ? how->resamples : usual.resamples;
    how->error = how->error > 0 ? how->error : usual.error;
    struct stats_changes out = {
        .undefined = stats_series_problem(series, 2 * how->least, how->season),
        .slope = NAN,
        .p = NAN,
        .related = NAN};
    struct change_search it = {.how = how, .count = series.count};
    double p[STEPS_MAX + 2];

    if (out.undefined != NULL)
        return out;
    double largest = open_search(&it, series, arena);
    span(&it, &(struct steps){{0}, 0}, none);
    if (is_rounding(&it, leave(&it, it.series))) {
        out.undefined = how->season.count > 1
                            ? "the values follow a line and a season without a rest, so "
                              "that there is no noise to go by"
                            : "the values lie on a line, so that there is no noise to go "
                              "by";
        return out;
    }
    struct steps steps = find_steps(&it, &out, arena);
    double gone = hold_back(&it, &steps, p, arena);
    if (steps.count == 0)
        out.p = fmax(out.p, gone);
    out.count = steps.count;
    out.slope = largest * find_slope(&it, &steps);
    out.at = arena_array(arena, struct stats_change, steps.count + 1);
    find_places(&it, &steps, out.related, out.at, arena);
    for (size_t s = 0; s < steps.count; s++) {
        span(&it, &steps, s);
        for (size_t i = 0; i < it.count; i++)
            it.column[i] = i >= steps.at[s];
        out.at[s].at = steps.at[s];
        out.at[s].step = largest * coefficient(&it, it.column);
        out.at[s].p = p[s];
    }
    return out;
}
