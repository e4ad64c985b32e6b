/* Coefficients of all labels together, with intervals by formula and by resampling. */
#ifndef LABEL_AGREE_WHOLE_H
#define LABEL_AGREE_WHOLE_H

#include "label/agree_table.h"

/* Without options->resamples only the formula's interval. */
struct label_agree_estimate label_agree_whole_estimate(
    const struct label_agree_table_view *all, enum label_agree_coefficient which,
    const struct label_agree_options *options, struct arena *arena);

#endif
