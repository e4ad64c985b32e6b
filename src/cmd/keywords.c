/* assay keywords: the words that mark each class, for people to pick from. */
#include "learn/keywords.h"

#include <string.h>

#include "cmd/cmd.h"
#include "cmd/labelled.h"

struct keywords_args {
    const char *from, *text, *label, *id, *separator, *by;
    int64_t top;
};

static const struct cmd_operand operands[] = {{0}};

static const struct cmd_option options[] = {
    {"--data", CMD_TEXT, offsetof(struct keywords_args, from), "FILE",
     .help = "csv of labelled posts", .required = true},
    {"--text", CMD_TEXT, offsetof(struct keywords_args, text), "COLUMNS",
     .help = "the columns to read, by commas", .required = true},
    {"--label", CMD_TEXT, offsetof(struct keywords_args, label), "COLUMN",
     .help = "the column of labels", .required = true},
    {"--id", CMD_TEXT, offsetof(struct keywords_args, id), "COLUMN",
     .help = "rows with the same value here are one post, which has all their labels"},
    {"--separator", CMD_TEXT, offsetof(struct keywords_args, separator), "CHAR",
     .help = "what parts several labels in one field"},
    {"--by", CMD_CHOICE, offsetof(struct keywords_args, by), "ORDER",
     .help = "most frequent first, or most telling first", .choices = "count|z",
     .fallback = "count"},
    {"--top", CMD_INT, offsetof(struct keywords_args, top), "N",
     .help = "words of each class", .lowest = 1, .highest = 1000000, .fallback = "200"},
    {0},
};

static void add_class(const struct learn_examples *examples, struct str class,
                      const struct learn_keywords_word *words, size_t count,
                      struct buf *out)
{
    for (size_t i = 0; i < count; i++) {
        buf_add_csv(out, class);
        buf_add_char(out, ',');
        buf_add_csv(out, learn_features_name(&examples->table, words[i].feature));
        buf_add_format(out, ",%.0f,%.0f,%.4f,%.2f\n", words[i].count, words[i].posts,
                       words[i].log_odds, words[i].z);
    }
}

static bool run(struct cmd_session *session, const void *arguments, struct err *err)
{
    const struct keywords_args *args = arguments;
    struct cmd_labelled_options options_of = {
        .path = args->from,
        .text = args->text,
        .columns = {[CMD_POSTS_ID] = args->id, [CMD_POSTS_LABEL] = args->label},
        .separator = args->separator};
    enum learn_keywords_order order =
        strcmp(args->by, "z") == 0 ? LEARN_KEYWORDS_BY_Z : LEARN_KEYWORDS_BY_COUNT;
    struct cmd_labelled posts;
    struct learn_examples examples;
    struct buf out = {0};

    if (args->separator != NULL && strlen(args->separator) != 1)
        return err_set(err, ERR_USAGE, "--separator is '%s', expected one character",
                       args->separator);
    if (!cmd_labelled_read(&options_of, 1, &session->arena, &posts, err))
        return false;
    learn_examples_make(
        posts.posts, posts.truth,
        (struct learn_features_options){
            .kinds = 1u << LEARN_FEATURES_WORD, .no_stop_words = true, .one_part = true},
        NULL, &session->arena, &examples);
    struct learn_keywords_word *words =
        arena_array(&session->arena, struct learn_keywords_word, (size_t)args->top);
    buf_add(&out, STR("class,word,count,posts,log_odds,z\n"));
    for (size_t k = 0; k < posts.classes.count; k++) {
        size_t count = learn_keywords_of(&examples, k, order, (size_t)args->top, words,
                                         &session->arena);
        add_class(&examples, posts.classes.names[k], words, count, &out);
    }
    cmd_print(&out);
    buf_free(&out);
    learn_examples_free(&examples);
    return true;
}

const struct cmd cmd_keywords = {
    .name = "keywords",
    .summary = "List the words that mark each class of labelled posts",
    .see_also = "assay-classify(1)",
    .operands = operands,
    .options = options,
    .run = run,
};
