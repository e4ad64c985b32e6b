/* Lists grow one by one and many at a time, keep what is in them, and start again. */
#include "base/list.h"

#include <stdint.h>

#include "tests/tap.h"

struct pair {
    int64_t number;
    char letter;
};

int main(void)
{
    LIST(struct pair) pairs = {0};
    LIST(uint32_t) numbers = {0};
    bool same = true;

    tap_case("an empty one");
    CHECK(pairs.count == 0 && pairs.at == NULL);
    list_free(&pairs);
    tap_case("a hundred thousand, one by one");
    for (int64_t i = 0; i < 100000; i++)
        list_add(&pairs, ((struct pair){i, (char)('a' + i % 26)}));
    for (int64_t i = 0; i < 100000; i++)
        same &= pairs.at[i].number == i && pairs.at[i].letter == (char)('a' + i % 26);
    CHECK(same && pairs.count == 100000 && pairs.room >= pairs.count);
    tap_case("room for many at a time");
    list_add(&numbers, 7);
    list_reserve(&numbers, 1000);
    CHECK(numbers.room >= 1001 && numbers.count == 1 && numbers.at[0] == 7);
    tap_case("room that there is stays where it is");
    uint32_t *before = numbers.at;
    list_reserve(&numbers, 1000);
    CHECK(numbers.at == before);
    tap_case("cleared, it keeps its room; freed, it is empty and can be used again");
    list_clear(&numbers);
    CHECK(numbers.count == 0 && numbers.at == before);
    list_free(&numbers);
    CHECK(numbers.at == NULL && numbers.room == 0);
    list_add(&numbers, 9);
    CHECK(numbers.count == 1 && numbers.at[0] == 9);
    list_free(&numbers);
    list_free(&pairs);
    return tap_done();
}
