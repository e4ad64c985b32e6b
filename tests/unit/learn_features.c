/* From posts to rows of counts. */
#include "learn/features.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "learn/internal.h"
#include "tests/tap.h"
#include "tests/unit/learn_toy.h"

/* Which features a post has, and how often. */

#define WORDS   (1u << LEARN_FEATURES_WORD)
#define STEMS   (1u << LEARN_FEATURES_STEM)
#define RUNS    (1u << LEARN_FEATURES_RUN)
#define LETTERS (1u << LEARN_FEATURES_LETTERS)
#define ERRORS  (1u << LEARN_FEATURES_ERROR)

static const struct {
    const char *name;
    struct learn_features_options options;
    const char *title, *prose;
    const char *want; /* part:kind:name=count, sorted, by blanks; ' ' in a name is '+' */
} features_rows[] = {
    {"nothing", {.kinds = WORDS}, "", "", ""},
    {"words and counts", {.kinds = WORDS}, "", "A b a", "prose:word:a=2 prose:word:b=1"},
    {"parts are apart",
     {.kinds = WORDS},
     "crash",
     "crash crash",
     "prose:word:crash=2 title:word:crash=1"},
    {"one part",
     {.kinds = WORDS, .one_part = true},
     "crash x",
     "crash crash",
     "title:word:crash=3 title:word:x=1"},
    {"the body's count wins",
     {.kinds = WORDS, .one_part = true, .body_wins = true},
     "crash crash crash x",
     "crash",
     "title:word:crash=0 title:word:crash=1 title:word:x=1"},
    {"an identifier whole and in pieces",
     {.kinds = WORDS},
     "",
     "tf.nn.conv2d",
     "prose:word:conv2d=1 prose:word:nn=1 prose:word:tf.nn.conv2d=1 prose:word:tf=1"},
    {"numbers and versions",
     {.kinds = WORDS},
     "",
     "12 3.5 2.1.0 v2 x86",
     "prose:word:<n>=2 prose:word:<v>=2 prose:word:x86=1"},
    {"stop words",
     {.kinds = WORDS, .no_stop_words = true},
     "",
     "the cat",
     "prose:word:cat=1"},
    {"stems",
     {.kinds = STEMS},
     "",
     "deploying happy",
     "prose:stem:deploy=1 prose:stem:happi=1"},
    {"error names",
     {.kinds = ERRORS},
     "",
     "ValueError error NullPointerException",
     "prose:error:nullpointerexception=1 prose:error:valueerror=1"},
    {"runs of words",
     {.kinds = RUNS, .run_max = 3},
     "",
     "a b c",
     "prose:run:a+b+c=1 prose:run:a+b=1 prose:run:b+c=1"},
    {"runs do not go from part to part", {.kinds = RUNS, .run_max = 2}, "a", "b", ""},
    {"letters with edges",
     {.kinds = LETTERS, .letters_min = 3, .letters_max = 4},
     "",
     "Ab?",
     "prose:letters:+ab=1 prose:letters:+ab?=1 prose:letters:ab?+=1 prose:letters:ab?=1 "
     "prose:letters:b?+=1"},
    {"letters are characters, not bytes",
     {.kinds = LETTERS, .letters_min = 3, .letters_max = 3},
     "",
     "\xC3\xA9\xC3\xA9",
     "prose:letters:+\xC3\xA9\xC3\xA9=1 prose:letters:\xC3\xA9\xC3\xA9+=1"},
};

static int by_text(const void *left, const void *right)
{
    return strcmp(*(const char *const *)left, *(const char *const *)right);
}

/* The row as in the table above. */
static const char *show(const struct learn_features_table *table,
                        struct learn_rows_row row, struct arena *arena)
{
    const char **lines = arena_array(arena, const char *, row.count + 1);
    struct buf out = {0};

    for (size_t i = 0; i < row.count; i++) {
        const struct learn_features_entry *entry =
            learn_features_entry(table, row.cells[i].column);
        struct str name = learn_features_name(table, row.cells[i].column);
        struct buf line = {0};
        buf_add_format(&line, "%s:%s:%.*s=%.0f", learn_parts_names[entry->part],
                       learn_features_kinds[entry->kind], STR_ARG(name),
                       (double)row.cells[i].value);
        for (size_t c = 0; c < line.len; c++)
            if (line.ptr[c] == ' ')
                line.ptr[c] = '+';
        lines[i] = arena_c_string(arena, buf_str(&line));
        buf_free(&line);
    }
    qsort(lines, row.count, sizeof *lines, by_text);
    for (size_t i = 0; i < row.count; i++)
        buf_add_format(&out, "%s%s", i > 0 ? " " : "", lines[i]);
    const char *text = arena_c_string(arena, buf_str(&out));
    buf_free(&out);
    return text;
}

static void check_row(size_t i)
{
    struct learn_parts parts = {0};
    struct learn_features_table table = {0};
    struct learn_features_reader reader, again;
    struct arena arena = {0};

    parts.at[LEARN_PARTS_TITLE] = str_from(features_rows[i].title);
    parts.at[LEARN_PARTS_PROSE] = str_from(features_rows[i].prose);
    learn_features_open(&reader, features_rows[i].options, &table, NULL);
    const char *grown = show(&table, learn_features_read(&reader, &parts), &arena);
    tap_case("%s", features_rows[i].name);
    CHECK_TEXT(grown, features_rows[i].want);

    tap_case("%s, with a table that does not grow", features_rows[i].name);
    learn_features_open(&again, features_rows[i].options, NULL, &table);
    CHECK_TEXT(show(&table, learn_features_read(&again, &parts), &arena),
               features_rows[i].want);
    parts.at[LEARN_PARTS_PROSE] = STR("zzzz unheard-of");
    parts.at[LEARN_PARTS_TITLE] = STR("");
    CHECK(learn_features_read(&again, &parts).count == 0);
    learn_features_close(&reader);
    learn_features_close(&again);
    learn_features_table_free(&table);
    arena_free(&arena);
}

/* The shorter ones by their bytes, longer ones in part or whole by a hash. */
static void check_by_hand(void)
{
    static const char *const names[] = {"x",
                                        "tf",
                                        "rendered",
                                        "rendering",
                                        "tensorflow.keras",
                                        "tensorflow.keras_",
                                        "tensorflow.keras.layers"};

    for (size_t i = 0; i < ROWS(names); i++) {
        struct learn_features_table table = {0};
        struct learn_features_reader reader;
        struct learn_parts parts = {.at[LEARN_PARTS_TITLE] = str_from(names[i])};
        tap_case("a feature put by hand is the one that is read: %s", names[i]);
        learn_features_put(&table, LEARN_PARTS_TITLE, LEARN_FEATURES_WORD, STR("another"),
                           NULL);
        learn_features_put(&table, LEARN_PARTS_TITLE, LEARN_FEATURES_WORD,
                           str_from(names[i]), NULL);
        learn_features_open(&reader, (struct learn_features_options){.kinds = WORDS},
                            NULL, &table);
        struct learn_rows_row row = learn_features_read(&reader, &parts);
        CHECK(row.count == 1 && row.cells[0].column == 1 && row.cells[0].value == 1);
        learn_features_close(&reader);
        learn_features_table_free(&table);
    }
}

static void check_long(void)
{
    struct arena arena = {0};
    struct learn_features_table table = {0};
    struct learn_features_reader reader;
    struct learn_parts parts = {0};
    size_t len = (size_t)10 << 20;
    char *text = arena_alloc(&arena, len, 1);

    memset(text, 'x', len);
    parts.at[LEARN_PARTS_PROSE] = (struct str){text, len};
    learn_features_open(
        &reader,
        (struct learn_features_options){.kinds = WORDS | RUNS | LETTERS | STEMS,
                                        .run_max = 2,
                                        .letters_min = 3,
                                        .letters_max = 5},
        &table, NULL);
    tap_case("10 MB without a blank have no features");
    CHECK(learn_features_read(&reader, &parts).count == 0);
    learn_features_close(&reader);
    learn_features_table_free(&table);
    arena_free(&arena);
}

/* A table that was read from a file holds what a reader finds. */
static void check_found_again(void)
{
    struct learn_features_options all = {.kinds = WORDS | RUNS | LETTERS | STEMS,
                                         .run_max = 3,
                                         .letters_min = 3,
                                         .letters_max = 5};
    struct learn_features_table grown = {0}, copy = {0};
    struct learn_features_reader reader;
    struct learn_parts parts = {.at[LEARN_PARTS_PROSE] =
                                    STR("Is tf.nn.conv2d slower than cudnn 8.1?"),
                                .at[LEARN_PARTS_TITLE] = STR("a convolution")};

    learn_features_open(&reader, all, &grown, NULL);
    size_t found = learn_features_read(&reader, &parts).count;
    learn_features_close(&reader);
    for (size_t f = 0; f < grown.count; f++) {
        const struct learn_features_entry *entry = learn_features_entry(&grown, f);
        learn_features_put(&copy, (enum learn_parts_name)entry->part,
                           (enum learn_features_kind)entry->kind,
                           learn_features_name(&grown, f), NULL);
    }
    learn_features_open(&reader, all, NULL, &copy);
    struct learn_rows_row row = learn_features_read(&reader, &parts);
    tap_case("what was entered by name is found in a text");
    CHECK(row.count == found && found > 40);
    learn_features_close(&reader);
    learn_features_table_free(&grown);
    learn_features_table_free(&copy);
}

static void test_features(void)
{
    check_found_again();
    for (size_t i = 0; i < ROWS(features_rows); i++)
        check_row(i);
    check_by_hand();
    check_long();
}

/* Features by number, and names that resemble each other. */

static void check_many(void)
{
    enum { MANY = 20000 };
    struct learn_features_table table = {0};
    char name[32];
    bool fresh, right = true;

    for (int round = 0; round < 2; round++)
        for (size_t i = 0; i < MANY; i++) {
            int len =
                snprintf(name, sizeof name, i % 2 == 0 ? "%zu" : "longer-than-8-%zu", i);
            struct str word = {name, (size_t)len};
            size_t number = learn_features_put(&table, LEARN_PARTS_TITLE,
                                               LEARN_FEATURES_WORD, word, &fresh);
            right = right && number == i && fresh == (round == 0) &&
                    str_eq(learn_features_name(&table, i), word);
        }
    tap_case("numbers follow the order of appearance while the table grows");
    CHECK(right && table.count == MANY);

    tap_case("part and kind belong to a feature");
    learn_features_put(&table, LEARN_PARTS_PROSE, LEARN_FEATURES_WORD, STR("2"), &fresh);
    CHECK(fresh);
    learn_features_put(&table, LEARN_PARTS_TITLE, LEARN_FEATURES_STEM, STR("2"), &fresh);
    CHECK(fresh);
    learn_features_table_free(&table);
}

/* Short names are hashed by their bytes, with part and kind beside them. */
static void check_apart(void)
{
    static const char *const names[] = {"rendered", "renderer", "rendereb", "rendere"};
    struct learn_features_table table = {0};
    size_t count = 0;

    for (int part = 0; part < LEARN_PARTS_COUNT; part++)
        for (int kind = 0; kind < LEARN_FEATURES_KINDS; kind++)
            for (size_t i = 0; i < ROWS(names); i++) {
                bool fresh;
                learn_features_put(&table, (enum learn_parts_name)part,
                                   (enum learn_features_kind)kind, str_from(names[i]),
                                   &fresh);
                count += fresh;
            }
    tap_case("names that resemble each other in other parts are features of their own");
    CHECK(count == LEARN_PARTS_COUNT * LEARN_FEATURES_KINDS * ROWS(names));
    learn_features_table_free(&table);
}

/* Words that end like the word before them. */
static void check_runs_apart(void)
{
    static const char *const names[] = {"inputs request.inputs", "model request.model",
                                        "request request.request", "a request.a",
                                        "request."};
    struct learn_features_table table = {0};

    for (size_t i = 0; i < ROWS(names); i++)
        learn_features_put(&table, LEARN_PARTS_CODE, LEARN_FEATURES_RUN,
                           str_from(names[i]), NULL);
    tap_case("runs that repeat themselves are features of their own");
    CHECK(table.count == ROWS(names));
    learn_features_table_free(&table);
}

/* Whatever stands behind a name, its hash is that of its own bytes; every byte counts. */
static void check_bases(void)
{
    char padded[40 + LEARN_FEATURES_TABLE_PAD], other[sizeof padded];
    bool same = true, apart = true;

    for (size_t len = 1; len <= 40; len++) {
        memset(padded, 'a', sizeof padded);
        memset(other, 'b', sizeof other);
        memset(other, 'a', len);
        uint64_t base = learn_features_table_base(padded, len);
        same &= learn_features_table_base(other, len) == base;
        for (size_t at = 0; at < len; at++) {
            padded[at] = 'c';
            apart &= learn_features_table_base(padded, len) != base;
            padded[at] = 'a';
        }
        apart &= learn_features_table_base(padded, len - 1 > 0 ? len - 1 : 2) != base;
    }
    tap_case("what stands behind a name plays no part");
    CHECK(same);
    tap_case("names of every length that differ in one byte, or in length, are apart");
    CHECK(apart);
}

static void test_features_table(void)
{
    check_apart();
    check_runs_apart();
    check_many();
    check_bases();
}

/* What is found in a part, in its order: numbers of features depend on that. */

#define FIND_WORDS  (1u << LEARN_FEATURES_WORD)
#define FIND_RUNS   (1u << LEARN_FEATURES_RUN)
#define FIND_STEMS  (1u << LEARN_FEATURES_STEM)
#define FIND_ERRORS (1u << LEARN_FEATURES_ERROR)

static const struct {
    const char *name;
    unsigned kinds;
    const char *text;
    const char *found; /* by | */
} find_rows[] = {
    {"nothing", FIND_WORDS, "", ""},
    {"words in lower case", FIND_WORDS, "One TWO one", "one|two|one"},
    {"pieces behind their word", FIND_WORDS, "a.b_c d", "a.b_c|a|b|c|d"},
    {"numbers are no pieces", FIND_WORDS, "18.3.0.canary", "18.3.0.canary|canary"},
    {"a dot that begins a word is no piece", FIND_WORDS, ".net", ".net|net"},
    {"underscores at the ends", FIND_WORDS, "__init__", "__init__|init"},
    {"placeholders", FIND_WORDS, "7 v7 7.1 7.1.2 v v7a", "<n>|<v>|<n>|<v>|v|v7a"},
    {"an error behind its word", FIND_WORDS | FIND_ERRORS, "KeyError a",
     "keyerror|keyerror|a"},
    {"runs behind the word that they begin with", FIND_WORDS | FIND_RUNS, "a.b c d",
     "a.b|a|b|a.b c|a.b c d|c|c d|d"},
    {"runs alone", FIND_RUNS, "a b", "a b"},
    {"stems behind all words", FIND_WORDS | FIND_STEMS, "crashes it",
     "crashes|it|crash|it"},
    {"words of 16 bytes and around", FIND_WORDS,
     "aaaaaaaaaaaaaaa bbbbbbbbbbbbbbbb ccccccccccccccccc",
     "aaaaaaaaaaaaaaa|bbbbbbbbbbbbbbbb|ccccccccccccccccc"},
};

static void find_check_row(size_t i)
{
    struct learn_features_options options = {.kinds = find_rows[i].kinds, .run_max = 3};
    struct learn_features_table table = {0};
    struct learn_features_reader reader;
    struct buf got = {0};

    learn_features_open(&reader, options, &table, NULL);
    learn_features_find(&reader, str_from(find_rows[i].text), LEARN_PARTS_TITLE);
    const struct learn_features_found *found =
        (const struct learn_features_found *)(const void *)reader.found.ptr;
    for (size_t f = 0; f < reader.found.len / sizeof *found; f++) {
        if (f > 0)
            buf_add_char(&got, '|');
        buf_add(&got, (struct str){reader.text.ptr + found[f].at, found[f].len});
    }
    tap_case("%s", find_rows[i].name);
    CHECK(str_eq(buf_str(&got), str_from(find_rows[i].found)));
    buf_free(&got);
    learn_features_close(&reader);
    learn_features_table_free(&table);
}

static void test_features_find(void)
{
    for (size_t i = 0; i < ROWS(find_rows); i++)
        find_check_row(i);
}

/* Bodies in html and Markdown into prose, code and inline code. */

static const struct {
    const char *name, *body, *prose, *code, *inline_code;
} parts_rows[] = {
    {"empty", "", "", "", ""},
    {"plain", "just text", "just text\n", "", ""},
    {"html", "<p>Use <code>a.b</code></p><pre>x = 1</pre>", "Use a.b", "x = 1", "a.b"},
    {"markdown fence", "a\n```py\nx = 1\n```\nb", "a\n\n\nb\n", "x = 1\n", ""},
    {"markdown tilde", "~~~\ny\n~~~\n", "", "y\n", ""},
    {"fence without end", "a\n```\nx", "a\n", "x\n", ""},
    {"inline", "call `f()` or `g`", "call f() or g\n", "", "f()\ng\n"},
    {"a backtick alone", "it`s", "it`s\n", "", ""},
    {"a comparison is no html", "if a < b > c", "if a < b > c\n", "", ""},
};

static void check_text(struct str got, const char *want)
{
    struct str trimmed = str_trim(got), expected = str_trim(str_from(want));

    CHECK(str_eq(trimmed, expected));
}

static void test_parts(void)
{
    struct learn_parts_splitter splitter = {0};

    for (size_t i = 0; i < ROWS(parts_rows); i++) {
        struct learn_parts parts = {0};
        tap_case("%s", parts_rows[i].name);
        learn_parts_split(str_from(parts_rows[i].body), &splitter, &parts);
        check_text(parts.at[LEARN_PARTS_PROSE], parts_rows[i].prose);
        check_text(parts.at[LEARN_PARTS_CODE], parts_rows[i].code);
        check_text(parts.at[LEARN_PARTS_INLINE], parts_rows[i].inline_code);
    }
    struct learn_parts own = {.at[LEARN_PARTS_CODE] = STR("own")};
    tap_case("what is there already stays");
    learn_parts_complete(STR("a `b`\n```\nx\n```\n"), &splitter, &own);
    check_text(own.at[LEARN_PARTS_CODE], "own");
    check_text(own.at[LEARN_PARTS_PROSE], "a b");
    check_text(own.at[LEARN_PARTS_INLINE], "b");
    learn_parts_splitter_free(&splitter);
}

/* Sparse rows: what was added comes back, and products are right. */

static void test_rows(void)
{
    struct learn_rows_builder builder = {0}, none = {0};
    const double weights[TOY_COLUMNS] = {1, 10, 100, 1000};
    const double dots[TOY_ROWS] = {12, 101, 1030, 210, 2001, 3100};

    tap_case("no rows");
    CHECK(learn_rows_of(&none, 3).count == 0);

    struct learn_rows rows = toy_rows(&builder);
    tap_case("as many rows and columns as were added");
    CHECK(rows.count == TOY_ROWS && rows.columns == TOY_COLUMNS);
    for (size_t i = 0; i < TOY_ROWS; i++) {
        tap_case("product of row %zu", i);
        CHECK_NEAR(learn_rows_dot(learn_rows_at(&rows, i), weights), dots[i], 0);
    }
    learn_rows_end_row(&builder);
    rows = learn_rows_of(&builder, TOY_COLUMNS);
    tap_case("an empty row");
    CHECK(rows.count == TOY_ROWS + 1 && learn_rows_at(&rows, TOY_ROWS).count == 0);
    learn_rows_builder_free(&builder);
    learn_rows_builder_free(&none);
}

/* Stop words: the list is searched right, and leaves in what tells questions apart. */

static const struct {
    const char *word;
    bool is;
} stopwords_rows[] = {
    {"a", true},        {"the", true},         {"your", true}, {"through", true},
    {"i", true},        {"how", false},        {"why", false}, {"not", false},
    {"error", false},   {"", false},           {"z", false},   {"th", false},
    {"thee", false},    {"throughout", false}, {"The", false}, {"can", false},
    {"install", false},
};

static void test_stopwords(void)
{
    for (size_t i = 0; i < ROWS(stopwords_rows); i++) {
        tap_case("'%s'", stopwords_rows[i].word);
        CHECK(learn_stopwords_has(str_from(stopwords_rows[i].word)) ==
              stopwords_rows[i].is);
    }
}

int main(void)
{
    test_features();
    test_features_table();
    test_features_find();
    test_parts();
    test_rows();
    test_stopwords();
    return tap_done();
}
