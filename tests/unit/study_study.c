/* The study file: what it may say, and all its errors at once. */
#include "study/study.h"

#include <string.h>

#include "base/date.h"
#include "tests/tap.h"

static const struct {
    const char *name, *text, *problems;
} wrong[] = {
    {"several at once",
     "stduy: x\nsource:\n  stackexchange: d\n  untill: 2019-01-01\nsets:\n  a: "
     "'score:many'\n  b: "
     "'in:c'\n",
     "s.yaml:1:1: unknown key 'stduy'; did you mean 'study'?\n"
     "s.yaml:4:3: unknown key 'untill'; did you mean 'until'?\n"},
    {"no source", "sets: {a: '[x]'}", "s.yaml:1:1: expected 'source:' with"},
    {"no sets", "source: {stackexchange: d}", "s.yaml:1:1: expected 'sets:' with"},
    {"a date that is none", "source: {stackexchange: d, until: soon}\nsets: {a: '[x]'}",
     "s.yaml:1:35: expected a date such as 2019-12-02, found 'soon'\n"},
    {"an unknown set", "source: {stackexchange: d}\nsets: {server: '[x]', b: 'in:sever'}",
     "s.yaml:2:27: set b: in:sever is not a set; did you mean 'server'?\n"},
    {"a circle", "source: {stackexchange: d}\nsets: {a: 'in:b', b: 'in:a'}",
     "leads back to itself"},
    {"an unknown table", "source: {stackexchange: d, also: [votes]}\nsets: {a: '[x]'}",
     "s.yaml:1:35: expected comments, users or links; found 'votes'\n"},
    {"a name that is none", "source: {stackexchange: d}\nsets: {2a: '[x]'}",
     "s.yaml:2:8: expected a name of letters"},
    {"not YAML", "source: [", "not readable as YAML"},
};

int main(void)
{
    struct arena arena = {0};
    struct err err = {0};
    struct buf problems = {0}, printed = {0};
    struct study study;

    for (size_t i = 0; i < ROWS(wrong); i++) {
        tap_case("refused: %s", wrong[i].name);
        buf_clear(&problems);
        CHECK(!study_parse(str_from(wrong[i].text), "s.yaml", &arena, &study, &problems,
                           &err));
        buf_add_char(&problems, '\0');
        CHECK(err.kind == ERR_INPUT);
        if (!CHECK(strstr(problems.ptr, wrong[i].problems) != NULL))
            CHECK_TEXT(problems.ptr, wrong[i].problems);
    }
    tap_case("four errors are four messages");
    buf_clear(&problems);
    CHECK(
        !study_parse(str_from(wrong[0].text), "s.yaml", &arena, &study, &problems, &err));
    CHECK_TEXT(err.text, "s.yaml: 4 errors; nothing was run");

    tap_case("a study is read");
    CHECK(study_parse(
        STR("study: chen\ntitle: T\nsource:\n  stackexchange: [d, /e]\n  until: "
            "2019-12-02\n  also: [comments, links]\nsets:\n  B: '[tensorflow] or "
            "[keras]'\n  server: 'in:B and prose:deploy*'\n  other: 'in:B and not "
            "in:server'\n"),
        "x/s.yaml", &arena, &study, &problems, &err));
    CHECK(study.source_count == 2 && strcmp(study.sources[0], "x/d") == 0 &&
          strcmp(study.sources[1], "/e") == 0);
    CHECK(study.until_ms == date_from_civil((struct date){2019, 12, 3}));
    CHECK(study.comments && study.links && !study.users && study.set_count == 3);
    tap_case("sets inside sets are written out");
    query_print(study.sets[2].written, &printed);
    buf_add_char(&printed, '\0');
    CHECK(strstr(printed.ptr, "in:") == NULL && strstr(printed.ptr, "deploy*") != NULL);
    tap_case("what is needed is what any set takes");
    buf_clear(&printed);
    query_print(study_needed(&study, &arena), &printed);
    buf_add_char(&printed, '\0');
    CHECK(strstr(printed.ptr, "[tensorflow] or [keras] or ") == printed.ptr);
    buf_free(&printed);
    buf_free(&problems);
    arena_free(&arena);
    return tap_done();
}
