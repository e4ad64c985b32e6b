/* Any bytes are labels made elsewhere or an error with its place, whatever format they
 * are taken for: the first byte says which. What is taken names items of the task, codes
 * of the codebook and a rater. */
#include <assert.h>
#include <string.h>

#include "tests/fuzz/label_task.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct study_labelling settings[] = {
    {.raters = raters, .rater_count = 2},
    {.raters = raters, .rater_count = 2, .units = true, .spans = STUDY_SPANS_PER_CODE},
    {.raters = raters, .rater_count = 2, .spans = STUDY_SPANS_YES}};

static void read(struct label *label, const uint8_t *data, size_t size)
{
    struct label_import_options how = {0};
    struct label_importer importer = {.label = label, .options = &how, .path = "f"};
    struct err err = {0};
    struct str text = {(const char *)data + 1, size - 1};

    how.format = (enum label_format)(data[0] % (LABEL_FORMAT_REFI + 1));
    if (data[0] & 0x20)
        how.rater = STR("gpt");
    if (data[0] & 0x40)
        how.dimension = STR("effect");
    if (data[0] & 0x80)
        how.separator = '|';
    if (label->settings->units && data[0] & 0x10)
        how.unit_column = STR("row");
    task_open(&importer);
    bool json = (how.format > LABEL_FORMAT_WIDE && how.format < LABEL_FORMAT_WEBANNO) ||
                (how.format == LABEL_FORMAT_ANY && text.len > 0 &&
                 (text.ptr[0] == '{' || text.ptr[0] == '['));
    bool ok = json ? label_import_json(&importer, text, &err)
              : how.format == LABEL_FORMAT_WEBANNO
                  ? label_import_webanno(&importer, text, &err)
              : how.format == LABEL_FORMAT_REFI ? label_import_zip(&importer, text, &err)
                                                : label_import_csv(&importer, text, &err);
    assert(ok == (err.kind == ERR_NONE));
    assert(ok || (err.kind == ERR_INPUT && strncmp(err.text, "f:", 2) == 0));
    /* Mistakes that did not end the reading have their places, too. */
    assert((importer.problem_count > 0) == (importer.problems.len > 0));
    assert(importer.problem_count == 0 || strncmp(importer.problem.text, "f", 1) == 0);
    assert(importer.given.count == 0 || importer.raters.count > 0);
    task_close(&importer);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct label label;

    if (size == 0)
        return 0;
    if (label.settings == NULL)
        task_begin(&label, settings);
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        label.settings = &settings[i];
        read(&label, data, size);
    }
    return 0;
}
