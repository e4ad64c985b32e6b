/* Posts without a vector are told, and are classified by their words alone. */
#include "cmd/given.h"

#include "cmd/cmd.h"

enum { SHOWN = 3 };

struct learn_given cmd_given_of(const struct input_vectors *vectors,
                                const struct str *ids, size_t count, struct arena *arena)
{
    const float **at = arena_array(arena, const float *, count + 1);

    for (size_t i = 0; i < count; i++)
        at[i] = input_vectors_find(vectors, ids[i]);
    return (struct learn_given){vectors->dimensions, at};
}

bool cmd_given_check(const struct input_vectors *vectors, const char *path,
                     const struct learn_given *given, const struct str *ids, size_t count,
                     struct err *err)
{
    for (size_t i = 0; i < count; i++)
        if (given->at[i] != NULL)
            return true;
    return err_set(err, ERR_INPUT,
                   "%s: no post has a vector: the first post is '%.*s', the first key "
                   "'%.*s'; --id names the column of posts that has the keys",
                   path, STR_ARG(ids[0]), STR_ARG(vectors->keys[0]));
}

void cmd_given_tell(const struct input_vectors *vectors, const char *path,
                    const struct learn_given *given, const struct str *ids, size_t count,
                    struct buf *out)
{
    size_t missing = 0;

    for (size_t i = 0; i < count; i++)
        missing += given->at[i] == NULL;
    buf_add_format(out, "vectors of %s: %zu of %zu dimensions, sha256 %.*s", path,
                   vectors->count, vectors->dimensions, STR_ARG(vectors->hash));
    if (missing > 0)
        buf_add_format(out, "; %zu of %zu posts have none:", missing, count);
    for (size_t i = 0, shown = 0; i < count && missing > 0 && shown < SHOWN; i++)
        if (given->at[i] == NULL) {
            buf_add_format(out, "%s%.*s", shown > 0 ? ", " : " ", STR_ARG(ids[i]));
            shown++;
        }
    buf_add(out, missing > SHOWN ? STR(", ...\n") : STR("\n"));
}

void cmd_given_miss(struct cmd_given_missing *missing, const struct learn_given *given,
                    const struct str *ids, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        missing->all++;
        if (given->at[i] != NULL)
            continue;
        if (missing->count++ < SHOWN)
            buf_add_format(&missing->first, "%s%.*s", missing->count > 1 ? ", " : "",
                           STR_ARG(ids[i]));
    }
}

void cmd_given_tell_missing(struct cmd_given_missing *missing, const char *path,
                            const char *of)
{
    struct buf out = {0};

    if (missing->count > 0) {
        buf_add_format(&out,
                       "%s: %zu of %zu posts of %s have no vector, and are classified by "
                       "their words alone: ",
                       path, missing->count, missing->all, of);
        buf_add(&out, buf_str(&missing->first));
        buf_add(&out, missing->count > SHOWN ? STR(", ...\n") : STR("\n"));
        cmd_complain(&out);
    }
    buf_free(&out);
    buf_free(&missing->first);
}
