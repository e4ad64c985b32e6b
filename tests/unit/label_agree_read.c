/* Labels from a csv: which label whose, in which order; what is wrong with a file. */
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

static bool read_text(const char *text, char separator, struct agree_data *data,
                      struct err *err)
{
    struct agree_columns columns = {STR("item"), STR("rater"), STR("label"), separator};

    CHECK(file_write(path, str_from(text), err));
    return agree_read(path, &columns, &arena, data, err);
}

int main(void)
{
    struct agree_data data;

    close(mkstemp(path));
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct buf got = {0};
        struct err err = {0};
        tap_case("read: %s", rows[i].name);
        CHECK(read_text(rows[i].text, rows[i].separator, &data, &err));
        CHECK_TEXT(err.text, "");
        for (size_t l = 0; l < data.label_count; l++) {
            const struct agree_label *label = &data.labels[l];
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
    arena_free(&arena);
    return tap_done();
}
