/* Texts of every form into the same parts. */
#include "text/form.h"

#include <string.h>

#include "tests/tap.h"

static const struct {
    const char *name;
    enum item_form form;
    const char *body;
    const char *prose, *code, *inline_code, *links;
    size_t blocks;
} rows[] = {
    {"empty", ITEM_MARKDOWN, "", "", "", "", "", 0},
    {"html as ever", ITEM_HTML, "<p>a <code>b</code></p><pre>c</pre>", "a b\n", "c", "b",
     "", 1},
    {"plain text is prose", ITEM_PLAIN, "a <b> `c`\n    d\n```\ne\n",
     "a <b> `c`\n    d\n```\ne\n", "", "", "", 0},
    {"a diff is code", ITEM_DIFF, "-if (a < b)\n+if (a <= b)\n", "",
     "-if (a < b)\n+if (a <= b)\n", "", "", 1},
    {"paragraphs", ITEM_MARKDOWN, "One\nline.\n\nTwo.", "One\nline.\n\nTwo.\n\n", "", "",
     "", 0},
    {"emphasis parts no words", ITEM_MARKDOWN, "a**b**c _d_ ~~e~~", "abc d e\n\n", "", "",
     "", 0},
    {"fence", ITEM_MARKDOWN, "See:\n```python\nx < 1\n\ny\n```\nok", "See:\n\n\nok\n\n",
     "x < 1\n\ny\n", "", "", 1},
    {"tildes", ITEM_MARKDOWN, "~~~\na\n```\n~~~", "\n", "a\n```\n", "", "", 1},
    {"fence without end", ITEM_MARKDOWN, "a\n```\nb\nc", "a\n\n\n", "b\nc\n", "", "", 1},
    {"indented code", ITEM_MARKDOWN, "a\n\n    b\n\n    c\n\nd", "a\n\n\nd\n\n",
     "b\n\nc\n", "", "", 1},
    {"fence in a list", ITEM_MARKDOWN, "1. a\n   ```\n   b\n   ```\n2. c", "a\n\nc\n\n\n",
     "b\n", "", "", 1},
    {"inline code", ITEM_MARKDOWN, "call `a < b` or ``c`d``.", "call a < b or c`d.\n\n",
     "", "a < b\nc`d", "", 0},
    {"a backtick alone", ITEM_MARKDOWN, "it`s", "it`s\n\n", "", "", "", 0},
    {"quote", ITEM_MARKDOWN, "> a\n> b\n\nc", "a\nb\n\n\nc\n\n", "", "", "", 0},
    {"link", ITEM_MARKDOWN, "[a *b*](http://x.org/?q=1&r=2 \"t\")", "a b\n\n", "", "",
     "http://x.org/?q=1&r=2", 0},
    {"bare address", ITEM_MARKDOWN, "see https://x.org/a, ok",
     "see https://x.org/a, ok\n\n", "", "", "https://x.org/a", 0},
    {"image is not read", ITEM_MARKDOWN, "a ![the *alt*](http://x.org/i.png) b",
     "a  b\n\n", "", "", "", 0},
    {"table", ITEM_MARKDOWN, "| a | b |\n|---|---|\n| c | `d` |",
     "a\n\nb\n\n\nc\n\nd\n\n\n\n\n", "", "d", "", 0},
    {"task list", ITEM_MARKDOWN, "- [ ] a\n- [x] b", "a\n\nb\n\n\n", "", "", "", 0},
    {"html inside", ITEM_MARKDOWN,
     "a<br>b <kbd>C</kbd> &lt; &copy;\n\n<details>\n<summary>log"
     "</summary>\n\n```\nx\n```\n\n</details>",
     "a\nb C < \xC2\xA9\n\nlog\n\n\n", "x\n", "", "", 1},
    {"script is text only", ITEM_MARKDOWN, "<b onclick=\"x()\">a</b>", "a\n\n", "", "",
     "", 0},
    {"comment of a template", ITEM_MARKDOWN,
     "<!-- say\n\nwhat -->\nreal <!-- not --> text", "\nreal  text", "", "", "", 0},
    {"heading over nothing", ITEM_MARKDOWN, "# A\n\n## B\n<!-- say -->\n## C\n", "\n", "",
     "", "", 0},
    {"heading over text", ITEM_MARKDOWN, "## A\ntext\n## B\n## C\n```\nx\n```",
     "A\n\ntext\n\nC\n\n\n", "x\n", "", "", 1},
    {"heading over a heading over text", ITEM_MARKDOWN, "# A\n## B\n## C\ntext",
     "A\n\nC\n\ntext\n\n", "", "", "", 0},
    {"heading over an image", ITEM_MARKDOWN, "# A\n![](u)\n# B", "A\n\n\n\n", "", "", "",
     0},
    {"underlined heading", ITEM_MARKDOWN, "A\n===\ntext\n\nB\n---", "A\n\ntext\n\n", "",
     "", "", 0},
    {"field of a form left empty", ITEM_MARKDOWN, "### A\n\n_No response_\n\n### B\n\nno",
     "B\n\nno\n\n", "", "", "", 0},
    {"no response within a text", ITEM_MARKDOWN, "_No response_ came",
     "No response came\n\n", "", "", "", 0},
    {"bad bytes", ITEM_MARKDOWN, "a\xFF`b\xC3`",
     "a\xEF\xBF\xBD"
     "b\xEF\xBF\xBD\n\n",
     "", "b\xEF\xBF\xBD", "", 0},
};

/* How many lines are empty says nothing: runs of line ends count as one. */
static void add_squeezed(struct str text, struct buf *out)
{
    for (size_t i = 0; i < text.len; i++)
        if (text.ptr[i] != '\n' || (out->len > 0 && out->ptr[out->len - 1] != '\n'))
            buf_add_char(out, text.ptr[i]);
    while (out->len > 0 && out->ptr[out->len - 1] == '\n')
        out->len--;
    buf_add_char(out, '\0');
}

static void check_prose(const struct buf *got, const char *want)
{
    struct buf a = {0}, b = {0};

    add_squeezed(buf_str(got), &a);
    add_squeezed(str_from(want), &b);
    CHECK_TEXT(a.ptr, b.ptr);
    buf_free(&a);
    buf_free(&b);
}

static void check_part(const struct buf *got, const char *want)
{
    struct buf text = {0};

    buf_add(&text, buf_str(got));
    buf_add_char(&text, '\0');
    CHECK_TEXT(text.ptr, want);
    buf_free(&text);
}

static const struct {
    const char *name;
    enum item_form form;
    const char *body, *html;
} shown[] = {
    {"html", ITEM_HTML, "<p>a", "<p>a"},
    {"plain", ITEM_PLAIN, "a <b>", "<pre>a &lt;b&gt;</pre>"},
    {"diff", ITEM_DIFF, "+a", "<pre>+a</pre>"},
    {"headings stay", ITEM_MARKDOWN, "# A\n## B", "<h1>A</h1>\n<h2>B</h2>\n"},
    {"boxes", ITEM_MARKDOWN, "- [ ] a\n- [x] b",
     "<ul><li>\xE2\x98\x90 a</li>\n<li>\xE2\x98\x91 b</li>\n</ul>\n"},
    {"an image and its text", ITEM_MARKDOWN, "![a \"*b*\"](u?v&w)",
     "<p><img src=\"u?v&amp;w\" alt=\"a &quot;b&quot;\"></p>\n"},
    {"text that looks like html", ITEM_MARKDOWN, "`<b>` 1 < 2",
     "<p><code>&lt;b&gt;</code> 1 &lt; 2</p>\n"},
};

/* Few bytes that ask for a great many cells. */
static void check_growth(void)
{
    struct text_html_parts parts = {0};
    struct buf body = {0};

    tap_case("a table with more cells than anybody wrote is text");
    for (int i = 0; i < 3000; i++)
        buf_add(&body, STR("|a"));
    buf_add_char(&body, '\n');
    for (int i = 0; i < 3000; i++)
        buf_add(&body, STR("|-"));
    buf_add_char(&body, '\n');
    for (int i = 0; i < 3000; i++)
        buf_add(&body, STR("|b\n"));
    text_form_split(ITEM_MARKDOWN, buf_str(&body), TEXT_HTML_PROSE, &parts);
    CHECK(parts.rendered.len < 40 * body.len + 8192);
    CHECK(memchr(parts.prose.ptr, '|', parts.prose.len) != NULL);
    text_html_parts_free(&parts);
    buf_free(&body);
}

/* What stands below the title. */
static void check_below(void)
{
    static const struct {
        const char *name, *body, *title, *below;
        enum item_form form;
    } cases[] = {
        {"a message without its subject", "Fix it\n\nIt was\nwrong.\n", "Fix it",
         "It was\nwrong.\n", ITEM_PLAIN},
        {"nothing but the subject", "Fix it\n", "Fix it", "", ITEM_PLAIN},
        {"a subject of several lines stays", "Fix\nit\n\nx", "Fix it", "Fix\nit\n\nx",
         ITEM_PLAIN},
        {"a longer first line stays", "Fix items", "Fix it", "Fix items", ITEM_PLAIN},
        {"other forms stay", "Fix it\n\nx", "Fix it", "Fix it\n\nx", ITEM_MARKDOWN},
        {"no title", "x", "", "x", ITEM_PLAIN},
    };

    for (size_t i = 0; i < ROWS(cases); i++) {
        struct str below = text_form_below(cases[i].form, str_from(cases[i].body),
                                           str_from(cases[i].title));
        tap_case("below: %s", cases[i].name);
        CHECK(str_eq(below, str_from(cases[i].below)));
    }
}

int main(void)
{
    check_below();
    struct text_html_parts parts = {0};

    for (size_t i = 0; i < ROWS(rows); i++) {
        tap_case("%s", rows[i].name);
        text_form_split(rows[i].form, str_from(rows[i].body), TEXT_HTML_ALL, &parts);
        check_prose(&parts.prose, rows[i].prose);
        check_part(&parts.code, rows[i].code);
        check_part(&parts.inline_code, rows[i].inline_code);
        check_part(&parts.links, rows[i].links);
        CHECK(parts.code_count == rows[i].blocks);
    }
    parts.lead = STR("title");
    tap_case("a title goes before");
    text_form_split(ITEM_MARKDOWN, STR("text"), TEXT_HTML_PROSE, &parts);
    check_prose(&parts.prose, "title\ntext\n\n");
    text_html_parts_free(&parts);
    for (size_t i = 0; i < ROWS(shown); i++) {
        struct buf html = {0};
        tap_case("shown: %s", shown[i].name);
        text_form_show(shown[i].form, str_from(shown[i].body), &html);
        check_part(&html, shown[i].html);
        buf_free(&html);
    }
    check_growth();
    return tap_done();
}
