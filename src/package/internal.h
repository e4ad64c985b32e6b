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
    const char *version;           /* of assay */
    const char *home;              /* see package_home() */
    struct store *corpus;          /* NULL: the study has no source */
    struct result_health health;   /* of the sources */
    const struct package *package; /* the files that are explained */
    const struct str *outside;     /* paths, as written, that are not in the package */
    size_t outside_count;
};

/* For those who cite the package, and for where it is kept. */
void package_add_citation(const struct study *study, struct buf *out);
void package_add_zenodo(const struct study *study, struct buf *out);

bool package_add_readme(const struct package_readme *inputs, struct buf *out,
                        struct err *err) MUST_USE;
void package_add_license_note(bool with_posts, struct buf *out);

/* Where a study's paths lead on this machine is nobody's business: each becomes what the
 * study file says. */
void package_hide_paths(const struct study *study, struct str text, struct buf *out);

#endif
