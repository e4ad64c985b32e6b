/* The corpus first; then steps are made in their order. A step whose inputs came out as
 * they were is not made. */
#include "run/run.h"

#include <math.h>
#include <string.h>

#include "base/file.h"
#include "base/progress.h"
#include "base/stop.h"
#include "run/doubts.h"
#include "run/labelling.h"
#include "run/needs.h"
#include "run/output.h"
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
    bool orphans_removed;     /* files of steps that are no more */
    struct progress progress; /* from step to step */
    struct buf wrong;         /* what could not be made, a line each */
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
    if (!store_open(path_in(run, "corpus.db", &run->arena), run->study->servers,
                    &run->corpus, err) ||
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

static bool take_head(void *context, const struct result_table *table, struct err *err)
{
    (void)context, (void)table, (void)err;
    return true;
}

static bool note_row(void *none, const struct result_row *row,
                     const struct result_cell *cells, struct err *err)
{
    (void)row, (void)cells, (void)err;
    *(bool *)none = false;
    return true;
}

/* Whether raters of this study have given no label yet that counts, or its classifier had
 * none to learn from. */
static bool is_unlabelled(struct run_run *run, size_t labels, bool *out, struct err *err)
{
    const struct study_labels *it = &run->study->labels[labels];
    bool made = it->labelling != STUDY_NONE;
    struct result_file_rows rows = {it->table, take_head, note_row, out};
    struct run_labelling_final *finals;
    size_t count;

    *out = false;
    if (!made && it->classifier == STUDY_NONE)
        return true;
    size_t step = made
                      ? run_steps_find(&run->steps, &run_kind_labelling, it->labelling)
                      : run_steps_find(&run->steps, &run_kind_classifier, it->classifier);
    if (run->steps.at[step].reason.len > 0)
        return true;
    *out = true;
    if (!made)
        return run_output_read_rows(run->study->home, "classifiers", it->name, &rows,
                                    err);
    if (!run_labelling_finals(run->study, labels, &run->arena, &finals, &count, err))
        return false;
    for (size_t i = 0; i < count; i++)
        *out = *out && !finals[i].coded;
    return true;
}

/* What a step waits for that has to be made: vectors, labels that its conditions ask for,
 * or another step that does. The report shows what there is. */
static bool find_waits(struct run_run *run, struct run_step *step, struct err *err)
{
    bool none;

    step->waits = (struct str){0};
    if (step->reason.len == 0 || step->kind == &run_kind_report)
        return true;
    step->waits = step->lacks;
    for (size_t i = 0; i < step->need_count; i++)
        if (run->steps.at[step->needs[i]].waits.len > 0)
            step->waits = arena_format(&run->arena, "for %.*s",
                                       STR_ARG(run->steps.at[step->needs[i]].name));
    for (size_t i = 0; i < step->asked_count; i++) {
        if (!is_unlabelled(run, step->asked[i], &none, err))
            return false;
        const struct study_labels *labels = &run->study->labels[step->asked[i]];
        if (none && labels->classifier != STUDY_NONE)
            step->waits = arena_format(&run->arena,
                                       "for labels: classifiers.%.*s has too few to "
                                       "learn from",
                                       STR_ARG(labels->name));
        else if (none)
            step->waits = arena_format(
                &run->arena,
                "for labels: nothing is labelled yet in labelling.%.*s; see assay label, "
                "assay import",
                STR_ARG(labels->name));
    }
    return true;
}

static bool judge(struct run_run *run, size_t i, bool corpus_known, struct err *err)
{
    return run_steps_judge(&run->steps, i, &run->ledger, run->corpus_hash, corpus_known,
                           &run->arena, err) &&
           find_waits(run, &run->steps.at[i], err);
}

static bool judge_all(struct run_run *run, bool corpus_known, struct err *err)
{
    for (size_t i = 0; i < run->steps.count; i++)
        if (!judge(run, i, corpus_known, err))
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

/* assay.lock while the run goes on: each step is in it as soon as its files are on the
 * disk, so that an interrupted run goes on where it was. Steps are recorded as just made,
 * else as they were. */

static bool is_listed(const struct run_run *run, struct str name)
{
    for (size_t i = 0; i < run->steps.count; i++)
        if (str_eq(run->steps.at[i].name, name))
            return true;
    return false;
}

static bool save(const struct run_run *run, struct err *err)
{
    struct arena arena = {0};
    struct buf text = {0};
    struct run_ledger now = {arena_array(&arena, struct run_ledger_step,
                                         run->steps.count + run->ledger.count + 1),
                             0};

    for (size_t i = 0; i < run->steps.count; i++) {
        const struct run_step *step = &run->steps.at[i];
        const struct run_ledger_step *recorded =
            run_ledger_find(&run->ledger, step->name);
        if (step->wrong || step->waits.len > 0)
            continue;
        if (step->made.name.len > 0)
            now.steps[now.count++] = step->made;
        else if (recorded != NULL)
            now.steps[now.count++] = *recorded;
    }
    /* Steps that are no more stay recorded as long as their files do. */
    for (size_t i = 0; i < run->ledger.count && !run->orphans_removed; i++)
        if (!is_listed(run, run->ledger.steps[i].name))
            now.steps[now.count++] = run->ledger.steps[i];
    run_ledger_print(&now, &text);
    bool ok = file_write(file_join(run->study->home, "assay.lock", &arena),
                         buf_str(&text), err);
    buf_free(&text);
    arena_free(&arena);
    return ok;
}

static bool is_made_by_some_step(const struct run_run *run, struct str file)
{
    for (size_t i = 0; i < run->steps.count; i++)
        for (size_t f = 0; f < run->steps.at[i].made.file_count; f++)
            if (str_eq(run->steps.at[i].made.files[f].name, file))
                return true;
    return false;
}

/* And the folders that it leaves empty; others stay, for they cannot be removed. */
static void remove_result(const struct run_run *run, struct str name, struct arena *arena)
{
    char *path = arena_c_string(arena, name), *slash;

    do {
        file_remove(file_join(run->study->home, path, arena));
        slash = strrchr(path, '/');
        if (slash != NULL)
            *slash = '\0';
    } while (slash != NULL);
}

/* Files that it gave before and no longer gives: the ledger is about to forget them. */
static void remove_left(const struct run_run *run, const struct run_step *step)
{
    const struct run_ledger_step *recorded = run_ledger_find(&run->ledger, step->name);
    struct arena arena = {0};

    for (size_t f = 0; recorded != NULL && f < recorded->file_count; f++) {
        struct str name = recorded->files[f].name;
        if (!(f < step->made.file_count && str_eq(step->made.files[f].name, name)) &&
            !is_made_by_some_step(run, name))
            remove_result(run, name, &arena);
    }
    arena_free(&arena);
}

static bool record(struct run_run *run, struct run_step *step,
                   struct run_ledger_step made, const struct run_output *output,
                   struct err *err)
{
    made.name = step->name;
    made.section = step->section;
    made.engine = step->kind->engine;
    made.says = arena_copy(&run->arena, buf_str(&output->says));
    made.file_count = output->count;
    made.files = arena_array(&run->arena, struct run_ledger_pair, output->count + 1);
    for (size_t i = 0; i < output->count; i++)
        made.files[i] =
            (struct run_ledger_pair){arena_copy(&run->arena, run_output_path(output, i)),
                                     run_steps_hash(run_output_text(output, i))};
    step->made = made;
    remove_left(run, step);
    step->reason = (struct str){0};
    step->now = true;
    return save(run, err);
}

/* What it came out as when it could be made is no result any more. */
static void remove_results(const struct run_run *run, const struct run_step *step)
{
    const struct run_ledger_step *recorded = run_ledger_find(&run->ledger, step->name);
    struct arena arena = {0};

    for (size_t f = 0; recorded != NULL && f < recorded->file_count; f++)
        remove_result(run, recorded->files[f].name, &arena);
    arena_free(&arena);
}

static void wait(const struct run_run *run, const struct run_step *step)
{
    remove_results(run, step);
    tell(run, step->name, "waits", step->waits);
}

static bool remove_orphans(struct run_run *run, struct err *err)
{
    struct arena arena = {0};
    bool any = false;

    for (size_t i = 0; i < run->ledger.count; i++)
        for (size_t f = 0; f < run->ledger.steps[i].file_count; f++) {
            struct str name = run->ledger.steps[i].files[f].name;
            if (is_made_by_some_step(run, name))
                continue;
            remove_result(run, name, &arena);
            any = true;
        }
    arena_free(&arena);
    run->orphans_removed = true;
    return !any || save(run, err);
}

/* What cannot be made as the study wants it does not stop the others: it is told when all
 * is done. Those that rest on it are made of what it has left; where it has left nothing
 * they wait, but for the report, which shows what there is. */
static bool make_step(struct run_run *run, size_t index, struct err *err)
{
    struct run_step *step = &run->steps.at[index];
    struct run_output output = {.step = step->name, .spaces = &run->study->spaces};
    struct run_ledger_step made = {0};
    /* Inputs as they are before: a label that comes meanwhile makes the step run again.
     */
    struct err wrong = {0};
    bool ok = stop_check(err) &&
              run_steps_inputs(&run->steps, index, run->corpus_hash, &run->arena,
                               &made.inputs, &made.input_count, err);

    progress_count(&run->progress,
                   arena_format(&run->arena, "making %.*s, step %zu of %zu",
                                STR_ARG(step->name), index + 1, run->steps.count)
                       .ptr,
                   0);
    step->wrong = ok && !step->kind->make(&run->needs, step, &output, &wrong);
    progress_end(&run->progress);
    if (step->wrong) {
        buf_add_format(&run->wrong, "%s%s", run->wrong.len > 0 ? "\n" : "", wrong.text);
        ok = (wrong.kind == ERR_INPUT && !run->needs.broken) ||
             err_set(err, wrong.kind, "%s", wrong.text);
    }
    run_output_end(&output);
    if (ok && (!step->wrong || output.count > 0))
        ok = run_output_write(&output, run->study->home, err) &&
             record(run, step, made, &output, err);
    if (ok && step->wrong && output.count == 0) {
        remove_results(run, step);
        step->waits = STR("until its mistake is mended");
    }
    if (ok && !step->wrong)
        tell(run, step->name, "made", step->made.says);
    run_output_free(&output);
    return ok;
}

static bool make_steps(struct run_run *run, int64_t *made, struct err *err)
{
    for (size_t i = 0; i < run->steps.count; i++) {
        struct run_step *step = &run->steps.at[i];
        /* What came before is now there, and may be what it was. */
        if (step->open ? !judge(run, i, true, err) : !find_waits(run, step, err))
            return false;
        if (step->waits.len > 0)
            wait(run, step);
        if (step->waits.len > 0 || step->reason.len == 0 ||
            run_steps_waits_for(&run->steps, step) != STUDY_NONE)
            continue;
        if (!make_step(run, i, err))
            return false;
        *made += !step->wrong;
    }
    return run_doubts_tell(&run->needs, err) &&
           (run->wrong.len == 0 ||
            err_set(err, ERR_INPUT, "%.*s", STR_ARG(buf_str(&run->wrong))));
}

/* Told as the steps are, for it is made like one. */
static void tell_corpus(const struct run_run *run,
                        const struct source_ingest_result *ingested)
{
    const struct store_counts *stored = &ingested->stored;
    struct buf says = {0}, others = {0};

    store_counts_add(stored, &others);
    /* A study of commits alone has nothing to do with questions. */
    if (others.len == 0 || stored->questions + stored->answers + stored->rows > 0)
        buf_add_format(&says, "%lld question%s, %lld answer%s, %lld row%s",
                       (long long)stored->questions, str_plural(stored->questions),
                       (long long)stored->answers, str_plural(stored->answers),
                       (long long)stored->rows, str_plural(stored->rows));
    buf_add(&says, str_slice(buf_str(&others), says.len > 0 ? 0 : 2, others.len));
    tell(run, STR("corpus"), "made", buf_str(&says));
    buf_free(&says);
    buf_free(&others);
}

/* The run stays where it is from then on: its parts point at each other. */
static void prepare(struct run_run *run)
{
    run->progress = progress_begin("", 0, run->options->descriptor, run->options->quiet);
    run->progress.pieces = true;
    run->needs = (struct run_needs){.study = run->study,
                                    .options = run->options,
                                    .progress = &run->progress,
                                    .steps = &run->steps,
                                    .corpus = run->corpus,
                                    .arena = &run->arena};
}

static void close_run(struct run_run *run)
{
    store_close(run->corpus);
    buf_free(&run->wrong);
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
    if (ok)
        run_doubts_tell_redrawn(&run.steps, &run.ledger, options);
    prepare(&run);
    ok = ok && (!anything_to_do(&run) || make_steps(&run, made, err)) &&
         remove_orphans(&run, err) && run_doubts_tell_texts(study, options, err);
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

    if (ok)
        run_doubts_tell_redrawn(&run.steps, &run.ledger, options);
    store_close(run.corpus);
    *out = run.steps;
    *arena = run.arena;
    return ok;
}

/* What the study gave. */

static void add_count(struct result_numbers *step, const char *column, int64_t count)
{
    step->at[step->count++] = (struct result_number){.column = str_from(column),
                                                     .value = (double)count,
                                                     .low = NAN,
                                                     .high = NAN,
                                                     .n = -1};
}

/* Of another kind than those of dumps and tables; its heading is what they are called. */
static void add_kind(struct result_numbers *numbers, enum item_kind kind, int64_t value,
                     struct arena *arena)
{
    struct str name = arena_format(arena, "%.*ss", STR_ARG(item_kind_name(kind)));
    struct buf slug = {0};

    result_slug(name, &slug);
    add_count(numbers, buf_keep(&slug, arena).ptr, value);
    numbers->at[numbers->count - 1].heading = name;
}

/* Two steps that have no files: the corpus and the census of its sources. */
static bool count_corpus(const struct study *study, struct arena *arena,
                         struct result_numbers out[2], struct err *err)
{
    enum { COUNTS_MAX = ITEM_KINDS }; /* of a step */
    struct store *corpus;
    struct store_counts counts;

    for (size_t s = 0; s < 2; s++)
        out[s] = (struct result_numbers){
            s == 0 ? STR("corpus") : STR("census"),
            arena_array(arena, struct result_number, COUNTS_MAX), 0};
    /* A package has results, and no corpus. */
    const char *path = file_join(study->home, "corpus.db", arena);
    if (study->source_count == 0 || !file_exists(path))
        return true;
    if (!store_open(path, study->servers, &corpus, err))
        return false;
    struct result_health health;
    int64_t newest;
    bool ok =
        store_counts(corpus, &counts, err) && store_findings(corpus, arena, &health, err);
    store_close(corpus);
    if (!ok)
        return false;
    add_count(&out[0], "questions", counts.questions);
    add_count(&out[0], "answers", counts.answers);
    add_count(&out[0], "rows", counts.rows);
    for (int kind = ITEM_ROW + 1; kind < ITEM_KINDS; kind++)
        if (item_kind_is_studied(kind) && counts.kinds[kind] > 0)
            add_kind(&out[0], (enum item_kind)kind, counts.kinds[kind], arena);
    add_count(&out[1], "questions", counts.census_questions);
    add_count(&out[1], "accepted", counts.census_accepted);
    if (result_health_moment(&health, "last post", true, &newest)) {
        add_count(
            &out[1], "late",
            (int64_t)result_health_sum(&health, "posts after the end of the study"));
        add_count(&out[1], "newest", newest);
        out[1].at[out[1].count - 1].type = RESULT_MOMENT;
    }
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
    for (size_t i = 0; i < steps.count && ok; i++) {
        struct str name = steps.at[i].name;
        if (steps.at[i].kind->no_result)
            continue;
        struct result_numbers *numbers = &(*out)[(*count)++];
        *numbers = (struct result_numbers){.step = name};
        /* One that waits, or that could not be made, has none. */
        ok = !run_output_there(study->home, name, arena) ||
             run_output_read_numbers(study->home, name, arena, numbers, err);
    }
    return ok;
}
