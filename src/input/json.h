/* Json as a tree, made in one pass over its text. A value knows where in the text it
 * stands, so that whatever is wrong with it can be told with its place. Objects of one
 * making have the same members in the same order: a tree learns these as it reads, so
 * that names are compared and not looked up, neither when they are read nor when a member
 * is asked for. Escapes of a string are undone when its text is asked for. */
#ifndef INPUT_JSON_H
#define INPUT_JSON_H

#include "base/buf.h"
#include "base/list.h"

enum {
    INPUT_JSON_DEPTH_MAX = 64, /* of objects and arrays in each other */
    INPUT_JSON_PADDING = 64,   /* bytes behind the text that are zero */
};

enum input_json_kind {
    INPUT_JSON_NULL,
    INPUT_JSON_FALSE,
    INPUT_JSON_TRUE,
    INPUT_JSON_INTEGER, /* of 64 bits */
    INPUT_JSON_REAL,
    INPUT_JSON_STRING,
    INPUT_JSON_ARRAY,
    INPUT_JSON_OBJECT,
};

/* The names of an object in their order: the last of them, and those before it. */
struct input_json_shape;
struct input_json_learned;

/* Values lie one behind the other: an array before its items, an object before its
 * members, of each its name before its value; behind them, as 32 bits each, where the
 * members are. */
struct input_json {
    const char *at; /* in the text that was read */
    union {
        const char *text;               /* of a string, of a number */
        struct input_json_shape *shape; /* of an object */
    };
    uint32_t len; /* of the text; items of an array, members of an object */
    /* span: values, itself and names included; of a name its hash.
     * rough: of a string: `text` is where it will be when its escapes are undone. */
    uint32_t kind : 3, rough : 1, span : 28;
};

/* What is kept from one value to the next. A zeroed tree is ready; input_json_free()
 * gives its memory back. */
struct input_json_tree {
    const char *wrong; /* NULL: nothing is; else where, and then why is filled */
    char why[120];
    bool narrow; /* 16 bytes at once, also where the processor has more: for tests */

    /* Private: */
    LIST(struct input_json) values;
    LIST(uint32_t) members; /* of the objects that are open: how far behind them */
    LIST(const struct input_json *) many; /* names of an object with many */
    struct buf undone, copy;
    struct input_json_learned *learned;
};

enum input_json_end {
    INPUT_JSON_DONE,
    INPUT_JSON_CUT,   /* the text ends within the value */
    INPUT_JSON_WRONG, /* it is no json, a key comes twice, or a number is too large */
};

/* The value that begins at *at, which is no blank. *at is then behind it. Bytes behind
 * `end` are zero, INPUT_JSON_PADDING of them. What the tree held is gone. */
enum input_json_end input_json_read(struct input_json_tree *tree, const char **at,
                                    const char *end) MUST_USE;

/* All of a text, which may stand anywhere; NULL: it is not one value. */
const struct input_json *input_json_parse(struct input_json_tree *tree,
                                          struct str text) MUST_USE;

const struct input_json *input_json_root(const struct input_json_tree *tree);
void input_json_free(struct input_json_tree *tree);

/* --- values; NULL is a value that is not there --- */

const char *input_json_called(const struct input_json *value); /* "an object", "true" */

static inline bool input_json_is(const struct input_json *value,
                                 enum input_json_kind kind)
{
    return value != NULL && value->kind == kind;
}

static inline bool input_json_is_boolean(const struct input_json *value)
{
    return input_json_is(value, INPUT_JSON_TRUE) ||
           input_json_is(value, INPUT_JSON_FALSE);
}

static inline bool input_json_is_number(const struct input_json *value)
{
    return input_json_is(value, INPUT_JSON_INTEGER) ||
           input_json_is(value, INPUT_JSON_REAL);
}

struct str input_json_undo(const struct input_json *value); /* private */

/* Of a string; empty for anything else. */
static inline struct str input_json_text(const struct input_json *value)
{
    return !input_json_is(value, INPUT_JSON_STRING) ? (struct str){0}
           : value->rough                           ? input_json_undo(value)
                          : (struct str){value->text, value->len};
}

int64_t input_json_integer(const struct input_json *value); /* 0: it is not one */
double input_json_number(const struct input_json *value);   /* whole or not; 0: none */

/* How many items an array has; 0 for anything else. */
static inline size_t input_json_count(const struct input_json *value)
{
    return input_json_is(value, INPUT_JSON_ARRAY) ? value->len : 0;
}

/* One item after the other; NULL behind the last. And the items of no array: none. */
static inline const struct input_json *input_json_first(const struct input_json *array)
{
    return input_json_count(array) > 0 ? array + 1 : NULL;
}

static inline const struct input_json *input_json_next(const struct input_json *array,
                                                       const struct input_json *item)
{
    const struct input_json *next = item + item->span;

    return next < array + array->span ? next : NULL;
}

#define INPUT_JSON_EACH(item, array) \
    for (const struct input_json *item = input_json_first(array); (item) != NULL; \
         (item) = input_json_next((array), (item)))

/* The same of an object's names, each of which has its value behind it. */
#define INPUT_JSON_EACH_NAME(name, object) \
    for (const struct input_json *name = (object) + 1; \
         (name) < (object) + input_json_extent(object); (name) += 1 + (name)[1].span)

/* Private: of an object, with its members but not what says where they are. */
static inline size_t input_json_extent(const struct input_json *object)
{
    const size_t each = sizeof *object / sizeof(uint32_t);

    return object->span - (object->len + each - 1) / each;
}

/* The value of a member; NULL: there is none, or no object. */
const struct input_json *input_json_member(const struct input_json *object,
                                           struct str name);

static inline const struct input_json *input_json_get(const struct input_json *object,
                                                      const char *name)
{
    return input_json_member(object, (struct str){name, strlen(name)});
}

/* The same of a name that stays where it is, such as a literal: a tree remembers it by
 * its address. */
const struct input_json *input_json_fixed(const struct input_json *object,
                                          const char *name);

#endif
