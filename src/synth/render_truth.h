/* What is known of a simulated question: what was planted, and how often. */
#ifndef SYNTH_RENDER_TRUTH_H
#define SYNTH_RENDER_TRUTH_H

#include "synth/render.h"

/* `verb` of a how-to title; `damage` that its row or its accepted answer's has. */
void render_truth_add(struct render *rows, const struct plan_question *question,
                      struct str verb, struct str damage);

void render_truth_count(struct synth_counts *counts, const struct model *model,
                        const struct plan_question *question);

#endif
