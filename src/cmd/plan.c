/* assay plan: what would run, and why. */
#include "cmd/opening.h"
#include "run/doubts.h"

static const struct cmd_operand operands[] = {CMD_OPENING_OPERAND, {0}};

static const struct cmd_option options[] = {CMD_OPENING_DATA, CMD_OPENING_READING, {0}};

static void print_step(struct str name, const char *what, struct str reason)
{
    if (reason.len > 0)
        printf("%-5s  %-30.*s  %.*s\n", what, STR_ARG(name), STR_ARG(reason));
    else
        printf("%-5s  %.*s\n", what, STR_ARG(name));
}

static bool run(struct cmd_session *session, const void *arguments, struct err *err)
{
    const struct cmd_opening_args *args = arguments;
    struct run_options wanted = cmd_opening_options(args);
    struct study study;
    struct run_steps steps;
    struct str corpus;
    size_t outdated = 0;

    if (!cmd_opening_study(session, args, &study, err) ||
        !run_plan(&study, &wanted, &session->arena, &steps, &corpus, err))
        return false;
    struct source_ingest_options sources =
        run_ingest_options(&study, &wanted, &session->arena);
    const char *absent = source_ingest_absent(&sources);
    struct buf note = {0};
    if (absent != NULL)
        buf_add_format(&note, "%s is not there: taken to be unchanged", absent);
    print_step(STR("corpus"), corpus.len > 0 ? "runs" : "fresh",
               corpus.len > 0 ? corpus : buf_str(&note));
    buf_free(&note);
    for (size_t i = 0; i < steps.count; i++) {
        const struct run_step *step = &steps.at[i];
        bool fresh = step->reason.len == 0;
        bool waits = step->waits.len > 0;
        outdated += !fresh && !waits;
        print_step(step->name,
                   fresh        ? "fresh"
                   : waits      ? "waits"
                   : step->open ? "may"
                                : "runs",
                   fresh   ? step->made.says
                   : waits ? step->waits
                           : step->reason);
    }
    run_doubts_tell_plan(&study, &wanted);
    if (outdated == 0 && corpus.len == 0)
        printf("everything is up to date\n");
    return true;
}

const struct cmd cmd_plan = {
    .name = "plan",
    .summary = "List what would run, and why",
    .see_also = "assay-run(1)",
    .operands = operands,
    .options = options,
    .run = run,
};
