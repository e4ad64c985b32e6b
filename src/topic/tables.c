/* Counting, means and medians over the documents of a topic. */
#include "topic/topic.h"

#include <math.h>

#include "stats/values.h"

size_t *topic_tables_main_topics(const struct topic_lda_model *model,
                                 const struct topic_tokens *tokens, struct arena *arena)
{
    size_t *main_topics = arena_array(arena, size_t, model->documents + 1);

    /* A vector tells the cluster of a document without words, too; a share of LDA is then
     * only what any document has. */
    for (size_t d = 0; d < model->documents; d++) {
        size_t best = 0;
        for (size_t k = 1; k < model->topics; k++)
            if (topic_lda_share(model, d, k) > topic_lda_share(model, d, best))
                best = k;
        main_topics[d] =
            (model->nearness != NULL || topic_tokens_length(tokens, d) > 0) &&
                    topic_lda_share(model, d, best) > 0
                ? best
                : TOPIC_TABLES_NONE;
    }
    return main_topics;
}

double topic_tables_typicality(const struct topic_lda_model *model, size_t document,
                               size_t topic)
{
    return model->nearness != NULL ? model->nearness[document]
                                   : topic_lda_share(model, document, topic);
}

static bool is_more_typical(const struct topic_lda_model *model,
                            const struct topic_tokens *tokens, size_t topic,
                            size_t document, size_t other)
{
    double typical = topic_tables_typicality(model, document, topic);
    double others = topic_tables_typicality(model, other, topic);

    return typical > others ||
           (typical == others &&
            topic_tokens_length(tokens, document) > topic_tokens_length(tokens, other));
}

size_t topic_tables_typical(const struct topic_lda_model *model,
                            const struct topic_tokens *tokens, const size_t *main_topics,
                            size_t topic, size_t count, size_t *out)
{
    size_t used = 0;

    for (size_t d = 0; d < model->documents && count > 0; d++) {
        if (main_topics[d] != topic)
            continue;
        size_t at = used < count ? used++ : count;
        if (at == count) {
            if (!is_more_typical(model, tokens, topic, d, out[count - 1]))
                continue;
            at = count - 1;
        }
        for (; at > 0 && is_more_typical(model, tokens, topic, d, out[at - 1]); at--)
            out[at] = out[at - 1];
        out[at] = d;
    }
    return used;
}

void topic_tables_cross(const size_t *main_topics, const size_t *group_of,
                        size_t documents, size_t topics, size_t groups, int64_t *out)
{
    for (size_t i = 0; i < topics * groups; i++)
        out[i] = 0;
    for (size_t d = 0; d < documents; d++)
        if (main_topics[d] != TOPIC_TABLES_NONE && group_of[d] != TOPIC_TABLES_NONE)
            out[main_topics[d] * groups + group_of[d]]++;
}

/* The values of a topic's documents, as far as they are known. */
static struct stats_values values_of(const double *column, const size_t *main_topics,
                                     size_t documents, size_t topic, double *room)
{
    struct stats_values values = {room, 0};

    for (size_t d = 0; column != NULL && d < documents; d++)
        if (main_topics[d] == topic && !isnan(column[d]))
            room[values.count++] = column[d];
    return values;
}

void topic_tables_topics(const struct topic_lda_model *model, const size_t *main_topics,
                         const struct topic_tables_measures *measures,
                         struct arena *arena, struct topic_tables_topic *out)
{
    size_t documents = model->documents;
    double *room = arena_array(arena, double, documents + 1);
    int64_t tokens = 0;

    for (size_t k = 0; k < model->topics; k++)
        tokens += model->tokens[k];
    for (size_t k = 0; k < model->topics; k++) {
        const double *columns[] = {measures->views, measures->score, measures->accepted};
        double means[ROWS_OF(columns)];
        out[k] = (struct topic_tables_topic){
            .share = (double)model->tokens[k] / (double)tokens, .hours = NAN};
        for (size_t d = 0; d < documents; d++)
            out[k].posts += main_topics[d] == k;
        for (size_t i = 0; i < ROWS_OF(columns); i++) {
            struct stats_values values =
                values_of(columns[i], main_topics, documents, k, room);
            means[i] = values.count > 0 ? stats_mean(values) : NAN;
        }
        out[k].views = means[0];
        out[k].score = means[1];
        out[k].without_accepted = 1 - means[2];
        struct stats_values hours =
            values_of(measures->hours, main_topics, documents, k, room);
        if (hours.count > 0)
            out[k].hours = stats_median(hours, arena);
    }
}

/* Topics of which both are known. */
static void relate(const struct topic_tables_topic *topics, size_t count,
                   size_t popularity, size_t difficulty, struct arena *arena,
                   struct topic_tables_relation *out)
{
    static const char *const popular[] = {"views", "score"};
    static const char *const difficult[] = {"without accepted", "hours to accepted"};
    double *x = arena_array(arena, double, count + 1);
    double *y = arena_array(arena, double, count + 1);
    size_t used = 0;

    for (size_t k = 0; k < count; k++) {
        x[used] = popularity == 0 ? topics[k].views : topics[k].score;
        y[used] = difficulty == 0 ? topics[k].without_accepted : topics[k].hours;
        used += !isnan(x[used]) && !isnan(y[used]);
    }
    struct stats_values first = {x, used}, second = {y, used};
    out->popularity = popular[popularity];
    out->difficulty = difficult[difficulty];
    out->spearman = stats_correlation_spearman(first, second, 0.95, arena);
    out->kendall = stats_correlation_kendall(first, second, 0.95, arena);
}

void topic_tables_relations(const struct topic_tables_topic *topics, size_t count,
                            struct arena *arena,
                            struct topic_tables_relation out[TOPIC_TABLES_RELATIONS])
{
    for (size_t i = 0; i < TOPIC_TABLES_RELATIONS; i++)
        relate(topics, count, i / 2, i % 2, arena, out + i);
}
