/* assay classify: learn from labelled posts, say how good that is, apply it. */
#include "cmd/classify.h"

#include <string.h>

#include "base/file.h"
#include "base/near.h"
#include "base/parallel.h"
#include "cmd/cmd.h"
#include "learn/apply.h"

static const struct cmd_operand operands[] = {
    {"STUDY", offsetof(struct classify_args, study),
     "a study with `classifiers`: it is brought up to date, and their scores are "
     "printed; "
     "options are for posts without a study",
     false},
    {0}};

static const struct cmd_option options[] = {
    {"--data", CMD_TEXT, offsetof(struct classify_args, from), "FILE",
     "csv or json lines of labelled posts to learn from", false, 0, 0, NULL, NULL},
    {"--text", CMD_TEXT, offsetof(struct classify_args, text), "COLUMNS",
     "the columns to read, by commas; 'title', 'tags' and 'code' are what they say, all "
     "others are bodies in html or Markdown",
     false, 0, 0, NULL, NULL},
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
    {"--several", CMD_CHOICE, offsetof(struct classify_args, several), "HOW",
     "posts with several labels: each class against the rest, each set of labels as a "
     "class of its own (powerset), or whichever is better inside the training part",
     false, 0, 0, "rest|powerset|choose", "rest"},
    {"--hierarchy", CMD_CHOICE, offsetof(struct classify_args, hierarchy), "RULE",
     "classes are paths such as data/parsing: show scores of each level, where a post "
     "has the most probable class (flat), or the most probable at the top and then below "
     "it (top-down)",
     false, 0, 0, "flat|top-down", NULL},
    {"--level", CMD_INT, offsetof(struct classify_args, level), "N",
     "with --model: print classes of this level, 1 is the top", false, 1, 1000, NULL,
     NULL},
    {"--keywords", CMD_TEXT, offsetof(struct classify_args, keywords), "FILE",
     "csv with the columns class and word: words picked by hand, for keyword-weight",
     false, 0, 0, NULL, NULL},
    {"--normaliser", CMD_CHOICE, offsetof(struct classify_args, normaliser), "WHICH",
     "keyword-weight: counts of a class's words are divided by their sum (the default) "
     "or by the root of the sum of their squares",
     false, 0, 0, "sum|l2", NULL},
    {"--top", CMD_INT, offsetof(struct classify_args, top), "N",
     "keyword-weight: only the N most frequent words of each class count (default all)",
     false, 1, 1000000, NULL, NULL},
    {"--outside", CMD_CHOICE, offsetof(struct classify_args, outside), "WHAT",
     "keyword-weight: a picked word that is none of the --top words counts alpha (the "
     "default) or nothing",
     false, 0, 0, "alpha|nothing", NULL},
    {"--title", CMD_CHOICE, offsetof(struct classify_args, title), "HOW",
     "keyword-weight: a word of the title counts beside the body (the default), or the "
     "body's count replaces it",
     false, 0, 0, "beside|replaced", NULL},
    {"--tune", CMD_CHOICE, offsetof(struct classify_args, tune), "PART",
     "the part that settings are tuned on; tuning on the test part is refused", false, 0,
     0, "train|test", "train"},
    {"--folds", CMD_INT, offsetof(struct classify_args, folds), "N",
     "folds of cross-validation", false, 2, 1000, NULL, "10"},
    {"--repeats", CMD_INT, offsetof(struct classify_args, repeats), "N",
     "how often it is repeated, with other folds", false, 1, 1000, NULL, "1"},
    {"--curve", CMD_FLAG, offsetof(struct classify_args, curve), NULL,
     "also show macro F1 with fewer labels to learn from, and what 100 more would bring",
     false, 0, 0, NULL, NULL},
    {"--explain", CMD_INT, offsetof(struct classify_args, explain), "ROW",
     "show what decides about this post of --data, counted from 1", false, 1, INT64_MAX,
     NULL, NULL},
    {"--save", CMD_TEXT, offsetof(struct classify_args, save), "FILE",
     "write the model, learned from all labelled posts, to this file", false, 0, 0, NULL,
     NULL},
    {"--model", CMD_TEXT, offsetof(struct classify_args, model), "FILE",
     "apply this saved model to --in instead of learning", false, 0, 0, NULL, NULL},
    {"--in", CMD_TEXT, offsetof(struct classify_args, in), "FILE",
     "csv or json lines of posts: with --model print their classes, else the share of "
     "each class",
     false, 0, 0, NULL, NULL},
    {"--by", CMD_TEXT, offsetof(struct classify_args, by), "COLUMN",
     "shares also for each value of this column of --in, such as a year; needs --id",
     false, 0, 0, NULL, NULL},
    {"--chosen", CMD_TEXT, offsetof(struct classify_args, chosen), "COLUMN",
     "column of --data with a value, other than 0, no or false, for posts that were not "
     "drawn at random: they are learned from, but shares do not rest on them",
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

enum { REASONS = 15, RESAMPLES = 1000 };

int classify_threads(const struct classify_args *args)
{
    return args->threads > 0 ? (int)args->threads : parallel_cores();
}

static bool check_shares(const struct classify_args *args, struct err *err)
{
    if (args->model != NULL)
        return (args->by == NULL && args->chosen == NULL) ||
               err_set(err, ERR_USAGE,
                       "--by and --chosen are for shares, which need "
                       "--data in place of --model");
    if (args->in != NULL && args->test != NULL)
        return err_set(
            err, ERR_USAGE,
            "--in and --test exclude each other: shares rest on labelled posts "
            "that cross-validation has predicted");
    if ((args->by != NULL || args->chosen != NULL) && args->in == NULL)
        return err_set(err, ERR_USAGE, "--by and --chosen need --in FILE");
    if (args->by != NULL && args->id == NULL)
        return err_set(err, ERR_USAGE,
                       "--by needs --id COLUMN, which tells the labelled posts of each "
                       "group in --in");
    return true;
}

static bool check_keyword_weight(const struct classify_args *args, struct err *err)
{
    const char *given = args->normaliser != NULL ? "--normaliser"
                        : args->top > 0          ? "--top"
                        : args->outside != NULL  ? "--outside"
                        : args->title != NULL    ? "--title"
                                                 : NULL;

    if (given != NULL &&
        strstr(args->method, model_methods[MODEL_KEYWORD_WEIGHT]) == NULL)
        return err_set(err, ERR_USAGE, "%s is for --method keyword-weight", given);
    if (args->outside != NULL && args->top == 0)
        return err_set(err, ERR_USAGE,
                       "--outside needs --top N: without it no word is outside");
    return true;
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
                       "--model and --data exclude each other: a saved "
                       "model does not learn");
    if (args->level > 0 && args->model == NULL)
        return err_set(err, ERR_USAGE,
                       "--level is for --model; learning shows all levels with "
                       "--hierarchy");
    if (args->model == NULL && (args->from == NULL || args->label == NULL))
        return err_set(err, ERR_USAGE,
                       "learning needs --data FILE and --label COLUMN; a saved model is "
                       "applied with --model FILE --in FILE");
    if (args->text == NULL)
        return err_set(err, ERR_USAGE, "--text is missing: the columns to read");
    if (args->explain > 0 && args->json)
        return err_set(err, ERR_USAGE, "--explain and --json exclude each other");
    return check_shares(args, err) && check_keyword_weight(args, err);
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

static bool is(const char *choice, const char *value)
{
    return choice != NULL && strcmp(choice, value) == 0;
}

static void set_keyword_weight(const struct classify_args *args,
                               struct model_settings *settings)
{
    settings->keyword.length = is(args->normaliser, "l2");
    settings->keyword.top = (size_t)args->top;
    settings->keyword.only_top = is(args->outside, "nothing");
    settings->features.body_wins = is(args->title, "replaced");
}

static enum model_several several_of(const char *how)
{
    if (strcmp(how, "powerset") == 0)
        return MODEL_POWERSET;
    return strcmp(how, "choose") == 0 ? MODEL_CHOOSE : MODEL_REST;
}

static bool judge(struct classify_work *work, struct classify_trial *trial,
                  struct err *err)
{
    const struct classify_args *args = work->args;
    struct judge_options how = {(size_t)args->folds, (size_t)args->repeats,
                                (uint64_t)args->seed, classify_threads(args),
                                args->in != NULL && trial == work->trials};
    struct model model;

    trial->settings.seed = (uint64_t)args->seed;
    if (strcmp(args->features, "words") == 0)
        trial->settings.features.kinds &= ~(1u << FEATURES_LETTERS);
    trial->settings.several = several_of(args->several);
    trial->settings.keywords = work->keywords;
    trial->settings.keyword_count = work->keyword_count;
    if (trial->settings.method == MODEL_KEYWORD_WEIGHT)
        set_keyword_weight(args, &trial->settings);
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
                                (uint64_t)args->seed, classify_threads(args), false};
    struct curve_step curve[JUDGE_STEPS];

    work->steps = arena_array(work->arena, struct judge_step, JUDGE_STEPS);
    const struct judged *whole =
        work->test.count == 0 ? &work->trials[0].judged : NULL; /* the same folds */
    if (!judge_curve(&work->trials[0].settings, &work->trials[0].examples, how, whole,
                     work->arena, work->steps, err))
        return false;
    for (size_t s = 0; s < JUDGE_STEPS; s++)
        curve[s] = (struct curve_step){work->steps[s].items, work->steps[s].scores};
    work->forecast =
        curve_forecast(curve, JUDGE_STEPS,
                       (struct curve_options){(double)work->learned.count, CLASSIFY_MORE,
                                              0.95, RESAMPLES, (uint64_t)args->seed},
                       work->arena);
    return true;
}

/* The first method, learned from everything with a label in --data. */
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

static bool learn(struct classify_work *work, struct err *err)
{
    const struct classify_args *args = work->args;
    struct model model;

    if (!read_methods(work, err) || !read_posts(work, err))
        return false;
    work->tree = hierarchy_make(work->learned.classes.names, work->learned.classes.count,
                                work->arena);
    if (!classify_check_levels(&work->tree, work->truth.several, args, err))
        return err_at(err, "%s: ", args->from);
    for (size_t i = 0; i < work->trial_count; i++)
        if (!judge(work, work->trials + i, err))
            return false;
    if ((args->curve && !add_curve(work, err)) ||
        (args->in != NULL && !classify_shares(work, err)))
        return false;
    if (args->json)
        classify_add_json(work);
    else
        classify_add_text(work);
    classify_add_levels(work);
    if (args->save == NULL && args->explain == 0)
        return true;
    return train_whole(work, &model, err) &&
           (args->explain == 0 || add_explanation(work, &model, err)) &&
           (args->save == NULL || save(work, &model, err));
}

static void free_trial(struct classify_trial *trial)
{
    examples_free(&trial->examples);
    judge_free(&trial->judged);
}

static bool run(struct cmd_session *session, const void *arguments, struct err *err)
{
    const struct classify_args *args = arguments;

    if (args->study != NULL) {
        if (args->from != NULL || args->model != NULL)
            return err_set(
                err, ERR_USAGE,
                "'%s' is taken for a study, which goes with neither --data nor "
                "--model",
                args->study);
        return classify_study(session, args, err);
    }
    if (!check_args(args, err))
        return false;
    struct classify_work *work = arena_array(&session->arena, struct classify_work, 1);
    work->args = args;
    work->arena = &session->arena;
    bool ok = args->model != NULL ? classify_apply_saved(work, err) : learn(work, err);
    if (ok)
        cmd_print(&work->out);
    for (size_t i = 0; i < work->trial_count; i++)
        free_trial(work->trials + i);
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
        "Classes may be paths, such as data/parsing: with --hierarchy every level is "
        "scored, and --level prints the classes of one. A post never has a class without "
        "the one above it, and the probability of a class is the sum of those below.\n\n"
        "A saved model is applied block by block: --in may be of any size, packed, or - "
        "for standard input; each of its rows is a post.\n\n"
        "With --in the share of each class in a whole set of posts is estimated, of "
        "which "
        "the labelled posts are a random sample. With --id the set is --in, and a "
        "labelled "
        "post is known there by its id; without it labelled posts are taken for further "
        "posts of the set. Prediction-powered shares are unbiased whatever the "
        "classifier's "
        "errors; the labelled posts alone, the plain count of predictions and three "
        "other "
        "corrections stand beside them, each with what it assumes. A group with fewer "
        "than "
        "30 labelled posts is flagged; a class with fewer than 5 is estimated from "
        "labels "
        "alone.",
    .examples =
        "assay classify --data issues.csv --text title,body --label label\n"
        "  scores by 10-fold cross-validation\n"
        "assay classify --data train.csv --test test.csv --text title,body --label "
        "label --save m\n"
        "  learns, judges on other posts, keeps the model\n"
        "assay classify --model m --in posts.csv --text title,body\n"
        "  the class of each post\n"
        "assay classify --data sample.csv --text title,body --label kind --id id --in "
        "all.csv --by year\n"
        "  the share of each kind, as a whole and by year\n",
    .operands = operands,
    .options = options,
    .run = run,
};
