/* Slices. */
#include "base/str.h"

#include <math.h>

#include "tests/tap.h"

static const struct {
    const char *text;
    bool ok;
    int64_t value;
} numbers[] = {
    {"0", true, 0},
    {"-0", true, 0},
    {"-1", true, -1},
    {"007", true, 7},
    {"9223372036854775807", true, INT64_MAX},
    {"-9223372036854775808", true, INT64_MIN},
    {"00000000000000000000000000000012", true, 12},
    {"9223372036854775808", false, 0},
    {"-9223372036854775809", false, 0},
    {"99999999999999999999", false, 0},
    {"", false, 0},
    {"-", false, 0},
    {"--1", false, 0},
    {"+1", false, 0},
    {"1x", false, 0},
    {"1 ", false, 0},
    {" 1", false, 0},
    {"1.0", false, 0},
    {"0x10", false, 0},
};

static const struct {
    const char *text;
    bool ok;
    double value;
} reals[] = {
    {"0", true, 0},
    {"-12", true, -12},
    {"+3", true, 3},
    {"0.5", true, 0.5},
    {".5", true, 0.5},
    {"5.", true, 5},
    {"1e-3", true, 1e-3},
    {"1E+3", true, 1000},
    {"1.7976931348623157e308", true, 1.7976931348623157e308},
    {"4.9e-324", true, 4.9406564584124654e-324},
    {"1e-400", true, 0},
    {"0.1", true, 0.1},
    {"1e309", false, 0},
    {"-1e309", false, 0},
    {"", false, 0},
    {"-", false, 0},
    {".", false, 0},
    {"-.", false, 0},
    {"e5", false, 0},
    {"1e", false, 0},
    {"1e+", false, 0},
    {"1e5x", false, 0},
    {"1e5.5", false, 0},
    {"1.2.3", false, 0},
    {"1,5", false, 0},
    {" 1", false, 0},
    {"1 ", false, 0},
    {"nan", false, 0},
    {"inf", false, 0},
    {"infinity", false, 0},
    {"0x10", false, 0},
    {"000000000000000000000000000000000000000000000000000000000000001", true, 1},
    {"0000000000000000000000000000000000000000000000000000000000000001", false, 0},
};

static const struct {
    const char *text, *head, *rest;
    bool found;
} cuts[] = {
    {"a,b,c", "a", "b,c", true}, {"a,", "a", "", true}, {",b", "", "b", true},
    {"abc", "abc", "", false},   {"", "", "", false},   {",", "", "", true},
};

static const struct {
    const char *a, *b;
    int order;
} orders[] = {
    {"", "", 0},   {"a", "a", 0},  {"a", "b", -1}, {"a", "ab", -1},
    {"", "a", -1}, {"b", "ab", 1}, {"ab", "a", 1}, {"\xC3", "z", 1}, /* as unsigned */
};

static const struct {
    const char *text, *end;
    bool starts, ends;
} ends[] = {
    {"abcab", "ab", true, true}, {"abc", "bc", false, true}, {"abc", "ab", true, false},
    {"abc", "", true, true},     {"", "", true, true},       {"", "a", false, false},
    {"a", "aa", false, false},   {"abc", "abc", true, true},
};

static const struct {
    const char *text;
    size_t from, to;
    const char *part;
} slices[] = {
    {"abcdef", 0, 6, "abcdef"},
    {"abcdef", 1, 3, "bc"},
    {"abcdef", 2, 99, "cdef"},
    {"abcdef", 6, 6, ""},
    {"abcdef", 9, 99, ""},
    {"abcdef", 4, 2, ""},
    {"", 0, 0, ""},
    {"", 1, 2, ""},
    {"ab", 1, SIZE_MAX, "b"},
};

static const struct {
    const char *text, *trimmed;
} trims[] = {
    {" \t a b\r\n", "a b"}, {"  ", ""}, {"", ""}, {"a", "a"}, {"\va\f", "\va\f"},
};

static void check_numbers(void)
{
    for (size_t i = 0; i < ROWS(numbers); i++) {
        int64_t value = 77;
        tap_case("to_int '%s'", numbers[i].text);
        CHECK(str_to_int(str_from(numbers[i].text), &value) == numbers[i].ok);
        CHECK(value == (numbers[i].ok ? numbers[i].value : 77));
    }
    for (size_t i = 0; i < ROWS(reals); i++) {
        double value = 77;
        tap_case("to_real '%s'", reals[i].text);
        CHECK(str_to_real(str_from(reals[i].text), &value) == reals[i].ok);
        CHECK_NEAR(value, reals[i].ok ? reals[i].value : 77, 0);
    }
}

static void check_parts(void)
{
    for (size_t i = 0; i < ROWS(cuts); i++) {
        struct str rest = str_from(cuts[i].text), head;
        tap_case("cut '%s'", cuts[i].text);
        CHECK(str_cut(&rest, ',', &head) == cuts[i].found);
        CHECK(str_eq(head, str_from(cuts[i].head)));
        CHECK(str_eq(rest, str_from(cuts[i].rest)));
    }
    for (size_t i = 0; i < ROWS(slices); i++) {
        tap_case("slice '%s' from %zu to %zu", slices[i].text, slices[i].from,
                 slices[i].to);
        CHECK(str_eq(str_slice(str_from(slices[i].text), slices[i].from, slices[i].to),
                     str_from(slices[i].part)));
    }
    for (size_t i = 0; i < ROWS(trims); i++) {
        tap_case("trim '%s'", trims[i].trimmed);
        CHECK(str_eq(str_trim(str_from(trims[i].text)), str_from(trims[i].trimmed)));
    }
}

static const struct {
    const char *text;
    bool ok;
    size_t place;
} places[] = {{"", true, SIZE_MAX}, {"0", true, 0},   {"6", true, 6},
              {"7", false, 0},      {"-1", false, 0}, {"x", false, 0}};

static void check_places(void)
{
    for (size_t i = 0; i < ROWS(places); i++) {
        size_t place;
        tap_case("place '%s' of seven", places[i].text);
        CHECK(str_to_place(str_from(places[i].text), 7, &place) == places[i].ok);
        CHECK(!places[i].ok || place == places[i].place);
    }
}

static void check_letters_and_ends(void)
{
    static const struct {
        const char *a, *b;
        bool same;
    } letters[] = {{"", "", true},
                   {"Posts", "pOSTS", true},
                   {"a", "ab", false},
                   {"a@Z", "A`z", false},
                   {"\xC3\x84", "\xC3\xA4", false}};
    static const char *const lasts[][2] = {
        {"a/b/c", "c"}, {"c", "c"}, {"a/", ""}, {"", ""}};

    tap_case("letters in either case");
    for (size_t i = 0; i < ROWS(letters); i++)
        CHECK(str_eq_letters(str_from(letters[i].a), str_from(letters[i].b)) ==
              letters[i].same);
    tap_case("behind the last separator");
    for (size_t i = 0; i < ROWS(lasts); i++)
        CHECK(str_eq(str_last(str_from(lasts[i][0]), '/'), str_from(lasts[i][1])));
    CHECK(str_has_part(STR("Caffe/2021"), '/', STR("2021")));
    CHECK(str_has_part(STR("2021"), '/', STR("2021")));
    CHECK(!str_has_part(STR("Caffe/20211"), '/', STR("2021")));
    CHECK(!str_has_part(STR(""), '/', STR("2021")));
    tap_case("no text at all");
    CHECK(str_from(NULL).len == 0 && str_from(NULL).ptr != NULL);
}

int main(void)
{
    check_numbers();
    check_places();
    check_parts();
    check_letters_and_ends();
    for (size_t i = 0; i < ROWS(orders); i++) {
        struct str a = str_from(orders[i].a), b = str_from(orders[i].b);
        tap_case("compare '%s' with '%s'", orders[i].a, orders[i].b);
        int order = str_compare(a, b), back = str_compare(b, a);
        CHECK((order > 0) - (order < 0) == orders[i].order);
        CHECK((back > 0) - (back < 0) == -orders[i].order);
        CHECK(str_eq(a, b) == (orders[i].order == 0));
    }
    for (size_t i = 0; i < ROWS(ends); i++) {
        struct str text = str_from(ends[i].text), end = str_from(ends[i].end);
        tap_case("'%s' starts or ends with '%s'", ends[i].text, ends[i].end);
        CHECK(str_starts(text, end) == ends[i].starts);
        CHECK(str_ends(text, end) == ends[i].ends);
    }
    tap_case("a zeroed slice is an empty text everywhere");
    struct str none = {0}, head;
    CHECK(str_eq(none, STR("")) && str_compare(none, STR("")) == 0);
    CHECK(str_starts(none, none) && str_ends(none, none) && str_ends(STR("a"), none));
    CHECK(str_trim(none).len == 0 && str_slice(none, 0, 5).len == 0);
    CHECK(!str_cut(&none, ',', &head) && head.len == 0 && none.len == 0);
    CHECK(!str_to_int(none, &(int64_t){0}) && !str_to_real(none, &(double){0}));
    tap_case("bytes after a NUL count");
    CHECK(!str_eq(STR("a\0b"), STR("a\0c")) && STR("a\0b").len == 3);
    return tap_done();
}
