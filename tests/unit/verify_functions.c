/* Functions of expressions: found by name, and undefined for what they are not for. What
 * they give is tested in verify_expression. */
#include "verify/functions.h"

#include <math.h>

#include "tests/tap.h"

static const double list[] = {1, 2, 4, 9};

/* By their definitions. */
static const struct {
    const char *name;
    struct stats_values arguments[4];
    size_t count;
    double value; /* NAN: undefined */
} rows[] = {
    {"sum", {{list, 4}}, 1, 16},
    {"count", {{list, 4}, {list, 2}}, 2, 6},
    {"median", {{list, 4}}, 1, 3},
    {"mean", {{list, 0}}, 1, NAN},
    {"sqrt", {{list + 3, 1}}, 1, 3},
    {"abs", {{list, 4}}, 1, NAN},
    {"pearson", {{list, 4}, {list, 3}}, 2, NAN},
    {"proportion", {{list, 1}, {list + 1, 1}, {list + 3, 1}, {list + 2, 1}}, 4, NAN},
    {"kappa", {{list, 1}, {list, 1}, {list, 1}, {list, 1}}, 4, 0},
};

int main(void)
{
    struct arena arena = {0};

    for (size_t i = 0; i < ROWS(rows); i++) {
        const struct verify_functions_function *function =
            verify_functions_find(str_from(rows[i].name));
        struct verify_functions_call call = {&arena, rows[i].arguments, rows[i].count};
        tap_case("%s of %zu", rows[i].name, rows[i].count);
        if (!CHECK(function != NULL) || !CHECK(rows[i].count >= function->least) ||
            !CHECK(rows[i].count <= function->most))
            continue;
        double value = function->call(&call, function->which);
        if (isnan(rows[i].value))
            CHECK(isnan(value));
        else
            CHECK_NEAR(value, rows[i].value, 1e-15);
    }
    tap_case("a name that is none, and what was meant");
    CHECK(verify_functions_find(STR("medain")) == NULL);
    CHECK_TEXT(verify_functions_nearest(STR("medain"))->name, "median");
    CHECK(verify_functions_nearest(STR("qqqqqqqqqq")) == NULL);
    arena_free(&arena);
    return tap_done();
}
