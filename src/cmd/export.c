/* assay export: what a study gives to others. */
#include <string.h>

#include "cmd/opening.h"
#include "package/package.h"

struct args {
    struct opening_args opening;
    const char *what, *out;
    bool with_posts;
};

static const struct cmd_operand operands[] = {
    {"WHAT", offsetof(struct args, what), "package", true}, OPENING_OPERAND, {0}};

static const struct cmd_option options[] = {
    {"--out", CMD_TEXT, offsetof(struct args, out), "DIR",
     "where to: a folder, or a file whose name ends in .zip; nothing may be there yet",
     true, 0, 0, NULL, NULL},
    {"--with-posts", CMD_FLAG, offsetof(struct args, with_posts), NULL,
     "also the texts of the posts that were sampled or labelled, without names of users",
     false, 0, 0, NULL, NULL},
    OPENING_DATA,
    OPENING_READING,
    OPENING_QUIET,
    {0}};

static bool run(struct cmd_session *session, const void *arguments, struct err *err)
{
    const struct args *args = arguments;
    struct run_options wanted = opening_options(&args->opening);
    struct package_options how = {args->with_posts, CMD_VERSION};
    struct study study;
    struct package package;
    struct lock lock = {-1};
    int64_t made;

    if (strcmp(args->what, "package") != 0)
        return err_set(err, ERR_USAGE, "expected package, found '%s'", args->what);
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

const struct command cmd_export = {
    .name = "export",
    .summary = "Make a replication package of a study",
    .description =
        "Brings the study up to date and writes what others need to rerun it and to "
        "compare: the study file, codebooks, label files and tables that lie in the "
        "study's folder, with raters called rater-1, rater-2 and so on, all results with "
        "the ids of every set and sample, assay.lock, a README.md with the commands and "
        "the sources that are needed with their hashes, and attribution.csv with link "
        "and licence of every item that was sampled or labelled.\n"
        "\n"
        "Posts and names of users are not part of it; --with-posts adds the texts of "
        "the sampled and labelled posts. The package comes into being whole or not at "
        "all, and the same study gives the same bytes.",
    .examples = "  assay export package my-study --out my-study.zip\n",
    .see_also = "assay-verify(1),assay-study(5)",
    .operands = operands,
    .options = options,
    .run = run,
};
