/* Any bytes are a REFI-QDA project or codebook, or an error with its place. What is taken
 * as a codebook is one of ours; what is taken as labels names codes of the study's. */
#include <assert.h>
#include <string.h>

#include "input/zipfile.h"
#include "label/internal.h"
#include "label/refi.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define CODEBOOK \
    "codebook: b\ndimensions:\n  cause: {codes: {data: Data, model: {name: The model, " \
    "codes: {layer: Layer}}}}\n  effect: {several: yes, codes: {crash: Crash, 1: " \
    "One}}\n"

static struct str raters[] = {STR_INIT("ann"), STR_INIT("bob")};
static const struct study study = {.home = "/nowhere"};
static const struct study_labelling settings = {
    .raters = raters, .rater_count = 2, .spans = STUDY_SPANS_PER_CODE};

static void begin(struct label *label)
{
    struct buf problems = {0};
    struct err err = {0};

    bool ok = study_codebook_parse(STR(CODEBOOK), "k.yaml", &label->arena, &label->file,
                                   &problems, &err);
    assert(ok);
    label->study = &study;
    label->settings = &settings;
    label->effective = label->file;
    label->item_order.arena = &label->arena;
    for (int64_t id = 1; id <= 3; id++)
        *map_put(&label->item_order, (struct str){(const char *)&id, sizeof id}) = id;
    buf_free(&problems);
}

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
    importer.raters.arena = importer.rows.arena = &importer.arena;
    bool ok = label_import_zip(&importer, buf_str(&bytes), &err);
    assert(ok == (err.kind == ERR_NONE));
    assert(ok || strncmp(err.text, "f", 1) == 0);
    list_free(&importer.given);
    list_free(&importer.spans);
    buf_free(&importer.problems);
    arena_free(&importer.parts_arena);
    arena_free(&importer.arena);
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
        begin(&label);
    read_codebook(text);
    read_project(&label, text);
    return 0;
}
