/* The embedded grammar has a rule for every label. */
#include "synth/text_rules.h"

#include "tests/tap.h"

int main(void)
{
    struct arena arena = {0};
    struct err err = {0};
    struct text *text;

    tap_case("the grammar compiles and has all rules");
    if (CHECK(text_load(&arena, &text, &err))) {
        for (int k = 0; k < MODEL_KIND_COUNT; k++) {
            CHECK(grammar_alternatives(text->grammar, text->kind_title[k]) > 1);
            CHECK(grammar_alternatives(text->grammar, text->kind_body[k]) > 1);
        }
        tap_case("rules of different labels are different");
        for (int k = 1; k < MODEL_KIND_COUNT; k++)
            CHECK(text->kind_body[k] != text->kind_body[k - 1]);
        CHECK(text->filler != text->opening);
    }
    CHECK_TEXT(err.text, "");
    arena_free(&arena);
    return tap_done();
}
