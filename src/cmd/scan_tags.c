/* Tags become numbers, so that a question without a seed tag takes a few bytes: what
 * several candidates add together is less than the sum of what each adds. */
#include "cmd/scan_tags.h"

#include <stdlib.h>

#include "base/near.h"
#include "base/order.h"
#include "text/markup.h"

#define LAST (UINT32_C(1) << 31)

static const double relevances[] = {0.05, 0.1, 0.15, 0.2, 0.25, 0.3};
static const double significances[] = {0.001, 0.005, 0.01, 0.015, 0.02, 0.03};

bool cmd_scan_tags_open(const char *seeds, struct arena *arena, struct cmd_scan_tags *out,
                        struct err *err)
{
    LIST(struct str) all = {0};
    struct str rest = str_from(seeds), one;
    bool empty = false;

    for (bool more = true; more;) {
        more = str_cut(&rest, ',', &one);
        one = str_trim(one);
        empty = empty || one.len == 0;
        list_add(&all, one);
    }
    *out = (struct cmd_scan_tags){.arena = arena,
                                  .seeds = list_copy(&all, arena),
                                  .seed_count = all.count,
                                  .numbers = {.arena = arena}};
    list_free(&all);
    return !empty || err_set(err, ERR_USAGE,
                             "--seeds is '%s', expected tags by commas, such as "
                             "tensorflow,keras*",
                             seeds);
}

static bool is_seed(const struct cmd_scan_tags *tags, struct str tag)
{
    for (size_t i = 0; i < tags->seed_count; i++) {
        struct str seed = tags->seeds[i];
        if (str_eq(tag, seed) || (str_ends(seed, STR("*")) &&
                                  str_starts(tag, str_slice(seed, 0, seed.len - 1))))
            return true;
    }
    return false;
}

static uint32_t number_of(struct cmd_scan_tags *tags, struct str name)
{
    size_t number = map_number(&tags->numbers, name);

    if (number == tags->tags.count) {
        struct cmd_scan_tag tag = {.name = arena_copy(tags->arena, name),
                                   .seed = is_seed(tags, name)};
        list_add(&tags->tags, tag);
    }
    return (uint32_t)number;
}

void cmd_scan_tags_add(struct cmd_scan_tags *tags, struct str list)
{
    size_t begin = tags->others.count;
    bool seeded = false;
    struct str tag;

    while (text_taglist_next(&list, &tag)) {
        uint32_t number = number_of(tags, tag);
        seeded = seeded || tags->tags.at[number].seed;
        list_add(&tags->others, number);
    }
    for (size_t i = begin; i < tags->others.count; i++) {
        struct cmd_scan_tag *one = &tags->tags.at[tags->others.at[i]];
        one->questions++;
        one->seeded += seeded;
    }
    tags->questions++;
    tags->seeded += seeded;
    if (seeded)
        tags->others.count = begin;
    else if (tags->others.count > begin)
        tags->others.at[tags->others.count - 1] |= LAST;
}

static double relevance(const struct cmd_scan_tag *tag)
{
    return (double)tag->seeded / (double)tag->questions;
}

static double significance(const struct cmd_scan_tags *tags,
                           const struct cmd_scan_tag *tag)
{
    return (double)tag->seeded / (double)tags->seeded;
}

static bool is_taken(const struct cmd_scan_tags *tags, const struct cmd_scan_tag *tag,
                     double relevant, double significant)
{
    return !tag->seed && relevance(tag) >= relevant &&
           significance(tags, tag) >= significant;
}

static int by_significance(const void *left, const void *right)
{
    const struct cmd_scan_tag *a = left, *b = right;

    return order_then(ORDER_BY(b->seeded, a->seeded), str_compare(a->name, b->name));
}

static void show_candidates(const struct cmd_scan_tags *tags, struct buf *out)
{
    struct cmd_scan_tag *sorted = list_copy(&tags->tags, tags->arena);

    qsort(sorted, tags->tags.count, sizeof *sorted, by_significance);
    buf_add(out, STR("| tag | questions | with a seed tag | relevance | significance | "
                     "adds |\n|---|---:|---:|---:|---:|---:|\n"));
    for (size_t i = 0; i < tags->tags.count; i++)
        if (is_taken(tags, sorted + i, relevances[0], significances[0]))
            buf_add_format(out, "| %.*s | %lld | %lld | %.4f | %.4f | %lld |\n",
                           STR_ARG(sorted[i].name), (long long)sorted[i].questions,
                           (long long)sorted[i].seeded, relevance(sorted + i),
                           significance(tags, sorted + i),
                           (long long)(sorted[i].questions - sorted[i].seeded));
}

/* Questions without a seed tag that have one of the tags taken. */
static int64_t added(const struct cmd_scan_tags *tags, double relevant,
                     double significant, int64_t *taken)
{
    int64_t count = 0;
    bool any = false;

    *taken = 0;
    for (size_t t = 0; t < tags->tags.count; t++)
        *taken += is_taken(tags, tags->tags.at + t, relevant, significant);
    for (size_t i = 0; i < tags->others.count; i++) {
        uint32_t number = tags->others.at[i];
        any = any ||
              is_taken(tags, tags->tags.at + (number & ~LAST), relevant, significant);
        if (number & LAST) {
            count += any;
            any = false;
        }
    }
    return count;
}

static void show_thresholds(const struct cmd_scan_tags *tags, struct buf *out)
{
    buf_add(out, STR("| relevance at least | significance at least | tags taken | adds | "
                     "questions |\n|---:|---:|---:|---:|---:|\n"));
    for (size_t r = 0; r < ROWS_OF(relevances); r++)
        for (size_t s = 0; s < ROWS_OF(significances); s++) {
            int64_t taken, more = added(tags, relevances[r], significances[s], &taken);
            buf_add_format(out, "| %g | %g | %lld | %lld | %lld |\n", relevances[r],
                           significances[s], (long long)taken, (long long)more,
                           (long long)(tags->seeded + more));
        }
}

static bool tell_none(const struct cmd_scan_tags *tags, struct err *err)
{
    struct str *names = arena_array(tags->arena, struct str, tags->tags.count + 1);

    for (size_t i = 0; i < tags->tags.count; i++)
        names[i] = tags->tags.at[i].name;
    size_t near = near_find(tags->seeds[0], names, tags->tags.count);
    return err_set(err, ERR_INPUT,
                   "none of %lld questions has a seed tag, such as '%.*s'%s%.*s%s",
                   (long long)tags->questions, STR_ARG(tags->seeds[0]),
                   near < tags->tags.count ? "; did you mean '" : "",
                   near < tags->tags.count ? (int)names[near].len : 0,
                   near < tags->tags.count ? names[near].ptr : "",
                   near < tags->tags.count ? "'?" : "");
}

bool cmd_scan_tags_show(struct cmd_scan_tags *tags, struct buf *out, struct err *err)
{
    if (tags->seeded == 0)
        return tell_none(tags, err);
    buf_add_format(out, "%lld of %lld questions have a seed tag\n\n",
                   (long long)tags->seeded, (long long)tags->questions);
    show_candidates(tags, out);
    buf_add_char(out, '\n');
    show_thresholds(tags, out);
    return true;
}

void cmd_scan_tags_free(struct cmd_scan_tags *tags)
{
    list_free(&tags->tags);
    list_free(&tags->others);
}
