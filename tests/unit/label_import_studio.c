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
    {.name = "parts of a text",
     .text =
         TASK("{\"completed_by\":1,\"result\":[{\"type\":\"labels\",\"value\":{}}]}", ""),
     .error = "found a result of type 'labels', expected choices, taxonomy, rating or "
              "textarea"},
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
    {.name = "ids of predictions alone",
     .text = TASK("", "5"),
     .error = "found a number, expected an object"},
};

int main(void)
{
    for (size_t i = 0; i < ROWS(rows); i++)
        imported_check(&rows[i]);
    return tap_done();
}
