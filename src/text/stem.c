/* A thin coat over libstemmer. */
#include "text/stem.h"

#include <libstemmer.h>

#include "base/arena.h"

void stem_open(struct stem *stem)
{
    stem->snowball = sb_stemmer_new("english", "UTF_8");
    if (stem->snowball == NULL) /* the language is always there, so it is memory */
        arena_exhausted();
}

void stem_close(struct stem *stem)
{
    sb_stemmer_delete(stem->snowball);
    *stem = (struct stem){0};
}

struct str stem_word(struct stem *stem, struct str word)
{
    const sb_symbol *result;

    if (word.len == 0 || word.len > STEM_WORD_MAX)
        return word;
    result = sb_stemmer_stem(stem->snowball, (const sb_symbol *)word.ptr, (int)word.len);
    if (result == NULL)
        arena_exhausted();
    return (struct str){(const char *)result, (size_t)sb_stemmer_length(stem->snowball)};
}
