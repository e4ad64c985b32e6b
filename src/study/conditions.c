/* Conditions on labels: what label:, predicted: and hasunit: mean in a study. With them a
 * set may rest on a labelling, whose sample rests on a set: nothing may rest on itself.
 */
#include <stdarg.h>

#include "base/file.h"
#include "base/list.h"
#include "base/near.h"
#include "study/codebook.h"
#include "study/internal.h"

const struct study_condition *study_find_condition(const struct study *study,
                                                   const struct query_node *node)
{
    for (size_t i = 0; i < study->condition_count; i++)
        if (study->conditions[i].field == node->field &&
            str_eq(study->conditions[i].text, node->text))
            return &study->conditions[i];
    return NULL;
}

bool study_asks_labels(const struct study *study, const struct query_node *query)
{
    size_t set =
        query->kind == QUERY_SET ? study_find_set(study, query->text) : STUDY_NONE;

    if (query->kind == QUERY_LABEL ||
        (set != STUDY_NONE && query_needs(study->sets[set].written).labels))
        return true;
    for (const struct query_node *child = query->first; child; child = child->next)
        if (study_asks_labels(study, child))
            return true;
    return false;
}

/* --- what a condition names --- */

/* While one is read: STEP, STEP/CODE, or with several dimensions STEP/DIMENSION/CODE. */
struct asking {
    struct study_reader *reader;
    const struct yaml_node *at;
    const struct query_node *node;
    struct str step, rest; /* before and behind the first slash */
    size_t labels, labelling, classifier;
    const struct study_codebook_dimension *dimension; /* NULL: not known */
};

static void complain(const struct asking *asking, const char *format, ...)
    PRINTF_LIKE(2, 3);

static void complain(const struct asking *asking, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    struct str text = arena_format_arguments(asking->reader->arena, format, args);
    va_end(args);
    study_keys_complain(&asking->reader->problems, asking->at, "%.*s:%.*s: %.*s",
                        STR_ARG(query_field_name(asking->node->field)),
                        STR_ARG(asking->node->text), STR_ARG(text));
}

static void complain_of_step(const struct asking *asking)
{
    const struct study *study = asking->reader->study;
    bool predicted = asking->node->field == QUERY_FIELD_PREDICTED;
    struct str *names = arena_array(asking->reader->arena, struct str,
                                    study->label_count + study->labelling_count +
                                        study->classifier_count);
    const char *what = predicted ? "classifier" : "labelling, nor are there labels,";
    size_t count = 0;

    for (size_t i = 0; i < study->labelling_count && !predicted; i++)
        names[count++] = study->labellings[i].name;
    for (size_t i = 0; i < study->label_count && !predicted; i++)
        names[count++] = study->labels[i].name;
    for (size_t i = 0; i < study->classifier_count && predicted; i++)
        names[count++] = study->classifiers[i].name;
    size_t near = near_find(asking->step, names, count);
    if (near < count)
        complain(asking, "there is no %s '%.*s'; did you mean '%.*s'?", what,
                 STR_ARG(asking->step), STR_ARG(names[near]));
    else
        complain(asking, "there is no %s '%.*s'", what, STR_ARG(asking->step));
}

/* The step by its name; false, after a complaint: there is none such. */
static bool find_step(struct asking *asking)
{
    const struct study *study = asking->reader->study;

    asking->labels = asking->labelling = asking->classifier = STUDY_NONE;
    if (asking->node->field == QUERY_FIELD_PREDICTED) {
        asking->classifier = study_find_classifier(study, asking->step);
    } else {
        for (size_t i = study->labelling_count; i-- > 0;)
            if (str_eq(study->labellings[i].name, asking->step))
                asking->labelling = i;
        for (size_t i = study->label_count; i-- > 0;)
            if (str_eq(study->labels[i].name, asking->step))
                asking->labels = i;
    }
    if (asking->labels == STUDY_NONE && asking->labelling == STUDY_NONE &&
        asking->classifier == STUDY_NONE) {
        complain_of_step(asking);
        return false;
    }
    bool units = asking->labels != STUDY_NONE
                     ? study->labels[asking->labels].unit.len > 0
                     : asking->labelling != STUDY_NONE &&
                           study->labellings[asking->labelling].units;
    if (asking->node->field != QUERY_FIELD_HASUNIT || units)
        return true;
    complain(asking,
             "'%.*s' has no units: a labelling has them with `units: yes`, labels "
             "with `unit`",
             STR_ARG(asking->step));
    return false;
}

/* The dimension that the rest begins with. */
static bool cut_dimension(struct asking *asking, const struct study_codebook *codebook)
{
    struct str rest = asking->rest, id;
    struct buf known = {0};

    str_cut(&rest, '/', &id);
    for (size_t d = 0; d < codebook->count; d++) {
        if (str_eq(codebook->dimensions[d].id, id)) {
            asking->dimension = &codebook->dimensions[d];
            asking->rest = rest;
        }
        buf_add_format(&known, "%s%.*s", d > 0 ? ", " : "",
                       STR_ARG(codebook->dimensions[d].id));
    }
    if (asking->dimension == NULL && id.len == 0 &&
        asking->node->field == QUERY_FIELD_HASUNIT)
        asking->dimension = codebook->dimensions; /* all have the same units */
    if (asking->dimension == NULL)
        complain(asking,
                 "the codebook has several dimensions: expected %.*s/DIMENSION/CODE with "
                 "one of %.*s; found '%.*s'",
                 STR_ARG(asking->step), STR_ARG(buf_str(&known)), STR_ARG(id));
    buf_free(&known);
    return asking->dimension != NULL;
}

/* A codebook that cannot be read has been complained of, or will be. */
static bool find_dimension(struct asking *asking)
{
    struct study_reader *reader = asking->reader;
    const struct study *study = reader->study;
    struct study_codebook codebook;
    struct buf ignored = {0};
    struct err err = {0};

    if (asking->classifier != STUDY_NONE)
        asking->labels = study_read_predicted(reader, asking->classifier);
    bool made = asking->labels == STUDY_NONE;
    const char *path = made ? study->labellings[asking->labelling].codebook
                            : study->labels[asking->labels].codebook;
    bool ok = path == NULL || !file_exists(path) ||
              !study_codebook_load(path, reader->arena, &codebook, &ignored, &err);
    buf_free(&ignored);
    if (!ok && made && codebook.count > 1)
        ok = cut_dimension(asking, &codebook);
    else if (!ok)
        ok = study_codebook_choose(
            &codebook, made ? STR("") : study->labels[asking->labels].dimension,
            &asking->dimension, &err);
    if (!ok && err.text[0] != '\0')
        complain(asking, "%s", err.text);
    if (ok && made)
        asking->labels = study_read_labels_made(
            reader, asking->labelling,
            asking->dimension != NULL && codebook.count > 1 ? asking->dimension->id
                                                            : STR(""));
    return ok;
}

/* Codes that raters proposed stand in labels.db alone: what the file does not have can
 * then be told only when the labelling has been made. */
static struct str find_code(const struct asking *asking)
{
    const struct study *study = asking->reader->study;
    const struct study_codebook_dimension *dimension = asking->dimension;
    struct err err = {0};
    size_t code;

    if (asking->rest.len == 0 || dimension == NULL)
        return asking->rest;
    if (!study_codebook_find(dimension, asking->rest, &code, &err)) {
        if (asking->labelling == STUDY_NONE ||
            !file_exists(file_join(study->home, "labels.db", asking->reader->arena)))
            complain(asking, "%s", err.text);
        return asking->rest;
    }
    int level = asking->classifier != STUDY_NONE
                    ? study->classifiers[asking->classifier].level
                    : 0;
    if (level > 0 && dimension->codes[code].level > level)
        complain(asking,
                 "the classifier predicts codes of level %d, and this one stands "
                 "below",
                 level);
    return dimension->codes[code].path;
}

struct condition_list {
    LIST(struct study_condition) all;
};

static void read_conditions(struct study_reader *reader, struct condition_list *list,
                            const struct yaml_node *at, const struct query_node *query)
{
    struct study *study = reader->study;
    size_t count = 0;
    const struct query_node **nodes =
        query != NULL ? query_labels(query, reader->arena, &count) : NULL;

    for (size_t i = 0; i < count; i++) {
        struct asking asking = {
            .reader = reader, .at = at, .node = nodes[i], .rest = nodes[i]->text};
        if (study_find_condition(study, nodes[i]) != NULL)
            continue;
        str_cut(&asking.rest, '/', &asking.step);
        struct study_condition found = {
            nodes[i]->field, nodes[i]->text, STUDY_NONE, {0}, at};
        if (find_step(&asking) && find_dimension(&asking)) {
            found.code = find_code(&asking);
            found.labels = asking.labels;
        }
        list_add(&list->all, found);
        study->conditions = list->all.at;
        study->condition_count = list->all.count;
    }
}

/* --- what rests on what --- */

enum kind { SET, SAMPLE, LABELLING, CLASSIFIER, TOPICS, PHRASES, EXTRACT, KINDS };

struct place {
    enum kind kind;
    size_t index;
};

struct circles {
    struct study_reader *reader;
    enum { NEW, OPEN, DONE } * walks[KINDS];
    LIST(struct place) way; /* each rests on the next */
};

static struct str name_of(const struct study *study, struct place place)
{
    return place.kind == SET          ? study->sets[place.index].name
           : place.kind == SAMPLE     ? study->samples[place.index].name
           : place.kind == LABELLING  ? study->labellings[place.index].name
           : place.kind == CLASSIFIER ? study->classifiers[place.index].name
           : place.kind == TOPICS     ? study->topics[place.index].name
           : place.kind == PHRASES    ? study->phrases[place.index].name
                                      : study->extracts[place.index].name;
}

static const struct yaml_node *node_of(const struct study *study, struct place place)
{
    return place.kind == SET          ? study->sets[place.index].node
           : place.kind == SAMPLE     ? study->samples[place.index].node
           : place.kind == LABELLING  ? study->labellings[place.index].node
           : place.kind == CLASSIFIER ? study->classifiers[place.index].node
           : place.kind == TOPICS     ? study->topics[place.index].node
           : place.kind == PHRASES    ? study->phrases[place.index].node
                                      : study->extracts[place.index].node;
}

/* The way from its place `from` on leads back there. Told of a set in it, if there is
 * one; sets alone have been complained of where one names the other. */
static void tell_circle(struct circles *circles, size_t from)
{
    static const char *const sections[] = {[SET] = "sets",
                                           [SAMPLE] = "samples",
                                           [LABELLING] = "labelling",
                                           [CLASSIFIER] = "classifiers",
                                           [TOPICS] = "topics",
                                           [PHRASES] = "phrases",
                                           [EXTRACT] = "extracts"};
    const struct study *study = circles->reader->study;
    size_t count = circles->way.count - from, sets = 0, first = 0;
    const struct place *way = circles->way.at + from;
    struct buf text = {0};

    for (size_t i = count; i-- > 0;)
        if (way[i].kind == SET) {
            sets++;
            first = i;
        }
    for (size_t i = 0; i <= count; i++) {
        struct place place = way[(first + i) % count];
        buf_add_format(&text, "%s%s.%.*s",
                       i == 0   ? ""
                       : i == 1 ? " needs "
                                : ", which needs ",
                       sections[place.kind], STR_ARG(name_of(study, place)));
    }
    if (sets < count)
        study_keys_complain(&circles->reader->problems, node_of(study, way[first]),
                            "it leads back to itself: %.*s", STR_ARG(buf_str(&text)));
    buf_free(&text);
}

static void walk(struct circles *circles, enum kind kind, size_t index);

static void walk_name(struct circles *circles, struct str name)
{
    size_t set = study_find_set(circles->reader->study, name);

    if (set != STUDY_NONE)
        walk(circles, SET, set);
    else
        walk(circles, SAMPLE, study_find_sample(circles->reader->study, name));
}

static void walk_names(struct circles *circles, const struct str *names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        walk_name(circles, names[i]);
}

static void walk_labels(struct circles *circles, size_t index)
{
    const struct study *study = circles->reader->study;

    if (index == STUDY_NONE)
        return;
    walk(circles, LABELLING, study->labels[index].labelling);
    walk(circles, CLASSIFIER, study->labels[index].classifier);
    walk(circles, TOPICS, study->labels[index].topics);
    walk(circles, PHRASES, study->labels[index].phrases);
    walk(circles, EXTRACT, study->labels[index].extract);
}

static void walk_query(struct circles *circles, const struct query_node *query)
{
    struct arena *arena = circles->reader->arena;
    size_t count;

    if (query == NULL)
        return;
    const struct query_node **nodes = query_labels(query, arena, &count);
    for (size_t i = 0; i < count; i++)
        walk_labels(circles,
                    study_find_condition(circles->reader->study, nodes[i])->labels);
    struct str *names = query_sets(query, arena, &count);
    walk_names(circles, names, count);
}

static void walk_group(struct circles *circles, size_t index)
{
    if (index == STUDY_NONE)
        return;
    const struct study_group *group = &circles->reader->study->groups[index];
    for (size_t i = 0; i < group->count && group->queries != NULL; i++)
        walk_query(circles, group->queries[i]);
    walk_name(circles, group->of);
    if (group->grouping == STUDY_GROUPING_SETS)
        walk_names(circles, group->names, group->count);
    if (group->grouping == STUDY_GROUPING_LABELS)
        walk_labels(circles, group->labels);
}

static void walk_on(struct circles *circles, struct place place)
{
    const struct study *study = circles->reader->study;
    const struct study_sample *sample = study->samples;
    const struct study_classifier *classifier = study->classifiers;

    switch (place.kind) {
    case SET:
        walk_query(circles, study->sets[place.index].query);
        break;
    case SAMPLE:
        sample += place.index;
        walk_name(circles, sample->of);
        walk(circles, SAMPLE, sample->keep);
        walk_group(circles, sample->by);
        break;
    case LABELLING:
        walk_names(circles, study->labellings[place.index].of,
                   study->labellings[place.index].of_count);
        break;
    case CLASSIFIER:
        classifier += place.index;
        walk_labels(circles, classifier->train);
        walk_names(circles, classifier->predict, classifier->predict_count);
        break;
    case PHRASES:
        walk_name(circles, study->phrases[place.index].of);
        walk_labels(circles, study->phrases[place.index].actions);
        walk_labels(circles, study->phrases[place.index].objects);
        break;
    case EXTRACT:
        walk_name(circles, study->extracts[place.index].of);
        break;
    default:
        walk_name(circles, study->topics[place.index].of);
    }
}

static void walk(struct circles *circles, enum kind kind, size_t index)
{
    struct place place = {kind, index};
    size_t from = 0;

    if (index == STUDY_NONE || circles->walks[kind][index] == DONE)
        return;
    if (circles->walks[kind][index] == OPEN) {
        while (circles->way.at[from].kind != kind || circles->way.at[from].index != index)
            from++;
        tell_circle(circles, from);
        return;
    }
    circles->walks[kind][index] = OPEN;
    list_add(&circles->way, place);
    walk_on(circles, place);
    circles->way.count--;
    circles->walks[kind][index] = DONE;
}

void study_read_conditions(struct study_reader *reader)
{
    struct study *study = reader->study;
    const size_t counts[KINDS] = {study->set_count,       study->sample_count,
                                  study->labelling_count, study->classifier_count,
                                  study->topics_count,    study->phrases_count,
                                  study->extract_count};
    struct circles circles = {.reader = reader};
    struct condition_list list = {0};

    for (size_t i = 0; i < study->set_count; i++)
        read_conditions(reader, &list, study->sets[i].node, study->sets[i].query);
    for (size_t i = 0; i < study->group_count; i++)
        for (size_t q = 0; q < study->groups[i].count && study->groups[i].queries; q++)
            read_conditions(reader, &list, study->groups[i].node,
                            study->groups[i].queries[q]);
    study->conditions = list_copy(&list.all, reader->arena);
    list_free(&list.all);
    for (int kind = 0; kind < KINDS; kind++)
        circles.walks[kind] =
            arena_alloc(reader->arena, counts[kind] + 1, sizeof *circles.walks[kind]);
    for (int kind = 0; kind < KINDS; kind++)
        for (size_t i = 0; i < counts[kind]; i++)
            walk(&circles, (enum kind)kind, i);
    list_free(&circles.way);
}
