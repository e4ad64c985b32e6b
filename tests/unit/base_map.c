/* The map against a plain list, with many keys and with awkward ones. */
#include "base/map.h"

#include <stdio.h>

#include "base/rng.h"
#include "tests/tap.h"

enum { KEYS = 20000 };

static struct str key_of(int number, char *text, size_t size)
{
    int len = snprintf(text, size, "key-%d", number);

    return (struct str){text, (size_t)len};
}

static void check_against_list(struct arena *arena)
{
    static int64_t list[KEYS]; /* 0: not entered */
    struct map map = {.arena = arena};
    struct rng rng = rng_seeded(3);
    size_t entered = 0;
    bool same = true, absent = true;
    char text[32];

    for (int turn = 0; turn < 3 * KEYS; turn++) {
        int number = (int)rng_below(&rng, KEYS);
        int64_t *value = map_put(&map, key_of(number, text, sizeof text));
        same = same && *value == list[number];
        entered += list[number] == 0;
        *value += number + 1;
        list[number] += number + 1;
        same = same && map.count == entered;
    }
    for (int number = 0; number < KEYS; number++) {
        int64_t *value = map_get(&map, key_of(number, text, sizeof text));
        same = same && (value != NULL ? *value : 0) == list[number];
        absent =
            absent && map_get(&map, key_of(number + KEYS, text, sizeof text)) == NULL;
    }
    tap_case("%d keys, looked up and changed at random", KEYS);
    CHECK(same);
    CHECK(entered > KEYS / 2);
    tap_case("keys never entered are not there");
    CHECK(absent);
    tap_case("the table is a power of two and at most three quarters full");
    CHECK((map.capacity & (map.capacity - 1)) == 0);
    CHECK(map.count <= map.capacity / 4 * 3);
}

int main(void)
{
    struct arena arena = {0};
    struct map map = {.arena = &arena};
    char text[] = "abc";

    tap_case("an empty map has no keys");
    CHECK(map_get(&map, STR("")) == NULL && map_get(&map, STR("a")) == NULL);
    check_against_list(&arena);

    tap_case("a new key has value 0");
    CHECK(*map_put(&map, STR("new")) == 0);
    tap_case("keys are copied");
    *map_put(&map, (struct str){text, 3}) = 5;
    text[0] = 'x';
    CHECK(map_get(&map, STR("xbc")) == NULL);
    CHECK(map_get(&map, STR("abc")) != NULL && *map_get(&map, STR("abc")) == 5);
    tap_case("the empty key is a key, also as a zeroed slice");
    CHECK(map_get(&map, STR("")) == NULL);
    *map_put(&map, (struct str){0}) = 9;
    CHECK(map_get(&map, STR("")) != NULL && *map_get(&map, STR("")) == 9);
    CHECK(*map_put(&map, STR("")) == 9);
    tap_case("keys with NUL bytes and shared beginnings differ");
    *map_put(&map, STR("a\0b")) = 1;
    *map_put(&map, STR("a\0c")) = 2;
    *map_put(&map, STR("a")) = 3;
    CHECK(*map_get(&map, STR("a\0b")) == 1 && *map_get(&map, STR("a\0c")) == 2);
    CHECK(*map_get(&map, STR("a")) == 3 && map_get(&map, STR("a\0")) == NULL);
    tap_case("entering a key again changes nothing else");
    size_t count = map.count;
    CHECK(*map_put(&map, STR("a")) == 3 && map.count == count);
    arena_free(&arena);
    return tap_done();
}
