/* The task as everybody sees it: the codebook, one's own name, and nobody else's. */
#include "tests/unit/served.h"

int main(void)
{
    struct labelled test;

    if (labelled_begin(&test, LABELLED_STUDY, LABELLED_CODEBOOK)) {
        const char *said = served_ask(&test, serve_task, "ann", "", NULL);
        tap_case("the codebook's tree and its special codes");
        CHECK(served_has(said,
                         "{\"path\":\"data/parse\",\"name\":\"Parsing\",\"level\":2,"
                         "\"leaf\":true,\"special\":false"));
        CHECK(served_has(said, "{\"path\":\"unclear\",\"name\":\"Unclear\",\"level\":1,"
                               "\"leaf\":true,\"special\":true"));
        CHECK(served_has(said, "\"id\":\"bugs\""));
        tap_case("who one is, and what one may do");
        CHECK(served_has(said, "\"person\":\"ann\""));
        CHECK(served_has(said, "\"rater\":true,\"arbiter\":false,\"lead\":false"));
        tap_case("nobody else");
        CHECK(!served_has(said, "\"bob\""));
        CHECK(!served_has(said, "\"eve\""));
    }
    labelled_end(&test);
    return tap_done();
}
