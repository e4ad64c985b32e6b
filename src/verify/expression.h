/* Arithmetic over the study's numbers: "sum(tables.t3.D[Data,Tensor].count) /
 * tables.t3.D.count". A value is a list of numbers; a name may give several.
 *
 *   expression = term { ( "+" | "-" ) term }
 *   term       = factor { ( "*" | "/" ) factor }
 *   factor     = number [ "%" ] | name | function "(" expression { "," expression } ")"
 *              | "(" expression ")" | "[" expression { "," expression } "]" | "-" factor
 *
 * Between blanks a name is one word, brackets with what is in them included; "/" and "*"
 * outside of brackets are operators unless they stand as ".*" or "*." in a name. */
#ifndef VERIFY_EXPRESSION_H
#define VERIFY_EXPRESSION_H

#include "base/arena.h"
#include "base/err.h"
#include "stats/values.h"

/* Finds the numbers of a name; false, with err saying why, when there are none or one is
 * undefined. */
typedef bool verify_expression_find(void *context, struct str name, struct arena *arena,
                                    struct stats_values *out, struct err *err);

/* A single number. ERR_INPUT says what is wrong with the expression, or what it lacks. */
bool verify_expression_evaluate(struct str text, verify_expression_find *find,
                                void *context, struct arena *arena, double *out,
                                struct err *err) MUST_USE;

#endif
