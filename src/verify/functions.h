/* The functions of expressions: what an expectation may do with a study's numbers. */
#ifndef VERIFY_FUNCTIONS_H
#define VERIFY_FUNCTIONS_H

#include "stats/values.h"

enum { FUNCTIONS_ARGUMENTS_MAX = 8 };

struct functions_call {
    struct arena *arena;
    const struct values *arguments; /* a number or a list each */
    size_t count;
};

struct functions_function {
    const char *name;
    double (*call)(const struct functions_call *call); /* NAN: undefined */
    size_t least, most;                                /* arguments */
};

const struct functions_function *functions_find(struct str name); /* NULL: none */

/* The one that was meant by a misspelt name; NULL: none is near. */
const struct functions_function *functions_nearest(struct str name);

#endif
