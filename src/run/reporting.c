/* Reads what the steps have written, so that a report can be made again alone. */
#include "run/reporting.h"

#include <stdio.h>

#include "base/file.h"
#include "base/stop.h"
#include "input/csv.h"
#include "report/page.h"
#include "run/run.h"
#include "store/items.h"
#include "verify/verify.h"

struct reporter {
    const struct study *study;
    struct corpus *corpus;
    struct output *output;
    struct arena arena;
};

static const char *path_of(struct reporter *reporter, const char *kind, struct str name,
                           const char *ending)
{
    struct buf path = {0};

    buf_add_format(&path, "out/%s/%.*s%s", kind, STR_ARG(name), ending);
    const char *file =
        file_join(reporter->study->home, arena_c_string(&reporter->arena, buf_str(&path)),
                  &reporter->arena);
    buf_free(&path);
    return file;
}

/* Pages of items behind numbers. */

struct listing {
    struct reporter *reporter;
    struct page_item *items;
    size_t count;
};

static bool take_post(void *context, const struct corpus_post *post, struct err *err)
{
    struct listing *listing = context;
    struct arena *arena = &listing->reporter->arena;

    (void)err;
    listing->items[listing->count++] = (struct page_item){
        post->id, arena_copy(arena, post->title),
        post->type == CORPUS_ROW ? (struct str){0} : arena_copy(arena, post->license)};
    return true;
}

static bool read_ids(struct str text, int64_t *ids, size_t *count)
{
    struct str one;

    *count = 0;
    for (bool more = text.len > 0; more;) {
        more = str_cut(&text, ' ', &one);
        if (*count == TABLE_TEXT_FIRST || !str_to_int(one, &ids[*count]))
            return false;
        ++*count;
    }
    return true;
}

static bool add_page(struct reporter *reporter, const struct study_table *table,
                     const struct csv_row *row, size_t number, struct err *err)
{
    int64_t ids[TABLE_TEXT_FIRST], all;
    struct arena_mark mark = arena_mark(&reporter->arena);
    struct listing listing = {
        reporter, arena_array(&reporter->arena, struct page_item, TABLE_TEXT_FIRST), 0};
    size_t count;
    char path[400];

    if (row->count != 4 || !str_to_int(row->fields[2], &all) ||
        !read_ids(row->fields[3], ids, &count))
        return err_set(err, ERR_INPUT, "not as assay writes it");
    if (count > 0 && !items_posts(reporter->corpus, ids, count, take_post, &listing, err))
        return false;
    struct page_rows rows = {reporter->study, table->name, row->fields[0], row->fields[1],
                             table->node,     all,         listing.items,  listing.count};
    snprintf(path, sizeof path, "out/report/rows/%.*s/%zu.html", STR_ARG(table->name),
             number);
    if (count > 0)
        page_rows(&rows, output_add(reporter->output, path));
    arena_rewind(&reporter->arena, mark);
    return stop_check(err);
}

static bool add_pages(struct reporter *reporter, const struct study_table *table,
                      struct err *err)
{
    const char *path = path_of(reporter, "items", table->name, ".first.csv");
    struct csv csv = {.path = path};
    struct csv_row row;
    struct str text;
    bool ok = file_read(path, &reporter->arena, &text, err);
    size_t number = 0;

    if (!ok)
        return false;
    csv_push(&csv, text, true);
    for (bool head = true; ok && csv_next(&csv, &row, err); head = false) {
        if (head)
            continue;
        if (number >= TABLE_TEXT_PAGES)
            break;
        ok = add_page(reporter, table, &row, number++, err) ||
             err_at(err, "%s:%lld: ", path, (long long)row.line);
    }
    ok = ok && !csv.failed;
    csv_free(&csv);
    return ok;
}

static const char *family_path(struct reporter *reporter, struct str name)
{
    struct buf file = {0};

    buf_add_format(&file, "family-%.*s", STR_ARG(name));
    const char *path = path_of(reporter, "tests", buf_str(&file), ".html");
    buf_free(&file);
    return path;
}

static bool add_index(struct reporter *reporter, const char *version, struct err *err)
{
    const struct study *study = reporter->study;
    struct arena *arena = &reporter->arena;
    struct str *tables = arena_array(arena, struct str, study->table_count + 1);
    struct str *tests = arena_array(arena, struct str, study->test_count + 1);
    struct str *families = arena_array(arena, struct str, study->family_count + 1);
    struct page_inputs inputs = {.study = study,
                                 .version = version,
                                 .tables = tables,
                                 .tests = tests,
                                 .families = families};
    const char *health = file_join(study->home, "out/health.md", arena);
    struct numbers *numbers;
    struct verify verify;
    bool ok = run_numbers(study, arena, &numbers, &inputs.number_count, err);

    for (size_t i = 0; i < study->table_count && ok; i++)
        ok = file_read(path_of(reporter, "tables", study->tables[i].name, ".html"), arena,
                       &tables[i], err);
    for (size_t i = 0; i < study->test_count && ok; i++)
        ok = file_read(path_of(reporter, "tests", study->tests[i].name, ".html"), arena,
                       &tests[i], err);
    for (size_t i = 0; i < study->family_count && ok; i++)
        ok = file_read(family_path(reporter, study->families[i].name), arena,
                       &families[i], err);
    if (ok && file_exists(health))
        ok = file_read(health, arena, &inputs.health, err);
    if (!ok)
        return false;
    verify_study(study, numbers, inputs.number_count, arena, &verify);
    inputs.numbers = numbers;
    inputs.verify = &verify;
    page_index(&inputs, output_add(reporter->output, "out/report/index.html"));
    page_macros(numbers, inputs.number_count,
                output_add(reporter->output, "out/numbers.tex"));
    return true;
}

bool reporting_make(const struct study *study, struct corpus *corpus, const char *version,
                    struct output *output, struct err *err)
{
    struct reporter reporter = {.study = study, .corpus = corpus, .output = output};
    bool ok = add_index(&reporter, version, err);

    buf_add(output_add(output, "out/report/report.css"), page_style());
    buf_add(output_add(output, "out/report/report.js"), page_script());
    for (size_t i = 0; i < study->table_count && ok; i++)
        ok =
            study->tables[i].from != NULL || add_pages(&reporter, &study->tables[i], err);
    /* All but the style, the script and numbers.tex. */
    size_t pages = output->count - 3;
    buf_add_format(&output->says, "%zu page%s", pages, pages == 1 ? "" : "s");
    arena_free(&reporter.arena);
    return ok;
}
