/* Headers and rows: which column is which field, and what is said when that is
 * wrong. */
#include "dump/columns.h"

#include <string.h>

#include "base/buf.h"
#include "tests/tap.h"

static const struct {
    const char *name;
    const char *header; /* names between bars */
    const char *mapping;
    const char *found; /* field=column ... */
    const char *error;
} headers[] = {
    {"a dump", "Id|PostTypeId|Score|Body|Title|Tags|CreationDate", "",
     "id=0 type=1 created=6 score=2 tags=5 title=4 body=3 ", NULL},
    {"any case, any order", "TITLE|id|view_count|Accepted Answer Id", "",
     "id=1 accepted=3 views=2 title=0 ", NULL},
    {"blanks around", " Id | Score", "", "id=0 score=1 ", NULL},
    {"the surer name", "PostId|Id|Views|ViewCount", "", "id=1 views=3 ", NULL},
    {"unknown names", "Id|x|", "", "id=0 ", NULL},
    {"repeated but not needed", "Id|DisplayName|DisplayName", "", "id=0 ", NULL},
    {"mapped", "post_id|x|created|y", "id=post_id, score=x, created=created",
     "id=0 created=2 score=1 ", NULL},
    {"mapped in another case", "a|B", "id=A, score=b", "id=0 score=1 ", NULL},
    {"exact case first", "score|id|ID", "id=ID", "id=2 score=0 ", NULL},
    {"mapped elsewhere", "Id|Score|Votes", "score=Votes", "id=0 score=2 ", NULL},
    {"mapped to none", "Id|Closed", "closed=", "id=0 ", NULL},
    {"one column for two fields", "Id|Text", "title=Text, body=Text",
     "id=0 title=1 body=1 ", NULL},
    {"a named column is taken", "Id|Body", "title=Body", "id=0 title=1 ", NULL},
    {"the second of a name", "Id|Id|Score", "id=Id#2", "id=1 score=2 ", NULL},
    {"the first of a name", "Id|Id|Score", "id=Id#1", "id=0 score=2 ", NULL},
    {"the second in another case", "Id|Id", "id=id#2", "id=1 ", NULL},
    {"really called so", "Id|Id#2|Id", "id=Id#2", "id=1 ", NULL},
    {"the only one of a name", "Id|Score", "id=Id#1", "id=0 score=1 ", NULL},
    {"joined with the owner", "Id|CreationDate|Id|CreationDate",
     "owner=Id#2, created=CreationDate#1", "id=0 created=1 owner=2 ", NULL},
    {"joined with an answer", "Id|Title|Body|Score|Id|Body|Score",
     "answer.id=Id#2, answer.body=Body#2, answer.score=Score#2",
     "id=0 score=3 title=1 body=2 answer.id=4 answer.score=6 answer.body=5 ", NULL},
    {"repeated", "Id|Score|Id", "", NULL,
     "more than one column is named 'Id'; say which one is meant, as 'id=Id#1'"},
    {"several repeated", "Id|Score|Id|Score|Score", "", NULL,
     "more than one column is named 'Id', 'Score'; say which one is meant, as 'id=Id#1, "
     "score=Score#1'"},
    {"the same in two spellings", "ViewCount|Id|view_count", "", NULL,
     "more than one column is named 'ViewCount'; say which one is meant, as "
     "'views=ViewCount'"},
    {"mapped without a number", "Id|Score|Id", "id=Id", NULL,
     "2 columns are named 'Id'; say which one is meant, as 'Id#1'"},
    {"the third of two", "Id|Score|Id", "id=Id#3", NULL,
     "no column 'Id#3': there are 2 of that name"},
    {"the second of one", "Id|Score", "id=Id#2", NULL,
     "no column 'Id#2': there is 1 of that name"},
    {"number 0", "Id|Score", "score=Score#0", NULL,
     "no column 'Score#0'; did you mean 'Score'?"},
    {"a name that is not there", "Id|ViewCount", "views=ViewCont", NULL,
     "no column 'ViewCont'; did you mean 'ViewCount'?"},
    {"a name far from all", "Id|b", "views=reputation", NULL,
     "no column 'reputation'; columns are: 'Id', 'b'"},
    {"a name far from many", "a|b|c|d|e|f|g|h|i|j|k|l|m", "id=reputation", NULL,
     "no column 'reputation'; columns are: 'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', "
     "'j', 'k', 'l', ..."},
    {"no id", "Title|Body", "", NULL,
     "no column is named 'Id'; say which one holds the id of the post, "
     "by `columns: {id: Title}` of the study's source, or by --columns 'id=Title' where "
     "a "
     "command has it"},
    {"an id mapped to none", "Id|Body", "id=", NULL,
     "no column is named 'Id'; say which one holds the id of the post, "
     "by `columns: {id: Id}` of the study's source, or by --columns 'id=Id' where a "
     "command has it"},
};

/* The parts between bars. */
static size_t split(const char *text, struct str *parts, size_t max)
{
    struct str rest = str_from(text);
    size_t count = 0;

    while (count < max && str_cut(&rest, '|', &parts[count++]))
        ;
    return count;
}

static void show_found(const size_t *found, const char *prefix, struct buf *out)
{
    for (int i = 0; i < ITEM_FIELDS; i++)
        if (found[i] != DUMP_COLUMNS_NONE)
            buf_add_format(out, "%s%.*s=%zu ", prefix,
                           STR_ARG(item_field((enum item_field)i)->name), found[i]);
}

static void check_headers(struct arena *arena)
{
    for (size_t i = 0; i < ROWS(headers); i++) {
        struct dump_columns_mapping mapping;
        struct dump_columns columns;
        struct err err = {0};
        struct buf out = {0};
        struct str names[20];
        size_t count = split(headers[i].header, names, ROWS(names));
        tap_case("header: %s", headers[i].name);
        CHECK(dump_columns_parse(str_from(headers[i].mapping), arena, &mapping, &err));
        bool ok = dump_columns_find(&mapping, names, count, arena, &columns, &err);
        CHECK(ok == (headers[i].error == NULL));
        CHECK_TEXT(err.text, ok ? "" : headers[i].error);
        CHECK(err.kind == (ok ? ERR_NONE : ERR_INPUT));
        if (ok) {
            show_found(columns.question, "", &out);
            show_found(columns.answer, "answer.", &out);
            buf_add_char(&out, '\0');
            CHECK_TEXT(out.ptr, headers[i].found);
            CHECK(columns.joined == mapping.has_answer && columns.count == count);
        }
        buf_free(&out);
    }
}

static const char joined_header[] =
    "Id|Title|Score|Body|CreationDate|Id|Score|Body|OwnerUserId|PostTypeId|ParentId";
static const char joined_mapping[] =
    "answer.id=Id#2, answer.score=Score#2, answer.body=Body#2, answer.owner=OwnerUserId, "
    "answer.type=PostTypeId, answer.parent=ParentId";

static const struct {
    const char *name;
    const char *values;
    const char *error; /* NULL: none */
    struct item question, answer;
} rows[] = {
    {"both",
     "1|how|5|<p>|2014-01-21|2|7|<b>|9||",
     NULL,
     {.id = 1, .kind = 1, .score = 5, .created_ms = 1390262400000},
     {.id = 2, .kind = 2, .score = 7, .parent = 1, .owner = 9}},
    {"its own type and parent",
     "1|how||||2||||2|77",
     NULL,
     {.id = 1, .kind = 1, .score = ITEM_NONE, .created_ms = ITEM_NONE},
     {.id = 2, .kind = 2, .score = ITEM_NONE, .parent = 77, .owner = ITEM_NONE}},
    {"no answer",
     "1|how|5|||||||||",
     NULL,
     {.id = 1, .kind = 1, .score = 5, .created_ms = ITEM_NONE},
     {.id = ITEM_NONE, .kind = 2, .score = ITEM_NONE, .parent = 1, .owner = ITEM_NONE}},
    {"no title: no type",
     "1||5|||||||||",
     NULL,
     {.id = 1, .kind = ITEM_NONE, .score = 5, .created_ms = ITEM_NONE},
     {.id = ITEM_NONE, .kind = 2, .score = ITEM_NONE, .parent = 1, .owner = ITEM_NONE}},
    {"no id",
     "|how|5||||||||",
     "column 'Id#1': found nothing, expected the id of the post",
     {.id = ITEM_NONE},
     {.id = ITEM_NONE}},
    {"a wrong number",
     "1|how|5x||||||||",
     "column 'Score#1': found '5x', expected a number",
     {.id = ITEM_NONE},
     {.id = ITEM_NONE}},
    {"a wrong date",
     "1|how|5||x|||||||",
     "column 'CreationDate': found 'x', expected a date such as 2014-01-21 20:58:43",
     {.id = ITEM_NONE},
     {.id = ITEM_NONE}},
    {"a wrong number of the answer",
     "1|how|5|||2|6x|||||",
     "column 'Score#2': found '6x', expected a number",
     {.id = ITEM_NONE},
     {.id = ITEM_NONE}},
};

static void check_rows(struct arena *arena)
{
    struct dump_columns_mapping mapping;
    struct dump_columns columns;
    struct str names[20], values[20];
    struct err err = {0};
    size_t count = split(joined_header, names, ROWS(names));

    tap_case("row: header");
    CHECK(dump_columns_parse(str_from(joined_mapping), arena, &mapping, &err));
    CHECK(dump_columns_find(&mapping, names, count, arena, &columns, &err));
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct item question, answer;
        const struct item *a = &rows[i].question, *b = &rows[i].answer;
        tap_case("row: %s", rows[i].name);
        err = (struct err){0};
        split(rows[i].values, values, ROWS(values));
        bool ok = dump_columns_post(&columns, values, arena, &question, &err) &&
                  dump_columns_answer(&columns, values, &question, arena, &answer, &err);
        CHECK(ok == (rows[i].error == NULL));
        CHECK_TEXT(err.text, ok ? "" : rows[i].error);
        if (!ok)
            continue;
        CHECK(question.id == a->id && question.kind == a->kind);
        CHECK(question.score == a->score && question.created_ms == a->created_ms);
        CHECK(question.owner == ITEM_NONE && question.parent == ITEM_NONE);
        CHECK(answer.id == b->id && answer.kind == b->kind && answer.parent == b->parent);
        CHECK(answer.score == b->score && answer.owner == b->owner);
        CHECK(answer.title.len == 0 && answer.created_ms == ITEM_NONE);
        CHECK(str_eq(question.body, values[3]) && str_eq(answer.body, values[7]));
    }
}

static void check_extra(struct arena *arena)
{
    struct dump_columns_choice extra[] = {dump_columns_choose(STR("Kind")),
                                          dump_columns_choose(STR("Score#2"))};
    struct dump_columns_mapping mapping;
    struct dump_columns columns;
    struct item post;
    struct str names[20], values[20];
    struct err err = {0};
    size_t count = split("Id|Score|Kind|Score", names, ROWS(names));

    tap_case("extra: values of columns, which may be fields as well");
    CHECK(dump_columns_parse(STR("score=Score#2"), arena, &mapping, &err));
    mapping.extra = extra;
    mapping.extra_count = ROWS(extra);
    CHECK(dump_columns_find(&mapping, names, count, arena, &columns, &err));
    split("1|5| a |7", values, ROWS(values));
    CHECK(dump_columns_post(&columns, values, arena, &post, &err) && post.score == 7);
    CHECK(str_eq(post.extra[0], STR(" a ")) && str_eq(post.extra[1], STR("7")));

    tap_case("extra: a column that is not there");
    extra[0] = dump_columns_choose(STR("Kin"));
    CHECK(!dump_columns_find(&mapping, names, count, arena, &columns, &err));
    CHECK_TEXT(err.text, "no column 'Kin'; did you mean 'Kind'?");

    tap_case("only: what the mapping does not name is not taken, not even the id");
    CHECK(dump_columns_parse(STR("title=Kind"), arena, &mapping, &err));
    mapping.only = true;
    CHECK(dump_columns_find(&mapping, names, count, arena, &columns, &err));
    CHECK(dump_columns_post(&columns, values, arena, &post, &err));
    CHECK(post.id == ITEM_NONE && post.score == ITEM_NONE && post.extra == NULL);
    CHECK(str_eq(post.title, STR(" a ")));
}

int main(void)
{
    struct arena arena = {0};

    check_headers(&arena);
    check_rows(&arena);
    check_extra(&arena);
    arena_free(&arena);
    return tap_done();
}
