/* Asking ClickHouse over HTTP. Answers are lines of fields between tabs; each line begins
 * and ends with a mark of ours, so that the message of a server that fails in the middle
 * of an answer is never taken for a row, nor half a row for a whole one. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/stop.h"
#include "engine/internal.h"
#include "net/net.h"

#define QUERY_SIZE "max_query_size=268435456"

/* What answers rest on: a server may be set to leave out shards that are down, and to cut
 * answers short where a limit is met. */
static const struct {
    const char *name, *value;
} settings[] = {
    {"skip_unavailable_shards", "0"},    {"result_overflow_mode", "throw"},
    {"read_overflow_mode", "throw"},     {"timeout_overflow_mode", "throw"},
    {"group_by_overflow_mode", "throw"}, {"sort_overflow_mode", "throw"},
    {"set_overflow_mode", "throw"},      {"distinct_overflow_mode", "throw"},
    {"transfer_overflow_mode", "throw"},
};

/* How long a server that was asked may send nothing until it counts as gone. */
#define SILENT_VARIABLE "ASSAY_CLICKHOUSE_SECONDS"

#define MARK_BEGIN "["
#define MARK_END   "]"

enum {
    TRIES = 4,
    FIRST_PAUSE_MS = 300,
    ANSWERS_SECONDS = 10,
    HEADERS_MAX = 2,
    SILENT_SECONDS = 600, /* unless SILENT_VARIABLE says otherwise */
    SAID_MAX = 600,       /* bytes of what a server said that are shown */
};

struct engine {
    struct arena arena;
    const char *url;            /* where questions go, with the settings */
    const char *bare;           /* the same without */
    const char *shown;          /* the address, for messages */
    struct str table, database; /* quoted for SQL */
    struct net *net;
    const char *headers[HEADERS_MAX + 1];
    long silent_seconds;
};

struct http_answer {
    size_t columns;
    engine_take_fields *take;
    void *context;
    struct err *err;
    struct str *fields;
    struct buf pending, fields_text;
    struct buf said; /* instead of rows, by a server that refuses */
    int64_t rows;
    bool torn;   /* a line was no row */
    bool failed; /* err has been set */
};

static bool is_plain(struct str name)
{
    for (size_t i = 0; i < name.len; i++)
        if (strchr("`\\?&=#%\"' ", name.ptr[i]) != NULL)
            return false;
    return name.len > 0;
}

bool engine_is_address(const char *text)
{
    return strncmp(text, "http://", 7) == 0 || strncmp(text, "https://", 8) == 0;
}

static bool refuse_address(const char *address, struct err *err)
{
    return err_set(
        err, ERR_INPUT,
        "found '%s', expected an address such as "
        "http://localhost:8123/stackoverflow/posts: a server, a database and a "
        "table of it; a name and a password come from CLICKHOUSE_USER and "
        "CLICKHOUSE_PASSWORD",
        address);
}

/* "http://host:8123", "database" and "table". */
static bool part_address(const char *address, struct str *server, struct str *database,
                         struct str *table)
{
    struct str whole = str_from(address), rest = whole, host;
    bool secure = str_starts(whole, STR("https://"));

    if (!secure && !str_starts(whole, STR("http://")))
        return false;
    rest = str_slice(whole, secure ? 8 : 7, whole.len);
    bool more = str_cut(&rest, '/', &host);
    if (!more || host.len == 0 || memchr(host.ptr, '@', host.len) != NULL)
        return false;
    *server = str_slice(whole, 0, (size_t)(host.ptr + host.len - whole.ptr));
    str_cut(&rest, '/', database);
    *table = rest.len > 0 ? rest : STR("posts");
    if (table->ptr[table->len - 1] == '/')
        table->len--;
    return is_plain(*database) && is_plain(*table) &&
           memchr(table->ptr, '/', table->len) == NULL;
}

/* A variable that is empty is as one that is not set. */
static const char *from_environment(const char *variable)
{
    const char *value = getenv(variable);

    return value != NULL && *value != '\0' ? value : NULL;
}

/* A password alone is that of the user whom servers take for one without a name. */
static void add_headers(struct engine *engine)
{
    const char *user = from_environment("CLICKHOUSE_USER"),
               *password = from_environment("CLICKHOUSE_PASSWORD");
    size_t count = 0;

    if (user != NULL || password != NULL)
        engine->headers[count++] = arena_format(&engine->arena, "X-ClickHouse-User: %s",
                                                user != NULL ? user : "default")
                                       .ptr;
    if (password != NULL)
        engine->headers[count] =
            arena_format(&engine->arena, "X-ClickHouse-Key: %s", password).ptr;
}

static bool read_silence(long *seconds, struct err *err)
{
    const char *said = getenv(SILENT_VARIABLE);
    int64_t number = SILENT_SECONDS;

    if (said != NULL && *said != '\0' &&
        (!str_to_int(str_from(said), &number) || number < 1 || number > INT32_MAX))
        return err_set(err, ERR_INPUT,
                       SILENT_VARIABLE ": found '%s', expected a whole number of seconds "
                                       "from 1 on",
                       said);
    *seconds = (long)number;
    return true;
}

static void add_settings(struct engine *engine)
{
    struct buf url = {0};

    buf_add_format(&url, "%s&" QUERY_SIZE, engine->bare);
    for (size_t i = 0; i < ROWS_OF(settings); i++)
        buf_add_format(&url, "&%s=%s", settings[i].name, settings[i].value);
    engine->url = buf_keep(&url, &engine->arena).ptr;
}

bool engine_open(const char *address, struct engine **out, struct err *err)
{
    struct str server, database, table;
    long silent_seconds;

    *out = NULL;
    if (!part_address(address, &server, &database, &table))
        return refuse_address(address, err);
    if (!read_silence(&silent_seconds, err))
        return false;
    struct net *net = net_open();
    if (net == NULL)
        return err_set(err, ERR_SYSTEM, "there is no memory to ask %s", address);
    struct arena room = {0};
    struct engine *engine = arena_array(&room, struct engine, 1);
    engine->arena = room;
    engine->net = net;
    engine->silent_seconds = silent_seconds;
    struct arena *arena = &engine->arena;
    engine->shown = arena_c_string(arena, str_from(address));
    engine->bare =
        arena_format(arena, "%.*s/?database=%.*s", STR_ARG(server), STR_ARG(database))
            .ptr;
    add_settings(engine);
    engine->database = arena_format(arena, "`%.*s`", STR_ARG(database));
    engine->table =
        arena_format(arena, "`%.*s`.`%.*s`", STR_ARG(database), STR_ARG(table));
    add_headers(engine);
    *out = engine;
    return true;
}

void engine_close(struct engine *engine)
{
    if (engine == NULL)
        return;
    net_close(engine->net);
    struct arena room = engine->arena; /* holds the engine too */
    arena_free(&room);
}

struct str engine_table(const struct engine *engine)
{
    return engine->table;
}

struct str engine_database(const struct engine *engine)
{
    return engine->database;
}

void engine_add_text(struct buf *sql, struct str text)
{
    buf_add_char(sql, '\'');
    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] == '\'' || text.ptr[i] == '\\')
            buf_add_char(sql, '\\');
        buf_add_char(sql, text.ptr[i]);
    }
    buf_add_char(sql, '\'');
}

/* --- answers --- */

static char unescaped(char c)
{
    switch (c) {
    case 'b':
        return '\b';
    case 'f':
        return '\f';
    case 'r':
        return '\r';
    case 'n':
        return '\n';
    case 't':
        return '\t';
    case '0':
        return '\0';
    default:
        return c; /* quotes and backslashes */
    }
}

/* A field that is missing stays "\N". */
static void add_field(struct buf *out, struct str raw)
{
    if (str_eq(raw, STR("\\N"))) {
        buf_add(out, raw);
        return;
    }
    for (size_t i = 0; i < raw.len; i++)
        if (raw.ptr[i] == '\\' && i + 1 < raw.len)
            buf_add_char(out, unescaped(raw.ptr[++i]));
        else
            buf_add_char(out, raw.ptr[i]);
}

bool engine_read_row(struct str line, size_t columns, struct buf *text,
                     struct str *fields)
{
    struct str field;

    buf_clear(text);
    buf_reserve(text, line.len + 1); /* so that what points into it stays */
    if (!str_cut(&line, '\t', &field) || !str_eq(field, STR(MARK_BEGIN)))
        return false;
    for (size_t i = 0; i < columns; i++) {
        size_t begin = text->len;
        if (!str_cut(&line, '\t', &field))
            return false;
        add_field(text, field);
        fields[i] = (struct str){text->ptr + begin, text->len - begin};
    }
    return str_eq(line, STR(MARK_END));
}

struct str engine_own_words(struct str line)
{
    static const struct str begin = STR_INIT("Code: "), sign = STR_INIT("DB::Exception");
    bool signs = false;

    for (size_t at = line.len; at-- > 0;) {
        struct str rest = str_slice(line, at, line.len);
        signs = signs || str_starts(rest, sign);
        if (signs && str_starts(rest, begin))
            return rest;
    }
    return (struct str){0};
}

/* A line without marks is all the server's. */
static struct str own_words(struct str line)
{
    return str_starts(line, STR(MARK_BEGIN "\t")) || str_eq(line, STR(MARK_BEGIN))
               ? engine_own_words(line)
               : line;
}

static bool take_line(struct http_answer *answer, struct str line)
{
    if (!engine_read_row(line, answer->columns, &answer->fields_text, answer->fields)) {
        line = own_words(line);
        buf_add(&answer->said, str_slice(line, 0, SAID_MAX));
        answer->torn = true;
        return false;
    }
    answer->rows++;
    if (answer->take(answer->context, answer->fields, answer->err))
        return true;
    answer->failed = true;
    return false;
}

static bool receive(void *context, long status, struct str piece)
{
    struct http_answer *answer = context;

    if (status != 200) {
        if (answer->said.len < SAID_MAX)
            buf_add(&answer->said, piece);
        return true;
    }
    buf_add(&answer->pending, piece);
    struct str rest = buf_str(&answer->pending), line;
    while (memchr(rest.ptr, '\n', rest.len) != NULL) {
        str_cut(&rest, '\n', &line);
        if (!take_line(answer, line))
            return false;
    }
    if (rest.len > 0)
        memmove(answer->pending.ptr, rest.ptr, rest.len);
    answer->pending.len = rest.len;
    return true;
}

/* What the server said, as one line and without its stack. */
static struct str cut_said(struct buf *said)
{
    const struct str stack = STR(" Stack trace");
    struct str line = {said->ptr, 0};

    for (size_t i = 0; i < said->len; i++) {
        char c = (unsigned char)said->ptr[i] < ' ' ? ' ' : said->ptr[i];
        if (c != ' ' || (line.len > 0 && said->ptr[line.len - 1] != ' '))
            said->ptr[line.len++] = c;
    }
    for (size_t at = 0; at + stack.len <= line.len; at++)
        if (str_starts(str_slice(line, at, line.len), stack))
            line.len = at;
    return str_trim(str_slice(line, 0, SAID_MAX));
}

bool engine_refused(const struct engine *engine, struct buf *said, const char *why,
                    struct err *err)
{
    struct str text = cut_said(said);

    if (text.len > 0)
        return err_set(err, ERR_SYSTEM, "%s: the server says: %.*s", engine->shown,
                       STR_ARG(text));
    if (why == net_silence)
        return err_set(err, ERR_SYSTEM,
                       "%s: the server said nothing for %ld seconds; " SILENT_VARIABLE
                       " in the environment says how long it may",
                       engine->shown, engine->silent_seconds);
    if (why == net_endless)
        return err_set(err, ERR_SYSTEM,
                       "%s: nothing tells where its answers end, so that one that broke "
                       "off would look whole; expected HTTP/1.1, as a server speaks it: "
                       "is there a proxy before it?",
                       engine->shown);
    return err_set(err, ERR_SYSTEM, "%s: cannot be asked: %s", engine->shown,
                   why != NULL ? why : "it says nothing");
}

static bool tell(const struct engine *engine, struct http_answer *answer, const char *why,
                 struct err *err)
{
    if (answer->failed)
        return false;
    if (!stop_check(err))
        return false;
    if (answer->said.len == 0 && why != net_endless && (answer->rows > 0 || answer->torn))
        return err_set(err, ERR_SYSTEM, "%s: the answer broke off after %lld rows: %s",
                       engine->shown, (long long)answer->rows,
                       answer->torn ? "within a row" : why);
    return engine_refused(engine, &answer->said, why, err);
}

struct net_request engine_request(const struct engine *engine, struct str sql)
{
    return (struct net_request){.url = engine->url,
                                .headers = engine->headers,
                                .body = sql,
                                .silent_seconds = engine->silent_seconds,
                                .whole = true};
}

const char *engine_shown(const struct engine *engine)
{
    return engine->shown;
}

static bool keep_said(void *context, long status, struct str piece)
{
    struct buf *said = context;

    (void)status;
    if (said->len < SAID_MAX)
        buf_add(said, piece);
    return true;
}

bool engine_do(struct engine *engine, struct str sql, struct err *err)
{
    struct net_request request = engine_request(engine, sql);
    struct buf said = {0};
    long status = 0;
    const char *why = net_ask(engine->net, &request, keep_said, &said, &status);
    bool ok = (why == NULL && status == 200 && said.len == 0) ||
              (stop_check(err) && engine_refused(engine, &said, why, err));

    buf_free(&said);
    return ok;
}

/* --- who may not change settings --- */

struct settings_found {
    const struct engine *engine;
    size_t count;
};

static bool take_setting(void *context, const struct str *fields, struct err *err)
{
    struct settings_found *found = context;

    for (size_t i = 0; i < ROWS_OF(settings); i++) {
        if (!str_eq(fields[0], str_from(settings[i].name)))
            continue;
        found->count++;
        if (!str_eq(fields[1], str_from(settings[i].value)))
            return err_set(err, ERR_SYSTEM,
                           "%s: the server has set %s to '%.*s', which gives a part for "
                           "the whole, and this user may not change it (readonly = 1); "
                           "expected '%s', or a user who may (readonly = 2)",
                           found->engine->shown, settings[i].name, STR_ARG(fields[1]),
                           settings[i].value);
    }
    return true;
}

/* Settings that are as they should be need not be sent: of a user who may change none,
 * questions come without. False: something else is wrong with them. */
static bool leave_settings(struct engine *engine, struct err *err)
{
    static const char *const expressions[] = {"name", "value"};
    struct settings_found found = {.engine = engine};
    const char *url = engine->url;

    engine->url = engine->bare;
    bool ok = engine_ask(engine, expressions, ROWS_OF(expressions),
                         STR("FROM system.settings"), take_setting, &found, err);
    if (ok && found.count < ROWS_OF(settings))
        ok = err_set(
            err, ERR_SYSTEM,
            "%s: this user may not change settings (readonly = 1), and the "
            "server does not tell them all; expected a user who may (readonly = 2)",
            engine->shown);
    if (!ok)
        engine->url = url;
    return ok;
}

/* By the number of the error: settings are read-only, or may not have such a value. */
static bool refuses_settings(const struct engine *engine, const struct buf *said)
{
    struct str text = buf_str(said);

    return engine->url != engine->bare &&
           (str_starts(text, STR("Code: 164")) || str_starts(text, STR("Code: 452")));
}

/* Without rows, marks or a refusal nothing has been taken: the question may be asked
 * again. */
static bool ask_until_answered(struct engine *engine, struct http_answer *answer,
                               struct str sql, struct err *err)
{
    struct net_request request = engine_request(engine, sql);
    const char *why = NULL;
    long status = 0;

    for (int i = 0; i < TRIES; i++) {
        if (i > 0)
            net_pause((long)FIRST_PAUSE_MS << (i - 1));
        buf_clear(&answer->pending);
        why = net_ask(engine->net, &request, receive, answer, &status);
        if (why == NULL && status == 200 && answer->pending.len == 0)
            return true;
        if (refuses_settings(engine, &answer->said)) {
            if (!leave_settings(engine, err))
                return false;
            request = engine_request(engine, sql);
            buf_clear(&answer->said);
            i = -1;
            continue;
        }
        if (answer->failed || answer->rows > 0 || answer->said.len > 0 || answer->torn ||
            why == net_silence || why == net_endless || stop_requested())
            break;
    }
    if (answer->said.len == 0 && answer->pending.len > 0) {
        buf_add(&answer->said, own_words(buf_str(&answer->pending)));
        answer->torn = true;
    }
    return tell(engine, answer, why != NULL ? why : "it says nothing", err);
}

bool engine_ask(struct engine *engine, const char *const *expressions, size_t columns,
                struct str rest, engine_take_fields *take, void *context, struct err *err)
{
    struct arena arena = {0};
    struct http_answer answer = {.columns = columns,
                                 .take = take,
                                 .context = context,
                                 .err = err,
                                 .fields = arena_array(&arena, struct str, columns + 1)};
    struct buf sql = {0};

    buf_add(&sql, STR("SELECT '" MARK_BEGIN "'"));
    for (size_t i = 0; i < columns; i++)
        buf_add_format(&sql, ", %s", expressions[i]);
    buf_add_format(&sql, ", '" MARK_END "' %.*s FORMAT TabSeparated", STR_ARG(rest));
    bool ok = ask_until_answered(engine, &answer, buf_str(&sql), err);
    buf_free(&sql);
    buf_free(&answer.pending);
    buf_free(&answer.fields_text);
    buf_free(&answer.said);
    arena_free(&arena);
    return ok;
}

static bool ignore(void *context, long status, struct str piece)
{
    (void)context, (void)status, (void)piece;
    return true;
}

bool engine_answers(const struct engine *engine)
{
    struct net_request request = {
        .url = engine->url, .get = true, .seconds = ANSWERS_SECONDS};
    struct net *net = net_open();
    long status;
    const char *why =
        net != NULL ? net_ask(net, &request, ignore, NULL, &status) : net_silence;

    net_close(net);
    return why == NULL || why == net_untrusted;
}
