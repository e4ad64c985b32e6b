/* Labels as csv, in long form: a row for each code of a label. */
#include <math.h>

#include "base/date.h"
#include "label/internal.h"

struct writer {
    struct label *label;
    struct buf *out;
    bool anonymous;
    struct map people;
    struct arena arena;
};

static void add_cell(struct writer *writer, struct str text)
{
    buf_add_csv(writer->out, text);
    buf_add_char(writer->out, ',');
}

/* People by number, in the order of the study file and then as they come. */
static struct str person(struct writer *writer, struct str name)
{
    size_t before = writer->people.count;
    int64_t *number = map_put(&writer->people, name);
    struct buf called = {0};

    if (!writer->anonymous)
        return name;
    if (writer->people.count > before)
        *number = (int64_t)writer->people.count;
    buf_add_format(&called, "rater-%lld", (long long)*number);
    struct str copy = arena_copy(&writer->arena, buf_str(&called));
    buf_free(&called);
    return copy;
}

static void add_codes(struct buf *out, const struct str *codes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        buf_add_format(out, "%s%.*s", i > 0 ? ";" : "", STR_ARG(codes[i]));
}

static bool take_act(void *context, const void *row, struct err *err)
{
    struct writer *writer = context;
    const struct acts_act *act = row;
    const struct label_known_round *round = label_round_find(writer->label, act->round);
    struct buf *out = writer->out;

    (void)err;
    if (round == NULL || !round->ours)
        return true;
    buf_add_format(out, "%lld,", (long long)act->id);
    date_add(out, act->at_ms);
    buf_add_char(out, ',');
    add_cell(writer, act->kind);
    buf_add_format(out, "%lld,", (long long)act->round);
    add_cell(writer, person(writer, act->rater));
    buf_add_format(out, "%lld,%d,", (long long)act->item, act->again);
    add_cell(writer, act->dimension);
    add_codes(out, act->codes.at, act->codes.count);
    buf_add_char(out, ',');
    add_cell(writer, writer->anonymous ? STR("") : act->memo);
    buf_add_format(out, "%d,", act->unsure);
    if (!isnan(act->seconds))
        buf_add_format(out, "%.3f", act->seconds);
    buf_add_char(out, ',');
    add_cell(writer, act->version);
    if (act->supersedes != 0)
        buf_add_int(out, act->supersedes);
    buf_add_char(out, ',');
    buf_add_csv(out, act->source);
    buf_add_char(out, '\n');
    return true;
}

static bool export_acts(struct writer *writer, struct err *err)
{
    buf_add(writer->out, STR("act,at,kind,round,rater,item,again,dimension,codes,memo,"
                             "unsure,seconds,version,supersedes,source\n"));
    return acts_each(writer->label->acts, ACTS_ACT, 0, take_act, writer, err);
}

/* One row a code, so that any program can read it; what `assay import` takes. */
static void export_said(struct writer *writer)
{
    struct label *label = writer->label;
    const struct label_entry *entries =
        LABEL_LIST(label->log.entries, struct label_entry);
    const struct label_slot *slots = LABEL_LIST(label->log.slots, struct label_slot);

    buf_add(writer->out, STR("item,rater,dimension,code,round,again,unsure,memo\n"));
    for (size_t i = 0; i < LABEL_COUNT(label->log.slots, struct label_slot); i++) {
        struct label_said said;
        if (slots[i].top == LABEL_NONE)
            continue;
        label_carry(label, &entries[slots[i].top], &writer->arena, &said);
        for (size_t c = 0; c < said.code_count; c++) {
            buf_add_format(writer->out, "%lld,", (long long)said.item);
            add_cell(writer, person(writer, said.rater));
            add_cell(writer, said.dimension);
            add_cell(writer, said.codes[c]);
            buf_add_format(writer->out, "%lld,%d,%d,", (long long)said.round, said.again,
                           said.unsure);
            buf_add_csv(writer->out, writer->anonymous ? STR("") : said.memo);
            buf_add_char(writer->out, '\n');
        }
    }
}

static bool export_finals(struct writer *writer, struct err *err)
{
    struct label_final *finals;
    size_t count;

    if (!label_finals(writer->label, &writer->arena, &finals, &count, err))
        return false;
    buf_add(writer->out, STR("item,dimension,code,state,raters,review\n"));
    for (size_t i = 0; i < count; i++)
        /* What has no code still has a row: it is not to be overlooked. */
        for (size_t c = 0; c == 0 || c < finals[i].code_count; c++) {
            buf_add_format(writer->out, "%lld,", (long long)finals[i].item);
            add_cell(writer, finals[i].dimension);
            add_cell(writer, finals[i].code_count > 0 ? finals[i].codes[c] : STR(""));
            buf_add_format(writer->out, "%s,%zu,%d\n", label_state_word(finals[i].state),
                           finals[i].raters, finals[i].review);
        }
    return true;
}

bool label_export(struct label *label, enum label_layer layer, bool anonymous,
                  struct buf *out, struct err *err)
{
    struct writer writer = {.label = label, .out = out, .anonymous = anonymous};
    bool ok = label_follow(label, err);

    writer.people.arena = &writer.arena;
    for (size_t i = 0; i < label->settings->rater_count; i++)
        person(&writer, label->settings->raters[i]);
    if (ok && layer == LABEL_ACTS)
        ok = export_acts(&writer, err);
    else if (ok && layer == LABEL_SAID)
        export_said(&writer);
    else if (ok)
        ok = export_finals(&writer, err);
    arena_free(&writer.arena);
    return ok;
}
