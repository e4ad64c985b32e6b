/* Asking the models of a labelling, as a part of `assay label`. */
#ifndef CMD_LABEL_MODELS_H
#define CMD_LABEL_MODELS_H

#include "cmd/cmd.h"
#include "label/label.h"

bool cmd_label_models(struct cmd_session *session, struct label *label, bool dry,
                      bool quiet, struct err *err) MUST_USE;

#endif
