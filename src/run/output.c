/* Plain files that anybody can read: csv for programs, Markdown for people, json where a
 * table is not enough. */
#include "run/output.h"

#include <math.h>
#include <string.h>

#include "base/file.h"
#include "measure/behind.h"
#include "result/numbers.h"
#include "result/table_text.h"

void output_free(struct output *output)
{
    for (size_t i = 0; i < output->count; i++) {
        buf_free(&output->files[i]->path);
        buf_free(&output->files[i]->text);
    }
    buf_free(&output->says);
    arena_free(&output->arena);
}

struct str output_path(const struct output *output, size_t file)
{
    return buf_str(&output->files[file]->path);
}

struct str output_text(const struct output *output, size_t file)
{
    return buf_str(&output->files[file]->text);
}

struct str output_says(const struct output *output)
{
    return buf_str(&output->says);
}

/* What it returns stays where it is when further files are added. */
static struct output_file *next_file(struct output *output)
{
    if (output->count == output->room) {
        size_t room = output->room * 2 + 8;
        struct output_file **files =
            arena_array(&output->arena, struct output_file *, room);
        if (output->count > 0)
            memcpy(files, output->files, output->count * sizeof(struct output_file *));
        output->files = files;
        output->room = room;
    }
    output->files[output->count] = arena_array(&output->arena, struct output_file, 1);
    return output->files[output->count++];
}

struct buf *output_add(struct output *output, const char *path)
{
    struct output_file *file = next_file(output);

    buf_add_format(&file->path, "%s", path);
    return &file->text;
}

struct buf *output_add_below(struct output *output, const char *kind, struct str name,
                             const char *file)
{
    struct output_file *added = next_file(output);

    buf_add_format(&added->path, "out/%s/%.*s/%s", kind, STR_ARG(name), file);
    return &added->text;
}

struct buf *output_add_named(struct output *output, const char *kind, struct str name,
                             const char *ending)
{
    struct output_file *file = next_file(output);

    buf_add_format(&file->path, "out/%s/%.*s%s", kind, STR_ARG(name), ending);
    return &file->text;
}

struct buf *output_rows(struct output *output)
{
    if (output->result == NULL) {
        output->result = output_add_named(output, "results", output->step, ".result");
        result_file_begin(output->step, output->result);
    }
    return output->result;
}

void output_result(struct output *output, const struct result_table *table)
{
    struct arena arena = {0};
    struct result only = {output->step, (struct result_table *)table, 1};
    struct numbers numbers;

    result_file_table(table, output_rows(output));
    if (table->numbers) {
        numbers_from(&only, &arena, &numbers);
        numbers_csv(&numbers, output_add_named(output, "numbers", output->step, ".csv"));
    }
    arena_free(&arena);
}

void output_shown(struct output *output, const char *kind, struct str name,
                  const struct result_table *table, const char *heads)
{
    struct buf file = {0};

    output_result(output, table);
    buf_add_format(&file, "%.*s.csv", STR_ARG(table->name));
    buf_add_char(&file, '\0');
    table_text_step(table, heads, output_add_below(output, kind, name, file.ptr));
    buf_free(&file);
}

void output_end(struct output *output)
{
    if (output->result != NULL)
        result_file_end(output->result);
}

bool output_write(const struct output *output, const char *folder, struct err *err)
{
    struct arena arena = {0};
    bool ok = true;

    for (size_t i = 0; i < output->count && ok; i++) {
        const char *path = arena_c_string(&arena, output_path(output, i)), *made;
        char *parent = arena_c_string(&arena, output_path(output, i));
        *strrchr(parent, '/') = '\0';
        ok = file_make_folder(file_join(folder, parent, &arena), &arena, &made, err) &&
             file_write_checked(file_join(folder, path, &arena), output_text(output, i),
                                err);
    }
    arena_free(&arena);
    return ok;
}

/* Labels. */

static void add_codes(struct buf *csv, const struct labels *labels)
{
    buf_add(csv, STR("code,level,special,name\n"));
    for (size_t c = 0; c < labels->code_count; c++) {
        buf_add_csv(csv, labels->codes[c].id);
        buf_add_format(csv, ",%d,%s,", labels->codes[c].level,
                       labels->codes[c].special ? "yes" : "");
        buf_add_csv(csv, labels->codes[c].name);
        buf_add_char(csv, '\n');
    }
}

/* The number of labels with their items, and each label as a row. */
static void add_labels_result(struct output *output, const struct labels *labels,
                              const struct frame *frame)
{
    struct arena *arena = &output->arena;
    struct result_table numbers = {.name = STR("numbers")};
    struct result_column columns[] = {{.type = RESULT_ITEM, .name = STR("id")},
                                      {.type = RESULT_TEXT, .name = STR("code")},
                                      {.type = RESULT_TEXT, .name = STR("name")}};
    struct result_table given = {
        .name = STR("labels"), .columns = columns, .column_count = ROWS_OF(columns)};
    int64_t *ids = arena_array(arena, int64_t, labels->count + 1);

    for (size_t e = 0; e < labels->count; e++)
        ids[e] = frame->ids[labels->entries[e].item];
    result_add_number(&numbers, RESULT_COUNT, STR("count"), STR(""),
                      result_count((int64_t)labels->count), arena);
    result_add_evidence(
        &numbers,
        &(struct result_evidence){0, 0, STR("items with labels"), ids, labels->count},
        arena);
    output_result(output, &numbers);
    result_file_head(&given, output_rows(output));
    for (size_t e = 0; e < labels->count; e++) {
        const struct labels_code *code = &labels->codes[labels->entries[e].code];
        const struct result_cell cells[] = {result_item(ids[e]), result_text(code->id),
                                            result_text(code->name)};
        result_file_row(&given, &(struct result_row){.n = -1}, cells,
                        output_rows(output));
    }
}

void output_labels(struct output *output, const struct study_labels *from,
                   const struct labels *labels, const struct frame *frame)
{
    struct buf *csv = output_add_named(output, "labels", from->name, ".csv");

    buf_add(csv, STR("id,code,name\n"));
    for (size_t e = 0; e < labels->count; e++) {
        const struct labels_code *code = &labels->codes[labels->entries[e].code];
        item_key_add_csv(csv, frame->spaces, frame->ids[labels->entries[e].item]);
        buf_add_char(csv, ',');
        buf_add_csv(csv, code->id);
        buf_add_char(csv, ',');
        buf_add_csv(csv, code->name);
        buf_add_char(csv, '\n');
    }
    add_codes(output_add_named(output, "codes", from->name, ".csv"), labels);
    add_labels_result(output, labels, frame);
    buf_add_format(&output->says, "%lld labels given, %zu codes of items",
                   (long long)labels->given, labels->count);
    if (labels->unknown > 0)
        buf_add_format(&output->says, ", %lld of unknown items skipped",
                       (long long)labels->unknown);
    if (labels->undecided > 0)
        buf_add_format(&output->says, ", %lld item%s without majority",
                       (long long)labels->undecided, labels->undecided == 1 ? "" : "s");
}

void output_table(struct output *output, struct result_table *table)
{
    result_mark(table, &output->arena);
    table_text_csv(table, output_add_named(output, "tables", table->name, ".csv"));
    table_text_json(table, output_add_named(output, "tables", table->name, ".json"));
    table_text_markdown(table, output_add_named(output, "tables", table->name, ".md"));
    table_text_latex(table, output_add_named(output, "tables", table->name, ".tex"));
    table_text_html(table, output_add_named(output, "tables", table->name, ".html"));
    output_result(output, table);
    buf_add_format(&output->says, "%zu row%s, %zu column%s", table->row_count,
                   table->row_count == 1 ? "" : "s", table->column_count,
                   table->column_count == 1 ? "" : "s");
}

void output_test(struct output *output, const struct testing *testing)
{
    struct str name = testing->test->name;
    struct result_table table = testing_table(testing, &output->arena);
    struct result_table sides = testing_sides(testing, &output->arena);

    output_shorten(output, "tests", &sides, BEHIND_LINES);
    sides.name = STR("sides");
    testing_csv(testing, output_add_named(output, "tests", name, ".csv"));
    testing_markdown(testing, output_add_named(output, "tests", name, ".md"));
    testing_html(testing, &sides, output_add_named(output, "tests", name, ".html"));
    output_result(output, &table);
    output_result(output, &sides);
    if (testing->count == 1 && testing->results[0].undefined != NULL)
        buf_add_format(&output->says, "undefined: %s", testing->results[0].undefined);
    else if (testing->count == 1) {
        buf_add(&output->says, STR("p "));
        testing_add_p(testing->results[0].p, &output->says);
    } else
        buf_add_format(&output->says, "%zu results", testing->count);
}

void output_family(struct output *output, const struct family *family)
{
    struct result_table table = family_table(family, &output->arena);
    struct buf name = {0};

    buf_add_format(&name, "family-%.*s", STR_ARG(family->study->name));
    family_csv(family, output_add_named(output, "tests", buf_str(&name), ".csv"));
    family_markdown(family, output_add_named(output, "tests", buf_str(&name), ".md"));
    family_html(family, output_add_named(output, "tests", buf_str(&name), ".html"));
    output_result(output, &table);
    buf_add_format(&output->says, "%zu p values", family->count);
    buf_free(&name);
}

bool output_figure(struct output *output, struct str name, const struct chart *chart,
                   struct err *err)
{
    static const struct {
        enum chart_format format;
        const char *ending;
    } formats[] = {{CHART_SVG, ".svg"}, {CHART_PDF, ".pdf"}, {CHART_PNG, ".png"}};

    for (size_t i = 0; i < ROWS_OF(formats); i++)
        if (!chart_draw(chart, formats[i].format,
                        output_add_named(output, "figures", name, formats[i].ending),
                        err))
            return err_at(err, "figure %.*s: ", STR_ARG(name));
    struct buf *words = output_add_named(output, "figures", name, ".txt");
    chart_describe(chart, words);
    buf_add_char(words, '\n');
    buf_add(&output->says, STR("drawn"));
    return true;
}
