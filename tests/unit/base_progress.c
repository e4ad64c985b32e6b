/* The lines that tell how far work has come, and when they are shown. */
#define _XOPEN_SOURCE 700 /* posix_openpt() */
#include "base/progress.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "tests/tap.h"

static const struct {
    const char *name;
    int64_t bytes, bytes_all, rows, elapsed_ms;
    const char *text;
} rows[] = {
    {"nothing yet", 0, 0, 0, 0, "w: 0 B, 0 rows, 0 B/s"},
    {"nothing yet, size known", 0, 5000000, 0, 0, "w: 0 B of 5.0 MB, 0 rows, 0 B/s"},
    {"nothing after a while", 0, 5000000, 0, 9000, "w: 0 B of 5.0 MB, 0 rows, 0 B/s"},
    {"bytes", 999, 0, 7, 1000, "w: 999 B, 7 rows, 999 B/s"},
    {"kilobytes", 1000, 0, 999, 1000, "w: 1 kB, 999 rows, 1 kB/s"},
    {"just below a megabyte", 999499, 0, 1000, 1000, "w: 999 kB, 1,000 rows, 999 kB/s"},
    {"rounds to a megabyte", 999500, 0, 1000, 1000, "w: 1.0 MB, 1,000 rows, 1.0 MB/s"},
    {"gigabytes", 2450000000, 0, 1234567, 10000, "w: 2.5 GB, 1,234,567 rows, 245.0 MB/s"},
    {"terabytes are the largest unit", 5000000000000000, 0, 1000000000, 1000000,
     "w: 5000.0 TB, 1,000,000,000 rows, 5.0 TB/s"},
    {"half done", 500, 1000, 10, 10000, "w: 500 B of 1 kB, 10 rows, 50 B/s, 0:10 left"},
    {"minutes left", 100, 1000, 1, 10000, "w: 100 B of 1 kB, 1 rows, 10 B/s, 1:30 left"},
    {"an hour left", 10, 36010, 1, 1000,
     "w: 10 B of 36 kB, 1 rows, 10 B/s, 1:00:00 left"},
    {"days left", 1, 360000, 1, 1000, "w: 1 B of 360 kB, 1 rows, 1 B/s, 99:59:59 left"},
    {"done", 1000, 1000, 12, 2000, "w: 1 kB of 1 kB, 12 rows, 500 B/s, 0:00 left"},
    {"more than announced", 1500, 1000, 12, 2000, "w: 2 kB of 1 kB, 12 rows, 750 B/s"},
};

/* Two ends of a pipe, and what came out since the last look. */
static int ends[2];

static const char *shown(void)
{
    static char text[1000];
    ssize_t got = read(ends[0], text, sizeof text - 1);

    text[got > 0 ? got : 0] = '\0';
    return text;
}

static void check_lines(void)
{
    struct progress progress = progress_begin("w", 0, ends[1], false);

    tap_case("a pipe gets whole lines, the first after a minute");
    CHECK(progress.style == PROGRESS_LINES);
    progress_add(&progress, 10, 1);
    progress.shown_ms -= 30000;
    progress_add(&progress, 10, 1);
    CHECK_TEXT(shown(), "");
    progress.shown_ms = progress.begun_ms -= 60000;
    progress_add(&progress, 83980, 1);
    CHECK_TEXT(shown(), "w: 84 kB, 3 rows, 1 kB/s\n");
    progress_add(&progress, 10, 1); /* not again at once */
    CHECK_TEXT(shown(), "");
    progress_end(&progress);
    CHECK_TEXT(shown(), "");
    CHECK(progress.bytes == 84010 && progress.rows == 4);
    tap_case("quiet shows nothing but counts");
    progress = progress_begin("w", 0, ends[1], true);
    CHECK(progress.style == PROGRESS_QUIET);
    progress.shown_ms -= 1000000;
    progress_add(&progress, 10, 1);
    progress_end(&progress);
    CHECK_TEXT(shown(), "");
    CHECK(progress.bytes == 10 && progress.rows == 1);
}

static void check_terminal(void)
{
    struct progress progress = progress_begin("w", 0, ends[1], false);

    tap_case("a terminal's line rewrites itself and is cleared at the end");
    progress.style = PROGRESS_TERMINAL;
    progress_end(&progress); /* no line was shown: nothing to clear */
    CHECK_TEXT(shown(), "");
    progress.shown_ms = progress.begun_ms -= 100000;
    progress_add(&progress, 140000, 5);
    CHECK_TEXT(shown(), "\rw: 140 kB, 5 rows, 1 kB/s\033[K");
    progress_end(&progress);
    CHECK_TEXT(shown(), "\r\033[K");
    progress_end(&progress);
    CHECK_TEXT(shown(), "");
    tap_case(
        "other work is shown at once on a terminal, elsewhere when a minute is over");
    progress.pieces = true;
    progress_turn_to(&progress, "making x, step 2 of 3");
    CHECK_TEXT(shown(), "\rmaking x, step 2 of 3\033[K");
    progress_end(&progress);
    CHECK_TEXT(shown(), "\r\033[K");
    progress.style = PROGRESS_LINES;
    progress_turn_to(&progress, "making y");
    CHECK_TEXT(shown(), "");
    progress.shown_ms -= 60000;
    progress_turn_to(&progress, "making z");
    CHECK_TEXT(shown(), "making z\n");
    tap_case("a terminal is recognized");
    int terminal = posix_openpt(O_RDWR | O_NOCTTY);
    if (terminal < 0 || !isatty(terminal)) {
        tap_skip("there is no terminal to be had");
    } else {
        CHECK(progress_begin("w", 0, terminal, false).style == PROGRESS_TERMINAL);
        CHECK(progress_begin("w", 0, terminal, true).style == PROGRESS_QUIET);
    }
    if (terminal >= 0)
        close(terminal);
    tap_case("a place that cannot be written to does no harm");
    progress = progress_begin("w", 0, -1, false);
    progress.shown_ms -= 100000;
    progress_add(&progress, 1, 1);
    CHECK(progress.rows == 1);
}

static void check_pieces(void)
{
    struct progress progress = {
        .what = "models", .bytes_all = 15, .bytes = 3, .rows = 3, .pieces = true};
    struct buf line = {0};

    tap_case("pieces of work");
    progress_text(&progress, 6000, &line);
    CHECK(str_eq(buf_str(&line), STR("models: 3 of 15, 0:24 left")));
    buf_clear(&line);
    tap_case("other pieces are counted anew; nobody need be told");
    progress_count(&progress, "labels", 4);
    progress_piece(&progress);
    progress_text(&progress, 1000, &line);
    CHECK(str_eq(buf_str(&line), STR("labels: 1 of 4, 0:03 left")));
    progress_count(NULL, "labels", 4);
    progress_piece(NULL);
    buf_free(&line);
}

int main(void)
{
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct progress progress = {.what = "w",
                                    .bytes = rows[i].bytes,
                                    .bytes_all = rows[i].bytes_all,
                                    .rows = rows[i].rows};
        struct buf line = {0};
        tap_case("text: %s", rows[i].name);
        progress_text(&progress, rows[i].elapsed_ms, &line);
        buf_add_char(&line, '\0');
        CHECK_TEXT(line.ptr, rows[i].text);
        buf_free(&line);
    }
    if (pipe(ends) != 0 || fcntl(ends[0], F_SETFL, O_NONBLOCK) != 0)
        return 1;
    check_lines();
    check_terminal();
    tap_case("the clock does not run backwards");
    int64_t before = progress_clock_ms();
    CHECK(before > 0 && progress_clock_ms() >= before);
    check_pieces();
    return tap_done();
}
