/* Growing bytes and the three ways of escaping. */
#include "base/buf.h"

#include <math.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/rng.h"
#include "tests/tap.h"

static const struct {
    const char *name;
    struct str text;
    const char *xml, *json, *csv;
} escapes[] = {
    {"nothing", {"", 0}, "", "", ""},
    {"plain", {"plain text", 10}, "plain text", "plain text", "plain text"},
    {"markup", {"<a & b>", 7}, "&lt;a &amp; b&gt;", "<a & b>", "<a & b>"},
    {"quotes",
     {"say \"x\"", 7},
     "say &quot;x&quot;",
     "say \\\"x\\\"",
     "\"say \"\"x\"\"\""},
    {"one quote", {"\"", 1}, "&quot;", "\\\"", "\"\"\"\""},
    {"apostrophe", {"it's", 4}, "it's", "it's", "it's"},
    {"newline", {"a\nb", 3}, "a&#xA;b", "a\\nb", "\"a\nb\""},
    {"carriage return", {"a\rb", 3}, "a&#xD;b", "a\\rb", "\"a\rb\""},
    {"tab", {"a\tb", 3}, "a&#x9;b", "a\\tb", "a\tb"},
    {"comma", {"a,b", 3}, "a,b", "a,b", "\"a,b\""},
    {"blank first", {" a", 2}, " a", " a", "\" a\""},
    {"blank last", {"a ", 2}, "a ", "a ", "\"a \""},
    {"backslash", {"a\\n", 3}, "a\\n", "a\\\\n", "a\\n"},
    {"backspace and form feed", {"\b\f", 2}, "\b\f", "\\b\\f", "\b\f"},
    {"escape", {"\033[K", 3}, "\033[K", "\\u001b[K", "\033[K"},
    {"delete is no control in JSON", {"\x7F", 1}, "\x7F", "\x7F", "\x7F"},
    {"UTF-8", {"\xC3\xA4<", 3}, "\xC3\xA4&lt;", "\xC3\xA4<", "\xC3\xA4<"},
    {"escaped once only", {"&amp;", 5}, "&amp;amp;", "&amp;", "&amp;"},
};

static const struct {
    int64_t value;
    const char *text;
} numbers[] = {
    {0, "0"},
    {7, "7"},
    {-7, "-7"},
    {10, "10"},
    {1234567890123, "1234567890123"},
    {INT64_MAX, "9223372036854775807"},
    {INT64_MIN, "-9223372036854775808"},
};

static void check_is(struct buf *buf, const char *want)
{
    buf_add_char(buf, '\0');
    CHECK_TEXT(buf->ptr, want);
    buf_clear(buf);
}

static const struct {
    double value;
    int digits;
    const char *want;
} thousands[] = {
    {0, 0, "0"},
    {999, 0, "999"},
    {1000, 0, "1,000"},
    {1301.047, 2, "1,301.05"},
    {1e9, 0, "1,000,000,000"},
    {-123456, 0, "-123,456"},
    {INFINITY, 1, "∞"},
    {-INFINITY, 0, "-∞"},
    {-0.001, 2, "0.00"},
    {-999.996, 2, "-1,000.00"},
};

static void check_escapes(struct buf *buf)
{
    for (size_t i = 0; i < ROWS(escapes); i++) {
        tap_case("xml: %s", escapes[i].name);
        buf_add_xml(buf, escapes[i].text);
        check_is(buf, escapes[i].xml);
        tap_case("json: %s", escapes[i].name);
        buf_add_json(buf, escapes[i].text);
        check_is(buf, escapes[i].json);
        tap_case("csv: %s", escapes[i].name);
        buf_add_csv(buf, escapes[i].text);
        check_is(buf, escapes[i].csv);
    }
    for (size_t i = 0; i < ROWS(thousands); i++) {
        tap_case("thousands: %s", thousands[i].want);
        buf_add_thousands(buf, thousands[i].value, thousands[i].digits);
        check_is(buf, thousands[i].want);
    }
    tap_case("latex: what it would read as something else");
    buf_add_latex(buf, STR("50% of $a_b & #1 {x} ~ ^ \\ <y> |z| é ∞"));
    check_is(buf, "50\\% of \\$a\\_b \\& \\#1 \\{x\\} \\textasciitilde{} "
                  "\\textasciicircum{} \\textbackslash{} \\textless{}y\\textgreater{} "
                  "\\textbar{}z\\textbar{} é $\\infty$");
    tap_case("latex: long words may be divided, short ones are left alone");
    buf_add_latex(buf, STR("https://example.org/a_b java.lang.InvocationTargetBean"));
    check_is(buf, "https:\\hspace{0pt}//example.org/a\\_b "
                  "java.\\hspace{0pt}lang.\\hspace{0pt}InvocationTargetBean");
    buf_add_latex(buf, STR("Donaudampfschifffahrts-gesellschaft short-enough.name"));
    check_is(buf, "Donaudampfschi\\-fffahrts-\\hspace{0pt}gesellschaft "
                  "short-enough.name");
    for (int c = 0; c < 32; c++) {
        char byte = (char)c, want[8], brief[3] = {'\\', 0, 0};
        static const char letters[] = "........btn.fr..................";
        tap_case("json: control %d", c);
        snprintf(want, sizeof want, "\\u%04x", (unsigned)c);
        brief[1] = letters[c];
        buf_add_json(buf, (struct str){&byte, 1});
        check_is(buf, letters[c] != '.' ? brief : want);
    }
}

/* Texts in which anything stands anywhere, against the same texts byte by byte. */
static void check_json_runs(void)
{
    static const char some[] = "\"\\\n\x1F \x7F\x80\xFFx/&<";
    struct buf whole = {0}, pieces = {0};
    struct rng rng = rng_seeded(9);
    bool same = true;

    for (int round = 0; round < 4000; round++) {
        char text[100];
        size_t len = (size_t)rng_below(&rng, sizeof text);
        uint64_t often = 1 + rng_below(&rng, 30);
        for (size_t i = 0; i < len; i++)
            text[i] =
                rng_below(&rng, often) == 0 ? some[rng_below(&rng, sizeof some)] : 'a';
        buf_add_json(&whole, (struct str){text, len});
        for (size_t i = 0; i < len; i++)
            buf_add_json(&pieces, (struct str){text + i, 1});
        same = same && str_eq(buf_str(&whole), buf_str(&pieces));
    }
    tap_case("json: long runs as byte by byte");
    CHECK(same);
    buf_free(&whole);
    buf_free(&pieces);
}

/* Random pieces against the same bytes put in a large array. */
static void check_growth(void)
{
    static char want[400000];
    struct buf buf = {0};
    struct rng rng = rng_seeded(5);
    size_t len = 0;
    bool fits = true;

    while (len < sizeof want - 2000) {
        char piece[2000];
        size_t size = (size_t)rng_below(&rng, rng_below(&rng, 20) == 0 ? 2000 : 30);
        for (size_t i = 0; i < size; i++)
            piece[i] = (char)rng_below(&rng, 256);
        memcpy(want + len, piece, size);
        len += size;
        if (size == 1)
            buf_add_char(&buf, piece[0]);
        else
            buf_add(&buf, (struct str){piece, size});
        fits = fits && buf.len <= buf.capacity;
    }
    CHECK(fits);
    CHECK(str_eq(buf_str(&buf), (struct str){want, len}));
    CHECK(buf.capacity < 2 * len + 512);
    buf_free(&buf);
    CHECK(buf.ptr == NULL && buf.len == 0 && buf.capacity == 0);
}

static int status_of_growing(size_t more)
{
    int status = 0;

    fflush(stdout); /* or the child's exit prints it again */
    pid_t child = fork();
    if (child == 0) {
        struct buf buf = {0};
        close(STDERR_FILENO);
        buf_grow(&buf, more);
        _exit(0);
    }
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int main(void)
{
    struct buf buf = {0};

    tap_case("adding nothing to nothing");
    buf_add(&buf, STR(""));
    buf_add(&buf, (struct str){0});
    buf_add_xml(&buf, (struct str){0});
    buf_add_format(&buf, "%s", "");
    CHECK(buf.len == 0 && buf_str(&buf).len == 0);
    check_escapes(&buf);
    for (size_t i = 0; i < ROWS(numbers); i++) {
        tap_case("number %s", numbers[i].text);
        buf_add_int(&buf, numbers[i].value);
        check_is(&buf, numbers[i].text);
    }
    tap_case("format appends, whatever the length");
    for (size_t len = 0; len < 1500; len += 13) {
        buf_clear(&buf);
        buf_add(&buf, STR("head"));
        buf_add_format(&buf, "%0*d|", (int)len + 1, 7);
        CHECK(buf.len == len + 6 && buf.ptr[len + 4] == '7' && buf.ptr[len + 5] == '|');
    }
    tap_case("a cleared buffer keeps its memory");
    char *kept = buf.ptr;
    buf_clear(&buf);
    buf_add(&buf, STR("x"));
    CHECK(buf.ptr == kept && buf.len == 1);
    buf_free(&buf);
    buf_free(&buf); /* twice is fine */
    tap_case("growing by pieces keeps every byte");
    check_json_runs();
    check_growth();
    tap_case("a size beyond all memory ends the program with status 3");
    CHECK(status_of_growing(SIZE_MAX) == 3);
    CHECK(status_of_growing(SIZE_MAX / 4 + 1) == 3);
    CHECK(status_of_growing(1000) == 0);
    return tap_done();
}
