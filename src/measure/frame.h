/* The items of a corpus, column by column, and which of them the study's sets take: what
 * groups, samples and tables are computed from. Made in one pass over the corpus. */
#ifndef MEASURE_FRAME_H
#define MEASURE_FRAME_H

#include "measure/bits.h"
#include "measure/column.h"
#include "query/query.h"
#include "store/corpus.h"
#include "study/study.h"

enum { MEASURE_FRAME_PASSED_MAX = 255 };

/* What a unit is called in its item, and where it is; the place may be empty. */
struct measure_frame_unit {
    struct str name, place;
};

/* Of each question the first answer that who asked gave thanks for, and when it was
 * written; ITEM_NONE: there is none. */
struct measure_endorsed {
    struct measure_column ms, answers;
};

struct measure_frame {
    struct arena *arena;
    struct store *corpus;
    const struct item_spaces *spaces; /* what its items are called */
    size_t count;
    union {
        struct measure_column numbers[ITEM_NUMBERS]; /* for each field, in their order */
        struct {
            struct measure_column ids; /* ascending */
            struct measure_column kind, parent, accepted_id, created_ms, closed_ms;
            struct measure_column score, views, answers, comments, favorites, owner;
            struct measure_column accepted_ms; /* when the accepted answer was written */
            struct measure_column wiki_ms, lastactive_ms;
        };
    };
    /* When the first answer that is not older than the question was written, or where all
     * are older the oldest; and when the newest was. */
    struct measure_column first_ms, last_ms;
    /* Items that had no answer, or not the accepted one, when their source ended,
     * whatever it says of them now: it came after its `until`. */
    struct measure_bits first_late, accepted_late;
    struct measure_bits accepted, answered, closed;
    /* Items of which each of the three is known. Of questions, issues and the like as far
     * as their kind can have it, and their comments were saved with them. What a source
     * does not tell of its rows is unknown; what it tells of any, or has a column for,
     * the others do not have. */
    struct measure_bits accepted_known, answered_known, closed_known;
    /* Questions of which it is known whether an answer is endorsed: who asked is known,
     * and the source brought comments. */
    struct measure_bits endorsed_known;
    struct measure_endorsed *endorsed; /* no blocks: not read yet;
                                          measure_frame_endorsed() */
    /* Of item i: those of answerers, users, from answers_begin of i up to that of i + 1.
     */
    struct measure_column answers_begin, answerers;
    struct measure_column end_ms; /* of each item's source, for censoring: see
                                     measure_frame_load() */
    /* Of a frame of units (measure/units.h): the frame of items and the item of each. */
    const struct measure_frame *of_items; /* NULL: rows are items */
    const size_t *item_of;
    const struct measure_frame_unit *units;
};

/* A set to be found in the pass: either by its query, whose in: name earlier slots, or
 * from a list of its ids. */
struct measure_frame_slot {
    struct str name;                /* for in:; may be empty */
    const struct query_node *query; /* NULL: ids are given */
    const int64_t *ids;             /* ascending */
    size_t id_count;
    struct measure_bits bits;   /* result */
    struct query_funnel funnel; /* result, for a query: what each condition let through */
    /* result, for a query with a name: how many conditions each item met, one after the
     * other; MEASURE_FRAME_PASSED_MAX or more are not told apart. */
    const uint8_t *passed;
};

/* A source ends with its `until`; where the study has none, with its newest post, whether
 * that is in the corpus or not. An item that stands in several sources is of the first.
 * Everything lives in arena. */
bool measure_frame_load(struct store *corpus, struct measure_frame_slot *slots,
                        size_t slot_count, const struct study *study, struct arena *arena,
                        struct measure_frame *out, struct err *err) MUST_USE;

/* The place of an id, or frame->count. */
size_t measure_frame_find(const struct measure_frame *frame, int64_t id);

/* By the rule of query/endorsed.h. Comments are read when somebody first asks. */
bool measure_frame_endorsed(const struct measure_frame *frame,
                            struct measure_endorsed *out, struct err *err) MUST_USE;

/* Texts that some items have, such as the values of a field: each distinct text once, in
 * the order of bytes. */
struct measure_frame_texts {
    struct str *names;
    size_t name_count;
    uint32_t *of; /* of each item: index of its text plus 1; 0: none */
};

bool measure_frame_field(const struct measure_frame *frame, struct str name,
                         struct measure_frame_texts *out, struct err *err) MUST_USE;

/* The items of each source that has any. */
struct measure_frame_source {
    struct str name;
    struct measure_bits bits;
};

bool measure_frame_sources(const struct measure_frame *frame,
                           struct measure_frame_source **out, size_t *count,
                           struct err *err) MUST_USE;

#endif
