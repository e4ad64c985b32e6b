/* Sources of the study file. */
#include "base/date.h"
#include "tests/unit/refused.h"

static const struct refused_row rows[] = {
    {"no source", "study: s\nsets: {a: '[x]'}\n", "s.yaml:1:1: expected 'source:'"},
    {"two ways to say the source",
     "study: s\nsource: {posts: p}\nsources: {b: {posts: q}}\n",
     "s.yaml:2:10: expected either 'source:' or 'sources:'\n"},
    {"a source of two kinds", "study: s\nsource: {posts: p, rows: r}\n",
     "s.yaml:2:10: expected exactly one of stackexchange, posts, rows, github, discourse, git "
     "and clickhouse, found 2\n"},
    {"a source of no kind", "study: s\nsource: {until: 2020-01-01}\n",
     "s.yaml:2:10: expected exactly one of stackexchange, posts, rows, github, discourse, git "
     "and clickhouse, found 0\n"},
    {"columns of a dump", "study: s\nsource: {stackexchange: d, fields: {a: b}}\n",
     "s.yaml:2:10: a dump of Stack Exchange has no columns to choose from"},
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

/* Two dumps of one site, a dump of another whose site stands in its path, posts of the
 * first site, posts of a third, and two tables of rows. */
static const char several[] =
    "study: s\nsources:\n"
    "  so: {stackexchange: d, also: [comments]}\n"
    "  ai: {stackexchange: [x/ai.stackexchange.com.7z], also: [users, badges]}\n"
    "  old: {stackexchange: e}\n"
    "  more: {posts: p.csv}\n"
    "  su: {posts: q.csv, site: superuser.com}\n"
    "  bugs: {rows: b.csv}\n"
    "  logs: {rows: l.csv}\n"
    "sets: {a: '[x]'}\n";

static void check_spaces(const struct study *study)
{
    static const struct {
        const char *name, *site; /* of its items */
        size_t space;
        unsigned also;
    } want[] = {
        {"so", "stackoverflow.com", 0, 1u << ITEM_ALSO_COMMENTS},
        {"ai", "ai.stackexchange.com", 1, 1u << ITEM_ALSO_USERS | 1u << ITEM_ALSO_BADGES},
        {"old", "stackoverflow.com", 0, 0},
        {"more", "stackoverflow.com", 0, 0},
        {"su", "superuser.com", 4, 0},
        {"bugs", "", 5, 0},
        {"logs", "", 6, 0},
    };
    unsigned also = 0;

    if (!CHECK(study->source_count == ROWS(want) && study->spaces.count == ROWS(want)))
        return;
    for (size_t i = 0; i < ROWS(want); i++) {
        const struct item_space *space = &study->spaces.at[i];
        tap_case("spaces: %s", want[i].name);
        CHECK(space->space == want[i].space);
        CHECK(str_eq(space->name, str_from(want[i].name)));
        CHECK(str_eq(space->site, str_from(want[i].site)));
        CHECK(study->sources[i].also == want[i].also);
        also |= want[i].also;
    }
    tap_case("spaces: keys need the names of their sources");
    CHECK(study->spaces.several);
    tap_case("what any source takes besides items");
    CHECK(study->also == also);
}

/* Keys stay plain numbers where all sources share a space. */
static const struct {
    const char *name, *text;
    bool several;
} plain[] = {
    {"one source", "study: s\nsource: {posts: p}\nsets: {a: '[x]'}\n", false},
    {"one table of rows", "study: s\nsource: {rows: r}\nsets: {a: '[x]'}\n", false},
    {"two of one site",
     "study: s\nsources: {a: {posts: p}, b: {posts: q}}\nsets: {c: '[x]'}\n", false},
    {"a dump by its name and posts of its site",
     "study: s\nsources: {a: {stackexchange: askubuntu.com.7z}, b: {posts: q, site: "
     "askubuntu.com}}\nsets: {c: '[x]'}\n",
     false},
    {"posts and rows",
     "study: s\nsources: {a: {posts: p}, b: {rows: q}}\nsets: {c: '[x]'}\n", true},
    {"two tables of rows",
     "study: s\nsources: {a: {rows: p}, b: {rows: q}}\nsets: {c: '[x]'}\n", true},
};

static void check_plain(struct arena *arena)
{
    for (size_t i = 0; i < ROWS(plain); i++) {
        struct study study;
        tap_case("keys with the name of their source: %s", plain[i].name);
        if (refused_not(plain[i].text, arena, &study))
            CHECK(study.spaces.several == plain[i].several);
    }
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
    if (refused_not(several, &arena, &study))
        check_spaces(&study);
    check_plain(&arena);
    arena_free(&arena);
    return tap_done();
}
