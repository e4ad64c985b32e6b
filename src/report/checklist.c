/* Prints the checklists as lists that Markdown shows with boxes. */
#include "report/checklist.h"

enum report_checklist_verdict report_checklist_say(struct report_prose *prose,
                                                   enum report_checklist_verdict verdict,
                                                   const char *text)
{
    report_prose_add(prose, "%s", text);
    return verdict;
}

static void add_attribute(const struct report_methods_facts *facts,
                          const struct report_checklist_attribute *attribute,
                          struct report_prose *prose)
{
    static const char *const verdicts[] = {
        [REPORT_CHECKLIST_RECORDED] = "recorded",
        [REPORT_CHECKLIST_MISSING] = "not recorded",
        [REPORT_CHECKLIST_YOURS] = "write it yourself",
        [REPORT_CHECKLIST_NOT_HERE] = "does not apply",
    };
    struct buf text = {0};
    struct report_prose own = {&text, NULL, prose->numbers, prose->number_count};
    enum report_checklist_verdict verdict = REPORT_CHECKLIST_YOURS;

    if (attribute->tell != NULL)
        verdict = attribute->tell(facts, &own);
    else
        report_prose_add(&own, "%s", attribute->yours);
    report_prose_point(prose);
    buf_add_format(prose->markdown, "%s **%s** — %s: %.*s.",
                   verdict == REPORT_CHECKLIST_RECORDED ? "[x]" : "[ ]", attribute->words,
                   verdicts[verdict], STR_ARG(buf_str(&text)));
    buf_free(&text);
}

static void add_standard(const struct report_methods_facts *facts,
                         const struct report_checklist_standard *standard,
                         struct report_prose *prose)
{
    static const char *const levels[] = {[REPORT_CHECKLIST_ESSENTIAL] = "Essential",
                                         [REPORT_CHECKLIST_DESIRABLE] = "Desirable",
                                         [REPORT_CHECKLIST_EXTRAORDINARY] =
                                             "Extraordinary"};

    report_prose_title(prose, 3, standard->name);
    buf_add_format(prose->markdown, "As of %s.", standard->version);
    if (standard->applies != NULL) {
        report_prose_add(prose, " ");
        if (!standard->applies(facts, prose)) {
            report_prose_end(prose);
            return;
        }
        prose->markdown->len--;
    }
    report_prose_end(prose);
    for (size_t i = 0; i < standard->count; i++) {
        const struct report_checklist_attribute *attribute = &standard->attributes[i];
        if (i == 0 || attribute->level != standard->attributes[i - 1].level) {
            if (i > 0)
                report_prose_list_end(prose);
            buf_add_format(prose->markdown, "%s:\n\n", levels[attribute->level]);
            report_prose_list(prose);
        }
        add_attribute(facts, attribute, prose);
    }
    report_prose_list_end(prose);
}

void report_checklist_write(const struct report_methods_facts *facts,
                            struct report_prose *prose)
{
    report_prose_title(prose, 2, "Checklist");
    report_prose_add(prose,
                     "The ACM SIGSOFT Empirical Standards "
                     "(github.com/acmsigsoft/EmpiricalStandards, arXiv:2010.03525), in "
                     "short words. A cross says that the study has recorded it, not that "
                     "the paper reports it; what no tool can know is left to you.");
    report_prose_end(prose);
    add_standard(facts, &checklist_mining, prose);
    add_standard(facts, &checklist_sampling, prose);
    add_standard(facts, &checklist_rating, prose);
}
