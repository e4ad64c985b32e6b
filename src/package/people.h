/* What the people of a study are called in its package, and their labels under these
 * names. */
#ifndef PACKAGE_PEOPLE_H
#define PACKAGE_PEOPLE_H

#include "result/numbers.h"
#include "study/study.h"

struct package_people {
    struct package_person *at;
    size_t count;
};

/* Everybody whom the study file, labels.db or a file of labels names. The order of the
 * new names follows from a hash of the names and of what is not published. Names that
 * are all of our making stay. */
bool package_find_people(const struct study *study, struct arena *arena,
                         struct package_people *out, struct err *err) MUST_USE;

/* What somebody is called; a name that nobody bears stays. */
struct str package_called(const struct package_people *people, struct str name);

/* The i-th name that nobody is to read in the package; empty: it is called the same. */
struct str package_person_name(const struct package_people *people, size_t i);

/* The new names of several people, ascending. */
struct str *package_call_all(const struct package_people *people, const struct str *names,
                             size_t count, struct arena *arena);

/* Rows of two raters, "Zoe and Ann", become what they are called in the package. */
void package_call_numbers(const struct package_people *people,
                          struct result_numbers *numbers, size_t count,
                          struct arena *arena);

/* Writes the study's labels.db anew to `to`: what everybody said and decided in which
 * round, without memos, times of day, durations, names of files and links of people. */
bool package_copy_labels(const struct study *study, const struct package_people *people,
                         const char *to, struct arena *arena, struct err *err) MUST_USE;

/* Columns of a file of labels that the study reads. */
struct package_columns {
    struct str *raters, *others;
    size_t rater_count, other_count;
    bool all; /* and all that is neither, as it is */
};

/* The csv with these columns alone, raters renamed, parted by commas; where it names
 * raters, rows ascend. An empty name stays empty. The result lives in arena. */
bool package_rename_raters(struct str csv, const char *path,
                           const struct package_columns *columns,
                           const struct package_people *people, struct arena *arena,
                           struct str *out, struct err *err) MUST_USE;

/* The log of decisions on phrases, in its order, which says what counts; of moments the
 * day, whoever decided renamed, and no word why. The result lives in arena. */
bool package_rename_deciders(struct str csv, const char *path,
                             const struct package_people *people, struct arena *arena,
                             struct str *out, struct err *err) MUST_USE;

/* The decisions on tags as a csv, whoever decided renamed. It lives in arena. */
struct str package_tag_decisions(const struct study_tagset *tagset,
                                 const struct package_people *people,
                                 struct arena *arena);

#endif
