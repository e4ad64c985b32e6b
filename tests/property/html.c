/* The fused pass over XML against a slow reference: decode the XML fully, then split the
 * html. On the posts of every dump at hand, on html put together at random and spelt in
 * every way that XML allows, on damaged bytes; and posts whose parts are known. */
#include "text/html.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/rng.h"
#include "tests/tap.h"
#include "text/utf8.h"

/* Reads "#123;" or "#x7B;"; false when it is none. */
static bool number_of(struct str s, uint32_t *code, size_t *len)
{
    struct str digits;
    double value = 0;
    int base = 10;

    if (!str_starts(s, STR("#")))
        return false;
    digits = str_slice(s, 1, s.len);
    if (!str_cut(&digits, ';', &s))
        return false;
    *len = s.len + 2;
    if (s.len > 0 && s.ptr[0] == 'x') {
        base = 16;
        s = str_slice(s, 1, s.len);
    }
    if (s.len == 0)
        return false;
    for (size_t i = 0; i < s.len; i++) {
        const char *all = "0123456789abcdef0123456789ABCDEF";
        const char *at = s.ptr[i] != 0 ? strchr(all, s.ptr[i]) : NULL;
        if (at == NULL || (at - all) % 16 >= base)
            return false;
        value = value * base + (double)((at - all) % 16);
    }
    *code = value > TEXT_UTF8_LAST ? TEXT_UTF8_LAST + 1 : (uint32_t)value;
    if ((*code < 0x20 && strchr("\t\n\r", (int)*code) == NULL) || *code == 0 ||
        *code == 0xFFFE || *code == 0xFFFF)
        *code = TEXT_UTF8_REPLACEMENT;
    return true;
}

/* What looks like a reference and is none of XML's: "nbsp;". */
static size_t other_reference(struct str s)
{
    size_t len = 0;

    while (len < s.len &&
           strchr("#0123456789abcdefghijklmnopqrstuvwxyz"
                  "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
                  s.ptr[len]) != NULL &&
           s.ptr[len] != 0)
        len++;
    return len > 0 && len < s.len && s.ptr[len] == ';' ? len + 1 : 0;
}

/* A character that stands as itself; how many bytes. */
static size_t add_itself(struct str rest, struct buf *html)
{
    uint32_t code;
    size_t len = text_utf8_read(rest, 0, &code);

    if (str_starts(rest, STR("\r\n")))
        len = 2;
    if (code == '\t' || code == '\n' || code == '\r')
        code = ' ';
    if (code < 0x20 || code == 0xFFFE || code == 0xFFFF)
        code = TEXT_UTF8_REPLACEMENT;
    html->len += text_utf8_write(code, buf_reserve(html, 4));
    return len;
}

static void decode_xml(struct str xml, struct buf *html)
{
    static const struct {
        struct str form;
        char c;
    } names[] = {{{"lt;", 3}, '<'},
                 {{"gt;", 3}, '>'},
                 {{"amp;", 4}, '&'},
                 {{"quot;", 5}, '"'},
                 {{"apos;", 5}, '\''}};

    buf_clear(html);
    for (size_t i = 0; i < xml.len; i++) {
        struct str rest = str_slice(xml, i + 1, xml.len);
        uint32_t code;
        size_t len, name = 0;
        while (name < ROWS(names) && !str_starts(rest, names[name].form))
            name++;
        if (xml.ptr[i] != '&') {
            i += add_itself(str_slice(xml, i, xml.len), html) - 1;
        } else if (name < ROWS(names)) {
            buf_add_char(html, names[name].c);
            i += names[name].form.len;
        } else if (number_of(rest, &code, &len)) {
            html->len += text_utf8_write(code, buf_reserve(html, 4));
            i += len;
        } else {
            buf_add(html, STR("\xEF\xBF\xBD"));
            i += other_reference(rest);
        }
    }
}

static bool same(const struct buf *a, const struct buf *b)
{
    return str_eq(buf_str(a), buf_str(b));
}

static bool same_parts(const struct text_html_parts *a, const struct text_html_parts *b,
                       unsigned want)
{
    return ((want & TEXT_HTML_PROSE) == 0 || same(&a->prose, &b->prose)) &&
           ((want & TEXT_HTML_CODE) == 0 || same(&a->code, &b->code)) &&
           ((want & TEXT_HTML_BODY) == 0 || same(&a->body, &b->body)) &&
           ((want & TEXT_HTML_INLINE) == 0 || (same(&a->inline_code, &b->inline_code) &&
                                               a->inline_count == b->inline_count)) &&
           ((want & TEXT_HTML_LINKS) == 0 ||
            (same(&a->links, &b->links) && a->link_count == b->link_count)) &&
           a->code_count == b->code_count;
}

struct work {
    struct text_html_parts fused, reference;
    struct buf html, xml, text;
    unsigned round;
    size_t wrong, count;
};

/* Counts what does not hold for one value of an XML attribute, and shows the first. */
static void check_value(struct work *work, struct str xml)
{
    unsigned want = work->round++ % (TEXT_HTML_ALL + 1);
    bool right;

    decode_xml(xml, &work->html);
    text_html_split(buf_str(&work->html), TEXT_HTML_ALL, &work->reference);
    text_html_split_xml(xml, TEXT_HTML_ALL, &work->fused);
    right = same_parts(&work->fused, &work->reference, TEXT_HTML_ALL);
    text_html_split_xml(xml, TEXT_HTML_PORTABLE | TEXT_HTML_ALL, &work->fused);
    right &= same_parts(&work->fused, &work->reference, TEXT_HTML_ALL);
    text_html_split_xml(xml, want, &work->fused);
    right &= same_parts(&work->fused, &work->reference, want);
    text_html_split(buf_str(&work->html), TEXT_HTML_PORTABLE | want, &work->fused);
    right &= same_parts(&work->fused, &work->reference, want);
    right &= text_utf8_valid(buf_str(&work->reference.body)) &&
             text_utf8_valid(buf_str(&work->reference.links));
    if (!right && work->wrong++ == 0)
        printf("# wanting %u, not as the reference: %.*s\n", want, STR_ARG(xml));
    work->count++;
}

static void work_free(struct work *work)
{
    text_html_parts_free(&work->fused);
    text_html_parts_free(&work->reference);
    buf_free(&work->html);
    buf_free(&work->xml);
    buf_free(&work->text);
}

/* Every Body="..." of a dump. */
static void check_dump(const char *path)
{
    struct arena arena = {0};
    struct work work = {0};
    struct err err = {0};
    struct str rest, value;

    if (!CHECK(file_read(path, &arena, &rest, &err)))
        return;
    for (; rest.len > 0; rest = str_slice(rest, 1, rest.len)) {
        const char *next = memchr(rest.ptr, 'B', rest.len);
        if (next == NULL)
            break;
        rest = str_slice(rest, (size_t)(next - rest.ptr), rest.len);
        if (!str_starts(rest, STR("Body=\"")))
            continue;
        rest = str_slice(rest, sizeof "Body=\"" - 1, rest.len);
        str_cut(&rest, '"', &value);
        check_value(&work, value);
    }
    CHECK(work.count > 0);
    CHECK(work.wrong == 0);
    work_free(&work);
    arena_free(&arena);
}

static void check_dumps(void)
{
    const char *data = getenv("ASSAY_DATA");
    char pattern[4096];
    glob_t found;

    if (data == NULL || data[0] == '\0') {
        tap_case("real posts: the fused pass is as the reference");
        tap_skip("ASSAY_DATA is not set");
        return;
    }
    snprintf(pattern, sizeof pattern, "%s/dumps/*/[Pp]osts*.xml", data);
    if (glob(pattern, 0, NULL, &found) != 0) {
        tap_case("real posts: the fused pass is as the reference");
        tap_skip("there are no dumps in ASSAY_DATA");
        return;
    }
    for (size_t i = 0; i < found.gl_pathc; i++) {
        tap_case("real posts, %s: as the reference", found.gl_pathv[i] + strlen(data));
        check_dump(found.gl_pathv[i]);
    }
    globfree(&found);
}

static const char *const pieces[] = {
    "<p>",
    "</p>",
    "<pre>",
    "</pre>",
    "<pre class=\"lang-py\">",
    "<code>",
    "</code>",
    "<em>",
    "</em>",
    "<a href=\"http://x.org/?a=1&amp;b=2\">",
    "<a href='u' title=\"a>b\" >",
    "<a href=u>",
    "</a>",
    "<br>",
    "<br/>",
    "<li>",
    "<blockquote>",
    "</blockquote>",
    "<img src=\"a\" alt=\"b\">",
    "<!-- c -->",
    "<!--",
    "-->",
    "<!DOCTYPE html>",
    "<hr />",
    "<a rel=\"nofollow\" href=\"x&quot;y\">",
    "<P CLASS=x>",
    "<b\n>",
    "<",
    ">",
    "\"",
    "'",
    "&",
    ";",
    "#",
    "=",
    " ",
    "\n",
    "&lt;",
    "&gt;",
    "&amp;",
    "&quot;",
    "&#39;",
    "&#xA;",
    "&nbsp;",
    "&eacute;",
    "&nGt;",
    "&foo;",
    "&#0;",
    "&#x110000;",
    "&#128579;",
    "&#",
    "&#x",
    "&am",
    "lt;",
    "some words of prose, ",
    "and more",
    "x",
    "if a < b: return",
    "1",
    "caf\xC3\xA9",
    "\xE4\xB8\xAD",
    "\xF0\x9F\x99\x82",
    "\xC3",
    "\xA9",
    "\xFF",
    "\x01",
    "sixty-four bytes of text or more, so that a run takes several steps to be copied ",
};

static const char *piece(struct rng *rng)
{
    return pieces[rng_below(rng, ROWS(pieces))];
}

/* Spells html as XML: each character in one of the ways that XML has for it. */
static void spell(struct rng *rng, struct str html, struct buf *xml)
{
    static const char *const forms[] = {"&#%u;", "&#x%X;", "&#x%x;", "&#0%u;",
                                        "&#x000%X;"};
    uint64_t odd = rng_below(rng, 3) == 0 ? 2 : rng_below(rng, 2) == 0 ? 20 : 1000;

    buf_clear(xml);
    for (size_t i = 0; i < html.len; i++) {
        unsigned char c = (unsigned char)html.ptr[i];
        if (c < 0x80 && c != 0 && rng_below(rng, odd) == 0)
            buf_add_format(xml, forms[rng_below(rng, ROWS(forms))], (unsigned)c);
        else if (rng_below(rng, 50) == 0)
            buf_add_char(xml, html.ptr[i]); /* bare, right or not */
        else
            buf_add_xml(xml, str_slice(html, i, i + 1));
    }
}

static void damage(struct rng *rng, struct buf *text)
{
    static const char some[] = "&<>\"';#x/=!- \0\xC3";

    for (uint64_t times = rng_below(rng, 4); times > 0 && text->len > 0; times--) {
        size_t at = (size_t)rng_below(rng, text->len);
        if (rng_below(rng, 3) == 0)
            text->len = at;
        else if (rng_below(rng, 2) == 0)
            text->ptr[at] = some[rng_below(rng, sizeof some - 1)];
        else
            text->ptr[at] = (char)rng_below(rng, 256);
    }
}

static void check_random(void)
{
    struct work work = {0};
    struct rng rng = rng_seeded(20190605);

    tap_case("random html in every spelling: the fused pass is as the reference");
    for (int round = 0; round < 20000; round++) {
        buf_clear(&work.text);
        for (uint64_t count = rng_below(&rng, 40); count > 0; count--)
            buf_add(&work.text, str_from(piece(&rng)));
        spell(&rng, buf_str(&work.text), &work.xml);
        damage(&rng, &work.xml);
        /* In memory of just its size, so that a look beyond it is seen. */
        struct buf exact = {0};
        if (work.xml.len > 0) {
            exact.ptr = malloc(work.xml.len);
            memcpy(exact.ptr, work.xml.ptr, work.xml.len);
            exact.len = work.xml.len;
        }
        check_value(&work, buf_str(&exact));
        buf_free(&exact);
    }
    CHECK(work.wrong == 0);
    work_free(&work);
}

/* A post is written together with what its parts must be. */
struct known {
    struct buf html, prose, code, inline_code, links;
    size_t blocks;
};

static void begin_line(struct buf *buf)
{
    if (buf->len > 0 && buf->ptr[buf->len - 1] != '\n')
        buf_add_char(buf, '\n');
}

static void add_words(struct rng *rng, struct buf *html, struct buf *one, struct buf *two)
{
    static const struct {
        const char *html, *text;
    } words[] = {{"word", "word"},
                 {" ", " "},
                 {"a &lt; b", "a < b"},
                 {"&amp;", "&"},
                 {"AT&T", "AT&T"},
                 {"\n", "\n"},
                 {"\"it's\"", "\"it's\""},
                 {"&uuml;&#252;\xC3\xBC", "\xC3\xBC\xC3\xBC\xC3\xBC"},
                 {"1 < 2", "1 < 2"},
                 {"<!-- no text -->", ""},
                 {"<strong>fat</strong>", "fat"}};

    for (uint64_t count = rng_below(rng, 6); count > 0; count--) {
        size_t i = (size_t)rng_below(rng, ROWS(words));
        buf_add(html, str_from(words[i].html));
        buf_add(one, str_from(words[i].text));
        if (two != NULL)
            buf_add(two, str_from(words[i].text));
    }
}

static void add_element(struct rng *rng, struct known *known)
{
    switch (rng_below(rng, 5)) {
    case 0:
        buf_add(&known->html, STR("<p>"));
        begin_line(&known->prose);
        add_words(rng, &known->html, &known->prose, NULL);
        buf_add(&known->html, STR("</p>"));
        begin_line(&known->prose);
        break;
    case 1:
        buf_add(&known->html,
                rng_below(rng, 2) == 0 ? STR("<pre><code>") : STR("<pre class=\"a\">"));
        begin_line(&known->prose);
        begin_line(&known->code);
        add_words(rng, &known->html, &known->code, NULL);
        buf_add(&known->html, STR("</code></pre>"));
        known->blocks++;
        break;
    case 2:
        buf_add(&known->html, STR("<code>"));
        begin_line(&known->inline_code);
        add_words(rng, &known->html, &known->prose, &known->inline_code);
        buf_add(&known->html, STR("</code>"));
        break;
    case 3:
        begin_line(&known->links);
        buf_add_format(&known->html, "<a rel=\"x\" href=\"http://x.org/?i=%d&amp;j\">",
                       (int)rng_below(rng, 1000));
        struct str tag = buf_str(&known->html), rest = str_slice(tag, 0, tag.len);
        size_t at = tag.len;
        while (!str_starts(str_slice(rest, at, rest.len), STR("http")))
            at--;
        buf_add(&known->links, str_slice(tag, at, tag.len - sizeof "&amp;j\">" + 1));
        buf_add(&known->links, STR("&j"));
        add_words(rng, &known->html, &known->prose, NULL);
        buf_add(&known->html, STR("</a>"));
        break;
    default:
        add_words(rng, &known->html, &known->prose, NULL);
    }
}

static void check_known(void)
{
    struct known known = {0};
    struct buf *const all[] = {&known.html, &known.prose, &known.code, &known.inline_code,
                               &known.links};
    struct text_html_parts parts = {0};
    struct buf xml = {0};
    struct rng rng = rng_seeded(42);
    size_t wrong = 0;

    tap_case("posts whose parts are known come apart into them");
    for (int round = 0; round < 5000; round++) {
        for (size_t i = 0; i < ROWS(all); i++)
            buf_clear(all[i]);
        known.blocks = 0;
        for (uint64_t count = rng_below(&rng, 12); count > 0; count--)
            add_element(&rng, &known);
        buf_clear(&xml);
        buf_add_xml(&xml, buf_str(&known.html));
        for (int way = 0; way < 2; way++) {
            if (way == 0)
                text_html_split(buf_str(&known.html), TEXT_HTML_ALL, &parts);
            else
                text_html_split_xml(buf_str(&xml), TEXT_HTML_ALL, &parts);
            wrong +=
                !same(&parts.prose, &known.prose) || !same(&parts.code, &known.code) ||
                !same(&parts.inline_code, &known.inline_code) ||
                !same(&parts.links, &known.links) || parts.code_count != known.blocks;
        }
    }
    CHECK(wrong == 0);
    for (size_t i = 0; i < ROWS(all); i++)
        buf_free(all[i]);
    buf_free(&xml);
    text_html_parts_free(&parts);
}

/* The forms that grow most, in texts around the sizes by which buffers grow. */
static void check_room(void)
{
    static const char *const units[] = {"&nGt;", "&amp;nLt;", "&#0;", "<p>", "\xFF", "a"};
    size_t wrong = 0;

    tap_case("there is room for what grows");
    for (size_t size = 1; size<3000; size += size % 256> 250 || size < 20 ? 1 : 5) {
        for (size_t i = 0; i < ROWS(units); i++) {
            struct text_html_parts parts = {0};
            struct buf text = {0};
            while (text.len < size)
                buf_add(&text, str_from(units[i]));
            text_html_split_xml(buf_str(&text), TEXT_HTML_ALL, &parts);
            wrong += !text_utf8_valid(buf_str(&parts.prose));
            buf_free(&text);
            text_html_parts_free(&parts);
        }
    }
    CHECK(wrong == 0);
}

/* Texts that would take hours if any look ahead were repeated. */
static void check_time(void)
{
    static const char *const units[] = {
        "<a ",
        "<a b=\"<a b='",
        "<a b='<a' ",
        "<!--",
        "<!",
        "<!a",
        "</",
        "&",
        "&#0",
        "&#",
        "&amp;",
        "&amp;#",
        "<pre>",
        "<code>",
        "<pre><code>",
        "&lt;",
        "&lt;a b=&quot;",
        "&lt;a b='&lt;a' ",
        "&lt;!--",
        "&#00000000",
        "\xC3",
        "<a b=\"",
        "<a b=c ",
    };
    struct text_html_parts parts = {0};
    struct buf text = {0};

    for (size_t i = 0; i < ROWS(units); i++) {
        tap_case("a million bytes of '%s' take no time", units[i]);
        buf_clear(&text);
        while (text.len < 1000000)
            buf_add(&text, str_from(units[i]));
        text_html_split_xml(buf_str(&text), TEXT_HTML_ALL, &parts);
        text_html_split(buf_str(&text), TEXT_HTML_ALL, &parts);
        CHECK(text_utf8_valid(buf_str(&parts.body)));
    }
    buf_free(&text);
    text_html_parts_free(&parts);
}

int main(void)
{
    check_dumps();
    check_random();
    check_known();
    check_room();
    check_time();
    return tap_done();
}
