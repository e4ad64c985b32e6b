/* assay codebook: check a codebook, and tell what changed. */
#include "study/codebook.h"

#include <string.h>

#include "base/date.h"
#include "base/file.h"
#include "cmd/opening.h"
#include "study/history.h"

struct codebook_args {
    struct cmd_opening_args opening; /* its study is the file or the study */
    const char *what, *newer, *task;
};

static const struct cmd_operand operands[] = {
    {"WHAT", offsetof(struct codebook_args, what), "check, diff or history", true},
    {"FILE", offsetof(struct cmd_opening_args, study),
     "the codebook; of history also a study, whose labels know all versions", true},
    {"NEWER", offsetof(struct codebook_args, newer),
     "of diff: the codebook to compare with", false},
    {0}};

static const struct cmd_option options[] = {
    CMD_TASK_OPTION(struct codebook_args, task), CMD_OPENING_DATA, {0}};

static bool load(struct cmd_session *session, const char *path,
                 struct study_codebook *out, struct err *err)
{
    struct buf problems = {0};
    bool ok = study_codebook_load(path, &session->arena, out, &problems, err);

    cmd_complain(&problems);
    return ok;
}

static bool check(struct cmd_session *session, const char *path, struct err *err)
{
    struct study_codebook codebook;
    struct str text;

    if (!load(session, path, &codebook, err) ||
        !file_read(path, &session->arena, &text, err))
        return false;
    printf("%s: %.*s, version %.*s\n", path, STR_ARG(codebook.title),
           STR_ARG(study_history_version(text, &session->arena)));
    for (size_t d = 0; d < codebook.count; d++) {
        const struct study_codebook_dimension *dimension = &codebook.dimensions[d];
        size_t leaves = 0, special = 0;
        int levels = 0;
        for (size_t i = 0; i < dimension->count; i++) {
            special += dimension->codes[i].special;
            leaves += dimension->codes[i].leaf && !dimension->codes[i].special;
            if (dimension->codes[i].level > levels)
                levels = dimension->codes[i].level;
        }
        printf("%.*s: %zu code%s on %d level%s, %zu of them leaves, %zu special; %s\n",
               STR_ARG(dimension->id), dimension->count,
               str_plural((int64_t)dimension->count), levels, str_plural(levels), leaves,
               special, dimension->several ? "several for an item" : "one for an item");
    }
    if (codebook.change_count > 0)
        printf("%zu change%s\n", codebook.change_count,
               codebook.change_count == 1 ? "" : "s");
    return true;
}

static bool diff(struct cmd_session *session, const struct codebook_args *args,
                 struct err *err)
{
    struct study_codebook older, newer;
    struct buf out = {0};

    if (args->newer == NULL)
        return err_set(err, ERR_USAGE, "diff takes two codebooks, the older one first");
    if (!load(session, args->opening.study, &older, err) ||
        !load(session, args->newer, &newer, err) ||
        !study_history_continues(&older, &newer, err))
        return false;
    study_history_difference(&older, &newer, &session->arena, &out);
    cmd_print(&out);
    return true;
}

static bool file_history(struct cmd_session *session, const char *path, struct err *err)
{
    struct study_codebook codebook;
    struct buf out = {0};

    if (!load(session, path, &codebook, err))
        return false;
    for (size_t i = 0; i < codebook.change_count; i++) {
        study_history_describe(&codebook.changes[i], &out);
        buf_add_char(&out, '\n');
    }
    cmd_print(&out);
    return true;
}

/* Every version that labels were made under, and what it changed. */
static bool add_versions(struct cmd_session *session, struct label *label,
                         struct buf *out, struct err *err)
{
    struct label_version *versions;
    struct study_codebook before = {0}, codebook;
    struct buf problems = {0};
    size_t count;
    bool ok = label_versions(label, &session->arena, &versions, &count, err);

    for (size_t i = 0; ok && i < count; i++) {
        ok = study_codebook_parse(versions[i].text, "labels.db", &session->arena,
                                  &codebook, &problems, err);
        buf_add_format(out, "%.*s from ", STR_ARG(versions[i].version));
        date_add_day(out, versions[i].at_ms);
        buf_add_format(out, ", %lld label%s\n", (long long)versions[i].acts,
                       str_plural(versions[i].acts));
        if (ok && i > 0)
            study_history_difference(&before, &codebook, &session->arena, out);
        before = codebook;
    }
    buf_free(&problems);
    return ok;
}

static bool study_history(struct cmd_session *session, const struct codebook_args *args,
                          struct err *err)
{
    struct label *label = NULL;
    struct study study;
    struct buf out = {0};
    bool ok =
        cmd_task_open(session, &args->opening, args->task, true, &study, &label, err) &&
        add_versions(session, label, &out, err);

    if (ok)
        cmd_print(&out);
    buf_free(&out);
    label_close(label);
    return ok;
}

static bool run(struct cmd_session *session, const void *arguments, struct err *err)
{
    const struct codebook_args *args = arguments;
    const char *path = args->opening.study;

    if (strcmp(args->what, "diff") == 0)
        return diff(session, args, err);
    if (args->newer != NULL)
        return err_set(err, ERR_USAGE, "%s takes one file, found '%s' as well",
                       args->what, args->newer);
    if (strcmp(args->what, "check") == 0)
        return check(session, path, err);
    if (strcmp(args->what, "history") == 0)
        return file_is_folder(path) ? study_history(session, args, err)
                                    : file_history(session, path, err);
    return err_set(err, ERR_USAGE, "expected check, diff or history, found '%s'",
                   args->what);
}

const struct cmd cmd_codebook = {
    .name = "codebook",
    .summary = "Check a codebook, and tell what changed between versions",
    .see_also = "assay-agree(1),assay-labels(7)",
    .operands = operands,
    .options = options,
    .run = run,
};
