/* The selection language: a query is read into a tree, printed back, and tested against
 * posts. Pure: the caller brings the post and its texts, nothing here touches files,
 * clock or globals. assay-query(7) is the manual; the grammar stands at the top of
 * parse.c.
 *
 * A compiled query is read-only and may be shared by threads; each thread has a scratch
 * of its own. */
#ifndef QUERY_QUERY_H
#define QUERY_QUERY_H

#include "base/idset.h"
#include "item/item.h"

enum { QUERY_SIZE_MAX = 64 * 1024, QUERY_DEPTH_MAX = 200, QUERY_TEXT_MAX = 1000 };

/* The texts of a post: prose is the title and the body without code blocks, body is the
 * whole text of the body, code in it, without the title. */
enum query_text { QUERY_TITLE, QUERY_PROSE, QUERY_CODE, QUERY_BODY, QUERY_TEXTS };

enum query_field {
    QUERY_FIELD_TITLE = QUERY_TITLE, /* the texts come first, under the same numbers */
    QUERY_FIELD_PROSE = QUERY_PROSE,
    QUERY_FIELD_CODE = QUERY_CODE,
    QUERY_FIELD_BODY = QUERY_BODY,
    QUERY_FIELD_TAG,
    QUERY_FIELD_SCORE,
    QUERY_FIELD_VIEWS,
    QUERY_FIELD_ANSWERS,
    QUERY_FIELD_COMMENTS,
    QUERY_FIELD_FAVORITES,
    QUERY_FIELD_CREATED,
    QUERY_FIELD_CLOSED,
    QUERY_FIELD_HASCODE,
    QUERY_FIELD_HASACCEPTED,
    QUERY_FIELD_IS,
    QUERY_FIELD_ID,
    QUERY_FIELD_USER,
    QUERY_FIELD_PARENT,
    QUERY_FIELD_IN,
    QUERY_FIELD_SOURCE,
    QUERY_FIELD_WIKI,
    QUERY_FIELD_LASTACTIVE,
    QUERY_FIELD_REPUTATION, /* these five are asked of what is around the item: */
    QUERY_FIELD_DUPLICATE,  /* see struct query_relation */
    QUERY_FIELD_HASENDORSED,
    QUERY_FIELD_COMMENT,
    QUERY_FIELD_ANSWER,
    QUERY_FIELD_LABEL, /* these three of what a study says of its items */
    QUERY_FIELD_PREDICTED,
    QUERY_FIELD_HASUNIT,
    QUERY_FIELDS,
    QUERY_FIELD_OWN = QUERY_FIELDS, /* not of the table: one that a source brings */
};

enum query_kind {
    QUERY_ALL,       /* everything */
    QUERY_AND,       /* two or more children, none of them an AND itself */
    QUERY_OR,        /* two or more children, none of them an OR itself */
    QUERY_NOT,       /* one child */
    QUERY_TAG,       /* match: EXACT, GLOB, SUBSTRING; text */
    QUERY_TEXT,      /* field, match: WORDS, PREFIX, SUBSTRING, REGEX; text */
    QUERY_RANGE,     /* field, min, max: numbers; of dates milliseconds, see from, to */
    QUERY_FLAG,      /* field CLOSED, HASCODE, HASACCEPTED, WIKI, DUPLICATE or
                        HASENDORSED; yes */
    QUERY_TYPE,      /* text is the name, types the posts that it means */
    QUERY_SET,       /* text is the set's name */
    QUERY_SOURCE,    /* text is the source's name */
    QUERY_OWN_TEXT,  /* own, match as for TEXT; text */
    QUERY_OWN_RANGE, /* own, low, high, above, below */
    QUERY_OWN_DATES, /* own, min, max: milliseconds, see from, to */
    QUERY_BELOW,     /* field ANSWER or COMMENT; one child: what one of them meets */
    QUERY_LABEL,     /* field LABEL, PREDICTED or HASUNIT; text: STEP or STEP/CODE. Only
                        the study knows what it means: it is never compiled */
};

enum query_match {
    QUERY_EXACT,     /* the whole tag */
    QUERY_GLOB,      /* the whole tag, or a whole member of a list, with * and ? */
    QUERY_WORDS,     /* whole words in this order, blanks between */
    QUERY_PREFIX,    /* the same, but the last word may go on */
    QUERY_SUBSTRING, /* anywhere, as written */
    QUERY_REGEX,
};

/* A day so long before the newest post of the source; unit 0: none is meant. */
struct query_ago {
    int count;
    char unit; /* 'd', 'w', 'm' or 'y' */
};

/* One condition, or several joined. Strings are as the user wrote them, but for blanks in
 * phrases; comparing folds case (query_fold()), except in regexes and names of sets and
 * sources. */
struct query_node {
    enum query_kind kind;
    enum query_field field;
    enum query_match match;
    bool yes;       /* FLAG */
    bool any_case;  /* REGEX: /.../i */
    bool costly;    /* OWN_...: to be tested last */
    bool bare;      /* RANGE: a number alone, which Stack Overflow reads as `or more` */
    unsigned types; /* TYPE: bit N stands for post type N */
    struct str text;
    int64_t min,
        max; /* RANGE: both belong to it; INT64_MIN and INT64_MAX are open ends */
    struct query_ago from, to; /* of dates: instead of min, max */
    struct str own;            /* OWN_TEXT, OWN_RANGE, OWN_DATES: the field's name */
    double low, high;  /* OWN_RANGE: both belong to it; infinite ones are open ends */
    bool above, below; /* OWN_RANGE: low, or high, does not belong to it */
    size_t at;         /* where it stands in the query, in bytes: see query_fail() */
    struct query_node *first; /* children of AND, OR, NOT, BELOW in written order */
    struct query_node *next;  /* the next child of the same parent */
};

/* Reads a query; what *out points to lives in the arena and does not need text. ERR_INPUT
 * has three lines: the column and what is wrong, the query, a caret under the place. */
bool query_parse(struct str text, struct arena *arena, struct query_node **out,
                 struct err *err) MUST_USE;

/* What a study adds to the names that queries know. */
struct query_own {
    const struct str *fields;    /* that its sources bring of their own */
    const enum item_type *types; /* of each; NULL: ITEM_ANY, all of them */
    const bool *costly;          /* of each; NULL: none is */
    size_t field_count;
    const struct str *sources; /* those that have a name */
    size_t source_count;
    bool any; /* names have been checked before: every unknown field is an own one */
};

/* The same with names of a study; NULL is query_parse(), which knows no own fields and
 * leaves it to the caller to refuse source:. */
bool query_parse_with(struct str text, const struct query_own *own, struct arena *arena,
                      struct query_node **out, struct err *err) MUST_USE;

/* Whether queries know the name without a study, in any case: no own field can bear it.
 */
bool query_field_known(struct str name);

/* Records an error about the byte `at` of the query in the same form, and is false: for
 * what only the caller knows, such as a set that does not exist. */
bool query_fail(struct str text, size_t at, struct err *err, const char *format, ...)
    PRINTF_LIKE(4, 5);

/* The canonical form: reading it gives the same tree (if it is not longer than a query
 * may be: fields that a group shared are written out). */
void query_print(const struct query_node *node, struct buf *out);
bool query_same(const struct query_node *a,
                const struct query_node *b); /* but for `at` */

struct query_needs {
    bool text[QUERY_TEXTS]; /* which texts are looked into */
    bool any_text;
    bool has_code;   /* hascode: is asked */
    bool sets;       /* in: is asked */
    bool sources;    /* source: is asked */
    bool labels;     /* label:, predicted: or hasunit: is asked */
    bool own;        /* a field is asked that a source brings */
    bool newest;     /* a date is relative, be it of an answer or a comment */
    unsigned fields; /* bit 1u << QUERY_FIELD_...; what answers and comments are asked is
                        not among them */
};

struct query_needs query_needs(const struct query_node *node);

/* The query as Stack Overflow's search reads score:3, views:3 and answers:3, which there
 * mean 3 or more; NULL: it has no such condition. *first, unless NULL, gets the first. */
struct query_node *query_or_more(const struct query_node *node, struct arena *arena,
                                 const struct query_node **first);

/* Tags that mean the same: each pair is a synonym and what it is one of. */
struct query_synonym {
    struct str tag, of;
};

struct query_synonyms;

/* ERR_INPUT about pair *wrong when a tag leads back to itself, or to two others. What
 * *out points to lives in the arena. */
bool query_synonyms_make(const struct query_synonym *pairs, size_t count,
                         struct arena *arena, struct query_synonyms **out, size_t *wrong,
                         struct err *err) MUST_USE;

/* All of them, folded, each of the tag that it leads to in the end; and those that mean
 * the same as a folded tag: count 0: it alone does. NULL has none. */
const struct query_synonym *query_synonyms_all(const struct query_synonyms *synonyms,
                                               size_t *count);
const struct query_synonym *query_synonyms_of(const struct query_synonyms *synonyms,
                                              struct str tag, size_t *count);

/* The query with each exact tag that has synonyms, or is one, as all of them together. */
struct query_node *query_with_synonyms(const struct query_node *node,
                                       const struct query_synonyms *synonyms,
                                       struct arena *arena);

/* Tags that a study has gathered under a name; one with a * in it is a pattern. */
struct query_tagset {
    struct str name;
    const struct str *tags; /* at least one */
    size_t count;
};

/* The query with each [tagset:NAME] as the tags of that name; others stay. And the first
 * name that a query asks for; empty: none. */
struct query_node *query_with_tagsets(const struct query_node *node,
                                      const struct query_tagset *sets, size_t count,
                                      struct arena *arena);
struct str query_tagset(const struct query_node *node);

/* Whether the query, be it of an answer or a comment, asks for the field. */
bool query_asks(const struct query_node *node, enum query_field field);

/* The parts of a body that it looks into, as html_split() wants them. */
unsigned query_parts(const struct query_needs *needs);

/* The sets that the query names, each once, in written order; their strings are those of
 * the tree. The same for sources, and for the fields that sources bring. */
struct str *query_sets(const struct query_node *node, struct arena *arena, size_t *count);
struct str *query_sources(const struct query_node *node, struct arena *arena,
                          size_t *count);
struct str *query_own_fields(const struct query_node *node, struct arena *arena,
                             size_t *count);

/* Its conditions on labels, in written order. */
const struct query_node **query_labels(const struct query_node *node, struct arena *arena,
                                       size_t *count);

struct str query_field_name(enum query_field field); /* "score" */

/* The lower-case form that comparing uses: simple case folding of the letters whose two
 * cases take equally many bytes in UTF-8. out has room for s.len bytes and may be s.ptr;
 * bytes that are not UTF-8 stay as they are. */
void query_fold(struct str s, char *out);

/* Takes the next tag off the front of a post's tags; false at the end. */
bool query_tag_next(struct str *tags, struct str *tag);

/* One item as the caller has it: its numbers and tags, and how to come by the rest. */
struct query_item {
    const struct item *item;
    void *context;
    /* Decoded UTF-8 that stays until the test is over; fetched when a condition on it is
     * reached, each text at most once a test. */
    struct str (*text)(void *context, enum query_text which);
    /* These may be NULL where no condition asks for them. */
    bool (*has_code)(void *context);
    bool (*in_set)(void *context, struct str set);
    bool (*in_source)(void *context, struct str source);
    /* The value of a field that a source brings; empty when the item has none. It stays
     * until the test is over. */
    struct str (*own)(void *context, struct str field);
    int64_t newest_ms; /* of its source's posts: what relative dates count from, where the
                          query has any (needs.newest); ITEM_NONE: not known, so that it
                          is in no such range */
};

struct query_compiled;
struct query_scratch;

/* A condition on what is around an item. The caller finds out for which items it holds
 * before any is tested, and notes them by query_relation_add(). So an answer that comes
 * long after its question is no trouble, and what is kept is a bit an item. */
struct query_relation {
    enum query_field field; /* REPUTATION, DUPLICATE, HASENDORSED, COMMENT or ANSWER */
    int64_t min, max;       /* REPUTATION: of whom to note the number */
    struct query_compiled
        *asked; /* COMMENT, ANSWER: of which to note what they hang on */
    const struct query_node *node; /* the same as a tree; of the query that was given */
    struct query_needs needs;      /* of that */
    struct str text;               /* the condition in canonical form */
    struct idset ids;
};

/* Each once, and before those that ask for it: all that ask for people first, then
 * duplicates and endorsed answers, comments, answers. */
struct query_relations {
    struct query_relation *at;
    size_t count;
};

/* Those of several queries, to be compiled with them. The caller hands *out to
 * query_relations_close(). */
bool query_relations_open(const struct query_node *const *queries, size_t count,
                          struct query_relations **out, struct err *err) MUST_USE;
void query_relations_close(struct query_relations *relations); /* NULL is fine */
bool query_relations_ask(const struct query_relations *relations, enum query_field field);
/* Negative ids, such as that of a site's own account, are nobody's. */
void query_relation_add(struct query_relation *relation, int64_t id);
void query_relations_forget(struct query_relations *relations); /* all ids */

struct query_options {
    bool
        portable; /* our own keyword search even where Hyperscan is there; same results */
    /* Of this query and perhaps others; NULL: it has none. They are needed as long as the
     * compiled query is. */
    const struct query_relations *relations;
};

/* Prepares testing. The tree is not needed afterwards. ERR_INPUT when a regex of a tree
 * that query_parse() did not make is wrong. The caller hands *out to query_free(). */
bool query_compile(const struct query_node *node, struct query_options options,
                   struct query_compiled **out, struct err *err) MUST_USE;
void query_free(struct query_compiled *compiled); /* NULL is fine */

/* One for each thread; query_scratch_close() before query_free(). */
struct query_scratch *query_scratch_open(const struct query_compiled *compiled);
void query_scratch_close(struct query_scratch *scratch); /* NULL is fine */

/* A condition on something that the post does not have is not met: neither score:0 nor
 * score:..5 holds without a score, so `not score:..5` does. ERR_INPUT, which names the
 * post by item->id, when a regex gave up on it and the other conditions leave the answer
 * open: whoever went on would count the post wrongly. */
bool query_test(const struct query_compiled *compiled, struct query_scratch *scratch,
                const struct query_item *item, bool *holds, struct err *err) MUST_USE;

/* What each of the conditions that the query joins by `and` lets through, in written
 * order; a query of another form has one row. */
struct query_funnel_row {
    struct str condition; /* canonical form */
    int64_t together;     /* posts that meet it and all before it */
};

struct query_funnel {
    struct query_funnel_row *rows;
    size_t count;
    int64_t posts; /* that were looked at */
    size_t passed; /* so many conditions the last of them met, one after the other */
};

struct query_funnel query_funnel_begin(const struct query_compiled *compiled,
                                       struct arena *arena);

/* Counts a post and tells whether it passes the whole query. Fails as query_test() does.
 */
bool query_funnel_add(struct query_funnel *funnel, const struct query_compiled *compiled,
                      struct query_scratch *scratch, const struct query_item *item,
                      bool *passes, struct err *err) MUST_USE;

/* The same of a post of which somebody else has found out how many conditions it meets,
 * one after the other. True: all of them. */
bool query_funnel_note(struct query_funnel *funnel, size_t passed);

#endif
