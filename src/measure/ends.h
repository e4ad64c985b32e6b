/* When observation began and ended. There is one rule, by which waits are censored,
 * periods are complete or not, and "the last 365 days" begin: a source ends with its
 * `until`; without one, with its newest item, whether the study takes that or not. It
 * begins with its oldest. Sources of one site are observed from where the first of them
 * begins until the last of them ends. What rests on several sites is complete from where
 * the last of them begins up to where the first of them ends, and there is nothing before
 * the first and after the last. What rests on one site is complete from the period on in
 * which that begins: nothing tells how much of it is missing. */
#ifndef MEASURE_ENDS_H
#define MEASURE_ENDS_H

#include "measure/table.h"
#include "result/numbers.h"
#include "store/corpus.h"
#include "study/study.h"

/* The first moment of each source that was not observed, where it has an `until`, else
 * the last that was; ITEM_NONE: nobody knows. As censoring takes them. The first moments
 * that were go to begins, which may be NULL. */
bool measure_ends_of_sources(const struct study *study, struct store *corpus,
                             struct arena *arena, int64_t **begins, int64_t **out,
                             struct err *err) MUST_USE;

/* The first and the last moments that were observed, of each space (see item/key.h). */
struct measure_ends {
    const struct item_spaces *spaces;
    int64_t *ms;      /* of each space; ITEM_NONE: nobody knows, or it is none */
    struct str *name; /* of the source that ends last */
    int64_t *begin_ms;      /* the first moments; ITEM_NONE: nobody knows, or it is none */
    struct str *begin_name; /* of the source that begins first */
    size_t sites;           /* spaces that there are */
};

bool measure_ends_of_spaces(const struct study *study, struct store *corpus,
                            struct arena *arena, struct measure_ends *out,
                            struct err *err) MUST_USE;

/* The last of all; ITEM_NONE: nobody knows. */
int64_t measure_ends_last(const struct measure_ends *ends);

/* The year, quarter or month in which a source ends that was not over then; empty: it
 * was, or end is ITEM_NONE. */
struct str measure_ends_cut(enum study_grouping period, int64_t end, struct arena *arena);

/* How far the sources behind a number tell of its period. */
enum measure_ends_state {
    MEASURE_ENDS_WHOLE, /* it is of no period, or all was observed */
    MEASURE_ENDS_CUT,   /* a source began or ended within it */
    MEASURE_ENDS_LACKS, /* a source began after it or ended before it, another did not */
    MEASURE_ENDS_NONE,  /* all did: there are no data, whatever stands there */
};

/* Of what rests on these spaces, and is of one period or of two at once (NULL: none).
 * Adds the beginnings and ends of sources that it lacks something beyond, as
 * measure_ends_gather() does. */
enum measure_ends_state measure_ends_judge(const struct measure_ends *ends,
                                           const bool *spaces,
                                           const struct measure_table_period *periods[2],
                                           struct arena *arena, struct buf *lacking);

/* Which numbers of a table are of unfinished periods. */
struct measure_unfinished {
    const enum measure_ends_state *states; /* of each number; NULL: all are whole */
    const struct str *ends; /* of those that are not; see measure_ends_gather() */
    struct str last;        /* where there is one site: the only unfinished period; and */
    struct str ended;       /* the day of its end. Both empty: there are several sites */
};

/* A table of results that tells of a table's numbers which are of unfinished periods. Of
 * studies of several sites alone, with a row for each such number: else there is none and
 * out->column_count is 0. The table's notes tell of periods that lack a source. */
#define MEASURE_ENDS_TABLE "unfinished"
void measure_ends_tell(struct measure_table *table, const struct measure_ends *ends,
                       struct arena *arena, struct result_table *out);

/* Reads that, for the numbers of the table. told: NULL: all are whole. */
void measure_ends_read(const struct result_table *told,
                       const struct result_numbers *numbers, struct arena *arena,
                       struct measure_unfinished *out);

/* The same where there is one site, whose numbers need no such table. */
void measure_ends_mark(enum study_grouping period, int64_t end,
                       const struct result_numbers *numbers, struct arena *arena,
                       struct measure_unfinished *out);

enum measure_ends_state measure_ends_state(const struct measure_unfinished *unfinished,
                                           size_t number);

/* The beginnings and ends of sources that several numbers lack something beyond, each
 * once: adds those of one more. Then for people: "gis until 2021-06-30, rows from
 * 2015-02-16". */
void measure_ends_gather(const struct measure_unfinished *unfinished, size_t number,
                         struct buf *ends);
struct str measure_ends_show(struct str ends, struct arena *arena);

#endif
