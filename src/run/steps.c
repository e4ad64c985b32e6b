/* A step knows the steps it needs; sets and samples are put before those that name them.
 */
#include "run/steps.h"

#include <stdio.h>
#include <string.h>
#include <xxhash.h>

#include "study/keys.h"

struct lister {
    const struct study *study;
    struct arena *arena;
    struct run_steps *out;
    size_t *
        step_of[RUN_STEPS_KINDS]; /* index in the study to step; STUDY_NONE: not listed */
};

uint64_t run_steps_hash(struct str bytes)
{
    return XXH3_64bits(bytes.ptr, bytes.len);
}

int run_steps_engine(enum run_steps_kind kind)
{
    static const int engines[RUN_STEPS_KINDS] = {
        [RUN_STEPS_SET] = 3,       [RUN_STEPS_LABELS] = 2,     [RUN_STEPS_SAMPLE] = 2,
        [RUN_STEPS_LABELLING] = 4, [RUN_STEPS_CLASSIFIER] = 3, [RUN_STEPS_TOPICS] = 2,
        [RUN_STEPS_TABLE] = 5,     [RUN_STEPS_TEST] = 5,       [RUN_STEPS_FAMILY] = 2,
        [RUN_STEPS_FIGURE] = 3,    [RUN_STEPS_REPORT] = 3};

    return engines[kind];
}

size_t run_steps_find(const struct run_steps *steps, enum run_steps_kind kind,
                      size_t index)
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

static void add_need(struct lister *lister, struct run_step *step, size_t need)
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

static void add_file(struct lister *lister, struct run_step *step, const char *path)
{
    const char **files = arena_array(lister->arena, const char *, step->file_count + 1);

    if (step->file_count > 0)
        memcpy(files, step->files, step->file_count * sizeof *files);
    files[step->file_count++] = path;
    step->files = files;
}

static void add_part(struct lister *lister, struct run_step *step, struct str key,
                     struct str name, struct buf *section)
{
    struct run_ledger_pair *parts =
        arena_array(lister->arena, struct run_ledger_pair, step->part_count + 1);
    struct buf text = {0};

    buf_add_format(&text, RUN_STEPS_PART "%.*s%s%.*s", STR_ARG(key),
                   name.len > 0 ? "." : "", STR_ARG(name));
    if (step->part_count > 0)
        memcpy(parts, step->parts, step->part_count * sizeof *parts);
    parts[step->part_count++] = (struct run_ledger_pair){
        arena_copy(lister->arena, buf_str(&text)), run_steps_hash(buf_str(section))};
    step->parts = parts;
    buf_free(&text);
    buf_free(section);
}

static void need_source(struct lister *lister, struct run_step *step, struct str name)
{
    size_t set = study_find_set(lister->study, name);

    if (set != STUDY_NONE) {
        list_set(lister, set);
        add_need(lister, step, lister->step_of[RUN_STEPS_SET][set]);
        return;
    }
    size_t sample = study_find_sample(lister->study, name);
    if (sample != STUDY_NONE) {
        list_sample(lister, sample);
        add_need(lister, step, lister->step_of[RUN_STEPS_SAMPLE][sample]);
    }
}

/* Labels have a step of their own, or that of the labelling or classifier which makes
 * them. */
static void need_labels(struct lister *lister, struct run_step *step, size_t index)
{
    const struct study_labels *labels = &lister->study->labels[index];

    if (labels->labelling != STUDY_NONE) {
        list_labelling(lister, labels->labelling);
        add_need(lister, step, lister->step_of[RUN_STEPS_LABELLING][labels->labelling]);
        add_file(lister, step, labels->codebook);
    } else if (labels->classifier != STUDY_NONE) {
        list_classifier(lister, labels->classifier);
        add_need(lister, step, lister->step_of[RUN_STEPS_CLASSIFIER][labels->classifier]);
        if (labels->codebook != NULL)
            add_file(lister, step, labels->codebook);
    } else if (labels->topics != STUDY_NONE) {
        list_topics(lister, labels->topics);
        add_need(lister, step, lister->step_of[RUN_STEPS_TOPICS][labels->topics]);
    } else {
        add_need(lister, step, lister->step_of[RUN_STEPS_LABELS][index]);
    }
}

static bool has_part(const struct run_step *step, struct str name)
{
    struct str prefix = STR(RUN_STEPS_PART "groups.");

    for (size_t i = 0; i < step->part_count; i++)
        if (str_eq(str_slice(step->parts[i].name, prefix.len, step->parts[i].name.len),
                   name))
            return true;
    return false;
}

/* A group has no step of its own: what it rests on goes into the step that uses it. */
static void need_group(struct lister *lister, struct run_step *step, size_t group_index)
{
    const struct study_group *group = &lister->study->groups[group_index];
    struct buf section = {0};

    if (has_part(step, group->name))
        return;
    study_keys_canonical(group->node, "groups.*", &section);
    add_part(lister, step, STR("groups"), group->name, &section);
    section = (struct buf){0};
    for (size_t i = 0; i < group->count && group->queries != NULL; i++) {
        query_print(group->queries[i], &section);
        buf_add_char(&section, '\n');
    }
    if (group->queries != NULL) { /* sets that they name are written out */
        struct buf name = {0};
        buf_add_format(&name, "%.*s selects", STR_ARG(group->name));
        add_part(lister, step, STR("what groups"), buf_str(&name), &section);
        buf_free(&name);
    }
    for (size_t i = 0; i < group->count && group->grouping == STUDY_GROUPING_SETS; i++)
        need_source(lister, step, group->names[i]);
    if (group->grouping == STUDY_GROUPING_LABELS)
        need_labels(lister, step, group->labels);
}

static void add_step(struct lister *lister, struct run_step *step,
                     const char *section_name, struct str name, struct buf *section)
{
    struct buf text = {0};

    buf_add_format(&text, "%s.%.*s", section_name, STR_ARG(name));
    step->name = arena_copy(lister->arena, buf_str(&text));
    step->section = run_steps_hash(buf_str(section));
    lister->step_of[step->kind][step->index] = lister->out->count;
    lister->out->at[lister->out->count++] = *step;
    buf_free(&text);
    buf_free(section);
}

static void list_set(struct lister *lister, size_t index)
{
    const struct study_set *set = &lister->study->sets[index];
    struct run_step step = {.kind = RUN_STEPS_SET, .index = index, .corpus = true};
    struct buf section = {0};
    size_t count;

    if (lister->step_of[RUN_STEPS_SET][index] != STUDY_NONE)
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
    struct run_step step = {
        .kind = RUN_STEPS_LABELS, .index = index, .corpus = true, .whole = true};
    struct buf section = {0};

    if (labels->from != NULL)
        add_file(lister, &step, labels->from);
    if (labels->codebook != NULL)
        add_file(lister, &step, labels->codebook);
    study_keys_canonical(labels->node, "labels.*", &section);
    add_step(lister, &step, "labels", labels->name, &section);
}

static void list_sample(struct lister *lister, size_t index)
{
    const struct study_sample *sample = &lister->study->samples[index];
    struct run_step step = {.kind = RUN_STEPS_SAMPLE,
                            .index = index,
                            .corpus = sample->size.kind == SAMPLE_SIZE_TOP ||
                                      sample->by != STUDY_NONE};
    struct buf section = {0};

    if (lister->step_of[RUN_STEPS_SAMPLE][index] != STUDY_NONE)
        return;
    need_source(lister, &step, sample->of);
    if (sample->keep != STUDY_NONE) {
        list_sample(lister, sample->keep);
        add_need(lister, &step, lister->step_of[RUN_STEPS_SAMPLE][sample->keep]);
    }
    study_keys_canonical(sample->node, "samples.*", &section);
    if (sample->by != STUDY_NONE)
        need_group(lister, &step, sample->by);
    add_step(lister, &step, "samples", sample->name, &section);
}

/* What raters said of the items, the codebook as it is, and the task's settings. */
static void list_labelling(struct lister *lister, size_t index)
{
    const struct study_labelling *labelling = &lister->study->labellings[index];
    struct run_step step = {.kind = RUN_STEPS_LABELLING, .index = index, .log = true};
    struct buf section = {0};

    if (lister->step_of[RUN_STEPS_LABELLING][index] != STUDY_NONE)
        return;
    for (size_t i = 0; i < labelling->of_count; i++)
        need_source(lister, &step, labelling->of[i]);
    add_file(lister, &step, labelling->codebook);
    study_keys_canonical(labelling->node, "labelling.*", &section);
    add_step(lister, &step, "labelling", labelling->name, &section);
}

/* Texts are part of the corpus. */
static void list_classifier(struct lister *lister, size_t index)
{
    const struct study_classifier *classifier = &lister->study->classifiers[index];
    struct run_step step = {.kind = RUN_STEPS_CLASSIFIER, .index = index, .corpus = true};
    struct buf section = {0};

    if (lister->step_of[RUN_STEPS_CLASSIFIER][index] != STUDY_NONE)
        return;
    need_labels(lister, &step, classifier->train);
    for (size_t i = 0; i < classifier->predict_count; i++)
        need_source(lister, &step, classifier->predict[i]);
    if (classifier->keywords != NULL)
        add_file(lister, &step, classifier->keywords);
    study_keys_canonical(classifier->node, "classifiers.*", &section);
    add_step(lister, &step, "classifiers", classifier->name, &section);
}

static void list_topics(struct lister *lister, size_t index)
{
    const struct study_topics *topics = &lister->study->topics[index];
    struct run_step step = {.kind = RUN_STEPS_TOPICS, .index = index, .corpus = true};
    struct buf section = {0};

    if (lister->step_of[RUN_STEPS_TOPICS][index] != STUDY_NONE)
        return;
    need_source(lister, &step, topics->of);
    study_keys_canonical(topics->node, "topics.*", &section);
    add_step(lister, &step, "topics", topics->name, &section);
}

/* Without `until` a source ends with its newest post, which of a table may be any moment
 * that its rows tell. */
static bool has_open_end(const struct lister *lister)
{
    return study_end_ms(lister->study) == INT64_MAX;
}

static void need_measure(struct lister *lister, struct run_step *step,
                         const struct study_measure *measure)
{
    if (measure->ranked != NULL)
        measure = measure->ranked;
    if (measure->kind == STUDY_MEASURE_SURVIVAL && has_open_end(lister))
        step->whole = true;
    if (measure->condition == STUDY_MEASURE_IN_SET)
        need_source(lister, step, measure->name);
}

static void list_table(struct lister *lister, size_t index)
{
    static const enum run_steps_kind makers[] = {
        [STUDY_BY_LABELLING] = RUN_STEPS_LABELLING,
        [STUDY_BY_CLASSIFIER] = RUN_STEPS_CLASSIFIER,
        [STUDY_BY_TOPICS] = RUN_STEPS_TOPICS,
        [STUDY_BY_TABLE] = RUN_STEPS_TABLE};
    const struct study_table *table = &lister->study->tables[index];
    struct run_step step = {.kind = RUN_STEPS_TABLE, .index = index, .corpus = true};
    struct buf section = {0};

    if (lister->step_of[RUN_STEPS_TABLE][index] != STUDY_NONE)
        return;
    study_keys_canonical(table->node, "tables.*", &section);
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
        need_group(lister, &step, table->by[i]);
    for (size_t i = 0; i < table->across_count; i++)
        need_group(lister, &step, table->across[i]);
    for (size_t i = 0; i < table->where_count; i++)
        need_group(lister, &step, table->where[i].group);
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
    struct run_step step = {.kind = RUN_STEPS_TEST, .index = index};
    struct buf section = {0};

    study_keys_canonical(test->node, "tests.*", &section);
    if (test->table != STUDY_NONE) {
        add_need(lister, &step, lister->step_of[RUN_STEPS_TABLE][test->table]);
    } else {
        step.corpus = true;
        step.whole = test->compare_count + test->of.len == 0 ||
                     (test->kind == STUDY_LOG_RANK && has_open_end(lister));
        for (size_t i = 0; i < test->compare_count; i++)
            need_source(lister, &step, test->compare[i]);
        if (test->of.len > 0)
            need_source(lister, &step, test->of);
        if (test->by != STUDY_NONE)
            need_group(lister, &step, test->by);
        need_measure(lister, &step, &test->on);
        need_measure(lister, &step, &test->with);
    }
    add_step(lister, &step, "tests", test->name, &section);
}

static uint64_t hash_taken(const struct study *study, struct arena *arena)
{
    struct buf text = {0};

    query_print(study_needed(study, arena), &text);
    uint64_t hash = run_steps_hash(buf_str(&text));
    buf_free(&text);
    return hash;
}

static void list_family(struct lister *lister, size_t index)
{
    const struct study_family *family = &lister->study->families[index];
    struct run_step step = {.kind = RUN_STEPS_FAMILY, .index = index};
    struct buf section = {0};

    buf_add_format(&section, "%d %.17g", (int)family->correct, family->level);
    for (size_t i = 0; i < family->count; i++)
        add_need(lister, &step, lister->step_of[RUN_STEPS_TEST][family->tests[i]]);
    add_step(lister, &step, "families", family->name, &section);
}

static void list_figure(struct lister *lister, size_t index)
{
    const struct study_figure *figure = &lister->study->figures[index];
    struct run_step step = {.kind = RUN_STEPS_FIGURE, .index = index};
    struct buf section = {0};

    study_keys_canonical(figure->node, "figures.*", &section);
    if (figure->table != STUDY_NONE) {
        add_need(lister, &step, lister->step_of[RUN_STEPS_TABLE][figure->table]);
    } else if (figure->kind == STUDY_FUNNEL) {
        step.corpus = true;
        add_need(lister, &step, lister->step_of[RUN_STEPS_SET][figure->set]);
    } else {
        step.corpus = true;
        for (size_t i = 0; i < figure->of_count; i++)
            need_source(lister, &step, figure->of[i]);
        if (figure->by != STUDY_NONE)
            need_group(lister, &step, figure->by);
        step.whole = figure->of_count == 0 ||
                     (figure->kind == STUDY_SURVIVAL && has_open_end(lister));
    }
    add_step(lister, &step, "figures", figure->name, &section);
}

/* Names of expectations are expressions, which a ledger cannot hold. */
static bool is_of_names(struct str key, const struct yaml_node *node)
{
    const struct study_keys_row *row = study_keys_find(key);

    return row != NULL && row->forms & STUDY_KEYS_NAMES && node->type == YAML_MAPPING &&
           !str_eq(key, STR("expect"));
}

/* The study file by its sections, so that it can be told which has changed. */
static void add_parts(struct lister *lister, struct run_step *step,
                      const struct yaml_node *root)
{
    for (size_t k = 0; k < root->count; k++) {
        struct str key = root->keys[k].text;
        const struct yaml_node *node = &root->items[k];
        bool names = is_of_names(key, node);
        char path[100];
        snprintf(path, sizeof path, "%.*s%s", STR_ARG(key), names ? ".*" : "");
        for (size_t i = 0; i < (names ? node->count : 1); i++) {
            struct buf section = {0};
            study_keys_canonical(names ? &node->items[i] : node, path, &section);
            add_part(lister, step, key, names ? node->keys[i].text : (struct str){0},
                     &section);
        }
    }
}

/* The report shows everything, and the study file itself. */
static void list_report(struct lister *lister, size_t index)
{
    struct run_step step = {.kind = RUN_STEPS_REPORT,
                            .index = index,
                            .name = STR("report"),
                            .corpus = lister->study->source_count > 0};
    struct buf section = {0};

    add_parts(lister, &step, &lister->study->root);
    for (size_t i = 0; i < lister->out->count; i++) {
        add_need(lister, &step, i);
        /* It shows all but sets in the order of the study file. */
        if (lister->out->at[i].kind != RUN_STEPS_SET)
            buf_add_format(&section, "\n%.*s", STR_ARG(lister->out->at[i].name));
    }
    step.section = run_steps_hash(buf_str(&section));
    lister->step_of[RUN_STEPS_REPORT][index] = lister->out->count;
    lister->out->at[lister->out->count++] = step;
    buf_free(&section);
}

void run_steps_list(const struct study *study, struct arena *arena, struct run_steps *out)
{
    const size_t counts[RUN_STEPS_KINDS] = {
        [RUN_STEPS_SET] = study->set_count,
        [RUN_STEPS_LABELS] = study->label_count,
        [RUN_STEPS_SAMPLE] = study->sample_count,
        [RUN_STEPS_LABELLING] = study->labelling_count,
        [RUN_STEPS_CLASSIFIER] = study->classifier_count,
        [RUN_STEPS_TOPICS] = study->topics_count,
        [RUN_STEPS_TABLE] = study->table_count,
        [RUN_STEPS_TEST] = study->test_count,
        [RUN_STEPS_FAMILY] = study->family_count,
        [RUN_STEPS_FIGURE] = study->figure_count,
        [RUN_STEPS_REPORT] = 1,
    };
    void (*const list[RUN_STEPS_KINDS])(struct lister *, size_t) = {
        list_set,        list_labels, list_sample, list_labelling,
        list_classifier, list_topics, list_table,  list_test,
        list_family,     list_figure, list_report};
    struct lister lister = {.study = study, .arena = arena, .out = out};
    size_t all = 0;

    *out = (struct run_steps){.study = study, .taken = hash_taken(study, arena)};
    for (int kind = 0; kind < RUN_STEPS_KINDS; kind++) {
        lister.step_of[kind] = arena_array(arena, size_t, counts[kind] + 1);
        for (size_t i = 0; i < counts[kind]; i++)
            lister.step_of[kind][i] = STUDY_NONE;
        all += counts[kind];
    }
    out->at = arena_array(arena, struct run_step, all + 1);
    for (int kind = 0; kind < RUN_STEPS_KINDS; kind++)
        for (size_t i = 0; i < counts[kind]; i++)
            list[kind](&lister, i);
}
