/* Groups of the study file, and the labels that some of them are made of. */
#include <string.h>

#include "base/date.h"
#include "base/file.h"
#include "base/near.h"
#include "study/internal.h"

/* Five sentences, and the names of years, quarters and months. */
bool study_grouping_parse(struct str text, enum study_grouping *out, struct err *err)
{
    static const struct {
        struct str text;
        enum study_grouping grouping;
    } known[] = {
        {STR_INIT("created by year"), STUDY_GROUPING_YEAR},
        {STR_INIT("created by quarter"), STUDY_GROUPING_QUARTER},
        {STR_INIT("created by month"), STUDY_GROUPING_MONTH},
        {STR_INIT("source"), STUDY_GROUPING_SOURCE},
        {STR_INIT("tags"), STUDY_GROUPING_TAGS},
    };

    for (size_t i = 0; i < ROWS_OF(known); i++)
        if (str_eq(text, known[i].text)) {
            *out = known[i].grouping;
            return true;
        }
    if (str_eq(text, STR("tag")))
        return err_set(err, ERR_INPUT, "found 'tag'; did you mean 'tags'?");
    return err_set(
        err, ERR_INPUT,
        "found '%.*s', expected 'created by year', 'created by quarter', 'created "
        "by month', 'source', 'tags', or a section with first-of, all-of, sets, field, "
        "tags, labels, predicted, topics, phrases or extract",
        STR_ARG(text));
}

void study_grouping_period(enum study_grouping grouping, int64_t ms, struct buf *out)
{
    struct date date = date_to_civil(ms);

    buf_add_format(out, "%04d", date.year);
    if (grouping == STUDY_GROUPING_QUARTER)
        buf_add_format(out, "-Q%d", (date.month - 1) / 3 + 1);
    if (grouping == STUDY_GROUPING_MONTH)
        buf_add_format(out, "-%02d", date.month);
}

/* Labels that no step of the study makes, yet. */
static struct study_labels made_by_none(struct str name, const struct yaml_node *node)
{
    return (struct study_labels){.name = name,
                                 .labelling = STUDY_NONE,
                                 .classifier = STUDY_NONE,
                                 .topics = STUDY_NONE,
                                 .phrases = STUDY_NONE,
                                 .extract = STUDY_NONE,
                                 .node = node};
}

void study_read_labels(struct study_reader *reader)
{
    const struct yaml_node *labels = study_read_section(reader, "labels");
    const struct yaml_node *codebooks = study_read_section(reader, "codebooks");
    struct study *study = reader->study;

    reader->label_room = labels->count + 1;
    study->labels = arena_array(reader->arena, struct study_labels, reader->label_room);
    study->label_count = study->all_label_count = labels->count;
    for (size_t i = 0; i < labels->count; i++) {
        const struct yaml_node *node = &labels->items[i];
        const struct yaml_node *from = yaml_get(node, STR("from"));
        const struct yaml_node *codebook =
            yaml_get(codebooks, study_read_text(node, "codebook"));
        struct study_labels *one = &study->labels[i];
        struct str separator = study_read_text(node, "separator");
        *one = made_by_none(labels->keys[i].text, node);
        one->dimension = study_read_text(node, "dimension");
        one->item = study_read_text(node, "item");
        one->rater = study_read_text(node, "rater");
        one->code = study_read_text(node, "code");
        one->unit = study_read_text(node, "unit");
        one->separator = separator.len == 1 ? separator.ptr[0] : '\0';
        one->skip_unknown = study_read_is(node, "unknown", "skip");
        one->fields =
            study_read_texts(reader, yaml_get(node, STR("field")), &one->field_count);
        if (separator.len > 1)
            study_keys_complain(&reader->problems, yaml_get(node, STR("separator")),
                                "expected one character such as ; found '%.*s'",
                                STR_ARG(separator));
        if (from != NULL)
            one->from = study_read_path(reader, from, study_read_text(node, "from"));
        if (codebook != NULL)
            one->codebook = study_read_path(reader, codebook, codebook->text);
        if (one->item.len == 0)
            one->item = STR("item");
        if (one->code.len == 0)
            one->code = STR("code");
        if (node->type == YAML_MAPPING && (from != NULL) == (one->field_count > 0))
            study_keys_complain(&reader->problems, node,
                                "expected either `from` or `field`");
    }
}

const char *study_read_result(struct study_reader *reader, const char *section,
                              struct str name)
{
    struct str path =
        arena_format(reader->arena, "out/results/%s.%.*s.result", section, STR_ARG(name));

    return file_join(reader->study->home, path.ptr, reader->arena);
}

struct str study_read_part(struct study_reader *reader, struct str what,
                           struct str dimension)
{
    return arena_format(reader->arena, "%.*s%s%.*s", STR_ARG(what),
                        dimension.len > 0 ? "." : "", STR_ARG(dimension));
}

/* Labels that the study itself makes are read from what the step has given. */
static size_t add_made(struct study_reader *reader, struct study_labels made,
                       const char *section, struct str table)
{
    struct study *study = reader->study;
    size_t i = study->label_count;

    while (i < study->all_label_count &&
           (study->labels[i].labelling != made.labelling ||
            study->labels[i].classifier != made.classifier ||
            study->labels[i].topics != made.topics ||
            study->labels[i].phrases != made.phrases ||
            study->labels[i].extract != made.extract ||
            !str_eq(study->labels[i].dimension, made.dimension)))
        i++;
    if (i < study->all_label_count)
        return i;
    made.from = study_read_result(reader, section, made.name);
    /* A classifier knows one dimension alone. */
    made.table = study_read_part(
        reader, table, made.classifier == STUDY_NONE ? made.dimension : (struct str){0});
    if (study->all_label_count == reader->label_room) {
        struct study_labels *more =
            arena_array(reader->arena, struct study_labels, 2 * reader->label_room);
        memcpy(more, study->labels, study->all_label_count * sizeof *more);
        study->labels = more;
        reader->label_room *= 2;
    }
    study->labels[study->all_label_count++] = made;
    return i;
}

size_t study_read_labels_made(struct study_reader *reader, size_t index,
                              struct str dimension)
{
    const struct study_labelling *from = &reader->study->labellings[index];
    struct study_labels made = made_by_none(from->name, from->node);

    made.codebook = from->codebook;
    made.unit = from->units ? STR("unit") : STR("");
    made.dimension = dimension;
    made.labelling = index;
    return add_made(reader, made, "labelling", STR("final"));
}

size_t study_read_predicted(struct study_reader *reader, size_t index)
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
    return add_made(reader, made, "classifiers", STR("predicted"));
}

static size_t labels_of_topics(struct study_reader *reader, size_t index)
{
    const struct study_topics *from = &reader->study->topics[index];
    struct study_labels made = made_by_none(from->name, from->node);

    made.topics = index;
    return add_made(reader, made, "topics", STR("main"));
}

/* `part` says which of the two that a phrase has. */
static size_t labels_of_phrases(struct study_reader *reader, size_t index,
                                struct str part)
{
    const struct study_phrases *from = &reader->study->phrases[index];
    struct study_labels made = made_by_none(from->name, from->node);

    made.dimension = part;
    made.phrases = index;
    return add_made(reader, made, "phrases", STR("unified"));
}

static size_t labels_of_extract(struct study_reader *reader, size_t index)
{
    const struct study_extract *from = &reader->study->extracts[index];
    struct study_labels made = made_by_none(from->name, from->node);

    made.extract = index;
    return add_made(reader, made, "extracts", STR("items"));
}

size_t study_read_labels_of(struct study_reader *reader, const struct yaml_node *section,
                            const char *key)
{
    const struct study *study = reader->study;
    struct str name = study_read_text(section, key);
    const struct yaml_node *dimension = yaml_get(section, STR("dimension"));

    size_t found = STUDY_FIND(study->labels, study->label_count, name);

    if (found != STUDY_NONE && dimension != NULL)
        study_keys_complain(&reader->problems, dimension,
                            "`dimension` goes with a labelling; '%.*s' is one of "
                            "`labels`, where its dimension is said",
                            STR_ARG(name));
    if (found != STUDY_NONE)
        return found;
    found = STUDY_FIND(study->labellings, study->labelling_count, name);
    return found == STUDY_NONE
               ? found
               : study_read_labels_made(reader, found,
                                        study_read_text(section, "dimension"));
}

static void read_queries(struct study_reader *reader, const struct yaml_node *node,
                         struct study_group *group)
{
    group->count = node->count;
    group->names = arena_array(reader->arena, struct str, node->count + 1);
    group->queries = arena_array(reader->arena, struct query_node *, node->count + 1);
    for (size_t i = 0; i < node->count; i++) {
        struct str text = study_read_item(node, i);
        struct query_node *query;
        if (node->type == YAML_MAPPING) {
            group->names[i] = node->keys[i].text;
            query = study_read_query(reader, &node->items[i], text);
        } else { /* a list of tags */
            if (text.len > 0 && text.ptr[0] == '[')
                study_keys_complain(
                    &reader->problems, &node->items[i],
                    "a list names tags, without [ ]; for queries write `name: "
                    "query` lines");
            group->names[i] = text;
            query = arena_array(reader->arena, struct query_node, 1);
            *query = (struct query_node){.kind = QUERY_TAG,
                                         .field = QUERY_FIELD_TAG,
                                         .match = QUERY_EXACT,
                                         .text = text};
            query = study_read_synonyms_in(reader, query);
        }
        group->queries[i] = study_read_written(reader, &node->items[i], query);
    }
}

size_t study_find_classifier(const struct study *study, struct str name)
{
    size_t found = STUDY_FIND(study->classifiers, study->classifier_count, name);

    return found != STUDY_NONE && study->classifiers[found].train != STUDY_NONE
               ? found
               : STUDY_NONE;
}

/* What no source brings cannot part its items. */
static void check_field(struct study_reader *reader, const struct yaml_node *field)
{
    const struct query_own *own = &reader->own;

    if (field == NULL || field->type != YAML_SCALAR || field->text.len == 0 ||
        str_find(field->text, own->fields, own->field_count) < own->field_count)
        return;
    size_t near = near_find(field->text, own->fields, own->field_count);
    enum study_grouping plain;
    struct err ignored = {0};
    if (study_grouping_parse(field->text, &plain, &ignored))
        study_keys_complain(&reader->problems, field,
                            "no source has a field '%.*s'; did you mean `NAME: %.*s`?",
                            STR_ARG(field->text), STR_ARG(field->text));
    else if (near < own->field_count)
        study_keys_complain(&reader->problems, field,
                            "no source has a field '%.*s'; did you mean '%.*s'?",
                            STR_ARG(field->text), STR_ARG(own->fields[near]));
    else
        study_keys_complain(&reader->problems, field,
                            "no source has a field '%.*s'; see assay-source(7), and "
                            "`fields` of a source",
                            STR_ARG(field->text));
}

static void read_group(struct study_reader *reader, const struct yaml_node *node,
                       struct study_group *group)
{
    static const struct {
        const char *key;
        enum study_grouping grouping;
    } kinds[] = {
        {"first-of", STUDY_GROUPING_FIRST_OF}, {"all-of", STUDY_GROUPING_ALL_OF},
        {"sets", STUDY_GROUPING_SETS},         {"field", STUDY_GROUPING_FIELD},
        {"labels", STUDY_GROUPING_LABELS},     {"predicted", STUDY_GROUPING_LABELS},
        {"topics", STUDY_GROUPING_LABELS},     {"tags", STUDY_GROUPING_TAGS},
        {"phrases", STUDY_GROUPING_LABELS},    {"extract", STUDY_GROUPING_LABELS}};
    size_t given = 0;
    struct err checked = {0};

    if (node->type != YAML_MAPPING) {
        (void)!study_grouping_parse(node->text, &group->grouping, &checked);
        return;
    }
    for (size_t k = 0; k < ROWS_OF(kinds); k++) {
        const struct yaml_node *value = yaml_get(node, str_from(kinds[k].key));
        if (value == NULL)
            continue;
        given++;
        group->grouping = kinds[k].grouping;
        if (group->grouping == STUDY_GROUPING_FIRST_OF ||
            group->grouping == STUDY_GROUPING_ALL_OF)
            read_queries(reader, value, group);
        else if (group->grouping == STUDY_GROUPING_SETS)
            group->names = study_read_texts(reader, value, &group->count);
    }
    if (given != 1)
        study_keys_complain(
            &reader->problems, node,
            "expected exactly one of first-of, all-of, sets, field, tags, labels, "
            "predicted, topics, phrases and extract, found %zu",
            given);
    group->top = (int64_t)study_read_number(node, "tags", 0);
    group->of = study_read_text(node, "of");
    if (group->of.len > 0 && group->grouping != STUDY_GROUPING_TAGS)
        study_keys_complain(&reader->problems, yaml_get(node, STR("of")),
                            "`of` goes with `tags`: whose most frequent ones are meant");
    group->field = study_read_text(node, "field");
    for (size_t i = 0; i < reader->own.field_count; i++)
        group->list |= reader->own.types[i] == ITEM_LIST &&
                       str_eq(reader->own.fields[i], group->field);
    if (given == 1)
        check_field(reader, yaml_get(node, STR("field")));
    group->labels = study_read_labels_of(reader, node, "labels");
    const struct study *study = reader->study;
    size_t classifier = study_find_classifier(study, study_read_text(node, "predicted"));
    if (classifier != STUDY_NONE)
        group->labels = study_read_predicted(reader, classifier);
    size_t topics =
        STUDY_FIND(study->topics, study->topics_count, study_read_text(node, "topics"));
    if (topics != STUDY_NONE)
        group->labels = labels_of_topics(reader, topics);
    size_t extract = STUDY_FIND(study->extracts, study->extract_count,
                                study_read_text(node, "extract"));
    if (extract != STUDY_NONE)
        group->labels = labels_of_extract(reader, extract);
    size_t phrases = STUDY_FIND(study->phrases, study->phrases_count,
                                study_read_text(node, "phrases"));
    const struct yaml_node *part = yaml_get(node, STR("part"));
    if (phrases != STUDY_NONE)
        group->labels = labels_of_phrases(
            reader, phrases,
            study_read_is(node, "part", "object") ? STR("object") : STR("action"));
    else if (part != NULL && yaml_get(node, STR("phrases")) == NULL)
        study_keys_complain(&reader->problems, part, "`part` goes with `phrases`");
    group->level = (int)study_read_number(node, "level", 0);
    group->shown =
        study_read_pairs(reader, yaml_get(node, STR("names")), &group->shown_count);
    group->others = study_read_text(node, "others");
}

void study_read_groups(struct study_reader *reader)
{
    struct study *study = reader->study;

    study->groups =
        STUDY_READ_NAMED(reader, "groups", struct study_group, &study->group_count);
    for (size_t i = 0; i < study->group_count; i++) {
        study->groups[i].labels = STUDY_NONE;
        read_group(reader, study->groups[i].node, &study->groups[i]);
    }
}
