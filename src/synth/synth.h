/* Simulated Stack Exchange dumps with planted truth: a study tool is validated on data
 * whose truth is known. */
#ifndef SYNTH_SYNTH_H
#define SYNTH_SYNTH_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/lock.h"
#include "base/progress.h"
#include "synth/model.h"

/* Names as the user gives them, in the order of the enumerations below. */
#define SYNTH_LAYOUTS "classic|2024-pipe|2025-comment"
#define SYNTH_DAMAGES \
    "cut-file|bad-entity|control-characters|missing-attributes|orphan-answers|" \
    "missing-accepted|negative-wait|duplicate-ids|huge-body"

enum synth_layout {
    SYNTH_CLASSIC,      /* byte-order mark, CR LF, tags as <a><b> */
    SYNTH_2024_PIPE,    /* the same with tags as |a|b| and a licence on every post */
    SYNTH_2025_COMMENT, /* LF, a comment before the root, rows in no order, two planted
                         * posts */
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
    const char *version;  /* of the program, for truth.json */
    double confusion;     /* 0 .. 1; negative: as the settings say */
    bool plant; /* also what extracts, phrases and ask are to find: planted.csv */
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

enum { SYNTH_TAGS_MAX = 160 };

/* Chances are added up as multiples of 1 / SYNTH_ONE: exactly, in any order. */
#define SYNTH_ONE (INT64_C(1) << 30)

/* What was planted, counted. Labels are counted by section and label. */
struct synth_counts {
    int64_t questions, background_questions, answers, wikis, planted;
    int64_t damaged; /* rows */
    int64_t accepted, closed, endorsed, with_code, how_to;
    int64_t labels[SYNTH_MODEL_SECTIONS][SYNTH_MODEL_LABELS_MAX];
    int64_t chances[SYNTH_MODEL_SECTIONS]
                   [SYNTH_MODEL_LABELS_MAX]; /* of the labels, added up */
    int64_t accepted_by_kind[SYNTH_MODEL_KIND_COUNT];
    int64_t second_kind[SYNTH_MODEL_KIND_COUNT];
    int64_t kind_by_year[SYNTH_MODEL_YEARS_MAX][SYNTH_MODEL_KIND_COUNT];
    int64_t framework_by_year[SYNTH_MODEL_YEARS_MAX][SYNTH_MODEL_FRAMEWORK_COUNT];
    int64_t platform_by_year[SYNTH_MODEL_YEARS_MAX][SYNTH_MODEL_PLATFORM_COUNT];
    int64_t by_year[SYNTH_MODEL_YEARS_MAX]; /* questions about deep learning */
    int64_t tags[SYNTH_TAGS_MAX];
};

struct synth_summary {
    struct synth_model model;
    struct synth_counts counts;
    struct {
        int64_t rows, bytes;
        uint64_t hash; /* XXH3, 64 bits */
    } files[SYNTH_FILES];
};

const char *synth_file_name(enum synth_file file);
struct str synth_layout_name(enum synth_layout layout);
struct str synth_damage_name(enum synth_damage damage); /* "none" for SYNTH_WHOLE */

/* Writes the dump into options->folder, which is made if need be. Files appear under
 * their names only when all of them are complete; a folder that holds a dump which is not
 * a simulated one is left alone (ERR_INPUT). The summary's text lives in arena. */
bool synth_write(const struct synth_options *options, struct progress *progress,
                 struct arena *arena, struct synth_summary *summary,
                 struct err *err) MUST_USE;

/* Simulated repositories: git bundles with bugs that commits put right, and the truth
 * about every commit. */

struct synth_repositories_options {
    const char *folder;
    int64_t repositories;
    int64_t commits; /* of each, on its main branch; about */
    uint64_t seed;
    const char *settings; /* as above */
    const char *version;
};

struct synth_repositories_summary {
    int64_t repositories, forks;
    int64_t commits, merges, says_fix, bots, copies, renames, shared;
    /* Commits that put bugs right, those of them that say so, and the bugs; without
     * copies. */
    int64_t fixing;
    int64_t fixing_says;
    int64_t bugs;
};

/* Writes repositories/NAME.bundle, commits.csv, bugs.csv and, last, repositories.json
 * into the folder, which is made if need be; bundles of an older run go. A folder
 * repositories/ that assay synth did not write is left alone (ERR_INPUT). */
bool synth_repositories_write(const struct synth_repositories_options *options,
                              struct arena *arena,
                              struct synth_repositories_summary *summary,
                              struct err *err) MUST_USE;
void synth_repositories_text(const struct synth_repositories_options *options,
                             const struct synth_repositories_summary *summary,
                             struct buf *out);

/* What a simulated dump holds, for programs (truth.json) and for people. */

void synth_census_json(const struct synth_options *options,
                       const struct synth_summary *summary, struct buf *out);

/* A page of plain text: files, questions by year and framework, planted and found. */
void synth_census_text(const struct synth_options *options,
                       const struct synth_summary *summary, struct buf *out);

/* The folder that a simulated dump goes to: whether it may, and one run at a time. */

#define SYNTH_FOLDER_MARGINALS "truth.json" /* says that all others are whole */
#define SYNTH_FOLDER_PLANTED   "planted.csv"

/* A real dump must not be overwritten by a simulated one. truth.json.part is left by a
 * run that was killed while it gave the files their names. */
bool synth_folder_check(const char *folder, struct arena *arena,
                        struct err *err) MUST_USE;

/* Whether the folder holds a dump that synth_write() made. */
bool synth_folder_is_simulated(const char *folder, struct arena *arena, bool *simulated,
                               struct err *err) MUST_USE;

/* `path` is that of the lock file, which goes with its holder; what another process
 * opened just before that is no lock any more. */
bool synth_folder_lock(const char *path, struct lock *lock, struct err *err) MUST_USE;

#endif
