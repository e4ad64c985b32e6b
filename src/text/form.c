/* Everything becomes html, which has one reader. Markdown goes through md4c, whose events
 * are written down as html; what turns out to be an empty heading is cut out again. */
#include "text/form.h"

#include <md4c.h>
#include <string.h>

#include "base/list.h"

/* A table of few bytes may have a great many cells. Text that becomes so much longer is
 * taken as it stands. */
enum { GROWTH_MAX = 40, GROWTH_FREE = 4096 };

struct form_heading {
    size_t begin, end; /* in the html */
    unsigned level;
    bool filled;
};

struct form_writer {
    struct buf *out;
    size_t out_max;
    bool shown;
    LIST(struct form_heading) headings;
    LIST(size_t) open; /* headings that what comes now stands below */
    bool in_heading;
    size_t images;    /* how many the text is in: their text is an attribute */
    size_t paragraph; /* where it begins, plus 1; 0: none is open */
    bool paragraph_filled;
};

static void add_escaped(struct buf *out, struct str text)
{
    size_t kept = 0;

    for (size_t i = 0; i < text.len; i++) {
        char c = text.ptr[i];
        if (c != '&' && c != '<' && c != '>' && c != '"')
            continue;
        buf_add(out, str_slice(text, kept, i));
        buf_add(out, c == '&'   ? STR("&amp;")
                     : c == '<' ? STR("&lt;")
                     : c == '>' ? STR("&gt;")
                                : STR("&quot;"));
        kept = i + 1;
    }
    buf_add(out, str_slice(text, kept, text.len));
}

/* Something stands below all headings that are open. */
static void fill_headings(struct form_writer *writer)
{
    for (size_t i = 0; i < writer->open.count; i++)
        writer->headings.at[writer->open.at[i]].filled = true;
    list_clear(&writer->open);
}

static void note_content(struct form_writer *writer)
{
    if (writer->in_heading)
        return;
    if (writer->paragraph > 0)
        writer->paragraph_filled = true;
    else
        fill_headings(writer);
}

static void begin_heading(struct form_writer *writer, unsigned level)
{
    while (writer->open.count > 0 &&
           writer->headings.at[writer->open.at[writer->open.count - 1]].level >= level)
        writer->open.count--;
    list_add(&writer->open, writer->headings.count);
    list_add(&writer->headings,
             ((struct form_heading){.begin = writer->out->len, .level = level}));
    writer->in_heading = true;
}

static void end_heading(struct form_writer *writer)
{
    writer->headings.at[writer->headings.count - 1].end = writer->out->len;
    writer->in_heading = false;
}

static void end_paragraph(struct form_writer *writer)
{
    size_t begin = writer->paragraph - 1;

    writer->paragraph = 0;
    if (!writer->shown && str_eq(str_slice(buf_str(writer->out), begin, writer->out->len),
                                 STR("<p><em>No response</em></p>\n")))
        writer->out->len = begin;
    else if (writer->paragraph_filled)
        fill_headings(writer);
}

static void add_attribute(struct form_writer *writer, const char *before,
                          const MD_ATTRIBUTE *value)
{
    buf_add(writer->out, str_from(before));
    add_escaped(writer->out, (struct str){value->text, value->size});
    buf_add_char(writer->out, '"');
}

/* What a block is written as; an item of a list and a heading have more to them. */
static const char *const blocks[] = {
    [MD_BLOCK_QUOTE] = "blockquote",
    [MD_BLOCK_UL] = "ul",
    [MD_BLOCK_OL] = "ol",
    [MD_BLOCK_LI] = "li",
    [MD_BLOCK_P] = "p",
    [MD_BLOCK_TABLE] = "table",
    [MD_BLOCK_THEAD] = "thead",
    [MD_BLOCK_TBODY] = "tbody",
    [MD_BLOCK_TR] = "tr",
    [MD_BLOCK_TH] = "th",
    [MD_BLOCK_TD] = "td",
};

static int enter_block(MD_BLOCKTYPE type, void *detail, void *context)
{
    struct form_writer *writer = context;
    struct buf *out = writer->out;

    if (type == MD_BLOCK_H) {
        unsigned level = ((const MD_BLOCK_H_DETAIL *)detail)->level;
        begin_heading(writer, level);
        buf_add_format(out, "<h%u>", level);
    } else if (type == MD_BLOCK_CODE) {
        const MD_ATTRIBUTE *language = &((const MD_BLOCK_CODE_DETAIL *)detail)->lang;
        note_content(writer);
        buf_add(out, STR("<pre><code"));
        if (writer->shown && language->size > 0)
            add_attribute(writer, " class=\"language-", language);
        buf_add(out, STR(">"));
    } else if (type == MD_BLOCK_HR) {
        buf_add(out, STR("<hr>\n"));
    } else if (type < ROWS_OF(blocks) && blocks[type] != NULL) {
        if (type == MD_BLOCK_P) {
            writer->paragraph = out->len + 1;
            writer->paragraph_filled = false;
        }
        buf_add_format(out, "<%s>", blocks[type]);
    }
    const MD_BLOCK_LI_DETAIL *item = detail;
    if (type == MD_BLOCK_LI && writer->shown && item->is_task)
        buf_add(out,
                item->task_mark == ' ' ? STR("\xE2\x98\x90 ") : STR("\xE2\x98\x91 "));
    return out->len > writer->out_max;
}

static int leave_block(MD_BLOCKTYPE type, void *detail, void *context)
{
    struct form_writer *writer = context;
    struct buf *out = writer->out;

    if (type == MD_BLOCK_H) {
        buf_add_format(out, "</h%u>\n", ((const MD_BLOCK_H_DETAIL *)detail)->level);
        end_heading(writer);
    } else if (type == MD_BLOCK_CODE) {
        buf_add(out, STR("</code></pre>\n"));
    } else if (type < ROWS_OF(blocks) && blocks[type] != NULL) {
        buf_add_format(out, "</%s>\n", blocks[type]);
    }
    if (type == MD_BLOCK_P)
        end_paragraph(writer);
    return 0;
}

static const char *span_name(MD_SPANTYPE type)
{
    return type == MD_SPAN_EM       ? "em"
           : type == MD_SPAN_STRONG ? "strong"
           : type == MD_SPAN_CODE   ? "code"
           : type == MD_SPAN_DEL    ? "del"
           : type == MD_SPAN_A      ? "a"
                                    : "";
}

static int enter_span(MD_SPANTYPE type, void *detail, void *context)
{
    struct form_writer *writer = context;

    if (type == MD_SPAN_IMG) {
        note_content(writer);
        if (writer->images++ == 0) {
            add_attribute(writer, "<img src=\"",
                          &((const MD_SPAN_IMG_DETAIL *)detail)->src);
            buf_add(writer->out, STR(" alt=\""));
        }
    } else if (writer->images == 0 && type == MD_SPAN_A) {
        add_attribute(writer, "<a href=\"", &((const MD_SPAN_A_DETAIL *)detail)->href);
        buf_add_char(writer->out, '>');
    } else if (writer->images == 0) {
        buf_add_format(writer->out, "<%s>", span_name(type));
    }
    return 0;
}

static int leave_span(MD_SPANTYPE type, void *detail, void *context)
{
    struct form_writer *writer = context;

    (void)detail;
    if (type == MD_SPAN_IMG && --writer->images == 0)
        buf_add(writer->out, STR("\">"));
    else if (type != MD_SPAN_IMG && writer->images == 0)
        buf_add_format(writer->out, "</%s>", span_name(type));
    return 0;
}

static int take_text(MD_TEXTTYPE type, const MD_CHAR *text, MD_SIZE size, void *context)
{
    struct form_writer *writer = context;
    struct buf *out = writer->out;
    struct str piece = {text, size};

    if (type == MD_TEXT_BR || type == MD_TEXT_SOFTBR)
        buf_add(out,
                type == MD_TEXT_BR && writer->images == 0 ? STR("<br>\n") : STR("\n"));
    else if (type == MD_TEXT_NULLCHAR)
        buf_add(out, STR("\xEF\xBF\xBD"));
    else if (type == MD_TEXT_ENTITY || (type == MD_TEXT_HTML && writer->images == 0))
        buf_add(out, piece);
    else if (type != MD_TEXT_HTML)
        add_escaped(out, piece);
    if (type != MD_TEXT_HTML && str_trim(piece).len > 0)
        note_content(writer);
    return out->len > writer->out_max;
}

/* The html without the headings that nothing stands below, from byte `begin` on. */
static void cut_headings(struct form_writer *writer, size_t begin)
{
    struct buf *out = writer->out;
    struct str html = buf_str(out);
    size_t from = begin, to = begin;

    for (size_t i = 0; i <= writer->headings.count; i++) {
        const struct form_heading *heading =
            i < writer->headings.count ? &writer->headings.at[i] : NULL;
        if (heading != NULL && heading->filled)
            continue;
        size_t end = heading != NULL ? heading->begin : html.len;
        memmove(out->ptr + to, html.ptr + from, end - from);
        to += end - from;
        from = heading != NULL ? heading->end : html.len;
    }
    out->len = to;
}

static void add_markdown(struct str body, bool shown, struct buf *out)
{
    static const MD_PARSER parser = {
        .flags = MD_DIALECT_GITHUB,
        .enter_block = enter_block,
        .leave_block = leave_block,
        .enter_span = enter_span,
        .leave_span = leave_span,
        .text = take_text,
    };
    struct form_writer writer = {.out = out, .shown = shown};
    size_t begin = out->len;

    writer.out_max = begin + GROWTH_FREE + GROWTH_MAX * body.len;
    if (body.len > UINT32_MAX || md_parse(body.ptr != NULL ? body.ptr : "",
                                          (MD_SIZE)body.len, &parser, &writer) != 0) {
        out->len = begin;
        buf_add(out, STR("<p>"));
        add_escaped(out, body);
        buf_add(out, STR("</p>\n"));
    } else if (!shown && writer.headings.count > 0) {
        cut_headings(&writer, begin);
    }
    list_free(&writer.headings);
    list_free(&writer.open);
}

static void add_html(enum item_form form, struct str body, bool shown, struct buf *out)
{
    if (form == ITEM_MARKDOWN) {
        add_markdown(body, shown, out);
        return;
    }
    bool pre = form == ITEM_DIFF || (form == ITEM_PLAIN && shown);
    buf_add(out, pre ? STR("<pre>") : STR(""));
    add_escaped(out, body);
    buf_add(out, pre ? STR("</pre>") : STR(""));
}

void text_form_split(enum item_form form, struct str body, unsigned want,
                     struct text_html_parts *parts)
{
    if (form == ITEM_HTML) {
        text_html_split(body, want, parts);
        return;
    }
    /* A commit's message begins with its subject. */
    if (form == ITEM_PLAIN && str_starts(body, parts->lead))
        parts->lead = (struct str){0};
    buf_clear(&parts->rendered);
    add_html(form, body, false, &parts->rendered);
    text_html_split(buf_str(&parts->rendered), want, parts);
}

struct str text_form_below(enum item_form form, struct str body, struct str title)
{
    if (form != ITEM_PLAIN || title.len == 0 || !str_starts(body, title))
        return body;
    struct str rest = str_slice(body, title.len, body.len), line;
    if (rest.len > 0 && rest.ptr[0] != '\n')
        return body;
    while (str_starts(rest, STR("\n")))
        str_cut(&rest, '\n', &line);
    return rest;
}

void text_form_show(enum item_form form, struct str body, struct buf *html)
{
    if (form == ITEM_HTML)
        buf_add(html, body);
    else
        add_html(form, body, true, html);
}
