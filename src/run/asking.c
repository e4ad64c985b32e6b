/* The index is made in two passes over the texts: one for the vectors of words, one for
 * the items. Titles and answers are read from the corpus when they are shown. */
#include "run/asking.h"

#include <math.h>
#include <stdlib.h>
#include <xxhash.h>

#include "base/file.h"
#include "base/lock.h"
#include "base/order.h"
#include "base/parallel.h"
#include "input/vectors.h"
#include "measure/solved.h"
#include "run/texts.h"
#include "stats/cluster.h"

enum { SEED = 1 };

static const unsigned parts_read = 1u << LEARN_PARTS_TITLE | 1u << LEARN_PARTS_PROSE |
                                   1u << LEARN_PARTS_CODE | 1u << LEARN_PARTS_TAGS;

/* What the index is made of: the sources, which of their items, and how. */
static bool key_of(struct run_asking *asking, uint64_t *out, struct err *err)
{
    struct str dump, key;
    const int engine = SEARCH_ENGINE;

    if (!store_get_state(asking->corpus, STR("dump-id"), asking->arena, &dump, err) ||
        !store_get_state(asking->corpus, STR("key"), asking->arena, &key, err))
        return false;
    *out = XXH3_64bits_withSeed(dump.ptr, dump.len, (XXH64_hash_t)engine);
    *out = XXH3_64bits_withSeed(key.ptr, key.len, *out);
    return true;
}

/* Building. */

struct building {
    const struct measure_frame *frame;
    struct measure_solved solved;
    struct search_builder *builder;
};

static struct search_item item_of(const struct building *building, size_t at)
{
    const struct measure_frame *frame = building->frame;
    int64_t solved = measure_solved_ms(&building->solved, at),
            begin = measure_column_at(frame->created_ms, at),
            last = solved != ITEM_NONE ? solved : measure_column_at(frame->end_ms, at);
    bool known = begin != ITEM_NONE && last != ITEM_NONE && last >= begin;

    return (struct search_item){.id = measure_column_at(frame->ids, at),
                                .resolved = solved != ITEM_NONE,
                                .answer = measure_solved_answer(&building->solved, at),
                                .wait_ms = known ? last - begin : ITEM_NONE};
}

static bool add_block(void *context, const struct run_texts_block *block, struct err *err)
{
    struct building *building = context;
    struct search_item *items =
        arena_array(block->arena, struct search_item, block->count);

    for (size_t i = 0; i < block->count; i++)
        items[i] = item_of(building, block->items[i]);
    return search_builder_add(building->builder, items, block->posts, block->count, err);
}

static bool build(struct run_asking *asking, uint64_t key, const char *path,
                  struct err *err)
{
    struct arena arena = {0};
    struct measure_frame frame;
    struct learn_vectors vectors = {0};
    struct building building = {.frame = &frame};
    bool ok =
        measure_frame_load(asking->corpus, NULL, 0, asking->study, &arena, &frame, err) &&
        measure_solved_open(&frame, &building.solved, err);

    if (ok) {
        struct measure_bits all = measure_bits_all(frame.count, &arena);
        ok = run_texts_vectors(&frame, all, parts_read, SEED, &vectors, err);
        if (ok) {
            building.builder = search_builder_new(&vectors, parallel_cores());
            ok = run_texts_each(&frame, all, parts_read, add_block, &building, err) &&
                 search_builder_write(building.builder, key, path, err);
            search_builder_free(building.builder);
        }
        learn_vectors_free(&vectors);
    }
    arena_free(&arena);
    return ok;
}

/* One that is damaged, or of an older assay, is made again. */
static bool open_index(struct run_asking *asking, void (*tell)(const char *text),
                       struct err *err)
{
    const char *path = file_join(asking->study->home, "ask.index", asking->arena);
    struct err ignored = {0};
    uint64_t key;

    if (!key_of(asking, &key, err))
        return false;
    if (file_exists(path) && search_open(path, &asking->index, &ignored)) {
        if (search_key(&asking->index) == key)
            return true;
        search_close(&asking->index);
    }
    if (tell != NULL)
        tell(path);
    struct lock lock;
    if (!lock_take(file_join(asking->study->home, ".ask-lock", asking->arena),
                   "assay ask", &lock, err))
        return false;
    bool ok = build(asking, key, path, err);
    lock_release(&lock);
    return ok && search_open(path, &asking->index, err);
}

/* The models of classifiers that have been made. */
static bool read_models(struct run_asking *asking, struct err *err)
{
    const struct study *study = asking->study;

    asking->models =
        arena_array(asking->arena, struct run_asking_model, study->classifier_count + 1);
    for (size_t i = 0; i < study->classifier_count; i++) {
        struct str name = study->classifiers[i].name, text;
        const char *path = file_join(
            study->home,
            arena_format(asking->arena, "out/classifiers/%.*s/model", STR_ARG(name)).ptr,
            asking->arena);
        if (!file_exists(path))
            continue;
        struct run_asking_model *model = &asking->models[asking->model_count];
        model->name = name;
        if (!file_read(path, asking->arena, &text, err) ||
            !learn_model_file_read(text, path, asking->arena, &model->file, err))
            return false;
        asking->model_count++;
    }
    return true;
}

bool run_asking_open(const struct study *study, void (*tell)(const char *text),
                     struct arena *arena, struct run_asking *out, struct err *err)
{
    const char *path = file_join(study->home, "corpus.db", arena);

    *out = (struct run_asking){.study = study,
                               .arena = arena,
                               .reader = {.arena = arena},
                               .found = arena_array(arena, struct search_found, 1)};
    if (study->source_count == 0)
        return err_set(err, ERR_INPUT,
                       "%s: the study has no sources: there is no corpus to ask",
                       study->path);
    if (!file_exists(path))
        return err_set(
            err, ERR_INPUT,
            "%s: there is no corpus yet; `assay ingest` or `assay run` makes it", path);
    return store_open(path, study->servers, &out->corpus, err) &&
           open_index(out, tell, err) && read_models(out, err);
}

void run_asking_close(struct run_asking *asking)
{
    for (size_t i = 0; i < asking->model_count; i++)
        learn_model_file_free(&asking->models[i].file);
    search_reader_free(&asking->reader);
    search_close(&asking->index);
    store_close(asking->corpus);
    asking->corpus = NULL;
}

/* Asking. */

static struct item keep_item(const struct item *item, struct arena *arena)
{
    struct item copy = *item;

    for (size_t i = 0; i < ITEM_TEXTS; i++)
        copy.texts[i] = arena_copy(arena, item->texts[i]);
    copy.key = arena_copy(arena, item->key);
    copy.extra = NULL;
    return copy;
}

struct asking_taking {
    struct arena *arena;
    struct item *out;
    bool *there;
};

/* The first of those that come. */
static bool take_item(void *context, const struct item *item, struct err *err)
{
    struct asking_taking *taking = context;

    (void)err;
    if (!*taking->there)
        *taking->out = keep_item(item, taking->arena);
    *taking->there = true;
    return true;
}

static bool read_hit(struct run_asking *asking, const struct search_hit *hit,
                     struct arena *arena, struct run_asking_item *out, struct err *err)
{
    bool there = false;
    struct asking_taking item = {arena, &out->item, &there},
                         answer = {arena, &out->answer, &out->answered};

    *out = (struct run_asking_item){.hit = *hit};
    if (!store_fetch(asking->corpus, &hit->item.id, 1, take_item, &item, err))
        return false;
    if (!there)
        return err_set(err, ERR_INPUT,
                       "%s: an item is not in corpus.db; remove it, and it is made again",
                       file_join(asking->study->home, "ask.index", arena));
    if (hit->item.answer != ITEM_NONE &&
        !store_fetch(asking->corpus, &hit->item.answer, 1, take_item, &answer, err))
        return false;
    out->accepted = out->answered && hit->item.answer == out->item.accepted;
    out->endorsed = out->answered && !out->accepted;
    return out->answered ||
           store_answers_to(asking->corpus, hit->item.id, take_item, &answer, err);
}

/* By vectors. */

bool run_asking_use(struct run_asking *asking, const struct study_vectors *vectors,
                    struct err *err)
{
    struct run_asking_vectors *out = &asking->vectors;
    struct input_vectors read;

    if (!input_vectors_read(vectors->file, vectors->keys, asking->arena, &read, err))
        return false;
    float *units = arena_array(asking->arena, float, read.count *read.dimensions + 1);
    *out = (struct run_asking_vectors){
        .name = vectors->name, .dimensions = read.dimensions, .units = units};
    out->items = arena_array(asking->arena, const struct search_item *, read.count + 1);
    for (size_t i = 0; i < read.count; i++) {
        int64_t id;
        bool known = item_key_read(&asking->study->spaces, read.keys[i], &id, err);
        if (!known && !item_key_possible(&asking->study->spaces, read.keys[i]))
            return err_at(err, "%s: vector %zu: ",
                          vectors->keys != NULL ? vectors->keys : vectors->file, i + 1);
        if (!known)
            *err = (struct err){0};
        const struct search_item *item =
            known ? search_item_find(&asking->index, id) : NULL;
        if (item != NULL && stats_unit(read.at + i * read.dimensions, read.dimensions,
                                       units + out->count * read.dimensions))
            out->items[out->count++] = item;
    }
    out->without = search_count(&asking->index) - out->count;
    return true;
}

const float *run_asking_vector_of(const struct run_asking *asking, int64_t id)
{
    const struct run_asking_vectors *vectors = &asking->vectors;

    for (size_t i = 0; i < vectors->count; i++)
        if (vectors->items[i]->id == id)
            return vectors->units + i * vectors->dimensions;
    return NULL;
}

static int by_cosine(const void *a, const void *b)
{
    const struct search_hit *left = a, *right = b;

    return order_then(ORDER_BY(right->score, left->score),
                      ORDER_BY(left->item.id, right->item.id));
}

/* The angle to every item is measured: exact, and fast enough for some millions. */
static bool find_alike(struct run_asking *asking,
                       const struct run_asking_question *question, struct arena *arena,
                       struct run_asking_answer *out, struct err *err)
{
    const struct run_asking_vectors *vectors = &asking->vectors;
    size_t wide = vectors->dimensions, count = 0;
    float *own = arena_array(arena, float, wide + 1);

    if (question->vector == NULL || !stats_unit(question->vector, wide, own))
        return true;
    struct search_hit *hits = arena_array(arena, struct search_hit, vectors->count + 1);
    for (size_t i = 0; i < vectors->count; i++) {
        const struct search_item *item = vectors->items[i];
        if (item->id == question->without || (!question->any && item->resolved == 0))
            continue;
        double cosine = fmin(stats_dot(own, vectors->units + i * wide, wide), 1);
        hits[count++] = (struct search_hit){
            .item = *item, .score = cosine, .words = NAN, .cosine = cosine};
    }
    qsort(hits, count, sizeof *hits, by_cosine);
    count = count < question->count ? count : question->count;
    out->alike = arena_array(arena, struct run_asking_item, count + 1);
    for (; out->alike_count < count; out->alike_count++)
        if (!read_hit(asking, &hits[out->alike_count], arena,
                      &out->alike[out->alike_count], err))
            return false;
    return true;
}

/* Whether a classifier learned from the vectors that the question has one of. */
static bool has_vector(const struct run_asking *asking, struct str classifier,
                       const struct run_asking_question *question)
{
    const struct study *study = asking->study;

    for (size_t i = 0; i < study->classifier_count && question->vector != NULL; i++)
        if (str_eq(study->classifiers[i].name, classifier) &&
            study->classifiers[i].item_vectors != STUDY_NONE)
            return str_eq(study->vectors[study->classifiers[i].item_vectors].name,
                          asking->vectors.name);
    return false;
}

/* The most probable class of each classifier. */
static bool classify(struct run_asking *asking,
                     const struct run_asking_question *question, struct arena *arena,
                     struct run_asking_answer *out, struct err *err)
{
    const float *given = question->vector;

    out->classes = arena_array(arena, struct run_asking_class, asking->model_count + 1);
    for (size_t i = 0; i < asking->model_count; i++) {
        const struct learn_model_file *file = &asking->models[i].file;
        size_t classes = file->model.classes;
        uint8_t *said = arena_array(arena, uint8_t, classes + 1);
        double *probabilities = arena_array(arena, double, classes + 1);
        struct learn_apply apply = {&file->model, file->features, &file->table, 1};
        struct learn_apply_posts posts = {1, &question->parts, NULL, {0}};
        if (file->given == asking->vectors.dimensions &&
            has_vector(asking, asking->models[i].name, question))
            posts.given = (struct learn_given){file->given, &given};
        if (!learn_apply_model(&apply, posts, arena, said, probabilities, err))
            return false;
        size_t best = learn_scorer_best(probabilities, classes);
        bool known = probabilities[best] > 0;
        if (!known && learn_parts_empty(&question->parts))
            continue;
        out->classes[out->class_count++] = (struct run_asking_class){
            asking->models[i].name, known ? file->classes[best] : STR(""),
            known ? probabilities[best] : NAN, file->given > 0 && posts.given.at == NULL};
    }
    return true;
}

/* Those that are not solved yet are censored. */
static void expect_wait(const struct search_ranking *all, struct arena *arena,
                        struct run_asking_answer *out)
{
    struct stats_survival_case *cases =
        arena_array(arena, struct stats_survival_case, RUN_ASKING_WAITS);
    size_t count = 0;
    int64_t solved = 0;

    for (size_t i = 0; i < all->count && count < RUN_ASKING_WAITS; i++)
        if (all->at[i].item.wait_ms != ITEM_NONE) {
            bool happened = all->at[i].item.resolved != 0;
            cases[count++] = (struct stats_survival_case){
                (double)all->at[i].item.wait_ms / 60000, happened};
            solved += happened;
        }
    struct stats_survival curve = stats_survival_curve(cases, count, 0.95, arena);
    out->waits = (int64_t)count;
    out->solved = count > 0 ? (double)solved / (double)count : NAN;
    out->wait = stats_survival_median(&curve);
}

bool run_asking_ask(struct run_asking *asking, const struct run_asking_question *question,
                    struct arena *arena, struct run_asking_answer *out, struct err *err)
{
    struct search_found *found = asking->found;

    *out = (struct run_asking_answer){0};
    if (!search_find(&asking->index, &asking->reader, &question->parts, question->without,
                     found, err))
        return err_set(err, ERR_INPUT,
                       "%s: the index is damaged; remove it, and it is made again",
                       file_join(asking->study->home, "ask.index", arena));
    const struct search_ranking *from = question->any ? &found->all : &found->resolved;
    size_t count = from->count < question->count ? from->count : question->count;
    out->terms = found->terms;
    out->nearest = arena_array(arena, struct run_asking_item, count + 1);
    for (; out->count < count; out->count++)
        if (!read_hit(asking, &from->at[out->count], arena, &out->nearest[out->count],
                      err))
            return false;
    if (found->all.count > 0 && found->all.at[0].score >= RUN_ASKING_DUPLICATE &&
        found->terms >= RUN_ASKING_DUPLICATE_TERMS) {
        out->duplicate = arena_array(arena, struct run_asking_item, 1);
        if (!read_hit(asking, &found->all.at[0], arena, out->duplicate, err))
            return false;
    }
    expect_wait(&found->all, arena, out);
    return find_alike(asking, question, arena, out, err) &&
           classify(asking, question, arena, out, err);
}

bool run_asking_of_item(struct run_asking *asking, int64_t id, struct arena *arena,
                        struct learn_parts *out, struct err *err)
{
    bool there = false;
    struct item item;
    struct asking_taking taking = {arena, &item, &there};

    if (!store_fetch(asking->corpus, &id, 1, take_item, &taking, err))
        return false;
    if (!there || !item_kind_is_studied(item.kind))
        return err_set(err, ERR_INPUT, "the corpus has no such item");
    return run_texts_read(asking->corpus, &id, 1, parts_read | 1u << LEARN_PARTS_INLINE,
                          arena, out, err);
}
