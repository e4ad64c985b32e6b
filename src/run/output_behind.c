/* The items behind numbers, as files. */
#include <stdio.h>

#include "measure/behind.h"
#include "run/output.h"

struct lists {
    struct run_output *output;
    const char *folder;
    struct str name;
};

static struct buf *add_items(void *context, size_t number)
{
    const struct lists *lists = context;
    char file[40];

    snprintf(file, sizeof file, "%zu.csv", number);
    return run_output_add_below(lists->output, lists->folder, lists->name, file);
}

void run_output_behind(struct run_output *output, const char *folder,
                       struct measure_table *table, int64_t lines)
{
    struct lists lists = {output, folder, table->shown.name};

    measure_behind_make(
        table,
        &(struct measure_behind_files){folder, lines, add_items, &lists, output->spaces},
        &output->arena);
}

void run_output_shorten(struct run_output *output, const char *folder,
                        struct result_table *table, int64_t lines)
{
    struct lists lists = {output, folder, table->name};

    measure_behind_shorten(
        table,
        &(struct measure_behind_files){folder, lines, add_items, &lists, output->spaces},
        &output->arena);
}
