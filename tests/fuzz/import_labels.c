/* Any bytes are labels made elsewhere or an error with its place, whatever format they
 * are taken for: the first byte says which. What is taken names items of the task, codes
 * of the codebook and a rater. */
#include <assert.h>
#include <string.h>

#include "label/internal.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define CODEBOOK \
    "codebook: b\ndimensions:\n  cause: {codes: {data: Data, model: {name: The model, " \
    "codes: {layer: Layer}}}}\n  effect: {several: yes, codes: {crash: Crash, 1: " \
    "One}}\n"

static struct str raters[] = {STR_INIT("ann"), STR_INIT("bob")};
static const struct study study = {.home = "/nowhere"};
static const struct study_labelling settings[] = {
    {.raters = raters, .rater_count = 2},
    {.raters = raters, .rater_count = 2, .units = true, .spans = STUDY_SPANS_PER_CODE},
    {.raters = raters, .rater_count = 2, .spans = STUDY_SPANS_YES}};

/* A task of three items that is not in any database. */
static void begin(struct label *label)
{
    struct buf problems = {0};
    struct err err = {0};

    bool ok = study_codebook_parse(STR(CODEBOOK), "k.yaml", &label->arena, &label->file,
                                   &problems, &err);
    assert(ok);
    label->study = &study;
    label->settings = settings;
    label->effective = label->file;
    label->item_order.arena = &label->arena;
    for (int64_t id = 1; id <= 3; id++)
        *map_put(&label->item_order, (struct str){(const char *)&id, sizeof id}) = id;
    buf_free(&problems);
}

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
    importer.raters.arena = importer.rows.arena = &importer.arena;
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
    list_free(&importer.given);
    list_free(&importer.spans);
    buf_free(&importer.problems);
    arena_free(&importer.parts_arena);
    arena_free(&importer.arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct label label;

    if (size == 0)
        return 0;
    if (label.settings == NULL)
        begin(&label);
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        label.settings = &settings[i];
        read(&label, data, size);
    }
    return 0;
}
