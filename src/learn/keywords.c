/* The words that mark a class: counts in the class and outside of it, and the log-odds
 * that follow. */
#include "learn/keywords.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/order.h"

/* How many words the prior is worth. */
static const double prior_words = 500;

static int by_count(const void *left, const void *right)
{
    const struct learn_keywords_word *a = left, *b = right;

    return order_then(ORDER_BY(b->count, a->count), ORDER_BY(a->feature, b->feature));
}

static int by_z(const void *left, const void *right)
{
    const struct learn_keywords_word *a = left, *b = right;

    return order_then(ORDER_BY(b->z, a->z), ORDER_BY(a->feature, b->feature));
}

static void set_odds(struct learn_keywords_word *word, double in_all, double outside,
                     double outside_all)
{
    double all = in_all + outside_all;
    double prior = prior_words * (word->count + outside) / all;
    double in = word->count + prior, out = outside + prior;

    word->log_odds = log(in / (in_all + prior_words - in)) -
                     log(out / (outside_all + prior_words - out));
    word->z = word->log_odds / sqrt(1 / in + 1 / out);
}

size_t learn_keywords_of(const struct learn_examples *examples, size_t class,
                         enum learn_keywords_order order, size_t room,
                         struct learn_keywords_word *out, struct arena *arena)
{
    struct arena_mark mark = arena_mark(arena);
    size_t features = examples->counts.columns, used = 0;
    struct learn_keywords_word *words =
        arena_array(arena, struct learn_keywords_word, features + 1);
    double *outside = arena_array(arena, double, features + 1);
    double in_all = 0, outside_all = 0;

    for (size_t i = 0; i < examples->counts.count; i++) {
        struct learn_rows_row row = learn_rows_at(&examples->counts, i);
        bool in = learn_membership_has(&examples->truth, i, class);
        for (size_t c = 0; c < row.count; c++) {
            struct learn_keywords_word *word = words + row.cells[c].column;
            double count = (double)row.cells[c].value;
            word->count += in ? count : 0;
            word->posts += in;
            outside[row.cells[c].column] += in ? 0 : count;
            in_all += in ? count : 0;
            outside_all += in ? 0 : count;
        }
    }
    for (uint32_t f = 0; f < features; f++) {
        words[f].feature = f;
        set_odds(words + f, in_all, outside[f], outside_all);
        if (words[f].count > 0)
            words[used++] = words[f];
    }
    qsort(words, used, sizeof *words, order == LEARN_KEYWORDS_BY_Z ? by_z : by_count);
    used = used < room ? used : room;
    memcpy(out, words, used * sizeof *out);
    arena_rewind(arena, mark);
    return used;
}
