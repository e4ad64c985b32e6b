/* Groups and labels of the study file: labels made elsewhere, by raters of this study and
 * by its classifiers; and what is complained of. */
#include "tests/unit/sectioned.h"

#define HEAD \
    "study: s\nsource: {posts: p.csv}\nsets: {x: '[x]'}\ncodebooks: {b: k.yaml}\n" \
    "labels: {l: {from: l.csv, codebook: b}}\n" \
    "labelling: {b: {sample: x, raters: [a]}}\n" \
    "classifiers: {c: {train: b, seed: 1, predict: x}}\n"

static struct arena arena;

static const struct sectioned_wrong wrong[] = {
    {"labels and predicted", "  g: {labels: l, predicted: c}\n",
     "expected exactly one of first-of, all-of, sets, field, tags, labels, "
     "predicted, topics, phrases and extract, found 2"},
    {"a name that is neither", "  g: {labels: n}\n", "'n'"},
    {"a dimension of labels made elsewhere", "  g: {labels: l, dimension: d}\n",
     "`dimension` goes with a labelling; 'l' is one of `labels`"},
    {"tags in brackets in a list", "  g: {first-of: ['[a]']}\n",
     "a list names tags, without [ ]"},
};

int main(void)
{
    struct study study;
    struct buf problems = {0};

    tap_case("labels of each origin are read from where they lie");
    CHECK(sectioned_parse(
        HEAD,
        "groups:\n  here: {labels: l}\n  ours: {labels: b, dimension: d}\n"
        "  same: {labels: b, dimension: d, level: 1}\n"
        "  said: {predicted: c}\n",
        &arena, &study, &problems));
    CHECK(study.label_count == 1 && study.all_label_count == 4);
    if (CHECK(study.group_count == 4)) {
        const struct study_labels *ours = &study.labels[study.groups[1].labels];
        const struct study_labels *said = &study.labels[study.groups[3].labels];
        CHECK(study.groups[0].labels == 0 && study.labels[0].labelling == STUDY_NONE);
        CHECK_TEXT(ours->from, "dir/out/results/labelling.b.result");
        CHECK(str_eq(ours->table, STR("final.d")));
        CHECK_TEXT(ours->codebook, "dir/k.yaml");
        CHECK(ours->labelling == 0 && ours->classifier == STUDY_NONE);
        CHECK(study.groups[1].labels == study.groups[2].labels);
        CHECK_TEXT(said->from, "dir/out/results/classifiers.c.result");
        CHECK(str_eq(said->table, STR("predicted")));
        CHECK_TEXT(said->codebook, "dir/k.yaml");
        CHECK(said->labelling == STUDY_NONE && said->classifier == 0);
    }
    tap_case("predictions have one dimension, whatever was learned from");
    CHECK(sectioned_parse("study: s\nsource: {posts: p.csv}\nsets: {x: '[x]'}\n"
                          "codebooks: {b: k.yaml}\n"
                          "labels: {l: {from: l.csv, codebook: b, dimension: d}}\n"
                          "classifiers: {c: {train: l, seed: 1, predict: x}}\n",
                          "groups: {said: {predicted: c}}\n", &arena, &study, &problems));
    CHECK(str_eq(study.labels[study.groups[0].labels].table, STR("predicted")));
    CHECK(str_eq(study.labels[study.groups[0].labels].dimension, STR("d")));
    sectioned_refuse(HEAD "groups:\n", wrong, ROWS(wrong), &arena);
    buf_free(&problems);
    arena_free(&arena);
    return tap_done();
}
