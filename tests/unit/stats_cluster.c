/* K-means and clusters by density against scikit-learn, on points that lie in clumps. */
#include "stats/cluster.h"

#include "tests/vectors/read.h"

static bool is_same(const struct stats_clusters *got, struct stats_values want)
{
    for (size_t i = 0; i < want.count; i++)
        if (want.at[i] < 0 ? got->of[i] != STATS_CLUSTER_NONE
                           : got->of[i] != (size_t)want.at[i])
            return false;
    return true;
}

static void check_case(struct vectors_file *vectors)
{
    struct arena *arena = &vectors->arena;
    struct stats_values rows = vectors_values(vectors, "rows"),
                        means = vectors_values(vectors, "means"),
                        density = vectors_values(vectors, "density");
    size_t wide = (size_t)vectors_number(vectors, "wide");
    size_t clusters = (size_t)vectors_number(vectors, "clusters");
    float *units = arena_array(arena, float, rows.count + 1);

    for (size_t i = 0; i < rows.count; i++)
        units[i] = (float)rows.at[i];
    struct stats_cluster_rows of = {units, rows.count / wide, wide};
    for (uint64_t seed = 1; seed <= 3 && means.count > 0; seed++) {
        /* The best of some starts, as there. */
        struct stats_clusters best = stats_cluster_means(of, clusters, 10 * seed, arena);
        for (uint64_t start = 1; start < 10; start++) {
            struct stats_clusters other =
                stats_cluster_means(of, clusters, 10 * seed + start, arena);
            best = other.within < best.within ? other : best;
        }
        CHECK(best.count == clusters && is_same(&best, means));
        CHECK_NEAR(best.within, vectors_number(vectors, "within"), 1e-6);
    }
    struct stats_clusters dense = stats_cluster_density(of, 0.06, 4, arena);
    CHECK(dense.count == clusters && is_same(&dense, density));
}

static void check_edges(void)
{
    static const float same[] = {1, 0, 1, 0, 1, 0}, axes[] = {1, 0, 0, 1, -1, 0};
    static const float pair[] = {3, 4};
    struct arena arena = {0};
    float unit[2];

    tap_case("rows that are all the same are one cluster");
    CHECK(stats_cluster_means((struct stats_cluster_rows){same, 3, 2}, 2, 1, &arena)
              .count == 1);
    tap_case("rows that lie alone are in none");
    struct stats_clusters none =
        stats_cluster_density((struct stats_cluster_rows){axes, 3, 2}, 0.5, 2, &arena);
    CHECK(none.count == 0 && none.of[0] == STATS_CLUSTER_NONE);
    tap_case("the radius that suits half of the rows");
    CHECK_NEAR(stats_cluster_radius((struct stats_cluster_rows){axes, 3, 2}, 2, &arena),
               1, 0);
    CHECK(
        isnan(stats_cluster_radius((struct stats_cluster_rows){axes, 3, 2}, 4, &arena)));
    tap_case("length 1");
    CHECK(stats_unit(pair, 2, unit));
    CHECK_NEAR((double)unit[0], 0.6, 1e-7);
    CHECK_NEAR(stats_dot(unit, pair, 2), 5, 1e-6);
    arena_free(&arena);
}

int main(void)
{
    struct vectors_file vectors = vectors_open("cluster");

    while (vectors_next(&vectors, "cluster")) {
        tap_case("%.*s", STR_ARG(vectors.name));
        check_case(&vectors);
    }
    vectors_close(&vectors);
    check_edges();
    return tap_done();
}
