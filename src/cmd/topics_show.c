/* From topics to their tables: those of a study, and what is known of the posts beside
 * their words, which says how popular and how difficult a topic is. */
#include "cmd/topics.h"

#include <math.h>
#include <stdlib.h>

#include "base/date.h"
#include "base/file.h"
#include "result/table_text.h"
#include "run/discovering.h"
#include "text/words.h"

enum { TABLES_MAX = 8, PAGE_WORDS = 10, TYPICAL = 10 };

struct shown {
    struct arena *arena;
    const struct cmd_topics_posts *posts;
    struct run_discovering_found found;
    struct result_table at[TABLES_MAX]; /* the topics come first */
    const char *heads[TABLES_MAX];      /* of the columns that name rows */
    size_t count;
};

static struct result_table *keep(struct shown *shown, struct result_table table,
                                 const char *heads)
{
    shown->heads[shown->count] = heads;
    shown->at[shown->count] = table;
    return &shown->at[shown->count++];
}

static struct result_table *add_table(struct shown *shown, const char *name,
                                      const char *corner,
                                      const struct result_column *columns, size_t count)
{
    return keep(shown, result_from(name, corner, columns, count, shown->arena), corner);
}

static struct result_cell *add_topic(struct shown *shown, struct result_table *table,
                                     size_t topic)
{
    return result_add_row(table, shown->at[0].rows[topic].name, RESULT_NONE,
                          shown->arena);
}

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

/* Posts of each topic and text, the texts in the order of bytes; those without one are in
 * none. */
static void add_cross(struct shown *shown, const char *name, const struct str *texts)
{
    const struct run_discovering_found *found = &shown->found;
    size_t documents = found->tokens->documents, topics = found->topics->model.topics;
    struct str *names = arena_array(shown->arena, struct str, documents + 1);
    size_t *group_of = arena_array(shown->arena, size_t, documents + 1);
    size_t used = 0, count = 0;

    for (size_t d = 0; d < documents; d++)
        if (texts[d].len > 0)
            names[used++] = texts[d];
    qsort(names, used, sizeof *names, by_name);
    for (size_t i = 0; i < used; i++)
        if (count == 0 || !str_eq(names[i], names[count - 1]))
            names[count++] = names[i];
    if (count == 0)
        return;
    for (size_t d = 0; d < documents; d++) {
        const struct str *at = bsearch(texts + d, names, count, sizeof *names, by_name);
        group_of[d] = at != NULL ? (size_t)(at - names) : TOPIC_TABLES_NONE;
    }
    int64_t *cells = arena_array(shown->arena, int64_t, topics * count + 1);
    topic_tables_cross(found->main_topics, group_of, documents, topics, count, cells);
    struct result_column *columns =
        arena_array(shown->arena, struct result_column, count);
    for (size_t g = 0; g < count; g++)
        columns[g] = (struct result_column){.type = RESULT_COUNT, .name = names[g]};
    struct result_table *table = add_table(shown, name, "topic", columns, count);
    for (size_t k = 0; k < topics; k++) {
        struct result_cell *row = add_topic(shown, table, k);
        for (size_t g = 0; g < count; g++)
            row[g] = result_count(cells[k * count + g]);
    }
}

static struct str *years_of(const struct cmd_topics_posts *posts)
{
    struct str *years = arena_array(posts->arena, struct str, posts->count + 1);
    const int64_t *created = posts->created_ms.at;

    for (size_t i = 0; i < posts->count; i++)
        if (created[i] != ITEM_NONE)
            years[i] = arena_format(posts->arena, "%04d", date_year(created[i]));
    return years;
}

static void add_relations(struct shown *shown, const struct topic_tables_topic *measured)
{
    static const struct result_column columns[] = {
        {.type = RESULT_REAL, .digits = 3, .name = STR_INIT("Spearman")},
        {.type = RESULT_REAL, .digits = 3, .name = STR_INIT("Spearman p")},
        {.type = RESULT_REAL, .digits = 3, .name = STR_INIT("Kendall")},
        {.type = RESULT_REAL, .digits = 3, .name = STR_INIT("Kendall p")}};
    struct topic_tables_relation relations[TOPIC_TABLES_RELATIONS];
    struct result_table *table =
        add_table(shown, "relations", "over topics", columns, ROWS_OF(columns));

    topic_tables_relations(measured, shown->found.topics->model.topics, shown->arena,
                           relations);
    for (size_t i = 0; i < TOPIC_TABLES_RELATIONS; i++) {
        const struct stats_correlation *found[] = {&relations[i].spearman,
                                                   &relations[i].kendall};
        struct result_cell *cells =
            result_add_row(table,
                           arena_format(shown->arena, "%s and %s",
                                        relations[i].popularity, relations[i].difficulty),
                           RESULT_NONE, shown->arena);
        for (size_t f = 0; f < ROWS_OF(found); f++) {
            cells[2 * f] = result_number(found[f]->r);
            cells[2 * f + 1] = result_number(found[f]->p);
            if (found[f]->undefined != NULL)
                cells[2 * f].undefined = cells[2 * f + 1].undefined = found[f]->undefined;
        }
    }
}

static void add_measures(struct shown *shown)
{
    static const struct result_column columns[] = {
        {.type = RESULT_COUNT, .name = STR_INIT("posts")},
        {.type = RESULT_REAL, .digits = 1, .name = STR_INIT("mean views")},
        {.type = RESULT_REAL, .digits = 2, .name = STR_INIT("mean score")},
        {.type = RESULT_SHARE, .digits = 2, .name = STR_INIT("share without accepted")},
        {.type = RESULT_REAL, .digits = 1, .name = STR_INIT("median hours to accepted")}};
    const struct topic_lda_model *model = &shown->found.topics->model;
    struct topic_tables_measures measures = read_measures(shown->posts);
    struct topic_tables_topic *measured =
        arena_array(shown->arena, struct topic_tables_topic, model->topics);

    if (measures.views == NULL && measures.score == NULL && measures.accepted == NULL)
        return;
    topic_tables_topics(model, shown->found.main_topics, &measures, shown->arena,
                        measured);
    struct result_table *table =
        add_table(shown, "measures", "topic", columns, ROWS_OF(columns));
    for (size_t k = 0; k < model->topics; k++) {
        struct result_cell *cells = add_topic(shown, table, k);
        cells[0] = result_count(measured[k].posts);
        cells[1] = result_number(measured[k].views);
        cells[2] = result_number(measured[k].score);
        cells[3] = result_number(measured[k].without_accepted);
        cells[4] = result_number(measured[k].hours);
    }
    add_relations(shown, measured);
}

static struct shown make_tables(const struct cmd_topics_posts *posts,
                                const struct topic_tokens *tokens,
                                const struct topic_set *topics)
{
    struct arena *arena = posts->arena;
    struct shown shown = {
        .arena = arena,
        .posts = posts,
        .found = {tokens, topics, topic_tables_main_topics(&topics->model, tokens, arena),
                  NULL}};

    keep(&shown, run_discovering_topics(&shown.found, arena), "topic");
    keep(&shown, run_discovering_sweep(topics, arena), "topics");
    keep(&shown, run_discovering_words(&shown.found, arena), "topic,word");
    add_measures(&shown);
    add_cross(&shown, "years", years_of(posts));
    add_cross(&shown, "codes", posts->labels.at);
    return shown;
}

void cmd_topics_show_words(const struct topic_tokens *tokens, struct buf *out)
{
    buf_add(out, STR("word,posts\n"));
    for (size_t w = 0; w < tokens->words; w++) {
        buf_add_csv(out, tokens->names[w]);
        buf_add_format(out, ",%u\n", tokens->frequency[w]);
    }
}

static void add_head(const struct cmd_topics_args *args, const struct shown *shown,
                     struct buf *out)
{
    const struct topic_tokens *tokens = shown->found.tokens;
    const struct topic_set *topics = shown->found.topics;

    buf_add_format(out, "posts: %zu, words: %zu, different words: %zu",
                   shown->posts->count, tokens->begin[tokens->documents], tokens->words);
    if (tokens->empty > 0)
        buf_add_format(out, ", posts without words: %zu", tokens->empty);
    buf_add_format(out, "\n%zu topics", topics->model.topics);
    if (topics->step_count > 1)
        buf_add_format(out, ", chosen by %s", args->choose);
    if (args->runs > 1 && !isnan(topics->steps[topics->chosen].stability.mean))
        buf_add_format(out, "; run %zu of %lld, the most like the others",
                       topics->steps[topics->chosen].stability.typical + 1,
                       (long long)args->runs);
    buf_add(out, STR("\n\n"));
    for (size_t k = 0; k < topics->model.topics; k++) {
        buf_add_format(out, "%02zu", k + 1);
        size_t count = topic_words_of(topics, k);
        if (count == 0)
            buf_add(out, STR(" (no words)"));
        for (size_t i = 0; i < count && i < PAGE_WORDS; i++) {
            buf_add_char(out, ' ');
            text_words_show(tokens->names[topics->words[k * topics->top + i].word], out);
        }
        buf_add_char(out, '\n');
    }
}

/* The posts that are most about each topic. */
static size_t typical_of(const struct shown *shown, size_t topic, size_t room,
                         size_t *out)
{
    return topic_tables_typical(&shown->found.topics->model, shown->found.tokens,
                                shown->found.main_topics, topic, room, out);
}

void cmd_topics_show_page(const struct cmd_topics_args *args,
                          const struct cmd_topics_posts *posts,
                          const struct topic_tokens *tokens,
                          const struct topic_set *topics, struct buf *out)
{
    struct shown shown = make_tables(posts, tokens, topics);
    size_t post;

    add_head(args, &shown, out);
    if (posts->has_titles)
        buf_add_format(out, "\ntypical posts (%s)\n\n",
                       topics->model.nearness != NULL
                           ? "nearest to the centre of their cluster by cosine"
                           : "with the largest share of their topic");
    for (size_t k = 0; k < topics->model.topics && posts->has_titles; k++)
        if (typical_of(&shown, k, 1, &post) > 0)
            buf_add_format(out, "%02zu %.*s %.*s\n", k + 1, STR_ARG(posts->ids.at[post]),
                           STR_ARG(posts->titles.at[post]));
    for (size_t i = 0; i < shown.count; i++)
        if (!str_eq(shown.at[i].name, STR("words"))) {
            buf_add_char(out, '\n');
            result_table_text_markdown(&shown.at[i], out);
        }
}

void cmd_topics_show_json(const struct cmd_topics_posts *posts,
                          const struct topic_tokens *tokens,
                          const struct topic_set *topics, struct buf *out)
{
    struct shown shown = make_tables(posts, tokens, topics);

    buf_add_format(out,
                   "{\"documents\":%zu,\"empty\":%zu,\"tokens\":%zu,\"words\":%zu,"
                   "\"topics\":%zu,\"beta\":%.6g,\"tables\":[\n",
                   tokens->documents, tokens->empty, tokens->begin[tokens->documents],
                   tokens->words, topics->model.topics, topics->model.beta);
    for (size_t i = 0; i < shown.count; i++) {
        buf_add(out, i > 0 ? STR(",") : STR(""));
        result_table_text_json(&shown.at[i], out);
    }
    buf_add(out, STR("]}\n"));
}

/* Of each post the share of every topic. */
static void add_documents(const struct shown *shown, struct buf *out)
{
    const struct topic_lda_model *model = &shown->found.topics->model;
    const size_t *main_topics = shown->found.main_topics;

    buf_add(out, STR("id,words,topic"));
    for (size_t k = 0; k < model->topics; k++)
        buf_add_format(out, ",share_%zu", k + 1);
    buf_add_char(out, '\n');
    for (size_t d = 0; d < model->documents; d++) {
        buf_add_csv(out, shown->posts->ids.at[d]);
        buf_add_format(out, ",%zu,", topic_tokens_length(shown->found.tokens, d));
        if (main_topics[d] != TOPIC_TABLES_NONE)
            buf_add_format(out, "%zu", main_topics[d] + 1);
        for (size_t k = 0; k < model->topics; k++)
            if (main_topics[d] != TOPIC_TABLES_NONE)
                buf_add_format(out, ",%.4f", topic_lda_share(model, d, k));
            else
                buf_add_char(out, ',');
        buf_add_char(out, '\n');
    }
}

static void add_typical(const struct shown *shown, struct buf *out)
{
    const struct topic_lda_model *model = &shown->found.topics->model;
    size_t posts[TYPICAL];

    buf_add_format(out, "topic,rank,id,%s,title\n",
                   model->nearness != NULL ? "cosine" : "share");
    for (size_t k = 0; k < model->topics; k++) {
        size_t count = typical_of(shown, k, TYPICAL, posts);
        for (size_t i = 0; i < count; i++) {
            buf_add_format(out, "%zu,%zu,", k + 1, i + 1);
            buf_add_csv(out, shown->posts->ids.at[posts[i]]);
            buf_add_format(out, ",%.4f,", topic_tables_typicality(model, posts[i], k));
            buf_add_csv(out, shown->posts->titles.at[posts[i]]);
            buf_add_char(out, '\n');
        }
    }
}

/* Writes the text, and makes it empty for the next. */
static bool write_file(struct shown *shown, const char *folder, struct str name,
                       const char *end, struct buf *text, struct err *err)
{
    const char *path =
        file_join(folder, arena_format(shown->arena, "%.*s.%s", STR_ARG(name), end).ptr,
                  shown->arena);
    bool ok = file_write(path, buf_str(text), err);

    buf_clear(text);
    return ok;
}

bool cmd_topics_show_write(const char *folder, const struct cmd_topics_posts *posts,
                           const struct topic_tokens *tokens,
                           const struct topic_set *topics, struct err *err)
{
    struct shown shown = make_tables(posts, tokens, topics);
    struct buf text = {0};
    const char *made;
    bool ok = file_make_folder(folder, shown.arena, &made, err);

    for (size_t i = 0; ok && i < shown.count; i++) {
        result_table_text_step(&shown.at[i], shown.heads[i], &text);
        ok = write_file(&shown, folder, shown.at[i].name, "csv", &text, err);
    }
    add_documents(&shown, &text);
    ok = ok && write_file(&shown, folder, STR("documents"), "csv", &text, err);
    add_typical(&shown, &text);
    ok = ok && write_file(&shown, folder, STR("typical"), "csv", &text, err);
    cmd_topics_show_json(posts, tokens, topics, &text);
    ok = ok && write_file(&shown, folder, STR("topics"), "json", &text, err);
    buf_free(&text);
    return ok;
}
