/* One pass over the markup, writing both forms. */
#include "report/internal.h"

#include <assert.h>
#include <math.h>

#include "base/date.h"
#include "report/page.h"

static const struct result_number *number_at(const struct report_prose *prose,
                                             struct str address)
{
    struct buf name = {0};
    const struct result_number *found = NULL;

    for (size_t n = 0; n < prose->number_count && found == NULL; n++) {
        const struct result_numbers *numbers = &prose->numbers[n];
        if (!str_starts(address, numbers->step))
            continue;
        for (size_t i = 0; i < numbers->count && found == NULL; i++) {
            buf_clear(&name);
            report_page_address(numbers->step, &numbers->at[i], &name);
            if (str_eq(buf_str(&name), address))
                found = &numbers->at[i];
        }
    }
    buf_free(&name);
    return found;
}

double report_prose_value(const struct report_prose *prose, const char *address, ...)
{
    struct buf name = {0};
    va_list arguments;

    va_start(arguments, address);
    buf_add_arguments(&name, address, arguments);
    va_end(arguments);
    const struct result_number *number = number_at(prose, buf_str(&name));
    buf_free(&name);
    return number != NULL ? number->value : NAN;
}

void report_prose_text(struct report_prose *prose, struct str text)
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
void report_prose_code(struct report_prose *prose, struct str text)
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

static void add_number(struct report_prose *prose, struct str text)
{
    struct str rest = text, address, one, many;
    bool nouns = str_cut(&rest, '|', &address), plain = str_starts(address, STR("="));
    double value = NAN;

    if (plain)
        str_to_real(str_slice(address, 1, address.len), &value);
    else {
        const struct result_number *number = number_at(prose, address);
        value = number != NULL ? number->value : NAN;
    }
    report_page_number(value, prose->markdown);
    if (prose->latex != NULL && plain)
        report_page_number(value, prose->latex);
    else if (prose->latex != NULL)
        buf_add_format(prose->latex, "\\assay{%.*s}", STR_ARG(address));
    if (nouns) {
        str_cut(&rest, '|', &one);
        str_cut(&rest, '|', &many);
        report_prose_text(prose, STR(" "));
        report_prose_text(prose, value == 1 ? one : many);
    }
}

void report_prose_add(struct report_prose *prose, const char *format, ...)
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
        report_prose_text(prose, str_slice(all, begin, at));
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
            report_prose_code(prose, inner);
        begin = end + 1;
    }
    buf_free(&text);
}

void report_prose_day(struct report_prose *prose, int64_t ms)
{
    static const char *const months[] = {"January",   "February", "March",    "April",
                                         "May",       "June",     "July",     "August",
                                         "September", "October",  "November", "December"};
    struct date date = date_to_civil(ms);

    report_prose_add(prose, "%d %s %d", date.day, months[date.month - 1], date.year);
}

static void add_both(struct report_prose *prose, const char *markdown, const char *latex)
{
    buf_add(prose->markdown, str_from(markdown));
    if (prose->latex != NULL)
        buf_add(prose->latex, str_from(latex));
}

void report_prose_title(struct report_prose *prose, int level, const char *title)
{
    static const char *const commands[] = {"section", "subsection", "paragraph"};

    buf_add_format(prose->markdown, "%.*s %s\n\n", level, "####", title);
    if (prose->latex != NULL)
        buf_add_format(prose->latex, "\\%s{%s}\n", commands[level - 1], title);
}

void report_prose_end(struct report_prose *prose)
{
    add_both(prose, "\n\n", "\n\n");
}

void report_prose_list(struct report_prose *prose)
{
    add_both(prose, "", "\\begin{itemize}");
}

void report_prose_point(struct report_prose *prose)
{
    struct str so_far = buf_str(prose->markdown);

    add_both(prose, so_far.len > 0 && !str_ends(so_far, STR("\n")) ? "\n- " : "- ",
             "\n\\item ");
}

void report_prose_list_end(struct report_prose *prose)
{
    add_both(prose, "\n\n", "\n\\end{itemize}\n\n");
}

const char *report_prose_between(size_t i, size_t count)
{
    return i == 0 ? "" : i + 1 == count ? " and " : ", ";
}
