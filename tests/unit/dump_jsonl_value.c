/* Values of json as fields of a post. Whole objects are tested in dump_jsonl. */
#include "dump/jsonl.h"

#include <string.h>

#include "tests/tap.h"

static const struct {
    const char *name;
    enum item_field field;
    const char *json; /* an array with the value */
    bool api;
    const char *error; /* NULL: none */
} rows[] = {
    {"a number", ITEM_FIELD_SCORE, "[7]", false, NULL},
    {"a number in quotes", ITEM_FIELD_SCORE, "[\"7\"]", false, NULL},
    {"a real that is whole", ITEM_FIELD_SCORE, "[7.0]", false, NULL},
    {"a real that is not", ITEM_FIELD_SCORE, "[7.5]", false,
     "found 7.5, expected a whole number"},
    {"null is nothing", ITEM_FIELD_SCORE, "[null]", false, NULL},
    {"a truth", ITEM_FIELD_SCORE, "[true]", false,
     "found true, expected a string or a number"},
    {"a number as a title", ITEM_FIELD_TITLE, "[7]", false, "found 7, expected a string"},
    {"tags in a list", ITEM_FIELD_TAGS, "[[\"a\", \"b\"]]", false, NULL},
    {"a tag that is none", ITEM_FIELD_TAGS, "[[1]]", false,
     "found a number, expected a tag in quotes"},
    {"the owner of the api", ITEM_FIELD_OWNER, "[{\"user_id\": 7}]", true, NULL},
    {"an owner who is gone", ITEM_FIELD_OWNER, "[{}]", true, NULL},
    {"seconds of the api", ITEM_FIELD_CREATED, "[1500000000]", true, NULL},
};

static void check_titles(struct arena *arena)
{
    struct input_json_tree tree = {0};
    const struct input_json *title = input_json_parse(&tree, STR("\"a &lt; b\""));
    struct item post = item_empty();
    struct err err = {0};

    tap_case("a title of the api is html, any other is not");
    CHECK(dump_jsonl_value_set(arena, ITEM_FIELD_TITLE, title, true, &post, &err));
    CHECK(str_eq(post.title, STR("a < b")));
    CHECK(dump_jsonl_value_set(arena, ITEM_FIELD_TITLE, title, false, &post, &err));
    CHECK(str_eq(post.title, STR("a &lt; b")));
    input_json_free(&tree);
}

static void check_texts(struct arena *arena)
{
    struct input_json_tree tree = {0};
    const struct input_json *all = input_json_parse(
        &tree, STR("[\"x\", 7, 0.5, true, null, [], [\"a\", \"b c\"], [1], {}]"));
    static const char *const want[] = {"x", "7", "0.5", "true", "", "", "a b c"};
    struct err err = {0};
    struct str text;

    tap_case("any value as text, but for objects, and lists of other than strings");
    size_t i = 0;
    INPUT_JSON_EACH(value, all)
    {
        CHECK(dump_jsonl_value_text(value, arena, &text, &err) == (i < ROWS(want)));
        CHECK(i >= ROWS(want) || str_eq(text, str_from(want[i])));
        i++;
    }
    CHECK(i == ROWS(want) + 2);
    CHECK(dump_jsonl_value_text(NULL, arena, &text, &err) && text.len == 0);
    input_json_free(&tree);
}

static void check_accepted(void)
{
    struct input_json_tree tree = {0};
    const struct input_json *answers = input_json_parse(
        &tree, STR("[{\"answer_id\": 1}, {\"answer_id\": 2, \"is_accepted\": true}]"));

    tap_case("the accepted one among answers");
    CHECK(dump_jsonl_value_accepted(answers) == 2);
    CHECK(dump_jsonl_value_accepted(NULL) == ITEM_NONE);
    input_json_free(&tree);
}

int main(void)
{
    struct arena arena = {0};

    for (size_t i = 0; i < ROWS(rows); i++) {
        struct input_json_tree tree = {0};
        const struct input_json *list = input_json_parse(&tree, str_from(rows[i].json));
        struct item post = item_empty();
        struct err err = {0};
        tap_case("%s", rows[i].name);
        CHECK(dump_jsonl_value_set(&arena, rows[i].field, input_json_first(list),
                                   rows[i].api, &post, &err) == (rows[i].error == NULL));
        CHECK_TEXT(err.text, rows[i].error != NULL ? rows[i].error : "");
        if (rows[i].field == ITEM_FIELD_SCORE && rows[i].error == NULL)
            CHECK(post.score == 7 || strstr(rows[i].json, "null") != NULL);
        if (rows[i].field == ITEM_FIELD_CREATED)
            CHECK(post.created_ms == 1500000000000);
        input_json_free(&tree);
    }
    check_titles(&arena);
    check_texts(&arena);
    check_accepted();
    arena_free(&arena);
    return tap_done();
}
