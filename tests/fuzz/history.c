/* Any bytes that are a codebook: a label made under it stays as it is, it goes on from
 * itself and does not differ from itself; and a code of any earlier version is in the
 * codebook now, or a human must look at it. */
#include "study/history.h"

#include <assert.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
const char *__lsan_default_suppressions(void);

enum { CHANGES_MAX = 200 };

/* libfyaml 0.7 itself loses memory when a long quoted scalar is wrong. */
const char *__lsan_default_suppressions(void)
{
    return "leak:libfyaml.so";
}

static bool is_there(const struct study_codebook_dimension *dimension, struct str path)
{
    for (size_t i = 0; i < dimension->count; i++)
        if (str_eq(dimension->codes[i].path, path))
            return true;
    return false;
}

static void check_dimension(const struct study_codebook *codebook,
                            const struct study_codebook_dimension *dimension,
                            struct arena *arena)
{
    for (size_t i = 0; i < dimension->count; i++) {
        struct study_history_place now = study_history_carry(
            codebook, dimension, codebook->change_count, dimension->codes[i].path, arena);
        assert(str_eq(now.path, dimension->codes[i].path) && now.review.len == 0);
    }
    for (size_t i = 0; i < codebook->change_count; i++)
        for (size_t f = 0; f < codebook->changes[i].from.count; f++) {
            struct study_history_place now = study_history_carry(
                codebook, dimension, i, codebook->changes[i].from.at[f], arena);
            assert(now.review.len > 0 || is_there(dimension, now.path));
        }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena = {0};
    struct study_codebook codebook;
    struct buf problems = {0}, out = {0};
    struct err err = {0};

    if (study_codebook_parse((struct str){(const char *)data, size}, "f", &arena,
                             &codebook, &problems, &err) &&
        codebook.change_count <= CHANGES_MAX) {
        for (size_t d = 0; d < codebook.count; d++)
            check_dimension(&codebook, &codebook.dimensions[d], &arena);
        assert(study_history_continues(&codebook, &codebook, &err));
        study_history_difference(&codebook, &codebook, &arena, &out);
        assert(out.len == 0);
    }
    buf_free(&problems);
    buf_free(&out);
    arena_free(&arena);
    return 0;
}
