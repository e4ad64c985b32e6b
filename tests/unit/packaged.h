/* For tests of packages: a small study on the disk, brought up to date. */
#ifndef TESTS_UNIT_PACKAGED_H
#define TESTS_UNIT_PACKAGED_H

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "run/run.h"
#include "tests/tap.h"

struct packaged {
    char folder[40];
    const char *file; /* the study's */
    struct arena arena;
    struct study study;
    struct err err;
};

static inline const char *packaged_path(struct packaged *test, const char *name)
{
    return file_join(test->folder, name, &test->arena);
}

static inline void packaged_write(struct packaged *test, const char *name,
                                  const char *text)
{
    char *parent = arena_c_string(&test->arena, str_from(packaged_path(test, name)));
    const char *made;

    *strrchr(parent, '/') = '\0';
    CHECK(file_make_folder(parent, &test->arena, &made, &test->err) &&
          file_write(packaged_path(test, name), str_from(text), &test->err));
}

/* The file's text, or "" when it is not there. */
static inline const char *packaged_read(struct packaged *test, const char *name)
{
    struct err err = {0};
    struct str text;

    return file_read(packaged_path(test, name), &test->arena, &text, &err)
               ? arena_c_string(&test->arena, text)
               : "";
}

static const char packaged_study[] =
    "study: s\n"
    "title: A small study\n"
    "source: {posts: p.csv, site: ai.example.com}\n"
    "sets: {B: '[a] or [b]', none: '[c]'}\n"
    "samples: {two: {of: B, size: 2, seed: 1}}\n"
    "labels: {l: {from: ./labels/l.csv, item: id, rater: who}}\n"
    "groups: {code: {labels: l}}\n"
    "tables:\n"
    "  t: {of: B, by: code, columns: [count]}\n"
    "  f: {from: f.csv}\n";

static inline void packaged_tell(void *context, struct str step, const char *what,
                                 struct str text)
{
    (void)context, (void)step, (void)what, (void)text;
}

static const struct run_options packaged_options = {.version = "1.2",
                                                    .threads = 1,
                                                    .quiet = true,
                                                    .rest_bytes = 1000000,
                                                    .descriptor = -1,
                                                    .tell = packaged_tell};

static inline bool packaged_run(struct packaged *test)
{
    struct buf problems = {0};
    int64_t made;
    bool ok = study_load(packaged_path(test, test->file), &(struct study_options){0},
                         &test->arena, &test->study, &problems, &test->err) &&
              run_study(&test->study, &packaged_options, &made, &test->err);

    if (!ok)
        printf("# %.*s%s\n", STR_ARG(buf_str(&problems)), test->err.text);
    buf_free(&problems);
    return ok;
}

/* Four questions, two of them labelled by two people, and a table of others. */
static inline bool packaged_open(struct packaged *test, const char *study)
{
    *test = (struct packaged){.folder = "/tmp/assay-test-XXXXXX", .file = "study.yaml"};
    if (!CHECK(mkdtemp(test->folder) != NULL))
        return false;
    packaged_write(test, "study.yaml", study);
    packaged_write(test, "p.csv",
                   "Id,PostTypeId,CreationDate,Score,Tags,Title,Body,OwnerUserId\n"
                   "3,1,2010-01-01,5,<a>,\"Q \"\"3\"\"\",<p>x</p>,77\n"
                   "4,1,2015-01-01,,<a><b>,Q4,<p>y</p>,78\n"
                   "7,1,2020-01-01,-1,<b>,Q7,<p>z</p>,79\n"
                   "9,1,2020-01-01,0,<d>,Q9,<p>w</p>,80\n");
    packaged_write(test, "labels/l.csv",
                   "id,code,who\n4,x,Zoe\n4,x,Ann\n7,y,Ann\n7,y,Zoe\n");
    packaged_write(test, "f.csv", "kind,found\ncrash,12\n");
    return CHECK(packaged_run(test));
}

static inline int packaged_remove(const char *path, const struct stat *status, int kind,
                                  struct FTW *place)
{
    (void)status, (void)kind, (void)place;
    return remove(path);
}

static inline void packaged_close(struct packaged *test)
{
    CHECK(nftw(test->folder, packaged_remove, 8, FTW_DEPTH | FTW_PHYS) == 0);
    arena_free(&test->arena);
}

#endif
