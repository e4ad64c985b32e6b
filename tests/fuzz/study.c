/* Any bytes are a study or a list of errors, each with its place. In a study every
 * reference leads somewhere, every query is written out, and its steps can be listed,
 * each behind those that it needs. */
#include "study/study.h"

#include <assert.h>
#include <string.h>

#include "run/steps.h"
#include "study/keys.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
const char *__lsan_default_suppressions(void);

/* libfyaml 0.7 itself loses memory when a long quoted scalar is wrong. */
const char *__lsan_default_suppressions(void)
{
    return "leak:libfyaml.so";
}

static void check_source(const struct study *study, struct str name)
{
    assert(study_find_set(study, name) != STUDY_NONE ||
           study_find_sample(study, name) != STUDY_NONE);
}

static void check_written(const struct query_node *query)
{
    assert(query != NULL && !query_needs(query).sets);
}

static void check_parts(const struct study *study)
{
    for (size_t i = 0; i < study->set_count; i++)
        check_written(study->sets[i].written);
    for (size_t i = 0; i < study->group_count; i++) {
        const struct study_group *group = &study->groups[i];
        for (size_t q = 0; group->queries != NULL && q < group->count; q++)
            check_written(group->queries[q]);
        if (group->grouping == STUDY_GROUPING_LABELS)
            assert(group->labels < study->label_count);
        for (size_t s = 0; group->grouping == STUDY_GROUPING_SETS && s < group->count;
             s++)
            check_source(study, group->names[s]);
    }
    for (size_t i = 0; i < study->sample_count; i++) {
        const struct study_sample *sample = &study->samples[i];
        check_source(study, sample->of);
        assert(sample->by == STUDY_NONE || sample->by < study->group_count);
        assert(sample->keep == STUDY_NONE || sample->keep < study->sample_count);
        assert(sample_size_of(&sample->size, 1000) <= 1000);
    }
}

static void check_table(const struct study *study, const struct study_table *table)
{
    for (size_t i = 0; i < table->of_count; i++)
        check_source(study, table->of[i]);
    for (size_t i = 0; i < table->by_count; i++)
        assert(table->by[i] < study->group_count);
    for (size_t i = 0; i < table->across_count; i++)
        assert(table->across[i] < study->group_count);
    for (size_t i = 0; i < table->where_count; i++)
        assert(table->where[i].group < study->group_count);
    assert(table->from != NULL || table->column_count > 0);
    assert(table->sort == STUDY_NONE || table->sort < table->column_count);
    for (size_t i = 0; i < 2; i++)
        assert(table->ranked[i] == STUDY_NONE || table->ranked[i] < table->column_count);
}

static void check_study(const struct study *study, struct arena *arena)
{
    struct run_steps steps;

    check_parts(study);
    for (size_t i = 0; i < study->table_count; i++)
        check_table(study, &study->tables[i]);
    check_written(study_needed(study, arena));
    run_steps_list(study, arena, &steps);
    for (size_t i = 0; i < steps.count; i++)
        for (size_t n = 0; n < steps.at[i].need_count; n++)
            assert(steps.at[i].needs[n] < i);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena = {0};
    struct buf problems = {0};
    struct study_options options = {.data = size % 2 == 0 ? "d" : NULL};
    struct err err = {0};
    struct study study;

    if (study_parse((struct str){(const char *)data, size}, "f", &options, &arena, &study,
                    &problems, &err)) {
        assert(err.kind == ERR_NONE && problems.len == 0);
        check_study(&study, &arena);
    } else {
        assert(err.kind == ERR_INPUT && problems.len > 0);
        assert(str_starts(buf_str(&problems), STR("f:")));
        assert(str_ends(buf_str(&problems), STR("\n")));
    }
    buf_free(&problems);
    arena_free(&arena);
    return 0;
}
