/* An ingest under way: what its parts share. ingest.c goes from source to source;
 * each kind of source has a file of its own. */
#ifndef SOURCE_INTAKE_H
#define SOURCE_INTAKE_H

#include "dump/select.h"
#include "source/ingest.h"

struct intake {
    const struct ingest_options *options;
    struct ingest_result *result;
    struct corpus *corpus;
    struct query_compiled *query;
    struct judge judge; /* of the calling thread */
    bool origins;       /* are stored */
    bool count_tables;  /* there is no dump: the census is of tables */

    /* Of the step that is being done, see intake_step(): */
    const struct ingest_source *source;
    size_t source_number, path_number;
    const char *prefix; /* of findings in the health report */

    struct select_state state; /* of a dump's posts */
    uint64_t step;             /* how many steps are done */
    int64_t rested_bytes, rested_ms;
    struct buf packed;
    struct idset posts, users; /* that are in the corpus: for what hangs on them */
};

/* One path of a dump or all of a table's is a step: what is done whole or again. */
size_t intake_steps(const struct ingest_options *options);

/* Turns to a step; the prefix lives in arena. */
void intake_turn_to(struct intake *intake, size_t step, struct arena *arena);

/* How many blocks of code stand in an item that the judge has just read or been given. */
int64_t intake_code_blocks(struct judge *judge, const struct item *item);

/* Stores an item whose ids are those of its source; one that is studied also with where
 * it comes from, and with the fields that its source brings. */
bool intake_store(struct intake *intake, const struct item *item, int64_t code_blocks,
                  struct err *err) MUST_USE;

/* Packed into bytes, to travel from one thread to another, and back. */
void intake_pack(const struct item *item, int64_t code_blocks, struct buf *out);
bool intake_unpack(struct str *bytes, struct item *item, int64_t *code_blocks);

bool intake_census(struct intake *intake, struct tally *tally, struct err *err) MUST_USE;

/* Findings of the health report. */
bool intake_number(struct intake *intake, const char *finding, int64_t value,
                   struct err *err) MUST_USE;
bool intake_text(struct intake *intake, const char *finding, struct str value,
                 struct err *err) MUST_USE;
bool intake_health(struct intake *intake, const struct select_health *health,
                   struct err *err) MUST_USE;
/* Rows that were skipped; `first` says where the first of them is, and what is wrong. */
bool intake_broken(struct intake *intake, int64_t count, struct str first,
                   struct err *err) MUST_USE;

/* A file that was read for this step; table tells which of those of a dump. */
/* A place in a source's file as the user would write it: results must not depend on the
 * folder that the program was started in. */
struct str intake_shown(const struct ingest_source *source, size_t path,
                        const char *place, struct arena *arena);

bool intake_file(struct intake *intake, const char *path, enum scan_table table,
                 const uint64_t hash[2], struct err *err) MUST_USE;
enum { INTAKE_HASH_DIGITS = 32 };
struct str intake_hash_text(const uint64_t hash[2], char out[INTAKE_HASH_DIGITS + 1]);

/* Ends the step: all of it, and that it is done, in one transaction. */
bool intake_step_done(struct intake *intake, struct err *err) MUST_USE;

/* Writes down how far it has come. */
bool intake_save_place(struct intake *intake, struct err *err) MUST_USE;

/* A line of the key for a file: its name, size and date. */
void intake_add_member(struct buf *key, const struct input_member *member);

#endif
