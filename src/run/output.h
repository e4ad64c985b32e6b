/* The files below out/ that a step makes, and reading back what later steps need. */
#ifndef RUN_OUTPUT_H
#define RUN_OUTPUT_H

#include "measure/table.h"
#include "result/numbers.h"
#include "result/result_file.h"
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

/* A further file, to be filled. */
struct buf *run_output_add(struct run_output *output, const char *path);

/* out/KIND/NAMEending: ".csv". */
struct buf *run_output_add_named(struct run_output *output, const char *kind,
                                 struct str name, const char *ending);

/* One in the folder that the step has for itself: out/tables/trend/NAMEending. */
struct buf *run_output_add_own(struct run_output *output, struct str name,
                               const char *ending);

/* A table of the step's result: out/results/STEP.result. What holds numbers goes to
 * out/numbers/STEP.csv as well. */
void run_output_result(struct run_output *output, const struct result_table *table);

/* The same as a csv for people as well, in the step's folder; see table_text.h. */
void run_output_shown(struct run_output *output, const struct result_table *table,
                      const char *heads);

/* A list of things that later steps read: a table of the result and a csv with the same
 * columns, row by row. Other tables may be added before it is ended. */
struct run_output_list {
    struct run_output *output;
    struct result_table table;
    struct buf rows, *csv;
};

struct run_output_list run_output_list(struct run_output *output, struct str name,
                                       const struct result_column *columns, size_t count,
                                       struct buf *csv);
void run_output_list_add(struct run_output_list *list, const struct result_cell *cells);
void run_output_list_end(struct run_output_list *list);

/* The result, for tables that are written row by row. */
struct buf *run_output_rows(struct run_output *output);

/* When all is there. */
void run_output_end(struct run_output *output);

/* Each file whole or not at all; folders are made. */
bool run_output_write(const struct run_output *output, const char *folder,
                      struct err *err) MUST_USE;

/* out/FOLDER/NAME/: the items behind a table's numbers, a csv for each list of them, of
 * so many lines together; see measure/behind.h. */
void run_output_behind(struct run_output *output, const char *folder,
                       struct measure_table *table, int64_t lines);
void run_output_shorten(struct run_output *output, const char *folder,
                        struct result_table *table, int64_t lines);

/* What a step gave. */
/* Whether a step has given anything: one that waits for labels has not. */
bool run_output_there(const char *folder, struct str step, struct arena *arena);

bool run_output_read(const char *folder, const char *kind, struct str name,
                     struct arena *arena, struct result *out, struct err *err) MUST_USE;

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
