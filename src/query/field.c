/* The table of fields: parser, printer, messages and readers of trees all use it. */
#include "query/internal.h"

#include "base/near.h"

/* A slice in a table: STR() is not a constant. */
#define NAME(text) \
    { \
        text, sizeof(text) - 1 \
    }
#define TEXT_VALUE "a word, word*, \"a phrase\", ~\"a part\" or /a regex/"
#define NUMBER     "a number or a range such as 5, 5.., ..5 or 3..8"
#define DATE       "a date or a range such as 2017, 2015..2018 or 2015-03..2016-07-15"

/* In the order of enum query_field; other spellings follow. */
static const struct query_field_row fields[] = {
    {NAME("title"), QUERY_FIELD_TITLE, QUERY_VALUE_TEXT, TEXT_VALUE},
    {NAME("prose"), QUERY_FIELD_PROSE, QUERY_VALUE_TEXT, TEXT_VALUE},
    {NAME("code"), QUERY_FIELD_CODE, QUERY_VALUE_TEXT, TEXT_VALUE},
    {NAME("body"), QUERY_FIELD_BODY, QUERY_VALUE_TEXT, TEXT_VALUE},
    {NAME("tag"), QUERY_FIELD_TAG, QUERY_VALUE_TAG, "a tag, tag* or ~part"},
    {NAME("score"), QUERY_FIELD_SCORE, QUERY_VALUE_NUMBER, NUMBER},
    {NAME("views"), QUERY_FIELD_VIEWS, QUERY_VALUE_NUMBER, NUMBER},
    {NAME("answers"), QUERY_FIELD_ANSWERS, QUERY_VALUE_NUMBER, NUMBER},
    {NAME("comments"), QUERY_FIELD_COMMENTS, QUERY_VALUE_NUMBER, NUMBER},
    {NAME("favorites"), QUERY_FIELD_FAVORITES, QUERY_VALUE_NUMBER, NUMBER},
    {NAME("created"), QUERY_FIELD_CREATED, QUERY_VALUE_DATE, DATE},
    {NAME("closed"), QUERY_FIELD_CLOSED, QUERY_VALUE_CLOSED, "yes, no, " DATE},
    {NAME("hascode"), QUERY_FIELD_HASCODE, QUERY_VALUE_FLAG, "yes or no"},
    {NAME("hasaccepted"), QUERY_FIELD_HASACCEPTED, QUERY_VALUE_FLAG, "yes or no"},
    {NAME("is"), QUERY_FIELD_IS, QUERY_VALUE_TYPE,
     "question, answer, wiki, tagwiki, excerpt or nomination"},
    {NAME("id"), QUERY_FIELD_ID, QUERY_VALUE_NUMBER, NUMBER},
    {NAME("user"), QUERY_FIELD_USER, QUERY_VALUE_NUMBER, NUMBER},
    {NAME("parent"), QUERY_FIELD_PARENT, QUERY_VALUE_NUMBER, NUMBER},
    {NAME("in"), QUERY_FIELD_IN, QUERY_VALUE_SET, "the name of a set"},
    {NAME("tags"), QUERY_FIELD_TAG, QUERY_VALUE_TAG, "a tag, tag* or ~part"},
    {NAME("favourites"), QUERY_FIELD_FAVORITES, QUERY_VALUE_NUMBER, NUMBER},
};

/* Post types of Stack Exchange: 1 question, 2 answer, 3 orphaned tag wiki, 4 tag wiki
 * excerpt, 5 tag wiki, 6 moderator nomination, 7 wiki placeholder, 8 privilege wiki. */
static const struct {
    struct str name;
    unsigned types;
} types[] = {
    {NAME("question"), 1u << 1},
    {NAME("answer"), 1u << 2},
    {NAME("wiki"), 1u << 3 | 1u << 4 | 1u << 5 | 1u << 7 | 1u << 8},
    {NAME("tagwiki"), 1u << 5},
    {NAME("excerpt"), 1u << 4},
    {NAME("nomination"), 1u << 6},
};

bool query_same_name(struct str a, struct str b)
{
    if (a.len != b.len)
        return false;
    for (size_t i = 0; i < a.len; i++)
        if (query_lower(a.ptr[i]) != query_lower(b.ptr[i]))
            return false;
    return true;
}

const struct query_field_row *query_field_find(struct str name)
{
    for (size_t i = 0; i < ROWS_OF(fields); i++)
        if (query_same_name(name, fields[i].name))
            return &fields[i];
    return NULL;
}

const struct query_field_row *query_field_nearest(struct str name)
{
    struct str names[ROWS_OF(fields)];

    for (size_t i = 0; i < ROWS_OF(fields); i++)
        names[i] = fields[i].name;
    size_t found = near_find(name, names, ROWS_OF(fields));
    return found < ROWS_OF(fields) ? &fields[found] : NULL;
}

const char *query_field_list(void)
{
    return "title, prose, code, body, tag, score, views, answers, comments, favorites, "
           "created, closed, hascode, hasaccepted, is, id, user, parent and in";
}

struct str query_field_name(enum query_field field)
{
    return fields[field].name;
}

unsigned query_type_find(struct str name, struct str *canonical)
{
    for (size_t i = 0; i < ROWS_OF(types); i++)
        if (query_same_name(name, types[i].name)) {
            *canonical = types[i].name;
            return types[i].types;
        }
    return 0;
}

struct str query_type_nearest(struct str name)
{
    struct str names[ROWS_OF(types)];

    for (size_t i = 0; i < ROWS_OF(types); i++)
        names[i] = types[i].name;
    size_t found = near_find(name, names, ROWS_OF(types));
    return found < ROWS_OF(types) ? names[found] : (struct str){0};
}
