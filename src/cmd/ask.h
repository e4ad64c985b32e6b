/* What `assay ask` shows: as text, as json, as a page. */
#ifndef CMD_ASK_H
#define CMD_ASK_H

#include "run/asking.h"

/* A question and what was found of it. */
struct cmd_ask_shown {
    const struct run_asking *asking;
    struct str name;  /* of the row or file; empty: there is one question */
    struct str title; /* what it asks, in short */
    const struct run_asking_answer *answer;
    double milliseconds;
    struct arena *arena;
};

void cmd_ask_add_text(const struct cmd_ask_shown *shown, struct buf *out);
void cmd_ask_add_json(const struct cmd_ask_shown *shown, struct buf *out);

/* A page: its beginning, a part for each question, its end. */
void cmd_ask_page_begin(const struct study *study, struct buf *out);
void cmd_ask_page_add(const struct cmd_ask_shown *shown, struct buf *out);
void cmd_ask_page_end(struct buf *out);

#endif
