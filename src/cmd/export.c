/* assay export: what a study gives to others. */
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "cmd/opening.h"
#include "label/refi.h"
#include "package/package.h"

struct export_args {
    struct cmd_opening_args opening;
    const char *what, *out, *task, *layer, *format, *rater, *dimension, *backup;
    bool with_posts, anonymous, with_memos, force;
};

#define AT(field) offsetof(struct export_args, field)

static const struct cmd_operand operands[] = {
    {"WHAT", AT(what), "package, labels or codebook", true}, CMD_OPENING_OPERAND, {0}};

static const struct cmd_option options[] = {
    {"--out", CMD_TEXT, AT(out), "PATH",
     .help = "where to: a folder, or a file whose name ends in .zip; nothing may be "
             "there yet. Of labels and codebooks a file; without it they are printed"},
    {"--force", CMD_FLAG, AT(force), NULL,
     .help = "of labels and codebooks: write over a file that is there already"},
    CMD_TASK_OPTION(struct export_args, task),
    {"--layer", CMD_CHOICE, AT(layer), "LAYER",
     .help =
         "of labels: all acts of raters, what each of them says, what the arbiter "
         "decided, final labels with their state, or what people said about items when "
         "their round was over",
     .choices = "acts|said|decisions|final|remarks", .fallback = "said"},
    {"--format", CMD_CHOICE, AT(format), "FORMAT",
     .help = "of labels that raters said; other layers are csv",
     .choices = "csv|wide|jsonl|label-studio|doccano|webanno|refi-qda",
     .fallback = "csv"},
    {"--rater", CMD_TEXT, AT(rater), "NAME",
     .help = "of labels: only those of this rater"},
    {"--dimension", CMD_TEXT, AT(dimension), "NAME",
     .help = "of labels: only those of this dimension"},
    {"--backup", CMD_TEXT, AT(backup), "FILE",
     .help =
         "of labels: a copy of the whole labels.db as it is at this moment, also while "
         "raters are at work; nothing else is written"},
    {"--anonymous", CMD_FLAG, AT(anonymous), NULL,
     .help = "of labels: raters are called rater-1, rater-2 and so on, and times, memos "
             "and names of files are left out"},
    {"--with-memos", CMD_FLAG, AT(with_memos), NULL,
     .help = "of anonymous labels: also the raters' memos"},
    {"--with-posts", CMD_FLAG, AT(with_posts), NULL,
     .help =
         "also the texts of the posts that were sampled or labelled, without names "
         "of users; of labels in the formats of Label Studio and doccano (always where "
         "raters mark spans)"},
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
    const char *path = args->backup != NULL ? args->backup : args->out;

    return path == NULL || args->force || !file_exists(path) ||
           err_set(err, ERR_INPUT,
                   "%s is there already: remove it, give another name, or give --force "
                   "to write over it",
                   path);
}

static bool hand_out(const struct export_args *args, struct buf *text, struct err *err)
{
    if (args->out != NULL)
        return file_write(args->out, buf_str(text), err);
    cmd_print(text);
    return true;
}

static bool read_options(const struct export_args *args, struct label_export_options *how,
                         struct err *err)
{
    *how = (struct label_export_options){.anonymous = args->anonymous,
                                         .memos = args->with_memos,
                                         .posts = args->with_posts,
                                         .rater = str_from(args->rater),
                                         .dimension = str_from(args->dimension)};
    (void)label_layer_find(str_from(args->layer), &how->layer);
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
    struct progress progress = progress_begin("", 0, STDERR_FILENO, args->opening.quiet);

    if (!read_options(args, &how, err) || !check_free(args, err))
        return false;
    how.progress = &progress;
    progress_count(&progress, "reading labels", 0);
    bool ok =
        cmd_task_open(session, &args->opening, args->task, true, &study, &label, err) &&
        (args->backup != NULL ? label_copy(label, &out, err)
                              : label_export(label, &how, &out, err));
    progress_end(&progress);
    ok =
        ok && (args->backup != NULL ? file_write_private(args->backup, buf_str(&out), err)
                                    : hand_out(args, &out, err));

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
        label_choose_task(&study, str_from(args->task), &task, err) &&
        study_codebook_load(task->codebook, &session->arena, &codebook, &problems, err);

    cmd_complain(&problems);
    if (ok) {
        label_refi_codebook(&codebook, &out);
        ok = hand_out(args, &out, err);
    }
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
    .see_also = "assay-verify(1),assay-study(5)",
    .operands = operands,
    .options = options,
    .run = run,
};
