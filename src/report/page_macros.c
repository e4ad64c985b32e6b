/* The study's numbers for LaTeX. */
#include <math.h>

#include "report/page.h"

void report_page_number(double value, struct buf *out)
{
    if (isnan(value))
        buf_add(out, STR("–"));
    else if (value == floor(value) && fabs(value) < 1e15)
        buf_add_thousands(out, value, 0);
    else
        buf_add_format(out, "%.10g", value);
}

void report_page_address(struct str step, const struct result_number *number,
                         struct buf *out)
{
    buf_add(out, step);
    if (number->row.len > 0) {
        buf_add_char(out, '.');
        for (size_t i = 0; i < number->row.len; i++)
            buf_add_char(out, number->row.ptr[i] == '/' ? '.' : number->row.ptr[i]);
    }
    buf_add_format(out, ".%.*s", STR_ARG(number->column));
}

static void add_macro(struct str step, const struct result_number *number,
                      const char *part, double value, struct buf *out)
{
    if (isnan(value))
        return;
    buf_add(out, STR("\\assaydefine{"));
    report_page_address(step, number, out);
    buf_add_format(out, "%s}{", part);
    report_page_number(value, out);
    buf_add(out, STR("}\n"));
}

void report_page_macros(const struct result_numbers *numbers, size_t count,
                        struct buf *out)
{
    buf_add(out, STR("% Every number of the study: \\input{out/numbers.tex}, then\n"
                     "% \\assay{tables.trend.2015.count}; .percent behind a share shows "
                     "0.707 as 70.7.\n"
                     "\\makeatletter\n"
                     "\\newcommand{\\assaydefine}[2]{\\@namedef{assay@#1}{#2}}\n"
                     "\\newcommand{\\assay}[1]{\\@ifundefined{assay@#1}{\\textbf{??}\\@"
                     "latex@warning"
                     "{assay: no number #1}}{\\@nameuse{assay@#1}}}\n"
                     "\\makeatother\n"));
    for (size_t n = 0; n < count; n++)
        for (size_t i = 0; i < numbers[n].count; i++) {
            const struct result_number *number = &numbers[n].at[i];
            bool share = number->value >= 0 && number->value <= 1;
            add_macro(numbers[n].step, number, "", number->value, out);
            add_macro(numbers[n].step, number, ".low", number->low, out);
            add_macro(numbers[n].step, number, ".high", number->high, out);
            if (share)
                add_macro(numbers[n].step, number, ".percent",
                          round(number->value * 10000) / 100, out);
        }
}
