/* Any bytes are labels or an error with its place. Labels name items, raters and codes
 * that there are, at most one of an item and rater; the report's numbers are shares and
 * coefficients or undefined, and its JSON is JSON. */
#include "label/agree.h"

#include <assert.h>
#include <jansson.h>
#include <math.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { LABELS_MAX = 300 }; /* a larger report takes its time */

static void check_labels(const struct label_agree_data *data)
{
    for (size_t i = 0; i < data->label_count; i++) {
        const struct label_agree_label *label = &data->labels[i];
        assert(label->item < data->item_count && label->rater < data->rater_count);
        assert(label->code_count > 0);
        for (size_t c = 0; c < label->code_count; c++) {
            assert(label->codes[c] < data->code_count);
            assert(c == 0 || label->codes[c - 1] < label->codes[c]);
        }
        for (size_t j = 0; j < i && data->label_count <= LABELS_MAX; j++)
            assert(data->labels[j].item != label->item ||
                   data->labels[j].rater != label->rater);
    }
}

static void check_measures(const struct label_agree_measures *measures)
{
    const struct stats_agreement *all[] = {&measures->cohen, &measures->fleiss,
                                           &measures->alpha, &measures->ac1,
                                           &measures->brennan_prediger};

    assert(measures->items > 0 ? measures->observed >= 0 && measures->observed <= 1
                               : isnan(measures->observed));
    for (size_t i = 0; i < ROWS_OF(all); i++) {
        assert(isnan(all[i]->value) == (all[i]->undefined != NULL));
        assert(isnan(all[i]->value) || all[i]->value <= 1 + 1e-9);
    }
}

static void check_report(const struct label_agree_data *data, struct arena *arena)
{
    struct label_agree_options how = {.level = 0.95, .top = 3};
    struct label_agree_report report = label_agree_report(data, &how, arena);
    struct buf text = {0}, json = {0};

    check_measures(&report.all);
    for (int i = 0; i < LABEL_AGREE_COEFFICIENTS; i++) {
        const struct stats_agreement *one = &report.estimates[i].agreement;
        assert(isnan(one->value) == (one->undefined != NULL));
        assert(isnan(one->value) || one->value <= 1 + 1e-9);
    }
    for (size_t i = 0; i < report.checkpoint_count; i++)
        check_measures(&report.checkpoints[i].measures);
    for (size_t i = 0; i < report.code_count; i++)
        check_measures(&report.codes[i].measures);
    for (size_t i = 0; i < report.pair_count; i++)
        check_measures(&report.pairs[i].measures);
    label_agree_text(&report, &text);
    label_agree_json(&report, &json);
    json_t *parsed = json_loadb(json.ptr, json.len, 0, NULL);
    assert(parsed != NULL);
    json_decref(parsed);
    buf_free(&text);
    buf_free(&json);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct label_agree_columns columns = {.item = STR("item"),
                                                .rater = STR("rater"),
                                                .label = STR("label"),
                                                .usual = true,
                                                .separator = ';'};
    struct arena arena = {0};
    struct label_agree_data labels;
    struct err err = {0};

    if (label_agree_parse((struct str){(const char *)data, size}, "f", &columns, &arena,
                          &labels, &err)) {
        check_labels(&labels);
        bool ordered = label_agree_set_order(&labels, STR(""), &arena, &err);
        assert(ordered);
        if (labels.label_count <= LABELS_MAX)
            check_report(&labels, &arena);
    } else {
        assert(err.kind == ERR_INPUT && strncmp(err.text, "f:", 2) == 0);
    }
    arena_free(&arena);
    return 0;
}
