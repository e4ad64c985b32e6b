/* For tests of codebooks that change: one with all kinds of changes. */
#ifndef TESTS_UNIT_CHANGED_H
#define TESTS_UNIT_CHANGED_H

#include <string.h>

#include "study/history.h"
#include "tests/tap.h"

#define CHANGED_CODES \
    "codebook: b\ncodes:\n  hardware: Hardware\n  model: {codes: {parsing: Parsing}}\n" \
    "  start: Start\n  end: End\nspecial: {unclear: Unclear}\n"
#define CHANGED_CHANGES \
    "changes:\n" \
    "  - {merge: [gpu, cpu], into: hardware, reason: few}\n" \
    "  - {move: data/parsing, into: model, reason: fits}\n" \
    "  - {split: crash, into: [start, end], reason: two kinds}\n" \
    "  - {retire: other, reason: empty}\n" \
    "  - {retire: junk, into: unclear, reason: same}\n" \
    "  - {rename: hardware, into: Machine, reason: clearer}\n" \
    "  - {merge: [slow], into: hardware, review: yes, reason: judge}\n"

static inline bool changed_parse(const char *text, struct arena *arena,
                                 struct study_codebook *out, struct buf *problems)
{
    struct err err = {0};

    return study_codebook_parse(str_from(text), "k", arena, out, problems, &err);
}

#endif
