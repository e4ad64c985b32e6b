/* Lemmas and synsets, from a part of WordNet that is built in: see tools/wordnet. */
#include <stdlib.h>
#include <string.h>

#include "phrase/internal.h"

extern const unsigned char phrase_wordnet_rows[];
extern const size_t phrase_wordnet_rows_len;

enum { WORD_MAX = 60 }; /* longer ones are no English words */

/* What the table has of "v/word". */
static bool row_of(char part, struct str word, struct str *value)
{
    struct str rows = {(const char *)phrase_wordnet_rows, phrase_wordnet_rows_len};
    char key[WORD_MAX + 2] = {part, '/'};

    if (word.len == 0 || word.len > WORD_MAX)
        return false;
    memcpy(key + 2, word.ptr, word.len);
    return str_find_row(rows, '=', (struct str){key, word.len + 2}, value);
}

/* The word with another ending, if that is a lemma. */
static struct str with_ending(char part, struct str word, const char *ending,
                              const char *instead, struct arena *arena)
{
    struct str cut = str_from(ending), value;

    if (!str_ends(word, cut) || word.len < cut.len + 2)
        return (struct str){0};
    struct str lemma =
        arena_format(arena, "%.*s%s", (int)(word.len - cut.len), word.ptr, instead);
    return row_of(part, lemma, &value) ? lemma : (struct str){0};
}

/* "retrain" is a verb where "train" is one. */
static bool is_verb_again(struct str word)
{
    struct str value, rest = str_slice(word, 2, word.len);

    if (rest.len > 0 && rest.ptr[0] == '-')
        rest = str_slice(rest, 1, rest.len);
    return str_starts(word, STR("re")) && rest.len > 2 && row_of('v', rest, &value);
}

/* Of "installed" WordNet's list of exceptions has "instal", which nobody writes: where
 * the verb has both letters too, that one. */
static struct str with_both_letters(struct str word, struct str exception)
{
    struct str value, both = str_slice(word, 0, exception.len + 1);

    return exception.len > 0 && both.len > exception.len && str_starts(word, exception) &&
                   both.ptr[exception.len] == both.ptr[exception.len - 1] &&
                   row_of('v', both, &value)
               ? both
               : exception;
}

/* WordNet's rules of detachment (morphy(7WN)), and doubled letters: "mapping". */
struct str phrase_wordnet_verb(struct str word, struct arena *arena)
{
    static const char *const endings[][2] = {{"ies", "y"}, {"es", "e"}, {"es", ""},
                                             {"s", ""},    {"ed", "e"}, {"ed", ""},
                                             {"ing", "e"}, {"ing", ""}};
    struct str value, lemma = {0};

    /* One spelling of the two: "initialise" is "initialize". */
    lemma = with_ending('v', word, "ise", "ize", arena);
    if (lemma.len > 0)
        return lemma;
    if (row_of('v', word, &value))
        return word;
    if (row_of('x', word, &value))
        return with_both_letters(word, value);
    for (size_t i = 0; i < sizeof endings / sizeof *endings && lemma.len == 0; i++)
        lemma = with_ending('v', word, endings[i][0], endings[i][1], arena);
    for (size_t i = 4; i <= 6 && lemma.len == 0; i += 2) {
        struct str cut = str_from(endings[i][0]);
        if (!str_ends(word, cut) || word.len < cut.len + 3)
            continue;
        const char *last = word.ptr + word.len - cut.len - 1;
        struct str stem = {word.ptr, word.len - cut.len - 1};
        if (last[0] == last[-1] && row_of('v', stem, &value))
            lemma = stem;
    }
    return lemma.len == 0 && is_verb_again(word) ? word : lemma;
}

/* What is called so in developers' posts and is no plural, though it looks like one. */
static bool is_name(struct str word)
{
    static const char *const names[] = {
        "aws",      "axios", "cypress",    "dos",   "emacs",  "ios",
        "jenkins",  "keras", "kubernetes", "macos", "nodejs", "pandas",
        "postgres", "rails", "redis",      "sas",   "windows"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (str_eq(word, str_from(names[i])))
            return true;
    return str_ends(word, STR("js")); /* tensorflow.js, tfjs */
}

struct str phrase_wordnet_noun(struct str word, struct arena *arena)
{
    static const char *const endings[][2] = {
        {"ies", "y"}, {"sses", "ss"}, {"xes", "x"}, {"ches", "ch"}, {"shes", "sh"}};
    struct str value, lemma = {0};

    if (is_name(word))
        return word;
    if (row_of('y', word, &value))
        return value;
    /* "series" is no plural of "sery", and "movies" is one of "movie". */
    if (str_ends(word, STR("ies")) &&
        with_ending('n', word, "ies", "y", arena).len == 0) {
        lemma = with_ending('n', word, "s", "", arena);
        if (lemma.len > 0 || row_of('n', word, &value))
            return lemma.len > 0 ? lemma : word;
    }
    for (size_t i = 0; i < sizeof endings / sizeof *endings && lemma.len == 0; i++)
        if (str_ends(word, str_from(endings[i][0])) && word.len > 4)
            lemma = arena_format(arena, "%.*s%s", (int)(word.len - strlen(endings[i][0])),
                                 word.ptr, endings[i][1]);
    if (lemma.len > 0)
        return lemma;
    /* "biases": there is no "biase". */
    if (str_ends(word, STR("ses")) && word.len > 4 &&
        !row_of('n', str_slice(word, 0, word.len - 1), &value) &&
        row_of('n', str_slice(word, 0, word.len - 2), &value))
        return str_slice(word, 0, word.len - 2);
    /* "loss", "bias", "analysis", "tfs" of two letters: no plurals. */
    if (word.len > 3 && str_ends(word, STR("s")) && !str_ends(word, STR("ss")) &&
        !str_ends(word, STR("us")) && !str_ends(word, STR("is")) &&
        (row_of('n', str_slice(word, 0, word.len - 1), &value) ||
         !row_of('n', word, &value)))
        return str_slice(word, 0, word.len - 1);
    return word;
}

bool phrase_wordnet_is_noun(struct str lemma)
{
    struct str value;

    return row_of('n', lemma, &value);
}

bool phrase_wordnet_mostly_verb(struct str lemma)
{
    struct str value;

    if (!row_of('v', lemma, &value))
        return is_verb_again(lemma);
    return (value.len > 0 && value.ptr[0] == '!') || !phrase_wordnet_is_noun(lemma);
}

size_t phrase_wordnet_senses(char part, struct str lemma,
                             struct phrase_wordnet_sense out[PHRASE_WORDNET_SENSES])
{
    struct str value, sense;
    size_t count = 0;

    if (!row_of(part, lemma, &value))
        return 0;
    if (value.len > 0 && value.ptr[0] == '!')
        value = str_slice(value, 1, value.len);
    while (value.len > 0 && count < PHRASE_WORDNET_SENSES) {
        char *end;
        str_cut(&value, ' ', &sense);
        out[count].synset = (uint32_t)strtoul(sense.ptr, &end, 16);
        out[count++].above = *end == '^' ? (uint32_t)strtoul(end + 1, NULL, 16) : 0;
    }
    return count;
}
