/* Posts on their way to a server that makes vectors. */
#include "cmd/embedding.h"

#include <string.h>

#include "base/file.h"
#include "base/list.h"
#include "base/map.h"
#include "cmd/posts.h"
#include "model/server.h"

bool cmd_embedding_check(const struct cmd_embedding_args *args, const char *vectors,
                         struct err *err)
{
    if (args->url == NULL)
        return (args->model == NULL && args->key == NULL && args->at_most == 0) ||
               err_set(err, ERR_USAGE, "%s goes with --embed URL",
                       args->model != NULL ? "--embed-model"
                       : args->key != NULL ? "--embed-key"
                                           : "--embed-at-most");
    if (!study_is_server(study_server(str_from(args->url))))
        return err_set(err, ERR_USAGE,
                       "--embed: expected the address of a server, as "
                       "http://localhost:8080, without a name, a password or a query");
    if (args->model == NULL)
        return err_set(err, ERR_USAGE, "--embed needs --embed-model NAME");
    if (args->key != NULL && !study_is_variable(str_from(args->key)))
        return err_set(err, ERR_USAGE,
                       "--embed-key: expected the name of an environment variable that "
                       "holds the key, in capitals; never the key itself");
    return vectors != NULL ||
           err_set(err, ERR_USAGE, "--embed needs --vectors FILE, which it makes");
}

struct study_embed cmd_embedding_how(const struct cmd_embedding_args *args)
{
    struct study_embed how = study_embed_usual();

    how.url = study_server(str_from(args->url));
    how.model = str_from(args->model);
    if (args->key != NULL)
        how.key = str_from(args->key);
    how.at_most = args->at_most;
    return how;
}

struct str cmd_embedding_text(const struct learn_parts *parts, struct arena *arena)
{
    static const enum learn_parts_name order[] = {LEARN_PARTS_TITLE, LEARN_PARTS_PROSE,
                                                  LEARN_PARTS_CODE};
    struct buf out = {0};

    for (size_t i = 0; i < ROWS_OF(order); i++) {
        struct str part = str_trim(parts->at[order[i]]);
        if (out.len > 0 && part.len > 0)
            buf_add(&out, STR("\n\n"));
        buf_add(&out, part);
    }
    return buf_keep(&out, arena);
}

/* What is told. */

static void tell(const struct cmd_embedding_to *to, const struct model_embed_texts *texts,
                 const struct model_embed_done *done, struct buf *out)
{
    size_t have = 0;

    for (size_t i = 0; i < texts->count; i++)
        have += done->at[i] != NULL;
    buf_add_format(out, "%s: ", to->file);
    buf_add_thousands(out, (double)have, 0);
    buf_add(out, STR(" of "));
    buf_add_thousands(out, (double)texts->count, 0);
    buf_add(out, STR(" items have a vector"));
    if (done->dimensions > 0)
        buf_add_format(out, " of %zu numbers", done->dimensions);
    if (done->model.len > 0)
        buf_add_format(out, ", of %.*s", STR_ARG(done->model));
    buf_add(out, to->dry ? STR("; it would take ") : STR("; "));
    buf_add_thousands(out, (double)done->requests, 0);
    buf_add_format(out, " request%s", str_plural(done->requests));
    model_server_tell(out, done->tokens, to->dry ? "tokens, about" : "tokens");
    model_server_tell(out, done->resent, "sent again");
    model_server_tell(out, done->known, "texts known before");
    model_server_tell(out, done->empty, "items without a text");
    model_server_tell(out, done->cut, "texts cut to `characters`");
    model_server_tell(out, done->rejected, "texts that the server did not take");
    model_server_tell(out, done->unusable, "texts whose vector is none");
    model_server_tell(out, done->left, "texts not asked for: `at-most` is reached");
    buf_add_char(out, '\n');
    if (done->first.len > 0)
        buf_add_format(out, "%s: no vector for %.*s: %.*s\n", to->file,
                       STR_ARG(done->first), STR_ARG(done->why));
}

bool cmd_embedding_make(const struct study_embed *how,
                        const struct model_embed_texts *texts,
                        const struct cmd_embedding_to *to, struct arena *arena,
                        struct err *err)
{
    struct model_embed_options options = {
        .how = how,
        .records = arena_format(arena, "%s.records", to->file).ptr,
        .dry = to->dry,
        .quiet = to->quiet};
    struct model_embed_done done;
    struct buf out = {0};

    if (file_exists(to->file) && !file_exists(options.records))
        return err_set(err, ERR_INPUT,
                       "%s: it is there, and was not made by a server of `embed`, which "
                       "would have left %s; name another file",
                       to->file, options.records);
    if (!model_embed(&options, texts, arena, &done, err))
        return false;
    tell(to, texts, &done, &out);
    if (to->dry)
        cmd_print(&out);
    else if (!to->quiet)
        cmd_complain(&out);
    buf_free(&out);
    return to->dry || model_embed_write(texts, &done, to->file, to->keys, err);
}

/* Tables. */

struct embedding_rows {
    struct arena *arena;
    struct learn_parts_splitter splitter;
    LIST(struct str) ids, texts;
    struct map known;
};

/* Rows with the same id are one post, as the first of them has it. */
static bool take_row(void *context, const struct cmd_posts_row *row, struct err *err)
{
    struct embedding_rows *rows = context;
    struct learn_parts parts = row->parts;
    int64_t *known = map_put(&rows->known, row->values[CMD_POSTS_ID]);

    (void)err;
    if ((*known)++ > 0)
        return true;
    learn_parts_complete(row->body, &rows->splitter, &parts);
    list_add(&rows->ids, arena_copy(rows->arena, row->values[CMD_POSTS_ID]));
    list_add(&rows->texts, cmd_embedding_text(&parts, rows->arena));
    return true;
}

bool cmd_embedding_make_tables(const struct study_embed *how,
                               const struct cmd_embedding_tables *tables,
                               const struct cmd_embedding_to *to, struct arena *arena,
                               struct err *err)
{
    struct embedding_rows rows = {.arena = arena, .known = {.arena = arena}};
    bool ok = true;

    for (size_t i = 0; ok && i < ROWS_OF(tables->paths); i++) {
        struct cmd_posts posts = {.path = tables->paths[i],
                                  .text = tables->text,
                                  .columns = {[CMD_POSTS_ID] = tables->id},
                                  .take = take_row,
                                  .context = &rows};
        if (posts.path == NULL)
            continue;
        ok =
            strcmp(posts.path, "-") != 0
                ? cmd_posts_read(&posts, err)
                : err_set(err, ERR_USAGE,
                          "--embed reads its posts twice, and standard input comes once");
    }
    struct model_embed_texts texts = {rows.ids.at, rows.texts.at, rows.ids.count};
    ok = ok && cmd_embedding_make(how, &texts, to, arena, err);
    list_free(&rows.ids);
    list_free(&rows.texts);
    learn_parts_splitter_free(&rows.splitter);
    return ok;
}
