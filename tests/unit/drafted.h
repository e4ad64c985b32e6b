/* For tests of the draft on methods: a study, numbers that stand for its results, and
 * whether a part of the draft says something. */
#ifndef TESTS_UNIT_DRAFTED_H
#define TESTS_UNIT_DRAFTED_H

#include <math.h>
#include <string.h>

#include "report/methods.h"
#include "tests/tap.h"

#define DRAFTED_HEAD "study: s\nsource: {posts: p.csv}\nsets: {x: '[x]', y: '[y]'}\n"

#define DRAFTED_NUMBER(name, is) \
    { \
        .column = STR_INIT(name), .value = (is), .low = NAN, .high = NAN, .n = -1 \
    }

#define DRAFTED_CELL(of, name, is, from, to, items) \
    { \
        .row = STR_INIT(of), .column = STR_INIT(name), .value = (is), .low = (from), \
        .high = (to), .n = (items) \
    }

#define DRAFTED_FUNNEL(name, is, condition) \
    { \
        .column = STR_INIT(name), .value = (is), .low = NAN, .high = NAN, .n = -1, \
        .heading = STR_INIT(condition) \
    }

/* The results of every study of these tests; what a study does not have is not asked
 * for. */
static struct result_number drafted_corpus[] = {DRAFTED_NUMBER("questions", 1200),
                                                DRAFTED_NUMBER("answers", 1),
                                                DRAFTED_NUMBER("rows", 0)};
static struct result_number drafted_census[] = {DRAFTED_NUMBER("questions", 5000),
                                                DRAFTED_NUMBER("accepted", 2000)};
static struct result_number drafted_set[] = {DRAFTED_NUMBER("count", 1),
                                             DRAFTED_FUNNEL("funnel.1", 400, "[x]"),
                                             DRAFTED_FUNNEL("funnel.2", 1, "score:5..")};
static struct result_number drafted_sample[] = {DRAFTED_NUMBER("count", 10),
                                                DRAFTED_NUMBER("frame", 1)};
static struct result_number drafted_table[] = {
    DRAFTED_CELL("a", "count", 3, NAN, NAN, 3),
    DRAFTED_CELL("a", "share", 0.30, 0.25, 0.35, 300),
    DRAFTED_CELL("b", "count", 200, NAN, NAN, 200),
    DRAFTED_CELL("b", "share", 0.32, 0.28, 0.36, 3),
    DRAFTED_CELL("c", "count", 200, NAN, NAN, 200),
    DRAFTED_CELL("c", "share", 0.90, 0.85, 0.95, 300)};
static struct result_number drafted_test[] = {
    DRAFTED_NUMBER("p", 0.01), DRAFTED_CELL("a-v-b", "p", 0.02, NAN, NAN, -1),
    DRAFTED_CELL("a-v-c", "p", NAN, NAN, NAN, -1)};
static struct result_number drafted_once[] = {DRAFTED_NUMBER("p", 0.01)};
static struct result_number drafted_labels[] = {DRAFTED_NUMBER("count", 7)};
static struct result_number drafted_labelling[] = {
    DRAFTED_NUMBER("unanimous", 20), DRAFTED_NUMBER("single", 1),
    DRAFTED_NUMBER("adjudicated", 3), DRAFTED_NUMBER("unresolved", 2),
    DRAFTED_NUMBER("pending", 0)};

static struct result_number drafted_units[] = {DRAFTED_NUMBER("single", 1),
                                               DRAFTED_NUMBER("unresolved", 2),
                                               DRAFTED_NUMBER("f1", 0.8)};

static struct result_number drafted_phrases[] = {
    DRAFTED_NUMBER("decisions", 4), DRAFTED_NUMBER("people", 2),
    DRAFTED_NUMBER("merges-of-both", 2), DRAFTED_NUMBER("same-verdict", 0.5),
    DRAFTED_NUMBER("kappa-of-verdicts", 0.4)};

#define DRAFTED_STEP(name, numbers) \
    { \
        STR_INIT(name), (numbers), ROWS(numbers) \
    }

static const struct result_numbers drafted_numbers[] = {
    DRAFTED_STEP("corpus", drafted_corpus),
    DRAFTED_STEP("census", drafted_census),
    DRAFTED_STEP("sets.x", drafted_set),
    DRAFTED_STEP("samples.p", drafted_sample),
    DRAFTED_STEP("tables.t", drafted_table),
    DRAFTED_STEP("tests.h", drafted_test),
    DRAFTED_STEP("tests.k", drafted_once),
    DRAFTED_STEP("labels.l", drafted_labels),
    DRAFTED_STEP("labelling.k", drafted_labelling),
    DRAFTED_STEP("labelling.u", drafted_units),
    DRAFTED_STEP("phrases.v", drafted_phrases)};

struct drafted {
    struct arena arena;
    struct study study;
    struct report_methods_facts facts;
    struct report_methods_sample samples[1];
    struct str says[1];
    struct report_methods_labelling labellings[1];
    struct report_methods_round rounds[2];
    struct study_codebook codebook;
    struct study_codebook_dimension dimension;
    struct report_methods_agreement agreements[1];
    struct buf markdown, latex;
};

/* The study is DRAFTED_HEAD, unless the text has a source itself, and the text. */
static inline void drafted_begin(struct drafted *test, const char *study)
{
    struct buf text = {0}, problems = {0};
    struct study_options options = {0};
    struct err err = {0};

    *test = (struct drafted){0};
    buf_add_format(&text, "%s%s", strstr(study, "study:") != NULL ? "" : DRAFTED_HEAD,
                   study);
    CHECK(study_parse(buf_str(&text), "study.yaml", &options, &test->arena, &test->study,
                      &problems, &err));
    buf_add_char(&problems, '\0');
    CHECK_TEXT(problems.ptr, "");
    buf_free(&problems);
    buf_free(&text);
    test->samples[0] = (struct report_methods_sample){0.95, 0.0499};
    test->labellings[0].settings = test->study.labellings;
    test->facts = (struct report_methods_facts){.study = &test->study,
                                                .version = "9.9",
                                                .numbers = drafted_numbers,
                                                .number_count = ROWS(drafted_numbers),
                                                .samples = test->samples,
                                                .labellings = test->labellings,
                                                .agreements = test->agreements,
                                                .label_says = test->says};
}

/* Two raters have labelled in a round that is closed, or opened and still open. */
static inline void drafted_label(struct drafted *test)
{
    struct report_methods_labelling *labelling = &test->labellings[0];

    test->dimension = (struct study_codebook_dimension){
        .id = STR("k"), .name = STR("Kind_of"), .count = 4};
    test->codebook = (struct study_codebook){.dimensions = &test->dimension, .count = 1};
    test->rounds[0] = (struct report_methods_round){.kind = "main",
                                                    .opened_ms = 1,
                                                    .closed_ms = 86400000,
                                                    .items = 26,
                                                    .assigned = 52,
                                                    .done = 52};
    *labelling = (struct report_methods_labelling){.settings = test->study.labellings,
                                                   .codebook = &test->codebook,
                                                   .items = 26,
                                                   .versions = 1,
                                                   .rounds = test->rounds,
                                                   .round_count = 1};
    test->agreements[0] = (struct report_methods_agreement){
        .labels = STUDY_NONE,
        .name = STR("Kind_of"),
        .raters = 2,
        .items = 25,
        .observed = 0.8,
        .coefficient = "Cohen's kappa",
        .value = {.value = 0.71, .low = 0.5, .high = 0.9},
        .address = STR("labelling.k")};
    test->facts.agreement_count = 1;
}

static inline void drafted_end(struct drafted *test)
{
    buf_free(&test->markdown);
    buf_free(&test->latex);
    arena_free(&test->arena);
}

/* Writes one part anew. */
static inline void drafted_write(struct drafted *test, const char *part)
{
    struct report_prose prose = {&test->markdown, &test->latex, test->facts.numbers,
                                 test->facts.number_count};

    buf_clear(&test->markdown);
    buf_clear(&test->latex);
    report_methods_part(&test->facts, part, &prose);
    buf_add_char(&test->markdown, '\0');
    buf_add_char(&test->latex, '\0');
}

static inline bool drafted_says(const struct drafted *test, const char *text)
{
    return strstr(test->markdown.ptr, text) != NULL;
}

/* A sentence with its condition: of one study it is said, of the other it is not. */
struct drafted_row {
    const char *name;
    const char *with, *without; /* studies; NULL: does not matter */
    const char *health;         /* of `with`: lines such as "questions=2" */
    const char *says;
};

static inline void drafted_add_health(struct drafted *test, struct str lines)
{
    struct str line, name;

    while (str_cut(&lines, '\n', &line)) {
        str_cut(&line, '=', &name);
        result_health_add(&test->facts.health, name, line, &test->arena);
    }
}

static inline void drafted_check(const struct drafted_row *rows, size_t count,
                                 const char *part)
{
    for (size_t i = 0; i < count; i++) {
        struct drafted test;
        tap_case("%s", rows[i].name);
        drafted_begin(&test, rows[i].with);
        if (rows[i].health != NULL)
            drafted_add_health(&test, str_from(rows[i].health));
        drafted_write(&test, part);
        if (!drafted_says(&test, rows[i].says))
            CHECK_TEXT(test.markdown.ptr, rows[i].says);
        drafted_end(&test);
        drafted_begin(&test, rows[i].without != NULL ? rows[i].without : rows[i].with);
        drafted_write(&test, part);
        if (rows[i].without != NULL || rows[i].health != NULL)
            CHECK(!drafted_says(&test, rows[i].says));
        drafted_end(&test);
    }
}

#endif
