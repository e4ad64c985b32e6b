/* The thread aside: a first digest, a new one after labels have come from elsewhere, and
 * ending in the middle of everything. */
#include "serve/internal.h"

#include <time.h>

#include "tests/unit/labelled.h"

enum { LOOKS_MAX = 1500, LOOK_MS = 20 };

/* Waits until a digest is about that state of the log; false when none comes. */
static bool comes(struct serve_aside *aside, int64_t changes)
{
    const struct timespec pause = {0, LOOK_MS * 1000000};

    for (int i = 0; i < LOOKS_MAX; i++) {
        const struct serve_digest *digest = serve_aside_latest(aside);
        if (digest != NULL && digest->changes == changes && digest->failure.len == 0)
            return true;
        nanosleep(&pause, NULL);
    }
    return false;
}

static int64_t changes_of(struct labelled *test)
{
    int64_t changes = -1;

    CHECK(label_changes(test->label, &changes, &test->in.err));
    return changes;
}

int main(void)
{
    struct labelled test;
    struct serve_aside *aside;
    struct err err = {0};

    if (!labelled_begin(&test, LABELLED_STUDY, LABELLED_CODEBOOK))
        return tap_done();
    tap_case("a digest is made without being asked for");
    CHECK(serve_aside_open(test.label, &aside, &err));
    CHECK(comes(aside, changes_of(&test)));
    CHECK(serve_aside_latest(aside)->dispute_count == 0);
    tap_case("and another one when something has come");
    CHECK(labelled_end_round(&test, labelled_fill(&test)));
    CHECK(comes(aside, changes_of(&test)));
    CHECK(serve_aside_latest(aside)->dispute_count == 3);
    serve_aside_close(aside);

    tap_case("a task that cannot be opened a second time is told as such");
    studied_write(&test.in, "k.yaml", "codebook: bugs\ncodes: [\n");
    CHECK(serve_aside_open(test.label, &aside, &err));
    const struct serve_digest *digest = NULL;
    const struct timespec pause = {0, LOOK_MS * 1000000};
    for (int i = 0; i < LOOKS_MAX && digest == NULL; i++) {
        digest = serve_aside_latest(aside);
        nanosleep(&pause, NULL);
    }
    CHECK(digest != NULL && digest->failure.len > 0);
    serve_aside_close(aside);
    tap_case("opened and closed at once");
    CHECK(serve_aside_open(test.label, &aside, &err));
    serve_aside_close(aside);
    serve_aside_close(NULL);
    labelled_end(&test);
    return tap_done();
}
