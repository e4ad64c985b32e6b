/* Probabilities made right by labels. */
#ifndef LEARN_QUANTIFY_CALIBRATE_H
#define LEARN_QUANTIFY_CALIBRATE_H

#include "base/arena.h"

/* Probabilities made right by labels: softmax(slope * log p + bias), "bias-corrected
 * temperature scaling"; Alexandari, Kundaje and Shrikumar, "Maximum likelihood with
 * bias-corrected calibration is hard-to-beat at label shift adaptation", ICML 2020. */
struct quantify_calibration {
    double slope;
    double *bias; /* of each class */
};

/* Logarithms of probabilities: items x classes. */
void quantify_calibrate_logarithms(const double *probabilities, size_t count,
                                   double *out);

/* What makes the labels most likely, found by Newton's method from where *fit is, in at
 * most so many rounds. The smallest of penalties keeps it defined when labels are few. */
void quantify_calibrate(const double *logarithms, const size_t *truth,
                        const double *weights, size_t items, size_t classes, int rounds,
                        struct quantify_calibration *fit, struct arena *arena);
void quantify_calibrated(const struct quantify_calibration *fit, const double *logarithms,
                         size_t items, size_t classes, double *out);

#endif
