/* assay handbook: where the handbook is, up to date. */
#include "base/file.h"
#include "cmd/opening.h"
#include "cmd/printing.h"

static const struct cmd_operand operands[] = {CMD_OPENING_OPERAND, {0}};

struct handbook_args {
    struct cmd_opening_args opening;
    bool pdf;
};

static const struct cmd_option options[] = {
    {"--pdf", CMD_FLAG, offsetof(struct handbook_args, pdf), NULL,
     .help = "print the whole of it to out/handbook.pdf"},
    CMD_OPENING_DATA,
    CMD_OPENING_READING,
    CMD_OPENING_QUIET,
    {0}};

static bool run(struct cmd_session *session, const void *arguments, struct err *err)
{
    const struct handbook_args *args = arguments;
    struct arena *arena = &session->arena;
    struct cmd_opening_run ran;
    const char *made = "out/handbook/index.html";
    bool ok = cmd_opening_run(session, &args->opening, "assay handbook", NULL, &ran, err);

    lock_release(&ran.lock);
    if (!ok)
        return false;
    if (ran.study.handbook_count == 0)
        return err_set(err, ERR_INPUT,
                       "%s: the study has no `handbook`; one is made by\n"
                       "handbook: {of: SET, by: GROUP}",
                       ran.study.path);
    if (!file_exists(file_join(ran.study.home, made, arena)))
        return err_set(err, ERR_INPUT,
                       "%s: the handbook waits for labels; assay plan says for which",
                       ran.study.path);
    if (args->pdf) {
        const char *page = file_join(ran.study.home, "out/handbook/book.html", arena);
        made = "out/handbook.pdf";
        if (!cmd_printing_pdf(page, file_join(ran.study.home, made, arena), arena, err))
            return false;
    }
    printf("%s\n", file_join(ran.study.home, made, arena));
    return true;
}

const struct cmd cmd_handbook = {
    .name = "handbook",
    .summary = "Make the handbook of a study, and say where it is",
    .see_also = "assay-report(1),assay-run(1),assay-ask(1),assay-study(5)",
    .operands = operands,
    .options = options,
    .run = run,
};
