/* One pass over the corpus finds every set and group that steps will need; then steps are
 * made in their order. A step whose inputs came out as they were is not made, and each
 * is in assay.lock as soon as its files are on the disk: an interrupted run goes on. */
#include "run/run.h"

#include <string.h>

#include "base/file.h"
#include "base/stop.h"
#include "measure/groups.h"
#include "measure/labels.h"
#include "measure/table.h"
#include "measure/table_file.h"
#include "measure/testing.h"
#include "report/figure.h"
#include "run/classifying.h"
#include "run/correlating.h"
#include "run/discovering.h"
#include "run/labelling.h"
#include "run/output.h"
#include "run/reporting.h"
#include "run/sampling.h"
#include "run/shares.h"
#include "store/corpus.h"

struct run {
    const struct study *study;
    const struct run_options *options;
    struct arena arena;
    struct ledger ledger; /* as it was */
    struct steps steps;
    struct corpus *corpus;
    uint64_t corpus_hash;

    struct frame frame;
    struct frame_slot
        *slots; /* sets first, in the order of steps; then queries of groups */
    size_t slot_count;
    size_t *set_slot;   /* of each set */
    size_t *group_slot; /* of each group with queries: its first; STUDY_NONE: none */
    struct groups *groups;
    bool *group_made;
    struct labels *labels;
    bool *labels_made;
    struct label **opened;    /* of each labels: the task that they come from, or NULL */
    struct sampling *samples; /* drawn or read; ids NULL: not yet */
    bool loaded;              /* the frame and what goes with it */
    bool orphans_removed;     /* files of steps that are no more */
};

static const char *path_in(const struct run *run, const char *name, struct arena *arena)
{
    return file_join(run->study->home, name, arena);
}

static void tell(const struct run *run, struct str step, const char *what,
                 struct str text)
{
    run->options->tell(run->options->context, step, what, text);
}

/* The corpus. */

static bool open_corpus(struct run *run, struct err *err)
{
    struct str id;

    if (run->study->source_count == 0) /* only tables that others made */
        return true;
    if (!corpus_open(path_in(run, "corpus.db", &run->arena), &run->corpus, err) ||
        !corpus_get_state(run->corpus, STR("dump-id"), &run->arena, &id, err))
        return false;
    run->corpus_hash = steps_hash(id);
    return true;
}

static bool load_ledger(struct run *run, struct err *err)
{
    steps_list(run->study, &run->arena, &run->steps);
    return ledger_load(path_in(run, "assay.lock", &run->arena), &run->arena, &run->ledger,
                       err);
}

static bool judge_all(struct run *run, bool corpus_known, struct err *err)
{
    for (size_t i = 0; i < run->steps.count; i++)
        if (!steps_judge(&run->steps, i, &run->ledger, run->corpus_hash, corpus_known,
                         &run->arena, err))
            return false;
    return true;
}

static bool anything_to_do(const struct run *run)
{
    for (size_t i = 0; i < run->steps.count; i++)
        if (run->steps.at[i].reason.len > 0)
            return true;
    return false;
}

/* The ledger. */

static bool is_listed(const struct run *run, struct str name)
{
    for (size_t i = 0; i < run->steps.count; i++)
        if (str_eq(run->steps.at[i].name, name))
            return true;
    return false;
}

static bool save_ledger(const struct run *run, struct err *err)
{
    struct arena arena = {0};
    struct buf text = {0};
    struct ledger now = {
        arena_array(&arena, struct ledger_step, run->steps.count + run->ledger.count + 1),
        0};

    for (size_t i = 0; i < run->steps.count; i++) {
        const struct step *step = &run->steps.at[i];
        const struct ledger_step *recorded = ledger_find(&run->ledger, step->name);
        if (step->made.name.len > 0)
            now.steps[now.count++] = step->made;
        else if (recorded != NULL)
            now.steps[now.count++] = *recorded;
    }
    /* Steps that are no more stay recorded as long as their files do. */
    for (size_t i = 0; i < run->ledger.count && !run->orphans_removed; i++)
        if (!is_listed(run, run->ledger.steps[i].name))
            now.steps[now.count++] = run->ledger.steps[i];
    ledger_print(&now, &text);
    bool ok = file_write(path_in(run, "assay.lock", &arena), buf_str(&text), err);
    buf_free(&text);
    arena_free(&arena);
    return ok;
}

static bool is_made_by_some_step(const struct run *run, struct str file)
{
    for (size_t i = 0; i < run->steps.count; i++)
        for (size_t f = 0; f < run->steps.at[i].made.file_count; f++)
            if (str_eq(run->steps.at[i].made.files[f].name, file))
                return true;
    return false;
}

/* And the folders that it leaves empty; others stay, for they cannot be removed. */
static void remove_result(const struct run *run, struct str name, struct arena *arena)
{
    char *path = arena_c_string(arena, name), *slash;

    do {
        file_remove(path_in(run, path, arena));
        slash = strrchr(path, '/');
        if (slash != NULL)
            *slash = '\0';
    } while (slash != NULL);
}

/* Files of steps that are no more. */
static bool remove_orphans(struct run *run, struct err *err)
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
    return !any || save_ledger(run, err);
}

/* The pass over the corpus. */

static void uses_group(const struct run *run, size_t group, bool *used)
{
    if (group != STUDY_NONE && run->study->groups[group].queries != NULL)
        used[group] = true;
}

static void find_used_groups(const struct run *run, bool *used)
{
    for (size_t i = 0; i < run->steps.count; i++) {
        const struct step *step = &run->steps.at[i];
        if (step->reason.len == 0)
            continue;
        if (step->kind == STEPS_SAMPLE)
            uses_group(run, run->study->samples[step->index].by, used);
        if (step->kind == STEPS_TEST)
            uses_group(run, run->study->tests[step->index].by, used);
        if (step->kind == STEPS_FIGURE)
            uses_group(run, run->study->figures[step->index].by, used);
        if (step->kind != STEPS_TABLE)
            continue;
        const struct study_table *table = &run->study->tables[step->index];
        for (size_t g = 0; g < table->by_count; g++)
            uses_group(run, table->by[g], used);
        for (size_t g = 0; g < table->across_count; g++)
            uses_group(run, table->across[g], used);
        for (size_t g = 0; g < table->where_count; g++)
            uses_group(run, table->where[g].group, used);
    }
}

static bool add_set_slot(struct run *run, const struct step *step, struct err *err)
{
    const struct study_set *set = &run->study->sets[step->index];
    struct frame_slot *slot = &run->slots[run->slot_count];

    run->set_slot[step->index] = run->slot_count++;
    *slot = (struct frame_slot){.name = set->name};
    if (step->reason.len > 0) {
        slot->query = set->query;
        return true;
    }
    return output_read_ids(run->study->home, "sets", set->name, &run->arena,
                           (int64_t **)(void *)&slot->ids, &slot->id_count, err);
}

/* Once, when the first step needs it: most runs have nothing to do. */
static bool need_frame(struct run *run, struct err *err)
{
    const struct study *study = run->study;
    bool *used = arena_array(&run->arena, bool, study->group_count + 1);
    size_t room = study->set_count;

    if (run->loaded)
        return true;
    run->loaded = true;
    find_used_groups(run, used);
    for (size_t g = 0; g < study->group_count; g++)
        room += used[g] ? study->groups[g].count : 0;
    run->slots = arena_array(&run->arena, struct frame_slot, room + 1);
    run->set_slot = arena_array(&run->arena, size_t, study->set_count + 1);
    run->group_slot = arena_array(&run->arena, size_t, study->group_count + 1);
    for (size_t i = 0; i < run->steps.count; i++)
        if (run->steps.at[i].kind == STEPS_SET &&
            !add_set_slot(run, &run->steps.at[i], err))
            return false;
    for (size_t g = 0; g < study->group_count; g++) {
        run->group_slot[g] = used[g] ? run->slot_count : STUDY_NONE;
        for (size_t q = 0; used[g] && q < study->groups[g].count; q++)
            run->slots[run->slot_count++] =
                (struct frame_slot){.query = study->groups[g].queries[q]};
    }
    run->groups = arena_array(&run->arena, struct groups, study->group_count + 1);
    run->group_made = arena_array(&run->arena, bool, study->group_count + 1);
    run->labels = arena_array(&run->arena, struct labels, study->all_label_count + 1);
    run->labels_made = arena_array(&run->arena, bool, study->all_label_count + 1);
    run->opened = arena_array(&run->arena, struct label *, study->all_label_count + 1);
    run->samples = arena_array(&run->arena, struct sampling, study->sample_count + 1);
    return frame_load(run->corpus, run->slots, run->slot_count, study, &run->arena,
                      &run->frame, err);
}

/* Sets and samples by name, for groups and tables. */

static struct bits bits_of_ids(struct run *run, const int64_t *ids, size_t count)
{
    struct bits bits = bits_make(run->frame.count, &run->arena);

    for (size_t i = 0; i < count; i++) {
        size_t item = frame_find(&run->frame, ids[i]);
        if (item < run->frame.count)
            bits_set(bits, item);
    }
    return bits;
}

static bool find_set(void *context, struct str name, struct bits *out)
{
    struct run *run = context;
    size_t set = study_find_set(run->study, name);

    if (set != STUDY_NONE) {
        *out = run->slots[run->set_slot[set]].bits;
        return true;
    }
    size_t sample = study_find_sample(run->study, name);
    struct err ignored = {0};
    if (sample == STUDY_NONE)
        return false;
    struct sampling *drawn = &run->samples[sample];
    if (drawn->ids == NULL &&
        !output_read_ids(run->study->home, "samples", name, &run->arena, &drawn->ids,
                         &drawn->count, &ignored))
        return false;
    *out = bits_of_ids(run, drawn->ids, drawn->count);
    return true;
}

/* The labelling that labels come from, also over a classifier; STUDY_NONE: none. */
static size_t labelling_behind(const struct study *study, size_t labels)
{
    const struct study_labels *it = &study->labels[labels];

    if (it->classifier != STUDY_NONE)
        it = &study->labels[study->classifiers[it->classifier].train];
    return it->labelling;
}

/* Codes that were accepted while labelling are known to the open task alone. */
static bool need_labels(struct run *run, size_t index, struct err *err)
{
    const struct study *study = run->study;
    size_t labelling = labelling_behind(study, index);
    struct label *label = NULL;

    if (run->labels_made[index])
        return true;
    if (labelling != STUDY_NONE &&
        !labelling_open(study, &study->labellings[labelling], &label, err))
        return false;
    run->labels_made[index] = labels_load(
        &study->labels[index], label != NULL ? label_task(label)->codebook : NULL,
        &run->frame, &run->labels[index], err);
    run->opened[index] = label; /* it holds the names of codes */
    return run->labels_made[index];
}

static bool need_group(struct run *run, size_t index, struct err *err)
{
    const struct study_group *group = &run->study->groups[index];
    struct groups_inputs inputs = {
        .study = run->study, .frame = &run->frame, .find_set = find_set, .context = run};

    if (run->group_made[index])
        return true;
    if (run->group_slot[index] != STUDY_NONE)
        inputs.slots = &run->slots[run->group_slot[index]];
    if (group->grouping == GROUPING_LABELS) {
        if (!need_labels(run, group->labels, err))
            return false;
        inputs.labels = &run->labels[group->labels];
    }
    run->group_made[index] = groups_make(group, &inputs, &run->groups[index], err);
    return run->group_made[index];
}

static bool count_census(struct run *run, int64_t *out, struct err *err)
{
    struct corpus_counts counts;

    if (!corpus_counts(run->corpus, &counts, err))
        return false;
    *out = counts.census_questions;
    return true;
}

static bool read_step_numbers(struct run *run, enum steps_kind kind, size_t index,
                              struct arena *arena, struct numbers *out, struct err *err)
{
    size_t step = steps_find(&run->steps, kind, index);

    return output_read_numbers(run->study->home, run->steps.at[step].name, arena, out,
                               err);
}

/* Making steps: each fills its files and says in a few words what came out. */

/* The set that a query begins with, as in `in:B and ...`; STUDY_NONE: none. */
static size_t first_set(const struct study *study, const struct query_node *query)
{
    const struct query_node *first = query->kind == QUERY_AND ? query->first : query;

    return first->kind == QUERY_SET ? study_find_set(study, first->text) : STUDY_NONE;
}

static bool make_set(struct run *run, const struct step *step, struct output *output,
                     struct err *err)
{
    const struct study_set *set = &run->study->sets[step->index];
    size_t before = first_set(run->study, set->query);
    struct arena arena = {0};
    struct output_funnel from = {.together = study_together(run->study, set)};
    struct numbers numbers;
    bool ok = need_frame(run, err) && count_census(run, &from.all, err);

    if (ok && before != STUDY_NONE) {
        ok = read_step_numbers(run, STEPS_SET, before, &arena, &numbers, err);
        from.before = &numbers;
    }
    if (ok)
        output_set(output, set, &run->slots[run->set_slot[step->index]], &run->frame,
                   from);
    arena_free(&arena);
    return ok;
}

static bool make_labels(struct run *run, const struct step *step, struct output *output,
                        struct err *err)
{
    if (!need_frame(run, err) || !need_labels(run, step->index, err))
        return false;
    output_labels(output, &run->study->labels[step->index], &run->labels[step->index],
                  &run->frame);
    return true;
}

static bool make_sample(struct run *run, const struct step *step, struct output *output,
                        struct err *err)
{
    const struct study_sample *sample = &run->study->samples[step->index];
    struct sampling_inputs inputs = {.sample = sample, .frame = &run->frame};

    if (!need_frame(run, err))
        return false;
    struct sampling *drawn = &run->samples[step->index];
    if (!find_set(run, sample->of, &inputs.of))
        return err_set(err, ERR_INPUT, "sample %.*s: there is no set '%.*s'",
                       STR_ARG(sample->name), STR_ARG(sample->of));
    if (sample->by != STUDY_NONE) {
        if (!need_group(run, sample->by, err))
            return false;
        inputs.strata = &run->groups[sample->by];
    }
    if (sample->keep != STUDY_NONE) {
        struct str kept = run->study->samples[sample->keep].name;
        struct bits ignored;
        if (!find_set(run, kept, &ignored))
            return err_set(err, ERR_INPUT,
                           "sample %.*s: the sample '%.*s' cannot be read",
                           STR_ARG(sample->name), STR_ARG(kept));
        inputs.keep = run->samples[sample->keep];
    }
    if (!sampling_draw(&inputs, &run->arena, drawn, err))
        return false;
    output_sample(output, sample, drawn);
    return true;
}

static bool make_labelling(struct run *run, const struct step *step,
                           struct output *output, struct err *err)
{
    return labelling_make(run->study, &run->study->labellings[step->index], output, err);
}

/* The final labels behind labels that raters of this study gave, in their dimension; none
 * of others. */
static bool find_finals(struct run *run, size_t labels, struct label_final **out,
                        size_t *count, struct err *err)
{
    struct str dimension = run->study->labels[labels].dimension;
    size_t all = 0;

    *count = 0;
    if (run->opened[labels] == NULL)
        return true;
    if (!label_finals(run->opened[labels], &run->arena, out, &all, err))
        return false;
    for (size_t i = 0; i < all; i++)
        if (dimension.len == 0 || str_eq((*out)[i].dimension, dimension))
            (*out)[(*count)++] = (*out)[i];
    return true;
}

/* Labelled items that were chosen, not drawn. */
static bool find_chosen(struct run *run, size_t labels, struct bits *out, struct err *err)
{
    struct label_final *finals;
    size_t count;

    *out = bits_make(run->frame.count, &run->arena);
    if (!find_finals(run, labels, &finals, &count, err))
        return false;
    for (size_t i = 0; i < count; i++) {
        size_t item = frame_find(&run->frame, finals[i].item);
        if (finals[i].chosen && item < run->frame.count)
            bits_set(*out, item);
    }
    return true;
}

static bool make_classifier(struct run *run, const struct step *step,
                            struct output *output, struct err *err)
{
    const struct study_classifier *classifier = &run->study->classifiers[step->index];
    struct classifying_inputs inputs = {
        .classifier = classifier, .frame = &run->frame, .threads = run->options->threads};

    if (!need_frame(run, err) || !need_labels(run, classifier->train, err) ||
        !find_chosen(run, classifier->train, &inputs.chosen, err))
        return false;
    inputs.labels = &run->labels[classifier->train];
    inputs.predict = bits_make(run->frame.count, &run->arena);
    for (size_t i = 0; i < classifier->predict_count; i++) {
        struct bits set;
        if (!find_set(run, classifier->predict[i], &set))
            return err_set(err, ERR_INPUT, "classifiers.%.*s: there is no set '%.*s'",
                           STR_ARG(classifier->name), STR_ARG(classifier->predict[i]));
        bits_add(inputs.predict, set);
    }
    return classifying_make(&inputs, output, err);
}

static bool make_topics(struct run *run, const struct step *step, struct output *output,
                        struct err *err)
{
    const struct study_topics *topics = &run->study->topics[step->index];
    struct discovering_inputs inputs = {.topics = topics,
                                        .frame = &run->frame,
                                        .threads = run->options->threads,
                                        .descriptor = run->options->descriptor,
                                        .quiet = run->options->quiet};

    if (!need_frame(run, err))
        return false;
    if (!find_set(run, topics->of, &inputs.of))
        return err_set(err, ERR_INPUT, "topics.%.*s: there is no set '%.*s'",
                       STR_ARG(topics->name), STR_ARG(topics->of));
    return discovering_make(&inputs, output, err);
}

static bool need_groups(struct run *run, const struct study_table *table, struct err *err)
{
    bool ok = true;

    for (size_t g = 0; ok && g < table->by_count; g++)
        ok = need_group(run, table->by[g], err);
    for (size_t g = 0; ok && g < table->across_count; g++)
        ok = need_group(run, table->across[g], err);
    for (size_t g = 0; ok && g < table->where_count; g++)
        ok = need_group(run, table->where[g].group, err);
    return ok;
}

static bool compute_table(struct run *run, const struct study_table *table,
                          struct arena *arena, struct table *out, struct err *err)
{
    if (!need_frame(run, err) || !need_groups(run, table, err))
        return false;
    struct table_inputs inputs = {.study = run->study,
                                  .frame = &run->frame,
                                  .find_set = find_set,
                                  .context = run,
                                  .groups = run->groups};
    return table_make(table, &inputs, arena, out, err);
}

/* The sets that shares are asked for: without `of` those that were classified. */
static bool find_shares_sets(struct run *run, const struct study_table *table,
                             const struct study_classifier *classifier,
                             struct arena *arena, struct shares_inputs *inputs,
                             struct err *err)
{
    const struct str *names = table->of_count > 0 ? table->of : classifier->predict;

    inputs->set_count = table->of_count > 0 ? table->of_count : classifier->predict_count;
    struct shares_set *sets = arena_array(arena, struct shares_set, inputs->set_count);
    for (size_t i = 0; i < inputs->set_count; i++) {
        sets[i].name = names[i];
        if (!find_set(run, names[i], &sets[i].bits))
            return err_set(err, ERR_INPUT, "tables.%.*s: there is no set '%.*s'",
                           STR_ARG(table->name), STR_ARG(names[i]));
    }
    inputs->sets = sets;
    return true;
}

/* Of items that raters of this study labelled. */
static bool count_unresolved(struct run *run, size_t labels, struct shares_inputs *inputs,
                             struct err *err)
{
    struct label_final *finals;
    size_t count;

    if (!find_finals(run, labels, &finals, &count, err))
        return false;
    inputs->asked = count;
    for (size_t i = 0; i < count; i++)
        inputs->unresolved += finals[i].code_count == 0;
    return true;
}

static bool compute_shares(struct run *run, const struct study_table *table,
                           struct arena *arena, struct table *out, struct err *err)
{
    const struct study_classifier *classifier = &run->study->classifiers[table->made_by];
    struct shares_inputs inputs = {.table = table,
                                   .items = table->from,
                                   .seed = classifier->seed,
                                   .frame = &run->frame,
                                   .level = classifier->level};

    if (!need_frame(run, err) || !need_groups(run, table, err) ||
        !need_labels(run, classifier->train, err) ||
        (table->truth != STUDY_NONE && !need_labels(run, table->truth, err)) ||
        !find_shares_sets(run, table, classifier, arena, &inputs, err))
        return false;
    if (!count_unresolved(run, classifier->train, &inputs, err))
        return false;
    inputs.labels = &run->labels[classifier->train];
    inputs.truth = table->truth != STUDY_NONE ? &run->labels[table->truth] : NULL;
    inputs.groups = table->by_count > 0 ? &run->groups[table->by[0]] : NULL;
    return shares_table(&inputs, arena, out, err);
}

static bool compute_correlations(struct run *run, const struct study_table *table,
                                 struct arena *arena, struct table *out, struct err *err)
{
    struct numbers numbers;

    if (!read_step_numbers(run, STEPS_TABLE, table->made_by, arena, &numbers, err))
        return false;
    correlating_table(table, &numbers, arena, out);
    return true;
}

static bool make_table(struct run *run, const struct step *step, struct output *output,
                       struct err *err)
{
    const struct study_table *table = &run->study->tables[step->index];
    struct arena arena = {0};
    struct table made;
    bool ok = table->maker == STUDY_BY_TABLE
                  ? compute_correlations(run, table, &arena, &made, err)
              : study_shows_shares(table) ? compute_shares(run, table, &arena, &made, err)
              : table->from != NULL       ? table_file_read(table, &arena, &made, err)
                                          : compute_table(run, table, &arena, &made, err);

    if (ok)
        output_table(output, &made);
    arena_free(&arena);
    return ok;
}

/* What is compared or shown side by side: several sets, or the groups of one. */
struct sides {
    struct str what;      /* for messages: "test harder" */
    const struct str *of; /* sets; none: all items */
    size_t of_count;
    size_t by; /* group or STUDY_NONE */
};

static bool find_sides(struct run *run, const struct sides *sides, struct arena *arena,
                       struct testing_group **out, size_t *count, struct err *err)
{
    const struct groups *groups = NULL;
    size_t sets = sides->of_count > 0 ? sides->of_count : 1;

    if (sides->by != STUDY_NONE) {
        if (!need_group(run, sides->by, err))
            return false;
        groups = &run->groups[sides->by];
    }
    *count = groups != NULL ? groups->count : sets;
    *out = arena_array(arena, struct testing_group, *count + sets);
    (*out)[0] = (struct testing_group){STR("all"), bits_all(run->frame.count, arena)};
    for (size_t i = 0; i < sides->of_count; i++) {
        (*out)[i].name = sides->of[i];
        if (!find_set(run, sides->of[i], &(*out)[i].bits))
            return err_set(err, ERR_INPUT, "%.*s: there is no set '%.*s'",
                           STR_ARG(sides->what), STR_ARG(sides->of[i]));
    }
    struct bits of = (*out)[0].bits;
    for (size_t i = 0; groups != NULL && i < *count; i++)
        (*out)[i] = (struct testing_group){groups->values[i].name,
                                           bits_and(of, groups->values[i].bits, arena)};
    return true;
}

static bool test_items(struct run *run, const struct study_test *test,
                       struct arena *arena, struct testing *out, struct err *err)
{
    struct testing_inputs inputs = {
        .frame = &run->frame, .find_set = find_set, .context = run};
    struct sides sides = {test->name, test->compare, test->compare_count, test->by};
    struct testing_group *groups;

    if (test->compare_count == 0 && test->of.len > 0) {
        sides.of = &test->of;
        sides.of_count = 1;
    }
    if (!need_frame(run, err) ||
        !find_sides(run, &sides, arena, &groups, &inputs.count, err))
        return false;
    inputs.groups = groups;
    return testing_items(test, &inputs, arena, out, err);
}

static bool gives_shares(const struct study_table *table)
{
    for (size_t c = 0; c < table->column_count; c++)
        if (table->columns[c].measure.kind == MEASURE_SHARE ||
            table->columns[c].measure.kind == MEASURE_PART)
            return true;
    return false;
}

static bool test_table(struct run *run, const struct study_test *test,
                       struct arena *arena, struct testing *out, struct err *err)
{
    const struct study_table *table = &run->study->tables[test->table];
    size_t step = steps_find(&run->steps, STEPS_TABLE, test->table);
    struct numbers numbers;

    return output_read_numbers(run->study->home, run->steps.at[step].name, arena,
                               &numbers, err) &&
           testing_cells(test, &numbers, gives_shares(table), arena, out, err);
}

static bool make_test(struct run *run, const struct step *step, struct output *output,
                      struct err *err)
{
    const struct study_test *test = &run->study->tests[step->index];
    struct arena arena = {0};
    struct testing made;
    bool ok = test->table != STUDY_NONE ? test_table(run, test, &arena, &made, err)
                                        : test_items(run, test, &arena, &made, err);

    if (ok)
        output_test(output, &made);
    arena_free(&arena);
    return ok;
}

/* What the figure shows: a table's numbers, a set's funnel, or items. */
static bool figure_inputs(struct run *run, const struct study_figure *figure,
                          struct arena *arena, struct numbers *numbers,
                          struct figure_inputs *out, struct err *err)
{
    struct sides sides = {figure->name, figure->of, figure->of_count, figure->by};
    struct testing_group *groups;

    *out = (struct figure_inputs){.numbers = numbers, .frame = &run->frame};
    if (figure->table != STUDY_NONE) {
        out->table = &run->study->tables[figure->table];
        return read_step_numbers(run, STEPS_TABLE, figure->table, arena, numbers, err);
    }
    if (figure->kind == STUDY_FUNNEL)
        return count_census(run, &out->all, err) &&
               read_step_numbers(run, STEPS_SET, figure->set, arena, numbers, err);
    if (!need_frame(run, err) ||
        !find_sides(run, &sides, arena, &groups, &out->side_count, err))
        return false;
    struct figure_side *shown =
        arena_array(arena, struct figure_side, out->side_count + 1);
    for (size_t i = 0; i < out->side_count; i++)
        shown[i] = (struct figure_side){groups[i].name, groups[i].bits};
    out->sides = shown;
    return true;
}

static bool make_family(struct run *run, const struct step *step, struct output *output,
                        struct err *err)
{
    const struct study_family *family = &run->study->families[step->index];
    struct arena arena = {0};
    struct numbers *tests = arena_array(&arena, struct numbers, family->count + 1);
    bool ok = true;

    for (size_t i = 0; i < family->count && ok; i++)
        ok = read_step_numbers(run, STEPS_TEST, family->tests[i], &arena, &tests[i], err);
    if (ok) {
        struct family made = family_make(family, tests, &arena);
        output_family(output, &made);
    }
    arena_free(&arena);
    return ok;
}

static bool make_figure(struct run *run, const struct step *step, struct output *output,
                        struct err *err)
{
    const struct study_figure *figure = &run->study->figures[step->index];
    struct arena arena = {0};
    struct numbers numbers;
    struct figure_inputs inputs;
    struct chart chart;
    bool ok = figure_inputs(run, figure, &arena, &numbers, &inputs, err) &&
              figure_chart(figure, &inputs, &arena, &chart, err) &&
              output_figure(output, figure->name, &chart, err);

    arena_free(&arena);
    return ok;
}

static bool make_report(struct run *run, const struct step *step, struct output *output,
                        struct err *err)
{
    (void)step;
    return reporting_make(run->study, run->corpus, run->options->version, output, err);
}

/* The record of a step whose files have been written. */
static bool record(struct run *run, size_t index, struct ledger_step made,
                   const struct output *output, struct err *err)
{
    struct step *step = &run->steps.at[index];

    made.name = step->name;
    made.section = step->section;
    made.engine = steps_engine(step->kind);
    made.says = arena_copy(&run->arena, output_says(output));
    made.file_count = output->count;
    made.files = arena_array(&run->arena, struct ledger_pair, output->count + 1);
    for (size_t i = 0; i < output->count; i++)
        made.files[i] =
            (struct ledger_pair){arena_copy(&run->arena, output_path(output, i)),
                                 steps_hash(output_text(output, i))};
    step->made = made;
    step->reason = (struct str){0};
    return save_ledger(run, err);
}

static bool make_step(struct run *run, size_t index, struct err *err)
{
    bool (*const make[STEPS_KINDS])(struct run *, const struct step *, struct output *,
                                    struct err *) = {
        make_set,        make_labels, make_sample, make_labelling,
        make_classifier, make_topics, make_table,  make_test,
        make_family,     make_figure, make_report};
    struct step *step = &run->steps.at[index];
    struct output output = {0};
    struct str name = step->name;
    struct ledger_step made = {0};
    /* Inputs as they are before: a label that comes meanwhile makes the step run again.
     */
    bool ok = stop_check(err) &&
              steps_inputs(&run->steps, index, run->corpus_hash, &run->arena,
                           &made.inputs, &made.input_count, err) &&
              make[step->kind](run, step, &output, err) &&
              output_write(&output, run->study->home, err) &&
              record(run, index, made, &output, err);

    if (ok)
        tell(run, name, "made", step->made.says);
    output_free(&output);
    return ok;
}

static bool make_steps(struct run *run, int64_t *made, struct err *err)
{
    for (size_t i = 0; i < run->steps.count; i++) {
        struct step *step = &run->steps.at[i];
        /* What came before is now there, and may be what it was. */
        if (step->open && !steps_judge(&run->steps, i, &run->ledger, run->corpus_hash,
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

static void close_run(struct run *run)
{
    for (size_t i = 0; run->opened != NULL && i < run->study->all_label_count; i++)
        label_close(run->opened[i]);
    corpus_close(run->corpus);
    arena_free(&run->arena);
}

bool run_study(const struct study *study, const struct run_options *options,
               int64_t *made, struct err *err)
{
    struct run run = {.study = study, .options = options};
    struct ingest_result ingested = {0};
    bool ok = (study->source_count == 0 || run_ingest(study, options, &ingested, err)) &&
              open_corpus(&run, err) && load_ledger(&run, err) &&
              judge_all(&run, true, err);

    *made = ok && study->source_count > 0 && !ingested.up_to_date;
    if (*made > 0) {
        struct buf says = {0};
        buf_add_format(&says, "%lld questions, %lld answers, %lld rows",
                       (long long)ingested.stored.questions,
                       (long long)ingested.stored.answers,
                       (long long)ingested.stored.rows);
        tell(&run, STR("corpus"), "made", buf_str(&says));
        buf_free(&says);
    }
    ok = ok && (!anything_to_do(&run) || make_steps(&run, made, err)) &&
         remove_orphans(&run, err);
    close_run(&run);
    return ok;
}

bool run_plan(const struct study *study, const struct run_options *options,
              struct arena *arena, struct steps *out, struct str *corpus_reason,
              struct err *err)
{
    struct run run = {.study = study, .options = options, .arena = *arena};
    struct ingest_options wanted = run_ingest_options(study, options, &run.arena);
    *corpus_reason = (struct str){0};
    bool ok = (study->source_count == 0 || ingest_reason(&wanted, corpus_reason, err)) &&
              (corpus_reason->len > 0 || open_corpus(&run, err)) &&
              load_ledger(&run, err) && judge_all(&run, corpus_reason->len == 0, err);

    corpus_close(run.corpus);
    *out = run.steps;
    *arena = run.arena;
    return ok;
}
