/* The page. */
#include "topic/render.h"

#include <math.h>

enum { PAGE_WORDS = 10 };

/* Right-aligned, "-" when undefined. */
static void add_number(struct buf *out, int width, int digits, double value)
{
    if (isnan(value))
        buf_add_format(out, "%*s", width, "-");
    else
        buf_add_format(out, "%*.*f", width, digits, value);
}

static void add_percent(struct buf *out, int width, double share)
{
    add_number(out, width - 1, 1, 100 * share);
    buf_add_char(out, isnan(share) ? ' ' : '%');
}

static void add_sweep(const struct render_data *data, struct buf *out)
{
    const struct topics *topics = data->topics;

    buf_add(out, STR("  topics  perplexity    UMass    NPMI     c_v  stability\n"));
    for (size_t i = 0; i < topics->step_count; i++) {
        const struct sweep_step *step = topics->steps + i;
        buf_add_format(out, "%c %6zu", i == topics->chosen ? '*' : ' ', step->topics);
        add_number(out, 12, 1, step->perplexity);
        add_number(out, 9, 3, step->coherence.umass);
        add_number(out, 8, 3, step->coherence.npmi);
        add_number(out, 8, 3, step->coherence.c_v);
        add_number(out, 11, 2, step->stability.mean);
        buf_add_char(out, '\n');
    }
}

static void add_topics(const struct render_data *data, struct buf *out)
{
    const struct topics *topics = data->topics;
    const struct sweep_step *step = topics->steps + topics->chosen;

    buf_add_format(out, "\n%zu topics", topics->model.topics);
    if (topics->step_count > 1)
        buf_add_format(out, ", chosen by %s", data->chosen_by);
    if (data->runs > 1)
        buf_add_format(out, "; run %zu of %lld, the most like the others",
                       step->stability.typical + 1, (long long)data->runs);
    buf_add(out, STR("\n\ntopic   share   posts     c_v  stability  words\n"));
    for (size_t k = 0; k < topics->model.topics; k++) {
        buf_add_format(out, "%5zu ", k + 1);
        add_percent(out, 7, data->measured[k].share);
        buf_add_format(out, "%8lld", (long long)data->measured[k].posts);
        add_number(out, 8, 3, topics->coherence[k].c_v);
        add_number(out, 11, 2, topics->stability[k]);
        buf_add(out, STR("  "));
        for (size_t i = 0; i < topics->top && i < PAGE_WORDS; i++) {
            if (i > 0)
                buf_add_char(out, ' ');
            buf_add(out, data->tokens->names[topics->words[k * topics->top + i].word]);
        }
        buf_add_char(out, '\n');
    }
}

static void add_typical(const struct render_data *data, struct buf *out)
{
    if (data->titles == NULL)
        return;
    buf_add(out, STR("\ntopic  typical post\n"));
    for (size_t k = 0; k < data->topics->model.topics; k++) {
        size_t post;
        if (tables_typical(&data->topics->model, data->tokens, data->main_topics, k, 1,
                           &post) == 0)
            continue;
        buf_add_format(out, "%5zu  ", k + 1);
        buf_add(out, data->ids[post]);
        buf_add_char(out, ' ');
        buf_add(out, data->titles[post]);
        buf_add_char(out, '\n');
    }
}

static void add_correlation(struct buf *out, const char *name,
                            const struct correlation *found)
{
    buf_add_format(out, "  %s ", name);
    if (found->undefined != NULL)
        buf_add_format(out, "undefined: %s", found->undefined);
    else
        buf_add_format(out, "%.3f (p = %.3f)", found->r, found->p);
}

static void add_measures(const struct render_data *data, struct buf *out)
{
    if (data->relations == NULL)
        return;
    buf_add(out, STR("\ntopic   posts       views    score  no accepted  hours to it\n"));
    for (size_t k = 0; k < data->topics->model.topics; k++) {
        const struct tables_topic *topic = data->measured + k;
        buf_add_format(out, "%5zu%8lld", k + 1, (long long)topic->posts);
        add_number(out, 12, 1, topic->views);
        add_number(out, 9, 2, topic->score);
        add_percent(out, 13, topic->without_accepted);
        add_number(out, 13, 1, topic->hours);
        buf_add_char(out, '\n');
    }
    buf_add(out, STR("means over posts, the median of hours; over topics:\n"));
    for (size_t i = 0; i < TABLES_RELATIONS; i++) {
        const struct tables_relation *relation = data->relations + i;
        buf_add_format(out, "  %s and %s:", relation->popularity, relation->difficulty);
        add_correlation(out, "Spearman", &relation->spearman);
        add_correlation(out, "Kendall", &relation->kendall);
        buf_add_char(out, '\n');
    }
}

static int width_of(struct str name)
{
    return name.len < 6 ? 8 : (int)name.len + 2;
}

static void add_groups(const struct render_groups *groups, size_t topics, struct buf *out)
{
    if (groups->count == 0)
        return;
    buf_add(out, STR("\ntopic"));
    for (size_t g = 0; g < groups->count; g++)
        buf_add_format(out, "%*.*s", width_of(groups->names[g]),
                       (int)groups->names[g].len, groups->names[g].ptr);
    buf_add_char(out, '\n');
    for (size_t k = 0; k < topics; k++) {
        buf_add_format(out, "%5zu", k + 1);
        for (size_t g = 0; g < groups->count; g++)
            buf_add_format(out, "%*lld", width_of(groups->names[g]),
                           (long long)groups->cells[k * groups->count + g]);
        buf_add_char(out, '\n');
    }
}

void render_page(const struct render_data *data, struct buf *out)
{
    add_sweep(data, out);
    add_topics(data, out);
    add_typical(data, out);
    add_measures(data, out);
    add_groups(&data->years, data->topics->model.topics, out);
    add_groups(&data->codes, data->topics->model.topics, out);
}
