/* The column says which items: labelled ones, those taken for the class, or those that it
 * was planted in. */
#include "run/shares_behind.h"

#include <math.h>

enum which { LABELLED, LABELLED_SO, SAID, TRULY };

enum { COLUMN_LABELLED, FIRST_METHOD }; /* behind the methods stands the truth */

static bool is_behind(const struct run_shares_behind *it, enum which which, size_t class,
                      size_t i)
{
    const struct learn_quantify_items *items = &it->read->known;
    bool drawn = items->role[i] == LEARN_QUANTIFY_DRAWN;

    switch (which) {
    case LABELLED:
        return drawn;
    case LABELLED_SO:
        return drawn && items->truth[i * items->classes + class];
    case SAID:
        return items->said[i * items->classes + class];
    default:
        return measure_bits_has(it->truly[class], it->read->places[i]);
    }
}

static void add(struct run_shares_behind *it, size_t row, size_t column, enum which which,
                size_t class, const uint8_t *in)
{
    static const char *const words[] = {
        [LABELLED] = "labelled items that were drawn",
        [LABELLED_SO] = "labelled items that were drawn and have the code",
        [SAID] = "items that the classifier takes for it",
        [TRULY] = "items that it was planted in"};
    size_t count = 0, room = 1;

    for (size_t i = 0; i < it->read->known.count; i++)
        room += in[i] && is_behind(it, which, class, i);
    int64_t *ids = arena_array(it->arena, int64_t, room);
    for (size_t i = 0; i < it->read->known.count; i++)
        if (in[i] && is_behind(it, which, class, i))
            ids[count++] = it->frame->ids[it->read->places[i]];
    result_add_evidence(
        it->out,
        &(struct result_evidence){row, column, str_from(words[which]), ids, count},
        it->arena);
}

void run_shares_behind_add(struct run_shares_behind *it, size_t row, size_t class,
                           const uint8_t *in)
{
    add(it, row, RESULT_NONE, LABELLED, class, in);
    add(it, row, COLUMN_LABELLED, LABELLED_SO, class, in);
    add(it, row, FIRST_METHOD + LEARN_QUANTIFY_PLAIN, SAID, class, in);
    if (it->truly != NULL)
        add(it, row, FIRST_METHOD + LEARN_QUANTIFY_METHODS, TRULY, class, in);
}

const char *run_shares_behind_rests(enum learn_quantify_method method)
{
    static const char corrected[] =
        "it rests on these labels and on all others that were drawn, in the set or not, "
        "and on predictions for the whole set";
    static const char *const words[LEARN_QUANTIFY_METHODS] = {
        [LEARN_QUANTIFY_POWERED] = "it rests on these labels, and on predictions for the "
                                   "whole set",
        [LEARN_QUANTIFY_ADJUSTED] = corrected,
        [LEARN_QUANTIFY_PROBABLE] = corrected,
        [LEARN_QUANTIFY_EM] = corrected};

    return words[method];
}

void run_shares_behind_interval(struct result_cell *cell)
{
    if (cell->undefined == NULL && (isnan(cell->low) || isnan(cell->high)))
        cell->no_interval = "what was labelled does not suffice for one";
}
