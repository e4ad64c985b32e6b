/* Labels from Label Studio's export. */
#include "tests/unit/imported.h"

#define MAIN ",\"round\":1,\"kind\":\"main\""
#define TASK(annotations, predictions) \
    "[{\"id\":1,\"data\":{\"item\":11},\"annotations\":[" annotations \
    "],\"predictions\":[" predictions "]}]"
#define CHOICES(name, choices) \
    "{\"from_name\":\"" name "\",\"to_name\":\"t\",\"type\":\"choices\",\"value\":" \
    "{\"choices\":[" choices "]}}"

static const struct imported_row rows[] = {
    {.name = "people and a model, times, notes",
     .text = TASK(
         "{\"id\":7,\"completed_by\":{\"id\":3,\"email\":\"ann\"},\"lead_time\":2.5,"
         "\"result\":[" CHOICES(
             "any",
             "\"Model\"") ",{\"type\":\"textarea\","
                          "\"from_name\":\"why\",\"value\":{\"text\":[\"so\",\"so\"]}}]},"
                          "{\"completed_by\":4,\"result\":[" CHOICES("any",
                                                                     "\"unclear\"") "]}",
         "{\"model_version\":\"gpt\",\"result\":[" CHOICES("any", "\"model\"") "]}"),
     .how = {.renames = &(struct label_rename){STR_INIT("4"), STR_INIT("bob")},
             .rename_count = 1},
     .want = "{\"item\":11,\"rater\":\"ann\",\"dimension\":\"bugs\",\"codes\":["
             "\"model\"]" MAIN ",\"seconds\":2.500,\"memo\":\"so\\nso\"}\n"
             "{\"item\":11,\"rater\":\"bob\",\"dimension\":\"bugs\",\"codes\":["
             "\"unclear\"]" MAIN "}\n"
             "{\"item\":11,\"rater\":\"gpt\",\"dimension\":\"bugs\",\"codes\":["
             "\"model\"]" MAIN "}\n"},
    {.name = "controls are dimensions, a taxonomy is a way through the tree",
     .codebook = IMPORTED_TWO,
     .text =
         TASK("{\"completed_by\":\"ann\",\"result\":[" CHOICES(
                  "effect", "\"slow\",\"crash\"") ",{\"from_name\":\"cause\",\"type\":"
                                                  "\"taxonomy\",\"value\":{\"taxonomy\":["
                                                  "[\"The model\",\"layer\"]]}},"
                                                  "{\"type\":\"textarea\",\"from_name\":"
                                                  "\"cause.memo\",\"value\":{\"text\":"
                                                  "[\"hm\"]}}]}",
              ""),
     .want =
         "{\"item\":11,\"rater\":\"ann\",\"dimension\":\"effect\",\"codes\":[\"crash\","
         "\"slow\"]" MAIN "}\n"
         "{\"item\":11,\"rater\":\"ann\",\"dimension\":\"cause\",\"codes\":"
         "[\"model/layer\"]" MAIN ",\"memo\":\"hm\"}\n"},
    {.name = "skipped and empty annotations are no labels; items by link",
     .text = "[{\"data\":{\"url\":\"https://x.org/q/11\"},\"annotations\":["
             "{\"completed_by\":\"ann\",\"was_cancelled\":true,\"result\":[" CHOICES(
                 "a", "\"model\"") "]},{\"completed_by\":\"ann\",\"result\":[]},"
                                   "{\"completed_by\":\"bob\",\"result\":[" CHOICES(
                                       "a", "\"model\"") "]}]}]",
     .how = {.item_column = STR_INIT("url")},
     .want = "{\"item\":11,\"rater\":\"bob\",\"dimension\":\"bugs\",\"codes\":["
             "\"model\"]" MAIN "}\n"},

    {.name = "rectangles, relations, sounds and ids of predictions are passed over",
     .text = TASK("{\"completed_by\":\"ann\",\"result\":[{\"type\":\"rectanglelabels\","
                  "\"value\":{\"x\":1,\"rectanglelabels\":[\"model\"]}},{\"type\":"
                  "\"relation\",\"from_id\":\"a\"},{\"type\":\"labels\",\"value\":"
                  "{\"start\":1.5,\"end\":2.5,\"labels\":[\"model\"]}}," CHOICES(
                      "a", "\"model\"") "]}",
                  "5"),
     .want = "{\"item\":11,\"rater\":\"ann\",\"dimension\":\"bugs\",\"codes\":["
             "\"model\"]" MAIN "}\n"},
    {.name = "before version 1.0 annotations were completions",
     .text = "[{\"data\":{\"link\":\"https://x.org/q/11\"},\"completions\":["
             "{\"completed_by\":\"ann\",\"result\":[" CHOICES("a", "\"model\"") "]}]}]",
     .want = "{\"item\":11,\"rater\":\"ann\",\"dimension\":\"bugs\",\"codes\":["
             "\"model\"]" MAIN "}\n"},
    {.name = "JSON-MIN: an object an annotation",
     .text = "[{\"item\":11,\"id\":1,\"text\":\"model\",\"kind\":\"Model\",\"annotator\":"
             "\"ann\",\"annotation_id\":3,\"created_at\":\"2023\",\"lead_time\":2.5}]",
     .how = {.code_column = STR_INIT("kind")},
     .want = "{\"item\":11,\"rater\":\"ann\",\"dimension\":\"bugs\",\"codes\":["
             "\"model\"]" MAIN ",\"seconds\":2.500}\n"},
    {.name = "JSON-MIN: several choices, a taxonomy, by the names of dimensions",
     .codebook = IMPORTED_TWO,
     .text = "[{\"item\":11,\"effect\":{\"choices\":[\"Slow\",\"Crash\"]},\"cause\":"
             "[[\"The model\",\"Layer\"]],\"annotator\":\"ann\",\"annotation_id\":3}]",
     .want = "{\"item\":11,\"rater\":\"ann\",\"dimension\":\"effect\",\"codes\":"
             "[\"crash\",\"slow\"]" MAIN "}\n"
             "{\"item\":11,\"rater\":\"ann\",\"dimension\":\"cause\",\"codes\":"
             "[\"model/layer\"]" MAIN "}\n"},
    {.name = "csv with several choices",
     .codebook = IMPORTED_TWO,
     .text = "item,id,text,effect,cause,annotator,annotation_id,created_at,lead_time\n"
             "11,1,long text,\"{\"\"choices\"\": [\"\"Slow\"\", \"\"Crash\"\"]}\",Data,"
             "ann,3,2023-01-01,1.25\n",
     .want = "{\"item\":11,\"rater\":\"ann\",\"dimension\":\"effect\",\"codes\":"
             "[\"crash\",\"slow\"]" MAIN ",\"seconds\":1.250}\n"
             "{\"item\":11,\"rater\":\"ann\",\"dimension\":\"cause\",\"codes\":"
             "[\"data\"]" MAIN "}\n"},
    {.name = "csv: an unknown code, with its line",
     .codebook = IMPORTED_TWO,
     .text = "item,cause,annotator,annotation_id\n11,Data,ann,1\n5,Dato,ann,2\n",
     .error = "l.csv:3: "},

    {.name = "no item",
     .text = "[\n{\"data\":{\"text\":\"x\"},\"annotations\":[]}]",
     .error = "l.csv:2:9: the task's data has no key 'item'; --item-column names"},
    {.name = "nobody",
     .text = TASK("{\"result\":[]}", ""),
     .error = "the annotation names nobody in 'completed_by'"},
    {.name = "no result",
     .text = TASK("{\"completed_by\":1}", ""),
     .error = "found nothing, expected an array 'result'"},
    {.name = "no type",
     .text = TASK("{\"completed_by\":1,\"result\":[{}]}", ""),
     .error = "the result has no 'type'"},
    {.name = "nothing but rectangles",
     .text = TASK("{\"completed_by\":1,\"result\":[{\"type\":\"rectanglelabels\","
                  "\"value\":{\"x\":1,\"rectanglelabels\":[\"model\"]}}]}",
                  ""),
     .error = "l.csv: there are no labels in it"},
    {.name = "no choices",
     .text = TASK("{\"completed_by\":1,\"result\":[{\"type\":\"choices\",\"value\":{}}]}",
                  ""),
     .error = "found nothing, expected choices"},
    {.name = "a control that is no dimension",
     .codebook = IMPORTED_TWO,
     .text =
         TASK("{\"completed_by\":1,\"result\":[" CHOICES("caus", "\"data\"") "]}", ""),
     .error = "l.csv:1:"},
    {.name = "an unknown code, with its place",
     .text = TASK("{\"completed_by\":1,\"result\":[\n" CHOICES("a", "\"modl\"") "]}", ""),
     .error = "l.csv:2:1: "},
    {.name = "a way that is none",
     .text = TASK("{\"completed_by\":1,\"result\":[{\"type\":\"taxonomy\",\"value\":"
                  "{\"taxonomy\":[\"x\"]}}]}",
                  ""),
     .error = "found a string, expected an array of names"},
    {.name = "predictions that are nothing",
     .text = TASK("", "\"5\""),
     .error = "found a string, expected an object"},
};

int main(void)
{
    for (size_t i = 0; i < ROWS(rows); i++)
        imported_check(&rows[i]);
    return tap_done();
}
