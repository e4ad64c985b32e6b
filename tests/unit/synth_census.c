/* truth.json and the page for people, from made-up counts. */
#include "synth/synth.h"

#include <string.h>

#include "tests/tap.h"

int main(void)
{
    struct arena arena = {0};
    struct err err = {0};
    static struct synth_summary summary;
    struct synth_options options = {.folder = "d", .seed = 7};
    struct buf out = {0};

    CHECK(synth_model_load(NULL, &arena, &summary.model, &err));
    tap_case("no questions: shares are null, not 0");
    synth_census_json(&options, &summary, &out);
    buf_add_char(&out, '\0');
    CHECK(strstr(out.ptr,
                 "\"crash\": {\"count\": 0, \"share\": null, \"planted\": null") != NULL);
    CHECK(strstr(out.ptr, "nan") == NULL);

    tap_case("planted shares are the chances of all questions");
    summary.counts.questions = 4;
    summary.counts.chances[SYNTH_MODEL_KINDS][SYNTH_MODEL_INSTALLATION] =
        SYNTH_ONE / 100 * 71;
    summary.counts.chances[SYNTH_MODEL_KINDS][SYNTH_MODEL_ANOMALY] = SYNTH_ONE / 100 * 44;
    summary.counts.chances[SYNTH_MODEL_KINDS][SYNTH_MODEL_CRASH] = SYNTH_ONE / 100 * 285;
    summary.counts.chances[SYNTH_MODEL_PLATFORMS][SYNTH_MODEL_BROWSER] = SYNTH_ONE / 10;
    summary.counts.labels[SYNTH_MODEL_KINDS][SYNTH_MODEL_INSTALLATION] = 1;
    summary.counts.labels[SYNTH_MODEL_KINDS][SYNTH_MODEL_CRASH] = 3;
    buf_clear(&out);
    synth_census_json(&options, &summary, &out);
    buf_add_char(&out, '\0');
    CHECK(strstr(out.ptr,
                 "\"installation\": {\"count\": 1, \"share\": 0.250000, "
                 "\"planted\": 0.177500, \"accepted\": 0, \"as_second\": 0}") != NULL);
    buf_clear(&out);
    synth_census_text(&options, &summary, &out);
    buf_add_char(&out, '\0');
    CHECK(strstr(out.ptr, "    installation             1   25.0%   17.8%    0.0%\n") !=
          NULL);
    CHECK(strstr(out.ptr, "    anomaly                  0    0.0%   11.0%       -\n") !=
          NULL);

    tap_case("shares of platforms are among all questions");
    CHECK(strstr(out.ptr, "    browser                  0    0.0%    2.5%\n") != NULL);

    tap_case("what was asked for is told");
    options.version = "1.2";
    options.questions = 4;
    options.background = 9;
    buf_clear(&out);
    synth_census_json(&options, &summary, &out);
    buf_add_char(&out, '\0');
    CHECK(strstr(out.ptr, "\"version\": \"1.2\",\n  \"seed\": 7,") != NULL);
    CHECK(strstr(out.ptr,
                 "{\"questions\": 4, \"background\": 9, \"own_settings\": false, "
                 "\"difficulty\": 0},\n  \"confusion\": 0,\n") != NULL);
    options.confusion = -1;
    options.settings = "own.yaml";
    buf_clear(&out);
    synth_census_json(&options, &summary, &out);
    buf_add_char(&out, '\0');
    CHECK(strstr(out.ptr, "\"own_settings\": true, \"difficulty\": null},\n"
                          "  \"confusion\": 0.3,\n") != NULL);
    tap_case("parameters are numbers, or courses over the years");
    CHECK(strstr(out.ptr, "\"accepted\": {\"implementation\": 0.34, ") != NULL);
    CHECK(strstr(out.ptr, "\"kinds\": {\"implementation\": {\"2014\": 19, \"2015\": 19, "
                          "\"2016\": 18, \"2017\": 17, \"2018\": 16, ") != NULL);
    CHECK(strstr(out.ptr, "    \"years\": {\"2014\": 5, \"2015\": 23, ") != NULL);
    buf_free(&out);
    arena_free(&arena);
    return tap_done();
}
