/* Texts that are the same spelling, and which of equal ones wins. */
#include "study/internal.h"

#include "tests/tap.h"

static const struct {
    const char *name, *a, *b;
    int sign;
} pairs[] = {
    {"the same", "data", "data", 0},
    {"case", "Data Processing", "dATA processing", 0},
    {"blanks around", " \t data\n", "data", 0},
    {"blanks inside", "data  \n processing", "Data processing", 0},
    {"a blank more", "data processing", "dataprocessing", -1},
    {"one is longer", "data", "database", -1},
    {"one is empty", " ", "a", -1},
    {"both are empty", " ", "", 0},
    {"other letters", "beta", "alpha", 1},
    {"only A to Z have a case", "\xC3\x89", "\xC3\xA9", -1},
    {"bytes above 127 come last", "z", "\xC3\xA9", -1},
};

static int sign(int x)
{
    return (x > 0) - (x < 0);
}

static void check_find(void)
{
    struct study_spelling list[] = {
        {STR("logic"), STUDY_SPELLING_ID, 2, 1, 1},
        {STR("Data"), STUDY_SPELLING_NAME, 1, 1, 1},
        {STR("zeta"), STUDY_SPELLING_ALSO, 4, 1, 1},
        {STR("data"), STUDY_SPELLING_PATH, 3, 1, 1},
        {STR("LOGIC"), STUDY_SPELLING_ID, 1, 1, 1},
        {STR("data"), STUDY_SPELLING_ID, 0, 1, 1},
        {STR("Logic "), STUDY_SPELLING_NAME, 9, 1, 1},
    };
    struct study_spelling_run run;

    study_spelling_sort(list, ROWS(list));
    tap_case("the first kind wins");
    run = study_spelling_find(list, ROWS(list), STR("DATA"));
    CHECK(run.to == run.from + 1 && list[run.from].code == 3);
    tap_case("all of the first kind are found, by code");
    run = study_spelling_find(list, ROWS(list), STR(" logic"));
    CHECK(run.to == run.from + 2 && list[run.from].code == 1 &&
          list[run.from + 1].code == 2);
    tap_case("the last one is found");
    run = study_spelling_find(list, ROWS(list), STR("zeta"));
    CHECK(run.to == ROWS(list) && run.from == ROWS(list) - 1);
    tap_case("none is found");
    run = study_spelling_find(list, ROWS(list), STR("zzz"));
    CHECK(run.from == run.to);
    run = study_spelling_find(list, 0, STR("data"));
    CHECK(run.from == 0 && run.to == 0);
}

int main(void)
{
    for (size_t i = 0; i < ROWS(pairs); i++) {
        struct str a = str_from(pairs[i].a), b = str_from(pairs[i].b);
        tap_case("compare: %s", pairs[i].name);
        CHECK(sign(study_spelling_compare(a, b)) == pairs[i].sign);
        CHECK(sign(study_spelling_compare(b, a)) == -pairs[i].sign);
    }
    check_find();
    return tap_done();
}
