/* Which tags belong to a subject, as studies choose them. From tags that surely do, the
 * seeds, others are found: a candidate is relevant by the share of its questions that
 * have a seed tag, and significant by the share of the questions with a seed tag that
 * carry it (Rosen and Shihab, "What are mobile developers asking about?", Empirical
 * Software Engineering 21, 2016; Yang, Lo, Xia, Wan and Sun, "What security questions do
 * developers ask?", JCST 31, 2016). */
#ifndef DUMP_TAGSET_H
#define DUMP_TAGSET_H

#include "base/list.h"
#include "base/map.h"
#include "query/query.h"

/* A tag in small letters, with all that mean the same. */
struct dump_tagset_tag {
    struct str name;   /* the one of them that is no synonym */
    bool seed;         /* all of them are */
    int64_t questions; /* that have one of them */
    int64_t seeded;    /* and a seed tag */
};

/* A tag as a question has it, in small letters. */
struct dump_tagset_written {
    uint32_t number; /* of the tag that it means */
    bool seed;
};

/* Tags of questions as they come. */
struct dump_tagset {
    struct arena *arena;
    const struct str *seeds; /* tags; with a * at the end all that begin so */
    size_t seed_count;
    const struct query_synonyms *synonyms; /* NULL: none */
    struct map numbers, written_numbers;
    LIST(struct dump_tagset_tag) tags;
    LIST(struct dump_tagset_written) written;
    struct buf folded;
    int64_t questions, seeded; /* all, and those with a seed tag */
    /* Of each question without a seed tag the numbers of its tags, the last with LAST. */
    LIST(uint32_t) others;
};

/* Whether a tag is one of the seeds, or begins as one with a star; all in small letters.
 */
bool dump_tagset_has(const struct str *seeds, size_t count, struct str tag);

/* Tags are compared without regard to case, as queries do; seeds live in the arena. */
void dump_tagset_open(struct dump_tagset *tagset, const struct str *seeds,
                      size_t seed_count, const struct query_synonyms *synonyms,
                      struct arena *arena);
void dump_tagset_add(struct dump_tagset *tagset, struct str list); /* of a question */
void dump_tagset_free(struct dump_tagset *tagset);

/* The same from questions that somebody else has counted: how many there are, how many
 * have a tag, and how many without a seed tag have these tags together, as far as they
 * matter. */
void dump_tagset_add_questions(struct dump_tagset *tagset, int64_t questions,
                               int64_t seeded);
void dump_tagset_add_tag(struct dump_tagset *tagset, struct str tag, int64_t questions,
                         int64_t seeded);
void dump_tagset_add_together(struct dump_tagset *tagset, struct str list,
                              int64_t questions);

/* The tag nearest to the first seed, for a message when no question has one; empty: none
 * is near. */
struct str dump_tagset_near(const struct dump_tagset *tagset);

struct dump_tagset_limits {
    double relevance, significance; /* at least */
};

/* The limits that published tables go over, each of one with each of the other. */
enum { DUMP_TAGSET_STEPS = 6 };
extern const double dump_tagset_relevances[DUMP_TAGSET_STEPS];
extern const double dump_tagset_significances[DUMP_TAGSET_STEPS];

struct dump_tagset_candidate {
    struct str name;
    int64_t questions, seeded;
    double relevance, significance;
    int64_t adds;   /* questions without a seed tag that have it */
    int64_t beyond; /* of them those without any candidate before it */
    uint32_t number;
};

/* The tags within limits, the most significant first, of equals by name. Some question
 * has a seed tag. */
struct dump_tagset_candidate *dump_tagset_candidates(const struct dump_tagset *tagset,
                                                     struct dump_tagset_limits limits,
                                                     struct arena *arena, size_t *count);

/* Names of the tags within limits, in no order. */
struct str *dump_tagset_within(const struct dump_tagset *tagset,
                               struct dump_tagset_limits limits, struct arena *arena,
                               size_t *count);

/* How many tags limits take, and questions without a seed tag that have one of them. */
struct dump_tagset_taken {
    int64_t tags, adds;
};

struct dump_tagset_taken dump_tagset_taken(const struct dump_tagset *tagset,
                                           struct dump_tagset_limits limits);

/* Which candidates stand together in questions without a seed tag, and in how many: what
 * any choice of candidates adds follows from it. */
struct dump_tagset_together {
    const uint32_t *candidates; /* ascending; at least one */
    size_t count;
    int64_t questions;
};

/* By their candidates, so that the order of questions does not matter. */
struct dump_tagset_together *
dump_tagset_together(const struct dump_tagset *tagset,
                     const struct dump_tagset_candidate *candidates, size_t count,
                     struct arena *arena, size_t *together_count);

#endif
