/* The study file keeps its comments: only the scalars that name people, or files that lie
 * elsewhere, are written anew where they stand. */
#include "package/stage.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/list.h"
#include "base/map.h"
#include "package/people.h"
#include "run/ledger.h"
#include "store/corpus.h"

/* A scalar of the study file, and what stands there in the package. */
struct stage_edit {
    size_t at, len;
    struct str text;
};

struct staging {
    const struct study *study;
    const struct package_people *people;
    struct arena *arena;
    struct str text; /* of the study file */
    LIST(struct stage_edit) edits;
    LIST(struct package_file) files;
    LIST(struct str) outside;
    struct map names; /* in the package: from what a file is called to its path */
};

/* Scalars. */

static size_t offset_of(struct str text, int line, int column)
{
    size_t at = 0;

    for (int l = 1; l < line && at < text.len; at++)
        l += text.ptr[at] == '\n';
    for (int c = 1; c < column && at < text.len; c++)
        for (at++; at < text.len && ((unsigned char)text.ptr[at] & 0xC0) == 0x80;)
            at++;
    return at;
}

/* Where a scalar ends that begins with a quote. */
static size_t end_of_quoted(struct str text, size_t at)
{
    char quote = text.ptr[at];

    for (at++; at < text.len; at++) {
        bool last = at + 1 == text.len;
        if (quote == '"' && text.ptr[at] == '\\')
            at++;
        else if (text.ptr[at] == quote &&
                 (quote == '"' || last || text.ptr[at + 1] != quote))
            return at + 1;
        else if (text.ptr[at] == quote)
            at++;
    }
    return at;
}

static bool is_plain(struct str text)
{
    for (size_t i = 0; i < text.len; i++)
        if (strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                   "_./-$",
                   text.ptr[i]) == NULL)
            return false;
    return text.len > 0;
}

static struct str as_scalar(struct str text, struct arena *arena)
{
    struct buf out = {0};

    if (is_plain(text))
        return text;
    buf_add_char(&out, '\'');
    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] == '\'')
            buf_add_char(&out, '\'');
        buf_add_char(&out, text.ptr[i]);
    }
    buf_add_char(&out, '\'');
    return buf_keep(&out, arena);
}

static void edit(struct staging *staging, const struct yaml_node *node, struct str text)
{
    size_t at = offset_of(staging->text, node->line, node->column), end;
    const char *bytes = staging->text.ptr;

    if (str_eq(node->text, text))
        return;
    /* The place of what is quoted is that of the quote or of what follows it. */
    if (at > 0 && (bytes[at - 1] == '\'' || bytes[at - 1] == '"') &&
        bytes[at] != bytes[at - 1])
        at--;
    end = bytes[at] == '\'' || bytes[at] == '"' ? end_of_quoted(staging->text, at)
                                                : at + node->text.len;
    list_add(&staging->edits,
             ((struct stage_edit){at, end - at, as_scalar(text, staging->arena)}));
}

static int by_offset(const void *a, const void *b)
{
    const struct stage_edit *one = a, *two = b;

    return one->at < two->at ? -1 : one->at > two->at;
}

static struct str edited(struct staging *staging)
{
    struct buf out = {0};
    size_t at = 0;

    if (staging->edits.count > 0)
        qsort(staging->edits.at, staging->edits.count, sizeof *staging->edits.at,
              by_offset);
    for (size_t i = 0; i < staging->edits.count; i++) {
        const struct stage_edit *one = &staging->edits.at[i];
        buf_add(&out, str_slice(staging->text, at, one->at));
        buf_add(&out, one->text);
        at = one->at + one->len;
    }
    buf_add(&out, str_slice(staging->text, at, staging->text.len));
    return buf_keep(&out, staging->arena);
}

/* People. */

/* The list as others see it: in the order of the new names. */
static void edit_raters(struct staging *staging, const struct yaml_node *node,
                        const struct str *raters, size_t count)
{
    struct str *called = package_call_all(staging->people, raters, count, staging->arena);

    if (node != NULL && node->type == YAML_SCALAR && count == 1)
        edit(staging, node, called[0]);
    size_t person = 0; /* models are among them */
    for (size_t i = 0; node != NULL && node->type == YAML_SEQUENCE && i < node->count;
         i++)
        if (node->items[i].type == YAML_SCALAR)
            edit(staging, &node->items[i], called[person++]);
}

static void edit_people(struct staging *staging)
{
    static const char *const keys[] = {"arbiter", "lead"};

    for (size_t i = 0; i < staging->study->labelling_count; i++) {
        const struct study_labelling *task = &staging->study->labellings[i];
        edit_raters(staging, yaml_get(task->node, STR("raters")), task->raters,
                    task->rater_count);
        for (size_t k = 0; k < ROWS_OF(keys); k++) {
            const struct yaml_node *node = yaml_get(task->node, str_from(keys[k]));
            if (node != NULL)
                edit(staging, node, package_called(staging->people, node->text));
        }
    }
    for (size_t i = 0; i < staging->study->phrases_count; i++) {
        const struct study_phrases *phrases = &staging->study->phrases[i];
        const struct yaml_node *node = yaml_get(phrases->node, STR("arbiter"));
        edit_raters(staging, yaml_get(phrases->node, STR("unifiers")), phrases->unifiers,
                    phrases->unifier_count);
        if (node != NULL)
            edit(staging, node, package_called(staging->people, node->text));
    }
}

/* Paths. */

static struct str last_part(struct str path)
{
    while (path.len > 1 && path.ptr[path.len - 1] == '/')
        path.len--;
    return str_last(path, '/');
}

/* Whether a path of the study file stays in the study's folder; then without "./". */
static bool lies_inside(struct str path, struct str *name)
{
    struct str rest, part;

    while (str_starts(path, STR("./")))
        path = str_slice(path, 2, path.len);
    *name = rest = path;
    if (path.len == 0 || path.ptr[0] == '/')
        return false;
    for (bool more = true; more;) {
        more = str_cut(&rest, '/', &part);
        if (str_eq(part, STR("..")))
            return false;
    }
    return true;
}

static bool is_data(struct str path)
{
    return str_starts(path, STR("$data/"));
}

static const char *place_of(const struct staging *staging, struct str path)
{
    const char *name = arena_c_string(staging->arena, path);

    return path.len > 0 && path.ptr[0] == '/'
               ? name
               : file_join(staging->study->folder, name, staging->arena);
}

/* A name that no other file has. */
static struct str free_name(struct staging *staging, const char *folder, struct str path)
{
    struct str base = last_part(path), name;

    for (int i = 1;; i++) {
        name = i == 1
                   ? arena_format(staging->arena, "%s/%.*s", folder, STR_ARG(base))
                   : arena_format(staging->arena, "%s/%d-%.*s", folder, i, STR_ARG(base));
        for (size_t f = 0;; f++)
            if (f == staging->files.count)
                return name;
            else if (str_eq(staging->files.at[f].name, name))
                break;
    }
}

static void add_outside(struct staging *staging, struct str path)
{
    for (size_t i = 0; i < staging->outside.count; i++)
        if (str_eq(staging->outside.at[i], path))
            return;
    list_add(&staging->outside, path);
}

/* What others may read of a file. */
enum stage_reader { AS_IT_IS, LABELS, DECISIONS, TAGS };

static bool read_file(struct staging *staging, const char *path, enum stage_reader reader,
                      const struct package_columns *columns, struct str *text,
                      struct err *err)
{
    if (!file_read(path, staging->arena, text, err))
        return false;
    if (reader == LABELS)
        return package_rename_raters(*text, path, columns, staging->people,
                                     staging->arena, text, err);
    for (size_t i = 0; reader == TAGS && i < staging->study->tagset_count; i++) {
        const struct study_tagset *tagset = &staging->study->tagsets[i];
        if (tagset->decisions != NULL && strcmp(tagset->decisions, path) == 0)
            *text = package_tag_decisions(tagset, staging->people, staging->arena);
    }
    return reader == AS_IT_IS || reader == TAGS ||
           package_rename_deciders(*text, path, staging->people, staging->arena, text,
                                   err);
}

/* A file that the study names: what it is called in the package. `columns` are those of a
 * file of labels. What lies in $data stays there. */
static bool add_file(struct staging *staging, const struct yaml_node *node,
                     enum stage_reader reader, const struct package_columns *columns,
                     struct err *err)
{
    struct str name, text;
    int64_t *known;

    if (is_data(node->text)) {
        add_outside(staging, node->text);
        return true;
    }
    known = map_put(&staging->names, node->text);
    if (*known > 0) {
        edit(staging, node, staging->files.at[*known - 1].name);
        return true;
    }
    const char *path = place_of(staging, node->text);
    if (!read_file(staging, path, reader, columns, &text, err))
        return false;
    if (!lies_inside(node->text, &name)) {
        name = free_name(staging, "inputs", node->text);
        edit(staging, node, name);
    }
    list_add(&staging->files, ((struct package_file){name, text}));
    *known = (int64_t)staging->files.count;
    return true;
}

static bool add_named(struct staging *staging, const struct yaml_node *node,
                      const struct package_columns *columns, struct err *err)
{
    return add_file(staging, node, columns != NULL ? LABELS : AS_IT_IS, columns, err);
}

static bool add_codebooks(struct staging *staging, struct err *err)
{
    const struct yaml_node *root = &staging->study->root;
    const struct yaml_node *books = yaml_get(root, STR("codebooks"));
    const struct yaml_node *synonyms = yaml_get(root, STR("synonyms"));

    for (size_t i = 0; books != NULL && i < books->count; i++)
        if (!add_named(staging, &books->items[i], NULL, err))
            return false;
    return synonyms == NULL || add_named(staging, synonyms, NULL, err);
}

/* The columns of the file that any labels of the study are read from. */
static struct package_columns columns_of(const struct staging *staging, const char *path)
{
    enum { OTHERS = 4 }; /* of one */
    const struct study *study = staging->study;
    struct package_columns columns = {
        .raters = arena_array(staging->arena, struct str, study->label_count + 1),
        .others =
            arena_array(staging->arena, struct str, OTHERS * study->label_count + 1)};

    for (size_t i = 0; i < study->label_count; i++) {
        const struct study_labels *labels = &study->labels[i];
        if (labels->from == NULL || strcmp(labels->from, path) != 0)
            continue;
        if (labels->rater.len > 0)
            columns.raters[columns.rater_count++] = labels->rater;
        columns.others[columns.other_count++] = labels->item;
        columns.others[columns.other_count++] = labels->code;
        if (labels->unit.len > 0) {
            columns.others[columns.other_count++] = labels->unit;
            columns.others[columns.other_count++] = STR("place");
        }
    }
    return columns;
}

static bool add_tables(struct staging *staging, struct err *err)
{
    const struct study *study = staging->study;

    for (size_t i = 0; i < study->sample_count; i++) {
        const struct yaml_node *list = yaml_get(study->samples[i].node, STR("list"));
        if (list != NULL && !add_named(staging, list, NULL, err))
            return false;
    }
    for (size_t i = 0; i < study->vectors_count; i++) {
        static const char *const files[] = {"file", "keys"};
        bool there = study->vectors[i].embed == NULL || /* else they may still be made */
                     file_exists(study->vectors[i].file);
        for (size_t f = 0; f < ROWS_OF(files) && there; f++) {
            const struct yaml_node *named =
                yaml_get(study->vectors[i].node, str_from(files[f]));
            if (named != NULL && !add_named(staging, named, NULL, err))
                return false;
        }
    }
    for (size_t i = 0; i < study->classifier_count; i++) {
        static const char *const files[] = {"keywords", "predictions"};
        for (size_t f = 0; f < ROWS_OF(files); f++) {
            const struct yaml_node *named =
                yaml_get(study->classifiers[i].node, str_from(files[f]));
            if (named != NULL && !add_named(staging, named, NULL, err))
                return false;
        }
    }
    for (size_t i = 0; i < study->table_count; i++) {
        const struct study_table *table = &study->tables[i];
        if (table->from == NULL || table->maker != STUDY_NO_MAKER)
            continue;
        /* The same file may hold labels: a table needs all of it, but not who gave them.
         */
        struct package_columns columns = columns_of(staging, table->from);
        columns.all = true;
        if (!add_named(staging, yaml_get(table->node, STR("from")),
                       columns.rater_count > 0 ? &columns : NULL, err))
            return false;
    }
    return true;
}

static bool add_labels(struct staging *staging, struct err *err)
{
    const struct study *study = staging->study;

    for (size_t i = 0; i < study->label_count; i++) {
        const struct study_labels *labels = &study->labels[i];
        if (labels->from == NULL)
            continue;
        struct package_columns columns = columns_of(staging, labels->from);
        if (!add_named(staging, yaml_get(labels->node, STR("from")), &columns, err))
            return false;
    }
    return true;
}

/* What people decided on phrases and tags: nothing, as long as the file is not there. */
static bool add_decisions(struct staging *staging, struct err *err)
{
    const struct study *study = staging->study;

    for (size_t i = 0; i < study->phrases_count; i++) {
        const struct yaml_node *node = yaml_get(study->phrases[i].node, STR("decisions"));
        if (node != NULL && file_exists(study->phrases[i].decisions) &&
            !add_file(staging, node, DECISIONS, NULL, err))
            return false;
    }
    for (size_t i = 0; i < study->tagset_count; i++) {
        const struct yaml_node *node = yaml_get(study->tagsets[i].node, STR("decisions"));
        if (node != NULL && file_exists(study->tagsets[i].decisions) &&
            !add_file(staging, node, TAGS, NULL, err))
            return false;
    }
    return true;
}

/* Sources, which are not part of a package: others have them in a folder of their own. */

const struct yaml_node *package_source_paths(const struct study *study, size_t source)
{
    const struct yaml_node *node = yaml_get(&study->root, STR("source"));

    if (node == NULL)
        node =
            yaml_get(yaml_get(&study->root, STR("sources")), study->sources[source].name);
    return yaml_get(node, str_from(study->sources[source].kind->key));
}

const struct yaml_node *package_source_path(const struct yaml_node *paths, size_t i)
{
    return paths->type == YAML_SEQUENCE ? &paths->items[i] : paths;
}

/* How many bytes the folder has that all sources outside lie below: "../" of ../dump and
 * ../dump/repositories. */
static size_t shared_folder(const struct study *study)
{
    struct str first = {0}, name;
    size_t shared = 0;

    for (size_t s = 0; s < study->source_count; s++) {
        const struct yaml_node *paths = package_source_paths(study, s);
        for (size_t p = 0; p < study->sources[s].path_count; p++) {
            struct str path = package_source_path(paths, p)->text;
            size_t folder = path.len - last_part(path).len, i = 0;
            if (is_data(path) || lies_inside(path, &name))
                continue;
            if (first.ptr == NULL) {
                first = path;
                shared = folder;
            }
            while (i < shared && i < folder && path.ptr[i] == first.ptr[i])
                i++;
            shared = i;
            while (shared > 0 && first.ptr[shared - 1] != '/')
                shared--;
        }
    }
    return shared;
}

/* What remains of a path below that folder, or its last part where that would tell how
 * this machine is arranged. */
static struct str below_shared(struct str path, size_t shared)
{
    enum { PARTS_MAX = 2 };
    struct str rest = str_slice(path, shared, path.len), left = rest, part;
    size_t parts = 1;

    while (str_cut(&left, '/', &part)) {
        parts++;
        if (str_eq(part, STR("..")))
            return last_part(path);
    }
    return parts <= PARTS_MAX ? rest : last_part(path);
}

static bool edit_source(struct staging *staging, size_t source, size_t shared,
                        struct map *taken, struct err *err)
{
    const struct study *study = staging->study;
    const struct yaml_node *paths = package_source_paths(study, source);

    for (size_t p = 0; p < study->sources[source].path_count; p++) {
        const struct yaml_node *node = package_source_path(paths, p);
        struct str name, path = node->text;
        if (!is_data(path) && !lies_inside(path, &name)) {
            name = below_shared(path, shared);
            path = arena_format(staging->arena, "$data/%.*s", STR_ARG(name));
            edit(staging, node, path);
        }
        if ((*map_put(taken, path))++ > 0)
            return err_set(err, ERR_INPUT,
                           "%s:%d:%d: two sources of the package would be called '%.*s'; "
                           "give one of them another name",
                           study->path, node->line, node->column, STR_ARG(path));
    }
    return true;
}

/* Nobody else has the servers that keep the corpus. */
static void edit_store(struct staging *staging)
{
    const struct yaml_node *store = yaml_get(&staging->study->root, STR("store"));

    for (size_t i = 0; store != NULL && i < (store->count > 0 ? store->count : 1); i++)
        edit(staging, package_source_path(store, i), STUDY_STORE_HERE);
}

static bool edit_sources(struct staging *staging, struct err *err)
{
    size_t shared = shared_folder(staging->study);
    struct map taken = {.arena = staging->arena};

    for (size_t s = 0; s < staging->study->source_count; s++)
        if (!edit_source(staging, s, shared, &taken, err))
            return false;
    return true;
}

/* The study where it is run. */

static bool write_file(const struct package_file *file, const char *folder,
                       struct arena *arena, struct err *err)
{
    const char *path = file_join(folder, arena_c_string(arena, file->name), arena), *made;
    char *parent = arena_c_string(arena, str_from(path));

    *strrchr(parent, '/') = '\0';
    return file_make_folder(parent, arena, &made, err) &&
           file_write(path, file->text, err);
}

/* What is made already and rests on nothing that is called differently need not be made
 * again: the corpus and, as the lock has them, results. */
static bool link_made(const struct study *from, const struct study *to,
                      struct arena *arena, struct err *err)
{
    const char *lock = file_join(from->home, "assay.lock", arena);
    struct run_ledger ledger;
    bool ok = (from->source_count == 0 ||
               file_link(file_join(from->home, "corpus.db", arena),
                         file_join(to->home, "corpus.db", arena), arena, err)) &&
              file_link(lock, file_join(to->home, "assay.lock", arena), arena, err) &&
              run_ledger_load(lock, arena, &ledger, err);

    for (size_t s = 0; ok && s < ledger.count; s++)
        for (size_t f = 0; ok && f < ledger.steps[s].file_count; f++) {
            const char *name = arena_c_string(arena, ledger.steps[s].files[f].name);
            ok = file_link(file_join(from->home, name, arena),
                           file_join(to->home, name, arena), arena, err);
        }
    return ok;
}

/* Its sources are where they are on this machine, and the corpus knows them so. */
static void find_sources(const struct study *from, struct study *to)
{
    for (size_t s = 0; s < to->source_count; s++) {
        to->sources[s].paths = from->sources[s].paths;
        to->sources[s].names = from->sources[s].names;
    }
    to->servers = from->servers;
}

static bool name_items(struct study *study, struct arena *arena, struct err *err)
{
    struct store *corpus;

    if (study->source_count == 0 || !study->spaces.texts)
        return true;
    if (!store_open(file_join(study->home, "corpus.db", arena), study->servers, &corpus,
                    err))
        return false;
    bool ok = run_name_items(corpus, arena, study, err);
    store_close(corpus);
    return ok;
}

static bool run_there(struct staging *staging, const struct package_options *options,
                      struct package_stage *out, struct err *err)
{
    const struct study *study = staging->study;
    struct arena *arena = staging->arena;
    const char *labels = file_join(study->home, "labels.db", arena), *made;
    const char *path = file_join(
        out->folder, arena_c_string(arena, last_part(str_from(study->path))), arena);
    /* Files in $data are where they are; sources are found anew below. */
    struct study_options reading = {options->data != NULL ? options->data : out->folder};
    struct buf problems = {0};
    int64_t steps;
    bool ok = true;

    for (size_t i = 0; i < staging->files.count && ok; i++)
        ok = write_file(&staging->files.at[i], out->folder, arena, err);
    if (ok && !study_load(path, &reading, arena, &out->study, &problems, err))
        ok = err_set(err, ERR_INPUT, "the study file of the package: %.*s",
                     STR_ARG(str_trim(buf_str(&problems))));
    buf_free(&problems);
    if (!ok || !file_make_folder(out->study.home, arena, &made, err))
        return false;
    find_sources(study, &out->study);
    out->labels = study->labelling_count > 0 && file_exists(labels)
                      ? file_join(out->study.home, "labels.db", arena)
                      : NULL;
    return (out->labels == NULL ||
            package_copy_labels(study, staging->people, out->labels, arena, err)) &&
           link_made(study, &out->study, arena, err) &&
           name_items(&out->study, arena, err) &&
           run_study(&out->study, options->run, &steps, err);
}

bool package_stage(const struct study *study, const struct package_people *people,
                   const struct package_options *options, struct arena *arena,
                   struct package_stage *out, struct err *err)
{
    struct staging staging = {
        .study = study, .people = people, .arena = arena, .names = {.arena = arena}};
    struct str study_file = last_part(str_from(study->path));

    *out = (struct package_stage){0};
    bool ok = file_read(study->path, arena, &staging.text, err) &&
              add_codebooks(&staging, err) && add_tables(&staging, err) &&
              add_labels(&staging, err) && add_decisions(&staging, err) &&
              edit_sources(&staging, err);
    if (ok) {
        edit_people(&staging);
        edit_store(&staging);
        list_add(&staging.files, ((struct package_file){study_file, edited(&staging)}));
        ok = file_make_temporary(arena, &out->folder, err) &&
             run_there(&staging, options, out, err);
    }
    out->files = list_copy(&staging.files, arena);
    out->file_count = staging.files.count;
    out->outside = list_copy(&staging.outside, arena);
    out->outside_count = staging.outside.count;
    list_free(&staging.files);
    list_free(&staging.outside);
    list_free(&staging.edits);
    return ok;
}
