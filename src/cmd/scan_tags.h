/* assay scan --seeds: which tags belong to a subject, as studies choose them. A candidate
 * is relevant by the share of its questions that have a seed tag, and significant by the
 * share of the questions with a seed tag that carry it (Rosen and Shihab, "What are
 * mobile developers asking about?", Empirical Software Engineering 21, 2016; Yang, Lo,
 * Xia, Wan and Sun, "What security questions do developers ask?", JCST 31, 2016). */
#ifndef CMD_SCAN_TAGS_H
#define CMD_SCAN_TAGS_H

#include "base/buf.h"
#include "base/err.h"
#include "base/list.h"
#include "base/map.h"

struct cmd_scan_tag {
    struct str name;
    bool seed;
    int64_t questions; /* that have it */
    int64_t seeded;    /* and a seed tag */
};

/* Tags of questions as they come. Zeroed but for the arena it is ready. */
struct cmd_scan_tags {
    struct arena *arena;
    const struct str *seeds; /* tags; with a * at the end all that begin so */
    size_t seed_count;
    struct map numbers; /* of tags */
    LIST(struct cmd_scan_tag) tags;
    int64_t questions, seeded; /* all, and those with a seed tag */
    /* Of each question without a seed tag the numbers of its tags, the last with LAST. */
    LIST(uint32_t) others;
};

/* "tensorflow, keras*": ERR_USAGE for an empty one. */
bool cmd_scan_tags_open(const char *seeds, struct arena *arena, struct cmd_scan_tags *out,
                        struct err *err) MUST_USE;
void cmd_scan_tags_add(struct cmd_scan_tags *tags, struct str list); /* of a question */

/* Two tables as Markdown: the candidates with what each adds, and what thresholds of both
 * shares take. ERR_INPUT when no question has a seed tag, with tags that are near. */
bool cmd_scan_tags_show(struct cmd_scan_tags *tags, struct buf *out,
                        struct err *err) MUST_USE;
void cmd_scan_tags_free(struct cmd_scan_tags *tags);

#endif
