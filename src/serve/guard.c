/* See guard.h. Anything that is not plainly right is refused. */
#include "serve/guard.h"

#include <arpa/inet.h>
#include <string.h>

/* Takes the ":8080" off the end of *host; without one it is the default of http. */
static bool cut_port(struct str *host, int64_t *port)
{
    size_t colon = host->len;

    *port = 80;
    while (colon > 0 && host->ptr[colon - 1] != ':' && host->ptr[colon - 1] != ']')
        colon--;
    if (colon == 0 || host->ptr[colon - 1] == ']')
        return true;
    if (!str_to_int(str_slice(*host, colon, host->len), port))
        return false;
    *host = str_slice(*host, 0, colon - 1);
    return true;
}

static bool is_address(struct str name)
{
    char text[64];
    unsigned char address[16];
    bool brackets = name.len > 2 && name.ptr[0] == '[' && name.ptr[name.len - 1] == ']';
    struct str inside = brackets ? str_slice(name, 1, name.len - 1) : name;

    if (inside.len >= sizeof text)
        return false;
    memcpy(text, inside.ptr, inside.len);
    text[inside.len] = '\0';
    return strlen(text) == inside.len &&
           inet_pton(brackets ? AF_INET6 : AF_INET, text, address) == 1;
}

/* What stands behind the scheme; false when the url has another scheme. */
static bool cut_scheme(struct str url, struct str *rest)
{
    struct str schemes[] = {STR("http://"), STR("https://")};

    for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++)
        if (str_starts(url, schemes[i])) {
            *rest = str_slice(url, schemes[i].len, url.len);
            return true;
        }
    return false;
}

/* The place of the path in a url, or its end. */
static size_t path_at(struct str url)
{
    struct str rest;
    size_t at = cut_scheme(url, &rest) ? url.len - rest.len : url.len;

    while (at < url.len && url.ptr[at] != '/')
        at++;
    return at;
}

struct str serve_guard_path(struct str url)
{
    return str_slice(url, path_at(url), url.len);
}

bool serve_guard_is_url(struct str url)
{
    struct str name;

    if (!cut_scheme(url, &name) || name.len == 0 || name.ptr[0] == ':' ||
        name.ptr[0] == '/' || url.ptr[url.len - 1] == '/')
        return false;
    bool path = false;
    for (size_t i = 0; i < name.len; i++) {
        char c = name.ptr[i];
        bool plain =
            (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '-';
        path |= c == '/';
        if (!plain && c != '/' &&
            (path ? c != '_' && !(c >= 'A' && c <= 'Z')
                  : c != ':' && c != '[' && c != ']'))
            return false;
    }
    return true;
}

bool serve_guard_host(const struct serve_guard *guard, struct str host)
{
    struct str name;
    int64_t port;

    if (host.len == 0)
        return false;
    if (cut_scheme(str_slice(guard->url, 0, path_at(guard->url)), &name) &&
        str_eq(host, name))
        return true;
    return cut_port(&host, &port) && port > 0 && port < 65536 &&
           (str_eq(host, STR("localhost")) || is_address(host));
}

bool serve_guard_origin(const struct serve_guard *guard, struct str host,
                        struct str origin)
{
    struct str scheme = STR("http://");

    if (origin.len == 0)
        return false;
    if (str_eq(origin, str_slice(guard->url, 0, path_at(guard->url))))
        return true;
    return str_starts(origin, scheme) &&
           str_eq(str_slice(origin, scheme.len, origin.len), host);
}

bool serve_guard_is_json(struct str content_type)
{
    struct str type;

    str_cut(&content_type, ';', &type);
    return str_eq(str_trim(type), STR("application/json"));
}

struct str serve_guard_cookie(struct str cookies, struct str name)
{
    struct str one, key;

    for (bool more = true; more;) {
        more = str_cut(&cookies, ';', &one);
        if (str_cut(&one, '=', &key) && str_eq(str_trim(key), name))
            return str_trim(one);
    }
    return (struct str){0};
}
