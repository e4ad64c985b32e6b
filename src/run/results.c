/* What the study gave, read back from its files. */
#include <math.h>
#include <string.h>

#include "base/file.h"
#include "run/output.h"
#include "run/run.h"
#include "store/corpus.h"

static const struct {
    const char *step, *column, *sql;
} counts[] = {
    {"corpus", "questions", "SELECT count(*) FROM post WHERE type = 1"},
    {"corpus", "answers", "SELECT count(*) FROM post WHERE type = 2"},
    {"corpus", "rows", "SELECT count(*) FROM post WHERE type = 100"},
    {"census", "questions",
     "SELECT ifnull(sum(questions), 0) FROM census WHERE tag = ''"},
    {"census", "accepted", "SELECT ifnull(sum(accepted), 0) FROM census WHERE tag = ''"},
};

/* Two steps that have no files: the corpus and the census of its sources. */
static bool count_corpus(const struct study *study, struct arena *arena,
                         struct numbers out[2], struct err *err)
{
    struct corpus *corpus;
    bool ok = true;

    for (size_t s = 0; s < 2; s++)
        out[s] = (struct numbers){s == 0 ? STR("corpus") : STR("census"),
                                  arena_array(arena, struct number, ROWS_OF(counts)), 0};
    if (study->source_count == 0)
        return true;
    if (!corpus_open(file_join(study->home, "corpus.db", arena), &corpus, err))
        return false;
    for (size_t i = 0; i < ROWS_OF(counts) && ok; i++) {
        struct numbers *step = &out[strcmp(counts[i].step, "census") == 0];
        int64_t count;
        ok = corpus_count(corpus, counts[i].sql, &count, err);
        step->at[step->count++] = (struct number){.column = str_from(counts[i].column),
                                                  .value = ok ? (double)count : NAN,
                                                  .low = NAN,
                                                  .high = NAN,
                                                  .n = -1};
    }
    corpus_close(corpus);
    return ok;
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
