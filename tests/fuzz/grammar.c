/* Any bytes are a grammar or an error that names its line; what a grammar says has no
 * byte that would end an XML attribute, and the same seed says it again. */
#include "synth/internal.h"

#include <assert.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* With n uses in all, at most 3^(n/3) pieces come of expanding: 59049 for 30. */
enum { USES_MAX = 30 };

static void check_rule(const struct synth_grammar *grammar, int rule)
{
    static const struct synth_grammar_values values = {
        {{"TensorFlow", 10}, {"tensorflow", 10}, {"tf", 2}, {"", 0}}};
    struct rng rng = rng_seeded(1), again = rng_seeded(1);
    struct buf out = {0}, repeated = {0};

    assert(synth_grammar_alternatives(grammar, rule) > 0);
    for (int i = 0; i < 3; i++) {
        synth_grammar_expand(grammar, rule, &values, &rng, &out);
        synth_grammar_expand(grammar, rule, &values, &again, &repeated);
    }
    assert(str_eq(buf_str(&out), buf_str(&repeated)));
    for (size_t i = 0; i < out.len; i++)
        assert(strchr("<>\"\n\r\t", out.ptr[i]) == NULL || out.ptr[i] == '\0');
    buf_free(&out);
    buf_free(&repeated);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena = {0};
    struct err err = {0};
    struct synth_grammar *grammar;
    struct str text = {(const char *)data, size}, line;
    size_t uses = 0;

    for (size_t i = 0; i < size; i++)
        uses += data[i] == '{';
    if (!synth_grammar_compile(text, "f", &arena, &grammar, &err)) {
        assert(err.kind == ERR_INPUT && strncmp(err.text, "f:", 2) == 0);
        assert(err.text[2] >= '1' && err.text[2] <= '9');
        goto done;
    }
    while (text.len > 0 && uses <= USES_MAX) {
        str_cut(&text, '\n', &line);
        line = str_trim(line);
        int rule = line.len > 2
                       ? synth_grammar_rule(grammar, str_slice(line, 1, line.len - 1))
                       : -1;
        if (rule >= 0)
            check_rule(grammar, rule);
    }
done:
    arena_free(&arena);
    return 0;
}
