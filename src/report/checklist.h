/* The checklists of the ACM SIGSOFT Empirical Standards, filled in as far as the study
 * recorded something. Attributes are in short words of our own; the standards are at
 * github.com/acmsigsoft/EmpiricalStandards, described in Ralph et al., "Empirical
 * Standards for Software Engineering Research", arXiv:2010.03525. */
#ifndef REPORT_CHECKLIST_H
#define REPORT_CHECKLIST_H

#include "report/methods.h"

enum report_checklist_verdict {
    REPORT_CHECKLIST_RECORDED,
    REPORT_CHECKLIST_MISSING,  /* the study could have it */
    REPORT_CHECKLIST_YOURS,    /* nothing that a tool can know */
    REPORT_CHECKLIST_NOT_HERE, /* does not apply */
};

enum report_checklist_level {
    REPORT_CHECKLIST_ESSENTIAL,
    REPORT_CHECKLIST_DESIRABLE,
    REPORT_CHECKLIST_EXTRAORDINARY
};

struct report_checklist_attribute {
    enum report_checklist_level level;
    const char *words;
    const char *yours; /* what to write; NULL: tell() says */
    enum report_checklist_verdict (*tell)(const struct report_methods_facts *facts,
                                          struct report_prose *prose);
};

struct report_checklist_standard {
    const char *name;
    const char *version; /* of the standard: the commit that was read */
    /* False, having said why, when nothing of it applies; NULL: it always does. */
    bool (*applies)(const struct report_methods_facts *facts, struct report_prose *prose);
    const struct report_checklist_attribute *attributes;
    size_t count;
};

extern const struct report_checklist_standard checklist_mining, checklist_sampling,
    checklist_rating;

void report_checklist_write(const struct report_methods_facts *facts,
                            struct report_prose *prose);

/* Adds the text and is the verdict. */
enum report_checklist_verdict report_checklist_say(struct report_prose *prose,
                                                   enum report_checklist_verdict verdict,
                                                   const char *text);

/* What two of the standards ask for. */
enum report_checklist_verdict
report_checklist_no_raters(const struct report_methods_facts *facts,
                           struct report_prose *prose);
enum report_checklist_verdict
report_checklist_raters(const struct report_methods_facts *facts,
                        struct report_prose *prose);
enum report_checklist_verdict
report_checklist_reliability(const struct report_methods_facts *facts,
                             struct report_prose *prose);

#endif
