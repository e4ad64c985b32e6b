/* The digest: what raters confuse, pairs, disputes without their decisions. */
#include "serve/internal.h"

#include "label/models.h"
#include "tests/unit/served.h"

#define THREE_RATERS \
    LABELLED_HEAD \
    "labelling: {bugs: {sample: all, raters: [ann, bob, cid], arbiter: eve, seed: 5}}\n"

/* The json as a text that ends. */
static const char *json_of(struct labelled *test, const struct serve_digest *digest)
{
    return arena_c_string(&test->in.arena, digest->json);
}

static void test_two(void)
{
    struct labelled test;

    if (!labelled_begin(&test, LABELLED_STUDY, LABELLED_CODEBOOK))
        return;
    tap_case("without labels: nothing to tell, and it says why");
    struct serve_digest *digest = serve_digest_make(test.label);
    CHECK(served_has(json_of(&test, digest), "\"confusion\":[],\"confused\":[]"));
    CHECK(served_has(json_of(&test, digest), "\"undefined\":\""));
    CHECK(digest->dispute_count == 0 && digest->failure.len == 0 && digest->at_ms > 0);
    serve_digest_free(digest);

    tap_case("two raters: rows are the first one's words, columns the second one's");
    CHECK(labelled_end_round(&test, labelled_fill(&test)));
    digest = serve_digest_make(test.label);
    /* data/parse 6 times by both, model 3 times by both, model and unclear 3 times */
    CHECK(served_has(json_of(&test, digest),
                     "\"confusion\":[[1,1,6],[3,3,3],[3,4,3]],\"confused\":[{\"code\":1,"
                     "\"name\":\"Parsing\",\"path\":\"data/parse\"},{\"code\":3,"));
    CHECK(served_has(json_of(&test, digest), "\"pair_count\":1,\"pairs\":[{"));
    tap_case("alpha comes with an interval");
    const char *alpha = strstr(json_of(&test, digest), "\"alpha\":{");
    CHECK(alpha != NULL && strncmp(strstr(alpha, "\"low\":"), "\"low\":null", 11) != 0);
    tap_case("disputes are there");
    CHECK(digest->dispute_count == 3 && digest->disputes[0].item == 25);
    int64_t changes;
    CHECK(label_changes(test.label, &changes, &test.in.err) &&
          changes == digest->changes);
    serve_digest_free(digest);
    serve_digest_free(NULL);
    labelled_end(&test);
}

#define WITH_MODEL \
    LABELLED_HEAD \
    "labelling: {bugs: {sample: all, raters: [ann, {model: m, name: toy, url: " \
    "'http://h'}], arbiter: eve, seed: 5}}\n"

static void test_model(void)
{
    struct labelled test;
    struct str code = STR("model");
    struct store_acts_answer answer = {.at_ms = 5000,
                                       .rater = STR("toy"),
                                       .item = 11,
                                       .run = 1,
                                       .try = 1,
                                       .state = STR("answered"),
                                       .codes = {&code, 1},
                                       .answered = STR("m-2"),
                                       .tokens_in = 90,
                                       .tokens_out = 10};

    tap_case("what models were asked, and that it is no label");
    if (!labelled_begin(&test, WITH_MODEL, LABELLED_CODEBOOK))
        return;
    answer.dimension = label_task(test.label)->codebook->dimensions[0].id;
    answer.version = label_task(test.label)->version;
    CHECK(label_answer_add(test.label, &answer, &test.in.err));
    struct serve_digest *digest = serve_digest_make(test.label);
    CHECK(served_has(json_of(&test, digest),
                     "\"models\":[{\"name\":\"toy\",\"model\":\"m-2\",\"items\":1,"
                     "\"of\":12,\"requests\":1,\"refused\":0,\"cut\":0,"
                     "\"unreadable\":0,\"tokens\":100,\"last\":5000}]"));
    CHECK(digest->dispute_count == 0 && digest->agreed_count == 0);
    serve_digest_free(digest);
    labelled_end(&test);
}

static void test_three(void)
{
    struct labelled test;

    tap_case("three raters: all pairs together, without first and second");
    if (!labelled_begin(&test, THREE_RATERS, LABELLED_CODEBOOK))
        return;
    CHECK(labelled_round(&test) == 1);
    CHECK(labelled_give(&test, "ann", 11, "model", ""));
    CHECK(labelled_give(&test, "bob", 11, "data/parse", ""));
    CHECK(labelled_give(&test, "cid", 11, "model", ""));
    struct serve_digest *digest = serve_digest_make(test.label);
    CHECK(served_has(json_of(&test, digest), "\"confusion\":[[1,3,2],[3,3,1]]"));
    CHECK(served_has(json_of(&test, digest), "\"pair_count\":3"));
    serve_digest_free(digest);
    labelled_end(&test);
}

int main(void)
{
    test_two();
    test_model();
    test_three();
    return tap_done();
}
