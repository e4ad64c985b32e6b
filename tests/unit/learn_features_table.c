/* Features by number, and names that resemble each other. */
#include "learn/features_table.h"

#include <stdio.h>

#include "tests/tap.h"

static void check_many(void)
{
    enum { MANY = 20000 };
    struct features_table table = {0};
    char name[32];
    bool fresh, right = true;

    for (int round = 0; round < 2; round++)
        for (size_t i = 0; i < MANY; i++) {
            int len =
                snprintf(name, sizeof name, i % 2 == 0 ? "%zu" : "longer-than-8-%zu", i);
            struct str word = {name, (size_t)len};
            size_t number =
                features_put(&table, PARTS_TITLE, FEATURES_WORD, word, &fresh);
            right = right && number == i && fresh == (round == 0) &&
                    str_eq(features_name(&table, i), word);
        }
    tap_case("numbers follow the order of appearance while the table grows");
    CHECK(right && table.count == MANY);

    tap_case("part and kind belong to a feature");
    features_put(&table, PARTS_PROSE, FEATURES_WORD, STR("2"), &fresh);
    CHECK(fresh);
    features_put(&table, PARTS_TITLE, FEATURES_STEM, STR("2"), &fresh);
    CHECK(fresh);
    features_table_free(&table);
}

/* Short names are hashed by their bytes, with part and kind beside them. */
static void check_apart(void)
{
    static const char *const names[] = {"rendered", "renderer", "rendereb", "rendere"};
    struct features_table table = {0};
    size_t count = 0;

    for (int part = 0; part < PARTS_COUNT; part++)
        for (int kind = 0; kind < FEATURES_KINDS; kind++)
            for (size_t i = 0; i < ROWS(names); i++) {
                bool fresh;
                features_put(&table, (enum parts_name)part, (enum features_kind)kind,
                             str_from(names[i]), &fresh);
                count += fresh;
            }
    tap_case("names that resemble each other in other parts are features of their own");
    CHECK(count == PARTS_COUNT * FEATURES_KINDS * ROWS(names));
    features_table_free(&table);
}

/* Words that end like the word before them. */
static void check_runs_apart(void)
{
    static const char *const names[] = {"inputs request.inputs", "model request.model",
                                        "request request.request", "a request.a",
                                        "request."};
    struct features_table table = {0};

    for (size_t i = 0; i < ROWS(names); i++)
        features_put(&table, PARTS_CODE, FEATURES_RUN, str_from(names[i]), NULL);
    tap_case("runs that repeat themselves are features of their own");
    CHECK(table.count == ROWS(names));
    features_table_free(&table);
}

/* Whatever stands behind a name, its hash is that of its own bytes; every byte counts. */
static void check_bases(void)
{
    char padded[40 + FEATURES_TABLE_PAD], other[sizeof padded];
    bool same = true, apart = true;

    for (size_t len = 1; len <= 40; len++) {
        memset(padded, 'a', sizeof padded);
        memset(other, 'b', sizeof other);
        memset(other, 'a', len);
        uint64_t base = features_table_base(padded, len);
        same &= features_table_base(other, len) == base;
        for (size_t at = 0; at < len; at++) {
            padded[at] = 'c';
            apart &= features_table_base(padded, len) != base;
            padded[at] = 'a';
        }
        apart &= features_table_base(padded, len - 1 > 0 ? len - 1 : 2) != base;
    }
    tap_case("what stands behind a name plays no part");
    CHECK(same);
    tap_case("names of every length that differ in one byte, or in length, are apart");
    CHECK(apart);
}

int main(void)
{
    check_apart();
    check_runs_apart();
    check_many();
    check_bases();
    return tap_done();
}
