/* Mappings: what the user may say, and what is said when that is wrong. */
#include "dump/columns.h"

#include <string.h>

#include "base/buf.h"
#include "tests/tap.h"

static const struct {
    const char *name;
    const char *mapping;
    const char *choices; /* field=name/base/number ... */
    const char *error;   /* NULL: none */
} mappings[] = {
    {"nothing", "", "", NULL},
    {"only blanks", " \n", "", NULL},
    {"one", "id=post_id", "id=post_id/post_id/0 ", NULL},
    {"several", " id = post_id ,views=view count",
     "id=post_id/post_id/0 views=view count/"
     "view count/0 ",
     NULL},
    {"over lines", "id=a,\n  type=b,\n", "id=a/a/0 type=b/b/0 ", NULL},
    {"a number", "id=Id#2", "id=Id#2/Id/2 ", NULL},
    {"no number", "id=C#, type=#1", "id=C#/C#/0 type=#1/#1/0 ", NULL},
    {"a number that is too large", "id=a#99999999999999999999",
     "id=a#99999999999999999999/a#99999999999999999999/0 ", NULL},
    {"an answer in the row", "answer.id=Id#2, answer.body=Body#2, body=Body#1",
     "body=Body#1/Body/1 answer.id=Id#2/Id/2 answer.body=Body#2/Body/2 ", NULL},
    {"quotes", "title=\"Title, of the \"\"post\"\"\", id=\"Id#2\"",
     "id=Id#2/Id#2/0 title=Title, of the \"post\"/Title, of the \"post\"/0 ", NULL},
    {"quotes and a number", "title=\"a,b\" #2", "title=a,b/a,b/2 ", NULL},
    {"no column", "closed=, score=\"\"", "closed=//0 score=//0 ", NULL},
    {"unknown field", "viewz=ViewCount", "",
     "unknown field 'viewz'; did you mean 'views'?"},
    {"unknown field of an answer", "answer.bodi=Body", "",
     "unknown field 'bodi'; did you mean 'body'?"},
    {"quite unknown field", "reputation=x", "",
     "unknown field 'reputation'; fields are: id type parent accepted created closed "
     "score "
     "views answers comments favorites owner accepted-at wiki-since lastactive tags "
     "title license body"},
    {"a field twice", "id=a, id=b", "", "field 'id' is given twice"},
    {"an answer's field twice", "answer.id=a, answer.id=a", "",
     "field 'answer.id' is given twice"},
    {"no equals sign", "id", "", "found 'id', expected field=Column"},
    {"no equals sign in the first", "id, views=a", "",
     "found 'id', expected field=Column"},
    {"a comma too much", "id=a,,views=b", "", "found '', expected field=Column"},
    {"an open quote", "id=\"a, views=b", "",
     "the quote of '\"a, views=b' is never closed"},
    {"text behind a quote", "id=\"a\"b", "",
     "found 'b' behind a name in quotes, expected ',' or #2"},
    {"a negative number behind a quote", "id=\"a\"#-1", "",
     "found '#-1' behind a name in quotes, expected ',' or #2"},
    {"an answer without its id", "answer.body=Body#2", "",
     "answers in the rows of their questions need answer.id=Column"},
    {"an answer with no id", "answer.id=", "",
     "answers in the rows of their questions need answer.id=Column"},
};

static void show_choices(const struct dump_columns_choice *choices, const char *prefix,
                         struct buf *out)
{
    for (int i = 0; i < ITEM_FIELDS; i++)
        if (choices[i].given)
            buf_add_format(out, "%s%.*s=%.*s/%.*s/%lld ", prefix,
                           STR_ARG(item_field((enum item_field)i)->name),
                           STR_ARG(choices[i].name), STR_ARG(choices[i].base),
                           (long long)choices[i].number);
}

static void check_mappings(struct arena *arena)
{
    for (size_t i = 0; i < ROWS(mappings); i++) {
        struct dump_columns_mapping mapping;
        struct err err = {0};
        struct buf out = {0};
        tap_case("mapping: %s", mappings[i].name);
        bool ok =
            dump_columns_parse(str_from(mappings[i].mapping), arena, &mapping, &err);
        CHECK(ok == (mappings[i].error == NULL));
        CHECK_TEXT(err.text, ok ? "" : mappings[i].error);
        CHECK(err.kind == (ok ? ERR_NONE : ERR_INPUT));
        if (ok) {
            show_choices(mapping.question, "", &out);
            show_choices(mapping.answer, "answer.", &out);
            buf_add_char(&out, '\0');
            CHECK_TEXT(out.ptr, mappings[i].choices);
            CHECK(mapping.has_answer == (strstr(out.ptr, "answer.") != NULL));
        }
        buf_free(&out);
    }
}

int main(void)
{
    struct arena arena = {0};

    check_mappings(&arena);
    arena_free(&arena);
    return tap_done();
}
