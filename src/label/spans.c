/* The text of items from the corpus, and the spans that raters marked in it. */
#include "label/internal.h"
#include "text/diff.h"
#include "text/form.h"
#include "text/plain.h"
#include "text/sanitise.h"
#include "text/utf8.h"

/* Parts. */

struct spans_maker {
    struct arena *arena;
    LIST(struct label_part) parts;
    LIST(struct label_part_line) lines;
};

static void add_part(struct spans_maker *maker, struct str name, struct str text)
{
    struct label_part part = {.name = name,
                              .text = arena_copy(maker->arena, text),
                              .characters = text_utf8_count(text)};

    if (text.len > 0)
        list_add(&maker->parts, part);
}

static void add_post(struct spans_maker *maker, struct str name, enum item_form form,
                     struct str body)
{
    struct buf shown = {0}, html = {0}, text = {0};

    if (body.len > 0)
        text_form_show(form, body, &shown);
    text_sanitise_html(buf_str(&shown), &html);
    text_plain(buf_str(&html), &text);
    add_part(maker, name, buf_str(&text));
    buf_free(&shown);
    buf_free(&html);
    buf_free(&text);
}

/* The lines of the file at hand become its part. */
static void end_file(struct spans_maker *maker, struct buf *path, struct buf *text)
{
    size_t before = maker->parts.count;

    add_part(maker, arena_copy(maker->arena, buf_str(path)), buf_str(text));
    if (maker->parts.count > before)
        maker->parts.at[before].diff = true;
    buf_clear(text);
}

static void add_patch(struct spans_maker *maker, struct str patch)
{
    struct text_diff reader = {.rest = patch};
    struct buf path = {0}, text = {0};
    size_t at = 0;

    for (enum text_diff_part part; (part = text_diff_next(&reader)) != TEXT_DIFF_END;) {
        if (part == TEXT_DIFF_FILE) {
            end_file(maker, &path, &text);
            buf_clear(&path);
            text_diff_place(buf_str(&reader.path), &path);
            at = 0;
        } else if (part == TEXT_DIFF_LINE) {
            struct label_part_line line = {.part = maker->parts.count,
                                           .old = reader.sign != '+' ? reader.old : 0,
                                           .new = reader.sign != '-' ? reader.new : 0,
                                           .begin = at,
                                           .end = at + text_utf8_count(reader.text) + 1};
            list_add(&maker->lines, line);
            at = line.end;
            buf_add(&text, reader.text);
            buf_add_char(&text, '\n');
        }
    }
    end_file(maker, &path, &text);
    text_diff_free(&reader);
    buf_free(&path);
    buf_free(&text);
}

bool label_item_parts(struct label *label, int64_t item, struct arena *arena,
                      struct label_parts *out, struct err *err)
{
    struct spans_maker maker = {.arena = arena};
    struct label_item read;

    if (!label_item(label, item, arena, &read, err))
        return false;
    const struct label_post *question = &read.question;
    add_part(&maker, STR("title"), read.title);
    add_post(&maker, STR("body"), question->form,
             text_form_below(question->form, question->body, read.title));
    add_patch(&maker, read.patch);
    for (size_t i = 0; i < read.answer_count; i++)
        add_post(&maker, arena_format(arena, "answer-%zu", i + 1), read.answers[i].form,
                 read.answers[i].body);
    *out = (struct label_parts){list_copy(&maker.parts, arena), maker.parts.count,
                                list_copy(&maker.lines, arena), maker.lines.count};
    list_free(&maker.parts);
    list_free(&maker.lines);
    return true;
}

/* What was marked. */

/* Whether an entry gives a code, both as the codebook has them today. */
static bool gives(struct label *label, size_t entry, struct str code, struct arena *arena)
{
    struct label_carried said;

    if (entry == LABEL_NONE)
        return false;
    const struct store_acts_act *act = &label->log.entries.at[entry].act;
    label_carry_codes(label, act->dimension, act->version, &act->codes, arena, &said);
    for (size_t i = 0; i < said.code_count; i++)
        if (str_eq(said.codes[i], code))
            return true;
    return false;
}

/* What a review says instead leaves the evidence for what was said before it, on which
 * agreement rests. */
static bool is_said(struct label *label, const struct store_acts_act *act,
                    struct str code, struct arena *arena)
{
    const struct label_slot *slot = label_slot_find(
        label, act->round, act->rater, act->item, act->again, act->unit, act->dimension);

    return slot != NULL && (gives(label, slot->top, code, arena) ||
                            gives(label, slot->first, code, arena));
}

void label_span_carry(struct label *label, const struct label_spanned *spanned,
                      struct arena *arena, struct label_span_said *out)
{
    const struct store_acts_act *act = &label->log.entries.at[spanned->top].act;
    struct label_carried carried = {0};

    if (act->codes.count > 0)
        label_carry_codes(label, act->dimension, act->version, &act->codes, arena,
                          &carried);
    *out = (struct label_span_said){.item = act->item,
                                    .round = act->round,
                                    .at_ms = act->at_ms,
                                    .again = act->again,
                                    .rater = arena_copy(arena, act->rater),
                                    .unit = arena_copy(arena, act->unit),
                                    .place = arena_copy(arena, act->place),
                                    .quote = arena_copy(arena, act->memo),
                                    .dimension = arena_copy(arena, act->dimension),
                                    .code = carried.code_count > 0 ? carried.codes[0]
                                                                   : (struct str){0}};
    out->counts = out->code.len == 0 || is_said(label, act, out->code, arena);
}

struct spans_said {
    LIST(struct label_span_said) list;
};

static void add_said(struct label *label, const struct label_assigned *place,
                     bool counting, struct arena *arena, struct spans_said *out)
{
    for (size_t i = place->first_span; i != LABEL_NONE;
         i = label->log.spanned.at[i].next) {
        const struct label_spanned *spanned = &label->log.spanned.at[i];
        struct label_span_said said;
        if (!label_spanned_lives(label, spanned))
            continue;
        label_span_carry(label, spanned, arena, &said);
        if (said.counts || !counting)
            list_add(&out->list, said);
    }
}

static void hand_over(struct spans_said *said, struct arena *arena,
                      struct label_span_said **out, size_t *count)
{
    *out = list_copy(&said->list, arena);
    *count = said->list.count;
    list_free(&said->list);
}

bool label_spans_said(struct label *label, struct str rater,
                      const struct label_place *place, struct arena *arena,
                      struct label_span_said **out, size_t *count, struct err *err)
{
    struct spans_said said = {{0}};

    if (!label_follow(label, err))
        return false;
    const struct label_assigned *assigned =
        label_assigned_find(label, place->round, rater, place->item, place->again);
    if (assigned != NULL)
        add_said(label, assigned, false, arena, &said);
    hand_over(&said, arena, out, count);
    return true;
}

const struct label_assigned *label_span_round(struct label *label, int64_t item,
                                              struct str rater)
{
    const struct label_known_round *rounds = label->log.rounds.at;

    for (size_t i = label->log.rounds.count; i > 0; i--) {
        const struct label_known_round *round = &rounds[i - 1];
        const struct label_assigned *place =
            round->closed_ms != 0 && label_counts(round)
                ? label_assigned_find(label, round->row.id, rater, item, false)
                : NULL;
        if (place != NULL && label_assigned_done(label, place))
            return place;
    }
    return NULL;
}

bool label_spans_of(struct label *label, int64_t item, struct arena *arena,
                    struct label_span_said **out, size_t *count, struct err *err)
{
    const struct study_labelling *settings = label->settings;
    struct spans_said said = {{0}};

    if (!label_follow(label, err))
        return false;
    for (size_t r = 0; r < settings->rater_count; r++) {
        const struct label_assigned *place =
            label_span_round(label, item, settings->raters[r]);
        if (place != NULL)
            add_said(label, place, true, arena, &said);
    }
    hand_over(&said, arena, out, count);
    return true;
}
