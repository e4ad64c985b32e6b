/* out/results/STEP.result: what a step gave, for the steps that rest on it. Lines of
 * fields with tabs between them, the same bytes for the same result; numbers come back as
 * they were to the last bit.
 *
 *     assay result 1
 *     step     NAME
 *     table    NAME TITLE CORNER FLAGS
 *     column   TYPE DIGITS NAME ACROSS PATH MEASURES UNIT RESTS FLAGS
 *     note     TEXT
 *     list     ROW ACROSS WHAT VALUE CSV COUNT FROM KEYS VALUES
 *     row      LEVEL SLUG NAME N FLAGS CELL...
 *     cell     COLUMN LOW HIGH N COUNT LIST WHOLE FLAGS UNDEFINED NO-INTERVAL WORDS
 *     end
 *
 * A table's columns and notes come before its rows, a list before the cells that lead to
 * it, and what else is known of a row's cells behind the row. In fields \t, \n, \r, \\
 * and (in keys) \s stand for themselves; \- is a missing cell. */
#ifndef RESULT_RESULT_FILE_H
#define RESULT_RESULT_FILE_H

#include "result/result.h"

enum { RESULT_FILE_VERSION = 1 };

/* Writing: begin; tables, each whole or piece by piece; end. */
void result_file_begin(struct str step, struct buf *out);
void result_file_table(const struct result_table *table, struct buf *out);
void result_file_end(struct buf *out);

/* A table piece by piece, for many rows: its name, columns and notes; then lists and
 * rows.
 */
void result_file_head(const struct result_table *table, struct buf *out);
void result_file_list(const struct result_list *list, struct buf *out);
void result_file_row(const struct result_table *table, const struct result_row *row,
                     const struct result_cell *cells, struct buf *out);

/* ERR_INPUT with "path:line: " for anything that is not as it was written. What is read
 * lives in arena, but for texts, which are part of `text` as far as they may. */
bool result_file_read(struct str text, const char *path, struct arena *arena,
                      struct result *out, struct err *err) MUST_USE;

/* The text with the first so many items of each list, for who shows them or asks for
 * numbers alone: those of a set may be millions. */
struct str result_file_brief(struct str text, size_t items, struct arena *arena);

/* The rows of one table, one at a time: cells are gone when `take` returns. ERR_INPUT
 * also when there is no such table. */
struct result_file_rows {
    struct str table;
    bool (*head)(void *context, const struct result_table *table, struct err *err);
    bool (*row)(void *context, const struct result_row *row,
                const struct result_cell *cells, struct err *err);
    void *context;
};

bool result_file_each(struct str text, const char *path,
                      const struct result_file_rows *rows, struct err *err) MUST_USE;

/* The items that a set, a sample or labels hold, in their order: what the step counts
 * first. They live in arena. */
bool result_file_items(struct str text, const char *path, struct arena *arena,
                       int64_t **ids, size_t *count, struct err *err) MUST_USE;

#endif
