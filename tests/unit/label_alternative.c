/* The alternative annotator test against vectors by SciPy. */
#include "label/alternative.h"

#include "stats/adjust.h"
#include "stats/alternative.h"
#include "tests/vectors/read.h"

static struct label_agree_data labels_of(struct vectors_file *vectors,
                                         struct stats_values raters,
                                         struct stats_values table)
{
    size_t across = (size_t)raters.at[0];
    struct label_agree_label *labels =
        arena_array(&vectors->arena, struct label_agree_label, table.count + 1);
    struct label_agree_data data = {.item_count = table.count / across,
                                    .rater_count = across};

    for (size_t i = 0; i < table.count; i++) {
        size_t *code = arena_array(&vectors->arena, size_t, 1);
        *code = (size_t)table.at[i];
        if (table.at[i] >= 0)
            labels[data.label_count++] =
                (struct label_agree_label){i / across, i % across, code, 1, NAN};
    }
    data.labels = labels;
    return data;
}

static void check_case(struct vectors_file *vectors)
{
    static const char *const p_fields[] = {"p0.1", "p0.15", "p0.2"},
                             *const winning_fields[] = {"winning0.1", "winning0.15",
                                                        "winning0.2"};
    struct label_agree_data data = labels_of(vectors, vectors_values(vectors, "raters"),
                                             vectors_values(vectors, "labels"));
    size_t people = data.rater_count - 1;
    struct label_alternative got =
        label_alternative(&data, people, people, &vectors->arena);
    struct stats_values advantages = vectors_values(vectors, "advantages");
    double sum = 0;

    CHECK(got.tested == advantages.count && advantages.count == people);
    for (size_t r = 0; r < people; r++) {
        CHECK_CLOSE(got.raters[r].advantage, advantages.at[r], 1e-12);
        sum += advantages.at[r];
    }
    CHECK_CLOSE(got.advantage, sum / (double)people, 1e-12);
    for (size_t e = 0; e < LABEL_ALTERNATIVE_EPSILONS; e++) {
        struct stats_values p = vectors_values(vectors, p_fields[e]);
        const double *adjusted = stats_adjust_benjamini_yekutieli(p, &vectors->arena);
        for (size_t r = 0; r < people; r++)
            CHECK_NEAR(got.raters[r].p[e], adjusted[r], 1e-12);
        CHECK_CLOSE(got.winning[e], vectors_values(vectors, winning_fields[e]).at[0],
                    1e-12);
    }
}

int main(void)
{
    struct vectors_file vectors = vectors_open("alternative");
    double same[40] = {0}, less[40] = {0};

    while (vectors_next(&vectors, "alternative"))
        check_case(&vectors);
    for (size_t i = 0; i < 40; i++)
        same[i] = 1;
    tap_case("differences that are all equal decide without a test");
    CHECK(stats_alternative((struct stats_values){same, 40},
                            (struct stats_values){same, 40}, 0.1)
              .p == 0);
    CHECK(stats_alternative((struct stats_values){same, 40},
                            (struct stats_values){less, 40}, 0.1)
              .p == 1);
    tap_case("too few items are told");
    CHECK(stats_alternative((struct stats_values){same, 29},
                            (struct stats_values){less, 29}, 0.1)
              .undefined != NULL);
    vectors_close(&vectors);
    return tap_done();
}
