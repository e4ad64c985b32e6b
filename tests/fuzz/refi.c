/* Any bytes are a REFI-QDA project or codebook, or an error with its place. What is taken
 * as a codebook is one of ours; what is taken as labels names codes of the study's. */
#include <assert.h>
#include <string.h>

#include "input/zipfile.h"
#include "label/refi.h"
#include "tests/fuzz/label_task.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct study_labelling settings = {
    .raters = raters, .rater_count = 2, .spans = STUDY_SPANS_PER_CODE};

static bool add_bytes(void *context, struct str bytes, struct err *err)
{
    (void)err;
    buf_add(context, bytes);
    return true;
}

/* The bytes as the XML of a project. */
static void read_project(struct label *label, struct str xml)
{
    struct label_import_options how = {.rater = STR("gpt")};
    struct label_importer importer = {.label = label, .options = &how, .path = "f"};
    struct input_zipfile *zip = NULL;
    struct buf bytes = {0};
    struct err err = {0};
    bool made = input_zipfile_open(add_bytes, &bytes, &zip, &err) &&
                input_zipfile_add(zip, STR("project.qde"), xml, &err) &&
                input_zipfile_finish(zip, &err);

    assert(made);
    input_zipfile_close(zip);
    task_open(&importer);
    bool ok = label_import_zip(&importer, buf_str(&bytes), &err);
    assert(ok == (err.kind == ERR_NONE));
    assert(ok || strncmp(err.text, "f", 1) == 0);
    task_close(&importer);
    buf_free(&bytes);
}

static void read_codebook(struct str text)
{
    struct buf out = {0}, problems = {0};
    struct arena arena = {0};
    struct study_codebook codebook;
    struct err err = {0};

    if (label_refi_read_codebook(text, "f.qdc", &out, &err)) {
        bool ok = study_codebook_parse(buf_str(&out), "f.yaml", &arena, &codebook,
                                       &problems, &err);
        assert(ok);
    } else {
        assert(err.kind == ERR_INPUT && strncmp(err.text, "f.qdc:", 6) == 0);
    }
    buf_free(&out);
    buf_free(&problems);
    arena_free(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct label label;
    struct str text = {(const char *)data, size};

    if (label.settings == NULL)
        task_begin(&label, &settings);
    read_codebook(text);
    read_project(&label, text);
    return 0;
}
