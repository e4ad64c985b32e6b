/* assay compare: then and now. */
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "cmd/opening.h"
#include "package/package.h"
#include "report/page.h"
#include "result/table_text.h"
#include "run/comparing.h"

struct compare_args {
    struct cmd_opening_args opening;
    const char *newer, *page, *fresh;
    int64_t seed;
    bool json, all;
};

enum { MOVED_SHOWN = 20 };

#define AT(field) offsetof(struct compare_args, field)

static const struct cmd_operand operands[] = {
    {"OLD", AT(opening.study),
     "the older run: a study file, the folder that holds it, or a package, as a folder "
     "or "
     "an archive (.zip, .tar.gz)",
     true},
    {"NEW", AT(newer), "the newer run of the same study", true},
    {0}};

static const struct cmd_option options[] = {
    {"--page", CMD_TEXT, AT(page), "FILE",
     .help = "write an html page, and print nothing"},
    {"--all", CMD_FLAG, AT(all), NULL,
     .help = "print every table, not only what moved and what holds"},
    {"--json", CMD_FLAG, AT(json), NULL, .help = "print JSON, an object for each table"},
    {"--fresh", CMD_TEXT, AT(fresh), "FILE",
     .help =
         "write a csv of items to label, drawn at random from those that only NEW has, "
         "as many as tell whether each classifier still fits, each once with the "
         "classifiers that it is for: for `list` of a sample"},
    {"--seed", CMD_INT, AT(seed), "N", .help = "where that draw begins",
     .highest = INT64_MAX, .fallback = "1"},
    CMD_OPENING_DATA,
    {0}};

static const struct {
    struct str table, title;
    bool first; /* what one wants to know before all else */
} titles[] = {
    {STR_INIT("summary"), STR_INIT("In short"), true},
    {STR_INIT("moved"), STR_INIT("What moved"), true},
    {STR_INIT("sets"), STR_INIT("Sets, and how hard their questions are"), false},
    {STR_INIT("trends"), STR_INIT("Sets by year, beside their site"), false},
    {STR_INIT("numbers"), STR_INIT("Numbers of tables that changed"), false},
    {STR_INIT("findings"), STR_INIT("Answers and findings"), true},
    {STR_INIT("topics"), STR_INIT("Topics"), false},
    {STR_INIT("words"), STR_INIT("Words that became typical, and that were"), false},
    {STR_INIT("labels"), STR_INIT("Labels that are still usable"), false},
    {STR_INIT("classifiers"), STR_INIT("Whether classifiers still fit"), false},
};

static size_t place_of(struct str table)
{
    size_t i = 0;

    while (!str_eq(titles[i].table, table))
        i++;
    return i;
}

static struct str title_of(const struct result_table *table)
{
    return titles[place_of(table->name)].title;
}

static bool is_first(const struct result_table *table)
{
    return titles[place_of(table->name)].first;
}

/* Some of a table's rows, none of which is below another. */
static struct result_table rows_of(const struct result_table *table, size_t from,
                                   size_t count)
{
    struct result_table part = *table;

    part.rows += from;
    part.cells += from * table->column_count;
    part.row_count = count;
    return part;
}

/* Where a run is read; an archive is unpacked for as long as that takes. */
struct compared_side {
    const char *given, *temporary;
    struct study study;
    struct run_comparing_side run;
};

static bool is_archive(const char *path)
{
    static const struct str endings[] = {
        STR_INIT(".zip"),     STR_INIT(".tar"),     STR_INIT(".tar.gz"),
        STR_INIT(".tgz"),     STR_INIT(".tar.xz"),  STR_INIT(".tar.zst"),
        STR_INIT(".tar.lz4"), STR_INIT(".tar.bz2"), STR_INIT(".7z")};

    for (size_t i = 0; i < ROWS_OF(endings); i++)
        if (str_ends(str_from(path), endings[i]) && !file_is_folder(path))
            return true;
    return false;
}

static bool read_side(struct cmd_session *session, const struct cmd_opening_args *opening,
                      const char *given, struct compared_side *out, struct err *err)
{
    struct cmd_opening_args results = *opening;
    struct run_comparing_side *side = &out->run;
    struct study *study = &out->study;

    results.study = out->given = given;
    if (is_archive(given) &&
        (!file_make_temporary(&session->arena, &out->temporary, err) ||
         !package_unpack(given, out->temporary, &session->arena, &results.study, err)))
        return false;
    /* Sources are not read, so that it does not matter where those of a package are. */
    if (results.data == NULL && getenv("ASSAY_DATA") == NULL)
        results.data = ".";
    side->study = study;
    if (!cmd_opening_study(session, &results, study, err))
        return false;
    if (!file_exists(file_join(study->home, "assay.lock", &session->arena)))
        return err_set(err, ERR_INPUT,
                       "%s: there are no results yet; `assay run` makes them",
                       out->temporary != NULL ? given : study->path);
    return run_numbers(study, &session->arena, &side->numbers, &side->count, err);
}

static const struct str page_style =
    STR_INIT("details{margin:.6rem 0}summary{color:inherit;font-size:1rem}"
             "summary h2{display:inline;border:0;font-size:1.05rem}details "
             "details{margin-left:1rem}"
             "section:has(>details){border-top:1px solid var(--line)}"
             "section:not(#summary,#findings) .numbers tbody th{overflow-wrap:anywhere}"
             "#moved td:not(:last-child){white-space:normal}"
             "@media(max-width:40rem){table{font-size:.82rem}th,td{padding-right:.5rem}"
             "h2{margin-top:1.6rem}:is(#summary,#findings) tbody th{min-width:0}}\n");

static void add_table(const struct result_table *table, struct buf *out)
{
    buf_add_html(out,
                 "<div class=\"scroll\" role=\"region\" tabindex=\"0\" "
                 "aria-label=\"%\">",
                 title_of(table));
    result_table_text_html(table, out);
    buf_add(out, STR("</div>\n"));
}

/* tag: around the title; empty: none. */
static void open_fold(const char *tag, struct str title, size_t rows, struct buf *out)
{
    buf_add(out, STR("<details><summary>"));
    if (tag[0] != '\0')
        buf_add_format(out, "<%s>", tag);
    buf_add_html(out, "%", title);
    if (tag[0] != '\0')
        buf_add_format(out, "</%s>", tag);
    buf_add(out, STR(" <span class=\"soft\">("));
    buf_add_thousands(out, (double)rows, 0);
    buf_add_format(out, " row%s)</span></summary>\n", rows == 1 ? "" : "s");
}

/* "tables.kinds" of "tables.kinds.train.count". */
static struct str step_of(struct str address)
{
    struct str rest = address, part;

    str_cut(&rest, '.', &part);
    size_t kind = part.len + 1;
    str_cut(&rest, '.', &part);
    return str_slice(address, 0, kind + part.len);
}

/* A fold for each table of the study. */
static void add_steps(const struct result_table *table, struct buf *out)
{
    for (size_t from = 0, next; from < table->row_count; from = next) {
        struct str step = step_of(table->rows[from].name);
        for (next = from + 1;
             next < table->row_count && str_eq(step_of(table->rows[next].name), step);
             next++)
            continue;
        struct result_table part = rows_of(table, from, next - from);
        open_fold("", step, part.row_count, out);
        add_table(&part, out);
        buf_add(out, STR("</details>\n"));
    }
}

/* What one wants to know first, whole; the rest folded. */
static void add_section(const struct result_table *table, struct buf *out)
{
    bool first = is_first(table);

    buf_add_html(out, "<section id=\"%\">", table->name);
    if (first) {
        size_t shown =
            table->row_count < MOVED_SHOWN ? table->row_count : (size_t)MOVED_SHOWN;
        struct result_table head = rows_of(table, 0, shown),
                            rest = rows_of(table, shown, table->row_count - shown);
        buf_add_html(out, "<h2>%</h2>\n", title_of(table));
        head.note_count = rest.row_count > 0 ? 0 : table->note_count;
        add_table(&head, out);
        if (rest.row_count > 0) {
            open_fold("", STR("The others"), rest.row_count, out);
            add_table(&rest, out);
            buf_add(out, STR("</details>\n"));
        }
    } else {
        open_fold("h2", title_of(table), table->row_count, out);
        if (str_eq(table->name, STR("numbers")))
            add_steps(table, out);
        else
            add_table(table, out);
        buf_add(out, STR("</details>"));
    }
    buf_add(out, STR("</section>\n"));
}

static struct str path_of(const struct compared_side *side)
{
    return str_from(side->temporary != NULL ? side->given : side->study.path);
}

static void add_page(const struct compared_side *then, const struct compared_side *now,
                     struct result_table *tables, size_t count, struct buf *out)
{
    struct str title = now->study.title.len > 0 ? now->study.title : now->study.name;

    report_page_alone(STR("Then and now"), page_style, out);
    buf_add_html(out,
                 "<header><h1>Then and now: %</h1><p class=\"lead\">then: %<br>now: "
                 "%</p></header>\n<main>\n",
                 title, path_of(then), path_of(now));
    for (int first = 1; first >= 0; first--)
        for (size_t i = 0; i < count; i++)
            if (is_first(&tables[i]) == (first == 1))
                add_section(&tables[i], out);
    buf_add(out, STR("</main></body></html>\n"));
}

static void add_json(struct result_table *tables, size_t count, struct buf *out)
{
    for (size_t i = 0; i < count; i++) {
        tables[i].title = title_of(&tables[i]);
        result_table_text_json(&tables[i], out);
        if (out->len > 0 && out->ptr[out->len - 1] != '\n')
            buf_add_char(out, '\n');
    }
}

static void add_markdown(const struct result_table *table, size_t rows, struct buf *out)
{
    struct result_table part = rows < table->row_count ? rows_of(table, 0, rows) : *table;

    if (out->len > 0)
        buf_add_char(out, '\n');
    part.title = title_of(table);
    result_table_text_markdown(&part, out);
    if (out->ptr[out->len - 1] != '\n')
        buf_add_char(out, '\n');
    if (rows < table->row_count)
        buf_add_format(out, "\nThe first %zu of %zu; `--all` prints them all.\n", rows,
                       table->row_count);
}

static void add_text(struct result_table *tables, size_t count, bool all, struct buf *out)
{
    size_t left = 0;

    for (size_t i = 0; i < count; i++) {
        if (all || is_first(&tables[i]))
            add_markdown(&tables[i], all ? tables[i].row_count : (size_t)MOVED_SHOWN,
                         out);
        else
            left++;
    }
    if (left == 0)
        return;
    buf_add(out, STR("\nMore:"));
    for (size_t i = 0, told = 0; i < count; i++)
        if (!is_first(&tables[i])) {
            buf_add_format(out, "%s %.*s (", told++ > 0 ? "," : "",
                           STR_ARG(tables[i].name));
            buf_add_thousands(out, (double)tables[i].row_count, 0);
            buf_add(out, tables[i].row_count == 1 ? STR(" row)") : STR(" rows)"));
        }
    buf_add(out, STR("; `--all` prints that, `--page FILE` makes a page with it.\n"));
}

static bool compare(struct cmd_session *session, const struct compare_args *args,
                    struct compared_side *then, struct compared_side *now,
                    struct err *err)
{
    struct result_table tables[RUN_COMPARING_TABLES];
    struct buf out = {0}, drawn = {0};
    struct run_comparing_fresh fresh = {(uint64_t)args->seed, &drawn};
    size_t count;
    bool ok = read_side(session, &args->opening, args->opening.study, then, err) &&
              read_side(session, &args->opening, args->newer, now, err) &&
              run_comparing(&then->run, &now->run, args->fresh != NULL ? &fresh : NULL,
                            &session->arena, tables, &count, err) &&
              (args->fresh == NULL || file_write(args->fresh, buf_str(&drawn), err));

    buf_free(&drawn);
    if (!ok)
        return false;
    if (args->page == NULL) {
        if (args->json)
            add_json(tables, count, &out);
        else
            add_text(tables, count, args->all, &out);
        cmd_print(&out);
        return true;
    }
    add_page(then, now, tables, count, &out);
    ok = file_write(args->page, buf_str(&out), err);
    buf_free(&out);
    return ok;
}

static bool run(struct cmd_session *session, const void *arguments, struct err *err)
{
    const struct compare_args *args = arguments;
    struct compared_side then = {0}, now = {0};

    if (args->page != NULL && args->json)
        return err_set(err, ERR_USAGE, "--page and --json are two ways to show it");
    bool ok = compare(session, args, &then, &now, err);
    file_remove_temporary(then.temporary);
    file_remove_temporary(now.temporary);
    return ok;
}

const struct cmd cmd_compare = {
    .name = "compare",
    .summary = "Show what moved between two runs of a study",
    .see_also = "assay-run(1),assay-verify(1)",
    .operands = operands,
    .options = options,
    .run = run,
};
