/* A saved model applied to a file of any size, block by block. */
#include "cmd/classify.h"
#include "cmd/cmd.h"

#include <math.h>
#include <string.h>

#include "base/file.h"
#include "cmd/posts.h"
#include "learn/model.h"

/* A block ends at whichever comes first. */
enum { BLOCK_POSTS = 8192, BLOCK_BYTES = 16 << 20 };

struct classify_apply_block {
    struct cmd_classify_work *work;
    const struct learn_model_file *file;
    struct arena arena; /* what lasts as long as the block */
    struct arena_mark mark;
    struct learn_hierarchy tree;
    double *room; /* for each class */
    uint8_t *nodes;
    struct learn_parts *parts;
    struct str *bodies, *ids;
    size_t count, bytes;
    size_t silent; /* posts without a class */
    struct cmd_given_missing missing;
};

static struct str keep(struct classify_apply_block *block, struct str text)
{
    block->bytes += text.len;
    return arena_copy(&block->arena, text);
}

static void add_line(struct classify_apply_block *block, size_t post, struct str class,
                     double probability, bool given)
{
    struct buf *out = &block->work->out;

    if (!given && !block->work->args->every_class)
        return;
    buf_add_csv(out, block->ids[post]);
    buf_add_char(out, ',');
    buf_add_csv(out, class);
    if (isnan(probability))
        buf_add_char(out, ',');
    else
        buf_add_format(out, ",%.4f", probability);
    if (block->work->args->every_class)
        buf_add_format(out, ",%s", given && class.len > 0 ? "yes" : "no");
    buf_add_char(out, '\n');
}

static void add_classes(struct classify_apply_block *block, size_t post,
                        const uint8_t *said, const double *probabilities)
{
    for (size_t k = 0; k < block->file->model.classes; k++)
        add_line(block, post, block->file->classes[k], probabilities[k], said[k]);
}

/* The same on a level of the tree. */
static void add_nodes(struct classify_apply_block *block, size_t post,
                      const uint8_t *said, const double *probabilities)
{
    const struct cmd_classify_args *args = block->work->args;
    size_t number = args->level > 0 ? (size_t)args->level - 1 : block->tree.depth - 1;
    const struct learn_hierarchy_level *level = block->tree.levels + number;
    bool several = block->file->model.several;
    double *room = block->room;
    uint8_t *nodes = block->nodes;

    memset(nodes, 0, level->count);
    for (size_t k = 0; k < block->tree.classes && several; k++)
        nodes[level->node_of[k]] |= said[k];
    if (!several)
        nodes[learn_hierarchy_decide(&block->tree, number, cmd_classify_rule(args),
                                     probabilities, room)] = 1;
    learn_hierarchy_probabilities(&block->tree, number, several, probabilities, room);
    for (size_t node = 0; node < level->count; node++)
        add_line(block, post, level->names[node], room[node], nodes[node]);
}

static void add_predictions(struct classify_apply_block *block, const uint8_t *said,
                            const double *probabilities)
{
    const struct cmd_classify_args *args = block->work->args;
    size_t classes = block->file->model.classes;
    bool levels = args->level > 0 || args->hierarchy != NULL;

    for (size_t i = 0; i < block->count; i++)
        if (memchr(said + i * classes, 1, classes) == NULL) { /* nothing is known of it */
            add_line(block, i, STR(""), NAN, true);
            block->silent++;
        } else {
            (levels ? add_nodes : add_classes)(block, i, said + i * classes,
                                               probabilities + i * classes);
        }
}

static bool end_block(struct classify_apply_block *block, struct err *err)
{
    const struct learn_model_file *file = block->file;
    size_t cells = block->count * file->model.classes;
    uint8_t *said = arena_array(&block->arena, uint8_t, cells + 1);
    double *probabilities = arena_array(&block->arena, double, cells + 1);
    struct learn_apply apply = {&file->model, file->features, &file->table,
                                cmd_threads(block->work->args->threads)};
    struct learn_apply_posts posts = {block->count, block->parts, block->bodies, {0}};

    if (file->given > 0) {
        posts.given =
            cmd_given_of(&block->work->given, block->ids, block->count, &block->arena);
        cmd_given_miss(&block->missing, &posts.given, block->ids, block->count);
    }
    if (!learn_apply_model(&apply, posts, &block->arena, said, probabilities, err))
        return false;
    add_predictions(block, said, probabilities);
    cmd_print(&block->work->out);
    arena_rewind(&block->arena, block->mark);
    block->count = block->bytes = 0;
    return true;
}

static bool take_row(void *context, const struct cmd_posts_row *row, struct err *err)
{
    struct classify_apply_block *block = context;
    struct learn_parts *parts = block->parts + block->count;

    for (size_t i = 0; i < LEARN_PARTS_COUNT; i++)
        parts->at[i] = keep(block, row->parts.at[i]);
    block->bodies[block->count] = keep(block, row->body);
    block->ids[block->count++] = keep(block, row->values[CMD_POSTS_ID]);
    return (block->count < BLOCK_POSTS && block->bytes < BLOCK_BYTES) ||
           end_block(block, err);
}

static bool apply_to_file(struct classify_apply_block *block, const char *columns,
                          struct err *err)
{
    const struct cmd_classify_args *args = block->work->args;
    struct cmd_posts posts = {.path = args->in,
                              .text = columns,
                              .columns = {[CMD_POSTS_ID] = args->id},
                              .take = take_row,
                              .context = block};
    size_t classes = block->file->model.classes;
    block->tree = learn_hierarchy_make(block->file->classes, classes, &block->arena);
    if (!cmd_classify_check_levels(&block->tree, block->file->model.several, args, err))
        return err_at(err, "%s: ", args->model);
    block->room = arena_array(&block->arena, double, classes + 1);
    block->nodes = arena_array(&block->arena, uint8_t, classes + 1);
    block->parts = arena_array(&block->arena, struct learn_parts, BLOCK_POSTS);
    block->bodies = arena_array(&block->arena, struct str, BLOCK_POSTS);
    block->ids = arena_array(&block->arena, struct str, BLOCK_POSTS);
    block->mark = arena_mark(&block->arena);
    buf_add_format(&block->work->out, "%s,class,probability%s\n",
                   args->id != NULL ? "id" : "row", args->every_class ? ",given" : "");
    if (!cmd_posts_read(&posts, err))
        return false;
    if (posts.rows == 0)
        return err_set(err, ERR_INPUT, "%s: there are no rows", args->in);
    return end_block(block, err);
}

/* A model that learned from vectors wants those of the posts to classify. */
static bool read_given(struct cmd_classify_work *work,
                       const struct learn_model_file *file, struct err *err)
{
    const struct cmd_classify_args *args = work->args;

    if (file->given == 0)
        return args->vectors == NULL ||
               err_set(err, ERR_USAGE, "--vectors: the model %s uses none", args->model);
    if (args->vectors == NULL)
        return err_set(err, ERR_USAGE,
                       "the model %s learned from vectors of %zu numbers: --vectors FILE "
                       "must have those of the posts of --in",
                       args->model, file->given);
    if (!input_vectors_read(args->vectors, args->keys, work->arena, &work->given, err))
        return false;
    return work->given.dimensions == file->given ||
           err_set(err, ERR_INPUT,
                   "%s: the vectors have %zu numbers, expected %zu as "
                   "those that %s learned from",
                   args->vectors, work->given.dimensions, file->given, args->model);
}

bool cmd_classify_apply_saved(struct cmd_classify_work *work, struct err *err)
{
    const struct cmd_classify_args *args = work->args;
    struct learn_model_file file;
    struct str text;

    if (!file_read(args->model, work->arena, &text, err) ||
        !learn_model_file_read(text, args->model, work->arena, &file, err))
        return false;
    const char *columns =
        args->text != NULL ? args->text : arena_c_string(work->arena, file.text);
    struct classify_apply_block block = {.work = work, .file = &file};
    bool ok = false;
    if (!read_given(work, &file, err))
        ok = false;
    else if (columns[0] == '\0')
        err_set(err, ERR_USAGE, "--text is missing, and %s does not say what it read",
                args->model);
    else if (args->explain != NULL)
        ok = cmd_classify_explain_saved(work, &file, columns, err);
    else
        ok = apply_to_file(&block, columns, err);
    cmd_given_tell_missing(&block.missing, args->vectors, args->in);
    if (ok && block.silent > 0)
        fprintf(stderr,
                "%s: %zu post%s no class: no text, or no word that the model knows\n",
                args->in, block.silent, block.silent == 1 ? " has" : "s have");
    arena_free(&block.arena);
    learn_model_file_free(&file);
    return ok;
}
