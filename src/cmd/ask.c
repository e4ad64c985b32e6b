/* assay ask: the nearest solved questions of a study's corpus. */
#include "cmd/ask.h"

#include <string.h>
#include <time.h>

#include "base/file.h"
#include "cmd/opening.h"
#include "cmd/posts.h"
#include "text/utf8.h"

struct args {
    struct cmd_opening_args opening;
    const char *question, *file, *in, *item, *text, *id, *page;
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
    struct str file;    /* of a folder, the one that is read; empty: none */
    struct buf out;
    size_t asked;
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

static bool ask(struct asking_work *work, const struct learn_parts *parts,
                int64_t without, struct str name, struct err *err)
{
    const struct args *args = work->args;
    struct run_asking_question question = {*parts, without, (size_t)args->top, args->any};
    struct run_asking_answer answer;
    double begin = now_ms();

    if (!run_asking_ask(&work->asking, &question, &work->arena, &answer, err))
        return false;
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

/* The first line of a text is its title when an empty line, or nothing, is behind it;
 * html has none. */
static void split_text(struct asking_work *work, struct str text, struct learn_parts *out)
{
    struct str rest = str_trim(text), line, next;

    *out = (struct learn_parts){0};
    str_cut(&rest, '\n', &line);
    struct str behind = rest;
    str_cut(&behind, '\n', &next);
    bool titled = str_trim(next).len == 0 && !str_starts(line, STR("<"));
    learn_parts_split(titled ? rest : text, &work->splitter, out);
    if (titled)
        out->at[LEARN_PARTS_TITLE] = str_trim(line);
}

static bool ask_text(struct asking_work *work, struct str text, struct str name,
                     const char *where, struct err *err)
{
    struct learn_parts parts;
    struct buf repaired = {0};

    text_utf8_repair(text, &repaired);
    split_text(work, buf_str(&repaired), &parts);
    bool ok =
        str_trim(text).len > 0
            ? ask(work, &parts, ITEM_NONE, name, err)
            : err_set(err, ERR_INPUT, "%s: expected a question, found nothing", where);
    buf_free(&repaired);
    return ok;
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

static bool take_row(void *context, const struct cmd_posts_row *row, struct err *err)
{
    struct asking_work *work = context;
    struct learn_parts parts = row->parts;
    struct str name = row->values[CMD_POSTS_ID];

    learn_parts_complete(row->body, &work->splitter, &parts);
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

    return cmd_posts_read(&posts, err);
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
        if (is_table(work->file) ? !ask_rows(work, file, err)
                                 : !ask_file(work, file, work->file, err))
            return false;
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

    if (args->question != NULL)
        return ask_text(work, str_from(args->question), (struct str){0}, "TEXT", err);
    if (args->file != NULL)
        return ask_file(work, args->file, (struct str){0}, err);
    if (args->item != NULL)
        return ask_item(work, study, err);
    return file_is_folder(args->in) ? ask_folder(work, args->in, arena, err)
                                    : ask_rows(work, args->in, err);
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
    if (ok && args->page != NULL)
        cmd_ask_page_begin(&study, &work.out);
    ok = ok && ask_all(&work, &study, &session->arena, err);
    if (ok && args->page != NULL) {
        cmd_ask_page_end(&work.out);
        ok = file_write(args->page, buf_str(&work.out), err);
    }
    run_asking_close(&work.asking);
    learn_parts_splitter_free(&work.splitter);
    arena_free(&work.arena);
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
