/* The settings file: what it may say, and what it is told when it says something else. */
#include "synth/model.h"

#include "base/date.h"
#include "tests/tap.h"

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
     "f:2:10: expected a number from 0 to 1e+09, found 'many'"},
    {"negative", "kinds: {crash: -1}",
     "f:1:16: expected a number from 0 to 1e+09, found '-1'"},
    {"share above 1", "accepted: {crash: 1.5}",
     "f:1:19: expected a number from 0 to 1, found '1.5'"},
    {"share above 100%", "accepted: {crash: 150%}",
     "f:1:19: expected a number from 0 to 1, found '150%'"},
    {"a list for a number", "kinds: {crash: [1, 2]}",
     "f:1:17: expected a number from 0 to 1e+09, found 'a collection'"},
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
     "f:1:9: expected at least one weight above 0, found '0'"},
    {"a date that is none", "until: 2021-02-30",
     "f:1:8: expected a date such as 2021-09-05, found '2021-02-30'"},
    {"a date outside the years", "until: 2035-01-01",
     "f:1:8: expected a date in the last of the years, found '2035-01-01'"},
    {"a list for all", "- kinds", "f:1:3: expected 'key: value' lines, found ''"},
    {"not YAML", "kinds: {crash: 1",
     "f:2:1: not readable as YAML: missing comma in flow mapping"},
    {"given twice", "kinds: {crash: 1}\nkinds: {crash: 2}",
     "f:2:1: key 'kinds' is given twice; first in line 1"},
};

int main(void)
{
    struct arena arena = {0};
    struct err err = {0};
    struct model model;

    for (size_t i = 0; i < ROWS(wrong); i++) {
        tap_case("refused: %s", wrong[i].name);
        CHECK(!model_parse(str_from(wrong[i].text), "f", &arena, &model, &err));
        CHECK(err.kind == ERR_INPUT);
        CHECK_TEXT(err.text, wrong[i].message);
    }
    tap_case("nothing given: the published marginals");
    CHECK(model_parse(STR("# nothing\n"), "f", &arena, &model, &err));
    CHECK(model.first_year == 2014 && model.years == 8);
    CHECK_NEAR(model_value(&model, MODEL_KINDS, MODEL_INSTALLATION, 2015), 20, 0);
    CHECK_NEAR(model_value(&model, MODEL_KINDS, MODEL_INSTALLATION, 2018), 11, 0);
    CHECK_NEAR(model_value(&model, MODEL_KINDS, MODEL_INSTALLATION, 2017), 14, 1e-12);
    CHECK_NEAR(model_value(&model, MODEL_KINDS, MODEL_INSTALLATION, 2021), 11, 0);
    CHECK_NEAR(model_value(&model, MODEL_ACCEPTED, MODEL_PERFORMANCE, 2016), 0.25, 0);

    tap_case("a number, a percentage and a course over the years");
    CHECK(model_parse(STR("accepted: {crash: 12.5%}\nwait-hours: {crash: 3}\n"
                          "platforms: {server: {2016: 1, 2018: 3}}\n"),
                      "f", &arena, &model, &err));
    CHECK_NEAR(model_value(&model, MODEL_ACCEPTED, MODEL_CRASH, 2016), 0.125, 0);
    CHECK_NEAR(model_value(&model, MODEL_WAIT_HOURS, MODEL_CRASH, 2016), 3, 0);
    CHECK_NEAR(model_value(&model, MODEL_PLATFORMS, MODEL_SERVER, 2014), 1, 0);
    CHECK_NEAR(model_value(&model, MODEL_PLATFORMS, MODEL_SERVER, 2017), 2, 1e-12);
    CHECK_NEAR(model_value(&model, MODEL_ACCEPTED, MODEL_ANOMALY, 2016), 0.34, 0);

    tap_case("years and the end of the corpus");
    CHECK(model_parse(STR("years: {2010: 1, 2012: 3}\nuntil: 2012-06-30\n"), "f", &arena,
                      &model, &err));
    CHECK(model.first_year == 2010 && model.years == 3);
    CHECK(model.until_ms == date_from_civil((struct date){2012, 7, 1}));
    CHECK(date_year(model_moment(&model, 0.2499)) == 2010);
    CHECK(date_year(model_moment(&model, 0.2501)) == 2012);
    CHECK(model_moment(&model, 0.9999999) < model.until_ms);
    arena_free(&arena);
    return tap_done();
}
