/* assay report: where the report is, up to date. */
#include "base/file.h"
#include "cmd/opening.h"
#include "cmd/printing.h"
#include "run/drafting.h"

static const struct cmd_operand operands[] = {CMD_OPENING_OPERAND, {0}};

struct report_args {
    struct cmd_opening_args opening;
    bool methods, pdf;
};

static const struct cmd_option options[] = {
    {"--methods", CMD_FLAG, offsetof(struct report_args, methods), NULL,
     .help = "draft the methods and threats to validity of a paper, and fill in the "
             "checklists of the ACM SIGSOFT Empirical Standards"},
    {"--pdf", CMD_FLAG, offsetof(struct report_args, pdf), NULL,
     .help = "print the report, with all its tables and figures, to out/report.pdf"},
    CMD_OPENING_DATA,
    CMD_OPENING_READING,
    CMD_OPENING_QUIET,
    {0}};

static bool run(struct cmd_session *session, const void *arguments, struct err *err)
{
    const struct report_args *args = arguments;
    struct cmd_opening_run ran;
    bool ok = cmd_opening_run(session, &args->opening, "assay report", NULL, &ran, err) &&
              (!args->methods || run_drafting_make(&ran.study, CMD_VERSION, err));
    const char *made = args->methods ? "out/methods.md" : "out/report/index.html";

    lock_release(&ran.lock);
    if (ok && args->pdf) {
        made = "out/report.pdf";
        ok = cmd_printing_pdf(
            file_join(ran.study.home, "out/report/index.html", &session->arena),
            file_join(ran.study.home, made, &session->arena), &session->arena, err);
    }
    if (ok)
        printf("%s\n", file_join(ran.study.home, made, &session->arena));
    return ok;
}

const struct cmd cmd_report = {
    .name = "report",
    .summary = "Make the report of a study, and say where it is",
    .see_also = "assay-run(1),assay-study(5)",
    .operands = operands,
    .options = options,
    .run = run,
};
