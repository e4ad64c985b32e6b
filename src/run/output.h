/* The files below out/ that a step makes, and reading back what later steps need. */
#ifndef RUN_OUTPUT_H
#define RUN_OUTPUT_H

#include "chart/chart.h"
#include "measure/family.h"
#include "measure/frame.h"
#include "measure/labels.h"
#include "measure/numbers.h"
#include "measure/table.h"
#include "measure/table_text.h"
#include "measure/testing.h"
#include "run/sampling.h"
#include "study/study.h"

/* A zeroed one is ready. */
struct output {
    struct arena arena;
    struct output_file {
        struct buf path, text; /* path from the study's folder */
    } * *files;
    size_t count, room;
    struct buf says; /* what came out, in a few words */
};

void output_free(struct output *output);
struct str output_path(const struct output *output, size_t file);
struct str output_text(const struct output *output, size_t file);
struct str output_says(const struct output *output);

/* A further file, to be filled. */
struct buf *output_add(struct output *output, const char *path);

/* out/KIND/NAME/FILE. */
struct buf *output_add_below(struct output *output, const char *kind, struct str name,
                             const char *file);

/* out/KIND/NAMEending: ".csv". */
struct buf *output_add_named(struct output *output, const char *kind, struct str name,
                             const char *ending);

/* A cell of such a csv, behind a comma; nothing for NAN. A number that is no count keeps
 * its point, so that it is not shown as one; a share is a percentage. */
void output_number(double value, struct buf *out);
void output_share(double value, struct buf *out);

/* The step's numbers, for whoever refers to them: out/numbers/KIND.NAME.csv, with its
 * heads. */
struct buf *output_add_numbers(struct output *output, const char *kind, struct str name);

/* Each file whole or not at all; folders are made. */
bool output_write(const struct output *output, const char *folder,
                  struct err *err) MUST_USE;

/* out/sets/NAME.csv: its ids; out/funnels/NAME.csv, .md and .tex: what each
 * condition let through. */
struct output_funnel {
    int64_t all;                  /* questions of the sources; 0: not known */
    const struct numbers *before; /* of the set that the query begins with; NULL: none */
    size_t together;              /* see study_together() */
};

void output_set(struct output *output, const struct study_set *set,
                const struct frame_slot *slot, const struct frame *frame,
                struct output_funnel from);

/* out/labels/NAME.csv: item and code; out/codes/NAME.csv: the codes that there are, in
 * their order, given or not: tables have rows for all of them. */
void output_labels(struct output *output, const struct study_labels *from,
                   const struct labels *labels, const struct frame *frame);

/* out/samples/NAME.csv: ids in draw order with their stratum; NAME.json: how it was
 * drawn, from which frame. */
void output_sample(struct output *output, const struct study_sample *sample,
                   const struct sampling *drawn, const struct item_spaces *spaces);

/* out/tables/NAME.csv, .json, .md, .tex and .html; out/items/NAME/: the items
 * behind its numbers. Marks those without an interval in the table. */
void output_table(struct output *output, struct table *table);

/* out/FOLDER/NAME/: the items behind a table's numbers, a csv for each list of them, of
 * so many lines together; lists.csv: the lists with their first items, cells.csv: which
 * number rests on which. */
void output_behind(struct output *output, const char *folder, const struct table *table,
                   int64_t lines, struct behind *out);

/* The same for the sides of a test: cell i is side i. */
void output_test_behind(struct output *output, const struct testing *testing,
                        struct behind *out);

/* out/tests/NAME.csv, .md and .html; out/tests/NAME/: the items of its sides. */
void output_test(struct output *output, const struct testing *testing);

/* out/tests/family-NAME.csv, .md and .html. */
void output_family(struct output *output, const struct family *family);

/* out/figures/NAME.svg, .pdf and .png; NAME.txt: what it shows, in words. */
bool output_figure(struct output *output, struct str name, const struct chart *chart,
                   struct err *err) MUST_USE;

/* Each step but figures also has its numbers in out/numbers/STEP.csv; this reads them. */
bool output_read_numbers(const char *folder, struct str step, struct arena *arena,
                         struct numbers *out, struct err *err) MUST_USE;

/* The ids that out/KIND/NAME.csv holds in its column `id`, in its order. */
bool output_read_ids(const struct study *study, const char *kind, struct str name,
                     struct arena *arena, int64_t **ids, size_t *count,
                     struct err *err) MUST_USE;

#endif
