/* The report: one folder of plain files that opens from disk. */
#ifndef REPORT_PAGE_H
#define REPORT_PAGE_H

#include "base/buf.h"
#include "result/health.h"
#include "result/numbers.h"
#include "study/study.h"
#include "verify/verify.h"

/* What the study gave, as texts and numbers. */
struct report_page_inputs {
    const struct study *study;
    const char *version;
    const struct result_numbers *numbers; /* of all steps */
    size_t number_count;
    const struct str *tables, *tests,
        *families;                      /* their HTML, in the order of the study */
    const struct str *figures;          /* what each shows, in words */
    const struct result_table *funnels; /* of each set: what each condition left and took
                                           out; see below */
    struct result_health health;        /* of the sources */
    const struct verify *verify;
};

void report_page_index(const struct report_page_inputs *inputs, struct buf *out);

/* What a rater marked in an item as evidence. */
struct report_page_span {
    int64_t item;
    struct str task, rater, code, place,
        quote; /* quote: empty where it does not travel */
};

/* The items behind a number. */
struct report_page_item {
    int64_t id;
    double value;    /* where the list has values; NAN: it still waits */
    struct str unit; /* which unit of it, and where; empty: the item as a whole */
    struct str title;
    struct str license; /* empty: it is no post */
    int64_t kind;
    bool paged;                           /* it has a page of its own: items/ID.html */
    const struct report_page_span *spans; /* to be listed with it */
    size_t span_count;
};

struct report_page_rows {
    const struct study *study;
    const struct study_table *table; /* NULL: a set, a sample, a funnel or a test */
    const struct study_test *test;   /* NULL: none */
    struct str step;                 /* "tables.difficulty" */
    const char *section;             /* "tables" */
    struct str name;
    const struct yaml_node *node; /* of the study file, that made it */
    const char *root;             /* the way to the report's folder: "../../" */
    struct str anchor;            /* of the index, to go back to */
    const struct result_list *list;
    const struct result_table *result;    /* whose numbers lead to it; NULL: none */
    const struct report_page_item *items; /* those that the list shows */
    size_t count;
};

void report_page_rows(const struct report_page_rows *rows, struct buf *out);

/* An item by itself: commits, issues, topics; what stands on a site that has a dump is
 * quoted by its title alone. */
struct report_page_text {
    const struct study *study;
    enum item_kind kind;
    struct str key, link; /* link: empty where there is none */
    struct str title, body;
    enum item_form form;
    int64_t created_ms;
    const struct study_pair *fields; /* that its source brings; keys end in NUL */
    size_t field_count;
    struct str patch,
        no_patch; /* of a commit: what it changed, or why that is not there */
    const struct report_page_span *spans;
    size_t span_count;
};

void report_page_text(const struct report_page_text *item, struct buf *out);

/* The columns of a funnel. */
enum report_page_funnel {
    REPORT_PAGE_LEFT,
    REPORT_PAGE_TAKEN_OUT,
    REPORT_PAGE_FUNNEL_COLUMNS
};

/* A section of the study file, as YAML without comments. */
void report_page_section(const struct yaml_node *node, struct buf *out);

/* numbers.tex: every number as \assay{tables.trend.2015.count}. */
void report_page_macros(const struct result_numbers *numbers, size_t count,
                        struct buf *out);

/* article.tex: every table, figure and test in the order of the questions, as a draft
 * that compiles in out/. */
void report_article(const struct report_page_inputs *inputs, struct buf *out);

struct str report_page_style(void);  /* report.css */
struct str report_page_script(void); /* report.js */

/* The beginning, up to its body, of a page that stands alone: it has its style, with
 * more behind it, and no script. */
void report_page_alone(struct str title, struct str more, struct buf *out);

#endif
