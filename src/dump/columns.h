/* Which column of a table is which field of a post: by the names that dumps and the Data
 * Explorer use, and by what the user says. */
#ifndef DUMP_COLUMNS_H
#define DUMP_COLUMNS_H

#include "dump/field.h"

/* What the user says, as "id=Id#1, title=Question title, answer.id=Id#2". */
struct dump_columns_choice {
    bool given;
    struct str name; /* of the column; empty: none is to be taken */
    struct str base; /* the name without "#2" */
    int64_t number;  /* 2 for "Id#2", the second column named Id; 0: not said */
};

struct dump_columns_mapping {
    struct dump_columns_choice question[ITEM_FIELDS]; /* of the row's own post */
    struct dump_columns_choice answer[ITEM_FIELDS];   /* of an answer in the same row */
    bool has_answer;
    /* Set by the caller: */
    const struct dump_columns_choice
        *extra; /* further columns, by dump_columns_choose() */
    size_t extra_count;
    bool only;      /* usual names count for nothing, and an id is not needed, */
    unsigned usual; /* but of these fields, a bit each, they do count */
};

/* A column by its name, "Id" or "Id#2". */
struct dump_columns_choice dump_columns_choose(struct str name);

/* Reads "field=Column, field=Column"; a name with a comma or a quote in it stands in
 * quotes, doubled inside. "answer.field=Column" speaks of an answer that stands in the
 * row of its question, and needs answer.id. ERR_INPUT, without a place, for an unknown
 * field, with the nearest right name, for one given twice, and for anything else. No
 * text gives an empty mapping. The slices point into text or live in arena. */
bool dump_columns_parse(struct str text, struct arena *arena,
                        struct dump_columns_mapping *out, struct err *err) MUST_USE;

/* Whether a column of its usual name is the field; mapping NULL: no mapping. */
bool dump_columns_is_usual(const struct dump_columns_mapping *mapping, int field);

#define DUMP_COLUMNS_NONE SIZE_MAX

struct dump_columns {
    size_t
        question[ITEM_FIELDS]; /* the column, from 0; DUMP_COLUMNS_NONE: there is none */
    size_t answer[ITEM_FIELDS];
    size_t *extra;
    size_t extra_count;
    bool joined; /* rows hold an answer beside the question */
    bool keys;   /* what names a row may be any text */
    const struct str *names;
    size_t count;
};

/* Finds the columns in a header. What the mapping does not say is recognised by its usual
 * name (dump_field_rank()), in columns that the mapping does not name. ERR_INPUT, without
 * a place, for a column of the mapping that is not there, with the nearest right name,
 * for a name that stands in the header several times where it is needed without a number,
 * and when no column holds the id and one is needed. Names are copied into arena. */
bool dump_columns_find(const struct dump_columns_mapping *mapping,
                       const struct str *names, size_t count, struct arena *arena,
                       struct dump_columns *out, struct err *err) MUST_USE;

/* The post of one row, which has columns->count values. ERR_INPUT, without a place, as
 * "column 'Score': found 'x', expected a number"; where there is a column for the id the
 * post must have one. */
bool dump_columns_post(const struct dump_columns *columns, const struct str *values,
                       struct arena *arena, struct item *out, struct err *err) MUST_USE;

/* The answer beside the question in that row: its parent is the question, unless a column
 * says otherwise. When the row has none, out->id is ITEM_NONE. */
bool dump_columns_answer(const struct dump_columns *columns, const struct str *values,
                         const struct item *question, struct arena *arena,
                         struct item *out, struct err *err) MUST_USE;

#endif
