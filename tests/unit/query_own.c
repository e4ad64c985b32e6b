/* What a study adds to queries: fields that its sources bring of their own, and the
 * sources' names. */
#include "query/query.h"

#include <string.h>

#include "tests/tap.h"
#include "tests/unit/query_post.h"

static const struct str fields[] = {STR_INIT("stars"), STR_INIT("Level"),
                                    STR_INIT("level"), STR_INIT("first-seen")};
static const struct str sources[] = {STR_INIT("ai"), STR_INIT("stack")};
static const struct query_own own = {.fields = fields,
                                     .field_count = ROWS(fields),
                                     .sources = sources,
                                     .source_count = ROWS(sources)};

static const struct {
    const char *name, *query, *canonical;
} good[] = {
    {"number", "stars:5", "stars:5"},
    {"ranges", "stars:100.. stars:..5 stars:3..8 stars:-3..-1",
     "stars:100.. and stars:..5 and stars:3..8 and stars:-3..-1"},
    {"decimals", "stars:3.5 stars:0.1..0.25 stars:2.50..",
     "stars:3.5 and stars:0.1..0.25 and stars:2.5.."},
    {"comparisons stay what they are", "stars>5 stars>=5 stars<5.5 stars<=5 stars=5",
     "stars:>5 and stars:5.. and stars:<5.5 and stars:..5 and stars:5"},
    {"comparisons with blanks", "stars > 5 stars: <= -5", "stars:>5 and stars:..-5"},
    {"zero", "stars:-0", "stars:0"},
    {"large", "stars:1000000000000000000", "stars:1000000000000000000"},
    {"many decimals", "stars:0.000000000000001..123456789.123456789",
     "stars:0.000000000000001..123456789.12345679"},
    {"the whole range as numbers", "stars:2..2", "stars:2"},
    {"word", "level:crash", "level:crash"},
    {"the spelling that was given first", "Level:a level:b LEVEL:c",
     "Level:a and level:b and Level:c"},
    {"any case", "STARS:5", "stars:5"},
    {"prefix", "level:deploy*", "level:deploy*"},
    {"phrase", "level:\"a  b\"", "level:\"a b\""},
    {"part", "level:~ras", "level:~\"ras\""},
    {"regex", "level:/^a+$/i", "level:/^a+$/i"},
    {"number in quotes is text", "level:\"5\" level:\"2..3\" level:\"-5\"",
     "level:\"5\" and level:\"2..3\" and level:\"-5\""},
    {"prefix of a number is text", "level:5* level:\"2..3\"*",
     "level:\"5\"* and level:\"2..3\"*"},
    {"version is text", "level:1.2.3", "level:1.2.3"},
    {"name with a sign", "first-seen:2015", "first-seen:2015"},
    {"group", "stars:(1 or >5 or -3 or crash)",
     "stars:1 or stars:>5 or stars:-3 or stars:crash"},
    {"negated", "-stars:5", "not stars:5"},
    {"source", "source:ai or not source:\"stack\"", "source:ai or not source:stack"},
    {"sources", "source:(ai or stack)", "source:ai or source:stack"},
    {"key", "id:ai:5", "source:ai and id:5"},
    {"keys", "id:(ai:5 or stack:7..9 or 3)",
     "source:ai and id:5 or source:stack and id:7..9 or id:3"},
    {"key that is compared", "not id:ai:>5", "not (source:ai and id:6..)"},
};

/* Fields whose type their kind of source declares. */
static const struct str typed_fields[] = {STR_INIT("additions"), STR_INIT("committed"),
                                          STR_INIT("merge"),     STR_INIT("milestone"),
                                          STR_INIT("files"),     STR_INIT("hash")};
static const enum item_type types[] = {ITEM_NUMBER, ITEM_MOMENT, ITEM_YES_NO,
                                       ITEM_TEXT,   ITEM_LIST,   ITEM_TEXT};
static const struct query_own typed = {
    .fields = typed_fields, .types = types, .field_count = ROWS(typed_fields)};

static const struct {
    const char *name, *query, *canonical;
} typed_good[] = {
    {"typed number", "additions:5.. additions>2", "additions:5.. and additions:>2"},
    {"moment", "committed:2018 committed:2018-03..2019-07-15 committed>=2018-02",
     "committed:2018 and committed:2018-03..2019-07-15 and committed:2018-02.."},
    {"yes or no", "merge:YES or not merge:no", "merge:yes or not merge:no"},
    {"text that is a number", "milestone:2 milestone:1.0",
     "milestone:\"2\" and milestone:\"1.0\""},
    {"of a list", "files:main.c or files:~\"src/\"", "files:main.c or files:~\"src/\""},
    {"patterns of members", "files:*.py files:src/* files:(a*c or b*)",
     "files:*.py and files:src/* and (files:a*c or files:b*)"},
    {"the beginning of a hash", "id:1F3e5a7 or id:1234567",
     "hash:1F3e5a7* or id:1234567"},
};

static const struct {
    const char *name, *query, *message;
    int caret;
} typed_bad[] = {
    {"no number", "additions:many",
     "expected a number or a range such as 5, 5.., ..5 or 3..8 after 'additions:', found "
     "'many'",
     11},
    {"no moment", "committed:soon",
     "expected a date or a range such as 2017, 2015..2018, 2015-03..2016-07-15 or 30d.. "
     "after "
     "'committed:', found 'soon'",
     11},
    {"neither yes nor no", "merge:maybe",
     "expected yes or no after 'merge:', found 'maybe'", 7},
};

static const struct {
    const char *name, *query, *message;
    int caret;
} bad[] = {
    {"near an own field", "star:5", "unknown field 'star'; did you mean 'stars'?", 1},
    {"nearer to the table", "scor:5", "unknown field 'scor'; did you mean 'score'?", 1},
    {"text compared", "stars>many",
     "expected a number, a range such as 5.. or 3..8, a word, word*, \"a phrase\", ~\"a "
     "part\" or /a regex/ after 'stars>', found 'many'",
     7},
    {"range of words", "stars:a..b",
     "expected a number, a range such as 5.. or 3..8, a word, word*, \"a phrase\", ~\"a "
     "part\" or /a regex/ after 'stars:', found 'a..b'",
     7},
    {"backwards", "stars:5..3", "the range runs backwards: '5..3'", 7},
    {"too large", "stars:1000000000000000001000",
     "the number is too large: "
     "'1000000000000000001000'",
     7},
    {"too fine", "stars:0.1234567890123456",
     "the number has more than 15 digits behind its point: '0.1234567890123456'", 7},
    {"unknown source", "source:stak", "unknown source 'stak'; did you mean 'stack'?", 8},
    {"strange source", "source:elsewhere",
     "unknown source 'elsewhere'; sources are ai, stack", 8},
    {"unknown source of a key", "id:aii:5", "unknown source 'aii'; did you mean 'ai'?",
     4},
    {"key without number", "id:ai:x",
     "expected a number or a range such as 5, 5.., ..5 or 3..8 after 'ai:', found 'x'",
     7},
    {"no source", "source:\"\"", "found nothing, expected the name of a source", 8},
    {"source compared", "source>ai",
     "'source' cannot be compared; write source: and the name of a source", 7},
};

static void check_good(const char *query, const char *canonical,
                       const struct query_own *names)
{
    struct arena arena = {0};
    struct err err = {0};
    struct query_node *node, *again;
    struct buf out = {0};

    if (CHECK(query_parse_with(str_from(query), names, &arena, &node, &err))) {
        query_print(node, &out);
        buf_add_char(&out, '\0');
        CHECK_TEXT(out.ptr, canonical);
        CHECK(query_parse_with(str_from(out.ptr), names, &arena, &again, &err) &&
              query_same(node, again));
    } else {
        CHECK_TEXT(err.text, "");
    }
    buf_free(&out);
    arena_free(&arena);
}

static void check_bad(const char *query, const char *message, int caret,
                      const struct query_own *names)
{
    struct arena arena = {0};
    struct err err = {0};
    struct query_node *node;
    struct buf want = {0};

    CHECK(!query_parse_with(str_from(query), names, &arena, &node, &err));
    buf_add_format(&want, "column %d: %s\n  %s\n  %*s^", caret, message, query, caret - 1,
                   "");
    buf_add_char(&want, '\0');
    CHECK_TEXT(err.text, want.ptr);
    buf_free(&want);
    arena_free(&arena);
}

/* ---- what they select */

/* Letters stand for them; each is in the sources that follow. */
static const struct {
    const char *name, *stars, *level, *sources;
} samples[] = {
    {"A", "5", "Crash", " ai "},
    {"B", "3.5", "wrong result", " ai stack "},
    {"C", " 100 ", "performance; crash", " stack "},
    {"D", "many", "5", " stack "},
    {"E", "", "", " "},
    {"F", "-2", "1.2.3", " ai "},
};

static const struct {
    const char *query, *selected;
} rows[] = {
    {"stars:5", "A"},
    {"stars>3", "ABC"},
    {"stars>3.5", "AC"},
    {"stars>=3.5", "ABC"},
    {"stars<3.5", "F"},
    {"stars:3..4", "B"},
    {"stars:100..", "C"},
    {"stars:..0", "F"},
    {"not stars:..1000", "DE"}, /* no number and none at all do not meet it */
    {"stars:many", "D"},
    {"stars:~\"\x31\"", "C"},
    {"level:crash", "AC"},
    {"level:crash or level:wrong", "ABC"},
    {"level:crash level:performance", "C"},
    {"level:perf*", "C"},
    {"level:\"wrong result\"", "B"},
    {"level:~rong", "B"},
    {"level:/^$/", ""},
    {"level:/^Cr/", "A"},
    {"level:\"5\"", "D"},
    {"level:5", "D"},
    {"level:1.2.3", "F"},
    {"level:crash and stars:5.. and source:ai", "A"},
    {"source:ai", "ABF"},
    {"source:ai source:stack", "B"},
    {"not source:ai", "CDE"},
    {"id:ai:2..6", "BF"},
};

/* The values of a commit in the order of typed_fields. */
static const char *const commit[] = {"12",       "2018-03-05T10:00:00.000", "no",
                                     "1.0 beta", "src/main.c\ntests/A.c",   "1f3e5a7bb2"};

static const struct {
    const char *query;
    bool holds;
} typed_rows[] = {
    {"committed:2018", true},
    {"committed:2018-03-05", true},
    {"committed:2018-03-06..", false},
    {"committed<2018-03-05", false},
    {"not committed:2017", true},
    {"merge:no", true},
    {"merge:yes", false},
    {"not merge:yes", true},
    {"additions:12", true},
    {"additions>12", false},
    {"milestone:1.0", true},
    {"milestone:1", true},
    {"files:~\"src/main\"", true},
    {"files:/^tests.*c$/", false},
    {"files:/(?m)^tests.*c$/i", true},
    {"files:*", true},
    {"files:*.c", true},
    {"files:*/a.c", true},
    {"files:src/*", true},
    {"files:*ain", false},
    {"files:main*c", false},
    {"files:(*.py or tests/?.c or x)", false}, /* ? alone is no pattern */
    {"files:(*.py or tests/?.* or x)", true},
    {"id:1f3e5a7", true},
    {"id:1f3e5a8", false},
};

static struct str commit_value(void *context, struct str field)
{
    const char *const *values = context;
    size_t i = 0;

    while (!str_eq(typed_fields[i], field))
        i++;
    return str_from(values[i]);
}

static void check_typed(const char *query, bool holds, const char *const *values)
{
    struct arena arena = {0};
    struct err err = {0};
    struct query_node *node;
    struct query_compiled *compiled;
    struct item item = item_empty();
    struct query_item asked = {
        .item = &item, .context = (void *)(uintptr_t)values, .own = commit_value};

    item.id = 1;
    if (!CHECK(query_parse_with(str_from(query), &typed, &arena, &node, &err) &&
               query_compile(node, (struct query_options){0}, &compiled, &err)))
        return;
    struct query_scratch *scratch = query_scratch_open(compiled);
    CHECK(post_holds(compiled, scratch, &asked) == holds);
    query_scratch_close(scratch);
    query_free(compiled);
    arena_free(&arena);
}

struct probe {
    struct post post;
    size_t sample;
    int asked;
};

static struct str value_of(void *context, struct str field)
{
    struct probe *probe = context;

    probe->asked++;
    return str_from(str_eq(field, STR("stars")) ? samples[probe->sample].stars
                                                : samples[probe->sample].level);
}

static bool stands_in(void *context, struct str source)
{
    const struct probe *probe = context;
    char name[16] = " ";

    memcpy(name + 1, source.ptr, source.len);
    memcpy(name + 1 + source.len, " ", 2);
    return strstr(samples[probe->sample].sources, name) != NULL;
}

static void check_row(const char *query, const char *selected, bool portable)
{
    struct arena arena = {0};
    struct err err = {0};
    struct query_node *node;
    struct query_compiled *compiled;
    char got[ROWS(samples) + 1];
    size_t count = 0;

    if (!CHECK(query_parse_with(str_from(query), &own, &arena, &node, &err) &&
               query_compile(node, (struct query_options){.portable = portable},
                             &compiled, &err)))
        return;
    struct query_scratch *scratch = query_scratch_open(compiled);
    for (size_t i = 0; i < ROWS(samples); i++) {
        struct item item = item_empty();
        struct probe probe = {.sample = i};
        struct query_item asked = {
            .item = &item, .context = &probe, .in_source = stands_in, .own = value_of};
        item.id = (int64_t)i + 1;
        bool holds = post_holds(compiled, scratch, &asked);
        CHECK(probe.asked <= 2); /* each field once */
        if (holds)
            got[count++] = samples[i].name[0];
    }
    got[count] = '\0';
    CHECK_TEXT(got, selected);
    query_scratch_close(scratch);
    query_free(compiled);
    arena_free(&arena);
}

static struct str long_value(void *context, struct str field)
{
    (void)context;
    (void)field;
    return STR("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!");
}

static void check_given_up(void)
{
    struct arena arena = {0};
    struct err err = {0};
    struct query_node *node;
    struct query_compiled *compiled;
    struct item item = item_empty();
    struct query_item asked = {.item = &item, .own = long_value};
    bool holds;

    item.id = 9;
    tap_case("a regex that gives up on a value");
    if (!CHECK(
            query_parse_with(STR("level:/((a+)+)\\1\\d/"), &own, &arena, &node, &err) &&
            query_compile(node, (struct query_options){0}, &compiled, &err)))
        return;
    struct query_scratch *scratch = query_scratch_open(compiled);
    CHECK(!query_test(compiled, scratch, &asked, &holds, &err));
    CHECK(strstr(err.text, "post 9: the regex level:/((a+)+)\\1\\d/ was given up") ==
          err.text);
    query_scratch_close(scratch);
    query_free(compiled);
    arena_free(&arena);
}

static void check_names(void)
{
    struct arena arena = {0};
    struct err err = {0};
    struct query_node *node;
    size_t count;

    tap_case("what a query names");
    if (CHECK(query_parse_with(STR("stars:5 or (source:ai not level:x) or stars:y"), &own,
                               &arena, &node, &err))) {
        struct query_needs needs = query_needs(node);
        CHECK(needs.own && needs.sources && !needs.sets && !needs.any_text);
        struct str *names = query_own_fields(node, &arena, &count);
        CHECK(count == 2 && str_eq(names[0], fields[0]) && str_eq(names[1], fields[2]));
        names = query_sources(node, &arena, &count);
        CHECK(count == 1 && str_eq(names[0], sources[0]));
    }
    CHECK(query_field_known(STR("Score")) && query_field_known(STR("tags")));
    CHECK(!query_field_known(STR("stars")));
    arena_free(&arena);
}

int main(void)
{
    const struct query_own unnamed = {.fields = fields, .field_count = 1};
    const struct query_own any = {.any = true};

    for (size_t i = 0; i < ROWS(good); i++) {
        tap_case("good: %s", good[i].name);
        check_good(good[i].query, good[i].canonical, &own);
    }
    for (size_t i = 0; i < ROWS(bad); i++) {
        tap_case("bad: %s", bad[i].name);
        check_bad(bad[i].query, bad[i].message, bad[i].caret, &own);
    }
    tap_case("the only source has no name");
    check_bad(
        "source:ai",
        "there is no source 'ai': the only one has no name (a source gets one under "
        "'sources:')",
        8, &unnamed);
    tap_case("names that are not known yet");
    check_good("whatever > 5 source:x id:y:3",
               "whatever:>5 and source:x and source:y and id:3", &any);
    for (size_t i = 0; i < ROWS(rows); i++) {
        tap_case("selects: %s", rows[i].query);
        check_row(rows[i].query, rows[i].selected, false);
        check_row(rows[i].query, rows[i].selected, true);
    }
    for (size_t i = 0; i < ROWS(typed_good); i++) {
        tap_case("typed: %s", typed_good[i].name);
        check_good(typed_good[i].query, typed_good[i].canonical, &typed);
    }
    for (size_t i = 0; i < ROWS(typed_bad); i++) {
        tap_case("typed, bad: %s", typed_bad[i].name);
        check_bad(typed_bad[i].query, typed_bad[i].message, typed_bad[i].caret, &typed);
    }
    for (size_t i = 0; i < ROWS(typed_rows); i++) {
        static const char *const nothing[] = {"", "", "", "", "", ""};
        tap_case("typed selects: %s", typed_rows[i].query);
        check_typed(typed_rows[i].query, typed_rows[i].holds, commit);
        check_typed(typed_rows[i].query, strncmp(typed_rows[i].query, "not", 3) == 0,
                    nothing);
    }
    check_given_up();
    check_names();
    return tap_done();
}
