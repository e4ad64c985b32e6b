/* The handbook's pages. Whatever comes from posts is sanitised or escaped. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/date.h"
#include "base/order.h"
#include "item/license.h"
#include "report/handbook_internal.h"
#include "report/internal.h"
#include "text/form.h"
#include "text/sanitise.h"
#include "text/utf8.h"

enum {
    BAR_WIDTH = 26,
    BAR_GAP = 8,
    BARS_HEIGHT = 70,
    SEARCH_TEXT_MAX = 600,  /* bytes of a question that the search looks through */
    EXAMPLE_TITLE_MAX = 48, /* bytes of a title behind a name */
};

/* What both forms share. */

static int by_id(const void *a, const void *b)
{
    const struct report_handbook_post *one = a, *two = b;

    return ORDER_BY(one->id, two->id);
}

const struct report_handbook_post *
report_handbook_post(const struct report_handbook *book, int64_t id)
{
    struct report_handbook_post wanted = {.id = id};

    return bsearch(&wanted, book->posts, book->post_count, sizeof wanted, by_id);
}

static void add_undefined(const struct result_cell *cell, struct buf *out)
{
    buf_add_format(out, "undefined%s%s", cell->undefined != NULL ? ": " : "",
                   cell->undefined != NULL ? cell->undefined : "");
}

void report_handbook_add_number(int64_t number, struct buf *out)
{
    buf_add_thousands(out, (double)number, 0);
}

static void add_of(int64_t part, int64_t whole, struct buf *out)
{
    report_handbook_add_number(part, out);
    buf_add(out, STR(" of "));
    report_handbook_add_number(whole, out);
}

void report_handbook_add_share(const struct result_cell *cell, struct buf *out)
{
    if (isnan(cell->value)) {
        add_undefined(cell, out);
        return;
    }
    buf_add_format(out, "%.1f%%", 100 * cell->value);
    if (!isnan(cell->low))
        buf_add_format(out, " (95%% interval %.1f to %.1f%%)", 100 * cell->low,
                       100 * cell->high);
}

void report_handbook_add_common(const struct report_handbook_page *page, struct buf *out)
{
    const struct result_cell *share = &page->cells[STUDY_HANDBOOK_SHARE];

    buf_add_thousands(out, page->cells[STUDY_HANDBOOK_COUNT].value, 0);
    if (!page->chapter) {
        buf_add(out, STR(" of the "));
        buf_add_thousands(out, (double)share->n, 0);
        buf_add(out, STR(" of its chapter, "));
        report_handbook_add_share(share, out);
    }
    if (page->classifier != NULL)
        buf_add_format(out, "; as the classifier %.*s says it, errors and all",
                       STR_ARG(page->classifier->name));
}

void report_handbook_add_without(const struct report_handbook_page *page, struct buf *out)
{
    const struct result_cell *without = &page->cells[STUDY_HANDBOOK_WITHOUT];

    report_handbook_add_share(without, out);
    if (!without->counted)
        return;
    buf_add(out, STR(", "));
    add_of(without->count, without->n, out);
}

void report_handbook_add_closed(const struct report_handbook_page *page, struct buf *out)
{
    add_of(page->tracked_closed, page->tracked, out);
    buf_add_format(out, ", %.1f%%",
                   100 * (double)page->tracked_closed / (double)page->tracked);
}

/* Nothing is accepted where all are issues. */
bool report_handbook_is_accepted(const struct report_handbook_page *page)
{
    return (double)page->tracked < page->cells[STUDY_HANDBOOK_COUNT].value;
}

void report_handbook_add_waiting(const struct report_handbook_page *page, struct buf *out)
{
    const struct result_cell *wait = &page->cells[STUDY_HANDBOOK_WAIT],
                             *all = &page->cells[STUDY_HANDBOOK_SURVIVAL];

    if (isnan(wait->value)) {
        add_undefined(wait, out);
    } else {
        date_add_duration(out, wait->value);
        buf_add(out, STR(" where an answer was accepted ("));
        report_handbook_add_number(wait->n, out);
        buf_add_char(out, ')');
    }
    if (!isnan(all->value)) {
        buf_add(out, STR("; of all, those that still wait included, "));
        date_add_duration(out, all->value);
    } else if (all->n > 0) {
        buf_add(out, STR("; more than half of all still wait"));
    }
}

static const char *days_of(const struct report_handbook_trend *trend)
{
    return trend->sources ? " of each source" : "";
}

void report_handbook_add_trend(const struct report_handbook_page *page, struct buf *out)
{
    const struct report_handbook_trend *trend = &page->trend;

    if (page->year_count == 0) {
        buf_add(out, STR("undefined: no item has a date"));
        return;
    }
    if (page->chapter) {
        report_handbook_add_number(trend->recent, out);
        buf_add_format(out, " in the last 365 days%s, ", days_of(trend));
        report_handbook_add_number(trend->before, out);
        buf_add(out, STR(" before"));
        return;
    }
    add_of(trend->recent, trend->recent_whole, out);
    buf_add_format(out, " in the last 365 days%s, ", days_of(trend));
    add_of(trend->before, trend->before_whole, out);
    buf_add(out, STR(" before"));
    if (!isnan(trend->ratio))
        buf_add_format(out, ": %.1f times as frequent", trend->ratio);
}

void report_handbook_add_count(const struct report_handbook_list *list,
                               const struct report_handbook_name *name, struct buf *out)
{
    report_handbook_add_number(name->count, out);
    buf_add_format(out, " %.*s", (int)(strlen(list->note) - (name->count == 1)), list->note);
    if (!isnan(name->ratio))
        buf_add_format(out, ", %.1f times as often as elsewhere", name->ratio);
}

struct str report_handbook_title(const struct report_handbook_post *post)
{
    return post->title.len > 0 ? post->title : post->key;
}

void report_handbook_short_title(const struct report_handbook_post *post, struct buf *out)
{
    struct str title = report_handbook_title(post),
               shown = text_utf8_cut(title, EXAMPLE_TITLE_MAX);

    if (shown.len < title.len) {
        size_t len = shown.len;
        while (len > 0 && title.ptr[len] != ' ')
            len--;
        shown.len = len > 0 ? len : shown.len;
    }
    buf_clear(out);
    buf_add(out, shown);
    buf_add(out, shown.len < title.len ? STR(" ...") : STR(""));
}

void report_handbook_add_author(struct str author, int64_t created_ms,
                                report_handbook_link *link, struct buf *out)
{
    buf_add(out, STR(" by "));
    if (author.len > 0) {
        struct buf text = {0};
        buf_add_format(&text, "user %.*s", STR_ARG(str_last(author, '/')));
        link(buf_str(&text), author, "", out);
        buf_free(&text);
    } else {
        buf_add(out, STR("an unknown user"));
    }
    if (created_ms != ITEM_NONE) {
        buf_add(out, STR(", "));
        date_add_day(out, created_ms);
    }
}

void report_handbook_add_licence(const struct report_handbook_post *post,
                                 report_handbook_link *link, struct buf *out)
{
    char room[ITEM_LICENSE_LINK_MAX];

    if (post->license.len == 0)
        return;
    buf_add(out, STR(", "));
    struct str name = item_license_name(post->license);
    link(name, item_license_link(name, room), "license ", out);
    if (item_license_mark(post->license).len > 0)
        buf_add_format(out, " by its %.*s", STR_ARG(item_license_from(post->license)));
}

void report_handbook_add_attribution(const char *what,
                                     const struct report_handbook_post *post,
                                     report_handbook_link *link, struct buf *out)
{
    buf_add_format(out, "%s ", what);
    link(post->key, post->link, "", out);
    report_handbook_add_author(post->author, post->created_ms, link, out);
    report_handbook_add_licence(post, link, out);
}

/* Pieces of pages. */

static void add_head(struct str title, const char *root, struct buf *out)
{
    buf_add_html(
        out,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<title>%</title>\n<link rel=\"stylesheet\" href=\"%handbook.css\">\n"
        "<script defer src=\"%search.js\"></script>\n"
        "<script defer src=\"%handbook.js\"></script>\n</head>\n<body>\n"
        "<div id=\"search\" data-root=\"%\"></div>\n",
        title, str_from(root), str_from(root), str_from(root), str_from(root));
}

/* link empty: as text alone. */
static void add_link(struct str text, struct str link, const char *rel, struct buf *out)
{
    if (link.len > 0)
        buf_add_html(out, "<a href=\"%\" rel=\"%noreferrer\">%</a>", link, str_from(rel),
                     text);
    else
        buf_add_xml(out, text);
}

static void add_body(const struct report_handbook_post *post, struct buf *out)
{
    struct buf shown = {0};

    text_form_show(post->form, post->body, &shown);
    buf_add(out, STR("<div class=\"post\">"));
    text_sanitise_html(buf_str(&shown), out);
    buf_add(out, STR("</div>\n"));
    buf_free(&shown);
}

/* Whether it has any. */
static bool add_numbers(const struct report_handbook_post *post, struct buf *out)
{
    if (post->score != ITEM_NONE) {
        buf_add(out, STR("score "));
        buf_add_thousands(out, (double)post->score, 0);
    }
    if (post->views != ITEM_NONE) {
        buf_add(out, post->score != ITEM_NONE ? STR(", ") : STR(""));
        buf_add_thousands(out, (double)post->views, 0);
        buf_add(out, post->views == 1 ? STR(" view") : STR(" views"));
    }
    return post->score != ITEM_NONE || post->views != ITEM_NONE;
}

void report_handbook_add_answer(const struct report_handbook_solved *solved,
                                const struct report_handbook_post *answer,
                                struct buf *out)
{
    buf_add(out, solved->accepted ? STR("accepted answer")
                                  : STR("answer thanked for by who asked"));
    if (answer->score != ITEM_NONE)
        buf_add_format(out, ", score %lld", (long long)answer->score);
}

/* anchored: the search leads to it; a page with all of them may have it twice. */
static void add_solved(const struct report_handbook *book,
                       const struct report_handbook_solved *solved, bool anchored,
                       struct buf *out)
{
    const struct report_handbook_post *question =
                                          report_handbook_post(book, solved->question),
                                      *answer =
                                          report_handbook_post(book, solved->answer);
    struct buf excerpt = {0};

    if (anchored)
        buf_add_format(out, "<article id=\"q%lld\">\n<h3>", (long long)question->id);
    else
        buf_add(out, STR("<article>\n<h3>"));
    add_link(report_handbook_title(question), question->link, "", out);
    buf_add(out, STR("</h3>\n<p class=\"note\">"));
    bool any = add_numbers(question, out);
    buf_add(out, any ? STR("; ") : STR(""));
    report_handbook_add_answer(solved, answer, out);
    buf_add(out, STR("</p>\n"));
    if (solved->outdated.len > 0) {
        buf_add(out, STR("<p class=\"outdated\">It may no longer hold. A comment"));
        if (!book->study->simulated)
            report_handbook_add_author(solved->outdated_by, solved->outdated_ms, add_link,
                                       out);
        buf_add_html(out, ": <q>%</q></p>\n", solved->outdated);
    }
    if (!anchored) { /* on paper there is no fold to open */
        buf_add(out, STR("<p class=\"asked\">"));
        report_handbook_excerpt(question, &excerpt);
        buf_add_xml(out, buf_str(&excerpt));
        buf_add(out, STR("</p>\n"));
        buf_free(&excerpt);
    }
    buf_add(out, STR("<details><summary>The question</summary>\n"));
    add_body(question, out);
    buf_add(out, STR("</details>\n"));
    add_body(answer, out);
    if (!book->study->simulated) {
        buf_add(out, STR("<p class=\"licence\">"));
        report_handbook_add_attribution("Question", question, add_link, out);
        report_handbook_add_attribution("; answer", answer, add_link, out);
        buf_add(out, STR("</p>\n"));
    }
    buf_add(out, STR("</article>\n"));
}

/* anchored: as of solved ones. */
static void add_open(const struct report_handbook *book, const int64_t *ids, size_t count,
                     const char *title, bool anchored, struct buf *out)
{
    if (count == 0)
        return;
    buf_add_format(out, "<h3>%s</h3>\n<ul class=\"names\">\n", title);
    for (size_t i = 0; i < count; i++) {
        const struct report_handbook_post *post = report_handbook_post(book, ids[i]);
        if (anchored)
            buf_add_format(out, "<li id=\"q%lld\">", (long long)post->id);
        else
            buf_add(out, STR("<li>"));
        add_link(report_handbook_title(post), post->link, "", out);
        buf_add(out, STR(" <span class=\"soft\">"));
        if (add_numbers(post, out) && post->created_ms != ITEM_NONE)
            buf_add(out, STR(", "));
        if (post->created_ms != ITEM_NONE)
            date_add_day(out, post->created_ms);
        if (!book->study->simulated)
            report_handbook_add_licence(post, add_link, out);
        buf_add(out, STR("</span></li>\n"));
    }
    buf_add(out, STR("</ul>\n"));
}

static void add_list(const struct report_handbook *book,
                     const struct report_handbook_list *list, struct buf *out)
{
    struct buf title = {0};

    buf_add_html(out, "<h3>%</h3>\n<ul class=\"names\">\n", str_from(list->title));
    for (size_t i = 0; i < list->count; i++) {
        const struct report_handbook_name *name = &list->names[i];
        buf_add_html(out, "<li><code>%</code> <span class=\"soft\">", name->text);
        report_handbook_add_count(list, name, out);
        for (size_t e = 0; e < name->example_count; e++) {
            const struct report_handbook_post *post =
                report_handbook_post(book, name->examples[e]);
            buf_add(out, e > 0 ? STR(", ") : STR(": "));
            report_handbook_short_title(post, &title);
            if (post->link.len > 0)
                buf_add_html(out, "<a href=\"%\" title=\"%\" rel=\"noreferrer\">%</a>",
                             post->link, post->key, buf_str(&title));
            else
                buf_add_html(out, "<span title=\"%\">%</span>", post->key,
                             buf_str(&title));
        }
        buf_add(out, STR("</span></li>\n"));
    }
    buf_add(out, STR("</ul>\n"));
    buf_free(&title);
}

static void add_year_count(const struct report_handbook_year *year, struct buf *out)
{
    if (year->missing)
        buf_add(out, STR("\u2013"));
    else
        buf_add_int(out, year->count);
}

/* Counts by year; a period that was not over is lighter. */
static void add_bars(const struct report_handbook_page *page, struct buf *out)
{
    int64_t most = 1;
    int width = (int)page->year_count * (BAR_WIDTH + BAR_GAP);

    for (size_t i = 0; i < page->year_count; i++)
        most = page->years[i].count > most ? page->years[i].count : most;
    if (page->year_count < 2)
        return;
    buf_add_format(out,
                   "<svg class=\"bars\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" "
                   "role=\"img\" aria-label=\"questions by year:",
                   width, BARS_HEIGHT + 34, width, BARS_HEIGHT + 34);
    for (size_t i = 0; i < page->year_count; i++) {
        buf_add_format(out, " %d ", page->years[i].year);
        add_year_count(&page->years[i], out);
        buf_add(out, i + 1 < page->year_count ? STR(",") : STR(""));
    }
    buf_add(out, STR("\">\n"));
    for (size_t i = 0; i < page->year_count; i++) {
        const struct report_handbook_year *year = &page->years[i];
        int x = (int)i * (BAR_WIDTH + BAR_GAP),
            height = (int)(BARS_HEIGHT * year->count / most);
        buf_add_format(out,
                       "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"%s/><text "
                       "x=\"%d\" y=\"%d\">",
                       x, BARS_HEIGHT + 16 - height, BAR_WIDTH, height,
                       year->partial ? " class=\"partial\"" : "", x + BAR_WIDTH / 2,
                       BARS_HEIGHT + 12 - height);
        add_year_count(year, out);
        buf_add_format(out, "</text><text x=\"%d\" y=\"%d\">%d</text>\n",
                       x + BAR_WIDTH / 2, BARS_HEIGHT + 30, year->year);
    }
    buf_add(out, STR("</svg>\n"));
    if (page->lacking.len > 0)
        buf_add_format(out, "<p class=\"note\">Not complete: %.*s.</p>\n",
                       STR_ARG(page->lacking));
    else if (page->years[page->year_count - 1].partial)
        buf_add_format(out, "<p class=\"note\">%d was not over.</p>\n",
                       page->years[page->year_count - 1].year);
}

static void add_definition(const struct report_handbook_page *page, struct buf *out)
{
    const struct study_codebook_code *code = page->code;

    if (code == NULL)
        return;
    if (code->definition.len > 0)
        buf_add_html(out, "<p class=\"lead\">%</p>\n", code->definition);
    if (code->use_when.len > 0)
        buf_add_html(out, "<p>It is this when: %</p>\n", code->use_when);
    if (code->not_when.len > 0)
        buf_add_html(out, "<p>It is not this when: %</p>\n", code->not_when);
    for (size_t i = 0; i < code->examples.count; i++)
        buf_add_html(out, "<p class=\"note\">For example: <q>%</q></p>\n",
                     code->examples.at[i]);
    for (size_t i = 0; i < code->counter_examples.count; i++)
        buf_add_html(out, "<p class=\"note\">But not: <q>%</q></p>\n",
                     code->counter_examples.at[i]);
}

static void add_fact(const char *name, const struct report_handbook_page *page,
                     void (*add)(const struct report_handbook_page *, struct buf *),
                     struct buf *out)
{
    buf_add_format(out, "<dt>%s</dt><dd>", name);
    add(page, out);
    buf_add(out, STR("</dd>\n"));
}

/* root: the way to the handbook's folder; NULL: all pages are in one. */
static void add_page_link(const struct report_handbook *book, size_t page,
                          const char *root, struct buf *out)
{
    const struct report_handbook_page *it = &book->pages[page];

    if (root != NULL)
        buf_add_html(out, "<a href=\"%%\">%</a>", str_from(root), it->file, it->name);
    else
        buf_add_html(out, "<a href=\"#page-$\">%</a>", (double)page, it->name);
}

static void add_children(const struct report_handbook *book, size_t page,
                         const char *root, struct buf *out)
{
    bool any = false;

    for (size_t i = page + 1; i < book->page_count; i++) {
        if (book->pages[i].parent != page)
            continue;
        buf_add(out, any ? STR("") : STR("<ul class=\"names\">\n"));
        any = true;
        buf_add(out, STR("<li>"));
        add_page_link(book, i, root, out);
        buf_add(out, STR(" <span class=\"soft\">"));
        buf_add_thousands(out, book->pages[i].cells[STUDY_HANDBOOK_COUNT].value, 0);
        buf_add(out, STR("</span></li>\n"));
    }
    buf_add(out, any ? STR("</ul>\n") : STR(""));
    if (any && book->pages[page].apart > 0) {
        buf_add(out, STR("<p class=\"note\">In none of them: "));
        report_handbook_add_number(book->pages[page].apart, out);
        buf_add(out, STR(".</p>\n"));
    }
}

static void add_lists(const struct report_handbook *book,
                      const struct report_handbook_page *page, const char *title,
                      bool (*is_of)(const struct report_handbook_list *),
                      const char *note, struct buf *out)
{
    bool any = false;

    for (size_t i = 0; i < page->list_count; i++) {
        if (!is_of(&page->lists[i]))
            continue;
        if (!any)
            buf_add_format(out, "<h2>%s</h2>\n%s", title, note);
        any = true;
        add_list(book, &page->lists[i], out);
    }
}

bool report_handbook_is_put(const struct report_handbook_list *list)
{
    return list->step.len > 0;
}

bool report_handbook_is_code(const struct report_handbook_list *list)
{
    return list->step.len == 0 && !list->pitfall;
}

bool report_handbook_is_pitfall(const struct report_handbook_list *list)
{
    return list->pitfall;
}

/* Of its questions the best are the best of those below it. */
bool report_handbook_has_below(const struct report_handbook *book, size_t page)
{
    return page + 1 < book->page_count && book->pages[page + 1].parent == page;
}

static void add_content(const struct report_handbook *book, size_t at, const char *root,
                        struct buf *out)
{
    const struct report_handbook_page *page = &book->pages[at];
    bool told_below = root == NULL && report_handbook_has_below(book, at);

    add_definition(page, out);
    add_children(book, at, root, out);
    if (page->cells[STUDY_HANDBOOK_COUNT].value == 0) {
        buf_add(out, STR("<p>No items.</p>\n"));
        return;
    }
    buf_add(out, STR("<h2>How common, how hard</h2>\n<dl class=\"glance\">\n"));
    add_fact(page->items, page, report_handbook_add_common, out);
    if (page->tracked > 0)
        add_fact("closed", page, report_handbook_add_closed, out);
    if (page->adjusted.n >= 0) {
        buf_add(out, STR("<dt>corrected share</dt><dd>"));
        report_handbook_add_share(&page->adjusted, out);
        buf_add(out, STR(", corrected for the classifier's errors</dd>\n"));
    }
    if (report_handbook_is_accepted(page)) {
        add_fact("without accepted answer", page, report_handbook_add_without, out);
        add_fact("median wait", page, report_handbook_add_waiting, out);
    }
    add_fact("trend", page, report_handbook_add_trend, out);
    buf_add(out, STR("</dl>\n"));
    add_bars(page, out);
    add_lists(book, page, "How people put it", report_handbook_is_put, "", out);
    if (page->solved_count + page->closed_count > 0 && !told_below)
        buf_add(out, STR("<h2>Solved</h2>\n"));
    if (!told_below)
        add_open(book, page->closed, page->closed_count, "Closed", root != NULL, out);
    for (size_t i = 0; i < page->solved_count && !told_below; i++)
        add_solved(book, &page->solved[i], root != NULL, out);
    add_lists(book, page, "Typical code", report_handbook_is_code, "", out);
    add_lists(book, page, "Pitfalls", report_handbook_is_pitfall,
              "<p class=\"note\">What the code of questions had, and what their accepted "
              "answers have in its place.</p>\n",
              out);
    if (page->open_count + page->unaccepted_count == 0 || told_below)
        return;
    buf_add(out, STR("<h2>Popular and open</h2>\n"));
    add_open(book, page->open, page->open_count,
             report_handbook_is_accepted(page) ? "Without any answer"
                                               : "Without any comment",
             root != NULL, out);
    add_open(book, page->unaccepted, page->unaccepted_count,
             report_handbook_is_accepted(page)
                 ? "With answers, none of them accepted or thanked for"
                 : "With comments",
             root != NULL, out);
}

size_t report_handbook_way(const struct report_handbook *book, size_t at,
                           size_t out[static REPORT_HANDBOOK_LEVELS])
{
    size_t count = 0;

    for (size_t i = book->pages[at].parent;
         i != RESULT_NONE && count < REPORT_HANDBOOK_LEVELS; i = book->pages[i].parent)
        out[count++] = i;
    return count;
}

/* In a book, where names of categories come again in other chapters. */
static void add_way(const struct report_handbook *book, size_t at, struct buf *out)
{
    size_t way[REPORT_HANDBOOK_LEVELS], count = report_handbook_way(book, at, way);

    if (count == 0)
        return;
    buf_add(out, STR("<p class=\"way\">"));
    while (count > 0) {
        add_page_link(book, way[--count], NULL, out);
        buf_add(out, count > 0 ? STR(" / ") : STR("</p>\n"));
    }
}

static void add_crumbs(const struct report_handbook *book, size_t at, struct buf *out)
{
    size_t way[REPORT_HANDBOOK_LEVELS], count = report_handbook_way(book, at, way);

    buf_add_html(out,
                 "<nav aria-label=\"breadcrumb\" class=\"crumbs\"><a "
                 "href=\"../index.html\">%</a>",
                 book->title);
    while (count > 0) {
        buf_add(out, STR(" / "));
        add_page_link(book, way[--count], "../", out);
    }
    buf_add(out, STR("</nav>\n"));
}

void report_handbook_page(const struct report_handbook *book, size_t page,
                          struct buf *out)
{
    struct str name = book->pages[page].name;

    add_head(name, "../", out);
    add_crumbs(book, page, out);
    buf_add_html(out, "<header><h1>%</h1>\n", name);
    if (book->study->simulated)
        report_page_add_simulated(out);
    buf_add(out, STR("</header>\n<main>\n"));
    add_content(book, page, "../", out);
    buf_add(out, STR("</main>\n"));
    report_page_add_foot(out);
}

/* The index. */

/* Whether shares of any category are corrected for a classifier's errors. */
static bool is_corrected(const struct report_handbook *book)
{
    for (size_t i = 0; i < book->page_count; i++)
        if (book->pages[i].adjusted.n >= 0)
            return true;
    return false;
}

static void add_row(const struct report_handbook *book, size_t at, const char *root,
                    bool corrected, struct buf *out)
{
    const struct report_handbook_page *page = &book->pages[at];
    const struct result_cell *cells = page->cells;

    buf_add_format(out, "<tr><th scope=\"row\" class=\"level%d\">",
                   page->level < 3 ? page->level : 3);
    add_page_link(book, at, root, out);
    buf_add(out, STR("</th><td>"));
    buf_add_thousands(out, cells[STUDY_HANDBOOK_COUNT].value, 0);
    buf_add(out, STR("</td><td>"));
    if (corrected) {
        if (page->adjusted.n >= 0)
            buf_add_format(out, "%.1f%%", 100 * page->adjusted.value);
        else
            buf_add(out, STR("-"));
        buf_add(out, STR("</td><td>"));
    }
    if (!page->chapter && !isnan(cells[STUDY_HANDBOOK_SHARE].value))
        buf_add_format(out, "%.1f%%", 100 * cells[STUDY_HANDBOOK_SHARE].value);
    buf_add(out, STR("</td><td>"));
    if (isnan(cells[STUDY_HANDBOOK_WITHOUT].value))
        buf_add(out, STR("-"));
    else
        buf_add_format(out, "%.1f%%", 100 * cells[STUDY_HANDBOOK_WITHOUT].value);
    buf_add(out, STR("</td><td>"));
    if (isnan(cells[STUDY_HANDBOOK_WAIT].value))
        buf_add(out, STR("-"));
    else
        date_add_duration(out, cells[STUDY_HANDBOOK_WAIT].value);
    buf_add(out, STR("</td><td>"));
    if (isnan(page->trend.ratio) || page->chapter)
        buf_add(out, STR("-"));
    else
        buf_add_format(out, "%.1f", page->trend.ratio);
    buf_add(out, STR("</td></tr>\n"));
}

static void add_table(const struct report_handbook *book, const char *root,
                      struct buf *out)
{
    bool corrected = is_corrected(book);
    const char *items = book->page_count > 0 ? book->pages[0].items : "items";

    for (size_t i = 0; i < book->page_count; i++)
        if (book->pages[i].cells[STUDY_HANDBOOK_COUNT].value > 0 &&
            strcmp(book->pages[i].items, items) != 0)
            items = "items";

    if (book->page_count == 0) {
        buf_add(out, STR("<p>No items.</p>\n"));
        return;
    }
    report_page_add_scroll("categories", out);
    buf_add(out, STR("<table class=\"numbers\"><thead><tr><th scope=\"col\">category</th>"
                     "<th scope=\"col\">"));
    buf_add_format(out, "%s</th>", items);
    buf_add(out, corrected ? STR("<th scope=\"col\">corrected share</th>"
                                 "<th scope=\"col\">plain share</th>")
                           : STR("<th scope=\"col\">share</th>"));
    buf_add(out, STR("<th scope=\"col\">without accepted</th><th scope=\"col\">median "
                     "wait of accepted</th><th scope=\"col\">trend</th></tr></thead>\n"
                     "<tbody>\n"));
    for (size_t i = 0; i < book->page_count; i++)
        add_row(book, i, root, corrected, out);
    buf_add(out, STR("</tbody></table></div>\n"));
}

/* What predicted categories; nothing where people said what they are. */
static void add_predicted(const struct report_handbook *book, struct buf *out)
{
    const struct study *study = book->study;
    bool any = false;

    for (size_t c = 0; c < study->classifier_count; c++) {
        bool used = false;
        for (size_t i = 0; i < book->page_count; i++)
            used = used || book->pages[i].classifier == &study->classifiers[c];
        if (used)
            buf_add_format(out, "%s %.*s", any ? "," : "Categories were predicted, by",
                           STR_ARG(study->classifiers[c].name));
        any = any || used;
    }
    if (any)
        buf_add(out, STR(": numbers and questions of a category are as the classifier "
                         "says it, errors and all. Corrected shares are corrected for "
                         "its errors, plain ones are not.\n\n"));
}

void report_handbook_add_made(const struct report_handbook *book, struct buf *out)
{
    add_predicted(book, out);
    buf_add(
        out,
        STR("Shares are of the items of a chapter, with Wilson's interval; an item may "
            "stand in several categories. Trend: how many times as frequent a category "
            "is in the last 365 days as before. Median wait of accepted: of questions "
            "with an accepted answer alone; the pages have that of all as well. Examples "
            "behind names are those seen most often, of several sources where they are "
            "of several.\n\n"
            "Solved are questions with an accepted answer, or else with one that who "
            "asked "
            "gave thanks for in a comment, as a rule of words tells; issues when they "
            "are "
            "closed. Questions are ranked by log2(1 + score of the question) + log2(1 + "
            "score of the answer) + log2(1 + views) / 4 + 2 for an answer of "
            "the last day, of which half is left every 5 years; negative scores count as "
            "0."));
    buf_add(out,
            book->comments
                ? STR(" Those of whose answer a comment says that it no longer holds "
                      "come last, and quote it; the comment is found by a list of "
                      "wordings.")
                : STR(" Whether comments say that an answer no longer holds is not "
                      "known: the sources brought no comments."));
    buf_add(out,
            STR("\n\nCalls are found by a tokenizer in the code of accepted answers. "
                "A call or setting counts as replaced where the answer has another "
                "in the same place: its value goes to the same name, or its "
                "arguments are the same. Nobody has checked these lists.\n\n"));
    if (!book->study->simulated)
        buf_add(out,
                STR("Posts are content of those who wrote them, under the licence that "
                    "stands with each; links lead to the original and to its author. "
                    "Changes: only the elements of plain text are kept, images became "
                    "links. Whoever passes them on has to do so under the same licence. "
                    "Where its row names no licence, a post has the one that Stack "
                    "Exchange gives posts of its date, and that is said with it. "
                    "attribution.csv lists every post.\n\n"));
    buf_add_format(out, "Made by assay %s from the study %.*s.\n", book->version,
                   STR_ARG(book->study->name));
}

static void add_made(const struct report_handbook *book, struct buf *out)
{
    struct buf text = {0};
    struct str rest, line;

    report_handbook_add_made(book, &text);
    rest = buf_str(&text);
    buf_add(out, STR("<h2 id=\"made\">How it was made</h2>\n"));
    while (rest.len > 0) {
        str_cut(&rest, '\n', &line);
        if (line.len > 0)
            buf_add_html(out, "<p>%</p>\n", line);
    }
    buf_free(&text);
}

static void add_front(const struct report_handbook *book, const char *root,
                      struct buf *out)
{
    size_t categories = 0;

    for (size_t i = 0; i < book->page_count; i++)
        categories += !book->pages[i].chapter;
    buf_add_html(out, "<header><h1>%</h1>\n", book->title);
    buf_add_format(out, "<p class=\"lead\">%zu categor%s of what people ask", categories,
                   categories == 1 ? "y" : "ies");
    buf_add(out, root != NULL
                     ? STR(". Also as one <a href=\"book.html\">page to print</a>"
                           " and as a <a href=\"book.md\">Markdown file</a>.")
                     : STR("."));
    buf_add(out, STR(" <a href=\"#made\">How it was made</a></p>\n"));
    if (book->study->simulated)
        report_page_add_simulated(out);
    buf_add(out, STR("</header>\n"));
}

void report_handbook_index(const struct report_handbook *book, struct buf *out)
{
    add_head(book->title, "", out);
    add_front(book, "", out);
    buf_add(out, STR("<main>\n"));
    add_table(book, "", out);
    add_made(book, out);
    buf_add(out, STR("</main>\n"));
    report_page_add_foot(out);
}

void report_handbook_whole(const struct report_handbook *book, struct buf *out)
{
    add_head(book->title, "", out);
    add_front(book, NULL, out);
    buf_add(out, STR("<main>\n"));
    add_table(book, NULL, out);
    for (size_t i = 0; i < book->page_count; i++) {
        buf_add_html(out, "<section class=\"category\" id=\"page-$\">\n", (double)i);
        add_way(book, i, out);
        buf_add_html(out, "<h1>%</h1>\n", book->pages[i].name);
        add_content(book, i, NULL, out);
        buf_add(out, STR("</section>\n"));
    }
    add_made(book, out);
    buf_add(out, STR("</main>\n"));
    report_page_add_foot(out);
}

/* Search. */

static void add_entry(struct str file, struct str anchor, struct str title,
                      struct str below, struct str text, struct buf *out)
{
    const struct str parts[] = {title, below, text};

    buf_add(out, STR("[\""));
    buf_add_json(out, file);
    buf_add_json(out, anchor);
    for (size_t i = 0; i < ROWS_OF(parts); i++) {
        buf_add(out, STR("\",\""));
        buf_add_json(out, parts[i]);
    }
    buf_add(out, STR("\"],\n"));
}

/* Below: the categories above it, of which several may have one of its name. */
static void add_page_entry(const struct report_handbook *book, size_t at, struct buf *out)
{
    const struct report_handbook_page *page = &book->pages[at];
    size_t above[REPORT_HANDBOOK_LEVELS];
    struct buf text = {0}, below = {0};

    if (page->code != NULL)
        buf_add_format(&text, "%.*s ", STR_ARG(page->code->definition));
    for (size_t l = 0; l < page->list_count; l++)
        for (size_t i = 0; i < page->lists[l].count; i++)
            buf_add_format(&text, "%.*s ", STR_ARG(page->lists[l].names[i].text));
    for (size_t i = report_handbook_way(book, at, above); i > 0; i--)
        buf_add_format(&below, "%s%.*s", below.len > 0 ? " / " : "",
                       STR_ARG(book->pages[above[i - 1]].name));
    add_entry(page->file, STR(""), page->name, buf_str(&below), buf_str(&text), out);
    buf_free(&text);
    buf_free(&below);
}

static void add_post_entry(const struct report_handbook *book,
                           const struct report_handbook_page *page, int64_t id,
                           struct text_html_parts *parts, struct buf *out)
{
    const struct report_handbook_post *post = report_handbook_post(book, id);
    char anchor[32];

    text_form_split(post->form, post->body, TEXT_HTML_BODY, parts);
    snprintf(anchor, sizeof anchor, "#q%lld", (long long)post->id);
    add_entry(page->file, str_from(anchor), report_handbook_title(post), page->name,
              text_utf8_cut(buf_str(&parts->body), SEARCH_TEXT_MAX), out);
}

void report_handbook_search(const struct report_handbook *book, struct buf *out)
{
    struct text_html_parts parts = {0};

    buf_add(out, STR("\"use strict\";\nwindow.handbook = [\n"));
    for (size_t p = 0; p < book->page_count; p++) {
        const struct report_handbook_page *page = &book->pages[p];
        const struct {
            const int64_t *ids;
            size_t count;
        } unsolved[] = {{page->closed, page->closed_count},
                        {page->open, page->open_count},
                        {page->unaccepted, page->unaccepted_count}};
        add_page_entry(book, p, out);
        if (report_handbook_has_below(book, p))
            continue;
        for (size_t i = 0; i < page->solved_count; i++)
            add_post_entry(book, page, page->solved[i].question, &parts, out);
        for (size_t u = 0; u < ROWS_OF(unsolved); u++)
            for (size_t i = 0; i < unsolved[u].count; i++)
                add_post_entry(book, page, unsolved[u].ids[i], &parts, out);
    }
    buf_add(out, STR("];\n"));
    text_html_parts_free(&parts);
}

void report_handbook_attribution(const struct report_handbook *book, struct buf *out)
{
    buf_add(out, STR("id,link,author,licence,licence from\n"));
    for (size_t i = 0; i < book->post_count; i++) {
        const struct report_handbook_post *post = &book->posts[i];
        /* Issues, topics and rows say of no licence: who publishes has to ask. */
        bool none = post->license.len == 0;
        const struct str cells[] = {post->key, post->link, post->author,
                                    none ? STR("not told by its source")
                                         : item_license_name(post->license),
                                    item_license_from(post->license)};
        for (size_t c = 0; c < ROWS_OF(cells); c++) {
            buf_add(out, c > 0 ? STR(",") : STR(""));
            buf_add_csv(out, cells[c]);
        }
        buf_add_char(out, '\n');
    }
}

extern const unsigned char report_handbook_css[], report_handbook_js[];
extern const size_t report_handbook_css_len, report_handbook_js_len;

struct str report_handbook_style(void)
{
    return (struct str){(const char *)report_handbook_css, report_handbook_css_len};
}

struct str report_handbook_script(void)
{
    return (struct str){(const char *)report_handbook_js, report_handbook_js_len};
}
