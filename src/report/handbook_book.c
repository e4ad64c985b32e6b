/* The handbook as one file of Markdown. */
#include <stdio.h>

#include "base/date.h"
#include "report/handbook_internal.h"
#include "text/form.h"
#include "text/markdown.h"
#include "text/sanitise.h"

enum { EXCERPT_MAX = 400 }; /* bytes of a question that stand before its answer */

static void add_link(struct str text, struct str link, struct buf *out)
{
    if (link.len == 0) {
        text_markdown_add_line(text, out);
        return;
    }
    buf_add_char(out, '[');
    text_markdown_add_line(text, out);
    buf_add_format(out, "](<%.*s>)", STR_ARG(link));
}

static void add_author(struct str author, int64_t created_ms, struct buf *out)
{
    buf_add(out, STR(" by "));
    if (author.len > 0)
        buf_add_format(out, "[user %.*s](<%.*s>)", STR_ARG(str_last(author, '/')),
                       STR_ARG(author));
    else
        buf_add(out, STR("an unknown user"));
    if (created_ms != ITEM_NONE) {
        buf_add(out, STR(", "));
        date_add_day(out, created_ms);
    }
}

static void add_attribution(const char *what, const struct report_handbook_post *post,
                            struct buf *out)
{
    char room[64];
    struct str licence = report_handbook_licence_link(post->license, room);

    buf_add_format(out, "%s ", what);
    add_link(post->key, post->link, out);
    add_author(post->author, post->created_ms, out);
    if (post->license.len > 0) {
        buf_add(out, STR(", "));
        add_link(post->license, licence, out);
    }
}

static struct str title_of(const struct report_handbook_post *post)
{
    return post->title.len > 0 ? post->title : post->key;
}

static void add_excerpt(const struct report_handbook_post *post, struct buf *out)
{
    struct text_html_parts parts = {0};

    text_form_split(post->form, post->body, TEXT_HTML_PROSE, &parts);
    struct str text = str_trim(buf_str(&parts.prose));
    size_t len = text.len;
    if (len > EXCERPT_MAX)
        for (len = EXCERPT_MAX; len > 0 && text.ptr[len] != ' ';)
            len--;
    buf_add(out, STR("> "));
    text_markdown_add_line(str_slice(text, 0, len), out);
    buf_add(out, len < text.len ? STR(" ...\n\n") : STR("\n\n"));
    text_html_parts_free(&parts);
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
    add_link(title_of(question), question->link, out);
    buf_add(out, STR("\n\n"));
    add_excerpt(question, out);
    if (solved->outdated.len > 0) {
        buf_add(out, STR("**It may no longer hold.** A comment"));
        if (!book->study->simulated)
            add_author(solved->outdated_by, solved->outdated_ms, out);
        buf_add(out, STR(": "));
        text_markdown_add_line(solved->outdated, out);
        buf_add(out, STR("\n\n"));
    }
    add_body(answer, out);
    if (book->study->simulated)
        return;
    add_attribution("Question", question, out);
    add_attribution("; answer", answer, out);
    buf_add(out, STR("\n\n"));
}

static void add_lists(const struct report_handbook *book,
                      const struct report_handbook_page *page, const char *title,
                      bool (*is_of)(const struct report_handbook_list *), struct buf *out)
{
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
                add_link(post->key, post->link, out);
            }
            buf_add(out, STR(")\n"));
        }
        buf_add_char(out, '\n');
    }
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
        add_link(title_of(post), post->link, out);
        if (post->views != ITEM_NONE) {
            buf_add(out, STR(", views "));
            buf_add_thousands(out, (double)post->views, 0);
        }
        if (post->license.len > 0 && !book->study->simulated)
            buf_add_format(out, ", %.*s", STR_ARG(post->license));
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

    buf_add(out, page->level == 0 ? STR("# ") : STR("## "));
    text_markdown_add_line(page->name, out);
    buf_add(out, STR("\n\n"));
    if (page->code != NULL) {
        add_text("", page->code->definition, out);
        add_text("It is this when: ", page->code->use_when, out);
        add_text("It is not this when: ", page->code->not_when, out);
        for (size_t i = 0; i < page->code->examples.count; i++)
            add_text("For example: ", page->code->examples.at[i], out);
    }
    add_fact("questions", page, report_handbook_add_common, out);
    if (page->adjusted.n >= 0) {
        buf_add(out, STR("- corrected share: "));
        report_handbook_add_share(&page->adjusted, out);
        buf_add(out, STR(", corrected for the classifier's errors\n"));
    }
    add_fact("without accepted answer", page, report_handbook_add_without, out);
    add_fact("median wait", page, report_handbook_add_waiting, out);
    add_fact("trend", page, report_handbook_add_trend, out);
    buf_add_char(out, '\n');
    add_lists(book, page, "How people put it", report_handbook_is_put, out);
    if (page->solved_count > 0 && !told_below)
        buf_add(out, STR("### Solved\n\n"));
    for (size_t i = 0; i < page->solved_count && !told_below; i++)
        add_solved(book, &page->solved[i], out);
    add_lists(book, page, "Typical code", report_handbook_is_code, out);
    add_lists(book, page, "Pitfalls", report_handbook_is_pitfall, out);
    if (page->open_count + page->unaccepted_count == 0 || told_below)
        return;
    buf_add(out, STR("### Popular and open\n\n"));
    add_open(book, page->open, page->open_count, "Without any answer", out);
    add_open(book, page->unaccepted, page->unaccepted_count,
             "With answers, none of them accepted", out);
}

void report_handbook_markdown(const struct report_handbook *book, struct buf *out)
{
    buf_add(out, STR("---\ntitle: \""));
    buf_add_json(out, book->title);
    buf_add(out, STR("\"\n---\n\n"));
    if (book->study->simulated)
        buf_add(out, STR("The posts are simulated: nothing here says anything about real "
                         "ones.\n\n"));
    for (size_t i = 0; i < book->page_count; i++)
        add_page(book, i, out);
    buf_add(out, STR("# How it was made\n\n"));
    report_handbook_add_made(book, out);
}
