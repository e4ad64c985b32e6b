/* A report for programs: the numbers that it holds, null for undefined ones, names with
 * quotes. */
#include "tests/unit/agreed.h"

int main(void)
{
    static const char *const wanted[] = {
        "{\"items\":2,\"labels\":4,\"raters\":2,\"observed\":0.5,\"cohen\":{\"value\":0,",
        "\"first\":\"an \\\"a\\\"\",\"second\":\"b\"",
        "\"table\":[[\"x\",\"x\",1],[\"y\",\"x\",1]]",
        "\"saturation\":[{\"items\":1,\"codes\":1},{\"items\":2,\"codes\":2}]",
        "\"levels\":[]",
        "\"slowest\":[{\"item\":\"1\",\"seconds\":4,\"disagreement\":0}",
    };
    struct arena arena = {0};
    struct label_agree_data data = agreed_data();
    struct label_agree_options how = {.level = 0.95, .top = 5};
    const char *json = agreed_told(&data, &how, label_agree_json, &arena);

    for (size_t i = 0; i < ROWS(wanted); i++) {
        tap_case("json %zu", i);
        if (!CHECK(strstr(json, wanted[i]) != NULL))
            CHECK_TEXT(json, wanted[i]);
    }

    tap_case("with an order, and one coefficient chosen");
    struct err err = {0};
    CHECK(label_agree_set_order(&data, STR("y,x"), &arena, &err));
    how.chosen = true;
    how.choice = LABEL_AGREE_AC2_LINEAR;
    json = agreed_told(&data, &how, label_agree_json, &arena);
    CHECK(strstr(json, "\"order\":[\"y\",\"x\"],\"outside\":{},"
                       "\"cohen-linear\":{\"value\":0,") != NULL);
    CHECK(strstr(json, "\"chosen\":\"ac2-linear\"") != NULL);

    tap_case("undefined says why");
    data.label_count = 1;
    json = agreed_told(&data, &how, label_agree_json, &arena);
    CHECK(strstr(json, "\"observed\":null") != NULL);
    CHECK(strstr(json, "\"cohen\":{\"value\":null,\"undefined\":\"no item has two "
                       "labels\"}") != NULL);
    arena_free(&arena);
    return tap_done();
}
