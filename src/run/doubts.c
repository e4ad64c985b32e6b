/* Sets and samples once more, after they were made: is that what was meant? */
#include "run/doubts.h"

#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/map.h"
#include "base/near.h"
#include "base/order.h"
#include "run/labelling.h"
#include "text/markup.h"
#include "verify/verify.h"

struct run_doubts {
    struct run_needs *needs;
    struct arena arena;
    struct map tags;   /* folded, with so many items */
    struct str *names; /* of them, the most used first */
    size_t count;
    struct buf text; /* of the next doubt */
    size_t told;
};

static void warn(const struct study *study, const struct run_options *options,
                 const struct yaml_node *at, struct str text)
{
    struct buf line = {0};

    buf_add_format(&line, "%s:%d:%d: %.*s", study->path, at->line, at->column,
                   STR_ARG(text));
    options->warn(options->context, buf_str(&line));
    buf_free(&line);
}

static void tell(struct run_doubts *doubts, const struct yaml_node *at)
{
    warn(doubts->needs->study, doubts->needs->options, at, buf_str(&doubts->text));
    buf_clear(&doubts->text);
    doubts->told++;
}

/* --- the tags that there are --- */

static struct str folded(struct run_doubts *doubts, struct str tag)
{
    struct str copy = arena_copy(&doubts->arena, tag);

    query_fold(tag, (char *)(uintptr_t)copy.ptr);
    return copy;
}

static bool take_census(void *context, const struct store_census *census, struct err *err)
{
    struct run_doubts *doubts = context;

    (void)err;
    if (census->tag.len > 0)
        *map_put(&doubts->tags, folded(doubts, census->tag)) += census->questions;
    return true;
}

/* Questions of a dump are in its census already, those that the study needs or not. */
static bool take_row(void *context, const struct store_row *row, struct err *err)
{
    struct run_doubts *doubts = context;
    struct str tags = row->item.tags, tag;

    (void)err;
    while (text_taglist_next(&tags, &tag))
        ++*map_put(&doubts->tags, folded(doubts, tag));
    return true;
}

static int compare_tags(const void *a, const void *b)
{
    const struct map_entry *one = a, *two = b;

    return order_then(ORDER_BY(two->value, one->value), str_compare(one->key, two->key));
}

static bool load_tags(struct run_doubts *doubts, struct err *err)
{
    unsigned kinds = item_studied_kinds();

    doubts->tags.arena = &doubts->arena;
    if (!run_needs_counts(doubts->needs, err) ||
        !store_census(doubts->needs->corpus, STORE_ALL, take_census, doubts, err))
        return false;
    if (doubts->tags.count > 0)
        kinds &= ~(1u << ITEM_QUESTION);
    for (int kind = 0; kind < ITEM_KINDS; kind++)
        if (doubts->needs->counts.kinds[kind] == 0)
            kinds &= ~(1u << kind);
    if (kinds != 0 && !store_scan(doubts->needs->corpus, kinds, take_row, doubts, err))
        return false;
    doubts->names = arena_array(&doubts->arena, struct str, doubts->tags.count + 1);
    if (doubts->tags.count == 0)
        return true;
    struct map_entry *entries =
        list_copied(map_sorted(&doubts->tags, &doubts->arena), doubts->tags.count,
                    sizeof *entries, &doubts->arena);
    qsort(entries, doubts->tags.count, sizeof *entries, compare_tags);
    for (; doubts->count < doubts->tags.count; doubts->count++)
        doubts->names[doubts->count] = entries[doubts->count].key;
    return true;
}

/* --- the tags that queries ask for --- */

/* What has no near one stands in one line, as *unknown collects it. */
static void check_tag(struct run_doubts *doubts, const struct yaml_node *at,
                      struct str tag, struct buf *unknown)
{
    struct str name = folded(doubts, tag);

    if (map_get(&doubts->tags, name) != NULL)
        return;
    size_t near = near_find(name, doubts->names, doubts->count);
    if (near == doubts->count) {
        buf_add_format(unknown, "%s[%.*s]", unknown->len > 0 ? ", " : "", STR_ARG(tag));
        return;
    }
    struct str meant = doubts->names[near];
    buf_add_format(&doubts->text, "[%.*s]: no item; did you mean [%.*s] (%lld)?",
                   STR_ARG(tag), STR_ARG(meant),
                   (long long)*map_get(&doubts->tags, meant));
    tell(doubts, at);
}

static void check_tags(struct run_doubts *doubts, const struct yaml_node *at,
                       const struct query_node *query, struct buf *unknown)
{
    if (query->kind == QUERY_TAG && query->match == QUERY_EXACT)
        check_tag(doubts, at, query->text, unknown);
    for (const struct query_node *child = query->first; child != NULL;
         child = child->next)
        if (query->kind != QUERY_BELOW)
            check_tags(doubts, at, child, unknown);
}

static bool asks_below(const struct query_node *query)
{
    bool asks = query->kind == QUERY_BELOW;

    for (const struct query_node *child = query->first; child != NULL && !asks;
         child = child->next)
        asks = asks_below(child);
    return asks;
}

/* Of issues and topics whose comments were not saved nobody knows what they say. */
static void check_below(struct run_doubts *doubts, const struct yaml_node *at)
{
    const struct measure_frame *frame = &doubts->needs->frame;
    long long count = 0;

    for (size_t i = 0; i < frame->count; i++) {
        int64_t kind = measure_column_at(frame->kind, i);
        bool talk = kind == ITEM_ISSUE || kind == ITEM_PULL_REQUEST ||
                    kind == ITEM_DISCUSSION || kind == ITEM_TOPIC;
        count += talk && !measure_bits_has(frame->answered_known, i);
    }
    if (count == 0)
        return;
    buf_add_format(&doubts->text,
                   "%lld item%s comments that were not saved: to comment: and answer: %s "
                   "without any",
                   count, count == 1 ? " has" : "s have",
                   count == 1 ? "it is one" : "they are");
    tell(doubts, at);
}

/* A query as it was written. With a table of synonyms a tag may stand for another. */
static bool check_query(struct run_doubts *doubts, const struct yaml_node *at,
                        struct err *err)
{
    struct query_own any = {.any = true};
    struct query_node *query;
    struct buf unknown = {0};

    if (at->type != YAML_SCALAR)
        return true;
    if (!query_parse_with(at->text, &any, &doubts->arena, &query, err))
        return false;
    if (asks_below(query))
        check_below(doubts, at);
    if (yaml_get(&doubts->needs->study->root, STR("synonyms")) != NULL)
        return true;
    query = study_with_tagsets(doubts->needs->study, query, &doubts->arena);
    check_tags(doubts, at, query, &unknown);
    if (unknown.len > 0) {
        buf_add_format(&doubts->text, "%.*s: no item", STR_ARG(buf_str(&unknown)));
        tell(doubts, at);
    }
    buf_free(&unknown);
    return true;
}

/* Tags that a list accepts; the census has those of the whole dump. */
static void check_tagset(struct run_doubts *doubts, const struct study_tagset *tagset)
{
    const struct yaml_node *tags = yaml_get(tagset->node, STR("accepted"));
    struct buf unknown = {0};

    if (tags == NULL || yaml_get(&doubts->needs->study->root, STR("synonyms")) != NULL)
        return;
    for (size_t i = 0; i < tags->count && tags->type == YAML_SEQUENCE; i++)
        check_tag(doubts, &tags->items[i], str_trim(tags->items[i].text), &unknown);
    if (tags->type == YAML_SCALAR)
        check_tag(doubts, tags, str_trim(tags->text), &unknown);
    if (unknown.len > 0) {
        buf_add_format(&doubts->text, "accepted: %.*s: no item",
                       STR_ARG(buf_str(&unknown)));
        tell(doubts, tags);
    }
    buf_free(&unknown);
}

static bool check_group(struct run_doubts *doubts, const struct study_group *group,
                        struct err *err)
{
    static const char *const keys[] = {"first-of", "all-of"};

    for (size_t k = 0; k < ROWS_OF(keys); k++) {
        const struct yaml_node *queries = yaml_get(group->node, str_from(keys[k]));
        for (size_t i = 0; queries != NULL && i < queries->count; i++)
            if (!check_query(doubts, &queries->items[i], err))
                return false;
    }
    return true;
}

/* --- what was made --- */

static bool is_made(const struct run_needs *needs, const struct run_kind *kind,
                    size_t index)
{
    return needs->steps->at[run_steps_find(needs->steps, kind, index)].now;
}

static bool check_sets(struct run_doubts *doubts, struct err *err)
{
    const struct run_needs *needs = doubts->needs;

    for (size_t i = 0; i < needs->study->set_count; i++) {
        const struct study_set *set = &needs->study->sets[i];
        if (!is_made(needs, &run_kind_set, i))
            continue;
        size_t told = doubts->told;
        if (!check_query(doubts, set->node, err))
            return false;
        if (doubts->told == told && /* that says why */
            measure_bits_count(needs->slots[needs->set_slot[i]].bits) == 0) {
            buf_add_format(&doubts->text,
                           "the set %.*s is empty: no item meets its query",
                           STR_ARG(set->name));
            tell(doubts, set->node);
        }
    }
    for (size_t t = 0; t < needs->study->tagset_count; t++)
        if (is_made(needs, &run_kind_accepted, t))
            check_tagset(doubts, &needs->study->tagsets[t]);
    for (size_t g = 0; g < needs->study->group_count; g++)
        if (needs->group_made[g] && !check_group(doubts, &needs->study->groups[g], err))
            return false;
    return true;
}

static void check_samples(struct run_doubts *doubts)
{
    const struct run_needs *needs = doubts->needs;

    for (size_t i = 0; i < needs->study->sample_count; i++) {
        const struct study_sample *sample = &needs->study->samples[i];
        const struct run_sampling *drawn = &needs->samples[i];
        bool counted = sample->size.kind == SAMPLE_SIZE_BY_COUNT ||
                       sample->size.kind == SAMPLE_SIZE_TOP;
        if (is_made(needs, &run_kind_sample, i) && drawn->absent + drawn->beside > 0) {
            buf_add_format(
                &doubts->text,
                "%lld of the list %s not in the corpus, %lld not in %.*s: %.*s%s",
                (long long)drawn->absent, drawn->absent == 1 ? "is" : "are",
                (long long)drawn->beside, STR_ARG(sample->of), STR_ARG(drawn->missed),
                drawn->absent + drawn->beside > 5 ? ", ..." : "");
            tell(doubts, yaml_get(sample->node, STR("list")));
        }
        if (!is_made(needs, &run_kind_sample, i) || !counted ||
            sample->allocate == STUDY_EACH || sample->size.count <= drawn->frame)
            continue;
        buf_add_format(
            &doubts->text, "%lld is more than %.*s has: all %lld of it were drawn",
            (long long)sample->size.count, STR_ARG(sample->of), (long long)drawn->frame);
        tell(doubts, yaml_get(sample->node, STR("size")));
    }
}

/* Two dumps of which nothing says whose they are would be taken for one site's: posts
 * with the same number are noticed when they are read, links that go wrong are not. */
static void tell_sites(const struct study *study, const struct run_options *options)
{
    const struct yaml_node *sources = yaml_get(&study->root, STR("sources"));
    const struct study_source *first = NULL;
    struct buf text = {0};

    for (size_t i = 0; sources != NULL && i < study->source_count; i++) {
        const struct study_source *source = &study->sources[i];
        if (!source->kind->census || source->site_told)
            continue;
        if (first == NULL) {
            first = source;
            continue;
        }
        buf_clear(&text);
        buf_add_format(&text,
                       "'%.*s' and '%.*s' have no `site`: both are taken for %.*s, to "
                       "which links lead; say which sites they are",
                       STR_ARG(first->name), STR_ARG(source->name),
                       STR_ARG(source->site));
        warn(study, options, &sources->items[i], buf_str(&text));
    }
    buf_free(&text);
}

void run_doubts_tell_plan(const struct study *study, const struct run_options *options)
{
    if (options->warn != NULL)
        tell_sites(study, options);
    for (size_t i = 0; i < study->sample_count && options->warn != NULL; i++) {
        const struct study_sample *sample = &study->samples[i];
        double share = sample->size.share;
        struct buf text = {0};
        if (sample->size.kind != SAMPLE_SIZE_BY_SHARE ||
            (share != 0.9 && share != 0.95 && share != 0.99))
            continue;
        buf_add_format(&text,
                       "%.0f%% draws %.0f of 100 items; for a confidence say the margin "
                       "too: `%.0f%% +- 5%%`",
                       share * 100, share * 100, share * 100);
        warn(study, options, yaml_get(sample->node, STR("size")), buf_str(&text));
        buf_free(&text);
    }
}

/* How many items have a final label in the first dimension, as the labelling was last
 * made; 0 where that cannot be told. */
static size_t count_labelled(const struct study *study, size_t index)
{
    struct arena arena = {0};
    struct run_labelling_final *finals;
    struct err unread = {0};
    size_t count, labelled = 0;

    if (run_labelling_first(study, index, &arena, &finals, &count, &unread))
        for (size_t i = 0; i < count; i++)
            labelled += finals[i].coded;
    arena_free(&arena);
    return labelled;
}

static bool needs_step(const struct run_step *step, size_t needed)
{
    for (size_t i = 0; i < step->need_count; i++)
        if (step->needs[i] == needed)
            return true;
    return false;
}

void run_doubts_tell_redrawn(const struct run_steps *steps,
                             const struct run_ledger *ledger,
                             const struct run_options *options)
{
    for (size_t s = 0; s < steps->count && options->warn != NULL; s++) {
        const struct run_step *sample = &steps->at[s];
        const struct run_ledger_step *recorded = run_ledger_find(ledger, sample->name);
        if (sample->kind != &run_kind_sample || recorded == NULL ||
            recorded->section == sample->section)
            continue;
        for (size_t i = s + 1; i < steps->count; i++) {
            const struct run_step *task = &steps->at[i];
            if (task->kind != &run_kind_labelling || !needs_step(task, s) ||
                run_ledger_find(ledger, task->name) == NULL)
                continue;
            size_t labelled = count_labelled(steps->study, task->index);
            if (labelled == 0)
                continue;
            struct buf text = {0};
            buf_add_format(
                &text,
                "%.*s has changed since %zu item%s of %.*s got a label: labels of "
                "items that are not drawn again no longer count. To draw more, "
                "leave it as it was and add a sample that has `keep`",
                STR_ARG(sample->name), labelled, labelled == 1 ? "" : "s",
                STR_ARG(task->name));
            warn(steps->study, options, steps->study->samples[sample->index].node,
                 buf_str(&text));
            buf_free(&text);
        }
    }
}

bool run_doubts_tell(struct run_needs *needs, struct err *err)
{
    struct run_doubts doubts = {.needs = needs};

    if (needs->options->warn == NULL)
        return true;
    run_doubts_tell_plan(needs->study, needs->options);
    if (!needs->loaded || needs->broken || needs->corpus == NULL)
        return true;
    check_samples(&doubts);
    bool ok = load_tags(&doubts, err) && check_sets(&doubts, err);
    buf_free(&doubts.text);
    arena_free(&doubts.arena);
    return ok;
}

/* --- numbers in texts of questions --- */

struct doubted_texts {
    const struct study *study;
    const struct run_options *options;
    struct arena arena;
    struct result_numbers *numbers; /* NULL: not read yet */
    size_t count;
};

static bool check_text(struct doubted_texts *texts, const struct yaml_node *node,
                       struct err *err)
{
    size_t count;

    for (size_t i = 0; i < node->count && node->type == YAML_SEQUENCE; i++)
        if (!check_text(texts, &node->items[i], err))
            return false;
    /* "{address = 52.7%}": most texts have none, and results need not be read. */
    if (node->type != YAML_SCALAR ||
        memchr(node->text.ptr, '{', node->text.len) == NULL ||
        memchr(node->text.ptr, '=', node->text.len) == NULL)
        return true;
    if (texts->numbers == NULL &&
        !run_numbers(texts->study, &texts->arena, &texts->numbers, &texts->count, err))
        return false;
    const struct verify_piece *pieces = verify_fill(
        texts->study, texts->numbers, texts->count, node->text, &texts->arena, &count);
    for (size_t i = 0; i < count; i++)
        if (pieces[i].wrong.len == 0 && pieces[i].was.len > 0)
            warn(texts->study, texts->options, node,
                 arena_format(&texts->arena, "{%.*s = %.*s}: it is %.*s",
                              STR_ARG(pieces[i].expression), STR_ARG(pieces[i].was),
                              STR_ARG(pieces[i].text)));
    return true;
}

bool run_doubts_tell_texts(const struct study *study, const struct run_options *options,
                           struct err *err)
{
    static const char *const names[] = {"method", "answer", "findings", "threats"};
    struct doubted_texts texts = {.study = study, .options = options};
    bool ok = true;

    for (size_t q = 0; q < study->question_count && options->warn != NULL; q++)
        for (size_t t = 0; t < ROWS_OF(names) && ok; t++) {
            const struct yaml_node *node =
                yaml_get(study->questions[q].node, str_from(names[t]));
            ok = node == NULL || check_text(&texts, node, err);
        }
    arena_free(&texts.arena);
    return ok;
}
