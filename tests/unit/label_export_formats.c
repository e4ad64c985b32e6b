/* Every format is read back as what it was; what each of them cannot hold is left out. */
#include "tests/unit/imported.h"

/* Rounds, a re-test, an unsure label, memos, times, a model. */
#define ALL \
    "{\"item\":11,\"rater\":\"ann\",\"dimension\":\"cause\",\"codes\":[\"data\"]," \
    "\"round\":1,\"kind\":\"pilot\",\"seconds\":1.500,\"memo\":\"a, \\\"b\\\"\"}\n" \
    "{\"item\":11,\"rater\":\"ann\",\"dimension\":\"cause\",\"codes\":[\"model/" \
    "layer\"]," \
    "\"round\":2,\"kind\":\"main\",\"unsure\":true,\"seconds\":2.250,\"memo\":\"c\"}\n" \
    "{\"item\":11,\"rater\":\"ann\",\"dimension\":\"cause\",\"codes\":[\"data\"]," \
    "\"round\":2,\"kind\":\"main\",\"again\":true}\n" \
    "{\"item\":11,\"rater\":\"ann\",\"dimension\":\"effect\",\"codes\":[\"crash\"," \
    "\"slow\"]," \
    "\"round\":2,\"kind\":\"main\"}\n" \
    "{\"item\":5,\"rater\":\"gpt\",\"dimension\":\"cause\",\"codes\":[\"data\"]," \
    "\"round\":2,\"kind\":\"main\"}\n" \
    "{\"item\":5,\"rater\":\"bob\",\"dimension\":\"cause\",\"codes\":[\"model\"]," \
    "\"round\":2,\"kind\":\"main\"}\n"

static const struct {
    const char *name;
    struct label_export_options how;
    struct label_import_options back;
    const char *want;
} rows[] = {
    {"csv",
     {.format = LABEL_FORMAT_CSV},
     {.separator = 0},
     "item,rater,dimension,code,round,kind,again,unsure,seconds,memo\n"
     "11,ann,cause,data,1,pilot,0,0,1.500,\"a, \"\"b\"\"\"\n"
     "11,ann,cause,model/layer,2,main,0,1,2.250,c\n"
     "11,ann,cause,data,2,main,1,0,,\n"
     "11,ann,effect,crash,2,main,0,0,,\n"
     "11,ann,effect,slow,2,main,0,0,,\n"
     "5,gpt,cause,data,2,main,0,0,,\n"
     "5,bob,cause,model,2,main,0,0,,\n"},
    {"JSON lines", {.format = LABEL_FORMAT_JSONL}, {.separator = 0}, ALL},
    {"wide",
     {.format = LABEL_FORMAT_WIDE},
     {.separator = 0},
     "item,ann:cause,ann:effect,bob:cause,bob:effect,gpt:cause,gpt:effect\n"
     "11,model/layer,crash;slow,,,,\n"
     "5,,,model,,data,\n"},
    {"wide, one dimension, one rater",
     {.format = LABEL_FORMAT_WIDE,
      .dimension = STR_INIT("cause"),
      .rater = STR_INIT("ann")},
     {.separator = 0},
     "item,ann:cause\n11,model/layer\n"},
    {"Label Studio",
     {.format = LABEL_FORMAT_STUDIO},
     {.separator = 0},
     "[\n{\"id\":11,\"data\":{\"item\":11},\"annotations\":[{\"completed_by\":{\"email\":"
     "\"ann\"},\"was_cancelled\":false,\"lead_time\":2.250,\"result\":[{\"from_name\":"
     "\"cause\",\"to_name\":\"text\",\"type\":\"choices\",\"value\":{\"choices\":"
     "[\"model/layer\"]}},{\"from_name\":\"cause.memo\",\"to_name\":\"text\",\"type\":"
     "\"textarea\",\"value\":{\"text\":[\"c\"]}},{\"from_name\":\"effect\",\"to_name\":"
     "\"text\",\"type\":\"choices\",\"value\":{\"choices\":[\"crash\",\"slow\"]}}]}],"
     "\"predictions\":[]},\n"
     "{\"id\":5,\"data\":{\"item\":5},\"annotations\":[{\"completed_by\":{\"email\":"
     "\"bob\"},"
     "\"was_cancelled\":false,\"result\":[{\"from_name\":\"cause\",\"to_name\":\"text\","
     "\"type\":\"choices\",\"value\":{\"choices\":[\"model\"]}}]}],\"predictions\":[{"
     "\"model_version\":\"gpt\",\"result\":[{\"from_name\":\"cause\",\"to_name\":"
     "\"text\","
     "\"type\":\"choices\",\"value\":{\"choices\":[\"data\"]}}]}]}\n]\n"},
    {"doccano",
     {.format = LABEL_FORMAT_DOCCANO,
      .rater = STR_INIT("ann"),
      .dimension = STR_INIT("cause")},
     {.rater = STR_INIT("ann"), .dimension = STR_INIT("cause")},
     "{\"id\":11,\"label\":[\"model/layer\"],\"Comments\":[\"c\"]}\n"},
};

/* Written, read into a study that has nothing, written again. */
static void check_trip(size_t i, struct labelled *test)
{
    struct label_export_options how = rows[i].how;
    struct labelled other;
    int64_t count;

    tap_case("there and back: %s", rows[i].name);
    how.layer = LABEL_SAID;
    const char *text = labelled_write(test, how);
    CHECK_TEXT(test->in.err.text, "");
    CHECK_TEXT(text, rows[i].want);
    if (!labelled_begin(&other, LABELLED_STUDY, IMPORTED_TWO))
        return;
    CHECK(labelled_import(&other, text, rows[i].back, &count));
    CHECK_TEXT(other.in.err.text, "");
    CHECK_TEXT(labelled_write(&other, how), text);
    labelled_end(&other);
}

static const struct {
    const char *name;
    struct label_export_options how;
    const char *message;
} wrong[] = {
    {"a rater whom nobody knows",
     {.rater = STR_INIT("carl")},
     "there are no labels of a rater 'carl'"},
    {"a dimension that is not there", {.dimension = STR_INIT("caus")}, "'cause'"},
    {"doccano for all raters",
     {.format = LABEL_FORMAT_DOCCANO},
     "doccano has a file for each rater; choose one with --rater"},
    {"doccano for all dimensions",
     {.format = LABEL_FORMAT_DOCCANO, .rater = STR_INIT("ann")},
     "doccano knows one dimension; choose one with --dimension"},
};

static void check_anonymous(struct labelled *test)
{
    static const enum label_format formats[] = {LABEL_FORMAT_CSV, LABEL_FORMAT_WIDE,
                                                LABEL_FORMAT_JSONL, LABEL_FORMAT_STUDIO};

    for (size_t i = 0; i < ROWS(formats); i++) {
        struct label_export_options how = {
            .layer = LABEL_SAID, .format = formats[i], .anonymous = true};
        const char *text = labelled_write(test, how);
        tap_case("anonymous, format %d: no name, time or memo", (int)formats[i]);
        CHECK(strstr(text, "rater-1") != NULL && strstr(text, "rater-3") != NULL);
        CHECK(strstr(text, "\"ann\"") == NULL && strstr(text, ",ann") == NULL);
        CHECK(strstr(text, "bob") == NULL && strstr(text, "gpt") == NULL);
        CHECK(strstr(text, "2.250") == NULL && strstr(text, "\"c\"") == NULL);
        CHECK(strstr(text, ",c\n") == NULL);
    }
    tap_case("anonymous: memos on request");
    CHECK(strstr(labelled_write(test, (struct label_export_options){.layer = LABEL_SAID,
                                                                    .anonymous = true,
                                                                    .memos = true}),
                 "11,rater-1,cause,model/layer,2,main,0,1,,c\n") != NULL);
}

/* Such labels stay in the log, and have no column. */
static void check_gone(struct labelled *test)
{
    tap_case("labels of a dimension that the codebook no longer has");
    labelled_close(test);
    studied_write(&test->in, "k.yaml",
                  "codebook: bugs\ndimensions:\n  cause: {codes: {model: {codes: {layer: "
                  "Layer}}, data: Data}}\n  other: {codes: {a: A}}\n");
    if (!CHECK(labelled_open(test)))
        return;
    const char *wide =
        labelled_write(test, (struct label_export_options){.layer = LABEL_SAID,
                                                           .format = LABEL_FORMAT_WIDE});
    CHECK(strlen(wide) > 20 && strlen(wide) < 5000);
    CHECK(strstr(wide, "cause") != NULL && strstr(wide, "effect") == NULL);
}

int main(void)
{
    struct labelled test;
    int64_t count;

    if (!labelled_begin(&test, LABELLED_STUDY, IMPORTED_TWO))
        return tap_done();
    CHECK(labelled_import(&test, ALL, (struct label_import_options){0}, &count));
    CHECK_TEXT(test.in.err.text, "");
    for (size_t i = 0; i < ROWS(rows); i++)
        check_trip(i, &test);
    for (size_t i = 0; i < ROWS(wrong); i++) {
        struct label_export_options how = wrong[i].how;
        tap_case("wrong: %s", wrong[i].name);
        how.layer = LABEL_SAID;
        CHECK_TEXT(labelled_write(&test, how), "failed");
        CHECK(test.in.err.kind == ERR_INPUT);
        if (!CHECK(strstr(test.in.err.text, wrong[i].message) != NULL))
            CHECK_TEXT(test.in.err.text, wrong[i].message);
    }
    check_anonymous(&test);
    check_gone(&test);
    labelled_end(&test);
    return tap_done();
}
