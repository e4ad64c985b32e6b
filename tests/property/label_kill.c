/* A process that labels is killed at some moment, ten times over: every label whose save
 * it had confirmed is there, and none is there twice, though each message that was not
 * confirmed is sent again. */
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/rng.h"
#include "tests/unit/labelled.h"

enum { KILLS = 10, MESSAGES = 4000 };

/* The message number n: rater, item and code follow from it. */
static bool send(struct labelled *test, int64_t number)
{
    static const char *const raters[] = {"ann", "bob"};
    static const char *const codes[] = {"data/parse", "data/load", "model", "unclear"};
    const struct label_task *task = label_task(test->label);
    char key[40];

    snprintf(key, sizeof key, "message-%lld", (long long)number);
    return labelled_give(test, raters[number % 2],
                         task->items[(size_t)(number / 2) % task->item_count],
                         codes[number % 4], key);
}

/* Sends messages from `first` on and tells each number through the pipe once its save was
 * confirmed. */
static void label_until_killed(struct labelled *test, int64_t first, int out)
{
    for (int64_t number = first; number < MESSAGES; number++)
        if (!send(test, number) || write(out, &number, sizeof number) != sizeof number)
            break;
    _exit(0);
}

/* The last number that was confirmed; first - 1 when none was. */
static int64_t run_and_kill(struct labelled *test, int64_t first, uint64_t after_us)
{
    int ends[2];
    int64_t last = first - 1, number;
    const struct timespec moment = {0, (long)after_us * 1000};

    CHECK(pipe(ends) == 0);
    labelled_close(test); /* SQLite's connections do not survive a fork */
    pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        if (labelled_open(test))
            label_until_killed(test, first, ends[1]);
        _exit(1);
    }
    close(ends[1]);
    struct pollfd first_word = {.fd = ends[0], .events = POLLIN};
    poll(&first_word, 1, 10000);
    nanosleep(&moment, NULL);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    while (read(ends[0], &number, sizeof number) == sizeof number)
        last = number;
    close(ends[0]);
    return last;
}

/* How often each message is in the log. */
static size_t stored(struct labelled *test)
{
    const char *text = labelled_export(test, LABEL_ACTS, false);
    size_t count = 0;

    for (; (text = strchr(text, '\n')) != NULL; text++)
        count++;
    return count - 1;
}

int main(void)
{
    struct labelled test;
    struct rng rng = rng_seeded(7);
    int64_t confirmed = -1;

    tap_case("a study to label");
    if (!labelled_begin(&test, LABELLED_STUDY, LABELLED_CODEBOOK))
        return tap_done();
    CHECK(labelled_round(&test) == 1);
    for (int i = 0; i < KILLS; i++) {
        int64_t last = run_and_kill(&test, confirmed + 1, rng_below(&rng, 30000));
        tap_case("killed, %lld saves confirmed", (long long)(last - confirmed));
        CHECK(last > confirmed);
        if (!CHECK(labelled_open(&test)))
            break;
        /* Only the message that was under way may be there without our knowing. */
        size_t there = stored(&test);
        CHECK(there == (size_t)last + 1 || there == (size_t)last + 2);
        for (int64_t number = 0; number <= last; number++)
            if (!CHECK(send(&test, number) && test.saved.repeated))
                break;
        CHECK(send(&test, last + 1)); /* again, as a page would */
        CHECK(stored(&test) == (size_t)last + 2);
        confirmed = last + 1;
    }
    labelled_end(&test);
    return tap_done();
}
