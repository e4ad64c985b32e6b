/* What the files of the package share. */
#ifndef PACKAGE_INTERNAL_H
#define PACKAGE_INTERNAL_H

#include "package/package.h"
#include "store/corpus.h"

/* Sampled or labelled items, ascending. */
struct package_items {
    int64_t *ids;
    size_t count;
};

/* Every item that is in a sample or has a label, as the study's run has left them. */
bool package_find_items(const struct study *study, struct arena *arena,
                        struct package_items *out, struct err *err) MUST_USE;

/* The same csv with the names in these columns replaced by rater-1, rater-2, ... in the
 * order in which they first appear; the rest as it is, parted by commas. An empty name
 * stays empty. The result lives in arena. */
bool package_rename_raters(struct str csv, const char *path, const struct str *columns,
                           size_t count, struct arena *arena, struct str *out,
                           struct err *err) MUST_USE;

/* attribution.csv: id, link and licence of each item. */
bool package_add_attribution(const struct study *study, struct store *corpus,
                             const struct package_items *items, struct buf *out,
                             struct err *err) MUST_USE;

/* posts.jsonl: the texts of those that are posts. */
bool package_add_posts(const struct study *study, struct store *corpus,
                       const struct package_items *items, struct buf *out,
                       struct err *err) MUST_USE;

struct package_readme {
    const struct study *study;
    const struct package_options *options;
    const char *home;              /* see package_home() */
    struct store *corpus;          /* NULL: the study has no source */
    struct result_health health;   /* of the sources */
    const struct package *package; /* the files that are explained */
    const struct str *outside;     /* paths, as written, that are not in the package */
    size_t outside_count;
};

bool package_add_readme(const struct package_readme *inputs, struct buf *out,
                        struct err *err) MUST_USE;
void package_add_license_note(bool with_posts, struct buf *out);

/* Where a study's paths lead on this machine is nobody's business: each becomes what the
 * study file says. */
void package_hide_paths(const struct study *study, struct str text, struct buf *out);

#endif
