/* Labels as other programs take them: JSON lines, a wide csv, Label Studio, doccano. */
#include <math.h>
#include <stdlib.h>

#include "base/order.h"
#include "label/export.h"
#include "text/plain.h"
#include "text/utf8.h"

static void add_key(struct buf *out, const char *key, struct str value)
{
    buf_add_format(out, "\"%s\":\"", key);
    buf_add_json(out, value);
    buf_add_char(out, '"');
}

static void add_list(struct buf *out, const char *key, const struct str *codes,
                     size_t count)
{
    buf_add_format(out, "\"%s\":[", key);
    for (size_t i = 0; i < count; i++) {
        buf_add(out, i > 0 ? STR(",\"") : STR("\""));
        buf_add_json(out, codes[i]);
        buf_add_char(out, '"');
    }
    buf_add_char(out, ']');
}

/* JSON lines: all that the log says of it. */

static void add_unit(struct label_export_writer *writer, const struct label_said *said)
{
    struct str called = label_export_memo(writer, said->called);

    add_key(writer->out, "unit", said->unit);
    buf_add_char(writer->out, ',');
    if (said->place.len > 0) {
        add_key(writer->out, "place", said->place);
        buf_add_char(writer->out, ',');
    }
    if (called.len > 0) {
        add_key(writer->out, "name", called);
        buf_add_char(writer->out, ',');
    }
}

static void add_line(struct label_export_writer *writer, const struct label_said *said)
{
    struct buf *out = writer->out;
    struct str memo = label_export_memo(writer, said->memo);

    buf_add(out, STR("{\"item\":"));
    item_key_add_json(out, &writer->label->study->spaces, said->item);
    buf_add_char(out, ',');
    if (said->unit.len > 0)
        add_unit(writer, said);
    add_key(out, "rater", label_export_person(writer, said->rater));
    buf_add_char(out, ',');
    add_key(out, "dimension", said->dimension);
    buf_add_char(out, ',');
    add_list(out, "codes", said->codes, said->code_count);
    buf_add_format(out, ",\"round\":%lld,", (long long)said->round);
    add_key(out, "kind", label_export_kind(writer, said->round));
    if (said->again)
        buf_add(out, STR(",\"again\":true"));
    if (said->unsure)
        buf_add(out, STR(",\"unsure\":true"));
    if (!isnan(label_export_seconds(writer, said->seconds)))
        buf_add_format(out, ",\"seconds\":%.3f", said->seconds);
    if (memo.len > 0) {
        buf_add_char(out, ',');
        add_key(out, "memo", memo);
    }
    buf_add(out, STR("}\n"));
}

static void add_span_line(struct label_export_writer *writer,
                          const struct label_span_said *said)
{
    struct buf *out = writer->out;

    buf_add(out, STR("{\"item\":"));
    item_key_add_json(out, &writer->label->study->spaces, said->item);
    buf_add_char(out, ',');
    if (said->unit.len > 0) {
        add_key(out, "unit", said->unit);
        buf_add_char(out, ',');
    }
    add_key(out, "rater", label_export_person(writer, said->rater));
    buf_add_char(out, ',');
    add_key(out, "dimension", said->dimension);
    buf_add_char(out, ',');
    add_list(out, "codes", &said->code, said->code.len > 0);
    buf_add_format(out, ",\"round\":%lld,", (long long)said->round);
    add_key(out, "kind", label_export_kind(writer, said->round));
    if (said->again)
        buf_add(out, STR(",\"again\":true"));
    buf_add_char(out, ',');
    add_key(out, "span", said->place);
    buf_add_char(out, ',');
    add_key(out, "quote", said->quote);
    buf_add(out, STR("}\n"));
}

void label_export_jsonl(struct label_export_writer *writer)
{
    label_export_each(writer, add_line);
    label_export_each_span(writer, add_span_line);
}

/* One label for each item, dimension and rater. */

struct placed {
    struct label_said said;
    size_t item, dimension;
    int64_t rater;
};

static int compare_placed(const void *a, const void *b)
{
    const struct placed *one = a, *two = b;

    if (one->item != two->item)
        return one->item < two->item ? -1 : 1;
    if (one->said.item != two->said.item) /* none is drawn any longer */
        return one->said.item < two->said.item ? -1 : 1;
    if (one->rater != two->rater)
        return one->rater < two->rater ? -1 : 1;
    if (one->dimension != two->dimension)
        return one->dimension < two->dimension ? -1 : 1;
    return one->said.round > two->said.round ? -1 : one->said.round < two->said.round;
}

static size_t dimension_number(const struct study_codebook *codebook, struct str id)
{
    size_t i = 0;

    while (i < codebook->count && !str_eq(codebook->dimensions[i].id, id))
        i++;
    return i;
}

struct label_export_labels label_export_newest(struct label_export_writer *writer)
{
    struct label *label = writer->label;
    const struct label_entry *entries = label->log.entries.at;
    const struct label_slot *slots = label->log.slots.at;
    size_t slot_count = label->log.slots.count, count = 0;
    struct placed *all = arena_array(&writer->arena, struct placed, slot_count + 1);

    for (size_t i = 0; i < slot_count; i++) {
        if (!label_slot_speaks(label, &slots[i]) || slots[i].again ||
            !label_counts(label_round_find(label, slots[i].round)) ||
            !label_export_wants(writer, slots[i].rater, slots[i].dimension))
            continue;
        struct placed *one = &all[count++];
        label_carry(label, &entries[slots[i].top], &writer->arena, &one->said);
        label_export_person(writer, one->said.rater);
        one->rater = *map_get(&writer->people, one->said.rater);
        one->item = label_order(label, one->said.item);
        one->dimension = dimension_number(&label->effective, one->said.dimension);
    }
    qsort(all, count, sizeof *all, compare_placed);
    struct label_export_labels newest = {
        arena_array(&writer->arena, struct label_said, count + 1), 0};
    for (size_t i = 0; i < count; i++)
        if (i == 0 || all[i].said.item != all[i - 1].said.item ||
            all[i].rater != all[i - 1].rater || all[i].dimension != all[i - 1].dimension)
            newest.at[newest.count++] = all[i].said;
    return newest;
}

/* Spans by item, and the newest round in which a rater has labels of an item. */

struct span_of_item {
    int64_t item;
    size_t number; /* in log.spanned */
};

struct label_export_index {
    struct span_of_item *spans; /* ascending by item, then as they were marked */
    size_t count;
    struct map newest; /* from item and rater */
};

static int compare_spans(const void *a, const void *b)
{
    const struct span_of_item *one = a, *two = b;

    return order_then(ORDER_BY(one->item, two->item), ORDER_BY(one->number, two->number));
}

/* Whose labels of what: a key of the index, in `out`. */
static struct str index_key(int64_t item, struct str rater, struct buf *out)
{
    buf_clear(out);
    buf_add(out, (struct str){(const char *)&item, sizeof item});
    buf_add(out, rater);
    return buf_str(out);
}

static void make_index(struct label_export_writer *writer)
{
    struct label *label = writer->label;
    struct label_export_index *index =
        arena_array(&writer->arena, struct label_export_index, 1);
    struct buf key = {0};

    index->newest.arena = &writer->arena;
    for (size_t i = 0; i < label->log.slots.count; i++) {
        const struct label_slot *slot = &label->log.slots.at[i];
        if (slot->again || !label_slot_speaks(label, slot) ||
            !label_counts(label_round_find(label, slot->round)))
            continue;
        int64_t *round =
            map_put(&index->newest, index_key(slot->item, slot->rater, &key));
        *round = slot->round > *round ? slot->round : *round;
    }
    buf_free(&key);
    index->spans =
        arena_array(&writer->arena, struct span_of_item, label->log.spanned.count + 1);
    for (size_t i = 0; i < label->log.spanned.count; i++) {
        const struct label_spanned *spanned = &label->log.spanned.at[i];
        if (label_spanned_lives(label, spanned))
            index->spans[index->count++] =
                (struct span_of_item){label->log.assigned.at[spanned->place].item, i};
    }
    qsort(index->spans, index->count, sizeof *index->spans, compare_spans);
    writer->index = index;
}

bool label_export_evidence(struct label_export_writer *writer, int64_t item,
                           struct arena *arena, struct label_export_evidence *out,
                           struct err *err)
{
    struct label *label = writer->label;
    LIST(struct label_export_mark) marks = {0};
    struct buf key = {0};
    size_t first;

    *out = (struct label_export_evidence){0};
    if (!label_item_parts(label, item, arena, &out->parts, err))
        return false;
    if (writer->index == NULL)
        make_index(writer);
    const struct label_export_index *index = writer->index;
    ORDER_SEEK(first, index->count, index->spans[first].item < item);
    for (size_t i = first; i < index->count && index->spans[i].item == item; i++) {
        struct label_export_mark mark;
        struct label_span_range range;
        label_span_carry(label, &label->log.spanned.at[index->spans[i].number], arena,
                         &mark.said);
        const int64_t *newest =
            map_get(&index->newest, index_key(item, mark.said.rater, &key));
        if (mark.said.again || !mark.said.counts || newest == NULL ||
            mark.said.round != *newest ||
            !label_span_find(&out->parts, mark.said.place, &range))
            continue;
        mark.begin = label_parts_to_document(&out->parts, &range);
        mark.end = mark.begin + range.end - range.begin;
        list_add(&marks, mark);
    }
    out->document = label_parts_document(&out->parts, arena);
    out->at = list_copy(&marks, arena);
    out->count = marks.count;
    list_free(&marks);
    buf_free(&key);
    return true;
}

/* The same where items have units: those that come out of what raters marked, each with
 * the labels of its raters. */
static struct label_export_labels newest_units(struct label_export_writer *writer)
{
    size_t count, said = 0, dimensions = writer->label->effective.count;
    struct label_group *groups = label_groups(writer->label, &writer->arena, &count);
    const struct study_labelling *settings = writer->label->settings;

    for (size_t i = 0; i < count; i++)
        said += groups[i].said_count;
    struct label_export_labels labels = {
        arena_array(&writer->arena, struct label_said, said + 1), 0};
    for (size_t i = 0; i < count; i += dimensions)
        for (size_t r = 0; r < settings->rater_count; r++)
            for (size_t d = 0; d < dimensions; d++)
                for (size_t s = 0; s < groups[i + d].said_count; s++) {
                    struct label_said one = groups[i + d].said[s];
                    if (!str_eq(one.rater, settings->raters[r]) ||
                        !label_export_wants(writer, one.rater, one.dimension))
                        continue;
                    one.unit = groups[i].unit;
                    one.place = groups[i].place;
                    one.called = groups[i].called;
                    labels.at[labels.count++] = one;
                }
    return labels;
}

/* Wide csv. */

/* Who has labels, by number. */
static struct str *raters_of(struct label_export_writer *writer,
                             const struct label_export_labels *labels, size_t *count)
{
    struct str *raters =
        arena_array(&writer->arena, struct str, writer->people.count + 1);
    size_t kept = 0;

    for (size_t i = 0; i < labels->count; i++)
        raters[*map_get(&writer->people, labels->at[i].rater) - 1] = labels->at[i].rater;
    for (size_t i = 0; i < writer->people.count; i++)
        if (raters[i].len > 0)
            raters[kept++] = raters[i];
    *count = kept;
    return raters;
}

static void add_heads(struct label_export_writer *writer, const struct str *raters,
                      size_t rater_count)
{
    const struct study_codebook *codebook = &writer->label->effective;
    struct buf head = {0};

    buf_add(writer->out, STR("item"));
    if (writer->label->settings->units)
        buf_add(writer->out, STR(",unit,place,name"));
    for (size_t r = 0; r < rater_count; r++)
        for (size_t d = 0; d < codebook->count; d++) {
            if (!label_export_wants(writer, raters[r], codebook->dimensions[d].id))
                continue;
            buf_clear(&head);
            buf_add(&head, label_export_person(writer, raters[r]));
            if (codebook->count > 1)
                buf_add_format(&head, ":%.*s", STR_ARG(codebook->dimensions[d].id));
            buf_add_char(writer->out, ',');
            buf_add_csv(writer->out, buf_str(&head));
        }
    buf_add_char(writer->out, '\n');
    buf_free(&head);
}

/* Whether a label is of a dimension that the codebook no longer has. */
static bool is_gone(const struct study_codebook *codebook, const struct label_said *said)
{
    for (size_t d = 0; d < codebook->count; d++)
        if (str_eq(codebook->dimensions[d].id, said->dimension))
            return false;
    return true;
}

/* Adds the row of the item whose labels begin at `at`; where the next one's begin. */
static size_t add_item_row(struct label_export_writer *writer,
                           const struct label_export_labels *labels, size_t at,
                           const struct str *raters, size_t rater_count)
{
    const struct study_codebook *codebook = &writer->label->effective;
    int64_t item = labels->at[at].item;
    struct str unit = labels->at[at].unit;

    item_key_add_csv(writer->out, &writer->label->study->spaces, item);
    const struct str of_unit[] = {unit, labels->at[at].place,
                                  label_export_memo(writer, labels->at[at].called)};
    for (size_t i = 0; writer->label->settings->units && i < ROWS_OF(of_unit); i++) {
        buf_add_char(writer->out, ',');
        buf_add_csv(writer->out, of_unit[i]);
    }
    for (size_t r = 0; r < rater_count; r++)
        for (size_t d = 0; d < codebook->count; d++) {
            while (at < labels->count && is_gone(codebook, &labels->at[at]))
                at++;
            const struct label_said *said = &labels->at[at];
            if (!label_export_wants(writer, raters[r], codebook->dimensions[d].id))
                continue;
            buf_add_char(writer->out, ',');
            if (at == labels->count || said->item != item || !str_eq(said->unit, unit) ||
                !str_eq(said->rater, raters[r]) ||
                !str_eq(said->dimension, codebook->dimensions[d].id))
                continue;
            label_export_add_codes(writer->out, said->codes, said->code_count);
            at++;
        }
    buf_add_char(writer->out, '\n');
    /* What is left is of a dimension that the codebook no longer has. */
    while (at < labels->count && labels->at[at].item == item &&
           str_eq(labels->at[at].unit, unit))
        at++;
    return at;
}

void label_export_wide(struct label_export_writer *writer)
{
    struct label_export_labels labels = writer->label->settings->units
                                            ? newest_units(writer)
                                            : label_export_newest(writer);
    size_t rater_count;
    struct str *raters = raters_of(writer, &labels, &rater_count);

    add_heads(writer, raters, rater_count);
    for (size_t i = 0; i < labels.count;)
        i = add_item_row(writer, &labels, i, raters, rater_count);
}

/* Texts of the items, for programs that show them: with spans the document that they
 * count in, else the post as it is. */

static void add_texts(struct buf *out, struct str title, struct str text)
{
    buf_add_char(out, ',');
    add_key(out, "title", title);
    buf_add_char(out, ',');
    add_key(out, "text", text);
}

static bool add_post(struct label_export_writer *writer, int64_t id,
                     const struct label_export_evidence *evidence, struct err *err)
{
    const struct label_parts *parts = &evidence->parts;
    struct arena_mark mark = arena_mark(&writer->arena);
    struct label_item item;

    if (label_export_has_spans(writer)) { /* it has been read with them */
        bool titled = parts->count > 0 && str_eq(parts->at[0].name, STR("title"));
        add_texts(writer->out, titled ? parts->at[0].text : (struct str){0},
                  evidence->document);
        return true;
    }
    if (!writer->options->posts)
        return true;
    if (!label_item(writer->label, id, &writer->arena, &item, err))
        return false;
    add_texts(writer->out, item.title, item.question.body);
    arena_rewind(&writer->arena, mark);
    return true;
}

/* Spans of an item, where raters mark any; `arena` held those of the item before. */
static bool find_evidence(struct label_export_writer *writer, int64_t item,
                          struct arena *arena, struct label_export_evidence *out,
                          struct err *err)
{
    *out = (struct label_export_evidence){0};
    arena_rewind(arena, (struct arena_mark){0});
    return !label_export_has_spans(writer) ||
           label_export_evidence(writer, item, arena, out, err);
}

/* Label Studio. */

/* Where a character of the document is, as JavaScript counts. */
static size_t to_utf16(struct str text, size_t character)
{
    return text_utf8_units(str_slice(text, 0, text_plain_byte(text, character)));
}

static void add_unit_meta(struct label_export_writer *writer,
                          const struct label_said *said)
{
    struct buf *out = writer->out;

    if (said->unit.len == 0)
        return;
    buf_add(out, STR(",\"meta\":{"));
    add_key(out, "unit", said->unit);
    if (said->place.len > 0) {
        buf_add_char(out, ',');
        add_key(out, "place", said->place);
    }
    if (label_export_memo(writer, said->called).len > 0) {
        buf_add_char(out, ',');
        add_key(out, "name", said->called);
    }
    buf_add_char(out, '}');
}

/* A region; without a code it is labelled as what it is. */
static void add_region(struct label_export_writer *writer,
                       const struct label_export_mark *mark, struct str document)
{
    struct buf *out = writer->out;
    struct str code = mark->said.code.len > 0 ? mark->said.code : STR("evidence");

    buf_add(out, STR("{\"from_name\":\""));
    if (mark->said.dimension.len > 0) {
        buf_add_json(out, mark->said.dimension);
        buf_add_char(out, '.');
    }
    buf_add(out, STR("span\",\"to_name\":\"text\",\"type\":\"labels\""));
    if (mark->said.unit.len > 0) {
        buf_add(out, STR(",\"meta\":{"));
        add_key(out, "unit", mark->said.unit);
        buf_add_char(out, '}');
    }
    buf_add_format(out, ",\"value\":{\"start\":%zu,\"end\":%zu,",
                   to_utf16(document, mark->begin), to_utf16(document, mark->end));
    add_key(out, "text", mark->said.quote);
    buf_add_char(out, ',');
    add_list(out, "labels", &code, 1);
    buf_add(out, STR("}}"));
}

static void add_results(struct label_export_writer *writer, const struct label_said *said,
                        size_t count, const struct label_export_evidence *evidence)
{
    struct buf *out = writer->out;

    buf_add(out, STR("\"result\":["));
    for (size_t i = 0; i < count; i++) {
        struct str memo = label_export_memo(writer, said[i].memo);
        buf_add(out, i > 0 ? STR(",{") : STR("{"));
        add_key(out, "from_name", said[i].dimension);
        buf_add(out, STR(",\"to_name\":\"text\",\"type\":\"choices\""));
        add_unit_meta(writer, &said[i]);
        buf_add(out, STR(",\"value\":{"));
        add_list(out, "choices", said[i].codes, said[i].code_count);
        buf_add(out, STR("}}"));
        if (memo.len == 0)
            continue;
        buf_add(out, STR(",{\"from_name\":\""));
        buf_add_json(out, said[i].dimension);
        buf_add(out,
                STR(".memo\",\"to_name\":\"text\",\"type\":\"textarea\",\"value\":{"));
        add_list(out, "text", &memo, 1);
        buf_add(out, STR("}}"));
    }
    for (size_t i = 0; i < evidence->count; i++)
        if (str_eq(evidence->at[i].said.rater, said->rater)) {
            buf_add_char(out, ',');
            add_region(writer, &evidence->at[i], evidence->document);
        }
    buf_add_char(out, ']');
}

/* Labels of one rater, which stand together; how many. */
static size_t same_rater(const struct label_export_labels *labels, size_t at)
{
    size_t count = 1;

    while (at + count < labels->count &&
           labels->at[at + count].item == labels->at[at].item &&
           str_eq(labels->at[at + count].rater, labels->at[at].rater))
        count++;
    return count;
}

static double total_seconds(const struct label_export_writer *writer,
                            const struct label_said *said, size_t count)
{
    double total = NAN;

    for (size_t i = 0; i < count; i++) {
        double seconds = label_export_seconds(writer, said[i].seconds);
        if (!isnan(seconds))
            total = isnan(total) ? seconds : total + seconds;
    }
    return total;
}

/* A rater of the study is an annotator; anybody else is taken for a model. */
static bool is_person(const struct label_export_writer *writer, struct str name)
{
    return label_rater(writer->label, name) < writer->label->settings->rater_count;
}

static void add_said(struct label_export_writer *writer, const struct label_said *said,
                     size_t count, const struct label_export_evidence *evidence,
                     bool person)
{
    struct buf *out = writer->out;
    double seconds = total_seconds(writer, said, count);

    buf_add(out, person ? STR("{\"completed_by\":{") : STR("{"));
    add_key(out, person ? "email" : "model_version",
            label_export_person(writer, said->rater));
    buf_add(out, person ? STR("},\"was_cancelled\":false,") : STR(","));
    if (person && !isnan(seconds))
        buf_add_format(out, "\"lead_time\":%.3f,", seconds);
    add_results(writer, said, count, evidence);
    buf_add_char(out, '}');
}

static void add_people(struct label_export_writer *writer,
                       const struct label_export_labels *labels, size_t at,
                       const struct label_export_evidence *evidence, bool people)
{
    int64_t item = labels->at[at].item;
    bool first = true;

    for (size_t count; at < labels->count && labels->at[at].item == item; at += count) {
        count = same_rater(labels, at);
        if (is_person(writer, labels->at[at].rater) != people)
            continue;
        if (!first)
            buf_add_char(writer->out, ',');
        first = false;
        add_said(writer, &labels->at[at], count, evidence, people);
    }
}

bool label_export_studio(struct label_export_writer *writer, struct err *err)
{
    struct label_export_labels labels = writer->label->settings->units
                                            ? newest_units(writer)
                                            : label_export_newest(writer);
    struct buf *out = writer->out;
    struct arena texts = {0};
    bool ok = true;

    buf_add(out, STR("["));
    progress_count(writer->options->progress, "writing labels", (int64_t)labels.count);
    for (size_t i = 0; i < labels.count && ok;) {
        int64_t item = labels.at[i].item;
        struct label_export_evidence evidence;
        ok = find_evidence(writer, item, &texts, &evidence, err);
        if (!ok)
            break;
        buf_add_format(out, "%s\n{\"id\":%lld,\"data\":{\"item\":", i > 0 ? "," : "",
                       (long long)item);
        item_key_add_json(out, &writer->label->study->spaces, item);
        ok = add_post(writer, item, &evidence, err);
        buf_add(out, STR("},\"annotations\":["));
        add_people(writer, &labels, i, &evidence, true);
        buf_add(out, STR("],\"predictions\":["));
        add_people(writer, &labels, i, &evidence, false);
        buf_add(out, STR("]}"));
        for (; i < labels.count && labels.at[i].item == item; i++)
            progress_piece(writer->options->progress);
    }
    buf_add(out, STR("\n]\n"));
    arena_free(&texts);
    return ok;
}

/* doccano. */

/* As its projects of categories and spans have it: [begin, end, label]. */
static void add_entities(struct label_export_writer *writer,
                         const struct label_export_evidence *evidence,
                         const struct label_said *said)
{
    struct buf *out = writer->out;
    bool any = false;

    buf_add(out, STR("\"entities\":["));
    for (size_t i = 0; i < evidence->count; i++) {
        const struct label_export_mark *mark = &evidence->at[i];
        if (!str_eq(mark->said.rater, said->rater) ||
            (mark->said.dimension.len > 0 &&
             !str_eq(mark->said.dimension, said->dimension)))
            continue;
        buf_add_format(out, "%s[%zu,%zu,\"", any ? "," : "", mark->begin, mark->end);
        buf_add_json(out, mark->said.code.len > 0 ? mark->said.code : STR("evidence"));
        buf_add(out, STR("\"]"));
        any = true;
    }
    buf_add(out, STR("],"));
}

bool label_export_doccano(struct label_export_writer *writer, struct err *err)
{
    struct label_export_labels labels = label_export_newest(writer);
    struct buf *out = writer->out;
    struct arena texts = {0};
    size_t rater_count;
    bool ok = true;

    raters_of(writer, &labels, &rater_count);
    if (rater_count > 1)
        return err_set(err, ERR_INPUT,
                       "doccano has a file for each rater; choose one with --rater");
    if (writer->label->effective.count > 1 && writer->options->dimension.len == 0)
        return err_set(err, ERR_INPUT,
                       "doccano knows one dimension; choose one with --dimension");
    progress_count(writer->options->progress, "writing labels", (int64_t)labels.count);
    for (size_t i = 0; i < labels.count && ok; i++) {
        const struct label_said *said = &labels.at[i];
        struct str memo = label_export_memo(writer, said->memo);
        struct label_export_evidence evidence;
        ok = find_evidence(writer, said->item, &texts, &evidence, err);
        if (!ok)
            break;
        buf_add(out, STR("{\"id\":"));
        item_key_add_json(out, &writer->label->study->spaces, said->item);
        ok = add_post(writer, said->item, &evidence, err);
        buf_add_char(out, ',');
        add_list(out, label_export_has_spans(writer) ? "cats" : "label", said->codes,
                 said->code_count);
        buf_add_char(out, ',');
        if (label_export_has_spans(writer))
            add_entities(writer, &evidence, said);
        add_list(out, "Comments", &memo, memo.len > 0);
        buf_add(out, STR("}\n"));
        progress_piece(writer->options->progress);
    }
    arena_free(&texts);
    return ok;
}
