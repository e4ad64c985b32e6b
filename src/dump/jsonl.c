/* Jansson makes a tree of each value; the tree knows no places, so when something in it
 * is wrong the way to it is walked once more in the text. */
#include "dump/jsonl.h"

#include <string.h>

#include "base/buf.h"
#include "base/map.h"
#include "base/near.h"
#include "dump/jsonl_value.h"
#include "input/document.h"

enum { STEPS_MAX = 7 }; /* items, 3, question, answers, 0, owner, user_id */

struct dump_jsonl {
    struct arena arena; /* holds this struct too */
    const struct dump_jsonl_options *options;
    struct input_document document;
    struct str value; /* the one of the document that is being read */
    enum input_document_part part;
    struct input_document_step steps[STEPS_MAX];
    size_t step_count;
    struct arena row;  /* lives as long as a value */
    struct arena keys; /* of `seen` */
    struct map seen;   /* keys, when there is a mapping */
};

/* What an object gives for each field. */
struct jsonl_choice {
    const char *key;
    json_t *value;
    int rank;
};

static void step_to(struct dump_jsonl *reader, const char *key, size_t index)
{
    reader->steps[reader->step_count++] = (struct input_document_step){key, index};
}

/* The error is in what the steps lead to. */
static bool fail(struct dump_jsonl *reader, struct err *err)
{
    const char *at =
        input_document_find(reader->value, reader->steps, reader->step_count);

    return input_document_fail(&reader->document, at, err);
}

/* The same, for the value of a key, whose name is put before the text. */
static bool fail_key(struct dump_jsonl *reader, const char *key, struct err *err)
{
    char shown[DUMP_FIELD_SHOWN_MAX];

    err_locate(err, "key %s: ", dump_field_show(str_from(key), shown));
    step_to(reader, key, 0);
    return fail(reader, err);
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
static bool choose_said(struct dump_jsonl *reader, const char *key, json_t *value,
                        bool nested, struct jsonl_choice *choices)
{
    bool any = false;

    if (reader->options->mapping == NULL)
        return false;
    *map_put(&reader->seen, str_from(key)) = 1;
    for (int i = 0; i < ITEM_FIELDS; i++) {
        const struct dump_columns_choice *choice = said(reader, i, nested);
        if (!choice->given || !str_eq(choice->name, str_from(key)))
            continue;
        choices[i] = (struct jsonl_choice){key, value, -1};
        any = true;
    }
    return any;
}

/* "answers" and "comments" may be lists of what AnswerCount and CommentCount count. */
static bool is_list(int field, const json_t *value)
{
    return (field == ITEM_FIELD_ANSWERS || field == ITEM_FIELD_COMMENTS) &&
           json_is_array(value);
}

static bool choose_usual(struct dump_jsonl *reader, const char *key, json_t *value,
                         bool nested, struct jsonl_choice *choices, struct err *err)
{
    for (int i = 0; i < ITEM_FIELDS; i++) {
        struct jsonl_choice *choice = &choices[i];
        if (!dump_columns_is_usual(reader->options->mapping, i) || is_list(i, value) ||
            (reader->options->mapping != NULL && said(reader, i, nested)->given))
            continue;
        int rank = dump_field_rank((enum item_field)i, str_from(key));
        if (rank < 0)
            continue;
        if (choice->key != NULL && choice->rank == rank) {
            err_record(err, ERR_INPUT, "'%s' and '%s' are names of the same", choice->key,
                       key);
            return fail_key(reader, key, err);
        }
        if (choice->key == NULL || choice->rank > rank)
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
static bool choose_api(struct dump_jsonl *reader, json_t *object,
                       struct jsonl_choice *choices, struct item *post, bool *api,
                       struct err *err)
{
    json_t *answer = json_object_get(object, "answer_id");
    json_t *question = json_object_get(object, "question_id");
    json_t *id = answer != NULL ? answer : question;
    struct jsonl_choice *chosen = &choices[ITEM_FIELD_ID];
    bool is_said = chosen->key != NULL && chosen->rank < 0;

    *api = id != NULL || json_object_get(object, "post_id") != NULL;
    if (!is_said && chosen->key != NULL && strcmp(chosen->key, "post_id") != 0)
        *api = false; /* it has an id of its own: the names only look like the api's */
    if (is_row(reader))
        return true;
    if (*api && json_object_get(object, "comment_id") != NULL) {
        err_record(err, ERR_INPUT, "found a comment, expected a question or an answer");
        return fail(reader, err);
    }
    if (!*api || id == NULL)
        return true;
    if (!is_said)
        *chosen =
            (struct jsonl_choice){answer != NULL ? "answer_id" : "question_id", id, 0};
    if (answer != NULL && question != NULL && choices[ITEM_FIELD_PARENT].key == NULL)
        choices[ITEM_FIELD_PARENT] = (struct jsonl_choice){"question_id", question, 0};
    if (choices[ITEM_FIELD_KIND].key == NULL)
        post->kind = answer != NULL ? ITEM_ANSWER : ITEM_QUESTION;
    return true;
}

static bool read_extra(struct dump_jsonl *reader, json_t *object, struct item *post,
                       struct err *err)
{
    const struct dump_columns_mapping *mapping = reader->options->mapping;
    size_t count = mapping != NULL ? mapping->extra_count : 0;
    struct str *extra = arena_array(&reader->row, struct str, count);

    for (size_t i = 0; i < count; i++) {
        const char *key = arena_c_string(&reader->row, mapping->extra[i].name);
        const json_t *value = json_object_get(object, key);
        if (!dump_jsonl_value_text(value, &reader->row, &extra[i], err))
            return fail_key(reader, key, err);
    }
    post->extra = count > 0 ? extra : NULL;
    return true;
}

static bool read_post(struct dump_jsonl *reader, json_t *object,
                      const struct item *question, struct item *post, struct err *err)
{
    struct jsonl_choice choices[ITEM_FIELDS] = {{0}};
    bool nested = question != NULL, api;
    const char *key;
    json_t *value;

    *post = item_empty();
    if (!json_is_object(object)) {
        err_record(err, ERR_INPUT, "found %s, expected an object",
                   input_document_kind(object));
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
    for (int i = 0; i < ITEM_FIELDS; i++)
        if (choices[i].key != NULL &&
            !dump_jsonl_value_set(&reader->row, (enum item_field)i, choices[i].value, api,
                                  post, err))
            return fail_key(reader, choices[i].key, err);
    if (post->id == ITEM_NONE && !is_row(reader)) {
        err_record(err, ERR_INPUT,
                   "found an object without an id, expected a key such as 'Id'");
        return fail(reader, err);
    }
    if (nested && post->parent == ITEM_NONE)
        post->parent = question->id;
    if (nested && post->kind == ITEM_NONE)
        post->kind = ITEM_ANSWER;
    dump_field_settle(post);
    return nested || read_extra(reader, object, post, err);
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

static bool take(struct dump_jsonl *reader, const struct item *post, struct err *err)
{
    return reader->options->take(reader->options->context, post, err);
}

/* A question and its answers, or any other post. The answers stand in the question or
 * beside it: {"question": {...}, "answers": [...]}. */
static bool read_object(struct dump_jsonl *reader, json_t *object, struct err *err)
{
    struct item post, answer;
    size_t steps = reader->step_count;
    const char *key = NULL;
    json_t *question = json_object_get(object, "question");
    json_t *answers = answers_of(object, &key);

    if (json_is_object(question)) {
        step_to(reader, "question", 0);
        object = question;
        if (answers == NULL) {
            answers = answers_of(object, &key);
            steps = reader->step_count;
        }
    }
    if (!read_post(reader, object, NULL, &post, err))
        return dump_field_skip(reader->options->broken, err);
    if (post.accepted == ITEM_NONE)
        post.accepted = dump_jsonl_value_accepted(answers);
    if (!take(reader, &post, err))
        return false;
    if (is_row(reader))
        return true;
    for (size_t i = 0; i < json_array_size(answers); i++) {
        reader->step_count = steps;
        step_to(reader, key, 0);
        step_to(reader, NULL, i);
        bool right = read_post(reader, json_array_get(answers, i), &post, &answer, err);
        if (right ? !take(reader, &answer, err)
                  : !dump_field_skip(reader->options->broken, err))
            return false;
    }
    return true;
}

static bool read_array(struct dump_jsonl *reader, const json_t *array, struct err *err)
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

static bool refuse_error(struct dump_jsonl *reader, json_t *root, struct err *err)
{
    const char *message = json_string_value(json_object_get(root, "error_message"));
    char shown[DUMP_FIELD_SHOWN_MAX];

    err_record(err, ERR_INPUT, "the api answered with an error: %s",
               dump_field_show(str_from(message != NULL ? message : ""), shown));
    return fail(reader, err);
}

static bool read_root(struct dump_jsonl *reader, json_t *root, struct err *err)
{
    json_t *items = json_object_get(root, "items");

    reader->step_count = 0;
    if (json_object_get(root, "error_id") != NULL)
        return refuse_error(reader, root, err);
    if (reader->part == INPUT_DOCUMENT_IN_ARRAY && !json_is_array(items))
        return read_object(reader, root, err); /* otherwise a page of the api */
    if (reader->part == INPUT_DOCUMENT_REST && items != NULL) {
        err_record(err, ERR_INPUT, "found a key for the second time near '\"items\"'");
        return fail(reader, err);
    }
    if (reader->part == INPUT_DOCUMENT_REST)
        return true;
    if (!json_is_array(items))
        return read_object(reader, root, err);
    step_to(reader, "items", 0); /* not the first key: all of it is here */
    return read_array(reader, items, err);
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
    const char *text = reader->value.ptr;

    if (reader->part == INPUT_DOCUMENT_REST) { /* an object but for its opening bracket */
        char *object = arena_c_string(&reader->row, reader->value);
        object[0] = '{';
        text = object;
    }
    json_t *root = input_document_decode(&reader->document, reader->value, text, err);
    if (root == NULL) {
        arena_rewind(&reader->row, mark);
        if (reader->options->broken != NULL && may_hold_items(reader))
            return dump_field_cannot_skip(err, "object");
        return dump_field_skip(reader->options->broken, err);
    }
    bool ok = read_root(reader, root, err);
    json_decref(root);
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
