/* The values of a document as posts, by the names of their members. */
#include "dump/jsonl.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/map.h"
#include "base/near.h"
#include "input/document.h"
#include "text/markup.h"

/* --- values: the api has moments as seconds, and titles as html; others have both as
 * text --- */

static bool set_integer(struct arena *row, enum item_field field, int64_t number,
                        bool api, struct item *post, struct err *err)
{
    char digits[24];
    int len = snprintf(digits, sizeof digits, "%lld", (long long)number);

    if (dump_field_is_date(field) && api)
        return dump_field_set_epoch(post, field, number, err);
    if (dump_field_is_text(field))
        return err_set(err, ERR_INPUT, "found %s, expected a string", digits);
    return dump_field_set(post, field, (struct str){digits, (size_t)len}, row, err);
}

static bool set_real(struct arena *row, enum item_field field, double number, bool api,
                     struct item *post, struct err *err)
{
    /* Beyond 2^53 a double no longer tells which whole number was meant. */
    if (floor(number) != number || fabs(number) > 9007199254740992.0)
        return err_set(err, ERR_INPUT, "found %.17g, expected a whole number", number);
    return set_integer(row, field, (int64_t)number, api, post, err);
}

static bool set_string(struct arena *row, enum item_field field, struct str text,
                       bool api, struct item *post, struct err *err)
{
    struct buf plain = {0};

    if (field == ITEM_FIELD_TITLE && api) {
        text_markup_decode(text, false, &plain);
        text = buf_keep(&plain, row);
    }
    return dump_field_set(post, field, text, row, err);
}

/* The strings of a list as one, parted by blanks. */
static bool join(struct arena *row, const struct input_json *array, const char *what,
                 struct str *out, struct err *err)
{
    struct buf joined = {0};

    INPUT_JSON_EACH(item, array)
    {
        if (!input_json_is(item, INPUT_JSON_STRING)) {
            buf_free(&joined);
            return err_set(err, ERR_INPUT, "found %s, expected %s in quotes",
                           input_json_called(item), what);
        }
        buf_add(&joined, item != input_json_first(array) ? STR(" ") : STR(""));
        buf_add(&joined, input_json_text(item));
    }
    *out = buf_keep(&joined, row);
    return true;
}

bool dump_jsonl_value_set(struct arena *row, enum item_field field,
                          const struct input_json *value, bool api, struct item *post,
                          struct err *err)
{
    struct str tags;

    if (input_json_is(value, INPUT_JSON_OBJECT) && field == ITEM_FIELD_OWNER) {
        value = input_json_get(value, "user_id"); /* a user who is gone has none */
        if (value == NULL)
            return true;
    }
    switch ((enum input_json_kind)value->kind) {
    case INPUT_JSON_NULL:
        return true;
    case INPUT_JSON_STRING:
        return set_string(row, field, input_json_text(value), api, post, err);
    case INPUT_JSON_INTEGER:
        return set_integer(row, field, input_json_integer(value), api, post, err);
    case INPUT_JSON_REAL:
        return set_real(row, field, input_json_number(value), api, post, err);
    case INPUT_JSON_ARRAY:
        if (field == ITEM_FIELD_TAGS)
            return join(row, value, "a tag", &tags, err) &&
                   dump_field_set(post, field, tags, row, err);
        break;
    case INPUT_JSON_OBJECT:
    case INPUT_JSON_TRUE:
    case INPUT_JSON_FALSE:
        break;
    }
    return err_set(err, ERR_INPUT, "found %s, expected a string%s",
                   input_json_called(value),
                   dump_field_is_text(field) ? "" : " or a number");
}

bool dump_jsonl_value_text(const struct input_json *value, struct arena *row,
                           struct str *out, struct err *err)
{
    char digits[40];

    *out = (struct str){0};
    switch (value != NULL ? (enum input_json_kind)value->kind : INPUT_JSON_NULL) {
    case INPUT_JSON_NULL:
        return true;
    case INPUT_JSON_STRING:
        *out = input_json_text(value);
        return true;
    case INPUT_JSON_TRUE:
    case INPUT_JSON_FALSE:
        *out = str_from(input_json_called(value));
        return true;
    case INPUT_JSON_INTEGER:
        snprintf(digits, sizeof digits, "%lld", (long long)input_json_integer(value));
        break;
    case INPUT_JSON_REAL:
        snprintf(digits, sizeof digits, "%.17g", input_json_number(value));
        break;
    case INPUT_JSON_ARRAY:
        return join(row, value, "text", out, err);
    case INPUT_JSON_OBJECT:
        return err_set(err, ERR_INPUT, "found %s, expected a string or a number",
                       input_json_called(value));
    }
    *out = arena_copy(row, str_from(digits));
    return true;
}

int64_t dump_jsonl_value_accepted(const struct input_json *answers)
{
    INPUT_JSON_EACH(answer, answers)
    {
        const struct input_json *id = input_json_get(answer, "answer_id");
        if (input_json_is(input_json_get(answer, "is_accepted"), INPUT_JSON_TRUE) &&
            input_json_is(id, INPUT_JSON_INTEGER))
            return input_json_integer(id);
    }
    return ITEM_NONE;
}

/* --- the reading --- */

struct dump_jsonl {
    struct arena arena; /* holds this struct too */
    const struct dump_jsonl_options *options;
    struct input_document document;
    struct str value; /* the one of the document that is being read */
    enum input_document_part part;
    struct arena row;  /* lives as long as a value */
    struct arena keys; /* of `seen` */
    struct map seen;   /* keys, when there is a mapping */
};

/* What an object gives for each field. */
struct jsonl_choice {
    struct str key; /* ptr is NULL: none */
    const struct input_json *value;
    int rank;
};

static bool fail(struct dump_jsonl *reader, const struct input_json *at, struct err *err)
{
    return input_document_fail(&reader->document, at->at, err);
}

/* The same, for the value of a key, whose name is put before the text. */
static bool fail_key(struct dump_jsonl *reader, struct str key,
                     const struct input_json *value, struct err *err)
{
    char shown[DUMP_FIELD_SHOWN_MAX];

    err_locate(err, "key %s: ", dump_field_show(key, shown));
    return fail(reader, value, err);
}

/* --- keys --- */

static const struct dump_columns_choice *said(const struct dump_jsonl *reader, int field,
                                              bool nested)
{
    const struct dump_columns_mapping *mapping = reader->options->mapping;

    if (nested && mapping->answer[field].given)
        return &mapping->answer[field];
    return &mapping->question[field];
}

/* Which fields the mapping gives that key; true when there is one. */
static bool choose_said(struct dump_jsonl *reader, struct str key,
                        const struct input_json *value, bool nested,
                        struct jsonl_choice *choices)
{
    bool any = false;

    if (reader->options->mapping == NULL)
        return false;
    *map_put(&reader->seen, key) = 1;
    for (int i = 0; i < ITEM_FIELDS; i++) {
        const struct dump_columns_choice *choice = said(reader, i, nested);
        if (!choice->given || !str_eq(choice->name, key))
            continue;
        choices[i] = (struct jsonl_choice){key, value, -1};
        any = true;
    }
    return any;
}

/* "answers" and "comments" may be lists of what AnswerCount and CommentCount count. */
static bool is_list(int field, const struct input_json *value)
{
    return (field == ITEM_FIELD_ANSWERS || field == ITEM_FIELD_COMMENTS) &&
           input_json_is(value, INPUT_JSON_ARRAY);
}

static bool choose_usual(struct dump_jsonl *reader, struct str key,
                         const struct input_json *value, bool nested,
                         struct jsonl_choice *choices, struct err *err)
{
    for (int i = 0; i < ITEM_FIELDS; i++) {
        struct jsonl_choice *choice = &choices[i];
        if (!dump_columns_is_usual(reader->options->mapping, i) || is_list(i, value) ||
            (reader->options->mapping != NULL && said(reader, i, nested)->given))
            continue;
        int rank = dump_field_rank((enum item_field)i, key);
        if (rank < 0)
            continue;
        if (choice->key.ptr != NULL && choice->rank == rank) {
            err_record(err, ERR_INPUT, "'%.*s' and '%.*s' are names of the same",
                       STR_ARG(choice->key), STR_ARG(key));
            return fail_key(reader, key, value, err);
        }
        if (choice->key.ptr == NULL || choice->rank > rank)
            *choice = (struct jsonl_choice){key, value, rank};
    }
    return true;
}

/* --- objects --- */

/* Objects are what they are, with any keys and without an id. */
static bool is_row(const struct dump_jsonl *reader)
{
    return reader->options->mapping != NULL && reader->options->mapping->only;
}

/* The api's ids say what the object is. */
static bool choose_api(struct dump_jsonl *reader, const struct input_json *object,
                       struct jsonl_choice *choices, struct item *post, bool *api,
                       struct err *err)
{
    const struct input_json *answer = input_json_get(object, "answer_id");
    const struct input_json *question = input_json_get(object, "question_id");
    const struct input_json *id = answer != NULL ? answer : question;
    struct jsonl_choice *chosen = &choices[ITEM_FIELD_ID];
    bool is_said = chosen->key.ptr != NULL && chosen->rank < 0;

    *api = id != NULL || input_json_get(object, "post_id") != NULL;
    if (!is_said && chosen->key.ptr != NULL && !str_eq(chosen->key, STR("post_id")))
        *api = false; /* it has an id of its own: the names only look like the api's */
    if (is_row(reader))
        return true;
    if (*api && input_json_get(object, "comment_id") != NULL) {
        err_record(err, ERR_INPUT, "found a comment, expected a question or an answer");
        return fail(reader, object, err);
    }
    if (!*api || id == NULL)
        return true;
    if (!is_said)
        *chosen = (struct jsonl_choice){
            answer != NULL ? STR("answer_id") : STR("question_id"), id, 0};
    if (answer != NULL && question != NULL && choices[ITEM_FIELD_PARENT].key.ptr == NULL)
        choices[ITEM_FIELD_PARENT] =
            (struct jsonl_choice){STR("question_id"), question, 0};
    if (choices[ITEM_FIELD_KIND].key.ptr == NULL)
        post->kind = answer != NULL ? ITEM_ANSWER : ITEM_QUESTION;
    return true;
}

static bool read_extra(struct dump_jsonl *reader, const struct input_json *object,
                       struct item *post, struct err *err)
{
    const struct dump_columns_mapping *mapping = reader->options->mapping;
    size_t count = mapping != NULL ? mapping->extra_count : 0;
    struct str *extra = arena_array(&reader->row, struct str, count);

    for (size_t i = 0; i < count; i++) {
        struct str key = mapping->extra[i].name;
        const struct input_json *value = input_json_member(object, key);
        if (!dump_jsonl_value_text(value, &reader->row, &extra[i], err))
            return fail_key(reader, key, value, err);
    }
    post->extra = count > 0 ? extra : NULL;
    return true;
}

static bool read_post(struct dump_jsonl *reader, const struct input_json *object,
                      const struct item *question, struct item *post, struct err *err)
{
    struct jsonl_choice choices[ITEM_FIELDS] = {{.rank = 0}};
    bool nested = question != NULL, api;

    *post = item_empty();
    if (!input_json_is(object, INPUT_JSON_OBJECT)) {
        err_record(err, ERR_INPUT, "found %s, expected an object",
                   input_json_called(object));
        return fail(reader, object, err);
    }
    INPUT_JSON_EACH_NAME(name, object)
    {
        struct str key = input_json_text(name);
        if (!choose_said(reader, key, name + 1, nested, choices) &&
            !choose_usual(reader, key, name + 1, nested, choices, err))
            return false;
    }
    if (!choose_api(reader, object, choices, post, &api, err))
        return false;
    for (int i = 0; i < ITEM_FIELDS; i++)
        if (choices[i].key.ptr != NULL &&
            !dump_jsonl_value_set(&reader->row, (enum item_field)i, choices[i].value, api,
                                  post, err))
            return fail_key(reader, choices[i].key, choices[i].value, err);
    if (post->id == ITEM_NONE && !is_row(reader)) {
        err_record(err, ERR_INPUT,
                   "found an object without an id, expected a key such as 'Id'");
        return fail(reader, object, err);
    }
    if (nested && post->parent == ITEM_NONE)
        post->parent = question->id;
    if (nested && post->kind == ITEM_NONE)
        post->kind = ITEM_ANSWER;
    dump_field_settle(post);
    return nested || read_extra(reader, object, post, err);
}

static const struct input_json *answers_of(const struct input_json *object)
{
    const struct input_json *answers = input_json_get(object, "answers");

    if (!input_json_is(answers, INPUT_JSON_ARRAY))
        answers = input_json_get(object, "Answers");
    return input_json_is(answers, INPUT_JSON_ARRAY) ? answers : NULL;
}

static bool take(struct dump_jsonl *reader, const struct item *post, struct err *err)
{
    return reader->options->take(reader->options->context, post, err);
}

/* A question and its answers, or any other post. The answers stand in the question or
 * beside it: {"question": {...}, "answers": [...]}. */
static bool read_object(struct dump_jsonl *reader, const struct input_json *object,
                        struct err *err)
{
    struct item post, answer;
    const struct input_json *question = input_json_get(object, "question");
    const struct input_json *answers = answers_of(object);

    if (input_json_is(question, INPUT_JSON_OBJECT)) {
        object = question;
        answers = answers != NULL ? answers : answers_of(question);
    }
    if (!read_post(reader, object, NULL, &post, err))
        return dump_field_skip(reader->options->broken, err);
    if (post.accepted == ITEM_NONE)
        post.accepted = dump_jsonl_value_accepted(answers);
    if (!take(reader, &post, err))
        return false;
    if (is_row(reader))
        return true;
    INPUT_JSON_EACH(one, answers)
    {
        bool right = read_post(reader, one, &post, &answer, err);
        if (right ? !take(reader, &answer, err)
                  : !dump_field_skip(reader->options->broken, err))
            return false;
    }
    return true;
}

static bool read_array(struct dump_jsonl *reader, const struct input_json *array,
                       struct err *err)
{
    INPUT_JSON_EACH(object, array)
    if (!read_object(reader, object, err))
        return false;
    return true;
}

static bool refuse_error(struct dump_jsonl *reader, const struct input_json *root,
                         struct err *err)
{
    struct str message = input_json_text(input_json_get(root, "error_message"));
    char shown[DUMP_FIELD_SHOWN_MAX];

    err_record(err, ERR_INPUT, "the api answered with an error: %s",
               dump_field_show(message, shown));
    return fail(reader, root, err);
}

static bool read_root(struct dump_jsonl *reader, const struct input_json *root,
                      struct err *err)
{
    const struct input_json *items = input_json_get(root, "items");
    bool page = input_json_is(items, INPUT_JSON_ARRAY);

    if (input_json_get(root, "error_id") != NULL)
        return refuse_error(reader, root, err);
    if (reader->part == INPUT_DOCUMENT_REST && items != NULL) {
        err_record(err, ERR_INPUT, "found a key for the second time: 'items'");
        return fail(reader, items, err);
    }
    if (reader->part == INPUT_DOCUMENT_REST)
        return true;
    return page ? read_array(reader, items, err) : read_object(reader, root, err);
}

/* A value that is no json is left out only if it cannot be an answer of the api, for it
 * may hold hundreds of items. */
static bool may_hold_items(const struct dump_jsonl *reader)
{
    const struct str key = STR("\"items\"");
    struct str rest = reader->value;

    if (reader->part != INPUT_DOCUMENT_VALUE)
        return reader->part == INPUT_DOCUMENT_REST;
    while (rest.len > 0 && !str_starts(rest, key))
        rest = str_slice(rest, 1, rest.len);
    return rest.len > 0;
}

static bool read_value(struct dump_jsonl *reader, struct err *err)
{
    struct arena_mark mark = arena_mark(&reader->row);
    const struct input_json *root = input_document_decode(&reader->document, err);

    if (root == NULL) {
        if (reader->options->broken != NULL && may_hold_items(reader))
            return dump_field_cannot_skip(err, "object");
        return dump_field_skip(reader->options->broken, err);
    }
    bool ok = read_root(reader, root, err);
    arena_rewind(&reader->row, mark);
    return ok;
}

static bool refuse_key(struct dump_jsonl *reader, struct str key, struct err *err)
{
    struct str *names = arena_array(&reader->keys, struct str, reader->seen.count);
    char shown[DUMP_FIELD_SHOWN_MAX], other[DUMP_FIELD_SHOWN_MAX];
    size_t count = 0;

    for (size_t i = 0; i < reader->seen.capacity; i++)
        if (reader->seen.entries[i].key.ptr != NULL)
            names[count++] = reader->seen.entries[i].key;
    size_t nearest = near_find(key, names, count);
    dump_field_show(key, shown);
    if (nearest < count)
        return err_set(err, ERR_INPUT, "%s:1:1: no object has a key %s; did you mean %s?",
                       reader->options->path, shown,
                       dump_field_show(names[nearest], other));
    return err_set(err, ERR_INPUT, "%s:1:1: no object has a key %s",
                   reader->options->path, shown);
}

/* Every key that the mapping names must be there somewhere. */
static bool check_seen(struct dump_jsonl *reader, struct err *err)
{
    const struct dump_columns_mapping *mapping = reader->options->mapping;

    if (reader->seen.count == 0)
        return true;
    for (size_t i = 0; i < 2 * ITEM_FIELDS + mapping->extra_count; i++) {
        const struct dump_columns_choice *choice =
            i < ITEM_FIELDS       ? &mapping->question[i]
            : i < 2 * ITEM_FIELDS ? &mapping->answer[i - ITEM_FIELDS]
                                  : &mapping->extra[i - 2 * ITEM_FIELDS];
        if (choice->given && choice->name.len > 0 &&
            map_get(&reader->seen, choice->name) == NULL)
            return refuse_key(reader, choice->name, err);
    }
    return true;
}

struct dump_jsonl *dump_jsonl_open(const struct dump_jsonl_options *options)
{
    struct arena arena = {0};
    struct dump_jsonl *jsonl = arena_array(&arena, struct dump_jsonl, 1);

    jsonl->arena = arena;
    jsonl->options = options;
    jsonl->document.path = options->path;
    jsonl->seen.arena = &jsonl->keys;
    arena_array(&jsonl->row, char, 1); /* a chunk that rewinding does not give back */
    return jsonl;
}

void dump_jsonl_close(struct dump_jsonl *jsonl)
{
    if (jsonl == NULL)
        return;
    struct arena arena = jsonl->arena;
    input_document_free(&jsonl->document);
    arena_free(&jsonl->row);
    arena_free(&jsonl->keys);
    arena_free(&arena);
}

bool dump_jsonl_push(struct dump_jsonl *jsonl, struct str piece, bool last,
                     struct err *err)
{
    input_document_push(&jsonl->document, piece, last);
    while (input_document_next(&jsonl->document, &jsonl->value, &jsonl->part, err))
        if (!read_value(jsonl, err))
            return false;
    if (jsonl->document.failed)
        return jsonl->options->broken != NULL && dump_field_cannot_skip(err, "object");
    return !last || check_seen(jsonl, err);
}
