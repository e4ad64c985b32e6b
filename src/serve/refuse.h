/* Answers that say no. What was written of another answer is taken back. */
#ifndef SERVE_REFUSE_H
#define SERVE_REFUSE_H

#include "base/err.h"
#include "serve/http.h"

void serve_refuse(struct serve_http_answer *answer, int status, const char *text);
void serve_refuse_unknown(struct serve_http_answer *answer);  /* no such page */
void serve_refuse_stranger(struct serve_http_answer *answer); /* nobody whom we know */

/* As the error says: 400, or 500 when the machine is to blame. */
void serve_refuse_err(struct serve_http_answer *answer, const struct err *err);

#endif
