/* For tests of the study file: texts that are refused, and what is said of them. */
#ifndef TESTS_UNIT_REFUSED_H
#define TESTS_UNIT_REFUSED_H

#include <string.h>

#include "study/study.h"
#include "tests/tap.h"

#define REFUSED_HEAD "study: s\nsource: {stackexchange: d}\n"

/* A line end at the end of an expectation: that is all that is said. */
struct refused_row {
    const char *name, *text, *problems;
};

static inline void refused_check_row(const struct refused_row *row)
{
    struct arena arena = {0};
    struct buf problems = {0};
    struct study_options options = {0};
    struct err err = {0};
    struct study study;
    size_t len = strlen(row->problems);

    CHECK(!study_parse(str_from(row->text), "s.yaml", &options, &arena, &study, &problems,
                       &err));
    buf_add_char(&problems, '\0');
    CHECK(err.kind == ERR_INPUT);
    const char *found = strstr(problems.ptr, row->problems);
    bool whole = row->problems[len - 1] == '\n' && row->problems[0] == 's';
    if (!CHECK(found != NULL &&
               (!whole || (found == problems.ptr && found[len] == '\0'))))
        CHECK_TEXT(problems.ptr, row->problems);
    buf_free(&problems);
    arena_free(&arena);
}

static inline void refused_check(const struct refused_row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        tap_case("refused: %s", rows[i].name);
        refused_check_row(&rows[i]);
    }
}

/* A study that is not refused, in the folder x, with /data for $data. */
static inline bool refused_not(const char *text, struct arena *arena, struct study *out)
{
    struct buf problems = {0};
    struct err err = {0};
    bool ok = study_parse(str_from(text), "x/s.yaml", &(struct study_options){"/data"},
                          arena, out, &problems, &err);

    buf_add_char(&problems, '\0');
    CHECK_TEXT(problems.ptr, "");
    buf_free(&problems);
    return CHECK(ok);
}

#endif
