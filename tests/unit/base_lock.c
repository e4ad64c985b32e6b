/* A second process is told who holds the lock; a dead one holds nothing. */
#include "base/lock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/tap.h"

static char path[] = "/tmp/assay-lock-XXXXXX";

/* The status of a child that tries to take the lock: 0 got it, 1 refused as it should be.
 */
static int try_in_child(pid_t holder)
{
    pid_t child = fork();
    int status;

    if (child == 0) {
        struct lock lock;
        struct err err = {0};
        char want[100];
        if (lock_take(path, "assay other", &lock, &err))
            _exit(0);
        snprintf(want, sizeof want, "held by process %ld (assay test)", (long)holder);
        _exit(err.kind == ERR_SYSTEM && strstr(err.text, want) != NULL ? 1 : 2);
    }
    return waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status)
                                                                    : 3;
}

int main(void)
{
    struct lock lock;
    struct err err = {0};

    close(mkstemp(path));
    tap_case("a second process is told who holds it");
    CHECK(lock_take(path, "assay test", &lock, &err));
    CHECK(try_in_child(getpid()) == 1);
    tap_case("after release, and after the other has ended, it is free");
    lock_release(&lock);
    CHECK(try_in_child(0) == 0);
    CHECK(lock_take(path, "assay test", &lock, &err));
    lock_release(&lock);
    lock_release(&lock);
    tap_case("a place that cannot be written");
    CHECK(!lock_take("/dev/null/x", "assay test", &lock, &err) &&
          err.kind == ERR_SYSTEM);
    unlink(path);
    return tap_done();
}
