/* Words that a reader may want to find in posts: those by which the task's sets chose
 * them, and those of the study's lists of keywords. */
#include "base/file.h"
#include "input/csv.h"
#include "label/internal.h"

enum { KEYWORDS_BYTES_MAX = 1 << 20, WORDS_MAX = 1000 };

struct word_list {
    struct arena *arena;
    LIST(struct label_word) list;
    size_t column; /* of a file of keywords */
};

static void add_word(struct word_list *words, struct str text, enum query_match match)
{
    text = str_trim(text);
    for (size_t i = 0; i < words->list.count; i++)
        if (str_eq(words->list.at[i].text, text) && words->list.at[i].match == match)
            return;
    if (text.len > 0 && words->list.count < WORDS_MAX)
        list_add(&words->list,
                 ((struct label_word){arena_copy(words->arena, text), match}));
}

/* What is asked for; what is ruled out is in no post. */
static void add_query(struct word_list *words, const struct query_node *node)
{
    if (node == NULL || node->kind == QUERY_NOT)
        return;
    if (node->kind == QUERY_TEXT && node->match != QUERY_REGEX)
        add_word(words, node->text, node->match);
    for (const struct query_node *child = node->first; child != NULL; child = child->next)
        add_query(words, child);
}

static void add_set(struct word_list *words, const struct study *study, struct str name)
{
    size_t sample = study_find_sample(study, name);
    size_t set =
        study_find_set(study, sample != STUDY_NONE ? study->samples[sample].of : name);

    if (set != STUDY_NONE)
        add_query(words, study->sets[set].written);
}

static bool take_head(void *context, const struct input_csv_row *head, struct err *err)
{
    return input_csv_rows_need(head, STR("word"), &((struct word_list *)context)->column,
                               err);
}

static bool take_word(void *context, const struct input_csv_row *row, struct err *err)
{
    struct word_list *words = context;

    (void)err;
    add_word(words, row->fields[words->column], QUERY_PREFIX);
    return true;
}

/* A list that cannot be read is told of by `assay run`; nobody is kept from labelling. */
static void add_keywords(struct word_list *words, const char *path)
{
    struct input_csv_rows to = {take_head, take_word, words};
    struct arena scratch = {0};
    struct err ignored = {0};
    struct str text;

    bool read = file_read_max(path, KEYWORDS_BYTES_MAX, &scratch, &text, &ignored) &&
                input_csv_rows_read(text, path, &to, &ignored);
    (void)read;
    arena_free(&scratch);
}

void label_words(const struct label *label, struct arena *arena, struct label_word **out,
                 size_t *count)
{
    struct word_list words = {.arena = arena};
    const struct study *study = label->study;

    for (size_t i = 0; i < label->settings->of_count; i++)
        add_set(&words, study, label->settings->of[i]);
    for (size_t i = 0; i < study->classifier_count; i++)
        if (study->classifiers[i].keywords != NULL)
            add_keywords(&words, study->classifiers[i].keywords);
    *count = words.list.count;
    *out = list_copy(&words.list, arena);
    list_free(&words.list);
}
