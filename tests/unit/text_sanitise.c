/* Post html made harmless: what is kept, what becomes of the rest, and a corpus of ways
 * to run script, load something, post a form or cover the page. */
#include "text/sanitise.h"

#include <stdlib.h>
#include <string.h>

#include "tests/tap.h"

#define REST          " rel=\"noopener noreferrer nofollow\" target=\"_blank\">"
#define LINK(address) "<a href=\"" address "\"" REST

#define IMAGE(address) TEXT_SANITISE_IMAGE "href=\"" address "\"" REST

static void check(const char *html, const char *want)
{
    struct buf once = {0}, twice = {0};

    text_sanitise_html(str_from(html), &once);
    text_sanitise_html(buf_str(&once), &twice);
    buf_add_char(&once, '\0');
    buf_add_char(&twice, '\0');
    CHECK_TEXT(once.ptr, want);
    CHECK_TEXT(twice.ptr, want);
    buf_free(&once);
    buf_free(&twice);
}

static void test_kept(void)
{
    static const struct {
        const char *name, *html, *want;
    } rows[] = {
        {"nothing", "", ""},
        {"text", "a < b && c > \"d\"", "a &lt; b &amp;&amp; c &gt; &quot;d&quot;"},
        {"paragraph", "<p>one</p>\n<p>two</p>", "<p>one</p>\n<p>two</p>"},
        {"code keeps its lines",
         "<pre class=\"x\"><code>if (a &lt; b)\n\tc;</code></pre>",
         "<pre><code>if (a &lt; b)\n\tc;</code></pre>"},
        {"code of a language",
         "<pre class=\"lang-Py prettyprint-override\"><code>a</code></pre>",
         "<pre class=\"lang-py\"><code>a</code></pre>"},
        {"language of a fence", "<pre><code class=language-c++>a</code></pre>",
         "<pre><code class=\"lang-c++\">a</code></pre>"},
        {"language by attribute", "<pre lang=\"rust\"><code>a</code></pre>",
         "<pre class=\"lang-rust\"><code>a</code></pre>"},
        {"language by a comment, once",
         "<!-- language: lang-js -->\n<pre><code>a</code></pre><pre>b</pre>",
         "\n<pre class=\"lang-js\"><code>a</code></pre><pre>b</pre>"},
        {"no language but a name", "<pre class='lang-\"><script>'>a</pre>",
         "<pre>a</pre>"},
        {"a language without end", "<!-- language:", "&lt;!-- language:"},
        {"capitals", "<P>a<BR/>b</P>", "<p>a<br>b</p>"},
        {"bold and italic", "<b>a</b><i>b</i>", "<strong>a</strong><em>b</em>"},
        {"small headings", "<h5>a</h5>", "<h3>a</h3>"},
        {"list without ends", "<ul><li>a<li>b</ul>", "<ul><li>a</li><li>b</li></ul>"},
        {"list in a list", "<ul><li>a<ul><li>b</ul><li>c</ul>",
         "<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>"},
        {"an item ends the paragraph and the item before it", "<li><p>a<li>b",
         "<li><p>a</p></li><li>b</li>"},
        {"paragraphs without ends", "<p>a<p>b", "<p>a</p><p>b</p>"},
        {"a list ends a paragraph", "<p>a<em>b<ul><li>c</ul>",
         "<p>a<em>b</em></p><ul><li>c</li></ul>"},
        {"a quote may hold paragraphs", "<blockquote><p>a</p></blockquote>",
         "<blockquote><p>a</p></blockquote>"},
        {"table", "<table><tr><th>a<td>b</table>",
         "<table><tr><th>a<td>b</td></th></tr></table>"},
        {"ends in the wrong order", "<em><strong>a</em>b</strong>",
         "<em><strong>a</strong></em>b"},
        {"end without beginning", "a</p></div></ul>b", "ab"},
        {"an item does not end the list around it", "<ul><li><ol></li>a</ol></ul>",
         "<ul><li><ol>a</ol></li></ul>"},
        {"link", "<a href='http://a.b/?c=1&amp;d' title=x>y</a>",
         LINK("http://a.b/?c=1&amp;d") "y</a>"},
        {"link without quotes", "<a href=https://a.b>y</a>", LINK("https://a.b") "y</a>"},
        {"link to mail", "<a href='mailto:a@b.c'>y</a>", LINK("mailto:a@b.c") "y</a>"},
        {"link without scheme", "<a href='//a.b/c'>y</a>", LINK("https://a.b/c") "y</a>"},
        {"link in the site", "<a href='/q/1'>y</a>", "y"},
        {"link in a link", "<a href='http://a'>b<a href='http://c'>d</a>",
         LINK("http://a") "bd</a>"},
        {"image", "<img src=\"https://i.example/a.png\" alt=\"a &lt;plot&gt;\">",
         IMAGE("https://i.example/a.png") "[image: a &lt;plot&gt;]</a>"},
        {"image in a link", "<a href='http://a'><img src='http://b'></a>",
         TEXT_SANITISE_IMAGE "data-image=\"http://b\" href=\"http://a\"" REST
                             "[image]</a>"},
        {"image in a link to itself, as Stack Exchange has them",
         "<a href='//a/b.png' rel=nofollow>see <img src='https://a/b.png' alt=c></a>",
         IMAGE("https://a/b.png") "see [image: c]</a>"},
        {"a link of two images",
         "<a href=http://a><img src=http://b><img src=http://a></a>",
         TEXT_SANITISE_IMAGE "data-image=\"http://b\" href=\"http://a\"" REST
                             "[image][image]</a>"},
        {"image of data in a link", "<a href=http://a><img src=data:,x></a>",
         LINK("http://a") "[image]</a>"},
        {"a class that is not ours to give",
         "<a class=image data-image=javascript:a href=http://a>b</a>",
         IMAGE("http://a") "b</a>"},
        {"image of data", "<img src='data:image/svg+xml,<svg onload=alert(1)>'>",
         "[image]"},
        {"unknown elements leave their text", "<div><blink>a</blink></div>", "a"},
        {"comments", "a<!-- <p> -->b<!doctype html>c", "abc"},
        {"references", "&eacute;&#233;&#x1F600;&nosuch;&lt;p&gt;",
         "\xc3\xa9\xc3\xa9\xf0\x9f\x98\x80&amp;nosuch;&lt;p&gt;"},
        {"bytes that are no characters", "a\xff\xc3", "a\xef\xbf\xbd\xef\xbf\xbd"},
        {"what is not closed", "<blockquote><p><strong>a",
         "<blockquote><p><strong>a</strong></p></blockquote>"},
    };

    for (size_t i = 0; i < ROWS(rows); i++) {
        tap_case("kept: %s", rows[i].name);
        check(rows[i].html, rows[i].want);
    }
}

static void test_attacks(void)
{
    static const struct {
        const char *html, *want;
    } rows[] = {
        {"<script>alert(1)</script>", ""},
        {"<SCRIPT SRC=//evil.example/x.js></SCRIPT>", ""},
        {"<script>alert(1)", "alert(1)"},
        {"<scr<script>ipt>alert(1)</script>", "&lt;scr"},
        {"<svg/onload=alert(1)>", ""},
        {"<svg><script>alert(1)</script></svg>", ""},
        {"<math><mi xlink:href='javascript:alert(1)'>a</mi></math>", "a"},
        {"<img src=x onerror=alert(1)>", "[image]"},
        {"<img src=http://a onerror=alert(1)>", IMAGE("http://a") "[image]</a>"},
        {"<IMG \"\"\"><SCRIPT>alert(1)</SCRIPT>\">",
         "&lt;IMG &quot;&quot;&quot;&gt;&quot;&gt;"},
        {"<p onclick=alert(1) style='position:fixed;inset:0'>a</p>", "<p>a</p>"},
        {"<p id=app class=shown>a</p>", "<p>a</p>"},
        {"<a href='javascript:alert(1)'>a</a>", "a"},
        {"<a href=' JaVaScRiPt:alert(1)'>a</a>", "a"},
        {"<a href='java&#10;script:alert(1)'>a</a>", "a"},
        {"<a href='java&Tab;script&colon;alert(1)'>a</a>", "a"},
        {"<a href='&#1;javascript:alert(1)'>a</a>", "a"},
        {"<a href='&#x6A;avascript:alert(1)'>a</a>", "a"},
        {"<a href='vbscript:x'>a</a>", "a"},
        {"<a href='data:text/html,<script>alert(1)</script>'>a</a>", "a"},
        {"<a href='file:///etc/passwd'>a</a>", "a"},
        {"<a href='http://a\" onclick=\"alert(1)'>b</a>",
         LINK("http://a&quot; onclick=&quot;alert(1)") "b</a>"},
        {"<a href=\"http://a\" href=\"javascript:alert(1)\">b</a>",
         LINK("http://a") "b</a>"},
        {"<a href=`http://a` onmouseover=alert(1)>b</a>", "b"},
        {"<a target=_self rel=opener href=http://a>b</a>", LINK("http://a") "b</a>"},
        {"<iframe src=//evil.example></iframe>", ""},
        {"<iframe srcdoc='<script>alert(1)</script>'>a</iframe>b", "b"},
        {"<object data=x.swf><embed src=x.swf></object>", ""},
        {"<form action=/api/x method=post><input name=a><button>b</button></form>", "b"},
        {"<base href=//evil.example><link rel=stylesheet href=//evil.example>", ""},
        {"<meta http-equiv=refresh content='0;url=//evil.example'>", ""},
        {"<style>*{display:none}</style>a", "a"},
        {"<style>@import '//evil.example'</style >a", "a"},
        {"<video><source onerror=alert(1)></video><audio src=x onerror=alert(1)>", ""},
        {"<details open ontoggle=alert(1)>a</details>", "a"},
        {"<textarea><img src=x onerror=alert(1)></textarea>", ""},
        {"<noscript><p title='</noscript><img src=x onerror=alert(1)>'></noscript>",
         "<p></p>"},
        {"<xmp><p title='</xmp><img src=x onerror=alert(1)>'>", "[image]'&gt;"},
        {"<!--><img src=x onerror=alert(1)>-->", "[image]--&gt;"},
        {"<!--a--!><img src=x onerror=alert(1)>", "&lt;!--a--!&gt;[image]"},
        {"<![CDATA[<img src=x onerror=alert(1)>]]>", "&lt;![CDATA[[image]]]&gt;"},
        {"<?xml version='1.0'?><p>a</p>", "<p>a</p>"},
        {"<p/onclick=alert(1)/>a", "<p>a</p>"},
        {"<p\fonclick=alert(1)>a", "<p>a</p>"},
        {"<\x01script>alert(1)</script>", "&lt;\x01script&gt;alert(1)"},
        {"&lt;script&gt;alert(1)&lt;/script&gt;",
         "&lt;script&gt;alert(1)&lt;/script&gt;"},
        {"&amp;lt;script>", "&amp;lt;script&gt;"},
        {"<template><script>alert(1)</script></template>", ""},
        {"<select><option>a</select><dialog open>b</dialog>", "ab"},
        {"</div></main></body></html><h1>a</h1>", "<h1>a</h1>"},
        {"<table><td><form><input></table>", "<table><td></td></table>"},
        {"<a href=\"http://a", "&lt;a href=&quot;http://a"},
        {"<img alt=\"--><script>alert(1)</script>\" src=x>",
         "[image: --&gt;&lt;script&gt;alert(1)&lt;/script&gt;]"},
    };

    for (size_t i = 0; i < ROWS(rows); i++) {
        tap_case("attack: %s", rows[i].html);
        check(rows[i].html, rows[i].want);
    }
}

static void test_depth(void)
{
    struct buf html = {0}, out = {0};
    size_t depth = 0, deepest = 0;

    tap_case("a thousand quotes inside one another are cut to what is allowed");
    for (int i = 0; i < 1000; i++)
        buf_add(&html, STR("<blockquote>"));
    buf_add(&html, STR("end"));
    text_sanitise_html(buf_str(&html), &out);
    for (size_t i = 0; i + 1 < out.len; i++) {
        if (out.ptr[i] != '<')
            continue;
        depth += out.ptr[i + 1] == '/' ? (size_t)-1 : 1;
        deepest = depth > deepest ? depth : deepest;
    }
    CHECK(deepest == TEXT_SANITISE_DEPTH_MAX);
    CHECK(depth == 0);
    buf_free(&html);
    buf_free(&out);
}

/* A hostile post must not take more than its share of time. */
static void test_unclosed(void)
{
    struct buf html = {0}, out = {0};

    tap_case("a megabyte of elements that never end takes no time");
    while (html.len < 1000000)
        buf_add(&html, STR("<script></ script><a href=\"<p <!--"));
    text_sanitise_html(buf_str(&html), &out);
    CHECK(out.len > 0);
    buf_free(&html);
    buf_free(&out);
}

int main(void)
{
    test_kept();
    test_attacks();
    test_depth();
    test_unclosed();
    return tap_done();
}
