/* Making a study's folder from a template; the published studies are built in. */
#ifndef CMD_INIT_H
#define CMD_INIT_H

#include "cmd/cmd.h"

struct cmd_init_template {
    const char *name;   /* of its folder in studies/ */
    const char *study;  /* the file in there that becomes study.yaml */
    const char *folder; /* to write */
    const char *source; /* for source.stackexchange; NULL: as the template says */
    const char *called; /* in place of "my-study"; NULL: that */
    bool simulated;     /* to be said in study.yaml, where the template does not */
};

/* Writes study.yaml and the codebooks. What is there already is replaced. */
bool cmd_init_write(struct cmd_session *session, const struct cmd_init_template *template,
                    struct err *err) MUST_USE;

#endif
