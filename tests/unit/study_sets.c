/* Sets of the study file, and sets inside sets. */
#include "tests/unit/refused.h"

static const struct refused_row rows[] = {
    {"an unknown set, once, however often it is reached",
     REFUSED_HEAD "sets: {server: '[x]', b: 'in:sever', c: 'in:b or in:b'}\n",
     "s.yaml:3:27: in:sever is not a set; did you mean 'server'?\n"},
    {"sets in a circle", REFUSED_HEAD "sets: {a: 'in:b', b: 'in:a'}\n",
     "s.yaml:3:23: in:a leads back to itself\n"},
    {"a set that is itself", REFUSED_HEAD "sets: {a: 'not in:a'}\n",
     "s.yaml:3:12: in:a leads back to itself\n"},
};

/* Each set names the one before twice: 2^60 conditions when written out. */
static void check_doubling(void)
{
    struct arena arena = {0};
    struct buf text = {0}, problems = {0};
    struct study_options options = {0};
    struct err err = {0};
    struct study study;

    tap_case("sets that double are refused, not written out");
    buf_add(&text, STR(REFUSED_HEAD "sets:\n  s0: '[x]'\n"));
    for (int i = 1; i <= 60; i++)
        buf_add_format(&text, "  s%d: 'in:s%d or not in:s%d'\n", i, i - 1, i - 1);
    CHECK(!study_parse(buf_str(&text), "s.yaml", &options, &arena, &study, &problems,
                       &err));
    buf_add_char(&problems, '\0');
    CHECK(strstr(problems.ptr, "more than 100000 conditions") != NULL);
    buf_free(&text);
    buf_free(&problems);
    arena_free(&arena);
}

static const char text[] =
    REFUSED_HEAD "sets:\n  B: '[tensorflow] or [keras]'\n"
                 "  server: 'in:B and prose:deploy*'\n"
                 "  other: 'in:B and not in:server'\n"
                 "groups:\n  y: created by year\n  f: {first-of: {K: 'in:server'}}\n";

static void check_sets(const struct study *study)
{
    struct buf printed = {0};

    tap_case("sets inside sets are written out");
    query_print(study->sets[2].written, &printed);
    buf_add_char(&printed, '\0');
    CHECK(strstr(printed.ptr, "in:") == NULL && strstr(printed.ptr, "deploy*") != NULL);
    buf_clear(&printed);
    query_print(study->groups[1].queries[0], &printed);
    CHECK(memchr(printed.ptr, ':', printed.len) != NULL && printed.ptr[0] != 'i');
    buf_free(&printed);
}

int main(void)
{
    struct arena arena = {0};
    struct study study;

    refused_check(rows, ROWS(rows));
    check_doubling();
    if (refused_not(text, &arena, &study)) {
        check_sets(&study);
        tap_case("found by name");
        CHECK(study_find_set(&study, STR("server")) == 1);
        CHECK(study_find_set(&study, STR("none")) == STUDY_NONE);
    }
    arena_free(&arena);
    return tap_done();
}
