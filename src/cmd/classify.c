/* assay classify: learn from labelled posts, say how good that is, apply it. */
#include "cmd/classify.h"

#include <string.h>

#include "base/file.h"
#include "cmd/cmd.h"
#include "cmd/opening.h"
#include "run/tabulating.h"

#define AT(field) offsetof(struct cmd_classify_args, field)

static const struct cmd_operand operands[] = {
    {"STUDY", AT(study),
     "a study with `classifiers`: it is brought up to date, and their scores are "
     "printed; options other than --explain and --threads are for posts without a study",
     false},
    {0}};

static const struct cmd_option options[] = {
    {"--data", CMD_TEXT, AT(from), "FILE",
     .help = "csv or json lines of labelled posts to learn from"},
    {"--text", CMD_TEXT, AT(text), "COLUMNS",
     .help = "the columns to read, by commas; 'title', 'tags' and 'code' are what they "
             "say, all others are bodies in html or Markdown"},
    {"--label", CMD_TEXT, AT(label), "COLUMN", .help = "the column of labels"},
    {"--id", CMD_TEXT, AT(id), "COLUMN",
     .help = "rows with the same value here are one post, which has all their labels"},
    {"--separator", CMD_TEXT, AT(separator), "CHAR",
     .help = "what parts several labels in one field"},
    {"--unlabelled", CMD_TEXT, AT(unlabelled), "FILE",
     .help = "csv or json lines of posts without labels, such as the whole corpus: which "
             "words stand near each other there tells which mean about the same; used by "
             "linear methods, and only where cross-validation inside the training part "
             "says that it helps. Their texts may include those of --data, which then "
             "shape the vectors too; their labels never do"},
    {"--vectors", CMD_TEXT, AT(vectors), "FILE",
     .help = "vectors of the posts that another program made, such as embeddings: csv "
             "with an id and numbers, json lines with id and vector, or .npy; by the "
             "column of --id. Linear methods use them beside words, with a weight that "
             "is chosen inside the training part, 0 where they do not help; what they "
             "bring is shown beside words alone"},
    {"--keys", CMD_TEXT, AT(keys), "FILE",
     .help = "with .npy: the id of each row, in a line of its own"},
    CMD_EMBEDDING_OPTIONS(struct cmd_classify_args, embed),
    {"--test", CMD_TEXT, AT(test), "FILE",
     .help = "csv of further labelled posts to judge on, instead of cross-validation"},
    {"--method", CMD_TEXT, AT(method), "METHODS",
     .help = "majority, keyword-weight, naive-bayes, complement-bayes, linear, "
             "logistic or centroid; several by commas are compared",
     .fallback = "linear"},
    {"--features", CMD_CHOICE, AT(features), "WHICH",
     .help =
         "words, stems and runs of letters, or words alone: several times as fast, a "
         "little less exact; without it words alone for the Bayes methods, which letters "
         "help on some texts and harm on others, and all for the others",
     .choices = "all|words"},
    {"--runs", CMD_INT, AT(runs), "N",
     .help = "words in a row that also count together: 1 none, 2 pairs (the default), 3 "
             "triples as well",
     .lowest = 1, .highest = 3},
    {"--weights", CMD_TEXT, AT(weights), "LIST",
     .help = "how much parts of a post count, such as title=0.7,code=0.5; prose, "
             "inline-code and tags are the others"},
    {"--min-posts", CMD_INT, AT(min_posts), "N",
     .help = "posts that must have a word for it to count (default 2)", .lowest = 1,
     .highest = 1000000},
    {"--max-share", CMD_REAL, AT(max_share), "X",
     .help = "share of posts that may have it, above 0 and up to 1 (default 1)",
     .highest = 1},
    {"--select", CMD_INT, AT(select), "N",
     .help = "keep the N words, and runs, that tell classes apart best by chi-square "
             "(default all)",
     .lowest = 1, .highest = 100000000},
    {"--idf", CMD_CHOICE, AT(idf), "HOW",
     .help = "how much rare words count more: smooth is ln((1 + n) / (1 + df)) + 1 (the "
             "default), plain ln(n / df) + 1, none not at all",
     .choices = "smooth|plain|none"},
    {"--stop-words", CMD_CHOICE, AT(stop_words), "WHAT",
     .help = "keep or drop words such as 'the' (default keep; keyword-weight drops them)",
     .choices = "keep|drop"},
    {"--several", CMD_CHOICE, AT(several), "HOW",
     .help =
         "posts with several labels: each class against the rest, each set of labels as "
         "a class of its own (powerset), or whichever is better inside the training part",
     .choices = "rest|powerset|choose", .fallback = "rest"},
    {"--hierarchy", CMD_CHOICE, AT(hierarchy), "RULE",
     .help = "classes are paths such as data/parsing: show scores of each level, where a "
             "post has the most probable class (flat), or the most probable at the top "
             "and then below it (top-down)",
     .choices = "flat|top-down"},
    {"--level", CMD_INT, AT(level), "N",
     .help = "with --model: print classes of this level, 1 is the top", .lowest = 1,
     .highest = 1000},
    {"--keywords", CMD_TEXT, AT(keywords), "FILE",
     .help =
         "csv with the columns class and word: words picked by hand, for keyword-weight"},
    {"--normaliser", CMD_CHOICE, AT(normaliser), "WHICH",
     .help = "keyword-weight: counts of a class's words are divided by their sum (the "
             "default) or by the root of the sum of their squares",
     .choices = "sum|l2"},
    {"--top", CMD_INT, AT(top), "N",
     .help = "keyword-weight: only the N most frequent words of each class count "
             "(default all)",
     .lowest = 1, .highest = 1000000},
    {"--outside", CMD_CHOICE, AT(outside), "WHAT",
     .help = "keyword-weight: a picked word that is none of the --top words counts alpha "
             "(the default) or nothing",
     .choices = "alpha|nothing"},
    {"--title", CMD_CHOICE, AT(title), "HOW",
     .help = "keyword-weight: a word of the title counts beside the body (the default), "
             "or the body's count replaces it",
     .choices = "beside|replaced"},
    {"--tune", CMD_CHOICE, AT(tune), "PART",
     .help = "the part that settings are tuned on; tuning on the test part is refused",
     .choices = "train|test", .fallback = "train"},
    {"--folds", CMD_INT, AT(folds), "N", .help = "folds of cross-validation", .lowest = 2,
     .highest = 1000, .fallback = "10"},
    {"--repeats", CMD_INT, AT(repeats), "N",
     .help = "how often it is repeated, with other folds", .lowest = 1, .highest = 1000,
     .fallback = "1"},
    {"--fold", CMD_TEXT, AT(fold), "COLUMN",
     .help = "folds of your own: posts with the same value here are judged by what was "
             "learned from all others; in place of --folds"},
    {"--group", CMD_TEXT, AT(group), "COLUMN",
     .help = "posts with the same value here, such as a project, always stand on the "
             "same side, as near duplicates do"},
    {"--c", CMD_REAL, AT(c), "X",
     .help = "C of linear and logistic, how much an error costs; without it, it is tuned",
     .highest = 1e6},
    {"--class-weights", CMD_TEXT, AT(class_weights), "HOW",
     .help =
         "linear and logistic: errors on small classes cost more (balanced), all cost "
         "the same (none), or CLASS=X,... for those that cost X times as much; "
         "without it, balanced or none, whichever is better inside"},
    {"--curve", CMD_FLAG, AT(curve), NULL,
     .help = "also show macro F1 with fewer labels to learn from, and what 100 more "
             "would bring"},
    {"--explain", CMD_TEXT, AT(explain), "ID",
     .help = "show which words decide about one post: of --data, with --model of --in, "
             "or of the study's corpus; without --id the number of its row, from 1"},
    {"--out", CMD_TEXT, AT(out), "DIR",
     .help =
         "write the prediction of every post that was judged on, with the probability "
         "of each class (predictions.csv), those that are wrong in any repetition "
         "(misclassified.csv) and ROC and precision-recall curves (curves.csv) into "
         "this folder; with several methods those of the first"},
    {"--save", CMD_TEXT, AT(save), "FILE",
     .help = "write the model, learned from all labelled posts, to this file"},
    {"--model", CMD_TEXT, AT(model), "FILE",
     .help = "apply this saved model to --in instead of learning"},
    {"--in", CMD_TEXT, AT(in), "FILE",
     .help = "csv or json lines of posts: with --model print their classes, else the "
             "share of each class"},
    {"--every-class", CMD_FLAG, AT(every_class), NULL,
     .help =
         "with --model: a line for every class of each post, with its probability and "
         "whether it is given"},
    {"--by", CMD_TEXT, AT(by), "COLUMN",
     .help =
         "shares also for each value of this column of --in, such as a year; needs --id"},
    {"--chosen", CMD_TEXT, AT(chosen), "COLUMN",
     .help =
         "column of --data with a value, other than 0, no or false, for posts that were "
         "not drawn at random: they are learned from, but shares do not rest on them"},
    {"--strata", CMD_TEXT, AT(strata), "COLUMN",
     .help = "column of --in with the stratum of each post, where labelled posts were "
             "drawn from each at a rate of its own: a label counts for the posts that it "
             "stands for; needs --id"},
    {"--seed", CMD_INT, AT(seed), "N", .help = "where random numbers begin",
     .highest = INT64_MAX, .fallback = "1"},
    {"--threads", CMD_INT, AT(threads), "N",
     .help = "threads; 0 is one a core, and no number changes the result", .highest = 256,
     .fallback = "0"},
    {"--json", CMD_FLAG, AT(json), NULL,
     .help = "print a JSON object for each method, on a line of its own"},
    {0},
};

static bool check_shares(const struct cmd_classify_args *args, struct err *err)
{
    if (args->model != NULL)
        return (args->by == NULL && args->chosen == NULL && args->strata == NULL) ||
               err_set(err, ERR_USAGE,
                       "--by, --chosen and --strata are for shares, which need --data in "
                       "place of --model");
    if (args->in != NULL && args->test != NULL)
        return err_set(err, ERR_USAGE,
                       "--in and --test exclude each other: shares rest on labelled "
                       "posts that cross-validation has predicted");
    if ((args->by != NULL || args->chosen != NULL || args->strata != NULL) &&
        args->in == NULL)
        return err_set(err, ERR_USAGE, "--by, --chosen and --strata need --in FILE");
    if (args->strata != NULL && args->id == NULL)
        return err_set(err, ERR_USAGE,
                       "--strata needs --id COLUMN, which tells the labelled posts of "
                       "each stratum in --in");
    if (args->by != NULL && args->id == NULL)
        return err_set(err, ERR_USAGE,
                       "--by needs --id COLUMN, which tells the labelled posts of each "
                       "group in --in");
    return true;
}

/* Folds and costs of one's own. */
static bool check_own(const struct cmd_classify_args *args, struct err *err)
{
    bool linear = strstr(args->method, "linear") != NULL ||
                  strstr(args->method, "logistic") != NULL;

    if (args->fold != NULL && args->group != NULL)
        return err_set(err, ERR_USAGE,
                       "--fold and --group exclude each other: folds of your own are "
                       "taken as they are");
    if (args->fold != NULL && args->repeats > 1)
        return err_set(err, ERR_USAGE,
                       "--fold and --repeats exclude each other: folds of your own are "
                       "the same each time");
    if ((args->fold != NULL || args->group != NULL) && args->test != NULL)
        return err_set(err, ERR_USAGE,
                       "--fold and --group are for cross-validation, not for --test");
    if (args->every_class && args->model == NULL)
        return err_set(err, ERR_USAGE,
                       "--every-class is for --model; --out writes the probabilities of "
                       "every class of posts that were judged on");
    if (args->c.given && args->c.value <= 0)
        return err_set(err, ERR_USAGE, "--c is %g, expected a number above 0",
                       args->c.value);
    if ((args->c.given || args->class_weights != NULL) && args->model == NULL && !linear)
        return err_set(err, ERR_USAGE,
                       "--c and --class-weights are for the methods linear and "
                       "logistic, not for %s",
                       args->method);
    if (args->class_weights != NULL && strchr(args->class_weights, '=') != NULL &&
        strcmp(args->several, "rest") != 0)
        return err_set(err, ERR_USAGE,
                       "weights of single classes are for --several rest, not for sets "
                       "of labels");
    return true;
}

static bool check_keyword_weight(const struct cmd_classify_args *args, struct err *err)
{
    const char *given = args->normaliser != NULL ? "--normaliser"
                        : args->top > 0          ? "--top"
                        : args->outside != NULL  ? "--outside"
                        : args->title != NULL    ? "--title"
                                                 : NULL;

    if (given != NULL &&
        strstr(args->method, learn_model_methods[LEARN_MODEL_KEYWORD_WEIGHT]) == NULL)
        return err_set(err, ERR_USAGE, "%s is for --method keyword-weight", given);
    if (args->outside != NULL && args->top == 0)
        return err_set(err, ERR_USAGE,
                       "--outside needs --top N: without it no word is outside");
    return true;
}

static bool methods_use_vectors(const struct cmd_classify_args *args)
{
    bool any = false;

    for (size_t i = 0; i < LEARN_MODEL_METHODS; i++)
        any = any || (learn_model_uses_vectors((enum learn_model_method)i) &&
                      strstr(args->method, learn_model_methods[i]) != NULL);
    return any;
}

/* A saved model is what it is; options that would shape or judge it are refused. */
static bool check_applying(const struct cmd_classify_args *args, struct err *err)
{
    const struct {
        const char *name;
        bool given;
    } learning[] = {{"--label", args->label != NULL},
                    {"--test", args->test != NULL},
                    {"--save", args->save != NULL},
                    {"--keywords", args->keywords != NULL},
                    {"--weights", args->weights != NULL},
                    {"--idf", args->idf != NULL},
                    {"--stop-words", args->stop_words != NULL},
                    {"--runs", args->runs > 0},
                    {"--min-posts", args->min_posts > 0},
                    {"--max-share", args->max_share.given},
                    {"--select", args->select > 0},
                    {"--curve", args->curve},
                    {"--fold", args->fold != NULL},
                    {"--group", args->group != NULL},
                    {"--c", args->c.given},
                    {"--class-weights", args->class_weights != NULL},
                    {"--out", args->out != NULL},
                    {"--json", args->json}};

    for (size_t i = 0; i < ROWS_OF(learning); i++)
        if (learning[i].given)
            return err_set(err, ERR_USAGE,
                           "%s is for learning with --data; --model applies what was "
                           "learned, and prints csv",
                           learning[i].name);
    return true;
}

static bool check_args(const struct cmd_classify_args *args, struct err *err)
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
        return err_set(
            err, ERR_USAGE,
            "--model and --data exclude each other: a saved model does not learn");
    if (args->model != NULL && !check_applying(args, err))
        return false;
    if (args->level > 0 && args->model == NULL)
        return err_set(
            err, ERR_USAGE,
            "--level is for --model; learning shows all levels with --hierarchy");
    if (args->model == NULL && (args->from == NULL || args->label == NULL))
        return err_set(err, ERR_USAGE,
                       "learning needs --data FILE and --label COLUMN; a saved model is "
                       "applied with --model FILE --in FILE");
    if (args->text == NULL && args->model == NULL)
        return err_set(err, ERR_USAGE, "--text is missing: the columns to read");
    if (args->unlabelled != NULL && args->model == NULL && !methods_use_vectors(args))
        return err_set(err, ERR_USAGE,
                       "--unlabelled is for the methods linear and logistic, not for %s",
                       args->method);
    if (args->unlabelled != NULL && args->model != NULL)
        return err_set(err, ERR_USAGE,
                       "--unlabelled is for learning; a saved model has its vectors");
    if (args->vectors != NULL && args->model == NULL && !methods_use_vectors(args))
        return err_set(err, ERR_USAGE,
                       "--vectors is for the methods linear and logistic, not for %s",
                       args->method);
    if (args->vectors != NULL && args->id == NULL && args->model == NULL &&
        (args->test != NULL || args->in != NULL))
        return err_set(err, ERR_USAGE,
                       "--vectors beside --test or --in needs --id COLUMN: row numbers "
                       "are the same in both files");
    if (args->keys != NULL && args->vectors == NULL)
        return err_set(err, ERR_USAGE,
                       "--keys needs --vectors FILE, whose rows they name");
    if (args->embed.url != NULL && args->text == NULL)
        return err_set(err, ERR_USAGE, "--embed needs --text COLUMNS: what it sends");
    if (args->explain != NULL && args->json)
        return err_set(err, ERR_USAGE, "--explain and --json exclude each other");
    return cmd_embedding_check(&args->embed, args->vectors, err) &&
           check_shares(args, err) && check_own(args, err) &&
           check_keyword_weight(args, err);
}

static bool add_scores(const struct study *study,
                       const struct study_classifier *classifier, const char *what,
                       struct arena *arena, struct buf *out, struct err *err)
{
    struct str of = arena_format(arena, "classifiers.%.*s", STR_ARG(classifier->name));
    struct result_table table;
    struct study_table shown = {
        .from = file_join(study->home,
                          arena_format(arena, "out/results/%.*s.result", STR_ARG(of)).ptr,
                          arena),
        .part = str_from(what)};
    bool ok = run_tabulating_show(&shown, arena, &table, err);
    table.name = shown.part;
    if (ok && table.row_count > 0)
        cmd_classify_add_table(&table, of, arena, out);
    else if (ok)
        buf_add_format(out, "\n%.*s, %s: too few labels yet\n", STR_ARG(of), what);
    return ok;
}

/* The study is brought up to date, and tells how its classifiers fared. */
static bool show_study(struct cmd_session *session, const struct cmd_classify_args *args,
                       struct err *err)
{
    struct cmd_opening_args opening = {
        .study = args->study, .quiet = true, .threads = args->threads, .checkpoint = 256};
    struct cmd_opening_run ran;
    struct buf out = {0};
    bool ok = cmd_opening_run(session, &opening, "assay classify", NULL, &ran, err);

    lock_release(&ran.lock);
    if (ok && ran.study.classifier_count == 0)
        ok = err_set(err, ERR_INPUT, "%s: there is no section `classifiers`",
                     ran.study.path);
    for (size_t i = 0; ok && i < ran.study.classifier_count; i++)
        ok = add_scores(&ran.study, &ran.study.classifiers[i], "scores", &session->arena,
                        &out, err) &&
             add_scores(&ran.study, &ran.study.classifiers[i], "overall", &session->arena,
                        &out, err);
    if (ok && args->explain != NULL)
        ok = cmd_classify_explain_study(&ran.study, args->explain, &session->arena, &out,
                                        err);
    if (ok)
        cmd_print(&out);
    buf_free(&out);
    return ok;
}

/* Vectors that a server is to make first. */
static bool embed(const struct cmd_classify_args *args, struct arena *arena,
                  struct err *err)
{
    struct cmd_embedding_tables tables = {
        {args->from, args->test, args->in}, args->text, args->id};
    struct cmd_embedding_to to = {.file = args->vectors, .keys = args->keys};

    if (args->embed.url == NULL)
        return true;
    struct study_embed how = cmd_embedding_how(&args->embed);
    return cmd_embedding_make_tables(&how, &tables, &to, arena, err);
}

static void free_trial(struct cmd_classify_trial *trial)
{
    learn_examples_free(&trial->examples);
    learn_judge_free(&trial->judged);
}

static bool run(struct cmd_session *session, const void *arguments, struct err *err)
{
    const struct cmd_classify_args *args = arguments;

    if (args->study != NULL) {
        if (args->from != NULL || args->model != NULL || args->in != NULL ||
            args->label != NULL || args->save != NULL || args->test != NULL ||
            args->unlabelled != NULL || args->vectors != NULL)
            return err_set(err, ERR_USAGE,
                           "'%s' is taken for a study, beside which only --explain and "
                           "--threads have a meaning",
                           args->study);
        return show_study(session, args, err);
    }
    if (!check_args(args, err))
        return false;
    struct cmd_classify_work *work =
        arena_array(&session->arena, struct cmd_classify_work, 1);
    work->args = args;
    work->arena = &session->arena;
    bool ok = embed(args, &session->arena, err) &&
              (args->model != NULL ? cmd_classify_apply_saved(work, err)
                                   : cmd_classify_learn(work, err));
    if (ok)
        cmd_print(&work->out);
    for (size_t i = 0; i < work->trial_count; i++)
        free_trial(work->trials + i);
    learn_vectors_free(&work->vectors);
    buf_free(&work->out);
    return ok;
}

const struct cmd cmd_classify = {
    .name = "classify",
    .summary = "Learn classes from labelled posts, judge that honestly, apply it",
    .operands = operands,
    .options = options,
    .run = run,
};
