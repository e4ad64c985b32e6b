/* The study file: what it may say, what only several keys together tell, and all its
 * errors at once. */
#include "study/study.h"

#include <stdio.h>
#include <string.h>

#include "base/date.h"
#include "tests/tap.h"

#define HEAD "study: s\nsource: {stackexchange: d}\n"

/* Line ends at the end of an expectation: all that is said. */
static const struct {
    const char *name, *text, *problems;
} wrong[] = {
    {"several at once",
     "stduy: x\nsource:\n  stackexchange: d\n  untill: 2019-01-01\nsets:\n  a: "
     "'in:nowhere'\n  b: '[x]'\ntables: {t: {of: c}}\n",
     "s.yaml:1:1: unknown key 'stduy'; did you mean 'study'?\n"
     "s.yaml:4:3: unknown key 'untill'; did you mean 'until'?\n"
     "s.yaml:6:7: in:nowhere is not a set\n"
     "s.yaml:8:18: 'c' is not a name under sets/samples; expected one of a, b\n"},
    {"no source", "study: s\nsets: {a: '[x]'}\n", "s.yaml:1:1: expected 'source:'"},
    {"two ways to say the source",
     "study: s\nsource: {posts: p}\nsources: {b: {posts: q}}\n",
     "s.yaml:2:10: expected either 'source:' or 'sources:'\n"},
    {"a source of two kinds", "study: s\nsource: {posts: p, rows: r}\n",
     "s.yaml:2:10: expected exactly one of stackexchange, posts and rows, found 2\n"},
    {"a source of no kind", "study: s\nsource: {until: 2020-01-01}\n",
     "s.yaml:2:10: expected exactly one of stackexchange, posts and rows, found 0\n"},
    {"columns of a dump", "study: s\nsource: {stackexchange: d, fields: {a: b}}\n",
     "s.yaml:2:10: a dump has no columns to choose from"},
    {"an unknown set, once, however often it is reached",
     HEAD "sets: {server: '[x]', b: 'in:sever', c: 'in:b or in:b'}\n",
     "s.yaml:3:27: in:sever is not a set; did you mean 'server'?\n"},
    {"sets in a circle", HEAD "sets: {a: 'in:b', b: 'in:a'}\n",
     "s.yaml:3:23: in:a leads back to itself\n"},
    {"a set that is itself", HEAD "sets: {a: 'not in:a'}\n",
     "s.yaml:3:12: in:a leads back to itself\n"},
    {"a group of two kinds", HEAD "groups: {g: {field: a, all-of: [x]}}\n",
     "s.yaml:3:14: expected exactly one of first-of, all-of, sets, field, labels, "
     "predicted and topics, found 2\n"},
    {"a group of a query without a name", HEAD "groups: {g: {all-of: '[x]'}}\n",
     "s.yaml:3:23: expected `name: value` lines, each value a query, or a list of them, "
     "found '[x]'\n"},
    {"queries in a list of tags", HEAD "groups: {g: {all-of: ['[x]']}}\n",
     "s.yaml:3:24: a list names tags, without [ ]"},
    {"a sample with a set's name",
     HEAD "sets: {a: '[x]'}\nsamples: {a: {of: a, size: 5, seed: 1}}\n",
     "s.yaml:4:11: 'a' is the name of a set as well\n"},
    {"samples in a circle",
     HEAD "samples:\n  p: {of: q, size: 5, seed: 1}\n  q: {of: p, size: 5, seed: 1}\n",
     "s.yaml:4:7: the sample leads back to itself\n"},
    {"a sample that keeps itself",
     HEAD "sets: {a: '[x]'}\nsamples:\n  p: {of: a, size: 5, seed: 1, keep: p}\n",
     "s.yaml:5:7: the sample leads back to itself\n"},
    {"a sample parted by itself",
     HEAD
     "sets: {a: '[x]'}\ngroups: {g: {sets: [p]}}\nsamples:\n  p: {of: a, size: 5, seed: "
     "1, by: g}\n",
     "s.yaml:6:7: the sample leads back to itself\n"},
    {"a sample that is text", HEAD "samples: {p: q}\n",
     "s.yaml:3:14: expected `key: value` lines, found 'q'\n"},
    {"a systematic top",
     HEAD
     "sets: {a: '[x]'}\nsamples:\n  p: {of: a, size: top 5 by views, seed: 1, method: "
     "systematic}\n",
     "s.yaml:5:7: 'top ... by ...' takes the largest; it cannot be systematic\n"},
    {"a share that leaves nothing to estimate",
     HEAD
     "sets: {a: '[x]'}\nsamples:\n  p: {of: a, size: 95% +- 5%, seed: 1, share: 100%}\n",
     "s.yaml:5:47: expected a number from 0.001 to 0.999, found '100%'\n"},
    {"labels from nowhere", HEAD "labels: {l: {item: i}}\n",
     "s.yaml:3:14: expected either `from` or `field`\n"},
    {"a separator of two characters", HEAD "labels: {l: {field: f, separator: ', '}}\n",
     "s.yaml:3:36: expected one character such as ; found ', '\n"},
    {"a value of each item is no column", HEAD "tables: {t: {columns: [views]}}\n",
     "s.yaml:3:24: 'views' is a value of each item; say which of them"},
    {"a measure in a set that is none", HEAD "tables: {t: {columns: [share in b]}}\n",
     "s.yaml:3:24: in:b is not a set\n"},
    {"no columns", HEAD "tables: {t: {columns: []}}\n", "expected at least one column\n"},
    {"two columns of one name", HEAD "tables: {t: {columns: [count, count]}}\n",
     "s.yaml:3:31: two columns are called 'count'; give one a name"},
    {"sorted by no column", HEAD "tables: {t: {columns: [count], sort: counts}}\n",
     "s.yaml:3:38: 'counts' is not a column of the table; did you mean 'count'?\n"},
    {"ranks of which group across",
     HEAD
     "groups: {y: created by year}\ntables: {t: {across: y, columns: [count, share], "
     "rank-correlation: [count, share]}}\n",
     "`rank-correlation` does not go with `across`: which of the groups?"},
    {"one column to correlate", HEAD "tables: {t: {rank-correlation: [count]}}\n",
     "s.yaml:3:33: expected two columns, found 1\n"},
    {"totals of nothing", HEAD "tables: {t: {totals: rows}}\n",
     "s.yaml:3:14: totals of rows need `across`: there is nothing to add up\n"},
    {"where without such a group", HEAD "tables: {t: {where: {k: x}}}\n",
     "s.yaml:3:22: 'k' is not a name under groups:"},
    {"$data without a folder for it", "study: s\nsource: {stackexchange: $data/d}\n",
     "s.yaml:2:25: '$data/d' needs a folder for $data: give --data DIR, or set "
     "ASSAY_DATA\n"},
    {"not YAML", "source: [", "not readable as YAML"},
};

static void check_wrong(size_t i)
{
    struct arena arena = {0};
    struct buf problems = {0};
    struct study_options options = {0};
    struct err err = {0};
    struct study study;
    size_t len = strlen(wrong[i].problems);

    CHECK(!study_parse(str_from(wrong[i].text), "s.yaml", &options, &arena, &study,
                       &problems, &err));
    buf_add_char(&problems, '\0');
    CHECK(err.kind == ERR_INPUT);
    const char *found = strstr(problems.ptr, wrong[i].problems);
    bool whole = wrong[i].problems[len - 1] == '\n' && wrong[i].problems[0] == 's';
    if (!CHECK(found != NULL &&
               (!whole || (found == problems.ptr && found[len] == '\0'))))
        CHECK_TEXT(problems.ptr, wrong[i].problems);
    buf_free(&problems);
    arena_free(&arena);
}

/* Each set names the one before twice: 2^60 conditions when written out. */
static void check_doubling(void)
{
    struct arena arena = {0};
    struct buf text = {0}, problems = {0};
    struct study_options options = {0};
    struct err err = {0};
    struct study study;

    tap_case("sets that double are refused, not written out");
    buf_add(&text, STR(HEAD "sets:\n  s0: '[x]'\n"));
    for (int i = 1; i <= 60; i++)
        buf_add_format(&text, "  s%d: 'in:s%d or not in:s%d'\n", i, i - 1, i - 1);
    CHECK(!study_parse(buf_str(&text), "s.yaml", &options, &arena, &study, &problems,
                       &err));
    buf_add_char(&problems, '\0');
    CHECK(strstr(problems.ptr, "more than 100000 conditions") != NULL);
    buf_free(&text);
    buf_free(&problems);
    arena_free(&arena);
}

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
    "labels: {codes: {from: l.csv, codebook: c, separator: ;}}\n"
    "tables:\n  t: {of: [server, q], by: [year, f], across: l, totals: both, unit: "
    "rows,\n"
    "      columns: [count, {measure: median views, name: V, digits: 1, round-first: "
    "2}],\n"
    "      round-first: 3, minimum-age: 30, sort: V, where: {f: K}, top: 4, small: 9,\n"
    "      confidence: 90%}\n"
    "  u: {by: year, columns: [count, {measure: median views, name: V}],\n"
    "      rank-correlation: [count, V]}\n";

static void check_sources(const struct study *study)
{
    tap_case("sources: paths from the study's folder, $data, a day that belongs to it");
    CHECK(study->source_count == 1 && study->sources[0].path_count == 3);
    CHECK_TEXT(study->sources[0].paths[0], "x/d");
    CHECK_TEXT(study->sources[0].paths[1], "/e");
    CHECK_TEXT(study->sources[0].paths[2], "/data/f");
    CHECK(study->sources[0].until_ms == date_from_civil((struct date){2019, 12, 3}));
    CHECK(study_end_ms(study) == study->sources[0].until_ms);
    CHECK(study->comments && study->links && !study->users && !study->votes);
}

static void check_sets(const struct study *study)
{
    struct buf printed = {0};

    tap_case("sets inside sets are written out");
    query_print(study->sets[2].written, &printed);
    buf_add_char(&printed, '\0');
    CHECK(strstr(printed.ptr, "in:") == NULL && strstr(printed.ptr, "deploy*") != NULL);
    buf_clear(&printed);
    query_print(study->groups[1].queries[0], &printed);
    CHECK(memchr(printed.ptr, ':', printed.len) != NULL && printed.ptr[0] != 'i');
    buf_free(&printed);
}

static void check_parts(const struct study *study)
{
    const struct study_sample *sample = study->samples;
    const struct study_table *table = &study->tables[0];

    tap_case("groups, samples and labels");
    CHECK(study->groups[0].grouping == GROUPING_YEAR);
    CHECK(study->groups[1].count == 2 && str_eq(study->groups[1].others, STR("O")));
    CHECK(study->groups[2].labels == 0 && study->groups[2].level == 2);
    CHECK(sample[0].size.rule.round == SIZE_DOWN && sample[0].seed == 7 &&
          sample[0].by == 1);
    CHECK(sample[0].keep == STUDY_NONE && sample[2].keep == 1);
    CHECK(study->labels[0].separator == ';' &&
          str_eq(study->labels[0].item, STR("item")));
    CHECK_TEXT(study->labels[0].codebook, "x/c.yaml");
    tap_case("a table");
    CHECK(table->of_count == 2 && table->by_count == 2 && table->across[0] == 2);
    CHECK(table->totals == (STUDY_TOTAL_ROWS | STUDY_TOTAL_COLUMNS) && table->unit_rows);
    CHECK(table->columns[0].round_first == 3 && table->columns[1].round_first == 2);
    CHECK(table->columns[0].digits == -1 && table->columns[1].digits == 1);
    CHECK(table->columns[1].minimum_age_days == 30 && table->sort == 1 &&
          table->descending);
    CHECK(table->top == 4 && table->small == 9 && table->confidence == 0.9);
    CHECK(table[1].ranked[0] == 0 && table[1].ranked[1] == 1);
    CHECK(table->where[0].group == 1 && str_eq(table->where[0].value, STR("K")));
}

int main(void)
{
    struct arena arena = {0};
    struct err err = {0};
    struct buf problems = {0};
    struct study study;

    for (size_t i = 0; i < ROWS(wrong); i++) {
        tap_case("refused: %s", wrong[i].name);
        check_wrong(i);
    }
    check_doubling();
    tap_case("four errors are counted");
    CHECK(!study_parse(str_from(wrong[0].text), "s.yaml", &(struct study_options){0},
                       &arena, &study, &problems, &err));
    CHECK_TEXT(err.text, "s.yaml: 4 errors; nothing was run");
    tap_case("a study is read");
    buf_clear(&problems);
    if (CHECK(study_parse(str_from(whole), "x/s.yaml", &(struct study_options){"/data"},
                          &arena, &study, &problems, &err))) {
        check_sources(&study);
        check_sets(&study);
        check_parts(&study);
    } else {
        printf("# %.*s\n", STR_ARG(buf_str(&problems)));
    }
    tap_case("a study that is not there");
    CHECK(!study_load("nowhere", &(struct study_options){0}, &arena, &study, &problems,
                      &err));
    CHECK(err.kind == ERR_SYSTEM);
    buf_free(&problems);
    arena_free(&arena);
    return tap_done();
}
