/* Finding codes and dimensions by what people write. */
#include "study/codebook.h"

#include "base/near.h"
#include "study/spelling.h"

enum { SHOWN_BYTES_MAX = 100, SHOWN_CODES_MAX = 5 };

static struct str shown(struct str text)
{
    return str_slice(text, 0, SHOWN_BYTES_MAX);
}

/* Adds "; did you mean 'x'?"; false when no name is near. */
static bool add_hint(struct buf *buf, struct str text, const struct str *names,
                     size_t count)
{
    size_t near = near_find(text, names, count);

    if (near < count)
        buf_add_format(buf, "; did you mean '%.*s'?", STR_ARG(names[near]));
    return near < count;
}

/* Records the message in *buf, which it frees, and is false. */
static bool refuse(struct buf *buf, struct err *err)
{
    err_record(err, ERR_INPUT, "%.*s", STR_ARG(buf_str(buf)));
    buf_free(buf);
    return false;
}

static bool no_dimension(const struct study_codebook *codebook, struct str id,
                         struct err *err)
{
    struct arena arena = {0};
    struct str *ids = arena_array(&arena, struct str, codebook->count + 1);
    struct buf message = {0};

    for (size_t i = 0; i < codebook->count; i++)
        ids[i] = codebook->dimensions[i].id;
    buf_add_format(&message, "codebook %.*s has no dimension '%.*s'",
                   STR_ARG(codebook->id), STR_ARG(shown(id)));
    if (!add_hint(&message, id, ids, codebook->count))
        for (size_t i = 0; i < codebook->count; i++)
            buf_add_format(&message, "%s%.*s", i == 0 ? "; it has " : ", ",
                           STR_ARG(ids[i]));
    arena_free(&arena);
    return refuse(&message, err);
}

bool study_codebook_choose(const struct study_codebook *codebook, struct str id,
                           const struct study_codebook_dimension **out, struct err *err)
{
    *out = NULL;
    for (size_t i = 0; i < codebook->count; i++)
        if (str_eq(codebook->dimensions[i].id, id) ||
            (id.len == 0 && codebook->count == 1))
            *out = &codebook->dimensions[i];
    return *out != NULL || no_dimension(codebook, id, err);
}

static bool unknown(const struct study_codebook_dimension *dimension, struct str text,
                    struct err *err)
{
    struct arena arena = {0};
    struct str *names = arena_array(&arena, struct str, dimension->spelling_count + 1);
    struct buf message = {0};

    for (size_t i = 0; i < dimension->spelling_count; i++)
        names[i] = dimension->spellings[i].text;
    buf_add_format(&message, "unknown code '%.*s'", STR_ARG(shown(text)));
    (void)add_hint(&message, text, names, dimension->spelling_count);
    arena_free(&arena);
    return refuse(&message, err);
}

static bool ambiguous(const struct study_codebook_dimension *dimension,
                      struct study_spelling_run run, struct str text, struct err *err)
{
    struct buf message = {0};
    size_t listed = run.from;

    buf_add_format(&message, "'%.*s' may mean ", STR_ARG(shown(text)));
    for (; listed < run.to && listed < run.from + SHOWN_CODES_MAX; listed++)
        buf_add_format(&message, "%s'%.*s'", listed == run.from ? "" : " or ",
                       STR_ARG(dimension->codes[dimension->spellings[listed].code].path));
    if (listed < run.to)
        buf_add_format(&message, " or %zu more", run.to - listed);
    buf_add(&message, STR("; write which"));
    return refuse(&message, err);
}

/* Codes that were added after the file was read, as those accepted while labelling, have
 * no spelling but their path. */
static bool find_path(const struct study_codebook_dimension *dimension, struct str path,
                      size_t *code)
{
    for (size_t i = 0; i < dimension->count; i++)
        if (str_eq(dimension->codes[i].path, path)) {
            *code = i;
            return true;
        }
    return false;
}

bool study_codebook_find(const struct study_codebook_dimension *dimension,
                         struct str text, size_t *code, struct err *err)
{
    const struct study_spelling *spellings = dimension->spellings;
    struct study_spelling_run run =
        study_spelling_find(spellings, dimension->spelling_count, text);

    text = str_trim(text);
    if (run.from == run.to)
        return find_path(dimension, text, code) || unknown(dimension, text, err);
    if (spellings[run.to - 1].code != spellings[run.from].code)
        return ambiguous(dimension, run, text, err);
    *code = spellings[run.from].code;
    return true;
}
