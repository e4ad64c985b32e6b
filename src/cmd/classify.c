/* assay classify: learn from labelled posts, say how good that is, apply it. */
#include "cmd/classify.h"

#include <string.h>

#include "base/file.h"
#include "base/near.h"
#include "base/parallel.h"
#include "cmd/cmd.h"
#include "learn/apply.h"

static const struct cmd_operand operands[] = {{0}};

static const struct cmd_option options[] = {
    {"--from", CMD_TEXT, offsetof(struct classify_args, from), "FILE",
     "csv of labelled posts to learn from", false, 0, 0, NULL, NULL},
    {"--text", CMD_TEXT, offsetof(struct classify_args, text), "COLUMNS",
     "the columns to read, by commas; 'title', 'tags' and 'code' are what they say, all "
     "others are bodies in html or Markdown",
     true, 0, 0, NULL, NULL},
    {"--label", CMD_TEXT, offsetof(struct classify_args, label), "COLUMN",
     "the column of labels", false, 0, 0, NULL, NULL},
    {"--id", CMD_TEXT, offsetof(struct classify_args, id), "COLUMN",
     "rows with the same value here are one post, which has all their labels", false, 0,
     0, NULL, NULL},
    {"--separator", CMD_TEXT, offsetof(struct classify_args, separator), "CHAR",
     "what parts several labels in one field", false, 0, 0, NULL, NULL},
    {"--test", CMD_TEXT, offsetof(struct classify_args, test), "FILE",
     "csv of further labelled posts to judge on, instead of cross-validation", false, 0,
     0, NULL, NULL},
    {"--method", CMD_TEXT, offsetof(struct classify_args, method), "METHODS",
     "majority, keyword-weight, naive-bayes, complement-bayes, linear, logistic, "
     "centroid "
     "or average; several by commas are compared",
     false, 0, 0, NULL, "linear"},
    {"--features", CMD_CHOICE, offsetof(struct classify_args, features), "WHICH",
     "words and runs of letters, or words alone: several times as fast, a little less "
     "exact",
     false, 0, 0, "all|words", "all"},
    {"--keywords", CMD_TEXT, offsetof(struct classify_args, keywords), "FILE",
     "csv with the columns class and word: words picked by hand, for keyword-weight",
     false, 0, 0, NULL, NULL},
    {"--tune", CMD_CHOICE, offsetof(struct classify_args, tune), "PART",
     "the part that settings are tuned on; tuning on the test part is refused", false, 0,
     0, "train|test", "train"},
    {"--folds", CMD_INT, offsetof(struct classify_args, folds), "N",
     "folds of cross-validation", false, 2, 1000, NULL, "10"},
    {"--repeats", CMD_INT, offsetof(struct classify_args, repeats), "N",
     "how often it is repeated, with other folds", false, 1, 1000, NULL, "1"},
    {"--curve", CMD_FLAG, offsetof(struct classify_args, curve), NULL,
     "also show macro F1 with fewer labels to learn from", false, 0, 0, NULL, NULL},
    {"--explain", CMD_INT, offsetof(struct classify_args, explain), "ROW",
     "show what decides about this post of --from, counted from 1", false, 1, INT64_MAX,
     NULL, NULL},
    {"--save", CMD_TEXT, offsetof(struct classify_args, save), "FILE",
     "write the model, learned from all labelled posts, to this file", false, 0, 0, NULL,
     NULL},
    {"--model", CMD_TEXT, offsetof(struct classify_args, model), "FILE",
     "apply this saved model to --in instead of learning", false, 0, 0, NULL, NULL},
    {"--in", CMD_TEXT, offsetof(struct classify_args, in), "FILE",
     "csv of posts: with --model print their classes, else the share of each class",
     false, 0, 0, NULL, NULL},
    {"--seed", CMD_INT, offsetof(struct classify_args, seed), "N",
     "where random numbers begin", false, 0, INT64_MAX, NULL, "1"},
    {"--threads", CMD_INT, offsetof(struct classify_args, threads), "N",
     "threads; 0 is one a core, and no number changes the result", false, 0, 256, NULL,
     "0"},
    {"--json", CMD_FLAG, offsetof(struct classify_args, json), NULL, "print JSON", false,
     0, 0, NULL, NULL},
    {0},
};

enum { REASONS = 15, RESAMPLES = 1000, QUANTIFY_RESAMPLES = 500 };

static int thread_count(const struct classify_args *args)
{
    return args->threads > 0 ? (int)args->threads : parallel_cores();
}

static bool check_args(const struct classify_args *args, struct err *err)
{
    if (strcmp(args->tune, "test") == 0)
        return err_set(err, ERR_USAGE,
                       "refusing to tune on the test part: scores of posts that settings "
                       "were chosen by say nothing about new posts; leave --tune out");
    if (args->separator != NULL && strlen(args->separator) != 1)
        return err_set(err, ERR_USAGE, "--separator is '%s', expected one character",
                       args->separator);
    if (args->model != NULL && args->in == NULL)
        return err_set(err, ERR_USAGE, "--model needs --in FILE, the posts to classify");
    if (args->model != NULL && args->from != NULL)
        return err_set(err, ERR_USAGE,
                       "--model and --from exclude each other: a saved "
                       "model does not learn");
    if (args->model == NULL && (args->from == NULL || args->label == NULL))
        return err_set(err, ERR_USAGE,
                       "learning needs --from FILE and --label COLUMN; a saved model is "
                       "applied with --model FILE --in FILE");
    return true;
}

static bool find_method(struct str name, enum model_method *out, struct err *err)
{
    struct str names[MODEL_METHODS];

    for (size_t i = 0; i < MODEL_METHODS; i++) {
        names[i] = str_from(model_methods[i]);
        if (str_eq(name, names[i])) {
            *out = (enum model_method)i;
            return true;
        }
    }
    size_t near = near_find(name, names, MODEL_METHODS);
    return err_set(err, ERR_USAGE, "unknown method '%.*s'%s%s%s", STR_ARG(name),
                   near < MODEL_METHODS ? "; did you mean '" : "",
                   near < MODEL_METHODS ? model_methods[near] : "",
                   near < MODEL_METHODS ? "'?" : "");
}

static bool read_methods(struct classify_work *work, struct err *err)
{
    struct str rest = str_from(work->args->method), name;

    for (bool more = true; more;) {
        enum model_method method;
        more = str_cut(&rest, ',', &name);
        if (!find_method(str_trim(name), &method, err))
            return false;
        if (work->trial_count == MODEL_METHODS)
            return err_set(err, ERR_USAGE, "--method names a method twice");
        work->trials[work->trial_count++].settings = model_defaults(method);
    }
    return true;
}

/* Words picked by hand: a csv whose labels are the classes. */
static bool read_keywords(struct classify_work *work, struct err *err)
{
    const struct labelled_classes *classes = &work->learned.classes;
    struct labelled_options file = {work->args->keywords, "word", "class", NULL, NULL};
    struct labelled read;

    if (work->args->keywords == NULL)
        return true;
    if (!labelled_read(&file, 1, work->arena, &read, err))
        return false;
    struct model_keyword *keywords =
        arena_array(work->arena, struct model_keyword, read.count + 1);
    for (size_t i = 0; i < read.count; i++) {
        struct str class = read.classes.names[membership_class(&read.truth, i)];
        size_t k = 0;
        while (k < classes->count && !str_eq(class, classes->names[k]))
            k++;
        if (k == classes->count)
            return err_set(err, ERR_INPUT, "%s: '%.*s' is no class of %s",
                           work->args->keywords, STR_ARG(class), work->args->from);
        keywords[i] = (struct model_keyword){str_trim(read.posts[i].at[PARTS_PROSE]), k};
    }
    work->keywords = keywords;
    work->keyword_count = read.count;
    return true;
}

static bool read_posts(struct classify_work *work, struct err *err)
{
    const struct classify_args *args = work->args;
    struct labelled_options files[2] = {
        {args->from, args->text, args->label, args->id, args->separator},
        {args->test, args->text, args->label, args->id, args->separator}};
    struct labelled read[2] = {{0}, {0}};

    if (!labelled_read(files, args->test != NULL ? 2 : 1, work->arena, read, err))
        return false;
    work->learned = read[0];
    work->tested = read[1];
    size_t first = read[0].count, second = read[1].count, classes = read[0].classes.count;
    work->posts = arena_array(work->arena, struct parts, first + second);
    work->truth =
        membership_new(first + second, classes, read[0].truth.several, work->arena);
    memcpy(work->posts, read[0].posts, first * sizeof *work->posts);
    memcpy(work->truth.is, read[0].truth.is, first * classes);
    if (second > 0) {
        memcpy(work->posts + first, read[1].posts, second * sizeof *work->posts);
        memcpy(work->truth.is + first * classes, read[1].truth.is, second * classes);
    }
    return read_keywords(work, err);
}

/* Training posts that are near duplicates of a test post are not learned from. */
static void split(struct classify_work *work, const size_t *groups)
{
    size_t first = work->learned.count, all = first + work->tested.count, used = 0;
    bool *asked = arena_array(work->arena, bool, all + 1);
    size_t *train = arena_array(work->arena, size_t, first + 1);
    struct folds_items items = folds_all(all, work->arena);

    for (size_t i = first; i < all; i++)
        asked[groups[i]] = true;
    for (size_t i = 0; i < first; i++)
        if (!asked[groups[i]])
            train[used++] = i;
    work->train = (struct folds_items){train, used};
    work->test = (struct folds_items){items.at + first, work->tested.count};
    work->left_out = first - used;
}

static bool judge(struct classify_work *work, struct classify_trial *trial,
                  struct err *err)
{
    const struct classify_args *args = work->args;
    struct judge_options how = {(size_t)args->folds, (size_t)args->repeats,
                                (uint64_t)args->seed, thread_count(args)};
    struct model model;

    trial->settings.seed = (uint64_t)args->seed;
    if (strcmp(args->features, "words") == 0)
        trial->settings.features.kinds &= ~(1u << FEATURES_LETTERS);
    trial->settings.keywords = work->keywords;
    trial->settings.keyword_count = work->keyword_count;
    examples_make(work->posts, work->truth, trial->settings.features, work->arena,
                  &trial->examples);
    split(work, trial->examples.groups);
    if (work->test.count == 0) {
        if (!judge_folds(&trial->settings, &trial->examples, how, work->arena,
                         &trial->judged, err))
            return err_at(err, "%s: ", args->from);
    } else {
        if (!model_train(&trial->settings, &trial->examples, work->train, work->arena,
                         &model, err))
            return err_at(err, "%s: ", args->from);
        judge_items(&model, &trial->examples, work->test, work->arena, &trial->judged);
    }
    trial->score = score_of(&trial->judged.truth, &trial->judged.predicted, work->arena);
    trial->intervals = score_intervals(
        &trial->judged.truth, &trial->judged.predicted,
        (struct bootstrap_options){0.95, RESAMPLES, (uint64_t)args->seed}, work->arena);
    return true;
}

static bool add_curve(struct classify_work *work, struct err *err)
{
    const struct classify_args *args = work->args;
    struct judge_options how = {(size_t)args->folds, (size_t)args->repeats,
                                (uint64_t)args->seed, thread_count(args)};
    struct judge_step steps[JUDGE_STEPS];

    if (!args->curve)
        return true;
    if (!judge_curve(&work->trials[0].settings, &work->trials[0].examples, how,
                     work->arena, steps, err))
        return false;
    classify_add_curve(work, steps);
    return true;
}

/* The first method, learned from everything with a label in --from. */
static bool train_whole(struct classify_work *work, struct model *out, struct err *err)
{
    struct folds_items all = folds_all(work->learned.count, work->arena);

    return model_train(&work->trials[0].settings, &work->trials[0].examples, all,
                       work->arena, out, err);
}

static bool add_explanation(struct classify_work *work, const struct model *model,
                            struct err *err)
{
    const struct labelled *learned = &work->learned;
    const struct examples *examples = &work->trials[0].examples;
    size_t row = (size_t)work->args->explain - 1, classes = learned->classes.count;
    double *scores = arena_array(work->arena, double, 2 * classes);
    struct model_reason reasons[REASONS];
    struct model_scratch scratch = {0};

    if (row >= learned->count)
        return err_set(err, ERR_USAGE, "--explain is %lld, but there are only %zu posts",
                       (long long)work->args->explain, learned->count);
    model_predict(model, rows_at(&examples->counts, row), &scratch, scores,
                  scores + classes);
    size_t best = scorer_best(scores, classes),
           truth = membership_class(&learned->truth, row);
    buf_add_format(&work->out,
                   "\npost %.*s: '%.*s' with probability %.3f (labelled '%.*s', "
                   "and learned from)\n",
                   STR_ARG(learned->ids[row]), STR_ARG(learned->classes.names[best]),
                   scores[classes + best], STR_ARG(learned->classes.names[truth]));
    size_t count = model_explain(model, rows_at(&examples->counts, row), best, &scratch,
                                 reasons, REASONS, work->arena);
    for (size_t i = 0; i < count; i++) {
        const struct features_entry *entry =
            features_entry(&examples->table, reasons[i].feature);
        struct str name = features_name(&examples->table, reasons[i].feature);
        buf_add_format(&work->out, "%+8.4f  %s %s '%.*s'\n", reasons[i].weight,
                       parts_names[entry->part], features_kinds[entry->kind],
                       STR_ARG(name));
    }
    model_scratch_free(&scratch);
    return true;
}

static bool save(struct classify_work *work, const struct model *model, struct err *err)
{
    struct model_file file = {.features = work->trials[0].settings.features,
                              .table = work->trials[0].examples.table,
                              .model = *model,
                              .classes = work->learned.classes.names,
                              .training =
                                  model_file_hash(work->learned.ids, work->learned.count),
                              .training_count = (int64_t)work->learned.count};
    struct buf text = {0};

    model_file_write(&file, work->arena, &text);
    bool ok = file_write(work->args->save, buf_str(&text), err);
    buf_free(&text);
    return ok;
}

static size_t *first_classes(const struct membership *membership, struct arena *arena)
{
    size_t *classes = arena_array(arena, size_t, membership->items + 1);

    for (size_t i = 0; i < membership->items; i++)
        classes[i] = membership_class(membership, i);
    return classes;
}

static bool add_shares(struct classify_work *work, const struct model *model,
                       struct err *err)
{
    const struct classify_args *args = work->args;
    const struct classify_trial *trial = work->trials;
    size_t classes = model->classes, *counts = arena_array(work->arena, size_t, classes);
    struct labelled_options in = {args->in, args->text, NULL, NULL, NULL};
    struct apply apply = {model, trial->settings.features, &trial->examples.table,
                          thread_count(args)};
    struct labelled posts;

    if (model->several)
        return err_set(err, ERR_USAGE,
                       "--in estimates shares for posts with one label "
                       "each; here some have several");
    if (!labelled_read(&in, 1, work->arena, &posts, err))
        return false;
    struct membership said = membership_new(posts.count, classes, false, work->arena);
    double *probabilities = arena_array(work->arena, double, posts.count *classes + 1);
    double *prior = arena_array(work->arena, double, classes);
    if (!apply_model(&apply, posts.posts, posts.count, work->arena, said.is,
                     probabilities, err))
        return false;
    struct folds_items all = folds_all(work->learned.count, work->arena);
    membership_count(&work->learned.truth, all.at, all.count, counts);
    for (size_t k = 0; k < classes; k++)
        prior[k] = (double)counts[k] / (double)work->learned.count;
    struct quantify shares = quantify_shares(
        &(struct quantify_input){
            .classes = classes,
            .judged = trial->judged.truth.items,
            .truth = first_classes(&trial->judged.truth, work->arena),
            .said = first_classes(&trial->judged.predicted, work->arena),
            .items = posts.count,
            .predicted = first_classes(&said, work->arena),
            .probabilities = probabilities,
            .prior = prior,
            .level = 0.95,
            .resamples = QUANTIFY_RESAMPLES,
            .seed = (uint64_t)args->seed},
        work->arena);
    classify_add_shares(work, &shares, posts.count);
    return true;
}

static bool learn(struct classify_work *work, struct err *err)
{
    const struct classify_args *args = work->args;
    struct model model;

    if (!read_methods(work, err) || !read_posts(work, err))
        return false;
    for (size_t i = 0; i < work->trial_count; i++)
        if (!judge(work, work->trials + i, err))
            return false;
    if (args->json)
        classify_add_json(work);
    else
        classify_add_text(work);
    if (!add_curve(work, err))
        return false;
    if (args->save == NULL && args->explain == 0 && args->in == NULL)
        return true;
    return train_whole(work, &model, err) &&
           (args->explain == 0 || add_explanation(work, &model, err)) &&
           (args->in == NULL || add_shares(work, &model, err)) &&
           (args->save == NULL || save(work, &model, err));
}

static bool apply_saved(struct classify_work *work, struct err *err)
{
    const struct classify_args *args = work->args;
    struct labelled_options in = {args->in, args->text, NULL, args->id, NULL};
    struct model_file file;
    struct labelled posts;
    struct str text;

    if (!file_read(args->model, work->arena, &text, err) ||
        !model_file_read(text, args->model, work->arena, &file, err))
        return false;
    bool ok = labelled_read(&in, 1, work->arena, &posts, err);
    if (ok) {
        size_t cells = posts.count * file.model.classes;
        uint8_t *said = arena_array(work->arena, uint8_t, cells + 1);
        double *probabilities = arena_array(work->arena, double, cells + 1);
        struct apply apply = {&file.model, file.features, &file.table,
                              thread_count(args)};
        ok = apply_model(&apply, posts.posts, posts.count, work->arena, said,
                         probabilities, err);
        if (ok)
            classify_add_predictions(work, &file, &posts, said, probabilities);
    }
    model_file_free(&file);
    return ok;
}

static bool run(struct cmd_session *session, const void *arguments, struct err *err)
{
    const struct classify_args *args = arguments;

    if (!check_args(args, err))
        return false;
    struct classify_work *work = arena_array(&session->arena, struct classify_work, 1);
    work->args = args;
    work->arena = &session->arena;
    bool ok = args->model != NULL ? apply_saved(work, err) : learn(work, err);
    if (ok)
        cmd_print(&work->out);
    for (size_t i = 0; i < work->trial_count; i++)
        examples_free(&work->trials[i].examples);
    buf_free(&work->out);
    return ok;
}

const struct command cmd_classify = {
    .name = "classify",
    .summary = "Learn classes from labelled posts, judge that honestly, apply it",
    .description =
        "Learns from a csv of labelled posts and says how well posts are classified that "
        "were not learned from: precision, recall and F1 of each class with 95% "
        "intervals "
        "(bootstrap over posts), macro, micro and weighted F1, accuracy, Matthews "
        "correlation, calibration and the confusion matrix.\n\n"
        "Everything that can be tuned (C, smoothing, alpha, thresholds, features) is "
        "tuned "
        "by cross-validation inside the part that is learned from. Near duplicates never "
        "stand on both sides, and a post with two labels is one post.\n\n"
        "With --in the share of each class in a whole corpus is estimated: plain (the "
        "predictions counted), and corrected for the classifier's errors.",
    .examples =
        "assay classify --from issues.csv --text title,body --label label\n"
        "  scores by 10-fold cross-validation\n"
        "assay classify --from train.csv --test test.csv --text title,body --label "
        "label --save m\n"
        "  learns, judges on other posts, keeps the model\n"
        "assay classify --model m --in posts.csv --text title,body\n"
        "  the class of each post\n",
    .operands = operands,
    .options = options,
    .run = run,
};
