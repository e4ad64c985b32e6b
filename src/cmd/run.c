/* assay run: bring a study up to date. */
#include "base/arena.h"
#include "base/file.h"
#include "cmd/opening.h"

static const struct cmd_operand operands[] = {CMD_OPENING_OPERAND, {0}};

static const struct cmd_option options[] = {
    CMD_OPENING_DATA, CMD_OPENING_READING, CMD_OPENING_QUIET, {0}};

static void tell(void *context, struct str step, const char *what, struct str text)
{
    (void)context;
    printf("%-4s  %-30.*s  %.*s\n", what, STR_ARG(step), STR_ARG(text));
    fflush(stdout); /* whoever reads along sees each as it comes */
}

static bool run(struct cmd_session *session, const void *arguments, struct err *err)
{
    const struct cmd_opening_args *args = arguments;
    struct cmd_opening_run ran;

    arena_give_back();
    bool ok =
        cmd_opening_run(session, args, "assay run", args->quiet ? NULL : tell, &ran, err);

    lock_release(&ran.lock);
    if (!ok || args->quiet)
        return ok;
    if (ran.made == 0)
        printf("everything is up to date\n");
    else
        printf("report: %s\n",
               file_join(ran.study.home, "out/report/index.html", &session->arena));
    return true;
}

const struct cmd cmd_run = {
    .name = "run",
    .summary = "Bring everything in a study up to date",
    .see_also = "assay-plan(1),assay-study(5)",
    .operands = operands,
    .options = options,
    .run = run,
};
