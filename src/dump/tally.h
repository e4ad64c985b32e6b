/* The census of a dump: of all questions, by year and tag, how many there are, are
 * accepted, answered, closed, and how much they are looked at. */
#ifndef DUMP_TALLY_H
#define DUMP_TALLY_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "item/item.h"

struct dump_tally_cell {
    int year;
    struct str tag;       /* empty: every question once */
    uint64_t first, last; /* eight bytes of it */
    int64_t questions, accepted, answered, closed, views, score;
};

enum { DUMP_TALLY_RECENT = 4096 };

struct dump_tally {
    struct arena arena;
    struct map places; /* of year and tag in cells */
    struct dump_tally_cell *cells;
    size_t count, room;
    uint32_t recent[DUMP_TALLY_RECENT]; /* cells that were met last */
    int year; /* the year that was asked for last, from year_from to before year_to */
    int64_t year_from, year_to;
};

void dump_tally_free(struct dump_tally *tally);

/* Counts a question that has all its numbers. One without a date is counted in year 0. */
void dump_tally_add(struct dump_tally *tally, const struct item *question);

/* Writes a question of a dump down, on any thread, to be counted later: its tags are
 * those of its row, behind whose block bytes can be read, and not the item's. Of such a
 * text: how it begins, and what had to be replaced in it (see value.h). */
struct dump_tally_noted {
    char first; /* '<', '|' or any other; '\0': there is none */
    int64_t replaced;
};
struct dump_tally_noted dump_tally_note(struct buf *notes, const struct item *question,
                                        struct str raw_tags);

/* Counts what was written down, in its order, behind which eight bytes can be read. */
void dump_tally_take(struct dump_tally *tally, struct str notes);

/* Cells by year, within it by tag: the order in which they are stored. */
void dump_tally_sort(struct dump_tally *tally);

/* Packed into bytes, and back into an empty tally; false when bytes are no such thing. */
void dump_tally_save(const struct dump_tally *tally, struct buf *out);
bool dump_tally_load(struct dump_tally *tally, struct str bytes);

#endif
