/* The one entry point: what kind of table it is, its posts in order, its errors. */
#include "dump/table.h"

#include <string.h>
#include <xxhash.h>

#include "base/arena.h"
#include "base/buf.h"
#include "tests/tap.h"
#include "tests/unit/packed.h"

static const struct {
    const char *name;
    const char *bytes;
    enum dump_table_kind kind;
} kinds[] = {
    {"nothing", "", DUMP_TABLE_CSV},
    {"csv", "Id,Score\n", DUMP_TABLE_CSV},
    {"csv in quotes", "\"Id\",\"Score\"\n", DUMP_TABLE_CSV},
    {"a line of json", "{\"Id\":1}", DUMP_TABLE_JSON},
    {"an array", "\r\n [{}]", DUMP_TABLE_JSON},
    {"json behind a mark", "\xEF\xBB\xBF\n{", DUMP_TABLE_JSON},
    {"a dump", "\xEF\xBB\xBF<?xml version=\"1.0\"?>", DUMP_TABLE_XML},
    {"a brace later", "Id,{}\n", DUMP_TABLE_CSV},
};

#define JOINED         "Id,Title,Score,Id,Score,Body\n"
#define JOINED_MAPPING "answer.id=Id#2, answer.score=Score#2, answer.body=Body"

/* A post is shown as type/id/parent/score/tags/title/body. */
static const struct {
    const char *name;
    const char *bytes;
    const char *mapping;
    const char *posts; /* with a semicolon behind each */
    const char *error; /* NULL: none */
} rows[] = {
    {"csv",
     "Id,PostTypeId,ParentId,Score,Tags,Title,Body\n1,1,,5,<a>,t,\"<p>\n\"\n2,2,1,-1,,,b",
     NULL, "1/1//5/<a>/t/<p>\n;2/2/1/-1///b;", NULL},
    {"semicolons and a mark", "\xEF\xBB\xBFId;Score;Tags\r\n1;5.0;a, b\r\n", NULL,
     "1/1//5/<a><b>//;", NULL},
    {"tabs", "Id\tTitle\tTags\n1\tWhat, why; how?\t|a|b|\n", NULL,
     "1/1///<a><b>/What, why; how?/;", NULL},
    {"types that follow", "Id,Title,Tags,ParentId\n1,t,,\n2,,x,\n3,,,1\n4,,,\n", NULL,
     "1/1////t/;1/2///<x>//;2/3/1////;/4/////;", NULL},
    {"a mapping", "post_id,name,points\n1,t,5\n", "id=post_id, title=name, score=points",
     "1/1//5//t/;", NULL},
    {"only a header", "Id,Score\n", NULL, "", NULL},
    {"joined rows", JOINED "1,q,5,2,7,x\n1,q,5,3,8,y\n4,r,6,5,9,z\n", JOINED_MAPPING,
     "1/1//5//q/;2/2/1/7///x;2/3/1/8///y;1/4//6//r/;2/5/4/9///z;", NULL},
    {"joined rows in any order", JOINED "1,q,5,2,7,x\n4,r,6,5,9,z\n1,q,5,3,8,y\n",
     JOINED_MAPPING, "1/1//5//q/;2/2/1/7///x;1/4//6//r/;2/5/4/9///z;2/3/1/8///y;", NULL},
    {"joined rows without an answer", JOINED "1,q,5,,,\n4,r,6,,,\n", JOINED_MAPPING,
     "1/1//5//q/;1/4//6//r/;", NULL},
    {"the same post twice is not ours to judge", "Id,Title\n1,t\n1,t\n", NULL,
     "1/1////t/;1/1////t/;", NULL},
    {"json", "{\"Id\":1,\"Title\":\"t\",\"answers\":[{\"Id\":2,\"Score\":3}]}\n", NULL,
     "1/1////t/;2/2/1/3///;", NULL},
    {"json with a mapping", "{\"n\":1,\"Title\":\"t\"}\n", "id=n", "1/1////t/;", NULL},
    {"the api",
     "{\"items\":[{\"question_id\":1,\"title\":\"a &gt; b\",\"tags\":[\"x\"]}]}", NULL,
     "1/1///<x>/a > b/;", NULL},

    {"nothing", "", NULL, "",
     "f:1: found nothing, expected a line with the names of the columns"},
    {"only line ends", "\n\n", NULL, "",
     "f:1: found nothing, expected a line with the names of the columns"},
    {"a dump", "<posts><row Id=\"1\"/></posts>", NULL, "",
     "f:1: found XML, expected csv or json"},
    {"a wrong mapping", "Id\n1\n", "idd=Id", "",
     "mapping: unknown field 'idd'; did you mean 'id'?"},
    {"a wrong mapping of json", "{\"Id\":1}", "id", "",
     "mapping: found 'id', expected field=Column"},
    {"a wrong column", "\nId,Score\n1,2\n", "score=Skore", "",
     "f:2: no column 'Skore'; did you mean 'Score'?"},
    {"a wrong value", "Id,Body,Score\n1,\"a\nb\",3\n2,\"c\n\",x\n", NULL, "/1//3///a\nb;",
     "f:4: column 'Score': found 'x', expected a number"},
    {"a wrong value of an answer", JOINED "1,q,5,2,x,y\n", JOINED_MAPPING, "1/1//5//q/;",
     "f:2: column 'Score#2': found 'x', expected a number"},
    {"a wrong row", "Id,Score\n1,2\n3\n", NULL, "/1//2///;",
     "f:3:1: found 1 field, expected 2 as in the header"},
    {"a wrong header", "Id,\"Score\n1,2\n", NULL, "",
     "f:1:4: the quote that opens here is never closed"},
    {"wrong json", "{\"Id\":1}\n{\"Id\":}\n", NULL, "/1/////;",
     "f:2:7: not json: found '}', expected a value"},
};

static void show_number(struct buf *out, int64_t value)
{
    if (value != ITEM_NONE)
        buf_add_int(out, value);
    buf_add_char(out, '/');
}

static bool show(void *context, const struct item *post, struct err *err)
{
    struct buf *out = context;

    (void)err;
    show_number(out, post->kind);
    show_number(out, post->id);
    show_number(out, post->parent);
    show_number(out, post->score);
    buf_add_format(out, "%.*s/%.*s/%.*s;", STR_ARG(post->tags), STR_ARG(post->title),
                   STR_ARG(post->body));
    return !post->escaped;
}

/* Of that size; 0: all at once. */
static bool read_in_pieces(struct str bytes, size_t piece,
                           const struct dump_table_options *options, struct buf *out,
                           struct err *err)
{
    struct dump_table *table;
    bool ok = true;

    if (piece == 0)
        return dump_table_read(bytes, "f", options, show, out, err);
    if (!dump_table_open("f", options, show, out, &table, err))
        return false;
    for (; ok && bytes.len > piece; bytes = str_slice(bytes, piece, bytes.len))
        ok = dump_table_push(table, str_slice(bytes, 0, piece), false, err);
    ok = ok && dump_table_push(table, bytes, true, err);
    dump_table_close(table);
    return ok;
}

static void check_rows(void)
{
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct arena exact = {0};
        struct dump_table_options options = {.mapping = rows[i].mapping};
        struct buf out = {0};
        struct err err = {0};
        tap_case("table: %s", rows[i].name);
        struct str bytes = arena_copy(&exact, str_from(rows[i].bytes));
        bool ok = read_in_pieces(bytes, i % 5 * i, &options, &out, &err);
        CHECK(ok == (rows[i].error == NULL));
        buf_add_char(&out, '\0');
        CHECK_TEXT(out.ptr, rows[i].posts);
        CHECK_TEXT(err.text, ok ? "" : rows[i].error);
        CHECK(err.kind == (ok ? ERR_NONE : ERR_INPUT));
        buf_free(&out);
        arena_free(&exact);
    }
}

static bool refuse_third(void *context, const struct item *post, struct err *err)
{
    int *calls = context;

    (void)post;
    return ++*calls < 3 || err_set(err, ERR_SYSTEM, "full");
}

static void check_stop(void)
{
    static const struct {
        const char *name;
        const char *bytes;
        const char *mapping;
    } tables[] = {
        {"csv", "Id\n1\n2\n3\n4\n", NULL},
        {"csv, at a question", JOINED "1,q,5,2,7,x\n4,r,6,5,9,z\n", JOINED_MAPPING},
        {"csv, at an answer", JOINED "1,q,5,2,7,x\n1,q,5,3,8,y\n", JOINED_MAPPING},
        {"json", "{\"Id\":1}{\"Id\":2}{\"Id\":3}{\"Id\":4}", NULL},
        {"json, at an answer",
         "{\"Id\":1,\"answers\":[{\"Id\":2},{\"Id\":3},{\"Id\":4}]}", NULL},
    };

    for (size_t i = 0; i < ROWS(tables); i++) {
        struct dump_table_options options = {.mapping = tables[i].mapping};
        struct err err = {0};
        int calls = 0;
        tap_case("table: the caller may stop: %s", tables[i].name);
        CHECK(!dump_table_read(str_from(tables[i].bytes), "f", &options, refuse_third,
                               &calls, &err));
        CHECK(calls == 3);
        CHECK_TEXT(err.text, "full");
    }
}

/* More than a chunk of the arena, tags made anew in each row, and no options at all. */
static void check_many(void)
{
    struct buf bytes = {0}, out = {0}, want = {0};
    struct err err = {0};

    buf_add(&bytes, STR("Id,Tags,Body\n"));
    for (int i = 0; i < 30000; i++) {
        buf_add_format(&bytes, "%d,a%d b,\"x\"\"%d\"\n", i, i, i);
        buf_add_format(&want, "1/%d///<a%d><b>//x\"%d;", i, i, i);
    }
    tap_case("table: many rows");
    CHECK(dump_table_read(buf_str(&bytes), "f", NULL, show, &out, &err));
    CHECK(str_eq(buf_str(&out), buf_str(&want)));
    buf_free(&bytes);
    buf_free(&out);
    buf_free(&want);
}

static bool show_item(void *context, const struct item *post, struct err *err)
{
    (void)err;
    buf_add_format(context, "%lld/%lld/%.*s", (long long)post->kind, (long long)post->id,
                   STR_ARG(post->title));
    for (size_t i = 0; i < 2 && post->extra != NULL; i++)
        buf_add_format(context, "/%.*s", STR_ARG(post->extra[i]));
    buf_add_char(context, ';');
    return true;
}

static const struct {
    const char *name;
    const char *bytes;
    const char *mapping;
    const char *items;
    const char *error; /* NULL: none */
} items[] = {
    {"numbered", "n,kind,why\na,b,\n,,\n\"c\n\",\"d,\",e\n", "title=n",
     "9/70/a/b/;9/71///;9/72/c\n/d,/e;", NULL},
    {"with ids", "n,kind,why\n7,b,x\n5,,\n", "id=n", "9/7//b/x;9/5///;", NULL},
    {"usual names are names like others", "Id,kind,why,Type\nx,y,z,w\n", NULL,
     "9/70//y/z;", NULL},
    {"a row without its id", "n,kind,why\n7,b,x\n,,\n", "id=n", "9/7//b/x;",
     "f:3: column 'n': found nothing, expected the id of the post"},
    {"a column that is not there", "n,kind\n1,2\n", NULL, "",
     "f:1: no column 'why'; columns are: 'n', 'kind'"},
    {"json", "{\"n\":1}", NULL, "", "f:1: found json, expected csv"},
};

static void check_items(void)
{
    const struct str extra[] = {STR("kind"), STR("why")};

    for (size_t i = 0; i < ROWS(items); i++) {
        struct dump_table_options options = {.mapping = items[i].mapping,
                                             .extra = extra,
                                             .extra_count = 2,
                                             .rows = true,
                                             .first_id = 70};
        struct buf out = {0};
        struct err err = {0};
        tap_case("rows: %s", items[i].name);
        bool ok = dump_table_read(str_from(items[i].bytes), "f", &options, show_item,
                                  &out, &err);
        buf_add_char(&out, '\0');
        CHECK(ok == (items[i].error == NULL));
        CHECK_TEXT(out.ptr, items[i].items);
        CHECK_TEXT(err.text, ok ? "" : items[i].error);
        buf_free(&out);
    }
}

/* Tables as people have them, a byte at a time: with usual names of some fields, json as
 * well, and bytes that are no text. */
static const struct {
    const char *name;
    const char *bytes;
    const char *items;
    const char *error; /* NULL: none */
    bool repaired;
} found[] = {
    {"a title by its usual name, an id that is none", "Id,Title,kind,why\n5,a,b,c\n",
     "9/70/a/b/c;", NULL, false},
    {"objects", "{\"Title\":\"a\",\"kind\":1}\n{\"why\":[\"x\",\"y\"],\"Id\":3}",
     "9/70/a/1/;9/71///x y;", NULL, false},
    {"without what hangs on an object",
     "[{\"kind\":\"k\",\"why\":\"\",\"answers\":[{\"kind\":\"l\"}]}]", "9/70//k/;", NULL,
     false},
    {"a key that no object has", "{\"kind\":1}", "9/70//1/;",
     "f:1:1: no object has a key 'why'", false},
    {"an object in a value", "{\"kind\":{}}", "",
     "f:1:9: key 'kind': found an object, expected a string or a number", false},
    {"a character in pieces", "kind,why\n\xc3\xa4,\xe2\x82\xac\n",
     "9/70//\xc3\xa4/\xe2\x82\xac;", NULL, false},
    {"bytes that are no text", "kind,why\n\xe4,b\n\xe2\x82,\xc3",
     "9/70//\xef\xbf\xbd/b;9/71//\xef\xbf\xbd/\xef\xbf\xbd;", NULL, true},
    {"UTF-16", "\xff\xfek", "",
     "f:1: found text as UTF-16, expected csv or json as UTF-8", false},
    {"a picture", "\x89PNG\r\n\x1a\n", "",
     "f:1: found bytes that are no text, expected csv or json", true},
    {"nothing", "", "",
     "f:1: found nothing, expected a line with the names of the columns", false},
};

static void check_found(void)
{
    const struct str extra[] = {STR("kind"), STR("why")};

    for (size_t i = 0; i < ROWS(found); i++) {
        bool repaired = false;
        struct dump_table_options options = {.extra = extra,
                                             .extra_count = 2,
                                             .rows = true,
                                             .objects = true,
                                             .usual = 1U << ITEM_FIELD_TITLE,
                                             .first_id = 70,
                                             .repaired = &repaired};
        struct dump_table *table = NULL;
        struct str rest = str_from(found[i].bytes);
        struct buf out = {0};
        struct err err = {0};
        tap_case("any table: %s", found[i].name);
        bool ok = dump_table_open("f", &options, show_item, &out, &table, &err);
        for (; ok && rest.len > 0; rest = str_slice(rest, 1, rest.len))
            ok = dump_table_push(table, str_slice(rest, 0, 1), false, &err);
        ok = ok && dump_table_push(table, (struct str){0}, true, &err);
        dump_table_close(table);
        buf_add_char(&out, '\0');
        CHECK(ok == (found[i].error == NULL) && repaired == found[i].repaired);
        CHECK_TEXT(out.ptr, found[i].items);
        CHECK_TEXT(err.text, ok ? "" : found[i].error);
        buf_free(&out);
    }
}

static void pack_as(const char *name, struct str bytes, struct buf *out)
{
    struct str end = str_from(name);

    if (str_ends(end, STR(".gz")))
        packed_gzip(bytes, out);
    else if (str_ends(end, STR(".xz")))
        packed_xz(bytes, 1 << 20, out);
    else if (str_ends(end, STR(".zst")))
        packed_zstd(bytes, true, out);
    else if (str_ends(end, STR(".bz2")))
        packed_bzip2(bytes, 1, out);
    else
        buf_add(out, bytes);
}

/* Many times what is kept of it, packed, and with the hash of the file. */
static void check_members(void)
{
    struct packed_folder folder = packed_folder();
    struct buf bytes = {0}, packed = {0}, out = {0}, want = {0};
    static const char *const formats[] = {"csv", "csv.gz", "csv.xz", "csv.zst",
                                          "csv.bz2"};

    buf_add(&bytes, STR("Id,Title\n"));
    for (int i = 0; i < 300000; i++) {
        buf_add_format(&bytes, "%d,\"a\nb\"\n", i);
        buf_add_format(&want, "1/%d////a\nb/;", i);
    }
    for (size_t i = 0; i < ROWS(formats); i++) {
        struct input *input;
        struct dump_table *table;
        struct err err = {0};
        uint64_t hash[2];
        tap_case("table: a file as %s", formats[i]);
        buf_clear(&packed);
        buf_clear(&out);
        pack_as(formats[i], buf_str(&bytes), &packed);
        const char *path = packed_write(&folder, formats[i], buf_str(&packed));
        if (!CHECK(input_open(path, &input, &err)))
            continue;
        if (CHECK(dump_table_open(path, NULL, show, &out, &table, &err))) {
            CHECK(dump_table_read_member(table, input, 0, 2, hash, &err));
            CHECK_TEXT(err.text, "");
            dump_table_close(table);
        }
        XXH128_hash_t whole = XXH3_128bits(packed.ptr, packed.len);
        CHECK(hash[0] == whole.high64 && hash[1] == whole.low64);
        CHECK(str_eq(buf_str(&out), buf_str(&want)));
        input_close(input);
    }
    buf_free(&bytes);
    buf_free(&packed);
    buf_free(&out);
    buf_free(&want);
    packed_clean(&folder);
}

/* Rows that are wrong, left out. */
static const struct {
    const char *name;
    const char *bytes;
    const char *mapping;
    const char *posts;
    int64_t count;
    const char *first;
    const char *error; /* NULL: none */
} broken[] = {
    {"csv", "Id,Title,Score\n1,a,x\n2,b\n3,\"c,1\n,d,1\n-4,e,1\n5,f,1\n", NULL,
     "1/5//1//f/;", 5, "f:2: column 'Score': found 'x', expected a number", NULL},
    {"an answer beside its question", JOINED "1,q,5,2,x,y\n3,r,6,4,7,z\n", JOINED_MAPPING,
     "1/1//5//q/;1/3//6//r/;2/4/3/7///z;", 1,
     "f:2: column 'Score#2': found 'x', expected a number", NULL},
    {"json",
     "{\"Id\":1,\"Title\":\"a\"} {\"Title\":\"b\"} {\"Id\":2,\"Id\":3} {\"Id\":4,"
     "\"Title\":\"c\",\"answers\":[{},{\"Id\":5}]}",
     NULL, "1/1////a/;1/4////c/;2/5/4////;", 3,
     "f:1:22: found an object without an id, expected a key such as 'Id'", NULL},
    {"json that is cut", "{\"Id\":1,\"Title\":\"a\"}\n{\"Id\":\n", NULL, "1/1////a/;", 1,
     "f:2:1: the object that begins here is not closed", NULL},
    {"an answer of the api that is no json",
     "{\"more\":1,\"items\":[{\"question_id\":1},{\"question_id\":nul}]}", NULL, "", 0,
     "",
     "f:1:53: not json: found 'n', expected a value; it cannot be skipped: nothing tells "
     "where the next object begins"},
    {"a header that is wrong", "\"Id\"x,Title\n1,a\n", NULL, "", 0, "",
     "f:1:5: found 'x' behind a closing quote, expected ',' or the end of the line; a "
     "quote inside quotes is written twice"},
    {"an id that no corpus has room for", "Id,Title\n274877906944,a\n1,b\n", NULL,
     "1/1////b/;", 1,
     "f:2: column 'Id': found '274877906944', expected a number below "
     "274877906944",
     NULL},
};

static void check_broken(void)
{
    for (size_t i = 0; i < ROWS(broken); i++) {
        struct str bytes = str_from(broken[i].bytes);
        tap_case("broken rows: %s", broken[i].name);
        for (size_t piece = 1; piece <= bytes.len; piece += piece < 9 ? 1 : 30) {
            struct buf out = {0};
            struct err err = {0};
            struct dump_field_broken left_out = {0};
            struct dump_table_options options = {.mapping = broken[i].mapping,
                                                 .broken = &left_out};
            bool ok = read_in_pieces(bytes, piece, &options, &out, &err);
            buf_add_char(&out, '\0');
            CHECK(ok == (broken[i].error == NULL));
            CHECK_TEXT(err.text, broken[i].error != NULL ? broken[i].error : "");
            CHECK_TEXT(out.ptr, broken[i].posts);
            CHECK(left_out.count == broken[i].count);
            CHECK_TEXT(left_out.first.text, broken[i].first);
            buf_free(&out);
        }
    }
}

int main(void)
{
    for (size_t i = 0; i < ROWS(kinds); i++) {
        tap_case("kind: %s", kinds[i].name);
        CHECK(dump_table_kind(str_from(kinds[i].bytes)) == kinds[i].kind);
    }
    check_rows();
    check_broken();
    check_stop();
    check_many();
    check_items();
    check_found();
    check_members();
    return tap_done();
}
