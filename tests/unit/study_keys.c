/* Finding keys, reading numbers, and complaints in the order of the file. */
#include "study/keys.h"

#include "tests/tap.h"

static const struct {
    const char *text;
    bool ok;
    double value;
} numbers[] = {{"5%", true, 0.05}, {"5 %", true, 0.05}, {"0.5", true, 0.5},
               {"-3", true, -3},   {"%", false, 0},     {"", false, 0},
               {"five", false, 0}, {"5%%", false, 0},   {"nan", false, 0},
               {"95%", true, 0.95}};

static void check_order(void)
{
    struct arena arena = {0};
    struct study_keys_problems problems = {.path = "f", .arena = &arena};
    const struct yaml_node at[] = {
        {.line = 3, .column = 1}, {.line = 2, .column = 9}, {.line = 2, .column = 4}};
    struct buf out = {0};

    tap_case("complaints come in the order of the file");
    for (size_t i = 0; i < ROWS(at); i++)
        study_keys_complain(&problems, &at[i], "number %zu", i);
    study_keys_report(&problems, &out);
    buf_add_char(&out, '\0');
    CHECK_TEXT(out.ptr, "f:2:4: number 2\nf:2:9: number 1\nf:3:1: number 0\n");
    buf_free(&out);
    arena_free(&arena);
}

int main(void)
{
    for (size_t i = 0; i < ROWS(numbers); i++) {
        double value = 0;
        tap_case("number: '%s'", numbers[i].text);
        CHECK(study_keys_number(str_from(numbers[i].text), &value) == numbers[i].ok);
        CHECK_NEAR(value, numbers[i].value, 1e-15);
    }
    tap_case("keys are found with and without their stars, and when misspelt");
    CHECK_TEXT(study_keys_find(STR("samples.*.seed"))->path, "samples.*.seed");
    CHECK_TEXT(study_keys_find(STR("samples.seed"))->path, "samples.*.seed");
    CHECK_TEXT(study_keys_find(STR("tables"))->path, "tables");
    CHECK(study_keys_find(STR("samples.sede")) == NULL);
    CHECK_TEXT(study_keys_nearest(STR("samples.sede")), "samples.*.seed");
    CHECK(study_keys_nearest(STR("qqqqqqqqqqqqqqqqqq")) == NULL);
    check_order();
    return tap_done();
}
