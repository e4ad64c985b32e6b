/* Keys of the maps of a log: bytes that name a slot, a place, a tally ... A key lasts
 * until the next one is made. */
#ifndef LABEL_LOG_KEY_H
#define LABEL_LOG_KEY_H

#include "label/internal.h"

struct str log_key_place(struct label_log *log, int64_t round, struct str rater,
                         int64_t item, bool again);
struct str log_key_slot(struct label_log *log, int64_t round, struct str rater,
                        int64_t item, bool again, struct str dimension);
struct str log_key_tally(struct label_log *log, int64_t round, struct str rater);
struct str log_key_decision(struct label_log *log, int64_t item, struct str dimension);
struct str log_key_number(struct label_log *log, int64_t number);
struct str log_key_numbers(struct label_log *log, int64_t first, int64_t second);

/* The index under a key; LABEL_NONE: none. */
size_t log_key_index(const struct map *map, struct str key);

#endif
