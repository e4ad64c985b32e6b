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
    bool json;
};

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
    {"--json", CMD_FLAG, AT(json), NULL, .help = "print JSON, an object for each table"},
    {"--fresh", CMD_TEXT, AT(fresh), "FILE",
     .help = "write a csv of items to label, drawn at random from those that only NEW has, "
             "as many as tell whether each classifier still fits, each once with the "
             "classifiers that it is for: for `list` of a sample"},
    {"--seed", CMD_INT, AT(seed), "N", .help = "where that draw begins",
     .highest = INT64_MAX, .fallback = "1"},
    CMD_OPENING_DATA,
    {0}};

static const struct {
    struct str table, title;
} titles[] = {
    {STR_INIT("sets"), STR_INIT("Sets, and how hard their questions are")},
    {STR_INIT("trends"), STR_INIT("Sets by year, beside their site")},
    {STR_INIT("numbers"), STR_INIT("Numbers of tables that changed")},
    {STR_INIT("findings"), STR_INIT("Answers and findings")},
    {STR_INIT("topics"), STR_INIT("Topics")},
    {STR_INIT("words"), STR_INIT("Words that became typical, and that were")},
    {STR_INIT("labels"), STR_INIT("Labels that are still usable")},
    {STR_INIT("classifiers"), STR_INIT("Whether classifiers still fit")},
};

static struct str title_of(struct str table)
{
    for (size_t i = 0; i < ROWS_OF(titles); i++)
        if (str_eq(titles[i].table, table))
            return titles[i].title;
    return table;
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
        STR_INIT(".zip"),    STR_INIT(".tar"),     STR_INIT(".tar.gz"),  STR_INIT(".tgz"),
        STR_INIT(".tar.xz"), STR_INIT(".tar.zst"), STR_INIT(".tar.bz2"), STR_INIT(".7z")};

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

static void add_page(const struct compared_side *then, const struct compared_side *now,
                     struct result_table *tables, size_t count, struct buf *out)
{
    struct str old = str_from(then->temporary != NULL ? then->given : then->study.path),
               new = str_from(now->temporary != NULL ? now->given : now->study.path);

    report_page_alone(STR("Then and now"), STR(""), out);
    buf_add_html(out,
                 "<header><h1>Then and now</h1><p class=\"lead\">then: %; now: "
                 "%</p></header>\n<main>\n",
                 old, new);
    for (size_t i = 0; i < count; i++) {
        buf_add_html(out, "<section><h2>%</h2><div class=\"scroll\">",
                     title_of(tables[i].name));
        result_table_text_html(&tables[i], out);
        buf_add(out, STR("</div></section>\n"));
    }
    buf_add(out, STR("</main></body></html>\n"));
}

static void add_text(struct result_table *tables, size_t count, bool json,
                     struct buf *out)
{
    for (size_t i = 0; i < count; i++) {
        tables[i].title = title_of(tables[i].name);
        if (json)
            result_table_text_json(&tables[i], out);
        else
            result_table_text_markdown(&tables[i], out);
        if (out->len > 0 && out->ptr[out->len - 1] != '\n')
            buf_add_char(out, '\n');
        if (!json && i + 1 < count)
            buf_add_char(out, '\n');
    }
}

static bool compare(struct cmd_session *session, const struct compare_args *args,
                    struct compared_side *then, struct compared_side *now,
                    struct err *err)
{
    struct result_table tables[RUN_COMPARING_TABLES];
    struct buf out = {0}, drawn = {0};
    struct run_comparing_fresh fresh = {(uint64_t)args->seed, &drawn};
    size_t count;
    bool ok =
        read_side(session, &args->opening, args->opening.study, then, err) &&
        read_side(session, &args->opening, args->newer, now, err) &&
        run_comparing(&then->run, &now->run, args->fresh != NULL ? &fresh : NULL,
                      &session->arena, tables, &count, err) &&
        (args->fresh == NULL || file_write(args->fresh, buf_str(&drawn), err));

    buf_free(&drawn);
    if (!ok)
        return false;
    if (args->page == NULL) {
        add_text(tables, count, args->json, &out);
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
