/* The corpus first; then steps are made in their order. A step whose inputs came out as
 * they were is not made. */
#include "run/run.h"

#include "base/file.h"
#include "base/stop.h"
#include "run/making.h"
#include "run/recording.h"
#include "store/corpus.h"

struct run_run {
    const struct study *study;
    struct study named; /* the same with the names of items that the corpus has now */
    const struct run_options *options;
    struct arena arena;
    struct run_ledger ledger; /* as it was */
    struct run_steps steps;
    struct store *corpus;
    uint64_t corpus_hash;
    struct run_needs needs;
    struct run_recording recording;
};

static const char *path_in(const struct run_run *run, const char *name,
                           struct arena *arena)
{
    return file_join(run->study->home, name, arena);
}

static void tell(const struct run_run *run, struct str step, const char *what,
                 struct str text)
{
    run->options->tell(run->options->context, step, what, text);
}

static bool open_corpus(struct run_run *run, struct err *err)
{
    struct str id;

    if (run->study->source_count == 0) /* only tables that others made */
        return true;
    if (!store_open(path_in(run, "corpus.db", &run->arena), &run->corpus, err) ||
        !store_get_state(run->corpus, STR("dump-id"), &run->arena, &id, err))
        return false;
    run->corpus_hash = run_steps_hash(id);
    return true;
}

bool run_name_items(struct store *corpus, struct arena *arena, struct study *study,
                    struct err *err)
{
    struct item_name *names = NULL;

    if (study->spaces.texts &&
        !store_names(corpus, arena, &names, &study->spaces.name_count, err))
        return false;
    study->spaces.names = names;
    study->spaces.by_text = item_names_by_text(names, study->spaces.name_count, arena);
    return true;
}

static bool name_items(struct run_run *run, struct err *err)
{
    run->named = *run->study;
    run->study = &run->named;
    return run->corpus == NULL ||
           run_name_items(run->corpus, &run->arena, &run->named, err);
}

static bool load_ledger(struct run_run *run, struct err *err)
{
    run_steps_list(run->study, &run->arena, &run->steps);
    return run_ledger_load(path_in(run, "assay.lock", &run->arena), &run->arena,
                           &run->ledger, err);
}

static bool judge_all(struct run_run *run, bool corpus_known, struct err *err)
{
    for (size_t i = 0; i < run->steps.count; i++)
        if (!run_steps_judge(&run->steps, i, &run->ledger, run->corpus_hash, corpus_known,
                             &run->arena, err))
            return false;
    return true;
}

static bool anything_to_do(const struct run_run *run)
{
    for (size_t i = 0; i < run->steps.count; i++)
        if (run->steps.at[i].reason.len > 0)
            return true;
    return false;
}

static bool make_step(struct run_run *run, size_t index, struct err *err)
{
    struct run_step *step = &run->steps.at[index];
    struct run_output output = {.spaces = &run->study->spaces};
    struct str name = step->name;
    struct run_ledger_step made = {0};
    /* Inputs as they are before: a label that comes meanwhile makes the step run again.
     */
    bool ok = stop_check(err) &&
              run_steps_inputs(&run->steps, index, run->corpus_hash, &run->arena,
                               &made.inputs, &made.input_count, err) &&
              run_making_step(&run->needs, step, &output, err) &&
              run_output_write(&output, run->study->home, err) &&
              run_recording_add(&run->recording, step, made, &output, err);

    if (ok)
        tell(run, name, "made", step->made.says);
    run_output_free(&output);
    return ok;
}

static bool make_steps(struct run_run *run, int64_t *made, struct err *err)
{
    for (size_t i = 0; i < run->steps.count; i++) {
        struct run_step *step = &run->steps.at[i];
        /* What came before is now there, and may be what it was. */
        if (step->open && !run_steps_judge(&run->steps, i, &run->ledger, run->corpus_hash,
                                           true, &run->arena, err))
            return false;
        if (step->reason.len == 0)
            continue;
        if (!make_step(run, i, err))
            return false;
        ++*made;
    }
    return true;
}

/* Told as the steps are, for it is made like one. */
static void tell_corpus(const struct run_run *run,
                        const struct source_ingest_result *ingested)
{
    struct buf says = {0};

    buf_add_format(&says, "%lld questions, %lld answers, %lld rows",
                   (long long)ingested->stored.questions,
                   (long long)ingested->stored.answers, (long long)ingested->stored.rows);
    store_counts_add(&ingested->stored, &says);
    tell(run, STR("corpus"), "made", buf_str(&says));
    buf_free(&says);
}

/* The run stays where it is from then on: its parts point at each other. */
static void prepare(struct run_run *run)
{
    run->needs = (struct run_needs){.study = run->study,
                                    .options = run->options,
                                    .steps = &run->steps,
                                    .corpus = run->corpus,
                                    .arena = &run->arena};
    run->recording = (struct run_recording){.home = run->study->home,
                                            .before = &run->ledger,
                                            .steps = &run->steps,
                                            .arena = &run->arena};
}

static void close_run(struct run_run *run)
{
    store_close(run->corpus);
    arena_free(&run->arena);
}

bool run_study(const struct study *study, const struct run_options *options,
               int64_t *made, struct err *err)
{
    struct run_run run = {.study = study, .options = options};
    struct source_ingest_result ingested = {0};
    bool ok = (study->source_count == 0 || run_ingest(study, options, &ingested, err)) &&
              open_corpus(&run, err) && name_items(&run, err) && load_ledger(&run, err) &&
              judge_all(&run, true, err);

    *made = ok && study->source_count > 0 && !ingested.up_to_date;
    if (*made > 0)
        tell_corpus(&run, &ingested);
    prepare(&run);
    ok = ok && (!anything_to_do(&run) || make_steps(&run, made, err)) &&
         run_recording_remove_orphans(&run.recording, err);
    close_run(&run);
    return ok;
}

bool run_plan(const struct study *study, const struct run_options *options,
              struct arena *arena, struct run_steps *out, struct str *corpus_reason,
              struct err *err)
{
    struct run_run run = {.study = study, .options = options, .arena = *arena};
    struct source_ingest_options wanted = run_ingest_options(study, options, &run.arena);
    *corpus_reason = (struct str){0};
    bool ok =
        (study->source_count == 0 || source_ingest_reason(&wanted, corpus_reason, err)) &&
        (corpus_reason->len > 0 || open_corpus(&run, err)) && load_ledger(&run, err) &&
        judge_all(&run, corpus_reason->len == 0, err);

    store_close(run.corpus);
    *out = run.steps;
    *arena = run.arena;
    return ok;
}
