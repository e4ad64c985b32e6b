/* The system says by SIGBUS that a page cannot be had. The handler puts zeros there, so
 * that whoever looks at it goes on, and leaves a note for window_close(). */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS, madvise() */
#include "base/window.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <unistd.h>

/* Open windows, as the handler sees them: one a thread is enough. */
enum { WINDOWS_MAX = 64 };

static struct {
    atomic_bool taken;
    _Atomic(char *) from; /* NULL: nothing is mapped here */
    _Atomic(char *) end;  /* of what was asked for */
    _Atomic(char *) to;
    atomic_bool missing;
} windows[WINDOWS_MAX];

static size_t page_bytes;
static struct sigaction before;

/* A fault comes from the thread that reads the window, so that stays open meanwhile.
 * mmap() is a plain system call, though POSIX does not list it as safe here. */
static void put_zeros(int number, siginfo_t *info, void *context)
{
    int kept = errno;

    (void)number;
    (void)context;
    for (size_t i = 0; i < WINDOWS_MAX; i++) {
        char *from = atomic_load(&windows[i].from), *to = atomic_load(&windows[i].to);
        char *at = info->si_addr;
        /* Another thread's may have become another one between the two loads. */
        if (from == NULL || at < from || at >= to ||
            from != atomic_load(&windows[i].from))
            continue;
        at -= (size_t)(at - from) % page_bytes;
        if (at < atomic_load(&windows[i].end))
            atomic_store(&windows[i].missing, true);
        if (mmap(at, (size_t)(to - at), PROT_READ,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != MAP_FAILED) {
            errno = kept;
            return;
        }
    }
    /* It is not ours, and comes again, to whoever was before us. */
    sigaction(SIGBUS, &before, NULL);
}

static void install(void)
{
    struct sigaction action = {.sa_sigaction = put_zeros, .sa_flags = SA_SIGINFO};

    page_bytes = (size_t)sysconf(_SC_PAGESIZE);
    sigemptyset(&action.sa_mask);
    sigaction(SIGBUS, &action, &before);
}

static bool take_place(size_t *place)
{
    for (*place = 0; *place < WINDOWS_MAX; (*place)++)
        if (!atomic_exchange(&windows[*place].taken, true))
            return true;
    return false;
}

bool window_open(struct window *window, int descriptor, int64_t offset, size_t len,
                 size_t behind)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, install);
    *window = (struct window){0};
    size_t skip = (size_t)offset % page_bytes;
    size_t all = (skip + len + behind + page_bytes - 1) / page_bytes * page_bytes;
    if (!take_place(&window->place))
        return false;
    void *pages =
        mmap(NULL, all, PROT_READ, MAP_SHARED, descriptor, (off_t)offset - (off_t)skip);
    if (pages == MAP_FAILED) {
        atomic_store(&windows[window->place].taken, false);
        return false;
    }
    madvise(pages, all, MADV_SEQUENTIAL); /* a disk is read further ahead */
    window->pages = pages;
    window->pages_len = all;
    window->bytes = (struct str){window->pages + skip, len};
    atomic_store(&windows[window->place].missing, false);
    atomic_store(&windows[window->place].end, window->pages + skip + len);
    atomic_store(&windows[window->place].to, window->pages + all);
    atomic_store(&windows[window->place].from, window->pages);
    return true;
}

bool window_close(struct window *window)
{
    if (window->pages == NULL)
        return true;
    bool whole = !atomic_load(&windows[window->place].missing);
    atomic_store(&windows[window->place].from, NULL);
    munmap(window->pages, window->pages_len);
    atomic_store(&windows[window->place].taken, false);
    *window = (struct window){0};
    return whole;
}
