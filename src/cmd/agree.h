/* What the files of `assay agree` share. */
#ifndef CMD_AGREE_H
#define CMD_AGREE_H

#include "cmd/opening.h"
#include "label/agree.h"

struct cmd_agree_args {
    struct cmd_opening_args opening;
    const char *from, *item, *rater, *label, *unit, *place, *by, *separator, *raters;
    const char *task, *dimension, *version, *order, *coefficient, *heat;
    int64_t round;
    bool all_raters, models, json;
    struct progress *progress;
};

/* The agreement of a study's raters, in all dimensions that are asked for. */
bool cmd_agree_on_study(struct cmd_session *session, const struct cmd_agree_args *args,
                        struct buf *out, struct err *err) MUST_USE;

/* Which coefficient --coefficient names; false, with *out untouched, without it. */
bool cmd_agree_choice(const struct cmd_agree_args *args,
                      enum label_agree_coefficient *out);

/* Writes the figure of who said what where another said something else: a row for each
 * code of the first rater, a column for each of the second; of more than two raters all
 * pairs, each in both directions. SVG, PDF or PNG, as the name of the file ends.
 * ERR_USAGE for another one, ERR_INPUT when there are too many codes to draw. */
bool cmd_agree_draw(const struct label_agree_report *report, const char *path,
                    struct arena *arena, struct err *err) MUST_USE;

#endif
