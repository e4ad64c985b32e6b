/* Any bytes are a measure or an error that quotes them. What a measure says of itself
 * holds, and its name in addresses has only characters of addresses. */
#include "study/measure.h"
#include "result/result.h"

#include <assert.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_measure(const struct study_measure *measure)
{
    assert(measure->level >= 0 && measure->level <= 1);
    assert((measure->kind == STUDY_MEASURE_RANK) == (measure->ranked != NULL));
    assert(measure->kind != STUDY_MEASURE_PART ||
           measure->condition != STUDY_MEASURE_ALL);
    assert(!measure->negated || measure->condition != STUDY_MEASURE_ALL);
    assert(study_measure_is_time(measure) == (measure->unit_ms > 0));
    assert(measure->kind != STUDY_MEASURE_SURVIVAL || study_measure_is_time(measure));
    if (measure->condition == STUDY_MEASURE_IN_SET ||
        measure->quantity == STUDY_MEASURE_FIELD)
        assert(measure->name.len > 0);
    (void)study_measure_unit(measure);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena = {0};
    struct str text = {(const char *)data, size};
    struct study_measure measure;
    struct buf slug = {0};
    struct err err = {0};

    if (study_measure_parse(text, NULL, &arena, &measure, &err)) {
        check_measure(&measure);
        if (measure.ranked != NULL)
            check_measure(measure.ranked);
    } else {
        assert(err.kind == ERR_INPUT && strncmp(err.text, "measure '", 9) == 0);
    }
    result_slug(text, &slug);
    for (size_t i = 0; i < slug.len; i++)
        assert(strchr(" /\"',\n", slug.ptr[i]) == NULL || slug.ptr[i] == '\0');
    assert(slug.len == 0 || (slug.ptr[0] != '-' && slug.ptr[slug.len - 1] != '-'));
    buf_free(&slug);
    arena_free(&arena);
    return 0;
}
