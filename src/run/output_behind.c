/* The items behind numbers, as files. */
#include <stdio.h>

#include "measure/behind.h"
#include "run/output.h"

struct lists {
    struct output *output;
    const char *folder;
    struct str name;
};

static struct buf *add_items(void *context, size_t number)
{
    const struct lists *lists = context;
    char file[40];

    snprintf(file, sizeof file, "%zu.csv", number);
    return output_add_below(lists->output, lists->folder, lists->name, file);
}

void output_behind(struct output *output, const char *folder, struct table *table,
                   int64_t lines)
{
    struct lists lists = {output, folder, table->shown.name};

    behind_make(table, &(struct behind_files){folder, lines, add_items, &lists,
                                              output->spaces},
                &output->arena);
}

void output_shorten(struct output *output, const char *folder, struct result_table *table,
                    int64_t lines)
{
    struct lists lists = {output, folder, table->name};

    behind_shorten(table, &(struct behind_files){folder, lines, add_items, &lists,
                                              output->spaces},
                   &output->arena);
}
