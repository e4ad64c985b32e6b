/* The comment becomes plain words with one blank between, clauses begin with a comma and
 * sentences end in a stop or a question mark, each a word of its own:
 *
 *     "Thanks, that's it! Does it work?" -> " , thanks , that it . , does it work ? "
 *
 * so that looking for a phrase is looking for a text between blanks. */
#include "text/thanks.h"

#include <string.h>

enum {
    LIKELY_MAX = 40, /* words of a comment in which mere thanks count */
    BEFORE_MAX = 4,  /* words before a sign that can take it back */
    AFTER_MAX = 3,   /* words after a negation in which it denies */
};

enum { WORKS, THANKS, BEFORE, TURNS, DENIED, NEGATIONS, REFUSALS, OUTDATED };

/* ^ stands for the beginning of a clause. The manual has the same lists. */
static const char *const lists[] = {
    [WORKS] =
        "did it, did the trick, that was it, this was it, like a charm, it works, "
        "^that works, ^this works, everything works, now works, works now, works fine, "
        "works great, works perfectly, works well, works like, works for me, it worked, "
        "^that worked, ^this worked, worked for me, worked perfectly, worked great, "
        "worked well, it working, it to work, working now, now working, working fine, "
        "working perfectly, runs now, runs fine, ^solved, solved it, solved my, "
        "solved the problem, solved the issue, problem solved, that solved, this solved, "
        "is solved, resolved my, resolved it, that resolved, this resolved, it resolved, "
        "is resolved, that fixed, this fixed, it fixed, fixed it, fixed my, is fixed, "
        "saved my, saved me, helped, was the problem, was the issue, was the solution, "
        "was the reason, was the cause",
    [THANKS] =
        "thank, thanks, thankyou, thx, thnx, tnx, cheers, appreciated, i appreciate, "
        "merci, danke, gracias, what i needed, what i wanted, i was looking for, "
        "i was after, helps me, helps a lot, very helpful, really helpful, so helpful, "
        "super helpful, ^accepted, i accepted, have accepted, accepting, right answer, "
        "correct answer, best answer, great answer, excellent answer, perfect answer, "
        "brilliant answer, good answer, nice answer, great explanation, "
        "excellent explanation, good explanation, nice explanation, perfect, excellent, "
        "awesome, brilliant, makes sense, now i understand, understand now, now i see, "
        "now i get it, get it now, clear now",
    [BEFORE] = "not, no, never, cannot, without, hardly, if, whether, would, could, "
               "should, might, may, hope, how, when, until, unless, once",
    [TURNS] = "but, however, unfortunately, except, though, although, sadly, still, yet",
    [DENIED] = "work, works, worked, working, help, helps, helped, helpful, solve, "
               "solves, solved, solution, fix, fixes, fixed, resolve, resolves, "
               "resolved, answer, answers, answered, run, runs, agree, correct, right, "
               "enough, sufficient, understand",
    [NEGATIONS] = "not, no, never, cannot",
    [REFUSALS] =
        "in advance, anyway, anyways, same error, same problem, same issue, same result, "
        "an error, another error, new error, no luck, disagree, fails, failed, "
        "for trying, for the feedback, for your feedback, for the edit, for your edit, "
        "for the comment, for your comment, for the input, for your input, "
        "for your time, for the welcome, will try, let me try, i mean, what i meant, "
        "my question",
    [OUTDATED] =
        "no longer work, no longer works, no longer working, no longer valid, "
        "no longer supported, no longer available, no longer exists, no longer exist, "
        "no longer true, no longer correct, no longer accurate, no longer necessary, "
        "no longer needed, no longer required, no longer the case, no longer applies, "
        "no longer an option, no longer possible, no longer allowed, no longer have to, "
        "no longer need to, no longer recommended, no longer maintained, no longer "
        "relevant, "
        "no longer applicable, no longer how, "
        "not work anymore, not work any more, not work any longer, not working anymore, "
        "not working any more, not valid anymore, not true anymore, not exist anymore, "
        "not exist any more, not available anymore, not supported anymore, "
        "not needed anymore, is deprecated, was deprecated, are deprecated, "
        "been deprecated, now deprecated, ^deprecated, is outdated, are outdated, "
        "now outdated, bit outdated, seems outdated, looks outdated, ^outdated, "
        "outdated answer, is out of date, are out of date, now out of date, "
        "bit out of date, is obsolete, are obsolete, now obsolete, ^obsolete now, "
        "was removed in, were removed in, been removed in, been removed since, "
        "is removed in, stopped working, is broken in, is broken since, "
        "has changed since, not work in the latest, not work in newer, "
        "not work with newer, not work with the latest, not work with the new, "
        "not work in the new",
};

/* --- the comment as words --- */

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || (c & 0x80) != 0;
}

/* "don't" is "do not", "that's" is "that"; some leave the apostrophe out. */
static void add_word(struct buf *out, struct str word)
{
    static const struct str bare[] = {
        STR_INIT("dont"),  STR_INIT("doesnt"), STR_INIT("didnt"), STR_INIT("isnt"),
        STR_INIT("wasnt"), STR_INIT("wont"),   STR_INIT("cant")};
    /* After these a clause begins as after a comma. */
    static const struct str joining[] = {STR_INIT("and"),  STR_INIT("so"),
                                         STR_INIT("yes"),  STR_INIT("ok"),
                                         STR_INIT("okay"), STR_INIT("indeed")};
    bool negated = str_ends(word, STR("n't"));
    size_t len = word.len;

    if (negated) {
        len -= 3;
    } else if (str_find(word, bare, ROWS_OF(bare)) < ROWS_OF(bare)) {
        negated = true;
        len -= 2;
    } else if (memchr(word.ptr, '\'', word.len) != NULL) {
        str_cut(&(struct str){word.ptr, word.len}, '\'', &word);
        len = word.len;
    }
    buf_add(out, str_slice(word, 0, len));
    buf_add(out, negated ? STR(" not ") : STR(" "));
    if (str_find(word, joining, ROWS_OF(joining)) < ROWS_OF(joining))
        buf_add(out, STR(", "));
}

/* In lower case, curly apostrophes straight. */
static struct str take_word(struct str text, size_t *at, char *word, size_t room)
{
    size_t len = 0;

    for (; *at < text.len; ++*at) {
        bool curly = text.len - *at > 2 && memcmp(text.ptr + *at, "\u2019", 3) == 0;
        char c = text.ptr[*at];
        c = curly ? '\'' : c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c;
        if (!is_letter(c) && !(c == '\'' && len > 0))
            break;
        *at += curly ? 2 : 0;
        if (len < room)
            word[len++] = c;
    }
    while (len > 0 && word[len - 1] == '\'')
        len--;
    return (struct str){word, len};
}

/* Past what others said, code and addresses; false: nothing of that is here. */
static bool pass_over(struct str text, size_t *at)
{
    struct str rest = str_slice(text, *at, text.len);
    const char *end;

    if (rest.ptr[0] == '"' || rest.ptr[0] == '`') {
        end = memchr(rest.ptr + 1, rest.ptr[0], rest.len - 1);
        *at += end != NULL ? (size_t)(end + 1 - rest.ptr) : 1;
        return true;
    }
    if (!str_starts(rest, STR("http://")) && !str_starts(rest, STR("https://")))
        return false;
    while (*at < text.len && strchr(" \t\n\r", text.ptr[*at]) == NULL)
        ++*at;
    return true;
}

static size_t add_words(struct str text, struct buf *out)
{
    char word[64];
    size_t words = 0;

    buf_add(out, STR(" , "));
    for (size_t at = 0; at < text.len;) {
        if (pass_over(text, &at))
            continue;
        char c = text.ptr[at];
        struct str taken = take_word(text, &at, word, sizeof word);
        if (taken.len > 0) {
            add_word(out, taken);
            words++;
            continue;
        }
        if (strchr(".!?;\n", c) != NULL && c != '\0')
            buf_add(out, c == '?' ? STR("? , ") : STR(". , "));
        else if (strchr(",:()-", c) != NULL && c != '\0')
            buf_add(out, STR(", "));
        at++;
    }
    buf_add(out, STR(". "));
    return words;
}

/* --- phrases in it --- */

static bool next_phrase(struct str *list, struct str *phrase)
{
    if (list->len == 0)
        return false;
    str_cut(list, ',', phrase);
    if (phrase->ptr + phrase->len == list->ptr + list->len)
        *list = (struct str){0};
    *phrase = str_trim(*phrase);
    return true;
}

/* Where the phrase next stands, from the blank before it; text.len: nowhere. */
static size_t find_phrase(struct str text, struct str phrase, size_t from)
{
    bool begins = phrase.ptr[0] == '^';

    phrase = str_slice(phrase, begins, phrase.len);
    for (size_t at = from; at + phrase.len + 2 <= text.len; at++)
        if (text.ptr[at] == ' ' && text.ptr[at + 1] == phrase.ptr[0] &&
            memcmp(text.ptr + at + 1, phrase.ptr, phrase.len) == 0 &&
            text.ptr[at + 1 + phrase.len] == ' ' && (!begins || text.ptr[at - 1] == ','))
            return at;
    return text.len;
}

static bool has_any(struct str text, int list)
{
    struct str rest = str_from(lists[list]), phrase;

    while (next_phrase(&rest, &phrase))
        if (find_phrase(text, phrase, 0) < text.len)
            return true;
    return false;
}

/* So many words of the clause that ends at `at`, or of the sentence that begins there,
 * with the blanks around them. */
static struct str words_before(struct str text, size_t at, int count)
{
    size_t begin = at;

    while (count-- > 0 && begin > 0) {
        size_t word = begin;
        while (text.ptr[word - 1] != ' ')
            word--;
        if (strchr(",.?", text.ptr[word]) != NULL)
            break;
        begin = word - 1;
    }
    return str_slice(text, begin, at + 1);
}

static struct str words_after(struct str text, size_t at, int count)
{
    size_t end = at;

    while (count > 0 && end + 1 < text.len && strchr(".?", text.ptr[end + 1]) == NULL) {
        count -= text.ptr[end + 1] != ',';
        for (end++; text.ptr[end] != ' '; end++)
            continue;
    }
    return str_slice(text, at, end + 1);
}

static bool is_denied(struct str text)
{
    struct str rest = str_from(lists[NEGATIONS]), phrase;

    while (next_phrase(&rest, &phrase))
        for (size_t at = find_phrase(text, phrase, 0); at < text.len;
             at = find_phrase(text, phrase, at + 1))
            if (has_any(words_after(text, at + 1 + phrase.len, AFTER_MAX), DENIED))
                return true;
    return has_any(text, REFUSALS);
}

static bool is_asked(struct str text, size_t at)
{
    while (text.ptr[at] != '.' && text.ptr[at] != '?')
        at++;
    return text.ptr[at] == '?';
}

/* turned: what follows may take it back. */
static bool has_sign(struct str text, int list, bool turned)
{
    struct str rest = str_from(lists[list]), phrase;

    while (next_phrase(&rest, &phrase))
        for (size_t at = find_phrase(text, phrase, 0); at < text.len;
             at = find_phrase(text, phrase, at + 1))
            if (!is_asked(text, at) &&
                !has_any(words_before(text, at, BEFORE_MAX), BEFORE) &&
                !(turned && has_any(str_slice(text, at, text.len), TURNS)))
                return true;
    return false;
}

bool text_thanks(struct str comment, struct buf *work)
{
    buf_clear(work);
    size_t words = add_words(comment, work);
    struct str text = buf_str(work);
    bool likely = words <= LIKELY_MAX && find_phrase(text, STR("?"), 0) == text.len;

    return (has_sign(text, WORKS, true) || (likely && has_sign(text, THANKS, true))) &&
           !is_denied(text);
}

bool text_outdated(struct str comment, struct buf *work)
{
    buf_clear(work);
    add_words(comment, work);
    return has_sign(buf_str(work), OUTDATED, false);
}
