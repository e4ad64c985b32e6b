/* One pass over the posts of a dump: which of them meet a query, with their answers if
 * wanted, and a census of all of them on the way. */
#ifndef DUMP_SELECT_H
#define DUMP_SELECT_H

#include "base/idset.h"
#include "dump/judge.h"
#include "dump/scan.h"
#include "dump/tally.h"

/* What is found out about the dump as a whole; see the health report. */
struct dump_select_health {
    int64_t questions, answers, others; /* rows by type, planted ones left out */
    int64_t typed;                      /* rows with a PostTypeId */
    int64_t planted;                    /* posts 1000000001 and 1000000010 */
    int64_t duplicates;                 /* rows whose id was there before */
    int64_t late;                       /* posts from `until_ms` on, left out */
    int64_t no_date;                    /* posts without a creation date */
    int64_t orphans;                    /* answers whose question is not in the dump */
    int64_t accepted;                   /* questions with an accepted answer */
    int64_t accepted_missing;           /* of these, whose answer is not in the dump */
    int64_t first_ms, last_ms;          /* of all posts; ITEM_NONE: no post has a date */
    int64_t tags_in_angles, tags_in_bars, tags_missing; /* questions by spelling */
    struct dump_judge_doubts doubts; /* about posts, as far as they were looked at: all of
                                   those that were taken */
};

struct dump_select_job {
    const struct query_compiled *query;
    const struct query_node *node;      /* the same query as a tree */
    const struct query_compiled *other; /* counted along, see dump_judge_compare() */
    int64_t newest_ms;                  /* see struct query_item */
    struct dump_judge_origin origin;
    bool answers;     /* the query is for questions, and their answers are taken too */
    bool census;      /* fill tally and health; planted, late and repeated posts are left
                         out of everything */
    int64_t until_ms; /* with census; INT64_MAX: no end */
    int threads;
    bool skip_broken, hash;
    struct progress *progress;

    void *context;
    /* On any thread: a post that is taken; what it adds to out comes to `take` in the
     * order of the file. NULL: nothing is wanted but the count. */
    void (*make)(void *context, struct dump_judge *judge, const struct dump_rows_row *row,
                 struct buf *out);
    /* On the calling thread. NULL: nothing is wanted. */
    enum dump_scan_next (*take)(void *context, struct str bytes, struct err *err);
    /* On the calling thread, now and then, when all that was taken is behind
     * `scan->bytes`: the state can be saved and a later pass go on from here. NULL: not
     * wanted. */
    bool (*rest)(void *context, const struct dump_scan_part *place, struct err *err);
};

struct dump_select_late {
    int64_t answer, question;
};

/* Where a pass stands; all zeros at the beginning of the dump. */
struct dump_select_state {
    int64_t taken, taken_answers;
    int64_t other;              /* posts that meet job->other; not saved */
    struct idset seen, matched; /* ids of questions; filled when answers are wanted */
    struct idset early;         /* questions whose answers are looked for once more: they
                                   came before them, or it is split */
    struct idset split;         /* questions that stand several times, taken and not */
    struct idset given;         /* ids of answers that were taken */
    struct idset ids, accepted; /* with census: all posts; accepted answers */
    struct buf early_answers;   /* with census: for each of these answers its question */
    struct buf late_answers;    /* with an end: struct dump_select_late of each answer of
                                   after it whose question is taken or unknown by then;
                                   of split ones some stand twice */
    bool again;                 /* a second pass is needed */
    struct dump_tally tally;
    struct dump_select_health health;
    struct dump_scan_result scan;
    int64_t start, start_line; /* of the pass to come */
};

void dump_select_state_free(struct dump_select_state *state);

/* Goes over the posts from state->start on, to the end of the dump. Answers that came
 * before their question are taken in a second pass over the same file, when there are
 * any.
 *
 * An id may stand in several rows. Each row of a question is judged by itself, and each
 * that meets the query is given; answers are taken when any row of their question is.
 * Given in the first pass are those that have a taken row of their question before them
 * and none that is not; all others in the second, each pass in the order of the file. Of
 * an answer the row that comes first in this order is given and no other. So where parts
 * begin and how far the merge has come make no difference. */
bool dump_select_posts(struct input *input, size_t member,
                       const struct dump_select_job *job, struct dump_select_state *state,
                       struct err *err) MUST_USE;

/* Packed into bytes, so that a later pass can go on from here, and back; false when bytes
 * are no such thing. */
void dump_select_save(const struct dump_select_state *state, struct buf *out);
bool dump_select_load(struct dump_select_state *state, struct str bytes);

#endif
