/* One server: who is let in, labels that are saved together, opening and running. What is
 * answered is in routes.c. */
#include "serve/serve.h"

#include "base/progress.h"
#include "base/stop.h"
#include "serve/guard.h"
#include "serve/internal.h"

enum {
    BODY_BYTES_MAX = 64 * 1024,
    STOP_LOOK_MS = 250,
    SETTLE_MS = 1000, /* so long may what was saved be in the log beside labels.db */
};

struct serve {
    struct arena arena; /* holds the struct itself */
    struct serve_routes routes;
    struct serve_http *http;
    struct serve_guard guard;
    const char *listen;
    int64_t settled_ms;
};

static void handle(void *context, const struct serve_http_request *request,
                   struct serve_http_answer *answer)
{
    struct serve *serve = context;

    serve_routes_answer(&serve->routes, request, answer);
    if (request->method == SERVE_HTTP_POST && answer->status == 200)
        serve_routes_trouble(&serve->routes, &(struct err){0});
}

/* Labels that come in at the same time are one transaction: many raters wait for the disk
 * once. All are single acts, which change nothing when they are refused. */
static bool is_shared(void *context, const struct serve_http_request *request)
{
    const struct serve *serve = context;

    return serve->routes.label != NULL && request->method == SERVE_HTTP_POST &&
           (str_ends(request->path, STR("/label")) ||
            str_ends(request->path, STR("/note")) ||
            str_ends(request->path, STR("/undo")));
}

static void handle_shared(void *context, const struct serve_http_request *const *requests,
                          struct serve_http_answer *const *answers, size_t count)
{
    struct serve *serve = context;
    struct err err = {0};
    bool ok = label_begin(serve->routes.label, &err);

    for (size_t i = 0; i < count && ok; i++) {
        serve_routes_answer(&serve->routes, requests[i], answers[i]);
        ok = answers[i]->status != 500;
    }
    ok = ok && label_commit(serve->routes.label, &err);
    if (ok || err.kind != ERR_NONE)
        serve_routes_trouble(&serve->routes, &err);
    if (ok)
        return;
    label_rollback(serve->routes.label);
    for (size_t i = 0; i < count; i++)
        serve_refuse(answers[i], 500, serve->routes.trouble.text);
}

/* Other sites' pages get no further than this. */
static bool admit(void *context, const struct serve_http_request *request,
                  struct serve_http_answer *answer)
{
    const struct serve *serve = context;
    struct str site = request->fetch_site;
    bool post = request->method == SERVE_HTTP_POST;
    bool foreign =
        site.len > 0 && !str_eq(site, STR("same-origin")) && !str_eq(site, STR("none"));

    if (request->method == SERVE_HTTP_OTHER)
        serve_refuse(answer, 405, "only GET and POST are answered");
    else if (!serve_guard_host(&serve->guard, request->host))
        serve_refuse(answer, 421, "this server is not known by that name");
    else if (post && !serve_guard_origin(&serve->guard, request->host, request->origin))
        serve_refuse(answer, 403, "this was sent by another site's page");
    else if (post && !serve_guard_is_json(request->content_type))
        serve_refuse(answer, 415, "expected application/json");
    else if (foreign && str_starts(request->path, STR("/api/")))
        serve_refuse(answer, 403, "this was asked for by another site's page");
    else
        return true;
    return false;
}

bool serve_open(const struct serve_options *options, struct serve **out, struct err *err)
{
    struct arena arena = {0};
    struct serve *serve = arena_alloc(&arena, 1, sizeof *serve);
    struct serve_http_options http = {.address = options->listen,
                                      .port = options->port,
                                      .body_max = BODY_BYTES_MAX,
                                      .context = serve,
                                      .admit = admit,
                                      .handle = handle,
                                      .is_shared = is_shared,
                                      .handle_shared = handle_shared};

    serve->arena = arena;
    serve->routes.label = options->label;
    serve->routes.merges = options->merges;
    serve->listen = options->listen;
    serve->routes.queue = options->queue;
    serve->routes.queue_count = options->queue_count;
    if (options->url != NULL)
        serve->guard.url = str_from(options->url);
    serve->routes.tell = options->tell;
    serve->routes.tell_context = options->tell_context;
    http.prefix = serve->routes.prefix = serve_guard_path(serve->guard.url);
    serve->routes.secure = str_starts(serve->guard.url, STR("https://"));
    if (!serve_visitors_open(options->label, options->merges, &serve->arena,
                             &serve->routes.visitors, err) ||
        (options->label != NULL &&
         !serve_aside_open(options->label, &serve->routes.aside, err)) ||
        !serve_http_open(&http, &serve->http, err)) {
        serve_close(serve);
        return false;
    }
    *out = serve;
    return true;
}

struct str serve_link(const struct serve *serve, size_t person, struct arena *arena)
{
    struct buf link = {0};
    struct str listen = str_from(serve->listen);
    bool brackets = false;

    for (size_t i = 0; i < listen.len; i++)
        brackets |= listen.ptr[i] == ':';
    if (serve->guard.url.len > 0)
        buf_add(&link, serve->guard.url);
    else
        buf_add_format(&link, brackets ? "http://[%s]:%d" : "http://%s:%d", serve->listen,
                       serve_http_port(serve->http));
    buf_add_format(&link, "/#%.*s", STR_ARG(serve->routes.visitors.at[person].token));
    return buf_keep(&link, arena);
}

bool serve_once(struct serve *serve, int wait_ms, struct err *err)
{
    bool ok = serve_http_run(serve->http, wait_ms, err);
    int64_t now_ms = progress_clock_ms();

    if (serve->routes.label != NULL && serve->routes.unsettled &&
        now_ms - serve->settled_ms >= SETTLE_MS) {
        label_settle(serve->routes.label);
        serve->routes.unsettled = false;
        serve->settled_ms = now_ms;
    }
    return ok;
}

bool serve_run(struct serve *serve, struct err *err)
{
    while (!stop_requested())
        if (!serve_once(serve, STOP_LOOK_MS, err))
            return false;
    return true;
}

void serve_close(struct serve *serve)
{
    if (serve == NULL)
        return;
    serve_http_close(serve->http);
    serve_aside_close(serve->routes.aside);
    struct arena arena = serve->arena;
    arena_free(&arena);
}
