/* An ingest under way: what its parts share. ingest.c goes from source to source;
 * each kind of source has a file of its own. */
#ifndef SOURCE_INTAKE_H
#define SOURCE_INTAKE_H

#include "dump/select.h"
#include "source/ingest.h"

struct source_intake {
    const struct source_ingest_options *options;
    struct source_ingest_result *result;
    struct store *corpus;
    struct query_relations *relations;
    struct query_compiled *query;
    struct dump_judge judge; /* of the calling thread */
    bool origins;            /* are stored */
    bool count_tables;       /* there is no dump: the census is of tables */

    /* Of the step that is being done, see source_intake_turn_to(): */
    const struct source_ingest_source *source;
    size_t source_number, path_number;
    const char *prefix; /* of findings in the health report */

    struct dump_select_state state; /* of a dump's posts */
    uint64_t step;                  /* how many steps are done */
    int64_t rested_bytes, rested_ms;
    struct buf packed;
    struct idset posts, users; /* that are in the corpus: for what hangs on them */
    struct source_commits_histories *histories; /* of all git sources; NULL: not yet */
};

/* One path of a dump or all of a table's is a step: what is done whole or again. */
size_t source_intake_steps(const struct source_ingest_options *options);

/* Turns to a step; the prefix lives in arena. */
void source_intake_turn_to(struct source_intake *intake, size_t step,
                           struct arena *arena);

/* How many blocks of code stand in an item that the judge has just read or been given. */
int64_t source_intake_code_blocks(struct dump_judge *judge, const struct item *item);

/* Stores an item whose ids are those of its source; one that is studied also with where
 * it comes from, and with the fields that its source brings. */
bool source_intake_store(struct source_intake *intake, const struct item *item,
                         int64_t code_blocks, struct err *err) MUST_USE;

/* Packed into bytes, to travel from one thread to another, and back. */
void source_intake_pack(const struct item *item, int64_t code_blocks, struct buf *out);
bool source_intake_unpack(struct str *bytes, struct item *item, int64_t *code_blocks);

/* Of the answers that came too late (struct dump_select_late), those of stored questions.
 */
bool source_intake_late(struct source_intake *intake, struct str late,
                        const struct idset *questions, struct err *err) MUST_USE;

bool source_intake_census(struct source_intake *intake, struct dump_tally *tally,
                          struct err *err) MUST_USE;

/* Findings of the health report. */
bool source_intake_number(struct source_intake *intake, const char *finding,
                          int64_t value, struct err *err) MUST_USE;
bool source_intake_text(struct source_intake *intake, const char *finding,
                        struct str value, struct err *err) MUST_USE;
bool source_intake_health(struct source_intake *intake,
                          const struct dump_select_health *health,
                          struct err *err) MUST_USE;
/* From when to when items were written, stored or not; ITEM_NONE: none has a date. */
bool source_intake_span(struct source_intake *intake, int64_t first_ms, int64_t last_ms,
                        struct err *err) MUST_USE;
/* Rows that were skipped; `first` says where the first of them is, and what is wrong. */
bool source_intake_broken(struct source_intake *intake, int64_t count, struct str first,
                          struct err *err) MUST_USE;

/* A place in a source's file as the user would write it: results must not depend on the
 * folder that the program was started in. */
struct str source_intake_shown(const struct source_ingest_source *source, size_t path,
                               const char *place, struct arena *arena);

/* A file that was read for this step; table tells which of those of a dump. */
bool source_intake_file(struct source_intake *intake, const char *path,
                        enum dump_scan_table table, const uint64_t hash[2],
                        struct err *err) MUST_USE;
/* The same, where files are counted otherwise. */
bool source_intake_file_numbered(struct source_intake *intake, const char *path,
                                 int64_t number, const uint64_t hash[2],
                                 struct err *err) MUST_USE;
enum { SOURCE_INTAKE_HASH_DIGITS = 32 };
struct str source_intake_hash_text(const uint64_t hash[2],
                                   char out[SOURCE_INTAKE_HASH_DIGITS + 1]);

/* Ends the step: all of it, and that it is done, in one transaction. */
bool source_intake_step_done(struct source_intake *intake, struct err *err) MUST_USE;

/* Writes down how far it has come. */
bool source_intake_save_place(struct source_intake *intake, struct err *err) MUST_USE;

/* Lines of the key for all files of a path, or for one: its name, size and date. */
void source_intake_add_members(const struct input *input, struct buf *key);
void source_intake_add_member(struct buf *key, const struct input_member *member);

#endif
