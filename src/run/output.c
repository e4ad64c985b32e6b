/* Plain files that anybody can read: csv for programs, Markdown for people, json where a
 * table is not enough. */
#include "run/output.h"

#include <math.h>
#include <string.h>

#include "base/file.h"
#include "measure/behind.h"
#include "result/numbers.h"
#include "result/table_text.h"

void run_output_free(struct run_output *output)
{
    for (size_t i = 0; i < output->count; i++) {
        buf_free(&output->files[i]->path);
        buf_free(&output->files[i]->text);
    }
    buf_free(&output->says);
    arena_free(&output->arena);
}

struct str run_output_path(const struct run_output *output, size_t file)
{
    return buf_str(&output->files[file]->path);
}

struct str run_output_text(const struct run_output *output, size_t file)
{
    return buf_str(&output->files[file]->text);
}

struct str run_output_says(const struct run_output *output)
{
    return buf_str(&output->says);
}

/* What it returns stays where it is when further files are added. */
static struct run_output_file *next_file(struct run_output *output)
{
    if (output->count == output->room) {
        size_t room = output->room * 2 + 8;
        struct run_output_file **files =
            arena_array(&output->arena, struct run_output_file *, room);
        if (output->count > 0)
            memcpy(files, output->files,
                   output->count * sizeof(struct run_output_file *));
        output->files = files;
        output->room = room;
    }
    output->files[output->count] = arena_array(&output->arena, struct run_output_file, 1);
    return output->files[output->count++];
}

struct buf *run_output_add(struct run_output *output, const char *path)
{
    struct run_output_file *file = next_file(output);

    buf_add_format(&file->path, "%s", path);
    return &file->text;
}

struct buf *run_output_add_below(struct run_output *output, const char *kind,
                                 struct str name, const char *file)
{
    struct run_output_file *added = next_file(output);

    buf_add_format(&added->path, "out/%s/%.*s/%s", kind, STR_ARG(name), file);
    return &added->text;
}

struct buf *run_output_add_named(struct run_output *output, const char *kind,
                                 struct str name, const char *ending)
{
    struct run_output_file *file = next_file(output);

    buf_add_format(&file->path, "out/%s/%.*s%s", kind, STR_ARG(name), ending);
    return &file->text;
}

struct buf *run_output_rows(struct run_output *output)
{
    if (output->result == NULL) {
        output->result = run_output_add_named(output, "results", output->step, ".result");
        result_file_begin(output->step, output->result);
    }
    return output->result;
}

void run_output_result(struct run_output *output, const struct result_table *table)
{
    struct arena arena = {0};
    struct result only = {output->step, (struct result_table *)table, 1};
    struct result_numbers numbers;

    result_file_table(table, run_output_rows(output));
    if (table->numbers) {
        result_numbers_from(&only, &arena, &numbers);
        result_numbers_csv(&numbers,
                           run_output_add_named(output, "numbers", output->step, ".csv"));
    }
    arena_free(&arena);
}

void run_output_shown(struct run_output *output, const char *kind, struct str name,
                      const struct result_table *table, const char *heads)
{
    struct buf file = {0};

    run_output_result(output, table);
    buf_add_format(&file, "%.*s.csv", STR_ARG(table->name));
    buf_add_char(&file, '\0');
    result_table_text_step(table, heads,
                           run_output_add_below(output, kind, name, file.ptr));
    buf_free(&file);
}

void run_output_end(struct run_output *output)
{
    if (output->result != NULL)
        result_file_end(output->result);
}

bool run_output_write(const struct run_output *output, const char *folder,
                      struct err *err)
{
    struct arena arena = {0};
    bool ok = true;

    for (size_t i = 0; i < output->count && ok; i++) {
        const char *path = arena_c_string(&arena, run_output_path(output, i)), *made;
        char *parent = arena_c_string(&arena, run_output_path(output, i));
        *strrchr(parent, '/') = '\0';
        ok = file_make_folder(file_join(folder, parent, &arena), &arena, &made, err) &&
             file_write_checked(file_join(folder, path, &arena),
                                run_output_text(output, i), err);
    }
    arena_free(&arena);
    return ok;
}

/* Labels. */

static void add_codes(struct buf *csv, const struct measure_labels *labels)
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
static void add_labels_result(struct run_output *output,
                              const struct measure_labels *labels,
                              const struct measure_frame *frame)
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
    run_output_result(output, &numbers);
    result_file_head(&given, run_output_rows(output));
    for (size_t e = 0; e < labels->count; e++) {
        const struct measure_labels_code *code = &labels->codes[labels->entries[e].code];
        const struct result_cell cells[] = {result_item(ids[e]), result_text(code->id),
                                            result_text(code->name)};
        result_file_row(&given, &(struct result_row){.n = -1}, cells,
                        run_output_rows(output));
    }
}

void run_output_labels(struct run_output *output, const struct study_labels *from,
                       const struct measure_labels *labels,
                       const struct measure_frame *frame)
{
    struct buf *csv = run_output_add_named(output, "labels", from->name, ".csv");

    buf_add(csv, STR("id,code,name\n"));
    for (size_t e = 0; e < labels->count; e++) {
        const struct measure_labels_code *code = &labels->codes[labels->entries[e].code];
        item_key_add_csv(csv, frame->spaces, frame->ids[labels->entries[e].item]);
        buf_add_char(csv, ',');
        buf_add_csv(csv, code->id);
        buf_add_char(csv, ',');
        buf_add_csv(csv, code->name);
        buf_add_char(csv, '\n');
    }
    add_codes(run_output_add_named(output, "codes", from->name, ".csv"), labels);
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

void run_output_table(struct run_output *output, struct result_table *table)
{
    result_mark(table, &output->arena);
    result_table_text_csv(table,
                          run_output_add_named(output, "tables", table->name, ".csv"));
    result_table_text_json(table,
                           run_output_add_named(output, "tables", table->name, ".json"));
    result_table_text_markdown(
        table, run_output_add_named(output, "tables", table->name, ".md"));
    result_table_text_latex(table,
                            run_output_add_named(output, "tables", table->name, ".tex"));
    result_table_text_html(table,
                           run_output_add_named(output, "tables", table->name, ".html"));
    run_output_result(output, table);
    buf_add_format(&output->says, "%zu row%s, %zu column%s", table->row_count,
                   table->row_count == 1 ? "" : "s", table->column_count,
                   table->column_count == 1 ? "" : "s");
}

void run_output_test(struct run_output *output, const struct measure_testing *testing)
{
    struct str name = testing->test->name;
    struct result_table table = measure_testing_table(testing, &output->arena);
    struct result_table sides = measure_testing_sides(testing, &output->arena);

    run_output_shorten(output, "tests", &sides, MEASURE_BEHIND_LINES);
    sides.name = STR("sides");
    measure_testing_csv(testing, run_output_add_named(output, "tests", name, ".csv"));
    measure_testing_markdown(testing, run_output_add_named(output, "tests", name, ".md"));
    measure_testing_html(testing, &sides,
                         run_output_add_named(output, "tests", name, ".html"));
    run_output_result(output, &table);
    run_output_result(output, &sides);
    if (testing->count == 1 && testing->results[0].undefined != NULL)
        buf_add_format(&output->says, "undefined: %s", testing->results[0].undefined);
    else if (testing->count == 1) {
        buf_add(&output->says, STR("p "));
        measure_testing_add_p(testing->results[0].p, &output->says);
    } else
        buf_add_format(&output->says, "%zu results", testing->count);
}

void run_output_family(struct run_output *output, const struct measure_family *family)
{
    struct result_table table = measure_family_table(family, &output->arena);
    struct buf name = {0};

    buf_add_format(&name, "family-%.*s", STR_ARG(family->study->name));
    measure_family_csv(family,
                       run_output_add_named(output, "tests", buf_str(&name), ".csv"));
    measure_family_markdown(family,
                            run_output_add_named(output, "tests", buf_str(&name), ".md"));
    measure_family_html(family,
                        run_output_add_named(output, "tests", buf_str(&name), ".html"));
    run_output_result(output, &table);
    buf_add_format(&output->says, "%zu p values", family->count);
    buf_free(&name);
}

bool run_output_figure(struct run_output *output, struct str name,
                       const struct chart *chart, struct err *err)
{
    static const struct {
        enum chart_format format;
        const char *ending;
    } formats[] = {{CHART_SVG, ".svg"}, {CHART_PDF, ".pdf"}, {CHART_PNG, ".png"}};

    for (size_t i = 0; i < ROWS_OF(formats); i++)
        if (!chart_draw(chart, formats[i].format,
                        run_output_add_named(output, "figures", name, formats[i].ending),
                        err))
            return err_at(err, "figure %.*s: ", STR_ARG(name));
    struct buf *words = run_output_add_named(output, "figures", name, ".txt");
    chart_describe(chart, words);
    buf_add_char(words, '\n');
    buf_add(&output->says, STR("drawn"));
    return true;
}
