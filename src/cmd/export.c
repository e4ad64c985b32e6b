/* assay export: what a study gives to others. */
#include <string.h>

#include "base/file.h"
#include "cmd/task.h"
#include "package/package.h"

struct args {
    struct opening_args opening;
    const char *what, *out, *task, *layer;
    bool with_posts, anonymous;
};

static const struct cmd_operand operands[] = {
    {"WHAT", offsetof(struct args, what), "package or labels", true},
    OPENING_OPERAND,
    {0}};

static const struct cmd_option options[] = {
    {"--out", CMD_TEXT, offsetof(struct args, out), "DIR",
     "where to: a folder, or a file whose name ends in .zip; nothing may be there yet. "
     "Of "
     "labels: a file; without it they are printed",
     false, 0, 0, NULL, NULL},
    TASK_OPTION(struct args, task),
    {"--layer", CMD_CHOICE, offsetof(struct args, layer), "LAYER",
     "of labels: all acts of raters, what each of them says, or final labels with their "
     "state",
     false, 0, 0, "acts|said|final", "said"},
    {"--anonymous", CMD_FLAG, offsetof(struct args, anonymous), NULL,
     "of labels: raters are called rater-1, rater-2 and so on, and memos are left out",
     false, 0, 0, NULL, NULL},
    {"--with-posts", CMD_FLAG, offsetof(struct args, with_posts), NULL,
     "also the texts of the posts that were sampled or labelled, without names of users",
     false, 0, 0, NULL, NULL},
    OPENING_DATA,
    OPENING_READING,
    OPENING_QUIET,
    {0}};

static bool export_package(struct cmd_session *session, const struct args *args,
                           struct err *err)
{
    struct run_options wanted = opening_options(&args->opening);
    struct package_options how = {args->with_posts, CMD_VERSION};
    struct study study;
    struct package package;
    struct lock lock = {-1};
    int64_t made;

    if (args->out == NULL)
        return err_set(err, ERR_USAGE, "--out DIR is required");
    if (!package_check_free(args->out, err) ||
        !opening_study(session, &args->opening, &study, err))
        return false;
    bool ok = opening_lock(session, &study, "assay export", &lock, err) &&
              run_study(&study, &wanted, &made, err) &&
              package_make(&study, &how, &session->arena, &package, err) &&
              package_write(&package, args->out, err);
    lock_release(&lock);
    if (ok && !args->opening.quiet)
        printf("%s: %zu files\n", args->out, package.count);
    return ok;
}

static bool export_labels(struct cmd_session *session, const struct args *args,
                          struct err *err)
{
    enum label_layer layer = strcmp(args->layer, "acts") == 0   ? LABEL_ACTS
                             : strcmp(args->layer, "said") == 0 ? LABEL_SAID
                                                                : LABEL_FINAL;
    struct label *label = NULL;
    struct study study;
    struct buf out = {0};
    bool ok = task_open(session, &args->opening, args->task, true, &study, &label, err) &&
              label_export(label, layer, args->anonymous, &out, err);

    if (ok && args->out != NULL)
        ok = file_write(args->out, buf_str(&out), err);
    else if (ok)
        cmd_print(&out);
    label_close(label);
    buf_free(&out);
    return ok;
}

static bool run(struct cmd_session *session, const void *arguments, struct err *err)
{
    const struct args *args = arguments;

    if (strcmp(args->what, "package") == 0)
        return export_package(session, args, err);
    if (strcmp(args->what, "labels") == 0)
        return export_labels(session, args, err);
    return err_set(err, ERR_USAGE, "expected package or labels, found '%s'", args->what);
}

const struct command cmd_export = {
    .name = "export",
    .summary = "Make a replication package of a study, or write its labels",
    .description =
        "package brings the study up to date and writes what others need to rerun it and "
        "to "
        "compare: the study file, codebooks, label files and tables that lie in the "
        "study's folder, with raters called rater-1, rater-2 and so on, all results with "
        "the ids of every set and sample, assay.lock, a README.md with the commands and "
        "the sources that are needed with their hashes, and attribution.csv with link "
        "and licence of every item that was sampled or labelled.\n"
        "\n"
        "Posts and names of users are not part of it; --with-posts adds the texts of "
        "the sampled and labelled posts. The package comes into being whole or not at "
        "all, and the same study gives the same bytes.\n"
        "\n"
        "labels writes what raters said as csv: with --layer said a row for each code "
        "that counts of each rater, which `assay import` takes; with acts the whole log, "
        "nothing left out; with final one label for each item and dimension and whether "
        "it is unanimous, of a single rater, adjudicated, unresolved or pending.",
    .examples = "  assay export package my-study --out my-study.zip\n"
                "  assay export labels my-study --layer final --out final.csv\n",
    .see_also = "assay-verify(1),assay-study(5)",
    .operands = operands,
    .options = options,
    .run = run,
};
