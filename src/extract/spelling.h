/* One thing, one spelling: models of devices and values of settings, as people write
 * them. */
#ifndef EXTRACT_SPELLING_H
#define EXTRACT_SPELLING_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"

/* Adds a model: "1080ti", "1080-Ti" and "1080 TI" are "1080 Ti", "k80" is "K80". */
void extract_spell_model(struct str model, struct buf *out);

/* A value of a setting: a number without its exponent and idle zeros (1e-3 and .001 are
 * 0.001), a known optimizer, loss, activation or padding by its usual name. Others stay
 * as they are. */
struct str extract_spell_value(struct str value, struct arena *arena);

/* Whether it is such an optimizer, loss, activation or padding. */
bool extract_knows_value(struct str value);

#endif
