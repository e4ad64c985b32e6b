/* Settings files, right and wrong. */
#include "synth/model.h"

#include <string.h>

#include "base/buf.h"
#include "base/date.h"
#include "synth/internal.h"
#include "tests/tap.h"

/* The settings file: what it may say, and what it is told when it says something else. */

static const struct {
    const char *name, *text, *message;
} wrong[] = {
    {"unknown key, near", "kind: {crash: 1}",
     "f:1:1: unknown key 'kind'; did you mean 'kinds'?"},
    {"unknown key, far", "zebra: 1",
     "f:1:1: unknown key 'zebra'; assay-synth(5) lists the keys"},
    {"unknown name", "kinds:\n  crush: 1",
     "f:2:3: unknown key 'crush'; did you mean 'crash'?"},
    {"not a number", "kinds:\n  crash: many",
     "f:2:10: expected a number from 0 to 1000000000, found 'many'"},
    {"negative", "kinds: {crash: -1}",
     "f:1:16: expected a number from 0 to 1000000000, found '-1'"},
    {"share above 1", "accepted: {crash: 1.5}",
     "f:1:19: expected a number from 0 to 1, found '1.5'"},
    {"share above 100%", "accepted: {crash: 150%}",
     "f:1:19: expected a number from 0 to 1, found '150%'"},
    {"a list for a number", "kinds: {crash: [1, 2]}",
     "f:1:17: expected a number from 0 to 1000000000, found 'a list'"},
    {"a number for a section", "kinds: 3",
     "f:1:8: expected 'name: number' lines, found '3'"},
    {"not a year", "kinds: {crash: {soon: 1}}",
     "f:1:17: expected a year from 1970 to 2100, found 'soon'"},
    {"years that descend", "kinds: {crash: {2018: 1, 2015: 2}}",
     "f:1:26: expected years in ascending order, found '2015'"},
    {"weights that are all 0",
     "kinds: {implementation: 0, crash: 0, anomaly: 0, migration: 0,\n"
     "  performance: 0, comprehension: 0, installation: 0}",
     "f:1:9: kinds: expected a weight above 0 in every year, found none in 2014"},
    {"years without weight", "years: {2015: 0}",
     "f:1:9: expected at least one weight above 0, found none"},
    {"a date that is none", "until: 2021-02-30",
     "f:1:8: expected a date such as 2021-09-05, found '2021-02-30'"},
    {"a date outside the years", "until: 2035-01-01",
     "f:1:8: expected a date in 2021, the last year, found '2035-01-01'"},
    {"a list for all", "- kinds", "f:1:3: expected 'key: value' lines, found 'a list'"},
    {"a list for a section", "kinds: [1]",
     "f:1:9: expected 'name: number' lines, found 'a list'"},
    {"a date with a time", "until: 2021-02-03T10:00",
     "f:1:8: expected a date such as 2021-09-05, found '2021-02-03T10:00'"},
    {"a percentage of hours", "wait-hours: {crash: 50%}",
     "f:1:21: expected a number from 0 to 1000000, found '50%'"},
    {"a sigma beyond all sites", "shapes: {views-sigma: 1000}",
     "f:1:23: expected a number from 0 to 5, found '1000'"},
    {"a score beyond all sites", "shapes: {score-median: 1e6}",
     "f:1:24: expected a number from 0 to 10000, found '1e6'"},
    {"a correlation above 1", "shapes: {score-views-correlation: 2}",
     "f:1:35: expected a number from 0 to 1, found '2'"},
    {"more platforms than migration questions", "platforms: {server: 30}",
     "f:1:13: platforms: 30.00% of the questions of 2014, but only 14.00% are migration "
     "questions, the only ones with a platform"},
    {"no migration questions at all", "kinds: {migration: 0}",
     "f:1:9: platforms: 0.60% of the questions of 2015, but only 0.00% are migration "
     "questions, the only ones with a platform"},
    {"several at once",
     "zebra: 1\nkinds: {crash: x, anomaly: -1}\nuntil: soon\nyears: {2015: 0}",
     "f:1:1: unknown key 'zebra'; assay-synth(5) lists the keys\n"
     "f:2:16: expected a number from 0 to 1000000000, found 'x'\n"
     "f:2:28: expected a number from 0 to 1000000000, found '-1'\n"
     "f:3:8: expected a date such as 2021-09-05, found 'soon'\n"
     "f:4:9: expected at least one weight above 0, found none"},
    {"given twice", "kinds: {crash: 1}\nkinds: {crash: 2}",
     "f:2:1: key 'kinds' is given twice; first in line 1; put what is below it under "
     "line 1"},
};

static void test_settings(void)
{
    struct arena arena = {0};
    struct err err = {0};
    struct synth_model model;

    for (size_t i = 0; i < ROWS(wrong); i++) {
        tap_case("refused: %s", wrong[i].name);
        CHECK(!synth_model_parse(str_from(wrong[i].text), "f", &arena, &model, &err));
        CHECK(err.kind == ERR_INPUT);
        CHECK_TEXT(err.text, wrong[i].message);
    }
    tap_case("refused: not YAML"); /* the rest is the library's text */
    CHECK(!synth_model_parse(STR("kinds: {crash: 1"), "f", &arena, &model, &err));
    CHECK(err.kind == ERR_INPUT && strstr(err.text, "not readable as YAML") != NULL);

    tap_case("refused: more than a message holds");
    struct buf many = {0};
    buf_add(&many, STR("kinds:\n"));
    for (int i = 0; i < 60; i++)
        buf_add_format(&many, "  %c%c: 1\n", 'a' + i / 10, 'a' + i % 10);
    CHECK(!synth_model_parse(buf_str(&many), "f", &arena, &model, &err));
    CHECK(strncmp(err.text, "f:2:3: unknown key 'aa'", 23) == 0);
    int told = 0;
    for (const char *c = err.text; *c != '\0'; c++)
        told += *c == '\n';
    const char *rest = strstr(err.text, "\nand ");
    CHECK(rest != NULL && told > 10);
    CHECK_TEXT(rest != NULL ? strstr(rest, " more") : "", " more");
    buf_free(&many);

    tap_case("a file without end is not read to its end");
    CHECK(!synth_model_load("/dev/zero", &arena, &model, &err));
    CHECK_TEXT(err.text, "/dev/zero: expected at most 1048576 bytes, found more");

    tap_case("a correlation may be a percentage");
    CHECK(synth_model_parse(STR("shapes: {score-views-correlation: 75%}"), "f", &arena,
                            &model, &err));
    CHECK_NEAR(
        synth_model_value(&model, SYNTH_MODEL_SHAPES, SYNTH_MODEL_SCORE_VIEWS, 2018),
        0.75, 0);

    tap_case("nothing given: the published marginals");
    CHECK(synth_model_parse(STR("# nothing\n"), "f", &arena, &model, &err));
    CHECK(model.first_year == 2014 && model.years == 8);
    CHECK_NEAR(
        synth_model_value(&model, SYNTH_MODEL_KINDS, SYNTH_MODEL_INSTALLATION, 2015), 20,
        0);
    CHECK_NEAR(
        synth_model_value(&model, SYNTH_MODEL_KINDS, SYNTH_MODEL_INSTALLATION, 2018), 11,
        0);
    CHECK_NEAR(
        synth_model_value(&model, SYNTH_MODEL_KINDS, SYNTH_MODEL_INSTALLATION, 2017), 14,
        1e-12);
    CHECK_NEAR(
        synth_model_value(&model, SYNTH_MODEL_KINDS, SYNTH_MODEL_INSTALLATION, 2021), 11,
        0);
    CHECK_NEAR(
        synth_model_value(&model, SYNTH_MODEL_ACCEPTED, SYNTH_MODEL_PERFORMANCE, 2016),
        0.25, 0);

    tap_case("a number, a percentage and a course over the years");
    CHECK(synth_model_parse(STR("accepted: {crash: 12.5%}\nwait-hours: {crash: 3}\n"
                                "platforms: {server: {2016: 1, 2018: 3}}\n"),
                            "f", &arena, &model, &err));
    CHECK_NEAR(synth_model_value(&model, SYNTH_MODEL_ACCEPTED, SYNTH_MODEL_CRASH, 2016),
               0.125, 0);
    CHECK_NEAR(synth_model_value(&model, SYNTH_MODEL_WAIT_HOURS, SYNTH_MODEL_CRASH, 2016),
               3, 0);
    CHECK_NEAR(synth_model_value(&model, SYNTH_MODEL_PLATFORMS, SYNTH_MODEL_SERVER, 2014),
               1, 0);
    CHECK_NEAR(synth_model_value(&model, SYNTH_MODEL_PLATFORMS, SYNTH_MODEL_SERVER, 2017),
               2, 1e-12);
    CHECK_NEAR(synth_model_value(&model, SYNTH_MODEL_ACCEPTED, SYNTH_MODEL_ANOMALY, 2016),
               0.34, 0);

    tap_case("years and the end of the corpus");
    CHECK(synth_model_parse(STR("years: {2010: 1, 2012: 3}\nuntil: 2012-06-30\n"), "f",
                            &arena, &model, &err));
    CHECK(model.first_year == 2010 && model.years == 3);
    CHECK(model.until_ms == date_from_civil((struct date){2012, 7, 1}));
    CHECK(date_year(synth_model_moment(&model, 0.2499)) == 2010);
    CHECK(date_year(synth_model_moment(&model, 0.2501)) == 2012);
    CHECK(synth_model_moment(&model, 0.9999999) < model.until_ms);
    arena_free(&arena);
}

/* What is wrong with a file: told in its order, as far as a message goes. */

static void test_problems(void)
{
    struct arena arena = {0};
    struct synth_problems problems = {.path = "s.yaml", .arena = &arena};
    const struct yaml_node later = {.type = YAML_SCALAR,
                                    .text = STR("abc"),
                                    .line = 3,
                                    .column = 2},
                           earlier = {.type = YAML_MAPPING, .line = 1, .column = 5};
    const struct str names[] = {STR("abcd"), STR("other")};
    struct err err = {0};

    tap_case("each is noted and false");
    CHECK(!synth_problems_key(&problems, &later, names, 2));
    CHECK(!synth_problems_wrong(&problems, &earlier, "expected a number"));
    CHECK(problems.count == 2);
    CHECK(!synth_problems_tell(&problems, &err) && err.kind == ERR_INPUT);
    CHECK_TEXT(err.text, "s.yaml:1:5: expected a number, found 'a mapping'\n"
                         "s.yaml:3:2: unknown key 'abc'; did you mean 'abcd'?");
    tap_case("a key that is like none");
    problems.count = 0;
    CHECK(!synth_problems_key(&problems, &later, names + 1, 1));
    CHECK(!synth_problems_tell(&problems, &err));
    CHECK_TEXT(err.text, "s.yaml:3:2: unknown key 'abc'; assay-synth(5) lists the keys");
    tap_case("more than are kept, or than a message holds");
    problems.count = 0;
    for (int i = 0; i < 80; i++)
        CHECK(!synth_problems_add(&problems, &later,
                                  "a problem of some length, number %d", i));
    CHECK(!synth_problems_tell(&problems, &err) && problems.count == 80);
    CHECK(strstr(err.text, " more") != NULL);
    arena_free(&arena);
}

int main(void)
{
    test_settings();
    test_problems();
    return tap_done();
}
