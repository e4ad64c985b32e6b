/* Gathers what a study recorded: its numbers, the health of its sources, what the ledger
 * says of labels, labels.db. The text is made by report/methods.c. */
#include "run/drafting.h"

#include <math.h>

#include "base/file.h"
#include "label/models.h"
#include "report/methods.h"
#include "run/labelling.h"
#include "run/ledger.h"
#include "run/output.h"
#include "run/run.h"
#include "store/corpus.h"

struct gather {
    const struct study *study;
    struct arena arena;
    struct report_methods_facts facts;
    struct report_methods_labelling *labellings;
    struct label **opened; /* of each labelling; NULL: nobody has begun */
    struct report_methods_agreement *agreements;
    size_t agreement_count;
};

static const struct result_numbers *numbers_of(const struct gather *gather,
                                               const char *kind, struct str name)
{
    return result_numbers_of(gather->facts.numbers, gather->facts.number_count, kind,
                             name);
}

/* Samples. */

static double value_of(const struct result_numbers *numbers, const char *column)
{
    for (size_t i = 0; numbers != NULL && i < numbers->count; i++)
        if (str_eq(numbers->at[i].column, str_from(column)))
            return numbers->at[i].value;
    return NAN;
}

static void gather_samples(struct gather *gather)
{
    const struct study *study = gather->study;
    struct report_methods_sample *samples = arena_array(
        &gather->arena, struct report_methods_sample, study->sample_count + 1);

    for (size_t i = 0; i < study->sample_count; i++) {
        const struct study_sample *sample = &study->samples[i];
        const struct result_numbers *numbers =
            numbers_of(gather, "samples", sample->name);
        struct sample_size_rule rule = sample->size.rule;
        if (rule.confidence == 0)
            rule.confidence = 0.95;
        samples[i].confidence = rule.confidence;
        samples[i].margin =
            numbers == NULL || study_sample_is_chosen(sample) ||
                    !study_sample_is_even(sample)
                ? NAN
                : sample_size_margin(&rule, (int64_t)value_of(numbers, "count"),
                                     (int64_t)value_of(numbers, "frame"));
    }
    gather->facts.samples = samples;
}

/* Labels of files. */

/* Two raters with one code each: Cohen's kappa; whoever else: Krippendorff's alpha. */
static void set_coefficient(struct report_methods_agreement *out,
                            const struct label_agree_measures *measures)
{
    bool cohen = measures->cohen.undefined == NULL && !measures->sets;

    out->items = measures->items;
    out->observed = measures->observed;
    out->coefficient = cohen ? "Cohen's kappa" : "Krippendorff's alpha";
    out->value = cohen ? measures->cohen : measures->alpha;
}

/* Into a list that ascends and has each code once; gives its length. */
static size_t add_code(size_t *codes, size_t count, size_t code)
{
    size_t at = count;

    for (size_t i = 0; i < count; i++)
        if (codes[i] == code)
            return count;
    for (; at > 0 && codes[at - 1] > code; at--)
        codes[at] = codes[at - 1];
    codes[at] = code;
    return count + 1;
}

/* What the codebook calls the codes: two spellings are no disagreement. */
static bool use_codebook(struct gather *gather, const struct study_labels *labels,
                         struct label_agree_data *data, struct err *err)
{
    struct arena *arena = &gather->arena;
    struct label_agree_label *mapped =
        arena_array(arena, struct label_agree_label, data->label_count + 1);
    const struct study_codebook_dimension *dimension;
    struct buf problems = {0};
    struct study_codebook codebook;
    bool ok = study_codebook_load(labels->codebook, arena, &codebook, &problems, err) &&
              study_codebook_choose(&codebook, labels->dimension, &dimension, err);

    for (size_t i = 0; i < data->label_count && ok; i++) {
        const struct label_agree_label *label = &data->labels[i];
        size_t *codes = arena_array(arena, size_t, label->code_count + 1), count = 0;
        for (size_t c = 0; c < label->code_count && ok; c++) {
            size_t code;
            ok = study_codebook_find(dimension, data->codes[label->codes[c]].name, &code,
                                     err);
            count = ok ? add_code(codes, count, code) : count;
        }
        mapped[i] = *label;
        mapped[i].codes = codes;
        mapped[i].code_count = count;
    }
    buf_free(&problems);
    if (!ok)
        return false;
    struct label_agree_code *names =
        arena_array(arena, struct label_agree_code, dimension->count + 1);
    for (size_t c = 0; c < dimension->count; c++)
        names[c] = (struct label_agree_code){
            dimension->codes[c].path, dimension->codes[c].name, LABEL_AGREE_NONE, 1};
    data->labels = mapped;
    data->codes = names;
    data->code_count = dimension->count;
    return true;
}

static bool gather_file(struct gather *gather, size_t number, struct err *err)
{
    const struct study_labels *labels = &gather->study->labels[number];
    struct label_agree_columns columns = {.item = labels->item,
                                          .rater = labels->rater,
                                          .label = labels->code,
                                          .separator = labels->separator};
    struct label_agree_options options = {.level = LABEL_AGREE_LEVEL,
                                          .resamples = LABEL_AGREE_RESAMPLES};
    struct label_agree_data data;

    if (labels->from == NULL || labels->rater.len == 0)
        return true;
    if (!label_agree_read(labels->from, &columns, &gather->arena, &data, err) ||
        (labels->codebook != NULL && !use_codebook(gather, labels, &data, err)))
        return false;
    struct label_agree_measures measures =
        label_agree_measure(&data, &options, &gather->arena);
    struct report_methods_agreement *out = &gather->agreements[gather->agreement_count++];
    *out = (struct report_methods_agreement){.labelling = STUDY_NONE,
                                             .labels = number,
                                             .name = labels->name,
                                             .raters = data.rater_count};
    set_coefficient(out, &measures);
    return true;
}

static bool gather_says(struct gather *gather, struct err *err)
{
    const struct study *study = gather->study;
    struct str *says = arena_array(&gather->arena, struct str, study->label_count + 1);
    struct run_ledger ledger;

    if (!run_ledger_load(file_join(study->home, "assay.lock", &gather->arena),
                         &gather->arena, &ledger, err))
        return false;
    for (size_t i = 0; i < study->label_count; i++) {
        struct buf name = {0};
        buf_add_format(&name, "labels.%.*s", STR_ARG(study->labels[i].name));
        const struct run_ledger_step *step = run_ledger_find(&ledger, buf_str(&name));
        if (step != NULL)
            says[i] = step->says;
        buf_free(&name);
    }
    gather->facts.label_says = says;
    return true;
}

/* Labellings. */

static bool gather_rounds(struct gather *gather, struct label *label,
                          struct report_methods_labelling *out, struct err *err)
{
    struct label_round *rounds;
    size_t count;

    if (!label_rounds(label, &gather->arena, &rounds, &count, err))
        return false;
    struct report_methods_round *list =
        arena_array(&gather->arena, struct report_methods_round, count + 1);
    for (size_t i = 0; i < count; i++)
        list[i] = (struct report_methods_round){.kind = label_round_word(rounds[i].kind),
                                                .opened_ms = rounds[i].opened_ms,
                                                .closed_ms = rounds[i].closed_ms,
                                                .source = rounds[i].source,
                                                .items = rounds[i].items,
                                                .assigned = rounds[i].assigned,
                                                .done = rounds[i].done,
                                                .chosen = rounds[i].kind == LABEL_CHOSEN};
    out->rounds = list;
    out->round_count = count;
    return true;
}

static bool gather_history(struct gather *gather, struct label *label,
                           struct report_methods_labelling *out, struct err *err)
{
    struct label_version *versions;
    struct label_proposal *proposals;
    struct label_said *reviews;
    size_t count;

    if (!label_versions(label, &gather->arena, &versions, &count, err))
        return false;
    for (size_t i = 0; i < count; i++)
        out->versions += versions[i].acts > 0;
    if (!label_proposals(label, &gather->arena, &proposals, &count, err))
        return false;
    for (size_t i = 0; i < count; i++)
        out->accepted_codes += proposals[i].verdict == LABEL_ACCEPTED;
    return label_reviews(label, STR(""), &gather->arena, &reviews, &out->reviews, err);
}

static bool gather_models(struct gather *gather, struct label *label,
                          struct report_methods_labelling *out, struct err *err)
{
    struct label_model_record *records;
    size_t count;

    if (!label_model_records(label, &gather->arena, &records, &count, err))
        return false;
    struct report_methods_model *list =
        arena_array(&gather->arena, struct report_methods_model, count + 1);
    for (size_t i = 0; i < count; i++)
        list[i] = (struct report_methods_model){.requests = records[i].requests,
                                                .answered = records[i].answered,
                                                .refused = records[i].refused,
                                                .cut = records[i].cut,
                                                .unreadable = records[i].unreadable,
                                                .first_ms = records[i].first_ms,
                                                .last_ms = records[i].last_ms,
                                                .answered_as = records[i].answered_as,
                                                .digests = records[i].digests,
                                                .servers = records[i].servers,
                                                .temperatures = records[i].temperatures,
                                                .seeds = records[i].seeds,
                                                .settings = records[i].settings_sent,
                                                .constrained = records[i].constrained,
                                                .plain = records[i].plain};
    out->models = list;
    return true;
}

static struct str address_of(struct gather *gather, struct str task, struct str dimension)
{
    return arena_format(&gather->arena, "labelling.%.*s%s%.*s", STR_ARG(task),
                        dimension.len > 0 ? "." : "", STR_ARG(dimension));
}

static bool gather_agreement(struct gather *gather, size_t number, struct label *label,
                             struct err *err)
{
    const struct study_labelling *settings = &gather->study->labellings[number];
    const struct study_codebook *codebook = label_task(label)->codebook;

    for (size_t d = 0; d < codebook->count; d++) {
        const struct study_codebook_dimension *dimension = &codebook->dimensions[d];
        struct label_agreement_options how = {.dimension = dimension->id,
                                              .resamples = LABEL_AGREE_RESAMPLES};
        struct label_agree_report report;
        if (!label_agreement(label, &how, &gather->arena, &report, err))
            return false;
        struct report_methods_agreement *out =
            &gather->agreements[gather->agreement_count++];
        *out = (struct report_methods_agreement){
            .labelling = number,
            .labels = STUDY_NONE,
            .name = dimension->name,
            .raters = settings->rater_count,
            .address = address_of(gather, settings->name,
                                  codebook->count > 1 ? dimension->id : STR(""))};
        set_coefficient(out, &report.all);
    }
    return true;
}

static bool gather_labelling(struct gather *gather, size_t number, struct err *err)
{
    struct report_methods_labelling *out = &gather->labellings[number];
    struct label *label;

    out->settings = &gather->study->labellings[number];
    if (!run_labelling_open(gather->study, out->settings, &gather->opened[number], err))
        return false;
    label = gather->opened[number];
    if (label == NULL)
        return true;
    out->codebook = label_task(label)->codebook;
    out->items = label_task(label)->item_count;
    return gather_rounds(gather, label, out, err) &&
           gather_history(gather, label, out, err) &&
           gather_models(gather, label, out, err);
}

static size_t dimensions_of(const struct gather *gather)
{
    size_t count = 0;

    for (size_t i = 0; i < gather->study->labelling_count; i++)
        if (gather->labellings[i].round_count > 0)
            count += gather->labellings[i].codebook->count;
    return count;
}

static bool gather_labels(struct gather *gather, struct err *err)
{
    const struct study *study = gather->study;
    struct arena *arena = &gather->arena;
    bool ok = gather_says(gather, err);

    gather->labellings =
        arena_array(arena, struct report_methods_labelling, study->labelling_count + 1);
    gather->opened = arena_array(arena, struct label *, study->labelling_count + 1);
    for (size_t i = 0; i < study->labelling_count && ok; i++)
        ok = gather_labelling(gather, i, err);
    gather->agreements = arena_array(arena, struct report_methods_agreement,
                                     dimensions_of(gather) + study->label_count + 1);
    for (size_t i = 0; i < study->labelling_count && ok; i++)
        ok = gather->labellings[i].round_count == 0 ||
             gather_agreement(gather, i, gather->opened[i], err);
    for (size_t i = 0; i < study->label_count && ok; i++)
        ok = gather_file(gather, i, err);
    gather->facts.labellings = gather->labellings;
    gather->facts.agreements = gather->agreements;
    gather->facts.agreement_count = gather->agreement_count;
    return ok;
}

static bool gather_health(struct gather *gather, struct err *err)
{
    struct arena *arena = &gather->arena;
    struct store *corpus;

    if (gather->study->source_count == 0)
        return true;
    if (!store_open(file_join(gather->study->home, "corpus.db", arena),
                    gather->study->servers, &corpus, err))
        return false;
    bool ok = store_findings(corpus, arena, &gather->facts.health, err);
    store_close(corpus);
    return ok;
}

bool run_drafting_make(const struct study *study, const char *version, struct err *err)
{
    struct gather gather = {.study = study,
                            .facts = {.study = study, .version = version}};
    struct arena *arena = &gather.arena;
    struct run_output output = {0};
    struct result_numbers *numbers;
    bool ok = run_numbers(study, arena, &numbers, &gather.facts.number_count, err);

    gather.facts.numbers = numbers;
    ok = ok && gather_health(&gather, err);
    if (ok)
        gather_samples(&gather);
    if (ok && gather_labels(&gather, err)) {
        struct buf *markdown = run_output_add(&output, "out/methods.md");
        report_methods_write(&gather.facts, markdown,
                             run_output_add(&output, "out/methods.tex"));
        ok = run_output_write(&output, study->home, err);
    } else
        ok = false;
    for (size_t i = 0; gather.opened != NULL && i < study->labelling_count; i++)
        label_close(gather.opened[i]);
    run_output_free(&output);
    arena_free(arena);
    return ok;
}
