/* Stop words: the list is searched right, and leaves in what tells questions apart. */
#include "learn/stopwords.h"

#include "tests/tap.h"

static const struct {
    const char *word;
    bool is;
} rows[] = {
    {"a", true},        {"the", true},         {"your", true}, {"through", true},
    {"i", true},        {"how", false},        {"why", false}, {"not", false},
    {"error", false},   {"", false},           {"z", false},   {"th", false},
    {"thee", false},    {"throughout", false}, {"The", false}, {"can", false},
    {"install", false},
};

int main(void)
{
    for (size_t i = 0; i < ROWS(rows); i++) {
        tap_case("'%s'", rows[i].word);
        CHECK(stopwords_has(str_from(rows[i].word)) == rows[i].is);
    }
    return tap_done();
}
