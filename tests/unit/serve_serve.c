/* The server with its doors: whose token opens what, for which role; saving through it;
 * and ten thousand requests with mistakes in them. */
#include "serve/serve.h"

#include "base/rng.h"
#include "tests/unit/client.h"
#include "tests/unit/served.h"

struct house {
    struct labelled test;
    struct serve *serve;
    struct client client;
    struct str tokens[3]; /* ann, bob, eve */
    struct buf request, out;
};

static void turn(void *server)
{
    struct err err = {0};

    CHECK(serve_once(server, 5, &err));
}

static bool begin(struct house *house)
{
    struct err err = {0};

    *house = (struct house){0};
    if (!served_begin(&house->test))
        return false;
    struct serve_options options = {.label = house->test.label, .listen = "127.0.0.1"};
    if (!CHECK(serve_open(&options, &house->serve, &err)))
        return false;
    for (size_t i = 0; i < ROWS(house->tokens); i++) {
        struct str link = serve_link(house->serve, i, &house->test.in.arena), part;
        int64_t port = 0;
        CHECK(str_cut(&link, ':', &part) && str_cut(&link, ':', &part)); /* http, host */
        CHECK(str_cut(&link, '/', &part) && str_to_int(part, &port));
        CHECK(str_cut(&link, '#', &part));
        house->tokens[i] = link;
        house->client = (struct client){(int)port, turn, house->serve};
    }
    return true;
}

static void end(struct house *house)
{
    serve_close(house->serve);
    buf_free(&house->request);
    buf_free(&house->out);
    labelled_end(&house->test);
}

enum { ANN, BOB, EVE, NOBODY };

/* Writes a request as a page of ours would send it; body NULL: a GET. */
static void write_request(struct house *house, int who, const char *path,
                          const char *body)
{
    struct buf *out = &house->request;
    struct str token = who == NOBODY ? STR("0") : house->tokens[who];
    struct str handle = str_slice(token, 0, 8);

    buf_clear(out);
    buf_add_format(out, "%s ", body == NULL ? "GET" : "POST");
    for (const char *c = path; *c != '\0'; c++) /* @ stands for the handle */
        buf_add(out, *c == '@' ? handle : (struct str){c, 1});
    buf_add_format(out,
                   " HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nConnection: close\r\n"
                   "Cookie: x=y; assay-%.*s=%.*s\r\n",
                   house->client.port, STR_ARG(handle), STR_ARG(token));
    if (body != NULL)
        buf_add_format(out,
                       "Origin: http://127.0.0.1:%d\r\nContent-Type: application/json\r\n"
                       "Content-Length: %zu\r\n\r\n%s",
                       house->client.port, strlen(body), body);
    else
        buf_add(out, STR("\r\n"));
}

static int ask(struct house *house, int who, const char *path, const char *body)
{
    write_request(house, who, path, body);
    client_ask(&house->client, buf_str(&house->request), &house->out);
    return client_status(&house->out);
}

static void test_doors(struct house *house)
{
    static const struct {
        const char *name;
        int who;
        const char *path, *body;
        int status;
    } rows[] = {
        {"the door", NOBODY, "/", NULL, 200},
        {"a style", NOBODY, "/web/label.css", NULL, 200},
        {"a page without a link", NOBODY, "/u/@/rater", NULL, 403},
        {"a rater's start", ANN, "/u/@/", NULL, 303},
        {"a rater's page", ANN, "/u/@/rater", NULL, 200},
        {"the lead's page for a rater", ANN, "/u/@/lead", NULL, 404},
        {"the arbiter's page for a rater", ANN, "/u/@/arbiter", NULL, 404},
        {"the lead's page", EVE, "/u/@/lead", NULL, 200},
        {"the arbiter's page", EVE, "/u/@/arbiter", NULL, 200},
        {"a rater's page for the lead", EVE, "/u/@/rater", NULL, 404},
        {"the task", BOB, "/api/@/task", NULL, 200},
        {"the lead's data for a rater", ANN, "/api/@/lead", NULL, 403},
        {"disputes for a rater", ANN, "/api/@/dispute", NULL, 403},
        {"a post of any number for a rater", ANN, "/api/@/item/5", NULL, 403},
        {"labels of the lead", EVE, "/api/@/label", "{}", 403},
        {"a decision of a rater", ANN, "/api/@/decide", "{}", 403},
        {"a round of a rater", ANN, "/api/@/round", "{}", 403},
        {"a call that is not there", ANN, "/api/@/nosuch", NULL, 404},
        {"saving by GET", ANN, "/api/@/label", NULL, 405},
        {"reading by POST", ANN, "/api/@/task", "{}", 405},
        {"no json", ANN, "/api/@/label", "hello", 400},
        {"json that is no object", ANN, "/api/@/label", "[1]", 400},
        {"the same name twice", ANN, "/api/@/undo", "{\"key\":\"a\",\"key\":\"b\"}", 400},
        {"a door that is none", NOBODY, "/enter", NULL, 404},
        {"entering without a token", NOBODY, "/enter", "{}", 400},
        {"entering with a wrong one", NOBODY, "/enter", "{\"token\":\"0\"}", 403},
    };

    for (size_t i = 0; i < ROWS(rows); i++) {
        tap_case("%s: %d", rows[i].name, rows[i].status);
        CHECK(ask(house, rows[i].who, rows[i].path, rows[i].body) == rows[i].status);
    }
    tap_case("somebody else's handle does not open");
    struct str own = house->tokens[ANN];
    house->tokens[ANN] = house->tokens[BOB];
    write_request(house, ANN, "/api/@/task", NULL);
    house->tokens[ANN] = own;
    char *path = strstr(house->request.ptr, "/api/");
    memcpy(path + 5, own.ptr, 8);
    client_ask(&house->client, buf_str(&house->request), &house->out);
    CHECK(client_status(&house->out) == 403);
}

static void test_enter(struct house *house)
{
    struct buf body = {0};

    tap_case("the token of a link is exchanged for a cookie");
    buf_add_format(&body, "{\"token\":\"%.*s\"}", STR_ARG(house->tokens[ANN]));
    buf_add_char(&body, '\0');
    CHECK(ask(house, NOBODY, "/enter", body.ptr) == 200);
    CHECK(strstr(house->out.ptr, "HttpOnly; SameSite=Strict") != NULL);
    CHECK(strstr(house->out.ptr, "; Secure") == NULL);
    buf_free(&body);
}

static void test_saving(struct house *house)
{
    static const char *const label =
        "{\"item\":11,\"dimension\":\"bugs\",\"codes\":[\"model\"],\"key\":\"k\"}";

    tap_case("a label goes through to the log, once");
    CHECK(labelled_round(&house->test) > 0);
    CHECK(ask(house, ANN, "/api/@/label", label) == 200);
    CHECK(ask(house, ANN, "/api/@/label", label) == 200);
    CHECK(strstr(house->out.ptr, "\"repeated\":true") != NULL);
    CHECK_TEXT(labelled_says(&house->test, "ann", 1, 11), "model");
    tap_case("one that is refused does not take others with it");
    int fds[2];
    write_request(
        house, BOB, "/api/@/label",
        "{\"item\":11,\"dimension\":\"bugs\",\"codes\":[\"no\"],\"key\":\"l\"}");
    fds[0] = client_connect(&house->client);
    client_write(fds[0], buf_str(&house->request));
    write_request(
        house, BOB, "/api/@/label",
        "{\"item\":11,\"dimension\":\"bugs\",\"codes\":[\"model\"],\"key\":\"m\"}");
    fds[1] = client_connect(&house->client);
    client_write(fds[1], buf_str(&house->request));
    client_read(&house->client, fds[0], &house->out);
    CHECK(client_status(&house->out) == 400);
    client_read(&house->client, fds[1], &house->out);
    CHECK(client_status(&house->out) == 200);
    CHECK_TEXT(labelled_says(&house->test, "bob", 1, 11), "model");
}

/* Changes, drops and repeats bytes of a request that is right. */
static void mutate(struct rng *rng, struct buf *text)
{
    for (uint64_t n = 1 + rng_below(rng, 4); n > 0 && text->len > 0; n--) {
        size_t at = (size_t)rng_below(rng, text->len);
        switch (rng_below(rng, 4)) {
        case 0:
            text->ptr[at] = (char)rng_below(rng, 256);
            break;
        case 1:
            text->len = at;
            break;
        case 2:
            memmove(text->ptr + at, text->ptr + at + 1, text->len - at - 1);
            text->len--;
            break;
        default: {
            struct buf copy = {0};
            buf_add(&copy, str_slice(buf_str(text), at, text->len));
            buf_add(text, buf_str(&copy));
            buf_free(&copy);
        }
        }
    }
}

static void test_mutated(struct house *house)
{
    enum { REQUESTS = 10000 };
    static const char *const paths[] = {
        "/api/@/label",     "/api/@/undo",    "/api/@/next",  "/api/@/at/3",
        "/api/@/lead",      "/api/@/propose", "/enter",       "/u/@/rater",
        "/api/@/dispute/1", "/web/page.js",   "/api/@/review"};
    static const char *const bodies[] = {
        NULL, "{\"key\":\"a\"}",
        "{\"item\":11,\"again\":false,\"dimension\":\"bugs\",\"codes\":[\"model\"],"
        "\"memo\":\"\\u00e9\",\"seconds\":1.5,\"unsure\":true,\"key\":\"k\"}"};
    struct rng rng = rng_seeded(7);
    struct err err = {0};

    tap_case("ten thousand requests with mistakes: it answers, and goes on");
    for (int i = 0; i < REQUESTS; i++) {
        write_request(house, (int)rng_below(&rng, 3), paths[rng_below(&rng, ROWS(paths))],
                      bodies[rng_below(&rng, ROWS(bodies))]);
        mutate(&rng, &house->request);
        int fd = client_connect(&house->client);
        CHECK(send(fd, house->request.ptr, house->request.len, MSG_NOSIGNAL) >= 0);
        shutdown(fd, SHUT_WR);
        for (int turns = 0; turns < 3; turns++)
            CHECK(serve_once(house->serve, 1, &err));
        close(fd);
    }
    CHECK(ask(house, NOBODY, "/", NULL) == 200);
}

static void test_guessing(struct house *house)
{
    struct str token = house->tokens[BOB];
    char *wrong = arena_c_string(&house->test.in.arena, token);
    int status = 0, tries = 0;

    tap_case("guessing at one person's token is stopped, and keeps nobody out");
    wrong[31] = wrong[31] == '0' ? '1' : '0';
    house->tokens[BOB] = str_from(wrong);
    while (status != 429 && tries++ < 100)
        status = ask(house, BOB, "/api/@/task", NULL);
    CHECK(status == 429);
    CHECK(tries > 3);
    house->tokens[BOB] = token;
    CHECK(ask(house, BOB, "/api/@/task", NULL) == 200);
    CHECK(ask(house, ANN, "/api/@/task", NULL) == 200);
}

static void test_links(struct house *house)
{
    struct serve_options options = {
        .label = house->test.label, .listen = "::1", .url = "https://label.example.org"};
    struct err err = {0};
    struct serve *serve;

    tap_case("links lead to the proxy where there is one");
    if (!serve_open(&options, &serve, &err)) {
        tap_skip("no IPv6 here");
        return;
    }
    struct str link = serve_link(serve, 0, &house->test.in.arena);
    CHECK(str_starts(link, STR("https://label.example.org/#")));
    CHECK(str_ends(link, house->tokens[ANN]));
    serve_close(serve);
}

int main(void)
{
    struct house house;

    if (begin(&house)) {
        test_doors(&house);
        test_enter(&house);
        test_saving(&house);
        test_links(&house);
        test_guessing(&house);
        test_mutated(&house);
    }
    end(&house);
    return tap_done();
}
