/* Pairs that may be the same unit are ranked, and join their groups one after the
 * other. */
#include "label/unit.h"

#include <ctype.h>
#include <stdlib.h>

#include "base/list.h"
#include "base/order.h"

#define LINES_MAX INT64_C(1000000000)
#define CHAIN_END SIZE_MAX

/* "R12" or "12", from the beginning of a text. */
static bool take_line(struct str *text, char *side, int64_t *line)
{
    size_t digits = 0;

    *side = '\0';
    if (text->len > 0 && (text->ptr[0] == 'L' || text->ptr[0] == 'R')) {
        *side = text->ptr[0];
        *text = str_slice(*text, 1, text->len);
    }
    while (digits < text->len && isdigit((unsigned char)text->ptr[digits]))
        digits++;
    bool ok = digits > 0 && str_to_int(str_slice(*text, 0, digits), line);
    *text = str_slice(*text, digits, text->len);
    return ok;
}

/* "R12", "R12-R15", "12-15"; false: these are no lines. */
static bool read_lines(struct str text, struct label_unit_place *out, bool *right)
{
    char side = '\0';

    if (!take_line(&text, &out->side, &out->first))
        return false;
    out->last = out->first;
    if (text.len > 0) {
        if (text.ptr[0] != '-')
            return false;
        text = str_slice(text, 1, text.len);
        if (!take_line(&text, &side, &out->last) || text.len > 0)
            return false;
    }
    *right = out->first >= 1 && out->last >= out->first && out->last <= LINES_MAX &&
             (side == '\0' || side == out->side);
    return true;
}

bool label_unit_place_read(struct str text, struct label_unit_place *out, struct err *err)
{
    size_t colon = text.len;
    bool right = true;

    *out = (struct label_unit_place){.part = text};
    if (text.len > LABEL_UNIT_PLACE_MAX)
        return err_set(err, ERR_INPUT, "the place has %zu bytes; at most %d are allowed",
                       text.len, LABEL_UNIT_PLACE_MAX);
    while (colon > 0 && text.ptr[colon - 1] != ':')
        colon--;
    if (colon < 2)
        return true;
    struct label_unit_place lines = {.part = str_slice(text, 0, colon - 1)};
    if (read_lines(str_slice(text, colon, text.len), &lines, &right))
        *out = lines;
    return right ||
           err_set(err, ERR_INPUT,
                   "found the place '%.*s', expected lines from 1 that ascend, on one "
                   "side of the diff, such as '%.*s:%s12-15'",
                   STR_ARG(str_slice(text, 0, 200)),
                   STR_ARG(str_slice(lines.part, 0, 200)), lines.side == '\0' ? "" : "R");
}

bool label_unit_check(struct str name, struct err *err)
{
    for (size_t i = 0; i < name.len; i++)
        if ((unsigned char)name.ptr[i] < ' ')
            return err_set(err, ERR_INPUT,
                           "the name of a unit has a control character; expected a line "
                           "of text");
    return name.len <= LABEL_UNIT_NAME_MAX ||
           err_set(err, ERR_INPUT,
                   "the name of a unit has %zu bytes; at most %d are allowed", name.len,
                   LABEL_UNIT_NAME_MAX);
}

/* Pairs. */

struct unit_pair {
    size_t one, two;
    size_t ranks[2]; /* in label_unit_order(), the lower first */
    bool placed;
    int64_t shared, all; /* lines */
};

/* Lines that both have, and that any of them has; all of a part shares little with some
 * of its lines, and all with itself. */
static bool overlap(const struct label_unit_place *a, const struct label_unit_place *b,
                    struct unit_pair *out)
{
    if (!str_eq(a->part, b->part))
        return false;
    out->all = 1;
    out->shared = a->first == 0 && b->first == 0;
    if (a->first == 0 || b->first == 0)
        return true;
    int64_t first = a->first > b->first ? a->first : b->first;
    int64_t last = a->last < b->last ? a->last : b->last;
    if (a->side != b->side || first > last)
        return false;
    out->shared = last - first + 1;
    out->all = a->last - a->first + 1 + b->last - b->first + 1 - out->shared;
    return true;
}

static bool may_be_same(const struct label_unit *a, const struct label_unit *b,
                        struct unit_pair *out)
{
    out->placed = a->place.part.len > 0 && b->place.part.len > 0;
    if (a->rater == b->rater)
        return false;
    if (out->placed)
        return overlap(&a->place, &b->place, out);
    return a->called.len > 0 || b->called.len > 0 ? str_eq(a->called, b->called)
                                                  : str_eq(a->name, b->name);
}

static int compare_pairs(const void *a, const void *b)
{
    const struct unit_pair *one = a, *two = b;
    int shared = one->placed && two->placed
                     ? ORDER_BY(two->shared * one->all, one->shared * two->all)
                     : ORDER_BY(two->placed, one->placed);

    return order_then(shared, order_then(ORDER_BY(one->ranks[0], two->ranks[0]),
                                         ORDER_BY(one->ranks[1], two->ranks[1])));
}

struct ordered_unit {
    const struct label_unit *unit;
    size_t index;
};

static int compare_units(const void *a, const void *b)
{
    const struct ordered_unit *first = a, *second = b;
    const struct label_unit *one = first->unit, *two = second->unit;
    int places =
        order_then(str_compare(one->place.part, two->place.part),
                   order_then(ORDER_BY(one->place.side, two->place.side),
                              order_then(ORDER_BY(one->place.first, two->place.first),
                                         ORDER_BY(one->place.last, two->place.last))));
    int names = order_then(str_compare(one->called, two->called),
                           str_compare(one->name, two->name));

    return order_then(order_then(places, names), ORDER_BY(first->index, second->index));
}

void label_unit_order(const struct label_unit *units, size_t count, size_t *order)
{
    LIST(struct ordered_unit) ordered = {0};

    for (size_t i = 0; i < count; i++)
        list_add(&ordered, ((struct ordered_unit){&units[i], i}));
    if (count > 0)
        qsort(ordered.at, count, sizeof *ordered.at, compare_units);
    for (size_t i = 0; i < count; i++)
        order[i] = ordered.at[i].index;
    list_free(&ordered);
}

/* No rater has a unit in both groups. A group is a chain that begins with its first
 * member and is no longer than there are raters. */
static bool may_join(const struct label_unit *units, const size_t *next, size_t one,
                     size_t two)
{
    for (size_t i = one; i != CHAIN_END; i = next[i])
        for (size_t j = two; j != CHAIN_END; j = next[j])
            if (units[i].rater == units[j].rater)
                return false;
    return one != two;
}

size_t label_unit_match(const struct label_unit *units, size_t count, size_t *match)
{
    LIST(struct unit_pair) pairs = {0};
    LIST(size_t) next = {0};
    LIST(size_t) ranks = {0};
    size_t groups = 0;

    /* match[] is lent to the order until it is needed itself. */
    label_unit_order(units, count, match);
    for (size_t i = 0; i < count; i++)
        list_add(&ranks, 0);
    for (size_t i = 0; i < count; i++)
        ranks.at[match[i]] = i;
    for (size_t i = 0; i < count; i++) {
        match[i] = i;
        list_add(&next, CHAIN_END);
        for (size_t j = i + 1; j < count; j++) {
            bool before = ranks.at[i] < ranks.at[j];
            struct unit_pair pair = {
                .one = i,
                .two = j,
                .ranks = {ranks.at[before ? i : j], ranks.at[before ? j : i]}};
            if (may_be_same(&units[i], &units[j], &pair))
                list_add(&pairs, pair);
        }
    }
    if (pairs.count > 0)
        qsort(pairs.at, pairs.count, sizeof *pairs.at, compare_pairs);
    for (size_t p = 0; p < pairs.count; p++) {
        size_t one = match[pairs.at[p].one], two = match[pairs.at[p].two];
        size_t into = one < two ? one : two, from = one < two ? two : one;
        if (!may_join(units, next.at, one, two))
            continue;
        for (size_t i = from; i != CHAIN_END; i = next.at[i])
            match[i] = into;
        size_t last = into;
        while (next.at[last] != CHAIN_END)
            last = next.at[last];
        next.at[last] = from;
    }
    list_free(&pairs);
    list_free(&next);
    list_free(&ranks);
    /* A group's number so far is that of its first member. */
    for (size_t i = 0; i < count; i++)
        match[i] = match[i] == i ? groups++ : match[match[i]];
    return groups;
}
