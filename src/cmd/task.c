/* Opening a labelling task for a command. */
#include "cmd/task.h"

#include "base/file.h"

bool cmd_task_open(struct cmd_session *session, const struct cmd_opening_args *args,
                   const char *name, bool must_exist, struct study *study,
                   struct label **out, struct err *err)
{
    struct buf problems = {0};

    if (!cmd_opening_study(session, args, study, err))
        return false;
    const char *path = study->home[0] == '\0'
                           ? "labels.db"
                           : file_join(study->home, "labels.db", &session->arena);
    if (must_exist && !file_exists(path))
        return err_set(err, ERR_INPUT, "%s: there are no labels yet", path);
    bool ok = label_open(study, str_from(name != NULL ? name : ""), out, &problems, err);
    if (problems.len > 0)
        fwrite(problems.ptr, 1, problems.len, stderr);
    buf_free(&problems);
    return ok;
}
