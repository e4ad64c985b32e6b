/* Pages are written with few requests of man(7): headings, paragraphs, tagged items,
 * literal blocks, bold and italic words. All else would be left out. */
#include "cmd/page.h"

#include "base/file.h"

/* The folder man/ of the project. */
extern const unsigned char cmd_pages[];
extern const size_t cmd_pages_len;

/* Those of cmd/prose/. */
extern const unsigned char cmd_prose[];
extern const size_t cmd_prose_len;

enum { INDENT_SECTION = 2, INDENT_TEXT = 4, INDENT_ITEM = 8, INDENT_LITERAL = 2 };

struct page {
    struct buf *out;
    struct buf text; /* the paragraph so far */
    size_t indent;
    bool literal; /* lines stay as they are */
    bool tag;     /* the next line is an item's head */
    bool headed;  /* nothing has come since the heading */
};

struct str cmd_page_source(const char *name)
{
    struct str bundle = {(const char *)cmd_pages, cmd_pages_len}, path, source;

    while (file_bundled(&bundle, &path, &source)) {
        struct str page;
        str_cut(&path, '.', &page);
        if (str_starts(page, STR("assay-")) &&
            str_eq(str_slice(page, STR("assay-").len, page.len), str_from(name)))
            return source;
    }
    return (struct str){0};
}

void cmd_page_prose(const char *name, struct buf *paragraphs, struct str *examples)
{
    struct str bundle = {(const char *)cmd_prose, cmd_prose_len}, path, file, text;

    do {
        *examples = text = (struct str){0};
        if (!file_bundled(&bundle, &path, &text))
            return;
        str_cut(&path, '.', &file);
    } while (!str_eq(file, str_from(name)));
    for (struct str line, before = {0}; text.len > 0; before = line) {
        str_cut(&text, '\n', &line);
        if (str_eq(line, STR("examples:")))
            break;
        /* Indented lines are lines of their own. */
        bool alone = str_starts(line, STR("    ")) || str_starts(before, STR("    "));
        if (line.len > 0 && paragraphs->len > 0)
            buf_add(paragraphs, before.len == 0 ? STR("\n\n")
                                : alone         ? STR("\n")
                                                : STR(" "));
        buf_add(paragraphs, line);
    }
    *examples = text;
}

void cmd_page_fold(struct buf *out, struct str text, size_t column, size_t indent)
{
    struct str word;

    for (bool more = true, first = true; more; first = false) {
        more = str_cut(&text, ' ', &word);
        if (!first && column + 1 + word.len > 80) {
            buf_add_format(out, "\n%*s", (int)indent, "");
            column = indent;
        } else if (!first) {
            buf_add_char(out, ' ');
            column++;
        }
        buf_add(out, word);
        column += word.len;
    }
    buf_add_char(out, '\n');
}

/* Characters that have names of two letters. */
static struct str named(struct str name)
{
    return str_eq(name, STR("+-"))   ? STR("\xC2\xB1")
           : str_eq(name, STR("mu")) ? STR("\xC3\x97")
                                     : STR("\""); /* dq */
}

/* \- \e \& \(dq and the like, and changes of font. */
static void add_unescaped(struct buf *out, struct str text)
{
    for (size_t i = 0; i < text.len; i++) {
        char next = i + 1 < text.len ? text.ptr[i + 1] : '\0';
        if (text.ptr[i] != '\\') {
            buf_add_char(out, text.ptr[i]);
        } else if (next == '(') {
            buf_add(out, named(str_slice(text, i + 2, i + 4)));
            i += 3;
        } else if (next == 'f') {
            i += 2;
        } else {
            if (next != '&')
                buf_add_char(out, next == 'e' ? '\\' : next);
            i++;
        }
    }
}

/* The next argument of a request, which may stand in double quotes. */
static bool next_argument(struct str *rest, struct str *argument)
{
    *rest = str_trim(*rest);
    if (rest->len == 0)
        return false;
    if (rest->ptr[0] == '"') {
        *rest = str_slice(*rest, 1, rest->len);
        str_cut(rest, '"', argument);
    } else {
        str_cut(rest, ' ', argument);
    }
    return true;
}

static void flush(struct page *page)
{
    if (page->text.len > 0) {
        buf_add_format(page->out, "%*s", (int)page->indent, "");
        cmd_page_fold(page->out, buf_str(&page->text), page->indent, page->indent);
    }
    buf_clear(&page->text);
}

/* Ends the paragraph, with an empty line behind it. */
static void end_paragraph(struct page *page)
{
    flush(page);
    if (page->out->len > 0 && !page->headed)
        buf_add_char(page->out, '\n');
}

static void add_heading(struct page *page, struct str text, size_t indent)
{
    end_paragraph(page);
    buf_add_format(page->out, "%*s", (int)indent, "");
    add_unescaped(page->out, text);
    buf_add_char(page->out, '\n');
    page->indent = INDENT_TEXT;
    page->headed = true;
}

static void add_text(struct page *page, struct str text)
{
    page->headed = false;
    if (page->literal || page->tag) {
        size_t indent = page->indent + (page->literal ? INDENT_LITERAL : 0);
        buf_add_format(page->out, "%*s", (int)indent, "");
        add_unescaped(page->out, text);
        buf_add_char(page->out, '\n');
        if (page->tag)
            page->indent = INDENT_ITEM;
        page->tag = false;
        return;
    }
    if (page->text.len > 0)
        buf_add_char(&page->text, ' ');
    add_unescaped(&page->text, text);
}

/* Of .BR and its like the arguments stand side by side, of .B and .I they are words. */
static void add_words(struct page *page, struct str name, struct str rest)
{
    struct buf words = {0};
    struct str argument;

    while (next_argument(&rest, &argument)) {
        if (words.len > 0 && name.len == 1)
            buf_add_char(&words, ' ');
        buf_add(&words, argument);
    }
    add_text(page, buf_str(&words));
    buf_free(&words);
}

static void add_request(struct page *page, struct str line)
{
    struct str name, argument = {0};

    str_cut(&line, ' ', &name);
    if (str_eq(name, STR("SH")) || str_eq(name, STR("SS"))) {
        struct str rest = line;
        if (line.len > 0 && line.ptr[0] == '"')
            (void)next_argument(&rest, &argument);
        add_heading(page, argument.len > 0 ? argument : line,
                    str_eq(name, STR("SS")) ? INDENT_SECTION : 0);
    } else if (str_eq(name, STR("PP")) || str_eq(name, STR("TP"))) {
        end_paragraph(page);
        page->indent = INDENT_TEXT;
        page->tag = str_eq(name, STR("TP"));
    } else if (str_eq(name, STR("IP"))) { /* a dot of a list, or a further paragraph */
        if (line.len > 0)
            flush(page);
        else
            end_paragraph(page);
        buf_add(&page->text, line.len > 0 ? STR("-") : STR(""));
    } else if (str_eq(name, STR("RS")) || str_eq(name, STR("RE"))) {
        flush(page);
    } else if (str_eq(name, STR("nf")) || str_eq(name, STR("fi"))) {
        flush(page);
        page->literal = str_eq(name, STR("nf"));
    } else if (!str_eq(name, STR("TH"))) {
        add_words(page, name, line);
    }
}

void cmd_page_add(struct buf *out, struct str source, struct str keys)
{
    struct page page = {.out = out, .indent = INDENT_TEXT};
    struct str line;

    while (source.len > 0) {
        str_cut(&source, '\n', &line);
        if (str_eq(line, STR(".\\\" KEYS"))) {
            end_paragraph(&page);
            buf_add(out, keys);
        } else if (line.len > 0 && line.ptr[0] == '.') {
            add_request(&page, str_slice(line, 1, line.len));
        } else {
            add_text(&page, line);
        }
    }
    flush(&page);
    buf_free(&page.text);
}
