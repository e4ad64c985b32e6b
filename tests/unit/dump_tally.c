/* The census: counting, merging, packing. */
#include "dump/tally.h"

#include <string.h>

#include "base/date.h"
#include "dump/value.h"
#include "tests/tap.h"

static struct item question(int year, const char *tags, bool accepted, int64_t views)
{
    struct item post = item_empty();

    post.kind = ITEM_QUESTION;
    post.created_ms = year > 0 ? date_from_civil((struct date){year, 6, 1}) : ITEM_NONE;
    post.tags = str_from(tags);
    post.accepted = accepted ? 5 : ITEM_NONE;
    post.views = views;
    return post;
}

static const struct dump_tally_cell *find(const struct dump_tally *tally, int year,
                                          const char *tag)
{
    for (size_t i = 0; i < tally->count; i++)
        if (tally->cells[i].year == year && str_eq(tally->cells[i].tag, str_from(tag)))
            return &tally->cells[i];
    return NULL;
}

static void check(const struct dump_tally *tally)
{
    const struct dump_tally_cell *all = find(tally, 2018, ""),
                                 *a = find(tally, 2018, "a");

    CHECK(all != NULL && all->questions == 3 && all->accepted == 1 && all->views == 30);
    CHECK(a != NULL && a->questions == 2 && a->accepted == 1 && a->views == 30);
    CHECK(find(tally, 2019, "a")->questions == 1 &&
          find(tally, 2018, "b")->questions == 1);
    CHECK(find(tally, 0, "")->questions == 1);
    CHECK(find(tally, 2019, "b") == NULL);
}

/* Tags of rows come to the same written down as decoded and added. */
static void check_notes(void)
{
    static const char *const raws[] = {
        "&lt;a&gt;",
        "&lt;a&gt;&lt;tensorflow&gt;&lt;tensorflow2&gt;&lt;.net&gt;",
        "&lt;fifteen-letters&gt;&lt;sixteen-letters-&gt;&lt;seventeen-letters&gt;",
        "&lt;a-tag-that-is-longer-than-thirty-two-bytes&gt;&lt;b&gt;",
        "&lt;a-tag-that-is-longer-than-thirty-two-other&gt;&lt;b&gt;",
        "|a|b|",
        "|a|tensorflow|a-tag-that-is-longer-than-thirty-two-bytes|",
        "||a||",
        "|",
        "|a",
        "a|b",
        "a",
        "|a|&lt;b&gt;|",
        "&lt;a|b&gt;",
        "&lt;a>b&gt;",
        "|a>b|",
        "&lt;&gt;&lt;a&gt;",
        "&lt;a&gt;b",
        "&lt;a&gt; &lt;b&gt;",
        "&lt;a&amp;b&gt;&lt;c&gt;",
        "&#60;a&gt;",
        "&lt;never-closed",
        "&lt;a&gt;&lt;",
        "&lt;",
        "&lt;\xC3\xA9t\xC3\xA9&gt;&lt;b&gt;",
        "|\xC3\xA9t\xC3\xA9|b|",
        "&lt;a\x01&gt;&lt;b&gt;",
        "|a\tb|",
        "&nbsp;",
        "\x7F",
        "",
    };
    struct dump_tally noted = {0}, added = {0};
    struct buf notes = {0}, block = {0}, text = {0}, packed = {0}, want = {0};

    for (size_t i = 0; i < 2 * ROWS(raws); i++) {
        struct str raw = str_from(raws[i % ROWS(raws)]);
        struct item post = question(2018 + (int)(i / ROWS(raws)), "", i % 3 == 0,
                                    i % 5 ? (int64_t)i : ITEM_NONE);
        tap_case("notes: %.*s", STR_ARG(raw));
        buf_clear(&block);
        buf_clear(&text);
        buf_add(&block, raw);
        raw.len = block.len;
        buf_add(&block, STR("\" Score=\"1\" &gt;&lt;a&gt; |b| >"));
        raw.ptr = block.ptr;
        int64_t replaced = dump_value_decode(raw, &text, NULL);
        post.tags = buf_str(&text);
        struct dump_tally_noted got = dump_tally_note(&notes, &post, raw);
        CHECK(got.replaced == replaced);
        CHECK(got.first == (text.len > 0 ? text.ptr[0] : '\0'));
        dump_tally_add(&added, &post);
        if (i % 4 == 0) {
            dump_tally_take(&noted, buf_str(&notes));
            buf_clear(&notes);
        }
    }
    dump_tally_take(&noted, buf_str(&notes));
    tap_case("notes are counted in their order");
    dump_tally_save(&noted, &packed);
    dump_tally_save(&added, &want);
    CHECK(str_eq(buf_str(&packed), buf_str(&want)));
    buf_free(&notes);
    buf_free(&block);
    buf_free(&text);
    buf_free(&packed);
    buf_free(&want);
    dump_tally_free(&noted);
    dump_tally_free(&added);
}

/* So do very long tags, of which only the beginning counts. */
static void check_long_tags(void)
{
    struct dump_tally noted = {0}, added = {0};
    struct buf notes = {0}, block = {0}, packed = {0}, want = {0};

    tap_case("tags of which only the beginning counts");
    for (size_t len = 198; len < 260; len++) {
        struct item post = question(2018, "", false, 1);
        buf_clear(&block);
        buf_add_char(&block, '|');
        for (size_t k = 0; k < len; k++)
            buf_add_char(&block, 'x');
        buf_add(&block, STR("|b|"));
        struct str raw = buf_str(&block);
        buf_reserve(&block, DUMP_ROWS_PADDING);
        memset(block.ptr + block.len, ' ', DUMP_ROWS_PADDING);
        raw.ptr = block.ptr;
        post.tags = raw;
        dump_tally_note(&notes, &post, raw);
        dump_tally_add(&added, &post);
    }
    dump_tally_take(&noted, buf_str(&notes));
    dump_tally_save(&noted, &packed);
    dump_tally_save(&added, &want);
    CHECK(noted.count == 5 && str_eq(buf_str(&packed), buf_str(&want)));
    buf_free(&notes);
    buf_free(&block);
    buf_free(&packed);
    buf_free(&want);
    dump_tally_free(&noted);
    dump_tally_free(&added);
}

/* That beginning is of whole characters. */
static void check_cut_characters(void)
{
    struct dump_tally tally = {0};
    struct buf tags = {0};

    tap_case("long tags are cut between characters");
    buf_add(&tags, STR("|x"));
    for (size_t i = 0; i < 100; i++)
        buf_add(&tags, STR("\xC3\xA9"));
    struct item post = question(2018, "", false, 1);
    post.tags = buf_str(&tags);
    dump_tally_add(&tally, &post);
    CHECK(tally.count == 2);
    CHECK(str_eq(tally.cells[1].tag, str_slice(post.tags, 1, 1 + 199)));
    buf_free(&tags);
    dump_tally_free(&tally);
}

int main(void)
{
    struct dump_tally one = {0}, other = {0}, copy = {0};
    struct buf packed = {0}, again = {0};
    const struct item posts[] = {
        question(2018, "<a><b>", true, 10), question(2018, "|a|", false, 20),
        question(2018, "", false, ITEM_NONE), question(2019, "<a>", false, 1),
        question(0, "<c>", false, 1)};

    tap_case("every question counts once, and once for each tag");
    for (size_t i = 0; i < ROWS(posts); i++)
        dump_tally_add(&one, &posts[i]);
    check(&one);
    tap_case("the order does not matter");
    dump_tally_free(&one);
    for (size_t i = ROWS(posts); i-- > 0;)
        dump_tally_add(&one, &posts[i]);
    check(&one);
    tap_case("a year ends with its last millisecond");
    const int64_t new_year = date_from_civil((struct date){2019, 1, 1});
    const int64_t moments[] = {new_year - 1, new_year, new_year - 1};
    for (size_t i = 0; i < ROWS(moments); i++) {
        struct item post = question(2018, "<d>", false, 1);
        post.created_ms = moments[i];
        dump_tally_add(&other, &post);
    }
    CHECK(find(&other, 2018, "d")->questions == 2);
    CHECK(find(&other, 2019, "d")->questions == 1);
    tap_case("sorted, packed and unpacked it is the same, and can go on counting");
    dump_tally_sort(&one);
    for (size_t i = 1; i < one.count; i++)
        CHECK(one.cells[i - 1].year <= one.cells[i].year);
    dump_tally_save(&one, &packed);
    CHECK(dump_tally_load(&copy, buf_str(&packed)));
    check(&copy);
    dump_tally_save(&copy, &again);
    CHECK(str_eq(buf_str(&packed), buf_str(&again)));
    dump_tally_add(&one, &posts[0]);
    CHECK(find(&one, 2018, "b")->questions == 2);
    tap_case("other bytes are refused");
    CHECK(!dump_tally_load(&copy, str_slice(buf_str(&packed), 0, packed.len - 1)));
    buf_free(&packed);
    buf_free(&again);
    check_notes();
    check_long_tags();
    check_cut_characters();
    dump_tally_free(&one);
    dump_tally_free(&other);
    dump_tally_free(&copy);
    return tap_done();
}
