/* What the study gave, read back from its files. */
#include <math.h>
#include <string.h>

#include "base/file.h"
#include "run/output.h"
#include "run/run.h"
#include "store/corpus.h"

static void add_count(struct result_numbers *step, const char *column, int64_t count)
{
    step->at[step->count++] = (struct result_number){.column = str_from(column),
                                                     .value = (double)count,
                                                     .low = NAN,
                                                     .high = NAN,
                                                     .n = -1};
}

/* Two steps that have no files: the corpus and the census of its sources. */
static bool count_corpus(const struct study *study, struct arena *arena,
                         struct result_numbers out[2], struct err *err)
{
    enum { COUNTS_MAX = 3 }; /* of a step */
    struct store *corpus;
    struct store_counts counts;

    for (size_t s = 0; s < 2; s++)
        out[s] = (struct result_numbers){
            s == 0 ? STR("corpus") : STR("census"),
            arena_array(arena, struct result_number, COUNTS_MAX), 0};
    if (study->source_count == 0)
        return true;
    if (!store_open(file_join(study->home, "corpus.db", arena), &corpus, err))
        return false;
    bool ok = store_counts(corpus, &counts, err);
    store_close(corpus);
    if (!ok)
        return false;
    add_count(&out[0], "questions", counts.questions);
    add_count(&out[0], "answers", counts.answers);
    add_count(&out[0], "rows", counts.rows);
    add_count(&out[1], "questions", counts.census_questions);
    add_count(&out[1], "accepted", counts.census_accepted);
    return true;
}

bool run_numbers(const struct study *study, struct arena *arena,
                 struct result_numbers **out, size_t *count, struct err *err)
{
    struct run_steps steps;
    bool ok;

    run_steps_list(study, arena, &steps);
    *out = arena_array(arena, struct result_numbers, steps.count + 3);
    ok = count_corpus(study, arena, *out, err);
    *count = 2;
    for (size_t i = 0; i < steps.count && ok; i++)
        ok = steps.at[i].kind >= RUN_STEPS_FIGURE ||
             run_output_read_numbers(study->home, steps.at[i].name, arena,
                                     &(*out)[(*count)++], err);
    return ok;
}
