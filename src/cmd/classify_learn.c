/* Reading labelled posts, judging every method on them, and the model that is kept. */
#include "cmd/classify.h"

#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/near.h"
#include "base/progress.h"
#include "learn/model.h"
#include "run/classifying.h"

enum { RESAMPLES = 1000, CLASSES_FEW = 20 };

enum learn_hierarchy_rule cmd_classify_rule(const struct cmd_classify_args *args)
{
    return args->hierarchy != NULL && strcmp(args->hierarchy, "top-down") == 0
               ? LEARN_HIERARCHY_TOP_DOWN
               : LEARN_HIERARCHY_FLAT;
}

bool cmd_classify_check_levels(const struct learn_hierarchy *tree, bool several,
                               const struct cmd_classify_args *args, struct err *err)
{
    if (args->hierarchy != NULL && tree->depth == 1)
        return err_set(err, ERR_INPUT,
                       "--hierarchy needs classes that are paths, such as "
                       "'data/parsing'; here no class has a '/'");
    if ((size_t)args->level > tree->depth)
        return err_set(err, ERR_INPUT,
                       "--level is %lld, but the classes have %zu level%s",
                       (long long)args->level, tree->depth, tree->depth == 1 ? "" : "s");
    if (several && cmd_classify_rule(args) == LEARN_HIERARCHY_TOP_DOWN)
        return err_set(err, ERR_INPUT,
                       "--hierarchy top-down is for posts with one label each; here some "
                       "have several");
    return true;
}

static bool find_method(struct str name, enum learn_model_method *out, struct err *err)
{
    struct str names[LEARN_MODEL_METHODS];

    for (size_t i = 0; i < LEARN_MODEL_METHODS; i++) {
        names[i] = str_from(learn_model_methods[i]);
        if (str_eq(name, names[i])) {
            *out = (enum learn_model_method)i;
            return true;
        }
    }
    struct buf all = {0};
    size_t near = near_find(name, names, LEARN_MODEL_METHODS);
    for (size_t i = 0; i < LEARN_MODEL_METHODS; i++)
        buf_add_format(&all, "%s%s", i > 0 ? ", " : "", learn_model_methods[i]);
    err_set(err, ERR_USAGE, "unknown method '%.*s'%s%s%s; expected one of %.*s",
            STR_ARG(name), near < LEARN_MODEL_METHODS ? ", did you mean '" : "",
            near < LEARN_MODEL_METHODS ? learn_model_methods[near] : "",
            near < LEARN_MODEL_METHODS ? "'" : "", STR_ARG(buf_str(&all)));
    buf_free(&all);
    return false;
}

static bool read_methods(struct cmd_classify_work *work, struct err *err)
{
    struct str rest = str_from(work->args->method), name;

    for (bool more = true; more;) {
        enum learn_model_method method;
        more = str_cut(&rest, ',', &name);
        if (!find_method(str_trim(name), &method, err))
            return false;
        if (work->trial_count == LEARN_MODEL_METHODS)
            return err_set(err, ERR_USAGE, "--method names a method twice");
        work->trials[work->trial_count++] =
            (struct cmd_classify_trial){.name = learn_model_methods[method],
                                        .settings = learn_model_defaults(method)};
    }
    return true;
}

/* The first method that uses vectors, without them. */
static void add_words_alone(struct cmd_classify_work *work)
{
    size_t first = 0;

    while (!learn_model_uses_vectors(work->trials[first].settings.method))
        first++;
    struct cmd_classify_trial *trial = &work->trials[work->trial_count++];
    *trial = work->trials[first];
    trial->settings.without_given = true;
    trial->name = arena_format(work->arena, "%s, words alone", trial->name).ptr;
}

/* Words picked by hand, for whichever method asks for them. */
static bool read_keywords(struct cmd_classify_work *work, struct err *err)
{
    const struct cmd_labelled_classes *classes = &work->learned.classes;
    struct run_classifying_keywords picked = {work->args->keywords, classes->names,
                                              classes->names, classes->count,
                                              "class of the labelled posts"};

    for (size_t i = 0; i < work->trial_count && picked.path != NULL; i++)
        if (!run_classifying_keywords_read(&picked, work->arena,
                                           &work->trials[i].settings, err))
            return false;
    return true;
}

/* A column that is no label has nearly as many values as posts. */
static bool check_posts(const struct cmd_classify_work *work, struct err *err)
{
    const struct cmd_labelled *learned = &work->learned;
    const char *from = work->args->from;

    if (learned->without_text == (int64_t)learned->count)
        return err_set(
            err, ERR_INPUT,
            "%s: no post has text in the columns %s; there is nothing to learn from",
            from, work->args->text);
    if (learned->classes.count > CLASSES_FEW &&
        2 * learned->classes.count > learned->count)
        return err_set(err, ERR_INPUT,
                       "%s: %zu posts have %zu labels in the column '%s', so that most "
                       "have one of their own; expected a column of classes",
                       from, learned->count, learned->classes.count, work->args->label);
    return true;
}

static bool read_posts(struct cmd_classify_work *work, struct err *err)
{
    const struct cmd_classify_args *args = work->args;
    struct cmd_labelled_options files[2] = {
        {.path = args->from,
         .text = args->text,
         .columns = {[CMD_POSTS_ID] = args->id,
                     [CMD_POSTS_LABEL] = args->label,
                     [CMD_POSTS_CHOSEN] = args->chosen,
                     [CMD_POSTS_STRATUM] = args->fold != NULL ? args->fold : args->group},
         .separator = args->separator}};
    struct cmd_labelled read[2] = {{0}, {0}};

    files[1] = files[0];
    files[1].path = args->test;
    files[1].columns[CMD_POSTS_STRATUM] = NULL;
    if (!cmd_labelled_read(files, args->test != NULL ? 2 : 1, work->arena, read, err))
        return false;
    work->learned = read[0];
    work->tested = read[1];
    size_t first = read[0].count, second = read[1].count, classes = read[0].classes.count;
    work->posts = arena_array(work->arena, struct learn_parts, first + second);
    work->truth =
        learn_membership_new(first + second, classes, read[0].truth.several, work->arena);
    memcpy(work->posts, read[0].posts, first * sizeof *work->posts);
    memcpy(work->truth.is, read[0].truth.is, first * classes);
    if (second > 0) {
        memcpy(work->posts + first, read[1].posts, second * sizeof *work->posts);
        memcpy(work->truth.is + first * classes, read[1].truth.is, second * classes);
    }
    work->ids = arena_array(work->arena, struct str, first + second + 1);
    memcpy(work->ids, read[0].ids, first * sizeof *work->ids);
    if (second > 0)
        memcpy(work->ids + first, read[1].ids, second * sizeof *work->ids);
    return check_posts(work, err) && read_keywords(work, err);
}

static bool read_given(struct cmd_classify_work *work, struct err *err)
{
    const struct cmd_classify_args *args = work->args;

    if (args->vectors == NULL)
        return true;
    add_words_alone(work);
    if (!input_vectors_read(args->vectors, args->keys, work->arena, &work->given, err))
        return false;
    work->given_of =
        cmd_given_of(&work->given, work->ids, work->truth.items, work->arena);
    return cmd_given_check(&work->given, args->vectors, &work->given_of, work->ids,
                           work->truth.items, err);
}

/* The posts of --unlabelled one after the other; only their words are kept. */
struct unlabelled {
    struct learn_vectors_reader reader;
    struct learn_parts_splitter splitter;
};

static bool take_unlabelled(void *context, const struct cmd_posts_row *row,
                            struct err *err)
{
    struct unlabelled *unlabelled = context;
    struct learn_parts post = row->parts;

    (void)err;
    learn_parts_complete(row->body, &unlabelled->splitter, &post);
    learn_vectors_add(&unlabelled->reader, &post);
    return true;
}

static bool read_vectors(struct cmd_classify_work *work, struct err *err)
{
    const struct cmd_classify_args *args = work->args;
    struct unlabelled unlabelled = {0};
    struct cmd_posts posts = {.path = args->unlabelled,
                              .text = args->text,
                              .take = take_unlabelled,
                              .context = &unlabelled};
    bool ok = cmd_posts_read(&posts, err);

    if (ok && posts.rows == 0)
        ok = err_set(err, ERR_INPUT, "%s: there are no rows", args->unlabelled);
    if (ok)
        learn_vectors_learn(&unlabelled.reader, (uint64_t)args->seed, &work->vectors);
    learn_vectors_reader_free(&unlabelled.reader);
    learn_parts_splitter_free(&unlabelled.splitter);
    return ok;
}

/* Training posts that are near duplicates of a test post are not learned from. */
static void split(struct cmd_classify_work *work, const size_t *groups)
{
    size_t first = work->learned.count, all = first + work->tested.count, used = 0;
    bool *asked = arena_array(work->arena, bool, all + 1);
    size_t *train = arena_array(work->arena, size_t, first + 1);
    struct learn_fold_items items = learn_fold_all(all, work->arena);

    for (size_t i = first; i < all; i++)
        asked[groups[i]] = true;
    for (size_t i = 0; i < first; i++)
        if (!asked[groups[i]])
            train[used++] = i;
    work->train = (struct learn_fold_items){train, used};
    work->test = (struct learn_fold_items){items.at + first, work->tested.count};
    work->left_out = first - used;
}

static bool is(const char *choice, const char *value)
{
    return choice != NULL && strcmp(choice, value) == 0;
}

static bool read_choice(const struct cmd_classify_args *args, struct learn_choice *out,
                        struct err *err)
{
    *out = (struct learn_choice){.run_max = args->runs,
                                 .df_min = args->min_posts,
                                 .df_max = args->max_share.value,
                                 .select = args->select,
                                 .words_alone = is(args->features, "words"),
                                 .letters = is(args->features, "all"),
                                 .length = is(args->normaliser, "l2"),
                                 .only_top = is(args->outside, "nothing"),
                                 .body_wins = is(args->title, "replaced"),
                                 .top = args->top};
    if (args->idf != NULL)
        out->idf = str_from(args->idf);
    if (args->stop_words != NULL)
        out->stops = str_from(args->stop_words);
    return args->weights == NULL ||
           learn_choice_read_weights(str_from(args->weights), out, err) ||
           err_at(err, "--weights: ");
}

static enum learn_model_several several_of(const char *how)
{
    if (strcmp(how, "powerset") == 0)
        return LEARN_MODEL_POWERSET;
    return strcmp(how, "choose") == 0 ? LEARN_MODEL_CHOOSE : LEARN_MODEL_REST;
}

/* A class and its weight, such as bug=2. */
static bool read_cost(struct cmd_classify_work *work, struct str one, double *weights,
                      struct err *err)
{
    const struct cmd_labelled_classes *classes = &work->learned.classes;
    struct str weight = str_last(one, '='),
               name = str_slice(one, 0, one.len - weight.len);
    double value;

    if (weight.len == one.len || !str_to_real(str_trim(weight), &value) || value <= 0)
        return err_set(err, ERR_USAGE,
                       "--class-weights has '%.*s', expected CLASS=X with X above 0, "
                       "'balanced' or 'none'",
                       STR_ARG(one));
    name = str_trim(str_slice(name, 0, name.len - 1));
    size_t class = str_find(name, classes->names, classes->count);
    if (class == classes->count)
        return err_set(err, ERR_USAGE, "--class-weights names '%.*s', which is no class",
                       STR_ARG(name));
    weights[class] = value;
    return true;
}

/* What an error costs: C, and weights of classes. */
static bool read_costs(struct cmd_classify_work *work,
                       struct learn_model_settings *settings, struct err *err)
{
    const struct cmd_classify_args *args = work->args;
    struct str rest = str_from(args->class_weights), one;

    if (!learn_model_is_linear(settings->method))
        return true;
    if (args->c.given)
        settings->strength = args->c.value;
    if (rest.len == 0)
        return true;
    bool balanced = str_eq(rest, STR("balanced"));
    settings->weighting = balanced ? LEARN_MODEL_BALANCED : LEARN_MODEL_PLAIN;
    if (balanced || str_eq(rest, STR("none")))
        return true;
    double *weights = arena_array(work->arena, double, work->learned.classes.count + 1);
    for (size_t k = 0; k < work->learned.classes.count; k++)
        weights[k] = 1;
    for (bool more = true; more;) {
        more = str_cut(&rest, ',', &one);
        if (!read_cost(work, str_trim(one), weights, err))
            return false;
    }
    settings->class_weights = weights;
    return true;
}

/* Folds of --fold are as many as it has values. */
static struct learn_judge_options judging(const struct cmd_classify_work *work, bool keep)
{
    const struct cmd_classify_args *args = work->args;

    return (struct learn_judge_options){
        .folds = args->fold != NULL ? work->learned.strata : (size_t)args->folds,
        .repeats = (size_t)args->repeats,
        .seed = (uint64_t)args->seed,
        .threads = cmd_threads(args->threads),
        .keep = keep,
        .progress = work->progress,
        .fold_of = args->fold != NULL ? work->learned.stratum : NULL};
}

static bool judge(struct cmd_classify_work *work, struct cmd_classify_trial *trial,
                  struct err *err)
{
    const struct cmd_classify_args *args = work->args;
    struct learn_judge_options how =
        judging(work, args->in != NULL && trial == work->trials);
    struct learn_choice choice;
    struct learn_model model;

    if (!read_choice(args, &choice, err))
        return false;
    learn_choice_apply(&choice, &trial->settings);
    trial->settings.seed = (uint64_t)args->seed;
    trial->settings.several = several_of(args->several);
    if (!read_costs(work, &trial->settings, err))
        return false;
    struct learn_posts posts = {work->posts, work->truth,
                                args->unlabelled != NULL ? &work->vectors : NULL,
                                work->given_of};
    learn_examples_make(&posts, trial->settings.features, work->arena, &trial->examples);
    work->duplicates = trial->examples.groups;
    if (args->group != NULL)
        learn_examples_join(&trial->examples, work->learned.stratum, work->learned.count,
                            work->learned.strata, work->arena);
    split(work, trial->examples.groups);
    if (work->test.count == 0) {
        if (!learn_judge_folds(&trial->settings, &trial->examples, how, work->arena,
                               &trial->judged, err))
            return err_at(err, "%s: ", args->from);
    } else {
        if (!learn_model_train(&trial->settings, &trial->examples, work->train,
                               work->arena, &model, err))
            return err_at(err, "%s: ", args->from);
        learn_judge_items(&model, &trial->examples, work->test, work->arena,
                          &trial->judged);
    }
    trial->scored = run_classifying_score(&trial->judged, work->learned.classes.names,
                                          (uint64_t)args->seed, work->arena);
    return true;
}

static bool add_curve(struct cmd_classify_work *work, struct err *err)
{
    const struct cmd_classify_args *args = work->args;
    struct learn_judge_options how = judging(work, false);
    struct learn_curve_step curve[LEARN_JUDGE_STEPS];

    work->steps = arena_array(work->arena, struct learn_judge_step, LEARN_JUDGE_STEPS);
    const struct learn_judged *whole =
        work->test.count == 0 ? &work->trials[0].judged : NULL; /* the same folds */
    if (!learn_judge_curve(&work->trials[0].settings, &work->trials[0].examples, how,
                           whole, work->arena, work->steps, err))
        return false;
    for (size_t s = 0; s < LEARN_JUDGE_STEPS; s++)
        curve[s] = (struct learn_curve_step){work->steps[s].items, work->steps[s].scores};
    work->forecast = learn_curve_forecast(
        curve, LEARN_JUDGE_STEPS,
        (struct learn_curve_options){(double)work->learned.count, CMD_CLASSIFY_MORE, 0.95,
                                     RESAMPLES, (uint64_t)args->seed},
        work->arena);
    return true;
}

/* The first method, learned from everything with a label in --data. */
static bool keep_model(struct cmd_classify_work *work, struct err *err)
{
    const struct cmd_classify_args *args = work->args;
    const struct cmd_labelled *learned = &work->learned;
    struct learn_model_file file;
    struct buf text = {0};

    if (!run_classifying_model(&work->trials[0].settings, &work->trials[0].examples,
                               learned->ids, learned->count, work->arena, &file, err) ||
        (args->explain != NULL && !cmd_classify_explain_learned(work, &file.model, err)))
        return false;
    if (args->save == NULL)
        return true;
    file.text = str_from(args->text);
    file.classes = learned->classes.names;
    learn_model_file_write(&file, work->arena, &text);
    bool ok = file_write(args->save, buf_str(&text), err);
    buf_free(&text);
    return ok;
}

/* A fold without a post would be no round. The default stands for as many as there are.
 */
static bool check_folds(const struct cmd_classify_work *work, struct err *err)
{
    const struct cmd_classify_args *args = work->args;
    const int folds_usual = 10; /* without the option */
    size_t posts = work->learned.count;

    if (args->fold != NULL || args->folds <= folds_usual || (size_t)args->folds <= posts)
        return true;
    return err_set(
        err, ERR_USAGE,
        "--folds %lld is more than the %zu posts with a label; each fold needs "
        "one",
        (long long)args->folds, posts);
}

/* Each method by itself, then what the first one is asked for besides. */
static bool judge_all(struct cmd_classify_work *work, struct err *err)
{
    const struct cmd_classify_args *args = work->args;
    struct progress progress = progress_begin("", 0, STDERR_FILENO, false);
    int64_t rounds = args->folds * args->repeats;
    bool ok = true;

    work->progress = &progress;
    for (size_t i = 0; i < work->trial_count && ok; i++) {
        progress_count(&progress,
                       arena_format(work->arena,
                                    "learning and judging, method %zu of %zu, round",
                                    i + 1, work->trial_count)
                           .ptr,
                       rounds);
        ok = judge(work, work->trials + i, err);
    }
    if (ok && args->curve) {
        progress_count(&progress, "learning from parts of the labels, round",
                       (LEARN_JUDGE_STEPS - 1) * rounds);
        ok = add_curve(work, err);
    }
    if (ok && args->in != NULL) {
        progress_count(&progress, "estimating shares", 0);
        ok = cmd_classify_shares(work, err);
    }
    progress_end(&progress);
    return ok;
}

bool cmd_classify_learn(struct cmd_classify_work *work, struct err *err)
{
    const struct cmd_classify_args *args = work->args;

    if (!read_methods(work, err) || !read_posts(work, err))
        return false;
    work->tree = learn_hierarchy_make(work->learned.classes.names,
                                      work->learned.classes.count, work->arena);
    if (!cmd_classify_check_levels(&work->tree, work->truth.several, args, err))
        return err_at(err, "%s: ", args->from);
    if ((args->unlabelled != NULL && !read_vectors(work, err)) || !read_given(work, err))
        return false;
    if (!check_folds(work, err) || !judge_all(work, err))
        return false;
    if (args->json)
        cmd_classify_add_json(work);
    else
        cmd_classify_add_text(work);
    if (args->out != NULL && !cmd_classify_write(work, err))
        return false;
    return (args->save == NULL && args->explain == NULL) || keep_model(work, err);
}
