/* The table of fields: parser, printer, messages and readers of trees all use it. */
#include "query/internal.h"

#include "base/near.h"

#define TEXT_VALUE "a word, word*, \"a phrase\", ~\"a part\" or /a regex/"
#define NUMBER     "a number or a range such as 5, 5.., ..5 or 3..8"
#define DATE       "a date or a range such as 2017, 2015..2018, 2015-03..2016-07-15 or 30d.."

#define BELOW_VALUE \
    "a query in brackets, a word, word*, \"a phrase\", ~\"a part\" or /a regex/"
#define TAG_VALUE "a tag, tag* or ~part"

/* In the order of enum query_field; other spellings follow. */
static const struct query_field_row fields[] = {
    {.name = STR_INIT("title"),
     .field = QUERY_FIELD_TITLE,
     .value = QUERY_VALUE_TEXT,
     .expected = TEXT_VALUE,
     .about = ITEM_FIELD_TITLE},
    {.name = STR_INIT("prose"),
     .field = QUERY_FIELD_PROSE,
     .value = QUERY_VALUE_TEXT,
     .expected = TEXT_VALUE,
     .about = ITEM_FIELDS,
     .below = QUERY_OF_ANSWERS | QUERY_OF_COMMENTS},
    {.name = STR_INIT("code"),
     .field = QUERY_FIELD_CODE,
     .value = QUERY_VALUE_TEXT,
     .expected = TEXT_VALUE,
     .about = ITEM_FIELDS,
     .below = QUERY_OF_ANSWERS | QUERY_OF_COMMENTS},
    {.name = STR_INIT("body"),
     .field = QUERY_FIELD_BODY,
     .value = QUERY_VALUE_TEXT,
     .expected = TEXT_VALUE,
     .about = ITEM_FIELD_BODY,
     .below = QUERY_OF_ANSWERS | QUERY_OF_COMMENTS},
    {.name = STR_INIT("tag"),
     .field = QUERY_FIELD_TAG,
     .value = QUERY_VALUE_TAG,
     .expected = TAG_VALUE,
     .about = ITEM_FIELD_TAGS},
    {.name = STR_INIT("score"),
     .field = QUERY_FIELD_SCORE,
     .value = QUERY_VALUE_NUMBER,
     .expected = NUMBER,
     .about = ITEM_FIELD_SCORE,
     .below = QUERY_OF_ANSWERS | QUERY_OF_COMMENTS},
    {.name = STR_INIT("views"),
     .field = QUERY_FIELD_VIEWS,
     .value = QUERY_VALUE_NUMBER,
     .expected = NUMBER,
     .about = ITEM_FIELD_VIEWS},
    {.name = STR_INIT("answers"),
     .field = QUERY_FIELD_ANSWERS,
     .value = QUERY_VALUE_NUMBER,
     .expected = NUMBER,
     .about = ITEM_FIELD_ANSWERS},
    {.name = STR_INIT("comments"),
     .field = QUERY_FIELD_COMMENTS,
     .value = QUERY_VALUE_NUMBER,
     .expected = NUMBER,
     .about = ITEM_FIELD_COMMENTS,
     .below = QUERY_OF_ANSWERS},
    {.name = STR_INIT("favorites"),
     .field = QUERY_FIELD_FAVORITES,
     .value = QUERY_VALUE_NUMBER,
     .expected = NUMBER,
     .about = ITEM_FIELD_FAVORITES},
    {.name = STR_INIT("created"),
     .field = QUERY_FIELD_CREATED,
     .value = QUERY_VALUE_DATE,
     .expected = DATE,
     .about = ITEM_FIELD_CREATED,
     .below = QUERY_OF_ANSWERS | QUERY_OF_COMMENTS},
    {.name = STR_INIT("closed"),
     .field = QUERY_FIELD_CLOSED,
     .value = QUERY_VALUE_CLOSED,
     .expected = "yes, no, " DATE,
     .about = ITEM_FIELD_CLOSED},
    {.name = STR_INIT("hascode"),
     .field = QUERY_FIELD_HASCODE,
     .value = QUERY_VALUE_FLAG,
     .expected = "yes or no",
     .about = ITEM_FIELDS,
     .below = QUERY_OF_ANSWERS | QUERY_OF_COMMENTS},
    {.name = STR_INIT("hasaccepted"),
     .field = QUERY_FIELD_HASACCEPTED,
     .value = QUERY_VALUE_FLAG,
     .expected = "yes or no",
     .about = ITEM_FIELD_ACCEPTED},
    {.name = STR_INIT("is"),
     .field = QUERY_FIELD_IS,
     .value = QUERY_VALUE_TYPE,
     .expected = "question, answer, issue, pull-request, discussion, topic, commit, row, "
                 "comment, wiki, tagwiki, excerpt or nomination",
     .about = ITEM_FIELD_KIND},
    {.name = STR_INIT("id"),
     .field = QUERY_FIELD_ID,
     .value = QUERY_VALUE_NUMBER,
     .expected = NUMBER,
     .about = ITEM_FIELD_ID,
     .below = QUERY_OF_ANSWERS},
    {.name = STR_INIT("user"),
     .field = QUERY_FIELD_USER,
     .value = QUERY_VALUE_NUMBER,
     .expected = NUMBER,
     .about = ITEM_FIELD_OWNER,
     .below = QUERY_OF_ANSWERS | QUERY_OF_COMMENTS},
    {.name = STR_INIT("parent"),
     .field = QUERY_FIELD_PARENT,
     .value = QUERY_VALUE_NUMBER,
     .expected = NUMBER,
     .about = ITEM_FIELD_PARENT},
    {.name = STR_INIT("in"),
     .field = QUERY_FIELD_IN,
     .value = QUERY_VALUE_SET,
     .expected = "the name of a set",
     .about = ITEM_FIELDS},
    {.name = STR_INIT("source"),
     .field = QUERY_FIELD_SOURCE,
     .value = QUERY_VALUE_SOURCE,
     .expected = "the name of a source",
     .about = ITEM_FIELDS},
    {.name = STR_INIT("wiki"),
     .field = QUERY_FIELD_WIKI,
     .value = QUERY_VALUE_FLAG,
     .expected = "yes or no",
     .about = ITEM_FIELD_WIKI,
     .below = QUERY_OF_ANSWERS},
    {.name = STR_INIT("lastactive"),
     .field = QUERY_FIELD_LASTACTIVE,
     .value = QUERY_VALUE_DATE,
     .expected = DATE,
     .about = ITEM_FIELD_LASTACTIVE,
     .below = QUERY_OF_ANSWERS},
    {.name = STR_INIT("reputation"),
     .field = QUERY_FIELD_REPUTATION,
     .value = QUERY_VALUE_NUMBER,
     .expected = NUMBER,
     .about = ITEM_FIELDS,
     .below = QUERY_OF_ANSWERS | QUERY_OF_COMMENTS},
    {.name = STR_INIT("duplicate"),
     .field = QUERY_FIELD_DUPLICATE,
     .value = QUERY_VALUE_FLAG,
     .expected = "yes or no",
     .about = ITEM_FIELDS},
    {.name = STR_INIT("hasendorsed"),
     .field = QUERY_FIELD_HASENDORSED,
     .value = QUERY_VALUE_FLAG,
     .expected = "yes or no",
     .about = ITEM_FIELDS},
    {.name = STR_INIT("comment"),
     .field = QUERY_FIELD_COMMENT,
     .value = QUERY_VALUE_BELOW,
     .expected = BELOW_VALUE,
     .about = ITEM_FIELDS,
     .below = QUERY_OF_ANSWERS},
    {.name = STR_INIT("answer"),
     .field = QUERY_FIELD_ANSWER,
     .value = QUERY_VALUE_BELOW,
     .expected = BELOW_VALUE,
     .about = ITEM_FIELDS},
    {.name = STR_INIT("label"),
     .field = QUERY_FIELD_LABEL,
     .value = QUERY_VALUE_LABEL,
     .expected = "a labelling or LABELLING/CODE",
     .about = ITEM_FIELDS},
    {.name = STR_INIT("predicted"),
     .field = QUERY_FIELD_PREDICTED,
     .value = QUERY_VALUE_LABEL,
     .expected = "a classifier or CLASSIFIER/CODE",
     .about = ITEM_FIELDS},
    {.name = STR_INIT("hasunit"),
     .field = QUERY_FIELD_HASUNIT,
     .value = QUERY_VALUE_LABEL,
     .expected = "a labelling with units or LABELLING/CODE",
     .about = ITEM_FIELDS},
    {.name = STR_INIT("tags"),
     .field = QUERY_FIELD_TAG,
     .value = QUERY_VALUE_TAG,
     .expected = TAG_VALUE,
     .about = ITEM_FIELD_TAGS},
    {.name = STR_INIT("message"),
     .field = QUERY_FIELD_BODY,
     .value = QUERY_VALUE_TEXT,
     .expected = TEXT_VALUE,
     .about = ITEM_FIELD_BODY,
     .below = QUERY_OF_ANSWERS | QUERY_OF_COMMENTS},
    {.name = STR_INIT("favourites"),
     .field = QUERY_FIELD_FAVORITES,
     .value = QUERY_VALUE_NUMBER,
     .expected = NUMBER,
     .about = ITEM_FIELD_FAVORITES},
};

enum item_field query_item_field(enum query_field field)
{
    return fields[field].about;
}

/* What is: may ask for. Names of two words are written as one; pr is what GitHub says. */
static const struct {
    struct str name, canonical;
    unsigned types;
} types[] = {
    {STR_INIT("question"), STR_INIT("question"), 1u << ITEM_QUESTION},
    {STR_INIT("answer"), STR_INIT("answer"), 1u << ITEM_ANSWER},
    {STR_INIT("wiki"), STR_INIT("wiki"),
     1u << ITEM_ORPHANED_WIKI | 1u << ITEM_EXCERPT | 1u << ITEM_TAG_WIKI |
         1u << ITEM_WIKI_PLACEHOLDER | 1u << ITEM_PRIVILEGE_WIKI},
    {STR_INIT("tagwiki"), STR_INIT("tagwiki"), 1u << ITEM_TAG_WIKI},
    {STR_INIT("excerpt"), STR_INIT("excerpt"), 1u << ITEM_EXCERPT},
    {STR_INIT("nomination"), STR_INIT("nomination"), 1u << ITEM_NOMINATION},
    {STR_INIT("row"), STR_INIT("row"), 1u << ITEM_ROW},
    {STR_INIT("commit"), STR_INIT("commit"), 1u << ITEM_COMMIT},
    {STR_INIT("issue"), STR_INIT("issue"), 1u << ITEM_ISSUE},
    {STR_INIT("pull-request"), STR_INIT("pull-request"), 1u << ITEM_PULL_REQUEST},
    {STR_INIT("pr"), STR_INIT("pull-request"), 1u << ITEM_PULL_REQUEST},
    {STR_INIT("discussion"), STR_INIT("discussion"), 1u << ITEM_DISCUSSION},
    {STR_INIT("topic"), STR_INIT("topic"), 1u << ITEM_TOPIC},
    {STR_INIT("comment"), STR_INIT("comment"), 1u << ITEM_COMMENT},
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

bool query_field_known(struct str name)
{
    const struct query_field_row *row = query_field_find(name);

    return row != NULL && row->value != QUERY_VALUE_LABEL;
}

struct query_field_row query_field_own(struct str name, enum item_type type, bool costly)
{
    return (struct query_field_row){
        .name = name,
        .field = QUERY_FIELD_OWN,
        .value = QUERY_VALUE_OWN,
        .expected = type == ITEM_NUMBER   ? NUMBER
                    : type == ITEM_MOMENT ? DATE
                    : type == ITEM_YES_NO ? "yes or no"
                    : type == ITEM_ANY
                        ? "a number, a range such as 5.. or 3..8, " TEXT_VALUE
                        : TEXT_VALUE,
        .about = ITEM_FIELDS,
        .type = type,
        .costly = costly,
    };
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
           "created, closed, hascode, hasaccepted, is, id, user, parent, in, source, "
           "wiki, lastactive, reputation, duplicate, hasendorsed, comment, answer, "
           "label, "
           "predicted and hasunit";
}

void query_field_list_below(unsigned below, struct buf *out)
{
    for (size_t i = 0; i < QUERY_FIELDS; i++)
        if (fields[i].below & below)
            buf_add_format(out, "%s%.*s", out->len > 0 ? ", " : "",
                           STR_ARG(fields[i].name));
}

struct str query_field_name(enum query_field field)
{
    return fields[field].name;
}

unsigned query_type_find(struct str name, struct str *canonical)
{
    for (size_t i = 0; i < ROWS_OF(types); i++)
        if (query_same_name(name, types[i].name)) {
            *canonical = types[i].canonical;
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
