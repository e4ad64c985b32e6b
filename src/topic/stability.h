/* Would another seed find the same topics? The topics of two runs are matched one to one
 * so that their top words overlap most in all (Hungarian method: Kuhn, Naval Research
 * Logistics Quarterly 2, 1955); overlap is rank-biased (Webber, Moffat and Zobel, "A
 * similarity measure for indefinite rankings", ACM TOIS 28, 2010, extrapolated, p = 0.9):
 * 1 for the same words in the same order, 0 for none in common. */
#ifndef TOPIC_STABILITY_H
#define TOPIC_STABILITY_H

#include "base/arena.h"

/* Of two lists of `count` different words each. */
double stability_overlap(const uint32_t *a, const uint32_t *b, size_t count);

/* to[i] is the partner of i, such that the sum of likeness[i * count + to[i]] is the
 * largest possible. */
void stability_match(const double *likeness, size_t count, struct arena *arena,
                     size_t *to);

struct stability {
    double mean;          /* over all pairs of runs and their topics; NAN with one run */
    size_t typical;       /* the run most like the others */
    const double *topics; /* of that run: mean overlap with their partners; or NAN */
};

struct stability_runs {
    const uint32_t *const
        *words;   /* of each run, by topic and rank: [topic * top + rank] */
    size_t count; /* runs */
    size_t topics, top;
};

struct stability stability_of(const struct stability_runs *runs, struct arena *arena);

#endif
