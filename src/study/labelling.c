/* The section `labelling` of the study file. */

#include "study/internal.h"

static unsigned read_hide(struct study_reader *reader, const struct yaml_node *node)
{
    static const char *const words[] = {"answers", "comments", "tags", "score"};
    unsigned hide = 0;
    size_t count;
    struct str *texts = study_read_texts(reader, yaml_get(node, STR("hide")), &count);

    for (size_t i = 0; i < count; i++)
        for (unsigned w = 0; w < ROWS_OF(words); w++)
            if (str_eq(texts[i], str_from(words[w])))
                hide |= 1U << w;
    return hide;
}

static void read_checkpoints(struct study_reader *reader, const struct yaml_node *node,
                             struct study_labelling *one)
{
    const struct yaml_node *list = yaml_get(node, STR("checkpoints"));
    struct str *texts = study_read_texts(reader, list, &one->checkpoint_count);

    one->checkpoints = arena_array(reader->arena, double, one->checkpoint_count + 1);
    for (size_t i = 0; i < one->checkpoint_count; i++) {
        study_keys_number(texts[i], &one->checkpoints[i]);
        if (i > 0 && one->checkpoints[i] <= one->checkpoints[i - 1])
            study_keys_complain(&reader->problems, &list->items[i],
                                "checkpoints must ascend; '%.*s' comes after '%.*s'",
                                STR_ARG(texts[i]), STR_ARG(texts[i - 1]));
    }
}

static void read_images(struct study_reader *reader, const struct yaml_node *node,
                        struct study_labelling *one)
{
    const struct yaml_node *folder = yaml_get(node, STR("images"));

    if (folder != NULL && folder->type == YAML_SCALAR)
        one->images = study_read_path(reader, folder, folder->text);
}

static void read_codebook(struct study_reader *reader, const struct yaml_node *node,
                          struct study_labelling *one)
{
    const struct yaml_node *codebooks = study_read_section(reader, "codebooks");
    struct str name = study_read_text(node, "codebook");
    const struct yaml_node *codebook =
        yaml_get(codebooks, name.len > 0 ? name : one->name);

    if (codebook != NULL)
        one->codebook = study_read_path(reader, codebook, codebook->text);
    else if (name.len == 0) /* an unknown name has been complained of */
        study_keys_complain(
            &reader->problems, node,
            "expected `codebook`, or a codebook that is called '%.*s' as well",
            STR_ARG(one->name));
}

static void check_people(struct study_reader *reader, const struct yaml_node *node,
                         const struct study_labelling *one)
{
    const struct yaml_node *raters = yaml_get(node, STR("raters"));

    for (size_t i = 1; i < one->rater_count; i++)
        if (str_find(one->raters[i], one->raters, i) < i)
            study_keys_complain(&reader->problems, &raters->items[i],
                                "the rater '%.*s' is there twice",
                                STR_ARG(one->raters[i]));
    if ((size_t)one->raters_per_item > one->rater_count)
        study_keys_complain(&reader->problems, yaml_get(node, STR("raters-per-item")),
                            "found %lld, but there are %zu raters",
                            (long long)one->raters_per_item, one->rater_count);
}

void study_read_labellings(struct study_reader *reader)
{
    const struct yaml_node *section = study_read_section(reader, "labelling");
    struct study *study = reader->study;

    study->labellings =
        arena_array(reader->arena, struct study_labelling, section->count + 1);
    study->labelling_count = section->count;
    for (size_t i = 0; i < section->count; i++) {
        const struct yaml_node *node = &section->items[i];
        struct study_labelling *one = &study->labellings[i];
        *one = (struct study_labelling){
            .name = section->keys[i].text,
            .arbiter = study_read_text(node, "arbiter"),
            .lead = study_read_text(node, "lead"),
            .pilot = study_read_number(node, "pilot", 0),
            .raters_per_item = (int64_t)study_read_number(node, "raters-per-item", 0),
            .overlap = study_read_number(node, "overlap", 1),
            .retest = study_read_number(node, "retest", 0),
            .seed = (uint64_t)study_read_number(node, "seed", 0),
            .hide = read_hide(reader, node),
            .names_hidden = study_read_is(node, "names", "hidden"),
            .units = study_read_is(node, "units", "yes"),
            .leaves = study_read_is(node, "leaves", "yes"),
            .mathematics = study_read_text(node, "mathematics"),
            .spans = study_read_is(node, "spans", "yes")        ? STUDY_SPANS_YES
                     : study_read_is(node, "spans", "per code") ? STUDY_SPANS_PER_CODE
                                                                : STUDY_SPANS_NO,
            .node = node};
        if (node->type != YAML_MAPPING)
            continue;
        one->of = study_read_texts(reader, yaml_get(node, STR("sample")), &one->of_count);
        one->raters =
            study_read_texts(reader, yaml_get(node, STR("raters")), &one->rater_count);
        if (one->lead.len == 0)
            one->lead = one->arbiter.len > 0 ? one->arbiter : STR("lead");
        if (one->mathematics.len == 0)
            one->mathematics = STR("auto");
        read_images(reader, node, one);
        read_checkpoints(reader, node, one);
        read_codebook(reader, node, one);
        check_people(reader, node, one);
    }
}
