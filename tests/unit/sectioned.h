/* For tests of the study file: a section behind a head, parsed. */
#ifndef TESTS_UNIT_SECTIONED_H
#define TESTS_UNIT_SECTIONED_H

#include <string.h>

#include "study/study.h"
#include "tests/tap.h"

/* What is wrong with it, and whether it says so. */
struct sectioned_wrong {
    const char *name, *section, *problem;
};

static inline bool sectioned_parse(const char *head, const char *section,
                                   struct arena *arena, struct study *out,
                                   struct buf *problems)
{
    struct study_options options = {0};
    struct err err = {0};
    struct buf text = {0};

    buf_add_format(&text, "%s%s", head, section);
    bool ok = study_parse(arena_copy(arena, buf_str(&text)), "dir/study.yaml", &options,
                          arena, out, problems, &err);
    buf_free(&text);
    return ok;
}

static inline void sectioned_refuse(const char *head, const struct sectioned_wrong *wrong,
                                    size_t count, struct arena *arena)
{
    for (size_t i = 0; i < count; i++) {
        struct buf problems = {0};
        struct study study;
        tap_case("wrong: %s", wrong[i].name);
        CHECK(!sectioned_parse(head, wrong[i].section, arena, &study, &problems));
        buf_add_char(&problems, '\0');
        if (!CHECK(strstr(problems.ptr, wrong[i].problem) != NULL))
            CHECK_TEXT(problems.ptr, wrong[i].problem);
        buf_free(&problems);
    }
}

#endif
