/* Harmless html as Markdown: what is written, and that a reader of Markdown finds in it
 * the words and the code that were there. */
#include "text/markdown.h"

#include "tests/tap.h"
#include "text/form.h"
#include "text/sanitise.h"

static const struct {
    const char *name, *html, *want;
} rows[] = {
    {"nothing", "", ""},
    {"paragraphs", "<p>one</p>\n\n<p>two\nlines</p>", "one\n\ntwo lines"},
    {"emphasis", "<p>a <strong> b </strong>c <em>d</em><del>e</del></p>",
     "a **b** c *d*~~e~~"},
    {"empty emphasis", "<p>a <em></em>b</p>", "a b"},
    {"signs", "<p>a*b [c] snake_case _x_ 1 &lt; 2 &amp; `d` \\ | ~</p>",
     "a\\*b \\[c\\] snake_case \\_x\\_ 1 \\< 2 &amp; \\`d\\` \\\\ \\| \\~"},
    {"signs at the beginning of a line", "<p># a</p><p>- b</p><p>1. c</p><p>+d</p>",
     "\\# a\n\n\\- b\n\n1\\. c\n\n\\+d"},
    {"code", "<p>see <code>a_b</code>, <code>`x`</code></p>", "see `a_b`, `` `x` ``"},
    {"code block",
     "<pre class=\"lang-py\"><code>if a &lt; b:\n\n    c\n</code></pre><p>d</p>",
     "```py\nif a < b:\n\n    c\n```\n\nd"},
    {"language of the inner element", "<pre><code class=\"lang-c++\">a</code></pre>",
     "```c++\na\n```"},
    {"code block with ticks", "<pre>a\n```\nb</pre>", "````\na\n```\nb\n````"},
    {"list", "<ul>\n<li>a</li>\n<li><p>b</p><p>c</p></li></ul><p>d</p>",
     "- a\n- b\n\n  c\n\nd"},
    {"numbered list in a list",
     "<ul><li>a<ol><li>b</li><li>c</li></ol></li><li>d</li></ul>",
     "- a\n  1. b\n  2. c\n- d"},
    {"code block in a list", "<ol><li>a<pre>b\nc</pre></li></ol>",
     "1. a\n\n   ```\n   b\n   c\n   ```"},
    {"quotation", "<blockquote><p>a</p><p>b</p></blockquote><p>c</p>",
     "> a\n>\n> b\n\nc"},
    {"link", "<p><a href=\"https://x.org/a_(b)?c=1&amp;d\" rel=\"r\">a [b]</a>.</p>",
     "[a \\[b\\]](<https://x.org/a_(b)?c=1&d>)."},
    {"line break", "<p>a<br>b</p>", "a\\\nb"},
    {"line break at an end", "<p>a<br></p><p>b<br><br>c</p>", "a\n\nb\n\nc"},
    {"rule", "<p>a</p><hr><p>b</p>", "a\n\n* * *\n\nb"},
    {"heading", "<h1>a</h1><p>b</p>", "###### a\n\nb"},
    {"table",
     "<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>c|d</td>"
     "<td></td></tr></tbody></table>",
     "| a | b |\n| --- | --- |\n| c\\|d |  |"},
    {"signs of mathematics", "<p>$a$ and $5</p>", "\\$a\\$ and \\$5"},
    {"carriage returns end no code",
     "<p><code>a&#13;&#13;&lt;script&gt;b&lt;/script&gt;</code></p>",
     "`a  <script>b</script>`"},
    {"carriage returns in a block",
     "<blockquote><pre>a&#13;&lt;script&gt;\r\n&lt;i&gt;</pre></blockquote>",
     "> ```\n> a\n> <script>\n> <i>\n> ```"},
    {"no image of a link", "<p>look!<a href=\"https://x.org/a.png\">b</a>! c</p>",
     "look\\![b](<https://x.org/a.png>)! c"},
    {"kept html", "<p>x<sup>2</sup></p>", "x<sup>2</sup>"},
    {"a list that does not begin", "<li>a</li>", "a"},
};

static void split(enum item_form form, struct str text, struct text_html_parts *parts)
{
    text_form_split(form, text, TEXT_HTML_PROSE | TEXT_HTML_CODE, parts);
}

/* Blanks and line ends are the writer's. */
static struct str squeezed(struct str text, struct buf *out)
{
    buf_clear(out);
    for (size_t i = 0; i < text.len; i++)
        if (text.ptr[i] != ' ' && text.ptr[i] != '\n' && text.ptr[i] != '\r')
            buf_add_char(out, text.ptr[i]);
    return buf_str(out);
}

/* Code, with line ends of one kind. */
static struct str lines(struct str text, struct buf *out)
{
    buf_clear(out);
    for (size_t i = 0; i < text.len; i++)
        if (text.ptr[i] != '\r' || i + 1 == text.len || text.ptr[i + 1] != '\n')
            buf_add_char(out, text.ptr[i] == '\r' ? '\n' : text.ptr[i]);
    return str_trim(buf_str(out));
}

static void check_read(const char *html)
{
    struct buf harmless = {0}, markdown = {0}, before = {0}, after = {0};
    struct text_html_parts was = {0}, is = {0};

    text_sanitise_html(str_from(html), &harmless);
    text_markdown_add(buf_str(&harmless), &markdown);
    split(ITEM_HTML, buf_str(&harmless), &was);
    split(ITEM_MARKDOWN, buf_str(&markdown), &is);
    CHECK(str_eq(squeezed(buf_str(&was.prose), &before),
                 squeezed(buf_str(&is.prose), &after)));
    CHECK(str_eq(lines(buf_str(&was.code), &before), lines(buf_str(&is.code), &after)));
    buf_free(&harmless);
    buf_free(&markdown);
    buf_free(&before);
    buf_free(&after);
    text_html_parts_free(&was);
    text_html_parts_free(&is);
}

int main(void)
{
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct buf harmless = {0}, out = {0};
        tap_case("%s", rows[i].name);
        text_sanitise_html(str_from(rows[i].html), &harmless);
        text_markdown_add(buf_str(&harmless), &out);
        buf_add_char(&out, '\0');
        CHECK_TEXT(out.ptr, rows[i].want);
        buf_free(&harmless);
        buf_free(&out);
        check_read(rows[i].html);
    }
    return tap_done();
}
