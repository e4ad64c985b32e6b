/* The posts of --unlabelled one after the other; only their words are kept. */
#include "cmd/classify.h"
#include "cmd/fields.h"

struct unlabelled {
    struct cmd_labelled_columns columns;
    struct learn_vectors_reader reader;
    struct learn_parts_splitter splitter;
    struct buf body;
    int64_t rows;
};

static bool take_row(void *context, const struct str *values, struct err *err)
{
    struct unlabelled *unlabelled = context;
    struct learn_parts post;

    (void)err;
    unlabelled->rows++;
    cmd_labelled_post(&unlabelled->columns, values, &unlabelled->body, &post);
    learn_parts_complete(buf_str(&unlabelled->body), &unlabelled->splitter, &post);
    learn_vectors_add(&unlabelled->reader, &post);
    return true;
}

bool cmd_classify_read_vectors(struct cmd_classify_work *work, struct err *err)
{
    const struct cmd_classify_args *args = work->args;
    struct unlabelled unlabelled = {0};
    struct cmd_fields fields = {
        .path = args->unlabelled, .take = take_row, .context = &unlabelled};

    if (!cmd_labelled_columns(args->text, NULL, NULL, &unlabelled.columns, err))
        return false;
    fields.names = unlabelled.columns.names;
    fields.count = unlabelled.columns.count;
    bool ok = cmd_fields_read(&fields, err);
    if (ok && unlabelled.rows == 0)
        ok = err_set(err, ERR_INPUT, "%s: there are no rows", args->unlabelled);
    if (ok)
        learn_vectors_learn(&unlabelled.reader, (uint64_t)args->seed, &work->vectors);
    learn_vectors_reader_free(&unlabelled.reader);
    learn_parts_splitter_free(&unlabelled.splitter);
    buf_free(&unlabelled.body);
    return ok;
}
