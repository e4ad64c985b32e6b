/* A step knows the steps it needs; sets and samples are put before those that name them.
 */
#include "run/steps.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <xxhash.h>

#include "base/file.h"
#include "store/acts_digest.h"
#include "study/keys.h"

struct lister {
    const struct study *study;
    struct arena *arena;
    struct steps *out;
    size_t *step_of[STEPS_KINDS]; /* index in the study to step; STUDY_NONE: not listed */
};

uint64_t steps_hash(struct str bytes)
{
    return XXH3_64bits(bytes.ptr, bytes.len);
}

int steps_engine(enum steps_kind kind)
{
    static const int engines[STEPS_KINDS] = {
        [STEPS_SET] = 1,       [STEPS_LABELS] = 1,     [STEPS_SAMPLE] = 1,
        [STEPS_LABELLING] = 1, [STEPS_CLASSIFIER] = 1, [STEPS_TOPICS] = 1,
        [STEPS_TABLE] = 2,     [STEPS_TEST] = 2,       [STEPS_FAMILY] = 1,
        [STEPS_FIGURE] = 2,    [STEPS_REPORT] = 2};

    return engines[kind];
}

size_t steps_find(const struct steps *steps, enum steps_kind kind, size_t index)
{
    for (size_t i = 0; i < steps->count; i++)
        if (steps->at[i].kind == kind && steps->at[i].index == index)
            return i;
    return STUDY_NONE;
}

/* Listing. */

static void list_set(struct lister *lister, size_t index);
static void list_labelling(struct lister *lister, size_t index);
static void list_classifier(struct lister *lister, size_t index);
static void list_topics(struct lister *lister, size_t index);
static void list_sample(struct lister *lister, size_t index);

static void add_need(struct lister *lister, struct step *step, size_t need)
{
    for (size_t i = 0; i < step->need_count; i++)
        if (step->needs[i] == need)
            return;
    size_t *needs = arena_array(lister->arena, size_t, step->need_count + 1);
    if (step->need_count > 0)
        memcpy(needs, step->needs, step->need_count * sizeof *needs);
    needs[step->need_count++] = need;
    step->needs = needs;
}

static void add_file(struct lister *lister, struct step *step, const char *path)
{
    const char **files = arena_array(lister->arena, const char *, step->file_count + 1);

    if (step->file_count > 0)
        memcpy(files, step->files, step->file_count * sizeof *files);
    files[step->file_count++] = path;
    step->files = files;
}

static void need_source(struct lister *lister, struct step *step, struct str name)
{
    size_t set = study_find_set(lister->study, name);

    if (set != STUDY_NONE) {
        list_set(lister, set);
        add_need(lister, step, lister->step_of[STEPS_SET][set]);
        return;
    }
    size_t sample = study_find_sample(lister->study, name);
    if (sample != STUDY_NONE) {
        list_sample(lister, sample);
        add_need(lister, step, lister->step_of[STEPS_SAMPLE][sample]);
    }
}

/* Labels have a step of their own, or that of the labelling or classifier which makes
 * them. */
static void need_labels(struct lister *lister, struct step *step, size_t index)
{
    const struct study_labels *labels = &lister->study->labels[index];

    if (labels->labelling != STUDY_NONE) {
        list_labelling(lister, labels->labelling);
        add_need(lister, step, lister->step_of[STEPS_LABELLING][labels->labelling]);
        add_file(lister, step, labels->codebook);
    } else if (labels->classifier != STUDY_NONE) {
        list_classifier(lister, labels->classifier);
        add_need(lister, step, lister->step_of[STEPS_CLASSIFIER][labels->classifier]);
        if (labels->codebook != NULL)
            add_file(lister, step, labels->codebook);
    } else if (labels->topics != STUDY_NONE) {
        list_topics(lister, labels->topics);
        add_need(lister, step, lister->step_of[STEPS_TOPICS][labels->topics]);
    } else {
        add_need(lister, step, lister->step_of[STEPS_LABELS][index]);
    }
}

/* A group has no step of its own: what it rests on goes into the step that uses it. */
static void need_group(struct lister *lister, struct step *step, struct buf *section,
                       size_t group_index)
{
    const struct study_group *group = &lister->study->groups[group_index];

    buf_add_format(section, "\ngroup %.*s ", STR_ARG(group->name));
    keys_canonical(group->node, "groups.*", section);
    for (size_t i = 0; i < group->count && group->queries != NULL; i++) {
        buf_add_char(section, '\n');
        query_print(group->queries[i], section);
    }
    for (size_t i = 0; i < group->count && group->grouping == GROUPING_SETS; i++)
        need_source(lister, step, group->names[i]);
    if (group->grouping == GROUPING_LABELS)
        need_labels(lister, step, group->labels);
}

static void add_step(struct lister *lister, struct step *step, const char *section_name,
                     struct str name, struct buf *section)
{
    struct buf text = {0};

    buf_add_format(&text, "%s.%.*s", section_name, STR_ARG(name));
    step->name = arena_copy(lister->arena, buf_str(&text));
    step->section = steps_hash(buf_str(section));
    lister->step_of[step->kind][step->index] = lister->out->count;
    lister->out->at[lister->out->count++] = *step;
    buf_free(&text);
    buf_free(section);
}

static void list_set(struct lister *lister, size_t index)
{
    const struct study_set *set = &lister->study->sets[index];
    struct step step = {.kind = STEPS_SET, .index = index, .corpus = true};
    struct buf section = {0};
    size_t count;

    if (lister->step_of[STEPS_SET][index] != STUDY_NONE)
        return;
    struct str *names = query_sets(set->query, lister->arena, &count);
    for (size_t i = 0; i < count; i++)
        need_source(lister, &step, names[i]);
    query_print(set->query, &section);
    add_step(lister, &step, "sets", set->name, &section);
}

static void list_labels(struct lister *lister, size_t index)
{
    const struct study_labels *labels = &lister->study->labels[index];
    struct step step = {
        .kind = STEPS_LABELS, .index = index, .corpus = true, .whole = true};
    struct buf section = {0};

    if (labels->from != NULL)
        add_file(lister, &step, labels->from);
    if (labels->codebook != NULL)
        add_file(lister, &step, labels->codebook);
    keys_canonical(labels->node, "labels.*", &section);
    add_step(lister, &step, "labels", labels->name, &section);
}

static void list_sample(struct lister *lister, size_t index)
{
    const struct study_sample *sample = &lister->study->samples[index];
    struct step step = {.kind = STEPS_SAMPLE,
                        .index = index,
                        .corpus =
                            sample->size.kind == SIZE_TOP || sample->by != STUDY_NONE};
    struct buf section = {0};

    if (lister->step_of[STEPS_SAMPLE][index] != STUDY_NONE)
        return;
    need_source(lister, &step, sample->of);
    if (sample->keep != STUDY_NONE) {
        list_sample(lister, sample->keep);
        add_need(lister, &step, lister->step_of[STEPS_SAMPLE][sample->keep]);
    }
    keys_canonical(sample->node, "samples.*", &section);
    if (sample->by != STUDY_NONE)
        need_group(lister, &step, &section, sample->by);
    add_step(lister, &step, "samples", sample->name, &section);
}

/* What raters said of the items, the codebook as it is, and the task's settings. */
static void list_labelling(struct lister *lister, size_t index)
{
    const struct study_labelling *labelling = &lister->study->labellings[index];
    struct step step = {.kind = STEPS_LABELLING, .index = index, .log = true};
    struct buf section = {0};

    if (lister->step_of[STEPS_LABELLING][index] != STUDY_NONE)
        return;
    for (size_t i = 0; i < labelling->of_count; i++)
        need_source(lister, &step, labelling->of[i]);
    add_file(lister, &step, labelling->codebook);
    keys_canonical(labelling->node, "labelling.*", &section);
    add_step(lister, &step, "labelling", labelling->name, &section);
}

/* Texts are part of the corpus. */
static void list_classifier(struct lister *lister, size_t index)
{
    const struct study_classifier *classifier = &lister->study->classifiers[index];
    struct step step = {.kind = STEPS_CLASSIFIER, .index = index, .corpus = true};
    struct buf section = {0};

    if (lister->step_of[STEPS_CLASSIFIER][index] != STUDY_NONE)
        return;
    need_labels(lister, &step, classifier->train);
    for (size_t i = 0; i < classifier->predict_count; i++)
        need_source(lister, &step, classifier->predict[i]);
    if (classifier->keywords != NULL)
        add_file(lister, &step, classifier->keywords);
    keys_canonical(classifier->node, "classifiers.*", &section);
    add_step(lister, &step, "classifiers", classifier->name, &section);
}

static void list_topics(struct lister *lister, size_t index)
{
    const struct study_topics *topics = &lister->study->topics[index];
    struct step step = {.kind = STEPS_TOPICS, .index = index, .corpus = true};
    struct buf section = {0};

    if (lister->step_of[STEPS_TOPICS][index] != STUDY_NONE)
        return;
    need_source(lister, &step, topics->of);
    keys_canonical(topics->node, "topics.*", &section);
    add_step(lister, &step, "topics", topics->name, &section);
}

/* Without `until` the corpus ends with the newest of all its posts. */
static bool has_open_end(const struct lister *lister)
{
    return study_end_ms(lister->study) == INT64_MAX;
}

static void need_measure(struct lister *lister, struct step *step,
                         const struct measure *measure)
{
    if (measure->ranked != NULL)
        measure = measure->ranked;
    if (measure->kind == MEASURE_SURVIVAL && has_open_end(lister))
        step->whole = true;
    if (measure->condition == MEASURE_IN_SET)
        need_source(lister, step, measure->name);
}

static void list_table(struct lister *lister, size_t index)
{
    static const enum steps_kind makers[] = {[STUDY_BY_LABELLING] = STEPS_LABELLING,
                                             [STUDY_BY_CLASSIFIER] = STEPS_CLASSIFIER,
                                             [STUDY_BY_TOPICS] = STEPS_TOPICS,
                                             [STUDY_BY_TABLE] = STEPS_TABLE};
    const struct study_table *table = &lister->study->tables[index];
    struct step step = {.kind = STEPS_TABLE, .index = index, .corpus = true};
    struct buf section = {0};

    if (lister->step_of[STEPS_TABLE][index] != STUDY_NONE)
        return;
    keys_canonical(table->node, "tables.*", &section);
    if (table->maker == STUDY_BY_TABLE)
        list_table(lister, table->made_by);
    if (table->maker != STUDY_NO_MAKER) {
        add_need(lister, &step, lister->step_of[makers[table->maker]][table->made_by]);
        step.corpus = study_shows_shares(table);
    } else if (table->from != NULL) {
        add_file(lister, &step, table->from);
        step.corpus = false;
    }
    if (table->truth != STUDY_NONE)
        need_labels(lister, &step, table->truth);
    for (size_t i = 0; i < table->of_count; i++)
        need_source(lister, &step, table->of[i]);
    for (size_t i = 0; i < table->by_count; i++)
        need_group(lister, &step, &section, table->by[i]);
    for (size_t i = 0; i < table->across_count; i++)
        need_group(lister, &step, &section, table->across[i]);
    for (size_t i = 0; i < table->where_count; i++)
        need_group(lister, &step, &section, table->where[i].group);
    step.whole = table->of_count == 0 && step.corpus;
    for (size_t i = 0; i < table->column_count; i++) {
        need_measure(lister, &step, &table->columns[i].measure);
        if (table->columns[i].minimum_age_days > 0 && has_open_end(lister))
            step.whole = true;
    }
    add_step(lister, &step, "tables", table->name, &section);
}

static void list_test(struct lister *lister, size_t index)
{
    const struct study_test *test = &lister->study->tests[index];
    struct step step = {.kind = STEPS_TEST, .index = index};
    struct buf section = {0};

    keys_canonical(test->node, "tests.*", &section);
    if (test->table != STUDY_NONE) {
        add_need(lister, &step, lister->step_of[STEPS_TABLE][test->table]);
    } else {
        step.corpus = true;
        step.whole = test->compare_count + test->of.len == 0 ||
                     (test->kind == STUDY_LOG_RANK && has_open_end(lister));
        for (size_t i = 0; i < test->compare_count; i++)
            need_source(lister, &step, test->compare[i]);
        if (test->of.len > 0)
            need_source(lister, &step, test->of);
        if (test->by != STUDY_NONE)
            need_group(lister, &step, &section, test->by);
        need_measure(lister, &step, &test->on);
        need_measure(lister, &step, &test->with);
    }
    add_step(lister, &step, "tests", test->name, &section);
}

static uint64_t hash_taken(const struct study *study, struct arena *arena)
{
    struct buf text = {0};

    query_print(study_needed(study, arena), &text);
    uint64_t hash = steps_hash(buf_str(&text));
    buf_free(&text);
    return hash;
}

static void list_family(struct lister *lister, size_t index)
{
    const struct study_family *family = &lister->study->families[index];
    struct step step = {.kind = STEPS_FAMILY, .index = index};
    struct buf section = {0};

    buf_add_format(&section, "%d %.17g", (int)family->correct, family->level);
    for (size_t i = 0; i < family->count; i++)
        add_need(lister, &step, lister->step_of[STEPS_TEST][family->tests[i]]);
    add_step(lister, &step, "families", family->name, &section);
}

static void list_figure(struct lister *lister, size_t index)
{
    const struct study_figure *figure = &lister->study->figures[index];
    struct step step = {.kind = STEPS_FIGURE, .index = index};
    struct buf section = {0};

    keys_canonical(figure->node, "figures.*", &section);
    if (figure->table != STUDY_NONE) {
        add_need(lister, &step, lister->step_of[STEPS_TABLE][figure->table]);
    } else if (figure->kind == STUDY_FUNNEL) {
        step.corpus = true;
        add_need(lister, &step, lister->step_of[STEPS_SET][figure->set]);
    } else {
        step.corpus = true;
        for (size_t i = 0; i < figure->of_count; i++)
            need_source(lister, &step, figure->of[i]);
        if (figure->by != STUDY_NONE)
            need_group(lister, &step, &section, figure->by);
        step.whole = figure->of_count == 0 ||
                     (figure->kind == STUDY_SURVIVAL && has_open_end(lister));
    }
    add_step(lister, &step, "figures", figure->name, &section);
}

/* The report shows everything, and the study file itself. */
static void list_report(struct lister *lister, size_t index)
{
    struct step step = {.kind = STEPS_REPORT,
                        .index = index,
                        .name = STR("report"),
                        .corpus = lister->study->source_count > 0};
    struct buf section = {0};

    keys_canonical(&lister->study->root, "", &section);
    for (size_t i = 0; i < lister->out->count; i++) {
        add_need(lister, &step, i);
        /* It shows all but sets in the order of the study file. */
        if (lister->out->at[i].kind != STEPS_SET)
            buf_add_format(&section, "\n%.*s", STR_ARG(lister->out->at[i].name));
    }
    step.section = steps_hash(buf_str(&section));
    lister->step_of[STEPS_REPORT][index] = lister->out->count;
    lister->out->at[lister->out->count++] = step;
    buf_free(&section);
}

void steps_list(const struct study *study, struct arena *arena, struct steps *out)
{
    const size_t counts[STEPS_KINDS] = {
        [STEPS_SET] = study->set_count,
        [STEPS_LABELS] = study->label_count,
        [STEPS_SAMPLE] = study->sample_count,
        [STEPS_LABELLING] = study->labelling_count,
        [STEPS_CLASSIFIER] = study->classifier_count,
        [STEPS_TOPICS] = study->topics_count,
        [STEPS_TABLE] = study->table_count,
        [STEPS_TEST] = study->test_count,
        [STEPS_FAMILY] = study->family_count,
        [STEPS_FIGURE] = study->figure_count,
        [STEPS_REPORT] = 1,
    };
    void (*const list[STEPS_KINDS])(struct lister *, size_t) = {
        list_set,        list_labels, list_sample, list_labelling,
        list_classifier, list_topics, list_table,  list_test,
        list_family,     list_figure, list_report};
    struct lister lister = {.study = study, .arena = arena, .out = out};
    size_t all = 0;

    *out = (struct steps){.study = study, .taken = hash_taken(study, arena)};
    for (int kind = 0; kind < STEPS_KINDS; kind++) {
        lister.step_of[kind] = arena_array(arena, size_t, counts[kind] + 1);
        for (size_t i = 0; i < counts[kind]; i++)
            lister.step_of[kind][i] = STUDY_NONE;
        all += counts[kind];
    }
    out->at = arena_array(arena, struct step, all + 1);
    for (int kind = 0; kind < STEPS_KINDS; kind++)
        for (size_t i = 0; i < counts[kind]; i++)
            list[kind](&lister, i);
}

/* Judging. */

static bool hash_file(const char *path, uint64_t *hash, struct err *err)
{
    struct arena arena = {0};
    struct str text;
    bool ok = file_read(path, &arena, &text, err);

    if (ok)
        *hash = steps_hash(text);
    arena_free(&arena);
    return ok;
}

/* Of a set most steps take the items alone, which its first file lists, whatever its
 * conditions are called in the funnel. */
static uint64_t output_for(const struct step *step, const struct step *need)
{
    bool items = step->kind != STEPS_SET && step->kind < STEPS_FIGURE;

    return items && need->kind == STEPS_SET && need->made.file_count > 0
               ? need->made.files[0].hash
               : ledger_output(&need->made);
}

bool steps_inputs(const struct steps *steps, size_t step, uint64_t corpus,
                  struct arena *arena, struct ledger_pair **out, size_t *count,
                  struct err *err)
{
    const struct step *it = &steps->at[step];
    struct ledger_pair *pairs =
        arena_array(arena, struct ledger_pair, it->need_count + it->file_count + 2);
    size_t n = 0;

    if (it->whole)
        corpus = XXH3_64bits_withSeed(&steps->taken, sizeof steps->taken, corpus);
    if (it->corpus)
        pairs[n++] = (struct ledger_pair){STR("corpus"), corpus};
    if (it->log) {
        pairs[n].name = STR("labels.db");
        if (!acts_digest(file_join(steps->study->home, "labels.db", arena),
                         steps->study->labellings[it->index].name, &pairs[n++].hash, err))
            return false;
    }
    for (size_t i = 0; i < it->need_count; i++) {
        const struct step *need = &steps->at[it->needs[i]];
        pairs[n++] = (struct ledger_pair){need->name, output_for(it, need)};
    }
    for (size_t i = 0; i < it->file_count; i++) {
        /* By number, so that the lock does not depend on where files lie. */
        char name[40];
        snprintf(name, sizeof name, "file %zu", i + 1);
        pairs[n].name = arena_copy(arena, str_from(name));
        if (!hash_file(it->files[i], &pairs[n++].hash, err))
            return false;
    }
    *out = pairs;
    *count = n;
    return true;
}

static void set_reason(struct step *step, struct arena *arena, const char *format, ...)
    PRINTF_LIKE(3, 4);

static void set_reason(struct step *step, struct arena *arena, const char *format, ...)
{
    char text[300];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    step->reason = arena_copy(arena, str_from(text));
}

/* The first step before it that has yet to be made, or STUDY_NONE. */
static size_t waits_for(const struct steps *steps, const struct step *step)
{
    for (size_t i = 0; i < step->need_count; i++)
        if (steps->at[step->needs[i]].reason.len > 0)
            return step->needs[i];
    return STUDY_NONE;
}

static bool same_inputs(struct step *step, const struct ledger_step *recorded,
                        const struct ledger_pair *now, size_t count, struct arena *arena)
{
    for (size_t i = 0; i < count; i++) {
        size_t r = 0;
        while (r < recorded->input_count &&
               !str_eq(recorded->inputs[r].name, now[i].name))
            r++;
        if (r == recorded->input_count || recorded->inputs[r].hash != now[i].hash) {
            size_t others = count - step->file_count; /* files come last */
            struct str name =
                i < others ? now[i].name : str_from(step->files[i - others]);
            set_reason(step, arena, "%.*s has changed", STR_ARG(name));
            return false;
        }
    }
    if (count == recorded->input_count)
        return true;
    set_reason(step, arena, "it rests on less than before");
    return false;
}

static bool same_files(const struct steps *steps, struct step *step,
                       const struct ledger_step *recorded, struct arena *arena)
{
    for (size_t i = 0; i < recorded->file_count; i++) {
        const char *name = arena_c_string(arena, recorded->files[i].name);
        const char *path = file_join(steps->study->home, name, arena);
        struct err ignored = {0};
        uint64_t hash;
        if (!file_exists(path)) {
            set_reason(step, arena, "%s is not there", name);
            return false;
        }
        if (!hash_file(path, &hash, &ignored) || hash != recorded->files[i].hash) {
            set_reason(step, arena, "%s was changed by hand", name);
            return false;
        }
    }
    return true;
}

bool steps_judge(struct steps *steps, size_t step, const struct ledger *ledger,
                 uint64_t corpus, bool corpus_known, struct arena *arena, struct err *err)
{
    struct step *it = &steps->at[step];
    const struct ledger_step *recorded = ledger_find(ledger, it->name);
    size_t before = waits_for(steps, it);
    struct ledger_pair *inputs;
    size_t count;

    it->reason = (struct str){0};
    it->open = false;
    if (recorded == NULL) {
        set_reason(it, arena, "it has not been made yet");
    } else if (recorded->section != it->section) {
        set_reason(it, arena, "its section of the study file has changed");
    } else if (recorded->engine != steps_engine(it->kind)) {
        set_reason(it, arena, "assay makes it another way now");
    } else if (!same_files(steps, it, recorded, arena)) {
        /* set_reason() has been called */
    } else if (it->corpus && !corpus_known) {
        set_reason(it, arena, "the corpus may change");
        it->open = true;
    } else if (before != STUDY_NONE) {
        set_reason(it, arena, "%.*s is made before it", STR_ARG(steps->at[before].name));
        it->open = true;
    } else if (!steps_inputs(steps, step, corpus, arena, &inputs, &count, err)) {
        return false;
    } else if (same_inputs(it, recorded, inputs, count, arena)) {
        it->made = *recorded;
    }
    return true;
}
