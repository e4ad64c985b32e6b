/* Verb phrases of a study: what a set's titles want to do and to what, unified by what
 * people decided; what they might decide next; how far they agree. */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/map.h"
#include "base/near.h"
#include "measure/quantity.h"
#include "phrase/phrase.h"
#include "query/query.h"
#include "run/needs.h"
#include "run/output.h"
#include "run/texts.h"
#include "stats/agreement.h"
#include "topic/topic.h"

enum {
    SUGGESTED_MAX = 5000, /* items for which proposals are made one by one */
    NAMES_SHOWN = 5,
    TITLES_KEPT = 8, /* of a term, for whoever decides on it */
};
#define KAPPA_LEVEL   0.95
#define SUGGESTED_MIN 0.3 /* what is less likely is not worth a look */

struct phrasing_work {
    const struct study_phrases *of;
    const struct measure_frame *frame;
    struct run_output *output;
    struct arena arena;
    size_t count; /* of items */
    int64_t *ids;
    struct str *texts, *keys;
    struct phrase_words words; /* of the texts, and the items' tags */
    struct phrase *phrases;
    struct phrase_log log;
    struct str
        *missing; /* of each decision: what no title has, in words; empty: nothing */
    struct str *names[PHRASE_LEVELS]; /* of each item: what counts; empty: none */
    bool *told[PHRASE_LEVELS];        /* by labels or by a decision */
    bool labelled[PHRASE_LEVELS];     /* people wrote those of single items */
    const struct measure_labels *labels[PHRASE_LEVELS]; /* NULL: none */
    struct phrase_learned learned[PHRASE_LEVELS];
    /* From texts and what was said of them at the other level, where people wrote both.
     */
    struct phrase_learned beside[PHRASE_LEVELS];
    struct str *classes[PHRASE_LEVELS];   /* that they learned, by number */
    size_t *learned_items[PHRASE_LEVELS]; /* the items that they learned from */
    size_t people;                        /* who decided, but for the arbiter */
    /* How far they agree, if they are two: on merges, then on items by level. */
    struct stats_agreement merges, items[PHRASE_LEVELS];
};

/* Reading. */

/* Up to a stop with a blank behind it. */
static struct str first_sentence(struct str text)
{
    size_t end = 0;

    text = str_trim(text);
    while (end < text.len && text.ptr[end] != '\n' &&
           !((text.ptr[end] == '.' || text.ptr[end] == '?' || text.ptr[end] == '!') &&
             (end + 1 == text.len || text.ptr[end + 1] == ' ')))
        end++;
    return str_slice(text, 0, end);
}

static bool take_texts(void *context, const struct run_texts_block *block,
                       struct err *err)
{
    struct phrasing_work *work = context;
    unsigned part = work->of->sentences ? LEARN_PARTS_PROSE : LEARN_PARTS_TITLE;
    struct buf lower = {0};

    (void)err;
    for (size_t i = 0; i < block->count; i++) {
        struct str text = block->posts[i].at[part];
        size_t at = work->count++;
        work->ids[at] = measure_column_at(work->frame->ids, block->items[i]);
        work->keys[at] = item_key(work->output->spaces, work->ids[at], &work->arena);
        work->texts[at] =
            arena_copy(&work->arena, work->of->sentences ? first_sentence(text) : text);
        phrase_words_add(&work->words, work->texts[at]);
        struct str tags = block->posts[i].at[LEARN_PARTS_TAGS], tag;
        while (query_tag_next(&tags, &tag)) {
            buf_clear(&lower);
            for (size_t c = 0; c < tag.len; c++)
                buf_add_char(&lower, str_lower(tag.ptr[c]));
            map_put(&work->words.tags, buf_str(&lower));
        }
    }
    buf_free(&lower);
    return true;
}

static bool read_texts(struct phrasing_work *work, struct measure_bits items,
                       struct err *err)
{
    size_t room = items.count + 1;

    work->ids = arena_array(&work->arena, int64_t, room);
    work->keys = arena_array(&work->arena, struct str, room);
    work->texts = arena_array(&work->arena, struct str, room);
    work->phrases = arena_array(&work->arena, struct phrase, room);
    work->words.tags.arena = work->words.seen.arena = &work->arena;
    if (!run_texts_each(
            work->frame, items,
            1U << (work->of->sentences ? LEARN_PARTS_PROSE : LEARN_PARTS_TITLE) |
                1U << LEARN_PARTS_TAGS,
            take_texts, work, err))
        return false;
    for (size_t i = 0; i < work->count; i++)
        work->phrases[i] = phrase_extract(work->texts[i], &work->words, &work->arena);
    return true;
}

/* Where unifiers are named, assay-phrases(1) makes the file when the first one comes. */
static bool has_log(const struct study_phrases *of)
{
    return of->decisions != NULL &&
           (of->unifier_count == 0 || file_exists(of->decisions));
}

static bool read_log(struct phrasing_work *work, struct err *err)
{
    struct str text;

    if (!has_log(work->of))
        return true;
    if (!file_read(work->of->decisions, &work->arena, &text, err) ||
        !phrase_log_read(text, work->of->decisions, &work->arena, &work->log, err))
        return false;
    phrase_log_admit(&work->log, work->of->unifiers, work->of->unifier_count,
                     work->of->arbiter);
    phrase_log_judge(&work->log, (struct str){0}, work->of->arbiter, &work->arena);
    return true;
}

/* What a decision is about that no title has, in words; empty: there is such a thing. */
static struct str missing_of(struct phrasing_work *work, const struct map *words,
                             const struct map *keys, const struct phrase_decision *it)
{
    if (it->item.len > 0 && map_get(keys, it->item) == NULL)
        return arena_format(&work->arena, "no item '%.*s'", STR_ARG(it->item));
    if (it->from.len > 0 && map_get(&words[it->level], it->from) == NULL)
        return arena_format(&work->arena, "no %s '%.*s'", phrase_levels[it->level],
                            STR_ARG(it->from));
    if (it->with.len > 0 && map_get(&words[1 - it->level], it->with) == NULL)
        return arena_format(&work->arena, "no %s '%.*s'", phrase_levels[1 - it->level],
                            STR_ARG(it->with));
    return (struct str){0};
}

/* The file of decisions as results may name it, which do not depend on where a study is.
 */
static const char *decisions_name(const struct phrasing_work *work)
{
    const char *slash = strrchr(work->of->decisions, '/');

    return slash != NULL ? slash + 1 : work->of->decisions;
}

/* Decisions that would count but are about nothing that the study has. What another merge
 * leads to is there, if it counts and is not about nothing itself. */
static void mark_absent(struct phrasing_work *work)
{
    struct map words[PHRASE_LEVELS] = {{.arena = &work->arena}, {.arena = &work->arena}},
               keys = {.arena = &work->arena};
    bool more = work->log.count > 0;

    for (size_t i = 0; i < work->count && more; i++) {
        map_put(&keys, work->keys[i]);
        map_put(&words[PHRASE_ACTION], work->phrases[i].verb);
        map_put(&words[PHRASE_OBJECT], work->phrases[i].object);
    }
    work->missing = arena_array(&work->arena, struct str, work->log.count + 1);
    while (more) {
        more = false;
        for (size_t i = 0; i < work->log.count; i++) {
            const struct phrase_decision *it = &work->log.at[i];
            work->missing[i] = missing_of(work, words, &keys, it);
            if (work->missing[i].len == 0 && phrase_log_counts(it) &&
                map_get(&words[it->level], it->into) == NULL)
                more = map_put(&words[it->level], it->into) != NULL;
        }
    }
    for (size_t i = 0; i < work->log.count; i++)
        if (phrase_log_counts(&work->log.at[i]) && work->missing[i].len > 0)
            work->log.at[i].state = PHRASE_ABSENT;
}

/* Decisions of nobody whom the study names, and of nothing that it has. */
static void tell_odd(struct phrasing_work *work)
{
    struct map strangers = {.arena = &work->arena};
    struct buf *says = &work->output->says;
    size_t missing = 0;

    for (size_t i = 0; i < work->log.count; i++) {
        const struct phrase_decision *it = &work->log.at[i];
        int64_t *met = it->stranger ? map_put(&strangers, it->who) : NULL;
        if (met != NULL && ++*met == 1) {
            size_t near = near_find(it->who, work->of->unifiers, work->of->unifier_count);
            buf_add_format(says, "; the study does not name %.*s (%s:%lld",
                           STR_ARG(it->who), decisions_name(work), (long long)it->line);
            if (near < work->of->unifier_count)
                buf_add_format(says, "; did you mean %.*s?",
                               STR_ARG(work->of->unifiers[near]));
            buf_add(says, STR("), whose decisions do not count"));
        }
        if (it->state == PHRASE_ABSENT && ++missing <= NAMES_SHOWN)
            buf_add_format(says, "; there is %.*s (%s:%lld)", STR_ARG(work->missing[i]),
                           decisions_name(work), (long long)it->line);
        if (it->state == PHRASE_OTHER_NAME)
            buf_add_format(says,
                           "; '%.*s' and '%.*s' are one, but its name is disputed "
                           "(%s:%lld)",
                           STR_ARG(it->from), STR_ARG(it->into), decisions_name(work),
                           (long long)it->line);
    }
    if (missing > NAMES_SHOWN)
        buf_add_format(says, "; %zu decisions are about what is not there", missing);
}

/* What counts: what people wrote for an item, else what decisions make of its phrase. */
static void unify(struct phrasing_work *work, enum phrase_level level)
{
    const struct measure_labels *labels = work->labels[level];
    struct phrase_unifier unifier = phrase_unify(&work->log, &work->arena);
    struct str *names = arena_array(&work->arena, struct str, work->count + 1);
    bool *told = arena_array(&work->arena, bool, work->count + 1);

    for (size_t i = 0; i < work->count; i++) {
        struct str found =
            level == PHRASE_ACTION ? work->phrases[i].verb : work->phrases[i].object;
        names[i] = phrase_unified(&unifier, level, &work->phrases[i], work->keys[i]);
        told[i] = !str_eq(names[i], found);
    }
    work->labelled[level] = labels != NULL && labels->count > 0;
    if (labels != NULL)
        for (size_t i = 0, e = 0; i < work->count; i++) {
            while (e < labels->count &&
                   measure_column_at(work->frame->ids, labels->entries[e].item) <
                       work->ids[i])
                e++;
            if (e == labels->count ||
                measure_column_at(work->frame->ids, labels->entries[e].item) !=
                    work->ids[i])
                continue;
            names[i] = labels->codes[labels->entries[e].code].name;
            told[i] = true;
        }
    work->names[level] = names;
    work->told[level] = told;
}

/* What people wrote of an item; empty: nothing. */
static struct str labelled_as(const struct phrasing_work *work, enum phrase_level level,
                              size_t item)
{
    return work->labelled[level] && work->told[level][item] ? work->names[level][item]
                                                            : STR("");
}

/* Learning from what was told. Where a merge was accepted, the items that were called as
 * it says before count as well; not so where people wrote labels, for those who wrote
 * "save" of some titles with other verbs may write another word of one with "save". */
static void learn(struct phrasing_work *work, enum phrase_level level)
{
    enum phrase_level other = level == PHRASE_ACTION ? PHRASE_OBJECT : PHRASE_ACTION;
    struct map numbers = {.arena = &work->arena}, into = {.arena = &work->arena};
    size_t room = work->count + 1, count = 0;
    struct str *texts = arena_array(&work->arena, struct str, room);
    struct phrase *phrases = arena_array(&work->arena, struct phrase, room);
    size_t *classes = arena_array(&work->arena, size_t, room);
    struct str *others = arena_array(&work->arena, struct str, room);

    work->classes[level] = arena_array(&work->arena, struct str, room);
    work->learned_items[level] = arena_array(&work->arena, size_t, room);
    for (size_t i = 0; i < work->count; i++)
        if (work->told[level][i])
            map_put(&into, work->names[level][i]);
    for (size_t i = 0; i < work->count; i++) {
        struct str name = work->names[level][i];
        bool merged = work->told[level][i] || !work->labelled[level];
        if (name.len == 0 || !merged || map_get(&into, name) == NULL)
            continue;
        work->told[level][i] = true;
        texts[count] = work->texts[i];
        phrases[count] = work->phrases[i];
        others[count] = labelled_as(work, other, i);
        work->learned_items[level][count] = i;
        classes[count] = map_number(&numbers, name);
        work->classes[level][classes[count++]] = name;
    }
    struct phrase_known known = {.texts = texts,
                                 .phrases = phrases,
                                 .classes = classes,
                                 .count = count,
                                 .class_count = numbers.count,
                                 .names = work->classes[level]};
    phrase_learn(&known, &work->arena, &work->learned[level]);
    if (work->labelled[PHRASE_ACTION] && work->labelled[PHRASE_OBJECT]) {
        known.others = others;
        phrase_learn(&known, &work->arena, &work->beside[level]);
    }
}

/* Terms: the actions, or objects, as they now are. */

struct phrasing_terms {
    struct phrase_term *at; /* most frequent first, then by name */
    size_t count;
    struct map places; /* name: place + 1 */
    size_t *of;        /* of each item; PHRASE_NONE: none */
    size_t *items;     /* by term, in their order */
    size_t *begin;     /* of each term in them, and the end */
};

static int by_frequency(const void *a, const void *b)
{
    const struct phrase_term *one = a, *other = b;

    return one->count != other->count ? (one->count < other->count ? 1 : -1)
                                      : str_compare(one->name, other->name);
}

static struct phrasing_terms find_terms(struct phrasing_work *work,
                                        enum phrase_level level)
{
    struct arena *arena = &work->arena;
    struct phrasing_terms terms = {.places.arena = arena};

    for (size_t i = 0; i < work->count; i++)
        if (work->names[level][i].len > 0)
            ++*map_put(&terms.places, work->names[level][i]);
    const struct map_entry *sorted = map_sorted(&terms.places, arena);
    terms.count = terms.places.count;
    terms.at = arena_array(arena, struct phrase_term, terms.count + 1);
    for (size_t i = 0; i < terms.count; i++)
        terms.at[i] =
            (struct phrase_term){.name = sorted[i].key, .count = sorted[i].value};
    qsort(terms.at, terms.count, sizeof *terms.at, by_frequency);
    for (size_t i = 0; i < terms.count; i++)
        *map_put(&terms.places, terms.at[i].name) = (int64_t)i + 1;
    terms.of = arena_array(arena, size_t, work->count + 1);
    for (size_t i = 0; i < work->count; i++)
        terms.of[i] = work->names[level][i].len > 0
                          ? (size_t)*map_get(&terms.places, work->names[level][i]) - 1
                          : PHRASE_NONE;
    terms.items = arena_array(arena, size_t, work->count + 1);
    terms.begin = arena_array(arena, size_t, terms.count + 3);
    for (size_t i = 0; i < terms.count; i++)
        terms.begin[i + 2] = terms.begin[i + 1] + (size_t)terms.at[i].count;
    for (size_t i = 0; i < work->count; i++)
        if (terms.of[i] != PHRASE_NONE)
            terms.items[terms.begin[terms.of[i] + 1]++] = i;
    return terms;
}

static void add_beside(struct phrasing_work *work, struct phrasing_terms *terms,
                       const struct phrasing_terms *others)
{
    size_t *beside = arena_array(&work->arena, size_t, work->count + 1);

    for (size_t t = 0; t < terms->count; t++) {
        terms->at[t].beside = beside + terms->begin[t];
        for (size_t i = terms->begin[t]; i < terms->begin[t + 1]; i++)
            beside[i] = others->of[terms->items[i]];
    }
}

static void add_vectors(struct phrasing_terms *terms, const struct learn_vectors *vectors)
{
    for (size_t t = 0; t < terms->count && vectors->dimensions > 0; t++) {
        size_t row = learn_features_look_up(&vectors->words, LEARN_PARTS_TITLE,
                                            LEARN_FEATURES_WORD, terms->at[t].name);
        if (row != SIZE_MAX)
            terms->at[t].vector = vectors->at + row * vectors->dimensions;
    }
}

/* Proposals for single items, and with them what was decided before says of each term.
 * list: where the former go; NULL: nowhere. */
static void find_suggestions(struct phrasing_work *work, struct phrasing_terms *terms,
                             enum phrase_level level, struct run_output_list *list)
{
    enum phrase_level other = level == PHRASE_ACTION ? PHRASE_OBJECT : PHRASE_ACTION;
    size_t made = 0;

    struct phrase_proposal *sums = arena_array(&work->arena, struct phrase_proposal,
                                               terms->count * PHRASE_PROPOSALS + 1);
    for (size_t i = 0; i < work->count && work->learned[level].count > 0; i++) {
        struct phrase_proposal best[PHRASE_PROPOSALS];
        struct str beside = labelled_as(work, other, i);
        const struct phrase_learned *learned =
            beside.len > 0 && work->beside[level].count > 0 ? &work->beside[level]
                                                            : &work->learned[level];
        if (work->told[level][i] || made == SUGGESTED_MAX)
            continue;
        size_t count =
            phrase_propose(learned, work->texts[i], &work->phrases[i], beside, best);
        if (count == 0 || best[0].score < SUGGESTED_MIN)
            continue;
        made++;
        struct str said[PHRASE_PROPOSALS] = {STR(""), STR(""), STR("")};
        for (size_t p = 0; p < count; p++)
            said[p] = work->classes[level][best[p].class];
        if (list != NULL)
            run_output_list_add(
                list,
                (struct result_cell[]){
                    result_item(work->ids[i]), result_text(work->names[level][i]),
                    result_text(said[0]), result_text(said[1]), result_text(said[2]),
                    result_number(measure_quantity_round(best[0].score, 3))});
        const int64_t *place = map_get(&terms->places, said[0]);
        if (terms->of[i] == PHRASE_NONE || place == NULL)
            continue;
        struct phrase_term *term = &terms->at[terms->of[i]];
        struct phrase_proposal *sum = sums + terms->of[i] * PHRASE_PROPOSALS;
        size_t s = 0;
        while (s < term->before_count && sum[s].class != (size_t)*place - 1)
            s++;
        if (s == PHRASE_PROPOSALS)
            continue;
        if (s == term->before_count)
            sum[term->before_count++].class = (size_t)*place - 1;
        sum[s].score += fmin(best[0].score, 1) / (double)term->count;
        term->before = sum;
    }
}

static void add_suggestions(struct phrasing_work *work, struct phrasing_terms *terms,
                            enum phrase_level level)
{
    static const struct result_column columns[] = {
        {.type = RESULT_ITEM, .name = STR_INIT("id")},
        {.type = RESULT_TEXT, .name = STR_INIT("found")},
        {.type = RESULT_TEXT, .name = STR_INIT("first")},
        {.type = RESULT_TEXT, .name = STR_INIT("second")},
        {.type = RESULT_TEXT, .name = STR_INIT("third")},
        {.type = RESULT_REAL, .digits = 3, .name = STR_INIT("score")}};
    struct str name =
        arena_format(&work->output->arena, "suggested.%s", phrase_levels[level]);
    struct run_output_list list =
        run_output_list(work->output, name, columns, ROWS_OF(columns),
                        run_output_add_own(work->output, name, ".csv"));

    find_suggestions(work, terms, level, &list);
    run_output_list_end(&list);
}

/* Among the proposals of all other items; nothing where nobody else wrote it. */
static struct result_cell place_cell(const struct phrase_learned *learned, size_t at)
{
    bool there = at < learned->count && learned->ranks[at] != PHRASE_NONE;

    return result_number(there ? (double)learned->ranks[at] + 1 : NAN);
}

/* What people wrote of items, beside what all other items would have had them write:
 * where the two differ, somebody may have called the same by two names. */
static void add_left_out(struct phrasing_work *work, enum phrase_level level)
{
    static const struct result_column columns[] = {
        {.type = RESULT_ITEM, .name = STR_INIT("id")},
        {.type = RESULT_TEXT, .name = STR_INIT("written")},
        {.type = RESULT_TEXT, .name = STR_INIT("first")},
        {.type = RESULT_COUNT, .name = STR_INIT("place")},
        {.type = RESULT_TEXT, .name = STR_INIT("first beside")},
        {.type = RESULT_COUNT, .name = STR_INIT("place beside")}};
    const struct phrase_learned *alone = &work->learned[level],
                                *beside = &work->beside[level];
    struct str name =
        arena_format(&work->output->arena, "left-out.%s", phrase_levels[level]);

    if (!work->labelled[level])
        return;
    struct run_output_list list =
        run_output_list(work->output, name, columns, ROWS_OF(columns),
                        run_output_add_own(work->output, name, ".csv"));
    for (size_t i = 0; i < alone->count; i++) {
        size_t item = work->learned_items[level][alone->places[i]];
        run_output_list_add(
            &list,
            (struct result_cell[]){
                result_item(work->ids[item]), result_text(work->names[level][item]),
                result_text(work->classes[level][alone->firsts[i]]), place_cell(alone, i),
                result_text(i < beside->count ? work->classes[level][beside->firsts[i]]
                                              : STR("")),
                place_cell(beside, i)});
    }
    run_output_list_end(&list);
}

/* What people were asked already is not proposed again. */
static bool is_decided(const struct phrasing_work *work, enum phrase_level level,
                       struct str from, struct str into)
{
    for (size_t i = 0; i < work->log.count; i++) {
        const struct phrase_decision *it = &work->log.at[i];
        if (it->level == level && it->verdict != PHRASE_UNDO &&
            it->state != PHRASE_UNDONE && it->item.len == 0 && it->with.len == 0 &&
            str_eq(it->from, from) && str_eq(it->into, into))
            return true;
    }
    return false;
}

/* Tables. */

static const char *why_of(const struct phrase_merge *merge)
{
    const struct {
        double value;
        const char *words;
    } reasons[] = {{merge->before, "what was decided before"},
                   {merge->synonyms * 0.75, merge->synonyms > 0.9 ? "synonyms"
                                            : merge->synonyms > 0.5
                                                ? "one is more general"
                                                : "the same hypernym"},
                   {merge->shared * 0.6, "the same things beside them"},
                   {merge->near * 0.6, "among the same words"}};
    size_t best = 0;

    for (size_t i = 1; i < ROWS_OF(reasons); i++)
        if (reasons[i].value > reasons[best].value)
            best = i;
    return reasons[best].words;
}

static const struct result_column proposal_columns[] = {
    {.type = RESULT_TEXT, .name = STR_INIT("level")},
    {.type = RESULT_TEXT, .name = STR_INIT("from")},
    {.type = RESULT_TEXT, .name = STR_INIT("into")},
    {.type = RESULT_COUNT, .name = STR_INIT("items")},
    {.type = RESULT_REAL, .digits = 2, .name = STR_INIT("score")},
    {.type = RESULT_TEXT, .name = STR_INIT("why")},
    {.type = RESULT_REAL, .digits = 2, .name = STR_INIT("synonyms")},
    {.type = RESULT_REAL, .digits = 2, .name = STR_INIT("shared")},
    {.type = RESULT_REAL, .digits = 2, .name = STR_INIT("near")},
    {.type = RESULT_REAL, .digits = 2, .name = STR_INIT("before")}};

static int by_score(const void *a, const void *b)
{
    const struct phrase_merge *one = a, *other = b;

    return one->score != other->score ? (one->score < other->score ? 1 : -1)
           : one->from != other->from ? (one->from < other->from ? -1 : 1)
                                      : (one->into < other->into ? -1 : 1);
}

static void add_proposals(struct phrasing_work *work, const struct phrasing_terms *terms,
                          const struct phrasing_terms *others, enum phrase_level level,
                          size_t dimensions, struct result_table *out, struct buf *sheet)
{
    struct arena *arena = &work->output->arena;
    struct phrase_merge *merges;
    size_t count =
        phrase_merges(&(struct phrase_terms){terms->at, terms->count,
                                             level == PHRASE_ACTION ? 'v' : 'n',
                                             others->count, dimensions},
                      &work->arena, &merges);

    if (terms->count > PHRASE_TERMS_MAX)
        result_add_note(
            out,
            arena_format(arena, "Of %zu %ss the %d most frequent were compared.",
                         terms->count, phrase_levels[level], PHRASE_TERMS_MAX),
            arena);
    qsort(merges, count, sizeof *merges, by_score);
    for (size_t i = 0; i < count; i++) {
        const struct phrase_merge *it = &merges[i];
        struct str from = terms->at[it->from].name, into = terms->at[it->into].name;
        if (is_decided(work, level, from, into))
            continue;
        struct result_cell *cells =
            result_add_row(out,
                           arena_format(arena, "%s %.*s into %.*s", phrase_levels[level],
                                        STR_ARG(from), STR_ARG(into)),
                           RESULT_NONE, arena);
        if (sheet != NULL)
            phrase_log_add(&(struct phrase_decision){.level = level,
                                                     .from = from,
                                                     .into = into,
                                                     .verdict = PHRASE_VERDICTS,
                                                     .why = str_from(why_of(it))},
                           sheet);
        cells[0] = result_text(str_from(phrase_levels[level]));
        cells[1] = result_text(arena_copy(arena, from));
        cells[2] = result_text(arena_copy(arena, into));
        cells[3] = result_count(terms->at[it->from].count);
        cells[4] = result_number(measure_quantity_round(it->score, 4));
        cells[5] = result_text(str_from(why_of(it)));
        cells[6] = result_number(measure_quantity_round(it->synonyms, 4));
        cells[7] = result_number(measure_quantity_round(it->shared, 4));
        cells[8] = result_number(measure_quantity_round(it->near, 4));
        cells[9] = result_number(measure_quantity_round(it->before, 4));
    }
}

/* "load 12, restore 5, open 1": the most frequent words of the items of one term. */
static struct str most_of(struct phrasing_work *work, const struct phrasing_terms *terms,
                          size_t term, const struct str *words, size_t stride)
{
    struct map counts = {.arena = &work->arena};
    struct buf text = {0};

    for (size_t i = terms->begin[term]; i < terms->begin[term + 1]; i++) {
        struct str word = *(const struct str *)(const void *)((const char *)words +
                                                              terms->items[i] * stride);
        if (word.len > 0)
            ++*map_put(&counts, word);
    }
    const struct map_entry *sorted = map_sorted(&counts, &work->arena);
    bool *used = arena_array(&work->arena, bool, counts.count + 1);
    for (size_t n = 0; n < counts.count && n < NAMES_SHOWN; n++) {
        size_t best = counts.count;
        for (size_t i = 0; i < counts.count; i++)
            if (!used[i] &&
                (best == counts.count || sorted[i].value > sorted[best].value))
                best = i;
        used[best] = true;
        buf_add_format(&text, "%s%.*s %lld", n == 0 ? "" : ", ",
                       STR_ARG(sorted[best].key), (long long)sorted[best].value);
    }
    if (counts.count > NAMES_SHOWN)
        buf_add_format(&text, ", and %zu more", counts.count - NAMES_SHOWN);
    return buf_keep(&text, &work->output->arena);
}

static void add_terms(struct phrasing_work *work, const struct phrasing_terms *terms,
                      enum phrase_level level)
{
    static const struct result_column columns[] = {
        {.type = RESULT_COUNT, .name = STR_INIT("items")},
        {.type = RESULT_SHARE, .digits = 1, .name = STR_INIT("share")},
        {.type = RESULT_TEXT, .name = STR_INIT("found as")},
        {.type = RESULT_TEXT, .name = STR_INIT("beside")}};
    struct arena *arena = &work->output->arena;
    struct result_table table =
        result_from(level == PHRASE_ACTION ? "actions" : "objects", phrase_levels[level],
                    columns, ROWS_OF(columns), arena);
    const struct phrase *first = work->phrases;

    for (size_t t = 0; t < terms->count; t++) {
        struct result_cell *cells = result_add_row(
            &table, arena_copy(arena, terms->at[t].name), RESULT_NONE, arena);
        cells[0] = result_count(terms->at[t].count);
        cells[1] = result_number((double)terms->at[t].count / (double)work->count);
        cells[2] = result_text(most_of(
            work, terms, t, level == PHRASE_ACTION ? &first->verb : &first->object,
            sizeof *first));
        cells[3] = result_text(
            most_of(work, terms, t, work->names[1 - level], sizeof *work->names[0]));
        if (table.list_count >= RESULT_LISTS_MAX)
            continue;
        int64_t *ids = arena_array(arena, int64_t, (size_t)terms->at[t].count + 1);
        struct result_evidence items = {t, 0, STR("items"), ids, 0};
        for (size_t i = terms->begin[t]; i < terms->begin[t + 1]; i++)
            ids[items.count++] = work->ids[terms->items[i]];
        result_add_evidence(&table, &items, arena);
    }
    run_output_shown(work->output, &table, phrase_levels[level]);
}

static void add_decisions(struct phrasing_work *work)
{
    static const struct result_column columns[] = {
        {.type = RESULT_TEXT, .name = STR_INIT("when")},
        {.type = RESULT_TEXT, .name = STR_INIT("who")},
        {.type = RESULT_TEXT, .name = STR_INIT("verdict")},
        {.type = RESULT_TEXT, .name = STR_INIT("why")},
        {.type = RESULT_TEXT, .name = STR_INIT("state")}};
    struct arena *arena = &work->output->arena;
    struct result_table table =
        result_from("decisions", "merge", columns, ROWS_OF(columns), arena);

    for (size_t i = 0; i < work->log.count; i++) {
        const struct phrase_decision *it = &work->log.at[i];
        struct buf name = {0};
        buf_add_format(&name, "%zu: %s %.*s", i + 1, phrase_levels[it->level],
                       STR_ARG(it->from));
        if (it->with.len > 0)
            buf_add_format(&name, " with %.*s", STR_ARG(it->with));
        if (it->item.len > 0)
            buf_add_format(&name, " in %.*s", STR_ARG(it->item));
        buf_add_format(&name, " into %.*s", STR_ARG(it->into));
        struct result_cell *cells =
            result_add_row(&table, buf_keep(&name, arena), RESULT_NONE, arena);
        cells[0] = result_text(arena_copy(arena, it->when));
        cells[1] = result_text(arena_copy(arena, it->who));
        cells[2] = result_text(str_from(phrase_verdicts[it->verdict]));
        cells[3] = result_text(arena_copy(arena, it->why));
        cells[4] = result_text(str_from(phrase_states[it->state]));
    }
    run_output_shown(work->output, &table, "merge");
}

/* For the pages of assay-phrases(1). */

/* Proposals as they follow from one person's decisions alone: what others have decided
 * must not show through. */
static void add_own(struct phrasing_work *work, size_t person,
                    const struct learn_vectors *vectors)
{
    struct phrasing_work own = *work;
    struct arena *arena = &work->output->arena;
    struct str who = work->of->unifiers[person];
    struct phrasing_terms terms[PHRASE_LEVELS];
    struct result_table proposals =
        result_from("own", "merge", proposal_columns, ROWS_OF(proposal_columns), arena);

    proposals.name = arena_format(arena, "own.%zu", person + 1);
    proposals.title = phrase_log_whose(who, arena);
    own.arena = (struct arena){0};
    own.log = (struct phrase_log){
        arena_array(&own.arena, struct phrase_decision, work->log.count + 1), 0, 0};
    for (size_t i = 0; i < work->log.count; i++)
        if (str_eq(work->log.at[i].who, who))
            own.log.at[own.log.count++] = work->log.at[i];
    phrase_log_judge(&own.log, who, (struct str){0}, &own.arena);
    for (int l = 0; l < PHRASE_LEVELS && work->log.count > 0; l++) /* else it is known */
        unify(&own, (enum phrase_level)l);
    for (int l = 0; l < PHRASE_LEVELS; l++) {
        if (work->log.count > 0)
            learn(&own, (enum phrase_level)l);
        terms[l] = find_terms(&own, (enum phrase_level)l);
    }
    for (int l = 0; l < PHRASE_LEVELS; l++) {
        add_beside(&own, &terms[l], &terms[1 - l]);
        add_vectors(&terms[l], vectors);
        find_suggestions(&own, &terms[l], (enum phrase_level)l, NULL);
        add_proposals(&own, &terms[l], &terms[1 - l], (enum phrase_level)l,
                      vectors->dimensions, &proposals, NULL);
    }
    run_output_result(work->output, &proposals);
    arena_free(&own.arena);
}

/* Verbs and objects as they were found, before anybody decided, each with some of its
 * items, spread evenly. */
static void add_found(struct phrasing_work *work)
{
    static const struct result_column columns[] = {
        {.type = RESULT_TEXT, .name = STR_INIT("level")},
        {.type = RESULT_TEXT, .name = STR_INIT("name")},
        {.type = RESULT_COUNT, .name = STR_INIT("items")},
        {.type = RESULT_TEXT, .name = STR_INIT("some")}};
    struct phrasing_work bare = *work;
    struct arena *arena = &work->output->arena;
    struct result_table table =
        result_from("found", "term", columns, ROWS_OF(columns), arena);

    bare.arena = (struct arena){0};
    bare.log = (struct phrase_log){0};
    for (int l = 0; l < PHRASE_LEVELS; l++) {
        unify(&bare, (enum phrase_level)l);
        struct phrasing_terms terms = find_terms(&bare, (enum phrase_level)l);
        for (size_t t = 0; t < terms.count; t++) {
            size_t count = (size_t)terms.at[t].count;
            size_t kept = count < TITLES_KEPT ? count : TITLES_KEPT;
            struct buf some = {0};
            for (size_t i = 0; i < kept; i++) {
                buf_add(&some, i > 0 ? STR(" ") : STR(""));
                result_add_key(bare.ids[terms.items[terms.begin[t] + i * count / kept]],
                               &some);
            }
            struct result_cell *cells =
                result_add_row(&table,
                               arena_format(arena, "%s %.*s", phrase_levels[l],
                                            STR_ARG(terms.at[t].name)),
                               RESULT_NONE, arena);
            cells[0] = result_text(str_from(phrase_levels[l]));
            cells[1] = result_text(arena_copy(arena, terms.at[t].name));
            cells[2] = result_count(terms.at[t].count);
            cells[3] = result_text(buf_keep(&some, arena));
        }
    }
    run_output_result(work->output, &table);
    arena_free(&bare.arena);
}

/* Agreement. */

/* What one person alone decided. */
struct phrasing_own {
    struct phrase_log log;
    struct phrase_unifier unifier;
    struct map verdicts; /* by merge: 1 + accepted or refused */
    struct map accepted; /* words that went somewhere */
};

static void find_own(const struct phrasing_work *work, struct str who,
                     struct arena *arena, struct phrasing_own *own)
{
    own->log.at = arena_array(arena, struct phrase_decision, work->log.count + 1);
    own->log.count = work->log.count;
    own->verdicts.arena = own->accepted.arena = arena;
    for (size_t i = 0; i < own->log.count; i++)
        own->log.at[i] = work->log.at[i];
    phrase_log_judge(&own->log, who, (struct str){0}, arena);
    own->unifier = phrase_unify(&own->log, arena);
    for (size_t i = 0; i < own->log.count; i++) {
        const struct phrase_decision *it = &own->log.at[i];
        if (!str_eq(it->who, who) ||
            (it->state != PHRASE_COUNTS && it->state != PHRASE_REFUSED))
            continue;
        *map_put(&own->verdicts, phrase_log_key(it, true, arena)) =
            it->state == PHRASE_COUNTS ? 1 : 2;
        if (it->state == PHRASE_COUNTS)
            map_put(&own->accepted, phrase_log_key(it, false, arena));
    }
}

/* Each item's name as one person alone would have it. */
static struct str *names_by(const struct phrasing_work *work,
                            const struct phrasing_own *own, enum phrase_level level,
                            struct arena *arena)
{
    struct str *names = arena_array(arena, struct str, work->count + 1);

    for (size_t i = 0; i < work->count; i++)
        names[i] = phrase_unified(&own->unifier, level, &work->phrases[i], work->keys[i]);
    return names;
}

/* Classes of two persons, by number, and how many items they have in common. */
struct phrasing_pair {
    struct map numbers[2];
    struct str *names[2];
    size_t *of[2]; /* of each item; PHRASE_NONE where one of them has none */
    int64_t *sizes[2];
    struct stats_agree_cell *common; /* by the first one's, then the second one's */
    size_t common_count;
};

static int by_cell(const void *a, const void *b)
{
    const struct stats_agree_cell *one = a, *two = b;

    return one->row != two->row
               ? (one->row > two->row) - (one->row < two->row)
               : (one->column > two->column) - (one->column < two->column);
}

/* In order, those of one place as one; returns how many there are then. */
static size_t join_cells(struct stats_agree_cell *cells, size_t count)
{
    size_t kept = 0;

    if (count > 0)
        qsort(cells, count, sizeof *cells, by_cell);
    for (size_t i = 0; i < count; i++)
        if (kept > 0 && by_cell(&cells[kept - 1], &cells[i]) == 0)
            cells[kept - 1].count += cells[i].count;
        else
            cells[kept++] = cells[i];
    return kept;
}

static struct phrasing_pair find_pair(const struct phrasing_work *work,
                                      const struct str *const names[2],
                                      struct arena *arena)
{
    struct phrasing_pair pair = {.numbers = {{.arena = arena}, {.arena = arena}}};

    for (int p = 0; p < 2; p++) {
        pair.names[p] = arena_array(arena, struct str, work->count + 1);
        pair.of[p] = arena_array(arena, size_t, work->count + 1);
        pair.sizes[p] = arena_array(arena, int64_t, work->count + 1);
        for (size_t i = 0; i < work->count; i++) {
            pair.of[p][i] = PHRASE_NONE;
            if (names[0][i].len == 0 || names[1][i].len == 0)
                continue;
            pair.of[p][i] = map_number(&pair.numbers[p], names[p][i]);
            pair.names[p][pair.of[p][i]] = names[p][i];
            pair.sizes[p][pair.of[p][i]]++;
        }
    }
    pair.common = arena_array(arena, struct stats_agree_cell, work->count + 1);
    for (size_t i = 0; i < work->count; i++)
        if (pair.of[0][i] != PHRASE_NONE)
            pair.common[pair.common_count++] =
                (struct stats_agree_cell){pair.of[0][i], pair.of[1][i], 1};
    pair.common_count = join_cells(pair.common, pair.common_count);
    return pair;
}

/* partner[b]: the first person's class that the second one's is, whatever they are
 * called: one to one, so that as many items as can be are in the same; of equally good
 * ones those with the same names. PHRASE_NONE: none. */
static size_t *find_partners(const struct phrasing_pair *pair, struct arena *arena)
{
    size_t height = pair->numbers[0].count, width = pair->numbers[1].count, rows = 0,
           columns = 0;
    size_t *partner = arena_array(arena, size_t, width + 1);
    size_t *row = arena_array(arena, size_t, height + 1),
           *column = arena_array(arena, size_t, width + 1);
    size_t *row_of = arena_array(arena, size_t, height + 1),
           *column_of = arena_array(arena, size_t, width + 1);
    bool *done = arena_array(arena, bool, height + 1);

    for (size_t b = 0; b < width; b++)
        partner[b] = PHRASE_NONE;
    /* Those with the very same items need no search. */
    for (size_t i = 0; i < pair->common_count; i++) {
        const struct stats_agree_cell *cell = &pair->common[i];
        if (cell->count == pair->sizes[0][cell->row] &&
            cell->count == pair->sizes[1][cell->column]) {
            partner[cell->column] = cell->row;
            done[cell->row] = true;
        }
    }
    for (size_t b = 0; b < width; b++)
        if (partner[b] == PHRASE_NONE)
            column[column_of[b] = columns++] = b;
    for (size_t a = 0; a < height; a++)
        if (!done[a])
            row[row_of[a] = rows++] = a;
    size_t size = rows > columns ? rows : columns;
    double *likeness = arena_array(arena, double, size *size + 1);
    size_t *to = arena_array(arena, size_t, size + 1);
    for (size_t i = 0; i < pair->common_count; i++) {
        const struct stats_agree_cell *cell = &pair->common[i];
        if (!done[cell->row] && partner[cell->column] == PHRASE_NONE)
            likeness[row_of[cell->row] * size + column_of[cell->column]] =
                (double)cell->count;
    }
    for (size_t r = 0; r < rows; r++) {
        const int64_t *same = map_get(&pair->numbers[1], pair->names[0][row[r]]);
        if (same != NULL && partner[*same] == PHRASE_NONE)
            likeness[r * size + column_of[*same]] += 0.5 / (double)(size + 1);
    }
    topic_stability_match(likeness, size, arena, to);
    for (size_t r = 0; r < rows; r++)
        if (to[r] < columns && likeness[r * size + to[r]] > 0)
            partner[column[to[r]]] = row[r];
    return partner;
}

static struct stats_agreement agree_on_items(const struct phrasing_work *work,
                                             const struct str *const names[2],
                                             struct arena *arena)
{
    struct phrasing_pair pair = find_pair(work, names, arena);
    const size_t *partner = find_partners(&pair, arena);
    size_t width = pair.numbers[1].count, all = pair.numbers[0].count;
    int64_t same = 0, both = 0;
    size_t *number = arena_array(arena, size_t, width + 1);

    for (size_t b = 0; b < width; b++)
        number[b] = partner[b] != PHRASE_NONE ? partner[b] : all++;
    for (size_t i = 0; i < pair.common_count; i++) {
        struct stats_agree_cell *cell = &pair.common[i];
        cell->column = number[cell->column];
        both += cell->count;
        same += cell->row == cell->column ? cell->count : 0;
    }
    pair.common_count = join_cells(pair.common, pair.common_count);
    struct stats_agreement agreement = stats_agree_cohen_cells(
        pair.common, pair.common_count, all, STATS_AGREE_NOMINAL, KAPPA_LEVEL, arena);
    /* The sum of a few hundred shares, without what rounding leaves. */
    agreement.observed = both > 0 ? (double)same / (double)both : NAN;
    return agreement;
}

/* What a person says of a merge: PHRASE_VERDICTS where nothing. Who put both words
 * together in another way accepts it; who merged the word into something else refuses it.
 */
static enum phrase_verdict verdict_of(const struct phrasing_own *own,
                                      const struct phrase_decision *it,
                                      struct arena *arena)
{
    struct phrase_decision back = *it;

    back.from = it->into;
    back.into = it->from;
    const int64_t *said = map_get(&own->verdicts, phrase_log_key(it, true, arena));
    if (said == NULL && it->item.len == 0)
        said = map_get(&own->verdicts, phrase_log_key(&back, true, arena));
    if (said != NULL)
        return *said == 1 ? PHRASE_ACCEPT : PHRASE_REFUSE;
    struct str ends[2];
    for (int i = 0; i < 2; i++) {
        struct str word = i == 0 ? it->from : it->into;
        struct phrase phrase = {.verb = it->level == PHRASE_ACTION ? word : it->with,
                                .object = it->level == PHRASE_ACTION ? it->with : word};
        ends[i] = phrase_unified(&own->unifier, it->level, &phrase, STR(""));
    }
    if (it->item.len == 0 && str_eq(ends[0], ends[1]))
        return PHRASE_ACCEPT;
    return map_get(&own->accepted, phrase_log_key(it, false, arena)) != NULL
               ? PHRASE_REFUSE
               : PHRASE_VERDICTS;
}

/* Over the merges of which both say something, one of them in so many words. */
static struct stats_agreement agree_on_merges(const struct phrasing_own own[2],
                                              struct arena *arena)
{
    struct map met = {.arena = arena};
    int64_t *table = arena_array(arena, int64_t, 4);

    for (int p = 0; p < 2; p++)
        for (size_t i = 0; i < own[p].log.count; i++) {
            struct phrase_decision it = own[p].log.at[i];
            struct str key = phrase_log_key(&it, true, arena);
            if (map_get(&own[p].verdicts, key) == NULL)
                continue;
            enum phrase_verdict first = verdict_of(&own[0], &it, arena),
                                second = verdict_of(&own[1], &it, arena);
            if (it.item.len == 0 && str_compare(it.from, it.into) > 0) {
                struct str from = it.from;
                it.from = it.into;
                it.into = from;
                key = phrase_log_key(&it, true, arena);
            }
            if (++*map_put(&met, key) == 1 && first != PHRASE_VERDICTS &&
                second != PHRASE_VERDICTS)
                table[2 * (first == PHRASE_REFUSE) + (second == PHRASE_REFUSE)]++;
        }
    return stats_agree_cohen(table, 2, STATS_AGREE_NOMINAL, KAPPA_LEVEL, arena);
}

static struct result_cell kappa_of(struct stats_agreement agreement)
{
    struct result_cell cell = result_number(agreement.value);

    cell.undefined = agreement.undefined;
    return cell;
}

static int by_name(const void *a, const void *b)
{
    return str_compare(*(const struct str *)a, *(const struct str *)b);
}

/* The arbiter decides only where others differ. */
static bool is_unifier(const struct study_phrases *of, struct str person)
{
    return of->unifier_count == 0
               ? !str_eq(person, of->arbiter)
               : str_find(person, of->unifiers, of->unifier_count) < of->unifier_count;
}

/* A row for each two of them; who decided first plays no part. */
static void add_unifiers(struct phrasing_work *work)
{
    static const struct result_column columns[] = {
        {.type = RESULT_COUNT, .name = STR_INIT("merges of both")},
        {.type = RESULT_SHARE, .digits = 1, .name = STR_INIT("same verdict")},
        {.type = RESULT_REAL, .digits = 3, .name = STR_INIT("kappa of verdicts")},
        {.type = RESULT_SHARE, .digits = 1, .name = STR_INIT("same action")},
        {.type = RESULT_REAL, .digits = 3, .name = STR_INIT("kappa of actions")},
        {.type = RESULT_SHARE, .digits = 1, .name = STR_INIT("same object")},
        {.type = RESULT_REAL, .digits = 3, .name = STR_INIT("kappa of objects")}};
    struct arena *arena = &work->output->arena;
    struct result_table table =
        result_from("unifiers", "people", columns, ROWS_OF(columns), arena);
    struct str *people;
    size_t met = phrase_log_people(&work->log, &work->arena, &people), count = 0;

    for (size_t i = 0; i < met; i++)
        if (is_unifier(work->of, people[i]))
            people[count++] = people[i];

    work->people = count;
    if (count > 0)
        qsort(people, count, sizeof *people, by_name);
    for (size_t a = 0; a < count; a++)
        for (size_t b = a + 1; b < count; b++) {
            struct arena scratch = {0};
            struct phrasing_own own[2] = {0};
            find_own(work, people[a], &scratch, &own[0]);
            find_own(work, people[b], &scratch, &own[1]);
            struct stats_agreement merges = agree_on_merges(own, &scratch);
            struct result_cell *cells =
                result_add_row(&table,
                               arena_format(arena, "%.*s and %.*s", STR_ARG(people[a]),
                                            STR_ARG(people[b])),
                               RESULT_NONE, arena);
            cells[0] = result_count(merges.items);
            cells[1] = result_number(merges.observed);
            cells[2] = kappa_of(merges);
            work->merges = merges;
            for (int level = 0; level < PHRASE_LEVELS; level++) {
                const struct str *const names[2] = {
                    names_by(work, &own[0], (enum phrase_level)level, &scratch),
                    names_by(work, &own[1], (enum phrase_level)level, &scratch)};
                struct stats_agreement items = agree_on_items(work, names, &scratch);
                cells[3 + 2 * level] = result_number(items.observed);
                cells[4 + 2 * level] = kappa_of(items);
                work->items[level] = items;
            }
            arena_free(&scratch);
        }
    run_output_shown(work->output, &table, "people");
}

/* Items. */

static void add_items(struct phrasing_work *work)
{
    static const struct result_column columns[] = {
        {.type = RESULT_ITEM, .name = STR_INIT("id")},
        {.type = RESULT_TEXT, .name = STR_INIT("verb")},
        {.type = RESULT_TEXT, .name = STR_INIT("noun")},
        {.type = RESULT_TEXT, .name = STR_INIT("action")},
        {.type = RESULT_TEXT, .name = STR_INIT("object")},
        {.type = RESULT_TEXT, .name = STR_INIT("words")}};
    struct run_output_list list =
        run_output_list(work->output, STR("main"), columns, ROWS_OF(columns),
                        run_output_add_own(work->output, STR("main"), ".csv"));

    for (size_t i = 0; i < work->count; i++)
        run_output_list_add(
            &list, (struct result_cell[]){result_item(work->ids[i]),
                                          result_text(work->phrases[i].verb),
                                          result_text(work->phrases[i].object),
                                          result_text(work->names[PHRASE_ACTION][i]),
                                          result_text(work->names[PHRASE_OBJECT][i]),
                                          result_text(work->phrases[i].words)});
    run_output_list_end(&list);
}

/* What groups are made of. */
static void add_unified(struct phrasing_work *work, enum phrase_level level)
{
    static const struct result_column columns[] = {
        {.type = RESULT_ITEM, .name = STR_INIT("id")},
        {.type = RESULT_TEXT, .name = STR_INIT("code")}};
    struct str name =
        arena_format(&work->output->arena, "unified.%s", phrase_levels[level]);
    struct run_output_list list =
        run_output_list(work->output, name, columns, ROWS_OF(columns),
                        run_output_add_own(work->output, name, ".csv"));

    for (size_t i = 0; i < work->count; i++)
        if (work->names[level][i].len > 0)
            run_output_list_add(
                &list, (struct result_cell[]){result_item(work->ids[i]),
                                              result_text(work->names[level][i])});
    run_output_list_end(&list);
}

static double share_within(const struct phrase_learned *learned, size_t ranks)
{
    size_t right = 0;

    for (size_t i = 0; i < learned->count; i++)
        right += learned->ranks[i] < ranks;
    return learned->count > 0 ? (double)right / (double)learned->count : NAN;
}

/* What the table of unifiers says of the only two. */
static void add_agreement(const struct phrasing_work *work, struct result_table *numbers,
                          struct arena *arena)
{
    const struct {
        const char *of;
        const struct stats_agreement *at;
    } rows[] = {{"verdict", &work->merges},
                {"action", &work->items[PHRASE_ACTION]},
                {"object", &work->items[PHRASE_OBJECT]}};

    result_add_number(numbers, RESULT_COUNT, STR("merges-of-both"), STR(""),
                      result_count(work->merges.items), arena);
    for (size_t i = 0; i < ROWS_OF(rows); i++) {
        if (rows[i].at->items == 0)
            continue;
        result_add_number(numbers, RESULT_SHARE,
                          arena_format(arena, "same-%s", rows[i].of), STR(""),
                          result_number(rows[i].at->observed), arena);
        result_add_number(numbers, RESULT_REAL,
                          arena_format(arena, "kappa-of-%ss", rows[i].of), STR(""),
                          kappa_of(*rows[i].at), arena);
    }
}

static void add_numbers(struct phrasing_work *work, const struct phrasing_terms *terms)
{
    struct arena *arena = &work->output->arena;
    struct result_table numbers = {.name = STR("numbers")};
    int64_t verbs = 0, both = 0, counted = 0, refused = 0, disputed = 0, single = 0,
            named = 0;
    struct map merges = {.arena = &work->arena};

    for (size_t i = 0; i < work->count; i++) {
        verbs += work->phrases[i].verb.len > 0;
        both += work->phrases[i].verb.len > 0 && work->phrases[i].object.len > 0;
    }
    for (size_t i = 0; i < work->log.count; i++) {
        const struct phrase_decision *one = &work->log.at[i];
        counted += phrase_log_counts(one);
        single += one->state == PHRASE_ALONE;
        named += one->state == PHRASE_OTHER_NAME;
        if (phrase_log_counts(one)) /* which several people may have said */
            map_put(&merges,
                    arena_format(&work->arena, "%d\n%.*s\n%.*s\n%.*s\n%.*s",
                                 (int)one->level, STR_ARG(one->from), STR_ARG(one->with),
                                 STR_ARG(one->item), STR_ARG(one->into)));
        refused += one->state == PHRASE_REFUSED;
        disputed += one->state == PHRASE_DISPUTED;
    }
    const struct {
        const char *name;
        int64_t count;
    } counts[] = {{"items", (int64_t)work->count},
                  {"with-verb", verbs},
                  {"with-object", both},
                  {"actions", (int64_t)terms[PHRASE_ACTION].count},
                  {"objects", (int64_t)terms[PHRASE_OBJECT].count},
                  {"decisions", (int64_t)work->log.count},
                  {"decisions-that-count", counted},
                  {"decisions-by-one-alone", single},
                  {"merges", (int64_t)merges.count},
                  {"refused", refused},
                  {"disputed", disputed},
                  {"names-disputed", named},
                  {"people", (int64_t)work->people}};
    for (size_t i = 0; i < ROWS_OF(counts); i++)
        result_add_number(&numbers, RESULT_COUNT, str_from(counts[i].name), STR(""),
                          result_count(counts[i].count), arena);
    if (work->people == 2)
        add_agreement(work, &numbers, arena);
    for (int level = 0; level < PHRASE_LEVELS; level++) {
        const struct phrase_learned *alone = &work->learned[level],
                                    *beside = &work->beside[level];
        const struct {
            const char *name;
            const struct phrase_learned *learned;
            size_t ranks;
        } within[] = {{"first", alone, 1},
                      {"first-three", alone, PHRASE_PROPOSALS},
                      {"first-beside", beside, 1},
                      {"first-three-beside", beside, PHRASE_PROPOSALS}};
        /* A merge of a whole verb is learned at once, which says nothing. */
        for (size_t i = 0; i < ROWS_OF(within) && work->labelled[level]; i++)
            if (within[i].learned->count > 0)
                result_add_number(
                    &numbers, RESULT_SHARE,
                    arena_format(arena, "%s-%s", phrase_levels[level], within[i].name),
                    STR(""),
                    result_number(share_within(within[i].learned, within[i].ranks)),
                    arena);
    }
    run_output_result(work->output, &numbers);
    buf_add_format(&work->output->says,
                   "%zu action%s on %zu object%s in %lld of %zu title%s", terms[0].count,
                   str_plural((int64_t)terms[0].count), terms[1].count,
                   str_plural((int64_t)terms[1].count), (long long)verbs, work->count,
                   str_plural((int64_t)work->count));
    for (int level = 0; level < PHRASE_LEVELS; level++)
        if (terms[level].count > PHRASE_TERMS_MAX)
            buf_add_format(&work->output->says,
                           "; the %d most frequent %ss were compared", PHRASE_TERMS_MAX,
                           phrase_levels[level]);
    tell_odd(work);
    if (work->labelled[0])
        buf_add_format(&work->output->says,
                       "; the first proposal is right in %.1f%%, one of three in %.1f%%",
                       100 * share_within(&work->learned[0], 1),
                       100 * share_within(&work->learned[0], PHRASE_PROPOSALS));
}

static bool add_files(struct phrasing_work *work, struct measure_bits items,
                      struct err *err)
{
    struct arena *arena = &work->output->arena;
    struct phrasing_terms terms[PHRASE_LEVELS] = {find_terms(work, PHRASE_ACTION),
                                                  find_terms(work, PHRASE_OBJECT)};
    struct result_table proposals = result_from("proposals", "merge", proposal_columns,
                                                ROWS_OF(proposal_columns), arena);
    struct learn_vectors vectors = {0};

    if (!run_texts_vectors(work->frame, items,
                           1U << LEARN_PARTS_TITLE | 1U << LEARN_PARTS_PROSE,
                           work->of->seed, &vectors, err))
        return false;
    add_items(work);
    /* In the shape of decisions, to be completed by hand. */
    struct buf *sheet = run_output_add_own(work->output, STR("to-decide"), ".csv");
    buf_add_format(sheet, "%s", phrase_log_head);
    for (int l = 0; l < PHRASE_LEVELS; l++) {
        enum phrase_level level = (enum phrase_level)l;
        add_unified(work, level);
        add_beside(work, &terms[l], &terms[1 - l]);
        add_vectors(&terms[l], &vectors);
        add_suggestions(work, &terms[l], level);
        add_left_out(work, level);
        add_terms(work, &terms[l], level);
        add_proposals(work, &terms[l], &terms[1 - l], level, vectors.dimensions,
                      &proposals, sheet);
    }
    for (size_t i = 0; i < work->of->unifier_count; i++)
        add_own(work, i, &vectors);
    learn_vectors_free(&vectors);
    if (work->of->unifier_count > 0)
        add_found(work);
    run_output_shown(work->output, &proposals, "merge");
    add_decisions(work);
    add_unifiers(work);
    add_numbers(work, terms);
    return true;
}

static void list_phrases(struct run_listing *listing, struct run_step *step)
{
    const struct study_phrases *phrases = &listing->study->phrases[step->index];

    step->corpus = true;
    run_steps_need_source(listing, step, phrases->of);
    if (phrases->actions != STUDY_NONE)
        run_steps_need_labels(listing, step, phrases->actions);
    if (phrases->objects != STUDY_NONE)
        run_steps_need_labels(listing, step, phrases->objects);
    if (has_log(phrases))
        run_steps_add_file(listing, step, phrases->decisions);
    run_steps_name(listing, step, phrases->name, phrases->node);
}

/* Fills output with out/phrases/NAME/: main.csv, the phrase of each item and what counts
 * of it; unified.*.csv, of which groups are made; a csv for each of what `tables.*.show`
 * names. */
static bool make_phrases(struct run_needs *needs, const struct run_step *step,
                         struct run_output *output, struct err *err)
{
    const struct study_phrases *phrases = &needs->study->phrases[step->index];
    const size_t labels[PHRASE_LEVELS] = {phrases->actions, phrases->objects};
    struct phrasing_work work = {.of = phrases, .frame = &needs->frame, .output = output};
    struct measure_bits items;

    if (!run_needs_frame(needs, err))
        return false;
    if (!run_needs_set(needs, phrases->of, &items, err))
        return err_at(err, "phrases.%.*s: ", STR_ARG(phrases->name));
    bool ok = read_texts(&work, items, err) && read_log(&work, err);
    if (ok)
        mark_absent(&work);
    for (size_t l = 0; ok && l < PHRASE_LEVELS; l++) {
        ok = labels[l] == STUDY_NONE || run_needs_labels(needs, labels[l], err);
        if (!ok)
            break;
        work.labels[l] = labels[l] == STUDY_NONE ? NULL : &needs->labels[labels[l]];
        unify(&work, (enum phrase_level)l);
    }
    for (size_t l = 0; ok && l < PHRASE_LEVELS; l++)
        learn(&work, (enum phrase_level)l);
    ok = ok && add_files(&work, items, err);
    arena_free(&work.arena);
    return ok;
}

const struct run_kind run_kind_phrases = {
    .name = "phrases",
    .counted = offsetof(struct study, phrases_count),
    .engine = 15,
    .list = list_phrases,
    .make = make_phrases,
};
