/* One pass over tags that are known to be well formed. What is due before the next
 * character (a line, an empty line, signs of emphasis) is remembered and written when
 * that character comes, so that nothing is left where an element was empty. */
#include "text/markdown.h"

#include <string.h>

#include "text/markup.h"
#include "text/utf8.h"

enum due {
    INLINE, /* within a line */
    FIRST,  /* at the beginning of the text, of a quotation or of a point */
    BREAK,  /* a line that the text itself begins */
    LINE,
    PARAGRAPH,
};

enum { DEPTH_MAX = 64, SIGNS_MAX = 100, LINKS_MAX = 4 };

struct markdown_work {
    struct buf *out;
    enum due due;
    bool blank;        /* one is due before the next character */
    struct buf prefix; /* of each line: "> ", and blanks below a list's point */
    struct {
        bool ordered;
        int number;
        size_t prefix; /* its length before the point that is open */
    } lists[DEPTH_MAX];
    size_t list_count;
    size_t quotes[DEPTH_MAX]; /* lengths of the prefix before quotations */
    size_t quote_count;
    char signs[SIGNS_MAX]; /* of emphasis that nothing stands in yet */
    size_t sign_count;
    struct str links[LINKS_MAX];
    size_t link_count;
    bool in_cell;
    int cells; /* of the row; -1: the head of the table is behind */
};

/* Text of harmless html, line ends and all. */
static void add_decoded(struct str text, struct buf *out)
{
    struct text_markup_source source = {.text = text};

    for (size_t at = 0; at < text.len;) {
        if (text.ptr[at] != '&') {
            buf_add_char(out, text.ptr[at++]);
            continue;
        }
        struct text_markup markup = text_markup_read(&source, at);
        for (size_t i = 0; i < markup.count; i++)
            out->len += text_utf8_write(markup.codes[i], buf_reserve(out, 4));
        at = markup.end;
    }
}

static bool is_word(char c)
{
    return (c >= '0' && c <= '9') || (str_lower(c) >= 'a' && str_lower(c) <= 'z') ||
           (unsigned char)c >= 0x80;
}

/* A cell has one line. */
static void want(struct markdown_work *work, enum due due)
{
    if (work->in_cell)
        work->blank = true;
    else if (work->due != FIRST && work->due < due)
        work->due = due;
}

static void add_prefix(struct markdown_work *work)
{
    struct str prefix = buf_str(&work->prefix);

    while (work->due == PARAGRAPH && prefix.len > 0 && prefix.ptr[prefix.len - 1] == ' ')
        prefix.len--;
    buf_add(work->out, prefix);
}

/* True: a line begins here. */
static bool begin(struct markdown_work *work)
{
    bool begins = work->due != INLINE;

    if (work->due == PARAGRAPH) {
        buf_add_char(work->out, '\n');
        add_prefix(work);
        work->due = LINE;
    }
    if (work->due == LINE || work->due == BREAK) {
        buf_add(work->out, work->due == BREAK ? STR("\\\n") : STR("\n"));
        add_prefix(work);
    }
    if (!begins && work->blank)
        buf_add_char(work->out, ' ');
    work->blank = false;
    work->due = INLINE;
    buf_add(work->out, (struct str){work->signs, work->sign_count});
    work->sign_count = 0;
    return begins;
}

/* Signs that would mean something. An underscore within a word does not. */
static bool is_sign(struct str text, size_t at, bool begins)
{
    char c = text.ptr[at];
    bool after = at > 0 && is_word(text.ptr[at - 1]),
         before = at + 1 < text.len && is_word(text.ptr[at + 1]);

    if (c == '_')
        return !(after && before);
    return (c != '\0' && strchr("\\`*[]<>|~$", c) != NULL) ||
           (begins && c != '\0' && strchr("#+-=", c) != NULL);
}

/* "1." at the beginning of a line would be a list. */
static size_t digits_of(struct str text, size_t at)
{
    size_t end = at;

    while (end < text.len && text.ptr[end] >= '0' && text.ptr[end] <= '9')
        end++;
    return end > at && end < text.len && (text.ptr[end] == '.' || text.ptr[end] == ')')
               ? end
               : at;
}

static void add_text(struct markdown_work *work, struct str text)
{
    for (size_t at = 0; at < text.len; at++) {
        char c = text.ptr[at];
        if (strchr(" \t\r\n\f\v", c) != NULL && c != '\0') {
            work->blank = true;
            continue;
        }
        bool begins = begin(work);
        size_t digits = begins ? digits_of(text, at) : at;
        if (digits > at) {
            buf_add(work->out, str_slice(text, at, digits));
            at = digits;
            buf_add_char(work->out, '\\');
        } else if (is_sign(text, at, begins)) {
            buf_add_char(work->out, '\\');
        }
        if (c == '&')
            buf_add(work->out, STR("&amp;"));
        else
            buf_add_char(work->out, text.ptr[at]);
    }
}

/* Each line end as one '\n': a carriage return alone ends a line of Markdown, too, and
 * what is behind it would be no code any more. */
static void join_line_ends(struct buf *text)
{
    size_t len = 0;

    for (size_t i = 0; i < text->len; i++) {
        bool pair = text->ptr[i] == '\r' && i + 1 < text->len && text->ptr[i + 1] == '\n';
        if (!pair)
            text->ptr[len++] = text->ptr[i] == '\r' ? '\n' : text->ptr[i];
    }
    text->len = len;
}

static size_t longest_run(struct str text, char c)
{
    size_t longest = 0, run = 0;

    for (size_t i = 0; i < text.len; i++) {
        run = text.ptr[i] == c ? run + 1 : 0;
        longest = run > longest ? run : longest;
    }
    return longest;
}

static void add_ticks(struct markdown_work *work, size_t count)
{
    for (size_t i = 0; i < count; i++)
        buf_add_char(work->out, '`');
}

static void add_code(struct markdown_work *work, struct str text)
{
    size_t ticks = longest_run(text, '`') + 1;
    bool pad = text.len > 0 && (text.ptr[0] == '`' || text.ptr[text.len - 1] == '`' ||
                                (text.ptr[0] == ' ' && text.ptr[text.len - 1] == ' '));

    if (str_trim(text).len == 0)
        return;
    begin(work);
    add_ticks(work, ticks);
    buf_add(work->out, pad ? STR(" ") : STR(""));
    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] == '|' && work->in_cell)
            buf_add_char(work->out, '\\');
        buf_add_char(work->out, text.ptr[i] == '\n' ? ' ' : text.ptr[i]);
    }
    buf_add(work->out, pad ? STR(" ") : STR(""));
    add_ticks(work, ticks);
}

static void add_block(struct markdown_work *work, struct str text, struct str language)
{
    size_t ticks = longest_run(text, '`') + 1;
    struct str line;

    while (text.len > 0 && text.ptr[text.len - 1] == '\n')
        text.len--;
    ticks = ticks < 3 ? 3 : ticks;
    want(work, PARAGRAPH);
    begin(work);
    add_ticks(work, ticks);
    buf_add(work->out, language);
    for (bool more = text.len > 0; more;) {
        more = str_cut(&text, '\n', &line);
        buf_add_char(work->out, '\n');
        buf_add(work->out, buf_str(&work->prefix));
        buf_add(work->out, line);
    }
    buf_add_char(work->out, '\n');
    buf_add(work->out, buf_str(&work->prefix));
    add_ticks(work, ticks);
    want(work, PARAGRAPH);
}

/* Behind the last letter, and before the blank that is due. */
static void end_emphasis(struct markdown_work *work, struct str sign)
{
    struct str open = {work->signs, work->sign_count};

    if (str_ends(open, sign) && open.len > 0)
        work->sign_count -= sign.len;
    else
        buf_add(work->out, sign);
}

static void begin_emphasis(struct markdown_work *work, struct str sign)
{
    if (work->sign_count + sign.len > SIGNS_MAX)
        return;
    memcpy(work->signs + work->sign_count, sign.ptr, sign.len);
    work->sign_count += sign.len;
}

static void begin_quote(struct markdown_work *work)
{
    want(work, PARAGRAPH);
    begin(work);
    work->quotes[work->quote_count++] = work->prefix.len;
    buf_add(&work->prefix, STR("> "));
    buf_add(work->out, STR("> "));
    work->due = FIRST;
}

static void end_prefix(struct markdown_work *work, size_t len)
{
    work->prefix.len = len;
    work->due = INLINE;
    want(work, PARAGRAPH);
}

static void begin_point(struct markdown_work *work)
{
    if (work->list_count == 0)
        return;
    bool ordered = work->lists[work->list_count - 1].ordered;
    size_t before = work->out->len, width;
    want(work, LINE);
    begin(work);
    before = work->out->len;
    if (ordered)
        buf_add_format(work->out, "%d. ", ++work->lists[work->list_count - 1].number);
    else
        buf_add(work->out, STR("- "));
    width = work->out->len - before;
    work->lists[work->list_count - 1].prefix = work->prefix.len;
    for (size_t i = 0; i < width; i++)
        buf_add_char(&work->prefix, ' ');
    work->due = FIRST;
}

static void end_point(struct markdown_work *work)
{
    if (work->list_count == 0)
        return;
    work->prefix.len = work->lists[work->list_count - 1].prefix;
    work->due = INLINE;
    want(work, LINE);
}

static void begin_list(struct markdown_work *work, bool ordered)
{
    want(work, work->list_count > 0 ? LINE : PARAGRAPH);
    work->lists[work->list_count].ordered = ordered;
    work->lists[work->list_count].number = 0;
    work->lists[work->list_count++].prefix = work->prefix.len;
}

static void end_row(struct markdown_work *work)
{
    work->in_cell = false;
    if (work->cells > 0) {
        want(work, LINE);
        begin(work);
        buf_add_char(work->out, '|');
        for (int i = 0; i < work->cells; i++)
            buf_add(work->out, STR(" --- |"));
    }
    work->cells = -1;
    want(work, LINE);
}

static void begin_cell(struct markdown_work *work)
{
    if (!work->in_cell) {
        want(work, LINE);
        begin(work);
        buf_add_char(work->out, '|');
        work->in_cell = true;
    }
    buf_add_char(work->out, ' ');
    work->due = FIRST;
}

static void end_cell(struct markdown_work *work)
{
    work->due = INLINE;
    work->blank = false;
    buf_add(work->out, STR(" |"));
    work->cells += work->cells >= 0;
}

/* Behind "!" it would be an image, which readers load. */
static void begin_link(struct markdown_work *work)
{
    struct buf *out = work->out;

    begin(work);
    if (out->len > 0 && out->ptr[out->len - 1] == '!') {
        out->len--;
        buf_add(out, STR("\\!"));
    }
    buf_add_char(out, '[');
}

/* The end of a link. */
static void add_address(struct str address, struct buf *out)
{
    buf_add(out, STR("](<"));
    for (size_t i = 0; i < address.len; i++) {
        if (strchr("<>\\ \r\n", address.ptr[i]) != NULL)
            buf_add_format(out, "%%%02X", (unsigned char)address.ptr[i]);
        else
            buf_add_char(out, address.ptr[i]);
    }
    buf_add(out, STR(">)"));
}

static void end_link(struct markdown_work *work)
{
    struct str address = work->links[--work->link_count];
    struct buf decoded = {0};

    add_decoded(address, &decoded);
    add_address(buf_str(&decoded), work->out);
    buf_free(&decoded);
}

static void take_tag(struct markdown_work *work, struct str name, struct str href,
                     bool ends)
{
    static const struct {
        struct str name, sign;
    } signs[] = {
        {STR_INIT("strong"), STR_INIT("**")}, {STR_INIT("em"), STR_INIT("*")},
        {STR_INIT("del"), STR_INIT("~~")},    {STR_INIT("kbd"), STR_INIT("kbd>")},
        {STR_INIT("sub"), STR_INIT("sub>")},  {STR_INIT("sup"), STR_INIT("sup>")}};

    for (size_t i = 0; i < ROWS_OF(signs); i++) {
        if (!str_eq(name, signs[i].name))
            continue;
        if (i < 3) {
            (ends ? end_emphasis : begin_emphasis)(work, signs[i].sign);
            return;
        }
        begin(work);
        buf_add(work->out, ends ? STR("</") : STR("<"));
        buf_add(work->out, signs[i].sign);
        return;
    }
    if (str_eq(name, STR("a"))) {
        if (ends && work->link_count > 0) {
            end_link(work);
        } else if (!ends && work->link_count < LINKS_MAX) {
            begin_link(work);
            work->links[work->link_count++] = href;
        }
    } else if (str_eq(name, STR("br"))) {
        want(work, work->due == BREAK ? PARAGRAPH : BREAK);
    } else if (str_eq(name, STR("hr"))) {
        want(work, PARAGRAPH);
        begin(work);
        buf_add(work->out, STR("* * *"));
        want(work, PARAGRAPH);
    } else if (str_eq(name, STR("blockquote"))) {
        if (ends && work->quote_count > 0)
            end_prefix(work, work->quotes[--work->quote_count]);
        else if (!ends)
            begin_quote(work);
    } else if (str_eq(name, STR("ul")) || str_eq(name, STR("ol"))) {
        if (!ends) {
            begin_list(work, name.ptr[0] == 'o');
        } else if (work->list_count > 0) {
            work->list_count--;
            want(work, work->list_count > 0 ? LINE : PARAGRAPH);
        }
    } else if (str_eq(name, STR("li"))) {
        (ends ? end_point : begin_point)(work);
    } else if (name.len == 2 && name.ptr[0] == 'h') {
        want(work, PARAGRAPH);
        if (!ends) {
            begin(work);
            buf_add(work->out, STR("###### "));
            work->due = FIRST;
        }
    } else if (str_eq(name, STR("td")) || str_eq(name, STR("th"))) {
        (ends ? end_cell : begin_cell)(work);
    } else if (str_eq(name, STR("tr"))) {
        if (ends && work->in_cell)
            end_row(work);
    } else if (str_eq(name, STR("table"))) {
        work->in_cell = false;
        work->cells = 0;
        want(work, PARAGRAPH);
    } else if (str_eq(name, STR("p")) || str_eq(name, STR("dl")) ||
               str_eq(name, STR("dt")) || str_eq(name, STR("dd"))) {
        want(work, PARAGRAPH);
    }
}

/* The text of an element that begins at `at`, up to its end; tags in it are left out. */
static size_t take_verbatim(struct str html, size_t at, struct str name, struct buf *out)
{
    buf_clear(out);
    while (at < html.len) {
        struct str rest = str_slice(html, at, html.len);
        const char *tag = memchr(rest.ptr, '<', rest.len);
        size_t len = tag != NULL ? (size_t)(tag - rest.ptr) : rest.len;
        struct str piece = str_slice(rest, 0, len);
        add_decoded(piece, out);
        const char *close = tag != NULL ? memchr(tag, '>', rest.len - len) : NULL;
        at += close != NULL ? (size_t)(close + 1 - rest.ptr) : rest.len;
        if (tag != NULL && str_starts(str_slice(rest, len + 1, rest.len), STR("/")) &&
            str_starts(str_slice(rest, len + 2, rest.len), name))
            break;
    }
    join_line_ends(out);
    return at;
}

static struct str attribute(struct str tag, struct str name)
{
    for (size_t at = 0; at + name.len < tag.len; at++)
        if (str_starts(str_slice(tag, at, tag.len), name)) {
            struct str value, rest = str_slice(tag, at + name.len, tag.len);
            str_cut(&rest, '"', &value);
            return value;
        }
    return (struct str){0};
}

/* Each end of a list, a quotation or a link needs its beginning: the harmless html has
 * them, and at most as deep as this. */
static size_t take(struct markdown_work *work, struct str html, size_t at,
                   struct buf *verbatim)
{
    struct str rest = str_slice(html, at, html.len);
    const char *close = memchr(rest.ptr, '>', rest.len);
    size_t end = close != NULL ? (size_t)(close - rest.ptr) : rest.len;
    bool ends = rest.len > 1 && rest.ptr[1] == '/';
    struct str tag = str_slice(rest, 1 + ends, end), name = tag, attributes = tag;

    at += close != NULL ? end + 1 : rest.len;
    str_cut(&attributes, ' ', &name);
    bool block = str_eq(name, STR("pre"));
    if (!block && !str_eq(name, STR("code"))) {
        take_tag(work, name, attribute(tag, STR("href=\"")), ends);
        return at;
    }
    if (ends)
        return at;
    struct str language = attribute(tag, STR("class=\"lang-")), inner;
    at = take_verbatim(html, at, name, verbatim);
    if (!block || work->in_cell) {
        add_code(work, buf_str(verbatim));
        return at;
    }
    inner = str_slice(rest, end + 1, rest.len);
    if (language.len == 0 && str_starts(inner, STR("<code class=\"lang-"))) {
        str_cut(&inner, '>', &tag);
        language = attribute(tag, STR("class=\"lang-"));
    }
    add_block(work, buf_str(verbatim), language);
    return at;
}

void text_markdown_add(struct str harmless, struct buf *out)
{
    struct markdown_work work = {.out = out, .due = FIRST};
    struct buf text = {0};

    for (size_t at = 0; at < harmless.len;) {
        struct str rest = str_slice(harmless, at, harmless.len);
        if (rest.ptr[0] == '<') {
            at = take(&work, harmless, at, &text);
            continue;
        }
        const char *tag = memchr(rest.ptr, '<', rest.len);
        size_t len = tag != NULL ? (size_t)(tag - rest.ptr) : rest.len;
        buf_clear(&text);
        add_decoded(str_slice(rest, 0, len), &text);
        add_text(&work, buf_str(&text));
        at += len;
    }
    buf_free(&text);
    buf_free(&work.prefix);
}

void text_markdown_add_line(struct str text, struct buf *out)
{
    struct markdown_work work = {.out = out, .due = FIRST};

    add_text(&work, text);
    buf_free(&work.prefix);
}

void text_markdown_add_link(struct str text, struct str address, struct buf *out)
{
    buf_add_char(out, '[');
    text_markdown_add_line(text, out);
    add_address(address, out);
}
