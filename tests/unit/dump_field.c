/* Fields as text: names, values, and what is refused. */
#include "dump/field.h"

#include <string.h>

#include "tests/tap.h"

static const struct {
    const char *name;
    enum item_field field;
} names[] = {
    {"id", ITEM_FIELD_ID},
    {"type", ITEM_FIELD_KIND},
    {"parent", ITEM_FIELD_PARENT},
    {"accepted", ITEM_FIELD_ACCEPTED},
    {"accepted-at", ITEM_FIELD_ACCEPTED_AT},
    {"wiki-since", ITEM_FIELD_WIKI},
    {"lastactive", ITEM_FIELD_LASTACTIVE},
    {"owner", ITEM_FIELD_OWNER},
    {"created", ITEM_FIELD_CREATED},
    {"closed", ITEM_FIELD_CLOSED},
    {"score", ITEM_FIELD_SCORE},
    {"views", ITEM_FIELD_VIEWS},
    {"answers", ITEM_FIELD_ANSWERS},
    {"comments", ITEM_FIELD_COMMENTS},
    {"favorites", ITEM_FIELD_FAVORITES},
    {"tags", ITEM_FIELD_TAGS},
    {"title", ITEM_FIELD_TITLE},
    {"body", ITEM_FIELD_BODY},
    {"license", ITEM_FIELD_LICENSE},
};

static const struct {
    const char *name;
    enum item_field nearest;
} unknown[] = {
    {"view", ITEM_FIELD_VIEWS},     {"favourites", ITEM_FIELD_FAVORITES},
    {"titel", ITEM_FIELD_TITLE},    {"Id", ITEM_FIELD_ID},
    {"creation-date", ITEM_FIELDS}, {"", ITEM_FIELDS},
};

static const struct {
    const char *column;
    enum item_field field;
    int rank;
} columns[] = {
    {"Id", ITEM_FIELD_ID, 0},
    {"ID", ITEM_FIELD_ID, 0},
    {"@Id", ITEM_FIELD_ID, 0},
    {"PostId", ITEM_FIELD_ID, 1},
    {"post_id", ITEM_FIELD_ID, 1},
    {"Idx", ITEM_FIELD_ID, -1},
    {"I", ITEM_FIELD_ID, -1},
    {"", ITEM_FIELD_ID, -1},
    {"question_id", ITEM_FIELD_ID, -1},
    {"PostTypeId", ITEM_FIELD_KIND, 0},
    {"ParentId", ITEM_FIELD_PARENT, 0},
    {"AcceptedAnswerId", ITEM_FIELD_ACCEPTED, 0},
    {"accepted_answer_id", ITEM_FIELD_ACCEPTED, 0},
    {"accepted_at", ITEM_FIELD_ACCEPTED_AT, 0},
    {"AcceptedAt", ITEM_FIELD_ACCEPTED, -1},
    {"answered", ITEM_FIELD_ACCEPTED_AT, -1},
    {"OwnerUserId", ITEM_FIELD_OWNER, 0},
    {"OwnerDisplayName", ITEM_FIELD_OWNER, -1},
    {"CreationDate", ITEM_FIELD_CREATED, 0},
    {"creation date", ITEM_FIELD_CREATED, 0},
    {"created", ITEM_FIELD_CREATED, 1},
    {"ClosedDate", ITEM_FIELD_CLOSED, 0},
    {"Score", ITEM_FIELD_SCORE, 0},
    {"ViewCount", ITEM_FIELD_VIEWS, 0},
    {"view_count", ITEM_FIELD_VIEWS, 0},
    {"Views", ITEM_FIELD_VIEWS, 1},
    {"AnswerCount", ITEM_FIELD_ANSWERS, 0},
    {"CommentCount", ITEM_FIELD_COMMENTS, 0},
    {"FavoriteCount", ITEM_FIELD_FAVORITES, 0},
    {"Tags", ITEM_FIELD_TAGS, 0},
    {"TITLE", ITEM_FIELD_TITLE, 0},
    {"body", ITEM_FIELD_BODY, 0},
    {"ContentLicense", ITEM_FIELD_LICENSE, 0},
};

static const struct {
    const char *name;
    enum item_field field;
    const char *value;
    int64_t number;
    const char *error; /* NULL: none */
} numbers[] = {
    {"number", ITEM_FIELD_SCORE, "12", 12, NULL},
    {"negative", ITEM_FIELD_SCORE, "-3", -3, NULL},
    {"blanks", ITEM_FIELD_SCORE, " 12\t", 12, NULL},
    {"as a fraction", ITEM_FIELD_SCORE, "12.0", 12, NULL},
    {"as a longer fraction", ITEM_FIELD_SCORE, "-12.000", -12, NULL},
    {"nothing", ITEM_FIELD_SCORE, "", ITEM_NONE, NULL},
    {"only blanks", ITEM_FIELD_SCORE, "  ", ITEM_NONE, NULL},
    {"largest", ITEM_FIELD_SCORE, "9223372036854775807", INT64_MAX, NULL},
    {"too large", ITEM_FIELD_SCORE, "9223372036854775808", 0,
     "found '9223372036854775808', expected a number"},
    {"the one that means nothing", ITEM_FIELD_SCORE, "-9223372036854775808", 0,
     "found '-9223372036854775808', expected a number"},
    {"an id that is too large", ITEM_FIELD_ID, "274877906944", 0,
     "found '274877906944', expected a number below 274877906944"},
    {"an id below 0", ITEM_FIELD_ID, "-1", 0,
     "found '-1', expected an id that is not negative"},
    {"a real fraction", ITEM_FIELD_SCORE, "12.5", 0, "found '12.5', expected a number"},
    {"a point too much", ITEM_FIELD_SCORE, "12.", 0, "found '12.', expected a number"},
    {"a point too early", ITEM_FIELD_SCORE, ".0", 0, "found '.0', expected a number"},
    {"two points", ITEM_FIELD_SCORE, "1.0.0", 0, "found '1.0.0', expected a number"},
    {"grouped", ITEM_FIELD_VIEWS, "1,234", 0, "found '1,234', expected a number"},
    {"text", ITEM_FIELD_OWNER, "who", 0, "found 'who', expected a number"},
    {"type", ITEM_FIELD_KIND, "2", 2, NULL},
    {"type as a fraction", ITEM_FIELD_KIND, "1.0", 1, NULL},
    {"type by name", ITEM_FIELD_KIND, "Question", 1, NULL},
    {"type by name, answer", ITEM_FIELD_KIND, "answer", 2, NULL},
    {"type by name, the last", ITEM_FIELD_KIND, "PrivilegeWiki", 8, NULL},
    {"type 0", ITEM_FIELD_KIND, "0", 0,
     "found '0', expected a type such as 1 for questions or 2 for answers"},
    {"type unknown", ITEM_FIELD_KIND, "quest", 0,
     "found 'quest', expected a type such as 1 for questions or 2 for answers"},
    {"date as in dumps", ITEM_FIELD_CREATED, "2014-01-21T20:58:43.500", 1390337923500,
     NULL},
    {"date of the Data Explorer", ITEM_FIELD_CREATED, "2014-01-21 20:58:43",
     1390337923000, NULL},
    {"date without a time", ITEM_FIELD_CLOSED, "2014-01-21", 1390262400000, NULL},
    {"date of BigQuery", ITEM_FIELD_CLOSED, "2014-01-21 20:58:43.5 UTC", 1390337923500,
     NULL},
    {"no date", ITEM_FIELD_CREATED, "21.1.2014", 0,
     "found '21.1.2014', expected a date such as 2014-01-21 20:58:43"},
    {"a day without dashes is no date", ITEM_FIELD_CREATED, "20140121", 0,
     "found '20140121', expected a date such as 2014-01-21 20:58:43"},
    {"a long value", ITEM_FIELD_SCORE,
     "this is far too long to be shown, so that the message says only how the value "
     "begins and then stops",
     0,
     "found 'this is far too long to be shown, so that the message says only how the "
     "va...', "
     "expected a number"},
    {"a value over two lines", ITEM_FIELD_SCORE, "a\nb", 0,
     "found 'a b', expected a number"},
};

static const struct {
    const char *name;
    const char *value;
    const char *tags; /* NULL: refused */
} tags[] = {
    {"as in dumps", "<a><b>", "<a><b>"},
    {"as in newer dumps", "|a|b|", "<a><b>"},
    {"commas", "a, b,c", "<a><b><c>"},
    {"blanks", "a b  c", "<a><b><c>"},
    {"semicolons", "a;b", "<a><b>"},
    {"brackets and commas", "<a>, <b>", "<a><b>"},
    {"a list of Python", "['a', 'b']", "<a><b>"},
    {"a list of json", "[\"a\",\"b\"]", "<a><b>"},
    {"one", "a", "<a>"},
    {"one in bars", "|a|", "<a>"},
    {"real names", "c++ c# .net asp.net-mvc-3 objective-c++",
     "<c++><c#><.net><asp.net-mvc-3><objective-c++>"},
    {"other letters", "<\xD0\xB0>|\xE6\x9D\xB1", "<\xD0\xB0><\xE6\x9D\xB1>"},
    {"capitals", "Python", "<Python>"},
    {"nothing", "", ""},
    {"only separators", "<>", ""},
    {"an empty list", "[]", ""},
    {"still escaped", "&lt;a&gt;&lt;b&gt;", NULL},
    {"a sentence", "what is (this)?", NULL},
    {"in dump form, but wrong", "<a><b=c>", NULL},
};

static int64_t number_of(const struct item *post, enum item_field field)
{
    switch (field) {
    case ITEM_FIELD_ID:
        return post->id;
    case ITEM_FIELD_KIND:
        return post->kind;
    case ITEM_FIELD_OWNER:
        return post->owner;
    case ITEM_FIELD_CREATED:
        return post->created_ms;
    case ITEM_FIELD_CLOSED:
        return post->closed_ms;
    case ITEM_FIELD_VIEWS:
        return post->views;
    default:
        return post->score;
    }
}

static void check_names(void)
{
    for (size_t i = 0; i < ROWS(names); i++) {
        tap_case("name: %s", names[i].name);
        CHECK(item_field_find(str_from(names[i].name)) == names[i].field);
        CHECK(str_eq(item_field(names[i].field)->name, str_from(names[i].name)));
    }
    tap_case("name: all of them");
    CHECK(ROWS(names) == ITEM_FIELDS);
    for (size_t i = 0; i < ROWS(unknown); i++) {
        tap_case("unknown name: '%s'", unknown[i].name);
        CHECK(item_field_find(str_from(unknown[i].name)) == ITEM_FIELDS);
        CHECK(dump_field_nearest(str_from(unknown[i].name)) == unknown[i].nearest);
    }
    for (size_t i = 0; i < ROWS(columns); i++) {
        struct str column = str_from(columns[i].column);
        tap_case("column: '%s'", columns[i].column);
        CHECK(dump_field_rank(columns[i].field, column) == columns[i].rank);
        for (int f = 0; f < ITEM_FIELDS && columns[i].rank >= 0; f++)
            CHECK((dump_field_rank((enum item_field)f, column) >= 0) ==
                  (f == (int)columns[i].field));
    }
    /* What we call a field ourselves is always understood. */
    for (int f = 0; f < ITEM_FIELDS; f++) {
        tap_case("column named as the field: %.*s",
                 STR_ARG(item_field((enum item_field)f)->name));
        CHECK(dump_field_rank((enum item_field)f, item_field((enum item_field)f)->name) >=
              0);
    }
}

static void check_values(struct arena *arena)
{
    for (size_t i = 0; i < ROWS(numbers); i++) {
        struct item post = item_empty();
        struct err err = {0};
        tap_case("number: %s", numbers[i].name);
        bool ok = dump_field_set(&post, numbers[i].field, str_from(numbers[i].value),
                                 arena, &err);
        CHECK(ok == (numbers[i].error == NULL));
        CHECK_TEXT(err.text, ok ? "" : numbers[i].error);
        CHECK(!ok || number_of(&post, numbers[i].field) == numbers[i].number);
    }
    for (size_t i = 0; i < ROWS(tags); i++) {
        struct item post = item_empty();
        struct err err = {0};
        tap_case("tags: %s", tags[i].name);
        bool ok =
            dump_field_set(&post, ITEM_FIELD_TAGS, str_from(tags[i].value), arena, &err);
        CHECK(ok == (tags[i].tags != NULL));
        if (ok)
            CHECK(str_eq(post.tags, str_from(tags[i].tags)));
        else
            CHECK(strstr(err.text, ", expected tags as <a><b>, |a|b| or a, b") != NULL);
    }
}

static void check_texts(struct arena *arena)
{
    struct item post = item_empty();
    struct err err = {0};

    tap_case("texts stand as they are");
    CHECK(dump_field_set(&post, ITEM_FIELD_TITLE, STR(" a &amp; b "), arena, &err));
    CHECK(dump_field_set(&post, ITEM_FIELD_BODY, STR("<p>x</p>\n"), arena, &err));
    CHECK(dump_field_set(&post, ITEM_FIELD_LICENSE, STR("CC BY-SA 4.0"), arena, &err));
    CHECK(str_eq(post.title, STR(" a &amp; b ")) && str_eq(post.body, STR("<p>x</p>\n")));
    CHECK(str_eq(post.license, STR("CC BY-SA 4.0")) && !post.escaped);

    tap_case("seconds or milliseconds");
    CHECK(dump_field_set_epoch(&post, ITEM_FIELD_CREATED, 1390337923, &err));
    CHECK(post.created_ms == 1390337923000);
    CHECK(dump_field_set_epoch(&post, ITEM_FIELD_CLOSED, -1, &err) &&
          post.closed_ms == -1000);
    CHECK(dump_field_set_epoch(&post, ITEM_FIELD_CREATED, 1390337923456, &err) &&
          post.created_ms == 1390337923456);
    CHECK(!dump_field_set_epoch(&post, ITEM_FIELD_CREATED, 1390337923000000, &err));
    CHECK_TEXT(err.text, "found 1390337923000000, expected seconds since 1970");
    CHECK(!dump_field_set_epoch(&post, ITEM_FIELD_CREATED, INT64_MIN, &err));
    CHECK(dump_field_set(&post, ITEM_FIELD_CREATED, STR("1390337923"), arena, &err) &&
          post.created_ms == 1390337923000);
    CHECK(
        dump_field_set(&post, ITEM_FIELD_CREATED, STR("1390337923456.0"), arena, &err) &&
        post.created_ms == 1390337923456);

    tap_case("words for nothing");
    static const struct str words[] = {
        STR_INIT("NA"),  STR_INIT("N/A"), STR_INIT("NaN"),  STR_INIT("NULL"),
        STR_INIT("\\N"), STR_INIT("nan"), STR_INIT("null"), STR_INIT("None"),
    };
    for (size_t i = 0; i < ROWS_OF(words); i++) {
        struct item none = item_empty();
        CHECK(dump_field_set(&none, ITEM_FIELD_SCORE, words[i], arena, &err) &&
              dump_field_set(&none, ITEM_FIELD_CREATED, words[i], arena, &err) &&
              dump_field_set(&none, ITEM_FIELD_ACCEPTED, words[i], arena, &err));
        CHECK(none.score == ITEM_NONE && none.created_ms == ITEM_NONE &&
              none.accepted == ITEM_NONE);
        CHECK(dump_field_set(&none, ITEM_FIELD_TITLE, words[i], arena, &err) &&
              dump_field_set(&none, ITEM_FIELD_TAGS, words[i], arena, &err));
        CHECK((none.title.len == 0) == (i < 5) && (none.tags.len == 0) == (i < 5));
    }
    CHECK(!dump_field_set(&post, ITEM_FIELD_SCORE, STR("na"), arena, &err));

    tap_case("kinds");
    CHECK(dump_field_is_date(ITEM_FIELD_CREATED) &&
          dump_field_is_date(ITEM_FIELD_CLOSED));
    CHECK(!dump_field_is_date(ITEM_FIELD_SCORE) && !dump_field_is_date(ITEM_FIELD_TITLE));
    CHECK(dump_field_is_text(ITEM_FIELD_TITLE) && dump_field_is_text(ITEM_FIELD_TAGS));
    CHECK(!dump_field_is_text(ITEM_FIELD_ID) && !dump_field_is_text(ITEM_FIELD_CLOSED));
}

static const struct {
    const char *name;
    int64_t type;
    const char *title, *tags;
    int64_t parent;
    int64_t settled;
} types[] = {
    {"a title", ITEM_NONE, "t", "", ITEM_NONE, ITEM_QUESTION},
    {"tags", ITEM_NONE, "", "<a>", ITEM_NONE, ITEM_QUESTION},
    {"a title and a parent", ITEM_NONE, "t", "", 1, ITEM_QUESTION},
    {"a parent", ITEM_NONE, "", "", 1, ITEM_ANSWER},
    {"nothing", ITEM_NONE, "", "", ITEM_NONE, ITEM_NONE},
    {"said otherwise", 5, "t", "<a>", 1, 5},
};

static void check_types(void)
{
    for (size_t i = 0; i < ROWS(types); i++) {
        struct item post = item_empty();
        tap_case("type of a post with %s", types[i].name);
        post.kind = types[i].type;
        post.title = str_from(types[i].title);
        post.tags = str_from(types[i].tags);
        post.parent = types[i].parent;
        dump_field_settle(&post);
        CHECK(post.kind == types[i].settled);
        CHECK(post.accepted == ITEM_NONE);
    }
    tap_case("accepted: when, not which");
    struct item post = item_empty();
    post.accepted_ms = 5;
    dump_field_settle(&post);
    CHECK(post.accepted == 0 && post.accepted_ms == 5);
    tap_case("accepted: when and which");
    post.accepted = 7;
    dump_field_settle(&post);
    CHECK(post.accepted == 7 && post.accepted_ms == 5);
}

static void check_show(void)
{
    char out[DUMP_FIELD_SHOWN_MAX], text[200];

    tap_case("show: nothing");
    CHECK_TEXT(dump_field_show((struct str){NULL, 0}, out), "''");
    tap_case("show: never within a character");
    for (size_t before = 0; before < 8; before++) {
        memset(text, 'x', before);
        for (size_t i = before; i + 2 < sizeof text; i += 3)
            memcpy(text + i, "\xE6\x9D\xB1", 3);
        dump_field_show((struct str){text, 199}, out);
        size_t len = strlen(out);
        CHECK(len < DUMP_FIELD_SHOWN_MAX && strcmp(out + len - 4, "...'") == 0);
        CHECK((len - 5 - before) % 3 == 0);
    }
}

int main(void)
{
    struct arena arena = {0};

    check_names();
    check_values(&arena);
    check_texts(&arena);
    check_types();
    check_show();
    arena_free(&arena);
    return tap_done();
}
