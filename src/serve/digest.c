/* See digest.h. Agreement is that of label/; here it becomes what the page reads. */
#include "label/models.h"
#include "serve/internal.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

#include "base/map.h"

enum {
    RESAMPLED_MAX = 10000, /* final labels; with more it would take minutes */
    PAIRS_MAX = 45,        /* pairs of raters that are listed */
};

static void add_coefficient(const char *name, const struct stats_agreement *agreement,
                            struct buf *out)
{
    serve_writer_open(out, name, '{');
    serve_writer_real(out, "value", agreement->value);
    serve_writer_real(out, "low", agreement->low);
    serve_writer_real(out, "high", agreement->high);
    if (!isnan(agreement->value))
        serve_writer_text(out, "word", str_from(stats_agree_word(agreement->value)));
    else if (agreement->undefined != NULL)
        serve_writer_text(out, "undefined", str_from(agreement->undefined));
    serve_writer_close(out, '}');
}

static void add_measures(const struct label_agree_measures *measures, struct buf *out)
{
    serve_writer_int(out, "items", (int64_t)measures->items);
    serve_writer_int(out, "raters", (int64_t)measures->raters);
    serve_writer_real(out, "observed", measures->observed);
    add_coefficient("cohen", &measures->cohen, out);
    add_coefficient("fleiss", &measures->fleiss, out);
    add_coefficient("alpha", &measures->alpha, out);
    add_coefficient("ac1", &measures->ac1, out);
    serve_writer_text(out, "warning",
                      measures->warning == NULL ? (struct str){0}
                                                : str_from(measures->warning));
}

static void add_codes(const struct label_agree_report *report, struct buf *out)
{
    serve_writer_open(out, "codes", '[');
    for (size_t i = 0; i < report->code_count; i++) {
        const struct label_agree_part *part = &report->codes[i];
        const struct label_agree_code *code = &report->data->codes[part->code];
        serve_writer_open(out, NULL, '{');
        serve_writer_text(out, "path", code->path);
        serve_writer_text(out, "name", code->name);
        serve_writer_int(out, "level", code->level);
        serve_writer_int(out, "given", part->given);
        add_measures(&part->measures, out);
        serve_writer_close(out, '}');
    }
    serve_writer_close(out, ']');
}

static void add_steps(const struct label_agree_report *report, struct buf *out)
{
    serve_writer_open(out, "checkpoints", '[');
    for (size_t i = 0; i < report->checkpoint_count; i++) {
        serve_writer_open(out, NULL, '{');
        serve_writer_real(out, "share", report->checkpoints[i].share);
        add_measures(&report->checkpoints[i].measures, out);
        serve_writer_close(out, '}');
    }
    serve_writer_close(out, ']');
    serve_writer_open(out, "levels", '[');
    for (size_t i = 0; i < report->level_count; i++) {
        serve_writer_open(out, NULL, '{');
        serve_writer_int(out, "level", report->levels[i].level);
        add_measures(&report->levels[i].measures, out);
        serve_writer_close(out, '}');
    }
    serve_writer_close(out, ']');
    serve_writer_open(out, "saturation", '[');
    for (size_t i = 0; i < report->saturation_count; i++) {
        serve_writer_open(out, NULL, '[');
        serve_writer_int(out, NULL, (int64_t)report->saturation[i].items);
        serve_writer_int(out, NULL, (int64_t)report->saturation[i].codes);
        serve_writer_close(out, ']');
    }
    serve_writer_close(out, ']');
}

/* Those that agree least come first when there are many. */
static int compare_pairs(const void *a, const void *b)
{
    const struct label_agree_pair *one = *(const struct label_agree_pair *const *)a;
    const struct label_agree_pair *two = *(const struct label_agree_pair *const *)b;
    double x = one->measures.cohen.value, y = two->measures.cohen.value;

    if (isnan(x) != isnan(y))
        return isnan(x) ? 1 : -1;
    if (!isnan(x) && x != y)
        return x < y ? -1 : 1;
    return one < two ? -1 : one > two;
}

static void add_pairs(const struct label_agree_report *report, struct arena *arena,
                      struct buf *out)
{
    const struct label_agree_pair **pairs =
        arena_array(arena, const struct label_agree_pair *, report->pair_count + 1);
    size_t count = report->pair_count < PAIRS_MAX ? report->pair_count : PAIRS_MAX;

    for (size_t i = 0; i < report->pair_count; i++)
        pairs[i] = &report->pairs[i];
    if (count < report->pair_count)
        qsort(pairs, report->pair_count, sizeof *pairs, compare_pairs);
    serve_writer_int(out, "pair_count", (int64_t)report->pair_count);
    serve_writer_open(out, "pairs", '[');
    for (size_t i = 0; i < count; i++) {
        serve_writer_open(out, NULL, '{');
        serve_writer_text(out, "first", report->data->raters[pairs[i]->first]);
        serve_writer_text(out, "second", report->data->raters[pairs[i]->second]);
        add_measures(&pairs[i]->measures, out);
        serve_writer_close(out, '}');
    }
    serve_writer_close(out, ']');
}

/* Which codes are taken for which others: [a, b, how often], of labels with a single
 * code. Of two raters, a is what the first said; of more, all pairs are taken together
 * and a comes before b in the codebook. */
static void add_confusion(const struct label_agree_report *report, struct arena *arena,
                          struct buf *out)
{
    /* Of very many codes there is no table. */
    bool counted = report->pair_count > 0 && report->pairs[0].table != NULL;
    size_t n = counted ? report->data->code_count : 0;
    int64_t *sums = arena_array(arena, int64_t, n * n + 1);
    bool *used = arena_array(arena, bool, n + 1);

    for (size_t p = 0; p < report->pair_count; p++)
        for (size_t i = 0; i < n * n; i++) {
            size_t a = i / n, b = i % n;
            bool turned = report->pair_count > 1 && a > b;
            sums[turned ? b * n + a : i] += report->pairs[p].table[i];
        }
    serve_writer_open(out, "confusion", '[');
    for (size_t i = 0; i < n * n; i++) {
        if (sums[i] == 0)
            continue;
        used[i / n] = used[i % n] = true;
        serve_writer_open(out, NULL, '[');
        serve_writer_int(out, NULL, (int64_t)(i / n));
        serve_writer_int(out, NULL, (int64_t)(i % n));
        serve_writer_int(out, NULL, sums[i]);
        serve_writer_close(out, ']');
    }
    serve_writer_close(out, ']');
    serve_writer_open(out, "confused", '[');
    for (size_t i = 0; i < n; i++) {
        if (!used[i])
            continue;
        serve_writer_open(out, NULL, '{');
        serve_writer_int(out, "code", (int64_t)i);
        serve_writer_text(out, "name", report->data->codes[i].name);
        serve_writer_text(out, "path", report->data->codes[i].path);
        serve_writer_close(out, '}');
    }
    serve_writer_close(out, ']');
}

/* id: of the item, for links; item: what people call it, or the unit in it. */
static void add_items(struct label *label, const char *name,
                      const struct label_agree_report *report,
                      const struct label_agree_item *items, size_t count, struct buf *out)
{
    const struct item_spaces *spaces = &label_task(label)->study->spaces;
    struct err ignored = {0};

    serve_writer_open(out, name, '[');
    for (size_t i = 0; i < count; i++) {
        int64_t id;
        if (!item_key_read(spaces, label_agree_whole(report->data, items[i].item), &id,
                           &ignored))
            id = ITEM_NONE;
        serve_writer_open(out, NULL, '{');
        serve_writer_int(out, "id", id);
        serve_writer_text(out, "item", report->data->items[items[i].item]);
        serve_writer_real(out, "seconds", items[i].seconds);
        serve_writer_real(out, "disagreement", items[i].disagreement);
        serve_writer_close(out, '}');
    }
    serve_writer_close(out, ']');
}

/* How far raters mark the same units; all pairs together come last, without raters. */
static void add_units(const struct label_agree_report *report, struct buf *out)
{
    serve_writer_open(out, "units", '[');
    for (size_t i = 0; i < report->unit_count; i++) {
        const struct label_agree_units *units = &report->units[i];
        bool all = units->first == LABEL_AGREE_NONE;
        serve_writer_open(out, NULL, '{');
        serve_writer_text(out, "first",
                          all ? STR("") : report->data->raters[units->first]);
        serve_writer_text(out, "second",
                          all ? STR("") : report->data->raters[units->second]);
        serve_writer_int(out, "items", units->items);
        serve_writer_int(out, "first_units", units->first_units);
        serve_writer_int(out, "second_units", units->second_units);
        serve_writer_int(out, "matched", units->matched);
        serve_writer_real(out, "f1", units->f1);
        serve_writer_close(out, '}');
    }
    serve_writer_close(out, ']');
}

/* Each rater against themselves, on the items that came twice. */
static bool add_retests(struct label *label, struct str dimension, struct arena *arena,
                        struct buf *out, struct err *err)
{
    const struct label_person *people;
    size_t count = label_people(label, &people);

    serve_writer_open(out, "retests", '[');
    for (size_t i = 0; i < count; i++) {
        struct arena_mark mark = arena_mark(arena);
        struct label_agree_measures measures;
        if ((people[i].roles & LABEL_RATER) == 0)
            continue;
        if (!label_retest(label, dimension, people[i].name, arena, &measures, err))
            return false;
        if (measures.items > 0) {
            serve_writer_open(out, NULL, '{');
            serve_writer_text(out, "rater", people[i].name);
            add_measures(&measures, out);
            serve_writer_close(out, '}');
        }
        arena_rewind(arena, mark);
    }
    serve_writer_close(out, ']');
    return true;
}

static bool add_agreement(struct label *label,
                          const struct study_codebook_dimension *dimension,
                          size_t resamples, bool closed, struct arena *arena,
                          struct buf *out, struct err *err)
{
    struct label_agreement_options options = {
        .dimension = dimension->id, .resamples = resamples, .closed = closed};
    struct label_agree_report report;

    if (!label_agreement(label, &options, arena, &report, err))
        return false;
    serve_writer_open(out, NULL, '{');
    serve_writer_text(out, "id", dimension->id);
    serve_writer_text(out, "name", dimension->name);
    serve_writer_int(out, "code_count", (int64_t)dimension->count);
    add_measures(&report.all, out);
    add_steps(&report, out);
    add_codes(&report, out);
    add_pairs(&report, arena, out);
    add_confusion(&report, arena, out);
    if (report.unit_count > 0)
        add_units(&report, out);
    add_items(label, "slowest", &report, report.slowest, report.slowest_count, out);
    add_items(label, "disputed", &report, report.disputed, report.disputed_count, out);
    if (!add_retests(label, dimension->id, arena, out, err))
        return false;
    serve_writer_close(out, '}');
    return true;
}

static bool add_agreements(struct label *label, size_t resamples, bool closed,
                           struct buf *out, struct err *err)
{
    const struct study_codebook *codebook = label_task(label)->codebook;

    serve_writer_open(out, "agreement", '[');
    for (size_t i = 0; i < codebook->count; i++) {
        struct arena arena = {0};
        bool ok = add_agreement(label, &codebook->dimensions[i], resamples, closed,
                                &arena, out, err);
        arena_free(&arena);
        if (!ok)
            return false;
    }
    serve_writer_close(out, ']');
    return true;
}

/* How many final labels are in which state; *count of them are more than pending. */
static bool add_states(struct label *label, size_t *count, struct buf *out,
                       struct err *err)
{
    struct arena arena = {0};
    struct label_final *finals = NULL;
    struct label_states states = {0};
    bool ok = label_finals(label, &arena, &finals, count, err);

    if (ok)
        states = label_count_states(finals, *count, STR(""));
    *count -= (size_t)states.of[LABEL_PENDING];
    arena_free(&arena);
    serve_writer_open(out, "finals", '{');
    for (int state = 0; state <= LABEL_PENDING; state++)
        serve_writer_int(out, label_state_word((enum label_state)state),
                         states.of[state]);
    serve_writer_int(out, "review", states.reviews);
    serve_writer_int(out, "chosen", states.chosen);
    serve_writer_int(out, "outside", states.outside);
    serve_writer_close(out, '}');
    return ok;
}

/* Items that another ingest has taken away or changed. */
static void add_ids(struct label *label, const char *name, const int64_t *ids,
                    size_t count, struct buf *out)
{
    char shown[ITEM_KEY_SHOWN_MAX];

    serve_writer_open(out, name, '[');
    for (size_t i = 0; i < count; i++)
        serve_writer_text(
            out, NULL,
            str_from(item_key_show(&label_task(label)->study->spaces, ids[i], shown)));
    serve_writer_close(out, ']');
}

static bool add_lost(struct label *label, struct buf *out, struct err *err)
{
    struct arena arena = {0};
    struct label_lost lost;
    bool ok = label_lost(label, &arena, &lost, err);

    if (ok) {
        add_ids(label, "gone", lost.gone, lost.gone_count, out);
        add_ids(label, "changed", lost.changed, lost.changed_count, out);
    }
    arena_free(&arena);
    return ok;
}

/* Items or units that it is to label; 0: the study has not drawn them yet. */
static int64_t asked_about(struct label *label, const struct study_model_rater *model)
{
    struct arena arena = {0};
    struct label_model_unit *about;
    size_t count, items;
    struct err absent = {0};
    bool there = label_model_about(label, model, &arena, &about, &count, &items, &absent);

    arena_free(&arena);
    return there ? (int64_t)count : 0;
}

/* Raters that are models have no pages: what they were asked so far. */
static bool add_models(struct label *label, struct arena *arena, struct buf *out,
                       struct err *err)
{
    struct label_model_record *records = NULL;
    size_t count = 0;

    if (label_task(label)->settings->model_count > 0 &&
        !label_model_records(label, arena, &records, &count, err))
        return false;
    serve_writer_open(out, "models", '[');
    for (size_t i = 0; i < count; i++) {
        const struct label_model_record *of = &records[i];
        serve_writer_open(out, NULL, '{');
        serve_writer_text(out, "name", of->settings->name);
        serve_writer_text(out, "model",
                          of->answered_as.len > 0 ? of->answered_as
                                                  : of->settings->model);
        serve_writer_int(out, "items", of->items);
        serve_writer_int(out, "of", asked_about(label, of->settings));
        serve_writer_int(out, "requests", of->requests);
        serve_writer_int(out, "refused", of->refused);
        serve_writer_int(out, "cut", of->cut);
        serve_writer_int(out, "unreadable", of->unreadable);
        serve_writer_int(out, "tokens", of->tokens_in + of->tokens_out);
        serve_writer_int(out, "last", of->last_ms);
        serve_writer_close(out, '}');
    }
    serve_writer_close(out, ']');
    return true;
}

/* All items with what was said of them. */

/* The number of an item among those that are told, which is added if need be. */
static size_t told_of(struct serve_digest *digest, struct map *places, int64_t item)
{
    int64_t *place = map_put(places, (struct str){(const char *)&item, sizeof item});

    if (*place == 0) {
        digest->told[digest->told_count].item = item;
        *place = (int64_t)++digest->told_count;
    }
    return (size_t)*place - 1;
}

const struct label_dispute *serve_digest_at(const struct serve_digest *digest, size_t i)
{
    return i < digest->dispute_count ? &digest->disputes[i]
                                     : &digest->agreed[i - digest->dispute_count];
}

static void list_told(const struct label_task *task, struct serve_digest *digest)
{
    size_t count = digest->dispute_count + digest->agreed_count;
    struct arena scratch = {0};
    struct map places = {.arena = &scratch};

    digest->told =
        arena_array(&digest->arena, struct serve_told, task->item_count + count + 1);
    for (size_t i = 0; i < task->item_count; i++)
        told_of(digest, &places, task->items[i]);
    for (size_t i = 0; i < count; i++)
        digest->told[told_of(digest, &places, serve_digest_at(digest, i)->item)].count++;
    for (size_t i = 0; i < digest->told_count; i++) {
        digest->told[i].disputes = arena_array(
            &digest->arena, const struct label_dispute *, digest->told[i].count + 1);
        digest->told[i].count = 0;
    }
    for (size_t i = 0; i < count; i++) {
        const struct label_dispute *dispute = serve_digest_at(digest, i);
        struct serve_told *told = &digest->told[told_of(digest, &places, dispute->item)];
        told->disputes[told->count++] = dispute;
    }
    arena_free(&scratch);
}

/* The whole. */

static bool some_lead_rates(const struct label *label)
{
    const struct label_person *people;
    size_t count = label_people(label, &people);
    bool found = false;

    for (size_t i = 0; i < count; i++)
        found |=
            (people[i].roles & LABEL_LEAD) != 0 && (people[i].roles & LABEL_RATER) != 0;
    return found;
}

static bool fill(struct label *label, struct serve_digest *digest, struct err *err)
{
    struct buf json = {0}, lost = {0}, blind = {0};
    size_t finals, resamples;
    bool ok = label_changes(label, &digest->changes, err) &&
              label_disputes(label, &digest->arena, &digest->disputes,
                             &digest->dispute_count, err) &&
              label_agreed(label, &digest->arena, &digest->agreed, &digest->agreed_count,
                           err) &&
              add_states(label, &finals, &json, err) && add_lost(label, &lost, err) &&
              add_models(label, &digest->arena, &lost, err);

    if (ok) {
        list_told(label_task(label), digest);
        resamples = finals <= RESAMPLED_MAX ? LABEL_AGREE_RESAMPLES : 0;
        buf_add_format(&json, ",%.*s", STR_ARG(buf_str(&lost)));
        buf_add_format(&blind, "\"finals\":null,%.*s", STR_ARG(buf_str(&lost)));
        ok = add_agreements(label, resamples, false, &json, err) &&
             (!some_lead_rates(label) ||
              add_agreements(label, resamples, true, &blind, err));
    }
    digest->json = arena_copy(&digest->arena, buf_str(&json));
    digest->blind = arena_copy(&digest->arena, buf_str(&blind));
    buf_free(&json);
    buf_free(&lost);
    buf_free(&blind);
    return ok;
}

struct serve_digest *serve_digest_make(struct label *label)
{
    struct arena arena = {0};
    struct serve_digest *digest = arena_array(&arena, struct serve_digest, 1);
    struct timespec now;
    struct err err = {0};

    digest->arena = arena;
    clock_gettime(CLOCK_REALTIME, &now);
    digest->at_ms = (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
    if (!fill(label, digest, &err))
        digest->failure = arena_copy(&digest->arena, str_from(err.text));
    return digest;
}

void serve_digest_free(struct serve_digest *digest)
{
    if (digest == NULL)
        return;
    struct arena arena = digest->arena; /* it holds *digest itself */
    arena_free(&arena);
}
