/* The table of shares, from a classifier's items written by hand. */
#include "run/shares.h"

#include <math.h>

#include "learn/quantify.h"
#include "run/output.h"
#include "tests/unit/listed.h"
#include "tests/unit/studied.h"

enum { ITEMS = 40 };
enum strata { NO_STRATA, SAMPLED, NOT_SAMPLED };

struct world {
    struct studied in;
    int64_t ids[ITEMS + 1];
    struct measure_frame frame;
    struct measure_labels_code codes[2];
    struct measure_labels labels;
    struct measure_groups_value values[2];
    struct measure_groups groups;
    struct run_shares_set set;
};

/* Items 1 to 40; the first are labelled, every third of all is a crash, and the
 * classifier is always right. The last ten may be a stratum, the last four of which are
 * labelled when it was sampled. */
static void write_items(struct world *world, int labelled, enum strata strata)
{
    static const char *const codes[] = {"crash", "slow"};
    struct run_output output = {.step = STR("classifiers.c")};
    struct result_column columns[RUN_SHARES_CLASSES + 2 * RUN_SHARES_COLUMNS] = {
        {.type = RESULT_ITEM, .name = STR("id")},
        {.type = RESULT_TEXT, .name = STR("role")},
        {.type = RESULT_COUNT, .name = STR("stratum")}};

    for (size_t c = RUN_SHARES_CLASSES; c < ROWS(columns); c++)
        columns[c] = (struct result_column){
            .type = (c - RUN_SHARES_CLASSES) % 3 == RUN_SHARES_PROBABILITY ? RESULT_SHARE
                                                                           : RESULT_COUNT,
            .name = str_from(codes[(c - RUN_SHARES_CLASSES) / 3])};
    struct result_table table =
        result_new(STR("items"), columns, ROWS(columns), &output.arena);
    for (int i = 0; i < ITEMS; i++) {
        bool known = i < labelled || (strata == SAMPLED && i >= 36);
        struct result_cell *cells =
            result_add_row(&table, (struct str){0}, RESULT_NONE, &output.arena);
        cells[RUN_SHARES_ID] = result_item(i + 1);
        cells[RUN_SHARES_ROLE] = result_text(known ? STR("drawn") : (struct str){0});
        if (strata != NO_STRATA)
            cells[RUN_SHARES_STRATUM] = result_count(i >= 30);
        for (int k = 0; k < 2; k++) {
            bool has = (i % 3 == 0) == (k == 0);
            struct result_cell *of = &cells[RUN_SHARES_CLASSES + k * RUN_SHARES_COLUMNS];
            if (known)
                of[RUN_SHARES_TRULY] = result_count(has);
            of[RUN_SHARES_SAID] = result_count(has);
            of[RUN_SHARES_PROBABILITY] = result_number(has ? 0.9 : 0.1);
        }
    }
    run_output_result(&output, &table);
    run_output_end(&output);
    CHECK(run_output_write(&output, world->in.folder, &world->in.err));
    run_output_free(&output);
}

/* The first 30 are labelled. */
static void make(struct world *world)
{
    for (int i = 0; i < ITEMS; i++)
        world->ids[i] = i + 1;
    write_items(world, 30, NO_STRATA);
    world->frame = (struct measure_frame){
        .arena = &world->in.arena,
        .count = ITEMS,
        .ids = measure_column_of(world->ids, ITEMS, &world->in.arena)};
    world->codes[0] =
        (struct measure_labels_code){.name = STR("A crash"), .id = STR("crash")};
    world->codes[1] =
        (struct measure_labels_code){.name = STR("slow"), .id = STR("slow")};
    world->labels = (struct measure_labels){.codes = world->codes, .code_count = 2};
    world->set =
        (struct run_shares_set){STR("x"), measure_bits_all(ITEMS, &world->in.arena)};
    for (int v = 0; v < 2; v++)
        world->values[v] = (struct measure_groups_value){
            .name = v == 0 ? STR("early") : STR("late"),
            .bits = measure_bits_make(ITEMS, &world->in.arena)};
    for (size_t i = 0; i < ITEMS; i++)
        measure_bits_set(world->values[i >= 30].bits, i);
    world->groups = (struct measure_groups){world->values, 2};
}

static const struct result_cell *cell(const struct result_table *table, const char *row,
                                      const char *column)
{
    for (size_t r = 0; r < table->row_count; r++)
        for (size_t h = 0; h < table->column_count; h++)
            if (str_eq(table->rows[r].path, str_from(row)) &&
                str_eq(table->columns[h].path, str_from(column)))
                return &table->cells[r * table->column_count + h];
    CHECK(!"the cell is there");
    return &table->cells[0];
}

/* Items as a classifier leaves them, and as it does not. */

#define COLUMN(type, name, across) \
    "column\t" type "\t0\t" name "\t" across "\t" name "\t\t\t\t\n"
#define CLASS(name) \
    COLUMN("count", name, "truly") \
    COLUMN("count", name, "said") COLUMN("share", name, "probability")
#define BEGIN "assay result 1\nstep\tclassifiers.c\ntable\titems\t\t\t\n"
#define KEYS  COLUMN("item", "id", "") COLUMN("text", "role", "")
#define HEAD  BEGIN KEYS COLUMN("count", "stratum", "") CLASS("crash") CLASS("slow")
#define ROW   "row\t0\t\t\t\t\t"

static const struct {
    const char *name, *text, *error;
} wrong[] = {
    {"too few columns", BEGIN KEYS "end\n",
     ":6: expected the columns of a classifier's items"},
    {"a column of another type", BEGIN KEYS COLUMN("text", "stratum", "") "end\n",
     ":7: expected the columns of a classifier's items"},
    {"an item that is not in the frame",
     HEAD ROW "11\t\\-\t\\-\t\\-\t1\t1\t\\-\t0\t0\n" ROW
              "9\t\\-\t\\-\t\\-\t1\t1\t\\-\t0\t0\nend\n",
     ":14: no item as a classifier leaves it"},
    {"a class neither had nor not", HEAD ROW "11\tdrawn\t0\t2\t1\t1\t0\t0\t0\nend\n",
     ":13: no item as a classifier leaves it"},
    {"a stratum below 0", HEAD ROW "11\tdrawn\t-1\t1\t1\t1\t0\t0\t0\nend\n",
     ":13: no item as a classifier leaves it"},
    {"more strata than items", HEAD ROW "11\tdrawn\t5\t1\t1\t1\t0\t0\t0\nend\n",
     ":13: no item as a classifier leaves it"},
    {"a probability that is no number",
     HEAD ROW "11\tdrawn\t0\t1\t1\tmuch\t0\t0\t0\nend\n",
     ":13: found 'much', expected a number"},
};

/* Shares of all items of a frame, from the result as it is written. */
static bool find_shares(struct world *world, const char *result, bool truth,
                        struct result_table *out, struct err *err)
{
    static int64_t ids[] = {11, 12, 13, 14, 15};
    static struct measure_labels_code codes[] = {
        {.name = STR_INIT("crash"), .id = STR_INIT("crash")}};
    static struct measure_labels_entry planted[] = {{3, 0}, {4, 0}};
    struct measure_frame frame = {.arena = &world->in.arena,
                                  .count = 5,
                                  .ids = measure_column_of(ids, 5, &world->in.arena)};
    struct measure_labels labels = {
        .codes = codes, .code_count = 1, .entries = planted, .count = 2};
    struct run_shares_set set = {STR("x"), measure_bits_make(5, &world->in.arena)};
    struct study_table table = {.name = STR("t"), .confidence = 0.95};
    struct run_shares_inputs inputs = {.table = &table,
                                       .folder = world->in.folder,
                                       .classifier = STR("c"),
                                       .frame = &frame,
                                       .labels = &labels,
                                       .truth = truth ? &labels : NULL,
                                       .sets = &set,
                                       .set_count = 1};

    for (size_t i = 0; i < 4; i++)
        measure_bits_set(set.bits, i);
    studied_write(&world->in, "out/results/classifiers.c.result", result);
    return run_shares_table(&inputs, &world->in.arena, out, err);
}

static void check_wrong(struct world *world)
{
    struct result_table got;
    struct err err = {0};

    for (size_t i = 0; i < ROWS(wrong); i++) {
        tap_case("%s", wrong[i].name);
        CHECK(!find_shares(world, wrong[i].text, false, &got, &err));
        const char *place = strstr(err.text, ".result");
        CHECK_TEXT(place != NULL ? place + strlen(".result") : "", wrong[i].error);
    }
    tap_case("a classifier that waits for labels: nothing");
    CHECK(find_shares(world, BEGIN KEYS COLUMN("count", "stratum", "") "end\n", false,
                      &got, &err));
    CHECK(got.row_count == 0);
}

/* The first two are labelled, the third was chosen; all but the last are in the set. They
 * were taken for crash crash slow crash crash. */
static void check_behind(struct world *world)
{
    struct result_table got;
    struct err err = {0};

    tap_case("all labelled ones of the set, and those with the code");
    if (!CHECK(find_shares(world,
                           HEAD ROW "15\t\\-\t\\-\t\\-\t1\t1\t\\-\t0\t0\n" ROW
                                    "11\tdrawn\t0\t1\t1\t1\t0\t0\t0\n" ROW
                                    "12\tdrawn\t0\t0\t1\t1\t1\t0\t0\n" ROW
                                    "13\tchosen\t0\t1\t0\t0\t0\t1\t1\n" ROW
                                    "14\t\\-\t\\-\t\\-\t1\t1\t\\-\t0\t0\nend\n",
                           true, &got, &err)))
        return;
    listed_expect(&got, 0, 1 + LEARN_QUANTIFY_LABELLED,
                  "labelled items that were drawn: 11 12");
    listed_expect(&got, 0, 0, "labelled items that were drawn and have the code: 11");
    tap_case("a plain count has those that were taken for it");
    listed_expect(&got, 0, 1 + LEARN_QUANTIFY_PLAIN,
                  "items that the classifier takes for it: 11 12 14");
    tap_case("the truth has those that it was planted in");
    listed_expect(&got, 0, 1 + LEARN_QUANTIFY_METHODS,
                  "items that it was planted in: 14");
    tap_case("what rests on more than the items listed says so");
    CHECK(got.columns[1 + LEARN_QUANTIFY_LABELLED].rests.len == 0 &&
          got.columns[1 + LEARN_QUANTIFY_PLAIN].rests.len == 0);
    CHECK(str_eq(got.columns[1 + LEARN_QUANTIFY_POWERED].rests,
                 STR("it rests on these labels, and on predictions for the whole set")));
    CHECK(str_starts(got.columns[1 + LEARN_QUANTIFY_EM].rests,
                     STR("it rests on these labels and on all others that were drawn")));
    tap_case("an estimate without an interval says why");
    for (size_t m = 1; m <= LEARN_QUANTIFY_METHODS; m++)
        CHECK((got.cells[m].no_interval != NULL) ==
              (got.cells[m].undefined == NULL &&
               (isnan(got.cells[m].low) || isnan(got.cells[m].high))));
}

int main(void)
{
    struct world world = {0};
    struct study_table table = {.name = STR("t"), .confidence = 0.95};
    struct result_table got;
    struct err err = {0};

    if (!studied_begin(&world.in))
        return tap_done();
    make(&world);
    struct run_shares_inputs inputs = {.table = &table,
                                       .folder = world.in.folder,
                                       .classifier = STR("c"),
                                       .frame = &world.frame,
                                       .labels = &world.labels,
                                       .sets = &world.set,
                                       .set_count = 1};

    tap_case("one set: a row for each class, a column for each method");
    if (!CHECK(run_shares_table(&inputs, &world.in.arena, &got, &err))) {
        CHECK_TEXT(err.text, "");
        return tap_done();
    }
    CHECK(got.row_count == 2 && got.column_count == 1 + LEARN_QUANTIFY_METHODS);
    CHECK_NEAR(cell(&got, "A-crash", "labelled")->value, 10, 0);
    CHECK_NEAR(cell(&got, "A-crash", "labelled-alone")->value, 10.0 / 30, 1e-12);
    CHECK_NEAR(cell(&got, "A-crash", "plain-count")->value, 14.0 / 40, 1e-12);
    CHECK_NEAR(cell(&got, "A-crash", "adjusted-count")->value, 14.0 / 40, 1e-9);
    CHECK_NEAR(cell(&got, "A-crash", "prediction-powered")->value +
                   cell(&got, "slow", "prediction-powered")->value,
               1, 1e-9);
    CHECK(!cell(&got, "A-crash", "prediction-powered")->small);

    tap_case("by group: a group with too few labels is marked, and named in a note");
    inputs.groups = &world.groups;
    CHECK(run_shares_table(&inputs, &world.in.arena, &got, &err));
    CHECK(got.row_count == 6);
    CHECK_NEAR(cell(&got, "early.A-crash", "plain-count")->value, 10.0 / 30, 1e-12);
    CHECK_NEAR(cell(&got, "late.A-crash", "plain-count")->value, 0.4, 1e-12);
    CHECK(cell(&got, "late.A-crash", "plain-count")->small);
    CHECK(cell(&got, "late", "plain-count")->undefined != NULL);
    CHECK(got.note_count > 0 && str_starts(got.notes[0], STR("* ")) &&
          str_ends(got.notes[0], STR("too few to rely on: late.")));

    tap_case("labels that are not final are told of");
    inputs.asked = 40;
    inputs.unresolved = 10;
    CHECK(run_shares_table(&inputs, &world.in.arena, &got, &err));
    CHECK(str_starts(got.notes[1], STR("10 of 40 labelled items have no final label")));

    tap_case("so are labels that are from no random sample");
    inputs.taken = 7;
    CHECK(run_shares_table(&inputs, &world.in.arena, &got, &err));
    CHECK(str_starts(got.notes[2], STR("7 of 40 labelled items are from samples taken")));
    inputs.taken = 0;

    tap_case("a long note is whole");
    char *name = arena_array(&world.in.arena, char, 2001);
    memset(name, 'n', 2000);
    world.values[1].name = (struct str){name, 2000};
    CHECK(run_shares_table(&inputs, &world.in.arena, &got, &err));
    CHECK(got.notes[0].len > 2000 && str_ends(got.notes[0], STR("n.")));
    world.values[1].name = STR("late");

    tap_case("strata at different rates: each counts by its items, which a note says");
    inputs.unresolved = 0;
    inputs.groups = NULL;
    write_items(&world, 24, SAMPLED);
    CHECK(run_shares_table(&inputs, &world.in.arena, &got, &err));
    /* Of the labels 8 of 24 and 2 of 4 are crashes. */
    CHECK_NEAR(cell(&got, "A-crash", "labelled-alone")->value,
               0.75 * 8 / 24 + 0.25 * 2 / 4, 1e-12);
    CHECK(str_starts(got.notes[1], STR("Strata were drawn one by one")));

    tap_case("a stratum that labels say nothing of: no share of the whole");
    write_items(&world, 30, NOT_SAMPLED);
    CHECK(run_shares_table(&inputs, &world.in.arena, &got, &err));
    CHECK_TEXT(cell(&got, "A-crash", "labelled-alone")->undefined,
               "a stratum has too few labelled items");
    CHECK(cell(&got, "A-crash", "adjusted-count")->undefined == NULL);
    CHECK(str_ends(got.notes[1], STR("the share of the whole: x (10 of 40).")));

    tap_case("a set of which not all is classified has no shares");
    world.frame.count = ITEMS + 1;
    world.set.bits = measure_bits_all(ITEMS + 1, &world.in.arena);
    inputs.groups = NULL;
    CHECK(!run_shares_table(&inputs, &world.in.arena, &got, &err));
    CHECK_TEXT(err.text, "tables.t: 1 of the 41 items of 'x' were not classified; add it "
                         "to `predict` of the classifier");
    world.frame.count = ITEMS;
    world.set.bits = measure_bits_all(ITEMS, &world.in.arena);

    tap_case("a file that is not ours is told with its place");
    studied_write(&world.in, "out/results/classifiers.c.result", "id,role\n");
    CHECK(!run_shares_table(&inputs, &world.in.arena, &got, &err));
    CHECK(strstr(err.text, "classifiers.c.result:1: found 'id,role', expected") != NULL);
    check_wrong(&world);
    check_behind(&world);
    studied_end(&world.in);
    return tap_done();
}
