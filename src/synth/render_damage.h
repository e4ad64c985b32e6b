/* Which rows of a block are damaged, where that is asked for. */
#ifndef SYNTH_RENDER_DAMAGE_H
#define SYNTH_RENDER_DAMAGE_H

#include "synth/plan.h"
#include "synth/synth.h"

struct render_damage {
    bool *posts;     /* of each post of the block: its row is */
    bool *questions; /* of each question: its row or that of its accepted answer is */
};

/* `first`: it is the dump's first block. */
struct render_damage render_damage_choose(enum synth_damage damage, bool first,
                                          const struct plan_block *block,
                                          struct arena *arena);

/* What the damage puts into a body. */
void render_damage_body(struct buf *out, enum synth_damage damage);

#endif
