/* Tables of the study file that show what a step gave, and what does not go with them.
 * Those that are computed are tested in study_tables. */
#include "tests/unit/sectioned.h"

#define HEAD \
    "study: s\nsource: {posts: p.csv}\nsets: {x: '[x]'}\ncodebooks: {b: k.yaml}\n" \
    "groups: {y: created by year, z: created by month}\n" \
    "labels: {l: {from: l.csv}}\n" \
    "labelling: {b: {sample: x, raters: [a]}}\n" \
    "classifiers: {c: {train: b, seed: 1, predict: x}}\n" \
    "topics: {t: {of: x, topics: 5, seed: 1}}\ntables:\n"

static struct arena arena;

static const struct {
    const char *name, *section;
    enum study_maker maker;
    const char *from, *part;
    bool shares;
} right[] = {
    {"of a labelling", "  t: {labelling: b, show: agreement}\n", STUDY_BY_LABELLING,
     "dir/out/results/labelling.b.result", "agreement", false},
    {"of one of its dimensions", "  t: {labelling: b, show: codes, dimension: d}\n",
     STUDY_BY_LABELLING, "dir/out/results/labelling.b.result", "codes.d", false},
    {"of a classifier", "  t: {classifier: c, show: scores}\n", STUDY_BY_CLASSIFIER,
     "dir/out/results/classifiers.c.result", "scores", false},
    {"shares, by group, beside the truth",
     "  t: {classifier: c, show: shares, of: x, by: y, truth: l}\n", STUDY_BY_CLASSIFIER,
     "dir/out/results/classifiers.c.result", "", true},
    {"of topics", "  t: {topics: t, show: sweep}\n", STUDY_BY_TOPICS,
     "dir/out/results/topics.t.result", "sweep", false},
    {"computed from items", "  t: {of: x}\n", STUDY_NO_MAKER, NULL, "", false},
};

static const struct sectioned_wrong wrong[] = {
    {"nothing to show", "  t: {labelling: b}\n", "expected `show`: one of agreement|"},
    {"nobody to show it", "  t: {show: scores}\n", "`show` needs labelling, classifier"},
    {"something else to show", "  t: {labelling: b, show: scores}\n",
     "labelling has no 'scores' to show; it has agreement|"},
    {"a dimension of all dimensions",
     "  t: {labelling: b, show: agreement, dimension: d}\n",
     "'agreement' is not of one dimension: `dimension` does not go with it"},
    {"two makers", "  t: {labelling: b, classifier: c, show: confusion}\n",
     "expected at most one of from, labelling, classifier, topics, phrases, extract, "
     "tagset, regression and vectors"},
    {"a file and a maker", "  t: {from: f.csv, labelling: b, show: codes}\n",
     "expected at most one of from,"},
    {"columns of what is as it is", "  t: {labelling: b, show: codes, columns: count}\n",
     "a table that shows 'codes' is as it is: `columns` does not go with it"},
    {"groups of what is as it is", "  t: {labelling: b, show: codes, by: y}\n",
     "`by` does not go with it"},
    {"shares by two groups", "  t: {classifier: c, show: shares, by: [y, z]}\n",
     "expected one group, found 2"},
};

int main(void)
{
    struct study study;
    struct buf problems = {0};

    for (size_t i = 0; i < ROWS(right); i++) {
        tap_case("%s", right[i].name);
        if (!CHECK(sectioned_parse(HEAD, right[i].section, &arena, &study, &problems)))
            continue;
        const struct study_table *table = &study.tables[0];
        CHECK(table->maker == right[i].maker);
        CHECK((table->from == NULL) == (right[i].from == NULL));
        if (right[i].from != NULL)
            CHECK_TEXT(table->from, right[i].from);
        CHECK(str_eq(table->part, str_from(right[i].part)));
        CHECK(study_shows_shares(table) == right[i].shares);
        CHECK((table->truth == 0) == right[i].shares);
    }
    sectioned_refuse(HEAD, wrong, ROWS(wrong), &arena);
    buf_free(&problems);
    arena_free(&arena);
    return tap_done();
}
