/* A POSIX record lock: the kernel forgets it when the process is gone, so that a killed
 * one never blocks the next. The file's text only tells people who it was. */
#include "base/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void read_holder(int descriptor, char *text, size_t size)
{
    ssize_t got = pread(descriptor, text, size - 1, 0);

    text[got > 0 ? got : 0] = '\0';
    text[strcspn(text, "\n")] = '\0';
}

bool lock_take(const char *path, const char *what, struct lock *lock, struct err *err)
{
    struct flock wanted = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    char holder[100];
    char text[120];

    lock->descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (lock->descriptor < 0)
        return err_set(err, ERR_SYSTEM, "cannot write %s: %s", path, strerror(errno));
    if (fcntl(lock->descriptor, F_SETLK, &wanted) != 0) {
        int reason = errno;
        pid_t pid = fcntl(lock->descriptor, F_GETLK, &wanted) == 0 ? wanted.l_pid : 0;
        read_holder(lock->descriptor, holder, sizeof holder);
        lock_release(lock);
        if (reason != EACCES && reason != EAGAIN)
            return err_set(err, ERR_SYSTEM, "cannot lock %s: %s", path, strerror(reason));
        return err_set(err, ERR_SYSTEM,
                       "%s: held by process %ld (%s); wait until it has ended", path,
                       (long)pid, holder);
    }
    int len = snprintf(text, sizeof text, "%s\n", what);
    if (ftruncate(lock->descriptor, 0) != 0 ||
        pwrite(lock->descriptor, text, (size_t)len, 0) != len) {
        lock_release(lock);
        return err_set(err, ERR_SYSTEM, "cannot write %s: %s", path, strerror(errno));
    }
    return true;
}

void lock_release(struct lock *lock)
{
    if (lock->descriptor >= 0)
        close(lock->descriptor);
    lock->descriptor = -1;
}
