/* Members of a request: each kind, missing, and of another kind. */
#include <string.h>

#include "serve/internal.h"
#include "tests/tap.h"

static const char text[] = "{\"text\": \"a\", \"texts\": [\"b\", \"c\"], \"none\": [], "
                           "\"int\": -7, \"real\": 0.5, "
                           "\"yes\": true, \"mixed\": [\"a\", 1], \"large\": 1e300}";

static void test_right(const json_t *body, struct arena *arena)
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

static void test_wrong(const json_t *body, struct arena *arena)
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

int main(void)
{
    struct arena arena = {0};
    json_t *body = json_loadb(text, strlen(text), 0, NULL);

    test_right(body, &arena);
    test_wrong(body, &arena);
    json_decref(body);
    arena_free(&arena);
    return tap_done();
}
