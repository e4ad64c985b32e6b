/* Words of the handbook that its pages and its Markdown share. */
#ifndef REPORT_HANDBOOK_INTERNAL_H
#define REPORT_HANDBOOK_INTERNAL_H

#include "report/handbook.h"

const struct report_handbook_post *
report_handbook_post(const struct report_handbook *book, int64_t id);

/* Plain text without < and &. */
void report_handbook_add_number(int64_t number, struct buf *out);
void report_handbook_add_share(const struct result_cell *cell, struct buf *out);
void report_handbook_add_common(const struct report_handbook_page *page, struct buf *out);
void report_handbook_add_without(const struct report_handbook_page *page,
                                 struct buf *out);
void report_handbook_add_waiting(const struct report_handbook_page *page,
                                 struct buf *out);
void report_handbook_add_closed(const struct report_handbook_page *page, struct buf *out);
bool report_handbook_is_accepted(const struct report_handbook_page *page);
void report_handbook_add_trend(const struct report_handbook_page *page, struct buf *out);
void report_handbook_add_count(const struct report_handbook_list *list,
                               const struct report_handbook_name *name, struct buf *out);

/* Paragraphs with an empty line between them. */
void report_handbook_add_made(const struct report_handbook *book, struct buf *out);

/* How a post begins, as plain text that is cut between words. */
void report_handbook_excerpt(const struct report_handbook_post *post, struct buf *out);

/* The pages above one, the nearest first; how many. */
enum { REPORT_HANDBOOK_LEVELS = 64 };
size_t report_handbook_way(const struct report_handbook *book, size_t at,
                           size_t out[static REPORT_HANDBOOK_LEVELS]);

struct str report_handbook_title(const struct report_handbook_post *post);

/* The same, cut between words, in place of what out holds. */
void report_handbook_short_title(const struct report_handbook_post *post,
                                 struct buf *out);

/* A text, which leads to the link unless that is empty; rel: of html, "license " or
 * nothing. */
typedef void report_handbook_link(struct str text, struct str link, const char *rel,
                                  struct buf *out);

/* " by user 7, 2019-05-01". */
void report_handbook_add_author(struct str author, int64_t created_ms,
                                report_handbook_link *link, struct buf *out);

/* ", CC BY-SA 4.0"; nothing where its source says nothing. */
void report_handbook_add_licence(const struct report_handbook_post *post,
                                 report_handbook_link *link, struct buf *out);

/* Who wrote it, when and under which terms, as the licence asks. */
void report_handbook_add_attribution(const char *what,
                                     const struct report_handbook_post *post,
                                     report_handbook_link *link, struct buf *out);

/* "accepted answer, score 5", or that who asked gave thanks for it. */
void report_handbook_add_answer(const struct report_handbook_solved *solved,
                                const struct report_handbook_post *answer,
                                struct buf *out);

/* A book does not show posts of such a category twice. */
bool report_handbook_has_below(const struct report_handbook *book, size_t page);

/* Which part of a page a list belongs to. */
bool report_handbook_is_put(const struct report_handbook_list *list);
bool report_handbook_is_code(const struct report_handbook_list *list);
bool report_handbook_is_pitfall(const struct report_handbook_list *list);

#endif
