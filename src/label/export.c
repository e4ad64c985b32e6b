/* Labels as csv: the log, what each rater says, final labels; and which format is
 * whose. */
#include <math.h>

#include "base/date.h"
#include "label/export.h"

/* and a comma */
static void export_add_cell(struct label_export_writer *writer, struct str text)
{
    buf_add_csv(writer->out, text);
    buf_add_char(writer->out, ',');
}

/* People by number, in the order of the study file and then as they come. */
struct str label_export_person(struct label_export_writer *writer, struct str name)
{
    size_t before = writer->people.count;
    int64_t *number = map_put(&writer->people, name);
    struct buf called = {0};

    if (writer->people.count > before)
        *number = (int64_t)writer->people.count;
    if (!writer->options->anonymous)
        return name;
    buf_add_format(&called, "rater-%lld", (long long)*number);
    return buf_keep(&called, &writer->arena);
}

struct str label_export_memo(const struct label_export_writer *writer, struct str memo)
{
    return writer->options->anonymous && !writer->options->memos ? STR("") : memo;
}

double label_export_seconds(const struct label_export_writer *writer, double seconds)
{
    return writer->options->anonymous ? NAN : seconds;
}

bool label_export_wants(const struct label_export_writer *writer, struct str rater,
                        struct str dimension)
{
    const struct label_export_options *options = writer->options;

    return (options->rater.len == 0 || str_eq(options->rater, rater)) &&
           (options->dimension.len == 0 || str_eq(options->dimension, dimension));
}

void label_export_add_codes(struct buf *out, const struct str *codes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        buf_add_format(out, "%s%.*s", i > 0 ? ";" : "", STR_ARG(codes[i]));
}

/* Of a task with units: the item's unit, where it is and how it is called in words. */
static void add_unit(struct label_export_writer *writer, struct str unit,
                     struct str place, struct str called)
{
    if (!writer->label->settings->units)
        return;
    buf_add_char(writer->out, ',');
    export_add_cell(writer, unit);
    export_add_cell(writer, place);
    buf_add_csv(writer->out, label_export_memo(writer, called));
}

/* The heads of a csv; those of units stand behind the item. */
static void add_heads(struct label_export_writer *writer, const char *before,
                      const char *after)
{
    buf_add_format(writer->out, "%s%s%s", before,
                   writer->label->settings->units ? ",unit,place,name" : "", after);
}

/* The log. */

static bool take_act(void *context, const void *row, struct err *err)
{
    struct label_export_writer *writer = context;
    const struct store_acts_act *act = row;
    const struct label_known_round *round = label_round_find(writer->label, act->round);
    bool open = !writer->options->anonymous;
    struct buf *out = writer->out;

    (void)err;
    if (round == NULL || !round->ours ||
        !label_export_wants(writer, act->rater, act->dimension))
        return true;
    buf_add_format(out, "%lld,", (long long)act->id);
    if (open)
        date_add(out, act->at_ms);
    buf_add_char(out, ',');
    export_add_cell(writer, act->kind);
    buf_add_format(out, "%lld,", (long long)act->round);
    export_add_cell(writer, label_export_person(writer, act->rater));
    item_key_add_csv(out, &writer->label->study->spaces, act->item);
    buf_add_format(out, ",%d,", act->again);
    export_add_cell(writer, act->dimension);
    label_export_add_codes(out, act->codes.at, act->codes.count);
    buf_add_char(out, ',');
    export_add_cell(writer, label_export_memo(writer, act->memo));
    buf_add_format(out, "%d,", act->unsure);
    if (!isnan(label_export_seconds(writer, act->seconds)))
        buf_add_format(out, "%.3f", act->seconds);
    buf_add_char(out, ',');
    export_add_cell(writer, act->version);
    if (act->supersedes != 0)
        buf_add_int(out, act->supersedes);
    buf_add_char(out, ',');
    buf_add_csv(out, open ? act->source : STR(""));
    if (writer->label->settings->units || label_export_has_spans(writer)) {
        buf_add_char(out, ',');
        export_add_cell(writer, act->unit);
        buf_add_csv(out, act->place);
    }
    buf_add_char(out, '\n');
    return true;
}

static bool export_acts(struct label_export_writer *writer, struct err *err)
{
    buf_add_format(writer->out,
                   "act,at,kind,round,rater,item,again,dimension,codes,memo,unsure,"
                   "seconds,version,supersedes,source%s\n",
                   writer->label->settings->units || label_export_has_spans(writer)
                       ? ",unit,place"
                       : "");
    return store_acts_each(writer->label->acts, STORE_ACTS_ACT, 0, take_act, writer, err);
}

/* What each rater says. */

void label_export_each(struct label_export_writer *writer, label_export_take *take)
{
    struct label *label = writer->label;
    const struct label_entry *entries = label->log.entries.at;
    const struct label_slot *slots = label->log.slots.at;

    for (size_t i = 0; i < label->log.slots.count; i++) {
        struct label_said said;
        if (!label_slot_speaks(label, &slots[i]) ||
            !label_export_wants(writer, slots[i].rater, slots[i].dimension))
            continue;
        label_carry(label, &entries[slots[i].top], &writer->arena, &said);
        take(writer, &said);
    }
}

struct str label_export_kind(const struct label_export_writer *writer, int64_t round)
{
    return label_round_find(writer->label, round)->row.kind;
}

bool label_export_has_spans(const struct label_export_writer *writer)
{
    return writer->label->settings->spans != STUDY_SPANS_NO;
}

void label_export_each_span(struct label_export_writer *writer,
                            label_export_take_span *take)
{
    struct label *label = writer->label;

    for (size_t i = 0; label_export_has_spans(writer) && i < label->log.spanned.count;
         i++) {
        struct label_span_said said;
        if (!label_spanned_lives(label, &label->log.spanned.at[i]))
            continue;
        label_span_carry(label, &label->log.spanned.at[i], &writer->arena, &said);
        if (said.counts &&
            label_export_wants(writer, said.rater,
                               said.dimension.len > 0 ? said.dimension
                                                      : writer->options->dimension))
            take(writer, &said);
    }
}

/* What raters marked stands behind the labels, in rows of its own. */
static void add_span(struct label_export_writer *writer,
                     const struct label_span_said *said)
{
    struct buf *out = writer->out;

    item_key_add_csv(out, &writer->label->study->spaces, said->item);
    add_unit(writer, said->unit, STR(""), STR(""));
    buf_add_char(out, ',');
    export_add_cell(writer, label_export_person(writer, said->rater));
    export_add_cell(writer, said->dimension);
    export_add_cell(writer, said->code);
    buf_add_format(out, "%lld,", (long long)said->round);
    export_add_cell(writer, label_export_kind(writer, said->round));
    buf_add_format(out, "%d,0,,,", said->again);
    export_add_cell(writer, said->place);
    buf_add_csv(out, said->quote);
    buf_add_char(out, '\n');
}

/* One row a code, so that any program can read it; what `assay import` takes. */
static void add_row(struct label_export_writer *writer, const struct label_said *said)
{
    struct buf *out = writer->out;

    for (size_t c = 0; c < said->code_count; c++) {
        item_key_add_csv(out, &writer->label->study->spaces, said->item);
        add_unit(writer, said->unit, said->place, said->called);
        buf_add_char(out, ',');
        export_add_cell(writer, label_export_person(writer, said->rater));
        export_add_cell(writer, said->dimension);
        export_add_cell(writer, said->codes[c]);
        buf_add_format(out, "%lld,", (long long)said->round);
        export_add_cell(writer, label_export_kind(writer, said->round));
        buf_add_format(out, "%d,%d,", said->again, said->unsure);
        if (!isnan(label_export_seconds(writer, said->seconds)))
            buf_add_format(out, "%.3f", said->seconds);
        buf_add_char(out, ',');
        buf_add_csv(out, label_export_memo(writer, said->memo));
        buf_add(out, label_export_has_spans(writer) ? STR(",,\n") : STR("\n"));
    }
}

static void export_long(struct label_export_writer *writer)
{
    add_heads(writer, "item",
              ",rater,dimension,code,round,kind,again,unsure,seconds,memo");
    buf_add(writer->out,
            label_export_has_spans(writer) ? STR(",span,quote\n") : STR("\n"));
    label_export_each(writer, add_row);
    label_export_each_span(writer, add_span);
}

/* Decisions, as `assay import` takes them. */

/* A row of a decision on a unit or item; without a code, that it is no unit. */
static void add_decision(struct label_export_writer *writer,
                         const struct store_acts_decision *row, struct str unit,
                         struct str code)
{
    struct buf *out = writer->out;

    item_key_add_csv(out, &writer->label->study->spaces, row->item);
    add_unit(writer, unit, STR(""), STR(""));
    buf_add_char(out, ',');
    export_add_cell(writer, label_export_person(writer, row->by));
    export_add_cell(writer, row->dimension);
    export_add_cell(writer, code);
    buf_add(out, STR("decision,"));
    export_add_cell(writer, row->reason);
    buf_add_csv(out, label_export_memo(writer, row->text));
    buf_add_char(out, '\n');
}

static void export_decisions(struct label_export_writer *writer)
{
    const struct label *label = writer->label;
    const struct store_acts_decision *rows = label->log.decisions.at;

    add_heads(writer, "item", ",rater,dimension,code,kind,reason,memo\n");
    for (size_t i = 0; i < label->log.decisions.count; i++) {
        struct label_carried carried;
        if (label_decision_find(writer->label, rows[i].item, rows[i].unit_of,
                                rows[i].unit, rows[i].dimension) != &rows[i] ||
            !label_export_wants(writer, rows[i].by, rows[i].dimension))
            continue;
        struct str unit = label_decided_unit(writer->label, &rows[i], &writer->arena);
        label_carry_codes(writer->label, rows[i].dimension, rows[i].version,
                          &rows[i].codes, &writer->arena, &carried);
        for (size_t c = 0; c < carried.code_count; c++)
            add_decision(writer, &rows[i], unit, carried.codes[c]);
        if (carried.code_count == 0)
            add_decision(writer, &rows[i], unit, STR(""));
    }
}

/* Remarks. */

static void export_remarks(struct label_export_writer *writer)
{
    const struct label *label = writer->label;
    struct buf *out = writer->out;

    buf_add(out, STR("item,rater,at,round,text\n"));
    for (size_t i = 0; i < label->log.remarks.count; i++) {
        const struct label_remark *one = &label->log.remarks.at[i];
        if (!label_export_wants(writer, one->by, STR("")))
            continue;
        item_key_add_csv(out, &label->study->spaces, one->item);
        buf_add_char(out, ',');
        export_add_cell(writer, label_export_person(writer, one->by));
        if (!writer->options->anonymous)
            date_add(out, one->at_ms);
        buf_add_format(out, ",%lld,", (long long)one->round);
        buf_add_csv(out, label_export_memo(writer, one->text));
        buf_add_char(out, '\n');
    }
}

/* Final labels. */

static bool export_finals(struct label_export_writer *writer, struct err *err)
{
    struct label_final *finals;
    size_t count;

    if (!label_finals(writer->label, &writer->arena, &finals, &count, err))
        return false;
    add_heads(writer, "item", ",dimension,code,state,raters,review,chosen,outside\n");
    for (size_t i = 0; i < count; i++) {
        if (!label_export_wants(writer, (struct str){0}, finals[i].dimension))
            continue;
        /* What has no code still has a row: it is not to be overlooked. */
        for (size_t c = 0; c == 0 || c < finals[i].code_count; c++) {
            item_key_add_csv(writer->out, &writer->label->study->spaces, finals[i].item);
            add_unit(writer, finals[i].unit, finals[i].place, finals[i].called);
            buf_add_char(writer->out, ',');
            export_add_cell(writer, finals[i].dimension);
            export_add_cell(writer,
                            finals[i].code_count > 0 ? finals[i].codes[c] : STR(""));
            buf_add_format(writer->out, "%s,%zu,%d,%d,%d\n",
                           label_state_word(finals[i].state), finals[i].raters,
                           finals[i].review, finals[i].chosen, finals[i].outside);
        }
    }
    return true;
}

static bool export_said(struct label_export_writer *writer, struct err *err)
{
    if (writer->label->settings->units && writer->options->format > LABEL_FORMAT_STUDIO)
        return err_set(err, ERR_INPUT,
                       "this format has no place for units in an item; expected csv, "
                       "wide, jsonl or label-studio");
    switch (writer->options->format) {
    case LABEL_FORMAT_WIDE:
        label_export_wide(writer);
        return true;
    case LABEL_FORMAT_JSONL:
        label_export_jsonl(writer);
        return true;
    case LABEL_FORMAT_STUDIO:
        return label_export_studio(writer, err);
    case LABEL_FORMAT_DOCCANO:
        return label_export_doccano(writer, err);
    case LABEL_FORMAT_WEBANNO:
        return label_export_webanno(writer, err);
    case LABEL_FORMAT_REFI:
        return label_export_refi(writer, err);
    default:
        export_long(writer);
        return true;
    }
}

/* A name that nobody has is a mistake, and not an empty file. */
static bool check_options(struct label *label, const struct label_export_options *options,
                          struct err *err)
{
    const struct label_slot *slots = label->log.slots.at;
    size_t count = label->log.slots.count, i;
    const struct study_codebook_dimension *dimension;

    if (options->dimension.len > 0 &&
        !study_codebook_choose(&label->effective, options->dimension, &dimension, err))
        return false;
    for (i = 0; i < count && !str_eq(slots[i].rater, options->rater);)
        i++;
    return options->rater.len == 0 || i < count ||
           label_person(label, options->rater) != NULL ||
           err_set(err, ERR_INPUT, "there are no labels of a rater '%.*s'",
                   STR_ARG(options->rater));
}

bool label_layer_find(struct str word, enum label_layer *out)
{
    static const struct str words[] = {[LABEL_ACTS] = STR_INIT("acts"),
                                       [LABEL_SAID] = STR_INIT("said"),
                                       [LABEL_DECISIONS] = STR_INIT("decisions"),
                                       [LABEL_FINAL] = STR_INIT("final"),
                                       [LABEL_REMARKS] = STR_INIT("remarks")};
    size_t at = str_find(word, words, ROWS_OF(words));

    if (at < ROWS_OF(words))
        *out = (enum label_layer)at;
    return at < ROWS_OF(words);
}

bool label_export(struct label *label, const struct label_export_options *options,
                  struct buf *out, struct err *err)
{
    struct label_export_writer writer = {.label = label, .out = out, .options = options};

    if (!label_follow(label, err) || !check_options(label, options, err))
        return false;
    writer.people.arena = &writer.arena;
    for (size_t i = 0; i < label->settings->rater_count; i++)
        label_export_person(&writer, label->settings->raters[i]);
    bool ok = true;
    if (options->layer == LABEL_DECISIONS)
        export_decisions(&writer);
    else if (options->layer == LABEL_REMARKS)
        export_remarks(&writer);
    else
        ok = options->layer == LABEL_ACTS   ? export_acts(&writer, err)
             : options->layer == LABEL_SAID ? export_said(&writer, err)
                                            : export_finals(&writer, err);
    arena_free(&writer.arena);
    return ok;
}
