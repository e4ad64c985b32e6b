/* The posts of --unlabelled one after the other; only their words are kept. */
#include "cmd/classify.h"
#include "cmd/fields.h"

struct unlabelled {
    struct labelled_columns columns;
    struct vectors_reader reader;
    struct parts_splitter splitter;
    struct buf body;
    int64_t rows;
};

static bool take_row(void *context, const struct str *values, struct err *err)
{
    struct unlabelled *unlabelled = context;
    struct parts post;

    (void)err;
    unlabelled->rows++;
    labelled_post(&unlabelled->columns, values, &unlabelled->body, &post);
    parts_complete(buf_str(&unlabelled->body), &unlabelled->splitter, &post);
    vectors_add(&unlabelled->reader, &post);
    return true;
}

bool classify_read_vectors(struct classify_work *work, struct err *err)
{
    const struct classify_args *args = work->args;
    struct unlabelled unlabelled = {0};
    struct fields fields = {
        .path = args->unlabelled, .take = take_row, .context = &unlabelled};

    if (!labelled_columns(args->text, NULL, NULL, &unlabelled.columns, err))
        return false;
    fields.names = unlabelled.columns.names;
    fields.count = unlabelled.columns.count;
    bool ok = fields_read(&fields, err);
    if (ok && unlabelled.rows == 0)
        ok = err_set(err, ERR_INPUT, "%s: there are no rows", args->unlabelled);
    if (ok)
        vectors_learn(&unlabelled.reader, (uint64_t)args->seed, &work->vectors);
    vectors_reader_free(&unlabelled.reader);
    parts_splitter_free(&unlabelled.splitter);
    buf_free(&unlabelled.body);
    return ok;
}
