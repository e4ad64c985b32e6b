/* A table as text: csv and json for programs, with every digit; Markdown for people. */
#ifndef MEASURE_TABLE_TEXT_H
#define MEASURE_TABLE_TEXT_H

#include "base/buf.h"
#include "measure/behind.h"

void table_text_csv(const struct table *table, struct buf *out);
void table_text_json(const struct table *table, struct buf *out);
void table_text_markdown(const struct table *table, struct buf *out);

/* Each cell as a number of its own: see numbers.h. */
void table_text_numbers(const struct table *table, struct buf *out);

/* LaTeX with booktabs, and a table element of HTML whose numbers are links to
 * "rows/TABLE/LIST.html#cCELL". */
void table_text_latex(const struct table *table, struct buf *out);
void table_text_html(const struct table *table, const struct behind *behind,
                     struct buf *out);

void table_text_heading(const struct table_head *head, struct buf *out);

/* A cell as people read it: 1,301.05, 70.69%, * for small groups, a dash when undefined.
 */
void table_text_cell(const struct cell *cell, const struct study_column *column,
                     struct buf *out);

#endif
