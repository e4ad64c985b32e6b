/* Attribute values: entities, XML's rules for blanks, characters, numbers and times. */
#include "dump/value.h"

#include <string.h>

#include "base/rng.h"
#include "tests/tap.h"

#define F "\xEF\xBF\xBD" /* U+FFFD */

static const struct {
    const char *name;
    const char *raw;
    const char *text;
    int replaced; /* characters */
    int wrong;    /* where the first of them stands */
} rows[] = {
    {"nothing", "", "", 0, 0},
    {"plain", "hello", "hello", 0, 0},
    {"longer than a word", "hello, this is plain text", "hello, this is plain text", 0,
     0},
    {"less and greater", "&lt;p&gt;", "<p>", 0, 0},
    {"all five", "&lt;&gt;&amp;&quot;&apos;", "<>&\"'", 0, 0},
    {"escaped twice", "&amp;lt;", "&lt;", 0, 0},
    {"decimal", "a&#65;b", "aAb", 0, 0},
    {"hexadecimal", "&#x41;&#x4a;&#x4A;", "AJJ", 0, 0},
    {"leading zeros", "&#0000000000065;", "A", 0, 0},
    {"line end as a number", "a&#xA;b&#10;c&#13;d", "a\nb\nc\rd", 0, 0},
    {"line end as itself", "a\nb", "a b", 0, 0},
    {"CRLF is one blank", "a\r\nb\r\n\r\nc", "a b  c", 0, 0},
    {"CR and LF apart", "a\rb\n\rc", "a b  c", 0, 0},
    {"tab", "a\tb&#9;", "a b\t", 0, 0},
    {"two bytes", "&#xE9;\xC3\xA9", "\xC3\xA9\xC3\xA9", 0, 0},
    {"three bytes", "&#x6771;", "\xE6\x9D\xB1", 0, 0},
    {"four bytes", "&#x1F600;&#x10FFFF;", "\xF0\x9F\x98\x80\xF4\x8F\xBF\xBF", 0, 0},
    {"entity at each place of a word", "1&lt;22&lt;333&lt;4444&lt;55555&lt;666666&lt;7",
     "1<22<333<4444<55555<666666<7", 0, 0},
    {"usual entities in a longer text",
     "&lt;p&gt;a &amp; &quot;b&quot;&#xA;&apos;c&apos;&lt;/p&gt; and so on",
     "<p>a & \"b\"\n'c'</p> and so on", 0, 0},
    {"nearly usual entities", "&gt:abcdefgh", F "gt:abcdefgh", 1, 0},
    {"an entity with a longer name", "&ampersand; and so on", F " and so on", 1, 0},
    {"unknown entity", "ab&nbsp;c", "ab" F "c", 1, 2},
    {"bare ampersand", "a & b", "a " F " b", 1, 2},
    {"ampersand at the end", "abcdefgh&", "abcdefgh" F, 1, 8},
    {"entity without its end", "abc&lt", "abc" F "lt", 1, 3},
    {"number without its end", "&#65", F "#65", 1, 0},
    {"number without digits", "&#;", F, 1, 0},
    {"hexadecimal digit in a decimal", "&#1A;", F, 1, 0},
    {"upper-case X", "&#X41;", F, 1, 0},
    {"NUL as a number", "x&#0;", "x" F, 1, 1},
    {"control as a number", "&#x1F;", F, 1, 0},
    {"surrogate as a number", "&#xD800;", F, 1, 0},
    {"beyond Unicode", "&#x110000;", F, 1, 0},
    {"far beyond Unicode", "&#xFFFFFFFFFFFFFFFF41;", F, 1, 0},
    {"no character", "&#xFFFE;", F, 1, 0},
    {"control", "abcdefghi\x02", "abcdefghi" F, 1, 9},
    {"stray continuation", "a\x80", "a" F, 1, 1},
    {"overlong", "\xC0\xAF", F F, 2, 0},
    {"overlong, three bytes", "\xE0\x80\xAF", F F F, 3, 0},
    {"surrogate", "\xED\xA0\x80", F F F, 3, 0},
    {"U+FFFF", "\xEF\xBF\xBF", F, 1, 0},
    {"cut sequence", "ab\xF0\x9F\x98", "ab" F, 1, 2},
    {"five bytes", "\xF8\x88\x80\x80\x80", F F F F F, 5, 0},
};

static const struct {
    const char *name;
    const char *raw;
    bool ok;
    int64_t value;
} numbers[] = {
    {"number", "42", true, 42},
    {"negative", "-1", true, -1},
    {"with an entity", "4&#50;", true, 42},
    {"empty", "", false, 0},
    {"text", "abc", false, 0},
    {"blank inside", "4 2", false, 0},
    {"wrong entity", "&x;", false, 0},
    {"a sign alone", "-", false, 0},
    {"leading zeros", "007", true, 7},
    {"eighteen digits", "999999999999999999", true, 999999999999999999},
    {"the largest", "9223372036854775807", true, INT64_MAX},
    {"the smallest", "-9223372036854775808", true, INT64_MIN},
    {"one too large", "9223372036854775808", false, 0},
};

static const struct {
    const char *name;
    const char *raw;
    bool ok;
    int64_t ms;
} dates[] = {
    {"as in a dump", "2014-01-21T20:58:43.500", true, 1390337923500},
    {"with an entity", "2014-01-21&#x54;20:58:43.500", true, 1390337923500},
    {"no date", "yesterday", false, 0},
    {"a leap day", "2016-02-29T00:00:00.000", true, 1456704000000},
    {"not a leap day", "2014-02-29T00:00:00.000", false, 0},
    {"the year's last moment", "2014-12-31T23:59:59.999", true, 1420070399999},
    {"month 13", "2014-13-01T00:00:00.000", false, 0},
    {"month 0", "2014-00-01T00:00:00.000", false, 0},
    {"day 0", "2014-01-00T00:00:00.000", false, 0},
    {"hour 24", "2014-01-01T24:00:00.000", false, 0},
    {"minute 60", "2014-01-01T00:60:00.000", false, 0},
    {"second 60", "2014-01-01T00:00:60.000", false, 0},
    {"a letter for a digit", "2014-01-01T00:00:0O.000", false, 0},
    {"a bar for a colon", "2014-01-01T00|00:00.000", false, 0},
};

static void check_decode(void)
{
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct buf out = {0};
        struct dump_value_fault fault = {0};
        struct str raw = str_from(rows[i].raw);
        tap_case("decode: %s", rows[i].name);
        buf_add(&out, STR("before "));
        CHECK(dump_value_decode(raw, &out, &fault) == rows[i].replaced);
        if (rows[i].replaced > 0) {
            CHECK(fault.at.ptr == raw.ptr + rows[i].wrong && fault.expected != NULL);
            CHECK(fault.at.ptr + fault.at.len == raw.ptr + raw.len);
        }
        buf_add_char(&out, '\0');
        CHECK_TEXT(out.ptr + 7, rows[i].text);
        buf_free(&out);
    }
}

/* What replaces a byte takes three. */
static void check_growth(void)
{
    enum { BYTES = 5000 };
    char raw[BYTES];
    struct buf out = {0};

    tap_case("decode: a long value of which nothing is right");
    memset(raw, 0x01, sizeof raw);
    CHECK(dump_value_decode((struct str){raw, sizeof raw}, &out, NULL) == BYTES);
    CHECK(out.len == 3 * (size_t)BYTES);
    buf_free(&out);
}

/* Of tags, in whatever way they are written, all that another value would give. */
static void check_tags(void)
{
    static const char *const tags[] = {
        "&lt;c&gt;",
        "&lt;python&gt;&lt;neural-network&gt;&lt;c++&gt;",
        "&lt;exactly8&gt;&lt;exactly-sixteen-&gt;&lt;a-tag-that-is-longer-than-both&gt;",
        "&lt;a-tag-that-is-longer-than-both&gt;&lt;c&gt;",
        "|c|d|",
        "&lt;a&amp;b&gt;&lt;c&gt;",
        "&lt;never-closed",
        "&lt;",
        "&lt;&gt;&lt;x",
        "&lt;\xC3\xA9t\xC3\xA9&gt;&lt;b&gt;",
        "&lt;a\x01&gt;&lt;b&gt;",
        "<a>&lt;b&gt;",
        "",
    };

    for (size_t i = 0; i < ROWS(tags); i++) {
        struct buf padded = {0}, fast = {0}, slow = {0};
        struct str raw;
        tap_case("tags: %s", tags[i]);
        buf_add(&padded, str_from(tags[i]));
        raw = buf_str(&padded);
        buf_add(&padded, STR("\" Score=\"1\" &gt;&lt;a&gt; >"));
        raw.ptr = padded.ptr;
        CHECK(dump_value_decode_tags(raw, &fast) == dump_value_decode(raw, &slow, NULL));
        CHECK(str_eq(buf_str(&fast), buf_str(&slow)));
        buf_free(&padded);
        buf_free(&fast);
        buf_free(&slow);
    }
}

/* Values of rows are read faster, and come to the same. */
static void check_int_of_row(struct str raw)
{
    char block[64];
    int64_t slow = -7, fast = -7;

    memset(block, '9', sizeof block);
    memcpy(block, raw.ptr, raw.len);
    raw.ptr = block;
    bool ok = dump_value_int(raw, &slow);
    CHECK(dump_value_row_int(raw, &fast) == ok);
    CHECK(fast == slow);
}

/* A date that differs in one byte from the one before, or in none. */
static void check_near_date(struct rng *rng, struct dump_value_day *day)
{
    static const char bytes[] = "0123456789-T:.&/\xB0";
    char text[23];
    int64_t slow = -7, near = -7;

    memcpy(text, dates[rng_below(rng, ROWS(dates) - 3) + 3].raw, sizeof text);
    text[rng_below(rng, sizeof text)] = bytes[rng_below(rng, sizeof bytes)];
    struct str raw = {text, sizeof text};
    bool ok = dump_value_date(raw, &slow);
    CHECK(dump_value_date_near(raw, day, &near) == ok);
    CHECK(near == slow);
}

static void check_rows(void)
{
    static const char bytes[] = "0123456789-/:;#&\xB5";
    struct rng rng = rng_seeded(3);
    struct dump_value_day day = {0};
    int64_t ms;

    tap_case("numbers of a row");
    for (size_t i = 0; i < ROWS(numbers); i++)
        check_int_of_row(str_from(numbers[i].raw));
    for (int i = 0; i < 20000; i++) {
        char text[12];
        size_t len = rng_below(&rng, sizeof text + 1), kinds = i % 4 ? 10 : sizeof bytes;
        for (size_t k = 0; k < len; k++)
            text[k] = bytes[rng_below(&rng, kinds)];
        check_int_of_row((struct str){text, len});
    }
    tap_case("a date near another");
    CHECK(!dump_value_date_near((struct str){"\0\0\0\0\0\0\0\0\0\0\0"
                                             "01:09:04.571",
                                             23},
                                &day, &ms));
    for (int i = 0; i < 20000; i++)
        check_near_date(&rng, &day);
}

/* What stands behind a value is read, and is no end of its last tag. */
static void check_cut_tag(void)
{
    static const struct {
        const char *value, *behind;
        bool bars, ok;
    } cuts[] = {
        {"&lt;abcd&gt;", "\" Score=\"1\"", false, true},
        {"&lt;abcd", "&gt;\" Score=\"1\"", false, false},
        {"&lt;abcd", "\" Text=\"&gt;", false, false},
        {"&lt;abcd&g", "t;\" Score=\"1\"", false, false},
        {"abcd|", "\" Score=\"1\"", true, true},
        {"abcd", "|\" Score=\"1\"", true, false},
        {"abcd", "\" Text=\"|", true, false},
    };

    for (size_t i = 0; i < ROWS(cuts); i++) {
        char bytes[64 + DUMP_ROWS_PADDING] = "";
        size_t len = strlen(cuts[i].value);
        struct str rest = {bytes, len}, tag = {NULL, 0};
        tap_case("tag: %s before %s", cuts[i].value, cuts[i].behind);
        memcpy(bytes, cuts[i].value, len);
        memcpy(bytes + len, cuts[i].behind, strlen(cuts[i].behind));
        CHECK(dump_value_cut_tag(&rest, cuts[i].bars, &tag) == cuts[i].ok);
        CHECK(cuts[i].ok ? str_eq(tag, STR("abcd")) && rest.len == 0 : rest.len == len);
    }
}

int main(void)
{
    struct dump_rows_row row = {0};

    check_decode();
    check_growth();
    check_tags();
    check_cut_tag();
    check_rows();
    for (size_t i = 0; i < ROWS(numbers); i++) {
        int64_t value = 0;
        tap_case("int: %s", numbers[i].name);
        CHECK(dump_value_int(str_from(numbers[i].raw), &value) == numbers[i].ok);
        CHECK(value == numbers[i].value);
    }
    for (size_t i = 0; i < ROWS(dates); i++) {
        int64_t ms = 0;
        tap_case("date: %s", dates[i].name);
        CHECK(dump_value_date(str_from(dates[i].raw), &ms) == dates[i].ok);
        CHECK(ms == dates[i].ms);
    }
    tap_case("post type");
    CHECK(dump_value_post_type(&row) == 0);
    row.present = UINT64_C(1) << DUMP_ROWS_POST_TYPE_ID;
    row.raw[DUMP_ROWS_POST_TYPE_ID] = STR("2");
    CHECK(dump_value_post_type(&row) == DUMP_VALUE_ANSWER);
    row.raw[DUMP_ROWS_POST_TYPE_ID] = STR("&#49;");
    CHECK(dump_value_post_type(&row) == DUMP_VALUE_QUESTION);
    row.raw[DUMP_ROWS_POST_TYPE_ID] = STR("17");
    CHECK(dump_value_post_type(&row) == 17);
    row.raw[DUMP_ROWS_POST_TYPE_ID] = STR("x");
    CHECK(dump_value_post_type(&row) == 0);
    return tap_done();
}
