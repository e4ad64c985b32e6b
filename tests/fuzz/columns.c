/* The first line is a mapping, the rest a table: posts or an error that says where. */
#include "dump/columns.h"

#include "dump/table.h"
#include "tests/fuzz/check_post.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_choice(const struct columns_choice *choice)
{
    assert(choice->given || choice->name.len == 0);
    assert(choice->base.len <= choice->name.len && choice->number >= 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str rest = {(const char *)data, size}, line;
    struct arena arena = {0};
    struct columns_mapping mapping;
    struct err err = {0}, table_err = {0};
    int64_t count = 0;

    str_cut(&rest, '\n', &line);
    /* A mapping is a C string for the table: what is behind a NUL does not count. */
    struct table_options options = {arena_c_string(&arena, line)};
    bool ok = columns_parse(str_from(options.mapping), &arena, &mapping, &err);
    assert(err.kind == (ok ? ERR_NONE : ERR_INPUT));
    for (int i = 0; i < FIELD_COUNT && ok; i++) {
        check_choice(&mapping.question[i]);
        check_choice(&mapping.answer[i]);
        assert(mapping.has_answer || !mapping.answer[i].given);
    }
    if (!table_read(rest, "f", &options, check_post, &count, &table_err))
        check_error(&table_err);
    else
        assert(ok && table_err.kind == ERR_NONE);
    assert(ok == (strncmp(table_err.text, "mapping: ", 9) != 0));
    arena_free(&arena);
    return 0;
}
