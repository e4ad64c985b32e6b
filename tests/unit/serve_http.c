/* The http server itself: what reaches the handlers, limits, answers given together, and
 * a slow client that keeps nobody waiting. */
#include "serve/internal.h"

#include <stdlib.h>

#include "tests/unit/client.h"

enum { BODY_MAX = 1000 };

/* Answers with what it was asked; refuses /no before the body. */
struct echo {
    struct serve_http *http;
    size_t handled, shared, largest;
};

static void fill(const struct serve_http_request *request,
                 struct serve_http_answer *answer)
{
    answer->status = 200;
    answer->type = "text/plain";
    buf_add_format(&answer->body, "%d %.*s [%.*s] [%.*s]", (int)request->method,
                   STR_ARG(request->path), STR_ARG(request->host),
                   STR_ARG(request->body));
}

static bool admit(void *context, const struct serve_http_request *request,
                  struct serve_http_answer *answer)
{
    (void)context;
    if (!str_eq(request->path, STR("/no")))
        return true;
    answer->status = 403;
    answer->type = "text/plain";
    answer->cookie = "a=b";
    return false;
}

static void handle(void *context, const struct serve_http_request *request,
                   struct serve_http_answer *answer)
{
    struct echo *echo = context;

    echo->handled++;
    fill(request, answer);
}

static bool is_shared(void *context, const struct serve_http_request *request)
{
    (void)context;
    return str_eq(request->path, STR("/shared"));
}

static void handle_shared(void *context, const struct serve_http_request *const *requests,
                          struct serve_http_answer *const *answers, size_t count)
{
    struct echo *echo = context;

    echo->shared += count;
    echo->largest = count > echo->largest ? count : echo->largest;
    for (size_t i = 0; i < count; i++)
        fill(requests[i], answers[i]);
}

static void turn(void *server)
{
    struct err err = {0};

    CHECK(serve_http_run(server, 5, &err));
}

static void test_requests(const struct client *client)
{
    static const struct {
        const char *name, *request;
        int status;
        const char *part;
    } rows[] = {
        {"get", "GET /a?b=c HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n", 200,
         "0 /a [h] []"},
        {"post",
         "POST /a HTTP/1.1\r\nHost: h\r\nConnection: close\r\nContent-Length: "
         "3\r\n\r\nxyz",
         200, "1 /a [h] [xyz]"},
        {"post in chunks",
         "POST /a HTTP/1.1\r\nHost: h\r\nConnection: close\r\nTransfer-Encoding: "
         "chunked\r\n\r\n2\r\nxy\r\n1\r\nz\r\n0\r\n\r\n",
         200, "[xyz]"},
        {"nothing is decoded",
         "GET /%2e%2e/%00 HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n", 200,
         "0 /%2e%2e/%00 "},
        {"another method", "PUT /a HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n", 200,
         "2 /a"},
        {"refused before the body",
         "POST /no HTTP/1.1\r\nHost: h\r\nConnection: close\r\nContent-Length: "
         "3\r\n\r\nxyz",
         403, "Set-Cookie: a=b"},
        {"too long",
         "POST /a HTTP/1.1\r\nHost: h\r\nConnection: close\r\nContent-Length: "
         "1001\r\n\r\n",
         413, "too long"},
        {"a length that is none",
         "POST /a HTTP/1.1\r\nHost: h\r\nConnection: close\r\nContent-Length: x\r\n\r\n",
         0, NULL},
        {"no http", "hello\r\n\r\n", 0, NULL},
    };
    struct buf out = {0};

    for (size_t i = 0; i < ROWS(rows); i++) {
        tap_case("request: %s", rows[i].name);
        client_ask(client, str_from(rows[i].request), &out);
        if (rows[i].part == NULL) {
            CHECK(client_status(&out) != 200);
            continue;
        }
        CHECK(client_status(&out) == rows[i].status);
        CHECK(strstr(out.ptr, rows[i].part) != NULL);
    }
    buf_free(&out);
}

static void test_headers(const struct client *client)
{
    static const char *const headers[] = {
        "\r\nContent-Security-Policy: default-src 'none';",
        "\r\nX-Content-Type-Options: nosniff\r\n",
        "\r\nReferrer-Policy: no-referrer\r\n",
        "\r\nX-Frame-Options: DENY\r\n",
        "\r\nCache-Control: no-store\r\n",
    };
    static const char *const paths[] = {"/a", "/no", "/shared"};
    struct buf out = {0}, request = {0};

    for (size_t p = 0; p < ROWS(paths); p++) {
        tap_case("the answer at %s says what browsers must keep to", paths[p]);
        buf_clear(&request);
        buf_add_format(&request,
                       "GET %s HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n",
                       paths[p]);
        client_ask(client, buf_str(&request), &out);
        for (size_t i = 0; i < ROWS(headers); i++)
            CHECK(strstr(out.ptr, headers[i]) != NULL);
        CHECK(strstr(out.ptr, "unsafe") == NULL);
    }
    buf_free(&out);
    buf_free(&request);
}

/* A body of unknown length that does not end is cut off. */
static void test_endless(const struct client *client, struct echo *echo)
{
    struct buf out = {0}, request = {0};
    size_t handled = echo->handled;

    tap_case("a body of unknown length that is too long ends the connection");
    buf_add(&request, STR("POST /a HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: "
                          "chunked\r\n\r\n"));
    for (int i = 0; i < 30; i++)
        buf_add_format(&request, "64\r\n%0100d\r\n", 0);
    client_ask(client, buf_str(&request), &out);
    CHECK(client_status(&out) == 0);
    CHECK(echo->handled == handled);
    buf_free(&out);
    buf_free(&request);
}

static void test_shared(const struct client *client, struct echo *echo)
{
    enum { MANY = 20 };
    struct str request = STR("POST /shared HTTP/1.1\r\nHost: h\r\nConnection: close\r\n"
                             "Content-Length: 1\r\n\r\nx");
    struct buf out = {0};
    int fds[MANY];

    tap_case("requests that come at once are answered at once");
    echo->shared = echo->largest = 0;
    for (int i = 0; i < MANY; i++) {
        fds[i] = client_connect(client);
        client->turn(client->server);
    }
    for (int i = 0; i < MANY; i++)
        client_write(fds[i], request);
    for (int i = 0; i < MANY; i++) {
        client_read(client, fds[i], &out);
        CHECK(client_status(&out) == 200);
        CHECK(strstr(out.ptr, "1 /shared [h] [x]") != NULL);
    }
    CHECK(echo->shared == MANY);
    CHECK(echo->largest > 1);

    tap_case("one that has gone meanwhile harms nobody");
    fds[0] = client_connect(client);
    client_write(fds[0], request);
    close(fds[0]);
    client_ask(client, request, &out);
    CHECK(client_status(&out) == 200);
    buf_free(&out);
}

static void test_slow(const struct client *client)
{
    struct buf out = {0};
    int slow = client_connect(client);

    tap_case("a slow client keeps nobody waiting");
    client_write(slow,
                 STR("POST /a HTTP/1.1\r\nHost: h\r\nConnection: close\r\nContent-"));
    client_ask(client, STR("GET /b HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n"),
               &out);
    CHECK(strstr(out.ptr, "0 /b") != NULL);
    client_write(slow, STR("Length: 4\r\n\r\nsl"));
    client_ask(client, STR("GET /c HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n"),
               &out);
    CHECK(strstr(out.ptr, "0 /c") != NULL);
    tap_case("and is answered in the end");
    client_write(slow, STR("ow"));
    client_read(client, slow, &out);
    CHECK(strstr(out.ptr, "[slow]") != NULL);
    buf_free(&out);
}

static void test_open(const struct serve_http_options *options, int port)
{
    struct serve_http_options other = *options;
    struct err err = {0};
    struct serve_http *http;

    tap_case("a port that is taken");
    other.port = port;
    CHECK(!serve_http_open(&other, &http, &err));
    CHECK(err.kind == ERR_SYSTEM);
    CHECK(strstr(err.text, "in use") != NULL);
    tap_case("an address that is none");
    other.address = "nowhere";
    CHECK(!serve_http_open(&other, &http, &err));
    CHECK(err.kind == ERR_USAGE);
}

int main(void)
{
    struct echo echo = {0};
    struct serve_http_options options = {.address = "127.0.0.1",
                                         .body_max = BODY_MAX,
                                         .context = &echo,
                                         .admit = admit,
                                         .handle = handle,
                                         .is_shared = is_shared,
                                         .handle_shared = handle_shared};
    struct err err = {0};

    tap_case("a free port is found");
    if (!CHECK(serve_http_open(&options, &echo.http, &err)))
        return tap_done();
    CHECK(serve_http_port(echo.http) > 0);
    struct client client = {serve_http_port(echo.http), turn, echo.http};
    test_requests(&client);
    test_headers(&client);
    test_endless(&client, &echo);
    test_shared(&client, &echo);
    test_slow(&client);
    test_open(&options, client.port);
    serve_http_close(echo.http);
    return tap_done();
}
