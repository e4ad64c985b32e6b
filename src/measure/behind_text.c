/* Two files a table: its lists with the items that are shown, and which number rests on
 * which list. */
#include <math.h>
#include <string.h>

#include "input/csv.h"
#include "measure/behind.h"
#include "measure/numbers.h"

enum { LIST_COLUMNS = 9, CELL_COLUMNS = 8 };

static void add_text(struct str text, struct buf *out)
{
    buf_add_csv(out, text);
    buf_add_char(out, ',');
}

void behind_lists_csv(const struct behind *behind, struct buf *out)
{
    buf_add(out, STR("row,across,what,value,csv,items,from,ids,values\n"));
    for (size_t l = 0; l < behind->list_count; l++) {
        const struct behind_list *list = &behind->lists[l];
        add_text(list->row, out);
        add_text(list->across, out);
        add_text(list->what, out);
        add_text(list->value, out);
        add_text(list->csv, out);
        buf_add_format(out, "%lld,%lld,", (long long)list->count, (long long)list->from);
        for (size_t i = 0; i < list->shown; i++) {
            if (i > 0)
                buf_add_char(out, ' ');
            buf_add_int(out, list->items[i].id);
        }
        buf_add_char(out, ',');
        for (size_t i = 0; list->value.len > 0 && i < list->shown; i++) {
            if (i > 0)
                buf_add_char(out, ' ');
            if (isnan(list->items[i].value))
                buf_add_char(out, '-');
            else
                numbers_print(list->items[i].value, out);
        }
        buf_add_char(out, '\n');
    }
}

static void add_list(size_t list, struct buf *out)
{
    if (list != BEHIND_NONE)
        buf_add_format(out, "%zu", list);
    buf_add_char(out, ',');
}

void behind_cells_csv(const struct behind *behind, struct buf *out)
{
    buf_add(out, STR("cell,list,whole,heading,number,words,count,of\n"));
    for (size_t c = 0; c < behind->cell_count; c++) {
        const struct behind_cell *cell = &behind->cells[c];
        if (cell->list == BEHIND_NONE)
            continue;
        buf_add_format(out, "%zu,", cell->number);
        add_list(cell->list, out);
        add_list(cell->whole, out);
        add_text(cell->heading, out);
        add_text(cell->text, out);
        add_text(cell->words, out);
        buf_add_format(out, "%lld,%lld\n", (long long)cell->count,
                       (long long)cell->whole_count);
    }
}

/* Reading. */

struct reader {
    struct arena *arena;
    struct behind *out;
    struct behind_list *lists;
    struct behind_cell *cells;
};

static bool read_items(struct str ids, struct str values, struct behind_list *list,
                       struct arena *arena)
{
    struct behind_item *items = arena_array(arena, struct behind_item, BEHIND_FIRST);
    struct str one;

    list->items = items;
    for (bool more = ids.len > 0; more; list->shown++) {
        if (list->shown == BEHIND_FIRST)
            return false;
        struct behind_item *item = &items[list->shown];
        more = str_cut(&ids, ' ', &one);
        item->value = NAN;
        if (!str_to_int(one, &item->id))
            return false;
        if (list->value.len == 0)
            continue;
        str_cut(&values, ' ', &one);
        if (!str_eq(one, STR("-")) && !str_to_real(one, &item->value))
            return false;
    }
    return true;
}

static bool read_list(struct reader *reader, const struct csv_row *row)
{
    struct behind_list *list = &reader->lists[reader->out->list_count++];
    struct str *texts[] = {&list->row, &list->across, &list->what, &list->value,
                           &list->csv};

    if (row->count != LIST_COLUMNS)
        return false;
    for (size_t i = 0; i < ROWS_OF(texts); i++)
        *texts[i] = arena_copy(reader->arena, row->fields[i]);
    return str_to_int(row->fields[5], &list->count) &&
           str_to_int(row->fields[6], &list->from) &&
           read_items(row->fields[7], row->fields[8], list, reader->arena);
}

static bool read_cell(struct reader *reader, const struct csv_row *row)
{
    struct behind_cell *cell = &reader->cells[reader->out->cell_count++];
    size_t lists = reader->out->list_count;

    if (row->count != CELL_COLUMNS ||
        !str_to_place(row->fields[0], SIZE_MAX, &cell->number) ||
        !str_to_place(row->fields[1], lists, &cell->list) || cell->list == BEHIND_NONE ||
        !str_to_place(row->fields[2], lists, &cell->whole))
        return false;
    cell->heading = arena_copy(reader->arena, row->fields[3]);
    cell->text = arena_copy(reader->arena, row->fields[4]);
    cell->words = arena_copy(reader->arena, row->fields[5]);
    return str_to_int(row->fields[6], &cell->count) &&
           str_to_int(row->fields[7], &cell->whole_count);
}

static size_t count_lines(struct str text)
{
    size_t count = 1;

    for (size_t i = 0; i < text.len; i++)
        count += text.ptr[i] == '\n';
    return count;
}

static bool read_rows(struct reader *reader, struct str text, const char *path,
                      bool (*take)(struct reader *reader, const struct csv_row *row),
                      struct err *err)
{
    struct csv csv = {.path = path};
    struct csv_row row;
    bool ok = true;

    csv_push(&csv, text, true);
    for (bool head = true; ok && csv_next(&csv, &row, err); head = false)
        if (!head && !take(reader, &row)) {
            err_set(err, ERR_INPUT, "not as assay writes it");
            ok = err_at(err, "%s:%lld: ", path, (long long)row.line);
        }
    ok = ok && !csv.failed;
    csv_free(&csv);
    return ok;
}

bool behind_read(struct str lists, struct str cells, const char *path,
                 struct arena *arena, struct behind *out, struct err *err)
{
    struct reader reader = {arena, out,
                            arena_array(arena, struct behind_list, count_lines(lists)),
                            arena_array(arena, struct behind_cell, count_lines(cells))};

    *out = (struct behind){.lists = reader.lists, .cells = reader.cells};
    return read_rows(&reader, lists, path, read_list, err) &&
           read_rows(&reader, cells, path, read_cell, err);
}
