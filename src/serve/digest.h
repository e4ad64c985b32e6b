/* What the lead and the arbiter are shown of all labels: agreement, states of final
 * labels, disputes. With 100,000 items it takes seconds to make; so it is made aside
 * (aside.h) and shown as of a moment. */
#ifndef SERVE_DIGEST_H
#define SERVE_DIGEST_H

#include "label/label.h"

struct serve_digest {
    struct arena arena; /* holds the struct itself */
    int64_t at_ms;      /* when it was begun; since 1970 */
    int64_t changes;    /* label_changes() of what it is about */
    struct str failure; /* not empty: why there is nothing else */
    struct str json;    /* members of an object: "finals": {...}, "agreement": [...] */
    struct label_dispute *disputes; /* without their decisions, which are quickly found */
    size_t dispute_count;
};

/* Never NULL. The caller hands it to serve_digest_free(). */
struct serve_digest *serve_digest_make(struct label *label);
void serve_digest_free(struct serve_digest *digest); /* NULL is fine */

#endif
