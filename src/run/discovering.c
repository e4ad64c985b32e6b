/* Texts go in by blocks; only their words stay. */
#include "run/discovering.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/progress.h"
#include "run/texts.h"
#include "topic/topic.h"

enum { BLOCK = 4096, DOCUMENTS_MIN = 5 };
#define SHARE_MAX 0.5

struct discovering_work {
    const struct run_discovering_inputs *inputs;
    struct run_output *output;
    struct arena arena;
    size_t *items; /* in the frame, in the order of the documents */
    size_t count;
    struct topic_tokens tokens;
    struct topic_set topics;
    size_t *main_topics;
};

static struct buf *add_file(struct discovering_work *work, const char *name)
{
    return run_output_add_below(work->output, "topics", work->inputs->topics->name, name);
}

/* Texts. */

static bool read_block(struct discovering_work *work, size_t begin, size_t count,
                       unsigned parts, struct topic_tokens_reader *reader,
                       struct err *err)
{
    struct arena arena = {0};
    struct learn_parts *posts = arena_array(&arena, struct learn_parts, count + 1);
    int64_t *ids = arena_array(&arena, int64_t, count + 1);

    for (size_t i = 0; i < count; i++)
        ids[i] = work->inputs->frame->ids[work->items[begin + i]];
    bool ok = run_texts_read(work->inputs->frame->corpus, ids, count, parts, &arena,
                             posts, err);
    for (size_t i = 0; i < count && ok; i++) {
        for (size_t p = 0; p < LEARN_PARTS_COUNT; p++)
            topic_tokens_add(reader, posts[i].at[p]);
        topic_tokens_end_document(reader);
    }
    arena_free(&arena);
    return ok;
}

static bool read_texts(struct discovering_work *work, struct err *err)
{
    const struct study_topics *topics = work->inputs->topics;
    struct measure_bits of = work->inputs->of;
    unsigned parts = run_texts_parts(topics->features, topics->feature_count,
                                     1U << LEARN_PARTS_TITLE | 1U << LEARN_PARTS_PROSE);
    struct topic_tokens_options how = {.documents_min = DOCUMENTS_MIN,
                                       .share_max = SHARE_MAX};
    struct topic_tokens_reader reader = {0};
    bool ok = true;

    work->items = arena_array(&work->arena, size_t, of.count + 1);
    for (size_t i = measure_bits_next(of, 0); i < of.count;
         i = measure_bits_next(of, i + 1))
        work->items[work->count++] = i;
    for (size_t begin = 0; begin < work->count && ok; begin += BLOCK) {
        size_t left = work->count - begin;
        ok = read_block(work, begin, left < BLOCK ? left : BLOCK, parts, &reader, err);
    }
    if (ok)
        topic_tokens_finish(&reader, &how, &work->arena, &work->tokens);
    topic_tokens_reader_free(&reader);
    return ok;
}

static void tell_model(void *context, size_t done, size_t all)
{
    struct progress *progress = context;

    (void)done;
    progress->pieces = true;
    progress->bytes_all = (int64_t)all;
    progress_add(progress, 1, 1);
}

static bool find_topics(struct discovering_work *work, struct err *err)
{
    struct progress progress =
        progress_begin("topic models", 0, work->inputs->descriptor, work->inputs->quiet);
    const struct study_topics *it = work->inputs->topics;
    size_t count = (size_t)((it->last - it->first) / it->step) + 1;
    size_t *numbers = arena_array(&work->arena, size_t, count);
    struct topic_settings settings = {.sweep = {.lda = {.iterations = it->iterations,
                                                        .seed = it->seed,
                                                        .threads = work->inputs->threads},
                                                .topics = numbers,
                                                .count = count,
                                                .runs = (size_t)it->runs,
                                                .tell = tell_model,
                                                .context = &progress},
                                      .choose = TOPIC_SWEEP_BY_CV,
                                      .lambda = TOPIC_RELEVANCE_LAMBDA};

    for (size_t i = 0; i < count; i++)
        numbers[i] = (size_t)(it->first + (int64_t)i * it->step);
    bool ok = topic_find(&work->tokens, &settings, &work->arena, &work->topics, err);
    progress_end(&progress);
    if (!ok)
        return false;
    work->main_topics =
        topic_tables_main_topics(&work->topics.model, &work->tokens, &work->arena);
    return true;
}

/* Files. */

/* "03 gpu, memory, cuda": numbers keep the topics' order among groups. */
static struct str name_of(const struct run_discovering_found *found, size_t topic,
                          struct arena *arena)
{
    struct buf name = {0};

    buf_add_format(&name, "%02zu ", topic + 1);
    topic_add_label(found->topics, found->tokens, topic, &name);
    struct str copy = arena_copy(arena, str_trim(buf_str(&name)));
    buf_free(&name);
    return copy;
}

static void add_table(struct discovering_work *work, const struct result_table *table,
                      const char *heads)
{
    run_output_shown(work->output, "topics", work->inputs->topics->name, table, heads);
}

static void add_main(struct discovering_work *work,
                     const struct run_discovering_found *found)
{
    struct buf *out = add_file(work, "main.csv");

    buf_add(out, STR("id,code,share\n"));
    for (size_t d = 0; d < work->count && found->main_topics != NULL; d++) {
        size_t topic = found->main_topics[d];
        if (topic == TOPIC_TABLES_NONE)
            continue;
        item_key_add_csv(out, work->inputs->frame->spaces,
                         work->inputs->frame->ids[work->items[d]]);
        buf_add_char(out, ',');
        buf_add_csv(out, name_of(found, topic, &work->arena));
        buf_add_format(out, ",%.4f\n", topic_lda_share(&work->topics.model, d, topic));
    }
}

/* The items that are mainly about a topic are behind the number of its posts. */
static void add_posts(struct discovering_work *work,
                      const struct run_discovering_found *found, size_t topic,
                      struct result_table *out)
{
    size_t room = 1;

    for (size_t d = 0; d < work->count; d++)
        room += found->main_topics[d] == topic;
    int64_t *ids = arena_array(&work->output->arena, int64_t, room);
    struct result_evidence posts = {
        topic, 0, STR("items that are mainly about this topic"), ids, 0};
    for (size_t d = 0; d < work->count; d++)
        if (found->main_topics[d] == topic)
            ids[posts.count++] = work->inputs->frame->ids[work->items[d]];
    result_add_evidence(out, &posts, &work->output->arena);
}

struct result_table run_discovering_topics(const struct run_discovering_found *found,
                                           struct arena *arena)
{
    static const struct result_column columns[] = {
        {.type = RESULT_COUNT, .name = STR_INIT("posts")},
        {.type = RESULT_SHARE, .digits = 2, .name = STR_INIT("share of words")},
        {.type = RESULT_REAL, .digits = 3, .name = STR_INIT("c_v")},
        {.type = RESULT_REAL, .digits = 3, .name = STR_INIT("NPMI")},
        {.type = RESULT_REAL, .digits = 3, .name = STR_INIT("UMass")},
        {.type = RESULT_REAL, .digits = 3, .name = STR_INIT("stability")}};
    const struct topic_set *topics = found->topics;
    struct result_table table =
        result_from("topics", "topic", columns, ROWS_OF(columns), arena);
    struct topic_tables_topic *measured =
        arena_array(arena, struct topic_tables_topic, topics->model.topics + 1);

    if (topics->model.topics > 0)
        topic_tables_topics(&topics->model, found->main_topics,
                            &(struct topic_tables_measures){0}, arena, measured);
    for (size_t k = 0; k < topics->model.topics; k++) {
        struct result_cell *cells =
            result_add_row(&table, name_of(found, k, arena), RESULT_NONE, arena);
        cells[0] = result_count(measured[k].posts);
        cells[1] = result_number(measured[k].share);
        cells[2] = result_number(topics->coherence[k].c_v);
        cells[3] = result_number(topics->coherence[k].npmi);
        cells[4] = result_number(topics->coherence[k].umass);
        cells[5] = result_number(topics->stability[k]);
    }
    return table;
}

/* Rows of the table are topics and, below each, its words. */
struct result_table run_discovering_words(const struct run_discovering_found *found,
                                          struct arena *arena)
{
    static const struct result_column columns[] = {
        {.type = RESULT_REAL, .digits = 3, .name = STR_INIT("probability")},
        {.type = RESULT_REAL, .digits = 3, .name = STR_INIT("relevance")},
        {.type = RESULT_COUNT, .name = STR_INIT("posts")}};
    const struct topic_set *topics = found->topics;
    struct result_table table =
        result_from("words", "topic, word", columns, ROWS_OF(columns), arena);

    for (size_t k = 0; k < topics->model.topics; k++) {
        size_t above = table.row_count;
        result_add_row(&table, name_of(found, k, arena), RESULT_NONE, arena);
        for (size_t i = 0; i < topics->top; i++) {
            const struct topic_relevance *word = &topics->words[k * topics->top + i];
            struct result_cell *cells =
                result_add_row(&table, found->tokens->names[word->word], above, arena);
            cells[0] = result_number(word->probability);
            cells[1] = result_number(word->relevance);
            cells[2] = result_count((int64_t)found->tokens->frequency[word->word]);
        }
    }
    return table;
}

struct result_table run_discovering_sweep(const struct topic_set *topics,
                                          struct arena *arena)
{
    static const struct result_column columns[] = {
        {.type = RESULT_REAL, .digits = 3, .name = STR_INIT("c_v")},
        {.type = RESULT_REAL, .digits = 3, .name = STR_INIT("NPMI")},
        {.type = RESULT_REAL, .digits = 3, .name = STR_INIT("UMass")},
        {.type = RESULT_REAL, .digits = 3, .name = STR_INIT("perplexity")},
        {.type = RESULT_REAL, .digits = 3, .name = STR_INIT("stability")}};
    struct result_table table =
        result_from("sweep", "topics", columns, ROWS_OF(columns), arena);

    for (size_t i = 0; i < topics->step_count; i++) {
        const struct topic_sweep_step *step = &topics->steps[i];
        char name[40];
        snprintf(name, sizeof name, "%zu", step->topics);
        struct result_cell *cells =
            result_add_row(&table, str_from(name), RESULT_NONE, arena);
        cells[0] = result_number(step->coherence.c_v);
        cells[1] = result_number(step->coherence.npmi);
        cells[2] = result_number(step->coherence.umass);
        cells[3] = result_number(step->perplexity);
        cells[4] = result_number(step->stability.mean);
    }
    return table;
}

/* Without a model only the number of items. */
static void add_numbers(struct discovering_work *work,
                        const struct topic_sweep_step *chosen)
{
    struct arena *arena = &work->output->arena;
    struct result_table numbers = {.name = STR("numbers")};

    result_add_number(&numbers, RESULT_COUNT, STR("documents"), STR(""),
                      result_count((int64_t)work->count), arena);
    if (chosen != NULL) {
        result_add_number(&numbers, RESULT_COUNT, STR("words"), STR(""),
                          result_count((int64_t)work->tokens.words), arena);
        result_add_number(&numbers, RESULT_COUNT, STR("topics"), STR(""),
                          result_count((int64_t)chosen->topics), arena);
        result_add_number(&numbers, RESULT_REAL, STR("c-v"), STR(""),
                          result_number(chosen->coherence.c_v), arena);
        result_add_number(&numbers, RESULT_REAL, STR("stability"), STR(""),
                          result_number(chosen->stability.mean), arena);
    }
    run_output_result(work->output, &numbers);
}

/* A set without words has no topics, which must not stop the rest of a study. */
static void add_files(struct discovering_work *work)
{
    const struct topic_sweep_step *chosen =
        work->topics.steps != NULL ? &work->topics.steps[work->topics.chosen] : NULL;

    struct arena *arena = &work->output->arena;
    struct run_discovering_found found = {&work->tokens, &work->topics,
                                          work->main_topics};
    struct result_table topics = run_discovering_topics(&found, arena),
                        words = run_discovering_words(&found, arena),
                        sweep = run_discovering_sweep(&work->topics, arena);
    for (size_t k = 0; k < work->topics.model.topics; k++)
        add_posts(work, &found, k, &topics);
    add_main(work, &found);
    add_table(work, &topics, "topic");
    add_table(work, &words, "topic,word");
    add_table(work, &sweep, "topics");
    add_numbers(work, chosen);
    if (chosen == NULL) {
        buf_add_format(&work->output->says,
                       "none: the %zu items of '%.*s' have no words left", work->count,
                       STR_ARG(work->inputs->topics->of));
        return;
    }
    buf_add_format(&work->output->says, "%zu topics of %zu items", chosen->topics,
                   work->count);
    if (!isnan(chosen->coherence.c_v))
        buf_add_format(&work->output->says, ", coherence c_v %.2f",
                       chosen->coherence.c_v);
}

bool run_discovering_make(const struct run_discovering_inputs *inputs,
                          struct run_output *output, struct err *err)
{
    struct discovering_work work = {.inputs = inputs, .output = output};
    bool ok =
        read_texts(&work, err) && (work.tokens.words == 0 || find_topics(&work, err));

    if (ok)
        add_files(&work);
    arena_free(&work.arena);
    return ok || err_at(err, "topics.%.*s: ", STR_ARG(inputs->topics->name));
}
