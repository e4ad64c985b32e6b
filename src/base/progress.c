/* Times come from the monotonic clock; the wall clock may jump. */
#include "base/progress.h"

#include <time.h>
#include <unistd.h>

#include "base/date.h"

enum { TERMINAL_EVERY_MS = 200, LINE_EVERY_MS = 60000 };

int64_t progress_clock_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

struct progress progress_begin(const char *what, int64_t bytes_all, int descriptor,
                               bool quiet)
{
    struct progress progress = {.what = what, .bytes_all = bytes_all};

    progress.descriptor = descriptor;
    progress.style = quiet                ? PROGRESS_QUIET
                     : isatty(descriptor) ? PROGRESS_TERMINAL
                                          : PROGRESS_LINES;
    progress.begun_ms = progress.shown_ms = progress_clock_ms();
    return progress;
}

static void add_bytes(struct buf *out, double bytes)
{
    static const char *const units[] = {"B", "kB", "MB", "GB", "TB"};
    size_t unit = 0;

    while (bytes >= 999.5 && unit + 1 < ROWS_OF(units)) {
        bytes /= 1000;
        unit++;
    }
    buf_add_format(out, unit > 1 ? "%.1f %s" : "%.0f %s", bytes, units[unit]);
}

static void add_duration(struct buf *out, int64_t seconds)
{
    if (seconds >= 3600)
        buf_add_format(out, "%d:%02d:%02d", (int)(seconds / 3600),
                       (int)(seconds / 60 % 60), (int)(seconds % 60));
    else
        buf_add_format(out, "%d:%02d", (int)(seconds / 60), (int)(seconds % 60));
}

void progress_text(const struct progress *progress, int64_t elapsed_ms, struct buf *out)
{
    double rate =
        elapsed_ms > 0 ? (double)progress->bytes * 1000 / (double)elapsed_ms : 0;
    int64_t left = progress->bytes_all - progress->bytes;

    buf_add_format(out, "%s", progress->what);
    if (progress->pieces && progress->bytes_all == 0)
        return;
    buf_add(out, STR(": "));
    if (progress->pieces) {
        buf_add_format(out, "%lld of %lld", (long long)progress->bytes,
                       (long long)progress->bytes_all);
    } else {
        add_bytes(out, (double)progress->bytes);
        if (progress->bytes_all > 0) {
            buf_add(out, STR(" of "));
            add_bytes(out, (double)progress->bytes_all);
        }
        buf_add(out, STR(", "));
        buf_add_thousands(out, (double)progress->rows, 0);
        buf_add(out, STR(" rows, "));
        add_bytes(out, rate);
        buf_add(out, STR("/s"));
    }
    if (progress->bytes_all > 0 && rate > 0 && left >= 0) {
        buf_add(out, STR(", "));
        add_duration(out, (int64_t)((double)left / rate + 0.5));
        buf_add(out, STR(" left"));
    }
}

/* A line that cannot be shown is not worth failing for. */
static void put(const struct progress *progress, struct str text)
{
    ssize_t ignored = write(progress->descriptor, text.ptr, text.len);

    (void)ignored;
}

static void show(struct progress *progress, int64_t now)
{
    struct buf line = {0};

    if (progress->style == PROGRESS_TERMINAL)
        buf_add(&line, STR("\r"));
    progress_text(progress, now - progress->begun_ms, &line);
    buf_add(&line, progress->style == PROGRESS_TERMINAL ? STR("\033[K") : STR("\n"));
    put(progress, buf_str(&line));
    buf_free(&line);
    progress->shown_ms = now;
    progress->line_open = progress->style == PROGRESS_TERMINAL;
}

void progress_add(struct progress *progress, int64_t bytes, int64_t rows)
{
    progress->bytes += bytes;
    progress->rows += rows;
    if (progress->style == PROGRESS_QUIET)
        return;
    int64_t now = progress_clock_ms();
    int64_t every =
        progress->style == PROGRESS_TERMINAL ? TERMINAL_EVERY_MS : LINE_EVERY_MS;
    if (now - progress->shown_ms >= every)
        show(progress, now);
}

void progress_turn_to(struct progress *progress, const char *what)
{
    progress->what = what;
    if (progress->style == PROGRESS_TERMINAL)
        show(progress, progress_clock_ms());
    else
        progress_add(progress, 0, 0);
}

void progress_count(struct progress *progress, const char *what, int64_t pieces)
{
    if (progress == NULL)
        return;
    progress->pieces = true;
    progress->bytes = 0;
    progress->bytes_all = pieces;
    progress->begun_ms = progress_clock_ms();
    progress_turn_to(progress, what);
}

void progress_piece(struct progress *progress)
{
    if (progress != NULL)
        progress_add(progress, 1, 0);
}

void progress_end(struct progress *progress)
{
    if (progress->line_open)
        put(progress, STR("\r\033[K"));
    progress->line_open = false;
}
