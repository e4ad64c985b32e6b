/* What a simulated dump holds, for programs (truth.json) and for people. */
#ifndef SYNTH_CENSUS_H
#define SYNTH_CENSUS_H

#include "base/buf.h"
#include "synth/synth.h"

void census_json(const struct synth_options *options, const struct synth_summary *summary,
                 struct buf *out);

/* A page of plain text: files, questions by year and framework, planted and found. */
void census_text(const struct synth_options *options, const struct synth_summary *summary,
                 struct buf *out);

#endif
