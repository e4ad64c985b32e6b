/* Patches part by part, as html and as json: what git writes, and what nobody should. */
#include "text/diff.h"

#include <stdlib.h>

#include "tests/tap.h"
#include "text/utf8.h"

#define HEAD(path) \
    "diff --git a/" path " b/" path "\nindex 1..2 100644\n--- a/" path "\n+++ b/" path \
    "\n"

/* Parts as "F path<old status", "H 1 2 heading", "+ 1 2 text", "N text". */
static const struct {
    const char *name, *patch, *parts;
} rows[] = {
    {"nothing", "", ""},
    {"a line changed", HEAD("a.py") "@@ -1,2 +1,2 @@ def f\n x\n-y\n+z\n",
     "F a.py<a.py changed\nH 1 1 def f\n  1 1 x\n- 2 2 y\n+ 3 2 z\n"},
    {"numbers go on", HEAD("a") "@@ -10 +20,2 @@\n-a\n+b\n+c\n@@ -15,0 +30 @@\n+d\n",
     "F a<a changed\nH 10 20 \n- 10 20 a\n+ 11 20 b\n+ 11 21 c\nH 15 30 \n+ 15 30 d\n"},
    {"lines that look like headings",
     HEAD("a") "@@ -1,3 +1,3 @@\n--- a/x\n+++ b/x\n-diff --git\n+@@ -1 +1 @@\n"
               " diff --git a/x b/x\n",
     "F a<a changed\nH 1 1 \n- 1 1 -- a/x\n+ 2 1 ++ b/x\n- 2 2 diff --git\n+ 3 2 @@ -1 "
     "+1 @@\n  3 3 diff --git a/x b/x\n"},
    {"a new file",
     "diff --git a/n b/n\nnew file mode 100644\n--- /dev/null\n+++ b/n\n"
     "@@ -0,0 +1 @@\n+x\n\\ No newline at end of file\n",
     "F n<n added\nH 0 1 \n+ 0 1 x\nN \\ No newline at end of file\n"},
    {"a file that went",
     "diff --git a/n b/n\ndeleted file mode 100644\n--- a/n\n"
     "+++ /dev/null\n@@ -1 +0,0 @@\n-x\n",
     "F n<n deleted\nH 1 0 \n- 1 0 x\n"},
    {"renamed, with blanks",
     "diff --git a/old name b/new name\nsimilarity index 90%\nrename from old name\n"
     "rename to new name\n--- a/old name\t\n+++ b/new name\t\n@@ -1 +1 @@\n-a\n+b\n",
     "F new name<old name renamed\nH 1 1 \n- 1 1 a\n+ 2 1 b\n"},
    {"renamed alone",
     "diff --git a/x b/y\nsimilarity index 100%\nrename from x\nrename to y\n",
     "F y<x renamed\n"},
    {"binary",
     "diff --git a/p.png b/p.png\nindex 1..2 100644\nBinary files a/p.png and b/p.png "
     "differ\n" HEAD("q") "@@ -1 +1 @@\n-a\n+b\n",
     "F p.png<p.png changed binary\nF q<q changed\nH 1 1 \n- 1 1 a\n+ 2 1 b\n"},
    {"only its mode", "diff --git a/a b c b/a b c\nold mode 100644\nnew mode 100755\n",
     "F a b c<a b c changed\n"},
    {"a quoted path",
     "diff --git \"a/\\303\\244\\t\\\"\" \"b/\\303\\244\\t\\\"\"\nindex 1..2\n"
     "--- \"a/\\303\\244\\t\\\"\"\n+++ \"b/\\303\\244\\t\\\"\"\n@@ -1 +1 @@\n-a\n+b\n",
     "F \303\244\t\"<\303\244\t\" changed\nH 1 1 \n- 1 1 a\n+ 2 1 b\n"},
    {"a quoted path without lines", "diff --git \"a/\\001\" \"b/\\001\"\nold mode 1\n",
     "F \001<\001 changed\n"},
    {"without git's heading", "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n",
     "F x<x changed\nH 1 1 \n- 1 1 a\n+ 2 1 b\n"},
    {"no patch at all", "a\n--- b\nc", "N a\nN --- b\nN c\n"},
    {"cut in a hunk", HEAD("a") "@@ -1,9 +1,9 @@\n x\n+y",
     "F a<a changed\nH 1 1 \n  1 1 x\n+ 2 2 y\n"},
    {"a hunk that the next file ends",
     HEAD("a") "@@ -1,9 +1,9 @@\n x\n" HEAD("b") "@@ -1 +1 @@\n+z\n",
     "F a<a changed\nH 1 1 \n  1 1 x\nF b<b changed\nH 1 1 \n+ 1 1 z\n"},
    {"a hunk that ends too early", HEAD("a") "@@ -1,9 +1,9 @@\n x\n?y\n+z\n",
     "F a<a changed\nH 1 1 \n  1 1 x\nN ?y\nN +z\n"},
    {"an empty line is one that stayed", HEAD("a") "@@ -1,2 +1,2 @@\n\n x\n",
     "F a<a changed\nH 1 1 \n  1 1 \n  2 2 x\n"},
    {"a hunk with numbers that are none", HEAD("a") "@@ -x +1 @@\n+z\n",
     "F a<a changed\nN @@ -x +1 @@\nN +z\n"},
    {"a hunk with numbers too large", HEAD("a") "@@ -1 +99999999999999 @@\n+z\n",
     "F a<a changed\nN @@ -1 +99999999999999 @@\nN +z\n"},
};

static void test_parts(void)
{
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct text_diff diff = {.rest = str_from(rows[i].patch)};
        struct buf parts = {0};
        tap_case("parts: %s", rows[i].name);
        for (enum text_diff_part part; (part = text_diff_next(&diff)) != TEXT_DIFF_END;)
            if (part == TEXT_DIFF_FILE)
                buf_add_format(&parts, "F %.*s<%.*s %s%s\n", STR_ARG(buf_str(&diff.path)),
                               STR_ARG(buf_str(&diff.old_path)), diff.status,
                               diff.binary ? " binary" : "");
            else if (part == TEXT_DIFF_NOTE)
                buf_add_format(&parts, "N %.*s\n", STR_ARG(diff.text));
            else
                buf_add_format(&parts, "%c %lld %lld %.*s\n",
                               part == TEXT_DIFF_HUNK ? 'H' : diff.sign,
                               (long long)diff.old, (long long)diff.new,
                               STR_ARG(diff.text));
        buf_add_char(&parts, '\0');
        CHECK_TEXT(parts.ptr, rows[i].parts);
        buf_free(&parts);
        text_diff_free(&diff);
    }
}

static size_t count(struct str text, const char *part)
{
    struct str wanted = str_from(part);
    size_t found = 0;

    for (size_t i = 0; i + wanted.len <= text.len; i++)
        found += memcmp(text.ptr + i, wanted.ptr, wanted.len) == 0;
    return found;
}

static struct buf shown(struct str patch, struct text_diff_limits limits)
{
    struct buf html = {0};

    text_diff_html(patch, &limits, &html);
    return html;
}

static void test_html(void)
{
    const char *patch =
        "diff --git a/x<i>\".py b/x<i>\".py\n--- a/x<i>\".py\n+++ b/x<i>\".py\n"
        "@@ -7,2 +8,2 @@ <script>\n a & b\n-\x1B[31m \x80 \xE2\x80\xAE\n+</code>\r\n";
    struct buf html = shown(str_from(patch), text_diff_page);
    struct str text = buf_str(&html);

    tap_case("html: escaped, with places and numbers");
    CHECK(count(text, "<div class=\"diff-line ") == 2 &&
          count(text, "<div class=\"diff-line\"") == 1);
    CHECK(count(text, "data-place=\"x&lt;i&gt;&quot;.py:R8\"") == 1);
    CHECK(count(text, "data-place=\"x&lt;i&gt;&quot;.py:L8\"") == 1);
    CHECK(count(text, "data-place=\"x&lt;i&gt;&quot;.py:R9\"") == 1);
    CHECK(count(text, "<span>7</span><span>8</span>") == 1);
    CHECK(count(text, "<span>8</span><span></span>") == 1);
    CHECK(count(text, "<span></span><span>9</span>") == 1);
    CHECK(count(text, "<script") == 0 && count(text, "&lt;script&gt;") == 1);
    CHECK(count(text, "a &amp; b") == 1 && count(text, "&lt;/code&gt;") == 1);
    tap_case("html: what cannot be seen is shown");
    CHECK(count(text, "\x1B") == 0 && count(text, "^[[31m") == 1);
    CHECK(count(text, "\r") == 0 && count(text, "^M") == 1);
    CHECK(count(text, "\xE2\x80\xAE") == 0 && count(text, "&lt;U+202E&gt;") == 1);
    CHECK(text_utf8_valid(text));
    buf_free(&html);
}

static void test_limits(void)
{
    struct buf patch = {0};

    tap_case("limits: a line of a megabyte");
    buf_add(&patch, STR(HEAD("a") "@@ -0,0 +1 @@\n+"));
    for (int i = 0; i < 1 << 20; i++)
        buf_add_char(&patch, 'x');
    struct buf html = shown(buf_str(&patch), text_diff_page);
    CHECK(html.len < 3000);
    CHECK(count(buf_str(&html), "1,047,576 more bytes") == 1);
    buf_free(&html);

    tap_case("limits: lines");
    buf_clear(&patch);
    buf_add(&patch, STR(HEAD("a") "@@ -0,0 +1,100 @@\n"));
    for (int i = 0; i < 100; i++)
        buf_add(&patch, STR("+x\n"));
    buf_add(&patch, STR(HEAD("b") "@@ -1 +1 @@\n-y\n+z\n"));
    html = shown(buf_str(&patch), (struct text_diff_limits){9, 60, 60, 100, 1 << 20});
    CHECK(count(buf_str(&html), "class=\"diff-line ") == 60);
    CHECK(count(buf_str(&html), ">40 lines more in this file:") == 1);
    CHECK(count(buf_str(&html), "+100<") == 1);
    CHECK(count(buf_str(&html), ">1 file more:") == 1);
    buf_free(&html);

    tap_case("limits: lines of a file leave room for others");
    html = shown(buf_str(&patch), (struct text_diff_limits){9, 60, 30, 100, 1 << 20});
    CHECK(count(buf_str(&html), "class=\"diff-line ") == 32);
    CHECK(count(buf_str(&html), ">70 lines more in this file:") == 1);
    CHECK(count(buf_str(&html), "data-place=\"b:R1\"") == 1);
    buf_free(&html);

    tap_case("limits: bytes");
    html = shown(buf_str(&patch), (struct text_diff_limits){9, 900, 900, 100, 2000});
    CHECK(html.len < 3000 && count(buf_str(&html), "lines more in this file:") == 1);
    buf_free(&html);

    tap_case("limits: thousands of files");
    buf_clear(&patch);
    for (int i = 0; i < 3000; i++)
        buf_add_format(&patch, HEAD("f%d") "@@ -1 +1 @@\n-a\n+b\n", i, i, i, i);
    html = shown(buf_str(&patch), text_diff_page);
    CHECK(count(buf_str(&html), "<details") == text_diff_page.files);
    CHECK(count(buf_str(&html), ">2,800 files more:") == 1);
    CHECK(count(buf_str(&html), "<div") == count(buf_str(&html), "</div"));
    buf_free(&html);

    tap_case("limits: a path of a megabyte in ten thousand places");
    buf_clear(&patch);
    buf_add(&patch, STR("--- a/x\n+++ b/"));
    for (int i = 0; i < 1 << 20; i++)
        buf_add_char(&patch, '<');
    buf_add(&patch, STR("\n@@ -0,0 +1,10000 @@\n"));
    for (int i = 0; i < 10000; i++)
        buf_add(&patch, STR("+x\n"));
    html = shown(buf_str(&patch), text_diff_page);
    CHECK(html.len < text_diff_page.bytes + 20000);
    CHECK(count(buf_str(&html), "<div") == count(buf_str(&html), "</div"));
    buf_free(&html);
    buf_free(&patch);
}

static void test_json(void)
{
    static const struct {
        const char *name, *patch, *json;
    } cases[] = {
        {"nothing", "", "[]"},
        {"two files",
         "diff --git a/x b/y\nrename from x\nrename to y\n--- a/x\n+++ b/y\n"
         "@@ -1,2 +1 @@ f()\n a\n-\"b\"\n@@ -9 +8 @@\n-\x80\n+d\n"
         "diff --git a/p b/p\nBinary files a/p and b/p differ\n",
         "[{\"path\":\"y\",\"old-path\":\"x\",\"status\":\"renamed\",\"hunks\":["
         "{\"old\":1,\"new\":1,\"heading\":\"f()\",\"lines\":[\" a\",\"-\\\"b\\\"\"]},"
         "{\"old\":9,\"new\":8,\"heading\":\"\",\"lines\":[\"-\xEF\xBF\xBD\",\"+d\"]}]},"
         "{\"path\":\"p\",\"status\":\"changed\",\"binary\":true,\"hunks\":[]}]"},
        {"no patch", "a\nb\n", "[]"},
    };

    for (size_t i = 0; i < ROWS(cases); i++) {
        struct buf json = {0};
        tap_case("json: %s", cases[i].name);
        text_diff_json(str_from(cases[i].patch), &json);
        buf_add_char(&json, '\0');
        CHECK_TEXT(json.ptr, cases[i].json);
        buf_free(&json);
    }
}

int main(void)
{
    test_parts();
    test_html();
    test_limits();
    test_json();
    return tap_done();
}
