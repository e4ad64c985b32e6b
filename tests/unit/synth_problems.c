/* What is wrong with a file: told in its order, as far as a message goes. */
#include "synth/problems.h"

#include <string.h>

#include "tests/tap.h"

int main(void)
{
    struct arena arena = {0};
    struct problems problems = {.path = "s.yaml", .arena = &arena};
    const struct yaml_node later = {.type = YAML_SCALAR,
                                    .text = STR("abc"),
                                    .line = 3,
                                    .column = 2},
                           earlier = {.type = YAML_MAPPING, .line = 1, .column = 5};
    const struct str names[] = {STR("abcd"), STR("other")};
    struct err err = {0};

    tap_case("each is noted and false");
    CHECK(!problems_key(&problems, &later, names, 2));
    CHECK(!problems_wrong(&problems, &earlier, "expected a number"));
    CHECK(problems.count == 2);
    CHECK(!problems_tell(&problems, &err) && err.kind == ERR_INPUT);
    CHECK_TEXT(err.text, "s.yaml:1:5: expected a number, found 'a mapping'\n"
                         "s.yaml:3:2: unknown key 'abc'; did you mean 'abcd'?");
    tap_case("a key that is like none");
    problems.count = 0;
    CHECK(!problems_key(&problems, &later, names + 1, 1));
    CHECK(!problems_tell(&problems, &err));
    CHECK_TEXT(err.text, "s.yaml:3:2: unknown key 'abc'; assay-synth(5) lists the keys");
    tap_case("more than are kept, or than a message holds");
    problems.count = 0;
    for (int i = 0; i < 80; i++)
        CHECK(!problems_add(&problems, &later, "a problem of some length, number %d", i));
    CHECK(!problems_tell(&problems, &err) && problems.count == 80);
    CHECK(strstr(err.text, " more") != NULL);
    arena_free(&arena);
    return tap_done();
}
