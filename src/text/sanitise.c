/* One pass: tags are read by text/markup, looked up in a table, and written anew from the
 * table; text is decoded and escaped again. So what a browser sees never depends on how
 * it would have read the post itself. */
#include "text/sanitise.h"

#include <string.h>

#include "text/markup.h"
#include "text/utf8.h"

enum role {
    VOID = 1,    /* has no end */
    BLOCK = 2,   /* ends a paragraph that is open */
    SIBLING = 4, /* ends one of its own kind: li, td ... */
    LINK = 8,
    IMAGE = 16,
    HIDDEN = 32, /* its text is not meant to be read */
    SCOPE = 64,  /* what is open outside of it stays open inside */
    CODE = 128,  /* has a language */
};

struct element {
    struct str name;
    struct str instead; /* the name that is written; empty: nothing is */
    unsigned role;
};

static const struct element elements[] = {
    {STR_INIT("a"), STR_INIT("a"), LINK},
    {STR_INIT("b"), STR_INIT("strong"), 0},
    {STR_INIT("blockquote"), STR_INIT("blockquote"), BLOCK | SCOPE},
    {STR_INIT("br"), STR_INIT("br"), VOID},
    {STR_INIT("code"), STR_INIT("code"), CODE},
    {STR_INIT("dd"), STR_INIT("dd"), BLOCK | SIBLING},
    {STR_INIT("del"), STR_INIT("del"), 0},
    {STR_INIT("dl"), STR_INIT("dl"), BLOCK | SCOPE},
    {STR_INIT("dt"), STR_INIT("dt"), BLOCK | SIBLING},
    {STR_INIT("em"), STR_INIT("em"), 0},
    {STR_INIT("h1"), STR_INIT("h1"), BLOCK},
    {STR_INIT("h2"), STR_INIT("h2"), BLOCK},
    {STR_INIT("h3"), STR_INIT("h3"), BLOCK},
    {STR_INIT("h4"), STR_INIT("h3"), BLOCK},
    {STR_INIT("h5"), STR_INIT("h3"), BLOCK},
    {STR_INIT("h6"), STR_INIT("h3"), BLOCK},
    {STR_INIT("hr"), STR_INIT("hr"), VOID | BLOCK},
    {STR_INIT("i"), STR_INIT("em"), 0},
    {STR_INIT("iframe"), STR_INIT(""), HIDDEN},
    {STR_INIT("img"), STR_INIT(""), VOID | IMAGE},
    {STR_INIT("kbd"), STR_INIT("kbd"), 0},
    {STR_INIT("li"), STR_INIT("li"), BLOCK | SIBLING},
    {STR_INIT("noembed"), STR_INIT(""), HIDDEN},
    {STR_INIT("noframes"), STR_INIT(""), HIDDEN},
    {STR_INIT("ol"), STR_INIT("ol"), BLOCK | SCOPE},
    {STR_INIT("p"), STR_INIT("p"), BLOCK},
    {STR_INIT("pre"), STR_INIT("pre"), BLOCK | CODE},
    {STR_INIT("s"), STR_INIT("del"), 0},
    {STR_INIT("script"), STR_INIT(""), HIDDEN},
    {STR_INIT("strike"), STR_INIT("del"), 0},
    {STR_INIT("strong"), STR_INIT("strong"), 0},
    {STR_INIT("style"), STR_INIT(""), HIDDEN},
    {STR_INIT("sub"), STR_INIT("sub"), 0},
    {STR_INIT("sup"), STR_INIT("sup"), 0},
    {STR_INIT("table"), STR_INIT("table"), BLOCK | SCOPE},
    {STR_INIT("tbody"), STR_INIT("tbody"), SIBLING},
    {STR_INIT("td"), STR_INIT("td"), SIBLING},
    {STR_INIT("textarea"), STR_INIT(""), HIDDEN},
    {STR_INIT("th"), STR_INIT("th"), SIBLING},
    {STR_INIT("thead"), STR_INIT("thead"), SIBLING},
    {STR_INIT("title"), STR_INIT(""), HIDDEN},
    {STR_INIT("tr"), STR_INIT("tr"), SIBLING},
    {STR_INIT("ul"), STR_INIT("ul"), BLOCK | SCOPE},
    {STR_INIT("xmp"), STR_INIT(""), HIDDEN},
};

enum { NAME_MAX_LEN = 10 }; /* of the table's */

struct sanitise_work {
    struct str html;
    struct buf *out;
    const struct element *open[TEXT_SANITISE_DEPTH_MAX];
    size_t depth;
    struct buf value;                /* of an attribute, decoded */
    struct buf language;             /* that a comment names for the next code */
    size_t link;                     /* in out: where the open link begins */
    bool imaged;                     /* it is an image's */
    bool endless[ROWS_OF(elements)]; /* hidden, and no end of it follows */
};

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c;
}

static bool is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Case of A to Z does not matter. */
static bool begins_with(struct str s, struct str prefix)
{
    if (s.len < prefix.len)
        return false;
    for (size_t i = 0; i < prefix.len; i++)
        if (lower(s.ptr[i]) != prefix.ptr[i])
            return false;
    return true;
}

/* The element whose name begins a tag behind its '<' or '</'; NULL: not in the table. */
static const struct element *find(struct str tag)
{
    size_t len = 0;

    while (len < tag.len && !is_space(tag.ptr[len]) && tag.ptr[len] != '/' &&
           tag.ptr[len] != '>')
        len++;
    struct str name = str_slice(tag, 0, len);
    for (size_t i = 0; i < ROWS_OF(elements) && len <= NAME_MAX_LEN; i++)
        if (elements[i].name.len == len && begins_with(name, elements[i].name))
            return &elements[i];
    return NULL;
}

/* The value of an attribute of a tag that text_markup_read() has found to be one; false
 * when it has none. */
static bool find_attribute(struct str tag, struct str name, struct str *value)
{
    size_t at = 0;

    while (at < tag.len && !is_space(tag.ptr[at]) && tag.ptr[at] != '/')
        at++;
    while (at < tag.len) {
        while (at < tag.len && (is_space(tag.ptr[at]) || tag.ptr[at] == '/'))
            at++;
        size_t begin = at;
        while (at < tag.len && !is_space(tag.ptr[at]) && tag.ptr[at] != '=' &&
               tag.ptr[at] != '/' && tag.ptr[at] != '>')
            at++;
        struct str key = str_slice(tag, begin, at);
        while (at < tag.len && is_space(tag.ptr[at]))
            at++;
        if (at >= tag.len || tag.ptr[at] != '=') {
            at += at == begin; /* a '>': the end */
            continue;
        }
        at++;
        while (at < tag.len && is_space(tag.ptr[at]))
            at++;
        char quote = at < tag.len ? tag.ptr[at] : '\0';
        bool quoted = quote == '"' || quote == '\'';
        at += quoted;
        begin = at;
        while (at < tag.len && (quoted ? tag.ptr[at] != quote
                                       : !is_space(tag.ptr[at]) && tag.ptr[at] != '>'))
            at++;
        if (key.len == name.len && begins_with(key, name)) {
            *value = str_slice(tag, begin, at);
            return true;
        }
        at += quoted;
    }
    return false;
}

/* Decodes an attribute into work->value; false when the tag has none of that name. */
static bool read_attribute(struct sanitise_work *work, struct str tag, struct str name)
{
    struct str value;

    buf_clear(&work->value);
    if (!find_attribute(tag, name, &value))
        return false;
    text_markup_decode(value, false, &work->value);
    return true;
}

/* Where a link may lead. An address without scheme is the site's own, which is https. */
static bool is_address(struct str s)
{
    for (size_t i = 0; i < s.len; i++)
        if ((unsigned char)s.ptr[i] < ' ' || s.ptr[i] == 127)
            return false;
    return begins_with(s, STR("http://")) || begins_with(s, STR("https://")) ||
           begins_with(s, STR("mailto:")) || begins_with(s, STR("//"));
}

static bool is_open(const struct sanitise_work *work, unsigned role)
{
    for (size_t i = 0; i < work->depth; i++)
        if ((work->open[i]->role & role) != 0)
            return true;
    return false;
}

static void push(struct sanitise_work *work, const struct element *element)
{
    work->open[work->depth++] = element;
}

static void pop(struct sanitise_work *work)
{
    buf_add(work->out, STR("</"));
    buf_add(work->out, work->open[--work->depth]->instead);
    buf_add_char(work->out, '>');
}

static void pop_to(struct sanitise_work *work, size_t depth)
{
    while (work->depth > depth)
        pop(work);
}

/* Ends what the beginning of this element ends in html: a paragraph before a block, an
 * item before the next item of the same list, a cell before the next cell. */
static void end_implied(struct sanitise_work *work, const struct element *element)
{
    size_t depth = work->depth;

    for (size_t i = work->depth; i > 0; i--) {
        const struct element *open = work->open[i - 1];
        bool same = (element->role & SIBLING) != 0 && open == element;
        bool paragraph = (element->role & BLOCK) != 0 && str_eq(open->name, STR("p"));
        if (same || paragraph)
            depth = i - 1;
        if ((open->role & (SCOPE | SIBLING)) != 0)
            break;
    }
    pop_to(work, depth);
}

static void add_address(struct sanitise_work *work, struct buf *out)
{
    struct str address = str_trim(buf_str(&work->value));

    if (begins_with(address, STR("//")))
        buf_add(out, STR("https:"));
    buf_add_xml(out, address);
}

/* Reads an attribute that is the address of something into work->value. */
static bool read_address(struct sanitise_work *work, struct str tag, struct str name)
{
    return read_attribute(work, tag, name) && is_address(str_trim(buf_str(&work->value)));
}

/* To what work->value says. */
static void begin_link(struct sanitise_work *work)
{
    work->link = work->out->len;
    work->imaged = false;
    buf_add(work->out, STR("<a href=\""));
    add_address(work, work->out);
    buf_add(work->out, STR("\" rel=\"noopener noreferrer nofollow\" target=\"_blank\">"));
}

/* Says in the link which image is in it, the one in work->value; when the link leads to
 * that very image, its own address tells. A link is of the first image in it. */
static void mark_link(struct sanitise_work *work)
{
    struct buf *out = work->out, tail = {0}, address = {0};
    size_t href = work->link + STR("<a ").len, at = href + STR("href=\"").len;

    if (work->imaged)
        return;
    work->imaged = true;
    add_address(work, &address);
    buf_add(&tail, str_slice(buf_str(out), href, out->len));
    bool same = out->len - at > address.len && out->ptr[at + address.len] == '"' &&
                memcmp(out->ptr + at, address.ptr, address.len) == 0;
    out->len = work->link;
    buf_add(out, STR(TEXT_SANITISE_IMAGE));
    if (!same) {
        buf_add(out, STR("data-image=\""));
        buf_add(out, buf_str(&address));
        buf_add(out, STR("\" "));
    }
    buf_add(out, buf_str(&tail));
    buf_free(&tail);
    buf_free(&address);
}

static void begin_anchor(struct sanitise_work *work, const struct element *element,
                         struct str tag)
{
    bool image = read_attribute(work, tag, STR("class")) &&
                 str_eq(buf_str(&work->value), STR("image"));

    if (is_open(work, LINK) || !read_address(work, tag, STR("href")))
        return;
    begin_link(work);
    push(work, element);
    if (image && (read_address(work, tag, STR("data-image")) ||
                  read_address(work, tag, STR("href"))))
        mark_link(work);
}

static void add_image(struct sanitise_work *work, struct str tag)
{
    bool within = is_open(work, LINK), link = false;

    if ((within || work->depth < TEXT_SANITISE_DEPTH_MAX) &&
        read_address(work, tag, STR("src"))) {
        link = !within;
        if (link)
            begin_link(work);
        mark_link(work);
    }
    buf_add(work->out, STR("[image"));
    if (read_attribute(work, tag, STR("alt")) && work->value.len > 0) {
        buf_add(work->out, STR(": "));
        buf_add_xml(work->out, buf_str(&work->value));
    }
    buf_add(work->out, link ? STR("]</a>") : STR("]"));
}

enum { LANGUAGE_MAX_LEN = 20 };

/* The name in "prettyprint lang-py", or "language-c++"; empty: none. */
static struct str find_language(struct str words)
{
    static const struct str prefixes[] = {STR_INIT("language-"), STR_INIT("lang-"),
                                          STR_INIT("highlight-source-")};

    for (size_t at = 0, end; at < words.len; at = end + 1) {
        end = at;
        while (end < words.len && !is_space(words.ptr[end]))
            end++;
        struct str word = str_slice(words, at, end);
        for (size_t i = 0; i < ROWS_OF(prefixes); i++)
            if (begins_with(word, prefixes[i]))
                return str_slice(word, prefixes[i].len, word.len);
    }
    return (struct str){0};
}

static bool is_language(struct str name)
{
    for (size_t i = 0; i < name.len; i++) {
        char c = lower(name.ptr[i]);
        if (!(c >= 'a' && c <= 'z') && !(c >= '0' && c <= '9') && c != '+' && c != '#' &&
            c != '-')
            return false;
    }
    return name.len > 0 && name.len <= LANGUAGE_MAX_LEN;
}

/* Which language code is in, so that a page can colour it. */
static void add_language(struct sanitise_work *work, struct str tag)
{
    struct str name = {0};

    if (read_attribute(work, tag, STR("class")))
        name = find_language(buf_str(&work->value));
    if (name.len == 0 && read_attribute(work, tag, STR("lang")))
        name = buf_str(&work->value);
    if (name.len == 0)
        name = buf_str(&work->language);
    if (is_language(name)) {
        buf_add(work->out, STR(" class=\"lang-"));
        for (size_t i = 0; i < name.len; i++)
            buf_add_char(work->out, lower(name.ptr[i]));
        buf_add_char(work->out, '"');
    }
    buf_clear(&work->language);
}

/* Stack Exchange's "<!-- language: lang-js -->" before a block of code. */
static void take_comment(struct sanitise_work *work, struct str comment)
{
    struct str name = str_slice(comment, STR("!-- language:").len, comment.len);
    size_t len = 0;

    name = str_trim(name);
    while (len < name.len && !is_space(name.ptr[len]))
        len++;
    struct str word = str_slice(name, 0, len), found = find_language(word);
    buf_clear(&work->language);
    buf_add(&work->language, found.len > 0 ? found : word);
}

static void begin(struct sanitise_work *work, const struct element *element,
                  struct str tag)
{
    if ((element->role & IMAGE) != 0) {
        add_image(work, tag);
        return;
    }
    end_implied(work, element);
    if (work->depth == TEXT_SANITISE_DEPTH_MAX)
        return;
    if ((element->role & LINK) != 0) {
        begin_anchor(work, element, tag);
        return;
    }
    buf_add_char(work->out, '<');
    buf_add(work->out, element->instead);
    if ((element->role & CODE) != 0)
        add_language(work, tag);
    buf_add_char(work->out, '>');
    if ((element->role & VOID) == 0)
        push(work, element);
}

/* An end without beginning is left out; so is one that would end a list or table around
 * the element it stands in. */
static void end(struct sanitise_work *work, const struct element *element)
{
    for (size_t i = work->depth; i > 0; i--) {
        if (str_eq(work->open[i - 1]->instead, element->instead)) {
            pop_to(work, i - 1);
            return;
        }
        if ((work->open[i - 1]->role & SCOPE) != 0 && (element->role & SCOPE) == 0)
            return;
    }
}

/* Where the text goes on behind the end tag of a hidden element that begins before `at`;
 * without an end it is only the tag that goes, so that no text of a post is lost. */
static size_t skip_hidden(struct sanitise_work *work, size_t at,
                          const struct element *element)
{
    bool *endless = &work->endless[element - elements];

    for (size_t i = at; !*endless && i + 1 < work->html.len; i++) {
        struct str rest = str_slice(work->html, i, work->html.len);
        if (rest.ptr[0] != '<' || rest.ptr[1] != '/' ||
            find(str_slice(rest, 2, rest.len)) != element)
            continue;
        const char *close = memchr(rest.ptr, '>', rest.len);
        if (close != NULL)
            return (size_t)(close + 1 - work->html.ptr);
    }
    *endless = true;
    return at;
}

static void add_characters(struct buf *out, const struct text_markup *markup)
{
    for (size_t i = 0; i < markup->count; i++) {
        char bytes[4];
        uint32_t code = markup->codes[i] == 0 ? TEXT_UTF8_REPLACEMENT : markup->codes[i];
        struct str one = {bytes, text_utf8_write(code, bytes)};
        buf_add_xml(out, one);
    }
}

/* Handles what begins at `at`, a '<' or '&'; where the text goes on. */
static size_t take(struct sanitise_work *work, struct text_markup_source *source,
                   size_t at)
{
    struct text_markup markup = text_markup_read(source, at);
    bool closing = markup.closing;

    if (markup.count > 0) {
        add_characters(work->out, &markup);
        return markup.end;
    }
    struct str tag = str_slice(work->html, at + 1 + closing, markup.end);
    const struct element *element = find(tag);
    if (begins_with(tag, STR("!-- language:")))
        take_comment(work, tag);
    if (element == NULL)
        return markup.end;
    if ((element->role & HIDDEN) != 0)
        return closing ? markup.end : skip_hidden(work, markup.end, element);
    if (closing)
        end(work, element);
    else
        begin(work, element, tag);
    return markup.end;
}

/* Line ends and tabs stay as they are, for code. */
static void add_run(struct buf *out, struct str run)
{
    for (size_t i = 0; i < run.len; i++)
        if (run.ptr[i] == '>')
            buf_add(out, STR("&gt;"));
        else if (run.ptr[i] == '"')
            buf_add(out, STR("&quot;"));
        else
            buf_add_char(out, run.ptr[i]);
}

void text_sanitise_html(struct str html, struct buf *out)
{
    struct buf repaired = {0};
    text_utf8_repair(html, &repaired);
    struct sanitise_work work = {.html = buf_str(&repaired), .out = out};
    struct text_markup_source source = {.text = work.html};

    for (size_t at = 0; at < work.html.len;) {
        size_t run = at;
        while (run < work.html.len && work.html.ptr[run] != '<' &&
               work.html.ptr[run] != '&')
            run++;
        add_run(out, str_slice(work.html, at, run));
        at = run < work.html.len ? take(&work, &source, run) : run;
    }
    pop_to(&work, 0);
    buf_free(&work.value);
    buf_free(&work.language);
    buf_free(&repaired);
}
