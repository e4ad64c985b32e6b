/* Any bytes are an expression or an error that says what is wrong; a value is a finite
 * number, and the same the second time. */
#include <assert.h>
#include <math.h>

#include "verify/expression.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Names with a star are lists; some are not there. */
static bool find(void *context, struct str name, struct arena *arena,
                 struct stats_values *out, struct err *err)
{
    static const double numbers[] = {3, 1, 4, 1.5, 9, 2};

    (void)context, (void)arena;
    if (name.len % 7 == 6)
        return err_set(err, ERR_INPUT, "there is no such number");
    bool list = false;
    for (size_t i = 0; i < name.len; i++)
        list = list || name.ptr[i] == '*';
    *out = (struct stats_values){numbers, list ? sizeof numbers / sizeof *numbers : 1};
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str text = {(const char *)data, size};
    struct arena arena = {0};
    struct err err = {0}, again = {0};
    double value = NAN, second = NAN;
    bool ok = verify_expression_evaluate(text, find, NULL, &arena, &value, &err);

    assert(ok ? isfinite(value) : err.kind == ERR_INPUT && err.text[0] != '\0');
    assert(verify_expression_evaluate(text, find, NULL, &arena, &second, &again) == ok);
    assert(!ok || value == second);
    arena_free(&arena);
    return 0;
}
