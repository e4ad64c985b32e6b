/* The draft of an article that holds all results. It names the files of out/ and repeats
 * none of them, so that it can be edited and stays right. */
#include "report/internal.h"

struct article {
    const struct report_page_inputs *inputs;
    struct buf *out;
    size_t floats; /* since the last that were flushed: LaTeX keeps few of them */
};

static void add_filled(struct article *article, struct str text)
{
    const struct report_page_inputs *inputs = article->inputs;
    struct arena arena = {0};
    size_t count;
    const struct verify_piece *pieces = verify_fill(
        inputs->study, inputs->numbers, inputs->number_count, text, &arena, &count);

    for (size_t i = 0; i < count; i++)
        if (pieces[i].wrong.len > 0)
            buf_add(article->out, STR("\\textbf{??}"));
        else
            buf_add_latex(article->out, pieces[i].text);
    arena_free(&arena);
}

static void add_paragraph(struct article *article, const char *before, struct str text,
                          const char *after)
{
    if (text.len == 0)
        return;
    buf_add_format(article->out, "%s", before);
    add_filled(article, text);
    buf_add_format(article->out, "%s\n", after);
}

static void count_float(struct article *article)
{
    enum { FLOATS_MAX = 8 };

    if (++article->floats % FLOATS_MAX == 0)
        buf_add(article->out, STR("\\clearpage\n"));
}

static void add_figure(struct article *article, const struct study_figure *figure)
{
    const char *star = figure->two_columns ? "*" : "";

    buf_add_format(article->out,
                   "\\begin{figure%s}\n\\centering\n\\assayfigure{figures/%.*s.pdf}\n"
                   "\\caption{",
                   star, STR_ARG(figure->name));
    buf_add_latex(article->out, figure->title.len > 0 ? figure->title : figure->name);
    buf_add_format(article->out, "}\n\\label{fig:%.*s}\n\\end{figure%s}\n",
                   STR_ARG(figure->name), star);
}

/* What waits for labels has no file. */
static void add_result(struct article *article, int kind, size_t i)
{
    const struct report_page_inputs *inputs = article->inputs;
    const struct study *study = inputs->study;
    const struct str *made = kind == REPORT_TESTS    ? inputs->tests
                             : kind == REPORT_TABLES ? inputs->tables
                                                     : inputs->figures;

    if (made[i].ptr == NULL)
        return;
    if (kind == REPORT_TESTS) {
        const struct study_test *test = &study->tests[i];
        buf_add(article->out, STR("\\paragraph{"));
        buf_add_latex(article->out, test->title.len > 0 ? test->title : test->name);
        buf_add_format(article->out, "}\n\\input{tests/%.*s.tex}\n", STR_ARG(test->name));
        return;
    }
    if (kind == REPORT_TABLES)
        buf_add_format(article->out, "\\input{tables/%.*s.tex}\n",
                       STR_ARG(study->tables[i].name));
    else
        add_figure(article, &study->figures[i]);
    count_float(article);
}

static void add_question(struct article *article, size_t q)
{
    const struct study *study = article->inputs->study;
    const struct study_question *question = &study->questions[q];
    struct buf *out = article->out;

    buf_add(out, STR("\n\\section{"));
    buf_add_latex(out, question->name);
    buf_add(out, STR(": "));
    buf_add_latex(out, question->asks);
    buf_add(out, STR("}\n"));
    add_paragraph(article, "", question->method, "\n");
    for (int kind = 0; kind < REPORT_RESULT_KINDS; kind++) {
        size_t count;
        const size_t *results = report_results_of(question, kind, &count);
        for (size_t i = 0; i < count; i++)
            if (report_question_of(study, kind, results[i]) == q)
                add_result(article, kind, results[i]);
    }
    for (size_t i = 0; i < question->finding_count; i++) {
        buf_add_format(out,
                       "\\begin{center}\\fbox{\\parbox{0.93\\linewidth}{\\textbf{Finding "
                       "%zu.} ",
                       i + 1);
        add_filled(article, question->findings[i]);
        buf_add(out, STR("}}\\end{center}\n"));
    }
    add_paragraph(article, "\n\\textbf{Answer.} ", question->answer, "");
    for (size_t i = 0; i < question->threat_count; i++)
        add_paragraph(article, "\n\\textbf{Threat.} ", question->threats[i], "");
}

static void add_further(struct article *article)
{
    const struct study *study = article->inputs->study;
    const size_t counts[] = {[REPORT_TABLES] = study->table_count,
                             [REPORT_FIGURES] = study->figure_count,
                             [REPORT_TESTS] = study->test_count};
    bool any = false;

    for (int kind = 0; kind < REPORT_RESULT_KINDS; kind++)
        for (size_t i = 0; i < counts[kind]; i++) {
            if (report_question_of(study, kind, i) < study->question_count)
                continue;
            if (!any)
                buf_add_format(article->out, "\n\\section{%s}\n",
                               study->question_count > 0 ? "Further results" : "Results");
            any = true;
            add_result(article, kind, i);
        }
}

void report_article(const struct report_page_inputs *inputs, struct buf *out)
{
    struct article article = {inputs, out, 0};
    const struct study *study = inputs->study;

    buf_add(out,
            STR("% All tables, figures and tests of the study: pdflatex article.tex "
                "in out/, or take what\n% you need. Copy it before you edit it.\n"
                "\\documentclass{article}\n"
                "\\ifdefined\\pdftexversion\n"
                "% Cyrillic and Greek, where their fonts are (Debian: "
                "texlive-lang-cyrillic, texlive-lang-greek).\n"
                "\\IfFileExists{t2aenc.def}{\\usepackage[T2A]{fontenc}}{}\n"
                "\\usepackage[T1]{fontenc}\n\\usepackage[utf8]{inputenc}\n"
                "\\IfFileExists{textalpha.sty}{\\usepackage{textalpha}}{}\n"
                "% Letters for which pdflatex has no font (Chinese, emoji) become boxes; "
                "xelatex and lualatex take any\n% font.\n"
                "\\makeatletter\n\\def\\assaybox#1{\\GenericWarning{}{"
                "LaTeX Warning: no font of pdflatex has\n  \\string#1, a box is printed; "
                "xelatex and lualatex take any font}\\framebox{\\phantom{x}}}\n"
                "\\let\\UTFviii@undefined@err\\assaybox\n"
                "\\renewcommand{\\TextSymbolUnavailable}[1]{\\ifcsname "
                "T2A\\string#1\\endcsname\n  {\\fontencoding{T2A}\\selectfont#1}\\else"
                "\\assaybox{#1}\\fi}\n\\makeatother\n"
                "\\else\n\\usepackage{fontspec}\n"
                "% Name a font that has your letters, as Noto Serif CJK SC or "
                "WenQuanYi Micro Hei:\n%\\setmainfont{...}\n\\fi\n"
                "\\usepackage{booktabs,graphicx}\n"
                "\\input{numbers.tex}\n"
                "% As large as it is, but for what would be wider than the column.\n"
                "\\newcommand{\\assayfits}[1]{\\includegraphics[width=\\linewidth,"
                "height=.8\\textheight,keepaspectratio]{#1}}\n"
                "\\newcommand{\\assayfigure}[1]{\\setbox0\\hbox{\\includegraphics{#1}}"
                "\\ifdim\\wd0>\\linewidth\n  \\assayfits{#1}"
                "\\else\\ifdim\\ht0>.8\\textheight\n  \\assayfits{#1}"
                "\\else\\box0\\fi\\fi}\n\\title{"));
    buf_add_latex(out, study->title.len > 0 ? study->title : study->name);
    buf_add(out, STR("}\n\\author{"));
    for (size_t i = 0; i < study->author_count; i++) {
        buf_add(out, i > 0 ? STR(" \\and ") : STR(""));
        buf_add_latex(out, study->authors[i]);
    }
    buf_add(out, STR("}\n\\begin{document}\n\\maketitle\n"
                     "\\sloppy\n"
                     "\\IfFileExists{methods.tex}{\\section{Questions and methods}\n"
                     "\\input{methods.tex}}{} "
                     "% assay report --methods\n"));
    if (study->set_count > 0)
        buf_add(out, STR("\n\\section{Selection}\n"));
    for (size_t i = 0; i < study->set_count; i++) {
        buf_add_format(out, "\\InputIfFileExists{funnels/%.*s.tex}{}{}\n",
                       STR_ARG(study->sets[i].name));
        count_float(&article);
    }
    for (size_t q = 0; q < study->question_count; q++)
        add_question(&article, q);
    add_further(&article);
    buf_add(out, STR("\\end{document}\n"));
}
