/* From a document to the study's parts. keys_check() complains about keys, forms and
 * names; here is complained about what only several keys together tell. What has a wrong
 * form is passed over in silence, so that all errors come at once and each only once. */
#include "study/study.h"

#include <stdio.h>
#include <string.h>

#include "base/date.h"
#include "base/file.h"
#include "base/near.h"
#include "study/codebook.h"
#include "study/internal.h"

struct str reader_text(const struct yaml_node *section, const char *key)
{
    const struct yaml_node *node = yaml_get(section, str_from(key));

    return node != NULL && node->type == YAML_SCALAR ? node->text : (struct str){0};
}

double reader_number(const struct yaml_node *section, const char *key, double fallback)
{
    keys_number(reader_text(section, key), &fallback);
    return fallback;
}

bool reader_is(const struct yaml_node *section, const char *key, const char *text)
{
    return str_eq(reader_text(section, key), str_from(text));
}

struct str reader_item(const struct yaml_node *list, size_t i)
{
    return list->items[i].type == YAML_SCALAR ? list->items[i].text : (struct str){0};
}

/* One or several scalars under a key. */
struct str *reader_texts(struct reader *reader, const struct yaml_node *node,
                         size_t *count)
{
    *count = node == NULL                  ? 0
             : node->type == YAML_SEQUENCE ? node->count
                                           : node->type == YAML_SCALAR;
    struct str *texts = arena_array(reader->arena, struct str, *count + 1);

    for (size_t i = 0; i < *count; i++)
        texts[i] = node->type == YAML_SEQUENCE ? reader_item(node, i) : node->text;
    return texts;
}

struct study_pair *reader_pairs(struct reader *reader, const struct yaml_node *node,
                                size_t *count)
{
    *count = node != NULL && node->type == YAML_MAPPING ? node->count : 0;
    struct study_pair *pairs = arena_array(reader->arena, struct study_pair, *count + 1);

    for (size_t i = 0; i < *count; i++)
        pairs[i] = (struct study_pair){node->keys[i].text, reader_item(node, i)};
    return pairs;
}

/* The mapping of names under a top key; an empty one when it is not there. */
const struct yaml_node *reader_section(const struct reader *reader, const char *key)
{
    static const struct yaml_node none = {.type = YAML_MAPPING};
    const struct yaml_node *node = yaml_get(&reader->study->root, str_from(key));

    return node != NULL && node->type == YAML_MAPPING ? node : &none;
}

/* Paths are taken from the study's folder; $data/ stands for what the user says. */
const char *reader_path(struct reader *reader, const struct yaml_node *at,
                        struct str path)
{
    const char *name = arena_c_string(reader->arena, path);
    struct str prefix = STR("$data/");

    if (path.len == 0)
        return name;
    if (str_starts(path, prefix)) {
        if (reader->options->data != NULL)
            return file_join(reader->options->data, name + prefix.len, reader->arena);
        keys_complain(&reader->problems, at,
                      "'%s' needs a folder for $data: give --data DIR, or set ASSAY_DATA",
                      name);
        return name;
    }
    if (path.ptr[0] == '/' || str_eq(path, STR("-")) || reader->study->folder[0] == '\0')
        return name;
    return file_join(reader->study->folder, name, reader->arena);
}

/* Sources. */

static void read_paths(struct reader *reader, const struct yaml_node *node,
                       struct study_source *source)
{
    struct str *texts = reader_texts(reader, node, &source->path_count);

    source->paths = arena_array(reader->arena, const char *, source->path_count + 1);
    source->names = arena_array(reader->arena, const char *, source->path_count + 1);
    for (size_t i = 0; i < source->path_count; i++) {
        source->names[i] = arena_c_string(reader->arena, texts[i]);
        source->paths[i] = reader_path(reader, node, texts[i]);
    }
}

static void read_also(struct reader *reader, const struct yaml_node *node)
{
    struct study *study = reader->study;
    const struct {
        const char *name;
        bool *flag;
    } flags[] = {{"comments", &study->comments}, {"users", &study->users},
                 {"links", &study->links},       {"votes", &study->votes},
                 {"history", &study->history},   {"badges", &study->badges}};
    size_t count;
    struct str *texts = reader_texts(reader, node, &count);

    for (size_t i = 0; i < count; i++)
        for (size_t f = 0; f < ROWS_OF(flags); f++)
            if (str_eq(texts[i], str_from(flags[f].name)))
                *flags[f].flag = true;
}

static void read_site(struct reader *reader, const struct yaml_node *node,
                      struct study_source *source)
{
    struct str site = reader_text(node, "site");
    bool plain = true;

    for (size_t i = 0; i < site.len; i++)
        plain = plain && strchr("/: ", site.ptr[i]) == NULL;
    if (!plain)
        keys_complain(&reader->problems, yaml_get(node, STR("site")),
                      "found '%.*s', expected the name of a site such as "
                      "stackoverflow.com",
                      STR_ARG(site));
    source->site = site.len > 0 ? site : STR("stackoverflow.com");
}

static void read_source(struct reader *reader, struct str name,
                        const struct yaml_node *node)
{
    static const char *const kinds[] = {"stackexchange", "posts", "rows"};
    struct study_source *source = &reader->study->sources[reader->study->source_count];
    struct str until = reader_text(node, "until");
    size_t given = 0;

    if (node->type != YAML_MAPPING)
        return;
    reader->study->source_count++;

    *source = (struct study_source){.name = name, .until_ms = INT64_MAX};
    for (size_t kind = 0; kind < ROWS_OF(kinds); kind++) {
        const struct yaml_node *paths = yaml_get(node, str_from(kinds[kind]));
        if (paths == NULL)
            continue;
        given++;
        source->kind = (enum study_source_kind)kind;
        read_paths(reader, paths, source);
    }
    source->columns =
        reader_pairs(reader, yaml_get(node, STR("columns")), &source->column_count);
    source->fields =
        reader_pairs(reader, yaml_get(node, STR("fields")), &source->field_count);
    read_also(reader, yaml_get(node, STR("also")));
    if (given != 1)
        keys_complain(&reader->problems, node,
                      "expected exactly one of stackexchange, posts and rows, found %zu",
                      given);
    else if (source->kind == STUDY_DUMP && source->column_count + source->field_count > 0)
        keys_complain(
            &reader->problems, node,
            "a dump has no columns to choose from: `columns` and `fields` are for "
            "posts and rows");
    /* A day belongs to the corpus as a whole; a moment is meant exactly. */
    if (until.len > 0 && date_parse(until, &source->until_ms) && until.len <= 10)
        source->until_ms += DATE_DAY_MS;
    read_site(reader, node, source);
}

static void read_sources(struct reader *reader)
{
    const struct yaml_node *one = yaml_get(&reader->study->root, STR("source"));
    const struct yaml_node *several = reader_section(reader, "sources");

    reader->study->sources =
        arena_array(reader->arena, struct study_source, several->count + 1);
    if (one != NULL && several->count > 0)
        keys_complain(&reader->problems, one, "expected either 'source:' or 'sources:'");
    if (one != NULL)
        read_source(reader, (struct str){0}, one);
    else
        for (size_t i = 0; i < several->count; i++)
            read_source(reader, several->keys[i].text, &several->items[i]);
}

/* Sets. */

size_t study_find_set(const struct study *study, struct str name)
{
    for (size_t i = 0; i < study->set_count; i++)
        if (str_eq(study->sets[i].name, name))
            return i;
    return STUDY_NONE;
}

void reader_unknown_set(struct reader *reader, const struct yaml_node *at,
                        struct str name)
{
    struct study *study = reader->study;
    struct str *names = arena_array(reader->arena, struct str, study->set_count + 1);

    for (size_t i = 0; i < study->set_count; i++)
        names[i] = study->sets[i].name;
    size_t near = near_find(name, names, study->set_count);
    if (near < study->set_count)
        keys_complain(&reader->problems, at, "in:%.*s is not a set; did you mean '%.*s'?",
                      STR_ARG(name), STR_ARG(names[near]));
    else
        keys_complain(&reader->problems, at, "in:%.*s is not a set", STR_ARG(name));
}

/* Sets inside sets: each is written out once and then shared, for written anew in every
 * place a few lines could name more conditions than fit into memory. How many there would
 * be is counted and limited, since whoever walks the query meets them all. */
enum { WRITTEN_MAX = 100000 };
#define BEING_WRITTEN STUDY_NONE

static struct query_node *write_out(struct reader *reader, const struct yaml_node *at,
                                    const struct query_node *node, size_t *size);

/* False: the set is being written, so that it leads back to itself. */
static bool write_set(struct reader *reader, size_t index)
{
    struct study_set *set = &reader->study->sets[index];
    size_t size = 0;

    if (reader->written[index] == 0) {
        reader->written[index] = BEING_WRITTEN;
        set->written = write_out(reader, set->node, set->query, &size);
        reader->written[index] = size;
    }
    return reader->written[index] != BEING_WRITTEN;
}

/* The set's query in the place of in:NAME; everything, after a complaint. */
static struct query_node write_in(struct reader *reader, const struct yaml_node *at,
                                  struct str name, size_t *size)
{
    size_t other = study_find_set(reader->study, name);
    struct query_node copy = {.kind = QUERY_ALL};

    if (other == STUDY_NONE) {
        reader_unknown_set(reader, at, name);
    } else if (!write_set(reader, other)) {
        keys_complain(&reader->problems, at, "in:%.*s leads back to itself",
                      STR_ARG(name));
    } else if (*size <= WRITTEN_MAX) {
        *size += reader->written[other];
        copy = *reader->study->sets[other].written;
        copy.next = NULL;
        if (*size > WRITTEN_MAX)
            keys_complain(&reader->problems, at,
                          "in:%.*s: with all its sets written out the query has more "
                          "than %d conditions",
                          STR_ARG(name), WRITTEN_MAX);
    }
    return copy;
}

/* A copy of the query with every in:SET written out; *size counts its conditions. */
static struct query_node *write_out(struct reader *reader, const struct yaml_node *at,
                                    const struct query_node *node, size_t *size)
{
    struct query_node *copy = arena_array(reader->arena, struct query_node, 1);
    struct query_node **tail = &copy->first;

    ++*size;
    if (node == NULL) /* not readable, as has been said */
        return copy;
    if (node->kind == QUERY_SET) {
        *copy = write_in(reader, at, node->text, size);
        return copy;
    }
    *copy = *node;
    copy->next = NULL;
    copy->first = NULL;
    for (const struct query_node *child = node->first; child != NULL;
         child = child->next) {
        *tail = write_out(reader, at, child, size);
        tail = &(*tail)->next;
    }
    return copy;
}

struct query_node *reader_query(struct reader *reader, struct str text)
{
    struct query_node *query = NULL;
    struct err checked = {0};

    return query_parse(text, reader->arena, &query, &checked) ? query : NULL;
}

struct query_node *reader_written(struct reader *reader, const struct yaml_node *at,
                                  const struct query_node *query)
{
    return write_out(reader, at, query, &(size_t){0});
}

static void read_sets(struct reader *reader)
{
    const struct yaml_node *sets = reader_section(reader, "sets");
    struct study *study = reader->study;
    struct str take = reader_text(&study->root, "take");

    study->sets = arena_array(reader->arena, struct study_set, sets->count + 1);
    study->set_count = sets->count;
    for (size_t i = 0; i < sets->count; i++)
        study->sets[i] =
            (struct study_set){.name = sets->keys[i].text,
                               .text = reader_item(sets, i),
                               .query = reader_query(reader, reader_item(sets, i)),
                               .node = &sets->items[i]};
    reader->written = arena_array(reader->arena, size_t, sets->count + 1);
    for (size_t i = 0; i < sets->count; i++)
        (void)!write_set(reader, i);
    if (take.len > 0)
        study->take = reader_written(reader, yaml_get(&study->root, STR("take")),
                                     reader_query(reader, take));
}

/* Samples. */

size_t study_find_sample(const struct study *study, struct str name)
{
    for (size_t i = 0; i < study->sample_count; i++)
        if (str_eq(study->samples[i].name, name))
            return i;
    return STUDY_NONE;
}

static void read_size(const struct yaml_node *node, struct size_spec *size)
{
    struct err checked = {0};

    (void)!size_parse(reader_text(node, "size"), size, &checked);
    size->rule.share = reader_number(node, "share", 0);
    size->rule.categories = (int)reader_number(node, "categories", 0);
    size->rule.round = reader_is(node, "round", "down")      ? SIZE_DOWN
                       : reader_is(node, "round", "nearest") ? SIZE_NEAREST
                                                             : SIZE_UP;
}

/* Whether a group rests on labels that this study makes itself. */
static bool is_made_later(const struct study *study, const struct study_group *group)
{
    return group->grouping == GROUPING_LABELS && group->labels != STUDY_NONE &&
           group->labels >= study->label_count;
}

static void read_sample(struct reader *reader, const struct yaml_node *node,
                        struct study_sample *sample)
{
    struct study *study = reader->study;
    int64_t seed = 0;

    sample->by = sample->keep = STUDY_NONE;
    if (node->type != YAML_MAPPING)
        return;
    sample->of = reader_text(node, "of");
    read_size(node, &sample->size);
    str_to_int(reader_text(node, "seed"), &seed);
    sample->seed = (uint64_t)seed;
    sample->systematic = reader_is(node, "method", "systematic");
    sample->allocate = reader_is(node, "allocate", "equal")  ? STUDY_EQUAL
                       : reader_is(node, "allocate", "each") ? STUDY_EACH
                                                             : STUDY_PROPORTIONAL;
    sample->by = study_find_group(study, reader_text(node, "by"));
    sample->keep = study_find_sample(study, reader_text(node, "keep"));
    if (sample->by != STUDY_NONE && is_made_later(study, &study->groups[sample->by]))
        keys_complain(&reader->problems, yaml_get(node, STR("by")),
                      "a sample is drawn before anything is labelled, classified or "
                      "modelled: '%.*s' cannot part it",
                      STR_ARG(study->groups[sample->by].name));
    if (sample->size.kind == SIZE_TOP && sample->systematic)
        keys_complain(&reader->problems, node,
                      "'top ... by ...' takes the largest; it cannot be systematic");
    if (sample->keep != STUDY_NONE &&
        (sample->systematic || sample->size.kind == SIZE_TOP || sample->by != STUDY_NONE))
        keys_complain(&reader->problems, node,
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
         by != NULL && by->grouping == GROUPING_SETS && i < by->count && !back; i++)
        back = name_leads_back(study, by->names[i], walks);
    walks[sample] = WALK_DONE;
    return back;
}

static void read_samples(struct reader *reader)
{
    const struct yaml_node *samples = reader_section(reader, "samples");
    struct study *study = reader->study;

    study->samples = arena_array(reader->arena, struct study_sample, samples->count + 1);
    study->sample_count = samples->count;
    for (size_t i = 0; i < samples->count; i++) {
        study->samples[i].name = samples->keys[i].text;
        study->samples[i].node = &samples->items[i];
        if (study_find_set(study, samples->keys[i].text) != STUDY_NONE)
            keys_complain(&reader->problems, &samples->keys[i],
                          "'%.*s' is the name of a set as well",
                          STR_ARG(samples->keys[i].text));
    }
    for (size_t i = 0; i < samples->count; i++)
        read_sample(reader, &samples->items[i], &study->samples[i]);
    enum walk *walks = arena_array(reader->arena, enum walk, samples->count + 1);
    for (size_t i = 0; i < samples->count; i++)
        if (leads_back(study, i, walks))
            keys_complain(&reader->problems, &samples->items[i],
                          "the sample leads back to itself");
}

/* Without a source there are only tables that others made. */
static void check_sources(struct reader *reader)
{
    const struct study *study = reader->study;
    bool needed = study->set_count + study->sample_count + study->label_count > 0;

    for (size_t i = 0; i < study->table_count; i++)
        needed = needed || study->tables[i].from == NULL;
    if (needed && yaml_get(&study->root, STR("source")) == NULL &&
        yaml_get(&study->root, STR("sources")) == NULL)
        keys_complain(&reader->problems, &study->root,
                      "expected 'source:' or 'sources:': where the posts come from");
}

/* The whole. */

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
    const char *slash = strrchr(path, '/');
    struct str name = str_from(slash != NULL ? slash + 1 : path);
    struct str stem =
        str_ends(name, STR(".yaml")) ? str_slice(name, 0, name.len - 5) : name;

    if (str_eq(name, STR("study.yaml")))
        return folder;
    /* Without an ending its own name would be that of the folder. */
    return file_join(
        folder, arena_c_string(arena, stem.len < name.len ? stem : STR("study")), arena);
}

bool study_parse(struct str text, const char *path, const struct study_options *options,
                 struct arena *arena, struct study *out, struct buf *problems,
                 struct err *err)
{
    struct reader reader = {.study = out,
                            .options = options,
                            .arena = arena,
                            .problems = {.path = path, .arena = arena}};

    *out = (struct study){.path = path, .folder = folder_of(path, arena)};
    out->home = home_of(path, out->folder, arena);
    if (!yaml_parse(text, path, arena, &out->root, err)) {
        buf_add_format(problems, "%s\n", err->text);
        return err_set(err, ERR_INPUT, "%s: 1 error; nothing was run", path);
    }
    keys_check(&out->root, arena, &reader.problems);
    out->name = reader_text(&out->root, "study");
    out->title = reader_text(&out->root, "title");
    read_sources(&reader);
    read_sets(&reader);
    reader_labels(&reader);
    reader_labellings(&reader);
    reader_learning(&reader);
    reader_groups(&reader);
    read_samples(&reader);
    reader_tables(&reader);
    reader_tests(&reader);
    reader_figures(&reader);
    reader_expectations(&reader);
    check_sources(&reader);
    keys_report(&reader.problems, problems);
    size_t count = reader.problems.count;
    return count == 0 || err_set(err, ERR_INPUT, "%s: %zu error%s; nothing was run", path,
                                 count, count == 1 ? "" : "s");
}

/* A labelling with several dimensions must be asked for one of them, and one with a
 * single dimension for none. */
static void check_dimension(struct reader *reader, size_t labelling,
                            const struct yaml_node *node)
{
    const struct study_labelling *task = &reader->study->labellings[labelling];
    struct str given = reader_text(node, "dimension");
    struct codebook codebook;
    struct buf ignored = {0}, known = {0};
    struct err err = {0};
    bool found = false;

    if (task->codebook == NULL ||
        !codebook_load(task->codebook, reader->arena, &codebook, &ignored, &err)) {
        buf_free(&ignored); /* as has been said */
        return;
    }
    for (size_t d = 0; d < codebook.count; d++) {
        found = found || str_eq(codebook.dimensions[d].id, given);
        buf_add_format(&known, "%s%.*s", d > 0 ? ", " : "",
                       STR_ARG(codebook.dimensions[d].id));
    }
    if (codebook.count == 1 && given.len > 0)
        keys_complain(&reader->problems, yaml_get(node, STR("dimension")),
                      "the codebook of '%.*s' has one dimension: leave `dimension` out",
                      STR_ARG(task->name));
    else if (codebook.count > 1 && !found)
        keys_complain(&reader->problems, node,
                      "the codebook of '%.*s' has several dimensions: expected "
                      "`dimension`, one of %.*s; found '%.*s'",
                      STR_ARG(task->name), STR_ARG(buf_str(&known)), STR_ARG(given));
    buf_free(&known);
}

static void check_dimensions(struct reader *reader)
{
    const struct study *study = reader->study;

    for (size_t i = 0; i < study->group_count; i++) {
        const struct study_group *group = &study->groups[i];
        if (group->grouping == GROUPING_LABELS && group->labels != STUDY_NONE &&
            study->labels[group->labels].labelling != STUDY_NONE)
            check_dimension(reader, study->labels[group->labels].labelling, group->node);
    }
    for (size_t i = 0; i < study->classifier_count; i++) {
        size_t train = study->classifiers[i].train;
        if (train != STUDY_NONE && study->labels[train].labelling != STUDY_NONE)
            check_dimension(reader, study->labels[train].labelling,
                            study->classifiers[i].node);
    }
    for (size_t i = 0; i < study->table_count; i++)
        if (study_shows_dimension(&study->tables[i]))
            check_dimension(reader, study->tables[i].made_by, study->tables[i].node);
}

/* Codebooks are part of the study: what is wrong with them is told before anything runs.
 */
static bool check_codebooks(const struct study *study,
                            const struct study_options *options, struct arena *arena,
                            struct buf *problems, struct err *err)
{
    const struct yaml_node *codebooks = yaml_get(&study->root, STR("codebooks"));
    bool ok = true;

    struct study found = *study;
    struct reader reader = {.study = &found,
                            .options = options,
                            .arena = arena,
                            .problems = {.path = study->path, .arena = arena}};
    for (size_t i = 0; codebooks != NULL && i < codebooks->count; i++) {
        struct codebook codebook;
        const char *path =
            reader_path(&reader, &codebooks->items[i], codebooks->items[i].text);
        ok = codebook_load(path, arena, &codebook, problems, err) && ok;
    }
    if (!ok)
        return false;
    check_dimensions(&reader);
    keys_report(&reader.problems, problems);
    size_t count = reader.problems.count;
    return count == 0 || err_set(err, ERR_INPUT, "%s: %zu error%s; nothing was run",
                                 study->path, count, count == 1 ? "" : "s");
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
           check_codebooks(out, options, arena, problems, err);
}

int64_t study_end_ms(const struct study *study)
{
    int64_t end = INT64_MIN;

    for (size_t i = 0; i < study->source_count; i++)
        if (study->sources[i].until_ms > end)
            end = study->sources[i].until_ms;
    return end;
}
