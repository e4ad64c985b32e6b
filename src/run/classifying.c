/* Labelled items are judged twice: on a part that is held out, which gives the scores,
 * and by cross-validation, which predicts every labelled item by a model that has not
 * seen it. All other items are predicted by the mean of those models, so that estimated
 * shares can be corrected (see quantify.h). */
#include "run/classifying.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "input/csv.h"
#include "learn/judge.h"
#include "learn/model.h"
#include "run/classifying_behind.h"
#include "run/texts.h"
#include "run/word_vectors.h"
#include "stats/distribution.h"

enum {
    BLOCK = 4096,
    RESAMPLES = 1000,
    ALL_PARTS = (1 << PARTS_COUNT) - 1,
    ITEMS_MIN = 10, /* with fewer nothing can be held out, learned and tuned */
};

struct work {
    const struct classifying_inputs *inputs;
    const struct study_classifier *classifier;
    struct output *output;
    struct arena arena;

    size_t *classes; /* codes of the labels, in their order */
    size_t class_count;
    size_t *items; /* labelled ones, in the frame, ascending */
    size_t item_count;
    struct membership truth;
    struct model_settings settings;
    struct vectors vectors;
    struct examples examples;
    struct judged crossed;
    struct model mean;
    unsigned parts;
};

static struct buf *add_file(struct work *work, const char *name)
{
    return output_add_below(work->output, "classifiers", work->classifier->name, name);
}

static const struct labels_code *code_of(const struct work *work, size_t class)
{
    return &work->inputs->labels->codes[work->classes[class]];
}

static bool fails(struct work *work, struct err *err)
{
    return err_at(err, "classifiers.%.*s: ", STR_ARG(work->classifier->name));
}

/* What is learned from. */

static size_t code_at(const struct work *work, const struct labels_entry *entry)
{
    return labels_at_level(work->inputs->labels, entry->code, work->classifier->level);
}

/* Classes are the codes that some item has; items those that have a code. */
static void list_items(struct work *work)
{
    const struct labels *labels = work->inputs->labels;
    size_t *class_of = arena_array(&work->arena, size_t, labels->code_count + 1);
    bool *used = arena_array(&work->arena, bool, labels->code_count + 1);
    bool several = false;

    for (size_t e = 0; e < labels->count; e++)
        used[code_at(work, &labels->entries[e])] = true;
    work->classes = arena_array(&work->arena, size_t, labels->code_count + 1);
    for (size_t c = 0; c < labels->code_count; c++)
        if (used[c]) {
            class_of[c] = work->class_count;
            work->classes[work->class_count++] = c;
        }
    work->items = arena_array(&work->arena, size_t, labels->count + 1);
    size_t *last = arena_array(&work->arena, size_t, labels->count + 1);
    for (size_t e = 0; e < labels->count; e++) {
        size_t code = code_at(work, &labels->entries[e]);
        if (work->item_count == 0 ||
            work->items[work->item_count - 1] != labels->entries[e].item) {
            last[work->item_count] = code;
            work->items[work->item_count++] = labels->entries[e].item;
        } else if (last[work->item_count - 1] != code) {
            several = true;
        }
    }
    work->truth =
        membership_new(work->item_count, work->class_count, several, &work->arena);
    for (size_t e = 0, i = 0; e < labels->count; e++) {
        while (work->items[i] != labels->entries[e].item)
            i++;
        size_t class = class_of[code_at(work, &labels->entries[e])];
        work->truth.is[i * work->class_count + class] = 1;
    }
}

static bool read_texts(struct work *work, const size_t *items, size_t count,
                       struct arena *arena, struct parts *out, struct err *err)
{
    const struct frame *frame = work->inputs->frame;
    int64_t *ids = arena_array(arena, int64_t, count + 1);

    for (size_t i = 0; i < count; i++)
        ids[i] = frame->ids[items[i]];
    return texts_read(frame->corpus, ids, count, work->parts, arena, out, err);
}

static size_t find_class(const struct work *work, struct str name)
{
    size_t class = 0;

    while (class < work->class_count && !str_eq(code_of(work, class)->id, name) &&
           !str_eq(code_of(work, class)->name, name))
        class ++;
    return class;
}

/* A csv with the columns class and word. */
static bool read_keywords(struct work *work, struct err *err)
{
    const char *path = work->classifier->keywords;
    struct csv csv = {.path = path};
    struct csv_row row;
    struct buf keywords = {0};
    struct str text;
    size_t columns[2] = {0, 0};
    bool ok = path == NULL || file_read(path, &work->arena, &text, err);

    if (path == NULL || !ok)
        return ok;
    csv_push(&csv, text, true);
    for (bool head = true; ok && csv_next(&csv, &row, err); head = false) {
        static const char *const names[] = {"class", "word"};
        for (size_t n = 0; head && n < ROWS_OF(names); n++) {
            while (columns[n] < row.count &&
                   !str_eq(str_trim(row.fields[columns[n]]), str_from(names[n])))
                columns[n]++;
            if (columns[n] == row.count && ok)
                ok = err_set(err, ERR_INPUT, "%s:1: there is no column '%s'", path,
                             names[n]);
        }
        if (head)
            continue;
        struct model_keyword keyword = {
            arena_copy(&work->arena, str_trim(row.fields[columns[1]])),
            find_class(work, str_trim(row.fields[columns[0]]))};
        if (keyword.class == work->class_count)
            ok = err_set(err, ERR_INPUT, "%s:%lld: '%.*s' is no code of the labels", path,
                         (long long)row.line, STR_ARG(row.fields[columns[0]]));
        buf_add(&keywords, (struct str){(const char *)&keyword, sizeof keyword});
    }
    ok = ok && !csv.failed;
    work->settings.keyword_count = keywords.len / sizeof(struct model_keyword);
    struct model_keyword *copy =
        arena_array(&work->arena, struct model_keyword, work->settings.keyword_count + 1);
    if (keywords.len > 0)
        memcpy(copy, keywords.ptr, keywords.len);
    work->settings.keywords = copy;
    buf_free(&keywords);
    csv_free(&csv);
    return ok;
}

static enum model_method method_of(struct str name)
{
    enum model_method method = 0;

    while (method < MODEL_METHODS - 1 && !str_eq(name, str_from(model_methods[method])))
        method++;
    return method;
}

static void choose_features(const struct study_classifier *classifier,
                            struct model_settings *settings)
{
    struct choice choice = {.run_max = classifier->runs,
                            .df_min = classifier->min_items,
                            .df_max = classifier->max_share,
                            .select = classifier->select,
                            .idf = classifier->idf,
                            .stops = classifier->stop_words,
                            .words_alone = !classifier->letters,
                            .length = str_eq(classifier->normaliser, STR("l2")),
                            .only_top = str_eq(classifier->outside, STR("nothing")),
                            .body_wins = str_eq(classifier->title, STR("replaced")),
                            .top = classifier->top};

    for (size_t i = 0; i < STUDY_PARTS; i++)
        for (size_t p = 0; p < PARTS_COUNT; p++)
            if (strcmp(study_parts[i], parts_names[p]) == 0 &&
                !isnan(classifier->weights[i])) {
                choice.chosen[p] = true;
                choice.parts[p] = classifier->weights[i];
            }
    choice_apply(&choice, settings);
}

static bool prepare(struct work *work, struct err *err)
{
    const struct study_classifier *classifier = work->classifier;

    work->parts = texts_parts(classifier->features, classifier->feature_count, ALL_PARTS);
    work->settings = model_defaults(method_of(classifier->method));
    work->settings.seed = classifier->seed;
    choose_features(classifier, &work->settings);
    struct parts *posts = arena_array(&work->arena, struct parts, work->item_count + 1);
    if (!read_keywords(work, err) ||
        !read_texts(work, work->items, work->item_count, &work->arena, posts, err))
        return false;
    bool vectors = classifier->vectors && model_uses_vectors(work->settings.method);
    if (vectors &&
        !word_vectors_learn(work->inputs->frame, work->inputs->predict, work->parts,
                            classifier->seed, &work->vectors, err))
        return false;
    examples_make(posts, work->truth, work->settings.features,
                  vectors ? &work->vectors : NULL, &work->arena, &work->examples);
    return true;
}

/* Scores on the part that is held out. */

static void add_estimate(struct buf *out, const struct bootstrap *it)
{
    output_number(it->estimate, out);
    output_number(it->low, out);
    output_number(it->high, out);
}

static void add_scores(struct work *work, const struct score *score,
                       const struct score_intervals *intervals)
{
    struct buf *out = add_file(work, "scores.csv");

    buf_add(out,
            STR("class,items,predicted,precision,precision low,precision high,recall,"
                "recall low,recall high,F1,F1 low,F1 high\n"));
    for (size_t k = 0; k < work->class_count; k++) {
        buf_add_csv(out, code_of(work, k)->name);
        buf_add_format(out, ",%.0f,%.0f", score->of[k].items, score->of[k].predicted);
        add_estimate(out, &intervals->precision[k]);
        add_estimate(out, &intervals->recall[k]);
        add_estimate(out, &intervals->f1[k]);
        buf_add_char(out, '\n');
    }
}

static void add_overall(struct work *work, const struct score *score,
                        const struct score_intervals *intervals)
{
    struct buf *out = add_file(work, "overall.csv");
    struct buf *numbers =
        output_add_numbers(work->output, "classifiers", work->classifier->name);

    buf_add(out, STR("score,value,value low,value high\n"));
    numbers_add_plain(numbers, "labelled", (double)work->item_count);
    numbers_add_plain(numbers, "held-out", (double)score->items);
    if (work->examples.vectors.vectors != NULL)
        numbers_add_plain(numbers, "folds-with-vectors",
                          (double)judge_rounds_with_vectors(&work->crossed));
    for (size_t i = 0; i < SCORE_OVERALL; i++) {
        const struct bootstrap *it = &intervals->overall[i];
        struct buf slug = {0};
        buf_add_format(out, "%s", score_names[i]);
        add_estimate(out, it);
        buf_add_char(out, '\n');
        measure_slug(str_from(score_names[i]), &slug);
        numbers_add(numbers, &(struct number){.column = buf_str(&slug),
                                              .value = it->estimate,
                                              .low = it->low,
                                              .high = it->high,
                                              .n = (int64_t)score->items});
        buf_free(&slug);
    }
    buf_add_format(&work->output->says,
                   "%zu labelled items, macro F1 %.2f on %zu of them", work->item_count,
                   score->overall[SCORE_MACRO_F1], score->items);
}

static void add_confusion(struct work *work, const struct score *score)
{
    struct buf *out = add_file(work, "confusion.csv");

    buf_add(out, STR("class"));
    for (size_t k = 0; k < work->class_count; k++) {
        buf_add_char(out, ',');
        buf_add_csv(out, code_of(work, k)->name);
    }
    buf_add_char(out, '\n');
    for (size_t t = 0; t < work->class_count && score->confusion != NULL; t++) {
        buf_add_csv(out, code_of(work, t)->name);
        for (size_t k = 0; k < work->class_count; k++)
            buf_add_format(out, ",%.0f", score->confusion[t * work->class_count + k]);
        buf_add_char(out, '\n');
    }
}

static void add_calibration(struct work *work, const struct judged *judged)
{
    struct score_calibration it =
        score_calibration(&judged->truth, judged->probabilities);
    struct buf *out = add_file(work, "calibration.csv");

    buf_add(out, STR("said to be,items,mean probability,share right\n"));
    for (size_t b = 0; b < SCORE_BINS; b++) {
        const struct score_bin *bin = &it.bins[b];
        buf_add_format(out, "%.1f to %.1f,%.0f", (double)b / SCORE_BINS,
                       (double)(b + 1) / SCORE_BINS, bin->items);
        output_share(bin->items > 0 ? bin->sure : NAN, out);
        output_share(bin->items > 0 ? bin->right : NAN, out);
        buf_add_char(out, '\n');
    }
}

/* The items of the scores, for whoever wants to see them. */
static void add_behind(struct work *work, const struct judged *judged,
                       struct folds_items test, const struct score_intervals *intervals)
{
    int64_t *ids = arena_array(&work->arena, int64_t, test.count + 1);
    struct str *names = arena_array(&work->arena, struct str, work->class_count + 1);

    for (size_t i = 0; i < test.count; i++)
        ids[i] = work->inputs->frame->ids[work->items[test.at[i]]];
    for (size_t k = 0; k < work->class_count; k++)
        names[k] = code_of(work, k)->name;
    classifying_behind_make(
        &(struct classifying_behind){.output = work->output,
                                     .classifier = work->classifier->name,
                                     .ids = ids,
                                     .truth = &judged->truth,
                                     .said = &judged->predicted,
                                     .names = names,
                                     .intervals = intervals});
}

static bool judge_held_out(struct work *work, struct err *err)
{
    struct rng rng = rng_stream(work->classifier->seed, 1, 0);
    struct folds_items all = folds_all(work->item_count, &work->arena), test, train;
    struct model model;
    struct judged judged;

    folds_hold_out(&work->truth, work->examples.groups, all, work->classifier->test, &rng,
                   &work->arena, &test, &train);
    if (!model_train(&work->settings, &work->examples, train, &work->arena, &model, err))
        return false;
    judge_items(&model, &work->examples, test, &work->arena, &judged);
    struct score score = score_of(&judged.truth, &judged.predicted, &work->arena);
    struct score_intervals intervals = score_intervals(
        &judged.truth, &judged.predicted,
        (struct bootstrap_options){0.95, RESAMPLES, work->classifier->seed},
        &work->arena);
    add_scores(work, &score, &intervals);
    add_overall(work, &score, &intervals);
    add_confusion(work, &score);
    add_calibration(work, &judged);
    add_behind(work, &judged, test, &intervals);
    return true;
}

/* Cross-validation: the learning curve, and what every labelled item is taken for. */

static struct judge_options folding(const struct work *work)
{
    return (struct judge_options){.folds = (size_t)work->classifier->folds,
                                  .repeats = 1,
                                  .seed = work->classifier->seed,
                                  .threads = work->inputs->threads,
                                  .keep = true};
}

/* Of a 95% interval over folds, which share what they learn from: Nadeau and Bengio,
 * "Inference for the generalization error", Machine Learning 52, 2003. */
static double half_width(const struct work *work, const struct judge_step *step)
{
    double rounds = (double)work->crossed.rounds;
    double share = 1 / rounds + work->crossed.test_share / step->share;

    return rounds > 1 ? distribution_t_quantile(0.975, rounds - 1) * sqrt(share) *
                            step->deviation
                      : NAN;
}

static bool add_learning(struct work *work, struct err *err)
{
    struct judge_options how = folding(work);
    struct judge_step steps[JUDGE_STEPS];
    struct buf *out = add_file(work, "learning.csv");

    how.keep = false;
    if (!judge_curve(&work->settings, &work->examples, how, &work->crossed, &work->arena,
                     steps, err))
        return false;
    buf_add(out, STR("items learned from,macro F1,macro F1 low,macro F1 high\n"));
    for (size_t s = 0; s < JUDGE_STEPS; s++) {
        buf_add_format(out, "%.0f", steps[s].items);
        double half = half_width(work, &steps[s]);
        output_number(steps[s].macro_f1, out);
        output_number(fmax(steps[s].macro_f1 - half, 0), out);
        output_number(fmin(steps[s].macro_f1 + half, 1), out);
        buf_add_char(out, '\n');
    }
    return true;
}

static bool cross_validate(struct work *work, struct err *err)
{
    if (!judge_folds(&work->settings, &work->examples, folding(work), &work->arena,
                     &work->crossed, err))
        return false;
    work->mean =
        model_mean(work->crossed.models, work->crossed.model_count, &work->arena);
    return true;
}

/* Predictions. */

static bool is_chosen(const struct work *work, size_t item)
{
    struct bits chosen = work->inputs->chosen;

    return chosen.words != NULL && bits_has(chosen, item);
}

static void add_numbers_of(struct buf *out, const uint8_t *is, size_t classes)
{
    bool any = false;

    for (size_t k = 0; k < classes; k++)
        if (is[k]) {
            buf_add_format(out, "%s%zu", any ? " " : "", k);
            any = true;
        }
}

struct predicted {
    struct buf *codes, *items;
};

/* truth NULL: not labelled. */
static void add_prediction(struct work *work, struct predicted *to, size_t item,
                           const uint8_t *truth, const uint8_t *said,
                           const double *probabilities)
{
    int64_t id = work->inputs->frame->ids[item];

    if (bits_has(work->inputs->predict, item))
        for (size_t k = 0; k < work->class_count; k++)
            if (said[k]) {
                item_key_add_csv(to->codes, work->inputs->frame->spaces, id);
                buf_add_char(to->codes, ',');
                buf_add_csv(to->codes, code_of(work, k)->id);
                buf_add_char(to->codes, ',');
                buf_add_csv(to->codes, code_of(work, k)->name);
                buf_add_format(to->codes, ",%.4f\n", probabilities[k]);
            }
    item_key_add_csv(to->items, work->inputs->frame->spaces, id);
    buf_add_format(to->items, ",%s,",
                   truth == NULL           ? ""
                   : is_chosen(work, item) ? "chosen"
                                           : "drawn");
    if (truth != NULL)
        add_numbers_of(to->items, truth, work->class_count);
    buf_add_char(to->items, ',');
    add_numbers_of(to->items, said, work->class_count);
    buf_add_char(to->items, ',');
    if (work->inputs->stratum != NULL)
        buf_add_format(to->items, "%zu", work->inputs->stratum[item]);
    for (size_t k = 0; k < work->class_count; k++)
        buf_add_format(to->items, ",%.6f", probabilities[k]);
    buf_add_char(to->items, '\n');
}

static void add_labelled(struct work *work, struct predicted *to)
{
    size_t classes = work->class_count;

    for (size_t i = 0; i < work->item_count; i++)
        add_prediction(work, to, work->items[i], work->truth.is + i * classes,
                       work->crossed.predicted.is + i * classes,
                       work->crossed.probabilities + i * classes);
}

static bool predict_block(struct work *work, const size_t *items, size_t count,
                          struct predicted *to, struct arena *arena, struct err *err)
{
    size_t classes = work->class_count;
    struct parts *posts = arena_array(arena, struct parts, count + 1);
    uint8_t *said = arena_array(arena, uint8_t, count * classes + 1);
    double *probabilities = arena_array(arena, double, count *classes + 1);
    struct apply apply = {&work->mean, work->settings.features, &work->examples.table,
                          work->inputs->threads};

    if (!read_texts(work, items, count, arena, posts, err) ||
        !apply_model(&apply, (struct apply_posts){count, posts, NULL}, arena, said,
                     probabilities, err))
        return false;
    for (size_t i = 0; i < count; i++)
        add_prediction(work, to, items[i], NULL, said + i * classes,
                       probabilities + i * classes);
    return true;
}

static bool predict(struct work *work, struct err *err)
{
    struct bits predict = work->inputs->predict;
    struct predicted to = {add_file(work, "predicted.csv"), add_file(work, "items.csv")};
    size_t block[BLOCK], filled = 0, labelled = 0;
    struct arena arena = {0};
    bool ok = true;

    buf_add(to.codes, STR("id,code,name,probability\n"));
    buf_add(to.items, STR("id,role,truth,said,stratum"));
    for (size_t k = 0; k < work->class_count; k++) {
        buf_add_char(to.items, ',');
        buf_add_csv(to.items, code_of(work, k)->id);
    }
    buf_add_char(to.items, '\n');
    add_labelled(work, &to);
    for (size_t i = bits_next(predict, 0); ok && i < predict.count;
         i = bits_next(predict, i + 1)) {
        while (labelled < work->item_count && work->items[labelled] < i)
            labelled++;
        if (labelled < work->item_count && work->items[labelled] == i)
            continue;
        block[filled++] = i;
        if (filled == BLOCK) {
            ok = predict_block(work, block, filled, &to, &arena, err);
            arena_free(&arena);
            filled = 0;
        }
    }
    ok = ok && (filled == 0 || predict_block(work, block, filled, &to, &arena, err));
    arena_free(&arena);
    return ok;
}

/* The model for use elsewhere learns from everything. */
static bool add_model(struct work *work, struct err *err)
{
    struct folds_items all = folds_all(work->item_count, &work->arena);
    struct str *names = arena_array(&work->arena, struct str, work->class_count + 1);
    struct str *ids = arena_array(&work->arena, struct str, work->item_count + 1);
    struct model_file file = {.features = work->settings.features,
                              .table = work->examples.table,
                              .classes = names,
                              .training_count = (int64_t)work->item_count};

    for (size_t k = 0; k < work->class_count; k++)
        names[k] = code_of(work, k)->id;
    for (size_t i = 0; i < work->item_count; i++) {
        struct buf id = {0};
        buf_add_int(&id, work->inputs->frame->ids[work->items[i]]);
        ids[i] = arena_copy(&work->arena, buf_str(&id));
        buf_free(&id);
    }
    file.training = model_file_hash(ids, work->item_count);
    if (!model_train(&work->settings, &work->examples, all, &work->arena, &file.model,
                     err))
        return false;
    model_file_write(&file, &work->arena, add_file(work, "model"));
    return true;
}

/* Labels may be yet to come: then there is nothing to show, which is no error. */
static void add_nothing(struct work *work)
{
    static const struct {
        const char *name, *heads;
    } files[] = {{"scores.csv", "class,items"},
                 {"overall.csv", "score,value"},
                 {"confusion.csv", "class"},
                 {"calibration.csv", "said to be,items"},
                 {"learning.csv", "items learned from,macro F1"},
                 {"predicted.csv", "id,code"},
                 {"items.csv", "id,role,truth,said,stratum"}};

    for (size_t i = 0; i < ROWS_OF(files); i++)
        buf_add_format(add_file(work, files[i].name), "%s\n", files[i].heads);
    classifying_behind_nothing(work->output, work->classifier->name);
    numbers_add_plain(
        output_add_numbers(work->output, "classifiers", work->classifier->name),
        "labelled", (double)work->item_count);
    buf_add_format(
        &work->output->says,
        "waits for labels: found %zu item%s of %zu code%s, expected %d items of "
        "two codes at least",
        work->item_count, work->item_count == 1 ? "" : "s", work->class_count,
        work->class_count == 1 ? "" : "s", ITEMS_MIN);
}

bool classifying_make(const struct classifying_inputs *inputs, struct output *output,
                      struct err *err)
{
    struct work work = {
        .inputs = inputs, .classifier = inputs->classifier, .output = output};
    bool ok = true;

    list_items(&work);
    if (work.item_count < ITEMS_MIN || work.class_count < 2)
        add_nothing(&work);
    else
        ok = (prepare(&work, err) && cross_validate(&work, err) &&
              judge_held_out(&work, err) && add_learning(&work, err) &&
              predict(&work, err) && add_model(&work, err)) ||
             fails(&work, err);
    judge_free(&work.crossed);
    examples_free(&work.examples);
    vectors_free(&work.vectors);
    arena_free(&work.arena);
    return ok;
}
