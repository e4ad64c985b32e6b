/* The files of a sample. */
#include "tests/unit/outputs.h"

static void check_sample(struct studied *test)
{
    int64_t ids[] = {9, 4}, frames[] = {10, 5}, sizes[] = {1, 1};
    size_t strata[] = {1, 0};
    struct str names[] = {STR("A"), STR("B, \"b\"")};
    struct run_sampling drawn = {.ids = ids,
                                 .count = 2,
                                 .strata = strata,
                                 .stratum_names = names,
                                 .stratum_count = 2,
                                 .frames = frames,
                                 .sizes = sizes,
                                 .frame = 15,
                                 .kept = 1};
    struct study_sample sample = {.name = STR("p"),
                                  .of = STR("s"),
                                  .size = {.kind = SAMPLE_SIZE_BY_COUNT, .count = 2},
                                  .seed = 7,
                                  .by = 0,
                                  .keep = STUDY_NONE};
    struct run_output output = {0};

    tap_case("a sample: in draw order with its strata, and how it was drawn");
    run_output_sample(&output, &sample, &drawn);
    CHECK_TEXT(outputs_text(test, &output, "out/samples/p.csv"),
               "id,stratum\n9,\"B, \"\"b\"\"\"\n4,A\n");
    const char *json = outputs_text(test, &output, "out/samples/p.json");
    CHECK(strstr(json, "\"seed\":7,") != NULL && strstr(json, "\"frame\":15,") != NULL);
    CHECK(strstr(json, "{\"name\":\"B, \\\"b\\\"\",\"frame\":5,\"size\":1}") != NULL);
    CHECK(str_eq(run_output_says(&output), STR("2 of 15 items, 1 of them kept")));
    run_output_free(&output);
}

int main(void)
{
    struct studied test;

    if (studied_begin(&test)) {
        check_sample(&test);
        studied_end(&test);
    }
    return tap_done();
}
