/* HTML by hand: a head, sections in the order in which a reader asks, a foot. Whatever
 * comes from the study or from posts is escaped. */
#include "report/page.h"

#include "report/internal.h"

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

void report_page_add_head(struct str title, const char *root, struct buf *out)
{
    buf_add(out,
            STR("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                "<meta name=\"viewport\" content=\"width=device-width, "
                "initial-scale=1\">\n<title>"));
    buf_add_xml(out, title);
    buf_add_format(out,
                   "</title>\n<link rel=\"stylesheet\" href=\"%sreport.css\">\n"
                   "<script defer src=\"%sreport.js\"></script>\n</head>\n<body>\n",
                   root, root);
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

void report_page_add_element(const char *tag, struct str text, struct buf *out)
{
    buf_add_format(out, "<%s>", tag);
    buf_add_xml(out, text);
    buf_add_format(out, "</%s>", tag);
}

static const char *expected_title(const struct report_page_inputs *inputs)
{
    return inputs->study->simulated ? "Planted numbers" : "Published numbers";
}

static void add_verification(const struct report_page_inputs *inputs, struct buf *out)
{
    static const char *const classes[VERIFY_VERDICTS] = {
        [VERIFY_AS_PUBLISHED] = "good", [VERIFY_KNOWN] = "known",
        [VERIFY_DIFFERS] = "bad",       [VERIFY_CANNOT] = "soft",
        [VERIFY_FAILED] = "bad",
    };
    const struct verify *verify = inputs->verify;

    if (verify->count == 0)
        return;
    const char *word = study_expected_word(inputs->study);
    buf_add_format(
        out,
        "<h2 id=\"verification\">%s</h2>\n<p>Of %zu %s numbers %zu are as %s, %zu are "
        "known slips, %zu cannot be computed here, %zu are unexplained.</p>\n",
        expected_title(inputs), verify->count, word, verify->counts[VERIFY_AS_PUBLISHED],
        word, verify->counts[VERIFY_KNOWN], verify->counts[VERIFY_CANNOT],
        verify->counts[VERIFY_DIFFERS] + verify->counts[VERIFY_FAILED]);
    report_page_add_scroll("expected numbers", out);
    buf_add(out, STR("<table><thead><tr><th scope=\"col\">number</th><th scope=\"col\">"
                     "verdict</th><th scope=\"col\">where</th></tr></thead><tbody>\n"));
    for (size_t i = 0; i < verify->count; i++) {
        const struct verify_line *line = &verify->lines[i];
        buf_add(out, STR("<tr><td><code>"));
        buf_add_xml(out, line->expectation->expression);
        buf_add_format(out, "</code></td><td class=\"verdict-%s\">",
                       classes[line->verdict]);
        buf_add_xml(out, line->text);
        buf_add(out, STR("</td><td>"));
        buf_add_xml(out, line->expectation->source);
        buf_add(out, STR("</td></tr>\n"));
    }
    buf_add(out, STR("</tbody></table></div>\n"));
}

static void add_contents(const struct report_page_inputs *inputs, struct buf *out)
{
    const struct {
        bool there;
        const char *id, *name;
    } parts[] = {
        {true, "studied", "What was studied"},
        {inputs->study->table_count > 0, "tables", "Tables"},
        {inputs->study->figure_count > 0, "figures", "Figures"},
        {inputs->study->test_count > 0, "tests", "Tests"},
        {inputs->verify->count > 0, "verification", expected_title(inputs)},
        {true, "rerun", "How to rerun"},
    };

    buf_add(out, STR("<nav aria-label=\"contents\"><ul>\n"));
    for (size_t i = 0; i < ROWS_OF(parts); i++)
        if (parts[i].there)
            buf_add_format(out, "<li><a href=\"#%s\">%s</a></li>\n", parts[i].id,
                           parts[i].name);
    buf_add(out, STR("</ul></nav>\n"));
}

static void add_rerun(const struct report_page_inputs *inputs, struct buf *out)
{
    buf_add(out,
            STR("<h2 id=\"rerun\">How to rerun</h2>\n<p>With the study's folder and its "
                "sources:</p>\n<pre>assay run"));
    if (inputs->verify->count > 0)
        buf_add(out, STR("\nassay verify"));
    buf_add(out, STR("</pre>\n<p>The same study gives the same bytes; <a "
                     "href=\"../../assay.lock\">assay.lock</a> says what every result "
                     "rests on. Made by assay "));
    buf_add_xml(out, str_from(inputs->version));
    buf_add(out, STR(".</p>\n"));
    bool posts = false;
    for (size_t i = 0; i < inputs->study->source_count; i++)
        posts |= inputs->study->sources[i].kind->site;
    if (posts && !inputs->study->simulated)
        buf_add(out,
                STR("<p class=\"note\">Posts are content of the Stack Exchange network "
                    "under CC BY-SA 2.5, 3.0 or 4.0 by their date; quotes carry licence "
                    "and link.</p>\n"));
}

void report_page_add_simulated(struct buf *out)
{
    buf_add(out,
            STR("<p>The posts were made up by <code>assay synth</code>: nothing here "
                "says anything about real ones.</p>\n"));
}

void report_page_index(const struct report_page_inputs *inputs, struct buf *out)
{
    const struct study *study = inputs->study;
    struct str title = study->title.len > 0 ? study->title : study->name;

    report_page_add_head(title, "", out);
    buf_add(out, STR("<header><h1>"));
    buf_add_xml(out, title);
    buf_add(out, STR("</h1>\n<p class=\"lead\">Study <code>"));
    buf_add_xml(out, study->name);
    buf_add(out, STR("</code></p>\n"));
    if (study->simulated)
        report_page_add_simulated(out);
    add_contents(inputs, out);
    buf_add(out, STR("</header>\n<main>\n"));
    report_page_add_studied(inputs, out);
    report_page_add_results(inputs, out);
    add_verification(inputs, out);
    add_rerun(inputs, out);
    buf_add(out, STR("</main>\n"));
    report_page_add_foot(out);
}
