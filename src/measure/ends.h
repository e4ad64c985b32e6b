/* When observation ended. There is one rule, by which waits are censored, periods are
 * complete or not, and "the last 365 days" begin: a source ends with its `until`; without
 * one, with its newest item, whether the study takes that or not. Sources of one site are
 * observed until the last of them ends. What rests on several sites is complete up to
 * where the first of them ends, and there is nothing after the last. */
#ifndef MEASURE_ENDS_H
#define MEASURE_ENDS_H

#include "measure/table.h"
#include "result/numbers.h"
#include "store/corpus.h"
#include "study/study.h"

/* The first moment of each source that was not observed, where it has an `until`, else
 * the last that was; ITEM_NONE: nobody knows. As censoring takes them. */
bool measure_ends_of_sources(const struct study *study, struct store *corpus,
                             struct arena *arena, int64_t **out,
                             struct err *err) MUST_USE;

/* The last moments that were observed, of each space (see item/key.h). */
struct measure_ends {
    const struct item_spaces *spaces;
    int64_t *ms;      /* of each space; ITEM_NONE: nobody knows, or it is none */
    struct str *name; /* of the source that ends last */
    size_t sites;     /* spaces that there are */
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
    MEASURE_ENDS_CUT,   /* a source ended within it */
    MEASURE_ENDS_LATER, /* a source ended before it, another did not */
    MEASURE_ENDS_AFTER, /* all had ended before it: there are no data, whatever stands
                           there */
};

/* Of what rests on these spaces, and is of one period or of two at once (NULL: none).
 * Adds the ends of sources that it lacks something behind, as measure_ends_gather() does.
 */
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

/* The ends of sources that several numbers lack something behind, each once: adds those
 * of one more. Then for people: "gis until 2021-06-30, rows until
 * 2024-02-16". */
void measure_ends_gather(const struct measure_unfinished *unfinished, size_t number,
                         struct buf *ends);
struct str measure_ends_show(struct str ends, struct arena *arena);

#endif
