/* Any text has features whose names are in bounds; reading it again against the table
 * that it made gives the same counts. */
#include "learn/features.h"

#include <assert.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct features_options options = {.kinds = (1u << FEATURES_KINDS) - 1,
                                       .run_max = 3,
                                       .letters_min = 3,
                                       .letters_max = 5,
                                       .one_part = size % 2 == 0};
    struct parts_splitter splitter = {0};
    struct features_table table = {0};
    struct features_reader grown, fixed;
    struct parts parts = {0};

    parts.at[PARTS_TITLE] = (struct str){(const char *)data, size / 4};
    parts_split((struct str){(const char *)data, size}, &splitter, &parts);
    features_open(&grown, options, &table, NULL);
    struct rows_row first = features_read(&grown, &parts);
    features_open(&fixed, options, NULL, &table);
    struct rows_row second = features_read(&fixed, &parts);
    assert(first.count == second.count);
    for (size_t i = 0; i < first.count; i++) {
        struct str name = features_name(&table, first.cells[i].column);
        assert(name.len > 0 && name.len <= FEATURES_NAME_MAX);
        assert(memchr(name.ptr, '\n', name.len) == NULL);
        assert(first.cells[i].column == second.cells[i].column);
        assert(first.cells[i].value == second.cells[i].value);
    }
    features_close(&grown);
    features_close(&fixed);
    features_table_free(&table);
    parts_splitter_free(&splitter);
    return 0;
}
