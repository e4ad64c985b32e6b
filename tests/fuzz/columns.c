/* The first line is a mapping, the rest a table: posts or an error that says where. */
#include "dump/columns.h"

#include "dump/table.h"
#include "tests/fuzz/check_post.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_choice(const struct dump_columns_choice *choice)
{
    assert(choice->given || choice->name.len == 0);
    assert(choice->base.len <= choice->name.len && choice->number >= 0);
}

/* The same posts and the same error whatever the pieces. */
static void check_pieces(struct str text, const struct dump_table_options *options,
                         dump_table_take *take, int64_t count, const struct err *want)
{
    struct err err = {0};
    struct dump_table *table;
    int64_t again = 0;
    bool ok = dump_table_open("f", options, take, &again, &table, &err);

    if (ok) {
        for (size_t piece = text.len % 7 + 1; ok && text.len > piece;
             text = str_slice(text, piece, text.len))
            ok = dump_table_push(table, str_slice(text, 0, piece), false, &err);
        ok = ok && dump_table_push(table, text, true, &err);
        dump_table_close(table);
    }
    assert(again == count && strcmp(err.text, want->text) == 0);
}

static bool check_item(void *context, const struct item *post, struct err *err)
{
    (void)err;
    assert(post->kind == ITEM_ROW && post->id != ITEM_NONE);
    assert(post->extra != NULL && text_utf8_valid(post->extra[0]));
    ++*(int64_t *)context;
    return true;
}

/* Every row is an item, whatever it holds; or every row and object, of any bytes. */
static void check_items(struct str text, const struct dump_table_options *options,
                        bool any)
{
    const struct str extra = STR("a");
    bool repaired;
    struct dump_table_options how = {.mapping = options->mapping,
                                     .extra = &extra,
                                     .extra_count = 1,
                                     .rows = true,
                                     .objects = any,
                                     .usual = any ? 1U << ITEM_FIELD_SCORE : 0,
                                     .first_id = 1,
                                     .repaired = any ? &repaired : NULL};
    struct err err = {0};
    int64_t count = 0;

    if (!dump_table_read(text, "f", &how, check_item, &count, &err))
        check_error(&err);
    check_pieces(text, &how, check_item, count, &err);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str rest = {(const char *)data, size}, line;
    struct arena arena = {0};
    struct dump_columns_mapping mapping;
    struct err err = {0}, table_err = {0};
    int64_t count = 0;

    str_cut(&rest, '\n', &line);
    /* A mapping is a C string for the table: what is behind a NUL does not count. */
    struct dump_table_options options = {.mapping = arena_c_string(&arena, line)};
    bool ok = dump_columns_parse(str_from(options.mapping), &arena, &mapping, &err);
    assert(err.kind == (ok ? ERR_NONE : ERR_INPUT));
    for (int i = 0; i < ITEM_FIELDS && ok; i++) {
        check_choice(&mapping.question[i]);
        check_choice(&mapping.answer[i]);
        assert(mapping.has_answer || !mapping.answer[i].given);
    }
    if (!dump_table_read(rest, "f", &options, check_post, &count, &table_err))
        check_error(&table_err);
    else
        assert(ok && table_err.kind == ERR_NONE);
    assert(ok == (strncmp(table_err.text, "mapping: ", 9) != 0));
    check_pieces(rest, &options, check_post, count, &table_err);
    check_items(rest, &options, false);
    check_items(rest, &options, true);
    arena_free(&arena);
    return 0;
}
