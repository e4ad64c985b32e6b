/* Tests a post. Everything that is known about it is found out once, when a condition
 * first asks: which tags it has, what each text holds. */
#include "query/internal.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/date.h"
#include "item/key.h"

enum { SHOWN_MAX = 200 }; /* bytes of a regex in a message */

struct query_scratch {
    struct arena arena; /* holds this struct too */
    const struct query_compiled *compiled;
    const struct query_item *item;
    uint64_t serial; /* of the post: what bears an older one is not about it */
    uint64_t *fetched_serial, *searched_serial, tags_serial;
    struct str *texts;       /* by place, as the two above: texts, then own fields */
    uint64_t **met;          /* by place and target */
    uint64_t *seen_tags;     /* by number of the exact tag */
    struct buf folded;       /* a text */
    struct buf tags;         /* of the post, folded */
    struct buf spelled_tags; /* the same as <a><b> */
    struct query_hyperscan_room *hyperscan;
    struct query_regex_room *regex;
    size_t gave_up;  /* the number of the regex that did so last */
    char limit[160]; /* why */
};

struct query_scratch *query_scratch_open(const struct query_compiled *compiled)
{
    struct arena arena = {0};
    struct query_scratch *scratch = arena_array(&arena, struct query_scratch, 1);

    scratch->arena = arena;
    scratch->compiled = compiled;
    scratch->hyperscan = query_hyperscan_room_open(&scratch->arena);
    scratch->fetched_serial =
        arena_array(&scratch->arena, uint64_t, compiled->place_count);
    scratch->searched_serial =
        arena_array(&scratch->arena, uint64_t, compiled->place_count);
    scratch->texts = arena_array(&scratch->arena, struct str, compiled->place_count);
    scratch->met = arena_array(&scratch->arena, uint64_t *, compiled->place_count);
    for (size_t place = 0; place < compiled->place_count; place++) {
        const struct query_finder *finder = &compiled->finders[place];
        scratch->met[place] =
            arena_array(&scratch->arena, uint64_t, finder->target_count);
        query_hyperscan_room_add(scratch->hyperscan, finder->hyperscan);
    }
    scratch->seen_tags = arena_array(&scratch->arena, uint64_t, compiled->tags.count);
    if (compiled->regex_count > 0)
        scratch->regex = query_regex_room_open();
    return scratch;
}

void query_scratch_close(struct query_scratch *scratch)
{
    if (scratch == NULL)
        return;
    query_regex_room_close(scratch->regex);
    query_hyperscan_room_close(scratch->hyperscan);
    buf_free(&scratch->folded);
    buf_free(&scratch->tags);
    buf_free(&scratch->spelled_tags);
    struct arena arena = scratch->arena;
    arena_free(&arena);
}

bool query_scratch_gave_up(const struct query_scratch *scratch, struct err *err)
{
    struct str condition = scratch->compiled->regex_texts[scratch->gave_up];
    size_t shown = condition.len < SHOWN_MAX ? condition.len : SHOWN_MAX;
    char post[40] = "a post without id";

    while (shown < condition.len && (condition.ptr[shown] & 0xC0) == 0x80)
        shown--; /* not within a character */
    if (scratch->item->item->id != ITEM_NONE)
        snprintf(post, sizeof post, "post %lld",
                 (long long)item_number(scratch->item->item->id));
    return err_set(err, ERR_INPUT,
                   "%s: the regex %.*s%s was given up after %s; expected one that can "
                   "take a text in few ways only, with \\w+ instead of (\\w+)+ and "
                   "(?s).* instead of (.|\\s)*; see assay-query(7)",
                   post, (int)shown, condition.ptr, shown < condition.len ? "..." : "",
                   scratch->limit);
}

void query_scratch_begin(struct query_scratch *scratch, const struct query_item *item)
{
    scratch->item = item;
    scratch->serial++;
}

/* ---- numbers */

/* Ids count as their source has them: the upper bits only say which source it is. */
static int64_t number_of(const struct item *item, enum query_field field)
{
    switch (field) {
    case QUERY_FIELD_ID:
    case QUERY_FIELD_USER:
    case QUERY_FIELD_PARENT:
        return item_number(item->numbers[query_item_field(field)]);
    default:
        return item->numbers[query_item_field(field)];
    }
}

static bool in_range(const struct query_step *step, int64_t value, int64_t newest_ms)
{
    int64_t min = step->min, max = step->max;

    if (step->from.unit != 0 || step->to.unit != 0) {
        if (newest_ms == ITEM_NONE)
            return false;
        min = step->from.unit != 0 ? query_ago_ms(step->from, newest_ms, false) : min;
        max = step->to.unit != 0 ? query_ago_ms(step->to, newest_ms, true) : max;
    }
    return value >= min && value <= max;
}

static bool test_range(const struct query_step *step, const struct item *item,
                       int64_t newest_ms)
{
    int64_t value = number_of(item, step->field);

    return value != ITEM_NONE && in_range(step, value, newest_ms);
}

static bool test_type(const struct query_step *step, const struct item *item)
{
    return item->kind > 0 && item->kind < ITEM_KINDS &&
           (step->types >> item->kind & 1) != 0;
}

/* ---- tags */

/* Folds the post's tags and looks each up among those that the query names. */
static void read_tags(struct query_scratch *scratch)
{
    struct str tags = scratch->item->item->tags, rest, tag;

    if (scratch->tags_serial == scratch->serial)
        return;
    scratch->tags_serial = scratch->serial;
    buf_clear(&scratch->tags);
    query_fold(tags, buf_reserve(&scratch->tags, tags.len + 1));
    scratch->tags.len = tags.len;
    rest = buf_str(&scratch->tags);
    while (scratch->compiled->tags.count > 0 && query_tag_next(&rest, &tag)) {
        const int64_t *number = map_get(&scratch->compiled->tags, tag);
        if (number != NULL)
            scratch->seen_tags[*number] = scratch->serial;
    }
}

static bool contains(struct str text, struct str part)
{
    for (size_t i = 0; i + part.len <= text.len; i++)
        if (memcmp(text.ptr + i, part.ptr, part.len) == 0)
            return true;
    return false;
}

/* The tags as one string, in the older spelling whatever the post has. */
static struct str spelled_tags(struct query_scratch *scratch)
{
    struct str rest = buf_str(&scratch->tags), tag;

    buf_clear(&scratch->spelled_tags);
    while (query_tag_next(&rest, &tag)) {
        buf_add_char(&scratch->spelled_tags, '<');
        buf_add(&scratch->spelled_tags, tag);
        buf_add_char(&scratch->spelled_tags, '>');
    }
    return buf_str(&scratch->spelled_tags);
}

static bool test_tag(const struct query_step *step, struct query_scratch *scratch)
{
    struct str rest, tag;

    read_tags(scratch);
    if (step->match == QUERY_EXACT)
        return scratch->seen_tags[step->number] == scratch->serial;
    if (step->match == QUERY_SUBSTRING)
        return contains(spelled_tags(scratch), step->text);
    rest = buf_str(&scratch->tags);
    while (query_tag_next(&rest, &tag))
        if (query_glob(step->text, tag))
            return true;
    return false;
}

/* ---- texts */

static struct str text_of(struct query_scratch *scratch, size_t place)
{
    const struct query_item *item = scratch->item;

    if (scratch->fetched_serial[place] != scratch->serial) {
        scratch->texts[place] =
            place < QUERY_TEXTS
                ? item->text(item->context, (enum query_text)place)
                : item->own(item->context, scratch->compiled->own[place - QUERY_TEXTS]);
        scratch->fetched_serial[place] = scratch->serial;
    }
    return scratch->texts[place];
}

/* The one pass over a text that finds all its terms. */
static void search_text(struct query_scratch *scratch, size_t place)
{
    const struct query_finder *finder = &scratch->compiled->finders[place];
    struct str text = text_of(scratch, place);

    if (finder->fold) {
        buf_clear(&scratch->folded);
        query_fold(text, buf_reserve(&scratch->folded, text.len + 1));
        text.ptr = scratch->folded.ptr;
    }
    struct query_found found = {
        .text = text,
        .met = scratch->met[place],
        .serial = scratch->serial,
    };
    query_finder_run(finder, &found, scratch->hyperscan);
    scratch->searched_serial[place] = scratch->serial;
}

static enum query_verdict verdict(bool holds)
{
    return holds ? QUERY_YES : QUERY_NO;
}

static enum query_verdict test_regex(const struct query_step *step,
                                     struct query_scratch *scratch)
{
    enum query_regex_result result = query_regex_test(
        scratch->compiled->regexes[step->number], scratch->regex,
        text_of(scratch, step->place), scratch->limit, sizeof scratch->limit);

    if (result != QUERY_REGEX_GAVE_UP)
        return verdict(result == QUERY_REGEX_YES);
    scratch->gave_up = step->number;
    return QUERY_GAVE_UP;
}

static enum query_verdict test_text(const struct query_step *step,
                                    struct query_scratch *scratch)
{
    size_t place = step->place;

    if (step->match == QUERY_REGEX)
        return test_regex(step, scratch);
    if (scratch->searched_serial[place] != scratch->serial)
        search_text(scratch, place);
    return verdict(scratch->met[place][step->number] == scratch->serial);
}

/* ---- fields that sources bring */

static bool test_real(const struct query_step *step, struct str text)
{
    double value;

    return str_to_real(str_trim(text), &value) &&
           (step->above ? value > step->low : value >= step->low) &&
           (step->below ? value < step->high : value <= step->high);
}

static bool test_dates(const struct query_step *step, struct str text, int64_t newest_ms)
{
    int64_t ms;

    return date_parse(text, &ms) && in_range(step, ms, newest_ms);
}

/* Whether the pattern is that of a whole line. */
static bool test_lines(const struct query_step *step, struct query_scratch *scratch,
                       struct str text)
{
    struct str line;

    buf_clear(&scratch->folded);
    query_fold(text, buf_reserve(&scratch->folded, text.len + 1));
    text.ptr = scratch->folded.ptr;
    while (text.len > 0) {
        str_cut(&text, '\n', &line);
        if (query_glob(step->text, line))
            return true;
    }
    return false;
}

static enum query_verdict test_own(const struct query_step *step,
                                   struct query_scratch *scratch)
{
    assert(scratch->item->own != NULL);
    struct str value = text_of(scratch, step->place);
    if (value.len == 0) /* missing, which no regex can find either */
        return QUERY_NO;
    if (step->kind == QUERY_OWN_TEXT && step->match == QUERY_GLOB)
        return verdict(test_lines(step, scratch, value));
    return step->kind == QUERY_OWN_TEXT ? test_text(step, scratch)
           : step->kind == QUERY_OWN_DATES
               ? verdict(test_dates(step, value, scratch->item->newest_ms))
               : verdict(test_real(step, value));
}

/* ---- all together */

static enum query_verdict test_flag(const struct query_step *step,
                                    struct query_scratch *scratch)
{
    const struct query_item *item = scratch->item;

    if (step->field != QUERY_FIELD_HASCODE)
        return verdict((number_of(item->item, step->field) != ITEM_NONE) == step->yes);
    assert(item->has_code != NULL);
    return verdict(item->has_code(item->context) == step->yes);
}

static enum query_verdict test_set(const struct query_step *step,
                                   struct query_scratch *scratch)
{
    const struct query_item *item = scratch->item;

    assert(item->in_set != NULL);
    return verdict(item->in_set(item->context, step->text));
}

static enum query_verdict test_source(const struct query_step *step,
                                      struct query_scratch *scratch)
{
    const struct query_item *item = scratch->item;

    assert(item->in_source != NULL);
    return verdict(item->in_source(item->context, step->text));
}

static enum query_verdict test_relation(const struct query_step *step,
                                        struct query_scratch *scratch)
{
    const struct query_relations *relations = scratch->compiled->relations;

    return verdict(
        query_relation_holds(&relations->at[step->number], scratch->item->item) ==
        (step->kind != QUERY_FLAG || step->yes));
}

/* One child that says `decides` settles it; otherwise one that is open leaves it open. */
static enum query_verdict test_children(const struct query_step *step,
                                        struct query_scratch *scratch,
                                        enum query_verdict decides,
                                        enum query_verdict otherwise)
{
    enum query_verdict result = otherwise;

    for (size_t i = 0; i < step->count; i++) {
        enum query_verdict child = query_step_test(step->children[i], scratch);
        if (child == decides)
            return decides;
        if (child != QUERY_NO && child != QUERY_YES)
            result = child;
    }
    return result;
}

enum query_verdict query_step_test(const struct query_step *step,
                                   struct query_scratch *scratch)
{
    enum query_verdict child;

    if (step->relation)
        return test_relation(step, scratch);
    switch (step->kind) {
    case QUERY_ALL:
        return QUERY_YES;
    case QUERY_AND:
        return test_children(step, scratch, QUERY_NO, QUERY_YES);
    case QUERY_OR:
        return test_children(step, scratch, QUERY_YES, QUERY_NO);
    case QUERY_NOT:
        child = query_step_test(step->children[0], scratch);
        return child == QUERY_NO ? QUERY_YES : child == QUERY_YES ? QUERY_NO : child;
    case QUERY_TAG:
        return verdict(test_tag(step, scratch));
    case QUERY_TEXT:
        return test_text(step, scratch);
    case QUERY_RANGE:
        return verdict(test_range(step, scratch->item->item, scratch->item->newest_ms));
    case QUERY_FLAG:
        return test_flag(step, scratch);
    case QUERY_TYPE:
        return verdict(test_type(step, scratch->item->item));
    case QUERY_SET:
        return test_set(step, scratch);
    case QUERY_SOURCE:
        return test_source(step, scratch);
    case QUERY_OWN_TEXT:
    case QUERY_OWN_RANGE:
    case QUERY_OWN_DATES:
        return test_own(step, scratch);
    case QUERY_BELOW: /* a relation */
    case QUERY_LABEL: /* never compiled */
        break;
    }
    return QUERY_NO;
}

bool query_test(const struct query_compiled *compiled, struct query_scratch *scratch,
                const struct query_item *item, bool *holds, struct err *err)
{
    query_scratch_begin(scratch, item);
    enum query_verdict result = query_step_test(compiled->root, scratch);
    if (result == QUERY_GAVE_UP)
        return query_scratch_gave_up(scratch, err);
    *holds = result == QUERY_YES;
    return true;
}
