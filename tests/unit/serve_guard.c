/* Which hosts, origins, types and cookies are let in. */
#include "serve/guard.h"

#include "tests/tap.h"

static const struct serve_guard here = {.url = {0}};
static const struct serve_guard proxied = {.url = STR_INIT("https://label.example.org")};

static void test_hosts(void)
{
    static const struct {
        const char *host;
        bool here, proxied;
    } rows[] = {
        {"127.0.0.1:8400", true, true},
        {"localhost:8400", true, true},
        {"192.168.1.5:8400", true, true},
        {"[::1]:8400", true, true},
        {"label.example.org", false, true},
        {"label.example.org:443", false, false},
        {"", false, false},
        {"127.0.0.1", true, true},
        {"127.0.0.1:8401", true, true}, /* the other end of a tunnel */
        {"127.0.0.1:0", false, false},
        {"127.0.0.1:65536", false, false},
        {"127.0.0.1:", false, false},
        {"127.0.0.1:8400x", false, false},
        {"127.0.0.1:8400:8400", false, false},
        {"evil.example:8400", false, false},
        {"localhost.evil.example:8400", false, false},
        {"127.0.0.1.evil.example:8400", false, false},
        {"127.1:8400", false, false},
        {"::1:8400", false, false},
        {"[::1", false, false},
        {"[evil]:8400", false, false},
        {":8400", false, false},
        {"0x7f000001:8400", false, false},
    };

    for (size_t i = 0; i < ROWS(rows); i++) {
        tap_case("host '%s'", rows[i].host);
        CHECK(serve_guard_host(&here, str_from(rows[i].host)) == rows[i].here);
        CHECK(serve_guard_host(&proxied, str_from(rows[i].host)) == rows[i].proxied);
    }
    tap_case("a host with a zero byte is none");
    CHECK(!serve_guard_host(&here, STR("127.0.0.1\0.evil.example:8400")));
    tap_case("a url with a path is known by its name alone");
    struct serve_guard below = {.url = STR("https://label.example.org/a/b")};
    CHECK(serve_guard_host(&below, STR("label.example.org")) &&
          !serve_guard_host(&below, STR("label.example.org/a/b")));
    CHECK(serve_guard_origin(&below, STR("label.example.org"),
                             STR("https://label.example.org")));
    CHECK(str_eq(serve_guard_path(below.url), STR("/a/b")) &&
          serve_guard_path(proxied.url).len == 0 && serve_guard_path(STR("")).len == 0);
}

static void test_origins(void)
{
    static const struct {
        const char *host, *origin;
        bool here, proxied;
    } rows[] = {
        {"127.0.0.1:8400", "http://127.0.0.1:8400", true, true},
        {"localhost:8400", "http://localhost:8400", true, true},
        {"label.example.org", "https://label.example.org", false, true},
        {"127.0.0.1:8400", "https://label.example.org", false, true},
        {"127.0.0.1:8400", "http://localhost:8400", false, false},
        {"127.0.0.1:8400", "https://127.0.0.1:8400", false, false},
        {"127.0.0.1:8400", "http://127.0.0.1:8401", false, false},
        {"127.0.0.1:8400", "http://evil.example", false, false},
        {"127.0.0.1:8400", "http://127.0.0.1:8400.evil.example", false, false},
        {"127.0.0.1:8400", "null", false, false},
        {"127.0.0.1:8400", "", false, false},
    };

    for (size_t i = 0; i < ROWS(rows); i++) {
        struct str host = str_from(rows[i].host), origin = str_from(rows[i].origin);
        tap_case("origin '%s' at %s", rows[i].origin, rows[i].host);
        CHECK(serve_guard_origin(&here, host, origin) == rows[i].here);
        CHECK(serve_guard_origin(&proxied, host, origin) == rows[i].proxied);
    }
}

static void test_urls(void)
{
    static const struct {
        const char *url;
        bool fine;
    } rows[] = {
        {"https://label.example.org", true},
        {"http://10.0.0.1:8400", true},
        {"https://[2001:db8::1]:8400", true},
        {"https://", false},
        {"https://:80", false},
        {"label.example.org", false},
        {"ftp://label.example.org", false},
        {"https://label.example.org/", false},
        {"https://a@label.example.org", false},
        {"https://Label.example.org", false},
        {"", false},
    };

    for (size_t i = 0; i < ROWS(rows); i++) {
        tap_case("url '%s'", rows[i].url);
        CHECK(serve_guard_is_url(str_from(rows[i].url)) == rows[i].fine);
    }
}

static void test_types(void)
{
    static const struct {
        const char *type;
        bool json;
    } rows[] = {
        {"application/json", true},
        {"application/json; charset=utf-8", true},
        {"text/plain", false},
        {"text/plain; application/json", false},
        {"application/x-www-form-urlencoded", false},
        {"multipart/form-data; boundary=application/json", false},
        {"application/jsonx", false},
        {"", false},
    };

    for (size_t i = 0; i < ROWS(rows); i++) {
        tap_case("type '%s'", rows[i].type);
        CHECK(serve_guard_is_json(str_from(rows[i].type)) == rows[i].json);
    }
}

static void test_cookies(void)
{
    static const struct {
        const char *cookies, *want;
    } rows[] = {
        {"a=1", "1"},     {"b=2; a=1; c=3", "1"}, {"b=2;a=1", "1"}, {"a=1; a=2", "1"},
        {"a=x=y", "x=y"}, {"ba=1", ""},           {"a", ""},        {"", ""},
        {";;;=;", ""},
    };

    for (size_t i = 0; i < ROWS(rows); i++) {
        struct str got = serve_guard_cookie(str_from(rows[i].cookies), STR("a"));
        tap_case("cookie a in '%s'", rows[i].cookies);
        CHECK(str_eq(got, str_from(rows[i].want)));
    }
}

int main(void)
{
    test_hosts();
    test_origins();
    test_urls();
    test_types();
    test_cookies();
    return tap_done();
}
