/* A hash table from year and tag to a cell. */
#include "dump/tally.h"

#include <stdlib.h>
#include <string.h>

#include "base/date.h"
#include "dump/value.h"
#include "text/markup.h"
#include "text/utf8.h"

enum { TAG_BYTES_MAX = 200 };

#define NOINLINE __attribute__((noinline)) /* so that its caller keeps its registers */

void dump_tally_free(struct dump_tally *tally)
{
    arena_free(&tally->arena);
    *tally = (struct dump_tally){0};
}

/* A tag with its first and its last eight bytes, which are all of it where it has no more
 * than sixteen. */
struct key {
    struct str tag;
    uint64_t first, last;
};

/* Eight bytes can be read from where the tag begins. */
static inline struct key key_of(const char *tag, size_t len)
{
    struct key key = {{tag, len}, str_word(tag), 0};

    if (len < 8)
        key.first &= (UINT64_C(1) << 8 * len) - 1;
    else
        key.last = str_word(tag + len - 8);
    return key;
}

static struct key key_of_any(struct str tag)
{
    char start[8] = "";

    if (tag.len >= sizeof start)
        return key_of(tag.ptr, tag.len);
    if (tag.len > 0)
        memcpy(start, tag.ptr, tag.len);
    struct key key = key_of(start, tag.len);
    key.tag = tag;
    return key;
}

static const struct key all = {{"", 0}, 0, 0}; /* no tag: every question once */

static inline bool is_cell_of(const struct dump_tally_cell *cell, int year,
                              const struct key *key)
{
    uint64_t differs = (cell->first ^ key->first) | (cell->last ^ key->last) |
                       (cell->tag.len ^ key->tag.len);

    return differs == 0 && cell->year == year &&
           (key->tag.len <= 16 || memcmp(cell->tag.ptr, key->tag.ptr, key->tag.len) == 0);
}

/* Not among those met last. */
static NOINLINE struct dump_tally_cell *
find_cell(struct dump_tally *tally, int year, const struct key *wanted, uint32_t *recent)
{
    struct str tag = wanted->tag;
    char key[TAG_BYTES_MAX + 2];

    key[0] = (char)(year & 0xFF);
    key[1] = (char)(year >> 8);
    if (tag.len > 0)
        memcpy(key + 2, tag.ptr, tag.len);
    tally->places.arena = &tally->arena;
    size_t before = tally->places.count;
    int64_t *place = map_put(&tally->places, (struct str){key, tag.len + 2});
    *recent = (uint32_t)(tally->places.count == before ? (size_t)*place : tally->count);
    if (tally->places.count == before)
        return &tally->cells[*place];
    if (tally->count == tally->room) {
        size_t room = tally->room > 0 ? 2 * tally->room : 256;
        struct dump_tally_cell *larger =
            arena_array(&tally->arena, struct dump_tally_cell, room);
        if (tally->count > 0)
            memcpy(larger, tally->cells, tally->count * sizeof *larger);
        tally->cells = larger;
        tally->room = room;
    }
    *place = (int64_t)tally->count;
    struct dump_tally_cell *cell = &tally->cells[tally->count++];
    *cell = (struct dump_tally_cell){.year = year,
                                     .tag = arena_copy(&tally->arena, tag),
                                     .first = wanted->first,
                                     .last = wanted->last};
    return cell;
}

/* Most tags have come a moment ago: a table of those met last spares the map. */
static inline struct dump_tally_cell *cell_of(struct dump_tally *tally, int year,
                                              const struct key *key)
{
    uint64_t spread =
        (key->first ^ key->last << 7 ^ key->tag.len) * UINT64_C(0x9E3779B97F4A7C15);
    uint32_t *recent = &tally->recent[(spread >> 32) % DUMP_TALLY_RECENT];

    if (*recent < tally->count && is_cell_of(&tally->cells[*recent], year, key))
        return &tally->cells[*recent];
    return find_cell(tally, year, key, recent);
}

static int64_t or_zero(int64_t value)
{
    return value == ITEM_NONE ? 0 : value;
}

/* A question as it is counted; noted ones have their tags behind that, each as its length
 * and its bytes. */
struct tally_one {
    int64_t created_ms, tags_len;
    int64_t questions, accepted, answered, closed, views, score; /* as in a cell */
};

static struct tally_one one_of(const struct item *question)
{
    return (struct tally_one){.created_ms = question->created_ms,
                              .questions = 1,
                              .views = or_zero(question->views),
                              .score = or_zero(question->score),
                              .accepted = question->accepted != ITEM_NONE,
                              .answered = or_zero(question->answers) > 0,
                              .closed = question->closed_ms != ITEM_NONE};
}

static inline void count(struct dump_tally_cell *cell, const struct tally_one *one)
{
    cell->questions += one->questions;
    cell->accepted += one->accepted;
    cell->answered += one->answered;
    cell->closed += one->closed;
    cell->views += one->views;
    cell->score += one->score;
}

/* Posts of a dump come by date, so the year is mostly that of the post before. */
static int year_of(struct dump_tally *tally, int64_t ms)
{
    if (ms == ITEM_NONE)
        return 0;
    if (ms < tally->year_from || ms >= tally->year_to) {
        tally->year = date_year(ms);
        tally->year_from = date_from_civil((struct date){tally->year, 1, 1});
        tally->year_to = date_from_civil((struct date){tally->year + 1, 1, 1});
    }
    return tally->year;
}

static struct str shortened(struct str tag)
{
    return text_utf8_cut(tag, TAG_BYTES_MAX);
}

void dump_tally_add(struct dump_tally *tally, const struct item *question)
{
    int year = year_of(tally, question->created_ms);
    struct str rest = question->tags, tag;
    const struct tally_one one = one_of(question);

    count(cell_of(tally, year, &all), &one);
    while (text_taglist_next(&rest, &tag)) {
        struct key key = key_of_any(shortened(tag));
        count(cell_of(tally, year, &key), &one);
    }
}

enum { TAG_SLACK = 32 };

/* Notes the tags of "&lt;a&gt;&lt;b&gt;" or "|a|b|"; false where it is another thing. */
static inline bool note_usual(struct buf *notes, struct str raw)
{
    const bool bars = raw.ptr[0] == '|';
    struct str rest = str_slice(raw, bars, raw.len), tag;
    char *to = buf_reserve(notes, raw.len + TAG_SLACK);

    while (rest.len > 0) {
        if (!dump_value_cut_tag(&rest, bars, &tag) || tag.len > TAG_BYTES_MAX)
            return false;
        if (tag.len > 0) {
            *to++ = (char)(unsigned char)tag.len;
            /* Most are copied at once, with what stands behind them. */
            for (size_t at = 0; at < tag.len; at += 16)
                memcpy(to + at, tag.ptr + at, 16);
            to += tag.len;
        }
    }
    notes->len = (size_t)(to - notes->ptr);
    return true;
}

static int64_t note_other(struct buf *notes, struct str raw, char *first)
{
    struct buf text = {0};
    int64_t replaced = dump_value_decode(raw, &text, NULL);
    struct str rest = buf_str(&text), tag;

    *first = rest.ptr[0];
    while (text_taglist_next(&rest, &tag)) {
        tag = shortened(tag);
        buf_add_char(notes, (char)(unsigned char)tag.len);
        buf_add(notes, tag);
    }
    buf_reserve(notes, TAG_SLACK);
    buf_free(&text);
    return replaced;
}

struct dump_tally_noted dump_tally_note(struct buf *notes, const struct item *question,
                                        struct str raw_tags)
{
    struct tally_one one = one_of(question);
    struct dump_tally_noted noted = {0};
    size_t begin = notes->len + sizeof one;

    buf_reserve(notes, sizeof one);
    notes->len = begin;
    if (raw_tags.len > 0) {
        noted.first = raw_tags.ptr[0] == '|' ? '|' : '<';
        if (!note_usual(notes, raw_tags))
            noted.replaced = note_other(notes, raw_tags, &noted.first);
    }
    one.tags_len = (int64_t)(notes->len - begin);
    memcpy(notes->ptr + begin - sizeof one, &one, sizeof one);
    return noted;
}

void dump_tally_take(struct dump_tally *tally, struct str notes)
{
    const char *p = notes.ptr, *end = notes.ptr + notes.len;
    struct tally_one one;

    while (p < end) {
        memcpy(&one, p, sizeof one);
        p += sizeof one;
        int year = year_of(tally, one.created_ms);
        count(cell_of(tally, year, &all), &one);
        for (const char *behind = p + one.tags_len; p < behind;) {
            struct key key = key_of(p + 1, (unsigned char)*p);
            count(cell_of(tally, year, &key), &one);
            p += 1 + key.tag.len;
        }
    }
}

static int by_year_and_tag(const void *a, const void *b)
{
    const struct dump_tally_cell *x = a, *y = b;

    return x->year != y->year ? (x->year > y->year) - (x->year < y->year)
                              : str_compare(x->tag, y->tag);
}

void dump_tally_sort(struct dump_tally *tally)
{
    if (tally->count > 1)
        qsort(tally->cells, tally->count, sizeof *tally->cells, by_year_and_tag);
    for (size_t i = 0; i < tally->count; i++) { /* the places have moved */
        struct dump_tally_cell cell = tally->cells[i];
        char key[TAG_BYTES_MAX + 2] = {(char)(cell.year & 0xFF), (char)(cell.year >> 8)};
        if (cell.tag.len > 0)
            memcpy(key + 2, cell.tag.ptr, cell.tag.len);
        *map_put(&tally->places, (struct str){key, cell.tag.len + 2}) = (int64_t)i;
    }
}

/* A cell is eight numbers, the length of the tag among them, and the tag. */
void dump_tally_save(const struct dump_tally *tally, struct buf *out)
{
    for (size_t i = 0; i < tally->count; i++) {
        const struct dump_tally_cell *cell = &tally->cells[i];
        const int64_t numbers[8] = {
            cell->year,     (int64_t)cell->tag.len, cell->questions, cell->accepted,
            cell->answered, cell->closed,           cell->views,     cell->score};
        buf_add(out, (struct str){(const char *)numbers, sizeof numbers});
        buf_add(out, cell->tag);
    }
}

bool dump_tally_load(struct dump_tally *tally, struct str bytes)
{
    int64_t numbers[8];

    dump_tally_free(tally);
    while (bytes.len >= sizeof numbers) {
        memcpy(numbers, bytes.ptr, sizeof numbers);
        bytes = str_slice(bytes, sizeof numbers, bytes.len);
        if (numbers[0] < 0 || numbers[0] > 9999 || numbers[1] < 0 ||
            numbers[1] > TAG_BYTES_MAX || (size_t)numbers[1] > bytes.len)
            return false;
        struct str tag = str_slice(bytes, 0, (size_t)numbers[1]);
        struct key key = key_of_any(tag);
        struct dump_tally_cell *cell = cell_of(tally, (int)numbers[0], &key);
        cell->questions = numbers[2];
        cell->accepted = numbers[3];
        cell->answered = numbers[4];
        cell->closed = numbers[5];
        cell->views = numbers[6];
        cell->score = numbers[7];
        bytes = str_slice(bytes, tag.len, bytes.len);
    }
    return bytes.len == 0;
}
