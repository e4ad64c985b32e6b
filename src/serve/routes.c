/* Two tables: the parts of the api, and the pages; each with the roles that it is for.
 * What a request says is read here, too. */
#include <math.h>
#include <string.h>

#include "base/compiler.h"
#include "base/file.h"
#include "serve/internal.h"

/* src/web/ and KaTeX, one file behind the other. */
extern const unsigned char serve_web[];
extern const size_t serve_web_len;

static const struct {
    struct str end;
    const char *type;
} types[] = {
    {STR_INIT(".html"), "text/html; charset=utf-8"},
    {STR_INIT(".js"), "text/javascript; charset=utf-8"},
    {STR_INIT(".css"), "text/css; charset=utf-8"},
    {STR_INIT(".svg"), "image/svg+xml"},
    {STR_INIT(".woff2"), "font/woff2"},
};

bool serve_web_find(struct str name, struct serve_web_asset *out)
{
    struct str bundle = {(const char *)serve_web, serve_web_len}, path;

    while (file_bundled(&bundle, &path, &out->bytes))
        for (size_t i = 0; i < ROWS_OF(types) && str_eq(path, name); i++)
            if (str_ends(path, types[i].end)) {
                out->type = types[i].type;
                return true;
            }
    return false;
}

static const struct {
    struct str name;
    enum serve_http_method method;
    unsigned roles; /* any of them */
    serve_answer *answer;
    const char *type; /* NULL: json */
} calls[] = {
    {STR_INIT("task"), SERVE_HTTP_GET, LABEL_RATER | LABEL_ARBITER | LABEL_LEAD,
     serve_task, NULL},
    {STR_INIT("image"), SERVE_HTTP_GET, LABEL_RATER | LABEL_ARBITER | LABEL_LEAD,
     serve_image, "application/octet-stream"},
    {STR_INIT("all"), SERVE_HTTP_GET, LABEL_RATER | LABEL_ARBITER | LABEL_LEAD, serve_all,
     NULL},
    {STR_INIT("thread"), SERVE_HTTP_GET, LABEL_RATER | LABEL_ARBITER | LABEL_LEAD,
     serve_thread, NULL},
    {STR_INIT("remark"), SERVE_HTTP_POST, LABEL_RATER | LABEL_ARBITER | LABEL_LEAD,
     serve_remark, NULL},
    {STR_INIT("export"), SERVE_HTTP_GET, LABEL_RATER | LABEL_LEAD, serve_export,
     "text/csv; charset=utf-8"},
    {STR_INIT("next"), SERVE_HTTP_GET, LABEL_RATER, serve_next, NULL},
    {STR_INIT("at"), SERVE_HTTP_GET, LABEL_RATER, serve_at, NULL},
    {STR_INIT("list"), SERVE_HTTP_GET, LABEL_RATER, serve_list, NULL},
    {STR_INIT("label"), SERVE_HTTP_POST, LABEL_RATER, serve_label, NULL},
    {STR_INIT("note"), SERVE_HTTP_POST, LABEL_RATER, serve_note, NULL},
    {STR_INIT("unit"), SERVE_HTTP_POST, LABEL_RATER, serve_unit, NULL},
    {STR_INIT("span"), SERVE_HTTP_POST, LABEL_RATER, serve_span, NULL},
    {STR_INIT("undo"), SERVE_HTTP_POST, LABEL_RATER, serve_undo, NULL},
    {STR_INIT("propose"), SERVE_HTTP_POST, LABEL_RATER, serve_propose, NULL},
    {STR_INIT("reviews"), SERVE_HTTP_GET, LABEL_RATER, serve_reviews, NULL},
    {STR_INIT("review"), SERVE_HTTP_POST, LABEL_RATER, serve_review, NULL},
    {STR_INIT("dispute"), SERVE_HTTP_GET, LABEL_ARBITER | LABEL_LEAD, serve_dispute,
     NULL},
    {STR_INIT("item"), SERVE_HTTP_GET, LABEL_ARBITER | LABEL_LEAD, serve_item, NULL},
    {STR_INIT("decide"), SERVE_HTTP_POST, LABEL_ARBITER | LABEL_LEAD, serve_decide, NULL},
    {STR_INIT("lead"), SERVE_HTTP_GET, LABEL_LEAD, serve_lead, NULL},
    {STR_INIT("round"), SERVE_HTTP_POST, LABEL_LEAD, serve_round, NULL},
    {STR_INIT("judge"), SERVE_HTTP_POST, LABEL_LEAD, serve_judge, NULL},
    {STR_INIT("copy"), SERVE_HTTP_GET, LABEL_LEAD, serve_copy, "application/vnd.sqlite3"},
    {STR_INIT("merging"), SERVE_HTTP_GET, SERVE_UNIFIER | SERVE_SETTLER, serve_merging,
     NULL},
    {STR_INIT("merges"), SERVE_HTTP_GET, SERVE_UNIFIER | SERVE_SETTLER, serve_merges,
     NULL},
    {STR_INIT("titles"), SERVE_HTTP_GET, SERVE_UNIFIER | SERVE_SETTLER, serve_titles,
     NULL},
    {STR_INIT("merge"), SERVE_HTTP_POST, SERVE_UNIFIER | SERVE_SETTLER, serve_merge,
     NULL},
};

/* In the order in which somebody with several roles comes to them. */
static const struct {
    struct str name, file;
    unsigned roles;
} pages[] = {
    {STR_INIT("lead"), STR_INIT("lead.html"), LABEL_LEAD},
    {STR_INIT("rater"), STR_INIT("rater.html"), LABEL_RATER},
    {STR_INIT("arbiter"), STR_INIT("arbiter.html"), LABEL_ARBITER | LABEL_LEAD},
    {STR_INIT("merges"), STR_INIT("merges.html"), SERVE_UNIFIER | SERVE_SETTLER},
    {STR_INIT("items"), STR_INIT("items.html"), LABEL_RATER | LABEL_ARBITER | LABEL_LEAD},
};

/* False when there is no such file. */
static bool fill_asset(struct serve_http_answer *answer, struct str name)
{
    struct serve_web_asset asset;

    if (!serve_web_find(name, &asset))
        return false;
    answer->status = 200;
    answer->type = asset.type;
    buf_add(&answer->body, asset.bytes);
    return true;
}

static void enter(struct serve_routes *routes, const struct serve_http_request *request,
                  struct serve_http_answer *answer)
{
    struct input_json_tree tree = {0};
    const struct input_json *body = input_json_parse(&tree, request->body);
    struct str token;
    struct err err = {0};

    if (!serve_ask_text(body, "token", SERVE_REQUIRED, &token, &err)) {
        serve_refuse_err(answer, &err);
        input_json_free(&tree);
        return;
    }
    const struct serve_visitor *visitor =
        serve_visitors_recognise(&routes->visitors, token, answer);
    if (visitor != NULL) {
        struct buf cookie = {0};
        buf_add_format(&cookie,
                       "assay-%.*s=%.*s; Path=%.*s/; HttpOnly; SameSite=Strict; "
                       "Max-Age=31536000%s",
                       STR_ARG(visitor->handle), STR_ARG(visitor->token),
                       STR_ARG(routes->prefix), routes->secure ? "; Secure" : "");
        answer->status = 200;
        answer->type = "application/json";
        answer->cookie = arena_c_string(request->arena, buf_str(&cookie));
        buf_add_format(&answer->body, "{\"go\":\"u/%.*s/\"}", STR_ARG(visitor->handle));
        buf_free(&cookie);
    }
    input_json_free(&tree);
}

static void go_to_first_page(const struct serve_visitor *visitor,
                             const struct serve_http_request *request,
                             struct serve_http_answer *answer)
{
    size_t page = 0;

    while (page + 1 < ROWS_OF(pages) && (pages[page].roles & visitor->person->roles) == 0)
        page++;
    answer->status = 303;
    answer->type = "text/plain; charset=utf-8";
    answer->location = arena_c_string(request->arena, pages[page].name);
}

static void show_page(struct serve_routes *routes, struct str rest,
                      const struct serve_http_request *request,
                      struct serve_http_answer *answer)
{
    struct str handle;
    bool slash = str_cut(&rest, '/', &handle);
    const struct serve_visitor *visitor =
        serve_visitors_by_cookie(&routes->visitors, handle, request, answer);

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
    serve_refuse_unknown(answer);
}

/* The machine's trouble is told to whoever runs the server, once, and to the lead until
 * something has been saved. A request that is refused is no such trouble. */
void serve_routes_trouble(struct serve_routes *routes, const struct err *err)
{
    bool news = err->kind == ERR_SYSTEM && strcmp(err->text, routes->trouble.text) != 0;

    if (err->kind == ERR_INPUT)
        return;
    routes->unsettled |= err->kind == ERR_NONE;
    routes->trouble = *err;
    if (news && routes->tell != NULL)
        routes->tell(routes->tell_context, err->text);
}

static void run_call(struct serve_routes *routes, size_t call,
                     const struct serve_visitor *visitor, struct str rest,
                     const struct serve_http_request *request,
                     struct serve_http_answer *answer)
{
    struct err err = {0};
    struct input_json_tree tree = {0};
    const struct input_json *body = input_json_parse(&tree, request->body);
    struct serve_call asked = {
        .label = routes->label,
        .merges = routes->merges,
        .person = visitor->person->name,
        .person_number = (size_t)(visitor - routes->visitors.at),
        .roles = visitor->person->roles,
        .rest = rest,
        .body = body,
        .arena = request->arena,
        .digest = routes->aside != NULL ? serve_aside_latest(routes->aside) : NULL,
        .trouble = routes->trouble.text,
        .queue = routes->queue,
        .queue_count = routes->queue_count};
    bool json = calls[call].type == NULL;

    asked.type = &answer->type;
    answer->status = 200;
    answer->type = json ? "application/json" : calls[call].type;
    if (request->method == SERVE_HTTP_POST && !input_json_is(body, INPUT_JSON_OBJECT)) {
        serve_refuse(answer, 400, "the request is no json object");
    } else {
        if (json)
            serve_writer_open(&answer->body, NULL, '{');
        bool ok = calls[call].answer(&asked, &answer->body, &err);
        if (!ok)
            serve_refuse_err(answer, &err);
        else if (json)
            serve_writer_close(&answer->body, '}');
        if (err.kind == ERR_SYSTEM)
            serve_routes_trouble(routes, &err);
    }
    input_json_free(&tree);
}

static void find_call(struct serve_routes *routes, struct str rest,
                      const struct serve_http_request *request,
                      struct serve_http_answer *answer)
{
    struct str handle, name;

    if (!str_cut(&rest, '/', &handle)) {
        serve_refuse_unknown(answer);
        return;
    }
    const struct serve_visitor *visitor =
        serve_visitors_by_cookie(&routes->visitors, handle, request, answer);
    if (visitor == NULL)
        return;
    str_cut(&rest, '/', &name);
    for (size_t i = 0; i < ROWS_OF(calls); i++) {
        if (!str_eq(calls[i].name, name))
            continue;
        if ((calls[i].roles & visitor->person->roles) == 0)
            serve_refuse(answer, 403, "this is not for you");
        else if (calls[i].method != request->method)
            serve_refuse(answer, 405, "this is asked for in another way");
        else
            run_call(routes, i, visitor, rest, request, answer);
        return;
    }
    serve_refuse_unknown(answer);
}

/* Takes a prefix off *path; false when it does not begin so. */
static bool cut_prefix(struct str *path, struct str prefix)
{
    if (!str_starts(*path, prefix))
        return false;
    *path = str_slice(*path, prefix.len, path->len);
    return true;
}

void serve_routes_answer(struct serve_routes *routes,
                         const struct serve_http_request *request,
                         struct serve_http_answer *answer)
{
    struct str path = request->path;
    bool get = request->method == SERVE_HTTP_GET;

    if (cut_prefix(&path, STR("/api/")))
        find_call(routes, path, request, answer);
    else if (!get && str_eq(path, STR("/enter")))
        enter(routes, request, answer);
    else if (get && str_eq(path, STR("/")))
        fill_asset(answer, STR("enter.html"));
    else if (get && cut_prefix(&path, STR("/u/")))
        show_page(routes, path, request, answer);
    else if (!get || !cut_prefix(&path, STR("/web/")) || !fill_asset(answer, path))
        serve_refuse_unknown(answer);
}

/* Members of the json that pages send. */

static bool missing(const char *name, struct err *err)
{
    return err_set(err, ERR_INPUT, "the request lacks '%s'", name);
}

static bool wrong(const char *name, const char *expected, struct err *err)
{
    return err_set(err, ERR_INPUT, "'%s' in the request is not %s", name, expected);
}

bool serve_ask_text(const struct input_json *body, const char *name, int required,
                    struct str *out, struct err *err)
{
    const struct input_json *value = input_json_get(body, name);

    *out = (struct str){0};
    if (value == NULL)
        return required == SERVE_OPTIONAL || missing(name, err);
    if (!input_json_is(value, INPUT_JSON_STRING))
        return wrong(name, "a text", err);
    *out = input_json_text(value);
    return true;
}

bool serve_ask_texts(const struct input_json *body, const char *name, struct arena *arena,
                     struct str **out, size_t *count, struct err *err)
{
    const struct input_json *list = input_json_get(body, name);

    if (list == NULL)
        return missing(name, err);
    if (!input_json_is(list, INPUT_JSON_ARRAY))
        return wrong(name, "a list of texts", err);
    *count = 0;
    *out = arena_array(arena, struct str, input_json_count(list));
    INPUT_JSON_EACH(value, list)
    {
        if (!input_json_is(value, INPUT_JSON_STRING))
            return wrong(name, "a list of texts", err);
        (*out)[(*count)++] = input_json_text(value);
    }
    return true;
}

bool serve_ask_int(const struct input_json *body, const char *name, int required,
                   int64_t *out, struct err *err)
{
    const struct input_json *value = input_json_get(body, name);

    *out = 0;
    if (value == NULL)
        return required == SERVE_OPTIONAL || missing(name, err);
    if (!input_json_is(value, INPUT_JSON_INTEGER))
        return wrong(name, "a whole number", err);
    *out = input_json_integer(value);
    return true;
}

bool serve_ask_real(const struct input_json *body, const char *name, double *out,
                    struct err *err)
{
    const struct input_json *value = input_json_get(body, name);

    *out = 0;
    if (value == NULL)
        return true;
    if (!input_json_is_number(value) || !isfinite(input_json_number(value)))
        return wrong(name, "a number", err);
    *out = input_json_number(value);
    return true;
}

bool serve_ask_bool(const struct input_json *body, const char *name, bool *out,
                    struct err *err)
{
    const struct input_json *value = input_json_get(body, name);

    *out = false;
    if (value == NULL)
        return true;
    if (!input_json_is_boolean(value))
        return wrong(name, "true or false", err);
    *out = input_json_is(value, INPUT_JSON_TRUE);
    return true;
}
