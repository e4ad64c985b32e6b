/* What is written as csv is read as it was, wherever the pieces are cut, with either path
 * through the processor; and two ways to cut anything give the same. */
#include "input/csv.h"

#include "base/rng.h"
#include "tests/tap.h"

enum { TABLES = 100, FIELDS_MAX = 6, ROWS_MAX = 12 };

/* Characters that matter to csv, and some that do not, of one to four bytes. */
static const struct str letters[] = {
    STR_INIT("a"),
    STR_INIT("b"),
    STR_INIT("7"),
    STR_INIT(" "),
    STR_INIT(","),
    STR_INIT("\""),
    STR_INIT("\n"),
    STR_INIT("\r"),
    STR_INIT("\r\n"),
    STR_INIT(";"),
    STR_INIT("\t"),
    STR_INIT("\xC3\xA9"),
    STR_INIT("\xE6\x9D\xB1"),
    STR_INIT("\xF0\x9F\x98\x80"),
    STR_INIT("\xEF\xBB\xBF"),
    STR_INIT("a longer run of letters, as a post has it, beyond a block of 64 bytes"),
};

/* Fields one after the other, each with a length before it. */
static void add_field(struct buf *out, struct str field)
{
    buf_add_format(out, "%zu:", field.len);
    buf_add(out, field);
}

static void draw_field(struct rng *rng, bool header, struct buf *field)
{
    uint64_t len = rng_below(rng, rng_below(rng, 8) == 0 ? 40 : 6);

    buf_clear(field);
    if (header) /* so that no other separator wins, and no mark begins the file */
        buf_add(field, STR("name"));
    for (uint64_t i = 0; i < len && !header; i++)
        buf_add(field, letters[rng_below(rng, ROWS(letters))]);
}

/* A random table as csv, and its fields as they should come out. */
static void draw_table(struct rng *rng, struct buf *csv, struct buf *want)
{
    static const struct str ends[] = {STR_INIT("\n"), STR_INIT("\r\n"), STR_INIT("\r")};
    uint64_t columns = 2 + rng_below(rng, FIELDS_MAX - 1);
    uint64_t count = 1 + rng_below(rng, ROWS_MAX);
    struct str end = ends[rng_below(rng, ROWS(ends))];
    struct buf field = {0};

    buf_clear(csv);
    buf_clear(want);
    if (rng_below(rng, 4) == 0)
        buf_add(csv, STR("\xEF\xBB\xBF"));
    for (uint64_t r = 0; r < count; r++) {
        for (uint64_t c = 0; c < columns; c++) {
            draw_field(rng, r == 0, &field);
            if (c > 0)
                buf_add_char(csv, ',');
            buf_add_csv(csv, buf_str(&field));
            add_field(want, buf_str(&field));
        }
        buf_add_char(want, '\n');
        if (r + 1 < count || rng_below(rng, 2) == 0)
            buf_add(csv, end);
    }
    buf_free(&field);
}

struct cuts {
    size_t first; /* one cut, there; 0: none */
    size_t step;  /* pieces of that size; 0: see above */
    bool portable;
};

/* The fields as above, and behind them the error, if any. */
static void read_pieces(struct str text, struct cuts cuts, struct buf *out)
{
    struct input_csv csv = {.path = "f", .portable = cuts.portable};
    struct err err = {0};
    struct input_csv_row row;
    size_t at = 0, next;

    buf_clear(out);
    do {
        next = cuts.step > 0 ? at + cuts.step : at < cuts.first ? cuts.first : text.len;
        next = next < text.len ? next : text.len;
        input_csv_push(&csv, str_slice(text, at, next), next == text.len);
        while (input_csv_next(&csv, &row, &err)) {
            for (size_t i = 0; i < row.count; i++)
                add_field(out, row.fields[i]);
            buf_add_char(out, '\n');
        }
        at = next;
    } while (at < text.len && !csv.failed);
    buf_add(out, str_from(err.text));
    input_csv_free(&csv);
}

static void check_cuts(struct str text, struct str want, struct buf *out)
{
    static const size_t steps[] = {1, 2, 3, 5, 7, 13, 63, 64, 65};

    for (int portable = 0; portable < 2; portable++) {
        for (size_t cut = 0; cut <= text.len; cut++) {
            read_pieces(text, (struct cuts){cut, 0, portable}, out);
            CHECK(str_eq(buf_str(out), want));
        }
        for (size_t i = 0; i < ROWS(steps); i++) {
            read_pieces(text, (struct cuts){0, steps[i], portable}, out);
            CHECK(str_eq(buf_str(out), want));
        }
    }
}

/* Any bytes, mostly wrong: all cuts tell the same rows and the same error. */
static void check_noise(struct rng *rng)
{
    static const struct str bits[] = {
        STR_INIT("\""), STR_INIT("\""), STR_INIT(","),    STR_INIT("\n"),
        STR_INIT("\r"), STR_INIT("a"),  STR_INIT("\xE6"), STR_INIT("\x9D\xB1"),
    };
    struct buf text = {0}, whole = {0}, out = {0};

    for (int i = 0; i < TABLES; i++) {
        uint64_t len = rng_below(rng, 60);
        buf_clear(&text);
        buf_add(&text, STR("a,b\n"));
        for (uint64_t b = 0; b < len; b++)
            buf_add(&text, bits[rng_below(rng, ROWS(bits))]);
        read_pieces(buf_str(&text), (struct cuts){0, 0, false}, &whole);
        check_cuts(buf_str(&text), buf_str(&whole), &out);
    }
    buf_free(&text);
    buf_free(&whole);
    buf_free(&out);
}

int main(void)
{
    struct rng rng = rng_seeded(4180);
    struct buf text = {0}, want = {0}, out = {0};

    tap_case("csv: what was written is read, whatever the pieces");
    for (int i = 0; i < TABLES; i++) {
        draw_table(&rng, &text, &want);
        check_cuts(buf_str(&text), buf_str(&want), &out);
    }
    tap_case("csv: pieces do not change what is wrong");
    check_noise(&rng);
    buf_free(&text);
    buf_free(&want);
    buf_free(&out);
    return tap_done();
}
