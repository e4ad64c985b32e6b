/* Verb phrases: what somebody wants to do, and to what. Found in titles, unified by a
 * person who decides on what this folder proposes. Pure: texts in, values out. */
#ifndef PHRASE_PHRASE_H
#define PHRASE_PHRASE_H

#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/map.h"
#include "base/str.h"

/* "How to correctly load my saved weights into a model?" is to load (a) weight. */
struct phrase {
    struct str verb;   /* lemma in lower case, "set up" with its particle; empty: none was
                          found */
    struct str object; /* head of what follows it, in the singular; empty: none */
    struct str words;  /* of the text: from the verb to the object's end */
};

/* Words of a corpus, in lower case, which tell names from plurals: what WordNet does not
 * know as the plural of a noun is a name where it is a tag ("polars"), or where three
 * texts have it ("geopandas") and none its singular. */
struct phrase_words {
    struct map tags, seen; /* seen: how often */
};
void phrase_words_add(struct phrase_words *words, struct str text);

/* Of a title, a first sentence, a commit's subject. Without words of the corpus (NULL)
 * all that look like plurals are. The words of the result are a part of text; the rest
 * lives in arena. */
struct phrase phrase_extract(struct str text, const struct phrase_words *words,
                             struct arena *arena);

#define PHRASE_NONE ((size_t)-1)

/* Proposals from what a person has decided: the class (an action, an object) of a text by
 * those of texts whose class is known. Least squares with a penalty, over words of the
 * text, its verb, its object and what they are together, and WordNet's synsets of the
 * verb. */
struct phrase_known {
    const struct str *texts;
    const struct phrase *phrases;
    const size_t *classes; /* of each: below class_count */
    size_t count, class_count;
    const struct str *names;  /* of the classes: one whose words stand in a text is
                                 likelier; NULL: they say nothing */
    const struct str *others; /* what was said of each text at the other level, empty:
                                 nothing; NULL: that is not asked */
};

enum { PHRASE_LEARN_MAX = 3000, PHRASE_PROPOSALS = 3 };

struct phrase_learned {
    size_t count;   /* of the known ones, at most PHRASE_LEARN_MAX, spread evenly */
    size_t *places; /* of these among the known ones */
    size_t *ranks;  /* of each: where its own class stands among the proposals that all
                       others but it make, 0 first; PHRASE_NONE: nowhere */
    size_t *firsts; /* of each: the class that comes first among these proposals */
    void *model;    /* private */
    struct arena *arena;
};

/* Nothing is learned from fewer than two; then nothing is proposed. */
void phrase_learn(const struct phrase_known *known, struct arena *arena,
                  struct phrase_learned *out);

/* At most so many classes, the likeliest first, with their scores, which are about 0 for
 * "no" and 1 for "yes". */
struct phrase_proposal {
    size_t class;
    double score;
};
size_t phrase_propose(const struct phrase_learned *learned, struct str text,
                      const struct phrase *phrase, struct str other,
                      struct phrase_proposal out[PHRASE_PROPOSALS]);

/* Proposals without any decision: pairs of verbs (or objects) that may mean the same, the
 * rarer into the more frequent one, as Liu et al. have it. */
struct phrase_term {
    struct str name;
    int64_t count;        /* of texts */
    const size_t *beside; /* what stands beside it in each: objects of a verb, verbs of an
                             object, by number; PHRASE_NONE: nothing */
    const float *vector;  /* NULL: none */
    const struct phrase_proposal *before; /* terms that what was decided before speaks
                                             for, with scores from 0 to 1 */
    size_t before_count;
};

struct phrase_terms {
    const struct phrase_term *at;
    size_t count;
    char part;         /* 'v' or 'n', of WordNet */
    size_t beside_max; /* numbers of what stands beside are below */
    size_t dimensions; /* of vectors */
};

struct phrase_merge {
    size_t from, into;
    double score;    /* 0 to 1 */
    double synonyms; /* 1: the same synset, 0.7: one is above the other, 0.4: one synset
                        is above both */
    double shared;   /* cosine of what stands beside them */
    double near;     /* cosine of their vectors */
    double before;   /* what was decided before says so */
};

enum {
    PHRASE_TERMS_MAX = 2000
}; /* the most frequent ones are compared, each with each */

/* The likeliest pairs, at most PHRASE_PROPOSALS for each `from`, best first. */
size_t phrase_merges(const struct phrase_terms *terms, struct arena *arena,
                     struct phrase_merge **out);

/* What people decided, in a csv of the study with the columns when, who, level, from,
 * with, item, into, verdict, why. Rows are only ever added: what counts follows from all
 * of them in their order. */
enum phrase_level { PHRASE_ACTION, PHRASE_OBJECT, PHRASE_LEVELS };
enum phrase_verdict { PHRASE_ACCEPT, PHRASE_REFUSE, PHRASE_UNDO, PHRASE_VERDICTS };
extern const char *const phrase_levels[PHRASE_LEVELS];     /* "action", "object" */
extern const char *const phrase_verdicts[PHRASE_VERDICTS]; /* "accept", ... */
extern const char phrase_log_head[];                       /* the csv's first line */

struct phrase_decision {
    struct str when, who, why;
    enum phrase_level level;
    struct str from; /* the verb or object that is merged; of an item any where empty */
    struct str with; /* of a verb: beside this object alone; of an object: beside this
                        verb. Empty: beside any */
    struct str item; /* in this item alone, by its key; empty: in all */
    struct str into;
    enum phrase_verdict verdict;
    int64_t line;
    bool stranger; /* whoever decided is none of those who may: it never counts */
    enum phrase_state {
        PHRASE_COUNTS,
        PHRASE_ALONE, /* counts, though no other of several has put these together */
        PHRASE_REFUSED,
        PHRASE_UNDONE,
        PHRASE_REPLACED, /* by a later one of the same person */
        PHRASE_DISPUTED, /* somebody else has decided otherwise, and no arbiter */
        PHRASE_OVERRULED,
        PHRASE_CIRCLE,     /* it would lead back to where it began */
        PHRASE_OTHER_NAME, /* other people's merges put these together already, under a
                              name that is disputed */
        PHRASE_ABSENT, /* no title has what it is about; whoever has the titles says so */
        PHRASE_STRANGER, /* of somebody whom the study does not name */
        PHRASE_STATES,
    } state;
};
extern const char *const phrase_states[PHRASE_STATES];

struct phrase_log {
    struct phrase_decision *at;
    size_t count;
    size_t unifiers; /* who may decide, but for the arbiter; 0: anybody */
};

/* ERR_INPUT with "path:line: " for a missing column, an unknown level or verdict,
 * a date that cannot be read, an undo of what was never decided, a merge into itself
 * or into nothing; rows that are wrong are told all at once, a line each. */
bool phrase_log_read(struct str text, const char *path, struct arena *arena,
                     struct phrase_log *out, struct err *err) MUST_USE;

/* Of these people and the arbiter decisions count, of no others; with no people named, of
 * all. */
void phrase_log_admit(struct phrase_log *log, const struct str *people, size_t count,
                      struct str arbiter);

/* A row. With the verdict PHRASE_VERDICTS it is one for a person to complete. */
void phrase_log_add(const struct phrase_decision *decision, struct buf *out);

/* Says of each decision whether it counts: of one person (who not empty), or of all. What
 * two persons decide otherwise counts for neither, unless the arbiter has decided. Who
 * puts the same together under another name does not decide otherwise: the first name
 * counts, or the arbiter's. */
void phrase_log_judge(struct phrase_log *log, struct str who, struct str arbiter,
                      struct arena *arena);

bool phrase_log_counts(const struct phrase_decision *decision);

/* Tells whose something is without their name. */
struct str phrase_log_whose(struct str person, struct arena *arena);

/* What a decision is about: level, from, with, item and, unless it is about what only one
 * of several can be, into. Who decided plays no part. */
struct str phrase_log_key(const struct phrase_decision *decision, bool with_into,
                          struct arena *arena);

/* The persons in the order in which they first come. */
size_t phrase_log_people(const struct phrase_log *log, struct arena *arena,
                         struct str **out);

/* What the decisions that count make of a phrase. A zeroed one with its maps leaves all
 * as it is. */
struct phrase_unifier {
    void *merges; /* private */
};
struct phrase_unifier phrase_unify(const struct phrase_log *log, struct arena *arena);
struct str phrase_unified(const struct phrase_unifier *unifier, enum phrase_level level,
                          const struct phrase *phrase, struct str item);

#endif
