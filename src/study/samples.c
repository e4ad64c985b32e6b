/* Samples of the study file. */
#include "study/internal.h"

static void read_size(const struct yaml_node *node, struct sample_size_spec *size)
{
    struct err checked = {0};

    (void)!sample_size_parse(study_read_text(node, "size"), size, &checked);
    size->rule.share = study_read_number(node, "share", 0);
    size->rule.categories = (int)study_read_number(node, "categories", 0);
    size->rule.round = study_read_is(node, "round", "down")      ? SAMPLE_SIZE_DOWN
                       : study_read_is(node, "round", "nearest") ? SAMPLE_SIZE_NEAREST
                                                                 : SAMPLE_SIZE_UP;
}

/* Whether a group rests on labels that this study makes itself. */
static bool is_made_later(const struct study *study, const struct study_group *group)
{
    return group->grouping == STUDY_GROUPING_LABELS && group->labels != STUDY_NONE &&
           group->labels >= study->label_count;
}

static void read_sample(struct study_reader *reader, const struct yaml_node *node,
                        struct study_sample *sample)
{
    struct study *study = reader->study;
    int64_t seed = 0;

    sample->by = sample->keep = STUDY_NONE;
    if (node->type != YAML_MAPPING)
        return;
    sample->of = study_read_text(node, "of");
    read_size(node, &sample->size);
    str_to_int(study_read_text(node, "seed"), &seed);
    sample->seed = (uint64_t)seed;
    sample->systematic = study_read_is(node, "method", "systematic");
    sample->allocate = study_read_is(node, "allocate", "equal")  ? STUDY_EQUAL
                       : study_read_is(node, "allocate", "each") ? STUDY_EACH
                                                                 : STUDY_PROPORTIONAL;
    sample->by = study_find_group(study, study_read_text(node, "by"));
    sample->keep = study_find_sample(study, study_read_text(node, "keep"));
    if (sample->by != STUDY_NONE && is_made_later(study, &study->groups[sample->by]))
        study_keys_complain(
            &reader->problems, yaml_get(node, STR("by")),
            "a sample is drawn before anything is labelled, classified or "
            "modelled: '%.*s' cannot part it",
            STR_ARG(study->groups[sample->by].name));
    if (sample->size.kind == SAMPLE_SIZE_TOP && sample->systematic)
        study_keys_complain(
            &reader->problems, node,
            "'top ... by ...' takes the largest; it cannot be systematic");
    if (sample->keep != STUDY_NONE &&
        (sample->systematic || sample->size.kind == SAMPLE_SIZE_TOP ||
         sample->by != STUDY_NONE))
        study_keys_complain(
            &reader->problems, node,
            "`keep` enlarges a simple random sample; it goes with neither "
            "'systematic', 'top ...' nor `by`");
}

enum walk { WALK_NEW, WALK_OPEN, WALK_DONE };

static bool leads_back(const struct study *study, size_t sample, enum walk *walks);

static bool name_leads_back(const struct study *study, struct str name, enum walk *walks)
{
    return study_find_set(study, name) == STUDY_NONE &&
           leads_back(study, study_find_sample(study, name), walks);
}

/* Whether a sample rests, over others, on itself: on what it is drawn from, what it keeps
 * and what parts it. */
static bool leads_back(const struct study *study, size_t sample, enum walk *walks)
{
    if (sample == STUDY_NONE || walks[sample] == WALK_DONE)
        return false;
    if (walks[sample] == WALK_OPEN)
        return true;
    const struct study_sample *it = &study->samples[sample];
    const struct study_group *by = it->by != STUDY_NONE ? &study->groups[it->by] : NULL;
    walks[sample] = WALK_OPEN;
    bool back =
        name_leads_back(study, it->of, walks) || leads_back(study, it->keep, walks);
    for (size_t i = 0;
         by != NULL && by->grouping == STUDY_GROUPING_SETS && i < by->count && !back; i++)
        back = name_leads_back(study, by->names[i], walks);
    walks[sample] = WALK_DONE;
    return back;
}

void study_read_samples(struct study_reader *reader)
{
    const struct yaml_node *samples = study_read_section(reader, "samples");
    struct study *study = reader->study;

    study->samples =
        STUDY_READ_NAMED(reader, "samples", struct study_sample, &study->sample_count);
    for (size_t i = 0; i < samples->count; i++)
        if (study_find_set(study, samples->keys[i].text) != STUDY_NONE)
            study_keys_complain(&reader->problems, &samples->keys[i],
                                "'%.*s' is the name of a set as well",
                                STR_ARG(samples->keys[i].text));
    for (size_t i = 0; i < samples->count; i++)
        read_sample(reader, &samples->items[i], &study->samples[i]);
    enum walk *walks = arena_array(reader->arena, enum walk, samples->count + 1);
    for (size_t i = 0; i < samples->count; i++)
        if (leads_back(study, i, walks))
            study_keys_complain(&reader->problems, &samples->items[i],
                                "the sample leads back to itself");
}
