/* What is known of a round, a slot, a place in a list, a rater, an act, a decision. */
#include "label/log_key.h"

struct label_known_round *label_round_find(const struct label *label, int64_t id)
{
    size_t low = 0, high = LABEL_COUNT(label->log.rounds, struct label_known_round);
    struct label_known_round *rounds =
        LABEL_LIST(label->log.rounds, struct label_known_round);

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (rounds[middle].row.id == id)
            return &rounds[middle];
        if (rounds[middle].row.id < id)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

const struct label_slot *label_slot_find(struct label *label, int64_t round,
                                         struct str rater, int64_t item, bool again,
                                         struct str dimension)
{
    struct label_log *log = &label->log;
    size_t at = log_key_index(&log->slot_of,
                              log_key_slot(log, round, rater, item, again, dimension));

    return at == LABEL_NONE ? NULL : &LABEL_LIST(log->slots, struct label_slot)[at];
}

struct label_assigned *label_assigned_find(struct label *label, int64_t round,
                                           struct str rater, int64_t item, bool again)
{
    struct label_log *log = &label->log;
    size_t at =
        log_key_index(&log->assigned_of, log_key_place(log, round, rater, item, again));

    return at == LABEL_NONE ? NULL
                            : &LABEL_LIST(log->assigned, struct label_assigned)[at];
}

struct label_tally *label_tally_find(struct label *label, int64_t round, struct str rater)
{
    struct label_log *log = &label->log;
    size_t at = log_key_index(&log->tally_of, log_key_tally(log, round, rater));

    return at == LABEL_NONE ? NULL : &LABEL_LIST(log->tallies, struct label_tally)[at];
}

const struct label_entry *label_entry_find(struct label *label, int64_t act)
{
    struct label_log *log = &label->log;
    size_t at = log_key_index(&log->entry_of, log_key_number(log, act));

    return at == LABEL_NONE ? NULL : &LABEL_LIST(log->entries, struct label_entry)[at];
}

const struct acts_decision *label_decision_find(struct label *label, int64_t item,
                                                struct str dimension)
{
    struct label_log *log = &label->log;
    size_t at = log_key_index(&log->decision_of, log_key_decision(log, item, dimension));

    return at == LABEL_NONE ? NULL
                            : &LABEL_LIST(log->decisions, struct acts_decision)[at];
}

int64_t label_open_round(const struct label *label)
{
    const struct label_known_round *rounds =
        LABEL_LIST(label->log.rounds, struct label_known_round);

    for (size_t i = LABEL_COUNT(label->log.rounds, struct label_known_round); i > 0; i--)
        if (rounds[i - 1].ours && rounds[i - 1].closed_ms == 0)
            return rounds[i - 1].row.id;
    return 0;
}

bool label_is_ours(const struct label_known_round *round)
{
    return round->ours;
}

bool label_is_chosen(const struct label_known_round *round)
{
    return round->ours && str_eq(round->row.kind, STR("chosen"));
}

bool label_counts(const struct label_known_round *round)
{
    return round->ours && !label_is_chosen(round) &&
           !str_eq(round->row.kind, STR("training"));
}
