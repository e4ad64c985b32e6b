/* Labelling: several raters say, each alone, what they see in the items of a task; the
 * lead opens and closes rounds; an arbiter decides where raters differ. All of it is
 * stored in labels.db (see store/labels.sql), to which rows are only ever added: a
 * correction, an undo and a decision are rows of their own, so that what raters said
 * before they talked stays there.
 *
 * A struct label is used by one thread at a time. Several processes may have the same
 * labels.db open. Results live in the arena that is passed; strings that are passed are
 * borrowed for the call. Items are ids of the corpus. Codes are paths of the codebook,
 * such as "data/parsing". People are known by the names that the study file gives them.
 *
 * What a person asked for and cannot have (a closed round, an unknown code) is ERR_INPUT
 * with a text for that person; ERR_SYSTEM is the machine's. */
#ifndef LABEL_LABEL_H
#define LABEL_LABEL_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/progress.h"
#include "label/agree.h"
#include "label/span.h"
#include "label/unit.h"
#include "query/query.h"
#include "study/codebook.h"
#include "study/study.h"

struct label; /* one labelling task of a study, open */

/* Opens a task: `labelling.NAME` of the study; an empty name is the only one. Makes
 * labels.db when there is none, and stores the codebook when this version of it is new.
 * ERR_INPUT when the task, its codebook or its items (out/samples, out/sets: made by
 * `assay run`) are not there or wrong, when labels.db belongs to another study or a newer
 * assay, and when the codebook's `changes` do not continue those of the version before.
 * Of a wrong codebook each error is a line in *problems. */
bool label_open(const struct study *study, struct str task, struct label **out,
                struct buf *problems, struct err *err) MUST_USE;
void label_close(struct label *label); /* NULL is fine */

/* The settings of a task; an empty name is the only one. ERR_INPUT when there is none. */
bool label_choose_task(const struct study *study, struct str name,
                       const struct study_labelling **out, struct err *err) MUST_USE;

/* What is to be labelled. */
struct label_task {
    struct str name;
    const struct study *study;
    const struct study_labelling *settings; /* raters, arbiter, what is hidden, ... */
    /* As the file has it; codes that were proposed and accepted since stand behind the
     * others of their dimension, with their parent. */
    const struct study_codebook *codebook;
    struct str version;   /* of the codebook: a hash of its file, 16 hex digits */
    const int64_t *items; /* of the samples and sets, each once, in draw order */
    size_t item_count;
};

/* Stands until the task is closed; what it points to may be replaced by
 * label_judge_proposal(). */
const struct label_task *label_task(const struct label *label);

/* A word or phrase that the task's sets ask for, or that a list of keywords has; those of
 * such a list are of the kind QUERY_PREFIX. Each once, in the order of the study file. */
struct label_word {
    struct str text;
    enum query_match match;
};

void label_words(const struct label *label, struct arena *arena, struct label_word **out,
                 size_t *count);

/* Another number whenever anybody adds to labels.db, or the corpus is made anew. */
bool label_changes(struct label *label, int64_t *out, struct err *err) MUST_USE;

/* Between these two everything is as of one moment, and labels.db is not looked at for
 * each question: for whoever asks thousands. Nothing may be changed meanwhile. */
bool label_hold(struct label *label, struct err *err) MUST_USE;
void label_release(struct label *label);

/* labels.db as it is at this moment, with what is still in the log beside it; and that
 * log into the file, so that a copy of the file alone lacks little. */
bool label_copy(struct label *label, struct buf *out, struct err *err) MUST_USE;
void label_settle(struct label *label);

/* Several changes in one transaction: all or none, and one wait for the disk. Without it
 * each change is on the disk when its function returns true. Rolling back when nothing
 * was begun does nothing. */
bool label_begin(struct label *label, struct err *err) MUST_USE;
bool label_commit(struct label *label, struct err *err) MUST_USE;
void label_rollback(struct label *label);

/* People. */

enum label_role { LABEL_RATER = 1, LABEL_ARBITER = 2, LABEL_LEAD = 4 };

struct label_person {
    struct str name;
    unsigned roles; /* one may have several */
};

/* Raters in the order of the study file, then the arbiter and the lead if they are not
 * among them. */
size_t label_people(const struct label *label, const struct label_person **out);

/* The token of a person's link, 32 hex digits, random; made when first asked for. Tokens
 * are in the file .assay-links of the study, for its owner alone; labels.db has what they
 * are recognised by. ERR_INPUT for a name that is not among the people. */
bool label_token(struct label *label, struct str name, struct arena *arena,
                 struct str *token, struct err *err) MUST_USE;

/* The same for pages that are about no labelling, by the folder of the study and what
 * they are called in .assay-links. */
bool label_link_token(const char *home, struct str task, struct str name,
                      struct arena *arena, struct str *token, struct err *err) MUST_USE;

/* Whose token it is; NULL: nobody's. */
bool label_find_token(struct label *label, struct str token,
                      const struct label_person **out, struct err *err) MUST_USE;

/* Rounds. */

enum label_round_kind {
    LABEL_PILOT,
    LABEL_TRAINING, /* items of closed rounds once more; counts for nothing */
    LABEL_MAIN,
    LABEL_CHOSEN, /* items that somebody or something picked, such as those a classifier
                     is least sure of: they may teach it and are no sample of anything */
};

const char *label_round_word(enum label_round_kind kind); /* "pilot", ... */

struct label_round {
    int64_t id;
    enum label_round_kind kind;
    int64_t opened_ms, closed_ms; /* closed_ms 0: open */
    struct str opened_by, closed_by;
    struct str source; /* not empty: the file whose labels were imported as this round */
    size_t items;      /* distinct */
    size_t assigned;   /* items of all raters, re-tests included */
    size_t done;       /* of these, labelled in every dimension */
};

/* What goes into a new round. label_round_settings() fills it from the study file: the
 * first round is the pilot, if the study has one, and later ones are main rounds with
 * whatever no pilot and no main round has had. */
struct label_round_plan {
    enum label_round_kind kind;
    size_t items;           /* that many, in draw order, which no round has had */
    size_t raters_per_item; /* 0: all */
    double overlap;         /* share of items for so many raters; the others get one */
    double retest;          /* share of each rater's items to come again, at the end */
    uint64_t seed;
    const struct label_picked *picked; /* LABEL_CHOSEN: from these, in their order */
    size_t picked_count;
};

struct label_picked {
    int64_t item;
    double score; /* how uncertain its label is; NAN: not known */
};

/* Reads a csv with the columns `item` and, if there is one, `score`, most uncertain
 * first; an item that comes again is left out. ERR_INPUT with "path:line: ". */
bool label_read_queue(const struct study *study, const char *path, struct arena *arena,
                      struct label_picked **out, size_t *count, struct err *err) MUST_USE;

bool label_round_settings(struct label *label, struct label_round_plan *out,
                          struct err *err) MUST_USE;

/* Opens a round: who gets which item, in an own order each, is drawn now and stored. A
 * training round takes its items from those of rounds already closed. A chosen round
 * takes those picked that no pilot, main or chosen round has had, also ones outside the
 * task's samples, and every rater gets them in the order of the list. ERR_INPUT when
 * another round is open, when there are no items left, or when the corpus lacks one. */
bool label_round_open(struct label *label, const struct label_round_plan *plan,
                      struct str by, int64_t *round, struct err *err) MUST_USE;

/* From now on its labels are what raters said before they talked; it is never opened
 * again. */
bool label_round_close(struct label *label, int64_t round, struct str by,
                       struct err *err) MUST_USE;

/* In the order in which they were opened. */
bool label_rounds(struct label *label, struct arena *arena, struct label_round **out,
                  size_t *count, struct err *err) MUST_USE;

/* The rater's work. */

/* A place in a rater's list of the round that is open. */
struct label_place {
    int64_t round, item;
    size_t position, count; /* from 0; of how many */
    bool again;             /* the item comes a second time, as a re-test */
    bool done;              /* labelled in every dimension */
};

/* *found is false when there is no such place, or no round is open. */
bool label_next(struct label *label, struct str rater, struct label_place *out,
                bool *found,
                struct err *err) MUST_USE; /* the first that is not done and not gone */
bool label_at(struct label *label, struct str rater, size_t position,
              struct label_place *out, bool *found, struct err *err) MUST_USE;

struct label_progress {
    struct str rater;
    size_t assigned, done, unsure; /* in the open round, or in all when none is open */
    int64_t acts, seconds;         /* in all rounds: acts, and time taken for them */
    int64_t last_ms;               /* of the last act; 0: none */
};

bool label_progress(struct label *label, struct str rater, struct label_progress *out,
                    struct err *err) MUST_USE;

struct label_given {
    struct str rater;
    int64_t item;
    bool again;              /* as the place says */
    struct str unit;         /* with `units: yes`; empty: the first */
    struct str dimension;    /* empty: the only one */
    const struct str *codes; /* paths; at least one, one only unless `several` */
    size_t code_count;
    struct str memo;
    bool unsure;
    double seconds;
    int64_t round;   /* in which the rater had it; 0: the one that is open */
    struct str seen; /* which text of it the rater saw, see label_item; empty: not said */
    /* Chosen by the sender, once for each thing a person did, such as 128 random bits in
     * hex: a message that is sent twice is stored once. Empty: none. */
    struct str client_key;
};

struct label_saved {
    int64_t act; /* id of the row */
    int64_t at_ms;
    bool repeated; /* it had been stored before, under the same client_key */
    int64_t item;  /* that it is about */
    bool late; /* its round had been closed: it is kept apart and counts for nothing */
};

/* Stores what a rater says of an item of the open round; what this rater said of it
 * before in this dimension stays in the log and no longer counts. ERR_INPUT when the
 * rater saw another text than the item has. */
bool label_give(struct label *label, const struct label_given *given,
                struct label_saved *out, struct err *err) MUST_USE;

/* Stores memo and flag of an item, or a unit of it, without a label: they stand for those
 * of its labels until a newer label comes. Dimension and codes are not looked at. */
bool label_note(struct label *label, const struct label_given *given,
                struct label_saved *out, struct err *err) MUST_USE;

/* Units, where the study file has `units: yes`: a rater marks several things in an item,
 * such as each bug that a commit fixes, and labels each of them. One that is labelled
 * need not be marked. */
struct label_mark {
    struct str rater;
    int64_t item;
    bool again;
    struct str unit; /* what it is called in the item: "2"; at most LABEL_UNIT_NAME_MAX */
    struct str place; /* see label/unit.h; empty: not said */
    struct str name;  /* in words; may be empty */
    bool remove;      /* take it away, with its labels */
    int64_t round;    /* as in a label */
    struct str seen;  /* the same */
    struct str client_key;
};

/* Stores that a unit is there, or where it is now, or that it is there no longer.
 * ERR_INPUT for a place that the item does not have. */
bool label_mark(struct label *label, const struct label_mark *mark,
                struct label_saved *out, struct err *err) MUST_USE;

/* Spans, where the study file has `spans`: the words or lines by which a rater decided,
 * of the item or of a unit; with `per code` each is for a code of a dimension. */
struct label_span {
    struct str rater;
    int64_t item;
    bool again;
    struct str unit;            /* as in a label */
    struct str place;           /* see label/span.h */
    struct str quote;           /* what the rater saw there; empty: not said */
    struct str dimension, code; /* with `per code`; else empty */
    bool remove;                /* take it away */
    int64_t round;              /* as in a label */
    struct str seen;            /* the same */
    struct str client_key;
};

/* Stores a span, or that it is there no longer. ERR_INPUT for a place that the item does
 * not have, or where something else stands. */
bool label_span(struct label *label, const struct label_span *span,
                struct label_saved *out, struct err *err) MUST_USE;

/* A span that is marked. It counts unless it is evidence for a code that its rater does
 * not say, or no longer: then it is kept, for what was said may be taken back. */
struct label_span_said {
    int64_t item, round, at_ms;
    bool again, counts;
    struct str rater, unit, place, quote;
    struct str dimension, code; /* carried over to the codebook as it is now */
};

/* Of one place those of a rater, whether they count or not, in the order of marking. */
bool label_spans_said(struct label *label, struct str rater,
                      const struct label_place *place, struct arena *arena,
                      struct label_span_said **out, size_t *count,
                      struct err *err) MUST_USE;

/* Of an item those that count of all raters whom the study names, each rater's in the
 * newest closed round that counts: raters in the study's order, spans in that of marking.
 */
bool label_spans_of(struct label *label, int64_t item, struct arena *arena,
                    struct label_span_said **out, size_t *count,
                    struct err *err) MUST_USE;

struct label_undoing {
    struct str rater;
    struct str of; /* the client_key of what is taken back; empty: whatever was last */
    int64_t round; /* as in a label */
    struct str client_key;
};

/* Takes the rater's last act in the open round back, by an act that says so: what was
 * said before it counts again. With `of`, only if it is that act: a page that was without
 * connection may not know what else was said. ERR_INPUT when there is nothing to take
 * back. */
bool label_undo(struct label *label, const struct label_undoing *undoing,
                struct label_saved *out, struct err *err) MUST_USE;

/* What came when its round had been closed, in the order in which it came. */
struct label_late {
    int64_t round, item, at_ms;
    struct str rater, what; /* "label", "note", "undo", "unit", "span", ... */
    struct str dimension, unit, memo;
    struct str *codes;
    size_t code_count;
};

bool label_late(struct label *label, struct arena *arena, struct label_late **out,
                size_t *count, struct err *err) MUST_USE;

/* What a rater says of an item in a dimension, as it counts now. */
struct label_said {
    int64_t act, at_ms;
    int64_t item, round;
    bool again;
    struct str rater, dimension;
    struct str *codes; /* carried over to the codebook as it is now */
    size_t code_count;
    struct str memo, version;
    bool unsure;
    double seconds;    /* of this and of what it took the place of */
    struct str review; /* not empty: why a human must look at it after a change */
    struct str unit, place, called; /* of the unit; empty: the item, not said */
};

/* The units of a place that are there, in the order of marking; *next is a number that
 * none of them, nor any that was taken away, is called by. */
struct label_unit_said {
    struct str unit, place, called;
};

bool label_units_said(struct label *label, struct str rater,
                      const struct label_place *place, struct arena *arena,
                      struct label_unit_said **out, size_t *count, int64_t *next,
                      struct err *err) MUST_USE;

/* Of one place, what this rater said; at most one for each dimension and unit, and of
 * each unit, or of the item as a whole, a note, which has neither dimension nor codes. */
bool label_said(struct label *label, struct str rater, const struct label_place *place,
                struct arena *arena, struct label_said **out, size_t *count,
                struct err *err) MUST_USE;

/* Labels of older versions that the codebook's changes do not carry over by rule, such as
 * those of a code that was split; of one rater, or of all when the name is empty. */
bool label_reviews(struct label *label, struct str rater, struct arena *arena,
                   struct label_said **out, size_t *count, struct err *err) MUST_USE;

/* A rater's new word on a label that needs review; also after the round was closed. It
 * counts for the final label and not for agreement. */
bool label_review(struct label *label, int64_t act, const struct label_given *given,
                  struct label_saved *out, struct err *err) MUST_USE;

/* Versions of the codebook that labels were made under, oldest first. */
struct label_version {
    struct str version, text; /* text: the file */
    int64_t at_ms;            /* when it was first used */
    int64_t acts;             /* made under it */
};

bool label_versions(struct label *label, struct arena *arena, struct label_version **out,
                    size_t *count, struct err *err) MUST_USE;

/* The item, as the page shows it. */

struct label_comment {
    int64_t id, created_ms, score; /* ITEM_NONE: not known */
    struct str text;               /* Markdown */
};

struct label_post {
    int64_t id, created_ms, score; /* ITEM_NONE: not known */
    struct str body;               /* as posted: not to be trusted */
    bool accepted;
    struct label_comment *comments; /* by moment */
    size_t comment_count;
    enum item_form form; /* of the body */
};

struct label_field {
    struct str name, value;
};

struct label_item {
    struct label_post question; /* or the row of a table */
    bool row;
    struct str title;
    struct str *tags;
    size_t tag_count;
    struct label_post *answers; /* the accepted one first, then by score, then moment */
    size_t answer_count;
    struct label_field *fields; /* extra columns that the study keeps */
    size_t field_count;
    struct str patch;    /* of a commit: what it changed, any bytes; else empty, and */
    struct str no_patch; /* why there is none; empty: it is no commit */
    struct str key;      /* what people call it */
    struct str link;     /* to the site; empty for a row of a table */
    struct str seen;     /* stands for its title, text and tags: 16 hex digits */
};

/* Without what the study hides (see study_labelling.hide). ERR_INPUT when the corpus has
 * no such item, as after another ingest. */
bool label_item(struct label *label, int64_t id, struct arena *arena,
                struct label_item *out, struct err *err) MUST_USE;

/* Items that raters have or had, ascending, which the corpus no longer holds or holds
 * with another text than they were labelled by. */
struct label_lost {
    int64_t *gone, *changed;
    size_t gone_count, changed_count;
};

bool label_lost(struct label *label, struct arena *arena, struct label_lost *out,
                struct err *err) MUST_USE;

/* ", 2 labelled items no longer in the corpus (7, 12)" and so on, of what there is. */
void label_tell_lost(const struct label *label, const struct label_lost *lost,
                     struct buf *out);

/* Adjudication. */

enum label_reason {
    LABEL_SLIP,      /* a rater slipped */
    LABEL_AMBIGUOUS, /* the post can be read in several ways */
    LABEL_GAP,       /* the codebook lacks a code or a clear definition */
    LABEL_OTHER,
};

const char *label_reason_word(enum label_reason reason); /* "slip", ... */
bool label_reason_find(struct str word, enum label_reason *out);

struct label_decision {
    int64_t id; /* 0: none yet */
    int64_t at_ms, item;
    struct str unit; /* of the units that come out; empty: the item as a whole */
    bool no_unit;    /* rejected: what is said of it does not count */
    struct str dimension, by;
    struct str *codes;
    size_t code_count;
    enum label_reason reason;
    struct str text; /* of the reason */
    struct str seen; /* by whom decides, as in a label; empty: not said */
};

struct label_dispute {
    int64_t item, round;
    struct str unit, place, called; /* of the unit; empty: the item as a whole */
    struct str dimension;
    struct label_said *said; /* of each rater, in the order of the study file */
    size_t said_count;
    struct label_decision decision; /* the last; id 0: none */
};

/* Items of closed rounds whose raters differ, decided ones included: those that differ
 * most first, then in draw order. */
bool label_disputes(struct label *label, struct arena *arena, struct label_dispute **out,
                    size_t *count, struct err *err) MUST_USE;

/* The others, in draw order: an arbiter may overrule what all raters say. */
bool label_agreed(struct label *label, struct arena *arena, struct label_dispute **out,
                  size_t *count, struct err *err) MUST_USE;

/* The units that come of an item, with what raters marked side by side. */
struct label_unit_mark {
    struct str rater, place, called;
};

struct label_unit_out {
    struct str unit;
    bool rejected;                 /* the arbiter says that it is no unit */
    struct label_unit_mark *marks; /* of raters who have it, in the study's order */
    size_t mark_count;
};

bool label_units(struct label *label, int64_t item, struct arena *arena,
                 struct label_unit_out **out, size_t *count, struct err *err) MUST_USE;

/* The decision that counts; id 0: none. */
bool label_decided(struct label *label, int64_t item, struct str unit,
                   struct str dimension, struct arena *arena, struct label_decision *out,
                   struct err *err) MUST_USE;

/* Of each dispute whether there is one. */
bool label_settled(struct label *label, const struct label_dispute *disputes,
                   size_t count, bool *out, struct err *err) MUST_USE;

/* Stores a decision; a later one on the same item and dimension counts instead. id and
 * at_ms are set. ERR_INPUT when `by` is neither arbiter nor lead. */
bool label_decide(struct label *label, struct label_decision *decision,
                  struct err *err) MUST_USE;

/* Talking about an item, which is open when its round is closed: by acts that count for
 * nothing, so that what raters said alone stays what they said alone. */
struct label_remark {
    int64_t id, at_ms, item, round; /* id, at_ms and round are set by storing it */
    struct str by, text;
    struct str client_key; /* as of a label */
};

/* Whether the item has been in a closed round, and is not in the one that is open. */
bool label_is_over(struct label *label, int64_t item, bool *out,
                   struct err *err) MUST_USE;
bool label_remark(struct label *label, struct label_remark *remark,
                  struct err *err) MUST_USE;

/* Of one item, in the order in which they came. */
bool label_remarks(struct label *label, int64_t item, struct arena *arena,
                   struct label_remark **out, size_t *count, struct err *err) MUST_USE;

/* New codes, proposed while labelling. */

enum label_verdict { LABEL_WAITING, LABEL_ACCEPTED, LABEL_REJECTED };

struct label_proposal {
    int64_t id, at_ms;
    struct str rater, dimension;
    struct str parent;     /* path; empty: at the top */
    struct str code;       /* its id: letters, digits, - _ .; empty: made of the name */
    struct str name, text; /* text: definition or reason */
    int64_t item;          /* that called for it */
    enum label_verdict verdict;
    struct str by, reason; /* of the verdict */
};

/* id and at_ms are set. ERR_INPUT when the parent is unknown or the code there already.
 */
bool label_propose(struct label *label, struct label_proposal *proposal,
                   struct err *err) MUST_USE;

/* Accepting makes the code usable at once; it should be written into the codebook. */
bool label_judge_proposal(struct label *label, int64_t id, bool accept, struct str by,
                          struct str reason, struct err *err) MUST_USE;

bool label_proposals(struct label *label, struct arena *arena,
                     struct label_proposal **out, size_t *count,
                     struct err *err) MUST_USE;

/* What came out. */

enum label_state {
    LABEL_UNANIMOUS,   /* two raters or more, all say the same */
    LABEL_SINGLE,      /* one rater was asked */
    LABEL_ADJUDICATED, /* an arbiter decided */
    LABEL_UNRESOLVED,  /* raters differ, and nobody has decided */
    LABEL_PENDING,     /* nobody has been asked, or not everybody who was has answered */
};

const char *label_state_word(enum label_state state); /* "unanimous", ... */

struct label_final {
    int64_t item;
    struct str unit, place, called; /* empty: the item as a whole, not said */
    struct str dimension;
    struct str *codes; /* ascending; none when unresolved or pending */
    size_t code_count;
    enum label_state state;
    size_t raters; /* who have said something */
    bool review;   /* one of the labels behind it needs review */
    bool chosen;   /* from chosen rounds alone: good for teaching, wrong for inference */
    bool outside;  /* drawn once and no longer among the task's items: the same */
};

/* Of every item of the task, and of each other that a rater whom the study names has
 * labelled, in each dimension; in draw order. Training rounds do not count; of several
 * others a rater's word in the newest does, and chosen rounds only where no pilot or main
 * round has a word. */
bool label_finals(struct label *label, struct arena *arena, struct label_final **out,
                  size_t *count, struct err *err) MUST_USE;

/* How many there are in which state, of one dimension or, with an empty one, of all;
 * those that say nothing about the sample are counted apart. */
struct label_states {
    int64_t of[LABEL_PENDING + 1], items; /* items: in all states together */
    int64_t chosen, outside, reviews;
};

struct label_states label_count_states(const struct label_final *finals, size_t count,
                                       struct str dimension);

/* "142 labelled items are no longer in the sample". */
void label_tell_outside(int64_t outside, struct buf *out);

/* Agreement in a dimension, from what raters said before they talked: the last act of
 * each rater in a round before it was closed. */
struct label_agreement_options {
    struct str dimension; /* empty: the only one */
    int64_t round;        /* 0: pilot and main rounds together */
    struct str version;   /* only labels made under this codebook; empty: all */
    bool closed;          /* of closed rounds alone */
    bool all_raters;      /* also those whom the study does not name, such as a model */
    bool models; /* also models among the raters, behind the people: of items that some
                    person has labelled. With a round: none */
    size_t resamples;  /* see agree.h */
    bool resample_all; /* the same */
    struct str order;  /* of codes, by commas; empty: that of numbers, if there is one */
    bool chosen;       /* see agree.h */
    enum label_agree_coefficient choice;
};

bool label_agreement(struct label *label, const struct label_agreement_options *options,
                     struct arena *arena, struct label_agree_report *out,
                     struct err *err) MUST_USE;

/* Between a rater's first and second labels of the re-tested items, as two "raters";
 * value undefined where there are none. */
bool label_retest(struct label *label, struct str dimension, struct str rater,
                  struct arena *arena, struct label_agree_measures *out,
                  struct err *err) MUST_USE;

/* In and out. */

enum label_format {
    LABEL_FORMAT_ANY,     /* of a file that is read: to be found out */
    LABEL_FORMAT_CSV,     /* a row for each code of a label */
    LABEL_FORMAT_WIDE,    /* csv: a row for each item, a column for each rater */
    LABEL_FORMAT_JSONL,   /* an object for each label */
    LABEL_FORMAT_STUDIO,  /* JSON of Label Studio: tasks with annotations, predictions */
    LABEL_FORMAT_DOCCANO, /* JSON lines of doccano: the items of one rater */
    LABEL_FORMAT_POTATO,  /* JSON lines of Potato: the same; read alone */
    LABEL_FORMAT_WEBANNO, /* WebAnno TSV 3, of INCEpTION: one item and rater a file, or a
                             zip of them */
    LABEL_FORMAT_REFI,    /* REFI-QDA project (.qdpx): a zip */
};

bool label_format_find(struct str word, enum label_format *out); /* "csv", "wide", ... */

struct label_rename {
    struct str from, to;
};

struct label_import_options {
    enum label_format format;
    /* Names of columns or keys; empty: "item", "code", "rater", "dimension". Of a wide
     * csv, rater_column lists those of raters, parted by commas; empty: all others. */
    struct str item_column, code_column, rater_column, dimension_column;
    struct str kind_column; /* of the kind of a round: "kind"; "-": there is none */
    /* Where the task has units: "unit"; "row", unless there is such a column: each row of
     * a csv is a unit of its own. The place is in a column "place", or in the link that
     * names the item. */
    struct str unit_column;
    struct str rater, dimension; /* of all labels; empty: the file says it. Of a wide csv
                                  * with a rater, columns are dimensions: those that are
                                  * called so, or as dimension_column lists them:
                                  * "COLUMN=DIMENSION", by commas */
    bool skip_unknown;           /* items that the task does not have are passed over */
    char separator;              /* of several codes in a cell; 0: none */
    bool again;                  /* what had been imported before is taken once more */
    struct buf *problems; /* a line for each mistake, if there are several, and one that
                             counts them; NULL: none */
    struct buf *strangers; /* NULL or: names of raters of labels whom the study does not
                              name, a line each */
    const struct label_rename *renames; /* what raters of the file are called here */
    size_t rename_count;
    struct progress *progress; /* NULL: nobody is told */
};

/* Places of units that were read from links to items. */
struct label_import_places {
    int64_t found;   /* lines that the item's diff shows, or a file of it */
    int64_t outside; /* lines of such a file that the diff does not show */
    int64_t no_file; /* of a file that the commit did not change, or of none */
    int64_t no_diff; /* the item has no diff, or it cannot be made */
};

struct label_imported {
    int64_t labels, decisions;
    int64_t repeated; /* codes that a rater gave an item twice: they count once */
    int64_t unknown;  /* rows of items that the task does not have, passed over */
    int64_t units;    /* that were labelled */
    int64_t spans;    /* words or lines that were marked */
    int64_t unasked;  /* spans that were passed over: the task has none */
    int64_t others;   /* what cannot be taken at all, such as rectangles: passed over */
    struct label_import_places places; /* of these */
    int64_t missing; /* of these, those at lines of a diff that the item does not have */
    struct err missed; /* the first of them */
};

/* Takes labels that were made elsewhere, all or none: rounds of their own, opened and
 * closed, one for each that the file tells apart, whose acts name the file as their
 * source. Rows of the kind "decision", those of the arbiter that name no kind, and of
 * final labels the adjudicated ones are decisions. ERR_INPUT with "path:line: ", or
 * "path:line:column: " in JSON, of the first mistake, and of all of them in problems;
 * also for a file whose content had been imported before. */
bool label_import(struct label *label, const char *path,
                  const struct label_import_options *options, struct str by,
                  struct label_imported *imported, struct err *err) MUST_USE;

enum label_layer {
    LABEL_ACTS,      /* the whole log of raters */
    LABEL_SAID,      /* what counts of each rater */
    LABEL_DECISIONS, /* of the arbiter, those that count */
    LABEL_FINAL,     /* final labels with their state */
    LABEL_REMARKS,   /* what people said to each other about items */
};

/* "acts", "said", "decisions", "final", "remarks" */
bool label_layer_find(struct str word, enum label_layer *out);

struct label_export_options {
    enum label_layer layer;
    enum label_format format; /* of what raters said; else csv */
    bool anonymous; /* people are called rater-1, ...; no times, no files, no memos */
    bool memos;     /* also when anonymous */
    bool posts;     /* Label Studio and doccano: with title and text of the items */
    struct str rater, dimension; /* only these; empty: all. doccano needs one of each */
    struct progress *progress;   /* NULL: nobody is told */
};

/* Adds the labels to *out. Wide csv, Label Studio and doccano hold of each rater and item
 * what was said in the newest round that counts, without re-tests. ERR_INPUT for an
 * unknown rater or dimension. */
bool label_export(struct label *label, const struct label_export_options *options,
                  struct buf *out, struct err *err) MUST_USE;

#endif
