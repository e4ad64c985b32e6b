/* Coefficients of all labels together, with intervals by formula and by resampling. */
#ifndef LABEL_AGREE_WHOLE_H
#define LABEL_AGREE_WHOLE_H

#include "label/agree_table.h"

/* Without options->resamples only the formula's interval. */
struct agree_estimate agree_whole_estimate(const struct agree_table_view *all,
                                           enum agree_coefficient which,
                                           const struct agree_options *options,
                                           struct arena *arena);

#endif
