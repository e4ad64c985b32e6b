/* Which item a text means that people write into tables: its id, or a link to it. */
#ifndef STUDY_ITEM_H
#define STUDY_ITEM_H

#include "base/err.h"
#include "base/str.h"

/* A whole number, or a link to a question, of which the first part of the path that is a
 * number counts. ERR_INPUT, with what was found, for anything else. */
bool item_read(struct str text, int64_t *id, struct err *err) MUST_USE;

#endif
