/* Sources of the study file. */
#include "base/date.h"
#include "tests/unit/refused.h"

static const struct refused_row rows[] = {
    {"no source", "study: s\nsets: {a: '[x]'}\n", "s.yaml:1:1: expected 'source:'"},
    {"two ways to say the source",
     "study: s\nsource: {posts: p}\nsources: {b: {posts: q}}\n",
     "s.yaml:2:10: expected either 'source:' or 'sources:'\n"},
    {"a source of two kinds", "study: s\nsource: {posts: p, rows: r}\n",
     "s.yaml:2:10: expected exactly one of stackexchange, posts and rows, found 2\n"},
    {"a source of no kind", "study: s\nsource: {until: 2020-01-01}\n",
     "s.yaml:2:10: expected exactly one of stackexchange, posts and rows, found 0\n"},
    {"columns of a dump", "study: s\nsource: {stackexchange: d, fields: {a: b}}\n",
     "s.yaml:2:10: a dump has no columns to choose from"},
    {"a site that is an address",
     "study: s\nsource: {stackexchange: d, site: 'https://x'}\n",
     "found 'https://x', expected the name of a site such as stackoverflow.com\n"},
};

static const char text[] =
    "study: s\nsource: {stackexchange: [d, /e, $data/f], until: 2019-12-02, also: "
    "[comments, links]}\n";

static void check_sources(const struct study *study)
{
    tap_case("sources: paths from the study's folder, $data, a day that belongs to it");
    CHECK(study->source_count == 1 && study->sources[0].path_count == 3);
    CHECK_TEXT(study->sources[0].paths[0], "x/d");
    CHECK_TEXT(study->sources[0].paths[1], "/e");
    CHECK_TEXT(study->sources[0].paths[2], "/data/f");
    CHECK(study->sources[0].until_ms == date_from_civil((struct date){2019, 12, 3}));
    CHECK(study_end_ms(study) == study->sources[0].until_ms);
    CHECK(study->also == (1u << ITEM_ALSO_COMMENTS | 1u << ITEM_ALSO_LINKS));
    CHECK(study->sources[0].also == study->also);
}

int main(void)
{
    struct arena arena = {0};
    struct study study;

    refused_check(rows, ROWS(rows));
    if (refused_not(text, &arena, &study)) {
        check_sources(&study);
        tap_case("the usual site");
        CHECK(str_eq(study.sources[0].site, STR("stackoverflow.com")));
    }
    arena_free(&arena);
    return tap_done();
}
