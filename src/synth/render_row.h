/* A row of a dump's table, attribute by attribute. `before` is what stands before a
 * value: " Score=\"". */
#ifndef SYNTH_RENDER_ROW_H
#define SYNTH_RENDER_ROW_H

#include "synth/render.h"

/* No rows yet. */
void render_row_clear(const struct render_context *context, struct render *rows);

void render_row_number(struct buf *out, const char *before, int64_t value);
void render_row_date(struct buf *out, const char *before, int64_t ms);

/* Rows carry a licence since 2020; which one follows from the date. */
void render_row_license(struct buf *out, const struct synth_options *options, int64_t ms);
void render_row_tags(struct buf *out, const struct synth_options *options,
                     const struct tags *tags);

/* A deleted user, 0, leaves a name behind. */
void render_row_user(struct buf *out, const char *id_name, const char *display_name,
                     int64_t user, int64_t trace);

void render_row_end(struct render *rows, enum synth_file file);

#endif
