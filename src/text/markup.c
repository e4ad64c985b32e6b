/* Everything is read through unit(), one character of html after the other, so that no
 * rule about tags or references has to know how the XML spells them. */
#include "text/markup.h"

#include <string.h>

#include "text/internal.h"
#include "text/utf8.h"

#define ROW(text, first, last, tag) \
    [TEXT_TAG_SLOT(sizeof(text) - 1, first, last)] = {text, sizeof(text) - 1, tag}

const struct text_tag_row text_tag_rows[256] = {
    ROW("address", 'a', 's', TEXT_TAG_BLOCK),
    ROW("article", 'a', 'e', TEXT_TAG_BLOCK),
    ROW("aside", 'a', 'e', TEXT_TAG_BLOCK),
    ROW("blockquote", 'b', 'e', TEXT_TAG_BLOCK),
    ROW("body", 'b', 'y', TEXT_TAG_BLOCK),
    ROW("br", 'b', 'r', TEXT_TAG_BLOCK),
    ROW("caption", 'c', 'n', TEXT_TAG_BLOCK),
    ROW("center", 'c', 'r', TEXT_TAG_BLOCK),
    ROW("dd", 'd', 'd', TEXT_TAG_BLOCK),
    ROW("details", 'd', 's', TEXT_TAG_BLOCK),
    ROW("dialog", 'd', 'g', TEXT_TAG_BLOCK),
    ROW("dir", 'd', 'r', TEXT_TAG_BLOCK),
    ROW("div", 'd', 'v', TEXT_TAG_BLOCK),
    ROW("dl", 'd', 'l', TEXT_TAG_BLOCK),
    ROW("dt", 'd', 't', TEXT_TAG_BLOCK),
    ROW("fieldset", 'f', 't', TEXT_TAG_BLOCK),
    ROW("figcaption", 'f', 'n', TEXT_TAG_BLOCK),
    ROW("figure", 'f', 'e', TEXT_TAG_BLOCK),
    ROW("footer", 'f', 'r', TEXT_TAG_BLOCK),
    ROW("form", 'f', 'm', TEXT_TAG_BLOCK),
    ROW("h1", 'h', '1', TEXT_TAG_BLOCK),
    ROW("h2", 'h', '2', TEXT_TAG_BLOCK),
    ROW("h3", 'h', '3', TEXT_TAG_BLOCK),
    ROW("h4", 'h', '4', TEXT_TAG_BLOCK),
    ROW("h5", 'h', '5', TEXT_TAG_BLOCK),
    ROW("h6", 'h', '6', TEXT_TAG_BLOCK),
    ROW("head", 'h', 'd', TEXT_TAG_BLOCK),
    ROW("header", 'h', 'r', TEXT_TAG_BLOCK),
    ROW("hgroup", 'h', 'p', TEXT_TAG_BLOCK),
    ROW("hr", 'h', 'r', TEXT_TAG_BLOCK),
    ROW("html", 'h', 'l', TEXT_TAG_BLOCK),
    ROW("iframe", 'i', 'e', TEXT_TAG_BLOCK),
    ROW("legend", 'l', 'd', TEXT_TAG_BLOCK),
    ROW("li", 'l', 'i', TEXT_TAG_BLOCK),
    ROW("main", 'm', 'n', TEXT_TAG_BLOCK),
    ROW("menu", 'm', 'u', TEXT_TAG_BLOCK),
    ROW("nav", 'n', 'v', TEXT_TAG_BLOCK),
    ROW("noscript", 'n', 't', TEXT_TAG_BLOCK),
    ROW("object", 'o', 't', TEXT_TAG_BLOCK),
    ROW("ol", 'o', 'l', TEXT_TAG_BLOCK),
    ROW("optgroup", 'o', 'p', TEXT_TAG_BLOCK),
    ROW("option", 'o', 'n', TEXT_TAG_BLOCK),
    ROW("p", 'p', 'p', TEXT_TAG_BLOCK),
    ROW("section", 's', 'n', TEXT_TAG_BLOCK),
    ROW("select", 's', 't', TEXT_TAG_BLOCK),
    ROW("summary", 's', 'y', TEXT_TAG_BLOCK),
    ROW("table", 't', 'e', TEXT_TAG_BLOCK),
    ROW("tbody", 't', 'y', TEXT_TAG_BLOCK),
    ROW("td", 't', 'd', TEXT_TAG_BLOCK),
    ROW("textarea", 't', 'a', TEXT_TAG_BLOCK),
    ROW("tfoot", 't', 't', TEXT_TAG_BLOCK),
    ROW("th", 't', 'h', TEXT_TAG_BLOCK),
    ROW("thead", 't', 'd', TEXT_TAG_BLOCK),
    ROW("tr", 't', 'r', TEXT_TAG_BLOCK),
    ROW("ul", 'u', 'l', TEXT_TAG_BLOCK),
    ROW("b", 'b', 'b', TEXT_TAG_INLINE),
    ROW("i", 'i', 'i', TEXT_TAG_INLINE),
    ROW("u", 'u', 'u', TEXT_TAG_INLINE),
    ROW("s", 's', 's', TEXT_TAG_INLINE),
    ROW("em", 'e', 'm', TEXT_TAG_INLINE),
    ROW("strong", 's', 'g', TEXT_TAG_INLINE),
    ROW("sub", 's', 'b', TEXT_TAG_INLINE),
    ROW("sup", 's', 'p', TEXT_TAG_INLINE),
    ROW("kbd", 'k', 'd', TEXT_TAG_INLINE),
    ROW("del", 'd', 'l', TEXT_TAG_INLINE),
    ROW("ins", 'i', 's', TEXT_TAG_INLINE),
    ROW("strike", 's', 'e', TEXT_TAG_INLINE),
    ROW("span", 's', 'n', TEXT_TAG_INLINE),
    ROW("small", 's', 'l', TEXT_TAG_INLINE),
    ROW("img", 'i', 'g', TEXT_TAG_INLINE),
    ROW("pre", 'p', 'e', TEXT_TAG_PRE),
    ROW("code", 'c', 'e', TEXT_TAG_CODE),
    ROW("a", 'a', 'a', TEXT_TAG_A),
};

const unsigned char text_tag_masks[2 * TEXT_TAG_READABLE] = {
    255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255};

/* A tag is what stands between brackets or bars. */

static bool is_border(char c)
{
    static const bool borders[256] = {['<'] = true, ['>'] = true, ['|'] = true};

    return borders[(unsigned char)c];
}

bool text_taglist_next(struct str *rest, struct str *tag)
{
    const char *begin = rest->ptr, *behind = rest->ptr + rest->len;

    while (begin < behind && is_border(*begin))
        begin++;
    const char *end = begin;
    while (end < behind && !is_border(*end))
        end++;
    *tag = (struct str){begin, (size_t)(end - begin)};
    *rest = (struct str){end, (size_t)(behind - end)};
    return tag->len > 0;
}

static const uint32_t END = UINT32_MAX; /* what unit() reads at the end of the text */

/* A place in the text, and the unit that stands there. */
struct markup_cursor {
    struct str text;
    bool xml;
    size_t at;
    size_t next; /* behind the unit */
    uint32_t c;
};

static bool is_space(uint32_t c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static bool is_line_end(uint32_t c)
{
    return c == '\n' || c == '\r' || c == '\t';
}

static bool is_digit(uint32_t c)
{
    return c >= '0' && c <= '9';
}

static uint32_t lower(uint32_t c)
{
    return c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c;
}

static bool is_letter(uint32_t c)
{
    return lower(c) >= 'a' && lower(c) <= 'z';
}

static void look_reference(struct markup_cursor *cursor);

/* Reads the unit at cursor->at: a byte as it stands, in XML the character of a reference,
 * or END. */
static inline void look(struct markup_cursor *cursor)
{
    cursor->next = cursor->at;
    cursor->c = END;
    if (cursor->at >= cursor->text.len)
        return;
    cursor->next++;
    cursor->c = (unsigned char)cursor->text.ptr[cursor->at];
    if (cursor->xml && cursor->c == '&')
        look_reference(cursor);
}

static struct markup_cursor cursor_at(struct str text, bool xml, size_t at)
{
    struct markup_cursor cursor = {.text = text, .xml = xml, .at = at};

    look(&cursor);
    return cursor;
}

static inline void step(struct markup_cursor *cursor)
{
    cursor->at = cursor->next;
    look(cursor);
}

/* Reads digits and the ';' behind them. The number, which is TEXT_UTF8_LAST + 1 when it
 * is too large for a character, or END when there is none. */
static uint32_t take_number(struct markup_cursor *cursor)
{
    uint32_t number = 0, base = 10, digit;
    bool any = false;

    if (lower(cursor->c) == 'x') {
        base = 16;
        step(cursor);
    }
    for (;; step(cursor)) {
        if (is_digit(cursor->c))
            digit = cursor->c - '0';
        else if (base == 16 && lower(cursor->c) >= 'a' && lower(cursor->c) <= 'f')
            digit = lower(cursor->c) - 'a' + 10;
        else
            break;
        any = true;
        number = number * base + digit;
        if (number > TEXT_UTF8_LAST)
            number = TEXT_UTF8_LAST + 1;
    }
    if (!any || cursor->c != ';')
        return END;
    step(cursor);
    return number;
}

/* XML 1.0, production Char. */
static bool is_xml_character(uint32_t code)
{
    return (code >= 0x20 && code <= 0xD7FF) || code == '\t' || code == '\n' ||
           code == '\r' || (code >= 0xE000 && code <= 0xFFFD) ||
           (code >= 0x10000 && code <= TEXT_UTF8_LAST);
}

/* What stands for no character but has the form of a reference, such as &nbsp; or &#0;,
 * goes as a whole. Its length, or that of the '&' alone. */
static size_t wrong_reference_len(struct str rest)
{
    size_t len = 1;

    while (len < rest.len &&
           (rest.ptr[len] == '#' || is_digit((unsigned char)rest.ptr[len]) ||
            is_letter((unsigned char)rest.ptr[len])))
        len++;
    return len > 1 && len < rest.len && rest.ptr[len] == ';' ? len + 1 : 1;
}

bool text_markup_xml_reference(struct str text, size_t at, uint32_t *code, size_t *len)
{
    static const struct {
        struct str form;
        char c;
    } names[] = {{STR_INIT("&lt;"), '<'},
                 {STR_INIT("&gt;"), '>'},
                 {STR_INIT("&amp;"), '&'},
                 {STR_INIT("&quot;"), '"'},
                 {STR_INIT("&apos;"), '\''}};
    struct str rest = str_slice(text, at, text.len);

    for (size_t i = 0; i < ROWS_OF(names); i++) {
        if (str_starts(rest, names[i].form)) {
            *code = (unsigned char)names[i].c;
            *len = names[i].form.len;
            return true;
        }
    }
    if (str_starts(rest, STR("&#")) && !str_starts(rest, STR("&#X"))) {
        struct markup_cursor digits = cursor_at(text, false, at + 2);
        *code = take_number(&digits);
        *len = digits.at - at;
        if (*code != END && is_xml_character(*code))
            return true;
    }
    *code = TEXT_UTF8_REPLACEMENT;
    *len = wrong_reference_len(rest);
    return false;
}

static void look_reference(struct markup_cursor *cursor)
{
    size_t len;

    (void)!text_markup_xml_reference(cursor->text, cursor->at, &cursor->c, &len);
    cursor->next = cursor->at + len;
}

/* How many bytes the character at `at` has, and what stands for it in a value; false when
 * XML forbids it. */
bool text_markup_xml_character(struct str text, size_t at, uint32_t *code, size_t *len)
{
    *len = text_utf8_read(text, at, code);
    if (is_line_end(*code)) {
        if (*code == '\r' && at + 1 < text.len && text.ptr[at + 1] == '\n')
            *len = 2;
        *code = ' ';
        return true;
    }
    if (is_xml_character(*code) &&
        (*code != TEXT_UTF8_REPLACEMENT ||
         str_starts(str_slice(text, at, text.len), STR("\xEF\xBF\xBD"))))
        return true;
    *code = TEXT_UTF8_REPLACEMENT;
    return false;
}

void text_markup_xml_repair(struct str text, struct buf *out)
{
    uint32_t code;
    size_t len;

    for (size_t at = 0; at < text.len; at += len) {
        (void)!text_markup_xml_character(text, at, &code, &len);
        out->len += text_utf8_write(code, buf_reserve(out, 4));
    }
}

enum { ENTITY_NAME_MAX = 31 }; /* bytes of the longest name */

/* Reads an html reference behind its '&'. How many characters it stands for; 0 when it is
 * none. */
static size_t take_reference(struct markup_cursor *cursor, uint32_t codes[2])
{
    char name[ENTITY_NAME_MAX];
    size_t len = 0;

    if (cursor->c == '#') {
        step(cursor);
        uint32_t number = take_number(cursor);
        codes[0] = text_entity_number(number);
        return number != END;
    }
    for (; is_letter(cursor->c) || is_digit(cursor->c); step(cursor)) {
        if (len == sizeof name)
            return 0;
        name[len++] = (char)cursor->c;
    }
    if (cursor->c != ';')
        return 0;
    step(cursor);
    return text_entity_find((struct str){name, len}, codes);
}

/* Reads the name of a tag; false when none is there. */
static bool take_tag_name(struct markup_cursor *cursor, struct text_markup *markup)
{
    char name[TEXT_TAG_READABLE] = {0};
    size_t len = 0;

    if (cursor->c == '/') {
        markup->closing = true;
        step(cursor);
    }
    if (!is_letter(cursor->c))
        return false;
    for (; is_letter(cursor->c) || is_digit(cursor->c) || cursor->c == '-' ||
           cursor->c == ':' || cursor->c == '_';
         step(cursor), len++)
        if (len < TEXT_TAG_NAME_MAX)
            name[len] = (char)lower(cursor->c);
    markup->tag = len <= TEXT_TAG_NAME_MAX ? text_tag_find(name, len) : TEXT_TAG_UNKNOWN;
    return is_space(cursor->c) || cursor->c == '/' || cursor->c == '>';
}

/* Outside of quotes none of these can be in a tag: what was read is not one. */
static bool is_stray(uint32_t c)
{
    return c == '<' || c == '"' || c == '\'' || c == END;
}

static struct str since(const struct markup_cursor *cursor, size_t begin)
{
    return str_slice(cursor->text, begin, cursor->at);
}

/* Reads the value of an attribute behind its '='; false when this is not a tag. */
static bool take_value(struct markup_cursor *cursor, struct str *value)
{
    uint32_t quote;
    size_t begin;

    while (is_space(cursor->c))
        step(cursor);
    quote = cursor->c;
    if (quote == '"' || quote == '\'') {
        step(cursor);
        begin = cursor->at;
        while (cursor->c != quote && cursor->c != END)
            step(cursor);
        *value = since(cursor, begin);
        if (cursor->c == END)
            return false;
        step(cursor);
        return true;
    }
    begin = cursor->at;
    for (; !is_space(cursor->c) && cursor->c != '>'; step(cursor))
        if (is_stray(cursor->c))
            return false;
    *value = since(cursor, begin);
    return true;
}

/* Reads an attribute, and its value to *href when it is the tag's first of that name;
 * false when this is not a tag. */
static bool take_attribute(struct markup_cursor *cursor, struct str *href)
{
    static const uint64_t href_name = 0x68726566; /* "href" */
    uint64_t name = 0;                            /* its last eight letters */
    struct str value;

    for (;
         !is_space(cursor->c) && cursor->c != '=' && cursor->c != '/' && cursor->c != '>';
         step(cursor)) {
        if (is_stray(cursor->c))
            return false;
        name = name << 8 | (cursor->c < 0x80 ? lower(cursor->c) : '?');
    }
    while (is_space(cursor->c))
        step(cursor);
    if (cursor->c != '=')
        return true;
    step(cursor);
    if (!take_value(cursor, &value))
        return false;
    if (name == href_name && href->ptr == NULL)
        *href = value;
    return true;
}

/* Reads a tag behind its '<'; false when it is not one.
 *
 * A text full of things that look like tags costs no more than three looks at each byte.
 * A reader outside of quotes stops at '<', where the next one starts; so of all readers
 * that pass one byte, at most one is outside of quotes. Two that are inside the same kind
 * of quotes would leave them together, and so one would have been outside when the other
 * started: a quote where no value begins, the one way to meet, ends the reading. */
static bool take_tag(struct markup_cursor *cursor, struct text_markup *markup)
{
    if (!take_tag_name(cursor, markup))
        return false;
    while (cursor->c != '>') {
        if (is_space(cursor->c) || cursor->c == '/')
            step(cursor);
        else if (!take_attribute(cursor, &markup->href))
            return false;
    }
    step(cursor);
    return true;
}

/* Reads a comment from its "--" on; false when it has no end. The dashes of <!--> are its
 * beginning and its end. */
static bool take_comment(struct markup_cursor *cursor, bool *no_end)
{
    uint32_t recent = 0; /* four characters */

    for (; !*no_end; step(cursor)) {
        recent = recent << 8 | (cursor->c < 0x80 ? cursor->c : '?');
        if ((recent & 0xFFFFFF) == 0x2D2D3E) { /* "-->" */
            step(cursor);
            return true;
        }
        *no_end = cursor->c == END;
    }
    return false;
}

/* Reads what stands behind "<!" or "<?": a comment or a declaration. */
static bool take_declaration(struct markup_cursor *cursor, bool *no_comment_end)
{
    struct markup_cursor second = *cursor;

    step(&second);
    if (cursor->c == '-' && second.c == '-')
        return take_comment(cursor, no_comment_end);
    if (!is_letter(cursor->c))
        return false;
    for (; cursor->c != '>'; step(cursor))
        if (cursor->c == '<' || cursor->c == END)
            return false;
    step(cursor);
    return true;
}

struct text_markup text_markup_read(struct text_markup_source *source, size_t at)
{
    struct markup_cursor cursor = cursor_at(source->text, source->xml, at);
    struct text_markup itself = {.end = cursor.next, .codes = {cursor.c}, .count = 1};
    struct text_markup markup = {0};
    bool read = false;

    step(&cursor);
    if (itself.codes[0] == '&') {
        markup.count = take_reference(&cursor, markup.codes);
        read = markup.count > 0;
    } else if (itself.codes[0] == '<' && (cursor.c == '!' || cursor.c == '?')) {
        step(&cursor);
        read = take_declaration(&cursor, &source->no_comment_end);
    } else if (itself.codes[0] == '<') {
        read = take_tag(&cursor, &markup);
    }
    markup.end = cursor.at;
    return read ? markup : itself;
}

void text_markup_decode(struct str value, bool xml, struct buf *out)
{
    struct text_markup_source source = {.text = value, .xml = xml};

    for (size_t at = 0; at < value.len;) {
        struct text_markup markup = {.count = 1};
        size_t run = at;
        while (run < value.len && value.ptr[run] != '&' &&
               !is_line_end((unsigned char)value.ptr[run]))
            run++;
        buf_add(out, str_slice(value, at, run));
        if (run == value.len)
            break;
        struct markup_cursor cursor = cursor_at(value, xml, run);
        at = cursor.next;
        markup.codes[0] = cursor.c;
        if (cursor.c == '&') { /* and not '<', which begins nothing here */
            markup = text_markup_read(&source, run);
            at = markup.end;
        }
        for (size_t i = 0; i < markup.count; i++)
            if (!is_line_end(markup.codes[i]))
                out->len += text_utf8_write(markup.codes[i], buf_reserve(out, 4));
    }
}
