/* Counts, means and medians of a model that is written down. */
#include "topic/topic.h"

#include "tests/unit/topic_planted.h"

enum { DOCUMENTS = 5, TOPICS = 2 };

static const float shares[DOCUMENTS * TOPICS] = {0.9F, 0.1F, 0.2F, 0.8F, 0.5F,
                                                 0.5F, 0.9F, 0.1F, 0.7F, 0.3F};
static const int64_t tokens_of_topics[] = {6, 2};
static const struct topic_lda_model model = {.topics = TOPICS,
                                             .words = 1,
                                             .documents = DOCUMENTS,
                                             .shares = shares,
                                             .tokens = tokens_of_topics};
static const int64_t lengths[] = {1, 2, 1, 4, 0}, at[] = {0, 0, 0, 0, 0, 0, 0, 0};

static void check_documents(void)
{
    static const size_t groups[] = {0, 1, 2, 2, 2},
                        none[] = {1, TOPIC_TABLES_NONE, 1, 1, 1};
    struct arena arena = {0};
    struct topic_tokens tokens = planted_tokens(lengths, DOCUMENTS, at, 1, &arena);
    size_t *topics = topic_tables_main_topics(&model, &tokens, &arena),
           typical[DOCUMENTS];
    int64_t cells[TOPICS * 3];

    tap_case("the topic with the largest share, the first of equals");
    CHECK(topics[0] == 0 && topics[1] == 1 && topics[2] == 0);
    tap_case("a document without words has none");
    CHECK(topics[4] == TOPIC_TABLES_NONE);
    tap_case("typical: larger shares, then longer documents");
    CHECK(topic_tables_typical(&model, &tokens, topics, 0, 5, typical) == 3);
    CHECK(typical[0] == 3 && typical[1] == 0 && typical[2] == 2);
    tap_case("typical: only so many");
    CHECK(topic_tables_typical(&model, &tokens, topics, 0, 2, typical) == 2);
    CHECK(typical[0] == 3 && typical[1] == 0);
    CHECK(topic_tables_typical(&model, &tokens, topics, 0, 0, typical) == 0);
    static const double nearness[] = {0.5, 0.1, 0.9, 0.5, 1};
    struct topic_lda_model clusters = model;
    clusters.nearness = nearness;
    tap_case("typical of a cluster: nearer to its centre, then longer documents");
    CHECK(topic_tables_typical(&clusters, &tokens, topics, 0, 5, typical) == 3);
    CHECK(typical[0] == 2 && typical[1] == 3 && typical[2] == 0);
    topic_tables_cross(topics, groups, DOCUMENTS, TOPICS, 3, cells);
    tap_case("topics by groups");
    CHECK(cells[0] == 1 && cells[1] == 0 && cells[2] == 2);
    CHECK(cells[3] == 0 && cells[4] == 1 && cells[5] == 0);
    topic_tables_cross(topics, none, DOCUMENTS, TOPICS, 3, cells);
    tap_case("documents in no group are left out");
    CHECK(cells[1] == 3 && cells[4] == 0);
    arena_free(&arena);
}

static void check_measures(void)
{
    static const double views[] = {10, 7, 30, NAN, 99}, accepted[] = {1, 0, 0, 1, 1},
                        hours[] = {1, NAN, NAN, 4, 9};
    struct arena arena = {0};
    struct topic_tokens tokens = planted_tokens(lengths, DOCUMENTS, at, 1, &arena);
    size_t *topics = topic_tables_main_topics(&model, &tokens, &arena);
    struct topic_tables_topic out[TOPICS];

    topic_tables_topics(&model, topics,
                        &(struct topic_tables_measures){
                            .views = views, .accepted = accepted, .hours = hours},
                        &arena, out);
    tap_case("posts and share of tokens");
    CHECK(out[0].posts == 3 && out[1].posts == 1);
    CHECK_NEAR(out[0].share, 0.75, 1e-12);
    tap_case("means leave out what is not known");
    CHECK_NEAR(out[0].views, 20, 1e-12);
    tap_case("share without accepted answer");
    CHECK_NEAR(out[0].without_accepted, 1.0 / 3, 1e-12);
    CHECK_NEAR(out[1].without_accepted, 1, 0);
    tap_case("median of hours");
    CHECK_NEAR(out[0].hours, 2.5, 1e-12);
    CHECK_NEAR(out[1].hours, NAN, 0);
    tap_case("a measure that no document has");
    CHECK_NEAR(out[0].score, NAN, 0);
    arena_free(&arena);
}

static void check_relations(void)
{
    static const struct topic_tables_topic topics[] = {
        {.views = 10, .score = 4, .without_accepted = 0.1, .hours = NAN},
        {.views = 20, .score = 3, .without_accepted = 0.2, .hours = 1},
        {.views = 30, .score = 2, .without_accepted = 0.3, .hours = 2},
        {.views = 40, .score = 1, .without_accepted = 0.5, .hours = NAN}};
    struct arena arena = {0};
    struct topic_tables_relation out[TOPIC_TABLES_RELATIONS];

    topic_tables_relations(topics, 4, &arena, out);
    tap_case("views go with the share without accepted answer");
    CHECK_TEXT(out[0].popularity, "views");
    CHECK_TEXT(out[0].difficulty, "without accepted");
    CHECK_NEAR(out[0].spearman.r, 1, 1e-12);
    CHECK_NEAR(out[0].kendall.r, 1, 1e-12);
    tap_case("scores go against it");
    CHECK_NEAR(out[2].spearman.r, -1, 1e-12);
    tap_case("two topics with hours are too few");
    CHECK(out[1].spearman.undefined != NULL);
    arena_free(&arena);
}

int main(void)
{
    check_documents();
    check_measures();
    check_relations();
    return tap_done();
}
