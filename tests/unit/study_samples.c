/* Samples of the study file: sizes, and what they rest on. */
#include "tests/unit/refused.h"

static const struct refused_row rows[] = {
    {"a sample with a set's name",
     REFUSED_HEAD "sets: {a: '[x]'}\nsamples: {a: {of: a, size: 5, seed: 1}}\n",
     "s.yaml:4:11: 'a' is the name of a set as well\n"},
    {"samples in a circle",
     REFUSED_HEAD
     "samples:\n  p: {of: q, size: 5, seed: 1}\n  q: {of: p, size: 5, seed: 1}\n",
     "s.yaml:4:7: it leads back to itself: samples.p needs samples.q, which needs "
     "samples.p\n"},
    {"a sample that keeps itself",
     REFUSED_HEAD "sets: {a: '[x]'}\nsamples:\n  p: {of: a, size: 5, seed: 1, keep: p}\n",
     "s.yaml:5:7: it leads back to itself: samples.p needs samples.p\n"},
    {"a sample parted by itself",
     REFUSED_HEAD
     "sets: {a: '[x]'}\ngroups: {g: {sets: [p]}}\nsamples:\n  p: {of: a, size: 5, seed: "
     "1, by: g}\n",
     "s.yaml:6:7: it leads back to itself: samples.p needs samples.p\n"},
    {"a sample that is text", REFUSED_HEAD "samples: {p: q}\n",
     "s.yaml:3:14: expected `key: value` lines, found 'q'\n"},
    {"a systematic top",
     REFUSED_HEAD
     "sets: {a: '[x]'}\nsamples:\n  p: {of: a, size: top 5 by views, seed: 1, method: "
     "systematic}\n",
     "s.yaml:5:7: 'top ... by ...' takes the largest; it cannot be systematic\n"},
    {"a size without a seed, where items are drawn",
     REFUSED_HEAD "sets: {a: '[x]'}\nsamples:\n  p: {of: a, size: 20%}\n",
     "s.yaml:5:7: the key 'seed' is missing: a sample is drawn by `size` and `seed`, or "
     "named by `list`\n"},
    {"the top by what cannot be taken so: no word of a seed",
     REFUSED_HEAD "sets: {a: '[x]'}\nsamples:\n  p: {of: a, size: top 5 by k}\n",
     "s.yaml:5:20: cannot take the top by 'k'; expected views, score, answers, comments, "
     "favorites or created\n"},
    {"a share that leaves nothing to estimate",
     REFUSED_HEAD
     "sets: {a: '[x]'}\nsamples:\n  p: {of: a, size: 95% +- 5%, seed: 1, share: 100%}\n",
     "s.yaml:5:47: expected a number from 0.001 to 0.999, found '100%'\n"},
};

static const char text[] = REFUSED_HEAD
    "sets: {server: '[x]'}\ngroups: {f: {first-of: {K: '[k]'}}}\n"
    "samples:\n  p: {of: server, size: 95% +- 5%, seed: 7, round: down, by: f}\n"
    "  q: {of: p, size: 10, seed: 8}\n  r: {of: server, size: 20, seed: 8, keep: q}\n"
    "  s: {of: server, size: all}\n  t: {of: server, size: top 5 by views}\n";

int main(void)
{
    struct arena arena = {0};
    struct study study;

    refused_check(rows, ROWS(rows));
    tap_case("sizes, seeds, groups, what is kept");
    if (refused_not(text, &arena, &study)) {
        const struct study_sample *sample = study.samples;
        CHECK(study.sample_count == 5 && study_find_sample(&study, STR("q")) == 1);
        CHECK(sample[0].size.rule.round == SAMPLE_SIZE_DOWN && sample[0].seed == 7);
        CHECK(sample[0].by == 0 && sample[1].by == STUDY_NONE);
        CHECK(sample[0].keep == STUDY_NONE && sample[2].keep == 1);
        CHECK(study_sample_is_random(&sample[0]) && !study_sample_is_random(&sample[3]));
        CHECK(!study_sample_is_random(&sample[4]) && sample[3].seed == 0);
    }
    arena_free(&arena);
    return tap_done();
}
