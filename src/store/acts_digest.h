/* A number that stands for what labels.db says of a task, so that results which rest on
 * it can be told to be up to date without being computed. */
#ifndef STORE_ACTS_DIGEST_H
#define STORE_ACTS_DIGEST_H

#include "base/err.h"
#include "base/str.h"

/* Moments, memos and links of people do not count. 0: there is no such file. */
bool store_acts_digest(const char *path, struct str task, uint64_t *out,
                       struct err *err) MUST_USE;

#endif
