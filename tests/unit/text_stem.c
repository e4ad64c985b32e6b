/* Stems against the sample that Snowball publishes with the algorithm, and words of
 * deployment, which studies search for by their stem. */
#include "text/stem.h"

#include <string.h>

#include "tests/tap.h"

static const struct {
    const char *word, *stem;
} rows[] = {
    {"consign", "consign"},
    {"consigned", "consign"},
    {"consigning", "consign"},
    {"consignment", "consign"},
    {"consist", "consist"},
    {"consisted", "consist"},
    {"consistency", "consist"},
    {"consistent", "consist"},
    {"consistently", "consist"},
    {"consolation", "consol"},
    {"consolations", "consol"},
    {"conspicuously", "conspicu"},
    {"conspiracy", "conspiraci"},
    {"conspirators", "conspir"},
    {"constables", "constabl"},
    {"constancy", "constanc"},
    {"knack", "knack"},
    {"knackeries", "knackeri"},
    {"knightly", "knight"},
    {"knights", "knight"},
    {"knives", "knive"},
    {"knocked", "knock"},
    {"knowledge", "knowledg"},
    {"deploy", "deploy"},
    {"deploys", "deploy"},
    {"deployed", "deploy"},
    {"deploying", "deploy"},
    {"deployment", "deploy"},
    {"skies", "sky"},
    {"generically", "generic"},
    {"", ""},
    {"a", "a"},
    {"\xC3\xA9t\xC3\xA9", "\xC3\xA9t\xC3\xA9"},
    {"tf.nn.conv2d", "tf.nn.conv2d"},
};

int main(void)
{
    struct stem stem = {0};
    char longest[STEM_WORD_MAX + 1];

    stem_close(&stem);
    stem_open(&stem);
    for (size_t i = 0; i < ROWS(rows); i++) {
        tap_case("'%s'", rows[i].word);
        CHECK(str_eq(stem_word(&stem, str_from(rows[i].word)), str_from(rows[i].stem)));
    }
    memset(longest, 'a', sizeof longest);
    longest[STEM_WORD_MAX - 1] = 's';
    tap_case("the longest word");
    CHECK(stem_word(&stem, (struct str){longest, STEM_WORD_MAX}).len ==
          STEM_WORD_MAX - 1);
    longest[STEM_WORD_MAX] = 's';
    tap_case("a longer one comes back as it is");
    struct str same = stem_word(&stem, (struct str){longest, STEM_WORD_MAX + 1});
    CHECK(same.ptr == longest && same.len == STEM_WORD_MAX + 1);
    stem_close(&stem);
    tap_case("closing leaves nothing behind");
    CHECK(stem.snowball == NULL);
    return tap_done();
}
