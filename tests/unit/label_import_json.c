/* Labels from JSON lines and from doccano. */
#include "tests/unit/imported.h"

#define MAIN ",\"round\":1,\"kind\":\"main\""
#define MODEL(item, rater) \
    "{\"item\":" item ",\"rater\":\"" rater "\",\"dimension\":\"bugs\",\"codes\":" \
    "[\"model\"]" MAIN

static const struct imported_row rows[] = {
    {.name = "our own lines, with all that the export has",
     .text =
         "{\"item\":11,\"rater\":\"ann\",\"dimension\":\"bugs\",\"codes\":[\"model\"],"
         "\"round\":2,\"kind\":\"pilot\",\"again\":true,\"unsure\":true,"
         "\"seconds\":1.5,\"memo\":\"a \\\"b\\\"\"}\n",
     .want =
         "{\"item\":11,\"rater\":\"ann\",\"dimension\":\"bugs\",\"codes\":[\"model\"],"
         "\"round\":1,\"kind\":\"pilot\",\"again\":true,\"unsure\":true,"
         "\"seconds\":1.500,\"memo\":\"a \\\"b\\\"\"}\n"},
    {.name = "one code, a link, nulls, an array of objects",
     .text = "[{\"item\":\"https://x.org/q/11\",\"rater\":\"ann\",\"code\":\"Model\","
             "\"memo\":null,\"unsure\":null,\"seconds\":null}]",
     .want = MODEL("11", "ann") "}\n"},
    {.name = "other keys, the smaller export of Label Studio",
     .text = "{\"post\":11,\"kind_of\":{\"choices\":[\"model\"]},\"annotator\":10}\n",
     .how = {.item_column = STR_INIT("post"),
             .code_column = STR_INIT("kind_of"),
             .rater_column = STR_INIT("annotator"),
             .renames = &(struct label_rename){STR_INIT("10"), STR_INIT("ann")},
             .rename_count = 1},
     .want = MODEL("11", "ann") "}\n"},
    {.name = "two dimensions, several codes",
     .codebook = IMPORTED_TWO,
     .text = "{\"item\":11,\"rater\":\"gpt\",\"dimension\":\"effect\",\"codes\":"
             "[\"slow\",\"crash\"]}\n",
     .want = "{\"item\":11,\"rater\":\"gpt\",\"dimension\":\"effect\",\"codes\":"
             "[\"crash\",\"slow\"]" MAIN "}\n"},
    {.name = "doccano before 1.3: several users in one list, meta",
     .text = "{\"id\":1,\"text\":\"x\",\"meta\":{\"item\":11},\"annotations\":["
             "{\"label\":\"model\",\"user\":2},{\"label\":\"unclear\",\"user\":3}]}\n",
     .how = {.renames = (const struct label_rename[]){{STR_INIT("2"), STR_INIT("ann")},
                                                      {STR_INIT("3"), STR_INIT("bob")}},
             .rename_count = 2},
     .want =
         "{\"item\":11,\"rater\":\"ann\",\"dimension\":\"bugs\",\"codes\":[\"model\"],"
         "\"round\":1,\"kind\":\"main\"}\n"
         "{\"item\":11,\"rater\":\"bob\",\"dimension\":\"bugs\",\"codes\":[\"unclear\"],"
         "\"round\":1,\"kind\":\"main\"}\n"},
    {.name = "Potato: what was given, and how long it took",
     .text = "{\"id\":\"11\",\"user_id\":\"ann\",\"displayed_text\":\"x\","
             "\"label_annotations\":{\"bugs\":{\"Model\":\"true\",\"unclear\":\"false\"},"
             "\"why\":{\"text_box\":\"because\"}},\"span_annotations\":[],"
             "\"behavioral_data\":{\"time_string\":\"Time spent: 0d 0h 1m 4s \"}}\n",
     .want =
         "{\"item\":11,\"rater\":\"ann\",\"dimension\":\"bugs\",\"codes\":[\"model\"],"
         "\"round\":1,\"kind\":\"main\",\"seconds\":64.000}\n"},
    {.name = "doccano",
     .how = {.rater = STR_INIT("bob")},
     .text = "{\"id\":11,\"text\":\"a\\nb\",\"label\":[\"model\"],\"Comments\":[\"x\","
             "\"y\"]}\n{\"id\":5,\"text\":\"c\",\"label\":[],\"Comments\":[]}\n",
     .want = MODEL("11", "bob") ",\"memo\":\"x\\ny\"}\n"},
    {.name = "doccano, an older one, with its own ids and a key of ours",
     .text = "{\"doc_id\":1,\"item\":11,\"labels\":[\"model\"],\"username\":\"ann\"}\n",
     .want = MODEL("11", "ann") "}\n"},

    {.name = "no json",
     .text = "{\"item\":11,\n\"codes\":[\"model\"]]}\n",
     .error = "l.csv:2:18: not json"},
    {.name = "something else",
     .text = "{\"a\":1}\n",
     .error = "l.csv:1:1: expected an object with 'item' and 'codes'"},
    {.name = "no object",
     .text = "[5]",
     .error = "l.csv:1:2: found a number, expected an "
              "object"},
    {.name = "no item",
     .text = "{\"rater\":\"ann\",\"codes\":[\"model\"]}",
     .error = "l.csv:1:1: there is no key 'item'"},
    {.name = "no rater",
     .text = "\n{\"item\":11,\"codes\":[\"model\"]}",
     .error = "l.csv:2:1: there is no key 'rater'"},
    {.name = "an item that is none",
     .text = "{\"item\":[1],\"rater\":\"ann\",\"codes\":[\"model\"]}",
     .error = "l.csv:1:9: found an array, expected a string or a whole number"},
    {.name = "an unknown item",
     .text = "{\"item\":99,\"rater\":\"ann\",\"code\":\"model\"}",
     .error = "l.csv:1:1: item 99 is not among the task's items"},
    {.name = "an unknown code",
     .text = "{\"item\":11,\"rater\":\"ann\",\"code\":\"modl\"}",
     .error = "l.csv:1:1: "},
    {.name = "a code that is none",
     .text = "{\"item\":11,\"rater\":\"ann\",\"codes\":[\"model\",true]}",
     .error = "l.csv:1:43: found true, expected a string or a whole number"},
    {.name = "no code",
     .text = "{\"item\":11,\"rater\":\"ann\",\"codes\":[]}",
     .error = "l.csv:1:1: the label has no code"},
    {.name = "a flag that is none",
     .text = "{\"item\":11,\"rater\":\"ann\",\"codes\":[\"model\"],\"unsure\":1}",
     .error = "found a number, expected true or false"},
    {.name = "seconds that are none",
     .text = "{\"item\":11,\"rater\":\"ann\",\"codes\":[\"model\"],\"seconds\":-1}",
     .error = "found a number, expected a number that is not below 0"},
    {.name = "a round that is none",
     .text = "{\"item\":11,\"rater\":\"ann\",\"codes\":[\"model\"],\"round\":0}",
     .error = "found a number, expected the number of a round"},
    {.name = "two codes in two lines where one is allowed",
     .text = "{\"item\":11,\"rater\":\"ann\",\"code\":\"model\"}\n"
             "{\"item\":11,\"rater\":\"ann\",\"code\":\"unclear\"}\n",
     .error = "l.csv: object 2: 'bugs' takes one code; found 2"},
    {.name = "doccano names nobody",
     .text = "{\"id\":11,\"label\":[\"model\"]}\n",
     .error = "l.csv:1:1: doccano names no rater here; give --rater NAME"},
    {.name = "doccano, spans alone in a task without",
     .how = {.rater = STR_INIT("ann")},
     .text = "{\"id\":11,\"label\":[[0,4,\"model\"]]}\n",
     .error = "l.csv: there are no labels in it"},
    {.name = "doccano, a span that ends nowhere",
     .how = {.rater = STR_INIT("ann")},
     .text = "{\"id\":11,\"label\":[[5,4,\"model\"]]}\n",
     .error = "l.csv:1:22: found a number, expected where the span ends"},
    {.name = "Potato, a span that is none",
     .text = "{\"id\":11,\"user_id\":\"ann\",\"label_annotations\":{},"
             "\"span_annotations\":{\"bugs:model\":\"true\"}}\n",
     .error =
         "l.csv:1:1: found 'bugs:model' as a span, expected 'scheme:label:begin:end'"},
    {.name = "Potato, a scheme that is none",
     .text = "{\"id\":11,\"user_id\":\"ann\",\"label_annotations\":{\"bugs\":[]}}\n",
     .error = "l.csv:1:54: found an array, expected an object of labels"},
};

/* doccano calls a file by the user's name. */
static void test_file_name(void)
{
    struct label_import_options how = {0};
    struct labelled test;
    struct label_imported count;

    tap_case("doccano: the file is called by the rater's name");
    if (!labelled_begin(&test, LABELLED_STUDY, LABELLED_CODEBOOK))
        return;
    studied_write(&test.in, "bob.jsonl", "{\"id\":11,\"label\":[\"model\"]}\n");
    CHECK(label_import(test.label, studied_path(&test.in, "bob.jsonl"), &how, STR("x"),
                       &count, &test.in.err));
    CHECK_TEXT(labelled_says(&test, "bob", 1, 11), "model");
    labelled_end(&test);
}

int main(void)
{
    for (size_t i = 0; i < ROWS(rows); i++)
        imported_check(&rows[i]);
    test_file_name();
    return tap_done();
}
