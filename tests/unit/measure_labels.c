/* Labels made elsewhere: columns, spellings, raters, and what is refused where. */
#include "measure/labels.h"

#include <string.h>

#include "store/internal.h"
#include "tests/unit/measured.h"

static const struct measured_post posts[] = {{.id = 1, .kind = 1},
                                             {.id = 2, .kind = 1},
                                             {.id = 3, .kind = 1},
                                             {.id = 40, .kind = ITEM_ROW}};

static const struct measured_field fields[] = {{2, "code", "b; a"}, {40, "code", "a"}};

#define BOOK ", codebook: c}}\ncodebooks: {c: b.yaml}\n"
#define CODEBOOK \
    "codebook: c\ncodes:\n  data: {name: Data processing, also: [preprocessing], " \
    "codes: {load: Loading}}\n  api: API usage\n"

static const struct {
    const char *name, *options, *csv;
    const char *entries; /* item=code, then given, unknown, undecided */
} rows[] = {
    {"one label an item", "", "item,code\n1,x\n2,y\n",
     "1=x 2=y given 2 unknown 0 undecided 0"},
    {"the same label twice is one", "", "item,code\n1,x\n1,x\n",
     "1=x given 2 unknown 0 undecided 0"},
    {"other columns, in any order, with blanks", ", item: Id, code: Verdict",
     "Verdict,note, Id \n y ,n,2\nx,n,1\n", "1=x 2=y given 2 unknown 0 undecided 0"},
    {"links name items", "",
     "item,code\nhttps://stackoverflow.com/questions/3/how-to-2,x\n"
     "https://stackoverflow.com/q/2#40,y\n https://x.org/a/1?b=2 ,z\n",
     "1=z 2=y 3=x given 3 unknown 0 undecided 0"},
    {"an empty code is no label", "", "item,code\n1,\n2,y\n",
     "2=y given 1 unknown 0 undecided 0"},
    {"several codes in a cell", ", separator: ;", "item,code\n1,x;y;\n2, y ; x\n",
     "1=x 1=y 2=x 2=y given 4 unknown 0 undecided 0"},
    {"without a separator it is one code", "", "item,code\n1,x;y\n",
     "1=x;y given 1 unknown 0 undecided 0"},
    {"unknown items are skipped and counted", ", unknown: skip",
     "item,code\n1,x\n7,x\n8,y\n", "1=x given 1 unknown 2 undecided 0"},
    {"two of three raters", ", rater: r",
     "item,code,r\n1,x,A\n1,x,B\n1,y,C\n2,y,A\n2,y,B\n2,y,C\n",
     "1=x 2=y given 6 unknown 0 undecided 0"},
    {"one of two is no majority", ", rater: r", "item,code,r\n1,x,A\n1,y,B\n2,y,A\n",
     "2=y given 3 unknown 0 undecided 1"},
    {"a rater who says it twice has one vote", ", rater: r",
     "item,code,r\n1,x,A\n1,x,A\n1,y,B\n1,y,C\n", "1=y given 4 unknown 0 undecided 0"},
    {"a rater may give two codes, each with a majority of its own",
     ", rater: r, separator: ;", "item,code,r\n1,x;y,A\n1,x;y,B\n1,z,C\n",
     "1=x 1=y given 5 unknown 0 undecided 0"},
    {"the raters of an item are those who labelled it", ", rater: r",
     "item,code,r\n1,x,A\n2,y,B\n3,x,A\n3,y,B\n",
     "1=x 2=y given 4 unknown 0 undecided 1"},
    {"no labels at all", "", "item,code\n", "given 0 unknown 0 undecided 0"},
    {"a code that the codebook does not have", BOOK,
     "item,code\n1,LOADING\n2,pre\n3,api usage\n40, Data   processing\n",
     "error: : code 'pre' is not in the codebook"},
    {"ids, paths, names and other spellings", BOOK,
     "item,code\n1,LOADING\n2,Preprocessing\n3,api usage\n40,data/load\n40,data\n",
     "1=data/load 2=data 3=api 40=data 40=data/load given 5 unknown 0 undecided 0"},
    {"an unknown item is refused", "", "item,code\n1,x\n7,x\n",
     "error: :3: the corpus has no item 7; `unknown: skip` passes over such labels"},
    {"what is no item is refused", "", "item,code\none,x\n",
     "error: :2: found 'one', expected an item's id, or a link to it"},
    {"a column that is not there", "", "item,Code\n1,x\n",
     "error: :1: there is no column 'code'; did you mean 'Code'?"},
    {"a rater's column that is not there", ", rater: who", "item,code\n1,x\n",
     "error: :1: there is no column 'who'; there are item, code"},
    {"an empty file", "", "", "error: :1: the file is empty; expected a row of heads"},
};

static void show(const struct measured *test, const struct measure_labels *labels,
                 struct buf *out)
{
    for (size_t e = 0; e < labels->count; e++) {
        const struct measure_labels_code *code = &labels->codes[labels->entries[e].code];
        buf_add_format(
            out, "%lld=%.*s ",
            (long long)measure_column_at(test->frame.ids, labels->entries[e].item),
            STR_ARG(code->id));
        CHECK(code->used);
    }
    buf_add_format(out, "given %lld unknown %lld undecided %lld",
                   (long long)labels->given, (long long)labels->unknown,
                   (long long)labels->undecided);
}

/* What is said without the path before it. */
static void show_error(const struct measured *test, const char *path, struct buf *out)
{
    struct str text = str_from(test->err.text);

    CHECK(test->err.kind == ERR_INPUT);
    if (str_starts(text, str_from(path)))
        text = str_slice(text, strlen(path), text.len);
    buf_add_format(out, "error: %.*s", STR_ARG(text));
}

static void check_row(size_t i, struct buf *out)
{
    struct measured test;
    struct buf study = {0};
    bool book = strstr(rows[i].options, "codebook") != NULL;

    buf_add_format(&study, "labels: {l: {from: l.csv%s%s", rows[i].options,
                   book ? "" : "}}\n");
    buf_add_char(&study, '\0');
    struct measured_inputs inputs = {
        .posts = posts, .post_count = ROWS(posts), .study = study.ptr};
    bool ok = measured_open(&test, &inputs);
    const char *path = file_join(test.folder, "l.csv", &test.arena);
    const char *codebook = file_join(test.folder, "b.yaml", &test.arena);
    if (ok && CHECK(file_write(path, str_from(rows[i].csv), &test.err)) &&
        CHECK(file_write(codebook, STR(CODEBOOK), &test.err))) {
        if (measured_make_groups(&test))
            show(&test, &test.labels[0], out);
        else
            show_error(&test, path, out);
    }
    buf_add_char(out, '\0');
    /* Which spelling is nearest is the codebook's business. */
    if (strstr(rows[i].entries, "not in the codebook") != NULL)
        CHECK(strstr(out->ptr, ":3: ") != NULL && strstr(out->ptr, "'pre'") != NULL);
    else
        CHECK_TEXT(out->ptr, rows[i].entries);
    buf_clear(out);
    measured_close(&test);
    buf_free(&study);
}

static void check_tree(void)
{
    struct measure_labels_code codes[] = {{.parent = STUDY_NONE, .level = 1},
                                          {.parent = 0, .level = 2},
                                          {.parent = 1, .level = 3}};
    struct measure_labels labels = {.codes = codes, .code_count = 3};

    tap_case("levels: up the tree, never down");
    CHECK(measure_labels_at_level(&labels, 2, 1) == 0 &&
          measure_labels_at_level(&labels, 2, 2) == 1);
    CHECK(measure_labels_at_level(&labels, 2, 3) == 2 &&
          measure_labels_at_level(&labels, 0, 3) == 0);
    CHECK(measure_labels_at_level(&labels, 2, 0) == 2);
}

static void check_field(struct buf *out)
{
    struct measured test;
    struct measured_inputs inputs = {.posts = posts,
                                     .post_count = ROWS(posts),
                                     .fields = fields,
                                     .field_count = ROWS(fields),
                                     .study = "labels: {l: {field: code, separator: ;}}"};

    tap_case("labels from a field of the items");
    if (measured_open(&test, &inputs) && CHECK(measured_make_groups(&test)))
        show(&test, &test.labels[0], out);
    measured_expect(out, "2=a 2=b 40=a given 3 unknown 0 undecided 0");
    measured_close(&test);
}

/* What is passed over is what no item is called by, never what cannot be read. */
static void check_damaged(void)
{
    static const struct measured_post answered[] = {
        {.id = 1, .kind = 1}, {.id = 50, .kind = ITEM_ANSWER, .parent = 1}};
    struct measured test;
    struct measured_inputs inputs = {.posts = answered,
                                     .post_count = ROWS(answered),
                                     .study =
                                         "labels: {l: {from: l.csv, unknown: skip}}\n"};
    bool ok = measured_open(&test, &inputs);
    const char *path = file_join(test.folder, "l.csv", &test.arena);

    tap_case("labels: an answer that is damaged in the corpus");
    if (ok &&
        CHECK(file_write(path, STR("item,code\nhttps://x.org/a/50,x\n"), &test.err)) &&
        CHECK(store_run(test.corpus, "UPDATE text SET body = 'x' WHERE id = 50",
                        &test.err))) {
        CHECK(!measured_make_groups(&test));
        CHECK(strstr(test.err.text, "is damaged") != NULL);
    }
    measured_close(&test);
}

int main(void)
{
    struct buf out = {0};

    for (size_t i = 0; i < ROWS(rows); i++) {
        tap_case("labels: %s", rows[i].name);
        check_row(i, &out);
    }
    check_tree();
    check_field(&out);
    check_damaged();
    buf_free(&out);
    return tap_done();
}
