/* A table as text: csv and json for programs, with every digit; Markdown for people. */
#ifndef RESULT_TABLE_TEXT_H
#define RESULT_TABLE_TEXT_H

#include "result/result.h"

void result_table_text_csv(const struct result_table *table, struct buf *out);
void result_table_text_json(const struct result_table *table, struct buf *out);

/* As steps leave what tables of the study may show: with the heads of the columns that
 * name rows, intervals in columns of their own, shares as percentages. */
void result_table_text_step(const struct result_table *table, const char *heads,
                            struct buf *out);

void result_table_text_markdown(const struct result_table *table, struct buf *out);

/* LaTeX with booktabs, which fits columns and pages of the usual classes, and a table
 * element of HTML whose numbers are links to
 * "rows/TABLE/LIST.html#cCELL". */
void result_table_text_latex(const struct result_table *table, struct buf *out);
void result_table_text_html(const struct result_table *table, struct buf *out);

/* A cell as people read it: 1,301.05, 70.69%, * for small groups, a dash when undefined; a
 * text as it is. */
void result_table_text_cell(const struct result_cell *cell,
                            const struct result_column *column, struct buf *out);

#endif
