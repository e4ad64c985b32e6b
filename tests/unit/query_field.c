/* Fields and kinds of posts by name. */
#include "query/internal.h"

#include <string.h>

#include "tests/tap.h"

static const struct {
    const char *name;
    int field;           /* -1: none */
    const char *nearest; /* "": none */
} names[] = {
    {"title", QUERY_FIELD_TITLE, "title"},
    {"TITLE", QUERY_FIELD_TITLE, "title"},
    {"tags", QUERY_FIELD_TAG, "tags"},
    {"favourites", QUERY_FIELD_FAVORITES, "favourites"},
    {"in", QUERY_FIELD_IN, "in"},
    {"titel", -1, "title"},
    {"acepted", -1, ""},
    {"hasacepted", -1, "hasaccepted"},
    {"creatd", -1, "created"},
    {"std", -1, ""},
    {"", -1, ""},
};

static const struct {
    const char *name;
    unsigned types;
    const char *nearest;
} kinds[] = {
    {"question", 1u << 1, "question"},
    {"ANSWER", 1u << 2, "answer"},
    {"wiki", 0x1B8, "wiki"},
    {"tagwiki", 1u << 5, "tagwiki"},
    {"excerpt", 1u << 4, "excerpt"},
    {"nomination", 1u << 6, "nomination"},
    {"answr", 0, "answer"},
    {"closed", 0, ""},
};

int main(void)
{
    for (size_t i = 0; i < ROWS(names); i++) {
        const struct query_field_row *row = query_field_find(str_from(names[i].name));
        const struct query_field_row *near = query_field_nearest(str_from(names[i].name));
        tap_case("field: '%s'", names[i].name);
        CHECK(row != NULL ? (int)row->field == names[i].field : names[i].field == -1);
        CHECK_TEXT(near != NULL ? near->name.ptr : "", names[i].nearest);
    }
    for (int field = 0; field < QUERY_FIELDS; field++) {
        struct str name = query_field_name((enum query_field)field);
        tap_case("field: %s is in the table under its own number and in the list",
                 name.ptr);
        CHECK((int)query_field_find(name)->field == field);
        CHECK(strstr(query_field_list(), name.ptr) != NULL);
    }
    for (size_t i = 0; i < ROWS(kinds); i++) {
        struct str canonical = {"", 0};
        struct str near = query_type_nearest(str_from(kinds[i].name));
        tap_case("kind: '%s'", kinds[i].name);
        CHECK(query_type_find(str_from(kinds[i].name), &canonical) == kinds[i].types);
        CHECK((canonical.len > 0) == (kinds[i].types != 0));
        CHECK_TEXT(near.len > 0 ? near.ptr : "", kinds[i].nearest);
    }
    return tap_done();
}
