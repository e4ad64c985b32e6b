/* Codebooks of a study, and dimensions that are asked for. */
#include "study/internal.h"

#include "tests/unit/labelled.h"

#define TWO "codebook: bugs\ndimensions:\n  a: {codes: {x: X}}\n  b: {codes: {y: Y}}\n"

static const struct {
    const char *name, *codebook, *dimension, *problems;
} rows[] = {
    {"one dimension, none asked for", LABELLED_CODEBOOK, "", ""},
    {"one dimension, one asked for", LABELLED_CODEBOOK, ", dimension: bugs",
     "has one dimension: leave `dimension` out\n"},
    {"two, none asked for", TWO, "",
     "has several dimensions: expected `dimension`, one of a, b; found ''\n"},
    {"two, one of them asked for", TWO, ", dimension: b", ""},
    {"two, another asked for", TWO, ", dimension: c",
     "has several dimensions: expected `dimension`, one of a, b; found 'c'\n"},
    {"a codebook that cannot be read", "codebook: [", "",
     "k.yaml:2:1: not readable as YAML"},
};

static void check_row(struct studied *test, size_t i)
{
    struct study_options options = {0};
    struct buf text = {0}, problems = {0};
    struct err err = {0};
    struct study study;

    buf_add_format(&text, "%sgroups: {g: {labels: bugs%s}}\ntables: {t: {by: g}}\n",
                   LABELLED_STUDY, rows[i].dimension);
    studied_write(test, "study.yaml", arena_c_string(&test->arena, buf_str(&text)));
    studied_write(test, "k.yaml", rows[i].codebook);
    CHECK(study_load(test->folder, &options, &test->arena, &study, &problems, &err) ==
          (rows[i].problems[0] == '\0'));
    buf_add_char(&problems, '\0');
    if (!CHECK(strstr(problems.ptr, rows[i].problems) != NULL))
        CHECK_TEXT(problems.ptr, rows[i].problems);
    buf_free(&text);
    buf_free(&problems);
}

int main(void)
{
    struct studied test;

    if (!studied_begin(&test))
        return tap_done();
    for (size_t i = 0; i < ROWS(rows); i++) {
        tap_case("%s", rows[i].name);
        check_row(&test, i);
    }
    studied_end(&test);
    return tap_done();
}
