/* Titles, bodies and comments of simulated posts, as html escaped for an XML attribute.
 */
#ifndef SYNTH_TEXT_H
#define SYNTH_TEXT_H

#include "synth/grammar.h"
#include "synth/plan.h"

enum { TEXT_SENTENCES_MAX = 64 };

struct text; /* the grammar, with the rules that each label speaks through */

/* The grammar that is part of the program. ERR_INPUT, naming the rule, when it lacks one
 * that a label needs. Lives in arena. */
bool text_load(struct arena *arena, struct text **out, struct err *err) MUST_USE;

/* confusion: how often a sentence speaks for another kind than the question's; 0 .. 1. */
struct text_writer {
    const struct text *text;
    double confusion;
    struct rng *rng;
    struct buf *out;
    struct {
        int rule;
        size_t alternative;
    } said[TEXT_SENTENCES_MAX]; /* in this post: nobody repeats himself */
    size_t said_count;
    size_t begun; /* where the post begins in out */
};

/* Five letters and digits, as uploaded pictures are called. */
void text_add_name(struct buf *out, struct rng *rng);

/* *verb gets the verb of a how-to title, inside out (empty otherwise). */
void text_title(struct text_writer *writer, const struct plan_question *question,
                struct str *verb);
void text_body(struct text_writer *writer, const struct plan_question *question);
void text_answer(struct text_writer *writer, const struct plan_question *question,
                 int answer);

/* A comment on the question (answer 0) or an answer. */
void text_comment(struct text_writer *writer, const struct plan_question *question,
                  int answer, bool endorses);

#endif
