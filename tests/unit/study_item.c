/* Items as people write them. */
#include "study/item.h"

#include <string.h>

#include "tests/tap.h"

static const struct {
    const char *name, *text;
    int64_t id; /* -1: none */
} rows[] = {
    {"an id", "11", 11},
    {"blanks around it", " 11\t", 11},
    {"a short link", "https://stackoverflow.com/q/11", 11},
    {"a link with a title", "https://stackoverflow.com/questions/11/how-to-2", 11},
    {"a link with a query", "https://example.com/questions/11?tab=votes", 11},
    {"a link to an answer of it", "https://example.com/questions/11/x#12", 11},
    {"a mark right behind the id", "https://example.com/q/11#12", 11},
    {"the first number of a path", "https://example.com/q/11/12", 11},
    {"no number", "https://example.com/q/x11", -1},
    {"nothing", "", -1},
    {"a fraction", "1.5", -1},
    {"too large", "99999999999999999999", -1},
};

int main(void)
{
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct err err = {0};
        int64_t id = -1;
        tap_case("item: %s", rows[i].name);
        CHECK(item_read(str_from(rows[i].text), &id, &err) == (rows[i].id >= 0));
        CHECK(id == rows[i].id);
        if (rows[i].id < 0)
            CHECK(strstr(err.text, "expected an item's id") != NULL);
    }
    return tap_done();
}
