/* The functions of expressions: what an expectation may do with a study's numbers. */
#ifndef VERIFY_FUNCTIONS_H
#define VERIFY_FUNCTIONS_H

#include "stats/values.h"

enum { VERIFY_FUNCTIONS_ARGUMENTS_MAX = 8 };

struct verify_functions_call {
    struct arena *arena;
    const struct stats_values *arguments; /* a number or a list each */
    size_t count;
};

struct verify_functions_function {
    const char *name;
    double (*call)(const struct verify_functions_call *call, int which);
    int which;          /* of those that share the call; which gives NAN: undefined */
    size_t least, most; /* arguments */
    bool each;          /* takes a list number by number, and gives one */
};

const struct verify_functions_function *
verify_functions_find(struct str name); /* NULL: none */

/* The one that was meant by a misspelt name; NULL: none is near. */
const struct verify_functions_function *verify_functions_nearest(struct str name);

#endif
