/* The handbook as one file of Markdown. */
#include "report/handbook_internal.h"
#include "text/form.h"
#include "text/markdown.h"
#include "text/sanitise.h"
#include "text/utf8.h"

enum { EXCERPT_MAX = 400 }; /* bytes of a question that stand before its answer */

static void add_link(struct str text, struct str link, const char *rel, struct buf *out)
{
    (void)rel;
    if (link.len > 0)
        text_markdown_add_link(text, link, out);
    else
        text_markdown_add_line(text, out);
}

void report_handbook_excerpt(const struct report_handbook_post *post, struct buf *out)
{
    struct text_html_parts parts = {0};

    text_form_split(post->form, post->body, TEXT_HTML_PROSE, &parts);
    struct str text = str_trim(buf_str(&parts.prose));
    struct str shown = text_utf8_cut(text, EXCERPT_MAX);
    if (shown.len < text.len) {
        size_t len = shown.len;
        while (len > 0 && text.ptr[len] != ' ')
            len--;
        if (len > 0) /* else it has no blanks, as Chinese has none */
            shown.len = len;
    }
    buf_add(out, shown);
    buf_add(out, shown.len < text.len ? STR(" ...") : STR(""));
    text_html_parts_free(&parts);
}

static void add_excerpt(const struct report_handbook_post *post, struct buf *out)
{
    struct buf text = {0};

    report_handbook_excerpt(post, &text);
    buf_add(out, STR("> "));
    text_markdown_add_line(buf_str(&text), out);
    buf_add(out, STR("\n\n"));
    buf_free(&text);
}

static void add_body(const struct report_handbook_post *post, struct buf *out)
{
    struct buf shown = {0}, harmless = {0};

    text_form_show(post->form, post->body, &shown);
    text_sanitise_html(buf_str(&shown), &harmless);
    text_markdown_add(buf_str(&harmless), out);
    buf_add(out, STR("\n\n"));
    buf_free(&shown);
    buf_free(&harmless);
}

static void add_solved(const struct report_handbook *book,
                       const struct report_handbook_solved *solved, struct buf *out)
{
    const struct report_handbook_post *question =
                                          report_handbook_post(book, solved->question),
                                      *answer =
                                          report_handbook_post(book, solved->answer);

    buf_add(out, STR("#### "));
    add_link(report_handbook_title(question), question->link, "", out);
    buf_add(out, STR("\n\n"));
    add_excerpt(question, out);
    if (solved->outdated.len > 0) {
        buf_add(out, STR("**It may no longer hold.** A comment"));
        if (!book->study->simulated)
            report_handbook_add_author(solved->outdated_by, solved->outdated_ms, add_link,
                                       out);
        buf_add(out, STR(": "));
        text_markdown_add_line(solved->outdated, out);
        buf_add(out, STR("\n\n"));
    }
    if (!solved->accepted) {
        buf_add(out, STR("*The "));
        report_handbook_add_answer(solved, answer, out);
        buf_add(out, STR(":*\n\n"));
    }
    add_body(answer, out);
    if (book->study->simulated)
        return;
    report_handbook_add_attribution("Question", question, add_link, out);
    report_handbook_add_attribution("; answer", answer, add_link, out);
    buf_add(out, STR("\n\n"));
}

static void add_lists(const struct report_handbook *book,
                      const struct report_handbook_page *page, const char *title,
                      bool (*is_of)(const struct report_handbook_list *), struct buf *out)
{
    struct buf cut = {0};
    bool any = false;

    for (size_t l = 0; l < page->list_count; l++) {
        const struct report_handbook_list *list = &page->lists[l];
        if (!is_of(list))
            continue;
        if (!any)
            buf_add_format(out, "### %s\n\n", title);
        any = true;
        buf_add_format(out, "%s:\n\n", list->title);
        for (size_t i = 0; i < list->count; i++) {
            const struct report_handbook_name *name = &list->names[i];
            buf_add(out, STR("- "));
            text_markdown_add_line(name->text, out);
            buf_add(out, STR(" ("));
            report_handbook_add_count(list, name, out);
            for (size_t e = 0; e < name->example_count; e++) {
                const struct report_handbook_post *post =
                    report_handbook_post(book, name->examples[e]);
                buf_add(out, e > 0 ? STR(", ") : STR(": "));
                report_handbook_short_title(post, &cut);
                add_link(buf_str(&cut), post->link, "", out);
            }
            buf_add(out, STR(")\n"));
        }
        buf_add_char(out, '\n');
    }
    buf_free(&cut);
}

static void add_open(const struct report_handbook *book, const int64_t *ids, size_t count,
                     const char *title, struct buf *out)
{
    if (count == 0)
        return;
    buf_add_format(out, "%s:\n\n", title);
    for (size_t i = 0; i < count; i++) {
        const struct report_handbook_post *post = report_handbook_post(book, ids[i]);
        buf_add(out, STR("- "));
        add_link(report_handbook_title(post), post->link, "", out);
        if (post->views != ITEM_NONE) {
            buf_add(out, STR(", "));
            buf_add_thousands(out, (double)post->views, 0);
            buf_add(out, post->views == 1 ? STR(" view") : STR(" views"));
        }
        if (!book->study->simulated)
            report_handbook_add_licence(post, add_link, out);
        buf_add_char(out, '\n');
    }
    buf_add_char(out, '\n');
}

static void add_fact(const char *name, const struct report_handbook_page *page,
                     void (*add)(const struct report_handbook_page *, struct buf *),
                     struct buf *out)
{
    buf_add_format(out, "- %s: ", name);
    add(page, out);
    buf_add_char(out, '\n');
}

static void add_text(const char *before, struct str text, struct buf *out)
{
    if (text.len == 0)
        return;
    buf_add_format(out, "%s", before);
    text_markdown_add_line(text, out);
    buf_add(out, STR("\n\n"));
}

static void add_page(const struct report_handbook *book, size_t at, struct buf *out)
{
    const struct report_handbook_page *page = &book->pages[at];
    bool told_below = report_handbook_has_below(book, at);

    size_t way[REPORT_HANDBOOK_LEVELS], above = report_handbook_way(book, at, way);

    /* Below a chapter all are alike; what stands between says which one it is. */
    buf_add(out, page->level == 0 ? STR("# ") : STR("## "));
    for (size_t i = above; i > 1; i--) {
        text_markdown_add_line(book->pages[way[i - 2]].name, out);
        buf_add(out, STR(" / "));
    }
    text_markdown_add_line(page->name, out);
    buf_add(out, STR("\n\n"));
    if (page->code != NULL) {
        add_text("", page->code->definition, out);
        add_text("It is this when: ", page->code->use_when, out);
        add_text("It is not this when: ", page->code->not_when, out);
        for (size_t i = 0; i < page->code->examples.count; i++)
            add_text("For example: ", page->code->examples.at[i], out);
        for (size_t i = 0; i < page->code->counter_examples.count; i++)
            add_text("But not: ", page->code->counter_examples.at[i], out);
    }
    if (page->cells[STUDY_HANDBOOK_COUNT].value == 0) {
        buf_add(out, STR("No items.\n\n"));
        return;
    }
    if (page->apart > 0 && told_below) {
        buf_add(out, STR("- in none of its categories: "));
        report_handbook_add_number(page->apart, out);
        buf_add_char(out, '\n');
    }
    add_fact(page->items, page, report_handbook_add_common, out);
    if (page->tracked > 0)
        add_fact("closed", page, report_handbook_add_closed, out);
    if (page->adjusted.n >= 0) {
        buf_add(out, STR("- corrected share: "));
        report_handbook_add_share(&page->adjusted, out);
        buf_add(out, STR(", corrected for the classifier's errors\n"));
    }
    if (report_handbook_is_accepted(page)) {
        add_fact("without accepted answer", page, report_handbook_add_without, out);
        add_fact("median wait", page, report_handbook_add_waiting, out);
    }
    add_fact("trend", page, report_handbook_add_trend, out);
    buf_add_char(out, '\n');
    add_lists(book, page, "How people put it", report_handbook_is_put, out);
    if (page->solved_count + page->closed_count > 0 && !told_below)
        buf_add(out, STR("### Solved\n\n"));
    if (!told_below)
        add_open(book, page->closed, page->closed_count, "Closed", out);
    for (size_t i = 0; i < page->solved_count && !told_below; i++)
        add_solved(book, &page->solved[i], out);
    add_lists(book, page, "Typical code", report_handbook_is_code, out);
    add_lists(book, page, "Pitfalls", report_handbook_is_pitfall, out);
    if (page->open_count + page->unaccepted_count == 0 || told_below)
        return;
    buf_add(out, STR("### Popular and open\n\n"));
    add_open(book, page->open, page->open_count,
             report_handbook_is_accepted(page) ? "Without any answer"
                                               : "Without any comment",
             out);
    add_open(book, page->unaccepted, page->unaccepted_count,
             report_handbook_is_accepted(page)
                 ? "With answers, none of them accepted or thanked for"
                 : "With comments",
             out);
}

void report_handbook_markdown(const struct report_handbook *book, struct buf *out)
{
    buf_add(out, STR("---\ntitle: \""));
    buf_add_json(out, book->title);
    buf_add(out, STR("\"\n---\n\n"));
    if (book->study->simulated)
        buf_add(out, STR("The posts are simulated: nothing here says anything about real "
                         "ones.\n\n"));
    if (book->page_count == 0)
        buf_add(out, STR("No items.\n\n"));
    for (size_t i = 0; i < book->page_count; i++)
        add_page(book, i, out);
    buf_add(out, STR("# How it was made\n\n"));
    report_handbook_add_made(book, out);
}
