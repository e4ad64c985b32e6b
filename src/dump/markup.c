/* Only a few hundred bytes of a dump come here: its prolog, and rows written in a way
 * that no dump has been seen to use but XML allows. So this is plain, not fast. */
#include "dump/internal.h"

#include <string.h>

static enum dump_step wrong(struct dump_cursor *cursor, const char *at,
                            const char *expected)
{
    cursor->at = at;
    cursor->expected = expected;
    return DUMP_STEP_WRONG;
}

static void skip_space(struct dump_cursor *cursor)
{
    while (cursor->at < cursor->end && dump_byte_is_space(*cursor->at))
        cursor->at++;
}

int dump_markup_character(const char *at, const char *end)
{
    const unsigned char *s = (const unsigned char *)at;
    size_t left = (size_t)(end - at);
    unsigned low = 0x80, high = 0xBF; /* of the second byte */
    int len;

    if (s[0] < 0x80)
        return s[0] >= 0x20 || dump_byte_is_space(*at);
    if (s[0] >= 0xC2 && s[0] <= 0xDF)
        len = 2;
    else if (s[0] >= 0xE0 && s[0] <= 0xEF)
        len = 3;
    else if (s[0] >= 0xF0 && s[0] <= 0xF4)
        len = 4;
    else
        return 0;
    if (s[0] == 0xE0)
        low = 0xA0;
    else if (s[0] == 0xED)
        high = 0x9F; /* no surrogates */
    else if (s[0] == 0xF0)
        low = 0x90;
    else if (s[0] == 0xF4)
        high = 0x8F;
    for (int i = 1; i < len; i++) {
        if ((size_t)i == left)
            return -1;
        if (s[i] < low || s[i] > high)
            return 0;
        low = 0x80;
        high = 0xBF;
    }
    if (s[0] == 0xEF && s[1] == 0xBF && s[2] >= 0xBE)
        return 0; /* U+FFFE and U+FFFF are not characters */
    return len;
}

static bool name_begins(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == ':';
}

static bool name_goes_on(char c)
{
    return name_begins(c) || (c >= '0' && c <= '9') || c == '-' || c == '.';
}

enum dump_step dump_markup_name(struct dump_cursor *cursor, struct str *name)
{
    const char *p = cursor->at;

    if (p == cursor->end)
        return DUMP_STEP_CUT;
    if (!name_begins(*p))
        return wrong(cursor, p, "a name");
    while (p < cursor->end && name_goes_on(*p))
        p++;
    if (p == cursor->end)
        return DUMP_STEP_CUT;
    if ((unsigned char)*p >= 0x80)
        return wrong(cursor, p, "a name of ASCII letters");
    *name = (struct str){cursor->at, (size_t)(p - cursor->at)};
    cursor->at = p;
    return DUMP_STEP_DONE;
}

/* S? = S? and a quote */
static enum dump_step equals_quote(struct dump_cursor *cursor, char *quote)
{
    skip_space(cursor);
    if (cursor->at == cursor->end)
        return DUMP_STEP_CUT;
    if (*cursor->at != '=')
        return wrong(cursor, cursor->at, "'=' after the attribute's name");
    cursor->at++;
    skip_space(cursor);
    if (cursor->at == cursor->end)
        return DUMP_STEP_CUT;
    if (*cursor->at != '"' && *cursor->at != '\'')
        return wrong(cursor, cursor->at, "a quote that opens the attribute's value");
    *quote = *cursor->at++;
    return DUMP_STEP_DONE;
}

enum dump_step dump_markup_next(struct dump_cursor *cursor, enum dump_markup_next *next,
                                struct str *name, char *quote)
{
    const char *begin = cursor->at;

    skip_space(cursor);
    if (cursor->at == cursor->end)
        return DUMP_STEP_CUT;
    if (*cursor->at == '>') {
        cursor->at++;
        *next = DUMP_MARKUP_CLOSE;
        return DUMP_STEP_DONE;
    }
    if (*cursor->at == '/') {
        if (cursor->end - cursor->at < 2)
            return DUMP_STEP_CUT;
        if (cursor->at[1] != '>')
            return wrong(cursor, cursor->at, "'/>'");
        cursor->at += 2;
        *next = DUMP_MARKUP_CLOSE_EMPTY;
        return DUMP_STEP_DONE;
    }
    if (cursor->at == begin)
        return wrong(cursor, begin, "a blank, '/>' or '>'");
    enum dump_step step = dump_markup_name(cursor, name);
    if (step == DUMP_STEP_WRONG)
        cursor->expected = "an attribute, '/>' or '>'";
    if (step != DUMP_STEP_DONE)
        return step;
    *next = DUMP_MARKUP_ATTRIBUTE;
    return equals_quote(cursor, quote);
}

enum dump_step dump_markup_value(struct dump_cursor *cursor, char quote,
                                 struct str *value)
{
    const char *begin = cursor->at, *end = cursor->end;
    size_t len;

    /* Some at once, lest a quote that is far be looked for in one broken row after
     * another.
     */
    for (const char *p = begin; p < end; p += len) {
        len = end - p < 4096 ? (size_t)(end - p) : 4096;
        const char *close = memchr(p, quote, len);
        const char *less = memchr(p, '<', close != NULL ? (size_t)(close - p) : len);
        if (less != NULL)
            return wrong(cursor, less, "a closing quote before '<'");
        if (close != NULL) {
            *value = (struct str){begin, (size_t)(close - begin)};
            cursor->at = close + 1;
            return DUMP_STEP_DONE;
        }
    }
    return DUMP_STEP_CUT;
}

enum dump_step dump_markup_starts(const struct dump_cursor *cursor, struct str literal)
{
    size_t left = (size_t)(cursor->end - cursor->at);

    if (left >= literal.len)
        return memcmp(cursor->at, literal.ptr, literal.len) == 0 ? DUMP_STEP_DONE
                                                                 : DUMP_STEP_WRONG;
    return memcmp(cursor->at, literal.ptr, left) == 0 ? DUMP_STEP_CUT : DUMP_STEP_WRONG;
}

/* Reads characters up to and with the terminator, two bytes of which are never split. */
static enum dump_step through(struct dump_cursor *cursor, struct str terminator)
{
    while (cursor->at < cursor->end) {
        enum dump_step step = dump_markup_starts(cursor, terminator);
        if (step == DUMP_STEP_DONE)
            cursor->at += terminator.len;
        if (step != DUMP_STEP_WRONG)
            return step;
        int len = dump_markup_character(cursor->at, cursor->end);
        if (len == 0)
            return wrong(cursor, cursor->at, "a character of XML in UTF-8");
        if (len < 0)
            return DUMP_STEP_CUT;
        cursor->at += len;
    }
    return DUMP_STEP_CUT;
}

enum dump_step dump_markup_comment(struct dump_cursor *cursor)
{
    enum dump_step step = dump_markup_starts(cursor, STR("<!--"));

    if (step == DUMP_STEP_WRONG)
        return wrong(cursor, cursor->at, "'<!--'");
    if (step == DUMP_STEP_CUT)
        return step;
    cursor->at += STR("<!--").len;
    step = through(cursor, STR("--"));
    if (step != DUMP_STEP_DONE)
        return step;
    if (cursor->at == cursor->end)
        return DUMP_STEP_CUT;
    if (*cursor->at != '>')
        return wrong(cursor, cursor->at, "'>' after '--' in a comment");
    cursor->at++;
    return DUMP_STEP_DONE;
}

enum dump_step dump_markup_instruction(struct dump_cursor *cursor)
{
    struct str target;
    const char *begin = cursor->at;
    enum dump_step step = dump_markup_starts(cursor, STR("<?"));

    if (step == DUMP_STEP_WRONG)
        return wrong(cursor, cursor->at, "'<?'");
    if (step == DUMP_STEP_CUT)
        return step;
    cursor->at += STR("<?").len;
    step = dump_markup_name(cursor, &target);
    if (step != DUMP_STEP_DONE)
        return step;
    if (str_eq_letters(target, STR("xml")))
        return wrong(cursor, begin, "an XML declaration only at the very beginning");
    step = dump_markup_starts(cursor, STR("?>"));
    if (step == DUMP_STEP_WRONG && !dump_byte_is_space(*cursor->at))
        return wrong(cursor, cursor->at, "a blank or '?>'");
    return step == DUMP_STEP_CUT ? step : through(cursor, STR("?>"));
}

static bool version_ok(struct str value)
{
    for (size_t i = 0; i < value.len; i++)
        if (!name_goes_on(value.ptr[i]) || value.ptr[i] == ':')
            return false;
    return true;
}

/* One of version, encoding, standalone, in that order; *rank is that of the last one. */
static enum dump_step declared(struct dump_cursor *cursor, int *rank)
{
    static const struct str names[] = {
        {"version", 7}, {"encoding", 8}, {"standalone", 10}};
    struct str name, value;
    const char *begin = cursor->at;
    char quote;
    int here = 0;
    enum dump_step step = dump_markup_name(cursor, &name);

    if (step != DUMP_STEP_DONE)
        return step;
    while (here < 3 && !str_eq(name, names[here]))
        here++;
    if (here == 3 || here <= *rank || (*rank < 0 && here > 0))
        return wrong(cursor, begin, "version, encoding or standalone, in that order");
    *rank = here;
    if ((step = equals_quote(cursor, &quote)) != DUMP_STEP_DONE)
        return step;
    begin = cursor->at;
    if ((step = dump_markup_value(cursor, quote, &value)) != DUMP_STEP_DONE)
        return step;
    if (here == 0 && !version_ok(value))
        return wrong(cursor, begin, "a version such as 1.0");
    if (here == 1 && !str_eq_letters(value, STR("utf-8")))
        return wrong(cursor, begin, "the encoding utf-8");
    if (here == 2 && !str_eq(value, STR("yes")) && !str_eq(value, STR("no")))
        return wrong(cursor, begin, "yes or no");
    return DUMP_STEP_DONE;
}

enum dump_step dump_markup_declaration(struct dump_cursor *cursor)
{
    int rank = -1;

    cursor->at += STR("<?xml").len;
    for (;;) {
        const char *before = cursor->at;
        skip_space(cursor);
        if (cursor->at == cursor->end)
            return DUMP_STEP_CUT;
        enum dump_step step = dump_markup_starts(cursor, STR("?>"));
        if (step == DUMP_STEP_CUT)
            return step;
        if (step == DUMP_STEP_DONE && rank >= 0) {
            cursor->at += STR("?>").len;
            return DUMP_STEP_DONE;
        }
        if (cursor->at == before)
            return wrong(cursor, before, "a blank or '?>'");
        step = declared(cursor, &rank);
        if (step != DUMP_STEP_DONE)
            return step;
    }
}
