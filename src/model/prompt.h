/* What a model is asked: the codebook and the item, put into a template, as the bytes of
 * a request to /v1/chat/completions. The same study and item give the same bytes. */
#ifndef MODEL_PROMPT_H
#define MODEL_PROMPT_H

#include "base/buf.h"
#include "base/err.h"
#include "study/codebook.h"
#include "study/study.h"

/* Requests about one dimension; all texts are JSON but for the codes. */
struct model_prompt {
    struct str *codes; /* that may be given */
    size_t code_count;
    bool several; /* an item may have more than one */
    bool units;   /* it is about a unit in the item */
    bool constrained;
    struct str before; /* the request up to the item: the same for all */
    struct str behind; /* from there to the end of what is asked */
};

struct model_prompt_of {
    const struct study_model_rater *model;
    const struct study_codebook *codebook;
    const struct study_codebook_dimension *dimension;
    bool units;          /* a unit in the item is asked about, which stands behind it */
    bool leaves;         /* only codes without others below may be given */
    bool constrained;    /* with a schema */
    struct str template; /* empty: ours */
    const char *path;    /* of the template, for messages */
};

/* ERR_INPUT with the template's place for a word in braces that stands for nothing, and
 * when {codebook} or {item} are not there, or {item} twice. Lives in arena. */
bool model_prompt_make(const struct model_prompt_of *of, struct arena *arena,
                       struct model_prompt *out, struct err *err) MUST_USE;

/* An answer that was none, and what was wrong with it. */
struct model_prompt_turn {
    struct str said, wrong;
};

/* Adds what comes behind `before`. The item stands between marks that follow from its own
 * text, so that no item can end them; `mark` is some text that depends on all of it. A
 * seed below 0 is not sent. */
void model_prompt_request(const struct model_prompt *prompt, struct str item,
                          struct str mark, const struct model_prompt_turn *turns,
                          size_t turn_count, int64_t seed, struct buf *out);

#endif
