/* assay report: where the report is, up to date. */
#include "base/file.h"
#include "cmd/opening.h"

static const struct cmd_operand operands[] = {OPENING_OPERAND, {0}};

static const struct cmd_option options[] = {
    OPENING_DATA, OPENING_READING, OPENING_QUIET, {0}};

static bool run(struct cmd_session *session, const void *arguments, struct err *err)
{
    const struct opening_args *args = arguments;
    struct run_options wanted = opening_options(args);
    struct study study;
    struct lock lock = {-1};
    int64_t made;

    if (!opening_study(session, args, &study, err))
        return false;
    bool ok = opening_lock(session, &study, "assay report", &lock, err) &&
              run_study(&study, &wanted, &made, err);
    lock_release(&lock);
    if (ok)
        printf("%s\n", file_join(study.home, "out/report/index.html", &session->arena));
    return ok;
}

const struct command cmd_report = {
    .name = "report",
    .summary = "Make the report of a study, and say where it is",
    .description = "Brings the study up to date, of which the report is the last step, "
                   "and prints the "
                   "path of its first page. The report is a folder of plain files that "
                   "opens from disk, "
                   "without network: what was studied, every table, figure and test with "
                   "the section of "
                   "the study file that made it, published numbers beside ours. Every "
                   "number of a table "
                   "leads to the posts behind it.",
    .examples = "  xdg-open \"$(assay report my-study)\"\n",
    .see_also = "assay-run(1),assay-study(5)",
    .operands = operands,
    .options = options,
    .run = run,
};
