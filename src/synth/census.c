/* Both pages come from the same counts. Shares are printed with a fixed number of digits,
 * so that the files are the same on every machine. */
#include "synth/internal.h"

#include <math.h>

#include "base/date.h"

/* The share that is planted for a label: the chances of all questions to get it, among
 * those of all labels of the section (of platforms: among all questions). */
static double planted_share(const struct synth_summary *summary,
                            enum synth_model_section section, int label)
{
    const struct synth_counts *counts = &summary->counts;
    double all = 0;

    for (size_t i = 0; i < synth_model_count(section); i++)
        all += (double)counts->chances[section][i];
    if (section == SYNTH_MODEL_PLATFORMS)
        all = (double)counts->questions * (double)SYNTH_ONE;
    return all > 0 ? (double)counts->chances[section][label] / all : NAN;
}

static void add_share(struct buf *out, double share)
{
    if (isfinite(share))
        buf_add_format(out, "%.6f", share);
    else
        buf_add(out, STR("null"));
}

static void add_files(const struct synth_summary *summary, struct buf *out)
{
    buf_add(out, STR("  \"files\": {"));
    for (int i = 0; i < SYNTH_FILES; i++)
        buf_add_format(out,
                       "%s\n    \"%s\": {\"rows\": %lld, \"bytes\": %lld, \"xxh3\": "
                       "\"%016llx\"}",
                       i > 0 ? "," : "", synth_file_name((enum synth_file)i),
                       (long long)summary->files[i].rows,
                       (long long)summary->files[i].bytes,
                       (unsigned long long)summary->files[i].hash);
    buf_add(out, STR("\n  },\n"));
}

static int64_t total_of(const struct synth_summary *summary,
                        enum synth_model_section section)
{
    int64_t total = 0;

    for (size_t i = 0; i < synth_model_count(section); i++)
        total += summary->counts.labels[section][i];
    return total;
}

static void add_section(const struct synth_summary *summary,
                        enum synth_model_section section, struct buf *out)
{
    int64_t total = total_of(summary, section);
    const struct synth_counts *counts = &summary->counts;

    buf_add_format(out, "    \"%.*s\": {", STR_ARG(synth_model_section_name(section)));
    for (int i = 0; i < (int)synth_model_count(section); i++) {
        int64_t count = counts->labels[section][i];
        buf_add_format(
            out, "%s\n      \"%.*s\": {\"count\": %lld, \"share\": ", i > 0 ? "," : "",
            STR_ARG(synth_model_name(section, i)), (long long)count);
        int64_t of = section == SYNTH_MODEL_PLATFORMS ? counts->questions : total;
        add_share(out, of > 0 ? (double)count / (double)of : NAN);
        buf_add(out, STR(", \"planted\": "));
        add_share(out, planted_share(summary, section, i));
        if (section == SYNTH_MODEL_KINDS)
            buf_add_format(out, ", \"accepted\": %lld, \"as_second\": %lld",
                           (long long)counts->accepted_by_kind[i],
                           (long long)counts->second_kind[i]);
        buf_add_char(out, '}');
    }
    buf_add(out, STR("\n    }"));
}

static void add_year_row(struct buf *out, enum synth_model_section section,
                         const int64_t *counts)
{
    for (int i = 0; i < (int)synth_model_count(section); i++)
        buf_add_format(out, "%s\"%.*s\": %lld", i > 0 ? ", " : "",
                       STR_ARG(synth_model_name(section, i)), (long long)counts[i]);
}

static void add_years(const struct synth_summary *summary, struct buf *out)
{
    const struct synth_counts *counts = &summary->counts;

    buf_add(out, STR("  \"years\": {"));
    for (int row = 0; row < summary->model.years; row++) {
        buf_add_format(out, "%s\n    \"%d\": {\"questions\": %lld, \"kinds\": {",
                       row > 0 ? "," : "", summary->model.first_year + row,
                       (long long)counts->by_year[row]);
        add_year_row(out, SYNTH_MODEL_KINDS, counts->kind_by_year[row]);
        buf_add(out, STR("}, \"frameworks\": {"));
        add_year_row(out, SYNTH_MODEL_FRAMEWORKS, counts->framework_by_year[row]);
        buf_add(out, STR("}, \"platforms\": {"));
        add_year_row(out, SYNTH_MODEL_PLATFORMS, counts->platform_by_year[row]);
        buf_add(out, STR("}}"));
    }
    buf_add(out, STR("\n  },\n"));
}

/* A number, or by year where it changes. */
static void add_course(const struct synth_model *model, enum synth_model_section section,
                       int index, struct buf *out)
{
    double first = synth_model_value(model, section, index, model->first_year);
    bool changes = false;

    for (int row = 1; row < model->years; row++)
        changes = changes || synth_model_value(model, section, index,
                                               model->first_year + row) != first;
    if (!changes) {
        buf_add_format(out, "%.6g", first);
        return;
    }
    for (int row = 0; row < model->years; row++)
        buf_add_format(out, "%s\"%d\": %.6g", row > 0 ? ", " : "{",
                       model->first_year + row,
                       synth_model_value(model, section, index, model->first_year + row));
    buf_add_char(out, '}');
}

static void add_parameters(const struct synth_summary *summary,
                           enum synth_model_section section, struct buf *out)
{
    buf_add_format(out, "    \"%.*s\": {", STR_ARG(synth_model_section_name(section)));
    for (int i = 0; i < (int)synth_model_count(section); i++) {
        buf_add_format(out, "%s\"%.*s\": ", i > 0 ? ", " : "",
                       STR_ARG(synth_model_name(section, i)));
        add_course(&summary->model, section, i, out);
    }
    buf_add_char(out, '}');
}

static void add_year_weights(const struct synth_model *model, struct buf *out)
{
    buf_add(out, STR("    \"years\": {"));
    for (int row = 0; row < model->years; row++)
        buf_add_format(out, "%s\"%d\": %.6g", row > 0 ? ", " : "",
                       model->first_year + row, model->year_weight[row]);
    buf_add(out, STR("},\n"));
}

/* What was asked for: with the version, all that is needed to make the same again. */
static void add_options(const struct synth_options *options,
                        const struct synth_summary *summary, struct buf *out)
{
    buf_add_format(out, "{\n  \"made_by\": \"assay synth\",\n  \"version\": \"%s\",\n",
                   options->version != NULL ? options->version : "");
    buf_add_format(
        out,
        "  \"seed\": %llu,\n  \"layout\": \"%.*s\",\n"
        "  \"damage\": \"%.*s\",\n  \"damaged_rows\": %lld,\n",
        (unsigned long long)options->seed, STR_ARG(synth_layout_name(options->layout)),
        STR_ARG(synth_damage_name(options->damage)), (long long)summary->counts.damaged);
    buf_add_format(out,
                   "  \"options\": {\"questions\": %lld, \"background\": %lld, "
                   "\"own_settings\": %s, \"difficulty\": ",
                   (long long)options->questions, (long long)options->background,
                   options->settings != NULL ? "true" : "false");
    if (options->confusion >= 0)
        buf_add_format(out, "%.6g},\n  \"confusion\": %.6g,\n", options->confusion,
                       options->confusion);
    else {
        buf_add(out, STR("null},\n  \"confusion\": "));
        add_course(&summary->model, SYNTH_MODEL_SHARES, SYNTH_MODEL_CONFUSION, out);
        buf_add(out, STR(",\n"));
    }
}

static void add_tags(const struct synth_summary *summary, struct buf *out)
{
    bool first = true;

    buf_add(out, STR("  \"tags\": {"));
    for (int i = 0; i < synth_tags_count(); i++) {
        if (summary->counts.tags[i] == 0)
            continue;
        buf_add_format(out, "%s\"%.*s\": %lld", first ? "" : ", ",
                       STR_ARG(synth_tags_name(i)), (long long)summary->counts.tags[i]);
        first = false;
    }
    buf_add(out, STR("}\n"));
}

void synth_census_json(const struct synth_options *options,
                       const struct synth_summary *summary, struct buf *out)
{
    const struct synth_counts *counts = &summary->counts;

    add_options(options, summary, out);
    buf_add(out, STR("  \"until\": \""));
    date_add_day(out, summary->model.until_ms - 1);
    buf_add_format(
        out,
        "\",\n  \"posts\": {\"questions\": %lld, \"background_questions\": %lld, "
        "\"answers\": %lld, \"tag_wikis\": %lld, \"planted\": %lld},\n",
        (long long)counts->questions, (long long)counts->background_questions,
        (long long)counts->answers, (long long)counts->wikis, (long long)counts->planted);
    buf_add_format(
        out,
        "  \"questions\": {\"accepted\": %lld, \"endorsed\": %lld, \"closed\": "
        "%lld, \"code\": %lld, \"how_to\": %lld},\n",
        (long long)counts->accepted, (long long)counts->endorsed,
        (long long)counts->closed, (long long)counts->with_code,
        (long long)counts->how_to);
    add_files(summary, out);
    buf_add(out, STR("  \"marginals\": {\n"));
    for (int i = 0; i < SYNTH_MODEL_ACCEPTED; i++) {
        add_section(summary, (enum synth_model_section)i, out);
        buf_add(out, i + 1 < SYNTH_MODEL_ACCEPTED ? STR(",\n") : STR("\n"));
    }
    buf_add(out, STR("  },\n  \"parameters\": {\n"));
    add_year_weights(&summary->model, out);
    for (int i = 0; i < SYNTH_MODEL_SECTIONS; i++) {
        add_parameters(summary, (enum synth_model_section)i, out);
        buf_add(out, i + 1 < SYNTH_MODEL_SECTIONS ? STR(",\n") : STR("\n"));
    }
    buf_add(out, STR("  },\n"));
    add_years(summary, out);
    add_tags(summary, out);
    buf_add(out, STR("}\n"));
}

static void add_percent(struct buf *out, double share)
{
    if (isfinite(share))
        buf_add_format(out, " %6.1f%%", 100 * share);
    else
        buf_add(out, STR("       -"));
}

static void add_label_rows(const struct synth_summary *summary,
                           enum synth_model_section section, struct buf *out)
{
    const struct synth_counts *counts = &summary->counts;

    for (int i = 0; i < (int)synth_model_count(section); i++) {
        int64_t count = counts->labels[section][i];
        buf_add_format(out, "    %-16.*s %9lld", STR_ARG(synth_model_name(section, i)),
                       (long long)count);
        double all =
            (double)(section == SYNTH_MODEL_PLATFORMS ? counts->questions
                                                      : total_of(summary, section));
        add_percent(out, all > 0 ? (double)count / all : NAN);
        add_percent(out, planted_share(summary, section, i));
        if (section == SYNTH_MODEL_KINDS)
            add_percent(out, count > 0
                                 ? (double)counts->accepted_by_kind[i] / (double)count
                                 : NAN);
        buf_add_char(out, '\n');
    }
}

static int width_of(struct str head)
{
    return head.len > 10 ? (int)head.len : 10;
}

static void add_year_table(const struct synth_summary *summary, struct buf *out)
{
    const struct synth_counts *counts = &summary->counts;

    buf_add(out, STR("\n  year    questions"));
    for (int i = 0; i < SYNTH_MODEL_FRAMEWORK_COUNT; i++)
        buf_add_format(out, " %10s", synth_model_name(SYNTH_MODEL_FRAMEWORKS, i).ptr);
    buf_add_char(out, '\n');
    for (int row = 0; row < summary->model.years; row++) {
        buf_add_format(out, "    %d %10lld", summary->model.first_year + row,
                       (long long)counts->by_year[row]);
        for (int i = 0; i < SYNTH_MODEL_FRAMEWORK_COUNT; i++)
            buf_add_format(out, " %*lld",
                           width_of(synth_model_name(SYNTH_MODEL_FRAMEWORKS, i)),
                           (long long)counts->framework_by_year[row][i]);
        buf_add_char(out, '\n');
    }
}

void synth_census_text(const struct synth_options *options,
                       const struct synth_summary *summary, struct buf *out)
{
    const struct synth_counts *counts = &summary->counts;

    buf_add_format(
        out, "simulated dump in %s (layout %.*s, seed %llu)\n\n  %-14s %10s %15s  %s\n",
        options->folder, STR_ARG(synth_layout_name(options->layout)),
        (unsigned long long)options->seed, "file", "rows", "bytes", "xxh3");
    for (int i = 0; i < SYNTH_FILES; i++)
        buf_add_format(
            out, "  %-14s %10lld %15lld  %016llx\n", synth_file_name((enum synth_file)i),
            (long long)summary->files[i].rows, (long long)summary->files[i].bytes,
            (unsigned long long)summary->files[i].hash);
    buf_add_format(
        out,
        "\n  questions about deep learning %lld, other questions %lld, answers %lld\n",
        (long long)counts->questions, (long long)counts->background_questions,
        (long long)counts->answers);
    if (options->damage != SYNTH_WHOLE)
        buf_add_format(out, "  damage: %.*s, %lld rows\n",
                       STR_ARG(synth_damage_name(options->damage)),
                       (long long)counts->damaged);
    add_year_table(summary, out);
    buf_add(out, STR("\n  kind               count   found planted accepted\n"));
    add_label_rows(summary, SYNTH_MODEL_KINDS, out);
    buf_add(out, STR("\n  framework          count   found planted\n"));
    add_label_rows(summary, SYNTH_MODEL_FRAMEWORKS, out);
    buf_add(out, STR("\n  platform           count   found planted\n"));
    add_label_rows(summary, SYNTH_MODEL_PLATFORMS, out);
}
