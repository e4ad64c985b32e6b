/* Signals as requests. Each case runs in a child, as a request cannot be taken back. */
#include "base/stop.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/tap.h"

static const struct {
    const char *name;
    int signal_number;
    const char *text;
} rows[] = {
    {"SIGINT", SIGINT, "stopped by ^C (SIGINT)"},
    {"SIGTERM", SIGTERM, "stopped by SIGTERM"},
    {"SIGHUP", SIGHUP, "stopped by SIGHUP"},
};

/* 0 when all is as it should be, else the number of the step that was not. */
static int request(int signal_number, const char *text)
{
    struct err err = {0};

    signal(signal_number, SIG_DFL); /* under nohup it is ignored */
    stop_install();
    if (stop_requested() || !stop_check(&err) || err.kind != ERR_NONE)
        return 1;
    raise(signal_number);
    if (!stop_requested())
        return 2;
    if (stop_check(&err) || err.kind != ERR_SYSTEM)
        return 3;
    return strcmp(err.text, text) == 0 ? 0 : 4;
}

static int wait_for(pid_t child)
{
    int status = 0;

    waitpid(child, &status, 0);
    return status;
}

int main(void)
{
    int status;
    pid_t child;

    tap_case("nothing is requested at first");
    struct err err = {0};
    CHECK(!stop_requested() && stop_check(&err) && err.kind == ERR_NONE);
    for (size_t i = 0; i < ROWS(rows); i++) {
        tap_case("%s is a request", rows[i].name);
        fflush(stdout);
        if ((child = fork()) == 0)
            _exit(request(rows[i].signal_number, rows[i].text));
        status = wait_for(child);
        CHECK_NEAR(WIFEXITED(status) ? WEXITSTATUS(status) : -1, 0, 0);

        tap_case("a second %s ends the program", rows[i].name);
        fflush(stdout);
        if ((child = fork()) == 0) {
            if (request(rows[i].signal_number, rows[i].text) == 0)
                raise(rows[i].signal_number);
            _exit(9);
        }
        status = wait_for(child);
        CHECK(WIFSIGNALED(status) && WTERMSIG(status) == rows[i].signal_number);

        tap_case("%s that is ignored stays so", rows[i].name);
        fflush(stdout);
        if ((child = fork()) == 0) {
            signal(rows[i].signal_number, SIG_IGN);
            stop_install();
            raise(rows[i].signal_number);
            raise(rows[i].signal_number);
            _exit(stop_requested() ? 1 : 0);
        }
        status = wait_for(child);
        CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    }
    tap_case("without stop_install() a signal ends the program as ever");
    fflush(stdout);
    if ((child = fork()) == 0) {
        signal(SIGTERM, SIG_DFL);
        raise(SIGTERM);
        _exit(9);
    }
    status = wait_for(child);
    CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
    return tap_done();
}
