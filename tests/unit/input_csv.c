/* Csv: records, fields, places in messages, and tables with heads. */
#include "input/csv.h"

#include "base/arena.h"
#include "base/rng.h"
#include "tests/tap.h"

/* The csv reader: rows with the lines where they begin, or the one error, whatever the
 * pieces and the path through the processor. */

#define BYTES(literal) STR_INIT(literal) /* with NUL */

/* A row is shown as its line, a colon and its fields in brackets. */
static const struct {
    const char *name;
    struct str input;
    const char *rows;
    const char *error; /* NULL: none */
} rows[] = {
    {"nothing", BYTES(""), "", NULL},
    {"only a header", BYTES("a,b"), "1:[a|b]", NULL},
    {"LF", BYTES("a,b\n1,2\n"), "1:[a|b]2:[1|2]", NULL},
    {"CRLF", BYTES("a,b\r\n1,2\r\n3,4\r\n"), "1:[a|b]2:[1|2]3:[3|4]", NULL},
    {"CR", BYTES("a,b\r1,2\r3,4\r"), "1:[a|b]2:[1|2]3:[3|4]", NULL},
    {"all three", BYTES("a,b\r1,2\n3,4\r\n5,6"), "1:[a|b]2:[1|2]3:[3|4]4:[5|6]", NULL},
    {"no end of the last line", BYTES("a,b\n1,2"), "1:[a|b]2:[1|2]", NULL},
    {"an empty last line", BYTES("a,b\n1,2\n\n"), "1:[a|b]2:[1|2]", NULL},
    {"empty lines between", BYTES("\n\r\na,b\n\n\r\n1,2\r\r3,4"), "3:[a|b]6:[1|2]8:[3|4]",
     NULL},
    {"empty lines of one column", BYTES("\na\n\n1\n\n"), "2:[a]3:[]4:[1]5:[]", NULL},
    {"the same with CRLF", BYTES("a\r\n\r\n1\r\n"), "1:[a]2:[]3:[1]", NULL},
    {"empty fields", BYTES("a,b,c\n,,\n1,,\n,,3"), "1:[a|b|c]2:[||]3:[1||]4:[||3]", NULL},
    {"blanks stay", BYTES(" a , b\n 1, 2 \n"), "1:[ a | b]2:[ 1| 2 ]", NULL},
    {"quotes", BYTES("\"a\",\"b\"\n\"1\",2\n3,\"4\""), "1:[a|b]2:[1|2]3:[3|4]", NULL},
    {"empty quotes", BYTES("a,b\n\"\",\"\"\n"), "1:[a|b]2:[|]", NULL},
    {"separator in quotes", BYTES("a,b\n\"1,2\",\"3;\t4\"\n"), "1:[a|b]2:[1,2|3;\t4]",
     NULL},
    {"lines in quotes", BYTES("a,b\n\"1\n2\r\n\r3\",4\n5,6"),
     "1:[a|b]2:[1\n2\r\n\r3|4]6:[5|6]", NULL},
    {"doubled quotes", BYTES("a,b\n\"say \"\"hi\"\"\",\"\"\"\"\n"),
     "1:[a|b]2:[say \"hi\"|\"]", NULL},
    {"only doubled quotes", BYTES("a\n\"\"\"\"\"\"\n"), "1:[a]2:[\"\"]", NULL},
    {"a quote within a plain field", BYTES("a,b\n5\",6\"\"x\n"), "1:[a|b]2:[5\"|6\"\"x]",
     NULL},
    {"a quote behind a blank", BYTES("a,b\n1, \"2\n"), "1:[a|b]2:[1| \"2]", NULL},
    {"byte-order mark", BYTES("\xEF\xBB\xBF\"a\",b\n1,2\n"), "1:[a|b]2:[1|2]", NULL},
    {"byte-order mark alone", BYTES("\xEF\xBB\xBF"), "", NULL},
    {"a mark later is text", BYTES("a\n\xEF\xBB\xBF\n"), "1:[a]2:[\xEF\xBB\xBF]", NULL},
    {"begins like a mark", BYTES("\xEF\xBB\xBE,\"b\"\n1,2"), "1:[\xEF\xBB\xBE|b]2:[1|2]",
     NULL},
    {"begins like a mark, less", BYTES("\xEF\xBC\x81\"\n1"), "1:[\xEF\xBC\x81\"]2:[1]",
     NULL},
    {"semicolons", BYTES("a;b;c,d\n1;2,5;3\n"), "1:[a|b|c,d]2:[1|2,5|3]", NULL},
    {"tabs", BYTES("a\tb\n1,5\t2;5\n"), "1:[a|b]2:[1,5|2;5]", NULL},
    {"separators in the header's quotes", BYTES("\"a,b,c\";\"d\"\"e,\"\n1;2\n"),
     "1:[a,b,c|d\"e,]2:[1|2]", NULL},
    {"as many of each: the comma", BYTES("a,b;c\td\n1,2\n"), "1:[a|b;c\td]2:[1|2]", NULL},
    {"a header over two lines", BYTES("\"a\nx\",b\n1,2\n"), "1:[a\nx|b]3:[1|2]", NULL},
    {"UTF-8", BYTES("\xC3\xA9,\xE6\x9D\xB1\n\"\xF0\x9F\x98\x80\",\xF4\x8F\xBF\xBF\n"),
     "1:[\xC3\xA9|\xE6\x9D\xB1]2:[\xF0\x9F\x98\x80|\xF4\x8F\xBF\xBF]", NULL},
    {"fields longer than a block",
     BYTES("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa,b\n"
           "\"cccccccccccccccccccccccccccccccc\"\"ccccccccccccccccccccccccccccccc\","
           "dddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddd\n"),
     "1:[aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa|b]"
     "2:[cccccccccccccccccccccccccccccccc\"ccccccccccccccccccccccccccccccc|"
     "dddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddd]",
     NULL},

    {"too few fields", BYTES("a,b,c\n1,2,3\n4,5\n"), "1:[a|b|c]2:[1|2|3]",
     "f.csv:3:1: found 2 fields, expected 3 as in the header"},
    {"too few, one", BYTES("a,b\nx\n"), "1:[a|b]",
     "f.csv:2:1: found 1 field, expected 2 as in the header"},
    {"too many fields", BYTES("a,b\r\n1,2,3\r\n"), "1:[a|b]",
     "f.csv:2:1: found 3 fields, expected 2 as in the header"},
    {"too many, over lines", BYTES("a,b\n1,2\n\"3\n\n\",4,5\n"), "1:[a|b]2:[1|2]",
     "f.csv:3:1: found 3 fields, expected 2 as in the header (the row ends in line 5)"},
    {"too few at the end", BYTES("a,b\n1,2\n3"), "1:[a|b]2:[1|2]",
     "f.csv:3:1: found 1 field, expected 2 as in the header"},
    {"an open quote", BYTES("a,b\n1,2\n3,\"4\n5,6\n"), "1:[a|b]2:[1|2]",
     "f.csv:3:3: the quote that opens here is never closed"},
    {"an open quote, far in its row", BYTES("a,b\n\"\xC3\xA9\n\xC3\xA9\",\"4\"\"\n5,6\n"),
     "1:[a|b]", "f.csv:3:4: the quote that opens here is never closed"},
    {"an open quote in the header", BYTES("a,\"b\n1,2\n"), "",
     "f.csv:1:3: the quote that opens here is never closed"},
    {"text behind a quote", BYTES("a,b\n1,\"2\"x\n"), "1:[a|b]",
     "f.csv:2:6: found 'x' behind a closing quote, expected ',' or the end of the line; "
     "a "
     "quote inside quotes is written twice"},
    {"a blank behind a quote", BYTES("a\tb\n1\t\"2\" \n"), "1:[a|b]",
     "f.csv:2:6: found ' ' behind a closing quote, expected a tab or the end of the "
     "line; a "
     "quote inside quotes is written twice"},
    {"a quote escaped otherwise", BYTES("a;b\n1;\"2\n\\\"x\\\" \"\n"), "1:[a|b]",
     "f.csv:3:3: found 'x' behind a closing quote, expected ';' or the end of the line; "
     "a "
     "quote inside quotes is written twice"},
    {"NUL behind a quote", BYTES("a,b\n1,\"2\"\0\n"), "1:[a|b]",
     "f.csv:2:6: found byte 0x00 behind a closing quote, expected ',' or the end of the "
     "line; a quote inside quotes is written twice"},
    {"NUL", BYTES("a,b\n1,2\n3\xC3\xA9\0,4\n"), "1:[a|b]2:[1|2]",
     "f.csv:3:3: found byte 0x00, expected text in UTF-8"},
    {"NUL in quotes", BYTES("a,b\n\"x\ny\0\",2\n"), "1:[a|b]",
     "f.csv:3:2: found byte 0x00, expected text in UTF-8"},
    {"latin-1", BYTES("a,b\nabcdefghi,caf\xE9\n"), "1:[a|b]",
     "f.csv:2:14: found byte 0xE9, expected text in UTF-8"},
    {"overlong", BYTES("a\n\xC0\xAF\n"), "1:[a]",
     "f.csv:2:1: found byte 0xC0, expected text in UTF-8"},
    {"overlong, three bytes", BYTES("a\n\xE0\x9F\xBF\n"), "1:[a]",
     "f.csv:2:1: found byte 0xE0, expected text in UTF-8"},
    {"overlong, four bytes", BYTES("a\n\xF0\x8F\xBF\xBF\n"), "1:[a]",
     "f.csv:2:1: found byte 0xF0, expected text in UTF-8"},
    {"surrogate", BYTES("a\n\xED\xA0\x80\n"), "1:[a]",
     "f.csv:2:1: found byte 0xED, expected text in UTF-8"},
    {"beyond Unicode", BYTES("a\n\xF4\x90\x80\x80\n"), "1:[a]",
     "f.csv:2:1: found byte 0xF4, expected text in UTF-8"},
    {"a cut character", BYTES("a,b\n1,\xE6\x9D\n"), "1:[a|b]",
     "f.csv:2:3: found byte 0xE6, expected text in UTF-8"},
    {"a character cut by the end", BYTES("a,b\n1,\xF0\x9F\x98"), "1:[a|b]",
     "f.csv:2:3: found byte 0xF0, expected text in UTF-8"},
    {"UTF-16",
     BYTES("\xFF\xFE"
           "a\0,\0b\0\n\0"),
     "", "f.csv:1:1: found byte 0xFF, expected text in UTF-8: this file is UTF-16"},
    {"UTF-16, the other way", BYTES("\xFE\xFF\0a\0,\0b\0\n"), "",
     "f.csv:1:1: found byte 0xFE, expected text in UTF-8: this file is UTF-16"},
};

static void show(struct buf *out, const struct input_csv_row *row)
{
    buf_add_int(out, row->line);
    buf_add_char(out, ':');
    for (size_t i = 0; i < row->count; i++) {
        buf_add_char(out, i == 0 ? '[' : '|');
        buf_add(out, row->fields[i]);
    }
    buf_add_char(out, ']');
}

static void take_all(struct input_csv *csv, struct buf *out, struct err *err)
{
    struct input_csv_row row;

    while (input_csv_next(csv, &row, err))
        show(out, &row);
}

/* Reads input in two pieces, or, when `by` is not 0, in pieces of that size. The pieces
 * are copies of their exact size, so that a read beyond them is noticed. */
static void check_pieces(size_t i, size_t cut, size_t by, bool portable)
{
    struct input_csv csv = {.path = "f.csv", .portable = portable};
    struct buf out = {0};
    struct err err = {0};
    size_t len = rows[i].input.len;

    for (size_t at = 0, next; at < len || at == 0; at = next) {
        struct arena arena = {0};
        next = by > 0 ? at + by : at == 0 && cut > 0 ? cut : len;
        next = next < len ? next : len;
        struct str piece = str_slice(rows[i].input, at, next);
        input_csv_push(&csv, arena_copy(&arena, piece), next == len);
        take_all(&csv, &out, &err);
        arena_free(&arena);
        if (next == len)
            break;
    }
    buf_add_char(&out, '\0');
    CHECK_TEXT(out.ptr, rows[i].rows);
    CHECK_TEXT(err.text, rows[i].error != NULL ? rows[i].error : "");
    CHECK(csv.failed == (rows[i].error != NULL));
    CHECK(err.kind == (rows[i].error != NULL ? ERR_INPUT : ERR_NONE));
    struct input_csv_row row;
    CHECK(!input_csv_next(&csv, &row, &err));
    buf_free(&out);
    input_csv_free(&csv);
}

static void check_rows(void)
{
    for (size_t i = 0; i < ROWS(rows); i++) {
        tap_case("csv: %s", rows[i].name);
        for (int portable = 0; portable < 2; portable++) {
            for (size_t cut = 0; cut <= rows[i].input.len; cut++)
                check_pieces(i, cut, 0, portable);
            check_pieces(i, 0, 1, portable);
            check_pieces(i, 0, 7, portable);
        }
    }
}

/* The text in pieces of `by` bytes, all but the last not the last. */
static void read_text(struct input_csv *csv, struct str text, size_t by, struct buf *out,
                      struct err *err)
{
    for (size_t at = 0; at < text.len && !csv->failed; at += by) {
        input_csv_push(csv, str_slice(text, at, at + by), false);
        take_all(csv, out, err);
    }
    input_csv_push(csv, (struct str){NULL, 0}, true);
    take_all(csv, out, err);
}

static void check_limits(void)
{
    static const struct {
        const char *name;
        struct str before;
        char filler;
        size_t times;
        struct str behind;
        const char *rows;
        const char *error;
    } long_rows[] = {
        {"as many fields as may be", BYTES(""), ',', INPUT_CSV_FIELDS_MAX - 1,
         BYTES("\n"), NULL, ""},
        {"too many fields", BYTES(""), ',', INPUT_CSV_FIELDS_MAX, BYTES("\n"), "",
         "f.csv:1:1: the row that begins here has more than 10000 fields"},
        {"a long row", BYTES("a,b\n\xC3\xA9,"), 'x', INPUT_CSV_ROW_MAX, BYTES("\n"),
         "1:[a|b]", "f.csv:2:1: the row that begins here is longer than 64 MiB"},
        {"a long quote", BYTES("a,b\n\xC3\xA9,\""), 'x', INPUT_CSV_ROW_MAX, BYTES("\"\n"),
         "1:[a|b]", "f.csv:2:3: the quote that opens here is not closed within 64 MiB"},
        {"a long header", BYTES("a,\""), 'x', INPUT_CSV_ROW_MAX, BYTES("\"\n"), "",
         "f.csv:1:3: the quote that opens here is not closed within 64 MiB"},
    };

    for (size_t i = 0; i < ROWS(long_rows); i++) {
        static const size_t sizes[] = {1 << 20, SIZE_MAX / 2};
        struct buf text = {0};
        buf_add(&text, long_rows[i].before);
        memset(buf_reserve(&text, long_rows[i].times), long_rows[i].filler,
               long_rows[i].times);
        text.len += long_rows[i].times;
        buf_add(&text, long_rows[i].behind);
        tap_case("csv limits: %s", long_rows[i].name);
        for (size_t s = 0; s < ROWS(sizes); s++) {
            struct input_csv csv = {.path = "f.csv"};
            struct buf out = {0};
            struct err err = {0};
            read_text(&csv, buf_str(&text), sizes[s], &out, &err);
            CHECK_TEXT(err.text, long_rows[i].error);
            buf_add_char(&out, '\0');
            if (long_rows[i].rows != NULL)
                CHECK_TEXT(out.ptr, long_rows[i].rows);
            buf_free(&out);
            input_csv_free(&csv);
        }
        buf_free(&text);
    }
}

static void check_given_separator(void)
{
    static const struct str text = BYTES("a,b;c\n1,2;3\n");
    struct input_csv csv = {.path = "f.csv", .separator = ';'};
    struct buf out = {0};
    struct err err = {0};

    tap_case("csv: a separator that the caller gives");
    read_text(&csv, text, 3, &out, &err);
    buf_add_char(&out, '\0');
    CHECK_TEXT(out.ptr, "1:[a,b|c]2:[1,2|3]");
    CHECK(csv.columns == 2 && csv.separator == ';');
    buf_free(&out);
    input_csv_free(&csv);

    tap_case("csv: a separator that was found");
    csv = (struct input_csv){.path = "f.csv"};
    out = (struct buf){0};
    read_text(&csv, (struct str)BYTES("a\tb\n"), 1, &out, &err);
    CHECK(csv.separator == '\t' && csv.columns == 2);
    buf_free(&out);
    input_csv_free(&csv);

    tap_case("csv: a given separator and what begins like a mark");
    csv = (struct input_csv){.path = "f.csv", .separator = ','};
    out = (struct buf){0};
    read_text(&csv, (struct str)BYTES("\xEF\xBB\xBE,b\n1,2"), 1, &out, &err);
    buf_add_char(&out, '\0');
    CHECK_TEXT(out.ptr, "1:[\xEF\xBB\xBE|b]2:[1|2]");
    buf_free(&out);
    input_csv_free(&csv);
}

/* A quoted field of so many bytes, each third of them a line end; then a row. */
static void check_lines_in_field(void)
{
    static const size_t lengths[] = {1, 15, 16, 17, 31, 4079, 4080, 4081, 20000};
    static const char *const fields[] = {"\nab", "\n\n\n"};

    for (size_t i = 0; i < 2 * ROWS(lengths); i++) {
        struct input_csv csv = {.path = "f.csv"};
        struct input_csv_row row = {0};
        struct buf text = {0};
        struct err err = {0};
        size_t len = lengths[i / 2];
        int64_t lines = 3;
        tap_case("csv: lines of a field of %zu bytes, %s", len,
                 i % 2 == 0 ? "some" : "all of them");
        buf_add(&text, STR("a,b\n\""));
        for (size_t at = 0; at < len; at++) {
            buf_add_char(&text, fields[i % 2][at % 3]);
            lines += fields[i % 2][at % 3] == '\n';
        }
        buf_add(&text, STR("\",1\n2,3\n"));
        input_csv_push(&csv, buf_str(&text), true);
        while (input_csv_next(&csv, &row, &err))
            continue;
        CHECK(!csv.failed && row.line == lines);
        buf_free(&text);
        input_csv_free(&csv);
    }
}

/* Rows that are wrong, left out; the same whatever the pieces are. */
static const struct {
    const char *name;
    struct str input;
    const char *rows;
    int broken;
    bool lost; /* the last of them cannot be left out */
} broken[] = {
    {"too few and too many", BYTES("a,b\n1\n2,x\n3,x,y\n4,y\n"), "1:[a|b]3:[2|x]5:[4|y]",
     2, false},
    {"at the end", BYTES("a,b\n1,x\n2"), "1:[a|b]2:[1|x]", 1, false},
    {"over several lines", BYTES("a,b\r\n\"1\r\n\r\n\"\r\n2,x\r\n"), "1:[a|b]5:[2|x]", 1,
     false},
    {"not UTF-8", BYTES("a,b\n1,\xFF\n2,x\n"), "1:[a|b]3:[2|x]", 1, false},
    {"text behind a quote", BYTES("a,b\n1,\"x\"y\n2,x\n"), "1:[a|b]3:[2|x]", 1, false},
    {"a quote that opens and meets that of the next row",
     BYTES("a,b\n1,\"x\n2,\"y\"\n3,z\n"), "1:[a|b]3:[2|y]4:[3|z]", 1, false},
    {"a quote that opens in a later line of its row",
     BYTES("a,b,c\n1,\"x\ny\",\"z\n2,p,q\n"), "1:[a|b|c]4:[2|p|q]", 1, false},
    {"a quote that is never closed", BYTES("a,b\n1,\"x\n2,y\n3,z"),
     "1:[a|b]3:[2|y]4:[3|z]", 1, false},
    {"never closed, CR", BYTES("a,b\r1,\"x\r2,y\r"), "1:[a|b]3:[2|y]", 1, false},
    {"never closed, CRLF", BYTES("a,b\r\n1,\"x\r\n2,y\r\n"), "1:[a|b]3:[2|y]", 1, false},
    {"never closed in the last line", BYTES("a,b\n1,x\n2,\"y"), "1:[a|b]2:[1|x]", 1,
     false},
    {"two that are never closed", BYTES("a,b\n1,\"x\n2,y\n3,\"z\n4,w\n"),
     "1:[a|b]3:[2|y]5:[4|w]", 2, false},
    {"the header", BYTES("\"a\"x,b\n1,x\n"), "", 1, true},
};

/* All rows that can be read, in pieces of `by` bytes, then how many could not. */
static void read_broken(struct str input, size_t by, struct buf *out, int *count,
                        bool *lost)
{
    struct input_csv csv = {.path = "f.csv"};

    *count = 0;
    *lost = false;
    for (size_t at = 0; at < input.len && !*lost; at += by) {
        struct arena arena = {0};
        struct str piece = str_slice(input, at, at + by);
        bool again = true;
        input_csv_push(&csv, arena_copy(&arena, piece), at + by >= input.len);
        while (again) {
            struct err err = {0};
            take_all(&csv, out, &err);
            again = csv.failed;
            *count += csv.failed;
            *lost = csv.failed && !input_csv_skip(&csv);
            again &= !*lost;
        }
        arena_free(&arena);
    }
    buf_add_char(out, '\0');
    input_csv_free(&csv);
}

static void check_broken(void)
{
    for (size_t i = 0; i < ROWS(broken); i++) {
        tap_case("broken rows: %s", broken[i].name);
        for (size_t by = 1; by <= broken[i].input.len; by++) {
            struct buf out = {0};
            int count;
            bool lost;
            read_broken(broken[i].input, by, &out, &count, &lost);
            CHECK_TEXT(out.ptr, broken[i].rows);
            CHECK(count == broken[i].broken && lost == broken[i].lost);
            buf_free(&out);
        }
    }
}

static void check_broken_at_random(void)
{
    enum { ROUNDS = 3000, BYTES_MAX = 60 };
    static const char letters[] = "a,\"\n\r,\n1\xFF";
    struct rng rng = rng_seeded(4);
    char text[BYTES_MAX];
    size_t wrong = 0;

    tap_case("broken rows: at random, and in pieces");
    for (int round = 0; round < ROUNDS; round++) {
        struct str input = {text, 4 + (size_t)rng_below(&rng, BYTES_MAX - 4)};
        struct buf whole = {0};
        int count, other_count;
        bool lost, other_lost;
        memcpy(text, "a,b\n", 4);
        for (size_t i = 4; i < input.len; i++)
            text[i] = letters[rng_below(&rng, sizeof letters - 1)];
        read_broken(input, input.len, &whole, &count, &lost);
        for (size_t by = 1; by < 9; by++) {
            struct buf out = {0};
            read_broken(input, by, &out, &other_count, &other_lost);
            wrong += !str_eq(buf_str(&whole), buf_str(&out)) || count != other_count ||
                     lost != other_lost;
            buf_free(&out);
        }
        buf_free(&whole);
    }
    CHECK(wrong == 0);
}

static void test_csv(void)
{
    check_broken();
    check_broken_at_random();
    check_lines_in_field();
    check_rows();
    check_limits();
    check_given_separator();
}

/* Tables with heads: who gets which row, and where errors are told to be. */

struct seen {
    struct buf text;
    size_t column;
};

static bool take_head(void *context, const struct input_csv_row *head, struct err *err)
{
    struct seen *seen = context;

    return input_csv_rows_need(head, STR("code"), &seen->column, err);
}

static bool take_row(void *context, const struct input_csv_row *row, struct err *err)
{
    struct seen *seen = context;
    struct str code = row->fields[seen->column];

    buf_add_format(&seen->text, "%lld:%.*s ", (long long)row->line, STR_ARG(code));
    return !str_eq(code, STR("bad")) || err_set(err, ERR_INPUT, "found 'bad'");
}

static const struct {
    const char *name, *text, *rows, *error;
} tables[] = {
    {"heads and rows", "item,code\n1,a\n2,b\n", "2:a 3:b ", ""},
    {"blanks around a head", "item, code \n1,a\n", "2:a ", ""},
    {"a row over two lines", "item,code\n1,\"a\nb\"\n2,c\n", "2:a\nb 4:c ", ""},
    {"heads alone", "item,code\n", "", ""},
    {"nothing", "", "", "t.csv:1: the file is empty; expected a row of heads"},
    {"no such column", "item,label\n1,a\n", "",
     "t.csv:1: there is no column 'code'; there are item, label"},
    {"a column much like it", "item,codes\n1,a\n", "",
     "t.csv:1: there is no column 'code'; did you mean 'codes'?"},
    {"the one who takes the row complains", "item,code\n1,a\n2,bad\n3,c\n", "2:a 3:bad ",
     "t.csv:3: found 'bad'"},
    {"a row that is no row", "item,code\n1,a\n2\n", "2:a ",
     "t.csv:3:1: found 1 field, expected 2 as in the header"},
};

static void test_csv_rows(void)
{
    for (size_t i = 0; i < ROWS(tables); i++) {
        struct seen seen = {0};
        struct input_csv_rows to = {take_head, take_row, &seen};
        struct err err = {0};
        tap_case("%s", tables[i].name);
        CHECK(input_csv_rows_read(str_from(tables[i].text), "t.csv", &to, &err) ==
              (tables[i].error[0] == '\0'));
        CHECK_TEXT(err.text, tables[i].error);
        buf_add_char(&seen.text, '\0');
        CHECK_TEXT(seen.text.ptr, tables[i].rows);
        buf_free(&seen.text);
    }
}

static const struct {
    const char *name;
    struct str text;
    const char *rows;
    int64_t turned;
} foreign[] = {
    {"Latin-1", STR_INIT("a,b\nTw\xF6,x\n"), "a|b|Tw\u00F6|x|", 1},
    {"what Windows-1252 has besides", STR_INIT("a\n\x80 \x93q\x94 \xFF\n"),
     "a|\u20AC \u201Cq\u201D \u00FF|", 1},
    {"what it does not define", STR_INIT("a\n\x81\n"), "a|\uFFFD|", 1},
    {"a field beside it that is UTF-8", STR_INIT("a,b\n\xE4,\xC3\xA4\n"),
     "a|b|\u00E4|\u00E4|", 1},
    {"doubled quotes", STR_INIT("a\n\"\xE4\"\"\xE4\"\n"), "a|\u00E4\"\u00E4|", 1},
    {"the heads", STR_INIT("\xE4,b\n1,2\n"), "\u00E4|b|1|2|", 1},
    {"UTF-8 stays", STR_INIT("a\n\xC3\xA4\n"), "a|\u00E4|", 0},
};

static void test_foreign(void)
{
    for (size_t i = 0; i < ROWS(foreign); i++) {
        struct input_csv csv = {.path = "t.csv", .latin = true};
        struct input_csv_row row;
        struct buf shown = {0};
        struct err err = {0};
        tap_case("not UTF-8: %s", foreign[i].name);
        input_csv_push(&csv, foreign[i].text, true);
        while (input_csv_next(&csv, &row, &err))
            for (size_t f = 0; f < row.count; f++)
                buf_add_format(&shown, "%.*s|", STR_ARG(row.fields[f]));
        buf_add_char(&shown, '\0');
        CHECK_TEXT(shown.ptr, foreign[i].rows);
        CHECK(!csv.failed && csv.latin_rows == foreign[i].turned);
        input_csv_free(&csv);
        buf_free(&shown);
    }
    struct input_csv csv = {.path = "t.csv", .latin = true};
    struct input_csv_row row;
    struct err err = {0};
    tap_case("not UTF-8: NUL is no text");
    input_csv_push(&csv, (struct str){"a\n\0b\n", 5}, true);
    CHECK(input_csv_next(&csv, &row, &err) && !input_csv_next(&csv, &row, &err));
    CHECK_TEXT(err.text, "t.csv:2:1: found byte 0x00, expected text in UTF-8");
    input_csv_free(&csv);
}

int main(void)
{
    test_csv();
    test_foreign();
    test_csv_rows();
    return tap_done();
}
