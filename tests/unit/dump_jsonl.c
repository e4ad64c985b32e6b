/* Posts in json: the dump's attributes, the api's objects, and everything that is wrong
 * with its place. */
#include "dump/jsonl.h"

#include <string.h>

#include "base/buf.h"
#include "tests/tap.h"

/* A post is shown as its fields that are there, in order, each post in a line. */
static const struct {
    const char *name;
    const char *text;
    const char *mapping;
    const char *posts;
    const char *error; /* NULL: none */
} rows[] = {
    {"nothing", "", NULL, "", NULL},
    {"strings",
     "{\"Id\":\"1\",\"PostTypeId\":\"1\",\"AcceptedAnswerId\":\"2\",\"OwnerUserId\":\"-"
     "1\","
     "\"CreationDate\":\"2014-01-21T20:58:43.500\",\"ClosedDate\":\"2014-01-22\","
     "\"Score\":\"-5\",\"ViewCount\":\"9\",\"AnswerCount\":\"3\",\"CommentCount\":\"0\","
     "\"FavoriteCount\":\"4\",\"Tags\":\"<a><b>\",\"Title\":\"t\",\"Body\":\"<p>x</p>\","
     "\"ContentLicense\":\"CC BY-SA 4.0\",\"Unknown\":[{}]}",
     NULL,
     "id 1 type 1 accepted 2 owner -1 created 1390337923500 closed 1390348800000 score "
     "-5 "
     "views 9 answers 3 comments 0 favorites 4 tags <a><b> title t body <p>x</p> license "
     "CC BY-SA 4.0\n",
     NULL},
    {"numbers", "{\"Id\":1,\"PostTypeId\":2,\"ParentId\":7.0,\"Score\":-3.0}", NULL,
     "id 1 type 2 parent 7 score -3\n", NULL},
    {"null and nothing", "{\"Id\":1,\"Score\":null,\"Title\":\"\",\"ViewCount\":\"\"}",
     NULL, "id 1\n", NULL},
    {"lines", "{\"Id\":1,\"Title\":\"a\"}\r\n{\"Id\":2,\"ParentId\":1}\r\n", NULL,
     "id 1 type 1 title a\nid 2 type 2 parent 1\n", NULL},
    {"an array", "[{\"Id\":1},\n{\"Id\":2}]", NULL, "id 1\nid 2\n", NULL},
    {"an object over lines", "{\n  \"Id\": 1,\n  \"Score\": 2\n}\n{\n  \"Id\": 3\n}",
     NULL, "id 1 score 2\nid 3\n", NULL},
    {"other spellings", "{\"@Id\":\"1\",\"view_count\":5,\"TITLE\":\"t\"}", NULL,
     "id 1 type 1 views 5 title t\n", NULL},
    {"the surer key", "{\"PostId\":5,\"Id\":1,\"Views\":3,\"ViewCount\":4}", NULL,
     "id 1 views 4\n", NULL},
    {"escapes", "{\"Id\":1,\"Title\":\"\\u00e9 \\ud83d\\ude00 \\\"q\\\" \\n\"}", NULL,
     "id 1 type 1 title \xC3\xA9 \xF0\x9F\x98\x80 \"q\" \n\n", NULL},
    {"answers",
     "{\"Id\":1,\"Title\":\"t\",\"AnswerCount\":2,\"answers\":[{\"Id\":2,\"Score\":1},"
     "{\"Id\":\"3\",\"ParentId\":\"9\",\"PostTypeId\":\"2\"}]}\n{\"Id\":4}",
     NULL,
     "id 1 type 1 answers 2 title t\nid 2 type 2 parent 1 score 1\nid 3 type 2 parent "
     "9\nid 4\n",
     NULL},
    {"no answers", "{\"Id\":1,\"answers\":[]}", NULL, "id 1\n", NULL},
    {"answers as a number", "{\"Id\":1,\"answers\":2,\"comments\":3}", NULL,
     "id 1 answers 2 comments 3\n", NULL},
    {"comments as a list", "{\"Id\":1,\"comments\":[{\"x\":1}],\"CommentCount\":1}", NULL,
     "id 1 comments 1\n", NULL},
    {"tags as a list", "{\"Id\":1,\"Tags\":[\"a\",\"c++\"]}", NULL,
     "id 1 type 1 tags <a><c++>\n", NULL},
    {"a mapping", "{\"qid\":1,\"n\":5,\"Title\":\"t\",\"Score\":3}", "id=qid, score=n",
     "id 1 type 1 score 5 title t\n", NULL},
    {"a mapping of answers",
     "{\"qid\":1,\"Title\":\"t\",\"answers\":[{\"aid\":2,\"Body\":\"b\"}]}",
     "id=qid, answer.id=aid", "id 1 type 1 title t\nid 2 type 2 parent 1 body b\n", NULL},
    {"a mapping to nothing", "{\"Id\":1,\"Closed\":true}", "closed=", "id 1\n", NULL},
    {"a mapping and no object", "", "id=x", "", NULL},

    {"the moment of the accepted answer",
     "{\"Id\":1,\"accepted_at\":\"1970-01-02\"}\n{\"Id\":2,\"AcceptedAt\":\"1970-01-02\","
     "\"AcceptedAnswerId\":3}",
     NULL, "id 1 accepted 0 accepted-at 86400000\nid 2 accepted 3 accepted-at 86400000\n",
     NULL},
    {"items that are not first", "{\"page\":1,\"items\":[{\"Id\":1},{\"Id\":2}]}", NULL,
     "id 1\nid 2\n", NULL},

    {"the api's question",
     "{\"items\":[{\"tags\":[\"c#\",\".net\"],\"owner\":{\"user_id\":8,\"user_type\":"
     "\"registered\"},\"is_answered\":true,\"view_count\":10,\"accepted_answer_id\":3,"
     "\"answer_count\":2,\"score\":7,\"creation_date\":1390337923,\"closed_date\":"
     "1390337924,\"comment_count\":1,\"favorite_count\":6,\"question_id\":2,"
     "\"content_license\":\"CC BY-SA 3.0\",\"title\":\"a &lt; b &amp;&amp; &quot;c&quot; "
     "&#39;d&#39;\",\"body\":\"<p>a &lt; b</p>\",\"link\":\"https://x\"}],"
     "\"has_more\":false,\"quota_max\":300,\"quota_remaining\":299}",
     NULL,
     "id 2 type 1 accepted 3 owner 8 created 1390337923000 closed 1390337924000 score 7 "
     "views 10 answers 2 comments 1 favorites 6 tags <c#><.net> title a < b && \"c\" 'd' "
     "body <p>a &lt; b</p> license CC BY-SA 3.0\n",
     NULL},
    {"the api's answers",
     "{\"items\":[{\"owner\":{\"user_type\":\"does_not_exist\"},\"is_accepted\":true,"
     "\"score\":1,\"creation_date\":5,\"answer_id\":3,\"question_id\":2}]}",
     NULL, "id 3 type 2 parent 2 created 5000 score 1\n", NULL},
    {"the api's question with answers",
     "{\"items\":[{\"question_id\":2,\"title\":\"t\",\"answers\":[{\"answer_id\":3,"
     "\"question_id\":2,\"is_accepted\":false},{\"answer_id\":4,\"question_id\":2,"
     "\"is_accepted\":true}]},{\"question_id\":5}]}",
     NULL,
     "id 2 type 1 accepted 4 title t\nid 3 type 2 parent 2\nid 4 type 2 parent 2\nid 5 "
     "type 1\n",
     NULL},
    {"the api's posts",
     "{\"items\":[{\"post_id\":2,\"post_type\":\"answer\",\"creation_date\":1}]}", NULL,
     "id 2 type 2 created 1000\n", NULL},
    {"no items", "{\"items\":[],\"has_more\":false}", NULL, "", NULL},
    {"pages of the api in lines",
     "{\"items\":[{\"question_id\":1}]}\n{\"items\":["
     "{\"question_id\":2}]}\n",
     NULL, "id 1 type 1\nid 2 type 1\n", NULL},
    {"a mapping of the api's id",
     "{\"answer_id\":3,\"question_id\":2,\"creation_date\":1}", "id=answer_id",
     "id 3 type 2 parent 2 created 1000\n", NULL},
    {"only looks like the api", "{\"Id\":1,\"question_id\":9,\"Title\":\"a &amp; b\"}",
     NULL, "id 1 type 1 title a &amp; b\n", NULL},

    {"no id", "{\"Id\":1}\n  {\"Score\":1}", NULL, "id 1\n",
     "f:2:3: found an object without an id, expected a key such as 'Id'"},
    {"an empty id", "{\"Id\":\"\"}", NULL, "",
     "f:1:1: found an object without an id, expected a key such as 'Id'"},
    {"a wrong number", "{\"Id\":1}\n{\"Id\":2, \"Score\": \"x\"}", NULL, "id 1\n",
     "f:2:19: key 'Score': found 'x', expected a number"},
    {"a wrong number of an answer",
     "{\"Id\":1,\n\"answers\":[{\"Id\":2},\n{\"Id\":3,\"Score\":\"\xC3\xA9\"}]}", NULL,
     "id 1\nid 2 type 2 parent 1\n",
     "f:3:17: key 'Score': found '\xC3\xA9', expected a number"},
    {"a wrong number in items",
     "{\"items\":[{\"question_id\":1},\n{\"question_id\":2,"
     "\"score\":1.5}]}",
     NULL, "id 1 type 1\n", "f:2:26: key 'score': found 1.5, expected a whole number"},
    {"a wrong number in an array", "[{\"Id\":1},{\"Id\":true}]", NULL, "id 1\n",
     "f:1:17: key 'Id': found true, expected a string or a number"},
    {"a text that is none", "{\"Id\":1,\"Title\":5}", NULL, "",
     "f:1:17: key 'Title': found 5, expected a string"},
    {"a text that is an object", "{\"Id\":1,\"Body\":{}}", NULL, "",
     "f:1:16: key 'Body': found an object, expected a string"},
    {"a tag that is none", "{\"Id\":1,\"Tags\":[\"a\",2]}", NULL, "",
     "f:1:16: key 'Tags': found a number, expected a tag in quotes"},
    {"seconds in a dump", "{\"Id\":1,\"CreationDate\":1390337923}", NULL,
     "id 1 created 1390337923000\n", NULL},
    {"milliseconds in the api", "{\"question_id\":1,\"creation_date\":1390337923456}",
     NULL, "id 1 type 1 created 1390337923456\n", NULL},
    {"what would be microseconds", "{\"Id\":1,\"CreationDate\":1390337923000000}", NULL,
     "",
     "f:1:24: key 'CreationDate': found '1390337923000000', expected a date such as "
     "2014-01-21 20:58:43"},
    {"the same key twice", "{\"Id\":1,\n\"Id\":2}", NULL, "",
     "f:2:1: not json: found a key for the second time: 'Id'"},
    {"the same field twice", "{\"Id\":1,\"id\":2}", NULL, "",
     "f:1:14: key 'id': 'Id' and 'id' are names of the same"},
    {"a number in an array", "[{\"Id\":1}, 5]", NULL, "id 1\n",
     "f:1:12: found a number, expected an object"},
    {"answers that are none", "{\"Id\":1,\"answers\":[null]}", NULL, "id 1\n",
     "f:1:20: found null, expected an object"},
    {"comments of the api", "{\"items\":[{\"comment_id\":1,\"post_id\":2}]}", NULL, "",
     "f:1:11: found a comment, expected a question or an answer"},
    {"an error of the api",
     "{\"error_id\":502,\"error_message\":\"too many requests\",\"error_name\":\"x\"}",
     NULL, "", "f:1:1: the api answered with an error: 'too many requests'"},
    {"not json", "{\"Id\":1}\n{\"Id\":2,}\n", NULL, "id 1\n",
     "f:2:9: not json: found '}', expected a key"},
    {"the wrong bracket", "{\"Id\":1]", NULL, "",
     "f:1:8: not json: found ']', expected ',' or '}'"},
    {"not UTF-8", "{\"Id\":1,\"Title\":\"caf\xE9\"}", NULL, "",
     "f:1:21: not json: found a byte that is not UTF-8"},
    {"NUL as an escape", "{\"Id\":1,\"Title\":\"a\\u0000\"}", NULL, "",
     "f:1:19: not json: found \\u0000, expected text"},
    {"half a pair", "{\"Id\":1,\"Title\":\"\\ud83d\"}", NULL, "",
     "f:1:24: not json: found half of a character, '\\uD83D'"},
    {"a number too large", "{\"Id\":1,\"x\":9223372036854775808}", NULL, "",
     "f:1:13: not json: found a number that is too large"},
    {"a real number too large", "{\"Id\":1,\"x\":1e999}", NULL, "",
     "f:1:13: not json: found a number that is too large"},
    {"a whole number that a double does not hold", "{\"Id\":1e17}", NULL, "",
     "f:1:7: key 'Id': found 1e+17, expected a whole number"},
    {"cut", "{\"Id\":1}\n{\"Id\":2", NULL, "id 1\n",
     "f:2:1: the object that begins here is not closed"},
    {"a key that no object has", "{\"Id\":1,\"ViewCount\":2}", "views=ViewCont", "id 1\n",
     "f:1:1: no object has a key 'ViewCont'; did you mean 'ViewCount'?"},
    {"a key far from all", "{\"Id\":1}", "views=reputation", "id 1\n",
     "f:1:1: no object has a key 'reputation'"},
    {"a number, not a table", "{\"Id\":1} 5", NULL, "id 1\n",
     "f:1:10: found '5', expected '{' or '['"},
    {"an error of the api behind items", "{\"items\":[],\n\"error_id\":502}", NULL, "",
     "f:1:12: the api answered with an error: ''"},
    {"items twice", "{\"items\":[{\"Id\":1}],\"items\":[]}", NULL, "id 1\n",
     "f:1:29: found a key for the second time: 'items'"},
    {"behind items no json", "{\"items\":[{\"Id\":1}],\"a\":tru}", NULL, "id 1\n",
     "f:1:25: not json: found 't', expected a value"},
    {"a word that is none", "[{\"Id\":1},nul]", NULL, "id 1\n",
     "f:1:11: not json: found 'n', expected a value"},
};

static void show_number(struct buf *out, const char *name, int64_t value)
{
    if (value != ITEM_NONE)
        buf_add_format(out, " %s %lld", name, (long long)value);
}

static void show_text(struct buf *out, const char *name, struct str text)
{
    if (text.len > 0)
        buf_add_format(out, " %s %.*s", name, STR_ARG(text));
}

static bool show(void *context, const struct item *post, struct err *err)
{
    struct buf *out = context;

    (void)err;
    buf_add_format(out, "id %lld", (long long)post->id);
    show_number(out, "type", post->kind);
    show_number(out, "parent", post->parent);
    show_number(out, "accepted", post->accepted);
    show_number(out, "accepted-at", post->accepted_ms);
    show_number(out, "owner", post->owner);
    show_number(out, "created", post->created_ms);
    show_number(out, "closed", post->closed_ms);
    show_number(out, "score", post->score);
    show_number(out, "views", post->views);
    show_number(out, "answers", post->answers);
    show_number(out, "comments", post->comments);
    show_number(out, "favorites", post->favorites);
    show_text(out, "tags", post->tags);
    show_text(out, "title", post->title);
    show_text(out, "body", post->body);
    show_text(out, "license", post->license);
    buf_add_char(out, '\n');
    return !post->escaped;
}

static bool read_pieces(struct str text, size_t piece,
                        const struct dump_jsonl_options *options, struct err *err)
{
    struct dump_jsonl *jsonl = dump_jsonl_open(options);
    bool ok = true;

    for (; ok && text.len > piece; text = str_slice(text, piece, text.len))
        ok = dump_jsonl_push(jsonl, str_slice(text, 0, piece), false, err);
    ok = ok && dump_jsonl_push(jsonl, text, true, err);
    dump_jsonl_close(jsonl);
    return ok;
}

/* In pieces of that size. */
static void check_row(size_t row, size_t piece, struct arena *arena)
{
    struct arena exact = {0};
    struct dump_columns_mapping mapping;
    struct buf out = {0};
    struct dump_jsonl_options options = {"f", NULL, show, &out, NULL};
    struct err err = {0};

    if (rows[row].mapping != NULL) {
        CHECK(dump_columns_parse(str_from(rows[row].mapping), arena, &mapping, &err));
        options.mapping = &mapping;
    }
    struct str text = arena_copy(&exact, str_from(rows[row].text));
    bool ok = read_pieces(text, piece, &options, &err);
    CHECK(ok == (rows[row].error == NULL));
    buf_add_char(&out, '\0');
    CHECK_TEXT(out.ptr, rows[row].posts);
    CHECK_TEXT(err.text, rows[row].error != NULL ? rows[row].error : "");
    CHECK(err.kind == (rows[row].error != NULL ? ERR_INPUT : ERR_NONE));
    buf_free(&out);
    arena_free(&exact);
}

static void check_rows(struct arena *arena)
{
    for (size_t i = 0; i < ROWS(rows); i++) {
        tap_case("json: %s", rows[i].name);
        check_row(i, SIZE_MAX, arena);
        check_row(i, 1, arena);
        check_row(i, 7, arena);
    }
}

static bool show_extra(void *context, const struct item *post, struct err *err)
{
    (void)err;
    buf_add_format(context, "%lld:", (long long)post->id);
    for (size_t i = 0; i < 2 && post->extra != NULL; i++)
        buf_add_format(context, "%.*s,", STR_ARG(post->extra[i]));
    buf_add_char(context, '\n');
    return true;
}

/* Of the question alone: an answer in it has none. */
static void check_extra(void)
{
    struct dump_columns_choice extra[] = {dump_columns_choose(STR("kind")),
                                          dump_columns_choose(STR("n"))};
    struct dump_columns_mapping mapping = {.extra = extra, .extra_count = 2};
    struct buf out = {0};
    struct dump_jsonl_options options = {"f", &mapping, show_extra, &out, NULL};
    struct err err = {0};

    tap_case("json: extra keys");
    CHECK(read_pieces(
        STR("{\"Id\":1,\"kind\":\"a b\",\"n\":5,\"answers\":[{\"Id\":2,\"n\":1}]}\n"
            "{\"Id\":3,\"n\":true}{\"Id\":4,\"kind\":null,\"n\":0.5}"),
        SIZE_MAX, &options, &err));
    CHECK(str_eq(buf_str(&out), STR("1:a b,5,\n2:\n3:,true,\n4:,0.5,\n")));

    tap_case("json: an extra key that holds no text");
    CHECK(!read_pieces(STR("{\"Id\":1,\"kind\":\"\",\"n\":[1]}"), SIZE_MAX, &options,
                       &err));
    CHECK_TEXT(err.text, "f:1:23: key 'n': found a number, expected text in quotes");

    tap_case("json: an extra key that no object has");
    CHECK(!read_pieces(STR("{\"Id\":1,\"kin\":\"\",\"n\":1}"), SIZE_MAX, &options, &err));
    CHECK_TEXT(err.text, "f:1:1: no object has a key 'kind'; did you mean 'kin'?");
    buf_free(&out);
}

static bool refuse_second(void *context, const struct item *post, struct err *err)
{
    int *calls = context;

    (void)post;
    return ++*calls < 2 || err_set(err, ERR_SYSTEM, "full");
}

/* More than one chunk of the arena, so that stale memory shows. */
static void check_many(void)
{
    struct buf text = {0}, out = {0}, want = {0};
    struct dump_jsonl_options options = {"f", NULL, show, &out, NULL};
    struct err err = {0};
    int calls = 0;

    for (int i = 0; i < 20000; i++) {
        buf_add_format(&text,
                       "{\"question_id\":%d,\"title\":\"a&amp;%d\",\"tags\":[\"x\"]}\n",
                       i, i);
        buf_add_format(&want, "id %d type 1 tags <x> title a&%d\n", i, i);
    }
    tap_case("json: many");
    CHECK(read_pieces(buf_str(&text), SIZE_MAX, &options, &err));
    CHECK(str_eq(buf_str(&out), buf_str(&want)));

    tap_case("json: the caller may stop");
    options = (struct dump_jsonl_options){"f", NULL, refuse_second, &calls, NULL};
    CHECK(!read_pieces(buf_str(&text), SIZE_MAX, &options, &err) && calls == 2);
    CHECK_TEXT(err.text, "full");
    buf_free(&text);
    buf_free(&out);
    buf_free(&want);
}

int main(void)
{
    struct arena arena = {0};

    check_rows(&arena);
    check_extra();
    check_many();
    arena_free(&arena);
    return tap_done();
}
