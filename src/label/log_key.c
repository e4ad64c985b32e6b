/* Numbers as they lie in memory, then texts, each ended by a NUL. */
#include "label/log_key.h"

static void key_number(struct buf *key, int64_t number)
{
    LABEL_ADD(key, number);
}

static void key_text(struct buf *key, struct str text)
{
    buf_add(key, text);
    buf_add_char(key, '\0');
}

struct str log_key_place(struct label_log *log, int64_t round, struct str rater,
                         int64_t item, bool again)
{
    buf_clear(&log->key);
    key_number(&log->key, round);
    key_number(&log->key, item);
    buf_add_char(&log->key, again ? 'a' : '-');
    key_text(&log->key, rater);
    return buf_str(&log->key);
}

struct str log_key_slot(struct label_log *log, int64_t round, struct str rater,
                        int64_t item, bool again, struct str dimension)
{
    log_key_place(log, round, rater, item, again);
    key_text(&log->key, dimension);
    return buf_str(&log->key);
}

struct str log_key_tally(struct label_log *log, int64_t round, struct str rater)
{
    buf_clear(&log->key);
    key_number(&log->key, round);
    key_text(&log->key, rater);
    return buf_str(&log->key);
}

struct str log_key_numbers(struct label_log *log, int64_t first, int64_t second)
{
    buf_clear(&log->key);
    key_number(&log->key, first);
    key_number(&log->key, second);
    return buf_str(&log->key);
}

struct str log_key_decision(struct label_log *log, int64_t item, struct str dimension)
{
    buf_clear(&log->key);
    key_number(&log->key, item);
    key_text(&log->key, dimension);
    return buf_str(&log->key);
}

struct str log_key_number(struct label_log *log, int64_t number)
{
    buf_clear(&log->key);
    key_number(&log->key, number);
    return buf_str(&log->key);
}

size_t log_key_index(const struct map *map, struct str key)
{
    const int64_t *found = map_get(map, key);

    return found != NULL && *found > 0 ? (size_t)*found - 1 : LABEL_NONE;
}
