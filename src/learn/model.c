/* A model from its settings to predictions, one post or many at a time, and to the
 * reasons for them. Tuning is in learn_model_tune.c. */
#include "learn/model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/order.h"
#include "base/parallel.h"
#include "base/real.h"
#include "base/stop.h"
#include "learn/internal.h"

const char *const learn_model_methods[LEARN_MODEL_METHODS] = {
    "majority", "keyword-weight", "naive-bayes", "complement-bayes",
    "linear",   "logistic",       "centroid"};

struct learn_model_settings learn_model_defaults(enum learn_model_method method)
{
    struct learn_model_settings settings = {
        .method = method,
        .features = {.kinds = 1u << LEARN_FEATURES_WORD | 1u << LEARN_FEATURES_STEM |
                              1u << LEARN_FEATURES_RUN | 1u << LEARN_FEATURES_LETTERS |
                              1u << LEARN_FEATURES_ERROR,
                     .run_max = 2,
                     .letters_min = 3,
                     .letters_max = 5},
        .weigh = {.parts = {0.7, 1, 0.5, 0.25, 0.35},
                  .letters = 1,
                  .df_min = 2,
                  .idf = LEARN_WEIGH_IDF_SMOOTH,
                  .sublinear = true,
                  .l2 = true},
        .fixed = NAN,
        .strength = NAN,
        .inner_folds = 3,
    };

    /* They take features for independent, which runs of letters are least of all: with
     * them they are better on some texts and worse on others (docs/quality.md), and slower.
     */
    if (method == LEARN_MODEL_NAIVE_BAYES || method == LEARN_MODEL_COMPLEMENT_BAYES)
        learn_model_take_words(&settings);
    if (method == LEARN_MODEL_KEYWORD_WEIGHT) {
        settings.features = (struct learn_features_options){
            .kinds = 1u << LEARN_FEATURES_WORD, .no_stop_words = true, .one_part = true};
        settings.weigh = (struct learn_weigh_options){.parts = {1, 1, 1, 1, 1},
                                                      .df_min = 5,
                                                      .df_max = 0.5,
                                                      .idf = LEARN_WEIGH_IDF_NONE};
    }
    return settings;
}

void learn_model_take_words(struct learn_model_settings *settings)
{
    settings->features.kinds &=
        ~(1u << LEARN_FEATURES_LETTERS | 1u << LEARN_FEATURES_STEM);
}

static const uint8_t *picked_columns(const struct learn_model_settings *settings,
                                     const struct learn_examples *examples,
                                     const struct learn_weigh *weigh, struct arena *arena)
{
    size_t classes = examples->truth.classes;

    if (settings->keyword_count == 0)
        return NULL;
    uint8_t *picked = arena_array(arena, uint8_t, weigh->columns * classes + 1);
    for (size_t column = 0; column < weigh->columns; column++) {
        struct str name =
            learn_features_name(&examples->table, weigh->features_of[column]);
        for (size_t i = 0; i < settings->keyword_count; i++)
            if (str_eq(name, settings->keywords[i].word))
                picked[column * classes + settings->keywords[i].class] = 1;
    }
    return picked;
}

struct learn_scorer
learn_model_fit(const struct learn_model_settings *settings,
                const struct learn_examples *examples, const struct learn_weigh *weigh,
                const struct learn_rows *rows, const struct learn_membership *truth,
                struct learn_model_tuned tuned, double *start, struct arena *arena)
{
    struct learn_fit_keyword keyword = settings->keyword;

    switch (settings->method) {
    case LEARN_MODEL_KEYWORD_WEIGHT:
        keyword.alpha = tuned.value;
        keyword.picked = picked_columns(settings, examples, weigh, arena);
        return learn_fit_keyword(rows, truth, keyword, arena);
    case LEARN_MODEL_NAIVE_BAYES:
        return learn_fit_bayes(rows, truth, tuned.value, arena);
    case LEARN_MODEL_COMPLEMENT_BAYES:
        return learn_fit_complement(rows, truth, tuned.value, arena);
    case LEARN_MODEL_CENTROID:
        return learn_fit_centroid(rows, truth, arena);
    case LEARN_MODEL_LINEAR:
    case LEARN_MODEL_LOGISTIC:
        return learn_fit_linear(rows, truth,
                                (struct learn_fit_linear){
                                    .strength = tuned.value,
                                    .balanced = tuned.balanced,
                                    .logistic = settings->method == LEARN_MODEL_LOGISTIC,
                                    .class_weights = settings->class_weights,
                                    .alpha = start,
                                    .seed = settings->seed},
                                arena);
    default:
        return learn_fit_majority(rows, truth, arena);
    }
}

bool learn_model_is_linear(enum learn_model_method method)
{
    return method == LEARN_MODEL_LINEAR || method == LEARN_MODEL_LOGISTIC;
}

bool learn_model_uses_vectors(enum learn_model_method method)
{
    return learn_model_is_linear(method);
}

struct learn_weigh_source learn_model_source(const struct learn_model_settings *settings,
                                             const struct learn_examples *examples)
{
    struct learn_weigh_source source = {.counts = &examples->counts,
                                        .table = &examples->table};

    if (learn_model_uses_vectors(settings->method)) {
        source.vectors = examples->vectors;
        source.given = settings->without_given ? 0 : examples->given;
    }
    return source;
}

struct learn_weigh_options
learn_model_weights(const struct learn_model_settings *settings,
                    struct learn_model_tuned tuned)
{
    struct learn_weigh_options weigh = settings->weigh;

    weigh.vectors = tuned.vectors;
    weigh.given = tuned.given;
    return weigh;
}

static void train_rest(const struct learn_model_settings *settings,
                       const struct learn_examples *examples,
                       struct learn_fold_items items, struct arena *arena,
                       struct learn_model *out)
{
    struct learn_rows_builder builder = {0};
    struct learn_membership truth;

    *out = (struct learn_model){.method = settings->method,
                                .classes = examples->truth.classes,
                                .several = examples->truth.several};
    learn_model_tune(settings, examples, items, arena, out);
    struct learn_weigh_source source = learn_model_source(settings, examples);
    struct learn_weigh_options weigh = learn_model_weights(settings, out->tuned);
    out->weigh = learn_weigh_learn(&source, &examples->truth, items.at, items.count,
                                   &weigh, arena);
    learn_weigh_rows(&out->weigh, &examples->counts, items.at, items.count, &builder);
    truth = learn_membership_of(&examples->truth, items.at, items.count, arena);
    struct learn_rows rows = learn_rows_of(&builder, out->weigh.columns);
    out->scorer = learn_model_fit(settings, examples, &out->weigh, &rows, &truth,
                                  out->tuned, NULL, arena);
    learn_rows_builder_free(&builder);
}

static void train_powerset(const struct learn_model_settings *settings,
                           const struct learn_examples *examples,
                           struct learn_fold_items items, struct arena *arena,
                           struct learn_model *out)
{
    size_t classes = examples->truth.classes;
    struct learn_powerset *sets = arena_array(arena, struct learn_powerset, 1);
    struct learn_model *inner = arena_array(arena, struct learn_model, 1);
    double *thresholds = arena_array(arena, double, classes + 1);
    struct learn_examples as_sets = *examples;
    struct learn_model_settings own = *settings;

    *sets = learn_powerset_make(&examples->truth, items, arena);
    as_sets.truth = learn_powerset_truth(sets, &examples->truth, arena);
    own.class_weights = NULL;
    train_rest(&own, &as_sets, items, arena, inner);
    for (size_t k = 0; k < classes; k++)
        thresholds[k] = 0.5; /* of predict_powerset()'s scores */
    *out = (struct learn_model){.method = settings->method,
                                .classes = classes,
                                .several = true,
                                .sharpness = 1,
                                .thresholds = thresholds,
                                .tuned = inner->tuned,
                                .powerset = sets,
                                .inner = inner};
}

static void train_one(const struct learn_model_settings *settings,
                      const struct learn_examples *examples,
                      struct learn_fold_items items, struct arena *arena,
                      struct learn_model *out)
{
    if (settings->several == LEARN_MODEL_POWERSET && examples->truth.several)
        train_powerset(settings, examples, items, arena, out);
    else
        train_rest(settings, examples, items, arena, out);
}

struct learn_model learn_model_mean(const struct learn_model *models, size_t count,
                                    struct arena *arena)
{
    double *thresholds = arena_array(arena, double, models->classes + 1);
    struct learn_model_tuned tuned = {.value = NAN, .macro_f1 = NAN};

    for (size_t i = 0; i < count; i++) {
        tuned.vectors = fmax(tuned.vectors, models[i].tuned.vectors);
        tuned.given = fmax(tuned.given, models[i].tuned.given);
    }
    /* Where each decides, on the scale of the probabilities that are averaged. */
    for (size_t k = 0; k < models->classes; k++)
        for (size_t i = 0; i < count; i++)
            thresholds[k] +=
                (models[i].slopes != NULL
                     ? learn_model_probability(models + i, k, models[i].thresholds[k])
                     : 0.5) /
                (double)count;
    return (struct learn_model){.method = LEARN_MODEL_MEAN,
                                .classes = models->classes,
                                .several = models->several,
                                .sharpness = 1,
                                .thresholds = thresholds,
                                .tuned = tuned,
                                .members = models,
                                .member_count = count};
}

bool learn_model_train(const struct learn_model_settings *settings,
                       const struct learn_examples *examples,
                       struct learn_fold_items items, struct arena *arena,
                       struct learn_model *out, struct err *err)
{
    if (items.count < 2)
        return err_set(err, ERR_INPUT,
                       "there %s to learn from; at least 2 labelled posts are needed",
                       items.count == 0 ? "is nothing" : "is only one post");
    struct learn_model_settings own = *settings;
    if (own.several == LEARN_MODEL_CHOOSE && examples->truth.several)
        own.several = learn_model_choose(settings, examples, items);
    train_one(&own, examples, items, arena, out);
    return true;
}

void learn_model_scratch_free(struct learn_model_scratch *scratch)
{
    learn_rows_builder_free(&scratch->row);
    buf_free(&scratch->scores);
    buf_free(&scratch->sets);
}

static struct learn_rows_row model_row(const struct learn_model *model,
                                       struct learn_rows_row counts,
                                       struct learn_model_scratch *scratch)
{
    list_clear(&scratch->row.begins);
    list_clear(&scratch->row.cells);
    learn_weigh_row(&model->weigh, counts, &scratch->row);
    struct learn_rows rows = learn_rows_of(&scratch->row, model->weigh.columns);
    return learn_rows_at(&rows, 0);
}

double learn_model_probability(const struct learn_model *model, size_t class,
                               double score)
{
    double x = model->slopes[class] * score + model->biases[class];

    return x > 0 ? 1 / (1 + real_exp(-x)) : 1 - 1 / (1 + real_exp(x));
}

void learn_model_probabilities(const struct learn_model *model, const double *scores,
                               double *probabilities)
{
    size_t classes = model->classes;
    double sum = 0, best = scores[learn_scorer_best(scores, classes)];

    for (size_t k = 0; k < classes; k++) {
        if (model->several)
            probabilities[k] = learn_model_probability(model, k, scores[k]);
        else
            sum += probabilities[k] = real_exp(model->sharpness * (scores[k] - best));
    }
    for (size_t k = 0; k < classes && !model->several; k++)
        probabilities[k] /= sum;
}

static void predict_mean(const struct learn_model *model, struct learn_rows_row counts,
                         struct learn_model_scratch *scratch, double *probabilities)
{
    size_t classes = model->classes, bytes = 2 * classes * sizeof(double);

    buf_clear(&scratch->scores);
    double *scores = (double *)(void *)buf_reserve(&scratch->scores, bytes);
    memset(probabilities, 0, classes * sizeof *probabilities);
    for (size_t m = 0; m < model->member_count; m++) {
        learn_model_predict(model->members + m, counts, scratch, scores,
                            scores + classes);
        for (size_t k = 0; k < classes; k++)
            probabilities[k] += scores[classes + k] / (double)model->member_count;
    }
}

/* A row of counts as the model weighs it, and of a powerset the probabilities of its
 * sets; both until the next call with that scratch. */
static const double *model_predict_sets(const struct learn_model *model,
                                        struct learn_rows_row counts,
                                        struct learn_model_scratch *scratch)
{
    size_t sets = model->powerset->count;

    buf_clear(&scratch->sets);
    double *scores =
        (double *)(void *)buf_reserve(&scratch->sets, 2 * sets * sizeof *scores);
    learn_model_predict(model->inner, counts, scratch, scores, scores + sets);
    return scores + sets;
}

/* The scores of the classes of the best set are above all thresholds, those of the others
 * below. */
static void predict_powerset(const struct learn_model *model,
                             struct learn_rows_row counts,
                             struct learn_model_scratch *scratch, double *scores,
                             double *probabilities)
{
    const double *of_sets = model_predict_sets(model, counts, scratch);
    const uint8_t *best =
        model->powerset->has +
        learn_scorer_best(of_sets, model->powerset->count) * model->classes;

    learn_powerset_classes(model->powerset, of_sets, probabilities);
    for (size_t k = 0; k < model->classes; k++)
        scores[k] = probabilities[k] + (best[k] ? 1 : -1);
}

void learn_model_predict(const struct learn_model *model, struct learn_rows_row counts,
                         struct learn_model_scratch *scratch, double *scores,
                         double *probabilities)
{
    if (model->powerset != NULL) {
        predict_powerset(model, counts, scratch, scores, probabilities);
        return;
    }
    if (model->member_count > 0) {
        predict_mean(model, counts, scratch, probabilities);
        memcpy(scores, probabilities, model->classes * sizeof *scores);
        return;
    }
    learn_scorer_score(&model->scorer, model_row(model, counts, scratch), scores);
    learn_model_probabilities(model, scores, probabilities);
}

void learn_model_decide(const struct learn_model *model, const double *scores,
                        uint8_t *is)
{
    bool any = false;

    for (size_t k = 0; k < model->classes; k++) {
        is[k] = model->several && scores[k] > model->thresholds[k];
        any = any || is[k];
    }
    if (!any)
        is[learn_scorer_best(scores, model->classes)] = 1;
}

/* Every score is a sum over columns, so that its parts can be listed. */

static int by_strength(const void *left, const void *right)
{
    const struct learn_model_reason *a = left, *b = right;

    return order_then(ORDER_BY(fabs(b->weight), fabs(a->weight)),
                      ORDER_BY(a->feature, b->feature));
}

/* The most probable set that has the class. */
static size_t set_with(const struct learn_model *model, struct learn_rows_row counts,
                       size_t class, struct learn_model_scratch *scratch)
{
    const struct learn_powerset *powerset = model->powerset;
    const double *of_sets = model_predict_sets(model, counts, scratch);
    size_t best = powerset->count;

    for (size_t s = 0; s < powerset->count; s++)
        if (powerset->has[s * powerset->classes + class] &&
            (best == powerset->count || of_sets[s] > of_sets[best]))
            best = s;
    return best < powerset->count ? best : learn_scorer_best(of_sets, powerset->count);
}

/* How much a column speaks for the class. What it adds to every class alike decides
 * nothing. */
static double says_for(const struct learn_model *model, size_t column, size_t class)
{
    const double *weights = model->scorer.weights + column * model->classes;
    double mean = 0;

    for (size_t k = 0; k < model->classes && !model->several; k++)
        mean += weights[k] / (double)model->classes;
    return weights[class] - mean;
}

/* What words say by their vectors: each has its share of the sum. A word that has a
 * column as well is there twice, once for itself and once for words like it. */
static size_t add_vector_reasons(const struct learn_model *model,
                                 struct learn_rows_row counts, struct learn_rows_row row,
                                 size_t class, struct learn_model_reason *reasons,
                                 size_t count, struct arena *arena)
{
    const struct learn_weigh *weigh = &model->weigh;
    size_t own = weigh->own_columns, wide = learn_weigh_given(weigh) - own;

    if (wide == 0 || weigh->options.vectors <= 0)
        return count;
    double *sum = arena_array(arena, double, 2 * wide), *says = sum + wide;
    double length = 0, shown = 0;
    learn_weigh_vector_sum(weigh, counts, sum);
    for (size_t k = 0; k < wide; k++) {
        double cell = (double)row.cells[row.count - wide + k].value;
        length += sum[k] * sum[k];
        shown += cell * cell;
        says[k] = says_for(model, own + k, class);
    }
    for (size_t i = 0; i < counts.count && length > 0; i++) {
        double times = learn_weigh_vector_times(weigh, counts.cells[i]), all = 0;
        if (times <= 0)
            continue;
        const float *vector = weigh->vectors.vectors->at +
                              weigh->vectors.row[counts.cells[i].column] * wide;
        for (size_t k = 0; k < wide; k++)
            all += (double)vector[k] * says[k];
        reasons[count++] = (struct learn_model_reason){
            counts.cells[i].column, times * all * sqrt(shown / length), true};
    }
    return count;
}

size_t learn_model_explain(const struct learn_model *model, struct learn_rows_row counts,
                           size_t class, struct learn_model_scratch *scratch,
                           struct learn_model_reason *out, size_t room,
                           struct arena *arena)
{
    if (model->member_count > 0)
        return learn_model_explain(model->members, counts, class, scratch, out, room,
                                   arena);
    if (model->powerset != NULL)
        return learn_model_explain(model->inner, counts,
                                   set_with(model, counts, class, scratch), scratch, out,
                                   room, arena);
    struct learn_rows_row row = model_row(model, counts, scratch);
    size_t own = model->weigh.own_columns, count = 0;
    struct learn_model_reason *reasons =
        arena_array(arena, struct learn_model_reason, row.count + counts.count + 2);
    struct learn_model_reason given = {LEARN_ROWS_GIVEN, 0, true};

    for (size_t i = 0; i < row.count; i++) {
        uint32_t column = row.cells[i].column;
        double weight = (double)row.cells[i].value * says_for(model, column, class);
        if (column < own)
            reasons[count++] = (struct learn_model_reason){
                model->weigh.features_of[column], weight, false};
        if (column >= learn_weigh_given(&model->weigh))
            given.weight += weight;
    }
    if (given.weight < 0 || given.weight > 0)
        reasons[count++] = given;
    count = add_vector_reasons(model, counts, row, class, reasons, count, arena);
    qsort(reasons, count, sizeof *reasons, by_strength);
    if (count > room)
        count = room;
    memcpy(out, reasons, count * sizeof *out);
    return count;
}

/* Pieces of some hundred posts; each thread writes only to its own posts' places. */

enum { PIECE = 256 };

/* What a piece in work needs; used again for the next. */
struct model_slot {
    bool open;
    struct learn_features_reader reader;
    struct learn_parts_splitter splitter;
    struct learn_model_scratch scratch;
    struct learn_rows_builder counts; /* with the post's own vector */
    struct buf scores;
};

struct model_job {
    const struct learn_apply *apply;
    struct learn_apply_posts posts;
    uint8_t *said;
    double *probabilities;
};

static struct learn_rows_row with_given(struct learn_rows_row row,
                                        const struct learn_given *given, size_t post,
                                        struct learn_rows_builder *counts)
{
    if (given->dimensions == 0)
        return row;
    list_clear(&counts->begins);
    list_clear(&counts->cells);
    for (size_t c = 0; c < row.count; c++)
        learn_rows_add_cell(counts, row.cells[c].column, row.cells[c].value);
    learn_rows_add_given(counts, given->at[post], given->dimensions);
    return (struct learn_rows_row){counts->cells.at, counts->cells.count};
}

bool learn_model_knows(const struct learn_model *model,
                       const struct learn_features_table *table,
                       struct learn_rows_row counts)
{
    const struct learn_weigh *weigh = &model->weigh;

    if (model->method == LEARN_MODEL_MAJORITY)
        return true; /* looks at no text */
    if (model->powerset != NULL)
        return learn_model_knows(model->inner, table, counts);
    for (size_t m = 0; m < model->member_count; m++)
        if (learn_model_knows(model->members + m, table, counts))
            return true;
    for (size_t i = 0; i < counts.count && model->member_count == 0; i++) {
        size_t feature = counts.cells[i].column;
        if (feature >= LEARN_ROWS_GIVEN
                ? feature - LEARN_ROWS_GIVEN < weigh->given
                : feature < weigh->features &&
                      (weigh->column[feature] != LEARN_WEIGH_NONE ||
                       (weigh->vectors.vectors != NULL &&
                        learn_weigh_vector_times(weigh, counts.cells[i]) > 0)) &&
                      (weigh->options.select > 0 ||
                       learn_features_entry(table, feature)->kind !=
                           LEARN_FEATURES_LETTERS))
            return true;
    }
    return false;
}

static void make_piece(void *context, size_t piece, void *slot_of)
{
    const struct model_job *job = context;
    const struct learn_apply *apply = job->apply;
    size_t classes = apply->model->classes, end = (piece + 1) * PIECE;
    struct model_slot *slot = slot_of;

    if (!slot->open)
        learn_features_open(&slot->reader, apply->features, NULL, apply->table);
    slot->open = true;
    double *scores =
        (double *)(void *)buf_reserve(&slot->scores, classes * sizeof(double));
    for (size_t i = piece * PIECE; i < end && i < job->posts.count; i++) {
        struct learn_parts post = job->posts.parts[i];
        if (job->posts.bodies != NULL)
            learn_parts_complete(job->posts.bodies[i], &slot->splitter, &post);
        struct learn_rows_row counts =
            with_given(learn_features_read(&slot->reader, &post), &job->posts.given, i,
                       &slot->counts);
        if ((learn_parts_empty(&post) && counts.count == 0) ||
            !learn_model_knows(apply->model, apply->table, counts)) {
            memset(job->said + i * classes, 0, classes);
            memset(job->probabilities + i * classes, 0, classes * sizeof(double));
            continue;
        }
        learn_model_predict(apply->model, counts, &slot->scratch, scores,
                            job->probabilities + i * classes);
        learn_model_decide(apply->model, scores, job->said + i * classes);
    }
}

static bool take_piece(void *context, size_t piece, void *slot, struct err *err)
{
    (void)context, (void)piece, (void)slot;
    return stop_check(err);
}

bool learn_apply_model(const struct learn_apply *apply, struct learn_apply_posts posts,
                       struct arena *arena, uint8_t *said, double *probabilities,
                       struct err *err)
{
    size_t slots = parallel_slots(apply->threads);
    struct model_slot *own = arena_array(arena, struct model_slot, slots);
    void **at = arena_array(arena, void *, slots);
    struct model_job job = {apply, posts, said, probabilities};

    for (size_t i = 0; i < slots; i++)
        at[i] = own + i;
    bool ok =
        parallel_run(&(struct parallel_job){.pieces = (posts.count + PIECE - 1) / PIECE,
                                            .threads = apply->threads,
                                            .context = &job,
                                            .slots = at,
                                            .make = make_piece,
                                            .take = take_piece},
                     err);
    for (size_t i = 0; i < slots; i++) {
        if (own[i].open)
            learn_features_close(&own[i].reader);
        learn_parts_splitter_free(&own[i].splitter);
        learn_model_scratch_free(&own[i].scratch);
        learn_rows_builder_free(&own[i].counts);
        buf_free(&own[i].scores);
    }
    return ok;
}

/* Each choice has its place in the settings. */

void learn_choice_apply(const struct learn_choice *choice,
                        struct learn_model_settings *settings)
{
    struct learn_weigh_options *weigh = &settings->weigh;

    if (choice->words_alone)
        learn_model_take_words(settings);
    if (choice->letters && settings->method != LEARN_MODEL_KEYWORD_WEIGHT)
        settings->features.kinds |=
            1u << LEARN_FEATURES_LETTERS | 1u << LEARN_FEATURES_STEM;
    if (choice->run_max == 1)
        settings->features.kinds &= ~(1u << LEARN_FEATURES_RUN);
    if (choice->run_max > 1) {
        settings->features.kinds |= 1u << LEARN_FEATURES_RUN;
        settings->features.run_max = (int)choice->run_max;
    }
    if (choice->df_min > 0)
        weigh->df_min = (size_t)choice->df_min;
    if (choice->df_max > 0)
        weigh->df_max = choice->df_max;
    if (choice->select > 0)
        weigh->select = (size_t)choice->select;
    if (choice->idf.len > 0)
        weigh->idf = str_eq(choice->idf, STR("plain"))  ? LEARN_WEIGH_IDF_PLAIN
                     : str_eq(choice->idf, STR("none")) ? LEARN_WEIGH_IDF_NONE
                                                        : LEARN_WEIGH_IDF_SMOOTH;
    if (choice->stops.len > 0)
        settings->features.no_stop_words = str_eq(choice->stops, STR("drop"));
    for (size_t i = 0; i < LEARN_PARTS_COUNT; i++)
        if (choice->chosen[i])
            weigh->parts[i] = choice->parts[i];
    if (settings->method == LEARN_MODEL_KEYWORD_WEIGHT) {
        settings->keyword.length = choice->length;
        settings->keyword.top = (size_t)choice->top;
        settings->keyword.only_top = choice->only_top;
        settings->features.body_wins = choice->body_wins;
    }
}

static bool read_weight(struct str text, struct learn_choice *choice, struct err *err)
{
    struct str name, value = text;
    size_t part = 0;

    str_cut(&value, '=', &name);
    name = str_trim(name);
    while (part < LEARN_PARTS_COUNT && !str_eq(name, str_from(learn_parts_names[part])))
        part++;
    if (part == LEARN_PARTS_COUNT)
        return err_set(err, ERR_USAGE,
                       "'%.*s' is no part of a post; expected title, prose, code, "
                       "inline-code or tags, as in title=0.7",
                       STR_ARG(name));
    if (choice->chosen[part])
        return err_set(err, ERR_USAGE, "'%.*s' is there twice", STR_ARG(name));
    if (!str_to_real(str_trim(value), &choice->parts[part]) ||
        !(choice->parts[part] >= 0 && choice->parts[part] <= 1e6))
        return err_set(err, ERR_USAGE,
                       "the weight of %.*s is '%.*s', expected a number of 0 or more",
                       STR_ARG(name), STR_ARG(value));
    choice->chosen[part] = true;
    return true;
}

bool learn_choice_read_weights(struct str text, struct learn_choice *choice,
                               struct err *err)
{
    struct str one;

    for (bool more = true; more;) {
        more = str_cut(&text, ',', &one);
        if (!read_weight(one, choice, err))
            return false;
    }
    return true;
}
