/* assay agree: how far raters agree. */
#include "cmd/agree.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

#include "cmd/opening.h"

enum { TOP = 10 };

#define AT(field) offsetof(struct cmd_agree_args, field)

static const struct cmd_operand operands[] = {CMD_OPENING_OPERAND, {0}};

static const struct cmd_option options[] = {
    {"--from", CMD_TEXT, AT(from), "FILE",
     .help = "labels in a csv, a row each, instead of a study; the operand may name it "
             "as well"},
    {"--item", CMD_TEXT, AT(item), "COLUMN", .help = "of the csv: what was labelled",
     .fallback = "item"},
    {"--rater", CMD_TEXT, AT(rater), "COLUMN", .help = "of the csv: who labelled it",
     .fallback = "rater"},
    {"--label", CMD_TEXT, AT(label), "COLUMN", .help = "of the csv: as what",
     .fallback = "label"},
    {"--raters", CMD_TEXT, AT(raters), "COLUMNS",
     .help = "of a wide csv, with a row for each item: the columns of raters, by commas, "
             "in place of --rater and --label"},
    {"--unit", CMD_TEXT, AT(unit), "COLUMN",
     .help = "of the csv: which unit of the item; without it `unit`, if there is such a "
             "column"},
    {"--place", CMD_TEXT, AT(place), "COLUMN",
     .help = "of the csv: where the unit is; without it `place`, if there are units and "
             "such a column"},
    {"--by", CMD_TEXT, AT(by), "COLUMN",
     .help = "of the csv: also for each value of this column alone, such as a round or a "
             "kind of items"},
    {"--separator", CMD_TEXT, AT(separator), "CHAR",
     .help = "of the csv: what parts several labels in a cell"},
    CMD_TASK_OPTION(struct cmd_agree_args, task),
    {"--dimension", CMD_TEXT, AT(dimension), "NAME",
     .help = "only this one; without it every dimension of the codebook"},
    {"--round", CMD_INT, AT(round), "N",
     .help = "only this one; without it pilot and main rounds together", .lowest = 1,
     .highest = INT64_MAX},
    {"--version", CMD_TEXT, AT(version), "VERSION",
     .help =
         "only labels made under this version of the codebook; see assay-codebook(1)"},
    {"--order", CMD_TEXT, AT(order), "LABEL,...",
     .help = "labels from the lowest to the highest, for coefficients that count how far "
             "two are apart; without it that of numbers, if all labels are numbers"},
    {"--coefficient", CMD_CHOICE, AT(coefficient), "NAME",
     .help = "put this one first; all others stay beside it",
     .choices = "cohen|fleiss|alpha|ac1|brennan-prediger|cohen-linear|cohen-quadratic|"
                "alpha-ordinal|alpha-interval|ac2-linear|ac2-quadratic|brennan-prediger-"
                "linear|brennan-prediger-quadratic"},
    {"--heat", CMD_TEXT, AT(heat), "FILE",
     .help = "draw which codes are confused with which; .svg, .pdf or .png"},
    {"--all-raters", CMD_FLAG, AT(all_raters), NULL,
     .help = "also raters whom the study does not name, such as a model whose labels "
             "were imported"},
    {"--models", CMD_FLAG, AT(models), NULL,
     .help = "also raters that are models, of the items that people have labelled"},
    {"--json", CMD_FLAG, AT(json), NULL, .help = "for programs"},
    CMD_OPENING_DATA,
    {0}};

bool cmd_agree_choice(const struct cmd_agree_args *args,
                      enum label_agree_coefficient *out)
{
    return args->coefficient != NULL &&
           label_agree_find(str_from(args->coefficient), out);
}

/* A csv. */

static bool agree_on_file(struct cmd_session *session, const struct cmd_agree_args *args,
                          const char *path, struct err *err)
{
    struct label_agree_columns columns = {.item = str_from(args->item),
                                          .rater = str_from(args->rater),
                                          .label = str_from(args->label),
                                          .unit = str_from(args->unit),
                                          .place = str_from(args->place),
                                          .usual = true,
                                          .by = str_from(args->by),
                                          .wide = str_from(args->raters)};
    struct label_agree_options how = {.level = LABEL_AGREE_LEVEL,
                                      .resamples = LABEL_AGREE_RESAMPLES,
                                      .resample_all = true,
                                      .top = TOP};
    struct label_agree_data data;
    struct buf out = {0};

    if (args->separator != NULL && strlen(args->separator) != 1)
        return err_set(err, ERR_USAGE,
                       "expected one character for --separator, found '%s'",
                       args->separator);
    if (args->separator != NULL)
        columns.separator = args->separator[0];
    how.chosen = cmd_agree_choice(args, &how.choice);
    if (!label_agree_read(path, &columns, &session->arena, &data, err) ||
        !label_agree_set_order(&data, str_from(args->order), &session->arena, err))
        return false;
    progress_turn_to(args->progress, "agreement");
    struct label_agree_report report = label_agree_report(&data, &how, &session->arena);
    progress_end(args->progress);
    if (args->heat != NULL && !cmd_agree_draw(&report, args->heat, &session->arena, err))
        return false;
    if (args->json)
        label_agree_json(&report, &out);
    else
        label_agree_text(&report, &out);
    if (args->json)
        buf_add_char(&out, '\n');
    cmd_print(&out);
    return true;
}

static bool run(struct cmd_session *session, const void *arguments, struct err *err)
{
    struct cmd_agree_args own = *(const struct cmd_agree_args *)arguments, *args = &own;
    struct progress progress = progress_begin("", 0, STDERR_FILENO, false);
    const char *file = args->from;
    struct buf out = {0};

    if (file == NULL && args->opening.study != NULL &&
        str_ends(str_from(args->opening.study), STR(".csv")))
        file = args->opening.study;
    args->progress = &progress;
    progress_count(&progress, "reading labels", 0);
    bool ok = file != NULL ? agree_on_file(session, args, file, err)
                           : cmd_agree_on_study(session, args, &out, err);
    progress_end(&progress);
    if (ok)
        cmd_print(&out);
    buf_free(&out);
    return ok;
}

const struct cmd cmd_agree = {
    .name = "agree",
    .summary = "Measure how far raters agree",
    .see_also = "assay-codebook(1),assay-import(1),assay-labels(7)",
    .operands = operands,
    .options = options,
    .run = run,
};
