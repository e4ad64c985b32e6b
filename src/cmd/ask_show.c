/* Answers of `assay ask`. Names of people are nowhere in them; each answer that is quoted
 * comes with its link and its licence. */
#include "cmd/ask.h"

#include <math.h>

#include "base/date.h"
#include "item/license.h"
#include "report/page.h"
#include "text/form.h"
#include "text/sanitise.h"
#include "text/utf8.h"

enum { EXCERPT = 280 }; /* bytes of an answer that text and json show */

/* Said of a class that would have rested on a vector as well. */
static const char words_alone[] = ", by words alone: it was taught with vectors";

/* Said instead of a class. */
static const char no_class[] = "none: the classifier knows none of these words";

/* The beginning of its prose, on one line. */
static struct str excerpt(const struct item *item, struct arena *arena)
{
    struct learn_parts_splitter splitter = {0};
    struct learn_parts parts = {0};
    struct buf out = {0};

    learn_parts_split_form(item->form, item->body, &splitter, &parts);
    struct str prose = str_trim(parts.at[LEARN_PARTS_PROSE]);
    if (prose.len == 0)
        prose = str_trim(parts.at[LEARN_PARTS_CODE]);
    for (size_t at = 0, end; at < prose.len; at = end) {
        uint32_t code;
        end = at + text_utf8_read(prose, at, &code);
        if (out.len > EXCERPT) {
            buf_add(&out, STR(" ..."));
            break;
        }
        if (code > ' ')
            buf_add(&out, str_slice(prose, at, end));
        else if (out.len > 0 && out.ptr[out.len - 1] != ' ')
            buf_add_char(&out, ' ');
    }
    learn_parts_splitter_free(&splitter);
    return buf_keep(&out, arena);
}

/* Of a simulated post it would lead to somebody else's. */
static struct str link_of(const struct cmd_ask_shown *shown, int64_t id)
{
    struct buf out = {0};

    if (!shown->asking->study->simulated)
        item_link_add(&out, &shown->asking->study->spaces, id);
    return buf_keep(&out, shown->arena);
}

static struct str key_of(const struct cmd_ask_shown *shown, int64_t id)
{
    return item_key(&shown->asking->study->spaces, id, shown->arena);
}

/* "half of the 100 nearest items were solved within 3 hours (95%: 2 hours to 5 hours);
 * 61% are solved". */
static void add_wait(const struct cmd_ask_shown *shown, struct buf *out)
{
    const struct run_asking_answer *answer = shown->answer;
    const struct stats_survival_median *wait = &answer->wait;

    if (answer->waits == 0) {
        buf_add(out,
                STR("not known: nothing like it in the corpus tells how long it waited"));
        return;
    }
    if (isnan(wait->median) && answer->waits == 1) {
        buf_add(out, STR("the only item near it still waits"));
    } else if (isnan(wait->median)) {
        buf_add_format(out, "more than half of the %lld nearest items still wait",
                       (long long)answer->waits);
    } else {
        if (answer->waits == 1)
            buf_add(out, STR("the only item near it was solved within "));
        else
            buf_add_format(out, "half of the %lld nearest items were solved within ",
                           (long long)answer->waits);
        date_add_duration(out, wait->median);
        if (!isnan(wait->low) && !isnan(wait->high)) {
            buf_add(out, STR(" (95%: "));
            date_add_duration(out, wait->low);
            buf_add(out, STR(" to "));
            date_add_duration(out, wait->high);
            buf_add_char(out, ')');
        }
    }
    if (answer->waits > 1)
        buf_add_format(out, "; %.0f%% are solved", 100 * answer->solved);
}

static struct str wait_of(const struct cmd_ask_shown *shown)
{
    struct buf out = {0};

    add_wait(shown, &out);
    return buf_keep(&out, shown->arena);
}

/* Whether a reader could find the answer by its number: where keys are texts, what is
 * not studied itself has none. */
static bool has_key(const struct run_asking_item *item)
{
    return item_number(item->answer.id) < ITEM_NUMBER_MAX;
}

/* A link; empty: there is none, as of simulated posts. */
static struct str author_of(const struct cmd_ask_shown *shown, const struct item *post)
{
    struct buf out = {0};

    if (!shown->asking->study->simulated)
        item_author_link_add(&out, &shown->asking->study->spaces, post->id, post->owner);
    return buf_keep(&out, shown->arena);
}

/* "accepted answer 12, score 5, CC BY-SA 4.0"; "answer 12, thanked for by who asked,
 * ...".
 */
static void add_answer_head(const struct cmd_ask_shown *shown,
                            const struct run_asking_item *item, struct buf *out)
{
    struct str key = key_of(shown, item->answer.id), license = item->answer.license;

    buf_add(out, item->accepted ? STR("accepted answer") : STR("answer"));
    if (has_key(item))
        buf_add_format(out, " %.*s", STR_ARG(key));
    if (item->endorsed)
        buf_add(out, STR(", thanked for by who asked"));
    if (item->answer.score != ITEM_NONE)
        buf_add_format(out, ", score %lld", (long long)item->answer.score);
    if (license.len > 0)
        buf_add_format(out, ", %.*s", STR_ARG(license));
}

/* As text. */

static void add_item_text(const struct cmd_ask_shown *shown,
                          const struct run_asking_item *item, size_t number,
                          struct buf *out)
{
    struct str key = key_of(shown, item->item.id), link = link_of(shown, item->item.id);

    buf_add_format(out, "%3zu  %.2f  %.*s  %.*s\n", number, item->hit.score, STR_ARG(key),
                   STR_ARG(item->item.title));
    if (link.len > 0)
        buf_add_format(out, "     %.*s\n", STR_ARG(link));
    if (item->answered) {
        struct str text = excerpt(&item->answer, shown->arena);
        buf_add(out, STR("     "));
        add_answer_head(shown, item, out);
        buf_add_format(out, ": %.*s\n", STR_ARG(text));
    }
}

void cmd_ask_add_text(const struct cmd_ask_shown *shown, struct buf *out)
{
    const struct run_asking_answer *answer = shown->answer;
    struct str wait = wait_of(shown);

    if (shown->name.len > 0)
        buf_add_format(out, "%.*s: %.*s\n", STR_ARG(shown->name), STR_ARG(shown->title));
    for (size_t i = 0; i < answer->class_count; i++) {
        const struct run_asking_class *is = &answer->classes[i];
        buf_add_format(out, "category   %.*s: ", STR_ARG(is->classifier));
        if (is->class.len > 0)
            buf_add_format(out, "%.*s (%.2f%s)\n", STR_ARG(is->class), is->probability,
                           is->words ? words_alone : "");
        else
            buf_add_format(out, "%s\n", no_class);
    }
    if (answer->duplicate != NULL) {
        struct str key = key_of(shown, answer->duplicate->item.id);
        buf_add_format(out, "duplicate  likely of %.*s (%.2f): %.*s\n", STR_ARG(key),
                       answer->duplicate->hit.score,
                       STR_ARG(answer->duplicate->item.title));
    }
    buf_add_format(out, "wait       %.*s\n", STR_ARG(wait));
    if (answer->count == 0)
        buf_add(out,
                answer->terms == 0
                    ? STR("nearest    none: the corpus has none of these words\n")
                    : STR("nearest    none: no solved item has any of these words\n"));
    for (size_t i = 0; i < answer->count; i++)
        add_item_text(shown, &answer->nearest[i], i + 1, out);
    if (answer->alike_count > 0)
        buf_add_format(out, "alike      by the vectors %.*s (cosine):\n",
                       STR_ARG(shown->asking->vectors.name));
    for (size_t i = 0; i < answer->alike_count; i++)
        add_item_text(shown, &answer->alike[i], i + 1, out);
    if (shown->milliseconds >= 0)
        buf_add_format(out, "took       %.1f ms\n", shown->milliseconds);
    if (shown->name.len > 0)
        buf_add_char(out, '\n');
}

/* As json. */

static void add_string(struct buf *out, const char *name, struct str text)
{
    buf_add_format(out, "\"%s\":\"", name);
    buf_add_json(out, text);
    buf_add_char(out, '"');
}

static void add_number(struct buf *out, const char *name, double value, int digits)
{
    if (isnan(value))
        buf_add_format(out, ",\"%s\":null", name);
    else
        buf_add_format(out, ",\"%s\":%.*f", name, digits, value);
}

static void add_item_json(const struct cmd_ask_shown *shown,
                          const struct run_asking_item *item, struct buf *out)
{
    const struct item_spaces *spaces = &shown->asking->study->spaces;

    buf_add(out, STR("{\"item\":"));
    item_key_add_json(out, spaces, item->item.id);
    add_number(out, "score", item->hit.score, 4);
    add_number(out, "words", item->hit.words, 4);
    add_number(out, "cosine", item->hit.cosine, 4);
    buf_add_format(out, ",\"solved\":%s,", item->hit.item.resolved ? "true" : "false");
    add_string(out, "title", item->item.title);
    buf_add_char(out, ',');
    add_string(out, "link", link_of(shown, item->item.id));
    if (item->answered) {
        buf_add(out, STR(",\"answer\":{\"item\":"));
        if (has_key(item))
            item_key_add_json(out, spaces, item->answer.id);
        else
            buf_add(out, STR("null"));
        buf_add_format(out, ",\"accepted\":%s,\"endorsed\":%s",
                       item->accepted ? "true" : "false",
                       item->endorsed ? "true" : "false");
        if (item->answer.score != ITEM_NONE)
            add_number(out, "score", (double)item->answer.score, 0);
        buf_add_char(out, ',');
        add_string(out, "license", item_license_name(item->answer.license));
        buf_add_char(out, ',');
        add_string(out, "license_from", item_license_from(item->answer.license));
        buf_add_char(out, ',');
        add_string(out, "author", author_of(shown, &item->answer));
        buf_add_char(out, ',');
        add_string(out, "text", excerpt(&item->answer, shown->arena));
        buf_add_char(out, '}');
    }
    buf_add_char(out, '}');
}

void cmd_ask_add_json(const struct cmd_ask_shown *shown, struct buf *out)
{
    const struct run_asking_answer *answer = shown->answer;

    buf_add_char(out, '{');
    add_string(out, "question", shown->name);
    buf_add_char(out, ',');
    add_string(out, "title", shown->title);
    buf_add(out, STR(",\"categories\":["));
    for (size_t i = 0; i < answer->class_count; i++) {
        buf_add(out, i > 0 ? STR(",{") : STR("{"));
        add_string(out, "classifier", answer->classes[i].classifier);
        buf_add_char(out, ',');
        if (answer->classes[i].class.len > 0)
            add_string(out, "class", answer->classes[i].class);
        else
            buf_add(out, STR("\"class\":null"));
        add_number(out, "probability", answer->classes[i].probability, 4);
        if (answer->classes[i].words)
            buf_add(out, STR(",\"words_alone\":true"));
        buf_add_char(out, '}');
    }
    buf_add(out, STR("],\"duplicate\":"));
    if (answer->duplicate != NULL)
        add_item_json(shown, answer->duplicate, out);
    else
        buf_add(out, STR("null"));
    buf_add_format(out, ",\"wait\":{\"items\":%lld", (long long)answer->waits);
    add_number(out, "median-minutes", answer->wait.median, 2);
    add_number(out, "low", answer->wait.low, 2);
    add_number(out, "high", answer->wait.high, 2);
    add_number(out, "solved", answer->solved, 4);
    buf_add(out, STR("},\"nearest\":["));
    for (size_t i = 0; i < answer->count; i++) {
        if (i > 0)
            buf_add_char(out, ',');
        add_item_json(shown, &answer->nearest[i], out);
    }
    buf_add_char(out, ']');
    if (shown->asking->vectors.dimensions > 0) {
        buf_add_char(out, ',');
        add_string(out, "vectors", shown->asking->vectors.name);
        buf_add(out, STR(",\"alike\":["));
        for (size_t i = 0; i < answer->alike_count; i++) {
            if (i > 0)
                buf_add_char(out, ',');
            add_item_json(shown, &answer->alike[i], out);
        }
        buf_add_char(out, ']');
    }
    if (shown->milliseconds >= 0)
        add_number(out, "milliseconds", shown->milliseconds, 2);
    buf_add(out, STR("}\n"));
}

/* As a page. */

void cmd_ask_page_begin(const struct study *study, struct buf *out)
{
    struct str title = study->title.len > 0 ? study->title : study->name;
    struct buf head = {0};

    buf_add_format(&head, "Nearest solved questions: %.*s", STR_ARG(title));
    report_page_alone(buf_str(&head),
                      STR("main{overflow-wrap:anywhere}"
                          "details{margin:.4rem 0 1rem}summary{cursor:pointer}"
                          "blockquote{margin:.5rem 0;padding-left:1rem;"
                          "border-left:3px solid var(--line);overflow-x:auto}"
                          "h3{margin-top:1.2rem}"),
                      out);
    buf_free(&head);
    buf_add_html(
        out,
        "<header><h1>Nearest solved questions</h1><p class=\"lead\">in the corpus "
        "of: %</p></header>\n<main>\n",
        title);
}

/* Its title, which leads to it where it has a link. */
static void add_link(const struct cmd_ask_shown *shown,
                     const struct run_asking_item *item, struct buf *out)
{
    struct str link = link_of(shown, item->item.id), key = key_of(shown, item->item.id);
    struct str title = item->item.title.len > 0 ? item->item.title : key;

    if (link.len > 0)
        buf_add_html(out, "<a href=\"%\" rel=\"noreferrer\">%</a>", link, title);
    else
        buf_add_html(out, "%", title);
}

/* Where the answer stands, who wrote it, when and under which terms: as its licence asks
 * of who quotes it. */
static void add_attribution(const struct cmd_ask_shown *shown, const struct item *answer,
                            struct str link, struct buf *out)
{
    struct str author = author_of(shown, answer);
    char room[ITEM_LICENSE_LINK_MAX];
    struct str terms = item_license_link(answer->license, room);

    buf_add_html(out, "<p class=\"note\"><a href=\"%\" rel=\"noreferrer\">%</a>", link,
                 link);
    if (author.len > 0)
        buf_add_html(out, " by <a href=\"%\" rel=\"noreferrer\">user %</a>", author,
                     str_last(author, '/'));
    if (answer->created_ms != ITEM_NONE) {
        buf_add(out, STR(", "));
        date_add_day(out, answer->created_ms);
    }
    if (terms.len > 0)
        buf_add_html(out, ", <a href=\"%\" rel=\"license noreferrer\">%</a>%", terms,
                     item_license_name(answer->license),
                     item_license_mark(answer->license));
    buf_add(out, STR("</p>"));
}

static void add_item_page(const struct cmd_ask_shown *shown,
                          const struct run_asking_item *item, size_t number,
                          struct buf *out)
{
    buf_add_html(out, "<h3>$. ", (double)number);
    add_link(shown, item, out);
    buf_add_format(out, " <span class=\"soft\">nearness %.2f</span></h3>\n",
                   item->hit.score);
    if (!item->answered)
        return;
    struct buf head = {0}, body = {0}, harmless = {0};
    struct str answer = link_of(shown, item->answer.id);
    add_answer_head(shown, item, &head);
    text_form_show(item->answer.form, item->answer.body, &body);
    text_sanitise_html(buf_str(&body), &harmless);
    buf_add_html(out, "<details><summary>%</summary><blockquote>", buf_str(&head));
    buf_add(out, buf_str(&harmless));
    buf_add(out, STR("</blockquote>"));
    if (answer.len > 0)
        add_attribution(shown, &item->answer, answer, out);
    buf_add(out, STR("</details>\n"));
    buf_free(&head);
    buf_free(&body);
    buf_free(&harmless);
}

void cmd_ask_page_add(const struct cmd_ask_shown *shown, struct buf *out)
{
    const struct run_asking_answer *answer = shown->answer;

    if (shown->name.len > 0)
        buf_add_html(out, "<section><h2>%: %</h2>\n<dl class=\"glance\">", shown->name,
                     shown->title);
    else
        buf_add_html(out, "<section><h2>%</h2>\n<dl class=\"glance\">", shown->title);
    for (size_t i = 0; i < answer->class_count; i++) {
        bool known = answer->classes[i].class.len > 0;
        buf_add_html(out, "<dt>category (%)</dt><dd>%", answer->classes[i].classifier,
                     known ? answer->classes[i].class : str_from(no_class));
        if (!known)
            buf_add(out, STR("</dd>"));
        else
            buf_add_format(out, ", probability %.2f%s</dd>",
                           answer->classes[i].probability,
                           answer->classes[i].words ? words_alone : "");
    }
    if (answer->duplicate != NULL) {
        buf_add(out, STR("<dt>likely duplicate of</dt><dd>"));
        add_link(shown, answer->duplicate, out);
        buf_add(out, STR("</dd>"));
    }
    buf_add_html(out, "<dt>expected wait</dt><dd>%</dd></dl>\n", wait_of(shown));
    for (size_t i = 0; i < answer->count; i++)
        add_item_page(shown, &answer->nearest[i], i + 1, out);
    if (answer->count == 0)
        buf_add(out, STR("<p>No solved item has any of these words.</p>\n"));
    if (answer->alike_count > 0)
        buf_add_html(out, "<h2>Alike by the vectors %</h2>\n",
                     shown->asking->vectors.name);
    for (size_t i = 0; i < answer->alike_count; i++)
        add_item_page(shown, &answer->alike[i], i + 1, out);
    buf_add(out, STR("</section>\n"));
}

void cmd_ask_page_end(struct buf *out)
{
    buf_add(out, STR("</main></body></html>\n"));
}
