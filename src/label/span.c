/* Places of spans, and the parts of an item's text. */
#include "label/span.h"

#include <ctype.h>

#include "base/buf.h"
#include "label/unit.h"
#include "text/plain.h"

enum { NUMBER_DIGITS_MAX = 9 };

/* Digits from the beginning of a text. */
static bool take_number(struct str *text, size_t *out)
{
    size_t digits = 0;

    *out = 0;
    for (; digits < text->len && isdigit((unsigned char)text->ptr[digits]); digits++)
        *out = *out * 10 + (size_t)(text->ptr[digits] - '0');
    *text = str_slice(*text, digits, text->len);
    return digits > 0 && digits <= NUMBER_DIGITS_MAX;
}

static bool read_characters(struct str place, struct str *part, size_t *begin,
                            size_t *end)
{
    size_t at = place.len;

    while (at > 0 && place.ptr[at - 1] != '@')
        at--;
    if (at < 2)
        return false;
    struct str rest = str_slice(place, at, place.len);
    *part = str_slice(place, 0, at - 1);
    if (!take_number(&rest, begin) || rest.len == 0 || rest.ptr[0] != '-')
        return false;
    rest = str_slice(rest, 1, rest.len);
    return take_number(&rest, end) && rest.len == 0 && *begin < *end;
}

static bool read_lines(struct str place, struct label_unit_place *out)
{
    struct err ignored = {0};

    return label_unit_place_read(place, out, &ignored) && out->side != '\0';
}

bool label_span_check(struct str place, struct err *err)
{
    struct label_unit_place lines;
    struct str part;
    size_t begin, end;

    if (place.len > LABEL_UNIT_PLACE_MAX)
        return err_set(err, ERR_INPUT, "the place has %zu bytes; at most %d are allowed",
                       place.len, LABEL_UNIT_PLACE_MAX);
    return read_characters(place, &part, &begin, &end) || read_lines(place, &lines) ||
           err_set(err, ERR_INPUT,
                   "found the place '%.*s' of a span, expected characters of a part of "
                   "the text such as 'body@120-135', or lines of a diff such as "
                   "'src/net.py:R12-R15'",
                   STR_ARG(str_slice(place, 0, 200)));
}

static bool find_lines(const struct label_parts *parts,
                       const struct label_unit_place *place, struct label_span_range *out)
{
    int64_t found = 0;

    for (size_t i = 0; i < parts->line_count; i++) {
        const struct label_part_line *line = &parts->lines[i];
        int64_t number = place->side == 'L' ? line->old : line->new;
        if (!str_eq(parts->at[line->part].name, place->part) || number < place->first ||
            number > place->last)
            continue;
        if (found++ == 0)
            *out = (struct label_span_range){line->part, line->begin, line->end};
        if (line->part != out->part)
            return false;
        out->end = line->end;
    }
    return found == place->last - place->first + 1;
}

bool label_span_find(const struct label_parts *parts, struct str place,
                     struct label_span_range *out)
{
    struct label_unit_place lines;
    struct str part;

    if (!read_characters(place, &part, &out->begin, &out->end))
        return read_lines(place, &lines) && find_lines(parts, &lines, out);
    for (out->part = 0; out->part < parts->count; out->part++)
        if (!parts->at[out->part].diff && str_eq(parts->at[out->part].name, part))
            return out->end <= parts->at[out->part].characters;
    return false;
}

struct str label_span_quote(const struct label_parts *parts,
                            const struct label_span_range *range)
{
    struct str text = parts->at[range->part].text;
    size_t begin = text_plain_byte(text, range->begin);
    struct str rest = str_slice(text, begin, text.len);

    return str_slice(rest, 0, text_plain_byte(rest, range->end - range->begin));
}

/* The lines that a range touches; where the first and the last are not on one side, those
 * of the right one, else of the left one. */
static struct str place_lines(const struct label_parts *parts,
                              const struct label_span_range *range, struct arena *arena)
{
    int64_t first[2] = {0, 0}, last[2] = {0, 0};

    for (size_t i = 0; i < parts->line_count; i++) {
        const struct label_part_line *line = &parts->lines[i];
        if (line->part != range->part || line->end <= range->begin ||
            line->begin >= range->end)
            continue;
        const int64_t numbers[2] = {line->new, line->old};
        for (size_t s = 0; s < 2; s++) {
            first[s] = first[s] == 0 ? numbers[s] : first[s];
            last[s] = numbers[s] == 0 ? last[s] : numbers[s];
        }
    }
    size_t side = first[0] == 0;
    char letter = side == 0 ? 'R' : 'L';
    struct str name = parts->at[range->part].name;
    return first[side] == last[side]
               ? arena_format(arena, "%.*s:%c%lld", STR_ARG(name), letter,
                              (long long)first[side])
               : arena_format(arena, "%.*s:%c%lld-%c%lld", STR_ARG(name), letter,
                              (long long)first[side], letter, (long long)last[side]);
}

struct str label_span_place(const struct label_parts *parts,
                            const struct label_span_range *range, struct arena *arena)
{
    const struct label_part *part = &parts->at[range->part];

    return part->diff ? place_lines(parts, range, arena)
                      : arena_format(arena, "%.*s@%zu-%zu", STR_ARG(part->name),
                                     range->begin, range->end);
}

/* One document. */

/* Line ends behind a part: one where it does not end with one, and an empty line. */
static size_t ends_behind(const struct label_parts *parts, size_t part)
{
    struct str text = parts->at[part].text;

    return (size_t)!str_ends(text, STR("\n")) + (part + 1 < parts->count);
}

struct str label_parts_document(const struct label_parts *parts, struct arena *arena)
{
    struct buf text = {0};

    for (size_t i = 0; i < parts->count; i++) {
        buf_add(&text, parts->at[i].text);
        for (size_t ends = ends_behind(parts, i); ends > 0; ends--)
            buf_add_char(&text, '\n');
    }
    return buf_keep(&text, arena);
}

bool label_parts_from_document(const struct label_parts *parts, size_t begin, size_t end,
                               struct label_span_range *out)
{
    size_t at = 0;

    for (size_t i = 0; i < parts->count && begin < end; i++) {
        size_t last = at + parts->at[i].characters, next = last + ends_behind(parts, i);
        if (begin >= last && begin < next)
            begin = next; /* it begins with line ends between parts */
        if (begin >= at && begin < last && end <= next) {
            *out =
                (struct label_span_range){i, begin - at, (end < last ? end : last) - at};
            return begin < end;
        }
        at = next;
    }
    return false;
}

size_t label_parts_to_document(const struct label_parts *parts,
                               const struct label_span_range *range)
{
    size_t at = 0;

    for (size_t i = 0; i < range->part; i++)
        at += parts->at[i].characters + ends_behind(parts, i);
    return at + range->begin;
}
