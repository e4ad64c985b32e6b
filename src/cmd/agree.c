/* assay agree: how far raters agree. */
#include "label/agree.h"

#include <math.h>
#include <string.h>

#include "cmd/task.h"

enum { RESAMPLES = 2000, TOP = 10 };

struct args {
    struct opening_args opening;
    const char *from, *item, *rater, *label, *separator;
    const char *task, *dimension;
    int64_t round;
    bool all_raters, json;
};

static const struct cmd_operand operands[] = {OPENING_OPERAND, {0}};

static const struct cmd_option options[] = {
    {"--from", CMD_TEXT, offsetof(struct args, from), "FILE",
     "labels in a csv, a row each, instead of a study; the operand may name it as well",
     false, 0, 0, NULL, NULL},
    {"--item", CMD_TEXT, offsetof(struct args, item), "COLUMN",
     "of the csv: what was labelled", false, 0, 0, NULL, "item"},
    {"--rater", CMD_TEXT, offsetof(struct args, rater), "COLUMN",
     "of the csv: who labelled it", false, 0, 0, NULL, "rater"},
    {"--label", CMD_TEXT, offsetof(struct args, label), "COLUMN", "of the csv: as what",
     false, 0, 0, NULL, "label"},
    {"--separator", CMD_TEXT, offsetof(struct args, separator), "CHAR",
     "of the csv: what parts several labels in a cell", false, 0, 0, NULL, NULL},
    TASK_OPTION(struct args, task),
    {"--dimension", CMD_TEXT, offsetof(struct args, dimension), "NAME",
     "only this one; without it every dimension of the codebook", false, 0, 0, NULL,
     NULL},
    {"--round", CMD_INT, offsetof(struct args, round), "N",
     "only this one; without it pilot and main rounds together", false, 1, INT64_MAX,
     NULL, NULL},
    {"--all-raters", CMD_FLAG, offsetof(struct args, all_raters), NULL,
     "also raters whom the study does not name, such as a model whose labels were "
     "imported",
     false, 0, 0, NULL, NULL},
    {"--json", CMD_FLAG, offsetof(struct args, json), NULL, "for programs", false, 0, 0,
     NULL, NULL},
    OPENING_DATA,
    {0}};

/* A csv. */

static bool agree_on_file(struct cmd_session *session, const struct args *args,
                          const char *path, struct err *err)
{
    struct agree_columns columns = {.item = str_from(args->item),
                                    .rater = str_from(args->rater),
                                    .label = str_from(args->label)};
    struct agree_options how = {.level = 0.95, .resamples = RESAMPLES, .top = TOP};
    struct agree_data data;
    struct buf out = {0};

    if (args->separator != NULL && strlen(args->separator) != 1)
        return err_set(err, ERR_USAGE,
                       "expected one character for --separator, found '%s'",
                       args->separator);
    if (args->separator != NULL)
        columns.separator = args->separator[0];
    if (!agree_read(path, &columns, &session->arena, &data, err))
        return false;
    struct agree_report report = agree_report(&data, &how, &session->arena);
    if (args->json)
        agree_json(&report, &out);
    else
        agree_text(&report, &out);
    if (args->json)
        buf_add_char(&out, '\n');
    cmd_print(&out);
    buf_free(&out);
    return true;
}

/* A study. */

/* A round's coefficients, where there are several rounds. */
static bool add_rounds(struct cmd_session *session, struct label *label,
                       const struct args *args, struct str dimension, struct buf *out,
                       struct err *err)
{
    struct label_round *rounds;
    size_t count;

    if (!label_rounds(label, &session->arena, &rounds, &count, err))
        return false;
    if (args->json)
        buf_add(out, STR(",\"rounds\":["));
    else if (count > 1)
        buf_add_format(out, "\n%-30s %9s %9s %9s %9s %9s\n", "round", "items", "observed",
                       "kappa", "alpha", "AC1");
    for (size_t i = 0; i < count; i++) {
        struct label_agreement_options how = {.dimension = dimension,
                                              .round = rounds[i].id,
                                              .all_raters = args->all_raters};
        struct agree_report report;
        if (!label_agreement(label, &how, &session->arena, &report, err))
            return false;
        if (args->json) {
            buf_add_format(out, "%s{\"round\":%lld,\"kind\":\"%s\",\"open\":%s,",
                           i > 0 ? "," : "", (long long)rounds[i].id,
                           label_round_word(rounds[i].kind),
                           rounds[i].closed_ms == 0 ? "true" : "false");
            buf_add(out, STR("\"agreement\":"));
            agree_json(&report, out);
            buf_add_char(out, '}');
        } else if (count > 1) {
            struct buf name = {0};
            buf_add_format(&name, "%lld %s%s", (long long)rounds[i].id,
                           label_round_word(rounds[i].kind),
                           rounds[i].closed_ms == 0 ? ", open" : "");
            buf_add_format(out, "%-30.*s", STR_ARG(buf_str(&name)));
            agree_row(&report.all, out);
            buf_free(&name);
        }
    }
    if (args->json)
        buf_add_char(out, ']');
    return true;
}

/* Raters against themselves. */
static bool add_retests(struct cmd_session *session, struct label *label,
                        const struct args *args, struct str dimension, struct buf *out,
                        struct err *err)
{
    const struct study_labelling *settings = label_task(label)->settings;
    bool any = false;

    if (args->json)
        buf_add(out, STR(",\"retests\":["));
    for (size_t i = 0; i < settings->rater_count; i++) {
        struct agree_measures measures;
        if (!label_retest(label, dimension, settings->raters[i], &session->arena,
                          &measures, err))
            return false;
        if (measures.items == 0)
            continue;
        if (args->json) {
            buf_add_format(out, "%s{\"rater\":\"", any ? "," : "");
            buf_add_json(out, settings->raters[i]);
            buf_add_format(out, "\",\"items\":%zu,\"observed\":%.12g,\"kappa\":",
                           measures.items, measures.observed);
            if (measures.cohen.undefined == NULL)
                buf_add_format(out, "%.12g}", measures.cohen.value);
            else
                buf_add(out, STR("null}"));
        } else {
            if (!any)
                buf_add_format(out, "\n%-30s %9s %9s %9s %9s %9s\n",
                               "rater, the second time", "items", "observed", "kappa",
                               "alpha", "AC1");
            buf_add_format(out, "%-30.*s", STR_ARG(settings->raters[i]));
            agree_row(&measures, out);
        }
        any = true;
    }
    if (args->json)
        buf_add_char(out, ']');
    return true;
}

static bool add_states(struct cmd_session *session, struct label *label,
                       const struct args *args, struct str dimension, struct buf *out,
                       struct err *err)
{
    size_t counts[LABEL_PENDING + 1] = {0}, count;
    struct label_final *finals;

    if (!label_finals(label, &session->arena, &finals, &count, err))
        return false;
    for (size_t i = 0; i < count; i++)
        if (str_eq(finals[i].dimension, dimension))
            counts[finals[i].state]++;
    buf_add(out, args->json ? STR(",\"final\":{") : STR("\nfinal labels: "));
    for (size_t i = 0; i < ROWS_OF(counts); i++)
        buf_add_format(out, args->json ? "%s\"%s\":%zu" : "%s%s %zu",
                       i == 0       ? ""
                       : args->json ? ","
                                    : ", ",
                       label_state_word((enum label_state)i), counts[i]);
    buf_add_char(out, args->json ? '}' : '\n');
    return true;
}

static bool add_dimension(struct cmd_session *session, struct label *label,
                          const struct args *args,
                          const struct codebook_dimension *dimension, struct buf *out,
                          struct err *err)
{
    struct label_agreement_options how = {.dimension = dimension->id,
                                          .round = args->round,
                                          .all_raters = args->all_raters,
                                          .resamples = RESAMPLES};
    struct agree_report report;

    if (!label_agreement(label, &how, &session->arena, &report, err))
        return false;
    if (args->json) {
        buf_add(out, STR("{\"dimension\":\""));
        buf_add_json(out, dimension->id);
        buf_add(out, STR("\",\"agreement\":"));
        agree_json(&report, out);
    } else {
        buf_add_format(out, "%.*s: ", STR_ARG(dimension->id));
        agree_text(&report, out);
    }
    if (args->round == 0 &&
        (!add_rounds(session, label, args, dimension->id, out, err) ||
         !add_retests(session, label, args, dimension->id, out, err) ||
         !add_states(session, label, args, dimension->id, out, err)))
        return false;
    if (args->json)
        buf_add_char(out, '}');
    return true;
}

static bool add_dimensions(struct cmd_session *session, struct label *label,
                           const struct args *args, struct buf *out, struct err *err)
{
    const struct codebook *codebook = label_task(label)->codebook;
    const struct codebook_dimension *only = NULL;
    bool first = true;

    if (args->dimension != NULL &&
        !codebook_choose(codebook, str_from(args->dimension), &only, err))
        return false;
    if (args->json) {
        buf_add(out, STR("{\"task\":\""));
        buf_add_json(out, label_task(label)->name);
        buf_add(out, STR("\",\"dimensions\":["));
    }
    for (size_t d = 0; d < codebook->count; d++) {
        if (only != NULL && only != &codebook->dimensions[d])
            continue;
        if (!first)
            buf_add_char(out, args->json ? ',' : '\n');
        first = false;
        if (!add_dimension(session, label, args, &codebook->dimensions[d], out, err))
            return false;
    }
    if (args->json)
        buf_add(out, STR("]}\n"));
    return true;
}

static bool run(struct cmd_session *session, const void *arguments, struct err *err)
{
    const struct args *args = arguments;
    const char *file = args->from;
    struct label *label = NULL;
    struct buf out = {0};
    struct study study;

    if (file == NULL && args->opening.study != NULL &&
        str_ends(str_from(args->opening.study), STR(".csv")))
        file = args->opening.study;
    if (file != NULL)
        return agree_on_file(session, args, file, err);
    bool ok = task_open(session, &args->opening, args->task, true, &study, &label, err) &&
              add_dimensions(session, label, args, &out, err);
    if (ok)
        cmd_print(&out);
    label_close(label);
    buf_free(&out);
    return ok;
}

const struct command cmd_agree = {
    .name = "agree",
    .summary = "Measure how far raters agree",
    .description =
        "Prints observed agreement, Cohen's kappa (two raters), Fleiss' kappa, "
        "Krippendorff's alpha, Gwet's AC1 and Brennan and Prediger's coefficient with "
        "95% intervals and the words of Landis and Koch: for the whole, at checkpoints "
        "of the work in the order of labelling, by level of the codebook's tree, by code "
        "(given or not), by pair of raters and by round; then which codes are confused, "
        "how many codes had been used after so many items, and the most disputed and the "
        "slowest items.\n"
        "\n"
        "Agreement is always taken from what raters said before they talked: the last "
        "label of each in a round before it was closed. Decisions of an arbiter play no "
        "part in it. Where an item may have several codes, two labels are equal when "
        "they have the same codes, and alpha takes MASI's distance between them.\n"
        "\n"
        "Without a study it works on any csv with a row for each label. Several rows of "
        "one item and rater are several codes.",
    .examples = "  assay agree my-study\n"
                "  assay agree ratings.csv\n"
                "  assay agree --from votes.csv --item post --rater who --label vote "
                "--json\n",
    .see_also = "assay-codebook(1),assay-import(1),assay-labels(7)",
    .operands = operands,
    .options = options,
    .run = run,
};
