/* The page behind a number: what the number is made of, where its items come from, and
 * the first of them. Posts are quoted by their titles, with licence and link. */
#include <math.h>

#include "report/internal.h"
#include "result/table_text.h"

/* "browser, br.data, 2018". */
static void add_place(const struct result_list *list, struct buf *out)
{
    struct str rest = list->row, name;

    for (bool more = list->row.len > 0; more;) {
        more = str_cut(&rest, '\n', &name);
        buf_add(out, name);
        if (more)
            buf_add(out, STR(", "));
    }
    if (list->row.len > 0 && list->across.len > 0)
        buf_add(out, STR(", "));
    buf_add(out, list->across);
    if (out->len == 0)
        buf_add(out, STR("all rows"));
}

/* Numbers of several rows may rest on the same items: then the row is named as well. */
static void add_heading(const struct result_table *table, size_t number, struct buf *out)
{
    struct buf text = {0};

    if (table->apart)
        buf_add_format(&text,
                       "%.*s: ", STR_ARG(table->rows[number / table->column_count].name));
    result_heading(&table->columns[number % table->column_count], &text);
    buf_add_xml(out, buf_str(&text));
    buf_free(&text);
}

/* Notes are below the table alone. */
static void add_value(const struct result_table *table, size_t number, struct buf *out)
{
    struct result_cell plain = table->cells[number];
    struct buf text = {0};

    plain.mark = 0;
    result_table_text_cell(&plain, &table->columns[number % table->column_count], &text);
    buf_add_xml(out, buf_str(&text));
    buf_free(&text);
}

static void add_number(const struct report_page_rows *rows, size_t number,
                       struct buf *out)
{
    const struct result_cell *cell = &rows->result->cells[number];
    bool linked = cell->whole != NULL && cell->whole->number != rows->list->number;

    buf_add_format(out, "<tr id=\"c%zu\"><th scope=\"row\">", number);
    add_heading(rows->result, number, out);
    buf_add(out, STR("</th><td>"));
    add_value(rows->result, number, out);
    buf_add(out, STR("</td><td class=\"words\">"));
    if (cell->counted) {
        buf_add_html(out, "$ of ", (double)cell->count);
        if (linked)
            buf_add_format(out, "<a href=\"%zu.html\">", cell->whole->number);
        buf_add_html(out, linked ? "$</a> " : "$ ", (double)cell->n);
    }
    buf_add_html(out, "%</td></tr>\n", str_from(cell->words));
}

static bool rests_here(const struct report_page_rows *rows, size_t number)
{
    const struct result_list *list = rows->result->cells[number].list;

    return list != NULL && list->number == rows->list->number;
}

/* None, when what the list is of is a whole that others are shares of. */
static void add_numbers(const struct report_page_rows *rows, struct buf *out)
{
    const struct result_table *table = rows->result;
    size_t cells = table != NULL ? table->row_count * table->column_count : 0, first = 0;

    while (first < cells && !rests_here(rows, first))
        first++;
    if (first == cells)
        return;
    buf_add(out, STR("<h2>Numbers that rest on them</h2>\n"));
    report_page_add_scroll("numbers", out);
    buf_add(
        out,
        STR("<table><thead><tr><th scope=\"col\">column</th><th scope=\"col\">number</th>"
            "<th scope=\"col\">made of</th></tr></thead><tbody>\n"));
    for (size_t i = first; i < cells; i++)
        if (rests_here(rows, i))
            add_number(rows, i, out);
    buf_add(out, STR("</tbody></table></div>\n"));
}

/* Conditions. */

/* Pages of whole sets and samples stand in one folder, all others in one of their own. */
static bool is_set_itself(const struct report_page_rows *rows)
{
    return str_eq(str_from(rows->root), STR("../"));
}

/* "in the set B: QUERY", the name leading to the set's own page. */
static void add_set(const struct report_page_rows *rows, struct str name,
                    const char *before, struct buf *out)
{
    const struct study *study = rows->study;
    size_t set = study_find_set(study, name), sample = study_find_sample(study, name);

    if (set == STUDY_NONE && sample == STUDY_NONE)
        return;
    buf_add_format(out, "<li>%sin the %s ", before, set != STUDY_NONE ? "set" : "sample");
    if (is_set_itself(rows))
        buf_add_html(out, "<strong>%</strong>", name);
    else
        buf_add_html(out, "<a href=\"%%/%.html\"><strong>%</strong></a>",
                     str_from(rows->root),
                     set != STUDY_NONE ? STR("sets") : STR("samples"), name, name);
    if (set != STUDY_NONE)
        buf_add_html(out, ": <code>%</code></li>\n", study->sets[set].text);
    else
        buf_add_html(out, " of %</li>\n", study->samples[sample].of);
}

static void add_group(const struct study *study, size_t group, struct str value,
                      struct buf *out)
{
    buf_add_html(out, "<li><code>%</code> is <strong>%</strong></li>\n",
                 study->groups[group].name, value);
}

/* A row's names from the top: its set where there are several, then its groups. */
static void add_conditions(const struct report_page_rows *rows, struct buf *out)
{
    const struct study_table *table = rows->table;
    struct str rest = rows->list->row, name;
    bool sets = table->by_count == 0 || table->of_count > 1, more = rest.len > 0;
    size_t by = 0;

    buf_add(out, STR("<ul>\n"));
    if (more && sets) {
        more = str_cut(&rest, '\n', &name);
        add_set(rows, name, "", out);
    } else {
        for (size_t i = 0; i < table->of_count; i++)
            add_set(rows, table->of[i], i > 0 ? "or " : "", out);
    }
    for (; more && by < table->by_count; by++) {
        more = str_cut(&rest, '\n', &name);
        add_group(rows->study, table->by[by], name, out);
    }
    for (size_t i = 0; i < table->where_count; i++)
        add_group(rows->study, table->where[i].group, table->where[i].value, out);
    if (rows->list->across.len > 0 && table->across_count == 1)
        add_group(rows->study, table->across[0], rows->list->across, out);
    else if (rows->list->across.len > 0)
        buf_add_html(out, "<li>across: <strong>%</strong></li>\n", rows->list->across);
    buf_add(out, STR("</ul>\n"));
}

static void add_groups_made_by(const struct study *study, const size_t *groups,
                               size_t count, struct buf *out)
{
    for (size_t i = 0; i < count; i++)
        report_page_add_made_by("groups", study->groups[groups[i]].name,
                                study->groups[groups[i]].node, out);
}

/* A set, a sample, what a condition of a set's funnel left or took out, or one side of a
 * test. */
static void add_set_or_side(const struct report_page_rows *rows, struct buf *out)
{
    const struct study_test *test = rows->test;
    struct str side = rows->list->row;

    buf_add(out, STR("<ul>\n"));
    if (test == NULL)
        add_set(rows, rows->name, is_set_itself(rows) ? "" : "on the way to what is ",
                out);
    else
        add_set(rows, test->compare_count > 0 ? side : test->of, "", out);
    if (test != NULL && test->by != STUDY_NONE)
        add_group(rows->study, test->by, side, out);
    buf_add(out, STR("</ul>\n"));
}

/* The step whose results a table shows. */
static void add_maker(const struct report_page_rows *rows, struct buf *out)
{
    const struct study *study = rows->study;
    const struct study_table *table = rows->table;
    size_t by = table->made_by;

    if (table->maker == STUDY_BY_LABELLING)
        report_page_add_made_by("labelling", study->labellings[by].name,
                                study->labellings[by].node, out);
    else if (table->maker == STUDY_BY_CLASSIFIER)
        report_page_add_made_by("classifiers", study->classifiers[by].name,
                                study->classifiers[by].node, out);
    else if (table->maker == STUDY_BY_TOPICS)
        report_page_add_made_by("topics", study->topics[by].name, study->topics[by].node,
                                out);
    else if (table->maker == STUDY_BY_PHRASES)
        report_page_add_made_by("phrases", study->phrases[by].name,
                                study->phrases[by].node, out);
    else if (table->maker == STUDY_BY_EXTRACT)
        report_page_add_made_by("extracts", study->extracts[by].name,
                                study->extracts[by].node, out);
    else if (table->maker == STUDY_BY_TAGSET)
        report_page_add_made_by("tagsets", study->tagsets[by].name,
                                study->tagsets[by].node, out);
    else if (table->maker == STUDY_BY_REGRESSION)
        report_page_add_made_by("regressions", study->regressions[by].name,
                                study->regressions[by].node, out);
    else if (table->maker == STUDY_BY_VECTORS)
        report_page_add_made_by("vectors", study->vectors[by].name,
                                study->vectors[by].node, out);
}

/* Of a table that shows a step, its names and the step are all that is known here. */
static void add_shown(const struct report_page_rows *rows, struct buf *out)
{
    struct buf place = {0};

    add_place(rows->list, &place);
    buf_add_html(out, "<ul>\n<li><strong>%</strong> in <code>%</code></li>\n</ul>\n",
                 buf_str(&place), rows->table->show);
    buf_free(&place);
}

static void add_origin(const struct report_page_rows *rows, struct buf *out)
{
    buf_add_html(out,
                 "<h2>Where they come from</h2>\n<p>Items of the step "
                 "<code>%</code>:</p>\n",
                 rows->step);
    if (rows->table == NULL)
        add_set_or_side(rows, out);
    else if (rows->table->maker != STUDY_NO_MAKER)
        add_shown(rows, out);
    else
        add_conditions(rows, out);
    report_page_add_made_by(rows->section, rows->name, rows->node, out);
    if (rows->table == NULL)
        return;
    add_maker(rows, out);
    add_groups_made_by(rows->study, rows->table->by, rows->table->by_count, out);
    add_groups_made_by(rows->study, rows->table->across, rows->table->across_count, out);
}

/* Items. */

/* Rows of tables stand nowhere. Ids of posts that were made up are those of others on the
 * site, which a link would lead to. */
static void add_key(const struct report_page_rows *rows,
                    const struct report_page_item *item, struct buf *out)
{
    const struct item_spaces *spaces = &rows->study->spaces;
    struct buf key = {0}, link = {0};

    item_key_add(&key, spaces, item->id);
    if (item->paged)
        buf_add_format(&link, "%sitems/%lld.html", rows->root, (long long)item->id);
    else if (!rows->study->simulated)
        item_link_add(&link, spaces, item->id);
    if (link.len > 0)
        buf_add_html(out, "<a href=\"%\">%</a>", buf_str(&link), buf_str(&key));
    else
        buf_add_xml(out, buf_str(&key));
    buf_free(&key);
    buf_free(&link);
}

/* By what words each rater decided on it. */
static void add_spans(const struct report_page_item *item, struct buf *out)
{
    if (item->span_count > 0)
        buf_add(out, STR("\n<ul class=\"evidence\">\n"));
    for (size_t i = 0; i < item->span_count; i++) {
        const struct report_page_span *span = &item->spans[i];
        buf_add_html(out, "<li>%", span->rater);
        if (span->code.len > 0)
            buf_add_html(out, ", %", span->code);
        buf_add_html(out, ", <span class=\"soft\">%</span>", span->place);
        if (span->quote.len > 0)
            buf_add_html(out, ": <q>%</q>", str_trim(span->quote));
        buf_add(out, STR("</li>\n"));
    }
    if (item->span_count > 0)
        buf_add(out, STR("</ul>\n"));
}

static void add_item(const struct report_page_rows *rows, size_t i, struct buf *out)
{
    const struct report_page_item *item = &rows->items[i];

    buf_add_format(out, "<tr><td>%lld</td><td class=\"words\">",
                   (long long)rows->list->from + (long long)i + 1);
    add_key(rows, item, out);
    if (item->unit.len > 0)
        buf_add_html(out, "<br><span class=\"soft\">unit %</span>", item->unit);
    buf_add_html(out, "</td><td class=\"words\">%", item->title);
    if (item->license.len > 0 && !rows->study->simulated)
        buf_add_html(out, " <span class=\"soft\">%</span>", item->license);
    add_spans(item, out);
    buf_add(out, STR("</td>"));
    if (rows->list->value.len > 0 && isnan(item->value))
        buf_add(out, STR("<td>still waits</td>"));
    else if (rows->list->value.len > 0) {
        buf_add_format(out, "<td data-value=\"%.17g\">", item->value);
        buf_add_thousands(out, item->value, item->value == floor(item->value) ? 0 : 2);
        buf_add(out, STR("</td>"));
    }
    buf_add(out, STR("</tr>\n"));
}

static void add_what_is_shown(const struct report_page_rows *rows, struct buf *out)
{
    const struct result_list *list = rows->list;

    bool drawn = str_eq(str_from(rows->section), STR("samples"));

    if ((size_t)list->count == rows->count)
        buf_add(out, STR("<p>All of them"));
    else
        buf_add_html(out, "<p>Number $ to $ of $", (double)(list->from + 1),
                     (double)(list->from + (int64_t)rows->count), (double)list->count);
    buf_add_html(out, ", in the order of %. ",
                 list->value.len > 0 ? list->value
                 : drawn             ? STR("the draw")
                                     : STR("ids"));
    if (list->csv.len > 0)
        buf_add_html(out, "<a href=\"%../%\">All as csv</a>.</p>\n", str_from(rows->root),
                     list->csv);
    else
        buf_add_html(out,
                     "There is no csv of all: this and the other lists of "
                     "<code>%</code> are too long together.</p>\n",
                     rows->step);
}

static void add_items(const struct report_page_rows *rows, struct buf *out)
{
    buf_add(out, STR("<h2>Items</h2>\n"));
    if (rows->study->simulated)
        report_page_add_simulated(out);
    add_what_is_shown(rows, out);
    buf_add(out, STR("<div class=\"scroll\"><table class=\"numbers\"><thead><tr>"
                     "<th scope=\"col\">no.</th><th scope=\"col\" class=\"words\">id</th>"
                     "<th scope=\"col\" class=\"words\">title</th>"));
    if (rows->list->value.len > 0)
        buf_add_html(out, "<th scope=\"col\">%</th>", rows->list->value);
    buf_add(out, STR("</tr></thead><tbody>\n"));
    for (size_t i = 0; i < rows->count; i++)
        add_item(rows, i, out);
    buf_add(out, STR("</tbody></table></div>\n"));
}

void report_page_rows(const struct report_page_rows *rows, struct buf *out)
{
    struct buf place = {0}, title = {0};

    add_place(rows->list, &place);
    buf_add_format(&title, "%.*s: %.*s", STR_ARG(rows->name), (int)place.len, place.ptr);
    report_page_add_head(buf_str(&title), rows->root, out);
    buf_add_html(out,
                 "<header>\n<p><a href=\"%index.html#%\">back to the report</a></p>\n"
                 "<h1>%</h1>\n<p class=\"lead\">$ %</p>\n</header>\n<main>\n",
                 str_from(rows->root), rows->anchor, buf_str(&title),
                 (double)rows->list->count, rows->list->what);
    add_numbers(rows, out);
    add_origin(rows, out);
    add_items(rows, out);
    buf_add(out, STR("</main>\n"));
    report_page_add_foot(out);
    buf_free(&place);
    buf_free(&title);
}
