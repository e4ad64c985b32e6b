/* What an accepted answer has in the place of what its question has: calls that were
 * replaced, settings that were changed. */
#ifndef EXTRACT_PAIRS_H
#define EXTRACT_PAIRS_H

#include "extract/code.h"

/* Told of two calls, of "learning_rate lowered", "loss: mse -> mae"; more than once
 * perhaps. They last during the call. */
typedef void extract_take_replaced(void *context, struct str old, struct str better);
typedef void extract_take_pair(void *context, struct str name);

/* Calls of the question that its answer lacks, each with the one call of the answer that
 * stands in its place: the rest of its line is alike, its value goes to the same name, or
 * it is called with the same arguments. Where only the name of the value or a short
 * argument is the same, the two must be related by their module or a word of their names.
 */
void extract_replaced(struct extract_code *asked, struct extract_code *answered,
                      extract_take_replaced *take, void *context);

/* The call of the question that a name is a variant of: it begins with it, or has one
 * word of three or more exchanged; empty: there is none, or several. */
struct str extract_variant(const struct extract_code *asked, struct str name);

/* Settings whose value in the question is not in the answer, and the other way round. Of
 * several the one in the line that is most alike; what each layer has for itself, or no
 * table knows, must stand in lines that are alike. */
void extract_changed(struct extract_code *asked, struct extract_code *answered,
                     extract_take_pair *take, void *context);

/* The whole name of a call of which a text says the last part, as "map" or
 * "layers.Dense", or the name up to a part of it that the text says; empty: the code has
 * none. Methods of something unknown are told, too. */
struct str extract_called(const struct extract_code *code, struct str said);

#endif
