/* Rows of models, and what they come to. */
#include "label/models.h"

#include <glib.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/order.h"
#include "input/json.h"
#include "label/internal.h"
#include "text/utf8.h"

/* The item. */

static void add_comments(const struct label_post *post, const char *on, struct buf *out)
{
    if (post->comment_count > 0)
        buf_add_format(out, "\nComments on %s:\n", on);
    for (size_t i = 0; i < post->comment_count; i++)
        buf_add_format(out, "- %.*s\n", STR_ARG(str_trim(post->comments[i].text)));
}

static void add_head(const struct label_item *item, struct buf *out)
{
    if (item->title.len > 0)
        buf_add_format(out, "Title: %.*s\n", STR_ARG(str_trim(item->title)));
    for (size_t i = 0; i < item->tag_count; i++)
        buf_add_format(out, "%s%.*s%s", i == 0 ? "Tags: " : ", ", STR_ARG(item->tags[i]),
                       i + 1 == item->tag_count ? "\n" : "");
    if (item->question.score != ITEM_NONE)
        buf_add_format(out, "Score: %lld\n", (long long)item->question.score);
    for (size_t i = 0; i < item->field_count; i++)
        buf_add_format(out, "%.*s: %.*s\n", STR_ARG(item->fields[i].name),
                       STR_ARG(str_trim(item->fields[i].value)));
}

static void add_body(const struct label_item *item, const struct label_parts *parts,
                     struct buf *out)
{
    size_t answer = 0;

    for (size_t i = 0; i < parts->count; i++) {
        const struct label_part *part = &parts->at[i];
        if (part->diff || str_eq(part->name, STR("title")))
            continue;
        bool body = str_eq(part->name, STR("body"));
        if (!body) {
            str_to_place(str_slice(part->name, 7, part->name.len), SIZE_MAX, &answer);
            buf_add_format(out, "\nAnswer %zu%s:\n", answer,
                           answer > 0 && answer <= item->answer_count &&
                                   item->answers[answer - 1].accepted
                               ? " (accepted)"
                               : "");
        } else {
            buf_add_char(out, '\n');
        }
        buf_add_format(out, "%.*s\n", STR_ARG(str_trim(part->text)));
        if (body)
            add_comments(&item->question, "it", out);
        else if (answer > 0 && answer <= item->answer_count)
            add_comments(&item->answers[answer - 1], "this answer", out);
    }
    if (item->patch.len > 0) {
        buf_add(out, STR("\nWhat it changed:\n"));
        buf_add(out, item->patch);
    }
}

bool label_item_text(struct label *label, int64_t item, struct arena *arena,
                     struct str *out, struct err *err)
{
    struct label_item read;
    struct label_parts parts;
    struct buf text = {0}, whole = {0};

    if (!label_item(label, item, arena, &read, err) ||
        !label_item_parts(label, item, arena, &parts, err))
        return false;
    add_head(&read, &text);
    add_body(&read, &parts, &text);
    text_utf8_repair(str_trim(buf_str(&text)), &whole);
    buf_free(&text);
    *out = buf_keep(&whole, arena);
    return true;
}

/* Units. */

struct model_unit_place {
    struct label_model_unit unit;
    size_t place;
};

static int compare_units(const void *a, const void *b)
{
    const struct model_unit_place *one = a, *two = b;

    return order_then(ORDER_BY(one->unit.item, two->unit.item),
                      ORDER_BY(one->place, two->place));
}

/* By item, and in the order of the final labels. */
static bool list_units(struct label *label, struct arena *arena,
                       struct label_model_unit **out, size_t *count, struct err *err)
{
    struct label_final *finals;
    size_t final_count = 0, kept = 0;

    *count = 0;
    *out = arena_array(arena, struct label_model_unit, 1);
    if (!label->settings->units)
        return true;
    if (!label_finals(label, arena, &finals, &final_count, err))
        return false;
    struct model_unit_place *ordered =
        arena_array(arena, struct model_unit_place, final_count + 1);
    struct str first = label->effective.dimensions[0].id;
    for (size_t i = 0; i < final_count; i++)
        if (finals[i].unit.len > 0 && finals[i].state != LABEL_PENDING &&
            str_eq(finals[i].dimension, first))
            ordered[kept++] = (struct model_unit_place){
                {finals[i].item, finals[i].unit, finals[i].place, finals[i].called}, i};
    qsort(ordered, kept, sizeof *ordered, compare_units);
    *out = arena_array(arena, struct label_model_unit, kept + 1);
    for (; *count < kept; ++*count)
        (*out)[*count] = ordered[*count].unit;
    return true;
}

/* The first unit of an item; those that follow may be of the same one. */
static size_t units_of(const struct label_model_unit *units, size_t count, int64_t item)
{
    size_t at;

    ORDER_SEEK(at, count, units[at].item < item);
    return at;
}

bool label_model_about(struct label *label, const struct study_model_rater *model,
                       struct arena *arena, struct label_model_unit **out, size_t *count,
                       size_t *items, struct err *err)
{
    const struct study_labelling *settings = label->settings;
    bool own = model->of_count > 0;
    struct label_model_unit *units;
    int64_t *all;
    size_t all_count, unit_count;

    *count = *items = 0;
    if (!label_items_of(label, own ? model->of : settings->of,
                        own ? model->of_count : settings->of_count, arena, &all,
                        &all_count, err) ||
        !list_units(label, arena, &units, &unit_count, err))
        return false;
    *out = arena_array(arena, struct label_model_unit, all_count + unit_count + 1);
    for (size_t i = 0; i < all_count; i++) {
        size_t before = *count, u = unit_count;
        if (!settings->units)
            (*out)[(*count)++].item = all[i];
        else
            u = units_of(units, unit_count, all[i]);
        for (; u < unit_count && units[u].item == all[i]; u++)
            (*out)[(*count)++] = units[u];
        *items += *count > before;
    }
    return true;
}

bool label_unit_text(struct label *label, const struct label_model_unit *unit,
                     struct arena *arena, struct str *out, struct err *err)
{
    struct buf text = {0}, whole = {0};
    struct str stands = {0};

    if (unit->place.len > 0 &&
        !label_place_text(label, unit->item, unit->place, arena, &stands, err))
        return false;
    buf_add_format(&text, "Unit: %.*s", STR_ARG(unit->unit));
    if (unit->called.len > 0)
        buf_add_format(&text, ", %.*s", STR_ARG(unit->called));
    if (unit->place.len > 0)
        buf_add_format(&text, "\nWhere it is: %.*s", STR_ARG(unit->place));
    if (stands.len > 0)
        buf_add_format(&text, "\nWhat stands there:\n%.*s", STR_ARG(stands));
    text_utf8_repair(buf_str(&text), &whole);
    buf_free(&text);
    *out = buf_keep(&whole, arena);
    return true;
}

/* The unit that an answer is about, as it is now; false: it is there no more. */
static bool find_unit(const struct label_model_unit *units, size_t count,
                      const struct store_acts_answer *answer,
                      const struct label_model_unit **out)
{
    size_t i = units_of(units, count, answer->item);

    *out = NULL;
    for (; i < count && units[i].item == answer->item && *out == NULL; i++)
        if (str_eq(units[i].unit, answer->unit) &&
            str_eq(units[i].place, answer->place) &&
            str_eq(units[i].called, answer->called))
            *out = &units[i];
    return *out != NULL;
}

/* Rows. */

struct answers_taking {
    struct str task;
    store_acts_take *take;
    void *context;
};

static bool take_ours(void *context, const void *row, struct err *err)
{
    const struct answers_taking *taking = context;
    const struct store_acts_answer *answer = row;

    return !str_eq(answer->task, taking->task) || taking->take(taking->context, row, err);
}

bool label_answers_each(struct label *label, store_acts_take *take, void *context,
                        struct err *err)
{
    struct answers_taking taking = {label->task.name, take, context};

    return store_acts_each(label->acts, STORE_ACTS_ANSWER, 0, take_ours, &taking, err);
}

bool label_answer_add(struct label *label, struct store_acts_answer *row, struct err *err)
{
    row->task = label->task.name;
    return store_acts_add(label->acts, STORE_ACTS_ANSWER, row, err);
}

bool label_answer_is_broken(const struct store_acts_answer *row)
{
    /* Before there was a state for it, it was told by what the row says. */
    return str_eq(row->state, STR("broken")) ||
           (str_eq(row->state, STR("unreadable")) &&
            str_starts(row->says, STR("the reply has no choices: ")));
}

struct str label_message_hash(struct str text, struct arena *arena)
{
    char *hex = g_compute_checksum_for_data(
        G_CHECKSUM_SHA256, (const unsigned char *)(text.len > 0 ? text.ptr : ""),
        text.len);
    struct str hash = arena_copy(arena, str_from(hex));

    g_free(hex);
    return hash;
}

bool label_message_add(struct label *label, struct str hash, struct str before,
                       struct str text, struct err *err)
{
    struct store_acts_message row = {.hash = hash, .before = before, .text = text}, known;
    struct arena arena = {0};
    bool found;
    bool ok = store_acts_find_message(label->acts, hash, &arena, &known, &found, err) &&
              (found || store_acts_add(label->acts, STORE_ACTS_MESSAGE, &row, err));

    arena_free(&arena);
    return ok;
}

bool label_message(struct label *label, struct str hash, struct arena *arena,
                   struct str *out, struct err *err)
{
    struct store_acts_message row, before = {0};
    bool found, whole = true;

    if (!store_acts_find_message(label->acts, hash, arena, &row, &found, err))
        return false;
    if (found && row.before.len > 0 &&
        !store_acts_find_message(label->acts, row.before, arena, &before, &whole, err))
        return false;
    if (!found || !whole)
        return err_set(err, ERR_INPUT, "labels.db has no message %.*s", STR_ARG(hash));
    struct buf text = {0};
    buf_add(&text, before.text);
    buf_add(&text, row.text);
    *out = buf_keep(&text, arena);
    return str_eq(label_message_hash(*out, arena), hash) ||
           err_set(err, ERR_INPUT,
                   "labels.db is damaged: message %.*s is not what its hash says",
                   STR_ARG(hash));
}

/* What they mean. */

static size_t model_of(const struct label *label, struct str name)
{
    size_t m = 0;

    while (m < label->settings->model_count &&
           !str_eq(label->settings->models[m].name, name))
        m++;
    return m;
}

struct words_reading {
    struct label *label;
    struct str dimension;
    struct arena *arena;
    const struct label_model_unit *units;
    size_t unit_count;
    LIST(struct label_model_word) words;
    struct map known; /* model, item, unit and run: the place of the word plus 1 */
};

static bool take_word(void *context, const void *row, struct err *err)
{
    struct words_reading *reading = context;
    const struct store_acts_answer *answer = row;
    struct label_model_word word = {.model = model_of(reading->label, answer->rater),
                                    .item = answer->item,
                                    .run = answer->run,
                                    .probability = answer->probability};
    struct label_carried carried = {0};

    (void)err;
    if (word.model == reading->label->settings->model_count ||
        answer->run > reading->label->settings->models[word.model].runs ||
        !str_eq(answer->dimension, reading->dimension) ||
        label_answer_is_broken(answer) ||
        (reading->label->settings->units &&
         !find_unit(reading->units, reading->unit_count, answer, &word.unit)))
        return true;
    if (answer->codes.count > 0)
        label_carry_codes(reading->label, answer->dimension, answer->version,
                          &answer->codes, reading->arena, &carried);
    word.codes = arena_array(reading->arena, struct str, carried.code_count + 1);
    for (word.code_count = 0; word.code_count < carried.code_count; word.code_count++)
        word.codes[word.code_count] =
            arena_copy(reading->arena, carried.codes[word.code_count]);
    const int64_t key[] = {(int64_t)word.model, word.item, word.run,
                           word.unit != NULL ? word.unit - reading->units : -1};
    int64_t *place =
        map_put(&reading->known, (struct str){(const char *)key, sizeof key});
    if (*place > 0) {
        reading->words.at[*place - 1] = word;
    } else {
        list_add(&reading->words, word);
        *place = (int64_t)reading->words.count;
    }
    return true;
}

static int compare_words(const void *a, const void *b)
{
    const struct label_model_word *one = a, *two = b;

    /* Units stand in one list. */
    return order_then(
        order_then(ORDER_BY(one->model, two->model), ORDER_BY(one->item, two->item)),
        order_then(ORDER_BY(one->unit, two->unit), ORDER_BY(one->run, two->run)));
}

static bool same_codes(const struct label_model_word *one,
                       const struct label_model_word *two)
{
    bool same = one->code_count == two->code_count;

    for (size_t i = 0; same && i < one->code_count; i++)
        same = str_eq(one->codes[i], two->codes[i]);
    return same;
}

/* What most of the runs say that answered; of several alike, what came first. */
static struct label_model_word most_said(const struct label_model_word *runs,
                                         size_t count)
{
    struct label_model_word said = runs[0];
    size_t answered = 0, most = 0;

    for (size_t i = 0; i < count; i++) {
        size_t times = 0;
        answered += runs[i].code_count > 0;
        for (size_t k = 0; k < count && runs[i].code_count > 0; k++)
            times += same_codes(&runs[i], &runs[k]);
        if (times > most) {
            most = times;
            said = runs[i];
        }
    }
    if (answered > 1)
        said.probability = (double)most / (double)answered;
    said.run = 0;
    return said;
}

bool label_model_words(struct label *label, struct str dimension, bool runs,
                       struct arena *arena, struct label_model_word **out, size_t *count,
                       struct err *err)
{
    struct words_reading reading = {.label = label,
                                    .dimension = dimension,
                                    .arena = arena,
                                    .known = {.arena = arena}};
    struct label_model_unit *units;
    bool ok = label_follow(label, err) &&
              list_units(label, arena, &units, &reading.unit_count, err);
    size_t kept = 0, end;

    reading.units = ok ? units : NULL;
    ok = ok && label_answers_each(label, take_word, &reading, err);

    *out = list_copy(&reading.words, arena);
    *count = reading.words.count;
    list_free(&reading.words);
    if (!ok)
        return false;
    qsort(*out, *count, sizeof **out, compare_words);
    for (size_t i = 0; !runs && i < *count; i = end) {
        for (end = i; end < *count && (*out)[end].model == (*out)[i].model &&
                      (*out)[end].item == (*out)[i].item &&
                      (*out)[end].unit == (*out)[i].unit;)
            end++;
        (*out)[kept++] = most_said(*out + i, end - i);
    }
    *count = runs ? *count : kept;
    return true;
}

/* Records. */

/* Each once. */
struct records_numbers {
    LIST(double) all;
};

struct records_prompt {
    size_t model;
    struct str hash;
    bool constrained;
};

struct records_reading {
    struct label *label;
    struct arena *arena;
    struct label_model_record *records;
    struct records_numbers *temperatures, *seeds; /* of each model */
    struct map seen; /* model, column and text that a list has */
    const struct label_model_unit *units;
    size_t unit_count;
    struct map words; /* model, item or unit, run and dimension: 1 without an answer, 2
                         with one */
    LIST(struct records_prompt) prompts;
};

/* Each text once; false: it was there. */
static bool list_text(struct records_reading *reading, size_t model, struct str *list,
                      struct str text)
{
    struct buf key = {0};

    buf_add_format(&key, "%zu %td ", model,
                   (char *)list - (char *)&reading->records[model]);
    buf_add(&key, text);
    int64_t *known = map_put(&reading->seen, buf_str(&key));
    bool is_new = text.len > 0 && *known == 0;
    if (is_new)
        *list = list->len == 0 ? arena_copy(reading->arena, text)
                               : arena_format(reading->arena, "%.*s, %.*s",
                                              STR_ARG(*list), STR_ARG(text));
    *known = 1;
    buf_free(&key);
    return is_new;
}

static void list_number(struct records_numbers *numbers, double number)
{
    size_t i = 0;

    while (i < numbers->all.count && numbers->all.at[i] != number)
        i++;
    if (i == numbers->all.count && !isnan(number))
        list_add(&numbers->all, number);
}

static void list_texts(struct records_reading *reading, size_t model,
                       const struct store_acts_answer *answer)
{
    struct label_model_record *record = &reading->records[model];

    list_text(reading, model, &record->asked, answer->asked);
    list_text(reading, model, &record->answered_as, answer->answered);
    list_text(reading, model, &record->urls, answer->url);
    list_text(reading, model, &record->fingerprints, answer->fingerprint);
    list_text(reading, model, &record->digests, answer->digest);
    list_text(reading, model, &record->versions, answer->version);
    if (list_text(reading, model, &record->prompts, answer->prompt))
        list_add(&reading->prompts, ((struct records_prompt){
                                        model, arena_copy(reading->arena, answer->prompt),
                                        answer->constrained}));
    list_text(reading, model, &record->servers, answer->server);
    list_number(&reading->temperatures[model], answer->temperature);
    list_number(&reading->seeds[model], answer->seed < 0 ? NAN : (double)answer->seed);
}

static void count_state(struct label_model_record *record, struct str state)
{
    record->answered += str_eq(state, STR("answered"));
    record->refused += str_eq(state, STR("refused"));
    record->cut += str_eq(state, STR("cut"));
    record->unreadable += str_eq(state, STR("unreadable"));
    record->rejected += str_eq(state, STR("rejected"));
    record->plainer += str_eq(state, STR("unconstrained"));
}

static void count_request(struct records_reading *reading, size_t model,
                          const struct store_acts_answer *answer)
{
    struct label_model_record *record = &reading->records[model];

    record->requests++;
    record->again += answer->try > 1;
    record->resent += answer->sent > 1;
    record->tokens_in += answer->tokens_in;
    record->tokens_out += answer->tokens_out;
    if (!isnan(answer->seconds))
        record->seconds += answer->seconds;
    if (record->first_ms == 0 || answer->at_ms < record->first_ms)
        record->first_ms = answer->at_ms;
    if (answer->at_ms > record->last_ms)
        record->last_ms = answer->at_ms;
    bool schema = str_eq(answer->state, STR("unconstrained")); /* is not taken */
    record->constrained |= answer->constrained && !schema;
    record->plain |= !answer->constrained;
    record->probable |= !isnan(answer->probability);
    count_state(record, answer->state);
    list_texts(reading, model, answer);
}

/* Of a run and a dimension that the study has, as it is now. */
static bool is_wanted(const struct label *label, size_t model,
                      const struct store_acts_answer *answer)
{
    const struct study_codebook *codebook = label->task.codebook;
    size_t d = 0;

    while (d < codebook->count && !str_eq(codebook->dimensions[d].id, answer->dimension))
        d++;
    return d < codebook->count && answer->run <= label->settings->models[model].runs;
}

static bool take_record(void *context, const void *row, struct err *err)
{
    struct records_reading *reading = context;
    const struct store_acts_answer *answer = row;
    size_t model = model_of(reading->label, answer->rater);
    struct buf key = {0};

    (void)err;
    if (model == reading->label->settings->model_count)
        return true;
    if (label_answer_is_broken(answer)) {
        reading->records[model].broken++;
        return true;
    }
    buf_add_format(&key, "request %.*s %zu %lld %lld %.*s", STR_ARG(answer->request),
                   model, (long long)answer->item, (long long)answer->run,
                   STR_ARG(answer->unit));
    int64_t *sent = map_put(&reading->seen, buf_str(&key));
    if (++*sent == 1) /* others are copies, which count again */
        count_request(reading, model, answer);
    buf_clear(&key);
    const struct label_model_unit *unit = NULL;
    bool there = !reading->label->settings->units ||
                 find_unit(reading->units, reading->unit_count, answer, &unit);
    buf_add_format(&key, "%zu %lld#%td %lld %.*s", model, (long long)answer->item,
                   unit != NULL ? unit - reading->units : 0, (long long)answer->run,
                   STR_ARG(answer->dimension));
    if (there && is_wanted(reading->label, model, answer))
        *map_put(&reading->words, buf_str(&key)) = answer->codes.count > 0 ? 2 : 1;
    buf_free(&key);
    return true;
}

/* By model and item or unit: how many words there are, and whether all have an answer. */
static void count_items(struct records_reading *reading)
{
    const struct label *label = reading->label;
    size_t dimensions = label->task.codebook->count;
    struct map items = {.arena = reading->arena};

    for (size_t e = 0; e < reading->words.capacity; e++) {
        struct str rest = reading->words.entries[e].key, model, item, key;
        if (rest.ptr == NULL)
            continue;
        key = rest;
        str_cut(&rest, ' ', &model);
        str_cut(&rest, ' ', &item);
        key.len = model.len + 1 + item.len;
        *map_put(&items, key) += reading->words.entries[e].value == 2;
    }
    for (size_t e = 0; e < items.capacity; e++) {
        struct str rest = items.entries[e].key, text;
        int64_t model = 0;
        if (rest.ptr == NULL)
            continue;
        str_cut(&rest, ' ', &text);
        str_to_int(text, &model);
        struct label_model_record *record = &reading->records[model];
        bool done =
            items.entries[e].value >= record->settings->runs * (int64_t)dimensions;
        record->items += done;
        record->left += !done;
    }
}

/* Members of requests that have no column of their own: "max_tokens 200; logprobs true".
 * They stand in the prompt before the messages, in which it breaks off. */
static void add_members(struct str prompt, bool constrained, struct buf *out)
{
    static const struct str others[] = {STR_INIT("model"), STR_INIT("temperature"),
                                        STR_INIT("messages"),
                                        STR_INIT("response_format")};
    static const char messages[] = "\"messages\":";
    const char *end = g_strrstr_len(prompt.ptr, (gssize)prompt.len, messages);
    size_t other_count = ROWS_OF(others) - !constrained;
    struct input_json_tree tree = {0};
    struct buf whole = {0};

    buf_add(&whole, str_slice(prompt, 0, end != NULL ? (size_t)(end - prompt.ptr) : 0));
    buf_add_format(&whole, "%s0}", messages);
    const struct input_json *root = input_json_parse(&tree, buf_str(&whole)),
                            *before = NULL;
    if (input_json_is(root, INPUT_JSON_OBJECT))
        INPUT_JSON_EACH_NAME(name, root)
        {
            size_t length = before != NULL ? (size_t)(name->at - before[1].at) - 1 : 0;
            if (before != NULL)
                buf_add_format(out, "%s%.*s %.*s", out->len > 0 ? "; " : "",
                               STR_ARG(input_json_text(before)), (int)length,
                               before[1].at);
            struct str text = input_json_text(name);
            before = str_find(text, others, other_count) < other_count ? NULL : name;
        }
    input_json_free(&tree);
    buf_free(&whole);
}

static bool list_settings(struct records_reading *reading, struct err *err)
{
    for (size_t i = 0; i < reading->prompts.count; i++) {
        const struct records_prompt *one = &reading->prompts.at[i];
        struct label_model_record *record = &reading->records[one->model];
        struct arena arena = {0};
        struct buf members = {0};
        struct str prompt;
        bool ok = label_message(reading->label, one->hash, &arena, &prompt, err);
        if (ok) {
            add_members(prompt, one->constrained, &members);
            list_text(reading, one->model, &record->settings_sent, buf_str(&members));
        }
        buf_free(&members);
        arena_free(&arena);
        if (!ok)
            return false;
    }
    return true;
}

/* In their order: requests that were sent side by side came in any. */
static struct str ascending(struct records_numbers *numbers, struct arena *arena)
{
    struct buf out = {0};

    if (numbers->all.count > 0)
        order_reals(numbers->all.at, numbers->all.count);
    for (size_t i = 0; i < numbers->all.count; i++)
        buf_add_format(&out, "%s%.15g", i > 0 ? ", " : "", numbers->all.at[i]);
    list_free(&numbers->all);
    return buf_keep(&out, arena);
}

bool label_model_records(struct label *label, struct arena *arena,
                         struct label_model_record **out, size_t *count, struct err *err)
{
    size_t models = label->settings->model_count;
    struct records_reading reading = {
        .label = label,
        .arena = arena,
        .records = arena_array(arena, struct label_model_record, models + 1),
        .temperatures = arena_array(arena, struct records_numbers, models + 1),
        .seeds = arena_array(arena, struct records_numbers, models + 1),
        .seen = {.arena = arena},
        .words = {.arena = arena}};

    *out = reading.records;
    *count = models;
    for (size_t m = 0; m < *count; m++)
        (*out)[m].settings = &label->settings->models[m];
    struct label_model_unit *units;
    bool ok = label_follow(label, err) &&
              list_units(label, arena, &units, &reading.unit_count, err);
    reading.units = ok ? units : NULL;
    ok = ok && label_answers_each(label, take_record, &reading, err) &&
         list_settings(&reading, err);
    list_free(&reading.prompts);
    for (size_t m = 0; m < *count; m++) {
        (*out)[m].seeds = ascending(&reading.seeds[m], arena);
        (*out)[m].temperatures = ascending(&reading.temperatures[m], arena);
    }
    if (ok)
        count_items(&reading);
    return ok;
}
