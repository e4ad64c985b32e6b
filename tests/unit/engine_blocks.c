/* Runs of numbers that servers counted, put together to blocks. */
#include "engine/internal.h"
#include "tests/tap.h"

static void add_run(struct engine_runs *runs, const char *number, const char *rows,
                    const char *first, const char *last)
{
    const struct str fields[ENGINE_RUN_COLUMNS] = {str_from(number), str_from(rows),
                                                   str_from(first), str_from(last)};
    struct err err = {0};

    CHECK(engine_take_run(runs, fields, &err));
}

static void check_block(const struct engine_blocks *blocks, size_t i,
                        struct engine_block expected, int64_t rows)
{
    const struct engine_block *found = &blocks->at.at[i];

    CHECK(found->from == expected.from << ENGINE_RUN_BITS);
    CHECK(found->to == expected.to << ENGINE_RUN_BITS);
    CHECK(found->first == expected.first);
    CHECK(found->last == expected.last);
    CHECK(blocks->rows.at[i] == rows);
}

int main(void)
{
    struct engine_runs runs = {0};
    struct engine_blocks blocks = {0};
    struct str none[ENGINE_RUN_COLUMNS] = {STR("1"), STR("many"), STR("0"), STR("0")};
    struct err err = {0};

    tap_case("in any order, a run from two servers is not parted");
    add_run(&runs, "7", "40", "3", "4");
    add_run(&runs, "2", "60", "1", "1");
    add_run(&runs, "900", "5", "4", "4");
    add_run(&runs, "2", "60", "1", "2");
    add_run(&runs, "3", "30", "2", "2");
    engine_blocks_make(&runs, 100, &blocks);
    CHECK(blocks.at.count == 2);
    check_block(&blocks, 0, (struct engine_block){2, 3, 1, 2}, 120);
    check_block(&blocks, 1, (struct engine_block){3, 901, 2, 4}, 75);
    engine_blocks_free(&blocks);

    tap_case("a run with more than is asked for stands alone");
    blocks = (struct engine_blocks){0};
    add_run(&runs, "0", "1", "0", "0");
    add_run(&runs, "1", "500", "0", "0");
    add_run(&runs, "2", "1", "0", "0");
    engine_blocks_make(&runs, 100, &blocks);
    CHECK(blocks.at.count == 3);
    check_block(&blocks, 1, (struct engine_block){.from = 1, .to = 2}, 500);
    engine_blocks_free(&blocks);

    tap_case("numbers below 0, as far as there are any");
    blocks = (struct engine_blocks){0};
    add_run(&runs, "-1", "1", "0", "0");
    add_run(&runs, "-1125899906842624", "500", "0", "0");
    engine_blocks_make(&runs, 100, &blocks);
    CHECK(blocks.at.count == 2);
    CHECK(blocks.at.at[0].from == INT64_MIN);
    CHECK(blocks.at.at[1].from == -8192 && blocks.at.at[1].to == 0);
    engine_blocks_free(&blocks);

    tap_case("no runs, no blocks; a row that is none");
    blocks = (struct engine_blocks){0};
    engine_blocks_make(&runs, 100, &blocks);
    CHECK(blocks.at.count == 0);
    CHECK(!engine_take_run(&runs, none, &err));
    none[1] = STR("1");
    none[0] = STR("1125899906842623");
    CHECK(!engine_take_run(&runs, none, &err));
    none[0] = STR("-1125899906842625");
    CHECK(!engine_take_run(&runs, none, &err));
    return tap_done();
}
