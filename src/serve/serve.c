/* From a request to its answer: the door, who it is, which page or part of the api. */
#include "serve/serve.h"

#include <stdio.h>

#include "base/progress.h"
#include "base/stop.h"
#include "serve/aside.h"
#include "serve/guard.h"
#include "serve/http.h"
#include "serve/internal.h"
#include "serve/web.h"
#include "serve/writer.h"

enum {
    BODY_BYTES_MAX = 64 * 1024,
    HANDLE_LEN = 8,        /* of the token; the rest of it is the secret */
    WRONG_MAX = 30,        /* wrong tokens for one handle ... */
    WRONG_SPAN_MS = 60000, /* ... in this time; then right ones wait as well */
    STOP_LOOK_MS = 250,
};

struct visitor {
    const struct label_person *person;
    struct str token, handle;
    int wrong;
    int64_t wrong_since_ms;
};

struct serve {
    struct arena arena; /* holds the struct itself */
    struct label *label;
    struct aside *aside;
    const struct label_picked *queue;
    size_t queue_count;
    struct http *http;
    struct guard guard;
    const char *listen;
    struct visitor *visitors;
    size_t visitor_count;
};

static const struct {
    struct str name;
    enum http_method method;
    unsigned roles; /* any of them */
    serve_answer *answer;
} calls[] = {
    {STR_INIT("task"), HTTP_GET, LABEL_RATER | LABEL_ARBITER | LABEL_LEAD, serve_task},
    {STR_INIT("next"), HTTP_GET, LABEL_RATER, serve_next},
    {STR_INIT("at"), HTTP_GET, LABEL_RATER, serve_at},
    {STR_INIT("label"), HTTP_POST, LABEL_RATER, serve_label},
    {STR_INIT("undo"), HTTP_POST, LABEL_RATER, serve_undo},
    {STR_INIT("propose"), HTTP_POST, LABEL_RATER, serve_propose},
    {STR_INIT("reviews"), HTTP_GET, LABEL_RATER, serve_reviews},
    {STR_INIT("review"), HTTP_POST, LABEL_RATER, serve_review},
    {STR_INIT("dispute"), HTTP_GET, LABEL_ARBITER | LABEL_LEAD, serve_dispute},
    {STR_INIT("item"), HTTP_GET, LABEL_ARBITER | LABEL_LEAD, serve_item},
    {STR_INIT("decide"), HTTP_POST, LABEL_ARBITER | LABEL_LEAD, serve_decide},
    {STR_INIT("lead"), HTTP_GET, LABEL_LEAD, serve_lead},
    {STR_INIT("round"), HTTP_POST, LABEL_LEAD, serve_round},
    {STR_INIT("judge"), HTTP_POST, LABEL_LEAD, serve_judge},
};

/* In the order in which somebody with several roles comes to them. */
static const struct {
    struct str name, file;
    unsigned roles;
} pages[] = {
    {STR_INIT("lead"), STR_INIT("lead.html"), LABEL_LEAD},
    {STR_INIT("rater"), STR_INIT("rater.html"), LABEL_RATER},
    {STR_INIT("arbiter"), STR_INIT("arbiter.html"), LABEL_ARBITER | LABEL_LEAD},
};

/* Answers. */

static void fill_asset(struct http_answer *answer, struct str name)
{
    const struct web_asset *asset = web_find(name);

    answer->status = 200;
    answer->type = asset->type;
    buf_add(&answer->body, web_text(asset));
}

/* To people and to scripts alike: {"error": text}. */
static void fail(struct http_answer *answer, int status, const char *text)
{
    answer->status = status;
    answer->type = "application/json";
    buf_clear(&answer->body);
    writer_open(&answer->body, NULL, '{');
    writer_text(&answer->body, "error", str_from(text));
    writer_close(&answer->body, '}');
}

static void fail_unknown(struct http_answer *answer)
{
    fail(answer, 404, "there is nothing here");
}

static void fail_stranger(struct http_answer *answer)
{
    fail(answer, 403, "this needs the link that was made for you; please open it again");
}

static void fail_err(struct http_answer *answer, const struct err *err)
{
    fail(answer, err->kind == ERR_SYSTEM ? 500 : 400, err->text);
}

/* Who it is. */

static struct visitor *find_handle(struct serve *serve, struct str handle)
{
    for (size_t i = 0; i < serve->visitor_count; i++)
        if (str_eq(serve->visitors[i].handle, handle))
            return &serve->visitors[i];
    return NULL;
}

/* Whether this visitor may try again; guesses beyond the limit are not even looked at. */
static bool may_try(struct visitor *visitor)
{
    int64_t now_ms = progress_clock_ms();

    if (now_ms - visitor->wrong_since_ms > WRONG_SPAN_MS) {
        visitor->wrong = 0;
        visitor->wrong_since_ms = now_ms;
    }
    return visitor->wrong < WRONG_MAX;
}

/* The visitor whose token it is; otherwise NULL, and *answer says why. */
static struct visitor *recognise(struct serve *serve, struct str token,
                                 struct http_answer *answer)
{
    struct visitor *visitor = find_handle(serve, str_slice(token, 0, HANDLE_LEN));
    const struct label_person *person;
    struct err err = {0};

    if (visitor == NULL) {
        fail_stranger(answer);
        return NULL;
    }
    if (!may_try(visitor)) {
        fail(answer, 429, "too many wrong links; please wait a minute");
        return NULL;
    }
    if (!label_find_token(serve->label, token, &person, &err)) {
        fail_err(answer, &err);
        return NULL;
    }
    if (person == NULL || !str_eq(person->name, visitor->person->name)) {
        visitor->wrong++;
        fail_stranger(answer);
        return NULL;
    }
    return visitor;
}

/* The same by the cookie that belongs to the handle in the path. */
static struct visitor *recognise_cookie(struct serve *serve, struct str handle,
                                        const struct http_request *request,
                                        struct http_answer *answer)
{
    struct buf name = {0};

    buf_add_format(&name, "assay-%.*s", STR_ARG(handle));
    struct str token = guard_cookie(request->cookies, buf_str(&name));
    buf_free(&name);
    if (!str_eq(str_slice(token, 0, HANDLE_LEN), handle)) {
        fail_stranger(answer);
        return NULL;
    }
    return recognise(serve, token, answer);
}

/* The door. */

static bool is_secure(const struct serve *serve)
{
    return str_starts(serve->guard.url, STR("https://"));
}

static void enter(struct serve *serve, const struct http_request *request,
                  struct http_answer *answer)
{
    json_t *body = json_loadb(request->body.ptr, request->body.len, 0, NULL);
    struct str token;
    struct err err = {0};

    if (!serve_ask_text(body, "token", SERVE_REQUIRED, &token, &err)) {
        fail_err(answer, &err);
        json_decref(body);
        return;
    }
    const struct visitor *visitor = recognise(serve, token, answer);
    if (visitor != NULL) {
        struct buf cookie = {0};
        buf_add_format(&cookie,
                       "assay-%.*s=%.*s; Path=/; HttpOnly; SameSite=Strict; "
                       "Max-Age=31536000%s",
                       STR_ARG(visitor->handle), STR_ARG(visitor->token),
                       is_secure(serve) ? "; Secure" : "");
        answer->status = 200;
        answer->type = "application/json";
        answer->cookie = arena_c_string(request->arena, buf_str(&cookie));
        buf_add_format(&answer->body, "{\"go\":\"/u/%.*s/\"}", STR_ARG(visitor->handle));
        buf_free(&cookie);
    }
    json_decref(body);
}

/* Pages and calls. */

static void go_to_first_page(const struct visitor *visitor,
                             const struct http_request *request,
                             struct http_answer *answer)
{
    struct buf location = {0};
    size_t page = 0;

    while (page + 1 < ROWS_OF(pages) && (pages[page].roles & visitor->person->roles) == 0)
        page++;
    buf_add_format(&location, "/u/%.*s/%.*s", STR_ARG(visitor->handle),
                   STR_ARG(pages[page].name));
    answer->status = 303;
    answer->type = "text/plain; charset=utf-8";
    answer->location = arena_c_string(request->arena, buf_str(&location));
    buf_free(&location);
}

static void show_page(struct serve *serve, struct str rest,
                      const struct http_request *request, struct http_answer *answer)
{
    struct str handle;
    bool slash = str_cut(&rest, '/', &handle);
    const struct visitor *visitor = recognise_cookie(serve, handle, request, answer);

    if (visitor == NULL)
        return;
    if (slash && rest.len == 0) {
        go_to_first_page(visitor, request, answer);
        return;
    }
    for (size_t i = 0; slash && i < ROWS_OF(pages); i++)
        if (str_eq(pages[i].name, rest) &&
            (pages[i].roles & visitor->person->roles) != 0) {
            fill_asset(answer, pages[i].file);
            return;
        }
    fail_unknown(answer);
}

static void run_call(struct serve *serve, size_t call, const struct visitor *visitor,
                     struct str rest, const struct http_request *request,
                     struct http_answer *answer)
{
    struct err err = {0};
    json_t *body =
        json_loadb(request->body.ptr, request->body.len, JSON_REJECT_DUPLICATES, NULL);
    struct serve_call asked = {.label = serve->label,
                               .person = visitor->person->name,
                               .roles = visitor->person->roles,
                               .rest = rest,
                               .body = body,
                               .arena = request->arena,
                               .digest = aside_latest(serve->aside),
                               .queue = serve->queue,
                               .queue_count = serve->queue_count};

    answer->status = 200;
    answer->type = "application/json";
    if (request->method == HTTP_POST && !json_is_object(body)) {
        fail(answer, 400, "the request is no json object");
    } else {
        writer_open(&answer->body, NULL, '{');
        if (calls[call].answer(&asked, &answer->body, &err))
            writer_close(&answer->body, '}');
        else
            fail_err(answer, &err);
    }
    json_decref(body);
}

static void find_call(struct serve *serve, struct str rest,
                      const struct http_request *request, struct http_answer *answer)
{
    struct str handle, name;

    if (!str_cut(&rest, '/', &handle)) {
        fail_unknown(answer);
        return;
    }
    const struct visitor *visitor = recognise_cookie(serve, handle, request, answer);
    if (visitor == NULL)
        return;
    str_cut(&rest, '/', &name);
    for (size_t i = 0; i < ROWS_OF(calls); i++) {
        if (!str_eq(calls[i].name, name))
            continue;
        if ((calls[i].roles & visitor->person->roles) == 0)
            fail(answer, 403, "this is not for you");
        else if (calls[i].method != request->method)
            fail(answer, 405, "this is asked for in another way");
        else
            run_call(serve, i, visitor, rest, request, answer);
        return;
    }
    fail_unknown(answer);
}

/* Takes a prefix off *path; false when it does not begin so. */
static bool cut_prefix(struct str *path, struct str prefix)
{
    if (!str_starts(*path, prefix))
        return false;
    *path = str_slice(*path, prefix.len, path->len);
    return true;
}

static void handle(void *context, const struct http_request *request,
                   struct http_answer *answer)
{
    struct serve *serve = context;
    struct str path = request->path;
    bool get = request->method == HTTP_GET;

    if (cut_prefix(&path, STR("/api/")))
        find_call(serve, path, request, answer);
    else if (!get && str_eq(path, STR("/enter")))
        enter(serve, request, answer);
    else if (get && str_eq(path, STR("/")))
        fill_asset(answer, STR("enter.html"));
    else if (get && cut_prefix(&path, STR("/u/")))
        show_page(serve, path, request, answer);
    else if (get && cut_prefix(&path, STR("/web/")) && web_find(path) != NULL)
        fill_asset(answer, path);
    else
        fail_unknown(answer);
}

/* Labels that come in at the same time are one transaction: many raters wait for the disk
 * once. Both are single acts, which change nothing when they are refused. */
static bool is_shared(void *context, const struct http_request *request)
{
    (void)context;
    return request->method == HTTP_POST && (str_ends(request->path, STR("/label")) ||
                                            str_ends(request->path, STR("/undo")));
}

static void handle_shared(void *context, const struct http_request *const *requests,
                          struct http_answer *const *answers, size_t count)
{
    struct serve *serve = context;
    struct err err = {0};
    bool ok = label_begin(serve->label, &err);

    for (size_t i = 0; i < count && ok; i++) {
        handle(serve, requests[i], answers[i]);
        ok = answers[i]->status != 500;
    }
    ok = ok && label_commit(serve->label, &err);
    if (ok)
        return;
    label_rollback(serve->label);
    for (size_t i = 0; i < count; i++)
        fail(answers[i], 500, err.kind != ERR_NONE ? err.text : "nothing was saved");
}

/* Other sites' pages get no further than this. */
static bool admit(void *context, const struct http_request *request,
                  struct http_answer *answer)
{
    const struct serve *serve = context;
    struct str site = request->fetch_site;
    bool post = request->method == HTTP_POST;
    bool foreign =
        site.len > 0 && !str_eq(site, STR("same-origin")) && !str_eq(site, STR("none"));

    if (request->method == HTTP_OTHER)
        fail(answer, 405, "only GET and POST are answered");
    else if (!guard_host(&serve->guard, request->host))
        fail(answer, 421, "this server is not known by that name");
    else if (post && !guard_origin(&serve->guard, request->host, request->origin))
        fail(answer, 403, "this was sent by another site's page");
    else if (post && !guard_is_json(request->content_type))
        fail(answer, 415, "expected application/json");
    else if (foreign && str_starts(request->path, STR("/api/")))
        fail(answer, 403, "this was asked for by another site's page");
    else
        return true;
    return false;
}

/* Opening and running. */

static bool add_visitors(struct serve *serve, struct err *err)
{
    const struct label_person *people;

    serve->visitor_count = label_people(serve->label, &people);
    serve->visitors = arena_array(&serve->arena, struct visitor, serve->visitor_count);
    for (size_t i = 0; i < serve->visitor_count; i++) {
        struct visitor *visitor = &serve->visitors[i];
        visitor->person = &people[i];
        if (!label_token(serve->label, people[i].name, &serve->arena, &visitor->token,
                         err))
            return false;
        visitor->handle = str_slice(visitor->token, 0, HANDLE_LEN);
    }
    return true;
}

bool serve_open(const struct serve_options *options, struct serve **out, struct err *err)
{
    struct arena arena = {0};
    struct serve *serve = arena_alloc(&arena, 1, sizeof *serve);
    struct http_options http = {.address = options->listen,
                                .port = options->port,
                                .body_max = BODY_BYTES_MAX,
                                .context = serve,
                                .admit = admit,
                                .handle = handle,
                                .is_shared = is_shared,
                                .handle_shared = handle_shared};

    serve->arena = arena;
    serve->label = options->label;
    serve->listen = options->listen;
    serve->queue = options->queue;
    serve->queue_count = options->queue_count;
    if (options->url != NULL)
        serve->guard.url = str_from(options->url);
    if (!add_visitors(serve, err) || !aside_open(serve->label, &serve->aside, err) ||
        !http_open(&http, &serve->http, err)) {
        serve_close(serve);
        return false;
    }
    serve->guard.port = http_port(serve->http);
    *out = serve;
    return true;
}

int serve_port(const struct serve *serve)
{
    return serve->guard.port;
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
                       serve->guard.port);
    buf_add_format(&link, "/#%.*s", STR_ARG(serve->visitors[person].token));
    struct str copy = arena_copy(arena, buf_str(&link));
    buf_free(&link);
    return copy;
}

bool serve_once(struct serve *serve, int wait_ms, struct err *err)
{
    return http_run(serve->http, wait_ms, err);
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
    http_close(serve->http);
    aside_close(serve->aside);
    struct arena arena = serve->arena;
    arena_free(&arena);
}
