/* What items are called: ids of spaces, keys and links, out and in. */
#include "item/key.h"

#include "tests/tap.h"

static const int64_t numbers[] = {0,
                                  1,
                                  -1,
                                  -2,
                                  12345,
                                  79000000,
                                  ITEM_NUMBER_MAX - 1,
                                  -ITEM_NUMBER_MAX,
                                  ITEM_NUMBER_LIMIT - 1,
                                  -ITEM_NUMBER_LIMIT};

static void check_ids(void)
{
    static const size_t all[] = {0, 1, 3, 1000, 1000000};

    for (size_t s = 0; s < ROWS(all); s++) {
        tap_case("ids: a number and its space come back, space %zu", all[s]);
        for (size_t i = 0; i < ROWS(numbers); i++) {
            int64_t id = item_id(all[s], numbers[i]);
            CHECK(item_number(id) == numbers[i] && item_space(id) == all[s]);
        }
        CHECK(item_id(all[s], ITEM_NONE) == ITEM_NONE);
    }
    tap_case("ids: in the first space they are the source's own");
    CHECK(item_id(0, 12345) == 12345 && item_id(0, -1) == -1);
    tap_case("ids: nothing stays nothing");
    CHECK(item_number(ITEM_NONE) == ITEM_NONE);
    tap_case("ids: they ascend by space, then by number");
    CHECK(item_id(0, ITEM_NUMBER_MAX) < item_id(1, -1));
    CHECK(item_id(3, -1) < item_id(3, 0) && item_id(3, 0) < item_id(3, 1));
    CHECK(item_id(2, ITEM_NUMBER_LIMIT - 1) < item_id(3, -ITEM_NUMBER_LIMIT));
}

/* --- keys --- */

#define AT(space, number) (((int64_t)(space) << ITEM_SPACE_BITS) + (number))

/* `so` and `posts` are of one site and share a space; `bugs` has no site, and keys that
 * are text. */
static const struct item_space four[] = {
    {STR_INIT("so"), STR_INIT("stackoverflow.com"), 0, NULL},
    {STR_INIT("ai"), STR_INIT("ai.stackexchange.com"), 1, NULL},
    {STR_INIT("posts"), STR_INIT("stackoverflow.com"), 0, NULL},
    {STR_INIT("bugs"), STR_INIT(""), 3, NULL},
};
static const struct item_name names[] = {
    {AT(3, 1), STR_INIT("MESOS-1")},
    {AT(3, 2), STR_INIT("99999999999999999999")},
    {AT(3, 3), STR_INIT("a:b")},
    {AT(3, 7), STR_INIT("8")}, /* looks like a number, and is another item's */
    {AT(3, 10), STR_INIT("https://bugs.example/t/4")},
};
static const struct item_name shas[] = {{5, STR_INIT("f00dcafe")}, {6, STR_INIT("12ab")}};

/* The same in the order of their texts. */
static const struct item_name names_by_text[] = {
    {AT(3, 7), STR_INIT("8")},
    {AT(3, 2), STR_INIT("99999999999999999999")},
    {AT(3, 1), STR_INIT("MESOS-1")},
    {AT(3, 3), STR_INIT("a:b")},
    {AT(3, 10), STR_INIT("https://bugs.example/t/4")},
};
static const struct item_name shas_by_text[] = {{6, STR_INIT("12ab")},
                                                {5, STR_INIT("f00dcafe")}};

/* Commits; two of them begin alike. */
#define HASH_A "0123456789abcdef0123456789abcdef01234567"
#define HASH_B "f00dcafe89abcdef0123456789abcdef01234567"
#define HASH_C "f00dcafe90abcdef0123456789abcdef01234567"
static const struct item_name commits[] = {
    {1, STR_INIT(HASH_A)}, {2, STR_INIT(HASH_B)}, {3, STR_INIT(HASH_C)}};

static const struct item_space two[] = {{STR_INIT("a"), STR_INIT("x.com"), 0, NULL},
                                        {STR_INIT("b"), STR_INIT("x.com"), 0, NULL}};
static const struct item_space bugs = {STR_INIT("bugs"), STR_INIT(""), 0, NULL};

static const struct item_spaces none = {0}, one = {.at = four, .count = 1},
                                shared = {.at = two, .count = 2},
                                several = {.at = four,
                                           .count = 4,
                                           .several = true,
                                           .texts = true,
                                           .names = names,
                                           .by_text = names_by_text,
                                           .name_count = ROWS(names)},
                                texts = {.at = &bugs,
                                         .count = 1,
                                         .texts = true,
                                         .names = shas,
                                         .by_text = shas_by_text,
                                         .name_count = ROWS(shas)},
                                hashes = {.at = &bugs,
                                          .count = 1,
                                          .names = commits,
                                          .by_text = commits,
                                          .name_count = ROWS(commits)};

static const struct {
    const struct item_spaces *spaces;
    int64_t id;
    const char *key, *link, *json;
} keys[] = {
    {&none, 12345, "12345", "", "12345"},
    {&one, 12345, "12345", "https://stackoverflow.com/q/12345", "12345"},
    {&one, -1, "-1", "https://stackoverflow.com/q/-1", "-1"},
    {&one, 0, "0", "https://stackoverflow.com/q/0", "0"},
    {&shared, 7, "7", "https://x.com/q/7", "7"},
    {&several, 12345, "so:12345", "https://stackoverflow.com/q/12345", "\"so:12345\""},
    {&several, AT(1, 12345), "ai:12345", "https://ai.stackexchange.com/q/12345",
     "\"ai:12345\""},
    {&several, AT(1, -1), "ai:-1", "https://ai.stackexchange.com/q/-1", "\"ai:-1\""},
    {&several, AT(3, 9), "bugs:9", "", "\"bugs:9\""},
    {&several, AT(3, 1), "bugs:MESOS-1", "", "\"bugs:MESOS-1\""},
    {&several, AT(3, 2), "bugs:99999999999999999999", "",
     "\"bugs:99999999999999999999\""},
    {&several, AT(3, 3), "bugs:a:b", "", "\"bugs:a:b\""},
    {&several, AT(3, 7), "bugs:8", "", "\"bugs:8\""},
    {&several, AT(3, 10), "bugs:https://bugs.example/t/4", "https://bugs.example/t/4",
     "\"bugs:https://bugs.example/t/4\""},
    {&texts, 5, "f00dcafe", "", "\"f00dcafe\""},
    {&texts, 6, "12ab", "", "\"12ab\""},
    {&texts, 7, "7", "", "7"},
};

static void expect(struct buf *out, const char *want)
{
    buf_add_char(out, '\0');
    CHECK_TEXT(out->ptr, want);
    buf_clear(out);
}

static void check_keys(struct arena *arena)
{
    struct buf out = {0};

    for (size_t i = 0; i < ROWS(keys); i++) {
        const struct item_spaces *spaces = keys[i].spaces;
        char shown[ITEM_KEY_SHOWN_MAX];
        struct err err = {0};
        int64_t id = -77;
        tap_case("key: %s", keys[i].key);
        item_key_add(&out, spaces, keys[i].id);
        expect(&out, keys[i].key);
        CHECK(str_eq(item_key(spaces, keys[i].id, arena), str_from(keys[i].key)));
        CHECK_TEXT(item_key_show(spaces, keys[i].id, shown), keys[i].key);
        item_link_add(&out, spaces, keys[i].id);
        expect(&out, keys[i].link);
        item_key_add_json(&out, spaces, keys[i].id);
        expect(&out, keys[i].json);
        CHECK(item_key_read(spaces, str_from(keys[i].key), &id, &err));
        CHECK_TEXT(err.text, "");
        CHECK(id == keys[i].id);
        if (keys[i].link[0] != '\0' && keys[i].id >= 0) {
            id = -77;
            CHECK(item_key_read(spaces, str_from(keys[i].link), &id, &err));
            CHECK(id == keys[i].id);
        }
    }
    buf_free(&out);
}

/* --- what people write --- */

static const struct {
    const struct item_spaces *spaces;
    const char *text;
    int64_t id;
} reads[] = {
    {&one, " 11 \n", 11},
    {&one, "https://stackoverflow.com/questions/11/title?tab=votes#12", 11},
    {&one, "https://stackoverflow.com/questions/11?noredirect=1", 11},
    {&one, "http://www.stackoverflow.com/q/11", 11},
    {&one, "https://stackoverflow.com/a/12/77", 12},
    {&one, "so:11", 11},
    {&one, "274877906943", ITEM_NUMBER_MAX - 1},
    {&shared, "b:7", 7},
    {&several, "posts:11", 11}, /* each of the names that share a space */
    {&several, "https://www.ai.stackexchange.com/questions/11/x", AT(1, 11)},
    {&several, "http://ai.stackexchange.com/q/11", AT(1, 11)},
    {&several, "https://stackoverflow.com/q/11", 11},
    {&several, "bugs:MESOS-1", AT(3, 1)},
    {&several, "bugs:8", AT(3, 7)}, /* the text goes before the number */
    {&none, "https://example.org/questions/5", 5},
    {&hashes, HASH_B, 2},
    {&hashes, "f00dcafe8", 2},
    {&hashes, "0123456", 1}, /* rather than a number */
    {&hashes, "bugs:f00dcafe90ab", 3},
    {&hashes, "https://github.com/o/12/commit/" HASH_C "#diff-1", 3},
    {&hashes, "https://github.com/o/n/commit/f00dcafe90", 3},
    {&hashes, "https://github.com/o/n/blob/" HASH_C "/a/b.py#L85", 3},
    {&hashes, "https://github.com/o/n/tree/" HASH_C, 3},
    {&hashes, "012345", 12345}, /* too short for a hash */
};

#define SEVERAL \
    "', expected an item's key with the name of its source before it, such as " \
    "'so:12345', or a link to it"
#define ALL     "so, ai, posts, bugs"
#define ROWS_ID "', expected a number or the key of one of its items"
#define ALONE   "', expected an item's id, or a link to it"

static const struct {
    const struct item_spaces *spaces;
    const char *text, *error;
} wrong[] = {
    {&one, "", "found '" ALONE},
    {&one, "eleven", "found 'eleven" ALONE},
    {&one, "11x", "found '11x" ALONE},
    {&one, "1.5", "found '1.5" ALONE},
    {&one, "274877906944", "found '274877906944" ALONE},
    {&one, "99999999999999999999", "found '99999999999999999999" ALONE},
    {&one, "https://stackoverflow.com/users",
     "found 'https://stackoverflow.com/users" ALONE},
    {&one, "no:11", "found 'no:11" ALONE},
    {&several, "11", "found '11" SEVERAL}, /* bugs has no site */
    {&several, "/q/11", "found '/q/11" SEVERAL},
    {&several, "https:///q/11", "found 'https:///q/11" SEVERAL},
    {&several, "no:11", "found 'no:11': there is no source 'no'; there are " ALL},
    {&several, "so:", "found 'so:': the source 'so' has no item '" ROWS_ID},
    {&several, ":11", "found ':11': there is no source ''; there are " ALL},
    {&several, "so:MESOS-1",
     "found 'so:MESOS-1': the source 'so' has no item 'MESOS-1" ROWS_ID},
    {&several, "https://mathoverflow.net/q/11",
     "found 'https://mathoverflow.net/q/11" SEVERAL},
    {&several, "SO:11", "found 'SO:11': there is no source 'SO'; there are " ALL},
    {&hashes, "f00dcafe", "found 'f00dcafe" ALONE}, /* two begin so */
    {&hashes, "f00dca", "found 'f00dca" ALONE},
    {&hashes, "https://github.com/o/n/blob/f00dcafe90/a.py",
     "found 'https://github.com/o/n/blob/f00dcafe90/a.py" ALONE},
    {&hashes, "https://github.com/o/n/commit/",
     "found 'https://github.com/o/n/commit/" ALONE},
};

static void check_reading(void)
{
    for (size_t i = 0; i < ROWS(reads); i++) {
        struct err err = {0};
        int64_t id = -77;
        tap_case("read: %s", reads[i].text);
        CHECK(item_key_read(reads[i].spaces, str_from(reads[i].text), &id, &err));
        CHECK_TEXT(err.text, "");
        CHECK(id == reads[i].id);
    }
    for (size_t i = 0; i < ROWS(wrong); i++) {
        struct err err = {0};
        int64_t id = -77;
        tap_case("refused: '%s'", wrong[i].text);
        CHECK(!item_key_read(wrong[i].spaces, str_from(wrong[i].text), &id, &err));
        CHECK(err.kind == ERR_INPUT);
        CHECK_TEXT(err.text, wrong[i].error);
    }
}

static void check_long(void)
{
    static const char a[] = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
                            "aaaaaaaaaaaaaaaaaaaaaaaa"
                            "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
                            "aaaaaaaaaaaaaaaaaaaaaaaa";
    const struct item_name name = {1, str_from(a)};
    const struct item_spaces spaces = {
        .at = &four[3], .count = 1, .names = &name, .by_text = &name, .name_count = 1};
    char shown[ITEM_KEY_SHOWN_MAX];

    tap_case("a long key is cut in a message, and whole elsewhere");
    CHECK(str_from(item_key_show(&spaces, 1, shown)).len == ITEM_KEY_SHOWN_MAX - 1);
    struct buf out = {0};
    item_key_add(&out, &spaces, 1);
    expect(&out, a);
    buf_free(&out);
}

/* Issues by their addresses, and by those they had before their repository moved. */
static void check_issues(void)
{
    static const struct item_space space = {STR_INIT(""), STR_INIT("github.com"), 0, "/"};
    static const struct item_name by_id[] = {{5, STR_INIT("new/n#7")},
                                             {5, STR_INIT("old/n#7")}};
    const struct item_spaces issues = {.at = &space,
                                       .count = 1,
                                       .texts = true,
                                       .names = by_id,
                                       .by_text = by_id,
                                       .name_count = 2};
    static const char *const addresses[] = {
        "new/n#7",
        "old/n#7",
        "https://github.com/new/n/issues/7",
        "https://github.com/old/n/pull/7#issuecomment-1",
        "http://www.github.com/old/n/discussions/7/files",
    };
    struct buf out = {0};
    struct err err = {0};
    int64_t id;

    for (size_t i = 0; i < ROWS(addresses); i++) {
        tap_case("issue: %s", addresses[i]);
        CHECK(item_key_read(&issues, str_from(addresses[i]), &id, &err) && id == 5);
    }
    tap_case("issue: one that is not there, and what is no issue");
    CHECK(!item_key_read(&issues, STR("old/n#8"), &id, &err));
    CHECK(!item_key_read(&issues, STR("https://github.com/old/n/tree/7x"), &id, &err));
    tap_case("issue: called as it is now, with a link to it");
    item_key_add(&out, &issues, 5);
    buf_add_char(&out, ' ');
    item_link_add(&out, &issues, 5);
    buf_add_char(&out, '\0');
    CHECK_TEXT(out.ptr, "new/n#7 https://github.com/new/n/issues/7");
    buf_free(&out);
}

static void check_names(struct arena *arena)
{
    struct buf out = {0};

    tap_case("names in the order of their texts");
    const struct item_name *sorted = item_names_by_text(names, ROWS(names), arena);
    for (size_t i = 0; i < ROWS(names); i++)
        CHECK(sorted[i].id == names_by_text[i].id &&
              str_eq(sorted[i].text, names_by_text[i].text));
    tap_case("a key in a csv stays one field");
    const struct item_name comma = {1, STR("a,\"b\"")};
    item_key_add_csv(
        &out, &(struct item_spaces){.names = &comma, .by_text = &comma, .name_count = 1},
        1);
    expect(&out, "\"a,\"\"b\"\"\"");
    tap_case("without spaces, keys are plain numbers and lead nowhere");
    item_key_add(&out, NULL, 12);
    buf_add_char(&out, ' ');
    item_key_add_json(&out, NULL, 12);
    item_link_add(&out, NULL, 12);
    expect(&out, "12 12");
    buf_free(&out);
}

/* The same items in a newer study, whose sources stand in another order and whose texts
 * are numbered anew. */
static void check_elsewhere(void)
{
    static const struct item_space three[] = {
        {STR_INIT("bugs"), STR_INIT(""), 0, NULL},
        {STR_INIT("overflow"), STR_INIT("stackoverflow.com"), 1, NULL},
        {STR_INIT("news"), STR_INIT(""), 2, NULL},
    };
    static const struct item_name newer[] = {{AT(0, 1), STR_INIT("NEW-1")},
                                             {AT(0, 2), STR_INIT("MESOS-1")}};
    static const struct item_name by_text[] = {{AT(0, 2), STR_INIT("MESOS-1")},
                                               {AT(0, 1), STR_INIT("NEW-1")}};
    const struct item_spaces now = {.at = three,
                                    .count = ROWS(three),
                                    .several = true,
                                    .texts = true,
                                    .names = newer,
                                    .by_text = by_text,
                                    .name_count = ROWS(newer)};

    tap_case("elsewhere: a site is the same under any name and number");
    CHECK(item_key_elsewhere(&several, AT(0, 77), &now) == AT(1, 77));
    tap_case("elsewhere: a site that is not there");
    CHECK(item_key_elsewhere(&several, AT(1, 77), &now) == ITEM_NONE);
    tap_case("elsewhere: a text goes by itself, not by its number");
    CHECK(item_key_elsewhere(&several, AT(3, 1), &now) == AT(0, 2));
    tap_case("elsewhere: a text that is not there, though it looks like a number");
    CHECK(item_key_elsewhere(&several, AT(3, 7), &now) == ITEM_NONE);
    tap_case("elsewhere: a number in a source without a site, by its name");
    CHECK(item_key_elsewhere(&several, AT(3, 50), &now) == AT(0, 50));
    tap_case("elsewhere: from one source to several, and back");
    CHECK(item_key_elsewhere(&one, 77, &now) == AT(1, 77));
    CHECK(item_key_elsewhere(&now, AT(1, 77), &one) == 77);
    tap_case("elsewhere: from one to one");
    CHECK(item_key_elsewhere(&one, 77, &one) == 77);
    tap_case("elsewhere: from one to one of another site, and to one that names none");
    CHECK(item_key_elsewhere(&one, 77, &(struct item_spaces){.at = two, .count = 1}) ==
          ITEM_NONE);
    CHECK(item_key_elsewhere(&one, 77, &(struct item_spaces){.at = &bugs, .count = 1}) ==
          77);
    CHECK(item_key_elsewhere(&one, 77, &none) == 77);
}

/* What an item that is not there may be called. */
static void check_possible(void)
{
    static const struct {
        const struct item_spaces *spaces;
        const char *text;
        bool possible;
    } rows[] = {
        {&one, "a/b#1", false},
        {&texts, "f00dbeef", true},
        {&texts, " ", false},
        {&several, "bugs:MESOS-9", true},
        {&several, "no:MESOS-9", false},
        {&several, "bugs:", false},
        {&several, "MESOS-9", false},
        {&several, "https://github.com/a/b/issues/9", true},
    };

    for (size_t i = 0; i < ROWS_OF(rows); i++) {
        tap_case("may an item be called '%s'?", rows[i].text);
        CHECK(item_key_possible(rows[i].spaces, str_from(rows[i].text)) ==
              rows[i].possible);
    }
    tap_case("by plain numbers");
    CHECK(!item_key_possible(NULL, STR("a")));
}

int main(void)
{
    struct arena arena = {0};

    check_ids();
    check_keys(&arena);
    check_reading();
    check_possible();
    check_long();
    check_names(&arena);
    check_issues();
    check_elsewhere();
    arena_free(&arena);
    return tap_done();
}
