/* assay label: the labelling pages on this machine. */
#include <string.h>

#include "base/file.h"
#include "cmd/opening.h"
#include "serve/guard.h"
#include "serve/serve.h"

struct label_args {
    struct cmd_opening_args opening;
    const char *task, *listen, *url, *queue;
    int64_t port;
};

static const struct cmd_operand operands[] = {CMD_OPENING_OPERAND, {0}};

static const struct cmd_option options[] = {
    CMD_TASK_OPTION(struct label_args, task),
    {"--listen", CMD_TEXT, offsetof(struct label_args, listen), "ADDR",
     .help = "the address to listen on, such as 0.0.0.0 for every machine that can reach "
             "this one",
     .fallback = "127.0.0.1"},
    {"--port", CMD_INT, offsetof(struct label_args, port), "N",
     .help = "the port; 0 is a free one. With a fixed port links stay the same",
     .highest = 65535, .fallback = "0"},
    {"--url", CMD_TEXT, offsetof(struct label_args, url), "URL",
     .help = "the address that raters use when a reverse proxy stands between, as "
             "https://label.example.org or https://example.org/label"},
    {"--queue", CMD_TEXT, offsetof(struct label_args, queue), "FILE",
     .help = "a csv with the columns item and score, most uncertain first, from which "
             "the lead can open a chosen round"},
    CMD_OPENING_DATA,
    {0},
};

static bool is_loopback(const char *address)
{
    return strncmp(address, "127.", 4) == 0 || strcmp(address, "::1") == 0;
}

static const char *role_of(const struct label_person *person)
{
    return (person->roles & LABEL_LEAD) != 0      ? "lead"
           : (person->roles & LABEL_ARBITER) != 0 ? "arbiter"
                                                  : "rater";
}

static void print_links(struct cmd_session *session, const struct label *label,
                        const struct serve *serve)
{
    const struct label_person *people;
    size_t count = label_people(label, &people);

    for (size_t i = 0; i < count; i++) {
        struct str link = serve_link(serve, i, &session->arena);
        printf("%-8s %-16.*s %.*s\n", role_of(&people[i]), STR_ARG(people[i].name),
               STR_ARG(link));
    }
    fflush(stdout); /* whoever reads a pipe waits for the links */
    fprintf(stderr, "Each link is for one person and opens the study to whoever has it. "
                    "^C ends.\n");
}

static bool is_every_address(const char *address)
{
    return strcmp(address, "0.0.0.0") == 0 || strcmp(address, "::") == 0;
}

static void warn(const struct label_args *args)
{
    if (is_loopback(args->listen))
        return;
    fprintf(stderr, "assay: listening on %s: other machines can reach the pages",
            args->listen);
    if (args->url != NULL) {
        fprintf(stderr, ". Let only the proxy through to this port.\n");
        return;
    }
    fprintf(stderr,
            ", and what they send can be read on the way. assay does not encrypt; "
            "put a reverse proxy with TLS before it and give its address by "
            "--url.\n");
    if (is_every_address(args->listen))
        fprintf(stderr, "In the links, put this machine's address in place of %s.\n",
                args->listen);
}

static bool check_url(const char *url, struct err *err)
{
    if (url == NULL || serve_guard_is_url(str_from(url)))
        return true;
    return err_set(err, ERR_USAGE,
                   "--url '%s' is no such address; expected https://NAME or "
                   "http://NAME:PORT/PATH, the name in lower case, without a slash at "
                   "the end",
                   url);
}

/* One server for a task: raters with links to two would not know which to use. */
static bool take_lock(struct cmd_session *session, const struct label *label,
                      struct lock *lock, struct err *err)
{
    const struct label_task *task = label_task(label);
    struct str name =
        arena_format(&session->arena, ".assay-label-%.*s-lock", STR_ARG(task->name));

    return lock_take(file_join(task->study->home, name.ptr, &session->arena),
                     "assay label", lock, err);
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
    struct serve_options wanted = {.listen = args->listen,
                                   .port = (int)args->port,
                                   .url = args->url,
                                   .tell = tell_trouble};
    struct lock lock = {-1};
    struct label *label = NULL;
    struct serve *serve = NULL;
    struct label_picked *queue = NULL;
    struct study study;
    bool ok =
        check_url(args->url, err) &&
        cmd_task_open(session, &args->opening, args->task, false, &study, &label, err) &&
        (args->queue == NULL || label_read_queue(&study, args->queue, &session->arena,
                                                 &queue, &wanted.queue_count, err)) &&
        take_lock(session, label, &lock, err);

    if (ok) {
        wanted.label = label;
        wanted.queue = queue;
        ok = serve_open(&wanted, &serve, err);
    }
    if (ok) {
        warn(args);
        print_links(session, label, serve);
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
    .summary = "Show the labelling pages, for every rater",
    .description =
        "Serves the pages on which raters label the items of a study, the lead follows "
        "them, and an arbiter decides where they differ. It prints a link for each "
        "person; the link is the key, so give it to that person only. Raters work blind: "
        "none sees the labels, the number or the names of the others.\n"
        "\n"
        "A label is on the disk before the page says that it is saved; what a rater does "
        "without connection stays in the browser and is sent later, once. All acts are "
        "kept in labels.db, and none is ever changed; when the server ends, it leaves a copy, "
        "labels-copy.db. The links are in .assay-links. All three are for their owner "
        "alone.\n"
        "\n"
        "With `units: yes` in the study file raters mark units in an item, by keys or "
        "mouse, in lines of its diff or paragraphs of its text, and label each of them; "
        "the arbiter sees what raters marked side by side. See assay-labels(7).\n"
        "\n"
        "What the server refuses stays on the rater's page until it is mended; what comes when "
        "its round has been closed is kept apart and shown to the lead. Keys that are pressed "
        "while an item loads are for that item. A lead who also rates sees no agreement of "
        "the round that is open.\n"
        "\n"
        "By default only this machine can reach the pages. Raters elsewhere come by a reverse "
        "proxy, which encrypts: assay does not. Give the proxy's address by --url, with a "
        "path if it has one, and a fixed --port, so that links stay the same. With Caddy:\n"
        "\n"
        "    label.example.org {\n"
        "        reverse_proxy 127.0.0.1:8400\n"
        "    }\n"
        "\n"
        "With nginx, below a path of a server that has TLS, and --url "
        "https://example.org/label:\n"
        "\n"
        "    location /label/ {\n"
        "        proxy_pass http://127.0.0.1:8400/;\n"
        "        proxy_set_header Host $host;\n"
        "    }\n"
        "\n"
        "Who may log in to this machine needs neither: `ssh -L 9000:127.0.0.1:8400 HOST`, and "
        "in the link localhost:9000 in place of 127.0.0.1:8400. --listen 0.0.0.0 opens the "
        "pages to everybody on the network, and what they send can be read on the way.\n"
        "\n"
        "Send each person their link; the lead opens the first round on the lead's page, and "
        "pages that were open before wake by themselves.\n"
        "\n"
        "A classifier learns most from the items it is least sure of. --queue names such "
        "a list, and the lead may open a `chosen` round from it, in whose order every "
        "rater works. Final labels of chosen rounds are marked as such: they may teach a "
        "classifier, and are no sample from which shares could be told.",
    .examples = "  assay label my-study\n"
                "  assay label my-study --port 8400 --url https://label.example.org\n"
                "  assay label my-study --queue uncertain.csv\n",
    .see_also = "assay-run(1),assay-codebook(5),assay-study(5)",
    .operands = operands,
    .options = options,
    .run = run,
};
