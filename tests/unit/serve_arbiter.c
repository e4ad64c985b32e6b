/* The arbiter's calls: what is in dispute, who said what, and a decision that counts. */
#include "tests/unit/served.h"

#define DECIDE(item, codes, reason) \
    "{\"item\": " item ", \"dimension\": \"bugs\", \"codes\": [" codes \
    "], \"reason\": \"" reason "\", \"text\": \"because\"}"

static void test_disputes(struct labelled *test)
{
    tap_case("nothing is in dispute while a round is open");
    int64_t round = labelled_fill(test);
    CHECK(served_has(served_ask(test, serve_dispute, "eve", "", NULL),
                     "\"count\":0,\"settled\":0,\"open\":-1}"));
    CHECK(labelled_end_round(test, round));

    tap_case("then those on which raters differ, with what each said");
    const char *said = served_ask(test, serve_dispute, "eve", "", NULL);
    CHECK(served_has(said, "\"count\":3,\"settled\":0,\"open\":0,\"at\":0"));
    CHECK(served_has(said,
                     "{\"item\":25,\"agreed\":false,\"dimension\":\"bugs\",\"said\":[{"));
    CHECK(served_has(said, "\"rater\":\"ann\",\"codes\":[\"model\"]"));
    CHECK(served_has(said, "\"rater\":\"bob\",\"codes\":[\"unclear\"]"));
    CHECK(served_has(said, "\"decision\":null"));
    tap_case("one after the other, round about, or by item");
    const char *second = served_ask(test, serve_dispute, "eve", "1", NULL);
    CHECK(served_has(second, "\"at\":1,") && !served_has(second, "{\"item\":25,"));
    CHECK(served_has(served_ask(test, serve_dispute, "eve", "3", NULL), "{\"item\":25,"));
    CHECK(
        served_has(served_ask(test, serve_dispute, "eve", "item/25", NULL), "\"at\":0,"));
    static const char *const none[] = {"item/999", "item/", "-1", "x", "item/x"};
    for (size_t i = 0; i < ROWS(none); i++) {
        tap_case("there is no dispute '%s'", none[i]);
        CHECK(
            served_has(served_ask(test, serve_dispute, "eve", none[i], NULL), "error: "));
    }
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
    const char *said = served_ask(test, serve_dispute, "eve", "0", NULL);
    CHECK(served_has(said, "\"settled\":1,\"open\":1,\"at\":0"));
    CHECK(served_has(said,
                     "\"decision\":{\"by\":\"eve\",\"codes\":[\"unclear\"],\"reason\":"
                     "\"ambiguous\",\"text\":\"because\"}"));
}

static void test_agreed(struct labelled *test)
{
    tap_case("what raters agree on can be had by its item, and overruled");
    const char *said = served_ask(test, serve_dispute, "eve", "item/11", NULL);
    CHECK(served_has(said, "\"item\":11,\"agreed\":true"));
    const char *at = strstr(said, "\"others\":[{\"at\":");
    if (CHECK(at != NULL)) {
        char ask[40];
        snprintf(ask, sizeof ask, "at/%ld",
                 strtol(at + strlen("\"others\":[{\"at\":"), NULL, 10));
        tap_case("and by its number among all that can be decided");
        CHECK(served_has(served_ask(test, serve_dispute, "eve", ask, NULL),
                         "\"item\":11,\"agreed\":true"));
    }
    tap_case("of which there are no others");
    CHECK(served_has(served_ask(test, serve_dispute, "eve", "at/12", NULL), "error: "));
    CHECK(served_has(served_ask(test, serve_dispute, "eve", "at/-1", NULL), "error: "));
    CHECK(served_has(
        served_ask(test, serve_decide, "eve", "",
                   "{\"item\":11,\"dimension\":\"bugs\",\"codes\":[\"unclear\"],"
                   "\"reason\":\"other\",\"text\":\"both overlooked it\"}"),
        "\"id\":"));
    CHECK(strstr(labelled_export(test, LABEL_FINAL, false),
                 "11,bugs,unclear,adjudicated") != NULL);
}

static void test_item(struct labelled *test)
{
    tap_case("the post in dispute");
    const char *said = served_ask(test, serve_item, "eve", "25", NULL);
    CHECK(served_has(said, "\"item\":{\"id\":25"));
    CHECK(served_has(said, "<p>Body 25</p>"));
    tap_case("items that are none");
    CHECK(served_has(served_ask(test, serve_item, "eve", "999", NULL),
                     "\"item\":{\"id\":999,\"gone\":\"the corpus has no item 999\"}"));
    CHECK(served_has(served_ask(test, serve_item, "eve", "x", NULL), "error: "));
    CHECK(served_has(served_ask(test, serve_item, "eve", "", NULL), "error: "));
}

/* Items outside the task's samples are asked of the corpus. */
static void test_picked(struct labelled *test)
{
    static const struct label_picked picked[] = {{999, 0.5}};
    struct label_round_plan plan = {.kind = LABEL_CHOSEN,
                                    .items = 1,
                                    .overlap = 1,
                                    .picked = picked,
                                    .picked_count = 1};
    struct err err = {0};
    int64_t round;

    tap_case("a chosen round refuses an item that the corpus lacks");
    CHECK(!label_round_open(test->label, &plan, STR("eve"), &round, &err));
    CHECK(err.kind == ERR_INPUT && strstr(err.text, "999") != NULL);
}

int main(void)
{
    struct labelled test;

    if (served_begin(&test)) {
        test_disputes(&test);
        test_decide(&test);
        test_item(&test);
        test_agreed(&test);
        test_picked(&test);
    }
    labelled_end(&test);
    return tap_done();
}
