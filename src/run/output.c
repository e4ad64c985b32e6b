/* Plain files that anybody can read: csv for programs, Markdown for people, json where a
 * table is not enough. */
#include "run/output.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "measure/numbers.h"
#include "measure/table_text.h"

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

void output_number(double value, struct buf *out)
{
    buf_add_char(out, ',');
    if (!isnan(value))
        buf_add_format(out, value == floor(value) ? "%.1f" : "%.17g", value);
}

void output_share(double value, struct buf *out)
{
    buf_add_char(out, ',');
    if (!isnan(value))
        buf_add_format(out, "%.15g%%", 100 * value);
}

static struct buf *add_file(struct output *output, const char *kind, struct str name,
                            const char *ending)
{
    struct output_file *file = next_file(output);

    buf_add_format(&file->path, "out/%s/%.*s%s", kind, STR_ARG(name), ending);
    return &file->text;
}

struct buf *output_add_numbers(struct output *output, const char *kind, struct str name)
{
    struct output_file *file = next_file(output);

    buf_add_format(&file->path, "out/numbers/%s.%.*s.csv", kind, STR_ARG(name));
    numbers_head(&file->text);
    return &file->text;
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

/* Sets. */

/* What each condition left, from all questions down. */
struct funnel {
    struct arena arena;
    struct str *conditions;
    double *left;
    size_t count;
};

static void add_condition(struct funnel *funnel, struct str condition, double left)
{
    funnel->conditions[funnel->count] = arena_copy(&funnel->arena, condition);
    funnel->left[funnel->count++] = left;
}

/* The first conditions as one. */
static void add_joined(struct funnel *funnel, const struct query_funnel *own,
                       size_t count)
{
    struct buf text = {0};

    for (size_t i = 0; i < count; i++) {
        struct str condition = own->rows[i].condition;
        bool brackets = count > 1 && memchr(condition.ptr, ' ', condition.len) != NULL;
        buf_add_format(&text, "%s%s%.*s%s", i > 0 ? " and " : "", brackets ? "(" : "",
                       STR_ARG(condition), brackets ? ")" : "");
    }
    add_condition(funnel, buf_str(&text), (double)own->rows[count - 1].together);
    buf_free(&text);
}

/* A set that begins with another one goes on with that one's funnel. */
static struct funnel funnel_of(const struct query_funnel *own, struct output_funnel from)
{
    size_t room = own->count + 1 + (from.before != NULL ? from.before->count : 0);
    struct funnel funnel = {0};

    funnel.conditions = arena_array(&funnel.arena, struct str, room);
    funnel.left = arena_array(&funnel.arena, double, room);
    for (size_t i = 0; from.before != NULL && i < from.before->count; i++)
        if (str_starts(from.before->at[i].column, STR("funnel.")))
            add_condition(&funnel, from.before->at[i].heading, from.before->at[i].value);
    size_t begun = from.before != NULL || own->count == 0 ? 1 : from.together;
    if (from.before == NULL && own->count > 0)
        add_joined(&funnel, own, begun);
    for (size_t i = begun; i < own->count; i++)
        add_condition(&funnel, own->rows[i].condition, (double)own->rows[i].together);
    return funnel;
}

static void add_funnel_numbers(const struct funnel *funnel, struct buf *numbers)
{
    for (size_t i = 0; i < funnel->count; i++) {
        char column[40];
        snprintf(column, sizeof column, "funnel.%zu", i + 1);
        numbers_add(numbers, &(struct number){.column = str_from(column),
                                              .value = funnel->left[i],
                                              .low = NAN,
                                              .high = NAN,
                                              .n = -1,
                                              .heading = funnel->conditions[i]});
    }
}

static void add_funnel_texts(struct output *output, struct str name,
                             const struct funnel *funnel, int64_t all)
{
    struct buf *csv = add_file(output, "funnels", name, ".csv");
    struct buf *markdown = add_file(output, "funnels", name, ".md");
    struct buf *latex = add_file(output, "funnels", name, ".tex");

    buf_add(csv, STR("condition,questions\n"));
    buf_add_format(markdown,
                   "# Funnel of %.*s\n\n| condition | questions left |\n|---|---:|\n",
                   STR_ARG(name));
    buf_add(latex, STR("% needs booktabs\n\\begin{tabular}{lr}\n\\toprule\ncondition & "
                       "questions left \\\\\n\\midrule\n"));
    if (all > 0) {
        buf_add_format(csv, "all questions of the sources,%lld\n", (long long)all);
        buf_add_format(markdown, "| all questions of the sources | %lld |\n",
                       (long long)all);
        buf_add_format(latex, "all questions of the sources & %lld \\\\\n",
                       (long long)all);
    }
    for (size_t i = 0; i < funnel->count; i++) {
        buf_add_csv(csv, funnel->conditions[i]);
        buf_add_format(csv, ",%.0f\n", funnel->left[i]);
        buf_add(markdown, STR("| `"));
        buf_add_markdown(markdown, funnel->conditions[i]);
        buf_add_format(markdown, "` | %.0f |\n", funnel->left[i]);
        buf_add(latex, STR("{}")); /* a condition that begins with [ belongs to no \\ */
        buf_add_latex(latex, funnel->conditions[i]);
        buf_add_format(latex, " & %.0f \\\\\n", funnel->left[i]);
    }
    buf_add(latex, STR("\\bottomrule\n\\end{tabular}\n"));
}

void output_set(struct output *output, const struct study_set *set,
                const struct frame_slot *slot, const struct frame *frame,
                struct output_funnel from)
{
    struct buf *csv = add_file(output, "sets", set->name, ".csv");
    struct bits bits = slot->bits;

    buf_add(csv, STR("id\n"));
    for (size_t i = bits_next(bits, 0); i < bits.count; i = bits_next(bits, i + 1)) {
        buf_add_int(csv, frame->ids[i]);
        buf_add_char(csv, '\n');
    }
    struct buf *numbers = output_add_numbers(output, "sets", set->name);
    numbers_add_plain(numbers, "count", (double)bits_count(bits));
    struct funnel funnel = funnel_of(&slot->funnel, from);
    add_funnel_numbers(&funnel, numbers);
    add_funnel_texts(output, set->name, &funnel, from.all);
    arena_free(&funnel.arena);
    int64_t count = bits_count(bits);
    buf_add_format(&output->says, "%lld item%s", (long long)count, count == 1 ? "" : "s");
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

void output_labels(struct output *output, const struct study_labels *from,
                   const struct labels *labels, const struct frame *frame)
{
    struct buf *csv = add_file(output, "labels", from->name, ".csv");

    buf_add(csv, STR("id,code,name\n"));
    for (size_t e = 0; e < labels->count; e++) {
        const struct labels_code *code = &labels->codes[labels->entries[e].code];
        buf_add_int(csv, frame->ids[labels->entries[e].item]);
        buf_add_char(csv, ',');
        buf_add_csv(csv, code->id);
        buf_add_char(csv, ',');
        buf_add_csv(csv, code->name);
        buf_add_char(csv, '\n');
    }
    add_codes(add_file(output, "codes", from->name, ".csv"), labels);
    numbers_add_plain(output_add_numbers(output, "labels", from->name), "count",
                      (double)labels->count);
    buf_add_format(&output->says, "%lld labels given, %zu codes of items",
                   (long long)labels->given, labels->count);
    if (labels->unknown > 0)
        buf_add_format(&output->says, ", %lld of unknown items skipped",
                       (long long)labels->unknown);
    if (labels->undecided > 0)
        buf_add_format(&output->says, ", %lld item%s without majority",
                       (long long)labels->undecided, labels->undecided == 1 ? "" : "s");
}

/* Samples. */

static void add_strata(struct buf *json, const struct sampling *drawn)
{
    buf_add(json, STR(",\n\"strata\":["));
    for (size_t v = 0; v < drawn->stratum_count; v++) {
        buf_add(json, v > 0 ? STR(",\n{\"name\":\"") : STR("\n{\"name\":\""));
        buf_add_json(json, drawn->stratum_names[v]);
        buf_add_format(json, "\",\"frame\":%lld,\"size\":%lld}",
                       (long long)drawn->frames[v], (long long)drawn->sizes[v]);
    }
    buf_add_char(json, ']');
}

static void add_how(struct buf *json, const struct study_sample *sample,
                    const struct sampling *drawn)
{
    struct size_rule rule = sample->size.rule;
    struct buf size = {0};

    if (rule.confidence == 0)
        rule.confidence = 0.95;
    size_add(&size, &sample->size);
    buf_add(json, STR("{\"sample\":\""));
    buf_add_json(json, sample->name);
    buf_add(json, STR("\",\n\"of\":\""));
    buf_add_json(json, sample->of);
    buf_add(json, STR("\",\n\"size\":\""));
    buf_add_json(json, buf_str(&size));
    buf_add_format(
        json,
        "\",\n\"seed\":%llu,\n\"drawn\":%zu,\n\"frame\":%lld,\n"
        "\"frame_hash\":\"%016llx\",\n\"outside\":%lld,\n\"kept\":%zu,\n\"gone\":%zu",
        (unsigned long long)sample->seed, drawn->count, (long long)drawn->frame,
        (unsigned long long)drawn->frame_hash, (long long)drawn->outside, drawn->kept,
        drawn->gone);
    double margin = size_margin(&rule, (int64_t)drawn->count, drawn->frame);
    if (sample->size.kind != SIZE_TOP && !isnan(margin)) {
        buf_add(json, STR(",\n\"confidence\":"));
        numbers_print(rule.confidence, json);
        buf_add(json, STR(",\n\"margin\":"));
        numbers_print(margin, json);
    }
    if (sample->by != STUDY_NONE)
        add_strata(json, drawn);
    buf_add(json, STR("}\n"));
    buf_free(&size);
}

void output_sample(struct output *output, const struct study_sample *sample,
                   const struct sampling *drawn)
{
    struct buf *csv = add_file(output, "samples", sample->name, ".csv");

    buf_add(csv, STR("id,stratum\n"));
    for (size_t i = 0; i < drawn->count; i++) {
        buf_add_int(csv, drawn->ids[i]);
        buf_add_char(csv, ',');
        buf_add_csv(csv, drawn->stratum_names[drawn->strata[i]]);
        buf_add_char(csv, '\n');
    }
    add_how(add_file(output, "samples", sample->name, ".json"), sample, drawn);
    struct buf *numbers = output_add_numbers(output, "samples", sample->name);
    numbers_add_plain(numbers, "count", (double)drawn->count);
    numbers_add_plain(numbers, "frame", (double)drawn->frame);
    buf_add_format(&output->says, "%zu of %lld items", drawn->count,
                   (long long)drawn->frame);
    if (drawn->kept > 0)
        buf_add_format(&output->says, ", %zu of them kept", drawn->kept);
    if (drawn->gone > 0)
        buf_add_format(&output->says, ", %zu no longer in the frame", drawn->gone);
}

struct table_files {
    struct output *output;
    struct str table;
};

static struct buf *add_items(void *context, size_t number)
{
    const struct table_files *files = context;
    struct output_file *file = next_file(files->output);

    buf_add_format(&file->path, "out/items/%.*s/%zu.csv", STR_ARG(files->table), number);
    return &file->text;
}

/* The table's numbers in HTML lead to the items behind them. */
static void add_table_html(struct output *output, const struct table *table)
{
    struct table_files files = {output, table->name};
    struct behind behind;

    behind_make(table, add_items, &files, &output->arena, &behind);
    table_text_html(table, &behind, add_file(output, "tables", table->name, ".html"));
    if (table->ids == NULL)
        return;
    behind_lists_csv(&behind, add_file(output, "items", table->name, ".lists.csv"));
    behind_cells_csv(&behind, add_file(output, "items", table->name, ".cells.csv"));
}

void output_table(struct output *output, const struct table *table)
{
    table_text_csv(table, add_file(output, "tables", table->name, ".csv"));
    table_text_json(table, add_file(output, "tables", table->name, ".json"));
    table_text_markdown(table, add_file(output, "tables", table->name, ".md"));
    table_text_latex(table, add_file(output, "tables", table->name, ".tex"));
    add_table_html(output, table);
    struct buf *numbers = output_add_numbers(output, "tables", table->name);
    buf_clear(numbers);
    table_text_numbers(table, numbers);
    buf_add_format(&output->says, "%zu row%s, %zu column%s", table->row_count,
                   table->row_count == 1 ? "" : "s", table->head_count,
                   table->head_count == 1 ? "" : "s");
}

void output_test(struct output *output, const struct testing *testing)
{
    struct str name = testing->test->name;

    testing_csv(testing, add_file(output, "tests", name, ".csv"));
    testing_markdown(testing, add_file(output, "tests", name, ".md"));
    testing_html(testing, add_file(output, "tests", name, ".html"));
    testing_numbers(testing, output_add_numbers(output, "tests", name));
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
    struct buf name = {0};

    buf_add_format(&name, "family-%.*s", STR_ARG(family->study->name));
    family_csv(family, add_file(output, "tests", buf_str(&name), ".csv"));
    family_markdown(family, add_file(output, "tests", buf_str(&name), ".md"));
    family_html(family, add_file(output, "tests", buf_str(&name), ".html"));
    family_numbers(family, output_add_numbers(output, "families", family->study->name));
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
                        add_file(output, "figures", name, formats[i].ending), err))
            return err_at(err, "figure %.*s: ", STR_ARG(name));
    struct buf *words = add_file(output, "figures", name, ".txt");
    chart_describe(chart, words);
    buf_add_char(words, '\n');
    buf_add(&output->says, STR("drawn"));
    return true;
}

/* Reading back. */

bool output_read_numbers(const char *folder, struct str step, struct arena *arena,
                         struct numbers *out, struct err *err)
{
    struct buf name = {0};
    struct str text;

    buf_add_format(&name, "out/numbers/%.*s.csv", STR_ARG(step));
    const char *path = file_join(folder, arena_c_string(arena, buf_str(&name)), arena);
    buf_free(&name);
    return file_read(path, arena, &text, err) &&
           numbers_parse(text, path, step, arena, out, err);
}

bool output_read_ids(const char *folder, const char *kind, struct str name,
                     struct arena *arena, int64_t **ids, size_t *count, struct err *err)
{
    struct output_file file = {0};
    struct str text, line, cell;
    struct buf list = {0};
    bool ok, first = true;

    buf_add_format(&file.path, "out/%s/%.*s.csv", kind, STR_ARG(name));
    const char *path =
        file_join(folder, arena_c_string(arena, buf_str(&file.path)), arena);
    buf_free(&file.path);
    ok = file_read(path, arena, &text, err);
    for (int number = 1; ok && text.len > 0; number++) {
        int64_t id;
        str_cut(&text, '\n', &line);
        str_cut(&line, ',', &cell);
        if (!first && !str_to_int(cell, &id))
            ok = err_set(err, ERR_INPUT, "%s:%d: found '%.*s', expected an id", path,
                         number, STR_ARG(cell));
        else if (!first)
            buf_add(&list, (struct str){(const char *)&id, sizeof id});
        first = false;
    }
    *count = list.len / sizeof **ids;
    *ids = arena_array(arena, int64_t, *count + 1);
    if (list.len > 0)
        memcpy(*ids, list.ptr, list.len);
    buf_free(&list);
    return ok;
}
