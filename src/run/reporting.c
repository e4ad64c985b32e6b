/* Reads what the steps have written, so that a report can be made again alone. */
#include "run/reporting.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/stop.h"
#include "report/page.h"
#include "run/run.h"
#include "store/corpus.h"
#include "verify/verify.h"

struct reporter {
    const struct study *study;
    struct corpus *corpus;
    struct output *output;
    struct arena arena;
    struct behind *funnels; /* of each set */
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

/* Pages of items behind numbers: the items that all of them show are read once, in the
 * order of ids. */

/* Lists that belong together: of a table, or the one of a set or sample. */
struct shelf {
    struct page_rows page; /* what its pages have in common */
    const char *format;    /* of their paths, with the name and the list's number */
    struct behind behind;
};

struct shelves {
    struct reporter *reporter;
    struct shelf *at;
    size_t count;
    struct page_item *items; /* ascending by id */
    size_t item_count;
};

static int compare_items(const void *a, const void *b)
{
    const struct page_item *one = a, *two = b;

    return one->id < two->id ? -1 : one->id > two->id;
}

/* out/FOLDER/NAME/. */
static bool read_behind(struct reporter *reporter, const char *folder, struct str name,
                        struct behind *out, struct err *err)
{
    const char *path = path_of(reporter, folder, name, "/lists.csv");
    struct str lists, cells;

    return file_read(path, &reporter->arena, &lists, err) &&
           file_read(path_of(reporter, folder, name, "/cells.csv"), &reporter->arena,
                     &cells, err) &&
           behind_read(lists, cells, path, &reporter->arena, out, err);
}

/* Items are behind what was computed from them, by this step or another. */
static bool has_items(const struct study_table *table)
{
    return table->maker != STUDY_BY_TABLE &&
           (table->from == NULL || table->maker != STUDY_NO_MAKER);
}

static bool read_table(struct shelves *shelves, size_t index, struct err *err)
{
    const struct study_table *table = &shelves->reporter->study->tables[index];
    struct shelf *shelf = &shelves->at[shelves->count++];

    *shelf = (struct shelf){.page = {.table = table,
                                     .section = "tables",
                                     .name = table->name,
                                     .node = table->node,
                                     .root = "../../"},
                            .format = "out/report/rows/%.*s/%zu.html"};
    return !has_items(table) ||
           read_behind(shelves->reporter, "items", table->name, &shelf->behind, err);
}

static bool read_test(struct shelves *shelves, size_t index, struct err *err)
{
    const struct study_test *test = &shelves->reporter->study->tests[index];
    struct shelf *shelf = &shelves->at[shelves->count++];

    *shelf = (struct shelf){.page = {.test = test,
                                     .section = "tests",
                                     .name = test->name,
                                     .node = test->node,
                                     .root = "../../"},
                            .format = "out/report/tests/%.*s/%zu.html"};
    return read_behind(shelves->reporter, "tests", test->name, &shelf->behind, err);
}

static void add_funnel(struct shelves *shelves, size_t index)
{
    const struct study_set *set = &shelves->reporter->study->sets[index];

    shelves->at[shelves->count++] =
        (struct shelf){.page = {.section = "sets",
                                .name = set->name,
                                .node = set->node,
                                .root = "../../"},
                       .format = "out/report/funnels/%.*s/%zu.html",
                       .behind = shelves->reporter->funnels[index]};
}

/* A set or a sample: its csv is one list. */
static bool read_ids(struct shelves *shelves, const char *kind, struct str name,
                     const struct yaml_node *node, struct err *err)
{
    struct arena *arena = &shelves->reporter->arena;
    struct shelf *shelf = &shelves->at[shelves->count];
    struct behind_list *list = arena_array(arena, struct behind_list, 1);
    struct behind_item *items = arena_array(arena, struct behind_item, BEHIND_FIRST);
    struct arena work = {0};
    struct buf csv = {0};
    int64_t *ids;
    size_t count;
    bool ok = output_read_ids(shelves->reporter->study, kind, name, &work, &ids,
                              &count, err);

    buf_add_format(&csv, "%s/%.*s.csv", kind, STR_ARG(name));
    *list = (struct behind_list){.row = name,
                                 .what = STR("items"),
                                 .csv = arena_copy(arena, buf_str(&csv)),
                                 .count = ok ? (int64_t)count : 0,
                                 .items = items};
    for (; ok && list->shown < count && list->shown < BEHIND_FIRST; list->shown++)
        items[list->shown] = (struct behind_item){ids[list->shown], NAN};
    *shelf = (struct shelf){
        .page = {.section = kind, .name = name, .node = node, .root = "../"},
        .format = strcmp(kind, "sets") == 0 ? "out/report/sets/%.*s.html"
                                            : "out/report/samples/%.*s.html",
        .behind = {.lists = list, .list_count = 1}};
    shelves->count++;
    buf_free(&csv);
    arena_free(&work);
    return ok;
}

static bool read_shelves(struct shelves *shelves, struct err *err)
{
    const struct study *study = shelves->reporter->study;
    bool ok = true;

    shelves->at = arena_array(&shelves->reporter->arena, struct shelf,
                              study->table_count + study->test_count +
                                  2 * study->set_count + study->sample_count + 1);
    for (size_t i = 0; i < study->table_count && ok; i++)
        ok = read_table(shelves, i, err);
    for (size_t i = 0; i < study->test_count && ok; i++)
        ok = read_test(shelves, i, err);
    for (size_t i = 0; i < study->set_count && ok; i++) {
        ok = read_ids(shelves, "sets", study->sets[i].name, study->sets[i].node, err);
        add_funnel(shelves, i);
    }
    for (size_t i = 0; i < study->sample_count && ok; i++)
        ok = read_ids(shelves, "samples", study->samples[i].name, study->samples[i].node,
                      err);
    return ok;
}

/* Every item once, without its text. */
static void collect_items(struct shelves *shelves)
{
    size_t room = 0, count = 0, kept = 0;

    for (size_t s = 0; s < shelves->count; s++)
        for (size_t l = 0; l < shelves->at[s].behind.list_count; l++)
            room += shelves->at[s].behind.lists[l].shown;
    shelves->items = arena_array(&shelves->reporter->arena, struct page_item, room + 1);
    for (size_t s = 0; s < shelves->count; s++)
        for (size_t l = 0; l < shelves->at[s].behind.list_count; l++) {
            const struct behind_list *list = &shelves->at[s].behind.lists[l];
            for (size_t i = 0; i < list->shown; i++)
                shelves->items[count++].id = list->items[i].id;
        }
    qsort(shelves->items, count, sizeof *shelves->items, compare_items);
    for (size_t i = 0; i < count; i++)
        if (kept == 0 || shelves->items[i].id != shelves->items[kept - 1].id)
            shelves->items[kept++] = shelves->items[i];
    shelves->item_count = kept;
}

static struct page_item *find_item(const struct shelves *shelves, int64_t id)
{
    struct page_item wanted = {.id = id};

    return shelves->item_count == 0
               ? NULL
               : bsearch(&wanted, shelves->items, shelves->item_count, sizeof wanted,
                         compare_items);
}

static bool take_post(void *context, const struct item *post, struct err *err)
{
    struct shelves *shelves = context;
    struct arena *arena = &shelves->reporter->arena;
    struct page_item *item = find_item(shelves, post->id);

    item->title = arena_copy(arena, post->title);
    if (post->kind != ITEM_ROW)
        item->license = arena_copy(arena, post->license);
    return stop_check(err);
}

static bool read_items(struct shelves *shelves, struct err *err)
{
    struct reporter *reporter = shelves->reporter;
    size_t count = shelves->item_count;
    int64_t *ids = arena_array(&reporter->arena, int64_t, count + 1);

    if (count == 0)
        return true;
    for (size_t i = 0; i < count; i++)
        ids[i] = shelves->items[i].id;
    return corpus_fetch(reporter->corpus, ids, count, take_post, shelves, err);
}

static void add_page(struct shelves *shelves, const struct shelf *shelf, size_t number)
{
    struct reporter *reporter = shelves->reporter;
    const struct behind_list *list = &shelf->behind.lists[number];
    struct page_rows rows = shelf->page;
    struct page_item items[BEHIND_FIRST];
    struct buf path = {0}, step = {0}, anchor = {0};

    for (size_t i = 0; i < list->shown; i++) {
        items[i] = *find_item(shelves, list->items[i].id);
        items[i].value = list->items[i].value;
    }
    buf_add_format(&step, "%s.%.*s", rows.section, STR_ARG(rows.name));
    buf_add_format(&anchor,
                   rows.table != NULL  ? "table-%.*s"
                   : rows.test != NULL ? "test-%.*s"
                                       : "studied",
                   STR_ARG(rows.name));
    buf_add_format(&path, shelf->format, STR_ARG(rows.name), number);
    buf_add_char(&path, '\0');
    rows.study = reporter->study;
    rows.step = buf_str(&step);
    rows.anchor = buf_str(&anchor);
    rows.list = list;
    rows.number = number;
    rows.cells = shelf->behind.cells;
    rows.cell_count = shelf->behind.cell_count;
    rows.items = items;
    rows.count = list->shown;
    page_rows(&rows, output_add(reporter->output, path.ptr));
    buf_free(&path);
    buf_free(&step);
    buf_free(&anchor);
}

static bool add_pages(struct reporter *reporter, struct err *err)
{
    struct shelves shelves = {.reporter = reporter};

    if (!read_shelves(&shelves, err))
        return false;
    collect_items(&shelves);
    if (!read_items(&shelves, err))
        return false;
    for (size_t s = 0; s < shelves.count; s++)
        for (size_t l = 0; l < shelves.at[s].behind.list_count; l++)
            add_page(&shelves, &shelves.at[s], l);
    return true;
}

static bool read_funnels(struct reporter *reporter, struct err *err)
{
    const struct study *study = reporter->study;
    bool ok = true;

    reporter->funnels =
        arena_array(&reporter->arena, struct behind, study->set_count + 1);
    for (size_t i = 0; i < study->set_count && ok; i++)
        ok = read_behind(reporter, "funnels", study->sets[i].name, &reporter->funnels[i],
                         err);
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
    struct str *figures = arena_array(arena, struct str, study->figure_count + 1);
    struct page_inputs inputs = {.study = study,
                                 .version = version,
                                 .tables = tables,
                                 .tests = tests,
                                 .families = families,
                                 .figures = figures,
                                 .funnels = reporter->funnels};
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
    for (size_t i = 0; i < study->figure_count && ok; i++)
        ok = file_read(path_of(reporter, "figures", study->figures[i].name, ".txt"),
                       arena, &figures[i], err);
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
    bool ok = read_funnels(&reporter, err) && add_index(&reporter, version, err);

    buf_add(output_add(output, "out/report/report.css"), page_style());
    buf_add(output_add(output, "out/report/report.js"), page_script());
    ok = ok && add_pages(&reporter, err);
    /* All but the style, the script and numbers.tex. */
    size_t pages = output->count - 3;
    buf_add_format(&output->says, "%zu page%s", pages, pages == 1 ? "" : "s");
    arena_free(&reporter.arena);
    return ok;
}
