/* Tags become numbers, so that a question without a seed tag takes a few bytes: what
 * several candidates add together is less than the sum of what each adds. */
#include "dump/tagset.h"

#include <stdlib.h>
#include <string.h>

#include "base/near.h"
#include "base/order.h"
#include "text/markup.h"

#define LAST (UINT32_C(1) << 31)

const double dump_tagset_relevances[DUMP_TAGSET_STEPS] = {0.05, 0.1,  0.15,
                                                          0.2,  0.25, 0.3};
const double dump_tagset_significances[DUMP_TAGSET_STEPS] = {0.001, 0.005, 0.01,
                                                             0.015, 0.02,  0.03};

static struct str fold(struct str text, struct arena *arena)
{
    char *bytes = arena_array(arena, char, text.len + 1);

    query_fold(text, bytes);
    return (struct str){bytes, text.len};
}

void dump_tagset_open(struct dump_tagset *tagset, const struct str *seeds,
                      size_t seed_count, const struct query_synonyms *synonyms,
                      struct arena *arena)
{
    struct str *folded = arena_array(arena, struct str, seed_count + 1);

    for (size_t i = 0; i < seed_count; i++)
        folded[i] = fold(seeds[i], arena);
    *tagset = (struct dump_tagset){.arena = arena,
                                   .seeds = folded,
                                   .seed_count = seed_count,
                                   .synonyms = synonyms,
                                   .numbers = {.arena = arena},
                                   .written_numbers = {.arena = arena}};
}

bool dump_tagset_has(const struct str *seeds, size_t count, struct str tag)
{
    for (size_t i = 0; i < count; i++)
        if (str_eq(tag, seeds[i]) ||
            (str_ends(seeds[i], STR("*")) &&
             str_starts(tag, str_slice(seeds[i], 0, seeds[i].len - 1))))
            return true;
    return false;
}

static bool is_seed(const struct dump_tagset *tagset, struct str name)
{
    return dump_tagset_has(tagset->seeds, tagset->seed_count, name);
}

/* Of a tag in small letters, the one that it means. */
static uint32_t number_of(struct dump_tagset *tagset, struct str name)
{
    size_t same_count;
    const struct query_synonym *same =
        query_synonyms_of(tagset->synonyms, name, &same_count);
    struct str root = same_count > 0 ? same->of : name;
    size_t number = map_number(&tagset->numbers, root);

    if (number == tagset->tags.count) {
        struct dump_tagset_tag tag = {.name = arena_copy(tagset->arena, root),
                                      .seed = is_seed(tagset, root)};
        for (size_t i = 0; i < same_count; i++)
            tag.seed = tag.seed && is_seed(tagset, same[i].tag);
        list_add(&tagset->tags, tag);
    }
    return (uint32_t)number;
}

static struct dump_tagset_written find_written(struct dump_tagset *tagset,
                                               struct str given)
{
    struct buf *folded = &tagset->folded;

    buf_clear(folded);
    buf_add(folded, given);
    query_fold(given, folded->ptr);
    size_t number = map_number(&tagset->written_numbers, buf_str(folded));
    if (number == tagset->written.count) {
        struct dump_tagset_written written = {number_of(tagset, buf_str(folded)),
                                              is_seed(tagset, buf_str(folded))};
        list_add(&tagset->written, written);
    }
    return tagset->written.at[number];
}

/* Whether the question that is being added has the tag already. */
static bool is_among(const struct dump_tagset *tagset, size_t begin, uint32_t number)
{
    for (size_t i = begin; i < tagset->others.count; i++)
        if (tagset->others.at[i] == number)
            return true;
    return false;
}

void dump_tagset_add(struct dump_tagset *tagset, struct str list)
{
    size_t begin = tagset->others.count;
    bool seeded = false;
    struct str tag;

    while (text_taglist_next(&list, &tag)) {
        struct dump_tagset_written written = find_written(tagset, tag);
        seeded = seeded || written.seed;
        if (!is_among(tagset, begin, written.number))
            list_add(&tagset->others, written.number);
    }
    for (size_t i = begin; i < tagset->others.count; i++) {
        struct dump_tagset_tag *one = &tagset->tags.at[tagset->others.at[i]];
        one->questions++;
        one->seeded += seeded;
    }
    tagset->questions++;
    tagset->seeded += seeded;
    if (seeded)
        tagset->others.count = begin;
    else if (tagset->others.count > begin)
        tagset->others.at[tagset->others.count - 1] |= LAST;
}

void dump_tagset_add_questions(struct dump_tagset *tagset, int64_t questions,
                               int64_t seeded)
{
    tagset->questions += questions;
    tagset->seeded += seeded;
}

void dump_tagset_add_tag(struct dump_tagset *tagset, struct str tag, int64_t questions,
                         int64_t seeded)
{
    uint32_t number = find_written(tagset, tag).number; /* may move the tags */
    struct dump_tagset_tag *one = &tagset->tags.at[number];

    one->questions += questions;
    one->seeded += seeded;
}

void dump_tagset_add_together(struct dump_tagset *tagset, struct str list,
                              int64_t questions)
{
    size_t begin = tagset->others.count;
    struct str tag;

    while (text_taglist_next(&list, &tag)) {
        uint32_t number = find_written(tagset, tag).number;
        list_add(&tagset->others, number);
    }
    size_t count = tagset->others.count - begin;
    if (count == 0)
        return;
    tagset->others.at[tagset->others.count - 1] |= LAST;
    for (int64_t q = 1; q < questions; q++)
        for (size_t i = 0; i < count; i++) {
            uint32_t number = tagset->others.at[begin + i];
            list_add(&tagset->others, number);
        }
}

void dump_tagset_free(struct dump_tagset *tagset)
{
    list_free(&tagset->tags);
    list_free(&tagset->written);
    buf_free(&tagset->folded);
    list_free(&tagset->others);
}

static int by_name(const void *a, const void *b)
{
    const struct str *one = a, *two = b;

    return str_compare(*one, *two);
}

struct str dump_tagset_near(const struct dump_tagset *tagset)
{
    struct str *names = arena_array(tagset->arena, struct str, tagset->tags.count + 1);

    for (size_t i = 0; i < tagset->tags.count; i++)
        names[i] = tagset->tags.at[i].name;
    if (tagset->tags.count > 1)
        qsort(names, tagset->tags.count, sizeof *names, by_name);
    size_t near = near_find(tagset->seeds[0], names, tagset->tags.count);
    return near < tagset->tags.count ? names[near] : (struct str){0};
}

static double relevance(const struct dump_tagset_tag *tag)
{
    return (double)tag->seeded / (double)tag->questions;
}

static double significance(const struct dump_tagset *tagset,
                           const struct dump_tagset_tag *tag)
{
    return (double)tag->seeded / (double)tagset->seeded;
}

static bool is_taken(const struct dump_tagset *tagset, size_t number,
                     struct dump_tagset_limits limits)
{
    const struct dump_tagset_tag *tag = &tagset->tags.at[number];

    return !tag->seed && relevance(tag) >= limits.relevance &&
           significance(tagset, tag) >= limits.significance;
}

static int by_significance(const void *left, const void *right)
{
    const struct dump_tagset_candidate *a = left, *b = right;

    return order_then(ORDER_BY(b->seeded, a->seeded), str_compare(a->name, b->name));
}

/* Of each tag the place of its candidate from 1 on; 0: it is none. */
static uint32_t *places(const struct dump_tagset *tagset,
                        const struct dump_tagset_candidate *candidates, size_t count,
                        struct arena *arena)
{
    uint32_t *place = arena_array(arena, uint32_t, tagset->tags.count + 1);

    for (size_t i = 0; i < count; i++)
        place[candidates[i].number] = (uint32_t)i + 1;
    return place;
}

/* Each question without a seed tag counts for the first of its candidates. */
static void count_new(const struct dump_tagset *tagset,
                      struct dump_tagset_candidate *candidates, size_t count,
                      struct arena *arena)
{
    const uint32_t *place = places(tagset, candidates, count, arena);
    uint32_t first = 0;

    for (size_t i = 0; i < tagset->others.count; i++) {
        uint32_t number = tagset->others.at[i], one = place[number & ~LAST];
        if (one > 0 && (first == 0 || one < first))
            first = one;
        if (number & LAST) {
            if (first > 0)
                candidates[first - 1].beyond++;
            first = 0;
        }
    }
}

struct dump_tagset_candidate *dump_tagset_candidates(const struct dump_tagset *tagset,
                                                     struct dump_tagset_limits limits,
                                                     struct arena *arena, size_t *count)
{
    struct dump_tagset_candidate *all =
        arena_array(arena, struct dump_tagset_candidate, tagset->tags.count + 1);

    *count = 0;
    for (size_t t = 0; t < tagset->tags.count; t++) {
        const struct dump_tagset_tag *tag = &tagset->tags.at[t];
        if (!is_taken(tagset, t, limits))
            continue;
        all[(*count)++] =
            (struct dump_tagset_candidate){.name = tag->name,
                                           .questions = tag->questions,
                                           .seeded = tag->seeded,
                                           .relevance = relevance(tag),
                                           .significance = significance(tagset, tag),
                                           .adds = tag->questions - tag->seeded,
                                           .number = (uint32_t)t};
    }
    if (*count > 0)
        qsort(all, *count, sizeof *all, by_significance);
    count_new(tagset, all, *count, arena);
    return all;
}

struct str *dump_tagset_within(const struct dump_tagset *tagset,
                               struct dump_tagset_limits limits, struct arena *arena,
                               size_t *count)
{
    struct str *names = arena_array(arena, struct str, tagset->tags.count + 1);

    *count = 0;
    for (size_t t = 0; t < tagset->tags.count; t++)
        if (is_taken(tagset, t, limits))
            names[(*count)++] = tagset->tags.at[t].name;
    return names;
}

struct dump_tagset_taken dump_tagset_taken(const struct dump_tagset *tagset,
                                           struct dump_tagset_limits limits)
{
    struct dump_tagset_taken taken = {0};
    bool any = false;

    for (size_t t = 0; t < tagset->tags.count; t++)
        taken.tags += is_taken(tagset, t, limits);
    for (size_t i = 0; i < tagset->others.count; i++) {
        uint32_t number = tagset->others.at[i];
        any = any || is_taken(tagset, number & ~LAST, limits);
        if (number & LAST) {
            taken.adds += any;
            any = false;
        }
    }
    return taken;
}

static int ascending(const void *a, const void *b)
{
    uint32_t one, two;

    memcpy(&one, a, sizeof one);
    memcpy(&two, b, sizeof two);
    return ORDER_BY(one, two);
}

static int by_candidates(const void *a, const void *b)
{
    const struct dump_tagset_together *one = a, *two = b;
    size_t i = 0;

    while (i < one->count && i < two->count && one->candidates[i] == two->candidates[i])
        i++;
    return i < one->count && i < two->count
               ? ORDER_BY(one->candidates[i], two->candidates[i])
               : ORDER_BY(one->count, two->count);
}

struct dump_tagset_together *
dump_tagset_together(const struct dump_tagset *tagset,
                     const struct dump_tagset_candidate *candidates, size_t count,
                     struct arena *arena, size_t *together_count)
{
    const uint32_t *place = places(tagset, candidates, count, arena);
    struct map numbers = {.arena = arena};
    LIST(struct dump_tagset_together) found = {0};
    LIST(uint32_t) some = {0};

    for (size_t i = 0; i < tagset->others.count; i++) {
        uint32_t number = tagset->others.at[i];
        if (place[number & ~LAST] > 0)
            list_add(&some, place[number & ~LAST] - 1);
        if ((number & LAST) == 0 || some.count == 0)
            continue;
        qsort(some.at, some.count, sizeof *some.at, ascending);
        struct str key = {(const char *)some.at, some.count * sizeof *some.at};
        size_t at = map_number(&numbers, key);
        if (at == found.count) {
            struct dump_tagset_together one = {
                .candidates = list_copy(&some, arena),
                .count = some.count,
            };
            list_add(&found, one);
        }
        found.at[at].questions++;
        some.count = 0;
    }
    if (found.count > 1)
        qsort(found.at, found.count, sizeof *found.at, by_candidates);
    *together_count = found.count;
    struct dump_tagset_together *out = list_copy(&found, arena);
    list_free(&found);
    list_free(&some);
    return out;
}
