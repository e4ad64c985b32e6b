/* The arbiter's calls: what is in dispute, who said what, and a decision that counts. */
#include "tests/unit/served.h"

#define DECIDE(item, codes, reason) \
    "{\"item\": " item ", \"dimension\": \"bugs\", \"codes\": [" codes \
    "], \"reason\": \"" reason "\", \"text\": \"because\"}"

static void test_disputes(struct labelled *test)
{
    tap_case("nothing is in dispute while a round is open");
    int64_t round = labelled_fill(test);
    CHECK_TEXT(served_ask(test, serve_disputes, "eve", "", NULL), "{\"disputes\":[]}");
    CHECK(labelled_end_round(test, round));

    tap_case("then those on which raters differ, with what each said");
    const char *said = served_ask(test, serve_disputes, "eve", "", NULL);
    CHECK(served_has(said, "{\"item\":25,\"dimension\":\"bugs\",\"said\":[{"));
    CHECK(served_has(said, "\"rater\":\"ann\",\"codes\":[\"model\"]"));
    CHECK(served_has(said, "\"rater\":\"bob\",\"codes\":[\"unclear\"]"));
    CHECK(served_has(said, "\"decision\":null"));
    CHECK(!served_has(said, "{\"item\":11,\"dimension\""));
}

static void test_decide(struct labelled *test)
{
    static const struct {
        const char *name, *body;
    } wrong[] = {
        {"an unknown reason", DECIDE("25", "\"model\"", "whim")},
        {"an unknown code", DECIDE("25", "\"nosuch\"", "slip")},
        {"no code", DECIDE("25", "", "slip")},
        {"nothing said", "{}"},
    };

    for (size_t i = 0; i < ROWS(wrong); i++) {
        tap_case("a decision is refused: %s", wrong[i].name);
        CHECK(served_has(served_ask(test, serve_decide, "eve", "", wrong[i].body),
                         "error: "));
    }
    tap_case("a rater does not decide");
    CHECK(served_has(
        served_ask(test, serve_decide, "ann", "", DECIDE("25", "\"model\"", "slip")),
        "error: "));
    tap_case("the arbiter does, and may think again");
    CHECK(served_ask(test, serve_decide, "eve", "",
                     DECIDE("25", "\"model\"", "slip"))[0] == '{');
    CHECK(served_ask(test, serve_decide, "eve", "",
                     DECIDE("25", "\"unclear\"", "ambiguous"))[0] == '{');
    CHECK(served_has(served_ask(test, serve_disputes, "eve", "", NULL),
                     "\"decision\":{\"by\":\"eve\",\"codes\":[\"unclear\"],\"reason\":"
                     "\"ambiguous\",\"text\":\"because\"}"));
}

static void test_item(struct labelled *test)
{
    tap_case("the post in dispute");
    const char *said = served_ask(test, serve_item, "eve", "25", NULL);
    CHECK(served_has(said, "\"item\":{\"id\":25"));
    CHECK(served_has(said, "<p>Body 25</p>"));
    tap_case("items that are none");
    CHECK(served_has(served_ask(test, serve_item, "eve", "999", NULL), "error: "));
    CHECK(served_has(served_ask(test, serve_item, "eve", "x", NULL), "error: "));
    CHECK(served_has(served_ask(test, serve_item, "eve", "", NULL), "error: "));
}

int main(void)
{
    struct labelled test;

    if (served_begin(&test)) {
        test_disputes(&test);
        test_decide(&test);
        test_item(&test);
    }
    labelled_end(&test);
    return tap_done();
}
