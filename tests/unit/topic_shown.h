/* A small set of topics, written down, for the tests that show them. */
#ifndef TESTS_UNIT_TOPIC_SHOWN_H
#define TESTS_UNIT_TOPIC_SHOWN_H

#include <math.h>

#include "tests/tap.h"
#include "topic/topic.h"

static const size_t shown_begin[] = {0, 2, 3, 3};
static const uint32_t shown_at[] = {0, 1, 1};
static const struct str shown_names[] = {STR_INIT("gpu"), STR_INIT("loss")};
static const uint32_t shown_frequency[] = {1, 2};
static const struct topic_tokens shown_tokens = {.documents = 3,
                                                 .begin = shown_begin,
                                                 .at = shown_at,
                                                 .words = 2,
                                                 .names = shown_names,
                                                 .frequency = shown_frequency,
                                                 .empty = 1};
static const float shown_given[] = {0.75F, 0.25F, 0.25F, 0.75F};
static const float shown_shares[] = {0.75F, 0.25F, 0.25F, 0.75F, 0.5F, 0.5F};
static const int64_t shown_topic_tokens[] = {2, 1};
static const double shown_alpha[] = {0.5, 0.25};
static const struct topic_sweep_step shown_steps[] = {
    {.topics = 1,
     .perplexity = NAN,
     .coherence = {-1.5, 0.25, 0.5},
     .stability = {.mean = NAN}},
    {.topics = 2,
     .perplexity = 12.5,
     .coherence = {-1, 0.125, 0.75},
     .stability = {.mean = 0.5, .typical = 1}}};
static const struct topic_relevance shown_words[] = {
    {0, -0.5, 0.75}, {1, -1.5, 0.25}, {1, -0.25, 0.75}, {0, -2, 0.25}};
static const struct topic_coherence shown_coherence[] = {{-1, 0.25, 0.5}, {-2, 0.5, NAN}};
static const double shown_stability[] = {1, 0.25};
static const struct topic_set shown_topics = {.steps = shown_steps,
                                              .step_count = 2,
                                              .chosen = 1,
                                              .model = {.topics = 2,
                                                        .words = 2,
                                                        .documents = 3,
                                                        .words_given_topic = shown_given,
                                                        .shares = shown_shares,
                                                        .tokens = shown_topic_tokens,
                                                        .alpha = shown_alpha,
                                                        .beta = 0.125},
                                              .top = 2,
                                              .words = shown_words,
                                              .coherence = shown_coherence,
                                              .stability = shown_stability};
static const size_t shown_main[] = {0, 1, TOPIC_TABLES_NONE};
static const struct str shown_ids[] = {STR_INIT("7"), STR_INIT("8"), STR_INIT("a,b")};
static const struct str shown_titles[] = {
    STR_INIT("No gpu"), STR_INIT("A \"loss\""), {0}};
static const struct topic_tables_topic shown_measured[] = {{.posts = 1,
                                                            .share = 0.75,
                                                            .views = 100,
                                                            .score = 2,
                                                            .without_accepted = 0.5,
                                                            .hours = 3.25},
                                                           {.posts = 1,
                                                            .share = 0.25,
                                                            .views = 50,
                                                            .score = NAN,
                                                            .without_accepted = NAN,
                                                            .hours = NAN}};
static const struct topic_tables_relation shown_relations[TOPIC_TABLES_RELATIONS] = {
    {"views", "without accepted", {.r = 0.5, .p = 0.25}, {.r = 0.25, .p = 0.75}},
    {"views",
     "hours to accepted",
     {.r = NAN, .p = NAN, .undefined = "too few"},
     {.r = NAN, .p = NAN, .undefined = "too few"}},
    {"score", "without accepted", {.r = -0.5, .p = 0.5}, {.r = -1, .p = 0.125}},
    {"score", "hours to accepted", {.r = 0, .p = 1}, {.r = 0, .p = 1}}};
static const struct str shown_years[] = {STR_INIT("2019"), STR_INIT("2020")};
static const struct str shown_codes[] = {STR_INIT("training, slow")};
static const int64_t shown_year_cells[] = {1, 0, 0, 1}, shown_code_cells[] = {1, 0};

/* Everything is known. */
static const struct topic_render_data shown_all = {
    .tokens = &shown_tokens,
    .topics = &shown_topics,
    .main_topics = shown_main,
    .ids = shown_ids,
    .titles = shown_titles,
    .measured = shown_measured,
    .relations = shown_relations,
    .years = {shown_years, 2, shown_year_cells},
    .codes = {shown_codes, 1, shown_code_cells},
    .runs = 3,
    .chosen_by = "c_v"};

#endif
