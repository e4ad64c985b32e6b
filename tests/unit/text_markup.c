/* One piece of html at a time; lists of tags. */
#include "text/markup.h"

#include <stdio.h>
#include <string.h>

#include "tests/tap.h"

/* One piece of html at a time: what is a tag, a comment, a reference, and what is text.
 */

static const struct {
    const char *name;
    const char *text; /* html; and the same in XML, if it is another */
    const char *xml;
    size_t left; /* bytes of html behind the piece; all but one: it is text */
    enum text_tag tag;
    bool closing;
    const char *href;
} tags[] = {
    {"start tag", "<p>x", "&lt;p&gt;x", 1, TEXT_TAG_BLOCK, false, NULL},
    {"end tag", "</p>", "&lt;/p&gt;", 0, TEXT_TAG_BLOCK, true, NULL},
    {"upper case", "<PRE>", NULL, 0, TEXT_TAG_PRE, false, NULL},
    {"unknown name", "<blink>", NULL, 0, TEXT_TAG_UNKNOWN, false, NULL},
    {"name longer than all", "<blockquotes>", NULL, 0, TEXT_TAG_UNKNOWN, false, NULL},
    {"name with dash", "<my-p>", NULL, 0, TEXT_TAG_UNKNOWN, false, NULL},
    {"closed at once", "<br/>", NULL, 0, TEXT_TAG_BLOCK, false, NULL},
    {"blank and closed at once", "<br />", "&lt;br /&gt;", 0, TEXT_TAG_BLOCK, false,
     NULL},
    {"line end in the tag", "<p\nclass\n=\n'x'\n>", NULL, 0, TEXT_TAG_BLOCK, false, NULL},
    {"href", "<a href=\"u\">", "&lt;a href=&quot;u&quot;&gt;", 0, TEXT_TAG_A, false, "u"},
    {"href in single quotes", "<a href='u'>", NULL, 0, TEXT_TAG_A, false, "u"},
    {"href without quotes", "<a href=u/v?w=1 rel=x>", NULL, 0, TEXT_TAG_A, false,
     "u/v?w=1"},
    {"href without quotes at the end", "<a href=u>", NULL, 0, TEXT_TAG_A, false, "u"},
    {"href in capitals", "<A HREF=\"u\">", NULL, 0, TEXT_TAG_A, false, "u"},
    {"href with blanks", "<a href = \"u\">", NULL, 0, TEXT_TAG_A, false, "u"},
    {"href is second", "<a rel=\"x\"href=\"u\">", NULL, 0, TEXT_TAG_A, false, "u"},
    {"the first href counts", "<a href=\"u\" href=\"v\">", NULL, 0, TEXT_TAG_A, false,
     "u"},
    {"href is empty", "<a href=\"\">", NULL, 0, TEXT_TAG_A, false, ""},
    {"href without value", "<a href>", NULL, 0, TEXT_TAG_A, false, NULL},
    {"href with = only", "<a href=>", NULL, 0, TEXT_TAG_A, false, ""},
    {"data-href is another", "<a data-href=\"u\">", NULL, 0, TEXT_TAG_A, false, NULL},
    {"hrefs is another", "<a hrefs=\"u\">", NULL, 0, TEXT_TAG_A, false, NULL},
    {"> in a value", "<a title=\"a>b\">", NULL, 0, TEXT_TAG_A, false, NULL},
    {"< in a value", "<a title=\"a<b\">", NULL, 0, TEXT_TAG_A, false, NULL},
    {"other quote in a value", "<a title=\"it's\">", NULL, 0, TEXT_TAG_A, false, NULL},
    {"spelt in numbers", "<p>", "&#60;&#x70;&#062;", 0, TEXT_TAG_BLOCK, false, NULL},
    {"> bare in XML", "<p>", "&lt;p>", 0, TEXT_TAG_BLOCK, false, NULL},
    {"< bare in XML", "<p>", "<p>", 0, TEXT_TAG_BLOCK, false, NULL},
    {"comment", "<!-- x -->y", "&lt;!-- x --&gt;y", 1, TEXT_TAG_UNKNOWN, false, NULL},
    {"comment with a tag", "<!-- <p> -->", NULL, 0, TEXT_TAG_UNKNOWN, false, NULL},
    {"comment with a dash", "<!-- a-b --->", NULL, 0, TEXT_TAG_UNKNOWN, false, NULL},
    {"shortest comment", "<!-->", NULL, 0, TEXT_TAG_UNKNOWN, false, NULL},
    {"doctype", "<!DOCTYPE html>", NULL, 0, TEXT_TAG_UNKNOWN, false, NULL},
    {"processing instruction", "<?php x ?>", NULL, 0, TEXT_TAG_UNKNOWN, false, NULL},
    {"text: < alone", "<", "&lt;", 0, 0, false, NULL},
    {"text: < before a blank", "< p>", "&lt; p&gt;", 3, 0, false, NULL},
    {"text: < before a digit", "<3", NULL, 1, 0, false, NULL},
    {"text: heart", "</3", NULL, 2, 0, false, NULL},
    {"text: <>", "<>", NULL, 1, 0, false, NULL},
    {"text: no end", "<p class", NULL, 7, 0, false, NULL},
    {"text: < before the end", "<p <b>", NULL, 5, 0, false, NULL},
    {"text: quote that does not close", "<a href=\"u>", NULL, 10, 0, false, NULL},
    {"text: stray quote", "<p don't>", NULL, 8, 0, false, NULL},
    {"text: mail address", "<me@example.org>", NULL, 15, 0, false, NULL},
    {"text: comment without end", "<!-- x", NULL, 5, 0, false, NULL},
    {"text: one dash", "<!- x>", NULL, 5, 0, false, NULL},
    {"text: CDATA", "<![CDATA[x]]>", NULL, 12, 0, false, NULL},
    {"text: doctype without end", "<!DOCTYPE", NULL, 8, 0, false, NULL},
};

static const struct {
    const char *name;
    const char *html, *xml;
    size_t left;
    size_t count;
    uint32_t codes[2];
} references[] = {
    {"name", "&eacute;x", "&amp;eacute;x", 1, 1, {0xE9}},
    {"two characters", "&nGt;", "&amp;nGt;", 0, 2, {0x226B, 0x20D2}},
    {"decimal", "&#233;", "&amp;#233;", 0, 1, {0xE9}},
    {"hex", "&#xe9;", "&amp;#xE9;", 0, 1, {0xE9}},
    {"capital X", "&#XE9;", "&amp;#XE9;", 0, 1, {0xE9}},
    {"emoji", "&#128579;", "&amp;#128579;", 0, 1, {0x1F643}},
    {"zeros in front", "&#0000000000000233;", NULL, 0, 1, {0xE9}},
    {"Windows-1252", "&#150;", "&amp;#150;", 0, 1, {0x2013}},
    {"NUL", "&#0;", "&amp;#x0;", 0, 1, {0xFFFD}},
    {"surrogate", "&#xD800;", "&amp;#xD800;", 0, 1, {0xFFFD}},
    {"too large", "&#x110000;", "&amp;#x110000;", 0, 1, {0xFFFD}},
    {"much too large", "&#99999999999999999999;", NULL, 0, 1, {0xFFFD}},
    {"spelt in numbers", "&lt;", "&#38;&#x6C;&#x74;&#59;", 0, 1, {'<'}},
    {"unknown name", "&foo;", "&amp;foo;", 4, 1, {'&'}},
    {"unknown case", "&EACUTE;", NULL, 7, 1, {'&'}},
    {"no semicolon", "&eacute x", NULL, 8, 1, {'&'}},
    {"name too long", "&CounterClockwiseContourIntegrals;", NULL, 33, 1, {'&'}},
    {"number without semicolon", "&#233 x", NULL, 6, 1, {'&'}},
    {"no digits", "&#;", "&amp;#;", 2, 1, {'&'}},
    {"no hex digits", "&#x;", NULL, 3, 1, {'&'}},
    {"letters in a number", "&#2a;", NULL, 4, 1, {'&'}},
    {"end", "&", "&amp;", 0, 1, {'&'}},
    {"before a blank", "& x", "&amp; x", 2, 1, {'&'}},
    {"twice escaped", "&amp;lt;", "&amp;amp;lt;", 3, 1, {'&'}},
};

/* References of XML alone, which are gone before html is read. */
static const struct {
    const char *name, *xml;
    uint32_t code;
    size_t left;
} units[] = {
    {"quote", "&quot;", '"', 0},
    {"apostrophe", "&apos;", '\'', 0},
    {"line end", "&#xA;x", '\n', 1},
    {"é", "&#233;", 0xE9, 0},
    {"128 is not Windows-1252", "&#x80;", 0x80, 0},
    {"NUL", "&#0;", 0xFFFD, 0},
    {"surrogate", "&#xDFFF;", 0xFFFD, 0},
    {"too large", "&#x110000;", 0xFFFD, 0},
    {"control", "&#x1F;", 0xFFFD, 0},
    {"no reference", "&quot", 0xFFFD, 4},
    {"html name, which XML does not have", "&nbsp;", 0xFFFD, 0},
    {"X, which XML does not have", "&#X41;", 0xFFFD, 0},
};

static struct text_markup read(const char *text, bool xml, size_t *left)
{
    struct text_markup_source source = {.text = str_from(text), .xml = xml};
    struct text_markup markup = text_markup_read(&source, 0);

    *left = source.text.len - markup.end;
    return markup;
}

static void check_tag(size_t row, const char *text, bool xml)
{
    struct text_markup_source source = {.text = str_from(text), .xml = xml};
    struct text_markup markup = text_markup_read(&source, 0);
    bool is_text = str_starts(str_from(tags[row].name), STR("text:"));

    tap_case("%s: %s", xml ? "xml" : "html", tags[row].name);
    if (!xml || tags[row].xml == NULL)
        CHECK(source.text.len - markup.end == tags[row].left);
    CHECK(markup.count == is_text);
    if (is_text) {
        CHECK(markup.codes[0] == '<');
        return;
    }
    CHECK(markup.tag == tags[row].tag);
    CHECK(markup.closing == tags[row].closing);
    CHECK((markup.href.ptr != NULL) == (tags[row].href != NULL));
    if (markup.href.ptr != NULL)
        CHECK(str_eq(markup.href, str_from(tags[row].href)));
}

static void check_reference(size_t row, const char *text, bool xml)
{
    size_t left;
    struct text_markup markup = read(text, xml, &left);

    tap_case("%s reference: %s", xml ? "xml" : "html", references[row].name);
    CHECK(markup.count == references[row].count);
    for (size_t i = 0; i < markup.count; i++)
        CHECK(markup.codes[i] == references[row].codes[i]);
    CHECK(left == references[row].left);
}

static const struct {
    const char *name;
    const char *value;
    bool xml;
    const char *decoded;
} values[] = {
    {"plain", "http://example.org/", false, "http://example.org/"},
    {"html", "?a=1&amp;b=2", false, "?a=1&b=2"},
    {"XML", "?a=1&amp;amp;b=2", true, "?a=1&b=2"},
    {"XML, one level", "?a=1&amp;b=2", true, "?a=1&b=2"},
    {"line ends go", "a\nb\r\n\tc", false, "abc"},
    {"escaped line ends go", "a&#xA;b&amp;#10;c", true, "abc"},
    {"tags are no tags here", "a<p>b", false, "a<p>b"},
    {"nor in XML", "a&lt;p&gt;b", true, "a<p>b"},
    {"UTF-8 stays", "caf\xC3\xA9", true, "caf\xC3\xA9"},
    {"references beyond ASCII", "caf&#xE9;&amp;eacute;", true, "caf\xC3\xA9\xC3\xA9"},
    {"unknown reference stays", "a&copy=1&foo;", false, "a&copy=1&foo;"},
};

static void test_markup(void)
{
    struct buf out = {0};
    size_t left;

    for (size_t i = 0; i < ROWS(tags); i++) {
        check_tag(i, tags[i].text, false);
        check_tag(i, tags[i].xml != NULL ? tags[i].xml : tags[i].text, true);
    }
    for (size_t i = 0; i < ROWS(references); i++) {
        check_reference(i, references[i].html, false);
        if (references[i].xml != NULL)
            check_reference(i, references[i].xml, true);
    }
    for (size_t i = 0; i < ROWS(units); i++) {
        struct text_markup markup = read(units[i].xml, true, &left);
        tap_case("xml: %s", units[i].name);
        CHECK(markup.count == 1 && markup.codes[0] == units[i].code);
        CHECK(left == units[i].left);
    }
    for (size_t i = 0; i < ROWS(values); i++) {
        tap_case("value: %s", values[i].name);
        buf_clear(&out);
        text_markup_decode(str_from(values[i].value), values[i].xml, &out);
        CHECK(str_eq(buf_str(&out), str_from(values[i].decoded)));
    }
    buf_free(&out);
}

/* Which elements part words. */

static const struct {
    const char *name;
    enum text_tag tag;
} rows[] = {
    {"p", TEXT_TAG_BLOCK},
    {"li", TEXT_TAG_BLOCK},
    {"br", TEXT_TAG_BLOCK},
    {"blockquote", TEXT_TAG_BLOCK},
    {"td", TEXT_TAG_BLOCK},
    {"th", TEXT_TAG_BLOCK},
    {"tr", TEXT_TAG_BLOCK},
    {"table", TEXT_TAG_BLOCK},
    {"thead", TEXT_TAG_BLOCK},
    {"tbody", TEXT_TAG_BLOCK},
    {"tfoot", TEXT_TAG_BLOCK},
    {"h1", TEXT_TAG_BLOCK},
    {"h2", TEXT_TAG_BLOCK},
    {"h3", TEXT_TAG_BLOCK},
    {"h4", TEXT_TAG_BLOCK},
    {"h5", TEXT_TAG_BLOCK},
    {"h6", TEXT_TAG_BLOCK},
    {"div", TEXT_TAG_BLOCK},
    {"hr", TEXT_TAG_BLOCK},
    {"ul", TEXT_TAG_BLOCK},
    {"ol", TEXT_TAG_BLOCK},
    {"dl", TEXT_TAG_BLOCK},
    {"dt", TEXT_TAG_BLOCK},
    {"dd", TEXT_TAG_BLOCK},
    {"section", TEXT_TAG_BLOCK},
    {"figcaption", TEXT_TAG_BLOCK},
    {"fieldset", TEXT_TAG_BLOCK},
    {"summary", TEXT_TAG_BLOCK},
    {"details", TEXT_TAG_BLOCK},
    {"iframe", TEXT_TAG_BLOCK},
    {"em", TEXT_TAG_INLINE},
    {"strong", TEXT_TAG_INLINE},
    {"b", TEXT_TAG_INLINE},
    {"i", TEXT_TAG_INLINE},
    {"sub", TEXT_TAG_INLINE},
    {"sup", TEXT_TAG_INLINE},
    {"kbd", TEXT_TAG_INLINE},
    {"del", TEXT_TAG_INLINE},
    {"s", TEXT_TAG_INLINE},
    {"strike", TEXT_TAG_INLINE},
    {"img", TEXT_TAG_INLINE},
    {"span", TEXT_TAG_INLINE},
    {"pre", TEXT_TAG_PRE},
    {"code", TEXT_TAG_CODE},
    {"a", TEXT_TAG_A},
    {"cite", TEXT_TAG_UNKNOWN},
    {"cxxe", TEXT_TAG_UNKNOWN},
    {"pr", TEXT_TAG_UNKNOWN},
    {"pree", TEXT_TAG_UNKNOWN},
    {"P", TEXT_TAG_UNKNOWN},
    {"x", TEXT_TAG_UNKNOWN},
    {"blockquoxe", TEXT_TAG_UNKNOWN},
};

static void test_tag(void)
{
    for (size_t i = 0; i < ROWS(rows); i++) {
        size_t len = strlen(rows[i].name);
        char name[TEXT_TAG_READABLE] = {0};
        memcpy(name, rows[i].name, len);
        tap_case("%s", rows[i].name);
        CHECK(text_tag_find(name, len) == rows[i].tag);
        memset(name + len, '&', sizeof name - len);
        CHECK(text_tag_find(name, len) == rows[i].tag);
    }
}

/* Both spellings of tags. */

static const struct {
    const char *name, *text, *want;
} taglist_rows[] = {
    {"angles", "<python><c++>", "python c++ "},
    {"bars", "|python|c#|", "python c# "},
    {"one", "<tensorflow>", "tensorflow "},
    {"bare", "tensorflow", "tensorflow "},
    {"nothing", "", ""},
    {"only borders", "<>||", ""},
    {"cut off", "<python><nu", "python nu "},
};

static void test_taglist(void)
{
    for (size_t i = 0; i < ROWS(taglist_rows); i++) {
        struct str rest = str_from(taglist_rows[i].text), tag;
        char got[100] = "";
        tap_case("tags: %s", taglist_rows[i].name);
        while (text_taglist_next(&rest, &tag))
            snprintf(got + strlen(got), sizeof got - strlen(got), "%.*s ", STR_ARG(tag));
        CHECK_TEXT(got, taglist_rows[i].want);
    }
}

int main(void)
{
    test_markup();
    test_tag();
    test_taglist();
    return tap_done();
}
