/* The tags of a question in both spellings of the dumps: "<a><b>" and "|a|b|". */
#ifndef TEXT_TAGLIST_H
#define TEXT_TAGLIST_H

#include "base/str.h"

/* Takes the next tag off the front; false when there is none. */
bool taglist_next(struct str *rest, struct str *tag);

#endif
