/* assay label: the labelling pages on this machine. */
#include <string.h>

#include "base/file.h"
#include "cmd/label_models.h"
#include "cmd/opening.h"
#include "cmd/serving.h"

struct label_args {
    struct cmd_opening_args opening;
    struct cmd_serving_args serving;
    const char *task, *queue;
    bool models, dry;
};

static const struct cmd_operand operands[] = {CMD_OPENING_OPERAND, {0}};

static const struct cmd_option options[] = {
    CMD_TASK_OPTION(struct label_args, task),
    CMD_SERVING_OPTIONS(struct label_args, serving),
    {"--queue", CMD_TEXT, offsetof(struct label_args, queue), "FILE",
     .help = "a csv with the columns item and score, most uncertain first, from which "
             "the lead can open a chosen round"},
    {"--models", CMD_FLAG, offsetof(struct label_args, models), NULL,
     .help = "instead of pages: ask the raters that are models"},
    {"--dry-run", CMD_FLAG, offsetof(struct label_args, dry), NULL,
     .help = "with --models: say what it would take, and send nothing"},
    CMD_OPENING_DATA,
    {"--quiet", CMD_FLAG, offsetof(struct cmd_opening_args, quiet), NULL,
     .help = "with --models: no progress"},
    {0},
};

static const char *role_of(const struct label_person *person)
{
    return (person->roles & LABEL_LEAD) != 0      ? "lead"
           : (person->roles & LABEL_ARBITER) != 0 ? "arbiter"
                                                  : "rater";
}

/* One server for a task: raters with links to two would not know which to use. And one
 * that asks its models: two would ask everything twice. */
static bool take_lock(struct cmd_session *session, const struct label *label, bool models,
                      struct lock *lock, struct err *err)
{
    const struct label_task *task = label_task(label);
    struct str name = arena_format(&session->arena, ".assay-label-%.*s-%slock",
                                   STR_ARG(task->name), models ? "models-" : "");

    return lock_take(file_join(task->study->home, name.ptr, &session->arena),
                     models ? "assay label --models" : "assay label", lock, err);
}

static bool ask_models(struct cmd_session *session, const struct label_args *args,
                       struct err *err)
{
    struct lock lock = {-1};
    struct label *label = NULL;
    struct study study;
    bool ok =
        cmd_task_open(session, &args->opening, args->task, false, &study, &label, err) &&
        take_lock(session, label, true, &lock, err) &&
        cmd_label_models(session, label, args->dry, args->opening.quiet, err);

    label_close(label);
    lock_release(&lock);
    return ok;
}

static void tell_trouble(void *context, const char *text)
{
    (void)context;
    fprintf(stderr,
            "assay: nothing can be saved: %s. What raters do is kept in their "
            "browsers and sent when this is mended.\n",
            text);
}

/* At the end, beside the file; what cannot be copied is told and no failure. */
static void keep_copy(struct cmd_session *session, struct label *label)
{
    const char *path =
        file_join(label_task(label)->study->home, "labels-copy.db", &session->arena);
    struct buf copy = {0};
    struct err err = {0};

    if (!label_copy(label, &copy, &err) ||
        !file_write_private(path, buf_str(&copy), &err))
        fprintf(stderr, "assay: no copy of labels.db was made: %s\n", err.text);
    buf_free(&copy);
}

static bool run(struct cmd_session *session, const void *arguments, struct err *err)
{
    const struct label_args *args = arguments;
    struct serve_options wanted = {.tell = tell_trouble};
    struct lock lock = {-1};
    struct label *label = NULL;
    struct serve *serve = NULL;
    struct label_picked *queue = NULL;
    struct study study;

    if (args->models)
        return ask_models(session, args, err);
    if (args->dry)
        return err_set(err, ERR_USAGE, "--dry-run goes with --models");
    bool ok =
        cmd_serving_wanted(&args->serving, &wanted, err) &&
        cmd_task_open(session, &args->opening, args->task, false, &study, &label, err) &&
        (args->queue == NULL || label_read_queue(&study, args->queue, &session->arena,
                                                 &queue, &wanted.queue_count, err)) &&
        take_lock(session, label, false, &lock, err);

    if (ok) {
        wanted.label = label;
        wanted.queue = queue;
        ok = serve_open(&wanted, &serve, err);
    }
    if (ok) {
        const struct label_person *people;
        size_t count = label_people(label, &people);
        cmd_serving_links(session, &args->serving, serve, people, count, role_of);
        ok = serve_run(serve, err);
        keep_copy(session, label);
    }
    serve_close(serve);
    label_close(label);
    lock_release(&lock);
    return ok;
}

const struct cmd cmd_label = {
    .name = "label",
    .summary = "Show the labelling pages, or ask models that rate",
    .see_also = "assay-run(1),assay-codebook(5),assay-study(5)",
    .operands = operands,
    .options = options,
    .run = run,
};
