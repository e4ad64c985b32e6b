/* Pages as PDF, by a browser. */
#include "cmd/printing.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"

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

bool cmd_printing_pdf(const char *page, const char *pdf, struct arena *arena,
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
