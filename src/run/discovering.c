/* Topics of a study: found in the texts of a set, without labels. Texts go in by blocks;
 * only their words stay. */
#include "run/discovering.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>

#include "base/progress.h"
#include "measure/quantity.h"
#include "run/needs.h"
#include "run/output.h"
#include "run/texts.h"
#include "run/vectoring.h"
#include "text/words.h"

enum { DOCUMENTS_MIN = 5, SHARE_DIGITS = 4 };
#define SHARE_MAX 0.5

struct discovering_work {
    const struct study_topics *of;
    const struct run_needs *needs;
    const struct run_options *options;
    const struct measure_frame *frame;
    struct run_output *output;
    struct arena arena;
    size_t *items; /* in the frame, in the order of the documents */
    size_t count;
    struct topic_tokens tokens;
    struct topic_set topics;
    struct topic_set words; /* LDA's, beside clusters; without steps: none */
    size_t *main_topics;
    const char *vectors_file;
    struct run_vectors vectors; /* of items; none: zeroed */
    size_t without;             /* items that have none, or one without a length */
};

/* Texts. */

static bool take_words(void *context, const struct run_texts_block *block,
                       struct err *err)
{
    struct topic_tokens_reader *reader = context;

    (void)err;
    for (size_t i = 0; i < block->count; i++) {
        for (unsigned p = 0; p < LEARN_PARTS_COUNT; p++)
            topic_tokens_add(reader, &block->posts[i], p);
        topic_tokens_end_document(reader);
    }
    return true;
}

static bool read_texts(struct discovering_work *work, struct measure_bits items,
                       struct err *err)
{
    unsigned parts = run_texts_parts(work->of->features, work->of->feature_count,
                                     1U << LEARN_PARTS_TITLE | 1U << LEARN_PARTS_PROSE);
    struct topic_tokens_options how = {
        .stems = work->of->stems, .documents_min = DOCUMENTS_MIN, .share_max = SHARE_MAX};
    struct topic_tokens_reader reader = {0};
    struct buf stop = {0};

    for (size_t i = 0; i < work->of->stop_count; i++)
        buf_add_format(&stop, "%.*s\n", STR_ARG(work->of->stop[i]));
    how.stop = buf_keep(&stop, &work->arena).ptr;

    work->items = arena_array(&work->arena, size_t, items.count + 1);
    for (size_t i = measure_bits_next(items, 0); i < items.count;
         i = measure_bits_next(items, i + 1))
        work->items[work->count++] = i;
    bool ok = run_texts_each(work->frame, items, parts, take_words, &reader, err);
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

static const char *method_of(const struct study_topics *topics)
{
    return topics->nmf                          ? "words (NMF)"
           : topics->item_vectors == STUDY_NONE ? "words (LDA)"
           : topics->density                    ? "density"
                                                : "k-means";
}

/* Clusters, and as many topics from words beside them, if there are so many words. */
static bool find_clusters(struct discovering_work *work,
                          const struct topic_settings *settings, struct err *err)
{
    const struct study_topics *it = work->of;
    struct topic_settings other = *settings;
    const float **at = arena_array(&work->arena, const float *, work->count + 1);

    for (size_t d = 0; d < work->count; d++)
        at[d] = work->vectors.at[work->items[d]];
    struct topic_clusters how = {.vectors = at,
                                 .dimensions = work->vectors.dimensions,
                                 .density = it->density,
                                 .radius = it->radius,
                                 .least = (size_t)it->least};
    bool ok = topic_find_clusters(&work->tokens, settings, &how, &work->arena,
                                  &work->topics, err);
    work->without = work->count - work->topics.vectors;
    if (!ok && work->topics.vectors > 1 && how.density &&
        how.least > work->topics.vectors)
        return run_needs_at(work->needs, it->node, "least", err);
    if (!ok)
        return err_at(err, "%s: ", work->vectors_file);
    other.sweep.topics = &work->topics.model.topics;
    other.sweep.count = 1;
    return topic_lda_problem(&work->tokens, work->topics.model.topics) != NULL ||
           topic_find(&work->tokens, &other, &work->arena, &work->words, err);
}

static bool find_topics(struct discovering_work *work, struct err *err)
{
    struct progress progress = progress_begin(
        "topic models", 0, work->options->descriptor, work->options->quiet);
    const struct study_topics *it = work->of;
    size_t count = it->density ? 0 : (size_t)((it->last - it->first) / it->step) + 1;
    size_t *numbers = arena_array(&work->arena, size_t, count + 1);
    struct topic_settings settings = {
        .sweep = {.lda = {.iterations = it->iterations,
                          .seed = it->seed,
                          .threads = work->options->threads},
                  .topics = numbers,
                  .count = count,
                  .runs = (size_t)it->runs,
                  .tell = tell_model,
                  .context = &progress},
        .choose = TOPIC_SWEEP_BY_CV,
        .lambda = TOPIC_RELEVANCE_LAMBDA};

    for (size_t i = 0; i < count; i++)
        numbers[i] = (size_t)(it->first + (int64_t)i * it->step);
    bool ok =
        it->item_vectors != STUDY_NONE ? find_clusters(work, &settings, err)
        : it->nmf
            ? topic_find_nmf(&work->tokens, &settings, &work->arena, &work->topics, err)
            : topic_find(&work->tokens, &settings, &work->arena, &work->topics, err);
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
    if (found->names != NULL && found->names[topic].len > 0)
        buf_add(&name, found->names[topic]);
    else
        topic_add_label(found->topics, found->tokens, topic, &name);
    return str_trim(buf_keep(&name, arena));
}

static void add_main(struct discovering_work *work,
                     const struct run_discovering_found *found)
{
    static const struct result_column columns[] = {
        {.type = RESULT_ITEM, .name = STR_INIT("id")},
        {.type = RESULT_TEXT, .name = STR_INIT("code")},
        {.type = RESULT_SHARE, .digits = SHARE_DIGITS, .name = STR_INIT("share")}};
    struct run_output_list list =
        run_output_list(work->output, STR("main"), columns, ROWS_OF(columns),
                        run_output_add_own(work->output, STR("main"), ".csv"));

    for (size_t d = 0; d < work->count && found->main_topics != NULL; d++) {
        size_t topic = found->main_topics[d];
        if (topic == TOPIC_TABLES_NONE)
            continue;
        double share = topic_lda_share(&work->topics.model, d, topic);
        run_output_list_add(
            &list, (struct result_cell[]){
                       result_item(measure_column_at(work->frame->ids, work->items[d])),
                       result_text(name_of(found, topic, &work->arena)),
                       result_number(measure_quantity_round(share, SHARE_DIGITS))});
    }
    run_output_list_end(&list);
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
            ids[posts.count++] = measure_column_at(work->frame->ids, work->items[d]);
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
        for (size_t i = 0, count = topic_words_of(topics, k); i < count; i++) {
            const struct topic_relevance *word = &topics->words[k * topics->top + i];
            struct buf name = {0};
            text_words_show(found->tokens->names[word->word], &name);
            struct result_cell *cells =
                result_add_row(&table, buf_keep(&name, arena), above, arena);
            buf_free(&name);
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

static void add_method(const struct topic_set *topics, const char *name,
                       struct result_table *table, struct arena *arena)
{
    const struct topic_sweep_step *step = &topics->steps[topics->chosen];
    struct result_cell *cells = result_add_row(table, str_from(name), RESULT_NONE, arena);

    cells[0] = result_count((int64_t)topics->model.topics);
    cells[1] = result_number(step->coherence.c_v);
    cells[2] = result_number(step->coherence.npmi);
    cells[3] = result_number(step->coherence.umass);
    cells[4] = result_number(step->stability.mean);
}

struct result_table run_discovering_methods(const struct topic_set *topics,
                                            const char *name,
                                            const struct topic_set *words,
                                            struct arena *arena)
{
    static const struct result_column columns[] = {
        {.type = RESULT_COUNT, .name = STR_INIT("topics")},
        {.type = RESULT_REAL, .digits = 3, .name = STR_INIT("c_v")},
        {.type = RESULT_REAL, .digits = 3, .name = STR_INIT("NPMI")},
        {.type = RESULT_REAL, .digits = 3, .name = STR_INIT("UMass")},
        {.type = RESULT_REAL, .digits = 3, .name = STR_INIT("stability")}};
    struct result_table table =
        result_from("methods", "topics of", columns, ROWS_OF(columns), arena);

    if (topics->steps != NULL)
        add_method(topics, name, &table, arena);
    if (words->steps != NULL)
        add_method(words, "words (LDA)", &table, arena);
    return table;
}

/* Items that have a vector and lie alone; *wordless: those in a cluster by their vector
 * alone. */
static size_t count_alone(const struct discovering_work *work, size_t *wordless)
{
    size_t none = 0;

    *wordless = 0;
    for (size_t d = 0; d < work->count; d++)
        if (work->main_topics[d] == TOPIC_TABLES_NONE)
            none++;
        else
            *wordless += topic_tokens_length(&work->tokens, d) == 0;
    return none - work->without;
}

/* Which vectors clusters are of, and whose topic they do not tell. */
static void add_vectors(struct discovering_work *work, struct result_table *topics,
                        struct result_table *numbers)
{
    struct arena *arena = &work->output->arena;
    size_t wordless, alone = count_alone(work, &wordless);
    struct buf note = {0};

    buf_add_format(&note,
                   "Clusters of %zu vectors of %zu dimensions. Items without a vector or "
                   "with one that has no length, which have no topic: %zu of %zu. In no "
                   "cluster: %zu.",
                   work->topics.vectors, work->vectors.dimensions, work->without,
                   work->count, alone);
    if (wordless > 0)
        buf_add_format(&note, " In a cluster by their vector, without words left: %zu.",
                       wordless);
    if (work->of->density)
        buf_add_format(&note,
                       " Radius: %.7g%s. Density depends on no seed: there is no "
                       "stability.",
                       work->topics.radius,
                       isnan(work->of->radius)
                           ? ", the median distance to the nearest neighbours"
                           : "");
    buf_add_format(&note, " SHA-256 of the vectors: %.*s.", STR_ARG(work->vectors.hash));
    result_add_note(topics, buf_keep(&note, arena), arena);
    if (work->of->density)
        result_add_number(numbers, RESULT_REAL, STR("radius"), STR(""),
                          result_number(work->topics.radius), arena);
    result_add_number(numbers, RESULT_COUNT, STR("without-vector"), STR(""),
                      result_count((int64_t)work->without), arena);
    result_add_number(numbers, RESULT_COUNT, STR("in-no-cluster"), STR(""),
                      result_count((int64_t)alone), arena);
    if (work->without + alone > 0)
        buf_add_format(&work->output->says, "; %zu without a vector, %zu in no cluster",
                       work->without, alone);
}

/* Without a model only the number of items. */
static void add_numbers(struct discovering_work *work,
                        const struct topic_sweep_step *chosen,
                        struct result_table *topics)
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
        if (work->of->item_vectors != STUDY_NONE)
            add_vectors(work, topics, &numbers);
    }
    run_output_result(work->output, &numbers);
}

/* A set without words has no topics, which must not stop the rest of a study. */
static void add_files(struct discovering_work *work)
{
    const struct topic_sweep_step *chosen =
        work->topics.steps != NULL ? &work->topics.steps[work->topics.chosen] : NULL;
    struct arena *arena = &work->output->arena;
    struct run_discovering_found found = {&work->tokens, &work->topics, work->main_topics,
                                          work->of->names};
    struct result_table topics = run_discovering_topics(&found, arena),
                        words = run_discovering_words(&found, arena),
                        sweep = run_discovering_sweep(&work->topics, arena),
                        methods = run_discovering_methods(
                            &work->topics, method_of(work->of), &work->words, arena);

    if (chosen == NULL)
        buf_add_format(&work->output->says,
                       "none: the %zu items of '%.*s' have no words left", work->count,
                       STR_ARG(work->of->of));
    else
        buf_add_format(&work->output->says, "%zu topic%s of %zu item%s", chosen->topics,
                       str_plural((int64_t)chosen->topics), work->count,
                       str_plural((int64_t)work->count));
    if (chosen != NULL && !isnan(chosen->coherence.c_v))
        buf_add_format(&work->output->says, ", coherence c_v %.2f",
                       chosen->coherence.c_v);
    for (size_t k = 0; k < work->topics.model.topics; k++)
        add_posts(work, &found, k, &topics);
    add_numbers(work, chosen, &topics);
    add_main(work, &found);
    run_output_shown(work->output, &topics, "topic");
    run_output_shown(work->output, &words, "topic,word");
    run_output_shown(work->output, &sweep, "topics");
    run_output_shown(work->output, &methods, "method");
}

static void list_topics(struct run_listing *listing, struct run_step *step)
{
    const struct study_topics *topics = &listing->study->topics[step->index];

    step->corpus = true;
    run_steps_need_source(listing, step, topics->of);
    run_vectoring_add_files(listing, step, topics->item_vectors);
    run_steps_name(listing, step, topics->name, topics->node);
}

static bool read_vectors(struct run_needs *needs, struct discovering_work *work,
                         struct err *err)
{
    if (work->of->item_vectors == STUDY_NONE)
        return true;
    const struct study_vectors *from = &needs->study->vectors[work->of->item_vectors];
    work->vectors_file = from->file;
    return run_vectoring_read(from, work->frame, &work->arena, &work->vectors, err);
}

/* Fills output with out/topics/NAME/: main.csv, the main topic of each item, of which
 * groups are made; and a csv for each of what `tables.*.show` names. */
static bool make_topics(struct run_needs *needs, const struct run_step *step,
                        struct run_output *output, struct err *err)
{
    const struct study_topics *topics = &needs->study->topics[step->index];
    struct discovering_work work = {.of = topics,
                                    .needs = needs,
                                    .options = needs->options,
                                    .frame = &needs->frame,
                                    .output = output};
    struct measure_bits items;

    if (!run_needs_frame(needs, err))
        return false;
    if (!run_needs_set(needs, topics->of, &items, err))
        return err_at(err, "topics.%.*s: ", STR_ARG(topics->name));
    bool ok = read_texts(&work, items, err) && read_vectors(needs, &work, err) &&
              (work.tokens.words == 0 || find_topics(&work, err));
    if (ok)
        add_files(&work);
    arena_free(&work.arena);
    return ok || err_at(err, "topics.%.*s: ", STR_ARG(topics->name));
}

const struct run_kind run_kind_topics = {
    .name = "topics",
    .counted = offsetof(struct study, topics_count),
    .engine = 10,
    .list = list_topics,
    .make = make_topics,
};
