/* truth.csv has a row for each question; truth.json rests on the counts. */
#include "synth/render_truth.h"

#include "base/date.h"

void render_truth_add(struct render *rows, const struct plan_question *question,
                      struct str verb, struct str damage)
{
    const struct model_truth *truth = &question->truth;
    struct buf *out = &rows->tables[SYNTH_TRUTH];

    buf_add_int(out, question->id);
    buf_add_char(out, ',');
    date_add(out, question->created_ms);
    buf_add_format(out, ",%d,", question->year);
    const struct str labels[] = {
        model_name(MODEL_FRAMEWORKS, truth->framework),
        model_name(MODEL_KINDS, truth->kind),
        model_name(MODEL_KINDS, truth->second_kind),
        model_name(MODEL_ROOT_CAUSES, truth->root_cause),
        truth->howto ? STR("yes") : STR("no"),
        truth->object < 0 ? STR("")
                          : str_slice(model_name(MODEL_OBJECTS, truth->object), 0, 1),
        model_object_name(truth->object),
        verb,
        model_name(MODEL_PLATFORMS, truth->platform),
        truth->platform < 0
            ? STR("")
            : model_name(model_challenges(truth->platform), truth->challenge),
        model_name(MODEL_BUG_TYPES, truth->bug_type),
        model_name(MODEL_BUG_CAUSES, truth->bug_cause),
        model_name(MODEL_BUG_EFFECTS, truth->bug_effect),
        model_name(MODEL_BUG_STAGES, truth->bug_stage),
        truth->code ? STR("yes") : STR("no"),
        truth->endorsed ? STR("yes") : STR("no"),
        truth->closed ? STR("yes") : STR("no"),
    };
    for (size_t i = 0; i < ROWS_OF(labels); i++) {
        buf_add_csv(out, labels[i]);
        buf_add_char(out, ',');
    }
    buf_add_int(out, truth->answers);
    buf_add_char(out, ',');
    if (question->accepted_id != 0)
        buf_add_int(out, question->accepted_id);
    buf_add_char(out, ',');
    if (question->accepted_id != 0)
        buf_add_int(out, truth->wait_ms);
    buf_add_char(out, ',');
    if (question->first_wait_ms >= 0)
        buf_add_int(out, question->first_wait_ms);
    buf_add_char(out, ',');
    buf_add_int(out, truth->views);
    buf_add_char(out, ',');
    buf_add_int(out, truth->score);
    buf_add_char(out, ',');
    if (question->asker != 0)
        buf_add_int(out, question->asker);
    buf_add_char(out, ',');
    buf_add(out, damage);
    buf_add_char(out, '\n');
    rows->counts_of[SYNTH_TRUTH]++;
}

static void count_label(struct synth_counts *counts, enum model_section section,
                        int label)
{
    if (label >= 0)
        counts->labels[section][label]++;
}

/* What the question's labels could have been, for truth.json's planted shares. */
static void count_chances(struct synth_counts *counts, const struct model *model,
                          const struct plan_question *question)
{
    double chances[MODEL_LABELS_MAX];

    for (int s = 0; s < MODEL_ACCEPTED; s++) {
        if (!model_chances(model, (enum model_section)s, question->year, &question->truth,
                           chances))
            continue;
        if (s == MODEL_FRAMEWORKS)
            tags_frameworks(question->truth.platform, chances);
        for (size_t i = 0; i < model_count((enum model_section)s); i++)
            counts->chances[s][i] += (int64_t)(chances[i] * (double)SYNTH_ONE + 0.5);
    }
}

void render_truth_count(struct synth_counts *counts, const struct model *model,
                        const struct plan_question *question)
{
    const struct model_truth *truth = &question->truth;
    int row = question->year - model->first_year;

    counts->accepted += truth->accepted && !question->background;
    for (int i = 0; i < question->tags.count; i++)
        counts->tags[question->tags.at[i]]++;
    if (question->background) {
        counts->background_questions++;
        return;
    }
    counts->questions++;
    count_chances(counts, model, question);
    counts->closed += truth->closed;
    counts->endorsed += truth->endorsed;
    counts->with_code += truth->code;
    counts->how_to += truth->howto;
    count_label(counts, MODEL_FRAMEWORKS, truth->framework);
    count_label(counts, MODEL_KINDS, truth->kind);
    count_label(counts, MODEL_PLATFORMS, truth->platform);
    if (truth->platform >= 0)
        count_label(counts, model_challenges(truth->platform), truth->challenge);
    count_label(counts, MODEL_OBJECTS, truth->object);
    count_label(counts, MODEL_ROOT_CAUSES, truth->root_cause);
    count_label(counts, MODEL_BUG_TYPES, truth->bug_type);
    count_label(counts, MODEL_BUG_CAUSES, truth->bug_cause);
    count_label(counts, MODEL_BUG_EFFECTS, truth->bug_effect);
    count_label(counts, MODEL_BUG_STAGES, truth->bug_stage);
    counts->accepted_by_kind[truth->kind] += truth->accepted;
    if (truth->second_kind >= 0)
        counts->second_kind[truth->second_kind]++;
    counts->by_year[row]++;
    counts->kind_by_year[row][truth->kind]++;
    if (truth->framework >= 0)
        counts->framework_by_year[row][truth->framework]++;
    if (truth->platform >= 0)
        counts->platform_by_year[row][truth->platform]++;
}
