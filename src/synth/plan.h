/* The skeleton of a simulated dump: who asks and answers what and when, with ids, but
 * without text. A dump is planned in blocks that do not depend on each other, so that
 * they can be made in any order and by any number of threads. */
#ifndef SYNTH_PLAN_H
#define SYNTH_PLAN_H

#include "synth/model.h"
#include "synth/tags.h"

struct plan {
    const struct model *model;
    uint64_t seed;
    int64_t questions;  /* about deep learning */
    int64_t background; /* other posts */
    int64_t users;
    size_t blocks;
};

/* How many ids of each table a block uses: where the next one begins. */
struct plan_ids {
    int64_t posts, comments, votes, links;
};

struct plan_question {
    struct model_truth truth;
    bool background;
    int topic;     /* of a background question */
    bool by_words; /* the text must tell the platform */
    int year;
    double share; /* of the corpus that came before */
    int64_t id, created_ms, closed_ms, active_ms;
    int64_t accepted_id;   /* 0: none */
    int64_t asker;         /* 0: a deleted user */
    int64_t first_wait_ms; /* until the first answer; -1: none */
    struct tags tags;
    int64_t link_to; /* the id of an earlier question; 0: none */
    bool duplicate;
    int64_t favorites; /* people who keep the question */
    int bounty;        /* given for the accepted answer; 0: none */
};

struct plan_post {
    int64_t id, created_ms;
    size_t question; /* in the block */
    int answer;      /* 0: the question itself; 1: its accepted or first planned answer */
    int64_t owner;   /* 0: a deleted user */
    int64_t score;
    int down_votes; /* what the score hides */
    int comments;
    bool endorsed; /* the asker's comment says that it helped */
};

struct plan_block {
    struct plan_question *questions;
    size_t question_count;
    struct plan_post *posts; /* by time */
    size_t post_count;
    struct plan_ids first; /* ids that this block begins with */
    struct plan_ids used;
};

struct plan plan_make(const struct model *model, uint64_t seed, int64_t questions,
                      int64_t background);

/* Plans block number `block`, whose ids begin at first; lives in arena. */
struct plan_block plan_block(const struct plan *plan, size_t block, struct plan_ids first,
                             struct arena *arena);

/* The moment user 1 .. users came. */
int64_t plan_user_created(const struct plan *plan, int64_t user);

/* Anybody who had come by then. */
int64_t plan_any_user(const struct plan *plan, double share, struct rng *rng);

int64_t plan_up_votes(const struct plan_post *post);

/* The moment moved within its week to where the site is busy: few write at night and at
 * the weekend. Keeps the order of moments and, at the ends of a year, the year. */
int64_t plan_busy_moment(const struct model *model, int64_t ms);

#endif
