/* What hangs on the posts of a site or on who wrote them: comments, users, links, votes,
 * changes, badges. Rows come as a dump has them, whoever holds them. */
#ifndef SOURCE_HANGING_H
#define SOURCE_HANGING_H

#include "source/intake.h"

enum { SOURCE_HANGING_COLUMNS = 6 };

/* One table: which rows are wanted, and what is stored of them. */
struct source_hanging_table {
    enum dump_scan_table table;
    enum item_also also;         /* asks for it */
    enum store_beside becomes;   /* STORE_BESIDES: nothing, its rows are counted */
    bool of_users;               /* kept are rows of users, else those of posts, */
    enum dump_rows_attribute by; /* whom this tells */
    bool ends;  /* a row from after the end of the source is not stored */
    bool users; /* who made the row is stored as well */
    struct {    /* numbers, then a text, as the struct of what it becomes has it */
        enum {
            SOURCE_HANGING_END,
            SOURCE_HANGING_ID,
            SOURCE_HANGING_NUMBER,
            SOURCE_HANGING_MOMENT,
            SOURCE_HANGING_TEXT
        } is;
        enum dump_rows_attribute attribute;
    } columns[SOURCE_HANGING_COLUMNS + 1];
};

/* A zeroed one with its intake is ready; the caller frees `decoded`. */
struct source_hanging {
    struct source_intake *intake;
    struct buf decoded;
    struct dump_judge_doubts doubts; /* about the rows of the table that were stored */
};

/* Users come after those who tell which of them are wanted; the last are tags. */
enum { SOURCE_HANGING_TABLES = 7 };
extern const struct source_hanging_table source_hanging_tables[SOURCE_HANGING_TABLES];

/* A number in the row; ITEM_NONE: there is none. */
int64_t source_hanging_number(const struct dump_rows_row *row,
                              enum dump_rows_attribute attribute);
/* A text, decoded, until the next call. */
struct str source_hanging_text(struct source_hanging *hanging,
                               const struct dump_rows_row *row,
                               enum dump_rows_attribute attribute);

/* Whether a row hangs on something that is in the corpus; then it is stored. */
bool source_hanging_keeps(const struct source_hanging_table *table,
                          const struct source_intake *intake,
                          const struct dump_rows_row *row);
bool source_hanging_store(struct source_hanging *hanging,
                          const struct source_hanging_table *table,
                          const struct dump_rows_row *row, struct err *err) MUST_USE;

/* What had to be put up with in a table, if anything. */
bool source_hanging_findings(struct source_hanging *hanging, enum dump_scan_table table,
                             int64_t broken, struct err *err) MUST_USE;

#endif
