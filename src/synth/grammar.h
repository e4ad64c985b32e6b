/* The phrase grammar: rules of alternatives, expanded at random. The text files in
 * src/synth/grammar/ hold it; it is compiled once, already escaped for an XML attribute,
 * so that expanding is little more than copying. */
#ifndef SYNTH_GRAMMAR_H
#define SYNTH_GRAMMAR_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/rng.h"

/* What the program, not the grammar, says. */
enum grammar_variable {
    GRAMMAR_FRAMEWORK, /* TensorFlow */
    GRAMMAR_PACKAGE,   /* tensorflow */
    GRAMMAR_ALIAS,     /* tf */
    GRAMMAR_RELEASE,   /* 1.13.1 */
    GRAMMAR_VARIABLES,
};

struct grammar_values {
    struct str text[GRAMMAR_VARIABLES];
};

struct grammar;

/* Compiles text; path names it in messages. A rule that is used but not defined, defined
 * twice, empty, more than 16 levels deep or that leads back to itself is ERR_INPUT. Lives
 * in arena. */
bool grammar_compile(struct str text, const char *path, struct arena *arena,
                     struct grammar **out, struct err *err) MUST_USE;

/* The rule of that name, or -1. */
int grammar_rule(const struct grammar *grammar, struct str name);
size_t grammar_alternatives(const struct grammar *grammar, int rule);

/* Appends one random expansion of the rule. */
void grammar_expand(const struct grammar *grammar, int rule,
                    const struct grammar_values *values, struct rng *rng,
                    struct buf *out);

/* The same for one of its alternatives, 0 .. grammar_alternatives() - 1. */
void grammar_expand_one(const struct grammar *grammar, int rule, size_t alternative,
                        const struct grammar_values *values, struct rng *rng,
                        struct buf *out);

#endif
