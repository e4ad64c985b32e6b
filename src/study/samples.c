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

/* A sample is drawn, by size and seed, or named. */
static void read_list(struct study_reader *reader, const struct yaml_node *node,
                      struct study_sample *sample)
{
    static const char *const drawn[] = {"size",  "seed",   "share",
                                        "round", "method", "allocate",
                                        "by",    "keep",   "categories"};
    static const char *const needed[] = {"size", "seed"};
    const struct yaml_node *list = yaml_get(node, STR("list"));
    /* Where all or the largest are taken there is nothing that chance decides. */
    bool sized = yaml_get(node, STR("size")) != NULL;
    bool top = str_starts(study_read_text(node, "size"), STR("top "));
    size_t needs = list != NULL                                        ? 0
                   : top || (sized && !study_sample_is_random(sample)) ? 1
                                                                       : ROWS_OF(needed);

    for (size_t i = 0; i < needs; i++)
        if (yaml_get(node, str_from(needed[i])) == NULL)
            study_keys_complain(
                &reader->problems, node,
                "the key '%s' is missing: a sample is drawn by `size` and "
                "`seed`, or named by `list`",
                needed[i]);
    if (list == NULL) {
        const struct yaml_node *item = yaml_get(node, STR("item"));
        if (item != NULL)
            study_keys_complain(&reader->problems, item,
                                "`item` is a column of `list`, and there is no `list`");
        return;
    }
    for (size_t i = 0; i < ROWS_OF(drawn); i++) {
        const struct yaml_node *other = yaml_get(node, str_from(drawn[i]));
        if (other != NULL)
            study_keys_complain(&reader->problems, other,
                                "`%s` says how a sample is drawn; one with `list` is "
                                "named, and not drawn",
                                drawn[i]);
    }
    sample->list = study_read_path(reader, list, list->text);
    sample->list_item = study_read_text(node, "item");
    if (sample->list_item.len == 0)
        sample->list_item = STR("item");
    sample->size.kind = SAMPLE_SIZE_LIST;
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
    read_list(reader, node, sample);
    str_to_int(study_read_text(node, "seed"), &seed);
    sample->seed = (uint64_t)seed;
    sample->systematic = study_read_is(node, "method", "systematic");
    sample->allocate = study_read_is(node, "allocate", "equal")  ? STUDY_EQUAL
                       : study_read_is(node, "allocate", "each") ? STUDY_EACH
                                                                 : STUDY_PROPORTIONAL;
    sample->by = study_find_group(study, study_read_text(node, "by"));
    sample->keep = study_find_sample(study, study_read_text(node, "keep"));
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
}
