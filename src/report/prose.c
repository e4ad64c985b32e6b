/* Fills in the text of src/report/prose/ and writes both forms in one pass. Mistakes in
 * that text are ours, so that they are asserted and not reported. */
#include "report/internal.h"

#include <assert.h>
#include <math.h>

#include "base/date.h"

extern const unsigned char report_prose_parts[];
extern const size_t report_prose_parts_len;

/* Facts. */

static struct report_fact *add_fact(struct report_scope *scope, struct report_fact fact)
{
    struct report_fact *added = arena_array(scope->arena, struct report_fact, 1);

    *added = fact;
    added->next = scope->facts;
    return scope->facts = added;
}

void report_text(struct report_scope *scope, const char *name, struct str text)
{
    add_fact(scope, (struct report_fact){name, text, .number = (double)text.len});
}

void report_number(struct report_scope *scope, const char *name, double number)
{
    add_fact(scope, (struct report_fact){name, .number = number, .kind = REPORT_NUMBER});
}

void report_count(struct report_scope *scope, const char *name, size_t count)
{
    report_number(scope, name, (double)count);
}

void report_format(struct report_scope *scope, const char *name, bool holds,
                   const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    report_text(scope, name,
                holds ? arena_format_arguments(scope->arena, format, arguments)
                      : STR(""));
    va_end(arguments);
}

void report_day(struct report_scope *scope, const char *name, bool holds, int64_t ms)
{
    static const char *const months[] = {"January",   "February", "March",    "April",
                                         "May",       "June",     "July",     "August",
                                         "September", "October",  "November", "December"};
    struct date date = date_to_civil(ms);

    report_format(scope, name, holds, "%d %s %d", date.day, months[date.month - 1],
                  date.year);
}

/* NULL: there is none. */
static const struct result_number *number_at(const struct report_scope *scope,
                                             struct str address)
{
    const struct report_prose *prose = scope->prose;

    for (size_t n = 0; n < prose->number_count; n++) {
        struct str step = prose->numbers[n].step;
        size_t count = 0;
        struct str rest = str_slice(address, step.len + 1, address.len);
        const struct result_number **found =
            str_starts(address, step) && rest.len > 0 && address.ptr[step.len] == '.'
                ? result_numbers_find(&prose->numbers[n], rest, scope->arena, &count)
                : NULL;
        if (count > 0)
            return found[0];
    }
    return NULL;
}

double report_address(struct report_scope *scope, const char *name, const char *format,
                      ...)
{
    va_list arguments;

    va_start(arguments, format);
    struct str address = arena_format_arguments(scope->arena, format, arguments);
    va_end(arguments);
    const struct result_number *at = number_at(scope, address);
    double value = at != NULL ? at->value : NAN;
    add_fact(scope, (struct report_fact){name, address, value, .kind = REPORT_ADDRESS,
                                         .at = at});
    return value;
}

void report_list(struct report_scope *scope, const char *name)
{
    add_fact(scope, (struct report_fact){name, .kind = REPORT_LIST});
}

static struct report_fact *fact_in(const struct report_scope *scope, struct str name)
{
    struct report_fact *fact = scope->facts;

    while (fact != NULL && !str_eq(str_from(fact->name), name))
        fact = fact->next;
    return fact;
}

struct report_scope *report_one(struct report_scope *scope, const char *list)
{
    struct report_fact *fact = fact_in(scope, str_from(list));
    struct report_scope *one = arena_array(scope->arena, struct report_scope, 1);

    *one = (struct report_scope){scope->arena, scope->prose, .outer = scope,
                                 .place = (size_t)fact->number++};
    if (fact->last != NULL)
        fact->last->next = one;
    else
        fact->first = one;
    return fact->last = one;
}

const struct report_fact *report_find(const struct report_scope *scope, struct str name)
{
    const struct report_fact *fact = NULL;

    for (; scope != NULL && fact == NULL; scope = scope->outer)
        fact = fact_in(scope, name);
    return fact;
}

/* Writing. */

struct pen {
    const struct report_prose *prose;
    enum { NOTHING, PARAGRAPH, POINTS } inside;
    bool fresh, blank; /* nothing stands in it yet; a blank is due */
    size_t box;        /* where a box can be ticked */
    struct str title;  /* of the third level, due */
};

static void add_both(struct pen *pen, const char *markdown, const char *latex)
{
    buf_add(pen->prose->markdown, str_from(markdown));
    if (pen->prose->latex != NULL)
        buf_add(pen->prose->latex, str_from(latex));
}

static void end_block(struct pen *pen)
{
    if (pen->inside == PARAGRAPH)
        add_both(pen, "\n\n", "\n\n");
    if (pen->inside == POINTS)
        add_both(pen, "\n\n", "\n\\end{itemize}\n\n");
    pen->inside = NOTHING;
    pen->blank = false;
}

static void add_title(struct pen *pen, int level, struct str title)
{
    static const char *const commands[] = {"section", "subsection", "paragraph"};

    buf_add_format(pen->prose->markdown, "%.*s %.*s\n\n", level, "###", STR_ARG(title));
    if (pen->prose->latex != NULL)
        buf_add_format(pen->prose->latex, "\\%s{%.*s}\n", commands[level - 1],
                       STR_ARG(title));
    pen->title = STR("");
}

/* Whatever is due before words. */
static void begin_words(struct pen *pen)
{
    if (pen->title.len > 0)
        add_title(pen, 3, pen->title);
    if (pen->inside == NOTHING)
        pen->inside = PARAGRAPH;
    else if (pen->blank && !pen->fresh)
        add_both(pen, " ", " ");
    pen->blank = pen->fresh = false;
}

static void add_words(struct pen *pen, struct str text)
{
    struct buf *markdown = pen->prose->markdown;

    if (text.len == 0)
        return;
    begin_words(pen);
    for (size_t i = 0; i < text.len; i++) {
        if (memchr("\\`*_<[]#", text.ptr[i], 8) != NULL)
            buf_add_char(markdown, '\\');
        buf_add_char(markdown, text.ptr[i] == '\n' ? ' ' : text.ptr[i]);
    }
    if (pen->prose->latex != NULL)
        buf_add_latex(pen->prose->latex, text);
}

/* A text with a backtick stands between two of them. */
static void add_code(struct pen *pen, struct str text)
{
    struct buf *markdown = pen->prose->markdown, *latex = pen->prose->latex;
    bool fenced = text.len > 0 && memchr(text.ptr, '`', text.len) != NULL;

    begin_words(pen);
    buf_add(markdown, fenced ? STR("`` ") : STR("`"));
    for (size_t i = 0; i < text.len; i++)
        buf_add_char(markdown, text.ptr[i] == '\n' ? ' ' : text.ptr[i]);
    buf_add(markdown, fenced ? STR(" ``") : STR("`"));
    if (latex != NULL) {
        buf_add(latex, STR("\\texttt{"));
        buf_add_latex(latex, text);
        buf_add_char(latex, '}');
    }
}

static void begin_point(struct pen *pen)
{
    if (pen->title.len > 0)
        add_title(pen, 3, pen->title);
    add_both(pen, pen->inside == POINTS ? "\n- " : "- ",
             pen->inside == POINTS ? "\n\\item " : "\\begin{itemize}\n\\item ");
    pen->inside = POINTS;
    pen->fresh = true;
}

/* What a line begins with, at the line break before it; the result is behind that. */
static size_t begin_line(struct pen *pen, struct str text, size_t at)
{
    size_t begin = at + 1, end;

    while (begin < text.len && text.ptr[begin] == ' ')
        begin++;
    struct str line = str_slice(text, begin, text.len);
    for (end = begin; end < text.len && text.ptr[end] != '\n';)
        end++;
    pen->blank = true;
    if (str_starts(line, STR("\n")))
        end_block(pen);
    else if (str_starts(line, STR("//")))
        return end;
    else if (str_starts(line, STR("- "))) {
        begin_point(pen);
        begin += 2;
        if (str_starts(line, STR("- [ ] "))) {
            buf_add(pen->prose->markdown, STR("[ ] "));
            pen->box = pen->prose->markdown->len - 3;
            begin += 4;
        }
    } else if (str_starts(line, STR("#"))) {
        int level = 1;
        while (line.ptr[level] == '#')
            level++;
        struct str title = str_trim(str_slice(text, begin + (size_t)level, end));
        end_block(pen);
        if (level == 3)
            pen->title = title;
        else
            add_title(pen, level, title);
        return end;
    }
    return begin;
}

static void add_literal(struct pen *pen, struct str text)
{
    size_t at = 0;

    while (at < text.len) {
        size_t end = at;
        while (end < text.len && text.ptr[end] != '\n' && text.ptr[end] != ' ' &&
               text.ptr[end] != '*')
            end++;
        add_words(pen, str_slice(text, at, end));
        if (end < text.len && text.ptr[end] == '\n')
            at = begin_line(pen, text, end);
        else if (end < text.len && text.ptr[end] == '*') {
            begin_words(pen);
            add_both(pen, "**", "");
            at = end + 2;
        } else {
            pen->blank = pen->blank || end < text.len;
            at = end + 1;
        }
    }
}

/* Reading. */

struct str report_prose_part(struct str name)
{
    struct str all = {(const char *)report_prose_parts, report_prose_parts_len}, line;
    const char *begin = NULL;

    while (all.len > 0) {
        const char *at = all.ptr;
        str_cut(&all, '\n', &line);
        if (!str_starts(line, STR("[")) || !str_ends(line, STR("]")))
            continue;
        if (begin != NULL)
            return (struct str){begin, (size_t)(at - begin)};
        if (str_eq(str_slice(line, 1, line.len - 1), name))
            begin = at + line.len;
    }
    assert(begin != NULL);
    return (struct str){begin, (size_t)(all.ptr - begin)};
}

static struct str word_of(struct str *rest)
{
    struct str word;

    str_cut(rest, ' ', &word);
    return word;
}

static const struct report_fact *fact_of(const struct report_scope *scope,
                                         struct str name)
{
    const struct report_fact *fact = report_find(scope, name);

    assert(fact != NULL);
    return fact;
}

/* "", "name", "not name", "name > 1", "name = word". */
static bool holds(struct str condition, const struct report_scope *scope)
{
    struct str name = word_of(&condition);
    bool wanted = !str_eq(name, STR("not"));
    double number = 0;

    if (name.len == 0)
        return true;
    if (!wanted)
        name = word_of(&condition);
    const struct report_fact *fact = fact_of(scope, name);
    double value = fact->number;
    struct str sign = word_of(&condition);
    if (sign.len > 0 && !str_to_real(condition, &number))
        return str_eq(fact->text, condition);
    return wanted == (str_eq(sign, STR("="))   ? value == number
                      : str_eq(sign, STR("<")) ? value < number
                                               : value > number);
}

/* What an opening brace or backtick at the beginning holds; *rest is then behind it. */
static struct str take(struct str *rest)
{
    size_t end = 1, depth = 1;
    bool brace = rest->ptr[0] == '{';

    for (;; end++) {
        assert(end < rest->len); /* what is opened is closed */
        if (brace && rest->ptr[end] == '{')
            depth++;
        else if (rest->ptr[end] == (brace ? '}' : '`') && --depth == 0)
            break;
    }
    struct str inner = str_slice(*rest, 1, end);
    *rest = str_slice(*rest, end + 1, rest->len);
    return inner;
}

static struct str write_some(struct pen *pen, struct str *rest,
                             const struct report_scope *scope, bool live);

static void add_number(struct pen *pen, const struct report_fact *fact)
{
    const struct report_prose *prose = pen->prose;

    begin_words(pen);
    if (fact->at != NULL)
        result_numbers_show(fact->at, fact->number, prose->markdown);
    else
        buf_add_number(prose->markdown, fact->number);
    if (prose->latex != NULL && fact->kind == REPORT_ADDRESS)
        buf_add_format(prose->latex, "\\assay{%.*s}", STR_ARG(fact->text));
    else if (prose->latex != NULL)
        buf_add_number(prose->latex, fact->number);
}

/* {name}, {name|one|many}, {name:one|many}. */
static void fill_in(struct pen *pen, struct str inner, const struct report_scope *scope)
{
    size_t end = 0, middle, depth = 0;

    while (end < inner.len && inner.ptr[end] != '|' && inner.ptr[end] != ':')
        end++;
    const struct report_fact *fact = fact_of(scope, str_slice(inner, 0, end));
    if (fact->kind == REPORT_TEXT)
        add_words(pen, fact->text);
    else if (end == inner.len || inner.ptr[end] == '|')
        add_number(pen, fact);
    if (end == inner.len)
        return;
    for (middle = end + 1; middle < inner.len && (inner.ptr[middle] != '|' || depth > 0);
         middle++)
        depth += (size_t)(inner.ptr[middle] == '{') - (size_t)(inner.ptr[middle] == '}');
    struct str noun = fact->number == 1 ? str_slice(inner, end + 1, middle)
                                        : str_slice(inner, middle + 1, inner.len);
    pen->blank = inner.ptr[end] == '|' || pen->blank;
    write_some(pen, &noun, scope, true);
}

static void add_quoted(struct pen *pen, struct str inner,
                       const struct report_scope *scope)
{
    struct buf text = {0};

    while (inner.len > 0)
        if (inner.ptr[0] == '{')
            buf_add(&text, fact_of(scope, take(&inner))->text);
        else {
            buf_add_char(&text, inner.ptr[0]);
            inner = str_slice(inner, 1, inner.len);
        }
    add_code(pen, buf_str(&text));
    buf_free(&text);
}

static void write_if(struct pen *pen, struct str condition, struct str *rest,
                     const struct report_scope *scope, bool live)
{
    bool done = !live;
    struct str stop;

    for (;;) {
        bool now = !done && holds(condition, scope);
        stop = write_some(pen, rest, scope, now);
        done = done || now;
        if (str_eq(word_of(&stop), STR("end")))
            return;
        word_of(&stop); /* if */
        condition = stop;
    }
}

static void write_each(struct pen *pen, struct str name, struct str *rest,
                       const struct report_scope *scope, bool live)
{
    const struct report_scope *one = live ? fact_of(scope, name)->first : NULL;
    struct str body = *rest;

    do {
        *rest = body;
        struct str stop = write_some(pen, rest, one, one != NULL);
        if (str_eq(stop, STR("between")))
            stop = write_some(pen, rest, one, one != NULL && one->next != NULL);
        assert(str_eq(stop, STR("end")));
        one = one != NULL ? one->next : NULL;
    } while (one != NULL);
}

/* Without the line break before what ends a piece. */
static struct str literal_of(struct str text, struct str rest)
{
    size_t end = text.len, breaks = 0;

    if (!str_starts(rest, STR("{end")) && !str_starts(rest, STR("{else")) &&
        !str_starts(rest, STR("{between")))
        return text;
    while (end > 0 && (text.ptr[end - 1] == '\n' || text.ptr[end - 1] == ' '))
        breaks += text.ptr[--end] == '\n';
    return breaks == 1 ? str_slice(text, 0, end) : text;
}

/* Up to the {end}, {else} or {between} that is not of something inside: that is the
 * result, with *rest behind it. */
static struct str write_some(struct pen *pen, struct str *rest,
                             const struct report_scope *scope, bool live)
{
    while (rest->len > 0) {
        size_t at = 0;
        while (at < rest->len && rest->ptr[at] != '{' && rest->ptr[at] != '`')
            at++;
        struct str text = str_slice(*rest, 0, at);
        *rest = str_slice(*rest, at, rest->len);
        if (live)
            add_literal(pen, literal_of(text, *rest));
        if (rest->len == 0)
            break;
        bool code = rest->ptr[0] == '`';
        struct str inner = take(rest), words = inner, word = word_of(&words);
        if (code && live)
            add_quoted(pen, inner, scope);
        else if (code)
            continue;
        else if (str_eq(word, STR("end")) || str_eq(word, STR("else")) ||
                 str_eq(word, STR("between")))
            return inner;
        else if (str_eq(word, STR("if")))
            write_if(pen, words, rest, scope, live);
        else if (str_eq(word, STR("each")))
            write_each(pen, words, rest, scope, live);
        else if (!live)
            continue;
        else if (str_eq(word, STR("part"))) {
            struct str part = report_prose_part(words);
            while (str_ends(part, STR("\n")))
                part.len--;
            write_some(pen, &part, scope, true);
        } else if (str_eq(word, STR("and"))) {
            pen->blank = pen->blank && scope->place == 0;
            if (scope->place > 0)
                add_literal(pen, scope->next == NULL ? STR(" and ") : STR(", "));
        } else if (str_eq(word, STR("recorded"))) {
            pen->prose->markdown->ptr[pen->box] = 'x';
            add_words(pen, word);
        } else
            fill_in(pen, inner, scope);
    }
    return STR("");
}

void report_prose_write(struct report_prose *prose, struct str text,
                        const struct report_scope *scope)
{
    struct pen pen = {.prose = prose};

    write_some(&pen, &text, scope, true);
    end_block(&pen);
}
