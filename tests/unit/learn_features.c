/* Which features a post has, and how often. */
#include "learn/features.h"

#include <stdlib.h>
#include <string.h>

#include "tests/tap.h"

#define WORDS   (1u << FEATURES_WORD)
#define STEMS   (1u << FEATURES_STEM)
#define RUNS    (1u << FEATURES_RUN)
#define LETTERS (1u << FEATURES_LETTERS)
#define ERRORS  (1u << FEATURES_ERROR)

static const struct {
    const char *name;
    struct features_options options;
    const char *title, *prose;
    const char *want; /* part:kind:name=count, sorted, by blanks; ' ' in a name is '+' */
} rows[] = {
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
static const char *show(const struct features_table *table, struct rows_row row,
                        struct arena *arena)
{
    const char **lines = arena_array(arena, const char *, row.count + 1);
    struct buf out = {0};

    for (size_t i = 0; i < row.count; i++) {
        const struct features_entry *entry = features_entry(table, row.cells[i].column);
        struct str name = features_name(table, row.cells[i].column);
        struct buf line = {0};
        buf_add_format(&line, "%s:%s:%.*s=%.0f", parts_names[entry->part],
                       features_kinds[entry->kind], STR_ARG(name),
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
    struct parts parts = {0};
    struct features_table table = {0};
    struct features_reader reader, again;
    struct arena arena = {0};

    parts.at[PARTS_TITLE] = str_from(rows[i].title);
    parts.at[PARTS_PROSE] = str_from(rows[i].prose);
    features_open(&reader, rows[i].options, &table, NULL);
    const char *grown = show(&table, features_read(&reader, &parts), &arena);
    tap_case("%s", rows[i].name);
    CHECK_TEXT(grown, rows[i].want);

    tap_case("%s, with a table that does not grow", rows[i].name);
    features_open(&again, rows[i].options, NULL, &table);
    CHECK_TEXT(show(&table, features_read(&again, &parts), &arena), rows[i].want);
    parts.at[PARTS_PROSE] = STR("zzzz unheard-of");
    parts.at[PARTS_TITLE] = STR("");
    CHECK(features_read(&again, &parts).count == 0);
    features_close(&reader);
    features_close(&again);
    features_table_free(&table);
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
        struct features_table table = {0};
        struct features_reader reader;
        struct parts parts = {.at[PARTS_TITLE] = str_from(names[i])};
        tap_case("a feature put by hand is the one that is read: %s", names[i]);
        features_put(&table, PARTS_TITLE, FEATURES_WORD, STR("another"), NULL);
        features_put(&table, PARTS_TITLE, FEATURES_WORD, str_from(names[i]), NULL);
        features_open(&reader, (struct features_options){.kinds = WORDS}, NULL, &table);
        struct rows_row row = features_read(&reader, &parts);
        CHECK(row.count == 1 && row.cells[0].column == 1 && row.cells[0].value == 1);
        features_close(&reader);
        features_table_free(&table);
    }
}

static void check_long(void)
{
    struct arena arena = {0};
    struct features_table table = {0};
    struct features_reader reader;
    struct parts parts = {0};
    size_t len = (size_t)10 << 20;
    char *text = arena_alloc(&arena, len, 1);

    memset(text, 'x', len);
    parts.at[PARTS_PROSE] = (struct str){text, len};
    features_open(&reader,
                  (struct features_options){.kinds = WORDS | RUNS | LETTERS | STEMS,
                                            .run_max = 2,
                                            .letters_min = 3,
                                            .letters_max = 5},
                  &table, NULL);
    tap_case("10 MB without a blank have no features");
    CHECK(features_read(&reader, &parts).count == 0);
    features_close(&reader);
    features_table_free(&table);
    arena_free(&arena);
}

/* A table that was read from a file holds what a reader finds. */
static void check_found_again(void)
{
    struct features_options all = {.kinds = WORDS | RUNS | LETTERS | STEMS,
                                   .run_max = 3,
                                   .letters_min = 3,
                                   .letters_max = 5};
    struct features_table grown = {0}, copy = {0};
    struct features_reader reader;
    struct parts parts = {.at[PARTS_PROSE] =
                              STR("Is tf.nn.conv2d slower than cudnn 8.1?"),
                          .at[PARTS_TITLE] = STR("a convolution")};

    features_open(&reader, all, &grown, NULL);
    size_t found = features_read(&reader, &parts).count;
    features_close(&reader);
    for (size_t f = 0; f < grown.count; f++) {
        const struct features_entry *entry = features_entry(&grown, f);
        features_put(&copy, (enum parts_name)entry->part, (enum features_kind)entry->kind,
                     features_name(&grown, f), NULL);
    }
    features_open(&reader, all, NULL, &copy);
    struct rows_row row = features_read(&reader, &parts);
    tap_case("what was entered by name is found in a text");
    CHECK(row.count == found && found > 40);
    features_close(&reader);
    features_table_free(&grown);
    features_table_free(&copy);
}

int main(void)
{
    check_found_again();
    for (size_t i = 0; i < ROWS(rows); i++)
        check_row(i);
    check_by_hand();
    check_long();
    return tap_done();
}
