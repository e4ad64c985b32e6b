/* From labels.db to agreement: what raters said before they talked. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/order.h"
#include "label/internal.h"
#include "label/models.h"

struct said { /* the act that counts of a rater on an item */
    int64_t item, round;
    struct str rater;
    bool again;
    size_t entry;
    size_t marked; /* the unit; LABEL_NONE: the item as a whole */
    size_t unit;   /* which of the units that raters share, in the item */
    const struct label_model_word *word; /* of a model; NULL: of a person */
};

/* Which of it is wanted. */
struct agreement_choice {
    int64_t round;
    struct str dimension, version, rater; /* empty: any */
    bool closed, all_raters, retest;
};

static int compare_said(const void *a, const void *b)
{
    const struct said *one = a, *two = b;
    int raters;

    if (one->item != two->item)
        return one->item < two->item ? -1 : 1;
    raters = str_compare(one->rater, two->rater);
    if (raters != 0)
        return raters;
    if (one->again != two->again)
        return one->again ? 1 : -1;
    if (one->round != two->round)
        return one->round > two->round ? -1 : 1;
    return order_then(ORDER_BY(one->marked, two->marked),
                      ORDER_BY(one->entry, two->entry)); /* units of models */
}

static bool fits(const struct label *label, const struct label_slot *slot,
                 const struct agreement_choice *choice)
{
    const struct label_known_round *round = label_round_find(label, slot->round);
    const struct label_entry *entries = label->log.entries.at;

    /* What is found in a table comes last. */
    return slot->first != LABEL_NONE && (choice->retest || !slot->again) &&
           (choice->rater.len == 0 || str_eq(choice->rater, slot->rater)) &&
           str_eq(slot->dimension, choice->dimension) && label_slot_speaks(label, slot) &&
           (!choice->closed || round->closed_ms != 0) &&
           (choice->round != 0
                ? slot->round == choice->round
                : label_counts(round) && label_order(label, slot->item) != LABEL_NONE) &&
           (choice->all_raters ||
            label_rater(label, slot->rater) < label->settings->rater_count) &&
           (choice->version.len == 0 ||
            str_eq(choice->version, entries[slot->first].act.version));
}

/* By item and rater, each once: what was said in the newest round. */
static struct said *choose(const struct label *label,
                           const struct agreement_choice *choice, struct arena *arena,
                           size_t *count)
{
    const struct label_slot *slots = label->log.slots.at;
    size_t slot_count = label->log.slots.count, kept = 0;
    struct said *said = arena_array(arena, struct said, slot_count + 1);

    *count = 0;
    for (size_t i = 0; i < slot_count; i++)
        if (fits(label, &slots[i], choice))
            said[(*count)++] = (struct said){slots[i].item,
                                             slots[i].round,
                                             slots[i].rater,
                                             slots[i].again,
                                             slots[i].first,
                                             slots[i].marked,
                                             0,
                                             NULL};
    qsort(said, *count, sizeof *said, compare_said);
    for (size_t i = 0; i < *count; i++)
        if (i == 0 || said[i].item != said[kept - 1].item ||
            said[i].again != said[kept - 1].again ||
            !str_eq(said[i].rater, said[kept - 1].rater) ||
            (said[i].marked != LABEL_NONE && said[i].round == said[kept - 1].round))
            said[kept++] = said[i];
    *count = kept;
    return said;
}

static struct said *add_words(const struct label *label, struct said *said, size_t *count,
                              const struct label_model_word *words, size_t word_count,
                              struct arena *arena)
{
    struct said *all = arena_array(arena, struct said, *count + word_count + 1);
    struct map labelled = {.arena = arena};
    size_t entries = label->log.entries.count;

    for (size_t i = 0; i < *count; i++) {
        all[i] = said[i];
        *map_put(&labelled,
                 (struct str){(const char *)&said[i].item, sizeof said[i].item}) = 1;
    }
    for (size_t i = 0; i < word_count; i++) {
        struct str key = {(const char *)&words[i].item, sizeof words[i].item};
        if (words[i].code_count > 0 && map_get(&labelled, key) != NULL)
            all[(*count)++] =
                (struct said){.item = words[i].item,
                              .rater = label->settings->models[words[i].model].name,
                              .entry = entries + i,
                              .marked = LABEL_NONE,
                              .word = &words[i]};
    }
    qsort(all, *count, sizeof *all, compare_said);
    return all;
}

/* The unit that it is about. */
static struct label_unit_said unit_of(const struct label *label, const struct said *said)
{
    const struct label_model_unit *unit = said->word != NULL ? said->word->unit : NULL;

    if (unit != NULL)
        return (struct label_unit_said){unit->unit, unit->place, unit->called};
    return label_unit_of(label, said->marked);
}

/* Units of several raters that are the same one get the same number, and stand together,
 * in an order that does not change with the raters' names: intervals by resampling come
 * out the same where people are called rater-1 and rater-2. */

static int compare_units(const void *a, const void *b)
{
    const struct said *one = a, *two = b;

    return order_then(
        order_then(ORDER_BY(one->item, two->item), ORDER_BY(one->unit, two->unit)),
        compare_said(a, b));
}

static void match_units(const struct label *label, struct said *said, size_t count,
                        bool retest, struct arena *arena)
{
    struct label_unit *units = arena_array(arena, struct label_unit, count + 1);
    struct label_unit *ordered = arena_array(arena, struct label_unit, count + 1);
    size_t *match = arena_array(arena, size_t, count + 1);
    size_t *order = arena_array(arena, size_t, count + 1);
    struct map raters = {.arena = arena};
    struct err ignored = {0};

    for (size_t begin = 0, end; begin < count; begin = end) {
        for (end = begin; end < count && said[end].item == said[begin].item; end++) {
            struct label_unit_said unit = unit_of(label, &said[end]);
            units[end - begin] = (struct label_unit){
                .rater = retest ? said[end].again : map_number(&raters, said[end].rater),
                .name = unit.unit,
                .called = unit.called};
            if (!label_unit_place_read(unit.place, &units[end - begin].place, &ignored))
                units[end - begin].place = (struct label_unit_place){.part = unit.place};
        }
        label_unit_order(units, end - begin, order);
        for (size_t i = 0; i < end - begin; i++)
            ordered[i] = units[order[i]];
        (void)label_unit_match(ordered, end - begin, match);
        for (size_t i = 0; i < end - begin; i++)
            said[begin + order[i]].unit = match[i];
    }
    if (count > 0)
        qsort(said, count, sizeof *said, compare_units);
}

/* Turning it into numbers. */

struct agreement_builder {
    struct label *label;
    struct arena *arena;
    struct label_agree_data data;
    struct map codes; /* from path to number plus 1 */
    LIST(struct label_agree_code) code_list;
    struct map raters;       /* from name to number plus 1 */
    struct str *rater_names; /* in the order of their numbers */
};

static void add_code(struct agreement_builder *builder, struct label_agree_code code)
{
    list_add(&builder->code_list, code);
    *map_put(&builder->codes, code.path) = (int64_t)builder->code_list.count;
}

static void add_codebook(struct agreement_builder *builder,
                         const struct study_codebook_dimension *dimension)
{
    for (size_t i = 0; i < dimension->count; i++) {
        const struct study_codebook_code *code = &dimension->codes[i];
        add_code(builder, (struct label_agree_code){
                              arena_copy(builder->arena, code->path),
                              arena_copy(builder->arena, code->name),
                              code->parent == STUDY_CODEBOOK_NONE ? LABEL_AGREE_NONE
                                                                  : code->parent,
                              code->level});
    }
}

static int compare_numbers(const void *a, const void *b)
{
    size_t one = *(const size_t *)a, two = *(const size_t *)b;

    return one < two ? -1 : one > two;
}

/* A code that needs review is one that the codebook does not have: it stands for itself.
 */
static void number_codes(struct agreement_builder *builder, const struct label_said *said,
                         struct label_agree_label *out)
{
    size_t *codes = arena_array(builder->arena, size_t, said->code_count + 1);

    for (size_t i = 0; i < said->code_count; i++) {
        const int64_t *number = map_get(&builder->codes, said->codes[i]);
        if (number == NULL) {
            add_code(builder, (struct label_agree_code){said->codes[i], said->codes[i],
                                                        LABEL_AGREE_NONE, 1});
            number = map_get(&builder->codes, said->codes[i]);
        }
        codes[i] = (size_t)*number - 1;
    }
    qsort(codes, said->code_count, sizeof *codes, compare_numbers);
    out->codes = codes;
    out->code_count = said->code_count;
}

/* Raters of the study file keep their order; others follow. */
static size_t number_rater(struct agreement_builder *builder, struct str name)
{
    int64_t *number = map_put(&builder->raters, name);

    if (*number == 0) {
        builder->rater_names[builder->data.rater_count] =
            arena_copy(builder->arena, name);
        *number = (int64_t)++builder->data.rater_count;
    }
    return (size_t)*number - 1;
}

struct timed {
    struct label_agree_label label;
    size_t entry;
};

static int compare_timed(const void *a, const void *b)
{
    const struct timed *one = a, *two = b;

    return one->entry < two->entry ? -1 : one->entry > two->entry;
}

/* In the order in which they were given. */
static void sort_labels(struct agreement_builder *builder, struct timed *timed)
{
    struct label_agree_label *labels = arena_array(
        builder->arena, struct label_agree_label, builder->data.label_count + 1);

    qsort(timed, builder->data.label_count, sizeof *timed, compare_timed);
    for (size_t i = 0; i < builder->data.label_count; i++)
        labels[i] = timed[i].label;
    builder->data.labels = labels;
}

/* With retest, the raters are a rater the first time and the same one the second time. */
static struct label_agree_data build(struct label *label,
                                     const struct study_codebook_dimension *dimension,
                                     const struct said *said, size_t count, bool retest,
                                     struct arena *arena)
{
    const struct label_entry *entries = label->log.entries.at;
    struct agreement_builder builder = {
        .label = label,
        .arena = arena,
        .codes = {.arena = arena},
        .raters = {.arena = arena},
        .rater_names =
            arena_array(arena, struct str, label->settings->rater_count + count + 2)};
    struct timed *timed = arena_array(arena, struct timed, count + 1);
    struct str *items = arena_array(arena, struct str, count + 1);
    struct str *wholes = arena_array(arena, struct str, count + 1);
    size_t *whole_of = arena_array(arena, size_t, count + 1);

    add_codebook(&builder, dimension);
    if (retest) {
        number_rater(&builder, STR("first"));
        number_rater(&builder, STR("second"));
    }
    for (size_t r = 0; !retest && r < label->settings->rater_count; r++)
        number_rater(&builder, label->settings->raters[r]);
    for (size_t i = 0; i < count; i++) {
        struct label_said carried;
        if (i == 0 || said[i].item != said[i - 1].item)
            wholes[builder.data.whole_count++] =
                item_key(&label->study->spaces, said[i].item, arena);
        if (i == 0 || said[i].item != said[i - 1].item ||
            said[i].unit != said[i - 1].unit) {
            struct str whole = wholes[builder.data.whole_count - 1];
            whole_of[builder.data.item_count] = builder.data.whole_count - 1;
            struct str unit = unit_of(label, &said[i]).unit;
            items[builder.data.item_count++] =
                unit.len == 0
                    ? whole
                    : arena_format(arena, "%.*s#%.*s", STR_ARG(whole), STR_ARG(unit));
        }
        if (said[i].word != NULL)
            carried = (struct label_said){.codes = said[i].word->codes,
                                          .code_count = said[i].word->code_count,
                                          .seconds = NAN};
        else
            label_carry(label, &entries[said[i].entry], arena, &carried);
        struct label_agree_label *one = &timed[i].label;
        one->item = builder.data.item_count - 1;
        one->rater = retest ? said[i].again : number_rater(&builder, said[i].rater);
        one->seconds = carried.seconds;
        number_codes(&builder, &carried, one);
        timed[i].entry = said[i].entry;
    }
    if (label->settings->units) {
        builder.data.whole_of = whole_of;
        builder.data.wholes = wholes;
    }
    builder.data.label_count = count;
    sort_labels(&builder, timed);
    builder.data.items = items;
    builder.data.raters = builder.rater_names;
    builder.data.code_count = builder.code_list.count;
    builder.data.codes = list_copy(&builder.code_list, arena);
    list_free(&builder.code_list);
    return builder.data;
}

/* Items that two raters or more were given in the rounds that count. */
static size_t planned_items(struct label *label, int64_t round, struct arena *arena)
{
    const struct label_assigned *assigned = label->log.assigned.at;
    struct map raters = {.arena = arena};
    size_t planned = 0;

    for (size_t i = 0; i < label->log.assigned.count; i++) {
        const struct label_known_round *in = label_round_find(label, assigned[i].round);
        if (assigned[i].again ||
            label_rater(label, assigned[i].rater) == label->settings->rater_count ||
            (round != 0 ? assigned[i].round != round
                        : !label_counts(in) ||
                              label_order(label, assigned[i].item) == LABEL_NONE))
            continue;
        struct str key = {(const char *)&assigned[i].item, sizeof assigned[i].item};
        planned += ++*map_put(&raters, key) == 2;
    }
    return planned;
}

static bool is_version(const struct label *label, struct str version)
{
    const struct store_acts_codebook *known = label->log.codebooks.at;

    for (size_t i = 0; i < label->log.codebooks.count; i++)
        if (str_eq(known[i].version, version))
            return true;
    return version.len == 0;
}

bool label_agreement(struct label *label, const struct label_agreement_options *options,
                     struct arena *arena, struct label_agree_report *out, struct err *err)
{
    const struct study_codebook_dimension *dimension;
    size_t count;

    if (!label_follow(label, err) ||
        !label_dimension(label, options->dimension, &dimension, err))
        return false;
    if (!is_version(label, options->version))
        return err_set(err, ERR_INPUT,
                       "no label was made under a codebook of version '%.*s'",
                       STR_ARG(options->version));
    if (options->round != 0 && label_round_find(label, options->round) == NULL)
        return err_set(err, ERR_INPUT, "there is no round %lld",
                       (long long)options->round);
    struct agreement_choice choice = {.round = options->round,
                                      .dimension = dimension->id,
                                      .version = options->version,
                                      .closed = options->closed,
                                      .all_raters = options->all_raters};
    struct said *said = choose(label, &choice, arena, &count);
    if (options->models && options->round == 0) {
        struct label_model_word *words;
        size_t word_count;
        if (!label_model_words(label, dimension->id, false, arena, &words, &word_count,
                               err))
            return false;
        said = add_words(label, said, &count, words, word_count, arena);
    }
    if (label->settings->units)
        match_units(label, said, count, false, arena);
    struct label_agree_data *data = arena_array(arena, struct label_agree_data, 1);
    *data = build(label, dimension, said, count, false, arena);
    /* How many units there will be is not known: shares are of those that are there. */
    if (!label->settings->units)
        data->planned = planned_items(label, options->round, arena);
    if (!label_agree_set_order(data, options->order, arena, err))
        return false;
    struct label_agree_options how = {.checkpoints = label->settings->checkpoints,
                                      .checkpoint_count =
                                          label->settings->checkpoint_count,
                                      .level = LABEL_AGREE_LEVEL,
                                      .resamples = options->resamples,
                                      .resample_all = options->resample_all,
                                      .seed = label->settings->seed,
                                      .chosen = options->chosen,
                                      .choice = options->choice,
                                      .top = 20};
    *out = label_agree_report(data, &how, arena);
    return true;
}

bool label_retest(struct label *label, struct str dimension_id, struct str rater,
                  struct arena *arena, struct label_agree_measures *out, struct err *err)
{
    const struct study_codebook_dimension *dimension;
    struct label_agree_options how = {.level = LABEL_AGREE_LEVEL};
    size_t count;

    if (!label_follow(label, err) ||
        !label_dimension(label, dimension_id, &dimension, err))
        return false;
    struct agreement_choice choice = {
        .dimension = dimension->id, .rater = rater, .all_raters = true, .retest = true};
    struct said *said = choose(label, &choice, arena, &count);
    if (label->settings->units)
        match_units(label, said, count, true, arena);
    struct label_agree_data data = build(label, dimension, said, count, true, arena);
    *out = label_agree_measure(&data, &how, arena);
    return true;
}

bool label_model_self(struct label *label, struct str dimension_id, size_t model,
                      struct arena *arena, struct label_agree_measures *out,
                      struct err *err)
{
    const struct study_codebook_dimension *dimension;
    struct label_agree_options how = {.level = LABEL_AGREE_LEVEL};
    struct label_model_word *words;
    size_t word_count, count = 0;

    if (!label_follow(label, err) ||
        !label_dimension(label, dimension_id, &dimension, err) ||
        !label_model_words(label, dimension->id, true, arena, &words, &word_count, err))
        return false;
    struct said *said = arena_array(arena, struct said, word_count + 1);
    size_t unit = 0;
    for (size_t i = 0; i < word_count; i++) {
        unit += i > 0 && words[i].unit != words[i - 1].unit;
        if (words[i].model == model && words[i].code_count > 0)
            said[count++] = (struct said){
                .item = words[i].item,
                .rater = arena_format(arena, "run %lld", (long long)words[i].run),
                .entry = i,
                .marked = LABEL_NONE,
                .unit = unit,
                .word = &words[i]};
    }
    struct label_agree_data data = build(label, dimension, said, count, false, arena);
    *out = label_agree_measure(&data, &how, arena);
    return true;
}
