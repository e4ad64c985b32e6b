/* assay export: what a study gives to others. */
#include <string.h>

#include "base/file.h"
#include "cmd/opening.h"
#include "label/refi.h"
#include "package/package.h"

struct export_args {
    struct cmd_opening_args opening;
    const char *what, *out, *task, *layer, *format, *rater, *dimension;
    bool with_posts, anonymous, with_memos, force;
};

static const struct cmd_operand operands[] = {
    {"WHAT", offsetof(struct export_args, what), "package, labels or codebook", true},
    CMD_OPENING_OPERAND,
    {0}};

static const struct cmd_option options[] = {
    {"--out", CMD_TEXT, offsetof(struct export_args, out), "PATH",
     .help = "where to: a folder, or a file whose name ends in .zip; nothing may be "
             "there yet. Of labels and codebooks a file; without it they are printed"},
    {"--force", CMD_FLAG, offsetof(struct export_args, force), NULL,
     .help = "of labels and codebooks: write over a file that is there already"},
    CMD_TASK_OPTION(struct export_args, task),
    {"--layer", CMD_CHOICE, offsetof(struct export_args, layer), "LAYER",
     .help = "of labels: all acts of raters, what each of them says, what the arbiter "
             "decided, or final labels with their state",
     .choices = "acts|said|decisions|final", .fallback = "said"},
    {"--format", CMD_CHOICE, offsetof(struct export_args, format), "FORMAT",
     .help = "of labels that raters said; other layers are csv",
     .choices = "csv|wide|jsonl|label-studio|doccano", .fallback = "csv"},
    {"--rater", CMD_TEXT, offsetof(struct export_args, rater), "NAME",
     .help = "of labels: only those of this rater"},
    {"--dimension", CMD_TEXT, offsetof(struct export_args, dimension), "NAME",
     .help = "of labels: only those of this dimension"},
    {"--anonymous", CMD_FLAG, offsetof(struct export_args, anonymous), NULL,
     .help = "of labels: raters are called rater-1, rater-2 and so on, and times, memos "
             "and names of files are left out"},
    {"--with-memos", CMD_FLAG, offsetof(struct export_args, with_memos), NULL,
     .help = "of anonymous labels: also the raters' memos"},
    {"--with-posts", CMD_FLAG, offsetof(struct export_args, with_posts), NULL,
     .help = "also the texts of the posts that were sampled or labelled, without names "
             "of users; of labels in the formats of Label Studio and doccano"},
    CMD_OPENING_DATA,
    CMD_OPENING_READING,
    CMD_OPENING_QUIET,
    {0}};

static bool write_package(struct cmd_session *session, const struct export_args *args,
                          const struct study *study, const struct run_options *wanted,
                          struct package *package, struct err *err)
{
    struct package_options how = {.with_posts = args->with_posts,
                                  .data = cmd_opening_data(&args->opening),
                                  .run = wanted};
    struct buf warnings = {0};
    bool ok = package_make(study, &how, &session->arena, package, &warnings, err) &&
              package_write(package, args->out, err);

    if (ok && warnings.len > 0)
        fwrite(warnings.ptr, 1, warnings.len, stderr);
    buf_free(&warnings);
    return ok;
}

static bool export_package(struct cmd_session *session, const struct export_args *args,
                           struct err *err)
{
    struct run_options wanted = cmd_opening_options(&args->opening);
    struct study study;
    struct package package;
    struct lock lock = {-1};
    int64_t made;

    if (args->out == NULL)
        return err_set(err, ERR_USAGE, "--out DIR is required");
    if (!package_check_free(args->out, err) ||
        !cmd_opening_study(session, &args->opening, &study, err))
        return false;
    bool ok = cmd_opening_lock(session, &study, "assay export", &lock, err) &&
              run_study(&study, &wanted, &made, err) &&
              write_package(session, args, &study, &wanted, &package, err);
    lock_release(&lock);
    if (ok && !args->opening.quiet)
        printf("%s: %zu file%s\n", args->out, package.count,
               str_plural((int64_t)package.count));
    return ok;
}

/* Asked before anything is read: work that cannot be kept is not begun. */
static bool check_free(const struct export_args *args, struct err *err)
{
    return args->out == NULL || args->force || !file_exists(args->out) ||
           err_set(err, ERR_INPUT,
                   "%s is there already: remove it, give another name, or give --force "
                   "to write over it",
                   args->out);
}

static bool hand_out(const struct export_args *args, const struct buf *text,
                     struct err *err)
{
    if (args->out != NULL)
        return file_write(args->out, buf_str(text), err);
    cmd_print(text);
    return true;
}

static bool read_options(const struct export_args *args, struct label_export_options *how,
                         struct err *err)
{
    *how = (struct label_export_options){
        .layer = strcmp(args->layer, "acts") == 0        ? LABEL_ACTS
                 : strcmp(args->layer, "said") == 0      ? LABEL_SAID
                 : strcmp(args->layer, "decisions") == 0 ? LABEL_DECISIONS
                                                         : LABEL_FINAL,
        .anonymous = args->anonymous,
        .memos = args->with_memos,
        .posts = args->with_posts,
        .rater = str_from(args->rater != NULL ? args->rater : ""),
        .dimension = str_from(args->dimension != NULL ? args->dimension : "")};
    (void)label_format_find(str_from(args->format), &how->format);
    if (how->layer != LABEL_SAID && how->format != LABEL_FORMAT_CSV)
        return err_set(err, ERR_USAGE, "--layer %s is csv; found --format %s",
                       args->layer, args->format);
    if (how->layer == LABEL_FINAL && how->rater.len > 0)
        return err_set(err, ERR_USAGE, "final labels are of no rater; found --rater %s",
                       args->rater);
    return true;
}

static bool export_labels(struct cmd_session *session, const struct export_args *args,
                          struct err *err)
{
    struct label_export_options how;
    struct label *label = NULL;
    struct study study;
    struct buf out = {0};
    bool ok =
        read_options(args, &how, err) && check_free(args, err) &&
        cmd_task_open(session, &args->opening, args->task, true, &study, &label, err) &&
        label_export(label, &how, &out, err) && hand_out(args, &out, err);

    label_close(label);
    buf_free(&out);
    return ok;
}

static bool export_codebook(struct cmd_session *session, const struct export_args *args,
                            struct err *err)
{
    const struct study_labelling *task;
    struct study_codebook codebook;
    struct study study;
    struct buf out = {0}, problems = {0};
    bool ok =
        check_free(args, err) &&
        cmd_opening_study(session, &args->opening, &study, err) &&
        label_choose_task(&study, str_from(args->task != NULL ? args->task : ""), &task,
                          err) &&
        study_codebook_load(task->codebook, &session->arena, &codebook, &problems, err);

    if (problems.len > 0)
        fwrite(problems.ptr, 1, problems.len, stderr);
    if (ok) {
        label_refi_codebook(&codebook, &out);
        ok = hand_out(args, &out, err);
    }
    buf_free(&problems);
    buf_free(&out);
    return ok;
}

static bool run(struct cmd_session *session, const void *arguments, struct err *err)
{
    const struct export_args *args = arguments;

    if (strcmp(args->what, "package") == 0)
        return export_package(session, args, err);
    if (strcmp(args->what, "labels") == 0)
        return export_labels(session, args, err);
    if (strcmp(args->what, "codebook") == 0)
        return export_codebook(session, args, err);
    return err_set(err, ERR_USAGE, "expected package, labels or codebook, found '%s'",
                   args->what);
}

const struct cmd cmd_export = {
    .name = "export",
    .summary = "Make a replication package of a study, or write its labels or codebook",
    .description =
        "package brings the study up to date and writes what others need to rerun it and "
        "to compare: the study file and the files that it reads, labels.db with what "
        "everybody said and decided in which round, all results with the ids of every "
        "set and sample, assay.lock, a README.md with the commands and the sources that "
        "are needed with their hashes, attribution.csv with link and licence of every "
        "item that was sampled or labelled, CITATION.cff and .zenodo.json.\n"
        "\n"
        "In all of it people are called rater-1, rater-2, arbiter and lead, in an order "
        "that tells nothing; memos, times of day and durations are left out, as are "
        "columns of label files that the study does not read. Sources that lie outside "
        "of the study's folder become $data/NAME, other files inputs/NAME. The study is "
        "run once as others get it: the package is only written when its numbers are the "
        "study's own. Whether comments of the study file or of a codebook name somebody "
        "is told on standard error.\n"
        "\n"
        "Posts and names of users are not part of it; --with-posts adds the texts of the "
        "sampled and labelled posts. The package comes into being whole or not at all, "
        "and the same study gives the same bytes.\n"
        "\n"
        "labels writes what raters said: with --layer said a row for each code that "
        "counts of each rater, or another of the formats that `assay import` takes; with "
        "acts their whole log, nothing left out; with decisions what the arbiter decided "
        "and why, as `assay import` takes it; with final one label for each item and "
        "dimension and whether it is unanimous, of a single rater, adjudicated, "
        "unresolved or pending. The csv and JSON lines hold all that can be imported; a "
        "wide csv holds of each rater and item the codes of the newest round that counts "
        "and nothing else, Label Studio's JSON also memos and times, doccano's also "
        "memos, of one rater and dimension.\n"
        "\n"
        "codebook writes the codebook of a labelling task as REFI-QDA (.qdc), which "
        "programs for qualitative analysis take.",
    .examples = "  assay export package my-study --out my-study.zip\n"
                "  assay export labels my-study --layer final --out final.csv\n"
                "  assay export labels my-study --format label-studio --with-posts\n"
                "  assay export codebook my-study --out bugs.qdc\n",
    .see_also = "assay-verify(1),assay-study(5)",
    .operands = operands,
    .options = options,
    .run = run,
};
