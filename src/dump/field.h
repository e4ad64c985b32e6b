/* The fields of a post where they come as text: their names, the names that exports give
 * them, and how their values are read. Csv and json share this. */
#ifndef DUMP_FIELD_H
#define DUMP_FIELD_H

#include "base/arena.h"
#include "base/err.h"
#include "item/item.h"

/* Rows, or objects, that are wrong and left out. */
struct dump_field_broken {
    int64_t count;
    struct err first; /* the first of them: its place and what is wrong */
};

/* Leaves out the row that err tells of: counts it and makes err empty. False, with err as
 * it is, when broken is NULL: a wrong row is an error. */
bool dump_field_skip(struct dump_field_broken *broken, struct err *err) MUST_USE;

/* For what cannot be left out: says so behind err's text, and is false. */
bool dump_field_cannot_skip(struct err *err, const char *what);

/* The field whose name is nearest, or ITEM_FIELDS. */
enum item_field dump_field_nearest(struct str name);

/* Whether a column of that name usually holds the field: -1 no, else the smaller the
 * surer. Case, blanks and the characters _ - . @ do not matter: "ViewCount", "view_count"
 * and "@ViewCount" are one name. */
int dump_field_rank(enum item_field field, struct str column);

/* Whether the text is a number that an item may have. */
bool dump_field_is_number(struct str text);

bool dump_field_is_date(enum item_field field);
bool dump_field_is_text(enum item_field field); /* title, body, license, tags */

/* Puts a value into the post. Blanks around it do not matter; nothing, in between, leaves
 * the field as it is in item_empty(). Read are
 * - numbers: 12, -3, 12.0; a type also by its name, such as "answer"; an id is not
 *   negative, and an id or a link is below ITEM_NUMBER_MAX;
 * - moments: as date_parse() has them, also with " UTC" behind;
 * - tags: <a><b>, |a|b|, "a, b", "a b", ['a', 'b'] and mixtures; they become <a><b>;
 * - title, body, license: as they stand.
 * ERR_INPUT "found 'x', expected a number" for anything else. Texts are slices of value
 * or live in arena. */
bool dump_field_set(struct item *post, enum item_field field, struct str value,
                    struct arena *arena, struct err *err) MUST_USE;

/* A moment as the api has it: seconds since 1970; from 10^11 on milliseconds. */
bool dump_field_set_epoch(struct item *post, enum item_field field, int64_t number,
                          struct err *err) MUST_USE;

/* What follows from the fields together. A post that does not say what it is is a
 * question when it has a title or tags, else an answer when it has a parent. One with the
 * moment of its accepted answer has one, though it is not known which. */
void dump_field_settle(struct item *post);

/* A piece of text for a message, in quotes: cut when it is long, and without controls. */
enum { DUMP_FIELD_SHOWN_MAX = 80 };
const char *dump_field_show(struct str text, char out[DUMP_FIELD_SHOWN_MAX]);

#endif
