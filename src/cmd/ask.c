/* assay ask: the nearest solved questions of a study's corpus. */
#include "cmd/ask.h"

#include <string.h>
#include <time.h>

#include "base/file.h"
#include "base/list.h"
#include "base/map.h"
#include "base/near.h"
#include "base/stop.h"
#include "cmd/embedding.h"
#include "cmd/opening.h"
#include "cmd/posts.h"
#include "extract/errors.h"
#include "input/vectors.h"
#include "text/utf8.h"

struct args {
    struct cmd_opening_args opening;
    const char *question, *file, *in, *item, *text, *id, *page, *vectors, *given;
    struct cmd_embedding_args embed;
    int64_t top;
    bool any, json, timed;
};

#define AT(field) offsetof(struct args, field)

static const struct cmd_operand operands[] = {
    {"STUDY", AT(opening.study), "the study file, or the folder that holds study.yaml",
     true},
    {"TEXT", AT(question), "the question: an error, a traceback, a sentence", false},
    {0}};

static const struct cmd_option options[] = {
    {"--file", CMD_TEXT, AT(file), "FILE",
     .help =
         "a file with the question, plain, Markdown or html; - is standard input. Its "
         "first line is the title when an empty line is behind it"},
    {"--in", CMD_TEXT, AT(in), "FILE",
     .help = "many questions: a csv or json file, a row each; or a folder of files, each "
             "a question or a table of them"},
    {"--text", CMD_TEXT, AT(text), "COLUMNS",
     .help = "of a table: the columns to read, by commas, as in assay classify",
     .fallback = "title,body"},
    {"--id", CMD_TEXT, AT(id), "COLUMN",
     .help = "of a table: the column that names questions; without it they are numbered"},
    {"--item", CMD_TEXT, AT(item), "KEY",
     .help = "an item of the corpus is the question, which is not found itself"},
    {"--top", CMD_INT, AT(top), "N", .help = "items to show", .lowest = 1,
     .highest = SEARCH_HITS_MAX, .fallback = "5"},
    {"--any", CMD_FLAG, AT(any), NULL, .help = "items that are not solved as well"},
    {"--vectors", CMD_TEXT, AT(vectors), "NAME",
     .help = "of the study's `vectors`: what is nearest by them as well. The question's "
             "own comes from the server of their `embed`, of --embed, or from --given"},
    {"--given", CMD_TEXT, AT(given), "FILE",
     .help = "the question's vector, in a file as those of `vectors`; of many questions "
             "by what --id names"},
    {"--embed", CMD_TEXT, AT(embed.url), "URL",
     .help = "a server that knows /v1/embeddings, for the question's vector"},
    {"--embed-model", CMD_TEXT, AT(embed.model), "NAME",
     .help = "with --embed: the model, as its server calls it"},
    {"--embed-key", CMD_TEXT, AT(embed.key), "VARIABLE",
     .help = "with --embed: the environment variable that holds the server's key"},
    {"--json", CMD_FLAG, AT(json), NULL, .help = "print JSON, a line for each question"},
    {"--page", CMD_TEXT, AT(page), "FILE",
     .help = "write an html page, and print nothing"},
    {"--timed", CMD_FLAG, AT(timed), NULL,
     .help = "say how many milliseconds each question took"},
    CMD_OPENING_DATA,
    CMD_OPENING_QUIET,
    {0}};

/* The questions of one call. */
struct asking_work {
    const struct args *args;
    struct run_asking asking;
    struct learn_parts_splitter splitter;
    struct arena arena; /* of one question */
    struct buf text;    /* of one question, ready to be split */
    struct str file;    /* of a folder, the one that is read; empty: none */
    struct buf out;
    size_t asked;
    const char *table; /* that is read, with its rows so far and their ids: row numbers */
    size_t row;
    struct map ids;
    size_t files, unread; /* of a folder; of these, those that hold no question, or are
                             broken */
    bool unanswered;      /* a question could not be answered: not the file's fault */
    const struct study_vectors *vectors; /* of --vectors; NULL: none */
    const struct study_embed *how;       /* where its vector comes from; NULL: nowhere */
    struct input_vectors given;          /* or from there */
    bool listing; /* questions are only listed, so that one call asks for all */
    LIST(struct str) names, texts;
    struct map places; /* of listed texts: their number plus 1 */
    struct model_embed_done listed;
    struct arena *kept; /* of what they need */
};

static double now_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

/* A name for a question without a title: its first words. */
static struct str title_of(const struct learn_parts *parts)
{
    struct str title = str_trim(parts->at[LEARN_PARTS_TITLE]), line;

    for (unsigned p = LEARN_PARTS_PROSE; title.len == 0 && p <= LEARN_PARTS_CODE; p++) {
        struct str rest = str_trim(parts->at[p]);
        str_cut(&rest, '\n', &line);
        title = str_trim(line);
    }
    return title;
}

/* From a server, or from what it said before. */
static bool embed_questions(const struct asking_work *work,
                            const struct model_embed_texts *texts, bool quiet,
                            struct arena *arena, struct model_embed_done *out,
                            struct err *err)
{
    struct model_embed_options how = {
        .how = work->how,
        .records = arena_format(arena, "%s.records", work->vectors->file).ptr,
        .question = true,
        .quiet = quiet};

    return model_embed(&how, texts, arena, out, err) &&
           (out->dimensions == 0 || out->dimensions == work->asking.vectors.dimensions ||
            err_set(err, ERR_INPUT,
                    "the question's vector has %zu numbers, expected %zu as those of %s",
                    out->dimensions, work->asking.vectors.dimensions,
                    work->vectors->file));
}

static bool embed_question(struct asking_work *work, const struct learn_parts *parts,
                           struct str name, const float **out, struct err *err)
{
    struct str text = cmd_embedding_text(parts, &work->arena);
    const int64_t *place = map_get(&work->places, text);
    struct model_embed_texts alone = {&name, &text, 1};
    struct model_embed_done done = work->listed;

    if (place == NULL && !embed_questions(work, &alone, true, &work->arena, &done, err))
        return false;
    *out = done.at[place != NULL ? *place - 1 : 0];
    return *out != NULL || text.len == 0 ||
           err_set(err, ERR_INPUT, "there is no vector of the question: %.*s",
                   STR_ARG(done.why.len > 0 ? done.why : STR("`at-most` is reached")));
}

static void list_question(struct asking_work *work, const struct learn_parts *parts,
                          struct str name)
{
    struct str text = cmd_embedding_text(parts, &work->arena);
    int64_t *place = map_put(&work->places, text);

    if (*place == 0) {
        list_add(&work->names, arena_copy(work->kept, name));
        list_add(&work->texts, arena_copy(work->kept, text));
        *place = (int64_t)work->texts.count;
    }
    work->asked++;
    arena_free(&work->arena);
}

static bool find_vector(struct asking_work *work, const struct learn_parts *parts,
                        int64_t item, struct str name, const float **out, struct err *err)
{
    *out = NULL;
    if (work->vectors == NULL)
        return true;
    if (item != ITEM_NONE)
        *out = run_asking_vector_of(&work->asking, item);
    else if (work->given.count > 0)
        *out = name.len > 0 ? input_vectors_find(&work->given, name) : work->given.at;
    else
        return embed_question(work, parts, name, out, err);
    if (*out == NULL)
        fprintf(stderr, "%s%.*s%sthere is no vector of the question in %s\n",
                name.len > 0 ? "" : "assay ask: ", STR_ARG(name),
                name.len > 0 ? ": " : "",
                item != ITEM_NONE ? work->vectors->file : work->args->given);
    return true;
}

static bool ask(struct asking_work *work, const struct learn_parts *parts,
                int64_t without, struct str name, struct err *err)
{
    const struct args *args = work->args;
    struct run_asking_question question = {.parts = *parts,
                                           .without = without,
                                           .count = (size_t)args->top,
                                           .any = args->any};
    struct run_asking_answer answer;
    double begin = now_ms();

    if (work->listing) {
        list_question(work, parts, name);
        return true;
    }
    if (!find_vector(work, parts, without, name, &question.vector, err) ||
        !run_asking_ask(&work->asking, &question, &work->arena, &answer, err)) {
        work->unanswered = true;
        return false;
    }
    struct cmd_ask_shown shown = {.asking = &work->asking,
                                  .name = name,
                                  .title = title_of(parts),
                                  .answer = &answer,
                                  .milliseconds = args->timed ? now_ms() - begin : -1,
                                  .arena = &work->arena};
    work->asked++;
    if (args->page != NULL) {
        cmd_ask_page_add(&shown, &work->out);
    } else {
        (args->json ? cmd_ask_add_json : cmd_ask_add_text)(&shown, &work->out);
        cmd_print(&work->out);
    }
    arena_free(&work->arena);
    return true;
}

/* Text as it can be split: its bytes are UTF-8, and what a program printed is code, which
 * in the posts that were learned from and are searched it is, too. */
static struct str make_ready(struct asking_work *work, struct str text)
{
    struct buf repaired = {0};

    buf_clear(&work->text);
    text_utf8_repair(text, &repaired);
    if (learn_parts_form(buf_str(&repaired)) == ITEM_HTML)
        buf_add(&work->text, buf_str(&repaired));
    else
        extract_fence(buf_str(&repaired), &work->text);
    buf_free(&repaired);
    return buf_str(&work->text);
}

/* A heading of Markdown without the marks around it. */
static struct str unmark(struct str line)
{
    struct str rest = line;

    while (rest.len > 0 && *rest.ptr == '#')
        rest = str_slice(rest, 1, rest.len);
    if (rest.len == line.len || rest.len + 6 < line.len || !str_starts(rest, STR(" ")))
        return line;
    while (str_ends(rest, STR("#")))
        rest.len--;
    rest = str_trim(rest);
    return rest.len > 0 ? rest : line;
}

/* The first line of a text is its title when an empty line, or nothing, is behind it;
 * html and code have none. */
static void split_text(struct asking_work *work, struct str text, struct learn_parts *out)
{
    struct str rest = str_trim(text), line, next;

    *out = (struct learn_parts){0};
    str_cut(&rest, '\n', &line);
    struct str behind = rest;
    str_cut(&behind, '\n', &next);
    bool titled = str_trim(next).len == 0 && !str_starts(line, STR("<")) &&
                  !str_starts(line, STR("```"));
    learn_parts_split(titled ? rest : text, &work->splitter, out);
    if (titled)
        out->at[LEARN_PARTS_TITLE] = unmark(str_trim(line));
}

/* What there is instead of a question; NULL: there is one. */
static const char *instead_of_question(struct str text)
{
    if (str_trim(text).len == 0)
        return "nothing";
    if (file_no_text(text) != NULL)
        return file_no_text(text);
    return memchr(text.ptr, '\0', text.len) != NULL ? "bytes that are no text" : NULL;
}

/* In a folder a file that holds no question, or is broken, does not keep the others from
 * being answered. */
static void skip_file(struct asking_work *work, const char *says)
{
    work->unread++;
    if (!work->listing)
        fprintf(stderr, "%s\n", says);
}

static bool ask_text(struct asking_work *work, struct str text, struct str name,
                     const char *where, struct err *err)
{
    const char *instead = instead_of_question(text);
    struct learn_parts parts;

    if (instead != NULL)
        return err_set(err, ERR_INPUT, "%s: expected a question, found %s", where,
                       instead);
    split_text(work, make_ready(work, text), &parts);
    return ask(work, &parts, ITEM_NONE, name, err);
}

static bool ask_file(struct asking_work *work, const char *path, struct str name,
                     struct err *err)
{
    struct arena arena = {0};
    const char *from = strcmp(path, "-") == 0 ? "/dev/stdin" : path;
    struct str text;
    bool ok =
        file_read(from, &arena, &text, err) && ask_text(work, text, name, path, err);

    arena_free(&arena);
    return ok;
}

/* An id that stands in an earlier row does not say any more which question was meant. */
static void tell_twice(struct asking_work *work, struct str id)
{
    int64_t *first = map_put(&work->ids, arena_copy(work->kept, id));

    if (*first == 0)
        *first = (int64_t)work->row;
    else if (!work->listing)
        fprintf(stderr, "%s: row %zu: the id '%.*s' stands in row %lld, too\n",
                work->table, work->row, STR_ARG(id), (long long)*first);
}

static bool take_row(void *context, const struct cmd_posts_row *row, struct err *err)
{
    struct asking_work *work = context;
    struct learn_parts parts = row->parts;
    struct str name = row->values[CMD_POSTS_ID];

    work->row++;
    learn_parts_complete(make_ready(work, row->body), &work->splitter, &parts);
    tell_twice(work, name);
    if (learn_parts_empty(&parts)) {
        if (!work->listing)
            fprintf(stderr, "%s: row %zu: expected a question, found nothing\n",
                    work->table, work->row);
        return true;
    }
    if (work->file.len > 0)
        name =
            arena_format(&work->arena, "%.*s:%.*s", STR_ARG(work->file), STR_ARG(name));
    else
        name = arena_copy(&work->arena, name);
    return ask(work, &parts, ITEM_NONE, name, err);
}

static bool ask_rows(struct asking_work *work, const char *path, struct err *err)
{
    struct cmd_posts posts = {.path = path,
                              .text = work->args->text,
                              .columns = {[CMD_POSTS_ID] = work->args->id},
                              .take = take_row,
                              .context = work};

    size_t asked = work->asked;
    work->table = path;
    work->row = 0;
    work->ids = (struct map){.arena = work->kept};
    return cmd_posts_read(&posts, err) &&
           (posts.rows == 0 || work->asked > asked ||
            err_set(err, ERR_INPUT, "%s: expected questions, found only empty rows",
                    path));
}

static bool is_table(struct str name)
{
    static const struct str endings[] = {STR_INIT(".csv"), STR_INIT(".json"),
                                         STR_INIT(".jsonl"), STR_INIT(".ndjson")};

    for (size_t i = 0; i < ROWS_OF(endings); i++)
        if (str_ends(name, endings[i]))
            return true;
    return false;
}

static bool ask_folder(struct asking_work *work, const char *path, struct arena *arena,
                       struct err *err)
{
    const char *const *names;
    size_t count;

    if (!file_list(path, arena, &names, &count, err))
        return false;
    for (size_t i = 0; i < count; i++) {
        const char *file = file_join(path, names[i], arena);
        if (file_is_folder(file))
            continue;
        work->file = str_from(names[i]);
        work->files++;
        if (is_table(work->file) ? ask_rows(work, file, err)
                                 : ask_file(work, file, work->file, err))
            continue;
        if (work->unanswered || err->kind == ERR_USAGE || stop_requested())
            return false;
        skip_file(work, err->text);
    }
    return work->asked > 0 ||
           err_set(err, ERR_INPUT, "%s: expected files with questions, found none", path);
}

static bool ask_item(struct asking_work *work, const struct study *study, struct err *err)
{
    struct learn_parts parts;
    int64_t id;

    if (!item_key_read(&study->spaces, str_from(work->args->item), &id, err))
        return err_at(err, "--item: ");
    return run_asking_of_item(&work->asking, id, &work->arena, &parts, err)
               ? ask(work, &parts, id, (struct str){0}, err)
               : err_at(err, "--item %s: ", work->args->item);
}

/* Exactly one of the ways to bring a question. */
static bool check(const struct args *args, struct err *err)
{
    int ways = (args->question != NULL) + (args->file != NULL) + (args->in != NULL) +
               (args->item != NULL);

    if (ways != 1)
        return err_set(err, ERR_USAGE, "%s: a question is TEXT, --file, --in or --item",
                       ways == 0 ? "there is no question"
                                 : "there are several questions");
    if (args->vectors == NULL && (args->given != NULL || args->embed.url != NULL))
        return err_set(err, ERR_USAGE, "%s goes with --vectors NAME",
                       args->given != NULL ? "--given" : "--embed");
    if (args->given != NULL && args->embed.url != NULL)
        return err_set(err, ERR_USAGE,
                       "--given and --embed are two ways to the question's vector");
    if (!cmd_embedding_check(&args->embed, args->vectors, err))
        return false;
    if (args->page != NULL && args->json)
        return err_set(err, ERR_USAGE, "--page and --json are two ways to show it");
    return true;
}

static void tell(const char *path)
{
    fprintf(stderr, "%s: made from the corpus, once\n", path);
}

static bool ask_all(struct asking_work *work, const struct study *study,
                    struct arena *arena, struct err *err)
{
    const struct args *args = work->args;

    work->kept = arena;
    if (args->question != NULL)
        return ask_text(work, str_from(args->question), (struct str){0}, "TEXT", err);
    if (args->file != NULL)
        return ask_file(work, args->file, (struct str){0}, err);
    if (args->item != NULL)
        return ask_item(work, study, err);
    return file_is_folder(args->in) ? ask_folder(work, args->in, arena, err)
                                    : ask_rows(work, args->in, err);
}

/* Many questions are asked for together: several go into a request, and records, which
 * may be large, are read once. What can be read only once comes one by one. */
static bool embed_all(struct asking_work *work, const struct study *study,
                      struct arena *arena, struct err *err)
{
    const struct args *args = work->args;

    if (args->in == NULL || work->how == NULL || args->given != NULL ||
        (!file_is_folder(args->in) && file_size(args->in) <= 0)) /* a pipe has no size */
        return true;
    work->places.arena = arena;
    work->listing = true;
    bool ok = ask_all(work, study, arena, err);
    work->listing = false;
    work->asked = work->files = work->unread = 0;
    struct model_embed_texts texts = {work->names.at, work->texts.at, work->texts.count};
    return ok &&
           embed_questions(work, &texts, args->opening.quiet, arena, &work->listed, err);
}

/* The vectors of --vectors, and where those of questions come from. */
static bool use_vectors(struct asking_work *work, const struct study *study,
                        struct arena *arena, struct err *err)
{
    const struct args *args = work->args;
    struct str *names = arena_array(arena, struct str, study->vectors_count + 1);

    if (args->vectors == NULL)
        return true;
    for (size_t i = 0; i < study->vectors_count; i++)
        if (str_eq(names[i] = study->vectors[i].name, str_from(args->vectors)))
            work->vectors = &study->vectors[i];
    if (work->vectors == NULL) {
        size_t near = near_find(str_from(args->vectors), names, study->vectors_count);
        return err_set(err, ERR_USAGE, "the study has no vectors '%s'%s%.*s%s",
                       args->vectors,
                       near < study->vectors_count ? "; did you mean '" : "",
                       STR_ARG(near < study->vectors_count ? names[near] : STR("")),
                       near < study->vectors_count ? "'?" : "");
    }
    work->how = work->vectors->embed;
    if (args->embed.url != NULL) {
        struct study_embed *how = arena_array(arena, struct study_embed, 1);
        *how = cmd_embedding_how(&args->embed);
        if (work->how != NULL) { /* texts are to be like those of the items */
            how->question_prefix = work->how->question_prefix;
            how->dimensions = work->how->dimensions;
            how->characters = work->how->characters;
        }
        work->how = how;
    }
    if (args->given == NULL && args->item == NULL && work->how == NULL)
        return err_set(
            err, ERR_USAGE,
            "the question needs a vector as well: --given FILE or --embed URL");
    if (work->vectors->embed != NULL && !file_exists(work->vectors->file))
        return err_set(err, ERR_INPUT, "%s: it is not there yet; see assay embed",
                       work->vectors->file);
    if (!run_asking_use(&work->asking, work->vectors, err))
        return false;
    if (work->asking.vectors.without > 0 && !args->opening.quiet)
        fprintf(stderr,
                "%s: %zu items of the corpus have no vector, and are not found by "
                "them\n",
                work->vectors->file, work->asking.vectors.without);
    if (args->given == NULL)
        return true;
    if (!input_vectors_read(args->given, NULL, arena, &work->given, err))
        return false;
    if (args->in == NULL && work->given.count != 1)
        return err_set(err, ERR_INPUT,
                       "%s: there are %zu vectors, expected that of the question alone",
                       args->given, work->given.count);
    return work->given.dimensions == work->asking.vectors.dimensions ||
           err_set(err, ERR_INPUT,
                   "%s: the vectors have %zu numbers, expected %zu as "
                   "those of %s",
                   args->given, work->given.dimensions, work->asking.vectors.dimensions,
                   work->vectors->file);
}

static bool run(struct cmd_session *session, const void *arguments, struct err *err)
{
    const struct args *args = arguments;
    struct asking_work work = {.args = args};
    struct study study;

    if (!check(args, err) || !cmd_opening_study(session, &args->opening, &study, err))
        return false;
    bool ok = run_asking_open(&study, args->opening.quiet ? NULL : tell, &session->arena,
                              &work.asking, err);
    ok = ok && use_vectors(&work, &study, &session->arena, err) &&
         embed_all(&work, &study, &session->arena, err);
    if (ok && args->page != NULL)
        cmd_ask_page_begin(&study, &work.out);
    ok = ok && ask_all(&work, &study, &session->arena, err);
    if (ok && args->page != NULL) {
        cmd_ask_page_end(&work.out);
        ok = file_write(args->page, buf_str(&work.out), err);
    }
    if (ok && work.unread > 0)
        ok = err_set(err, ERR_INPUT,
                     "%s: %zu of %zu files %s no question or cannot be read", args->in,
                     work.unread, work.files, work.unread == 1 ? "holds" : "hold");
    run_asking_close(&work.asking);
    learn_parts_splitter_free(&work.splitter);
    arena_free(&work.arena);
    list_free(&work.names);
    list_free(&work.texts);
    buf_free(&work.text);
    buf_free(&work.out);
    return ok;
}

const struct cmd cmd_ask = {
    .name = "ask",
    .summary = "Find the nearest solved questions, and what answers them",
    .see_also = "assay-run(1),assay-classify(1),assay-scan(1)",
    .operands = operands,
    .options = options,
    .run = run,
};
