/* A t test of differences that are -1, 0 or 1. */
#include "stats/alternative.h"

#include <math.h>

#include "stats/distribution.h"

struct stats_alternative stats_alternative(struct stats_values rater,
                                           struct stats_values model, double epsilon)
{
    struct stats_alternative out = {NAN, NAN, NULL};
    double n = (double)rater.count, wins = 0, sum = 0, squares = 0;

    for (size_t i = 0; i < rater.count; i++) {
        int wins_model = model.at[i] >= rater.at[i],
            wins_rater = rater.at[i] >= model.at[i];
        double difference = wins_rater - wins_model;
        wins += wins_model;
        sum += difference;
        squares += difference * difference;
    }
    if (rater.count > 0)
        out.advantage = wins / n;
    if (rater.count < STATS_ALTERNATIVE_ITEMS) {
        out.undefined = "fewer than 30 items";
        return out;
    }
    double mean = sum / n, variance = (squares - n * mean * mean) / (n - 1);
    if (variance <= 0) { /* all differences are equal */
        out.p = mean < epsilon ? 0 : 1;
        return out;
    }
    double t = (mean - epsilon) / sqrt(variance / n),
           half = stats_t_two_sided(t, n - 1) / 2;
    out.p = t < 0 ? half : 1 - half;
    return out;
}
