/* assay scan --seeds: which tags belong to a subject, see dump/tagset.h. */
#ifndef CMD_SCAN_TAGS_H
#define CMD_SCAN_TAGS_H

#include "base/buf.h"
#include "base/err.h"
#include "dump/tagset.h"

/* "tensorflow, keras*": ERR_USAGE for an empty one. */
bool cmd_scan_tags_open(const char *seeds, struct arena *arena, struct dump_tagset *out,
                        struct err *err) MUST_USE;

/* Two tables as Markdown: the candidates with what each adds, and what thresholds of both
 * shares take. ERR_INPUT when no question has a seed tag, with tags that are near. */
bool cmd_scan_tags_show(const struct dump_tagset *tags, struct buf *out,
                        struct err *err) MUST_USE;

#endif
