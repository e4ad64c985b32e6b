/* All words, phrases, prefixes and substrings of a query that look into one text are
 * found in one pass. An engine finds literals, that is pieces without blanks; the rest of
 * the term and the ends of words are checked here, so every engine gives the same result.
 */
#include "query/internal.h"
#include "text/utf8.h"
#include "text/words.h"

#include <string.h>

enum { LITERAL_MAX = 32 };

/* The longest run without a blank, of a substring the beginning. A piece of it is enough:
 * the whole term is compared at every hit. */
static struct str choose_literal(enum query_match match, struct str text)
{
    struct str best = {text.ptr, 0}, rest = text, word;

    if (match == QUERY_SUBSTRING)
        return str_slice(text, 0, LITERAL_MAX);
    for (bool more = true; more;) {
        more = str_cut(&rest, ' ', &word);
        best = word.len > best.len ? word : best;
    }
    return str_slice(best, 0, LITERAL_MAX);
}

static void *enlarge(void *old, size_t count, size_t room, size_t size,
                     struct arena *arena)
{
    void *larger = arena_alloc(arena, room, size);

    if (count > 0)
        memcpy(larger, old, count * size);
    return larger;
}

static size_t literal_number(struct query_finder *finder, struct str text,
                             struct arena *arena)
{
    if (finder->numbers.arena == NULL)
        finder->numbers.arena = arena;
    size_t known = finder->numbers.count;
    int64_t *number = map_put(&finder->numbers, text);

    if (finder->numbers.count == known)
        return (size_t)*number;
    if (known == finder->literal_room) {
        finder->literal_room = known * 2 + 16;
        finder->literals = enlarge(finder->literals, known, finder->literal_room,
                                   sizeof *finder->literals, arena);
    }
    finder->literals[known] = (struct query_literal){text, SIZE_MAX};
    finder->literal_count = known + 1;
    *number = (int64_t)known;
    return known;
}

size_t query_finder_add(struct query_finder *finder, enum query_match match,
                        struct str folded, size_t target, struct arena *arena)
{
    struct str text = arena_copy(arena, folded), literal = choose_literal(match, text);
    size_t number = literal_number(finder, literal, arena);
    size_t *first = &finder->literals[number].first_term;

    for (size_t i = *first; i != SIZE_MAX; i = finder->terms[i].next_of_literal)
        if (finder->terms[i].match == match && finder->terms[i].target == target &&
            str_eq(finder->terms[i].text, text))
            return target;
    if (finder->term_count == finder->term_room) {
        finder->term_room = finder->term_count * 2 + 16;
        finder->terms = enlarge(finder->terms, finder->term_count, finder->term_room,
                                sizeof *finder->terms, arena);
    }
    for (size_t i = 0; i < text.len; i++)
        finder->fold = finder->fold || (text.ptr[i] & 0x80) != 0;
    finder->terms[finder->term_count] = (struct query_term){
        .match = match,
        .text = text,
        .literal_at = (size_t)(literal.ptr - text.ptr),
        .target = target == QUERY_NEW_TARGET ? finder->target_count++ : target,
        .next_of_literal = *first,
    };
    *first = finder->term_count;
    return finder->terms[finder->term_count++].target;
}

void query_finder_build(struct query_finder *finder, bool portable, struct arena *arena)
{
    if (finder->term_count == 0)
        return;
    if (!portable)
        finder->hyperscan = query_hyperscan_open(finder, arena);
    if (finder->hyperscan == NULL)
        finder->automaton = query_automaton_build(finder, arena);
}

void query_finder_free(struct query_finder *finder)
{
    query_hyperscan_close(finder->hyperscan);
}

void query_finder_run(const struct query_finder *finder, struct query_found *found,
                      struct query_hyperscan_room *room)
{
    found->finder = finder;
    found->left = finder->target_count;
    if (finder->hyperscan != NULL)
        query_hyperscan_run(finder->hyperscan, found, room);
    else if (finder->automaton != NULL)
        query_automaton_run(finder->automaton, found);
}

/* Compares the term's bytes from `from` on with the text from `at` on; *end is where the
 * text's part ends. Blanks of a phrase take any run of them. */
static bool matches_forward(const struct query_term *term, size_t from, struct str text,
                            size_t at, size_t *end)
{
    bool phrase = term->match != QUERY_SUBSTRING;

    for (size_t i = from; i < term->text.len; i++) {
        if (at == text.len)
            return false;
        if (phrase && term->text.ptr[i] == ' ') {
            if (!query_blank(text.ptr[at]))
                return false;
            while (at < text.len && query_blank(text.ptr[at]))
                at++;
        } else if (query_lower(text.ptr[at++]) != term->text.ptr[i]) {
            return false;
        }
    }
    *end = at;
    return true;
}

/* The same for the bytes before `to`, which end before `at`. */
static bool matches_backward(const struct query_term *term, size_t to, struct str text,
                             size_t at, size_t *begin)
{
    for (size_t i = to; i-- > 0;) { /* only phrases have bytes before their literal */
        if (at == 0)
            return false;
        if (term->text.ptr[i] == ' ') {
            if (!query_blank(text.ptr[at - 1]))
                return false;
            while (at > 0 && query_blank(text.ptr[at - 1]))
                at--;
        } else if (query_lower(text.ptr[--at]) != term->text.ptr[i]) {
            return false;
        }
    }
    *begin = at;
    return true;
}

/* Whether the character that begins at, or ends before, this place belongs to a word: a
 * letter, a digit or a mark of any script, or an underscore. */
static bool word_at(struct str text, size_t at)
{
    uint32_t code;

    if (at >= text.len)
        return false;
    if ((text.ptr[at] & 0x80) == 0)
        return query_word_byte(text.ptr[at]);
    text_utf8_read(text, at, &code);
    return text_letter_in_word(code);
}

static bool word_before(struct str text, size_t at)
{
    uint32_t code;

    if (at == 0)
        return false;
    if ((text.ptr[at - 1] & 0x80) == 0)
        return query_word_byte(text.ptr[at - 1]);
    text_utf8_read_back(text, at, &code);
    return text_letter_in_word(code);
}

/* Whether the term holds where its literal begins at `at`. */
static bool holds(const struct query_term *term, struct str text, size_t at)
{
    size_t begin, end, last = term->text.len - 1;

    if (!matches_forward(term, term->literal_at, text, at, &end) ||
        !matches_backward(term, term->literal_at, text, at, &begin))
        return false;
    if (term->match == QUERY_SUBSTRING)
        return true;
    if (word_at(term->text, 0) && word_before(text, begin))
        return false;
    return term->match == QUERY_PREFIX || !word_before(term->text, last + 1) ||
           !word_at(text, end);
}

bool query_finder_hit(struct query_found *found, size_t literal, size_t at)
{
    const struct query_finder *finder = found->finder;
    size_t number = finder->literals[literal].first_term;

    for (; number != SIZE_MAX; number = finder->terms[number].next_of_literal) {
        const struct query_term *term = &finder->terms[number];
        if (found->met[term->target] != found->serial && holds(term, found->text, at)) {
            found->met[term->target] = found->serial;
            found->left--;
        }
    }
    return found->left > 0;
}
