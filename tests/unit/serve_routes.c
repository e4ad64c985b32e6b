/* Paths to answers, without a network: which page, which part of the api, and for whom.
 * The whole server is tested in serve_serve. */
#include "serve/internal.h"

#include "tests/unit/served.h"

static const struct {
    const char *name;
    enum serve_http_method method;
    const char *path; /* @: the handle of ann, who asks */
    const char *body;
    int status;
} rows[] = {
    {"the door", SERVE_HTTP_GET, "/", "", 200},
    {"a style", SERVE_HTTP_GET, "/web/label.css", "", 200},
    {"a file that is not there", SERVE_HTTP_GET, "/web/none.css", "", 404},
    {"no such path", SERVE_HTTP_GET, "/none", "", 404},
    {"her first page", SERVE_HTTP_GET, "/u/@/", "", 303},
    {"her page", SERVE_HTTP_GET, "/u/@/rater", "", 200},
    {"a page for others", SERVE_HTTP_GET, "/u/@/lead", "", 404},
    {"a stranger's page", SERVE_HTTP_GET, "/u/00000000/rater", "", 403},
    {"the next item", SERVE_HTTP_GET, "/api/@/next", "", 200},
    {"a call for others", SERVE_HTTP_GET, "/api/@/lead", "", 403},
    {"a call that asks the wrong way", SERVE_HTTP_POST, "/api/@/next", "{}", 405},
    {"no such call", SERVE_HTTP_GET, "/api/@/none", "", 404},
    {"a call without anybody", SERVE_HTTP_GET, "/api/next", "", 404},
    {"a label that is no object", SERVE_HTTP_POST, "/api/@/label", "[1]", 400},
    {"a label without a code", SERVE_HTTP_POST, "/api/@/label", "{\"item\":11}", 400},
    {"entering without a token", SERVE_HTTP_POST, "/enter", "{}", 400},
};

static struct serve_http_answer ask(struct serve_routes *routes,
                                    enum serve_http_method method, const char *path,
                                    const char *body, struct arena *arena)
{
    const struct serve_visitor *ann = &routes->visitors.at[0];
    struct buf cookies = {0}, whole = {0};
    struct serve_http_answer answer = {0};

    buf_add_format(&cookies, "assay-%.*s=%.*s", STR_ARG(ann->handle),
                   STR_ARG(ann->token));
    for (const char *c = path; *c != '\0'; c++)
        buf_add(&whole, *c == '@' ? ann->handle : (struct str){c, 1});
    struct serve_http_request request = {.method = method,
                                         .path = buf_str(&whole),
                                         .cookies = buf_str(&cookies),
                                         .body = str_from(body),
                                         .arena = arena};
    serve_routes_answer(routes, &request, &answer);
    buf_free(&whole);
    buf_free(&cookies);
    return answer;
}

static void check_enter(struct serve_routes *routes, struct arena *arena)
{
    struct buf body = {0};

    buf_add_format(&body, "{\"token\":\"%.*s\"}", STR_ARG(routes->visitors.at[0].token));
    const char *text = arena_c_string(arena, buf_str(&body));
    for (int secure = 0; secure < 2; secure++) {
        routes->secure = secure;
        struct serve_http_answer answer =
            ask(routes, SERVE_HTTP_POST, "/enter", text, arena);
        tap_case("a token becomes a cookie, %s", secure ? "for https alone" : "by http");
        if (CHECK(answer.status == 200 && answer.cookie != NULL)) {
            CHECK(strstr(answer.cookie, "HttpOnly; SameSite=Strict") != NULL);
            CHECK((strstr(answer.cookie, "; Secure") != NULL) == secure);
        }
        buf_free(&answer.body);
    }
    buf_free(&body);
}

/* Members of a request: each kind, missing, and of another kind. */
static const char members[] =
    "{\"text\": \"a\", \"texts\": [\"b\", \"c\"], \"none\": [], "
    "\"int\": -7, \"real\": 0.5, "
    "\"yes\": true, \"mixed\": [\"a\", 1], \"large\": 1e300}";

static void check_members(const struct input_json *body, struct arena *arena)
{
    struct err err = {0};
    struct str one, *many;
    size_t count;
    int64_t whole;
    double real;
    bool yes;

    tap_case("what is there is read");
    CHECK(serve_ask_text(body, "text", SERVE_REQUIRED, &one, &err));
    CHECK(str_eq(one, STR("a")));
    CHECK(serve_ask_texts(body, "texts", arena, &many, &count, &err));
    CHECK(count == 2 && str_eq(many[0], STR("b")) && str_eq(many[1], STR("c")));
    CHECK(serve_ask_texts(body, "none", arena, &many, &count, &err) && count == 0);
    CHECK(serve_ask_int(body, "int", SERVE_REQUIRED, &whole, &err) && whole == -7);
    CHECK(serve_ask_real(body, "real", &real, &err) && real == 0.5);
    CHECK(serve_ask_real(body, "int", &real, &err) && real == -7);
    CHECK(serve_ask_bool(body, "yes", &yes, &err) && yes);

    tap_case("what may be missing is empty");
    CHECK(serve_ask_text(body, "no", SERVE_OPTIONAL, &one, &err) && one.len == 0);
    CHECK(serve_ask_int(body, "no", SERVE_OPTIONAL, &whole, &err) && whole == 0);
    CHECK(serve_ask_real(body, "no", &real, &err) && real == 0);
    CHECK(serve_ask_bool(body, "no", &yes, &err) && !yes);
}

static void check_wrong_members(const struct input_json *body, struct arena *arena)
{
    struct err err = {0};
    struct str one, *many;
    size_t count;
    int64_t whole;
    double real;
    bool yes;

    tap_case("what must be there is missed, by name");
    CHECK(!serve_ask_text(body, "no", SERVE_REQUIRED, &one, &err));
    CHECK_TEXT(err.text, "the request lacks 'no'");
    CHECK(err.kind == ERR_INPUT);
    CHECK(!serve_ask_texts(body, "no", arena, &many, &count, &err));
    CHECK(!serve_ask_int(body, "no", SERVE_REQUIRED, &whole, &err));
    CHECK(!serve_ask_text(NULL, "text", SERVE_REQUIRED, &one, &err));

    tap_case("another kind of value is refused");
    CHECK(!serve_ask_text(body, "int", SERVE_REQUIRED, &one, &err));
    CHECK_TEXT(err.text, "'int' in the request is not a text");
    CHECK(!serve_ask_texts(body, "text", arena, &many, &count, &err));
    CHECK(!serve_ask_texts(body, "mixed", arena, &many, &count, &err));
    CHECK(!serve_ask_int(body, "real", SERVE_REQUIRED, &whole, &err));
    CHECK(!serve_ask_real(body, "text", &real, &err));
    CHECK(!serve_ask_bool(body, "int", &yes, &err));
}

static void check_bodies(void)
{
    struct arena arena = {0};
    struct input_json_tree tree = {0};
    const struct input_json *body = input_json_parse(&tree, str_from(members));

    check_members(body, &arena);
    check_wrong_members(body, &arena);
    input_json_free(&tree);
    arena_free(&arena);
}

int main(void)
{
    struct labelled test;
    struct serve_routes routes = {0};
    struct err *err = &test.in.err;

    if (!served_begin(&test))
        return tap_done();
    CHECK(labelled_round(&test) > 0);
    routes.label = test.label;
    if (CHECK(serve_visitors_open(test.label, NULL, &test.in.arena, &routes.visitors,
                                  err)) &&
        CHECK(serve_aside_open(test.label, &routes.aside, err))) {
        for (size_t i = 0; i < ROWS(rows); i++) {
            struct serve_http_answer answer =
                ask(&routes, rows[i].method, rows[i].path, rows[i].body, &test.in.arena);
            tap_case("%s: %d", rows[i].name, rows[i].status);
            CHECK(answer.status == rows[i].status && answer.type != NULL);
            buf_free(&answer.body);
        }
        check_enter(&routes, &test.in.arena);
    }
    serve_aside_close(routes.aside);
    check_bodies();
    labelled_end(&test);
    return tap_done();
}
