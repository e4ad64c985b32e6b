/* Opening a study for a command. */
#include "cmd/opening.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/file.h"
#include "store/corpus.h"

/* Items may have names that only the corpus knows. */
static bool name_items(struct cmd_session *session, struct study *study, struct err *err)
{
    const char *path = file_join(study->home, "corpus.db", &session->arena);
    struct store *corpus;

    if (!study->spaces.texts || !file_exists(path) || store_is_old(path))
        return true;
    if (!store_open(path, study->servers, &corpus, err))
        return false;
    bool ok = run_name_items(corpus, &session->arena, study, err);
    store_close(corpus);
    return ok;
}

const char *cmd_opening_data(const struct cmd_opening_args *args)
{
    return args->data != NULL ? args->data : getenv("ASSAY_DATA");
}

bool cmd_opening_is_study(const char *path)
{
    struct str name = str_from(path);

    return file_is_folder(path) || str_ends(name, STR(".yaml")) ||
           str_ends(name, STR(".yml"));
}

bool cmd_opening_study(struct cmd_session *session, const struct cmd_opening_args *args,
                       struct study *out, struct err *err)
{
    struct study_options options = {.data = cmd_opening_data(args)};
    struct buf problems = {0};
    bool ok = study_load(args->study != NULL ? args->study : ".", &options,
                         &session->arena, out, &problems, err);

    cmd_complain(&problems);
    return ok && name_items(session, out, err);
}

static void tell_nobody(void *context, struct str step, const char *what, struct str text)
{
    (void)context;
    (void)step;
    (void)what;
    (void)text;
}

static void warn(void *context, struct str text)
{
    (void)context;
    fprintf(stderr, "%.*s\n", STR_ARG(text));
}

struct run_options cmd_opening_options(const struct cmd_opening_args *args)
{
    return (struct run_options){
        .version = CMD_VERSION,
        .threads = cmd_threads(args->threads),
        .quiet = args->quiet,
        .skip_broken = args->skip_broken,
        .rest_bytes = args->checkpoint * 1000000,
        .descriptor = STDERR_FILENO,
        .tell = tell_nobody,
        .warn = args->quiet ? NULL : warn,
    };
}

bool cmd_opening_lock(struct cmd_session *session, const struct study *study,
                      const char *who, struct lock *out, struct err *err)
{
    const char *made;

    if (study->home[0] != '\0' &&
        !file_make_folder(study->home, &session->arena, &made, err))
        return false;
    return lock_take(file_join(study->home, ".assay-lock", &session->arena), who, out,
                     err);
}

bool cmd_opening_run(struct cmd_session *session, const struct cmd_opening_args *args,
                     const char *who,
                     void (*tell)(void *context, struct str step, const char *what,
                                  struct str text),
                     struct cmd_opening_run *out, struct err *err)
{
    struct run_options wanted = cmd_opening_options(args);

    *out = (struct cmd_opening_run){.lock = {-1}};
    if (tell != NULL)
        wanted.tell = tell;
    return cmd_opening_study(session, args, &out->study, err) &&
           cmd_opening_lock(session, &out->study, who, &out->lock, err) &&
           run_study(&out->study, &wanted, &out->made, err) &&
           name_items(session, &out->study, err);
}

/* Opening a labelling task for a command. */
bool cmd_task_open(struct cmd_session *session, const struct cmd_opening_args *args,
                   const char *name, bool must_exist, struct study *study,
                   struct label **out, struct err *err)
{
    struct buf problems = {0};

    if (!cmd_opening_study(session, args, study, err))
        return false;
    const char *path = file_join(study->home, "labels.db", &session->arena);
    if (must_exist && !file_exists(path))
        return err_set(err, ERR_INPUT, "%s: there are no labels yet", path);
    bool ok = label_open(study, str_from(name), out, &problems, err);
    cmd_complain(&problems);
    return ok;
}
