/* Prints the checklists as lists that Markdown shows with boxes. */
#include "report/checklist.h"

enum checklist_verdict checklist_say(struct prose *prose, enum checklist_verdict verdict,
                                     const char *text)
{
    prose_add(prose, "%s", text);
    return verdict;
}

static void add_attribute(const struct methods_facts *facts,
                          const struct checklist_attribute *attribute,
                          struct prose *prose)
{
    static const char *const verdicts[] = {
        [CHECKLIST_RECORDED] = "recorded",
        [CHECKLIST_MISSING] = "not recorded",
        [CHECKLIST_YOURS] = "write it yourself",
        [CHECKLIST_NOT_HERE] = "does not apply",
    };
    struct buf text = {0};
    struct prose own = {&text, NULL, prose->numbers, prose->number_count};
    enum checklist_verdict verdict = CHECKLIST_YOURS;

    if (attribute->tell != NULL)
        verdict = attribute->tell(facts, &own);
    else
        prose_add(&own, "%s", attribute->yours);
    prose_point(prose);
    buf_add_format(prose->markdown, "%s **%s** — %s: %.*s.",
                   verdict == CHECKLIST_RECORDED ? "[x]" : "[ ]", attribute->words,
                   verdicts[verdict], STR_ARG(buf_str(&text)));
    buf_free(&text);
}

static void add_standard(const struct methods_facts *facts,
                         const struct checklist_standard *standard, struct prose *prose)
{
    static const char *const levels[] = {[CHECKLIST_ESSENTIAL] = "Essential",
                                         [CHECKLIST_DESIRABLE] = "Desirable",
                                         [CHECKLIST_EXTRAORDINARY] = "Extraordinary"};

    prose_title(prose, 3, standard->name);
    buf_add_format(prose->markdown, "As of %s.", standard->version);
    if (standard->applies != NULL) {
        prose_add(prose, " ");
        if (!standard->applies(facts, prose)) {
            prose_end(prose);
            return;
        }
        prose->markdown->len--;
    }
    prose_end(prose);
    for (size_t i = 0; i < standard->count; i++) {
        const struct checklist_attribute *attribute = &standard->attributes[i];
        if (i == 0 || attribute->level != standard->attributes[i - 1].level) {
            if (i > 0)
                prose_list_end(prose);
            buf_add_format(prose->markdown, "%s:\n\n", levels[attribute->level]);
            prose_list(prose);
        }
        add_attribute(facts, attribute, prose);
    }
    prose_list_end(prose);
}

void checklist_write(const struct methods_facts *facts, struct prose *prose)
{
    prose_title(prose, 2, "Checklist");
    prose_add(prose, "The ACM SIGSOFT Empirical Standards "
                     "(github.com/acmsigsoft/EmpiricalStandards, arXiv:2010.03525), in "
                     "short words. A cross says that the study has recorded it, not that "
                     "the paper reports it; what no tool can know is left to you.");
    prose_end(prose);
    add_standard(facts, &checklist_mining, prose);
    add_standard(facts, &checklist_sampling, prose);
    add_standard(facts, &checklist_rating, prose);
}
