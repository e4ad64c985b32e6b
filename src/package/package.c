/* Gathering the files. What lies outside of the study's folder, or belongs to others,
 * stays out and is named in README.md. */
#include "package/package.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/list.h"
#include "package/internal.h"
#include "run/ledger.h"
#include "run/steps.h"

struct package_builder {
    const struct study *study;
    const struct package_options *options;
    struct arena *arena;
    struct store *corpus; /* NULL: the study has no source */
    struct run_ledger ledger;
    struct result_health health;
    LIST(struct package_file) files;
    LIST(struct str) outside;
};

const char *package_home(const struct study *study, struct arena *arena)
{
    return strcmp(study->home, study->folder) == 0
               ? ""
               : arena_c_string(arena, str_last(str_from(study->home), '/'));
}

/* Where a file of the study lies that its own file names from its folder. */
static const char *path_in(const struct package_builder *builder, struct str name)
{
    return file_join(builder->study->folder, arena_c_string(builder->arena, name),
                     builder->arena);
}

/* A result's name in the package. */
static struct str result_name(const struct package_builder *builder, struct str name)
{
    const char *home = package_home(builder->study, builder->arena);

    return str_from(
        file_join(home, arena_c_string(builder->arena, name), builder->arena));
}

static bool add_file(struct package_builder *builder, struct str name, struct str text,
                     struct err *err)
{
    for (size_t i = 0; i < builder->files.count; i++)
        if (str_eq(builder->files.at[i].name, name))
            return str_eq(builder->files.at[i].text, text) ||
                   err_set(err, ERR_INPUT,
                           "%s: two files of the package would be called '%.*s'",
                           builder->study->path, STR_ARG(name));
    list_add(&builder->files, ((struct package_file){name, text}));
    return true;
}

static bool add_made(struct package_builder *builder, const char *name, struct buf *text,
                     struct err *err)
{
    return add_file(builder, str_from(name), buf_keep(text, builder->arena), err);
}

/* Files of the study. */

/* Whether a path of the study file stays in the study's folder; then without "./". */
static bool lies_inside(struct str path, struct str *name)
{
    struct str rest, part;

    while (str_starts(path, STR("./")))
        path = str_slice(path, 2, path.len);
    *name = rest = path;
    if (path.len == 0 || path.ptr[0] == '/' || str_starts(path, STR("$data/")))
        return false;
    for (bool more = true; more;) {
        more = str_cut(&rest, '/', &part);
        if (str_eq(part, STR("..")))
            return false;
    }
    return true;
}

static void add_outside(struct package_builder *builder, struct str path)
{
    for (size_t i = 0; i < builder->outside.count; i++)
        if (str_eq(builder->outside.at[i], path))
            return;
    list_add(&builder->outside, path);
}

static bool add_study_file(struct package_builder *builder, struct err *err)
{
    struct str name = str_last(str_from(builder->study->path), '/'), text;

    return file_read(builder->study->path, builder->arena, &text, err) &&
           add_file(builder, name, text, err);
}

/* A file that the study names and that goes in as it is. */
static bool add_named(struct package_builder *builder, struct str path, struct err *err)
{
    struct str name, text;

    if (!lies_inside(path, &name)) {
        add_outside(builder, path);
        return true;
    }
    return file_read(path_in(builder, name), builder->arena, &text, err) &&
           add_file(builder, name, text, err);
}

static bool add_codebooks(struct package_builder *builder, struct err *err)
{
    const struct yaml_node *books = yaml_get(&builder->study->root, STR("codebooks"));

    for (size_t i = 0; books != NULL && i < books->count; i++)
        if (!add_named(builder, books->items[i].text, err))
            return false;
    return true;
}

static bool add_synonyms(struct package_builder *builder, struct err *err)
{
    const struct yaml_node *path = yaml_get(&builder->study->root, STR("synonyms"));

    return path == NULL || add_named(builder, path->text, err);
}

static bool add_tables(struct package_builder *builder, struct err *err)
{
    for (size_t i = 0; i < builder->study->table_count; i++) {
        const struct study_table *table = &builder->study->tables[i];
        if (table->from != NULL && table->maker == STUDY_NO_MAKER &&
            !add_named(builder, yaml_get(table->node, STR("from"))->text, err))
            return false;
    }
    return true;
}

/* Labels. */

/* The lock is to fit the file that is in the package. */
static void record_labels(struct package_builder *builder,
                          const struct study_labels *labels, struct str text)
{
    struct buf name = {0};

    buf_add_format(&name, "labels.%.*s", STR_ARG(labels->name));
    for (size_t s = 0; s < builder->ledger.count; s++) {
        struct run_ledger_step *step = &builder->ledger.steps[s];
        for (size_t i = 0; i < step->input_count; i++)
            if (str_eq(step->name, buf_str(&name)) &&
                str_eq(step->inputs[i].name, STR("file 1")))
                step->inputs[i].hash = run_steps_hash(text);
    }
    buf_free(&name);
}

/* The columns that name raters for any labels that are read from the file. */
static struct str *rater_columns(const struct package_builder *builder, const char *path,
                                 size_t *count)
{
    const struct study *study = builder->study;
    struct str *columns = arena_array(builder->arena, struct str, study->label_count + 1);

    *count = 0;
    for (size_t i = 0; i < study->label_count; i++)
        if (study->labels[i].from != NULL && strcmp(study->labels[i].from, path) == 0 &&
            study->labels[i].rater.len > 0)
            columns[(*count)++] = study->labels[i].rater;
    return columns;
}

static bool add_labels(struct package_builder *builder, const struct study_labels *labels,
                       struct err *err)
{
    struct str path = yaml_get(labels->node, STR("from"))->text, name, text;
    size_t count;

    if (!lies_inside(path, &name)) {
        add_outside(builder, path);
        return true;
    }
    if (!file_read(labels->from, builder->arena, &text, err))
        return false;
    struct str *columns = rater_columns(builder, labels->from, &count);
    if (count > 0 && !package_rename_raters(text, labels->from, columns, count,
                                            builder->arena, &text, err))
        return false;
    record_labels(builder, labels, text);
    return add_file(builder, name, text, err);
}

static bool add_all_labels(struct package_builder *builder, struct err *err)
{
    for (size_t i = 0; i < builder->study->label_count; i++)
        if (builder->study->labels[i].from != NULL &&
            !add_labels(builder, &builder->study->labels[i], err))
            return false;
    return true;
}

/* What raters said on the pages of the study; made by the caller. */
static bool add_given_labels(struct package_builder *builder, struct err *err)
{
    const struct package_options *options = builder->options;

    for (size_t i = 0; i < options->label_count; i++)
        if (!add_file(builder, result_name(builder, options->labels[i].name),
                      options->labels[i].text, err))
            return false;
    return true;
}

/* Results. */

/* The report shows titles of posts, and is made anew from what is in the package. */
static bool is_of_report(struct str name)
{
    return str_starts(name, STR("out/report/"));
}

static bool add_results(struct package_builder *builder, struct err *err)
{
    for (size_t s = 0; s < builder->ledger.count; s++)
        for (size_t f = 0; f < builder->ledger.steps[s].file_count; f++) {
            struct str file = builder->ledger.steps[s].files[f].name;
            struct str name = result_name(builder, file), text;
            if (!is_of_report(file) &&
                (!file_read(path_in(builder, name), builder->arena, &text, err) ||
                 !add_file(builder, name, text, err)))
                return false;
        }
    return true;
}

/* From the corpus itself: the file may have been removed. */
static bool add_health(struct package_builder *builder, struct err *err)
{
    struct buf text = {0}, hidden = {0};

    if (builder->corpus == NULL)
        return true;
    bool ok = store_findings(builder->corpus, builder->arena, &builder->health, err);
    result_health_markdown(&builder->health, &text);
    package_hide_paths(builder->study, buf_str(&text), &hidden);
    struct str markdown = buf_keep(&hidden, builder->arena);
    buf_free(&text);
    return ok &&
           add_file(builder, result_name(builder, STR("out/health.md")), markdown, err);
}

static bool add_lock(struct package_builder *builder, struct err *err)
{
    struct buf text = {0};

    run_ledger_print(&builder->ledger, &text);
    return add_made(builder, result_name(builder, STR("assay.lock")).ptr, &text, err);
}

/* Items. */

static bool add_items(struct package_builder *builder, struct err *err)
{
    struct package_items items;
    struct buf text = {0};

    if (builder->corpus == NULL)
        return true;
    if (!package_find_items(builder->study, builder->arena, &items, err))
        return false;
    bool ok =
        package_add_attribution(builder->study, builder->corpus, &items, &text, err);
    ok = add_made(builder, "attribution.csv", &text, err) && ok;
    if (!ok || !builder->options->with_posts)
        return ok;
    ok = package_add_posts(builder->study, builder->corpus, &items, &text, err);
    return add_made(builder, "posts.jsonl", &text, err) && ok;
}

/* All of it. */

static bool add_texts(struct package_builder *builder, struct err *err)
{
    struct buf text = {0};
    struct package package = {builder->files.at, builder->files.count};
    struct package_readme inputs = {.study = builder->study,
                                    .options = builder->options,
                                    .home = package_home(builder->study, builder->arena),
                                    .corpus = builder->corpus,
                                    .health = builder->health,
                                    .package = &package,
                                    .outside = builder->outside.at,
                                    .outside_count = builder->outside.count};

    bool ok = package_add_readme(&inputs, &text, err);
    return add_made(builder, "README.md", &text, err) && ok;
}

static bool add_note(struct package_builder *builder, struct err *err)
{
    struct buf text = {0};

    if (builder->corpus == NULL)
        return true;
    package_add_license_note(builder->options->with_posts, &text);
    return add_made(builder, "LICENSE-NOTE.md", &text, err);
}

static int compare_files(const void *a, const void *b)
{
    return str_compare(((const struct package_file *)a)->name,
                       ((const struct package_file *)b)->name);
}

bool package_make(const struct study *study, const struct package_options *options,
                  struct arena *arena, struct package *out, struct err *err)
{
    struct package_builder builder = {.study = study, .options = options, .arena = arena};
    bool ok =
        (study->source_count == 0 ||
         store_open(file_join(study->home, "corpus.db", arena), &builder.corpus, err)) &&
        run_ledger_load(file_join(study->home, "assay.lock", arena), arena,
                        &builder.ledger, err) &&
        add_study_file(&builder, err) && add_codebooks(&builder, err) &&
        add_synonyms(&builder, err) && add_tables(&builder, err) &&
        add_all_labels(&builder, err) && add_given_labels(&builder, err) &&
        add_results(&builder, err) && add_health(&builder, err) &&
        add_lock(&builder, err) && add_items(&builder, err) && add_note(&builder, err) &&
        add_texts(&builder, err);

    if (ok) {
        *out = (struct package){list_copy(&builder.files, arena), builder.files.count};
        qsort(out->files, out->count, sizeof *out->files, compare_files);
    }
    store_close(builder.corpus);
    list_free(&builder.files);
    list_free(&builder.outside);
    return ok;
}
