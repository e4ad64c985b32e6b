/* Any bytes are a codebook or a list of errors, each with its place. In a codebook
 * parents come before their children, and every path and further spelling finds its code.
 */
#include "study/codebook.h"

#include <assert.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
const char *__lsan_default_suppressions(void);

/* libfyaml 0.7 itself loses memory when a long quoted scalar is wrong. */
const char *__lsan_default_suppressions(void)
{
    return "leak:libfyaml.so";
}

static void check_found(const struct study_codebook_dimension *dimension, struct str text,
                        size_t wanted)
{
    struct err err = {0};
    size_t code;

    assert(study_codebook_find(dimension, text, &code, &err) && code == wanted);
}

static void check_code(const struct study_codebook_dimension *dimension, size_t number)
{
    const struct study_codebook_code *code = &dimension->codes[number];
    size_t any;
    struct err err = {0};

    assert(code->id.len > 0 && code->name.len > 0 && str_ends(code->path, code->id));
    assert(code->parent == STUDY_CODEBOOK_NONE ? code->level == 1
                                               : code->parent < number);
    if (code->parent != STUDY_CODEBOOK_NONE) {
        const struct study_codebook_code *parent = &dimension->codes[code->parent];
        assert(code->level == parent->level + 1 && !parent->leaf && !code->special);
    }
    check_found(dimension, code->path, number);
    /* A name may be another's, or mean several; the answer then has a reason. */
    if (!study_codebook_find(dimension, code->name, &any, &err))
        assert(err.kind == ERR_INPUT && strstr(err.text, "may mean") != NULL);
    for (size_t i = 0; i < code->also.count; i++)
        if (!study_codebook_find(dimension, code->also.at[i], &any, &err))
            assert(strstr(err.text, "may mean") != NULL);
        else
            assert(any == number);
}

/* Each problem is a line "f:LINE:COLUMN: text"; a message may quote more lines. */
static void check_problems(struct str problems)
{
    assert(str_starts(problems, STR("f:")) && str_ends(problems, STR("\n")));
    assert(problems.ptr[2] >= '1' && problems.ptr[2] <= '9');
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena = {0};
    struct buf problems = {0};
    struct err err = {0};
    struct study_codebook book;

    if (study_codebook_parse((struct str){(const char *)data, size}, "f", &arena, &book,
                             &problems, &err)) {
        assert(err.kind == ERR_NONE && problems.len == 0 && book.count > 0);
        for (size_t d = 0; d < book.count; d++)
            for (size_t i = 0; i < book.dimensions[d].count; i++)
                check_code(&book.dimensions[d], i);
    } else {
        assert(err.kind == ERR_INPUT);
        check_problems(buf_str(&problems));
    }
    buf_free(&problems);
    arena_free(&arena);
    return 0;
}
