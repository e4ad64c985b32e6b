/* What is behind the numbers of a step's csv: written, read, noted. */
#include "measure/evidence.h"

#include <math.h>
#include <string.h>

#include "tests/tap.h"

static struct table small(struct arena *arena)
{
    struct table table = {.row_count = 2, .head_count = 2};

    table.cells = arena_array(arena, struct cell, 4);
    for (size_t i = 0; i < 4; i++)
        table.cells[i] = (struct cell){.value = (double)i, .low = NAN, .high = NAN};
    table.cells[1].low = table.cells[1].high = 1;
    table.cells[3] = (struct cell){.undefined = "no value", .low = NAN};
    return table;
}

static const struct {
    const char *name, *line;
} wrong[] = {
    {"a row that is not there", "2,0,x,,1\n"},
    {"a column that is not there", "0,2,x,,1\n"},
    {"an id that is none", "0,0,x,,1 a\n"},
    {"a number below 0", "-1,0,x,,1\n"},
    {"a column too few", "0,0,x,1\n"},
};

static void check_wrong(struct arena *arena)
{
    for (size_t i = 0; i < ROWS(wrong); i++) {
        struct table table = small(arena);
        struct err err = {0};
        struct buf text = {0};
        tap_case("refused: %s", wrong[i].name);
        evidence_begin(&text);
        buf_add(&text, str_from(wrong[i].line));
        CHECK(!evidence_read(buf_str(&text), "b.csv", arena, &table, &err));
        CHECK(strstr(err.text, "b.csv:2") == err.text);
        buf_free(&text);
    }
}

int main(void)
{
    static const int64_t ids[] = {5, 3};
    struct arena arena = {0};
    struct table table = small(&arena);
    struct err err = {0};
    struct buf text = {0};

    evidence_begin(&text);
    evidence_add(&text, (struct evidence_place){EVIDENCE_ALL, 1}, STR("a, \"b\""), ids,
                 2);
    evidence_add(&text, (struct evidence_place){1, 0}, STR("none"), ids, 0);
    evidence_no_interval(&text, (struct evidence_place){EVIDENCE_ALL, EVIDENCE_ALL},
                         "too few");
    evidence_no_interval(&text, (struct evidence_place){1, 0}, "too many");
    tap_case("what was written is read");
    CHECK(evidence_read(buf_str(&text), "b.csv", &arena, &table, &err));
    CHECK(table.evidence_count == 2);
    CHECK(table.evidence[0].row == STUDY_NONE && table.evidence[0].head == 1);
    CHECK(str_eq(table.evidence[0].what, STR("a, \"b\"")));
    CHECK(table.evidence[0].count == 2 && table.evidence[0].ids[0] == 5 &&
          table.evidence[0].ids[1] == 3);
    CHECK(table.evidence[1].row == 1 && table.evidence[1].count == 0);
    tap_case("numbers without an interval have a note each; what is undefined has none");
    evidence_mark(&table, &arena);
    CHECK(table.cells[0].mark == 'a' && table.cells[1].mark == 0);
    CHECK(table.cells[2].mark == 'b' && table.cells[3].mark == 0);
    CHECK(table.note_count == 2 &&
          str_eq(table.notes[0], STR("(a) No interval: too few.")) &&
          str_eq(table.notes[1], STR("(b) No interval: too many.")));
    check_wrong(&arena);
    buf_free(&text);
    arena_free(&arena);
    return tap_done();
}
