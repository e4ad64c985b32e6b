/* What was said, when the codebook has changed since: codes move with it, and what a
 * person must look at is told with the reason. */
#include "label/internal.h"
#include "tests/unit/labelled.h"

#define CHANGED \
    "codebook: bugs\ncodes:\n  data: {codes: {read: Reading, load: Loading}}\n" \
    "  net: Net\n  fit: Fit\nspecial: {unclear: Unclear}\nchanges:\n" \
    "  - {merge: data/parse, into: data/read, reason: same}\n" \
    "  - {split: model, into: [net, fit], reason: two}\n"

static const struct {
    const char *name;
    const char *codes[4];
    size_t count, kept;
    const char *first, *last;
} sorted[] = {
    {"none", {""}, 0, 0, "", ""},
    {"one", {"b"}, 1, 1, "b", "b"},
    {"in order, each once", {"b", "a", "b", "a"}, 4, 2, "a", "b"},
};

static void check_sorted(void)
{
    for (size_t i = 0; i < ROWS(sorted); i++) {
        struct str codes[4];
        for (size_t c = 0; c < sorted[i].count; c++)
            codes[c] = str_from(sorted[i].codes[c]);
        tap_case("codes: %s", sorted[i].name);
        if (CHECK(label_sort_codes(codes, sorted[i].count) == sorted[i].kept) &&
            sorted[i].kept > 0) {
            CHECK(str_eq(codes[0], str_from(sorted[i].first)));
            CHECK(str_eq(codes[sorted[i].kept - 1], str_from(sorted[i].last)));
        }
    }
}

static size_t reviews_of(struct labelled *test, const char *rater,
                         struct label_said **out)
{
    size_t count = 0;

    CHECK(label_reviews(test->label, str_from(rater), &test->in.arena, out, &count,
                        &test->in.err));
    return count;
}

int main(void)
{
    struct labelled test;
    struct label_said *reviews;

    check_sorted();
    if (!labelled_begin(&test, LABELLED_STUDY, LABELLED_CODEBOOK))
        return tap_done();
    int64_t round = labelled_fill(&test);
    tap_case("under the codebook of then, nothing needs a look");
    CHECK_TEXT(labelled_says(&test, "ann", round, 11), "data/parse");
    CHECK(reviews_of(&test, "", &reviews) == 0);
    tap_case("a code that was renamed is called by its new name");
    studied_write(&test.in, "k.yaml", CHANGED);
    CHECK(labelled_open(&test));
    CHECK_TEXT(labelled_says(&test, "ann", round, 11), "data/read");
    tap_case("one that was split stays, and needs a look");
    CHECK_TEXT(labelled_says(&test, "ann", round, 5), "model");
    CHECK(reviews_of(&test, "bob", &reviews) == 3);
    if (CHECK(reviews_of(&test, "", &reviews) == 9))
        CHECK(str_eq(reviews[0].review, STR("split model into net, fit: two")));
    labelled_end(&test);
    return tap_done();
}
