/* The report: one folder of plain files that opens from disk. */
#ifndef REPORT_PAGE_H
#define REPORT_PAGE_H

#include "base/buf.h"
#include "measure/numbers.h"
#include "study/study.h"
#include "verify/verify.h"

/* What the study gave, as texts and numbers. */
struct page_inputs {
    const struct study *study;
    const char *version;
    const struct numbers *numbers; /* of all steps */
    size_t number_count;
    const struct str *tables, *tests,
        *families;     /* their HTML, in the order of the study */
    struct str health; /* Markdown */
    const struct verify *verify;
};

void page_index(const struct page_inputs *inputs, struct buf *out);

/* The items behind a number. */
struct page_item {
    int64_t id;
    struct str title, license;
};

struct page_rows {
    const struct study *study;
    struct str table, row, across;
    const struct yaml_node *section; /* of the study file, that made the table */
    int64_t all;                     /* items; more than are listed when there are many */
    const struct page_item *items;
    size_t count;
};

void page_rows(const struct page_rows *rows, struct buf *out);

/* A section of the study file, as YAML without comments. */
void page_section(const struct yaml_node *node, struct buf *out);

/* numbers.tex: every number as \assay{tables.trend.2015.count}. */
void page_macros(const struct numbers *numbers, size_t count, struct buf *out);

struct str page_style(void);  /* report.css */
struct str page_script(void); /* report.js */

#endif
