/* Through label/ as real raters' acts go; who labels what in which order is drawn there.
 */
#include "cmd/raters.h"

#include <math.h>

#include "base/map.h"
#include "base/rng.h"
#include "label/label.h"
#include "model/model.h"
#include "run/output.h"

enum { TRUTHS = 4, MEDIAN_SECONDS = 40 };

struct raters {
    struct label *label;
    const struct cmd_raters_options *options;
    const struct study *study;
    struct arena arena;
    struct map truth[TRUTHS]; /* of each dimension: item to code, plus 1 */
    const struct study_codebook_dimension *dimensions[TRUTHS];
    bool *used[TRUTHS];  /* codes that some item truly has */
    size_t none[TRUTHS]; /* the code of items of which nothing is true */
    size_t count;
    struct rng rng;
};

struct truth {
    struct raters *raters;
    size_t index;
};

static bool take_truth(void *context, const struct result_row *row,
                       const struct result_cell *cells, struct err *err)
{
    enum { ITEM, CODE };
    const struct truth *truth = context;
    struct raters *raters = truth->raters;
    struct str key = {(const char *)&cells[ITEM].item, sizeof cells[ITEM].item};
    size_t code;

    (void)row;
    if (!study_codebook_find(raters->dimensions[truth->index], cells[CODE].text, &code,
                             err))
        return false;
    *map_put(&raters->truth[truth->index], key) = (int64_t)code + 1;
    raters->used[truth->index][code] = true;
    return true;
}

/* What the step of the labels gave. */
static bool read_truth(struct raters *raters, size_t index, struct err *err)
{
    struct truth truth = {raters, index};
    struct result_file_rows rows = {STR("labels"), NULL, take_truth, &truth};

    return run_output_read_rows(raters->study->home, "labels",
                                str_from(raters->options->truths[index].labels), &rows,
                                err);
}

/* The true code of an item. */
static size_t true_code(struct raters *raters, size_t dimension, int64_t item)
{
    struct str key = {(const char *)&item, sizeof item};
    const int64_t *code = map_get(&raters->truth[dimension], key);

    return code != NULL ? (size_t)*code - 1 : raters->none[dimension];
}

/* Another of the codes that some item truly has. */
static size_t slip(struct raters *raters, size_t dimension, size_t code)
{
    size_t other;

    do
        other = (size_t)rng_below(&raters->rng, raters->dimensions[dimension]->count);
    while (other == code || !raters->used[dimension][other]);
    return other;
}

static bool give(struct raters *raters, struct str rater, const struct label_place *place,
                 struct err *err)
{
    bool ok = true;

    for (size_t d = 0; d < raters->count && ok; d++) {
        const struct study_codebook_dimension *codes = raters->dimensions[d];
        size_t code = true_code(raters, d, place->item);
        struct label_saved saved;
        bool slips = rng_unit(&raters->rng) < raters->options->slips;
        if (slips)
            code = slip(raters, d, code);
        struct label_given given = {
            .rater = rater,
            .item = place->item,
            .again = place->again,
            .dimension = codes->id,
            .codes = &codes->codes[code].path,
            .code_count = 1,
            .unsure = slips && rng_unit(&raters->rng) < 0.3,
            .seconds = round(rng_log_normal(&raters->rng, MEDIAN_SECONDS, 0.8))};
        ok = label_give(raters->label, &given, &saved, err);
    }
    return ok;
}

/* Raters take turns until nobody has anything left. */
static bool label_round_through(struct raters *raters, struct err *err)
{
    const struct study_labelling *settings = label_task(raters->label)->settings;
    bool any = true, found;

    while (any) {
        any = false;
        for (size_t r = 0; r < settings->rater_count; r++) {
            struct label_place place;
            if (!label_next(raters->label, settings->raters[r], &place, &found, err) ||
                (found && !give(raters, settings->raters[r], &place, err)))
                return false;
            any = any || found;
        }
    }
    return true;
}

static bool make_rounds(struct raters *raters, struct err *err)
{
    struct str lead = label_task(raters->label)->settings->lead;

    for (;;) {
        struct label_round_plan plan;
        int64_t round;
        if (!label_round_settings(raters->label, &plan, err))
            return false;
        if (plan.items == 0)
            return true;
        if (!label_round_open(raters->label, &plan, lead, &round, err) ||
            !label_round_through(raters, err) ||
            !label_round_close(raters->label, round, lead, err))
            return false;
    }
}

static bool decide_all(struct raters *raters, struct err *err)
{
    struct label_dispute *disputes;
    size_t count;

    if (!label_disputes(raters->label, &raters->arena, &disputes, &count, err))
        return false;
    for (size_t i = 0; i < count; i++) {
        size_t d = 0;
        while (d + 1 < raters->count &&
               !str_eq(disputes[i].dimension, raters->dimensions[d]->id))
            d++;
        size_t code = true_code(raters, d, disputes[i].item);
        struct str path = raters->dimensions[d]->codes[code].path;
        struct label_decision decision = {
            .item = disputes[i].item,
            .dimension = disputes[i].dimension,
            .by = label_task(raters->label)->settings->arbiter,
            .codes = &path,
            .code_count = 1,
            .reason = LABEL_SLIP};
        if (!label_decide(raters->label, &decision, err))
            return false;
    }
    return true;
}

/* Models. */

enum { MODEL_STREAM = 2 };

/* 2026-01-01: nobody is really asked. */
#define ASKED_MS INT64_C(1767225600000)

struct simulated_model {
    struct raters *raters;
    size_t over;  /* the code that is given too often */
    double stray; /* how often to an item that has another */
};

static void simulate(void *context, int64_t item, struct str dimension, int64_t run,
                     struct buf *body)
{
    const struct simulated_model *model = context;
    struct raters *raters = model->raters;
    const struct study_codebook_dimension *codes = raters->dimensions[0];
    struct rng rng =
        rng_stream(raters->options->seed, MODEL_STREAM, (uint64_t)(item * 16 + run));
    size_t code = true_code(raters, 0, item);

    (void)dimension;
    if (code != model->over && rng_unit(&rng) < model->stray)
        code = model->over;
    else if (rng_unit(&rng) < raters->options->slips)
        do
            code = (size_t)rng_below(&rng, codes->count);
        while (!raters->used[0][code]);
    buf_add_format(body,
                   "{\"model\":\"simulated-1\",\"system_fingerprint\":\"fp-simulated\","
                   "\"choices\":[{\"index\":0,\"message\":{\"role\":\"assistant\","
                   "\"content\":\"{\\\"%s\\\": %s\\\"%.*s\\\"%s}\"},"
                   "\"finish_reason\":\"stop\"}],"
                   "\"usage\":{\"prompt_tokens\":900,\"completion_tokens\":8}}",
                   codes->several ? "codes" : "code", codes->several ? "[" : "",
                   STR_ARG(codes->codes[code].path), codes->several ? "]" : "");
}

static bool ask_models(struct raters *raters, struct err *err)
{
    struct simulated_model model = {.raters = raters};
    struct model_options options = {
        .quiet = true, .simulate = simulate, .context = &model, .simulated_ms = ASKED_MS};
    struct model_done *done;
    size_t count, with = 0, all = raters->truth[0].count;

    if (raters->options->over == NULL)
        return true;
    if (!study_codebook_find(raters->dimensions[0], str_from(raters->options->over),
                             &model.over, err))
        return false;
    for (size_t e = 0; e < raters->truth[0].capacity; e++)
        with += raters->truth[0].entries[e].key.ptr != NULL &&
                raters->truth[0].entries[e].value == (int64_t)model.over + 1;
    if (all > with)
        model.stray = (raters->options->times - 1) * (double)with / (double)(all - with);
    return model_ask(raters->label, &options, &raters->arena, &done, &count, err);
}

static bool prepare(struct raters *raters, struct err *err)
{
    const struct study_codebook *codebook = label_task(raters->label)->codebook;

    while (raters->count < TRUTHS &&
           raters->options->truths[raters->count].labels != NULL) {
        size_t d = raters->count++;
        raters->truth[d].arena = &raters->arena;
        if (!study_codebook_choose(codebook,
                                   str_from(raters->options->truths[d].dimension),
                                   &raters->dimensions[d], err) ||
            (raters->options->none != NULL &&
             !study_codebook_find(raters->dimensions[d], str_from(raters->options->none),
                                  &raters->none[d], err)))
            return false;
        raters->used[d] =
            arena_array(&raters->arena, bool, raters->dimensions[d]->count + 1);
        raters->used[d][raters->none[d]] = raters->options->none != NULL;
        if (!read_truth(raters, d, err))
            return false;
    }
    return true;
}

bool cmd_raters_label(const struct study *study, const struct cmd_raters_options *options,
                      struct err *err)
{
    struct raters raters = {
        .options = options, .study = study, .rng = rng_stream(options->seed, 1, 0)};
    struct buf problems = {0};
    bool ok = true;

    struct label_round *rounds;
    size_t round_count = 0;

    ok = label_open(study, str_from(options->task), &raters.label, &problems, err) &&
         label_rounds(raters.label, &raters.arena, &rounds, &round_count, err);
    if (ok && round_count == 0)
        ok = prepare(&raters, err) && label_begin(raters.label, err) &&
             make_rounds(&raters, err) && decide_all(&raters, err) &&
             label_commit(raters.label, err) && ask_models(&raters, err);
    label_close(raters.label);
    buf_free(&problems);
    arena_free(&raters.arena);
    return ok;
}
