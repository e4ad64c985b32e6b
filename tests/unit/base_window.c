/* Windows on files: their bytes, and what happens when the file becomes shorter. */
#include "base/window.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/tap.h"

enum { FILE_BYTES = 40000, OPEN_MAX = 1000, WENT_ON = 100 };

static char bytes[FILE_BYTES];

/* A file without a name that holds the bytes. */
static int make_file(void)
{
    char path[] = "/tmp/window.XXXXXX";
    int file = mkstemp(path);

    unlink(path);
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (char)('a' + i % 23);
    CHECK(write(file, bytes, sizeof bytes) == (ssize_t)sizeof bytes);
    return file;
}

static const struct {
    const char *name;
    int64_t offset;
    size_t len, behind;
} stretches[] = {
    {"all", 0, FILE_BYTES, 0},
    {"the beginning", 0, 10, 128},
    {"from an odd byte on", 12345, 20000, 128},
    {"up to the end", FILE_BYTES - 1, 1, 0},
    {"nothing", 4096, 0, 128},
};

static void check_bytes(int file)
{
    for (size_t i = 0; i < ROWS(stretches); i++) {
        struct window window;
        tap_case("window: %s", stretches[i].name);
        if (!CHECK(window_open(&window, file, stretches[i].offset, stretches[i].len,
                               stretches[i].behind)))
            continue;
        size_t all = stretches[i].len + stretches[i].behind;
        CHECK(window.bytes.len == stretches[i].len);
        CHECK(memcmp(window.bytes.ptr, bytes + stretches[i].offset, all) == 0);
        CHECK(window_close(&window));
    }
}

static void check_shorter(int file)
{
    struct window first, second;

    tap_case("window: the file becomes shorter");
    CHECK(window_open(&first, file, 100, 30000, 128));
    CHECK(window_open(&second, file, 0, 4096, 0));
    CHECK(first.bytes.ptr[29999] == bytes[30099]);
    CHECK(ftruncate(file, 10000) == 0);
    CHECK(first.bytes.ptr[0] == bytes[100] && first.bytes.ptr[9000] == bytes[9100]);
    CHECK(first.bytes.ptr[29999] == 0 && first.bytes.ptr[15000] == 0);
    CHECK(second.bytes.ptr[4095] == bytes[4095]);
    CHECK(!window_close(&first));

    tap_case("window: another one knows nothing of it");
    CHECK(window_close(&second));
    CHECK(window_open(&first, file, 0, 4096, 0) && first.bytes.ptr[0] == bytes[0]);
    CHECK(window_close(&first));

    tap_case("window: what is behind is not missed");
    CHECK(window_open(&first, file, 0, 12288, 128) && first.bytes.ptr[12300] == 0);
    CHECK(window_close(&first));

    tap_case("window: what was never looked at is not missed");
    CHECK(window_open(&first, file, 0, 30000, 0) && first.bytes.ptr[0] == bytes[0]);
    CHECK(window_close(&first));
}

/* What is not a window's is nobody's here: the process still ends by it. */
static void check_others(int file)
{
    int status = 0;

    tap_case("window: a page that is missing elsewhere");
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        volatile const char *pages = mmap(NULL, 1 << 16, PROT_READ, MAP_SHARED, file, 0);
        freopen("/dev/null", "w", stderr);
        _exit(pages[60000] == 0 ? WENT_ON : WENT_ON + 1);
    }
    waitpid(child, &status, 0);
    CHECK(!WIFEXITED(status) || WEXITSTATUS(status) < WENT_ON);
}

static void check_many(int file)
{
    static struct window windows[OPEN_MAX];
    size_t open = 0;

    tap_case("window: too many, and then as many again");
    for (int round = 0; round < 2; round++) {
        size_t before = open;
        for (open = 0; open < OPEN_MAX; open++)
            if (!window_open(&windows[open], file, 0, 10, 0))
                break;
        CHECK(open >= 16 && open < OPEN_MAX && (round == 0 || open == before));
        for (size_t i = 0; i < open; i++)
            CHECK(window_close(&windows[i]));
    }
    tap_case("window: none, and of no file");
    CHECK(window_close(&(struct window){0}));
    CHECK(!window_open(&windows[0], -1, 0, 10, 0));
    CHECK(window_close(&windows[0]));
}

int main(void)
{
    int file = make_file();

    check_bytes(file);
    check_shorter(file);
    check_others(file);
    check_many(file);
    close(file);
    return tap_done();
}
