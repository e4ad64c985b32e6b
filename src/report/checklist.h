/* The checklists of the ACM SIGSOFT Empirical Standards, filled in as far as the study
 * recorded something. Attributes are in short words of our own; the standards are at
 * github.com/acmsigsoft/EmpiricalStandards, described in Ralph et al., "Empirical
 * Standards for Software Engineering Research", arXiv:2010.03525. */
#ifndef REPORT_CHECKLIST_H
#define REPORT_CHECKLIST_H

#include "report/methods.h"

enum checklist_verdict {
    CHECKLIST_RECORDED,
    CHECKLIST_MISSING,  /* the study could have it */
    CHECKLIST_YOURS,    /* nothing that a tool can know */
    CHECKLIST_NOT_HERE, /* does not apply */
};

enum checklist_level {
    CHECKLIST_ESSENTIAL,
    CHECKLIST_DESIRABLE,
    CHECKLIST_EXTRAORDINARY
};

struct checklist_attribute {
    enum checklist_level level;
    const char *words;
    const char *yours; /* what to write; NULL: tell() says */
    enum checklist_verdict (*tell)(const struct methods_facts *facts,
                                   struct prose *prose);
};

struct checklist_standard {
    const char *name;
    const char *version; /* of the standard: the commit that was read */
    /* False, having said why, when nothing of it applies; NULL: it always does. */
    bool (*applies)(const struct methods_facts *facts, struct prose *prose);
    const struct checklist_attribute *attributes;
    size_t count;
};

extern const struct checklist_standard checklist_mining, checklist_sampling,
    checklist_rating;

void checklist_write(const struct methods_facts *facts, struct prose *prose);

/* Adds the text and is the verdict. */
enum checklist_verdict checklist_say(struct prose *prose, enum checklist_verdict verdict,
                                     const char *text);

/* What two of the standards ask for. */
enum checklist_verdict checklist_no_raters(const struct methods_facts *facts,
                                           struct prose *prose);
enum checklist_verdict checklist_raters(const struct methods_facts *facts,
                                        struct prose *prose);
enum checklist_verdict checklist_reliability(const struct methods_facts *facts,
                                             struct prose *prose);

#endif
