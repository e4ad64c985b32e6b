/* Files that are built into the program, one behind the other: see tools/bundle. */
#ifndef CMD_BUNDLE_H
#define CMD_BUNDLE_H

#include "base/str.h"

/* The next file, cut off the front; false at the end. */
bool cmd_bundle_next(struct str *bundle, struct str *path, struct str *text);

#endif
