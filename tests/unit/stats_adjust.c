/* Adjusted p values against R. */
#include "stats/adjust.h"

#include "tests/vectors/read.h"

static void check(const double *got, struct values want)
{
    for (size_t i = 0; i < want.count; i++)
        CHECK_CLOSE(got[i], want.at[i], 1e-14);
}

int main(void)
{
    struct vectors_file vectors = vectors_open("adjust");
    struct values none = {0};

    while (vectors_next(&vectors, "adjust")) {
        struct values p = vectors_values(&vectors, "p");
        CHECK(p.count > 0);
        check(adjust_bonferroni(p, &vectors.arena),
              vectors_values(&vectors, "bonferroni"));
        check(adjust_holm(p, &vectors.arena), vectors_values(&vectors, "holm"));
        check(adjust_benjamini_hochberg(p, &vectors.arena),
              vectors_values(&vectors, "bh"));
    }
    tap_case("no tests at all");
    CHECK(adjust_holm(none, &vectors.arena) != NULL);
    vectors_close(&vectors);
    return tap_done();
}
