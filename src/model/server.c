/* What is common to all that is asked of a server of models. */
#define _GNU_SOURCE /* memmem() */
#include "model/server.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/stop.h"
#include "input/json.h"
#include "text/utf8.h"

enum {
    FIRST_PAUSE_MS = 500,
    PAUSE_MAX_MS = 60000,
    ASKED_PAUSE_MAX_SECONDS = 3600,
    PAUSE_SHOWN_MS = 2000, /* shorter ones are not */
    PROBE_SECONDS = 5,
    PROBE_MAX = 1 << 20, /* bytes of what a server says of itself */
    SAID_MAX = 300,      /* bytes of what a server says that are shown */
    KEY_MIN = 4,         /* shorter ones stand in any text */
};

const char *model_server_address(struct str url, const char *what, struct arena *arena)
{
    bool whole = str_ends(url, str_from(what));

    return arena_format(arena, "%.*s%s%s", STR_ARG(url), whole ? "" : "/v1",
                        whole ? "" : what)
        .ptr;
}

bool model_server_read_key(struct model_server *server, const char *who, struct err *err)
{
    static const char type[] = "Content-Type: application/json";
    const char *name = arena_c_string(server->arena, server->key_of);
    const char *value = server->key_of.len > 0 ? getenv(name) : NULL;

    server->headers[0] = type;
    if (server->key_of.len == 0)
        return true;
    if (value == NULL || *value == '\0')
        return err_set(err, ERR_INPUT, "%s needs a key: set the environment variable %s",
                       who, name);
    for (const char *c = value; *c != '\0'; c++)
        if (*c <= ' ' || *c > '~') /* a line end would begin another header */
            return err_set(err, ERR_INPUT,
                           "the environment variable %s holds no key: expected letters, "
                           "digits and signs, found a blank, a line end or the like",
                           name);
    server->key = str_from(value);
    server->headers[1] =
        arena_format(server->arena, "Authorization: Bearer %s", value).ptr;
    return true;
}

struct str model_server_without_key(const struct model_server *server, struct str text,
                                    struct arena *arena)
{
    struct buf out = {0};

    if (server->key.len < KEY_MIN)
        return text;
    for (const char *at; text.len > 0;) {
        at = memmem(text.ptr, text.len, server->key.ptr, server->key.len);
        size_t len = at != NULL ? (size_t)(at - text.ptr) : text.len;
        buf_add(&out, str_slice(text, 0, len));
        buf_add(&out, at != NULL ? STR("***") : STR(""));
        text = str_slice(text, len + (at != NULL ? server->key.len : 0), text.len);
    }
    return buf_keep(&out, arena);
}

/* The beginning of what a server sent, as one line of text whatever its bytes. */
static struct str as_line(struct str bytes, struct arena *arena)
{
    struct buf line = {0}, valid = {0};

    text_utf8_repair(text_utf8_cut(bytes, SAID_MAX), &valid);
    for (size_t i = 0; i < valid.len; i++)
        buf_add_char(&line, iscntrl((unsigned char)valid.ptr[i]) ? ' ' : valid.ptr[i]);
    buf_free(&valid);
    return str_trim(buf_keep(&line, arena));
}

struct str model_server_said(struct str body, struct arena *arena)
{
    struct input_json_tree tree = {0};
    const struct input_json *root = input_json_parse(&tree, body),
                            *error = input_json_get(root, "error"),
                            *message = input_json_get(error, "message");

    if (message == NULL)
        message = input_json_is(error, INPUT_JSON_STRING)
                      ? error
                      : input_json_get(root, "message");
    if (input_json_is(message, INPUT_JSON_STRING))
        body = input_json_text(message);
    struct str line = as_line(body, arena);
    input_json_free(&tree);
    return line;
}

struct probe {
    struct buf body;
    long status;
};

static bool take_probe(void *context, long status, struct str piece)
{
    struct probe *probe = context;

    probe->status = status;
    buf_add(&probe->body, piece);
    return probe->body.len < PROBE_MAX;
}

/* Ollama tells the digest of each model's weights. */
static struct str find_digest(const struct model_server *server, struct str tags)
{
    struct input_json_tree tree = {0};
    const struct input_json *root = input_json_parse(&tree, tags),
                            *models = input_json_get(root, "models");
    struct str digest = {0};

    INPUT_JSON_EACH(model, models)
    {
        struct str name = input_json_text(input_json_get(model, "name")), base = name,
                   head;
        if (str_cut(&base, ':', &head) && str_eq(base, STR("latest")))
            base = head;
        if (str_eq(name, server->model) || str_eq(base, server->model))
            digest = arena_copy(server->arena,
                                input_json_text(input_json_get(model, "digest")));
    }
    input_json_free(&tree);
    return digest;
}

struct str model_server_ask(struct model_server *server)
{
    static const char *const ways[] = {"/v1/models", "/props", "/version", "/api/version",
                                       "/api/tags"};
    struct net *net = net_open();
    struct buf all = {0};
    long status;

    for (size_t i = 0; net != NULL && i < ROWS_OF(ways) && !stop_requested(); i++) {
        struct probe probe = {0};
        struct net_request request = {
            .url =
                arena_format(server->arena, "%.*s%s", STR_ARG(server->url), ways[i]).ptr,
            .headers = server->headers,
            .get = true,
            .packed = true,
            .seconds = PROBE_SECONDS};
        struct input_json_tree tree = {0};
        bool whole = net_ask(net, &request, take_probe, &probe, &status) == NULL &&
                     status == 200 &&
                     input_json_parse(&tree, buf_str(&probe.body)) != NULL;
        if (whole) {
            buf_add_format(&all, "%s\"%s\":", all.len > 0 ? "," : "{", ways[i]);
            buf_add(&all, buf_str(&probe.body));
            if (strcmp(ways[i], "/api/tags") == 0)
                server->digest = find_digest(server, buf_str(&probe.body));
        }
        input_json_free(&tree);
        buf_free(&probe.body);
    }
    net_close(net);
    if (all.len > 0)
        buf_add_char(&all, '}');
    return model_server_without_key(server, buf_keep(&all, server->arena), server->arena);
}

bool model_server_is_away(const struct net_answer *answer)
{
    return answer->why != NULL || answer->status == 429 || answer->status == 408 ||
           answer->status >= 500;
}

/* Vendors tell so by status 429, as they do limits of rate. */
static bool is_used_up(struct str body)
{
    struct input_json_tree tree = {0};
    const struct input_json *error =
        input_json_get(input_json_parse(&tree, body), "error");
    bool used_up =
        str_eq(input_json_text(input_json_get(error, "code")), STR("insufficient_quota"));

    input_json_free(&tree);
    return used_up;
}

static bool is_long(const struct net_answer *answer)
{
    return !isnan(answer->wait) && answer->wait > ASKED_PAUSE_MAX_SECONDS;
}

bool model_server_is_over(const struct net_answer *answer, int64_t sent)
{
    return sent >= MODEL_SERVER_SENDS_MAX || is_long(answer) || is_used_up(answer->body);
}

double model_server_pause_ms(struct model_server *server, const struct net_answer *answer,
                             int64_t sent)
{
    if (answer->why != NULL || answer->status == 200)
        snprintf(server->away, sizeof server->away, "%s",
                 answer->why != NULL ? answer->why : "its reply cannot be read");
    else
        snprintf(server->away, sizeof server->away, "the server answers %ld",
                 answer->status);
    if (!isnan(answer->wait))
        return answer->wait * 1000;
    return fmin(FIRST_PAUSE_MS * pow(2, (double)(sent - 1)), PAUSE_MAX_MS);
}

void model_server_show_wait(struct model_server *server, struct progress *progress,
                            const char *what, int64_t ms)
{
    int64_t seconds = (ms + 999) / 1000;

    progress->what = what;
    if (ms >= PAUSE_SHOWN_MS) {
        snprintf(server->shown, sizeof server->shown, "%s, waiting %lld:%02lld (%s)",
                 what, (long long)(seconds / 60), (long long)(seconds % 60),
                 server->away[0] != '\0' ? server->away : "`per-minute`");
        progress->what = server->shown;
    }
    progress_add(progress, 0, 0);
}

bool model_server_gave_up(const struct model_server *server,
                          const struct net_answer *answer, const char *then,
                          struct arena *arena, struct err *err)
{
    struct buf text = {0};

    if (answer->why != NULL) {
        buf_add(&text, str_from(answer->why));
    } else {
        struct str said = model_server_said(answer->body, arena);
        buf_add_format(&text, "the server answers %ld%s%.*s", answer->status,
                       said.len > 0 ? ": " : "", STR_ARG(said));
    }
    if (is_long(answer))
        buf_add_format(&text, "; it asks to be left alone for %.0f hours",
                       ceil(answer->wait / 3600));
    err_record(err, ERR_SYSTEM, "%.*s: %.*s%s", STR_ARG(server->url),
               STR_ARG(buf_str(&text)), then);
    buf_free(&text);
    return false;
}

bool model_server_refused(const struct model_server *server,
                          const struct net_answer *answer, struct arena *arena,
                          struct err *err)
{
    struct str says = model_server_said(answer->body, arena);

    if (answer->status == 401 || answer->status == 403)
        return err_set(
            err, ERR_INPUT, "%.*s: the server does not let us in (%ld)%s%.*s: %.*s",
            STR_ARG(server->url), answer->status,
            server->key_of.len > 0 ? "; the key is that of the environment variable "
                                   : "; `key` names the environment variable of a key",
            STR_ARG(server->key_of), STR_ARG(says));
    if (answer->to != NULL) {
        struct str to = as_line(str_from(answer->to), arena);
        return err_set(
            err, ERR_INPUT,
            "%.*s: the server answers %ld and points to %.*s; what is asked goes "
            "nowhere else by itself: give the address that answers as `url`",
            STR_ARG(server->url), answer->status, STR_ARG(to));
    }
    return err_set(err, ERR_INPUT, "%.*s: the server answers %ld: %.*s",
                   STR_ARG(server->url), answer->status, STR_ARG(says));
}

void model_server_tell(struct buf *out, int64_t count, const char *what)
{
    if (count > 0) {
        buf_add(out, STR(", "));
        buf_add_thousands(out, (double)count, 0);
        buf_add_format(out, " %s", what);
    }
}
