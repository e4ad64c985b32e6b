/* The files below out/ that a step makes, and reading back what later steps need. */
#ifndef RUN_OUTPUT_H
#define RUN_OUTPUT_H

#include "chart/chart.h"
#include "measure/family.h"
#include "measure/frame.h"
#include "measure/labels.h"
#include "measure/table.h"
#include "measure/testing.h"
#include "result/numbers.h"
#include "result/result_file.h"
#include "run/sampling.h"
#include "study/study.h"

/* A zeroed one with its step is ready. */
struct run_output {
    struct str step;    /* "tables.trend" */
    struct buf *result; /* the step's result, once it is begun */
    struct arena arena;
    struct run_output_file {
        struct buf path, text; /* path from the study's folder */
    } * *files;
    size_t count, room;
    struct buf says;                  /* what came out, in a few words */
    const struct item_spaces *spaces; /* what items are called; NULL: plain numbers */
};

void run_output_free(struct run_output *output);
struct str run_output_path(const struct run_output *output, size_t file);
struct str run_output_text(const struct run_output *output, size_t file);
struct str run_output_says(const struct run_output *output);

/* A further file, to be filled. */
struct buf *run_output_add(struct run_output *output, const char *path);

/* out/KIND/NAME/FILE. */
struct buf *run_output_add_below(struct run_output *output, const char *kind,
                                 struct str name, const char *file);

/* out/KIND/NAMEending: ".csv". */
struct buf *run_output_add_named(struct run_output *output, const char *kind,
                                 struct str name, const char *ending);

/* A table of the step's result: out/results/STEP.result. What holds numbers goes to
 * out/numbers/STEP.csv as well. */
void run_output_result(struct run_output *output, const struct result_table *table);

/* The result, for tables that are written row by row. */
struct buf *run_output_rows(struct run_output *output);

/* The same as a csv for people as well: out/KIND/NAME/TABLE.csv; see table_text_step().
 */
void run_output_shown(struct run_output *output, const char *kind, struct str name,
                      const struct result_table *table, const char *heads);

/* When all is there. */
void run_output_end(struct run_output *output);

/* Each file whole or not at all; folders are made. */
bool run_output_write(const struct run_output *output, const char *folder,
                      struct err *err) MUST_USE;

/* out/sets/NAME.csv: its ids; out/funnels/NAME.csv, .md and .tex: what each
 * condition let through. */
struct run_output_funnel {
    int64_t all; /* questions of the sources; 0: not known */
    const struct result_numbers
        *before;     /* of the set that the query begins with; NULL: none */
    size_t together; /* see study_together() */
};

void run_output_set(struct run_output *output, const struct study_set *set,
                    const struct measure_frame_slot *slot,
                    const struct measure_frame *frame, struct run_output_funnel from);

/* out/labels/NAME.csv: item and code; out/codes/NAME.csv: the codes that there are, in
 * their order, given or not: tables have rows for all of them. */
void run_output_labels(struct run_output *output, const struct study_labels *from,
                       const struct measure_labels *labels,
                       const struct measure_frame *frame);

/* out/samples/NAME.csv: ids in draw order with their stratum; NAME.json: how it was
 * drawn, from which frame. */
void run_output_sample(struct run_output *output, const struct study_sample *sample,
                       const struct run_sampling *drawn);

/* out/tables/NAME.csv, .json, .md, .tex and .html. Marks numbers without an interval. */
void run_output_table(struct run_output *output, struct result_table *table);

/* out/FOLDER/NAME/: the items behind a table's numbers, a csv for each list of them, of
 * so many lines together; see behind_make() and behind_shorten(). */
void run_output_behind(struct run_output *output, const char *folder,
                       struct measure_table *table, int64_t lines);
void run_output_shorten(struct run_output *output, const char *folder,
                        struct result_table *table, int64_t lines);

/* out/tests/NAME.csv, .md and .html; out/tests/NAME/: the items of its sides. */
void run_output_test(struct run_output *output, const struct measure_testing *testing);

/* out/tests/family-NAME.csv, .md and .html. */
void run_output_family(struct run_output *output, const struct measure_family *family);

/* out/figures/NAME.svg, .pdf and .png; NAME.txt: what it shows, in words. */
bool run_output_figure(struct run_output *output, struct str name,
                       const struct chart *chart, struct err *err) MUST_USE;

/* What a step gave. */
bool run_output_read(const char *folder, struct str step, struct arena *arena,
                     struct result *out, struct err *err) MUST_USE;

/* The numbers of it, for each step but figures and the report. */
bool run_output_read_numbers(const char *folder, struct str step, struct arena *arena,
                             struct result_numbers *out, struct err *err) MUST_USE;

/* The items of a set, a sample or labels, in their order. */
bool run_output_read_ids(const char *folder, const char *kind, struct str name,
                         struct arena *arena, int64_t **ids, size_t *count,
                         struct err *err) MUST_USE;

/* The rows of one of its tables. */
bool run_output_read_rows(const char *folder, const char *kind, struct str name,
                          const struct result_file_rows *rows, struct err *err) MUST_USE;

#endif
