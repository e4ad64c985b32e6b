/* A path is followed through the changes one by one. */
#include "study/history.h"

#include <inttypes.h>
#include <xxhash.h>

const char *const study_history_words[STUDY_HISTORY_KINDS] = {"rename", "move", "merge",
                                                              "split", "retire"};

static bool is_or_is_below(struct str path, struct str above)
{
    return str_starts(path, above) &&
           (path.len == above.len || path.ptr[above.len] == '/');
}

/* The code among those that the change is about that is path or stands above it. */
static const struct str *touched(const struct study_codebook_change *change,
                                 struct str path)
{
    for (size_t i = 0; i < change->from.count; i++)
        if (is_or_is_below(path, change->from.at[i]))
            return &change->from.at[i];
    return NULL;
}

static struct str last_id(struct str path)
{
    size_t at = path.len;

    while (at > 0 && path.ptr[at - 1] != '/')
        at--;
    return str_slice(path, at, path.len);
}

static struct str copied(struct buf *text, struct arena *arena)
{
    struct str copy = arena_copy(arena, buf_str(text));

    buf_free(text);
    return copy;
}

struct str study_history_moved(const struct study_codebook_change *change,
                               struct str from, struct str path, struct arena *arena)
{
    struct str into = change->into.at[0], rest = str_slice(path, from.len, path.len);
    struct buf out = {0};

    if (!str_eq(into, STR("/")))
        buf_add_format(&out, "%.*s/", STR_ARG(into));
    buf_add_format(&out, "%.*s%.*s", STR_ARG(last_id(from)), STR_ARG(rest));
    return copied(&out, arena);
}

static struct str joined(struct str first, struct str second, struct arena *arena)
{
    struct buf out = {0};

    buf_add(&out, first);
    buf_add(&out, second);
    return copied(&out, arena);
}

static struct str why_review(const struct study_codebook_change *change,
                             struct arena *arena)
{
    struct buf out = {0};

    study_history_describe(change, &out);
    return copied(&out, arena);
}

static void follow(const struct study_codebook_change *change, struct arena *arena,
                   struct study_history_place *place)
{
    const struct str *from = touched(change, place->path);

    if (from == NULL || change->kind == STUDY_HISTORY_RENAME)
        return;
    bool itself = from->len == place->path.len;
    if (change->kind == STUDY_HISTORY_SPLIT && !itself)
        return; /* codes below it have not been touched */
    if (change->review || change->kind == STUDY_HISTORY_SPLIT ||
        (change->kind == STUDY_HISTORY_RETIRE && change->into.count == 0))
        place->review = why_review(change, arena);
    else if (change->kind == STUDY_HISTORY_MOVE)
        place->path = study_history_moved(change, *from, place->path, arena);
    else if (change->kind == STUDY_HISTORY_MERGE)
        place->path = joined(change->into.at[0],
                             str_slice(place->path, from->len, place->path.len), arena);
    else
        place->path = change->into.at[0];
}

bool study_history_has(const struct study_codebook_dimension *dimension, struct str path)
{
    for (size_t i = 0; i < dimension->count; i++)
        if (str_eq(dimension->codes[i].path, path))
            return true;
    return false;
}

struct study_history_place
study_history_carry(const struct study_codebook *codebook,
                    const struct study_codebook_dimension *dimension, size_t known,
                    struct str path, struct arena *arena)
{
    struct study_history_place place = {path, STR("")};

    for (size_t i = known; i < codebook->change_count && place.review.len == 0; i++)
        if (str_eq(codebook->changes[i].dimension, dimension->id))
            follow(&codebook->changes[i], arena, &place);
    if (place.review.len == 0 && !study_history_has(dimension, place.path))
        place.review = STR("the code is no longer in the codebook");
    return place;
}

static void add_texts(const struct study_codebook_texts *texts, struct buf *out)
{
    for (size_t i = 0; i < texts->count; i++)
        buf_add_format(out, "%s%.*s", i > 0 ? ", " : "", STR_ARG(texts->at[i]));
}

void study_history_describe(const struct study_codebook_change *change, struct buf *out)
{
    buf_add_format(out, "%s ", study_history_words[change->kind]);
    add_texts(&change->from, out);
    if (change->into.count > 0)
        buf_add(out, STR(" into "));
    add_texts(&change->into, out);
    buf_add_format(out, ": %.*s", STR_ARG(change->reason));
}

struct str study_history_version(struct str text, struct arena *arena)
{
    struct buf hex = {0};

    buf_add_format(&hex, "%016" PRIx64, (uint64_t)XXH3_64bits(text.ptr, text.len));
    return copied(&hex, arena);
}
