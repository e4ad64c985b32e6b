/* What the files of query/ share with each other. */
#ifndef QUERY_INTERNAL_H
#define QUERY_INTERNAL_H

#include "base/map.h"
#include "query/query.h"

/* ---- field.c: the one table of fields, and the names that fields take as values */

enum query_value {
    QUERY_VALUE_TEXT,
    QUERY_VALUE_TAG,
    QUERY_VALUE_NUMBER,
    QUERY_VALUE_DATE,
    QUERY_VALUE_CLOSED, /* yes, no or a date */
    QUERY_VALUE_FLAG,
    QUERY_VALUE_TYPE,
    QUERY_VALUE_SET,
    QUERY_VALUE_SOURCE,
    QUERY_VALUE_OWN,   /* what its type says */
    QUERY_VALUE_BELOW, /* a query of its own, or a text */
    QUERY_VALUE_LABEL, /* the name of a step, and with / behind it a code */
};

/* Whether a field may be asked of what hangs on an item. */
enum query_below { QUERY_OF_ANSWERS = 1, QUERY_OF_COMMENTS = 2 };

struct query_field_row {
    struct str name;
    enum query_field field;
    enum query_value value;
    const char *expected; /* of its value, for messages */
    enum item_field
        about;           /* what it asks of an item; ITEM_FIELDS: nothing of that table */
    enum item_type type; /* of QUERY_VALUE_OWN, */
    bool costly;         /* as item/item.h has it */
    unsigned below;      /* QUERY_OF_... */
};

/* NULL when there is no such field. Names fold case. */
const struct query_field_row *query_field_find(struct str name);
const struct query_field_row *query_field_nearest(struct str name);
const char *query_field_list(void); /* "title, prose, ... and answer" */

/* Those that may be asked of answers or comments: "prose, code ..." */
void query_field_list_below(unsigned below, struct buf *out);

/* A field that a source brings, as a row like the others. */
struct query_field_row query_field_own(struct str name, enum item_type type, bool costly);

/* The number of an item that the field asks for. */
enum item_field query_item_field(enum query_field field);

/* The post types that a name after is: means, or 0; *canonical gets its spelling. */
unsigned query_type_find(struct str name, struct str *canonical);
struct str query_type_nearest(struct str name); /* empty when none is near */

bool query_same_name(struct str a, struct str b); /* ASCII letters in any case */

/* ---- fold.c: letters and words */

/* A letter, a digit, '_' or any byte of a character beyond ASCII: what a bare word of a
 * query may be made of. What parts words in a text is decided by find.c. */
static inline bool query_word_byte(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           c == '_' || (c & 0x80) != 0;
}

static inline bool query_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static inline char query_lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c;
}

/* Bytes of the well-formed UTF-8 character at the front of s, with its number; 0 when
 * there is none. */
size_t query_decode(struct str s, uint32_t *character);
uint32_t query_fold_character(uint32_t character);

/* ---- parse.c and condition.c */

struct query_parser {
    struct str text;
    size_t at; /* the next byte */
    int depth;
    const struct query_field_row *group; /* inside field:( ), or NULL */
    const struct query_field_row *below; /* inside answer:( ) or comment:( ), or NULL */
    struct str after; /* what was read just before, for messages; may be empty */
    const struct query_own *own; /* NULL: none */
    struct arena *arena;
    struct err *err;
};

struct query_node *query_parser_node(struct query_parser *p, enum query_kind kind,
                                     size_t at);
struct str query_parser_word(const struct query_parser *p); /* at p->at; may be empty */

/* Fails: "expected WHAT after '...', found ...". */
bool query_parser_expected(struct query_parser *p, const char *what);

/* A value of the field, at p->at; the condition begins at `begun`. */
bool query_parser_value(struct query_parser *p, const struct query_field_row *row,
                        size_t begun, struct query_node **out);
bool query_parser_tag(struct query_parser *p, struct query_node **out); /* [tag] */

/* ---- value.c: numbers and dates */

/* N, N.., ..N, N..M, >N, >=N, <N, <=N, =N. Otherwise false, with *wrong saying why. */
bool query_read_number(struct str s, int64_t *min, int64_t *max, const char **wrong);

/* The same with years, months and days into min, max, from and to; max is the last
 * millisecond. */
bool query_read_date(struct str s, struct query_node *node, const char **wrong);

/* The first millisecond of that day, with `last` its last. */
int64_t query_ago_ms(struct query_ago ago, int64_t newest_ms, bool last);

/* The same as query_read_number() with decimals, which a comparison leaves dense. */
bool query_read_real(struct str s, struct query_node *node, const char **wrong);

/* Whether a bare word means a number or a range where both may stand. */
bool query_looks_like_number(struct str word);

/* What query_read_real() reads. */
void query_add_reals(struct buf *out, const struct query_node *node);

/* What query_read_date() reads. */
void query_add_dates(struct buf *out, const struct query_node *node);

/* ---- regex.c */

struct query_regex;      /* compiled once, shared */
struct query_regex_room; /* one a thread */

struct query_regex_error {
    size_t at; /* the byte of the pattern */
    char text[200];
};

/* The caller hands *out to query_regex_free(); out may be NULL when only the check is
 * wanted. */
bool query_regex_compile(struct str pattern, bool any_case, struct query_regex **out,
                         struct arena *arena, struct query_regex_error *error);
void query_regex_free(struct query_regex *regex); /* NULL is fine */

struct query_regex_room *query_regex_room_open(void);
void query_regex_room_close(struct query_regex_room *room); /* NULL is fine */

enum query_regex_result { QUERY_REGEX_NO, QUERY_REGEX_YES, QUERY_REGEX_GAVE_UP };

/* With QUERY_REGEX_GAVE_UP, limit gets what was exceeded: "more than ... steps". */
enum query_regex_result query_regex_test(const struct query_regex *regex,
                                         struct query_regex_room *room, struct str text,
                                         char *limit, size_t limit_size);

/* ---- tag.c */

/* Both folded; * is any run of characters, ? one character. */
bool query_glob(struct str pattern, struct str text);

struct query_hyperscan_room;

/* ---- find.c: all words, phrases, prefixes and substrings of one text in one pass */

struct query_term {
    enum query_match match;
    struct str text;        /* folded; one blank stands for any run of them in a phrase */
    size_t literal_at;      /* where in text the part that is searched for begins */
    size_t target;          /* what is met when it is found */
    size_t next_of_literal; /* another term with the same literal, or SIZE_MAX */
};

/* What an engine looks for; a hit is then checked by query_finder_hit(). */
struct query_literal {
    struct str text; /* folded, not empty, at most 32 bytes */
    size_t first_term;
};

/* Terms that are joined by `or` share a target: the first that is found meets it, and the
 * others need not be looked for any more. */
struct query_finder {
    struct query_term *terms;
    struct query_literal *literals;
    size_t term_count, literal_count, target_count;
    size_t term_room, literal_room;
    struct map numbers; /* of literals */
    size_t block_max;   /* of bytes at once for Hyperscan; 0: as many as it can take */
    bool fold; /* a term has characters beyond ASCII: texts must be folded first */
    struct query_hyperscan *hyperscan; /* one of the two, when there are terms */
    struct query_automaton *automaton;
};

/* What a pass over a text has found. */
struct query_found {
    const struct query_finder *finder;
    struct str text;
    uint64_t *met; /* a target is met when met[target] == serial */
    uint64_t serial;
    size_t left; /* targets not met yet */
};

/* Adds a term to a target: QUERY_NEW_TARGET or what an earlier call returned. */
#define QUERY_NEW_TARGET SIZE_MAX
size_t query_finder_add(struct query_finder *finder, enum query_match match,
                        struct str folded, size_t target, struct arena *arena);
void query_finder_build(struct query_finder *finder, bool portable, struct arena *arena);
void query_finder_free(struct query_finder *finder);

/* found->text, met and serial are set, and the text is folded when finder->fold says so.
 */
void query_finder_run(const struct query_finder *finder, struct query_found *found,
                      struct query_hyperscan_room *room);

/* A literal begins at this place of found->text: marks the targets of the terms that hold
 * there. False when nothing is left to be found. */
bool query_finder_hit(struct query_found *found, size_t literal, size_t at);

/* ---- hyperscan.c: one engine; not built in everywhere */

/* NULL when this build or processor lacks it, or it does not take these literals. */
struct query_hyperscan *query_hyperscan_open(const struct query_finder *finder,
                                             struct arena *arena);
void query_hyperscan_close(struct query_hyperscan *engine); /* NULL is fine */
void query_hyperscan_run(const struct query_hyperscan *engine, struct query_found *found,
                         struct query_hyperscan_room *room);

/* One a thread, for several engines. */
struct query_hyperscan_room *query_hyperscan_room_open(struct arena *arena);
void query_hyperscan_room_add(struct query_hyperscan_room *room,
                              const struct query_hyperscan *engine); /* NULL: nothing */
void query_hyperscan_room_close(struct query_hyperscan_room *room);

/* ---- automaton.c: the other engine, Aho and Corasick's */

struct query_automaton *query_automaton_build(const struct query_finder *finder,
                                              struct arena *arena);
void query_automaton_run(const struct query_automaton *automaton,
                         struct query_found *found);

/* ---- compile.c: what test.c and funnel.c read */

struct query_step {
    enum query_kind kind;
    enum query_field field;
    enum query_match match;
    bool yes;
    unsigned types;
    int cost;
    size_t number;   /* of the target, the tag, the regex or the relation */
    size_t place;    /* of the text: enum query_text, or of an own field QUERY_TEXTS on */
    struct str text; /* folded: a tag; as it is: the name of a set or source */
    int64_t min, max;
    struct query_ago from, to;
    double low, high;
    bool above, below;
    bool relation;                /* it is asked of relations[number] */
    struct query_step **children; /* cheap ones first */
    size_t count;
};

struct query_compiled {
    struct arena arena; /* holds this struct too */
    struct query_step *root;
    struct query_step **conditions; /* of the funnel, in written order */
    struct str *condition_texts;
    size_t condition_count;
    struct query_finder *finders; /* of the texts, then of the own fields */
    size_t place_count;           /* of these */
    struct str *own;              /* the fields' names */
    struct query_regex **regexes;
    struct str *regex_texts; /* the conditions that they stand in */
    size_t regex_count;
    struct map tags; /* exact tags, folded, to their numbers */
    const struct query_relations *relations;
};

/* ---- relation.c */

/* Whether the condition is on what is around an item. */
bool query_is_relation(const struct query_node *node);
size_t query_relation_find(const struct query_relations *relations,
                           const struct query_node *node);
bool query_relation_holds(const struct query_relation *relation, const struct item *item);

/* ---- test.c */

/* Begins a post; then any step can be tested. */
void query_scratch_begin(struct query_scratch *scratch, const struct query_item *item);

enum query_verdict {
    QUERY_NO,
    QUERY_YES,
    QUERY_GAVE_UP, /* a regex did */
};

enum query_verdict query_step_test(const struct query_step *step,
                                   struct query_scratch *scratch);

/* The error of the regex that made a step answer QUERY_GAVE_UP; is false. */
bool query_scratch_gave_up(const struct query_scratch *scratch, struct err *err);

#endif
