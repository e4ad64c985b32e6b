/* A line a list, its ids in one cell: lists of many items stay lines of one file. */
#include "measure/evidence.h"

#include <math.h>
#include <string.h>

#include "input/csv.h"

enum { COLUMNS = 5, MARKS_MAX = 26 };

void evidence_begin(struct buf *out)
{
    buf_add(out, STR("row,column,what,no interval,ids\n"));
}

static void add_place(struct buf *out, struct evidence_place place)
{
    if (place.row != EVIDENCE_ALL)
        buf_add_int(out, place.row);
    buf_add_char(out, ',');
    if (place.column != EVIDENCE_ALL)
        buf_add_int(out, place.column);
    buf_add_char(out, ',');
}

void evidence_add(struct buf *out, struct evidence_place place, struct str what,
                  const int64_t *ids, size_t count)
{
    add_place(out, place);
    buf_add_csv(out, what);
    buf_add(out, STR(",,"));
    for (size_t i = 0; i < count; i++) {
        if (i > 0)
            buf_add_char(out, ' ');
        buf_add_int(out, ids[i]);
    }
    buf_add_char(out, '\n');
}

void evidence_no_interval(struct buf *out, struct evidence_place place, const char *why)
{
    add_place(out, place);
    buf_add_char(out, ',');
    buf_add_csv(out, str_from(why));
    buf_add(out, STR(",\n"));
}

/* Reading. */

struct reader {
    struct arena *arena;
    struct table *out;
    struct table_evidence *at;
};

static bool read_ids(struct reader *reader, struct str text, struct table_evidence *out)
{
    size_t room = text.len > 0;
    struct str one;

    for (size_t i = 0; i < text.len; i++)
        room += text.ptr[i] == ' ';
    int64_t *ids = arena_array(reader->arena, int64_t, room + 1);
    for (bool more = text.len > 0; more;) {
        more = str_cut(&text, ' ', &one);
        if (!str_to_int(one, &ids[out->count++]))
            return false;
    }
    out->ids = ids;
    return true;
}

/* Only of numbers that are there. */
static void set_no_interval(struct reader *reader, size_t row, size_t head,
                            const char *why)
{
    struct table *table = reader->out;

    for (size_t i = 0; i < table->row_count * table->head_count; i++) {
        struct cell *cell = &table->cells[i];
        if ((row == STUDY_NONE || row == i / table->head_count) &&
            (head == STUDY_NONE || head == i % table->head_count) &&
            cell->undefined == NULL && isnan(cell->low))
            cell->no_interval = why;
    }
}

static bool is_head(void *context, const struct csv_row *head, struct err *err)
{
    (void)context, (void)head, (void)err; /* as evidence_begin() writes it */
    return true;
}

static bool read_line(void *context, const struct csv_row *line, struct err *err)
{
    struct reader *reader = context;
    struct table *table = reader->out;
    struct table_evidence it = {0};

    if (line->count != COLUMNS ||
        !str_to_place(line->fields[0], table->row_count, &it.row) ||
        !str_to_place(line->fields[1], table->head_count, &it.head) ||
        !read_ids(reader, line->fields[4], &it))
        return err_set(err, ERR_INPUT, "not as assay writes it");
    if (line->fields[3].len > 0) {
        set_no_interval(reader, it.row, it.head,
                        arena_c_string(reader->arena, line->fields[3]));
        return true;
    }
    it.what = arena_copy(reader->arena, line->fields[2]);
    reader->at[table->evidence_count++] = it;
    return true;
}

static size_t count_lines(struct str text)
{
    size_t count = 1;

    for (size_t i = 0; i < text.len; i++)
        count += text.ptr[i] == '\n';
    return count;
}

bool evidence_read(struct str text, const char *path, struct arena *arena,
                   struct table *out, struct err *err)
{
    struct reader reader = {arena, out,
                            arena_array(arena, struct table_evidence, count_lines(text))};

    out->evidence = reader.at;
    return csv_rows_read(text, path, &(struct csv_rows){is_head, read_line, &reader},
                         err);
}

/* Notes. */

static void add_note(struct table *table, char mark, const char *why, struct arena *arena)
{
    struct str *notes = arena_array(arena, struct str, table->note_count + 1);
    struct buf text = {0};

    if (table->note_count > 0)
        memcpy(notes, table->notes, table->note_count * sizeof *notes);
    buf_add_format(&text, "(%c) No interval: %s.", mark, why);
    notes[table->note_count++] = arena_copy(arena, buf_str(&text));
    table->notes = notes;
    buf_free(&text);
}

void evidence_mark(struct table *table, struct arena *arena)
{
    const char *reasons[MARKS_MAX];
    size_t count = 0;

    for (size_t i = 0; i < table->row_count * table->head_count; i++) {
        struct cell *cell = &table->cells[i];
        size_t r = 0;
        if (cell->no_interval == NULL)
            continue;
        while (r < count && strcmp(reasons[r], cell->no_interval) != 0)
            r++;
        if (r == MARKS_MAX)
            continue;
        cell->mark = (char)('a' + r);
        if (r == count) {
            reasons[count++] = cell->no_interval;
            add_note(table, cell->mark, cell->no_interval, arena);
        }
    }
}
