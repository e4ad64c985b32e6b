/* assay import: labels that were made elsewhere. */
#include <string.h>

#include "cmd/task.h"

struct args {
    struct opening_args opening;
    const char *what, *file, *task, *item, *code, *rater, *dimension, *as, *separator;
};

static const struct cmd_operand operands[] = {
    {"WHAT", offsetof(struct args, what), "labels", true},
    {"FILE", offsetof(struct args, file), "a csv with a row for each label", true},
    OPENING_OPERAND,
    {0}};

static const struct cmd_option options[] = {
    TASK_OPTION(struct args, task),
    {"--item", CMD_TEXT, offsetof(struct args, item), "COLUMN",
     "the item: an id, or a link that holds one", false, 0, 0, NULL, "item"},
    {"--code", CMD_TEXT, offsetof(struct args, code), "COLUMN",
     "the code: a path, an id or a name of the codebook", false, 0, 0, NULL, "code"},
    {"--rater", CMD_TEXT, offsetof(struct args, rater), "COLUMN", "the rater", false, 0,
     0, NULL, "rater"},
    {"--dimension", CMD_TEXT, offsetof(struct args, dimension), "COLUMN",
     "the dimension, of a codebook that has several; without it 'dimension'", false, 0, 0,
     NULL, NULL},
    {"--as", CMD_TEXT, offsetof(struct args, as), "NAME",
     "the rater of all labels, such as a model, instead of a column", false, 0, 0, NULL,
     NULL},
    {"--separator", CMD_TEXT, offsetof(struct args, separator), "CHAR",
     "what parts several codes in a cell", false, 0, 0, NULL, NULL},
    OPENING_DATA,
    OPENING_QUIET,
    {0}};

static struct str text_of(const char *text)
{
    return str_from(text != NULL ? text : "");
}

static bool run(struct cmd_session *session, const void *arguments, struct err *err)
{
    const struct args *args = arguments;
    struct label *label = NULL;
    struct study study;
    int64_t imported;

    if (strcmp(args->what, "labels") != 0)
        return err_set(err, ERR_USAGE, "expected labels, found '%s'", args->what);
    if (args->separator != NULL && strlen(args->separator) != 1)
        return err_set(err, ERR_USAGE,
                       "expected one character for --separator, found '%s'",
                       args->separator);
    struct label_import_options how = {
        .item = text_of(args->item),
        .code = text_of(args->code),
        .rater = text_of(args->rater),
        .dimension = text_of(args->dimension),
        .as = text_of(args->as),
        .separator = args->separator != NULL ? args->separator[0] : '\0'};
    bool ok =
        task_open(session, &args->opening, args->task, false, &study, &label, err) &&
        label_import(label, args->file, &how, STR("assay import"), &imported, err);
    label_close(label);
    if (ok && !args->opening.quiet)
        printf("%s: %lld labels\n", args->file, (long long)imported);
    return ok;
}

const struct command cmd_import = {
    .name = "import",
    .summary = "Take labels made elsewhere into a study",
    .description =
        "Adds the labels of a csv to the study's labels.db as a round of their own, "
        "opened and closed at once, whose acts name the file they came from. All of them "
        "are taken or none: an item that is not in the task, a code that the codebook "
        "does not have and a second code where one is allowed are told with their line.\n"
        "\n"
        "Labels of a rater whom the study names count like those given on the pages. "
        "Those of others, such as a model, count for `assay agree --all-raters` alone.",
    .examples = "  assay import labels r1.csv my-study --task bugs\n"
                "  assay import labels answers.csv my-study --as gpt\n",
    .see_also = "assay-export(1),assay-agree(1),assay-labels(7)",
    .operands = operands,
    .options = options,
    .run = run,
};
