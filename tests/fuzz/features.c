/* Any text has features whose names are in bounds; reading it again against the table
 * that it made gives the same counts. */
#include "learn/features.h"

#include <assert.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct learn_features_options options = {.kinds = (1u << LEARN_FEATURES_KINDS) - 1,
                                             .run_max = 3,
                                             .letters_min = 3,
                                             .letters_max = 5,
                                             .one_part = size % 2 == 0};
    struct learn_parts_splitter splitter = {0};
    struct learn_features_table table = {0};
    struct learn_features_reader grown, fixed;
    struct learn_parts parts = {0};

    parts.at[LEARN_PARTS_TITLE] = (struct str){(const char *)data, size / 4};
    learn_parts_split((struct str){(const char *)data, size}, &splitter, &parts);
    learn_features_open(&grown, options, &table, NULL);
    struct learn_rows_row first = learn_features_read(&grown, &parts);
    learn_features_open(&fixed, options, NULL, &table);
    struct learn_rows_row second = learn_features_read(&fixed, &parts);
    assert(first.count == second.count);
    for (size_t i = 0; i < first.count; i++) {
        struct str name = learn_features_name(&table, first.cells[i].column);
        assert(name.len > 0 && name.len <= LEARN_FEATURES_NAME_MAX);
        assert(memchr(name.ptr, '\n', name.len) == NULL);
        assert(first.cells[i].column == second.cells[i].column);
        assert(first.cells[i].value == second.cells[i].value);
    }
    learn_features_close(&grown);
    learn_features_close(&fixed);
    learn_features_table_free(&table);
    learn_parts_splitter_free(&splitter);
    return 0;
}
