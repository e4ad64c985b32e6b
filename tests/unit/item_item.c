/* The tables of the model: nothing in them means two things, and what is missing is. */
#include "item/item.h"

#include <string.h>

#include "item/license.h"
#include "tests/tap.h"

static void check_empty(void)
{
    struct item item = item_empty();

    for (size_t i = 0; i < ITEM_NUMBERS; i++) {
        tap_case("an empty item has no %s", item_field((enum item_field)i)->name.ptr);
        CHECK(item.numbers[i] == ITEM_NONE);
    }
    for (size_t i = 0; i < ITEM_TEXTS; i++) {
        tap_case("an empty item has no %s",
                 item_field((enum item_field)(ITEM_NUMBERS + i))->name.ptr);
        CHECK(item.texts[i].len == 0);
    }
    tap_case("an empty item is html, not escaped, without more");
    CHECK(item.form == ITEM_HTML && !item.escaped && item.extra == NULL);
    tap_case("no number of a real item means nothing");
    CHECK(ITEM_NONE < -1); /* -1 is the user "Community" */
}

/* The table of fields and the members of the struct go together. */
static void check_members(void)
{
    struct item item = item_empty();
    const struct {
        enum item_field field;
        const int64_t *member;
    } numbers[] = {
        {ITEM_FIELD_ID, &item.id},
        {ITEM_FIELD_KIND, &item.kind},
        {ITEM_FIELD_PARENT, &item.parent},
        {ITEM_FIELD_ACCEPTED, &item.accepted},
        {ITEM_FIELD_CREATED, &item.created_ms},
        {ITEM_FIELD_CLOSED, &item.closed_ms},
        {ITEM_FIELD_SCORE, &item.score},
        {ITEM_FIELD_VIEWS, &item.views},
        {ITEM_FIELD_ANSWERS, &item.answers},
        {ITEM_FIELD_COMMENTS, &item.comments},
        {ITEM_FIELD_FAVORITES, &item.favorites},
        {ITEM_FIELD_OWNER, &item.owner},
        {ITEM_FIELD_ACCEPTED_AT, &item.accepted_ms},
        {ITEM_FIELD_WIKI, &item.wiki_ms},
        {ITEM_FIELD_LASTACTIVE, &item.lastactive_ms},
    };
    const struct {
        enum item_field field;
        const struct str *member;
    } texts[] = {
        {ITEM_FIELD_TAGS, &item.tags},
        {ITEM_FIELD_TITLE, &item.title},
        {ITEM_FIELD_LICENSE, &item.license},
        {ITEM_FIELD_BODY, &item.body},
    };

    tap_case("every field is a member of the struct");
    CHECK(ROWS(numbers) == ITEM_NUMBERS && ROWS(texts) == ITEM_TEXTS);
    for (size_t i = 0; i < ROWS(numbers); i++)
        CHECK(numbers[i].member == &item.numbers[numbers[i].field]);
    for (size_t i = 0; i < ROWS(texts); i++)
        CHECK(texts[i].member == &item.texts[texts[i].field - ITEM_NUMBERS]);
}

static bool same(const char *a, const char *b)
{
    return a != NULL && b != NULL && strcmp(a, b) == 0;
}

static bool share_a_spelling(const struct item_field_row *a,
                             const struct item_field_row *b)
{
    for (size_t i = 0; i < ITEM_SPELLINGS_MAX; i++)
        for (size_t k = 0; k < ITEM_SPELLINGS_MAX; k++)
            if (same(a->spellings[i], b->spellings[k]))
                return true;
    return false;
}

static void check_fields(void)
{
    for (int i = 0; i < ITEM_FIELDS; i++) {
        const struct item_field_row *row = item_field((enum item_field)i);
        tap_case("field: %s", row->name.ptr);
        CHECK(row->name.len > 0 && row->column[0] != '\0');
        CHECK(item_field_find(row->name) == (enum item_field)i);
        CHECK(row->spellings[0] != NULL);
        CHECK((row->type == ITEM_LIST || row->type == ITEM_TEXT) == (i >= ITEM_NUMBERS));
        for (int k = 0; k < i; k++) {
            const struct item_field_row *other = item_field((enum item_field)k);
            CHECK(!str_eq(row->name, other->name));
            CHECK(!same(row->column, other->column));
            CHECK(!share_a_spelling(row, other));
        }
        for (size_t s = 0; s < ITEM_SPELLINGS_MAX && row->spellings[s] != NULL; s++)
            CHECK(strpbrk(row->spellings[s], " _-.@ABCDEFGHIJKLMNOPQRSTUVWXYZ") == NULL);
    }
    tap_case("fields that are not there");
    CHECK(item_field_find(STR("")) == ITEM_FIELDS);
    CHECK(item_field_find(STR("Score")) == ITEM_FIELDS);
    CHECK(item_field_find(STR("score ")) == ITEM_FIELDS);
}

/* Names in one table; each is there and unlike the others. */
static void check_names(const char *of, struct str (*name)(int), int first, int count)
{
    tap_case("names of %s", of);
    for (int i = first; i < count; i++) {
        CHECK(name(i).len > 0);
        for (int k = first; k < i; k++)
            CHECK(!str_eq(name(i), name(k)));
    }
}

static struct str kind_name(int kind)
{
    return item_kind_name((enum item_kind)kind);
}

static struct str also_name(int also)
{
    return item_also_name((enum item_also)also);
}

static void check_kinds(void)
{
    tap_case("kinds: what is studied");
    for (int64_t kind = 1; kind < ITEM_KINDS; kind++)
        CHECK(item_kind_is_studied(kind) == (item_studied_kinds() >> kind & 1));
    CHECK(item_kind_is_studied(ITEM_QUESTION) && item_kind_is_studied(ITEM_ROW));
    CHECK(!item_kind_is_studied(ITEM_ANSWER) && !item_kind_is_studied(ITEM_COMMENT));
    tap_case("kinds: what is none is not studied");
    CHECK(!item_kind_is_studied(0) && !item_kind_is_studied(-1));
    CHECK(!item_kind_is_studied(ITEM_KINDS) && !item_kind_is_studied(ITEM_NONE));
    CHECK(item_studied_kinds() >> ITEM_KINDS == 0 && (item_studied_kinds() & 1) == 0);
    tap_case("kinds: numbers that dumps and corpora hold never change");
    CHECK(ITEM_QUESTION == 1 && ITEM_ANSWER == 2 && ITEM_PRIVILEGE_WIKI == 8);
    CHECK(ITEM_ROW == 9 && ITEM_COMMENT == 15);
    CHECK(str_eq(item_kind_name(ITEM_PULL_REQUEST), STR("pull request")));
}

static const struct {
    const char *name;
    int64_t kind, created_ms;
    struct str given, license;
} licenses[] = {
    {"before 2011-04-08", 1, 1302220799999, STR_INIT(""),
     STR_INIT("CC BY-SA 2.5 (by its date)")},
    {"from 2011-04-08", 1, 1302220800000, STR_INIT(""),
     STR_INIT("CC BY-SA 3.0 (by its date)")},
    {"before 2018-05-02", 2, 1525219199999, STR_INIT(""),
     STR_INIT("CC BY-SA 3.0 (by its date)")},
    {"from 2018-05-02", 2, 1525219200000, STR_INIT(""),
     STR_INIT("CC BY-SA 4.0 (by its date)")},
    {"a wiki", ITEM_TAG_WIKI, 0, STR_INIT(""), STR_INIT("CC BY-SA 2.5 (by its date)")},
    {"as its row says, whatever its date", 1, 0, STR_INIT("CC BY-SA 4.0"),
     STR_INIT("CC BY-SA 4.0")},
    {"no date", 1, ITEM_NONE, STR_INIT(""), STR_INIT("")},
    {"no date, but said", 1, ITEM_NONE, STR_INIT("MIT"), STR_INIT("MIT")},
    {"a row of a table", ITEM_ROW, 0, STR_INIT(""), STR_INIT("")},
    {"a row that says so", ITEM_ROW, 0, STR_INIT("MIT"), STR_INIT("MIT")},
    {"an issue", ITEM_ISSUE, 1525219200000, STR_INIT(""), STR_INIT("")},
    {"a commit", ITEM_COMMIT, 1525219200000, STR_INIT(""), STR_INIT("")},
    {"no kind", ITEM_NONE, 1525219200000, STR_INIT(""), STR_INIT("")},
};

static void check_licenses(void)
{
    for (size_t i = 0; i < ROWS(licenses); i++) {
        struct item item = item_empty();
        tap_case("licence: %s", licenses[i].name);
        item.kind = licenses[i].kind;
        item.created_ms = licenses[i].created_ms;
        item.license = licenses[i].given;
        CHECK(str_eq(item_license(&item), licenses[i].license));
        struct str from = item_license_from(licenses[i].license);
        bool given = licenses[i].given.len > 0;
        CHECK(str_eq(from, given                         ? STR("row")
                           : licenses[i].license.len > 0 ? STR("date")
                                                         : STR("")));
        CHECK(!str_ends(item_license_name(licenses[i].license), STR(")")));
        item.license = item_license_name(licenses[i].license);
        bool dated = item.kind != ITEM_ROW && item.created_ms > 0 && !given;
        CHECK(str_eq(item_license_name(item_license_unmarked(&item)), item.license));
        if (dated && item.license.len > 0)
            CHECK(str_eq(item_license_from(item_license_unmarked(&item)),
                         STR("row or date")));
        else if (given)
            CHECK(str_eq(item_license_unmarked(&item), item.license));
    }
}

int main(void)
{
    check_empty();
    check_members();
    check_fields();
    check_names("kinds", kind_name, 1, ITEM_KINDS);
    check_names("what hangs on items", also_name, 0, ITEM_ALSO);
    check_kinds();
    check_licenses();
    return tap_done();
}
