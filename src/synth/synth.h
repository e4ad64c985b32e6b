/* Simulated Stack Exchange dumps with planted truth: a study tool is validated on data
 * whose truth is known. */
#ifndef SYNTH_SYNTH_H
#define SYNTH_SYNTH_H

#include "base/err.h"
#include "base/progress.h"
#include "synth/model.h"
#include "synth/tags.h"

enum synth_layout {
    SYNTH_CLASSIC,      /* byte-order mark, tags as <a><b> */
    SYNTH_2024_PIPE,    /* tags as |a|b|, a licence on every post */
    SYNTH_2025_COMMENT, /* a comment before the root, rows in no order, two planted posts
                         */
};

enum synth_damage {
    SYNTH_WHOLE,
    SYNTH_CUT_FILE,           /* Posts.xml ends inside a row */
    SYNTH_BAD_ENTITY,         /* &bogus; in some bodies */
    SYNTH_CONTROL_CHARACTERS, /* bytes that XML does not allow */
    SYNTH_MISSING_ATTRIBUTES, /* dates, scores, owners left out */
    SYNTH_ORPHAN_ANSWERS,     /* answers whose question is not there */
    SYNTH_MISSING_ACCEPTED,   /* accepted answers that are not there */
    SYNTH_NEGATIVE_WAIT,      /* answers older than their question */
    SYNTH_DUPLICATE_IDS,      /* rows that stand twice */
    SYNTH_HUGE_BODY,          /* one body of 16 MB */
};

struct synth_options {
    const char *folder;
    int64_t questions;  /* about deep learning */
    int64_t background; /* other posts */
    uint64_t seed;
    enum synth_layout layout;
    enum synth_damage damage;
    const char *settings; /* path of a settings file; NULL: the published marginals */
    double confusion;     /* 0 .. 1; negative: as the settings say */
    int threads;
};

enum synth_file {
    SYNTH_POSTS,
    SYNTH_USERS,
    SYNTH_TAGS,
    SYNTH_COMMENTS,
    SYNTH_VOTES,
    SYNTH_POST_LINKS,
    SYNTH_TRUTH,
    SYNTH_FILES,
};

enum { SYNTH_LABELS_MAX = 80, SYNTH_TAGS_MAX = 160 };

/* What was planted, counted. Labels are counted by section and label. */
struct synth_counts {
    int64_t questions, background_questions, answers, wikis, planted;
    int64_t damaged; /* rows */
    int64_t accepted, closed, endorsed, with_code, how_to;
    int64_t labels[MODEL_SECTIONS][SYNTH_LABELS_MAX];
    int64_t accepted_by_kind[MODEL_KIND_COUNT];
    int64_t second_kind[MODEL_KIND_COUNT];
    int64_t kind_by_year[MODEL_YEARS_MAX][MODEL_KIND_COUNT];
    int64_t framework_by_year[MODEL_YEARS_MAX][MODEL_FRAMEWORK_COUNT];
    int64_t platform_by_year[MODEL_YEARS_MAX][MODEL_PLATFORM_COUNT];
    int64_t by_year[MODEL_YEARS_MAX]; /* questions about deep learning */
    int64_t tags[SYNTH_TAGS_MAX];
};

struct synth_summary {
    struct model model;
    struct synth_counts counts;
    struct {
        int64_t rows, bytes;
        uint64_t hash; /* XXH3, 64 bits */
    } files[SYNTH_FILES];
};

const char *synth_file_name(enum synth_file file);

/* Writes the dump into options->folder, which is made if need be. Files appear under
 * their names only when all of them are complete; a folder that holds a dump which is not
 * a simulated one is left alone (ERR_INPUT). The summary's text lives in arena. */
bool synth_write(const struct synth_options *options, struct progress *progress,
                 struct arena *arena, struct synth_summary *summary,
                 struct err *err) MUST_USE;

#endif
