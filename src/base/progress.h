/* How far long work has come. On a terminal one line that rewrites itself, elsewhere a
 * line a minute, nothing when quiet. Call progress_add() as often as you like. */
#ifndef BASE_PROGRESS_H
#define BASE_PROGRESS_H

#include "base/buf.h"

enum progress_style { PROGRESS_QUIET, PROGRESS_LINES, PROGRESS_TERMINAL };

struct progress {
    enum progress_style style;
    int descriptor;    /* where lines go */
    const char *what;  /* "writing Posts.xml" */
    int64_t bytes_all; /* 0: not known */
    bool pieces; /* bytes are pieces of work: "3 of 15", without rows and rate; when it
                    is not known how many, `what` says it all */
    int64_t bytes, rows;
    int64_t begun_ms, shown_ms;
    bool line_open; /* a terminal line is waiting to be rewritten */
};

/* The style that suits the descriptor: a terminal or not; quiet when asked. */
struct progress progress_begin(const char *what, int64_t bytes_all, int descriptor,
                               bool quiet);
void progress_add(struct progress *progress, int64_t bytes, int64_t rows);
/* Other work begins, which is shown at once on a terminal: it may take long before
 * anything is added. */
void progress_turn_to(struct progress *progress, const char *what);
/* The same, of so many pieces; 0: not known. NULL: nobody is told. */
void progress_count(struct progress *progress, const char *what, int64_t pieces);
void progress_piece(struct progress *progress); /* one of them is done */
void progress_end(struct progress *progress);   /* clears the terminal's line */

/* The text of one line for a given time since the beginning; pure, for tests. */
void progress_text(const struct progress *progress, int64_t elapsed_ms, struct buf *out);

/* Milliseconds on a clock that never jumps. */
int64_t progress_clock_ms(void);

#endif
