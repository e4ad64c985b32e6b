/* assay keywords: the words that mark each class, for people to pick from. */
#include "learn/keywords.h"

#include <string.h>

#include "base/file.h"
#include "cmd/cmd.h"
#include "cmd/labelled.h"
#include "cmd/opening.h"
#include "run/classifying.h"
#include "run/labelling.h"
#include "run/texts.h"
#include "text/words.h"

struct keywords_args {
    struct cmd_opening_args opening;
    const char *from, *text, *label, *id, *separator, *by, *labels;
    int64_t top, level;
};

static const struct cmd_operand operands[] = {
    {"STUDY", offsetof(struct cmd_opening_args, study),
     "a study whose labels are taken: its file, or the folder that holds study.yaml",
     false},
    {0}};

static const struct cmd_option options[] = {
    {"--labels", CMD_TEXT, offsetof(struct keywords_args, labels), "NAME",
     .help =
         "of a study: which of its labels, by the name of the labelling (with its "
         "dimension: NAME.DIMENSION) or under `labels`; may be left out when there is "
         "nothing to choose"},
    {"--level", CMD_INT, offsetof(struct keywords_args, level), "N",
     .help = "of a study: the level of the codebook's tree; 0 is as labelled",
     .highest = 100, .fallback = "0"},
    {"--data", CMD_TEXT, offsetof(struct keywords_args, from), "FILE",
     .help = "without a study: csv of labelled posts"},
    {"--text", CMD_TEXT, offsetof(struct keywords_args, text), "COLUMNS",
     .help = "the columns to read, by commas; of a study among title, prose, code and "
             "tags, without it title and prose"},
    {"--label", CMD_TEXT, offsetof(struct keywords_args, label), "COLUMN",
     .help = "the column of labels in the csv"},
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

/* Labelled posts, wherever they come from. */
struct keywords_posts {
    struct learn_parts *posts;
    struct learn_membership truth;
    const struct str *classes;
    size_t class_count;
};

static void add_class(const struct learn_examples *examples, struct str class,
                      const struct learn_keywords_word *words, size_t count,
                      struct buf *out)
{
    struct buf word = {0};

    for (size_t i = 0; i < count; i++) {
        buf_clear(&word);
        text_words_show(learn_features_name(&examples->table, words[i].feature), &word);
        buf_add_csv(out, class);
        buf_add_char(out, ',');
        buf_add_csv(out, buf_str(&word));
        buf_add_format(out, ",%.0f,%.0f,%.4f,%.2f\n", words[i].count, words[i].posts,
                       words[i].log_odds, words[i].z);
    }
    buf_free(&word);
}

static bool read_csv(struct cmd_session *session, const struct keywords_args *args,
                     struct keywords_posts *out, struct err *err)
{
    struct cmd_labelled_options options_of = {
        .path = args->from,
        .text = args->text,
        .columns = {[CMD_POSTS_ID] = args->id, [CMD_POSTS_LABEL] = args->label},
        .separator = args->separator};
    struct cmd_labelled posts;

    if (args->from == NULL || args->text == NULL || args->label == NULL)
        return err_set(err, ERR_USAGE,
                       "expected a study, or --data FILE with --text and --label");
    if (args->labels != NULL || args->level > 0)
        return err_set(err, ERR_USAGE, "%s is of a study; a csv has --label COLUMN",
                       args->labels != NULL ? "--labels" : "--level");
    if (args->separator != NULL && strlen(args->separator) != 1)
        return err_set(err, ERR_USAGE, "--separator is '%s', expected one character",
                       args->separator);
    if (!cmd_labelled_read(&options_of, 1, &session->arena, &posts, err))
        return false;
    *out = (struct keywords_posts){posts.posts, posts.truth, posts.classes.names,
                                   posts.classes.count};
    return true;
}

/* Which labels of the study are meant: those that people gave, not what was predicted
 * from them. */
static bool find_labels(const struct study *study, const char *name, struct arena *arena,
                        size_t *found, struct err *err)
{
    size_t count = 0;
    struct buf list = {0};

    *found = STUDY_NONE;
    for (size_t i = 0; i < study->all_label_count; i++) {
        const struct study_labels *labels = &study->labels[i];
        struct str full = arena_format(arena, "%.*s%s%.*s", STR_ARG(labels->name),
                                       labels->dimension.len > 0 ? "." : "",
                                       STR_ARG(labels->dimension));
        if (labels->classifier != STUDY_NONE || labels->topics != STUDY_NONE)
            continue;
        buf_add_format(&list, "%s%.*s", count++ > 0 ? ", " : "", STR_ARG(full));
        if (*found == STUDY_NONE &&
            (name == NULL || str_eq(labels->name, str_from(name)) ||
             str_eq(full, str_from(name))))
            *found = i;
    }
    if (count == 0)
        err_record(err, ERR_INPUT,
                   "%s: the study has no labels; those of a labelling are there when a "
                   "group or a classifier takes them",
                   study->path);
    else if (name == NULL && count > 1)
        err_record(err, ERR_USAGE, "expected --labels NAME: one of %.*s",
                   STR_ARG(buf_str(&list)));
    else if (*found == STUDY_NONE)
        err_record(err, ERR_USAGE, "the study has no labels '%s', but %.*s", name,
                   STR_ARG(buf_str(&list)));
    buf_free(&list);
    return err->kind == ERR_NONE;
}

static bool find_parts(const char *text, struct arena *arena, unsigned *out,
                       struct err *err)
{
    struct str rest = text != NULL ? str_from(text) : STR("title,prose"), name;
    size_t count = 0;
    struct str *names = arena_array(arena, struct str, rest.len + 1);

    for (bool more = true; more;) {
        more = str_cut(&rest, ',', &name);
        names[count++] = str_trim(name);
        if (run_texts_parts(&names[count - 1], 1, 0) == 0)
            return err_set(err, ERR_USAGE,
                           "--text: found '%.*s', expected title, prose, code or tags",
                           STR_ARG(names[count - 1]));
    }
    *out = run_texts_parts(names, count, 0);
    return true;
}

/* Codes that were accepted while labelling stand in what the labelling has left. */
static bool load_labels(const struct study *study, size_t number,
                        const struct measure_frame *frame, struct measure_labels *out,
                        struct err *err)
{
    const struct study_labels *labels = &study->labels[number];
    struct study_codebook codebook;

    if (labels->labelling != STUDY_NONE &&
        !run_labelling_codebook(study, &study->labellings[labels->labelling],
                                frame->arena, &codebook, err))
        return false;
    return measure_labels_load(labels, labels->labelling != STUDY_NONE ? &codebook : NULL,
                               frame, out, err);
}

static bool read_items(const struct study *study, const struct keywords_args *args,
                       struct store *corpus, struct arena *arena,
                       struct keywords_posts *out, struct err *err)
{
    struct measure_frame frame;
    struct measure_labels labels;
    size_t number;
    unsigned parts;

    if (!find_labels(study, args->labels, arena, &number, err) ||
        !find_parts(args->text, arena, &parts, err) ||
        !measure_frame_load(corpus, NULL, 0, study, arena, &frame, err) ||
        !load_labels(study, number, &frame, &labels, err))
        return false;
    struct run_classifying_labelled of =
        run_classifying_labelled_list(&labels, (int)args->level, NULL, arena);
    int64_t *ids = arena_array(arena, int64_t, of.item_count + 1);
    for (size_t i = 0; i < of.item_count; i++)
        ids[i] = measure_column_at(frame.ids, of.items[i]);
    *out =
        (struct keywords_posts){arena_array(arena, struct learn_parts, of.item_count + 1),
                                of.truth, of.ids, of.class_count};
    if (of.item_count == 0)
        return err_set(err, ERR_INPUT, "%s: no item has a label of '%.*s' yet",
                       study->path, STR_ARG(study->labels[number].name));
    return run_texts_read(corpus, ids, of.item_count, parts, arena, out->posts, err);
}

/* The study is brought up to date: labels are final labels, and texts those of its
 * corpus. */
static bool read_study(struct cmd_session *session, const struct keywords_args *args,
                       struct keywords_posts *out, struct err *err)
{
    struct cmd_opening_run opened = {.lock = {-1}};
    struct store *corpus = NULL;

    if (args->from != NULL || args->label != NULL || args->id != NULL ||
        args->separator != NULL)
        return err_set(err, ERR_USAGE, "%s is of a csv; a study has --labels NAME",
                       args->from != NULL    ? "--data"
                       : args->label != NULL ? "--label"
                       : args->id != NULL    ? "--id"
                                             : "--separator");
    bool ok =
        cmd_opening_run(session, &args->opening, "assay keywords", NULL, &opened, err);
    lock_release(&opened.lock);
    ok = ok &&
         store_open(file_join(opened.study.home, "corpus.db", &session->arena),
                    opened.study.servers, &corpus, err) &&
         read_items(&opened.study, args, corpus, &session->arena, out, err);
    store_close(corpus);
    return ok;
}

static bool run(struct cmd_session *session, const void *arguments, struct err *err)
{
    const struct keywords_args *args = arguments;
    enum learn_keywords_order order =
        strcmp(args->by, "z") == 0 ? LEARN_KEYWORDS_BY_Z : LEARN_KEYWORDS_BY_COUNT;
    struct keywords_posts posts;
    struct learn_examples examples;
    struct buf out = {0};

    if (!(args->opening.study != NULL ? read_study : read_csv)(session, args, &posts,
                                                               err))
        return false;
    learn_examples_make(
        &(struct learn_posts){.parts = posts.posts, .truth = posts.truth},
        (struct learn_features_options){
            .kinds = 1u << LEARN_FEATURES_WORD, .no_stop_words = true, .one_part = true},
        &session->arena, &examples);
    struct learn_keywords_word *words =
        arena_array(&session->arena, struct learn_keywords_word, (size_t)args->top);
    buf_add(&out, STR("class,word,count,posts,log_odds,z\n"));
    for (size_t k = 0; k < posts.class_count; k++) {
        size_t count = learn_keywords_of(&examples, k, order, (size_t)args->top, words,
                                         &session->arena);
        add_class(&examples, posts.classes[k], words, count, &out);
    }
    cmd_print(&out);
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
