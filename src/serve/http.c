/* libmicrohttpd without threads of its own. It calls take() several times for a request:
 * first with the headers, then with parts of the body, then without. */
#include "serve/internal.h"

#include <errno.h>
#include <microhttpd.h>
#include <netdb.h>
#include <string.h>
#include <sys/socket.h>

enum {
    CONNECTIONS_MAX = 800,         /* below what select() can watch */
    CONNECTIONS_CROWDED = 600,     /* then a new one takes the place of an idle one */
    HEADERS_BYTES_MAX = 32 * 1024, /* of a connection, in memory */
    SILENCE_MAX_S = 30,            /* then a connection is closed */
};

/* A connection, and when it last brought a whole request, or was opened. */
struct client {
    int socket;
    int64_t used; /* a number that grows; 0: the place is free */
    bool waiting; /* for an answer that is being made with others */
};

struct serve_http {
    struct arena arena; /* holds the struct itself */
    struct client clients[CONNECTIONS_MAX];
    int64_t uses;
    size_t client_count;
    struct serve_http_options options;
    struct MHD_Daemon *daemon;
    int port;
    struct exchange *shared[CONNECTIONS_MAX]; /* come in since the last time */
    size_t shared_count;
};

/* A request under way. */
struct exchange {
    struct arena arena; /* holds the struct itself */
    struct serve_http_request request;
    struct buf body;
    struct MHD_Connection *connection;
    struct serve_http_answer answer;
    bool answered; /* with others */
};

/* What every answer says: nothing is run, loaded or shown but by our own pages. */
static const struct {
    const char *name, *value;
} headers[] = {
    {"Content-Security-Policy",
     "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
     "font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; "
     "frame-ancestors 'none'"},
    {"X-Content-Type-Options", "nosniff"},
    {"X-Frame-Options", "DENY"},
    {"Referrer-Policy", "no-referrer"},
    {"Cross-Origin-Opener-Policy", "same-origin"},
    {"Cross-Origin-Resource-Policy", "same-origin"},
    {"Cache-Control", "no-store"},
};

/* Whoever opens many connections and sends little over each must not keep others out: of
 * those that wait for nothing, the one that has been of no use for longest is closed. */
static void make_room(struct serve_http *http)
{
    struct client *oldest = NULL;

    for (size_t i = 0; i < CONNECTIONS_MAX; i++) {
        struct client *client = &http->clients[i];
        if (client->used > 0 && client->socket >= 0 && !client->waiting &&
            (oldest == NULL || client->used < oldest->used))
            oldest = client;
    }
    if (oldest != NULL) {
        shutdown(oldest->socket, SHUT_RDWR); /* noticed, and ended, by the library */
        oldest->socket = -1;
    }
}

static void connected(void *context, struct MHD_Connection *connection, void **state,
                      enum MHD_ConnectionNotificationCode code)
{
    struct serve_http *http = context;
    struct client *client = *state;

    if (code == MHD_CONNECTION_NOTIFY_CLOSED) {
        http->client_count -= client != NULL;
        if (client != NULL)
            *client = (struct client){0};
        return;
    }
    if (++http->client_count > CONNECTIONS_CROWDED)
        make_room(http);
    for (size_t i = 0; i < CONNECTIONS_MAX; i++)
        if (http->clients[i].used == 0) {
            http->clients[i] = (struct client){
                MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)
                    ->connect_fd,
                ++http->uses, false};
            *state = &http->clients[i];
            return;
        }
    http->client_count--; /* beyond the library's own limit */
}

static struct client *client_of(struct MHD_Connection *connection)
{
    return MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT)
        ->socket_context;
}

static enum MHD_Result queue(struct MHD_Connection *connection,
                             struct serve_http_answer *answer)
{
    struct MHD_Response *response = MHD_create_response_from_buffer(
        answer->body.len, answer->body.ptr, MHD_RESPMEM_MUST_COPY);
    enum MHD_Result result;

    buf_free(&answer->body);
    if (response == NULL)
        return MHD_NO;
    for (size_t i = 0; i < ROWS_OF(headers); i++)
        MHD_add_response_header(response, headers[i].name, headers[i].value);
    MHD_add_response_header(response, "Content-Type", answer->type);
    if (answer->location != NULL)
        MHD_add_response_header(response, "Location", answer->location);
    if (answer->cookie != NULL)
        MHD_add_response_header(response, "Set-Cookie", answer->cookie);
    result = MHD_queue_response(connection, (unsigned)answer->status, response);
    MHD_destroy_response(response);
    return result;
}

static struct str header(struct MHD_Connection *connection, const char *name)
{
    const char *value = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);

    return value == NULL ? (struct str){0} : str_from(value);
}

static struct exchange *begin(const struct serve_http *http,
                              struct MHD_Connection *connection, const char *path,
                              const char *method)
{
    struct str prefix = http->options.prefix;
    bool below = str_starts(str_from(path), prefix) && path[prefix.len] == '/';
    struct arena arena = {0};
    struct exchange *exchange = arena_alloc(&arena, 1, sizeof *exchange);

    exchange->arena = arena;
    exchange->connection = connection;
    exchange->request = (struct serve_http_request){
        .method = strcmp(method, "GET") == 0    ? SERVE_HTTP_GET
                  : strcmp(method, "POST") == 0 ? SERVE_HTTP_POST
                                                : SERVE_HTTP_OTHER,
        .path = arena_copy(&exchange->arena, str_from(path + (below ? prefix.len : 0))),
        .host = header(connection, "Host"),
        .origin = header(connection, "Origin"),
        .content_type = header(connection, "Content-Type"),
        .cookies = header(connection, "Cookie"),
        .fetch_site = header(connection, "Sec-Fetch-Site"),
        .arena = &exchange->arena,
    };
    return exchange;
}

/* The body as far as its length was told before. */
static bool is_too_long(const struct serve_http *http, struct MHD_Connection *connection)
{
    struct str length = header(connection, "Content-Length");
    int64_t bytes = 0;

    return length.len > 0 && (!str_to_int(length, &bytes) || bytes < 0 ||
                              (uint64_t)bytes > http->options.body_max);
}

static enum MHD_Result refuse_length(struct MHD_Connection *connection)
{
    struct serve_http_answer answer = {0};

    serve_refuse(&answer, 413, "what was sent is too long");
    return queue(connection, &answer);
}

static enum MHD_Result take(void *context, struct MHD_Connection *connection,
                            const char *path, const char *method, const char *version,
                            const char *part, size_t *part_len, void **state)
{
    struct serve_http *http = context;
    struct exchange *exchange = *state;
    struct serve_http_answer answer = {0};

    (void)version;
    if (exchange != NULL && exchange->answered)
        return queue(connection, &exchange->answer);
    if (exchange == NULL) {
        exchange = *state = begin(http, connection, path, method);
        if (is_too_long(http, connection))
            return refuse_length(connection);
        if (!http->options.admit(http->options.context, &exchange->request, &answer))
            return queue(connection, &answer);
        return MHD_YES;
    }
    if (*part_len > 0) {
        if (exchange->body.len + *part_len > http->options.body_max)
            return MHD_NO; /* of unknown length, and too long: the connection ends */
        buf_add(&exchange->body, (struct str){part, *part_len});
        *part_len = 0;
        return MHD_YES;
    }
    exchange->request.body = buf_str(&exchange->body);
    struct client *client = client_of(connection);
    if (client != NULL)
        client->used = ++http->uses;
    if (http->options.is_shared(http->options.context, &exchange->request)) {
        MHD_suspend_connection(connection);
        if (client != NULL)
            client->waiting = true;
        http->shared[http->shared_count++] = exchange;
        return MHD_YES;
    }
    http->options.handle(http->options.context, &exchange->request, &answer);
    return queue(connection, &answer);
}

static void completed(void *context, struct MHD_Connection *connection, void **state,
                      enum MHD_RequestTerminationCode code)
{
    struct exchange *exchange = *state;

    (void)context;
    (void)connection;
    (void)code;
    if (exchange == NULL)
        return;
    *state = NULL;
    buf_free(&exchange->body);
    buf_free(&exchange->answer.body); /* where the client did not wait for it */
    struct arena arena = exchange->arena;
    arena_free(&arena);
}

/* Paths are compared as they were sent; so "%2e%2e" is no "..". */
static size_t keep_escapes(void *context, struct MHD_Connection *connection, char *text)
{
    (void)context;
    (void)connection;
    return strlen(text);
}

static bool resolve(const struct serve_http_options *options, struct addrinfo **out,
                    struct err *err)
{
    struct addrinfo hints = {.ai_flags = AI_NUMERICHOST | AI_PASSIVE,
                             .ai_socktype = SOCK_STREAM};

    if (getaddrinfo(options->address, NULL, &hints, out) != 0)
        return err_set(err, ERR_USAGE,
                       "--listen '%s' is no address of a machine; expected one such as "
                       "127.0.0.1, 0.0.0.0 or ::1",
                       options->address);
    /* The port is at the same place for both families. */
    ((struct sockaddr_in *)(void *)(*out)->ai_addr)->sin_port =
        htons((uint16_t)options->port);
    return true;
}

bool serve_http_open(const struct serve_http_options *options, struct serve_http **out,
                     struct err *err)
{
    struct arena arena = {0};
    struct addrinfo *address;

    if (!resolve(options, &address, err))
        return false;
    struct serve_http *http = arena_alloc(&arena, 1, sizeof *http);
    http->arena = arena;
    http->options = *options;
    /* Not by epoll: with it, a client that leaves in the middle of a request is noticed
     * only when its time is over. */
    unsigned flags =
        MHD_ALLOW_SUSPEND_RESUME | (address->ai_family == AF_INET6 ? MHD_USE_IPv6 : 0);
    http->daemon = MHD_start_daemon(
        flags, (uint16_t)options->port, NULL, NULL, take, http, MHD_OPTION_SOCK_ADDR,
        address->ai_addr, MHD_OPTION_NOTIFY_COMPLETED, completed, NULL,
        MHD_OPTION_NOTIFY_CONNECTION, connected, http, MHD_OPTION_UNESCAPE_CALLBACK,
        keep_escapes, NULL, MHD_OPTION_CONNECTION_LIMIT, (unsigned)CONNECTIONS_MAX,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)HEADERS_BYTES_MAX,
        MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)SILENCE_MAX_S, MHD_OPTION_END);
    int reason = errno;
    freeaddrinfo(address);
    if (http->daemon == NULL) {
        serve_http_close(http);
        return err_set(err, ERR_SYSTEM, "cannot listen on %s, port %d: %s",
                       options->address, options->port, strerror(reason));
    }
    http->port = MHD_get_daemon_info(http->daemon, MHD_DAEMON_INFO_BIND_PORT)->port;
    *out = http;
    return true;
}

int serve_http_port(const struct serve_http *http)
{
    return http->port;
}

/* Those that came in together; each connection then goes on, into take(). */
static void answer_shared(struct serve_http *http)
{
    const struct serve_http_request *requests[CONNECTIONS_MAX] = {NULL};
    struct serve_http_answer *answers[CONNECTIONS_MAX] = {NULL};
    size_t count = http->shared_count;

    for (size_t i = 0; i < count; i++) {
        requests[i] = &http->shared[i]->request;
        answers[i] = &http->shared[i]->answer;
    }
    http->options.handle_shared(http->options.context, requests, answers, count);
    http->shared_count = 0;
    for (size_t i = 0; i < count; i++) {
        http->shared[i]->answered = true;
        struct client *client = client_of(http->shared[i]->connection);
        if (client != NULL)
            client->waiting = false;
        MHD_resume_connection(http->shared[i]->connection);
    }
}

bool serve_http_run(struct serve_http *http, int wait_ms, struct err *err)
{
    bool ok = MHD_run_wait(http->daemon, wait_ms) == MHD_YES || errno == EINTR;

    if (http->shared_count > 0)
        answer_shared(http);
    if (ok)
        return true;
    return err_set(err, ERR_SYSTEM, "cannot go on answering requests: %s",
                   strerror(errno));
}

void serve_http_close(struct serve_http *http)
{
    if (http == NULL)
        return;
    if (http->daemon != NULL)
        MHD_stop_daemon(http->daemon);
    struct arena arena = http->arena;
    arena_free(&arena);
}
