/* A table that fits where papers put it: into the column of a class with two columns,
 * else over the whole page (`table*`, which is the same in a class with one). How wide
 * text is can only be guessed here, from the letters of Computer Modern, the widest of
 * the usual ones: heads wrap, then letters get smaller, then names wrap, then the columns
 * stand in several parts below each other. Rows that do not fit on a page follow on the
 * next. */
#include <math.h>

#include "result/table_text.h"

/* Points: of the narrowest column (article with twocolumn) and page (article) with
 * something to spare; between columns; and what is left of 10pt letters in each size. */
#define COLUMN_POINTS 222.0
#define PAGE_POINTS   335.0
#define GAP_POINTS    8.0
#define HEAD_POINTS   46.0 /* heads wrap when they are wider than this and their column */

enum { LINES_MAX = 38 }; /* of a float */

struct latex_size {
    const char *name;
    double scale;
};

static const struct latex_size latex_small = {"small", 0.93},
                               latex_smaller = {"footnotesize", 0.86},
                               latex_smallest = {"scriptsize", 0.80};

/* In which order it is tried; names may wrap when their column still has this share of
 * the longest. */
static const struct {
    const struct latex_size *size;
    double room, share;
} tries[] = {
    {&latex_small, COLUMN_POINTS, 1},     {&latex_smaller, COLUMN_POINTS, 1},
    {&latex_smaller, COLUMN_POINTS, 0.6}, {&latex_small, PAGE_POINTS, 1},
    {&latex_smaller, PAGE_POINTS, 1},     {&latex_smaller, PAGE_POINTS, 0.4},
    {&latex_smallest, PAGE_POINTS, 0.4},
};

struct latex_layout {
    const struct result_table *table;
    struct arena arena;
    double *columns;    /* widths at 10pt, wrapped heads and all */
    double *heads;      /* the width that each head wraps at */
    double names, word; /* of the widest name and of its widest word */
    const struct latex_size *size;
    double name_room; /* of names that wrap, in points; 0: they do not */
    bool page;        /* over the whole page */
    bool parts;       /* columns do not stand beside each other */
    int floats;       /* written so far */
};

/* How wide text is at 10pt. */
static double width_of(struct str text)
{
    static const unsigned char small[] = {50, 56, 45, 56, 45, 31, 50, 56, 28,
                                          31, 53, 28, 84, 56, 50, 56, 53, 40,
                                          40, 39, 56, 53, 73, 53, 53, 45};
    double width = 0;

    for (size_t i = 0; i < text.len; i++) {
        unsigned char c = (unsigned char)text.ptr[i];
        if (c >= 'a' && c <= 'z')
            width += small[c - 'a'] / 10.0;
        else if (c >= 'A' && c <= 'Z')
            width += c == 'I' ? 3.7 : c == 'M' || c == 'W' ? 9.8 : 7.4;
        else if (c == '.' || c == ',' || c == ':' || c == ';' || c == '\'' || c == '[' ||
                 c == ']')
            width += 2.8;
        else if (c == ' ' || c == '-')
            width += 3.4;
        else if (c == '%' || c == '&' || c == '<' || c == '>')
            width += 8.4;
        else if (c < 0x80 || c >= 0xC0) /* a byte that goes on has no width of its own */
            width += 5.2;
    }
    return width;
}

/* A hyphen may follow. */
static double width_of_piece(struct str word, size_t len)
{
    return width_of(str_slice(word, 0, len)) + (len < word.len ? 3.4 : 0);
}

static double widest_word(struct str text)
{
    double widest = 0;
    struct str word;

    for (bool more = true; more;) {
        more = str_cut(&text, ' ', &word);
        for (size_t len; word.len > 0; word = str_slice(word, len, word.len)) {
            len = buf_latex_piece(word);
            widest = fmax(widest, width_of_piece(word, len));
        }
    }
    return widest;
}

/* The next line of words that are at most so wide together; a word that is wider by
 * itself is divided. */
static struct str next_line(struct str *text, double width)
{
    struct str rest = *text, word, line = {text->ptr, 0};

    for (bool more = true; more;) {
        more = str_cut(&rest, ' ', &word);
        struct str longer = {line.ptr, (size_t)(word.ptr + word.len - line.ptr)};
        if (line.len > 0 && width_of(longer) > width)
            break;
        line = longer;
        if (width_of(line) <= width)
            continue;
        line.len = buf_latex_piece(line);
        while (line.len < word.len) {
            size_t next = line.len + buf_latex_piece(str_slice(word, line.len, word.len));
            if (width_of_piece(word, next) > width)
                break;
            line.len = next;
        }
        break;
    }
    *text = str_trim(str_slice(*text, line.len, text->len));
    return line;
}

static struct str head_of(const struct result_column *column, struct arena *arena)
{
    struct buf text = {0};

    result_heading(column, &text);
    return buf_keep(&text, arena);
}

static struct str cell_of(const struct latex_layout *layout, size_t row, size_t column,
                          struct buf *text)
{
    const struct result_table *table = layout->table;

    buf_clear(text);
    result_table_text_cell(&table->cells[row * table->column_count + column],
                           &table->columns[column], text);
    return buf_str(text);
}

static void measure_columns(struct latex_layout *layout)
{
    const struct result_table *table = layout->table;
    struct buf text = {0};

    layout->columns = arena_array(&layout->arena, double, table->column_count + 1);
    layout->heads = arena_array(&layout->arena, double, table->column_count + 1);
    for (size_t h = 0; h < table->column_count; h++) {
        struct str head = head_of(&table->columns[h], &layout->arena);
        double widest = 0;
        for (size_t r = 0; r < table->row_count; r++)
            widest = fmax(widest, width_of(cell_of(layout, r, h, &text)));
        layout->heads[h] = fmax(widest, HEAD_POINTS);
        while (head.len > 0)
            widest = fmax(widest, width_of(next_line(&head, layout->heads[h])));
        layout->columns[h] = widest;
    }
    buf_free(&text);
}

static double indent_of(const struct result_row *row)
{
    return 10.0 * row->level;
}

static void measure_names(struct latex_layout *layout)
{
    const struct result_table *table = layout->table;

    layout->word = widest_word(table->corner);
    layout->names = fmax(layout->word, HEAD_POINTS);
    for (size_t r = 0; r < table->row_count; r++) {
        const struct result_row *row = &table->rows[r];
        layout->names = fmax(layout->names, indent_of(row) + width_of(row->name));
        layout->word = fmax(layout->word, indent_of(row) + widest_word(row->name));
    }
}

static double width_of_columns(const struct latex_layout *layout, size_t first,
                               size_t end, double scale)
{
    double width = 0;

    for (size_t h = first; h < end; h++)
        width += GAP_POINTS + scale * layout->columns[h];
    return width;
}

static void choose_layout(struct latex_layout *layout)
{
    size_t count = layout->table->column_count;

    for (size_t i = 0; i < ROWS_OF(tries); i++) {
        double scale = tries[i].size->scale;
        double left = tries[i].room - width_of_columns(layout, 0, count, scale);
        if (left < scale * fmax(layout->word, tries[i].share * layout->names))
            continue;
        layout->size = tries[i].size;
        layout->page = tries[i].room > COLUMN_POINTS;
        layout->name_room = left < scale * layout->names ? left : 0;
        return;
    }
    layout->size = &latex_smaller;
    layout->page = layout->parts = true;
    double natural = latex_smaller.scale * layout->names;
    double room = fmax(PAGE_POINTS / 3, latex_smaller.scale * layout->word);
    layout->name_room = natural > room ? room : 0;
}

/* Where a part of the columns that begins here ends. */
static size_t end_of_part(const struct latex_layout *layout, size_t first)
{
    double scale = layout->size->scale, names = layout->name_room;
    size_t end = first + 1;

    if (!layout->parts)
        return layout->table->column_count;
    if (names == 0)
        names = scale * layout->names;
    while (end < layout->table->column_count &&
           names + width_of_columns(layout, first, end + 1, scale) <= PAGE_POINTS)
        end++;
    return end;
}

static int lines_of(const struct latex_layout *layout, size_t row)
{
    const struct result_row *one = &layout->table->rows[row];
    double width = layout->size->scale * (indent_of(one) + width_of(one->name));

    return (layout->name_room > 0 ? (int)ceil(1.1 * width / layout->name_room) : 1) +
           one->total;
}

/* Where the rows of a float that begins here end. */
static size_t end_of_rows(const struct latex_layout *layout, size_t first)
{
    size_t end = first;

    for (int lines = 0; end < layout->table->row_count; end++) {
        lines += lines_of(layout, end);
        if (lines > LINES_MAX && end > first)
            break;
    }
    return end;
}

/* Writing. */

static void add_wrapped(struct str text, double width, char side, struct buf *out)
{
    bool first = true;

    buf_add_format(out, "\\begin{tabular}[b]{@{}%c@{}}", side);
    for (; text.len > 0; first = false) {
        if (!first)
            buf_add(out, STR(" \\\\ "));
        buf_add_latex(out, next_line(&text, width));
    }
    buf_add(out, STR("\\end{tabular}"));
}

static void add_heads(struct latex_layout *layout, size_t first, size_t end,
                      struct buf *out)
{
    const struct result_table *table = layout->table;

    if (layout->name_room > 0) {
        buf_add(out, STR("\\raggedright "));
        buf_add_latex(out, table->corner);
    } else
        add_wrapped(table->corner, layout->names, 'l', out);
    for (size_t h = first; h < end; h++) {
        buf_add(out, STR(" & "));
        add_wrapped(head_of(&table->columns[h], &layout->arena), layout->heads[h], 'r',
                    out);
    }
    buf_add(out, STR(" \\\\\n\\midrule\n"));
}

static void add_rows(const struct latex_layout *layout, size_t first_row, size_t end_row,
                     size_t first, size_t end, struct buf *out)
{
    const struct result_table *table = layout->table;
    struct buf text = {0};

    for (size_t r = first_row; r < end_row; r++) {
        if (table->rows[r].total && r > first_row)
            buf_add(out, STR("\\midrule\n"));
        if (layout->name_room > 0)
            buf_add(out, STR("\\raggedright "));
        if (table->rows[r].level > 0)
            buf_add_format(out, "\\hspace*{%dem}", table->rows[r].level);
        buf_add(out, STR("{}")); /* a name that begins with [ or * belongs to no \\ */
        buf_add_latex(out, table->rows[r].name);
        for (size_t h = first; h < end; h++) {
            buf_add(out, STR(" & "));
            buf_add_latex(out, cell_of(layout, r, h, &text));
        }
        buf_add(out, STR(" \\\\\n"));
    }
    buf_free(&text);
}

static void add_tabular(struct latex_layout *layout, size_t first_row, size_t end_row,
                        size_t first, size_t end, struct buf *out)
{
    buf_add(out, STR("\\begin{tabular}{@{}"));
    if (layout->name_room > 0)
        buf_add_format(out, "p{%.0fpt}", floor(layout->name_room));
    else
        buf_add_char(out, 'l');
    for (size_t h = first; h < end; h++)
        buf_add_char(out, 'r');
    buf_add(out, STR("@{}}\n\\toprule\n"));
    add_heads(layout, first, end, out);
    add_rows(layout, first_row, end_row, first, end, out);
    buf_add(out, STR("\\bottomrule\n\\end{tabular}\n"));
}

static void add_notes(const struct result_table *table, struct buf *out)
{
    for (size_t i = 0; i < table->note_count; i++) {
        buf_add(out, i == 0 ? STR("\\par\\smallskip\n\\begin{minipage}{\\linewidth}"
                                  "\\footnotesize\\raggedright\n")
                            : STR("\\par\n"));
        buf_add_latex(out, table->notes[i]);
        buf_add_char(out, '\n');
    }
    if (table->note_count > 0)
        buf_add(out, STR("\\end{minipage}\n"));
}

static void begin_float(const struct latex_layout *layout, bool again, struct buf *out)
{
    const struct result_table *table = layout->table;

    buf_add_format(out, "\\begin{table%s}\n\\centering\n", layout->page ? "*" : "");
    buf_add(out,
            again ? STR("\\addtocounter{table}{-1}\n\\caption[]{") : STR("\\caption{"));
    buf_add_latex(out, table->title.len > 0 ? table->title : table->name);
    if (again)
        buf_add(out, STR(" (continued)"));
    buf_add(out, STR("}\n"));
    if (!again)
        buf_add_format(out, "\\label{tab:%.*s}\n", STR_ARG(table->name));
    buf_add_format(out, "\\%s\\setlength{\\tabcolsep}{%.0fpt}\n", layout->size->name,
                   GAP_POINTS / 2);
}

static void end_float(const struct latex_layout *layout, struct buf *out)
{
    buf_add_format(out, "\\end{table%s}\n", layout->page ? "*" : "");
}

/* Rows and columns that stand together: below others where there is room, else in a float
 * of their own. *lines are those of the float that is open; -1: none has been. */
static void add_block(struct latex_layout *layout, size_t row, size_t end_row,
                      size_t first, size_t end, int *lines, struct buf *out)
{
    /* LaTeX keeps no more than 18 floats that wait for a page. */
    enum { HEAD_LINES = 4, FLOATS_MAX = 8 };
    int more = HEAD_LINES;

    for (size_t r = row; r < end_row; r++)
        more += lines_of(layout, r);
    if (*lines >= 0 && *lines + more <= LINES_MAX) {
        buf_add(out, STR("\\par\\medskip\n"));
        *lines += more;
    } else {
        if (*lines >= 0)
            end_float(layout, out);
        if (layout->floats++ % FLOATS_MAX == FLOATS_MAX - 1)
            buf_add(out, STR("\\clearpage\n"));
        begin_float(layout, *lines >= 0, out);
        *lines = more;
    }
    add_tabular(layout, row, end_row, first, end, out);
}

void result_table_text_latex(const struct result_table *table, struct buf *out)
{
    struct latex_layout layout = {.table = table};
    int lines = -1;

    measure_columns(&layout);
    measure_names(&layout);
    choose_layout(&layout);
    buf_add(out, STR("% needs booktabs\n"));
    for (size_t row = 0, end_row; row < table->row_count || lines < 0; row = end_row) {
        end_row = end_of_rows(&layout, row);
        for (size_t first = 0, end = 0; first == 0 || end < table->column_count;
             first = end) {
            end = end_of_part(&layout, first);
            add_block(&layout, row, end_row, first, end, &lines, out);
            if (end == 0)
                break; /* a table without columns */
        }
    }
    add_notes(table, out);
    end_float(&layout, out);
    arena_free(&layout.arena);
}
