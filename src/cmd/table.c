/* The list of commands, and looking them up. */
#include "cmd/cmd.h"

#include <string.h>

#include "base/near.h"
#include "base/parallel.h"

const struct cmd *const cmd_all[] = {
    &cmd_demo,   &cmd_init,    &cmd_scan,       &cmd_ingest,   &cmd_plan,     &cmd_run,
    &cmd_label,  &cmd_report,  &cmd_handbook,   &cmd_agree,    &cmd_codebook, &cmd_import,
    &cmd_verify, &cmd_export,  &cmd_classify,   &cmd_keywords, &cmd_topics,   &cmd_embed,
    &cmd_ask,    &cmd_phrases, &cmd_compare,    &cmd_pack,     &cmd_power,    &cmd_series,
    &cmd_synth,  &cmd_help,    &cmd_completion, NULL};

const struct cmd *cmd_find(const char *name)
{
    for (size_t i = 0; cmd_all[i] != NULL; i++)
        if (strcmp(cmd_all[i]->name, name) == 0)
            return cmd_all[i];
    return NULL;
}

const char *cmd_nearest(const char *name)
{
    struct str names[ROWS_OF(cmd_all)] = {{0}};
    size_t count = 0;

    for (; cmd_all[count] != NULL; count++)
        names[count] = str_from(cmd_all[count]->name);
    size_t found = near_find(str_from(name), names, count);
    return found < count ? cmd_all[found]->name : NULL;
}

bool cmd_names_a_path(const struct cmd_option *option)
{
    return option->argument != NULL && (strcmp(option->argument, "FILE") == 0 ||
                                        strcmp(option->argument, "DIR") == 0);
}

void cmd_add_choices(struct buf *out, const char *choices, const char *between)
{
    struct str rest = str_from(choices), one;

    for (bool more = true, first = true; more; first = false) {
        more = str_cut(&rest, '|', &one);
        buf_add_format(out, "%s%.*s", first ? "" : between, STR_ARG(one));
    }
}

static void print(struct buf *text, FILE *to)
{
    if (text->len > 0)
        fwrite(text->ptr, 1, text->len, to);
    buf_free(text);
}

void cmd_print(struct buf *text)
{
    print(text, stdout);
}

void cmd_complain(struct buf *problems)
{
    print(problems, stderr);
}

int cmd_threads(int64_t asked)
{
    return asked > 0 ? (int)asked : parallel_cores();
}
