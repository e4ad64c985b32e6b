/* For tests of the readers of labels: a text, and the JSON lines that come of it or what
 * is wrong with it. */
#ifndef TESTS_UNIT_IMPORTED_H
#define TESTS_UNIT_IMPORTED_H

#include <string.h>

#include "tests/unit/labelled.h"

/* Two dimensions, the second of which takes several codes. */
#define IMPORTED_TWO \
    "codebook: bugs\ndimensions:\n" \
    "  cause: {codes: {data: Data, model: {name: The model, codes: {layer: Layer}}}}\n" \
    "  effect: {several: yes, codes: {crash: Crash, slow: Slow}}\n"

struct imported_row {
    const char *name;
    const char *codebook; /* NULL: LABELLED_CODEBOOK */
    const char *text;
    struct label_import_options how;
    const char *want;  /* JSON lines */
    const char *error; /* instead; a part of it */
};

static inline void imported_check(const struct imported_row *row)
{
    struct labelled test;
    int64_t count;

    tap_case("%s: %s", row->error != NULL ? "wrong" : "imported", row->name);
    if (!labelled_begin(&test, LABELLED_STUDY,
                        row->codebook != NULL ? row->codebook : LABELLED_CODEBOOK))
        return;
    bool ok = labelled_import(&test, row->text, row->how, &count);
    const char *lines;
    if (row->error == NULL) {
        CHECK(ok);
        CHECK_TEXT(test.in.err.text, "");
    } else {
        CHECK(!ok && test.in.err.kind == ERR_INPUT);
        if (!CHECK(strstr(test.in.err.text, row->error) != NULL))
            CHECK_TEXT(test.in.err.text, row->error);
    }
    lines = labelled_write(&test, (struct label_export_options){
                                      .layer = LABEL_SAID, .format = LABEL_FORMAT_JSONL});
    CHECK_TEXT(lines, row->error == NULL ? row->want : "");
    labelled_end(&test);
}

#endif
