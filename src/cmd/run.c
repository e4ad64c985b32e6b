/* assay run: bring a study up to date. */
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
    .description =
        "Takes the corpus from the sources, finds the sets, draws the samples and makes "
        "the tables, as far as they are not up to date. What is up to date is decided by "
        "content: a step runs again when its section of the study file, a file or step "
        "that it rests on, or the way assay makes it has changed, and when its result is "
        "missing or was changed by hand. Comments, order and formatting do not matter.\n"
        "\n"
        "A step that the data do not allow, such as a test of two groups where there are "
        "three, is told with its place in the study file; all others are made, but those "
        "that rest on it, and the exit status is 1.\n"
        "\n"
        "A set or group that asks for labels (`label:`, see assay-query(7)) waits until "
        "there are some, and with it whatever rests on it: that is told, is no error, "
        "and all else is made.\n"
        "\n"
        "Results are plain files below out/; assay.lock records what each rests on. A "
        "run that was interrupted, even by kill -9, is gone on with by the same command.",
    .examples = "  assay run my-study\n",
    .see_also = "assay-plan(1),assay-study(5)",
    .operands = operands,
    .options = options,
    .run = run,
};
