/* Gathering the files, from the study as it was run for the package. What belongs to
 * others stays out and is named in README.md. */
#include "package/package.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/list.h"
#include "label/label.h"
#include "package/compare.h"
#include "package/internal.h"
#include "package/people.h"
#include "package/stage.h"
#include "run/labelling.h"
#include "run/ledger.h"
#include "run/steps.h"

struct package_builder {
    const char *path;          /* of the study file, for messages */
    const struct study *study; /* as others get it */
    const struct package_stage *stage;
    const struct package_options *options;
    struct arena *arena;
    struct store *corpus; /* NULL: the study has no source */
    struct run_ledger ledger;
    struct result_health health;
    LIST(struct package_file) files;
};

const char *package_home(const struct study *study, struct arena *arena)
{
    struct str rest = str_from(study->home), name;

    if (strcmp(study->home, study->folder) == 0)
        return "";
    while (str_cut(&rest, '/', &name))
        continue;
    return arena_c_string(arena, name);
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
                           builder->path, STR_ARG(name));
    list_add(&builder->files, ((struct package_file){name, text}));
    return true;
}

static bool add_made(struct package_builder *builder, const char *name, struct buf *text,
                     struct err *err)
{
    return add_file(builder, str_from(name), buf_keep(text, builder->arena), err);
}

/* What the study reads. */

static bool add_inputs(struct package_builder *builder, struct err *err)
{
    const struct package_stage *stage = builder->stage;
    struct str text;

    for (size_t i = 0; i < stage->file_count; i++)
        if (!add_file(builder, stage->files[i].name, stage->files[i].text, err))
            return false;
    return stage->labels == NULL ||
           (file_read(stage->labels, builder->arena, &text, err) &&
            add_file(builder, result_name(builder, STR("labels.db")), text, err));
}

/* The same for whoever has no assay: what each rater said, and what counts. */
static bool add_labels(struct package_builder *builder, struct str task, struct err *err)
{
    static const struct {
        enum label_layer layer;
        const char *name;
    } layers[] = {
        {LABEL_FINAL, "final"}, {LABEL_SAID, "raters"}, {LABEL_DECISIONS, "decisions"}};
    struct label *label = NULL;
    struct buf problems = {0};
    bool ok = label_open(builder->study, task, &label, &problems, err);

    for (size_t i = 0; i < ROWS_OF(layers) && ok; i++) {
        struct label_export_options how = {.layer = layers[i].layer};
        struct str name = arena_format(builder->arena, "labelling/%.*s-%s.csv",
                                       STR_ARG(task), layers[i].name);
        struct buf text = {0};
        ok = label_export(label, &how, &text, err);
        struct str csv = buf_keep(&text, builder->arena);
        ok = ok && add_file(builder, result_name(builder, name), csv, err);
    }
    label_close(label);
    buf_free(&problems);
    return ok;
}

static bool add_all_labels(struct package_builder *builder, struct err *err)
{
    const struct study *study = builder->study;

    for (size_t i = 0; builder->stage->labels != NULL && i < study->labelling_count; i++)
        if (!add_labels(builder, study->labellings[i].name, err))
            return false;
    return true;
}

/* Results. */

/* Report and handbook show titles and texts of posts, and are made anew from what is in
 * the package. */
static bool is_of_report(struct str name)
{
    return str_starts(name, STR("out/report/")) || str_starts(name, STR("out/handbook/"));
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
                                    .version = builder->options->run->version,
                                    .home = package_home(builder->study, builder->arena),
                                    .corpus = builder->corpus,
                                    .health = builder->health,
                                    .package = &package,
                                    .outside = builder->stage->outside,
                                    .outside_count = builder->stage->outside_count};

    bool ok = package_add_readme(&inputs, &text, err);
    ok = add_made(builder, "README.md", &text, err) && ok;
    package_add_citation(builder->study, &text);
    ok = add_made(builder, "CITATION.cff", &text, err) && ok;
    package_add_zenodo(builder->study, &text);
    return add_made(builder, ".zenodo.json", &text, err) && ok;
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

static bool gather(struct package_builder *builder, struct err *err)
{
    const struct study *study = builder->study;
    struct arena *arena = builder->arena;

    return (study->source_count == 0 ||
            store_open(file_join(study->home, "corpus.db", arena), study->servers,
                       &builder->corpus, err)) &&
           run_ledger_load(file_join(study->home, "assay.lock", arena), arena,
                           &builder->ledger, err) &&
           add_inputs(builder, err) && add_all_labels(builder, err) &&
           add_results(builder, err) && add_health(builder, err) &&
           add_lock(builder, err) && add_items(builder, err) && add_note(builder, err) &&
           add_texts(builder, err);
}

/* What somebody should see before the package is published. */

static bool is_letter(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
           c == '_' || (unsigned char)c >= 0x80;
}

/* As a word of its own. */
static bool names(struct str text, struct str name)
{
    for (size_t at = 0, end = name.len; end <= text.len; at++, end++)
        if (text.ptr[at] == name.ptr[0] && str_eq(str_slice(text, at, end), name) &&
            (at == 0 || !is_letter(text.ptr[at - 1])) &&
            (end == text.len || !is_letter(text.ptr[end])))
            return true;
    return false;
}

/* A comment or a reason in a codebook may name somebody. */
static void look_for_names(const struct package_builder *builder,
                           const struct package_people *people, struct buf *warnings)
{
    for (size_t f = 0; f < builder->stage->file_count; f++)
        for (size_t i = 0; i < people->count; i++) {
            const struct package_file *file = &builder->stage->files[f];
            struct str name = package_person_name(people, i);
            if (name.len > 0 && names(file->text, name))
                buf_add_format(warnings,
                               "%.*s: found the word '%.*s', which is the name of a "
                               "rater: look whether it should be published\n",
                               STR_ARG(file->name), STR_ARG(name));
        }
}

/* Others need vectors to rerun the study, and they tell something of the texts. */
static void tell_vectors(const struct study *study, struct buf *warnings)
{
    for (size_t i = 0; i < study->vectors_count; i++) {
        const struct study_vectors *vectors = &study->vectors[i];
        buf_add_format(warnings, "vectors.%.*s: %s\n", STR_ARG(vectors->name),
                       vectors->embed != NULL && !file_exists(vectors->file)
                           ? "the package is without them, since they are not there yet; "
                             "see assay embed"
                           : "the package has them, since results rest on them; "
                             "from embeddings texts can be guessed in part: look whether "
                             "those of the posts may be published");
    }
}

/* Which rater of a pair is the first depends on what they are called. */
static bool is_of_order(struct str address)
{
    return str_ends(address, STR("s-of-the-first")) || /* units, spans */
           str_ends(address, STR("s-of-the-second"));
}

/* Whether both give the same, but for what people are called. */
static bool compare_results(const struct study *study,
                            const struct package_people *people,
                            const struct package_builder *builder, struct err *err)
{
    struct result_numbers *ours, *theirs;
    size_t count, their_count;
    struct package_compare compare;

    if (!run_numbers(study, builder->arena, &ours, &count, err) ||
        !run_numbers(builder->study, builder->arena, &theirs, &their_count, err))
        return false;
    package_call_numbers(people, ours, count, builder->arena);
    package_compare_numbers(theirs, their_count, ours, count, builder->arena, &compare);
    for (size_t i = 0; i < compare.count; i++)
        if (!is_of_order(compare.differences[i].address))
            return err_set(err, ERR_INPUT,
                           "%s: %.*s comes out differently where people are called "
                           "rater-1, rater-2 and so on",
                           study->path, STR_ARG(compare.differences[i].address));
    return true;
}

bool package_make(const struct study *study, const struct package_options *options,
                  struct arena *arena, struct package *out, struct buf *warnings,
                  struct err *err)
{
    struct package_people people;
    struct package_stage stage = {0};
    struct package_builder builder = {.path = study->path,
                                      .study = &stage.study,
                                      .stage = &stage,
                                      .options = options,
                                      .arena = arena};
    bool ok = package_find_people(study, arena, &people, err) &&
              package_stage(study, &people, options, arena, &stage, err) &&
              gather(&builder, err) && compare_results(study, &people, &builder, err);

    if (ok) {
        look_for_names(&builder, &people, warnings);
        tell_vectors(study, warnings);
        *out = (struct package){list_copy(&builder.files, arena), builder.files.count};
        qsort(out->files, out->count, sizeof *out->files, compare_files);
    }
    store_close(builder.corpus);
    list_free(&builder.files);
    file_remove_temporary(stage.folder);
    return ok;
}
