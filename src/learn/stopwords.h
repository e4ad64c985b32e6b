/* English words that say nothing about a post's subject: articles, pronouns, auxiliaries
 * and the like. Words that tell kinds of question apart (how, why, not, error) are not
 * among them. */
#ifndef LEARN_STOPWORDS_H
#define LEARN_STOPWORDS_H

#include "base/str.h"

bool stopwords_has(struct str word); /* in lower case */

#endif
