/* assay report: where the report is, up to date. */
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "cmd/opening.h"
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

/* Pages are laid out by browsers, and printed best by one: what is mailed then is what
 * people saw. Its first way to call it that works. */
static bool spawn_browser(char **arguments, pid_t *child, struct err *err)
{
    static const char *const browsers[] = {"chromium", "chromium-browser",
                                           "google-chrome", "google-chrome-stable"};
    extern char **environ;
    posix_spawn_file_actions_t quiet;
    const char *chosen = getenv("ASSAY_BROWSER");
    int failed = ENOENT;

    posix_spawn_file_actions_init(&quiet);
    posix_spawn_file_actions_addopen(&quiet, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&quiet, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    if (chosen != NULL)
        failed = posix_spawnp(child, chosen, &quiet, NULL, arguments, environ);
    for (size_t i = 0; i < ROWS_OF(browsers) && chosen == NULL && failed == ENOENT; i++)
        failed = posix_spawnp(child, browsers[i], &quiet, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&quiet);
    return failed == 0 ||
           err_set(err, ERR_SYSTEM,
                   "%s: %s; --pdf prints with Chromium (Debian's package chromium), or "
                   "with the browser that ASSAY_BROWSER names",
                   chosen != NULL ? chosen : "chromium", strerror(failed));
}

static char *word(struct arena *arena, const char *key, const char *value)
{
    return arena_c_string(arena, arena_format(arena, "%s%s", key, value));
}

/* The time of printing is in the file, so that its bytes are not the same every time. */
static bool print_pdf(const char *page, const char *pdf, struct arena *arena,
                      struct err *err)
{
    char *part = word(arena, pdf, ".part"), *real = realpath(page, NULL);
    const char *profile;
    int status = -1;
    pid_t child;

    if (real == NULL)
        return err_set(err, ERR_SYSTEM, "%s: %s", page, strerror(errno));
    const char *url = word(arena, "file://", real);
    free(real);
    if (!file_make_temporary(arena, &profile, err))
        return false;
    char *arguments[] = {word(arena, "chromium", ""), word(arena, "--headless", ""),
                         word(arena, "--disable-gpu", ""),
                         word(arena, "--no-first-run", ""),
                         word(arena, "--no-pdf-header-footer", ""),
                         word(arena, "--user-data-dir=", profile),
                         word(arena, "--print-to-pdf=", part), word(arena, url, ""),
                         /* which does not run for root in its sandbox */
                         geteuid() == 0 ? word(arena, "--no-sandbox", "") : NULL, NULL};
    bool ok = spawn_browser(arguments, &child, err);
    while (ok && waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    if (ok && (status != 0 || rename(part, pdf) != 0))
        ok = err_set(err, ERR_SYSTEM, "%s: the browser did not print it (status %d)", pdf,
                     WIFEXITED(status) ? WEXITSTATUS(status) : -1);
    file_remove_temporary(profile);
    return ok;
}

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
        ok = print_pdf(
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
