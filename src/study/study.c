/* From a document to the study's parts. study_keys_check() complains about keys, forms
 * and names; here is complained about what only several keys together tell. What has a
 * wrong form is passed over in silence, so that all errors come at once and each only
 * once. */
#include "study/study.h"

#include <string.h>

#include "base/file.h"
#include "study/internal.h"

/* What stands under a key, in the forms that the readers of sections ask for. Of what has
 * a wrong form nothing is given: study_keys_check() has complained. */
struct str study_read_text(const struct yaml_node *section, const char *key)
{
    const struct yaml_node *node = yaml_get(section, str_from(key));

    return node != NULL && node->type == YAML_SCALAR ? node->text : (struct str){0};
}

double study_read_number(const struct yaml_node *section, const char *key,
                         double fallback)
{
    study_keys_number(study_read_text(section, key), &fallback);
    return fallback;
}

bool study_read_is(const struct yaml_node *section, const char *key, const char *text)
{
    return str_eq(study_read_text(section, key), str_from(text));
}

struct str study_read_item(const struct yaml_node *list, size_t i)
{
    return list->items[i].type == YAML_SCALAR ? list->items[i].text : (struct str){0};
}

struct str *study_read_texts(struct study_reader *reader, const struct yaml_node *node,
                             size_t *count)
{
    *count = node == NULL                  ? 0
             : node->type == YAML_SEQUENCE ? node->count
                                           : node->type == YAML_SCALAR;
    struct str *texts = arena_array(reader->arena, struct str, *count + 1);

    for (size_t i = 0; i < *count; i++)
        texts[i] = node->type == YAML_SEQUENCE ? study_read_item(node, i) : node->text;
    return texts;
}

struct study_pair *study_read_pairs(struct study_reader *reader,
                                    const struct yaml_node *node, size_t *count)
{
    *count = node != NULL && node->type == YAML_MAPPING ? node->count : 0;
    struct study_pair *pairs = arena_array(reader->arena, struct study_pair, *count + 1);

    for (size_t i = 0; i < *count; i++)
        pairs[i] = (struct study_pair){node->keys[i].text, study_read_item(node, i)};
    return pairs;
}

const struct yaml_node *study_read_section(const struct study_reader *reader,
                                           const char *key)
{
    static const struct yaml_node none = {.type = YAML_MAPPING};
    const struct yaml_node *node = yaml_get(&reader->study->root, str_from(key));

    return node != NULL && node->type == YAML_MAPPING ? node : &none;
}

void *study_read_named(struct study_reader *reader, const char *key, size_t size,
                       size_t node, size_t *count)
{
    const struct yaml_node *section = study_read_section(reader, key);
    char *list = arena_alloc(reader->arena, section->count + 1, size);

    *count = section->count;
    for (size_t i = 0; i < section->count; i++) {
        *(struct str *)(void *)(list + i * size) = section->keys[i].text;
        *(const struct yaml_node **)(void *)(list + i * size + node) = &section->items[i];
    }
    return list;
}

size_t study_find(const void *list, size_t count, size_t size, struct str name)
{
    for (size_t i = 0; i < count; i++)
        if (str_eq(*(const struct str *)((const void *)((const char *)list + i * size)),
                   name))
            return i;
    return STUDY_NONE;
}

const char *study_read_path(struct study_reader *reader, const struct yaml_node *at,
                            struct str path)
{
    const char *name = arena_c_string(reader->arena, path);
    struct str prefix = STR("$data/");

    if (path.len == 0)
        return name;
    if (str_starts(path, prefix)) {
        if (reader->options->data != NULL)
            return file_join(reader->options->data, name + prefix.len, reader->arena);
        study_keys_complain(
            &reader->problems, at,
            "'%s' needs a folder for $data: give --data DIR, or set ASSAY_DATA", name);
        return name;
    }
    if (path.ptr[0] == '/' || str_eq(path, STR("-")) || reader->study->folder[0] == '\0')
        return name;
    return file_join(reader->study->folder, name, reader->arena);
}

bool study_read_report(struct study_reader *reader, struct buf *problems, struct err *err)
{
    size_t count = reader->problems.count;

    study_keys_report(&reader->problems, problems);
    return count == 0 || err_set(err, ERR_INPUT, "%s: %zu error%s; nothing was run",
                                 reader->problems.path, count, count == 1 ? "" : "s");
}

static const char *folder_of(const char *path, struct arena *arena)
{
    const char *slash = strrchr(path, '/');

    return slash == NULL
               ? ""
               : arena_c_string(
                     arena, (struct str){path, (size_t)(slash - path + (slash == path))});
}

static const char *home_of(const char *path, const char *folder, struct arena *arena)
{
    struct str name = str_last(str_from(path), '/');
    struct str stem =
        str_ends(name, STR(".yaml")) ? str_slice(name, 0, name.len - 5) : name;

    if (str_eq(name, STR("study.yaml")))
        return folder;
    /* Without an ending its own name would be that of the folder. */
    return file_join(
        folder, arena_c_string(arena, stem.len < name.len ? stem : STR("study")), arena);
}

/* A query such as `[a] or [b]` or `is: question` means something else to YAML, which does
 * not say so: how the line should be. */
static void add_quoting(struct buf *problems, struct str text, int number,
                        struct arena *arena)
{
    struct query_node *query;
    struct str value = {0}, key, inner, rest;
    struct buf meant = {0};
    struct err ignored = {0};

    for (int i = 0; i < number; i++)
        str_cut(&text, '\n', &value);
    bool pair = str_cut(&value, ':', &key);
    value = str_trim(value);
    if (!pair || value.len == 0 || strchr("'\"{|>&*", value.ptr[0]) != NULL)
        return;
    /* Nothing else in a query is taken for YAML. */
    if (memchr(value.ptr, '[', value.len) == NULL &&
        memchr(value.ptr, ':', value.len) == NULL)
        return;
    for (size_t i = 0; i < value.len; i++) {
        buf_add_char(&meant, value.ptr[i]);
        while (value.ptr[i] == ':' && i + 1 < value.len && value.ptr[i + 1] == ' ')
            i++; /* a field stands close to what it asks for */
    }
    bool ok = query_parse(buf_str(&meant), arena, &query, &ignored);
    value = ok ? buf_str(&meant) : value;
    rest = value;
    if (!ok && str_cut(&rest, ':', &inner) && study_keys_is_name(inner)) {
        buf_add_format(problems, "put keys of one line in braces:\n%.*s: {%.*s}\n",
                       STR_ARG(key), STR_ARG(value));
    } else if (ok || memchr(value.ptr, ':', value.len) != NULL) {
        buf_add_format(problems, "quote the %s:\n%.*s: '", ok ? "query" : "text",
                       STR_ARG(key));
        for (size_t i = 0; i < value.len; i++)
            buf_add(problems,
                    value.ptr[i] == '\'' ? STR("''") : str_slice(value, i, i + 1));
        buf_add(problems, STR("'\n"));
    }
    buf_free(&meant);
}

bool study_parse(struct str text, const char *path, const struct study_options *options,
                 struct arena *arena, struct study *out, struct buf *problems,
                 struct err *err)
{
    struct study_reader reader = {.study = out,
                                  .options = options,
                                  .arena = arena,
                                  .problems = {.path = path, .arena = arena}};

    *out = (struct study){.path = path, .folder = folder_of(path, arena)};
    out->home = home_of(path, out->folder, arena);
    if (!yaml_parse(text, path, arena, &out->root, err)) {
        buf_add_format(problems, "%s\n", err->text);
        add_quoting(problems, text, out->root.line, arena);
        return err_set(err, ERR_INPUT, "%s: 1 error; nothing was run", path);
    }
    study_keys_check(&out->root, arena, &reader.problems);
    reader.own = study_keys_own(&out->root, arena);
    out->name = study_read_text(&out->root, "study");
    out->title = study_read_text(&out->root, "title");
    out->authors = study_read_texts(&reader, yaml_get(&out->root, STR("authors")),
                                    &out->author_count);
    out->license = study_read_text(&out->root, "license");
    out->simulated = study_read_is(&out->root, "simulated", "yes");
    study_read_sources(&reader);
    study_read_synonyms(&reader);
    study_read_tagsets(&reader);
    study_read_sets(&reader);
    study_read_tagsets_among(&reader);
    study_read_labels(&reader);
    study_read_labellings(&reader);
    study_read_learning(&reader);
    study_read_groups(&reader);
    study_read_samples(&reader);
    study_read_conditions(&reader);
    study_read_tables(&reader);
    study_read_regressions(&reader);
    study_read_handbook(&reader);
    study_read_tests(&reader);
    study_read_figures(&reader);
    study_read_questions(&reader);
    study_read_expectations(&reader);
    study_read_check_sources(&reader);
    return study_read_report(&reader, problems, err);
}

bool study_load(const char *path, const struct study_options *options,
                struct arena *arena, struct study *out, struct buf *problems,
                struct err *err)
{
    bool here = strcmp(path, ".") == 0;
    const char *inside = here ? "study.yaml" : file_join(path, "study.yaml", arena);
    struct str text;

    if (file_is_folder(path) || file_exists(inside))
        path = inside;
    return file_read(path, arena, &text, err) &&
           study_parse(text, path, options, arena, out, problems, err) &&
           study_check_codebooks(out, options, arena, problems, err);
}

/* Files that the study file names and that are not there. */
/* The value of a section's key, or the section itself. */
static const struct yaml_node *value_of(const struct yaml_node *section, const char *key)
{
    const struct yaml_node *value = yaml_get(section, str_from(key));

    return value != NULL ? value : section;
}

static bool is_same(const char *path, const char *other)
{
    return other != NULL && str_eq(str_from(path), str_from(other));
}

struct absent_place {
    const struct yaml_node *at;
    const char *what, *expected;
};

/* A source is told by the element of a list of paths. */
static void find_source(const struct study *study, const char *path,
                        struct absent_place *place)
{
    for (size_t i = 0; i < study->source_count; i++) {
        const struct study_source *source = &study->sources[i];
        const struct yaml_node *section =
            source->name.len == 0
                ? yaml_get(&study->root, STR("source"))
                : yaml_get(yaml_get(&study->root, STR("sources")), source->name);
        const struct yaml_node *value = value_of(section, source->kind->key);
        for (size_t p = 0; p < source->path_count; p++)
            if (is_same(path, source->paths[p]))
                *place = (struct absent_place){
                    value->type == YAML_SEQUENCE ? &value->items[p] : value,
                    source->kind->path_is, source->kind->expected};
    }
}

/* Told by a key of the section, if the file is what that names. */
static void find_named(struct absent_place *place, const char *path, const char *named,
                       const struct yaml_node *section, const char *key,
                       const char *expected)
{
    if (!is_same(path, named))
        return;
    place->at = value_of(section, key);
    place->expected = expected;
}

bool study_tell_absent(const struct study *study, const char *path, struct err *err)
{
    struct absent_place place = {&study->root, "file", "a file"};

    find_source(study, path, &place);
    for (size_t i = 0; i < study->label_count; i++)
        find_named(&place, path, study->labels[i].from, study->labels[i].node, "from",
                   "a csv of labels, as in assay-labels(7)");
    for (size_t i = 0; i < study->sample_count; i++)
        find_named(&place, path, study->samples[i].list, study->samples[i].node, "list",
                   "a csv with a column that names items");
    for (size_t i = 0; i < study->classifier_count; i++) {
        const struct study_classifier *classifier = &study->classifiers[i];
        find_named(&place, path, classifier->keywords, classifier->node, "keywords",
                   "a csv with the columns class and word");
        find_named(&place, path, classifier->predictions, classifier->node, "predictions",
                   "a csv with the columns item, code and, if there is one, probability");
    }
    for (size_t i = 0; i < study->vectors_count; i++) {
        const struct study_vectors *vectors = &study->vectors[i];
        find_named(&place, path, vectors->file, vectors->node, "file",
                   "vectors of items as csv, json lines or .npy");
        find_named(&place, path, vectors->keys, vectors->node, "keys",
                   "the key of each row of the .npy, in a line of its own");
    }
    for (size_t i = 0; i < study->phrases_count; i++)
        find_named(&place, path, study->phrases[i].decisions, study->phrases[i].node,
                   "decisions",
                   "a csv with the columns when, who, level, from, with, item, into, "
                   "verdict and why");
    for (size_t i = 0; i < study->table_count; i++)
        find_named(&place, path, study->tables[i].from, study->tables[i].node, "from",
                   "a csv with a row of heads");
    return err_set(err, ERR_INPUT, "%s:%d:%d: there is no %s '%s'; expected %s",
                   study->path, place.at->line, place.at->column, place.what, path,
                   place.expected);
}
