/* The handler only sets a flag: nothing else is safe inside a signal. */
#include "base/stop.h"

#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>

static volatile atomic_int received;

static void remember(int signal_number)
{
    atomic_store(&received, signal_number);
}

void stop_install(void)
{
    static const int requests[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action = {.sa_handler = remember, .sa_flags = (int)SA_RESETHAND};
    struct sigaction before;

    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof requests / sizeof *requests; i++)
        if (sigaction(requests[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            sigaction(requests[i], &action, NULL);
    /* A file that grows over the limit is a failed write, not a reason to die. */
    signal(SIGXFSZ, SIG_IGN);
}

bool stop_requested(void)
{
    return atomic_load(&received) != 0;
}

bool stop_check(struct err *err)
{
    switch (atomic_load(&received)) {
    case 0:
        return true;
    case SIGINT:
        return err_set(err, ERR_SYSTEM, "stopped by ^C (SIGINT)");
    case SIGTERM:
        return err_set(err, ERR_SYSTEM, "stopped by SIGTERM");
    default:
        return err_set(err, ERR_SYSTEM, "stopped by SIGHUP");
    }
}
