/* Two versions of a codebook: whether the one goes on from the other, and what differs.
 */
#include "study/history.h"

static bool same_texts(const struct study_codebook_texts *a,
                       const struct study_codebook_texts *b)
{
    bool same = a->count == b->count;

    for (size_t i = 0; same && i < a->count; i++)
        same = str_eq(a->at[i], b->at[i]);
    return same;
}

static bool same_change(const struct study_codebook_change *a,
                        const struct study_codebook_change *b)
{
    return a->kind == b->kind && str_eq(a->dimension, b->dimension) &&
           a->review == b->review && same_texts(&a->from, &b->from) &&
           same_texts(&a->into, &b->into);
}

bool study_history_continues(const struct study_codebook *older,
                             const struct study_codebook *newer, struct err *err)
{
    for (size_t i = 0; i < older->change_count; i++) {
        if (i < newer->change_count &&
            same_change(&older->changes[i], &newer->changes[i]))
            continue;
        struct buf text = {0};
        study_history_describe(&older->changes[i], &text);
        err_set(err, ERR_INPUT,
                "the codebook's changes must go on from those that labels rest on; "
                "change %zu was '%.*s'",
                i + 1, STR_ARG(buf_str(&text)));
        buf_free(&text);
        return false;
    }
    return true;
}

static const struct study_codebook_code *
code_at(const struct study_codebook_dimension *dimension, struct str path)
{
    for (size_t i = 0; i < dimension->count; i++)
        if (str_eq(dimension->codes[i].path, path))
            return &dimension->codes[i];
    return NULL;
}

static void describe_code(const struct study_codebook_code *was,
                          const struct study_codebook_code *is, struct buf *out)
{
    bool words = !str_eq(was->definition, is->definition) ||
                 !str_eq(was->use_when, is->use_when) ||
                 !str_eq(was->not_when, is->not_when);

    if (!str_eq(was->name, is->name))
        buf_add_format(out, "~ %.*s: called '%.*s', was '%.*s'\n", STR_ARG(is->path),
                       STR_ARG(is->name), STR_ARG(was->name));
    if (words)
        buf_add_format(out, "~ %.*s: defined in other words\n", STR_ARG(is->path));
}

/* What became of the older one's codes; marks in `met` those of the newer one that an
 * older code leads to. */
static void describe_old(const struct study_codebook *older,
                         const struct study_codebook *newer,
                         const struct study_codebook_dimension *was,
                         const struct study_codebook_dimension *is, bool *met,
                         struct arena *arena, struct buf *out)
{
    for (size_t i = 0; i < was->count; i++) {
        const struct study_codebook_code *code = &was->codes[i];
        struct study_history_place now =
            study_history_carry(newer, is, older->change_count, code->path, arena);
        const struct study_codebook_code *there = code_at(is, now.path);
        if (now.review.len > 0)
            buf_add_format(out, "- %.*s: needs review (%.*s)\n", STR_ARG(code->path),
                           STR_ARG(now.review));
        else if (!str_eq(now.path, code->path))
            buf_add_format(out, "- %.*s: now %.*s\n", STR_ARG(code->path),
                           STR_ARG(now.path));
        else
            describe_code(code, there, out);
        if (there != NULL && now.review.len == 0)
            met[there - is->codes] = true;
    }
}

void study_history_difference(const struct study_codebook *older,
                              const struct study_codebook *newer, struct arena *arena,
                              struct buf *out)
{
    for (size_t d = 0; d < newer->count; d++) {
        const struct study_codebook_dimension *is = &newer->dimensions[d], *was = NULL;
        for (size_t i = 0; i < older->count; i++)
            if (str_eq(older->dimensions[i].id, is->id))
                was = &older->dimensions[i];
        if (was == NULL) {
            buf_add_format(out, "+ dimension %.*s\n", STR_ARG(is->id));
            continue;
        }
        bool *met = arena_array(arena, bool, is->count + 1);
        describe_old(older, newer, was, is, met, arena, out);
        for (size_t i = 0; i < is->count; i++)
            if (!met[i] && code_at(was, is->codes[i].path) == NULL)
                buf_add_format(out, "+ %.*s: %.*s\n", STR_ARG(is->codes[i].path),
                               STR_ARG(is->codes[i].name));
    }
    for (size_t i = 0; i < older->count; i++) {
        bool there = false;
        for (size_t d = 0; d < newer->count; d++)
            there = there || str_eq(older->dimensions[i].id, newer->dimensions[d].id);
        if (!there)
            buf_add_format(out, "- dimension %.*s\n", STR_ARG(older->dimensions[i].id));
    }
}
