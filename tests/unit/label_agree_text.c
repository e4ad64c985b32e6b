/* A report as text and as JSON: the numbers that it holds, undefined ones with their
 * reason, names with quotes. */
#include <string.h>

#include "label/agree.h"
#include "tests/tap.h"

static const struct str items[] = {STR_INIT("1"), STR_INIT("2")};
static const struct str raters[] = {STR_INIT("an \"a\""), STR_INIT("b")};
static const struct agree_code codes[] = {{STR_INIT("x"), STR_INIT("X"), AGREE_NONE, 1},
                                          {STR_INIT("y"), STR_INIT("Y"), AGREE_NONE, 1}};
static const size_t number[] = {0, 1};

int main(void)
{
    struct arena arena = {0};
    const struct agree_label labels[] = {{0, 0, number, 1, 3},
                                         {0, 1, number, 1, 5},
                                         {1, 0, number + 1, 1, 1},
                                         {1, 1, number, 1, 1}};
    struct agree_data data = {.items = items,
                              .raters = raters,
                              .item_count = 2,
                              .rater_count = 2,
                              .codes = codes,
                              .code_count = 2,
                              .labels = labels,
                              .label_count = 4};
    struct agree_options how = {.level = 0.95, .top = 5};
    struct agree_report report = agree_report(&data, &how, &arena);
    struct buf text = {0}, json = {0};

    agree_text(&report, &text);
    agree_json(&report, &json);
    buf_add_char(&text, '\0');
    buf_add_char(&json, '\0');
    static const char *const in_text[] = {
        "labels 4, raters 2, items 2; 2 of the items have two labels or more\n",
        "observed agreement        0.5000\n",
        "confused: an \"a\" said, b said, items\n  y, x, 1\n",
        "  1/1 2/2\n",
        "most disputed items: share of pairs that differ\n  2 1.0000\n",
        "slowest items: seconds, mean of the raters\n  1 4.0\n  2 1.0\n",
        "note: fewer than 30 items",
    };
    static const char *const in_json[] = {
        "{\"items\":2,\"labels\":4,\"raters\":2,\"observed\":0.5,\"cohen\":{\"value\":0,",
        "\"first\":\"an \\\"a\\\"\",\"second\":\"b\"",
        "\"table\":[[\"x\",\"x\",1],[\"y\",\"x\",1]]",
        "\"saturation\":[{\"items\":1,\"codes\":1},{\"items\":2,\"codes\":2}]",
        "\"levels\":[]",
        "\"slowest\":[{\"item\":\"1\",\"seconds\":4,\"disagreement\":0}",
    };
    for (size_t i = 0; i < ROWS(in_text); i++) {
        tap_case("text %zu", i);
        if (!CHECK(strstr(text.ptr, in_text[i]) != NULL))
            CHECK_TEXT(text.ptr, in_text[i]);
    }
    for (size_t i = 0; i < ROWS(in_json); i++) {
        tap_case("json %zu", i);
        if (!CHECK(strstr(json.ptr, in_json[i]) != NULL))
            CHECK_TEXT(json.ptr, in_json[i]);
    }

    tap_case("with an order, and one coefficient chosen");
    struct err err = {0};
    CHECK(agree_set_order(&data, STR("y,x"), &arena, &err));
    how.chosen = true;
    how.choice = AGREE_AC2_LINEAR;
    report = agree_report(&data, &how, &arena);
    buf_clear(&text);
    buf_clear(&json);
    agree_text(&report, &text);
    agree_json(&report, &json);
    buf_add_char(&text, '\0');
    buf_add_char(&json, '\0');
    const char *first = strstr(text.ptr, "AC2, linear");
    CHECK(first != NULL && first < strstr(text.ptr, "Cohen's kappa"));
    CHECK(strstr(text.ptr, "can be chosen for its\nvalue") != NULL);
    CHECK(strstr(text.ptr, "\nif the labels are ordered: y < x\nCohen, linear") != NULL);
    CHECK(strstr(text.ptr,
                 "alpha, interval        undefined: the labels are no numbers") != NULL);
    CHECK(strstr(json.ptr, "\"order\":[\"y\",\"x\"],\"cohen-linear\":{\"value\":0,") !=
          NULL);
    CHECK(strstr(json.ptr, "\"chosen\":\"ac2-linear\"") != NULL);

    tap_case("undefined says why");
    buf_clear(&text);
    buf_clear(&json);
    data.label_count = 1;
    report = agree_report(&data, &how, &arena);
    agree_text(&report, &text);
    agree_json(&report, &json);
    buf_add_char(&text, '\0');
    buf_add_char(&json, '\0');
    CHECK(strstr(text.ptr, "undefined: no item has two labels") != NULL);
    CHECK(strstr(json.ptr, "\"observed\":null") != NULL);
    CHECK(strstr(json.ptr, "\"cohen\":{\"value\":null,\"undefined\":\"no item has two "
                           "labels\"}") != NULL);
    buf_free(&text);
    buf_free(&json);
    arena_free(&arena);
    return tap_done();
}
