/* The study file: what it may say, what only several keys together tell, and all its
 * errors at once. */
#include "study/study.h"

#include <string.h>

#include "tests/unit/refused.h"

static const struct refused_row wrong[] = {
    {"several at once",
     "stduy: x\nsource:\n  stackexchange: d\n  untill: 2019-01-01\nsets:\n  a: "
     "'in:nowhere'\n  b: '[x]'\ntables: {t: {of: c}}\n",
     "s.yaml:1:1: unknown key 'stduy'; did you mean 'study'?\n"
     "s.yaml:4:3: unknown key 'untill'; did you mean 'until'?\n"
     "s.yaml:6:7: in:nowhere is not a set\n"
     "s.yaml:8:18: 'c' is not a name under sets/samples; expected one of a, b\n"},
    {"a group of two kinds", REFUSED_HEAD "groups: {g: {field: a, all-of: [x]}}\n",
     "s.yaml:3:14: expected exactly one of first-of, all-of, sets, field, tags, labels, "
     "predicted, topics, phrases and extract, found 2\n"},
    {"a group of a query without a name", REFUSED_HEAD "groups: {g: {all-of: '[x]'}}\n",
     "s.yaml:3:23: expected `name: value` lines, each value a query, or a list of them, "
     "found '[x]'\n"},
    {"queries in a list of tags", REFUSED_HEAD "groups: {g: {all-of: ['[x]']}}\n",
     "s.yaml:3:24: a list names tags, without [ ]"},
    {"labels from nowhere", REFUSED_HEAD "labels: {l: {item: i}}\n",
     "s.yaml:3:14: expected either `from` or `field`\n"},
    {"a separator of two characters",
     REFUSED_HEAD "labels: {l: {field: f, separator: ', '}}\n",
     "s.yaml:3:36: expected one character such as ; found ', '\n"},
    {"not YAML", "source: [", "not readable as YAML"},
};

static const char whole[] =
    "study: chen\ntitle: T\n"
    "source: {stackexchange: [d, /e, $data/f], until: 2019-12-02, also: [comments, "
    "links]}\n"
    "sets:\n  B: '[tensorflow] or [keras]'\n  server: 'in:B and prose:deploy*'\n"
    "  other: 'in:B and not in:server'\n"
    "groups:\n  year: created by year\n  f: {first-of: {K: 'in:server', T: '[t]'}, "
    "others: O}\n"
    "  l: {labels: codes, level: 2}\n"
    "samples:\n  p: {of: server, size: 95% +- 5%, seed: 7, round: down, by: f}\n"
    "  q: {of: p, size: 10, seed: 8}\n  r: {of: server, size: 20, seed: 8, keep: q}\n"
    "codebooks: {c: c.yaml}\n"
    "labels: {codes: {from: l.csv, codebook: c, separator: ;}}\n";

static void check_parts(const struct study *study)
{
    tap_case("groups and labels");
    CHECK(study->groups[0].grouping == STUDY_GROUPING_YEAR);
    CHECK(study->groups[1].count == 2 && str_eq(study->groups[1].others, STR("O")));
    CHECK(study->groups[2].labels == 0 && study->groups[2].level == 2);
    CHECK(study->labels[0].separator == ';' &&
          str_eq(study->labels[0].item, STR("item")));
    CHECK_TEXT(study->labels[0].codebook, "x/c.yaml");
}

int main(void)
{
    struct arena arena = {0};
    struct err err = {0};
    struct buf problems = {0};
    struct study study;

    refused_check(wrong, ROWS(wrong));
    tap_case("four errors are counted");
    CHECK(!study_parse(str_from(wrong[0].text), "s.yaml", &(struct study_options){0},
                       &arena, &study, &problems, &err));
    CHECK_TEXT(err.text, "s.yaml: 4 errors; nothing was run");
    tap_case("a study is read");
    if (refused_not(whole, &arena, &study))
        check_parts(&study);
    tap_case("a study that is not there");
    CHECK(!study_load("nowhere", &(struct study_options){0}, &arena, &study, &problems,
                      &err));
    CHECK(err.kind == ERR_SYSTEM);
    buf_free(&problems);
    arena_free(&arena);
    return tap_done();
}
