/* Kinds of sources: where items come from. A kind is one struct, in the file that reads
 * it: what it is called, what it reads, how that becomes items; and beside it what the
 * study file's key says. To add one, write that file and its line in SOURCE_KINDS; the
 * study file, its checks and manual, the report, packages and messages go by it. */
#ifndef SOURCE_SOURCE_H
#define SOURCE_SOURCE_H

#include "base/buf.h"
#include "base/err.h"
#include "item/item.h"

struct source_intake;
struct source_saved;
struct input;
struct input_json;

struct source_kind {
    const char *key;      /* in the study file, before the paths: "stackexchange" */
    const char *stored;   /* in corpus.db: "dump" */
    const char *called;   /* in a list of sources: "dump of Stack Exchange" */
    const char *in_prose; /* before a path in a sentence: "the posts of" */
    const char *packaged; /* to a package's reader: "a dump of a Stack Exchange site" */
    const char *path_is;  /* what a path leads to, in messages: "file or folder" */
    const char *expected; /* and what should be there: "a dump, as in assay-scan(1)" */

    bool site;         /* its items have a site: sources of one site share their ids */
    bool one_space;    /* what has one key is one item, whatever source holds it */
    const char *host;  /* where its items stand unless the study says so: "github.com";
                          NULL: nowhere */
    const char *way;   /* of a link, from there to an item's number: "/q/" */
    bool text_keys;    /* its items may be called by other than numbers */
    bool columns;      /* `columns` and `fields` say what is taken from it */
    bool only_columns; /* and nothing else: no column is known by its usual name */
    bool all;    /* it is small and deliberate: all of it is taken, whatever sets need */
    bool census; /* it holds a whole site, of which a census is taken */
    bool each;   /* every path is a step of its own; otherwise all of them together */

    /* What its items bring besides the fields that every item has: in a study as if they
     * stood under `fields`, in the order of item.extra. */
    const struct item_own *fields;
    size_t field_count;

    /* What of a path the corpus rests on: a line each, in the key of the corpus. Of a
     * path that is no file or archive by itself the second one, instead. */
    void (*add_members)(const struct input *input, struct buf *key);
    bool (*add_state)(const char *path, struct buf *key, struct err *err);
    /* Whether a path that is no file leads anywhere; NULL: paths are files or folders. */
    bool (*is_there)(const char *path);
    /* Reads the step that intake has turned to. */
    bool (*take)(struct source_intake *intake, struct err *err) MUST_USE;
    /* Then what hangs on its items; NULL: nothing does. */
    bool (*take_more)(struct source_intake *intake, struct err *err) MUST_USE;
    /* Of saved json (saved.h): whether a value is of the kind, and all that is in it. */
    bool (*knows)(const struct input_json *value);
    bool (*read)(struct source_saved *saved, const struct input_json *value,
                 struct err *err) MUST_USE;
};

/* The kinds, by their keys in the study file, in the order of the manual. */
#define SOURCE_KINDS(kind) \
    kind(stackexchange) kind(posts) kind(rows) kind(github) kind(discourse) kind(git) \
    kind(clickhouse)

/* Of each its struct, and the help of its key: sentences of the manual. */
#define SOURCE_DECLARE(kind) \
    extern const struct source_kind source_##kind; \
    extern const char source_##kind##_help[];
SOURCE_KINDS(SOURCE_DECLARE)

/* All of them; NULL behind the last. */
extern const struct source_kind *const source_kinds[];

/* "stackexchange, posts ... and discourse": their keys. */
void source_add_keys(struct buf *out);

/* Adds to what is wrong with a query which kinds of source bring a field that it asks for
 * in vain; is false. */
bool source_explain(struct str query, struct arena *arena, struct err *err);

/* The fields that each kind brings, as requests of man(7). */
void source_add_manual(struct buf *out);

#endif
