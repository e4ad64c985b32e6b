/* Classes as paths: their levels, sums of probabilities, and decisions that never give a
 * child without its parent. */
#include "learn/hierarchy.h"

#include "base/rng.h"
#include "tests/tap.h"

static const struct str names[] = {STR_INIT("data"), STR_INIT("data/load"),
                                   STR_INIT("data/parse/csv"),
                                   STR_INIT("data/parse/json"), STR_INIT("model/fit")};

enum { CLASSES = 5, DEPTH = 3 };

static const struct {
    const char *name;
    double probabilities[CLASSES];
    size_t level;
    enum learn_hierarchy_rule rule;
    const char *node;
} rows[] = {
    {"flat, the class itself", {0, .2, .3, .1, .4}, 2, LEARN_HIERARCHY_FLAT, "model/fit"},
    {"flat, above the class", {0, .2, .3, .1, .4}, 0, LEARN_HIERARCHY_FLAT, "model"},
    {"top-down, the largest sum",
     {0, .2, .3, .1, .4},
     0,
     LEARN_HIERARCHY_TOP_DOWN,
     "data"},
    {"top-down, within it",
     {0, .2, .3, .1, .4},
     1,
     LEARN_HIERARCHY_TOP_DOWN,
     "data/parse"},
    {"top-down, to the end",
     {0, .2, .3, .1, .4},
     2,
     LEARN_HIERARCHY_TOP_DOWN,
     "data/parse/csv"},
    {"a class above others stands for itself",
     {.6, .2, .1, .1, 0},
     2,
     LEARN_HIERARCHY_TOP_DOWN,
     "data"},
    {"of equals the first", {.2, .2, .2, .2, .2}, 2, LEARN_HIERARCHY_FLAT, "data"},
};

static void check_decisions(const struct learn_hierarchy *tree)
{
    double room[CLASSES];

    for (size_t i = 0; i < ROWS(rows); i++) {
        tap_case("%s", rows[i].name);
        size_t node = learn_hierarchy_decide(tree, rows[i].level, rows[i].rule,
                                             rows[i].probabilities, room);
        CHECK(str_eq(tree->levels[rows[i].level].names[node], str_from(rows[i].node)));
    }
}

static void check_consistency(const struct learn_hierarchy *tree)
{
    struct rng rng = rng_seeded(11);
    double p[CLASSES], room[CLASSES], off = 0;
    size_t orphans = 0;

    for (int round = 0; round < 1000; round++) {
        for (size_t k = 0; k < CLASSES; k++)
            p[k] = rng_unit(&rng);
        for (int rule = LEARN_HIERARCHY_FLAT; rule <= LEARN_HIERARCHY_TOP_DOWN; rule++)
            for (size_t l = 1; l < DEPTH; l++) {
                size_t child = learn_hierarchy_decide(
                    tree, l, (enum learn_hierarchy_rule)rule, p, room);
                size_t above = learn_hierarchy_decide(
                    tree, l - 1, (enum learn_hierarchy_rule)rule, p, room);
                orphans += tree->levels[l].parent[child] != above;
            }
        double sums[DEPTH] = {0};
        for (size_t l = 0; l < DEPTH; l++) {
            learn_hierarchy_probabilities(tree, l, false, p, room);
            for (size_t node = 0; node < tree->levels[l].count; node++)
                sums[l] += room[node];
            off += sums[l] > sums[0] ? sums[l] - sums[0] : sums[0] - sums[l];
        }
    }
    tap_case("a child never without its parent");
    CHECK(orphans == 0);
    tap_case("every level has the same sum");
    CHECK(off < 1e-9);
}

int main(void)
{
    struct arena arena = {0};
    struct learn_hierarchy tree = learn_hierarchy_make(names, CLASSES, &arena);
    static const size_t counts[DEPTH] = {2, 4, 5};
    double room[CLASSES];

    tap_case("as many levels as the longest path");
    CHECK(tree.depth == DEPTH);
    for (size_t l = 0; l < DEPTH; l++) {
        tap_case("nodes of level %zu", l + 1);
        CHECK(tree.levels[l].count == counts[l]);
    }
    check_decisions(&tree);
    check_consistency(&tree);

    tap_case("several labels: the largest of a node's classes");
    learn_hierarchy_probabilities(&tree, 0, true, (double[]){.1, .9, .3, .2, .4}, room);
    CHECK_NEAR(room[0], .9, 0);
    CHECK_NEAR(room[1], .4, 0);
    struct learn_membership truth = learn_membership_new(1, CLASSES, true, &arena);
    truth.is[1] = truth.is[2] = truth.is[4] = 1;
    struct learn_membership top = learn_hierarchy_membership(&tree, 0, &truth, &arena);
    struct learn_membership second = learn_hierarchy_membership(&tree, 1, &truth, &arena);
    tap_case("several labels: nodes above them");
    CHECK(top.is[0] && top.is[1]);
    CHECK(!second.is[0] && second.is[1] && second.is[2] && second.is[3]);
    tap_case("names without a slash have one level");
    CHECK(learn_hierarchy_make(names, 1, &arena).depth == 1);
    arena_free(&arena);
    return tap_done();
}
