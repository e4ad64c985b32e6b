/* Which code stands before which. */
#include "label/agree.h"
#include "tests/tap.h"

static const struct {
    const char *name;
    const char *codes[4]; /* paths */
    const char *list;
    const char *want; /* names of places, then those of codes; "" without an order */
    bool numbers;
    const char *error;
} rows[] = {
    {"numbers, not bytes", {"1", "10", "9"}, "", "1 9 10: 0 2 1", true, NULL},
    {"fractions and signs", {"-1", "0.5", "0"}, "", "-1 0 0.5: 0 2 1", true, NULL},
    {"the same number in two ways",
     {"1", "1.0", "2", "3"},
     "",
     "1 2 3: 0 0 1 2",
     true,
     NULL},
    {"two numbers have no order", {"0", "1"}, "", "", false, NULL},
    {"not all are numbers", {"1", "2", "x"}, "", "", false, NULL},
    {"a list",
     {"high", "low", "mid"},
     "low, mid,high",
     "low mid high: 2 0 1",
     false,
     NULL},
    {"outside of the list", {"a", "b", "x"}, "b,a", "b a: 1 0 -", false, NULL},
    {"somebody nobody used", {"a", "c"}, "a,b,c", "a b c: 0 2", false, NULL},
    {"a code twice",
     {"a", "b"},
     "a,b,a",
     NULL,
     false,
     "the order of labels has 'a' for the second time"},
    {"an empty place",
     {"a", "b"},
     "a,,b",
     NULL,
     false,
     "the order of labels has an empty place"},
    {"one alone", {"a", "b"}, "a", NULL, false, "an order of labels has two at least"},
    {"none of them",
     {"a", "b"},
     "x,y",
     NULL,
     false,
     "no label is in the order that was given"},
};

static const char *show(const struct agree_data *data, struct arena *arena)
{
    struct buf text = {0};

    for (size_t i = 0; i < data->order.count; i++)
        buf_add_format(&text, "%s%.*s", i > 0 ? " " : "", STR_ARG(data->order.names[i]));
    for (size_t i = 0; data->order.count > 0 && i < data->code_count; i++)
        if (data->order.places[i] == AGREE_NONE)
            buf_add_format(&text, "%s-", i > 0 ? " " : ": ");
        else
            buf_add_format(&text, "%s%zu", i > 0 ? " " : ": ", data->order.places[i]);
    const char *copy = arena_c_string(arena, buf_str(&text));
    buf_free(&text);
    return copy;
}

int main(void)
{
    struct arena arena = {0};

    for (size_t i = 0; i < ROWS(rows); i++) {
        struct agree_code codes[4] = {{{0}, {0}, 0, 0}};
        struct agree_data data = {.codes = codes};
        struct err err = {0};
        for (; data.code_count < 4 && rows[i].codes[data.code_count] != NULL;
             data.code_count++)
            codes[data.code_count].path = str_from(rows[i].codes[data.code_count]);
        tap_case("order: %s", rows[i].name);
        CHECK(agree_set_order(&data, str_from(rows[i].list), &arena, &err) ==
              (rows[i].error == NULL));
        CHECK_TEXT(err.text, rows[i].error != NULL ? rows[i].error : "");
        if (rows[i].error != NULL)
            continue;
        CHECK_TEXT(show(&data, &arena), rows[i].want);
        CHECK((data.order.numbers != NULL) == rows[i].numbers);
    }
    arena_free(&arena);
    return tap_done();
}
