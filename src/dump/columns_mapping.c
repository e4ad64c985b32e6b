/* A mapping is read without a file, so that a study's is checked before anything runs. */
#include <string.h>

#include "base/buf.h"
#include "base/near.h"
#include "dump/columns.h"

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
