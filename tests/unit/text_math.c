/* Mathematics in prose is blanked, what only looks like it is not. */
#include "text/math.h"

#include <string.h>

#include "tests/tap.h"

static void check(size_t number, const char *text, const char *want)
{
    struct buf room = {0};
    struct str got = text_math_blank(str_from(text), &room);

    tap_case("mathematics: text %zu", number);
    CHECK(got.len == strlen(text));
    CHECK(str_eq(got, str_from(want)));
    buf_free(&room);
}

int main(void)
{
    static const char *const cases[][2] = {
        {"the loss $\\sum_i x_i$ grows", "the loss              grows"},
        {"$x$, then ($y$).", "   , then (   )."},
        {"a $$E = mc^2\nover lines$$ b", "a                         b"},
        {"\\begin{align} a &= b \\end{align} so", "                                 so"},
        {"\\begin{a}\\begin{b}x\\end{b}\\end{a}y", "                                 y"},
        {"with \\(a+b\\) and \\[c\\]!", "with         and      !"},
        {"$5 or $6", "$5 or $6"},
        {"$HOME/bin:$PATH", "$HOME/bin:$PATH"},
        {"US$ 5 and US$ 6", "US$ 5 and US$ 6"},
        {"from $5-$6 a month", "from $5-$6 a month"},
        {"\\$a and b\\$", "\\$a and b\\$"},
        {"$a\nb$", "$a\nb$"},
        {"a $ b $ c", "a $ b $ c"},
        {"one $ alone", "one $ alone"},
        {"C:\\begin{x} without end", "C:\\begin{x} without end"},
        {"C:\\temp\\new", "C:\\temp\\new"},
        {"$", "$"},
        {"$$", "$$"},
        {"\\", "\\"},
        {"\\\\$a$", "\\\\   "},
        {"\\\\\\$a$", "\\\\\\$a$"},
        {"", ""},
    };

    for (size_t i = 0; i < ROWS(cases); i++)
        check(i + 1, cases[i][0], cases[i][1]);
    /* In less than a moment; looking back along all of them each time took minutes. */
    static char strokes[400001];
    memset(strokes, '\\', sizeof strokes - 1);
    check(ROWS(cases) + 1, strokes, strokes);
    return tap_done();
}
