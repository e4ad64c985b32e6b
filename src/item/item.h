/* The one model of what is studied: whatever developers write, from any number of places.
 * A question, an answer, a commit, an issue, a row of a table is a struct item; reading,
 * querying, storing, measuring and showing all go by the table of fields below, and all
 * mean the same by "missing". */
#ifndef ITEM_ITEM_H
#define ITEM_ITEM_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"

#define ITEM_NONE INT64_MIN /* a number, moment or id that the item does not have */

/* Up to ITEM_PRIVILEGE_WIKI the numbers are those of Stack Exchange's post types. */
enum item_kind {
    ITEM_QUESTION = 1,
    ITEM_ANSWER,
    ITEM_ORPHANED_WIKI,
    ITEM_EXCERPT,
    ITEM_TAG_WIKI,
    ITEM_NOMINATION,
    ITEM_WIKI_PLACEHOLDER,
    ITEM_PRIVILEGE_WIKI,
    ITEM_ROW, /* of a table: an item of its own, whatever it speaks of */
    ITEM_COMMIT,
    ITEM_ISSUE,
    ITEM_PULL_REQUEST,
    ITEM_DISCUSSION,
    ITEM_TOPIC,
    ITEM_COMMENT,
    ITEM_KINDS
};

struct str item_kind_name(enum item_kind kind); /* "pull request" */

/* Whether items of the kind are studied themselves; the others hang on one that is. */
bool item_kind_is_studied(int64_t kind);
unsigned item_studied_kinds(void); /* bit 1u << kind */

/* In the order of the members of struct item. The numbers come first. */
enum item_field {
    ITEM_FIELD_ID,
    ITEM_FIELD_KIND,
    ITEM_FIELD_PARENT,
    ITEM_FIELD_ACCEPTED,
    ITEM_FIELD_CREATED,
    ITEM_FIELD_CLOSED,
    ITEM_FIELD_SCORE,
    ITEM_FIELD_VIEWS,
    ITEM_FIELD_ANSWERS,
    ITEM_FIELD_COMMENTS,
    ITEM_FIELD_FAVORITES,
    ITEM_FIELD_OWNER,
    ITEM_FIELD_ACCEPTED_AT,
    ITEM_FIELD_WIKI,
    ITEM_FIELD_LASTACTIVE,
    ITEM_NUMBERS,
    ITEM_FIELD_TAGS = ITEM_NUMBERS,
    ITEM_FIELD_TITLE,
    ITEM_FIELD_LICENSE,
    ITEM_FIELD_BODY,
    ITEM_FIELDS,
    ITEM_TEXTS = ITEM_FIELDS - ITEM_NUMBERS
};

/* How the body is written. */
enum item_form { ITEM_HTML, ITEM_MARKDOWN, ITEM_PLAIN, ITEM_DIFF };

struct item {
    union {
        int64_t numbers[ITEM_NUMBERS];
        struct {
            int64_t id;       /* see item/key.h */
            int64_t kind;     /* enum item_kind */
            int64_t parent;   /* what it answers or belongs to */
            int64_t accepted; /* its accepted answer; 0: it has one, unknown which */
            int64_t created_ms, closed_ms;
            int64_t score, views, answers, comments, favorites;
            int64_t owner;       /* who wrote it */
            int64_t accepted_ms; /* when the accepted answer was written, where the source
                                    says so itself */
            int64_t
                wiki_ms; /* since when everybody may change it; 0: unknown since when */
            int64_t lastactive_ms; /* when something last happened to it */
        };
    };
    union {
        struct str texts[ITEM_TEXTS];
        struct {
            struct str tags;    /* "<a><b>" or "|a|b|" */
            struct str title;   /* plain text */
            struct str license; /* as its source says; empty: it says nothing */
            struct str body;
        };
    };
    struct str key; /* as its source calls it, where that is not its number; else empty */
    struct str parent_key, accepted_key; /* the same of these two; not stored */
    struct str
        alias; /* another key that it goes by, such as of a repository that moved */
    enum item_form form;
    bool escaped;            /* title and body still stand as in XML attributes */
    const struct str *extra; /* fields that the source brings of its own, in its order */
};

/* An item without anything, to be filled. */
struct item item_empty(void);

enum item_type {
    ITEM_ANY, /* a column of a table: a number or a text, as it happens to be written */
    ITEM_NUMBER, /* a whole number that can be counted and measured */
    ITEM_MOMENT, /* milliseconds since 1970-01-01 UTC */
    ITEM_LINK,   /* names another item, or a person, of the same source */
    ITEM_KIND,   /* enum item_kind */
    ITEM_LIST,   /* of tags */
    ITEM_TEXT,
    ITEM_YES_NO,
};

/* A field that a kind of source brings of its own. Its values are text as item.extra has
 * them: digits, a moment as date_add() writes it, "yes" or "no", the members of a list a
 * line each; empty is missing. */
struct item_own {
    struct str name; /* in studies and queries: none of those that every item has */
    enum item_type type;
    const char *meaning; /* a sentence of the manual */
    bool patch;  /* a text that is a patch: json also has its parts */
    bool costly; /* made only for a study or query that names it, and tested last */
};

enum { ITEM_SPELLINGS_MAX = 5 };

/* All there is to know about a field. */
struct item_field_row {
    struct str name;    /* in studies, queries, exports */
    const char *column; /* in corpus.db */
    enum item_type type;
    bool shown; /* in exports */
    /* What columns of tables are called that usually hold it, in small letters without
     * blanks, _, -, . and @, the surest first. What an export may well use for something
     * else ("user", "date", "votes") is not among them. */
    const char *spellings[ITEM_SPELLINGS_MAX];
};

const struct item_field_row *item_field(enum item_field field);

/* The field of that name, or ITEM_FIELDS. */
enum item_field item_field_find(struct str name);

/* What hangs on items and is taken on request. */
enum item_also {
    ITEM_ALSO_COMMENTS,
    ITEM_ALSO_USERS,
    ITEM_ALSO_LINKS,
    ITEM_ALSO_VOTES,
    ITEM_ALSO_HISTORY,
    ITEM_ALSO_BADGES,
    ITEM_ALSO
};

struct str item_also_name(enum item_also also); /* "comments" */

/* Under which terms a post of Stack Exchange stands: what its row says, or else what
 * follows from its date, marked as in item/license.h. Other items have none. */
struct str item_license(const struct item *item);

/* What a corpus without such marks has, with one where it may follow from the date. */
struct str item_license_unmarked(const struct item *item);

#endif
