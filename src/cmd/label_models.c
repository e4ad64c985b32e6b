/* assay label --models: the models of a labelling are asked, or what that would take is
 * told. */
#include "cmd/label_models.h"

#include <stdio.h>

#include "model/model.h"
#include "model/server.h"

static void tell_asked(const struct model_done *done, struct buf *out)
{
    buf_add_format(out, "%.*s: ", STR_ARG(done->model->name));
    buf_add_thousands(out, (double)done->answered, 0);
    buf_add(out, STR(" of "));
    buf_add_thousands(out, (double)done->wanted, 0);
    buf_add(out, STR(" answers"));
    model_server_tell(out, done->known, "of them there before");
    model_server_tell(out, done->refused, "refused");
    model_server_tell(out, done->cut, "cut off by the limit of tokens");
    model_server_tell(out, done->unreadable, "that are no code");
    model_server_tell(out, done->rejected, "that the server did not take");
    model_server_tell(out, done->left, "not asked for: `at-most` is reached");
    buf_add_format(out, "; %lld request%s", (long long)done->requests,
                   str_plural(done->requests));
    model_server_tell(out, done->resent, "sent again");
    model_server_tell(out, done->tokens_in, "tokens in");
    model_server_tell(out, done->tokens_out, "tokens out");
    buf_add_char(out, '\n');
}

static void tell_needed(const struct model_done *done, struct buf *out)
{
    buf_add_format(out, "%.*s: ", STR_ARG(done->model->name));
    if (done->units > 0) {
        buf_add_thousands(out, (double)done->units, 0);
        buf_add_format(out, " unit%s in ", str_plural(done->units));
    }
    buf_add_thousands(out, (double)done->items, 0);
    buf_add_format(out, " item%s, ", str_plural(done->items));
    buf_add_thousands(out, (double)done->wanted, 0);
    buf_add(out, STR(" answers"));
    model_server_tell(out, done->known, "of them there");
    buf_add(out, STR("; it would take "));
    buf_add_thousands(out, (double)done->requests, 0);
    buf_add_format(out, " request%s, about ", str_plural(done->requests));
    buf_add_thousands(out, (double)done->tokens_in, 0);
    buf_add(out, STR(" tokens in and "));
    buf_add_thousands(out, (double)done->tokens_out, 0);
    buf_add(out, STR(" out"));
    if (done->measured > 0) {
        buf_add(out, STR(" (by what "));
        buf_add_thousands(out, (double)done->measured, 0);
        buf_add(out, STR(" that were answered took)"));
    }
    model_server_tell(out, done->left, "answers would be left: `at-most` is reached");
    buf_add_char(out, '\n');
    if (done->sample.len > 0)
        buf_add_format(out, "\nThe first request:\n%.*s\n", STR_ARG(done->sample));
}

bool cmd_label_models(struct cmd_session *session, struct label *label, bool dry,
                      bool quiet, struct err *err)
{
    struct model_options options = {.dry = dry, .quiet = quiet};
    struct model_done *done;
    size_t count = 0;
    struct buf out = {0};
    bool ok = model_ask(label, &options, &session->arena, &done, &count, err);

    for (size_t i = 0; i < count; i++)
        if (dry)
            tell_needed(&done[i], &out);
        else if (ok || i + 1 < count)
            tell_asked(&done[i], &out);
    if (out.len > 0)
        fwrite(out.ptr, 1, out.len, stdout);
    buf_free(&out);
    return ok;
}
