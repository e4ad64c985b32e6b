/* assay embed: vectors of a study's items, or of the posts of a table, from a server. */
#include <string.h>

#include "base/file.h"
#include "base/list.h"
#include "cmd/embedding.h"
#include "cmd/opening.h"
#include "measure/frame.h"
#include "run/output.h"
#include "run/texts.h"
#include "store/corpus.h"

struct embed_args {
    struct cmd_opening_args opening; /* its `study` is the source: a study or a table */
    struct cmd_embedding_args embed;
    const char *text, *id, *vectors, *keys, *only;
    bool dry;
};

#define AT(field) offsetof(struct embed_args, field)

static const struct cmd_operand operands[] = {
    {"SOURCE", AT(opening.study),
     "a study file, or the folder that holds study.yaml, whose `vectors` with `embed` "
     "are "
     "made; or a csv or json file of posts",
     true},
    {0}};

static const struct cmd_option options[] = {
    {"--only", CMD_TEXT, AT(only), "NAME", .help = "of a study: these vectors alone"},
    {"--text", CMD_TEXT, AT(text), "COLUMNS",
     .help = "of a table: the columns to read, by commas, as in assay classify"},
    {"--id", CMD_TEXT, AT(id), "COLUMN",
     .help = "of a table: the column that names posts; without it they are numbered"},
    {"--vectors", CMD_TEXT, AT(vectors), "FILE",
     .help = "of a table: the file to make, json lines, or with --keys .npy"},
    {"--keys", CMD_TEXT, AT(keys), "FILE",
     .help = "of a table: the ids of the rows of .npy, in a line each"},
    CMD_EMBEDDING_OPTIONS(struct embed_args, embed),
    {"--dry-run", CMD_FLAG, AT(dry), NULL,
     .help = "say what it would take, and send nothing"},
    CMD_OPENING_DATA,
    CMD_OPENING_READING,
    CMD_OPENING_QUIET,
    {0}};

/* A study. */

struct embed_taking {
    const struct study *study;
    const struct measure_frame *frame;
    struct arena *arena;
    LIST(struct str) keys, texts;
};

static bool take_block(void *context, const struct run_texts_block *block,
                       struct err *err)
{
    struct embed_taking *taking = context;

    (void)err;
    for (size_t i = 0; i < block->count; i++) {
        int64_t id = measure_column_at(taking->frame->ids, block->items[i]);
        list_add(&taking->keys, item_key(&taking->study->spaces, id, taking->arena));
        list_add(&taking->texts, cmd_embedding_text(&block->posts[i], taking->arena));
    }
    return true;
}

/* The items of a set or sample, as the run made them; of no name all. */
static bool find_items(const struct study *study, const struct study_vectors *vectors,
                       const struct measure_frame *frame, struct arena *arena,
                       struct measure_bits *out, struct err *err)
{
    bool set = false;
    int64_t *ids;
    size_t count;

    *out = measure_bits_all(frame->count, arena);
    if (vectors->of.len == 0)
        return true;
    for (size_t i = 0; i < study->set_count; i++)
        set = set || str_eq(study->sets[i].name, vectors->of);
    const char *kind = set ? "sets" : "samples";
    struct str step = arena_format(arena, "%s.%.*s", kind, STR_ARG(vectors->of));
    if (!run_output_there(study->home, step, arena))
        return err_set(err, ERR_INPUT, "%.*s has not been made; see assay run",
                       STR_ARG(step));
    if (!run_output_read_ids(study->home, kind, vectors->of, arena, &ids, &count, err))
        return false;
    *out = measure_bits_make(frame->count, arena);
    for (size_t i = 0; i < count; i++) {
        size_t place = measure_frame_find(frame, ids[i]);
        if (place < frame->count)
            measure_bits_set(*out, place);
    }
    return true;
}

static bool make_one(const struct embed_args *args, const struct study *study,
                     const struct study_vectors *vectors,
                     const struct measure_frame *frame, struct arena *arena,
                     struct err *err)
{
    const unsigned parts =
        1U << LEARN_PARTS_TITLE | 1U << LEARN_PARTS_PROSE | 1U << LEARN_PARTS_CODE;
    struct embed_taking taking = {.study = study, .frame = frame, .arena = arena};
    struct cmd_embedding_to to = {vectors->file, vectors->keys, args->dry,
                                  args->opening.quiet};
    struct measure_bits items;
    bool ok = find_items(study, vectors, frame, arena, &items, err) &&
              run_texts_each(frame, items, parts, take_block, &taking, err);
    struct model_embed_texts texts = {taking.keys.at, taking.texts.at, taking.keys.count};

    ok = ok && cmd_embedding_make(vectors->embed, &texts, &to, arena, err);
    list_free(&taking.keys);
    list_free(&taking.texts);
    return ok || err_at(err, "vectors.%.*s: ", STR_ARG(vectors->name));
}

static bool make_all(const struct embed_args *args, const struct study *study,
                     struct arena *arena, struct err *err)
{
    struct measure_frame frame;
    struct store *corpus = NULL;
    size_t made = 0;
    bool ok = store_open(file_join(study->home, "corpus.db", arena), study->servers,
                         &corpus, err) &&
              measure_frame_load(corpus, NULL, 0, study, arena, &frame, err);

    for (size_t i = 0; ok && i < study->vectors_count; i++) {
        const struct study_vectors *vectors = &study->vectors[i];
        if (vectors->embed == NULL ||
            (args->only != NULL && !str_eq(vectors->name, str_from(args->only))))
            continue;
        made++;
        ok = make_one(args, study, vectors, &frame, arena, err);
    }
    store_close(corpus);
    if (ok && made == 0)
        ok = err_set(err, ERR_INPUT,
                     "%s: %s%s%s; `vectors: {NAME: {file: NAME.jsonl, embed: {model: "
                     "NAME, url: http://localhost:8080}}}` is one",
                     study->path, "no vectors ", args->only != NULL ? args->only : "",
                     args->only != NULL ? " with `embed`" : "with `embed`");
    return ok;
}

static bool make_study(struct cmd_session *session, const struct embed_args *args,
                       struct err *err)
{
    struct cmd_opening_run ran;

    if (args->embed.url != NULL || args->text != NULL || args->id != NULL ||
        args->vectors != NULL || args->keys != NULL)
        return err_set(err, ERR_USAGE,
                       "'%s' is taken for a study, whose section `vectors` says what "
                       "--embed, --text, --id, --vectors and --keys say of a table",
                       args->opening.study);
    bool ok = cmd_opening_run(session, &args->opening, "assay embed", NULL, &ran, err) &&
              make_all(args, &ran.study, &session->arena, err);
    lock_release(&ran.lock);
    return ok;
}

static bool make_table(struct cmd_session *session, const struct embed_args *args,
                       struct err *err)
{
    struct cmd_embedding_tables tables = {{args->opening.study}, args->text, args->id};
    struct cmd_embedding_to to = {args->vectors, args->keys, args->dry,
                                  args->opening.quiet};

    if (args->only != NULL)
        return err_set(err, ERR_USAGE, "--only is for a study");
    if (args->embed.url == NULL || args->text == NULL)
        return err_set(err, ERR_USAGE,
                       "a table needs --text COLUMNS, --embed URL, --embed-model NAME "
                       "and --vectors FILE");
    struct study_embed how;
    if (!cmd_embedding_check(&args->embed, args->vectors, err))
        return false;
    how = cmd_embedding_how(&args->embed);
    return cmd_embedding_make_tables(&how, &tables, &to, &session->arena, err);
}

static bool run(struct cmd_session *session, const void *arguments, struct err *err)
{
    const struct embed_args *args = arguments;

    return cmd_opening_is_study(args->opening.study) ? make_study(session, args, err)
                                                     : make_table(session, args, err);
}

const struct cmd cmd_embed = {
    .name = "embed",
    .summary = "Have a server make vectors of items or posts",
    .see_also = "assay-classify(1),assay-topics(1),assay-ask(1),assay-study(5)",
    .operands = operands,
    .options = options,
    .run = run,
};
