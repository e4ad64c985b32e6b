/* What studies print about topics: how many posts each has, how they fall over years and
 * codes, how popular and how difficult they are. A document counts for the topic that has
 * the largest share in it. */
#ifndef TOPIC_TABLES_H
#define TOPIC_TABLES_H

#include "stats/correlation.h"
#include "topic/lda.h"

#define TABLES_NONE SIZE_MAX

/* Of each document its main topic, the first of equals; TABLES_NONE for one without
 * words. */
size_t *tables_main_topics(const struct lda_model *model, const struct tokens *tokens,
                           struct arena *arena);

/* The documents with the largest shares of a topic, the longer one of equals first, then
 * the earlier one; only those whose main topic it is. The result is how many there are,
 * up to `count`. */
size_t tables_typical(const struct lda_model *model, const struct tokens *tokens,
                      const size_t *main_topics, size_t topic, size_t count, size_t *out);

/* Documents of each topic and group: out[topic * groups + group]. A document's group is
 * group_of[d], TABLES_NONE: none. */
void tables_cross(const size_t *main_topics, const size_t *group_of, size_t documents,
                  size_t topics, size_t groups, int64_t *out);

/* What is known of each document; NULL: nothing of that kind, NAN: not of this one. */
struct tables_measures {
    const double *views, *score;
    const double *accepted; /* 1 or 0: has an accepted answer */
    const double *hours;    /* until that was written */
};

struct tables_topic {
    int64_t posts;           /* whose main topic it is */
    double share;            /* of all tokens */
    double views, score;     /* means over its posts */
    double without_accepted; /* share of its posts */
    double hours;            /* median */
};

/* A value that no post has is NAN. */
void tables_topics(const struct lda_model *model, const size_t *main_topics,
                   const struct tables_measures *measures, struct arena *arena,
                   struct tables_topic *out);

/* Are popular topics difficult ones? Each measure of popularity (views, score) with each
 * of difficulty (share without accepted answer, hours), over topics. */
struct tables_relation {
    const char *popularity, *difficulty;
    struct correlation spearman, kendall;
};

enum { TABLES_RELATIONS = 4 };
void tables_relations(const struct tables_topic *topics, size_t count,
                      struct arena *arena, struct tables_relation out[TABLES_RELATIONS]);

#endif
