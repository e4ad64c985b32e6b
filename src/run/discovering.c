/* Texts go in by blocks; only their words stay. */
#include "run/discovering.h"

#include <math.h>

#include "base/progress.h"
#include "measure/numbers.h"
#include "run/texts.h"
#include "topic/topic.h"

enum { BLOCK = 4096, DOCUMENTS_MIN = 5 };
#define SHARE_MAX 0.5

struct work {
    const struct discovering_inputs *inputs;
    struct output *output;
    struct arena arena;
    size_t *items; /* in the frame, in the order of the documents */
    size_t count;
    struct tokens tokens;
    struct topics topics;
    size_t *main_topics;
};

static struct buf *add_file(struct work *work, const char *name)
{
    return output_add_below(work->output, "topics", work->inputs->topics->name, name);
}

/* Texts. */

static bool read_block(struct work *work, size_t begin, size_t count, unsigned parts,
                       struct tokens_reader *reader, struct err *err)
{
    struct arena arena = {0};
    struct parts *posts = arena_array(&arena, struct parts, count + 1);
    int64_t *ids = arena_array(&arena, int64_t, count + 1);

    for (size_t i = 0; i < count; i++)
        ids[i] = work->inputs->frame->ids[work->items[begin + i]];
    bool ok =
        texts_read(work->inputs->frame->corpus, ids, count, parts, &arena, posts, err);
    for (size_t i = 0; i < count && ok; i++) {
        for (size_t p = 0; p < PARTS_COUNT; p++)
            tokens_add(reader, posts[i].at[p]);
        tokens_end_document(reader);
    }
    arena_free(&arena);
    return ok;
}

static bool read_texts(struct work *work, struct err *err)
{
    const struct study_topics *topics = work->inputs->topics;
    struct bits of = work->inputs->of;
    unsigned parts = texts_parts(topics->features, topics->feature_count,
                                 1U << PARTS_TITLE | 1U << PARTS_PROSE);
    struct tokens_options how = {.documents_min = DOCUMENTS_MIN, .share_max = SHARE_MAX};
    struct tokens_reader reader = {0};
    bool ok = true;

    work->items = arena_array(&work->arena, size_t, of.count + 1);
    for (size_t i = bits_next(of, 0); i < of.count; i = bits_next(of, i + 1))
        work->items[work->count++] = i;
    for (size_t begin = 0; begin < work->count && ok; begin += BLOCK) {
        size_t left = work->count - begin;
        ok = read_block(work, begin, left < BLOCK ? left : BLOCK, parts, &reader, err);
    }
    if (ok)
        tokens_finish(&reader, &how, &work->arena, &work->tokens);
    tokens_reader_free(&reader);
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

static bool find_topics(struct work *work, struct err *err)
{
    struct progress progress =
        progress_begin("topic models", 0, work->inputs->descriptor, work->inputs->quiet);
    const struct study_topics *it = work->inputs->topics;
    size_t count = (size_t)((it->last - it->first) / it->step) + 1;
    size_t *numbers = arena_array(&work->arena, size_t, count);
    struct topics_settings settings = {
        .sweep = {.lda = {.iterations = it->iterations,
                          .seed = it->seed,
                          .threads = work->inputs->threads},
                  .topics = numbers,
                  .count = count,
                  .runs = (size_t)it->runs,
                  .tell = tell_model,
                  .context = &progress},
        .choose = SWEEP_BY_CV,
        .lambda = RELEVANCE_LAMBDA};

    for (size_t i = 0; i < count; i++)
        numbers[i] = (size_t)(it->first + (int64_t)i * it->step);
    bool ok = topics_find(&work->tokens, &settings, &work->arena, &work->topics, err);
    progress_end(&progress);
    if (!ok)
        return false;
    work->main_topics =
        tables_main_topics(&work->topics.model, &work->tokens, &work->arena);
    return true;
}

/* Files. */

/* "03 gpu, memory, cuda": numbers keep the topics' order among groups. */
static void add_name(const struct work *work, size_t topic, struct buf *out)
{
    struct buf name = {0};

    buf_add_format(&name, "%02zu ", topic + 1);
    topics_add_label(&work->topics, &work->tokens, topic, &name);
    buf_add_csv(out, buf_str(&name));
    buf_free(&name);
}

static void add_main(struct work *work)
{
    struct buf *out = add_file(work, "main.csv");

    buf_add(out, STR("id,code,share\n"));
    for (size_t d = 0; d < work->count; d++) {
        size_t topic = work->main_topics[d];
        if (topic == TABLES_NONE)
            continue;
        item_key_add_csv(out, work->inputs->frame->spaces,
                     work->inputs->frame->ids[work->items[d]]);
        buf_add_char(out, ',');
        add_name(work, topic, out);
        buf_add_format(out, ",%.4f\n", lda_share(&work->topics.model, d, topic));
    }
}

static void add_topics(struct work *work)
{
    const struct topics *topics = &work->topics;
    struct buf *out = add_file(work, "topics.csv");
    int64_t *posts = arena_array(&work->arena, int64_t, topics->model.topics + 1);
    int64_t tokens = 0;

    for (size_t d = 0; d < work->count; d++)
        if (work->main_topics[d] != TABLES_NONE)
            posts[work->main_topics[d]]++;
    for (size_t k = 0; k < topics->model.topics; k++)
        tokens += topics->model.tokens[k];
    buf_add(out, STR("topic,posts,share of words,c_v,NPMI,UMass,stability\n"));
    for (size_t k = 0; k < topics->model.topics; k++) {
        add_name(work, k, out);
        buf_add_format(out, ",%lld", (long long)posts[k]);
        output_share((double)topics->model.tokens[k] / (double)tokens, out);
        output_number(topics->coherence[k].c_v, out);
        output_number(topics->coherence[k].npmi, out);
        output_number(topics->coherence[k].umass, out);
        output_number(topics->stability[k], out);
        buf_add_char(out, '\n');
    }
}

/* Rows of the table are topics and, below each, its words. */
static void add_words(struct work *work)
{
    const struct topics *topics = &work->topics;
    struct buf *out = add_file(work, "words.csv");

    buf_add(out, STR("topic,word,probability,relevance,posts\n"));
    for (size_t k = 0; k < topics->model.topics; k++)
        for (size_t i = 0; i < topics->top; i++) {
            const struct relevance *word = &topics->words[k * topics->top + i];
            add_name(work, k, out);
            buf_add_char(out, ',');
            buf_add_csv(out, work->tokens.names[word->word]);
            output_number(word->probability, out);
            output_number(word->relevance, out);
            buf_add_format(out, ",%u\n", work->tokens.frequency[word->word]);
        }
}

static void add_sweep(struct work *work)
{
    struct buf *out = add_file(work, "sweep.csv");

    buf_add(out, STR("topics,c_v,NPMI,UMass,perplexity,stability\n"));
    for (size_t i = 0; i < work->topics.step_count; i++) {
        const struct sweep_step *step = &work->topics.steps[i];
        buf_add_format(out, "%zu", step->topics);
        output_number(step->coherence.c_v, out);
        output_number(step->coherence.npmi, out);
        output_number(step->coherence.umass, out);
        output_number(step->perplexity, out);
        output_number(step->stability.mean, out);
        buf_add_char(out, '\n');
    }
}

static void add_step_numbers(struct work *work)
{
    const struct sweep_step *chosen = &work->topics.steps[work->topics.chosen];
    struct buf *numbers =
        output_add_numbers(work->output, "topics", work->inputs->topics->name);

    numbers_add_plain(numbers, "documents", (double)work->count);
    numbers_add_plain(numbers, "words", (double)work->tokens.words);
    numbers_add_plain(numbers, "topics", (double)chosen->topics);
    numbers_add_plain(numbers, "c-v", chosen->coherence.c_v);
    numbers_add_plain(numbers, "stability", chosen->stability.mean);
    buf_add_format(&work->output->says, "%zu topics of %zu items", chosen->topics,
                   work->count);
    if (!isnan(chosen->coherence.c_v))
        buf_add_format(&work->output->says, ", coherence c_v %.2f",
                       chosen->coherence.c_v);
}

/* A set without words has no topics, which must not stop the rest of a study. */
static void add_nothing(struct work *work)
{
    static const struct {
        const char *name, *heads;
    } files[] = {{"main.csv", "id,code"},
                 {"topics.csv", "topic,posts"},
                 {"words.csv", "topic,word,probability"},
                 {"sweep.csv", "topics,c_v"}};

    for (size_t i = 0; i < ROWS_OF(files); i++)
        buf_add_format(add_file(work, files[i].name), "%s\n", files[i].heads);
    numbers_add_plain(
        output_add_numbers(work->output, "topics", work->inputs->topics->name),
        "documents", (double)work->count);
    buf_add_format(&work->output->says,
                   "none: the %zu items of '%.*s' have no words left", work->count,
                   STR_ARG(work->inputs->topics->of));
}

bool discovering_make(const struct discovering_inputs *inputs, struct output *output,
                      struct err *err)
{
    struct work work = {.inputs = inputs, .output = output};
    bool ok = read_texts(&work, err);

    if (ok && work.tokens.words == 0) {
        add_nothing(&work);
    } else if (ok && (ok = find_topics(&work, err))) {
        add_main(&work);
        add_topics(&work);
        add_words(&work);
        add_sweep(&work);
        add_step_numbers(&work);
    }
    arena_free(&work.arena);
    return ok || err_at(err, "topics.%.*s: ", STR_ARG(inputs->topics->name));
}
