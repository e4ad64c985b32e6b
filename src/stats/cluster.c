/* Sums have a fixed order, so that the same vectors give the same bits on any number of
 * threads. */
#include "stats/cluster.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/order.h"
#include "base/rng.h"
#include "base/stop.h"

double stats_dot(const float *a, const float *b, size_t dimensions)
{
    /* Eight sums that do not wait for each other. */
    float sums[8] = {0};
    size_t k = 0;
    double rest = 0;

    for (; k + 8 <= dimensions; k += 8)
        for (size_t j = 0; j < 8; j++)
            sums[j] += a[k + j] * b[k + j];
    for (; k < dimensions; k++)
        rest += (double)a[k] * (double)b[k];
    for (size_t j = 0; j < 8; j++)
        rest += (double)sums[j];
    return rest;
}

bool stats_unit(const float *vector, size_t dimensions, float *out)
{
    double squares = 0;

    for (size_t k = 0; k < dimensions; k++)
        squares += (double)vector[k] * (double)vector[k];
    double scale = squares > 0 ? 1 / sqrt(squares) : 0;
    for (size_t k = 0; k < dimensions; k++)
        out[k] = (float)((double)vector[k] * scale);
    return squares > 0;
}

static const float *row_at(const struct stats_cluster_rows *rows, size_t row)
{
    return rows->at + row * rows->dimensions;
}

static double squared(const struct stats_cluster_rows *rows, size_t row,
                      const double *centre)
{
    const float *at = row_at(rows, row);
    double sum = 0;

    for (size_t k = 0; k < rows->dimensions; k++)
        sum += ((double)at[k] - centre[k]) * ((double)at[k] - centre[k]);
    return sum;
}

static void take_centre(const struct stats_cluster_rows *rows, size_t row, double *centre)
{
    for (size_t k = 0; k < rows->dimensions; k++)
        centre[k] = (double)row_at(rows, row)[k];
}

/* Each further centre is drawn in proportion to the squared distance from the nearest
 * one; fewer are drawn when no row is left that is none. */
static size_t draw_centres(const struct stats_cluster_rows *rows, size_t clusters,
                           uint64_t seed, double *centres, struct arena *arena)
{
    struct rng rng = rng_stream(seed, 11, 0);
    double *nearest = arena_array(arena, double, rows->count + 1);
    size_t drawn = 0;

    while (drawn < clusters && drawn < rows->count) {
        double all = 0;
        for (size_t i = 0; i < rows->count; i++) {
            double here = drawn > 0
                              ? squared(rows, i, centres + (drawn - 1) * rows->dimensions)
                              : 1;
            nearest[i] = drawn > 1 ? fmin(nearest[i], here) : here;
            all += nearest[i];
        }
        if (all <= 0)
            break;
        take_centre(rows, rng_weighted(&rng, nearest, rows->count),
                    centres + drawn++ * rows->dimensions);
    }
    return drawn;
}

/* Whether any row has moved. */
static bool assign(const struct stats_cluster_rows *rows, const double *centres,
                   size_t clusters, struct stats_clusters *out, double *far)
{
    bool moved = false;

    out->within = 0;
    for (size_t i = 0; i < rows->count; i++) {
        size_t best = 0;
        double least = INFINITY;
        for (size_t c = 0; c < clusters; c++) {
            double here = squared(rows, i, centres + c * rows->dimensions);
            if (here < least) {
                least = here;
                best = c;
            }
        }
        moved = moved || out->of[i] != best;
        out->of[i] = best;
        far[i] = least;
        out->within += least;
    }
    return moved;
}

static void move_centres(const struct stats_cluster_rows *rows, size_t clusters,
                         const size_t *of, double *far, double *centres, size_t *sizes)
{
    size_t wide = rows->dimensions;

    memset(centres, 0, clusters * wide * sizeof *centres);
    memset(sizes, 0, clusters * sizeof *sizes);
    for (size_t i = 0; i < rows->count; i++) {
        sizes[of[i]]++;
        for (size_t k = 0; k < wide; k++)
            centres[of[i] * wide + k] += (double)row_at(rows, i)[k];
    }
    for (size_t c = 0; c < clusters; c++) {
        if (sizes[c] == 0) {
            size_t farthest = 0;
            for (size_t i = 1; i < rows->count; i++)
                if (far[i] > far[farthest])
                    farthest = i;
            far[farthest] = 0;
            take_centre(rows, farthest, centres + c * wide);
            continue;
        }
        for (size_t k = 0; k < wide; k++)
            centres[c * wide + k] /= (double)sizes[c];
    }
}

struct cluster_size {
    size_t rows, first, number;
};

static int by_size(const void *left, const void *right)
{
    const struct cluster_size *a = left, *b = right;

    return order_then(ORDER_BY(b->rows, a->rows), ORDER_BY(a->first, b->first));
}

/* Numbers clusters anew; those without rows are gone. */
static void number_anew(size_t rows, struct stats_clusters *out, struct arena *arena)
{
    struct cluster_size *sizes = arena_array(arena, struct cluster_size, out->count + 1);
    size_t *to = arena_array(arena, size_t, out->count + 1), used = 0;

    for (size_t c = 0; c < out->count; c++)
        sizes[c].number = c;
    for (size_t i = rows; i-- > 0;)
        if (out->of[i] != STATS_CLUSTER_NONE) {
            sizes[out->of[i]].rows++;
            sizes[out->of[i]].first = i;
        }
    qsort(sizes, out->count, sizeof *sizes, by_size);
    for (size_t c = 0; c < out->count; c++) {
        to[sizes[c].number] = c;
        used += sizes[c].rows > 0;
    }
    for (size_t i = 0; i < rows; i++)
        if (out->of[i] != STATS_CLUSTER_NONE)
            out->of[i] = to[out->of[i]];
    out->count = used;
}

struct stats_clusters stats_cluster_means(struct stats_cluster_rows rows, size_t clusters,
                                          uint64_t seed, struct arena *arena)
{
    enum { ROUNDS = 300 };
    double *centres = arena_array(arena, double, clusters *rows.dimensions + 1);
    double *far = arena_array(arena, double, rows.count + 1);
    struct stats_clusters out = {.of = arena_array(arena, size_t, rows.count + 1)};

    out.count = draw_centres(&rows, clusters, seed, centres, arena);
    size_t *sizes = arena_array(arena, size_t, out.count + 1);
    for (size_t i = 0; i < rows.count; i++)
        out.of[i] = STATS_CLUSTER_NONE;
    for (int round = 0;
         round < ROUNDS && out.count > 0 && assign(&rows, centres, out.count, &out, far);
         round++)
        move_centres(&rows, out.count, out.of, far, centres, sizes);
    number_anew(rows.count, &out, arena);
    return out;
}

static bool is_near(const struct stats_cluster_rows *rows, size_t a, size_t b,
                    double radius)
{
    return a == b ||
           1 - stats_dot(row_at(rows, a), row_at(rows, b), rows->dimensions) <= radius;
}

struct stats_clusters stats_cluster_density(struct stats_cluster_rows rows, double radius,
                                            size_t least, struct arena *arena)
{
    struct stats_clusters out = {.of = arena_array(arena, size_t, rows.count + 1)};
    size_t *near = arena_array(arena, size_t, rows.count + 1), waiting = 0;
    size_t *queue = arena_array(arena, size_t, rows.count + 1);

    for (size_t i = 0; i < rows.count && !stop_requested(); i++) {
        out.of[i] = STATS_CLUSTER_NONE;
        near[i]++;
        for (size_t j = 0; j < i; j++)
            if (is_near(&rows, i, j, radius)) {
                near[i]++;
                near[j]++;
            }
    }
    for (size_t i = 0; i < rows.count && !stop_requested(); i++) {
        if (near[i] < least || out.of[i] != STATS_CLUSTER_NONE)
            continue;
        out.of[i] = out.count;
        queue[waiting++] = i;
        while (waiting > 0 && !stop_requested()) {
            size_t from = queue[--waiting];
            for (size_t j = 0; j < rows.count; j++)
                if (out.of[j] == STATS_CLUSTER_NONE && is_near(&rows, from, j, radius)) {
                    out.of[j] = out.count;
                    if (near[j] >= least)
                        queue[waiting++] = j;
                }
        }
        out.count++;
    }
    if (!stop_requested())
        number_anew(rows.count, &out, arena);
    return out;
}

static int by_value(const void *left, const void *right)
{
    return ORDER_BY(*(const double *)left, *(const double *)right);
}

double stats_cluster_radius(struct stats_cluster_rows rows, size_t least,
                            struct arena *arena)
{
    double *all = arena_array(arena, double, rows.count + 1);
    double *here = arena_array(arena, double, rows.count + 1);

    if (rows.count == 0 || least > rows.count)
        return NAN;
    for (size_t i = 0; i < rows.count && !stop_requested(); i++) {
        for (size_t j = 0; j < rows.count; j++)
            here[j] = i == j ? 0
                             : fmax(0, 1 - stats_dot(row_at(&rows, i), row_at(&rows, j),
                                                     rows.dimensions));
        qsort(here, rows.count, sizeof *here, by_value);
        all[i] = here[least - 1];
    }
    qsort(all, rows.count, sizeof *all, by_value);
    return rows.count % 2 ? all[rows.count / 2]
                          : (all[rows.count / 2 - 1] + all[rows.count / 2]) / 2;
}
