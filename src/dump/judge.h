/* Whether a post meets a query. Brings the post to the query engine: numbers as they are,
 * texts only when a condition asks for them. One judge a thread. */
#ifndef DUMP_JUDGE_H
#define DUMP_JUDGE_H

#include "base/buf.h"
#include "dump/value.h"
#include "item/item.h"
#include "query/query.h"
#include "text/form.h"

/* Tags of which every post that meets the query has at least one, as a table of bits:
 * most questions are told from it without being decoded. */
enum { DUMP_JUDGE_FILTER_BITS = 4096 };

struct dump_judge_filter {
    bool on;
    uint64_t bits[DUMP_JUDGE_FILTER_BITS / 64];
};

struct dump_judge_filter dump_judge_filter_of(const struct query_node *query);

/* False when no tag of the raw value can be one of those. */
bool dump_judge_filter_passes(const struct dump_judge_filter *filter,
                              struct str raw_tags);

/* What had to be put up with when a post was read. */
enum { DUMP_JUDGE_FIRST_MAX = 160 };
struct dump_judge_doubts {
    int64_t replaced;   /* characters that XML forbids: U+FFFD stands for them */
    int64_t unreadable; /* values that are not what their attribute says */
    char first[DUMP_JUDGE_FIRST_MAX]; /* of these: Score="five" of post 17 */
};

/* A value of the row is not what its attribute says; `what` is what the row tells of. */
void dump_judge_doubt(struct dump_judge_doubts *doubts, const struct dump_rows_row *row,
                      enum dump_rows_attribute attribute, const char *what);

/* Where posts come from, as far as queries ask. */
struct dump_judge_origin {
    struct str source;        /* its name */
    const struct str *fields; /* that it brings of its own, in the order of item.extra */
    size_t field_count;
};

struct dump_judge {
    struct dump_judge_origin origin;    /* set after dump_judge_open() */
    int64_t newest_ms;                  /* the same: see struct query_item */
    const struct query_compiled *other; /* dump_judge_compare() */
    struct query_scratch *other_scratch;
    int64_t other_meets; /* posts that meet it */
    const struct query_compiled *query;
    struct query_scratch *scratch;
    int64_t none[ITEM_NUMBERS];  /* of item_empty() */
    uint8_t types[ITEM_NUMBERS]; /* ITEM_...: item_field()'s */
    uint64_t moments;            /* attributes that are moments */
    struct dump_value_day day;   /* of the moment read last */
    unsigned fields;             /* bit 1u << QUERY_FIELD_...: what the query looks at */
    uint64_t numbers, all_numbers; /* attributes with the numbers of it, and of all */
    uint8_t field_of[DUMP_ROWS_ATTRIBUTES]; /* the item's, of such an attribute */
    unsigned want;   /* HTML_...: texts of the body that the query looks into */
    bool needs_text; /* of title or body */
    struct dump_judge_doubts doubts; /* about the row read last, as far as it was read */
    const struct item *post;
    bool split, titled; /* parts and title are those of this post */
    unsigned made;      /* HTML_...: which parts */
    struct text_html_parts parts;
    struct buf title, tags, decoded;
};

void dump_judge_open(struct dump_judge *judge, const struct query_compiled *query,
                     const struct query_needs *needs);
void dump_judge_close(struct dump_judge *judge);

/* From now on it is counted how many posts meet the other query, which looks at no more
 * than the judge's own; NULL: nothing is. */
void dump_judge_compare(struct dump_judge *judge, const struct query_compiled *other);

/* The post of a dump's row, as far as the query needs it. Text stays escaped; tags are
 * decoded into the judge's memory, until the next post. */
void dump_judge_read(struct dump_judge *judge, const struct dump_rows_row *row,
                     struct item *post);

/* Only what tells which post it is: the id that dump_judge_read_id() gave, type, parent;
 * nothing else of it is set but that no accepted answer is known. */
void dump_judge_read_ids(struct dump_judge *judge, const struct dump_rows_row *row,
                         int64_t id, struct item *post);

/* The same as dump_judge_read(), of a post that is only counted: nothing of it is set but
 * numbers, and tags of a question are not looked at. */
void dump_judge_read_counts(struct dump_judge *judge, const struct dump_rows_row *row,
                            int64_t id, struct item *post);

/* The same with everything, for a post that is to be shown or stored. */
void dump_judge_read_all(struct dump_judge *judge, const struct dump_rows_row *row,
                         struct item *post);

/* The number that names the row; false when it has none: no Id, or one that is not a
 * whole number from 0 to below ITEM_NUMBER_MAX. */
bool dump_judge_read_id(const struct dump_rows_row *row, int64_t *id) MUST_USE;

/* Whether the post meets the query; fails as query_test() does. */
bool dump_judge_post(struct dump_judge *judge, const struct item *post, bool *meets,
                     struct err *err) MUST_USE;

/* Texts of the post judged last, plain and decoded; made now if need be. Valid until the
 * next post. */
struct str dump_judge_text(struct dump_judge *judge, enum query_text which);
size_t dump_judge_code_blocks(struct dump_judge *judge);

#endif
