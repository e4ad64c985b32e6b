/* Agreement of a study's raters: the whole, then rounds, versions of the codebook, raters
 * against themselves, and what became of the labels. */
#include <math.h>

#include "base/date.h"
#include "cmd/agree.h"
#include "label/span_agree.h"

/* A part of the work: one round, or what was labelled under one version. */
struct agree_study_part {
    struct str name;  /* in text */
    struct str about; /* in JSON: members, with a comma behind them */
    struct label_agreement_options how;
};

static bool add_parts(struct cmd_session *session, struct label *label,
                      const struct cmd_agree_args *args, const char *what,
                      const struct agree_study_part *parts, size_t count, struct buf *out,
                      struct err *err)
{
    if (args->json)
        buf_add_format(out, ",\"%ss\":[", what);
    else if (count > 1)
        label_agree_head(what, label_task(label)->settings->units, out);
    for (size_t i = 0; i < count; i++) {
        struct label_agree_report report;
        progress_turn_to(args->progress,
                         arena_format(&session->arena, "agreement, %s %.*s", what,
                                      STR_ARG(parts[i].name))
                             .ptr);
        if (!label_agreement(label, &parts[i].how, &session->arena, &report, err))
            return false;
        if (args->json) {
            buf_add_format(out, "%s{%.*s\"agreement\":", i > 0 ? "," : "",
                           STR_ARG(parts[i].about));
            label_agree_json(&report, out);
            buf_add_char(out, '}');
        } else if (count > 1) {
            buf_add_format(out, "%-30.*s", STR_ARG(parts[i].name));
            label_agree_row(&report.all, out);
        }
    }
    if (args->json)
        buf_add_char(out, ']');
    return true;
}

static struct str kept(struct cmd_session *session, struct buf *text)
{
    struct str copy = arena_copy(&session->arena, buf_str(text));

    buf_clear(text);
    return copy;
}

static bool add_rounds(struct cmd_session *session, struct label *label,
                       const struct cmd_agree_args *args, struct str dimension,
                       struct buf *out, struct err *err)
{
    struct label_round *rounds;
    struct buf text = {0};
    size_t count;

    if (!label_rounds(label, &session->arena, &rounds, &count, err))
        return false;
    struct agree_study_part *parts =
        arena_array(&session->arena, struct agree_study_part, count + 1);
    for (size_t i = 0; i < count; i++) {
        bool open = rounds[i].closed_ms == 0;
        parts[i].how = (struct label_agreement_options){.dimension = dimension,
                                                        .round = rounds[i].id,
                                                        .all_raters = args->all_raters};
        buf_add_format(&text, "%lld %s%s", (long long)rounds[i].id,
                       label_round_word(rounds[i].kind), open ? ", open" : "");
        parts[i].name = kept(session, &text);
        buf_add_format(&text, "\"round\":%lld,\"kind\":\"%s\",\"open\":%s,",
                       (long long)rounds[i].id, label_round_word(rounds[i].kind),
                       open ? "true" : "false");
        parts[i].about = kept(session, &text);
    }
    buf_free(&text);
    return add_parts(session, label, args, "round", parts, count, out, err);
}

static bool add_versions(struct cmd_session *session, struct label *label,
                         const struct cmd_agree_args *args, struct str dimension,
                         struct buf *out, struct err *err)
{
    struct label_version *versions;
    struct buf text = {0};
    size_t count, kept_count = 0;

    if (!label_versions(label, &session->arena, &versions, &count, err))
        return false;
    struct agree_study_part *parts =
        arena_array(&session->arena, struct agree_study_part, count + 1);
    for (size_t i = 0; i < count; i++) {
        struct agree_study_part *part = &parts[kept_count];
        if (versions[i].acts == 0)
            continue;
        part->how = (struct label_agreement_options){.dimension = dimension,
                                                     .round = args->round,
                                                     .version = versions[i].version,
                                                     .all_raters = args->all_raters};
        buf_add_format(&text, "%.*s of ", STR_ARG(versions[i].version));
        date_add_day(&text, versions[i].at_ms);
        part->name = kept(session, &text);
        buf_add_format(&text, "\"version\":\"%.*s\",", STR_ARG(versions[i].version));
        part->about = kept(session, &text);
        kept_count++;
    }
    buf_free(&text);
    if (kept_count == 1)
        kept_count = 0; /* it is the whole */
    return add_parts(session, label, args, "version", parts, kept_count, out, err);
}

/* Raters against themselves. */
static bool add_retests(struct cmd_session *session, struct label *label,
                        const struct cmd_agree_args *args, struct str dimension,
                        struct buf *out, struct err *err)
{
    const struct study_labelling *settings = label_task(label)->settings;
    bool any = false;

    if (args->json)
        buf_add(out, STR(",\"retests\":["));
    for (size_t i = 0; i < settings->rater_count; i++) {
        struct label_agree_measures measures;
        if (!label_retest(label, dimension, settings->raters[i], &session->arena,
                          &measures, err))
            return false;
        if (measures.items == 0)
            continue;
        if (args->json) {
            buf_add_format(out, "%s{\"rater\":\"", any ? "," : "");
            buf_add_json(out, settings->raters[i]);
            buf_add_format(out, "\",\"items\":%zu,\"observed\":%.12g,\"kappa\":",
                           measures.items, measures.observed);
            if (measures.cohen.undefined == NULL)
                buf_add_format(out, "%.12g}", measures.cohen.value);
            else
                buf_add(out, STR("null}"));
        } else {
            if (!any)
                label_agree_head("rater, the second time", settings->units, out);
            buf_add_format(out, "%-30.*s", STR_ARG(settings->raters[i]));
            label_agree_row(&measures, out);
        }
        any = true;
    }
    if (args->json)
        buf_add_char(out, ']');
    return true;
}

static bool add_states(struct cmd_session *session, struct label *label,
                       const struct cmd_agree_args *args, struct str dimension,
                       struct buf *out, struct err *err)
{
    struct label_final *finals;
    size_t count;

    if (!label_finals(label, &session->arena, &finals, &count, err))
        return false;
    struct label_states states = label_count_states(finals, count, dimension);
    buf_add(out, args->json ? STR(",\"final\":{") : STR("\nfinal labels: "));
    for (size_t i = 0; i < ROWS_OF(states.of); i++)
        buf_add_format(out, args->json ? "%s\"%s\":%lld" : "%s%s %lld",
                       i == 0       ? ""
                       : args->json ? ","
                                    : ", ",
                       label_state_word((enum label_state)i), (long long)states.of[i]);
    if (args->json)
        buf_add_format(out, ",\"chosen\":%lld,\"outside\":%lld", (long long)states.chosen,
                       (long long)states.outside);
    buf_add_char(out, args->json ? '}' : '\n');
    if (states.outside > 0 && !args->json) {
        buf_add(out, STR("note: "));
        label_tell_outside(states.outside, out);
        buf_add_char(out, '\n');
    }
    return true;
}

static bool add_dimension(struct cmd_session *session, struct label *label,
                          const struct cmd_agree_args *args,
                          const struct study_codebook_dimension *dimension,
                          struct buf *out, struct err *err)
{
    struct label_agreement_options how = {.dimension = dimension->id,
                                          .round = args->round,
                                          .all_raters = args->all_raters,
                                          .models = args->models,
                                          .resamples = LABEL_AGREE_RESAMPLES,
                                          .resample_all = true};
    struct label_agree_report report;

    how.version = str_from(args->version);
    how.order = str_from(args->order);
    how.chosen = cmd_agree_choice(args, &how.choice);
    progress_turn_to(
        args->progress,
        arena_format(&session->arena, "agreement, %.*s", STR_ARG(dimension->id)).ptr);
    if (!label_agreement(label, &how, &session->arena, &report, err))
        return false;
    if (args->heat != NULL && !cmd_agree_draw(&report, args->heat, &session->arena, err))
        return false;
    if (args->json) {
        buf_add(out, STR("{\"dimension\":\""));
        buf_add_json(out, dimension->id);
        buf_add(out, STR("\",\"agreement\":"));
        label_agree_json(&report, out);
    } else {
        buf_add_format(out, "%.*s: ", STR_ARG(dimension->id));
        label_agree_text(&report, out);
    }
    if (args->version == NULL &&
        !add_versions(session, label, args, dimension->id, out, err))
        return false;
    if (args->round == 0 && args->version == NULL &&
        (!add_rounds(session, label, args, dimension->id, out, err) ||
         !add_retests(session, label, args, dimension->id, out, err) ||
         !add_states(session, label, args, dimension->id, out, err)))
        return false;
    if (args->json)
        buf_add_char(out, '}');
    return true;
}

/* Evidence: how far raters mark the same words. */

static void add_span_number(bool json, const char *name, double value, struct buf *out)
{
    if (json && isnan(value))
        buf_add_format(out, ",\"%s\":null", name);
    else if (json)
        buf_add_format(out, ",\"%s\":%.12g", name, value);
    else if (isnan(value))
        buf_add_format(out, " %9s", "-");
    else
        buf_add_format(out, " %9.3f", value);
}

static void add_span_pair(const struct label_span_pair *pair, bool json,
                          struct arena *arena, struct buf *out)
{
    const struct {
        const char *name;
        int64_t value;
    } counts[] = {{"items", pair->items},
                  {"first_spans", pair->first_spans},
                  {"second_spans", pair->second_spans},
                  {"matched", pair->matched},
                  {"exact", pair->exact}};
    const struct {
        const char *name;
        struct str value;
    } texts[] = {{"first", pair->first},
                 {"second", pair->second},
                 {"dimension", pair->dimension},
                 {"code", pair->code}};
    struct str name =
        pair->first.len > 0  ? arena_format(arena, "%.*s, %.*s", STR_ARG(pair->first),
                                            STR_ARG(pair->second))
        : pair->code.len > 0 ? arena_format(arena, "all pairs, %.*s", STR_ARG(pair->code))
                             : STR("all pairs");

    for (size_t i = 0; json && i < ROWS_OF(texts); i++) {
        buf_add_format(out, "%s\"%s\":\"", i == 0 ? "{" : ",", texts[i].name);
        buf_add_json(out, texts[i].value);
        buf_add_char(out, '"');
    }
    if (!json)
        buf_add_format(out, "%-30.*s", STR_ARG(name));
    for (size_t i = 0; i < ROWS_OF(counts); i++)
        if (json)
            buf_add_format(out, ",\"%s\":%lld", counts[i].name,
                           (long long)counts[i].value);
        else
            buf_add_format(out, " %9lld", (long long)counts[i].value);
    add_span_number(json, "f1", pair->f1, out);
    add_span_number(json, "f1_characters", pair->f1_characters, out);
    add_span_number(json, "jaccard_characters", pair->jaccard, out);
    add_span_number(json, "alpha_unitizing", pair->alpha, out);
    buf_add_char(out, json ? '}' : '\n');
}

static bool add_spans(struct cmd_session *session, struct label *label,
                      const struct cmd_agree_args *args, struct buf *out, struct err *err)
{
    struct label_span_report report;

    if (label_task(label)->settings->spans == STUDY_SPANS_NO || args->round != 0 ||
        args->version != NULL || args->dimension != NULL)
        return true;
    if (!label_span_agree(label, &session->arena, &report, err))
        return false;
    if (args->json)
        buf_add(out, STR(",\"spans\":["));
    else
        buf_add_format(out, "\n%-30s %9s %9s %9s %9s %9s %9s %9s %9s %9s\n",
                       "evidence in closed rounds", "items", "first's", "second's",
                       "matched", "exact", "F1", "F1 chars", "Jaccard", "alpha-u");
    for (size_t i = 0; i < report.count; i++) {
        if (args->json && i > 0)
            buf_add_char(out, ',');
        add_span_pair(&report.pairs[i], args->json, &session->arena, out);
    }
    if (args->json)
        buf_add_format(out, "],\"lost_spans\":%lld", (long long)report.lost);
    else if (report.lost > 0)
        buf_add_format(out, "note: %lld span%s no longer in the text of the item\n",
                       (long long)report.lost, report.lost == 1 ? " is" : "s are");
    return true;
}

static bool add_dimensions(struct cmd_session *session, struct label *label,
                           const struct cmd_agree_args *args, struct buf *out,
                           struct err *err)
{
    const struct study_codebook *codebook = label_task(label)->codebook;
    const struct study_codebook_dimension *only = NULL;
    bool first = true;

    if (args->heat != NULL && args->dimension == NULL && codebook->count > 1)
        return err_set(err, ERR_USAGE,
                       "--heat draws one dimension; say which with --dimension");
    if (args->dimension != NULL &&
        !study_codebook_choose(codebook, str_from(args->dimension), &only, err))
        return false;
    if (args->json) {
        buf_add(out, STR("{\"task\":\""));
        buf_add_json(out, label_task(label)->name);
        buf_add(out, STR("\",\"dimensions\":["));
    }
    for (size_t d = 0; d < codebook->count; d++) {
        if (only != NULL && only != &codebook->dimensions[d])
            continue;
        if (!first)
            buf_add_char(out, args->json ? ',' : '\n');
        first = false;
        if (!add_dimension(session, label, args, &codebook->dimensions[d], out, err))
            return false;
    }
    if (args->json)
        buf_add_char(out, ']');
    if (!add_spans(session, label, args, out, err))
        return false;
    if (args->json)
        buf_add(out, STR("}\n"));
    return true;
}

bool cmd_agree_on_study(struct cmd_session *session, const struct cmd_agree_args *args,
                        struct buf *out, struct err *err)
{
    struct label *label = NULL;
    struct study study;
    bool ok =
        cmd_task_open(session, &args->opening, args->task, true, &study, &label, err) &&
        add_dimensions(session, label, args, out, err);

    label_close(label);
    return ok;
}
