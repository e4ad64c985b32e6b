/* Texts are compared as they stand; no folded copies are made. */
#include "study/spelling.h"

#include <stdlib.h>

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* Takes the next character of a trimmed text; a run of blanks is one. -1 at the end. */
static int take_folded(struct str *rest)
{
    if (rest->len == 0)
        return -1;
    char c = rest->ptr[0];
    bool blank = is_blank(c);
    do {
        rest->ptr++;
        rest->len--;
    } while (blank && rest->len > 0 && is_blank(rest->ptr[0]));
    return blank ? ' ' : c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : (unsigned char)c;
}

int study_spelling_compare(struct str a, struct str b)
{
    int x, y;

    a = str_trim(a);
    b = str_trim(b);
    do {
        x = take_folded(&a);
        y = take_folded(&b);
    } while (x == y && x >= 0);
    return x - y;
}

static int by_text(const void *a, const void *b)
{
    const struct study_spelling *x = a, *y = b;
    int texts = study_spelling_compare(x->text, y->text);

    if (texts != 0)
        return texts;
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    return (x->code > y->code) - (x->code < y->code);
}

void study_spelling_sort(struct study_spelling *spellings, size_t count)
{
    if (count > 0)
        qsort(spellings, count, sizeof *spellings, by_text);
}

/* The first spelling that is not before the text. */
static size_t place_of(const struct study_spelling *spellings, size_t count,
                       struct str text)
{
    size_t low = 0, high = count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (study_spelling_compare(spellings[middle].text, text) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

struct study_spelling_run study_spelling_find(const struct study_spelling *spellings,
                                              size_t count, struct str text)
{
    size_t from = place_of(spellings, count, text), to = from;

    while (to < count && spellings[to].kind == spellings[from].kind &&
           study_spelling_compare(spellings[to].text, text) == 0)
        to++;
    return (struct study_spelling_run){from, to};
}
