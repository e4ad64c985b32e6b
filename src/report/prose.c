/* One pass over the markup, writing both forms. */
#include "report/prose.h"

#include <assert.h>
#include <math.h>

#include "base/date.h"
#include "report/page.h"

static const struct number *number_at(const struct prose *prose, struct str address)
{
    struct buf name = {0};
    const struct number *found = NULL;

    for (size_t n = 0; n < prose->number_count && found == NULL; n++) {
        const struct numbers *numbers = &prose->numbers[n];
        if (!str_starts(address, numbers->step))
            continue;
        for (size_t i = 0; i < numbers->count && found == NULL; i++) {
            buf_clear(&name);
            page_address(numbers->step, &numbers->at[i], &name);
            if (str_eq(buf_str(&name), address))
                found = &numbers->at[i];
        }
    }
    buf_free(&name);
    return found;
}

double prose_value(const struct prose *prose, const char *address, ...)
{
    struct buf name = {0};
    va_list arguments;

    va_start(arguments, address);
    buf_add_arguments(&name, address, arguments);
    va_end(arguments);
    const struct number *number = number_at(prose, buf_str(&name));
    buf_free(&name);
    return number != NULL ? number->value : NAN;
}

void prose_text(struct prose *prose, struct str text)
{
    for (size_t i = 0; i < text.len; i++) {
        if (memchr("\\`*_<[]#", text.ptr[i], 8) != NULL)
            buf_add_char(prose->markdown, '\\');
        buf_add_char(prose->markdown, text.ptr[i] == '\n' ? ' ' : text.ptr[i]);
    }
    if (prose->latex != NULL)
        buf_add_latex(prose->latex, text);
}

/* A text with a backtick stands between two of them. */
void prose_code(struct prose *prose, struct str text)
{
    struct str fence =
        text.len > 0 && memchr(text.ptr, '`', text.len) != NULL ? STR("`` ") : STR("`");

    buf_add(prose->markdown, fence);
    for (size_t i = 0; i < text.len; i++)
        buf_add_char(prose->markdown, text.ptr[i] == '\n' ? ' ' : text.ptr[i]);
    buf_add(prose->markdown, fence.len > 1 ? STR(" ``") : fence);
    if (prose->latex != NULL) {
        buf_add(prose->latex, STR("\\texttt{"));
        buf_add_latex(prose->latex, text);
        buf_add_char(prose->latex, '}');
    }
}

static void add_number(struct prose *prose, struct str text)
{
    struct str rest = text, address, one, many;
    bool nouns = str_cut(&rest, '|', &address), plain = str_starts(address, STR("="));
    double value = NAN;

    if (plain)
        str_to_real(str_slice(address, 1, address.len), &value);
    else {
        const struct number *number = number_at(prose, address);
        value = number != NULL ? number->value : NAN;
    }
    page_number(value, prose->markdown);
    if (prose->latex != NULL && plain)
        page_number(value, prose->latex);
    else if (prose->latex != NULL)
        buf_add_format(prose->latex, "\\assay{%.*s}", STR_ARG(address));
    if (nouns) {
        str_cut(&rest, '|', &one);
        str_cut(&rest, '|', &many);
        prose_text(prose, STR(" "));
        prose_text(prose, value == 1 ? one : many);
    }
}

void prose_add(struct prose *prose, const char *format, ...)
{
    struct buf text = {0};
    va_list arguments;
    size_t begin = 0;

    va_start(arguments, format);
    buf_add_arguments(&text, format, arguments);
    va_end(arguments);
    struct str all = buf_str(&text);
    while (begin < all.len) {
        size_t at = begin, end;
        while (at < all.len && all.ptr[at] != '`' && all.ptr[at] != '{')
            at++;
        prose_text(prose, str_slice(all, begin, at));
        if (at == all.len)
            break;
        for (end = at + 1;
             end < all.len && all.ptr[end] != (all.ptr[at] == '{' ? '}' : '`');)
            end++;
        assert(end < all.len); /* a format that does not close what it opens */
        struct str inner = str_slice(all, at + 1, end);
        if (all.ptr[at] == '{')
            add_number(prose, inner);
        else
            prose_code(prose, inner);
        begin = end + 1;
    }
    buf_free(&text);
}

void prose_day(struct prose *prose, int64_t ms)
{
    static const char *const months[] = {"January",   "February", "March",    "April",
                                         "May",       "June",     "July",     "August",
                                         "September", "October",  "November", "December"};
    struct date date = date_to_civil(ms);

    prose_add(prose, "%d %s %d", date.day, months[date.month - 1], date.year);
}

static void add_both(struct prose *prose, const char *markdown, const char *latex)
{
    buf_add(prose->markdown, str_from(markdown));
    if (prose->latex != NULL)
        buf_add(prose->latex, str_from(latex));
}

void prose_title(struct prose *prose, int level, const char *title)
{
    static const char *const commands[] = {"section", "subsection", "paragraph"};

    buf_add_format(prose->markdown, "%.*s %s\n\n", level, "####", title);
    if (prose->latex != NULL)
        buf_add_format(prose->latex, "\\%s{%s}\n", commands[level - 1], title);
}

void prose_end(struct prose *prose)
{
    add_both(prose, "\n\n", "\n\n");
}

void prose_list(struct prose *prose)
{
    add_both(prose, "", "\\begin{itemize}");
}

void prose_point(struct prose *prose)
{
    struct str so_far = buf_str(prose->markdown);

    add_both(prose, so_far.len > 0 && !str_ends(so_far, STR("\n")) ? "\n- " : "- ",
             "\n\\item ");
}

void prose_list_end(struct prose *prose)
{
    add_both(prose, "\n\n", "\n\\end{itemize}\n\n");
}

const char *prose_between(size_t i, size_t count)
{
    return i == 0 ? "" : i + 1 == count ? " and " : ", ";
}
