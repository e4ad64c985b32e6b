/* The defaults add up to what the studies published. */
#include "synth/internal.h"

#include <string.h>

#include "tests/tap.h"

static const struct {
    const char *name;
    enum synth_model_section section;
    size_t first, count; /* settings that are added up; count 0: all */
    double sum;
} rows[] = {
    {"Liu, Table 3: 2,401 posts", SYNTH_MODEL_OBJECTS, 0, 0, 2401},
    {"Liu, Table 3: 1,125 in data processing", SYNTH_MODEL_OBJECTS, 0, 10, 1125},
    {"Liu, Table 3: 643 in model setting", SYNTH_MODEL_OBJECTS, 10, 11, 643},
    {"Liu, Table 3: 306 in model training", SYNTH_MODEL_OBJECTS, 21, 18, 306},
    {"Chen: 227 labels for server", SYNTH_MODEL_SERVER_CHALLENGES, 0, 7, 227},
    {"Chen: 231 labels for mobile", SYNTH_MODEL_MOBILE_CHALLENGES, 0, 9, 231},
    {"Chen: 125 labels for browser", SYNTH_MODEL_BROWSER_CHALLENGES, 0, 9, 125},
    {"Islam: 415 bugs by type", SYNTH_MODEL_BUG_TYPES, 0, 0, 415},
    {"Islam: 414 bugs by cause, one row has none", SYNTH_MODEL_BUG_CAUSES, 0, 0, 414},
    {"Islam: 414 bugs by effect, one row has none", SYNTH_MODEL_BUG_EFFECTS, 0, 0, 414},
    {"Islam: 233 bugs by stage", SYNTH_MODEL_BUG_STAGES, 0, 0, 233},
};

static void check_matrices(void)
{
    tap_case("types by library add up to the types");
    for (int type = 0; type < SYNTH_MODEL_BUG_TYPE_COUNT; type++) {
        double sum = 0;
        for (int library = 0; library < SYNTH_MODEL_LIBRARIES; library++)
            sum += synth_model_types_by_library[library][type];
        CHECK_NEAR(
            sum, synth_model_tables[SYNTH_MODEL_BUG_TYPES].settings[type].points[0].value,
            0);
    }
    tap_case("causes by type add up to the causes");
    for (int cause = 0; cause < SYNTH_MODEL_BUG_CAUSE_COUNT; cause++) {
        double sum = 0;
        for (int type = 0; type < SYNTH_MODEL_BUG_TYPE_COUNT; type++)
            sum += synth_model_causes_by_type[type][cause];
        CHECK_NEAR(
            sum,
            synth_model_tables[SYNTH_MODEL_BUG_CAUSES].settings[cause].points[0].value,
            0);
    }
}

static void check_names(void)
{
    tap_case("names within a section differ");
    for (int s = 0; s < SYNTH_MODEL_SECTIONS; s++)
        for (size_t i = 0; i < synth_model_tables[s].count; i++)
            for (size_t j = 0; j < i; j++)
                CHECK(strcmp(synth_model_tables[s].settings[i].name,
                             synth_model_tables[s].settings[j].name) != 0);
}

int main(void)
{
    for (size_t i = 0; i < ROWS(rows); i++) {
        const struct synth_model_table *table = &synth_model_tables[rows[i].section];
        size_t count = rows[i].count > 0 ? rows[i].count : table->count;
        double sum = 0;
        tap_case("%s", rows[i].name);
        for (size_t n = rows[i].first; n < rows[i].first + count; n++)
            sum += table->settings[n].points[0].value;
        CHECK_NEAR(sum, rows[i].sum, 0);
    }
    check_matrices();
    check_names();
    return tap_done();
}
