/* assay series: what happened to numbers over time, by themselves and beside the site's.
 */
#include "cmd/cmd.h"

#include <math.h>

#include "base/file.h"
#include "base/list.h"
#include "input/csv.h"
#include "measure/season.h"
#include "stats/changes.h"

struct series_args {
    const char *file, *time, *value, *beside, *event;
    struct cmd_real lags;
    int64_t season, seed;
    bool json;
};

#define AT(field) offsetof(struct series_args, field)

static const struct cmd_operand operands[] = {
    {"FILE", AT(file),
     "a csv with a row for each month, year or other step of time, such as a table of a "
     "study",
     true},
    {0}};

static const struct cmd_option options[] = {
    {"--time", CMD_TEXT, AT(time), "COLUMN",
     .help = "the column of times, which must ascend", .required = true},
    {"--value", CMD_TEXT, AT(value), "COLUMN", .help = "the column of numbers",
     .required = true},
    {"--beside", CMD_TEXT, AT(beside), "COLUMN",
     .help = "the column of what all numbers are seen against, such as all questions of "
             "the site: its own changes, and those of the share, stand beside"},
    {"--event", CMD_TEXT, AT(event), "TIME",
     .help = "did level or slope change here? The first row of this time or later is the "
             "first after it"},
    {"--season", CMD_INT, AT(season), "N",
     .help = "rows that a year or week has, such as 12 of months: each has a level of "
             "its own; 1: there is no season",
     .lowest = 1, .highest = 366, .fallback = "1"},
    {"--lags", CMD_REAL, AT(lags), "N",
     .help = "steps of time over which errors may be related; without it floor(4 (n / "
             "100)^(2/9))",
     .highest = 1000},
    {"--seed", CMD_INT, AT(seed), "N", .help = "where random numbers begin",
     .highest = INT64_MAX, .fallback = "1"},
    {"--json", CMD_FLAG, AT(json), NULL, .help = "for programs"},
    {0}};

struct series_work {
    const struct series_args *args;
    struct arena *arena;
    size_t time, value, beside; /* columns */
    LIST(struct str) times;
    struct stats_season season;
    LIST(double) values;
    LIST(double) others;
    struct buf out;
};

static bool read_head(void *context, const struct input_csv_row *head, struct err *err)
{
    struct series_work *work = context;
    const struct series_args *args = work->args;

    return input_csv_rows_need(head, str_from(args->time), &work->time, err) &&
           input_csv_rows_need(head, str_from(args->value), &work->value, err) &&
           (args->beside == NULL ||
            input_csv_rows_need(head, str_from(args->beside), &work->beside, err));
}

/* Numbers as numbers, dates as they are written: 2022-11 is before 2022-12. */
static int compare_times(struct str a, struct str b)
{
    double x, y;

    if (str_to_real(a, &x) && str_to_real(b, &y))
        return (x > y) - (x < y);
    return str_compare(a, b);
}

static bool read_number(struct str text, const char *column, double *out, struct err *err)
{
    text = str_trim(text);
    return str_to_real(text, out) ||
           err_set(err, ERR_INPUT, "the column '%s' has '%.*s', expected a number",
                   column, STR_ARG(text));
}

static bool read_row(void *context, const struct input_csv_row *row, struct err *err)
{
    struct series_work *work = context;
    const struct series_args *args = work->args;
    struct str time = arena_copy(work->arena, str_trim(row->fields[work->time]));
    double value, other = 1;

    if (!read_number(row->fields[work->value], args->value, &value, err) ||
        (args->beside != NULL &&
         !read_number(row->fields[work->beside], args->beside, &other, err)))
        return false;
    if (args->beside != NULL && other <= 0)
        return err_set(err, ERR_INPUT,
                       "the column '%s' has %g, expected a number above 0 to share by",
                       args->beside, other);
    if (work->times.count > 0 &&
        compare_times(work->times.at[work->times.count - 1], time) >= 0)
        return err_set(err, ERR_INPUT, "'%.*s' comes behind '%.*s'; times must ascend",
                       STR_ARG(time), STR_ARG(work->times.at[work->times.count - 1]));
    list_add(&work->times, time);
    list_add(&work->values, value);
    list_add(&work->others, other);
    return true;
}

/* An event has a time of the series, or one between two of them. */
static bool check_event(const struct series_work *work, struct err *err)
{
    size_t count = work->times.count;
    double number;

    if (work->args->event == NULL || count == 0)
        return true;
    struct str event = str_from(work->args->event), first = work->times.at[0],
               last = work->times.at[count - 1];
    if (compare_times(event, first) >= 0 && compare_times(event, last) <= 0 &&
        (!str_to_real(first, &number) || str_to_real(event, &number)))
        return true;
    return err_set(err, ERR_USAGE,
                   "--event is '%s', expected a time between those of the column '%s' of "
                   "%s: '%.*s' to '%.*s'",
                   work->args->event, work->args->time, work->args->file, STR_ARG(first),
                   STR_ARG(last));
}

static size_t find_event(const struct series_work *work)
{
    struct str event = str_from(work->args->event);
    size_t at = 0;

    while (at < work->times.count && compare_times(work->times.at[at], event) < 0)
        at++;
    return at;
}

static const char *const terms[STATS_SERIES_TERMS] = {
    "level at the beginning", "slope before", "change of level", "change of slope"};

static void show_interrupted(struct series_work *work,
                             const struct stats_series_interrupted *it)
{
    struct buf *out = &work->out;
    bool json = work->args->json;

    if (it->undefined != NULL) {
        buf_add_format(out,
                       json ? ",\"interrupted\":{\"undefined\":\"%s\"}"
                            : "interrupted: undefined, %s\n",
                       it->undefined);
        return;
    }
    if (json)
        buf_add(out, STR(",\"interrupted\":{"));
    else
        buf_add_format(out, "%-24s %12s   %-27s %s\n", "interrupted series", "estimate",
                       "95% interval", "p");
    for (size_t k = 0; k < STATS_SERIES_TERMS; k++) {
        const struct stats_series_estimate *one = &it->terms[k];
        if (json)
            buf_add_format(out, "\"%s\":[%.8g,", terms[k], one->estimate);
        else
            buf_add_format(out, "%-24s %12.5g   ", terms[k], one->estimate);
        if (isnan(one->error))
            buf_add(out, json ? STR("null,null,") : STR("no noise to go by   "));
        else
            buf_add_format(out, json ? "%.8g,%.8g," : "[%.5g, %.5g]   ", one->low,
                           one->high);
        if (isnan(one->p))
            buf_add(out, json ? STR("null") : STR("-"));
        else if (!json && one->p < 0.0001)
            buf_add(out, STR("<0.0001"));
        else
            buf_add_format(out, json ? "%.6g" : "%.4f", one->p);
        buf_add(out, json ? STR("],") : STR("\n"));
    }
    if (json)
        buf_add_format(out, "\"lags\":%zu,\"durbin_watson\":", it->lags);
    else
        buf_add_format(out,
                       "Newey-West errors, %zu lag%s; t tests with %.0f degrees of "
                       "freedom; Durbin-Watson ",
                       it->lags, it->lags == 1 ? "" : "s", it->df);
    if (isnan(it->durbin_watson))
        buf_add(out, json ? STR("null") : STR("-"));
    else
        buf_add_format(out, "%.4f", it->durbin_watson);
    buf_add(out, json ? STR("}") : STR("\n"));
}

/* The mean of the part that begins there. */
static double mean_from(struct stats_values series, size_t from, size_t to)
{
    return stats_mean((struct stats_values){series.at + from, to - from});
}

static void show_change(struct series_work *work, struct stats_values series,
                        const struct stats_changes *of, size_t i)
{
    const struct stats_change *it = &of->at[i];
    struct buf *out = &work->out;
    double before = mean_from(series, i > 0 ? it[-1].at : 0, it->at);
    double after = mean_from(series, it->at, i + 1 < of->count ? it[1].at : series.count);
    struct str first = work->times.at[it->first], last = work->times.at[it->last];

    if (work->args->json) {
        buf_add(out, i > 0 ? STR(",{\"time\":\"") : STR("{\"time\":\""));
        buf_add_json(out, work->times.at[it->at]);
        buf_add(out, STR("\",\"first\":\""));
        buf_add_json(out, first);
        buf_add(out, STR("\",\"last\":\""));
        buf_add_json(out, last);
        buf_add_format(out, "\",\"step\":%.8g,\"before\":%.8g,\"after\":%.8g,\"p\":%.4f}",
                       it->step, before, after, it->p);
        return;
    }
    buf_add_format(out,
                   "  from %.*s [%.*s, %.*s] on: %+.5g; mean %.5g, before %.5g; p = "
                   "%.4f\n",
                   STR_ARG(work->times.at[it->at]), STR_ARG(first), STR_ARG(last),
                   it->step, after, before, it->p);
}

static void show_changes(struct series_work *work, struct stats_values series,
                         const struct stats_changes *it)
{
    struct buf *out = &work->out;
    bool json = work->args->json;

    if (it->undefined != NULL) {
        buf_add_format(out,
                       json ? ",\"changes\":{\"undefined\":\"%s\"}"
                            : "changes of level: undefined, %s\n",
                       it->undefined);
        return;
    }
    if (json)
        buf_add(out, STR(",\"changes\":{\"at\":["));
    else if (it->count == 0)
        buf_add_format(out,
                       "changes of level: none beyond what a line%s and chance give\n",
                       work->season.count > 1 ? ", a season" : "");
    else
        buf_add_format(out, "changes of level: %zu\n", it->count);
    for (size_t i = 0; i < it->count; i++)
        show_change(work, series, it, i);
    buf_add_format(out,
                   json ? "],\"slope\":%.8g,\"p\":%.4f,\"related\":%.4f}"
                        : "slope %.4g; that there is any change: p = %.4f, by resampling "
                          "noise in which neighbours are related by %.2f\n",
                   it->slope, it->p, it->related);
}

static void show_series(struct series_work *work, const char *name,
                        struct stats_values series, bool first)
{
    const struct series_args *args = work->args;
    struct arena_mark mark = arena_mark(work->arena);
    struct buf *out = &work->out;

    if (args->json) {
        buf_add(out, first ? STR("{\"series\":\"") : STR(",{\"series\":\""));
        buf_add_json(out, str_from(name));
        buf_add_format(out, "\",\"values\":%zu", series.count);
    } else {
        buf_add_format(out, "%s# %s, %zu values\n\n", first ? "" : "\n", name,
                       series.count);
    }
    if (args->event != NULL) {
        struct stats_series_interrupted it = stats_series_interrupted(
            series,
            &(struct stats_series_event){
                .at = find_event(work),
                .lags = args->lags.given ? (size_t)args->lags.value : SIZE_MAX,
                .season = work->season,
                .level = 0.95},
            work->arena);
        show_interrupted(work, &it);
    }
    struct stats_changes found =
        stats_changes(series,
                      &(struct stats_changes_search){.season = work->season,
                                                     .seed = (uint64_t)args->seed},
                      work->arena);
    show_changes(work, series, &found);
    buf_add(out, args->json ? STR("}") : STR(""));
    arena_rewind(work->arena, mark);
}

static void show_all(struct series_work *work)
{
    const struct series_args *args = work->args;
    size_t count = work->values.count;
    double *shares = arena_array(work->arena, double, count + 1);

    buf_add(&work->out, args->json ? STR("[") : STR(""));
    show_series(work, args->value, (struct stats_values){work->values.at, count}, true);
    for (size_t i = 0; i < count; i++)
        shares[i] = work->values.at[i] / work->others.at[i];
    if (args->beside != NULL) {
        show_series(work, args->beside, (struct stats_values){work->others.at, count},
                    false);
        show_series(work,
                    arena_format(work->arena, "%s / %s", args->value, args->beside).ptr,
                    (struct stats_values){shares, count}, false);
    }
    buf_add(&work->out, args->json ? STR("]\n") : STR(""));
}

static bool run(struct cmd_session *session, const void *arguments, struct err *err)
{
    struct series_work work = {.args = arguments, .arena = &session->arena};
    struct input_csv_rows to = {read_head, read_row, &work};
    struct str text;
    bool ok = file_read(work.args->file, work.arena, &text, err) &&
              input_csv_rows_read(text, work.args->file, &to, err) &&
              check_event(&work, err);

    if (ok) {
        work.season = measure_season(work.times.at, work.times.count,
                                     (size_t)work.args->season, work.arena);
        show_all(&work);
        cmd_print(&work.out);
    }
    buf_free(&work.out);
    list_free(&work.times);
    list_free(&work.values);
    list_free(&work.others);
    return ok;
}

const struct cmd cmd_series = {
    .name = "series",
    .summary = "Say whether and where numbers over time changed",
    .operands = operands,
    .options = options,
    .run = run,
};
