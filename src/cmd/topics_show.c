/* From topics to their tables: what is known of the posts beside their words says how
 * popular and how difficult a topic is. */
#include "cmd/topics_show.h"

#include <math.h>
#include <stdlib.h>

#include "base/date.h"
#include "base/file.h"
#include "item/item.h"

/* A column of measures, or NULL when no post has it. */
static double *measures_of(const struct cmd_topics_ints *column, struct arena *arena)
{
    double *values = arena_array(arena, double, column->count + 1);
    bool any = false;

    for (size_t i = 0; i < column->count; i++) {
        values[i] = column->at[i] == ITEM_NONE ? NAN : (double)column->at[i];
        any |= column->at[i] != ITEM_NONE;
    }
    return any ? values : NULL;
}

/* Where any post has an accepted answer, a post without one has none. */
static struct topic_tables_measures read_measures(const struct cmd_topics_posts *posts)
{
    struct arena *arena = posts->arena;
    const int64_t *created = posts->created_ms.at;
    const int64_t *solved = posts->accepted_ms.at;
    double *accepted = measures_of(&posts->accepted, arena);
    double *hours = measures_of(&posts->accepted_ms, arena);

    for (size_t i = 0; i < posts->count; i++) {
        if (accepted != NULL)
            accepted[i] = !isnan(accepted[i]);
        /* An answer that is older than its question tells nothing of waiting. */
        if (hours != NULL && solved[i] != ITEM_NONE && created[i] != ITEM_NONE &&
            solved[i] >= created[i])
            hours[i] = (double)(solved[i] - created[i]) / (double)DATE_HOUR_MS;
        else if (hours != NULL)
            hours[i] = NAN;
    }
    return (struct topic_tables_measures){measures_of(&posts->views, arena),
                                          measures_of(&posts->score, arena), accepted,
                                          hours};
}

static int by_name(const void *left, const void *right)
{
    return str_compare(*(const struct str *)left, *(const struct str *)right);
}

/* Groups posts by a text, the groups in the order of bytes; empty: in none. */
static struct topic_render_groups group(const struct topic_render_data *data,
                                        const struct str *texts, struct arena *arena)
{
    size_t documents = data->tokens->documents, topics = data->topics->model.topics;
    struct str *names = arena_array(arena, struct str, documents + 1);
    size_t *group_of = arena_array(arena, size_t, documents + 1), used = 0, count = 0;

    for (size_t d = 0; d < documents; d++)
        if (texts[d].len > 0)
            names[used++] = texts[d];
    qsort(names, used, sizeof *names, by_name);
    for (size_t i = 0; i < used; i++)
        if (count == 0 || !str_eq(names[i], names[count - 1]))
            names[count++] = names[i];
    for (size_t d = 0; d < documents; d++) {
        const struct str *name =
            count > 0 ? bsearch(texts + d, names, count, sizeof *names, by_name) : NULL;
        group_of[d] = name != NULL ? (size_t)(name - names) : TOPIC_TABLES_NONE;
    }
    int64_t *cells = arena_array(arena, int64_t, topics * count + 1);
    topic_tables_cross(data->main_topics, group_of, documents, topics, count, cells);
    return (struct topic_render_groups){names, count, cells};
}

static struct str *years_of(const struct cmd_topics_posts *posts)
{
    struct str *years = arena_array(posts->arena, struct str, posts->count + 1);
    const int64_t *created = posts->created_ms.at;
    struct buf text = {0};

    for (size_t i = 0; i < posts->count; i++) {
        if (created[i] == ITEM_NONE)
            continue;
        buf_clear(&text);
        buf_add_format(&text, "%04d", date_year(created[i]));
        years[i] = arena_copy(posts->arena, buf_str(&text));
    }
    buf_free(&text);
    return years;
}

void cmd_topics_show_words(const struct topic_tokens *tokens, struct buf *out)
{
    buf_add(out, STR("word,posts\n"));
    for (size_t w = 0; w < tokens->words; w++) {
        buf_add_csv(out, tokens->names[w]);
        buf_add_format(out, ",%u\n", tokens->frequency[w]);
    }
}

void cmd_topics_show_head(const struct cmd_topics_posts *posts,
                          const struct topic_tokens *tokens, struct buf *out)
{
    buf_add_format(out, "posts: %zu, words: %zu, different words: %zu", posts->count,
                   tokens->begin[tokens->documents], tokens->words);
    if (tokens->empty > 0)
        buf_add_format(out, ", posts without words: %zu", tokens->empty);
    buf_add(out, STR("\n\n"));
}

bool cmd_topics_show_write(const struct topic_render_data *data, const char *folder,
                           struct arena *arena, struct err *err)
{
    struct buf text = {0};
    const char *made;
    bool ok = file_make_folder(folder, arena, &made, err);

    for (const struct topic_render_file *file = topic_render_files;
         ok && file->name != NULL; file++) {
        if (file->has != NULL && !file->has(data))
            continue;
        buf_clear(&text);
        file->add(data, &text);
        ok = file_write(file_join(folder, file->name, arena), buf_str(&text), err);
    }
    buf_free(&text);
    return ok;
}

void cmd_topics_show_fill(const struct cmd_topics_args *args,
                          const struct cmd_topics_posts *posts,
                          const struct topic_tokens *tokens,
                          const struct topic_set *topics, struct topic_render_data *out)
{
    struct arena *arena = posts->arena;
    struct topic_tables_measures measures = read_measures(posts);
    struct topic_tables_topic *measured =
        arena_array(arena, struct topic_tables_topic, topics->model.topics);

    *out = (struct topic_render_data){
        .tokens = tokens,
        .topics = topics,
        .main_topics = topic_tables_main_topics(&topics->model, tokens, arena),
        .ids = posts->ids.at,
        .titles = posts->has_titles ? posts->titles.at : NULL,
        .measured = measured,
        .runs = args->runs,
        .chosen_by = args->choose};
    topic_tables_topics(&topics->model, out->main_topics, &measures, arena, measured);
    if (measures.views != NULL || measures.score != NULL || measures.accepted != NULL) {
        struct topic_tables_relation *relations =
            arena_array(arena, struct topic_tables_relation, TOPIC_TABLES_RELATIONS);
        topic_tables_relations(measured, topics->model.topics, arena, relations);
        out->relations = relations;
    }
    out->years = group(out, years_of(posts), arena);
    out->codes = group(out, posts->labels.at, arena);
}
