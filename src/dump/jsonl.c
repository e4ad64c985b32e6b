/* Jansson makes a tree of each value; the tree knows no places, so when something in it
 * is wrong the way to it is walked once more in the text. */
#include "dump/jsonl.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/map.h"
#include "base/near.h"
#include "input/document.h"
#include "text/markup.h"

enum { STEPS_MAX = 6 }; /* items, 3, answers, 0, owner, user_id */

struct reader {
    const struct jsonl_options *options;
    struct document document;
    struct str value; /* the one of the document that is being read */
    struct document_step steps[STEPS_MAX];
    size_t step_count;
    struct arena row;  /* lives as long as a value */
    struct arena keys; /* of `seen` */
    struct map seen;   /* keys, when there is a mapping */
};

/* What an object gives for each field. */
struct choice {
    const char *key;
    json_t *value;
    int rank;
};

static void step_to(struct reader *reader, const char *key, size_t index)
{
    reader->steps[reader->step_count++] = (struct document_step){key, index};
}

/* The error is in what the steps lead to. */
static bool fail(struct reader *reader, struct err *err)
{
    const char *at = document_find(reader->value, reader->steps, reader->step_count);

    return document_fail(&reader->document, at, err);
}

/* The same, for the value of a key, whose name is put before the text. */
static bool fail_key(struct reader *reader, const char *key, struct err *err)
{
    char shown[FIELD_SHOWN_MAX];

    err_locate(err, "key %s: ", field_show(str_from(key), shown));
    step_to(reader, key, 0);
    return fail(reader, err);
}

static const char *kind_name(const json_t *value)
{
    switch (json_typeof(value)) {
    case JSON_OBJECT:
        return "an object";
    case JSON_ARRAY:
        return "an array";
    case JSON_STRING:
        return "a string";
    case JSON_INTEGER:
    case JSON_REAL:
        return "a number";
    case JSON_TRUE:
        return "true";
    case JSON_FALSE:
        return "false";
    case JSON_NULL:
        break;
    }
    return "null";
}

static struct str text_of(const json_t *string)
{
    return (struct str){json_string_value(string), json_string_length(string)};
}

/* --- values --- */

static bool set_integer(struct reader *reader, enum field field, json_int_t number,
                        bool api, struct post *post, struct err *err)
{
    char digits[24];
    int len = snprintf(digits, sizeof digits, "%lld", (long long)number);

    if (field_is_date(field) && api)
        return field_set_seconds(post, field, number, err);
    if (field_is_text(field))
        return err_set(err, ERR_INPUT, "found %s, expected a string", digits);
    return field_set(post, field, (struct str){digits, (size_t)len}, &reader->row, err);
}

static bool set_real(struct reader *reader, enum field field, double number, bool api,
                     struct post *post, struct err *err)
{
    /* Beyond 2^53 a double no longer tells which whole number was meant. */
    if (floor(number) != number || fabs(number) > 9007199254740992.0)
        return err_set(err, ERR_INPUT, "found %.17g, expected a whole number", number);
    return set_integer(reader, field, (json_int_t)number, api, post, err);
}

static bool set_string(struct reader *reader, enum field field, struct str text, bool api,
                       struct post *post, struct err *err)
{
    struct buf plain = {0};

    if (field == FIELD_TITLE && api) {
        markup_decode(text, false, &plain);
        text = arena_copy(&reader->row, buf_str(&plain));
        buf_free(&plain);
    }
    return field_set(post, field, text, &reader->row, err);
}

static bool set_tags(struct reader *reader, const json_t *array, struct post *post,
                     struct err *err)
{
    struct buf joined = {0};

    for (size_t i = 0; i < json_array_size(array); i++) {
        const json_t *tag = json_array_get(array, i);
        if (!json_is_string(tag)) {
            buf_free(&joined);
            return err_set(err, ERR_INPUT, "found %s, expected a tag in quotes",
                           kind_name(tag));
        }
        buf_add(&joined, text_of(tag));
        buf_add_char(&joined, ' ');
    }
    struct str text = arena_copy(&reader->row, buf_str(&joined));
    buf_free(&joined);
    return field_set(post, FIELD_TAGS, text, &reader->row, err);
}

static bool set_value(struct reader *reader, enum field field, json_t *value, bool api,
                      struct post *post, struct err *err)
{
    if (json_is_object(value) && field == FIELD_OWNER) {
        value = json_object_get(value, "user_id"); /* a user who is gone has none */
        if (value == NULL)
            return true;
    }
    switch (json_typeof(value)) {
    case JSON_NULL:
        return true;
    case JSON_STRING:
        return set_string(reader, field, text_of(value), api, post, err);
    case JSON_INTEGER:
        return set_integer(reader, field, json_integer_value(value), api, post, err);
    case JSON_REAL:
        return set_real(reader, field, json_real_value(value), api, post, err);
    case JSON_ARRAY:
        if (field == FIELD_TAGS)
            return set_tags(reader, value, post, err);
        break;
    case JSON_OBJECT:
    case JSON_TRUE:
    case JSON_FALSE:
        break;
    }
    return err_set(err, ERR_INPUT, "found %s, expected a string%s", kind_name(value),
                   field_is_text(field) ? "" : " or a number");
}

/* --- keys --- */

static const struct columns_choice *said(const struct reader *reader, int field,
                                         bool nested)
{
    const struct columns_mapping *mapping = reader->options->mapping;

    if (nested && mapping->answer[field].given)
        return &mapping->answer[field];
    return &mapping->question[field];
}

/* Which fields the mapping gives that key; true when there is one. */
static bool choose_said(struct reader *reader, const char *key, json_t *value,
                        bool nested, struct choice *choices)
{
    bool any = false;

    if (reader->options->mapping == NULL)
        return false;
    *map_put(&reader->seen, str_from(key)) = 1;
    for (int i = 0; i < FIELD_COUNT; i++) {
        const struct columns_choice *choice = said(reader, i, nested);
        if (!choice->given || !str_eq(choice->name, str_from(key)))
            continue;
        choices[i] = (struct choice){key, value, -1};
        any = true;
    }
    return any;
}

/* "answers" and "comments" may be lists of what AnswerCount and CommentCount count. */
static bool is_list(int field, const json_t *value)
{
    return (field == FIELD_ANSWERS || field == FIELD_COMMENTS) && json_is_array(value);
}

static bool choose_usual(struct reader *reader, const char *key, json_t *value,
                         bool nested, struct choice *choices, struct err *err)
{
    for (int i = 0; i < FIELD_COUNT; i++) {
        struct choice *choice = &choices[i];
        int rank = field_rank((enum field)i, str_from(key));
        if (rank < 0 || is_list(i, value) ||
            (reader->options->mapping != NULL && said(reader, i, nested)->given))
            continue;
        if (choice->key != NULL && choice->rank == rank) {
            err_record(err, ERR_INPUT, "'%s' and '%s' are names of the same", choice->key,
                       key);
            return fail_key(reader, key, err);
        }
        if (choice->key == NULL || choice->rank > rank)
            *choice = (struct choice){key, value, rank};
    }
    return true;
}

/* --- objects --- */

/* The api's ids say what the object is. */
static bool choose_api(struct reader *reader, json_t *object, struct choice *choices,
                       struct post *post, bool *api, struct err *err)
{
    json_t *answer = json_object_get(object, "answer_id");
    json_t *question = json_object_get(object, "question_id");
    json_t *id = answer != NULL ? answer : question;
    struct choice *chosen = &choices[FIELD_ID];
    bool is_said = chosen->key != NULL && chosen->rank < 0;

    *api = id != NULL || json_object_get(object, "post_id") != NULL;
    if (!is_said && chosen->key != NULL && strcmp(chosen->key, "post_id") != 0)
        *api = false; /* it has an id of its own: the names only look like the api's */
    if (*api && json_object_get(object, "comment_id") != NULL) {
        err_record(err, ERR_INPUT, "found a comment, expected a question or an answer");
        return fail(reader, err);
    }
    if (!*api || id == NULL)
        return true;
    if (!is_said)
        *chosen = (struct choice){answer != NULL ? "answer_id" : "question_id", id, 0};
    if (answer != NULL && question != NULL && choices[FIELD_PARENT].key == NULL)
        choices[FIELD_PARENT] = (struct choice){"question_id", question, 0};
    if (choices[FIELD_TYPE].key == NULL)
        post->type = answer != NULL ? POST_ANSWER : POST_QUESTION;
    return true;
}

static bool read_post(struct reader *reader, json_t *object, const struct post *question,
                      struct post *post, struct err *err)
{
    struct choice choices[FIELD_COUNT] = {{0}};
    bool nested = question != NULL, api;
    const char *key;
    json_t *value;

    *post = post_empty();
    if (!json_is_object(object)) {
        err_record(err, ERR_INPUT, "found %s, expected an object", kind_name(object));
        return fail(reader, err);
    }
    json_object_foreach(object, key, value)
    {
        if (!choose_said(reader, key, value, nested, choices) &&
            !choose_usual(reader, key, value, nested, choices, err))
            return false;
    }
    if (!choose_api(reader, object, choices, post, &api, err))
        return false;
    for (int i = 0; i < FIELD_COUNT; i++)
        if (choices[i].key != NULL &&
            !set_value(reader, (enum field)i, choices[i].value, api, post, err))
            return fail_key(reader, choices[i].key, err);
    if (post->id == POST_NONE) {
        err_record(err, ERR_INPUT,
                   "found an object without an id, expected a key such as 'Id'");
        return fail(reader, err);
    }
    if (nested && post->parent == POST_NONE)
        post->parent = question->id;
    if (nested && post->type == POST_NONE)
        post->type = POST_ANSWER;
    field_settle_type(post);
    return true;
}

static json_t *answers_of(json_t *object, const char **key)
{
    static const char *const names[] = {"answers", "Answers"};

    for (size_t i = 0; i < ROWS_OF(names); i++) {
        json_t *answers = json_object_get(object, names[i]);
        *key = names[i];
        if (json_is_array(answers))
            return answers;
    }
    return NULL;
}

/* The api's answers say themselves which of them is the accepted one. */
static int64_t accepted_among(const json_t *answers)
{
    for (size_t i = 0; i < json_array_size(answers); i++) {
        const json_t *answer = json_array_get(answers, i);
        const json_t *id = json_object_get(answer, "answer_id");
        if (json_is_true(json_object_get(answer, "is_accepted")) && json_is_integer(id))
            return json_integer_value(id);
    }
    return POST_NONE;
}

static bool take(struct reader *reader, const struct post *post, struct err *err)
{
    return reader->options->take(reader->options->context, post, err);
}

/* A question and its answers, or any other post. */
static bool read_object(struct reader *reader, json_t *object, struct err *err)
{
    struct post post, answer;
    size_t steps = reader->step_count;
    const char *key = NULL;

    if (!read_post(reader, object, NULL, &post, err))
        return false;
    json_t *answers = answers_of(object, &key);
    if (post.accepted == POST_NONE)
        post.accepted = accepted_among(answers);
    if (!take(reader, &post, err))
        return false;
    for (size_t i = 0; i < json_array_size(answers); i++) {
        reader->step_count = steps;
        step_to(reader, key, 0);
        step_to(reader, NULL, i);
        if (!read_post(reader, json_array_get(answers, i), &post, &answer, err) ||
            !take(reader, &answer, err))
            return false;
    }
    return true;
}

static bool read_array(struct reader *reader, const json_t *array, struct err *err)
{
    size_t steps = reader->step_count;

    for (size_t i = 0; i < json_array_size(array); i++) {
        reader->step_count = steps;
        step_to(reader, NULL, i);
        if (!read_object(reader, json_array_get(array, i), err))
            return false;
    }
    return true;
}

static bool refuse_error(struct reader *reader, json_t *root, struct err *err)
{
    const char *message = json_string_value(json_object_get(root, "error_message"));
    char shown[FIELD_SHOWN_MAX];

    err_record(err, ERR_INPUT, "the api answered with an error: %s",
               field_show(str_from(message != NULL ? message : ""), shown));
    return fail(reader, err);
}

static bool read_root(struct reader *reader, json_t *root, struct err *err)
{
    json_t *items = json_object_get(root, "items");

    reader->step_count = 0;
    if (json_is_array(root))
        return read_array(reader, root, err);
    if (json_object_get(root, "error_id") != NULL)
        return refuse_error(reader, root, err);
    if (!json_is_array(items))
        return read_object(reader, root, err);
    step_to(reader, "items", 0);
    return read_array(reader, items, err);
}

/* What jansson says in words that mean something to its callers only. */
static const char *in_our_words(enum json_error_code code)
{
    switch (code) {
    case json_error_null_character:
    case json_error_null_byte_in_key:
        return "found \\u0000, expected text";
    case json_error_invalid_utf8:
        return "found a byte that is not UTF-8";
    case json_error_numeric_overflow:
        return "found a number that is too large";
    case json_error_duplicate_key:
        return "found a key for the second time";
    default:
        return NULL;
    }
}

/* Where jansson stopped reading, and why. */
static bool refuse_json(struct reader *reader, const json_error_t *error, struct err *err)
{
    enum json_error_code code = json_error_code(error);
    const char *ours = in_our_words(code), *near = strstr(error->text, " near ");
    size_t offset = error->position > 0 ? (size_t)error->position : 0;

    if (offset > 0 && code != json_error_invalid_utf8)
        offset--; /* it is behind what it does not like, except here */
    if (offset > reader->value.len)
        offset = reader->value.len;
    if (ours != NULL)
        err_record(err, ERR_INPUT, "not json: %s%s", ours, near != NULL ? near : "");
    else
        err_record(err, ERR_INPUT, "not json: %s", error->text);
    for (char *p = err->text; *p != '\0'; p++)
        if ((unsigned char)*p < 0x20)
            *p = ' ';
    return document_fail(&reader->document, reader->value.ptr + offset, err);
}

static bool read_value(struct reader *reader, struct err *err)
{
    struct arena_mark mark = arena_mark(&reader->row);
    json_error_t error;
    json_t *root =
        json_loadb(reader->value.ptr, reader->value.len, JSON_REJECT_DUPLICATES, &error);

    if (root == NULL)
        return refuse_json(reader, &error, err);
    bool ok = read_root(reader, root, err);
    json_decref(root);
    arena_rewind(&reader->row, mark);
    return ok;
}

/* Every key that the mapping names must be there somewhere. */
static bool check_seen(struct reader *reader, struct err *err)
{
    const struct columns_mapping *mapping = reader->options->mapping;
    struct str *names = arena_array(&reader->keys, struct str, reader->seen.count);
    char shown[FIELD_SHOWN_MAX], other[FIELD_SHOWN_MAX];
    size_t count = 0;

    if (reader->seen.count == 0)
        return true;
    for (int i = 0; i < 2 * FIELD_COUNT; i++) {
        const struct columns_choice *choice =
            i < FIELD_COUNT ? &mapping->question[i] : &mapping->answer[i - FIELD_COUNT];
        if (!choice->given || choice->name.len == 0 ||
            map_get(&reader->seen, choice->name) != NULL)
            continue;
        for (size_t e = 0; e < reader->seen.capacity; e++)
            if (reader->seen.entries[e].key.ptr != NULL)
                names[count++] = reader->seen.entries[e].key;
        size_t nearest = near_find(choice->name, names, count);
        field_show(choice->name, shown);
        if (nearest < count)
            err_record(err, ERR_INPUT, "no object has a key %s; did you mean %s?", shown,
                       field_show(names[nearest], other));
        else
            err_record(err, ERR_INPUT, "no object has a key %s", shown);
        return document_fail(&reader->document, reader->document.text.ptr, err);
    }
    return true;
}

bool jsonl_read(struct str text, const struct jsonl_options *options, struct err *err)
{
    struct reader reader = {.options = options,
                            .document = {.text = text, .path = options->path}};
    bool ok = true;

    reader.seen.arena = &reader.keys;
    arena_array(&reader.row, char, 1); /* a chunk that rewinding does not give back */
    while (ok && document_next(&reader.document, &reader.value, err))
        ok = read_value(&reader, err);
    ok = ok && !reader.document.failed && check_seen(&reader, err);
    arena_free(&reader.row);
    arena_free(&reader.keys);
    return ok;
}
