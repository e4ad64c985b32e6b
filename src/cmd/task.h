/* What the commands on a study's labels share: opening one of its labelling tasks. */
#ifndef CMD_TASK_H
#define CMD_TASK_H

#include "cmd/opening.h"
#include "label/label.h"

/* A row for the table of options of a command. */
#define CMD_TASK_OPTION(type, field) \
    { \
        "--task", CMD_TEXT, offsetof(type, field), "NAME", \
            "which `labelling` of the study; may be left out when there is one", false, \
            0, 0, NULL, NULL \
    }

/* Reads the study and opens the task; what is wrong with the study or its codebook is
 * printed on standard error. With must_exist, ERR_INPUT when there is no labels.db yet.
 * The caller hands *out to label_close(). */
bool cmd_task_open(struct cmd_session *session, const struct cmd_opening_args *args,
                   const char *name, bool must_exist, struct study *study,
                   struct label **out, struct err *err) MUST_USE;

#endif
