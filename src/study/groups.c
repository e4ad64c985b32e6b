/* Groups of the study file, and the labels that some of them are made of. */
#include "base/file.h"
#include "study/internal.h"

void reader_labels(struct reader *reader)
{
    const struct yaml_node *labels = reader_section(reader, "labels");
    const struct yaml_node *codebooks = reader_section(reader, "codebooks");
    struct study *study = reader->study;
    size_t uses = 3 * reader_section(reader, "groups")->count +
                  reader_section(reader, "classifiers")->count +
                  reader_section(reader, "tables")->count;

    study->labels =
        arena_array(reader->arena, struct study_labels, labels->count + uses + 1);
    study->label_count = study->all_label_count = labels->count;
    for (size_t i = 0; i < labels->count; i++) {
        const struct yaml_node *node = &labels->items[i];
        const struct yaml_node *from = yaml_get(node, STR("from"));
        const struct yaml_node *codebook =
            yaml_get(codebooks, reader_text(node, "codebook"));
        struct study_labels *one = &study->labels[i];
        struct str separator = reader_text(node, "separator");
        *one =
            (struct study_labels){.name = labels->keys[i].text,
                                  .dimension = reader_text(node, "dimension"),
                                  .item = reader_text(node, "item"),
                                  .rater = reader_text(node, "rater"),
                                  .code = reader_text(node, "code"),
                                  .separator = separator.len == 1 ? separator.ptr[0] : 0,
                                  .skip_unknown = reader_is(node, "unknown", "skip"),
                                  .labelling = STUDY_NONE,
                                  .classifier = STUDY_NONE,
                                  .topics = STUDY_NONE,
                                  .node = node};
        one->fields =
            reader_texts(reader, yaml_get(node, STR("field")), &one->field_count);
        if (separator.len > 1)
            keys_complain(&reader->problems, yaml_get(node, STR("separator")),
                          "expected one character such as ; found '%.*s'",
                          STR_ARG(separator));
        if (from != NULL)
            one->from = reader_path(reader, from, reader_text(node, "from"));
        if (codebook != NULL)
            one->codebook = reader_path(reader, codebook, codebook->text);
        if (one->item.len == 0)
            one->item = STR("item");
        if (one->code.len == 0)
            one->code = STR("code");
        if (node->type == YAML_MAPPING && (from != NULL) == (one->field_count > 0))
            keys_complain(&reader->problems, node, "expected either `from` or `field`");
    }
}

/* Labels that the study itself makes are read from what the step has written. */
static size_t add_made(struct reader *reader, struct study_labels made,
                       const char *folder, const char *file)
{
    struct study *study = reader->study;
    struct buf path = {0};
    size_t i = study->label_count;

    while (i < study->all_label_count &&
           (study->labels[i].labelling != made.labelling ||
            study->labels[i].classifier != made.classifier ||
            study->labels[i].topics != made.topics ||
            !str_eq(study->labels[i].dimension, made.dimension)))
        i++;
    if (i < study->all_label_count)
        return i;
    /* A classifier knows one dimension alone. */
    struct str part = made.classifier == STUDY_NONE ? made.dimension : (struct str){0};
    buf_add_format(&path, "out/%s/%.*s/%s%s%.*s.csv", folder, STR_ARG(made.name), file,
                   part.len > 0 ? "." : "", STR_ARG(part));
    made.from = file_join(study->home, arena_c_string(reader->arena, buf_str(&path)),
                          reader->arena);
    made.item = STR("id");
    made.code = STR("code");
    buf_free(&path);
    study->labels[study->all_label_count++] = made;
    return i;
}

static size_t labels_of_labelling(struct reader *reader, size_t index,
                                  struct str dimension)
{
    const struct study_labelling *from = &reader->study->labellings[index];

    return add_made(reader,
                    (struct study_labels){.name = from->name,
                                          .codebook = from->codebook,
                                          .dimension = dimension,
                                          .labelling = index,
                                          .classifier = STUDY_NONE,
                                          .topics = STUDY_NONE,
                                          .node = from->node},
                    "labelling", "final");
}

static size_t labels_of_classifier(struct reader *reader, size_t index)
{
    const struct study_classifier *from = &reader->study->classifiers[index];
    struct study_labels made = reader->study->labels[from->train];

    made.name = from->name;
    made.fields = NULL;
    made.field_count = 0;
    made.rater = (struct str){0};
    made.separator = '\0';
    made.labelling = STUDY_NONE;
    made.classifier = index;
    made.node = from->node;
    return add_made(reader, made, "classifiers", "predicted");
}

static size_t labels_of_topics(struct reader *reader, size_t index)
{
    const struct study_topics *from = &reader->study->topics[index];

    return add_made(reader,
                    (struct study_labels){.name = from->name,
                                          .labelling = STUDY_NONE,
                                          .classifier = STUDY_NONE,
                                          .topics = index,
                                          .node = from->node},
                    "topics", "main");
}

size_t reader_labels_of(struct reader *reader, const struct yaml_node *section,
                        const char *key)
{
    const struct study *study = reader->study;
    struct str name = reader_text(section, key);
    const struct yaml_node *dimension = yaml_get(section, STR("dimension"));

    for (size_t i = 0; i < study->label_count; i++)
        if (str_eq(study->labels[i].name, name)) {
            if (dimension != NULL)
                keys_complain(&reader->problems, dimension,
                              "`dimension` goes with a labelling; '%.*s' is one of "
                              "`labels`, where its dimension is said",
                              STR_ARG(name));
            return i;
        }
    for (size_t i = 0; i < study->labelling_count; i++)
        if (str_eq(study->labellings[i].name, name))
            return labels_of_labelling(reader, i, reader_text(section, "dimension"));
    return STUDY_NONE;
}

size_t study_find_group(const struct study *study, struct str name)
{
    for (size_t i = 0; i < study->group_count; i++)
        if (str_eq(study->groups[i].name, name))
            return i;
    return STUDY_NONE;
}

static void read_queries(struct reader *reader, const struct yaml_node *node,
                         struct study_group *group)
{
    group->count = node->count;
    group->names = arena_array(reader->arena, struct str, node->count + 1);
    group->queries = arena_array(reader->arena, struct query_node *, node->count + 1);
    for (size_t i = 0; i < node->count; i++) {
        struct str text = reader_item(node, i);
        struct query_node *query;
        if (node->type == YAML_MAPPING) {
            group->names[i] = node->keys[i].text;
            query = reader_query(reader, &node->items[i], text);
        } else { /* a list of tags */
            if (text.len > 0 && text.ptr[0] == '[')
                keys_complain(&reader->problems, &node->items[i],
                              "a list names tags, without [ ]; for queries write `name: "
                              "query` lines");
            group->names[i] = text;
            query = arena_array(reader->arena, struct query_node, 1);
            *query = (struct query_node){.kind = QUERY_TAG,
                                         .field = QUERY_FIELD_TAG,
                                         .match = QUERY_EXACT,
                                         .text = text};
        }
        group->queries[i] = reader_written(reader, &node->items[i], query);
    }
}

static size_t find_classifier(const struct study *study, struct str name)
{
    for (size_t i = 0; i < study->classifier_count; i++)
        if (str_eq(study->classifiers[i].name, name) &&
            study->classifiers[i].train != STUDY_NONE)
            return i;
    return STUDY_NONE;
}

static size_t find_topics(const struct study *study, struct str name)
{
    for (size_t i = 0; i < study->topics_count; i++)
        if (str_eq(study->topics[i].name, name))
            return i;
    return STUDY_NONE;
}

static void read_group(struct reader *reader, const struct yaml_node *node,
                       struct study_group *group)
{
    static const struct {
        const char *key;
        enum grouping grouping;
    } kinds[] = {{"first-of", GROUPING_FIRST_OF}, {"all-of", GROUPING_ALL_OF},
                 {"sets", GROUPING_SETS},         {"field", GROUPING_FIELD},
                 {"labels", GROUPING_LABELS},     {"predicted", GROUPING_LABELS},
                 {"topics", GROUPING_LABELS}};
    size_t given = 0;
    struct err checked = {0};

    if (node->type != YAML_MAPPING) {
        (void)!grouping_parse(node->text, &group->grouping, &checked);
        return;
    }
    for (size_t k = 0; k < ROWS_OF(kinds); k++) {
        const struct yaml_node *value = yaml_get(node, str_from(kinds[k].key));
        if (value == NULL)
            continue;
        given++;
        group->grouping = kinds[k].grouping;
        if (group->grouping <= GROUPING_ALL_OF)
            read_queries(reader, value, group);
        else if (group->grouping == GROUPING_SETS)
            group->names = reader_texts(reader, value, &group->count);
    }
    if (given != 1)
        keys_complain(&reader->problems, node,
                      "expected exactly one of first-of, all-of, sets, field, labels, "
                      "predicted and topics, found %zu",
                      given);
    group->field = reader_text(node, "field");
    group->labels = reader_labels_of(reader, node, "labels");
    size_t classifier = find_classifier(reader->study, reader_text(node, "predicted"));
    if (classifier != STUDY_NONE)
        group->labels = labels_of_classifier(reader, classifier);
    size_t topics = find_topics(reader->study, reader_text(node, "topics"));
    if (topics != STUDY_NONE)
        group->labels = labels_of_topics(reader, topics);
    group->level = (int)reader_number(node, "level", 0);
    group->shown =
        reader_pairs(reader, yaml_get(node, STR("names")), &group->shown_count);
    group->others = reader_text(node, "others");
}

void reader_groups(struct reader *reader)
{
    const struct yaml_node *groups = reader_section(reader, "groups");
    struct study *study = reader->study;

    study->groups = arena_array(reader->arena, struct study_group, groups->count + 1);
    study->group_count = groups->count;
    for (size_t i = 0; i < groups->count; i++) {
        study->groups[i].name = groups->keys[i].text;
        study->groups[i].node = &groups->items[i];
        study->groups[i].labels = STUDY_NONE;
        read_group(reader, &groups->items[i], &study->groups[i]);
    }
}
