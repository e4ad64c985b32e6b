/* --explain: what decided about one post, which was learned from, is in --in of a saved
 * model, or in the corpus of a study. */
#include "cmd/classify.h"

#include "base/file.h"
#include "cmd/posts.h"
#include "run/texts.h"
#include "text/words.h"

enum { REASONS = 15, ALL_PARTS = (1 << LEARN_PARTS_COUNT) - 1 };

static void add_reason(double weight, const char *what, struct buf *out)
{
    buf_add_format(out, "%+8.4f  %s", weight, what);
}

/* Runs of letters are many and each says little: they are added up for each part. */
static void add_letters(const struct cmd_classify_explained *of,
                        const struct learn_model_reason *reasons, size_t count,
                        struct buf *out)
{
    double sums[LEARN_PARTS_COUNT] = {0};

    for (size_t i = 0; i < count; i++) {
        if (reasons[i].feature == LEARN_ROWS_GIVEN)
            continue;
        const struct learn_features_entry *entry =
            learn_features_entry(of->table, reasons[i].feature);
        if (entry->kind == LEARN_FEATURES_LETTERS)
            sums[entry->part] += reasons[i].weight;
    }
    for (size_t p = 0; p < LEARN_PARTS_COUNT; p++)
        if (sums[p] != 0) {
            add_reason(sums[p], learn_parts_names[p], out);
            buf_add(out, STR(" letters, all together\n"));
        }
}

static void add_reasons(const struct cmd_classify_explained *of,
                        struct learn_rows_row counts, size_t class,
                        struct learn_model_scratch *scratch, struct arena *arena,
                        struct buf *out)
{
    size_t room = 2 * counts.count + 1, shown = 0;
    struct learn_model_reason *reasons =
        arena_array(arena, struct learn_model_reason, room);
    size_t count =
        learn_model_explain(of->model, counts, class, scratch, reasons, room, arena);

    for (size_t i = 0; i < count && shown < REASONS; i++) {
        if (reasons[i].feature == LEARN_ROWS_GIVEN) {
            add_reason(reasons[i].weight, "the post's vector\n", out);
            continue;
        }
        const struct learn_features_entry *entry =
            learn_features_entry(of->table, reasons[i].feature);
        struct str name = learn_features_name(of->table, reasons[i].feature);
        if (entry->kind == LEARN_FEATURES_LETTERS)
            continue;
        add_reason(reasons[i].weight, learn_parts_names[entry->part], out);
        buf_add_format(out, " %s '", learn_features_kinds[entry->kind]);
        text_words_show(name, out);
        buf_add_format(out, "'%s\n", reasons[i].by_vector ? " and words like it" : "");
        shown++;
    }
    add_letters(of, reasons, count, out);
    if (count == 0)
        buf_add(out, STR("no word of it was seen when learning\n"));
}

static void add_post(const struct cmd_classify_explained *of,
                     struct learn_rows_row counts, struct str id, struct str label,
                     struct arena *arena, struct buf *out)
{
    size_t classes = of->model->classes;
    double *scores = arena_array(arena, double, 2 * classes);
    struct learn_model_scratch scratch = {0};

    bool known = learn_model_knows(of->model, of->table, counts);
    learn_model_predict(of->model, counts, &scratch, scores, scores + classes);
    size_t best = learn_scorer_best(scores, classes);
    buf_add_format(out, "post %.*s: ", STR_ARG(id));
    if (known)
        buf_add_format(out, "'%.*s' with probability %.3f", STR_ARG(of->classes[best]),
                       scores[classes + best]);
    else
        buf_add(out, STR("no class"));
    if (label.len > 0)
        buf_add_format(out, " (labelled '%.*s', and learned from)", STR_ARG(label));
    if (known && of->model->member_count > 0)
        buf_add(out, STR("; the mean of several models, of which the first says:"));
    buf_add_char(out, '\n');
    if (known)
        add_reasons(of, counts, best, &scratch, arena, out);
    else
        buf_add(out, STR("the model knows no word of it\n"));
    learn_model_scratch_free(&scratch);
}

bool cmd_classify_explain_learned(struct cmd_classify_work *work,
                                  const struct learn_model *model, struct err *err)
{
    const struct cmd_labelled *learned = &work->learned;
    const struct learn_examples *examples = &work->trials[0].examples;
    struct str id = str_from(work->args->explain);
    struct cmd_classify_explained of = {model, &examples->table, learned->classes.names};
    size_t at = 0;

    while (at < learned->count && !str_eq(learned->ids[at], id))
        at++;
    if (at == learned->count)
        return err_set(err, ERR_USAGE, "--explain is '%s', which is no %s of %s",
                       work->args->explain,
                       work->args->id != NULL ? "id" : "number of a row with a label",
                       work->args->from);
    struct buf labels = {0};
    buf_add_char(&work->out, '\n'); /* behind the scores */
    for (size_t k = 0; k < learned->classes.count; k++)
        if (learn_membership_has(&learned->truth, at, k)) {
            buf_add(&labels, labels.len > 0 ? STR("', '") : STR(""));
            buf_add(&labels, learned->classes.names[k]);
        }
    add_post(&of, learn_rows_at(&examples->counts, at), id, buf_str(&labels), work->arena,
             &work->out);
    buf_free(&labels);
    return true;
}

/* A post whose features are yet to be counted. */
static void add_text(const struct learn_model_file *file, const struct learn_parts *post,
                     const float *given, struct str id, struct arena *arena,
                     struct buf *out)
{
    struct cmd_classify_explained of = {&file->model, &file->table, file->classes};
    struct learn_features_reader reader;
    struct learn_rows_builder counts = {0};

    learn_features_open(&reader, file->features, NULL, &file->table);
    struct learn_rows_row row = learn_features_read(&reader, post);
    for (size_t c = 0; c < row.count; c++)
        learn_rows_add_cell(&counts, row.cells[c].column, row.cells[c].value);
    learn_rows_add_given(&counts, given, file->given);
    add_post(&of, (struct learn_rows_row){counts.cells.at, counts.cells.count}, id,
             (struct str){0}, arena, out);
    learn_rows_builder_free(&counts);
    learn_features_close(&reader);
}

/* Looks for the post of that id in a file. */
struct search {
    struct cmd_classify_work *work;
    const struct learn_model_file *file;
    struct learn_parts_splitter splitter;
    bool found;
};

static bool take_row(void *context, const struct cmd_posts_row *row, struct err *err)
{
    struct search *search = context;
    struct str wanted = str_from(search->work->args->explain);
    struct learn_parts post = row->parts;

    (void)err;
    if (search->found || !str_eq(row->values[CMD_POSTS_ID], wanted))
        return true;
    search->found = true;
    learn_parts_complete(row->body, &search->splitter, &post);
    add_text(search->file, &post,
             search->file->given > 0 ? input_vectors_find(&search->work->given, wanted)
                                     : NULL,
             wanted, search->work->arena, &search->work->out);
    return true;
}

bool cmd_classify_explain_saved(struct cmd_classify_work *work,
                                const struct learn_model_file *file, const char *text,
                                struct err *err)
{
    const struct cmd_classify_args *args = work->args;
    struct search search = {.work = work, .file = file};
    struct cmd_posts posts = {.path = args->in,
                              .text = text,
                              .columns = {[CMD_POSTS_ID] = args->id},
                              .take = take_row,
                              .context = &search};
    bool ok = cmd_posts_read(&posts, err);

    if (ok && !search.found)
        ok =
            err_set(err, ERR_USAGE, "--explain is '%s', which is no %s of %s",
                    args->explain, args->id != NULL ? "id" : "number of a row", args->in);
    learn_parts_splitter_free(&search.splitter);
    return ok;
}

/* By one classifier of the study: its model, and the parts of a post that it looks at. */
static bool explain_item(const struct study *study,
                         const struct study_classifier *classifier, struct str id,
                         const struct learn_parts *post, struct arena *arena,
                         struct buf *out, struct err *err)
{
    unsigned parts =
        run_texts_parts(classifier->features, classifier->feature_count, ALL_PARTS);
    struct learn_parts seen = {0};
    struct learn_model_file file;
    struct str text, name = arena_format(arena, "out/classifiers/%.*s/model",
                                         STR_ARG(classifier->name));
    const char *model = file_join(study->home, name.ptr, arena);

    buf_add_format(out, "classifiers.%.*s: ", STR_ARG(classifier->name));
    if (!file_exists(model)) {
        buf_add(out, STR("too few labels yet\n"));
        return true;
    }
    if (!file_read(model, arena, &text, err) ||
        !learn_model_file_read(text, model, arena, &file, err))
        return false;
    for (size_t p = 0; p < LEARN_PARTS_COUNT; p++)
        if (parts & 1u << p)
            seen.at[p] = post->at[p];
    add_text(&file, &seen, NULL, id, arena, out);
    if (file.given > 0)
        buf_add(out, STR("its vector, which also counts, is not looked at here\n"));
    learn_model_file_free(&file);
    return true;
}

bool cmd_classify_explain_study(const struct study *study, const char *wanted,
                                struct arena *arena, struct buf *out, struct err *err)
{
    struct store *corpus = NULL;
    struct learn_parts post = {0};
    int64_t id;
    bool there = false;

    if (!item_key_read(&study->spaces, str_from(wanted), &id, err)) {
        err->kind = ERR_USAGE;
        return err_at(err, "--explain: ");
    }
    bool ok = store_open(file_join(study->home, "corpus.db", arena), study->servers,
                         &corpus, err) &&
              run_texts_read(corpus, &id, 1, ALL_PARTS, arena, &post, err);
    store_close(corpus);
    for (size_t i = 0; i < LEARN_PARTS_COUNT; i++)
        there = there || post.at[i].len > 0;
    if (ok && !there)
        return err_set(err, ERR_USAGE, "--explain is %s, which is no item of the corpus",
                       wanted);
    for (size_t i = 0; ok && i < study->classifier_count; i++)
        ok = explain_item(study, &study->classifiers[i], str_from(wanted), &post, arena,
                          out, err);
    return ok;
}
