/* A hash table from year and tag to a cell. */
#include "dump/tally.h"

#include <stdlib.h>
#include <string.h>

#include "base/date.h"
#include "text/markup.h"

enum { TAG_BYTES_MAX = 200 };

void dump_tally_free(struct dump_tally *tally)
{
    arena_free(&tally->arena);
    *tally = (struct dump_tally){0};
}

/* Most tags have come a moment ago: a table of those met last spares the map. */
static struct dump_tally_cell *cell_of(struct dump_tally *tally, int year, struct str tag)
{
    char key[TAG_BYTES_MAX + 2];

    tag = str_slice(tag, 0, TAG_BYTES_MAX);
    size_t first = tag.len > 0 ? (unsigned char)tag.ptr[0] : 0,
           last = tag.len > 0 ? (unsigned char)tag.ptr[tag.len - 1] : 0;
    size_t *recent =
        &tally->recent[(first * 61 + last * 17 + tag.len * 5) % DUMP_TALLY_RECENT];
    if (*recent < tally->count && tally->cells[*recent].year == year &&
        str_eq(tally->cells[*recent].tag, tag))
        return &tally->cells[*recent];

    key[0] = (char)(year & 0xFF);
    key[1] = (char)(year >> 8);
    if (tag.len > 0)
        memcpy(key + 2, tag.ptr, tag.len);
    tally->places.arena = &tally->arena;
    size_t before = tally->places.count;
    int64_t *place = map_put(&tally->places, (struct str){key, tag.len + 2});
    *recent = tally->places.count == before ? (size_t)*place : tally->count;
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
    *cell = (struct dump_tally_cell){.year = year, .tag = arena_copy(&tally->arena, tag)};
    return cell;
}

static int64_t or_zero(int64_t value)
{
    return value == ITEM_NONE ? 0 : value;
}

static void count(struct dump_tally_cell *cell, const struct dump_tally_cell *more)
{
    cell->questions += more->questions;
    cell->accepted += more->accepted;
    cell->answered += more->answered;
    cell->closed += more->closed;
    cell->views += more->views;
    cell->score += more->score;
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

void dump_tally_add(struct dump_tally *tally, const struct item *question)
{
    int year = year_of(tally, question->created_ms);
    struct str rest = question->tags, tag;
    const struct dump_tally_cell one = {.questions = 1,
                                        .accepted = question->accepted != ITEM_NONE,
                                        .answered = or_zero(question->answers) > 0,
                                        .closed = question->closed_ms != ITEM_NONE,
                                        .views = or_zero(question->views),
                                        .score = or_zero(question->score)};

    count(cell_of(tally, year, STR("")), &one);
    while (text_taglist_next(&rest, &tag))
        count(cell_of(tally, year, tag), &one);
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
        struct dump_tally_cell *cell = cell_of(tally, (int)numbers[0], tag);
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
