/* Conditions on labels: what they name, and that nothing rests on itself. */
#include "tests/unit/studied.h"

#define HEAD \
    "study: s\nsource: {posts: p.csv}\n" \
    "codebooks: {kinds: k.yaml, bugs: b.yaml}\n" \
    "labels: {theirs: {from: l.csv}, book: {from: l.csv, codebook: kinds}}\n" \
    "labelling:\n" \
    "  kinds: {sample: x, raters: [a]}\n" \
    "  bugs: {sample: x, raters: [a], units: yes}\n" \
    "classifiers: {kinds: {train: kinds, level: 1, seed: 1, predict: x}}\n"
#define KINDS \
    "codebook: kinds\ncodes:\n  crash: Crash\n" \
    "  result: {name: Wrong result, codes: {accuracy: {name: Low accuracy, also: " \
    "[bad]}}}\n"
#define BUGS \
    "codebook: bugs\ndimensions:\n  type: {codes: {api: API}}\n  cause: {codes: {api: " \
    "A}}\n"

static const struct {
    const char *name, *query;
    const char *found; /* the file, the table in it, the code; or what is said */
} rows[] = {
    {"a code by its id", "label:kinds/accuracy",
     "labelling.kinds.result final result/accuracy"},
    {"by its path", "label:kinds/result/accuracy",
     "labelling.kinds.result final result/accuracy"},
    {"by another spelling", "label:kinds/BAD",
     "labelling.kinds.result final result/accuracy"},
    {"by its name", "label:\"kinds/Wrong result\"",
     "labelling.kinds.result final result"},
    {"any code", "label:kinds", "labelling.kinds.result final "},
    {"in a dimension", "label:bugs/cause/api", "labelling.bugs.result final.cause api"},
    {"any code in a dimension", "label:bugs/cause", "labelling.bugs.result final.cause "},
    {"units", "hasunit:bugs", "labelling.bugs.result final.type "},
    {"units with a code", "hasunit:bugs/type/api",
     "labelling.bugs.result final.type api"},
    {"predictions", "predicted:kinds/crash", "classifiers.kinds.result predicted crash"},
    {"labels made elsewhere", "label:theirs/any/thing", "l.csv  any/thing"},
    {"those with a codebook", "label:book/bad", "l.csv  result/accuracy"},
    {"a step that is near", "label:kind/crash",
     "2:19: label:kind/crash: there is no labelling, nor are there labels, 'kind'; did "
     "you mean 'kinds'?"},
    {"no such classifier", "predicted:theirs/x",
     "2:19: predicted:theirs/x: there is no classifier 'theirs'"},
    {"a code that is near", "label:kinds/crush",
     "label:kinds/crush: unknown code 'crush'; did you mean 'crash'?"},
    {"of labels made elsewhere", "label:book/crush",
     "label:book/crush: unknown code 'crush'"},
    {"no dimension", "label:bugs/api",
     "label:bugs/api: the codebook has several dimensions: expected bugs/DIMENSION/CODE "
     "with one of type, cause; found 'api'"},
    {"a code below what is predicted", "predicted:kinds/accuracy",
     "the classifier predicts codes of level 1, and this one stands below"},
    {"no units", "hasunit:kinds/crash",
     "hasunit:kinds/crash: 'kinds' has no units: a labelling has them with `units: yes`"},
};

static void check_row(struct studied *test, size_t i)
{
    struct study_options options = {0};
    struct buf text = {0}, found = {0};
    struct err err = {0};
    struct study study;

    buf_add_format(&text, "sets: {x: '[x]',\n       labelled: 'in:x and not %s'}\n" HEAD,
                   rows[i].query);
    if (study_parse(buf_str(&text), studied_path(test, "study.yaml"), &options,
                    &test->arena, &study, &found, &err)) {
        const struct study_condition *condition = study.conditions;
        if (CHECK(study.condition_count == 1)) {
            const struct study_labels *labels = &study.labels[condition->labels];
            buf_add_format(&found, "%s %.*s %.*s", strrchr(labels->from, '/') + 1,
                           STR_ARG(labels->table), STR_ARG(condition->code));
        }
        CHECK(study_asks_labels(&study, study.sets[1].query));
        CHECK(!study_asks_labels(&study, study.sets[0].query));
    }
    buf_add_char(&found, '\0');
    if (!CHECK(strstr(found.ptr, rows[i].found) != NULL))
        CHECK_TEXT(found.ptr, rows[i].found);
    buf_free(&text);
    buf_free(&found);
}

#define LABELLING \
    "labelling: {kinds: {sample: p, raters: [a]}}\ncodebooks: {kinds: k.yaml}\n"

static const struct {
    const char *name, *text, *problem;
} circles[] = {
    {"a set of what is read of it",
     "sets: {a: 'in:b and label:kinds/crash', b: '[x]'}\n"
     "samples: {p: {of: a, size: 5, seed: 1}}\n" LABELLING,
     "study.yaml:3:12: it leads back to itself: sets.a needs labelling.kinds, which "
     "needs "
     "samples.p, which needs sets.a\n"},
    {"over another set",
     "sets: {c: '[y] and in:a', a: 'label:kinds/crash or [x]'}\n"
     "samples: {p: {of: c, size: 5, seed: 1}}\n" LABELLING,
     "study.yaml:3:12: it leads back to itself: sets.c needs sets.a, which needs "
     "labelling.kinds, which needs samples.p, which needs sets.c\n"},
    {"a sample parted by its labels",
     "sets: {a: '[x]'}\ngroups: {g: {first-of: {c: 'label:kinds/crash'}}}\n"
     "samples: {p: {of: a, size: 5, seed: 1, by: g}}\n" LABELLING,
     "it leads back to itself: samples.p needs labelling.kinds, which needs samples.p\n"},
    {"what is predicted for itself",
     "sets: {a: 'predicted:c/crash', b: '[x]'}\nlabels: {l: {from: l.csv}}\n"
     "classifiers: {c: {train: l, seed: 1, predict: [b, a]}}\n",
     "it leads back to itself: sets.a needs classifiers.c, which needs sets.a\n"},
    {"`take`", "sets: {a: '[x]'}\ntake: 'label:l/x'\nlabels: {l: {from: l.csv}}\n",
     "study.yaml:4:8: `take` cannot ask for labels"},
};

static void check_circle(struct studied *test, size_t i)
{
    struct study_options options = {0};
    struct buf text = {0}, problems = {0};
    struct err err = {0};
    struct study study;

    buf_add_format(&text, "study: s\nsource: {stackexchange: d}\n%s", circles[i].text);
    CHECK(!study_parse(buf_str(&text), studied_path(test, "study.yaml"), &options,
                       &test->arena, &study, &problems, &err));
    buf_add_char(&problems, '\0');
    if (!CHECK(strstr(problems.ptr, circles[i].problem) != NULL))
        CHECK_TEXT(problems.ptr, circles[i].problem);
    buf_free(&text);
    buf_free(&problems);
}

/* A second sample may be drawn by what was said of the first. */
static void check_second(struct studied *test)
{
    struct study_options options = {0};
    struct buf problems = {0};
    struct err err = {0};
    struct study study;

    CHECK(study_parse(STR("study: s\nsource: {stackexchange: d}\nsets: {a: '[x]', b: "
                          "'label:kinds/crash'}\n"
                          "groups: {g: {labels: kinds}}\n"
                          "samples: {p: {of: a, size: 5, seed: 1}, q: {of: b, size: 5, "
                          "seed: 1, by: g}}\n" LABELLING),
                      studied_path(test, "study.yaml"), &options, &test->arena, &study,
                      &problems, &err));
    CHECK(problems.len == 0);
    buf_free(&problems);
}

int main(void)
{
    struct studied test;

    if (!studied_begin(&test))
        return tap_done();
    studied_write(&test, "k.yaml", KINDS);
    studied_write(&test, "b.yaml", BUGS);
    for (size_t i = 0; i < ROWS(rows); i++) {
        tap_case("%s", rows[i].name);
        check_row(&test, i);
    }
    for (size_t i = 0; i < ROWS(circles); i++) {
        tap_case("refused: %s", circles[i].name);
        check_circle(&test, i);
    }
    tap_case("a second sample of what was labelled in the first");
    check_second(&test);
    studied_end(&test);
    return tap_done();
}
