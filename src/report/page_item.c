/* The page of an item that has no site to be read on, or one that changes: what it says,
 * what its source tells of it, and what a commit changed. */
#include "base/date.h"
#include "report/internal.h"
#include "text/diff.h"
#include "text/form.h"
#include "text/sanitise.h"

/* Pages are many, so each shows less than a labelling page does. */
static const struct text_diff_limits limits = {.files = 100,
                                               .lines = 1000,
                                               .file_lines = 300,
                                               .line_bytes = 1000,
                                               .bytes = 256 << 10};

enum { VALUE_BYTES_MAX = 300 };

/* Lists stand a line each. */
static void add_value(struct str value, struct buf *out)
{
    struct str member;
    size_t begin = out->len;

    for (bool more = true; more && out->len - begin < VALUE_BYTES_MAX;) {
        more = str_cut(&value, '\n', &member);
        buf_add_xml(out, str_slice(member, 0, VALUE_BYTES_MAX));
        if (more)
            buf_add(out, STR(", "));
    }
    if (value.len > 0)
        buf_add(out, STR("..."));
}

static void add_fact(const char *name, struct str value, struct buf *out)
{
    if (value.len == 0)
        return;
    buf_add_html(out, "<tr><th scope=\"row\">%</th><td class=\"words\">", str_from(name));
    add_value(value, out);
    buf_add(out, STR("</td></tr>\n"));
}

static void add_facts(const struct report_page_text *item, struct buf *out)
{
    struct buf created = {0};

    if (item->created_ms != ITEM_NONE)
        date_add(&created, item->created_ms);
    buf_add(
        out,
        STR("<h2>What its source tells</h2>\n<div class=\"scroll\"><table><tbody>\n"));
    add_fact("kind", item_kind_name(item->kind), out);
    add_fact("created", buf_str(&created), out);
    for (size_t i = 0; i < item->field_count; i++)
        add_fact(item->fields[i].key.ptr, item->fields[i].value, out);
    buf_add(out, STR("</tbody></table></div>\n"));
    buf_free(&created);
}

static void add_body(const struct report_page_text *item, struct buf *out)
{
    struct str body = text_form_below(item->form, item->body, item->title);
    struct buf shown = {0};

    if (body.len == 0)
        return;
    text_form_show(item->form, body, &shown);
    buf_add(out, STR("<h2>Text</h2>\n<div class=\"text\">"));
    text_sanitise_html(buf_str(&shown), out);
    buf_add(out, STR("</div>\n"));
    buf_free(&shown);
}

static void add_changes(const struct report_page_text *item, struct buf *out)
{
    if (item->kind != ITEM_COMMIT)
        return;
    buf_add(out, STR("<h2>Changes</h2>\n"));
    if (item->patch.len > 0) {
        text_diff_html(item->patch, &limits, out);
        return;
    }
    buf_add_html(out, "<p>None to show: %.</p>\n", item->no_patch);
}

/* By what raters decided, each on a line. */
static void add_evidence(const struct report_page_text *item, struct buf *out)
{
    if (item->span_count == 0)
        return;
    buf_add(out, STR("<section>\n<h2>Evidence</h2>\n<div class=\"scroll\" tabindex=\"0\" "
                     "role=\"group\" aria-label=\"Evidence\"><table><thead><tr>"
                     "<th scope=\"col\">labelling</th><th scope=\"col\">rater</th>"
                     "<th scope=\"col\">code</th><th scope=\"col\">place</th>"
                     "<th scope=\"col\">words</th></tr></thead>\n<tbody>\n"));
    for (size_t i = 0; i < item->span_count; i++) {
        const struct report_page_span *span = &item->spans[i];
        buf_add_html(
            out, "<tr><td>%</td><td>%</td><td>%</td><td>%</td><td><q>%</q></td></tr>\n",
            span->task, span->rater, span->code, span->place, span->quote);
    }
    buf_add(out, STR("</tbody></table></div>\n</section>\n"));
}

void report_page_text(const struct report_page_text *item, struct buf *out)
{
    struct str key = item->key, title = item->title.len > 0 ? item->title : key;

    report_page_add_head(title, "../", out);
    buf_add_html(out,
                 "<header>\n<p><a href=\"../index.html\">to the report</a></p>\n"
                 "<h1>%</h1>\n<p class=\"lead\">",
                 title);
    if (item->link.len > 0 && !item->study->simulated)
        buf_add_html(out, "<a href=\"%\">%</a>", item->link, key);
    else
        buf_add_xml(out, key);
    buf_add(out, STR("</p>\n</header>\n<main>\n"));
    if (item->study->simulated)
        report_page_add_simulated(out);
    add_body(item, out);
    add_changes(item, out);
    add_evidence(item, out);
    add_facts(item, out);
    buf_add(out, STR("</main>\n"));
    report_page_add_foot(out);
}
