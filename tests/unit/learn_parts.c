/* Bodies in html and Markdown into prose, code and inline code. */
#include "learn/parts.h"

#include "tests/tap.h"

static const struct {
    const char *name, *body, *prose, *code, *inline_code;
} rows[] = {
    {"empty", "", "", "", ""},
    {"plain", "just text", "just text\n", "", ""},
    {"html", "<p>Use <code>a.b</code></p><pre>x = 1</pre>", "Use a.b", "x = 1", "a.b"},
    {"markdown fence", "a\n```py\nx = 1\n```\nb", "a\nb\n", "x = 1\n", ""},
    {"markdown tilde", "~~~\ny\n~~~\n", "", "y\n", ""},
    {"fence without end", "a\n```\nx", "a\n", "x\n", ""},
    {"inline", "call `f()` or `g`", "call `f()` or `g`\n", "", "f()\ng\n"},
    {"a backtick alone", "it`s", "it`s\n", "", ""},
    {"a comparison is no html", "if a < b > c", "if a < b > c\n", "", ""},
};

static void check_text(struct str got, const char *want)
{
    struct str trimmed = str_trim(got), expected = str_trim(str_from(want));

    CHECK(str_eq(trimmed, expected));
}

int main(void)
{
    struct parts_splitter splitter = {0};

    for (size_t i = 0; i < ROWS(rows); i++) {
        struct parts parts = {0};
        tap_case("%s", rows[i].name);
        parts_split(str_from(rows[i].body), &splitter, &parts);
        check_text(parts.at[PARTS_PROSE], rows[i].prose);
        check_text(parts.at[PARTS_CODE], rows[i].code);
        check_text(parts.at[PARTS_INLINE], rows[i].inline_code);
    }
    struct parts own = {.at[PARTS_CODE] = STR("own")};
    tap_case("what is there already stays");
    parts_complete(STR("a `b`\n```\nx\n```\n"), &splitter, &own);
    check_text(own.at[PARTS_CODE], "own");
    check_text(own.at[PARTS_PROSE], "a `b`");
    check_text(own.at[PARTS_INLINE], "b");
    parts_splitter_free(&splitter);
    return tap_done();
}
