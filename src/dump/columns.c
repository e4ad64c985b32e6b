/* Which column of a table is which field, and its rows as posts. */
#include "dump/columns.h"

#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/near.h"

/* A mapping is read without a file, so that a study's is checked before anything runs. */
/* Takes a name in quotes off the front of *rest, up to what stands behind it. */
static bool take_quoted(struct str *rest, struct arena *arena, struct str *name)
{
    char *text = arena_array(arena, char, rest->len);
    size_t len = 0;

    for (size_t i = 1; i < rest->len; i++) {
        if (rest->ptr[i] == '"') {
            if (i + 1 == rest->len || rest->ptr[i + 1] != '"') {
                *name = (struct str){text, len};
                *rest = str_slice(*rest, i + 1, rest->len);
                return true;
            }
            i++;
        }
        text[len++] = rest->ptr[i];
    }
    return false;
}

/* "Id#2": base and number. Without digits at the end, or with a number that no column can
 * have, all of it is the name. */
static void split_number(struct dump_columns_choice *choice)
{
    size_t at = choice->name.len;

    choice->base = choice->name;
    while (at > 0 && choice->name.ptr[at - 1] >= '0' && choice->name.ptr[at - 1] <= '9')
        at--;
    if (at < 2 || choice->name.ptr[at - 1] != '#' ||
        !str_to_int(str_slice(choice->name, at, choice->name.len), &choice->number))
        return;
    choice->base = str_trim(str_slice(choice->name, 0, at - 1));
}

struct dump_columns_choice dump_columns_choose(struct str name)
{
    struct dump_columns_choice choice = {.given = true, .name = name};

    split_number(&choice);
    return choice;
}

static bool unknown_field(struct str name, enum item_field nearest, struct err *err)
{
    char shown[DUMP_FIELD_SHOWN_MAX];
    struct buf all = {0};

    dump_field_show(name, shown);
    if (nearest < ITEM_FIELDS)
        return err_set(err, ERR_INPUT, "unknown field %s; did you mean '%.*s'?", shown,
                       STR_ARG(item_field(nearest)->name));
    for (int i = 0; i < ITEM_FIELDS; i++)
        buf_add_format(&all, "%s%.*s", i > 0 ? " " : "",
                       STR_ARG(item_field((enum item_field)i)->name));
    err_record(err, ERR_INPUT, "unknown field %s; fields are: %.*s", shown,
               STR_ARG(buf_str(&all)));
    buf_free(&all);
    return false;
}

/* The name of a field, with "answer." before it or not, as the place of its choice. */
static bool choose(struct dump_columns_mapping *mapping, struct str name,
                   struct dump_columns_choice **choice, struct err *err)
{
    bool answer = str_starts(name, STR("answer."));
    struct str bare = answer ? str_trim(str_slice(name, 7, name.len)) : name;
    enum item_field field = item_field_find(bare), nearest = dump_field_nearest(bare);
    char shown[DUMP_FIELD_SHOWN_MAX];

    if (field == ITEM_FIELDS)
        return unknown_field(bare, nearest, err);
    *choice = answer ? &mapping->answer[field] : &mapping->question[field];
    mapping->has_answer |= answer;
    if ((*choice)->given)
        return err_set(err, ERR_INPUT, "field %s is given twice",
                       dump_field_show(name, shown));
    return true;
}

/* Takes "field=Column" and the comma behind it. */
static bool take_choice(struct dump_columns_mapping *mapping, struct str *rest,
                        struct arena *arena, struct err *err)
{
    char shown[DUMP_FIELD_SHOWN_MAX];
    struct str whole = *rest, name, value;
    struct dump_columns_choice *choice;

    if (!str_cut(rest, '=', &name) || memchr(name.ptr, ',', name.len) != NULL) {
        str_cut(&whole, ',', &name);
        return err_set(err, ERR_INPUT, "found %s, expected field=Column",
                       dump_field_show(str_trim(name), shown));
    }
    if (!choose(mapping, str_trim(name), &choice, err))
        return false;
    *rest = str_trim(*rest);
    if (rest->len > 0 && rest->ptr[0] == '"') {
        struct str suffix, quoted = *rest;
        if (!take_quoted(rest, arena, &value))
            return err_set(err, ERR_INPUT, "the quote of %s is never closed",
                           dump_field_show(quoted, shown));
        str_cut(rest, ',', &suffix);
        suffix = str_trim(suffix);
        choice->name = choice->base = value;
        if (suffix.len > 0 &&
            (suffix.ptr[0] != '#' ||
             !str_to_int(str_slice(suffix, 1, suffix.len), &choice->number) ||
             choice->number < 1))
            return err_set(err, ERR_INPUT,
                           "found %s behind a name in quotes, expected ',' or #2",
                           dump_field_show(suffix, shown));
    } else {
        str_cut(rest, ',', &value);
        *choice = dump_columns_choose(str_trim(value));
    }
    choice->given = true;
    return true;
}

bool dump_columns_parse(struct str text, struct arena *arena,
                        struct dump_columns_mapping *out, struct err *err)
{
    const struct dump_columns_choice *answer_id = &out->answer[ITEM_FIELD_ID];

    memset(out, 0, sizeof *out);
    for (struct str rest = str_trim(text); rest.len > 0; rest = str_trim(rest))
        if (!take_choice(out, &rest, arena, err))
            return false;
    if (out->has_answer && (!answer_id->given || answer_id->name.len == 0))
        return err_set(err, ERR_INPUT,
                       "answers in the rows of their questions need "
                       "answer.id=Column");
    return true;
}

/* --- the header --- */

/* How many columns have that name, and in *found the number-th of them (from 1). */
static size_t find_name(const struct dump_columns *columns, struct str name,
                        int64_t number, bool any_case, size_t *found)
{
    size_t count = 0;

    for (size_t i = 0; i < columns->count; i++) {
        if (!(any_case ? str_eq_letters(columns->names[i], name)
                       : str_eq(columns->names[i], name)))
            continue;
        if ((int64_t)++count == number)
            *found = i;
    }
    return count;
}

static bool unknown_column(const struct dump_columns *columns, struct str name,
                           struct err *err)
{
    char shown[DUMP_FIELD_SHOWN_MAX], other[DUMP_FIELD_SHOWN_MAX];
    size_t nearest = near_find(name, columns->names, columns->count);
    struct buf all = {0};

    dump_field_show(name, shown);
    if (nearest < columns->count)
        return err_set(err, ERR_INPUT, "no column %s; did you mean %s?", shown,
                       dump_field_show(columns->names[nearest], other));
    for (size_t i = 0; i < columns->count && i < 12; i++)
        buf_add_format(&all, "%s%s", i > 0 ? ", " : "",
                       dump_field_show(columns->names[i], other));
    err_record(err, ERR_INPUT, "no column %s; columns are: %.*s%s", shown,
               STR_ARG(buf_str(&all)), columns->count > 12 ? ", ..." : "");
    buf_free(&all);
    return false;
}

/* 'Id#2' for a message. */
enum { NUMBERED_MAX = DUMP_FIELD_SHOWN_MAX + 24 };
static const char *show_numbered(struct str name, int64_t number, char out[NUMBERED_MAX])
{
    size_t len = strlen(dump_field_show(name, out));

    snprintf(out + len - 1, NUMBERED_MAX - (len - 1), "#%lld'", (long long)number);
    return out;
}

static bool resolve(const struct dump_columns *columns,
                    const struct dump_columns_choice *choice, size_t *found,
                    struct err *err)
{
    struct str name = choice->number > 0 ? choice->base : choice->name;
    int64_t number = choice->number > 0 ? choice->number : 1;
    char shown[DUMP_FIELD_SHOWN_MAX], numbered[NUMBERED_MAX];

    *found = DUMP_COLUMNS_NONE;
    if (choice->name.len == 0)
        return true;
    /* A column may really be called "Id#2". */
    if (choice->base.len < choice->name.len &&
        find_name(columns, choice->name, 1, false, found) == 1)
        return true;
    size_t count = find_name(columns, name, number, false, found);
    if (count == 0)
        count = find_name(columns, name, number, true, found);
    if (count == 0)
        return unknown_column(columns, name, err);
    if ((int64_t)count < number)
        return err_set(err, ERR_INPUT, "no column %s: there %s %zu of that name",
                       show_numbered(name, number, numbered), count == 1 ? "is" : "are",
                       count);
    if (choice->number == 0 && count > 1)
        return err_set(err, ERR_INPUT,
                       "%zu columns are named %s; say which one is meant, as %s", count,
                       dump_field_show(name, shown), show_numbered(name, 1, numbered));
    return true;
}

/* The columns whose usual name is that of the field, as far as none is surer: how many,
 * and the first of them. */
static size_t find_usual(const struct dump_columns *columns, enum item_field field,
                         const bool *named, size_t *found)
{
    size_t count = 0;
    int best = -1;

    for (size_t i = 0; i < columns->count; i++) {
        int rank = named[i] ? -1 : dump_field_rank(field, columns->names[i]);
        if (rank < 0 || (best >= 0 && rank > best))
            continue;
        if (rank != best) {
            best = rank;
            count = 0;
            *found = i;
        }
        count++;
    }
    return count;
}

/* What the mapping says, both for questions and answers; `named` gets the columns. */
static bool find_named(const struct dump_columns_mapping *mapping,
                       struct dump_columns *columns, bool *named, struct err *err)
{
    for (int i = 0; i < 2 * ITEM_FIELDS; i++) {
        bool answer = i >= ITEM_FIELDS;
        int field = i % ITEM_FIELDS;
        const struct dump_columns_choice *choice =
            answer ? &mapping->answer[field] : &mapping->question[field];
        size_t *found = answer ? &columns->answer[field] : &columns->question[field];
        *found = DUMP_COLUMNS_NONE;
        if (!choice->given)
            continue;
        if (!resolve(columns, choice, found, err))
            return false;
        if (*found != DUMP_COLUMNS_NONE)
            named[*found] = true;
    }
    return true;
}

bool dump_columns_is_usual(const struct dump_columns_mapping *mapping, int field)
{
    return mapping == NULL || !mapping->only || mapping->usual >> field & 1;
}

/* All names that are there too often at once, with the mapping that settles it. */
static bool find_unnamed(const struct dump_columns_mapping *mapping,
                         struct dump_columns *columns, const bool *named, struct err *err)
{
    struct buf twice = {0}, advice = {0};
    char shown[DUMP_FIELD_SHOWN_MAX];

    for (int i = 0; i < ITEM_FIELDS; i++) {
        size_t *found = &columns->question[i], first = 0;
        if (!dump_columns_is_usual(mapping, i) || mapping->question[i].given)
            continue;
        size_t count = find_usual(columns, (enum item_field)i, named, found);
        if (count < 2)
            continue;
        struct str name = columns->names[*found];
        buf_add_format(&twice, "%s%s", twice.len > 0 ? ", " : "",
                       dump_field_show(name, shown));
        buf_add_format(&advice, "%s%.*s=%.*s", advice.len > 0 ? ", " : "",
                       STR_ARG(item_field((enum item_field)i)->name),
                       STR_ARG(str_slice(name, 0, 60)));
        if (find_name(columns, name, 1, false, &first) > 1)
            buf_add(&advice, STR("#1"));
    }
    if (twice.len > 0)
        err_record(err, ERR_INPUT,
                   "more than one column is named %.*s; say which one is meant, as "
                   "'%.*s'",
                   STR_ARG(buf_str(&twice)), STR_ARG(buf_str(&advice)));
    bool ok = twice.len == 0;
    buf_free(&twice);
    buf_free(&advice);
    return ok;
}

/* A column may be a field of the post and an extra one as well. */
static bool find_extra(const struct dump_columns_mapping *mapping, struct arena *arena,
                       struct dump_columns *columns, struct err *err)
{
    columns->extra_count = mapping->extra_count;
    columns->extra = arena_array(arena, size_t, mapping->extra_count);
    for (size_t i = 0; i < mapping->extra_count; i++)
        if (!resolve(columns, &mapping->extra[i], &columns->extra[i], err))
            return false;
    return true;
}

bool dump_columns_find(const struct dump_columns_mapping *mapping,
                       const struct str *names, size_t count, struct arena *arena,
                       struct dump_columns *out, struct err *err)
{
    bool *named = arena_array(arena, bool, count);
    struct str *copies = arena_array(arena, struct str, count);

    for (size_t i = 0; i < count; i++)
        copies[i] = arena_copy(arena, str_trim(names[i]));
    *out = (struct dump_columns){.names = copies,
                                 .count = count,
                                 .joined = mapping->has_answer,
                                 .keys = mapping->only};
    if (!find_named(mapping, out, named, err) ||
        !find_unnamed(mapping, out, named, err) || !find_extra(mapping, arena, out, err))
        return false;
    struct str name = count > 0 ? str_slice(copies[0], 0, 60) : STR("Column");
    if (out->question[ITEM_FIELD_ID] == DUMP_COLUMNS_NONE && !mapping->only)
        return err_set(err, ERR_INPUT,
                       "no column is named 'Id'; say which one holds the id of the post, "
                       "by `columns: {id: %.*s}` of the study's source, or by --columns "
                       "'id=%.*s' where a command has it",
                       STR_ARG(name), STR_ARG(name));
    return true;
}

/* --- rows --- */

/* Puts the column's name before an error's text, as it would stand in a mapping. */
static bool in_column(const struct dump_columns *columns, size_t column, struct err *err)
{
    char shown[NUMBERED_MAX];
    size_t ignored = 0;
    int64_t number = 0;
    struct str name = columns->names[column];

    for (size_t i = 0; i <= column; i++)
        number += str_eq(columns->names[i], name);
    if (find_name(columns, name, 1, false, &ignored) > 1)
        show_numbered(name, number, shown);
    else
        dump_field_show(name, shown);
    return err_at(err, "column %s: ", shown);
}

static bool fill(const struct dump_columns *columns, const size_t *where,
                 const struct str *values, struct arena *arena, struct item *out,
                 struct err *err)
{
    *out = item_empty();
    for (int i = 0; i < ITEM_FIELDS; i++) {
        size_t column = where[i];
        if (column == DUMP_COLUMNS_NONE)
            continue;
        if (i == ITEM_FIELD_ID && columns->keys &&
            !dump_field_is_number(values[column])) {
            out->key = str_trim(values[column]);
            continue;
        }
        if (!dump_field_set(out, (enum item_field)i, values[column], arena, err))
            return in_column(columns, column, err);
    }
    return true;
}

static const struct str *take_extra(const struct dump_columns *columns,
                                    const struct str *values, struct arena *arena)
{
    struct str *extra = arena_array(arena, struct str, columns->extra_count);

    for (size_t i = 0; i < columns->extra_count; i++)
        if (columns->extra[i] != DUMP_COLUMNS_NONE)
            extra[i] = values[columns->extra[i]];
    return columns->extra_count > 0 ? extra : NULL;
}

bool dump_columns_post(const struct dump_columns *columns, const struct str *values,
                       struct arena *arena, struct item *out, struct err *err)
{
    if (!fill(columns, columns->question, values, arena, out, err))
        return false;
    if (out->id == ITEM_NONE && out->key.len == 0 &&
        columns->question[ITEM_FIELD_ID] != DUMP_COLUMNS_NONE) {
        err_record(err, ERR_INPUT, "found nothing, expected the id of the post");
        return in_column(columns, columns->question[ITEM_FIELD_ID], err);
    }
    dump_field_settle(out);
    out->extra = take_extra(columns, values, arena);
    return true;
}

bool dump_columns_answer(const struct dump_columns *columns, const struct str *values,
                         const struct item *question, struct arena *arena,
                         struct item *out, struct err *err)
{
    if (!fill(columns, columns->answer, values, arena, out, err))
        return false;
    if (out->parent == ITEM_NONE)
        out->parent = question->id;
    if (out->kind == ITEM_NONE)
        out->kind = ITEM_ANSWER;
    return true;
}
