/* HTML by hand: a head, sections in the order in which a reader asks, a foot. Whatever
 * comes from the study or from posts is escaped. */
#include "report/page.h"

#include <math.h>

#include "report/internal.h"

/* The study's numbers for LaTeX: as the report shows them, and in full. */
static void add_macro(struct str step, const struct result_number *number,
                      const char *part, double value, struct buf *out)
{
    struct buf shown = {0};

    if (isnan(value))
        return;
    result_numbers_show(number, value, &shown);
    buf_add(out, STR("\\assaydefine{"));
    result_numbers_address(step, number, out);
    buf_add_format(out, "%s}{", part);
    for (size_t i = 0; i < shown.len && !isinf(value); i++) {
        char c = shown.ptr[i];
        if (c == '%')
            buf_add(out, STR("\\%"));
        else if (c == '<' || c == '-')
            buf_add_format(out, "$%c$", c);
        else
            buf_add_char(out, c);
    }
    if (isinf(value))
        buf_add_latex(out, buf_str(&shown));
    buf_add(out, STR("}{"));
    result_numbers_print(value, out);
    buf_add(out, STR("}\n"));
    buf_free(&shown);
}

static void add_percent(struct str step, const struct result_number *number,
                        struct buf *out)
{
    struct result_number percent = *number;

    percent.type = RESULT_REAL;
    add_macro(step, &percent, ".percent", number->value * 100, out);
}

void report_page_macros(const struct result_numbers *numbers, size_t count,
                        struct buf *out)
{
    buf_add(out, STR("% Every number of the study: \\input{out/numbers.tex}, then\n"
                     "% \\assay{tables.trend.2015.count} as the report shows it (1,301, "
                     "70.7\\%, < .001),\n"
                     "% \\assayexact{...} with all its digits.\n"
                     "\\makeatletter\n"
                     "\\newcommand{\\assaydefine}[3]{\\@namedef{assay@#1}{#2}"
                     "\\@namedef{assayexact@#1}{#3}}\n"
                     "\\newcommand{\\assayfind}[2]{\\@ifundefined{#1@#2}{\\textbf{??}\\@"
                     "latex@warning{assay: no number #2}}{\\@nameuse{#1@#2}}}\n"
                     "\\newcommand{\\assay}[1]{\\assayfind{assay}{#1}}\n"
                     "\\newcommand{\\assayexact}[1]{\\assayfind{assayexact}{#1}}\n"
                     "\\makeatother\n"));
    for (size_t n = 0; n < count; n++)
        for (size_t i = 0; i < numbers[n].count; i++) {
            const struct result_number *number = &numbers[n].at[i];
            add_macro(numbers[n].step, number, "", number->value, out);
            add_macro(numbers[n].step, number, ".low", number->low, out);
            add_macro(numbers[n].step, number, ".high", number->high, out);
            if (number->type == RESULT_SHARE)
                add_percent(numbers[n].step, number, out);
        }
}

/* The report's second part: tables, figures and tests, by the questions that they answer.
 */
static const char *const result_kinds[REPORT_RESULT_KINDS] = {"table", "figure", "test"};

/* Of what is not there yet; true: it is. */
static bool is_there(struct str made, struct buf *out)
{
    if (made.ptr == NULL)
        buf_add(out, STR("<p class=\"note\">Not made yet: it waits for labels.</p>\n"));
    return made.ptr != NULL;
}

static void add_table(const struct report_page_inputs *inputs, size_t i, struct buf *out)
{
    const struct study_table *table = &inputs->study->tables[i];

    buf_add_html(out, "<section id=\"table-%\">\n<h3>%</h3>\n<div class=\"scroll\">",
                 table->name, table->title.len > 0 ? table->title : table->name);
    buf_add(out, inputs->tables[i]);
    if (!is_there(inputs->tables[i], out)) {
        buf_add(out, STR("</div></section>\n"));
        return;
    }
    buf_add_html(
        out,
        "</div>\n<p class=\"note files\">As <a href=\"../tables/%.csv\">csv</a>, "
        "<a href=\"../tables/%.json\">json</a>, "
        "<a href=\"../tables/%.tex\">LaTeX</a>.</p>\n",
        table->name, table->name, table->name);
    report_page_add_made_by("tables", table->name, table->node, out);
    buf_add(out, STR("</section>\n"));
}

static void add_figure(const struct report_page_inputs *inputs, size_t i, struct buf *out)
{
    const struct study_figure *figure = &inputs->study->figures[i];
    struct str title = figure->title.len > 0 ? figure->title : figure->name;

    if (inputs->figures[i].ptr == NULL) {
        buf_add_html(out, "<figure id=\"figure-%\"><figcaption>%</figcaption>\n",
                     figure->name, title);
        (void)is_there(inputs->figures[i], out);
        buf_add(out, STR("</figure>\n"));
        return;
    }
    buf_add_format(out,
                   "<figure id=\"figure-%.*s\"%s><img src=\"../figures/%.*s.svg\" alt=\"",
                   STR_ARG(figure->name), figure->two_columns ? " class=\"wide\"" : "",
                   STR_ARG(figure->name));
    buf_add_html(out,
                 "%\">\n<figcaption>% <span class=\"note files\">"
                 "(<a href=\"../figures/%.pdf\">pdf</a>, "
                 "<a href=\"../figures/%.png\">png</a>)</span></figcaption>\n",
                 str_trim(inputs->figures[i]), title, figure->name, figure->name);
    report_page_add_made_by("figures", figure->name, figure->node, out);
    buf_add(out, STR("</figure>\n"));
}

static void add_test(const struct report_page_inputs *inputs, size_t i, struct buf *out)
{
    const struct study *study = inputs->study;
    const struct study_test *test = &study->tests[i];
    const struct yaml_node *kind = yaml_get(test->node, STR("test"));

    buf_add_html(out, "<section id=\"test-%\">\n<h3>%", test->name,
                 test->title.len > 0 ? test->title : test->name);
    if (kind != NULL && test->title.len == 0)
        buf_add_html(out, ": %", kind->text);
    buf_add(out, STR("</h3>\n"));
    if (test->table != STUDY_NONE)
        buf_add_html(out, "<p>On the numbers of <a href=\"#table-%\">%</a>.</p>\n",
                     study->tables[test->table].name, study->tables[test->table].name);
    report_page_add_scroll("results of the test", out);
    buf_add(out, inputs->tests[i]);
    (void)is_there(inputs->tests[i], out);
    buf_add(out, STR("</div>\n"));
    report_page_add_made_by("tests", test->name, test->node, out);
    buf_add(out, STR("</section>\n"));
}

static void add_families(const struct report_page_inputs *inputs, struct buf *out)
{
    for (size_t i = 0; i < inputs->study->family_count; i++) {
        buf_add_html(out,
                     "<section>\n<h3>Family %: p values adjusted for each other</h3>\n",
                     inputs->study->families[i].name);
        report_page_add_scroll("results of the family", out);
        buf_add(out, inputs->families[i]);
        buf_add(out, STR("</div></section>\n"));
    }
}

const size_t *report_results_of(const struct study_question *question, int kind,
                                size_t *count)
{
    *count = kind == REPORT_TABLES    ? question->table_count
             : kind == REPORT_FIGURES ? question->figure_count
                                      : question->test_count;
    return kind == REPORT_TABLES    ? question->tables
           : kind == REPORT_FIGURES ? question->figures
                                    : question->tests;
}

static size_t all_of(const struct study *study, int kind, const char **title)
{
    *title = kind == REPORT_TABLES    ? "Tables"
             : kind == REPORT_FIGURES ? "Figures"
                                      : "Tests";
    return kind == REPORT_TABLES    ? study->table_count
           : kind == REPORT_FIGURES ? study->figure_count
                                    : study->test_count;
}

/* The first question that a result belongs to; question_count: none. */
size_t report_question_of(const struct study *study, int kind, size_t result)
{
    for (size_t q = 0; q < study->question_count; q++) {
        size_t count;
        const size_t *results = report_results_of(&study->questions[q], kind, &count);
        for (size_t i = 0; i < count; i++)
            if (results[i] == result)
                return q;
    }
    return study->question_count;
}

static struct str name_of(const struct study *study, int kind, size_t i)
{
    return kind == REPORT_TABLES    ? study->tables[i].name
           : kind == REPORT_FIGURES ? study->figures[i].name
                                    : study->tests[i].name;
}

static void add_result(const struct report_page_inputs *inputs, int kind, size_t i,
                       struct buf *out)
{
    static void (*const add[REPORT_RESULT_KINDS])(const struct report_page_inputs *,
                                                  size_t, struct buf *) = {
        [REPORT_TABLES] = add_table,
        [REPORT_FIGURES] = add_figure,
        [REPORT_TESTS] = add_test};

    add[kind](inputs, i, out);
}

/* A number that is no longer what the text says, or is not there, is marked. */
void report_page_add_filled(const struct report_page_inputs *inputs, struct str text,
                            struct buf *out)
{
    struct arena arena = {0};
    size_t count;
    const struct verify_piece *pieces = verify_fill(
        inputs->study, inputs->numbers, inputs->number_count, text, &arena, &count);

    for (size_t i = 0; i < count; i++) {
        const struct verify_piece *piece = &pieces[i];
        if (piece->expression.len == 0)
            buf_add_html(out, "%", piece->text);
        else if (piece->wrong.len > 0)
            buf_add_html(out, "<mark title=\"%\">%</mark>", piece->wrong, piece->text);
        else if (piece->was.len > 0)
            buf_add_html(out, "<mark title=\"%\">% (% when this was written)</mark>",
                         piece->expression, piece->text, piece->was);
        else
            buf_add_html(out, "<span title=\"%\">%</span>", piece->expression,
                         piece->text);
    }
    arena_free(&arena);
}

/* "By 2 tables and a figure", with links to those that stand elsewhere. */
static void add_means(const struct report_page_inputs *inputs, size_t q, struct buf *out)
{
    const struct study *study = inputs->study;
    bool any = false;

    for (int kind = 0; kind < REPORT_RESULT_KINDS; kind++) {
        size_t count;
        const size_t *results = report_results_of(&study->questions[q], kind, &count);
        for (size_t i = 0; i < count; i++) {
            buf_add(out, any ? STR(", ") : STR("<p class=\"note\">Answered by "));
            buf_add_html(out, "<a href=\"#%-%\">% %</a>", str_from(result_kinds[kind]),
                         name_of(study, kind, results[i]), str_from(result_kinds[kind]),
                         name_of(study, kind, results[i]));
            any = true;
        }
    }
    if (any)
        buf_add(out, STR(".</p>\n"));
}

static void add_texts(const struct report_page_inputs *inputs, const struct str *texts,
                      size_t count, const char *before, const char *after,
                      struct buf *out)
{
    for (size_t i = 0; i < count; i++) {
        buf_add_format(out, "%s", before);
        report_page_add_filled(inputs, texts[i], out);
        buf_add_format(out, "%s\n", after);
    }
}

static void add_question(const struct report_page_inputs *inputs, size_t q,
                         struct buf *out)
{
    const struct study_question *question = &inputs->study->questions[q];

    buf_add_html(out, "<section class=\"question\">\n<h2 id=\"question-%\">% %</h2>\n",
                 question->name, question->name, question->asks);
    add_texts(inputs, &question->method, question->method.len > 0, "<p>", "</p>", out);
    add_means(inputs, q, out);
    add_texts(inputs, &question->answer, question->answer.len > 0,
              "<p class=\"answer\"><b>Answer.</b> ", "</p>", out);
    for (size_t i = 0; i < question->finding_count; i++) {
        buf_add_format(out, "<p class=\"finding\"><b>Finding %zu.</b> ", i + 1);
        report_page_add_filled(inputs, question->findings[i], out);
        buf_add(out, STR("</p>\n"));
    }
    for (int kind = 0; kind < REPORT_RESULT_KINDS; kind++) {
        size_t count;
        const size_t *results = report_results_of(question, kind, &count);
        if (kind == REPORT_FIGURES && count > 0)
            buf_add(out, STR("<div class=\"figures\">\n"));
        for (size_t i = 0; i < count; i++)
            if (report_question_of(inputs->study, kind, results[i]) == q)
                add_result(inputs, kind, results[i], out);
        if (kind == REPORT_FIGURES && count > 0)
            buf_add(out, STR("</div>\n"));
    }
    if (question->threat_count > 0)
        buf_add(out, STR("<h3>Threats</h3>\n"));
    add_texts(inputs, question->threats, question->threat_count, "<p>", "</p>", out);
    buf_add(out, STR("</section>\n"));
}

/* What belongs to no question. */
static void add_further(const struct report_page_inputs *inputs, int kind,
                        struct buf *out)
{
    const struct study *study = inputs->study;
    const char *title;
    size_t count = all_of(study, kind, &title), shown = 0;

    for (size_t i = 0; i < count; i++) {
        if (report_question_of(study, kind, i) < study->question_count)
            continue;
        if (shown++ == 0)
            buf_add_format(out, "<h2 id=\"%ss\">%s%s</h2>\n%s", result_kinds[kind],
                           study->question_count > 0 ? "Further results: " : "", title,
                           kind == REPORT_FIGURES ? "<div class=\"figures\">\n" : "");
        add_result(inputs, kind, i, out);
    }
    if (kind == REPORT_FIGURES && shown > 0)
        buf_add(out, STR("</div>\n"));
}

void report_page_add_results(const struct report_page_inputs *inputs, struct buf *out)
{
    for (size_t q = 0; q < inputs->study->question_count; q++)
        add_question(inputs, q, out);
    for (int kind = 0; kind < REPORT_RESULT_KINDS; kind++)
        add_further(inputs, kind, out);
    add_families(inputs, out);
}

/* A section of the study file as it is shown in the report: YAML on few lines. */
/* A scalar as YAML wants it: in quotes where it could be read as something else. */
static void add_scalar(struct str text, struct buf *out)
{
    bool plain = text.len > 0;

    for (size_t i = 0; i < text.len && plain; i++) {
        char c = text.ptr[i];
        plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                (c >= '0' && c <= '9') || c == '.' || c == '_' || c == '/' || c == '$' ||
                c == '%' || c == '+' || (i > 0 && (c == '-' || c == ' '));
    }
    if (plain) {
        buf_add(out, text);
        return;
    }
    buf_add_char(out, '\'');
    for (size_t i = 0; i < text.len; i++)
        buf_add(out, text.ptr[i] == '\'' ? STR("''") : (struct str){text.ptr + i, 1});
    buf_add_char(out, '\'');
}

static void add_node(const struct yaml_node *node, int indent, struct buf *out)
{
    if (node->type == YAML_SCALAR) {
        add_scalar(node->text, out);
        return;
    }
    if (node->type == YAML_SEQUENCE) {
        buf_add_char(out, '[');
        for (size_t i = 0; i < node->count; i++) {
            if (i > 0)
                buf_add(out, STR(", "));
            if (node->items[i].type == YAML_SCALAR) {
                add_scalar(node->items[i].text, out);
                continue;
            }
            buf_add_char(out, '{');
            for (size_t k = 0; k < node->items[i].count; k++) {
                buf_add_format(out, "%s%.*s: ", k > 0 ? ", " : "",
                               STR_ARG(node->items[i].keys[k].text));
                add_node(&node->items[i].items[k], indent, out);
            }
            buf_add_char(out, '}');
        }
        buf_add_char(out, ']');
        return;
    }
    for (size_t i = 0; i < node->count; i++) {
        buf_add_format(out, "\n%*s", indent, "");
        add_scalar(node->keys[i].text, out);
        buf_add(out, node->items[i].type == YAML_MAPPING ? STR(":") : STR(": "));
        add_node(&node->items[i], indent + 2, out);
    }
}

void report_page_section(const struct yaml_node *node, struct buf *out)
{
    struct buf text = {0};

    add_node(node, 0, &text);
    buf_add(out, str_trim(buf_str(&text)));
    buf_free(&text);
}

void report_page_add_made_by(const char *section, struct str name,
                             const struct yaml_node *node, struct buf *out)
{
    struct buf text = {0};

    report_page_section(node, &text);
    buf_add_html(out,
                 "<details><summary>made by <code>%.%</code></summary>"
                 "<pre>%</pre></details>\n",
                 str_from(section), name, buf_str(&text));
    buf_free(&text);
}

extern const unsigned char report_style[], report_script[];
extern const size_t report_style_len, report_script_len;

struct str report_page_style(void)
{
    return (struct str){(const char *)report_style, report_style_len};
}

struct str report_page_script(void)
{
    return (struct str){(const char *)report_script, report_script_len};
}

void report_page_alone(struct str title, struct str more, struct buf *out)
{
    buf_add_html(out,
                 "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
                 "<meta name=\"viewport\" content=\"width=device-width\">"
                 "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src "
                 "'none'; style-src 'unsafe-inline'\"><title>%</title>\n<style>",
                 title);
    buf_add(out, report_page_style());
    /* Without a script nothing else opens folds on paper. */
    buf_add(out, STR("@media print{details{display:block}details::details-content{"
                     "content-visibility:visible;block-size:auto}summary{list-style:none}"
                     "}\n"));
    buf_add(out, more);
    buf_add(out, STR("</style></head><body>\n"));
}

void report_page_add_head(struct str title, const char *root, struct buf *out)
{
    buf_add_html(
        out,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<title>%</title>\n<link rel=\"stylesheet\" href=\"%report.css\">\n"
        "<script defer src=\"%report.js\"></script>\n</head>\n<body>\n",
        title, str_from(root), str_from(root));
}

void report_page_add_foot(struct buf *out)
{
    buf_add(out, STR("</body>\n</html>\n"));
}

void report_page_add_scroll(const char *label, struct buf *out)
{
    buf_add_format(
        out, "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"%s\">",
        label);
}

static const char *expected_title(const struct report_page_inputs *inputs)
{
    return inputs->study->simulated ? "Planted numbers" : "Published numbers";
}

static void add_verification(const struct report_page_inputs *inputs, struct buf *out)
{
    static const char *const classes[VERIFY_VERDICTS] = {
        [VERIFY_AS_PUBLISHED] = "good", [VERIFY_KNOWN] = "known",
        [VERIFY_UNPROVEN] = "known",    [VERIFY_DIFFERS] = "bad",
        [VERIFY_CANNOT] = "soft",       [VERIFY_ELSEWHERE] = "soft",
        [VERIFY_FAILED] = "bad",
    };
    const struct verify *verify = inputs->verify;

    if (verify->count == 0)
        return;
    buf_add_format(out, "<h2 id=\"verification\">%s</h2>\n<p>", expected_title(inputs));
    verify_add_counts(verify, study_expected_word(inputs->study), out);
    buf_add(out, STR(".</p>\n"));
    report_page_add_scroll("expected numbers", out);
    buf_add(out, STR("<table><thead><tr><th scope=\"col\">number</th><th scope=\"col\">"
                     "verdict</th><th scope=\"col\">where</th></tr></thead><tbody>\n"));
    for (size_t i = 0; i < verify->count; i++) {
        const struct verify_line *line = &verify->lines[i];
        buf_add_html(out,
                     "<tr><td><code>%</code></td><td class=\"verdict-%\">%</td>"
                     "<td>%</td></tr>\n",
                     line->expectation->expression, str_from(classes[line->verdict]),
                     line->text, line->expectation->source);
    }
    buf_add(out, STR("</tbody></table></div>\n"));
}

static void add_entry(const char *before, struct str id, struct str name, struct buf *out)
{
    buf_add_html(out, "<li><a href=\"#%%\">%</a></li>\n", str_from(before), id, name);
}

static void add_contents(const struct report_page_inputs *inputs, struct buf *out)
{
    const struct study *study = inputs->study;

    buf_add(out, STR("<nav aria-label=\"contents\"><ul>\n"));
    add_entry("", STR("studied"), STR("What was studied"), out);
    for (size_t q = 0; q < study->question_count; q++)
        add_entry("question-", study->questions[q].name, study->questions[q].name, out);
    for (int kind = 0; kind < REPORT_RESULT_KINDS; kind++) {
        const char *title;
        size_t count = all_of(study, kind, &title);
        for (size_t i = 0; i < count; i++)
            if (report_question_of(study, kind, i) == study->question_count) {
                buf_add_format(out, "<li><a href=\"#%ss\">%s</a></li>\n",
                               result_kinds[kind], title);
                break;
            }
    }
    if (inputs->verify->count > 0)
        add_entry("", STR("verification"), str_from(expected_title(inputs)), out);
    add_entry("", STR("rerun"), STR("How to rerun"), out);
    buf_add(out, STR("</ul></nav>\n"));
}

static void add_rerun(const struct report_page_inputs *inputs, struct buf *out)
{
    buf_add(out,
            STR("<h2 id=\"rerun\">How to rerun</h2>\n<p>With the study's folder and its "
                "sources:</p>\n<pre>assay run"));
    if (inputs->verify->count > 0)
        buf_add(out, STR("\nassay verify"));
    buf_add_html(out,
                 "</pre>\n<p>The same study gives the same bytes; <a "
                 "href=\"../../assay.lock\">assay.lock</a> says what every result "
                 "rests on. Made by assay %.</p>\n",
                 str_from(inputs->version));
    bool posts = false;
    for (size_t i = 0; i < inputs->study->source_count; i++)
        posts |= inputs->study->sources[i].kind->site;
    if (posts && !inputs->study->simulated)
        buf_add(out,
                STR("<p class=\"note\">Posts are content of the Stack Exchange network "
                    "under CC BY-SA 2.5, 3.0 or 4.0; quotes carry link and licence, and "
                    "say where that follows from their date alone.</p>\n"));
}

void report_page_add_simulated(struct buf *out)
{
    buf_add(out, STR("<p>The posts are simulated: nothing here says anything about real "
                     "ones.</p>\n"));
}

void report_page_index(const struct report_page_inputs *inputs, struct buf *out)
{
    const struct study *study = inputs->study;
    struct str title = study->title.len > 0 ? study->title : study->name;

    report_page_add_head(title, "", out);
    buf_add_html(out, "<header><h1>%</h1>\n<p class=\"lead\">Study <code>%</code></p>\n",
                 title, study->name);
    if (study->simulated)
        report_page_add_simulated(out);
    report_page_add_glance(inputs, out);
    buf_add(out, STR("</header>\n"));
    add_contents(inputs, out);
    buf_add(out, STR("<main>\n"));
    report_page_add_studied(inputs, out);
    report_page_add_results(inputs, out);
    add_verification(inputs, out);
    add_rerun(inputs, out);
    buf_add(out, STR("</main>\n"));
    report_page_add_foot(out);
}
