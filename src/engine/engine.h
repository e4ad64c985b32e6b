/* Tables that another program holds, perhaps on many machines: ClickHouse, asked over
 * HTTP. One answer or none: a server that cannot be reached, a shard that is down, a
 * limit that was met are errors, never a smaller answer. Callers see posts and counts,
 * never SQL. */
#ifndef ENGINE_ENGINE_H
#define ENGINE_ENGINE_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/idset.h"
#include "base/list.h"
#include "query/query.h"

struct engine;

/* Whether it is meant as the address of a server, and not as a path. */
bool engine_is_address(const char *text);

/* address: http://HOST:PORT/DATABASE/TABLE; without a table it is `posts`. Who asks is
 * told by the environment: CLICKHOUSE_USER, CLICKHOUSE_PASSWORD. Nothing is asked yet.
 * The caller hands *out to engine_close(). */
bool engine_open(const char *address, struct engine **out, struct err *err) MUST_USE;
void engine_close(struct engine *engine); /* NULL is fine */

/* Whether a server answers there within a few seconds, trusted or not. */
bool engine_answers(const struct engine *engine);

/* Numbers from..to-1; in batches first..last of a corpus, if last is not 0. */
struct engine_block {
    int64_t from, to;
    int64_t first, last;
};

/* Runs of numbers, ascending, and how many rows each has; hardly one has more than was
 * asked for, and what is between them has none. */
struct engine_blocks {
    LIST(struct engine_block) at;
    LIST(int64_t) rows;
};
void engine_blocks_free(struct engine_blocks *blocks);

/* --- columns --- */

/* One that a table may have. */
struct engine_wanted {
    struct str name; /* in small letters without '_' */
    enum {
        ENGINE_IS_WHOLE,
        ENGINE_IS_KEY, /* a whole number that a table beside the posts must have */
        ENGINE_IS_KIND,
        ENGINE_IS_MOMENT,
        ENGINE_IS_LIST,
        ENGINE_IS_TEXT
    } is;
    bool zero; /* is a value of its own, not a missing one */
};

struct engine_found {
    const char *name;   /* NULL: the table has no such column */
    const char *value;  /* how it is asked for: whole numbers, milliseconds, text */
    bool nullable;      /* what is missing is NULL; else it is 0 or empty */
    bool dated;         /* of a type of dates */
    bool ms;            /* a moment whose value is milliseconds, not a text */
    bool text;          /* numbers have to be read from it */
    const char *number; /* as a number of the engine; NULL: it may be none of 64 bits */
};

/* --- a table of posts, with the columns of a Stack Exchange dump --- */

enum engine_column {
    ENGINE_ID,
    ENGINE_TYPE,
    ENGINE_PARENT,
    ENGINE_ACCEPTED,
    ENGINE_CREATED,
    ENGINE_CLOSED,
    ENGINE_SCORE,
    ENGINE_VIEWS,
    ENGINE_ANSWERS,
    ENGINE_COMMENTS,
    ENGINE_FAVORITES,
    ENGINE_OWNER,
    ENGINE_WIKI,
    ENGINE_LASTACTIVE,
    ENGINE_TAGS,
    ENGINE_TITLE,
    ENGINE_LICENSE,
    ENGINE_BODY,
    ENGINE_COLUMNS
};

struct engine_posts {
    struct engine *engine;
    struct str table;    /* as the server calls it */
    enum item_kind kind; /* of what is asked for by queries; 0: any */
    int64_t until_ms;    /* posts from then on do not count; INT64_MAX: no end */
    struct arena *arena;
    struct engine_found columns[ENGINE_COLUMNS];
    int64_t unreadable; /* values so far that are not what their column says: missing */
    int64_t replaced;   /* bytes so far that are no characters: U+FFFD stands for them */
    bool brief;         /* bodies are not wanted */
    bool ascending;     /* posts of a block come by their number */
    enum {
        ENGINE_SIFTS_UNKNOWN,
        ENGINE_SIFTS,
        ENGINE_SIFTS_NOT
    } sifts; /* the table reads bodies but of rows that meet what needs none */
};

/* Looks at the columns of the table; what it finds lives in arena. */
bool engine_posts_open(struct engine *engine, int64_t until_ms, struct arena *arena,
                       struct engine_posts *out, struct err *err) MUST_USE;

/* Adds the columns that the table lacks, as a dump calls them, with commas: of those that
 * conditions on these fields (bits 1u << QUERY_FIELD_...) look at; ~0u: of all. */
void engine_posts_lacks(const struct engine_posts *posts, unsigned fields,
                        struct buf *names);

/* A few numbers that change when posts do; cheap enough to be asked before every run. */
enum { ENGINE_STATE = 6 };
bool engine_posts_state(struct engine_posts *posts, int64_t out[ENGINE_STATE],
                        struct err *err) MUST_USE;

/* A hash of all posts as far as numbers, dates, tags and titles go: whatever changes a
 * body also changes when the post was last active. */
bool engine_posts_hash(struct engine_posts *posts, uint64_t hash[2],
                       struct err *err) MUST_USE;

/* Gets each post; its strings last only during the call. */
typedef bool engine_take_post(void *context, const struct item *post, struct err *err);

/* Posts of a kind (0: of any) in a block: of questions all that meet the query, and
 * perhaps others; query NULL: all. Late ones may be among them, planted ones not. */
bool engine_posts_block(struct engine_posts *posts, enum item_kind kind,
                        const struct query_node *query, struct engine_block block,
                        engine_take_post *take, void *context, struct err *err) MUST_USE;

/* The blocks, of hardly more than `most` posts each, that hold all of them from number
 * `from` on, as far as it can be said without a look at bodies. */
bool engine_posts_blocks(struct engine_posts *posts, enum item_kind kind,
                         const struct query_node *query, int64_t from, int64_t most,
                         struct engine_blocks *out, struct err *err) MUST_USE;

/* Answers of the first `most` questions in the set from number `from` to `highest`; *end
 * is the number behind the last of these. */
bool engine_posts_answers(struct engine_posts *posts, const struct idset *questions,
                          int64_t from, int64_t highest, int64_t most, int64_t *end,
                          engine_take_post *take, void *context,
                          struct err *err) MUST_USE;

/* Questions by year and tag, each year also under an empty one; by year and then tag. */
struct engine_census {
    struct str tag;
    int64_t year, questions, accepted, answered, closed, views, score;
};
typedef bool engine_take_census(void *context, const struct engine_census *census,
                                struct err *err);
bool engine_posts_census(struct engine_posts *posts, engine_take_census *take,
                         void *context, struct err *err) MUST_USE;

/* How many posts meet a query, by what they have: all of them, by each of their tags, by
 * the day (since 1970) of a moment, by a number. */
struct engine_by {
    enum { ENGINE_BY_ALL, ENGINE_BY_TAG, ENGINE_BY_DAY, ENGINE_BY_NUMBER } is;
    enum item_field field; /* of a day or a number */
};

/* Gets how many have this; "\\N": those that have none of it. */
typedef bool engine_take_tally(void *context, struct str key, int64_t posts,
                               struct err *err);

/* The server counts, if it can say exactly what the query and `by` mean. *said: it can;
 * else nothing was asked. Planted posts do not count, late ones do. */
bool engine_posts_tally(struct engine_posts *posts, const struct query_node *query,
                        struct engine_by by, bool *said, engine_take_tally *take,
                        void *context, struct err *err) MUST_USE;

/* How questions that count, and meet a query, are tagged. Tags are in small letters, and
 * a synonym is the tag that it is one of. */
struct engine_tagging {
    const struct query_node *query;
    const struct str *seeds; /* in small letters; with a * at the end all that begin so */
    size_t seed_count;
    const struct query_synonyms *synonyms; /* NULL: none */
};

/* Gets a tag, how many questions have it, and how many of them a seed tag too. An empty
 * tag, the first: all questions. */
typedef bool engine_take_tag(void *context, struct str tag, int64_t questions,
                             int64_t seeded, struct err *err);

/* *said: as with engine_posts_tally(). */
bool engine_posts_tagged(struct engine_posts *posts, const struct engine_tagging *tagging,
                         bool *said, engine_take_tag *take, void *context,
                         struct err *err) MUST_USE;

/* Gets tags that stand together in questions without a seed tag, between bars, as far as
 * they are among the given ones; and in how many. The query can be said. */
bool engine_posts_together(struct engine_posts *posts,
                           const struct engine_tagging *tagging, const struct str *tags,
                           size_t tag_count, engine_take_tally *take, void *context,
                           struct err *err) MUST_USE;

/* Of all posts that count, unless it is said otherwise. */
struct engine_counts {
    int64_t rows, ids;     /* of the whole table */
    int64_t highest;       /* number of a post that was not planted */
    int64_t planted, late; /* posts that do not count */
    int64_t questions, answers, others;
    int64_t no_date, accepted, accepted_missing, orphans;
    int64_t tags_missing, tags_in_angles, tags_in_bars;
    int64_t first_ms, last_ms; /* ITEM_NONE: no post has a date */
};
bool engine_posts_counts(struct engine_posts *posts, struct engine_counts *out,
                         struct err *err) MUST_USE;

/* ERR_INPUT when the table has no posts, or more rows than posts. */
bool engine_posts_check(const struct engine_posts *posts,
                        const struct engine_counts *counts, struct err *err) MUST_USE;

/* The first of them alone: those of the whole table, and how many were planted. */
bool engine_posts_extent(struct engine_posts *posts, struct engine_counts *out,
                         struct err *err) MUST_USE;

/* --- tables beside the posts --- */

struct engine_rows {
    struct engine_posts posts; /* whose columns are those that conditions look at */
    const struct engine_wanted *wanted; /* the first is what rows are called by */
    size_t count;
    struct engine_found *columns;
    bool there; /* the server has the table */
};

/* Looks for the table called as the posts are, with `table` instead of "posts", whatever
 * its case; "posts" are the posts themselves. wanted must last; what is found lives in
 * arena. A table that is not there is no error. */
bool engine_rows_open(struct engine *engine, const char *table,
                      const struct engine_wanted *wanted, size_t count,
                      struct arena *arena, struct engine_rows *out,
                      struct err *err) MUST_USE;

/* How many rows, their highest number, a sum of whole numbers: they change when rows do,
 * and are cheap enough to be asked before every run. */
enum { ENGINE_ROWS_COUNT, ENGINE_ROWS_HIGHEST, ENGINE_ROWS_SUM, ENGINE_ROWS_STATE };
bool engine_rows_state(struct engine_rows *rows, int64_t out[ENGINE_ROWS_STATE],
                       struct err *err) MUST_USE;

/* A hash of all that is wanted of all rows. */
bool engine_rows_hash(struct engine_rows *rows, uint64_t *out, struct err *err) MUST_USE;

/* Gets the values of a row, moments as in a dump; ptr NULL: it has none. They last only
 * during the call. */
typedef bool engine_take_row(void *context, const struct str *values, struct err *err);

/* What rows are asked for: a number in a range (column 0: any), one of the queries. Each
 * that meets it comes, and perhaps others. */
struct engine_filter {
    size_t column;
    int64_t min, max;
    const struct query_node *const *queries;
    size_t query_count;
};

/* Rows in a block; blocks of hardly more than `most` rows that hold all of them. */
bool engine_rows_block(struct engine_rows *rows, struct engine_block block,
                       const struct engine_filter *filter, engine_take_row *take,
                       void *context, struct err *err) MUST_USE;
bool engine_rows_blocks(struct engine_rows *rows, const struct engine_filter *filter,
                        int64_t most, struct engine_blocks *out,
                        struct err *err) MUST_USE;

/* Rows whose column is one of the first `most` numbers in the set from `from` to
 * `highest`; *end is the number behind the last of these. */
bool engine_rows_of(struct engine_rows *rows, size_t column, const struct idset *ids,
                    int64_t from, int64_t highest, int64_t most, int64_t *end,
                    engine_take_row *take, void *context, struct err *err) MUST_USE;

#endif
