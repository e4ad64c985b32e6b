/* Posts taken apart, and the places that matter in them. */
#include "text/html.h"

#include <string.h>

#include "base/rng.h"
#include "tests/tap.h"
#include "text/internal.h"

/* Posts into parts, by hand. Each row is read as html, as XML of the dump, and as XML
 * that spells every character as a number: the three must agree. */

#define BAD "\xEF\xBF\xBD"

static const struct {
    const char *name;
    const char *html;
    const char *prose, *code, *inline_code, *links, *body; /* NULL body: as prose */
    size_t blocks;
} rows[] = {
    {"empty", "", "", "", "", "", NULL, 0},
    {"text alone", "just text", "just text", "", "", "", NULL, 0},
    {"paragraphs", "<p>One.</p>\n\n<p>Two.</p>\n", "One.\n\n\nTwo.\n\n", "", "", "", NULL,
     0},
    {"inline elements part no words", "<p>a<em>b</em>c H<sub>2</sub>O</p>", "abc H2O\n",
     "", "", "", NULL, 0},
    {"block elements part words", "a<br>b<li>c</li><td>d</td><td>e</td><h1>f</h1>g",
     "a\nb\nc\nd\ne\nf\ng", "", "", "", NULL, 0},
    {"no line begins twice", "<div><p>a</p></div><div><p>b</p></div>", "a\nb\n", "", "",
     "", NULL, 0},
    {"line ends of the text stay", "a\n\n\nb<p>c", "a\n\n\nb\nc", "", "", "", NULL, 0},
    {"code block", "<p>See:</p>\n<pre><code>x = 1\ny = 2\n</code></pre>\n<p>ok</p>",
     "See:\n\n\nok\n", "x = 1\ny = 2\n", "", "", "See:\n\nx = 1\ny = 2\n\nok\n", 1},
    {"pre with class",
     "a<pre class=\"lang-py prettyprint-override\"><code>b</code></pre>c", "a\nc", "b",
     "", "", "a\nb\nc", 1},
    {"pre without code", "a<pre>b</pre>c", "a\nc", "b", "", "", "a\nb\nc", 1},
    {"two blocks", "<pre>a</pre><pre>b</pre>", "", "a\nb", "", "", "a\nb\n", 2},
    {"two blocks, line ended", "<pre>a\n</pre>-<pre>b</pre>", "-\n", "a\nb", "", "",
     "a\n-\nb\n", 2},
    {"empty block", "<pre></pre>x", "x", "", "", "", NULL, 1},
    {"block not closed", "a<pre>b<p>c", "a\n", "b\nc", "", "", "a\nb\nc", 1},
    {"block closed twice", "<pre>a</pre>b</pre>c", "b\nc", "a", "", "", "a\nb\nc", 1},
    {"block in a block", "<pre>a<pre>b</pre>c</pre>d", "d", "abc", "", "", "abc\nd", 1},
    {"code in a block is not inline", "<pre><code>a</code> <code>b</code></pre>", "",
     "a b", "", "", "a b\n", 1},
    {"tags in a block", "<pre>a<b>b</b><br>c</pre>", "", "ab\nc", "", "", "ab\nc\n", 1},
    {"inline code", "<p>call <code>fit()</code> or <code>a.b</code>.</p>",
     "call fit() or a.b.\n", "", "fit()\na.b", "", NULL, 0},
    {"inline code with tags", "<code>a<em>b</em></code>c", "abc", "", "ab", "", NULL, 0},
    {"inline code not closed", "a <code>b", "a b", "", "b", "", NULL, 0},
    {"inline code in inline code", "<code>a<code>b</code>c</code>d", "abcd", "", "abc",
     "", NULL, 0},
    {"inline code closed twice", "<code>a</code>b</code>c", "abc", "", "a", "", NULL, 0},
    {"inline code around a block", "<code>a<pre>b</pre>c</code>d", "a\ncd", "b", "ac", "",
     "a\nb\ncd", 1},
    {"inline code up to a block", "<code>a<pre>b", "a\n", "b", "a", "", "a\nb", 1},
    {"link", "see <a href=\"http://x.org/?a=1&amp;b=2\" rel=\"nofollow\">this</a>.",
     "see this.", "", "", "http://x.org/?a=1&b=2", NULL, 0},
    {"two links", "<a href='u'>a</a><a title=t href=v>b</a>", "ab", "", "", "u\nv", NULL,
     0},
    {"the first href counts", "<a href=\"u\" href=\"v\">a</a> behind the link",
     "a behind the link", "", "", "u", NULL, 0},
    {"anchor without href", "<a>a</a><a name=\"x\">b</a><a href=\"\">c</a>", "abc", "",
     "", "", NULL, 0},
    {"link in a block", "<pre><a href=\"u\">a</a></pre>", "", "a", "", "u", "a\n", 1},
    {"link over a line end", "<a href=\"u\nv\">a</a>", "a", "", "", "uv", NULL, 0},
    {"area is no link", "<area href=\"u\">", "", "", "", "", NULL, 0},
    {"capitals", "A<P>b<PRE>C</PRE><CODE>d</CODE>", "A\nb\nd", "C", "d", "", "A\nb\nC\nd",
     1},
    {"closed at once", "a<br/>b<hr />c<img src=\"x\" alt=\"y\"/>d", "a\nb\ncd", "", "",
     "", NULL, 0},
    {"references", "&lt;p&gt; &amp; &quot;&#39;&apos; &eacute;&#233;&#xE9;",
     "<p> & \"'' \xC3\xA9\xC3\xA9\xC3\xA9", "", "", "", NULL, 0},
    {"references once only", "&amp;lt; &amp;amp;", "&lt; &amp;", "", "", "", NULL, 0},
    {"references in a block", "<pre>a &lt; b &amp;&amp; c &gt; d</pre>", "",
     "a < b && c > d", "", "", "a < b && c > d\n", 1},
    {"unknown references", "&foo; &bar AT&T a&&b &; &#; &#x; &",
     "&foo; &bar AT&T a&&b &; &#; &#x; &", "", "", "", NULL, 0},
    {"numbers that are no characters", "&#0;&#xD800;&#x110000;&#99999999999;",
     BAD BAD BAD BAD, "", "", "", NULL, 0},
    {"reference that grows", "&nGt;&nLt;",
     "\xE2\x89\xAB\xE2\x83\x92\xE2\x89\xAA\xE2\x83\x92", "", "", "", NULL, 0},
    {"less than", "if a < b and c <= d or <3 then </3",
     "if a < b and c <= d or <3 then </3", "", "", "", NULL, 0},
    {"tag not closed", "a<p", "a<p", "", "", "", NULL, 0},
    {"tag not closed before a tag", "a<p b<em>c</em>", "a<p bc", "", "", "", NULL, 0},
    {"quote not closed", "a<a href=\"u>b</a>", "a<a href=\"u>b", "", "", "", NULL, 0},
    {"> in quotes", "a<p title=\"x>y\" alt='>'>b", "a\nb", "", "", "", NULL, 0},
    {"mail address", "<me@x.org> wrote", "<me@x.org> wrote", "", "", "", NULL, 0},
    {"comment", "a<!-- language: lang-py -->b", "ab", "", "", "", NULL, 0},
    {"comment in a block", "<pre>a<!-- </pre> -->b</pre>c", "c", "ab", "", "", "ab\nc",
     1},
    {"comment not closed", "a<!-- <b>c</b>", "a<!-- c", "", "", "", NULL, 0},
    {"nesting that is wrong", "<p>a<em>b</p>c</em><li>d</ul>e", "ab\nc\nd\ne", "", "", "",
     NULL, 0},
    {"tags at the very end", "<p>a</p></div>", "a\n", "", "", "", NULL, 0},
    {"delete stays",
     "a\x7F"
     "b",
     "a\x7F"
     "b",
     "", "", "", NULL, 0},
    {"bad UTF-8", "caf\xE9<b>\xC3</b>\xA9", "caf" BAD BAD BAD, "", "", "", NULL, 0},
    {"UTF-8", "<p>gr\xC3\xBC\xC3\x9F \xE4\xB8\xAD\xE6\x96\x87 \xF0\x9F\x99\x82</p>",
     "gr\xC3\xBC\xC3\x9F \xE4\xB8\xAD\xE6\x96\x87 \xF0\x9F\x99\x82\n", "", "", "", NULL,
     0},
    {"longer than any step",
     "<p>0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 "
     "0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789</p>",
     "0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 "
     "0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789\n",
     "", "", "", NULL, 0},
};

/* What XML forbids, and what stands for it; html has no such rules. */
static const struct {
    const char *name, *text, *xml, *html;
} forbidden[] = {
    {"a control", "a\x01", "a" BAD, "a\x01"},
    {"a control as a number", "a&#x1F;b", "a" BAD "b",
     "a\x1F"
     "b"},
    {"an html name", "a&eacute;b", "a" BAD "b",
     "a\xC3\xA9"
     "b"},
    {"a '&' alone", "a & b", "a " BAD " b", "a & b"},
    {"nothing but '&'", "&&&&&&&&", BAD BAD BAD BAD BAD BAD BAD BAD, "&&&&&&&&"},
    {"U+FFFF", "a\xEF\xBF\xBF", "a" BAD, "a\xEF\xBF\xBF"},
    {"raw line ends are blanks", "a\r\nb\tc\n", "a b c ", "a\r\nb\tc\n"},
};

enum spelling { HTML, XML, NUMBERS };

static void spell(struct str html, enum spelling spelling, struct buf *out)
{
    buf_clear(out);
    for (size_t i = 0; i < html.len; i++) {
        if (spelling == NUMBERS && (signed char)html.ptr[i] > 0)
            buf_add_format(out, i % 2 == 0 ? "&#x%X;" : "&#%d;", html.ptr[i]);
        else if (spelling == HTML || (signed char)html.ptr[i] <= 0)
            buf_add_char(out, html.ptr[i]);
        else
            buf_add_xml(out, str_slice(html, i, i + 1));
    }
}

static void check_part(const struct buf *part, const char *want)
{
    CHECK(str_eq(buf_str(part), str_from(want)));
}

static void check_row(size_t i, enum spelling spelling, struct text_html_parts *parts)
{
    static const char *const names[] = {"html", "xml", "numbers"};
    struct str html = str_from(rows[i].html);
    const char *body = rows[i].body != NULL ? rows[i].body : rows[i].prose;
    struct buf text = {0};

    tap_case("%s: %s", names[spelling], rows[i].name);
    spell(html, spelling, &text);
    (spelling == HTML ? text_html_split : text_html_split_xml)(buf_str(&text),
                                                               TEXT_HTML_ALL, parts);
    check_part(&parts->prose, rows[i].prose);
    check_part(&parts->code, rows[i].code);
    check_part(&parts->inline_code, rows[i].inline_code);
    check_part(&parts->links, rows[i].links);
    check_part(&parts->body, body);
    CHECK(parts->code_count == rows[i].blocks);
    buf_free(&text);
}

static void check_counts(struct text_html_parts *parts)
{
    tap_case("blocks, inline codes and links are counted");
    text_html_split(
        STR("<pre>a</pre><code></code><code>b</code><a href=u>c</a><a href=v>d</a>"
            "<pre>e</pre><pre></pre>"),
        TEXT_HTML_ALL, parts);
    CHECK(parts->code_count == 3);
    CHECK(parts->inline_count == 2);
    CHECK(parts->link_count == 2);
    tap_case("blocks are counted whatever is wanted");
    text_html_split(STR("<pre>a</pre>b<pre>c</pre>"), 0, parts);
    CHECK(parts->code_count == 2);
    CHECK(parts->prose.len == 0 && parts->code.len == 0 && parts->body.len == 0);
    tap_case("what is not wanted is empty");
    text_html_split(STR("<pre>a</pre>b<a href=u>c</a>"), TEXT_HTML_PROSE, parts);
    check_part(&parts->prose, "bc");
    CHECK(parts->code.len == 0 && parts->links.len == 0 && parts->body.len == 0);
    CHECK(parts->link_count == 0);
    tap_case("NUL is replaced");
    text_html_split((struct str){"a\0b", 3}, TEXT_HTML_PROSE, parts);
    check_part(&parts->prose, "a" BAD "b");
}

/* A title goes before the prose, however that is put together. */
static void check_lead(struct text_html_parts *parts)
{
    static const struct {
        const char *html, *prose;
    } leads[] = {{"", "How?\n"},
                 {"<p>So.</p>", "How?\nSo.\n"},
                 {"So", "How?\nSo"},
                 {"<pre>x</pre>", "How?\n"},
                 {"<p>a</p><pre>x</pre>b", "How?\na\nb"}};

    tap_case("a lead stands before the prose");
    for (size_t i = 0; i < ROWS(leads); i++)
        for (unsigned more = 0; more <= TEXT_HTML_BODY; more += TEXT_HTML_BODY) {
            parts->lead = STR("How?");
            text_html_split(str_from(leads[i].html),
                            TEXT_HTML_PROSE | TEXT_HTML_CODE | more, parts);
            CHECK(str_eq(buf_str(&parts->prose), str_from(leads[i].prose)));
        }
    parts->lead = (struct str){0};
}

static void check_forbidden(struct text_html_parts *parts)
{
    for (size_t i = 0; i < ROWS(forbidden); i++) {
        tap_case("forbidden in XML: %s", forbidden[i].name);
        text_html_split_xml(str_from(forbidden[i].text), TEXT_HTML_ALL, parts);
        check_part(&parts->prose, forbidden[i].xml);
        text_html_split_xml(str_from(forbidden[i].text),
                            TEXT_HTML_PORTABLE | TEXT_HTML_ALL, parts);
        check_part(&parts->body, forbidden[i].xml);
        text_html_split(str_from(forbidden[i].text), TEXT_HTML_ALL, parts);
        check_part(&parts->prose, forbidden[i].html);
    }
}

static void test_html(void)
{
    struct text_html_parts parts = {0};

    for (size_t i = 0; i < ROWS(rows); i++)
        for (enum spelling spelling = HTML; spelling <= NUMBERS; spelling++)
            check_row(i, spelling, &parts);
    check_counts(&parts);
    check_lead(&parts);
    check_forbidden(&parts);
    tap_case("parts may be freed twice");
    text_html_parts_free(&parts);
    text_html_parts_free(&parts);
    CHECK(parts.prose.ptr == NULL);
}

/* The places of marked bytes: by hand, and both ways against a plain loop. */

static const struct {
    const char *name;
    struct str text;
    unsigned kinds;
    size_t count;
    size_t places[8]; /* the end, twice, not among them */
} mark_rows[] = {
    {"nothing", {"", 0}, 0, 0, {0}},
    {"one of each", {"a&b<c\"d", 7}, 0, 3, {1, 3, 5}},
    {"the other quote is not marked", {"'", 1}, 0, 0, {0}},
    {"all marked", {"&<\"&<\"", 6}, 0, 6, {0, 1, 2, 3, 4, 5}},
    {"NUL", {"a\0b", 3}, TEXT_MARK_ZERO | TEXT_MARK_CONTROL, 0, {0}},
    {"high byte", {"\xC3\xA9&", 3}, TEXT_MARK_HIGH, 1, {2}},
    {"a control, and DEL, which is none here",
     {"\x01\x7F", 2},
     TEXT_MARK_CONTROL,
     0,
     {0}},
    {"the least above controls, and the last of them",
     {" \x1F", 2},
     TEXT_MARK_CONTROL,
     0,
     {0}},
    {"a control in a block before",
     {"\n123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef <", 66},
     TEXT_MARK_CONTROL,
     1,
     {65}},
    {"last byte of a block, first of the next",
     {"0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcde&<", 65},
     0,
     2,
     {63, 64}},
};

typedef unsigned finder(struct str text, char third, struct buf *places);

static size_t at(const struct buf *places, size_t i)
{
    size_t place;

    memcpy(&place, places->ptr + i * sizeof place, sizeof place);
    return place;
}

static void check_rows(const char *way, finder *find)
{
    struct buf places = {0};

    for (size_t i = 0; i < ROWS(mark_rows); i++) {
        tap_case("%s: %s", way, mark_rows[i].name);
        CHECK(find(mark_rows[i].text, '"', &places) == mark_rows[i].kinds);
        if (!CHECK(places.len == (mark_rows[i].count + 2) * sizeof(size_t)))
            continue;
        for (size_t p = 0; p < mark_rows[i].count; p++)
            CHECK(at(&places, p) == mark_rows[i].places[p]);
        CHECK(at(&places, mark_rows[i].count) == mark_rows[i].text.len);
        CHECK(at(&places, mark_rows[i].count + 1) == mark_rows[i].text.len);
    }
    buf_free(&places);
}

/* Random bytes, of every length up to three blocks and at every offset to them. */
static void check_random(const char *way, finder *find)
{
    static const char some[] = "&<\"'>ax ;#\n";
    struct rng rng = rng_seeded(7);
    struct buf places = {0};
    char bytes[300];
    size_t wrong = 0;

    tap_case("%s: as a plain loop finds them", way);
    for (size_t len = 0; len < 200; len++) {
        for (size_t offset = 0; offset < 70; offset++) {
            size_t count = 0;
            unsigned kinds = 0;
            char third = some[rng_below(&rng, 8)];
            bool wild = rng_below(&rng, 2) == 0;
            for (size_t i = 0; i < len; i++) {
                char c = wild ? (char)rng_below(&rng, 256)
                              : some[rng_below(&rng, sizeof some - 1)];
                bytes[offset + i] = c;
                kinds |= (unsigned char)c >= 0x80 ? TEXT_MARK_HIGH : 0u;
                kinds |= (unsigned char)c < 0x20 ? TEXT_MARK_CONTROL : 0u;
                kinds |= c == 0 ? TEXT_MARK_ZERO : 0u;
            }
            wrong += find((struct str){bytes + offset, len}, third, &places) != kinds;
            for (size_t i = 0; i < len; i++) {
                char c = bytes[offset + i];
                if (c == '&' || c == '<' || c == third)
                    wrong += at(&places, count++) != i;
            }
            wrong += places.len != (count + 2) * sizeof(size_t);
            wrong += at(&places, count) != len || at(&places, count + 1) != len;
        }
    }
    CHECK(wrong == 0);
    buf_free(&places);
}

static void test_mark(void)
{
    check_rows("portable", text_mark_find_portable);
    check_random("portable", text_mark_find_portable);
    check_rows("dispatched", text_mark_find);
    check_random("dispatched", text_mark_find);
    if (text_mark_has_avx2()) {
        check_rows("avx2", text_mark_find_avx2);
        check_random("avx2", text_mark_find_avx2);
    } else {
        tap_case("avx2");
        tap_skip("this processor does not have it");
    }
}

int main(void)
{
    test_html();
    test_mark();
    return tap_done();
}
