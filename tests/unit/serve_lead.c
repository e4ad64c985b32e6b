/* The lead's calls: rounds, progress, agreement equal to that of label/, proposals. */
#include "tests/unit/served.h"

static void test_rounds(struct labelled *test)
{
    static const struct {
        const char *name, *body;
    } wrong[] = {
        {"no such kind", "{\"kind\": \"x\", \"items\": 1, \"raters\": 0}"},
        {"no items", "{\"kind\": \"main\", \"items\": 0, \"raters\": 0}"},
        {"fewer than no raters", "{\"kind\": \"main\", \"items\": 1, \"raters\": -1}"},
        {"more than all of them",
         "{\"kind\": \"main\", \"items\": 1, \"raters\": 0, \"overlap\": 1.5}"},
        {"nothing said", "{}"},
        {"one that is not there", "{\"close\": 99}"},
    };

    for (size_t i = 0; i < ROWS(wrong); i++) {
        tap_case("a round is refused: %s", wrong[i].name);
        CHECK(served_has(served_ask(test, serve_round, "eve", "", wrong[i].body),
                         "error: "));
    }
    tap_case("a round is opened, once");
    const char *open =
        "{\"kind\": \"main\", \"items\": 12, \"raters\": 0, \"overlap\": 1, "
        "\"retest\": 0}";
    CHECK_TEXT(served_ask(test, serve_round, "eve", "", open), "{\"round\":1}");
    CHECK(served_has(served_ask(test, serve_round, "eve", "", open), "error: "));
}

/* bob differs on every fourth: Cohen's kappa by hand. */
static void test_agreement(struct labelled *test)
{
    const struct label_task *task = label_task(test->label);
    const char *codes[] = {"data/parse", "model", "data/parse", "unclear"};
    const char *said;

    for (size_t i = 0; i < task->item_count; i++) {
        CHECK(labelled_give(test, "ann", task->items[i], codes[i % 2], ""));
        CHECK(labelled_give(test, "bob", task->items[i], codes[i % 4], ""));
    }
    said = served_ask(test, serve_lead, "eve", "", NULL);
    tap_case("who has done what");
    CHECK(served_has(said, "{\"name\":\"ann\",\"assigned\":12,\"done\":12"));
    CHECK(served_has(said, "{\"name\":\"bob\",\"assigned\":12,\"done\":12"));
    CHECK(!served_has(said, "{\"name\":\"eve\""));
    CHECK(served_has(said, "\"items\":12"));
    tap_case("a round that is open shows as such");
    CHECK(served_has(said, "\"kind\":\"main\",\"opened\":"));
    CHECK(served_has(said, "\"closed\":0,"));

    tap_case("agreement is that of the labels: 9 of 12 equal, 9 of 24 by chance");
    CHECK(served_ask(test, serve_round, "eve", "", "{\"close\": 1}")[0] == '{');
    said = served_ask(test, serve_lead, "eve", "", NULL);
    const char *at = strstr(said, "\"cohen\":{\"value\":");
    double by_chance = 0.5 * 0.5 + 0.5 * 0.25;
    if (CHECK(at != NULL))
        CHECK_NEAR(strtod(at + strlen("\"cohen\":{\"value\":"), NULL),
                   (0.75 - by_chance) / (1 - by_chance), 1e-12);
    CHECK(served_has(said, "\"word\":\"moderate\""));
    CHECK(served_has(said, "\"saturation\":[["));
    CHECK(served_has(said, "\"finals\":{\"unanimous\":9,\"single\":0,\"adjudicated\":0,"
                           "\"unresolved\":3,\"pending\":0,\"review\":0,\"chosen\":0,"
                           "\"outside\":0}"));

    tap_case("what came too late is told with what the item is called");
    struct str code = STR("model");
    struct label_given late = {.rater = STR("bob"),
                               .item = 11,
                               .round = 1,
                               .codes = &code,
                               .code_count = 1,
                               .client_key = STR("late")};
    CHECK(label_give(test->label, &late, &test->saved, &test->in.err));
    CHECK(served_has(served_ask(test, serve_lead, "eve", "", NULL),
                     "\"rater\":\"bob\",\"item\":\"11\",\"what\":\"label\""));
}

static void test_digest(struct labelled *test)
{
    struct serve_call call = {.label = test->label,
                              .trouble = "",
                              .person = STR("eve"),
                              .roles = LABEL_LEAD,
                              .rest = STR(""),
                              .arena = &test->in.arena};
    struct buf out = {0};
    struct err err = {0};

    tap_case("before the first digest, and after something has come");
    CHECK(serve_lead(&call, &out, &err));
    buf_add_char(&out, '\0');
    CHECK(served_has(out.ptr, "\"current\":false,\"as_of\":null"));
    struct serve_digest *digest = serve_digest_make(test->label);
    struct label_proposal proposal = {.rater = STR("bob"),
                                      .dimension = STR("bugs"),
                                      .code = STR("late"),
                                      .name = STR("Late"),
                                      .item = 11};
    CHECK(label_propose(test->label, &proposal, &err));
    call.digest = digest;
    buf_clear(&out);
    CHECK(serve_lead(&call, &out, &err));
    buf_add_char(&out, '\0');
    CHECK(served_has(out.ptr, "\"current\":false,\"as_of\":1"));
    CHECK(served_has(out.ptr, "\"agreement\":[{"));
    tap_case("a lead who does not rate gets a copy of labels.db");
    buf_clear(&out);
    CHECK(serve_copy(&call, &out, &err));
    CHECK(str_starts(buf_str(&out), STR("SQLite format 3")));
    serve_digest_free(digest);
    buf_free(&out);
}

static void test_chosen(struct labelled *test)
{
    const struct label_picked picked[] = {{7, 0.9}, {11, 0.8}};
    struct serve_call call = {.label = test->label,
                              .trouble = "",
                              .person = STR("eve"),
                              .arena = &test->in.arena,
                              .queue = picked,
                              .queue_count = ROWS(picked)};
    struct input_json_tree tree = {0};
    struct buf out = {0};
    struct err err = {0};
    const char *body = "{\"kind\": \"chosen\", \"items\": 2, \"raters\": 0}";

    tap_case("a chosen round needs a queue");
    CHECK_TEXT(
        served_ask(test, serve_round, "eve", "", body),
        "error: a chosen round needs items to choose from; give assay label a file "
        "with --queue");
    tap_case("with items that no other round has had");
    call.body = input_json_parse(&tree, str_from(body));
    CHECK(!serve_round(&call, &out, &err));
    CHECK_TEXT(err.text, "every item of the queue has been in a round");
    input_json_free(&tree);
    buf_free(&out);
}

static void test_proposals(struct labelled *test)
{
    struct label_proposal proposal = {.rater = STR("ann"),
                                      .dimension = STR("bugs"),
                                      .code = STR("clean"),
                                      .name = STR("Cleaning"),
                                      .item = 11};
    char body[100];

    tap_case("a proposal waits, is accepted, and its code is there");
    CHECK(label_propose(test->label, &proposal, &test->in.err));
    const char *said = served_ask(test, serve_lead, "eve", "", NULL);
    CHECK(served_has(said, "\"name\":\"Cleaning\""));
    CHECK(served_has(said, "\"verdict\":\"waiting\""));
    CHECK(!served_has(served_ask(test, serve_task, "ann", "", NULL), "Cleaning"));
    snprintf(body, sizeof body, "{\"id\": %lld, \"accept\": true, \"reason\": \"yes\"}",
             (long long)proposal.id);
    CHECK(served_ask(test, serve_judge, "eve", "", body)[0] == '{');
    CHECK(served_has(served_ask(test, serve_lead, "eve", "", NULL),
                     "\"verdict\":\"accepted\""));
    CHECK(served_has(served_ask(test, serve_task, "ann", "", NULL), "Cleaning"));
    tap_case("one that is not there is refused");
    CHECK(
        served_has(served_ask(test, serve_judge, "eve", "", "{\"id\": 99}"), "error: "));
}

int main(void)
{
    struct labelled test;

    if (labelled_begin(&test, LABELLED_STUDY, LABELLED_CODEBOOK)) {
        test_rounds(&test);
        test_agreement(&test);
        test_digest(&test);
        test_chosen(&test);
        test_proposals(&test);
    }
    labelled_end(&test);
    return tap_done();
}
