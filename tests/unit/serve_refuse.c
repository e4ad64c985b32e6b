/* Answers that say no: status, and a text in json whatever it holds. */
#include "serve/internal.h"

#include "tests/tap.h"

static void check(struct serve_http_answer *answer, int status, const char *body)
{
    CHECK(answer->status == status);
    CHECK_TEXT(answer->type, "application/json");
    buf_add_char(&answer->body, '\0');
    CHECK_TEXT(answer->body.ptr, body);
    buf_free(&answer->body);
}

int main(void)
{
    struct serve_http_answer answer = {0};
    struct err err = {0};

    tap_case("a text with quotes; what was written before is gone");
    buf_add(&answer.body, STR("{\"half"));
    serve_refuse(&answer, 405, "not \"so\"");
    check(&answer, 405, "{\"error\":\"not \\\"so\\\"\"}");
    tap_case("no such page");
    answer = (struct serve_http_answer){0};
    serve_refuse_unknown(&answer);
    check(&answer, 404, "{\"error\":\"there is nothing here\"}");
    tap_case("what was asked is wrong");
    answer = (struct serve_http_answer){0};
    (void)err_set(&err, ERR_INPUT, "no code");
    serve_refuse_err(&answer, &err);
    check(&answer, 400, "{\"error\":\"no code\"}");
    tap_case("the machine is to blame");
    answer = (struct serve_http_answer){0};
    (void)err_set(&err, ERR_SYSTEM, "disk full");
    serve_refuse_err(&answer, &err);
    check(&answer, 500, "{\"error\":\"disk full\"}");
    return tap_done();
}
