/* Draws follow the weights, and labels go with each other as they should. */
#include "synth/model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/tap.h"

enum { DRAWS = 40000, YEAR = 2018 };

static struct model model;
static struct model_truth truths[DRAWS];

static double share(bool (*holds)(const struct model_truth *),
                    bool (*among)(const struct model_truth *))
{
    double all = 0, yes = 0;

    for (int i = 0; i < DRAWS; i++)
        if (among == NULL || among(&truths[i])) {
            all++;
            yes += holds(&truths[i]);
        }
    return yes / all;
}

#define IS(name, condition) \
    static bool name(const struct model_truth *truth) \
    { \
        return condition; \
    }
IS(is_crash, truth->kind == MODEL_CRASH)
IS(is_migration, truth->kind == MODEL_MIGRATION)
IS(is_performance, truth->kind == MODEL_PERFORMANCE)
IS(is_plain_comprehension, truth->kind == MODEL_COMPREHENSION)
IS(is_accepted, truth->accepted)
IS(is_server, truth->platform == MODEL_SERVER)
IS(has_second, truth->second_kind >= 0)
IS(is_implementation, truth->kind == MODEL_IMPLEMENTATION)
IS(is_howto, truth->howto)
IS(has_bug, truth->bug_type >= 0)
IS(is_inefficient, strcmp(model_name(MODEL_BUG_CAUSES, truth->bug_cause).ptr, "si") == 0)

static const struct {
    const char *name;
    bool (*holds)(const struct model_truth *);
    bool (*among)(const struct model_truth *);
    double share, tolerance; /* four standard errors and a little */
} rows[] = {
    {"crash 28% in 2018 (Zhang)", is_crash, NULL, .28, .009},
    {"migration 22% in 2018 (Zhang)", is_migration, NULL, .22, .009},
    {"a second kind for one in four (Zhang)", has_second, NULL, .25, .009},
    {"accepted: performance 25% (Zhang)", is_accepted, is_performance, .25, .036},
    {"accepted: comprehension 41% (Zhang)", is_accepted, is_plain_comprehension, .41,
     .041},
    {"server 2.0% in 2018 (Chen)", is_server, NULL, .020, .003},
    {"how-to among implementation", is_howto, is_implementation, .6, .026},
    {"inefficient structure 19% of bugs (Islam)", is_inefficient, has_bug, .19, .03},
};

static int by_wait(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

    return (x > y) - (x < y);
}

static void check_consistency(void)
{
    tap_case("labels go with each other");
    for (int i = 0; i < DRAWS; i++) {
        const struct model_truth *truth = &truths[i];
        CHECK(truth->second_kind != truth->kind);
        CHECK((truth->platform >= 0) == (truth->challenge >= 0));
        CHECK(truth->platform < 0 || truth->kind == MODEL_MIGRATION);
        CHECK(truth->object < 0 || (truth->howto && truth->kind == MODEL_IMPLEMENTATION));
        CHECK((truth->bug_type >= 0) == (truth->bug_effect >= 0));
        CHECK(truth->bug_type < 0 || truth->code);
        CHECK(!truth->accepted || truth->answers > 0);
        CHECK(!truth->endorsed || (truth->answers > 0 && !truth->accepted));
        CHECK(truth->wait_ms >= 20000 && truth->views >= 1);
    }
}

static double correlation_of_logs(void)
{
    double n = 0, x = 0, y = 0, xx = 0, yy = 0, xy = 0;

    for (int i = 0; i < DRAWS; i++) {
        double a = log((double)truths[i].views), b = log((double)truths[i].score + 6);
        n++, x += a, y += b, xx += a * a, yy += b * b, xy += a * b;
    }
    return (n * xy - x * y) / sqrt((n * xx - x * x) * (n * yy - y * y));
}

int main(void)
{
    struct arena arena = {0};
    struct err err = {0};
    static int64_t waits[DRAWS];
    struct rng rng = rng_seeded(11);
    size_t count = 0;

    CHECK(model_load(NULL, &arena, &model, &err));
    for (int i = 0; i < DRAWS; i++)
        truths[i] = model_draw(&model, YEAR, &rng);
    for (size_t i = 0; i < ROWS(rows); i++) {
        tap_case("%s", rows[i].name);
        CHECK_NEAR(share(rows[i].holds, rows[i].among), rows[i].share, rows[i].tolerance);
    }
    check_consistency();
    tap_case("views and score go together");
    CHECK(correlation_of_logs() > 0.5);

    tap_case("crash waits 1.7 hours at the median (Zhang)");
    for (int i = 0; i < DRAWS; i++)
        if (is_crash(&truths[i]))
            waits[count++] = truths[i].wait_ms;
    qsort(waits, count, sizeof *waits, by_wait);
    CHECK_NEAR((double)waits[count / 2] / 3600000, 1.7, 0.15);

    tap_case("moments ascend from the beginning to the end");
    for (double s = 0; s < 0.999; s += 0.001)
        CHECK(model_moment(&model, s) <= model_moment(&model, s + 0.001));
    CHECK(model_moment(&model, 0) == model.begin_ms);
    CHECK(model_moment(&model, 0.999999) < model.until_ms);
    arena_free(&arena);
    return tap_done();
}
