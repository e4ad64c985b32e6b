/* The rows of tables as posts; rows of one id are put together. */
#include "cmd/labelled.h"

#include <stdlib.h>

#include "cmd/fields.h"
#include "text/words.h"

/* One file while it is read. */
struct labelled_reading {
    const struct cmd_labelled_options *options;
    struct arena *arena;
    struct cmd_labelled_columns columns;
    struct learn_parts_splitter splitter;
    struct buf body;
    struct map by_id;  /* id: post + 1 */
    struct map *names; /* class name: number in order of appearance + 1 */
    struct buf posts;  /* struct learn_parts */
    struct buf ids;    /* struct str */
    struct buf pairs;  /* struct labelled_pair */
    struct cmd_labelled *out;
};

/* A post has a class, by its number in order of appearance. */
struct labelled_pair {
    size_t post, class;
};

#define APPEND(buf, value) \
    buf_add((buf), (struct str){(const char *)&(value), sizeof(value)})

static int role_of(struct str column)
{
    if (str_eq(column, STR("title")))
        return LEARN_PARTS_TITLE;
    if (str_eq(column, STR("tags")))
        return LEARN_PARTS_TAGS;
    if (str_eq(column, STR("code")))
        return LEARN_PARTS_CODE;
    return CMD_LABELLED_BODY;
}

/* What is to be predicted must not be read, and nothing twice. */
static bool check_column(const struct cmd_labelled_columns *columns, struct str column,
                         const char *label, struct err *err)
{
    if (label != NULL && str_eq(column, str_from(label)))
        return err_set(err, ERR_USAGE,
                       "--text has '%.*s', which is the column of labels: nothing would "
                       "be left to learn",
                       STR_ARG(column));
    for (size_t i = 0; i < columns->text_count; i++)
        if (str_eq(columns->names[i], column))
            return err_set(err, ERR_USAGE, "--text has '%.*s' twice", STR_ARG(column));
    return true;
}

bool cmd_labelled_columns(const char *text, const char *label, const char *id,
                          struct cmd_labelled_columns *out, struct err *err)
{
    struct str rest = str_from(text), column;

    *out = (struct cmd_labelled_columns){.label = SIZE_MAX, .id = SIZE_MAX};
    for (bool more = true; more;) {
        more = str_cut(&rest, ',', &column);
        column = str_trim(column);
        if (out->text_count == CMD_LABELLED_TEXT_MAX)
            return err_set(err, ERR_USAGE, "--text has more than %d columns",
                           CMD_LABELLED_TEXT_MAX);
        if (!check_column(out, column, label, err))
            return false;
        out->role[out->text_count] = role_of(column);
        out->names[out->text_count++] = column;
    }
    out->count = out->text_count;
    if (label != NULL) {
        out->label = out->count;
        out->names[out->count++] = str_from(label);
    }
    if (id != NULL) {
        out->id = out->count;
        out->names[out->count++] = str_from(id);
    }
    return true;
}

void cmd_labelled_post(const struct cmd_labelled_columns *columns,
                       const struct str *values, struct buf *body,
                       struct learn_parts *parts)
{
    *parts = (struct learn_parts){0};
    buf_clear(body);
    for (size_t i = 0; i < columns->text_count; i++)
        if (columns->role[i] == CMD_LABELLED_BODY) {
            buf_add(body, values[i]);
            buf_add_char(body, '\n');
        } else {
            parts->at[columns->role[i]] = values[i];
        }
}

static struct learn_parts parts_of(struct labelled_reading *reading,
                                   const struct str *values)
{
    struct learn_parts parts;

    cmd_labelled_post(&reading->columns, values, &reading->body, &parts);
    learn_parts_complete(buf_str(&reading->body), &reading->splitter, &parts);
    for (size_t i = 0; i < LEARN_PARTS_COUNT; i++)
        parts.at[i] = arena_copy(reading->arena, parts.at[i]);
    return parts;
}

static bool is_empty(const struct learn_parts *parts)
{
    for (size_t i = 0; i < LEARN_PARTS_COUNT; i++)
        if (str_trim(parts->at[i]).len > 0)
            return false;
    return true;
}

/* The post of the row: a new one, or that of an earlier row with the same id. */
static size_t post_of(struct labelled_reading *reading, const struct str *values)
{
    struct cmd_labelled *out = reading->out;
    size_t number = reading->posts.len / sizeof(struct learn_parts);
    struct str id = {0};

    if (reading->columns.id != SIZE_MAX) {
        id = arena_copy(reading->arena, str_trim(values[reading->columns.id]));
        int64_t *known = map_put(&reading->by_id, id);
        if (*known > 0)
            return (size_t)*known - 1;
        *known = (int64_t)number + 1;
    } else {
        struct buf text = {0};
        buf_add_int(&text, out->rows);
        id = arena_copy(reading->arena, buf_str(&text));
        buf_free(&text);
    }
    struct learn_parts parts = parts_of(reading, values);
    out->without_text += is_empty(&parts);
    APPEND(&reading->posts, parts);
    APPEND(&reading->ids, id);
    return number;
}

static void add_label(struct labelled_reading *reading, struct str label, size_t post)
{
    label = str_trim(label);
    if (label.len == 0)
        return;
    int64_t *class = map_put(reading->names, label);
    if (*class == 0)
        *class = (int64_t)reading->names->count;
    struct labelled_pair pair = {post, (size_t) * class - 1};
    APPEND(&reading->pairs, pair);
}

static bool take_row(void *context, const struct str *values, struct err *err)
{
    struct labelled_reading *reading = context;
    const struct cmd_labelled_options *options = reading->options;
    struct str rest, label;

    (void)err;
    reading->out->rows++;
    if (options->label == NULL) {
        post_of(reading, values);
        return true;
    }
    rest = str_trim(values[reading->columns.label]);
    if (rest.len == 0) {
        reading->out->without_label++;
        return true;
    }
    size_t post = post_of(reading, values);
    if (options->separator == NULL) {
        add_label(reading, rest, post);
        return true;
    }
    for (bool more = true; more;) {
        more = str_cut(&rest, options->separator[0], &label);
        add_label(reading, label, post);
    }
    return true;
}

static bool read_file(struct labelled_reading *reading, struct err *err)
{
    const struct cmd_labelled_options *options = reading->options;
    struct cmd_labelled *out = reading->out;

    if (!cmd_labelled_columns(options->text, options->label, options->id,
                              &reading->columns, err))
        return false;
    struct cmd_fields fields = {.path = options->path,
                                .names = reading->columns.names,
                                .count = reading->columns.count,
                                .take = take_row,
                                .context = reading};
    if (!cmd_fields_read(&fields, err))
        return false;
    out->repaired = fields.repaired;
    return reading->posts.len > 0 ||
           err_set(err, ERR_INPUT, "%s: there are no %s", options->path,
                   options->label == NULL ? "rows" : "rows with a label");
}

static int by_name(const void *left, const void *right)
{
    return str_compare(*(const struct str *)left, *(const struct str *)right);
}

/* "Bug" and "bug " are one label spelt twice, not two. */
static bool check_spelling(const struct cmd_labelled_classes *classes, const char *path,
                           struct arena *arena, struct err *err)
{
    struct map seen = {.arena = arena};
    struct buf lower = {0};
    bool ok = true;

    for (size_t i = 0; i < classes->count && ok; i++) {
        buf_clear(&lower);
        struct text_words_reader reader =
            text_words_open(classes->names[i], TEXT_WORDS_CODE, &lower);
        struct buf key = {0};
        struct str word;
        while (text_words_next(&reader, &word)) {
            buf_add(&key, word);
            buf_add_char(&key, ' ');
        }
        /* Labels of punctuation alone are compared as they are. */
        int64_t *first = map_put(&seen, key.len > 0 ? buf_str(&key) : classes->names[i]);
        if (*first > 0)
            ok = err_set(
                err, ERR_INPUT,
                "%s: the labels '%.*s' and '%.*s' differ only in case, blanks or "
                "punctuation; make them one",
                path, STR_ARG(classes->names[*first - 1]), STR_ARG(classes->names[i]));
        else
            *first = (int64_t)i + 1;
        buf_free(&key);
    }
    buf_free(&lower);
    return ok;
}

static struct cmd_labelled_classes sorted_classes(const struct map *names,
                                                  struct arena *arena)
{
    struct cmd_labelled_classes classes = {
        arena_array(arena, struct str, names->count + 1), 0};

    for (size_t i = 0; i < names->capacity; i++)
        if (names->entries[i].key.ptr != NULL)
            classes.names[classes.count++] = names->entries[i].key;
    qsort(classes.names, classes.count, sizeof *classes.names, by_name);
    return classes;
}

/* From numbers in order of appearance to those in order of the alphabet. */
static size_t *renumbering(const struct map *names,
                           const struct cmd_labelled_classes *classes,
                           struct arena *arena)
{
    size_t *to = arena_array(arena, size_t, classes->count + 1);

    for (size_t k = 0; k < classes->count; k++)
        to[*map_get(names, classes->names[k]) - 1] = k;
    return to;
}

static void finish(struct labelled_reading *reading,
                   const struct cmd_labelled_classes *classes, bool several,
                   const size_t *renumbered)
{
    struct cmd_labelled *out = reading->out;
    const struct labelled_pair *pairs =
        (const struct labelled_pair *)(const void *)reading->pairs.ptr;
    struct arena *arena = reading->arena;

    out->count = reading->posts.len / sizeof(struct learn_parts);
    out->posts = arena_array(arena, struct learn_parts, out->count + 1);
    out->ids = arena_array(arena, struct str, out->count + 1);
    memcpy(out->posts, reading->posts.ptr, reading->posts.len);
    memcpy(out->ids, reading->ids.ptr, reading->ids.len);
    out->classes = *classes;
    out->truth = learn_membership_new(out->count, classes->count, several, arena);
    for (size_t i = 0; i < reading->pairs.len / sizeof *pairs; i++)
        out->truth.is[pairs[i].post * classes->count + renumbered[pairs[i].class]] = 1;
}

/* More labels than posts: some post has several. */
static bool has_several(const struct labelled_reading *reading)
{
    return reading->options->separator != NULL ||
           reading->pairs.len / sizeof(struct labelled_pair) >
               reading->posts.len / sizeof(struct learn_parts);
}

bool cmd_labelled_read(const struct cmd_labelled_options *files, size_t count,
                       struct arena *arena, struct cmd_labelled *out, struct err *err)
{
    struct map names = {.arena = arena};
    struct labelled_reading *readings =
        arena_array(arena, struct labelled_reading, count);
    bool ok = true, several = false;

    for (size_t i = 0; i < count && ok; i++) {
        out[i] = (struct cmd_labelled){0};
        readings[i] = (struct labelled_reading){.options = files + i,
                                                .arena = arena,
                                                .by_id = {.arena = arena},
                                                .names = &names,
                                                .out = out + i};
        ok = read_file(readings + i, err);
        several = several || has_several(readings + i);
    }
    struct cmd_labelled_classes classes = sorted_classes(&names, arena);
    ok = ok && check_spelling(&classes, files[0].path, arena, err);
    const size_t *renumbered = renumbering(&names, &classes, arena);
    for (size_t i = 0; i < count; i++) {
        if (ok)
            finish(readings + i, &classes, several, renumbered);
        learn_parts_splitter_free(&readings[i].splitter);
        buf_free(&readings[i].body);
        buf_free(&readings[i].posts);
        buf_free(&readings[i].ids);
        buf_free(&readings[i].pairs);
    }
    return ok;
}
