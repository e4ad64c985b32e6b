/* What assay scan prints of posts, as its options say. */
#ifndef CMD_SCAN_SHOW_H
#define CMD_SCAN_SHOW_H

#include "base/buf.h"
#include "base/map.h"
#include "dump/format.h"
#include "item/item.h"
#include "query/query.h"

struct cmd_scan_args {
    const char *source, *query, *by, *columns, *synonyms, *seeds;
    bool count, ids, json, csv, answers, diff, skip_broken, stats, quiet;
    int64_t limit, threads;
};

/* What the options want of a post whose texts are decoded. Every record is ended by a
 * NUL, which no text of XML can hold. With --by, records are the keys it counts under,
 * with --seeds its tags.
 * `own` are the fields that post->extra holds. */
void cmd_scan_show_post(const struct cmd_scan_args *args, struct dump_format_own own,
                        const struct item *post, struct buf *out);

/* The key of --by that a server's count stands under: it tells of moments the day since
 * 1970, of kinds their number, "\\N" of posts that have none. */
void cmd_scan_show_key(const char *by, struct str told, struct buf *out);

/* What stands before the first record, and behind the last: with --count how many there
 * are; with --by keys and how often they came, tags and users by that, all others in
 * their order. */
void cmd_scan_show_head(const struct cmd_scan_args *args, struct dump_format_own own);
void cmd_scan_show_end(const struct cmd_scan_args *args, int64_t count,
                       const struct map *counts, struct arena *arena);

/* Whether a path is read as git history, in scan_git.c. A dump may be kept in a
 * repository or have some below it, and is meant then; what is left aside is told on
 * standard error unless `quiet`. */
bool cmd_scan_is_git(const char *path, bool quiet);

/* The whole of the command for git history, in scan_git.c. */
bool cmd_scan_git(const struct cmd_scan_args *args, const struct query_own *own,
                  struct arena *arena, struct err *err) MUST_USE;

#endif
