/* Texts are cleaned, measured, wrapped and cut. */
#include "chart/internal.h"

#include "tests/tap.h"

static const struct {
    const char *name;
    struct str text;
    const char *want;
} cleaned[] = {
    {"plain", STR_INIT("plain"), "plain"},
    {"nothing", STR_INIT(""), ""},
    {"letters of many scripts", STR_INIT("\xC3\xA4\xE4\xB8\xAD"), "\xC3\xA4\xE4\xB8\xAD"},
    {"a byte that is no character",
     STR_INIT("a\xFF"
              "b"),
     "a\xEF\xBF\xBD"
     "b"},
    {"a character cut short", STR_INIT("a\xE4\xB8"), "a\xEF\xBF\xBD\xEF\xBF\xBD"},
    {"new lines and tabs", STR_INIT("a\nb\tc\rd"), "a b c d"},
    {"controls",
     STR_INIT("a\x01"
              "b\x7F"),
     "a b "},
    {"a zero byte",
     {"a\0b", 3},
     "a\xEF\xBF\xBD"
     "b"},
    {"U+FFFF, which XML does not know", STR_INIT("\xEF\xBF\xBF"), "\xEF\xBF\xBD"},
};

static void check_clean(struct arena *arena)
{
    char *many = arena_array(arena, char, 9000);

    for (size_t i = 0; i < ROWS(cleaned); i++) {
        tap_case("clean: %s", cleaned[i].name);
        CHECK_TEXT(arena_c_string(arena, chart_text_clean(cleaned[i].text, arena)),
                   cleaned[i].want);
    }
    tap_case("clean: endless text is cut between characters");
    for (size_t i = 0; i < 9000; i++)
        many[i] = "\xE4\xB8\xAD"[i % 3];
    CHECK(chart_text_clean((struct str){many, 9000}, arena).len == 1998);
}

static void check_measure(struct chart_text *text)
{
    struct chart_style style = STYLE_TICK, bold = STYLE_TICK, large = STYLE_TICK;
    struct chart_extent plain = chart_text_measure(text, STR("waiting time"), &style),
                        other;

    tap_case("measure: a line");
    CHECK(plain.lines == 1 && !plain.cut);
    CHECK(plain.width > 30 && plain.width < 50 && plain.height > 7 && plain.height < 10);
    tap_case("measure: twice the text is twice as wide");
    other = chart_text_measure(text, STR("waiting timewaiting time"), &style);
    CHECK_NEAR(other.width, 2 * plain.width, 0.01);
    tap_case("measure: width grows with size: no hinting");
    large.size = 2 * style.size;
    other = chart_text_measure(text, STR("waiting time"), &large);
    CHECK_NEAR(other.width, 2 * plain.width, 0.05);
    tap_case("measure: bold is wider");
    bold.bold = true;
    CHECK(chart_text_measure(text, STR("waiting time"), &bold).width > plain.width);
    tap_case("measure: upright text lies on its side");
    style.upright = true;
    other = chart_text_measure(text, STR("waiting time"), &style);
    CHECK_NEAR(other.height, plain.width, 1e-9);
    CHECK_NEAR(other.width, plain.height, 1e-9);
}

static const struct {
    const char *name;
    const char *text;
    double width_max;
    int lines_max;
    int lines;
    bool cut;
} wrapped[] = {
    {"fits", "short", 100, 3, 1, false},
    {"wraps between words", "minutes to the accepted answer", 60, 3, 2, false},
    {"too many words", "minutes to the accepted answer of a question", 40, 2, 2, true},
    {"one line only", "minutes to the accepted answer", 60, 1, 1, true},
    {"a word too long is broken", "Donaudampfschifffahrtsgesellschaft", 50, 3, 3, true},
};

static void check_wrap(struct chart_text *text)
{
    for (size_t i = 0; i < ROWS(wrapped); i++) {
        struct chart_style style = STYLE_TICK;
        struct chart_extent extent;
        tap_case("wrap: %s", wrapped[i].name);
        style.width_max = wrapped[i].width_max;
        style.lines_max = wrapped[i].lines_max;
        extent = chart_text_measure(text, str_from(wrapped[i].text), &style);
        CHECK(extent.lines == wrapped[i].lines);
        CHECK(extent.cut == wrapped[i].cut);
        CHECK(extent.width <= wrapped[i].width_max + 0.01);
    }
}

int main(void)
{
    struct arena arena = {0};
    struct chart_text text = {0};
    struct err err = {0};

    tap_case("a font is there");
    CHECK(chart_text_open(&text, &err));
    check_clean(&arena);
    check_measure(&text);
    check_wrap(&text);
    chart_text_close(&text);
    tap_case("closing twice");
    chart_text_close(&text);
    CHECK(text.layout == NULL);
    arena_free(&arena);
    tap_case("letters that no font has are told, each once");
    struct buf missing = {0};
    struct err none = {0};
    CHECK(chart_missing(STR("caf\xc3\xa9 \xd0\x9f \xe2\x80\x93 \xe2\x89\xa4"), &missing,
                        &none) &&
          missing.len == 0);
    CHECK(chart_missing(STR("\xe8\xa8\x98\xe6\x86\xb6 and \xe8\xa8\x98"), &missing,
                        &none) &&
          str_eq(buf_str(&missing), STR("\xe8\xa8\x98\xe6\x86\xb6")));
    buf_free(&missing);
    return tap_done();
}
