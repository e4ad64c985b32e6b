/* Tags of a post in both spellings, and globs. */
#include "query/internal.h"

#include "tests/tap.h"

static const struct {
    const char *tags, *joined;
} lists[] = {
    {"", ""},
    {"<a>", "a,"},
    {"<python><c++><.net>", "python,c++,.net,"},
    {"|a|", "a,"},
    {"|python|c++|.net|", "python,c++,.net,"},
    {"a", "a,"},
    {"<>", ""},
    {"||", ""},
    {"<a><><b", "a,b,"},
};

static const struct {
    const char *pattern, *text;
    bool matches;
} globs[] = {
    {"tensor*", "tensor", true},
    {"tensor*", "tensorflow", true},
    {"tensor*", "a-tensor", false},
    {"*flow", "tensorflow", true},
    {"*flow", "tensorflow2.0", false},
    {"*flow*", "tensorflow2.0", true},
    {"*", "", true},
    {"*", "x", true},
    {"**", "x", true},
    {"?", "", false},
    {"?", "x", true},
    {"?", "xy", false},
    {"?", "\xC3\xA9", true},
    {"?\xC3\xA9", "\xE4\xB8\xAD\xC3\xA9", true},
    {"tensorflow?.?", "tensorflow2.0", true},
    {"a*b*c", "a-b-b-c", true},
    {"a*b*c", "a-b-b-d", false},
    {"a*b?c", "abbbxc", true},
    {"*a", "aaaaab", false},
    {"*ab", "aaaaab", true},
    {"keras", "keras", true},
    {"keras", "kera", false},
    {"kera", "keras", false},
    {"*?*", "", false},
    {"?*?", "a", false},
    {"?*?", "ab", true},
    {"*??bc",
     "\xE4\xB8\xAD"
     "bc",
     false}, /* a character is never taken in pieces */
    {"*??bc",
     "\xE4\xB8\xAD\xE4\xB8\xAD"
     "bc",
     true},
};

int main(void)
{
    for (size_t i = 0; i < ROWS(lists); i++) {
        struct str rest = str_from(lists[i].tags), tag;
        struct buf out = {0};
        tap_case("tags: '%s'", lists[i].tags);
        while (query_tag_next(&rest, &tag)) {
            buf_add(&out, tag);
            buf_add_char(&out, ',');
        }
        buf_add_char(&out, '\0');
        CHECK_TEXT(out.ptr, lists[i].joined);
        buf_free(&out);
    }
    for (size_t i = 0; i < ROWS(globs); i++) {
        tap_case("glob: '%s' on '%s'", globs[i].pattern, globs[i].text);
        CHECK(query_glob(str_from(globs[i].pattern), str_from(globs[i].text)) ==
              globs[i].matches);
    }
    return tap_done();
}
