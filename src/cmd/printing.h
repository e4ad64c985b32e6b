/* Pages as PDF, for whoever wants one file to mail. */
#ifndef CMD_PRINTING_H
#define CMD_PRINTING_H

#include "base/arena.h"
#include "base/err.h"

/* ERR_SYSTEM when there is no browser, or it does not print. The time of printing is in
 * the file, so that its bytes are not the same every time. */
bool cmd_printing_pdf(const char *page, const char *pdf, struct arena *arena,
                      struct err *err) MUST_USE;

#endif
