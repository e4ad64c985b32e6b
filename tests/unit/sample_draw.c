/* Draws, and how samples are shared out over strata. */
#include "sample/draw.h"

#include <string.h>

#include "base/buf.h"
#include "tests/tap.h"

/* Draws: frozen ones, since published samples depend on them (worked out once more by a
 * second program), tops, top-ups, refusals. */

static const int64_t ids[] = {3, 7, 8, 20, 21, 22, 40, 41, 55, 1000000007};
static const size_t thirds[] = {0, 0, 0, 0, 0, 0, 1, 1, 1, 2};
static const int64_t views[] = {5, 90, 90, -1, INT64_MIN, INT64_MAX, 90, 0, 6, 7};

enum { COUNT = ROWS(ids) };

static const struct {
    const char *name;
    enum sample_draw_method method;
    bool stratified;
    uint64_t seed, stream;
    int64_t sizes[3];
    int64_t earlier[5]; /* 0 ends it */
    const char *items;  /* id/stratum; a bar after the kept ones; then those gone */
} rows[] = {
    {"simple",
     SAMPLE_DRAW_SIMPLE,
     false,
     20191202,
     0,
     {4},
     {0},
     "8/0 1000000007/0 40/0 55/0"},
    {"simple, all",
     SAMPLE_DRAW_SIMPLE,
     false,
     20191202,
     0,
     {10},
     {0},
     "8/0 1000000007/0 40/0 55/0 41/0 22/0 21/0 20/0 3/0 7/0"},
    {"simple, more than all",
     SAMPLE_DRAW_SIMPLE,
     false,
     20191202,
     0,
     {99},
     {0},
     "8/0 1000000007/0 40/0 55/0 41/0 22/0 21/0 20/0 3/0 7/0"},
    {"simple, none", SAMPLE_DRAW_SIMPLE, false, 20191202, 0, {0}, {0}, ""},
    {"another seed",
     SAMPLE_DRAW_SIMPLE,
     false,
     20191203,
     0,
     {4},
     {0},
     "1000000007/0 41/0 21/0 3/0"},
    {"another stream",
     SAMPLE_DRAW_SIMPLE,
     false,
     20191202,
     1,
     {4},
     {0},
     "55/0 8/0 40/0 21/0"},
    {"strata are spread over the list",
     SAMPLE_DRAW_SIMPLE,
     true,
     7,
     0,
     {4, 2, 1},
     {0},
     "3/0 55/1 22/0 1000000007/2 8/0 40/1 7/0"},
    {"systematic",
     SAMPLE_DRAW_SYSTEMATIC,
     false,
     7,
     0,
     {5},
     {0},
     "55/0 3/0 40/0 8/0 21/0"},
    {"systematic, interval 10/3",
     SAMPLE_DRAW_SYSTEMATIC,
     false,
     7,
     0,
     {3},
     {0},
     "55/0 7/0 21/0"},
    {"systematic in strata",
     SAMPLE_DRAW_SYSTEMATIC,
     true,
     7,
     0,
     {2, 1, 1},
     {0},
     "7/0 55/1 1000000007/2 21/0"},
    {"systematic, all",
     SAMPLE_DRAW_SYSTEMATIC,
     false,
     7,
     0,
     {10},
     {0},
     "55/0 3/0 22/0 40/0 41/0 1000000007/0 8/0 7/0 21/0 20/0"},
    {"systematic, none", SAMPLE_DRAW_SYSTEMATIC, false, 7, 0, {0}, {0}, ""},
    {"top: ties by id", SAMPLE_DRAW_TOP, false, 7, 0, {4}, {0}, "22/0 7/0 8/0 40/0"},
    {"top: all keys",
     SAMPLE_DRAW_TOP,
     false,
     7,
     0,
     {10},
     {0},
     "22/0 7/0 8/0 40/0 1000000007/0 55/0 3/0 41/0 20/0 21/0"},
    {"top in strata", SAMPLE_DRAW_TOP, true, 7, 0, {2, 1, 0}, {0}, "22/0 40/1 7/0"},
    {"topped up: kept first",
     SAMPLE_DRAW_SIMPLE,
     false,
     20191202,
     0,
     {4},
     {55, 3},
     "55/0 3/0 | 8/0 1000000007/0"},
    {"gone ones are reported",
     SAMPLE_DRAW_SIMPLE,
     false,
     20191202,
     0,
     {3},
     {99, 55, 2},
     "55/0 | 8/0 1000000007/0; gone 99 2"},
    {"more kept than asked for",
     SAMPLE_DRAW_SIMPLE,
     false,
     1,
     0,
     {1},
     {55, 3, 7},
     "55/0 3/0 7/0"},
    {"topped up in strata",
     SAMPLE_DRAW_SIMPLE,
     true,
     7,
     0,
     {2, 2, 0},
     {41, 3, 1000000007},
     "41/1 3/0 1000000007/2 | 22/0 55/1"},
    {"top, topped up", SAMPLE_DRAW_TOP, false, 7, 0, {3}, {21}, "21/0 | 22/0 7/0"},
};

static void add_draw(struct buf *buf, const struct sample_draw *draw)
{
    for (size_t i = 0; i < draw->count; i++)
        buf_add_format(buf, "%s%lld/%zu",
                       i == 0            ? ""
                       : i == draw->kept ? " | "
                                         : " ",
                       (long long)draw->items[i].id, draw->items[i].stratum);
    for (size_t i = 0; i < draw->gone_count; i++)
        buf_add_format(buf, "%s%lld", i == 0 ? "; gone " : " ", (long long)draw->gone[i]);
    buf_add_char(buf, '\0');
}

static void check_draws(struct arena *arena)
{
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct sample_draw_frame frame = {COUNT, ids, rows[i].stratified ? thirds : NULL,
                                          views};
        struct sample_draw_rule rule = {rows[i].method, rows[i].seed, rows[i].stream,
                                        rows[i].stratified ? 3 : 1, rows[i].sizes};
        struct sample_draw_earlier earlier = {rows[i].earlier, 0};
        struct buf buf = {0};
        struct err err = {0};
        struct sample_draw drawn;
        while (rows[i].earlier[earlier.count] != 0)
            earlier.count++;
        tap_case("%s", rows[i].name);
        if (!CHECK(sample_draw(&frame, &rule, earlier, arena, &drawn, &err)))
            continue;
        add_draw(&buf, &drawn);
        CHECK_TEXT(buf.ptr, rows[i].items);
        for (size_t k = 1; k < drawn.count; k++)
            CHECK(drawn.ascending[k - 1] < drawn.ascending[k]);
        buf_free(&buf);
    }
}

static void check_refused(struct arena *arena)
{
    static const int64_t twice[] = {3, 55, 3}, three[] = {3};
    struct sample_draw_frame frame = {COUNT, ids, NULL, NULL};
    struct sample_draw_rule rule = {SAMPLE_DRAW_SIMPLE, 1, 0, 1, three};
    struct err err = {0};
    struct sample_draw drawn;

    tap_case("refused: an item twice in the earlier sample");
    CHECK(!sample_draw(&frame, &rule, (struct sample_draw_earlier){twice, 3}, arena,
                       &drawn, &err));
    CHECK(err.kind == ERR_INPUT);
    CHECK_TEXT(err.text, "3 stands twice in the earlier sample");

    tap_case("refused: a systematic sample topped up");
    rule.method = SAMPLE_DRAW_SYSTEMATIC;
    CHECK(!sample_draw(&frame, &rule, (struct sample_draw_earlier){three, 1}, arena,
                       &drawn, &err));
    CHECK(err.kind == ERR_INPUT);
    CHECK_TEXT(err.text, "a systematic sample cannot be topped up, since its interval "
                         "depends on its size; draw it anew, or use a simple one");
}

static void check_hash(struct arena *arena)
{
    static const int64_t turned[] = {8, 7, 3}, negative[] = {-1};
    struct sample_draw_frame empty = {0, ids, NULL, NULL}, three = {3, ids, NULL, NULL};
    struct sample_draw_frame backwards = {3, turned, NULL, NULL},
                             one = {1, negative, NULL, NULL};

    tap_case("a frame's hash is frozen and does not depend on its order");
    CHECK(sample_draw_frame_hash(&empty, arena) == 0x2D06800538D394C2u);
    CHECK(sample_draw_frame_hash(&three, arena) == 0xA086141515DE2EFEu);
    CHECK(sample_draw_frame_hash(&backwards, arena) ==
          sample_draw_frame_hash(&three, arena));
    CHECK(sample_draw_frame_hash(&one, arena) == 0x5111C7E47D784413u);
}

static void test_draw(void)
{
    struct arena arena = {0};

    check_draws(&arena);
    check_refused(&arena);
    check_hash(&arena);
    arena_free(&arena);
}

/* Samples shared out over strata: results worked out by hand. */

enum { STRATA_MAX = 6 };

#define ALLOCATE_COUNT(n) \
    { \
        .kind = SAMPLE_SIZE_BY_COUNT, .count = (n) \
    }
#define RULE_DOWN \
    { \
        .kind = SAMPLE_SIZE_BY_RULE, .rule = { 0.95, 0.05, 0, 0, SAMPLE_SIZE_DOWN } \
    }

static const struct {
    const char *name;
    struct sample_allocate_rule rule;
    size_t strata;
    int64_t frames[STRATA_MAX], sizes[STRATA_MAX];
} allocate_rows[] = {
    {"proportional, exact",
     {SAMPLE_ALLOCATE_PROPORTIONAL, ALLOCATE_COUNT(10), 0},
     3,
     {50, 30, 20},
     {5, 3, 2}},
    {"largest remainder goes up",
     {SAMPLE_ALLOCATE_PROPORTIONAL, ALLOCATE_COUNT(10), 0},
     3,
     {47, 36, 17}, /* 4.7, 3.6, 1.7: both .7 */
     {5, 3, 2}},
    {"equal remainders: the earlier stratum",
     {SAMPLE_ALLOCATE_PROPORTIONAL, ALLOCATE_COUNT(4), 0},
     3,
     {10, 10, 10},
     {2, 1, 1}},
    {"an empty stratum gives nothing",
     {SAMPLE_ALLOCATE_PROPORTIONAL, ALLOCATE_COUNT(5), 2},
     3,
     {0, 10, 10},
     {0, 3, 2}},
    {"more than there is: all",
     {SAMPLE_ALLOCATE_PROPORTIONAL, ALLOCATE_COUNT(99), 0},
     2,
     {7, 3},
     {7, 3}},
    {"small stratum gets the minimum, the others share the rest",
     {SAMPLE_ALLOCATE_PROPORTIONAL, ALLOCATE_COUNT(100), 10},
     3,
     {900, 90, 10},
     {80, 10, 10}},
    {"a minimum that brings another stratum below it",
     {SAMPLE_ALLOCATE_PROPORTIONAL, ALLOCATE_COUNT(20), 5},
     3,
     {68, 26, 6}, /* 13.6, 5.2, 1.2; then 15 * 26/94 = 4.1 */
     {10, 5, 5}},
    {"the minimum of a stratum that has less is all it has",
     {SAMPLE_ALLOCATE_PROPORTIONAL, ALLOCATE_COUNT(10), 4},
     2,
     {98, 2},
     {8, 2}},
    {"minimums beyond the total win",
     {SAMPLE_ALLOCATE_PROPORTIONAL, ALLOCATE_COUNT(3), 2},
     3,
     {50, 30, 20},
     {2, 2, 2}},
    {"products beyond 64 bits",
     {SAMPLE_ALLOCATE_PROPORTIONAL, ALLOCATE_COUNT(INT64_C(3000000000000)), 0},
     2,
     {INT64_C(4000000000000), INT64_C(2000000000000)},
     {INT64_C(2000000000000), INT64_C(1000000000000)}},
    {"no item anywhere",
     {SAMPLE_ALLOCATE_PROPORTIONAL, ALLOCATE_COUNT(3), 2},
     2,
     {0, 0},
     {0, 0}},
    {"by the rule for the whole frame",
     {SAMPLE_ALLOCATE_PROPORTIONAL, RULE_DOWN, 0},
     2,
     {1325, 1533}, /* 338 of 2,858 */
     {157, 181}},
    {"equal", {SAMPLE_ALLOCATE_EQUAL, ALLOCATE_COUNT(9), 0}, 3, {50, 30, 20}, {3, 3, 3}},
    {"equal: what is left goes to the first",
     {SAMPLE_ALLOCATE_EQUAL, ALLOCATE_COUNT(11), 0},
     3,
     {50, 30, 20},
     {4, 4, 3}},
    {"equal: others give what a small one cannot",
     {SAMPLE_ALLOCATE_EQUAL, ALLOCATE_COUNT(11), 0},
     4,
     {1, 30, 0, 20},
     {1, 5, 0, 5}},
    {"equal: what is left passes by a full stratum",
     {SAMPLE_ALLOCATE_EQUAL, ALLOCATE_COUNT(10), 0},
     3,
     {3, 30, 20},
     {3, 4, 3}},
    {"equal: minimum above the level",
     {SAMPLE_ALLOCATE_EQUAL, ALLOCATE_COUNT(4), 5},
     3,
     {50, 3, 20},
     {5, 3, 5}},
    {"equal: more than there is",
     {SAMPLE_ALLOCATE_EQUAL, ALLOCATE_COUNT(99), 0},
     2,
     {7, 3},
     {7, 3}},
    {"own rule for each stratum, as published",
     {SAMPLE_ALLOCATE_OWN, RULE_DOWN, 0},
     4,
     {39628, 1325, 1533, 0},
     {380, 297, 307, 0}},
    {"own count, with a minimum",
     {SAMPLE_ALLOCATE_OWN, {.kind = SAMPLE_SIZE_BY_SHARE, .share = 0.1}, 4},
     3,
     {100, 20, 3},
     {10, 4, 3}},
};

static void test_allocate(void)
{
    struct arena arena = {0};

    for (size_t i = 0; i < ROWS(allocate_rows); i++) {
        int64_t sizes[STRATA_MAX];
        tap_case("%s", allocate_rows[i].name);
        sample_allocate(&allocate_rows[i].rule, allocate_rows[i].frames,
                        allocate_rows[i].strata, &arena, sizes);
        for (size_t s = 0; s < allocate_rows[i].strata; s++)
            CHECK(sizes[s] == allocate_rows[i].sizes[s]);
    }
    arena_free(&arena);
}

int main(void)
{
    test_draw();
    test_allocate();
    return tap_done();
}
