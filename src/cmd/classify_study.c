/* assay classify STUDY: the study brought up to date, and how its classifiers fared. */
#include "base/file.h"
#include "cmd/classify.h"
#include "cmd/opening.h"
#include "result/table_text.h"
#include "run/tabulating.h"

static bool add_scores(const struct study *study,
                       const struct study_classifier *classifier, const char *what,
                       struct arena *arena, struct buf *out, struct err *err)
{
    struct buf step = {0}, title = {0};
    struct result_table table;

    buf_add_format(&step, "out/results/classifiers.%.*s.result",
                   STR_ARG(classifier->name));
    buf_add_format(&title, "classifiers.%.*s, %s", STR_ARG(classifier->name), what);
    struct study_table shown = {
        .title = arena_copy(arena, buf_str(&title)),
        .from = file_join(study->home, arena_c_string(arena, buf_str(&step)), arena),
        .part = str_from(what)};
    buf_free(&step);
    buf_free(&title);
    if (!run_tabulating_show(&shown, arena, &table, err))
        return false;
    result_mark(&table, arena);
    if (table.row_count > 0)
        result_table_text_markdown(&table, out);
    else
        buf_add_format(out, "%.*s: too few labels yet\n", STR_ARG(shown.title));
    buf_add_char(out, '\n');
    return true;
}

bool cmd_classify_study(struct cmd_session *session, const struct cmd_classify_args *args,
                        struct err *err)
{
    struct cmd_opening_args opening = {
        .study = args->study, .quiet = true, .threads = args->threads, .checkpoint = 256};
    struct cmd_opening_run ran;
    struct buf out = {0};
    bool ok = cmd_opening_run(session, &opening, "assay classify", NULL, &ran, err);

    lock_release(&ran.lock);
    if (ok && ran.study.classifier_count == 0)
        ok = err_set(err, ERR_INPUT, "%s: there is no section `classifiers`",
                     ran.study.path);
    for (size_t i = 0; ok && i < ran.study.classifier_count; i++)
        ok = add_scores(&ran.study, &ran.study.classifiers[i], "scores", &session->arena,
                        &out, err) &&
             add_scores(&ran.study, &ran.study.classifiers[i], "overall", &session->arena,
                        &out, err);
    if (ok && args->explain != NULL)
        ok = cmd_classify_explain_study(&ran.study, args->explain, &session->arena, &out,
                                        err);
    if (ok)
        cmd_print(&out);
    buf_free(&out);
    return ok;
}
