/* Samples of a study: strata from groups, what belongs to none, sizes, keeping, files.
 * The draw itself is tested in sample_draw. */
#include "run/sampling.h"

#include "tests/unit/outputs.h"

enum { ITEMS = 100 };

struct world {
    struct arena arena;
    int64_t ids[ITEMS], views[ITEMS];
    struct measure_frame frame;
    struct measure_groups_value values[2];
    struct measure_groups groups;
};

/* Item i has id i + 1; the first 60 are of group A, the 20 from 50 on of B: ten of both,
 * thirty of none. Views fall with the id. */
static void make(struct world *world)
{
    *world = (struct world){0};
    for (size_t i = 0; i < ITEMS; i++) {
        world->ids[i] = (int64_t)i + 1;
        world->views[i] = ITEMS - (int64_t)i;
    }
    world->frame = (struct measure_frame){
        .arena = &world->arena,
        .count = ITEMS,
        .ids = measure_column_of(world->ids, ITEMS, &world->arena),
        .views = measure_column_of(world->views, ITEMS, &world->arena)};
    for (size_t v = 0; v < 2; v++)
        world->values[v].bits = measure_bits_make(ITEMS, &world->arena);
    world->values[0].name = STR("A");
    world->values[1].name = STR("B");
    for (size_t i = 0; i < 60; i++)
        measure_bits_set(world->values[0].bits, i);
    for (size_t i = 50; i < 70; i++)
        measure_bits_set(world->values[1].bits, i);
    world->groups = (struct measure_groups){world->values, 2};
}

static const struct {
    const char *name, *size;
    bool strata;
    enum study_allocate allocate;
    int64_t count, frame, outside;
    int64_t sizes[2];
} rows[] = {
    {"a number", "10", false, STUDY_PROPORTIONAL, 10, 100, 0, {10, 0}},
    {"more than there are", "1000", false, STUDY_PROPORTIONAL, 100, 100, 0, {100, 0}},
    {"a share", "20%", false, STUDY_PROPORTIONAL, 20, 100, 0, {20, 0}},
    {"all", "all", false, STUDY_PROPORTIONAL, 100, 100, 0, {100, 0}},
    /* n0 = 384.146; / (1 + 383.146 / 100) = 79.51 */
    {"a confidence and a margin",
     "95% +- 5%",
     false,
     STUDY_PROPORTIONAL,
     80,
     100,
     0,
     {80, 0}},
    {"strata in proportion: who is of both belongs to the first",
     "7",
     true,
     STUDY_PROPORTIONAL,
     7,
     70,
     30,
     {6, 1}},
    {"strata alike", "10", true, STUDY_EQUAL, 10, 70, 30, {5, 5}},
    {"each stratum by itself", "50%", true, STUDY_EACH, 35, 70, 30, {30, 5}},
    {"the top", "top 3 by views", false, STUDY_PROPORTIONAL, 3, 100, 0, {3, 0}},
};

static bool draw_row(struct world *world, size_t i, struct run_sampling *out)
{
    struct study_sample sample = {
        .name = STR("p"), .seed = 7, .allocate = rows[i].allocate, .keep = STUDY_NONE};
    struct run_sampling_inputs inputs = {.sample = &sample,
                                         .frame = &world->frame,
                                         .of = measure_bits_all(ITEMS, &world->arena),
                                         .strata =
                                             rows[i].strata ? &world->groups : NULL};
    struct err err = {0};

    return CHECK(sample_size_parse(str_from(rows[i].size), &sample.size, &err)) &&
           CHECK(run_sampling_draw(&inputs, &world->arena, out, &err));
}

static void check_row(size_t i)
{
    struct world world;
    struct run_sampling one, two;

    make(&world);
    if (draw_row(&world, i, &one) && draw_row(&world, i, &two)) {
        CHECK((int64_t)one.count == rows[i].count && one.frame == rows[i].frame);
        CHECK(one.outside == rows[i].outside);
        for (size_t v = 0; v < one.stratum_count; v++)
            CHECK(one.sizes[v] == rows[i].sizes[v]);
        /* The same seed draws the same. */
        CHECK(one.count == two.count &&
              memcmp(one.ids, two.ids, one.count * sizeof *one.ids) == 0);
        for (size_t k = 0; k < one.count && rows[i].strata; k++)
            CHECK(measure_bits_has(world.values[one.strata[k]].bits,
                                   (size_t)one.ids[k] - 1));
    }
    arena_free(&world.arena);
}

static void check_keep(void)
{
    int64_t earlier[] = {5, 500, 7};
    struct world world;
    struct study_sample sample = {.name = STR("p"),
                                  .seed = 7,
                                  .size = {.kind = SAMPLE_SIZE_BY_COUNT, .count = 4},
                                  .keep = STUDY_NONE};
    struct run_sampling drawn;
    struct err err = {0};

    tap_case("an earlier sample is kept; what is gone is told");
    make(&world);
    struct run_sampling_inputs inputs = {.sample = &sample,
                                         .frame = &world.frame,
                                         .of = measure_bits_all(ITEMS, &world.arena),
                                         .keep = {.ids = earlier, .count = 3}};
    CHECK(run_sampling_draw(&inputs, &world.arena, &drawn, &err));
    CHECK(drawn.count == 4 && drawn.kept == 2 && drawn.gone == 1);
    CHECK(drawn.ids[0] == 5 && drawn.ids[1] == 7);
    tap_case("an empty set gives an empty sample");
    inputs.of = measure_bits_make(ITEMS, &world.arena);
    inputs.keep = (struct run_sampling){0};
    CHECK(run_sampling_draw(&inputs, &world.arena, &drawn, &err));
    CHECK(drawn.count == 0 && drawn.frame == 0);
    tap_case("what cannot be drawn names its sample");
    earlier[1] = 5;
    inputs.keep = (struct run_sampling){.ids = earlier, .count = 3};
    inputs.of = measure_bits_all(ITEMS, &world.arena);
    CHECK(!run_sampling_draw(&inputs, &world.arena, &drawn, &err));
    CHECK(err.kind == ERR_INPUT && strncmp(err.text, "sample p: ", 10) == 0);
    arena_free(&world.arena);
}

static void check_files(void)
{
    int64_t ids[] = {9, 4}, frames[] = {10, 5}, sizes[] = {1, 1};
    size_t strata[] = {1, 0};
    struct str names[] = {STR("A"), STR("B, \"b\"")};
    struct run_sampling drawn = {.ids = ids,
                                 .count = 2,
                                 .strata = strata,
                                 .stratum_names = names,
                                 .stratum_count = 2,
                                 .frames = frames,
                                 .sizes = sizes,
                                 .frame = 15,
                                 .kept = 1};
    struct study_sample sample = {.name = STR("p"),
                                  .of = STR("s"),
                                  .size = {.kind = SAMPLE_SIZE_BY_COUNT, .count = 2},
                                  .seed = 7,
                                  .by = 0,
                                  .keep = STUDY_NONE};
    struct run_output output = {0};

    tap_case("a sample: in draw order with its strata, and how it was drawn");
    run_sampling_write(&output, &sample, &drawn);
    CHECK_TEXT(outputs_text(&output, "out/samples/p.csv"),
               "id,stratum\n9,\"B, \"\"b\"\"\"\n4,A\n");
    const char *json = outputs_text(&output, "out/samples/p.json");
    CHECK(strstr(json, "\"seed\":7,") != NULL && strstr(json, "\"frame\":15,") != NULL);
    CHECK(strstr(json, "{\"name\":\"B, \\\"b\\\"\",\"frame\":5,\"size\":1}") != NULL);
    CHECK(str_eq(buf_str(&output.says), STR("2 of 15 items, 1 of them kept")));
    run_output_free(&output);
}

int main(void)
{
    for (size_t i = 0; i < ROWS(rows); i++) {
        tap_case("sample: %s", rows[i].name);
        check_row(i);
    }
    check_keep();
    check_files();
    return tap_done();
}
