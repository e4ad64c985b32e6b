/* Words, phrases, prefixes and substrings in a text; every row with each engine. */
#include "query/internal.h"

#include <string.h>

#include "tests/tap.h"

static const struct {
    const char *name;
    enum query_match match;
    const char *term, *text;
    bool found;
} rows[] = {
    {"word", QUERY_WORDS, "ios", "an ios app", true},
    {"word at the beginning", QUERY_WORDS, "ios", "ios app", true},
    {"word at the end", QUERY_WORDS, "ios", "for ios", true},
    {"word alone", QUERY_WORDS, "ios", "ios", true},
    {"nothing to find it in", QUERY_WORDS, "ios", "", false},
    {"word in any case", QUERY_WORDS, "ios", "for iOS.", true},
    {"inside another word", QUERY_WORDS, "ios", "curiosity", false},
    {"at the end of another", QUERY_WORDS, "ios", "helios", false},
    {"at the beginning of another", QUERY_WORDS, "ios", "iosif", false},
    {"inside one word, then alone", QUERY_WORDS, "ios", "curiosity killed ios", true},
    {"mobile in MobileNet", QUERY_WORDS, "mobile", "MobileNet on a PC", false},
    {"punctuation ends a word", QUERY_WORDS, "mobile", "(mobile-first)", true},
    {"a digit goes on", QUERY_WORDS, "ios", "ios9", false},
    {"an underscore goes on", QUERY_WORDS, "ios", "my_ios", false},
    {"a letter beyond ASCII goes on", QUERY_WORDS, "na", "na\xC3\xAFve", false},
    {"a letter beyond ASCII before", QUERY_WORDS, "ve", "na\xC3\xAFve", false},
    {"word beyond ASCII", QUERY_WORDS, "na\xC3\xAFve", "A NA\xC3\x8FVE try", true},
    {"capitals beyond ASCII", QUERY_WORDS, "\xD0\xBC\xD0\xB8\xD1\x80",
     "\xD0\x9C\xD0\x98\xD0\xA0!", true},
    {"curly quotes part words", QUERY_WORDS, "model", "a \xE2\x80\x9Cmodel\xE2\x80\x9D",
     true},
    {"a long dash parts words", QUERY_WORDS, "model",
     "the\xE2\x80\x94model\xE2\x80\x94is", true},
    {"a no-break space parts words", QUERY_WORDS, "model", "the\xC2\xA0model", true},
    {"a letter beyond ASCII goes on", QUERY_WORDS, "caf", "caf\xC3\xA9", false},
    {"a letter beyond ASCII comes before", QUERY_WORDS, "t", "\xC3\xA9t", false},
    {"ASCII term in other letters", QUERY_WORDS, "k", "\xE2\x84\xAA", false},
    {"word with signs", QUERY_WORDS, "c++", "in C++11", true},
    {"word with signs inside another", QUERY_WORDS, "c++", "objc++", false},
    {"word that begins with a sign", QUERY_WORDS, ".net", "asp.net", true},
    {"word that begins with a sign, cut", QUERY_WORDS, ".net", "asp.networks", false},
    {"hyphen", QUERY_WORDS, "scikit-learn", "use scikit-learn!", true},
    {"signs alone", QUERY_WORDS, "++", "i++;", true},
    {"phrase", QUERY_WORDS, "how to", "How to run", true},
    {"phrase over blanks", QUERY_WORDS, "how to", "how \n\t to", true},
    {"phrase over punctuation", QUERY_WORDS, "how to", "how, to", false},
    {"phrase without a blank", QUERY_WORDS, "how to", "howto", false},
    {"phrase cut at its end", QUERY_WORDS, "how to", "how tomatoes", false},
    {"phrase cut at its beginning", QUERY_WORDS, "how to", "show to", false},
    {"phrase at the end", QUERY_WORDS, "how to", "that is how to", true},
    {"phrase of which half is there", QUERY_WORDS, "how to", "to how", false},
    {"phrase that ends too early", QUERY_WORDS, "how to", "how ", false},
    {"phrase begun twice", QUERY_WORDS, "how to", "how how to", true},
    {"phrase whose longest word is last", QUERY_WORDS, "a b tensorflow",
     "a  b\ttensorflow", true},
    {"phrase whose longest word is last, cut", QUERY_WORDS, "a b tensorflow",
     "xa b tensorflow", false},
    {"phrase whose longest word is in the middle", QUERY_WORDS, "to deploy it",
     "How to\n deploy  it?", true},
    {"phrase with its first word missing", QUERY_WORDS, "to deploy it", "deploy it",
     false},
    {"phrase with signs", QUERY_WORDS, "a.b (c", "x a.b   (c", true},
    {"prefix", QUERY_PREFIX, "deploy", "it was deployed", true},
    {"prefix, longer", QUERY_PREFIX, "deploy", "deployment", true},
    {"prefix, the word itself", QUERY_PREFIX, "deploy", "to deploy.", true},
    {"prefix inside a word", QUERY_PREFIX, "deploy", "redeploy", false},
    {"prefix too long", QUERY_PREFIX, "deployment", "deploy", false},
    {"prefix of a phrase", QUERY_PREFIX, "machine learn", "Machine  Learning", true},
    {"prefix of a phrase, first word cut", QUERY_PREFIX, "machine learn",
     "submachine learning", false},
    {"substring", QUERY_SUBSTRING, "how to", "show tomatoes", true},
    {"substring keeps its blanks", QUERY_SUBSTRING, "how to", "how  to", false},
    {"substring inside a word", QUERY_SUBSTRING, "ios", "curIOSity", true},
    {"substring at the end", QUERY_SUBSTRING, "ty", "curiosity", true},
    {"substring longer than the text", QUERY_SUBSTRING, "curiosity", "curio", false},
    {"substring of blanks", QUERY_SUBSTRING, "  ", "a  b", true},
    {"substring that begins with a blank", QUERY_SUBSTRING, " b", "a b", true},
    {"substring beyond ASCII", QUERY_SUBSTRING, "\xC3\xA9t", "L'\xC3\x89T\xC3\x89", true},
    {"substring that overlaps itself", QUERY_SUBSTRING, "aab", "aaab", true},
    {"longer than a literal", QUERY_WORDS, "abcdefghijklmnopqrstuvwxyzabcdefghijklmnop",
     "x abcdefghijklmnopqrstuvwxyzabcdefghijklmnop", true},
    {"longer than a literal, other end", QUERY_WORDS,
     "abcdefghijklmnopqrstuvwxyzabcdefghijklmnop",
     "abcdefghijklmnopqrstuvwxyzabcdefghijklmnoz", false},
    {"longer than a literal, text ends", QUERY_SUBSTRING,
     "abcdefghijklmnopqrstuvwxyzabcdefghijklmnop",
     "abcdefghijklmnopqrstuvwxyzabcdefghijklmno", false},
    {"broken bytes around", QUERY_SUBSTRING, "ab",
     "\xFF"
     "AB\xC3",
     true},
};

static bool find(const struct query_finder *finder, const char *text, size_t target)
{
    struct arena arena = {0};
    char folded[200];
    struct query_found found = {
        .text = str_from(text),
        .met = arena_array(&arena, uint64_t, finder->target_count),
        .serial = 1,
    };
    struct query_hyperscan_room *room = query_hyperscan_room_open(&arena);

    query_hyperscan_room_add(room, finder->hyperscan);
    if (finder->fold) {
        query_fold(found.text, folded);
        found.text.ptr = folded;
    }
    query_finder_run(finder, &found, room);
    query_hyperscan_room_close(room);
    bool met = found.met[target] == 1;
    arena_free(&arena);
    return met;
}

static void check_row(size_t i, bool portable)
{
    struct arena arena = {0};
    struct query_finder finder = {0};

    tap_case("%s: %s", portable ? "our own engine" : "default engine", rows[i].name);
    size_t target = query_finder_add(&finder, rows[i].match, str_from(rows[i].term),
                                     QUERY_NEW_TARGET, &arena);
    query_finder_build(&finder, portable, &arena);
    CHECK(find(&finder, rows[i].text, target) == rows[i].found);
    query_finder_free(&finder);
    arena_free(&arena);
}

/* All terms of the table in one finder, each text against each term. */
static void check_together(bool portable)
{
    struct arena arena = {0};
    struct query_finder finder = {0};
    size_t targets[ROWS(rows)];

    tap_case("all terms at once, %s", portable ? "our own engine" : "default engine");
    for (size_t i = 0; i < ROWS(rows); i++)
        targets[i] = query_finder_add(&finder, rows[i].match, str_from(rows[i].term),
                                      QUERY_NEW_TARGET, &arena);
    query_finder_build(&finder, portable, &arena);
    for (size_t i = 0; i < ROWS(rows); i++)
        CHECK(find(&finder, rows[i].text, targets[i]) == rows[i].found);
    query_finder_free(&finder);
    arena_free(&arena);
}

static void check_targets(bool portable)
{
    struct arena arena = {0};
    struct query_finder finder = {0};

    tap_case("terms that share a target, %s",
             portable ? "our own engine" : "default engine");
    size_t either =
        query_finder_add(&finder, QUERY_WORDS, STR("a"), QUERY_NEW_TARGET, &arena);
    CHECK(query_finder_add(&finder, QUERY_PREFIX, STR("b"), either, &arena) == either);
    CHECK(query_finder_add(&finder, QUERY_WORDS, STR("a"), either, &arena) == either);
    CHECK(finder.term_count == 2);
    size_t alone =
        query_finder_add(&finder, QUERY_WORDS, STR("a"), QUERY_NEW_TARGET, &arena);
    CHECK(alone != either && finder.term_count == 3 && finder.literal_count == 2);
    CHECK(!finder.fold);
    query_finder_build(&finder, portable, &arena);
    CHECK(find(&finder, "x a", either) && find(&finder, "x a", alone));
    CHECK(find(&finder, "x bc", either) && !find(&finder, "x bc", alone));
    CHECK(find(&finder, "bc a", either) && find(&finder, "bc a", alone));
    CHECK(!find(&finder, "ab", either) && !find(&finder, "ab", alone));
    query_finder_free(&finder);
    arena_free(&arena);
}

int main(void)
{
    for (int portable = 0; portable < 2; portable++) {
        for (size_t i = 0; i < ROWS(rows); i++)
            check_row(i, portable);
        check_together(portable);
        check_targets(portable);
    }
    return tap_done();
}
