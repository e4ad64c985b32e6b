/* The handbook: a site of plain files that opens from disk, and a book in Markdown. */
#ifndef REPORT_HANDBOOK_H
#define REPORT_HANDBOOK_H

#include "base/buf.h"
#include "result/result.h"
#include "study/codebook.h"
#include "study/study.h"

struct report_handbook_post {
    int64_t id;
    struct str key, link; /* link: empty where there is none, or posts are simulated */
    struct str title, body;
    enum item_form form;
    struct str license; /* empty: its source says nothing */
    struct str author;  /* a link; empty: nobody is known. Names stay in the corpus */
    int64_t created_ms, score, views, answers;
};

/* Posts are told by their ids. */
struct report_handbook_solved {
    int64_t question, answer;
    bool accepted;          /* or else who asked gave thanks for it */
    struct str outdated;    /* the comment that says so; empty: none does */
    struct str outdated_by; /* a link, as of a post's author */
    int64_t outdated_ms;
};

/* What items of a category have in common, or what was changed in them. */
struct report_handbook_name {
    struct str text;
    int64_t count;
    double ratio;      /* how many times as frequent as in the other categories; NAN */
    int64_t *examples; /* questions */
    size_t example_count;
};

struct report_handbook_list {
    const char *title, *note; /* note: what the numbers count */
    struct str step;          /* of the study, that found them; empty: none */
    bool pitfall;
    struct report_handbook_name *names;
    size_t count;
};

struct report_handbook_year {
    int year;
    int64_t count, whole; /* of the category, and of its chapter */
    bool partial;         /* a source of it ends within it, or before */
    bool missing;         /* all had ended: 0 says nothing */
};

/* Items of the last 365 days of their source, and before. */
struct report_handbook_trend {
    int64_t recent, recent_whole, before, before_whole;
    bool sources; /* there are several, each with its own days */
    double ratio; /* of the shares; NAN: undefined */
};

struct report_handbook_page {
    struct str name, file; /* "pages/data.html" */
    size_t parent;         /* page, or RESULT_NONE */
    int level;             /* 0: at the top */
    bool chapter;
    int64_t apart;                   /* of a chapter: items in none of its categories */
    const char *items;               /* what they are: "questions", "issues", "items" */
    int64_t tracked, tracked_closed; /* issues and pull requests, which closing solves */
    const struct study_codebook_code *code; /* NULL: no codebook tells of it */
    struct result_cell cells[STUDY_HANDBOOK_COLUMNS];
    struct result_cell adjusted; /* of predictions: the share corrected for errors; n is
                                    -1 where there is none */
    const struct study_classifier *classifier; /* that predicted it; NULL: none did */
    struct report_handbook_trend trend;
    struct report_handbook_year *years;
    size_t year_count;
    struct str lacking; /* ends of its sources, where these are several, that years lack
                           something behind */
    struct report_handbook_list *lists;
    size_t list_count;
    struct report_handbook_solved *solved;
    size_t solved_count;
    int64_t *open, *unaccepted, *closed; /* questions; closed: issues */
    size_t open_count, unaccepted_count, closed_count;
};

struct report_handbook {
    const struct study *study;
    struct str title;
    const char *version;
    struct report_handbook_page *pages; /* parents before children */
    size_t page_count;
    const struct report_handbook_post *posts; /* ascending by id */
    size_t post_count;
    bool comments; /* the sources brought any */
};

void report_handbook_index(const struct report_handbook *book, struct buf *out);
void report_handbook_page(const struct report_handbook *book, size_t page,
                          struct buf *out);

/* All pages in one, to be printed; the same as Markdown. */
void report_handbook_whole(const struct report_handbook *book, struct buf *out);
void report_handbook_markdown(const struct report_handbook *book, struct buf *out);

/* What the pages' search looks through, as a script; and what it looks with. */
void report_handbook_search(const struct report_handbook *book, struct buf *out);
struct str report_handbook_style(void);
struct str report_handbook_script(void);

/* Link, author and licence of every post that is quoted. */
void report_handbook_attribution(const struct report_handbook *book, struct buf *out);

#endif
