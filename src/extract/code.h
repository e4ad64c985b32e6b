/* What code of posts calls, with which settings. Posts do not parse: they have prompts,
 * dots for what was left out, half a traceback. So this is a tokenizer that takes any
 * bytes, and what it cannot tell it leaves out. It knows Python, R, SQL and, as one, the
 * languages with braces (C++, C#, Java, JavaScript, Kotlin, Objective-C, Swift). */
#ifndef EXTRACT_CODE_H
#define EXTRACT_CODE_H

#include "base/arena.h"
#include "base/list.h"
#include "base/str.h"

/* A call: keras.layers.Dense of "from keras import layers as L ... x = L.Dense(3)". */
struct extract_call {
    struct str name;          /* qualified as far as the code tells */
    struct str target;        /* what its value is assigned to; may be empty */
    struct str arguments;     /* as they stand; may be cut where the code ends */
    struct str before, after; /* what else stands in the line of its name */
    bool tells; /* its name says what is called: its module, its class, a function of R */
};

/* A setting by name, in a call or an assignment: epochs=10. Numbers, True or False
 * and lists of them that calls of Python are given by any other name are there as well,
 * not known. */
struct extract_setting {
    struct str name, value; /* in one spelling: nb_epoch is epochs, lr learning_rate */
    struct str line;        /* where it stands */
    struct str said;        /* the first word of its value, in the line */
    bool known;             /* one of those that training and models have */
};

struct extract_code {
    LIST(struct extract_call) calls; /* in their order */
    LIST(struct extract_setting) settings;
    struct arena arena; /* of names */
};

/* Names that code imports are written out; those that everybody imports in the same way
 * (np, tf) also where the import is left out. What a name of a variable stands for is
 * followed to the call that made it, or to the class that it is declared with: model.fit
 * of "model = Sequential()" is keras.models.Sequential.fit. A method of something unknown
 * is .fit. What the code itself defines is not told. */
void extract_code_read(struct str code, struct extract_code *out);

/* The one spelling of a setting's name; empty: it is none. */
struct str extract_setting_name(struct str name);

void extract_code_free(struct extract_code *code);

#endif
