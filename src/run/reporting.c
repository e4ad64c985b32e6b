/* The last step: the report, made from what all others have written, so that it can be
 * made again alone. */
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/list.h"
#include "base/map.h"
#include "base/stop.h"
#include "measure/behind.h"
#include "report/page.h"
#include "result/table_text.h"
#include "run/needs.h"
#include "run/output.h"
#include "source/patches.h"
#include "store/corpus.h"
#include "study/keys.h"
#include "verify/verify.h"

struct reporter {
    const struct study *study;
    struct store *corpus; /* NULL: the study has no sources */
    struct run_output *output;
    struct arena arena;
    struct result *tables, *sets;   /* of each of the study */
    struct result_table *funnels;   /* of each set */
    struct result_numbers *numbers; /* of all steps */
    size_t number_count;
};

static const char *path_of(struct reporter *reporter, const char *kind, struct str name,
                           const char *ending)
{
    struct arena *arena = &reporter->arena;

    return file_join(
        reporter->study->home,
        arena_format(arena, "out/%s/%.*s%s", kind, STR_ARG(name), ending).ptr, arena);
}

enum { ITEM_PAGES_MAX = 500 };

/* Pages of items behind numbers: the items that all of them show are read once, in the
 * order of ids. */

/* Lists that belong together: of a table, or the one of a set or sample. */
struct shelf {
    struct report_page_rows page; /* what its pages have in common */
    const char *format; /* of their paths, with the name and the list's number */
    const struct result_list *const *lists;
    size_t list_count;
};

/* What raters marked, of all labellings. */
struct reporting_spans {
    struct arena *arena;
    struct str task;
    LIST(struct report_page_span) list; /* those of a task and an item stand together */
    struct map firsts;                  /* of each, by span_key(): its place */
    size_t item, rater, code, place, quote; /* columns */
};

struct shelves {
    struct reporter *reporter;
    struct shelf *at;
    size_t count;
    struct report_page_item *items; /* ascending by id */
    size_t item_count;
    struct reporting_spans spans;
};

static int compare_items(const void *a, const void *b)
{
    const struct report_page_item *one = a, *two = b;

    return one->id < two->id ? -1 : one->id > two->id;
}

/* An empty one of a step that waits for labels. */
static bool read_result(struct reporter *reporter, const char *kind, struct str name,
                        struct result *out, struct err *err)
{
    struct str step = arena_format(&reporter->arena, "%s.%.*s", kind, STR_ARG(name));

    *out = (struct result){0};
    return !run_output_there(reporter->study->home, step, &reporter->arena) ||
           run_output_read(reporter->study->home, kind, name, &reporter->arena, out, err);
}

/* The lists of a table of a result, if it has it. */
static void add_shelf(struct shelves *shelves, const struct result_table *table,
                      struct report_page_rows page, const char *format)
{
    if (table == NULL)
        return;
    page.root = "../../";
    page.result = table;
    shelves->at[shelves->count++] =
        (struct shelf){.page = page,
                       .format = format,
                       .lists = (const struct result_list *const *)table->lists,
                       .list_count = table->list_count};
}

static void add_table(struct shelves *shelves, size_t index)
{
    const struct study_table *table = &shelves->reporter->study->tables[index];

    add_shelf(shelves, result_find(&shelves->reporter->tables[index], table->name),
              (struct report_page_rows){.table = table,
                                        .section = "tables",
                                        .name = table->name,
                                        .node = table->node},
              "out/report/rows/%.*s/%zu.html");
}

static bool read_test(struct shelves *shelves, size_t index, struct err *err)
{
    const struct study_test *test = &shelves->reporter->study->tests[index];
    struct result *result = arena_array(&shelves->reporter->arena, struct result, 1);

    if (!read_result(shelves->reporter, "tests", test->name, result, err))
        return false;
    add_shelf(
        shelves, result_find(result, STR("sides")),
        (struct report_page_rows){
            .test = test, .section = "tests", .name = test->name, .node = test->node},
        "out/report/tests/%.*s/%zu.html");
    return true;
}

static void add_funnel(struct shelves *shelves, size_t index)
{
    const struct study_set *set = &shelves->reporter->study->sets[index];

    add_shelf(shelves, &shelves->reporter->funnels[index],
              (struct report_page_rows){
                  .section = "sets", .name = set->name, .node = set->node},
              "out/report/funnels/%.*s/%zu.html");
}

/* A set or a sample: what it counts is one list, with a csv of its own. */
static bool add_items(struct shelves *shelves, const struct result *result,
                      const char *kind, struct str name, const struct yaml_node *node,
                      struct err *err)
{
    struct arena *arena = &shelves->reporter->arena;
    const struct result_table *numbers = result_find(result, STR("numbers"));
    struct result_list *list = arena_array(arena, struct result_list, 1);
    const struct result_list **lists = arena_array(arena, const struct result_list *, 1);

    if (result->count == 0)
        return true;
    if (numbers == NULL || numbers->row_count == 0)
        return err_set(err, ERR_INPUT, "%s.%.*s: its result has no numbers", kind,
                       STR_ARG(name));
    if (numbers->cells[0].list != NULL)
        *list = *numbers->cells[0].list;
    list->number = 0;
    list->row = name;
    list->across = (struct str){0};
    list->what = STR("items");
    list->csv = arena_format(arena, "%s/%.*s.csv", kind, STR_ARG(name));
    list->shown = list->shown < MEASURE_BEHIND_FIRST ? list->shown : MEASURE_BEHIND_FIRST;
    lists[0] = list;
    shelves->at[shelves->count++] = (struct shelf){
        .page = {.section = kind, .name = name, .node = node, .root = "../"},
        .format = strcmp(kind, "sets") == 0 ? "out/report/sets/%.*s.html"
                                            : "out/report/samples/%.*s.html",
        .lists = lists,
        .list_count = 1};
    return true;
}

static bool read_sample(struct shelves *shelves, size_t index, struct err *err)
{
    const struct study_sample *sample = &shelves->reporter->study->samples[index];
    struct result result;

    return read_result(shelves->reporter, "samples", sample->name, &result, err) &&
           add_items(shelves, &result, "samples", sample->name, sample->node, err);
}

static bool read_shelves(struct shelves *shelves, struct err *err)
{
    const struct study *study = shelves->reporter->study;
    bool ok = true;

    shelves->at = arena_array(&shelves->reporter->arena, struct shelf,
                              study->table_count + study->test_count +
                                  2 * study->set_count + study->sample_count + 1);
    for (size_t i = 0; i < study->table_count; i++)
        add_table(shelves, i);
    for (size_t i = 0; i < study->test_count && ok; i++)
        ok = read_test(shelves, i, err);
    for (size_t i = 0; i < study->set_count && ok; i++) {
        ok = add_items(shelves, &shelves->reporter->sets[i], "sets", study->sets[i].name,
                       study->sets[i].node, err);
        add_funnel(shelves, i);
    }
    for (size_t i = 0; i < study->sample_count && ok; i++)
        ok = read_sample(shelves, i, err);
    return ok;
}

/* Every item once, without its text. */
static void collect_items(struct shelves *shelves)
{
    size_t room = 0, count = 0, kept = 0;

    for (size_t s = 0; s < shelves->count; s++)
        for (size_t l = 0; l < shelves->at[s].list_count; l++)
            room += shelves->at[s].lists[l]->shown;
    shelves->items =
        arena_array(&shelves->reporter->arena, struct report_page_item, room + 1);
    for (size_t s = 0; s < shelves->count; s++)
        for (size_t l = 0; l < shelves->at[s].list_count; l++) {
            const struct result_list *list = shelves->at[s].lists[l];
            for (size_t i = 0; i < list->shown; i++)
                shelves->items[count++].id = list->ids[i];
        }
    qsort(shelves->items, count, sizeof *shelves->items, compare_items);
    for (size_t i = 0; i < count; i++)
        if (kept == 0 || shelves->items[i].id != shelves->items[kept - 1].id)
            shelves->items[kept++] = shelves->items[i];
    shelves->item_count = kept;
}

static struct report_page_item *find_item(const struct shelves *shelves, int64_t id)
{
    struct report_page_item wanted = {.id = id};

    return shelves->item_count == 0
               ? NULL
               : bsearch(&wanted, shelves->items, shelves->item_count, sizeof wanted,
                         compare_items);
}

static bool take_post(void *context, const struct item *post, struct err *err)
{
    struct shelves *shelves = context;
    struct arena *arena = &shelves->reporter->arena;
    struct report_page_item *item = find_item(shelves, post->id);

    item->kind = post->kind;
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
    return store_fetch_heads(reporter->corpus, ids, count, take_post, shelves, err);
}

static bool take_span_head(void *context, const struct result_table *table,
                           struct err *err)
{
    struct reporting_spans *spans = context;

    return result_column(table, "id", RESULT_ITEM, &spans->item, err) &&
           result_column(table, "rater", RESULT_TEXT, &spans->rater, err) &&
           result_column(table, "code", RESULT_TEXT, &spans->code, err) &&
           result_column(table, "place", RESULT_TEXT, &spans->place, err) &&
           result_column(table, "quote", RESULT_TEXT, &spans->quote, err);
}

static struct str span_key(struct str task, int64_t item, struct arena *arena)
{
    return arena_format(arena, "%.*s/%lld", STR_ARG(task), (long long)item);
}

static bool take_span(void *context, const struct result_row *row,
                      const struct result_cell *cells, struct err *err)
{
    struct reporting_spans *spans = context;
    struct report_page_span span = {
        .item = cells[spans->item].item,
        .task = spans->task,
        .rater = arena_copy(spans->arena, cells[spans->rater].text),
        .code = arena_copy(spans->arena, cells[spans->code].text),
        .place = arena_copy(spans->arena, cells[spans->place].text),
        .quote = arena_copy(spans->arena, cells[spans->quote].text)};

    struct str key = span_key(span.task, span.item, spans->arena);

    (void)row, (void)err;
    if (map_get(&spans->firsts, key) == NULL)
        *map_put(&spans->firsts, key) = (int64_t)spans->list.count;
    list_add(&spans->list, span);
    return true;
}

static bool read_spans(struct reporter *reporter, struct reporting_spans *spans,
                       struct err *err)
{
    const struct study *study = reporter->study;
    bool ok = true;

    spans->arena = &reporter->arena;
    spans->firsts.arena = spans->arena;
    for (size_t i = 0; i < study->labelling_count && ok; i++) {
        struct result_file_rows rows = {STR("evidence"), take_span_head, take_span,
                                        spans};
        spans->task = study->labellings[i].name;
        ok = study->labellings[i].spans == STUDY_SPANS_NO ||
             run_output_read_rows(study->home, "labelling", spans->task, &rows, err);
    }
    return ok;
}

/* What raters of a table's labelling marked in an item. */
static void add_spans(const struct shelves *shelves, const struct study_table *table,
                      struct report_page_item *item)
{
    const struct reporting_spans *spans = &shelves->spans;

    if (table == NULL || table->maker != STUDY_BY_LABELLING ||
        !str_eq(table->show, STR("spans")))
        return;
    struct str task = shelves->reporter->study->labellings[table->made_by].name;
    const int64_t *first =
        map_get(&spans->firsts, span_key(task, item->id, spans->arena));
    if (first == NULL)
        return;
    item->spans = &spans->list.at[*first];
    for (size_t i = (size_t)*first; i < spans->list.count; i++) {
        const struct report_page_span *span = &spans->list.at[i];
        if (span->item != item->id || !str_eq(span->task, task))
            break;
        item->span_count++;
    }
}

static void add_page(struct shelves *shelves, const struct shelf *shelf, size_t number)
{
    struct reporter *reporter = shelves->reporter;
    const struct result_list *list = shelf->lists[number];
    struct report_page_rows rows = shelf->page;
    struct report_page_item items[MEASURE_BEHIND_FIRST];
    struct buf path = {0}, step = {0}, anchor = {0};

    for (size_t i = 0; i < list->shown; i++) {
        items[i] = *find_item(shelves, list->ids[i]);
        items[i].value = list->values != NULL ? list->values[i] : NAN;
        items[i].unit = list->units != NULL ? list->units[i] : (struct str){0};
        add_spans(shelves, rows.table, &items[i]);
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
    rows.items = items;
    rows.count = list->shown;
    report_page_rows(&rows, run_output_add(reporter->output, path.ptr));
    buf_free(&path);
    buf_free(&step);
    buf_free(&anchor);
}

/* Items with pages of their own. What samples show comes first, for it is what people
 * read. */
static size_t choose_texts(struct shelves *shelves, int64_t *ids)
{
    size_t count = 0;

    for (size_t s = shelves->count; s-- > 0;)
        for (size_t l = 0; l < shelves->at[s].list_count; l++) {
            const struct result_list *list = shelves->at[s].lists[l];
            for (size_t i = 0; i < list->shown && count < ITEM_PAGES_MAX; i++) {
                struct report_page_item *item = find_item(shelves, list->ids[i]);
                if (item->paged || item->kind < ITEM_COMMIT || item->kind > ITEM_TOPIC)
                    continue;
                item->paged = true;
                ids[count++] = item->id;
            }
        }
    return count;
}

struct text_taking {
    struct reporter *reporter;
    const struct reporting_spans *spans;
    LIST(struct report_page_span) marked; /* of the item */
    struct source_patches *patches;
    struct arena arena; /* of the item */
    struct report_page_text page;
    LIST(struct study_pair) fields;
    struct source_patches_commit commit;
};

static bool take_field(void *context, struct str name, struct str value, struct err *err)
{
    struct text_taking *taking = context;
    struct study_pair field = {str_from(arena_c_string(&taking->arena, name)),
                               arena_copy(&taking->arena, value)};

    (void)err;
    if (taking->page.kind != ITEM_COMMIT ||
        source_patches_note(&taking->commit, field.key, field.value))
        list_add(&taking->fields, field);
    return true;
}

static void add_patch(struct text_taking *taking, int64_t id)
{
    size_t number = item_space(id);

    if (taking->page.kind != ITEM_COMMIT)
        return;
    taking->commit.source = number;
    taking->commit.paths = study_space_paths(taking->reporter->study, number,
                                             &taking->arena, &taking->commit.path_count);
    taking->page.patch = source_patches_make(taking->patches, &taking->commit,
                                             &taking->arena, &taking->page.no_patch);
}

static bool take_text(void *context, const struct item *item, struct err *err)
{
    struct text_taking *taking = context;
    struct reporter *reporter = taking->reporter;
    const struct item_spaces *spaces = &reporter->study->spaces;
    struct arena_mark mark = arena_mark(&taking->arena);
    struct buf link = {0};

    list_clear(&taking->fields);
    taking->commit = (struct source_patches_commit){0};
    taking->page =
        (struct report_page_text){.study = reporter->study,
                                  .kind = (enum item_kind)item->kind,
                                  .key = item_key(spaces, item->id, &taking->arena),
                                  .title = item->title,
                                  .body = item->body,
                                  .form = item->form,
                                  .created_ms = item->created_ms};
    if (!store_fields_of(reporter->corpus, item->id, take_field, taking, err))
        return false;
    item_link_add(&link, spaces, item->id);
    add_patch(taking, item->id);
    list_clear(&taking->marked);
    for (size_t i = 0; i < taking->spans->list.count; i++)
        if (taking->spans->list.at[i].item == item->id)
            list_add(&taking->marked, taking->spans->list.at[i]);
    taking->page.spans = taking->marked.at;
    taking->page.span_count = taking->marked.count;
    taking->page.link = buf_str(&link);
    taking->page.fields = taking->fields.at;
    taking->page.field_count = taking->fields.count;
    report_page_text(
        &taking->page,
        run_output_add(reporter->output,
                       arena_format(&taking->arena, "out/report/items/%lld.html",
                                    (long long)item->id)
                           .ptr));
    buf_free(&link);
    arena_rewind(&taking->arena, mark);
    return stop_check(err);
}

static bool add_texts(struct shelves *shelves, struct err *err)
{
    struct text_taking taking = {.reporter = shelves->reporter, .spans = &shelves->spans};
    int64_t ids[ITEM_PAGES_MAX];
    size_t count = choose_texts(shelves, ids);

    if (count == 0)
        return true;
    taking.patches = source_patches_open();
    bool ok = store_fetch(shelves->reporter->corpus, ids, count, take_text, &taking, err);
    source_patches_close(taking.patches);
    list_free(&taking.marked);
    list_free(&taking.fields);
    arena_free(&taking.arena);
    return ok;
}

static bool add_pages(struct reporter *reporter, struct err *err)
{
    struct shelves shelves = {.reporter = reporter};

    if (!read_shelves(&shelves, err))
        return false;
    collect_items(&shelves);
    bool ok = read_items(&shelves, err) && read_spans(reporter, &shelves.spans, err) &&
              add_texts(&shelves, err);
    for (size_t s = 0; ok && s < shelves.count; s++)
        for (size_t l = 0; l < shelves.at[s].list_count; l++)
            add_page(&shelves, &shelves.at[s], l);
    list_free(&shelves.spans.list);
    return ok;
}

static bool read_results(struct reporter *reporter, struct err *err)
{
    const struct study *study = reporter->study;
    struct arena *arena = &reporter->arena;
    bool ok = true;

    reporter->tables = arena_array(arena, struct result, study->table_count + 1);
    reporter->sets = arena_array(arena, struct result, study->set_count + 1);
    reporter->funnels = arena_array(arena, struct result_table, study->set_count + 1);
    for (size_t i = 0; i < study->table_count && ok; i++)
        ok = read_result(reporter, "tables", study->tables[i].name, &reporter->tables[i],
                         err);
    for (size_t i = 0; i < study->set_count && ok; i++) {
        ok = read_result(reporter, "sets", study->sets[i].name, &reporter->sets[i], err);
        const struct result_table *funnel =
            ok ? result_find(&reporter->sets[i], STR("funnel")) : NULL;
        if (funnel != NULL)
            reporter->funnels[i] = *funnel;
    }
    return ok;
}

static struct str table_html(struct reporter *reporter, size_t index)
{
    const struct result_table *table =
        result_find(&reporter->tables[index], reporter->study->tables[index].name);
    struct buf html = {0};

    if (table == NULL)
        return (struct str){0};
    result_table_text_html(table, &html);
    return buf_keep(&html, &reporter->arena);
}

/* A file of a step, unless that waits for labels. */
static bool read_text(struct reporter *reporter, const char *path, struct str *out,
                      struct err *err)
{
    *out = (struct str){0};
    return !file_exists(path) || file_read(path, &reporter->arena, out, err);
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
    struct report_page_inputs inputs = {.study = study,
                                        .version = version,
                                        .tables = tables,
                                        .tests = tests,
                                        .families = families,
                                        .figures = figures,
                                        .funnels = reporter->funnels};
    struct verify verify;
    bool ok = run_numbers(study, arena, &reporter->numbers, &reporter->number_count, err);

    for (size_t i = 0; i < study->table_count; i++)
        tables[i] = table_html(reporter, i);
    for (size_t i = 0; i < study->test_count && ok; i++)
        ok =
            read_text(reporter, path_of(reporter, "tests", study->tests[i].name, ".html"),
                      &tests[i], err);
    for (size_t i = 0; i < study->family_count && ok; i++)
        ok = read_text(reporter, family_path(reporter, study->families[i].name),
                       &families[i], err);
    for (size_t i = 0; i < study->figure_count && ok; i++)
        ok = read_text(reporter,
                       path_of(reporter, "figures", study->figures[i].name, ".txt"),
                       &figures[i], err);
    if (ok && reporter->corpus != NULL)
        ok = store_findings(reporter->corpus, arena, &inputs.health, err);
    if (!ok)
        return false;
    inputs.numbers = reporter->numbers;
    inputs.number_count = reporter->number_count;
    verify_study(study, inputs.numbers, inputs.number_count, arena, &verify);
    inputs.verify = &verify;
    report_page_index(&inputs, run_output_add(reporter->output, "out/report/index.html"));
    report_page_macros(inputs.numbers, inputs.number_count,
                       run_output_add(reporter->output, "out/numbers.tex"));
    result_numbers_csv_all(inputs.numbers, inputs.number_count,
                           run_output_add(reporter->output, "out/numbers.csv"));
    report_article(&inputs, run_output_add(reporter->output, "out/article.tex"));
    return true;
}

/* Numbers in the texts of questions: each that is not there is told with its place, those
 * that are no longer what the text says are counted. */
struct filling {
    struct reporter *reporter;
    size_t changed;
    struct buf wrong;
};

static void check_text(struct filling *filling, const struct yaml_node *node)
{
    struct reporter *reporter = filling->reporter;
    size_t count = 0;

    for (size_t i = 0; i < node->count && node->type == YAML_SEQUENCE; i++)
        check_text(filling, &node->items[i]);
    const struct verify_piece *pieces =
        node->type == YAML_SCALAR
            ? verify_fill(reporter->study, reporter->numbers, reporter->number_count,
                          node->text, &reporter->arena, &count)
            : NULL;
    for (size_t i = 0; i < count; i++) {
        if (pieces[i].wrong.len > 0 && !pieces[i].unknown)
            buf_add_format(&filling->wrong, "%s%s:%d:%d: {%.*s}: %.*s",
                           filling->wrong.len > 0 ? "\n" : "", reporter->study->path,
                           node->line, node->column, STR_ARG(pieces[i].expression),
                           STR_ARG(pieces[i].wrong));
        filling->changed += pieces[i].wrong.len == 0 && pieces[i].was.len > 0;
    }
}

static bool check_questions(struct reporter *reporter, struct err *err)
{
    static const char *const texts[] = {"method", "answer", "findings", "threats"};
    const struct study *study = reporter->study;
    struct filling filling = {.reporter = reporter};

    for (size_t q = 0; q < study->question_count; q++)
        for (size_t t = 0; t < ROWS_OF(texts); t++) {
            const struct yaml_node *node =
                yaml_get(study->questions[q].node, str_from(texts[t]));
            if (node != NULL)
                check_text(&filling, node);
        }
    if (filling.changed > 0)
        buf_add_format(&reporter->output->says,
                       ", %zu number%s not what the text of a question says",
                       filling.changed, filling.changed == 1 ? " is" : "s are");
    bool ok = filling.wrong.len == 0 ||
              err_set(err, ERR_INPUT, "%.*s", STR_ARG(buf_str(&filling.wrong)));
    buf_free(&filling.wrong);
    return ok;
}

/* Names of expectations are expressions, which a ledger cannot hold. */
static bool is_of_names(struct str key, const struct yaml_node *node)
{
    const struct study_keys_row *row = study_keys_find(key);

    return row != NULL && row->forms & STUDY_KEYS_NAMES && node->type == YAML_MAPPING &&
           !str_eq(key, STR("expect"));
}

/* The study file by its sections, so that it can be told which has changed. */
static void add_parts(struct run_listing *listing, struct run_step *step,
                      const struct yaml_node *root)
{
    struct buf section = {0};

    for (size_t k = 0; k < root->count; k++) {
        struct str key = root->keys[k].text;
        const struct yaml_node *node = &root->items[k];
        bool names = is_of_names(key, node);
        char path[100];
        snprintf(path, sizeof path, "%.*s%s", STR_ARG(key), names ? ".*" : "");
        for (size_t i = 0; i < (names ? node->count : 1); i++) {
            buf_clear(&section);
            study_keys_canonical(names ? &node->items[i] : node, path, &section);
            run_steps_add_part(listing, step, key,
                               names ? node->keys[i].text : (struct str){0},
                               buf_str(&section));
        }
    }
    buf_free(&section);
}

/* The report shows everything, and the study file itself. */
static void list_report(struct run_listing *listing, struct run_step *step)
{
    struct buf section = {0};

    step->name = str_from(step->kind->name);
    step->corpus = listing->study->source_count > 0;
    step->ordered = true;
    add_parts(listing, step, &listing->study->root);
    run_steps_need_all(listing, step);
    /* It shows all but sets in the order of the study file. */
    for (size_t i = 0; i < listing->out->count; i++)
        if (listing->out->at[i].kind != &run_kind_set)
            buf_add_format(&section, "\n%.*s", STR_ARG(listing->out->at[i].name));
    step->section = run_steps_hash(buf_str(&section));
    buf_free(&section);
}

/* Fills output with out/report/, out/numbers.tex, out/numbers.csv and out/article.tex. */
static bool make_report(struct run_needs *needs, const struct run_step *step,
                        struct run_output *output, struct err *err)
{
    struct reporter reporter = {
        .study = needs->study, .corpus = needs->corpus, .output = output};
    bool ok = read_results(&reporter, err) &&
              add_index(&reporter, needs->options->version, err);

    (void)step;
    buf_add(run_output_add(output, "out/report/report.css"), report_page_style());
    buf_add(run_output_add(output, "out/report/report.js"), report_page_script());
    ok = ok && add_pages(&reporter, err);
    /* All but the style, the script, numbers.tex, numbers.csv and article.tex. */
    size_t pages = output->count - 5;
    buf_add_format(&output->says, "%zu page%s", pages, pages == 1 ? "" : "s");
    ok = ok && check_questions(&reporter, err);
    arena_free(&reporter.arena);
    return ok;
}

const struct run_kind run_kind_report = {
    .name = "report",
    .engine = 14,
    .funnels = true,
    .no_result = true,
    .list = list_report,
    .make = make_report,
};
