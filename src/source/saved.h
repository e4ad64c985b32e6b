/* Json that people save from a tracker or a forum: objects one a file, pages of an api,
 * lines, whatever it was wrapped in. A kind of source says which objects it knows and
 * what items they are; going over files, numbering, and judging what hangs on what is
 * done here, for an ingest and for `assay scan` alike.
 *
 * Items are numbered in the order in which they are first named, be it by themselves or
 * by what hangs on them. What hangs on an item that has not come yet is given in a later
 * reading of the same bytes, and so is what another object may say better. */
#ifndef SOURCE_SAVED_H
#define SOURCE_SAVED_H

#include "base/idset.h"
#include "base/map.h"
#include "dump/field.h"
#include "input/document.h"
#include "source/source.h"

/* Gets each item; its strings last only during the call. False, with err, ends it all. */
typedef bool source_saved_take(void *context, const struct item *item, struct err *err);

/* What had to be put up with. */
struct source_saved_doubts {
    int64_t unreadable; /* values that are not what their member says: taken as missing */
    int64_t strange;    /* objects of another kind */
    struct str first_unreadable, first_strange; /* of these, with their place */
};

/* How an object compares to others that tell of the same item: the highest rank, then
 * the newest, then the last of them says most. */
struct source_saved_version {
    int rank;
    int64_t ms;
    int64_t met; /* private: how many came before it */
};

struct source_saved {
    const struct source_kind *kind;
    source_saved_take *take;
    void *context;
    struct dump_field_broken *broken; /* gets values that are no json; NULL: errors */
    int reading;                      /* from 0: which reading of the same bytes it is */
    bool silent; /* what is read now was read before: nothing is counted again */
    bool no_bodies, no_own; /* nobody looks at bodies, at fields that the source brings:
                               they are not read */

    struct source_saved_doubts doubts;
    int64_t repeated; /* items that had come before */
    int64_t later;    /* objects of this reading that will be taken in another one */
    int64_t cut;      /* of these, pages of topics without their beginning */
    int64_t came;     /* items that this reading gave */
    int64_t orphans;  /* what hangs on an item that has not come */

    /* Private: */
    struct arena arena;       /* what lasts */
    struct arena row;         /* what lasts as long as a value */
    struct map numbers;       /* of keys */
    struct map people;        /* by what they are called */
    int64_t strangers;        /* of these, those whose number is ours */
    int64_t numbered;         /* of these keys */
    LIST(int64_t) authors;    /* of items whose number is ours; */
    struct map others;        /* of others, by the bytes of their numbers */
    struct idset read, given; /* items; what hangs on them */
    LIST(struct source_saved_version) newest; /* of items whose number is ours */
    int64_t versions;                         /* that this reading met */
    struct buf tags;                          /* of the item at hand */
    struct input_document document;
};

void source_saved_open(struct source_saved *saved, const struct source_kind *kind,
                       source_saved_take *take, void *context);
void source_saved_close(struct source_saved *saved);

/* Reads all files as often as it takes until what hangs on items has met them; read()
 * goes over them once. */
bool source_saved_readings(struct source_saved *saved,
                           bool (*read)(void *context, struct err *err), void *context,
                           struct err *err) MUST_USE;

/* All of a file, which is called `place`. What is no json is an error with its place, or
 * counted as broken. hash, unless NULL, gets that of the file. */
bool source_saved_read_member(struct source_saved *saved, struct input *input,
                              size_t member, const char *place, int threads,
                              uint64_t hash[2], struct err *err) MUST_USE;

/* The same piece by piece; `last` says that nothing follows. */
void source_saved_begin(struct source_saved *saved, const char *place);
bool source_saved_push(struct source_saved *saved, struct str piece, bool last,
                       struct err *err) MUST_USE;

/* Whether a source of saved json is of the kind: whether it knows the first value. */
const struct source_kind *source_saved_recognise(struct input *input);

/* --- for kinds --- */

/* Their member `take`. */
bool source_saved_intake(struct source_intake *intake, struct err *err) MUST_USE;

/* What objects of interest may be wrapped in; a list of them ends without a name. */
struct source_saved_wrapping {
    const char *name;    /* of the member that holds them */
    enum item_kind kind; /* of what stands below it; 0: that tells nothing */
};

/* What an object stands in, as what is around it says. */
struct source_saved_place {
    struct str repo;
    enum item_kind kind; /* 0: nothing is said */
    int depth;
};

/* How a kind goes over values: what objects may be wrapped in and how deep; an object
 * that it knows; what an object says of those that it wraps (NULL: nothing). */
struct source_saved_walk {
    const struct source_saved_wrapping *wrappings;
    int depth_max;
    bool (*read)(struct source_saved *saved, const struct input_json *object,
                 const struct source_saved_place *place, bool *known, struct err *err);
    void (*enter)(const struct input_json *object, struct source_saved_place *place);
};

/* Everything in a value; an object that is not known and wraps nothing is strange. */
bool source_saved_walk(struct source_saved *saved, const struct input_json *value,
                       const struct source_saved_walk *walk,
                       struct source_saved_place place, struct err *err) MUST_USE;

/* Whether a value, or what it wraps at most `depth` levels deep, has an object that `is`
 * knows. */
bool source_saved_holds(const struct input_json *value,
                        const struct source_saved_wrapping *wrappings, int depth,
                        bool (*is)(const struct input_json *object));

/* A member by the first of its names that is there and not null; NULL: none is. */
#define SOURCE_SAVED_GET(object, ...) \
    source_saved_get((object), (const char *const[]){__VA_ARGS__, NULL})
const struct input_json *source_saved_get(const struct input_json *object,
                                          const char *const *names);

/* Its value, or what is missing: an empty text, ITEM_NONE. One that is something else
 * counts as missing, with its place and the name of the member. */
struct str source_saved_text(struct source_saved *saved, const struct input_json *value,
                             const char *name);
struct str source_saved_body(struct source_saved *saved, const struct input_json *value,
                             const char *name);
int64_t source_saved_number(struct source_saved *saved, const struct input_json *value,
                            const char *name);
int64_t source_saved_moment(struct source_saved *saved, const struct input_json *value,
                            const char *name);

/* As a field of its own has it: "yes", "no" or empty; digits; a moment. */
struct str source_saved_yes_no(const struct input_json *value);
struct str source_saved_digits(struct source_saved *saved, int64_t number);
struct str source_saved_dated(struct source_saved *saved, int64_t ms);

void source_saved_doubt(struct source_saved *saved, const char *name,
                        const struct input_json *value);
void source_saved_strange(struct source_saved *saved, const struct input_json *object);

/* "<a><b>" from an array of texts, or of objects with a `name`. A tag has no blanks nor
 * any of []<>|,;"(): a run of them becomes one '-', and none at its ends. */
struct str source_saved_tags(struct source_saved *saved, const struct input_json *array,
                             const char *name);

/* The number of the item or comment that a key stands for, behind all that a source gives
 * itself; made on its first mention. Two keys of the same. And the number of a person, by
 * what she is called and by her number in the source, either of which may be missing. */
int64_t source_saved_number_of(struct source_saved *saved, struct str key);
struct str source_saved_key(struct source_saved *saved, struct str repo,
                            int64_t number); /* "o/n#17" */
void source_saved_same(struct source_saved *saved, struct str key, struct str other);
int64_t source_saved_person(struct source_saved *saved, struct str name, int64_t id);

/* Of many objects that tell of an item, whose number is ours, whether this is the one to
 * be read. The first reading finds that out, and reads none. */
bool source_saved_newest(struct source_saved *saved, int64_t item,
                         struct source_saved_version version);

/* An item that is studied; what hangs on one, whose parent is the item. The kind of the
 * latter is found here: an answer when it was accepted or somebody else wrote it who is
 * no bot, else a comment. */
bool source_saved_give(struct source_saved *saved, struct item *item,
                       struct err *err) MUST_USE;
bool source_saved_give_below(struct source_saved *saved, struct item *item, bool bot,
                             bool accepted, struct err *err) MUST_USE;

#endif
