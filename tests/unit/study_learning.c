/* The sections `classifiers` and `topics` of the study file. */
#include <math.h>

#include "tests/unit/sectioned.h"

#define HEAD \
    "study: s\nsource: {posts: p.csv}\nsets: {x: '[x]', y: '[y]'}\n" \
    "codebooks: {b: k.yaml}\nlabels: {l: {from: l.csv}}\n" \
    "labelling: {b: {sample: x, raters: [a]}}\n"

static struct arena arena;

static const struct {
    const char *text;
    int64_t first, last, step;
} ranges[] = {
    {"20", 20, 20, 1},
    {"10..40", 10, 40, 1},
    {"10..40 step 5", 10, 40, 5},
    {"2..2", 2, 2, 1},
};

static const struct sectioned_wrong wrong[] = {
    {"nothing to learn from", "classifiers: {c: {seed: 1, predict: x}}\n", "train"},
    {"no seed", "classifiers: {c: {train: l, predict: x}}\n", "seed"},
    {"no set to predict", "classifiers: {c: {train: l, seed: 1}}\n", "predict"},
    {"a method that is not there",
     "classifiers: {c: {train: l, seed: 1, predict: x, method: lineer}}\n", "linear"},
    {"keywords for a method without",
     "classifiers: {c: {train: l, seed: 1, predict: x, keywords: w.csv}}\n",
     "`keywords` is for the method keyword-weight, not for 'linear'"},
    {"a setting of keyword-weight for another method",
     "classifiers: {c: {train: l, seed: 1, predict: x, top: 200}}\n",
     "`top` is for the method keyword-weight, not for 'linear'"},
    {"a part that a post has not",
     "classifiers: {c: {train: l, seed: 1, predict: x, weights: {body: 1}}}\n",
     "unknown key 'body'"},
    {"how to learn, of what something else predicts",
     "classifiers: {c: {train: l, seed: 1, predict: x, predictions: p.csv, folds: 5}}\n",
     "`folds` is for a classifier that learns; this one has its predictions from "
     "elsewhere"},
    {"one topic", "topics: {t: {of: x, topics: 1, seed: 1}}\n",
     "found '1', expected how many topics"},
    {"a range that falls", "topics: {t: {of: x, topics: 9..3, seed: 1}}\n",
     "found '9..3', expected how many topics"},
    {"a step of nothing", "topics: {t: {of: x, topics: 2..9 step 0, seed: 1}}\n",
     "found '2..9 step 0'"},
    {"words", "topics: {t: {of: x, topics: 2..9 by 3, seed: 1}}\n",
     "found '2..9 by 3', expected how many"},
};

int main(void)
{
    struct study study;
    struct buf problems = {0};

    tap_case("a classifier with everything given");
    CHECK(
        sectioned_parse(HEAD,
                        "classifiers: {c: {train: l, level: 2, method: keyword-weight, "
                        "features: [title, code], test: 30%, folds: 10, keywords: w.csv, "
                        "seed: 7, predict: [x, y]}}\n",
                        &arena, &study, &problems));
    if (CHECK(study.classifier_count == 1)) {
        const struct study_classifier *it = &study.classifiers[0];
        CHECK(it->train == 0 && it->level == 2 && it->folds == 10 && it->seed == 7);
        CHECK(str_eq(it->method, STR("keyword-weight")));
        CHECK(it->feature_count == 2 && it->predict_count == 2);
        CHECK_NEAR(it->test, 0.3, 1e-12);
        CHECK_TEXT(it->keywords, "dir/w.csv");
    }
    tap_case("what is chosen about features");
    CHECK(sectioned_parse(HEAD,
                          "classifiers: {c: {train: l, runs: 3, weights: {title: 2, "
                          "inline-code: 0}, min-items: 5, max-share: 50%, select: 100, "
                          "idf: none, stop-words: drop, seed: 7, predict: x}}\n",
                          &arena, &study, &problems));
    if (CHECK(study.classifier_count == 1)) {
        const struct study_classifier *it = &study.classifiers[0];
        CHECK(it->runs == 3 && it->min_items == 5 && it->select == 100 && it->vectors);
        CHECK_NEAR(it->weights[0], 2, 0);
        CHECK_NEAR(it->weights[3], 0, 0);
        CHECK(isnan(it->weights[1]));
        CHECK_NEAR(it->max_share, 0.5, 1e-12);
        CHECK(str_eq(it->idf, STR("none")) && str_eq(it->stop_words, STR("drop")));
    }
    tap_case("what is not given");
    CHECK(sectioned_parse(HEAD, "classifiers: {c: {train: b, seed: 0, predict: x}}\n",
                          &arena, &study, &problems));
    CHECK(str_eq(study.classifiers[0].method, STR("linear")));
    CHECK(study.classifiers[0].folds == 5 && study.classifiers[0].keywords == NULL);
    CHECK(study.labels[study.classifiers[0].train].labelling == 0);
    CHECK_NEAR(study.classifiers[0].test, 0.4, 1e-12);
    for (size_t i = 0; i < ROWS(ranges); i++) {
        struct buf text = {0};
        tap_case("topics: %s", ranges[i].text);
        buf_add_format(&text, "topics: {t: {of: x, topics: '%s', seed: 3}}\n%c",
                       ranges[i].text, '\0');
        if (CHECK(sectioned_parse(HEAD, text.ptr, &arena, &study, &problems))) {
            const struct study_topics *it = &study.topics[0];
            CHECK(it->first == ranges[i].first && it->last == ranges[i].last &&
                  it->step == ranges[i].step && it->seed == 3 && it->runs == 3);
        }
        buf_free(&text);
    }
    sectioned_refuse(HEAD, wrong, ROWS(wrong), &arena);
    buf_free(&problems);
    arena_free(&arena);
    return tap_done();
}
