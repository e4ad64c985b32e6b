/* The rows of tables as posts; rows of one id are put together. */
#include "cmd/labelled.h"

#include <stdlib.h>

#include "base/list.h"
#include "base/map.h"
#include "text/words.h"

struct labelled_post {
    struct learn_parts parts;
    struct str id;
    size_t stratum;
    bool chosen;
};

/* A post has a class, by its number in order of appearance. */
struct labelled_pair {
    size_t post, class;
};

/* One file while it is read. */
struct labelled_reading {
    const struct cmd_labelled_options *options;
    struct arena *arena;
    struct learn_parts_splitter splitter;
    struct map by_id;  /* id: post + 1 */
    struct map strata; /* name: number */
    struct map *names; /* class name: number in order of appearance */
    LIST(struct labelled_post) posts;
    LIST(struct labelled_pair) pairs;
    struct cmd_labelled *out;
};

/* "no", "0" and "false" say that a post was drawn at random, as nothing does. */
static bool is_chosen(struct str value)
{
    return value.len > 0 && !str_eq(value, STR("0")) && !str_eq(value, STR("no")) &&
           !str_eq(value, STR("false"));
}

static void add_post(struct labelled_reading *reading, const struct cmd_posts_row *row,
                     struct str id)
{
    struct labelled_post post = {.parts = row->parts, .id = id};

    learn_parts_complete(row->body, &reading->splitter, &post.parts);
    for (size_t i = 0; i < LEARN_PARTS_COUNT; i++)
        post.parts.at[i] = arena_copy(reading->arena, post.parts.at[i]);
    post.stratum = map_number(&reading->strata, row->values[CMD_POSTS_STRATUM]);
    reading->out->without_text += learn_parts_empty(&post.parts);
    list_add(&reading->posts, post);
}

static struct str stratum_name(const struct map *strata, size_t number)
{
    size_t e = 0;

    while (strata->entries[e].key.ptr == NULL ||
           strata->entries[e].value != (int64_t)number)
        e++;
    return strata->entries[e].key;
}

/* The post of the row: a new one, or that of an earlier row with the same id. */
static bool find_post(struct labelled_reading *reading, const struct cmd_posts_row *row,
                      size_t *out, struct err *err)
{
    struct str id = arena_copy(reading->arena, row->values[CMD_POSTS_ID]);
    struct str stratum = row->values[CMD_POSTS_STRATUM];
    bool known = reading->options->columns[CMD_POSTS_ID] != NULL;

    *out = known ? map_number(&reading->by_id, id) : reading->posts.count;
    if (*out == reading->posts.count)
        add_post(reading, row, id);
    struct labelled_post *post = &reading->posts.at[*out];
    post->chosen = post->chosen || is_chosen(row->values[CMD_POSTS_CHOSEN]);
    if (map_number(&reading->strata, stratum) == post->stratum)
        return true;
    return err_set(err, ERR_INPUT,
                   "%s: '%.*s' has '%.*s' and '%.*s' in the column '%s', expected one "
                   "value for each post",
                   reading->options->path, STR_ARG(id),
                   STR_ARG(stratum_name(&reading->strata, post->stratum)),
                   STR_ARG(stratum), reading->options->columns[CMD_POSTS_STRATUM]);
}

static void add_label(struct labelled_reading *reading, struct str label, size_t post)
{
    label = str_trim(label);
    if (label.len > 0)
        list_add(&reading->pairs,
                 ((struct labelled_pair){post, map_number(reading->names, label)}));
}

static bool take_row(void *context, const struct cmd_posts_row *row, struct err *err)
{
    struct labelled_reading *reading = context;
    const struct cmd_labelled_options *options = reading->options;
    struct str rest = row->values[CMD_POSTS_LABEL], label = rest;
    size_t post;

    if (options->columns[CMD_POSTS_LABEL] != NULL && rest.len == 0) {
        reading->out->without_label++;
        return true;
    }
    if (!find_post(reading, row, &post, err))
        return false;
    for (bool more = true; more;) {
        more =
            options->separator != NULL && str_cut(&rest, options->separator[0], &label);
        add_label(reading, label, post);
    }
    return true;
}

static bool read_file(struct labelled_reading *reading, struct err *err)
{
    const struct cmd_labelled_options *options = reading->options;
    struct cmd_posts posts = {.path = options->path,
                              .text = options->text,
                              .take = take_row,
                              .context = reading};

    memcpy(posts.columns, options->columns, sizeof posts.columns);
    if (!cmd_posts_read(&posts, err))
        return false;
    reading->out->rows = posts.rows;
    reading->out->repaired = posts.repaired;
    return reading->posts.count > 0 ||
           err_set(err, ERR_INPUT, "%s: there are no %s", options->path,
                   options->columns[CMD_POSTS_LABEL] == NULL ? "rows"
                                                             : "rows with a label");
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
            ok = err_set(err, ERR_INPUT,
                         "%s: the labels '%.*s' and '%.*s' differ only in case, blanks "
                         "or punctuation; make them one",
                         path, STR_ARG(classes->names[*first - 1]),
                         STR_ARG(classes->names[i]));
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
        to[*map_get(names, classes->names[k])] = k;
    return to;
}

static void finish(struct labelled_reading *reading,
                   const struct cmd_labelled_classes *classes, bool several,
                   const size_t *renumbered)
{
    struct cmd_labelled *out = reading->out;
    struct arena *arena = reading->arena;
    size_t count = reading->posts.count;

    out->count = count;
    out->posts = arena_array(arena, struct learn_parts, count + 1);
    out->ids = arena_array(arena, struct str, count + 1);
    out->chosen = arena_array(arena, uint8_t, count + 1);
    out->stratum = arena_array(arena, size_t, count + 1);
    for (size_t i = 0; i < count; i++) {
        const struct labelled_post *post = &reading->posts.at[i];
        out->posts[i] = post->parts;
        out->ids[i] = post->id;
        out->chosen[i] = post->chosen;
        out->stratum[i] = post->stratum;
    }
    out->strata = reading->strata.count;
    out->classes = *classes;
    out->truth = learn_membership_new(count, classes->count, several, arena);
    for (size_t i = 0; i < reading->pairs.count; i++) {
        struct labelled_pair pair = reading->pairs.at[i];
        out->truth.is[pair.post * classes->count + renumbered[pair.class]] = 1;
    }
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
                                                .strata = {.arena = arena},
                                                .names = &names,
                                                .out = out + i};
        ok = read_file(readings + i, err);
        /* More labels than posts: some post has several. */
        several = several || files[i].separator != NULL ||
                  readings[i].pairs.count > readings[i].posts.count;
    }
    struct cmd_labelled_classes classes = sorted_classes(&names, arena);
    ok = ok && check_spelling(&classes, files[0].path, arena, err);
    const size_t *renumbered = renumbering(&names, &classes, arena);
    for (size_t i = 0; i < count; i++) {
        if (ok)
            finish(readings + i, &classes, several, renumbered);
        learn_parts_splitter_free(&readings[i].splitter);
        list_free(&readings[i].posts);
        list_free(&readings[i].pairs);
    }
    return ok;
}
