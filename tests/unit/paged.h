/* For tests of the report's pages: a small study, and what a page holds. */
#ifndef TESTS_UNIT_PAGED_H
#define TESTS_UNIT_PAGED_H

#include <math.h>
#include <string.h>

#include "report/page.h"
#include "tests/tap.h"

static inline bool paged_holds(struct buf *out, const char *part)
{
    buf_add_char(out, '\0');
    out->len--;
    return strstr(out->ptr, part) != NULL;
}

#define PAGED_STUDY \
    "study: s\ntitle: A <b> & B\nsource: {posts: p.csv, until: 2019-12-01}\n" \
    "sets: {x: '[x] score:5..', y: '[y]'}\n" \
    "groups: {year: created by year, tag: {all-of: {A: '[a]', B: '[b]'}}}\n" \
    "samples: {p: {of: x, size: 2, seed: 7}}\n" \
    "tables:\n  t: {title: 'T < U', of: x}\n" \
    "  n: {of: [x, y], by: [year], across: tag, columns: [count]}\n" \
    "tests: {h: {test: pearson, on: views, with: score}}\n" \
    "figures: {f: {draw: bars, table: t, title: Fig, width: two}}\n"

/* The study with what is added to it; false after a failed check. */
static inline bool paged_study(const char *text, struct arena *arena, struct study *out)
{
    struct buf problems = {0};
    struct study_options options = {0};
    struct err err = {0};
    bool ok =
        study_parse(str_from(text), "study.yaml", &options, arena, out, &problems, &err);

    tap_case("the study is read");
    buf_add_char(&problems, '\0');
    CHECK_TEXT(problems.ptr, "");
    buf_free(&problems);
    return CHECK(ok);
}

#endif
