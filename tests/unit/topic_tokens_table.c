/* Numbers of words while the table grows, and words that are nearly the same. */
#include "topic/tokens_table.h"

#include <stdio.h>

#include "tests/tap.h"

static void check_many(void)
{
    enum { MANY = 20000 };
    struct tokens_table table = {0};
    bool right = true;
    char name[32];

    tap_case("numbers follow the order of appearance while the table grows");
    for (int round = 0; round < 2; round++)
        for (uint32_t i = 0; i < MANY; i++) {
            int len = snprintf(name, sizeof name, i % 2 == 0 ? "%u" : "longer-than-8-%u",
                               (unsigned)i);
            struct str word = {name, (size_t)len};
            right &= tokens_table_number(&table, word) == i;
            right &= str_eq(tokens_table_name(&table, i), word);
        }
    CHECK(right && table.count == MANY);
    tokens_table_free(&table);
    CHECK(table.count == 0);
}

/* Of some the first eight or sixteen bytes are a word of their own. */
static void check_alike(void)
{
    static const struct str words[] = {STR_INIT(""),
                                       STR_INIT("a"),
                                       STR_INIT("a\0"),
                                       STR_INIT("aa"),
                                       STR_INIT("rendere"),
                                       STR_INIT("rendered"),
                                       STR_INIT("renderer"),
                                       STR_INIT("renderer2"),
                                       STR_INIT("rendererS"),
                                       STR_INIT("sixteen-bytes-xx"),
                                       STR_INIT("sixteen-bytes-xy"),
                                       STR_INIT("seventeen-bytes-x"),
                                       STR_INIT("seventeen-bytes-y")};
    struct tokens_table table = {0};

    tap_case("words that begin alike are words of their own");
    for (int round = 0; round < 2; round++)
        for (uint32_t i = 0; i < ROWS(words); i++)
            CHECK(tokens_table_number(&table, words[i]) == i);
    tokens_table_free(&table);
}

/* What a hurried caller does, with bytes of other words behind a word. */
static void check_keys(void)
{
    static const char text[] = "crash crashes, and more of it";
    struct str word = {text, 5}, longer = {text + 6, 7};
    struct tokens_table table = {0};

    tap_case("a word by its key is the same as by its name");
    tokens_table_fetch(&table, tokens_table_key(word), word.len); /* no slots yet */
    CHECK(tokens_table_put(&table, word, tokens_table_key(word)) == 0);
    CHECK(tokens_table_put(&table, longer, tokens_table_key(longer)) == 1);
    tokens_table_fetch(&table, tokens_table_key(word), word.len);
    CHECK(tokens_table_number(&table, STR("crash")) == 0);
    CHECK(tokens_table_number(&table, STR("crashes")) == 1);
    CHECK(table.count == 2);
    tokens_table_free(&table);
}

int main(void)
{
    check_many();
    check_alike();
    check_keys();
    return tap_done();
}
