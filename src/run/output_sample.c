/* The files of a sample: its ids in draw order, and how it was drawn. */
#include <math.h>

#include "result/numbers.h"
#include "run/output.h"

static void add_strata(struct buf *json, const struct run_sampling *drawn)
{
    buf_add(json, STR(",\n\"strata\":["));
    for (size_t v = 0; v < drawn->stratum_count; v++) {
        buf_add(json, v > 0 ? STR(",\n{\"name\":\"") : STR("\n{\"name\":\""));
        buf_add_json(json, drawn->stratum_names[v]);
        buf_add_format(json, "\",\"frame\":%lld,\"size\":%lld}",
                       (long long)drawn->frames[v], (long long)drawn->sizes[v]);
    }
    buf_add_char(json, ']');
}

static void add_how(struct buf *json, const struct study_sample *sample,
                    const struct run_sampling *drawn)
{
    struct sample_size_rule rule = sample->size.rule;
    struct buf size = {0};

    if (rule.confidence == 0)
        rule.confidence = 0.95;
    sample_size_add(&size, &sample->size);
    buf_add(json, STR("{\"sample\":\""));
    buf_add_json(json, sample->name);
    buf_add(json, STR("\",\n\"of\":\""));
    buf_add_json(json, sample->of);
    buf_add(json, STR("\",\n\"size\":\""));
    buf_add_json(json, buf_str(&size));
    buf_add_format(
        json,
        "\",\n\"seed\":%llu,\n\"drawn\":%zu,\n\"frame\":%lld,\n"
        "\"frame_hash\":\"%016llx\",\n\"outside\":%lld,\n\"kept\":%zu,\n\"gone\":%zu",
        (unsigned long long)sample->seed, drawn->count, (long long)drawn->frame,
        (unsigned long long)drawn->frame_hash, (long long)drawn->outside, drawn->kept,
        drawn->gone);
    double margin = sample_size_margin(&rule, (int64_t)drawn->count, drawn->frame);
    if (sample->size.kind != SAMPLE_SIZE_TOP && !isnan(margin)) {
        buf_add(json, STR(",\n\"confidence\":"));
        result_numbers_print(rule.confidence, json);
        buf_add(json, STR(",\n\"margin\":"));
        result_numbers_print(margin, json);
    }
    if (sample->by != STUDY_NONE)
        add_strata(json, drawn);
    buf_add(json, STR("}\n"));
    buf_free(&size);
}

void run_output_sample(struct run_output *output, const struct study_sample *sample,
                       const struct run_sampling *drawn)
{
    struct buf *csv = run_output_add_named(output, "samples", sample->name, ".csv");

    buf_add(csv, STR("id,stratum\n"));
    for (size_t i = 0; i < drawn->count; i++) {
        item_key_add_csv(csv, output->spaces, drawn->ids[i]);
        buf_add_char(csv, ',');
        buf_add_csv(csv, drawn->stratum_names[drawn->strata[i]]);
        buf_add_char(csv, '\n');
    }
    add_how(run_output_add_named(output, "samples", sample->name, ".json"), sample,
            drawn);
    struct result_table numbers = {.name = STR("numbers")};
    result_add_number(&numbers, RESULT_COUNT, STR("count"), STR(""),
                      result_count((int64_t)drawn->count), &output->arena);
    result_add_number(&numbers, RESULT_COUNT, STR("frame"), STR(""),
                      result_count(drawn->frame), &output->arena);
    result_add_evidence(&numbers,
                        &(struct result_evidence){0, 0, STR("items that were drawn"),
                                                  drawn->ids, drawn->count},
                        &output->arena);
    run_output_result(output, &numbers);
    buf_add_format(&output->says, "%zu of %lld items", drawn->count,
                   (long long)drawn->frame);
    if (drawn->kept > 0)
        buf_add_format(&output->says, ", %zu of them kept", drawn->kept);
    if (drawn->gone > 0)
        buf_add_format(&output->says, ", %zu no longer in the frame", drawn->gone);
}
