/* For tests of runs: a study in a folder of its own, what a plan says and a run makes. */
#ifndef TESTS_UNIT_STUDIED_H
#define TESTS_UNIT_STUDIED_H

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "run/run.h"
#include "tests/tap.h"

struct studied {
    char folder[40];
    struct arena arena;
    struct buf told; /* what a run told, or a plan listed */
    struct err err;
};

static inline bool studied_begin(struct studied *test)
{
    *test = (struct studied){.folder = "/tmp/assay-test-XXXXXX"};
    return CHECK(mkdtemp(test->folder) != NULL);
}

static inline const char *studied_path(struct studied *test, const char *name)
{
    return file_join(test->folder, name, &test->arena);
}

static inline void studied_write(struct studied *test, const char *name, const char *text)
{
    CHECK(file_write(studied_path(test, name), str_from(text), &test->err));
}

/* The text of a file, "" when it is not there. */
static inline const char *studied_read(struct studied *test, const char *name)
{
    struct err err = {0};
    struct str text;

    return file_read(studied_path(test, name), &test->arena, &text, &err)
               ? arena_c_string(&test->arena, text)
               : "";
}

static inline int studied_remove(const char *path, const struct stat *status, int type,
                                 struct FTW *walk)
{
    (void)status, (void)type, (void)walk;
    return remove(path);
}

static inline void studied_end(struct studied *test)
{
    CHECK(nftw(test->folder, studied_remove, 8, FTW_DEPTH | FTW_PHYS) == 0);
    buf_free(&test->told);
    arena_free(&test->arena);
}

/* The report rests on every step, and would stand in every list. */
static inline bool studied_shows(struct str step)
{
    return !str_starts(step, STR("report"));
}

static inline void studied_tell(void *context, struct str step, const char *what,
                                struct str text)
{
    struct studied *test = context;

    (void)text;
    if (studied_shows(step))
        buf_add_format(&test->told, "%s %.*s\n", what, STR_ARG(step));
}

static inline struct run_options studied_options(struct studied *test)
{
    return (struct run_options){.version = "0",
                                .threads = 2,
                                .quiet = true,
                                .rest_bytes = 1000000,
                                .descriptor = -1,
                                .tell = studied_tell,
                                .context = test};
}

static inline bool studied_load(struct studied *test, struct study *study)
{
    struct buf problems = {0};
    struct study_options options = {0};

    test->err = (struct err){0};
    bool ok =
        study_load(test->folder, &options, &test->arena, study, &problems, &test->err);
    buf_add_char(&problems, '\0');
    CHECK_TEXT(problems.ptr, "");
    buf_free(&problems);
    return ok;
}

/* Runs, and leaves in `told` what was made; the error is in test->err. */
static inline bool studied_run(struct studied *test)
{
    struct run_options options = studied_options(test);
    struct study study;
    int64_t made;

    buf_clear(&test->told);
    return CHECK(studied_load(test, &study)) &&
           run_study(&study, &options, &made, &test->err);
}

/* Leaves in `told` what is not up to date, and why; without the folder's path. */
static inline bool studied_plan(struct studied *test)
{
    struct run_options options = studied_options(test);
    struct study study;
    struct run_steps steps;
    struct str corpus;

    buf_clear(&test->told);
    if (!CHECK(studied_load(test, &study)) ||
        !run_plan(&study, &options, &test->arena, &steps, &corpus, &test->err))
        return false;
    if (corpus.len > 0)
        buf_add(&test->told, STR("runs corpus\n"));
    for (size_t i = 0; i < steps.count; i++) {
        struct str reason = steps.at[i].reason, folder = str_from(test->folder);
        if (str_starts(reason, folder))
            reason = str_slice(reason, folder.len + 1, reason.len);
        if (reason.len > 0 && studied_shows(steps.at[i].name))
            buf_add_format(&test->told, "%s %.*s: %.*s\n",
                           steps.at[i].open ? "may" : "runs", STR_ARG(steps.at[i].name),
                           STR_ARG(reason));
    }
    return true;
}

static inline void studied_told(struct studied *test, const char *want)
{
    CHECK_TEXT(test->err.text, "");
    buf_add_char(&test->told, '\0');
    CHECK_TEXT(test->told.ptr, want);
}

/* The study that the tests change. */
#define STUDIED_POSTS \
    "Id,PostTypeId,Tags,CreationDate,Score,ViewCount\n" \
    "1,1,<x><a>,2019-01-01,0,10\n2,1,<x><b>,2019-02-01,2,20\n" \
    "3,1,<x><a>,2020-01-01,5,30\n4,1,<z>,2020-02-01,1,40\n"
#define STUDIED_HEAD "study: s\nsource: {posts: p.csv}\n"
#define STUDIED_SETS "sets:\n  x: '[x]'\n  y: 'in:x and score:1..'\n  z: '[z]'\n"
#define STUDIED_GROUPS \
    "groups:\n  g: {first-of: {A: '[a]', B: '[b]'}}\n  c: {labels: l}\n"
#define STUDIED_LABELS \
    "codebooks: {k: k.yaml}\nlabels:\n  l: {from: l.csv, codebook: k}\n"
#define STUDIED_SAMPLES "samples:\n  p: {of: x, size: 2, seed: 1}\n"
#define STUDIED_TABLES \
    "tables:\n  t: {of: x, by: g}\n  u: {of: p}\n  v: {columns: count}\n  w: {of: x, " \
    "by: c}\n"
#define STUDIED_STUDY \
    STUDIED_HEAD STUDIED_SETS STUDIED_GROUPS STUDIED_LABELS STUDIED_SAMPLES STUDIED_TABLES
#define STUDIED_CODEBOOK "codebook: k\ncodes: {one: One, two: Two}\n"
#define STUDIED_CSV      "item,code\n1,one\n2,two\n"

static inline void studied_fill(struct studied *test)
{
    studied_write(test, "p.csv", STUDIED_POSTS);
    studied_write(test, "l.csv", STUDIED_CSV);
    studied_write(test, "k.yaml", STUDIED_CODEBOOK);
    studied_write(test, "study.yaml", STUDIED_STUDY);
}

#endif
