/* What the study gave, read back from its files. */
#include <math.h>
#include <string.h>

#include "base/file.h"
#include "run/output.h"
#include "run/run.h"
#include "store/corpus.h"

static void add_count(struct numbers *step, const char *column, int64_t count)
{
    step->at[step->count++] = (struct number){.column = str_from(column),
                                              .value = (double)count,
                                              .low = NAN,
                                              .high = NAN,
                                              .n = -1};
}

/* Two steps that have no files: the corpus and the census of its sources. */
static bool count_corpus(const struct study *study, struct arena *arena,
                         struct numbers out[2], struct err *err)
{
    enum { COUNTS_MAX = 3 }; /* of a step */
    struct corpus *corpus;
    struct corpus_counts counts;

    for (size_t s = 0; s < 2; s++)
        out[s] = (struct numbers){s == 0 ? STR("corpus") : STR("census"),
                                  arena_array(arena, struct number, COUNTS_MAX), 0};
    if (study->source_count == 0)
        return true;
    if (!corpus_open(file_join(study->home, "corpus.db", arena), &corpus, err))
        return false;
    bool ok = corpus_counts(corpus, &counts, err);
    corpus_close(corpus);
    if (!ok)
        return false;
    add_count(&out[0], "questions", counts.questions);
    add_count(&out[0], "answers", counts.answers);
    add_count(&out[0], "rows", counts.rows);
    add_count(&out[1], "questions", counts.census_questions);
    add_count(&out[1], "accepted", counts.census_accepted);
    return true;
}

bool run_numbers(const struct study *study, struct arena *arena, struct numbers **out,
                 size_t *count, struct err *err)
{
    struct steps steps;
    bool ok;

    steps_list(study, arena, &steps);
    *out = arena_array(arena, struct numbers, steps.count + 3);
    ok = count_corpus(study, arena, *out, err);
    *count = 2;
    for (size_t i = 0; i < steps.count && ok; i++)
        ok = steps.at[i].kind >= STEPS_FIGURE ||
             output_read_numbers(study->home, steps.at[i].name, arena,
                                 &(*out)[(*count)++], err);
    return ok;
}
