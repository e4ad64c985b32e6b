/* One block of the plan as rows of the dump's tables. */
#ifndef SYNTH_RENDER_H
#define SYNTH_RENDER_H

#include "synth/plan.h"
#include "synth/synth.h"
#include "synth/text.h"

struct render {
    struct arena arena; /* of the plan */
    struct buf tables[SYNTH_FILES];
    int64_t counts_of[SYNTH_FILES]; /* rows */
    struct synth_counts counts;
    struct plan_ids used;
    struct buf scratch;
    struct str row_end;
};

struct render_context {
    const struct synth_options *options;
    const struct plan *plan;
    const struct text *text;
    const struct plan_ids *first; /* by block; filled before rows are made */
};

void render_free(struct render *rows);

/* Where lines of the tables end: "\r\n" in the older layouts. */
const char *render_newline(enum synth_layout layout);

/* Only how many ids the block uses. */
void render_count(const struct render_context *context, size_t block,
                  struct render *rows);

/* All tables of the block; what rows held before is gone. */
void render_make(const struct render_context *context, size_t block, struct render *rows);

/* The users from `first` to below `end`. */
void render_make_users(const struct render_context *context, int64_t first, int64_t end,
                       struct render *rows);

/* The tags, and their wikis, which are posts; ids from *next_post on. */
void render_make_tags(const struct render_context *context,
                      const struct synth_counts *counts, int64_t *next_post,
                      struct render *rows);

/* The two posts that Stack Exchange plants in its dumps of 2025. */
void render_make_planted(const struct render_context *context, struct render *rows);

/* Takes away the second half of the last post: what a broken transfer leaves. */
void render_cut(struct render *rows);

#endif
