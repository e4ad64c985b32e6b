/* What must hold for any data: solvers end at the optimum, scores do not depend on the
 * order of classes, shares add up to 1. */
#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "learn/fit.h"
#include "learn/quantify.h"
#include "learn/score.h"
#include "tests/tap.h"

enum { ROUNDS = 30, COLUMNS = 12, CLASSES = 3 };

static struct learn_rows random_rows(struct rng *rng, size_t count,
                                     struct learn_rows_builder *out)
{
    for (size_t i = 0; i < count; i++) {
        for (uint32_t c = 0; c < COLUMNS; c++)
            if (rng_unit(rng) < 0.4)
                learn_rows_add_cell(out, c, (float)rng_unit(rng));
        learn_rows_end_row(out);
    }
    return learn_rows_of(out, COLUMNS);
}

static struct learn_membership random_classes(struct rng *rng, size_t count,
                                              struct arena *arena)
{
    struct learn_membership truth = learn_membership_new(count, CLASSES, false, arena);

    for (size_t i = 0; i < count; i++)
        truth.is[i * CLASSES + (i < CLASSES ? i : rng_below(rng, CLASSES))] = 1;
    return truth;
}

/* The largest component of the gradient of |w|^2 / 2 + C sum of losses, over weights and
 * constant: 0 at the optimum, which is unique. */
static double gradient(const struct learn_rows *rows,
                       const struct learn_membership *truth,
                       const struct learn_scorer *scorer, size_t class, double strength,
                       bool logistic)
{
    double sums[COLUMNS + 1], worst = 0;

    for (size_t c = 0; c < COLUMNS; c++)
        sums[c] = scorer->weights[c * CLASSES + class];
    sums[COLUMNS] = scorer->constants[class];
    for (size_t i = 0; i < rows->count; i++) {
        struct learn_rows_row row = learn_rows_at(rows, i);
        double scores[CLASSES], side = learn_membership_has(truth, i, class) ? 1 : -1;
        learn_scorer_score(scorer, row, scores);
        double margin = side * scores[class];
        double slope = logistic     ? -1 / (1 + exp(margin))
                       : margin < 1 ? 2 * (margin - 1)
                                    : 0;
        for (size_t c = 0; c < row.count; c++)
            sums[row.cells[c].column] +=
                strength * slope * side * (double)row.cells[c].value;
        sums[COLUMNS] += strength * slope * side;
    }
    for (size_t c = 0; c <= COLUMNS; c++)
        worst = fabs(sums[c]) > worst ? fabs(sums[c]) : worst;
    return worst;
}

static void check_solvers(void)
{
    double worst[2] = {0, 0};

    for (uint64_t round = 0; round < ROUNDS; round++) {
        struct arena arena = {0};
        struct rng rng = rng_seeded(round);
        struct learn_rows_builder builder = {0};
        size_t count = 5 + rng_below(&rng, 60);
        struct learn_rows rows = random_rows(&rng, count, &builder);
        struct learn_membership truth = random_classes(&rng, count, &arena);
        double strength = exp(4 * rng_unit(&rng) - 2);
        for (int logistic = 0; logistic < 2; logistic++) {
            struct learn_scorer scorer =
                learn_fit_linear(&rows, &truth,
                                 (struct learn_fit_linear){.strength = strength,
                                                           .logistic = logistic,
                                                           .tolerance = 1e-9,
                                                           .seed = round},
                                 &arena);
            for (size_t k = 0; k < CLASSES; k++)
                worst[logistic] = fmax(worst[logistic], gradient(&rows, &truth, &scorer,
                                                                 k, strength, logistic));
        }
        learn_rows_builder_free(&builder);
        arena_free(&arena);
    }
    tap_case("squared hinge ends where the gradient is 0");
    CHECK(worst[0] < 1e-5);
    tap_case("logistic ends where the gradient is 0");
    CHECK(worst[1] < 1e-5);
}

static struct learn_membership turned(const struct learn_membership *from,
                                      struct arena *arena)
{
    struct learn_membership to =
        learn_membership_new(from->items, CLASSES, from->several, arena);

    for (size_t i = 0; i < from->items; i++)
        for (size_t k = 0; k < CLASSES; k++)
            to.is[i * CLASSES + (k + 1) % CLASSES] = from->is[i * CLASSES + k];
    return to;
}

static void check_scores(void)
{
    bool same = true, bounded = true;

    for (uint64_t round = 0; round < ROUNDS; round++) {
        struct arena arena = {0};
        struct rng rng = rng_seeded(100 + round);
        struct learn_membership truth = random_classes(&rng, 40, &arena);
        struct learn_membership said = random_classes(&rng, 40, &arena);
        struct learn_membership truth_turned = turned(&truth, &arena);
        struct learn_membership said_turned = turned(&said, &arena);
        struct learn_score first = learn_score_of(&truth, &said, &arena);
        struct learn_score second = learn_score_of(&truth_turned, &said_turned, &arena);
        double sum = 0;
        for (size_t i = 0; i < LEARN_SCORE_OVERALL; i++) {
            same = same && fabs(first.overall[i] - second.overall[i]) < 1e-12;
            bounded = bounded && first.overall[i] >= -1 && first.overall[i] <= 1;
        }
        for (size_t i = 0; i < CLASSES * CLASSES; i++)
            sum += first.confusion[i];
        bounded =
            bounded && sum == 40 &&
            first.overall[LEARN_SCORE_MICRO_F1] == first.overall[LEARN_SCORE_ACCURACY];
        arena_free(&arena);
    }
    tap_case("scores do not depend on the order of classes");
    CHECK(same);
    tap_case("every item is in one cell; micro F1 is accuracy");
    CHECK(bounded);
}

static void check_shares(void)
{
    double off = 0, gap = 0;

    for (uint64_t round = 0; round < ROUNDS; round++) {
        struct arena arena = {0};
        struct rng rng = rng_seeded(200 + round);
        double confusion[CLASSES * CLASSES], counts[CLASSES] = {0}, shares[CLASSES];
        double truth[CLASSES], all = 0, sum = 0;
        for (size_t k = 0; k < CLASSES; k++)
            all += truth[k] = 0.05 + rng_unit(&rng);
        for (size_t k = 0; k < CLASSES; k++)
            for (size_t s = 0; s < CLASSES; s++) {
                confusion[k * CLASSES + s] = k == s ? 80 : 20 * rng_unit(&rng);
            }
        for (size_t k = 0; k < CLASSES; k++) {
            double row = 0;
            for (size_t s = 0; s < CLASSES; s++)
                row += confusion[k * CLASSES + s];
            for (size_t s = 0; s < CLASSES; s++)
                counts[s] += 1000 * truth[k] / all * confusion[k * CLASSES + s] / row;
        }
        learn_quantify_adjust(confusion, counts, CLASSES, CLASSES, shares, &arena);
        for (size_t k = 0; k < CLASSES; k++) {
            sum += shares[k];
            gap = fmax(gap, fabs(shares[k] - truth[k] / all));
        }
        off = fmax(off, fabs(sum - 1));
        arena_free(&arena);
    }
    tap_case("adjusted shares add up to 1");
    CHECK(off < 1e-9);
    tap_case("without noise they are the truth");
    CHECK(gap < 1e-6);
}

int main(void)
{
    check_solvers();
    check_scores();
    check_shares();
    return tap_done();
}
