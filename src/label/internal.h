/* What the files of labelling share. labels.db is read once and then followed: the state
 * below is a fold over its rows, which are only ever added. */
#ifndef LABEL_INTERNAL_H
#define LABEL_INTERNAL_H

#include "base/list.h"
#include "base/map.h"
#include "label/label.h"
#include "store/acts.h"
#include "store/corpus.h"

enum { LABEL_TOKEN_LEN = 32 }; /* hex digits */

#define LABEL_NONE SIZE_MAX /* an index that leads nowhere */

/* An act that says something. */
struct label_entry {
    struct store_acts_act act; /* texts in the log's arena */
    size_t below;   /* what counts when this one is undone; LABEL_NONE: nothing */
    size_t slot;    /* LABEL_NONE: it marks a unit or a span, or takes one away */
    size_t marked;  /* the unit that it is about; LABEL_NONE: the item as a whole */
    size_t spanned; /* the span that it marks or takes away; LABEL_NONE: none */
    double spent;   /* seconds, with those of what it took the place of; NAN: not known */
    bool undone;
};

/* What one rater says of one item, or one unit in it, in one dimension, in one round;
 * without a dimension it is the rater's note. */
struct label_slot {
    int64_t round, item;
    struct str rater, dimension, unit;
    bool again;
    size_t marked; /* LABEL_NONE: it is of the item as a whole */
    size_t top;    /* what counts: an entry, LABEL_NONE: nothing */
    size_t first;  /* the same without reviews: what was said before they talked */
};

/* A place in a rater's list of a round. */
struct label_assigned {
    int64_t round, item;
    struct str rater;
    bool again;
    size_t filled; /* dimensions that are labelled, of the item as a whole */
    size_t unsure; /* the item and units of it that are flagged */
    size_t first_marked, last_marked; /* units in it; LABEL_NONE: none */
    size_t first_span, last_span;     /* the same of spans */
};

/* A span that a rater has marked in an item; what it is, its first act says. */
struct label_spanned {
    size_t place; /* in log.assigned */
    size_t first; /* the entry that marked it */
    size_t top;   /* the entry that marks it or takes it away; LABEL_NONE: none */
    size_t next;  /* of the same place; LABEL_NONE: none */
};

/* A unit that a rater has marked or labelled in an item. */
struct label_marked {
    struct str unit;
    size_t place;  /* in log.assigned */
    size_t top;    /* the entry that marks it or takes it away; LABEL_NONE: none */
    size_t filled; /* dimensions that are labelled */
    size_t next;   /* of the same place; LABEL_NONE: none */
};

/* A rater in a round. */
struct label_tally {
    int64_t round;
    struct str rater;
    size_t begin, assigned; /* the list, in log.assigned */
    size_t done, unsure;
    int64_t acts, last_ms;
    double seconds;
    size_t next; /* no place before this one is open */
};

struct label_known_round {
    struct store_acts_round row;
    int64_t closed_ms; /* 0: open */
    struct str closed_by;
    bool ours; /* of this task */
    size_t items;
};

/* Where the log has been followed to. */
struct label_log {
    struct arena arena;
    int64_t seen[STORE_ACTS_TABLES];            /* the last id read of each table */
    LIST(struct store_acts_codebook) codebooks; /* of this task */
    LIST(struct label_known_round) rounds;      /* of all tasks; by id */
    LIST(struct label_assigned) assigned;
    LIST(struct label_tally) tallies;
    LIST(struct label_entry) entries;
    LIST(struct label_slot) slots;
    LIST(struct label_marked) marked;
    LIST(struct label_spanned) spanned;
    LIST(struct store_acts_decision) decisions; /* of this task */
    LIST(struct label_proposal) proposals;      /* of this task */
    LIST(struct store_acts_token) tokens;       /* of this task */
    LIST(struct label_late) late;
    LIST(struct label_remark) remarks;
    bool plain_token; /* one, of any task, stands there itself, not its hash */
    /* From bytes that name a thing to its index plus 1. */
    struct map slot_of, assigned_of, tally_of, entry_of, decision_of, item_of, marked_of,
        spanned_of;
    struct buf key; /* scratch */
};

/* A line that a diff shows, or with neither number a file of it. */
struct label_diff_line {
    struct str path, old_path;
    struct str shown; /* the path, as pages have it in places */
    int64_t old, new; /* 0: it was not there */
};

/* What the diff of an item shows, if it has one. */
struct label_diff {
    struct arena arena;
    int64_t item;
    bool read, known;
    bool no_commit; /* it cannot have one */
    LIST(struct label_diff_line) lines;
};

void label_diff_free(struct label_diff *diff);

struct label {
    struct arena arena; /* holds the struct itself */
    const struct study *study;
    const struct study_labelling *settings;
    struct store_acts *acts;
    struct store *corpus;           /* NULL: not opened yet */
    const char *corpus_path;        /* NULL: not asked for yet */
    uint64_t corpus_stamp;          /* of the file that is open */
    struct source_patches *patches; /* NULL: nobody has read a commit yet */
    struct label_diff diff;
    struct arena texts_arena;
    struct map texts; /* which text items have, as far as it was asked; 0: gone */
    struct label_task task;
    struct study_codebook file;      /* as written */
    struct study_codebook effective; /* with accepted proposals */
    struct label_person *people;
    size_t person_count;
    struct map item_order; /* from id to place in task.items */
    struct label_log log;
    size_t left;        /* items of the task that no pilot or main round has had ... */
    int64_t left_as_of; /* ... by this many assignments and rounds; -1: not counted */
    bool stale;         /* a transaction was rolled back: the log must be read anew */
    bool within;        /* a transaction of the caller is open */
    bool held;          /* the log is not brought up to date, see label_hold() */
};

/* What a unit is called that nobody has named. */
extern const struct str label_first_unit;

/* Before the kind of an act that came when its round had been closed. */
extern const struct str label_late_prefix;

/* The kind of an act that is a remark, and keeping one that is read. */
extern const struct str label_remark_kind;
void label_remark_keep(struct label_log *log, const struct store_acts_act *act);

/* Brings the log up to date with labels.db; every public function begins with it. */
bool label_follow(struct label *label, struct err *err) MUST_USE;
void label_log_free(struct label_log *log);

/* NULL: none. They move when the log is followed. */
struct label_known_round *label_round_find(const struct label *label, int64_t id);
const struct label_slot *label_slot_find(struct label *label, int64_t round,
                                         struct str rater, int64_t item, bool again,
                                         struct str unit, struct str dimension);
struct label_marked *label_marked_find(struct label *label, int64_t round,
                                       struct str rater, int64_t item, bool again,
                                       struct str unit);
struct label_assigned *label_assigned_find(struct label *label, int64_t round,
                                           struct str rater, int64_t item, bool again);
struct label_tally *label_tally_find(struct label *label, int64_t round,
                                     struct str rater);
const struct label_entry *label_entry_find(struct label *label, int64_t act);
/* Of a unit, by the name that the rater unit_of gave it; of the item where both are
 * empty.
 */
const struct store_acts_decision *label_decision_find(struct label *label, int64_t item,
                                                      struct str unit_of, struct str unit,
                                                      struct str dimension);

/* Whether what it says is a label that counts: something was said in a dimension, and its
 * unit is still there. */
bool label_slot_speaks(const struct label *label, const struct label_slot *slot);

/* Whether the unit is there: marked or labelled, and not taken away. */
bool label_marked_lives(const struct label *label, const struct label_marked *marked);

/* The span that an act marks or takes away; NULL: none yet. */
const struct label_spanned *label_spanned_find(struct label *label,
                                               const struct store_acts_act *act);

/* Whether the span is there, and so is its unit. */
bool label_spanned_lives(struct label *label, const struct label_spanned *spanned);

/* A span that is there as it is today: its code carried over to the codebook in force,
 * and whether it counts. */
void label_span_carry(struct label *label, const struct label_spanned *spanned,
                      struct arena *arena, struct label_span_said *out);

/* The place of an item in the newest closed round that counts in which the rater has
 * labelled it; NULL: none. */
const struct label_assigned *label_span_round(struct label *label, int64_t item,
                                              struct str rater);

/* The text of an item, as label/span.h has it. ERR_INPUT when the corpus has no such
 * item. */
bool label_item_parts(struct label *label, int64_t item, struct arena *arena,
                      struct label_parts *out, struct err *err) MUST_USE;

/* Whether all of it is labelled: in every dimension, and every unit of it. */
bool label_assigned_done(const struct label *label, const struct label_assigned *place);
int64_t label_open_round(const struct label *label);         /* 0: none */
bool label_counts(const struct label_known_round *round);    /* ours, pilot or main */
bool label_is_chosen(const struct label_known_round *round); /* ours, and chosen */

/* An entry as it counts today: codes carried over to the codebook in force. */
void label_carry(struct label *label, const struct label_entry *entry,
                 struct arena *arena, struct label_said *out);

/* A unit as the log has it; empty for LABEL_NONE. */
struct label_unit_said label_unit_of(const struct label *label, size_t marked);

/* Whether the item has such a place, as far as the corpus can tell: of a commit whose
 * diff it holds. */
bool label_place_check(struct label *label, int64_t item,
                       const struct label_unit_place *place, struct err *err) MUST_USE;

/* What stands at a place: lines of the diff, or paragraphs of a text; empty where that is
 * all of a part, or nothing is known of it. */
bool label_place_text(struct label *label, int64_t item, struct str place,
                      struct arena *arena, struct str *out, struct err *err) MUST_USE;

/* The place that a link to an item means by what stands behind its #, such as GitHub's
 * #diff-0123...R42. */
enum label_link_found {
    LABEL_LINK_NONE,    /* it means none */
    LABEL_LINK_FOUND,   /* lines that the diff shows, or a file of it */
    LABEL_LINK_OUTSIDE, /* lines of such a file that the diff does not show */
    LABEL_LINK_NO_FILE, /* a file that the commit did not change, or none at all */
    LABEL_LINK_NO_DIFF, /* the item has no diff, or it cannot be made */
};

struct label_link_place {
    enum label_link_found found;
    struct str text; /* as label/unit.h has it; as in the link where that is not known */
};

bool label_place_of_link(struct label *label, int64_t item, struct str link,
                         struct arena *arena, struct label_link_place *out,
                         struct err *err) MUST_USE;

bool label_has_corpus(struct label *label);

/* Which text the item has: 16 hex digits; empty: it is not in the corpus. */
struct label_text {
    char seen[17];
};

uint64_t label_corpus_stamp(struct label *label); /* as file_stamp() */
bool label_text_of(struct label *label, int64_t item, struct label_text *out,
                   struct err *err) MUST_USE;
void label_forget_texts(struct label *label);

/* Whether that is what somebody saw; empty: they do not say. */
bool label_text_check(struct label *label, int64_t item, struct str seen,
                      struct err *err) MUST_USE;

/* Ascending, each once: how many are left. */
size_t label_sort_codes(struct str *codes, size_t count);

/* Codes of a version carried over to the codebook in force, ascending, each once. */
struct label_carried {
    struct str *codes;
    size_t code_count;
    struct str review; /* not empty: why a human must look */
};

void label_carry_codes(struct label *label, struct str dimension, struct str version,
                       const struct store_acts_codes *codes, struct arena *arena,
                       struct label_carried *out);

/* Of the effective codebook. */
bool label_dimension(const struct label *label, struct str id,
                     const struct study_codebook_dimension **out,
                     struct err *err) MUST_USE;
size_t label_code(const struct study_codebook_dimension *dimension, struct str path);

/* Makes the effective codebook from the file and the proposals that were accepted. */
void label_extend_codebook(struct label *label);

const struct label_person *label_person(const struct label *label, struct str name);

/* The index of a rater in the study file; rater_count: none. */
size_t label_rater(const struct label *label, struct str name);

/* The place of an item in the draw order; items that are no longer drawn come last. */
size_t label_order(const struct label *label, int64_t item);

/* Records that the task does not have the item, and is false. */
bool label_no_item(const struct label *label, int64_t item, struct err *err);

/* Whether the item has been in a round, open or closed, that fits; of what was imported,
 * whether as many raters have labelled it as make a label that is shared. */
bool label_had(struct label *label, int64_t item,
               bool (*fits)(const struct label_known_round *round));
bool label_is_ours(const struct label_known_round *round);

/* Opens the corpus, if it is not open, or another one has taken its place. */
bool label_open_corpus(struct label *label, struct err *err) MUST_USE;

/* Reads the items of the task from out/ into the task, in draw order. */
bool label_load_items(struct label *label, struct err *err) MUST_USE;

/* What the raters whom the study names say of each item and dimension, each rater's word
 * in the newest round that counts; groups in draw order. */
struct label_group {
    int64_t item;
    struct str unit, place, called; /* empty: the item as a whole */
    size_t dimension;
    struct label_said *said; /* by rater */
    size_t said_count;
    bool agree;    /* all sets of codes are equal; of a unit, all raters have it */
    size_t raters; /* of units: who have marked any in the item; 0: no units */
    bool rejected; /* the arbiter says that it is no unit */
    const struct store_acts_decision *decided; /* NULL: nothing */
    bool pending; /* somebody who was asked in the open round has not answered */
    bool chosen;  /* all of it from chosen rounds */
    bool outside; /* not chosen, and no longer among the task's items */
};

struct label_group *label_groups(struct label *label, struct arena *arena, size_t *count);

/* What the unit that a decision is about is called among those that come out. */
struct str label_decided_unit(struct label *label, const struct store_acts_decision *row,
                              struct arena *arena);

/* Runs inside the caller's transaction, or in one of its own. */
bool label_change_begin(struct label *label, bool *own, struct err *err) MUST_USE;
bool label_change_end(struct label *label, bool own, bool ok, struct err *err) MUST_USE;

/* What label_decide() does, inside a transaction. */
bool label_store_decision(struct label *label, struct label_decision *decision,
                          struct arena *arena, struct err *err) MUST_USE;

/* Codes as given: each in the dimension, one only unless several are allowed; *out is
 * ascending, each once. */
bool label_check_codes(const struct study_codebook_dimension *dimension,
                       const struct str *codes, size_t count, struct arena *arena,
                       struct store_acts_codes *out, struct err *err) MUST_USE;

/* Whether all of them may be given, where only codes without others below may be. What is
 * imported need not keep to it. */
bool label_check_leaves(const struct label *label,
                        const struct study_codebook_dimension *dimension,
                        const struct store_acts_codes *codes, struct err *err) MUST_USE;

/* Importing: readers of formats hand over what they find, a label or a code of one at a
 * time, and import.c makes acts of it. */
struct label_importer {
    struct label *label;
    const struct label_import_options *options;
    const char *path;
    const char *place;  /* what label_row.place counts: ":" lines, ": object " objects */
    struct arena arena; /* texts that are handed over must last as long */
    struct map raters;
    LIST(struct given) given; /* of import.c */
    LIST(struct given_span) spans;
    struct label_parts parts; /* of the item whose spans were read last */
    bool parts_read;          /* there is one, */
    int64_t parts_of;         /* that one */
    struct arena parts_arena;
    struct str document;     /* of that item */
    int64_t span_count;      /* that were stored */
    int64_t unasked, others; /* passed over */
    struct buf problems;     /* a line for each mistake */
    int64_t problem_count;
    struct err problem; /* the first */
    struct map
        rows;    /* of units that are rows: how many there have been, by rater, item */
    bool by_row; /* each row is a unit of its own */
    int64_t units, unknown;
    int64_t passed; /* the place of the row that was passed over last */
    struct label_import_places places;
    int64_t missing;   /* places that items do not have */
    struct err missed; /* the first of them */
};

struct label_row {
    int64_t place; /* its line, or which object it is */
    struct str item;
    struct str unit, where, called; /* of a unit: its name, place, words; may be empty */
    struct str rater, dimension;    /* empty: as the options say, or the only one */
    struct str memo;
    int64_t round;     /* as the file numbers them; 0: it does not */
    struct str kind;   /* of the round; empty: main; "decision": an arbiter's */
    struct str reason; /* of a decision; empty: other */
    bool again, unsure;
    double seconds; /* NAN: not known */
};

/* A span of a row: its place, or characters of the item's text as a program had it. */
struct label_row_span {
    struct str place;
    struct str quote; /* empty: not said */
    struct str text;  /* of the item; empty: that of our document */
    size_t begin, end;
    bool utf16; /* they count UTF-16 */
    struct str code;
};

/* Adds what that rater marked in the item. Without a place the item must have been
 * exported from here, or have the same words. */
bool label_import_span(struct label_importer *importer, const struct label_row *row,
                       const struct label_row_span *span, struct err *err) MUST_USE;

/* Keeps a mistake, which has its place, and is true: reading goes on to find others. An
 * error of the machine stays, and is false. */
bool label_import_problem(struct label_importer *importer, struct err *err);

/* Whether the way to this code is called so, from the top on, by ids or names. */
bool label_import_is_way(const struct study_codebook_dimension *dimension, size_t code,
                         const struct str *names, size_t count);

/* Adds codes to what that rater says of the item. */
bool label_import_row(struct label_importer *importer, const struct label_row *row,
                      const struct str *codes, size_t count, struct err *err) MUST_USE;

/* The readers; their errors have a place. */
bool label_import_csv(struct label_importer *importer, struct str text,
                      struct err *err) MUST_USE;
bool label_import_json(struct label_importer *importer, struct str text,
                       struct err *err) MUST_USE;
bool label_import_webanno(struct label_importer *importer, struct str text,
                          struct err *err) MUST_USE;

/* A file of such a zip. */
bool label_webanno_member(struct label_importer *importer, struct str name,
                          struct str text, struct err *err) MUST_USE;

/* A zip: of WebAnno TSV, a file an item and rater, or a REFI-QDA project. */
bool label_import_zip(struct label_importer *importer, struct str text,
                      struct err *err) MUST_USE;

/* The dimension of the options; without one that of the row, else the only one. */
bool label_import_dimension(const struct label_importer *importer, struct str name,
                            const struct study_codebook_dimension **out,
                            struct err *err) MUST_USE;

/* The items of sets and samples, each once; of samples in the order in which they were
 * drawn, of sets in a random one that the task's seed tells. */
bool label_items_of(struct label *label, const struct str *of, size_t count,
                    struct arena *arena, int64_t **items, size_t *item_count,
                    struct err *err) MUST_USE;

#endif
