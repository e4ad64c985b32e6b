/* Labels from a csv: which label whose, in which order; what is wrong with a file; which
 * code stands before which. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "label/agree.h"
#include "tests/tap.h"

static char path[] = "/tmp/assay-test-XXXXXX";
static struct arena arena;

static const struct {
    const char *name, *text;
    char separator;
    const char *want; /* item rater codes, in order */
} rows[] = {
    {"one row a label", "item,rater,label\n7,a,x\n7,b,y\n8,a,y\n", 0, "7ax 7by 8ay "},
    {"columns in any order, blanks around", "label,item,rater\n x ,7, a\n", 0, "7ax "},
    {"several rows are several codes, in the order of bytes",
     "item,rater,label\n7,a,y\n7,b,y\n7,a,x\n", 0, "7by 7axy "},
    {"the same code twice counts once", "item,rater,label\n7,a,x\n7,a,x\n", 0, "7ax "},
    {"several in a cell", "item,rater,label\n7,a,y;x;\n", ';', "7axy "},
    {"no separator, no parts", "item,rater,label\n7,a,y;x\n", 0, "7ay;x "},
    {"an empty label is none", "item,rater,label\n7,a,\n7,b,x\n", 0, "7bx "},
    {"heads alone", "item,rater,label\n", 0, ""},
    {"units: by place, else by name",
     "item,unit,place,rater,label\n7,1,p:R1,a,x\n7,2,,a,y\n7,9,p:R1-R2,b,z\n7,2,,b,y\n",
     '\0', "7#1ax 7#2ay 7#1bz 7#2by "},
    {"a unit without a name is called by its place",
     "item,unit,place,rater,label\n7,,p:R1,a,x\n7,,p:R5,a,y\n", '\0',
     "7#p:R1ax 7#p:R5ay "},
    {"a place without units is a column like others",
     "item,place,rater,label\n7,Rome,a,x\n7,Oslo,a,y\n", '\0', "7axy "},
};

static const struct {
    const char *name, *text, *message;
} wrong[] = {
    {"empty", "", ":1: the file is empty"},
    {"a column is missing", "item,rater,labl\n",
     ":1: there is no column 'label'; did you "
     "mean 'labl'?"},
    {"none is near", "item,rater,x\n",
     ":1: there is no column 'label'; there are item, "
     "rater, x"},
    {"no item", "item,rater,label\n7,a,x\n,a,x\n", ":3: the row names no item"},
    {"no rater", "item,rater,label\n7,,x\n", ":2: the row names no rater"},
    {"a row too short", "item,rater,label\n7,a\n", ":2:"},
};

static bool read_text(const char *text, char separator, struct label_agree_data *data,
                      struct err *err)
{
    struct label_agree_columns columns = {.item = STR("item"),
                                          .rater = STR("rater"),
                                          .label = STR("label"),
                                          .usual = true,
                                          .separator = separator};

    CHECK(file_write(path, str_from(text), err));
    return label_agree_read(path, &columns, &arena, data, err);
}

static const struct {
    const char *name;
    const char *codes[4]; /* paths */
    const char *list;
    const char *want; /* names of places, then those of codes; "" without an order */
    bool numbers;
    const char *error;
} orders[] = {
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

static const char *show_order(const struct label_agree_data *data)
{
    struct buf text = {0};

    for (size_t i = 0; i < data->order.count; i++)
        buf_add_format(&text, "%s%.*s", i > 0 ? " " : "", STR_ARG(data->order.names[i]));
    for (size_t i = 0; data->order.count > 0 && i < data->code_count; i++)
        if (data->order.places[i] == LABEL_AGREE_NONE)
            buf_add_format(&text, "%s-", i > 0 ? " " : ": ");
        else
            buf_add_format(&text, "%s%zu", i > 0 ? " " : ": ", data->order.places[i]);
    const char *copy = arena_c_string(&arena, buf_str(&text));
    buf_free(&text);
    return copy;
}

static void test_orders(void)
{
    for (size_t i = 0; i < ROWS(orders); i++) {
        struct label_agree_code codes[4] = {{{0}, {0}, 0, 0}};
        struct label_agree_data data = {.codes = codes};
        struct err err = {0};
        for (; data.code_count < 4 && orders[i].codes[data.code_count] != NULL;
             data.code_count++)
            codes[data.code_count].path = str_from(orders[i].codes[data.code_count]);
        tap_case("order: %s", orders[i].name);
        CHECK(label_agree_set_order(&data, str_from(orders[i].list), &arena, &err) ==
              (orders[i].error == NULL));
        CHECK_TEXT(err.text, orders[i].error != NULL ? orders[i].error : "");
        if (orders[i].error != NULL)
            continue;
        CHECK_TEXT(show_order(&data), orders[i].want);
        CHECK((data.order.numbers != NULL) == orders[i].numbers);
    }
}

int main(void)
{
    struct label_agree_data data;

    close(mkstemp(path));
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct buf got = {0};
        struct err err = {0};
        tap_case("read: %s", rows[i].name);
        CHECK(read_text(rows[i].text, rows[i].separator, &data, &err));
        CHECK_TEXT(err.text, "");
        for (size_t l = 0; l < data.label_count; l++) {
            const struct label_agree_label *label = &data.labels[l];
            buf_add(&got, data.items[label->item]);
            buf_add(&got, data.raters[label->rater]);
            for (size_t c = 0; c < label->code_count; c++)
                buf_add(&got, data.codes[label->codes[c]].path);
            buf_add_char(&got, ' ');
        }
        buf_add_char(&got, '\0');
        CHECK_TEXT(got.ptr, rows[i].want);
        buf_free(&got);
    }
    for (size_t i = 0; i < ROWS(wrong); i++) {
        struct err err = {0};
        tap_case("wrong: %s", wrong[i].name);
        CHECK(!read_text(wrong[i].text, 0, &data, &err) && err.kind == ERR_INPUT);
        if (!CHECK(strstr(err.text, wrong[i].message) != NULL))
            CHECK_TEXT(err.text, wrong[i].message);
    }
    file_remove(path);
    test_orders();
    arena_free(&arena);
    return tap_done();
}
