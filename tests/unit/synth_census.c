/* truth.json and the page for people, from made-up counts. */
#include "synth/census.h"

#include <string.h>

#include "tests/tap.h"

int main(void)
{
    struct arena arena = {0};
    struct err err = {0};
    static struct synth_summary summary;
    struct synth_options options = {.folder = "d", .seed = 7};
    struct buf out = {0};

    CHECK(model_load(NULL, &arena, &summary.model, &err));
    tap_case("no questions: shares are null, not 0");
    census_json(&options, &summary, &out);
    buf_add_char(&out, '\0');
    CHECK(strstr(out.ptr,
                 "\"crash\": {\"count\": 0, \"share\": null, \"planted\": null") != NULL);
    CHECK(strstr(out.ptr, "nan") == NULL);

    tap_case("planted shares are weighted by the questions of each year");
    summary.counts.questions = 4;
    summary.counts.by_year[1] = 3; /* 2015: installation 20% */
    summary.counts.by_year[4] = 1; /* 2018: 11% */
    summary.counts.labels[MODEL_KINDS][MODEL_INSTALLATION] = 1;
    summary.counts.labels[MODEL_KINDS][MODEL_CRASH] = 3;
    buf_clear(&out);
    census_json(&options, &summary, &out);
    buf_add_char(&out, '\0');
    CHECK(strstr(out.ptr,
                 "\"installation\": {\"count\": 1, \"share\": 0.250000, "
                 "\"planted\": 0.177500, \"accepted\": 0, \"as_second\": 0}") != NULL);
    buf_clear(&out);
    census_text(&options, &summary, &out);
    buf_add_char(&out, '\0');
    CHECK(strstr(out.ptr, "    installation             1   25.0%   17.8%    0.0%\n") !=
          NULL);
    CHECK(strstr(out.ptr, "    anomaly                  0    0.0%   11.0%       -\n") !=
          NULL);

    tap_case("every layout and damage has a name");
    CHECK_TEXT(census_layout_name(SYNTH_2025_COMMENT), "2025-comment");
    CHECK_TEXT(census_damage_name(SYNTH_HUGE_BODY), "huge-body");
    CHECK_TEXT(census_damage_name(SYNTH_WHOLE), "none");
    buf_free(&out);
    arena_free(&arena);
    return tap_done();
}
