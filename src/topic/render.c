/* Topics as a page that people read, as csv and as json, with all digits that mean
 * something. */
#include "topic/topic.h"

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

static void add_sweep(const struct topic_render_data *data, struct buf *out)
{
    const struct topic_set *topics = data->topics;

    buf_add(out, STR("  topics  perplexity    UMass    NPMI     c_v  stability\n"));
    for (size_t i = 0; i < topics->step_count; i++) {
        const struct topic_sweep_step *step = topics->steps + i;
        buf_add_format(out, "%c %6zu", i == topics->chosen ? '*' : ' ', step->topics);
        add_number(out, 12, 1, step->perplexity);
        add_number(out, 9, 3, step->coherence.umass);
        add_number(out, 8, 3, step->coherence.npmi);
        add_number(out, 8, 3, step->coherence.c_v);
        add_number(out, 11, 2, step->stability.mean);
        buf_add_char(out, '\n');
    }
}

static void add_topics(const struct topic_render_data *data, struct buf *out)
{
    const struct topic_set *topics = data->topics;
    const struct topic_sweep_step *step = topics->steps + topics->chosen;

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

static void add_typical(const struct topic_render_data *data, struct buf *out)
{
    if (data->titles == NULL)
        return;
    buf_add(out, STR("\ntopic  typical post\n"));
    for (size_t k = 0; k < data->topics->model.topics; k++) {
        size_t post;
        if (topic_tables_typical(&data->topics->model, data->tokens, data->main_topics, k,
                                 1, &post) == 0)
            continue;
        buf_add_format(out, "%5zu  ", k + 1);
        buf_add(out, data->ids[post]);
        buf_add_char(out, ' ');
        buf_add(out, data->titles[post]);
        buf_add_char(out, '\n');
    }
}

static void add_correlation(struct buf *out, const char *name,
                            const struct stats_correlation *found)
{
    buf_add_format(out, "  %s ", name);
    if (found->undefined != NULL)
        buf_add_format(out, "undefined: %s", found->undefined);
    else
        buf_add_format(out, "%.3f (p = %.3f)", found->r, found->p);
}

static void add_measures(const struct topic_render_data *data, struct buf *out)
{
    if (data->relations == NULL)
        return;
    buf_add(out, STR("\ntopic   posts       views    score  no accepted  hours to it\n"));
    for (size_t k = 0; k < data->topics->model.topics; k++) {
        const struct topic_tables_topic *topic = data->measured + k;
        buf_add_format(out, "%5zu%8lld", k + 1, (long long)topic->posts);
        add_number(out, 12, 1, topic->views);
        add_number(out, 9, 2, topic->score);
        add_percent(out, 13, topic->without_accepted);
        add_number(out, 13, 1, topic->hours);
        buf_add_char(out, '\n');
    }
    buf_add(out, STR("means over posts, the median of hours; over topics:\n"));
    for (size_t i = 0; i < TOPIC_TABLES_RELATIONS; i++) {
        const struct topic_tables_relation *relation = data->relations + i;
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

static void add_groups(const struct topic_render_groups *groups, size_t topics,
                       struct buf *out)
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

void topic_render_page(const struct topic_render_data *data, struct buf *out)
{
    add_sweep(data, out);
    add_topics(data, out);
    add_typical(data, out);
    add_measures(data, out);
    add_groups(&data->years, data->topics->model.topics, out);
    add_groups(&data->codes, data->topics->model.topics, out);
}

/* Csv and json, with all digits that mean something. */

enum { TYPICAL = 10 };

static void add_real(struct buf *out, double value, struct str undefined)
{
    if (isnan(value))
        buf_add(out, undefined);
    else
        buf_add_format(out, "%.6g", value);
}

/* A field of a csv, behind a comma. */
static void add_field(struct buf *out, double value)
{
    buf_add_char(out, ',');
    add_real(out, value, (struct str){0});
}

static void add_label(const struct topic_render_data *data, size_t topic, struct buf *out)
{
    struct buf label = {0};

    topic_add_label(data->topics, data->tokens, topic, &label);
    buf_add_csv(out, buf_str(&label));
    buf_free(&label);
}

static void files_add_topics(const struct topic_render_data *data, struct buf *out)
{
    const struct topic_set *topics = data->topics;

    buf_add(out, STR("topic,label,share,posts,umass,npmi,c_v,stability,alpha,mean_views,"
                     "mean_score,share_without_accepted,median_hours_to_accepted\n"));
    for (size_t k = 0; k < topics->model.topics; k++) {
        const struct topic_tables_topic *measured = data->measured + k;
        buf_add_format(out, "%zu,", k + 1);
        add_label(data, k, out);
        add_field(out, measured->share);
        buf_add_format(out, ",%lld", (long long)measured->posts);
        add_field(out, topics->coherence[k].umass);
        add_field(out, topics->coherence[k].npmi);
        add_field(out, topics->coherence[k].c_v);
        add_field(out, topics->stability[k]);
        add_field(out, topics->model.alpha[k]);
        add_field(out, measured->views);
        add_field(out, measured->score);
        add_field(out, measured->without_accepted);
        add_field(out, measured->hours);
        buf_add_char(out, '\n');
    }
}

static void add_words(const struct topic_render_data *data, struct buf *out)
{
    const struct topic_set *topics = data->topics;

    buf_add(out, STR("topic,rank,word,relevance,probability,posts\n"));
    for (size_t k = 0; k < topics->model.topics; k++)
        for (size_t i = 0; i < topics->top; i++) {
            const struct topic_relevance *word = topics->words + k * topics->top + i;
            buf_add_format(out, "%zu,%zu,", k + 1, i + 1);
            buf_add_csv(out, data->tokens->names[word->word]);
            add_field(out, word->relevance);
            add_field(out, word->probability);
            buf_add_format(out, ",%u\n", data->tokens->frequency[word->word]);
        }
}

static void add_documents(const struct topic_render_data *data, struct buf *out)
{
    const struct topic_lda_model *model = &data->topics->model;

    buf_add(out, STR("id,words,topic"));
    for (size_t k = 0; k < model->topics; k++)
        buf_add_format(out, ",share_%zu", k + 1);
    buf_add_char(out, '\n');
    for (size_t d = 0; d < model->documents; d++) {
        buf_add_csv(out, data->ids[d]);
        buf_add_format(out, ",%zu,", topic_tokens_length(data->tokens, d));
        if (data->main_topics[d] != TOPIC_TABLES_NONE)
            buf_add_format(out, "%zu", data->main_topics[d] + 1);
        for (size_t k = 0; k < model->topics; k++)
            if (data->main_topics[d] != TOPIC_TABLES_NONE)
                buf_add_format(out, ",%.4f", topic_lda_share(model, d, k));
            else
                buf_add_char(out, ',');
        buf_add_char(out, '\n');
    }
}

static void files_add_sweep(const struct topic_render_data *data, struct buf *out)
{
    const struct topic_set *topics = data->topics;

    buf_add(out, STR("topics,perplexity,umass,npmi,c_v,stability,typical_run,chosen\n"));
    for (size_t i = 0; i < topics->step_count; i++) {
        const struct topic_sweep_step *step = topics->steps + i;
        buf_add_format(out, "%zu", step->topics);
        add_field(out, step->perplexity);
        add_field(out, step->coherence.umass);
        add_field(out, step->coherence.npmi);
        add_field(out, step->coherence.c_v);
        add_field(out, step->stability.mean);
        buf_add_format(out, ",%zu,%s\n", step->stability.typical + 1,
                       i == topics->chosen ? "yes" : "no");
    }
}

static void files_add_typical(const struct topic_render_data *data, struct buf *out)
{
    const struct topic_lda_model *model = &data->topics->model;
    size_t posts[TYPICAL];

    buf_add(out, STR("topic,rank,id,share,title\n"));
    for (size_t k = 0; k < model->topics; k++) {
        size_t count = topic_tables_typical(model, data->tokens, data->main_topics, k,
                                            TYPICAL, posts);
        for (size_t i = 0; i < count; i++) {
            buf_add_format(out, "%zu,%zu,", k + 1, i + 1);
            buf_add_csv(out, data->ids[posts[i]]);
            buf_add_format(out, ",%.4f,", topic_lda_share(model, posts[i], k));
            if (data->titles != NULL)
                buf_add_csv(out, data->titles[posts[i]]);
            buf_add_char(out, '\n');
        }
    }
}

static void files_add_groups(const struct topic_render_groups *groups, size_t topics,
                             const char *name, struct buf *out)
{
    buf_add_format(out, "topic,%s,posts\n", name);
    for (size_t k = 0; k < topics; k++)
        for (size_t g = 0; g < groups->count; g++) {
            buf_add_format(out, "%zu,", k + 1);
            buf_add_csv(out, groups->names[g]);
            buf_add_format(out, ",%lld\n",
                           (long long)groups->cells[k * groups->count + g]);
        }
}

static void add_years(const struct topic_render_data *data, struct buf *out)
{
    files_add_groups(&data->years, data->topics->model.topics, "year", out);
}

static bool has_years(const struct topic_render_data *data)
{
    return data->years.count > 0;
}

static void add_codes(const struct topic_render_data *data, struct buf *out)
{
    files_add_groups(&data->codes, data->topics->model.topics, "code", out);
}

static bool has_codes(const struct topic_render_data *data)
{
    return data->codes.count > 0;
}

static void add_relations(const struct topic_render_data *data, struct buf *out)
{
    buf_add(out, STR("popularity,difficulty,spearman,spearman_p,kendall,kendall_p\n"));
    for (size_t i = 0; i < TOPIC_TABLES_RELATIONS; i++) {
        const struct topic_tables_relation *relation = data->relations + i;
        buf_add_format(out, "%s,%s", relation->popularity, relation->difficulty);
        add_field(out, relation->spearman.r);
        add_field(out, relation->spearman.p);
        add_field(out, relation->kendall.r);
        add_field(out, relation->kendall.p);
        buf_add_char(out, '\n');
    }
}

static bool has_relations(const struct topic_render_data *data)
{
    return data->relations != NULL;
}

/* "name": value, behind a comma. */
static void add_member(struct buf *out, const char *name, double value)
{
    buf_add_format(out, ",\"%s\":", name);
    add_real(out, value, STR("null"));
}

static void add_coherence(struct buf *out, const struct topic_coherence *coherence)
{
    add_member(out, "umass", coherence->umass);
    add_member(out, "npmi", coherence->npmi);
    add_member(out, "c_v", coherence->c_v);
}

static void add_json_words(const struct topic_render_data *data, size_t topic,
                           struct buf *out)
{
    const struct topic_set *topics = data->topics;

    buf_add(out, STR(",\"words\":["));
    for (size_t i = 0; i < topics->top; i++) {
        buf_add(out, i > 0 ? STR(",\"") : STR("\""));
        buf_add_json(out,
                     data->tokens->names[topics->words[topic * topics->top + i].word]);
        buf_add_char(out, '"');
    }
    buf_add_char(out, ']');
}

static void add_json_groups(const struct topic_render_groups *groups, const char *name,
                            size_t topic, struct buf *out)
{
    if (groups->count == 0)
        return;
    buf_add_format(out, ",\"%s\":{", name);
    for (size_t g = 0; g < groups->count; g++) {
        buf_add(out, g > 0 ? STR(",\"") : STR("\""));
        buf_add_json(out, groups->names[g]);
        buf_add_format(out, "\":%lld",
                       (long long)groups->cells[topic * groups->count + g]);
    }
    buf_add_char(out, '}');
}

static void add_json_topic(const struct topic_render_data *data, size_t topic,
                           struct buf *out)
{
    const struct topic_tables_topic *measured = data->measured + topic;

    buf_add_format(out, "{\"topic\":%zu,\"posts\":%lld", topic + 1,
                   (long long)measured->posts);
    add_member(out, "share", measured->share);
    add_coherence(out, data->topics->coherence + topic);
    add_member(out, "stability", data->topics->stability[topic]);
    add_member(out, "mean_views", measured->views);
    add_member(out, "mean_score", measured->score);
    add_member(out, "share_without_accepted", measured->without_accepted);
    add_member(out, "median_hours_to_accepted", measured->hours);
    add_json_words(data, topic, out);
    add_json_groups(&data->years, "years", topic, out);
    add_json_groups(&data->codes, "codes", topic, out);
    buf_add_char(out, '}');
}

static void add_json_relations(const struct topic_render_data *data, struct buf *out)
{
    buf_add(out, STR("],\n\"relations\":["));
    for (size_t i = 0; i < TOPIC_TABLES_RELATIONS; i++) {
        const struct topic_tables_relation *relation = data->relations + i;
        buf_add_format(out, "%s{\"popularity\":\"%s\",\"difficulty\":\"%s\"",
                       i > 0 ? ",\n" : "", relation->popularity, relation->difficulty);
        add_member(out, "spearman", relation->spearman.r);
        add_member(out, "spearman_p", relation->spearman.p);
        add_member(out, "kendall", relation->kendall.r);
        add_member(out, "kendall_p", relation->kendall.p);
        buf_add_char(out, '}');
    }
}

void topic_render_json(const struct topic_render_data *data, struct buf *out)
{
    const struct topic_set *topics = data->topics;

    buf_add_format(out, "{\"documents\":%zu,\"empty\":%zu,\"tokens\":%zu,\"words\":%zu",
                   data->tokens->documents, data->tokens->empty,
                   data->tokens->begin[data->tokens->documents], data->tokens->words);
    add_member(out, "beta", topics->model.beta);
    buf_add(out, STR(",\n\"sweep\":["));
    for (size_t i = 0; i < topics->step_count; i++) {
        const struct topic_sweep_step *step = topics->steps + i;
        buf_add_format(out, "%s{\"topics\":%zu", i > 0 ? ",\n" : "", step->topics);
        add_member(out, "perplexity", step->perplexity);
        add_coherence(out, &step->coherence);
        add_member(out, "stability", step->stability.mean);
        buf_add_format(out, ",\"chosen\":%s}", i == topics->chosen ? "true" : "false");
    }
    buf_add(out, STR("],\n\"topics\":["));
    for (size_t k = 0; k < topics->model.topics; k++) {
        buf_add(out, k > 0 ? STR(",\n") : STR(""));
        add_json_topic(data, k, out);
    }
    if (data->relations != NULL)
        add_json_relations(data, out);
    buf_add(out, STR("]}\n"));
}

const struct topic_render_file topic_render_files[] = {
    {"topics.csv", NULL, files_add_topics},
    {"words.csv", NULL, add_words},
    {"documents.csv", NULL, add_documents},
    {"sweep.csv", NULL, files_add_sweep},
    {"typical.csv", NULL, files_add_typical},
    {"years.csv", has_years, add_years},
    {"codes.csv", has_codes, add_codes},
    {"relations.csv", has_relations, add_relations},
    {"topics.json", NULL, topic_render_json},
    {0},
};
