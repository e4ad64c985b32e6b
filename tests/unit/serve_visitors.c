/* Who it is: by token and by cookie, and how guessing ends. */
#include "serve/internal.h"

#include "tests/unit/labelled.h"

enum { WRONG = 30 }; /* so many guesses are looked at */

static int status_of(struct serve_visitors *visitors, struct str token,
                     struct serve_visitor **who)
{
    struct serve_http_answer answer = {.status = 200};

    *who = serve_visitors_recognise(visitors, token, &answer);
    buf_free(&answer.body);
    return answer.status;
}

/* A token of the same handle. */
static struct str guess(struct labelled *test, const struct serve_visitor *visitor)
{
    char *text = arena_c_string(&test->in.arena, visitor->token);
    size_t last = visitor->token.len - 1;

    text[last] = text[last] == '0' ? '1' : '0';
    return str_from(text);
}

static void check_cookie(struct labelled *test, struct serve_visitors *visitors)
{
    const struct serve_visitor *ann = &visitors->at[0], *bob = &visitors->at[1];
    struct buf cookies = {0};
    struct serve_http_answer answer = {0};

    tap_case("a cookie is found by the handle in the path");
    buf_add_format(&cookies, "a=b; assay-%.*s=%.*s", STR_ARG(ann->handle),
                   STR_ARG(ann->token));
    struct serve_http_request request = {.cookies = buf_str(&cookies),
                                         .arena = &test->in.arena};
    CHECK(serve_visitors_by_cookie(visitors, ann->handle, &request, &answer) == ann);
    tap_case("and by no other");
    CHECK(serve_visitors_by_cookie(visitors, bob->handle, &request, &answer) == NULL);
    CHECK(answer.status == 403);
    buf_free(&answer.body);
    buf_free(&cookies);
}

int main(void)
{
    struct labelled test;
    struct serve_visitors visitors;
    struct serve_visitor *who;

    if (!labelled_begin(&test, LABELLED_STUDY, LABELLED_CODEBOOK))
        return tap_done();
    tap_case("everybody of the task has a token and a handle");
    CHECK(serve_visitors_open(test.label, NULL, &test.in.arena, &visitors, &test.in.err));
    CHECK(visitors.count == 3 && visitors.at[0].handle.len == 8);
    CHECK(str_starts(visitors.at[0].token, visitors.at[0].handle));
    tap_case("the owner of a token");
    CHECK(status_of(&visitors, visitors.at[1].token, &who) == 200);
    CHECK(who == &visitors.at[1]);
    CHECK(status_of(&visitors, STR("nobody"), &who) == 403 && who == NULL);
    CHECK(status_of(&visitors, STR(""), &who) == 403 && who == NULL);
    check_cookie(&test, &visitors);
    tap_case("guesses are stopped, and keep nobody out whose link is right");
    for (int i = 0; i < WRONG; i++)
        CHECK(status_of(&visitors, guess(&test, &visitors.at[0]), &who) == 403);
    CHECK(status_of(&visitors, guess(&test, &visitors.at[0]), &who) == 429);
    CHECK(status_of(&visitors, visitors.at[0].token, &who) == 200);
    CHECK(status_of(&visitors, visitors.at[1].token, &who) == 200);
    labelled_end(&test);
    return tap_done();
}
