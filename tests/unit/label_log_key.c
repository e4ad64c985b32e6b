/* Keys of a log: what differs in anything has another key. */
#include "label/log_key.h"

#include "tests/tap.h"

static const struct {
    const char *name;
    int64_t round, item;
    const char *rater, *dimension;
    bool again;
} slots[] = {
    {"a slot", 1, 2, "ann", "d", false},
    {"another round", 3, 2, "ann", "d", false},
    {"another item", 1, 3, "ann", "d", false},
    {"another rater", 1, 2, "bob", "d", false},
    {"another dimension", 1, 2, "ann", "e", false},
    {"the second time", 1, 2, "ann", "d", true},
    {"texts that only join to the same", 1, 2, "annd", "", false},
};

int main(void)
{
    struct arena arena = {0};
    struct label_log log = {0};
    struct map map = {.arena = &arena};

    for (size_t i = 0; i < ROWS(slots); i++) {
        struct str key =
            log_key_slot(&log, slots[i].round, str_from(slots[i].rater), slots[i].item,
                         slots[i].again, str_from(slots[i].dimension));
        tap_case("%s", slots[i].name);
        CHECK(log_key_index(&map, key) == LABEL_NONE);
        *map_put(&map, key) = (int64_t)i + 1;
        CHECK(log_key_index(&map, key) == i);
    }
    tap_case("two numbers are in order");
    struct str key = arena_copy(&arena, log_key_numbers(&log, 1, 2));
    CHECK(!str_eq(key, log_key_numbers(&log, 2, 1)));
    tap_case("a number alone, a tally, a decision");
    CHECK(log_key_number(&log, 7).len == sizeof(int64_t));
    key = arena_copy(&arena, log_key_tally(&log, 1, STR("ann")));
    CHECK(str_eq(key, log_key_decision(&log, 1, STR("ann")))); /* in maps of their own */
    buf_free(&log.key);
    arena_free(&arena);
    return tap_done();
}
